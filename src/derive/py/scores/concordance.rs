//! How well scores order amounts, for Python.

use pyo3::prelude::*;

use crate::py::border::HeldScores;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::scores::sweep::concordance;

/// Rows; pairs in the same order less those in the opposite order; pairs of one outcome, of one
/// score, of both; the sums of s², s u and u²; the Gini coefficient.
type Pairs = (u64, i128, [u128; 3], [i128; 3], Option<f64>);

/// The pairs of two columns.
#[pyfunction]
pub(crate) fn concordance_of_columns(
    py: Python<'_>,
    outcome: &Bound<'_, PyAny>,
    scores: &Bound<'_, PyAny>,
) -> PyResult<Pairs> {
    gate::keep(py, || {
        let held = (HeldScores::take(outcome, "outcome")?, HeldScores::take(scores, "scores")?);
        let (outcome, scores) = (held.0.lend(), held.1.lend());
        let rows = outcome.len().saturating_mul(10);
        let found = gate::run(py, rows, || concordance::concordance(&outcome, &scores))?;
        let same = [found.same_outcome, found.same_score, found.same_both];
        Ok((found.rows, found.balance, same, found.squares, found.gini))
    })
}
