//! Scores as probabilities: how often what was given a probability came true, in bins and over all scores.
//!
//! Everything is read from a [`ScoreTable`] whose scores lie in [0, 1]. Rows of one score are alike, so the distinct scores and
//! the amounts of both classes at each are all there is to know; nothing is sorted again.
//!
//! One walk over the table, 256 scores at a time, gives what many readers want and is kept ([`Moments`]): sums over all
//! scores, the extremes of the cumulative differences, and for each 256 scores the sum of amount times score, so that the sum
//! over any run of scores (a bin) is a sum over few of these and two ends. Bins are found by bisection. In a block eight lanes
//! add side by side, on every machine in the same order; blocks are added to twice the precision of `f64`. So bits
//! depend on the table only. [`ScoreTable::prepare`] takes this walk along with its own.
//!
//! Isotonic regression is the convex hull of the ROC curve ([`ScoreTable::roc_hull`]): between two vertices all scores
//! are given one probability, the share of positives there.
//!
//! Extremes of the cumulative differences are looked for only in blocks that can reach beyond the last ones.
//!
//! Cost at 1e6 distinct scores: 2 ms for the walk, most of it for reading the table; microseconds for bins.
//! Rejected: several sums in one loop of eight lanes (the compiler made no vectors of it: four times as long); twofold precision score by score (four times the cost); running totals of amount times score (the memory of
//! one more table, and differences of them cancel).
//!
//! Sources: the decomposition by isotonic regression: Dimitriadis, Gneiting, Jordan 2021, doi:10.1073/pnas.2016191118; cumulative
//! differences: Arrieta-Ibarra, Gujral, Tannen, Tygert, Xu 2022, Journal of Machine Learning Research 23(351).

// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::{Fixed, Sums};
use crate::arith::logarithm::ln;
use crate::arith::products::{Products, difference_of_products, unit_scale};
use crate::base::wide::wide;
use crate::scores::ranking::block::{BLOCK, Block, LANES, lanes};
use crate::scores::score_table::{Amounts, ScoreTable, first_place};

/// How the bins of a calibration curve are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binning {
    /// Bins of one width over [0, 1].
    Uniform,
    /// Bins of equal weight, as nearly as equal scores allow: bin i of n takes a score if the share of the weight below it is at
    /// least i/n and less than (i + 1)/n.
    Quantile,
    /// The scores to which isotonic regression gives one probability.
    Isotonic,
}

/// How differences between the rates of bins and their scores become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Their mean size, weighted by the bins' rows.
    Mean,
    /// The root of their weighted mean square.
    RootMeanSquare,
    /// The greatest.
    Max,
}

/// The rows of each bin that has any, from the lowest scores to the highest.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CalibrationBins {
    /// Where each bin begins; it takes scores from here on.
    pub lower: Vec<f64>,
    /// Where it ends: it takes scores below this, the last bin this very score too.
    pub upper: Vec<f64>,
    /// The amount of positives in it.
    pub positives: Vec<f64>,
    /// The amount of negatives in it.
    pub negatives: Vec<f64>,
    /// The sum of amount times score.
    pub score: Vec<f64>,
    /// Bins that were left out because they have no rows.
    pub empty: usize,
}

impl CalibrationBins {
    /// The number of bins with rows.
    pub fn len(&self) -> usize {
        self.score.len()
    }

    /// Whether no bin has rows.
    pub fn is_empty(&self) -> bool {
        self.score.is_empty()
    }

    /// The amount of rows in a bin.
    pub fn weight(&self, bin: usize) -> f64 {
        self.positives[bin] + self.negatives[bin]
    }

    /// The calibration error: the differences between how often a bin came true and its mean score, by a norm; `None` without
    /// rows.
    pub fn error(&self, norm: Norm) -> Option<f64> {
        let bins = 0..self.len();
        let total: f64 = bins.clone().map(|bin| self.weight(bin)).sum();
        if total <= 0.0 {
            return None;
        }
        let gap = |bin: usize| {
            let gap = (self.positives[bin] - self.score[bin]).abs() / self.weight(bin);
            gap.min(1.0)
        };
        let share = |bin: usize| self.weight(bin) / total;
        let error = match norm {
            Norm::Mean => bins.map(|bin| share(bin) * gap(bin)).sum::<f64>(),
            Norm::RootMeanSquare => {
                let square = |bin: usize| share(bin) * (gap(bin) * gap(bin));
                bins.map(square).sum::<f64>().sqrt()
            }
            Norm::Max => bins.map(gap).fold(0.0, f64::max),
        };
        Some(error.min(1.0))
    }
}

