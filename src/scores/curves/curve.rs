//! Curves over the thresholds of a score table beside the ROC curve: precision and recall, detection errors, the four counts.
//!
//! Each is one walk over the distinct scores; thresholds are order keys ([`crate::scores::keys`]), so that they can be given
//! back in the type that the scores came in. The cost is that of writing the points, a few nanoseconds each.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::dtype::Number;
use crate::base::wide::wide;
use crate::scores::curves::roc::doubles;
use crate::scores::score_table::{Amounts, Keys, ScoreTable, first_place};

/// Precision and recall at every distinct score, low to high, and the point (1, 0) at the end, which has no threshold.
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

/// The four counts at every distinct score, high to low, each row at the score or above it predicted positive.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ThresholdCounts {
    /// True negatives.
    pub tn: Vec<f64>,
    /// False positives.
    pub fp: Vec<f64>,
    /// False negatives.
    pub fn_: Vec<f64>,
    /// True positives.
    pub tp: Vec<f64>,
    /// The scores' order keys, descending.
    pub keys: Vec<u64>,
}

impl ScoreTable {
    /// The precision–recall curve. With `drop_intermediate` an inner point is left out where the true positives change neither
    /// at it nor after it: it lies between its neighbours on one recall.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let curve = table.precision_recall_curve(false);
    /// assert_eq!(curve.precision, [0.5, 2.0 / 3.0, 0.5, 1.0, 1.0]);
    /// assert_eq!(curve.recall, [1.0, 1.0, 0.5, 0.5, 0.0]);
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    #[must_use]
    pub fn precision_recall_curve(&self, drop_intermediate: bool) -> PrecisionRecallCurve {
        let len = self.len();
        let (positives, _) = self.totals();
        if let (
            Amounts::Counts {
                positives: tps,
                negatives: fps,
            },
            false,
        ) = (self.amounts(), drop_intermediate)
        {
            return self.plain_curve(tps, fps);
        }
        let mut curve = PrecisionRecallCurve {
            precision: Vec::with_capacity(len + 1),
            recall: Vec::with_capacity(len + 1),
            keys: Vec::with_capacity(len),
        };
        let mut put = |place: usize, tp: f64, fp: f64| {
            curve.precision.push(tp / (tp + fp));
            let found = if positives > 0.0 { tp / positives } else { 1.0 };
            curve.recall.push(found);
            curve.keys.push(self.keys().get(place));
        };
        if drop_intermediate && len > 2 {
            // Going down, `after` is what stands below in the table.
            let mut after = f64::NAN;
            for place in (0..len).rev() {
                let (tp, fp) = self.cumulative(place);
                let inner = place > 0 && place + 1 < len;
                if !(inner && after == tp && self.cumulative(place - 1).0 == tp) {
                    put(place, tp, fp);
                }
                after = tp;
            }
        } else {
            for place in (0..len).rev() {
                let (tp, fp) = self.cumulative(place);
                put(place, tp, fp);
            }
        }
        curve.precision.push(1.0);
        curve.recall.push(0.0);
        curve
    }

    /// The curve of every score, without weights.
    fn plain_curve(&self, tps: &[u64], fps: &[u64]) -> PrecisionRecallCurve {
        let room = || Vec::with_capacity(tps.len() + 1);
        let (mut precision, mut recall) = (room(), room());
        precision_and_recall(tps, fps, &mut precision, &mut recall);
        precision.push(1.0);
        recall.push(0.0);
        PrecisionRecallCurve {
            precision,
            recall,
            keys: match self.keys() {
                Keys::Wide(keys) => keys.iter().rev().copied().collect(),
                Keys::Narrow(keys) => keys.iter().rev().map(|&key| u64::from(key)).collect(),
            },
        }
    }

