//! The Mann–Whitney statistic as an exact count of pairs.

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
        (pairs > 0).then(|| self.twice_u as f64 / pairs as f64)
    }
}
