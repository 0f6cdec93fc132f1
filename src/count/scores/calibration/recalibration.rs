//! Logistic regression of the truth on the logits of the scores: intercept and slope of
//! recalibration.
//!
//! The log-likelihood of P(positive) = σ(a + b x), x = ln(s / (1 − s)), is concave. It has a unique
//! maximum if the scores of the two classes overlap ([`classes_overlap`]).
//!
//! 1. Scores whose logits lie within 1/16 become one cell: ten moments of their masses about its
//!    middle. Fewer than twenty scores in a cell keep their own terms.
//! 2. In a cell σ is its Taylor series about the middle, whose coefficients follow from σ' = σ − σ²
//!    one by one. With |b| ≤ 2 the remainder is below 1e-16 of a cell, because the series converges
//!    within π of the middle.
//! 3. Newton's method finds the maximum. A step that overshoots by half of its gain is halved. A
//!    trust radius limits the change of a logit in a step: with all scores near 0 or 1 the
//!    curvature vanishes, and plain Newton steps diverge.
//! 4. Steeper slopes get narrower cells. Logits in a narrow range start with narrow cells.
//!
//! Cost at 1e6 distinct scores: one pass with a logarithm a score, about 3 ms, or 1 ms in a pass
//! shared with other sums; then about 10 µs a step.
//!
//! Sources: Cox 1958, doi:10.1093/biomet/45.3-4.562; Miller, Hui, Tierney 1991,
//! doi:10.1002/sim.4780100805.
//!
//! Rejected:
//! - sums over all scores in every step (60 ms);
//! - cells of 256 scores each (20 times as many of them).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::arith::exponential::exp_of_negative;
use crate::arith::logarithm::{ln, ln_normal};
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::blocks::{Added, BLOCK, Block, Column, LANES, With, added, whole};
use crate::scores::score_table::{ScoreTable, first_place};

/// The highest power in a cell for the value; the derivative by the slope needs one more.
const ORDER: usize = 8;

/// The contribution of scores to a cell: moments of masses and of positives.
type CellMoments = ([f64; ORDER + 2], [f64; 2]);

/// The intercept and the slope that recalibrate scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationFit {
    /// The intercept of the line.
    pub intercept: f64,
    /// The slope of the line.
    pub slope: f64,
    /// Fisher's information for each row, at this line: the means of σ', of σ' x and of σ' x².
    pub information: [f64; 3],
}

/// The fits of a table, if they exist.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fits {
    /// Intercept and slope.
    pub line: Option<CalibrationFit>,
    /// The intercept for a slope of 1.
    pub shift: Option<CalibrationFit>,
    /// Rao's statistic of an intercept of 0 and a slope of 1, for each row.
    pub(crate) departure: Option<f64>,
}

/// The scores as they are.
const GIVEN: CalibrationFit = CalibrationFit { intercept: 0.0, slope: 1.0, information: [0.0; 3] };

/// The terms of a likelihood.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    cells: Vec<Cell>,
    /// Single scores, eight at a time: logits, positives, all rows. Unused lanes have mass 0.
    singles: Vec<Singles>,
    /// The number of single scores.
    single: usize,
    /// The mass of all rows.
    weight: f64,
    /// The largest width of a cell.
    width: f64,
}

type Singles = [[f64; LANES]; 3];

/// Scores with neighbouring logits.
#[derive(Clone, Debug)]
struct Cell {
    /// The middle of their logits.
    middle: f64,
    /// The sum of mass times (logit − middle)^k, for each k.
    moments: [f64; ORDER + 2],
    /// The sum of positives, and of positives times (logit − middle).
    positives: [f64; 2],
}

/// From this many scores on, a cell is cheaper than its scores.
const FEW: usize = 2 * (ORDER + 2);

/// The state of computing [`Terms`], block by block from the highest scores down.
pub(crate) struct TermsMaker {
    terms: Terms,
    /// The factor for masses.
    scale: f64,
    /// Scores are clamped to this and one minus this.
    least: f64,
    logits: Column,
    open: Option<OpenCell>,
    scaled: Option<Box<Block>>,
}

/// The cell for the next scores.
struct OpenCell {
    cell: Cell,
    /// The lowest logit of the cell.
    lowest: f64,
    scores: usize,
    /// Its scores while there are few: logit, positives, all rows.
    few: Vec<[f64; 3]>,
}

