//! Precision and recall between thresholds.
//!
//! Mixtures of two thresholds are linear in the counts, so precision between them follows a
//! hyperbola, not a straight line.
//!
//! 1. The hyperbola is drawn with points at whole true positives, as in the paper.
//! 2. Only as many points are drawn as keep straight lines within 1e-6 of the hyperbola, and at
//!    most 1,000 between two thresholds.
//!
//! Cost: one pass over the table, and writing the points.
//!
//! Source: Davis, Goadrich 2006, doi:10.1145/1143844.1143874.

use crate::base::memory::Room;
use crate::scores::score_table::{Masses, ScoreTable};

/// Precision and recall at every threshold, from the highest down, and between thresholds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterpolatedCurve {
    /// TP / P; NaN if there are no positives.
    pub recall: Vec<f64>,
    /// TP / (TP + FP); 1 at ∞.
    pub precision: Vec<f64>,
    /// Scores, descending, after ∞; NaN at points between two thresholds.
    pub thresholds: Vec<f64>,
}

/// The largest distance of a straight line from the hyperbola.
const TOLERANCE: f64 = 1e-6;

/// The most pieces between two thresholds.
const MOST_PIECES: f64 = 1000.0;

impl InterpolatedCurve {
    /// The curve of Davis and Goadrich. It begins at (0, 1), and drops to the start of the first
    /// threshold's hyperbola.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::interpolated_precision_recall::InterpolatedCurve;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[1, 1, 1, 0, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.9, 0.5, 0.5, 0.5, 0.1]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = InterpolatedCurve::of(&table);
    /// assert_eq!(curve.recall, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
    /// assert_eq!(curve.precision, [1.0, 1.0, 2.0 / 2.5, 3.0 / 4.0, 3.0 / 5.0]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn of(table: &ScoreTable) -> Self {
        let (total, _) = table.totals();
        let whole = matches!(table.masses(), Masses::Counts(..));
        let mut curve = Self::default();
        let mut put = |tp: f64, precision: f64, threshold: f64| {
            let recall = if total > 0.0 { tp / total } else { f64::NAN };
            curve.recall.grow(recall);
            curve.precision.grow(precision);
            curve.thresholds.grow(threshold);
        };
        put(0.0, 1.0, f64::INFINITY);
        let (mut tp, mut fp) = (0.0, 0.0);
        for (threshold, next_tp, next_fp) in table.steps() {
            let (found, wrong) = (next_tp - tp, next_fp - fp);
            let precision = next_tp / (next_tp + next_fp);
            if found > 0.0 && wrong > 0.0 {
                if tp + fp > 0.0 {
                    let pieces = pieces(tp, fp, found, wrong);
                    let pieces = if whole { pieces.min(found) } else { pieces };
                    for piece in 1..pieces as u64 {
                        let part = piece as f64 / pieces;
                        let (tp, fp) = (tp + found * part, fp + wrong * part);
                        put(tp, tp / (tp + fp), f64::NAN);
                    }
                } else {
                    put(0.0, precision, f64::NAN);
                }
            }
            put(next_tp, precision, threshold);
            (tp, fp) = (next_tp, next_fp);
        }
        curve
    }
}

/// The number of pieces of a hyperbola: its second derivative is largest at its start.
fn pieces(tp: f64, fp: f64, found: f64, wrong: f64) -> f64 {
    let (slope, reached) = (1.0 + wrong / found, tp + fp);
    // Parameterised from 0 to 1.
    let bend = 2.0 * slope * (found / reached).powi(2) * (1.0 - tp / reached * slope).abs();
    let pieces = (bend / (8.0 * TOLERANCE)).sqrt().ceil();
    pieces.clamp(1.0, MOST_PIECES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hyperbolas_by_their_definition(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..40), 1..60), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            ).unwrap();
            let (positives, _) = table.totals();
            let curve = InterpolatedCurve::of(&table);
            let (mut place, mut last) = (0, (0.0, 0.0));
            for i in 1..curve.recall.len() {
                if positives == 0.0 { break; }
                let next = table.cumulative(place);
                let tp = curve.recall[i] * positives;
                let part = (tp - last.0) / (next.0 - last.0);
                if curve.thresholds[i].is_nan() {
                    let fp = last.1 + (next.1 - last.1) * part;
                    let start = last == (0.0, 0.0);
                    let expected = if start { next.0 / (next.0 + next.1) } else { tp / (tp + fp) };
                    prop_assert!((curve.precision[i] - expected).abs() < 1e-9);
                    prop_assert!(start || (0.0..1.0).contains(&part));
                } else {
                    prop_assert_eq!(curve.thresholds[i], table.score(place));
                    prop_assert_eq!(curve.precision[i], next.0 / (next.0 + next.1));
                    (place, last) = (place + 1, next);
                }
            }
        }
    }
}
