//! Names of other packages that are no row here, each with what to call instead, and what differs.
//!
//! A name whose value a row has is an alias of that row. Here are the others: names with several
//! meanings, values on another scale, curves and tables, and what rocksteady does not have.
//! `tests/data/names_elsewhere.csv` lists the names of each package with what they find.

use crate::index::names::spelling::key;
use crate::index::row::{Index, Law};

const PR_AUC: &str = "there are several areas under the precision-recall curve. average_precision \
    is the usual one, by steps (scikit-learn, torchmetrics, torcheval, LightGBM); pr_auc_linear \
    draws straight lines (yardstick, Spark); pr_auc_continuous interpolates by counts (H2O, \
    XGBoost, PRROC, Keras); pr_auc_upper is ROCR's aucpr";
const QUERIES: &str = "rocksteady.Queries has values for each query and their means, but not \
    this one; rocksteady.indices(form=\"queries\") lists its indices";
const GROUPS: &str = "rocksteady has no values for each group; evaluate the rows of each group and \
    compare rpp (selection rate), recall and fpr";
const BY_THRESHOLD: &str =
    "a value at each threshold is table.every(name), as in table.every(\"precision\")";
const LABELS: &str = "it is about several labels a row: see rocksteady.metrics";
const INTERVAL: &str = "intervals are cm.interval(name), as in cm.interval(\"accuracy\")";
const WORDS: &str = "words for values are cm.interpret(name) and cm.every_interpret(name), as \
    in cm.interpret(\"kappa\"); cm.pycm(name) and cm.every_pycm(name) take PyCM's own names";
const CONSTRAINED: &str = "the best threshold under a condition is table.best(name, \
    subject_to=...), as in table.best(\"recall\", subject_to=\"specificity >= 0.9\")";
const MEAN_SQUARED: &str = "the mean squared error of probabilities is brier, and its root \
    root_mean_squared_error; rocksteady has no regression";
const REGRESSION: &str = "rocksteady scores classification and ranking, not regression";
const ABSOLUTE: &str = "rocksteady has no mean absolute error of probabilities; brier is the mean \
    squared one, macro_mean_absolute_error that of ordered classes";
const CALIBRATION: &str = "expected_calibration_error is the usual one (norm \"l1\"), \
    root_mean_square_calibration_error \"l2\", maximum_calibration_error \"max\"; \
    torchmetrics has 15 bins by default, here bins=10";
const HINGE: &str = "use rocksteady.metrics.hinge_loss; it is not in the registry of indices";
const TOP_K: &str = "use rocksteady.metrics.top_k_accuracy_score; it is not in the registry of \
    indices";
const CSI: &str = "CSI is two indices: jaccard (the critical success index; here also \"csi\") \
    and classification_success_index (PyCM's CSI)";
const PER_CLASS_ERROR: &str = "it is 1 - balanced_accuracy; ask for balanced_accuracy";
const MATRIX: &str = "it is a table, not an index: rocksteady.ConfusionMatrix, or Counts for two \
    classes";
const PREDICTED_RIGHT: &str =
    "it is a number or percentage of rows: accuracy is their share, error_rate that of the others";
const HAMMING: &str = "as a share it is error_rate; hamming_distance is the number of errors, as \
    in PyCM";
const GINI: &str = "for two classes it is gini, where a tie counts one half; some packages let \
    the order of the rows decide ties, and rocksteady has no Gini of amounts";

