//! The Mann–Whitney statistic as an exact count of pairs.

use crate::arith::fraction::quotient;

/// The Mann–Whitney statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RankSum {
    /// Over all (positive, negative) pairs: 2 where the positive row has the higher score, 1 where
    /// they tie.
    pub twice_u: u128,
    /// Positive rows.
    pub positives: u64,
    /// Negative rows.
    pub negatives: u64,
}

impl RankSum {
    /// The area under the ROC curve, `twice_u / (2 · positives · negatives)`; `None` if a class
    /// is absent.
    pub fn area(&self) -> Option<f64> {
        let pairs = 2 * u128::from(self.positives) * u128::from(self.negatives);
        area_of(self.twice_u, pairs)
    }
}

/// The area under the ROC curve: twice the pairs that the positive row wins, ties counting half, of
/// twice all pairs of a positive and a negative row; `None` if there are none.
pub fn area_of(twice: u128, pairs: u128) -> Option<f64> {
    (pairs > 0).then(|| quotient(twice, pairs))
}

/// The Gini coefficient of the same: twice the area less one, rounded once.
pub fn gini_of(twice: u128, pairs: u128) -> Option<f64> {
    let half = pairs / 2;
    (pairs > 0).then(|| match twice.checked_sub(half) {
        Some(more) => quotient(more, half),
        None => -quotient(half - twice, half),
    })
}
