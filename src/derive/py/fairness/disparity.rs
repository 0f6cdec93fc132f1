//! Least, greatest, difference and ratio of the values of groups, and their intervals, for Python.
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, filled};
use crate::fairness::bounds::{self, Groups, Of};
use crate::fairness::disparity::{Disparity, disparities};
use crate::fairness::to_overall;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::Method;
use crate::index::value::Undefined;
use crate::inference::interval::Interval;
use crate::labels::view::BinaryCounts;

use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::inference::interval::{Found, Wanted, ask, found, side_of};
use crate::py::labels::counts::{Four, tables};
use crate::py::memory::Array;
use crate::py::{argument, gate};

const KINDS: [(&str, Of); 4] = [
    ("difference", Of::Difference),
    ("ratio", Of::Ratio),
    ("min", Of::Least),
    ("max", Of::Greatest),
];

/// Kinds of disparities with intervals of their own: whether to all rows, and of what.
const WITH_INTERVALS: [(&str, (bool, Of)); 6] = [
    ("difference", (false, Of::Difference)),
    ("ratio", (false, Of::Ratio)),
    ("min", (false, Of::Least)),
    ("max", (false, Of::Greatest)),
    ("overall_difference", (true, Of::Difference)),
    ("overall_ratio", (true, Of::Ratio)),
];

/// The values: of all rows of each stratum, then the least, the greatest, difference and ratio
/// between groups, difference and ratio to all rows; a number for each stratum.
type Numbers<'py> = Vec<Array<'py>>;

/// The groups that they are of, -1 for none: least, greatest, farthest from all rows by difference
/// and by ratio. Then how many groups have a value, and how many have none.
type Places<'py> = Vec<Bound<'py, PyArray1<i64>>>;

fn told<'py>(
    py: Python<'py>,
    found: &[Disparity],
    overall: &[f64],
) -> (Numbers<'py>, Places<'py>, bool) {
    let numbers: [fn(&Disparity) -> f64; 6] = [
        |one| one.least,
        |one| one.greatest,
        Disparity::difference,
        Disparity::ratio,
        |one| one.to_overall[0],
        |one| {
            if one.is_negative { f64::NAN } else { one.to_overall[1] }
        },
    ];
    let of = |read: &fn(&Disparity) -> f64| found.iter().map(read).gather();
    let numbers = std::iter::once(overall.iter().copied().gather()).chain(numbers.iter().map(of));
    let place = |at: Option<usize>| at.map_or(-1, |at| at as i64);
    let places = [0, 1, 2, 3, 4, 5].map(|which| {
        let read = |one: &Disparity| match which {
            0 => place(one.least_at),
            1 => place(one.greatest_at),
            2 => place(one.to_overall_at[0]),
            3 => place(one.to_overall_at[1]),
            4 => one.groups as i64,
            _ => one.without as i64,
        };
        found.iter().map(read).gather()
    });
    (
        numbers.map(|list| PyArray1::from_vec(py, list)).collect(),
        (places.into_iter()).map(|list| PyArray1::from_vec(py, list)).collect(),
        found.iter().any(|one| one.is_negative),
    )
}

/// The value of each table; NaN or `undefined` where there is none.
fn values(
    row: &Index,
    parameters: &Parameters,
    tables: &[BinaryCounts],
    undefined: f64,
) -> Result<Vec<f64>> {
    let mut found = filled(f64::NAN, tables.len());
    let mut place = 0;
    row.of_each(tables.iter().copied(), parameters, |value| {
        found[place] = if value.why.is_some() { undefined } else { value.number };
        place += 1;
    })?;
    Ok(found)
}

/// The strata of the groups, checked.
fn strata_of(
    strata: Option<&PyReadonlyArray1<'_, u32>>,
    groups: usize,
    count: usize,
) -> PyResult<Option<Vec<u32>>> {
    let Some(strata) = strata else {
        return Ok(None);
    };
    let strata: Vec<u32> = strata.as_array().iter().copied().gather();
    let fits = strata.len() == groups && strata.iter().all(|&at| (at as usize) < count);
    if !fits {
        let expected = "a stratum of each group";
        return Err(Refusal::argument("control", strata.len(), expected).into());
    }
    Ok(Some(strata))
}

