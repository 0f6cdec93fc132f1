//! Bands around a curve, for the whole curve or point by point.
//!
//! y is the curve on a grid of x, y* the curve of a replicate, and s the standard deviation of y*
//! at each x, but at least half a row of the class that y is a share of:
//!
//! 1. simultaneous: y ± c s, where c is the quantile of max |y* − y| / s over the replicates, and at
//!    least Wilson's interval of y at half of the error: near 0 and 1 replicates hardly move. Where
//!    no row says what the curve does (left of the first negative, at recall 0 and 1) the band goes
//!    to the end. At 95 % it holds the whole curve in 94 to 99 % of samples of 100 and 1,000 rows.
//! 2. pointwise: quantiles of y* at each x. It is no band for the curve: the whole curve leaves it
//!    in most samples.
//! 3. fixed width, of ROC curves: the true positive rate lies within d of y, and the false positive
//!    rate within e of x, everywhere at once, with probability sqrt(level) each. d and e come from
//!    the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart, which holds for any number of
//!    rows.
//!
//! Sources: Campbell 1994, Statistics in Medicine 13, 499-508 (3); Massart 1990,
//! doi:10.1214/aop/1176990746; Macskassy, Provost 2004 (pointwise bounds as bands).
#![allow(clippy::needless_range_loop)] // Several lists have an entry for each place.

use crate::arith::special::normal_quantile;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::index::spread::Method;
use crate::inference::bootstrap::bounds::{deviation, quantile};
use crate::inference::bootstrap::order::Order;
use crate::inference::bootstrap::replicates::Plan;
use crate::inference::proportion::bounds;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

/// A curve of a score table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandOf {
    /// The true positive rate at each false positive rate, interpolated linearly.
    Roc,
    /// The precision at the highest threshold that reaches each recall.
    PrecisionRecall,
    /// The recall at each share of rows predicted positive, interpolated linearly.
    Gain,
}

/// The kind of band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BandKind {
    /// A band that holds the whole curve.
    Simultaneous,
    /// A band that holds each point.
    Pointwise,
    /// A band that holds the whole ROC curve, for any number of rows.
    Campbell,
}

/// A curve and its band; entry i of each list is point i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The grid, from 0 to 1.
    pub x: Vec<f64>,
    /// The curve.
    pub estimate: Vec<f64>,
    /// The lower end.
    pub low: Vec<f64>,
    /// The upper end.
    pub high: Vec<f64>,
    /// How many replicates have no curve.
    pub undefined: usize,
}

impl BandOf {
    /// The curve of a table on an ascending grid; `None` if a class that it needs is absent.
    fn at(self, table: &ScoreTable, grid: &[f64]) -> Option<Vec<f64>> {
        let (positives, negatives) = table.totals();
        let all = positives + negatives;
        if positives <= 0.0 || (self == Self::Roc && negatives <= 0.0) {
            return None;
        }
        let point = |place: usize| {
            let (tp, fp) = table.at_or_above(place);
            match self {
                Self::Roc => (fp / negatives, tp / positives),
                Self::Gain => ((tp + fp) / all, tp / positives),
                Self::PrecisionRecall => (tp / positives, tp / (tp + fp).max(1.0)),
            }
        };
        let mut place = usize::from(self == Self::PrecisionRecall);
        let last = table.len();
        let found = grid.iter().map(|&x| {
            if self == Self::PrecisionRecall {
                while place < last && point(place).0 < x {
                    place += 1;
                }
                return point(place).1;
            }
            // Move to the last point that is not right of x.
            while place < last && point(place + 1).0 <= x {
                place += 1;
            }
            let (before, low) = point(place);
            if place == last {
                return low;
            }
            let (after, high) = point(place + 1);
            low + (high - low) * ((x - before) / (after - before))
        });
        Some(found.gather())
    }
}

