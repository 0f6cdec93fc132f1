//! Agreement beyond chance.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::correlation::sum_of_determinants;
use super::value::ratio;
use super::{BLANK, Index, Undefined};
use crate::kernel::products::difference_of_products;
use crate::stat::BinaryCounts;

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
        // Both times T²: T c − Σ p t, and T² − Σ p t as Σ p (T − t); no margin is subtracted from another.
        let expected = |c: &BinaryCounts| (c.tp + c.fp) * (c.fp + c.tn);
        let expected = m.one_vs_rest.iter().map(expected).sum();
        ratio(
            sum_of_determinants(m),
            expected,
            Undefined::CertainAgreement,
        )
    }),
    ..BLANK
}];
