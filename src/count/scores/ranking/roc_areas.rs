//! The area under the ROC curve of a table, and parts of it: over false positive rates, over true
//! positive rates, in a corner, on a logarithmic axis, under the convex hull.
//!
//! 1. Without weights the whole area is an exact integer over an exact integer: pairs of rows
//!    ([`PairCounts`]). With weights it is a sum of products of the exact masses, in twice the
//!    precision of `f64`. Both are rounded once.
//! 2. The ends of a part are found by bisection, so scores beyond them are not read.
//! 3. If the areas of blocks are known from [`PairCounts`], the inside of a part is a sum over
//!    them. Otherwise the table is read in blocks of 256 scores, each summed in eight lanes, and
//!    blocks are added in twice the precision of `f64`. The order of addition is fixed, so the bits
//!    depend only on the table, not on the machine.
//! 4. On a logarithmic axis a line becomes an integral in closed form. Let d/m be the step of the
//!    negatives divided by the negatives before. For small steps, the first terms of 2 atanh(d / (2
//!    m + d)) give L = ln(1 + d/m) and d − m L without loss and without a logarithm.
//!
//! Cost: about 1 ns a distinct score; with weights about 15 ns, because exact sums are converted to
//! `f64`.
//!
//! Sources: Hanley, McNeil 1982, doi:10.1148/radiology.143.1.7063747 (area); McClish 1989,
//! doi:10.1177/0272989X8900900307 (partial areas).
// Loop bodies must be inlined to be compiled for wider instructions, which also want plain indices
// and no branches.
#![allow(clippy::inline_always, clippy::needless_range_loop, clippy::needless_bitwise_bool)]

use std::ops::Range;

use crate::arith::exact::{Fixed, Sums, Weights};
use crate::arith::nearest::Nearest;
use crate::arith::products::Products;
use crate::arith::special::ln_1p_less;
use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::wide::wide;
use crate::scores::blocks::{BLOCK, Block, With, blocks, lanes, of_stretches};
use crate::scores::isotonic_hull::RocHull;
use crate::scores::ranking::concordance::PairCounts;
use crate::scores::ranking::fractions;
use crate::scores::ranking::lane_sum::two_sum;
use crate::scores::ranking::roc_points::{Point, RocPoints};
use crate::scores::score_table::{Masses, ScoreTable, Two};
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rank_sum::{PART, area_of, gini_of, near_of, settled_area_and_gini};
use crate::scores::sweep::rows::SweepOptions;
use crate::scores::sweep::weighted_auc::{WeightedAuc, weighted_auc};

/// The mass on the horizontal axis of an area.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Negatives,
    Positives,
}

/// The state of the area under the ROC curve of weights, from the highest scores down.
#[derive(Clone, Copy)]
pub(crate) struct WeightedArea {
    /// The exponents that bring each class below one.
    exponents: [i32; 2],
    /// The product of the totals of both classes.
    pairs: Nearest,
    twice: Products,
    before: Two,
    terms: f64,
    /// An upper bound of products lost because they are too small.
    lost: f64,
}

impl WeightedArea {
    /// From a table with the totals of both classes; `None` if one is absent.
    pub(crate) fn new(table: &ScoreTable) -> Option<Self> {
        fn of<F: Fixed>(sums: &[F], quantum: i32, lost: f64) -> Option<WeightedArea> {
            let all = [*sums.get(sums.len() / 2 - 1)?, *sums.last()?];
            let [p, n] = all.map(|all| Some(-quantum - all.extent()?.1));
            let exponents = [p?, n?];
            let [p, n] = [0, 1].map(|class: usize| near_of(all[class], quantum + exponents[class]));
            let (twice, before) = (Products::default(), (0.0, 0.0));
            Some(WeightedArea { exponents, pairs: p * n, twice, before, terms: 0.0, lost })
        }
        let Masses::Weights(sums) = table.masses() else {
            return None;
        };
        let quantum = sums.span().quantum();
        match sums.sums() {
            Sums::Narrow(sums) if !sums.is_empty() => of(sums, quantum, 0.0),
            Sums::Wide(sums) if !sums.is_empty() => of(sums, quantum, 2_f64.powi(-1060)),
            _ => None,
        }
    }

