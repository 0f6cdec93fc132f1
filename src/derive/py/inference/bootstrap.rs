//! The bootstrap, for Python.
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::base::error::Result;
use crate::base::memory::Gather;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::value::Value;
use crate::inference::bootstrap::Resample;
use crate::inference::bootstrap::band::{BandKind, BandOf};
use crate::inference::bootstrap::bounds::{Bounds, interval};
use crate::inference::bootstrap::replicates::{Plan, Replicates};
use crate::inference::bootstrap::rows::ScoredRows;
use crate::labels::view::BinaryCounts;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Side;

use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::labels::confusion::ConfusionState;
use crate::py::labels::counts::{Four, tables};
use crate::py::memory::{Array, arrays};
use crate::py::rows::RankOptions;
use crate::py::scores::score_table::ScoreState;
use crate::py::{argument, gate};

/// Names of indices, threshold, number of replicates, seed, how to draw, whether classes keep their
/// sizes.
type Asked<'py> = (Vec<Named>, f64, usize, u64, Bound<'py, PyAny>, bool);

/// For each index its value, why it is undefined, its acceleration, its values in the replicates,
/// and in how many of them it is undefined.
type Told<'py> = Vec<(f64, Option<&'static str>, Option<f64>, Array<'py>, usize)>;

/// Those, and tp, fp, fn, tn of the replicates where an index is one of counts.
type Model<'py> = (Told<'py>, Option<[Array<'py>; 4]>);

fn plan(
    (names, threshold, replicates, seed, resample, is_stratified): Asked<'_>,
) -> PyResult<Plan> {
    let known = [("multinomial", Resample::Multinomial), ("poisson", Resample::Poisson)];
    Ok(Plan {
        indices: names.into_iter().map(|Named(row)| row).gather(),
        threshold,
        replicates,
        seed,
        resample: argument::option(&resample, "resample", &known)?,
        is_stratified,
    })
}

/// The values of the statistic itself, with their accelerations.
type Estimates = Vec<(Value, Option<f64>)>;

fn told(py: Python<'_>, estimates: Estimates, found: Replicates) -> Model<'_> {
    let each = estimates.into_iter().zip(found.values);
    let told = each.map(|((value, acceleration), values)| {
        let undefined = values.iter().filter(|value| value.is_nan()).count();
        (
            value.number,
            value.why.map(crate::index::Undefined::sentence),
            acceleration,
            PyArray1::from_vec(py, values),
            undefined,
        )
    });
    let counts = (!found.counts.is_empty()).then(|| {
        let cell = |read: fn(&BinaryCounts) -> f64| found.counts.iter().map(read).gather();
        arrays(
            py,
            [
                cell(|counts| counts.tp),
                cell(|counts| counts.fp),
                cell(|counts| counts.fn_),
                cell(|counts| counts.tn),
            ],
        )
    });
    (told.gather(), counts)
}

fn of_ranking(plan: &Plan, ranking: &Ranking, wants_acceleration: bool) -> Result<Estimates> {
    let of = |row: &&'static Index| {
        let parameters = Parameters::defaults(row);
        let value = if Plan::is_of_counts(row) {
            row.of_counts(&ranking.at(plan.threshold, Side::GreaterEqual), &parameters)?
        } else {
            row.of_scores(ranking, &parameters)?
        };
        let acceleration =
            if wants_acceleration { plan.acceleration_of_scores(row, ranking)? } else { None };
        Ok((value, acceleration))
    };
    plan.indices.iter().map(of).gather_all()
}

/// Replicates of a score table.
#[pyfunction]
pub(crate) fn bootstrap_scores<'py>(
    py: Python<'py>,
    state: &ScoreState,
    asked: Asked<'py>,
    wants_acceleration: bool,
) -> PyResult<Model<'py>> {
    let plan = plan(asked)?;
    let ranking = state.ranking();
    let work = ranking.rows().min(1 << 30) as usize * plan.replicates / 8;
    let (estimates, found) = gate::run(py, work, || {
        let estimates = of_ranking(&plan, ranking, wants_acceleration)?;
        Ok((estimates, plan.of_scores(ranking)?))
    })?;
    Ok(told(py, estimates, found))
}

/// Replicates of a confusion matrix.
#[pyfunction]
pub(crate) fn bootstrap_matrix<'py>(
    py: Python<'py>,
    state: &ConfusionState,
    positive: Option<usize>,
    asked: Asked<'py>,
    wants_acceleration: bool,
) -> PyResult<Model<'py>> {
    let plan = plan(asked)?;
    let work = state.view().cells.len() * plan.replicates * (10 + plan.indices.len());
    let (estimates, found) = gate::run(py, work, || {
        let view = state.view();
        let of = |row: &&'static Index| {
            let parameters = Parameters::defaults(row);
            let value = match positive {
                Some(positive) => row.overall(view, positive, &parameters)?,
                None => row.of_matrix(view, &parameters)?,
            };
            let acceleration = if wants_acceleration {
                plan.acceleration_of_matrix(row, view, positive)?
            } else {
                None
            };
            Ok((value, acceleration))
        };
        let estimates: Result<Estimates> = plan.indices.iter().map(of).gather_all();
        Ok((estimates?, plan.of_matrix(state.matrix(), positive)?))
    })?;
    Ok(told(py, estimates, found))
}

