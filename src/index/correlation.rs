//! Correlation between actual and predicted classes.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::{BLANK, Index, Undefined};
use crate::kernel::products::{Products, difference_of_products, root_of_product};

pub(super) static ROWS: &[Index] = &[Index {
    name: "mcc",
    aliases: &["phi", "matthews", "matthews_correlation_coefficient", "r_k"],
    title: "Matthews correlation coefficient (with more classes, Gorodkin's R_K)",
    formula: "(tp tn - fp fn) / sqrt((tp + fn) (tn + fp) (tp + fp) (tn + fn)); \
              (c T - sum_k p[k] t[k]) / sqrt((T^2 - sum_k p[k]^2) (T^2 - sum_k t[k]^2)), c = sum_k M[k,k]",
    range: (-1.0, 1.0),
    undefined: "All rows are actually of one class, or all are predicted to be of one; 0 by convention.",
    when_undefined: 0.0,
    laws: &[Transposed("mcc"), Swapped("mcc"), ScaleFree, Perfect(1.0)],
    source: "Matthews 1975, doi:10.1016/0005-2795(75)90109-9; \
             Gorodkin 2004, doi:10.1016/j.compbiolchem.2004.09.006",
    counts: Some(&|c, _| {
        let actual = (c.tp + c.fn_, c.fp + c.tn);
        let predicted = (c.tp + c.fp, c.fn_ + c.tn);
        for (margin, why) in [
            (actual.0, Undefined::NoActualPositives),
            (actual.1, Undefined::NoActualNegatives),
            (predicted.0, Undefined::NoPredictedPositives),
            (predicted.1, Undefined::NoPredictedNegatives),
        ] {
            if margin <= 0.0 {
                return Err(why);
            }
        }
        let covariance = difference_of_products(c.tp, c.tn, c.fp, c.fn_);
        let spread = root_of_product(actual.0 * actual.1, predicted.0 * predicted.1);
        Ok((covariance / spread).clamp(-1.0, 1.0))
    }),
    matrix: Some(&|m, _| {
        // T² − Σ x² as Σ x (T − x), which cannot cancel.
        let spread = |margin: &[f64]| margin.iter().map(|x| x * (m.total - x)).sum::<f64>();
        let (actual, predicted) = (spread(&m.actual), spread(&m.predicted));
        if actual <= 0.0 {
            return Err(Undefined::OneActualClass);
        }
        if predicted <= 0.0 {
            return Err(Undefined::OnePredictedClass);
        }
        let covariance = m
            .correct
            .iter()
            .fold(Products::default(), |sum, &c| sum.plus(m.total, c));
        let margins = m.predicted.iter().zip(&m.actual);
        let covariance = margins
            .fold(covariance, |sum, (&p, &t)| sum.plus(-p, t))
            .value();
        Ok((covariance / root_of_product(actual, predicted)).clamp(-1.0, 1.0))
    }),
    ..BLANK
}];
