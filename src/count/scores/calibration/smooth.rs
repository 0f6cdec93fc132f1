//! A smooth calibration curve: locally weighted straight lines (lowess, without the iterations that
//! play down outliers), and the gaps between it and the scores.
//!
//! 1. Distinct scores become cells; of more than 2,048, neighbours of about equal weight share one,
//!    at their mean score.
//! 2. At each cell a line is fitted to the share of positives of the cells around it. Their weights
//!    are their rows times (1 − (d / h)³)³, where d is the distance and h the least distance within
//!    which lies the `span`, a share of all rows. The curve is kept in [0, 1].
//!
//! Cost: the square of the number of cells, at most 10 ms.
//!
//! Sources: Cleveland 1979, doi:10.1080/01621459.1979.10481038; Austin, Steyerberg 2019,
//! doi:10.1002/sim.8281.

use crate::base::memory::{Gather, Room};
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
        let each = |cell: usize| {
            let rows = cells.weight(cell);
            // Products of the least weights are rounded to 0.
            let score = (cells.score[cell] / rows).clamp(cells.lower[cell], cells.upper[cell]);
            [score, cells.positives[cell] / rows, rows]
        };
        let cells: Vec<[f64; 3]> = (0..cells.len()).map(each).gather();
        let rows: f64 = cells.iter().map(|cell| cell[2]).sum();
        let mut gaps = Vec::new();
        for &[score, _, own] in &cells {
            crate::base::interrupt::check();
            let reach = reach(&cells, score, span * rows);
            gaps.grow(((line_at(&cells, score, reach).clamp(0.0, 1.0) - score).abs(), own));
        }
        gaps.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        Self { cells: gaps, rows }
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

/// The least distance from a score within which so many rows lie.
fn reach(cells: &[[f64; 3]], score: f64, wanted: f64) -> f64 {
    let mut above = cells.partition_point(|cell| cell[0] < score);
    let (mut below, mut rows, mut reach) = (above, 0.0, 0.0);
    while rows < wanted * (1.0 - 1e-12) {
        let down = below.checked_sub(1).map_or(f64::INFINITY, |at| score - cells[at][0]);
        let up = cells.get(above).map_or(f64::INFINITY, |cell| cell[0] - score);
        if down.is_infinite() && up.is_infinite() {
            break;
        }
        let next = if up <= down { above } else { below - 1 };
        (reach, rows) = (up.min(down), rows + cells[next][2]);
        if up <= down { above += 1 } else { below -= 1 }
    }
    reach
}

/// The value at a score of the line through the cells nearer than `reach`; their mean where they
/// have one score.
fn line_at(cells: &[[f64; 3]], score: f64, reach: f64) -> f64 {
    let (mut all, mut x, mut y, mut xx, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let from = cells.partition_point(|cell| cell[0] < score - reach);
    for &[at, share, rows] in cells[from..].iter().take_while(|cell| cell[0] <= score + reach) {
        let distance = at - score;
        let part = if distance == 0.0 { 0.0 } else { (distance / reach).abs() };
        let near = 1.0 - part * part * part;
        let weight = rows * near * near * near;
        all += weight;
        x += weight * distance;
        y += weight * share;
        xx += weight * distance * distance;
        xy += weight * distance * share;
    }
    if all <= 0.0 {
        return score; // it weighs nothing beside rows at the very end of its reach
    }
    let (x, y) = (x / all, y / all);
    let spread = xx / all - x * x;
    if spread > 1e-12 * (xx / all) { y - x * ((xy / all - x * y) / spread) } else { y }
}