/// The places of two models, and the acceleration of the difference in each index.
type OfPair = (usize, usize, Vec<Option<f64>>);

/// The score table and the replicates of each model, and what pairs of models have.
type OfRows<'py> = (Vec<(ScoreState, Model<'py>)>, Vec<OfPair>);

/// Replicates of rows that several models score: the score table and the replicates of each, and
/// the accelerations of their differences.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bootstrap_rows<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    models: Vec<Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    options: RankOptions,
    cluster: Option<(PyReadonlyArray1<'py, u32>, usize)>,
    key: Option<PyReadonlyArray1<'py, u64>>,
    asked: Asked<'py>,
    wants_acceleration: bool,
) -> PyResult<OfRows<'py>> {
    let plan = plan(asked)?;
    let y_true = HeldLabels::take(y_true, "y_true")?;
    let models = models
        .iter()
        .map(|model| HeldScores::take(model, "y_score"))
        .collect::<PyResult<Vec<_>>>()?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let clusters = cluster
        .as_ref()
        .map(|(codes, number)| Ok::<_, PyErr>((codes.as_slice()?, *number)))
        .transpose()?;
    let keys = key.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let rows = ScoredRows {
        labels: y_true.lend(),
        models: models.iter().map(HeldScores::lend).gather(),
        weights: weights.lend(),
        clusters,
        keys,
        options: options.0,
    };
    let work = rows.labels.len() * plan.replicates / 8 * rows.models.len();
    let (tables, estimates, found, pairs) = gate::run(py, work, || {
        let tables = rows.tables()?;
        let mut estimates =
            tables.iter().map(|table| of_ranking(&plan, table, false)).gather_all()?;
        let mut pairs = Vec::new();
        if wants_acceleration {
            let found = plan.accelerations_of_rows(&rows, &tables)?;
            for (estimates, own) in estimates.iter_mut().zip(found.own) {
                for (estimate, acceleration) in estimates.iter_mut().zip(own) {
                    estimate.1 = acceleration;
                }
            }
            pairs = found.pairs;
        }
        let found = plan.of_scored_rows(&rows, &tables)?;
        Ok((tables, estimates, found, pairs))
    })?;
    let each = tables.into_iter().zip(estimates).zip(found);
    let models = each
        .map(|((table, estimates), found)| (ScoreState::of(table), told(py, estimates, found)))
        .gather();
    Ok((models, pairs))
}

/// Indices of the counts of replicates.
#[pyfunction]
pub(crate) fn bootstrap_counts<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    asked: Asked<'py>,
) -> PyResult<Vec<Array<'py>>> {
    let plan = plan(asked)?;
    let counts = tables(&arrays)?;
    let found = gate::run(py, counts.len() * plan.indices.len(), || plan.of_tables(counts))?;
    Ok(found.values.into_iter().map(|values| PyArray1::from_vec(py, values)).gather())
}

/// Whether an index is read from the counts at a threshold.
#[pyfunction]
pub(crate) fn bootstrap_reads_counts(name: Named) -> bool {
    Plan::is_of_counts(name.0)
}

/// Low, high, standard error and the number of replicates without a value.
#[pyfunction]
pub(crate) fn bootstrap_interval(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    estimate: f64,
    acceleration: f64,
    method: &Bound<'_, PyAny>,
    level: f64,
) -> PyResult<(f64, f64, f64, usize)> {
    let known =
        [("percentile", Bounds::Percentile), ("basic", Bounds::Basic), ("bca", Bounds::Bca)];
    let bounds = argument::option(method, "method", &known)?;
    let values = values.as_slice()?;
    let outside = (1.0 - level) / 2.0;
    let found = gate::run(py, values.len(), || {
        Ok(interval(values, estimate, acceleration, bounds, (outside, outside)))
    })?;
    Ok((found.low, found.high, found.standard_error, found.undefined))
}

/// x, estimate, low and high of a band, and the number of replicates without a curve.
#[pyfunction]
pub(crate) fn bootstrap_band<'py>(
    py: Python<'py>,
    state: &ScoreState,
    curve: &Bound<'py, PyAny>,
    kind: &Bound<'py, PyAny>,
    level: f64,
    points: usize,
    asked: Asked<'py>,
) -> PyResult<([Array<'py>; 4], usize)> {
    let curves = [
        ("roc", BandOf::Roc),
        ("precision_recall", BandOf::PrecisionRecall),
        ("gain", BandOf::Gain),
    ];
    let kinds = [
        ("simultaneous", BandKind::Simultaneous),
        ("pointwise", BandKind::Pointwise),
        ("campbell", BandKind::Campbell),
    ];
    let curve = argument::option(curve, "curve", &curves)?;
    let kind = argument::option(kind, "kind", &kinds)?;
    let plan = plan(asked)?;
    let ranking = state.ranking();
    let work = ranking.rows().min(1 << 30) as usize * plan.replicates;
    let band = gate::run(py, work, || plan.band(ranking, curve, kind, level, points))?;
    Ok((arrays(py, [band.x, band.estimate, band.low, band.high]), band.undefined))
}
