//! Two-by-two tables as Python holds them (of classes against the rest, of labels, of rows), and
//! the indices over them.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arith::exact::{Weights, by_sign};
use crate::base::error::{Refusal, Result};
use crate::base::input::Label;
use crate::base::memory::{Gather, Room, with_room};
use crate::index;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::labels::indicator::{IndicatorCounts, indicator, indicator_rows};
use crate::labels::view::BinaryCounts;

use crate::py::argument;
use crate::py::border::indicator::HeldIndicator;
use crate::py::border::{HeldLabels, HeldWeights};
use crate::py::error::{PyResult, Raised};
use crate::py::gate;
use crate::py::index::named::Named;

/// A list of 2×2 tables.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct TablesState {
    tables: Vec<BinaryCounts>,
    /// For tables of rows: the number of rows, or the weight, that each table represents.
    shares: Option<Vec<f64>>,
    whole: bool,
    absent: bool,
}

impl TablesState {
    /// The tables. `whole` says that their amounts are of an integer dtype, `absent` that one of
    /// them is of a label that does not occur.
    pub(crate) fn new(tables: Vec<BinaryCounts>, whole: bool, absent: bool) -> Self {
        Self { tables, shares: None, whole, absent }
    }

    /// Tables of rows, each with the number of rows, or the weight, that it represents.
    pub(crate) fn of_rows(tables: Vec<BinaryCounts>, shares: Vec<f64>) -> Self {
        Self { shares: Some(shares), ..Self::new(tables, false, false) }
    }

    /// Amounts as an array of int64, or of float64 if they are not whole.
    fn array<'py>(&self, py: Python<'py>, amounts: impl Iterator<Item = f64>) -> Bound<'py, PyAny> {
        if self.whole {
            PyArray1::from_vec(py, amounts.map(|amount| amount as i64).gather()).into_any()
        } else {
            PyArray1::from_vec(py, amounts.gather()).into_any()
        }
    }
}

/// The weights of the tables in an average.
#[derive(Clone, Copy, PartialEq)]
enum Share {
    Alike,
    Pooled,
    Actual,
    Rows,
}

#[pymethods]
impl TablesState {
    /// The number of tables.
    fn __len__(&self) -> usize {
        self.tables.len()
    }

    /// Whether one of the tables is of a label that does not occur.
    #[getter]
    fn absent(&self) -> bool {
        self.absent
    }

    /// The values of several indices: for every table, or averaged; and as bits, which of them are
    /// undefined for a table.
    fn scores<'py>(
        &self,
        py: Python<'py>,
        names: &Bound<'py, PyTuple>,
        average: Option<&Bound<'py, PyAny>>,
        zero_division: f64,
        beta: f64,
    ) -> PyResult<(Bound<'py, PyTuple>, u32)> {
        if names.len() > u32::BITS as usize {
            let expected = "32 indices at most";
            return Err(Refusal::argument("names", names.len(), expected).into());
        }
        let known = [
            ("binary", Share::Alike),
            ("macro", Share::Alike),
            ("micro", Share::Pooled),
            ("weighted", Share::Actual),
            ("samples", Share::Rows),
        ];
        let share = average.map(|name| argument::option(name, "average", &known)).transpose()?;
        let mut undefined = 0;
        let mut answers = with_room(names.len());
        for (bit, name) in names.iter().enumerate() {
            let Named(row) = name.extract()?;
            let parameters = parameters(row, beta)?;
            let values = if share == Some(Share::Pooled) {
                vec![row.of_counts(&index::pooled(&self.tables), &parameters)?]
            } else {
                index::of_each(&self.tables, row, &parameters)?
            };
            if values.iter().any(|value| value.why.is_some()) {
                undefined |= 1 << bit;
            }
            answers.grow(match share {
                None => {
                    let numbers = values.iter().map(|value| match value.why {
                        Some(_) => zero_division,
                        None => value.number,
                    });
                    PyArray1::from_vec(py, numbers.gather()).into_any()
                }
                Some(share) => self.mean(&values, share, zero_division).into_bound_py_any(py)?,
            });
        }
        Ok((PyTuple::new(py, answers)?, undefined))
    }

    /// The actual positives of each table.
    fn support<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.array(py, self.tables.iter().map(|table| table.tp + table.fn_))
    }

    /// The tables as an array of shape (n, 2, 2): tn, fp; fn, tp.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        gate::keep(py, || {
            let cells = self.tables.iter().flat_map(|t| [t.tn, t.fp, t.fn_, t.tp]);
            let shape = [self.tables.len(), 2, 2];
            Ok(if self.whole {
                let cells = PyArray1::from_vec(py, cells.map(|amount| amount as i64).gather());
                cells.reshape(shape)?.into_any()
            } else {
                PyArray1::from_vec(py, cells.gather()).reshape(shape)?.into_any()
            })
        })
    }
}

