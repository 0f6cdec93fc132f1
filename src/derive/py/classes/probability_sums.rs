//! Scores of several classes from Python: losses over probabilities, hits among the k highest,
//! hinge losses, calibration bins.
//!
//! Each function takes a column or a matrix: one column is of two classes.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::base::error::Refusal;
use crate::base::input::{LabelKind, Labels, ScoreMatrix};
use crate::base::memory::Gather;
use crate::classes::calibration::{Edges, calibration};
use crate::classes::hinge::hinge_losses;
use crate::classes::losses::{Columns, class_probability_sums};
use crate::classes::probability_sums::{ClassProbabilitySums, Wanted};
use crate::classes::top_k::top_k_hits;
use crate::index::evaluate::of_class_probabilities;

use crate::py::argument;
use crate::py::border::array::holds_objects;
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::{
    HeldLabels, HeldScores, HeldWeights, labels_from_python, pos_label_from_python,
};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::memory::Array;

/// Scores of one column or several.
pub(crate) enum HeldColumns {
    One(HeldScores),
    Several(HeldMatrix),
}

impl HeldColumns {
    /// Reads a column or, failing that, a matrix.
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        if HeldMatrix::is_matrix(object) {
            return HeldMatrix::take(object, argument).map(Self::Several);
        }
        HeldScores::take(object, argument).map(Self::One).or_else(|error| {
            HeldMatrix::take(object, argument).map(Self::Several).map_err(|_| error)
        })
    }

    pub(crate) fn lend(&self) -> ScoreMatrix<'_> {
        match self {
            Self::One(scores) => (&scores.lend()).into(),
            Self::Several(matrix) => matrix.lend(),
        }
    }
}

/// Labels, and whether they are text. Numbers that came as objects are refused, since scikit-learn
/// checks them further.
struct Target {
    held: HeldLabels,
    text: bool,
}

impl Target {
    fn take(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let held = HeldLabels::take(object, "y_true")?;
        let labels = held.lend();
        let text = labels.kind() == LabelKind::Text;
        if !text && (matches!(labels, Labels::Coded(_)) || holds_objects(object)) {
            return Err(objects("y_true").into());
        }
        Ok(Self { held, text })
    }
}

fn objects(argument: &'static str) -> Refusal {
    Refusal::Type {
        argument,
        value: "an array of objects that are numbers".into(),
        expected: "an array of numbers".into(),
    }
}

/// Losses over the probabilities of classes.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct ClassProbabilityState {
    sums: ClassProbabilitySums,
    rows: usize,
    columns: usize,
    text: bool,
}

#[pymethods]
impl ClassProbabilityState {
    /// Sums the losses of each row.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn sum(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_proba: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        pos_label: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        wanted: &Bound<'_, PyAny>,
        with_classes: bool,
    ) -> PyResult<Self> {
        let losses = [("log_loss", (true, false)), ("brier", (false, true))];
        let (log_loss, brier) = argument::option(wanted, "wanted", &losses)?;
        let wanted = Wanted { log_loss, brier, classes: with_classes, ..Wanted::default() };
        let y_true = Target::take(y_true)?;
        let y_proba = HeldColumns::take(y_proba, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let (lent, text) = (y_true.held.lend(), y_true.text);
        let scores = y_proba.lend();
        // scikit-learn's Brier score looks at `pos_label` for one column and at `labels` for
        // several.
        let labels = labels_from_python(labels)?;
        let pos_label = pos_label_from_python(pos_label)?;
        let columns = if brier && scores.columns() == 1 {
            Columns::Positive(pos_label)
        } else {
            labels.map_or(Columns::Found, Columns::Given)
        };
        let weights = weights.lend();
        gate::run(py, scores.rows() * scores.columns(), || {
            let sums = class_probability_sums(&lent, &scores, weights, columns, wanted)?;
            Ok(Self { sums, rows: scores.rows(), columns: scores.columns(), text })
        })
    }

    /// The weight of all rows.
    #[getter]
    fn weight(&self) -> f64 {
        self.sums.weight()
    }

    /// The number of columns that the probabilities came in.
    #[getter]
    fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the probabilities of every row add up to one, nearly.
    #[getter]
    fn sums_to_one(&self) -> bool {
        self.sums.sums_to_one()
    }

    /// Whether the labels are text.
    #[getter]
    fn text(&self) -> bool {
        self.text
    }

    /// The sum of the logarithmic losses.
    #[getter]
    fn total_log_loss(&self) -> f64 {
        self.sums.log_loss()
    }

    /// An index of the probabilities.
    fn value(&self, name: Named, halved: bool) -> PyResult<f64> {
        let Named(row) = name;
        Ok(of_class_probabilities(&self.sums, row.name, halved)?)
    }

    /// The skill score: 1 - loss / loss of always predicting the class frequencies.
    fn saved(&self, wanted: &Bound<'_, PyAny>) -> PyResult<f64> {
        let log_loss = argument::option(wanted, "wanted", &[("log_loss", true), ("brier", false)])?;
        Ok(if log_loss { self.sums.log_loss_saved() } else { self.sums.brier_saved() })
    }
}

