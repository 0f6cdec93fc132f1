//! The scores of several classes as Python holds them.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::base::error::Refusal;
use crate::classes::one_vs_rest::score_tables;
use crate::classes::score_tables::ScoreTables;
use crate::index::average::{How, average_curve, average_of_score_tables};
use crate::scores::curves::vertical_average::AverageCurve;

use crate::py::argument;
use crate::py::argument::Named;
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::scalar::{label_from_python, label_set_to_python};
use crate::py::border::{HeldLabels, HeldWeights, label_set_from_python};
use crate::py::gate;
use crate::py::index::registry::{Answer, answer, parameters};
use crate::py::scores::score_table::ScoreState;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// How the rows of each class score in each column.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct ScoreTablesState {
    tables: ScoreTables,
}

/// How an average is taken, with the weights that were given.
pub(crate) enum Wanted {
    How(How<'static>),
    Weights(Vec<f64>),
}

impl Wanted {
    pub(crate) fn asked(average: &Bound<'_, PyAny>) -> PyResult<Self> {
        if average.is_instance_of::<PyString>() {
            let known = [
                ("macro", How::Macro),
                ("micro", How::Micro),
                ("weighted", How::Weighted),
            ];
            return Ok(Self::How(argument::option(average, "average", &known)?));
        }
        let array = average
            .py()
            .import("numpy")?
            .call_method1("asarray", (average, "float64"));
        let array: PyReadonlyArray1<'_, f64> =
            array.and_then(|array| Ok(array.extract()?)).map_err(|_| {
                let expected = "\"macro\", \"micro\", \"weighted\" or a weight for each class";
                argument::refused("average", average, expected)
            })?;
        Ok(Self::Weights(array.as_array().to_vec()))
    }

    pub(crate) fn how(&self) -> How<'_> {
        match self {
            Self::How(how) => *how,
            Self::Weights(weights) => How::Weights(weights),
        }
    }
}

/// What becomes of classes and labels for which an index is undefined: whether they are left out.
pub(crate) fn skips(absent: &Bound<'_, PyAny>) -> PyResult<bool> {
    argument::option(absent, "absent", &[("count", false), ("skip", true)])
}

/// An average curve: x, y, the lowest and the highest of the curves.
pub(crate) fn averaged(py: Python<'_>, curve: AverageCurve) -> [Array<'_>; 4] {
    [curve.x, curve.y, curve.lowest, curve.highest].map(|list| PyArray1::from_vec(py, list))
}

/// How many points are asked for.
pub(crate) fn points_of(points: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
    let read = |points: &Bound<'_, PyAny>| {
        points
            .extract()
            .map_err(|_| match points.extract::<i128>() {
                Ok(number) => Refusal::argument("points", number, "2 or more").into(),
                Err(_) => argument::refused("points", points, "an integer of 2 or more, or None"),
            })
    };
    points.map(read).transpose()
}

impl ScoreTablesState {
    /// The class of a label.
    fn class(&self, label: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<usize> {
        let (wanted, _) = label_from_python(label, argument)?;
        let found = self.tables.labels().position(&wanted);
        found.ok_or_else(|| Refusal::argument(argument, wanted, "one of the labels").into())
    }

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
        let class = self.class(label, "label")?;
        gate::run(py, self.size(), || {
            Ok(ScoreState::of(self.tables.against_rest()?[class].clone()))
        })
    }

    /// The table of one class's rows against those of another, by the first one's column.
    fn one_vs_one(
        &self,
        py: Python<'_>,
        label: &Bound<'_, PyAny>,
        other: &Bound<'_, PyAny>,
    ) -> PyResult<ScoreState> {
        let (class, against) = (self.class(label, "label")?, self.class(other, "other")?);
        if class == against {
            let found = self.tables.labels().values[class].clone();
            return Err(Refusal::argument("other", found, "another label than label").into());
        }
        gate::run(py, self.size(), || {
            Ok(ScoreState::of(self.tables.pair(class, against)?))
        })
    }

    /// All classes against their rest as one table.
    fn pooled(&self, py: Python<'_>) -> PyResult<ScoreState> {
        gate::run(py, self.size(), || {
            Ok(ScoreState::of(self.tables.pooled()?))
        })
    }

    /// The mean of the curves of the classes, each against the rest.
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
        let curve = gate::run(py, self.size(), || {
            let sizes = self.tables.class_weights();
            average_curve(
                self.tables.against_rest()?,
                &sizes,
                rows,
                wanted.how(),
                skip,
                points,
            )
        })?;
        Ok(averaged(py, curve))
    }

    /// Finds once what any index of a ranking wants of each class against the rest: for who asks for many of them.
    fn prepare(&self, py: Python<'_>) -> PyResult<()> {
        gate::run(py, self.size(), || self.tables.prepare())
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
        let skip = skips(absent)?;
        let wanted = Wanted::asked(average)?;
        let how = wanted.how();
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

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ScoreTablesState>()
}
