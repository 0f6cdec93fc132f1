//! Sums of probabilities as Python holds them.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arith::weight_kind::WeightKind;
use crate::scores::calibration::losses::{probability_sums, probability_sums_with_squares};
use crate::scores::calibration::probability_sums::ProbabilitySums;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::argument;
use crate::py::border::pos_label_from_python;
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, parameters};
use crate::py::rows::Rows;
use crate::py::statistic::{made, statistic};

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

statistic!(ProbabilityState: ProbabilitySums, sums => Self { sums }, own => &own.sums; own.sums => subtracted pair rows weight_kind);

#[pymethods]
impl ProbabilityState {
    /// Sums the terms of each row.
    #[staticmethod]
    fn sum(
        py: Python<'_>,
        rows: Rows,
        pos_label: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
        keeps_squares: bool,
    ) -> PyResult<Py<Self>> {
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
        let (labels, scores, weights) = rows.lend();
        made(py, scores.len(), || sum(&labels, &scores, weights, &options))
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
}
