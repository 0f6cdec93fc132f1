//! The groups with the most evidence against them, for Python.
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::Gather;
use crate::fairness::bounds::Groups;
use crate::fairness::worst::{self as kernel, Bad, Ranked};
use crate::inference::same_rows::adjust::Adjust;

use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::labels::counts::{Four, tables};
use crate::py::memory::Array;
use crate::py::{argument, gate};

/// The groups; rows, value, value of the rest, bounds, p-value, adjusted p-value, shrunken value;
/// how many groups were tested, are worse, have too few rows, have no value; the level of each
/// interval.
type Told<'py> = (Bound<'py, PyArray1<i64>>, Vec<Array<'py>>, [usize; 4], f64);

/// The `k` worst groups by an index.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn worst_groups<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    squares: Option<Four<'py>>,
    name: Named,
    given: Option<&Bound<'py, PyDict>>,
    k: usize,
    level: f64,
    adjust: &Bound<'py, PyAny>,
    min_rows: f64,
    bad: Option<&Bound<'py, PyAny>>,
) -> PyResult<Told<'py>> {
    let (row, parameters) = asked(name, given)?;
    let known = [("bh", Adjust::BenjaminiHochberg), ("holm", Adjust::Holm), ("none", Adjust::None)];
    let adjust = argument::option(adjust, "adjust", &known)?;
    let sides = [("low", Bad::Low), ("high", Bad::High), ("either", Bad::Either)];
    let bad = match bad {
        Some(bad) => argument::option(bad, "bad", &sides)?,
        None => Bad::of(row),
    };
    let wanted = kernel::Wanted { k, level, adjust, min_rows, bad };
    gate::keep(py, || {
        let tables = tables(&arrays)?;
        let squares = squares.as_ref().map(self::tables).transpose()?;
        let groups = Groups { tables: &tables, squares: squares.as_deref() };
        let found = gate::run(py, tables.len().saturating_mul(100), || {
            kernel::worst(row, groups, &parameters, &wanted)
        })?;
        let columns: [fn(&Ranked) -> f64; 8] = [
            |one| one.rows,
            |one| one.value,
            |one| one.rest,
            |one| one.low,
            |one| one.high,
            |one| one.p_value,
            |one| one.adjusted,
            |one| one.shrunken,
        ];
        let groups = found.groups.iter();
        let places = groups.clone().map(|one| one.group as i64).gather();
        let column =
            |read: &fn(&Ranked) -> f64| PyArray1::from_vec(py, groups.clone().map(read).gather());
        Ok((
            PyArray1::from_vec(py, places),
            columns.iter().map(column).collect(),
            [found.tested, found.found, found.small, found.without],
            found.interval_level,
        ))
    })
}
