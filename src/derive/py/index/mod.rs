//! The registry, and comparisons of indices, for Python.

pub(crate) mod bounds;
pub(crate) mod comparison;
pub(crate) mod named;
pub(crate) mod registry;