    pub(crate) fn take(&mut self, table: &ScoreTable, places: Range<usize>) {
        let Self { exponents, mut twice, mut before, .. } = *self;
        self.terms += places.len() as f64;
        table.groups_of_two(places, exponents, |_, n, tp, _| {
            let (both, rest) = two_sum(before.0, tp.0);
            twice = twice.plus_of_two(n, (both, rest + (before.1 + tp.1)));
            before = tp;
        });
        (self.twice, self.before) = (twice, before);
    }

    /// The state of some places alone.
    fn of_places(mut self, table: &ScoreTable, places: Range<usize>) -> Self {
        if let Some(last) = places.start.checked_sub(1) {
            self.take(table, last..places.start);
            (self.twice, self.terms) = (Products::default(), 0.0);
        }
        self.take(table, places);
        self
    }

    /// Adds the state of the places that follow. The sum is rounded as by two terms.
    fn then(self, later: Self) -> Self {
        let twice = self.twice.plus_sum(later.twice);
        Self { twice, terms: self.terms + later.terms + 2.0, ..later }
    }

    /// The area and the Gini coefficient, each if its rounding is known.
    pub(crate) fn values(&self) -> [Option<f64>; 2] {
        let parts = self.twice.parts();
        let error = self.terms.mul_add(8.0, 8.0) * (parts.0 * PART + self.lost);
        settled_area_and_gini(Nearest::within(parts, error), self.pairs)
    }
}

/// The area under the ROC curve of weighted rows, with the same bits as from their table, which is
/// made only if necessary.
///
/// # Errors
/// Like [`score_table`].
pub fn weighted_roc_auc(
    y_true: &Labels,
    y_score: &Scores,
    weights: Weights,
    options: &SweepOptions,
) -> Result<WeightedAuc> {
    if let Some(found) = weighted_auc(y_true, y_score, weights, options)? {
        return Ok(found);
    }
    let table = score_table(y_true, y_score, Some(weights), options)?;
    let (positives, negatives) = table.totals();
    Ok(WeightedAuc {
        area: RocAreas::of(&table, None).auc(),
        positives,
        negatives,
        pair: table.pair().clone(),
    })
}

/// The areas of a table.
#[derive(Clone, Copy)]
pub struct RocAreas<'a> {
    table: &'a ScoreTable,
    points: RocPoints<'a>,
    /// The pairs of rows, if another pass counted them.
    pairs: Option<&'a PairCounts>,
}

impl<'a> RocAreas<'a> {
    /// The areas of a table; `pairs` are its pairs of rows, if known.
    pub(crate) fn of(table: &'a ScoreTable, pairs: Option<&'a PairCounts>) -> Self {
        Self { table, points: RocPoints::apart(table), pairs }
    }

    /// The area under the ROC curve, ties counting one half; `None` if a class is absent.
    ///
    /// Counts: a quotient of exact integers, rounded once. Weights: also rounded once, from a sum
    /// of products in twice the precision of `f64`, or from fractions if that leaves the rounding
    /// open.
    pub(crate) fn auc(&self) -> Option<f64> {
        match self.table.masses() {
            Masses::Counts(positives, negatives) => {
                let (twice, pairs) = self.pairs_of(positives, negatives);
                area_of(twice, pairs)
            }
            Masses::Weights(_) => {
                let [area, _] = self.weighted()?;
                area.or_else(|| Some(fractions::roc_auc(self.table)?.to_f64()))
            }
        }
    }

    /// The area of weights and the Gini coefficient, if their rounding is known.
    fn weighted(&self) -> Option<[Option<f64>; 2]> {
        let empty = WeightedArea::new(self.table)?;
        let areas = of_stretches(self.table.len(), |places| empty.of_places(self.table, places));
        Some(areas.reduce(WeightedArea::then)?.values())
    }

