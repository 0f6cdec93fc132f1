//! Entropies of the confusion matrix, and information.
//!
//! Confusion entropy in its closed form is one pass over the non-zero cells off the diagonal:
//! `CEN = 1/(2 T ln b) * sum M[i,j] (ln(s[i]/M[i,j]) + ln(s[j]/M[i,j]))`, `s[k] = t[k] + p[k]`. No term is negative, since
//! `M[i,j]` is part of both `s[i]` and `s[j]`, so nothing cancels.

use super::Law::{Perfect, ScaleFree, Swapped, Transposed};
use super::value::ratio;
use super::{BLANK, Better, Domain, Index, Outcome, Parameter, Parameters, Undefined};
use crate::kernel::logarithm::ln;
use crate::stat::MatrixView;

/// 2 log2(e) / e: the greatest confusion entropy of two classes; of three and more it is 1.
const GREATEST: f64 = 1.061_475_690_846_086;

const CEN_BASE: Parameter = Parameter {
    name: "base",
    default: None,
    domain: Domain::AboveOne,
    about: "base of the logarithm; by default 2 (K - 1)",
    two_classes: false,
};

const SHANNON: &str = "Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x";

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "cen",
        aliases: &["confusion_entropy"],
        title: "Confusion entropy",
        formula: "sum_j (s[j] / 2T) CEN[j], s[j] = t[j] + p[j], \
                  CEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        range: (0.0, GREATEST),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. \
                    Labels that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed("cen"), Swapped("cen"), ScaleFree, Perfect(0.0)],
        source: "Wei, Yuan, Hu, Wang 2010, doi:10.1016/j.eswa.2009.11.040",
        parameters: &[CEN_BASE],
        matrix: Some(&|m, parameters| confusion(m, parameters, diagonal_twice, 2.0 * m.total)),
        class: Some(&|m, class, parameters| class_confusion(m, class, parameters, diagonal_twice)),
        ..BLANK
    },
    Index {
        name: "mcen",
        aliases: &["modified_confusion_entropy"],
        title: "Modified confusion entropy",
        formula: "sum_j (s[j] / (2T - a c)) MCEN[j], s[j] = t[j] + p[j] - M[j,j], c = sum_k M[k,k], a = 1 if K > 2 else 0, \
                  MCEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        range: (0.0, 1.0),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. \
                    Labels that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed("mcen"), Swapped("mcen"), ScaleFree, Perfect(0.0)],
        source: "Delgado, Nunez-Gonzalez 2019, doi:10.1371/journal.pone.0210264",
        parameters: &[CEN_BASE],
        matrix: Some(&|m, parameters| {
            let right_once = m.total + m.wrong();
            let weights = if m.classes() > 2 {
                right_once
            } else {
                2.0 * m.total
            };
            confusion(m, parameters, diagonal_once, weights)
        }),
        class: Some(&|m, class, parameters| class_confusion(m, class, parameters, diagonal_once)),
        ..BLANK
    },
    Index {
        name: "mutual_information",
        aliases: &["mi"],
        title: "Mutual information of actual and predicted class",
        formula: "sum_ij (M[i,j] / T) log_b(M[i,j] T / (t[i] p[j])), b = 2",
        range: (0.0, f64::INFINITY),
        laws: &[
            Transposed("mutual_information"),
            Swapped("mutual_information"),
            ScaleFree,
        ],
        source: SHANNON,
        parameters: &[Parameter {
            name: "base",
            default: Some(2.0),
            domain: Domain::AboveOne,
            about: "base of the logarithm: 2 for bits, e for nats",
            two_classes: false,
        }],
        matrix: Some(&|m, parameters| Ok(information(m) / ln(parameters.number(0)))),
        ..BLANK
    },
    Index {
        name: "rci",
        aliases: &["relative_classifier_information"],
        title: "Relative classifier information",
        formula: "mutual information / entropy of the actual classes, \
                  the entropy -sum_i (t[i] / T) log(t[i] / T)",
        undefined: "All rows are actually of one class, so there is nothing to inform about.",
        laws: &[Swapped("rci"), ScaleFree, Perfect(1.0)],
        source: "Sindhwani, Bhattacharya, Rakshit 2001, doi:10.1137/1.9781611972719.16",
        matrix: Some(&|m, _| {
            let terms = m.actual.iter().map(|&rows| surprise(rows, m.total));
            let entropy = terms.sum::<f64>() / m.total;
            Ok(ratio(information(m), entropy, Undefined::OneActualClass)?.min(1.0))
        }),
        ..BLANK
    },
];

