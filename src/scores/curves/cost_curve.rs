//! Curves over what errors cost: cost curve, Brier curve, net benefit.
//!
//! * *Cost curve*: the least expected cost over the probability-cost of the positives, which holds prevalence and costs together. Each
//!   threshold is a straight line in it, and the least of all lines has a corner for each edge of the convex hull of the ROC
//!   curve ([`crate::scores::ranking::hull`]). Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5.
//! * *Brier curve*: the loss over the cost proportion c when the threshold is c itself, as it should be for true probabilities. The area
//!   under it is the Brier score. Hernández-Orallo, Flach, Ferri 2011, ICML 28.
//! * *Net benefit*: true positives less false ones, weighed by the odds of the threshold. Vickers, Elkin 2006,
//!   doi:10.1177/0272989X06295361.
//!
//! Each is one walk over the table, in blocks of counts that stay in cache; the cost curve only over the hull.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::error::{Refusal, Result};
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::{ScoreTable, Side};

/// Points in a block: 8 KiB of counts.
const BLOCK: usize = 256;

/// The least expected cost over all thresholds, as the corners of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct CostCurve {
    /// `p C(miss) / (p C(miss) + (1 - p) C(false alarm))`, p the prevalence: ascending from 0 to 1.
    pub probability_cost: Vec<f64>,
    /// `fnr * probability_cost + fpr * (1 - probability_cost)`, the least over all thresholds, in [0, 1/2]; NaN if a class is absent.
    pub expected_cost: Vec<f64>,
    /// How many of the distinct scores, from the top, are predicted positive by the best threshold from this corner to the next.
    pub predicted: Vec<usize>,
}

impl ScoreTable {
    /// The lower envelope of the cost lines of all thresholds.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let curve = table.cost_curve();
    /// assert_eq!(curve.probability_cost, [0.0, 0.5, 1.0]);
    /// assert_eq!(curve.expected_cost, [0.0, 0.25, 0.0]);
    /// assert_eq!(curve.predicted, [1, 3, 4]);
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn cost_curve(&self) -> CostCurve {
        let (positives, negatives) = self.totals();
        let hull = &self.roc_hull().predicted;
        let mut curve = CostCurve {
            probability_cost: vec![0.0],
            expected_cost: vec![0.0],
            predicted: vec![0],
        };
        if !(positives > 0.0 && negatives > 0.0) {
            return CostCurve {
                probability_cost: vec![0.0, 1.0],
                expected_cost: vec![f64::NAN; 2],
                predicted: vec![0, self.len()],
            };
        }
        let mut last = 0.0;
        for ends in hull.windows(2) {
            let (a, b) = (self.counts_of_first(ends[0]), self.counts_of_first(ends[1]));
            let (right, up) = ((b.fp - a.fp) / negatives, (b.tp - a.tp) / positives);
            let x = right / (right + up);
            if x > last {
                curve.probability_cost.push(x);
                let cost = (a.fn_ / positives) * x + (a.fp / negatives) * (1.0 - x);
                curve.expected_cost.push(cost);
                curve.predicted.push(ends[1]);
                last = x;
            } else if let Some(predicted) = curve.predicted.last_mut() {
                *predicted = ends[1];
            }
        }
        if last < 1.0 {
            curve.probability_cost.push(1.0);
            curve.expected_cost.push(0.0);
            curve.predicted.push(self.len());
        }
        curve
    }

    /// That all scores are probabilities.
    ///
    /// # Errors
    /// [`Refusal::Argument`] with the score that is none, and what it would have been needed for.
    pub fn need_probabilities(&self, what: &str) -> Result<()> {
        if self.are_probabilities() {
            return Ok(());
        }
        let (first, last) = (self.score(0), self.score(self.len() - 1));
        let found = if first <= 1.0 { last } else { first };
        let expected = format!("probabilities, from 0 to 1, for {what}");
        Err(Refusal::argument("y_score", found.to_string(), expected))
    }

    /// The corners of the Brier curve, the cost proportion ascending from 0 to 1: two at each distinct score, as the loss
    /// jumps there, and one at each end, so two more than twice the length of the table; at `c` it is
    /// `2 (c FP + (1 - c) FN) / n`, c the cost of a false alarm among that of both errors.
    ///
    /// # Errors
    /// If scores are no probabilities.
    pub fn fill_brier_curve(&self, cost_proportion: &mut [f64], loss: &mut [f64]) -> Result<()> {
        self.need_probabilities("the Brier curve")?;
        let (positives, negatives) = self.totals();
        let total = positives + negatives;
        let len = self.len();
        let end = 2 * len + 1;
        let nothing = if total > 0.0 { 0.0 } else { f64::NAN };
        (cost_proportion[0], cost_proportion[end]) = (0.0, 1.0);
        (loss[0], loss[end]) = (nothing, nothing);
        self.cells_and_scores(|start, cells, scores| {
            let stop = start + scores.len();
            let part = 1 + 2 * (len - stop)..1 + 2 * (len - start);
            let (to, loss) = (&mut cost_proportion[part.clone()], &mut loss[part]);
            losses(cells, scores, total, to, loss);
        });
        Ok(())
    }

