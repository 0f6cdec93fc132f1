//! Parts of formulas that several coefficients share.

use crate::arith::logarithm::ln;
use crate::arith::number::Number;
use crate::index::rows::shares::determinant;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

/// The value, if neither of what it was divided by is zero.
pub(crate) fn positive<N: Number>(value: N, one: N, other: N) -> Outcome<N> {
    if one.is_zero() || other.is_zero() {
        Err(Undefined::ZeroDenominator)
    } else {
        Ok(value)
    }
}

/// Which of the two sets of positives is empty.
#[inline]
pub(crate) fn nothing_positive<N: Number>(c: &BinaryCounts<N>) -> Undefined {
    if (c.tp + c.fn_).is_zero() {
        Undefined::NoActualPositives
    } else {
        Undefined::NoPredictedPositives
    }
}

/// (tp tn - fp fn) / n²: the covariance of actual and predicted class.
#[inline]
pub(crate) fn dispersion<N: Number>(c: &BinaryCounts<N>) -> N {
    (determinant(c) / c.total() / c.total()).within(-0.25, 0.25)
}

/// ln(1 + x) for x ≥ 0, exact also where x is small (Kahan's correction of the rounding in 1 + x).
pub(crate) fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    if sum == 1.0 {
        x
    } else {
        ln(sum) * (x / (sum - 1.0))
    }
}

/// ln(1 + a b), whose product may leave the range of `f64`.
pub(crate) fn ln_1p_of_product(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product < f64::INFINITY {
        ln_1p(product)
    } else {
        ln(a) + ln(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_one_and_more_are_right() {
        for x in [0.0, 1e-300, 1e-17, 1e-9, 0.5, 3.0, 1e15, 1e300] {
            assert!(
                (ln_1p(x) - f64::ln_1p(x)).abs() <= 4e-16 * f64::ln_1p(x),
                "{x}"
            );
        }
    }
}
