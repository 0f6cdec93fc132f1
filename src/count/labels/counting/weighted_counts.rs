//! Weighted counting in a dense table: the number of rows with each pair of codes, and the exact
//! sum of their weights ([`crate::arith::exact`]).
//!
//! How a block of 256 rows is added:
//!
//! 1. Each column's block is lowered to codes, and the two codes of a row become one index, as in
//!    `crate::labels::counting::dense_counts`.
//! 2. In vectors, the weights' bits give the block's greatest and least exponent. A block with a
//!    negative, subnormal or not finite weight is left to the caller, row by row.
//! 3. If the quantum is too coarse for the least exponent, it is refined by a few bits more than
//!    needed, so sums are seldom shifted.
//! 4. In vectors, each mantissa is shifted to its place among 128 bits, as two words.
//! 5. Each row adds its two words to its pair's sum, and one to its pair's rows.
//!
//! Sums of integers are exact, so a quantum finer than needed changes no result.
//!
//! Cost, one core: 3 ns a row. Row by row, with the exact lowest bit of every weight, it was 12.
#![allow(unsafe_code)]
// Only inlined calls inherit the wider vectors of a function.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::arith::exact::{ExactSums, Span, Weights};
use crate::base::wide::wide;
use crate::labels::codes::{BLOCK, Pair, Window};
use crate::labels::counting::dense_counts::Dense;

wide! {
    /// Adds blocks to a dense table and its sums while every label is in the window and every
    /// weight is ordinary; returns the row where it stopped.
    pub(crate) fn add_blocks[](
        pair: &Pair<'_>, window: Window, dense: &mut Dense, weights: Weights<'_>, sums: &mut ExactSums,
        rows: Range<usize>,
    ) -> usize = add_blocks_anywhere;
}

/// The difference between the exponent field of a normal number and the exponent of its integer
/// mantissa.
const BIAS: i64 = 1075;

#[inline(always)]
fn add_blocks_anywhere(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    weights: Weights<'_>,
    sums: &mut ExactSums,
    rows: Range<usize>,
) -> usize {
    let (bits, cells) = (dense.bits, dense.cells());
    dense.make_room_for(rows.len());
    let mut actual = [0u16; BLOCK];
    let mut predicted = [0u16; BLOCK];
    let mut index = [0u32; BLOCK];
    let mut words = [0u64; BLOCK];
    let (mut low, mut high) = ([0u64; BLOCK], [0u64; BLOCK]);
    let mut scratch = Vec::new();
    let mut start = rows.start;
    while start < rows.end {
        let block = start..rows.end.min(start + BLOCK);
        let len = block.len();
        let (first, _) = pair.actual.lower(block.clone(), window, &mut actual);
        let (second, _) = pair.predicted.lower(block.clone(), window, &mut predicted);
        if !(first && second) {
            break;
        }
        // Copied first: the checked weights must be the added ones.
        for (word, weight) in words.iter_mut().zip(weights.chunk(block, &mut scratch)) {
            *word = weight.to_bits();
        }
        words[len..].fill(0);
        let Some(span) = span_of(&words) else { break };
        let Some((sums, quantum)) = sums.narrow(span) else {
            break;
        };
        shifted(&words, BIAS + i64::from(quantum), &mut low, &mut high);
        for ((index, &code), &other) in index.iter_mut().zip(&actual).zip(&predicted) {
            *index = u32::from(code) << bits | u32::from(other);
        }
        let rows = &mut dense.quick[..cells];
        assert!(cells.is_power_of_two() && sums.len() >= cells);
        for ((&index, &low), &high) in index.iter().zip(&low).zip(&high).take(len) {
            let place = index as usize & (cells - 1);
            // SAFETY: `place` is below `cells`, a power of two; both slices are as long, as was
            // asserted.
            let (sum, rows) =
                unsafe { (sums.get_unchecked_mut(place), rows.get_unchecked_mut(place)) };
            *sum = sum.wrapping_add(u128::from(high) << 64 | u128::from(low));
            *rows += 1;
        }
        start += len;
        dense.pending += len;
    }
    start
}

/// The span of the non-zero weights of a block; none if a weight is negative, subnormal or not
/// finite.
#[inline(always)]
fn span_of(words: &[u64; BLOCK]) -> Option<Span> {
    const TOP: i64 = 0x7ff;
    let (mut least, mut greatest) = ([TOP; 8], [0; 8]);
    for eight in words.as_chunks::<8>().0 {
        for (lane, &word) in eight.iter().enumerate() {
            // A sign bit makes it larger than any finite exponent.
            let exponent = (word >> 52) as i64;
            let own = if word == 0 { TOP } else { exponent };
            least[lane] = if own < least[lane] { own } else { least[lane] };
            greatest[lane] = if exponent > greatest[lane] { exponent } else { greatest[lane] };
        }
    }
    let least = least.into_iter().fold(TOP, i64::min);
    let greatest = greatest.into_iter().fold(0, i64::max);
    if greatest == 0 && least == TOP {
        return Some(Span::EMPTY); // zeros only
    }
    (least > 0 && greatest < TOP).then(|| Span {
        low: (least - BIAS) as i32,
        high: (greatest - BIAS) as i32 + 53,
        weights: BLOCK as u64,
    })
}

/// The mantissas of the weights in quanta of 2^(base − [`BIAS`]), as two words each.
/// Exponents must be at least `base` and less than 128 − 53 above it.
#[inline(always)]
fn shifted(words: &[u64; BLOCK], base: i64, low: &mut [u64; BLOCK], high: &mut [u64; BLOCK]) {
    for ((&word, low), high) in words.iter().zip(low).zip(high) {
        let mantissa = word & ((1 << 52) - 1) | 1 << 52;
        let mantissa = if word == 0 { 0 } else { mantissa };
        let shift = ((word >> 52) as i64).wrapping_sub(base) as u64;
        // Shifts by 64 and more give 0, like the vector instructions.
        let left = |by: u64| if by < 64 { mantissa << by } else { 0 };
        let right = |by: u64| if by < 64 { mantissa >> by } else { 0 };
        *low = left(shift);
        *high = left(shift.wrapping_sub(64)) | right(64_u64.wrapping_sub(shift));
    }
}
