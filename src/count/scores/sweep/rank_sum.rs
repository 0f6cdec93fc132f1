//! The Mann–Whitney statistic as an exact count of pairs.

use crate::arith::exact::Fixed;
use crate::arith::fraction::quotient;
use crate::arith::nearest::Nearest;
use crate::arith::number::Number;

/// The Mann–Whitney statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RankSum {
    /// Over all (positive, negative) pairs: 2 if the positive row has the higher score, 1 for a
    /// tie.
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

/// The area under the ROC curve, `twice / (2 · pairs)`: `twice` counts pairs that the positive row
/// wins twice and ties once. `None` without pairs.
pub fn area_of(twice: u128, pairs: u128) -> Option<f64> {
    (pairs > 0).then(|| quotient(twice, pairs))
}

/// The Gini coefficient, twice the area minus one, rounded once.
pub fn gini_of(twice: u128, pairs: u128) -> Option<f64> {
    let half = pairs / 2;
    (pairs > 0).then(|| match twice.checked_sub(half) {
        Some(more) => quotient(more, half),
        None => -quotient(half - twice, half),
    })
}

/// 2^-105: an upper bound of the relative error of one addition to a sum of products, or of a mass
/// read as two numbers.
pub(crate) const PART: f64 = 2.465_190_328_815_662e-32;

/// A sum of weights above zero, in quanta of 2^`quantum`.
pub(crate) fn near_of<F: Fixed>(sum: F, quantum: i32) -> Nearest {
    let (high, low) = sum.to_two(quantum);
    Nearest::within((high, low), high * PART)
}

/// The area and the Gini coefficient from twice the area in pairs of weights and from all pairs,
/// each rounded once if the rounding is known.
pub(crate) fn settled_area_and_gini(twice: Nearest, pairs: Nearest) -> [Option<f64>; 2] {
    let ratio = twice / pairs;
    [ratio * Nearest::of(0.5), ratio - Nearest::of(1.0)].map(Nearest::settled)
}
