//! The thresholds where an index is best.
//!
//! 1. Tables are read in blocks that stay in cache.
//! 2. A condition comes first and rules out most blocks.
//! 3. In the other blocks the index is evaluated and the block's best value found by vectors.
//! 4. Single thresholds are examined only if that value is at least the best so far.
//!
//! Cost: 1 to 4 ns a threshold; nothing of the size of the table is written.
//!
//! Tried and rejected:
//! - bisection for the place where a condition on a monotone rate begins to hold: it saves only
//!   what the end of a block saves already;
//! - columns of values: twice the time, because of memory traffic.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, joined};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::index::parameter::Parameters;
use crate::index::row::{Better, Index};
use crate::index::tables::Tables;
use crate::index::user::condition::{Condition, Scratch};
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::ScoreTable;

/// How many tables make a block: 8 KiB.
const BLOCK: usize = 256;

/// Which values are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

impl Goal {
    /// What the row calls better.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for an index that only describes.
    pub fn of(index: &Index) -> Result<Self> {
        match index.better {
            Better::Higher => Ok(Self::Greatest),
            Better::Lower => Ok(Self::Least),
            Better::Neither => Err(Refusal::argument(
                "maximize",
                format!("not given, and {} has no direction that is better", index.name),
                "maximize=True or minimize=True",
            )),
        }
    }

    /// 1 or −1: with this factor, the greatest value is the best.
    pub(crate) fn sign(self) -> f64 {
        match self {
            Self::Greatest => 1.0,
            Self::Least => -1.0,
        }
    }
}

/// Which of the thresholds with the best value are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The lowest.
    Lowest,
    /// All.
    Every,
}

/// The best value, and where it is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The value.
    pub value: f64,
    /// How many of the distinct scores, from the highest on, are predicted positive, ascending; 0
    /// is the threshold ∞.
    pub predicted: Vec<usize>,
}

/// The best value of an index over all thresholds that meet a condition; `None` if there are none
/// at which it is defined.
///
/// Thresholds at which the index is undefined are passed over, also where it has a number by
/// convention. Values are compared as they are: two that only rounding tells apart are not tied.
///
/// # Errors
/// As [`Index::of_each`].
///
/// ```
/// use rocksteady_derive::base::column::Column;
/// use rocksteady_derive::index;
/// use rocksteady_derive::index::best::{Goal, Ties};
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::index::user::condition::Condition;
/// use rocksteady_derive::base::input::{Labels, Scores};
/// use rocksteady_derive::scores::sweep::rows::SweepOptions;
/// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let accuracy = index::find("accuracy")?;
/// let (defaults, goal) = (Parameters::defaults(accuracy), Goal::of(accuracy)?);
/// let best = index::best(&table, accuracy, &defaults, goal, None, Ties::Every)?;
/// let best = best.expect("accuracy is always defined");
/// assert_eq!((best.value, best.predicted), (0.75, vec![1, 3]));
/// let condition = Condition::new("recall <= 0.5")?;
/// let best = index::best(&table, accuracy, &defaults, goal, Some(&condition), Ties::Lowest)?;
/// assert_eq!(best.map(|best| best.predicted), Some(vec![1]));
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn best(
    table: &ScoreTable,
    index: &Index,
    parameters: &Parameters,
    goal: Goal,
    condition: Option<&Condition>,
    ties: Ties,
) -> Result<Option<Best>> {
    let parts = walk(table, condition, false, |tables, met, values, places, best| {
        index.fill_defined(tables, parameters, values)?;
        mark(values, met, goal.sign());
        note(best, values, places, ties);
        Ok(())
    })?;
    let found = parts.into_iter().flatten().reduce(|mut best, later| {
        if later.value > best.value {
            return later;
        }
        if later.value == best.value {
            match ties {
                Ties::Every => best.predicted.grow_with(later.predicted),
                Ties::Lowest => best = later,
            }
        }
        best
    });
    found
        .map(|best| {
            // The same bits as at this threshold alone: rounded once.
            let counts = table.counts_of_first(best.predicted[0]);
            let value = index.of_counts(&counts, parameters)?.number;
            Ok(Best { value, ..best })
        })
        .transpose()
}

