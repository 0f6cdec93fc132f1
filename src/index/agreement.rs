//! Agreement beyond chance.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::correlation::sum_of_determinants;
use super::value::ratio;
use super::{BLANK, Domain, Index, Outcome, Parameter, Parameters, Undefined, inference, scale};
use crate::kernel::products::difference_of_products;
use crate::stat::{BinaryCounts, MatrixView};

pub(super) static ROWS: &[Index] = &[
    Index {
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
        scales: scale::KAPPA,
        spreads: inference::KAPPA,
        ..BLANK
    },
    Index {
        name: "weighted_kappa",
        aliases: &["cohen_kappa_weighted"],
        title: "Weighted kappa (classes in their order, errors by their distance)",
        formula: "1 - T sum_ij w[i,j] M[i,j] / sum_ij w[i,j] t[i] p[j], w[i,j] = |i - j|^power",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are of one class and predicted to be of it: chance alone agrees always.",
        laws: &[Transposed("weighted_kappa"), ScaleFree, Perfect(1.0)],
        source: "Cohen 1968, doi:10.1037/h0026256",
        parameters: &[Parameter {
            name: "power",
            default: Some(1.0),
            domain: Domain::NotNegative,
            about: "how an error weighs by the distance of its classes: 1 linearly, 2 by the square, 0 any error alike",
            two_classes: false,
        }],
        matrix: Some(&weighted_kappa),
        ..BLANK
    },
];

fn weighted_kappa(m: &MatrixView, parameters: &Parameters) -> Outcome {
    let power = parameters.number(0);
    let weight = |i: usize, j: usize| {
        let distance = i.abs_diff(j) as f64;
        match power {
            _ if i == j => 0.0,
            1.0 => distance,
            2.0 => distance * distance,
            _ => distance.powf(power),
        }
    };
    let observed: f64 = m
        .cells
        .iter()
        .map(|cell| weight(cell.actual as usize, cell.predicted as usize) * cell.amount)
        .sum();
    let margin = |amounts: &[f64]| {
        let present = amounts.iter().copied().enumerate();
        present.filter(|&(_, x)| x != 0.0).collect::<Vec<_>>()
    };
    let predicted = margin(&m.predicted);
    // Each row's share of the columns' total, so that no product of two amounts is formed before one has been divided.
    let expected: f64 = margin(&m.actual)
        .into_iter()
        .map(|(i, t)| {
            let distance = |&(j, p): &(usize, f64)| weight(i, j) * p;
            t / m.total * predicted.iter().map(distance).sum::<f64>()
        })
        .sum();
    ratio(observed, expected, Undefined::CertainAgreement).map(|share| 1.0 - share)
}
