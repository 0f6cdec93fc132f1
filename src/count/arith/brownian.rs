//! Tail probabilities of extremes of Brownian motions, the limits of cumulative differences.
//!
//! Each has two series: one falls fast for small arguments, one for large. All digits of a tail
//! above 0.01 are correct, and twelve of smaller ones.

use std::f64::consts::PI;

use crate::arith::special::normal_cdf;

/// The probability that the largest distance of a Brownian bridge from 0 exceeds `x`: Kolmogorov's
/// distribution.
pub fn kolmogorov_upper_tail(x: f64) -> f64 {
    if x < 1.0 {
        let unit = -PI * PI / (8.0 * x * x);
        let terms = (1..20).step_by(2).map(|k| (unit * f64::from(k * k)).exp());
        return 1.0 - terms.sum::<f64>() * (2.0 * PI).sqrt() / x.max(f64::MIN_POSITIVE);
    }
    2.0 * alternating(|k| (-2.0 * (k * x) * (k * x)).exp())
}

/// The probability that the largest distance of a Brownian motion from 0, up to time 1, exceeds
/// `x`.
pub fn brownian_upper_tail(x: f64) -> f64 {
    if x < 1.5 {
        let unit = -PI * PI / (8.0 * x * x);
        let term = |k: f64| (unit * (2.0 * k - 1.0) * (2.0 * k - 1.0)).exp() / (2.0 * k - 1.0);
        return 1.0 - 4.0 / PI * alternating(term);
    }
    4.0 * alternating(|k| normal_cdf(-(2.0 * k - 1.0) * x))
}

/// The probability that the range of a Brownian motion up to time 1, its highest less its lowest
/// value, exceeds `x`. Source: Feller 1951, doi:10.1214/aoms/1177729589.
pub fn brownian_range_upper_tail(x: f64) -> f64 {
    if x < 0.1 {
        return 1.0; // within 1e-200
    }
    if x < 2.0 {
        let term = |k: f64| {
            let angle = (2.0 * k - 1.0) * PI;
            (1.0 / (x * x) + 1.0 / (angle * angle)) * (-0.5 * (angle / x) * (angle / x)).exp()
        };
        return 1.0 - 8.0 * (1..20).map(f64::from).map(term).sum::<f64>();
    }
    8.0 * alternating(|k| k * normal_cdf(-k * x))
}

/// The first term less the second plus the third, and so on, of a series that falls fast.
fn alternating(term: impl Fn(f64) -> f64) -> f64 {
    let signed = |k: i32| if k % 2 == 1 { term(f64::from(k)) } else { -term(f64::from(k)) };
    (1..40).map(signed).sum()
}
