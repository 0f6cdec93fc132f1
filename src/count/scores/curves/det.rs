//! Detection errors: false positive and false negative rate at every threshold where one can be
//! traded for the other.
//!
//! Cost: writing the points, a few nanoseconds each.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::dtype::Number;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::wide::wide;
use crate::scores::curves::curve::doubles;
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable, first_place};

/// Detection errors: false positive and false negative rate at every distinct score, low to high.
///
/// Source: Martin et al. 1997, doi:10.21437/Eurospeech.1997-504.
#[derive(Clone, Debug, PartialEq)]
pub struct DetectionErrorCurve {
    /// FP / N; NaN if there are no negatives.
    pub fpr: Vec<f64>,
    /// FN / P; NaN if there are no positives.
    pub fnr: Vec<f64>,
    /// Scores, ascending; the last may be ∞.
    pub thresholds: Vec<f64>,
}

impl DetectionErrorCurve {
    /// The detection error curve, from the first false positives to the threshold with all
    /// positives. `drop_intermediate` leaves out points as in [`super::precision_recall`].
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::det::DetectionErrorCurve;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = DetectionErrorCurve::of(&table, false);
    /// assert_eq!((&curve.fpr[..], &curve.fnr[..]), (&[0.5, 0.5, 0.0][..], &[0.0, 0.5, 0.5][..]));
    /// assert_eq!(curve.thresholds, [0.35, 0.4, 0.8]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    #[must_use]
    pub fn of(table: &ScoreTable, drop_intermediate: bool) -> Self {
        let len = table.len();
        let (positives, negatives) = table.totals();
        // Point 0 is ∞, where no row is predicted positive; point i is score i - 1.
        let at = |point: usize| table.at_or_above(point);
        let drops = drop_intermediate && len + 1 > 2;
        let kept = |point: usize| {
            let inner = drops && point > 0 && point < len;
            !inner || at(point - 1).0 != at(point).0 || at(point).0 != at(point + 1).0
        };
        // The last point without false positives, and the first with all positives: counts only
        // rise.
        let mut first = first_place(len + 1, |point| at(point).1 > 0.0).saturating_sub(1);
        while first > 0 && !kept(first) {
            first -= 1;
        }
        let mut last = first_place(len, |point| at(point).0 >= positives);
        while last < len && !kept(last) {
            last += 1;
        }
        let room = last.saturating_sub(first) + 1;
        let mut curve =
            Self { fpr: with_room(room), fnr: with_room(room), thresholds: with_room(room) };
        if let (Masses::Counts(tps, fps), false) = (table.masses(), drops) {
            let start = first.saturating_sub(1);
            let places = start..last.max(start);
            errors(&tps[places.clone()], positives, true, &mut curve.fnr);
            errors(&fps[places.clone()], negatives, false, &mut curve.fpr);
            curve.thresholds = match table.keys() {
                Keys::Wide(keys) if table.kind() == f64::KIND => {
                    doubles(keys[places].iter().rev().copied().gather())
                }
                _ => places.rev().map(|place| table.score(place)).gather(),
            };
            if first == 0 {
                let (wrong, missed) = (0.0, positives);
                curve.fpr.grow(wrong / negatives);
                curve.fnr.grow(missed / positives);
                curve.thresholds.grow(f64::INFINITY);
            }
            return curve;
        }
        let mut put = |missed: f64, wrong: f64, threshold: f64| {
            curve.fpr.grow(wrong / negatives);
            curve.fnr.grow(missed / positives);
            curve.thresholds.grow(threshold);
        };
        for point in (first.max(1)..=last).rev() {
            if drops && !kept(point) {
                continue;
            }
            let counts = table.counts_at(point - 1);
            put(counts.fn_, counts.fp, table.score(point - 1));
        }
        if first == 0 {
            put(positives, 0.0, f64::INFINITY);
        }
        curve
    }
}

/// Counts, or with `missed` their difference to the total, as shares of the total, in reverse
/// order.
#[inline(always)]
fn errors_body(counts: &[u64], total: f64, missed: bool, shares: &mut Vec<f64>) {
    let counts = counts.iter().rev().map(|&count| count as f64);
    if missed {
        shares.grow_with(counts.map(|count| (total - count) / total));
    } else {
        shares.grow_with(counts.map(|count| count / total));
    }
}

wide! {
    fn errors[](counts: &[u64], total: f64, missed: bool, shares: &mut Vec<f64>) -> () = errors_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn errors_agree_with_counting_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, negatives) = rows.totals();
            if positives > 0.0 && negatives > 0.0 {
                let curve = DetectionErrorCurve::of(&table, false);
                for (i, &threshold) in curve.thresholds.iter().enumerate() {
                    prop_assert_eq!(curve.fpr[i], weigh(0, &|x| x >= threshold) / negatives);
                    prop_assert_eq!(curve.fnr[i], weigh(1, &|x| x < threshold) / positives);
                }
                // At each end at most one point lies on the axis.
                let inner = &curve.fpr[..curve.fpr.len() - 1];
                prop_assert!(inner.iter().all(|&rate| rate > 0.0));
                prop_assert!(curve.fnr[1..].iter().all(|&rate| rate > 0.0));
                let fewer = DetectionErrorCurve::of(&table, true);
                prop_assert!(fewer.thresholds.len() <= curve.thresholds.len());
            }
        }
    }
}
