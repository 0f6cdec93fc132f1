//! The bootstrap, for Python.
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::index::best::Goal;
use crate::index::form::Reads;
use crate::index::value::Value;
use crate::inference::bootstrap::Resample;
use crate::inference::bootstrap::acceleration::{Drawn, Shape};
use crate::inference::bootstrap::band::{BandKind, BandOf};
use crate::inference::bootstrap::bounds::{Bounds, interval};
use crate::inference::bootstrap::replicates::{At, Plan, Replicates, Wanted};
use crate::inference::bootstrap::rows::ScoredRows;
use crate::inference::effective::Reading;
use crate::inference::same_rows::covariance::{note_of_classes, note_of_telling, note_of_units};
use crate::inference::scores::note_of_ranking;
use crate::labels::view::BinaryCounts;
use crate::scores::ranking::Ranking;

use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::labels::confusion::{ConfusionState, with_average};
use crate::py::labels::counts::{Four, tables};
use crate::py::memory::{Array, arrays};
use crate::py::rows::RankOptions;
use crate::py::scores::score_table::ScoreState;
use crate::py::{argument, gate};

/// Names of indices, each with the place of its threshold; their parameters; thresholds, or the
/// index that chooses one; number of replicates, seed, how to draw, whether classes keep their
/// sizes.
type Asked<'py> =
    (Vec<(Named, usize)>, Bound<'py, PyDict>, AskedAt, usize, u64, Bound<'py, PyAny>, bool);

#[derive(FromPyObject)]
pub(crate) enum AskedAt {
    Best(Named),
    Thresholds(Vec<f64>),
}

/// For each index its value, why it is undefined, its acceleration, its values in the replicates,
/// in how many of them it is undefined, its optimism, what speaks against its intervals, and how
/// many units tell how it scatters.
type Told<'py> = Vec<(
    f64,
    Option<&'static str>,
    Option<f64>,
    Array<'py>,
    usize,
    f64,
    Option<&'static str>,
    f64,
)>;

/// Those, and for each threshold tp, fp, fn, tn of the replicates where an index is one of counts.
type Model<'py> = (Told<'py>, Vec<[Array<'py>; 4]>);

fn plan(
    (names, given, at, replicates, seed, resample, is_stratified): Asked<'_>,
) -> PyResult<Plan> {
    let known = [("multinomial", Resample::Multinomial), ("poisson", Resample::Poisson)];
    let wanted = names.into_iter().map(|(name, place)| {
        let weighs = name.0.parameters.iter().any(|parameter| parameter.name == "threshold");
        let is_said = given.contains("threshold")? || given.contains("weight")?;
        let (row, parameters) = match &at {
            // What weighs by a threshold weighs by the one that rows are cut at.
            AskedAt::Thresholds(cuts) if weighs && !is_said && place < cuts.len() => {
                let given = given.copy()?;
                given.set_item("threshold", cuts[place])?;
                asked(name, &given)?
            }
            AskedAt::Best(_) if weighs && !is_said => {
                let expected =
                    "a number, or weight=, for an index that weighs by the threshold it is cut at";
                return Err(Refusal::argument("threshold", "a chosen one", expected).into());
            }
            _ => asked(name, &given)?,
        };
        Ok(Wanted { row, parameters, place })
    });
    let wanted = wanted.collect::<PyResult<_>>()?; // a few
    Ok(Plan {
        wanted,
        at: match at {
            AskedAt::Best(Named(row)) => {
                let expected = "an index that is better high or low, such as \"best youden\"";
                let refusal =
                    |_| Refusal::argument("threshold", format!("\"best {}\"", row.name), expected);
                At::Best(row, Goal::of(row).map_err(refusal)?)
            }
            AskedAt::Thresholds(thresholds) => At::Thresholds(thresholds),
        },
        replicates,
        seed,
        resample: argument::option(&resample, "resample", &known)?,
        is_stratified,
    })
}

/// The values of the statistic itself, and what the influences of its rows tell.
type Estimates = Vec<(Value, Option<Shape>)>;

fn told<'py>(
    py: Python<'py>,
    plan: &Plan,
    estimates: Estimates,
    found: Replicates,
    ranked: Option<(&Ranking, Drawn)>,
) -> Model<'py> {
    let note = ranked
        .and_then(|(table, drawn)| note_of_units(drawn.units).or_else(|| note_of_ranking(table)));
    let each = plan.wanted.iter().zip(estimates).zip(found.values).enumerate();
    let told = each.map(|(place, ((wanted, (value, shape)), values))| {
        let undefined = values.iter().filter(|value| value.is_nan()).count();
        (
            value.number,
            value.why.map(crate::index::Undefined::sentence),
            shape.map(|shape| shape.acceleration),
            PyArray1::from_vec(py, values),
            undefined,
            found.optimism.get(place).copied().unwrap_or(0.0),
            wanted.row.reads().and_then(Reads::moved_by_resampling).or(note).or_else(|| {
                let (table, drawn) = ranked?;
                drawn.note_of_part(wanted.row, &wanted.parameters, table)
            }),
            shape.map_or(f64::NAN, |shape| shape.telling),
        )
    });
    let counts = found.counts.iter().map(|counts| {
        let cell = |read: fn(&BinaryCounts) -> f64| counts.iter().map(read).gather();
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
    (told.gather(), counts.gather())
}

fn of_ranking(plan: &Plan, ranking: &Ranking, has_shapes: bool) -> Result<Estimates> {
    let cuts = plan.cuts(ranking)?;
    let of = |wanted: &Wanted| {
        let value = wanted.of_ranking(ranking, &cuts)?;
        let shape = if has_shapes { plan.shape_of_scores(wanted, ranking)? } else { None };
        Ok((value, shape))
    };
    plan.wanted.iter().map(of).gather_all()
}

/// Replicates of a score table.
#[pyfunction]
pub(crate) fn bootstrap_scores<'py>(
    py: Python<'py>,
    state: &ScoreState,
    asked: Asked<'py>,
) -> PyResult<Model<'py>> {
    let plan = plan(asked)?;
    let ranking = state.ranking();
    let work = ranking.rows().min(1 << 30) as usize * plan.replicates / 8;
    let (estimates, found) = gate::run(py, work, || {
        let estimates = of_ranking(&plan, ranking, true)?;
        Ok((estimates, plan.of_scores(ranking)?))
    })?;
    let drawn = Drawn::of_rows(ranking.rows() as f64);
    Ok(told(py, &plan, estimates, found, Some((ranking, drawn))))
}

