//! Areas under functions of precision: precision over recall by each convention, precision gain,
//! lift.
//!
//! 1. [`PrecisionWalk`] takes the blocks of a stretch one after the other. One division for each
//!    score gives the precision and the reciprocals of the rows and of the positives at or above.
//! 2. Five sums are computed together, in eight lanes within a block and in twice the precision of
//!    `f64` over the blocks.
//! 3. If the rows of a tie are predicted positive one after the other, the curve bends, and its
//!    area is an integral in closed form. With masses t and m that change by p and d, from t0 and
//!    m0,
//!
//!    ```text
//!    integral of t/m dm = t0 L + (p/d) (d - m0 L),   L = ln(1 + d/m0)
//!    ```
//!
//!    and neither term is negative. If d/m0 is small, the first terms of -ln(1 - d / (m0 + d)) give
//!    L without loss and without a logarithm.
//! 4. Without ties, the common part of neighbouring positives appears in two terms of a sum, so the
//!    area between the best points needs no search.
//! 5. The gain is computed as one minus the missing part, so that it is exactly one for a perfect
//!    ranking.
//!
//! Cost for all areas together: below 1 ns a distinct score without ties, otherwise 2; with weights
//! about 15 ns, because exact sums are converted to `f64`.
//!
//! Sources: Davis, Goadrich 2006, doi:10.1145/1143844.1143874 and Keilwagen, Grosse, Grau 2014,
//! doi:10.1371/journal.pone.0092209 (precision between two points); Flach, Kull 2015, NIPS 28
//! (gains).
//!
//! Rejected:
//! - a pass for each area (6 ns a score);
//! - a division for each rate (half a nanosecond more);
//! - choosing the last positive by a branch (3 ns more if classes alternate);
//! - a loop over 257 places, which the compiler does not vectorise (1 ns more).
// Loop bodies must be inlined to be compiled for wider instructions, which also want plain indices
// and no branches.
#![allow(clippy::inline_always, clippy::needless_range_loop, clippy::needless_bitwise_bool)]

use crate::arith::products::Products;
use crate::arith::special::ln_1p_less;
use crate::base::wide::wide;
use crate::scores::blocks::{Added, BLOCK, Block, Column, LANES, With, added, lanes};
use crate::scores::ranking::roc_points::RocPoints;
use crate::scores::score_table::ScoreTable;

/// The areas under functions of precision, for each positive, twice.
#[derive(Clone, Copy, Debug)]
pub struct PrecisionAreas {
    /// Precision over recall, straight between neighbouring points.
    linear: f64,
    /// Precision over recall, straight between the best points of each recall.
    upper: f64,
    /// Lift over the share predicted positive, from the first point on.
    lift: f64,
    /// Precision over recall if the rows of a tie are predicted positive one after the other.
    continuous: f64,
    /// Not doubled: the missing area under precision gain, over 1/tp and fp/tp, from the first
    /// score with a positive recall gain on.
    missing_gain: f64,
    /// All positives, times the factor of both classes.
    positives: f64,
}

/// The state of computing [`PrecisionAreas`], from the highest scores down.
pub(crate) struct PrecisionWalk {
    is_weighted: bool,
    /// The factors for masses.
    by: (f64, f64),
    positives: f64,
    /// The first score with a positive recall gain.
    gains: usize,
    sums: [Products; 4],
    missing_gain: Products,
    /// The precision at the last increase of recall; 1 at the threshold ∞. 0 until recall increases
    /// in a later stretch, whose first increase still lacks the precision before it.
    best: f64,
    /// The first increase of recall.
    first: Option<f64>,
    rates: Box<Rates>,
    scaled: Option<Box<Block>>,
}

/// Further inputs for a block.
#[derive(Clone, Copy)]
struct Known<'a> {
    is_first: bool,
    is_weighted: bool,
    /// The unscaled block: only it is precise for weights far smaller than others.
    given: &'a Block,
}

