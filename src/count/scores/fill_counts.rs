//! Converts running totals of the two classes to counts at every threshold, column by column.
//!
//! 1. Convert a total to `f64`. For sums of weights below 2^105 that takes two exact parts and one
//!    rounding, a third of the time of `as`.
//! 2. Subtract it from the total of the class, as an integer: the result is the other cell of the
//!    class.
//!
//! Cost: below 1 ns a threshold in cache.
// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::wide::{prefetch_read, wide};
use crate::labels::view::BinaryCounts;

wide! {
    /// Counts as 2×2 tables.
    pub(crate) fn fill_tables[](
        positives: &[u64], negatives: &[u64], totals: (u64, u64), to: &mut [BinaryCounts],
    ) -> () = fill_tables_body;

    /// Counts as columns tp, fp, fn, tn of one length.
    pub(crate) fn fill_columns[](
        positives: &[u64], negatives: &[u64], totals: (u64, u64), to: [&mut [f64]; 4],
    ) -> () = fill_columns_body;
}

#[inline(always)]
fn fill_columns_body(
    positives: &[u64],
    negatives: &[u64],
    totals: (u64, u64),
    [tp, fp, fn_, tn]: [&mut [f64]; 4],
) {
    complements(positives, totals.0, tp, fn_);
    complements(negatives, totals.1, fp, tn);
}

/// Counts as floats, and their difference to the total.
#[inline(always)]
fn complements(counts: &[u64], total: u64, found: &mut [f64], left: &mut [f64]) {
    /// Prefetch distance in counts. Much work happens between two parts of a column.
    const AHEAD: usize = 512;
    let (eights, rest) = counts[..found.len()].as_chunks::<8>();
    let (found, found_rest) = found.as_chunks_mut::<8>();
    let (left, left_rest) = left.as_chunks_mut::<8>();
    for ((counts, found), left) in eights.iter().zip(found).zip(left) {
        prefetch_read(counts.as_ptr().wrapping_add(AHEAD));
        for lane in 0..8 {
            found[lane] = counts[lane] as f64;
            left[lane] = (total - counts[lane]) as f64;
        }
    }
    for ((&count, found), left) in rest.iter().zip(found_rest).zip(left_rest) {
        *found = count as f64;
        *left = (total - count) as f64;
    }
}

#[inline(always)]
fn fill_tables_body(
    positives: &[u64],
    negatives: &[u64],
    totals: (u64, u64),
    to: &mut [BinaryCounts],
) {
    for (to, (&tp, &fp)) in to.iter_mut().zip(positives.iter().zip(negatives)) {
        *to = BinaryCounts {
            tp: tp as f64,
            fp: fp as f64,
            fn_: (totals.0 - tp) as f64,
            tn: (totals.1 - fp) as f64,
        };
    }
}

wide! {
    /// Sums of weights below 2^105 as 2×2 tables, in quanta of a normal size.
    pub(crate) fn sums_to_tables[](
        positives: &[u128], negatives: &[u128], totals: (u128, u128), quantum: f64, to: &mut [BinaryCounts],
    ) -> () = sums_to_tables_body;
}

#[inline(always)]
fn sums_to_tables_body(
    positives: &[u128],
    negatives: &[u128],
    totals: (u128, u128),
    quantum: f64,
    to: &mut [BinaryCounts],
) {
    for (to, (&tp, &fp)) in to.iter_mut().zip(positives.iter().zip(negatives)) {
        *to = BinaryCounts {
            tp: float_of(tp) * quantum,
            fp: float_of(fp) * quantum,
            fn_: float_of(totals.0.wrapping_sub(tp)) * quantum,
            tn: float_of(totals.1.wrapping_sub(fp)) * quantum,
        };
    }
}

/// The nearest float to an integer below 2^105, ties to even: two exact parts and one rounding, a
/// third of the time of `as`.
#[inline(always)]
fn float_of(mass: u128) -> f64 {
    const LOW: u64 = (1 << 52) - 1;
    let (high, low) = ((mass >> 52) as u64, mass as u64 & LOW);
    high as f64 * (1_u64 << 52) as f64 + low as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quick_floats_are_rounded_once(mass: u128, bits in 0_u32..105) {
            let mass = mass >> (128 - 105) >> (104 - bits);
            prop_assert_eq!(float_of(mass), mass as f64);
            let tie = (mass >> 1 << 1 | 1) << 20 & ((1 << 105) - 1);
            prop_assert_eq!(float_of(tie), tie as f64);
        }
    }
}
