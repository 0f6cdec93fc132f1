//! Areas under the curves of a score table: parts of the ROC area, precision and recall by each convention, their gains, lift.
//!
//! All are sums over the distinct scores from high to low, of a term that two neighbouring points give. The table is read in
//! blocks: the amounts of a block become `f64` once, in cache, and each area is a loop over arrays of fixed length which the
//! compiler turns into vectors. A block is summed in eight lanes, blocks to twice the precision of `f64`; which numbers
//! meet is written down, so the bits depend on the table only, not on the machine. Areas up to a rate look at no score
//! beyond it: they find it by bisection.
//!
//! Where a curve bends between two points, because rates change in proportion to each other there, the area is the integral in closed
//! form. With amounts t and m that change by p and d, from t0 and m0,
//!
//! ```text
//! integral of t/m dm = t0 L + (p/d) (d - m0 L),   L = ln(1 + d/m0)
//! ```
//!
//! and neither term is negative. One row more or less in thousands makes d/m0 small; then L and d - m0 L come from the first
//! terms of 2 atanh(d / (2 m0 + d)) or of -ln(1 - d / (m0 + d)), which loses nothing and needs no logarithm.
//!
//! What is best where nothing is wrong is found as one less what is missing, so that it is exactly one there.
//!
//! Where each row has its score to itself, what a positive shares with the one before it stands in two terms of a sum, so the area between the
//! best points needs no search for it.
//!
//! Cost: about 1 ns a distinct score for an area of rates (none where the areas of blocks are kept), for all areas of precision
//! together, which are found in one walk and kept, below 1 ns where each row has its score to itself, else 2; with weights about 15 ns,
//! for exact sums are read as `f64`. Tried and rejected: a walk for each area of precision (6 ns), a division for each rate (half a
//! nanosecond more), choosing the last positive by a branch (3 ns more where classes alternate), a loop over 257 places, which the
//! compiler makes no vectors of (1 ns more).
//!
//! Sources: McClish 1989, doi:10.1177/0272989X8900900307 (partial areas); Davis, Goadrich 2006, doi:10.1145/1143844.1143874
//! and Keilwagen, Grosse, Grau 2014, doi:10.1371/journal.pone.0092209 (precision between two points).
// Loop bodies must be inlined to be compiled for wider instructions, which also want plain indices and no branches.
#![allow(
    clippy::inline_always,
    clippy::needless_range_loop,
    clippy::needless_bitwise_bool
)]

use std::ops::Range;

use crate::arith::products::{Products, unit_scale};
use crate::arith::special::ln_1p_less;
use crate::base::wide::wide;
use crate::scores::ranking::block::{BLOCK, Block, Column, LANES, lanes};
use crate::scores::score_table::{Amounts, ScoreTable, first_place};

/// A point of the ROC curve as amounts: negatives and positives at or above a score.
#[derive(Clone, Copy)]
struct Point {
    fp: f64,
    tp: f64,
}

impl Point {
    fn turned(self) -> Self {
        Self {
            fp: self.tp,
            tp: self.fp,
        }
    }

    /// The point between two where `fp` has this value.
    fn between(a: Self, b: Self, fp: f64) -> Self {
        if fp <= a.fp {
            return Self { fp, tp: a.tp };
        }
        if fp >= b.fp {
            return Self { fp, tp: b.tp };
        }
        let share = (fp - a.fp) / (b.fp - a.fp);
        let tp = a.tp + (b.tp - a.tp) * share;
        Self { fp, tp }
    }
}

/// Which amount an area lies along.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Negatives,
    Positives,
}

/// The areas that precision at every score gives, each times twice the positives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecisionSums {
    /// Precision over recall, straight between neighbouring points.
    linear: f64,
    /// The same between the best points of each recall.
    upper: f64,
    /// Lift over the share predicted positive, from the first point on.
    lift: f64,
    /// Precision over recall where the rows of a score are predicted positive one after the other.
    continuous: f64,
    /// By itself: what is missing under precision gain, over 1/tp and fp/tp, from the first score on where recall gain is above 0.
    missing_gain: f64,
}

/// [`PrecisionSums`] while blocks go by, from the highest scores down.
pub(crate) struct PrecisionWalk {
    by: Factors,
    /// The first score where recall gain is above 0.
    gains: usize,
    sums: [Products; 4],
    missing_gain: Products,
    /// How many places went by.
    place: usize,
    /// The precision where the recall was last raised; at the threshold ∞ it is taken to be 1.
    best: f64,
    rates: Box<Rates>,
    scaled: Option<Box<Block>>,
}