/// Means over all rows, and extremes, of a table whose scores are probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The power of two that amounts were multiplied by.
    scale: f64,
    /// The sum of amount times score of each block of scores, scaled.
    blocks: Vec<f64>,
    /// The amounts of both classes, scaled.
    positives: f64,
    negatives: f64,
    /// The mean score.
    pub score: f64,
    /// The mean of (score − truth)².
    pub brier: f64,
    /// The mean of p (1 − p) (1 − 2p)².
    pub variance: f64,
    /// The mean of (truth − p) (1 − 2p).
    pub drift: f64,
    /// The mean over rows of (score − share of positives among the rows of that score)².
    pub reliability: f64,
    /// The mean over rows of the variance of the truth among the rows of that score.
    pub refinement: f64,
    /// The greatest absolute sum of (truth − score) over all rows up to a score, over the number of rows.
    pub cumulative: f64,
    /// The greatest less the least of these sums, none of the rows and all of them among them, over the number of rows.
    pub span: f64,
}

/// The parts of a mean score by isotonic regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decomposition {
    /// The mean score itself: miscalibration − discrimination + uncertainty.
    pub score: f64,
    /// By how much it would fall if the scores were recalibrated.
    pub miscalibration: f64,
    /// By how much the recalibrated scores are better than the prevalence for every row.
    pub discrimination: f64,
    /// The score of the prevalence for every row.
    pub uncertainty: f64,
}

/// What may be decomposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The Brier score.
    Brier,
    /// The logarithmic loss, in nats.
    LogLoss,
}

impl ScoreTable {
    /// The means that indices of probabilities want, found once and kept; `None` without rows or if a score lies outside [0, 1].
    pub fn moments(&self) -> Option<&Moments> {
        self.known
            .moments
            .get_or_init(|| {
                let rows = !self.is_empty() && self.are_probabilities();
                rows.then(|| self.find_moments())
            })
            .as_ref()
    }

    fn find_moments(&self) -> Moments {
        let mut sums = MomentSums::new(self);
        self.blocks(0..self.len(), true, |_, block| sums.take(block));
        sums.finish()
    }

    /// The mean of −ln of the probability given to what came true, cut to [eps, 1 − eps], eps the machine epsilon of the scores'
    /// type; found once and kept. `None` as in [`Self::moments`].
    pub fn mean_log_loss(&self) -> Option<f64> {
        self.moments()?;
        self.log_loss().map(|loss| loss.max(0.0))
    }

    /// The machine epsilon of the scores' type; integers are exact, so that of `f64`.
    pub(crate) fn least_probability(&self) -> f64 {
        self.kind().epsilon()
    }

    /// The Brier score, or the logarithmic loss, and what it is made of; `None` as in [`Self::moments`].
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    /// use rocksteady::scores::calibration::bins::Rule;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.25, 0.75, 0.75]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let parts = table.decomposition(Rule::Brier).unwrap();
    /// assert_eq!((parts.score, parts.uncertainty), (0.1875, 0.1875));
    /// assert_eq!((parts.miscalibration, parts.discrimination), (0.0625, 0.0625));
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    pub fn decomposition(&self, rule: Rule) -> Option<Decomposition> {
        let moments = self.moments()?;
        let score = match rule {
            Rule::Brier => moments.brier,
            Rule::LogLoss => self.mean_log_loss()?,
        };
        let [brier, log_loss] = *self.known.recalibrated.get_or_init(|| {
            let mut sums = [Products::default(); 2];
            for ends in self.roc_hull().predicted.windows(2) {
                let (p, n) = self.between(ends[0], ends[1]);
                let (p, n) = (p * moments.scale, n * moments.scale);
                sums[0] = sums[0].plus(p, n / (p + n));
                for own in [p, n].into_iter().filter(|&own| own > 0.0) {
                    sums[1] = sums[1].plus(-own, ln(own / (p + n)));
                }
            }
            sums.map(|sum| sum.value() / (moments.positives + moments.negatives))
        });
        let (recalibrated, uncertainty) = match rule {
            Rule::Brier => (brier, moments.uncertainty()),
            Rule::LogLoss => (log_loss, moments.entropy()),
        };
        Some(Decomposition {
            score,
            miscalibration: (score - recalibrated).max(0.0),
            discrimination: (uncertainty - recalibrated).max(0.0),
            uncertainty,
        })
    }

