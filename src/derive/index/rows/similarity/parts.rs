//! Parts of formulas that several coefficients share.

use crate::arith::number::Number;
use crate::index::rows::shares::determinant;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

/// The value, if neither of what it was divided by is zero.
pub(crate) fn positive<N: Number>(value: N, one: N, other: N) -> Outcome<N> {
    if one.is_zero() || other.is_zero() { Err(Undefined::ZeroDenominator) } else { Ok(value) }
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

/// ln(1 + a b), whose product may leave the range of `f64`.
pub(crate) fn ln_1p_of_product<N: Number>(a: N, b: N) -> N {
    let product = a * b;
    if product.is_in_range() { product.ln_1p() } else { a.ln() + b.ln() }
}
