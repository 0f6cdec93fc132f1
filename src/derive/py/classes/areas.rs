//! Areas under the ROC and the precision–recall curve of each class or label, from columns in one
//! call.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arith::exact::Weights;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::ScoreMatrix;
use crate::base::memory::Gather;
use crate::classes::areas::{
    Area, ColumnArea, each_label, labels_pooled, one_vs_one, one_vs_rest, one_vs_rest_pooled,
    rows_sum_to_one,
};

use crate::py::border::matrix::HeldMatrix;
use crate::py::border::{HeldWeights, labels_from_python};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::truth::Truth;

/// Areas of columns: area, weight of positives and of negatives, whether rows of both classes are
/// there; for each.
type Columns<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<bool>>,
);

fn columns<'py>(py: Python<'py>, areas: &[ColumnArea]) -> Columns<'py> {
    let each =
        |number: fn(&ColumnArea) -> f64| PyArray1::from_vec(py, areas.iter().map(number).gather());
    (
        each(|column| column.area),
        each(|column| column.positives),
        each(|column| column.negatives),
        PyArray1::from_vec(py, areas.iter().map(|column| column.both).gather()),
    )
}

/// Which area is computed of a column: ROC up to a false positive rate, or with None average
/// precision.
fn area_of(max_fpr: Option<f64>) -> Area {
    max_fpr.map_or(Area::Precision, Area::Roc)
}

/// The areas of all classes, each against the rest, or with `pooled` as one problem. `max_fpr` is
/// None for average precision; with `sums` rows of scores must add up to 1.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn class_areas<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    labels: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    max_fpr: Option<f64>,
    pooled: bool,
    sums: bool,
) -> PyResult<Option<Columns<'py>>> {
    let y_true = Truth::take(y_true)?;
    let y_score = HeldMatrix::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let labels = labels_from_python(labels)?;
    if !y_true.is_plain(None) {
        return Ok(None);
    }
    let (truth, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
    check_weights(weights.as_ref(), &scores)?;
    let area = area_of(max_fpr);
    let areas = gate::run(py, scores.rows() * scores.columns(), || {
        // Without as many rows as labels it is refused below, before any row is read.
        if sums && scores.rows() == truth.len() {
            check_sums(&scores)?;
        }
        if pooled {
            let all = one_vs_rest_pooled(&truth, labels, &scores, weights, area)?;
            Ok(vec![all])
        } else {
            one_vs_rest(&truth, labels, &scores, weights, area)
        }
    })?;
    Ok(Some(columns(py, &areas)))
}

/// The areas of all pairs of classes and the rows of each.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn pair_areas<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    labels: Option<&Bound<'py, PyAny>>,
    sums: bool,
) -> PyResult<Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)>> {
    let y_true = Truth::take(y_true)?;
    let y_score = HeldMatrix::take(y_score, "y_score")?;
    let labels = labels_from_python(labels)?;
    if !y_true.is_plain(None) {
        return Ok(None);
    }
    let (truth, scores) = (y_true.lend(), y_score.lend());
    let pairs = gate::run(py, scores.rows() * scores.columns(), || {
        // Without as many rows as labels it is refused below, before any row is read.
        if sums && scores.rows() == truth.len() {
            check_sums(&scores)?;
        }
        one_vs_one(&truth, labels, &scores)
    })?;
    Ok(Some((
        PyArray1::from_vec(py, pairs.iter().map(|pair| pair.area).gather()),
        PyArray1::from_vec(py, pairs.iter().map(|pair| pair.rows as f64).gather()),
    )))
}

/// The areas of all labels of an indicator of 0 and 1, each on its own, or with `pooled` as one
/// problem.
#[pyfunction]
pub(crate) fn label_areas<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    max_fpr: Option<f64>,
    pooled: bool,
) -> PyResult<Columns<'py>> {
    let y_true = HeldMatrix::take(y_true, "y_true")?;
    let y_score = HeldMatrix::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (truth, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
    check_weights(weights.as_ref(), &scores)?;
    let area = area_of(max_fpr);
    let areas = gate::run(py, scores.rows() * scores.columns(), || {
        if pooled {
            labels_pooled(&truth, &scores, weights, area).map(|all| vec![all])
        } else {
            each_label(&truth, &scores, weights, area)
        }
    })?;
    Ok(columns(py, &areas))
}

fn check_weights(weights: Option<&Weights<'_>>, scores: &ScoreMatrix) -> Result<()> {
    let rows = scores.rows();
    let found = weights.map_or(rows, Weights::len);
    check_length(("sample_weight", found), ("y_score", rows))
}

/// scikit-learn rounds sums of less than single precision, so such scores are left to it.
fn check_sums(scores: &ScoreMatrix) -> Result<()> {
    if scores.kind().epsilon() > f64::from(f32::EPSILON) || !rows_sum_to_one(scores) {
        let found = "a matrix of other rows";
        let expected = "rows that add up to 1";
        return Err(Refusal::argument("y_score", found, expected));
    }
    Ok(())
}
