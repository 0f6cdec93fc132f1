//! Refusals as Python exceptions.
//!
//! The classes are written in Python (`rocksteady/errors.py`), where users, type checkers and
//! pickle see them; here is the one place that chooses among them and fills in their attributes.

use std::convert::Infallible;

use numpy::{AsSliceError, BorrowError};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use pyo3::{CastError, CastIntoError};

use crate::base::error::{Kind, Refusal};
use crate::base::memory::refusal;

/// A Python exception, which a [`Refusal`] becomes by `?`.
pub(crate) struct Raised(PyErr);

/// What functions of this folder return, in place of pyo3's.
pub(crate) type PyResult<T> = Result<T, Raised>;

impl From<Refusal> for Raised {
    fn from(refusal: Refusal) -> Self {
        Self(Python::attach(|py| raised(py, &refusal).unwrap_or_else(|error| error)))
    }
}

macro_rules! raised_from {
    ($($error:ty)*) => {$(
        impl From<$error> for Raised {
            fn from(error: $error) -> Self {
                Self(error.into())
            }
        }
    )*};
}
raised_from!(PyErr CastError<'_, '_> CastIntoError<'_> BorrowError AsSliceError Infallible);

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> Self {
        raised.0
    }
}

/// The exception of a refusal.
fn raised(py: Python<'_>, refusal: &Refusal) -> pyo3::PyResult<PyErr> {
    static VALUE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static KEY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static FILE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (class, name) = match refusal.kind() {
        Kind::Value => (&VALUE, "InputError"),
        Kind::Type => (&TYPE, "InputTypeError"),
        Kind::Key => (&KEY, "UnknownIndexError"),
        Kind::File => (&FILE, "StorageError"),
        Kind::Memory => return Ok(PyMemoryError::new_err(refusal.to_string())),
    };
    let class = class.import(py, "rocksteady.errors", name)?;
    let details = PyDict::new(py);
    match refusal {
        Refusal::Length { argument, found, expected, .. } => {
            details.set_item("argument", argument)?;
            details.set_item("value", found.to_string())?;
            details.set_item("expected", expected.to_string())?;
        }
        Refusal::Empty { argument } => details.set_item("argument", argument)?,
        Refusal::Row { argument, row, value, expected }
        | Refusal::RowType { argument, row, value, expected } => {
            details.set_item("argument", argument)?;
            details.set_item("row", row)?;
            details.set_item("value", value)?;
            details.set_item("expected", expected)?;
        }
        Refusal::Argument { argument, value, expected }
        | Refusal::Type { argument, value, expected } => {
            details.set_item("argument", argument)?;
            details.set_item("value", value)?;
            details.set_item("expected", expected)?;
        }
        Refusal::Expression { argument, place, found, expected, .. } => {
            details.set_item("argument", argument)?;
            details.set_item("value", found)?;
            details.set_item("expected", expected)?;
            details.set_item("position", place)?;
        }
        Refusal::Index { name, .. } => details.set_item("value", name)?,
        Refusal::Memory { .. }
        | Refusal::NoMemory { .. }
        | Refusal::File { .. }
        | Refusal::Merge { .. }
        | Refusal::Difference { .. }
        | Refusal::Bytes { .. } => {}
    }
    Ok(PyErr::from_value(class.call((refusal.to_string(),), Some(&details))?))
}

/// The exception for work that unwound: `MemoryError` for want of memory, else `InternalError`.
pub(crate) fn unwound(py: Python<'_>, panic: &(dyn std::any::Any + Send)) -> Raised {
    if let Some(refusal) = refusal(panic) {
        return refusal.into();
    }
    // pyo3 and numpy panic where Python has no memory for an object.
    PyErr::take(py).map_or_else(|| internal(py, panic), Raised)
}

/// The exception for a mistake of ours: a Rust panic, with its message.
pub(crate) fn internal(py: Python<'_>, panic: &(dyn std::any::Any + Send)) -> Raised {
    static INTERNAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let message = format!("a mistake inside rocksteady, please report it: {text}");
    Raised(match INTERNAL.import(py, "rocksteady.errors", "InternalError") {
        Ok(class) => PyErr::from_type(class.clone(), message),
        Err(_) => PyRuntimeError::new_err(message),
    })
}
