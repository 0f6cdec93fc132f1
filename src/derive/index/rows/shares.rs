//! The rates of a 2×2 table that rows of several families are made of.
#![allow(clippy::inline_always)] // A formula must be inlined to be compiled for wider instructions.

use crate::arith::number::Number;
use crate::index::value::{Outcome, Undefined, ratio};
use crate::labels::view::BinaryCounts;

/// tp tn - fp fn.
#[inline(always)]
pub(crate) fn determinant<N: Number>(c: &BinaryCounts<N>) -> N {
    N::difference_of_products(c.tp, c.tn, c.fp, c.fn_)
}

#[inline(always)]
pub(crate) fn recall<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)
}

#[inline(always)]
pub(crate) fn specificity<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    ratio(c.tn, c.tn + c.fp, Undefined::NoActualNegatives)
}

#[inline(always)]
pub(crate) fn precision<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives)
}

#[inline(always)]
pub(crate) fn npv<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    ratio(c.tn, c.tn + c.fn_, Undefined::NoPredictedNegatives)
}

/// A number over the product of both actual margins: a difference of recall and specificity.
#[inline(always)]
pub(crate) fn over_actual<N: Number>(number: N, c: &BinaryCounts<N>) -> Outcome<N> {
    let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
    if positives.is_zero() {
        return Err(Undefined::NoActualPositives);
    }
    ratio(number, positives * negatives, Undefined::NoActualNegatives)
}

/// A number over the product of both predicted margins: a difference of predictive values.
#[inline(always)]
pub(crate) fn over_predicted<N: Number>(number: N, c: &BinaryCounts<N>) -> Outcome<N> {
    let (positives, negatives) = (c.tp + c.fp, c.fn_ + c.tn);
    if positives.is_zero() {
        return Err(Undefined::NoPredictedPositives);
    }
    ratio(number, positives * negatives, Undefined::NoPredictedNegatives)
}
