//! Counting pairs of codes in a dense table: a counter for every pair, at `actual << bits |
//! predicted`.
//!
//! How a block of 256 rows is counted:
//!
//! 1. Each column's block is lowered to codes ([`crate::labels::codes`]), in vectors.
//! 2. The two codes of a row become one index, in vectors.
//! 3. The counter at each index is incremented: one load, add and store a row, which a core does
//!    nearly once a cycle.
//!
//! What keeps step 3 that fast:
//!
//! - Few classes hit the same counter in quick succession, and a store has to reach the next load.
//!   So eight or four tables side by side take turns.
//! - The increments of one block leave the memory bus idle. So each eight of them prefetch the two
//!   cache lines needed 8 KiB on.
//! - No branch a row: the first block with a label outside the window ends the loop, and the caller
//!   reads it slowly.
//!
//! Once all rows are counted, the cells that are not zero are copied without a branch a cell.
//!
//! Two byte columns of zeros and ones need no counters: their sums, and the sum of their AND, are
//! the table. Other short labels of up to 16 classes are counted by their bits, where the processor
//! can (`crate::labels::counting::bit_counts`).
//!
//! Cost, one core, against reading both columns once: int64 up to 100 classes 1.0 to 1.4 reads,
//! 1,000 classes 2.8; byte columns of zeros and ones 1 read; other bytes 0.35 ns a row.
//!
//! Tried and rejected:
//! - u8 indices, eight to a load (no faster than u16);
//! - u16 counters emptied every 65,535 rows (no faster);
//! - blocks of 2048 rows (1.2 reads where 256 take 1.0);
//! - SIMD sums for two classes of int64 (1.2 reads against 1.0 to 1.1 by counting);
//! - prefetching counters for 1,000 classes (slower);
//! - more than one table from 17 classes on (slower);
//! - a branch a cell to copy what was counted (a matrix of 1,000 classes took three times as long).
#![allow(unsafe_code)]
// A function that is compiled for wider vectors passes that on only to what is inlined into it.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::base::memory::{Room, with_room};
use crate::base::wide::prefetch_read;
#[cfg(target_arch = "x86_64")]
use crate::base::wide::{Level, level};
use crate::labels::cells::Pattern;
#[cfg(target_arch = "x86_64")]
use crate::labels::codes::Source;
use crate::labels::codes::{Ahead, BLOCK, Pair, Window};
#[cfg(target_arch = "x86_64")]
use crate::labels::counting::bit_counts::{count_slabs_anywhere, is_for_slabs};
use crate::labels::counting::sparse_counts::OUTSIDE;

/// The window of zeros and ones.
const FLAGS: Window = Window { low: 0, bits: 1 };

/// The counters of every pair of codes below 2^bits.
pub(crate) struct Dense {
    pub(crate) bits: u32,
    /// None while a single table of short counters does.
    pub(crate) counts: Vec<u64>,
    /// Short counters, `lanes` tables in a row, added to `counts` before they can overflow.
    pub(crate) quick: Vec<u32>,
    pub(crate) pending: usize,
}

/// Tables that are used in turn: more for fewer classes, where the same counter comes up sooner.
pub(crate) const fn lanes(bits: u32) -> usize {
    match bits {
        0..=1 => 8,
        2..=4 => 4,
        _ => 1,
    }
}

impl Dense {
    pub(crate) fn new(bits: u32) -> Self {
        Self {
            bits,
            counts: Vec::new(),
            quick: Vec::new(),
            pending: 0,
        }
    }

    pub(crate) fn cells(&self) -> usize {
        1 << (2 * self.bits)
    }

    /// The long counters.
    pub(crate) fn counts(&mut self) -> &mut [u64] {
        self.counts.grow_to(self.cells(), 0);
        &mut self.counts
    }

    /// The short counters, where they are all there is.
    pub(crate) fn only(&self) -> &[u32] {
        &self.quick[..self.cells().min(self.quick.len())]
    }

