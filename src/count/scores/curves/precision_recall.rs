//! Precision and recall at every distinct score. Thresholds are order keys
//! ([`crate::scores::keys`]), so that they can be returned in the type of the scores.
//!
//! A curve with every score is computed in the table's own memory: pieces from both ends become
//! precision and recall in cache, and are exchanged.
//!
//! Cost: a few nanoseconds a point. Rejected: new columns, since fresh pages of memory cost more
//! than the computation.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::memory::{Gather, Room, in_place, with_room};
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable};

/// Precision and recall at every distinct score, low to high, and at the end the point (1, 0)
/// without a threshold.
///
/// Source: Manning, Raghavan and Schütze 2008, section 8.4.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionRecallCurve {
    /// TP / (TP + FP), then 1.
    pub precision: Vec<f64>,
    /// TP / P, 1 throughout if there are no positives; then 0.
    pub recall: Vec<f64>,
    /// The scores' order keys, ascending; one less than points.
    pub keys: Vec<u64>,
}

impl PrecisionRecallCurve {
    /// The precision–recall curve. With `drop_intermediate` an inner point is left out if the true
    /// positives change neither at it nor after it: its neighbours have the same recall. Without
    /// `drop_intermediate` and without weights the curve is computed in the table's own memory.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::precision_recall::PrecisionRecallCurve;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = PrecisionRecallCurve::of(table, false);
    /// assert_eq!(curve.precision, [0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
    /// assert_eq!(curve.recall, [1.0, 1.0, 0.5, 0.5, 0.0]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    #[must_use]
    pub fn of(table: ScoreTable, drop_intermediate: bool) -> Self {
        if drop_intermediate || table.is_weighted() {
            return Self::read(&table, drop_intermediate);
        }
        let (keys, _, masses) = table.into_parts();
        let Masses::Counts(mut tps, mut fps) = masses else {
            unreachable!("rows without weights are counted");
        };
        to_precision_and_recall(&mut tps, &mut fps);
        let keys = match keys {
            Keys::Wide(mut keys) => {
                keys.reverse();
                keys
            }
            Keys::Narrow(keys) => keys.iter().rev().map(|&key| u64::from(key)).gather(),
        };
        tps.grow(1.0_f64.to_bits());
        fps.grow(0.0_f64.to_bits());
        Self {
            precision: in_place(tps, f64::from_bits),
            recall: in_place(fps, f64::from_bits),
            keys,
        }
    }

    /// The curve of the kept points, in new memory.
    fn read(table: &ScoreTable, drop_intermediate: bool) -> Self {
        let len = table.len();
        let (positives, _) = table.totals();
        let mut curve = Self {
            precision: with_room(len + 1),
            recall: with_room(len + 1),
            keys: with_room(len),
        };
        let mut put = |place: usize, tp: f64, fp: f64| {
            curve.precision.grow(tp / (tp + fp));
            let found = if positives > 0.0 { tp / positives } else { 1.0 };
            curve.recall.grow(found);
            curve.keys.grow(table.keys().get(place));
        };
        if drop_intermediate && len > 2 {
            // From the top down, `after` is the next lower entry of the table.
            let mut after = f64::NAN;
            for place in (0..len).rev() {
                let (tp, fp) = table.cumulative(place);
                let inner = place > 0 && place + 1 < len;
                if !(inner && after == tp && table.cumulative(place - 1).0 == tp) {
                    put(place, tp, fp);
                }
                after = tp;
            }
        } else {
            for place in (0..len).rev() {
                let (tp, fp) = table.cumulative(place);
                put(place, tp, fp);
            }
        }
        curve.precision.grow(1.0);
        curve.recall.grow(0.0);
        curve
    }
}

/// Converts positives and negatives at or above each score, from high to low, into the bits of
/// precision and recall, from low to high.
fn to_precision_and_recall(tps: &mut [u64], fps: &mut [u64]) {
    /// Counts converted at a time.
    const PIECE: usize = switch_at(1024, 4);
    let positives = tps.last().copied().unwrap_or(0);
    let (mut start, mut end) = (0, tps.len());
    while end - start >= 2 * PIECE {
        let (after, before) = (start + PIECE, end - PIECE);
        for places in [start..after, before..end] {
            rates(&mut tps[places.clone()], &mut fps[places], positives);
        }
        for column in [&mut *tps, &mut *fps] {
            let (front, back) = column.split_at_mut(before);
            exchange(&mut front[start..after], &mut back[..PIECE]);
        }
        (start, end) = (after, before);
    }
    let middle = start..end;
    rates(&mut tps[middle.clone()], &mut fps[middle.clone()], positives);
    tps[middle.clone()].reverse();
    fps[middle].reverse();
}

/// Converts each pair of counts to the bits of precision and recall. Recall is 1 without positives.
#[inline(always)]
fn rates_body(tps: &mut [u64], fps: &mut [u64], positives: u64) {
    for (tp, fp) in tps.iter_mut().zip(fps) {
        let recall = if positives > 0 { *tp as f64 / positives as f64 } else { 1.0 };
        *tp = (*tp as f64 / (*tp + *fp) as f64).to_bits();
        *fp = recall.to_bits();
    }
}

/// Exchanges and reverses two pieces of equal length.
#[inline(always)]
fn exchange_body(front: &mut [u64], back: &mut [u64]) {
    for (a, b) in front.iter_mut().zip(back.iter_mut().rev()) {
        std::mem::swap(a, b);
    }
}

wide! {
    fn rates[](tps: &mut [u64], fps: &mut [u64], positives: u64) -> () = rates_body;
    fn exchange[](front: &mut [u64], back: &mut [u64]) -> () = exchange_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn precision_and_recall_agree_with_counting_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, _) = rows.totals();
            let curve = PrecisionRecallCurve::of(table.clone(), false);
            prop_assert_eq!(curve.keys.len(), table.len());
            for (i, &key) in curve.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                let (tp, fp) = (weigh(1, &|x| x >= threshold), weigh(0, &|x| x >= threshold));
                prop_assert_eq!(curve.precision[i], tp / (tp + fp));
                prop_assert_eq!(curve.recall[i], if positives > 0.0 { tp / positives } else { 1.0 });
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn counts_are_turned_in_their_own_memory(
            rows in prop_oneof![0..20_usize, 2040..2060_usize, 0..9000_usize],
            seed: u64,
            share in 0..3_u64,
        ) {
            let mut state = seed;
            let (mut tp, mut fp) = (0, 0);
            let counts: Vec<(u64, u64)> = (0..rows).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let is_positive = (state >> 60) % 2 < share;
                (tp, fp) = (tp + u64::from(is_positive), fp + u64::from(!is_positive));
                (tp, fp)
            }).collect();
            let (mut tps, mut fps): (Vec<u64>, Vec<u64>) = counts.iter().copied().unzip();
            to_precision_and_recall(&mut tps, &mut fps);
            for ((&precision, &recall), &(up, down)) in tps.iter().zip(&fps).zip(counts.iter().rev()) {
                prop_assert_eq!(f64::from_bits(precision), up as f64 / (up + down) as f64);
                prop_assert_eq!(f64::from_bits(recall), if tp > 0 { up as f64 / tp as f64 } else { 1.0 });
            }
        }
    }
}