    /// The amounts of the scores from place `start` on, before place `end`.
    fn between(&self, start: usize, end: usize) -> (f64, f64) {
        fn of<F: Fixed>(sums: &[F], start: usize, end: usize, quantum: i32) -> (f64, f64) {
            let (p, n) = sums.split_at(sums.len() / 2);
            let upto = |sums: &[F], end: usize| match end.checked_sub(1) {
                Some(place) => sums[place],
                None => F::default(),
            };
            let part = |sums| upto(sums, end).minus(upto(sums, start)).to_f64(quantum);
            (part(p), part(n))
        }
        match self.amounts() {
            Amounts::Counts {
                positives,
                negatives,
            } => {
                let upto = |sums: &[u64], end: usize| end.checked_sub(1).map_or(0, |at| sums[at]);
                let part = |sums: &[u64]| (upto(sums, end) - upto(sums, start)) as f64;
                (part(positives), part(negatives))
            }
            Amounts::Weights(sums) => {
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => of(sums, start, end, quantum),
                    Sums::Wide(sums) => of(sums, start, end, quantum),
                }
            }
        }
    }

    /// The rows in bins; `bins` is not looked at for [`Binning::Isotonic`]. `None` as in [`Self::moments`].
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    /// use rocksteady::scores::calibration::bins::{Binning, Norm};
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.5, 0.75, 1.0]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let bins = table.calibration_bins(2, Binning::Uniform).unwrap();
    /// assert_eq!((bins.positives.clone(), bins.score.clone()), (vec![0.0, 2.0], vec![0.25, 2.25]));
    /// assert_eq!(bins.error(Norm::Mean), Some(0.125));
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    pub fn calibration_bins(&self, bins: usize, binning: Binning) -> Option<CalibrationBins> {
        let moments = self.moments()?;
        let scores = self.len();
        // How many scores, from the highest on, are at or above the lower edge of each bin, from the lowest bin up.
        let edge = |bin: usize| bin as f64 / bins as f64;
        let above: Vec<usize> = match binning {
            Binning::Uniform => (0..bins)
                .map(|bin| first_place(scores, |place| self.score(place) < edge(bin)))
                .collect(),
            Binning::Quantile => self.equal_weights(bins),
            Binning::Isotonic => {
                let vertices = self.roc_hull().predicted.iter().rev();
                vertices.copied().filter(|&above| above > 0).collect()
            }
        };
        let mut found = CalibrationBins::default();
        for (bin, &end) in above.iter().enumerate() {
            let start = above.get(bin + 1).copied().unwrap_or(0);
            if start == end {
                found.empty += 1;
                continue;
            }
            let (p, n) = self.between(start, end);
            found.positives.push(p);
            found.negatives.push(n);
            found.score.push(self.sum_of_scores(moments, start, end));
            if binning == Binning::Uniform {
                found.lower.push(edge(bin));
                found.upper.push(edge(bin + 1));
            } else {
                found.lower.push(self.score(end - 1));
            }
        }
        if binning != Binning::Uniform {
            found.upper = found.lower[1..].to_vec();
            found.upper.push(self.score(0));
        }
        Some(found)
    }

    /// For each of so many bins of equal weight how many scores, from the highest on, are in it or above.
    fn equal_weights(&self, bins: usize) -> Vec<usize> {
        let reaches = |place: usize, bin: usize| -> bool {
            if let Amounts::Counts {
                positives,
                negatives,
            } = self.amounts()
            {
                let rows =
                    |place: usize| u128::from(positives[place]) + u128::from(negatives[place]);
                let all = rows(self.len() - 1);
                return (all - rows(place)) * bins as u128 >= bin as u128 * all;
            }
            // Sums that are rounded once; what is equal but for that is equal.
            let (p, n) = self.totals();
            let scale = unit_scale(p + n);
            let all = (p + n) * scale;
            let counts = self.counts_of_first(place + 1);
            let below = (counts.fn_ + counts.tn) * scale;
            let beyond = difference_of_products(below, bins as f64, bin as f64, all);
            beyond >= -4.0 * f64::EPSILON * bin as f64 * all
        };
        (0..bins)
            .map(|bin| first_place(self.len(), |place| !reaches(place, bin)))
            .collect()
    }

    /// The sum of amount times score over the scores from place `start` on, before place `end`.
    fn sum_of_scores(&self, moments: &Moments, start: usize, end: usize) -> f64 {
        let mut sum = Products::default();
        let mut one_by_one = |start: usize, end: usize| {
            for place in start..end {
                let (p, n) = self.between(place, place + 1);
                sum = sum.plus((p + n) * moments.scale, self.score(place));
            }
        };
        let (whole, last) = (start.div_ceil(BLOCK), end / BLOCK);
        if whole >= last {
            one_by_one(start, end);
        } else {
            one_by_one(start, whole * BLOCK);
            one_by_one(last * BLOCK, end);
            for &block in &moments.blocks[whole..last] {
                sum = sum.plus(block, 1.0);
            }
        }
        sum.value() / moments.scale
    }

    /// What amounts are multiplied by where products of them are summed: 1 for counts.
    pub(crate) fn scale_of_rows(&self) -> f64 {
        let (positives, negatives) = self.totals();
        if self.is_weighted() {
            unit_scale(positives + negatives)
        } else {
            1.0
        }
    }
}

