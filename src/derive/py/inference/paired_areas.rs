//! Areas under the ROC curve of several models on the same rows, for Python.
use pyo3::prelude::*;

use crate::base::memory::Gather;
use crate::inference::same_rows::delong::Placements;
use crate::inference::same_rows::paired_areas::areas;
use crate::inference::same_rows::paired_rows::PairedRows;

use crate::py::border::{HeldLabels, HeldScores, HeldWeights, nan_policy, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::inference::covariance::CovarianceState;
use crate::py::row_keys::keys::GroupedState;
use crate::py::{argument, gate};

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
        cluster: Option<&GroupedState>,
        pos_label: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let kind = argument::weight_kind(weight_kind)?;
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let pos_label = pos_label_from_python(pos_label)?;
        let (labels, weights) = (y_true.lend(), weights.lend());
        let clusters = cluster.map(GroupedState::numbered);
        gate::run(py, labels.len(), || {
            let rows = PairedRows::new(&labels, weights, kind, clusters, pos_label.as_ref())?;
            Ok(Self { rows })
        })
    }

    /// The placements of a column of scores.
    fn place(
        &self,
        py: Python<'_>,
        y_score: &Bound<'_, PyAny>,
        policy: &Bound<'_, PyAny>,
        infinite: &Bound<'_, PyAny>,
    ) -> PyResult<PlacementsState> {
        let policy = nan_policy(policy, true)?;
        let infinite =
            argument::option(infinite, "infinite", &[("raise", false), ("allow", true)])?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let scores = y_score.lend();
        gate::run(py, self.rows.len().saturating_mul(10), || {
            let placements = Placements::new(&self.rows, &scores, policy, infinite)?;
            Ok(PlacementsState { placements })
        })
    }

    /// The areas of models and how they vary.
    fn areas(&self, py: Python<'_>, models: Vec<Py<PlacementsState>>) -> PyResult<CovarianceState> {
        let models: Vec<&Placements> = models.iter().map(|model| &model.get().placements).gather();
        let pairs = models.len() * models.len();
        gate::run(py, self.rows.len().saturating_mul(pairs), || {
            Ok(areas(&self.rows, &models)?.into())
        })
    }
}

/// The placements of one model.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct PlacementsState {
    placements: Placements,
}
