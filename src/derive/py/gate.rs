//! The one gate through which work goes: it releases the interpreter, and turns refusals, panics
//! and Ctrl-C into exceptions.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::base::error::Result;
use crate::base::interrupt::interruptible;

use crate::py::error::PyResult;
use crate::py::error::{internal, unwound};

/// Up to this many rows the interpreter is not released: the work takes some microseconds, and
/// other threads may take as many milliseconds to hand the interpreter back.
const KEPT_ROWS: usize = 1 << 14;

/// From this many rows on, Ctrl-C stops the work: it takes some milliseconds at least, and another
/// thread costs some ten microseconds.
const WATCHED_ROWS: usize = 1 << 20;

/// How many rows take as long as one index of a table, of a score or over a cell of a matrix; and
/// as one interval, or one fraction. Of an index at many thresholds, each takes as long as a row.
pub(crate) const INDEX: usize = 10;
pub(crate) const INTERVAL: usize = 100;

/// How often Ctrl-C is looked for.
const WATCH_EVERY: Duration = Duration::from_millis(20);

/// Runs `work` that takes as long as counting about `rows` rows, with the interpreter released if
/// they are many.
///
/// A state that `work` changes must be valid wherever `work` can panic. Best, `work` builds a new
/// state.
///
/// # Errors
/// A refusal as its class in `rocksteady.errors`; want of memory as `MemoryError`; a panic as
/// `InternalError`; `KeyboardInterrupt` if Ctrl-C was pressed meanwhile, which stops the work if it
/// is long.
pub(crate) fn run<T, F>(py: Python<'_>, rows: usize, work: F) -> PyResult<T>
where
    T: Send,
    F: Send + FnOnce() -> Result<T>,
{
    let (mut work, mut result) = (Some(work), None);
    released(py, rows, &mut || result = work.take().map(|work| work()))?;
    match result {
        Some(result) => Ok(result?),
        None => Err(internal(py, &"work ended without a result")),
    }
}

/// Runs `work` once, as [`run`] says. It is compiled once: [`run`] stores the result.
fn released(py: Python<'_>, rows: usize, work: &mut (dyn FnMut() + Send)) -> PyResult<()> {
    let guarded = || catch_unwind(AssertUnwindSafe(work));
    let outcome = if rows <= KEPT_ROWS {
        guarded()
    } else if rows < WATCHED_ROWS {
        let outcome = py.detach(guarded);
        py.check_signals()?;
        outcome
    } else {
        watched(py, guarded)?
    };
    outcome.map_err(|panic| unwound(py, &*panic))
}

/// Runs `work` on a thread of its own, and looks for Ctrl-C meanwhile.
///
/// The thread that computes never waits for the interpreter, so it may hold locks that threads with
/// the interpreter wait for.
fn watched<T: Send>(py: Python<'_>, work: impl Send + FnOnce() -> T) -> PyResult<T> {
    let flag = AtomicBool::new(false);
    let (mut found, mut stopped) = (None, None);
    let is_done = AtomicBool::new(false);
    let (caller, place, is_up, done) = (thread::current(), &mut found, &flag, &is_done);
    let mut work = Some(work);
    thread::scope(|scope| {
        let given = &mut work;
        let body = move || {
            *place = given.take().map(|work| interruptible(is_up, work));
            done.store(true, Ordering::Release);
            caller.unpark();
        };
        if thread::Builder::new().spawn_scoped(scope, body).is_err() {
            return; // The system gives no threads.
        }
        while !is_done.load(Ordering::Acquire) {
            py.detach(|| thread::park_timeout(WATCH_EVERY));
            if stopped.is_none()
                && let Err(signal) = py.check_signals()
            {
                stopped = Some(signal);
                flag.store(true, Ordering::Relaxed);
            }
        }
    });
    match (stopped, found, work) {
        (Some(signal), ..) => Err(signal.into()),
        (None, Some(found), _) => Ok(found),
        (None, None, Some(work)) => Ok(py.detach(work)),
        (None, None, None) => Err(internal(py, &"a thread ended without a result")),
    }
}

/// Runs `work`, which needs the interpreter, and turns a panic into `InternalError`.
///
/// # Errors
/// Those of `work`, `MemoryError` and `InternalError`.
pub(crate) fn keep<T>(py: Python<'_>, work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(unwound(py, &*panic)))
}