/// [`Moments`] while blocks go by, from the highest scores down.
pub(crate) struct MomentSums {
    /// What amounts are multiplied by.
    scale: f64,
    positives: f64,
    negatives: f64,
    blocks: Vec<f64>,
    totals: [Products; SUMS],
    /// Cumulative differences from the highest score down, and their extremes.
    height: Products,
    low: f64,
    high: f64,
    room: Option<Box<Block>>,
}

impl MomentSums {
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let (positives, negatives) = table.totals();
        let scale = table.scale_of_rows();
        Self {
            scale,
            positives: positives * scale,
            negatives: negatives * scale,
            blocks: Vec::with_capacity(table.len().div_ceil(BLOCK)),
            totals: [Products::default(); SUMS],
            height: Products::default(),
            low: 0.0,
            high: 0.0,
            room: None,
        }
    }

    /// Adds a block, whose scores must lie in [0, 1].
    pub(crate) fn take(&mut self, block: &Block) {
        let mut room = self.room.take();
        self.add(block.scaled((self.scale, self.scale), &mut room));
        self.room = room;
    }

    fn add(&mut self, block: &Block) {
        let sums = if block.single {
            plain_sums(block)
        } else {
            block_sums(block)
        };
        self.blocks.push(sums[0]);
        for (total, sum) in self.totals.iter_mut().zip(sums) {
            *total = total.plus(sum, 1.0);
        }
        // Few blocks have an extreme of the cumulative differences; it is looked for where one can be.
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
        // From the lowest score up the sums are what is left of the whole.
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

impl Moments {
    /// The Brier score of the prevalence for every row: p (1 − p).
    pub fn uncertainty(&self) -> f64 {
        let all = self.positives + self.negatives;
        self.positives / all * (self.negatives / all)
    }

    /// The logarithmic loss of the prevalence for every row, in nats.
    pub fn entropy(&self) -> f64 {
        let all = self.positives + self.negatives;
        let part = |amount: f64| {
            let share = amount / all;
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

/// Sums of a block.
const SUMS: usize = 6;

/// Runs that the cumulative differences of a block are taken in.
const RUNS: usize = 8;

wide! {
    fn block_sums[](block: &Block) -> [f64; SUMS] = block_sums_body;
    fn plain_sums[](block: &Block) -> [f64; SUMS] = plain_sums_body;
    fn block_reach[](block: &Block) -> (f64, f64) = block_reach_body;
    fn block_runs[](block: &Block) -> [[f64; 3]; RUNS] = block_runs_body;
}

/// Positives beyond what the score promises, among p positives and n negatives of one score: p (1 − score) − n score.
#[inline(always)]
fn excess(score: f64, p: f64, n: f64) -> f64 {
    p * (1.0 - score) - n * score
}

#[inline(always)]
fn block_sums_body(block: &Block) -> [f64; SUMS] {
    sums_of(block, false)
}

/// The same where every score is that of one row: its truth varies by nothing, and misses the score by the whole error.
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

/// The sum of lanes.
#[inline(always)]
pub(crate) fn whole([a, b, c, d, e, f, g, h]: [f64; LANES]) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Of each run of the block's scores the sum of the excesses, and the least and the greatest sum on the way.
/// By how much at most the cumulative differences may rise and fall in a block.
#[inline(always)]
fn block_reach_body(block: &Block) -> (f64, f64) {
    let scores = block.scores();
    let up = lanes(|i| block.p[i] * (1.0 - scores[i]));
    let down = lanes(|i| block.n[i] * scores[i]);
    (up, down)
}

#[inline(always)]
fn block_runs_body(block: &Block) -> [[f64; 3]; RUNS] {
    let scores = block.scores();
    let mut all = [0.0; BLOCK];
    for place in 0..BLOCK {
        all[place] = excess(scores[place], block.p[place], block.n[place]);
    }
    // Runs go side by side, as none waits for another.
    let (mut sums, mut least, mut most) = ([0.0_f64; RUNS], [0.0_f64; RUNS], [0.0_f64; RUNS]);
    for place in 0..BLOCK / RUNS {
        for run in 0..RUNS {
            sums[run] += all[run * (BLOCK / RUNS) + place];
            least[run] = if sums[run] < least[run] {
                sums[run]
            } else {
                least[run]
            };
            most[run] = if sums[run] > most[run] {
                sums[run]
            } else {
                most[run]
            };
        }
    }
    let mut runs = [[0.0; 3]; RUNS];
    for run in 0..RUNS {
        runs[run] = [sums[run], least[run], most[run]];
    }
    runs
}

/// A probability cut to [least, 1 − least].
#[inline(always)]
pub(crate) fn cut(x: f64, least: f64) -> f64 {
    let x = if x > least { x } else { least };
    if x < 1.0 - least { x } else { 1.0 - least }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use proptest::prelude::*;

    /// (is positive, score, weight) of rows.
    type Rows = Vec<(bool, f64, f64)>;

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
            &RankOptions {
                pos_label: Some(Label::Int(1)),
                ..RankOptions::default()
            },
        )
        .unwrap()
    }

    pub(crate) fn rows(most: usize) -> impl Strategy<Value = Rows> {
        // Sixty-fourths, which singles hold too, so that scores tie and lie on edges.
        let score = prop_oneof![
            (0_u8..=64).prop_map(|x| f64::from(x) / 64.0),
            (0.0_f32..=1.0).prop_map(f64::from)
        ];
        let weight = (1_u8..9).prop_map(|x| f64::from(x) / 4.0);
        prop::collection::vec((any::<bool>(), score, weight), 1..most)
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs().max(1.0)
    }

    proptest! {
        #[test]
        fn moments_are_those_of_the_rows(rows in rows(700), weighted: bool, narrow: bool) {
            let table = table(&rows, weighted, narrow);
            let found = table.moments().unwrap();
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
            let least = if narrow { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let given = |y: f64, s: f64| (if y > 0.0 { s } else { 1.0 - s }).clamp(least, 1.0 - least);
            prop_assert!(near(table.mean_log_loss().unwrap(), mean(&|y, s| -given(y, s).ln())));
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

        #[test]
        fn bins_hold_the_rows_of_their_scores(rows in rows(700), weighted: bool, narrow: bool, bins in 1_usize..40) {
            let table = table(&rows, weighted, narrow);
            for binning in [Binning::Uniform, Binning::Quantile, Binning::Isotonic] {
                let found = table.calibration_bins(bins, binning).unwrap();
                let mut rows_met = 0;
                for bin in 0..found.len() {
                    let last = bin + 1 == found.len() && (binning != Binning::Uniform || found.upper[bin] == 1.0);
                    let inside = |s: f64| s >= found.lower[bin] && (s < found.upper[bin] || last && s <= found.upper[bin]);
                    let those: Vec<_> = rows.iter().filter(|row| inside(row.1)).collect();
                    rows_met += those.len();
                    let sum = |of: &dyn Fn(bool, f64) -> f64| those.iter()
                        .map(|row| of(row.0, row.1) * if weighted { row.2 } else { 1.0 }).sum::<f64>();
                    prop_assert!(!those.is_empty());
                    prop_assert!(near(found.positives[bin], sum(&|y, _| f64::from(u8::from(y)))));
                    prop_assert!(near(found.negatives[bin], sum(&|y, _| f64::from(u8::from(!y)))));
                    prop_assert!(near(found.score[bin], sum(&|_, s| s)));
                }
                prop_assert_eq!(rows_met, rows.len());
                if binning != Binning::Isotonic {
                    prop_assert_eq!(found.len() + found.empty, bins);
                }
                if binning == Binning::Isotonic {
                    let rate = |bin: usize| found.positives[bin] / found.weight(bin);
                    prop_assert!((1..found.len()).all(|bin| rate(bin - 1) < rate(bin)));
                }
            }
            // A score is in the bin that the weight below it says.
            let found = table.calibration_bins(bins, Binning::Quantile).unwrap();
            let weight = |upto: f64| rows.iter().filter(|row| row.1 < upto).map(|row| if weighted { row.2 } else { 1.0 }).sum::<f64>();
            let total = weight(2.0);
            let place = |score: f64| (weight(score) * bins as f64 / total) as usize;
            let distinct: std::collections::BTreeSet<usize> = rows.iter().map(|row| place(row.1)).collect();
            prop_assert_eq!(distinct.len(), found.len());
            for bin in 1..found.len() {
                let below = rows.iter().map(|row| row.1).filter(|&s| s < found.lower[bin]).fold(0.0, f64::max);
                prop_assert!(place(below) < place(found.lower[bin]));
            }
        }

        /// Pooling adjacent violators, one score after the other.
        #[test]
        fn parts_are_those_of_pooled_violators(rows in rows(200), weighted: bool) {
            let table = table(&rows, weighted, false);
            let mut scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            scores.sort_by(f64::total_cmp);
            scores.dedup();
            let mut pools: Vec<(f64, f64)> = Vec::new();
            for &score in &scores {
                let those = || rows.iter().filter(|row| row.1 == score);
                let weight = |row: &(bool, f64, f64)| if weighted { row.2 } else { 1.0 };
                let p: f64 = those().filter(|row| row.0).map(weight).sum();
                pools.push((p, those().map(weight).sum()));
                while let [.., (a, v), (b, w)] = pools[..] && a * w >= b * v {
                    pools.truncate(pools.len() - 2);
                    pools.push((a + b, v + w));
                }
            }
            let total: f64 = pools.iter().map(|pool| pool.1).sum();
            let brier: f64 = pools.iter().map(|(p, w)| p * (w - p) / w).sum::<f64>() / total;
            let log = |x: f64, w: f64| if x > 0.0 { -x * (x / w).ln() } else { 0.0 };
            let log_loss: f64 = pools.iter().map(|&(p, w)| log(p, w) + log(w - p, w)).sum::<f64>() / total;
            for (rule, expected) in [(Rule::Brier, brier), (Rule::LogLoss, log_loss)] {
                let parts = table.decomposition(rule).unwrap();
                prop_assert!(near(parts.score - parts.miscalibration, expected));
                prop_assert!(near(parts.uncertainty - parts.discrimination, expected));
            }
        }
    }

    #[test]
    fn counts_and_weights_of_any_size_have_the_same_means() {
        let rows: Rows = (0..600_i32)
            .map(|i| (i % 3 == 0, f64::from(i * 37 % 601) / 601.0, 1.0))
            .collect();
        let small = table(&rows, false, false);
        for factor in [2_f64.powi(40), 2_f64.powi(-700), 2_f64.powi(900)] {
            let scaled: Rows = rows.iter().map(|&(y, s, w)| (y, s, w * factor)).collect();
            let large = table(&scaled, true, false);
            let (a, b) = (small.moments().unwrap(), large.moments().unwrap());
            assert_eq!(
                (a.brier, a.reliability, a.cumulative, a.score),
                (b.brier, b.reliability, b.cumulative, b.score)
            );
            assert_eq!(small.mean_log_loss(), large.mean_log_loss());
            let of = |table: &ScoreTable| {
                table
                    .calibration_bins(7, Binning::Quantile)
                    .unwrap()
                    .error(Norm::Mean)
            };
            assert_eq!(of(&small), of(&large));
        }
    }

    #[test]
    fn scores_that_are_no_probabilities_have_none() {
        for score in [-0.25, 1.5] {
            let table = table(&vec![(true, 0.5, 1.0), (false, score, 1.0)], false, false);
            assert!(table.moments().is_none() && table.mean_log_loss().is_none());
            assert!(table.calibration_bins(3, Binning::Uniform).is_none());
            assert!(table.decomposition(Rule::Brier).is_none());
        }
    }
}