/// The rates at each score of a block, preceded by the score before.
struct Rates {
    precision: [f64; BLOCK + 1],
    /// The reciprocals of the rows and of the positives at or above.
    per_row: [f64; BLOCK + 1],
    per_positive: [f64; BLOCK + 1],
    /// The precision at the last increase of recall, and whether recall increases.
    before: Column,
    raised: [u64; BLOCK],
}

impl PrecisionWalk {
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let points = RocPoints::alike(table);
        Self {
            is_weighted: table.is_weighted(),
            by: points.factors(),
            positives: points.last().tp,
            gains: GainStart::of(points).place,
            sums: [Products::default(); 4],
            missing_gain: Products::default(),
            best: 0.0,
            first: None,
            rates: Box::new(Rates {
                precision: [0.0; BLOCK + 1],
                per_row: [0.0; BLOCK + 1],
                per_positive: [0.0; BLOCK + 1],
                before: [0.0; BLOCK],
                raised: [0; BLOCK],
            }),
            scaled: None,
        }
    }

    /// Adds a block at a place, unscaled and times the factor.
    fn add(&mut self, place: usize, given: &Block, block: &Block) {
        if self.first.is_none() {
            self.first = block.p.iter().copied().find(|&p| p > 0.0);
        }
        if place == 0 {
            self.best = 1.0;
        }
        let mut found = [0.0; 5];
        // No ties, and many rows of both classes above.
        let is_plain = block.single && block.tp[0].min(block.fp[0]) > 0.0;
        self.best = if is_plain && block.tp[0] + block.fp[0] >= NEAR {
            plain_block(block, self.best, &mut self.rates, &mut found)
        } else {
            let known = Known { is_first: place == 0, is_weighted: self.is_weighted, given };
            precision_block(block, self.best, known, &mut self.rates, &mut found)
        };
        if found[3].is_nan() {
            found[3] = 2.0 * (0..BLOCK).map(|i| gained(block, i)).sum::<f64>();
        }
        for (sum, found) in self.sums.iter_mut().zip(found) {
            *sum = sum.plus(found, 1.0);
        }
        if place > self.gains {
            self.missing_gain = self.missing_gain.plus(found[4], 1.0);
        } else if place + BLOCK > self.gains {
            let rest = self.gains + 1 - place..BLOCK;
            let missed = rest.map(|i| missed_gain(block, i)).sum();
            self.missing_gain = self.missing_gain.plus(missed, 1.0);
        }
    }

    pub(crate) fn finish(self) -> PrecisionAreas {
        let [linear, upper, lift, continuous] = self.sums.map(Products::value);
        PrecisionAreas {
            linear,
            upper,
            lift,
            continuous,
            missing_gain: self.missing_gain.value(),
            positives: self.positives,
        }
    }
}

impl Added for PrecisionWalk {
    fn take(&mut self, _: &ScoreTable, start: usize, block: &Block) {
        let mut scaled = self.scaled.take();
        self.add(start, block, block.scaled(self.by, &mut scaled));
        self.scaled = scaled;
    }

    fn then(&mut self, later: Self) {
        for (sum, later) in self.sums.iter_mut().zip(later.sums) {
            *sum = sum.plus_sum(later);
        }
        self.missing_gain = self.missing_gain.plus_sum(later.missing_gain);
        if let Some(first) = later.first {
            self.sums[1] = self.sums[1].plus(first, self.best);
            self.best = later.best;
        }
    }
}

impl PrecisionAreas {
    /// The areas of a table, in a separate pass.
    pub(crate) fn of(table: &ScoreTable) -> Self {
        added(table, With::default(), || PrecisionWalk::new(table)).finish()
    }

    /// A sum divided by twice the positives; `None` without positives.
    fn by_twice_positives(&self, sum: f64) -> Option<f64> {
        (self.positives > 0.0).then(|| sum / (2.0 * self.positives))
    }

    /// The area under precision over recall with straight lines between the points, starting at (0,
    /// 1); `None` without positives.
    pub fn linear_area(&self) -> Option<f64> {
        self.by_twice_positives(self.linear).map(|area| area.min(1.0))
    }

