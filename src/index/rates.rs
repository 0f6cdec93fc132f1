//! Shares of rows: of all, of the actual classes, of the predicted classes.

use super::Law::{Complement, Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use super::value::ratio;
use super::{BLANK, Better, Index, Outcome, Parameters, Undefined, inference, scale};
use crate::interval::Spread::{self, Share};
use crate::kernel::products::difference_of_products;
use crate::stat::{BinaryCounts, MatrixView};

const STEHMAN: &str = "Stehman 1997, doi:10.1016/S0034-4257(97)00083-7";
const BRODERSEN: &str = "Brodersen, Ong, Stephan, Buhmann 2010, doi:10.1109/ICPR.2010.764";
const GUYON: &str = "Guyon et al. 2015, doi:10.1109/IJCNN.2015.7280767";
const KENT: &str = "Kent, Berry, Luehrs, Perry 1955, doi:10.1002/asi.5090060209";
const SENSITIVITY: &str = "Altman, Bland 1994, doi:10.1136/bmj.308.6943.1552";
const PREDICTIVE: &str = "Altman, Bland 1994, doi:10.1136/bmj.309.6947.102";
const LIKELIHOOD: &str = "Deeks, Altman 2004, doi:10.1136/bmj.329.7458.168";
const ROC: &str = "Fawcett 2006, doi:10.1016/j.patrec.2005.10.010";
const ROCR: &str = "Sing, Sander, Beerenwinkel, Lengauer 2005, doi:10.1093/bioinformatics/bti623";
const DISCOVERY: &str = "Benjamini, Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x";

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "accuracy",
        aliases: &["acc", "overall_accuracy"],
        title: "Accuracy",
        formula: "(tp + tn) / n = sum_k M[k,k] / T",
        laws: &[
            Transposed("accuracy"),
            Swapped("accuracy"),
            ScaleFree,
            Complement("error_rate"),
            Perfect(1.0),
        ],
        source: STEHMAN,
        counts: Some(&|c, _| Ok((c.tp + c.tn) / n(c))),
        matrix: Some(&|m, _| Ok(right(m) / m.total)),
        spreads: &[Share {
            counts: |c| (c.tp + c.tn, c.fp + c.fn_),
            matrix: Some(|m| (right(m), m.wrong())),
        }],
        ..BLANK
    },
    Index {
        name: "error_rate",
        aliases: &["err", "misclassification_rate", "zero_one_loss"],
        title: "Error rate",
        formula: "(fp + fn) / n = 1 - sum_k M[k,k] / T",
        better: Better::Lower,
        laws: &[
            Transposed("error_rate"),
            Swapped("error_rate"),
            ScaleFree,
            Complement("accuracy"),
            Perfect(0.0),
        ],
        source: STEHMAN,
        counts: Some(&|c, _| Ok((c.fp + c.fn_) / n(c))),
        matrix: Some(&|m, _| Ok(m.wrong() / m.total)),
        spreads: &[Share {
            counts: |c| (c.fp + c.fn_, c.tp + c.tn),
            matrix: Some(|m| (m.wrong(), right(m))),
        }],
        ..BLANK
    },
    Index {
        name: "balanced_accuracy",
        aliases: &["ba", "macro_recall"],
        title: "Balanced accuracy",
        formula: "(tp / (tp + fn) + tn / (tn + fp)) / 2 = mean over classes with t[k] > 0 of M[k,k] / t[k]",
        laws: &[
            Swapped("balanced_accuracy"),
            ScaleFree,
            PrevalenceFree,
            Perfect(1.0),
        ],
        source: BRODERSEN,
        counts: Some(&|c, _| Ok(mean_recall([(c.tp, c.tp + c.fn_), (c.tn, c.tn + c.fp)]).0)),
        matrix: Some(&|m, _| Ok(recalls(m).0)),
        scales: scale::AREA,
        spreads: inference::BALANCED_ACCURACY,
        ..BLANK
    },
    Index {
        name: "adjusted_balanced_accuracy",
        aliases: &["balanced_accuracy_adjusted"],
        title: "Balanced accuracy, adjusted for chance",
        formula: "(ba - 1/k) / (1 - 1/k), k the number of classes with t[k] > 0",
        range: (-1.0, 1.0),
        undefined: "All rows are actually of one class: chance alone is always right.",
        laws: &[
            Swapped("adjusted_balanced_accuracy"),
            ScaleFree,
            PrevalenceFree,
            Perfect(1.0),
        ],
        source: GUYON,
        counts: Some(&informedness),
        matrix: Some(&|m, _| {
            let (mean, present) = recalls(m);
            ratio(
                mean - 1.0 / present,
                1.0 - 1.0 / present,
                Undefined::OneActualClass,
            )
        }),
        ..BLANK
    },
    Index {
        name: "precision",
        aliases: &["ppv", "positive_predictive_value"],
        title: "Precision",
        formula: "tp / (tp + fp)",
        undefined: "No row is predicted positive.",
        laws: &[
            Transposed("recall"),
            Swapped("npv"),
            ScaleFree,
            Complement("fdr"),
            Perfect(1.0),
        ],
        source: KENT,
        counts: Some(&|c, _| ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives)),
        spreads: &[share(|c| (c.tp, c.fp))],
        ..BLANK
    },
    Index {
        name: "recall",
        aliases: &["tpr", "true_positive_rate", "sensitivity", "hit_rate"],
        title: "Recall",
        formula: "tp / (tp + fn)",
        undefined: "No row is actually positive.",
        laws: &[
            Transposed("precision"),
            Swapped("specificity"),
            ScaleFree,
            PrevalenceFree,
            Complement("fnr"),
            Perfect(1.0),
        ],
        source: KENT,
        counts: Some(&|c, _| ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)),
        spreads: &[share(|c| (c.tp, c.fn_))],
        ..BLANK
    },
    Index {
        name: "specificity",
        aliases: &["tnr", "true_negative_rate", "selectivity"],
        title: "Specificity",
        formula: "tn / (tn + fp)",
        undefined: "No row is actually negative.",
        laws: &[
            Transposed("npv"),
            Swapped("recall"),
            ScaleFree,
            PrevalenceFree,
            Complement("fpr"),
            Perfect(1.0),
        ],
        source: SENSITIVITY,
        counts: Some(&|c, _| ratio(c.tn, c.tn + c.fp, Undefined::NoActualNegatives)),
        spreads: &[share(|c| (c.tn, c.fp))],
        ..BLANK
    },
    Index {
        name: "fpr",
        aliases: &["false_positive_rate", "fall_out", "fallout"],
        title: "False positive rate",
        formula: "fp / (fp + tn)",
        better: Better::Lower,
        undefined: "No row is actually negative.",
        laws: &[
            Transposed("false_omission_rate"),
            Swapped("fnr"),
            ScaleFree,
            PrevalenceFree,
            Complement("specificity"),
            Perfect(0.0),
        ],
        source: ROC,
        counts: Some(&|c, _| ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)),
        spreads: &[share(|c| (c.fp, c.tn))],
        ..BLANK
    },
    Index {
        name: "fnr",
        aliases: &["false_negative_rate", "miss_rate"],
        title: "False negative rate",
        formula: "fn / (fn + tp)",
        better: Better::Lower,
        undefined: "No row is actually positive.",
        laws: &[
            Transposed("fdr"),
            Swapped("fpr"),
            ScaleFree,
            PrevalenceFree,
            Complement("recall"),
            Perfect(0.0),
        ],
        source: ROC,
        counts: Some(&|c, _| ratio(c.fn_, c.fn_ + c.tp, Undefined::NoActualPositives)),
        spreads: &[share(|c| (c.fn_, c.tp))],
        ..BLANK
    },
    Index {
        name: "npv",
        aliases: &["negative_predictive_value"],
        title: "Negative predictive value",
        formula: "tn / (tn + fn)",
        undefined: "No row is predicted negative.",
        laws: &[
            Transposed("specificity"),
            Swapped("precision"),
            ScaleFree,
            Complement("false_omission_rate"),
            Perfect(1.0),
        ],
        source: PREDICTIVE,
        counts: Some(&|c, _| ratio(c.tn, c.tn + c.fn_, Undefined::NoPredictedNegatives)),
        spreads: &[share(|c| (c.tn, c.fn_))],
        ..BLANK
    },
    Index {
        name: "fdr",
        aliases: &["false_discovery_rate"],
        title: "False discovery rate",
        formula: "fp / (fp + tp)",
        better: Better::Lower,
        undefined: "No row is predicted positive.",
        laws: &[
            Transposed("fnr"),
            Swapped("false_omission_rate"),
            ScaleFree,
            Complement("precision"),
            Perfect(0.0),
        ],
        source: DISCOVERY,
        counts: Some(&|c, _| ratio(c.fp, c.fp + c.tp, Undefined::NoPredictedPositives)),
        spreads: &[share(|c| (c.fp, c.tp))],
        ..BLANK
    },
    Index {
        name: "false_omission_rate",
        aliases: &["for", "false_omission"],
        title: "False omission rate",
        formula: "fn / (fn + tn)",
        better: Better::Lower,
        undefined: "No row is predicted negative.",
        laws: &[
            Transposed("fpr"),
            Swapped("fdr"),
            ScaleFree,
            Complement("npv"),
            Perfect(0.0),
        ],
        source: ROCR,
        counts: Some(&|c, _| ratio(c.fn_, c.fn_ + c.tn, Undefined::NoPredictedNegatives)),
        spreads: &[share(|c| (c.fn_, c.tn))],
        ..BLANK
    },
    Index {
        name: "prevalence",
        aliases: &["base_rate"],
        title: "Prevalence",
        formula: "(tp + fn) / n",
        better: Better::Neither,
        laws: &[Transposed("rpp"), ScaleFree],
        source: PREDICTIVE,
        counts: Some(&|c, _| Ok((c.tp + c.fn_) / n(c))),
        spreads: &[share(|c| (c.tp + c.fn_, c.fp + c.tn))],
        ..BLANK
    },
    Index {
        name: "rpp",
        aliases: &[
            "rate_of_positive_predictions",
            "predicted_positive_rate",
            "detection_prevalence",
            "selection_rate",
        ],
        title: "Rate of positive predictions",
        formula: "(tp + fp) / n",
        better: Better::Neither,
        laws: &[Transposed("prevalence"), ScaleFree],
        source: ROCR,
        counts: Some(&|c, _| Ok((c.tp + c.fp) / n(c))),
        spreads: &[share(|c| (c.tp + c.fp, c.fn_ + c.tn))],
        ..BLANK
    },
    Index {
        name: "lift",
        aliases: &["lift_score"],
        title: "Lift",
        formula: "precision / prevalence = tp n / ((tp + fp) (tp + fn))",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("lift"), ScaleFree],
        source: ROCR,
        counts: Some(&|c, _| {
            let precision = ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives)?;
            ratio(precision * n(c), c.tp + c.fn_, Undefined::NoActualPositives)
        }),
        ..BLANK
    },
    Index {
        name: "informedness",
        aliases: &["youden_j", "youden_index", "bookmaker_informedness"],
        title: "Informedness (Youden's J)",
        formula: "recall + specificity - 1 = (tp tn - fp fn) / ((tp + fn) (fp + tn))",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[
            Transposed("markedness"),
            Swapped("informedness"),
            ScaleFree,
            PrevalenceFree,
            Perfect(1.0),
        ],
        source: "Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
        counts: Some(&informedness),
        spreads: inference::INFORMEDNESS,
        ..BLANK
    },
    Index {
        name: "markedness",
        aliases: &["delta_p"],
        title: "Markedness",
        formula: "precision + npv - 1 = (tp tn - fp fn) / ((tp + fp) (fn + tn))",
        range: (-1.0, 1.0),
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[
            Transposed("informedness"),
            Swapped("markedness"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Powers 2011, doi:10.48550/arXiv.2010.16061",
        counts: Some(&|c, _| {
            let (positives, negatives) = (c.tp + c.fp, c.fn_ + c.tn);
            let share = ratio(determinant(c), positives, Undefined::NoPredictedPositives)?;
            let value = ratio(share, negatives, Undefined::NoPredictedNegatives)?;
            Ok(value.clamp(-1.0, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "positive_likelihood_ratio",
        aliases: &["plr", "lr_plus"],
        title: "Positive likelihood ratio",
        formula: "recall / fpr",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, none is actually negative, or there are no false positives.",
        laws: &[ScaleFree, PrevalenceFree],
        source: LIKELIHOOD,
        counts: Some(&|c, _| {
            let recall = ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let fpr = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
            ratio(recall, fpr, Undefined::NoFalsePositives)
        }),
        scales: scale::POSITIVE_LIKELIHOOD_RATIO,
        spreads: inference::POSITIVE_LIKELIHOOD_RATIO,
        ..BLANK
    },
    Index {
        name: "negative_likelihood_ratio",
        aliases: &["nlr", "lr_minus"],
        title: "Negative likelihood ratio",
        formula: "fnr / specificity",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "No row is actually positive, none is actually negative, or there are no true negatives.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: LIKELIHOOD,
        counts: Some(&|c, _| {
            let fnr = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let specificity = ratio(c.tn, c.fp + c.tn, Undefined::NoActualNegatives)?;
            ratio(fnr, specificity, Undefined::NoTrueNegatives)
        }),
        scales: scale::NEGATIVE_LIKELIHOOD_RATIO,
        spreads: inference::NEGATIVE_LIKELIHOOD_RATIO,
        ..BLANK
    },
    Index {
        name: "diagnostic_odds_ratio",
        aliases: &["dor", "odds_ratio"],
        title: "Diagnostic odds ratio",
        formula: "tp tn / (fp fn)",
        range: (0.0, f64::INFINITY),
        undefined: "There are no false positives, or no false negatives.",
        laws: &[
            Transposed("diagnostic_odds_ratio"),
            Swapped("diagnostic_odds_ratio"),
            ScaleFree,
            PrevalenceFree,
        ],
        source: "Glas, Lijmer, Prins, Bonsel, Bossuyt 2003, doi:10.1016/S0895-4356(03)00177-X",
        counts: Some(&|c, _| {
            let odds = ratio(c.tp, c.fn_, Undefined::NoFalseNegatives)?;
            // The odds may be beyond the range of `f64`, and infinity times zero is no number.
            let odds = if c.tn == 0.0 { 0.0 } else { odds };
            ratio(odds * c.tn, c.fp, Undefined::NoFalsePositives)
        }),
        spreads: inference::ODDS_RATIO,
        ..BLANK
    },
];

/// A share of trials, of which `counts` gives successes and failures.
const fn share(counts: fn(&BinaryCounts) -> (f64, f64)) -> Spread {
    Share {
        counts,
        matrix: None,
    }
}

fn n(c: &BinaryCounts) -> f64 {
    c.tp + c.fp + c.fn_ + c.tn
}

/// tp tn - fp fn.
fn determinant(c: &BinaryCounts) -> f64 {
    difference_of_products(c.tp, c.tn, c.fp, c.fn_)
}

fn informedness(c: &BinaryCounts, _: &Parameters) -> Outcome {
    let share = ratio(determinant(c), c.tp + c.fn_, Undefined::NoActualPositives)?;
    let value = ratio(share, c.fp + c.tn, Undefined::NoActualNegatives)?;
    Ok(value.clamp(-1.0, 1.0))
}

/// Rows predicted right.
fn right(m: &MatrixView) -> f64 {
    m.correct.iter().sum()
}

/// The mean of right / rows over the classes that have rows, and how many classes that are.
fn mean_recall(classes: impl IntoIterator<Item = (f64, f64)>) -> (f64, f64) {
    let (sum, present) = classes
        .into_iter()
        .filter(|&(_, rows)| rows != 0.0)
        .fold((0.0, 0.0), |(sum, present), (right, rows)| {
            (sum + right / rows, present + 1.0)
        });
    (sum / present, present)
}

fn recalls(m: &MatrixView) -> (f64, f64) {
    mean_recall(m.correct.iter().copied().zip(m.actual.iter().copied()))
}
