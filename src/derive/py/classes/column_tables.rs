//! A ranking for each class or label as Python holds it: what the states of [`ScoreTables`] and
//! [`LabelScoreTables`] share.
//!
//! [`ScoreTables`]: crate::classes::score_tables::ScoreTables
//! [`LabelScoreTables`]: crate::classes::label_score_tables::LabelScoreTables

use std::sync::Arc;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::classes::column_tables::Rankings;
use crate::index::average::{How, average_curve, average_of_rankings};

use crate::py::argument;
use crate::py::border::scalar::{label_from_python, label_set_to_python};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answered, asked};
use crate::py::memory::{Array, arrays};
use crate::py::scores::score_table::ScoreState;

/// A ranking for each class or label.
#[pyclass(frozen, subclass, module = "rocksteady._rocksteady")]
pub(crate) struct RankingsState {
    tables: Arc<dyn Rankings>,
}

/// How an average is taken, with the weights that were given.
enum Wanted {
    How(How<'static>),
    Weights(Vec<f64>),
}

impl Wanted {
    fn asked(average: &Bound<'_, PyAny>) -> PyResult<Self> {
        if average.is_instance_of::<PyString>() {
            let known = [("macro", How::Macro), ("micro", How::Micro), ("weighted", How::Weighted)];
            return Ok(Self::How(argument::option(average, "average", &known)?));
        }
        let array = average.py().import("numpy")?.call_method1("asarray", (average, "float64"));
        let array: PyReadonlyArray1<'_, f64> =
            array.and_then(|array| Ok(array.extract()?)).map_err(|_| {
                let expected = "\"macro\", \"micro\", \"weighted\" or a weight for each class";
                argument::refused("average", average, expected)
            })?;
        Ok(Self::Weights(array.as_array().iter().copied().gather()))
    }

    fn how(&self) -> How<'_> {
        match self {
            Self::How(how) => *how,
            Self::Weights(weights) => How::Weights(weights),
        }
    }
}

/// Whether an average leaves out the classes and labels for which an index is undefined.
fn skips(absent: &Bound<'_, PyAny>) -> PyResult<bool> {
    argument::option(absent, "absent", &[("count", false), ("skip", true)])
}

/// The number of points of a curve, from an argument.
fn points_of(points: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let read = |points: &Bound<'_, PyAny>| {
        points.extract().map_err(|_| match points.extract::<i128>() {
            Ok(number) => Refusal::argument("points", number, "2 or more").into(),
            Err(_) => argument::refused("points", points, "an integer of 2 or more, or None"),
        })
    };
    points.map(read).transpose()
}

impl RankingsState {
    /// The tables, for other files.
    pub(crate) fn tables(&self) -> &dyn Rankings {
        &*self.tables
    }

    /// An object of the subclass `state`, with the tables in its base class too.
    pub(crate) fn under<S>(py: Python<'_>, tables: Arc<dyn Rankings>, state: S) -> PyResult<Py<S>>
    where
        S: PyClass<BaseType = Self>,
    {
        Ok(Py::new(py, PyClassInitializer::from(Self { tables }).add_subclass(state))?)
    }
}

/// The approximate number of scores.
pub(crate) fn size(tables: &dyn Rankings) -> usize {
    usize::try_from(tables.rows()).unwrap_or(usize::MAX).saturating_mul(tables.labels().len())
}

/// The column of a label.
pub(crate) fn column(
    tables: &dyn Rankings,
    label: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<usize> {
    let (wanted, _) = label_from_python(label, argument)?;
    let found = tables.labels().position(&wanted);
    found.ok_or_else(|| Refusal::argument(argument, wanted, "one of the labels").into())
}

#[pymethods]
impl RankingsState {
    /// The labels, in the order of the columns.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        label_set_to_python(py, self.tables.labels())
    }

    /// The number of rows counted.
    #[getter]
    fn rows(&self) -> u64 {
        self.tables.rows()
    }

    /// What the weights mean.
    #[getter]
    fn weight_kind(&self) -> &'static str {
        self.tables.weight_kind().name()
    }

    /// The number, or weight, of the rows of each class or label.
    fn sizes<'py>(&self, py: Python<'py>) -> Array<'py> {
        PyArray1::from_vec(py, self.tables.sizes())
    }

    /// The table of one class against the rest, or of one label.
    fn table(&self, py: Python<'_>, label: &Bound<'_, PyAny>) -> PyResult<ScoreState> {
        let tables = &*self.tables;
        let column = column(tables, label, "label")?;
        gate::run(py, size(tables), || Ok(ScoreState::of(tables.each()?[column].clone())))
    }

    /// All classes or labels as one table.
    fn pooled(&self, py: Python<'_>) -> PyResult<ScoreState> {
        let tables = &*self.tables;
        gate::run(py, size(tables), || Ok(ScoreState::of(tables.pooled()?)))
    }

    /// The mean of the curves of the classes or labels: x, y, the lowest and the highest of the
    /// curves.
    fn average_curve<'py>(
        &self,
        py: Python<'py>,
        x: Named,
        y: Named,
        average: &Bound<'py, PyAny>,
        absent: &Bound<'py, PyAny>,
        points: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<[Array<'py>; 4]> {
        let (wanted, skip) = (Wanted::asked(average)?, skips(absent)?);
        let (rows, points) = ([x.0, y.0], points_of(points)?);
        let tables = &*self.tables;
        let curve = gate::run(py, size(tables), || {
            average_curve(tables, rows, wanted.how(), skip, points)
        })?;
        Ok(arrays(py, [curve.x, curve.y, curve.lowest, curve.highest]))
    }

    /// An index of each class against the rest, or of each label.
    fn each<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Array<'py>> {
        let (row, parameters) = asked(name, given)?;
        let tables = &*self.tables;
        let values = gate::run(py, size(tables), || {
            let value = |table| Ok(row.of_scores(table, &parameters)?.number);
            tables.each()?.iter().map(value).gather_all()
        })?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// An index averaged over the classes or labels, and why it is undefined.
    fn average(
        &self,
        py: Python<'_>,
        name: Named,
        average: &Bound<'_, PyAny>,
        absent: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        let (wanted, skip) = (Wanted::asked(average)?, skips(absent)?);
        let tables = &*self.tables;
        answered(py, size(tables), || {
            average_of_rankings(tables, row, wanted.how(), skip, &parameters)
        })
    }
}
