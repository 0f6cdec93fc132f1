//! True labels for `rocksteady.metrics`: scikit-learn refuses some labels that the core takes.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::base::input::{Label, LabelKind, Labels};
use crate::labels::binary::Pair;
use crate::py::argument::Text;
use crate::py::border::HeldLabels;
use crate::py::error::PyResult;

/// Whether a column is an array of objects, or of one of pandas' own dtypes for objects: numbers
/// among them are no labels to scikit-learn, though they are to us.
fn are_objects(column: &Bound<'_, PyAny>) -> bool {
    is_of(column, "kind")
}

/// The same of numpy's dtype only.
pub(crate) fn are_plain_objects(column: &Bound<'_, PyAny>) -> bool {
    is_of(column, "char")
}

fn is_of(column: &Bound<'_, PyAny>, letter: &str) -> bool {
    if let Ok(array) = column.cast::<PyUntypedArray>() {
        return array.dtype().kind() == b'O';
    }
    if column.is_instance_of::<PyList>() || column.is_instance_of::<PyTuple>() {
        return false;
    }
    let letter = column.getattr("dtype").and_then(|dtype| dtype.getattr(letter));
    letter.is_ok_and(|letter| letter.extract::<Text>().is_ok_and(|letter| &*letter == "O"))
}

/// The true labels of a call, and whether scikit-learn takes them as they are.
pub(crate) struct Truth {
    held: HeldLabels,
    objects: bool,
}

impl Truth {
    pub(crate) fn take(y_true: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { objects: are_objects(y_true), held: HeldLabels::take(y_true, "y_true")? })
    }

    pub(crate) fn lend(&self) -> Labels<'_> {
        self.held.lend()
    }

    /// Whether the labels are numbers or text as scikit-learn has them: no objects other than text,
    /// and no bytes. A positive label that is `named` must be text where they are, and only there.
    pub(crate) fn is_plain(&self, named: Option<&Bound<'_, PyAny>>) -> bool {
        match self.lend() {
            Labels::Coded(coded) => {
                let same = named.is_none_or(PyAnyMethods::is_instance_of::<PyString>);
                coded.kind == LabelKind::Text && same && !self.held.are_bytes()
            }
            _ => !self.objects,
        }
    }

    /// Whether scikit-learn knows which label of the `pair` is positive: {0, 1} or {-1, 1}.
    pub(crate) fn is_usual(&self, pair: &Pair) -> bool {
        let usual = matches!(
            (&pair.negative, &pair.positive),
            (Some(Label::Int(-1 | 0)), Some(Label::Int(1)) | None) | (None, Some(Label::Int(1)))
        );
        usual && !self.objects && !matches!(self.lend(), Labels::Coded(_))
    }
}
