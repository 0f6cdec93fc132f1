//! The only module that names pyo3 or numpy: arrays in, errors out, interpreter released.
