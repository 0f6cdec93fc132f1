//! Counts pairs of codes below 16 by their bits: a word holds one bit of 64 rows, and the rows with
//! a pair of codes are the common bits of two words.
//!
//! How a slab of 2,048 rows is counted:
//!
//! 1. Each column is lowered to codes of a byte ([`crate::labels::codes`]).
//! 2. Each of the four bits of a column's codes becomes a plane of one bit a row. Shifts and masks
//!    transpose the matrix of bits.
//! 3. Products of the planes and of their complements are the rows with each code.
//! 4. For each pair of codes that occur, the common bits are counted and added to eight lanes. The
//!    lanes are summed at the end.
//!
//! A counter in memory can be incremented once a cycle, so counting row by row takes one cycle a
//! row. Here a pair of codes takes 4.5 cycles for 2,048 rows.
//!
//! It needs an instruction that counts bits in vectors (AVX-512 VPOPCNTDQ), and labels of one or
//! two bytes.
//!
//! Cost, one core, uint8: 0.09 ns a row for 3 classes, 0.13 for 8, 0.18 for 10; counting row by row
//! takes 0.31.
//!
//! Tried and rejected:
//! - two rows in one index of 2^16 counters (0.14 ns a row, without the sum of the counters, and
//!   one more path through the code);
//! - without that instruction (with AVX2 as slow as row by row from 8 classes on);
//! - planes by comparing vectors into masks (twice the time: masks go through memory);
//! - labels of eight bytes (0.2 to 0.4 ns a row from cache, but 1.5 times slower from memory, which
//!   waits until the slab is counted);
//! - distances as short as the labels (no faster).

// Only inlined calls inherit the wider vectors of a function.
#![allow(clippy::inline_always)]
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // They have no such instruction.

use std::ops::Range;

use crate::labels::codes::{BLOCK, Pair, Source, Window};

/// Codes have at most this many bits.
const BITS: u32 = 4;
const CODES: usize = 1 << BITS;

/// With more pairs of classes, counting row by row is as fast.
const PAIRS: usize = 144;

const SLAB: usize = 2048;

/// One bit of each row of a slab, aligned to a cache line: vectors across two lines load at half
/// the speed. All planes map rows to bits in the same way.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Plane([u64; SLAB / 64]);

impl Plane {
    const ZERO: Self = Self([0; SLAB / 64]);

    /// Combines two planes word by word.
    #[inline(always)]
    fn of(first: &Self, second: &Self, word: impl Fn(u64, u64) -> u64) -> Self {
        let mut plane = Self::ZERO;
        for ((out, &first), &second) in plane.0.iter_mut().zip(&first.0).zip(&second.0) {
            *out = word(first, second);
        }
        plane
    }
}

/// Eight running totals for vectors of counts.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Lanes([u64; 8]);

/// Whether slabs are faster than counting row by row: short labels, few codes and many rows.
pub(crate) fn is_for_slabs(pair: &Pair<'_>, window: Window, rows: usize) -> bool {
    let is_short = |source: &Source<'_>| source.width() <= 2;
    window.bits <= BITS
        && rows >= SLAB.max(64 << (2 * window.bits))
        && is_short(&pair.actual)
        && is_short(&pair.predicted)
}

/// Adds slabs of rows to the counters at `actual << bits | predicted` while every label is in the
/// window and pairs of classes are few; returns the row where it stopped.
#[inline(always)]
pub(crate) fn count_slabs_anywhere(
    pair: &Pair<'_>,
    window: Window,
    counters: &mut [u32],
    rows: Range<usize>,
) -> usize {
    let mut codes = [[0; SLAB]; 2];
    let mut rows_with = [[Plane::ZERO; CODES]; 2];
    let mut counts = [[Lanes([0; 8]); CODES]; CODES];
    let bits = window.bits.min(BITS);
    let mut start = rows.start;
    while rows.end - start >= SLAB {
        let mut known = true;
        for (source, codes) in [&pair.actual, &pair.predicted].into_iter().zip(&mut codes) {
            let blocks = codes.as_chunks_mut().0.iter_mut();
            for (row, codes) in (start..).step_by(BLOCK).zip(blocks) {
                known &= source.lower(row..row + BLOCK, window, codes).0;
            }
        }
        if !known {
            break;
        }
        let (actual, classes) = find_rows(&codes[0], bits, &mut rows_with[0]);
        let (predicted, others) = find_rows(&codes[1], bits, &mut rows_with[1]);
        if classes * others > PAIRS {
            break;
        }
        for code in actual.into_iter().take(classes) {
            let rows = rows_with[0][code % CODES]; // copied, so that it stays in registers
            for other in predicted.into_iter().take(others) {
                let lanes = &mut counts[code % CODES][other % CODES];
                add_common(&rows, &rows_with[1][other % CODES], lanes);
            }
        }
        start += SLAB;
    }
    for (place, counter) in counters.iter_mut().take(1 << (2 * bits)).enumerate() {
        let (actual, predicted) = (place >> bits, place & ((1 << bits) - 1));
        let count: u64 = counts[actual % CODES][predicted % CODES].0.iter().sum();
        *counter += count as u32;
    }
    start
}

