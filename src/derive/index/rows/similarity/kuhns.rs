//! Kuhns's coefficients of association: what is found beyond chance, by seven denominators.

use crate::arith::number::Number;
use crate::index::form::form;
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Index, Joint, SELF, reading};
use crate::index::rows::shares::determinant;
use crate::index::rows::similarity::parts::{dispersion, nothing_positive};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

const KUHNS: &str = "Kuhns 1965, The continuum of coefficients of association";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "kuhns_i",
        title: "Kuhns's first",
        formula: "2 (tp - r) / n, r = (tp + fp) (tp + fn) / n",
        about: "Twice the covariance of actual and predicted class; 0 is chance.",
        range: (-0.5, 0.5),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(dispersion(c) * 2.0))])
    },
    Index {
        name: "kuhns_ii",
        title: "Kuhns's second",
        formula: "(tp - r) / max(tp + fp, tp + fn), r = (tp + fp) (tp + fn) / n",
        about: "True positives beyond chance as a share of the larger set of positives; 0 is \
                chance, and it never quite reaches 1.",
        range: (-0.5, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let larger = (c.tp + c.fp).max(c.tp + c.fn_);
            Ok(beyond_chance(c, larger, Undefined::NoPositives)?.within(-0.5, 1.0))
        })])
    },
    Index {
        name: "kuhns_iii",
        title: "Kuhns's third",
        formula: "(tp - r) / ((1 - tp / s) (s - r)), r = (tp + fp) (tp + fn) / n, s = 2 tp + fp + fn",
        about: "True positives beyond chance, relative to the rows that are actually or predicted \
                positive; 0 is chance, and it never quite reaches 1.",
        range: (-1.0 / 3.0, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let (predicted, actual) = (c.tp + c.fp, c.tp + c.fn_);
            let either = predicted + c.fn_;
            let rest = predicted * c.total() + actual * (c.fn_ + c.tn);
            let share = ratio(predicted + actual, either, Undefined::NoPositives)?;
            let value = ratio(share * determinant(c), rest, Undefined::NoPositives)?;
            Ok(value.within(-1.0 / 3.0, 1.0))
        })])
    },
    Index {
        name: "kuhns_iv",
        title: "Kuhns's fourth",
        formula: "(tp - r) / min(tp + fp, tp + fn), r = (tp + fp) (tp + fn) / n",
        about: "True positives beyond chance as a share of the smaller set of positives; 0 is \
                chance, and it never quite reaches 1.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let smaller = (c.tp + c.fp).min(c.tp + c.fn_);
            Ok(beyond_chance(c, smaller, nothing_positive(c))?.within(-1.0, 1.0))
        })])
    },
    Index {
        name: "kuhns_v",
        title: "Kuhns's fifth",
        formula: "(tp - r) / max(x (1 - x / n), y (1 - y / n)), r = x y / n, x = tp + fp, y = tp + fn",
        about: "The covariance of actual and predicted class over the greater of their variances: \
                the lesser of informedness and markedness in size.",
        range: (-1.0, 1.0),
        undefined: "All rows are in one cell, or all are wrong and of one class.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let spread = spreads(c);
            Ok(ratio(determinant(c), spread.0.max(spread.1), Undefined::OneActualClass)?
                .within(-1.0, 1.0))
        })])
    },
    Index {
        name: "kuhns_vi",
        title: "Kuhns's sixth",
        formula: "(tp - r) / min(x (1 - x / n), y (1 - y / n)), r = x y / n, x = tp + fp, y = tp + fn",
        about: "The covariance of actual and predicted class over the lesser of their variances: \
                the greater of informedness and markedness in size.",
        range: (-1.0, 1.0),
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let spread = spreads(c);
            Ok(ratio(determinant(c), spread.0.min(spread.1), Undefined::ZeroDenominator)?
                .within(-1.0, 1.0))
        })])
    },
    Index {
        name: "kuhns_vii",
        title: "Kuhns's seventh",
        formula: "(tp - r) / sqrt((tp + fp) (tp + fn)), r = (tp + fp) (tp + fn) / n",
        about: "True positives beyond chance divided by the geometric mean of both sets of \
                positives; 0 is chance, and it never quite reaches 1.",
        range: (-0.5, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree],
        source: KUHNS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let mean = N::root_of_product(c.tp + c.fp, c.tp + c.fn_);
            Ok(beyond_chance(c, mean, nothing_positive(c))?.within(-0.5, 1.0))
        })])
    },
];

/// The true positives beyond chance, divided by `of`.
#[inline]
fn beyond_chance<N: Number>(c: &BinaryCounts<N>, of: N, otherwise: Undefined) -> Outcome<N> {
    ratio(determinant(c) / c.total(), of, otherwise)
}

/// The variances of predicted and of actual class, times n².
#[inline]
fn spreads<N: Number>(c: &BinaryCounts<N>) -> (N, N) {
    ((c.tp + c.fp) * (c.fn_ + c.tn), (c.tp + c.fn_) * (c.fp + c.tn))
}
