//! Models compared by the area under the ROC curve, for Python.
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::inference::adjust::{Adjust, adjusted};
use crate::inference::delong::Placements;
use crate::inference::paired_areas::{Difference, PairedAreas, Scale};
use crate::inference::paired_rows::PairedRows;

use crate::py::argument::Text;
use crate::py::border::scalar::some_label;
use crate::py::border::{HeldLabels, HeldScores, HeldWeights, nan_policy, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::{argument, gate};

/// Estimate, low, high, standard error, statistic, p-value, and why there is no interval.
pub(crate) type Told = (f64, f64, f64, f64, f64, f64, Option<&'static str>);

pub(crate) fn told(found: Difference) -> Told {
    (
        found.estimate,
        found.low,
        found.high,
        found.standard_error,
        found.statistic,
        found.p_value,
        found.why,
    )
}

/// The rows that several models score.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct PairedRowsState {
    rows: PairedRows,
}

#[pymethods]
impl PairedRowsState {
    #[staticmethod]
    fn read(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
        cluster: Option<&Bound<'_, PyAny>>,
        pos_label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let kind = argument::weight_kind(weight_kind)?;
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let clusters = cluster.map(|cluster| HeldLabels::take(cluster, "cluster")).transpose()?;
        let pos_label = pos_label_from_python(pos_label)?;
        let (labels, weights) = (y_true.lend(), weights.lend());
        let clusters = clusters.as_ref().map(HeldLabels::lend);
        gate::run(py, labels.len(), || {
            let rows = PairedRows::new(&labels, weights, kind, clusters.as_ref(), pos_label)?;
            Ok(Self { rows })
        })
    }

    /// The placements of a column of scores.
    fn place(
        &self,
        py: Python<'_>,
        y_score: &Bound<'_, PyAny>,
        policy: &Bound<'_, PyAny>,
    ) -> PyResult<PlacementsState> {
        let policy = nan_policy(policy, true)?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let scores = y_score.lend();
        gate::run(py, self.rows.len().saturating_mul(10), || {
            let placements = Placements::new(&self.rows, &scores, policy)?;
            Ok(PlacementsState { placements })
        })
    }

    /// The areas of models and how they vary.
    fn areas(&self, py: Python<'_>, models: Vec<Py<PlacementsState>>) -> PyResult<AreasState> {
        let models: Vec<&Placements> = models.iter().map(|model| &model.get().placements).gather();
        let pairs = models.len() * models.len();
        gate::run(py, self.rows.len().saturating_mul(pairs), || {
            Ok(AreasState { areas: PairedAreas::of(&self.rows, &models)? })
        })
    }

    /// The number of positive and of negative rows.
    #[getter]
    fn classes(&self) -> [usize; 2] {
        self.rows.classes()
    }

    /// How many clusters there are, if rows have any.
    #[getter]
    fn clusters(&self) -> Option<usize> {
        self.rows.cluster_count()
    }

    /// The positive label, if one is known.
    fn pos_label<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let labels = &self.rows.labels;
        some_label(py, labels.pair.positive.as_ref(), labels.kind)
    }
}

/// The placements of one model.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct PlacementsState {
    placements: Placements,
}

/// Areas and how they vary together.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct AreasState {
    areas: PairedAreas,
}

impl AreasState {
    fn check(&self, models: &[usize]) -> PyResult<()> {
        if models.iter().all(|&model| model < self.areas.len()) {
            return Ok(());
        }
        let expected = format!("places below {}", self.areas.len());
        Err(Refusal::argument("model", format!("{models:?}"), expected).into())
    }
}

#[pymethods]
impl AreasState {
    /// What `parts` gave.
    #[staticmethod]
    fn of(
        areas: Vec<f64>,
        variances: Vec<f64>,
        sizes: [f64; 2],
        why: Option<Text>,
    ) -> PyResult<Self> {
        match PairedAreas::from_parts(areas, variances, sizes, why.as_deref()) {
            Some(areas) => Ok(Self { areas }),
            None => Err(Refusal::argument("variances", "others", "those of as many areas").into()),
        }
    }

    /// Areas, variances of areas and of differences, sizes of the classes, and why there are none.
    #[allow(clippy::type_complexity)]
    fn parts(&self) -> (Vec<f64>, Vec<f64>, [f64; 2], Option<&'static str>) {
        let PairedAreas { areas, sizes, why, .. } = &self.areas;
        (areas.clone(), self.areas.packed().to_vec(), *sizes, *why)
    }

    /// The areas and their covariance.
    #[allow(clippy::type_complexity)]
    fn covariance<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyAny>)> {
        let models = self.areas.len();
        let cells = (0..models * models)
            .map(|cell| self.areas.covariance(cell / models, cell % models))
            .gather();
        let matrix = PyArray1::from_vec(py, cells).reshape([models; 2])?;
        let areas = self.areas.areas.iter().copied().gather();
        Ok((PyArray1::from_vec(py, areas), matrix.into_any()))
    }

    /// The interval of one area.
    fn interval(&self, model: usize, level: f64, method: &Bound<'_, PyAny>) -> PyResult<Told> {
        self.check(&[model])?;
        let scales =
            [("logit", Scale::Logit), ("delong", Scale::Linear), ("blended", Scale::Blended)];
        let scale = argument::option(method, "method", &scales)?;
        Ok(told(self.areas.interval(model, level, scale)))
    }

    /// The difference of two areas.
    fn difference(&self, a: usize, b: usize, level: f64) -> PyResult<Told> {
        self.check(&[a, b])?;
        Ok(told(self.areas.difference(a, b, level)))
    }

    /// Statistic and one-sided p-value of the test that `a` is worse than `b` by `margin`.
    fn non_inferior(&self, a: usize, b: usize, margin: f64) -> PyResult<(f64, f64)> {
        self.check(&[a, b])?;
        Ok(self.areas.non_inferior(a, b, margin))
    }

    /// Statistic, degrees of freedom and p-value of the test that all are equal.
    fn equal(&self) -> Option<(f64, usize, f64)> {
        let joint = self.areas.equal()?;
        Some((joint.statistic, joint.rank, joint.p_value))
    }
}

/// P-values that are adjusted for their number.
#[pyfunction]
pub(crate) fn adjusted_p_values(
    p_values: Vec<f64>,
    adjust: &Bound<'_, PyAny>,
) -> PyResult<Vec<f64>> {
    let known = [("holm", Adjust::Holm), ("bh", Adjust::BenjaminiHochberg), ("none", Adjust::None)];
    Ok(adjusted(&p_values, argument::option(adjust, "adjust", &known)?))
}
