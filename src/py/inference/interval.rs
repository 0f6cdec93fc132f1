//! Intervals of confidence and words for values, for Python.
#![allow(clippy::needless_pass_by_value)] // what a pyfunction takes it owns

use numpy::{PyArray1, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::base::memory::{Gather, joined};
use crate::base::threads::over_parts;
use crate::index::row::Index;
use crate::index::spread::Method;
use crate::inference::interval::{Ask, Interval, Side};

use crate::py::argument;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::labels::confusion::ConfusionState;
use crate::py::labels::counts::{Four, tables};
use crate::py::labels::readings::Words;

const SIDES: [(&str, Side); 3] = [
    ("two-sided", Side::Both),
    ("lower", Side::Lower),
    ("upper", Side::Upper),
];

/// Estimate, low, high, standard error.
type Arrays<'py> = [Bound<'py, PyAny>; 4];

/// What interval is wanted, and its method's name.
fn ask(
    row: &Index,
    level: &Bound<'_, PyAny>,
    method: Option<&Bound<'_, PyAny>>,
    side: &Bound<'_, PyAny>,
) -> PyResult<(Ask, &'static str)> {
    let method = method
        .map(|name| argument::option(name, "method", &Method::ALL))
        .transpose()?;
    let side = argument::option(side, "side", &SIDES)?;
    let ask = Ask::new(argument::number(level, "level")?, method, side)?;
    let method = method.or_else(|| row.methods().first().copied());
    Ok((ask, method.map_or("", Method::name)))
}

/// The interval of a whole matrix, or of the positive class.
#[pyfunction]
pub(crate) fn interval_matrix(
    state: &ConfusionState,
    positive: Option<usize>,
    name: Named,
    level: &Bound<'_, PyAny>,
    method: Option<&Bound<'_, PyAny>>,
    side: &Bound<'_, PyAny>,
) -> PyResult<(f64, f64, f64, f64, &'static str)> {
    let Named(row) = name;
    let (ask, method) = ask(row, level, method, side)?;
    let found = row.interval_overall(state.view(), positive, &ask)?;
    let Interval {
        estimate,
        low,
        high,
        standard_error,
        ..
    } = found;
    Ok((estimate, low, high, standard_error, method))
}

/// The interval of every 2x2 table.
#[pyfunction]
pub(crate) fn interval_counts<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    name: Named,
    level: &Bound<'py, PyAny>,
    method: Option<&Bound<'py, PyAny>>,
    side: &Bound<'py, PyAny>,
) -> PyResult<(Arrays<'py>, &'static str)> {
    let Named(row) = name;
    let (ask, method) = ask(row, level, method, side)?;
    let tables = tables(&arrays)?;
    // An interval takes as long as some hundred rows.
    let found: Vec<Interval> = gate::run(py, tables.len().saturating_mul(100), || {
        let parts = over_parts(tables.len(), |part| {
            let each = tables[part].iter();
            each.map(|counts| row.interval_of_counts(counts, &ask))
                .gather_all()
        })?;
        Ok(joined(parts))
    })?;
    let shape = arrays.0.getattr("shape")?;
    let array = |field: fn(&Interval) -> f64| {
        let flat = PyArray1::from_vec(py, found.iter().map(field).gather());
        flat.call_method1("reshape", (&shape,))
    };
    let arrays = [
        array(|found| found.estimate)?,
        array(|found| found.low)?,
        array(|found| found.high)?,
        array(|found| found.standard_error)?,
    ];
    Ok((arrays, method))
}

/// The word for each value of an index on one of its scales.
#[pyfunction]
pub(crate) fn interpret<'py>(
    py: Python<'py>,
    name: Named,
    values: PyReadonlyArrayDyn<'py, f64>,
    scale: Option<&str>,
) -> PyResult<Bound<'py, PyList>> {
    let Named(row) = name;
    Words::of(py, row.scale(scale)?).list(py, values.as_array().iter().copied())
}
