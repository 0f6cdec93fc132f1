//! How good the scores are as probabilities: proper scoring rules.

use crate::base::memory::Gather;
use crate::classes::column_tables::Rankings;
use crate::classes::score_tables::ScoreTables;
use crate::index::form::{Form, Reads};
use crate::index::row::Law::ScaleFree;
use crate::index::row::{Better, Index, reading};
use crate::index::rows::inference;
use crate::index::rows::scores::ranking::pairs;
use crate::index::sketched::form::Sketched;
use crate::index::value::{Outcome, Undefined, finite};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

const FERRI: &str = "Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "log_loss",
        aliases: &[
            "cross_entropy",
            "mean_cross_entropy",
            "mxe",
            "mn_log_loss",
            "multi_log_loss",
            "mlogloss",
            "cat_cross_entropy",
            "categorical_crossentropy",
            "sparse_categorical_crossentropy",
            "crossentropy_loss",
        ],
        title: "Logarithmic loss, in nats",
        formula: "mean of -ln q, q the probability given to what came true, \
                  cut to [eps, 1 - eps], eps the machine epsilon of the scores' type",
        about: "The mean logarithmic loss in nats. It is proper: the true probabilities minimise \
                it. A single positive row with probability 0 can outweigh all others.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Good 1952, doi:10.1111/j.2517-6161.1952.tb00104.x",
        spreads: inference::LOG_LOSS,
        ..reading(&[
            Form::Scores(Reads::LogLoss, &|s, _| {
                probabilities(s)?;
                s.log_loss().ok_or(Undefined::NoRows)
            }),
            Form::Probabilities(&|sums, _| Ok(sums.log_loss / sums.weight)),
            Form::ScoreTables(&|tables, _| {
                all_probabilities(tables)?;
                let weights = tables.parts();
                let own = |class: usize| tables.cell(class, class).log_loss().unwrap_or(0.0);
                let sum: f64 = weights.iter().zip(0..).map(|(w, class)| w * own(class)).sum();
                Ok(sum / weights.iter().sum::<f64>())
            }),
        ])
    },
    Index {
        name: "brier",
        aliases: &["brier_score", "brier_score_loss", "brier_loss"],
        title: "Brier score",
        formula: "mean of (p - y)^2, y 1 for positives and 0 for negatives; \
                  for more than two classes the sum of those of each class against the rest",
        about: "The mean squared error of the probabilities. It is proper and tolerant of single \
                bad rows. Where positives are rare it is small for any cautious forecast, so \
                compare it with that of the prevalence. For more than two classes it goes up to \
                2.",
        range: (0.0, 2.0),
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
        spreads: inference::BRIER,
        ..reading(&[
            Form::Scores(Reads::Brier, &|s, _| mean_squared_error(s)),
            Form::Probabilities(&|sums, _| Ok(sums.brier / sums.weight)),
            Form::ScoreTables(&|tables, _| {
                all_probabilities(tables)?;
                let rest = tables.against_rest().map_err(|_| Undefined::NoClassDefined)?;
                let error = |table: &Ranking| table.mean_squared_error().ok_or(Undefined::NoRows);
                let sum = rest.iter().map(error).sum::<Result<f64, Undefined>>()?;
                Ok(if rest.len() == 2 { sum / 2.0 } else { sum })
            }),
        ])
    },
    Index {
        name: "root_mean_squared_error",
        aliases: &["rmse"],
        title: "Root mean squared error of the probabilities",
        formula: "sqrt(brier)",
        about: "The root of the Brier score, in the unit of the probabilities. Large errors weigh \
                most.",
        better: Better::Lower,
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: "Caruana, Niculescu-Mizil 2004, doi:10.1145/1014052.1014063",
        spreads: inference::ROOT_BRIER,
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| Ok(mean_squared_error(s)?.sqrt())),
            Form::Probabilities(&|sums, _| Ok((sums.brier / sums.weight).sqrt())),
        ])
    },
    Index {
        name: "mean_score",
        aliases: &["mean_prediction", "mean_predicted_probability"],
        title: "Mean score",
        formula: "the sum of the scores over the number of rows",
        about: "The mean of the scores, whatever the classes are. Of probabilities it is the share \
                of positives that the model expects, so compare it with the prevalence. By group \
                it shows to whom a model gives higher scores.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A score is missing, or infinite.",
        laws: &[ScaleFree],
        source: "Bird et al. 2020, Fairlearn: a toolkit for assessing and improving fairness in AI, MSR-TR-2020-32",
        spreads: inference::MEAN_SCORE,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            finite(mean_score(s).ok_or(Undefined::NoRows)?)
        })])
    },
    Index {
        name: "mean_probability_rate",
        aliases: &["mpr"],
        title: "Mean probability rate",
        formula: "sum_i P[i,y[i]] / n, P[i,k] the probability that row i was given of class k, y[i] its class",
        about: "The mean probability of the class that occurred. It is not proper: exaggerated \
                forecasts score better.",
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: FERRI,
        sketched: Sketched::RisesByScore,
        spreads: inference::MEAN_PROBABILITY,
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| {
                probabilities(s)?;
                s.mean_probability().ok_or(Undefined::NoRows)
            }),
            Form::ScoreTables(&|tables, _| {
                let (means, weights) = (class_means(tables)?, tables.parts());
                let sum: f64 = means.iter().map(|&(k, mean)| mean * weights[k]).sum();
                Ok((sum / weights.iter().sum::<f64>()).min(1.0))
            }),
        ])
    },
    Index {
        name: "macro_mean_probability_rate",
        aliases: &["macro_mpr", "mapr"],
        title: "Macro average of the mean probability rate",
        formula: "mean_k sum_(y[i] = k) P[i,k] / t[k]",
        about: "The mean probability of the true class, each class weighted equally. Classes \
                without rows are left out.",
        undefined: NOT_PROBABILITIES,
        laws: &[ScaleFree],
        source: FERRI,
        sketched: Sketched::RisesByScore,
        spreads: inference::HALF_APART,
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| {
                probabilities(s)?;
                let (positive, negative) = s.mean_scores();
                let both = [positive, negative.map(|mean| 1.0 - mean)];
                let own = || both.into_iter().flatten();
                Ok((own().sum::<f64>() / own().count() as f64).clamp(0.0, 1.0))
            }),
            Form::ScoreTables(&|tables, _| {
                let means = class_means(tables)?;
                let sum: f64 = means.iter().map(|mean| mean.1).sum();
                Ok((sum / means.len() as f64).min(1.0))
            }),
        ])
    },
    Index {
        name: "tjur_r2",
        aliases: &["tjur", "coefficient_of_discrimination", "discrimination_slope"],
        title: "Tjur's coefficient of discrimination",
        formula: "mean score of positives - mean score of negatives",
        about: "How far apart the mean probabilities of the classes are: 1 for certain and right \
                predictions, 0 if the means are equal. The difference of two models is the \
                integrated discrimination improvement (IDI), which exaggerated probabilities raise \
                too, so look at a proper score as well.",
        range: (-1.0, 1.0),
        undefined: "A score lies outside [0, 1], or all rows are of one class.",
        laws: &[ScaleFree],
        source: "Tjur 2009, doi:10.1198/tast.2009.08210",
        sketched: Sketched::RisesByScore,
        spreads: inference::MEANS_APART,
        ..reading(&[Form::Scores(Reads::Sums, &|s, _| {
            probabilities(s)?;
            let (positive, negative) = s.mean_scores();
            let (positive, negative) = positive.zip(negative).ok_or(Undefined::OneActualClass)?;
            Ok((positive - negative).clamp(-1.0, 1.0))
        })])
    },
    Index {
        name: "scored_auc",
        aliases: &["sauc"],
        title: "Scored area under the ROC curve",
        formula: "mean over pairs of max(p - q, 0), p the score of a positive and q that of a negative; \
                  for K classes sum_(j != k) scored_auc(j, k) / (K (K - 1)), by the scores of class j",
        about: "The area under the ROC curve with each pair weighted by the difference of its \
                scores. It falls fast where scores are close, and is 1 only for scores of 1 and \
                0.",
        undefined: "A score lies outside [0, 1], or all rows are of one class.",
        laws: &[ScaleFree],
        source: "Wu, Flach, Ferri 2007, doi:10.1007/978-3-540-74958-5_44",
        sketched: Sketched::RisesByScore,
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| {
                probabilities(s)?;
                Ok(s.scored_auc().ok_or(Undefined::OneActualClass)?.min(1.0))
            }),
            Form::ScoreTables(&|tables, _| {
                all_probabilities(tables)?;
                let area = |a, b| Ranking::from(tables.pair(a, b).ok()?).scored_auc();
                Ok(pairs(tables, |_| 1.0, area)?.min(1.0))
            }),
        ])
    },
    Index {
        name: "probabilistic_auc",
        aliases: &["pauc", "pauc_probabilistic"],
        title: "Probabilistic area under the ROC curve",
        formula: "(mean score of positives - mean score of negatives + 1) / 2; \
                  for K classes sum_(j != k) probabilistic_auc(j, k) / (K (K - 1)), by the scores of class j",
        about: "The difference between the mean scores of the classes, moved to [0, 1]; 1/2 if \
                they are equal. For two classes it is the macro average of the mean probability \
                rate. It is not a partial area under the curve.",
        undefined: "A score lies outside [0, 1], or all rows are of one class.",
        laws: &[ScaleFree],
        source: FERRI,
        sketched: Sketched::RisesByScore,
        spreads: inference::HALF_APART,
        ..reading(&[
            Form::Scores(Reads::Sums, &|s, _| {
                probabilities(s)?;
                let (positive, negative) = s.mean_scores();
                let (positive, negative) =
                    positive.zip(negative).ok_or(Undefined::OneActualClass)?;
                Ok(apart(positive, negative))
            }),
            Form::ScoreTables(&|tables, _| {
                all_probabilities(tables)?;
                let mean = |column, class| tables.cell(column, class).mean_scores().0;
                pairs(tables, |_| 1.0, |a, b| Some(apart(mean(a, a)?, mean(a, b)?)))
            }),
        ])
    },
];

