//! Running totals of weights of either sign, and scikit-learn's curves for them.
//!
//! Weights below zero give no meaningful rates: totals rise and fall, and may cancel. But
//! scikit-learn's formulas accept them, so these functions do too, in the same steps as
//! scikit-learn's code.
//!
//! 1. Split the weights in two by their sign, and sweep each part into a score table. Its sums are
//!    exact.
//! 2. Merge both tables from the highest score down, and subtract one from the other.
//! 3. Read the curves from the totals.
//!
//! Cost: two sweeps, and 32 bytes a distinct score. Such weights are rare, so nothing here is
//! tuned.

use crate::arith::exact::{Weights, by_sign};
use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::memory::{Gather, Room};
use crate::scores::keys::ScoreKind;
use crate::scores::score_table::{ScoreTable, first_place};

use super::all_thresholds::score_table;
use super::rows::SweepOptions;

/// Distinct scores, high to low, with the sums of the weights at or above each.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedTotals {
    kind: ScoreKind,
    keys: Vec<u64>,
    tp: Vec<f64>,
    fp: Vec<f64>,
}

/// A curve: two coordinates, and the order keys of its scores. A curve that begins or ends outside
/// the scores has one more point.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedCurve {
    /// The coordinate along the curve.
    pub x: Vec<f64>,
    /// The other coordinate.
    pub y: Vec<f64>,
    /// The scores.
    pub keys: Vec<u64>,
}

impl SignedTotals {
    /// The totals of rows. Rows of weight zero are left out.
    ///
    /// # Errors
    /// Like [`score_table`], except for the sign of the weights.
    pub fn sweep(
        y_true: &Labels,
        y_score: &Scores,
        weights: Weights,
        options: &SweepOptions,
    ) -> Result<Self> {
        let part =
            |part: &[f64]| score_table(y_true, y_score, Some(Weights::from_slice(part)), options);
        let [more, less] = by_sign(weights);
        Ok(Self::less(&part(&more)?, &part(&less)?))
    }

    fn less(table: &ScoreTable, less: &ScoreTable) -> Self {
        let mut totals =
            Self { kind: table.kind(), keys: Vec::new(), tp: Vec::new(), fp: Vec::new() };
        let key =
            |table: &ScoreTable, place| (place < table.len()).then(|| table.keys().get(place));
        let above = |table: &ScoreTable, place: usize| match place {
            0 => (0.0, 0.0),
            _ => table.cumulative(place - 1),
        };
        let (mut a, mut b) = (0, 0);
        while let Some(next) = key(table, a).max(key(less, b)) {
            a += usize::from(key(table, a) == Some(next));
            b += usize::from(key(less, b) == Some(next));
            let (more, fewer) = (above(table, a), above(less, b));
            totals.keys.grow(next);
            totals.tp.grow(more.0 - fewer.0);
            totals.fp.grow(more.1 - fewer.1);
        }
        totals
    }

    /// The sums of the weights of the positives and of the negatives.
    pub fn totals(&self) -> (f64, f64) {
        let last = |totals: &[f64]| totals.last().copied().unwrap_or(0.0);
        (last(&self.tp), last(&self.fp))
    }

    /// The order keys of the scores, high to low.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The positives and the negatives at or above each score.
    pub fn at_or_above(&self) -> (&[f64], &[f64]) {
        (&self.tp, &self.fp)
    }

    /// A score as a number.
    pub fn score(&self, key: u64) -> f64 {
        self.kind.score(key)
    }

    /// False and true positive rate, from a point before the first score on. A rate with a total
    /// that is not above 0 is NaN. With `drop`, inner points at which neither total changes its
    /// step are left out.
    pub fn roc(&self, drop: bool) -> SignedCurve {
        let bends = |totals: &[f64], at: usize| {
            let step = |at: usize| totals[at] - totals[at - 1];
            step(at + 1) != step(at)
        };
        let places =
            Self::kept(self.keys.len(), drop, |at| bends(&self.tp, at) || bends(&self.fp, at));
        let (positives, negatives) = self.totals();
        let rates = |totals: &[f64], whole: f64| {
            if whole > 0.0 {
                let rates = places.iter().map(|&at| totals[at] / whole);
                std::iter::once(0.0).chain(rates).gather()
            } else {
                vec![f64::NAN; places.len() + 1]
            }
        };
        SignedCurve {
            x: rates(&self.fp, negatives),
            y: rates(&self.tp, positives),
            keys: places.iter().map(|&at| self.keys[at]).gather(),
        }
    }

