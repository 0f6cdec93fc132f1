//! Intervals of confidence, for Python.

pub(crate) mod interval;
