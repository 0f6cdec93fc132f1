//! The one gate through which work goes: it releases the interpreter, and turns refusals, panics
//! and Ctrl-C into exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::base::error::Result;

use crate::py::error::internal;

/// Up to this many rows the interpreter is not released: the work takes some microseconds, and
/// other threads may take as many milliseconds to hand the interpreter back.
const KEPT_ROWS: usize = 1 << 14;

/// Runs `work` over about `rows` rows, with the interpreter released if they are many.
///
/// A state that `work` changes must be valid wherever `work` can panic. Best, `work` builds a new
/// state.
///
/// # Errors
/// A refusal as its class in `rocksteady.errors`; a panic as `InternalError`; `KeyboardInterrupt`
/// if Ctrl-C was pressed meanwhile, which is checked when the work is done.
pub(crate) fn run<T, F>(py: Python<'_>, rows: usize, work: F) -> PyResult<T>
where
    T: Send,
    F: Send + FnOnce() -> Result<T>,
{
    let guarded = || catch_unwind(AssertUnwindSafe(work));
    let outcome = if rows <= KEPT_ROWS {
        guarded()
    } else {
        let outcome = py.detach(guarded);
        py.check_signals()?;
        outcome
    };
    match outcome {
        Ok(result) => Ok(result?),
        Err(panic) => Err(internal(py, &*panic)),
    }
}

/// Runs `work`, which needs the interpreter, and turns a panic into `InternalError`.
///
/// # Errors
/// Those of `work`, and `InternalError`.
pub(crate) fn keep<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(py, &*panic)))
}
