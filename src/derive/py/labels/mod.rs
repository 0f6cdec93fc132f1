//! Labels and their counts, for Python.

pub(crate) mod confusion;
pub(crate) mod counts;
pub(crate) mod readings;
pub(crate) mod tables;
