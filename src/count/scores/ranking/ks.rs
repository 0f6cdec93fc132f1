//! The two-sided Kolmogorov–Smirnov distance between the scores of the two classes.
//!
//! 1. Without weights the distances |tp N − fp P| are compared exactly: as floats while floats hold
//!    all products, otherwise as 128-bit integers. The widest gap of each block of scores is found
//!    first, in lanes; then its last place, in the last block that has it.
//! 2. With weights the distances are differences of two products, exact before they are rounded.
//!    Equal distances may differ by the rounding of the sums, so distances within four units in the
//!    last place of 1 count as equal.
//!
//! Cost: half a nanosecond a distinct score without weights.
//!
//! Source: Smirnov 1948, doi:10.1214/aoms/1177730256.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::arith::fraction::quotient;
use crate::arith::products::{difference_of_products, unit_scale};
use crate::arith::special::kolmogorov_upper_tail;
use crate::base::memory::{Room, with_room, zeros};
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::blocks::{BLOCK, of_stretches};
use crate::scores::score_table::{Masses, ScoreTable};

/// The Kolmogorov–Smirnov distance between the scores of the two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ks {
    /// max |tpr − fpr|, in [0, 1].
    pub value: f64,
    /// The lowest score with this distance, as a double.
    pub threshold: f64,
    /// The lowest score with this distance, if scores are integers.
    pub integer: Option<i128>,
    /// 1 if tpr > fpr there (positives score higher), −1 if tpr < fpr, 0 if they never differ.
    pub sign: i8,
}

impl Ks {
    /// The distance of a table, at the lowest threshold that reaches it; `None` if a class is
    /// absent. For counts, `known` is its place, if another pass found it ([`WidestGap`]).
    pub(crate) fn of(table: &ScoreTable, known: Option<usize>) -> Option<Self> {
        let (p, n) = table.totals();
        if !(p > 0.0 && n > 0.0) {
            return None;
        }
        if let Masses::Counts(positives, negatives) = table.masses() {
            let (p, n) = (positives[table.len() - 1], negatives[table.len() - 1]);
            let best = match known {
                Some(best) => best,
                None => widest_gap(positives, negatives)?,
            };
            let score = (table.score(best), table.integer(best));
            return Self::from_counts((p, n), (positives[best], negatives[best]), score);
        }
        let gaps = WeightedGap::new(table);
        let gap = |place: usize| gaps.at(table, place);
        let mut tables = [BinaryCounts::default(); BLOCK];
        let mut maxima = with_room(table.len().div_ceil(BLOCK));
        for start in (0..table.len()).step_by(BLOCK) {
            let tables = &mut tables[..BLOCK.min(table.len() - start)];
            table.fill_counts(start + 1, tables);
            maxima.grow(widest_of_tables(tables, gaps.scales, gaps.totals));
        }
        let widest = maxima.iter().copied().fold(0.0, f64::max);
        let tied = gaps.tied(widest);
        let block = BLOCK * maxima.iter().rposition(|&found| found >= tied)?;
        let best = (block..table.len().min(block + BLOCK)).rfind(|&at| gap(at).abs() >= tied)?;
        Self::from_gap(gap(best), widest / gaps.of(), (table.score(best), table.integer(best)))
    }

    /// The distance of counts, from the totals of both classes and the counts at or above the score
    /// that reaches it; `None` if a class is absent.
    pub(crate) fn from_counts(
        (p, n): (u64, u64),
        (tp, fp): (u64, u64),
        (threshold, integer): (f64, Option<i128>),
    ) -> Option<Self> {
        let pairs = u128::from(p) * u128::from(n);
        let gap = i128::from(tp) * i128::from(n) - i128::from(fp) * i128::from(p);
        (pairs > 0).then(|| Self {
            value: quotient(gap.unsigned_abs(), pairs),
            threshold,
            integer,
            sign: gap.cmp(&0) as i8,
        })
    }

    /// The distance of weights, at a score whose gap is the widest up to rounding.
    pub(crate) fn from_gap(
        gap: f64,
        widest: f64,
        (threshold, integer): (f64, Option<i128>),
    ) -> Option<Self> {
        Some(Self {
            value: widest.min(1.0),
            threshold,
            integer,
            sign: gap.partial_cmp(&0.0)? as i8,
        })
    }
}

/// The probability of a distance at least as large where both classes have the same distribution of
/// scores; `None` if a class is absent.
///
/// Counts of few rows: the share of the orders of the rows, ties kept, that reach the distance. One
/// row after the other is positive or negative, and orders that have reached it are added up.
/// Otherwise Kolmogorov's distribution, with Stephens's correction.
///
/// Source: Schröer, Trenkler 1995, doi:10.1016/0167-9473(94)00034-3; Stephens 1970,
/// doi:10.1111/j.2517-6161.1970.tb00821.x.
pub(crate) fn p_value(table: &ScoreTable, distance: f64) -> Option<f64> {
    /// The orders of more rows, times rows of the rarer class, take too long to count.
    const FEW: u128 = 10_000_000;
    let (p, n) = table.totals();
    if !(p > 0.0 && n > 0.0) {
        return None;
    }
    if let Masses::Counts(positives, negatives) = table.masses() {
        let (m, n) = (positives[table.len() - 1], negatives[table.len() - 1]);
        if u128::from(m + n) * u128::from(m.min(n)) <= FEW {
            return Some(share_of_orders(positives, negatives));
        }
    }
    let root = (p / (p + n) * n).sqrt();
    Some(kolmogorov_upper_tail((root + 0.12 + 0.11 / root) * distance))
}

