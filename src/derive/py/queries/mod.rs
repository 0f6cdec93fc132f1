//! Rankings by query, for Python.

pub(crate) mod statistic;
