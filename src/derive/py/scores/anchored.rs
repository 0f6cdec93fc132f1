//! Counts around the scores of a rare class, for Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::Gather;
use crate::index;
use crate::scores::anchored::{AnchoredCounts, anchors};
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answered, asked};
use crate::py::rows::{RankOptions, Rows};
use crate::py::scores::score_table::ScoreState;
use crate::py::statistic::{made, statistic};

/// The distinct scores of the positive rows of a table.
#[pyfunction]
pub(crate) fn score_anchors(py: Python<'_>, table: &ScoreState) -> PyResult<ScoreState> {
    gate::run(py, table.table().len(), || Ok(ScoreState::of(anchors(table.table())?)))
}

/// Counts around anchors.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct AnchoredState {
    counts: AnchoredCounts,
}

statistic!(AnchoredState: AnchoredCounts, counts => Self { counts }, own => &own.counts; own.counts.ranking() => pair rows totals);

#[pymethods]
impl AnchoredState {
    /// Counts the rows of columns around anchors.
    #[staticmethod]
    fn count(
        py: Python<'_>,
        anchors: &ScoreState,
        rows: Rows,
        options: RankOptions,
    ) -> PyResult<Py<Self>> {
        let pos_label = anchors.table().pos_label().cloned();
        let options = SweepOptions { pos_label, ..options.of_part() };
        let (labels, scores, weights) = rows.lend();
        made(py, scores.len(), || {
            let table = score_table(&labels, &scores, weights, &options)?;
            AnchoredCounts::new(anchors.table().clone(), &table)
        })
    }

    /// How many scores the counts are anchored at.
    #[getter]
    fn anchors(&self) -> usize {
        self.counts.anchors().len()
    }

    /// How many positive rows have not been met; None for weights.
    #[getter]
    fn missing(&self) -> Option<u64> {
        self.counts.missing()
    }

    /// An index of the ranking, and why it is undefined.
    fn value(&self, py: Python<'_>, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        answered(py, self.counts.ranking().len(), || row.of_anchored(&self.counts, &parameters))
    }

    /// The names of the indices that [`Self::value`] answers.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        let known = index::all().filter(|row| row.is_of_anchored());
        known.map(|row| row.name).gather()
    }
}
