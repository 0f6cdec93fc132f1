//! The distance between two distributions, for Python.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arith::exact::Weights;
use crate::base::column::Column;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet, Labels, NanPolicy, Scores};
use crate::base::memory::{Gather, Room};
use crate::labels::counting::count::{CountOptions, confusion};
use crate::scores::bin_counts::{BinOptions, Binned, binned, extremes};
use crate::scores::gains::check_edges;
use crate::scores::score_table::ScoreTable;
use crate::scores::stability::{
    Stability, quantile_edges, table_bins, table_extremes, uniform_edges,
};
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::{Arguments, SweepOptions};

use crate::py::argument;
use crate::py::border::scalar::label_set_to_python;
use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::memory::{Array, arrays};
use crate::py::scores::gains::number_of;
use crate::py::scores::score_table::ScoreState;

/// Amounts of both, shares of both, contributions.
type Columns<'py> = [Array<'py>; 5];
/// psi, Jensen–Shannon, KS, total variation, chi-squared, freedom, p-value.
type Single = (f64, f64, f64, f64, f64, usize, f64);

fn compared(py: Python<'_>, found: Stability) -> (Columns<'_>, Single) {
    let columns = [
        found.expected,
        found.actual,
        found.expected_share,
        found.actual_share,
        found.contribution,
    ];
    let single = (
        found.psi,
        found.jensen_shannon,
        found.ks,
        found.total_variation,
        found.chi_squared,
        found.freedom,
        found.p_value,
    );
    (arrays(py, columns), single)
}

/// How bins are made.
enum Bins {
    Edges(Vec<f64>),
    Quantile(usize),
    Uniform(usize),
}

impl Bins {
    fn asked(
        bins: &Bound<'_, PyAny>,
        strategy: &Bound<'_, PyAny>,
        edges: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let bins = number_of(bins, "bins")?;
        let known = [("quantile", true), ("uniform", false)];
        let quantile = argument::option(strategy, "strategy", &known)?;
        Ok(match edges {
            Some(edges) => {
                check_edges(&edges)?;
                Self::Edges(edges)
            }
            None if quantile => Self::Quantile(bins),
            None => Self::Uniform(bins),
        })
    }
}

/// Compares bins; a bin of missing scores comes last, if either side has any.
fn stability(expected: Binned, actual: Binned, epsilon: f64) -> (Stability, bool) {
    let missing = expected.missing > 0.0 || actual.missing > 0.0;
    let all = |binned: Binned| {
        let mut bins = binned.bins;
        bins.grow_with(missing.then_some(binned.missing));
        bins
    };
    (Stability::of(all(expected), all(actual), epsilon), missing)
}

/// The weights of both columns, each given with the number of rows of its column.
fn weights_of_both(
    expected: (Option<&Bound<'_, PyAny>>, usize),
    actual: (Option<&Bound<'_, PyAny>>, usize),
) -> PyResult<(HeldWeights, HeldWeights)> {
    Ok((
        HeldWeights::beside(expected.0, "expected_weight", ("expected", expected.1))?,
        HeldWeights::beside(actual.0, "actual_weight", ("actual", actual.1))?,
    ))
}

/// Edges, whether a bin of missing scores follows the last one, columns and single values.
type Compared<'py> = (Array<'py>, bool, Columns<'py>, Single);

/// Two columns of scores.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn stability_of_columns<'py>(
    py: Python<'py>,
    expected: &Bound<'py, PyAny>,
    actual: &Bound<'py, PyAny>,
    bins: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    edges: Option<Vec<f64>>,
    epsilon: f64,
    expected_weight: Option<&Bound<'py, PyAny>>,
    actual_weight: Option<&Bound<'py, PyAny>>,
    policy: &Bound<'py, PyAny>,
    infinite: &Bound<'py, PyAny>,
) -> PyResult<Compared<'py>> {
    gate::keep(py, || {
        let bins = Bins::asked(bins, strategy, edges)?;
        let infinite =
            argument::option(infinite, "infinite", &[("raise", false), ("allow", true)])?;
        let known =
            [("raise", NanPolicy::Raise), ("omit", NanPolicy::Omit), ("bin", NanPolicy::Worst)];
        let nan_policy = argument::option(policy, "nan_policy", &known)?;
        let held = (HeldScores::take(expected, "expected")?, HeldScores::take(actual, "actual")?);
        let (expected, actual) = (held.0.lend(), held.1.lend());
        let held_weights =
            weights_of_both((expected_weight, expected.len()), (actual_weight, actual.len()))?;
        let weights = (held_weights.0.lend(), held_weights.1.lend());
        let options = |scores, weights| BinOptions { nan_policy, infinite, scores, weights };
        let (of_expected, of_actual) =
            (options("expected", "expected_weight"), options("actual", "actual_weight"));
        let rows = expected.len().saturating_add(actual.len());
        let (edges, (found, missing)) = gate::run(py, rows, || {
            let (edges, first) = match bins {
                Bins::Quantile(bins) => {
                    let table = reference(&expected, weights.0, of_expected)?;
                    let edges = quantile_edges(&table, bins)?;
                    let first = table_bins(&table, &edges);
                    (edges, first)
                }
                other => {
                    let edges = match other {
                        Bins::Edges(edges) => edges,
                        Bins::Uniform(bins) | Bins::Quantile(bins) => {
                            uniform_edges(extremes(&expected, of_expected)?, bins)?
                        }
                    };
                    let first = binned(&expected, weights.0, &edges, of_expected)?;
                    (edges, first)
                }
            };
            let second = binned(&actual, weights.1, &edges, of_actual)?;
            Ok((edges, stability(first, second, epsilon)))
        })?;
        let (columns, single) = compared(py, found);
        Ok((PyArray1::from_vec(py, edges), missing, columns, single))
    })
}