/// What a block has at each score, behind the score before.
struct Rates {
    precision: [f64; BLOCK + 1],
    /// One over the rows, and over the positives, at or above.
    per_row: [f64; BLOCK + 1],
    per_positive: [f64; BLOCK + 1],
    /// The precision where the recall was last raised, and whether it is raised.
    before: Column,
    raised: [u64; BLOCK],
}

impl PrecisionWalk {
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let by = table.alike();
        Self {
            by,
            gains: table.gain_place(by),
            sums: [Products::default(); 4],
            missing_gain: Products::default(),
            place: 0,
            best: 1.0,
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

    /// Adds a block.
    pub(crate) fn take(&mut self, block: &Block) {
        let by = (self.by.positives, self.by.negatives);
        let mut scaled = self.scaled.take();
        self.add(block.scaled(by, &mut scaled));
        self.scaled = scaled;
    }

    fn add(&mut self, block: &Block) {
        let mut found = [0.0; 5];
        // Each row has its score to itself, and of both classes many are above.
        let is_plain = block.single && block.tp[0].min(block.fp[0]) > 0.0;
        self.best = if is_plain && block.tp[0] + block.fp[0] >= NEAR {
            plain_block(block, self.best, &mut self.rates, &mut found)
        } else {
            let is_first = self.place == 0;
            precision_block(block, self.best, is_first, &mut self.rates, &mut found)
        };
        if found[3].is_nan() {
            found[3] = 2.0 * (0..BLOCK).map(|i| gained(block, i)).sum::<f64>();
        }
        for (sum, found) in self.sums.iter_mut().zip(found) {
            *sum = sum.plus(found, 1.0);
        }
        if self.place > self.gains {
            self.missing_gain = self.missing_gain.plus(found[4], 1.0);
        } else if self.place + BLOCK > self.gains {
            let rest = self.gains + 1 - self.place..BLOCK;
            let missed = rest.map(|i| missed_gain(block, i)).sum();
            self.missing_gain = self.missing_gain.plus(missed, 1.0);
        }
        self.place += BLOCK;
    }

    pub(crate) fn finish(self) -> PrecisionSums {
        let [linear, upper, lift, continuous] = self.sums.map(Products::value);
        PrecisionSums {
            linear,
            upper,
            lift,
            continuous,
            missing_gain: self.missing_gain.value(),
        }
    }
}

/// What the amounts are multiplied by, powers of two, so that they can be multiplied with each other.
#[derive(Clone, Copy)]
struct Factors {
    positives: f64,
    negatives: f64,
}

impl ScoreTable {
    /// Factors that bring each class near one: for areas of rates.
    fn apart(&self) -> Factors {
        if !self.is_weighted() {
            return Factors {
                positives: 1.0,
                negatives: 1.0,
            };
        }
        let (positives, negatives) = self.totals();
        Factors {
            positives: unit_scale(positives),
            negatives: unit_scale(negatives),
        }
    }

    /// One factor for both classes: for areas of precision.
    fn alike(&self) -> Factors {
        let factors = self.apart();
        let both = factors.positives.min(factors.negatives);
        Factors {
            positives: both,
            negatives: both,
        }
    }

    /// The point where the first `predicted` distinct scores are predicted positive.
    fn point(&self, predicted: usize, by: Factors) -> Point {
        let (tp, fp) = predicted
            .checked_sub(1)
            .map_or((0.0, 0.0), |place| self.cumulative(place));
        Point {
            fp: fp * by.negatives,
            tp: tp * by.positives,
        }
    }

    /// All positives and all negatives, if there are rows of both.
    fn both(&self, by: Factors) -> Option<(f64, f64)> {
        let all = self.point(self.len(), by);
        (all.tp > 0.0 && all.fp > 0.0).then_some((all.tp, all.fp))
    }

    /// The first score whose amounts pass a test that they never fail again; the last if none does.
    fn first(&self, by: Factors, passes: impl Fn(Point) -> bool) -> usize {
        first_place(self.len().saturating_sub(1), |place| {
            passes(self.point(place + 1, by))
        })
    }

