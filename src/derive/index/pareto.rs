//! The Pareto set: the operating points that no other point dominates.
//!
//! A point dominates another if it is at least as good by each index and better by one.
//!
//! 1. Points are sorted by the first index, ties by the second, and so on. No point is then
//!    dominated by a later one, and the first index needs no further look.
//! 2. Two indices: a point is dominated if an earlier one was as good by the second. One pass.
//! 3. Three: the best points so far form a staircase, kept in a balanced tree.
//! 4. More: both halves are solved, and what the better half dominates of the other is found by
//!    halving again, one index after the other.
//!
//! Cost for n thresholds and d indices: O(n log n) for two and three, O(n log^(d−2) n) for more,
//! and d columns of values.
//!
//! Source: Kung, Luccio and Preparata 1975, doi:10.1145/321906.321910.
//!
//! Tried and rejected:
//! - comparing each point with the set so far: for recall and specificity most thresholds are in
//!   the set.

use std::collections::BTreeMap;

use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather};
use crate::index::best::Goal;
use crate::index::best::reachable;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::Tables;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::key_of_f64;
use crate::scores::score_table::ScoreTable;

/// How many tables are read at a time.
const BLOCK: usize = 256;

/// Up to so many pairs are compared one by one.
const FEW: usize = 256;

/// The operating points that no other dominates.
#[derive(Clone, Debug, PartialEq)]
pub struct Pareto {
    /// How many of the distinct scores, from the highest on, are predicted positive, ascending; 0
    /// is the threshold ∞.
    pub predicted: Vec<usize>,
    /// The values of each index there.
    pub values: Vec<Vec<f64>>,
}

/// The thresholds whose operating points no other dominates, points that are equal by each index
/// included. Thresholds at which an index is undefined are left out.
///
/// # Errors
/// [`Refusal::Argument`] for fewer than two indices; as [`Index::of_each`].
///
/// ```
/// use rocksteady_derive::base::column::Column;
/// use rocksteady_derive::index::{find, pareto};
/// use rocksteady_derive::index::best::Goal;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::base::input::{Labels, Scores};
/// use rocksteady_derive::scores::sweep::rows::SweepOptions;
/// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let wanted = ["recall", "precision"].map(|name| {
///     let row = find(name).expect("a name of the registry");
///     (row, Parameters::defaults(row), Goal::Greatest)
/// });
/// let set = pareto(&table, &wanted)?;
/// assert_eq!(set.predicted, [1, 3]); // not 2, which finds as few positives as 1, nor 4, which is less precise than 3
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn pareto(table: &ScoreTable, wanted: &[(&Index, Parameters, Goal)]) -> Result<Pareto> {
    if wanted.len() < 2 {
        let found = format!("a list of {}", wanted.len());
        return Err(Refusal::argument("names", found, "two indices or more"));
    }
    let len = table.len() + 1;
    let mut columns: Vec<Vec<f64>> = wanted.iter().map(|_| vec![0.0; len]).gather();
    let mut tables = [BinaryCounts::default(); BLOCK];
    for start in (0..len).step_by(BLOCK) {
        let tables = &mut tables[..BLOCK.min(len - start)];
        table.fill_counts(start, tables);
        let tables = Tables::new(tables);
        for ((row, parameters, _), column) in wanted.iter().zip(&mut columns) {
            let to = &mut column[start..][..tables.all().len()];
            row.fill_defined(tables, parameters, to)?;
        }
    }
    let is_defined = |&place: &usize| columns.iter().all(|column| !column[place].is_nan());
    let places: Vec<usize> = reachable(table).filter(is_defined).gather();
    let keys: Vec<Vec<u64>> = columns
        .iter()
        .zip(wanted)
        .map(|(column, (_, _, goal))| {
            let key = |&place: &usize| key_of_f64(column[place] * goal.sign());
            places.iter().map(key).gather()
        })
        .gather();
    let mut predicted: Vec<usize> = undominated(&keys).into_iter().map(|at| places[at]).gather();
    predicted.sort_unstable();
    let values =
        columns.iter().map(|column| predicted.iter().map(|&place| column[place]).gather()).gather();
    Ok(Pareto { predicted, values })
}

/// The points that no other dominates, in any order. Each column has a number for each point, the
/// greater the better.
fn undominated(columns: &[Vec<u64>]) -> Vec<usize> {
    let Some((first, rest)) = columns.split_first() else {
        return Vec::new();
    };
    let point = |at: usize| columns.iter().map(move |column| column[at]);
    let mut order: Vec<(u64, usize)> = first.iter().copied().zip(0..).gather();
    order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| point(b.1).cmp(point(a.1))));
    let order: Vec<usize> = order.into_iter().map(|(_, at)| at).gather();
    // Points that are alike stand and fall together.
    let groups: Vec<&[usize]> = order.chunk_by(|&a, &b| point(a).eq(point(b))).gather();
    let ranks: Vec<Vec<u64>> =
        rest.iter().map(|column| groups.iter().map(|group| column[group[0]]).gather()).gather();
    let mut kept = vec![true; groups.len()];
    match ranks.as_slice() {
        [] => kept.iter_mut().skip(1).for_each(|kept| *kept = false),
        [one] => {
            let mut best = None;
            for (kept, &rank) in kept.iter_mut().zip(one) {
                *kept = best.is_none_or(|best| rank > best);
                best = best.max(Some(rank));
            }
        }
        [one, two] => stairs(one, two, &mut kept),
        more => halve(more, 0..groups.len(), &mut kept),
    }
    let kept = groups.iter().zip(&kept).filter(|(_, kept)| **kept);
    kept.flat_map(|(group, _)| group.iter().copied()).gather()
}

