//! Losses at the best threshold: the least loss over all thresholds, and its mean over a
//! distribution of costs.
//!
//! A false positive costs c and a false negative 1 - c, with c from 0 to 1.
//!
//! 1. The least loss is at a vertex of the convex hull of the ROC curve. A segment of the hull with
//!    P positives and N negatives is predicted positive if c is below its share of positives s = P
//!    / (P + N).
//! 2. So, if c has a beta distribution with density u, the mean of the least loss is
//!
//!    ```text
//!    sum over the stretches of
//!        N (integral of c u over c < s) + P (integral of (1 - c) u over c > s)
//!      = sum of  (a N I + b P (1 - I) - (P + N) d) / (a + b),   d = s^a (1 - s)^b / B(a, b)
//!    ```
//!
//!    where I is the regularised incomplete beta function of s.
//! 3. Uninformative scores have one segment, and its sum is the largest loss. The H-measure is the
//!    share of this loss that the scores save.
//!
//! Cost: the hull, then 0.3 µs a vertex; their number is a small multiple of the cube root of the
//! number of rows.
//!
//! Sources: Hand 2009, doi:10.1007/s10994-009-5119-5; Hand, Anagnostopoulos 2014,
//! doi:10.1016/j.patrec.2013.12.011.

use crate::arith::products::unit_scale;
use crate::arith::special::beta_tails_and_rise;
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::ScoreTable;

/// The rows of both classes in a segment, and its share of all rows.
#[derive(Clone, Copy)]
struct Rows {
    positives: f64,
    negatives: f64,
}

impl Rows {
    /// (a + b) times the mean least loss of indistinguishable rows, with the distribution of costs
    /// given by `beta`.
    fn loss(self, (a, b): (f64, f64), beta: impl Fn(f64, f64) -> ([f64; 2], f64)) -> f64 {
        let Self { positives, negatives } = self;
        let ([below, above], rise) = beta(positives, negatives);
        a * negatives * below + b * positives * above - (positives + negatives) * rise
    }
}

/// All rows as shares of the larger class; `None` if a class is empty.
fn shares(table: &ScoreTable) -> Option<(Rows, f64)> {
    let (positives, negatives) = table.totals();
    let scale = unit_scale(positives.max(negatives));
    let rows = Rows { positives: positives * scale, negatives: negatives * scale };
    (rows.positives > 0.0 && rows.negatives > 0.0).then_some((rows, scale))
}

/// The share of positives; `None` if a class has no rows.
pub fn prevalence(table: &ScoreTable) -> Option<f64> {
    let (rows, _) = shares(table)?;
    Some(rows.positives / (rows.positives + rows.negatives))
}

/// The H-measure if the cost of a false positive, relative to both errors, has a beta distribution;
/// `None` if a class has no rows.
pub fn h_measure(table: &ScoreTable, hull: &RocHull, a: f64, b: f64) -> Option<f64> {
    let (all, scale) = shares(table)?;
    let beta = beta_tails_and_rise(a, b);
    let (mut least, mut before) = (0.0, (0.0, 0.0));
    for &predicted in &hull.predicted[1..] {
        let (tp, fp) = table.cumulative(predicted - 1);
        let stretch =
            Rows { positives: (tp - before.0) * scale, negatives: (fp - before.1) * scale };
        least += stretch.loss((a, b), &beta);
        before = (tp, fp);
    }
    Some((1.0 - least / all.loss((a, b), &beta)).clamp(0.0, 1.0))
}

/// The least mean cost of a row over all thresholds, if a false positive costs `cost` and a false
/// negative 1 - `cost`; `None` if a class has no rows.
pub fn least_loss(table: &ScoreTable, hull: &RocHull, cost: f64) -> Option<f64> {
    let (all, scale) = shares(table)?;
    let loss = |&predicted: &usize| {
        let counts = table.counts_of_first(predicted);
        cost * (counts.fp * scale) + (1.0 - cost) * (counts.fn_ * scale)
    };
    let losses = hull.predicted.iter().map(loss);
    let least = losses.fold(f64::INFINITY, f64::min);
    Some(least / (all.positives + all.negatives))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::special::beta_cdf;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::keys::{Keys, ScoreKind, key_of_f64};
    use crate::scores::score_table::{Masses, tests::table};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// Three rows of one class and 2^59 of the other, with an H-measure of two thirds: both ways
    /// round.
    #[test]
    fn the_h_measure_of_a_class_as_rare_as_counts_allow_keeps_its_digits() {
        let rare = |counts: [[u64; 2]; 2], (a, b)| {
            let [positives, negatives] = counts.map(Vec::from);
            let keys = [0.5, 0.1].map(key_of_f64).to_vec();
            let table = ScoreTable::from_sweep(
                ScoreKind::F64,
                Keys::Wide(keys),
                Masses::Counts(positives, negatives),
                table(&[1, 0], &[0.5, 0.1], None).labels().clone(),
            );
            h_measure(&table, &RocHull::of(&table), a, b).unwrap()
        };
        for power in [10, 50, 52, 53, 54, 59] {
            let many = 1 << power;
            let negative = rare([[many, many], [1, 3]], (2.0, 1.0));
            let positive = rare([[2, 3], [0, many]], (1.0, 2.0));
            assert!((negative - positive).abs() < 1e-14, "{power}: {negative} {positive}");
            let expected = 2.0 / 3.0;
            assert!((negative - expected).abs() < 2.0 / many as f64 + 1e-14, "{power}: {negative}");
        }
    }

    proptest! {
        /// By definition: the least loss at each of many costs, weighted by the distribution around
        /// it.
        #[test]
        fn the_h_measure_is_what_is_saved_of_the_mean_least_loss(
            rows in prop::collection::vec((0_u8..2, 0_u8..12, 1_u8..5), 2..40), weighted: bool, a in 1.0..5.0_f64, b in 1.0..5.0_f64,
        ) {
            const COSTS: usize = 1000;
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1 + 3 * row.0)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            ).unwrap();
            let (hull, (p, n)) = (RocHull::of(&table), table.totals());
            prop_assume!(p > 0.0 && n > 0.0);
            let (mut lost, mut most) = (0.0, 0.0);
            for place in 0..COSTS {
                let [from, cost, to] = [0.0, 0.5, 1.0].map(|part| (place as f64 + part) / COSTS as f64);
                let share = beta_cdf(a, b, to) - beta_cdf(a, b, from);
                let loss = |c: crate::labels::view::BinaryCounts| cost * c.fp + (1.0 - cost) * c.fn_;
                let least = table.every_counts().map(loss).fold(f64::INFINITY, f64::min);
                prop_assert!((least_loss(&table, &hull, cost).unwrap() - least / (p + n)).abs() < 1e-14);
                lost += share * least;
                most += share * (cost * n).min((1.0 - cost) * p);
            }
            let found = h_measure(&table, &hull, a, b).unwrap();
            prop_assert!((found - (1.0 - lost / most)).abs() < 1e-5, "{found} {}", 1.0 - lost / most);
        }
    }
}
