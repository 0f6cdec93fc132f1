//! How well the scores rank positives above negatives, over all thresholds.

use crate::classes::score_tables::ScoreTables;
use crate::index::row::Law::{NegatedSum, Perfect, PrevalenceFree, RankOnly, ScaleFree};
use crate::index::row::{BLANK, Index};
use crate::index::scale;
use crate::index::value::{Outcome, Undefined};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

pub(crate) const NO_PAIRS: &str = "No row is positive, or none is negative.";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "roc_auc",
        aliases: &["auc", "auroc"],
        title: "Area under the ROC curve",
        formula: "P(score of a positive > score of a negative) + P(equal) / 2",
        about: "How probably a positive row scores above a negative one, a tie counting one half. Only the order of the scores matters, \
                not prevalence and not calibration; a good area may go with many false alarms where positives are rare.",
        undefined: NO_PAIRS,
        laws: &[
            ScaleFree,
            PrevalenceFree,
            RankOnly,
            NegatedSum(1.0),
            Perfect(1.0),
        ],
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
        about: "The area under the ROC curve, rescaled so that scores without information have 0 and reversed ones -1. It is not the \
                Gini impurity, nor the Gini index of incomes.",
        range: (-1.0, 1.0),
        undefined: NO_PAIRS,
        laws: &[
            ScaleFree,
            PrevalenceFree,
            RankOnly,
            NegatedSum(0.0),
            Perfect(1.0),
        ],
        source: "Hand, Till 2001, doi:10.1023/A:1010920819831",
        sweep: Some(&|s, _| Ok(2.0 * s.roc_auc().ok_or_else(|| missing(s))? - 1.0)),
        ..BLANK
    },
    Index {
        name: "ks",
        aliases: &["kolmogorov_smirnov"],
        title: "Kolmogorov-Smirnov distance",
        formula: "max over thresholds of |tpr - fpr|",
        about: "The widest gap between the two classes' distributions of scores; the threshold where it lies is that of the best \
                Youden index. It looks at one threshold only, and has no sign here: reversed scores do as well.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0)],
        source: "Smirnov 1948, doi:10.1214/aoms/1177730256",
        sweep: Some(&|s, _| s.ks().map(|ks| ks.value).ok_or_else(|| missing(s))),
        ..BLANK
    },
    Index {
        name: "average_precision",
        aliases: &["ap"],
        title: "Average precision",
        formula: "sum over thresholds, from high to low, of (recall - recall before) precision",
        about: "The precision met on the way down the ranking, averaged over the positives. Scores without information have the \
                prevalence, so values of data with different prevalences do not compare.",
        undefined: "No row is positive; 0 by convention.",
        when_undefined: 0.0,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Buckley, Voorhees 2000, doi:10.1145/345508.345543",
        sweep: Some(&|s, _| s.average_precision().ok_or(Undefined::NoActualPositives)),
        ..BLANK
    },
    Index {
        name: "macro_average_precision",
        aliases: &["map", "mean_average_precision"],
        title: "Mean average precision over the classes",
        formula: "mean_k average_precision of class k against the rest, by the scores of class k",
        about: "Average precision with each class in turn as the positive one, classes alike; for two classes the negative one is \
                ranked by the scores from low to high. A class without rows counts 0.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Manning, Raghavan, Schuetze 2008, Introduction to Information Retrieval, section 8.4",
        sweep: Some(&|s, _| {
            let (own, other) = (s.average_precision(), s.negative_average_precision());
            Ok(f64::midpoint(own.unwrap_or(0.0), other.unwrap_or(0.0)))
        }),
        score_tables: Some(&|tables, _| {
            let areas = against_rest(tables, |table| Ok(table.average_precision().unwrap_or(0.0)))?;
            Ok(areas.iter().sum::<f64>() / areas.len() as f64)
        }),
        ..BLANK
    },
    Index {
        name: "one_vs_rest_auc",
        aliases: &["aunu", "roc_auc_ovr", "macro_roc_auc"],
        title: "Area under the ROC curve, each class against the rest",
        formula: "mean_k roc_auc of class k against the rest, by the scores of class k",
        about: "How well each class is told from all others, classes alike. The others are a mixture, so it depends on how frequent \
                they are.",
        undefined: "A class has no rows, or has all.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        score_tables: Some(&|tables, _| {
            let areas = one_vs_rest(tables)?;
            Ok((areas.iter().sum::<f64>() / areas.len() as f64).min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "weighted_one_vs_rest_auc",
        aliases: &["aunp", "weighted_roc_auc"],
        title: "Area under the ROC curve, each class against the rest, by class size",
        formula: "sum_k (t[k] / T) roc_auc of class k against the rest, by the scores of class k",
        about: "How well each class is told from all others, each by its number of rows: frequent classes lead.",
        undefined: "A class has no rows, or has all.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        score_tables: Some(&|tables, _| {
            let (areas, weights) = (one_vs_rest(tables)?, tables.class_weights());
            let sum: f64 = areas.iter().zip(&weights).map(|(area, w)| area * w).sum();
            Ok((sum / weights.iter().sum::<f64>()).min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "one_vs_one_auc",
        aliases: &["au1u", "roc_auc_ovo", "hand_till"],
        title: "Area under the ROC curve, each class against each other",
        formula: "sum_(j != k) roc_auc(j, k) / (K (K - 1)), the rows of class j against those of class k by the scores of j",
        about: "How well any two classes are told apart, pairs alike: Hand and Till's M. How frequent the classes are plays no part. \
                Classes without rows are left out.",
        undefined: "All rows are of one class.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Hand, Till 2001, doi:10.1023/A:1010920819831",
        score_tables: Some(&|tables, _| {
            let area = pairs(tables, |_| 1.0, |a, b| tables.area_of_pair(a, b))?;
            Ok(area.min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "weighted_one_vs_one_auc",
        aliases: &["au1p"],
        title: "Area under the ROC curve, each class against each other, by class size",
        formula: "sum_(j != k) (t[j] / T) roc_auc(j, k) / (K - 1), the rows of class j against those of class k by the scores of j",
        about: "How well each class is told from any other, weighted by the rows of the class whose scores rank them. \
                scikit-learn's weighted one against one weighs a pair by the rows of both, which differs.",
        undefined: "All rows are of one class.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        score_tables: Some(&|tables, _| {
            let weights = tables.class_weights();
            let area = |a, b| tables.area_of_pair(a, b);
            Ok(pairs(tables, |class| weights[class], area)?.min(1.0))
        }),
        ..BLANK
    },
];

/// A number of each class against the rest.
fn against_rest(
    tables: &ScoreTables,
    number: impl Fn(&Ranking) -> Outcome,
) -> Result<Vec<f64>, Undefined> {
    // The tables always fit together; were they not to, no class would have a value.
    let tables = tables
        .against_rest()
        .map_err(|_| Undefined::NoClassDefined)?;
    tables.iter().map(number).collect()
}

/// The area of each class against the rest.
fn one_vs_rest(tables: &ScoreTables) -> Result<Vec<f64>, Undefined> {
    let present = tables.present();
    if present.len() < 2 {
        return Err(Undefined::OneActualClass);
    }
    if present.len() < tables.classes() {
        return Err(Undefined::ClassWithoutRows);
    }
    against_rest(tables, |table| {
        table.roc_auc().ok_or_else(|| missing(table))
    })
}

/// The mean of a number over the ordered pairs of classes that have rows, weighted by the first.
pub(crate) fn pairs(
    tables: &ScoreTables,
    weight: impl Fn(usize) -> f64,
    number: impl Fn(usize, usize) -> Option<f64>,
) -> Outcome {
    let present = tables.present();
    if present.len() < 2 {
        return Err(Undefined::OneActualClass);
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for &a in &present {
        for &b in present.iter().filter(|&&b| b != a) {
            sum += weight(a) * number(a, b).ok_or(Undefined::NoClassDefined)?;
            weights += weight(a);
        }
    }
    Ok(sum / weights)
}

/// Which class is missing.
pub(crate) fn missing(table: &ScoreTable) -> Undefined {
    if table.totals().0 > 0.0 {
        Undefined::NoActualNegatives
    } else {
        Undefined::NoActualPositives
    }
}