    /// The sum of what `kernel` makes of each block of scores, in their order.
    fn over(
        &self,
        places: Range<usize>,
        by: Factors,
        mut kernel: impl FnMut(&Block) -> f64,
    ) -> Products {
        let (mut sum, mut room) = (Products::default(), None);
        let by = (by.positives, by.negatives);
        self.blocks(places, false, |_, block| {
            sum = sum.plus(kernel(block.scaled(by, &mut room)), 1.0);
        });
        sum
    }

    /// Calls with the two ends of what lies between two amounts of a class: of the first score's line and of the last's, cut
    /// there, and with the range of the scores between them.
    fn ends_between(
        &self,
        along: Along,
        from: f64,
        to: f64,
        by: Factors,
        mut end: impl FnMut(Point, Point),
    ) -> Range<usize> {
        let facing = |point: Point| match along {
            Along::Negatives => point,
            Along::Positives => point.turned(),
        };
        let first = self.first(by, |point| facing(point).fp > from);
        let last = self.first(by, |point| facing(point).fp >= to);
        let mut line = |place: usize| {
            let (a, b) = (
                facing(self.point(place, by)),
                facing(self.point(place + 1, by)),
            );
            end(
                Point::between(a, b, a.fp.max(from)),
                Point::between(a, b, b.fp.min(to)),
            );
        };
        line(first);
        if last > first {
            line(last);
        }
        first + 1..last.max(first + 1)
    }

    /// Twice the area under the curve between two amounts of the class that it lies along.
    fn twice_between(&self, along: Along, from: f64, to: f64, by: Factors) -> Products {
        let mut sum = Products::default();
        let inner = self.ends_between(along, from, to, by, |a, b| {
            sum = sum.plus(b.fp - a.fp, a.tp).plus(b.fp - a.fp, b.tp);
        });
        let inner = match (self.kept_area(inner.clone()), along) {
            (Some((twice, _)), Along::Negatives) | (Some((_, twice)), Along::Positives) => {
                twice as f64
            }
            (None, Along::Negatives) => self.over(inner, by, roc_block).value(),
            (None, Along::Positives) => self.over(inner, by, turned_block).value(),
        };
        sum.plus(inner, 1.0)
    }

    /// The area under the ROC curve between two false positive rates, over the distance between them: the mean true positive
    /// rate there. `None` without positives or negatives.
    pub(crate) fn mean_tpr(&self, low: f64, high: f64) -> Option<f64> {
        let by = self.apart();
        let (positives, negatives) = self.both(by)?;
        let (from, to) = (low * negatives, high * negatives);
        let all = Products::default()
            .plus(positives, to)
            .plus(-positives, from)
            .value();
        let twice = self.twice_between(Along::Negatives, from, to, by);
        Some((0.5 * twice.value() / all).clamp(0.0, 1.0))
    }

    /// The mean specificity between two true positive rates; `None` without positives or negatives.
    pub(crate) fn mean_specificity(&self, low: f64, high: f64) -> Option<f64> {
        let by = self.apart();
        let (positives, negatives) = self.both(by)?;
        let (from, to) = (low * positives, high * positives);
        let all = Products::default()
            .plus(negatives, to)
            .plus(-negatives, from)
            .value();
        let missing = self.twice_between(Along::Positives, from, to, by);
        Some((1.0 - 0.5 * missing.value() / all).clamp(0.0, 1.0))
    }

    /// The area under the ROC curve where the true positive rate is at least `low_tpr` < 1 and the false positive rate at most
    /// `high_fpr` > 0, over the area of that corner; `None` without positives or negatives.
    pub(crate) fn two_way_share(&self, low_tpr: f64, high_fpr: f64) -> Option<f64> {
        let by = self.apart();
        let (positives, negatives) = self.both(by)?;
        let (floor, to) = (low_tpr * positives, high_fpr * negatives);
        let place = self.first(by, |point| point.tp >= floor);
        let (a, b) = (
            self.point(place, by).turned(),
            self.point(place + 1, by).turned(),
        );
        let from = Point::between(a, b, floor).tp;
        if from >= to {
            return Some(0.0);
        }
        let corner = Products::default()
            .plus(positives, to)
            .plus(-floor, to)
            .value();
        let twice = self
            .twice_between(Along::Negatives, from, to, by)
            .plus(-2.0 * floor, to)
            .plus(2.0 * floor, from);
        Some((0.5 * twice.value() / corner).clamp(0.0, 1.0))
    }