    /// The Gini coefficient, twice the area minus one, rounded once.
    pub(crate) fn gini(&self) -> Option<f64> {
        match self.table.masses() {
            Masses::Counts(positives, negatives) => {
                let (twice, pairs) = self.pairs_of(positives, negatives);
                gini_of(twice, pairs)
            }
            Masses::Weights(_) => {
                let [_, gini] = self.weighted()?;
                gini.or_else(|| Some(fractions::gini(self.table)?.to_f64()))
            }
        }
    }

    /// Twice the area in pairs of rows, and twice all pairs.
    fn pairs_of(&self, positives: &[u64], negatives: &[u64]) -> (u128, u128) {
        let (tp, fp) = (positives.last().copied(), negatives.last().copied());
        let pairs = 2 * u128::from(tp.unwrap_or(0)) * u128::from(fp.unwrap_or(0));
        let twice = match self.pairs {
            _ if pairs == 0 => 0,
            Some(counts) => counts.twice_area(),
            None => PairCounts::of(self.table).twice_area(),
        };
        (twice, pairs)
    }

    /// The area under the ROC curve up to a false positive rate in (0, 1], standardized so that ½
    /// is chance and 1 is perfect (McClish 1989, doi:10.1177/0272989X8900900307): `½ (1 + (A −
    /// r²/2) / (r − r²/2))`. At 1 it is the whole area.
    ///
    /// `None` without positives or without negatives.
    pub(crate) fn standardized_auc(&self, max_fpr: f64) -> Option<f64> {
        if max_fpr >= 1.0 {
            return self.auc();
        }
        let (positives, negatives) = self.table.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let (mut area, mut before) = (0.0, (0.0, 0.0));
        for (_, tp, fp) in self.table.steps() {
            let (fpr, tpr) = (fp / negatives, tp / positives);
            let width = fpr.min(max_fpr) - before.0;
            // The line is cut at the largest false positive rate.
            let height = if fpr > max_fpr {
                before.1 + (tpr - before.1) * (width / (fpr - before.0))
            } else {
                tpr
            };
            area += width * f64::midpoint(before.1, height);
            if fpr >= max_fpr {
                break;
            }
            before = (fpr, tpr);
        }
        let chance = 0.5 * max_fpr * max_fpr;
        Some(0.5 * (1.0 + (area - chance) / (max_fpr - chance)))
    }

    /// Twice the area over some places, along the negatives and along the positives, if known.
    fn known_areas(&self, places: Range<usize>) -> Option<(u128, u128)> {
        self.pairs?.twice_areas(self.table, places)
    }

    /// The sum of `kernel` over the blocks of scores, in order.
    fn over(&self, places: Range<usize>, mut kernel: impl FnMut(&Block) -> f64) -> Products {
        let (mut sum, mut copy) = (Products::default(), None);
        let by = self.points.factors();
        blocks(self.table, places, With::default(), |_, block| {
            sum = sum.plus(kernel(block.scaled(by, &mut copy)), 1.0);
        });
        sum
    }

    /// Calls `call` with the two ends between two masses of a class (the lines of the first and the
    /// last score, cut there) and with the range of scores between them.
    fn ends_between(
        &self,
        along: Along,
        from: f64,
        to: f64,
        mut end: impl FnMut(Point, Point),
    ) -> Range<usize> {
        let facing = |point: Point| match along {
            Along::Negatives => point,
            Along::Positives => point.turned(),
        };
        let mass = |predicted: usize| facing(self.points.at(predicted)).fp;
        let first = self.points.first(|predicted| mass(predicted) > from);
        let last = self.points.first(|predicted| mass(predicted) >= to);
        let mut line = |place: usize| {
            let (a, b) = (facing(self.points.at(place)), facing(self.points.at(place + 1)));
            end(Point::between(a, b, a.fp.max(from)), Point::between(a, b, b.fp.min(to)));
        };
        line(first);
        if last > first {
            line(last);
        }
        first + 1..last.max(first + 1)
    }

