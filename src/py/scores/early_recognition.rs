//! Many indices of a score table at once: it walks through its scores once for all of them.

use pyo3::prelude::*;

use crate::base::error::Result;
use crate::index::parameter::Parameters;

use crate::py::argument::Named;
use crate::py::gate;
use crate::py::index::registry::{Answer, answer};
use crate::py::scores::score_table::ScoreState;

/// From so many indices on, one walk for all sums beats one for each.
const MANY: usize = 8;

/// From so many on areas and calibration are among them.
const ALL: usize = 32;

/// Indices of the whole ranking by their defaults, and why they are undefined.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // what a pyfunction takes it owns
fn score_values(py: Python<'_>, state: &ScoreState, names: Vec<Named>) -> PyResult<Vec<Answer>> {
    let table = state.table();
    gate::run(py, table.len(), || {
        if names.len() >= ALL {
            table.prepare();
        } else if names.len() >= MANY {
            table.prepare_ranking();
        }
        let value = |&Named(row): &Named| {
            let value = row.of_sweep(table, &Parameters::defaults(row))?;
            Ok(answer(value))
        };
        names.iter().map(value).collect::<Result<Vec<Answer>>>()
    })
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(score_values, module)?)
}