    /// The mean true positive rate between two false positive rates above 0 on a logarithmic axis; `None` without positives or
    /// negatives.
    pub(crate) fn log_auc(&self, low: f64, high: f64) -> Option<f64> {
        let by = self.apart();
        let (positives, negatives) = self.both(by)?;
        let (from, to) = (low * negatives, high * negatives);
        let mut missing = Products::default();
        let inner = self.ends_between(Along::Negatives, from, to, by, |a, b| {
            missing = missing.plus(miss(positives - a.tp, b.tp - a.tp, a.fp, b.fp - a.fp), 1.0);
        });
        let inner = self.over(inner, by, |block| {
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
    pub(crate) fn roc_hull_auc(&self) -> Option<f64> {
        let by = self.apart();
        let (positives, negatives) = self.both(by)?;
        let vertices = &self.roc_hull().predicted;
        if let Amounts::Counts {
            positives: tp,
            negatives: fp,
        } = self.amounts()
        {
            let at = |amounts: &[u64], predicted: usize| {
                predicted.checked_sub(1).map_or(0, |place| amounts[place])
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
            let (a, b) = (self.point(edge[0], by), self.point(edge[1], by));
            twice = twice.plus(b.fp - a.fp, a.tp).plus(b.fp - a.fp, b.tp);
        }
        Some((twice.value() / (2.0 * positives * negatives)).min(1.0))
    }

    /// The areas that need the precision at every score, all found by one walk and kept.
    fn precision_sums(&self) -> &PrecisionSums {
        self.known.precision_sums.get_or_init(|| {
            let mut walk = PrecisionWalk::new(self);
            self.blocks(0..self.len(), false, |_, block| walk.take(block));
            walk.finish()
        })
    }

    /// A sum over the table, by twice the positives; `None` without any.
    fn by_twice_positives(&self, sum: impl Fn(&PrecisionSums) -> f64) -> Option<f64> {
        let positives = self.point(self.len(), self.alike()).tp;
        (positives > 0.0).then(|| sum(self.precision_sums()) / (2.0 * positives))
    }

    /// The area under precision over recall with straight lines between the points, the first of which is (0, 1); `None` without
    /// positives.
    pub(crate) fn linear_pr_area(&self) -> Option<f64> {
        self.by_twice_positives(|sums| sums.linear)
            .map(|area| area.min(1.0))
    }

    /// The same between the points of best precision for each recall.
    pub(crate) fn upper_pr_area(&self) -> Option<f64> {
        self.by_twice_positives(|sums| sums.upper)
            .map(|area| area.min(1.0))
    }

    /// The area under lift over the share predicted positive, straight between the points, from the first score on; `None`
    /// without positives.
    pub(crate) fn lift_area(&self) -> Option<f64> {
        self.by_twice_positives(|sums| sums.lift)
    }

    /// The area under precision over recall where rows of one score are predicted positive one after the other; `None` without
    /// positives.
    pub(crate) fn continuous_pr_area(&self) -> Option<f64> {
        self.by_twice_positives(|sums| sums.continuous)
            .map(|area| area.min(1.0))
    }

    /// Where recall gain is 0, as an amount of positives: recall is the prevalence there.
    fn gain_start(&self, by: Factors) -> f64 {
        let all = self.point(self.len(), by);
        all.tp * (all.tp / (all.tp + all.fp))
    }

    /// The first score where recall gain is above 0.
    fn gain_place(&self, by: Factors) -> usize {
        let start = self.gain_start(by);
        self.first(by, |point| point.tp > start)
    }

    /// The area under precision gain over recall gain, from recall gain 0; `None` without positives or negatives.
    pub(crate) fn pr_gain_area(&self) -> Option<f64> {
        let by = self.alike();
        let (positives, negatives) = self.both(by)?;
        let place = self.gain_place(by);
        let (a, b) = (self.point(place, by), self.point(place + 1, by));
        let from = self.gain_start(by).max(a.tp);
        let start = Point::between(a.turned(), b.turned(), from).turned();
        let (u, v) = (1.0 / start.tp, 1.0 / b.tp);
        let first = (b.tp - start.tp) * u * v * (start.fp * u + b.fp * v);
        let missing = self.precision_sums().missing_gain + first;
        let odds = positives / negatives;
        Some(1.0 - 0.5 * odds * odds * positives * missing)
    }

    /// The area under the true positive rate over the share predicted positive; `None` without positives or negatives.
    pub(crate) fn gain_area(&self) -> Option<f64> {
        let area = self.roc_auc()?;
        let (positives, negatives) = self.both(self.alike())?;
        Some((0.5 * positives + negatives * area) / (positives + negatives))
    }
}

/// What is lost of a class on a line along the logarithm of the other: the integral of (what is missing) / m over m.
fn miss(missing: f64, p: f64, m: f64, d: f64) -> f64 {
    if d <= 0.0 {
        return 0.0;
    }
    let x = d / m;
    missing * x.ln_1p() + (p / d) * m * ln_1p_less(x)
}

/// What is missing of the precision gain over the recall gain of one score, by which some positives were above before.
fn missed_gain(block: &Block, i: usize) -> f64 {
    let (u, v) = (1.0 / block.tp[i], 1.0 / block.tp[i + 1]);
    block.p[i] * u * v * (block.fp[i] * u + block.fp[i + 1] * v)
}

/// The integral of precision over the positives of one score.
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

#[inline(always)]
fn roc_block_body(block: &Block) -> f64 {
    lanes(|i| block.n[i] * (block.tp[i] + block.tp[i + 1]))
}

#[inline(always)]
fn turned_block_body(block: &Block) -> f64 {
    lanes(|i| block.p[i] * (block.fp[i] + block.fp[i + 1]))
}

/// Rows above a score from which on steps of one row are small enough for [`series`].
const NEAR: f64 = 512.0;

/// Precision, and one over the rows and over the positives, where there are so many of each class; one division for all.
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
    let Rates {
        precision,
        per_row,
        per_positive,
        ..
    } = rates;
    [precision[0], per_row[0], per_positive[0]] = rates_at(block.tp[0], block.fp[0]);
    for i in 0..BLOCK {
        let found = rates_at(block.tp[i + 1], block.fp[i + 1]);
        [precision[i + 1], per_row[i + 1], per_positive[i + 1]] = found;
    }
}

/// Linear, upper, lift and continuous area of [`PrecisionSums`] and what is missing of the gain, where every score is that of one row
/// and many rows of both classes are above; the precision at the last positive before goes in, that of the last one comes out.
#[inline(always)]
fn plain_block_body(block: &Block, best: f64, rates: &mut Rates, found: &mut [f64; 5]) -> f64 {
    fill_rates(block, rates);
    let Rates {
        precision,
        per_row,
        per_positive,
        ..
    } = rates;
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
    // Each positive but the last is the one before of another: what raises the recall stands twice, but for the ends.
    let last = (0..BLOCK).rev().find(|&i| p[i] > 0.0);
    let last = last.map_or(best, |i| precision[i + 1]);
    found[1] = 2.0 * found[1] + (best - last);
    last
}

/// The same for any block; the continuous area is NaN where steps are too large for [`series`].
#[inline(always)]
fn precision_block_body(
    block: &Block,
    best: f64,
    is_first: bool,
    rates: &mut Rates,
    found: &mut [f64; 5],
) -> f64 {
    fill_rates(block, rates);
    let Rates {
        precision,
        per_row,
        per_positive,
        before,
        raised,
    } = rates;
    let width = |i: usize| block.p[i] + block.n[i];
    let mut is_near = true;
    for i in 0..BLOCK {
        raised[i] = if block.p[i] > 0.0 { u64::MAX } else { 0 };
        is_near &= NEAR * width(i) <= block.tp[i + 1] + block.fp[i + 1];
    }
    // The precision where the recall was last raised: chosen by bits, since which it is cannot be predicted.
    let mut last = best.to_bits();
    for i in 0..BLOCK {
        before[i] = f64::from_bits(last);
        last = (precision[i + 1].to_bits() & raised[i]) | (last & !raised[i]);
    }
    found[0] = lanes(|i| block.p[i] * (precision[i] + precision[i + 1]));
    found[1] = lanes(|i| block.p[i] * (before[i] + precision[i + 1]));
    found[3] = if is_near {
        bent(block, per_row)
    } else {
        f64::NAN
    };
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

/// L = -ln(1 - z) = z + z^2/2 + ..., and what follows z in it, for z at most 1/512.
#[inline(always)]
fn series(z: f64) -> (f64, f64) {
    let tail = 1.0 / 4.0 + z * (1.0 / 5.0 + z * (1.0 / 6.0 + z * (1.0 / 7.0)));
    let more = z * z * (0.5 + z * (1.0 / 3.0 + z * tail));
    (z + more, more)
}

/// Twice the area under precision, with the share of positives among the rows of each score: z = d / (m + d), and what follows z
/// gives d - m L as well.
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
        if block.fp[i + 1] > 0.0 {
            area
        } else {
            block.p[i]
        }
    })
}

/// Whether every step along the negatives is so small beside what it is taken from that [`near`] is exact.
#[inline(always)]
fn small_steps_body(block: &Block) -> bool {
    let mut all = true;
    for i in 0..BLOCK {
        all &= (64.0 * block.n[i] <= block.fp[i]) & (block.fp[i] > 0.0);
    }
    all
}

/// L = ln(1 + d/m) and d - m L, for d at most m / 64: with r = d / (2 m + d), L = 2 atanh(r), and d/m - 2 r = r d/m.
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
    fn plain_block[](block: &Block, best: f64, rates: &mut Rates, found: &mut [f64; 5]) -> f64 = plain_block_body;
    fn precision_block[](
        block: &Block, best: f64, is_first: bool, rates: &mut Rates, found: &mut [f64; 5],
    ) -> f64 = precision_block_body;
    fn small_steps[](block: &Block) -> bool = small_steps_body;
    fn log_block[](block: &Block, positives: f64) -> f64 = log_block_body;
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use crate::scores::score_table::ScoreTable;
    use proptest::prelude::*;

