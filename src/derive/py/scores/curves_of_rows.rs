//! Curves over all thresholds, and indices at all thresholds, from columns in one call.
//!
//! `rocksteady.metrics` calls them. They return None where scikit-learn checks more than the core
//! does: see [`Truth`].

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::dtype::{Number, visit};
use crate::base::error::Result;
use crate::base::input::{Label, Scores};
use crate::base::memory::{Gather, Room, with_room};
use crate::labels::view::BinaryCounts;
use crate::scores::curves::curve::doubles;
use crate::scores::curves::det::DetectionErrorCurve;
use crate::scores::curves::precision_recall::PrecisionRecallCurve;
use crate::scores::curves::roc::RocCurve;
use crate::scores::curves::threshold_counts::ThresholdCounts;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::border::scalar::array_of;
use crate::py::border::{HeldScores, HeldWeights, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;
use crate::py::memory::Array;
use crate::py::truth::Truth;

/// Two coordinates and the thresholds.
pub(super) type Points<'py> = (Array<'py>, Array<'py>, Array<'py>);
/// [`Points`] with thresholds in the type of the scores.
pub(super) type TypedPoints<'py> = (Array<'py>, Array<'py>, Bound<'py, PyAny>);
/// tn, fp, fn, tp and thresholds in the type of the scores.
pub(super) type Counts<'py> = (Array<'py>, Array<'py>, Array<'py>, Array<'py>, Bound<'py, PyAny>);

/// The scores of order keys, in the type that they came in.
pub(super) fn in_their_type<'py>(
    py: Python<'py>,
    scores: &Scores,
    keys: Vec<u64>,
) -> Bound<'py, PyAny> {
    if scores.doubles().is_some() {
        return PyArray1::from_vec(py, doubles(keys)).into_any();
    }
    visit!(Scores(scores), |_, N| {
        let scores = keys.into_iter().map(N::from_key);
        array_of::<N>(py, scores.gather())
    })
}

/// The columns of a call, borrowed.
struct Columns {
    y_true: Truth,
    y_score: HeldScores,
    weights: HeldWeights,
}

impl Columns {
    fn take(
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            y_true: Truth::take(y_true)?,
            y_score: HeldScores::take(y_score, "y_score")?,
            weights: HeldWeights::take(sample_weight, "sample_weight")?,
        })
    }

    /// The result of `read` on the score table, if scikit-learn takes the labels as they are and
    /// some row has weight. With `rest`, every label but the positive one is negative.
    fn swept<T: Send>(
        &self,
        py: Python<'_>,
        pos_label: Option<&Bound<'_, PyAny>>,
        rest: bool,
        read: impl Send + FnOnce(ScoreTable) -> Result<T>,
    ) -> PyResult<Option<T>> {
        if pos_label.is_some() && !self.y_true.is_plain(pos_label) {
            return Ok(None);
        }
        let pos_label = pos_label_from_python(pos_label)?;
        let named = pos_label.is_some();
        let options = SweepOptions { rest: rest && named, pos_label, ..SweepOptions::default() };
        let (labels, scores, weights) =
            (self.y_true.lend(), self.y_score.lend(), self.weights.lend());
        gate::run(py, scores.len(), || {
            let table = score_table(&labels, &scores, weights, &options)?;
            let plain = named || self.y_true.is_usual(table.pair());
            (plain && !table.is_empty()).then(|| read(table)).transpose()
        })
    }
}

/// The four counts (tn, fp, fn, tp) at every distinct score, high to low, and these scores in their
/// own type.
#[pyfunction]
pub(crate) fn threshold_counts<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Counts<'py>>> {
    gate::keep(py, || {
        let columns = Columns::take(y_true, y_score, sample_weight)?;
        let counts = columns.swept(py, pos_label, true, |table| Ok(ThresholdCounts::of(table)))?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok(counts.map(|counts| {
            (
                array(counts.tn),
                array(counts.fp),
                array(counts.fn_),
                array(counts.tp),
                in_their_type(py, &columns.y_score.lend(), counts.keys),
            )
        }))
    })
}

