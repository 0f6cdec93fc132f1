//! The scores of several labels, any number of them a row, as Python holds them.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::classes::label_score_tables::{LabelScoreTables, label_score_tables};

use crate::py::argument;
use crate::py::border::labels_from_python;
use crate::py::border::matrix::HeldMatrix;
use crate::py::classes::column_tables::RankingsState;
use crate::py::error::PyResult;
use crate::py::rows::Rows;
use crate::py::statistic::{State, made, statistic};

/// A ranking for each label.
#[pyclass(frozen, extends = RankingsState, module = "rocksteady._rocksteady")]
pub(crate) struct LabelScoreTablesState {
    tables: Arc<LabelScoreTables>,
}

impl State for LabelScoreTablesState {
    type Of = LabelScoreTables;

    fn statistic(&self) -> &LabelScoreTables {
        &self.tables
    }

    fn of(tables: LabelScoreTables) -> Self {
        Self { tables: Arc::new(tables) }
    }

    fn object(self, py: Python<'_>) -> PyResult<Py<Self>> {
        RankingsState::under(py, self.tables.clone(), self)
    }
}

statistic!(LabelScoreTablesState: LabelScoreTables, own => own.tables; subtracted);

#[pymethods]
impl LabelScoreTablesState {
    /// Ranks the rows of each label by its column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        rows: Rows<HeldMatrix, HeldMatrix>,
        labels: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let labels = labels_from_python(labels)?;
        let weight_kind = argument::weight_kind(weight_kind)?;
        let (truth, scores, weights) = rows.lend();
        made(py, scores.rows() * scores.columns(), || {
            label_score_tables(&truth, &scores, labels, weights, weight_kind)
        })
    }
}