/// Names in the spelling of their package, and what to call instead: the rest of a sentence. A name
/// as it is written here goes before the rows, so that `CSI` is not read as `csi`; other spellings
/// of it come after them.
const ANSWERS: &[(&[&str], &str)] = &[
    (
        &[
            "pr_auc",
            "PRAUC",
            "prAUC",
            "auprc",
            "AUPRC",
            "aucpr",
            "auc_pr",
            "areaUnderPR",
            "areaUnderPRC",
            "PRC Area",
            "area_under_pr_curve",
            "area_under_the_precision_recall_curve",
            "precision_recall_auc",
        ],
        PR_AUC,
    ),
    (
        &["AUPR", "aupr"],
        "for scores see average_precision, the usual area under the precision-recall curve; PyCM's \
         AUPR is of labels: kulczynski_ii, the mean of precision and recall",
    ),
    (&["CSI"], CSI),
    (&["RR"], "RR is two indices: global_performance_index (PyCM's RR) and relative_risk"),
    (&["N"], "N is two indices: negatives (PyCM's N) and population (n, the number of rows)"),
    (
        &["r2", "r2_score", "rsq", "explained_variance", "mape", "mean_absolute_percentage_error"],
        REGRESSION,
    ),
    (
        &["mutual_info_score"],
        "scikit-learn's is in nats, mutual_information in bits: for nats, \
         cm.value(\"mutual_information\", base=math.e)",
    ),
    (
        &["brier_class"],
        "for two classes yardstick's is brier; for more it is half of brier, which is the sum over \
         the classes",
    ),
    (
        &["classification_cost"],
        "yardstick's is the expected cost under the probabilities; mean_cost is that of the \
         predicted labels",
    ),
    (
        &["roc_auc_ovo_weighted"],
        "scikit-learn weights a pair by the rows of both classes: \
         rocksteady.metrics.roc_auc_score(multi_class=\"ovo\", average=\"weighted\"); \
         weighted_one_vs_one_auc (AU1P) weights it by those of one",
    ),
    (
        &["KS_Stat", "ks_stat"],
        "MLmetrics' is one-sided and times 100; ks is the distance in either direction, from 0 to 1",
    ),
    (&["NormalizedGini", "normalized_gini", "gini_index"], GINI),
    (&["GI"], "PyCM's GI is of labels: informedness; the Gini coefficient of scores is gini"),
    (
        &["P-Value"],
        "PyCM's is accuracy_p_value; there are also chi_squared_p_value, mcnemar_p_value, \
         hosmer_lemeshow_p_value and spiegelhalter_p_value",
    ),
    (
        &["PR"],
        "PyCM's PR is prevalence; the curve is table.precision_recall_curve(), its area \
         average_precision",
    ),
    (&["Overall J"], "PyCM's is a pair: jaccard_sum and jaccard_mean"),
    (
        &["Zero-one Loss"],
        "PyCM's is a count: hamming_distance; as a share, as in scikit-learn, it is error_rate",
    ),
    (
        &["Kappa 95% CI", "95% CI", "AccuracyLower", "AccuracyUpper", "confidence_interval"],
        INTERVAL,
    ),
    (&["Standard Error"], "PyCM's is accuracy_standard_error; see also kappa_standard_error"),
    (
        &[
            "PLRI",
            "NLRI",
            "DPI",
            "AUCI",
            "MCCI",
            "QI",
            "SOA1(Landis & Koch)",
            "SOA2(Fleiss)",
            "SOA3(Altman)",
            "SOA4(Cicchetti)",
            "SOA5(Cramer)",
            "SOA6(Matthews)",
            "SOA7(Lambda A)",
            "SOA8(Lambda B)",
            "SOA9(Krippendorff Alpha)",
            "SOA10(Pearson C)",
        ],
        WORDS,
    ),
    (&["BinaryHammingDistance", "HammingDistance", "binary_hamming_distance"], HAMMING),
    (
        &["MulticlassAccuracy", "multiclass_accuracy"],
        "torchmetrics' is balanced_accuracy (average \"macro\", its default) or accuracy (\"micro\")",
    ),
    (
        &["MulticlassAUROC", "multiclass_auroc", "query_multi_roc_auc"],
        "one_vs_rest_auc is the mean over the classes, weighted_one_vs_rest_auc weights them by \
         their rows, one_vs_one_auc is Hand and Till's",
    ),
    (
        &["multiclass_auprc", "MulticlassAveragePrecision", "multiclass_average_precision"],
        "the mean over the classes is macro_average_precision",
    ),
    (
        &["multiclass.roc"],
        "pROC's is one_vs_one_auc (Hand and Till), but it turns the scores of each pair round \
         where that gives more",
    ),
    (&["auc_mu"], "rocksteady has no AUC-mu; one_vs_one_auc (Hand and Till) comes nearest"),
    (
        &["binary_binned_auroc", "multiclass_binned_auroc"],
        "there is no binned area; roc_auc is exact",
    ),
    (
        &["binary_binned_auprc", "multiclass_binned_auprc"],
        "there is no binned area; average_precision is exact",
    ),
    (
        &[
            "calibration_error",
            "BinaryCalibrationError",
            "binary_calibration_error",
            "MulticlassCalibrationError",
            "multiclass_calibration_error",
        ],
        CALIBRATION,
    ),
    (
        &["cal"],
        "ROCR's window of calibration is not here; expected_calibration_error has bins, and \
         table.calibration() shows them",
    ),
    (
        &["weighted_calibration"],
        "torcheval's is predicted over observed positives: 1 / observed_expected_ratio",
    ),
    (&["click_through_rate", "ctr"], "the share of positives is prevalence"),
    (&["ce"], "ModelMetrics' classification error is error_rate; cross entropy is log_loss"),
    (&["mse", "mean_squared_error", "MeanSquaredError"], MEAN_SQUARED),
    (&["mae", "mean_absolute_error", "meanAbsoluteError", "MeanAbsoluteError"], ABSOLUTE),
    (&["mean_per_class_error", "BalancedErrorRate", "balanced_error_rate", "ber"], PER_CLASS_ERROR),
    (
        &["max_per_class_error", "maxPerClassError"],
        "it is 1 - minimum_recall; ask for minimum_recall",
    ),
    (
        &[
            "Correctly Classified Instances",
            "Incorrectly Classified Instances",
            "pctCorrect",
            "pctIncorrect",
            "NumErrors",
        ],
        PREDICTED_RIGHT,
    ),
    (
        &["WKappa", "weighted_kappa_quadratic", "quadratic_weighted_kappa", "qwk"],
        "cm.value(\"weighted_kappa\", power=2) weights errors by their squared distance; \
         weighted_kappa alone by their distance",
    ),
    (&["TotalF1"], "CatBoost's is the mean weighted by rows: cm.average(\"f1\", \"weighted\")"),
    (&["MultiClass"], "CatBoost's is the logarithmic loss of several classes: log_loss"),
    (
        &["LogLikelihoodOfPrediction", "log_likelihood"],
        "log_loss is the mean, with the sign turned",
    ),
    (
        &["total_utility"],
        "cutpointr's is minus the cost: cm.value(\"cost\", tp=-utility_tp, tn=-utility_tn, \
         fp=cost_fp, fn=cost_fn)",
    ),
    (&["metric_constrain", "sens_constrain", "spec_constrain", "acc_constrain"], CONSTRAINED),
    (&["Sens.Spec95"], "it is table.value(\"sensitivity_at_specificity\", min_specificity=0.95)"),
    (&["Spec.Sens95"], "it is table.value(\"specificity_at_sensitivity\", min_sensitivity=0.95)"),
    (
        &["capture_rate_at_quantiles"],
        "table.value(\"capture_rate\", fraction=0.1) has one fraction, table.gains(10) all deciles",
    ),
    (
        &["lift_at_k"],
        "of the top share of all rows it is enrichment_factor (fraction=...); rocksteady.Queries has \
         precision_at_k and recall_at_k of each query",
    ),
    (
        &["make_index_balanced_accuracy"],
        "imbalanced-learn's with the squared geometric mean is \
         cm.value(\"index_of_balanced_accuracy\", alpha=0.1)",
    ),
    (
        &["class_likelihood_ratios"],
        "they are two: positive_likelihood_ratio and negative_likelihood_ratio; \
         rocksteady.metrics.class_likelihood_ratios gives both",
    ),
    (
        &["sensitivity_specificity_support"],
        "they are three: recall, specificity and positives (the support)",
    ),
    (
        &["precision_recall_fscore_support"],
        "they are four: precision, recall, fbeta and positives (the support); \
         rocksteady.metrics.precision_recall_fscore_support gives all",
    ),
    (
        &["classification_report"],
        "it is a report: rocksteady.metrics.classification_report, or print(cm)",
    ),
    (
        &["classification_report_imbalanced"],
        "it is a report: cm.every(name) has each of its columns",
    ),
    (
        &[
            "confusion_matrix",
            "conf_mat",
            "multilabel_confusion_matrix",
            "query_confusion_matrix",
            "query_binary_metrics",
            "stat_scores",
            "StatScores",
            "BinaryStatScores",
            "binary_stat_scores",
        ],
        MATRIX,
    ),
    (
        &["pair_confusion_matrix"],
        "its values are rand_index, pair_precision, pair_recall and pair_f1",
    ),
    (
        &["ROC", "roc", "roc_curve", "query_tpr_fpr", "tpr_fpr"],
        "it is a curve: table.roc_curve(); the area under it (caret's ROC) is roc_auc",
    ),
    (
        &["precision_recall_curve", "pr_curve"],
        "it is a curve: table.precision_recall_curve(); its area is average_precision",
    ),
    (&["det_curve", "det"], "it is a curve: table.det_curve()"),
    (
        &["rch", "roch", "roc_convex_hull"],
        "it is a curve: table.roc_convex_hull(); its area is roc_hull_auc",
    ),
    (
        &["ecost", "cost_curve"],
        "it is a curve: table.cost_curve(); with given costs ask for mean_cost or normalized_cost",
    ),
    (
        &["gain_curve", "cap_curve", "cumulative_gain"],
        "it is a curve: table.gain_curve(); table.gains(10) is its table, gain_auc its area",
    ),
    (&["lift_curve"], "it is a curve: table.lift_curve(); its area is lift_auc"),
    (&["calibration_curve", "reliability_diagram"], "it is a curve: table.calibration()"),
    (
        &["woe", "information_value", "iv", "weight_of_evidence"],
        "table.gains(10) has the weight of evidence of each band, and the information value",
    ),
    (
        &["psi", "population_stability_index"],
        "it compares two samples: rocksteady.scores.population_stability(expected, actual)",
    ),
    (&["hinge_loss", "HingeLoss", "Hinge", "hinge", "squared_hinge", "categorical_hinge"], HINGE),
    (
        &[
            "top_k_accuracy",
            "top_k_accuracy_score",
            "TopKCategoricalAccuracy",
            "SparseTopKCategoricalAccuracy",
            "topk_multilabel_accuracy",
        ],
        TOP_K,
    ),
    (
        &["ndcg_score", "dcg_score", "query_ndcg_score", "query_dcg_score"],
        "use rocksteady.metrics.ndcg_score or dcg_score for a row of scores for each query, and ndcg \
         or dcg of rocksteady.Queries for lists of any length",
    ),
    (
        &["ndcg_burges", "dcg_burges"],
        "it is ndcg or dcg with exponential gain: queries.value(\"ndcg\", gain=\"exponential\"), \
         where queries is a rocksteady.Queries",
    ),
    (
        &["coverage_error", "MultilabelCoverageError"],
        "use rocksteady.metrics.coverage_error; it is not in the registry of indices",
    ),
    (
        &["label_ranking_loss", "MultilabelRankingLoss", "multilabel_ranking_loss"],
        "use rocksteady.metrics.label_ranking_loss; it is not in the registry of indices",
    ),
    (
        &["label_ranking_average_precision_score", "lrap", "MultilabelRankingAveragePrecision"],
        "use rocksteady.metrics.label_ranking_average_precision_score; it is not in the registry \
         of indices",
    ),
    (
        &["ExactMatch", "exact_match", "subset_accuracy"],
        "for one label a row it is accuracy; for several rocksteady.metrics.accuracy_score",
    ),
    (
        &["f1_samples", "precision_samples", "recall_samples", "jaccard_samples"],
        "a mean over rows with several labels is rocksteady.metrics.f1_score(average=\"samples\") \
         and its like",
    ),
    (
        &["ranked_prob_score", "rps"],
        "rocksteady has no ranked probability score; brier ignores the order of the classes",
    ),
    (
        &["KLDivergence"],
        "of probabilities against labels Keras' divergence is log_loss; kl_divergence is that of \
         the predicted class proportions",
    ),
    (
        &["CosineSimilarity"],
        "of the labels of two classes it is fowlkes_mallows; rocksteady compares no vectors",
    ),
    (
        &["BinaryIoU"],
        "Keras' is the mean over both classes by default: jaccard_mean; of the positive class \
         alone it is jaccard",
    ),
    (&["frequency_at_k", "num_collisions", "pfound"], QUERIES),
    (
        &[
            "demographic_parity",
            "equal_opportunity",
            "equalized_odds",
            "adverse_impact_ratio",
            "demographic_parity_difference",
            "demographic_parity_ratio",
            "equal_opportunity_difference",
            "equal_opportunity_ratio",
            "equalized_odds_difference",
            "equalized_odds_ratio",
            "disparate_impact",
        ],
        GROUPS,
    ),
    (&["fMeasureByThreshold", "precisionByThreshold", "recallByThreshold"], BY_THRESHOLD),
];

