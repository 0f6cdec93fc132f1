//! The expected maximum profit of a ranking, if the benefit of a positive row is random.
//!
//! A targeted positive brings `gain` X − `spent`, and a targeted negative costs `waste`. X is
//! random, and the threshold is chosen after X is known.
//!
//! 1. The greatest profit at any X is at a vertex of the convex hull of the ROC curve.
//! 2. A segment of the hull with P positives and N negatives is targeted if it pays: if X is above
//!    c = (spent P + waste N) / (gain P). It then brings gain P (X - c).
//! 3. So the expected maximum is the sum over the segments of gain P E[(X - c)+], and the expected
//!    share of targeted rows is the sum of (P + N) Pr(X > c), both divided by the number of rows.
//!    No term is negative, so nothing cancels.
//!
//! Churn: X is the chance that a churner accepts the offer, with a beta distribution. Credit: X is
//! the loss given default: 0 or 1, each with its own probability, otherwise uniform between them.
//! Acquisition: X is what a new customer brings, with a gamma distribution. A segment without
//! negatives has c = 0 and is not targeted if X is 0.
//!
//! Cost: the hull, then 0.3 µs a vertex.
//!
//! Sources: Verbraken, Verbeke, Baesens 2013, doi:10.1109/TKDE.2012.50; Verbraken, Bravo, Weber,
//! Baesens 2014, doi:10.1016/j.ejor.2014.04.001.

use crate::arith::products::unit_scale;
use crate::arith::special::{beta_cdf, gamma_upper_tail};
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::ScoreTable;

/// The distribution of the benefit of a targeted positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Benefit {
    /// A beta distribution.
    Beta {
        /// The first shape parameter.
        alpha: f64,
        /// The second shape parameter.
        beta: f64,
    },
    /// A gamma distribution.
    Gamma {
        /// The shape parameter.
        shape: f64,
        /// The rate: the mean is `shape / rate`.
        rate: f64,
    },
    /// 0 and 1 with these probabilities, otherwise uniform.
    Ends {
        /// The probability of 0.
        zero: f64,
        /// The probability of 1.
        one: f64,
    },
}

impl Benefit {
    fn greatest(self) -> f64 {
        if matches!(self, Self::Gamma { .. }) { f64::INFINITY } else { 1.0 }
    }

    /// E[(X − least)+] and Pr(X > least).
    fn above(self, least: f64) -> (f64, f64) {
        if least.is_nan() || least >= self.greatest() {
            return (0.0, 0.0);
        }
        match self {
            Self::Gamma { shape, rate } => {
                let tail = |shape: f64| gamma_upper_tail(shape, rate * least);
                let share = tail(shape);
                ((shape / rate * tail(shape + 1.0) - least * share).max(0.0), share)
            }
            Self::Beta { alpha, beta } => {
                // The upper tails, each as a lower tail of the mirrored distribution.
                let tail = |alpha: f64| beta_cdf(beta, alpha, 1.0 - least);
                let (mean, share) = (alpha / (alpha + beta), tail(alpha));
                ((mean * tail(alpha + 1.0) - least * share).max(0.0), share)
            }
            Self::Ends { zero, one } => {
                let (between, rest) = ((1.0 - zero - one).max(0.0), 1.0 - least);
                (one * rest + between * rest * rest * 0.5, one + between * rest)
            }
        }
    }
}

/// The benefit and the costs of targeting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Campaign {
    /// The factor of the random benefit of a targeted positive; above 0.
    pub gain: f64,
    /// The cost of a targeted positive, independent of its benefit; not negative.
    pub spent: f64,
    /// The cost of a targeted negative; not negative.
    pub waste: f64,
    /// The random benefit.
    pub benefit: Benefit,
}

/// The expected maximum profit a row, and the expected share of targeted rows; none if a class has
/// no rows.
pub fn expected_profit(
    table: &ScoreTable,
    hull: &RocHull,
    campaign: Campaign,
) -> Option<(f64, f64)> {
    let (positives, negatives) = table.totals();
    if positives <= 0.0 || negatives <= 0.0 {
        return None;
    }
    let scale = unit_scale(positives.max(negatives));
    let rows = positives * scale + negatives * scale;
    let (mut profit, mut share, mut before) = (0.0, 0.0, (0.0, 0.0));
    for &predicted in &hull.predicted[1..] {
        let (tp, fp) = table.cumulative(predicted - 1);
        let (up, right) = ((tp - before.0) * scale, (fp - before.1) * scale);
        before = (tp, fp);
        if up <= 0.0 {
            continue;
        }
        let least = (campaign.spent + campaign.waste * (right / up)) / campaign.gain;
        let (above, targeted) = campaign.benefit.above(least);
        profit += up * above;
        share += (up + right) * targeted;
    }
    Some((campaign.gain * (profit / rows), share / rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    proptest! {
        /// The definition: the greatest profit over all thresholds at each of many benefits.
        #[test]
        fn it_is_the_mean_of_the_greatest_profit(
            rows in prop::collection::vec((0_u8..2, 0_u8..12, 1_u8..5), 2..40), weighted: bool,
            alpha in 1.0..8.0_f64, beta in 1.0..15.0_f64, zero in 0.0..0.6_f64, one in 0.0..0.4_f64, kind in 0..3,
            gain in 1.0..200.0_f64, spent in 0.0..5.0_f64, waste in 0.0..20.0_f64,
        ) {
            const STEPS: usize = 2000;
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1 + 3 * row.0)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions::zero_one(),
            ).unwrap();
            let (p, n) = table.totals();
            prop_assume!(p > 0.0 && n > 0.0);
            let benefit = match kind {
                0 => Benefit::Ends { zero, one },
                1 => Benefit::Beta { alpha, beta },
                _ => Benefit::Gamma { shape: alpha, rate: beta },
            };
            let campaign = Campaign { gain, spent, waste, benefit };
            let greatest = |x: f64| {
                let profit = |c: &crate::labels::view::BinaryCounts| ((gain * x - spent) * c.tp - waste * c.fp) / (p + n);
                table.every_counts().map(|counts| profit(&counts)).fold(f64::NEG_INFINITY, f64::max)
            };
            let mut expected = if kind == 0 { zero * greatest(0.0) + one * greatest(1.0) } else { 0.0 };
            for step in 0..STEPS {
                let most = if kind == 2 { 60.0 } else { 1.0 };
                let [from, x, to] = [0.0, 0.5, 1.0].map(|part| most * (step as f64 + part) / STEPS as f64);
                let share = match kind {
                    0 => (1.0 - zero - one) * (to - from),
                    1 => beta_cdf(alpha, beta, to) - beta_cdf(alpha, beta, from),
                    _ => gamma_upper_tail(alpha, beta * from) - gamma_upper_tail(alpha, beta * to),
                };
                expected += share * greatest(x);
            }
            let (found, targeted) = expected_profit(&table, &RocHull::of(&table), campaign).unwrap();
            let coarse = if kind == 2 { 60.0 } else { 1.0 };
            prop_assert!((found - expected).abs() < 1e-4 * gain * coarse, "{found} {expected}");
            prop_assert!((0.0..=1.0 + 1e-12).contains(&targeted));
        }
    }
}
