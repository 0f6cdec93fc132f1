//! Classification metrics for millions of predictions.
//!
//! > Count once, derive everything. Exact, or with a proven interval. The same bits, however the data were split.
//!
//! The map of the house, in the order in which data flow:
//!
//! | module | owns | must not know |
//! |---|---|---|
//! | [`mod@column`] | borrowed columns of numbers in any layout, read in cache-sized chunks | what the numbers mean |
//! | [`input`] | label, score and weight columns as they arrive; label sets | how they are counted |
//! | [`kernel`] | the tuned loops: columns in, statistic out | Python, formulas |
//! | [`stat`] | the statistics: invariants, merging, bytes | where the data came from |
//! | [`index`] | the registry: one row per index, pure formulas over statistics | loops over data |
//! | [`error`] | every way an input is refused, with the numbers inside | |
//! | [`threads`] | how many threads a kernel may use | |
//! | `py` | the only module that names pyo3 or numpy | |

pub mod column;
pub mod error;
pub mod index;
pub mod input;
pub mod kernel;
pub mod stat;
pub mod threads;

#[cfg(feature = "python")]
mod py;
