//! How long work ran on one thread that several would have shared: `benches/cores.py` subtracts it
//! from the time of a call, and the rest is the call's serial share.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

static IS_MEASURED: AtomicBool = AtomicBool::new(false);
static NANOSECONDS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`, and adds its time. Work inside other work is not counted twice.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> T {
    if !IS_MEASURED.load(Ordering::Relaxed) || IS_INSIDE.replace(true) {
        return work();
    }
    let start = Instant::now();
    let result = work();
    let nanoseconds = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    NANOSECONDS.fetch_add(nanoseconds, Ordering::Relaxed);
    IS_INSIDE.set(false);
    result
}

/// The seconds since the last call. Measures from now on, or no longer.
pub fn seconds(is_measured: bool) -> f64 {
    IS_MEASURED.store(is_measured, Ordering::Relaxed);
    NANOSECONDS.swap(0, Ordering::Relaxed) as f64 / 1e9
}
