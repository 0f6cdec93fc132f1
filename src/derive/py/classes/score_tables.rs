//! The scores of several classes as Python holds them.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::error::Refusal;
use crate::classes::column_tables::Rankings;
use crate::classes::score_tables::{ScoreTables, score_tables};

use crate::py::argument;
use crate::py::border::labels_from_python;
use crate::py::border::matrix::HeldMatrix;
use crate::py::classes::column_tables::{RankingsState, column, size};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answered, asked};
use crate::py::rows::Rows;
use crate::py::scores::score_table::ScoreState;
use crate::py::statistic::{State, made, statistic};

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
}

impl State for ScoreTablesState {
    type Of = ScoreTables;

    fn statistic(&self) -> &ScoreTables {
        &self.tables
    }

    fn of(tables: ScoreTables) -> Self {
        Self { tables: Arc::new(tables) }
    }

    fn object(self, py: Python<'_>) -> PyResult<Py<Self>> {
        RankingsState::under(py, self.tables.clone(), self)
    }
}

statistic!(ScoreTablesState: ScoreTables, own => own.tables; subtracted);

#[pymethods]
impl ScoreTablesState {
    /// Ranks each class's rows in each column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        rows: Rows<HeldMatrix>,
        labels: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let labels = labels_from_python(labels)?;
        let weight_kind = argument::weight_kind(weight_kind)?;
        let (lent, scores, weights) = rows.lend();
        made(py, scores.rows() * scores.columns(), || {
            score_tables(&lent, labels, &scores, weights, weight_kind)
        })
    }

    /// The rows of one class against the rows of another, by the scores for the first.
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
        answered(py, size(&*self.tables), || row.of_score_tables(&self.tables, &parameters))
    }
}