    /// The area under precision over recall with straight lines between the points of best
    /// precision for each recall.
    pub fn upper_area(&self) -> Option<f64> {
        self.by_twice_positives(self.upper).map(|area| area.min(1.0))
    }

    /// The area under lift over the share predicted positive, straight between the points, from the
    /// first score on; `None` without positives.
    pub fn lift_area(&self) -> Option<f64> {
        self.by_twice_positives(self.lift)
    }

    /// The area under precision over recall if the rows of a tie are predicted positive one after
    /// the other; `None` without positives.
    pub fn continuous_area(&self) -> Option<f64> {
        self.by_twice_positives(self.continuous).map(|area| area.min(1.0))
    }

    /// The area under precision gain over recall gain, from recall gain 0; `None` without positives
    /// or negatives.
    pub fn gain_area(&self, table: &ScoreTable) -> Option<f64> {
        let points = RocPoints::alike(table);
        let (positives, negatives) = points.both()?;
        let start = GainStart::of(points);
        let (a, b) = (points.at(start.place), points.at(start.place + 1));
        let step = points.between(start.place, start.place + 1);
        // The first score's positives beyond recall gain 0, and its positives before. Each is a
        // separate difference: subtracting one from the other would lose the smaller.
        let beyond = (start.lead_at(start.place + 1) - start.lead).min(step.tp);
        let before = (start.lead - start.lead_at(start.place)).clamp(0.0, step.tp) / step.tp;
        let (tp, fp) = (a.tp + step.tp * before, a.fp + step.fp * before);
        let (u, v) = (1.0 / tp, 1.0 / b.tp);
        let first = beyond * u * v * (fp * u + b.fp * v);
        let missing = self.missing_gain + first;
        let odds = positives / negatives;
        Some(1.0 - 0.5 * odds * odds * positives * missing)
    }
}

/// The point with recall gain 0, where recall equals the prevalence.
///
/// If positives are the smaller class, the positives found are compared; otherwise the positives
/// missed, as a negative number. For a much larger class, recall gain is decided in its last rows,
/// which rounding would lose from the positives found.
struct GainStart<'a> {
    points: RocPoints<'a>,
    by_found: bool,
    lead: f64,
    /// The first score with a lead above 0.
    place: usize,
}

impl<'a> GainStart<'a> {
    fn of(points: RocPoints<'a>) -> Self {
        let all = points.last();
        let by_found = all.tp <= all.fp;
        let share = all.tp / (all.tp + all.fp);
        let lead = if by_found { all.tp * share } else { -(all.fp * share) };
        let mut start = Self { points, by_found, lead, place: 0 };
        start.place = points.first(|predicted| start.lead_at(predicted) > lead);
        start
    }

    fn lead_at(&self, predicted: usize) -> f64 {
        if self.by_found { self.points.at(predicted).tp } else { -self.points.below(predicted).tp }
    }
}

/// The missing precision gain over the recall gain of one score, with `before` positives above.
fn missed_gain(block: &Block, i: usize) -> f64 {
    let (u, v) = (1.0 / block.tp[i], 1.0 / block.tp[i + 1]);
    block.p[i] * u * v * (block.fp[i] * u + block.fp[i + 1] * v)
}

fn gained(block: &Block, i: usize) -> f64 {
    let (tp, p, n) = (block.tp[i], block.p[i], block.n[i]);
    let (before, width) = (tp + block.fp[i], p + n);
    if p <= 0.0 || block.fp[i + 1] == 0.0 {
        return p;
    }
    let share = p / width;
    if before <= 0.0 {
        return p * share;
    }
    let x = width / before;
    share * (tp * x.ln_1p() - share * before * ln_1p_less(x))
}

/// The number of rows above a score from which steps of one row are small enough for [`series`].
const NEAR: f64 = 512.0;

/// The precision and the reciprocals of the rows and of the positives, with one division.
#[inline(always)]
fn rates_at(tp: f64, fp: f64) -> [f64; 3] {
    let rows = tp + fp;
    let both = 1.0 / (tp * rows);
    let both = if tp > 0.0 { both } else { 0.0 };
    let per_row = tp * both;
    let precision = if fp > 0.0 { tp * per_row } else { 1.0 };
    [precision, per_row, rows * both]
}

