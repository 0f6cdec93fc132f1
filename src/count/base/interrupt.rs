//! How a long call is stopped: the kernels check a flag once a chunk.
//!
//! 1. [`interruptible`] runs work on this thread under a flag; [`over_parts`] passes the flag to
//!    the threads of the pool.
//! 2. Each jump into a `wide!` loop, each chunk of rows and each request for memory calls `check`.
//! 3. If the flag is set, `check` unwinds with [`Interrupted`]. States stay unchanged, as after any
//!    panic.
//!
//! Cost: one load a chunk. The thread's flag is looked up, a call in a shared library, only while
//! some work can be stopped.
//!
//! [`over_parts`]: crate::base::threads::over_parts
#![allow(unsafe_code)]

use std::cell::Cell;
use std::panic::resume_unwind;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The panic of stopped work.
#[derive(Debug)]
pub struct Interrupted;

/// The flag of the work on this thread; null if there is none.
#[derive(Clone, Copy)]
pub(crate) struct Flag(*const AtomicBool);

// SAFETY: the flag is atomic, and outlives the work that looks at it: see `interruptible`.
unsafe impl Send for Flag {}
// SAFETY: as above.
unsafe impl Sync for Flag {}

thread_local! {
    static FLAG: Cell<Flag> = const { Cell::new(Flag(ptr::null())) };
}

/// The number of interruptible calls, on all threads.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

/// Decrements the number of interruptible calls, also on unwinding.
struct Ended;

impl Drop for Ended {
    fn drop(&mut self) {
        UNDER_WAY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Restores the previous flag, also on unwinding.
struct Restore(Flag);

impl Drop for Restore {
    fn drop(&mut self) {
        FLAG.set(self.0);
    }
}

pub(crate) fn flag() -> Flag {
    FLAG.get()
}

/// Runs a part of some work under the flag of the whole work.
pub(crate) fn under<T>(flag: Flag, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(FLAG.replace(flag));
    work()
}

/// Runs work on this thread. The work unwinds with [`Interrupted`] soon after `flag` is set.
pub fn interruptible<T>(flag: &AtomicBool, work: impl FnOnce() -> T) -> T {
    UNDER_WAY.fetch_add(1, Ordering::Relaxed);
    let _ended = Ended;
    under(Flag(ptr::from_ref(flag)), work)
}

/// Unwinds if the work on this thread should stop.
#[inline]
pub fn check() {
    if UNDER_WAY.load(Ordering::Relaxed) != 0 {
        check_flag();
    }
}

/// [`check`], once in about a thousand rows.
#[inline]
pub fn check_at(row: usize) {
    if row.is_multiple_of(1 << 12) {
        check();
    }
}

fn check_flag() {
    let Flag(flag) = FLAG.get();
    // SAFETY: a flag that is not null is borrowed by the `interruptible` that this work runs in.
    if !flag.is_null() && unsafe { &*flag }.load(Ordering::Relaxed) {
        stop();
    }
}

#[cold]
fn stop() -> ! {
    resume_unwind(Box::new(Interrupted))
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::base::threads::{SERIAL_ROWS, over_parts};

    #[test]
    fn work_stops_at_its_next_check_and_other_work_goes_on() {
        let flag = AtomicBool::new(false);
        let work = || {
            interruptible(&flag, || {
                let parts = over_parts(SERIAL_ROWS * 8, |part| {
                    flag.store(true, Ordering::Relaxed);
                    check();
                    Ok(part.len())
                });
                parts.map(|parts| parts.len())
            })
        };
        let stopped = catch_unwind(std::panic::AssertUnwindSafe(work));
        assert!(stopped.unwrap_err().is::<Interrupted>());
        check(); // no flag is left behind
        assert_eq!(
            over_parts(9, |part| {
                check();
                Ok(part.len())
            })
            .unwrap(),
            [9]
        );
    }
}
