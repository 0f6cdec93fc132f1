//! The cheaper prediction of each row, by costs of its own.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::costs::risk;

use crate::py::classes::probability_sums::HeldColumns;
use crate::py::costs::cost_table::HeldCosts;
use crate::py::error::PyResult;
use crate::py::{argument, gate, memory};

/// For each row 1 if predicting it positive has the lower risk, else 0; -1 if even the lower risk
/// is above `reject_cost`. `costs` has the costs of tp, fp, fn and tn, each a number or a column.
#[pyfunction]
pub(crate) fn row_decision<'py>(
    py: Python<'py>,
    y_proba: &Bound<'py, PyAny>,
    costs: &Bound<'py, PyAny>,
    reject_cost: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let costs = HeldCosts::take(costs)?;
    let limit = reject_cost.map(|cost| argument::number(cost, "reject_cost")).transpose()?;
    let held = HeldColumns::take(y_proba, "y_proba")?;
    let (proba, given) = (held.lend(), costs.lend());
    memory::column(py, proba.rows(), || risk::row_decisions(&proba, &given, limit))
}

/// The risks of predicting each row negative and positive.
#[pyfunction]
pub(crate) fn row_risk<'py>(
    py: Python<'py>,
    y_proba: &Bound<'py, PyAny>,
    costs: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let costs = HeldCosts::take(costs)?;
    let held = HeldColumns::take(y_proba, "y_proba")?;
    let (proba, given) = (held.lend(), costs.lend());
    let risks = gate::run(py, proba.rows(), || risk::row_risks(&proba, &given))?;
    Ok(PyArray1::from_vec(py, risks).reshape([proba.rows(), 2])?)
}
