//! Single arguments that are not columns: options, numbers, bytes. Each refusal names the
//! argument.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::arith::weight_kind::WeightKind;
use crate::base::error::Refusal;

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
    let name = text.map(|text| text.to_string_lossy());
    let found = known.iter().find(|(known, _)| name.as_deref() == Some(*known));
    found.map(|found| found.1).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|known| format!("{:?}", known.0)).collect();
        let expected = match names.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => names.concat(),
        };
        match name {
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
    Ok(text.to_string_lossy().into_owned())
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
