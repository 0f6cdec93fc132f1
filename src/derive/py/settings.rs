//! Settings that hold for the whole process.

use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::base::error::Refusal;
use crate::base::memory::kept::{self, KeptMemory};
use crate::base::{split_time, threads, wide};

use crate::py::error::PyResult;
use crate::py::{argument, gate};

/// Sets the number of threads that a call may use, or with None returns to the default.
#[pyfunction]
#[pyo3(signature = (n = None))]
pub(crate) fn set_threads(n: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let n = n.map(|n| whole(n, "n", "1 to 1024 threads, or None"));
    Ok(threads::set_threads(n.transpose()?)?)
}

/// A whole number from 0.
fn whole(given: &Bound<'_, PyAny>, name: &'static str, expected: &'static str) -> PyResult<usize> {
    given.extract().map_err(|_| match given.cast::<PyInt>() {
        Ok(number) => Refusal::argument(name, number, expected).into(),
        Err(_) => argument::refused(name, given, expected),
    })
}

/// The number of threads that a call may use.
#[pyfunction]
pub(crate) fn get_threads() -> PyResult<usize> {
    Ok(threads::threads()?)
}

/// The memory of the extension.
#[global_allocator]
static MEMORY: KeptMemory = KeptMemory;

/// Sets the most bytes of freed memory that are kept, or with None returns to the default.
#[pyfunction]
#[pyo3(signature = (limit = None))]
pub(crate) fn set_kept_memory(limit: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let limit = limit.map(|limit| whole(limit, "limit", "a number of bytes, or None"));
    kept::set_limit(limit.transpose()?.unwrap_or(kept::DEFAULT_LIMIT));
    Ok(())
}

/// The most bytes of freed memory that are kept.
#[pyfunction]
pub(crate) fn get_kept_memory() -> usize {
    kept::limit()
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

/// The seconds since the last call in which one thread ran what several would have shared.
/// Measures from now on, or no longer.
#[pyfunction]
pub(crate) fn _split_seconds(is_measured: bool) -> f64 {
    split_time::seconds(is_measured)
}
