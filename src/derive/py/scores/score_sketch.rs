//! The sketch of scores and its collector as Python holds them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arith::weight_kind::WeightKind;
use crate::base::error::Refusal;
use crate::base::input::{Label, LabelKind};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::collector::{SketchCollector, SketchOptions, score_sketch};
use crate::scores::sketch::counted_groups::sketch_of_groups;
use crate::scores::sketch::score_sketch::ScoreSketch;

use crate::py::argument;
use crate::py::border::scalar::{label_from_python, label_to_python};
use crate::py::border::{HeldScores, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::labels::confusion::vector;
use crate::py::memory::Array;
use crate::py::rows::{Rows, rank_options};
use crate::py::scores::score_table::ScoreState;
use crate::py::statistic::{made, statistic};

/// The two labels, as far as `labels` and `pos_label` give them.
fn labels_given(
    labels: Option<&Bound<'_, PyAny>>,
    pos_label: Option<&Bound<'_, PyAny>>,
) -> PyResult<BinaryLabels> {
    let positive = pos_label_from_python(pos_label)?;
    let mut kind = match pos_label {
        Some(object) if positive.is_some() => label_from_python(object, "pos_label")?.1,
        _ => LabelKind::Bool,
    };
    let mut found: [Option<Label>; 2] = [positive.clone(), None];
    if let Some(labels) = labels {
        let expected = "the two labels, the negative and the positive one";
        let refused = || argument::refused("labels", labels, expected);
        let both = labels.try_iter().ok().filter(|_| !labels.is_instance_of::<PyString>());
        let both = both.ok_or_else(refused)?;
        let mut count = 0;
        for label in both {
            let (label, of_kind) = label_from_python(&label?, "labels")?;
            kind = if count == 0 { of_kind } else { kind.max(of_kind) };
            count += 1;
            if found.contains(&Some(label.clone())) {
                continue;
            }
            let Some(free) = found.iter_mut().find(|place| place.is_none()) else {
                return Err(refused());
            };
            *free = Some(label);
        }
        if count != 2 || found.contains(&None) {
            return Err(refused());
        }
    }
    Ok(BinaryLabels { pair: Pair::of(found, positive.as_ref()), pos_label: positive, kind })
}

/// How a sketch is made, from Python's options.
#[allow(clippy::too_many_arguments)]
fn options(
    pos_label: Option<&Bound<'_, PyAny>>,
    labels: Option<&Bound<'_, PyAny>>,
    cells: &Bound<'_, PyAny>,
    thresholds: Vec<f64>,
    policy: &Bound<'_, PyAny>,
    infinite: &Bound<'_, PyAny>,
) -> PyResult<SketchOptions> {
    let refused = |_| argument::refused("cells", cells, "a whole number");
    Ok(SketchOptions {
        sweep: rank_options(pos_label, policy, infinite, WeightKind::Counts)?,
        labels: labels_given(labels, pos_label)?,
        cells: cells.extract().map_err(refused)?,
        thresholds,
    })
}

/// tp, fp, fn, tn.
type Cells = (f64, f64, f64, f64);

fn cells_of(counts: BinaryCounts) -> Cells {
    (counts.tp, counts.fp, counts.fn_, counts.tn)
}

/// A sketch of scores.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct SketchState {
    known: Arrangements,
}

impl SketchState {
    pub(crate) fn known(&self) -> &Arrangements {
        &self.known
    }

    pub(crate) fn sketch(&self) -> &ScoreSketch {
        self.known.sketch()
    }
}

statistic!(SketchState: ScoreSketch, sketch => Self { known: sketch.into() }, own => own.sketch(); own.sketch() => pair rows totals len);

