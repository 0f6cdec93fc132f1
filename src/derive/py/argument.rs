//! Single arguments that are not columns: options, numbers, bytes. Each refusal names the
//! argument.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arith::weight_kind::WeightKind;
use crate::base::coded::coder::UNICODE;
use crate::base::error::Refusal;

use crate::py::border::text::unicode;
use crate::py::border::what::described;
use crate::py::error::{PyResult, Raised};
use crate::scores::score_table::Side;

/// The value of an option, from its name.
pub(crate) fn option<T: Copy>(
    given: &Bound<'_, PyAny>,
    argument: &'static str,
    known: &[(&str, T)],
) -> PyResult<T> {
    let text = given.cast::<PyString>().ok();
    let name = text.and_then(unicode);
    let found = known.iter().find(|(known, _)| name == Some(*known));
    found.map(|found| found.1).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|known| format!("{:?}", known.0)).collect();
        let expected = match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        };
        match text {
            Some(_) => Refusal::argument(argument, described(given), expected).into(),
            None => refused(argument, given, &expected),
        }
    })
}

/// What the weights of rows mean.
pub(crate) fn weight_kind(given: &Bound<'_, PyAny>) -> PyResult<WeightKind> {
    option(given, "weight_kind", &WeightKind::ALL)
}

/// Which rows at a threshold are predicted positive.
pub(crate) fn side(given: &Bound<'_, PyAny>) -> PyResult<Side> {
    let sides = [(">=", Side::GreaterEqual), (">", Side::Greater)];
    option(given, "side", &sides)
}

/// A text.
pub(crate) fn text(given: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<String> {
    let text = given.cast::<PyString>();
    let text = text.map_err(|_| refused(argument, given, "a string"))?;
    let found = unicode(text).map(str::to_owned);
    found.ok_or_else(|| Refusal::argument(argument, described(given), UNICODE).into())
}

/// A text in a collection, or an argument of our own Python code: see [`text`].
pub(crate) struct Text(pub(crate) String);

impl<'py> FromPyObject<'_, 'py> for Text {
    type Error = Raised;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(text(&given, "name")?))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A number.
pub(crate) fn number(given: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<f64> {
    given.extract().map_err(|_| refused(argument, given, "a number"))
}

/// A truth value.
pub(crate) fn flag(given: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<bool> {
    given.extract().map_err(|_| refused(argument, given, "True or False"))
}

/// The bytes of a statistic.
pub(crate) fn bytes<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<&'a [u8]> {
    match given.cast::<PyBytes>() {
        Ok(data) => Ok(data.as_bytes()),
        Err(_) => Err(refused("data", given, "the bytes that to_bytes gave")),
    }
}

/// Refuses an object for its type.
pub(crate) fn refused(argument: &'static str, given: &Bound<'_, PyAny>, expected: &str) -> Raised {
    Refusal::Type { argument, value: described(given), expected: expected.to_owned() }.into()
}
