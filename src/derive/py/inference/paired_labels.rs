//! Tables of pairs of models, for Python.
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::arith::weight_kind::WeightKind;
use crate::base::column::Column;
use crate::base::error::check_rows;
use crate::base::memory::CopyAll;
use crate::inference::same_rows::mcnemar::{self, Method};
use crate::inference::same_rows::paired_labels::{
    PairCells, cells_of, codes_of_labels, codes_of_scores, pair_table,
};
use crate::scores::sweep::given_thresholds::Threshold;

use crate::py::border::{HeldLabels, HeldScores, HeldWeights, label_set_from_python, nan_policy};
use crate::py::error::PyResult;
use crate::py::labels::confusion::ConfusionState;
use crate::py::memory::Array;
use crate::py::{argument, gate};

/// The class of each row as a number.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct CodesState {
    codes: Vec<u32>,
}

impl CodesState {
    pub(crate) fn codes(&self) -> &[u32] {
        &self.codes
    }
}

#[pymethods]
impl CodesState {
    /// Of labels among ascending classes.
    #[staticmethod]
    fn of_labels(
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        labels: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let classes = label_set_from_python(labels, "labels")?;
        let held = HeldLabels::take(column, "y_true")?;
        let column = held.lend();
        gate::run(py, column.len(), || {
            check_rows(&[("y_true", column.len())])?;
            let codes = codes_of_labels(&column, classes)?;
            Ok(Self { codes })
        })
    }

    /// The codes, as an array of uint32.
    fn each<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        gate::keep(py, || Ok(PyArray1::from_vec(py, self.codes.copy_all())))
    }

    /// Of scores, at or above a threshold or below it.
    #[staticmethod]
    fn of_scores(
        py: Python<'_>,
        column: &Bound<'_, PyAny>,
        threshold: &Bound<'_, PyAny>,
        codes: [u32; 2],
        policy: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let policy = nan_policy(policy, true)?;
        let threshold = match threshold.extract::<i128>() {
            Ok(integer) => Threshold::Integer(integer),
            Err(_) => Threshold::Float(argument::number(threshold, "threshold")?),
        };
        let held = HeldScores::take(column, "y_score")?;
        let column = held.lend();
        gate::run(py, column.len(), || {
            let codes = codes_of_scores(&column, threshold, codes, policy)?;
            Ok(Self { codes })
        })
    }
}

/// The table of pairs of two models, and if wanted the table of the squared weights.
#[pyfunction]
pub(crate) fn count_pairs(
    py: Python<'_>,
    actual: &CodesState,
    models: (Py<CodesState>, Py<CodesState>),
    classes: usize,
    sample_weight: Option<&Bound<'_, PyAny>>,
    with_squares: bool,
) -> PyResult<(ConfusionState, Option<ConfusionState>)> {
    let held = HeldWeights::take(sample_weight, "sample_weight")?;
    let weights = held.lend();
    let actual = &actual.codes[..];
    let models = [&models.0.get().codes[..], &models.1.get().codes[..]];
    gate::run(py, actual.len(), || {
        let table = pair_table(actual, models, classes, weights)?;
        let squares = match weights.filter(|_| with_squares) {
            None => None,
            Some(weights) => {
                let squares = WeightKind::Sampling.squares(Some(weights), "sample_weight")?;
                let squares = squares.as_deref().map(Column::from_slice);
                Some(pair_table(actual, models, classes, squares)?.into())
            }
        };
        Ok((table.into(), squares))
    })
}

/// Codes of the actual class and of the classes that each model predicts, masses, and squares.
type Columns<'py> = ([CodesState; 3], Array<'py>, Array<'py>);

/// The cells of a table of pairs.
#[pyfunction]
pub(crate) fn pair_cells<'py>(
    py: Python<'py>,
    table: &ConfusionState,
    squares: Option<&ConfusionState>,
    classes: usize,
) -> PyResult<Columns<'py>> {
    gate::keep(py, || {
        let cells = cells_of(table.matrix(), squares.map(ConfusionState::matrix), classes)?;
        let [masses, squares] =
            [cells.masses, cells.squares].map(|each| PyArray1::from_vec(py, each));
        Ok((cells.codes.map(|codes| CodesState { codes }), masses, squares))
    })
}

/// The rows that both models have right, only the first, only the second, and neither.
#[pyfunction]
pub(crate) fn pair_agreement(
    py: Python<'_>,
    table: &ConfusionState,
    classes: usize,
) -> PyResult<[f64; 4]> {
    gate::keep(py, || {
        let mut sums = [0.0; 4];
        let PairCells { codes: [actual, first, second], masses, .. } =
            cells_of(table.matrix(), None, classes)?;
        for (place, mass) in masses.into_iter().enumerate() {
            let is_wrong = |predicted: &[u32]| usize::from(predicted[place] != actual[place]);
            sums[is_wrong(&first) * 2 + is_wrong(&second)] += mass;
        }
        Ok(sums)
    })
}

const METHODS: [(&str, Method); 5] = [
    ("mid_p", Method::MidP),
    ("exact", Method::Exact),
    ("chi_squared", Method::ChiSquared),
    ("corrected", Method::Corrected),
    ("anytime", Method::Anytime),
];

/// Statistic and p-value of McNemar's test.
#[pyfunction]
pub(crate) fn mcnemar_test(
    first: f64,
    second: f64,
    method: &Bound<'_, PyAny>,
) -> PyResult<(f64, f64)> {
    let method = argument::option(method, "method", &METHODS)?;
    Ok(mcnemar::mcnemar(first, second, method))
}

/// Statistic, degrees of freedom and p-value of Cochran's test.
#[pyfunction]
pub(crate) fn cochran_test(right: Vec<f64>, both: Vec<f64>) -> (f64, usize, f64) {
    mcnemar::cochran(&right, &both)
}
