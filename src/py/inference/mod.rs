//! Intervals of confidence and comparisons of models, for Python.

pub(crate) mod interval;
pub(crate) mod paired_areas;
pub(crate) mod paired_labels;
pub(crate) mod scores;
pub(crate) mod two_proportions;
