//! Areas under curves of the ranking, over all thresholds or some, and losses at the best of them.

use crate::index::form::{Form, Reads};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{NegatedSum, Perfect, RankOnly, ScaleFree};
use crate::index::row::{Better, Index, reading};
use crate::index::sketched::form::Sketched;
use crate::index::value::finite;
use crate::index::value::{Outcome, Undefined};
use crate::scores::ranking::h_measure::{h_measure, least_loss, prevalence};
use crate::scores::score_table::ScoreTable;

const BEST_POINTS: &str =
    "which points of a cell are the best for their recall is not known from a sketch";
const NO_PAIRS: &str = "No row is positive, or none is negative.";
const NO_RANGE: &str = "No row is positive, or none is negative; or the range is empty.";
const NO_POSITIVES: &str = "No row is positive.";
const MCCLISH: &str = "McClish 1989, doi:10.1177/0272989X8900900307";
const SEVERITY: &str = "how much worse it is to take a negative for a positive than the other way round; \
                        by default the number of positives over that of negatives";

const fn bound(name: &'static str, default: f64, domain: Domain, about: &'static str) -> Parameter {
    Parameter { name, default: Some(default), domain, about, two_classes: false }
}

const fn rate(name: &'static str, default: f64, about: &'static str) -> Parameter {
    bound(name, default, Domain::Share, about)
}

const fn positive(name: &'static str, default: Option<f64>, about: &'static str) -> Parameter {
    Parameter { name, default, domain: Domain::Positive, about, two_classes: false }
}

