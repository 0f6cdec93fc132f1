//! A score table in blocks of 256 distinct scores that stay in cache: all sums over the distinct
//! scores read these blocks.
//!
//! 1. [`blocks`] reads each block of the table once, as `f64` columns of a fixed length.
//! 2. While a block is summed, it prefetches the next one.
//! 3. Each sum is a loop over the columns, which the compiler turns into vectors.
//! 4. Weights can be scaled by a power of two ([`Block::scaled`]); counts are borrowed unchanged.
//! 5. Threads share the stretches of a table ([`added`]), which are always cut at the same places.
//!    What they add up to is added in their order, so the bits are those of one thread.
//!
//! Cost: half a nanosecond for each distinct score, if a pass computes several sums.
//!
//! Rejected:
//! - no prefetch (2 ms more at 1e6 scores: the hardware prefetcher follows a column only while it
//!   is read).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// The compiler vectorises loops over places of arrays with a common length, independent of other
// inlining.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use crate::arith::exact::{Fixed, Sums};
use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::base::switch::switch_at;
use crate::base::threads::over_items;
use crate::base::wide::{prefetch_read, wide};
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable};

pub const BLOCK: usize = 256;

/// The number of running totals side by side, the same on every machine, so the order of addition
/// is the same.
pub const LANES: usize = 8;

/// The number of scores in a stretch: some blocks.
pub(crate) const STRETCH: usize = switch_at(1 << 17, 2 * BLOCK);

/// A value for each score of a block.
pub(crate) type Column = [f64; BLOCK];

/// One value for each score of a block, preceded by the value of the score before.
type Behind = [f64; BLOCK + 1];

/// Running totals of a class, preceded by the total before the block.
pub type Running = [u64; BLOCK + 1];

/// Some neighbouring scores, from high to low.
///
/// Beyond the last score masses are 0, cumulative masses stay constant, and the score repeats.
#[derive(Clone)]
pub struct Block {
    /// The number of scores.
    pub len: usize,
    /// Whether each score has exactly one row.
    pub(crate) single: bool,
    /// Positives at each score.
    pub p: Column,
    /// Negatives at each score.
    pub n: Column,
    /// Positives at or above each score; first, at or above the score before the block.
    pub tp: Behind,
    /// Negatives at or above each score; first, at or above the score before the block.
    pub fp: Behind,
    /// Positives below each score; first, below the score before the block. Only with
    /// [`With::below`].
    pub(crate) p_below: Behind,
    /// Negatives below each score, in the same layout.
    pub(crate) n_below: Behind,
    /// The scores; first, the score before the block, or the highest score again. Only with
    /// [`With::scores`].
    pub(crate) score: Behind,
}

/// The optional columns of the blocks.
#[derive(Clone, Copy, Default)]
pub struct With {
    pub(crate) scores: bool,
    /// The masses below each score. They are rounded independently: if weights differ by more than
    /// 2^53, a rounded total minus a rounded mass is not the remainder.
    pub(crate) below: bool,
}

impl With {
    pub const SCORES: Self = Self { scores: true, below: false };
}

impl Block {
    pub(crate) fn new() -> Self {
        Self {
            len: 0,
            single: false,
            p: [0.0; BLOCK],
            n: [0.0; BLOCK],
            tp: [0.0; BLOCK + 1],
            fp: [0.0; BLOCK + 1],
            p_below: [0.0; BLOCK + 1],
            n_below: [0.0; BLOCK + 1],
            score: [0.0; BLOCK + 1],
        }
    }

    pub fn scores(&self) -> &Column {
        let [_, scores @ ..] = &self.score;
        scores
    }

    /// The block with the masses of each class times a power of two; stored in `room` unless both
    /// factors are 1.
    pub(crate) fn scaled<'a>(
        &'a self,
        (up, down): (f64, f64),
        room: &'a mut Option<Box<Self>>,
    ) -> &'a Self {
        if (up, down) == (1.0, 1.0) {
            return self;
        }
        let to = room.get_or_insert_with(|| Box::new(Self::new()));
        to.as_mut().clone_from(self);
        let positives = [&mut to.p[..], &mut to.tp, &mut to.p_below].map(|own| (own, up));
        let negatives = [&mut to.n[..], &mut to.fp, &mut to.n_below].map(|own| (own, down));
        for (masses, by) in positives.into_iter().chain(negatives) {
            for mass in masses {
                *mass *= by;
            }
        }
        to
    }
}

