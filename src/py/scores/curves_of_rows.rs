//! Curves over all thresholds, and indices at all thresholds, from columns in one crossing.
//!
//! Each answer ends with a status that tells scikit-learn's face how much is left to check: [`FINE`] for labels that are
//! numbers and, where no positive label was named, {0, 1} or {-1, 1}; [`TEXT`] for strings, which may have been bytes;
//! [`UNSURE`] for everything else.

use numpy::{PyArray1, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::base::dtype::{Number, visit};
use crate::base::error::Result;
use crate::base::input::{Label, LabelKind, Labels, Scores};
use crate::labels::binary::Pair;
use crate::labels::view::BinaryCounts;
use crate::scores::curves::roc::doubles;
use crate::scores::rank::rows::RankOptions;
use crate::scores::rank::sweep::score_table;
use crate::scores::score_table::ScoreTable;

use crate::py::argument::Named;
use crate::py::border::scalar::{array_of, label_from_python};
use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::gate;
use crate::py::index::registry::parameters;

type Array<'py> = Bound<'py, PyArray1<f64>>;

const FINE: u8 = 0;
const TEXT: u8 = 1;
const UNSURE: u8 = 2;

/// Whether a column is an array of objects: numbers among them are no labels to scikit-learn, though they are to us.
pub(crate) fn are_objects(column: &Bound<'_, PyAny>) -> bool {
    if let Ok(array) = column.cast::<PyUntypedArray>() {
        return array.dtype().kind() == b'O';
    }
    if column.is_instance_of::<PyList>() || column.is_instance_of::<PyTuple>() {
        return false;
    }
    let kind = column
        .getattr("dtype")
        .and_then(|dtype| dtype.getattr("kind"));
    kind.is_ok_and(|kind| kind.extract::<String>().is_ok_and(|kind| kind == "O"))
}

/// What is left to check of labels that were read; of a `pair`, whether it goes without naming the positive label.
pub(crate) fn status(labels: &Labels, pair: Option<&Pair>, objects: bool) -> u8 {
    let usual = pair.is_none_or(|pair| {
        matches!(
            (&pair.negative, &pair.positive),
            (Some(Label::Int(-1 | 0)), Some(Label::Int(1)) | None) | (None, Some(Label::Int(1)))
        )
    });
    match labels {
        Labels::Coded(coded) if coded.kind == LabelKind::Text && pair.is_none() => TEXT,
        Labels::Coded(_) => UNSURE,
        _ if objects => UNSURE,
        _ if usual => FINE,
        _ => UNSURE,
    }
}

/// The scores of order keys, in the type that they came in.
fn in_their_type<'py>(py: Python<'py>, scores: &Scores, keys: Vec<u64>) -> Bound<'py, PyAny> {
    if scores.doubles().is_some() {
        return PyArray1::from_vec(py, doubles(keys)).into_any();
    }
    visit!(Scores(scores), |_, N| {
        let scores = keys.into_iter().map(N::of_key);
        array_of::<N>(py, scores.collect())
    })
}

/// The columns of a call, borrowed.
struct Columns {
    y_true: HeldLabels,
    y_score: HeldScores,
    weights: Option<HeldWeights>,
    objects: bool,
}

impl Columns {
    fn take(
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            y_true: HeldLabels::take(y_true, "y_true")?,
            y_score: HeldScores::take(y_score, "y_score")?,
            weights: HeldWeights::take(sample_weight, "sample_weight")?,
            objects: are_objects(y_true),
        })
    }

    /// What `read` makes of the score table, and the status; with `rest` every label but the positive one is negative.
    fn swept<T: Send>(
        &self,
        py: Python<'_>,
        pos_label: Option<&Bound<'_, PyAny>>,
        rest: bool,
        read: impl Send + FnOnce(ScoreTable) -> Result<T>,
    ) -> PyResult<(T, u8)> {
        let pos_label = pos_label
            .map(|label| label_from_python(label, "pos_label"))
            .transpose()?
            .map(|(label, _)| label);
        let (named, objects) = (pos_label.is_some(), self.objects);
        let options = RankOptions {
            rest: rest && named,
            pos_label,
            ..RankOptions::default()
        };
        let (labels, scores) = (self.y_true.lend(), self.y_score.lend());
        let weights = self.weights.as_ref().map(HeldWeights::lend);
        gate::run(py, scores.len(), || {
            let table = score_table(&labels, &scores, weights, &options)?;
            let status = status(&labels, (!named).then(|| table.pair()), objects);
            Ok((read(table)?, status))
        })
    }
}

/// The four counts (tn, fp, fn, tp) at every distinct score, high to low, and these scores in their own type; status.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn threshold_counts<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
) -> PyResult<(
    (
        Array<'py>,
        Array<'py>,
        Array<'py>,
        Array<'py>,
        Bound<'py, PyAny>,
    ),
    u8,
)> {
    let columns = Columns::take(y_true, y_score, sample_weight)?;
    let (counts, status) = columns.swept(py, pos_label, true, |table| {
        Ok(table.into_threshold_counts())
    })?;
    let array = |values| PyArray1::from_vec(py, values);
    let thresholds = in_their_type(py, &columns.y_score.lend(), counts.keys);
    let arrays = (
        array(counts.tn),
        array(counts.fp),
        array(counts.fn_),
        array(counts.tp),
        thresholds,
    );
    Ok((arrays, status))
}