    /// [`cells_in_order`], unless most cells are zero.
    pub(crate) fn in_order(
        &self,
        class_of: &[u32],
        classes: usize,
        occupied: usize,
    ) -> Option<(Pattern, Vec<u64>)> {
        (occupied >= self.cells() / 8).then(|| {
            if self.counts.is_empty() {
                cells_in_order(self.only(), class_of, classes, occupied)
            } else {
                cells_in_order(&self.counts, class_of, classes, occupied)
            }
        })
    }

    /// Makes the short counters ready for so many rows.
    pub(crate) fn make_room_for(&mut self, rows: usize) {
        if self.pending + rows > u32::MAX as usize {
            self.settle();
        }
        self.quick.grow_to(self.cells() * lanes(self.bits), 0);
    }

    /// Adds the short counters to the long ones.
    pub(crate) fn settle(&mut self) {
        if self.pending > 0 {
            self.counts.grow_to(self.cells(), 0);
            for lane in self.quick.chunks_exact_mut(self.counts.len()) {
                for (count, quick) in self.counts.iter_mut().zip(lane) {
                    *count += u64::from(std::mem::take(quick));
                }
            }
            self.pending = 0;
        }
    }
}

/// Visits the cells of a dense table that are not zero; most tables have many that are, which are
/// skipped by eights.
pub(crate) fn each_cell<T: Copy + Into<u64>>(
    cells: &[T],
    bits: u32,
    mut visit: impl FnMut(u32, u32, usize, u64),
) {
    for (start, eight) in (0..).step_by(8).zip(cells.chunks(8)) {
        if eight.iter().fold(0, |all, &count| all | count.into()) == 0 {
            continue;
        }
        for (place, &count) in (start..).zip(eight) {
            let count = count.into();
            if count > 0 {
                let (actual, predicted) = (place >> bits, place & ((1 << bits) - 1));
                visit(actual as u32, predicted as u32, place, count);
            }
        }
    }
}

/// Which rows and columns of a dense table are not all zero, and how many cells are not.
pub(crate) fn used_cells<T: Copy + Into<u64>>(cells: &[T], bits: u32) -> (Vec<bool>, usize) {
    let mut used = vec![false; 1 << bits];
    let mut occupied = 0;
    for (actual, row) in cells.chunks(1 << bits).enumerate() {
        let mut in_row = 0u32;
        for (used, &count) in used.iter_mut().zip(row) {
            let some = count.into() > 0;
            *used |= some;
            in_row += u32::from(some);
        }
        used[actual] |= in_row > 0;
        occupied += in_row as usize;
    }
    (used, occupied)
}

/// The cells that are not zero, whose number is `occupied`, and their counts. `class_of` has the
/// class of each code, in the order of the codes; rows and columns of other codes are all zero.
///
/// Every cell is written, and the next one over it if it is zero, since a branch would often be
/// mispredicted. So this is for tables of which an eighth or more is not zero.
#[inline(never)]
fn cells_in_order<T: Copy + Into<u64>>(
    cells: &[T],
    class_of: &[u32],
    classes: usize,
    occupied: usize,
) -> (Pattern, Vec<u64>) {
    let mut starts = with_room(classes + 1);
    let mut columns = vec![0; occupied + 1];
    let mut counts = vec![0; occupied + 1];
    let mut len = 0;
    for (row, &class) in cells.chunks(class_of.len()).zip(class_of) {
        if class == OUTSIDE {
            continue;
        }
        starts.grow(len);
        for (&cell, &class) in row.iter().zip(class_of) {
            let count = cell.into();
            columns[len] = class;
            counts[len] = count;
            len += usize::from(count > 0);
        }
    }
    starts.grow(len);
    columns.truncate(len);
    counts.truncate(len);
    (Pattern { starts, columns }, counts)
}