/// Calls `take` with blocks of the scores from some places on, and with the place of each block's
/// first score.
pub fn blocks(
    table: &ScoreTable,
    places: Range<usize>,
    with: With,
    mut call: impl FnMut(usize, &Block),
) {
    let mut block = Box::new(Block::new());
    let (mut tp, mut fp) = ([0; BLOCK + 1], [0; BLOCK + 1]);
    for start in places.clone().step_by(BLOCK) {
        let end = places.end.min(start + BLOCK);
        block.len = end - start;
        match table.masses() {
            Masses::Counts(positives, negatives) => {
                let tp = running(positives, start..end, &mut tp);
                let fp = running(negatives, start..end, &mut fp);
                fill_counts(tp, fp, &mut block);
                if with.below {
                    let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                    fill_below(tp, last(positives), &mut block.p_below);
                    fill_below(fp, last(negatives), &mut block.n_below);
                }
                let rows = (tp[BLOCK] - tp[0]) + (fp[BLOCK] - fp[0]);
                block.single = rows == block.len as u64;
            }
            Masses::Weights(sums) => {
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => weigh(sums, start..end, quantum, with, &mut block),
                    Sums::Wide(sums) => weigh(sums, start..end, quantum, with, &mut block),
                }
            }
        }
        if with.scores {
            fill_scores(table, start, &mut block);
        }
        bring_near(table, end, with.scores);
        call(start, &block);
    }
}

/// What is added up over blocks.
pub(crate) trait Added: Send + Sized {
    /// Adds the next block, and the place of its first score in a table or in a piece of one.
    fn take(&mut self, table: &ScoreTable, start: usize, block: &Block);

    /// Adds the stretch that follows.
    fn then(&mut self, later: Self);
}

/// What the stretches of so many scores give, in order; threads share them.
pub(crate) fn of_stretches<T: Send>(
    len: usize,
    of: impl Fn(Range<usize>) -> T + Sync,
) -> impl Iterator<Item = T> {
    let before = |stretch: usize| len.min(stretch * STRETCH);
    let each = |stretches: Range<usize>, ()| -> Result<Vec<T>> {
        Ok(stretches.map(|stretch| of(before(stretch)..before(stretch + 1))).gather())
    };
    let stretches = len.div_ceil(STRETCH);
    // What can be refused is a number of threads.
    let parts = over_items(stretches, &before, (), each);
    let parts = parts.or_else(|_| Ok::<_, Refusal>(vec![each(0..stretches, ())?]));
    parts.into_iter().flatten().flatten()
}

/// What all blocks of a table add up to; `empty` begins a stretch.
pub(crate) fn added<A: Added>(table: &ScoreTable, with: With, empty: impl Fn() -> A + Sync) -> A {
    let of = |places: Range<usize>| {
        let mut sum = empty();
        blocks(table, places, with, |start, block| sum.take(table, start, block));
        sum
    };
    of_stretches(table.len(), of).reduce(joined).unwrap_or_else(&empty)
}

fn joined<A: Added>(mut first: A, later: A) -> A {
    first.then(later);
    first
}

/// [`added`] for a table that comes in pieces of whole blocks.
pub(crate) struct Pieced<A> {
    done: Option<A>,
    open: Option<A>,
    /// The number of scores in `open`.
    len: usize,
}

impl<A: Added> Pieced<A> {
    pub(crate) fn new() -> Self {
        Self { done: None, open: None, len: 0 }
    }

    /// Adds some places of a piece.
    pub(crate) fn take(
        &mut self,
        piece: &ScoreTable,
        mut places: Range<usize>,
        with: With,
        empty: impl Fn() -> A,
    ) {
        while !places.is_empty() {
            let end = places.end.min(places.start + STRETCH - self.len);
            let open = self.open.get_or_insert_with(&empty);
            blocks(piece, places.start..end, with, |start, block| open.take(piece, start, block));
            self.len += end - places.start;
            places.start = end;
            if self.len == STRETCH {
                self.close();
            }
        }
    }

    fn close(&mut self) {
        self.len = 0;
        self.done = match (self.done.take(), self.open.take()) {
            (Some(done), Some(open)) => Some(joined(done, open)),
            (done, open) => done.or(open),
        };
    }

    pub(crate) fn finish(mut self) -> Option<A> {
        self.close();
        self.done
    }
}

/// Prefetches the block at a place.
fn bring_near(table: &ScoreTable, start: usize, with_scores: bool) {
    fn near<T>(column: &[T], start: usize) {
        let end = column.len().min(start + BLOCK);
        for line in column.get(start..end).unwrap_or_default().chunks(64 / size_of::<T>()) {
            prefetch_read(line.as_ptr());
        }
    }
    if let Masses::Counts(positives, negatives) = table.masses() {
        near(positives, start);
        near(negatives, start);
    }
    match table.keys() {
        Keys::Narrow(keys) if with_scores => near(keys, start),
        Keys::Wide(keys) if with_scores => near(keys, start),
        _ => {}
    }
}

/// The scores of a block, preceded by the score before it.
fn fill_scores(table: &ScoreTable, start: usize, block: &mut Block) {
    let len = block.len;
    table.fill_scores(start, &mut block.score[1..=len]);
    let last = block.score[len];
    block.score[len + 1..].fill(last);
    block.score[0] = match start.checked_sub(1) {
        Some(before) => table.score(before),
        None => block.score[1],
    };
}

