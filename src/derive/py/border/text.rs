//! Text from Python.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The bytes of a text from Python; None for lone surrogates. Of numpy's texts they may encode
/// codes beyond Unicode, which pyo3 does not check.
#[allow(clippy::disallowed_methods)]
pub(crate) fn encoded<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a [u8]> {
    text.to_str().ok().map(str::as_bytes)
}

/// The one way in which text is taken from Python: None for what is not Unicode.
pub(crate) fn unicode<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a str> {
    std::str::from_utf8(encoded(text)?).ok()
}
