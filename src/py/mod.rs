//! The only module that names pyo3 or numpy: arrays in, errors out, interpreter released.
//!
//! | module | owns |
//! |---|---|
//! | [`argument`] | names, options, numbers, bytes |
//! | [`border`] | array-likes as columns |
//! | [`error`] | refusals as exceptions |
//! | [`gate`] | releasing the interpreter; panics and Ctrl-C |
//! | [`memory`] | memory for large results |
//! | [`settings`] | the number of threads |
//!
//! Each file with something for Python has an `add` function, called below; `rocksteady/_rocksteady.pyi` documents it.

mod area;
mod argument;
mod bands;
mod border;
mod calibration;
mod class_probability;
mod compare;
mod confusion;
mod counts;
mod curve;
mod decision;
mod error;
mod gate;
mod interval;
mod label_score_tables;
mod listwise;
mod memory;
mod probability;
mod readings;
mod registry;
mod score;
mod score_tables;
mod screening;
mod settings;
mod sweep_curves;
mod tables;
mod thresholds;

use numpy::PyUntypedArray;
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

#[pymodule(gil_used = true)] // Objects are read while the interpreter is held: see the border.
fn _rocksteady(module: &Bound<'_, PyModule>) -> PyResult<()> {
    if cfg!(debug_assertions) {
        let warning = module.py().get_type::<PyRuntimeWarning>();
        let message = c"rocksteady was built without optimisation and is many times slower than it should be; \
            build it with --release";
        PyErr::warn(module.py(), &warning, message, 2)?;
    }
    // numpy's functions are looked up here, where a missing numpy is an ImportError.
    module.py().import("numpy")?;
    PyUntypedArray::type_object(module.py());
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    border::add(module)?;
    probability::add(module)?;
    class_probability::add(module)?;
    registry::add(module)?;
    counts::add(module)?;
    confusion::add(module)?;
    readings::add(module)?;
    compare::add(module)?;
    interval::add(module)?;
    score::add(module)?;
    score_tables::add(module)?;
    label_score_tables::add(module)?;
    bands::add(module)?;
    screening::add(module)?;
    decision::add(module)?;
    tables::add(module)?;
    thresholds::add(module)?;
    curve::add(module)?;
    sweep_curves::add(module)?;
    calibration::add(module)?;
    area::add(module)?;
    listwise::add(module)?;
    settings::add(module)
}
