//! The score table and the collector as Python holds them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::index;
use crate::index::parameter::Parameters;
use crate::py::scores::cut::Cut;
use crate::scores::ranking::Ranking;
use crate::scores::ranking::ks::Ks;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::collector::ScoreCollector;
use crate::scores::sweep::counted_scores::{Given, table_of_masses};
use crate::scores::sweep::given_thresholds::reached;
use crate::scores::sweep::pooled::pooled;

use crate::py::argument;
use crate::py::border::scalar::{label_from_python, label_to_python, some_label};
use crate::py::border::{HeldScores, label_set_from_python, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, answered, asked, digits, parameters};
use crate::py::labels::confusion::vector;
use crate::py::labels::counts::columns;
use crate::py::memory::Array;
use crate::py::rows::{RankOptions, Rows};
use crate::py::statistic::{made, statistic};
use crate::py::{gate, memory};

/// The Kolmogorov–Smirnov distance, its threshold and its sign.
pub(crate) type KsParts = (f64, Cut, i64);

/// A column of numbers of rows.
type Totals<'py> = Bound<'py, PyArray1<u64>>;

/// NaN, NaN and 0 if a class is absent.
pub(crate) fn parts_of_ks(ks: Option<Ks>) -> KsParts {
    ks.map_or((f64::NAN, Cut::Float(f64::NAN), 0), |ks| {
        (ks.value, Cut::of((ks.threshold, ks.integer)), i64::from(ks.sign))
    })
}

/// A copy of a column of counts or weights.
enum Held {
    Counts(Vec<u64>),
    Weights(Vec<f64>),
}

impl Held {
    fn take(py: Python<'_>, column: &Bound<'_, PyAny>) -> PyResult<Self> {
        gate::keep(py, || match vector(column) {
            Ok(counts) => Ok(Self::Counts(counts)),
            Err(_) => Ok(Self::Weights(vector(column)?)),
        })
    }

    fn lend(&self) -> Given<'_> {
        match self {
            Self::Counts(counts) => Given::Counts(counts),
            Self::Weights(weights) => Given::Floats(weights),
        }
    }
}

/// A score table.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct ScoreState {
    ranking: Ranking,
}

impl ScoreState {
    pub(crate) fn of(ranking: impl Into<Ranking>) -> Self {
        Self { ranking: ranking.into() }
    }

    /// The table and its cached results, for other files.
    pub(crate) fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// The table, for other files.
    pub(crate) fn table(&self) -> &ScoreTable {
        self.ranking.table()
    }
}

statistic!(ScoreState: ScoreTable, table => Self { ranking: table.into() }, own => own.table(); own.ranking => subtracted pair rows totals weight_kind len);

#[pymethods]
impl ScoreState {
    /// Sweeps a column of scores against labels of two classes.
    #[staticmethod]
    fn sweep(py: Python<'_>, rows: Rows, options: RankOptions) -> PyResult<Py<Self>> {
        let (options, (labels, scores, weights)) = (options.of_part(), rows.lend());
        made(py, scores.len(), || score_table(&labels, &scores, weights, &options))
    }

    /// The table of scores that were counted elsewhere: of each class a column of counts (uint64)
    /// or of weights (float64).
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn from_counts(
        py: Python<'_>,
        scores: &Bound<'_, PyAny>,
        positives: &Bound<'_, PyAny>,
        negatives: &Bound<'_, PyAny>,
        labels: &Bound<'_, PyAny>,
        weighted: Option<bool>,
        options: RankOptions,
    ) -> PyResult<Py<Self>> {
        let scores = HeldScores::take(scores, "scores")?;
        let labels = label_set_from_python(labels, "labels")?;
        let (positives, negatives) = (Held::take(py, positives)?, Held::take(py, negatives)?);
        let scores = scores.lend();
        made(py, scores.len(), || {
            let masses = [positives.lend(), negatives.lend()];
            table_of_masses(&scores, masses, weighted, &labels, &options.0)
        })
    }

    /// The table with a sampling weight for each positive and one for each negative; None of
    /// weighted rows.
    fn weighed(&self, py: Python<'_>, weights: [f64; 2]) -> PyResult<Option<Self>> {
        let table = self.table();
        gate::run(py, table.len(), || Ok(table.weighed(weights).map(Self::of)))
    }