/// Finds the rows with each code; returns the codes that occur, and their number.
#[inline(always)]
fn find_rows(codes: &[u8; SLAB], bits: u32, rows: &mut [Plane; CODES]) -> ([usize; CODES], usize) {
    const TWOS: u64 = 0x5555_5555_5555_5555;
    const FOURS: u64 = 0x3333_3333_3333_3333;
    // Exchanges bits among eight codes SLAB / 8 rows apart, until each bit has its own plane.
    let (front, back) = codes.split_at(SLAB / 2);
    let (front, back) = (front.as_chunks().0, back.as_chunks().0);
    let (a, b) = exchange(joined(&front[0], &back[0]), joined(&front[1], &back[1]), 1, TWOS);
    let (c, d) = exchange(joined(&front[2], &back[2]), joined(&front[3], &back[3]), 1, TWOS);
    let (a, c) = exchange(a, c, 2, FOURS);
    let (b, d) = exchange(b, d, 2, FOURS);
    let (low, high) = (combinations(&a, &b), combinations(&c, &d));
    let (mut found, mut classes) = ([0; CODES], 0);
    for (code, rows) in rows.iter_mut().enumerate().take(1 << bits) {
        *rows = Plane::of(&low[code & 3], &high[code >> 2 & 3], |low, high| low & high);
        found[classes % CODES] = code;
        classes += usize::from(rows.0.iter().fold(0, |all, row| all | row) != 0);
    }
    (found, classes)
}

/// Packs the first codes into the lower halves of bytes, the second into the upper halves.
#[inline(always)]
fn joined(first: &[u8; SLAB / 8], second: &[u8; SLAB / 8]) -> Plane {
    let mut plane = Plane::ZERO;
    let words = first.as_chunks().0.iter().zip(second.as_chunks().0);
    for (word, (first, second)) in plane.0.iter_mut().zip(words) {
        *word = u64::from_ne_bytes(*first) | u64::from_ne_bytes(*second) << 4;
    }
    plane
}

/// Exchanges the bits of `mask` in the second with the bits `by` places higher in the first.
#[inline(always)]
fn exchange(first: Plane, second: Plane, by: u32, mask: u64) -> (Plane, Plane) {
    let change = Plane::of(&first, &second, |first, second| (first >> by ^ second) & mask);
    let first = Plane::of(&first, &change, |first, change| first ^ change << by);
    let second = Plane::of(&second, &change, |second, change| second ^ change);
    (first, second)
}

/// The rows with neither bit, only the first, only the second, and both.
#[inline(always)]
fn combinations(first: &Plane, second: &Plane) -> [Plane; 4] {
    [
        Plane::of(first, second, |first, second| !(first | second)),
        Plane::of(first, second, |first, second| first & !second),
        Plane::of(first, second, |first, second| !first & second),
        Plane::of(first, second, |first, second| first & second),
    ]
}

/// Adds the number of rows in both.
#[inline(always)]
fn add_common(first: &Plane, second: &Plane, lanes: &mut Lanes) {
    for (first, second) in first.0.as_chunks::<8>().0.iter().zip(second.0.as_chunks::<8>().0) {
        for ((lane, first), second) in lanes.0.iter_mut().zip(first).zip(second) {
            *lane += u64::from((first & second).count_ones());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::Labels;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn slabs_are_counted_like_rows(
            classes in 1i16..=12,
            low in -100i8..=100,
            rows in 0usize..4 * SLAB,
            stranger in prop::option::of(0usize..4 * SLAB),
            seed: u64,
        ) {
            let bits = i16::BITS - (classes - 1).leading_zeros();
            let mut state = seed | 1;
            let mut label = || {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(11);
                i16::from(low) + i16::from((state >> 40) as u8) % classes
            };
            let actual: Vec<i16> = (0..rows).map(|_| label()).collect();
            let mut predicted: Vec<i16> = (0..rows).map(|_| label()).collect();
            let stranger = stranger.filter(|&row| row < rows);
            if let Some(row) = stranger {
                predicted[row] = i16::from(low) + (1 << bits);
            }
            let (y_true, y_pred) = (Column::from_slice(&actual), Column::from_slice(&predicted));
            let pair = Pair::new(&Labels::I16(y_true), &Labels::I16(y_pred)).unwrap();
            let window = Window { low: low.into(), bits };
            let mut counters = vec![7_u32; 1 << (2 * bits)];
            let mut expected = counters.clone();
            let end = count_slabs_anywhere(&pair, window, &mut counters, 0..rows);
            prop_assert_eq!(end, stranger.unwrap_or(rows) / SLAB * SLAB);
            for (actual, predicted) in actual.iter().zip(&predicted).take(end) {
                let code = |label: &i16| (label - i16::from(low)) as usize;
                expected[code(actual) << bits | code(predicted)] += 1;
            }
            prop_assert_eq!(counters, expected);
        }
    }
}
