//! Operating points for Python: the best one under a condition, those that no other dominates,
//! those at given thresholds.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arith::exact::Weights;
use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::index;
use crate::index::best::{Goal, Ties};
use crate::index::parameter::Parameters;
use crate::index::row::{Better, Index};
use crate::index::user::condition::Condition;
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::given_thresholds;
use crate::scores::sweep::given_thresholds::Threshold;

use crate::py::argument;
use crate::py::error::{PyResult, Raised};
use crate::py::index::named::{Expressed, Named};
use crate::py::index::registry::parameters;
use crate::py::labels::counts::columns;
use crate::py::memory::Array;
use crate::py::rows::{RankOptions, Rows};
use crate::py::scores::cut::Cut;
use crate::py::scores::score_table::ScoreState;
use crate::py::{gate, memory};

/// tp, fp, fn, tn.
type Four = (f64, f64, f64, f64);
/// A threshold at which an index is best: its value, the threshold, and the counts there.
type Optimum = (f64, Cut, Four);

/// Thresholds from Python: doubles or integers of 64 bits.
#[derive(FromPyObject)]
pub(crate) enum Given<'py> {
    Floats(PyReadonlyArray1<'py, f64>),
    Signed(PyReadonlyArray1<'py, i64>),
    Unsigned(PyReadonlyArray1<'py, u64>),
    Mixed(Vec<Cut>),
}

impl Given<'_> {
    /// The thresholds. NaN is refused.
    pub(crate) fn read(&self, argument: &'static str) -> Result<Vec<Threshold>, Refusal> {
        let integer = |value: i128| Ok(Threshold::Integer(value));
        match self {
            Self::Floats(values) => {
                let float = |(place, &value): (usize, &f64)| {
                    if value.is_nan() {
                        return Err(Refusal::row(argument, place, value, "a number"));
                    }
                    Ok(Threshold::Float(value))
                };
                values.as_array().iter().enumerate().map(float).gather_all()
            }
            Self::Signed(values) => {
                values.as_array().iter().map(|&x| integer(x.into())).gather_all()
            }
            Self::Unsigned(values) => {
                let values = values.as_array();
                values.iter().map(|&x| integer(x.into())).gather_all()
            }
            Self::Mixed(values) => {
                let cut = |(place, cut): (usize, &Cut)| {
                    let refused = || Refusal::row(argument, place, "nan", "a number");
                    cut.threshold().ok_or_else(refused)
                };
                values.iter().enumerate().map(cut).gather_all()
            }
        }
    }
}

fn condition_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Condition>> {
    let read = |given| {
        let text = argument::text(given, "subject_to")?;
        Ok(Condition::new(&text).map_err(|refusal| refusal.named("subject_to"))?)
    };
    given.map(read).transpose()
}

/// Whether the greatest or the least value of an index is wanted.
fn goal_of(row: &Index, maximize: bool, minimize: bool) -> PyResult<Goal> {
    match (maximize, minimize) {
        (true, true) => {
            let expected = "one of maximize and minimize, not both";
            Err(Refusal::argument("minimize", "True, as maximize is", expected).into())
        }
        (true, false) => Ok(Goal::Greatest),
        (false, true) => Ok(Goal::Least),
        (false, false) => Ok(Goal::of(row)?),
    }
}

fn four(counts: &BinaryCounts) -> Four {
    (counts.tp, counts.fp, counts.fn_, counts.tn)
}

pub(crate) fn threshold_of(table: &ScoreTable, predicted: usize) -> Cut {
    match predicted.checked_sub(1) {
        // Missing scores that were ranked best are above every threshold.
        Some(place) if !table.score(place).is_nan() => {
            Cut::of((table.score(place), table.integer(place)))
        }
        _ => Cut::Float(f64::INFINITY),
    }
}

fn optima(table: &ScoreTable, value: impl Fn(usize) -> f64, predicted: &[usize]) -> Vec<Optimum> {
    let optimum = |(at, &place): (usize, &usize)| {
        let counts = table.counts_of_first(place);
        (value(at), threshold_of(table, place), four(&counts))
    };
    predicted.iter().enumerate().rev().map(optimum).gather()
}

/// The thresholds at which an index is best, low to high: all of them or the lowest; none if it is
/// undefined wherever the condition is met.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn best_thresholds(
    py: Python<'_>,
    state: &ScoreState,
    name: &Bound<'_, PyAny>,
    maximize: &Bound<'_, PyAny>,
    minimize: &Bound<'_, PyAny>,
    every: &Bound<'_, PyAny>,
    subject_to: Option<&Bound<'_, PyAny>>,
    given: &Bound<'_, PyDict>,
) -> PyResult<Vec<Optimum>> {
    gate::keep(py, || {
        let Expressed(row) = name.extract()?;
        let parameters = parameters(row, Some(given))?;
        let maximize = argument::flag(maximize, "maximize")?;
        let goal = goal_of(row, maximize, argument::flag(minimize, "minimize")?)?;
        let ties = if argument::flag(every, "all")? { Ties::Every } else { Ties::Lowest };
        let condition = condition_of(subject_to)?;
        let table = state.table();
        gate::run(py, table.len().saturating_mul(gate::INDEX), || {
            let best = index::best(table, row, &parameters, goal, condition.as_ref(), ties)?;
            Ok(best.map_or_else(Vec::new, |best| optima(table, |_| best.value, &best.predicted)))
        })
    })
}

