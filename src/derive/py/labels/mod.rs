//! Labels and their counts, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `confusion` | the confusion matrix |
//! | `tables` | 2×2 tables of classes, labels, rows |
//! | `counts` | arrays of 2×2 tables |
//! | `readings` | many indices of a matrix in one call |

pub(crate) mod confusion;
pub(crate) mod counts;
pub(crate) mod readings;
pub(crate) mod tables;