    /// Precision and recall from the lowest score up, and the point (1, 0) after the highest.
    /// Recall is 1 if the positives sum to 0.
    pub fn precision_recall(&self, drop: bool) -> SignedCurve {
        let places = Self::kept(self.keys.len(), drop, |at| moves(&self.tp, at));
        let (positives, _) = self.totals();
        let precision = |at: usize| match self.tp[at] + self.fp[at] {
            0.0 => 0.0,
            predicted => self.tp[at] / predicted,
        };
        let recall = |at: usize| match positives {
            0.0 => 1.0,
            positives => self.tp[at] / positives,
        };
        let upwards = || places.iter().rev().copied();
        SignedCurve {
            x: upwards().map(precision).chain([1.0]).gather(),
            y: upwards().map(recall).chain([0.0]).gather(),
            keys: upwards().map(|at| self.keys[at]).gather(),
        }
    }

    /// The area under the step function of precision over recall, at least 0.
    pub fn average_precision(&self) -> f64 {
        let curve = self.precision_recall(false);
        let steps = curve.y.windows(2).zip(&curve.x);
        let area: f64 = steps.map(|(recall, precision)| (recall[0] - recall[1]) * precision).sum();
        area.max(0.0)
    }

    /// False positive and false negative rate from the lowest score up. If the curve reaches the
    /// point before the first score, it has one more point than scores.
    pub fn detection_error(&self, drop: bool) -> SignedCurve {
        let started = |totals: &[f64]| -> Vec<f64> { [&[0.0], totals].concat() };
        let (tp, fp) = (started(&self.tp), started(&self.fp));
        let places = Self::kept(tp.len(), drop, |at| moves(&tp, at));
        let (positives, negatives) = self.totals();
        let last = places.last().copied().unwrap_or(0);
        // The steps of numpy's search: for totals that rise and fall, the result depends on them.
        let is_before = |at: usize| fp[places[at]] <= fp[0];
        let start = first_place(places.len(), |at| !is_before(at));
        let is_open = |at: usize| tp[places[at]] < tp[last];
        let end = first_place(places.len(), |at| !is_open(at)) + 1;
        let start = start.saturating_sub(1);
        let upwards = || {
            let part = places.get(start..end.min(places.len()));
            part.unwrap_or_default().iter().rev().copied()
        };
        SignedCurve {
            x: upwards().map(|at| fp[at] / negatives).gather(),
            y: upwards().map(|at| (positives - tp[at]) / positives).gather(),
            keys: upwards().filter(|&at| at > 0).map(|at| self.keys[at - 1]).gather(),
        }
    }

    /// All places. With `drop`, if there are more than two: both ends and the inner places where
    /// `turn` is true.
    fn kept(len: usize, drop: bool, turn: impl Fn(usize) -> bool) -> Vec<usize> {
        let ends = |at: usize| at == 0 || at + 1 == len;
        (0..len).filter(|&at| !drop || len <= 2 || ends(at) || turn(at)).gather()
    }
}

