//! Single points of a ranking that lie between thresholds: the top rows, and equal error rates.
//!
//! 1. Counts grow with every threshold, so a point is found by binary search.
//! 2. If no threshold predicts exactly the requested number of rows positive, the rows of the tie
//!    in between count in equal shares, so the order of the rows never matters.
//!
//! Cost: a bisection for each point.

use crate::scores::score_table::{Masses, ScoreTable};

/// The positives among the first `rows` rows of the ranking; a tie that is cut counts with equal
/// shares.
pub fn captured(table: &ScoreTable, rows: f64) -> f64 {
    let top = |predicted: usize| {
        let (tp, fp) = table.at_or_above(predicted);
        tp + fp
    };
    let after = table.first_where(|predicted| top(predicted) >= rows);
    let (tp, fp) = table.at_or_above(after);
    if after == 0 || tp + fp <= rows {
        return tp;
    }
    let before = table.counts_of_first(after - 1);
    let own = table.counts_of_first(after);
    let (p, n) = (own.tp - before.tp, own.fp - before.fp);
    before.tp + p * (((rows - before.tp - before.fp) / (p + n)).clamp(0.0, 1.0))
}

/// The false positive rate where it equals the false negative rate, on the straight line between
/// the two neighbouring thresholds; `None` if a class is absent.
pub fn equal_error_rate(table: &ScoreTable) -> Option<f64> {
    let (positives, negatives) = table.totals();
    if !(positives > 0.0 && negatives > 0.0) {
        return None;
    }
    // 1 − fpr − tpr after the first `predicted` scores; for counts exact, times both totals.
    let left = |predicted: usize| match table.masses() {
        Masses::Counts(..) => {
            let (tp, fp) = table.at_or_above(predicted);
            let [p, n, tp, fp] = [positives, negatives, tp, fp].map(|count| count as i128);
            ((n - fp) * p - tp * n) as f64
        }
        Masses::Weights(_) => {
            let counts = table.counts_of_first(predicted);
            counts.tn / negatives - counts.tp / positives
        }
    };
    let after = table.first_where(|predicted| left(predicted) <= 0.0);
    let at = table.counts_of_first(after);
    if after == 0 || left(after) == 0.0 {
        return Some(at.fp / negatives);
    }
    let (over, under) = (left(after - 1), -left(after));
    let before = table.counts_of_first(after - 1);
    let part = over / (over + under);
    Some(((before.fp + (at.fp - before.fp) * part) / negatives).min(1.0))
}