/// The share of the orders of few rows that reach the distance of the table.
fn share_of_orders(positives: &[u64], negatives: &[u64]) -> f64 {
    // The rarer class, and the other.
    let are_positive = positives.last() <= negatives.last();
    let (few, many) = if are_positive { (positives, negatives) } else { (negatives, positives) };
    let (m, n) = (few[few.len() - 1], many[many.len() - 1]);
    let gap = |i: u64, j: u64| (i * n).abs_diff(j * m);
    let reached = few.iter().zip(many).map(|(&i, &j)| gap(i, j)).max().unwrap_or(0);
    // For each number of rows of the rarer class so far, the share of the orders.
    let mut shares: Vec<f64> = zeros(m as usize + 1);
    shares[0] = 1.0;
    let (mut rows, mut found) = (0, 0.0);
    for (&i, &j) in few.iter().zip(many) {
        crate::base::interrupt::check();
        for rows in rows..i + j {
            let left = (m + n - rows) as f64;
            for i in (rows.saturating_sub(n)..=rows.min(m)).rev() {
                let share = shares[i as usize];
                let chance = (m - i) as f64 / left;
                if i < m {
                    shares[i as usize + 1] += share * chance;
                }
                shares[i as usize] = share * (1.0 - chance);
            }
        }
        rows = i + j;
        for i in rows.saturating_sub(n)..=rows.min(m) {
            if gap(i, rows - i) >= reached {
                found += std::mem::take(&mut shares[i as usize]);
            }
        }
    }
    found.min(1.0)
}

/// The gaps tpr − fpr of weights, over the common denominator, so that equal distances compare
/// equal.
pub(crate) struct WeightedGap {
    scales: (f64, f64),
    totals: (f64, f64),
}

impl WeightedGap {
    /// For a table, or for pieces of it that each have its totals.
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let (p, n) = table.totals();
        let (up, down) = (unit_scale(p), unit_scale(n));
        Self { scales: (up, down), totals: (p * up, n * down) }
    }

    /// A gap of 1 in this unit.
    pub(crate) fn of(&self) -> f64 {
        self.totals.0 * self.totals.1
    }

    pub(crate) fn at(&self, table: &ScoreTable, place: usize) -> f64 {
        let (tp, fp) = table.cumulative(place);
        let ((up, down), (p, n)) = (self.scales, self.totals);
        difference_of_products(tp * up, n, fp * down, p)
    }

    /// The least gap that counts as equal to the widest: equal gaps may differ by the rounding of
    /// the sums.
    pub(crate) fn tied(&self, widest: f64) -> f64 {
        widest - 4.0 * f64::EPSILON * self.of()
    }
}

/// The last place with the largest distance between the shares of the two classes.
fn widest_gap(positives: &[u64], negatives: &[u64]) -> Option<usize> {
    /// The number of scores in a block of a separate pass.
    const PIECE: usize = 1 << 10;
    let totals = (*positives.last()?, *negatives.last()?);
    let of = |places: Range<usize>| {
        let mut widest = WidestGap::new(totals);
        for start in places.clone().step_by(PIECE) {
            let block = start..places.end.min(start + PIECE);
            widest.take(positives, negatives, block);
        }
        widest
    };
    let widest = of_stretches(positives.len(), of).reduce(|mut first, later| {
        first.then(later);
        first
    });
    Some(widest?.place(positives, negatives))
}

/// The state of the widest gap |tp N − fp P|, over blocks of running totals.
pub(crate) struct WidestGap {
    totals: (u64, u64),
    /// Whether floats hold all products.
    is_narrow: bool,
    gap: u128,
    /// The last block with the widest gap.
    block: Range<usize>,
}

impl WidestGap {
    pub(crate) fn new(totals: (u64, u64)) -> Self {
        Self {
            totals,
            is_narrow: u128::from(totals.0) * u128::from(totals.1) <= 1 << 53,
            gap: 0,
            block: 0..0,
        }
    }

    /// Updates the widest gap by a block of scores.
    pub(crate) fn take(&mut self, positives: &[u64], negatives: &[u64], block: Range<usize>) {
        let (tps, fps) = (&positives[block.clone()], &negatives[block.clone()]);
        let gap = if self.is_narrow {
            let totals = (self.totals.0 as f64, self.totals.1 as f64);
            widest_of_block(tps, fps, totals) as u128
        } else {
            let gaps = tps.iter().zip(fps).map(|(&tp, &fp)| self.gap_of(tp, fp));
            gaps.fold(0, u128::max)
        };
        if gap >= self.gap {
            (self.gap, self.block) = (gap, block);
        }
    }

