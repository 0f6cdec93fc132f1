//! The cost curve: the least expected cost over the probability-cost of the positives, which
//! combines prevalence and costs.
//!
//! Each threshold is a straight line, and the minimum over all lines has a corner for each edge of
//! the convex hull of the ROC curve ([`crate::scores::isotonic_hull`]).
//!
//! Cost: one step for each vertex of the hull.
//!
//! Source: Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5.

use crate::base::memory::Room;
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::ScoreTable;

/// The least expected cost over all thresholds, as the corners of a polyline.
#[derive(Clone, Debug, PartialEq)]
pub struct CostCurve {
    /// `p C(miss) / (p C(miss) + (1 - p) C(false alarm))` with the prevalence p: ascending from 0
    /// to 1.
    pub probability_cost: Vec<f64>,
    /// `fnr * probability_cost + fpr * (1 - probability_cost)`, the least over all thresholds, in
    /// [0, 1/2]; NaN if a class is absent.
    pub expected_cost: Vec<f64>,
    /// The number of highest distinct scores that the best threshold predicts positive, from this
    /// corner to the next.
    pub predicted: Vec<usize>,
}

impl CostCurve {
    /// The lower envelope of the cost lines of all thresholds.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::cost::CostCurve;
    /// use rocksteady_count::scores::isotonic_hull::RocHull;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let curve = CostCurve::of(&table, &RocHull::of(&table));
    /// assert_eq!(curve.probability_cost, [0.0, 0.5, 1.0]);
    /// assert_eq!(curve.expected_cost, [0.0, 0.25, 0.0]);
    /// assert_eq!(curve.predicted, [1, 3, 4]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn of(table: &ScoreTable, hull: &RocHull) -> Self {
        let (positives, negatives) = table.totals();
        let mut curve =
            Self { probability_cost: vec![0.0], expected_cost: vec![0.0], predicted: vec![0] };
        if !(positives > 0.0 && negatives > 0.0) {
            return Self {
                probability_cost: vec![0.0, 1.0],
                expected_cost: vec![f64::NAN; 2],
                predicted: vec![0, table.len()],
            };
        }
        let mut last = 0.0;
        for ends in hull.predicted.windows(2) {
            let (a, b) = (table.counts_of_first(ends[0]), table.counts_of_first(ends[1]));
            let (right, up) = ((b.fp - a.fp) / negatives, (b.tp - a.tp) / positives);
            let x = right / (right + up);
            if x > last {
                curve.probability_cost.grow(x);
                let cost = (a.fn_ / positives) * x + (a.fp / negatives) * (1.0 - x);
                curve.expected_cost.grow(cost);
                curve.predicted.grow(ends[1]);
                last = x;
            } else if let Some(predicted) = curve.predicted.last_mut() {
                *predicted = ends[1];
            }
        }
        if last < 1.0 {
            curve.probability_cost.grow(1.0);
            curve.expected_cost.grow(0.0);
            curve.predicted.grow(table.len());
        }
        curve
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn costs_are_those_of_each_threshold(rows in Rows::any(), x in 0.0..1.0) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let (positives, negatives) = rows.totals();

            // The cost curve against the definition, the minimum over all thresholds.
            let curve = CostCurve::of(&table, &RocHull::of(&table));
            if positives > 0.0 && negatives > 0.0 {
                let least = rows.s.iter().copied().chain([f64::INFINITY]).map(|t| {
                    weigh(1, &|s| s < t) / positives * x + weigh(0, &|s| s >= t) / negatives * (1.0 - x)
                }).fold(1.0, f64::min);
                let i = curve.probability_cost.iter().rposition(|&corner| corner <= x).unwrap();
                let (a, b) = (curve.probability_cost[i], curve.probability_cost[i + 1]);
                let (low, high) = (curve.expected_cost[i], curve.expected_cost[i + 1]);
                prop_assert!((low + (high - low) * (x - a) / (b - a) - least).abs() < 1e-12);
                let best = table.counts_of_first(curve.predicted[i]);
                prop_assert!((best.fn_ / positives * x + best.fp / negatives * (1.0 - x) - least).abs() < 1e-12);
            }
        }
    }
}
