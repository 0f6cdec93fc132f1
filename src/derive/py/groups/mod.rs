//! Statistics by group, for Python.

pub(crate) mod state;