/// The disparities of values of groups in each of `count` strata; `overall` are the values of all
/// rows.
#[pyfunction]
pub(crate) fn value_disparities<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f64>,
    strata: Option<PyReadonlyArray1<'py, u32>>,
    overall: PyReadonlyArray1<'py, f64>,
) -> PyResult<(Numbers<'py>, Places<'py>, bool)> {
    gate::keep(py, || {
        let overall: Vec<f64> = overall.as_array().iter().copied().gather();
        let values: Vec<f64> = values.as_array().iter().copied().gather();
        let strata = strata_of(strata.as_ref(), values.len(), overall.len())?;
        let found =
            gate::run(py, values.len(), || Ok(disparities(&values, strata.as_deref(), &overall)))?;
        Ok(told(py, &found, &overall))
    })
}

/// The values of groups, and their disparities in each of `count` strata. Groups without a value
/// have `undefined`, NaN leaving them out.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn group_disparities<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    name: Named,
    given: Option<&Bound<'py, PyDict>>,
    strata: Option<PyReadonlyArray1<'py, u32>>,
    count: usize,
    undefined: f64,
    overall: Option<Four<'py>>,
) -> PyResult<(Array<'py>, Numbers<'py>, Places<'py>, bool)> {
    let (row, parameters) = asked(name, given)?;
    gate::keep(py, || {
        let tables = tables(&arrays)?;
        let strata = strata_of(strata.as_ref(), tables.len(), count)?;
        let whole = match &overall {
            Some(arrays) => crate::py::labels::counts::tables(arrays)?,
            None => sums(&tables, strata.as_deref(), count),
        };
        let (values, overall, found) = gate::run(py, tables.len(), || {
            let values = values(row, &parameters, &tables, undefined)?;
            let overall = self::values(row, &parameters, &whole, undefined)?;
            let found = disparities(&values, strata.as_deref(), &overall);
            Ok((values, overall, found))
        })?;
        let (numbers, places, negative) = told(py, &found, &overall);
        Ok((PyArray1::from_vec(py, values), numbers, places, negative))
    })
}

/// The tables of all rows of each stratum.
fn sums(tables: &[BinaryCounts], strata: Option<&[u32]>, count: usize) -> Vec<BinaryCounts> {
    let mut found = filled(BinaryCounts::default(), count);
    for (group, table) in tables.iter().enumerate() {
        let sum = &mut found[strata.map_or(0, |strata| strata[group] as usize)];
        *sum = sum.plus(table);
    }
    found
}

/// The interval of a disparity in each stratum.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn disparity_intervals(
    py: Python<'_>,
    arrays: Four<'_>,
    squares: Option<Four<'_>>,
    name: Named,
    given: Option<&Bound<'_, PyDict>>,
    kind: &Bound<'_, PyAny>,
    wanted: Wanted<'_>,
    strata: Option<PyReadonlyArray1<'_, u32>>,
    count: usize,
) -> PyResult<Vec<Found>> {
    let (row, parameters) = asked(name, given)?;
    let (is_to_overall, of) = argument::option(kind, "kind", &WITH_INTERVALS)?;
    let level = argument::number(&wanted.0, "level")?;
    let side = side_of(&wanted.2)?;
    gate::keep(py, || {
        let tables = tables(&arrays)?;
        let squares = squares.as_ref().map(self::tables).transpose()?;
        let strata = strata_of(strata.as_ref(), tables.len(), count)?;
        let own = |stratum: usize, all: &[BinaryCounts]| -> Vec<BinaryCounts> {
            let each = all.iter().enumerate();
            each.filter(|&(group, _)| match &strata {
                None => true,
                Some(strata) => strata[group] as usize == stratum,
            })
            .map(|(_, table)| *table)
            .gather()
        };
        let work = tables.len().saturating_mul(100);
        let intervals = gate::run(py, work, || {
            let each = (0..count).map(|stratum| {
                let tables = own(stratum, &tables);
                let squares = squares.as_ref().map(|squares| own(stratum, squares));
                let groups = Groups { tables: &tables, squares: squares.as_deref() };
                let interval = if is_to_overall { to_overall::interval } else { bounds::interval };
                interval(row, groups, &parameters, of, level, side)
            });
            each.gather_all()
        })?;
        Ok(intervals.iter().map(found).gather())
    })
}

