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
//! To keep step 3 this fast:
//!
//! - Few classes hit the same counter in quick succession, and a store has to reach the next load.
//!   So eight or four tables side by side take turns.
//! - The increments of one block leave the memory bus idle. So every eight increments prefetch the
//!   two cache lines that lie 8 KiB ahead.
//! - No per-row branch: the first block with a label outside the window ends the loop, and the
//!   caller reads it row by row.
//!
//! At the end the non-zero counters are found 64 at a time.
//!
//! Two byte columns of zeros and ones need no counters: their sums, and the sum of their AND, are
//! the table. Other short labels of up to 16 classes are counted by their bits, if the processor
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
//! - a branch for each cell when copying the counts (a matrix of 1,000 classes took three times as
//!   long);
//! - two stores for each cell and no branch (twice the time if most cells are zero).
#![allow(unsafe_code)]
// Only inlined calls inherit the wider vectors of a function.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::base::memory::{Gather, Room, with_room};
#[cfg(target_arch = "x86_64")]
use crate::base::wide::{Level, level};
use crate::base::wide::{prefetch_read, wide};
use crate::labels::cells::Pattern;
#[cfg(target_arch = "x86_64")]
use crate::labels::codes::Source;
use crate::labels::codes::{Ahead, BLOCK, Pair, Window};
#[cfg(target_arch = "x86_64")]
use crate::labels::counting::bit_counts::{count_slabs_anywhere, is_for_slabs};
use crate::labels::counting::sparse_counts::OUTSIDE;

/// The window of zeros and ones.
const FLAGS: Window = Window { low: 0, bits: 1 };

/// A counter for every pair of codes below 2^bits.
pub(crate) struct Dense {
    pub(crate) bits: u32,
    /// Empty while a single table of short counters is enough.
    pub(crate) counts: Vec<u64>,
    /// Short counters, `lanes` tables in a row; added to `counts` before they overflow.
    pub(crate) quick: Vec<u32>,
    pub(crate) pending: usize,
}

/// The number of tables that take turns: more for fewer classes, where the same counter recurs
/// sooner.
pub(crate) const fn lanes(bits: u32) -> usize {
    match bits {
        0..=1 => 8,
        2..=4 => 4,
        _ => 1,
    }
}

impl Dense {
    pub(crate) fn new(bits: u32) -> Self {
        Self { bits, counts: Vec::new(), quick: Vec::new(), pending: 0 }
    }

    pub(crate) fn cells(&self) -> usize {
        1 << (2 * self.bits)
    }

    pub(crate) fn counts(&mut self) -> &mut [u64] {
        self.counts.grow_to(self.cells(), 0);
        &mut self.counts
    }

    /// The short counters, if there are no long ones.
    pub(crate) fn only(&self) -> &[u32] {
        &self.quick[..self.cells().min(self.quick.len())]
    }

    /// The non-zero counters. The table must be settled.
    pub(crate) fn occupied(&self) -> Occupied {
        if self.counts.is_empty() {
            Occupied::of(self.only(), self.bits)
        } else {
            Occupied::of(&self.counts, self.bits)
        }
    }

    /// Prepares the short counters for `rows` more rows.
    pub(crate) fn make_room_for(&mut self, rows: usize) {
        if self.pending + rows > u32::MAX as usize {
            self.settle();
        }
        if self.quick.is_empty() {
            self.quick = vec![0; self.cells() * lanes(self.bits)];
        }
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

/// The non-zero counters of a dense table, in order.
#[derive(Default)]
pub(crate) struct Occupied {
    bits: u32,
    /// Their predicted codes.
    columns: Vec<u32>,
    pub(crate) counts: Vec<u64>,
    /// Where the counters of each actual code end.
    row_ends: Vec<usize>,
    /// A bit for each predicted code that occurs.
    used: Vec<u64>,
}

impl Occupied {
    /// Vectors build words of 64 bits, one bit for each non-zero counter; then the set bits are
    /// visited.
    fn of<T: Copy + Default + PartialEq + Into<u64>>(counters: &[T], bits: u32) -> Self {
        let side = 1 << bits;
        let mut words = vec![0; counters.len().div_ceil(64)];
        let occupied = words_of(counters, &mut words);
        let (mut columns, mut counts) = (vec![0; occupied], vec![0; occupied]);
        let mut cells = columns.iter_mut().zip(&mut counts);
        let mut row_ends = with_room(side);
        let step = side.min(64);
        let mut used = vec![0; side / step];
        for row in 0..side {
            let parts = (0..side).step_by(step).zip(&mut used);
            let counters = counters.get(row * side..).unwrap_or_default();
            for ((start, used), counters) in parts.zip(counters.chunks(step)) {
                let place = row * side + start;
                let word = words[place / 64] >> (place % 64) & u64::MAX >> (64 - step);
                *used |= word;
                for (bit, (column, count)) in Bits(word).zip(cells.by_ref()) {
                    *column = (start + bit) as u32;
                    *count = counters[bit].into();
                }
            }
            row_ends.grow(occupied - cells.len());
        }
        Self { bits, columns, counts, row_ends, used }
    }

    /// The codes, the place and the count of each counter.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (u32, u32, usize, u64)> {
        let starts = [0].into_iter().chain(self.row_ends.iter().copied());
        let rows = (0_u32..).zip(starts.zip(&self.row_ends));
        rows.flat_map(move |(actual, (start, &end))| {
            let cells = self.columns[start..end].iter().zip(&self.counts[start..end]);
            cells.map(move |(&predicted, &count)| {
                (actual, predicted, (actual << self.bits | predicted) as usize, count)
            })
        })
    }

    /// The codes that occur, ascending.
    pub(crate) fn codes(&self) -> Vec<u32> {
        let mut start = 0;
        let codes = self.row_ends.iter().enumerate().filter_map(|(code, &end)| {
            let is_used = end > start || self.used[code / 64] >> (code % 64) & 1 == 1;
            start = end;
            is_used.then_some(code as u32)
        });
        codes.gather()
    }

    /// The pattern and its counts. `class_of` is the class of each code, in the order of the codes;
    /// codes of class [`OUTSIDE`] do not occur.
    pub(crate) fn pattern(self, class_of: &[u32]) -> (Pattern, Vec<u64>) {
        let mut starts = with_room(class_of.len() + 1);
        starts.grow(0);
        let ends = self.row_ends.iter().zip(class_of);
        starts.grow_with(ends.filter_map(|(&end, &class)| (class != OUTSIDE).then_some(end)));
        let mut columns = self.columns;
        if (0..).zip(class_of).any(|(code, &class)| class != code && class != OUTSIDE) {
            for column in &mut columns {
                *column = class_of[*column as usize];
            }
        }
        (Pattern { starts, columns }, self.counts)
    }
}

/// The bits that are set, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (bit < 64).then_some(bit)
    }
}

