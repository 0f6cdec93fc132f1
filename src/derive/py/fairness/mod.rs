//! Differences between groups, for Python.

pub(crate) mod disparity;
pub(crate) mod scores;
pub(crate) mod worst;
