//! Critical values for many groups at once.
//!
//! - For all pairs: the range of `groups` independent standard normal numbers exceeds q with the
//!   given probability (Tukey's studentized range with infinite degrees of freedom). The difference
//!   of a pair has the standard deviation √2, so its critical value is q / √2.
//! - For all groups: the tail of each bound is so small that all bounds hold together (Šidák 1967).
//!
//! The distribution of the range is an integral over the greatest number x,
//! `n ∫ φ(x) (Φ(x) − Φ(x − q))^(n − 1) dx`. The integrand is smooth and vanishes at both ends, so
//! the trapezoidal rule is as exact as its terms. q comes from regula falsi.
//!
//! Sources: Tukey 1953, The problem of multiple comparisons; Hayter 1984,
//! doi:10.1214/aos/1176346392 (conservative for unequal variances); Šidák 1967,
//! doi:10.1080/01621459.1967.10482935.

use std::f64::consts::{PI, SQRT_2};

use crate::arith::special::normal_cdf;

/// The probability that the range of `groups` standard normal numbers is at most `q`.
fn range_cdf(q: f64, groups: f64) -> f64 {
    /// The error of the trapezoidal rule is exp(-2 (π s / step)^2), where s is the standard
    /// deviation of the greatest number: more than 0.2 for a million groups.
    const STEP: f64 = 1.0 / 8.0;
    const FROM: i32 = -9 * 8;
    const TO: i32 = 9 * 8;
    let density = |x: f64| (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    let terms = (FROM..TO).map(|step| {
        let x = f64::from(step) * STEP;
        // The nearer tail keeps the digits of small differences.
        let between = if x > 0.0 && x - q > 0.0 {
            normal_cdf(q - x) - normal_cdf(-x)
        } else {
            normal_cdf(x) - normal_cdf(x - q)
        };
        density(x) * between.max(0.0).powf(groups - 1.0)
    });
    (groups * STEP * terms.sum::<f64>()).min(1.0)
}

/// The z that no pair of `groups` groups of one mean exceeds, but with probability `tail`. For one
/// pair in one direction it is between the quantiles of `tail` and half of it.
///
/// ```
/// use rocksteady_derive::fairness::simultaneous::of_pairs;
/// // Tables of the studentized range: 2.772 for 2 means at 5 %, 5.012 for 20.
/// assert!((of_pairs(0.05, 2) * 2_f64.sqrt() - 2.772).abs() < 1e-3);
/// assert!((of_pairs(0.05, 20) * 2_f64.sqrt() - 5.012).abs() < 1e-3);
/// ```
pub fn of_pairs(tail: f64, groups: usize) -> f64 {
    let groups = groups.max(2) as f64;
    let excess = |q: f64| range_cdf(q, groups) - (1.0 - tail);
    // Bisection brackets the root, then regula falsi halves the end that stays (Illinois).
    let (mut low, mut high) = (0.0, 32.0);
    for _ in 0..5 {
        let middle = 0.5 * (low + high);
        *(if excess(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    let (mut below, mut above, mut q) = (excess(low), excess(high), high);
    for _ in 0..60 {
        let next = high - above * (high - low) / (above - below);
        let is_there = !(next > low && next < high) || (next - q).abs() < 1e-12;
        if is_there {
            break;
        }
        q = next;
        let found = excess(q);
        if found < 0.0 {
            (low, below, above) = (q, found, 0.5 * above);
        } else {
            (high, above, below) = (q, found, 0.5 * below);
        }
    }
    q / SQRT_2
}

/// The tail of each of `groups` independent bounds that all hold, but with probability `tail`.
///
/// ```
/// let each = rocksteady_derive::fairness::simultaneous::of_groups(0.05, 10);
/// assert!((1.0 - (1.0 - each).powi(10) - 0.05).abs() < 1e-15);
/// ```
pub fn of_groups(tail: f64, groups: usize) -> f64 {
    -((-tail).ln_1p() / groups.max(1) as f64).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::special::normal_quantile;

    #[test]
    fn tables_of_the_studentized_range() {
        // scipy 1.17.1, scipy.stats.studentized_range.ppf(1 - tail, groups, inf)
        for (tail, groups, q) in [
            (0.05, 2, 2.771_807_648_699),
            (0.05, 3, 3.314_493_155_398),
            (0.05, 10, 4.474_124_221_726),
            (0.05, 100, 6.084_637_537_173),
            (0.01, 5, 4.602_821_042_202),
        ] {
            let found = of_pairs(tail, groups) * SQRT_2;
            assert!((found - q).abs() < 1e-9, "{tail} {groups} {found} {q}");
        }
    }

    #[test]
    fn of_two_it_is_the_normal_quantile() {
        for tail in [0.2, 0.05, 1e-6] {
            assert!((of_pairs(tail, 2) - normal_quantile(0.5 * tail)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_million_groups() {
        let z = of_pairs(0.025, 1_000_000);
        assert!(z > 7.0 && z < 8.0, "{z}");
    }
}
