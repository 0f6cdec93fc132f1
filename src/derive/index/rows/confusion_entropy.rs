//! Confusion entropy of a matrix, of its classes and of a 2×2 table.
//!
//! In its closed form it is a sum over the non-zero cells off the diagonal:
//! `CEN = 1/(2 T ln b) * sum M[i,j] (ln(s[i]/M[i,j]) + ln(s[j]/M[i,j]))`, `s[k] = t[k] + p[k]`. No
//! term is negative, since `M[i,j]` is part of both `s[i]` and `s[j]`, so nothing cancels. A
//! class's value is its share of the sum.

use crate::arith::logarithm::{ln, mass_by_log};
use crate::arith::number::Number;
use crate::base::memory::Gather;
use crate::index::form::{Form, form, matrix_form};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, SELF, reading};
use crate::index::rows::matrix_sums::Table;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};

/// 2 log2(e) / e: the greatest confusion entropy of two classes; of three and more it is 1.
const GREATEST: f64 = 1.061_475_690_846_086;

const CEN_BASE: Parameter = Parameter {
    name: "base",
    default: None,
    domain: Domain::AboveOne,
    about: "base of the logarithm; by default 2 (K - 1)",
    two_classes: false,
};

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "cen",
        aliases: &["confusion_entropy", "overall_cen"],
        title: "Confusion entropy",
        formula: "sum_j (s[j] / 2T) CEN[j], s[j] = t[j] + p[j], \
                  CEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        about: "How widely the errors are spread over the cells of the matrix; 0 if all rows are \
                right. It is not a function of accuracy: for two classes it exceeds 1 near an \
                error rate of 0.74 and is 1 again if all are wrong; for three classes random \
                predictions have 0.86 and evenly spread errors alone have 1. Values for different \
                K are not comparable, and a classifier that always names the majority class has a \
                small value.",
        range: (0.0, GREATEST),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. Labels \
                    that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Wei, Yuan, Hu, Wang 2010, doi:10.1016/j.eswa.2009.11.040",
        parameters: &[CEN_BASE],
        ..reading(&[
            form!(ln, |c, parameters| {
                let wrong = c.fp + c.fn_;
                let s = [c.tn * 2.0 + wrong, c.tp * 2.0 + wrong];
                Ok(confusion_of_counts(c, parameters, s))
            }),
            matrix_form!(ln, |m, parameters| confusion(m, parameters, 2.0, m.total() * 2.0)),
            Form::Class(&|m, class, parameters| class_confusion(m, class, parameters, 2.0)),
        ])
    },
    Index {
        name: "mcen",
        aliases: &["modified_confusion_entropy", "overall_mcen"],
        title: "Modified confusion entropy",
        formula: "sum_j (s[j] / (2T - a c)) MCEN[j], s[j] = t[j] + p[j] - M[j,j], c = sum_k M[k,k], a = 1 if K > 2 else 0, \
                  MCEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        about: "Confusion entropy that counts right rows once. It keeps two classes together \
                within 1 (each alone can exceed it) and rises with their error rate. As \
                published, the weights of two classes do not add up to 1, so values for two \
                classes are not comparable with those for more.",
        range: (0.0, GREATEST),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. Labels \
                    that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Delgado, Nunez-Gonzalez 2019, doi:10.1371/journal.pone.0210264",
        parameters: &[CEN_BASE],
        ..reading(&[
            form!(ln, |c, parameters| {
                let wrong = c.fp + c.fn_;
                Ok(confusion_of_counts(c, parameters, [c.tn + wrong, c.tp + wrong]))
            }),
            matrix_form!(ln, |m, parameters| {
                let weights =
                    if m.labels() > 2.0 { m.total() + m.wrong() } else { m.total() * 2.0 };
                confusion(m, parameters, 1.0, weights)
            }),
            Form::Class(&|m, class, parameters| class_confusion(m, class, parameters, 1.0)),
        ])
    },
];

/// `mass ln(all / mass)`, which vanishes with the mass.
fn surprise<N: Number>(mass: N, all: N) -> N {
    if mass.is_positive() { mass * all.ln_of_quotient(mass) } else { N::of(0.0) }
}

/// s: the rows that are or are predicted to be of a class, those that are both counted once or
/// twice.
fn rows_of<N: Number>(c: &BinaryCounts<N>, right: f64) -> N {
    c.tp * right + (c.fp + c.fn_)
}

/// ln b of K classes.
fn log_base(classes: f64, parameters: &Parameters) -> Outcome {
    let base = parameters.number(0);
    match base {
        _ if classes < 2.0 => Err(Undefined::OneLabel),
        _ if !base.is_nan() => Ok(ln(base)),
        _ => Ok(ln(2.0 * (classes - 1.0))),
    }
}

/// The sum over all classes; how often right rows count, and the weights of the classes,
/// distinguish the two indices.
fn confusion<N: Number>(
    t: &impl Table<N>,
    parameters: &Parameters,
    right: f64,
    weights: N,
) -> Outcome<N> {
    let log_base = log_base(t.labels(), parameters)?;
    let sum = if let Some(m) = t.plain(0.0) {
        let tables = m.one_vs_rest.iter().enumerate();
        N::of(tables.map(|(class, c)| class_surprise(m, class, rows_of(c, right))).sum())
    } else {
        let all: Vec<N> = t.classes().map(|c| rows_of(&c, right)).gather();
        let sum = |sum, (actual, predicted, mass): (usize, usize, N)| {
            sum + surprise(mass, all[actual]) + surprise(mass, all[predicted])
        };
        t.cells().filter(|cell| cell.0 != cell.1).fold(N::of(0.0), sum)
    };
    Ok(sum / (weights * log_base))
}

/// The entropy of one class's confusions.
fn class_confusion(m: &MatrixView, class: usize, parameters: &Parameters, right: f64) -> Outcome {
    let log_base = log_base(m.labels(), parameters)?;
    let all = rows_of(&m.one_vs_rest[class], right);
    if all <= 0.0 {
        return Err(Undefined::AbsentClass);
    }
    Ok(class_surprise(m, class, all) / (all * log_base))
}

/// The sum of mass ln(all / mass) over a class's wrong cells, in its row and in its column.
fn class_surprise(m: &MatrixView, class: usize, all: f64) -> f64 {
    let (known, wrong) = (m.surprises(), m.one_vs_rest[class]);
    let missed = known.missed[class] + mass_by_log(wrong.fn_, all, m.actual[class]);
    let mistaken = known.mistaken[class] + mass_by_log(wrong.fp, all, m.predicted[class]);
    // Of weights, `all` may be rounded to a hair below a margin.
    (missed + mistaken).max(0.0)
}

/// The closed form of two classes, negative and positive.
fn confusion_of_counts<N: Number>(c: &BinaryCounts<N>, parameters: &Parameters, s: [N; 2]) -> N {
    let base = parameters.number(0);
    let log_base = ln(if base.is_nan() { 2.0 } else { base });
    let sum = |wrong: N| surprise(wrong, s[0]) + surprise(wrong, s[1]);
    (sum(c.fp) + sum(c.fn_)) / (c.total() * 2.0 * log_base)
}
