//! The scores of several classes as Python holds them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::base::error::Refusal;
use crate::classes::column_tables::Rankings;
use crate::classes::score_tables::{ScoreTables, score_tables};

use crate::py::argument;
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::{HeldLabels, HeldWeights, labels_from_python};
use crate::py::classes::column_tables::{RankingsState, column, size};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, asked};
use crate::py::scores::score_table::ScoreState;
use crate::py::{gate, memory};
use crate::statistic::Statistic;

/// How the rows of each class score in each column.
#[pyclass(frozen, extends = RankingsState, module = "rocksteady._rocksteady")]
pub(crate) struct ScoreTablesState {
    tables: Arc<ScoreTables>,
}

impl ScoreTablesState {
    /// The tables, for other files.
    pub(crate) fn tables(&self) -> &ScoreTables {
        &self.tables
    }

    fn of(py: Python<'_>, tables: ScoreTables) -> PyResult<Py<Self>> {
        let tables = Arc::new(tables);
        RankingsState::under(py, tables.clone(), Self { tables })
    }
}

#[pymethods]
impl ScoreTablesState {
    /// Ranks each class's rows in each column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_proba: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_proba = HeldMatrix::take(y_proba, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let labels = labels_from_python(labels)?;
        let weight_kind = argument::weight_kind(weight_kind)?;
        let (lent, scores, weights) = (y_true.lend(), y_proba.lend(), weights.lend());
        let tables = gate::run(py, scores.rows() * scores.columns(), || {
            score_tables(&lent, labels, &scores, weights, weight_kind)
        })?;
        Self::of(py, tables)
    }

    /// The table of one class's rows against those of another, by the first one's column.
    fn one_vs_one(
        &self,
        py: Python<'_>,
        label: &Bound<'_, PyAny>,
        other: &Bound<'_, PyAny>,
    ) -> PyResult<ScoreState> {
        let tables = &*self.tables;
        let (class, against) = (column(tables, label, "label")?, column(tables, other, "other")?);
        if class == against {
            let found = tables.labels().values[class].clone();
            return Err(Refusal::argument("other", found, "another label than label").into());
        }
        gate::run(py, size(tables), || Ok(ScoreState::of(tables.pair(class, against)?)))
    }

    /// The table of the most probable class of each row: its score against whether it came true.
    fn top_label(&self, py: Python<'_>) -> PyResult<Option<ScoreState>> {
        let top = self.tables.top_label();
        gate::run(py, size(&*self.tables), || Ok(top.map(|top| ScoreState::of(top.clone()))))
    }

    /// Finds once, for each class against the rest, what any index of a ranking needs, and keeps
    /// it.
    fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        gate::run(py, size(&*self.tables), || self.tables.prepare())
    }

    /// An index of all classes, and why it is undefined.
    fn value(&self, py: Python<'_>, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        gate::run(py, size(&*self.tables), || row.of_score_tables(&self.tables, &parameters))
            .map(answer)
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
        let tables = gate::run(py, data.len() / 16, || ScoreTables::from_bytes(data))?;
        Self::of(py, tables)
    }
}