/// Counts blocks into a dense table as long as every label is in the window; returns the row where
/// it stopped.
pub(crate) fn count_blocks(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    mut rows: Range<usize>,
) -> usize {
    dense.make_room_for(rows.len());
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: `level` found the processor's features; the environment may only ask for less.
        match level() {
            Level::Avx512 => {
                if is_for_slabs(pair, window, rows.len())
                    && !are_flags(pair, window, &rows)
                    && is_x86_feature_detected!("avx512vpopcntdq")
                {
                    let counters = &mut dense.quick;
                    // SAFETY: as above.
                    let end = unsafe { count_slabs_avx512(pair, window, counters, rows.clone()) };
                    dense.pending += end - rows.start;
                    rows.start = end;
                }
                return unsafe { count_blocks_avx512(pair, window, dense, rows) };
            }
            // SAFETY: as above.
            Level::Avx2 => return unsafe { count_blocks_avx2(pair, window, dense, rows) },
            Level::Baseline => {}
        }
    }
    count_blocks_anywhere(pair, window, dense, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,bmi2,popcnt")]
fn count_slabs_avx512(
    pair: &Pair<'_>,
    window: Window,
    counters: &mut [u32],
    rows: Range<usize>,
) -> usize {
    count_slabs_anywhere(pair, window, counters, rows)
}

/// Whether the rows are bytes that may be zeros and ones, which [`sum_bytes`] counts.
#[cfg(target_arch = "x86_64")]
fn are_flags(pair: &Pair<'_>, window: Window, rows: &Range<usize>) -> bool {
    let is_bytes = |source: &Source<'_>| source.bytes(rows.clone()).is_some();
    window == FLAGS && is_bytes(&pair.actual) && is_bytes(&pair.predicted)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn count_blocks_avx512(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    count_blocks_anywhere(pair, window, dense, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
pub(crate) fn count_blocks_avx2(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    count_blocks_anywhere(pair, window, dense, rows)
}

#[inline(always)]
pub(crate) fn count_blocks_anywhere(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    let (bits, cells) = (dense.bits, dense.cells());
    let mut start = rows.start;
    if window == FLAGS
        && let Some(actual) = pair.actual.bytes(rows.clone())
        && let Some(predicted) = pair.predicted.bytes(rows.clone())
    {
        start += sum_bytes(actual, predicted, dense.counts());
    }
    let mut actual = [0u16; BLOCK];
    let mut predicted = [0u16; BLOCK];
    let mut wide = [0u32; BLOCK];
    while start < rows.end {
        let block = start..rows.end.min(start + BLOCK);
        let len = block.len();
        let (first, ahead) = pair.actual.lower(block.clone(), window, &mut actual);
        let (second, beside) = pair.predicted.lower(block, window, &mut predicted);
        if !(first && second) {
            break;
        }
        let ahead = [ahead, beside];
        if bits <= 8 {
            for (index, &code) in actual.iter_mut().zip(&predicted) {
                *index = *index << bits | code;
            }
            let index = &actual[..len];
            match lanes(bits) {
                8 => increment::<u16, 8>(index, &mut dense.quick, cells, ahead),
                4 => increment::<u16, 4>(index, &mut dense.quick, cells, ahead),
                _ => increment::<u16, 1>(index, &mut dense.quick, cells, ahead),
            }
        } else {
            for ((index, &code), &other) in wide.iter_mut().zip(&actual).zip(&predicted) {
                *index = u32::from(code) << bits | u32::from(other);
            }
            increment::<u32, 1>(&wide[..len], &mut dense.quick, cells, ahead);
        }
        start += len;
    }
    dense.pending += start - rows.start;
    start
}

/// Increments the counter of every index, the lanes in turn.
#[inline(always)]
fn increment<I: Copy + Into<u32>, const LANES: usize>(
    index: &[I],
    counters: &mut [u32],
    cells: usize,
    ahead: [Ahead; 2],
) {
    assert!(cells.is_power_of_two() && counters.len() == cells * LANES);
    let (eights, rest) = index.as_chunks::<8>();
    for (i, eight) in eights.iter().enumerate() {
        for next in &ahead {
            prefetch_read(next.place.wrapping_add(i * next.step));
        }
        for (lane, &index) in eight.iter().enumerate() {
            let place = (index.into() as usize & (cells - 1)) + (lane % LANES) * cells;
            // SAFETY: the first term is below `cells`, a power of two, and the second at most
            // `(LANES - 1) * cells`; the slice has `cells * LANES` counters, as was asserted.
            unsafe { *counters.get_unchecked_mut(place) += 1 };
        }
    }
    for &index in rest {
        counters[index.into() as usize & (cells - 1)] += 1;
    }
}

/// Counts byte columns of zeros and ones by their sums, as far as there is nothing else in them;
/// returns how many rows.
///
/// Eight rows are a word, and words add byte by byte as long as no byte passes 255. (No closures in
/// here: they would not be compiled for the vectors of the function that this is part of.)
#[inline(always)]
fn sum_bytes(actual: &[u8], predicted: &[u8], counts: &mut [u64]) -> usize {
    /// The rows of 255 words.
    const STEP: usize = 255 * 8;
    let mut rows = 0;
    let (mut positive, mut called, mut both) = (0, 0, 0);
    for (actual, predicted) in actual.chunks(STEP).zip(predicted.chunks(STEP)) {
        let (ones, ones_rest) = actual.as_chunks::<8>();
        let (calls, calls_rest) = predicted.as_chunks::<8>();
        let (mut last_one, mut last_call) = ([0; 8], [0; 8]);
        last_one[..ones_rest.len()].copy_from_slice(ones_rest);
        last_call[..calls_rest.len()].copy_from_slice(calls_rest);
        let (mut a, mut p) = (u64::from_ne_bytes(last_one), u64::from_ne_bytes(last_call));
        let (mut b, mut seen) = (a & p, a | p);
        for (one, call) in ones.iter().zip(calls) {
            let (one, call) = (u64::from_ne_bytes(*one), u64::from_ne_bytes(*call));
            seen |= one | call;
            a = a.wrapping_add(one);
            p = p.wrapping_add(call);
            b = b.wrapping_add(one & call);
        }
        if seen & !u64::from_ne_bytes([1; 8]) != 0 {
            break;
        }
        positive += sum_of_bytes(a);
        called += sum_of_bytes(p);
        both += sum_of_bytes(b);
        rows += actual.len();
    }
    counts[3] += both;
    counts[2] += positive - both;
    counts[1] += called - both;
    counts[0] += rows as u64 + both - positive - called;
    rows
}

/// The sum of a word's bytes: neighbours together in 16 bits, then all four in the top 16 bits of a
/// product.
#[inline(always)]
fn sum_of_bytes(word: u64) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    ((word & EVEN) + (word >> 8 & EVEN)).wrapping_mul(0x0001_0001_0001_0001) >> 48
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cells_in_order_are_those_visited_one_by_one(
            bits in 0u32..6,
            counts in prop::collection::vec(prop_oneof![Just(0), 0u32..3, any::<u32>()], 1 << 10),
            empty in prop::collection::vec(any::<bool>(), 1 << 5),
        ) {
            let mut counts = counts[..1 << (2 * bits)].to_vec();
            for (place, count) in counts.iter_mut().enumerate() {
                if empty[place >> bits] || empty[place & ((1 << bits) - 1)] {
                    *count = 0;
                }
            }
            let (used, occupied) = used_cells(&counts, bits);
            let mut classes = 0;
            let class_of: Vec<u32> = used
                .iter()
                .map(|&used| {
                    classes += u32::from(used);
                    if used { classes - 1 } else { OUTSIDE }
                })
                .collect();
            let classes = classes as usize;
            let mut pattern = Pattern::with_room(classes, occupied);
            let mut expected = Vec::new();
            each_cell(&counts, bits, |actual, predicted, _, count| {
                pattern.push(class_of[actual as usize], class_of[predicted as usize]);
                expected.push(count);
            });
            let expected = (pattern.closed(classes), expected);
            prop_assert_eq!(&cells_in_order(&counts, &class_of, classes, occupied), &expected);
            let wide: Vec<u64> = counts.iter().map(|&count| count.into()).collect();
            prop_assert_eq!(&cells_in_order(&wide, &class_of, classes, occupied), &expected);
        }
    }
}
