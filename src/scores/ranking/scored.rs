//! What a table of scores says of the scores themselves, taken as probabilities: means, differences, margins.
//!
//! Everything is summed over the distinct scores from high to low, in the walk of [`crate::scores::ranking::sums`], so its bits depend on nothing
//! but the table: not on the order of the rows, nor on how they were split.

use crate::arith::products::unit_scale;
use crate::base::input::{Label, LabelKind};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::score_table::{Keys, ScoreTable, union};

impl ScoreTable {
    /// Whether all scores lie in [0, 1]; a missing one that was ranked does not.
    pub fn are_probabilities(&self) -> bool {
        self.len()
            .checked_sub(1)
            .is_none_or(|last| self.score(0) <= 1.0 && self.score(last) >= 0.0)
    }

    /// The mean score of the positives and that of the negatives; `None` for a class without rows.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.5, 1.0]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.mean_scores(), (Some(0.75), Some(0.25)));
    /// assert_eq!(table.scored_auc(), Some(0.5));
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn mean_scores(&self) -> (Option<f64>, Option<f64>) {
        let (positives, negatives) = self.totals();
        let (own, other) = self.sums_of_scores();
        let mean = |sum: f64, total: f64| (total > 0.0).then(|| sum / (total * unit_scale(total)));
        (mean(own, positives), mean(other, negatives))
    }

    /// The mean, over all rows, of the probability that the scores give to a row's own class; `None` without rows.
    pub fn mean_probability(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        let total = positives + negatives;
        let total = total * unit_scale(total);
        (total > 0.0).then(|| (self.sums_of_errors().0 / total).clamp(0.0, 1.0))
    }

    /// Over all pairs of a positive and a negative row, the mean of how far the positive one scores above the negative one, 0
    /// where it does not; `None` if a class is absent.
    ///
    /// It is the area under true positive rate times true negative rate over the threshold: between two neighbouring scores
    /// both are constant, so one walk over the table adds terms that are never negative.
    pub fn scored_auc(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        let (up, down) = (unit_scale(positives), unit_scale(negatives));
        Some(self.sum_of_margins() / ((positives * up) * (negatives * down)))
    }

    /// Average precision of the negatives, ranked from the lowest score up, as one minus the scores ranks them; `None` without
    /// negatives.
    pub fn negative_average_precision(&self) -> Option<f64> {
        let (_, total) = self.totals();
        let scaled = total * unit_scale(total);
        (total > 0.0).then(|| (self.sum_of_negative_precisions() / scaled).min(1.0))
    }

    /// The table whose positives are the rows here, and whose negatives are those of `rest`; both hold positives only, and scores of
    /// one kind, else there is none.
    pub(crate) fn against(&self, rest: &Self) -> Option<Self> {
        let (positives, negatives) = (self.amounts(), rest.turned_amounts());
        let (keys, amounts) = match (self.keys(), rest.keys()) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, positives, &negatives),
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, positives, &negatives),
            _ => return None,
        }
        .ok()?;
        let labels = BinaryLabels {
            pair: Pair {
                negative: Some(Label::Int(0)),
                positive: Some(Label::Int(1)),
            },
            pos_label: Some(Label::Int(1)),
            kind: LabelKind::Bool,
        };
        Some(Self::from_sweep(self.kind(), keys, amounts, labels))
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
        fn means_and_margins_are_those_of_the_rows(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..6), 1..60), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| if weighted { f64::from(row.2) / 4.0 } else { 1.0 }).collect();
            let options = RankOptions { pos_label: Some(Label::Int(1)), ..RankOptions::default() };
            let weights = weighted.then(|| Column::from_slice(&w[..]));
            let (labels, scores) = (Labels::U8(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
            let table = score_table(&labels, &scores, weights, &options).unwrap();
            let all = || (0..y.len()).map(|i| (y[i] == 1, s[i], w[i]));
            let total = |class: bool| all().filter(|row| row.0 == class).map(|row| row.2).sum::<f64>();
            let mean = |class: bool| all().filter(|row| row.0 == class).map(|row| row.1 * row.2).sum::<f64>() / total(class);
            let (p, n) = table.mean_scores();
            prop_assert!(p.is_none_or(|p| (p - mean(true)).abs() < 1e-14) && p.is_some() == (total(true) > 0.0));
            prop_assert!(n.is_none_or(|n| (n - mean(false)).abs() < 1e-14) && n.is_some() == (total(false) > 0.0));
            let own: f64 = all().map(|(positive, s, w)| w * if positive { s } else { 1.0 - s }).sum();
            let found = table.mean_probability().unwrap();
            prop_assert!((found - own / (total(true) + total(false))).abs() < 1e-14);
            if let Some(area) = table.scored_auc() {
                let mut sum = 0.0;
                for (a, s, v) in all() {
                    for (b, t, w) in all() {
                        if a && !b && s > t { sum += v * w * (s - t); }
                    }
                }
                prop_assert!((area - sum / total(true) / total(false)).abs() < 1e-14);
            }
            let turned: Vec<f64> = s.iter().map(|s| 1.0 - s).collect();
            let flipped: Vec<u8> = y.iter().map(|y| 1 - y).collect();
            let (labels, scores) = (Labels::U8(Column::from_slice(&flipped)), Scores::F64(Column::from_slice(&turned)));
            let other = score_table(&labels, &scores, weights, &options).unwrap().average_precision();
            let own = table.negative_average_precision();
            prop_assert!(own.is_some() == other.is_some());
            prop_assert!(own.zip(other).is_none_or(|(a, b)| (a - b).abs() < 1e-14));
        }
    }
}