    /// Twice the area under the curve between two masses of the class on the horizontal axis.
    fn twice_between(&self, along: Along, from: f64, to: f64) -> Products {
        let mut sum = Products::default();
        let inner = self.ends_between(along, from, to, |a, b| {
            sum = sum.plus(b.fp - a.fp, a.tp).plus(b.fp - a.fp, b.tp);
        });
        let inner = match (self.known_areas(inner.clone()), along) {
            (Some((twice, _)), Along::Negatives) | (Some((_, twice)), Along::Positives) => {
                twice as f64
            }
            (None, Along::Negatives) => self.over(inner, roc_block).value(),
            (None, Along::Positives) => self.over(inner, turned_block).value(),
        };
        sum.plus(inner, 1.0)
    }

    /// The area under the ROC curve between two false positive rates, divided by their distance:
    /// the mean true positive rate. `None` without positives or negatives.
    pub fn mean_tpr(&self, low: f64, high: f64) -> Option<f64> {
        let (positives, negatives) = self.points.both()?;
        let (from, to) = (low * negatives, high * negatives);
        let all = Products::default().plus(positives, to).plus(-positives, from).value();
        let twice = self.twice_between(Along::Negatives, from, to);
        Some((0.5 * twice.value() / all).clamp(0.0, 1.0))
    }

    /// The mean specificity between two true positive rates; `None` without positives or negatives.
    pub fn mean_specificity(&self, low: f64, high: f64) -> Option<f64> {
        let (positives, negatives) = self.points.both()?;
        let (from, to) = (low * positives, high * positives);
        let all = Products::default().plus(negatives, to).plus(-negatives, from).value();
        let missing = self.twice_between(Along::Positives, from, to);
        Some((1.0 - 0.5 * missing.value() / all).clamp(0.0, 1.0))
    }

    /// The area under the ROC curve with a true positive rate of at least `low_tpr` < 1 and a false
    /// positive rate of at most `high_fpr` > 0, divided by the area of that corner; `None` without
    /// positives or negatives.
    pub fn two_way_share(&self, low_tpr: f64, high_fpr: f64) -> Option<f64> {
        let (positives, negatives) = self.points.both()?;
        let (floor, to) = (low_tpr * positives, high_fpr * negatives);
        let place = self.points.first(|predicted| self.points.at(predicted).tp >= floor);
        let (a, b) = (self.points.at(place).turned(), self.points.at(place + 1).turned());
        let from = Point::between(a, b, floor).tp;
        if from >= to {
            return Some(0.0);
        }
        let corner = Products::default().plus(positives, to).plus(-floor, to).value();
        let twice = self
            .twice_between(Along::Negatives, from, to)
            .plus(-2.0 * floor, to)
            .plus(2.0 * floor, from);
        Some((0.5 * twice.value() / corner).clamp(0.0, 1.0))
    }

    /// The mean true positive rate between two false positive rates above 0 on a logarithmic axis;
    /// `None` without positives or negatives.
    pub fn log_auc(&self, low: f64, high: f64) -> Option<f64> {
        let (positives, negatives) = self.points.both()?;
        let (from, to) = (low * negatives, high * negatives);
        let mut missing = Products::default();
        let inner = self.ends_between(Along::Negatives, from, to, |a, b| {
            missing = missing.plus(miss(positives - a.tp, b.tp - a.tp, a.fp, b.fp - a.fp), 1.0);
        });
        let inner = self.over(inner, |block| {
            if small_steps(block) {
                log_block(block, positives)
            } else {
                let term =
                    |i: usize| miss(positives - block.tp[i], block.p[i], block.fp[i], block.n[i]);
                (0..BLOCK).map(term).sum()
            }
        });
        let missing = missing.plus(inner.value(), 1.0).value();
        Some((1.0 - missing / (positives * (high / low).ln())).clamp(0.0, 1.0))
    }

