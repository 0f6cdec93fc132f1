//! Intervals of confidence and words for values, for Python.
#![allow(clippy::needless_pass_by_value)] // what a pyfunction takes it owns

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;

use crate::error::Result;
use crate::index::Index;
use crate::interval::{Ask, Interval, Method, Side};
use crate::stat::BinaryCounts;

use super::argument::{self, Named};
use super::confusion::ConfusionState;
use super::counts::Four;
use super::gate;

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
fn interval_matrix(
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
fn interval_counts<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    name: Named,
    level: &Bound<'py, PyAny>,
    method: Option<&Bound<'py, PyAny>>,
    side: &Bound<'py, PyAny>,
) -> PyResult<(Arrays<'py>, &'static str)> {
    let Named(row) = name;
    let (ask, method) = ask(row, level, method, side)?;
    let held = (
        arrays.0.try_readonly()?,
        arrays.1.try_readonly()?,
        arrays.2.try_readonly()?,
        arrays.3.try_readonly()?,
    );
    let (tp, fp, fn_, tn) = (
        held.0.as_array(),
        held.1.as_array(),
        held.2.as_array(),
        held.3.as_array(),
    );
    let found: Vec<Interval> = gate::keep(py, || {
        let pairs = tp.iter().zip(&fp).zip(fn_.iter().zip(&tn));
        let found: Result<_> = pairs
            .map(|((&tp, &fp), (&fn_, &tn))| {
                row.interval_of_counts(&BinaryCounts { tp, fp, fn_, tn }, &ask)
            })
            .collect();
        Ok(found?)
    })?;
    let shape = arrays.0.getattr("shape")?;
    let array = |field: fn(&Interval) -> f64| {
        let flat = PyArray1::from_iter(py, found.iter().map(field));
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
fn interpret(
    name: Named,
    values: PyReadonlyArrayDyn<'_, f64>,
    scale: Option<&str>,
) -> PyResult<Vec<Option<&'static str>>> {
    let Named(row) = name;
    let scale = row.scale(scale)?;
    let values = values.as_array();
    Ok(values.iter().map(|&value| scale.word(value)).collect())
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(interval_matrix, module)?)?;
    module.add_function(wrap_pyfunction!(interval_counts, module)?)?;
    module.add_function(wrap_pyfunction!(interpret, module)?)
}