    /// Infinity and the distinct scores, high to low.
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        gate::keep(py, || {
            Ok({
                let mut thresholds = with_room(self.ranking.len() + 1);
                thresholds.grow(f64::INFINITY);
                thresholds
                    .grow_with((0..self.ranking.len()).map(|place| self.ranking.score(place)));
                PyArray1::from_vec(py, thresholds)
            })
        })
    }

    /// The same as numbers of Python, where doubles do not hold all of them.
    fn exact_thresholds(&self) -> Option<Vec<Cut>> {
        let table = self.ranking.table();
        let is_rounded = |place: usize| {
            table.integer(place).is_some_and(|integer| table.score(place) as i128 != integer)
        };
        let scores = 0..table.len();
        let is_exact = !table.kind().is_wide() || !scores.clone().any(is_rounded);
        (!is_exact).then(|| {
            let score = |place| Cut::of((table.score(place), table.integer(place)));
            std::iter::once(Cut::Float(f64::INFINITY)).chain(scores.map(score)).collect()
        })
    }

    /// tp, fp, fn, tn at each threshold.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Array<'py>>> {
        columns(py, self.ranking.len() + 1, self.ranking.every_counts())
    }

    /// The same of the squares of sampling weights, if they are such.
    fn counts_of_squares<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Array<'py>>>> {
        let squares = self.ranking.squares();
        squares.map(|squares| columns(py, squares.len() + 1, squares.every_counts())).transpose()
    }

    /// tp, fp, fn, tn at one threshold.
    fn at(
        &self,
        threshold: &Bound<'_, PyAny>,
        side: &Bound<'_, PyAny>,
    ) -> PyResult<(f64, f64, f64, f64)> {
        let side = argument::side(side)?;
        let threshold = Cut::read(threshold, "threshold")?;
        let counts = self.ranking.counts_of_first(reached(&self.ranking, threshold, side));
        Ok((counts.tp, counts.fp, counts.fn_, counts.tn))
    }

    /// Indices at each threshold: an array for each name, all with the same parameters.
    fn every<'py>(
        &self,
        py: Python<'py>,
        names: Vec<Named>,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Vec<Array<'py>>> {
        let wanted = names
            .iter()
            .map(|&Named(row)| Ok::<_, PyErr>((row, parameters(row, Some(given))?)))
            .gather_all()?;
        let len = self.ranking.len() + 1;
        memory::filled(py, wanted.len(), len, 1, |mut columns| {
            index::fill_each_of(&wanted, &mut columns, self.table())
        })
    }

    /// Whether rows have weights.
    #[getter]
    fn is_weighted(&self) -> bool {
        self.ranking.is_weighted()
    }

    /// Whether all scores lie in [0, 1].
    #[getter]
    fn are_probabilities(&self) -> bool {
        self.ranking.are_probabilities()
    }

    /// An index of the whole ranking, and why it is undefined.
    fn value(&self, py: Python<'_>, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        let work = self.ranking.len().saturating_mul(gate::INDEX);
        answered(py, work, || row.of_scores(&self.ranking, &parameters))
    }

    /// An index of the whole ranking as a fraction.
    fn exact(
        &self,
        py: Python<'_>,
        name: Named,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<(String, String)> {
        let (row, parameters) = asked(name, given)?;
        let work = self.ranking.len().saturating_mul(gate::INTERVAL);
        let found = gate::run(py, work, || {
            row.of_scores(&self.ranking, &parameters)?; // refuses what is no index of all thresholds
            row.fraction_of_scores(&self.ranking)
        })?;
        Ok(digits(&found))
    }

    /// Value, threshold and sign of the Kolmogorov–Smirnov statistic.
    fn ks(&self) -> KsParts {
        parts_of_ks(self.ranking.ks())
    }

    /// The weight of the rows with a label, and the average precision with that label as the
    /// positive one.
    fn average_precision(
        &self,
        py: Python<'_>,
        pos_label: &Bound<'_, PyAny>,
    ) -> PyResult<(f64, f64)> {
        let (wanted, _) = label_from_python(pos_label, "pos_label")?;
        let (positives, negatives) = self.ranking.totals();
        let pair = self.ranking.pair();
        if pair.positive.as_ref() == Some(&wanted) {
            let area = gate::run(py, self.ranking.len(), || Ok(self.ranking.average_precision()))?;
            Ok((positives, area.unwrap_or(0.0)))
        } else if pair.negative.as_ref() == Some(&wanted) {
            let area = gate::run(py, self.ranking.len(), || {
                Ok(Ranking::from(self.ranking.exchanged()).average_precision())
            })?;
            Ok((negatives, area.unwrap_or(0.0)))
        } else {
            Ok((0.0, 0.0))
        }
    }

    /// Where the scores of another table lie among the scores of this one; None of weighted rows.
    fn placements<'py>(&self, py: Python<'py>, other: &Self) -> PyResult<Option<Vec<Totals<'py>>>> {
        let work = self.ranking.len().saturating_add(other.ranking.len());
        let found = gate::run(py, work, || self.table().placements(other.table()))?;
        Ok(found.map(|columns| columns.map(|column| PyArray1::from_vec(py, column)).into()))
    }

    /// Twice the area under the ROC curve in pairs of rows, in hexadecimal digits.
    fn twice_area(&self, py: Python<'_>) -> PyResult<String> {
        let area = gate::run(py, self.ranking.len(), || Ok(self.ranking.twice_area()))?;
        Ok(format!("{area:x}"))
    }

    /// The table of the rows of all; None where it is better made by adding pairs.
    #[staticmethod]
    fn pooled(py: Python<'_>, parts: Vec<PyRef<'_, Self>>) -> PyResult<Option<Self>> {
        let tables: Vec<&ScoreTable> = parts.iter().map(|part| part.ranking.table()).gather();
        let rows = tables.iter().map(|table| table.len()).sum();
        gate::run(py, rows, || Ok(pooled(&tables)?.map(Self::of)))
    }
}

