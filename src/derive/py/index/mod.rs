//! The registry, and comparisons of indices, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `registry` | rows as dictionaries, parameters |
//! | `named` | the name of an index as an argument |
//! | `bounds` | bounds over a box of 2×2 tables |
//! | `comparison` | two indices compared |

pub(crate) mod bounds;
pub(crate) mod comparison;
pub(crate) mod named;
pub(crate) mod registry;
