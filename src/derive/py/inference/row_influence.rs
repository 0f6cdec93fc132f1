//! The influence of each row on an index, for Python.
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::{CopyAll, Gather};
use crate::index::average::How;
use crate::inference::effective::Reading;
use crate::inference::same_rows::row_influence::{Predicted, RowInfluence};

use crate::py::border::HeldWeights;
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::inference::paired_labels::CodesState;
use crate::py::labels::confusion::with_average;
use crate::py::memory::Array;
use crate::py::rows::{RankOptions, Rows};
use crate::py::{argument, gate};

/// The influence of each row on a value.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct InfluenceState {
    pub(crate) found: RowInfluence,
}

#[pymethods]
impl InfluenceState {
    /// Of scores of two classes.
    #[staticmethod]
    fn of_scores(py: Python<'_>, rows: Rows, options: RankOptions, name: Named) -> PyResult<Self> {
        let (labels, scores, weights) = rows.lend();
        gate::run(py, labels.len().saturating_mul(10), || {
            let found = name.0.influence_of_rows(&labels, &scores, weights, &options.0)?;
            Ok(Self { found })
        })
    }

    /// Of predicted classes: of the positive one, of all together or, if the index has no such value,
    /// a mean over them.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn of_codes(
        py: Python<'_>,
        actual: &CodesState,
        predicted: &CodesState,
        classes: usize,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
        name: Named,
        positive: Option<usize>,
        average: Option<&Bound<'_, PyAny>>,
        zero_division: f64,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let (row, parameters) = asked(name, given)?;
        let held = HeldWeights::take(sample_weight, "sample_weight")?;
        let rows = Predicted {
            actual: actual.codes(),
            predicted: predicted.codes(),
            classes,
            weights: held.lend(),
            weight_kind: argument::weight_kind(weight_kind)?,
        };
        let run = |reading: Reading<'_>| {
            gate::run(py, rows.actual.len(), || {
                Ok(Self { found: rows.influence(row, reading, &parameters)? })
            })
        };
        match (average, positive.filter(|_| row.counts.is_some())) {
            (Some(average), _) => {
                with_average(average, |how| run(Reading::Average(how, zero_division)))
            }
            (None, None) if row.matrix.is_none() => {
                run(Reading::Average(How::Macro, zero_division))
            }
            (None, positive) => run(Reading::Overall(positive)),
        }
    }

    /// Of the mean of a number of each row.
    #[staticmethod]
    fn of_mean(
        py: Python<'_>,
        values: PyReadonlyArray1<'_, f64>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let held = HeldWeights::take(sample_weight, "sample_weight")?;
        let weights = held.lend();
        let values = values.as_slice()?;
        gate::run(py, values.len(), || {
            Ok(Self { found: RowInfluence::of_mean(values.copy_all(), weights)? })
        })
    }

    /// Of a value that changes with others: each with the slope of the value over it.
    #[staticmethod]
    fn combined(
        py: Python<'_>,
        value: f64,
        parts: Vec<(Py<InfluenceState>, f64)>,
    ) -> PyResult<Self> {
        let parts: Vec<(&RowInfluence, f64)> =
            parts.iter().map(|(part, slope)| (&part.get().found, *slope)).gather();
        let rows = parts.first().map_or(0, |part| part.0.each.len());
        gate::run(py, rows.saturating_mul(parts.len()), || {
            Ok(Self { found: RowInfluence::combined(value, &parts)? })
        })
    }

    /// Of these rows among others, before and after them, which have none.
    fn among(&self, py: Python<'_>, before: usize, after: usize) -> PyResult<Self> {
        let rows = self.found.each.len().saturating_add(before).saturating_add(after);
        gate::run(py, rows, || Ok(Self { found: self.found.among(before, after) }))
    }

    /// Of rows of which each has `parts` rows here, one after the other.
    fn folded(&self, py: Python<'_>, parts: usize) -> PyResult<Self> {
        gate::run(py, self.found.each.len(), || Ok(Self { found: self.found.folded(parts) }))
    }

    #[getter]
    fn value(&self) -> f64 {
        self.found.value
    }

    #[getter]
    fn why(&self) -> Option<&'static str> {
        self.found.why
    }

    /// The influence of each row.
    fn each<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let each = gate::run(py, self.found.each.len(), || {
            Ok((0..self.found.each.len()).map(|row| self.found.of(row)).gather())
        })?;
        Ok(PyArray1::from_vec(py, each))
    }
}
