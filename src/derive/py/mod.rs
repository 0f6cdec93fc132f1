//! The only module that names pyo3 or numpy: arrays in, errors out, interpreter released.
//!
//! | module | owns |
//! |---|---|
//! | [`argument`] | names, options, numbers, bytes |
//! | [`border`] | array-likes as columns |
//! | [`error`] | refusals as exceptions |
//! | [`gate`] | releasing the interpreter; panics and Ctrl-C |
//! | [`memory`] | memory for large results |
//! | [`rows`] | the columns and options that many calls take alike |
//! | [`settings`] | the number of threads, the memory that is kept |
//! | [`statistic`] | what all classes of statistics share |
//! | [`truth`] | labels that scikit-learn refuses though the core takes them |
//! | [`labels`], [`row_keys`], [`scores`], [`classes`], [`queries`], [`costs`] | the statistics |
//! | [`index`], [`groups`], [`inference`], [`fairness`] | what is computed from them |
//!
//! The list at the end of this file is all that Python sees; `rocksteady/_rocksteady.pyi` documents
//! it.

#![allow(clippy::needless_pass_by_value)] // a function that Python calls owns its arguments

pub(crate) mod argument;
pub(crate) mod border;
pub(crate) mod classes;
pub(crate) mod costs;
pub(crate) mod error;
pub(crate) mod fairness;
pub(crate) mod gate;
pub(crate) mod groups;
pub(crate) mod index;
pub(crate) mod inference;
pub(crate) mod labels;
pub(crate) mod memory;
pub(crate) mod queries;
pub(crate) mod row_keys;
pub(crate) mod rows;
pub(crate) mod scores;
pub(crate) mod settings;
pub(crate) mod statistic;
pub(crate) mod truth;

#[pyo3::pymodule(gil_used = false)] // What threads may share without the interpreter's lock: see the border.
mod _rocksteady {
    use numpy::PyUntypedArray;
    use pyo3::PyTypeInfo;
    use pyo3::exceptions::PyRuntimeWarning;
    use pyo3::prelude::*;

    use crate::py::error::PyResult;

    #[pymodule_export]
    use crate::py::{
        border::{
            held::{CodedLabels, coded_labels},
            report::lowered,
        },
        classes::{
            areas::{class_areas, label_areas, pair_areas},
            column_tables::RankingsState,
            decision::{bayes_decision, bayes_risk, optimal_threshold},
            label_score_tables::LabelScoreTablesState,
            listwise::{listwise_each, listwise_mean},
            probability_sums::{ClassProbabilityState, calibration_bins, hinge, top_k},
            row_mean::RowMeanState,
            score_tables::ScoreTablesState,
        },
        costs::{
            cost_table::CostState,
            risk::{row_decision, row_risk},
        },
        fairness::{
            disparity::{
                disparity_intervals, disparity_levels, disparity_of_intervals, group_disparities,
                level_of_pair, pair_disparity, pair_of_intervals, value_disparities,
            },
            scores::{impact_over_thresholds, subgroup_areas},
            worst::worst_groups,
        },
        groups::state::{GroupsState, group_interval, group_mean},
        index::{
            bounds::{bands_of_sketch, bounds_of_box, check_box},
            comparison::{
                consistency_pairs, consistency_steps, enumerate_matrices, enumerate_rankings,
                evaluate_matrices, evaluate_rankings,
            },
            registry::{
                define_index, index_is_loss, index_name, index_rows, index_version, undefine_index,
            },
        },
        inference::{
            bootstrap::{
                bootstrap_band, bootstrap_counts, bootstrap_few, bootstrap_interval,
                bootstrap_matrix, bootstrap_note, bootstrap_reads_counts, bootstrap_rows,
                bootstrap_scores,
            },
            covariance::{CovarianceState, adjusted_p_values},
            interval::{
                beta_cdf, interpret, interval_classes, interval_counts, interval_matrix,
                student_t_quantile,
            },
            paired_areas::{PairedRowsState, PlacementsState},
            paired_labels::{
                CodesState, cochran_test, count_pairs, mcnemar_test, pair_agreement, pair_cells,
            },
            row_influence::InfluenceState,
            scores::{
                influence, interval_probabilities, interval_rankings, interval_score_tables,
                interval_scores, net_benefit_bounds,
            },
            two_proportions::{
                independent_difference, ln_e_values, paired_proportion_difference,
                proportion_difference, proportion_ratio,
            },
            widened::{interval_of_box, interval_of_sketch},
        },
        labels::{
            confusion::{ConfusionState, positions},
            counts::{check_counts, evaluate_counts, exact_counts, why_counts},
            readings::Readings,
            tables::{IndicatorState, TablesState},
        },
        queries::statistic::QueriesState,
        row_keys::keys::{GroupedState, group_rows},
        scores::{
            anchored::{AnchoredState, score_anchors},
            areas_of_rows::{average_precision, ks, roc_auc},
            calibration::{calibration_curve_of, calibration_error, decomposition, top_label},
            concordance::concordance_of_columns,
            curves::{
                area_of_curve, brier_curve, cost_curve, cost_ratios, hull_places,
                interpolated_precision_recall, net_benefit, normal_deviates, operating_points,
                precision_recall_gain, simplify_columns, simplify_sweep, sweep_columns,
                sweep_thresholds,
            },
            curves_of_rows::{
                det_curve, index_at_thresholds, precision_recall_curve, roc_curve, threshold_counts,
            },
            gains::{gains, profit},
            probability_sums::ProbabilityState,
            score_sketch::{SketchCollectorState, SketchState},
            score_table::{CollectorState, ScoreState, score_values},
            signed::SignedTotalsState,
            spill::{SpilledState, SpillingState},
            stability::{stability_of_columns, stability_of_labels, stability_of_tables},
            thresholds::{
                best_thresholds, counts_at, counts_of_table, meeting_thresholds, pareto_thresholds,
                squares_of_table, target_threshold, why_no_best,
            },
        },
        settings::{
            _instructions, _split_seconds, _through_the_gate, get_kept_memory, get_threads,
            set_kept_memory, set_threads,
        },
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        if cfg!(debug_assertions) {
            let warning = module.py().get_type::<PyRuntimeWarning>();
            let message = c"rocksteady was built without optimisation and is many times slower than it should be; \
                build it with --release";
            PyErr::warn(module.py(), &warning, message, 2)?;
        }
        // numpy's functions are looked up here, where a missing numpy is an ImportError.
        module.py().import("numpy")?;
        PyUntypedArray::type_object(module.py());
        Ok(module.add("__version__", env!("CARGO_PKG_VERSION"))?)
    }
}