/// The threshold at which another index is best, among those at which an index is at least, or at
/// most, a number. Of several such thresholds, the one at which the first index is best. None if
/// there is none.
#[pyfunction]
pub(crate) fn target_threshold(
    py: Python<'_>,
    state: &ScoreState,
    name: Named,
    limit: f64,
    at_least: bool,
    then: Named,
) -> PyResult<Option<Optimum>> {
    let (Named(row), Named(then)) = (name, then);
    let order = if at_least { ">=" } else { "<=" };
    let condition = Condition::new(&format!("{} {order} {limit:e}", row.name)).map_err(|_| {
        let expected = "an index that has a value at each threshold";
        Refusal::argument("name", row.name, expected)
    })?;
    let (own, others) = (Parameters::defaults(row), Parameters::defaults(then));
    let goal = Goal::of(then).map_err(|_| {
        Refusal::argument("then", then.name, "an index that has a better direction")
    })?;
    let table = state.table();
    gate::run(py, table.len().saturating_mul(gate::INDEX), || {
        let best = index::best(table, then, &others, goal, Some(&condition), Ties::Every)?;
        let Some(best) = best else {
            return Ok(None);
        };
        let goal = if at_least { Goal::Greatest } else { Goal::Least };
        let kept = index::best_among(table, &best.predicted, row, &own, goal)?;
        Ok(optima(table, |_| best.value, &kept).into_iter().next())
    })
}

/// Why there is no best threshold; None if there is one.
#[pyfunction]
pub(crate) fn why_no_best(
    py: Python<'_>,
    state: &ScoreState,
    name: &Bound<'_, PyAny>,
    subject_to: Option<&Bound<'_, PyAny>>,
    given: &Bound<'_, PyDict>,
) -> PyResult<Option<String>> {
    let Expressed(row) = name.extract()?;
    let parameters = parameters(row, Some(given))?;
    let condition = condition_of(subject_to)?;
    let table = state.table();
    gate::run(py, table.len().saturating_mul(gate::INDEX), || {
        index::why_no_best(table, row, &parameters, condition.as_ref())
    })
}

/// Whether each threshold meets a condition.
#[pyfunction]
pub(crate) fn meeting_thresholds<'py>(
    py: Python<'py>,
    state: &ScoreState,
    condition: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    gate::keep(py, || {
        let condition = Condition::new(&argument::text(condition, "condition")?)?;
        let table = state.table();
        memory::column(py, table.len().saturating_mul(gate::INDEX), || {
            index::meeting(table, &condition)
        })
    })
}

