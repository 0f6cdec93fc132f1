//! Selection rates of groups over all thresholds, and areas of subgroups, for Python.
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::base::memory::Gather;
use crate::fairness::impact::{self, Impact};
use crate::fairness::subgroups;
use crate::scores::score_table::ScoreTable;

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::memory::Array;
use crate::py::scores::score_table::ScoreState;

/// Thresholds, ratio, difference, least and greatest selection rate, and the groups that have them.
type Impacts<'py> = ([Array<'py>; 5], [Bound<'py, PyArray1<i64>>; 2]);

/// The least and the greatest selection rate of groups at every distinct score.
#[pyfunction]
pub(crate) fn impact_over_thresholds<'py>(
    py: Python<'py>,
    groups: Vec<PyRef<'py, ScoreState>>,
) -> PyResult<Impacts<'py>> {
    gate::keep(py, || {
        let tables: Vec<&ScoreTable> = groups.iter().map(|one| one.ranking().table()).gather();
        let work = tables.iter().map(|table| table.len()).sum::<usize>();
        let found = gate::run(py, work.saturating_mul(4), || impact::over_thresholds(&tables))?;
        let numbers: [fn(&Impact) -> f64; 5] = [
            |one| one.threshold,
            Impact::ratio,
            Impact::difference,
            |one| one.least,
            |one| one.greatest,
        ];
        let places: [fn(&Impact) -> i64; 2] =
            [|one| one.least_at as i64, |one| one.greatest_at as i64];
        Ok((
            numbers.map(|read| PyArray1::from_vec(py, found.iter().map(read).gather())),
            places.map(|read| PyArray1::from_vec(py, found.iter().map(read).gather())),
        ))
    })
}

/// The areas of each subgroup: alone, its negatives with the positives of all other rows, its
/// positives with their negatives. NaN where a class is absent.
#[pyfunction]
pub(crate) fn subgroup_areas<'py>(
    py: Python<'py>,
    groups: Vec<PyRef<'py, ScoreState>>,
    whole: &ScoreState,
) -> PyResult<[Array<'py>; 3]> {
    gate::keep(py, || {
        let tables: Vec<&ScoreTable> = groups.iter().map(|one| one.ranking().table()).gather();
        let whole = whole.ranking().table();
        let work = tables.iter().map(|table| table.len()).sum::<usize>();
        let found = gate::run(py, work.saturating_mul(4), || {
            let each = tables.iter().map(|table| subgroups::areas(table, whole));
            each.gather_all()
        })?;
        let number = |area: Option<f64>| area.unwrap_or(f64::NAN);
        let columns: [fn(&subgroups::Areas) -> Option<f64>; 3] =
            [|one| one.subgroup, |one| one.bpsn, |one| one.bnsp];
        Ok(columns
            .map(|read| PyArray1::from_vec(py, found.iter().map(|one| number(read(one))).gather())))
    })
}
