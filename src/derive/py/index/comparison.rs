//! Indices against each other: many matrices or rankings at once, and how two indices judge pairs
//! of them.
use numpy::{
    PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::column::Column;
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, Scores};
use crate::base::memory::Gather;
use crate::comparison::consistency;
use crate::comparison::consistency::{Measure, PairCounts};
use crate::comparison::enumeration;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::view::BinaryCounts;
use crate::scores::ranking::Ranking;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::asked;

/// R, P, Q, S and neither.
type Counted = (u128, u128, u128, u128, u128);

fn counted(counts: &PairCounts) -> Counted {
    let PairCounts { same, first_only, second_only, opposite, none } = *counts;
    (same, first_only, second_only, opposite, none)
}

/// The values of both indices; which of them are losses; their tolerances.
fn measures(values: [&[f64]; 2], lower: (bool, bool), tolerance: (f64, f64)) -> [Measure<'_>; 2] {
    let measure =
        |values, lower_is_better, tolerance| Measure { values, lower_is_better, tolerance };
    [measure(values[0], lower.0, tolerance.0), measure(values[1], lower.1, tolerance.1)]
}

/// The kind of each step, 0 where an index is undefined; how many there are of each; how many are
/// undefined.
#[pyfunction]
pub(crate) fn consistency_steps<'py>(
    py: Python<'py>,
    first: PyReadonlyArray1<'py, f64>,
    second: PyReadonlyArray1<'py, f64>,
    lower: (bool, bool),
    tolerance: (f64, f64),
) -> PyResult<(Bound<'py, PyArray1<u8>>, Counted, u64)> {
    let (first, second) =
        (first.as_array().iter().copied().gather(), second.as_array().iter().copied().gather());
    let (kinds, counts) = gate::run(py, first.len(), || {
        let [f, g] = measures([&first, &second], lower, tolerance);
        let mut counts = PairCounts::default();
        let kinds: Vec<u8> = consistency::steps(&f, &g)?
            .into_iter()
            .map(|trend| {
                counts.add(trend);
                trend as u8
            })
            .gather();
        Ok((kinds, counts))
    })?;
    let undefined: u64 = kinds.iter().map(|&kind| u64::from(kind == 0)).sum();
    Ok((PyArray1::from_vec(py, kinds), counted(&counts), undefined))
}

/// How many of all pairs are of each kind, and how many evaluations were left out.
#[pyfunction]
pub(crate) fn consistency_pairs(
    py: Python<'_>,
    first: PyReadonlyArray1<'_, f64>,
    second: PyReadonlyArray1<'_, f64>,
    multiplicity: Option<PyReadonlyArray1<'_, u64>>,
    lower: (bool, bool),
    tolerance: (f64, f64),
) -> PyResult<(Counted, u64)> {
    let (first, second) =
        (first.as_array().iter().copied().gather(), second.as_array().iter().copied().gather());
    let multiplicity = multiplicity.map(|given| given.as_array().iter().copied().gather());
    let (counts, skipped) = gate::run(py, first.len(), || {
        let [f, g] = measures([&first, &second], lower, tolerance);
        consistency::all_pairs(&f, &g, multiplicity.as_deref())
    })?;
    Ok((counted(&counts), skipped))
}

/// All confusion matrices with classes of these sizes, shape (N, K, K), and with `outcomes` in how
/// many ways each comes about.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn enumerate_matrices(
    py: Python<'_>,
    class_sizes: Vec<u64>,
    outcomes: bool,
) -> PyResult<(Bound<'_, PyAny>, Option<Bound<'_, PyArray1<u64>>>)> {
    let (cells, ways) = gate::run(py, usize::MAX, || {
        let cells = enumeration::matrices(&class_sizes)?;
        let ways = outcomes.then(|| enumeration::outcomes(&cells, &class_sizes)).transpose()?;
        Ok((cells, ways))
    })?;
    let classes = class_sizes.len();
    let number = cells.len() / (classes * classes);
    let stack =
        PyArray1::from_vec(py, cells).call_method1("reshape", ((number, classes, classes),))?;
    Ok((stack, ways.map(|ways| PyArray1::from_vec(py, ways))))
}