/// Capital letters of papers and packages. They are no aliases: expressions of users have single
/// letters of their own.
const SYMBOLS: [(&str, &str); 9] = [
    ("F", "f1"),
    ("G", "fowlkes_mallows"),
    ("H", "h_measure"),
    ("J", "jaccard"),
    ("P", "positives"),
    ("Q", "yule_q"),
    ("Y", "informedness"),
    ("f", "f1"),
    ("κ", "kappa"),
];

/// The name of the row that a symbol stands for, in exactly this case of letters.
pub(crate) fn symbol(name: &str) -> Option<&'static str> {
    let found = SYMBOLS.iter().find(|(symbol, _)| *symbol == name);
    found.map(|(_, row)| *row)
}

/// What a name without a row means.
pub(crate) enum Meant {
    Row(&'static Index),
    /// Told in the rest of a sentence.
    Told(String),
    Unknown,
}

/// The answer to a name in exactly this spelling.
pub(crate) fn literal(name: &str) -> Option<&'static str> {
    answer(|known| known == name)
}

fn answer(is_asked: impl Fn(&str) -> bool) -> Option<&'static str> {
    let found = ANSWERS.iter().find(|(names, _)| names.iter().any(|known| is_asked(known)));
    found.map(|(_, answer)| *answer)
}

