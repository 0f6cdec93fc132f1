//! Intervals of indices of scores, and the influence of single rows, for Python.
use pyo3::prelude::*;

use crate::base::memory::Gather;
use crate::inference::interval::Interval;

use crate::py::classes::column_tables::{RankingsState, size};
use crate::py::classes::score_tables::ScoreTablesState;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer};
use crate::py::inference::interval::{Found, Wanted, ask, found};
use crate::py::memory::{Array, written};
use crate::py::scores::probability_sums::ProbabilityState;
use crate::py::scores::score_table::ScoreState;

/// An interval, and what speaks against it.
type Noted = (Found, Option<&'static str>);

fn noted(intervals: &[Interval]) -> Vec<Noted> {
    let each = intervals.iter();
    each.map(|interval| (found(interval), interval.note)).gather()
}

/// The intervals of some indices of all thresholds.
#[pyfunction]
pub(crate) fn interval_scores(
    py: Python<'_>,
    state: &ScoreState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Noted>> {
    let (ask, ranking) = (ask(&wanted)?, state.ranking());
    let size = ranking.len().saturating_mul(gate::INDEX).saturating_mul(names.len());
    let found = gate::run(py, size, || {
        let each = names.iter();
        each.map(|Named(row)| row.interval_of_scores(ranking, &ask)).gather_all()
    })?;
    Ok(noted(&found))
}

/// The intervals of some indices of sums over probabilities.
#[pyfunction]
pub(crate) fn interval_probabilities(
    py: Python<'_>,
    state: &ProbabilityState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Noted>> {
    let ask = ask(&wanted)?;
    let found = gate::run(py, 1, || {
        let each = names.iter();
        each.map(|Named(row)| row.interval_of_probabilities(state.sums(), &ask)).gather_all()
    })?;
    Ok(noted(&found))
}

/// The interval of an index of the ranking of each class against the rest, or of each label.
#[pyfunction]
pub(crate) fn interval_rankings(
    py: Python<'_>,
    state: &RankingsState,
    name: Named,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Noted>> {
    let (ask, Named(row), tables) = (ask(&wanted)?, name, state.tables());
    let found = gate::run(py, size(tables), || {
        let each = tables.each()?.iter();
        each.map(|ranking| row.interval_of_scores(ranking, &ask)).gather_all()
    })?;
    Ok(noted(&found))
}

/// The intervals of some indices of all classes together.
#[pyfunction]
pub(crate) fn interval_score_tables(
    py: Python<'_>,
    state: &ScoreTablesState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Noted>> {
    let (ask, tables) = (ask(&wanted)?, state.tables());
    let found = gate::run(py, size(tables), || {
        let each = names.iter();
        each.map(|Named(row)| row.interval_of_score_tables(tables, &ask)).gather_all()
    })?;
    Ok(noted(&found))
}

/// How much one row more of each class changes an index, at each distinct score from high to low:
/// the scores, of a positive row, of a negative row; the index, and why it is undefined.
#[pyfunction]
pub(crate) fn influence<'py>(
    py: Python<'py>,
    state: &ScoreState,
    name: Named,
) -> PyResult<(Vec<Array<'py>>, Answer)> {
    let Named(row) = name;
    let ranking = state.ranking();
    let mut value = None;
    let arrays = written(py, ranking.len(), gate::INDEX, |[scores, positive, negative]| {
        ranking.fill_scores(0, scores);
        value = Some(row.fill_influences(ranking, [positive, negative])?);
        Ok(())
    })?;
    let value = value.map_or((f64::NAN, None), answer);
    Ok((arrays, value))
}
