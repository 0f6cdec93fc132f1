//! The name of an index as an argument.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::index;
use crate::index::row::Index;

use crate::py::argument::refused;

/// The row of the registry that an argument names.
#[derive(Clone, Copy)]
pub(crate) struct Named(pub(crate) &'static Index);

impl<'py> FromPyObject<'_, 'py> for Named {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let name = given
            .cast::<PyString>()
            .map_err(|_| refused("name", &given, "the name of an index, such as \"f1\""))?;
        Ok(Self(index::find(&name.to_string_lossy())?))
    }
}