/// The entries of a table that some threshold gives. Rows whose score is ∞, or missing and ranked
/// best, are predicted positive at every threshold; rows whose score is missing and ranked worst at
/// none.
pub(crate) fn reachable(table: &ScoreTable) -> Range<usize> {
    let places = 0..table.len();
    // Missing scores ranked worst have key 0, unless scores are integers.
    let is_worst = |&place: &usize| table.kind().is_float() && table.keys().get(place) == 0;
    let is_above = |&place: &usize| {
        let score = table.score(place);
        (score.is_nan() || score == f64::INFINITY) && !is_worst(&place)
    };
    let above = places.clone().take_while(is_above).count();
    let below = places.rev().take_while(is_worst).count();
    above..table.len() + 1 - below
}

/// Calls `look` for each block in which a threshold meets the condition, or with `every` for all
/// blocks. It gets the tables, 1 for each threshold that meets the condition and 0 for the others,
/// room for values, the place of the first threshold, and the part's result so far.
fn walk<T: Send + Default>(
    table: &ScoreTable,
    condition: Option<&Condition>,
    every: bool,
    look: impl Fn(Tables, &[u8], &mut [f64], usize, &mut T) -> Result<()> + Sync,
) -> Result<Vec<T>> {
    let len = table.len() + 1;
    let reachable = reachable(table);
    over_parts(len, |part| {
        let mut tables = [BinaryCounts::default(); BLOCK];
        let (mut met, mut values) = ([1; BLOCK], [0.0; BLOCK]);
        let mut scratch = Scratch::default();
        let mut found = T::default();
        for start in part.clone().step_by(BLOCK) {
            let size = BLOCK.min(part.end - start);
            let (tables, met, values) =
                (&mut tables[..size], &mut met[..size], &mut values[..size]);
            table.fill_counts(start, tables);
            met.fill(1);
            if start < reachable.start || start + size > reachable.end {
                for (met, place) in met.iter_mut().zip(start..) {
                    *met = u8::from(reachable.contains(&place));
                }
            }
            let tables = Tables::new(tables);
            let any = match condition {
                Some(condition) => condition.keep(tables, &mut scratch, met)?,
                None => true,
            };
            if any || every {
                look(tables, met, values, start, &mut found)?;
            }
        }
        Ok(found)
    })
}

wide! {
    fn mark[](values: &mut [f64], met: &[u8], sign: f64) -> () = mark_each;
    fn greatest[](values: &[f64]) -> f64 = greatest_of;
}

/// NaN where the condition is not met, else the value times the sign.
#[inline(always)]
fn mark_each(values: &mut [f64], met: &[u8], sign: f64) {
    for (value, &met) in values.iter_mut().zip(met) {
        *value = if met == 0 { f64::NAN } else { *value * sign };
    }
}

/// The greatest value, NaN aside; −∞ if there is none.
#[inline(always)]
fn greatest_of(values: &[f64]) -> f64 {
    const LANES: usize = 16;
    #[inline(always)]
    fn greater(a: f64, b: f64) -> f64 {
        if b > a { b } else { a }
    }
    let mut lanes = [f64::NEG_INFINITY; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for part in whole {
        for (lane, &value) in lanes.iter_mut().zip(part) {
            *lane = greater(*lane, value);
        }
    }
    lanes.into_iter().chain(rest.iter().copied()).fold(f64::NEG_INFINITY, greater)
}

/// Takes the values of a block into account.
fn note(best: &mut Option<Best>, values: &[f64], first: usize, ties: Ties) {
    let value = greatest(values);
    let is_defined = value > f64::NEG_INFINITY || values.contains(&value);
    let so_far = best.as_ref().map(|best| best.value);
    if !is_defined || so_far.is_some_and(|so_far| value < so_far) {
        return;
    }
    let is_it = |&at: &usize| values[at] == value;
    let mut places = 0..values.len();
    let found: Vec<usize> = match ties {
        Ties::Lowest => places.rfind(is_it).into_iter().gather(),
        Ties::Every => places.filter(is_it).gather(),
    };
    let found = found.into_iter().map(|at| first + at);
    match best {
        Some(best) if best.value == value && ties == Ties::Every => best.predicted.grow_with(found),
        _ => {
            *best = Some(Best { value, predicted: found.gather() });
        }
    }
}

/// Breaks ties by a second index: which of these thresholds it finds best.
///
/// # Errors
/// As [`Index::of_each`].
///
/// ```
/// use rocksteady_derive::base::column::Column;
/// use rocksteady_derive::index;
/// use rocksteady_derive::index::best::Goal;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::base::input::{Labels, Scores};
/// use rocksteady_derive::scores::sweep::rows::SweepOptions;
/// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let fpr = index::find("fpr")?;
/// let defaults = Parameters::defaults(fpr);
/// let least = index::best_among(&table, &[1, 2, 3], fpr, &defaults, Goal::Least)?;
/// assert_eq!(least, [1]);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn best_among(
    table: &ScoreTable,
    predicted: &[usize],
    index: &Index,
    parameters: &Parameters,
    goal: Goal,
) -> Result<Vec<usize>> {
    let tables: Vec<BinaryCounts> =
        predicted.iter().map(|&place| table.counts_of_first(place)).gather();
    let mut values = vec![0.0; tables.len()];
    index.fill_defined(Tables::new(&tables), parameters, &mut values)?;
    mark(&mut values, &vec![1; tables.len()], goal.sign());
    let mut best = None;
    note(&mut best, &values, 0, Ties::Every);
    let kept = best.map_or_else(|| (0..predicted.len()).gather(), |best| best.predicted);
    Ok(kept.into_iter().map(|at: usize| predicted[at]).gather())
}