/// The first and second derivatives of the log-likelihood, divided by the number of rows: by
/// intercept and slope; and, negated, by intercept twice, by both, by slope twice.
type Derivatives = ([f64; 2], [f64; 3]);

/// Whether the scores of the two classes overlap, so that a best slope exists: some positive scores
/// below some negative, and some above.
pub fn classes_overlap(table: &ScoreTable) -> bool {
    let (Some(last), (positives, negatives)) = (table.len().checked_sub(1), table.totals()) else {
        return false;
    };
    if !(positives > 0.0 && negatives > 0.0) {
        return false;
    }
    // The highest and the lowest score of each class.
    let highest = |mass: fn(f64, f64) -> f64| {
        first_place(table.len(), |place| {
            let counts = table.counts_at(place);
            mass(counts.tp, counts.fp) > 0.0
        })
    };
    let lowest = |mass: fn(f64, f64) -> f64| {
        first_place(last, |place| {
            let counts = table.counts_at(place);
            mass(counts.fn_, counts.tn) <= 0.0
        })
    };
    let positive = |p: f64, _: f64| p;
    let negative = |_: f64, n: f64| n;
    // Places count from the highest score down.
    highest(positive) < lowest(negative) && highest(negative) < lowest(positive)
}

/// The fits of a table.
pub fn fits(table: &ScoreTable) -> Fits {
    Fits::of(table, None)
}

impl Fits {
    /// The fits of a table; `known` are its terms, if another pass computed them.
    pub(crate) fn of(table: &ScoreTable, known: Option<&Terms>) -> Self {
        Self::find(table, known).unwrap_or_default()
    }

    fn find(table: &ScoreTable, known: Option<&Terms>) -> Option<Self> {
        if !table.are_probabilities() {
            return None;
        }
        let (positives, negatives) = table.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let mut made = None;
        let terms = match known {
            Some(terms) => terms,
            None => made.insert(Terms::of(table, cell_width(table))),
        };
        let shift = terms.maximum(GIVEN, false, f64::INFINITY);
        let departure = (table.len() > 1).then(|| terms.departure());
        if !classes_overlap(table) {
            return Some(Self { line: None, shift, departure });
        }
        // A flat line uses all scores, however near 0 and 1 they are.
        let flat = CalibrationFit { intercept: (positives / negatives).ln(), slope: 0.0, ..GIVEN };
        let steepest = |width: f64| 16.0 * WIDTH / width;
        let mut width = terms.width;
        let mut line = terms.maximum(flat, true, steepest(width));
        // Steeper slopes need narrower cells; each round chooses them for the slope found last.
        for _ in 0..8 {
            let Some(fit) = line.filter(|fit| fit.slope.abs() * width > 2.0 * WIDTH) else {
                break;
            };
            width = WIDTH / fit.slope.abs();
            let terms = Terms::of(table, width);
            line = terms.maximum(fit, true, steepest(width));
        }
        Some(Self { line, shift, departure })
    }
}

/// The initial width of cells: for logits in a narrow range slopes may be steep.
pub(crate) fn cell_width(table: &ScoreTable) -> f64 {
    /// This many cells always pay.
    const MANY: f64 = 256.0;
    let logit = |place: usize| {
        let score = cut(table.score(place), table.kind().epsilon());
        ln(score / (1.0 - score))
    };
    let last = table.len().saturating_sub(1);
    ((logit(0) - logit(last)) / MANY).clamp(WIDTH / MANY, WIDTH)
}

/// The largest width of a cell in logits, for slopes up to 2.
const WIDTH: f64 = 1.0 / 16.0;

impl TermsMaker {
    pub(crate) fn new(table: &ScoreTable, width: f64) -> Self {
        let (positives, negatives) = table.totals();
        let scale = table.scale_of_rows();
        let terms = Terms {
            cells: Vec::new(),
            singles: Vec::new(),
            single: 0,
            weight: (positives + negatives) * scale,
            width,
        };
        Self {
            terms,
            scale,
            least: table.kind().epsilon(),
            logits: [0.0; BLOCK],
            open: None,
            scaled: None,
        }
    }

