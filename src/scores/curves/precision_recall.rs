//! Precision and recall at every distinct score. Thresholds are order keys
//! ([`crate::scores::keys`]), so that they can be given back in the type that the scores came in.
//!
//! Cost: that of writing the points, a few nanoseconds each.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::memory::{Gather, Room, with_room};
use crate::base::wide::wide;
use crate::scores::keys::Keys;
use crate::scores::score_table::{Amounts, ScoreTable};

/// Precision and recall at every distinct score, low to high, and the point (1, 0) at the end,
/// which has no threshold.
///
/// Source: Manning, Raghavan and Schütze 2008, section 8.4.
#[derive(Clone, Debug, PartialEq)]
pub struct PrecisionRecallCurve {
    /// TP / (TP + FP), then 1.
    pub precision: Vec<f64>,
    /// TP / P, 1 throughout if there are no positives; then 0.
    pub recall: Vec<f64>,
    /// The scores' order keys, ascending; one fewer than points.
    pub keys: Vec<u64>,
}

impl PrecisionRecallCurve {
    /// The precision–recall curve. With `drop_intermediate` an inner point is left out where the
    /// true positives change neither at it nor after it: it lies between its neighbours on one
    /// recall.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::curves::precision_recall::PrecisionRecallCurve;
    /// use rocksteady::scores::sweep::rows::SweepOptions;
    /// use rocksteady::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = PrecisionRecallCurve::of(&table, false);
    /// assert_eq!(curve.precision, [0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
    /// assert_eq!(curve.recall, [1.0, 1.0, 0.5, 0.5, 0.0]);
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    #[must_use]
    pub fn of(table: &ScoreTable, drop_intermediate: bool) -> Self {
        let len = table.len();
        let (positives, _) = table.totals();
        if let (Amounts::Counts(tps, fps), false) = (table.amounts(), drop_intermediate) {
            return Self::plain(table, tps, fps);
        }
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
            // Going down, `after` is what stands below in the table.
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

    /// The curve of every score, without weights.
    fn plain(table: &ScoreTable, tps: &[u64], fps: &[u64]) -> Self {
        let room = || with_room(tps.len() + 1);
        let (mut precision, mut recall) = (room(), room());
        precision_and_recall(tps, fps, &mut precision, &mut recall);
        precision.grow(1.0);
        recall.grow(0.0);
        Self {
            precision,
            recall,
            keys: match table.keys() {
                Keys::Wide(keys) => keys.iter().rev().copied().gather(),
                Keys::Narrow(keys) => keys.iter().rev().map(|&key| u64::from(key)).gather(),
            },
        }
    }
}

/// Precision and recall from the lowest score to the highest. Recall is 1 where there are no
/// positives.
#[inline(always)]
fn precision_and_recall_body(
    tps: &[u64],
    fps: &[u64],
    precision: &mut Vec<f64>,
    recall: &mut Vec<f64>,
) {
    let positives = tps.last().copied().unwrap_or(0);
    let pairs = tps.iter().zip(fps).rev();
    precision.grow_with(pairs.map(|(&tp, &fp)| tp as f64 / (tp + fp) as f64));
    if positives > 0 {
        let shares = tps.iter().rev().map(|&tp| tp as f64 / positives as f64);
        recall.grow_with(shares);
    } else {
        recall.grow_to(tps.len(), 1.0);
    }
}

wide! {
    fn precision_and_recall[](
        tps: &[u64],
        fps: &[u64],
        precision: &mut Vec<f64>,
        recall: &mut Vec<f64>,
    ) -> () = precision_and_recall_body;
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
            let curve = PrecisionRecallCurve::of(&table, false);
            prop_assert_eq!(curve.keys.len(), table.len());
            for (i, &key) in curve.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                let (tp, fp) = (weigh(1, &|x| x >= threshold), weigh(0, &|x| x >= threshold));
                prop_assert_eq!(curve.precision[i], tp / (tp + fp));
                prop_assert_eq!(curve.recall[i], if positives > 0.0 { tp / positives } else { 1.0 });
            }
        }
    }
}
