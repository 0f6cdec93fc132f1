//! Rows beyond memory as Python holds them: the collector, and the statistic made of its rows.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::error::Result;
use crate::base::memory::Gather;
use crate::index;
use crate::labels::view::BinaryCounts;
use crate::scores::spill::{SpilledScores, SpillingCollector};

use crate::py::argument;
use crate::py::border::pos_label_from_python;
use crate::py::border::scalar::{SomeLabel, label_to_python, pair_to_python, some_label};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answered, asked};
use crate::py::rows::{RankOptions, Rows};
use crate::py::scores::score_table::{KsParts, ScoreState, parts_of_ks};
use crate::py::scores::thresholds::Given;
use crate::scores::sweep::given_thresholds::Threshold;

/// See [`SpillingState::so_far`].
type SoFar<'py> = (SomeLabel<'py>, u64, Option<bool>);

/// Enough rows that other threads get the interpreter, and that Ctrl-C is looked for.
const MANY: usize = 1 << 22;

/// A collector of scores within a given memory; several threads may use it at once.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct SpillingState {
    /// Locked only where no Python code runs.
    collector: Mutex<SpillingCollector>,
}

impl SpillingState {
    fn lock(&self) -> MutexGuard<'_, SpillingCollector> {
        // A refused or stopped call leaves the collector as it was.
        self.collector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SpillingState {
    #[new]
    fn new(options: RankOptions, memory: usize, directory: Option<PathBuf>) -> PyResult<Self> {
        let collector = SpillingCollector::new(options.0, memory, directory)?;
        Ok(Self { collector: Mutex::new(collector) })
    }

    /// The number of rows taken.
    #[getter]
    fn rows(&self) -> u64 {
        self.lock().len()
    }

    /// What the weights mean.
    #[getter]
    #[allow(clippy::unused_self)] // as of the collector in memory
    fn weight_kind(&self) -> &'static str {
        "counts"
    }

    /// The positive label so far, the number of positive rows, and whether rows have weights.
    fn so_far<'py>(&self, py: Python<'py>) -> PyResult<SoFar<'py>> {
        let collector = self.lock();
        let ((pair, kind, positives), weighted) = (collector.so_far(), collector.has_weights());
        drop(collector);
        Ok((some_label(py, pair.positive.as_ref(), kind)?, positives, weighted))
    }

    /// Takes one batch; refused, the state stays as it was.
    fn update(&self, py: Python<'_>, columns: Rows) -> PyResult<()> {
        let (labels, scores, weights) = columns.lend();
        if labels.is_empty() && scores.is_empty() && weights.is_none_or(|w| w.is_empty()) {
            return Ok(()); // nothing to count
        }
        // Where another thread holds the lock there is work for both.
        let rows = match self.collector.try_lock() {
            Ok(collector) => collector.rows_of_update(scores.len()),
            Err(_) => MANY,
        };
        gate::run(py, rows, || self.lock().update(&labels, &scores, weights))
    }

    /// The labels seen.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (pair, kind, _) = self.lock().so_far();
        [pair.negative, pair.positive]
            .iter()
            .flatten()
            .map(|label| label_to_python(py, label, kind))
            .collect()
    }

    /// The table of all rows taken, if none has spilled; with a label, that one is positive.
    fn table(&self, py: Python<'_>, pos_label: Option<&Bound<'_, PyAny>>) -> PyResult<ScoreState> {
        let pos_label = pos_label_from_python(pos_label)?;
        gate::run(py, MANY, || Ok(ScoreState::of(self.lock().table(pos_label.as_ref())?)))
    }

    /// What is known of all rows taken; with a label, that one is positive.
    fn view(&self, py: Python<'_>, pos_label: Option<&Bound<'_, PyAny>>) -> PyResult<SpilledState> {
        let pos_label = pos_label_from_python(pos_label)?;
        gate::run(py, MANY, || Ok(SpilledState { scores: self.lock().view(pos_label.as_ref())? }))
    }
}

/// What is known of rows beyond memory.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct SpilledState {
    scores: SpilledScores,
}

#[pymethods]
impl SpilledState {
    /// The negative and the positive label; None for one that no row has and that was not named.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
        pair_to_python(py, self.scores.pair(), self.scores.label_kind())
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.scores.rows()
    }

    /// The number, or weight, of positives and of negatives.
    #[getter]
    fn totals(&self) -> (f64, f64) {
        self.scores.totals()
    }

    /// Whether rows have weights.
    #[getter]
    fn is_weighted(&self) -> bool {
        self.scores.is_weighted()
    }

    /// The number of distinct scores.
    fn distinct(&self, py: Python<'_>) -> PyResult<usize> {
        gate::run(py, MANY, || self.scores.distinct())
    }

    /// Whether all scores lie in [0, 1].
    #[getter]
    fn are_probabilities(&self, py: Python<'_>) -> PyResult<bool> {
        gate::run(py, MANY, || Ok(self.scores.ranking()?.are_probabilities()))
    }

    /// An index of the whole ranking, and why it is undefined.
    fn value(&self, py: Python<'_>, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        answered(py, MANY, || row.of_spilled(&self.scores, &parameters))
    }

    /// The names of the indices that [`Self::value`] answers.
    fn names(&self) -> Vec<&'static str> {
        let is_weighted = self.scores.is_weighted();
        let known = index::all().filter(|row| row.is_of_spilled(is_weighted));
        known.map(|row| row.name).gather()
    }

    /// Value, threshold and sign of the Kolmogorov–Smirnov statistic.
    fn ks(&self, py: Python<'_>) -> PyResult<KsParts> {
        gate::run(py, MANY, || Ok(self.scores.ranking()?.ks())).map(parts_of_ks)
    }

    /// tp, fp, fn, tn at each of some thresholds.
    fn counts(
        &self,
        py: Python<'_>,
        thresholds: Given<'_>,
        side: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(f64, f64, f64, f64)>> {
        let side = argument::side(side)?;
        let thresholds = thresholds.read("threshold")?;
        let counts = gate::run(py, MANY, || {
            let at = |&threshold: &Threshold| self.scores.at(threshold, side);
            thresholds.iter().map(at).collect::<Result<Vec<BinaryCounts>>>()
        })?;
        let cells = |c: BinaryCounts| (c.tp, c.fp, c.fn_, c.tn);
        Ok(counts.into_iter().map(cells).gather())
    }
}