/// The weight of the rows whose class is among the k first, the weight of all rows, the number of
/// classes, and whether the labels are text.
#[pyfunction]
pub(crate) fn top_k(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    k: usize,
    labels: Option<&Bound<'_, PyAny>>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> PyResult<(f64, f64, usize, bool)> {
    let y_true = Target::take(y_true)?;
    let y_score = HeldColumns::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let labels = labels_from_python(labels)?;
    let (lent, text) = (y_true.held.lend(), y_true.text);
    let (scores, weights) = (y_score.lend(), weights.lend());
    gate::run(py, scores.rows() * scores.columns(), || {
        let (sum, classes) = top_k_hits(&lent, &scores, weights, k, labels)?;
        Ok((sum.total(), sum.weight(), classes, text))
    })
}

/// The weighted sum of the hinge losses, the weight of all rows, and whether the labels are text.
#[pyfunction]
pub(crate) fn hinge(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    pred_decision: &Bound<'_, PyAny>,
    labels: Option<&Bound<'_, PyAny>>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> PyResult<(f64, f64, bool)> {
    let y_true = Target::take(y_true)?;
    let decisions = HeldColumns::take(pred_decision, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let labels = labels_from_python(labels)?;
    let (lent, text) = (y_true.held.lend(), y_true.text);
    let (scores, weights) = (decisions.lend(), weights.lend());
    gate::run(py, scores.rows() * scores.columns(), || {
        let sum = hinge_losses(&lent, &scores, weights, labels, false)?;
        Ok((sum.total(), sum.weight(), text))
    })
}

/// The share of positive rows and the mean probability in each bin that has rows; and whether the
/// labels are text.
#[pyfunction]
pub(crate) fn calibration_bins<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_prob: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    bins: usize,
    strategy: &Bound<'py, PyAny>,
) -> PyResult<(Array<'py>, Array<'py>, bool)> {
    if holds_objects(y_prob) {
        return Err(objects("y_prob").into());
    }
    let known = [("uniform", Edges::Uniform), ("quantile", Edges::Quantile)];
    let edges = argument::option(strategy, "strategy", &known)?;
    let y_true = Target::take(y_true)?;
    let y_prob = HeldColumns::take(y_prob, "y_score")?;
    let pos_label = pos_label_from_python(pos_label)?;
    let (lent, text) = (y_true.held.lend(), y_true.text);
    let scores = y_prob.lend();
    let bins = gate::run(py, scores.rows() * scores.columns(), || {
        calibration(&lent, &scores, pos_label.as_ref(), bins, edges)
    })?;
    let filled = || (0..bins.rows.len()).filter(|&bin| bins.rows[bin] > 0);
    let share = |bin: usize| bins.positives[bin] as f64 / bins.rows[bin] as f64;
    let mean = |bin: usize| bins.probability[bin] / bins.rows[bin] as f64;
    Ok((
        PyArray1::from_vec(py, filled().map(share).gather()),
        PyArray1::from_vec(py, filled().map(mean).gather()),
        text,
    ))
}