impl TablesState {
    /// scikit-learn's mean: of the tables that have a value, by their shares, or alike where all of
    /// these have none.
    fn mean(&self, values: &[index::Value], share: Share, zero_division: f64) -> f64 {
        let actual: Vec<f64>;
        let shares = match share {
            Share::Alike | Share::Pooled => None,
            Share::Rows => self.shares.as_deref(),
            Share::Actual => {
                actual = self.tables.iter().map(|table| table.tp + table.fn_).gather();
                Some(actual.as_slice())
            }
        };
        let by_share = index::mean(index::numbers(values), shares, zero_division, true).number;
        if by_share.is_nan() && shares.is_some() {
            return index::mean(index::numbers(values), None, zero_division, true).number;
        }
        by_share
    }
}

/// The row's parameters, `beta` being what it is if the row has one.
fn parameters(row: &Index, beta: f64) -> Result<Parameters> {
    let named = row.parameters.iter().any(|parameter| parameter.name == "beta");
    if named && beta != 1.0 {
        return Parameters::new(row, &[("beta", beta)], None);
    }
    Ok(Parameters::defaults(row))
}

/// Two indicator matrices that have been counted: a row for each sample, a column for each label.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct IndicatorState {
    counts: IndicatorCounts,
    less: Option<Less>,
}

/// The amounts of the weights below zero, to be subtracted.
struct Less {
    counts: IndicatorCounts,
    /// Whether a row weighs nothing.
    weightless: bool,
}

impl IndicatorState {
    fn amounts(&self, read: impl Fn(&IndicatorCounts) -> BinaryCounts) -> BinaryCounts {
        let amounts = read(&self.counts);
        match &self.less {
            Some(less) => amounts.less(&read(&less.counts)),
            None => amounts,
        }
    }
}

/// The two matrices and the weights of a call, held.
struct Held {
    y_true: HeldIndicator,
    y_pred: HeldIndicator,
    weights: HeldWeights,
    chosen: Option<Vec<usize>>,
}

impl Held {
    fn take(
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let y_true = HeldIndicator::take(y_true, "y_true")?;
        let y_pred = HeldIndicator::take(y_pred, "y_pred")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let refused = |found: String| {
            let expected = "the places of columns, from 0";
            Refusal::argument("labels", found, expected)
        };
        let chosen = labels.map(|labels| {
            let listed = HeldLabels::take(labels, "labels")?.listed("labels")?;
            let places = listed.into_iter().map(|label| match label {
                Some(Label::Int(place)) => {
                    usize::try_from(place).map_err(|_| refused(place.to_string()))
                }
                Some(label) => Err(refused(label.to_string())),
                None => Err(refused("a fraction".to_owned())),
            });
            Ok::<_, Raised>(places.gather_all()?)
        });
        Ok(Self { y_true, y_pred, weights, chosen: chosen.transpose()? })
    }
}

#[pymethods]
impl IndicatorState {
    /// Counts two indicators; of the columns in `labels` only, if given.
    #[staticmethod]
    fn count(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let held = Held::take(y_true, y_pred, labels, sample_weight)?;
        let (y_true, y_pred) = (held.y_true.lend(), held.y_pred.lend());
        let weights = held.weights.lend();
        let (rows, columns) = y_true.shape();
        gate::run(py, rows.saturating_mul(columns), || {
            let counts = indicator(&y_true, &y_pred, weights, held.chosen.as_deref())?;
            Ok(Self { counts, less: None })
        })
    }

