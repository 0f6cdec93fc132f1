//! Areas under the ROC and the precision–recall curve and the Kolmogorov–Smirnov distance, from
//! columns of Python in one call.

use pyo3::prelude::*;

use crate::base::error::Result;
use crate::labels::binary::Pair;
use crate::scores::ranking::Ranking;
use crate::scores::ranking::average_precision_of_rows::{average_precision_of_rows, ks_of_rows};
use crate::scores::ranking::roc_areas::weighted_roc_auc;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::auc;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::border::scalar::label_from_python;
use crate::py::border::{HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::rows::{RankOptions, Rows};
use crate::py::scores::score_table::{KsParts, parts_of_ks};
use crate::py::truth::Truth;

/// The area under the ROC curve, up to a false positive rate; the weights of positives and of
/// negatives; how many of the two classes have rows. None where scikit-learn checks more than the
/// core does: see [`Truth`].
#[pyfunction]
pub(crate) fn roc_auc(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    sample_weight: Option<&Bound<'_, PyAny>>,
    max_fpr: Option<f64>,
) -> PyResult<Option<(f64, f64, f64, usize)>> {
    let y_true = Truth::take(y_true)?;
    let y_score = HeldScores::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
    let options = SweepOptions::default();
    if !y_true.is_plain(None) {
        return Ok(None);
    }
    let is_whole = max_fpr.is_none_or(|rate| rate >= 1.0);
    if let Some(weights) = weights.filter(|_| is_whole) {
        let found =
            gate::run(py, scores.len(), || weighted_roc_auc(&labels, &scores, weights, &options))?;
        let classes = classes_of(&found.pair);
        let area = found.area.unwrap_or(f64::NAN);
        let (positives, negatives) = (found.positives, found.negatives);
        return Ok((positives + negatives > 0.0).then_some((area, positives, negatives, classes)));
    }
    if is_whole {
        let sum = gate::run(py, scores.len(), || auc::roc_auc(&labels, &scores, &options))?;
        let classes = usize::from(sum.positives > 0) + usize::from(sum.negatives > 0);
        let area = sum.area().unwrap_or(f64::NAN);
        let (positives, negatives) = (sum.positives as f64, sum.negatives as f64);
        return Ok(Some((area, positives, negatives, classes)));
    }
    gate::run(py, scores.len(), || -> Result<_> {
        let table = Ranking::from(score_table(&labels, &scores, weights, &options)?);
        let (positives, negatives) = table.totals();
        let classes = classes_of(table.pair());
        let area = table.standardized_auc(max_fpr.unwrap_or(1.0)).unwrap_or(f64::NAN);
        Ok((positives + negatives > 0.0).then_some((area, positives, negatives, classes)))
    })
}

/// How many of the two labels there are.
fn classes_of(pair: &Pair) -> usize {
    usize::from(pair.positive.is_some()) + usize::from(pair.negative.is_some())
}

/// Average precision with `pos_label` as the positive label, and the weight of the positives. None
/// where scikit-learn checks more than the core does, or where no row has weight. If there are two
/// labels, `pos_label` must be one of them. A third label is refused.
#[pyfunction]
pub(crate) fn average_precision(
    py: Python<'_>,
    y_true: &Bound<'_, PyAny>,
    y_score: &Bound<'_, PyAny>,
    pos_label: &Bound<'_, PyAny>,
    sample_weight: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<(f64, f64)>> {
    let y_true = Truth::take(y_true)?;
    let y_score = HeldScores::take(y_score, "y_score")?;
    let weights = HeldWeights::take(sample_weight, "sample_weight")?;
    let (labels, scores, weights) = (y_true.lend(), y_score.lend(), weights.lend());
    if !y_true.is_plain(Some(pos_label)) {
        return Ok(None);
    }
    let options = SweepOptions {
        pos_label: Some(label_from_python(pos_label, "pos_label")?.0),
        ..SweepOptions::default()
    };
    if weights.is_none() {
        let found =
            gate::run(py, scores.len(), || average_precision_of_rows(&labels, &scores, &options))?;
        return Ok(Some((found.value.unwrap_or(0.0), found.positives as f64)));
    }
    gate::run(py, scores.len(), || {
        let table = Ranking::from(score_table(&labels, &scores, weights, &options)?);
        let area = table.average_precision().unwrap_or(0.0);
        Ok((!table.is_empty()).then_some((area, table.totals().0)))
    })
}

/// The Kolmogorov–Smirnov distance of rows.
#[pyfunction]
pub(crate) fn ks(py: Python<'_>, rows: Rows, options: RankOptions) -> PyResult<KsParts> {
    let (labels, scores, weights) = rows.lend();
    gate::run(py, scores.len(), || ks_of_rows(&labels, &scores, weights, &options.0))
        .map(parts_of_ks)
}
