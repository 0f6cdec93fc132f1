//! Intervals of indices of scores, and the influence of single rows, for Python.
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::Gather;
use crate::inference::interval::{Ask, Side};
use crate::inference::net_benefit::{Against, net_benefit};
use crate::scores::curves::curve::need_probabilities;

use crate::py::classes::column_tables::{RankingsState, size};
use crate::py::classes::score_tables::ScoreTablesState;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, asked};
use crate::py::inference::interval::{Found, Wanted, ask, found, intervals};
use crate::py::memory::{Array, written};
use crate::py::scores::probability_sums::ProbabilityState;
use crate::py::scores::score_table::ScoreState;

/// The intervals of some indices of all thresholds.
#[pyfunction]
pub(crate) fn interval_scores(
    py: Python<'_>,
    state: &ScoreState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
    given: &Bound<'_, PyDict>,
) -> PyResult<Vec<Found>> {
    let (ask, ranking) = (ask(&wanted)?, state.ranking());
    let size = ranking.len().saturating_mul(gate::INDEX).saturating_mul(names.len());
    let rows = names.into_iter().map(|name| asked(name, given)).collect::<PyResult<Vec<_>>>()?;
    intervals(py, size, &rows, |(row, given)| row.interval_of_scores(ranking, given, &ask))
}

/// The intervals of some indices of sums over probabilities.
#[pyfunction]
pub(crate) fn interval_probabilities(
    py: Python<'_>,
    state: &ProbabilityState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Found>> {
    let ask = ask(&wanted)?;
    intervals(py, 1, &names, |Named(row)| row.interval_of_probabilities(state.sums(), &ask))
}

/// The interval of an index of the ranking of each class against the rest, or of each label.
#[pyfunction]
pub(crate) fn interval_rankings(
    py: Python<'_>,
    state: &RankingsState,
    name: Named,
    wanted: Wanted<'_>,
    given: &Bound<'_, PyDict>,
) -> PyResult<Vec<Found>> {
    let (ask, (row, given), tables) = (ask(&wanted)?, asked(name, given)?, state.tables());
    let found = gate::run(py, size(tables), || {
        let each = tables.each()?.iter();
        each.map(|ranking| row.interval_of_scores(ranking, &given, &ask)).gather_all()
    })?;
    Ok(found.iter().map(self::found).gather())
}

/// The intervals of some indices of all classes together.
#[pyfunction]
pub(crate) fn interval_score_tables(
    py: Python<'_>,
    state: &ScoreTablesState,
    names: Vec<Named>,
    wanted: Wanted<'_>,
) -> PyResult<Vec<Found>> {
    let (ask, tables) = (ask(&wanted)?, state.tables());
    intervals(py, size(tables), &names, |Named(row)| row.interval_of_score_tables(tables, &ask))
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

/// Net benefit at thresholds, less that of no treatment, of treatment of all, or of other scores of
/// the same rows (with the lower score of both of each row), and bounds.
#[pyfunction]
pub(crate) fn net_benefit_bounds<'py>(
    py: Python<'py>,
    state: &ScoreState,
    against_all: bool,
    others: Option<(PyRef<'py, ScoreState>, PyRef<'py, ScoreState>)>,
    at: PyReadonlyArray1<'py, f64>,
    level: f64,
) -> PyResult<Vec<Array<'py>>> {
    let ask = Ask::new(level, None, Side::Both)?;
    need_probabilities(state.table(), "the decision curve")?;
    let against = match &others {
        Some((second, both)) => Against::Scores(second.ranking(), both.ranking()),
        None if against_all => Against::All,
        None => Against::None,
    };
    let (at, ranking) = (at.as_slice()?, state.ranking());
    written(py, at.len(), gate::INTERVAL, |[value, low, high]| {
        for (place, &threshold) in at.iter().enumerate() {
            [value[place], low[place], high[place]] =
                net_benefit(ranking, against, threshold, &ask);
        }
        Ok(())
    })
}
