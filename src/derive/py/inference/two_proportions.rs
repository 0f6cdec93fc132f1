//! The difference and the ratio of two proportions, for Python.
use std::array::from_fn;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::base::memory::{Gather, joined};
use crate::base::threads::over_parts;
use crate::inference::proportion::{Alternative, ln_e_value};
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

/// The logarithm of the e-value of successes and failures against each share.
#[pyfunction]
pub(crate) fn ln_e_values<'py>(
    py: Python<'py>,
    columns: [PyReadonlyArray1<'py, f64>; 3],
    alternative: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let known = [
        ("two-sided", Alternative::TwoSided),
        ("greater", Alternative::Greater),
        ("less", Alternative::Less),
    ];
    let side = argument::option(alternative, "alternative", &known)?;
    let [found] =
        of_each(py, columns, |[some, others, share]| [ln_e_value(some, others, share, side)])?;
    Ok(found)
}

fn of_each<'py, const N: usize, const M: usize>(
    py: Python<'py>,
    columns: [PyReadonlyArray1<'py, f64>; N],
    compute: impl Fn([f64; N]) -> [f64; M] + Send + Sync,
) -> PyResult<[Bound<'py, PyArray1<f64>>; M]> {
    gate::keep(py, || {
        let columns: [Vec<f64>; N] =
            columns.map(|column| column.as_array().iter().copied().gather());
        let rows = columns[0].len();
        let found = gate::run(py, rows.saturating_mul(1000), || {
            let one = |at: usize| compute(from_fn(|column| columns[column][at]));
            Ok(joined(over_parts(rows, |part| Ok(part.map(one).gather()))?))
        })?;
        let field = |at: usize| found.iter().map(|each: &[f64; M]| each[at]).gather();
        Ok(from_fn(|at| PyArray1::from_vec(py, field(at))))
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
