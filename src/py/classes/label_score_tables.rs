//! The scores of several labels, of which a row may have any number, as Python holds them.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::base::error::Refusal;
use crate::classes::label_score_tables::LabelScoreTables;
use crate::classes::one_vs_rest::label_score_tables;
use crate::index::average::{average_curve, average_of_label_score_tables};

use crate::py::argument;
use crate::py::argument::Named;
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::scalar::{label_from_python, label_set_to_python};
use crate::py::border::{HeldWeights, label_set_from_python};
use crate::py::classes::score_tables::{Wanted, averaged, points_of, skips};
use crate::py::gate;
use crate::py::index::registry::{Answer, answer, parameters};
use crate::py::scores::score_table::ScoreState;

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// A ranking for each label.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct LabelScoreTablesState {
    tables: LabelScoreTables,
}

impl LabelScoreTablesState {
    /// About how many scores there are.
    fn size(&self) -> usize {
        usize::try_from(self.tables.rows())
            .unwrap_or(usize::MAX)
            .saturating_mul(self.tables.labels().len())
    }
}

#[pymethods]
impl LabelScoreTablesState {
    /// Ranks the rows of each label by its column.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let y_true = HeldMatrix::take(y_true, "y_true")?;
        let y_score = HeldMatrix::take(y_score, "y_score")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let labels = labels
            .map(|labels| label_set_from_python(labels, "labels"))
            .transpose()?;
        let (truth, scores) = (y_true.lend(), y_score.lend());
        let weights = weights.as_ref().map(HeldWeights::lend);
        gate::run(py, scores.rows() * scores.columns(), || {
            Ok(Self {
                tables: label_score_tables(&truth, &scores, labels, weights)?,
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

    /// The number, or weight, of the rows with each label.
    fn label_weights<'py>(&self, py: Python<'py>) -> Array<'py> {
        PyArray1::from_vec(py, self.tables.label_weights())
    }

    /// The table of one label.
    fn label(&self, label: &Bound<'_, PyAny>) -> PyResult<ScoreState> {
        let (wanted, _) = label_from_python(label, "label")?;
        match self.tables.labels().position(&wanted) {
            Some(place) => Ok(ScoreState::of(self.tables.tables()[place].clone())),
            None => Err(Refusal::argument("label", wanted, "one of the labels").into()),
        }
    }

    /// All labels as one table.
    fn pooled(&self, py: Python<'_>) -> PyResult<ScoreState> {
        gate::run(py, self.size(), || {
            Ok(ScoreState::of(self.tables.pooled()?))
        })
    }

    /// An index of each label.
    fn per_label<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Array<'py>> {
        let Named(row) = name;
        let parameters = parameters(row, Some(given))?;
        let values = gate::run(py, self.size(), || {
            let mut values = Vec::with_capacity(self.tables.tables().len());
            for table in self.tables.tables() {
                values.push(row.of_sweep(table, &parameters)?.number);
            }
            Ok(values)
        })?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// An index averaged over the labels, and why it is undefined.
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
        let (wanted, skip) = (Wanted::asked(average)?, skips(absent)?);
        gate::run(py, self.size(), || {
            average_of_label_score_tables(&self.tables, row, wanted.how(), skip, &parameters)
        })
        .map(answer)
    }

    /// The mean of the curves of the labels.
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
            let sizes = self.tables.label_weights();
            average_curve(
                self.tables.tables(),
                &sizes,
                rows,
                wanted.how(),
                skip,
                points,
            )
        })?;
        Ok(averaged(py, curve))
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
                tables: LabelScoreTables::from_bytes(data)?,
            })
        })
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LabelScoreTablesState>()
}
