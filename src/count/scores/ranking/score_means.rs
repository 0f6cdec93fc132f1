//! Means of the scores as probabilities: by class, of squared errors, of logarithmic losses, of
//! margins between the classes.
//!
//! 1. Each is a sum over the distinct scores from high to low, in compensated lanes, so its bits
//!    depend only on the table, not on the order or the split of the rows.
//! 2. The logarithmic loss takes one logarithm for each score of one class only, otherwise two.
//! 3. The margin of a pair is the area under true positive rate times true negative rate over the
//!    threshold. Between two neighbouring scores both are constant, so its terms are never
//!    negative.
//!
//! Cost at 1e6 distinct scores: 1 ms for each sum, in a pass shared with other sums.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use crate::arith::logarithm::ln_normal;
use crate::arith::products::unit_scale;
use crate::base::wide::wide;
use crate::scores::blocks::{BLOCK, Block};
use crate::scores::calibration::recalibration::cut;
use crate::scores::ranking::lane_sum::{LaneSum, Scratch, fill};
use crate::scores::score_table::ScoreTable;

/// Sums over the rows: of the score, by class; and, over all rows, of the probability of the true
/// class and of the squared error. Each is scaled by the unit scale of its rows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScoreSums {
    pub(crate) own: f64,
    pub(crate) other: f64,
    pub(crate) right: f64,
    pub(crate) squares: f64,
}

impl ScoreSums {
    pub(crate) fn new(sums: &[LaneSum; 4]) -> Self {
        let [own, other, right, squares] = sums.each_ref().map(LaneSum::value);
        Self { own, other, right, squares }
    }

    /// The mean scores of the positives and of the negatives; `None` for a class without rows.
    pub(crate) fn mean_scores(&self, table: &ScoreTable) -> (Option<f64>, Option<f64>) {
        let (positives, negatives) = table.totals();
        let mean = |sum: f64, total: f64| (total > 0.0).then(|| sum / (total * unit_scale(total)));
        (mean(self.own, positives), mean(self.other, negatives))
    }

    /// The mean, over all rows, of the score as probability of the row's own class; `None` without
    /// rows.
    pub(crate) fn mean_probability(&self, table: &ScoreTable) -> Option<f64> {
        Some((self.right / scaled_rows(table)?).clamp(0.0, 1.0))
    }

    /// The mean squared error of the scores as probabilities; `None` without rows.
    pub(crate) fn mean_squared_error(&self, table: &ScoreTable) -> Option<f64> {
        Some(self.squares / scaled_rows(table)?)
    }
}

/// The weight of all rows, times its unit scale; `None` if zero.
pub(crate) fn scaled_rows(table: &ScoreTable) -> Option<f64> {
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    (all > 0.0).then(|| all * unit_scale(all))
}

/// The mean of the positive score minus the negative score over pairs, at least 0 for each pair,
/// from [`add_margin`]; `None` if a class is absent.
pub(crate) fn scored_auc(table: &ScoreTable, sum: f64) -> Option<f64> {
    let (positives, negatives) = table.totals();
    if !(positives > 0.0 && negatives > 0.0) {
        return None;
    }
    let (up, down) = (unit_scale(positives), unit_scale(negatives));
    Some(sum / ((positives * up) * (negatives * down)))
}

wide! {
    /// Adds the terms of [`ScoreSums`] for a block.
    pub(crate) fn add_means[](block: &Block, to: &mut [LaneSum; 4], scales: [f64; 3], scratch: &mut Scratch) -> () = add_means_body;
    /// Adds −ln of the probability of the true class, clamped to [epsilon, 1 − epsilon].
    pub(crate) fn add_log_loss[](
        block: &Block, to: &mut LaneSum, scale: f64, epsilon: f64, scratch: &mut Scratch,
    ) -> () = add_log_loss_body;
    /// Adds the gap below each score × positives above it × negatives below it.
    pub(crate) fn add_margin[](
        block: &Block, to: &mut LaneSum, scales: (f64, f64), scratch: &mut Scratch,
    ) -> () = add_margin_body;
}

