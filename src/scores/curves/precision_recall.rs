//! Precision and recall between thresholds, and on the scale of gains.
//!
//! *Between two thresholds* a mixture of both moves straight in the counts, so precision runs on a hyperbola, not on a straight line
//! (Davis, Goadrich 2006, doi:10.1145/1143844.1143874). It is drawn by points for whole true positives, as they do; but only as many as keep
//! straight lines between them within 1e-6 of the hyperbola, and never more than 1,000 between two thresholds.
//!
//! *Gains* put precision and recall on a harmonic scale from the prevalence (0) to 1, on which straight lines are right and the area
//! has a meaning (Flach, Kull 2015, NIPS 28). The curve begins at recall gain 0, where recall is the prevalence, with the
//! mixture of two thresholds if none is there.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::arith::products::unit_scale;
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::{Amounts, ScoreTable};

/// Precision and recall at every threshold, from the highest, and between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InterpolatedCurve {
    /// TP / P; NaN if there are no positives.
    pub recall: Vec<f64>,
    /// TP / (TP + FP); 1 at ∞.
    pub precision: Vec<f64>,
    /// Scores, descending, after ∞; NaN for points between two thresholds.
    pub thresholds: Vec<f64>,
}

/// Where a curve of gains begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionRecallGain {
    /// The precision gain at recall gain 0, if that lies between two thresholds.
    pub crossing: Option<f64>,
    /// How many of the distinct scores are predicted positive at the first threshold whose recall gain is not negative.
    pub first: usize,
}

/// So far may a straight line lie from the hyperbola.
const TOLERANCE: f64 = 1e-6;

/// Pieces between two thresholds.
const MOST: f64 = 1000.0;

