//! Gains tables and profit, for Python.

use pyo3::prelude::*;

use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::scores::gains::{Bands, MOST_BANDS};
use crate::scores::score_table::ScoreTable;

use crate::py::argument;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::memory::{Array, arrays};
use crate::py::scores::score_table::ScoreState;

/// A number of bands or bins from an argument.
pub(super) fn number_of(given: &Bound<'_, PyAny>, name: &'static str) -> PyResult<usize> {
    given.extract().map_err(|_| match given.extract::<i128>() {
        Ok(number) => Refusal::argument(name, number, format!("1 to {MOST_BANDS}")).into(),
        Err(_) => argument::refused(name, given, "an integer"),
    })
}

/// A number of bands, or the bands between given edges.
fn bands_of(
    table: &ScoreTable,
    bands: usize,
    edges: Option<&[f64]>,
    ascending: bool,
) -> Result<Bands> {
    match edges {
        Some(edges) => Bands::at(table, edges, ascending),
        None => Bands::of(table, bands, ascending),
    }
}

/// The columns of `GainsTable` in its order, and its single values.
type Gained<'py> = ([Array<'py>; 20], (f64, f64, usize));

/// The gains table of a ranking.
#[pyfunction]
pub(crate) fn gains<'py>(
    py: Python<'py>,
    state: &ScoreState,
    bands: &Bound<'py, PyAny>,
    edges: Option<Vec<f64>>,
    ascending: &Bound<'py, PyAny>,
    smoothing: f64,
) -> PyResult<Gained<'py>> {
    let bands = number_of(bands, "bands")?;
    let ascending = argument::flag(ascending, "ascending")?;
    let size = edges.as_ref().map_or(bands, Vec::len).saturating_mul(16);
    let (bands, gains) = gate::run(py, size, || {
        let bands = bands_of(state.table(), bands, edges.as_deref(), ascending)?;
        let gains = bands.gains(smoothing);
        Ok((bands, gains))
    })?;
    let columns = [
        bands.highest,
        bands.lowest,
        gains.rows,
        bands.positives,
        bands.negatives,
        gains.response_rate,
        gains.capture,
        gains.negative_capture,
        gains.lift,
        gains.cumulative_rows,
        bands.cumulative_positives,
        bands.cumulative_negatives,
        gains.cumulative_response_rate,
        gains.gain,
        gains.negative_gain,
        gains.cumulative_lift,
        gains.ks,
        gains.odds,
        gains.weight_of_evidence,
        gains.information_value,
    ];
    let single = (gains.greatest_ks, gains.total_information_value, gains.rank_order_breaks);
    Ok((arrays(py, columns), single))
}

/// The columns of `ProfitTable` in its order, and the number of the best bands.
type Profits<'py> = ([Array<'py>; 9], usize);

/// The profit of the bands of a ranking.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn profit<'py>(
    py: Python<'py>,
    state: &ScoreState,
    bands: &Bound<'py, PyAny>,
    edges: Option<Vec<f64>>,
    ascending: &Bound<'py, PyAny>,
    benefit: f64,
    cost: f64,
    fixed_cost: f64,
) -> PyResult<Profits<'py>> {
    let bands = number_of(bands, "bands")?;
    let ascending = argument::flag(ascending, "ascending")?;
    let size = edges.as_ref().map_or(bands, Vec::len).saturating_mul(16);
    let (bands, profit) = gate::run(py, size, || {
        let bands = bands_of(state.table(), bands, edges.as_deref(), ascending)?;
        let profit = bands.profit(benefit, cost, fixed_cost);
        Ok((bands, profit))
    })?;
    let rows = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + b).gather();
    let own = rows(&bands.positives, &bands.negatives);
    let all = rows(&bands.cumulative_positives, &bands.cumulative_negatives);
    let columns = [
        bands.highest,
        bands.lowest,
        own,
        bands.positives,
        all,
        bands.cumulative_positives,
        profit.profit,
        profit.cumulative_profit,
        profit.return_on_investment,
    ];
    Ok((arrays(py, columns), profit.best))
}
