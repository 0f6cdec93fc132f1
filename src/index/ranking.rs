//! How well the scores rank positives above negatives, over all thresholds.

use super::Law::{NegatedSum, Perfect, RankOnly, ScaleFree};
use super::{BLANK, Index, Undefined, scale};
use crate::stat::ScoreTable;

const NO_PAIRS: &str = "No row is positive, or none is negative.";

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "roc_auc",
        aliases: &["auc", "auroc"],
        title: "Area under the ROC curve",
        formula: "P(score of a positive > score of a negative) + P(equal) / 2",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, NegatedSum(1.0), Perfect(1.0)],
        source: "Hanley, McNeil 1982, doi:10.1148/radiology.143.1.7063747",
        sweep: Some(&|s, _| s.roc_auc().ok_or_else(|| missing(s))),
        scales: scale::AREA,
        ..BLANK
    },
    Index {
        name: "gini",
        aliases: &["gini_coefficient", "accuracy_ratio", "somers_d"],
        title: "Gini coefficient of the ROC curve",
        formula: "2 roc_auc - 1",
        range: (-1.0, 1.0),
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, NegatedSum(0.0), Perfect(1.0)],
        source: "Hand, Till 2001, doi:10.1023/A:1010920819831",
        sweep: Some(&|s, _| Ok(2.0 * s.roc_auc().ok_or_else(|| missing(s))? - 1.0)),
        ..BLANK
    },
    Index {
        name: "ks",
        aliases: &["kolmogorov_smirnov"],
        title: "Kolmogorov-Smirnov distance",
        formula: "max over thresholds of |tpr - fpr|",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Smirnov 1948, doi:10.1214/aoms/1177730256",
        sweep: Some(&|s, _| s.ks().map(|ks| ks.value).ok_or_else(|| missing(s))),
        ..BLANK
    },
    Index {
        name: "average_precision",
        aliases: &["ap"],
        title: "Average precision",
        formula: "sum over thresholds, from high to low, of (recall - recall before) precision",
        undefined: "No row is positive; 0 by convention.",
        when_undefined: 0.0,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Buckley, Voorhees 2000, doi:10.1145/345508.345543",
        sweep: Some(&|s, _| s.average_precision().ok_or(Undefined::NoActualPositives)),
        ..BLANK
    },
];

/// Which class is missing.
fn missing(table: &ScoreTable) -> Undefined {
    if table.totals().0 > 0.0 {
        Undefined::NoActualNegatives
    } else {
        Undefined::NoActualPositives
    }
}