#[inline(always)]
fn fill_rates(block: &Block, rates: &mut Rates) {
    let Rates { precision, per_row, per_positive, .. } = rates;
    [precision[0], per_row[0], per_positive[0]] = rates_at(block.tp[0], block.fp[0]);
    for i in 0..BLOCK {
        let found = rates_at(block.tp[i + 1], block.fp[i + 1]);
        [precision[i + 1], per_row[i + 1], per_positive[i + 1]] = found;
    }
}

/// The linear, upper, lift and continuous area of [`PrecisionAreas`] and the missing gain, without
/// ties and with many rows of both classes above. `best` is the precision at the last positive
/// before the block; returns the precision at the last positive in it.
#[inline(always)]
fn plain_block_body(block: &Block, best: f64, rates: &mut Rates, found: &mut [f64; 5]) -> f64 {
    fill_rates(block, rates);
    let Rates { precision, per_row, per_positive, .. } = rates;
    let Block { p, n, tp, fp, .. } = block;
    let mut sums = [[0.0; LANES]; 5];
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let i = start + lane;
            let both = precision[i] + precision[i + 1];
            let (first, more) = series(per_row[i + 1]);
            let rest = (tp[i + 1] + fp[i + 1]) * (per_row[i + 1] * first - more);
            let (u, v) = (per_positive[i], per_positive[i + 1]);
            sums[0][lane] += p[i] * both;
            sums[1][lane] += p[i] * precision[i + 1];
            sums[2][lane] += (p[i] + n[i]) * both;
            sums[3][lane] += p[i] * (tp[i] * first + rest);
            sums[4][lane] += p[i] * u * v * (fp[i] * u + fp[i + 1] * v);
        }
    }
    *found = sums.map(|lanes| lanes.into_iter().sum());
    found[3] *= 2.0;
    // Each positive except the last precedes another one, so an increase of recall counts twice,
    // except at the ends.
    let last = (0..BLOCK).rev().find(|&i| p[i] > 0.0);
    let last = last.map_or(best, |i| precision[i + 1]);
    found[1] = 2.0 * found[1] + (best - last);
    last
}

/// [`plain_block`] for any block; the continuous area is NaN if steps are too large for [`series`].
#[inline(always)]
fn precision_block_body(
    block: &Block,
    best: f64,
    Known { is_first, is_weighted, given }: Known,
    rates: &mut Rates,
    found: &mut [f64; 5],
) -> f64 {
    fill_rates(block, rates);
    if is_weighted {
        for (i, precision) in rates.precision.iter_mut().enumerate() {
            let (tp, fp) = (given.tp[i], given.fp[i]);
            *precision = if fp > 0.0 { tp / (tp + fp) } else { 1.0 };
        }
    }
    let Rates { precision, per_row, per_positive, before, raised } = rates;
    let width = |i: usize| block.p[i] + block.n[i];
    let mut is_near = true;
    for i in 0..BLOCK {
        raised[i] = if block.p[i] > 0.0 { u64::MAX } else { 0 };
        is_near &= NEAR * width(i) <= block.tp[i + 1] + block.fp[i + 1];
    }
    // The precision at the last increase of recall, selected by bits, since it cannot be predicted.
    let mut last = best.to_bits();
    for i in 0..BLOCK {
        before[i] = f64::from_bits(last);
        last = (precision[i + 1].to_bits() & raised[i]) | (last & !raised[i]);
    }
    found[0] = lanes(|i| block.p[i] * (precision[i] + precision[i + 1]));
    found[1] = lanes(|i| block.p[i] * (before[i] + precision[i + 1]));
    found[3] = if is_near { bent(block, per_row) } else { f64::NAN };
    found[4] = lanes(|i| {
        let (u, v) = (per_positive[i], per_positive[i + 1]);
        block.p[i] * u * v * (block.fp[i] * u + block.fp[i + 1] * v)
    });
    if is_first {
        // The lift begins at the first score, so its step has no area.
        precision[0] = -precision[1];
    }
    found[2] = lanes(|i| width(i) * (precision[i] + precision[i + 1]));
    f64::from_bits(last)
}