/// The running totals of some places, preceded by the total before them; the last one repeats.
/// Borrowed if the table stores all of them.
pub fn running<'a>(totals: &'a [u64], places: Range<usize>, room: &'a mut Running) -> &'a Running {
    if let Some(before) = places.start.checked_sub(1)
        && places.len() == BLOCK
        && let Some(whole) = totals[before..].first_chunk()
    {
        return whole;
    }
    room[0] = places.start.checked_sub(1).map_or(0, |at| totals[at]);
    let (own, rest) = room[1..].split_at_mut(places.len());
    own.copy_from_slice(&totals[places]);
    rest.fill(own.last().copied().unwrap_or(0));
    room
}

/// Exact sums of weights; each mass is rounded once.
fn weigh<F: Fixed>(sums: &[F], places: Range<usize>, quantum: i32, with: With, block: &mut Block) {
    let (positives, negatives) = sums.split_at(sums.len() / 2);
    let len = places.len();
    let class = |sums: &[F], own: &mut Column, above: &mut Behind, below: &mut Behind| {
        let before = places.start.checked_sub(1);
        let mut last = before.map_or(F::default(), |place| sums[place]);
        above[0] = last.to_f64(quantum);
        for (i, &sum) in sums[places.clone()].iter().enumerate() {
            own[i] = sum.minus(last).to_f64(quantum);
            above[i + 1] = sum.to_f64(quantum);
            last = sum;
        }
        own[len..].fill(0.0);
        let total = above[len];
        above[len + 1..].fill(total);
        if let Some(&all) = sums.last()
            && with.below
        {
            let left = |sum: F| all.minus(sum).to_f64(quantum);
            below[0] = left(before.map_or(F::default(), |place| sums[place]));
            for (below, &sum) in below[1..].iter_mut().zip(&sums[places.clone()]) {
                *below = left(sum);
            }
            below[len + 1..].fill(left(last));
        }
    };
    let Block { p, n, tp, fp, p_below, n_below, .. } = block;
    class(positives, p, tp, p_below);
    class(negatives, n, fp, n_below);
}

/// The sum of a term over the places of a block, in lanes.
#[inline(always)]
pub fn lanes(term: impl Fn(usize) -> f64) -> f64 {
    let mut sums = [0.0; LANES];
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            sums[lane] += term(start + lane);
        }
    }
    sums.into_iter().sum()
}

/// The sum of lanes.
#[inline(always)]
pub(crate) fn whole([a, b, c, d, e, f, g, h]: [f64; LANES]) -> f64 {
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

wide! {
    fn fill_below[](running: &Running, total: u64, below: &mut Behind) -> () = fill_below_body;
    fn fill_counts[](tp: &Running, fp: &Running, block: &mut Block) -> () = fill_counts_body;
}

#[inline(always)]
fn fill_counts_body(tp: &Running, fp: &Running, block: &mut Block) {
    fill_class(tp, &mut block.p, &mut block.tp);
    fill_class(fp, &mut block.n, &mut block.fp);
}

#[inline(always)]
fn fill_class(running: &Running, own: &mut Column, above: &mut Behind) {
    above[0] = running[0] as f64;
    for place in 0..BLOCK {
        own[place] = (running[place + 1] - running[place]) as f64;
        above[place + 1] = running[place + 1] as f64;
    }
}

#[inline(always)]
fn fill_below_body(running: &Running, total: u64, below: &mut Behind) {
    for (below, above) in below.iter_mut().zip(running) {
        *below = (total - above) as f64;
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Positives, negatives and the score of each place of a block, as random numbers.
    pub(crate) fn places() -> impl Strategy<Value = Vec<(u64, u64, u64)>> {
        prop::collection::vec((0_u64..3, 0_u64..3, 0_u64..u64::MAX), BLOCK)
    }

    /// Running totals, and a block of them with scores from 0 to 1 in any order.
    pub(crate) fn block_of(places: &[(u64, u64, u64)]) -> (Running, Running, Block) {
        let (mut tp, mut fp) = ([5; BLOCK + 1], [9; BLOCK + 1]);
        let mut block = Block::new();
        block.len = BLOCK;
        for (place, &(p, n, bits)) in places.iter().enumerate() {
            (tp[place + 1], fp[place + 1]) = (tp[place] + p, fp[place] + n + u64::from(p == 0));
            block.score[place] = f64::from_bits(bits >> 12 | 1023 << 52) - 1.0;
        }
        fill_counts_body(&tp, &fp, &mut block);
        fill_below_body(&tp, tp[BLOCK] + 3, &mut block.p_below);
        fill_below_body(&fp, fp[BLOCK] + 7, &mut block.n_below);
        (tp, fp, block)
    }

    proptest! {
        #[test]
        fn every_instruction_set_fills_the_same_block(places in places()) {
            let (tp, fp, block) = block_of(&places);
            let mut wide = Block::new();
            fill_counts(&tp, &fp, &mut wide);
            fill_below(&tp, tp[BLOCK] + 3, &mut wide.p_below);
            prop_assert_eq!((wide.p, wide.n, wide.tp, wide.fp), (block.p, block.n, block.tp, block.fp));
            prop_assert_eq!(wide.p_below, block.p_below);
        }
    }
}
