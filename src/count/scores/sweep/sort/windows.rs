//! Keys in tiny cells, and the number of them below another key.
//!
//! 1. A [`Grid`] cuts a range of keys into equal cells: between one and two for each key.
//! 2. [`place`] sorts keys by cell: a counting sort by the leading bits.
//! 3. A key looks up the start of its cell, and is compared with the eight keys from there, or with
//!    32 if some cell holds more than eight ([`Cells`]).
//!
//! `auc.rs` lists the rejected variants.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::hint::black_box;

use crate::base::memory::Room;
use crate::base::wide::{Level, level, wide};
use crate::scores::keys::{Key, extent};
use crate::scores::sweep::partition::BLOCK;

/// Keys in a window, and in a wide one.
const WINDOW: usize = 8;
pub(crate) const WIDE_WINDOW: usize = 32;

/// Memory for [`Cells`].
#[derive(Default)]
pub(crate) struct CellMemory<K: Key> {
    placed: Vec<K>,
    pub starts: Vec<u32>,
    signed: Vec<K::Signed>,
}

impl<K: Key> CellMemory<K> {
    /// The keys of the fullest cell after [`place`].
    pub(crate) fn fullest(&self) -> &[K] {
        let ends = self.starts.iter().skip(1).copied();
        let ends = ends.chain([self.placed.len() as u32]);
        let cells = self.starts.iter().copied().zip(ends);
        let fullest = cells.max_by_key(|&(start, end)| end - start);
        fullest.map_or(&[], |(start, end)| &self.placed[start as usize..end as usize])
    }
}

/// Keys in cells, so few in each that a window of 8 or 32 keys from its start has all of them.
pub(crate) struct Cells<'a, K: Key> {
    grid: Grid<K>,
    starts: &'a [u32],
    /// The keys, followed by the greatest key to fill the last windows.
    placed: &'a [K::Signed],
    len: usize,
    is_narrow: bool,
}

impl<'a, K: Key> Cells<'a, K> {
    /// Places keys; `None` if a cell has too many.
    pub(crate) fn of(keys: &[K], memory: &'a mut CellMemory<K>) -> Option<Self> {
        let CellMemory { placed, starts, signed } = memory;
        if u32::try_from(keys.len()).is_err() {
            starts.clear();
            return None;
        }
        let (low, high) = extent(keys);
        let grid = Grid::new(low, high, keys.len());
        let widest = place(keys, &grid, starts, placed);
        if widest > WIDE_WINDOW as u32 {
            return None;
        }
        signed.clear();
        signed.grow_to(keys.len() + WIDE_WINDOW, K::MAX.signed());
        sign(&placed[..keys.len()], signed);
        Some(Self {
            grid,
            starts,
            placed: signed,
            len: keys.len(),
            is_narrow: widest <= WINDOW as u32,
        })
    }

    /// Σ (number of keys in cells below + number below or equal) over `others`, which may include
    /// the greatest key if they belong to the last bucket.
    pub(crate) fn ranks(&self, others: &[K], is_last: bool) -> u128 {
        let Self { grid, starts, .. } = self;
        // Eight 64-bit keys fill an AVX-512 vector, whose comparisons give masks.
        let is_masked = K::BITS == 64 && level() == Level::Avx512;
        let (window, windows): (usize, fn(&_, &_, &_, &_) -> u64) =
            match (self.is_narrow, is_masked) {
                (true, false) => (WINDOW, windows_8),
                (true, true) => (WINDOW, masked_windows_8),
                (false, false) => (WIDE_WINDOW, windows_32),
                (false, true) => (WIDE_WINDOW, masked_windows_32),
            };
        let ranks = windows(others, grid, starts, self.placed);
        if !is_last {
            return u128::from(ranks);
        }
        // The greatest key also equals the padding of its window.
        let greatest = others.iter().filter(|&&key| key == K::MAX).count();
        let start = starts.last().map_or(0, |&start| start as usize);
        let filled = start + window - self.len;
        u128::from(ranks) - greatest as u128 * filled as u128
    }
}

/// Equal cells over a range of keys.
#[derive(Clone, Copy)]
pub(crate) struct Grid<K> {
    low: K,
    high: K,
    shift: u32,
    pub cells: usize,
}

impl<K: Key> Grid<K> {
    /// Between one and two cells for each of `len` keys from `low` to `high`, or a cell for each
    /// key of the range.
    pub(crate) fn new(low: K, high: K, len: usize) -> Self {
        let span = high.minus(low);
        let bits = u64::BITS - span.wide().leading_zeros();
        // Cell numbers have 32 bits.
        let cell_bits = (usize::BITS - len.leading_zeros()).min(31);
        let shift = bits.saturating_sub(cell_bits);
        Self { low, high, shift, cells: span.above(shift) + 1 }
    }