/// Sets a bit for each non-zero counter; returns their number.
#[inline(always)]
fn words_of_body<T: Copy + Default + PartialEq>(counters: &[T], words: &mut [u64]) -> usize {
    let (whole, rest) = counters.as_chunks::<64>();
    let mut occupied = 0;
    for (word, counters) in words.iter_mut().zip(whole) {
        let mut bits = 0;
        for (place, &counter) in counters.iter().enumerate() {
            bits |= u64::from(counter != T::default()) << place;
        }
        *word = bits;
        occupied += bits.count_ones() as usize;
    }
    if let Some(word) = words.get_mut(whole.len()) {
        for (place, &counter) in rest.iter().enumerate() {
            *word |= u64::from(counter != T::default()) << place;
        }
        occupied += word.count_ones() as usize;
    }
    occupied
}

wide! {
    fn words_of[T: Copy + Default + PartialEq](counters: &[T], words: &mut [u64]) -> usize = words_of_body;
}

/// Counts blocks into a dense table while every label is in the window; returns the row where it
/// stopped.
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

/// Whether the rows are bytes that may be zeros and ones; [`sum_bytes`] counts those.
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

/// Increments the counter of every index; the lanes take turns.
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

/// Counts byte columns of zeros and ones by their sums, up to the first other byte; returns the
/// number of rows.
///
/// Eight rows are a word, and words add byte by byte while no byte exceeds 255. (Without closures:
/// they would not be compiled for the vectors of the calling function.)
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

/// The sum of a word's bytes: first pairs in 16 bits, then all four in the top 16 bits of a
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
        #![proptest_config(ProptestConfig::with_cases(80))]
        #[test]
        fn counters_that_are_not_zero_are_those_visited_one_by_one(
            bits in 0u32..8,
            counts in prop::collection::vec(prop_oneof![Just(0), 0u32..3, any::<u32>()], 1 << 14),
            full in prop::bool::weighted(0.2),
            empty in prop::collection::vec(any::<bool>(), 1 << 7),
        ) {
            let mut counts = counts[..1 << (2 * bits)].to_vec();
            for (place, count) in counts.iter_mut().enumerate() {
                if empty[place >> bits] || empty[place & ((1 << bits) - 1)] {
                    *count = 0;
                }
                if full {
                    *count = (*count).max(1);
                }
            }
            // One counter after the other.
            let is_used = |code: usize| {
                (0..1 << bits).any(|other| counts[code << bits | other] > 0 || counts[other << bits | code] > 0)
            };
            let codes: Vec<usize> = (0..1 << bits).filter(|&code| is_used(code)).collect();
            let mut class_of = vec![OUTSIDE; 1 << bits];
            codes.iter().zip(0..).for_each(|(&code, class)| class_of[code] = class);
            let mut pattern = Pattern::with_room(codes.len(), counts.len());
            let mut expected = Vec::new();
            for (place, &count) in counts.iter().enumerate() {
                if count > 0 {
                    pattern.push(class_of[place >> bits], class_of[place & ((1 << bits) - 1)]);
                    expected.push(u64::from(count));
                }
            }
            let expected = (pattern.closed(codes.len()), expected);
            let short = Dense { quick: counts.clone(), ..Dense::new(bits) };
            let long = Dense { counts: counts.iter().map(|&count| count.into()).collect(), ..Dense::new(bits) };
            prop_assert!(Dense::new(bits).occupied().codes().is_empty()); // Nothing was counted.
            for table in [short, long] {
                let occupied = table.occupied();
                prop_assert_eq!(occupied.codes(), codes.iter().map(|&code| code as u32).collect::<Vec<_>>());
                let cells: Vec<_> = occupied.cells().collect();
                let places = (0..counts.len()).filter(|&place| counts[place] > 0);
                let one_by_one = places.map(|place| {
                    let pair = ((place >> bits) as u32, (place & ((1 << bits) - 1)) as u32);
                    (pair.0, pair.1, place, u64::from(counts[place]))
                });
                prop_assert_eq!(cells, one_by_one.collect::<Vec<_>>());
                prop_assert_eq!(&occupied.pattern(&class_of), &expected);
            }
        }
    }
}