/// Precision, recall, thresholds; the weight of the positives.
#[pyfunction]
pub(crate) fn precision_recall_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<Option<(TypedPoints<'py>, f64)>> {
    gate::keep(py, || {
        let columns = Columns::take(y_true, y_score, sample_weight)?;
        let found = columns.swept(py, pos_label, true, |table| {
            let (positives, _) = table.totals();
            Ok((PrecisionRecallCurve::of(table, drop_intermediate)?, positives))
        })?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok(found.map(|(curve, positives)| {
            let thresholds = in_their_type(py, &columns.y_score.lend(), curve.keys);
            let points = (array(curve.precision), array(curve.recall), thresholds);
            (points, positives)
        }))
    })
}

/// False positive rate, false negative rate, thresholds; the weight of positives and of negatives;
/// whether rows have both labels. A third label is refused.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn det_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<Option<(Points<'py>, (f64, f64), bool)>> {
    gate::keep(py, || {
        let columns = Columns::take(y_true, y_score, sample_weight)?;
        let found = columns.swept(py, pos_label, false, |table| {
            let curve = DetectionErrorCurve::of(&table, drop_intermediate);
            let pair = table.pair();
            let both = pair.negative.is_some() && pair.positive.is_some();
            Ok((curve, table.totals(), both))
        })?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok(found.map(|(curve, totals, both)| {
            let points = (array(curve.fpr), array(curve.fnr), array(curve.thresholds));
            (points, totals, both)
        }))
    })
}

/// The points of the ROC curve; the weight of positives and of negatives.
#[pyfunction]
pub(crate) fn roc_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<Option<(Points<'py>, (f64, f64))>> {
    gate::keep(py, || {
        let columns = Columns::take(y_true, y_score, sample_weight)?;
        let found = columns.swept(py, pos_label, true, |table| {
            let totals = table.totals();
            Ok((RocCurve::of(table, drop_intermediate)?, totals))
        })?;
        let array = |values| PyArray1::from_vec(py, values);
        Ok(found.map(|(curve, totals)| {
            let points = (array(curve.fpr), array(curve.tpr), array(curve.thresholds));
            (points, totals)
        }))
    })
}

/// An index at every distinct score, high to low; the scores in their own type; the places where
/// the index is undefined. None unless the labels are 0 and 1 and both have weight. With `turned`,
/// 0 is the positive label.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn index_at_thresholds<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    name: Named,
    given: &Bound<'py, PyDict>,
    turned: bool,
) -> PyResult<Option<(Array<'py>, Bound<'py, PyAny>, Vec<usize>)>> {
    gate::keep(py, || {
        let (row, parameters) = asked(name, given)?;
        let columns = Columns::take(y_true, y_score, sample_weight)?;
        let found = columns.swept(py, None, false, |table| {
            let (positives, negatives) = table.totals();
            let plain = table.pair().negative == Some(Label::Int(0));
            if !(plain && positives > 0.0 && negatives > 0.0) {
                return Ok(None);
            }
            let mut values = with_room(table.len());
            let mut undefined = Vec::new();
            let counts = table.every_counts().skip(1).map(|counts| {
                if turned {
                    BinaryCounts { tp: counts.tn, fp: counts.fn_, fn_: counts.fp, tn: counts.tp }
                } else {
                    counts
                }
            });
            row.of_each(counts, &parameters, |value| {
                if value.why.is_some() {
                    undefined.grow(values.len());
                }
                values.grow(value.number);
            })?;
            let keys: Vec<u64> = (0..table.len()).map(|at| table.keys().get(at)).gather();
            Ok(Some((values, undefined, keys)))
        })?;
        Ok(found.flatten().map(|(values, undefined, keys)| {
            let thresholds = in_their_type(py, &columns.y_score.lend(), keys);
            (PyArray1::from_vec(py, values), thresholds, undefined)
        }))
    })
}
