//! Agreement beyond chance.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::value::ratio;
use super::{BLANK, Index, Undefined};
use crate::kernel::products::{Products, difference_of_products};

pub(super) static ROWS: &[Index] = &[Index {
    name: "kappa",
    aliases: &["cohen_kappa", "cohens_kappa"],
    title: "Cohen's kappa",
    formula: "(po - pe) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k t[k] p[k] / T^2; \
              = 2 (tp tn - fp fn) / ((tp + fp) (fp + tn) + (tp + fn) (fn + tn))",
    range: (-1.0, 1.0),
    undefined: "All rows are of one class and predicted to be of it: chance alone agrees always.",
    laws: &[
        Transposed("kappa"),
        Swapped("kappa"),
        ScaleFree,
        Perfect(1.0),
    ],
    source: "Cohen 1960, doi:10.1177/001316446002000104",
    counts: Some(&|c, _| {
        let expected = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn_) * (c.fn_ + c.tn);
        let beyond = 2.0 * difference_of_products(c.tp, c.tn, c.fp, c.fn_);
        ratio(beyond, expected, Undefined::CertainAgreement)
    }),
    matrix: Some(&|m, _| {
        // Both numerator and denominator times T²: T c − Σ p t, and T² − Σ p t as Σ p (T − t), which cannot cancel.
        let margins = || m.predicted.iter().zip(&m.actual);
        let beyond = m
            .correct
            .iter()
            .fold(Products::default(), |sum, &c| sum.plus(m.total, c));
        let beyond = margins()
            .fold(beyond, |sum, (&p, &t)| sum.plus(-p, t))
            .value();
        let expected = margins().map(|(p, t)| p * (m.total - t)).sum();
        ratio(beyond, expected, Undefined::CertainAgreement)
    }),
    ..BLANK
}];
