//! Rows at single points of a ranking: operating points that meet a condition, the top of the list,
//! pairs of rows, ties.

use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{
    Complement, NegatedSum, Perfect, PrevalenceFree, RankOnly, ScaleFree,
};
use crate::index::row::{Better, Index, reading};
use crate::index::rows::scores::probability::probabilities;
use crate::index::rows::scores::ranking::{NO_PAIRS, missing};
use crate::index::sketched::form::Sketched;
use crate::index::value::finite;
use crate::index::value::{Outcome, Undefined};
use crate::scores::ranking::Ranking;
use crate::scores::ranking::average_precision::TieOrder;
use crate::scores::ranking::break_even::{captured, equal_error_rate};
use crate::scores::ranking::concordance::Pairs;
use crate::scores::ranking::early_recognition::{EARLY, EarlyRecognition};
use crate::scores::score_table::{ScoreTable, Side};

const NO_POSITIVES: &str = "No row is positive.";
const MANNING: &str =
    "Manning, Raghavan, Schuetze 2008, Introduction to Information Retrieval, section 8.4";
const PEPE: &str =
    "Pepe 2003, The statistical evaluation of medical tests for classification and prediction";
const BAYLY: &str = "Truchon, Bayly 2007, doi:10.1021/ci600426e";
const PAIRS: &str = "Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231";
const TIES: &str = "Fawcett 2006, doi:10.1016/j.patrec.2005.10.010";
const MCSHERRY: &str = "McSherry, Najork 2008, doi:10.1007/978-3-540-78646-7_38";
const WEIGHTED: &str = "No row is positive, or rows have weights.";

const fn share(name: &'static str, default: f64, domain: Domain, about: &'static str) -> Parameter {
    Parameter { name, default: Some(default), domain, about, two_classes: false }
}

const fn fraction(default: f64) -> Parameter {
    share(
        "fraction",
        default,
        Domain::OpenShare,
        "the share of all rows, by weight, that is taken from the top",
    )
}

