//! Scores that are natural logarithms of likelihood ratios, as of speakers and other evidence.
//!
//! A score s says that the row is e^s times as probable of a positive as of a negative. At a
//! prevalence of 1/2 its probability is 1 / (1 + e^-s), and both classes weigh the same. Nothing
//! here depends on the prevalence of the rows.

use std::f64::consts::LN_2;

use crate::arith::exponential::exp_of_negative;
use crate::arith::logarithm::ln;
use crate::arith::number::Number;
use crate::arith::products::Products;
use crate::index::form::{Form, Reads};
use crate::index::row::Law::{Perfect, PrevalenceFree, RankOnly, ScaleFree};
use crate::index::row::{Better, Index, reading};
use crate::index::sketched::form::Sketched;
use crate::index::value::{Outcome, Undefined, finite};
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::ScoreTable;

const BRUMMER: &str = "Brummer, du Preez 2006, doi:10.1016/j.csl.2005.08.001";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "cllr",
        aliases: &["c_llr", "log_likelihood_ratio_cost"],
        title: "Cost of log likelihood ratios, in bits",
        formula: "(a + b) / (2 ln(2)), a the mean of ln(1 + e^(-s)) over the positives, b the mean of ln(1 + e^s) over the negatives, \
                  s the score, the natural logarithm of a likelihood ratio",
        about: "The logarithmic loss of likelihood ratios at a prevalence of 1/2, in bits: 0 is \
                best, and 1 is the cost of scores that are all 0 and say nothing. Likelihood \
                ratios that mislead raise it without limit. What minimum_cllr leaves of it is \
                miscalibration.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "All rows are of one class, or a score is missing, or infinite and wrong.",
        laws: &[ScaleFree, PrevalenceFree],
        source: BRUMMER,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| cost(s.finite()))])
    },
    Index {
        name: "minimum_cllr",
        aliases: &["min_cllr", "cllr_min"],
        title: "Least cost of log likelihood ratios, in bits",
        formula: "the cllr of the scores recalibrated by isotonic regression at a prevalence of 1/2",
        about: "The cost that recalibration cannot remove: how well the order of the scores \
                separates the classes, in bits. 0 if it does perfectly, 1 if not at all. The \
                recalibration is fitted to the same rows, so it is optimistic.",
        better: Better::Lower,
        undefined: "All rows are of one class.",
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(0.0)],
        source: BRUMMER,
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Hull, &|s, _| least_cost(s.finite(), s.roc_hull()))])
    },
];

/// The weight of the rows of both classes.
fn totals(table: &ScoreTable) -> Result<(f64, f64), Undefined> {
    let (positives, negatives) = table.totals();
    let both = positives > 0.0 && negatives > 0.0;
    both.then_some((positives, negatives)).ok_or(Undefined::OneActualClass)
}

fn cost(table: &ScoreTable) -> Outcome {
    let (positives, negatives) = totals(table)?;
    let (mut own, mut other) = (Products::default(), Products::default());
    for place in 0..table.len() {
        let (p, n) = table.masses_between(place, place + 1);
        let score = table.score(place);
        // An infinite ratio that is right costs nothing; 0 times infinity is no number.
        for (sum, share, loss) in [
            (&mut own, p / positives, softplus(-score)),
            (&mut other, n / negatives, softplus(score)),
        ] {
            if share > 0.0 {
                *sum = sum.plus(share, finite(loss)?);
            }
        }
    }
    finite((own.value() + other.value()) / (2.0 * LN_2))
}

/// ln(1 + e^x), with the same bits on every machine; NaN of NaN.
fn softplus(x: f64) -> f64 {
    if x.is_nan() { x } else { x.max(0.0) + Number::ln_1p(exp_of_negative(-x.abs())) }
}

fn least_cost(table: &ScoreTable, hull: &RocHull) -> Outcome {
    let (positives, negatives) = totals(table)?;
    let mut sum = Products::default();
    for ends in hull.predicted.windows(2) {
        let (p, n) = table.masses_between(ends[0], ends[1]);
        let (p, n) = (p / positives, n / negatives);
        for own in [p, n].into_iter().filter(|&own| own > 0.0) {
            sum = sum.plus(-own, ln(own / (p + n)));
        }
    }
    Ok((sum.value() / (2.0 * LN_2)).clamp(0.0, 1.0))
}