#[inline(always)]
fn add_means_body(
    block: &Block,
    to: &mut [LaneSum; 4],
    [up, down, both]: [f64; 3],
    scratch: &mut Scratch,
) {
    let (p, n, score) = (&block.p, &block.n, block.scores());
    let [own, other, right, squares] = to;
    fill(&mut scratch.terms, |place| p[place] * up * score[place]);
    own.add(block.len, scratch);
    fill(&mut scratch.terms, |place| n[place] * down * score[place]);
    other.add(block.len, scratch);
    fill(&mut scratch.terms, |place| {
        p[place] * both * score[place] + n[place] * both * (1.0 - score[place])
    });
    right.add(block.len, scratch);
    fill(&mut scratch.terms, |place| {
        let other = 1.0 - score[place];
        p[place] * both * (other * other) + n[place] * both * (score[place] * score[place])
    });
    squares.add(block.len, scratch);
}

#[inline(always)]
fn add_log_loss_body(
    block: &Block,
    to: &mut LaneSum,
    scale: f64,
    epsilon: f64,
    scratch: &mut Scratch,
) {
    let cut = |right: f64| cut(right, epsilon);
    // One logarithm if each score has only one class, which is usual for distinct scores.
    let (p, n, score) = (&block.p, &block.n, block.scores());
    let mut is_mixed = false;
    if !block.single {
        for place in 0..BLOCK {
            is_mixed |= p[place] > 0.0 && n[place] > 0.0;
        }
    }
    fill(&mut scratch.terms, |place| {
        let (p, n) = (p[place], n[place]);
        let right = if p > 0.0 { score[place] } else { 1.0 - score[place] };
        let mass = if p > 0.0 { p } else { n };
        mass * scale * -ln_normal(cut(right))
    });
    if is_mixed {
        for place in 0..BLOCK {
            let second = n[place] * scale * -ln_normal(cut(1.0 - score[place]));
            scratch.terms[place] += if p[place] > 0.0 { second } else { 0.0 };
        }
    }
    to.add(block.len, scratch);
}

#[inline(always)]
fn add_margin_body(block: &Block, to: &mut LaneSum, (up, down): (f64, f64), scratch: &mut Scratch) {
    let Block { tp, n_below, score, .. } = block;
    fill(&mut scratch.terms, |place| {
        let above = tp[place] * up;
        // Below the score before.
        let below = n_below[place] * down;
        let product = (score[place] - score[place + 1]) * (above * below);
        // An infinite gap between no rows adds nothing.
        if above * below > 0.0 { product } else { 0.0 }
    });
    to.add(block.len, scratch);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::blocks::tests::{block_of, places};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_instruction_set_gives_the_same_bits(places in places()) {
            let (_, _, block) = block_of(&places);
            let scratch = &mut Scratch::new();
            let [mut wide, mut plain] = [(); 2].map(|()| <[LaneSum; 2]>::default());
            let [mut wide_means, mut means] = [(); 2].map(|()| <[LaneSum; 4]>::default());
            add_log_loss(&block, &mut wide[0], 0.5, f64::EPSILON, scratch);
            add_margin(&block, &mut wide[1], (0.5, 0.25), scratch);
            add_means(&block, &mut wide_means, [0.5, 0.25, 0.125], scratch);
            add_log_loss_body(&block, &mut plain[0], 0.5, f64::EPSILON, scratch);
            add_margin_body(&block, &mut plain[1], (0.5, 0.25), scratch);
            add_means_body(&block, &mut means, [0.5, 0.25, 0.125], scratch);
            prop_assert_eq!(wide.map(|sum| sum.value().to_bits()), plain.map(|sum| sum.value().to_bits()));
            prop_assert_eq!(wide_means.map(|sum| sum.value().to_bits()), means.map(|sum| sum.value().to_bits()));
        }
    }
}
