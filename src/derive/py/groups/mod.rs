//! Statistics by group, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `state` | statistics by group |

pub(crate) mod state;
