//! Means over the rows of a table whose scores are probabilities, for calibration.
//!
//! 1. `MomentSums` takes the blocks of a stretch one after the other, 256 distinct scores each.
//! 2. In a block, loops add each sum in eight lanes, in the same order on every machine.
//! 3. Blocks are added in twice the precision of `f64`, so the bits depend only on the table.
//! 4. The sum of mass times score of each block is kept. The sum over a range of scores (a bin)
//!    then takes few of these sums and both ends.
//! 5. The extremes of the cumulative differences are searched only in blocks that can exceed the
//!    extremes so far.
//!
//! Cost at 1e6 distinct scores: 2 ms for a separate pass, mostly for reading the table.
//!
//! Source of the cumulative differences: Arrieta-Ibarra, Gujral, Tannen, Tygert, Xu 2022, Journal
//! of Machine Learning Research 23(351).
//!
//! Rejected:
//! - several sums in one loop of eight lanes (the compiler did not vectorise it: four times as
//!   long);
//! - twofold precision score by score (four times the cost);
//! - running totals of mass times score (the memory of one more table, and their differences
//!   cancel).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::logarithm::ln;
use crate::arith::products::Products;
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::blocks::{Added, BLOCK, Block, With, added, lanes};
use crate::scores::score_table::ScoreTable;

/// Means over all rows, and extremes, of a table whose scores are probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The power of two by which masses were multiplied.
    pub(crate) scale: f64,
    /// The sum of mass times score of each block of scores, scaled.
    pub(crate) blocks: Vec<f64>,
    /// The masses of both classes, scaled.
    pub(crate) positives: f64,
    pub(crate) negatives: f64,
    /// The mean score.
    pub score: f64,
    /// The mean of (score − truth)².
    pub brier: f64,
    /// The mean of p (1 − p) (1 − 2p)².
    pub variance: f64,
    /// The mean of (truth − p) (1 − 2p).
    pub drift: f64,
    /// The mean over rows of (score − share of positives among rows with this score)².
    pub reliability: f64,
    /// The mean over rows of the variance of the truth among rows with this score.
    pub refinement: f64,
    /// The largest absolute sum of (truth − score) over all rows up to a score, divided by the
    /// number of rows.
    pub cumulative: f64,
    /// The range of the cumulative sums of (truth − score), including the sums over no rows and all
    /// rows, divided by the number of rows.
    pub span: f64,
}

/// The state of computing [`Moments`], block by block from the highest scores down.
pub(crate) struct MomentSums {
    /// The factor for masses.
    scale: f64,
    positives: f64,
    negatives: f64,
    blocks: Vec<f64>,
    totals: [Products; SUMS],
    /// Cumulative differences from the highest score down, and their extremes.
    height: Products,
    low: f64,
    high: f64,
    scaled: Option<Box<Block>>,
}

impl Moments {
    /// The moments of a table whose scores are probabilities; `None` without rows, or if a score
    /// lies outside [0, 1].
    pub fn of(table: &ScoreTable) -> Option<Self> {
        if table.is_empty() || !table.are_probabilities() {
            return None;
        }
        Some(added(table, With::SCORES, || MomentSums::new(table)).finish())
    }
}

impl MomentSums {
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let (positives, negatives) = table.totals();
        let scale = table.scale_of_rows();
        Self {
            scale,
            positives: positives * scale,
            negatives: negatives * scale,
            blocks: Vec::new(),
            totals: [Products::default(); SUMS],
            height: Products::default(),
            low: 0.0,
            high: 0.0,
            scaled: None,
        }
    }

    fn add(&mut self, block: &Block) {
        let sums = if block.single { plain_sums(block) } else { block_sums(block) };
        self.blocks.grow(sums[0]);
        for (total, sum) in self.totals.iter_mut().zip(sums) {
            *total = total.plus(sum, 1.0);
        }
        // Few blocks contain an extreme of the cumulative differences; only those where it is
        // possible are searched.
        let (up, down) = block_reach(block);
        let mut at = self.height.value();
        if at + up >= self.high || at - down <= self.low {
            for [sum, least, most] in block_runs(block) {
                (self.low, self.high) = (self.low.min(at + least), self.high.max(at + most));
                at += sum;
            }
        }
        self.height = self.height.plus(up, 1.0).plus(down, -1.0);
    }

    pub(crate) fn finish(self) -> Moments {
        let weight = self.positives + self.negatives;
        let [score, brier, variance, drift, reliability, refinement] =
            self.totals.map(|total| total.value() / weight);
        // From the lowest score up, the sums are the remainder of the total.
        let whole = self.height.value();
        let cumulative = (whole - self.low).abs().max((whole - self.high).abs());
        Moments {
            scale: self.scale,
            blocks: self.blocks,
            positives: self.positives,
            negatives: self.negatives,
            score: score.min(1.0),
            brier: brier.min(1.0),
            variance,
            drift,
            reliability: reliability.min(1.0),
            refinement,
            cumulative: (cumulative / weight).min(1.0),
            span: ((self.high - self.low) / weight).min(1.0),
        }
    }
}

