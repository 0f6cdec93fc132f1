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
//! Cost: about 1 ns a distinct score for an area of rates, 4 ns for all areas of precision together, which are found in one walk
//! and kept; with weights about 15 ns, for exact sums are read as `f64`. Tried and rejected: a walk for each area of precision (6 ns), a
//! division for each rate (half a nanosecond more), choosing the last positive by a branch (3 ns more where classes alternate).
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

use super::score_table::{Amounts, ScoreTable, first_place};
use crate::interval::ln_1p_less;
use crate::kernel::exact::{Fixed, Sums};
use crate::kernel::products::{Products, unit_scale};
use crate::kernel::wide::wide;

const BLOCK: usize = 256;
const LANES: usize = 8;

/// Some neighbouring scores: the amounts at or above each, after those of the score before, and of each score itself. Beyond the
/// last score the amounts stay as they are.
struct Block {
    tp: [f64; BLOCK + 1],
    fp: [f64; BLOCK + 1],
    p: [f64; BLOCK],
    n: [f64; BLOCK],
}

impl Block {
    fn new() -> Self {
        Self {
            tp: [0.0; BLOCK + 1],
            fp: [0.0; BLOCK + 1],
            p: [0.0; BLOCK],
            n: [0.0; BLOCK],
        }
    }

    /// Lets the amounts beyond the first `len` scores stay as they are.
    fn pad(&mut self, len: usize) {
        let (tp, fp) = (self.tp[len], self.fp[len]);
        self.tp[len + 1..].fill(tp);
        self.fp[len + 1..].fill(fp);
        self.p[len..].fill(0.0);
        self.n[len..].fill(0.0);
    }
}

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
pub(super) struct PrecisionSums {
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
pub(super) struct PrecisionWalk {
    by: Factors,
    /// The first score where recall gain is above 0.
    gains: usize,
    sums: [Products; 4],
    missing_gain: Products,
    /// How many places went by.
    place: usize,
    /// The precision where the recall was last raised; at the threshold ∞ it is taken to be 1.
    best: f64,
    /// The amounts of the last block that came as columns.
    block: Option<Box<Block>>,
}

impl PrecisionWalk {
    pub(super) fn new(table: &ScoreTable) -> Self {
        let by = table.alike();
        Self {
            by,
            gains: table.gain_place(by),
            sums: [Products::default(); 4],
            missing_gain: Products::default(),
            place: 0,
            best: 1.0,
            block: Some(Box::new(Block::new())),
        }
    }

    /// Adds the scores of a block, given the amounts of each itself, positives and negatives, and at or above it. Beyond the last
    /// score of the table those of each are 0 and those above stay as they are.
    pub(super) fn take_columns(&mut self, [p, n, tp, fp]: [&[f64; BLOCK]; 4]) {
        let Some(mut block) = self.block.take() else {
            return;
        };
        (block.tp[0], block.fp[0]) = (block.tp[BLOCK], block.fp[BLOCK]);
        let Factors {
            positives,
            negatives,
        } = self.by;
        for i in 0..BLOCK {
            block.p[i] = p[i] * positives;
            block.tp[i + 1] = tp[i] * positives;
        }
        for i in 0..BLOCK {
            block.n[i] = n[i] * negatives;
            block.fp[i + 1] = fp[i] * negatives;
        }
        self.take(&block);
        self.block = Some(block);
    }

