//! Scores as probabilities, for Python: calibration curves, decompositions, calibration errors from
//! rows.

use pyo3::prelude::*;

use crate::base::column::Column;
use crate::base::dtype::Truth;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Labels, Scores};
use crate::base::memory::Room;
use crate::classes::calibration_error as from_rows;
use crate::classes::calibration_error::{Measure, Mode};
use crate::classes::top_label::top_labels;
use crate::index;
use crate::inference::interval::{Ask, Side};
use crate::labels::view::BinaryCounts;
use crate::scores::calibration::bins::{Binning, Norm};
use crate::scores::calibration::brier_decomposition::Rule;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::argument;
use crate::py::border::what::described;
use crate::py::border::{labels_from_python, pos_label_from_python};
use crate::py::classes::probability_sums::HeldColumns;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::memory::{Array, arrays};
use crate::py::rows::Rows;
use crate::py::scores::score_table::ScoreState;

/// A number of bins.
fn bins_from(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    const MOST: i64 = 1 << 16;
    let found = given.extract::<i64>().ok();
    let found = found.filter(|bins| (1..=MOST).contains(bins));
    found.map(|bins| bins as usize).ok_or_else(|| {
        let expected = format!("a whole number from 1 to {MOST}");
        Refusal::argument("bins", described(given), expected).into()
    })
}

/// Refuses a table whose scores are not probabilities.
fn check_probabilities(table: &ScoreTable) -> Result<()> {
    if table.are_probabilities() {
        return Ok(());
    }
    let highest = table.score(0);
    let outside =
        if (0.0..=1.0).contains(&highest) { table.score(table.len() - 1) } else { highest };
    let expected = "scores in [0, 1], which can be probabilities";
    Err(Refusal::argument("y_score", outside, expected))
}

/// The bins of a calibration curve that have rows, and how many have none: lower and upper edges,
/// the mean score, the rate of positives, the weight, and the bounds of Wilson's interval of the
/// rate.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn calibration_curve_of<'py>(
    py: Python<'py>,
    state: &ScoreState,
    bins: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    level: &Bound<'py, PyAny>,
) -> PyResult<(Vec<Array<'py>>, usize)> {
    let known = [
        ("uniform", Binning::Uniform),
        ("quantile", Binning::Quantile),
        ("isotonic", Binning::Isotonic),
    ];
    let binning = argument::option(strategy, "strategy", &known)?;
    let bins = bins_from(bins)?;
    let ask = Ask::new(argument::number(level, "level")?, None, Side::Both)?;
    let table = state.ranking();
    let (columns, empty) = gate::run(py, table.len(), || {
        check_probabilities(table)?;
        let mut columns: [Vec<f64>; 7] = Default::default();
        let Some(found) = table.calibration_bins(bins, binning) else {
            return Ok((columns, 0));
        };
        // The share of positives in a bin is precision, were all its rows predicted positive.
        let share = index::find("precision")?;
        let defaults = index::Parameters::defaults(share);
        let of_bin = |tp: f64, fp: f64| BinaryCounts { tp, fp, ..BinaryCounts::default() };
        for bin in 0..found.len() {
            let (p, n) = (found.positives[bin], found.negatives[bin]);
            let interval = match found.squares.get(bin) {
                None => share.interval_of_counts(&of_bin(p, n), &defaults, &ask)?,
                Some(&(ps, ns)) => {
                    share.interval_of_sampling(&of_bin(p, n), &of_bin(ps, ns), &defaults, &ask)?
                }
            };
            let mean = found.score[bin] / (p + n);
            // A mean lies among what it is of, but for rounding.
            let mean = mean.max(found.lower[bin]).min(found.upper[bin]);
            let row = [
                found.lower[bin],
                found.upper[bin],
                mean,
                p / (p + n),
                p + n,
                interval.low,
                interval.high,
            ];
            for (column, value) in columns.iter_mut().zip(row) {
                column.grow(value);
            }
        }
        Ok((columns, found.empty))
    })?;
    Ok((arrays(py, columns).into(), empty))
}

