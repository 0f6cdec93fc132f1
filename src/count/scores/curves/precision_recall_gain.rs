//! Precision and recall on the scale of gains: a harmonic scale from the prevalence (0) to 1, on
//! which linear interpolation is valid and the area has a meaning.
//!
//! The curve begins at recall gain 0, where recall equals the prevalence; if no threshold is there,
//! with a mixture of two thresholds.
//!
//! Cost: a bisection, and a few nanoseconds a point.
//!
//! Source: Flach, Kull 2015, NIPS 28.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::arith::products::unit_scale;
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::score_table::{Masses, ScoreTable, first_place};

/// The start of a curve of gains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionRecallGain {
    /// The precision gain at recall gain 0, if it lies between two thresholds.
    pub crossing: Option<f64>,
    /// The number of distinct scores predicted positive at the first threshold whose recall gain is
    /// not negative.
    pub first: usize,
}

impl PrecisionRecallGain {
    /// The start of the curve of precision and recall gain; `None` if a class is absent.
    pub fn of(table: &ScoreTable) -> Option<Self> {
        let (positives, negatives) = table.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        // Recall equals the prevalence: tp n = P².
        let len = table.len();
        let first = match table.masses() {
            Masses::Counts(tps, fps) => {
                let (p, n) = (u128::from(tps[len - 1]), u128::from(fps[len - 1]));
                1 + tps.partition_point(|&tp| u128::from(tp) * (p + n) < p * p)
            }
            Masses::Weights(_) => {
                let share = positives / (positives + negatives);
                1 + first_place(len, |place| table.cumulative(place).0 / positives >= share)
            }
        };
        let (a, b) = (table.counts_of_first(first - 1), table.counts_of_first(first));
        let tp = positives * (positives / (positives + negatives));
        let part = (tp - a.tp) / (b.tp - a.tp);
        let fp = a.fp + part * (b.fp - a.fp);
        let crossing = 1.0 - (positives / tp) * (fp / negatives);
        Some(Self { crossing: (b.tp > tp && part < 1.0).then_some(crossing), first })
    }
}

/// Writes recall gain and precision gain from the `first` threshold on; the slices must have that
/// length.
pub fn fill_gains(
    table: &ScoreTable,
    first: usize,
    recall_gain: &mut [f64],
    precision_gain: &mut [f64],
) {
    const PIECE: usize = 512;
    let mut tables = [BinaryCounts::default(); PIECE];
    let totals = table.totals();
    let columns = recall_gain.chunks_mut(PIECE).zip(precision_gain.chunks_mut(PIECE));
    for (block, (recalls, precisions)) in columns.enumerate() {
        let tables = &mut tables[..recalls.len()];
        table.fill_counts(first + block * PIECE, tables);
        gains(tables, totals, recalls, precisions);
    }
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
    // To keep products in range, the masses of each class are scaled near one, and back at the end,
    // exactly.
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
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn gains_by_their_definition(
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
            let (positives, negatives) = table.totals();
            let prevalence = positives / (positives + negatives);
            let start = PrecisionRecallGain::of(&table);
            prop_assert_eq!(start.is_some(), positives > 0.0 && negatives > 0.0);
            if let Some(start) = start {
                let len = table.len() + 1 - start.first;
                let (mut recalls, mut precisions) = (vec![0.0; len], vec![0.0; len]);
                fill_gains(&table, start.first, &mut recalls, &mut precisions);
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
        }
    }
}