    /// The net benefit at each distinct score, ascending, of predicting positive from that score on; and of calling every row positive.
    ///
    /// # Errors
    /// If scores are no probabilities.
    pub fn fill_net_benefit(&self, net_benefit: &mut [f64], treat_all: &mut [f64]) -> Result<()> {
        self.need_probabilities("the decision curve")?;
        let len = self.len();
        let totals = self.totals();
        self.cells_and_scores(|start, cells, scores| {
            let part = len - (start + scores.len())..len - start;
            let (net, all) = (&mut net_benefit[part.clone()], &mut treat_all[part]);
            benefits(cells, scores, totals, net, all);
        });
        Ok(())
    }

    /// The net benefit at one probability in [0, 1], and that of calling every row positive.
    pub fn net_benefit(&self, threshold: f64) -> (f64, f64) {
        let counts = self.at(threshold, Side::GreaterEqual);
        let (positives, negatives) = self.totals();
        let total = positives + negatives;
        (
            benefit(counts.tp, counts.fp, threshold, total),
            benefit(positives, negatives, threshold, total),
        )
    }

    /// Calls with blocks of scores from the top, and with the counts before and at each: one more than scores.
    fn cells_and_scores(&self, mut call: impl FnMut(usize, &Cells, &[f64])) {
        let mut cells = Cells::default();
        let mut tables = Vec::new();
        let mut scores = [0.0; BLOCK];
        for start in (0..self.len()).step_by(BLOCK) {
            let some = BLOCK.min(self.len() - start);
            let Cells { tp, fp, fn_, tn } = &mut cells;
            let columns = [tp, fp, fn_, tn].map(|column| &mut column[..=some]);
            if !self.fill_cells(start, columns) {
                tables.resize(some + 1, BinaryCounts::default());
                self.fill_counts(start, &mut tables);
                for (at, table) in tables.iter().enumerate() {
                    (cells.tp[at], cells.fp[at], cells.fn_[at]) = (table.tp, table.fp, table.fn_);
                }
            }
            self.fill_thresholds(start + 1, &mut scores[..some]);
            call(start, &cells, &scores[..some]);
        }
    }
}

/// Columns of counts: those above a block of scores, and at each of them.
struct Cells {
    tp: [f64; BLOCK + 1],
    fp: [f64; BLOCK + 1],
    fn_: [f64; BLOCK + 1],
    tn: [f64; BLOCK + 1],
}

impl Default for Cells {
    fn default() -> Self {
        let nothing = [0.0; BLOCK + 1];
        Self {
            tp: nothing,
            fp: nothing,
            fn_: nothing,
            tn: nothing,
        }
    }
}

#[inline(always)]
fn benefit(tp: f64, fp: f64, threshold: f64, total: f64) -> f64 {
    // At 1 the odds are infinite, and no row is wrong at any price if none is wrong.
    let price = if fp > 0.0 {
        fp * (threshold / (1.0 - threshold))
    } else {
        0.0
    };
    (tp - price) / total
}

#[inline(always)]
fn benefits_body(
    cells: &Cells,
    scores: &[f64],
    (positives, negatives): (f64, f64),
    net_benefit: &mut [f64],
    treat_all: &mut [f64],
) {
    let total = positives + negatives;
    let columns = net_benefit.iter_mut().rev().zip(treat_all.iter_mut().rev());
    let amounts = cells.tp[1..].iter().zip(&cells.fp[1..]);
    for ((net, all), ((&tp, &fp), &score)) in columns.zip(amounts.zip(scores)) {
        *net = benefit(tp, fp, score, total);
        *all = benefit(positives, negatives, score, total);
    }
}

