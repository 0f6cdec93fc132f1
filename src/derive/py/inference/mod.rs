//! Intervals of confidence, comparisons of models and the bootstrap, for Python.

pub(crate) mod bootstrap;
pub(crate) mod interval;
pub(crate) mod paired_areas;
pub(crate) mod paired_labels;
pub(crate) mod scores;
pub(crate) mod two_proportions;
pub(crate) mod widened;
