//! Counts pairs of codes if a table of all pairs would be too large: a counter for each pair that
//! occurs.
//!
//! 1. Rows are collected in a buffer as long as the list of pairs, so each pair is moved only a few
//!    times.
//! 2. The full buffer is sorted and merged into the pairs, in place and from the end.
//! 3. With weights, every pair has an exact sum beside its count ([`crate::arith::exact`]), which
//!    moves with it.
//! 4. At the end the counts become the matrix's own.
//!
//! Cost: about 40 ns a row. A pair takes 16 bytes and half a row of the buffer; its cell takes 12.
//!
//! Tried and rejected: a hash map of pairs (100 to 300 ns a row once it outgrows the cache).

use crate::arith::exact::{ExactSums, Span};
use crate::base::memory::{CopyAll, Room};
use crate::labels::cells::Pattern;
use crate::labels::codes::BLOCK;

/// The class of codes that are not counted.
pub(crate) const OUTSIDE: u32 = u32::MAX;

/// A list of pairs with counts, and a buffer of rows that is sorted and merged into it now and
/// then.
#[derive(Default)]
pub(crate) struct Sparse {
    /// Pairs that occur, `actual << 32 | predicted`, ascending.
    pub(crate) pairs: Vec<u64>,
    pub(crate) counts: Vec<u64>,
    /// Rows not counted yet.
    pub(crate) rows: Vec<u64>,
    /// Weighted rows not counted yet.
    pub(crate) weighted: Vec<(u64, f64)>,
}

impl Sparse {
    /// The buffer holds at least this many rows.
    const BUFFER: usize = 1 << 16;

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len().max(self.weighted.len()) >= self.pairs.len().max(Self::BUFFER)
    }

    /// Counts the rows in the buffer.
    pub(crate) fn settle(&mut self, sums: Option<&mut ExactSums>) {
        let Some(sums) = sums else {
            let mut rows = std::mem::take(&mut self.rows);
            rows.sort_unstable();
            self.merge(rows.len(), |row| rows[row], |_, _| {});
            // The buffer is used again.
            rows.clear();
            self.rows = rows;
            return;
        };
        let mut rows = std::mem::take(&mut self.weighted);
        rows.sort_unstable_by_key(|row| row.0);
        let mut moves = vec![0; self.pairs.len()];
        self.merge(rows.len(), |row| rows[row].0, |counter, to| moves[counter] = to);
        sums.spread(&moves, self.pairs.len());
        drop(moves);
        // Makes room for all rows first, so the sums are shifted only once; a block then needs no
        // span of its own.
        let spans = rows.iter().map(|row| Span::of(row.1));
        sums.make_room(spans.fold(Span::EMPTY, Span::union));
        let (mut places, mut weights, mut place) = (Vec::new(), Vec::new(), 0);
        for block in rows.chunks(BLOCK) {
            places.clear();
            weights.clear();
            for &(pair, weight) in block {
                while self.pairs[place] < pair {
                    place += 1;
                }
                places.grow(place as u64);
                weights.grow(weight);
            }
            sums.add_all(Span::EMPTY, &places, &weights);
        }
        rows.clear();
        self.weighted = rows;
    }

    /// Merges ordered rows, whose pairs `pair` gives, into the counts, from the end so that each
    /// count moves once; reports the new place of each counter.
    fn merge(
        &mut self,
        rows: usize,
        pair: impl Fn(usize) -> u64,
        mut moved: impl FnMut(usize, usize),
    ) {
        let old = self.pairs.len();
        let (mut new, mut known, mut last) = (0, 0, None);
        for row in 0..rows {
            let pair = pair(row);
            if last != Some(pair) {
                last = Some(pair);
                while known < old && self.pairs[known] < pair {
                    known += 1;
                }
                new += usize::from(self.pairs.get(known) != Some(&pair));
            }
        }
        // No spare capacity: the pairs may be most of the memory in use.
        self.pairs.make_room(new);
        self.counts.make_room(new);
        self.pairs.grow_to(old + new, 0);
        self.counts.grow_to(old + new, 0);
        // Counters from `to` on are in place, counters below `old` wait, and the gap between them
        // takes the new ones.
        let (mut old, mut row, mut to) = (old, rows, old + new);
        while old > 0 || row > 0 {
            let next = row.checked_sub(1).map(&pair);
            if let Some(next) = next
                && self.pairs.get(to).is_some_and(|&pair| pair == next)
            {
                row -= 1;
                self.counts[to] += 1;
            } else if old > 0 && next.is_none_or(|next| self.pairs[old - 1] >= next) {
                (old, to) = (old - 1, to - 1);
                self.pairs[to] = self.pairs[old];
                self.counts[to] = self.counts[old];
                moved(old, to);
            } else if let Some(next) = next {
                to -= 1;
                self.pairs[to] = next;
                self.counts[to] = 0;
            }
        }
    }

    /// The cells in terms of classes, and the values of their pairs; codes without a class are left
    /// out.
    pub(crate) fn cells<T: Copy + Default>(
        pairs: Vec<u64>,
        of_pairs: Vec<T>,
        classes: usize,
        class_of: &[u32],
        in_order: bool,
    ) -> (Pattern, Vec<T>) {
        let cell = |pair: u64| {
            let (actual, predicted) =
                (class_of[(pair >> 32) as usize], class_of[pair as u32 as usize]);
            (actual != OUTSIDE && predicted != OUTSIDE).then_some((actual, predicted))
        };
        if in_order {
            let cells = pairs.iter().map(|&pair| cell(pair).unwrap_or_default());
            return (Pattern::from_pairs(classes, cells), of_pairs);
        }
        // First into rows, then each row into order.
        let mut starts = vec![0; classes + 1];
        for (actual, _) in pairs.iter().filter_map(|&pair| cell(pair)) {
            starts[actual as usize + 1] += 1;
        }
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.copy_all();
        let mut columns = vec![0; starts[classes]];
        let mut moved = vec![T::default(); starts[classes]];
        for (&pair, of_pair) in pairs.iter().zip(of_pairs) {
            if let Some((actual, predicted)) = cell(pair) {
                let place = &mut next[actual as usize];
                columns[*place] = predicted;
                moved[*place] = of_pair;
                *place += 1;
            }
        }
        drop((pairs, next));
        let mut row: Vec<(u32, T)> = Vec::new();
        for ends in starts.windows(2) {
            let (columns, moved) = (&mut columns[ends[0]..ends[1]], &mut moved[ends[0]..ends[1]]);
            row.clear();
            row.grow_with(columns.iter().copied().zip(moved.iter().copied()));
            row.sort_unstable_by_key(|cell| cell.0);
            for ((column, moved), cell) in columns.iter_mut().zip(moved).zip(&row) {
                (*column, *moved) = *cell;
            }
        }
        (Pattern { starts, columns }, moved)
    }
}
