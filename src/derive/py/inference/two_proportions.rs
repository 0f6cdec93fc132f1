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

fn arrays<'py>(py: Python<'py>, found: &[[f64; 4]]) -> Arrays<'py> {
    [0, 1, 2, 3].map(|field| PyArray1::from_vec(py, found.iter().map(|four| four[field]).gather()))
}

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
    of_each(py, samples, |first, second| kernel::difference(first, second, level, method))
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
    of_each(py, samples, |first, second| kernel::ratio(first, second, level, method))
}

fn of_each<'py>(
    py: Python<'py>,
    samples: [PyReadonlyArray1<'py, f64>; 4],
    compute: impl Fn((f64, f64), (f64, f64)) -> [f64; 4] + Send + Sync,
) -> PyResult<Arrays<'py>> {
    gate::keep(py, || {
        let samples = samples.map(|column| column.as_array().iter().copied().gather());
        let [x1, n1, x2, n2]: &[Vec<f64>; 4] = &samples;
        let found = gate::run(py, x1.len().saturating_mul(1000), || {
            let parts = over_parts(x1.len(), |part| {
                let one = |at: usize| compute((x1[at], n1[at]), (x2[at], n2[at]));
                Ok(part.map(one).gather())
            })?;
            Ok(joined(parts))
        })?;
        Ok(arrays(py, &found))
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
    gate::keep(py, || {
        let counts = counts.map(|column| column.as_array().iter().copied().gather());
        let [both, first, second, neither]: &[Vec<f64>; 4] = &counts;
        let found = gate::run(py, both.len().saturating_mul(100), || {
            let places = 0..both.len();
            let each = places.map(|at| {
                kernel::paired_difference([both[at], first[at], second[at], neither[at]], level)
            });
            Ok(each.gather())
        })?;
        Ok(arrays(py, &found))
    })
}

/// The difference of two values of different rows, each with its bounds, standard error and level.
#[pyfunction]
pub(crate) fn independent_difference(
    first: (f64, [f64; 2], f64, f64),
    second: (f64, [f64; 2], f64, f64),
    rows: Option<[f64; 2]>,
    level: f64,
) -> Told {
    let [first, second] =
        [first, second].map(|(value, bounds, error, level)| Known { value, bounds, error, level });
    told(kernel::independent(&first, &second, rows, level))
}