impl Added for MomentSums {
    /// Adds a block, whose scores must lie in [0, 1].
    fn take(&mut self, _: &ScoreTable, _: usize, block: &Block) {
        let mut scaled = self.scaled.take();
        self.add(block.scaled((self.scale, self.scale), &mut scaled));
        self.scaled = scaled;
    }

    fn then(&mut self, later: Self) {
        self.blocks.grow_by(&later.blocks);
        for (total, later) in self.totals.iter_mut().zip(later.totals) {
            *total = total.plus_sum(later);
        }
        let at = self.height.value();
        self.low = self.low.min(at + later.low);
        self.high = self.high.max(at + later.high);
        self.height = self.height.plus_sum(later.height);
    }
}

impl Moments {
    /// The Brier score of predicting the prevalence for every row: p (1 − p).
    pub fn uncertainty(&self) -> f64 {
        let all = self.positives + self.negatives;
        self.positives / all * (self.negatives / all)
    }

    /// The logarithmic loss of predicting the prevalence for every row, in nats.
    pub fn entropy(&self) -> f64 {
        let all = self.positives + self.negatives;
        let part = |mass: f64| {
            let share = mass / all;
            if share > 0.0 { -share * ln(share) } else { 0.0 }
        };
        part(self.positives) + part(self.negatives)
    }

    /// The number, or weight, of rows.
    pub fn weight(&self) -> f64 {
        self.positives / self.scale + self.negatives / self.scale
    }

    /// The share of positives.
    pub fn prevalence(&self) -> f64 {
        self.positives / (self.positives + self.negatives)
    }
}

/// The number of sums of a block.
const SUMS: usize = 6;

/// The number of runs into which a block's cumulative differences are split.
const RUNS: usize = 8;

wide! {
    fn block_sums[](block: &Block) -> [f64; SUMS] = block_sums_body;
    fn plain_sums[](block: &Block) -> [f64; SUMS] = plain_sums_body;
    fn block_reach[](block: &Block) -> (f64, f64) = block_reach_body;
    fn block_runs[](block: &Block) -> [[f64; 3]; RUNS] = block_runs_body;
}

/// The excess of positives over expectation, for p positives and n negatives with one score: p (1 −
/// score) − n score.
#[inline(always)]
fn excess(score: f64, p: f64, n: f64) -> f64 {
    p * (1.0 - score) - n * score
}

#[inline(always)]
fn block_sums_body(block: &Block) -> [f64; SUMS] {
    sums_of(block, false)
}

/// For a block with one row for each score: the variance of the truth at a score is 0, and the
/// error is the whole difference.
#[inline(always)]
fn plain_sums_body(block: &Block) -> [f64; SUMS] {
    sums_of(block, true)
}

#[inline(always)]
fn sums_of(block: &Block, is_plain: bool) -> [f64; SUMS] {
    let (scores, p, n) = (block.scores(), &block.p, &block.n);
    let bend = |i: usize| (1.0 - scores[i]) - scores[i];
    let expected = |i: usize| (p[i] + n[i]) * scores[i];
    let excess = |i: usize| excess(scores[i], p[i], n[i]);
    let score = lanes(expected);
    let brier = lanes(|i| {
        let other = 1.0 - scores[i];
        p[i] * (other * other) + n[i] * (scores[i] * scores[i])
    });
    let variance = lanes(|i| expected(i) * (1.0 - scores[i]) * (bend(i) * bend(i)));
    let drift = lanes(|i| excess(i) * bend(i));
    if is_plain {
        return [score, brier, variance, drift, brier, 0.0];
    }
    let rows = |i: usize| {
        let all = p[i] + n[i];
        if all > 0.0 { all } else { 1.0 }
    };
    let reliability = lanes(|i| excess(i) * (excess(i) / rows(i)));
    let refinement = lanes(|i| p[i] * (n[i] / rows(i)));
    [score, brier, variance, drift, reliability, refinement]
}

/// Upper bounds of the rise and the fall of the cumulative differences in a block.
#[inline(always)]
fn block_reach_body(block: &Block) -> (f64, f64) {
    let scores = block.scores();
    let up = lanes(|i| block.p[i] * (1.0 - scores[i]));
    let down = lanes(|i| block.n[i] * scores[i]);
    (up, down)
}