    /// [`Self::count`] with weights of either sign.
    #[staticmethod]
    fn count_signed(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let held = Held::take(y_true, y_pred, labels, Some(sample_weight))?;
        let (y_true, y_pred) = (held.y_true.lend(), held.y_pred.lend());
        let weights = held.weights.lend();
        let (rows, columns) = y_true.shape();
        gate::run(py, rows.saturating_mul(columns), || {
            let [more, less] = by_sign(weights.unwrap_or_else(|| Weights::from_slice(&[])));
            let count = |part: &[f64]| {
                let part = Some(Weights::from_slice(part));
                indicator(&y_true, &y_pred, part, held.chosen.as_deref())
            };
            let weightless = more.iter().zip(&less).any(|(more, less)| more == less);
            Ok(Self {
                counts: count(&more)?,
                less: Some(Less { counts: count(&less)?, weightless }),
            })
        })
    }

    /// The table of every row, in order, weighted by the row's weight.
    #[staticmethod]
    fn each_row(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TablesState> {
        let held = Held::take(y_true, y_pred, labels, sample_weight)?;
        let (y_true, y_pred) = (held.y_true.lend(), held.y_pred.lend());
        let weights = held.weights.lend();
        let whole = weights.is_none();
        let (rows, columns) = y_true.shape();
        gate::run(py, rows.saturating_mul(columns), || {
            let tables = indicator_rows(&y_true, &y_pred, weights, held.chosen.as_deref())?;
            Ok(TablesState::new(tables, whole, false))
        })
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> u64 {
        self.counts.rows()
    }

    /// The number of labels.
    #[getter]
    fn labels(&self) -> usize {
        self.counts.labels()
    }

    /// The number, or the weight, of the rows.
    #[getter]
    fn total(&self) -> f64 {
        let less = self.less.as_ref().map_or(0.0, |less| less.counts.total());
        self.counts.total() - less
    }

    /// The tables of the labels.
    fn by_label(&self) -> TablesState {
        let whole = !self.counts.is_weighted();
        let mut tables = self.counts.label_tables();
        if let Some(less) = &self.less {
            for (table, less) in tables.iter_mut().zip(less.counts.label_tables()) {
                *table = table.less(&less);
            }
        }
        TablesState::new(tables, whole, false)
    }

    /// The distinct tables of the rows, with their shares.
    fn by_row(&self) -> TablesState {
        let (mut tables, mut shares) = self.counts.row_tables();
        if let Some(less) = &self.less {
            let (others, taken) = less.counts.row_tables();
            tables.grow_with(others);
            shares.grow_with(taken.into_iter().map(|share| -share));
            // Each part has rows that weigh nothing in it, but in the other.
            let mut places = shares.clone().into_iter();
            tables.retain(|_| places.next() != Some(0.0));
            shares.retain(|&share| share != 0.0);
            if less.weightless {
                tables.grow(BinaryCounts::default());
                shares.grow(0.0);
            }
        }
        TablesState::of_rows(tables, shares)
    }

    /// Accuracy over the rows, the number or weight of the rows that are right in every label, and
    /// the error rate.
    fn rows_right(&self) -> PyResult<(f64, f64, f64)> {
        Ok(right(&self.amounts(IndicatorCounts::right_rows))?)
    }

    /// Accuracy over the cells, the number or weight of the right ones, and the error rate.
    fn cells_right(&self) -> PyResult<(f64, f64, f64)> {
        Ok(right(&self.amounts(IndicatorCounts::right_cells))?)
    }
}

/// Accuracy, the number or weight of right answers, error rate.
fn right(counts: &BinaryCounts) -> Result<(f64, f64, f64)> {
    let value = |row: &Index| row.of_counts(counts, &Parameters::defaults(row));
    let (accuracy, error_rate) = (index::find("accuracy")?, index::find("error_rate")?);
    Ok((value(accuracy)?.number, counts.tp, value(error_rate)?.number))
}
