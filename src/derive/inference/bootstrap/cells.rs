//! Replicates of cells: of a 2×2 table, of a matrix, of a score table with heavy ties.
//!
//! The rows of a cell are alike, so a replicate of a matrix is a draw over its cells. The cost does
//! not depend on the number of rows.
//!
//! Cost: 10 to 60 ns a cell that is not empty.

use crate::base::memory::{Gather, Room, with_room};
use crate::inference::bootstrap::binomial::{poisson, split};
use crate::inference::bootstrap::draws::{Resample, class_draws};
use crate::inference::bootstrap::order::table_of;
use crate::inference::bootstrap::random::{Purpose, stream};
use crate::scores::score_table::{Masses, ScoreTable};

#[derive(Clone, Copy, Debug)]
pub(crate) struct CellSampler {
    pub seed: u64,
    pub resample: Resample,
}

impl CellSampler {
    /// One replicate of cells. The cells of a stratum are contiguous: `strata` has the number of
    /// cells of each stratum, and the draws of a stratum add up to its rows.
    pub(crate) fn draw(&self, replicate: usize, cells: &[u64], strata: &[usize]) -> Vec<u64> {
        let mut random = stream(self.seed, Purpose::Cells, replicate, 0);
        let mut drawn = with_room(cells.len());
        if self.resample == Resample::Poisson {
            let each = cells.iter().map(|&cell| poisson(&mut random, cell as f64));
            drawn.grow_with(each);
            return drawn;
        }
        let mut start = 0;
        for &len in strata {
            let cells = &cells[start..start + len];
            let total = cells.iter().sum();
            split(&mut random, total, total, cells.iter().copied(), |_, draws| {
                drawn.grow(draws);
            });
            start += len;
        }
        drawn
    }

    /// One replicate of a score table, from the numbers of rows of each class and score.
    pub(crate) fn table(
        &self,
        replicate: usize,
        of: &ScoreTable,
        is_stratified: bool,
    ) -> ScoreTable {
        let mut random = stream(self.seed, Purpose::Cells, replicate, 0);
        let (mut keys, mut tp, mut fp) = (Vec::new(), Vec::new(), Vec::new());
        let Masses::Counts(positives, negatives) = of.masses() else {
            return of.clone();
        };
        let rows = |running: &[u64]| -> Vec<u64> {
            let before = std::iter::once(0).chain(running.iter().copied());
            running.iter().zip(before).map(|(upto, before)| upto - before).gather()
        };
        let last = |running: &[u64]| running.last().copied().unwrap_or(0);
        let sizes = [last(negatives), last(positives)];
        let draws = match (self.resample, is_stratified) {
            (Resample::Multinomial, false) => class_draws(&mut random, sizes),
            _ => sizes,
        };
        let [n, p] = [(negatives, 0), (positives, 1)].map(|(running, class)| {
            let rows = rows(running);
            if self.resample == Resample::Poisson {
                return rows.iter().map(|&rows| poisson(&mut random, rows as f64)).gather();
            }
            let mut drawn = with_room(rows.len());
            split(&mut random, draws[class], sizes[class], rows.iter().copied(), |_, draws| {
                drawn.grow(draws);
            });
            drawn
        });
        let (mut found, mut wrong) = (0, 0);
        for place in 0..of.len() {
            if p[place] + n[place] > 0 {
                found += p[place];
                wrong += n[place];
                keys.grow(of.keys().get(place));
                tp.grow(found);
                fp.grow(wrong);
            }
        }
        table_of(of.kind(), keys, tp, fp, of)
    }
}