/// From this many indices on, one pass for all sums is faster than one for each.
const MANY: usize = 8;

/// From this many names on, areas and calibration are computed too.
const ALL: usize = 32;

/// Indices of the whole ranking by their defaults, and why they are undefined.
#[pyfunction]
pub(crate) fn score_values(
    py: Python<'_>,
    state: &ScoreState,
    names: Vec<Named>,
) -> PyResult<Vec<Answer>> {
    let ranking = state.ranking();
    gate::run(py, ranking.len(), || {
        if names.len() >= ALL {
            ranking.prepare();
        } else if names.len() >= MANY {
            ranking.prepare_sums();
        }
        let value = |&Named(row): &Named| {
            let value = row.of_scores(ranking, &Parameters::defaults(row))?;
            Ok(answer(value))
        };
        names.iter().map(value).collect::<Result<Vec<Answer>>>()
    })
}

/// A collector of scores, batch by batch; several threads may use it at once.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct CollectorState {
    /// Locked only where no Python code runs, so no thread waits for a lock while its owner waits
    /// for the interpreter.
    collector: Mutex<ScoreCollector>,
}

/// See [`CollectorState::so_far`].
type SoFar<'py> = (Option<Bound<'py, PyAny>>, usize, Option<bool>);

impl CollectorState {
    fn lock(&self) -> MutexGuard<'_, ScoreCollector> {
        // A refused or failed update leaves the collector as it was.
        self.collector.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl CollectorState {
    #[new]
    fn new(options: RankOptions) -> Self {
        Self { collector: Mutex::new(ScoreCollector::new(options.0)) }
    }

    /// The number of rows taken.
    #[getter]
    fn rows(&self) -> usize {
        self.lock().len()
    }

    /// What the weights mean.
    #[getter]
    fn weight_kind(&self) -> &'static str {
        self.lock().weight_kind().name()
    }

    /// The positive label so far, the number of positive rows, and whether rows have weights.
    fn so_far<'py>(&self, py: Python<'py>) -> PyResult<SoFar<'py>> {
        let collector = self.lock();
        let ((pair, kind, positives), weighted) = (collector.so_far(), collector.has_weights());
        drop(collector);
        Ok((some_label(py, pair.positive.as_ref(), kind)?, positives, weighted))
    }

    /// Takes one batch; refused, the state stays as it was.
    fn update(&self, py: Python<'_>, rows: Rows) -> PyResult<()> {
        let (labels, scores, weights) = rows.lend();
        if labels.is_empty() && scores.is_empty() && weights.is_none_or(|w| w.is_empty()) {
            return Ok(()); // nothing to count
        }
        gate::run(py, scores.len(), || self.lock().update(&labels, &scores, weights))
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

    /// The table of all rows taken; with a label, that one is positive.
    fn table(&self, py: Python<'_>, pos_label: Option<&Bound<'_, PyAny>>) -> PyResult<ScoreState> {
        let pos_label = pos_label_from_python(pos_label)?;
        gate::run(py, self.rows(), || {
            let collector = self.lock();
            let table = match &pos_label {
                None => collector.table()?,
                some => collector.table_of(some.as_ref())?,
            };
            Ok(ScoreState::of(table))
        })
    }
}
