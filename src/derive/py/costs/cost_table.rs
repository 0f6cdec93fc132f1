//! The cost table as Python holds it.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::base::error::Refusal;
use crate::base::memory::{Gather, Room, with_room};
use crate::costs::OUTCOMES;
use crate::costs::cost_table::{Cost, CostTable};
use crate::costs::costs_of_rows::{self, Given, with_second};
use crate::index::best::reachable;
use crate::scores::score_table::Side;
use crate::scores::sweep::given_thresholds::reached;

use crate::py::argument;
use crate::py::border::{HeldLabels, HeldWeights, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, digits};
use crate::py::inference::interval::{Found, Wanted, ask, found};
use crate::py::labels::counts::columns;
use crate::py::memory::Array;
use crate::py::rows::{RankOptions, Rows};
use crate::py::scores::cut::Cut;
use crate::py::scores::score_table::ScoreState;
use crate::py::scores::thresholds::threshold_of;
use crate::py::statistic::{made, statistic};
use crate::py::{gate, memory};

/// A cheapest threshold: its cost, the threshold, and tp, fp, fn, tn.
type Optimum = (f64, Cut, (f64, f64, f64, f64));

/// The costs of the four outcomes, with the owners of their columns.
pub(crate) struct HeldCosts(Vec<Result<f64, HeldWeights>>);

impl HeldCosts {
    /// Reads four costs, each a float or a column.
    pub(crate) fn take(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut held = with_room(OUTCOMES.len());
        for (place, (_, argument)) in OUTCOMES.iter().enumerate() {
            let one = given.get_item(place)?;
            held.grow(match one.extract::<f64>() {
                Ok(cost) if cost.is_finite() => Ok(cost),
                Ok(cost) => {
                    return Err(Refusal::argument(argument, cost, "a finite number").into());
                }
                Err(_) => Err(HeldWeights::take(Some(&one), argument)?),
            });
        }
        Ok(Self(held))
    }

    /// Lends the costs.
    pub(crate) fn lend(&self) -> [Given<'_>; 4] {
        [0, 1, 2, 3].map(|place| match &self.0[place] {
            Ok(cost) => Given::Each(*cost),
            Err(held) => held.lend().map_or(Given::Each(0.0), Given::Rows),
        })
    }
}

/// A cost table. One of predicted labels, or of a single threshold, has the scores 1 and 0.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct CostState {
    table: CostTable,
}

impl CostState {
    /// How many distinct scores are predicted positive in a table of decisions.
    fn decided(&self) -> usize {
        self.table.table().reached(1.0, Side::GreaterEqual)
    }
}

statistic!(CostState: CostTable, table => Self { table }, own => &own.table; own.table.table() => subtracted pair rows totals len);

