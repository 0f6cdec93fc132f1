//! Sums of probabilities as Python holds them.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arith::weight_kind::WeightKind;
use crate::scores::calibration::losses::{probability_sums, probability_sums_with_squares};
use crate::scores::calibration::probability_sums::ProbabilitySums;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::argument;
use crate::py::border::scalar::{SomeLabel, pair_to_python};
use crate::py::border::{HeldLabels, HeldScores, HeldWeights, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, parameters};
use crate::py::{gate, memory};
use crate::statistic::Statistic;

impl ProbabilityState {
    pub(crate) fn sums(&self) -> &ProbabilitySums {
        &self.sums
    }
}

/// Sums over two-class probabilities.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct ProbabilityState {
    sums: ProbabilitySums,
}

#[pymethods]
impl ProbabilityState {
    /// Sums the terms of each row.
    #[staticmethod]
    fn sum(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        pos_label: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
        keeps_squares: bool,
    ) -> PyResult<Self> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let pos_label = pos_label_from_python(pos_label)?;
        let options = SweepOptions {
            pos_label,
            weight_kind: argument::weight_kind(weight_kind)?,
            part: true,
            ..SweepOptions::default()
        };
        let sum = if keeps_squares || options.weight_kind == WeightKind::Sampling {
            probability_sums_with_squares
        } else {
            probability_sums
        };
        let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
        gate::run(py, scores.len(), || Ok(Self { sums: sum(&labels, &scores, weights, &options)? }))
    }

    /// The negative and the positive label; None for one that no row has and that was not named.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
        let labels = self.sums.labels();
        pair_to_python(py, &labels.pair, labels.kind)
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.sums.rows()
    }

    /// What the weights mean.
    #[getter]
    fn weight_kind(&self) -> &'static str {
        self.sums.weight_kind().name()
    }

    /// Whether the squares of the losses are kept, for intervals.
    #[getter]
    fn keeps_squares(&self) -> bool {
        self.sums.keeps_squares()
    }

    /// An index of the probabilities, and why it is undefined.
    fn value(&self, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let Named(row) = name;
        Ok(answer(row.of_probabilities(&self.sums, &parameters(row, Some(given))?)?))
    }

    /// The sums of the rows of both.
    fn merged(&self, other: &Self) -> PyResult<Self> {
        Ok(Self { sums: self.sums.add(&other.sums)? })
    }

    /// The sums of the rows here that are not those of the other.
    fn subtracted(&self, other: &Self) -> PyResult<Self> {
        Ok(Self { sums: self.sums.subtract(&other.sums)? })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        memory::bytes(py, 0, || self.sums.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = argument::bytes(data)?;
        gate::keep(py, || Ok(Self { sums: ProbabilitySums::from_bytes(data)? }))
    }
}
