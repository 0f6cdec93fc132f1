//! The difference and the ratio of two proportions, for Python.
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::base::memory::{Gather, joined};
use crate::base::threads::over_parts;
use crate::inference::two_proportions::{self as kernel, Known, Method, RatioMethod};

use crate::py::error::PyResult;
use crate::py::inference::interval::{Told, told};
use crate::py::{argument, gate};

/// Estimate, low, high, standard error.
type Arrays<'py> = [Bound<'py, PyArray1<f64>>; 4];

/// The difference of each two proportions: successes and rows of the first, and of the second.
#[pyfunction]
pub(crate) fn proportion_difference<'py>(
    py: Python<'py>,
    samples: [PyReadonlyArray1<'py, f64>; 4],
    level: f64,
    method: &Bound<'py, PyAny>,
) -> PyResult<Arrays<'py>> {
    let known = [
        ("newcombe", Method::Newcombe),
        ("miettinen_nurminen", Method::MiettinenNurminen),
        ("mee", Method::Mee),
        ("agresti_caffo", Method::AgrestiCaffo),
    ];
    let method = argument::option(method, "method", &known)?;
    of_each(py, samples, |[x1, n1, x2, n2]| kernel::difference((x1, n1), (x2, n2), level, method))
}

/// The ratio of each two proportions, likewise.
#[pyfunction]
pub(crate) fn proportion_ratio<'py>(
    py: Python<'py>,
    samples: [PyReadonlyArray1<'py, f64>; 4],
    level: f64,
    method: &Bound<'py, PyAny>,
) -> PyResult<Arrays<'py>> {
    let known = [
        ("koopman", RatioMethod::Koopman),
        ("miettinen_nurminen", RatioMethod::MiettinenNurminen),
        ("katz", RatioMethod::Katz),
    ];
    let method = argument::option(method, "method", &known)?;
    of_each(py, samples, |[x1, n1, x2, n2]| kernel::ratio((x1, n1), (x2, n2), level, method))
}

fn of_each<'py>(
    py: Python<'py>,
    columns: [PyReadonlyArray1<'py, f64>; 4],
    compute: impl Fn([f64; 4]) -> [f64; 4] + Send + Sync,
) -> PyResult<Arrays<'py>> {
    gate::keep(py, || {
        let columns: [Vec<f64>; 4] =
            columns.map(|column| column.as_array().iter().copied().gather());
        let rows = columns[0].len();
        let found = gate::run(py, rows.saturating_mul(1000), || {
            let one = |at: usize| compute([0, 1, 2, 3].map(|column: usize| columns[column][at]));
            Ok(joined(over_parts(rows, |part| Ok(part.map(one).gather()))?))
        })?;
        let field = |at: usize| found.iter().map(|four: &[f64; 4]| four[at]).gather();
        Ok([0, 1, 2, 3].map(|at| PyArray1::from_vec(py, field(at))))
    })
}

/// The difference of each two proportions of the same rows: those that succeed in both, only in the
/// first, only in the second, and in neither.
#[pyfunction]
pub(crate) fn paired_proportion_difference<'py>(
    py: Python<'py>,
    counts: [PyReadonlyArray1<'py, f64>; 4],
    level: f64,
) -> PyResult<Arrays<'py>> {
    of_each(py, counts, |cells| kernel::paired_difference(cells, level))
}

/// The difference of two values of different rows, each with its bounds, standard error and level,
/// and their correlation.
#[pyfunction]
pub(crate) fn independent_difference(
    first: (f64, [f64; 2], f64, f64),
    second: (f64, [f64; 2], f64, f64),
    rows: Option<[f64; 2]>,
    correlation: f64,
    level: f64,
) -> Told {
    let [first, second] =
        [first, second].map(|(value, bounds, error, level)| Known { value, bounds, error, level });
    told(kernel::independent(&first, &second, rows, correlation, level))
}
