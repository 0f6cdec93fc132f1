//! What rows need of a statistic that knows every threshold.

use super::arithmetic::{Products, difference_of_products};
use crate::stat::{Ks, ScoreTable};

/// Distinct scores from high to low with the amounts of positives and negatives at or above them.
///
/// Only the first three functions must be written; the others have plain versions over the steps.
pub trait Sweep {
    /// The amounts of positives and of negatives.
    fn totals(&self) -> (f64, f64);

    /// Calls `step(score, tp, fp)` for every distinct score, from high to low.
    fn each_step(&self, step: &mut dyn FnMut(f64, f64, f64));

    /// The area under the ROC curve, ties counting one half; `None` without positives or without negatives.
    fn roc_auc(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        let (mut twice_area, mut tp_before, mut fp_before) = (Products::default(), 0.0, 0.0);
        self.each_step(&mut |_, tp, fp| {
            twice_area = twice_area.plus(tp + tp_before, fp - fp_before);
            (tp_before, fp_before) = (tp, fp);
        });
        let pairs = positives * negatives;
        (pairs > 0.0).then(|| twice_area.value() / (2.0 * pairs))
    }

    /// The greatest distance between the true and the false positive rate; `None` without positives or without negatives.
    fn ks(&self) -> Option<Ks> {
        let (positives, negatives) = self.totals();
        let pairs = positives * negatives;
        let (mut widest, mut threshold) = (0.0_f64, f64::INFINITY);
        self.each_step(&mut |score, tp, fp| {
            // tpr − fpr over the common denominator, so that equal distances compare equal.
            let gap = difference_of_products(tp, negatives, fp, positives);
            if gap.abs() >= widest.abs() {
                (widest, threshold) = (gap, score);
            }
        });
        (pairs > 0.0).then(|| Ks {
            value: widest.abs() / pairs,
            threshold,
            sign: i8::from(widest > 0.0) - i8::from(widest < 0.0),
        })
    }

    /// Average precision: the mean precision over the steps in recall; `None` without positives.
    fn average_precision(&self) -> Option<f64> {
        let (positives, _) = self.totals();
        let (mut sum, mut tp_before) = (0.0, 0.0);
        self.each_step(&mut |_, tp, fp| {
            if tp > tp_before {
                sum += (tp - tp_before) * (tp / (tp + fp));
            }
            tp_before = tp;
        });
        (positives > 0.0).then(|| (sum / positives).min(1.0))
    }
}

impl Sweep for ScoreTable {
    fn totals(&self) -> (f64, f64) {
        self.totals()
    }

    fn each_step(&self, step: &mut dyn FnMut(f64, f64, f64)) {
        for (score, tp, fp) in self.steps() {
            step(score, tp, fp);
        }
    }

    fn roc_auc(&self) -> Option<f64> {
        self.roc_auc()
    }

    fn ks(&self) -> Option<Ks> {
        self.ks()
    }

    fn average_precision(&self) -> Option<f64> {
        self.average_precision()
    }
}