    /// Updates the widest gap by later blocks.
    pub(crate) fn then(&mut self, later: Self) {
        if later.gap >= self.gap {
            *self = later;
        }
    }

    fn gap_of(&self, tp: u64, fp: u64) -> u128 {
        let (positives, negatives) = self.totals;
        (u128::from(tp) * u128::from(negatives)).abs_diff(u128::from(fp) * u128::from(positives))
    }

    /// The last place with the widest gap, if it is in a block since the last call.
    pub(crate) fn settled(&mut self, positives: &[u64], negatives: &[u64]) -> Option<usize> {
        let block = std::mem::take(&mut self.block);
        let is_widest =
            |&place: &usize| self.gap_of(positives[place], negatives[place]) == self.gap;
        block.clone().rfind(is_widest)
    }

    /// The last place with the widest gap.
    pub(crate) fn place(self, positives: &[u64], negatives: &[u64]) -> usize {
        let is_widest =
            |&place: &usize| self.gap_of(positives[place], negatives[place]) == self.gap;
        self.block.clone().rfind(is_widest).unwrap_or(0)
    }
}

wide! {
    fn widest_of_block[](positives: &[u64], negatives: &[u64], totals: (f64, f64)) -> f64 = widest_of_block_body;
    fn widest_of_tables[](tables: &[BinaryCounts], scales: (f64, f64), totals: (f64, f64)) -> f64 = widest_of_tables_body;
}

#[inline(always)]
fn widest_of_block_body(positives: &[u64], negatives: &[u64], (p, n): (f64, f64)) -> f64 {
    let gap = |tp: u64, fp: u64| (tp as f64 * n - fp as f64 * p).abs();
    let mut widest = [0.0_f64; 16];
    let (tps, tps_rest) = positives.as_chunks::<16>();
    let (fps, fps_rest) = negatives.as_chunks::<16>();
    for (tps, fps) in tps.iter().zip(fps) {
        for lane in 0..16 {
            let gap = gap(tps[lane], fps[lane]);
            widest[lane] = if gap > widest[lane] { gap } else { widest[lane] };
        }
    }
    let rest = tps_rest.iter().zip(fps_rest);
    let rest = rest.map(|(&tp, &fp)| gap(tp, fp));
    widest.into_iter().chain(rest).fold(0.0, f64::max)
}

#[inline(always)]
fn widest_of_tables_body(
    tables: &[BinaryCounts],
    (up, down): (f64, f64),
    (p, n): (f64, f64),
) -> f64 {
    let mut widest = [0.0_f64; 8];
    let mut put = |lane: usize, table: &BinaryCounts| {
        let gap = difference_of_products(table.tp * up, n, table.fp * down, p).abs();
        widest[lane] = if gap > widest[lane] { gap } else { widest[lane] };
    };
    let (eights, rest) = tables.as_chunks::<8>();
    for tables in eights {
        for (lane, table) in tables.iter().enumerate() {
            put(lane, table);
        }
    }
    for table in rest {
        put(0, table);
    }
    widest.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::score_table::tests::table;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_widest_gap_is_found_as_in_integers(
            rows in prop::collection::vec((0_u64..4, 0_u64..4), 1..3000), times in prop::sample::select(vec![1, 1 << 10, 1 << 30]),
        ) {
            let running = |of: &dyn Fn(&(u64, u64)) -> u64| {
                rows.iter().scan(0, |sum, row| { *sum += of(row) * times; Some(*sum) }).collect::<Vec<u64>>()
            };
            let (positives, negatives) = (running(&|row| row.0), running(&|row| row.1));
            let (p, n) = (i128::from(*positives.last().unwrap()), i128::from(*negatives.last().unwrap()));
            let gap = |place: usize| (i128::from(positives[place]) * n - i128::from(negatives[place]) * p).abs();
            let best = (0..rows.len()).max_by_key(|&place| gap(place));
            prop_assert_eq!(widest_gap(&positives, &negatives), best);
        }
    }

    #[test]
    fn ks_takes_the_lowest_threshold_of_the_best() {
        // tpr − fpr is ½ at 0.9, 0.8 and again at 0.7: 0.7 is the lowest.
        let t = table(&[1, 0, 1, 0], &[0.9, 0.8, 0.7, 0.6], None);
        assert_eq!(
            Ks::of(&t, None),
            Some(Ks { value: 0.5, threshold: 0.7, integer: None, sign: 1 })
        );
        let t = table(&[0, 1], &[0.9, 0.1], None);
        assert_eq!(
            Ks::of(&t, None),
            Some(Ks { value: 1.0, threshold: 0.9, integer: None, sign: -1 })
        );
        assert_eq!(Ks::of(&table(&[0, 1], &[0.5, 0.5], None), None).map(|ks| ks.sign), Some(0));
    }
}
