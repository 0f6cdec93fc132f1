//! Measures of how each row orders its own labels, for Python.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::base::dtype::Class;
use crate::base::error::Refusal;
use crate::classes::listwise::{Discount, Measure, mean, measured};

use crate::py::argument;
use crate::py::border::HeldWeights;
use crate::py::border::matrix::HeldMatrix;
use crate::py::error::PyResult;
use crate::py::{gate, memory};

/// The measure of a name.
fn measure(
    name: &Bound<'_, PyAny>,
    first: Option<usize>,
    base: f64,
    ignore_ties: bool,
) -> PyResult<Measure> {
    let known = [
        ("coverage", 0),
        ("average_precision", 1),
        ("loss", 2),
        ("gain", 3),
        ("normalized_gain", 4),
        ("roc_area", 5),
    ];
    let discount = Discount { first, base, ignore_ties };
    Ok(match argument::option(name, "measure", &known)? {
        0 => Measure::Coverage,
        1 => Measure::AveragePrecision,
        2 => Measure::Loss,
        5 => Measure::RocArea,
        3 => Measure::Gain(discount),
        _ => Measure::NormalizedGain(discount),
    })
}

/// The mean of a measure over rows of two labels or more. Unsigned scores are refused for measures
/// for which scikit-learn negates the scores.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn listwise_mean(
    py: Python<'_>,
    name: &Bound<'_, PyAny>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    sample_weight: Option<&Bound<'_, PyAny>>,
    first: Option<usize>,
    base: f64,
    ignore_ties: bool,
) -> PyResult<f64> {
    let measure = measure(name, first, base, ignore_ties)?;
    let y_true = HeldMatrix::take(y_true, "y_true")?;
    let y_score = HeldMatrix::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (relevance, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
    if scores.columns() < 2 {
        let expected = "two labels or more";
        return Err(Refusal::argument("y_score", scores.columns(), expected).into());
    }
    let negated = match &measure {
        Measure::AveragePrecision => true,
        Measure::Gain(discount) | Measure::NormalizedGain(discount) => !discount.ignore_ties,
        _ => false,
    };
    let unsigned = matches!(scores.dtype().class(), Class::Truth | Class::Unsigned);
    if negated && unsigned {
        return Err(Refusal::argument("y_score", "unsigned", "numbers with a sign").into());
    }
    gate::run(py, scores.rows() * scores.columns(), || mean(&relevance, &scores, weights, &measure))
}

/// The measure of each row.
#[pyfunction]
pub(crate) fn listwise_each<'py>(
    py: Python<'py>,
    name: &Bound<'py, PyAny>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    first: Option<usize>,
    base: f64,
    ignore_ties: bool,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let measure = measure(name, first, base, ignore_ties)?;
    let y_true = HeldMatrix::take(y_true, "y_true")?;
    let y_score = HeldMatrix::take(y_score, "y_score")?;
    let (relevance, scores) = (y_true.lend(), y_score.lend());
    memory::column(py, scores.rows() * scores.columns(), || measured(&relevance, &scores, &measure))
}
