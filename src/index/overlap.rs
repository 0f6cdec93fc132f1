//! How far the rows that are positive and the rows that are predicted positive overlap; true negatives play no part
//! (but for the geometric mean, their companion).

use super::Law::{Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use super::value::ratio;
use super::{BLANK, Domain, Index, Outcome, Parameter, Undefined};
use crate::stat::BinaryCounts;

const RIJSBERGEN: &str =
    "van Rijsbergen 1979, Information Retrieval; Chinchor 1992, doi:10.3115/1072064.1072067";

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "fbeta",
        aliases: &["f_beta"],
        title: "F-beta",
        formula: "(1 + beta^2) tp / ((1 + beta^2) tp + fp + beta^2 fn)",
        undefined: "No row is positive, neither actually nor as predicted (with beta 0: none as predicted).",
        laws: &[ScaleFree, Perfect(1.0)],
        source: RIJSBERGEN,
        parameters: &[Parameter {
            name: "beta",
            default: Some(1.0),
            domain: Domain::NotNegative,
            about: "how many times as much recall counts as precision",
            two_classes: false,
        }],
        counts: Some(&|c, parameters| fbeta(c, parameters.number(0))),
        ..BLANK
    },
    Index {
        name: "f1",
        aliases: &["f_score", "dice", "sorensen_dice"],
        title: "F1 (the harmonic mean of precision and recall)",
        formula: "2 tp / (2 tp + fp + fn)",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("f1"), ScaleFree, Perfect(1.0)],
        source: RIJSBERGEN,
        counts: Some(&|c, _| fbeta(c, 1.0)),
        ..BLANK
    },
    Index {
        name: "jaccard",
        aliases: &["critical_success_index", "csi", "threat_score", "iou"],
        title: "Jaccard index",
        formula: "tp / (tp + fp + fn)",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("jaccard"), ScaleFree, Perfect(1.0)],
        source: "Jaccard 1901, doi:10.5169/seals-266450",
        counts: Some(&|c, _| ratio(c.tp, c.tp + c.fp + c.fn_, Undefined::NoPositives)),
        ..BLANK
    },
    Index {
        name: "fowlkes_mallows",
        aliases: &["fm", "ochiai"],
        title: "Fowlkes-Mallows index",
        formula: "sqrt(precision recall) = tp / sqrt((tp + fp) (tp + fn))",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("fowlkes_mallows"), ScaleFree, Perfect(1.0)],
        source: "Fowlkes, Mallows 1983, doi:10.1080/01621459.1983.10478008",
        counts: Some(&|c, _| {
            let recall = ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let precision = ratio(c.tp, c.tp + c.fp, Undefined::NoPredictedPositives)?;
            Ok((precision * recall).sqrt())
        }),
        ..BLANK
    },
    Index {
        name: "geometric_mean",
        aliases: &["gmean", "g_mean"],
        title: "Geometric mean of recall and specificity",
        formula: "sqrt(recall specificity)",
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[
            Swapped("geometric_mean"),
            ScaleFree,
            PrevalenceFree,
            Perfect(1.0),
        ],
        source: "Kubat, Holte, Matwin 1998, doi:10.1023/A:1007452223027",
        counts: Some(&|c, _| {
            let recall = ratio(c.tp, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let specificity = ratio(c.tn, c.tn + c.fp, Undefined::NoActualNegatives)?;
            Ok((recall * specificity).sqrt())
        }),
        ..BLANK
    },
];

fn fbeta(c: &BinaryCounts, beta: f64) -> Outcome {
    let square = beta * beta;
    let double = (1.0 + square) * c.tp;
    ratio(
        double,
        double + c.fp + square * c.fn_,
        Undefined::NoPositives,
    )
}
