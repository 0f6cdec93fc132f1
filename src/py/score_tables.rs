//! The scores of several classes as Python holds them.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::index::{How, average_of_score_tables};
use crate::kernel::one_vs_rest::score_tables;
use crate::stat::ScoreTables;

use super::argument::{self, Named};
use super::border::{
    HeldLabels, HeldMatrix, HeldWeights, label_from_python, label_set_from_python,
    label_set_to_python,
};
use super::gate;
use super::registry::{Answer, answer, parameters};
use super::score::ScoreState;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// How the rows of each class score in each column.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(super) struct ScoreTablesState {
    tables: ScoreTables,
}

impl ScoreTablesState {
    /// About how many scores there are.
    fn size(&self) -> usize {
        usize::try_from(self.tables.rows())
            .unwrap_or(usize::MAX)
            .saturating_mul(self.tables.classes())
    }
}

#[pymethods]
impl ScoreTablesState {
    /// Ranks each class's rows in each column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_proba: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_proba = HeldMatrix::take(y_proba, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let labels = labels
            .map(|labels| label_set_from_python(labels, "labels"))
            .transpose()?;
        let (lent, scores) = (y_true.lend(), y_proba.lend());
        let weights = weights.as_ref().map(HeldWeights::lend);
        gate::run(py, scores.rows() * scores.columns(), || {
            Ok(Self {
                tables: score_tables(&lent, labels, &scores, weights)?,
            })
        })
    }

    /// The labels, in the order of the columns.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label_set_to_python(py, self.tables.labels())
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.tables.rows()
    }

    /// The number, or weight, of the rows of each class.
    fn class_weights<'py>(&self, py: Python<'py>) -> Array<'py> {
        PyArray1::from_vec(py, self.tables.class_weights())
    }

    /// The table of one class against the rest.
    fn one_vs_rest(&self, py: Python<'_>, label: &Bound<'_, PyAny>) -> PyResult<ScoreState> {
        let (wanted, _) = label_from_python(label, "label")?;
        let Some(class) = self.tables.labels().position(&wanted) else {
            let expected = "one of the labels";
            return Err(crate::error::Refusal::argument("label", wanted, expected).into());
        };
        gate::run(py, self.size(), || {
            Ok(ScoreState::of(self.tables.against_rest()?[class].clone()))
        })
    }

    /// An index of all classes, and why it is undefined.
    fn value(&self, py: Python<'_>, name: Named, given: &Bound<'_, PyDict>) -> PyResult<Answer> {
        let Named(row) = name;
        let parameters = parameters(row, Some(given))?;
        gate::run(py, self.size(), || {
            row.of_score_tables(&self.tables, &parameters)
        })
        .map(answer)
    }

    /// An index of each class against the rest.
    fn per_class<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Array<'py>> {
        let Named(row) = name;
        let parameters = parameters(row, Some(given))?;
        let values = gate::run(py, self.size(), || {
            let mut values = Vec::with_capacity(self.tables.classes());
            for table in self.tables.against_rest()? {
                values.push(row.of_sweep(table, &parameters)?.number);
            }
            Ok(values)
        })?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// An index averaged over the classes, and why it is undefined.
    fn average(
        &self,
        py: Python<'_>,
        name: Named,
        average: &Bound<'_, PyAny>,
        absent: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Answer> {
        let Named(row) = name;
        let parameters = parameters(row, Some(given))?;
        let skip = argument::option(absent, "absent", &[("count", false), ("skip", true)])?;
        let weights: Vec<f64>;
        let how = if average.is_instance_of::<PyString>() {
            let known = [
                ("macro", How::Macro),
                ("micro", How::Micro),
                ("weighted", How::Weighted),
            ];
            argument::option(average, "average", &known)?
        } else {
            let array = py
                .import("numpy")?
                .call_method1("asarray", (average, "float64"));
            let array: PyReadonlyArray1<'_, f64> =
                array.and_then(|array| Ok(array.extract()?)).map_err(|_| {
                    let expected = "\"macro\", \"micro\", \"weighted\" or a weight for each class";
                    argument::refused("average", average, expected)
                })?;
            weights = array.as_array().to_vec();
            How::Weights(&weights)
        };
        gate::run(py, self.size(), || {
            average_of_score_tables(&self.tables, row, how, skip, &parameters)
        })
        .map(answer)
    }

    /// The statistic of the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        gate::run(py, self.size().saturating_add(other.size()), || {
            Ok(Self {
                tables: self.tables.add(&other.tables)?,
            })
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.tables.to_bytes())
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = argument::bytes(data)?;
        gate::run(py, data.len() / 16, || {
            Ok(Self {
                tables: ScoreTables::from_bytes(data)?,
            })
        })
    }
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ScoreTablesState>()
}