    /// The detection error curve, from where false positives begin to where the last positive is found. With
    /// `drop_intermediate` points as in [`ScoreTable::precision_recall_curve`] are left out.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let curve = table.detection_error_curve(false);
    /// assert_eq!((&curve.fpr[..], &curve.fnr[..]), (&[0.5, 0.5, 0.0][..], &[0.0, 0.5, 0.5][..]));
    /// assert_eq!(curve.thresholds, [0.35, 0.4, 0.8]);
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    #[must_use]
    pub fn detection_error_curve(&self, drop_intermediate: bool) -> DetectionErrorCurve {
        let len = self.len();
        let (positives, negatives) = self.totals();
        // Point 0 is ∞, where nothing is predicted positive; point i is score i - 1.
        let at = |point: usize| self.at_or_above(point);
        let drops = drop_intermediate && len + 1 > 2;
        let kept = |point: usize| {
            let inner = drops && point > 0 && point < len;
            !inner || at(point - 1).0 != at(point).0 || at(point).0 != at(point + 1).0
        };
        // The last kept point without false positives, and the first with all positives: counts only rise.
        let mut first = first_place(len + 1, |point| at(point).1 > 0.0).saturating_sub(1);
        while first > 0 && !kept(first) {
            first -= 1;
        }
        let mut last = first_place(len, |point| at(point).0 >= positives);
        while last < len && !kept(last) {
            last += 1;
        }
        let room = last.saturating_sub(first) + 1;
        let mut curve = DetectionErrorCurve {
            fpr: Vec::with_capacity(room),
            fnr: Vec::with_capacity(room),
            thresholds: Vec::with_capacity(room),
        };
        if let (
            Amounts::Counts {
                positives: tps,
                negatives: fps,
            },
            false,
        ) = (self.amounts(), drops)
        {
            let start = first.saturating_sub(1);
            let places = start..last.max(start);
            errors(&tps[places.clone()], positives, true, &mut curve.fnr);
            errors(&fps[places.clone()], negatives, false, &mut curve.fpr);
            curve.thresholds = match self.keys() {
                Keys::Wide(keys) if self.kind() == f64::KIND => {
                    doubles(keys[places].iter().rev().copied().collect())
                }
                _ => places.rev().map(|place| self.score(place)).collect(),
            };
            if first == 0 {
                let (wrong, missed) = (0.0, positives);
                curve.fpr.push(wrong / negatives);
                curve.fnr.push(missed / positives);
                curve.thresholds.push(f64::INFINITY);
            }
            return curve;
        }
        let mut put = |missed: f64, wrong: f64, threshold: f64| {
            curve.fpr.push(wrong / negatives);
            curve.fnr.push(missed / positives);
            curve.thresholds.push(threshold);
        };
        for point in (first.max(1)..=last).rev() {
            if drops && !kept(point) {
                continue;
            }
            let counts = self.counts_at(point - 1);
            put(counts.fn_, counts.fp, self.score(point - 1));
        }
        if first == 0 {
            put(positives, 0.0, f64::INFINITY);
        }
        curve
    }

    /// The four counts at every distinct score, as far as may be in the table's own memory.
    #[must_use]
    pub fn into_threshold_counts(self) -> ThresholdCounts {
        if self.is_weighted() {
            return self.weighted_counts();
        }
        let (keys, _, amounts) = self.into_parts();
        let keys = match keys {
            Keys::Wide(keys) => keys,
            Keys::Narrow(keys) => keys.into_iter().map(u64::from).collect(),
        };
        let Amounts::Counts {
            positives,
            negatives,
        } = amounts
        else {
            return ThresholdCounts::default();
        };
        let reached_and_rest = |mut counts: Vec<u64>| {
            let mut rest = Vec::with_capacity(counts.len());
            split_counts(&mut counts, &mut rest);
            (counts.into_iter().map(f64::from_bits).collect(), rest)
        };
        let (fp, tn) = reached_and_rest(negatives);
        let (tp, fn_) = reached_and_rest(positives);
        ThresholdCounts {
            tn,
            fp,
            fn_,
            tp,
            keys,
        }
    }

    /// The four sums of weights at every distinct score.
    fn weighted_counts(&self) -> ThresholdCounts {
        let keys = (0..self.len())
            .map(|place| self.keys().get(place))
            .collect();
        let mut all = ThresholdCounts {
            keys,
            ..ThresholdCounts::default()
        };
        for counts in self.every_counts().skip(1) {
            all.tn.push(counts.tn);
            all.fp.push(counts.fp);
            all.fn_.push(counts.fn_);
            all.tp.push(counts.tp);
        }
        all
    }
}

