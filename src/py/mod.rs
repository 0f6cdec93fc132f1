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
//! | [`truth`] | labels that scikit-learn refuses though the core takes them |
//!
//! Each file with something for Python has an `add` function, called below;
//! `rocksteady/_rocksteady.pyi` documents it.

pub(crate) mod argument;
pub(crate) mod border;
pub(crate) mod classes;
pub(crate) mod error;
pub(crate) mod gate;
pub(crate) mod index;
pub(crate) mod labels;
pub(crate) mod memory;
pub(crate) mod scores;
pub(crate) mod settings;
pub(crate) mod truth;

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
    scores::probability_sums::add(module)?;
    classes::probability_sums::add(module)?;
    index::registry::add(module)?;
    labels::counts::add(module)?;
    labels::confusion::add(module)?;
    labels::readings::add(module)?;
    index::comparison::add(module)?;
    index::interval::add(module)?;
    scores::score_table::add(module)?;
    classes::column_tables::add(module)?;
    classes::score_tables::add(module)?;
    classes::label_score_tables::add(module)?;
    scores::gains::add(module)?;
    scores::stability::add(module)?;
    classes::decision::add(module)?;
    labels::tables::add(module)?;
    scores::thresholds::add(module)?;
    scores::areas_of_rows::add(module)?;
    scores::curves_of_rows::add(module)?;
    scores::signed::add(module)?;
    scores::curves::add(module)?;
    scores::calibration::add(module)?;
    classes::areas::add(module)?;
    classes::listwise::add(module)?;
    settings::add(module)
}
