//! The interval of the Kolmogorov–Smirnov distance: the widest gap |tpr − fpr| of all thresholds.
//!
//! The gap at one threshold is a difference of two shares, with Agresti and Caffo's interval. The
//! true distance is the true gap at one threshold, and no other true gap is wider.
//!
//! 1. The upper bound is the greatest upper bound of all thresholds, each with the whole tail: the
//!    bound at the true threshold is one of them.
//! 2. The lower bound is the greatest lower bound of all thresholds, each with a fifth of the tail.
//!    Neighbouring thresholds share most of their rows, so that all of them count as five. Five is
//!    our own, from simulations.
//! 3. The lower bound is 0 where Smirnov's test does not reject equal distributions at this tail:
//!    2 exp(−2 d² m n / (m + n)) exceeds it.
//!
//! At 95 % it covers 95.0 to 98.6 % in 15 designs of 5 to 1,000 positives, and 99.7 % where the
//! classes are nearly separate.
//!
//! Sources: Chernozhukov, Lee, Rosen 2013, doi:10.3982/ECTA8718 (bounds of a supremum); Smirnov
//! 1948, doi:10.1214/aoms/1177730256; Agresti, Caffo 2000, doi:10.1080/00031305.2000.10474560.
//!
//! Tried and rejected: Wald's standard error (60 % with 5 positives); Newcombe's interval at each
//! threshold (99 % in small samples); 2 without 3 (76 % for equal distributions).

use crate::arith::special::normal_quantile;
use crate::inference::influence::rows_of;
use crate::inference::two_proportions::agresti_caffo;
use crate::scores::ranking::Ranking;

/// How many thresholds far from each other the lower bound allows for.
const THRESHOLDS: f64 = 5.0;

/// The bounds that each miss with probability `tail`, and the standard error at the widest gap.
pub(super) fn bounds(ranking: &Ranking, distance: f64, tail: f64) -> [f64; 3] {
    let (table, (m, n)) = (ranking.finite(), rows_of(ranking));
    let (positives, negatives) = table.totals();
    let (near, far) = (normal_quantile(tail), normal_quantile(tail / THRESHOLDS));
    let (mut low, mut high, mut widest) = (0.0_f64, distance, (0.0, f64::NAN));
    for predicted in 1..=table.len() {
        let (tp, fp) = table.at_or_above(predicted);
        let (gap, error) = agresti_caffo((tp / positives * m, m), (fp / negatives * n, n));
        let gap = gap.abs();
        low = low.max(gap - far * error);
        high = high.max(gap + near * error);
        if gap >= widest.0 {
            widest = (gap, error);
        }
    }
    let chance = 2.0 * (-2.0 * distance * distance * (m * n / (m + n))).exp();
    let low = if chance > tail { 0.0 } else { low.min(distance) };
    [low, high.min(1.0), widest.1]
}
