//! A smooth calibration curve: locally weighted straight lines (lowess, without the iterations that
//! play down outliers), and the gaps between it and the scores.
//!
//! 1. Distinct scores become cells; of more than 2,048, neighbours of about equal weight share one,
//!    at their mean score.
//! 2. At each cell a line is fitted to the share of positives of the cells around it. Their weights
//!    are their rows times (1 − (d / h)³)³, where d is the distance and h the least distance within
//!    which lies the `span`, a share of all rows. The curve is kept in [0, 1].
//!
//! Cost: the square of the number of cells, at most 9 ms.
//!
//! Sources: Cleveland 1979, doi:10.1080/01621459.1979.10481038; Austin, Steyerberg 2019,
//! doi:10.1002/sim.8281.

// Inlining is what compiles the loop for each instruction set.
#![allow(clippy::inline_always)]

use std::array;
use std::ops::Range;

use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::blocks::{LANES, whole};
use crate::scores::calibration::bins::CalibrationBins;

/// The most cells; more do not change the curve visibly.
pub(crate) const CELLS: usize = 2048;

/// The gaps between a smooth calibration curve and the scores: (gap, rows).
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothGaps {
    cells: Vec<(f64, f64)>,
    rows: f64,
}

impl SmoothGaps {
    /// Of cells with rows from the lowest scores to the highest.
    pub(crate) fn of(cells: &CalibrationBins, span: f64) -> Self {
        let mut all = Cells::default();
        let mut before = 0.0;
        for cell in 0..cells.len() {
            let rows = cells.weight(cell);
            before += rows;
            // Products of the least weights are rounded to 0.
            let score = cells.score[cell] / rows;
            all.score.grow(score.clamp(cells.lower[cell], cells.upper[cell]));
            all.share.grow(cells.positives[cell] / rows);
            all.rows.grow(rows);
            all.upto.grow(before);
        }
        let mut gaps = Vec::new();
        for (&score, &own) in all.score.iter().zip(&all.rows) {
            let reach = all.reach(score, span * before);
            let near = all.within(score, reach);
            let columns = [&all.score, &all.share, &all.rows].map(|column| &column[near.clone()]);
            let value = line_at(&columns, score, reach);
            gaps.grow(((value.clamp(0.0, 1.0) - score).abs(), own));
        }
        gaps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Self { cells: gaps, rows: before }
    }

    /// The mean over the rows.
    pub fn mean(&self) -> f64 {
        self.cells.iter().map(|(gap, rows)| gap * (rows / self.rows)).sum()
    }

    /// The least gap that a share of the rows does not exceed.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut below = 0.0;
        let mut reaches = |rows: f64| {
            below += rows;
            below >= share * self.rows * (1.0 - 1e-12)
        };
        let found = self.cells.iter().find(|(_, rows)| reaches(*rows));
        found.or(self.cells.last()).map_or(f64::NAN, |found| found.0)
    }
}

/// Columns of cells, from the lowest score to the highest.
#[derive(Default)]
struct Cells {
    score: Vec<f64>,
    share: Vec<f64>,
    rows: Vec<f64>,
    /// The rows of the cells up to each.
    upto: Vec<f64>,
}

impl Cells {
    /// The cells at most so far from a score.
    fn within(&self, score: f64, reach: f64) -> Range<usize> {
        let from = self.score.partition_point(|at| score - at > reach);
        from..self.score.partition_point(|at| at - score <= reach)
    }

    /// The least distance from a score within which so many rows lie.
    fn reach(&self, score: f64, wanted: f64) -> f64 {
        let is_enough = |reach: f64| {
            let Range { start, end } = self.within(score, reach);
            let before = start.checked_sub(1).map_or(0.0, |at| self.upto[at]);
            end > start && self.upto[end - 1] - before >= wanted * (1.0 - 1e-12)
        };
        let own = self.score.partition_point(|&at| at < score);
        let (below, above) = self.score.split_at(own);
        let down = below.partition_point(|at| is_enough(score - at)).checked_sub(1);
        let up = above.partition_point(|at| !is_enough(at - score));
        let down = down.map(|at| score - below[at]);
        let up = above.get(up).map(|at| at - score);
        let farthest = || (score - self.score[0]).max(self.score[self.score.len() - 1] - score);
        down.into_iter().chain(up).reduce(f64::min).unwrap_or_else(farthest)
    }
}

wide! {
    fn line_at[](near: &[&[f64]; 3], score: f64, reach: f64) -> f64 = line_at_body;
}

/// The value at a score of the line through the cells within `reach`, given by their scores, shares
/// of positives and rows; their mean where they have one score.
#[inline(always)]
fn line_at_body(near: &[&[f64]; 3], score: f64, reach: f64) -> f64 {
    let reach = if reach > 0.0 { reach } else { 1.0 };
    let [mut all, mut x, mut y, mut xx, mut xy] = [[0.0; LANES]; 5];
    let mut add = |scores: &[f64; LANES], shares: &[f64; LANES], rows: &[f64; LANES]| {
        let [mut distance, mut weight, mut level, mut moment] = [[0.0_f64; LANES]; 4];
        for i in 0..LANES {
            distance[i] = scores[i] - score;
            let part = (distance[i] / reach).abs();
            let near = 1.0 - part * part * part;
            let near = if near > 0.0 { near } else { 0.0 };
            weight[i] = rows[i] * (near * near * near);
            level[i] = weight[i] * shares[i];
            moment[i] = weight[i] * distance[i];
        }
        // One sum in a loop: the compiler does not vectorise several.
        (0..LANES).for_each(|i| all[i] += weight[i]);
        (0..LANES).for_each(|i| x[i] += moment[i]);
        (0..LANES).for_each(|i| y[i] += level[i]);
        (0..LANES).for_each(|i| xx[i] += moment[i] * distance[i]);
        (0..LANES).for_each(|i| xy[i] += moment[i] * shares[i]);
    };
    let [scores, shares, rows] = near.map(|column| column.as_chunks());
    for ((scores, shares), rows) in scores.0.iter().zip(shares.0).zip(rows.0) {
        add(scores, shares, rows);
    }
    let rest = |rest: &[f64]| array::from_fn(|lane| rest.get(lane).copied().unwrap_or(0.0));
    add(&rest(scores.1), &rest(shares.1), &rest(rows.1));
    let [all, x, y, xx, xy] = [all, x, y, xx, xy].map(whole);
    if all <= 0.0 {
        return score; // it weighs nothing beside rows at the very end of its reach
    }
    let (x, y) = (x / all, y / all);
    let spread = xx / all - x * x;
    if spread > 1e-12 * (xx / all) { y - x * ((xy / all - x * y) / spread) } else { y }
}
