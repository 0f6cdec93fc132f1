//! Settings that hold for the whole process.

use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::base::error::Refusal;
use crate::base::{threads, wide};

use crate::py::{argument, gate};

/// Sets the number of threads that a call may use, or with None returns to the default.
#[pyfunction]
#[pyo3(signature = (n = None))]
pub(crate) fn set_threads(n: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let expected = "1 to 1024 threads, or None";
    let n = n.map(|n| {
        n.extract().map_err(|_| match n.cast::<PyInt>() {
            Ok(number) => Refusal::argument("n", number, expected).into(),
            Err(_) => argument::refused("n", n, expected),
        })
    });
    Ok(threads::set_threads(n.transpose()?)?)
}

/// The number of threads that a call may use.
#[pyfunction]
pub(crate) fn get_threads() -> PyResult<usize> {
    Ok(threads::threads()?)
}

/// The instructions that the kernels use: the widest of the machine, or fewer by
/// `ROCKSTEADY_INSTRUCTIONS`.
#[pyfunction]
pub(crate) fn _instructions() -> &'static str {
    wide::level_name()
}

/// Sends work through the gate, for tests of the gate: adds up the rows 0 to `rows` over all
/// threads, or refuses, or panics.
#[pyfunction]
#[pyo3(signature = (rows, outcome = "sum"))]
pub(crate) fn _through_the_gate(py: Python<'_>, rows: usize, outcome: &str) -> PyResult<u64> {
    gate::run(py, rows, || match outcome {
        "sum" => {
            let parts = threads::over_parts(rows, |part| Ok(part.map(|row| row as u64).sum()))?;
            Ok(parts.into_iter().fold(0, u64::wrapping_add))
        }
        "refusal" => Err(Refusal::row("rows", 17, 2, "0 or 1")),
        #[allow(clippy::panic)]
        _ => panic!("{outcome}"),
    })
}
