//! The score table and the collector as Python holds them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arith::weight_kind::WeightKind;
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
use crate::scores::sweep::rows::SweepOptions;

use crate::py::argument;
use crate::py::border::scalar::{
    SomeLabel, label_from_python, label_to_python, pair_to_python, some_label,
};
use crate::py::border::{
    HeldLabels, HeldScores, HeldWeights, label_set_from_python, nan_policy, pos_label_from_python,
};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, asked, digits, parameters};
use crate::py::labels::confusion::vector;
use crate::py::labels::counts::columns;
use crate::py::memory::Array;
use crate::py::{gate, memory};
use crate::statistic::Statistic;

/// How rows are read, from Python's options.
pub(crate) fn rank_options(
    pos_label: Option<&Bound<'_, PyAny>>,
    policy: &Bound<'_, PyAny>,
    infinite: &Bound<'_, PyAny>,
    weight_kind: WeightKind,
) -> PyResult<SweepOptions> {
    let infinite = argument::option(infinite, "infinite", &[("raise", false), ("allow", true)])?;
    let pos_label = pos_label_from_python(pos_label)?;
    Ok(SweepOptions {
        pos_label,
        nan_policy: nan_policy(policy, true)?,
        infinite,
        weight_kind,
        ..SweepOptions::default()
    })
}

/// The Kolmogorov–Smirnov distance, its threshold and its sign.
pub(crate) type KsParts = (f64, Cut, i64);

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

#[pymethods]
impl ScoreState {
    /// Sweeps a column of scores against labels of two classes.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        pos_label: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let weight_kind = argument::weight_kind(weight_kind)?;
        let options =
            SweepOptions { part: true, ..rank_options(pos_label, policy, infinite, weight_kind)? };
        let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
        gate::run(py, scores.len(), || {
            Ok(Self::of(score_table(&labels, &scores, weights, &options)?))
        })
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
        pos_label: Option<&Bound<'_, PyAny>>,
        weighted: Option<bool>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let scores = HeldScores::take(scores, "scores")?;
        let labels = label_set_from_python(labels, "labels")?;
        let options = rank_options(pos_label, policy, infinite, WeightKind::default())?;
        let (positives, negatives) = (Held::take(py, positives)?, Held::take(py, negatives)?);
        let scores = scores.lend();
        gate::run(py, scores.len(), || {
            let amounts = [positives.lend(), negatives.lend()];
            let table = table_of_masses(&scores, amounts, weighted, &labels, &options)?;
            Ok(Self::of(table))
        })
    }

    /// The negative and the positive label; None for one that no row has and that was not named.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
        pair_to_python(py, self.ranking.pair(), self.ranking.label_kind())
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.ranking.rows()
    }

    /// The number, or weight, of positives and of negatives.
    #[getter]
    fn totals(&self) -> (f64, f64) {
        self.ranking.totals()
    }

    /// What the weights mean.
    #[getter]
    fn weight_kind(&self) -> &'static str {
        self.ranking.weight_kind().name()
    }

    fn __len__(&self) -> usize {
        self.ranking.len()
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
    #[allow(clippy::needless_pass_by_value)] // what a pyfunction takes it owns
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
        memory::filled(py, wanted.len(), len, gate::INDEX, |mut columns| {
            index::fill_each_of(&wanted, &mut columns, self.table())
        })
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
        gate::run(py, work, || row.of_scores(&self.ranking, &parameters)).map(answer)
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

    /// The table of the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let rows = self.ranking.len() + other.ranking.len();
        gate::run(py, rows, || Ok(Self::of(self.ranking.add(&other.ranking)?)))
    }

    /// The table of the rows of all; None where it is better made by adding pairs.
    #[staticmethod]
    #[allow(clippy::needless_pass_by_value)] // what a method takes from Python it owns
    fn pooled(py: Python<'_>, parts: Vec<PyRef<'_, Self>>) -> PyResult<Option<Self>> {
        let tables: Vec<&ScoreTable> = parts.iter().map(|part| part.ranking.table()).gather();
        let rows = tables.iter().map(|table| table.len()).sum();
        gate::run(py, rows, || Ok(pooled(&tables)?.map(Self::of)))
    }

    /// The table of the rows here that are not those of the other.
    fn subtracted(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let rows = self.ranking.len() + other.ranking.len();
        gate::run(py, rows, || Ok(Self::of(self.ranking.subtract(&other.ranking)?)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        memory::bytes(py, self.ranking.len(), || self.ranking.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = argument::bytes(data)?;
        let rows = data.len() / 4;
        gate::run(py, rows, || Ok(Self::of(ScoreTable::from_bytes(data)?)))
    }
}

/// From this many indices on, one pass for all sums is faster than one for each.
const MANY: usize = 8;

/// From this many names on, areas and calibration are computed too.
const ALL: usize = 32;

/// Indices of the whole ranking by their defaults, and why they are undefined.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // what a pyfunction takes it owns
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
    fn new(
        pos_label: Option<&Bound<'_, PyAny>>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let options =
            rank_options(pos_label, policy, infinite, argument::weight_kind(weight_kind)?)?;
        Ok(Self { collector: Mutex::new(ScoreCollector::new(options)) })
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
    fn update(
        &self,
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
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