/// Precision, recall, thresholds; the weight of the positives; status.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn precision_recall_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<((Array<'py>, Array<'py>, Bound<'py, PyAny>), f64, u8)> {
    let columns = Columns::take(y_true, y_score, sample_weight)?;
    let ((curve, positives), status) = columns.swept(py, pos_label, true, |table| {
        let curve = table.precision_recall_curve(drop_intermediate);
        Ok((curve, table.totals().0))
    })?;
    let array = |values| PyArray1::from_vec(py, values);
    let thresholds = in_their_type(py, &columns.y_score.lend(), curve.keys);
    let points = (array(curve.precision), array(curve.recall), thresholds);
    Ok((points, positives, status))
}

/// False positive rate, false negative rate, thresholds; the weight of positives and of negatives; the labels that rows have;
/// status. A third label is refused.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn det_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<((Array<'py>, Array<'py>, Array<'py>), (f64, f64), bool, u8)> {
    let columns = Columns::take(y_true, y_score, sample_weight)?;
    let ((curve, totals, both), status) = columns.swept(py, pos_label, false, |table| {
        let curve = table.detection_error_curve(drop_intermediate);
        let pair = table.pair();
        let both = pair.negative.is_some() && pair.positive.is_some();
        Ok((curve, table.totals(), both))
    })?;
    let array = |values| PyArray1::from_vec(py, values);
    let points = (array(curve.fpr), array(curve.fnr), array(curve.thresholds));
    Ok((points, totals, both, status))
}

/// The points of the ROC curve; the weight of positives and of negatives; status.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn roc_curve<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    pos_label: Option<&Bound<'py, PyAny>>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    drop_intermediate: bool,
) -> PyResult<((Array<'py>, Array<'py>, Array<'py>), (f64, f64), u8)> {
    let columns = Columns::take(y_true, y_score, sample_weight)?;
    let ((curve, totals), status) = columns.swept(py, pos_label, true, |table| {
        let totals = table.totals();
        Ok((table.into_roc_curve(drop_intermediate), totals))
    })?;
    let array = |values| PyArray1::from_vec(py, values);
    let points = (array(curve.fpr), array(curve.tpr), array(curve.thresholds));
    Ok((points, totals, status))
}

/// An index at every distinct score, high to low, for labels 0 and 1 of which both have weight; the scores in their own
/// type; the places where the index is undefined. None for other labels. With `turned` 0 is the positive label.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn index_at_thresholds<'py>(
    py: Python<'py>,
    y_true: &Bound<'py, PyAny>,
    y_score: &Bound<'py, PyAny>,
    sample_weight: Option<&Bound<'py, PyAny>>,
    name: Named,
    given: &Bound<'py, PyDict>,
    turned: bool,
) -> PyResult<Option<(Array<'py>, Bound<'py, PyAny>, Vec<usize>)>> {
    let Named(row) = name;
    let parameters = parameters(row, Some(given))?;
    let columns = Columns::take(y_true, y_score, sample_weight)?;
    let (found, status) = columns.swept(py, None, false, |table| {
        let (positives, negatives) = table.totals();
        let plain = table.pair().negative == Some(Label::Int(0));
        if !(plain && positives > 0.0 && negatives > 0.0) {
            return Ok(None);
        }
        let mut values = Vec::with_capacity(table.len());
        let mut undefined = Vec::new();
        let counts = table.every_counts().skip(1).map(|counts| {
            if turned {
                BinaryCounts {
                    tp: counts.tn,
                    fp: counts.fn_,
                    fn_: counts.fp,
                    tn: counts.tp,
                }
            } else {
                counts
            }
        });
        row.of_each(counts, &parameters, |value| {
            if value.why.is_some() {
                undefined.push(values.len());
            }
            values.push(value.number);
        })?;
        let keys: Vec<u64> = (0..table.len()).map(|at| table.keys().get(at)).collect();
        Ok(Some((values, undefined, keys)))
    })?;
    Ok(found
        .filter(|_| status == FINE)
        .map(|(values, undefined, keys)| {
            let thresholds = in_their_type(py, &columns.y_score.lend(), keys);
            (PyArray1::from_vec(py, values), thresholds, undefined)
        }))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(roc_curve, module)?)?;
    module.add_function(wrap_pyfunction!(threshold_counts, module)?)?;
    module.add_function(wrap_pyfunction!(precision_recall_curve, module)?)?;
    module.add_function(wrap_pyfunction!(det_curve, module)?)?;
    module.add_function(wrap_pyfunction!(index_at_thresholds, module)?)
}
