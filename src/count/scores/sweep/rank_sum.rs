//! The Mann–Whitney statistic as an exact count of pairs.

use crate::arith::exact::Fixed;
use crate::arith::fraction::quotient;
use crate::arith::nearest::Nearest;
use crate::arith::number::Number;

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

/// More than what is lost of a sum of products in one addition, or of a mass that is read as two
/// numbers, as a part of it: 2^-105.
pub(crate) const PART: f64 = 2.465_190_328_815_662e-32;

/// A sum of weights above zero, in quanta of 2^`quantum`.
pub(crate) fn near_of<F: Fixed>(sum: F, quantum: i32) -> Nearest {
    let (high, low) = sum.to_two(quantum);
    Nearest::within((high, low), high * PART)
}

/// From twice the area in pairs of weights, and all pairs: the area and twice the area less one,
/// each rounded once, if it is known how.
pub(crate) fn settled_area_and_gini(twice: Nearest, pairs: Nearest) -> [Option<f64>; 2] {
    let ratio = twice / pairs;
    [ratio * Nearest::of(0.5), ratio - Nearest::of(1.0)].map(Nearest::settled)
}