impl Plan {
    /// A band around a curve, at `points` places from 0 to 1.
    ///
    /// # Errors
    /// A table of weights or without rows of a class, and a fixed width for another curve than ROC.
    pub fn band(
        &self,
        ranking: &Ranking,
        of: BandOf,
        kind: BandKind,
        level: f64,
        points: usize,
    ) -> Result<Band> {
        if ranking.is_weighted() {
            return Err(super::replicates::weighted());
        }
        let x: Vec<f64> = (0..points).map(|place| place as f64 / (points - 1) as f64).gather();
        let estimate = of.at(ranking, &x).ok_or_else(|| {
            let expected = "rows of both classes";
            Refusal::argument("table", "without rows of one class", expected)
        })?;
        let (positives, negatives) = ranking.totals();
        if kind == BandKind::Campbell {
            if of != BandOf::Roc {
                let expected = "\"simultaneous\" or \"pointwise\" for this curve";
                return Err(Refusal::argument("kind", "\"campbell\"", expected));
            }
            let widths = [positives, negatives].map(|rows| {
                let outside = 1.0 - level.sqrt();
                ((2.0 / outside).ln() / (2.0 * rows)).sqrt()
            });
            return Ok(fixed_width(ranking, x, estimate, widths));
        }
        let curves: Vec<Option<Vec<f64>>> = self.curves(ranking, |table| of.at(table, &x))?;
        let kept: Vec<&Vec<f64>> = curves.iter().flatten().gather();
        let undefined = curves.len() - kept.len();
        if kept.len() < 2 {
            let expected = "at least 2 replicates with rows of both classes";
            return Err(Refusal::argument("n_resamples", kept.len(), expected));
        }
        let column = |place: usize| -> Vec<f64> { kept.iter().map(|curve| curve[place]).gather() };
        let (mut low, mut high) = (Vec::new(), Vec::new());
        if kind == BandKind::Pointwise {
            for place in 0..points {
                let mut values = column(place);
                values.sort_unstable_by(f64::total_cmp);
                let outside = (1.0 - level) / 2.0;
                // A curve that no replicate moves has an interval of its own value.
                low.grow(quantile(&values, outside).min(estimate[place]));
                high.grow(quantile(&values, 1.0 - outside).max(estimate[place]));
            }
        } else {
            let least = 0.5 / positives;
            let spread: Vec<f64> =
                (0..points).map(|place| deviation(&column(place)).max(least)).gather();
            let mut widest: Vec<f64> = kept
                .iter()
                .map(|curve| {
                    let far = |place: usize| (curve[place] - estimate[place]).abs() / spread[place];
                    (0..points).map(far).fold(0.0, f64::max)
                })
                .gather();
            widest.sort_unstable_by(f64::total_cmp);
            let times = quantile(&widest, level);
            let tail = (1.0 - level) / 4.0;
            let wilson = |share: f64, rows: f64| {
                let z = normal_quantile(tail);
                bounds(Method::Wilson, share * rows, (1.0 - share) * rows, z, tail)
            };
            for place in 0..points {
                let y = estimate[place];
                let rows = match of {
                    BandOf::PrecisionRecall => (x[place] * positives / y).max(1.0),
                    BandOf::Roc | BandOf::Gain => positives,
                };
                let (least, most) = wilson(y, rows);
                low.grow((y - times * spread[place]).min(least).max(0.0));
                high.grow((y + times * spread[place]).max(most).min(1.0));
            }
            if of != BandOf::Gain {
                low[0] = 0.0;
            }
            if of == BandOf::PrecisionRecall {
                let rows = positives + negatives;
                let (least, _) = wilson(positives / rows, rows);
                high[0] = 1.0;
                low[points - 1] = low[points - 1].min(least);
            }
        }
        Ok(Band { x, estimate, low, high, undefined })
    }

    /// The results of `of` for each replicate of a table.
    fn curves<T: Send>(
        &self,
        ranking: &Ranking,
        of: impl Fn(&ScoreTable) -> T + Sync,
    ) -> Result<Vec<T>> {
        if Self::draws_cells(ranking) {
            let sampler = self.cells();
            return self.over_replicates(ranking.len() * 20, |replicate| {
                Ok(of(&sampler.table(replicate, ranking, self.is_stratified)))
            });
        }
        let order = Order::of_table(ranking);
        let sampler = self.sampler(order.flags().copy_all());
        let batches = self.over_batches(order.len() * 10, |batch| {
            let draws = sampler.all_draws(batch);
            let own = 0..self.lanes(batch);
            Ok(own.map(|lane| of(&order.table(&draws, lane, ranking))).gather())
        })?;
        Ok(batches.into_iter().flatten().gather())
    }
}

/// The curve moved up and down by one width, and sideways by another.
fn fixed_width(table: &ScoreTable, x: Vec<f64>, estimate: Vec<f64>, [up, aside]: [f64; 2]) -> Band {
    let moved = |by: f64| -> Vec<f64> {
        let grid: Vec<f64> = x.iter().map(|x| (x + by).clamp(0.0, 1.0)).gather();
        BandOf::Roc.at(table, &grid).unwrap_or_default()
    };
    let (left, right) = (moved(-aside), moved(aside));
    let low = x.iter().zip(&left).map(|(&x, &y)| {
        // Left of the first point the rate may be 0.
        if x < aside { 0.0 } else { (y - up).max(0.0) }
    });
    let low = low.gather();
    let high = right.iter().map(|y| (y + up).min(1.0)).gather();
    Band { x, estimate, low, high, undefined: 0 }
}
