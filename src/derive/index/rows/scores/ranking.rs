//! How well the scores rank positives above negatives, over all thresholds.

use crate::base::memory::Gather;
use crate::classes::column_tables::Rankings;
use crate::classes::score_tables::ScoreTables;
use crate::index::form::{Form, Reads};
use crate::index::row::Law::{NegatedSum, Perfect, PrevalenceFree, RankOnly, ScaleFree};
use crate::index::row::{Better, Index, reading};
use crate::index::rows::inference;
use crate::index::scale;
use crate::index::sketched::form::Sketched;
use crate::index::spread::Spread;
use crate::index::value::{Outcome, Undefined};
use crate::scores::ranking::{Ranking, fractions};
use crate::scores::score_table::ScoreTable;

pub(crate) const NO_PAIRS: &str = "No row is positive, or none is negative.";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "roc_auc",
        aliases: &[
            "auc",
            "auroc",
            "roc_auc_score",
            "area_under_roc",
            "area_under_curve",
            "roc_area",
            "c_statistic",
        ],
        title: "Area under the ROC curve",
        formula: "P(score of a positive > score of a negative) + P(equal) / 2",
        about: "The probability that a random positive row scores above a random negative one; a \
                tie counts one half. It depends only on the order of the scores, not on \
                prevalence or calibration. A large area may still mean many false alarms where \
                positives are rare.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, NegatedSum(1.0), Perfect(1.0)],
        source: "Hanley, McNeil 1982, doi:10.1148/radiology.143.1.7063747",
        sketched: Sketched::Rises,
        scales: scale::AREA,
        spreads: inference::ROC_AUC,
        ..reading(&[
            Form::Scores(Reads::Area, &|s, _| s.roc_auc().ok_or_else(|| missing(s))),
            Form::Exact(fractions::roc_auc),
        ])
    },
    Index {
        name: "gini",
        aliases: &["gini_coefficient", "accuracy_ratio", "somers_d", "gain_capture"],
        title: "Gini coefficient of the ROC curve",
        formula: "2 roc_auc - 1",
        about: "The area under the ROC curve, rescaled so that uninformative scores have 0 and \
                reversed ones -1. It is not the Gini impurity or the Gini index of incomes.",
        range: (-1.0, 1.0),
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, NegatedSum(0.0), Perfect(1.0)],
        source: "Hand, Till 2001, doi:10.1023/A:1010920819831",
        sketched: Sketched::Rises,
        spreads: inference::GINI,
        ..reading(&[
            Form::Scores(Reads::Gini, &|s, _| s.gini().ok_or_else(|| missing(s))),
            Form::Exact(fractions::gini),
        ])
    },
    Index {
        name: "ks",
        aliases: &["kolmogorov_smirnov", "ks_statistic", "max_ks"],
        title: "Kolmogorov-Smirnov distance",
        formula: "max over thresholds of |tpr - fpr|",
        about: "The largest gap between the score distributions of the two classes, at the \
                threshold of the best Youden index. It reads one threshold only and has no sign \
                here: reversed scores do as well.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, PrevalenceFree, RankOnly, Perfect(1.0)],
        source: "Smirnov 1948, doi:10.1214/aoms/1177730256",
        sketched: Sketched::By(&|of, _| {
            let [tied, worst, best] =
                [of.tied(), of.worst(), of.best()].map(|s| s.ks().map(|ks| ks.value));
            let (low, worst, best) = (
                tied.ok_or_else(|| missing(of.tied()))?,
                worst.unwrap_or(1.0),
                best.unwrap_or(1.0),
            );
            Ok((low, worst.max(best)))
        }),
        spreads: &[Spread::Gap],
        ..reading(&[
            Form::Scores(Reads::Gap, &|s, _| s.ks().map(|ks| ks.value).ok_or_else(|| missing(s))),
            Form::Exact(fractions::ks),
        ])
    },
    Index {
        name: "ks_p_value",
        aliases: &["kolmogorov_smirnov_p_value"],
        title: "P-value of the Kolmogorov-Smirnov test",
        formula: "the share of the orders of the rows with as large a ks as theirs, or a larger one",
        about: "The probability of a distance at least this large if positives and negatives have \
                the same scores in the long run. Exact given the ties, over all orders of the \
                rows, while all rows times those of the rarer class are at most 10 million; \
                otherwise, and with weights, Kolmogorov's limit with Stephens's correction.",
        better: Better::Neither,
        undefined: NO_PAIRS,
        laws: &[RankOnly],
        source: "Smirnov 1948, doi:10.1214/aoms/1177730256; Schroeer, Trenkler 1995, doi:10.1016/0167-9473(94)00034-3; \
                 Stephens 1970, doi:10.1111/j.2517-6161.1970.tb00821.x",
        ..reading(&[Form::Scores(Reads::Table, &|s, _| s.ks_p_value().ok_or_else(|| missing(s)))])
    },
    Index {
        name: "average_precision",
        aliases: &["ap", "average_precision_score", "binary_auprc"],
        title: "Average precision",
        formula: "sum over thresholds, from high to low, of (recall - recall before) precision",
        about: "The mean precision at the positives, going down the ranking. Uninformative scores \
                have the prevalence, so values for data with different prevalences are not \
                comparable.",
        undefined: "No row is positive; 0 by convention.",
        when_undefined: 0.0,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Buckley, Voorhees 2000, doi:10.1145/345508.345543",
        sketched: Sketched::By(&|of, _| of.average_precision().ok_or(Undefined::NoActualPositives)),
        spreads: inference::AVERAGE_PRECISION,
        ..reading(&[Form::Scores(Reads::AveragePrecision, &|s, _| {
            s.average_precision().ok_or(Undefined::NoActualPositives)
        })])
    },
    Index {
        name: "macro_average_precision",
        aliases: &["map", "mean_average_precision"],
        title: "Mean average precision over the classes",
        formula: "mean_k average_precision of class k against the rest, by the scores of class k",
        about: "Macro average precision: each class in turn is the positive one. For two classes \
                the negative one is ranked by the scores from low to high. A class without rows \
                counts as 0.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Manning, Raghavan, Schuetze 2008, Introduction to Information Retrieval, section 8.4",
        sketched: Sketched::By(&|of, _| {
            let (own, other) = (of.average_precision(), of.negative_average_precision());
            let ((a, b), (c, d)) = (own.unwrap_or_default(), other.unwrap_or_default());
            Ok((f64::midpoint(a, c), f64::midpoint(b, d)))
        }),
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| {
                let (own, other) = (s.average_precision(), s.negative_average_precision());
                Ok(f64::midpoint(own.unwrap_or(0.0), other.unwrap_or(0.0)))
            }),
            Form::ScoreTables(&|tables, _| {
                let areas =
                    against_rest(tables, |table| Ok(table.average_precision().unwrap_or(0.0)))?;
                Ok(areas.iter().sum::<f64>() / areas.len() as f64)
            }),
        ])
    },
    Index {
        name: "one_vs_rest_auc",
        aliases: &["aunu", "roc_auc_ovr", "macro_roc_auc", "roc_aunu"],
        title: "Area under the ROC curve, each class against the rest",
        formula: "mean_k roc_auc of class k against the rest, by the scores of class k",
        about: "The mean area under the ROC curve of each class against all others, each class \
                weighted equally. The others are a mixture, so it depends on their frequencies.",
        undefined: "A class has no rows, or has all.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        ..reading(&[Form::ScoreTables(&|tables, _| {
            let areas = one_vs_rest(tables)?;
            Ok((areas.iter().sum::<f64>() / areas.len() as f64).min(1.0))
        })])
    },
    Index {
        name: "weighted_one_vs_rest_auc",
        aliases: &["aunp", "weighted_roc_auc", "roc_auc_ovr_weighted", "roc_aunp"],
        title: "Area under the ROC curve, each class against the rest, by class size",
        formula: "sum_k (t[k] / T) roc_auc of class k against the rest, by the scores of class k",
        about: "The mean area under the ROC curve of each class against all others, weighted by \
                the class's rows: frequent classes dominate.",
        undefined: "A class has no rows, or has all.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        ..reading(&[Form::ScoreTables(&|tables, _| {
            let (areas, weights) = (one_vs_rest(tables)?, tables.parts());
            let sum: f64 = areas.iter().zip(&weights).map(|(area, w)| area * w).sum();
            Ok((sum / weights.iter().sum::<f64>()).min(1.0))
        })])
    },
    Index {
        name: "one_vs_one_auc",
        aliases: &["au1u", "roc_auc_ovo", "hand_till", "mauc"],
        title: "Area under the ROC curve, each class against each other",
        formula: "sum_(j != k) roc_auc(j, k) / (K (K - 1)), the rows of class j against those of class k by the scores of j",
        about: "The mean area under the ROC curve over all pairs of classes (Hand and Till's M), \
                each pair weighted equally. Class frequencies do not matter. Classes without rows \
                are left out.",
        undefined: "All rows are of one class.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Hand, Till 2001, doi:10.1023/A:1010920819831",
        ..reading(&[Form::ScoreTables(&|tables, _| {
            let area = pairs(tables, |_| 1.0, |a, b| tables.area_of_pair(a, b))?;
            Ok(area.min(1.0))
        })])
    },
    Index {
        name: "weighted_one_vs_one_auc",
        aliases: &["au1p"],
        title: "Area under the ROC curve, each class against each other, by class size",
        formula: "sum_(j != k) (t[j] / T) roc_auc(j, k) / (K - 1), the rows of class j against those of class k by the scores of j",
        about: "The mean area under the ROC curve over pairs of classes, weighted by the rows of \
                the class whose scores rank the pair. scikit-learn's weighted one-against-one \
                weights a pair by the rows of both, which differs.",
        undefined: "All rows are of one class.",
        laws: &[RankOnly, Perfect(1.0)],
        source: "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        ..reading(&[Form::ScoreTables(&|tables, _| {
            let weights = tables.parts();
            let area = |a, b| tables.area_of_pair(a, b);
            Ok(pairs(tables, |class| weights[class], area)?.min(1.0))
        })])
    },
];

/// A number of each class against the rest.
fn against_rest(
    tables: &ScoreTables,
    number: impl Fn(&Ranking) -> Outcome,
) -> Result<Vec<f64>, Undefined> {
    // The tables always fit together; were they not to, no class would have a value.
    let tables = tables.against_rest().map_err(|_| Undefined::NoClassDefined)?;
    tables.iter().map(number).gather_all()
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
    against_rest(tables, |table| table.roc_auc().ok_or_else(|| missing(table)))
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
    if table.totals().0 > 0.0 { Undefined::NoActualNegatives } else { Undefined::NoActualPositives }
}