    fn add(&mut self, block: &Block) {
        fill_logits(block.scores(), self.least, &mut self.logits);
        let filled = block.len;
        let mut place = 0;
        while place < filled {
            let top = self.logits[place];
            if self.open.as_ref().is_some_and(|open| top < open.lowest) {
                self.close();
            }
            let open = self.open.get_or_insert_with(|| OpenCell::new(top, self.terms.width));
            let same = self.logits[place..filled].partition_point(|&logit| logit >= open.lowest);
            let end = place + same.max(1);
            open.take(&self.logits, place..end, &block.p, &block.n);
            place = end;
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.scores >= FEW {
            self.terms.cells.grow(open.cell);
            return;
        }
        for single in open.few {
            self.terms.add_single(single);
        }
    }

    pub(crate) fn finish(mut self) -> Terms {
        self.close();
        self.terms
    }
}

impl Added for TermsMaker {
    /// Adds a block, whose scores must lie in [0, 1].
    fn take(&mut self, _: &ScoreTable, _: usize, block: &Block) {
        let mut scaled = self.scaled.take();
        self.add(block.scaled((self.scale, self.scale), &mut scaled));
        self.scaled = scaled;
    }

    fn then(&mut self, later: Self) {
        self.close();
        let Self { terms: later, open, .. } = later;
        self.open = open;
        self.terms.cells.grow_with(later.cells);
        for at in 0..later.single {
            let column = |column: usize| later.singles[at / LANES][column][at % LANES];
            self.terms.add_single(std::array::from_fn(column));
        }
    }
}

impl OpenCell {
    fn new(top: f64, width: f64) -> Self {
        Self {
            cell: Cell {
                middle: top - 0.5 * width,
                moments: [0.0; ORDER + 2],
                positives: [0.0; 2],
            },
            lowest: top - width,
            scores: 0,
            few: Vec::new(),
        }
    }

    /// Adds some places of a block.
    fn take(&mut self, logits: &Column, run: Range<usize>, positives: &Column, negatives: &Column) {
        self.scores += run.len();
        if self.scores < FEW {
            let single =
                |place| [logits[place], positives[place], positives[place] + negatives[place]];
            self.few.grow_with(run.map(single));
            return;
        }
        let middle = self.cell.middle;
        for [logit, p, all] in self.few.drain(..) {
            let distance = logit - middle;
            let mut term = all;
            let moments = std::array::from_fn(|_| {
                let moment = term;
                term *= distance;
                moment
            });
            self.cell.add((moments, [p, p * distance]));
        }
        if run.len() == BLOCK {
            self.cell.add(cell_moments(logits, middle, positives, negatives));
        } else {
            let mut own = [[0.0; BLOCK]; 2];
            own[0][run.clone()].copy_from_slice(&positives[run.clone()]);
            own[1][run.clone()].copy_from_slice(&negatives[run]);
            self.cell.add(cell_moments(logits, middle, &own[0], &own[1]));
        }
    }
}

impl Cell {
    fn add(&mut self, (moments, positives): CellMoments) {
        for (own, moment) in self.moments.iter_mut().zip(moments) {
            *own += moment;
        }
        for (own, positive) in self.positives.iter_mut().zip(positives) {
            *own += positive;
        }
    }
}

impl Terms {
    /// The terms of a table of probabilities, with cells of at most `width`.
    fn of(table: &ScoreTable, width: f64) -> Self {
        added(table, With::SCORES, || TermsMaker::new(table, width)).finish()
    }

    fn add_single(&mut self, single: [f64; 3]) {
        let (row, lane) = (self.single / LANES, self.single % LANES);
        if lane == 0 {
            self.singles.grow([[0.0; LANES]; 3]);
        }
        for (column, value) in self.singles[row].iter_mut().zip(single) {
            column[lane] = value;
        }
        self.single += 1;
    }

