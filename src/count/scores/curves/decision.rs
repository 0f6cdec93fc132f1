//! Decision curves: true positives minus false positives weighted by the odds of the threshold.
//!
//! Cost: one pass over the table, in blocks of counts that stay in cache.
//!
//! Source: Vickers, Elkin 2006, doi:10.1177/0272989X06295361.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::error::Result;
use crate::base::wide::wide;
use crate::scores::curves::curve::{Cells, cells_and_scores, need_probabilities};
use crate::scores::score_table::{ScoreTable, Side};

/// The net benefit of predicting positive from each distinct score up, ascending; and of predicting
/// every row positive.
///
/// # Errors
/// If scores are not probabilities.
pub fn fill_net_benefit(
    table: &ScoreTable,
    net_benefit: &mut [f64],
    treat_all: &mut [f64],
) -> Result<()> {
    need_probabilities(table, "the decision curve")?;
    let len = table.len();
    let totals = table.totals();
    cells_and_scores(table, |start, cells, scores| {
        let part = len - (start + scores.len())..len - start;
        let (net, all) = (&mut net_benefit[part.clone()], &mut treat_all[part]);
        benefits(cells, scores, totals, net, all);
    });
    Ok(())
}

/// The net benefit at one probability in [0, 1], and of predicting every row positive.
pub fn net_benefit_at(table: &ScoreTable, threshold: f64) -> (f64, f64) {
    let counts = table.at(threshold, Side::GreaterEqual);
    let (positives, negatives) = table.totals();
    let total = positives + negatives;
    (
        benefit(counts.tp, counts.fp, threshold, total),
        benefit(positives, negatives, threshold, total),
    )
}

#[inline(always)]
fn benefit(tp: f64, fp: f64, threshold: f64, total: f64) -> f64 {
    // At 1 the odds are infinite; the cost is 0 if there are no false positives.
    let price = if fp > 0.0 { fp * (threshold / (1.0 - threshold)) } else { 0.0 };
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
    let masses = cells.tp[1..].iter().zip(&cells.fp[1..]);
    for ((net, all), ((&tp, &fp), &score)) in columns.zip(masses.zip(scores)) {
        *net = benefit(tp, fp, score, total);
        *all = benefit(positives, negatives, score, total);
    }
}

wide! {
    fn benefits[](
        cells: &Cells, scores: &[f64], totals: (f64, f64), net_benefit: &mut [f64], treat_all: &mut [f64],
    ) -> () = benefits_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn net_benefit_is_that_of_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, negatives) = rows.totals();
            let total = positives + negatives;

            // Net benefit.
            let (mut net, mut all) = (vec![0.0; table.len()], vec![0.0; table.len()]);
            fill_net_benefit(&table, &mut net, &mut all).unwrap();
            for (i, threshold) in table.scores().into_iter().rev().enumerate() {
                let odds = threshold / (1.0 - threshold);
                let wrong = weigh(0, &|s| s >= threshold);
                let price = if wrong > 0.0 { wrong * odds } else { 0.0 };
                let expected = (weigh(1, &|s| s >= threshold) - price) / total;
                prop_assert!(net[i] == expected || (net[i] - expected).abs() < 1e-12);
                prop_assert_eq!(net_benefit_at(&table, threshold), (net[i], all[i]));
            }
        }
    }
}