/// Replicates of a confusion matrix.
#[pyfunction]
pub(crate) fn bootstrap_matrix<'py>(
    py: Python<'py>,
    state: &ConfusionState,
    positive: Option<usize>,
    average: Option<(Bound<'py, PyAny>, f64)>,
    asked: Asked<'py>,
) -> PyResult<Model<'py>> {
    let plan = plan(asked)?;
    let work = state.view().cells.len() * plan.replicates * (10 + plan.wanted.len());
    let run = |reading: Reading<'_>| {
        gate::run(py, work, || {
            let view = state.view();
            let of = |wanted: &Wanted| {
                let value = wanted.row.of_reading(view, reading, &wanted.parameters)?;
                Ok((value, plan.shape_of_matrix(wanted, view, reading)?))
            };
            let estimates: Result<Estimates> = plan.wanted.iter().map(of).gather_all();
            Ok((estimates?, plan.of_matrix(state.matrix(), reading)?))
        })
    };
    let (estimates, found) = match average {
        None => run(Reading::Overall(positive))?,
        Some((average, zero)) => with_average(&average, |how| run(Reading::Average(how, zero)))?,
    };
    Ok(told(py, &plan, estimates, found, None))
}

/// Replicates of rows that several models score: the score table and the replicates of each.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn bootstrap_rows<'py>(
    py: Python<'py>,
    y_true: Vec<Bound<'py, PyAny>>,
    models: Vec<Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    options: RankOptions,
    cluster: Option<(PyReadonlyArray1<'py, u32>, usize)>,
    strata: Option<PyReadonlyArray1<'py, u32>>,
    key: Option<PyReadonlyArray1<'py, u64>>,
    block: Option<usize>,
    asked: Asked<'py>,
) -> PyResult<Vec<(ScoreState, Model<'py>)>> {
    let plan = plan(asked)?;
    let y_true = y_true
        .iter()
        .map(|labels| HeldLabels::take(labels, "y_true"))
        .collect::<PyResult<Vec<_>>>()?;
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
    let strata = strata.as_ref().map(PyReadonlyArray1::as_slice).transpose()?;
    let rows = ScoredRows {
        labels: y_true.iter().map(HeldLabels::lend).gather(),
        models: models.iter().map(HeldScores::lend).gather(),
        weights: weights.lend(),
        clusters,
        block,
        strata,
        keys,
        options: options.0,
    };
    let work = rows.labels[0].len() * plan.replicates / 8 * rows.models.len();
    let (tables, drawn, estimates, found) = gate::run(py, work, || {
        let tables = rows.tables()?;
        let mut estimates =
            tables.iter().map(|table| of_ranking(&plan, table, false)).gather_all()?;
        let (drawn, shapes) = plan.shapes_of_rows(&rows, &tables)?;
        for (estimates, own) in estimates.iter_mut().zip(shapes) {
            for (estimate, shape) in estimates.iter_mut().zip(own) {
                estimate.1 = shape;
            }
        }
        let found = plan.of_scored_rows(&rows, &tables)?;
        Ok((tables, drawn, estimates, found))
    })?;
    let each = tables.into_iter().zip(estimates).zip(found);
    let models = each
        .map(|((table, estimates), found)| {
            let model = told(py, &plan, estimates, found, Some((&table, drawn)));
            (ScoreState::of(table), model)
        })
        .gather();
    Ok(models)
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
    let found = gate::run(py, counts.len() * plan.wanted.len(), || plan.of_tables(counts))?;
    Ok(found.values.into_iter().map(|values| PyArray1::from_vec(py, values)).gather())
}

/// What speaks against replicates of so many positives and negatives.
#[pyfunction]
pub(crate) fn bootstrap_note(classes: [f64; 2]) -> Option<&'static str> {
    note_of_classes(classes, None)
}

/// What speaks against the interval of a value, or of the difference of two, whose scatter so many
/// units tell.
#[pyfunction]
pub(crate) fn bootstrap_few(telling: Vec<f64>) -> Option<&'static str> {
    note_of_telling(telling.into_iter())
}

/// Whether an index is read from the counts at a threshold.
#[pyfunction]
pub(crate) fn bootstrap_reads_counts(name: Named) -> bool {
    Plan::is_of_counts(name.0)
}

/// Low, high and standard error, and the number of replicates without a value.
#[pyfunction]
pub(crate) fn bootstrap_interval(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    estimate: f64,
    acceleration: f64,
    method: &Bound<'_, PyAny>,
    level: f64,
) -> PyResult<([f64; 3], usize)> {
    let known = [
        ("percentile", Bounds::Percentile),
        ("basic", Bounds::Basic),
        ("bca", Bounds::Bca),
        ("normal", Bounds::Normal),
    ];
    let bounds = argument::option(method, "method", &known)?;
    let values = values.as_slice()?;
    let outside = (1.0 - level) / 2.0;
    gate::run(py, values.len(), || {
        Ok(interval(values, estimate, acceleration, bounds, (outside, outside)))
    })
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