const LOW_FPR: &str = "the false positive rate where the range begins";
const HIGH_FPR: &str = "the false positive rate where it ends";
const LOW_TPR: &str = "the true positive rate where the range begins";
const HIGH_TPR: &str = "the true positive rate where it ends";
const FPR_RANGE: &[Parameter] = &[rate("low_fpr", 0.0, LOW_FPR), rate("high_fpr", 0.1, HIGH_FPR)];
const TPR_RANGE: &[Parameter] = &[rate("low_tpr", 0.9, LOW_TPR), rate("high_tpr", 1.0, HIGH_TPR)];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "partial_auc",
        aliases: &["raw_partial_auc"],
        title: "Partial area under the ROC curve, over false positive rates",
        formula: "area under the tpr over the fpr from low_fpr to high_fpr",
        about: "The area under the ROC curve between two false positive rates, at most high_fpr - \
                low_fpr. Between two points the curve is straight, also where a limit cuts it. \
                R's pROC with specificities in mind, and ROCR's fpr.stop.",
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly, Perfect(0.1)],
        source: MCCLISH,
        parameters: FPR_RANGE,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = range(given)?;
            Ok((high - low) * known(s, s.roc_areas().mean_tpr(low, high))?)
        })])
    },
    Index {
        name: "standardized_partial_auc",
        aliases: &["spauc", "corrected_partial_auc", "mcclish_auc"],
        title: "Standardized partial area under the ROC curve, over false positive rates",
        formula: "(1 + (partial_auc - chance) / (high_fpr - low_fpr - chance)) / 2, \
                  chance = (high_fpr^2 - low_fpr^2) / 2",
        about: "The partial area rescaled like the whole one: 1/2 for uninformative scores, 1 is \
                perfect. From 0 to high_fpr it is scikit-learn's roc_auc_score with max_fpr. \
                Below chance it is below 1/2, but its minimum depends on the range.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: MCCLISH,
        parameters: FPR_RANGE,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = range(given)?;
            let chance = f64::midpoint(low, high);
            standardized(known(s, s.roc_areas().mean_tpr(low, high))?, chance)
        })])
    },
    Index {
        name: "sensitivity_partial_auc",
        aliases: &["partial_auc_sensitivity"],
        title: "Partial area under the ROC curve, over sensitivities",
        formula: "area under the specificity over the recall from low_tpr to high_tpr",
        about: "The area under the ROC curve between two true positive rates, at most high_tpr - \
                low_tpr. R's pROC with partial.auc.focus for sensitivity.",
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly],
        source: "Jiang, Metz, Nishikawa 1996, doi:10.1148/radiology.201.3.8939225",
        parameters: TPR_RANGE,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = range(given)?;
            Ok((high - low) * known(s, s.roc_areas().mean_specificity(low, high))?)
        })])
    },
    Index {
        name: "standardized_sensitivity_partial_auc",
        aliases: &["corrected_sensitivity_partial_auc"],
        title: "Standardized partial area under the ROC curve, over sensitivities",
        formula: "(1 + (sensitivity_partial_auc - chance) / (high_tpr - low_tpr - chance)) / 2, \
                  chance = (high_tpr - low_tpr) (2 - low_tpr - high_tpr) / 2",
        about: "The partial area over sensitivities, rescaled like the whole one: 1/2 for \
                uninformative scores, 1 is perfect. R's pROC with partial.auc.focus for \
                sensitivity and partial.auc.correct.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: MCCLISH,
        parameters: TPR_RANGE,
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = range(given)?;
            let chance = 1.0 - f64::midpoint(low, high);
            standardized(known(s, s.roc_areas().mean_specificity(low, high))?, chance)
        })])
    },
    Index {
        name: "two_way_partial_auc",
        aliases: &["tpauc", "two_way_pauc"],
        title: "Two-way partial area under the ROC curve",
        formula: "area under the ROC curve where tpr >= low_tpr and fpr <= high_fpr",
        about: "The part of the area in the corner of high recall and low false positive rate; \
                the corner has (1 - low_tpr) high_fpr. It is 0 for a curve that does not enter \
                it.",
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly, Perfect(0.25)],
        source: "Yang, Lu, Lyu, Hu 2019, doi:10.1177/0962280217718866",
        parameters: &[
            rate("low_tpr", 0.5, "the least true positive rate"),
            rate("high_fpr", 0.5, "the greatest false positive rate"),
        ],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = (given.number(0), given.number(1));
            if low >= 1.0 || high <= 0.0 {
                return Err(Undefined::EmptyRange);
            }
            Ok((1.0 - low) * high * known(s, s.roc_areas().two_way_share(low, high))?)
        })])
    },
    Index {
        name: "log_auc",
        aliases: &["logauc", "logarithmic_auc"],
        title: "Area under the ROC curve on a logarithmic axis",
        formula: "area under the tpr over ln(fpr) from low_fpr to high_fpr, divided by ln(high_fpr / low_fpr)",
        about: "The mean true positive rate over false positive rates whose every power of ten \
                counts alike: for screening, where only the first few alarms are looked into. \
                Scores without information have (high_fpr - low_fpr) / ln(high_fpr / low_fpr). \
                Between two points the curve is straight over the rate itself, so that ties are \
                met in any order; torchmetrics draws straight lines over the logarithm, which \
                differs where scores of both classes are tied.",
        undefined: NO_RANGE,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Mysinger, Shoichet 2010, doi:10.1021/ci100214a",
        parameters: &[
            bound("low_fpr", 0.001, Domain::OpenShare, LOW_FPR),
            rate("high_fpr", 0.1, HIGH_FPR),
        ],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, given| {
            let (low, high) = range(given)?;
            known(s, s.roc_areas().log_auc(low, high))
        })])
    },
    Index {
        name: "roc_hull_auc",
        aliases: &["auch", "convex_hull_auc", "roc_convex_hull_auc"],
        title: "Area under the convex hull of the ROC curve",
        formula: "area under the least concave curve that lies nowhere below the ROC curve",
        about: "The area under the convex hull of the ROC curve: what mixing thresholds at \
                random, or recalibration by isotonic regression, can reach. It is fitted to the \
                data that it judges, so it flatters small samples and is never below 1/2.",
        range: (0.5, 1.0),
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Provost, Fawcett 2001, doi:10.1023/A:1007601015854",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, _| {
            known(s, s.roc_areas().hull_auc(s.roc_hull()))
        })])
    },
    Index {
        name: "pr_auc_linear",
        aliases: &["linear_pr_auc", "trapezoidal_pr_auc"],
        title: "Area under the precision-recall curve, straight lines",
        formula: "sum over thresholds, from high to low, of (recall - recall before) (precision + precision before) / 2",
        about: "The trapezoidal rule on all points, the first of which is recall 0 and precision \
                1: scikit-learn's auc of its precision_recall_curve, yardstick's pr_auc, Spark's \
                areaUnderPR. A straight line promises more than any threshold on it gives, so it \
                is too high where points are far apart; pr_auc_continuous is right there.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Davis, Goadrich 2006, doi:10.1145/1143844.1143874",
        sketched: Sketched::By(&|of, _| {
            of.linear_precision_area().ok_or(Undefined::NoActualPositives)
        }),
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            finite(s.precision_areas().linear_area().ok_or(Undefined::NoActualPositives)?)
        })])
    },
    Index {
        name: "pr_auc_upper",
        aliases: &["upper_pr_auc", "rocr_aucpr"],
        title: "Area under the precision-recall curve, straight lines between the best points",
        formula: "sum over thresholds with new true positives, from high to low, of \
                  (recall - recall before) (precision + precision before) / 2",
        about: "The trapezoidal rule on the best precision of each recall, from recall 0 and \
                precision 1: the aucpr of R's ROCR. What false positives come between two true \
                ones is forgiven, so it is the highest of the areas. Where more than two \
                positives share a score ROCR adds points between them, one by one; here the line \
                is straight, whatever rows weigh.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Sing, Sander, Beerenwinkel, Lengauer 2005, doi:10.1093/bioinformatics/bti623",
        sketched: Sketched::No(BEST_POINTS),
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            finite(s.precision_areas().upper_area().ok_or(Undefined::NoActualPositives)?)
        })])
    },
    Index {
        name: "pr_auc_continuous",
        aliases: &["continuous_pr_auc", "davis_goadrich_pr_auc", "pr_auc_integral"],
        title: "Area under the precision-recall curve, interpolated by counts",
        formula: "sum over thresholds, from high to low, of the area under tp / (tp + fp) over recall, \
                  where fp is a straight line over tp between two thresholds",
        about: "Between two thresholds true and false positives come in proportion, and precision \
                bends as it then must: the one curve that a threshold within the ties would give. \
                PRROC's auc.integral and H2O's pr_auc; Davis and Goadrich's own is its \
                trapezoidal rule at whole true positives.",
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Keilwagen, Grosse, Grau 2014, doi:10.1371/journal.pone.0092209",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            finite(s.precision_areas().continuous_area().ok_or(Undefined::NoActualPositives)?)
        })])
    },
    Index {
        name: "pr_gain_auc",
        aliases: &["auprg", "prg_auc", "area_under_precision_recall_gain"],
        title: "Area under the precision-recall-gain curve",
        formula: "area under g over r from 0 to 1, g = 1 - P fp / (N tp), r = 1 - P fn / (N tp), \
                  P and N the numbers of positives and negatives",
        about: "Precision and recall on a scale where their harmonic mean becomes an arithmetic \
                mean: 0 is always predicting positive, 1 is perfect, straight lines are correct, \
                and areas of different data are comparable. Where precision is below the \
                prevalence, its gain is below 0, without limit.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Flach, Kull 2015, Precision-Recall-Gain Curves: PR Analysis Done Right, NeurIPS 28",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| known(s, s.precision_areas().gain_area(s)))])
    },
    Index {
        name: "gain_auc",
        aliases: &["area_under_gain_chart", "cap_auc", "gain_chart_auc"],
        title: "Area under the gain chart",
        formula: "area under the recall over the share predicted positive = prevalence / 2 + (1 - prevalence) roc_auc",
        about: "The mean share of positives found while going through the rows from the highest \
                score down: the area under the cumulative gain curve (cumulative accuracy \
                profile). The maximum is 1 - prevalence / 2; rescaled it is the accuracy ratio, \
                which is gini. MLmetrics' GainAUC.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, NegatedSum(1.0)],
        source: "Engelmann, Hayden, Tasche 2003, Measuring the Discriminative Power of Rating Systems, Bundesbank 01/2003",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Table, &|s, _| known(s, s.roc_areas().gain_area()))])
    },
    Index {
        name: "lift_auc",
        aliases: &["area_under_lift_chart", "lift_chart_auc"],
        title: "Area under the lift chart",
        formula: "sum over thresholds but the highest, of (share predicted positive - share before) (lift + lift before) / 2",
        about: "The area under the lift curve by the trapezoidal rule, from the first point on, \
                since lift needs a predicted positive: MLmetrics' LiftAUC. 1 or a little less for \
                uninformative scores; the maximum depends on the prevalence. For a constant score \
                the first point leaves nothing, so it is 0.",
        range: (0.0, f64::INFINITY),
        undefined: NO_POSITIVES,
        laws: &[ScaleFree, RankOnly],
        source: "Tuffery 2011, Data Mining and Statistics for Decision Making, Wiley",
        sketched: Sketched::By(&|of, _| of.lift_area().ok_or(Undefined::NoActualPositives)),
        ..reading(&[Form::Scores(Reads::Table, &|s, _| {
            finite(s.precision_areas().lift_area().ok_or(Undefined::NoActualPositives)?)
        })])
    },
    Index {
        name: "h_measure",
        aliases: &["h_score", "hmeasure", "hand_h"],
        title: "H-measure",
        formula: "1 - L / M, L the mean over c of the least mean cost of a row at any threshold where each fp costs c and each fn \
                  costs 1 - c, M the same of scores without information, c of a beta distribution with alpha and beta",
        about: "The relative saving in loss, averaged over possible costs of the errors: the same \
                cost distribution for every model, unlike the area under the ROC curve. The costs \
                centre on severity_ratio / (1 + severity_ratio), by default the prevalence, as in \
                R's hmeasure; alpha = beta = 2 is Hand's of 2009. It reads thresholds from high \
                to low: reversed scores have 0 and are not flipped, as R's hmeasure does.",
        undefined: "No row is positive, or none is negative; or beta is not above 0.",
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Hand 2009, doi:10.1007/s10994-009-5119-5",
        parameters: &[
            positive("severity_ratio", None, SEVERITY),
            positive("alpha", Some(2.0), "the first shape of the beta distribution"),
            positive(
                "beta",
                None,
                "its second shape, by default 1 + (alpha - 1) / severity_ratio; given, it stands in place of the severity ratio",
            ),
        ],
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| {
            let prevalence = known(s, prevalence(s))?;
            let (ratio, alpha, beta) = (given.number(0), given.number(1), given.number(2));
            let ratio = or(ratio, prevalence / (1.0 - prevalence));
            let beta = or(beta, 1.0 + (alpha - 1.0) / ratio);
            if beta <= 0.0 {
                return Err(Undefined::OutsideDomain);
            }
            known(s, h_measure(s, s.roc_hull(), alpha, beta))
        })])
    },
    Index {
        name: "h_measure_by_prevalence",
        aliases: &["hand_anagnostopoulos_h"],
        title: "H-measure, costs spread by the class sizes",
        formula: "the h_measure with alpha = 1 + prevalence and beta = 2 - prevalence",
        about: "The H-measure with the wide cost distribution that Hand and Anagnostopoulos \
                propose as the standard: it peaks where both classes, each as a whole, cost the \
                same. It is R's hmeasure with a negative severity ratio.",
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(1.0)],
        source: "Hand, Anagnostopoulos 2014, doi:10.1016/j.patrec.2013.12.011",
        sketched: Sketched::Rises,
        ..reading(&[Form::Scores(Reads::Hull, &|s, _| {
            let prevalence = known(s, prevalence(s))?;
            known(s, h_measure(s, s.roc_hull(), 1.0 + prevalence, 2.0 - prevalence))
        })])
    },
    Index {
        name: "minimum_error_rate",
        aliases: &["mer"],
        title: "Least error rate over all thresholds",
        formula: "min over thresholds of (fp + fn) / n",
        about: "The error rate at the best threshold, chosen on the same data, so it is \
                optimistic. Always predicting the larger class is one of the choices, so it never \
                exceeds that class's share of errors.",
        range: (0.0, 0.5),
        better: Better::Lower,
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(0.0)],
        source: "Hand, Anagnostopoulos 2014, doi:10.1016/j.patrec.2013.12.011",
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Hull, &|s, _| {
            Ok(2.0 * known(s, least_loss(s, s.roc_hull(), 0.5))?)
        })])
    },
    Index {
        name: "minimum_weighted_loss",
        aliases: &["mwl"],
        title: "Least weighted loss over all thresholds",
        formula: "min over thresholds of 2 (severity_ratio fp + fn) / ((1 + severity_ratio) n)",
        about: "The loss at the best threshold, where errors of one kind cost more than those of \
                the other. By default the classes weigh equally, so that always predicting one \
                class loses 2 prevalence (1 - prevalence).",
        range: (0.0, 0.5),
        better: Better::Lower,
        undefined: NO_PAIRS,
        laws: &[ScaleFree, RankOnly, Perfect(0.0)],
        source: "Hand, Anagnostopoulos 2014, doi:10.1016/j.patrec.2013.12.011",
        parameters: &[positive("severity_ratio", None, SEVERITY)],
        sketched: Sketched::Falls,
        ..reading(&[Form::Scores(Reads::Hull, &|s, given| {
            let prevalence = known(s, prevalence(s))?;
            let ratio = given.number(0);
            let cost = if ratio.is_nan() { prevalence } else { ratio / (1.0 + ratio) };
            Ok(2.0 * known(s, least_loss(s, s.roc_hull(), cost))?)
        })])
    },
];

/// The two ends of a range, the first parameters of its row.
fn range(given: &Parameters) -> Result<(f64, f64), Undefined> {
    let (low, high) = (given.number(0), given.number(1));
    if low < high { Ok((low, high)) } else { Err(Undefined::EmptyRange) }
}

/// A parameter, or what stands for it where none was given.
fn or(given: f64, otherwise: f64) -> f64 {
    if given.is_nan() { otherwise } else { given }
}

/// McClish's scale, on which `chance` is one half and 1 stays 1.
fn standardized(mean: f64, chance: f64) -> Outcome {
    finite(0.5 * (1.0 + (mean - chance) / (1.0 - chance)))
}

/// A number, or which class is missing.
fn known(table: &ScoreTable, number: Option<f64>) -> Outcome {
    finite(number.ok_or(if table.totals().0 > 0.0 {
        Undefined::NoActualNegatives
    } else {
        Undefined::NoActualPositives
    })?)
}
