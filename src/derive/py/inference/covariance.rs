//! Values of several models on the same rows and how they vary together, for Python.
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::base::column::Column;
use crate::base::error::Refusal;
use crate::base::memory::{CopyAll, Gather};
use crate::inference::same_rows::adjust::{Adjust, adjusted};
use crate::inference::same_rows::covariance::{Covariances, Design};
use crate::inference::same_rows::row_influence::RowInfluence;

use crate::py::argument::Text;
use crate::py::border::HeldWeights;
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::inference::interval::{Found, Told, Wanted, ask, found, told};
use crate::py::inference::row_influence::InfluenceState;
use crate::py::row_keys::keys::GroupedState;
use crate::py::{argument, gate};

/// Values and how they vary together.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct CovarianceState {
    found: Covariances,
}

impl From<Covariances> for CovarianceState {
    fn from(found: Covariances) -> Self {
        Self { found }
    }
}

impl CovarianceState {
    fn check(&self, models: &[usize]) -> PyResult<()> {
        if models.iter().all(|&model| model < self.found.len()) {
            return Ok(());
        }
        let expected = format!("places below {}", self.found.len());
        Err(Refusal::argument("model", format!("{models:?}"), expected).into())
    }
}

/// Values, variances of values and of differences, sizes, degrees of freedom, why there are none,
/// what speaks against them, and how many units tell how each value scatters.
type Parts = (
    Vec<f64>,
    Vec<f64>,
    [f64; 2],
    Option<f64>,
    Option<&'static str>,
    Option<&'static str>,
    Vec<f64>,
);

#[pymethods]
impl CovarianceState {
    /// What `parts` gave.
    #[staticmethod]
    fn of(
        values: Vec<f64>,
        variances: Vec<f64>,
        sizes: [f64; 2],
        freedom: Option<f64>,
        why: Option<Text>,
        note: Option<Text>,
        telling: Vec<f64>,
    ) -> PyResult<Self> {
        let words = [why.as_deref(), note.as_deref()];
        match Covariances::from_parts(values, variances, sizes, freedom, words, telling) {
            Some(found) => Ok(found.into()),
            None => Err(Refusal::argument("variances", "others", "those of as many values").into()),
        }
    }

    /// The values of models with the influence of each row.
    #[staticmethod]
    fn of_influences(
        py: Python<'_>,
        models: Vec<Py<InfluenceState>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
        cluster: Option<&GroupedState>,
        strata: Option<&GroupedState>,
        squares: Option<(PyReadonlyArray1<'_, f64>, f64)>,
    ) -> PyResult<Self> {
        let held = HeldWeights::take(sample_weight, "sample_weight")?;
        let design = Design {
            weights: held.lend(),
            weight_kind: argument::weight_kind(weight_kind)?,
            squares: match &squares {
                Some((each, rows)) => Some((Column::from_slice(each.as_slice()?), *rows)),
                None => None,
            },
            clusters: cluster.map(GroupedState::numbered),
            strata: strata.map(GroupedState::numbered),
        };
        let models: Vec<&RowInfluence> = models.iter().map(|model| &model.get().found).gather();
        let rows = models.first().map_or(0, |model| model.each.len());
        gate::run(py, rows.saturating_mul(models.len() * models.len()), || {
            Ok(Covariances::of_influences(&models, &design)?.into())
        })
    }

    fn parts(&self) -> Parts {
        let Covariances { values, variances, sizes, freedom, why, note, telling } = &self.found;
        let (values, variances) = (values.copy_all(), variances.copy_all());
        (values, variances, *sizes, *freedom, *why, *note, telling.copy_all())
    }

    /// What speaks against a test of some models at once.
    fn note_of(&self, models: Vec<usize>) -> PyResult<Option<&'static str>> {
        self.check(&models)?;
        Ok(self.found.note_of(models.into_iter()))
    }

    /// The same of `factor` times the values plus `shift`.
    fn scaled(&self, factor: f64, shift: f64) -> Self {
        self.found.scaled(factor, shift).into()
    }

    /// The covariance of the values.
    fn covariance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let models = self.found.len();
        let cells = (0..models * models)
            .map(|cell| self.found.covariance(cell / models, cell % models))
            .gather();
        Ok(PyArray1::from_vec(py, cells).reshape([models; 2])?.into_any())
    }

    /// The interval of one value, and why there are no variances.
    fn interval(
        &self,
        name: Named,
        model: usize,
        wanted: Wanted<'_>,
    ) -> PyResult<(Found, Option<&'static str>)> {
        self.check(&[model])?;
        let interval = self.found.interval(name.0, model, &ask(&wanted)?)?;
        Ok((found(&interval), self.found.why))
    }

    /// The difference of two values.
    fn difference(&self, name: Named, a: usize, b: usize, level: f64) -> PyResult<Told> {
        self.check(&[a, b])?;
        Ok(told(self.found.difference(name.0, a, b, level)))
    }

    /// The test that `a` is worse than `b` by `margin`, and the lower bound of the difference.
    fn non_inferior(
        &self,
        name: Named,
        models: (usize, usize),
        margin: f64,
        level: f64,
    ) -> PyResult<Told> {
        self.check(&[models.0, models.1])?;
        Ok(told(self.found.non_inferior(name.0, models, margin, level)))
    }

    /// Statistic, rank and p-value of the test that all are equal.
    fn equal(&self) -> Option<(f64, usize, f64)> {
        let joint = self.found.equal()?;
        Some((joint.statistic, joint.rank, joint.p_value))
    }
}

/// P-values that are adjusted for their number.
#[pyfunction]
pub(crate) fn adjusted_p_values<'py>(
    py: Python<'py>,
    p_values: PyReadonlyArray1<'py, f64>,
    adjust: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let known = [("holm", Adjust::Holm), ("bh", Adjust::BenjaminiHochberg), ("none", Adjust::None)];
    let how = argument::option(adjust, "adjust", &known)?;
    let p_values = p_values.as_slice()?;
    let found = gate::run(py, p_values.len(), || Ok(adjusted(p_values, how)))?;
    Ok(PyArray1::from_vec(py, found))
}