    /// Tables of up to some blocks, of few or many distinct scores, with and without weights.
    fn tables() -> impl Strategy<Value = ScoreTable> {
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
                &RankOptions {
                    pos_label: Some(Label::Int(1)),
                    ..RankOptions::default()
                },
            )
            .unwrap()
        })
    }

    /// False and true positives at every threshold.
    fn points(table: &ScoreTable) -> Vec<(f64, f64)> {
        let steps = table.steps().map(|(_, tp, fp)| (fp, tp));
        std::iter::once((0.0, 0.0)).chain(steps).collect()
    }

    /// The mean height of a curve of straight lines between two values of x.
    fn mean(
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

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-11 * expected.abs().max(1.0)
    }

    proptest! {
        #[test]
        fn areas_are_sums_over_the_points(table in tables(), low in 0.0..0.9_f64, width in 0.01..1.0_f64) {
            let (p, n) = table.totals();
            prop_assume!(p > 0.0 && n > 0.0);
            let high = (low + width).min(1.0);
            let points = points(&table);
            let turned: Vec<(f64, f64)> = points.iter().map(|&(fp, tp)| (tp, n - fp)).collect();
            let straight = |a: f64, b: f64, c: f64, d: f64| (b - a) * (c + d) / 2.0;
            let expected = mean(&points, low * n, high * n, straight) / (high - low) / p / n;
            prop_assert!(near(table.mean_tpr(low, high).unwrap(), expected));
            let expected = mean(&turned, low * p, high * p, straight) / (high - low) / p / n;
            prop_assert!(near(table.mean_specificity(low, high).unwrap(), expected));
            let low = low.max(0.001);
            let log = |a: f64, b: f64, c: f64, d: f64| {
                let slope = (d - c) / (b - a);
                (d - c) + (c - slope * a) * (b / a).ln()
            };
            let expected = mean(&points, low * n, high * n, log) / p / (high / low).ln();
            let found = table.log_auc(low, high).unwrap();
            prop_assert!(near(found, expected), "{found} {expected}");

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
            prop_assert!(near(table.linear_pr_area().unwrap(), linear / (2.0 * p)));
            prop_assert!(near(table.upper_pr_area().unwrap(), upper / (2.0 * p)));
            prop_assert!(near(table.lift_area().unwrap(), lift / (2.0 * p)));
            prop_assert!(near(table.continuous_pr_area().unwrap(), continuous / p));

            let start = p * p / (p + n);
            let by_positives: Vec<(f64, f64)> = points.iter().map(|&(fp, tp)| (tp, fp)).collect();
            let gain = |a: f64, b: f64, c: f64, d: f64| {
                let recall = |tp: f64| 1.0 - p / n * (p - tp) / tp;
                let precision = |tp: f64, fp: f64| 1.0 - p / n * fp / tp;
                (recall(b) - recall(a)) * (precision(a, c) + precision(b, d)) / 2.0
            };
            let expected = mean(&by_positives, start, p, gain);
            let found = table.pr_gain_area().unwrap();
            prop_assert!(near(found, expected), "{found} {expected}");
        }
    }
}