    /// The area under the convex hull of the ROC curve; `None` without positives or negatives.
    pub fn hull_auc(&self, hull: &RocHull) -> Option<f64> {
        let (positives, negatives) = self.points.both()?;
        let vertices = &hull.predicted;
        if let Masses::Counts(tp, fp) = self.table.masses() {
            let at = |masses: &[u64], predicted: usize| {
                predicted.checked_sub(1).map_or(0, |place| masses[place])
            };
            let twice: u128 = vertices
                .windows(2)
                .map(|edge| {
                    let width = at(fp, edge[1]) - at(fp, edge[0]);
                    let heights = u128::from(at(tp, edge[0])) + u128::from(at(tp, edge[1]));
                    u128::from(width) * heights
                })
                .sum();
            return Some(twice as f64 / (2.0 * positives * negatives));
        }
        let mut twice = Products::default();
        for edge in vertices.windows(2) {
            let (a, b) = (self.points.at(edge[0]), self.points.at(edge[1]));
            twice = twice.plus(b.fp - a.fp, a.tp).plus(b.fp - a.fp, b.tp);
        }
        Some((twice.value() / (2.0 * positives * negatives)).min(1.0))
    }

    /// The area under the true positive rate over the share predicted positive; `None` without
    /// positives or negatives.
    pub fn gain_area(&self) -> Option<f64> {
        let area = self.auc()?;
        let (positives, negatives) = RocPoints::alike(self.table).both()?;
        Some((0.5 * positives + negatives * area) / (positives + negatives))
    }
}

/// The loss of a class along the logarithm of the other class: the integral of (missing part) / m
/// over m.
fn miss(missing: f64, p: f64, m: f64, d: f64) -> f64 {
    if d <= 0.0 {
        return 0.0;
    }
    let x = d / m;
    missing * x.ln_1p() + (p / d) * m * ln_1p_less(x)
}

#[inline(always)]
fn roc_block_body(block: &Block) -> f64 {
    lanes(|i| block.n[i] * (block.tp[i] + block.tp[i + 1]))
}

#[inline(always)]
fn turned_block_body(block: &Block) -> f64 {
    lanes(|i| block.p[i] * (block.fp[i] + block.fp[i + 1]))
}

/// Whether every step along the negatives is small enough for [`near`].
#[inline(always)]
fn small_steps_body(block: &Block) -> bool {
    let mut all = true;
    for i in 0..BLOCK {
        all &= (64.0 * block.n[i] <= block.fp[i]) & (block.fp[i] > 0.0);
    }
    all
}

/// L = ln(1 + d/m) and d - m L, for d at most m / 64: with r = d / (2 m + d), L = 2 atanh(r), and
/// d/m - 2 r = r d/m.
#[inline(always)]
fn near(m: f64, d: f64) -> (f64, f64) {
    let r = d / (m + m + d);
    let square = r * r;
    let series =
        square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0))));
    (2.0 * (r + r * series), r * (d - 2.0 * m * series))
}

#[inline(always)]
fn log_block_body(block: &Block, positives: f64) -> f64 {
    lanes(|i| {
        let (log, rest) = near(block.fp[i], block.n[i]);
        let slope = block.p[i] / block.n[i];
        let slope = if block.n[i] > 0.0 { slope } else { 0.0 };
        (positives - block.tp[i]) * log - slope * rest
    })
}