    /// The maximum of the likelihood, from a starting point. The slope is fixed unless it is
    /// `free`; the search ends at slopes beyond `steepest`. `None` if no maximum is found.
    fn maximum(&self, start: CalibrationFit, free: bool, steepest: f64) -> Option<CalibrationFit> {
        const STEPS: usize = 200;
        let [lowest, highest] = self.ends();
        let mut at = start;
        let (mut slopes, mut curves) = self.derivatives(at);
        // The largest change of a logit in a step, and the predicted gain of the last step.
        let (mut radius, mut last_gain) = (4.0, f64::INFINITY);
        for _ in 0..STEPS {
            let (step, gain) = newton_step(slopes, curves, free);
            if !(step[0].is_finite() && step[1].is_finite()) {
                return None;
            }
            let moves = |x: f64| (step[0] + step[1] * x).abs();
            let longest = moves(lowest).max(moves(highest));
            let room = (steepest - at.slope * step[1].signum()) / step[1].abs();
            let mut part = (radius / longest).min(room).min(1.0);
            let mut shorter = false;
            let (reached, ends) = loop {
                let next = CalibrationFit {
                    intercept: at.intercept + part * step[0],
                    slope: at.slope + part * step[1],
                    ..at
                };
                let found = self.derivatives(next);
                // The derivative of the likelihood along the step, at its end: clearly negative if
                // the step went too far.
                let ahead = found.0[0] * step[0] + found.0[1] * step[1];
                if ahead >= -0.5 * gain - 1e-30 || part < 1e-12 {
                    (slopes, curves) = found;
                    break (next, part < room);
                }
                (part, shorter) = (0.5 * part, true);
            };
            radius = if shorter { part * longest } else { 2.0 * radius };
            let moved = (reached.intercept - at.intercept).abs()
                <= 1e-15 * (1.0 + reached.intercept.abs())
                && (reached.slope - at.slope).abs() <= 1e-15 * (1.0 + reached.slope.abs());
            if !(reached.intercept.is_finite() && reached.slope.is_finite()) {
                return None;
            }
            // Once steps stop shrinking, only rounding is left.
            let settled = gain < 1e-30 || moved || (gain < 1e-22 && gain >= last_gain);
            (at, last_gain) = (reached, gain);
            if settled || !ends {
                return Some(CalibrationFit { information: curves, ..at });
            }
        }
        None
    }

    /// Rao's statistic of [`GIVEN`], for each row: the derivatives in units of their variance there.
    fn departure(&self) -> f64 {
        let ([up, along], [one, both, other]) = self.derivatives(GIVEN);
        let rest = along - both / one * up;
        up * up / one + rest * rest / (other - both / one * both)
    }

    /// Approximately the lowest and the highest logit.
    fn ends(&self) -> [f64; 2] {
        let cells = self.cells.iter().map(|cell| cell.middle);
        let singles = self.singles.iter().flat_map(|[logits, _, rows]| logits.iter().zip(rows));
        let weighing = singles.filter(|&(_, &rows)| rows > 0.0);
        let all = cells.chain(weighing.map(|(&logit, _)| logit));
        let ends = [f64::INFINITY, f64::NEG_INFINITY];
        all.fold(ends, |[low, high], x| [low.min(x), high.max(x)])
    }

    fn derivatives(&self, at: CalibrationFit) -> Derivatives {
        let CalibrationFit { intercept, slope, .. } = at;
        let (mut slopes, mut curves) = ([Sum::default(); 2], [0.0; 3]);
        for cell in &self.cells {
            let series = sigmoid_series(intercept + slope * cell.middle);
            // Over the scores of the cell: sums of σ, of σ times the distance from the middle, and
            // the same two of σ'.
            let (mut value, mut times) = (0.0, 0.0);
            let mut curve = [0.0; 3];
            let mut power = 1.0;
            for k in 0..=ORDER {
                let term = series[k] * power;
                value += term * cell.moments[k];
                times += term * cell.moments[k + 1];
                let steeper = (k + 1) as f64 * series[k + 1] * power;
                for (j, curve) in curve.iter_mut().enumerate() {
                    *curve += steeper * cell.moments.get(k + j).copied().unwrap_or(0.0);
                }
                power *= slope;
            }
            let excess = cell.positives[0] - value;
            slopes[0].add(excess);
            slopes[1].add(cell.middle * excess + (cell.positives[1] - times));
            let x = cell.middle;
            curves[0] += curve[0];
            curves[1] += x * curve[0] + curve[1];
            curves[2] += x * (x * curve[0] + 2.0 * curve[1]) + curve[2];
        }
        let mut singles = SingleSums::default();
        add_singles(&self.singles, at, &mut singles);
        for (slope, sums) in slopes.iter_mut().zip(singles.slopes) {
            for part in sums.into_iter().flatten() {
                slope.add(part);
            }
        }
        for (curve, sums) in curves.iter_mut().zip(singles.curves) {
            *curve += whole(sums);
        }
        (slopes.map(|sum| sum.value() / self.weight), curves.map(|curve| curve / self.weight))
    }
}

/// Newton's step, and the initial slope of the likelihood along it. If rounding prevents this step,
/// intercept and slope are treated separately.
fn newton_step(slopes: [f64; 2], curves: [f64; 3], free: bool) -> ([f64; 2], f64) {
    let rise = |step: [f64; 2]| slopes[0] * step[0] + slopes[1] * step[1];
    if !free {
        let step = [slopes[0] / curves[0], 0.0];
        return (step, rise(step));
    }
    let determinant = curves[0] * curves[2] - curves[1] * curves[1];
    let step = [
        (curves[2] * slopes[0] - curves[1] * slopes[1]) / determinant,
        (curves[0] * slopes[1] - curves[1] * slopes[0]) / determinant,
    ];
    if determinant > 0.0 && rise(step) >= 0.0 {
        return (step, rise(step));
    }
    let step = [0.5 * slopes[0] / curves[0], 0.5 * slopes[1] / curves[2]];
    (step, rise(step))
}

/// A sum that keeps its rounding errors (Neumaier 1974).
#[derive(Clone, Copy, Default)]
struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    #[inline]
    fn add(&mut self, x: f64) {
        let high = self.high + x;
        let part = high - self.high;
        self.low += (self.high - (high - part)) + (x - part);
        self.high = high;
    }