    #[inline(always)]
    pub(crate) fn cell(&self, key: K) -> usize {
        key.max(self.low).min(self.high).minus(self.low).above(self.shift)
    }

    /// The cells of at most [`BLOCK`] keys: vectors find them faster than single rows.
    #[inline(always)]
    fn cells(&self, keys: &[K]) -> [u32; BLOCK] {
        let mut cells = [0; BLOCK];
        for (cell, &key) in cells.iter_mut().zip(keys) {
            *cell = self.cell(key) as u32;
        }
        cells
    }
}

/// Places keys by cell; writes the start of each cell to `starts`. Returns the number of keys in
/// the fullest cell.
#[inline(always)]
fn place_body<K: Key>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &mut Vec<u32>,
    placed: &mut Vec<K>,
) -> u32 {
    starts.clear();
    starts.grow_to(grid.cells, 0);
    for keys in keys.chunks(BLOCK) {
        for &cell in &grid.cells(keys)[..keys.len()] {
            starts[cell as usize] += 1;
        }
    }
    let widest = starts.iter().fold(0, |widest, &rows| widest.max(rows));
    running_sums(starts);
    placed.grow_to(keys.len(), K::default());
    for keys in keys.chunks(BLOCK) {
        for (&key, &cell) in keys.iter().zip(&grid.cells(keys)) {
            let start = &mut starts[cell as usize];
            *start -= 1;
            placed[*start as usize] = key;
        }
    }
    widest
}

/// Replaces each number by the sum up to and including it, sixteen at a time: four shifted
/// additions give the sums within the sixteen, and only one addition depends on the sixteen before.
#[inline(always)]
fn running_sums(numbers: &mut [u32]) {
    #[inline(always)]
    fn add_shifted<const BY: usize>(sums: &mut [u32; 16]) {
        let before = *sums;
        for place in BY..16 {
            sums[place] += before[place - BY];
        }
    }
    let mut total = 0;
    let (blocks, rest) = numbers.as_chunks_mut::<16>();
    for block in blocks {
        add_shifted::<1>(block);
        add_shifted::<2>(block);
        add_shifted::<4>(block);
        add_shifted::<8>(block);
        let sum_of_block = block[15];
        for sum in block.iter_mut() {
            *sum += total;
        }
        total += sum_of_block;
    }
    for number in rest {
        total += *number;
        *number = total;
    }
}

/// Σ (number of placed keys below + number below or equal) over `keys`, if no cell has more than
/// `WINDOW` keys and at least `WINDOW` padding keys follow the last.
///
/// Keys before a window belong to lower cells, or are in the window; keys after it belong to higher
/// cells.
#[inline(always)]
fn windows_body<K: Key, const WINDOW: usize, const MASKED: bool>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &[u32],
    placed: &[K::Signed],
) -> u64 {
    // A value of one that is hidden from the compiler is added under a mask. For a known one it
    // would convert masks to numbers, two more AVX-512 instructions.
    let one = K::narrow(if MASKED { black_box(1) } else { 1 });
    let mut sum = 0;
    for keys in keys.chunks(BLOCK) {
        let cells = grid.cells(keys);
        let mut signed = [K::Signed::default(); BLOCK];
        sign_body(keys, &mut signed);
        // Keys below minus keys above may be negative, so each lane starts with one for each key.
        let mut lanes = [K::narrow(keys.len() as u64); WINDOW];
        let mut before = 0;
        for (key, &cell) in signed[..keys.len()].iter().zip(&cells) {
            let start = starts[cell as usize] as usize;
            before += start as u64;
            let window = &placed[start..start + WINDOW];
            let key = *key; // Read here it goes from memory into all lanes.
            for (lane, &other) in lanes.iter_mut().zip(window) {
                *lane = lane.lean(one, other < key, other > key);
            }
        }
        sum += 2 * before + lanes.iter().map(|lane| lane.wide()).sum::<u64>();
    }
    sum
}

/// Keys as signed numbers in the same order.
#[inline(always)]
fn sign_body<K: Key>(keys: &[K], signed: &mut [K::Signed]) {
    for (signed, &key) in signed.iter_mut().zip(keys) {
        *signed = key.signed();
    }
}

wide! {
    pub(crate) fn place[K: Key](keys: &[K], grid: &Grid<K>, starts: &mut Vec<u32>, placed: &mut Vec<K>) -> u32 = place_body;
    fn windows_8[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K::Signed]) -> u64 = windows_body::<K, WINDOW, false>;
    fn windows_32[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K::Signed]) -> u64 = windows_body::<K, WIDE_WINDOW, false>;
    fn masked_windows_8[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K::Signed]) -> u64 = windows_body::<K, WINDOW, true>;
    fn masked_windows_32[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K::Signed]) -> u64
        = windows_body::<K, WIDE_WINDOW, true>;
    fn sign[K: Key](keys: &[K], signed: &mut [K::Signed]) -> () = sign_body;
}