/// Drops the points that an earlier one is at least as good as by both numbers.
fn stairs(one: &[u64], two: &[u64], kept: &mut [bool]) {
    // The best points by both: as the first number rises, the second falls.
    let mut stairs: BTreeMap<u64, u64> = BTreeMap::new();
    for (kept, (&a, &b)) in kept.iter_mut().zip(one.iter().zip(two)) {
        if stairs.range(a..).next().is_some_and(|step| *step.1 >= b) {
            *kept = false;
            continue;
        }
        while let Some((&below, _)) = stairs.range(..=a).next_back().filter(|step| *step.1 <= b) {
            stairs.remove(&below);
        }
        stairs.insert(a, b);
    }
}

/// Drops the points of a range that an earlier one is at least as good as by every number.
fn halve(ranks: &[Vec<u64>], range: std::ops::Range<usize>, kept: &mut [bool]) {
    if range.len() < 2 {
        return;
    }
    let middle = range.start + range.len() / 2;
    halve(ranks, range.start..middle, kept);
    halve(ranks, middle..range.end, kept);
    let still = |range: std::ops::Range<usize>, kept: &[bool]| -> Vec<usize> {
        range.filter(|&at| kept[at]).gather()
    };
    let (better, others) = (still(range.start..middle, kept), still(middle..range.end, kept));
    drop_dominated(ranks, &better, &others, kept);
}

/// Drops each of `others` that one of `better` equals or exceeds in every number.
fn drop_dominated(ranks: &[Vec<u64>], better: &[usize], others: &[usize], kept: &mut [bool]) {
    let Some((first, rest)) = ranks.split_first() else {
        for &at in others {
            kept[at] = false;
        }
        return;
    };
    if better.is_empty() || others.is_empty() {
        return;
    }
    if better.len() * others.len() <= FEW {
        for &other in others {
            let reaches = |&at: &usize| ranks.iter().all(|rank| rank[at] >= rank[other]);
            kept[other] &= !better.iter().any(reaches);
        }
        return;
    }
    if rest.is_empty() {
        let best = better.iter().map(|&at| first[at]).max();
        for &other in others {
            kept[other] &= best < Some(first[other]);
        }
        return;
    }
    if let [second] = rest {
        // Both from high to low by the first number, with the best second one so far.
        let fall = |points: &[usize]| {
            let mut points = points.copy_all();
            points.sort_unstable_by_key(|&at| std::cmp::Reverse(first[at]));
            points
        };
        let (better, mut best) = (fall(better), None);
        let mut better = better.into_iter().peekable();
        for other in fall(others) {
            while let Some(at) = better.next_if(|&at| first[at] >= first[other]) {
                best = best.max(Some(second[at]));
            }
            kept[other] &= best < Some(second[other]);
        }
        return;
    }
    let mut all: Vec<u64> = better.iter().chain(others).map(|&at| first[at]).gather();
    let middle = all.len() / 2;
    let (below, &mut median, above) = all.select_nth_unstable(middle);
    // A number that parts the points; where the median is the least of all, the next above it.
    let splits = if below.iter().any(|&rank| rank < median) {
        Some(median)
    } else {
        above.iter().copied().filter(|&rank| rank > median).min()
    };
    let Some(split) = splits else {
        return drop_dominated(rest, better, others, kept); // all alike
    };
    let part = |points: &[usize]| -> (Vec<usize>, Vec<usize>) {
        points.iter().partition(|&&at| first[at] >= split)
    };
    let ((high, low), (other_high, other_low)) = (part(better), part(others));
    drop_dominated(ranks, &high, &other_high, kept);
    drop_dominated(ranks, &low, &other_low, kept);
    let still: Vec<usize> = other_low.into_iter().filter(|&at| kept[at]).gather();
    drop_dominated(rest, &high, &still, kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_set_is_that_of_the_definition(
            dimensions in 1usize..6,
            numbers in prop::collection::vec(0u64..6, 0..600),
            wide in any::<bool>(),
        ) {
            let points: Vec<&[u64]> = numbers.chunks_exact(dimensions).collect();
            let value = |place: usize, x: u64| if wide { x * 1000 + (place as u64 * 7919) % 997 } else { x };
            let columns: Vec<Vec<u64>> = (0..dimensions)
                .map(|d| points.iter().enumerate().map(|(place, point)| value(place + d, point[d])).collect())
                .collect();
            let dominates = |a: usize, b: usize| {
                columns.iter().all(|c| c[a] >= c[b]) && columns.iter().any(|c| c[a] > c[b])
            };
            let expected: Vec<usize> = (0..points.len())
                .filter(|&b| !(0..points.len()).any(|a| dominates(a, b)))
                .collect();
            let mut found = undominated(&columns);
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