#[pymethods]
impl CostState {
    /// Sweeps a column of scores against labels of two classes, with costs.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        rows: Rows,
        costs: &Bound<'_, PyAny>,
        options: RankOptions,
        squares: bool,
    ) -> PyResult<Py<Self>> {
        let costs = HeldCosts::take(costs)?;
        let (options, given, (labels, scores, weights)) =
            (options.of_part(), costs.lend(), rows.lend());
        made(py, scores.len(), || {
            with_second(given, squares, |given| {
                costs_of_rows::cost_table(&labels, &scores, given, weights, &options)
            })
        })
    }

    /// Counts predicted labels, with costs.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // Python's
    fn count(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        costs: &Bound<'_, PyAny>,
        pos_label: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        squares: bool,
    ) -> PyResult<Py<Self>> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_pred = HeldLabels::take(y_pred, "y_pred")?;
        let costs = HeldCosts::take(costs)?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let pos_label = pos_label_from_python(pos_label)?;
        let (actual, predicted, weights) = (y_true.lend(), y_pred.lend(), weights.lend());
        let given = costs.lend();
        made(py, actual.len(), || {
            with_second(given, squares, |given| {
                costs_of_rows::cost_counts(&actual, &predicted, given, weights, pos_label.clone())
            })
        })
    }

    /// The ranking without its costs.
    fn ranking(&self, py: Python<'_>) -> PyResult<ScoreState> {
        gate::keep(py, || Ok(ScoreState::of(self.table.table().clone())))
    }

    /// What each outcome costs, None where each row has an amount of its own: tp, fp, fn, tn.
    fn costs(&self) -> [Option<f64>; 4] {
        self.table.costs().each_ref().map(|cost| match cost {
            Cost::Each(cost) => Some(*cost),
            Cost::Rows(_) => None,
        })
    }

    /// Infinity and the distinct scores, high to low.
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let table = self.table.table();
        gate::keep(py, || {
            let mut thresholds = with_room(table.len() + 1);
            thresholds.grow(f64::INFINITY);
            thresholds.grow_with((0..table.len()).map(|place| table.score(place)));
            Ok(PyArray1::from_vec(py, thresholds))
        })
    }

    /// tp, fp, fn, tn at each threshold.
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Vec<Array<'py>>> {
        let table = self.table.table();
        columns(py, table.len() + 1, table.every_counts())
    }

    /// An index of costs at each threshold.
    fn every<'py>(&self, py: Python<'py>, name: Named) -> PyResult<Array<'py>> {
        let Named(row) = name;
        memory::column(py, self.table.table().len(), || row.of_cost_table(&self.table))
    }

    /// The table of the decisions at one threshold.
    fn at(&self, threshold: &Bound<'_, PyAny>, side: &Bound<'_, PyAny>) -> PyResult<Self> {
        let side = argument::side(side)?;
        let threshold = Cut::read(threshold, "threshold")?;
        let predicted = reached(self.table.table(), threshold, side);
        Ok(Self { table: self.table.decided(predicted) })
    }

    /// The cheapest thresholds, low to high: all of them, or the lowest; and how many there are.
    fn cheapest(&self, py: Python<'_>, every: bool) -> PyResult<(Vec<Optimum>, usize)> {
        gate::run(py, self.table.table().len(), || {
            let table = self.table.table();
            let places = self.table.cheapest(reachable(table));
            let shown = if every { places.len() } else { 1 };
            let found = places.iter().rev().take(shown).map(|&predicted| {
                let counts = table.counts_of_first(predicted);
                let cost = self.table.view(predicted).cost.to_f64();
                let four = (counts.tp, counts.fp, counts.fn_, counts.tn);
                (cost, threshold_of(table, predicted), four)
            });
            Ok((found.gather(), places.len()))
        })
    }

    /// tp, fp, fn, tn of decisions.
    fn decided_counts(&self) -> (f64, f64, f64, f64) {
        let counts = self.table.counts(self.decided());
        (counts.tp, counts.fp, counts.fn_, counts.tn)
    }

    /// What the rows of each outcome cost in decisions.
    fn decided_costs(&self) -> [f64; 4] {
        let predicted = self.decided();
        [0, 1, 2, 3].map(|outcome| self.table.outcome_cost(outcome, predicted).to_f64())
    }

    /// What it costs to predict all rows positive, and none.
    #[getter]
    fn constant(&self) -> (f64, f64) {
        let view = self.table.view(0);
        (view.always.to_f64(), view.never.to_f64())
    }

    /// An index of costs of decisions, and why it is undefined.
    fn value(&self, name: Named) -> PyResult<Answer> {
        let Named(row) = name;
        Ok(answer(row.of_costs(&self.table.view(self.decided()))?))
    }

    /// The interval of an index of costs of decisions: level, method and side.
    fn interval(&self, py: Python<'_>, name: Named, wanted: Wanted<'_>) -> PyResult<Found> {
        let (Named(row), ask) = (name, ask(&wanted)?);
        gate::keep(py, || Ok(found(&row.interval_of_costs(&self.table, self.decided(), &ask)?)))
    }

    /// The same as a fraction.
    fn exact(&self, name: Named) -> PyResult<(String, String)> {
        let Named(row) = name;
        Ok(digits(&row.fraction_of_costs(&self.table.view(self.decided()))?))
    }
}
