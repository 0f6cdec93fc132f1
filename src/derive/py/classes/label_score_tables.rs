//! The scores of several labels, of which a row may have any number, as Python holds them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::classes::label_score_tables::{LabelScoreTables, label_score_tables};

use crate::py::argument;
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::{HeldWeights, labels_from_python};
use crate::py::classes::column_tables::{RankingsState, size};
use crate::py::error::PyResult;
use crate::py::{gate, memory};
use crate::statistic::Statistic;

/// A ranking for each label.
#[pyclass(frozen, extends = RankingsState, module = "rocksteady._rocksteady")]
pub(crate) struct LabelScoreTablesState {
    tables: Arc<LabelScoreTables>,
}

impl LabelScoreTablesState {
    fn of(py: Python<'_>, tables: LabelScoreTables) -> PyResult<Py<Self>> {
        let tables = Arc::new(tables);
        RankingsState::under(py, tables.clone(), Self { tables })
    }
}

#[pymethods]
impl LabelScoreTablesState {
    /// Ranks the rows of each label by its column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let y_true = HeldMatrix::take(y_true, "y_true")?;
        let y_score = HeldMatrix::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let labels = labels_from_python(labels)?;
        let weight_kind = argument::weight_kind(weight_kind)?;
        let (truth, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
        let tables = gate::run(py, scores.rows() * scores.columns(), || {
            label_score_tables(&truth, &scores, labels, weights, weight_kind)
        })?;
        Self::of(py, tables)
    }

    /// The statistic of the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Py<Self>> {
        let rows = size(&*self.tables).saturating_add(size(&*other.tables));
        let tables = gate::run(py, rows, || self.tables.add(&other.tables))?;
        Self::of(py, tables)
    }

    /// The statistic of the rows here that are not those of the other.
    fn subtracted(&self, py: Python<'_>, other: &Self) -> PyResult<Py<Self>> {
        let rows = size(&*self.tables).saturating_add(size(&*other.tables));
        let tables = gate::run(py, rows, || self.tables.subtract(&other.tables))?;
        Self::of(py, tables)
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        memory::bytes(py, self.tables.size(), || self.tables.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let data = argument::bytes(data)?;
        let tables = gate::run(py, data.len() / 16, || LabelScoreTables::from_bytes(data))?;
        Self::of(py, tables)
    }
}