impl ScoreTable {
    /// The curve of Davis and Goadrich. It begins at (0, 1), and goes down to where the first threshold's hyperbola begins.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[1, 1, 1, 0, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.9, 0.5, 0.5, 0.5, 0.1]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let curve = table.interpolated_precision_recall();
    /// assert_eq!(curve.recall, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
    /// assert_eq!(curve.precision, [1.0, 1.0, 2.0 / 2.5, 3.0 / 4.0, 3.0 / 5.0]);
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn interpolated_precision_recall(&self) -> InterpolatedCurve {
        let (total, _) = self.totals();
        let whole = matches!(self.amounts(), Amounts::Counts { .. });
        let mut curve = InterpolatedCurve::default();
        let mut put = |tp: f64, precision: f64, threshold: f64| {
            let recall = if total > 0.0 { tp / total } else { f64::NAN };
            curve.recall.push(recall);
            curve.precision.push(precision);
            curve.thresholds.push(threshold);
        };
        put(0.0, 1.0, f64::INFINITY);
        let (mut tp, mut fp) = (0.0, 0.0);
        for (threshold, next_tp, next_fp) in self.steps() {
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

    /// Where the curve of precision and recall gain begins; `None` if a class is absent.
    pub fn precision_recall_gain(&self) -> Option<PrecisionRecallGain> {
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        // Recall is the prevalence: tp n = P².
        let len = self.len();
        let first = match self.amounts() {
            Amounts::Counts {
                positives: tps,
                negatives: fps,
            } => {
                let (p, n) = (u128::from(tps[len - 1]), u128::from(fps[len - 1]));
                1 + tps.partition_point(|&tp| u128::from(tp) * (p + n) < p * p)
            }
            Amounts::Weights(_) => {
                let share = positives / (positives + negatives);
                let mut places = 0..len;
                while !places.is_empty() {
                    let middle = usize::midpoint(places.start, places.end);
                    if self.cumulative(middle).0 / positives < share {
                        places.start = middle + 1;
                    } else {
                        places.end = middle;
                    }
                }
                1 + places.start
            }
        };
        let (a, b) = (self.counts_of_first(first - 1), self.counts_of_first(first));
        let tp = positives * (positives / (positives + negatives));
        let part = (tp - a.tp) / (b.tp - a.tp);
        let fp = a.fp + part * (b.fp - a.fp);
        let crossing = 1.0 - (positives / tp) * (fp / negatives);
        Some(PrecisionRecallGain {
            crossing: (b.tp > tp && part < 1.0).then_some(crossing),
            first,
        })
    }

    /// Recall gain and precision gain from the `first` threshold on; there must be as many.
    pub fn fill_gains(&self, first: usize, recall_gain: &mut [f64], precision_gain: &mut [f64]) {
        const BLOCK: usize = 512;
        let mut tables = [BinaryCounts::default(); BLOCK];
        let totals = self.totals();
        let columns = recall_gain
            .chunks_mut(BLOCK)
            .zip(precision_gain.chunks_mut(BLOCK));
        for (block, (recalls, precisions)) in columns.enumerate() {
            let tables = &mut tables[..recalls.len()];
            self.fill_counts(first + block * BLOCK, tables);
            gains(tables, totals, recalls, precisions);
        }
    }
}

/// In how many pieces a hyperbola is drawn: its second derivative is greatest where it begins.
fn pieces(tp: f64, fp: f64, found: f64, wrong: f64) -> f64 {
    let (slope, reached) = (1.0 + wrong / found, tp + fp);
    // Of the share of the way, from 0 to 1.
    let bend = 2.0 * slope * (found / reached).powi(2) * (1.0 - tp / reached * slope).abs();
    let pieces = (bend / (8.0 * TOLERANCE)).sqrt().ceil();
    pieces.clamp(1.0, MOST)
}

wide! {
    fn gains[](
        tables: &[BinaryCounts], totals: (f64, f64), recall_gain: &mut [f64], precision_gain: &mut [f64],
    ) -> () = gains_body;
}

#[inline(always)]
fn gains_body(
    tables: &[BinaryCounts],
    (positives, negatives): (f64, f64),
    recall_gain: &mut [f64],
    precision_gain: &mut [f64],
) {
    // Products of amounts stay in range: the amounts of each class come near one, and back at the end, exactly.
    let (up, down) = (unit_scale(positives), unit_scale(negatives));
    let (p, n) = (positives * up, negatives * down);
    let back = down / up;
    for ((recall, precision), table) in recall_gain.iter_mut().zip(precision_gain).zip(tables) {
        let found = n * (table.tp * up);
        *recall = 1.0 - p * (table.fn_ * up) / found * back;
        *precision = 1.0 - p * (table.fp * down) / found;
    }
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn gains_and_hyperbolas_by_their_definitions(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..40), 1..60), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &RankOptions { pos_label: Some(Label::Int(1)), ..RankOptions::default() },
            ).unwrap();
            let (positives, negatives) = table.totals();
            let prevalence = positives / (positives + negatives);
            if let Some(start) = table.precision_recall_gain() {
                let len = table.len() + 1 - start.first;
                let (mut recalls, mut precisions) = (vec![0.0; len], vec![0.0; len]);
                table.fill_gains(start.first, &mut recalls, &mut precisions);
                let gain = |share: f64| (share - prevalence) / ((1.0 - prevalence) * share);
                for (i, counts) in table.every_counts().enumerate() {
                    let (recall, precision) = (counts.tp / positives, counts.tp / (counts.tp + counts.fp));
                    if i < start.first {
                        prop_assert!(recall < prevalence + 1e-12);
                    } else {
                        prop_assert!((recalls[i - start.first] - gain(recall)).abs() < 1e-9);
                        prop_assert!((precisions[i - start.first] - gain(precision)).abs() < 1e-9);
                        prop_assert!(recalls[i - start.first] > -1e-12);
                    }
                }
                prop_assert_eq!((recalls[len - 1], precisions[len - 1]), (1.0, 0.0));
                prop_assert_eq!(start.crossing.is_none(), recalls[0].abs() < 1e-12);
            } else {
                prop_assert!(positives == 0.0 || negatives == 0.0);
            }
            let curve = table.interpolated_precision_recall();
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