wide! {
    fn roc_block[](block: &Block) -> f64 = roc_block_body;
    fn turned_block[](block: &Block) -> f64 = turned_block_body;
    fn small_steps[](block: &Block) -> bool = small_steps_body;
    fn log_block[](block: &Block, positives: f64) -> f64 = log_block_body;
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::Label;
    use proptest::prelude::*;

    /// Tables of up to a few blocks, with few or many distinct scores, with and without weights.
    pub(crate) fn tables() -> impl Strategy<Value = ScoreTable> {
        let row = (0_u32..100, any::<u16>(), 1_u8..9);
        let rows = prop::collection::vec(row, 2..1200);
        (rows, 1_u32..99, 1_u16..2000, any::<bool>()).prop_map(|(rows, share, kinds, weighted)| {
            let y: Vec<u8> = rows.iter().map(|row| u8::from(row.0 < share)).collect();
            let s: Vec<f64> = rows
                .iter()
                .map(|row| {
                    f64::from(row.1 % kinds)
                        + f64::from(u8::from(row.0 < share)) * f64::from(kinds / 4)
                })
                .collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
            score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            )
            .unwrap()
        })
    }

    /// False and true positives at every threshold.
    pub(crate) fn points(table: &ScoreTable) -> Vec<(f64, f64)> {
        let steps = table.steps().map(|(_, tp, fp)| (fp, tp));
        std::iter::once((0.0, 0.0)).chain(steps).collect()
    }

    /// The mean height of a polyline between two values of x.
    pub(crate) fn mean(
        points: &[(f64, f64)],
        from: f64,
        to: f64,
        area: impl Fn(f64, f64, f64, f64) -> f64,
    ) -> f64 {
        let mut sum = 0.0;
        for ends in points.windows(2) {
            let ((a, c), (b, d)) = (ends[0], ends[1]);
            let (left, right) = (a.max(from), b.min(to));
            if left < right {
                let height = |x: f64| c + (d - c) * (x - a) / (b - a);
                sum += area(left, right, height(left), height(right));
            }
        }
        sum
    }

    pub(crate) fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-11 * expected.abs().max(1.0)
    }

    #[test]
    fn weighted_rows_have_the_area_of_their_table() {
        let (labels, scores) = ([0_u8, 1, 0, 1, 1, 0], [0.1, 0.2, 0.2, 0.7, 0.9, 0.4]);
        for scale in [1.0, 1e-20, 1e-300, 1e300, 4e307] {
            for first in [1.0, 1e-25, 1e-200, 0.0] {
                let weights = [first, 0.3, 0.5, 0.1, 0.2, 0.7].map(|weight| weight * scale);
                let y_true = Labels::U8(Column::from_slice(&labels));
                let y_score = Scores::F64(Column::from_slice(&scores));
                let weights = Column::from_slice(&weights);
                let options = SweepOptions::default();
                let found = weighted_roc_auc(&y_true, &y_score, weights, &options).unwrap();
                let table = score_table(&y_true, &y_score, Some(weights), &options).unwrap();
                assert_eq!((found.positives, found.negatives), table.totals());
                assert_eq!(found.pair, *table.pair());
                let exact = fractions::roc_auc(&table).map(|area| area.to_f64());
                assert_eq!(found.area, exact);
                assert_eq!(found.area, RocAreas::of(&table, None).auc());
            }
        }
    }

    proptest! {
        #[test]
        fn areas_are_sums_over_the_points(table in tables(), low in 0.0..0.9_f64, width in 0.01..1.0_f64) {
            let (p, n) = table.totals();
            prop_assume!(p > 0.0 && n > 0.0);
            let high = (low + width).min(1.0);
            let areas = RocAreas::of(&table, None);
            let points = points(&table);
            let turned: Vec<(f64, f64)> = points.iter().map(|&(fp, tp)| (tp, n - fp)).collect();
            let straight = |a: f64, b: f64, c: f64, d: f64| (b - a) * (c + d) / 2.0;
            let expected = mean(&points, low * n, high * n, straight) / (high - low) / p / n;
            prop_assert!(near(areas.mean_tpr(low, high).unwrap(), expected));
            let expected = mean(&turned, low * p, high * p, straight) / (high - low) / p / n;
            prop_assert!(near(areas.mean_specificity(low, high).unwrap(), expected));
            let low = low.max(0.001);
            let log = |a: f64, b: f64, c: f64, d: f64| {
                let slope = (d - c) / (b - a);
                (d - c) + (c - slope * a) * (b / a).ln()
            };
            let expected = mean(&points, low * n, high * n, log) / p / (high / low).ln();
            let found = areas.log_auc(low, high).unwrap();
            prop_assert!(near(found, expected), "{found} {expected}");
        }
    }
}