    fn take(&mut self, block: &Block) {
        let mut found = [0.0; 5];
        self.best = precision_block(block, self.best, self.place == 0, &mut found);
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

    pub(super) fn finish(self) -> PrecisionSums {
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
        let mut sum = Products::default();
        self.blocks(places, by, |block| sum = sum.plus(kernel(block), 1.0));
        sum
    }

    fn blocks(&self, places: Range<usize>, by: Factors, mut call: impl FnMut(&Block)) {
        let mut block = Block::new();
        let mut start = places.start;
        while start < places.end {
            let end = places.end.min(start + BLOCK);
            match self.amounts() {
                Amounts::Counts {
                    positives,
                    negatives,
                } => {
                    let before = start
                        .checked_sub(1)
                        .map_or((0, 0), |place| (positives[place], negatives[place]));
                    fill(
                        &positives[start..end],
                        &negatives[start..end],
                        before,
                        &mut block,
                    );
                }
                Amounts::Weights(sums) => {
                    let (quantum, len) = (sums.span().quantum(), self.len());
                    match sums.sums() {
                        Sums::Narrow(sums) => {
                            weigh(sums, len, start..end, quantum, by, &mut block);
                        }
                        Sums::Wide(sums) => weigh(sums, len, start..end, quantum, by, &mut block),
                    }
                }
            }
            call(&block);
            start = end;
        }
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
        let inner = self.over(
            inner,
            by,
            match along {
                Along::Negatives => roc_block,
                Along::Positives => turned_block,
            },
        );
        sum.plus(inner.value(), 1.0)
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
            self.blocks(0..self.len(), walk.by, |block| walk.take(block));
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

/// A block from exact sums of weights.
fn weigh<F: Fixed>(
    sums: &[F],
    len: usize,
    places: Range<usize>,
    quantum: i32,
    by: Factors,
    block: &mut Block,
) {
    let (positives, negatives) = sums.split_at(len);
    let at = |sums: &[F], place: Option<usize>| place.map_or(F::default(), |place| sums[place]);
    let before = places.start.checked_sub(1);
    let (mut tp, mut fp) = (at(positives, before), at(negatives, before));
    let up = |amount: F| amount.to_f64(quantum) * by.positives;
    let down = |amount: F| amount.to_f64(quantum) * by.negatives;
    (block.tp[0], block.fp[0]) = (up(tp), down(fp));
    let count = places.len();
    for (i, place) in places.enumerate() {
        let (p, n) = (positives[place], negatives[place]);
        (block.tp[i + 1], block.fp[i + 1]) = (up(p), down(n));
        (block.p[i], block.n[i]) = (up(p.minus(tp)), down(n.minus(fp)));
        (tp, fp) = (p, n);
    }
    block.pad(count);
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

/// The sum of the terms of a block, in lanes.
#[inline(always)]
fn lanes(term: impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] += term(start + lane);
        }
    }
    sums.into_iter().sum()
}

#[inline(always)]
fn fill_body(positives: &[u64], negatives: &[u64], before: (u64, u64), block: &mut Block) {
    (block.tp[0], block.fp[0]) = (before.0 as f64, before.1 as f64);
    if let (Ok(positives), Ok(negatives)) = (
        <&[u64; BLOCK]>::try_from(positives),
        <&[u64; BLOCK]>::try_from(negatives),
    ) {
        for i in 0..BLOCK {
            block.tp[i + 1] = positives[i] as f64;
            block.fp[i + 1] = negatives[i] as f64;
        }
        block.p[0] = (positives[0] - before.0) as f64;
        block.n[0] = (negatives[0] - before.1) as f64;
        for i in 1..BLOCK {
            block.p[i] = positives[i].wrapping_sub(positives[i - 1]) as f64;
            block.n[i] = negatives[i].wrapping_sub(negatives[i - 1]) as f64;
        }
        return;
    }
    let mut last = before;
    for (i, (&p, &n)) in positives.iter().zip(negatives).enumerate() {
        (block.tp[i + 1], block.fp[i + 1]) = (p as f64, n as f64);
        (block.p[i], block.n[i]) = ((p - last.0) as f64, (n - last.1) as f64);
        last = (p, n);
    }
    block.pad(positives.len());
}

#[inline(always)]
fn roc_block_body(block: &Block) -> f64 {
    lanes(|i| block.n[i] * (block.tp[i] + block.tp[i + 1]))
}

#[inline(always)]
fn turned_block_body(block: &Block) -> f64 {
    lanes(|i| block.p[i] * (block.fp[i] + block.fp[i + 1]))
}

/// Adds up linear, upper, lift and continuous area of [`PrecisionSums`], the last of which is NaN where steps are too large for its
/// series, and what is missing of the gain; the precision at the last positive before goes in, that of the last one comes out.
#[inline(always)]
fn precision_block_body(block: &Block, best: f64, is_first: bool, found: &mut [f64; 5]) -> f64 {
    let (mut precision, mut per_row, mut per_positive) =
        ([0.0; BLOCK + 1], [0.0; BLOCK + 1], [0.0; BLOCK + 1]);
    for i in 0..=BLOCK {
        // One division for 1 / rows and 1 / positives.
        let (tp, fp) = (block.tp[i], block.fp[i]);
        let rows = tp + fp;
        let both = 1.0 / (tp * rows);
        let both = if tp > 0.0 { both } else { 0.0 };
        per_row[i] = tp * both;
        per_positive[i] = rows * both;
        precision[i] = if fp > 0.0 { tp * per_row[i] } else { 1.0 };
    }
    let (mut width, mut raised) = ([0.0; BLOCK], [0_u64; BLOCK]);
    let (mut is_near, mut single) = (true, true);
    for i in 0..BLOCK {
        width[i] = block.p[i] + block.n[i];
        raised[i] = if block.p[i] > 0.0 { u64::MAX } else { 0 };
        is_near &= 512.0 * width[i] <= block.tp[i + 1] + block.fp[i + 1];
        single &= width[i] == 1.0;
    }
    // The precision where the recall was last raised: chosen by bits, since which it is cannot be predicted.
    let (mut last, mut before) = (best.to_bits(), [0.0; BLOCK]);
    for i in 0..BLOCK {
        before[i] = f64::from_bits(last);
        last = (precision[i + 1].to_bits() & raised[i]) | (last & !raised[i]);
    }
    found[0] = lanes(|i| block.p[i] * (precision[i] + precision[i + 1]));
    found[1] = lanes(|i| block.p[i] * (before[i] + precision[i + 1]));
    found[3] = match (is_near, single) {
        (false, _) => f64::NAN,
        // A row has its score to itself.
        (true, true) => bent(block, &per_row, &width, |i| block.p[i]),
        (true, false) => bent(block, &per_row, &width, |i| {
            let share = block.p[i] / width[i];
            if width[i] > 0.0 { share } else { 0.0 }
        }),
    };
    found[4] = lanes(|i| {
        let (u, v) = (per_positive[i], per_positive[i + 1]);
        block.p[i] * u * v * (block.fp[i] * u + block.fp[i + 1] * v)
    });
    if is_first {
        width[0] = 0.0;
    }
    found[2] = lanes(|i| width[i] * (precision[i] + precision[i + 1]));
    f64::from_bits(last)
}

/// Twice the area under precision, with the share of positives among the rows of each score. With z = d / (m + d) at most 1/512,
/// L = -ln(1 - z) = z + z^2/2 + ..., and what follows z in it gives d - m L as well.
#[inline(always)]
fn bent(
    block: &Block,
    per_row: &[f64; BLOCK + 1],
    width: &[f64; BLOCK],
    share: impl Fn(usize) -> f64,
) -> f64 {
    2.0 * lanes(|i| {
        let z = width[i] * per_row[i + 1];
        let series = 1.0 / 4.0 + z * (1.0 / 5.0 + z * (1.0 / 6.0 + z * (1.0 / 7.0)));
        let more = z * z * (0.5 + z * (1.0 / 3.0 + z * series));
        let rest = (block.tp[i + 1] + block.fp[i + 1]) * (z * (z + more) - more);
        let share = share(i);
        let area = share * (block.tp[i] * (z + more) + share * rest);
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
    fn fill[](positives: &[u64], negatives: &[u64], before: (u64, u64), block: &mut Block) -> () = fill_body;
    fn roc_block[](block: &Block) -> f64 = roc_block_body;
    fn turned_block[](block: &Block) -> f64 = turned_block_body;
    fn precision_block[](block: &Block, best: f64, is_first: bool, found: &mut [f64; 5]) -> f64 = precision_block_body;
    fn small_steps[](block: &Block) -> bool = small_steps_body;
    fn log_block[](block: &Block, positives: f64) -> f64 = log_block_body;
}

#[cfg(test)]
mod tests {
    use crate::column::Column;
    use crate::input::{Label, Labels, Scores};
    use crate::kernel::ranking::RankOptions;
    use crate::kernel::sweep::score_table;
    use crate::stat::ScoreTable;
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
