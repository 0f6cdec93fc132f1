//! What is derived of a score table, and remembered.
//!
//! Uses [`super::score_table`].

pub(crate) mod areas;
pub(crate) mod block;
pub(crate) mod h_measure;
pub mod hull;
pub(crate) mod scored;
pub mod sums;