/// L = -ln(1 - z) = z + z^2/2 + ..., and its terms after z, for z at most 1/512.
#[inline(always)]
fn series(z: f64) -> (f64, f64) {
    let tail = 1.0 / 4.0 + z * (1.0 / 5.0 + z * (1.0 / 6.0 + z * (1.0 / 7.0)));
    let more = z * z * (0.5 + z * (1.0 / 3.0 + z * tail));
    (z + more, more)
}

/// Twice the area under precision, with the share of positives among the rows of each score: z = d
/// / (m + d), and the terms of L after z also give d - m L.
#[inline(always)]
fn bent(block: &Block, per_row: &[f64; BLOCK + 1]) -> f64 {
    2.0 * lanes(|i| {
        let width = block.p[i] + block.n[i];
        let z = width * per_row[i + 1];
        let (first, more) = series(z);
        let rest = (block.tp[i + 1] + block.fp[i + 1]) * (z * first - more);
        let share = block.p[i] / width;
        let share = if width > 0.0 { share } else { 0.0 };
        let area = share * (block.tp[i] * first + share * rest);
        if block.fp[i + 1] > 0.0 { area } else { block.p[i] }
    })
}

wide! {
    fn plain_block[](block: &Block, best: f64, rates: &mut Rates, found: &mut [f64; 5]) -> f64 = plain_block_body;
    fn precision_block[](
        block: &Block, best: f64, known: Known, rates: &mut Rates, found: &mut [f64; 5],
    ) -> f64 = precision_block_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::ranking::roc_areas::tests::{mean, near, points, tables};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_are_sums_over_the_points(table in tables()) {
            let (p, n) = table.totals();
            prop_assume!(p > 0.0 && n > 0.0);
            let (points, areas) = (points(&table), PrecisionAreas::of(&table));
            let precision = |(fp, tp): (f64, f64)| if fp + tp > 0.0 { tp / (fp + tp) } else { 1.0 };
            let (mut linear, mut upper, mut lift, mut continuous, mut best) = (0.0, 0.0, 0.0, 0.0, 1.0);
            for ends in points.windows(2) {
                let ((fp, tp), (fp_after, tp_after)) = (ends[0], ends[1]);
                let (before, after) = (precision(ends[0]), precision(ends[1]));
                let (up, right) = (tp_after - tp, fp_after - fp);
                linear += up * (before + after);
                if up > 0.0 {
                    upper += up * (best + after);
                    best = after;
                }
                if fp + tp > 0.0 {
                    lift += (up + right) * (before + after);
                    let share = up / (up + right);
                    let log = ((fp_after + tp_after) / (fp + tp)).ln();
                    continuous += share * (up + (tp - share * (fp + tp)) * log);
                } else {
                    continuous += up * after;
                }
            }
            prop_assert!(near(areas.linear_area().unwrap(), linear / (2.0 * p)));
            prop_assert!(near(areas.upper_area().unwrap(), upper / (2.0 * p)));
            prop_assert!(near(areas.lift_area().unwrap(), lift / (2.0 * p)));
            prop_assert!(near(areas.continuous_area().unwrap(), continuous / p));

            let start = p * p / (p + n);
            let by_positives: Vec<(f64, f64)> = points.iter().map(|&(fp, tp)| (tp, fp)).collect();
            let gain = |a: f64, b: f64, c: f64, d: f64| {
                let recall = |tp: f64| 1.0 - p / n * (p - tp) / tp;
                let precision = |tp: f64, fp: f64| 1.0 - p / n * fp / tp;
                (recall(b) - recall(a)) * (precision(a, c) + precision(b, d)) / 2.0
            };
            let expected = mean(&by_positives, start, p, gain);
            let found = areas.gain_area(&table).unwrap();
            prop_assert!(near(found, expected), "{found} {expected}");
        }
    }
}
