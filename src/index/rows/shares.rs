//! The rates of a 2×2 table that rows of several families are made of.

use crate::arith::products::difference_of_products;
use crate::index::value::{Outcome, Undefined, ratio};
use crate::labels::view::BinaryCounts;

#[inline]
pub(crate) fn n(c: &BinaryCounts) -> f64 {
    c.tp + c.fp + c.fn_ + c.tn
}

/// tp tn - fp fn.
#[inline]
pub(crate) fn determinant(c: &BinaryCounts) -> f64 {
    difference_of_products(c.tp, c.tn, c.fp, c.fn_)
}

#[inline]
pub(crate) fn recall(c: &BinaryCounts) -> Outcome {
    ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)
}

#[inline]
pub(crate) fn specificity(c: &BinaryCounts) -> Outcome {
    ratio(c.tn, c.tn + c.fp, Undefined::NoActualNegatives)
}

#[inline]
pub(crate) fn precision(c: &BinaryCounts) -> Outcome {
    ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives)
}

#[inline]
pub(crate) fn npv(c: &BinaryCounts) -> Outcome {
    ratio(c.tn, c.tn + c.fn_, Undefined::NoPredictedNegatives)
}