#[pymethods]
impl SketchState {
    /// The sketch of columns.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn sweep(
        py: Python<'_>,
        rows: Rows,
        pos_label: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyAny>>,
        cells: &Bound<'_, PyAny>,
        thresholds: Vec<f64>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let options = options(pos_label, labels, cells, thresholds, policy, infinite)?;
        let (labels, scores, weights) = rows.lend();
        made(py, scores.len().saturating_mul(gate::INTERVAL), || {
            score_sketch(&labels, &scores, weights, &options)
        })
    }

    /// The sketch of groups of rows that were counted elsewhere: the least and the greatest score
    /// of each, and its rows of each class (uint64).
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn from_counts(
        py: Python<'_>,
        least: &Bound<'_, PyAny>,
        greatest: &Bound<'_, PyAny>,
        positives: &Bound<'_, PyAny>,
        negatives: &Bound<'_, PyAny>,
        pos_label: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyAny>>,
        cells: &Bound<'_, PyAny>,
        thresholds: Vec<f64>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let least = HeldScores::take(least, "least")?;
        let greatest = HeldScores::take(greatest, "greatest")?;
        let counts = gate::keep(py, || Ok([vector::<u64>(positives)?, vector::<u64>(negatives)?]))?;
        let options = options(pos_label, labels, cells, thresholds, policy, infinite)?;
        let (least, greatest) = (least.lend(), greatest.lend());
        made(py, least.len(), || {
            let counts = [counts[0].as_slice(), counts[1].as_slice()];
            sketch_of_groups(&least, &greatest, counts, options)
        })
    }

    /// The most cells; None without rows.
    #[getter]
    fn budget(&self) -> Option<u64> {
        self.sketch().budget()
    }

    #[getter]
    fn level(&self) -> u16 {
        self.sketch().level()
    }

    #[getter]
    fn is_weighted(&self) -> bool {
        self.sketch().is_weighted()
    }

    #[getter]
    fn is_exact(&self) -> bool {
        self.sketch().is_exact()
    }

    /// The thresholds whose counts are exact, ascending.
    fn thresholds(&self) -> Vec<f64> {
        self.sketch().thresholds()
    }

    /// The least score that each cell can hold, from the highest cell down.
    fn least_scores<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        gate::keep(py, || Ok(PyArray1::from_vec(py, self.sketch().least_scores())))
    }

    /// Whether all rows of a cell have one score, from the highest cell down.
    fn atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        gate::keep(py, || Ok(PyArray1::from_vec(py, self.sketch().atoms())))
    }

    /// The score table, if every cell is an atom.
    fn table(&self, py: Python<'_>) -> PyResult<Option<ScoreState>> {
        gate::run(py, self.sketch().len(), || Ok(self.sketch().table().map(ScoreState::of)))
    }

    /// tp, fp, fn, tn at a threshold, with the fewest and with the most rows predicted positive.
    fn at(
        &self,
        threshold: &Bound<'_, PyAny>,
        side: &Bound<'_, PyAny>,
    ) -> PyResult<(Cells, Cells)> {
        let threshold = argument::number(threshold, "threshold")?;
        if threshold.is_nan() {
            return Err(Refusal::argument("threshold", "nan", "a number").into());
        }
        let found = self.sketch().at(threshold, argument::side(side)?);
        Ok((cells_of(found.low), cells_of(found.high)))
    }

    /// The bounds of an index of the whole ranking, its value where it is known, and why there are
    /// none or it is undefined.
    fn bounds(
        &self,
        py: Python<'_>,
        name: Named,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<(f64, f64, Option<f64>, Option<&'static str>)> {
        let (row, parameters) = asked(name, given)?;
        let work = self.sketch().len().saturating_mul(gate::INDEX);
        gate::run(py, work, || row.of_sketch(&self.known, &parameters))
            .map(|known| (known.low, known.high, known.value, known.why))
    }
}

/// A collector of a sketch, batch by batch; several threads may use it at once.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct SketchCollectorState {
    /// Locked only where no Python code runs, so no thread waits for a lock while its owner waits
    /// for the interpreter.
    collector: Mutex<SketchCollector>,
}

impl SketchCollectorState {
    fn lock(&self) -> MutexGuard<'_, SketchCollector> {
        // A refused or failed update leaves the collector as it was.
        self.collector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SketchCollectorState {
    #[new]
    fn new(
        pos_label: Option<&Bound<'_, PyAny>>,
        labels: Option<&Bound<'_, PyAny>>,
        cells: &Bound<'_, PyAny>,
        thresholds: Vec<f64>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let options = options(pos_label, labels, cells, thresholds, policy, infinite)?;
        Ok(Self { collector: Mutex::new(SketchCollector::new(options)?) })
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.lock().rows()
    }

    /// Takes one batch; refused, the state stays as it was. `positive` is the label that the type
    /// of the batch says is positive.
    fn update(
        &self,
        py: Python<'_>,
        rows: Rows,
        positive: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let positive = positive.map(|label| label_from_python(label, "y_true")).transpose()?;
        let (labels, scores, weights) = rows.lend();
        if labels.is_empty() && scores.is_empty() && weights.is_none_or(|w| w.is_empty()) {
            return Ok(()); // nothing to count
        }
        gate::run(py, scores.len().saturating_mul(gate::INTERVAL), || {
            let mut collector = self.lock();
            match &positive {
                None => collector.update(&labels, &scores, weights),
                Some(positive) => collector.update_in_order(positive, &labels, &scores, weights),
            }
        })
    }

    /// The labels seen.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let labels = self.lock().labels().clone();
        [labels.pair.negative, labels.pair.positive]
            .iter()
            .flatten()
            .map(|label| label_to_python(py, label, labels.kind))
            .collect()
    }

    /// The sketch of all rows taken; with a label, that one is positive.
    fn sketch(
        &self,
        py: Python<'_>,
        pos_label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<SketchState>> {
        let pos_label = pos_label_from_python(pos_label)?;
        made(py, 1 << 17, || {
            let sketch = self.lock().sketch();
            match pos_label {
                None => Ok(sketch),
                Some(label) => sketch.with_positive(label),
            }
        })
    }
}
