//! Shares of rows: of all, of the actual classes, of the predicted classes.

use crate::arith::number::Number;
use crate::index::form::{form, matrix_form, table_forms};
use crate::index::parameter::{Domain, Parameter};
use crate::index::row::Law::{Complement, Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::inference;
use crate::index::rows::matrix_sums::{Table, of_class};
use crate::index::rows::shares::{
    determinant, over_actual, over_predicted, precision, recall, specificity,
};
use crate::index::scale;
use crate::index::spread::Spread::{self, Share};
use crate::index::spread::{Delta, Rows};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

const STEHMAN: &str = "Stehman 1997, doi:10.1016/S0034-4257(97)00083-7";
const BRODERSEN: &str = "Brodersen, Ong, Stephan, Buhmann 2010, doi:10.1109/ICPR.2010.764";
const GUYON: &str = "Guyon et al. 2015, doi:10.1109/IJCNN.2015.7280767";
const KENT: &str = "Kent, Berry, Luehrs, Perry 1955, doi:10.1002/asi.5090060209";
const SENSITIVITY: &str = "Altman, Bland 1994, doi:10.1136/bmj.308.6943.1552";
const PREDICTIVE: &str = "Altman, Bland 1994, doi:10.1136/bmj.309.6947.102";
const ROC: &str = "Fawcett 2006, doi:10.1016/j.patrec.2005.10.010";
const ROCR: &str = "Sing, Sander, Beerenwinkel, Lengauer 2005, doi:10.1093/bioinformatics/bti623";
const DISCOVERY: &str = "Benjamini, Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "accuracy",
        aliases: &[
            "acc",
            "overall_accuracy",
            "simple_matching",
            "sokal_michener",
            "accuracy_score",
            "overall_acc",
            "categorical_accuracy",
            "sparse_categorical_accuracy",
        ],
        title: "Accuracy",
        formula: "(tp + tn) / n = sum_k M[k,k] / T",
        about: "The share of rows that are predicted right. Where one class is rare, always \
                predicting the other one scores high: see balanced_accuracy and mcc.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Complement("error_rate"), Perfect(1.0)],
        source: STEHMAN,
        joint: Joint::UpDown,
        spreads: &[Share { counts: |c| (c.tp + c.tn, c.fp + c.fn_), matrix: Some(Rows::Right) }],
        ..reading(&[
            form!(|c, _| Ok((c.tp + c.tn) / c.total())),
            matrix_form!(|m, _| Ok((m.right() / m.total()).at_most(1.0))),
        ])
    },
    Index {
        name: "error_rate",
        aliases: &[
            "err",
            "misclassification_rate",
            "zero_one_loss",
            "hamming_loss",
            "error",
            "er",
            "merror",
            "multi_error",
        ],
        title: "Error rate",
        formula: "(fp + fn) / n = 1 - sum_k M[k,k] / T",
        about: "The share of rows that are predicted wrong.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Complement("accuracy"), Perfect(0.0)],
        source: STEHMAN,
        joint: Joint::DownUp,
        spreads: &[Share { counts: |c| (c.fp + c.fn_, c.tp + c.tn), matrix: Some(Rows::Wrong) }],
        ..reading(&[
            form!(|c, _| Ok((c.fp + c.fn_) / c.total())),
            matrix_form!(|m, _| Ok((m.wrong() / m.total()).at_most(1.0))),
        ])
    },
    Index {
        name: "balanced_accuracy",
        aliases: &[
            "ba",
            "macro_recall",
            "bal_accuracy",
            "mean_per_class_accuracy",
            "balanced_accuracy_score",
        ],
        title: "Balanced accuracy",
        formula: "(tp / (tp + fn) + tn / (tn + fp)) / 2 = mean over classes with t[k] > 0 of M[k,k] / t[k]",
        about: "The mean recall over the classes, each class weighted equally; for two classes \
                1/2 is chance. Classes without rows are left out. For one table it is also the \
                area under the two straight lines through its point of the ROC curve.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: BRODERSEN,
        joint: Joint::UpDown,
        scales: scale::AREA,
        spreads: inference::BALANCED_ACCURACY,
        ..reading(table_forms!(|t, _| Ok(mean_recall(t).0)))
    },
    Index {
        name: "adjusted_balanced_accuracy",
        aliases: &["balanced_accuracy_adjusted"],
        title: "Balanced accuracy, adjusted for chance",
        formula: "(ba - 1/k) / (1 - 1/k), k the number of classes with t[k] > 0",
        about: "Balanced accuracy on a scale on which chance is 0. For two classes it is \
                informedness.",
        range: (-1.0, 1.0),
        undefined: "All rows are actually of one class: chance alone is always right.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: GUYON,
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| informedness(c)),
            matrix_form!(|m, _| {
                let (mean, present) = mean_recall(m);
                let chance = N::of(1.0) / present;
                ratio(mean - chance, chance.complement(), Undefined::OneActualClass)
            }),
        ])
    },
    Index {
        name: "precision",
        aliases: &["ppv", "positive_predictive_value", "prec", "precision_score", "users_accuracy"],
        title: "Precision",
        formula: "tp / (tp + fp)",
        about: "The share of positive predictions that are right. It depends on prevalence, so it \
                does not carry over to data where the class is rarer: see \
                precision_at_prevalence.",
        undefined: "No row is predicted positive.",
        laws: &[Transposed("recall"), Swapped("npv"), ScaleFree, Complement("fdr"), Perfect(1.0)],
        source: KENT,
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tp, c.fp))],
        ..reading(&[form!(|c, _| ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives))])
    },
    Index {
        name: "recall",
        aliases: &[
            "tpr",
            "true_positive_rate",
            "sensitivity",
            "hit_rate",
            "sens",
            "rec",
            "recall_score",
            "sensitivity_score",
            "tp_rate",
            "probability_of_detection",
            "pod",
            "producers_accuracy",
        ],
        title: "Recall",
        formula: "tp / (tp + fn)",
        about: "The share of actual positives that are found. Predicting every row positive makes \
                it 1, so read it with precision or specificity.",
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
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tp, c.fn_))],
        ..reading(&[form!(|c, _| ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives))])
    },
    Index {
        name: "specificity",
        aliases: &[
            "tnr",
            "true_negative_rate",
            "selectivity",
            "spec",
            "specificity_score",
            "tn_rate",
        ],
        title: "Specificity",
        formula: "tn / (tn + fp)",
        about: "The share of actual negatives that are predicted negative. Where the class is \
                rare it stays high even if most positive predictions are wrong.",
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
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tn, c.fp))],
        ..reading(&[form!(|c, _| ratio(c.tn, c.tn + c.fp, Undefined::NoActualNegatives))])
    },
    Index {
        name: "fpr",
        aliases: &[
            "false_positive_rate",
            "fall_out",
            "fallout",
            "fall",
            "false_alarm_rate",
            "fp_rate",
            "probability_of_false_detection",
            "pofd",
        ],
        title: "False positive rate",
        formula: "fp / (fp + tn)",
        about: "The share of actual negatives that are predicted positive (false alarms): the \
                horizontal axis of the ROC curve.",
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
        joint: Joint::DownUp,
        spreads: &[share(|c| (c.fp, c.tn))],
        ..reading(&[form!(|c, _| ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives))])
    },
    Index {
        name: "fnr",
        aliases: &["false_negative_rate", "miss_rate", "miss", "fn_rate"],
        title: "False negative rate",
        formula: "fn / (fn + tp)",
        about: "The share of the actual positives that are missed.",
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
        joint: Joint::DownUp,
        spreads: &[share(|c| (c.fn_, c.tp))],
        ..reading(&[form!(|c, _| ratio(c.fn_, c.fn_ + c.tp, Undefined::NoActualPositives))])
    },
    Index {
        name: "npv",
        aliases: &["negative_predictive_value"],
        title: "Negative predictive value",
        formula: "tn / (tn + fn)",
        about: "The share of negative predictions that are right. It depends on prevalence: for a \
                rare class it is close to 1 whatever the classifier does.",
        undefined: "No row is predicted negative.",
        laws: &[
            Transposed("specificity"),
            Swapped("precision"),
            ScaleFree,
            Complement("false_omission_rate"),
            Perfect(1.0),
        ],
        source: PREDICTIVE,
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tn, c.fn_))],
        ..reading(&[form!(|c, _| ratio(c.tn, c.tn + c.fn_, Undefined::NoPredictedNegatives))])
    },
    Index {
        name: "fdr",
        aliases: &["false_discovery_rate", "pcfall", "false_alarm_ratio", "selective_risk"],
        title: "False discovery rate",
        formula: "fp / (fp + tp)",
        about: "The share of the positive predictions that are wrong.",
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
        joint: Joint::DownUp,
        spreads: &[share(|c| (c.fp, c.tp))],
        ..reading(&[form!(|c, _| ratio(c.fp, c.fp + c.tp, Undefined::NoPredictedPositives))])
    },
    Index {
        name: "false_omission_rate",
        aliases: &["for", "false_omission", "pcmiss"],
        title: "False omission rate",
        formula: "fn / (fn + tn)",
        about: "The share of the negative predictions that are wrong.",
        better: Better::Lower,
        undefined: "No row is predicted negative.",
        laws: &[Transposed("fpr"), Swapped("fdr"), ScaleFree, Complement("npv"), Perfect(0.0)],
        source: ROCR,
        joint: Joint::DownUp,
        spreads: &[share(|c| (c.fn_, c.tn))],
        ..reading(&[form!(|c, _| ratio(c.fn_, c.fn_ + c.tn, Undefined::NoPredictedNegatives))])
    },
    Index {
        name: "prevalence",
        aliases: &["base_rate", "pre"],
        title: "Prevalence",
        formula: "(tp + fn) / n",
        about: "The share of rows that are actually positive. It says nothing about the \
                predictions, but many indices depend on it.",
        better: Better::Neither,
        laws: &[Transposed("rpp"), ScaleFree],
        source: PREDICTIVE,
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tp + c.fn_, c.fp + c.tn))],
        ..reading(&[form!(|c, _| Ok((c.tp + c.fn_) / c.total()))])
    },
    Index {
        name: "rpp",
        aliases: &[
            "rate_of_positive_predictions",
            "predicted_positive_rate",
            "detection_prevalence",
            "selection_rate",
            "topr",
            "ppr",
            "queue_rate",
            "test_outcome_positive_rate",
            "coverage",
        ],
        title: "Rate of positive predictions",
        formula: "(tp + fp) / n",
        about: "The share of rows predicted positive, right or wrong: the selection or alarm rate.",
        better: Better::Neither,
        laws: &[Transposed("prevalence"), Swapped("rnp"), Complement("rnp"), ScaleFree],
        source: ROCR,
        joint: Joint::UpUp,
        spreads: &[share(|c| (c.tp + c.fp, c.fn_ + c.tn))],
        ..reading(&[form!(|c, _| Ok((c.tp + c.fp) / c.total()))])
    },
    Index {
        name: "lift",
        aliases: &["lift_score", "ls", "forbes_i"],
        title: "Lift",
        formula: "precision / prevalence = tp n / ((tp + fp) (tp + fn))",
        about: "The frequency of the class among the predicted positives divided by that among \
                all rows; 1 is chance. The maximum is 1 / prevalence, so lifts of different data \
                are not comparable.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree],
        source: ROCR,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| lift(c))])
    },
    Index {
        name: "informedness",
        aliases: &[
            "youden_j",
            "youden_index",
            "bookmaker_informedness",
            "bm",
            "j_index",
            "youden",
            "true_skill_statistic",
            "peirce_skill_score",
            "youdens_j",
            "youdens_index",
        ],
        title: "Informedness (Youden's J)",
        formula: "recall + specificity - 1 = (tp tn - fp fn) / ((tp + fn) (fp + tn))",
        about: "True positive rate minus false positive rate: the height of the ROC curve above \
                the diagonal, whatever the prevalence. 0 is chance, -1 always wrong.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Transposed("markedness"), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Youden 1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
        joint: Joint::UpDown,
        spreads: inference::INFORMEDNESS,
        ..reading(&[form!(|c, _| informedness(c))])
    },
    Index {
        name: "markedness",
        aliases: &["delta_p", "mk"],
        title: "Markedness",
        formula: "precision + npv - 1 = (tp tn - fp fn) / ((tp + fp) (fn + tn))",
        about: "Precision minus the false omission rate: how far predictions can be relied on, \
                beyond chance. It is informedness with actual and predicted exchanged.",
        range: (-1.0, 1.0),
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Transposed("informedness"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Powers 2011, doi:10.48550/arXiv.2010.16061",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| markedness(c))])
    },
    Index {
        name: "rnp",
        aliases: &["rate_of_negative_predictions", "predicted_negative_rate", "pnr"],
        title: "Rate of negative predictions",
        formula: "(fn + tn) / n",
        about: "The share of rows predicted negative, right or wrong.",
        better: Better::Neither,
        laws: &[Swapped("rpp"), Complement("rpp"), ScaleFree],
        source: ROCR,
        joint: Joint::DownDown,
        spreads: &[share(|c| (c.fn_ + c.tn, c.tp + c.fp))],
        ..reading(&[form!(|c, _| Ok((c.fn_ + c.tn) / c.total()))])
    },
    Index {
        name: "detection_rate",
        aliases: &["russell_rao"],
        title: "Detection rate",
        formula: "tp / n",
        about: "True positives as a share of all rows. It cannot exceed the prevalence.",
        laws: &[Transposed(SELF), ScaleFree],
        source: "Russell, Rao 1940, On habitat and association of species of anopheline larvae; \
                 Kuhn 2008 (caret), doi:10.18637/jss.v028.i05",
        joint: Joint::UpDown,
        spreads: &[share(|c| (c.tp, c.fp + c.fn_ + c.tn))],
        ..reading(&[form!(|c, _| Ok(c.tp / c.total()))])
    },
    Index {
        name: "frequency_bias",
        aliases: &["bias_score"],
        title: "Frequency bias",
        formula: "(tp + fp) / (tp + fn)",
        about: "Predicted positives divided by actual positives. 1 is unbiased, which does not \
                mean right.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: "No row is actually positive.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Donaldson, Dyer, Kraus 1975, An objective evaluator of techniques for predicting severe \
                 weather events",
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| ratio(c.tp + c.fp, c.tp + c.fn_, Undefined::NoActualPositives))])
    },
    Index {
        name: "bray_curtis_dissimilarity",
        aliases: &["bcd"],
        title: "Bray-Curtis dissimilarity of the numbers of positives",
        formula: "|fp - fn| / (2 n)",
        about: "The relative difference between the numbers of predicted and actual positives. \
                Errors of both kinds cancel, so 0 does not mean that there are none.",
        range: (0.0, 0.5),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Bray, Curtis 1957, doi:10.2307/1942268; in this form PyCM, Haghighi et al. 2018, \
                 doi:10.21105/joss.00729",
        delta: Delta::Plain,
        ..reading(&[form!(|c, _| Ok((c.fp - c.fn_).abs() / (c.total() * 2.0)))])
    },
    Index {
        name: "class_random_accuracy",
        aliases: &["racc"],
        title: "Random accuracy of a class",
        formula: "(tp + fp) (tp + fn) / n^2",
        about: "The share of rows expected to be true positives by chance, given the margins; \
                Cohen's kappa sums it over the classes.",
        better: Better::Neither,
        laws: &[Transposed(SELF), ScaleFree],
        source: "Cohen 1960, doi:10.1177/001316446002000104",
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| Ok((c.tp + c.fp) / c.total() * ((c.tp + c.fn_) / c.total())))])
    },
    Index {
        name: "class_random_accuracy_unbiased",
        aliases: &["raccu"],
        title: "Random accuracy of a class, actual and predicted margins taken as one",
        formula: "(((tp + fp) + (tp + fn)) / (2 n))^2",
        about: "The share of rows expected to be true positives by chance if actual and predicted \
                classes had the same frequency; Scott's pi sums it over the classes.",
        better: Better::Neither,
        laws: &[Transposed(SELF), ScaleFree],
        source: "Scott 1955, doi:10.1086/266577",
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| {
            let share = (c.tp * 2.0 + c.fp + c.fn_) / (c.total() * 2.0);
            Ok(share * share)
        })])
    },
    Index {
        name: "information_score",
        aliases: &["is", "pointwise_mutual_information"],
        title: "Information score (bits)",
        formula: "log2(precision / prevalence) = log2(tp n / ((tp + fp) (tp + fn)))",
        about: "The logarithm of lift: how many bits of evidence a positive prediction gives. 0 \
                is chance.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "No row is actually positive, none is predicted positive, or there are no true \
                    positives: the logarithm of 0.",
        laws: &[Transposed(SELF), ScaleFree],
        source: "Kononenko, Bratko 1991, doi:10.1007/BF00153760",
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            let lift = lift(c)?;
            if lift.is_positive() {
                Ok(lift.ln() / std::f64::consts::LN_2)
            } else {
                Err(Undefined::OutsideDomain)
            }
        })])
    },
    Index {
        name: "optimized_precision",
        aliases: &["op"],
        title: "Optimized precision",
        formula: "accuracy - |specificity - recall| / (specificity + recall)",
        about: "Accuracy minus a penalty for unequal recall and specificity.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, none is actually negative, or no row at all is \
                    predicted right.",
        laws: &[Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Ranawana, Palade 2006, doi:10.1109/CEC.2006.1688586",
        cancels: true,
        ..reading(&[form!(|c, _| {
            let (recall, specificity) = (recall(c)?, specificity(c)?);
            let difference = (specificity - recall).abs();
            let uneven = ratio(difference, specificity + recall, Undefined::ZeroDenominator)?;
            Ok((c.tp + c.tn) / c.total() - uneven)
        })])
    },
    Index {
        name: "index_of_balanced_accuracy",
        aliases: &["iba"],
        title: "Index of balanced accuracy",
        formula: "(1 + alpha (recall - specificity)) recall specificity",
        about: "The squared geometric mean of both recalls, adjusted by which class dominates. \
                The range holds for alpha up to 1; imbalanced-learn's default is 0.1.",
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Garcia, Mollineda, Sanchez 2009, doi:10.1007/978-3-642-02172-5_57",
        parameters: &[Parameter {
            name: "alpha",
            default: Some(1.0),
            domain: Domain::Finite,
            about: "the weight of the dominance, recall minus specificity",
            two_classes: false,
        }],
        cancels: true,
        ..reading(&[form!(|c, parameters| {
            let (recall, specificity) = (recall(c)?, specificity(c)?);
            let dominance = (recall - specificity) * parameters.number(0) + 1.0;
            Ok(dominance * recall * specificity)
        })])
    },
    Index {
        name: "adjusted_geometric_mean",
        aliases: &["agm"],
        title: "Adjusted geometric mean",
        formula: "(gm + specificity q) / (1 + q), gm = sqrt(recall specificity), q = (fp + tn) / n; 0 where \
                  recall = 0",
        about: "The geometric mean of both recalls, with more weight on specificity the more \
                negatives there are: for rare positives, where finding a few more must not cost \
                many false alarms.",
        undefined: "No row is actually positive, or none is actually negative and recall is not 0.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Batuwita, Palade 2012, doi:10.1142/S0219720012500035",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let recall = recall(c)?;
            if recall.is_zero() {
                return Ok(recall);
            }
            let (specificity, share) = (specificity(c)?, (c.fp + c.tn) / c.total());
            Ok(((recall * specificity).sqrt() + specificity * share) / (share + 1.0))
        })])
    },
];

/// A share of trials: `counts` gives successes and failures.
const fn share(counts: fn(&BinaryCounts) -> (f64, f64)) -> Spread {
    Share { counts, matrix: None }
}

#[inline]
fn lift<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    ratio(precision(c)? * c.total(), c.tp + c.fn_, Undefined::NoActualPositives)
}

/// Inlined, large as it is, so that the loop over many tables is one of vectors; so is the next.
#[inline(always)]
#[allow(clippy::inline_always)]
fn informedness<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let value = over_actual(determinant(c), c)?;
    Ok(value.within(-1.0, 1.0))
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn markedness<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let value = over_predicted(determinant(c), c)?;
    Ok(value.within(-1.0, 1.0))
}

/// The mean of right / rows over the classes that have rows, and how many classes that are.
#[inline(always)]
#[allow(clippy::inline_always)]
fn mean_recall<N: Number>(t: &impl Table<N>) -> (N, N) {
    let (sum, present) = t.sum_of_quotients(of_class!(|c| [(c.tp, c.tp + c.fn_)]));
    (sum / present, present)
}
