//! Intervals of confidence where only bounds are known, for Python.
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::Gather;
use crate::inference::widened::Widened;

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::bounds::Given;
use crate::py::index::named::{Expressed, Named};
use crate::py::index::registry::parameters;
use crate::py::inference::interval::{Wanted, ask};
use crate::py::scores::score_sketch::SketchState;

/// Low, high, method, why there is none, whether there may be none, what speaks against it.
type Found = (f64, f64, &'static str, Option<&'static str>, bool, Option<&'static str>);

fn found(one: &Widened) -> Found {
    (one.low, one.high, one.method.name(), one.why, one.may_be_none, one.note)
}

/// The intervals of some indices over a box of 2×2 tables.
#[pyfunction]
pub(crate) fn interval_of_box(
    py: Python<'_>,
    given: Given,
    names: Vec<Expressed>,
    wanted: Wanted<'_>,
    chosen: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Found>> {
    let (ask, tables) = (ask(&wanted)?, given.tables()?);
    let rows: Vec<_> = names
        .into_iter()
        .map(|Expressed(row)| Ok((row, parameters(row, chosen)?)))
        .collect::<PyResult<_>>()?;
    // All tables of a box take as long as counting some 100,000 rows.
    let widened = gate::run(py, rows.len().saturating_mul(100_000), || {
        let each = rows.iter();
        each.map(|(row, parameters)| row.interval_of_box(&tables, parameters, &ask)).gather_all()
    })?;
    Ok(widened.iter().map(found).gather())
}

/// The intervals of some indices of the ranking of a sketch.
#[pyfunction]
pub(crate) fn interval_of_sketch(
    py: Python<'_>,
    state: &SketchState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Found>> {
    let (ask, known) = (ask(&wanted)?, state.known());
    let size = known.sketch().len().saturating_mul(names.len());
    let widened = gate::run(py, size, || {
        let each = names.iter();
        each.map(|Named(row)| row.interval_of_sketch(known, &ask)).gather_all()
    })?;
    Ok(widened.iter().map(found).gather())
}
