//! Correlation between actual and predicted classes.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::{BLANK, Index, Undefined, scale};
use crate::kernel::products::{Products, difference_of_products, root_of_product};
use crate::stat::{BinaryCounts, MatrixView};

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
        let spread =
            root_of_product(actual.0, predicted.0) * root_of_product(actual.1, predicted.1);
        Ok((covariance / spread).clamp(-1.0, 1.0))
    }),
    matrix: Some(&|m, _| {
        // T² − Σ x² as Σ x (T − x), and c T − Σ p t as the sum of the classes' determinants: of each class against the rest,
        // so that no margin is subtracted from another.
        let classes = || m.one_vs_rest.iter();
        let actual: f64 = classes().map(|c| (c.tp + c.fn_) * (c.fp + c.tn)).sum();
        let predicted: f64 = classes().map(|c| (c.tp + c.fp) * (c.fn_ + c.tn)).sum();
        if actual <= 0.0 {
            return Err(Undefined::OneActualClass);
        }
        if predicted <= 0.0 {
            return Err(Undefined::OnePredictedClass);
        }
        let covariance = sum_of_determinants(m);
        Ok((covariance / root_of_product(actual, predicted)).clamp(-1.0, 1.0))
    }),
    scales: scale::CORRELATION,
    ..BLANK
}];

/// Σ (tp tn − fp fn) over the classes against the rest, which is c T − Σ p t.
pub(super) fn sum_of_determinants(m: &MatrixView) -> f64 {
    let sum = |sum: Products, c: &BinaryCounts| sum.plus(c.tp, c.tn).plus(-c.fp, c.fn_);
    m.one_vs_rest.iter().fold(Products::default(), sum).value()
}