/// Thresholds, their counts and the values of the indices, at the operating points that no other
/// dominates.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn pareto_thresholds<'py>(
    py: Python<'py>,
    state: &ScoreState,
    wanted: Vec<(Named, bool, bool)>,
) -> PyResult<(Array<'py>, Vec<Array<'py>>, Vec<Array<'py>>)> {
    gate::keep(py, || {
        let wanted = wanted
            .iter()
            .map(|&(Named(row), maximize, minimize)| {
                if !maximize && !minimize && row.better == Better::Neither {
                    let expected =
                        "an index that has a better direction, or its name in maximize or minimize";
                    return Err(Refusal::argument("names", row.name, expected).into());
                }
                let goal = goal_of(row, maximize, minimize)?;
                Ok::<_, Raised>((row, Parameters::defaults(row), goal))
            })
            .gather_all()?;
        let table = state.table();
        let (set, tables) = gate::run(py, table.len().saturating_mul(gate::INDEX), || {
            let set = index::pareto(table, &wanted)?;
            let tables = set.predicted.iter().map(|&place| table.counts_of_first(place));
            let tables: Vec<BinaryCounts> = tables.gather();
            Ok((set, tables))
        })?;
        let thresholds = set.predicted.iter().map(|&place| match threshold_of(table, place) {
            Cut::Integer(integer) => integer as f64,
            Cut::Float(float) => float,
        });
        let thresholds = PyArray1::from_vec(py, thresholds.gather());
        let values = set.values.into_iter();
        let values = values.map(|values| PyArray1::from_vec(py, values));
        Ok((thresholds, columns(py, tables.len(), tables.into_iter())?, values.gather()))
    })
}

/// tp, fp, fn, tn at each of many thresholds.
#[pyfunction]
pub(crate) fn counts_of_table<'py>(
    py: Python<'py>,
    state: &ScoreState,
    given: Given<'py>,
    side: &Bound<'py, PyAny>,
) -> PyResult<Vec<Array<'py>>> {
    let side = argument::side(side)?;
    let given = given.read("threshold")?;
    let table = state.table();
    let tables =
        gate::run(py, given.len(), || Ok(given_thresholds::counts_of_table(table, &given, side)))?;
    columns(py, tables.len(), tables.into_iter())
}

/// The same of the squares of sampling weights, if they are such.
#[pyfunction]
pub(crate) fn squares_of_table<'py>(
    py: Python<'py>,
    state: &ScoreState,
    given: Given<'py>,
    side: &Bound<'py, PyAny>,
) -> PyResult<Option<Vec<Array<'py>>>> {
    let Some(squares) = state.table().squares() else {
        return Ok(None);
    };
    let side = argument::side(side)?;
    let given = given.read("threshold")?;
    let tables = gate::run(py, given.len(), || {
        Ok(given_thresholds::counts_of_table(squares, &given, side))
    })?;
    columns(py, tables.len(), tables.into_iter()).map(Some)
}

/// tp, fp, fn, tn at each of many thresholds, from rows; and, of sampling weights, of their
/// squares.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn counts_at<'py>(
    py: Python<'py>,
    rows: Rows,
    given: Given<'py>,
    side: &Bound<'py, PyAny>,
    options: RankOptions,
) -> PyResult<(Vec<Array<'py>>, Option<Vec<Array<'py>>>)> {
    gate::keep(py, || {
        let side = argument::side(side)?;
        let given = given.read("thresholds")?;
        let (options, (labels, scores, weights)) = (options.0, rows.lend());
        let count = |weights: Option<Weights<'_>>| {
            given_thresholds::counts_at(&labels, &scores, weights, &options, &given, side)
        };
        let (tables, squares) = gate::run(py, scores.len(), || {
            let tables = count(weights)?;
            let squares = options.weight_kind.squares(weights, "sample_weight")?;
            let squares = squares.as_deref().map(Weights::from_slice);
            let squares = squares.map(|squares| count(Some(squares))).transpose()?;
            Ok((tables, squares))
        })?;
        let arrays = |tables: Vec<BinaryCounts>| columns(py, tables.len(), tables.into_iter());
        Ok((arrays(tables)?, squares.map(arrays).transpose()?))
    })
}