/// `amount ln(all / amount)`, which vanishes with the amount; their quotient may leave the range of `f64`.
fn surprise(amount: f64, all: f64) -> f64 {
    let quotient = all / amount;
    if amount <= 0.0 {
        0.0
    } else if quotient < f64::INFINITY {
        amount * ln(quotient)
    } else {
        amount * (ln(all) - ln(amount))
    }
}

/// s of confusion entropy: rows that are or are predicted to be of the class, right ones counted twice.
fn diagonal_twice(m: &MatrixView, class: usize) -> f64 {
    m.actual[class] + m.predicted[class]
}

/// s of modified confusion entropy: right ones counted once.
fn diagonal_once(m: &MatrixView, class: usize) -> f64 {
    m.actual[class] + m.one_vs_rest[class].fp
}

/// ln b.
fn log_base(m: &MatrixView, parameters: &Parameters) -> Outcome {
    let base = parameters.number(0);
    match m.classes() {
        0 | 1 => Err(Undefined::OneLabel),
        _ if !base.is_nan() => Ok(ln(base)),
        classes => Ok(ln(2.0 * (classes as f64 - 1.0))),
    }
}

/// The closed form over all classes; `s` and the sum of its weights distinguish the two indices.
fn confusion(
    m: &MatrixView,
    parameters: &Parameters,
    s: fn(&MatrixView, usize) -> f64,
    weights: f64,
) -> Outcome {
    let log_base = log_base(m, parameters)?;
    let sum: f64 = m
        .cells
        .iter()
        .filter(|cell| cell.actual != cell.predicted)
        .map(|cell| {
            let share = |class: u32| surprise(cell.amount, s(m, class as usize));
            share(cell.actual) + share(cell.predicted)
        })
        .sum();
    Ok((sum + 0.0) / (weights * log_base)) // without confusions, the sum of nothing is -0.0
}

/// The entropy of one class's confusions.
fn class_confusion(
    m: &MatrixView,
    class: usize,
    parameters: &Parameters,
    s: fn(&MatrixView, usize) -> f64,
) -> Outcome {
    let log_base = log_base(m, parameters)?;
    let all = s(m, class);
    if all <= 0.0 {
        return Err(Undefined::AbsentClass);
    }
    // Its row and its column, so that all classes together are two passes over the cells.
    let around = m.cells.row(class).chain(m.cells.column(class));
    let sum: f64 = around
        .filter(|cell| cell.actual != cell.predicted)
        .map(|cell| surprise(cell.amount, all))
        .sum();
    Ok((sum + 0.0) / (all * log_base)) // as above
}

/// Mutual information in nats. Its terms have both signs, so rounding may leave a hair below zero, which is cut off.
fn information(m: &MatrixView) -> f64 {
    let sum: f64 = m
        .cells
        .iter()
        .map(|cell| {
            let (t, p) = (
                m.actual[cell.actual as usize],
                m.predicted[cell.predicted as usize],
            );
            let gain = (cell.amount / t) * (m.total / p);
            // Outside, the amount is less than 1e-300 of the total.
            if gain > 0.0 && gain < f64::INFINITY {
                cell.amount * ln(gain)
            } else {
                0.0
            }
        })
        .sum();
    (sum / m.total).max(0.0)
}