pub(crate) const NOT_PROBABILITIES: &str = "A score lies outside [0, 1].";

/// The mean of the scores, which need not be probabilities; `None` without rows.
pub(crate) fn mean_score(ranking: &Ranking) -> Option<f64> {
    let (positives, negatives) = ranking.finite().totals();
    let (positive, negative) = ranking.mean_scores();
    let part = |weight: f64, mean: Option<f64>| {
        mean.map_or(0.0, |mean| weight / (positives + negatives) * mean)
    };
    let is_some = positives + negatives > 0.0;
    is_some.then(|| part(positives, positive) + part(negatives, negative))
}

fn apart(positive: f64, negative: f64) -> f64 {
    f64::midpoint(positive - negative, 1.0).clamp(0.0, 1.0)
}

pub(crate) fn probabilities(table: &ScoreTable) -> Result<(), Undefined> {
    let are = table.are_probabilities();
    are.then_some(()).ok_or(Undefined::NotProbabilities)
}

fn mean_squared_error(table: &Ranking) -> Outcome {
    probabilities(table)?;
    table.mean_squared_error().ok_or(Undefined::NoRows)
}

pub(crate) fn all_probabilities(tables: &ScoreTables) -> Result<(), Undefined> {
    let are = tables.are_probabilities();
    are.then_some(()).ok_or(Undefined::NotProbabilities)
}

/// The mean probability that the rows of a class were given of it, for each class that has rows.
fn class_means(tables: &ScoreTables) -> Result<Vec<(usize, f64)>, Undefined> {
    all_probabilities(tables)?;
    let mean = |class| Some((class, tables.cell(class, class).mean_scores().0?));
    Ok((0..tables.classes()).filter_map(mean).gather())
}
