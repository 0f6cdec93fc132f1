//! Overlap of the actual and the predicted positives. True negatives do not count, except in the
//! geometric mean, the adjusted F and the score that subtracts chance.

use crate::arith::number::Number;
use crate::index::form::form;
use crate::index::parameter::{Domain, Parameter};
use crate::index::row::Law::{Complement, Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::shares::{determinant, precision, recall, specificity};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

const RIJSBERGEN: &str =
    "van Rijsbergen 1979, Information Retrieval; Chinchor 1992, doi:10.3115/1072064.1072067";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "fbeta",
        aliases: &["f_beta", "f_meas", "fbeta_score"],
        title: "F-beta",
        formula: "(1 + beta^2) tp / ((1 + beta^2) tp + fp + beta^2 fn)",
        about: "A weighted harmonic mean of precision and recall: recall counts beta times as \
                much. ROCR's parameter alpha is 1 / (1 + beta^2).",
        undefined: "No row is positive, neither actually nor as predicted (with beta 0: none as \
                    predicted).",
        laws: &[ScaleFree, Perfect(1.0)],
        source: RIJSBERGEN,
        parameters: &[Parameter {
            name: "beta",
            default: Some(1.0),
            domain: Domain::NotNegative,
            about: "the weight of recall relative to precision",
            two_classes: false,
        }],
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| fbeta(c, parameters.number(0)))])
    },
    Index {
        name: "f1",
        aliases: &[
            "f_score",
            "f1_score",
            "dice",
            "sorensen_dice",
            "positive_agreement",
            "f_measure",
        ],
        title: "F1 (the harmonic mean of precision and recall)",
        formula: "2 tp / (2 tp + fp + fn)",
        about: "The harmonic mean of precision and recall, high only if both are. True negatives \
                do not count, and exchanging the classes changes it, so say which class is \
                positive.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[
            Transposed(SELF),
            Swapped("negative_agreement"),
            Complement("canberra"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: RIJSBERGEN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| fbeta(c, 1.0))])
    },
    Index {
        name: "f0_5",
        aliases: &["f0.5", "f05", "f0point5"],
        title: "F0.5: precision counts twice as much as recall",
        formula: "1.25 tp / (1.25 tp + fp + 0.25 fn)",
        about: "F-beta with more weight on precision, for tasks where a false alarm costs more \
                than a miss.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("f2"), ScaleFree, Perfect(1.0)],
        source: RIJSBERGEN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| fbeta(c, 0.5))])
    },
    Index {
        name: "f2",
        aliases: &["f2_score"],
        title: "F2: recall counts twice as much as precision",
        formula: "5 tp / (5 tp + fp + 4 fn)",
        about: "F-beta with more weight on recall, for tasks where a miss costs more than a false \
                alarm.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("f0_5"), ScaleFree, Perfect(1.0)],
        source: RIJSBERGEN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| fbeta(c, 2.0))])
    },
    Index {
        name: "jaccard",
        aliases: &[
            "critical_success_index",
            "csi",
            "threat_score",
            "iou",
            "tanimoto",
            "jaccard_index",
            "jaccard_score",
            "jaccard_similarity_index",
        ],
        title: "Jaccard index",
        formula: "tp / (tp + fp + fn)",
        about: "True positives divided by the rows that are actually or predicted positive. It \
                orders tables as F1 does: jaccard = f1 / (2 - f1).",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Jaccard 1901, doi:10.5169/seals-266450",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| ratio(c.tp, c.tp + c.fp + c.fn_, Undefined::NoPositives))])
    },
    Index {
        name: "fowlkes_mallows",
        aliases: &[
            "fm",
            "ochiai",
            "otsuka_ochiai",
            "ooc",
            "g_measure",
            "fowlkes_mallows_index",
            "cosine_similarity",
            "folkes_mallows_index",
        ],
        title: "Fowlkes-Mallows index",
        formula: "sqrt(precision recall) = tp / sqrt((tp + fp) (tp + fn))",
        about: "The geometric mean of precision and recall: the cosine between actual and \
                predicted positives. This one reads the confusion matrix; the index of the same \
                name for clusterings counts pairs of rows.",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Fowlkes, Mallows 1983, doi:10.1080/01621459.1983.10478008; Ochiai 1957, \
                 doi:10.2331/suisan.22.526",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let (recall, precision) = (recall(c)?, precision(c)?);
            Ok((precision * recall).sqrt())
        })])
    },
    Index {
        name: "geometric_mean",
        aliases: &["gmean", "g_mean", "gm", "g_mean_score"],
        title: "Geometric mean of recall and specificity",
        formula: "sqrt(recall specificity)",
        about: "Product of recall and specificity: 0 if the classifier misses one class \
                completely, whatever the prevalence.",
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Kubat, Holte, Matwin 1998, doi:10.1023/A:1007452223027",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok((recall(c)? * specificity(c)?).sqrt()))])
    },
    Index {
        name: "adjusted_f_score",
        aliases: &["agf", "adjusted_f_measure"],
        title: "Adjusted F-score",
        formula: "sqrt(f2 v), v = 1.25 tn / (1.25 tn + fn + 0.25 fp)",
        about: "F2 of the positive class combined with F0.5 of the negative class: true negatives \
                count, and the rare class counts more.",
        undefined: "No row is positive, neither actually nor as predicted, or none is negative.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Maratea, Petrosino, Manzo 2014, doi:10.1016/j.ins.2013.04.016",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let exchanged = BinaryCounts { tp: c.tn, fp: c.fn_, fn_: c.fp, tn: c.tp };
            Ok((fbeta(c, 2.0)? * fbeta(&exchanged, 0.5)?).sqrt())
        })])
    },
    Index {
        name: "tversky",
        aliases: &["ti", "tversky_index"],
        title: "Tversky index",
        formula: "tp / (tp + alpha fn + beta fp)",
        about: "An overlap with separate weights for misses and false alarms. alpha = beta = 1/2 \
                is F1, alpha = beta = 1 is Jaccard. Some authors give alpha to the false \
                positives: compare the formula.",
        undefined: "No row is positive, neither actually nor as predicted (nor with the weights).",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Tversky 1977, doi:10.1037/0033-295X.84.4.327",
        parameters: &[
            Parameter {
                name: "alpha",
                default: Some(0.5),
                domain: Domain::NotNegative,
                about: "the weight of a false negative",
                two_classes: false,
            },
            Parameter {
                name: "beta",
                default: Some(0.5),
                domain: Domain::NotNegative,
                about: "the weight of a false positive",
                two_classes: false,
            },
        ],
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let wrong = c.fn_ * parameters.number(0) + c.fp * parameters.number(1);
            ratio(c.tp, c.tp + wrong, Undefined::NoPositives)
        })])
    },
    Index {
        name: "overlap_coefficient",
        aliases: &["oc", "szymkiewicz_simpson"],
        title: "Overlap coefficient (Szymkiewicz and Simpson)",
        formula: "tp / min(tp + fp, tp + fn) = max(precision, recall)",
        about: "1 if one of the sets, actual or predicted positives, contains the other. A \
                classifier that finds one positive and stops has 1.",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Simpson 1943, doi:10.2475/ajs.241.1.1",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(precision(c)?.max(recall(c)?)))])
    },
    Index {
        name: "braun_blanquet",
        aliases: &["bb", "braun_blanquet_similarity"],
        title: "Braun-Blanquet similarity",
        formula: "tp / max(tp + fp, tp + fn) = min(precision, recall)",
        about: "The lesser of precision and recall.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Braun-Blanquet 1932, Plant Sociology",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| ratio(c.tp, c.tp + c.fp.max(c.fn_), Undefined::NoPositives))])
    },
    Index {
        name: "kulczynski_ii",
        aliases: &["kulczynski_2", "mean_of_precision_and_recall"],
        title: "Kulczynski's second: the mean of precision and recall",
        formula: "(precision + recall) / 2",
        about: "The mean of precision and recall: above 1/2 if one of them is perfect. PyCM calls \
                it the area under the precision-recall curve (AUPR), but it reads a single \
                threshold; for the area see average_precision.",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Kulczynski 1927, Bull. Int. Acad. Pol. Sci. Lett. B (Suppl. 2), 57-203",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok((precision(c)? + recall(c)?) / 2.0))])
    },
    Index {
        name: "individual_classification_success_index",
        aliases: &["icsi", "mcconnaughey"],
        title: "Individual classification success index",
        formula: "precision + recall - 1 = (tp^2 - fp fn) / ((tp + fp) (tp + fn))",
        about: "Precision plus recall minus 1. Its mean over the classes is the classification \
                success index.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Labatut, Cherifi 2011, doi:10.48550/arXiv.1207.3790",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let beyond = N::difference_of_products(c.tp, c.tp, c.fp, c.fn_);
            let share = ratio(beyond, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let value = ratio(share, c.tp + c.fp, Undefined::NoPredictedPositives)?;
            Ok(value.within(-1.0, 1.0))
        })])
    },
    Index {
        name: "equitable_threat_score",
        aliases: &["ets", "gilbert_skill_score"],
        title: "Equitable threat score (Gilbert's skill score)",
        formula: "(tp - r) / (tp - r + fp + fn), r = (tp + fp) (tp + fn) / n",
        about: "The Jaccard index minus the true positives expected by chance; 0 is chance. \
                Common for forecasts of rare events.",
        range: (-1.0 / 3.0, 1.0),
        undefined: "All rows are of one class and predicted to be of it.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Gilbert 1884, Finley's tornado predictions, Am. Meteorol. J. 1, 166-172; Schaefer 1990, \
                 doi:10.1175/1520-0434(1990)005<0570:TCSIAA>2.0.CO;2",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            // Both times n.
            let beyond = determinant(c);
            let wrong = (c.fp + c.fn_) * c.total();
            let value = ratio(beyond, beyond + wrong, Undefined::CertainAgreement)?;
            Ok(value.within(-1.0 / 3.0, 1.0))
        })])
    },
    Index {
        name: "canberra",
        aliases: &["sorensen_dissimilarity", "lance_williams"],
        title: "Canberra distance: Dice's dissimilarity",
        formula: "(fp + fn) / (2 tp + fp + fn)",
        about: "1 minus F1. It is not a metric: it violates the triangle inequality.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Complement("f1"), ScaleFree, Perfect(0.0)],
        source: "Lance, Williams 1966, doi:10.1093/comjnl/9.1.60",
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_;
            ratio(wrong, c.tp * 2.0 + wrong, Undefined::NoPositives)
        })])
    },
];

#[inline]
fn fbeta<N: Number>(c: &BinaryCounts<N>, beta: f64) -> Outcome<N> {
    let square = N::of(beta) * beta;
    let double = (square + 1.0) * c.tp;
    ratio(double, double + c.fp + square * c.fn_, Undefined::NoPositives)
}
