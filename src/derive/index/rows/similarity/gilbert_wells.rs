//! Gilbert and Wells's index, without overflow and without cancellation.

use crate::arith::logarithm::ln;
use crate::arith::products::unit_scale;
use crate::index::rows::matrix_sums::small_departure;
use crate::index::rows::shares::determinant;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

/// Gilbert and Wells's index, without factorials that overflow and without the differences of their
/// logarithms, which at 10^12 rows would leave no digit. With ln x! = x ln x - x + g(x), the terms
/// x ln x - x of all factorials together are half the likelihood-ratio statistic G = 2 sum O ln(O /
/// E) of the four cells against independence, E = row column / n. It is summed as 2 sum E h((O - E)
/// / E), h(d) = (1 + d) ln(1 + d) - d, no term of which is negative, with O - E = ±(tp tn - fp fn)
/// / n.
#[inline]
pub(crate) fn gilbert_wells(c: &BinaryCounts) -> Outcome {
    let scale = unit_scale(c.total());
    let near_one = c.scaled(scale);
    let all = near_one.total();
    let beyond = determinant(&near_one) / all;
    let (predicted, actual) = (
        [near_one.tp + near_one.fp, near_one.fn_ + near_one.tn],
        [near_one.tp + near_one.fn_, near_one.fp + near_one.tn],
    );
    for (margin, why) in [
        (actual[0], Undefined::NoActualPositives),
        (actual[1], Undefined::NoActualNegatives),
        (predicted[0], Undefined::NoPredictedPositives),
        (predicted[1], Undefined::NoPredictedNegatives),
    ] {
        if margin == 0.0 {
            return Err(why);
        }
    }
    let cells = [
        (near_one.tp, predicted[0], actual[0], beyond),
        (near_one.fp, predicted[0], actual[1], -beyond),
        (near_one.fn_, predicted[1], actual[0], -beyond),
        (near_one.tn, predicted[1], actual[1], beyond),
    ];
    let departure = |(observed, row, column, beyond): (f64, f64, f64, f64)| {
        let expected = row * (column / all);
        if observed == 0.0 || expected == 0.0 {
            return expected;
        }
        let relative = beyond / expected;
        if relative.abs() < 0.25 {
            expected * small_departure(relative)
        } else {
            observed * (ln(observed / row) - ln(column / all)) - beyond
        }
    };
    let statistic = 2.0 * cells.into_iter().map(departure).sum::<f64>() / scale;
    let margins = [c.tp + c.fp, c.fn_ + c.tn, c.tp + c.fn_, c.fp + c.tn];
    let cells = [c.tp, c.fp, c.fn_, c.tn];
    let sum = |masses: [f64; 4], of: fn(f64) -> f64| masses.into_iter().map(of).sum::<f64>();
    let rest = ln_factorial_rest(c.total()) + sum(cells, ln_factorial_rest)
        - sum(margins, ln_factorial_rest);
    let weight = 3.0 * ln(c.total()) - ln(2.0 * std::f64::consts::PI) - sum(margins, ln);
    let value = weight + statistic + 2.0 * rest;
    if value.is_nan() { Err(Undefined::OutsideDomain) } else { Ok(value) }
}

/// ln x! - (x ln x - x), with x! = Γ(x + 1) for any x ≥ 0: Stirling's series from 16 on, below it
/// by x! = (x + 16)! over the product of what lies between. Absolute error below 1e-13.
fn ln_factorial_rest(x: f64) -> f64 {
    const TWO_PI: f64 = 2.0 * std::f64::consts::PI;
    let stirling = |x: f64| {
        let y = 1.0 / (x * x);
        let series =
            1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)));
        0.5 * ln(TWO_PI * x) + series / x
    };
    if x == 0.0 {
        0.0
    } else if x >= 16.0 {
        stirling(x)
    } else {
        let shifted = x + 16.0;
        let between: f64 = (1..=16).map(|k| x + f64::from(k)).product();
        stirling(shifted) + (shifted * ln(shifted) - shifted) - ln(between) - (x * ln(x) - x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_right() {
        let mut factorial = 1.0_f64;
        for k in 1..100_i32 {
            let x = f64::from(k);
            factorial *= x;
            let found = ln_factorial_rest(x) + x * x.ln() - x;
            let near = (found - factorial.ln()).abs() < 1e-13 * found.abs().max(1.0);
            assert!(near, "{k}! {found} {}", factorial.ln());
        }
        // Γ(3/2) = √π / 2.
        let half = ln_factorial_rest(0.5) + 0.5 * 0.5_f64.ln() - 0.5;
        assert!((half - (std::f64::consts::PI.sqrt() / 2.0).ln()).abs() < 1e-13);
        assert_eq!(ln_factorial_rest(0.0), 0.0);
    }
}
