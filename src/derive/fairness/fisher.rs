//! Fisher's exact test: a group's share against the share of the other rows.
//!
//! If both have one probability, the group's successes follow a hypergeometric distribution, given
//! the successes of all rows. The two-sided p-value is twice the smaller tail, at most 1. It never
//! rejects too often, however small the group is, which tests of many groups rely on.
//!
//! 1. The first term comes from logarithms of the gamma function, each next term from a ratio.
//! 2. Terms are added from the group's number outwards until they no longer change the sum.
//!
//! Cost: the terms of a tail, about the root of the group's rows.
//!
//! Tried and rejected:
//!
//! - the binomial test with the rest's share taken as known: it rejects too often where the rest is
//!   not much larger than the group;
//! - chi-squared: it rejects too often in small groups at the small levels of many tests;
//! - the mid-p: it may reject too often.
//!
//! Source: Fisher 1935, doi:10.2307/2342435.

use crate::arith::special::ln_gamma;
use crate::base::interrupt;

/// The p-value of both sides that a group with so many successes and failures has the probability
/// of other rows. Amounts are whole. 1 where either has no rows.
///
/// ```
/// use rocksteady_derive::fairness::fisher::two_sided;
/// // 3 of 4 against 1 of 4 (Fisher's tea): 17/70 in one tail.
/// assert!((two_sided([3.0, 1.0], [1.0, 3.0]) - 34.0 / 70.0).abs() < 1e-14);
/// ```
pub fn two_sided(group: [f64; 2], rest: [f64; 2]) -> f64 {
    let [x, y] = group;
    let (n, m) = (x + y, rest[0] + rest[1]);
    if n <= 0.0 || m <= 0.0 {
        return 1.0;
    }
    // The tail on the group's side is the smaller one.
    let is_low = x * m <= rest[0] * n;
    let cells = [x, y, rest[0], rest[1]];
    let [a, b, c, d] = if is_low { cells } else { [cells[1], cells[0], cells[3], cells[2]] };
    (2.0 * lower_tail(a, b, c, d)).min(1.0)
}

/// The probability of at most `a` successes among `a + b` rows, if the `c + d` others have `c`.
fn lower_tail(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let (mut a, mut b, mut c, mut d) = (a, b, c, d);
    let mut term = density(a, b, c, d);
    let mut sum = term;
    let mut terms = 0_u32;
    while a > 0.0 && term > 1e-17 * sum {
        term *= a / (b + 1.0) * (d / (c + 1.0));
        (a, b, c, d) = (a - 1.0, b + 1.0, c + 1.0, d - 1.0);
        sum += term;
        terms += 1;
        if terms.is_multiple_of(1 << 16) {
            interrupt::check();
        }
        if d < 0.0 {
            break;
        }
    }
    sum.min(1.0)
}

/// The hypergeometric probability of a table.
fn density(a: f64, b: f64, c: f64, d: f64) -> f64 {
    // Binomial terms of one share have small logarithms where the sums are large. The difference of
    // logarithms of gamma functions of millions would lose its digits (Loader 2000).
    let all = a + b + c + d;
    let share = (a + c) / all;
    let rest = (b + d) / all;
    let parts = binomial(a, b, share, rest) + binomial(c, d, share, rest)
        - binomial(a + c, b + d, share, rest);
    parts.exp()
}

/// The logarithm of a binomial probability, by the deviances from its mean.
fn binomial(successes: f64, failures: f64, share: f64, rest: f64) -> f64 {
    let n = successes + failures;
    if share <= 0.0 || rest <= 0.0 {
        return 0.0; // certain
    }
    if successes <= 0.0 {
        return n * (-share).ln_1p();
    }
    if failures <= 0.0 {
        return n * (-rest).ln_1p();
    }
    let scale = 2.0 * std::f64::consts::PI * successes * (failures / n);
    stirling(n)
        - stirling(successes)
        - stirling(failures)
        - deviance(successes, n * share)
        - deviance(failures, n * rest)
        - 0.5 * scale.ln()
}

/// The error of Stirling's formula for ln x!.
fn stirling(x: f64) -> f64 {
    if x < 15.0 {
        return ln_gamma(x + 1.0) - (x + 0.5) * x.ln() + x
            - 0.5 * (2.0 * std::f64::consts::PI).ln();
    }
    let square = x * x;
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / 1680.0 / square) / square) / square) / x
}

/// x ln(x / mean) + mean - x, which is small where x is near the mean.
fn deviance(x: f64, mean: f64) -> f64 {
    let off = x - mean;
    if off.abs() < 0.1 * (x + mean) {
        let v = off / (x + mean);
        let (mut sum, mut power) = (off * v, 2.0 * x * v);
        for k in 1..1000 {
            power *= v * v;
            let next = sum + power / f64::from(2 * k + 1);
            if next == sum {
                break;
            }
            sum = next;
        }
        return sum;
    }
    x * (x / mean).ln() - off
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::fraction::Fraction;

    /// Twice the smaller tail, by fractions over all tables with these margins.
    fn plain(group: [u32; 2], rest: [u32; 2]) -> f64 {
        let choose = |n: u32, k: u32| {
            (0..k).fold(Fraction::whole(1), |ways, j| {
                let part = Fraction::whole(j + 1).inverse().unwrap();
                ways.times(&Fraction::whole(n - j)).times(&part)
            })
        };
        let (n, m, hits) = (group[0] + group[1], rest[0] + rest[1], group[0] + rest[0]);
        let term = |x: u32| choose(n, x).times(&choose(m, hits - x));
        let places = hits.saturating_sub(m)..=n.min(hits);
        let sum = |from: u32, to: u32| {
            (places.clone().filter(|x| (from..=to).contains(x)))
                .fold(Fraction::whole(0), |sum, x| sum.plus(&term(x)))
        };
        let all = sum(0, u32::MAX).inverse().unwrap();
        let tails = [sum(0, group[0]), sum(group[0], u32::MAX)];
        let [low, high] = tails.map(|tail| tail.times(&all).to_f64());
        (2.0 * low.min(high)).min(1.0)
    }

    #[test]
    fn agrees_with_fractions_over_all_tables() {
        for group in [[0, 1], [3, 4], [12, 0], [7, 20], [0, 25]] {
            for rest in [[0, 4], [5, 0], [9, 3], [40, 31], [2, 60]] {
                let own = two_sided(group.map(f64::from), rest.map(f64::from));
                let plain = plain(group, rest);
                assert!((own - plain).abs() <= 1e-12 * plain, "{group:?} {rest:?} {own} {plain}");
            }
        }
    }

    #[test]
    fn millions_of_rows() {
        // scipy 1.17.1, hypergeom.cdf(499_000, 11_000_000, 5_500_000, 1_000_000) * 2
        let own = two_sided([499_000.0, 501_000.0], [5_001_000.0, 4_999_000.0]);
        assert!((own / MILLIONS - 1.0).abs() < 1e-9, "{own}");
        assert!(two_sided([5e6, 5e6], [5e6, 5e6]) > 0.999);
        assert_eq!(two_sided([5.0, 5.0], [0.0, 0.0]), 1.0);
    }

    const MILLIONS: f64 = 0.036_031_712_349_919;
}
