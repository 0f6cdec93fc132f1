//! The Brier curve: the loss over the cost proportion c with threshold c, the optimal threshold for
//! true probabilities. The area under it is the Brier score.
//!
//! Cost: one pass over the table, in blocks of counts that stay in cache.
//!
//! Source: Hernández-Orallo, Flach, Ferri 2011, ICML 28.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::error::Result;
use crate::base::wide::wide;
use crate::scores::blocks::BLOCK;
use crate::scores::curves::curve::{Cells, cells_and_scores, need_probabilities};
use crate::scores::score_table::ScoreTable;

/// The corners of the Brier curve, by ascending cost proportion c from 0 to 1: two at each distinct
/// score, where the loss jumps, and one at each end. The loss is `2 (c FP + (1 - c) FN) / n`; c is
/// the cost of a false alarm divided by the cost of both errors.
///
/// # Errors
/// If scores are not probabilities.
pub fn fill_brier_curve(
    table: &ScoreTable,
    cost_proportion: &mut [f64],
    loss: &mut [f64],
) -> Result<()> {
    need_probabilities(table, "the Brier curve")?;
    let (positives, negatives) = table.totals();
    let total = positives + negatives;
    let len = table.len();
    let end = 2 * len + 1;
    let nothing = if total > 0.0 { 0.0 } else { f64::NAN };
    (cost_proportion[0], cost_proportion[end]) = (0.0, 1.0);
    (loss[0], loss[end]) = (nothing, nothing);
    cells_and_scores(table, |start, cells, scores| {
        let stop = start + scores.len();
        let part = 1 + 2 * (len - stop)..1 + 2 * (len - start);
        let (to, loss) = (&mut cost_proportion[part.clone()], &mut loss[part]);
        losses(cells, scores, total, to, loss);
    });
    Ok(())
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
    // First all losses, then their order: each loop is vectorised.
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
    fn losses[](
        cells: &Cells, scores: &[f64], total: f64, cost_proportion: &mut [f64], loss: &mut [f64],
    ) -> () = losses_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_brier_curve_is_the_loss_at_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, negatives) = rows.totals();
            let total = positives + negatives;

            // The Brier curve: its corners, and its area.
            let len = 2 * table.len() + 2;
            let (mut c, mut loss) = (vec![0.0; len], vec![0.0; len]);
            fill_brier_curve(&table, &mut c, &mut loss).unwrap();
            for i in 0..len - 1 {
                // The first corner of a score is the limit at it, the second the limit above it.
                let above = i % 2 == 0 && i > 0;
                let positive = |s: f64| if above { s > c[i] } else { s >= c[i] };
                let expected = 2.0 * (c[i] * weigh(0, &positive) + (1.0 - c[i]) * weigh(1, &|s| !positive(s))) / total;
                prop_assert!((loss[i] - expected).abs() < 1e-12);
            }
            let area: f64 = (1..len).map(|i| (c[i] - c[i - 1]) * f64::midpoint(loss[i], loss[i - 1])).sum();
            let brier: f64 = (0..rows.y.len()).map(|i| rows.w[i] * (rows.s[i] - f64::from(rows.y[i])).powi(2)).sum::<f64>() / total;
            prop_assert!((area - brier).abs() < 1e-12);
        }
    }
}
