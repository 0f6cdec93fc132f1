//! The areas under the ROC and the precision–recall curve, from columns in one crossing.

use pyo3::prelude::*;

use crate::error::Result;
use crate::kernel::auc;
use crate::kernel::ranking::RankOptions;
use crate::kernel::sweep::score_table;

use super::border::{HeldLabels, HeldScores, HeldWeights, label_from_python};
use super::curve::status;
use super::gate;

/// The area under the ROC curve, up to a false positive rate; the weight of positives and negatives; how many classes rows
/// have; the status of `curve`.
#[pyfunction]
fn roc_auc(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    sample_weight: Option<&Bound<'_, PyAny>>,
    max_fpr: Option<f64>,
) -> PyResult<(f64, f64, f64, usize, u8)> {
    let y_true = HeldLabels::take(y_true, "y_true")?;
    let y_score = HeldScores::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (labels, scores) = (y_true.lend(), y_score.lend());
    let options = RankOptions::default();
    let known = status(&labels, None);
    if weights.is_none() && max_fpr.is_none_or(|rate| rate >= 1.0) {
        let sum = gate::run(py, scores.len(), || {
            auc::roc_auc(&labels, &scores, &options)
        })?;
        let classes = usize::from(sum.positives > 0) + usize::from(sum.negatives > 0);
        let area = sum.area().unwrap_or(f64::NAN);
        let (positives, negatives) = (sum.positives as f64, sum.negatives as f64);
        return Ok((area, positives, negatives, classes, known));
    }
    let weights = weights.as_ref().map(HeldWeights::lend);
    gate::run(py, scores.len(), || -> Result<_> {
        let table = score_table(&labels, &scores, weights, &options)?;
        let (positives, negatives) = table.totals();
        let pair = table.pair();
        let classes = usize::from(pair.positive.is_some()) + usize::from(pair.negative.is_some());
        let area = table
            .partial_auc(max_fpr.unwrap_or(1.0))
            .unwrap_or(f64::NAN);
        Ok((area, positives, negatives, classes, known))
    })
}

/// Average precision with `pos_label` as the positive label; the weight of the positives and of all rows; the status of `curve`. Of
/// two labels the positive one must be one; a third is refused.
#[pyfunction]
fn average_precision(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    pos_label: &Bound<'_, PyAny>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> PyResult<(f64, f64, f64, u8)> {
    let y_true = HeldLabels::take(y_true, "y_true")?;
    let y_score = HeldScores::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (labels, scores) = (y_true.lend(), y_score.lend());
    let weights = weights.as_ref().map(HeldWeights::lend);
    let options = RankOptions {
        pos_label: Some(label_from_python(pos_label, "pos_label")?.0),
        ..RankOptions::default()
    };
    gate::run(py, scores.len(), || {
        let table = score_table(&labels, &scores, weights, &options)?;
        let (positives, negatives) = table.totals();
        let area = table.average_precision().unwrap_or(0.0);
        Ok((area, positives, positives + negatives, status(&labels, None)))
    })
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(roc_auc, module)?)?;
    module.add_function(wrap_pyfunction!(average_precision, module)?)
}