    fn value(self) -> f64 {
        self.high + self.low
    }
}

/// σ(x) and σ(−x).
#[inline(always)]
fn sigmoids(x: f64) -> (f64, f64) {
    let falls = exp_of_negative(-x.abs());
    let large = 1.0 / (1.0 + falls);
    let small = falls * large;
    (if x > 0.0 { large } else { small }, if x > 0.0 { small } else { large })
}

/// Sums over the single scores, in lanes; the slopes with their rounding errors.
#[derive(Default)]
struct SingleSums {
    slopes: [[[f64; LANES]; 2]; 2],
    curves: [[f64; LANES]; 3],
}

/// The coefficients of the Taylor series of σ about a point: (k + 1) c[k + 1] = c[k] − Σ c[j] c[k −
/// j].
fn sigmoid_series(at: f64) -> [f64; ORDER + 2] {
    let mut series = [0.0; ORDER + 2];
    let (value, other) = sigmoids(at);
    // σ − σ², without the difference that cancels.
    (series[0], series[1]) = (value, value * other);
    for k in 1..=ORDER {
        // The two terms of the sum with c[0] combine with c[k] to c[k] (1 − 2 c[0]).
        let mut rest = series[k] * (1.0 - 2.0 * series[0]);
        for j in 1..k {
            rest -= series[j] * series[k - j];
        }
        series[k + 1] = rest / (k + 1) as f64;
    }
    series
}

/// A probability clamped to [least, 1 − least].
#[inline(always)]
pub fn cut(x: f64, least: f64) -> f64 {
    let x = if x > least { x } else { least };
    if x < 1.0 - least { x } else { 1.0 - least }
}

wide! {
    fn fill_logits[](scores: &Column, least: f64, to: &mut Column) -> () = fill_logits_body;
    fn cell_moments[](
        logits: &Column, middle: f64, positives: &Column, negatives: &Column,
    ) -> CellMoments = cell_moments_body;
    fn add_singles[](singles: &[Singles], at: CalibrationFit, to: &mut SingleSums) -> () = add_singles_body;
}

/// Adds the derivatives of the single scores (two sums compensated as by Knuth 1969, three plain).
#[inline(always)]
fn add_singles_body(singles: &[Singles], at: CalibrationFit, to: &mut SingleSums) {
    let ([[first, first_lost], [second, second_lost]], [one, two, three]) =
        (&mut to.slopes, &mut to.curves);
    for [logits, positives, rows] in singles {
        for lane in 0..LANES {
            let (x, p, all) = (logits[lane], positives[lane], rows[lane]);
            let (value, other) = sigmoids(at.intercept + at.slope * x);
            let excess = p * other - (all - p) * value;
            add_exactly(&mut first[lane], &mut first_lost[lane], excess);
            add_exactly(&mut second[lane], &mut second_lost[lane], x * excess);
            let curve = all * value * other;
            one[lane] += curve;
            two[lane] += x * curve;
            three[lane] += x * x * curve;
        }
    }
}

#[inline(always)]
fn add_exactly(sum: &mut f64, lost: &mut f64, x: f64) {
    let high = *sum + x;
    let part = high - *sum;
    *lost += (*sum - (high - part)) + (x - part);
    *sum = high;
}