/// A column of scores as a table, its rows all of one class.
fn reference(scores: &Scores, weights: Option<Weights>, options: BinOptions) -> Result<ScoreTable> {
    let ones = vec![1_u8; scores.len()];
    let labels = Labels::of::<u8>(Column::from_slice(&ones));
    let options = SweepOptions {
        pos_label: Some(Label::Int(1)),
        nan_policy: options.nan_policy,
        infinite: options.infinite,
        arguments: Arguments {
            y_true: options.scores,
            y_score: options.scores,
            sample_weight: options.weights,
        },
        ..SweepOptions::default()
    };
    score_table(&labels, scores, weights, &options)
}

/// The scores of two tables, both classes together.
#[pyfunction]
pub(crate) fn stability_of_tables<'py>(
    py: Python<'py>,
    expected: &ScoreState,
    actual: &ScoreState,
    bins: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    edges: Option<Vec<f64>>,
    epsilon: f64,
) -> PyResult<Compared<'py>> {
    gate::keep(py, || {
        let bins = Bins::asked(bins, strategy, edges)?;
        let (expected, actual) = (expected.table(), actual.table());
        let (edges, (found, missing)) = gate::run(py, 0, || {
            let edges = match bins {
                Bins::Edges(edges) => edges,
                Bins::Quantile(bins) => quantile_edges(expected, bins)?,
                Bins::Uniform(bins) => uniform_edges(table_extremes(expected), bins)?,
            };
            let found =
                stability(table_bins(expected, &edges), table_bins(actual, &edges), epsilon);
            Ok((edges, found))
        })?;
        let (columns, single) = compared(py, found);
        Ok((PyArray1::from_vec(py, edges), missing, columns, single))
    })
}

/// Labels, columns and single values.
type ComparedLabels<'py> = (Bound<'py, PyAny>, Columns<'py>, Single);

/// Two columns of labels.
#[pyfunction]
pub(crate) fn stability_of_labels<'py>(
    py: Python<'py>,
    expected: &Bound<'py, PyAny>,
    actual: &Bound<'py, PyAny>,
    epsilon: f64,
    expected_weight: Option<&Bound<'py, PyAny>>,
    actual_weight: Option<&Bound<'py, PyAny>>,
) -> PyResult<ComparedLabels<'py>> {
    gate::keep(py, || {
        let held = (HeldLabels::take(expected, "expected")?, HeldLabels::take(actual, "actual")?);
        let (expected, actual) = (held.0.lend(), held.1.lend());
        let held_weights =
            weights_of_both((expected_weight, expected.len()), (actual_weight, actual.len()))?;
        let weights = (held_weights.0.lend(), held_weights.1.lend());
        let rows = expected.len().saturating_add(actual.len());
        let (labels, found) = gate::run(py, rows, || {
            let first = tallied(&expected, weights.0, "expected", "expected_weight")?;
            let second = tallied(&actual, weights.1, "actual", "actual_weight")?;
            let labels = union(&first.0, &second.0)?;
            let amounts = |own: &(LabelSet, Vec<f64>)| -> Vec<f64> {
                let amount = |label: &Label| {
                    own.0.values.binary_search(label).map_or(0.0, |place| own.1[place])
                };
                labels.values.iter().map(amount).gather()
            };
            let found = Stability::of(amounts(&first), amounts(&second), epsilon);
            Ok((labels, found))
        })?;
        let (columns, single) = compared(py, found);
        Ok((label_set_to_python(py, &labels)?, columns, single))
    })
}

/// The labels of a column, ascending, and how many rows, or what weight, each has: the column
/// counted against itself.
fn tallied(
    labels: &Labels,
    weights: Option<Weights>,
    name: &'static str,
    weight_name: &'static str,
) -> Result<(LabelSet, Vec<f64>)> {
    let matrix = confusion(labels, labels, weights, &CountOptions::default());
    let matrix = matrix.map_err(|refusal| renamed(refusal, name, weight_name))?;
    let masses = (0..matrix.classes()).map(|class| matrix.mass(class, class)).gather();
    Ok((matrix.labels().clone(), masses))
}

/// The refusal with the argument's name in this call.
fn renamed(mut refusal: Refusal, name: &'static str, weight_name: &'static str) -> Refusal {
    match &mut refusal {
        Refusal::Row { argument, .. }
        | Refusal::RowType { argument, .. }
        | Refusal::Argument { argument, .. }
        | Refusal::Type { argument, .. }
        | Refusal::Empty { argument } => {
            *argument = if *argument == "sample_weight" { weight_name } else { name };
        }
        Refusal::Length { argument, other, .. } => (*argument, *other) = (weight_name, name),
        _ => {}
    }
    refusal
}

/// The labels of both, ascending.
fn union(a: &LabelSet, b: &LabelSet) -> Result<LabelSet> {
    if (a.kind == LabelKind::Text) != (b.kind == LabelKind::Text) {
        let kinds =
            if a.kind == LabelKind::Text { ["numbers", "text"] } else { ["text", "numbers"] };
        let expected = format!("{}, as expected", kinds[1]);
        return Err(Refusal::argument("actual", kinds[0], expected));
    }
    let mut values: Vec<Label> = a.values.iter().chain(&b.values).cloned().gather();
    values.sort_unstable();
    values.dedup();
    Ok(LabelSet { kind: a.kind.max(b.kind), values })
}
