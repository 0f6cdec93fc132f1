//! Rows from the highest score down, as flags: their class, and where a tie ends.
//!
//! The kernels of [`crate::inference::bootstrap::scan`] see the rows only as an [`Order`]. It comes
//! from a score table, whose rows are interchangeable within a class of a tie, or from the rows
//! themselves; then it knows the row (or cluster) at each place.
//!
//! Cost: a byte for each row, and a key for each tie.

use crate::base::memory::{Gather, Room, with_room};
use crate::inference::bootstrap::draws::{Draws, POSITIVE, ROWS};
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::score_table::{Masses, ScoreTable};

/// The last row of a tie.
pub(crate) const END: u8 = 2;

/// The last row of a tie that has a positive row.
pub(crate) const END_WITH_POSITIVE: u8 = 4;

/// Rows from the highest score down.
#[derive(Debug)]
pub(crate) struct Order {
    /// The flags of each row. The positives of a tie come first.
    flags: Vec<u8>,
    /// The tie of the first row of each chunk.
    ties: Vec<usize>,
    /// The key of each tie, from high to low.
    keys: Vec<u64>,
    kind: ScoreKind,
    /// The unit at each place; empty if the units have this order.
    units: Vec<u32>,
}

impl Order {
    /// The rows of a score table of counts.
    pub(crate) fn of_table(table: &ScoreTable) -> Self {
        let mut order = Self::empty(table.kind(), table.rows() as usize, table.len());
        if let Masses::Counts(positives, negatives) = table.masses() {
            let (mut p, mut n) = (0, 0);
            for place in 0..table.len() {
                let (tp, fp) = (positives[place], negatives[place]);
                order.tie(table.keys().get(place), tp - p, fp - n);
                (p, n) = (tp, fp);
            }
        }
        order
    }

    /// Rows with keys and classes, at most 2^31; `units` has the unit of each row.
    pub(crate) fn of_rows(
        kind: ScoreKind,
        keys: &[u64],
        are_positive: &[bool],
        units: Option<&[u32]>,
    ) -> Self {
        // High scores first, and in a tie the positives first. The highest bit of the row is its
        // class.
        const NEGATIVE: u32 = 1 << 31;
        let class = |row: usize| if are_positive[row] { 0 } else { NEGATIVE };
        let mut rows: Vec<(u64, u32)> =
            keys.iter().enumerate().map(|(row, &key)| (!key, row as u32 | class(row))).gather();
        rows.sort_unstable();
        let mut order = Self::empty(kind, rows.len(), 0);
        for tie in rows.chunk_by(|a, b| a.0 == b.0) {
            let positives = tie.partition_point(|&(_, row)| row & NEGATIVE == 0);
            order.tie(!tie[0].0, positives as u64, (tie.len() - positives) as u64);
        }
        let rows = rows.iter().map(|&(_, row)| row & !NEGATIVE);
        order.units = match units {
            Some(units) => rows.map(|row| units[row as usize]).gather(),
            None => rows.gather(),
        };
        order
    }

    fn empty(kind: ScoreKind, rows: usize, ties: usize) -> Self {
        Self {
            flags: with_room(rows),
            ties: with_room(rows.div_ceil(ROWS)),
            keys: with_room(ties),
            kind,
            units: Vec::new(),
        }
    }

    /// Adds the rows of one score, which must be below all earlier scores.
    fn tie(&mut self, key: u64, positives: u64, negatives: u64) {
        let end = END | if positives > 0 { END_WITH_POSITIVE } else { 0 };
        let all = (positives + negatives) as usize;
        let (start, tie) = (self.flags.len(), self.keys.len());
        while self.ties.len() * ROWS < start + all {
            self.ties.grow(tie);
        }
        if all == 1 {
            self.flags.grow(end | if positives > 0 { POSITIVE } else { 0 });
        } else if all > 0 {
            self.flags.grow_to(start + positives as usize, POSITIVE);
            self.flags.grow_to(start + all, 0);
            self.flags[start + all - 1] |= end;
        }
        self.keys.grow(key);
    }

    pub(crate) fn len(&self) -> usize {
        self.flags.len()
    }

    pub(crate) fn chunks(&self) -> usize {
        self.ties.len()
    }

    pub(crate) fn flags(&self) -> &[u8] {
        &self.flags
    }

    pub(crate) fn chunk(&self, chunk: usize) -> &[u8] {
        let start = chunk * ROWS;
        &self.flags[start..self.len().min(start + ROWS)]
    }

    /// The tie of the first row of a chunk.
    pub(crate) fn first_tie(&self, chunk: usize) -> usize {
        self.ties[chunk]
    }

    /// The score of each tie, from high to low.
    pub(crate) fn scores(&self) -> impl Iterator<Item = f64> + '_ {
        self.keys.iter().map(|&key| self.kind.score(key))
    }

    /// Whether a tie continues from the chunk before.
    pub(crate) fn runs_on(&self, chunk: usize) -> bool {
        let start = chunk * ROWS;
        start > 0 && self.flags[start - 1] & END == 0
    }

    /// The units of the rows of a chunk; `None` if the units have this order.
    pub(crate) fn units(&self, chunk: usize) -> Option<&[u32]> {
        let start = chunk * ROWS;
        let end = self.len().min(start + ROWS);
        (!self.units.is_empty()).then(|| &self.units[start..end])
    }

    /// The table of one replicate, from the draws of all rows in this order.
    pub(crate) fn table(&self, draws: &[Draws], lane: usize, of: &ScoreTable) -> ScoreTable {
        let (mut keys, mut tp, mut fp) = (Vec::new(), Vec::new(), Vec::new());
        let (mut p, mut n, mut is_drawn, mut tie) = (0_u64, 0_u64, false, 0);
        for (draws, flag) in draws.iter().zip(&self.flags) {
            let draws = draws[lane];
            is_drawn |= draws > 0;
            if flag & POSITIVE != 0 {
                p += u64::from(draws);
            } else {
                n += u64::from(draws);
            }
            if flag & END != 0 {
                if is_drawn {
                    keys.grow(self.keys[tie]);
                    tp.grow(p);
                    fp.grow(n);
                }
                tie += 1;
                is_drawn = false;
            }
        }
        table_of(self.kind, keys, tp, fp, of)
    }
}

/// The table of descending keys and running counts, with the labels of another table.
pub(crate) fn table_of(
    kind: ScoreKind,
    keys: Vec<u64>,
    positives: Vec<u64>,
    negatives: Vec<u64>,
    of: &ScoreTable,
) -> ScoreTable {
    let keys = if kind.is_wide() {
        Keys::Wide(keys)
    } else {
        Keys::Narrow(keys.iter().map(|&key| key as u32).gather())
    };
    let masses = Masses::Counts(positives, negatives);
    ScoreTable::from_sweep(kind, keys, masses, of.labels().clone())
}