/// All orders of so many positives (1) and negatives (0), best rank first, shape (N, rows).
#[pyfunction]
pub(crate) fn enumerate_rankings(
    py: Python<'_>,
    positives: u64,
    negatives: u64,
) -> PyResult<Bound<'_, PyAny>> {
    let all = gate::run(py, usize::MAX, || enumeration::rankings(positives, negatives))?;
    let rows = (positives + negatives) as usize; // no overflow: that was refused
    let shape = (all.len() / rows, rows);
    Ok(PyArray1::from_vec(py, all).call_method1("reshape", (shape,))?)
}

/// An index of each matrix of a stack, shape (N, K, K).
fn of_stack<T: Copy>(
    cells: &[T],
    classes: usize,
    row: &Index,
    parameters: &Parameters,
    matrix: impl Fn(&[T], LabelSet) -> Result<ConfusionMatrix>,
) -> Result<Vec<f64>> {
    cells
        .chunks_exact((classes * classes).max(1))
        .map(|cells| {
            let view = matrix(cells, LabelSet::numbered(classes))?.view();
            // The second of two classes is the positive one, as everywhere.
            Ok(row.overall(&view, 1, parameters)?.number)
        })
        .gather_all()
}

/// The cells of a stack, and K.
fn stacked<T: numpy::Element + Copy>(stack: &PyReadonlyArrayDyn<'_, T>) -> Result<(Vec<T>, usize)> {
    match *stack.shape() {
        [_, classes, columns] if classes == columns && classes > 0 => {
            Ok((stack.as_array().iter().copied().gather(), classes))
        }
        ref shape => {
            let found = format!("an array of shape {shape:?}");
            let expected = "(N, K, K): the cells of N confusion matrices";
            Err(Refusal::argument("evaluations", found, expected))
        }
    }
}

/// An index of each matrix of a stack of counts or of weights.
#[pyfunction]
pub(crate) fn evaluate_matrices<'py>(
    py: Python<'py>,
    stack: &Bound<'py, PyAny>,
    name: Named,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (row, parameters) = asked(name, given)?;
    let values = if let Ok(stack) = stack.cast::<PyArrayDyn<u64>>() {
        let (cells, classes) = stacked(&stack.try_readonly()?)?;
        let matrix = ConfusionMatrix::from_counts;
        gate::run(py, cells.len(), || of_stack(&cells, classes, row, &parameters, matrix))?
    } else {
        let stack = stack.extract::<PyReadonlyArrayDyn<'py, f64>>()?;
        let (cells, classes) = stacked(&stack)?;
        let matrix = ConfusionMatrix::from_weights;
        gate::run(py, cells.len(), || of_stack(&cells, classes, row, &parameters, matrix))?
    };
    Ok(PyArray1::from_vec(py, values))
}

/// An index of each ranking, shape (N, rows), best rank first: of all thresholds, or of the counts
/// with the first `cut` rows predicted positive.
#[pyfunction]
pub(crate) fn evaluate_rankings<'py>(
    py: Python<'py>,
    rankings: PyReadonlyArrayDyn<'py, u8>,
    cut: usize,
    name: Named,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (row, parameters) = asked(name, given)?;
    let rows = rankings.shape().last().copied().unwrap_or(0).max(1);
    let labels: Vec<u8> = rankings.as_array().iter().copied().gather();
    if labels.is_empty() {
        // Without rankings their length is any number, and no reason to make so many scores.
        return Ok(PyArray1::from_vec(py, Vec::new()));
    }
    let values = gate::run(py, labels.len(), || {
        let scores: Vec<i64> = (0..rows as i64).rev().gather();
        let scores = Scores::of::<i64>(Column::from_slice(&scores));
        let options = SweepOptions::zero_one();
        labels
            .chunks_exact(rows)
            .map(|labels| {
                if row.scores().is_some() {
                    let labels = Labels::of::<u8>(Column::from_slice(labels));
                    let table = Ranking::from(score_table(&labels, &scores, None, &options)?);
                    return Ok(row.of_scores(&table, &parameters)?.number);
                }
                let positives =
                    |labels: &[u8]| labels.iter().map(|&label| usize::from(label)).sum();
                let cut = cut.min(rows);
                let (tp, fn_): (usize, usize) =
                    (positives(&labels[..cut]), positives(&labels[cut..]));
                let counts = BinaryCounts {
                    tp: tp as f64,
                    fp: (cut - tp) as f64,
                    fn_: fn_ as f64,
                    tn: (rows - cut - fn_) as f64,
                };
                Ok(row.of_counts(&counts, &parameters)?.number)
            })
            .gather_all()
    })?;
    Ok(PyArray1::from_vec(py, values))
}
