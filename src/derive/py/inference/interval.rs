//! Intervals of confidence and words for values, for Python.
use std::sync::{Mutex, PoisonError};

use numpy::PyReadonlyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::arith::special;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, joined};
use crate::base::threads::over_parts;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::Method;
use crate::index::value::Undefined;
use crate::inference::effective::Reading;
use crate::inference::interval::{Ask, Interval, Side};
use crate::inference::same_rows::difference::Difference;
use crate::labels::view::BinaryCounts;

use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::labels::confusion::{ConfusionState, with_average};
use crate::py::labels::counts::{Four, Held};
use crate::py::labels::readings::Words;
use crate::py::memory::written;
use crate::py::{argument, gate};

const SIDES: [(&str, Side); 3] =
    [("two-sided", Side::Both), ("lower", Side::Lower), ("upper", Side::Upper)];

/// How many tables a thread takes at a time.
const BLOCK: usize = 512;

/// Estimate, low, high, standard error, method, why there is none, what speaks against it.
pub(crate) type Found =
    (f64, f64, f64, f64, &'static str, Option<&'static str>, Option<&'static str>);

/// Words about one entry of arrays.
type Said = Vec<(usize, &'static str)>;

/// Arrays of estimate, low, high and standard error; the method; the places without an interval and
/// why; those with a note.
type Arrays<'py> = (Vec<Bound<'py, PyAny>>, &'static str, Said, Said);

/// What interval is wanted: level, method, side, strata.
pub(crate) type Wanted<'py> =
    (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>);

pub(crate) fn ask((level, method, side, strata): &Wanted<'_>) -> PyResult<Ask> {
    let method =
        method.as_ref().map(|name| argument::option(name, "method", &Method::ALL)).transpose()?;
    let side = side_of(side)?;
    let strata = strata.as_ref();
    let strata =
        strata.map(|name| argument::option(name, "strata", &[("label", ())])).transpose()?;
    Ok(Ask::new(argument::number(level, "level")?, method, side)?.by_class(strata.is_some()))
}

/// Which bounds are wanted.
pub(crate) fn side_of(side: &Bound<'_, PyAny>) -> PyResult<Side> {
    argument::option(side, "side", &SIDES)
}

pub(crate) fn found(interval: &Interval) -> Found {
    (
        interval.estimate,
        interval.low,
        interval.high,
        interval.standard_error,
        interval.method.name(),
        interval.why.map(Undefined::sentence),
        interval.note,
    )
}

/// The interval of each of some things.
pub(crate) fn intervals<T: Sync>(
    py: Python<'_>,
    work: usize,
    each: &[T],
    of: impl Fn(&T) -> Result<Interval> + Send + Sync,
) -> PyResult<Vec<Found>> {
    let intervals = gate::run(py, work, || each.iter().map(of).gather_all::<Interval, _>())?;
    Ok(intervals.iter().map(found).gather())
}

/// Estimate, low, high, standard error, statistic, p-value, and why there is no interval.
pub(crate) type Told = (f64, f64, f64, f64, f64, f64, Option<&'static str>);

pub(crate) fn told(found: Difference) -> Told {
    (
        found.estimate,
        found.low,
        found.high,
        found.standard_error,
        found.statistic,
        found.p_value,
        found.why,
    )
}

/// The intervals of some indices of a whole matrix, of the positive class, or averaged over the
/// classes, where the number stands for an undefined value.
#[pyfunction]
pub(crate) fn interval_matrix(
    py: Python<'_>,
    state: &ConfusionState,
    positive: Option<usize>,
    average: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
    names: Vec<Named>,
    wanted: Wanted<'_>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Found>> {
    let (ask, rows) = (ask(&wanted)?, all_asked(names, given)?);
    let view = state.view();
    let run = |reading: Reading<'_>, work: usize| {
        let work = state.size().saturating_mul(work).saturating_mul(rows.len());
        intervals(py, work, &rows, |(row, parameters)| {
            row.interval_of_reading(view, state.squares(), reading, parameters, &ask)
        })
    };
    match average {
        None => run(Reading::Overall(positive), gate::INDEX),
        Some((average, zero_division)) => with_average(&average, |how| {
            let zero_division = argument::number(&zero_division, "zero_division")?;
            run(Reading::Average(how, zero_division), view.classes())
        }),
    }
}

/// The intervals of an index of each class against the rest.
#[pyfunction]
pub(crate) fn interval_classes(
    py: Python<'_>,
    state: &ConfusionState,
    name: Named,
    wanted: Wanted<'_>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Found>> {
    let (ask, (row, parameters)) = (ask(&wanted)?, asked(name, given)?);
    let view = state.view();
    let classes: Vec<usize> = (0..view.classes()).gather();
    intervals(py, state.size().saturating_mul(classes.len()), &classes, |&class| {
        let reading = Reading::Class(class);
        row.interval_of_reading(view, state.squares(), reading, &parameters, &ask)
    })
}

fn all_asked(
    names: Vec<Named>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<(&'static Index, Parameters)>> {
    let rows = names.into_iter().map(|name| asked(name, given));
    rows.collect() // a few
}

/// The interval of every 2x2 table; `squares` are the sums of the squares of sampling weights.
#[pyfunction]
pub(crate) fn interval_counts<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    squares: Option<Four<'py>>,
    name: Named,
    wanted: Wanted<'py>,
    given: Option<&Bound<'py, PyDict>>,
) -> PyResult<Arrays<'py>> {
    let (ask, (row, parameters)) = (ask(&wanted)?, asked(name, given)?);
    let method = row.method(&ask)?;
    let held = Held::of(&arrays)?;
    let held_squares = squares.as_ref().map(Held::of).transpose()?;
    let held_squares = held_squares.as_ref().or(ask.is_by_class().then_some(&held));
    let (tables, squares) = (held.columns(), held_squares.map(Held::columns));
    let (mut whys, mut notes) = (Vec::new(), Vec::new());
    let columns = written::<4>(py, tables.len(), WORK, |columns| {
        let [estimate, low, high, error] = columns.map(|column| column.chunks_mut(BLOCK));
        let blocks = estimate.zip(low).zip(high.zip(error));
        let blocks: Vec<_> = blocks.map(Mutex::new).gather();
        let parts = over_parts(tables.len().saturating_mul(WORK), |part| {
            let (mut why, mut notes) = (Vec::new(), Vec::new());
            let mut counts = [BinaryCounts::default(); BLOCK];
            let mut of_squares = [BinaryCounts::default(); BLOCK];
            let own = |place: usize| place.div_ceil(WORK).div_ceil(BLOCK);
            let (first, end) = (own(part.start), own(part.end));
            for (place, block) in (first..end).zip(&blocks[first..end]) {
                interrupt::check();
                let start = place * BLOCK;
                let block = block.lock();
                let mut block = block.unwrap_or_else(PoisonError::into_inner);
                let ((estimate, low), (high, error)) = &mut *block;
                let mut place = 0;
                let counts = &mut counts[..estimate.len()];
                tables.read(start, counts);
                let mut put = |found: Interval| {
                    estimate[place] = found.estimate;
                    low[place] = found.low;
                    high[place] = found.high;
                    error[place] = found.standard_error;
                    if let Some(reason) = found.why {
                        why.grow((start + place, reason.sentence()));
                    }
                    if let Some(note) = found.note {
                        notes.grow((start + place, note));
                    }
                    place += 1;
                };
                let Some(squares) = &squares else {
                    let mut cells = counts.iter().map(|c| [c.tp, c.fp, c.fn_, c.tn].into_iter());
                    let put = |found: Interval| match cells.next() {
                        Some(cells) => put(found.of_weights(cells)),
                        None => put(found),
                    };
                    row.intervals_of_counts(counts, &parameters, &ask, put)?;
                    continue;
                };
                squares.read(start, &mut of_squares[..counts.len()]);
                for (table, squares) in counts.iter().zip(&of_squares) {
                    put(row.interval_of_sampling(table, squares, &parameters, &ask)?);
                }
            }
            Ok((why, notes))
        })?;
        let (of_why, of_notes): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        (whys, notes) = (joined(of_why), joined(of_notes));
        Ok(())
    })?;
    let shape = arrays.0.getattr("shape")?;
    let columns = columns.iter();
    let columns = columns.map(|column| Ok(column.call_method1("reshape", (&shape,))?));
    Ok((columns.collect::<PyResult<_>>()?, method.name(), whys, notes))
}

/// An interval takes as long as some hundred rows.
const WORK: usize = 100;

/// The word for each value of an index on one of its scales.
#[pyfunction]
pub(crate) fn interpret<'py>(
    py: Python<'py>,
    name: Named,
    values: PyReadonlyArrayDyn<'py, f64>,
    scale: Option<&Bound<'_, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let Named(row) = name;
    let scale = scale.map(|scale| argument::text(scale, "scale")).transpose()?;
    Words::of(py, row.scale(scale.as_deref())?).list(py, values.as_array().iter().copied())
}

/// The probability below x in a beta distribution.
#[pyfunction]
pub(crate) fn beta_cdf(a: f64, b: f64, x: f64) -> f64 {
    special::beta_cdf(a, b, x)
}

/// The number that Student's t exceeds with probability `tail`.
#[pyfunction]
pub(crate) fn student_t_quantile(tail: f64, freedom: f64) -> f64 {
    special::student_t_quantile(tail, freedom)
}
