//! How an argument is read, for tests and for the curious.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::error::Refusal;
use crate::base::input::{LabelKind, LabelSet};
use crate::py::error::PyResult;
use crate::py::gate;

use crate::base::coded::coder::CodedColumn;
use crate::py::border::held::{
    HeldLabels, HeldScores, HeldWeights, known_argument, label_set_from_python,
};
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::numbers::Numbers;
use crate::py::border::read::Read;
use crate::py::border::scalar;
use crate::py::border::scalar::{label_from_python, label_set_to_python, label_to_python};

/// How an argument is read: the dtype that the kernels see, whether it was copied, the labels
/// found.
#[pyfunction]
#[pyo3(signature = (values, what = "labels", argument = "y_true"))]
pub(crate) fn lowered<'py>(
    values: &Bound<'py, PyAny>,
    what: &str,
    argument: &str,
) -> PyResult<Bound<'py, PyDict>> {
    gate::keep(values.py(), || report(values, what, argument))
}

fn report<'py>(
    values: &Bound<'py, PyAny>,
    what: &str,
    argument: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let py = values.py();
    let argument = known_argument(argument)?;
    let report = PyDict::new(py);
    let numbers = |numbers: &Numbers| {
        report.set_item("dtype", numbers.dtype().name())?;
        report.set_item("copied", numbers.copied())?;
        report.set_item("values", scalar::numbers_to_python(py, numbers))
    };
    let set = |labels: &LabelSet| {
        report.set_item("kind", kind_name(labels.kind))?;
        report.set_item("labels", label_set_to_python(py, labels)?)
    };
    match what {
        "labels" => {
            let held = HeldLabels::take(values, argument)?;
            report.set_item("rows", held.lend().len())?;
            match held.read {
                Read::Numbers(read) => {
                    report.set_item("kind", kind_name(read.kind()))?;
                    numbers(&read)?;
                }
                Read::Coded(CodedColumn { codes, labels, kind, .. }) => {
                    report.set_item("dtype", "coded")?;
                    report.set_item("copied", true)?;
                    report.set_item("values", scalar::codes_to_python(py, &codes))?;
                    set(&LabelSet { kind, values: Arc::unwrap_or_clone(labels) })?;
                }
            }
        }
        "scores" => {
            let held = HeldScores::take(values, argument)?;
            report.set_item("rows", held.lend().len())?;
            numbers(&held.numbers)?;
        }
        "weights" => {
            if let Some(read) = HeldWeights::take(Some(values), argument)?.numbers {
                report.set_item("rows", read.len())?;
                numbers(&read)?;
            }
        }
        "matrix" => {
            let held = HeldMatrix::take(values, argument)?;
            let matrix = held.lend();
            report.set_item("rows", matrix.rows())?;
            report.set_item("columns", matrix.columns())?;
            report.set_item("dtype", held.dtype_name())?;
            let mut out = Vec::new();
            let rows = matrix.lowered(0..matrix.rows(), &mut out);
            report.set_item("values", numpy::PyArray1::from_slice(py, rows))?;
        }
        "label_set" => set(&label_set_from_python(values, argument)?)?,
        "label" => {
            let (label, kind) = label_from_python(values, argument)?;
            report.set_item("kind", kind_name(kind))?;
            report.set_item("label", label_to_python(py, &label, kind)?)?;
        }
        _ => {
            let expected =
                "\"labels\", \"scores\", \"weights\", \"matrix\", \"label_set\" or \"label\"";
            return Err(Refusal::argument("what", format!("{what:?}"), expected).into());
        }
    }
    Ok(report)
}

fn kind_name(kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Bool => "bool",
        LabelKind::Int => "int",
        LabelKind::Float => "float",
        LabelKind::Text => "text",
    }
}
