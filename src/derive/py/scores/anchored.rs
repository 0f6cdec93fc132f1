//! Counts around the scores of a rare class, for Python.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arith::weight_kind::WeightKind;
use crate::base::memory::Gather;
use crate::index;
use crate::scores::anchored::{AnchoredCounts, anchors};
use crate::scores::sweep::all_thresholds::score_table;

use crate::py::border::scalar::{SomeLabel, pair_to_python};
use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, asked};
use crate::py::scores::score_table::{ScoreState, rank_options};
use crate::py::{argument, gate, memory};
use crate::statistic::Statistic;

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

#[pymethods]
impl AnchoredState {
    /// Counts the rows of columns around anchors.
    #[staticmethod]
    fn count(
        py: Python<'_>,
        anchors: &ScoreState,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let mut options = rank_options(None, policy, infinite, WeightKind::Counts)?;
        options.pos_label = anchors.table().pos_label().cloned();
        let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
        gate::run(py, scores.len(), || {
            let table = score_table(&labels, &scores, weights, &options)?;
            let anchors = anchors.table().clone();
            Ok(Self { counts: AnchoredCounts::new(anchors, &table)? })
        })
    }

    /// The negative and the positive label; None for one that no row has.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
        let ranking = self.counts.ranking();
        pair_to_python(py, ranking.pair(), ranking.label_kind())
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.counts.ranking().rows()
    }

    /// The number, or weight, of positives and of negatives.
    #[getter]
    fn totals(&self) -> (f64, f64) {
        self.counts.ranking().totals()
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
        gate::run(py, self.counts.ranking().len(), || row.of_anchored(&self.counts, &parameters))
            .map(answer)
    }

    /// The names of the indices that [`Self::value`] answers.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        let known = index::all().filter(|row| row.is_of_anchored());
        known.map(|row| row.name).gather()
    }

    /// The counts of the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let rows = self.counts.ranking().len() + other.counts.ranking().len();
        gate::run(py, rows, || Ok(Self { counts: self.counts.add(&other.counts)? }))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        memory::bytes(py, self.counts.ranking().len(), || self.counts.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = argument::bytes(data)?;
        gate::run(py, data.len(), || Ok(Self { counts: AnchoredCounts::from_bytes(data)? }))
    }
}