const ALPHA: &[Parameter] = &[share(
    "alpha",
    EARLY,
    Domain::Positive,
    "how early counts: the first 1.6 / alpha of the rows have 80 % of the weight",
)];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "precision_recall_break_even",
        aliases: &["prbe", "break_even_point", "r_precision"],
        title: "Precision-recall break-even point",
        formula: "recall = precision, where as many rows are predicted positive as are positive",
        about: "Precision at the threshold where it equals recall. If no threshold predicts \
                exactly that many rows positive, the tie in between contributes an equal share of \
                its rows.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Lewis 1991, Evaluating text categorization, Proceedings of Speech and Natural Language Workshop",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::FirstPositives, &|s, _| {
            let positives = positives(s)?;
            Ok((captured(s, positives) / positives).min(1.0))
        })])
    },
    Index {
        name: "equal_error_rate",
        aliases: &["eer", "crossover_error_rate"],
        title: "Equal error rate",
        formula: "fpr = fnr, on the straight line between the two thresholds around it",
        about: "The error rate at the threshold where both classes have the same. torchmetrics \
                takes the nearest threshold and the mean of its two rates instead of \
                interpolating.",
        better: Better::Lower,
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, NegatedSum(1.0), Perfect(0.0)],
        source: "Martin, Doddington, Kamm, Ordowski, Przybocki 1997, The DET curve in assessment of detection task performance",
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            equal_error_rate(s).ok_or_else(|| missing(s))
        })])
    },
    Index {
        name: "recall_at_precision",
        aliases: &["recall_at_fixed_precision"],
        title: "Recall at a precision",
        formula: "max of recall over the thresholds with precision >= min_precision; 0 where there is none",
        about: "The best recall at a precision of at least this value. It reads thresholds only, \
                without interpolation.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: MANNING,
        parameters: &[share("min_precision", 0.9, Domain::Share, "the least precision")],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            let positives = positives(s)?;
            let predicted = s.lowest_with_precision(p.number(0));
            Ok(s.counts_of_first(predicted).tp / positives)
        })])
    },
    Index {
        name: "precision_at_recall",
        aliases: &["precision_at_fixed_recall"],
        title: "Precision at a recall",
        formula: "max of precision over the thresholds with recall >= min_recall",
        about: "The best precision at a recall of at least this value. It reads thresholds only, \
                without interpolation. A least recall of 0 needs no predicted positives, which \
                has precision 1.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: MANNING,
        parameters: &[share("min_recall", 0.9, Domain::Share, "the least recall")],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            let positives = positives(s)?;
            let recall = |predicted: usize| s.counts_of_first(predicted).tp / positives;
            let first = s.first_where(|predicted| recall(predicted) >= p.number(0));
            Ok(if first == 0 { 1.0 } else { s.highest_precision(first) })
        })])
    },
    Index {
        name: "sensitivity_at_specificity",
        aliases: &["recall_at_specificity", "tpr_at_specificity"],
        title: "Sensitivity at a specificity",
        formula: "max of recall over the thresholds with specificity >= min_specificity",
        about: "The best recall at a specificity of at least this value. It reads thresholds \
                only, without interpolation; pROC interpolates by default.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0)],
        source: PEPE,
        parameters: &[share("min_specificity", 0.9, Domain::Share, "the least specificity")],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            let (positives, negatives) = both(s)?;
            let specificity = |predicted: usize| s.counts_of_first(predicted).tn / negatives;
            // The last threshold before it falls too low; at the first it is 1.
            let last = last_where(s, |predicted| specificity(predicted) >= p.number(0));
            Ok(s.counts_of_first(last).tp / positives)
        })])
    },
    Index {
        name: "specificity_at_sensitivity",
        aliases: &["specificity_at_recall", "tnr_at_sensitivity"],
        title: "Specificity at a sensitivity",
        formula: "max of specificity over the thresholds with recall >= min_sensitivity",
        about: "The best specificity at a recall of at least this value. It reads thresholds \
                only, without interpolation; pROC interpolates by default.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0)],
        source: PEPE,
        parameters: &[share("min_sensitivity", 0.9, Domain::Share, "the least sensitivity")],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            let (positives, negatives) = both(s)?;
            let sensitivity = |predicted: usize| s.counts_of_first(predicted).tp / positives;
            let first = s.first_where(|predicted| sensitivity(predicted) >= p.number(0));
            Ok(s.counts_of_first(first).tn / negatives)
        })])
    },
    Index {
        name: "bedroc",
        aliases: &["boltzmann_enhanced_discrimination"],
        title: "Boltzmann-enhanced discrimination of the ROC curve",
        formula: "(rie - rie_min) / (rie_max - rie_min), rie_min that of all positives last, rie_max that of all positives first",
        about: "Early recognition: positives near the top of the ranking get a weight of \
                exp(-alpha x) at share x of the rows, and the result is scaled to [0, 1]. Compare \
                it only for the same alpha and where positives are rare. Rows of a tie share \
                their weight equally.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: BAYLY,
        parameters: ALPHA,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Early, &|s, p| {
            finite(early(s, p)?.bedroc.ok_or(Undefined::NoActualNegatives)?)
        })])
    },
    Index {
        name: "robust_initial_enhancement",
        aliases: &["rie"],
        title: "Robust initial enhancement",
        formula: "n sum_g (p[g] / m[g]) (E[g] - E[g+1]) / (P (1 - exp(-alpha))), p[g] and m[g] the positives and all rows of distinct \
                  score g from the top, E[g] = exp(-alpha a[g] / n), a[g] the rows above it, P the number of positives, \
                  n the number of rows",
        about: "The weight exp(-alpha x) of the positives in the ranking, divided by its \
                expectation for random scores: 1 is chance. The maximum depends strongly on \
                prevalence, that of bedroc less. Rows of a tie share their weight equally.",
        range: (0.0, f64::INFINITY),
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly],
        source: "Sheridan, Singh, Fluder, Kearsley 2001, doi:10.1021/ci0100144",
        parameters: ALPHA,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Early, &|s, p| finite(early(s, p)?.rie))])
    },
    Index {
        name: "enrichment_factor",
        aliases: &["ef", "lift_at_fraction", "top_lift"],
        title: "Enrichment factor: lift in the top fraction",
        formula: "capture_rate / fraction = top_precision / prevalence",
        about: "The frequency of positives in the top fraction divided by that among all rows. It \
                cannot exceed 1 / fraction or 1 / prevalence. A tie at the cut contributes an \
                equal share of its rows; RDKit rounds the number of rows up.",
        range: (0.0, f64::INFINITY),
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly],
        source: BAYLY,
        parameters: &[fraction(0.01)],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(
            Reads::Top,
            &|s, p| Ok(top(s, p) / (positives(s)? * p.number(0))),
        )])
    },
    Index {
        name: "capture_rate",
        aliases: &["recall_at_fraction", "top_recall", "gain_at_fraction"],
        title: "Capture rate: recall in the top fraction",
        formula: "tp / (tp + fn), where the top fraction of the rows is predicted positive",
        about: "Recall in the top fraction of the rows: one point of the gain curve. A tie at the \
                cut contributes an equal share of its rows.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly],
        source: "Ling, Li 1998, Data mining for direct marketing: problems and solutions, KDD",
        parameters: &[fraction(0.1)],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Top, &|s, p| Ok((top(s, p) / positives(s)?).min(1.0)))])
    },
    Index {
        name: "top_precision",
        aliases: &["precision_at_fraction", "response_at_fraction"],
        title: "Precision in the top fraction",
        formula: "tp / (tp + fp), where the top fraction of the rows is predicted positive",
        about: "The share of positives in the top fraction of the rows. A tie at the cut \
                contributes an equal share of its rows, so a fraction of less than one row is \
                read as that row.",
        laws: &[ScaleFree, RankOnly],
        source: MANNING,
        parameters: &[fraction(0.1)],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Top, &|s, p| {
            let (positives, negatives) = s.totals();
            Ok((top(s, p) / ((positives + negatives) * p.number(0))).min(1.0))
        })])
    },
    Index {
        name: "sar",
        aliases: &["squared_error_accuracy_roc"],
        title: "Squared error, accuracy and ROC area combined",
        formula: "(accuracy + roc_auc + 1 - root_mean_squared_error) / 3, accuracy that of scores >= threshold predicted positive",
        about: "The mean of accuracy, ROC area and 1 - RMSE, for choosing a model when no single \
                criterion is known to matter. ROCR gives it for every threshold; its manual says \
                + RMSE, but its code takes 1 - RMSE, as the authors do.",
        undefined: "A score lies outside [0, 1], or all rows are of one class.",
        laws: &[ScaleFree],
        source: "Caruana, Niculescu-Mizil 2004, doi:10.1145/1014052.1014063",
        parameters: &[share(
            "threshold",
            0.5,
            Domain::Finite,
            "rows with at least this score are predicted positive",
        )],
        sketched: Sketched::By(&|of, p| {
            let sketch = of.sketch();
            let losses = sketch.losses().ok_or(Undefined::NotProbabilities)?;
            let (positives, negatives) = both(of.tied())?;
            let found = sketch.at(p.number(0), Side::GreaterEqual);
            let area = |s: &Ranking| s.roc_auc().ok_or_else(|| missing(s));
            let error = (losses.brier() / losses.weight()).sqrt();
            let value = |right: f64, area: f64| {
                (right / (positives + negatives) + area + 1.0 - error) / 3.0
            };
            let right = (found.low.tp + found.high.tn, found.high.tp + found.low.tn);
            Ok((value(right.0, area(of.worst())?), value(right.1, area(of.best())?)))
        }),
        ..reading(&[Form::Scores(Reads::Table, &|s, p| {
            probabilities(s)?;
            let (positives, negatives) = both(s)?;
            let counts = s.at(p.number(0), Side::GreaterEqual);
            let accuracy = (counts.tp + counts.tn) / (positives + negatives);
            let area = s.roc_auc().ok_or_else(|| missing(s))?;
            let error = s.mean_squared_error().ok_or(Undefined::NoRows)?.sqrt();
            Ok(((accuracy + area + (1.0 - error)) / 3.0).clamp(0.0, 1.0))
        })])
    },
    Index {
        name: "concordant_share",
        aliases: &["percent_concordant", "pessimistic_roc_auc"],
        title: "Share of concordant pairs: area under the ROC curve, ties against it",
        formula: "P(score of a positive > score of a negative)",
        about: "The share of pairs of a positive and a negative row in which the positive one \
                scores higher: the area under the ROC curve if every tie had its worst order. SAS \
                gives it in percent, with scores rounded to 0.002 by default.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0)],
        source: TIES,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| {
            of_pairs(s, |pairs| pairs.concordant / pairs.all)
        })])
    },
    Index {
        name: "discordant_share",
        aliases: &["percent_discordant"],
        title: "Share of discordant pairs",
        formula: "P(score of a positive < score of a negative)",
        about: "The share of pairs of a positive and a negative row in which the negative one \
                scores higher.",
        better: Better::Lower,
        undefined: NO_PAIRS,
        laws: &[
            ScaleFree,
            PrevalenceFree,
            RankOnly,
            Perfect(0.0),
            Complement("optimistic_roc_auc"),
        ],
        source: PAIRS,
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| {
            of_pairs(s, |pairs| pairs.discordant / pairs.all)
        })])
    },
    Index {
        name: "tied_share",
        aliases: &["percent_tied"],
        title: "Share of tied pairs",
        formula: "P(score of a positive = score of a negative)",
        about: "The share of pairs of a positive and a negative row with equal scores: how much \
                the area under the ROC curve depends on how ties are counted.",
        better: Better::Neither,
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(0.0)],
        source: PAIRS,
        sketched: Sketched::By(&|of, _| {
            let tied = |s| of_pairs(s, |pairs| pairs.tied / pairs.all);
            Ok((tied(of.worst())?, tied(of.tied())?))
        }),
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| {
            of_pairs(s, |pairs| pairs.tied / pairs.all)
        })])
    },
    Index {
        name: "optimistic_roc_auc",
        aliases: &["best_roc_auc"],
        title: "Area under the ROC curve, ties in its favour",
        formula: "1 - discordant_share",
        about: "The area under the ROC curve if every tie had its best order. If all scores are \
                equal it is 1, so it shows how much ties hide, not how good the scores are.",
        better: Better::Neither,
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0), Complement("discordant_share")],
        source: TIES,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| {
            of_pairs(s, |pairs| ((pairs.concordant + pairs.tied) / pairs.all).min(1.0))
        })])
    },
    Index {
        name: "goodman_kruskal_gamma_of_scores",
        aliases: &["score_gamma"],
        title: "Goodman and Kruskal's gamma of the scores",
        formula: "(C - D) / (C + D), C the concordant pairs of a positive and a negative row, D the discordant ones",
        about: "Among the pairs with different scores: the share in the right order minus the \
                share in the wrong one. Ties cost nothing, so coarse scores look better than fine \
                ones.",
        range: (-1.0, 1.0),
        undefined: "No row is positive, or none is negative, or no pair of them differs in score.",
        laws: &[ScaleFree, PrevalenceFree, RankOnly, NegatedSum(0.0), Perfect(1.0)],
        source: PAIRS,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Pairs, &|s, _| {
            let Pairs { concordant, discordant, .. } = s.pairs().ok_or_else(|| missing(s))?;
            let untied = concordant + discordant;
            if untied > 0.0 {
                Ok((concordant - discordant) / untied)
            } else {
                Err(Undefined::OneScore)
            }
        })])
    },
    Index {
        name: "kendall_tau_b_of_scores",
        aliases: &["score_tau_b"],
        title: "Kendall's tau-b of classes and scores",
        formula: "(C - D) / sqrt(U V), C the concordant pairs of a positive and a negative row, D the discordant ones, \
                  U the pairs of rows of different classes, V the pairs of rows with different scores",
        about: "The rank correlation of scores and classes. Two classes tie most pairs, so even \
                perfect scores reach 1 only if they have two values.",
        range: (-1.0, 1.0),
        undefined: "No row is positive, or none is negative, or all scores are equal.",
        laws: &[ScaleFree, RankOnly, NegatedSum(0.0)],
        source: "Kendall 1945, doi:10.1093/biomet/33.3.239",
        sketched: Sketched::No("how many rows of a cell are tied is not known from a sketch"),
        ..reading(&[Form::Scores(Reads::AllPairs, &|s, _| {
            let pairs = s.pairs().ok_or_else(|| missing(s))?;
            if pairs.spread > 0.0 {
                Ok(((pairs.concordant - pairs.discordant) / pairs.spread).clamp(-1.0, 1.0))
            } else {
                Err(Undefined::OneScore)
            }
        })])
    },
    Index {
        name: "pessimistic_average_precision",
        aliases: &["worst_average_precision"],
        title: "Average precision, ties against it",
        formula: "mean over the positives of precision down to their row, each tie with its negatives first",
        about: "Average precision if every tie were put in its worst order, row after row. \
                Weights have no such order.",
        undefined: WEIGHTED,
        laws: &[RankOnly, Perfect(1.0)],
        source: MCSHERRY,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| of_ties(s, TieOrder::Worst))])
    },
    Index {
        name: "optimistic_average_precision",
        aliases: &["best_average_precision"],
        title: "Average precision, ties in its favour",
        formula: "mean over the positives of precision down to their row, each tie with its positives first",
        about: "Average precision if every tie were put in its best order, row after row. Equal \
                scores for all reach 1, so it tells how much ties hide, not how good the scores \
                are. Weights have no such order.",
        better: Better::Neither,
        undefined: WEIGHTED,
        laws: &[RankOnly, Perfect(1.0)],
        source: MCSHERRY,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| of_ties(s, TieOrder::Best))])
    },
];

