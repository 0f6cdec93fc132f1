//! The name of an index as an argument.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::base::error::Refusal;
use crate::index;
use crate::index::row::Index;

use crate::py::argument::{refused, text};
use crate::py::error::{PyResult, Raised};

/// The row of the registry that an argument names.
#[derive(Clone, Copy)]
pub(crate) struct Named(pub(crate) &'static Index);

impl<'py> FromPyObject<'_, 'py> for Named {
    type Error = Raised;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if !given.is_instance_of::<PyString>() {
            return Err(refused("name", &given, "the name of an index, such as \"f1\""));
        }
        Ok(Self(index::find(short(&text(&given, "name")?)?)?))
    }
}

/// The row that an argument names, or one for the expression that it is: `2*tp - fp`.
#[derive(Clone, Copy)]
pub(crate) struct Expressed(pub(crate) &'static Index);

impl<'py> FromPyObject<'_, 'py> for Expressed {
    type Error = Raised;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if !given.is_instance_of::<PyString>() {
            return Ok(Self(Named::extract(given)?.0));
        }
        let text = text(&given, "name")?;
        // A name may have a plus or a hyphen in it, "LR+" for one, so it is looked up first.
        if !text.contains(['*', '/', '^', '(']) {
            match Named::extract(given) {
                Ok(Named(row)) => return Ok(Self(row)),
                Err(unknown) if !text.contains(['+', '-']) => return Err(unknown),
                Err(_) => {}
            }
        }
        Ok(Self(index::of_expression(&text)?))
    }
}

/// The most characters that a name of an index has.
const MOST: usize = 100;

/// A name that may be looked up. One that is too long has no near ones, and the search for them
/// would take seconds.
fn short(name: &str) -> Result<&str, Refusal> {
    match name.char_indices().nth(MOST) {
        None => Ok(name),
        Some((end, _)) => Err(Refusal::Index {
            name: format!("{}…", &name[..end]),
            problem: "is not the name of an index; rocksteady.indices() lists them".to_owned(),
        }),
    }
}
