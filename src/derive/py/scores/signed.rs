//! Curves of weights of either sign, for Python.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::base::column::Column;
use crate::base::memory::{CopyAll, Gather, Room};
use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::memory::Array;
use crate::scores::sweep::rows::SweepOptions;
use crate::scores::sweep::signed::{SignedCurve, SignedTotals};

use super::curves_of_rows::{Counts, Points, TypedPoints, in_their_type};

/// Sums of weights of either sign, of the positives and negatives at or above every score. Its
/// curves have the same form as those in `curves_of_rows`.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct SignedTotalsState {
    totals: SignedTotals,
    y_score: HeldScores,
}

impl SignedTotalsState {
    fn thresholds(&self, keys: &[u64]) -> impl Iterator<Item = f64> {
        keys.iter().map(|&key| self.totals.score(key))
    }
}

fn array(py: Python<'_>, values: Vec<f64>) -> Array<'_> {
    PyArray1::from_vec(py, values)
}

#[pymethods]
impl SignedTotalsState {
    /// The totals of rows. Rows of label 1 are positive.
    #[staticmethod]
    fn sweep(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_score = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(Some(sample_weight), "sample_weight")?;
        let options = SweepOptions::zero_one();
        let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
        let weights = weights.unwrap_or_else(|| Column::from_slice(&[]));
        let totals = gate::run(py, scores.len(), || {
            SignedTotals::sweep(&labels, &scores, weights, &options)
        })?;
        Ok(Self { totals, y_score })
    }

    /// False and true positive rates and thresholds; positives and negatives.
    fn roc_curve<'py>(
        &self,
        py: Python<'py>,
        drop_intermediate: bool,
    ) -> PyResult<(Points<'py>, (f64, f64))> {
        gate::keep(py, || {
            Ok({
                let SignedCurve { x, y, keys } = self.totals.roc(drop_intermediate);
                let thresholds = [f64::INFINITY].into_iter().chain(self.thresholds(&keys));
                let points = (array(py, x), array(py, y), array(py, thresholds.gather()));
                (points, self.totals.totals())
            })
        })
    }

    /// Precision, recall and thresholds, in the type of the scores; positives.
    fn precision_recall_curve<'py>(
        &self,
        py: Python<'py>,
        drop_intermediate: bool,
    ) -> PyResult<(TypedPoints<'py>, f64)> {
        gate::keep(py, || {
            Ok({
                let SignedCurve { x, y, keys } = self.totals.precision_recall(drop_intermediate);
                let thresholds = in_their_type(py, &self.y_score.lend(), keys);
                let points = (array(py, x), array(py, y), thresholds);
                (points, self.totals.totals().0)
            })
        })
    }

    /// False positive rates, false negative rates and thresholds; positives and negatives.
    fn det_curve<'py>(
        &self,
        py: Python<'py>,
        drop_intermediate: bool,
    ) -> PyResult<(Points<'py>, (f64, f64))> {
        gate::keep(py, || {
            Ok({
                let SignedCurve { x, y, keys } = self.totals.detection_error(drop_intermediate);
                let mut thresholds: Vec<f64> = self.thresholds(&keys).gather();
                thresholds.grow_to(x.len(), f64::INFINITY);
                let points = (array(py, x), array(py, y), array(py, thresholds));
                (points, self.totals.totals())
            })
        })
    }

    /// tn, fp, fn, tp at every distinct score, high to low, and these scores in their own type.
    fn threshold_counts<'py>(&self, py: Python<'py>) -> PyResult<Counts<'py>> {
        gate::keep(py, || {
            Ok({
                let (positives, negatives) = self.totals.totals();
                let (tp, fp) = self.totals.at_or_above();
                let missing =
                    |whole: f64, part: &[f64]| part.iter().map(|part| whole - part).gather();
                (
                    array(py, missing(negatives, fp)),
                    array(py, fp.copy_all()),
                    array(py, missing(positives, tp)),
                    array(py, tp.copy_all()),
                    in_their_type(py, &self.y_score.lend(), self.totals.keys().copy_all()),
                )
            })
        })
    }

    /// Average precision; positives.
    fn average_precision(&self) -> (f64, f64) {
        (self.totals.average_precision(), self.totals.totals().0)
    }
}