/// Whether an inner total differs from a neighbour.
fn moves(totals: &[f64], at: usize) -> bool {
    totals[at] != totals[at - 1] || totals[at + 1] != totals[at]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::scores::curves::det::DetectionErrorCurve;
    use crate::scores::curves::precision_recall::PrecisionRecallCurve;
    use crate::scores::curves::roc::RocCurve;
    use crate::scores::ranking::Ranking;
    use proptest::prelude::*;

    /// Positives and negatives at or above each distinct score of rows with a non-zero weight, by
    /// definition.
    fn naive(truth: &[bool], scores: &[i16], weights: &[f64]) -> Vec<(i16, f64, f64)> {
        let rows = || (0..truth.len()).filter(|&row| weights[row] != 0.0);
        let mut distinct: Vec<i16> = rows().map(|row| scores[row]).collect();
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        distinct.dedup();
        let above = |score: i16, of: bool| {
            rows()
                .filter(|&row| scores[row] >= score && truth[row] == of)
                .map(|row| weights[row])
                .sum::<f64>()
        };
        let each = distinct.into_iter();
        each.map(|score| (score, above(score, true), above(score, false))).collect()
    }

    fn totals(truth: &[bool], scores: &[i16], weights: &[f64]) -> SignedTotals {
        let truth: Vec<u8> = truth.iter().map(|&is| u8::from(is)).collect();
        let labels = Labels::Bool(Column::from_slice(&truth));
        let options = SweepOptions {
            pos_label: Some(crate::base::input::Label::Int(1)),
            ..SweepOptions::default()
        };
        let scores = Scores::I16(Column::from_slice(scores));
        SignedTotals::sweep(&labels, &scores, Column::from_slice(weights), &options).unwrap()
    }

    proptest! {
        #[test]
        fn totals_are_sums_over_the_rows(
            rows in prop::collection::vec((any::<bool>(), -5_i16..5, -8_i8..8), 1..400),
        ) {
            let truth: Vec<bool> = rows.iter().map(|row| row.0).collect();
            let scores: Vec<i16> = rows.iter().map(|row| row.1).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
            let found = totals(&truth, &scores, &weights);
            let expected = naive(&truth, &scores, &weights);
            prop_assert_eq!(found.keys.len(), expected.len());
            for (at, &(score, tp, fp)) in expected.iter().enumerate() {
                let here = (found.score(found.keys[at]), found.tp[at], found.fp[at]);
                prop_assert_eq!(here, (f64::from(score), tp, fp));
            }
            // For weights without signs, the curves equal the table's.
            let weights: Vec<f64> = weights.into_iter().map(f64::abs).collect();
            let bits: Vec<u8> = truth.iter().map(|&is| u8::from(is)).collect();
            let labels = Labels::Bool(Column::from_slice(&bits));
            let column = Scores::I16(Column::from_slice(&scores));
            let options = SweepOptions::default();
            let table = score_table(&labels, &column, Some(Column::from_slice(&weights)), &options).unwrap();
            let weighs = |class: bool| rows.iter().any(|row| row.0 == class && row.2 != 0);
            let both = weighs(true) && weighs(false);
            prop_assert_eq!(table.totals().0 > 0.0 && table.totals().1 > 0.0, both);
            if both {
                let found = totals(&truth, &scores, &weights);
                let expected = Ranking::from(table.clone()).average_precision().unwrap();
                prop_assert!((found.average_precision() - expected).abs() < 1e-12);
                for drop in [false, true] {
                    let (curve, expected) = (found.precision_recall(drop), PrecisionRecallCurve::of(table.clone(), drop).unwrap());
                    prop_assert_eq!((curve.x, curve.y), (expected.precision, expected.recall));
                    let (curve, expected) = (found.detection_error(drop), DetectionErrorCurve::of(&table, drop));
                    prop_assert_eq!((curve.x, curve.y), (expected.fpr, expected.fnr));
                    let (curve, expected) = (found.roc(drop), RocCurve::of(table.clone(), drop).unwrap());
                    prop_assert_eq!((curve.x, curve.y), (expected.fpr, expected.tpr));
                }
            }
        }
    }

    #[test]
    fn weights_below_zero_take_away() {
        let found = totals(&[true, false, true], &[3, 2, 1], &[2.0, 1.0, -1.0]);
        let curve = found.precision_recall(false);
        assert_eq!(curve.x, [0.5, 2.0 / 3.0, 1.0, 1.0]);
        assert_eq!(curve.y, [1.0, 2.0, 2.0, 0.0]);
        assert_eq!(found.roc(false).y, [0.0, 2.0, 2.0, 1.0]);
        assert_eq!(found.totals(), (1.0, 1.0));
    }
}