/// ln(s / (1 − s)) of scores clamped to [least, 1 − least].
#[inline(always)]
fn fill_logits_body(scores: &Column, least: f64, to: &mut Column) {
    for (to, &score) in to.iter_mut().zip(scores) {
        let cut = cut(score, least);
        *to = ln_normal(cut / (1.0 - cut));
    }
}

#[inline(always)]
fn cell_moments_body(
    logits: &Column,
    middle: f64,
    positives: &Column,
    negatives: &Column,
) -> CellMoments {
    let (mut moments, mut own) = ([[0.0; LANES]; ORDER + 2], [[0.0; LANES]; 2]);
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let place = start + lane;
            let (p, distance) = (positives[place], logits[place] - middle);
            own[0][lane] += p;
            own[1][lane] += p * distance;
            let mut term = p + negatives[place];
            for moment in &mut moments {
                moment[lane] += term;
                term *= distance;
            }
        }
    }
    (moments.map(whole), own.map(whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::calibration::moments::tests::{rows, table};
    use proptest::prelude::*;

    /// The derivatives at a fit, row by row, divided by the number of rows.
    fn slopes(rows: &[(bool, f64, f64)], weighted: bool, fit: CalibrationFit) -> [f64; 2] {
        let mut sums = [0.0; 3];
        for &(y, s, w) in rows {
            let w = if weighted { w } else { 1.0 };
            let s = s.clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            let x = (s / (1.0 - s)).ln();
            let excess =
                f64::from(u8::from(y)) - 1.0 / (1.0 + (-(fit.intercept + fit.slope * x)).exp());
            sums = [sums[0] + w * excess, sums[1] + w * x * excess, sums[2] + w];
        }
        [sums[0] / sums[2], sums[1] / sums[2]]
    }

    proptest! {
        #[test]
        fn nothing_rises_at_the_fit(rows in rows(600), weighted: bool) {
            let table = table(&rows, weighted, false);
            let fits = Fits::of(&table, None);
            let scores = |class: bool| rows.iter().filter(move |row| row.0 == class).map(|row| row.1);
            let ends = |class: bool| (scores(class).fold(2.0, f64::min), scores(class).fold(-1.0, f64::max));
            let (own, other) = (ends(true), ends(false));
            let overlap = own.0 < other.1 && other.0 < own.1;
            prop_assert_eq!(classes_overlap(&table), overlap);
            prop_assert_eq!(fits.line.is_some(), overlap);
            if let Some(fit) = fits.line {
                let [a, b] = slopes(&rows, weighted, fit);
                prop_assert!(a.abs() < 1e-11 && b.abs() < 1e-10, "{a} {b} {fit:?}");
            }
            let both = rows.iter().any(|row| row.0) && rows.iter().any(|row| !row.0);
            prop_assert_eq!(fits.shift.is_some(), both);
            if let Some(fit) = fits.shift {
                let [a, _] = slopes(&rows, weighted, fit);
                prop_assert!(a.abs() < 1e-11 && fit.slope == 1.0, "{a} {fit:?}");
            }
        }
    }

    /// Scores so close that they form cells, with slopes far steeper than cells for a slope of 1
    /// allow.
    #[test]
    fn cells_find_what_rows_say() {
        for (slope, shift) in [(1.0, 0.0), (0.3, 1.0), (-0.7, 0.2), (4.0, -0.5), (25.0, 0.0)] {
            let mut state = 1_u64;
            let mut unit = move || {
                state =
                    state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                ((state ^ (state >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64
                    / (1_u64 << 53) as f64
            };
            let rows: Vec<(bool, f64, f64)> = (0..60_000)
                .map(|_| {
                    let s = 0.02 + 0.96 * unit();
                    let line: f64 = shift + slope * (s / (1.0 - s)).ln();
                    (unit() < 1.0 / (1.0 + (-line).exp()), s, 1.0)
                })
                .collect();
            let table = table(&rows, false, false);
            let terms = Terms::of(&table, WIDTH);
            assert!(terms.cells.len() > 10, "{}", terms.cells.len());
            let fit = Fits::of(&table, None).line.unwrap();
            let [a, b] = slopes(&rows, false, fit);
            assert!(a.abs() < 1e-13 && b.abs() < 1e-13, "{a} {b} {fit:?}");
            assert!((fit.slope / slope - 1.0).abs() < 0.1);
        }
    }
}
