//! A threshold as Python has it.

use pyo3::prelude::*;

use crate::base::error::Refusal;
use crate::scores::sweep::given_thresholds::Threshold;

use crate::py::argument;
use crate::py::error::PyResult;

/// A number; an integer of scores that are integers.
#[derive(Clone, Copy, FromPyObject, IntoPyObject)]
pub(crate) enum Cut {
    Integer(i128),
    Float(f64),
}

impl Cut {
    /// A score, and the integer that it is, if it is one.
    pub(crate) fn of((score, integer): (f64, Option<i128>)) -> Self {
        integer.map_or(Self::Float(score), Self::Integer)
    }

    /// The threshold of an argument. NaN is refused.
    pub(crate) fn read(given: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Threshold> {
        let cut: Self =
            given.extract().map_err(|_| argument::refused(argument, given, "a number"))?;
        match cut.threshold() {
            Some(threshold) => Ok(threshold),
            None => Err(Refusal::argument(argument, "nan", "a number").into()),
        }
    }

    /// None of NaN.
    pub(crate) fn threshold(self) -> Option<Threshold> {
        match self {
            Self::Integer(integer) => Some(Threshold::Integer(integer)),
            Self::Float(float) => (!float.is_nan()).then_some(Threshold::Float(float)),
        }
    }
}
