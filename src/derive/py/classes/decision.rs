//! Decisions of least risk for Python: probabilities and a matrix of costs in, classes out.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::classes::decision;
use crate::index;

use crate::py::argument;
use crate::py::classes::probability_sums::HeldColumns;
use crate::py::error::PyResult;
use crate::py::index::registry::cost_matrix;
use crate::py::{gate, memory};

/// The class of least risk of each row, -1 where even that is above `reject_cost`.
#[pyfunction]
pub(crate) fn bayes_decision<'py>(
    py: Python<'py>,
    y_proba: &Bound<'py, PyAny>,
    costs: &Bound<'py, PyAny>,
    reject_cost: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let costs = cost_matrix(costs, "costs")?;
    let limit = reject_cost.map(|cost| argument::number(cost, "reject_cost")).transpose()?;
    let held = HeldColumns::take(y_proba, "y_proba")?;
    let proba = held.lend();
    memory::column(py, proba.rows() * proba.columns(), || {
        decision::bayes_decisions(&proba, &costs, limit)
    })
}

/// The risk of each prediction for each row.
#[pyfunction]
pub(crate) fn bayes_risk<'py>(
    py: Python<'py>,
    y_proba: &Bound<'py, PyAny>,
    costs: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let costs = cost_matrix(costs, "costs")?;
    let held = HeldColumns::take(y_proba, "y_proba")?;
    let proba = held.lend();
    let risks =
        gate::run(py, proba.rows() * proba.columns(), || decision::bayes_risks(&proba, &costs))?;
    Ok(PyArray1::from_vec(py, risks).reshape([proba.rows(), costs.classes()])?)
}

/// The probability from which on the second class is the cheaper prediction.
#[pyfunction]
pub(crate) fn optimal_threshold(costs: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(index::optimal_threshold(&cost_matrix(costs, "costs")?)?)
}