/// Precision and recall from the lowest score to the highest. Recall is 1 where there are no positives.
#[inline(always)]
fn precision_and_recall_body(
    tps: &[u64],
    fps: &[u64],
    precision: &mut Vec<f64>,
    recall: &mut Vec<f64>,
) {
    let positives = tps.last().copied().unwrap_or(0);
    let pairs = tps.iter().zip(fps).rev();
    precision.extend(pairs.map(|(&tp, &fp)| tp as f64 / (tp + fp) as f64));
    if positives > 0 {
        let shares = tps.iter().rev().map(|&tp| tp as f64 / positives as f64);
        recall.extend(shares);
    } else {
        recall.resize(tps.len(), 1.0);
    }
}

/// Counts, or with `missed` what is left of the total, as shares of the total, the last first.
#[inline(always)]
fn errors_body(counts: &[u64], total: f64, missed: bool, shares: &mut Vec<f64>) {
    let counts = counts.iter().rev().map(|&count| count as f64);
    if missed {
        shares.extend(counts.map(|count| (total - count) / total));
    } else {
        shares.extend(counts.map(|count| count / total));
    }
}

/// Running totals as bits of floats, and what is left of the last of them at each.
#[inline(always)]
fn split_counts_body(counts: &mut [u64], rest: &mut Vec<f64>) {
    let total = counts.last().copied().unwrap_or(0);
    rest.extend(counts.iter().map(|&count| (total - count) as f64));
    for count in counts {
        *count = (*count as f64).to_bits();
    }
}

wide! {
    fn precision_and_recall[](
        tps: &[u64],
        fps: &[u64],
        precision: &mut Vec<f64>,
        recall: &mut Vec<f64>,
    ) -> () = precision_and_recall_body;
    fn errors[](counts: &[u64], total: f64, missed: bool, shares: &mut Vec<f64>) -> () = errors_body;
    fn split_counts[](counts: &mut [u64], rest: &mut Vec<f64>) -> () = split_counts_body;
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn curves_agree_with_counting_each_threshold(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..4), 1..60),
            weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| if weighted { f64::from(row.2) } else { 1.0 }).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &RankOptions::default(),
            ).unwrap();
            let weigh = |label: u8, reached: &dyn Fn(f64) -> bool| -> f64 {
                (0..y.len()).filter(|&i| y[i] == label && reached(s[i])).map(|i| w[i]).sum()
            };
            let (positives, negatives) = (weigh(1, &|_| true), weigh(0, &|_| true));
            let curve = table.precision_recall_curve(false);
            prop_assert_eq!(curve.keys.len(), table.len());
            for (i, &key) in curve.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                let (tp, fp) = (weigh(1, &|x| x >= threshold), weigh(0, &|x| x >= threshold));
                prop_assert_eq!(curve.precision[i], tp / (tp + fp));
                prop_assert_eq!(curve.recall[i], if positives > 0.0 { tp / positives } else { 1.0 });
            }
            let counts = table.clone().into_threshold_counts();
            for (i, &key) in counts.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                prop_assert_eq!(counts.tp[i], weigh(1, &|x| x >= threshold));
                prop_assert_eq!(counts.fp[i], weigh(0, &|x| x >= threshold));
                prop_assert_eq!(counts.fn_[i], weigh(1, &|x| x < threshold));
                prop_assert_eq!(counts.tn[i], weigh(0, &|x| x < threshold));
            }
            if positives > 0.0 && negatives > 0.0 {
                let curve = table.detection_error_curve(false);
                for (i, &threshold) in curve.thresholds.iter().enumerate() {
                    prop_assert_eq!(curve.fpr[i], weigh(0, &|x| x >= threshold) / negatives);
                    prop_assert_eq!(curve.fnr[i], weigh(1, &|x| x < threshold) / positives);
                }
                // One point at most at each end lies on the axis.
                let inner = &curve.fpr[..curve.fpr.len() - 1];
                prop_assert!(inner.iter().all(|&rate| rate > 0.0));
                prop_assert!(curve.fnr[1..].iter().all(|&rate| rate > 0.0));
                let fewer = table.detection_error_curve(true);
                prop_assert!(fewer.thresholds.len() <= curve.thresholds.len());
            }
        }
    }
}