/// The mean score of a rule, its miscalibration, discrimination and uncertainty; NaN without rows.
#[pyfunction]
pub(crate) fn decomposition(
    py: Python<'_>,
    state: &ScoreState,
    rule: &Bound<'_, PyAny>,
) -> PyResult<(f64, f64, f64, f64)> {
    let rules = [("brier", Rule::Brier), ("log_loss", Rule::LogLoss)];
    let rule = argument::option(rule, "rule", &rules)?;
    let table = state.ranking();
    gate::run(py, table.len(), || {
        check_probabilities(table)?;
        let none = (f64::NAN, f64::NAN, f64::NAN, f64::NAN);
        Ok(table.decomposition(rule).map_or(none, |parts| {
            (parts.score, parts.miscalibration, parts.discrimination, parts.uncertainty)
        }))
    })
}

/// The calibration error of rows; NaN if they weigh nothing.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn calibration_error(
    py: Python<'_>,
    rows: Rows<HeldColumns>,
    mode: Option<&Bound<'_, PyAny>>,
    bins: &Bound<'_, PyAny>,
    strategy: &Bound<'_, PyAny>,
    norm: &Bound<'_, PyAny>,
    pos_label: Option<&Bound<'_, PyAny>>,
    labels: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let modes =
        [("binary", Mode::Binary), ("top_label", Mode::TopLabel), ("classwise", Mode::ClassWise)];
    let binnings = [("uniform", Binning::Uniform), ("quantile", Binning::Quantile)];
    let norms = [("l1", Norm::Mean), ("l2", Norm::RootMeanSquare), ("max", Norm::Max)];
    let mode = mode.map(|mode| argument::option(mode, "mode", &modes)).transpose()?;
    let (bins, binning) = (bins_from(bins)?, argument::option(strategy, "strategy", &binnings)?);
    let norm = argument::option(norm, "norm", &norms)?;
    let pos_label = pos_label_from_python(pos_label)?;
    let labels = labels_from_python(labels)?;
    let (truth, scores, weights) = rows.lend();
    let mode = mode.unwrap_or(if scores.columns() > 2 { Mode::TopLabel } else { Mode::Binary });
    if pos_label.is_some() && mode != Mode::Binary {
        let expected = "None, as only mode \"binary\" has a positive label";
        return Err(Refusal::argument("pos_label", "a label", expected).into());
    }
    if labels.is_some() && mode == Mode::Binary {
        let expected = "None, as mode \"binary\" has pos_label instead";
        return Err(Refusal::argument("labels", "given", expected).into());
    }
    let measure = Measure { mode, bins, binning, norm };
    gate::run(py, scores.rows() * scores.columns(), || {
        let error = from_rows::calibration_error(
            &truth,
            &scores,
            weights,
            labels,
            pos_label.as_ref(),
            &measure,
        )?;
        Ok(error.unwrap_or(f64::NAN))
    })
}

/// The table of the most probable class of each row: its probability against whether it is the
/// row's class.
#[pyfunction]
pub(crate) fn top_label(
    py: Python<'_>,
    rows: Rows<HeldColumns>,
    labels: Option<&Bound<'_, PyAny>>,
    weight_kind: &Bound<'_, PyAny>,
) -> PyResult<ScoreState> {
    let labels = labels_from_python(labels)?;
    let options = SweepOptions {
        weight_kind: argument::weight_kind(weight_kind)?,
        ..SweepOptions::zero_one()
    };
    let (truth, scores, weights) = rows.lend();
    gate::run(py, scores.rows() * scores.columns(), || {
        let top = top_labels(&truth, labels, &scores)?;
        let table = score_table(
            &Labels::of::<Truth>(Column::from_slice(&top.correct)),
            &Scores::of::<f64>(Column::from_slice(&top.confidence)),
            weights,
            &options,
        )?;
        Ok(ScoreState::of(table))
    })
}