fn positives(table: &ScoreTable) -> Outcome {
    let (positives, _) = table.totals();
    let any = positives > 0.0;
    any.then_some(positives).ok_or(Undefined::NoActualPositives)
}

fn both(table: &ScoreTable) -> Result<(f64, f64), Undefined> {
    let (positives, negatives) = table.totals();
    let both = positives > 0.0 && negatives > 0.0;
    both.then_some((positives, negatives)).ok_or_else(|| missing(table))
}

/// The greatest number of distinct scores up to which something holds, which holds for none.
fn last_where(table: &ScoreTable, holds: impl Fn(usize) -> bool) -> usize {
    let first = table.first_where(|predicted| !holds(predicted));
    if holds(first) { first } else { first.saturating_sub(1) }
}

/// The positives in the top fraction, the row's first parameter.
fn top(table: &ScoreTable, parameters: &Parameters) -> f64 {
    let (positives, negatives) = table.totals();
    captured(table, parameters.number(0) * (positives + negatives))
}

fn early(table: &Ranking, parameters: &Parameters) -> Result<EarlyRecognition, Undefined> {
    let found = table.early_recognition(parameters.number(0));
    found.ok_or(Undefined::NoActualPositives)
}

fn of_pairs(table: &Ranking, share: fn(Pairs) -> f64) -> Outcome {
    Ok(share(table.pairs().ok_or_else(|| missing(table))?))
}

fn of_ties(table: &Ranking, order: TieOrder) -> Outcome {
    positives(table)?;
    table.average_precision_of_ties(order).ok_or(Undefined::WeightedRows)
}