/// At which thresholds a condition is met: one for ∞ and one for each distinct score, from high to
/// low.
///
/// # Errors
/// As [`Index::of_each`].
///
/// ```
/// use rocksteady_derive::base::column::Column;
/// use rocksteady_derive::index;
/// use rocksteady_derive::index::user::condition::Condition;
/// use rocksteady_derive::base::input::{Labels, Scores};
/// use rocksteady_derive::scores::sweep::rows::SweepOptions;
/// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let met = index::meeting(&table, &Condition::new("0 < recall < 1 and fpr > 0")?)?;
/// assert_eq!(met, [false, false, true, false, false]);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn meeting(table: &ScoreTable, condition: &Condition) -> Result<Vec<bool>> {
    let parts = walk(table, Some(condition), true, |_, met, _, _, all: &mut Vec<bool>| {
        all.grow_with(met.iter().map(|&met| met == 1));
        Ok(())
    })?;
    Ok(joined(parts))
}

/// Why there is no best threshold; `None` if there is one.
///
/// # Errors
/// As [`Index::of_each`].
///
/// ```
/// use rocksteady_derive::base::column::Column;
/// use rocksteady_derive::index;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::index::user::condition::Condition;
/// use rocksteady_derive::base::input::{Labels, Scores};
/// use rocksteady_derive::scores::sweep::rows::SweepOptions;
/// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let recall = index::find("recall")?;
/// let condition = Condition::new("precision > 0.5 and lift > 3")?;
/// let why = index::why_no_best(&table, recall, &Parameters::defaults(recall), Some(&condition))?;
/// assert_eq!(why.as_deref(), Some("No threshold meets lift > 3."));
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn why_no_best(
    table: &ScoreTable,
    index: &Index,
    parameters: &Parameters,
    condition: Option<&Condition>,
) -> Result<Option<String>> {
    let none = |condition| {
        let best = best(table, index, parameters, Goal::Greatest, condition, Ties::Lowest)?;
        Ok(best.is_none())
    };
    if !none(condition)? {
        return Ok(None);
    }
    if none(None)? {
        return Ok(Some(format!("{} is undefined at every threshold.", index.name)));
    }
    let Some(condition) = condition else {
        return Ok(None);
    };
    let mut often = Vec::new();
    for (place, text) in condition.comparisons().enumerate() {
        let met = meeting(table, &condition.alone(place))?;
        let times = met.iter().filter(|&&met| met).count();
        if times == 0 {
            return Ok(Some(format!("No threshold meets {text}.")));
        }
        often.grow(format!("{text} at {times}"));
    }
    let together = meeting(table, condition)?.iter().filter(|&&met| met).count();
    let thresholds = table.len() + 1;
    Ok(Some(if together == 0 {
        format!(
            "No threshold meets all comparisons together; of {thresholds} thresholds they are met alone: {}.",
            often.join(", ")
        )
    } else {
        format!(
            "{} is undefined at every threshold that meets the condition: {together} of {thresholds}.",
            index.name
        )
    }))
}