#[inline(always)]
fn losses_body(
    cells: &Cells,
    scores: &[f64],
    total: f64,
    cost_proportion: &mut [f64],
    loss: &mut [f64],
) {
    let twice = 2.0 / total;
    let some = scores.len().min(BLOCK);
    // First all losses, then their order: each is a loop of vectors.
    let (mut at, mut above) = ([0.0; BLOCK], [0.0; BLOCK]);
    for (place, &score) in scores[..some].iter().enumerate() {
        at[place] = (score * cells.fp[place + 1] + (1.0 - score) * cells.fn_[place + 1]) * twice;
        above[place] = (score * cells.fp[place] + (1.0 - score) * cells.fn_[place]) * twice;
    }
    let (pairs, _) = cost_proportion.as_chunks_mut::<2>();
    let (losses, _) = loss.as_chunks_mut::<2>();
    for (c, &score) in pairs.iter_mut().zip(scores[..some].iter().rev()) {
        *c = [score, score];
    }
    let values = at[..some].iter().zip(&above[..some]).rev();
    for (loss, (&at, &above)) in losses.iter_mut().zip(values) {
        *loss = [at, above];
    }
}

wide! {
    fn benefits[](
        cells: &Cells, scores: &[f64], totals: (f64, f64), net_benefit: &mut [f64], treat_all: &mut [f64],
    ) -> () = benefits_body;
    fn losses[](
        cells: &Cells, scores: &[f64], total: f64, cost_proportion: &mut [f64], loss: &mut [f64],
    ) -> () = losses_body;
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn costs_are_those_of_each_threshold(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..4), 1..60), weighted: bool, x in 0.0..1.0,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| if weighted { f64::from(row.2) } else { 1.0 }).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &RankOptions { pos_label: Some(Label::Int(1)), ..RankOptions::default() },
            ).unwrap();
            let weigh = |label: u8, reached: &dyn Fn(f64) -> bool| -> f64 {
                (0..y.len()).filter(|&i| y[i] == label && reached(s[i])).map(|i| w[i]).sum()
            };
            let (positives, negatives) = (weigh(1, &|_| true), weigh(0, &|_| true));
            let total = positives + negatives;

            // The cost curve against the definition: the least over all thresholds.
            let curve = table.cost_curve();
            if positives > 0.0 && negatives > 0.0 {
                let least = s.iter().copied().chain([f64::INFINITY]).map(|t| {
                    weigh(1, &|s| s < t) / positives * x + weigh(0, &|s| s >= t) / negatives * (1.0 - x)
                }).fold(1.0, f64::min);
                let i = curve.probability_cost.iter().rposition(|&corner| corner <= x).unwrap();
                let (a, b) = (curve.probability_cost[i], curve.probability_cost[i + 1]);
                let (low, high) = (curve.expected_cost[i], curve.expected_cost[i + 1]);
                prop_assert!((low + (high - low) * (x - a) / (b - a) - least).abs() < 1e-12);
                let best = table.counts_of_first(curve.predicted[i]);
                prop_assert!((best.fn_ / positives * x + best.fp / negatives * (1.0 - x) - least).abs() < 1e-12);
            }

            // The Brier curve: its corners, and its area.
            let len = 2 * table.len() + 2;
            let (mut c, mut loss) = (vec![0.0; len], vec![0.0; len]);
            table.fill_brier_curve(&mut c, &mut loss).unwrap();
            for i in 0..len - 1 {
                // The first corner of a score is what holds at it, the second what holds just above.
                let above = i % 2 == 0 && i > 0;
                let positive = |s: f64| if above { s > c[i] } else { s >= c[i] };
                let expected = 2.0 * (c[i] * weigh(0, &positive) + (1.0 - c[i]) * weigh(1, &|s| !positive(s))) / total;
                prop_assert!((loss[i] - expected).abs() < 1e-12);
            }
            let area: f64 = (1..len).map(|i| (c[i] - c[i - 1]) * f64::midpoint(loss[i], loss[i - 1])).sum();
            let brier: f64 = (0..y.len()).map(|i| w[i] * (s[i] - f64::from(y[i])).powi(2)).sum::<f64>() / total;
            prop_assert!((area - brier).abs() < 1e-12);

            // Net benefit.
            let (mut net, mut all) = (vec![0.0; table.len()], vec![0.0; table.len()]);
            table.fill_net_benefit(&mut net, &mut all).unwrap();
            for (i, threshold) in table.scores().into_iter().rev().enumerate() {
                let odds = threshold / (1.0 - threshold);
                let wrong = weigh(0, &|s| s >= threshold);
                let price = if wrong > 0.0 { wrong * odds } else { 0.0 };
                let expected = (weigh(1, &|s| s >= threshold) - price) / total;
                prop_assert!(net[i] == expected || (net[i] - expected).abs() < 1e-12);
                prop_assert_eq!(table.net_benefit(threshold), (net[i], all[i]));
            }
        }
    }
}
