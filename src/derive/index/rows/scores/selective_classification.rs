//! How well a confidence tells right predictions from wrong ones, where rows of low confidence may
//! be rejected: the positive rows are those whose prediction is right, and the scores are the
//! confidences.
//!
//! Coverage is the share of rows that are accepted, and risk the share of wrong ones among them. A
//! threshold accepts a tie whole, so each row of a tie has the risk of all rows down to its end.

use crate::arith::logarithm::ln_normal;
use crate::arith::products::{Products, unit_scale};
use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{RankOnly, ScaleFree};
use crate::index::row::{Better, Index, reading};
use crate::index::rows::inference;
use crate::index::sketched::form::Sketched;
use crate::scores::ranking::Ranking;
use crate::scores::ranking::break_even::captured;
use crate::scores::ranking::concordance::Pairs;
use crate::scores::score_table::ScoreTable;

const GEIFMAN: &str = "Geifman, Uziel, El-Yaniv 2019, doi:10.48550/arXiv.1805.08206";
const EL_YANIV: &str =
    "El-Yaniv, Wiener 2010, On the foundations of noise-free selective classification, JMLR 11";
const TRAUB: &str = "Traub et al. 2024, doi:10.48550/arXiv.2407.01032";
const WITHIN_CELLS: &str =
    "a threshold accepts a tie whole, and which rows of a cell are tied is not known from a sketch";

const COVERAGE: &[Parameter] = &[Parameter {
    name: "coverage",
    default: Some(0.8),
    domain: Domain::OpenShare,
    about: "the share of all rows, by weight, that is accepted",
    two_classes: false,
}];

const MAX_RISK: &[Parameter] = &[Parameter {
    name: "max_risk",
    default: Some(0.05),
    domain: Domain::Share,
    about: "the greatest risk",
    two_classes: false,
}];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "aurc",
        aliases: &["area_under_risk_coverage_curve", "risk_coverage_auc"],
        title: "Area under the risk-coverage curve",
        formula: "sum over thresholds, from high to low, of (rpp - rpp before) fdr",
        about: "The mean risk over all rows, each with the risk of accepting the rows of at least \
                its confidence. It falls with fewer errors as well as with a better confidence, \
                and the few most confident rows weigh most: see augrc. One minus it is the area \
                under the accuracy-rejection curve. torch-uncertainty takes the trapezoidal rule \
                from coverage 1 / n on, and breaks ties by the order of the rows.",
        better: Better::Lower,
        laws: &[ScaleFree, RankOnly],
        source: GEIFMAN,
        sketched: Sketched::No(WITHIN_CELLS),
        spreads: inference::AURC,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| Ok(aurc(s.finite())))])
    },
    Index {
        name: "e_aurc",
        aliases: &["eaurc", "excess_aurc"],
        title: "Excess area under the risk-coverage curve",
        formula: "aurc - (r + (1 - r) ln(1 - r)), r the share of negatives",
        about: "By how much the area under the risk-coverage curve exceeds that of the best \
                confidence, which accepts all right predictions before any wrong one. That area \
                is the limit for many rows, so few rows in the best order still have a little \
                excess.",
        better: Better::Lower,
        laws: &[ScaleFree, RankOnly],
        source: GEIFMAN,
        sketched: Sketched::No(WITHIN_CELLS),
        spreads: inference::E_AURC,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            let table = s.finite();
            let (right, wrong) = shares(table);
            // In the best order nothing is wrong down to coverage `right`.
            let best = if right > 0.0 { wrong + right * ln_normal(right) } else { 1.0 };
            Ok((aurc(table) - best).max(0.0))
        })])
    },
    Index {
        name: "augrc",
        aliases: &["area_under_generalized_risk_coverage_curve"],
        title: "Area under the generalised risk-coverage curve",
        formula: "(1 - roc_auc) p (1 - p) + (1 - p)^2 / 2, p the prevalence",
        about: "The mean, over all coverages, of the share of all rows that are wrong and \
                accepted: the risk of a silent error. Unlike aurc it weighs no rows more than \
                others. A tie counts one half. It lies between r^2 / 2 for the best confidence \
                and r - r^2 / 2, with r the share of wrong rows.",
        range: (0.0, 0.5),
        better: Better::Lower,
        laws: &[ScaleFree, RankOnly],
        source: TRAUB,
        sketched: Sketched::Falls,
        spreads: inference::AUGRC,
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| Ok(augrc(s)))])
    },
    Index {
        name: "risk_at_coverage",
        aliases: &["selective_risk_at_coverage"],
        title: "Risk at a coverage",
        formula: "fp / (tp + fp), where the top share of the rows is predicted positive",
        about: "The share of wrong predictions among the most confident rows: 1 - top_precision. A \
                tie at the cut contributes an equal share of its rows.",
        better: Better::Lower,
        laws: &[ScaleFree, RankOnly],
        source: EL_YANIV,
        parameters: COVERAGE,
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Top, &|s, p| {
            let (positives, negatives) = s.totals();
            let accepted = p.number(0) * (positives + negatives);
            Ok((1.0 - captured(s, accepted) / accepted).max(0.0))
        })])
    },
    Index {
        name: "coverage_at_risk",
        aliases: &["coverage_at_selective_risk"],
        title: "Coverage at a risk",
        formula: "max of rpp over the thresholds with fdr <= max_risk; 0 where there is none",
        about: "The largest share of rows that can be accepted at a risk of at most this value. It \
                reads thresholds only, without interpolation, and takes the best of them, so it \
                looks better than a threshold chosen on other rows.",
        laws: &[ScaleFree, RankOnly],
        source: EL_YANIV,
        parameters: MAX_RISK,
        sketched: Sketched::No(WITHIN_CELLS),
        ..reading(&[Form::Scores(Reads::Table, &|s, p| Ok(coverage_at(s.finite(), p)))])
    },
];

/// The shares of right and of wrong rows.
fn shares(table: &ScoreTable) -> (f64, f64) {
    let (right, wrong) = table.totals();
    (right / (right + wrong), wrong / (right + wrong))
}

/// The mean over the rows of the risk down to the end of their tie.
pub(crate) fn aurc(table: &ScoreTable) -> f64 {
    let (right, wrong) = table.totals();
    let scale = unit_scale(right + wrong);
    let mut sum = Products::default();
    table.groups(|p, n, tp, fp| {
        if p + n > 0.0 {
            sum = sum.plus((p + n) * scale, fp / (tp + fp));
        }
    });
    (sum.value() / ((right + wrong) * scale)).min(1.0)
}

/// The pairs of a wrong row above a right one, and half of the pairs of wrong rows, as a share of
/// all pairs.
pub(crate) fn augrc(ranking: &Ranking) -> f64 {
    let (right, wrong) = shares(ranking.finite());
    let above = |pairs: &Pairs| (pairs.discordant + pairs.tied / 2.0) / pairs.all;
    let above = ranking.pairs().as_ref().map_or(0.0, above);
    (above * right * wrong + wrong * wrong / 2.0).min(0.5)
}

fn coverage_at(table: &ScoreTable, parameters: &Parameters) -> f64 {
    let (right, wrong) = table.totals();
    let risk = |predicted: &usize| {
        let (tp, fp) = table.at_or_above(*predicted);
        fp / (tp + fp)
    };
    let most = parameters.number(0);
    let lowest = (1..=table.len()).rev().find(|predicted| risk(predicted) <= most);
    let (tp, fp) = table.at_or_above(lowest.unwrap_or(0));
    (tp + fp) / (right + wrong)
}