/// The levels at which the intervals of so many groups are wanted for the interval of a disparity:
/// of a bound alone, and of bounds that all hold together.
#[pyfunction]
pub(crate) fn disparity_levels(
    kind: &Bound<'_, PyAny>,
    groups: usize,
    wanted: Wanted<'_>,
) -> PyResult<[f64; 2]> {
    let of = argument::option(kind, "kind", &KINDS)?;
    let (level, side) = (argument::number(&wanted.0, "level")?, side_of(&wanted.2)?);
    let tails = bounds::tails(of, groups, level, side)?;
    Ok(tails.map(|tail| 1.0 - 2.0 * tail))
}

/// The bounds of a disparity from intervals of the groups at both levels: estimate, low, high.
#[pyfunction]
pub(crate) fn disparity_of_intervals<'py>(
    py: Python<'py>,
    name: Named,
    kind: &Bound<'py, PyAny>,
    wanted: Wanted<'py>,
    alone: [PyReadonlyArray1<'py, f64>; 3],
    together: [PyReadonlyArray1<'py, f64>; 3],
) -> PyResult<[f64; 3]> {
    let Named(row) = name;
    let of = argument::option(kind, "kind", &KINDS)?;
    let side = side_of(&wanted.2)?;
    gate::keep(py, || {
        let rows = |columns: &[PyReadonlyArray1<'py, f64>; 3]| -> Vec<[f64; 3]> {
            let [value, low, high] = columns.each_ref().map(|column| column.as_array());
            let ends = low.iter().zip(high.iter());
            let all = value.iter().zip(ends);
            all.map(|(&value, (&low, &high))| [value, low, high]).gather()
        };
        let (alone, together) = (rows(&alone), rows(&together));
        gate::run(py, alone.len(), || bounds::of_intervals(row, of, side, &alone, &together))
    })
}

/// The interval of the difference or the ratio of two groups.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn pair_disparity(
    py: Python<'_>,
    arrays: Four<'_>,
    squares: Option<Four<'_>>,
    name: Named,
    given: Option<&Bound<'_, PyDict>>,
    is_ratio: &Bound<'_, PyBool>,
    places: [usize; 2],
    wanted: Wanted<'_>,
) -> PyResult<Found> {
    let ((row, parameters), ask) = (asked(name, given)?, ask(&wanted)?);
    let of = if is_ratio.is_true() { Of::Ratio } else { Of::Difference };
    gate::keep(py, || {
        let tables = tables(&arrays)?;
        let squares = squares.as_ref().map(self::tables).transpose()?;
        if places.iter().any(|&place| place >= tables.len()) {
            return Err(Refusal::argument("groups", places[0], "two groups").into());
        }
        let groups = Groups { tables: &tables, squares: squares.as_deref() };
        let interval =
            gate::run(py, 1000, || bounds::of_two(row, groups, &parameters, of, places, &ask))?;
        Ok(found(&interval))
    })
}

/// The level of the intervals of two values, for the bounds of their difference or ratio.
#[pyfunction]
pub(crate) fn level_of_pair(wanted: Wanted<'_>) -> PyResult<f64> {
    Ok(bounds::level_of_each(&ask(&wanted)?))
}

/// The interval of the difference or the ratio of two values, from their intervals at this level
/// (estimate, low, high, standard error) and their correlation.
#[pyfunction]
pub(crate) fn pair_of_intervals(
    name: Named,
    is_ratio: &Bound<'_, PyBool>,
    values: [[f64; 4]; 2],
    correlation: f64,
    wanted: Wanted<'_>,
) -> PyResult<Found> {
    let (Named(row), ask) = (name, ask(&wanted)?);
    let of = if is_ratio.is_true() { Of::Ratio } else { Of::Difference };
    let [a, b] = values.map(|[estimate, low, high, standard_error]| Interval {
        estimate,
        low,
        high,
        standard_error,
        method: Method::Delta,
        why: estimate.is_nan().then_some(Undefined::NoRows),
        note: None,
    });
    Ok(found(&bounds::of_two_intervals(row, of, [&a, &b], correlation, &ask)?))
}
