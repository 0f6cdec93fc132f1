//! Rankings by query, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `statistic` | rankings by query |

pub(crate) mod statistic;