/// What stands around the name of a row in the names of other packages.
const AROUND: &[(&str, Around)] = &[
    ("1", Around::Complement),
    ("binary", Around::Same),
    ("query", Around::Same),
    ("neg", Around::Negated),
    ("multilabel", Around::Labels),
    ("multiclass", Around::Average("macro")),
    ("macro", Around::Average("macro")),
    ("mean", Around::Average("macro")),
    ("micro", Around::Average("micro")),
    ("weighted", Around::Average("weighted")),
    ("retrieval", Around::Queries),
    ("max", Around::Best),
    ("maximum", Around::Best),
    ("best", Around::Best),
    ("bylabel", Around::PerClass),
    ("perclass", Around::PerClass),
    ("bythreshold", Around::PerThreshold),
];

#[derive(Clone, Copy)]
enum Around {
    Same,
    Complement,
    Negated,
    Average(&'static str),
    Labels,
    Queries,
    Best,
    PerClass,
    PerThreshold,
}

/// What the key of a name means that no row has. `known` gives the row of a key.
pub(crate) fn meant(asked: &str, known: impl Fn(&str) -> Option<&'static Index>) -> Meant {
    if let Some(answer) = answer(|known| key(known) == asked) {
        return Meant::Told(answer.to_owned());
    }
    for (word, around) in AROUND {
        let before = asked.strip_prefix(word).map(|rest| (true, rest));
        let after = asked.strip_suffix(word).map(|rest| (false, rest));
        for (is_before, rest) in before.into_iter().chain(after) {
            let of_rest = || answer(|known| key(known) == rest);
            let row = match (known(rest), around) {
                (Some(row), _) => row,
                (None, Around::Queries) if is_before => return Meant::Told(QUERIES.to_owned()),
                (None, Around::Same) if is_before => match of_rest() {
                    Some(answer) => return Meant::Told(answer.to_owned()),
                    None => continue,
                },
                (None, _) => continue,
            };
            let name = row.name;
            let told = match around {
                Around::Same if is_before => return Meant::Row(row),
                Around::Complement if is_before => match complement(row, &known) {
                    Some(other) => return Meant::Row(other),
                    None => format!("it is 1 - {name}; ask for {name}"),
                },
                Around::Negated if is_before => format!(
                    "it is {name} with the sign turned (higher is better); ask for {name} (lower is \
                     better)"
                ),
                Around::Average(how) if row.counts.is_some() => format!(
                    "it is a mean over the classes: cm.average({name:?}, {how:?}); of one class it \
                     is {name}"
                ),
                Around::Average(how) if row.scores.is_some() => format!(
                    "it is a mean over the classes: tables.average({name:?}, {how:?}), where tables \
                     is a rocksteady.ScoreTables; of one class it is {name}"
                ),
                Around::Labels => {
                    format!("{LABELS}.{}; of one label it is {name}", function_of(name))
                }
                Around::Queries => QUERIES.to_owned(),
                Around::Best if row.counts.is_some() => format!(
                    "the best value over all thresholds is table.best({name:?}); at one it is {name}"
                ),
                Around::PerClass => {
                    format!("the values of all classes are cm.every({name:?})")
                }
                Around::PerThreshold => {
                    format!("the values at all thresholds are table.every({name:?})")
                }
                _ => continue,
            };
            return Meant::Told(told);
        }
    }
    Meant::Unknown
}

fn function_of(name: &str) -> String {
    match name {
        "accuracy" | "average_precision" | "f1" | "jaccard" | "precision" | "recall"
        | "roc_auc" => {
            format!("{name}_score")
        }
        _ => "multilabel_confusion_matrix".to_owned(),
    }
}

/// The row that is one minus a row.
fn complement(
    row: &Index,
    known: impl Fn(&str) -> Option<&'static Index>,
) -> Option<&'static Index> {
    row.laws.iter().find_map(|law| match law {
        Law::Complement(other) => known(&key(other)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::{built_in, find};

    #[test]
    fn no_answer_hides_a_row_or_another_answer() {
        let mut seen = std::collections::HashSet::new();
        for name in ANSWERS.iter().flat_map(|(names, _)| *names) {
            assert!(built_in(name).is_none(), "{name} is a row");
            assert!(seen.insert(name), "{name} is there twice");
            assert!(find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn complements_are_found() {
        for (name, row) in [("1-specificity", "fpr"), ("1 - recall", "fnr"), ("1-ppv", "fdr")] {
            assert_eq!(find(name).unwrap().name, row);
        }
    }
}
