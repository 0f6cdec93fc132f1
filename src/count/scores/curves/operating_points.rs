//! A few operating points that represent a score table: for charts, and for code that iterates over
//! thresholds.
//!
//! 1. Choose the points where the true or the false positive rate first reaches each of a number of
//!    equal steps.
//! 2. From either end, also choose the points where the rows predicted positive, or negative, have
//!    grown by the same share. Without them the beginning, where precision and lift vary strongly,
//!    and both tails of detection errors would be too coarse.
//!
//! So all charts (ROC, gain, KS, any index over any other) use the same points.
//! [`crate::scores::curves::curve_points`] chooses better points for one curve, but reads every
//! point.
//!
//! Cost: cumulative counts rise, so each step is a binary search: about a thousand, for any number
//! of rows.
//!
//! Rejected:
//! - equal steps of the rank or of the score: neither bounds the points in between.

use crate::base::memory::{Gather, Room};
use crate::scores::score_table::{ScoreTable, first_place};

/// Some points of a table's curves; point 0 is the threshold ∞, point i the i-th score from the
/// top.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatingPoints {
    /// The points, ascending, including the first and the last.
    pub places: Vec<usize>,
    /// At a threshold between two of these points, each rate exceeds the rate at the point before
    /// by at most this.
    pub step: f64,
}

/// Masses from the first to all, each larger than the one before by the same share of it: a half, a
/// quarter, an eighth, …; the smallest share that gives at most `most` masses.
fn growing(first: f64, all: f64, most: usize) -> Vec<f64> {
    let by = |share: f64| {
        let each = std::iter::successors(Some(first), move |mass| Some(mass + mass * share));
        each.take_while(|&mass| mass > 0.0 && mass < all).take(most + 1).gather()
    };
    (0..8)
        .rev()
        .map(|halvings| by(0.5_f64.powi(halvings)))
        .find(|masses| masses.len() <= most)
        .unwrap_or_default()
}

impl OperatingPoints {
    /// At most `most` (at least 2) operating points that represent all points; all points if there
    /// are no more.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::curves::operating_points::OperatingPoints;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let scores: Vec<f64> = (0..1000).map(f64::from).collect();
    /// let labels: Vec<u8> = (0..1000).map(|row| u8::from(row % 3 == 0)).collect();
    /// let (labels, scores) = (Column::from_slice(&labels), Column::from_slice(&scores));
    /// let (labels, scores) = (Labels::U8(labels), Scores::F64(scores));
    /// let table = score_table(&labels, &scores, None, &SweepOptions::default())?;
    /// let points = OperatingPoints::of(&table, 200);
    /// assert!(points.places.len() <= 200 && points.step < 0.02);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn of(table: &ScoreTable, most: usize) -> Self {
        let last = table.len();
        if last < most {
            return Self { places: (0..=last).gather(), step: 0.0 };
        }
        let reach =
            |goal: f64, mass: &dyn Fn(usize) -> f64| first_place(last, |point| mass(point) >= goal);
        let inner = most.saturating_sub(2);
        let mut places = vec![0, last];
        let both = |point| {
            let (positives, negatives) = table.at_or_above(point);
            positives + negatives
        };
        let all = both(last);
        let grown = growing(both(1.min(last)), all, inner / 4);
        for &goal in &grown {
            places.grow(reach(goal, &both));
            places.grow(reach(all - goal, &both));
        }
        let steps = inner / 2 - grown.len();
        let (positives, negatives) = table.totals();
        for step in 1..=steps {
            let share = step as f64 / steps as f64;
            places.grow(reach(positives * share, &|point| table.at_or_above(point).0));
            places.grow(reach(negatives * share, &|point| table.at_or_above(point).1));
        }
        places.sort_unstable();
        places.dedup();
        let step = Self::hidden(table, &places);
        Self { places, step }
    }

    /// The largest rise of a rate from one of these points to the last point before the next.
    fn hidden(table: &ScoreTable, places: &[usize]) -> f64 {
        let (positives, negatives) = table.totals();
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        places.windows(2).fold(0.0, |most: f64, pair| {
            let (low, high) = (table.at_or_above(pair[0]), table.at_or_above(pair[1] - 1));
            most.max(share(high.0 - low.0, positives)).max(share(high.1 - low.1, negatives))
        })
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

    fn table(rows: &[(u8, u16, u8)], weighted: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
        let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
        score_table(
            &Labels::U8(Column::from_slice(&y)),
            &Scores::F64(Column::from_slice(&s)),
            weighted.then(|| Column::from_slice(&w)),
            &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn few_points_hide_no_more_than_they_say(
            rows in prop::collection::vec((0_u8..2, 0_u16..2000, 0_u8..4), 1..600), weighted: bool, most in 2_usize..90,
        ) {
            let table = table(&rows, weighted);
            let points = OperatingPoints::of(&table, most);
            prop_assert!(points.places.len() <= most.max(1));
            prop_assert_eq!(points.places.first(), Some(&0));
            prop_assert_eq!(points.places.last(), Some(&table.len()));
            prop_assert!(points.places.is_sorted_by(|a, b| a < b));
            if table.len() < most {
                prop_assert_eq!(points.places.len(), table.len() + 1);
            }
            // Every point, compared with the last chosen point before it.
            let totals = table.totals();
            let mut hidden = 0.0_f64;
            let mut before = 0;
            for point in 0..=table.len() {
                if points.places.contains(&point) {
                    before = point;
                }
                let (from, to) = (table.at_or_above(before), table.at_or_above(point));
                for (rise, total) in [(to.0 - from.0, totals.0), (to.1 - from.1, totals.1)] {
                    if total > 0.0 {
                        hidden = hidden.max(rise / total);
                    }
                }
            }
            prop_assert_eq!(points.step, hidden);
            let steps = most.saturating_sub(2) / 2 - most.saturating_sub(2) / 4;
            prop_assert!(steps == 0 || hidden <= 1.0 / steps as f64 + 1e-12);
        }
    }
}
