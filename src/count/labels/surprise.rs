//! Surprises of the cells of a confusion matrix given one margin: the terms whose sums are
//! entropies.
//!
//! 1. A cell of M rows, in an actual class of t rows and a predicted class of p, has the terms M
//!    ln(t / M) and M ln(p / M).
//! 2. Conditional entropies are sums of these terms; the joint entropy is one of them plus the
//!    entropy of the margin.
//! 3. Confusion entropy among s rows of a class, s at least t and p, is M ln(s / M) = M ln(t / M) +
//!    M ln(s / t).
//! 4. Mutual information is the sum of M ln(T / p) - M ln(t / M). If actual and predicted class are
//!    independent, both logarithms are equal and the sum is 0.
//!
//! No term is negative, so nothing cancels. Two logarithms for each cell, computed once for a
//! matrix, are enough for all of these sums, also by class.

use crate::arith::cell_sums::{sum, sum_beyond, surprises, surprises_among};
use crate::arith::logarithm::mass_by_log;
use crate::base::memory::{Gather, Room};
use crate::labels::cells::Cells;

/// Sums of surprises, in nats times rows.
#[derive(Clone, Debug)]
pub struct Surprises {
    /// Wrong rows of each actual class.
    pub missed: Vec<f64>,
    /// Rows wrongly predicted to be of each class.
    pub mistaken: Vec<f64>,
    /// Right rows, given their actual class.
    right_of_actual: f64,
    /// Right rows, given their predicted class.
    right_of_predicted: f64,
    /// Mutual information: how much less surprising the predicted classes are given the actual
    /// ones.
    pub information: f64,
}

impl Surprises {
    /// From the total, the actual and predicted rows of each class, and the cells.
    pub(crate) fn of(total: f64, actual: &[f64], predicted: &[f64], cells: &Cells) -> Self {
        let classes = actual.len();
        let mut sums = Self {
            missed: vec![0.0; classes],
            mistaken: vec![0.0; classes],
            right_of_actual: 0.0,
            right_of_predicted: 0.0,
            information: 0.0,
        };
        let logs = predicted.iter();
        let logs: Vec<f64> = logs.map(|&p| mass_by_log(1.0, total, p)).gather();
        let (mut room, mut terms) = (Vec::new(), Vec::new());
        cells.each_row(|row| {
            terms.clear();
            terms.grow_to(row.masses.len(), 0.0);
            surprises(row.masses, actual[row.actual], &mut terms);
            let logs = row.of_columns(&logs, &mut room);
            sums.information += sum_beyond(row.masses, logs, &terms);
            if let Some(right) = row.right() {
                sums.right_of_actual += std::mem::take(&mut terms[right]);
            }
            sums.missed[row.actual] = sum(&terms);
            let among = row.of_columns(predicted, &mut room);
            surprises_among(row.masses, among, &mut terms);
            if let Some(right) = row.right() {
                sums.right_of_predicted += std::mem::take(&mut terms[right]);
            }
            if let Some(range) = row.range() {
                for (sum, term) in sums.mistaken[range].iter_mut().zip(&terms) {
                    *sum += term;
                }
            } else {
                for (&column, term) in row.predicted.iter().zip(&terms) {
                    sums.mistaken[column as usize] += term;
                }
            }
        });
        sums
    }

    /// All rows, given their actual class.
    pub fn given_actual(&self) -> f64 {
        sum(&self.missed) + self.right_of_actual
    }

    /// All rows, given their predicted class.
    pub fn given_predicted(&self) -> f64 {
        sum(&self.mistaken) + self.right_of_predicted
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::input::{Label, LabelKind, LabelSet};
    use crate::labels::confusion::ConfusionMatrix;

    proptest! {
        #[test]
        fn sums_are_the_naive_ones(cells in prop::collection::vec(0u8..4, 36)) {
            let counts: Vec<u64> = cells.iter().map(|&cell| cell.into()).collect();
            let labels = LabelSet { kind: LabelKind::Int, values: (0..6).map(Label::Int).collect() };
            let view = ConfusionMatrix::from_counts(&counts, labels).unwrap().view();
            let all = || (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
            let naive = |among: &dyn Fn(usize, usize) -> f64, of: &dyn Fn(usize, usize) -> bool| -> f64 {
                let some = all().filter(|&(i, j)| of(i, j) && cells[6 * i + j] > 0);
                some.map(|(i, j)| (f64::from(cells[6 * i + j]), among(i, j))).map(|(m, s)| m * (s / m).ln()).sum()
            };
            let sums = Surprises::of(view.total, &view.actual, &view.predicted, &view.cells);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
            for k in 0..6 {
                prop_assert!(near(sums.missed[k], naive(&|i, _| view.actual[i], &|i, j| i == k && j != k)));
                prop_assert!(near(sums.mistaken[k], naive(&|_, j| view.predicted[j], &|i, j| i != k && j == k)));
            }
            let information = naive(&|i, j| view.actual[i] * view.predicted[j] / view.total, &|_, _| true);
            prop_assert!(near(sums.information, -information));
            prop_assert!(near(sums.given_actual(), naive(&|i, _| view.actual[i], &|_, _| true)));
            prop_assert!(near(sums.given_predicted(), naive(&|_, j| view.predicted[j], &|_, _| true)));
        }
    }
}
