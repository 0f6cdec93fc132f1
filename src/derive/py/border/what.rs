//! What an argument is to be, and the words for what it is instead.

use pyo3::prelude::*;

use crate::base::error::Refusal;

use crate::py::border::text::unicode;

/// What an argument is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Labels of classes.
    Labels,
    /// Scores.
    Scores,
    /// Weights.
    Weights,
}

/// Refuses an object that cannot be what it is to be.
pub(crate) fn refused_type(
    argument: &'static str,
    found: impl Into<String>,
    what: What,
) -> Refusal {
    let expected = match what {
        What::Labels => {
            "an array of labels: truth values, integers, floats that are whole numbers, or text"
        }
        What::Scores => "an array of real numbers of at most 64 bits",
        What::Weights => "an array of real numbers of at most 64 bits, or None",
    };
    Refusal::Type { argument, value: found.into(), expected: expected.into() }
}

/// An object for a sentence: its repr if that is short, else its type. A column is not asked for
/// its repr, which may take long, and warn.
pub(crate) fn described(item: &Bound<'_, PyAny>) -> String {
    if item.len().is_ok() && item.hasattr("__array__").unwrap_or(false) {
        return format!("of type {}", type_name(item));
    }
    match item.repr() {
        Ok(text) => match unicode(&text) {
            Some(text) if text.len() <= 40 && !text.contains('\n') => text.to_owned(),
            _ => format!("of type {}", type_name(item)),
        },
        Err(_) => format!("of type {}", type_name(item)),
    }
}

/// The name of an object's class.
pub(crate) fn type_name(item: &Bound<'_, PyAny>) -> String {
    let name = item.get_type().name();
    let name = name.as_ref().ok().and_then(unicode);
    name.unwrap_or("nameless object").to_owned()
}
