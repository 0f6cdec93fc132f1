//! Single labels, sets of labels and columns, from Python and back.

use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyList};

use crate::base::dtype::{Class, Number, visit};
use crate::base::error::Refusal;
use crate::base::input::{Label, LabelKind, LabelSet, MISSING, Scores};
use crate::base::memory::Gather;
use crate::labels::binary::Pair;

use crate::py::argument::Text;
use crate::py::border::numbers::Numbers;
use crate::py::border::objects;
use crate::py::error::PyResult;

/// A label from a Python scalar, with its kind: for a `pos_label=` argument.
///
/// # Errors
/// Refuses a missing label, and anything that is not a label.
pub(crate) fn label_from_python(
    object: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<(Label, LabelKind)> {
    objects::label(object, argument)?
        .ok_or_else(|| Refusal::argument(argument, "missing", "a label").into())
}

/// A label as the Python scalar that it came as.
///
/// # Errors
/// None but those of Python, out of memory.
pub(crate) fn label_to_python<'py>(
    py: Python<'py>,
    label: &Label,
    kind: LabelKind,
) -> PyResult<Bound<'py, PyAny>> {
    match (label, kind) {
        (Label::Text(text), _) => Ok((&**text).into_bound_py_any(py)?),
        (Label::Int(value), LabelKind::Bool) => {
            Ok(PyBool::new(py, *value != 0).to_owned().into_any())
        }
        (Label::Int(value), LabelKind::Float) => Ok((*value as f64).into_bound_py_any(py)?),
        (Label::Int(value), _) => Ok(value.into_bound_py_any(py)?),
    }
}

/// A label as Python has it; None for one that no row has.
pub(crate) type SomeLabel<'py> = Option<Bound<'py, PyAny>>;

/// The label, if there is one.
pub(crate) fn some_label<'py>(
    py: Python<'py>,
    label: Option<&Label>,
    kind: LabelKind,
) -> PyResult<SomeLabel<'py>> {
    label.map(|label| label_to_python(py, label, kind)).transpose()
}

/// The negative and the positive label.
pub(crate) fn pair_to_python<'py>(
    py: Python<'py>,
    pair: &Pair,
    kind: LabelKind,
) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
    let of = |label: &Option<Label>| some_label(py, label.as_ref(), kind);
    Ok((of(&pair.negative)?, of(&pair.positive)?))
}

/// A set of labels as a numpy array: bool, int64 (uint64 or object where they are too great),
/// float64, or text.
///
/// # Errors
/// None but those of Python, out of memory.
pub(crate) fn label_set_to_python<'py>(
    py: Python<'py>,
    labels: &LabelSet,
) -> PyResult<Bound<'py, PyAny>> {
    static ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let ints: Vec<i128> = labels
        .values
        .iter()
        .filter_map(|label| if let Label::Int(value) = label { Some(*value) } else { None })
        .gather();
    let all_ints = ints.len() == labels.len();
    match labels.kind {
        LabelKind::Bool if all_ints => {
            let values: Vec<bool> = ints.into_iter().map(|value| value != 0).gather();
            return Ok(PyArray1::from_vec(py, values).into_any());
        }
        LabelKind::Float if all_ints => {
            let values: Vec<f64> = ints.into_iter().map(|value| value as f64).gather();
            return Ok(PyArray1::from_vec(py, values).into_any());
        }
        LabelKind::Int if all_ints => {
            let narrow: Result<Vec<i64>, _> = ints.iter().map(|&v| i64::try_from(v)).gather_all();
            if let Ok(values) = narrow {
                return Ok(PyArray1::from_vec(py, values).into_any());
            }
            let narrow: Result<Vec<u64>, _> = ints.iter().map(|&v| u64::try_from(v)).gather_all();
            if let Ok(values) = narrow {
                return Ok(PyArray1::from_vec(py, values).into_any());
            }
        }
        _ => {}
    }
    let values: Vec<_> =
        labels.values.iter().map(|label| label_to_python(py, label, labels.kind)).gather_all()?;
    let dtype = if labels.kind == LabelKind::Text { "str" } else { "object" };
    Ok(ARRAY.import(py, "numpy", "array")?.call1((PyList::new(py, values)?, dtype))?)
}

/// Numbers as a numpy array of their dtype.
pub(crate) fn array_of<N: Number>(py: Python<'_>, values: Vec<N::Raw>) -> Bound<'_, PyAny>
where
    N::Raw: numpy::Element,
{
    if N::CLASS == Class::Truth {
        let values: Vec<bool> = values.into_iter().map(|x| N::flag(x) == 1).gather();
        return PyArray1::from_vec(py, values).into_any();
    }
    PyArray1::from_vec(py, values).into_any()
}

/// A column of numbers as a numpy array of the machine's byte order.
pub(crate) fn numbers_to_python<'py>(py: Python<'py>, numbers: &Numbers) -> Bound<'py, PyAny> {
    visit!(Scores(numbers.scores()), |column, N| {
        let values = (0..column.len()).map(|row| column.get(row));
        array_of::<N>(py, values.gather())
    })
}

/// A column of codes as a numpy array of int64, with −1 where missing.
pub(crate) fn codes_to_python<'py>(py: Python<'py>, codes: &[u32]) -> Bound<'py, PyAny> {
    let codes = codes.iter().map(|&code| if code == MISSING { -1 } else { i64::from(code) });
    PyArray1::from_vec(py, codes.gather()).into_any()
}

/// What `base/containers.py` makes of a container: the name of a form and its one or two
/// parts.
pub(crate) fn open_container<'py>(
    object: &Bound<'py, PyAny>,
    argument: &'static str,
) -> PyResult<(Text, Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    static OPENED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let opened = OPENED.import(py, "rocksteady.base.containers", "opened")?;
    Ok(opened.call1((object, argument))?.extract()?)
}
