//! The ranked probability score: how far the probabilities of ordered classes, added up from the
//! first class on, are from what came true.
//!
//! 1. The loss of a row of class y is sum_(k < K) (P(class <= k) − [y <= k])² / (K − 1). For two
//!    classes it is the squared error of the probability.
//! 2. The losses are added exactly ([`crate::arith::fast_sum`]), so the order of rows does not
//!    change the result.
//!
//! Cost: 1 ns a row and class. Source: Epstein 1969,
//! doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2; divided by K − 1 in Murphy 1971,
//! doi:10.1175/1520-0450(1971)010<0155:ANOTRP>2.0.CO;2.
// Inlining is what compiles the loop for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Weights;
use crate::arith::fast_sum::BLOCK;
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, ScoreMatrix};
use crate::base::matrix;
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::losses::{add_rows, row_count};
use crate::classes::probability_sums::WeightedSum;
use crate::labels::classes::Classes;
use crate::scores::calibration::losses::not_a_probability;

/// How far the sum of the probabilities of a row may be from 1: as far as two digits round it.
const SLACK: f64 = 0.02;

/// The weighted sum of the losses, and of their squares.
///
/// `y_proba` has a column for each of the ordered `labels`, or one for the second of two.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; a
/// label that is missing, fractional or outside the classes; a probability outside [0, 1]; a row
/// whose probabilities do not sum to one, within 0.02; a weight that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Label, LabelSet, Labels, ScoreMatrix};
/// use rocksteady_count::base::matrix::Matrix;
/// use rocksteady_count::classes::ranked_probability::ranked_probability_scores;
///
/// let y_true = Labels::I8(Column::from_slice(&[0, 2]));
/// let y_proba = ScoreMatrix::F64(Matrix::from_slice(&[0.5, 0.25, 0.25, 0.0, 0.5, 0.5], 3));
/// let labels = LabelSet::numbered(3);
/// let sum = ranked_probability_scores(&y_true, &y_proba, None, labels)?;
/// assert_eq!(sum.total(), (0.25 + 0.0625) / 2.0 + 0.25 / 2.0);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn ranked_probability_scores(
    y_true: &Labels,
    y_proba: &ScoreMatrix,
    weights: Option<Weights>,
    labels: LabelSet,
) -> Result<WeightedSum> {
    let rows = row_count(y_true, y_proba, weights.as_ref())?;
    let columns = y_proba.columns();
    let classes = Classes::given(y_true, labels)?;
    let found = classes.labels.len();
    if found < 2 || found != columns.max(2) {
        let found = format!("a matrix of {columns} columns for {found} classes");
        let expected = "a column for each class, or one for two classes";
        return Err(Refusal::argument("y_score", found, expected));
    }
    let parts = over_parts(rows, |part| {
        let mut sum = WeightedSum::default();
        let (mut out, mut gathered) = (Vec::new(), Vec::new());
        let (mut codes, mut losses) = ([0_u32; BLOCK], [0.0; BLOCK]);
        for range in matrix::chunks(part, columns) {
            let codes = &mut codes[..range.len()];
            let losses = &mut losses[..range.len()];
            classes.lower(range.clone(), codes)?;
            let values = y_proba.lowered(range.clone(), &mut out);
            if !scores_widest(values, columns, codes, losses) {
                return Err(not_a_probability("y_score", values, columns).later(range.start));
            }
            for (row, of_row) in values.chunks(columns).enumerate().filter(|_| columns > 1) {
                let all: f64 = of_row.iter().sum();
                if (all - 1.0).abs() > SLACK {
                    let value = format!("probabilities that sum to {all}");
                    let refusal = Refusal::row("y_score", row, value, "a sum of 1, within 0.02");
                    return Err(refusal.later(range.start));
                }
            }
            let weights =
                weights.as_ref().map(|weights| weights.chunk(range.clone(), &mut gathered));
            add_rows(&mut sum, losses, weights, true)
                .map_err(|refusal| refusal.later(range.start))?;
        }
        Ok(sum)
    })?;
    Ok(WeightedSum::from_parts(&parts))
}

wide! {
    fn scores_widest[](values: &[f64], columns: usize, codes: &[u32], losses: &mut [f64]) -> bool = scores;
}

/// The losses of rows; returns whether all were probabilities.
#[inline(always)]
fn scores(values: &[f64], columns: usize, codes: &[u32], losses: &mut [f64]) -> bool {
    let mut good = true;
    for ((row, &code), loss) in values.chunks(columns).zip(codes).zip(losses) {
        good &= row.iter().fold(true, |good, value| good & (0.0..=1.0).contains(value));
        if let [second] = row {
            let wrong = if code == 1 { 1.0 - second } else { *second };
            *loss = wrong * wrong;
            continue;
        }
        let (mut below, mut sum) = (0.0, 0.0);
        for (place, value) in (0..).zip(&row[..columns - 1]) {
            below += value;
            let wrong = if code <= place { below - 1.0 } else { below };
            sum += wrong * wrong;
        }
        *loss = sum / (columns - 1) as f64;
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    proptest! {
        /// As a sum over thresholds between classes of the squared error of a forecast of two.
        #[test]
        fn losses_are_those_of_each_threshold(
            rows in prop::collection::vec((0..4_i8, prop::array::uniform4(0.01..1.0_f64)), 1..50),
        ) {
            let y: Vec<i8> = rows.iter().map(|row| row.0).collect();
            let shares = |masses: &[f64; 4]| masses.map(|mass| mass / masses.iter().sum::<f64>());
            let proba: Vec<f64> = rows.iter().flat_map(|row| shares(&row.1)).collect();
            let found = ranked_probability_scores(
                &Labels::I8(Column::from_slice(&y)),
                &ScoreMatrix::F64(Matrix::from_slice(&proba, 4)),
                None,
                LabelSet::numbered(4),
            );
            let naive: f64 = (0..3)
                .map(|threshold| {
                    let each = y.iter().zip(proba.chunks(4)).map(|(&y, row)| {
                        let above: f64 = row[threshold + 1..].iter().sum();
                        (above - f64::from(u8::from(y as usize > threshold))).powi(2) / 3.0
                    });
                    each.sum::<f64>()
                })
                .sum();
            prop_assert!((found.unwrap().total() - naive).abs() < 1e-12 * rows.len() as f64);
        }
    }
}
