//! Text from Python.

use pyo3::prelude::*;
use pyo3::types::PyString;

/// The one way in which text is taken from Python, whose strings may hold lone surrogates, and
/// numpy's also codes beyond Unicode: None for those.
#[allow(clippy::disallowed_methods)]
pub(crate) fn unicode<'a>(text: &'a Bound<'_, PyString>) -> Option<&'a str> {
    let text = text.to_str().ok()?;
    // pyo3 does not check what Python encoded.
    let is_checked = text.as_bytes().is_ascii() || std::str::from_utf8(text.as_bytes()).is_ok();
    is_checked.then_some(text)
}