/// For each run of the block's scores: the sum of the excesses, and the smallest and largest
/// partial sum.
#[inline(always)]
fn block_runs_body(block: &Block) -> [[f64; 3]; RUNS] {
    let scores = block.scores();
    let mut all = [0.0; BLOCK];
    for place in 0..BLOCK {
        all[place] = excess(scores[place], block.p[place], block.n[place]);
    }
    // Runs are processed side by side, since they do not depend on each other.
    let (mut sums, mut least, mut most) = ([0.0_f64; RUNS], [0.0_f64; RUNS], [0.0_f64; RUNS]);
    for place in 0..BLOCK / RUNS {
        for run in 0..RUNS {
            sums[run] += all[run * (BLOCK / RUNS) + place];
            least[run] = if sums[run] < least[run] { sums[run] } else { least[run] };
            most[run] = if sums[run] > most[run] { sums[run] } else { most[run] };
        }
    }
    let mut runs = [[0.0; 3]; RUNS];
    for run in 0..RUNS {
        runs[run] = [sums[run], least[run], most[run]];
    }
    runs
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// (is positive, score, weight) of rows.
    pub(crate) type Rows = Vec<(bool, f64, f64)>;

    pub(crate) fn table(rows: &Rows, weighted: bool, narrow: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| u8::from(row.0)).collect();
        let s: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let singles: Vec<f32> = s.iter().map(|&s| s as f32).collect();
        let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let scores = if narrow {
            Scores::F32(Column::from_slice(&singles))
        } else {
            Scores::F64(Column::from_slice(&s))
        };
        score_table(
            &Labels::U8(Column::from_slice(&y)),
            &scores,
            weighted.then(|| Column::from_slice(&w[..])),
            &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
        )
        .unwrap()
    }

    pub(crate) fn rows(most: usize) -> impl Strategy<Value = Rows> {
        // Sixty-fourths, which singles represent too, so that scores tie and lie on edges.
        let score = prop_oneof![
            (0_u8..=64).prop_map(|x| f64::from(x) / 64.0),
            (0.0_f32..=1.0).prop_map(f64::from)
        ];
        let weight = (1_u8..9).prop_map(|x| f64::from(x) / 4.0);
        prop::collection::vec((any::<bool>(), score, weight), 1..most)
    }

    pub(crate) fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs().max(1.0)
    }

    proptest! {
        #[test]
        fn moments_are_those_of_the_rows(rows in rows(700), weighted: bool, narrow: bool) {
            let table = table(&rows, weighted, narrow);
            let found = Moments::of(&table).unwrap();
            let all: Vec<(f64, f64, f64)> = rows.iter()
                .map(|&(y, s, w)| (f64::from(u8::from(y)), s, if weighted { w } else { 1.0 })).collect();
            let total: f64 = all.iter().map(|row| row.2).sum();
            let mean = |of: &dyn Fn(f64, f64) -> f64| all.iter().map(|&(y, s, w)| w * of(y, s)).sum::<f64>() / total;
            prop_assert!(near(found.weight(), total));
            prop_assert!(near(found.score, mean(&|_, s| s)));
            prop_assert!(near(found.brier, mean(&|y, s| (s - y) * (s - y))));
            prop_assert!(near(found.variance, mean(&|_, s| s * (1.0 - s) * (1.0 - 2.0 * s) * (1.0 - 2.0 * s))));
            prop_assert!(near(found.drift, mean(&|y, s| (y - s) * (1.0 - 2.0 * s))));
            let rate = |score: f64| {
                let those = || all.iter().filter(|row| row.1 == score);
                those().map(|row| row.0 * row.2).sum::<f64>() / those().map(|row| row.2).sum::<f64>()
            };
            prop_assert!(near(found.reliability, mean(&|_, s| (s - rate(s)) * (s - rate(s)))));
            prop_assert!(near(found.refinement, mean(&|_, s| rate(s) * (1.0 - rate(s)))));
            // Cumulative differences, after each distinct score from the lowest up.
            let mut scores: Vec<f64> = all.iter().map(|row| row.1).collect();
            scores.sort_by(f64::total_cmp);
            scores.dedup();
            let upto = |score: f64| all.iter().filter(|row| row.1 <= score).map(|row| row.2 * (row.0 - row.1)).sum::<f64>() / total;
            let sums: Vec<f64> = std::iter::once(0.0).chain(scores.iter().map(|&score| upto(score))).collect();
            let (low, high) = sums.iter().fold((0.0_f64, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
            prop_assert!(near(found.cumulative, high.max(-low)));
            prop_assert!(near(found.span, high - low));
        }
    }
}
