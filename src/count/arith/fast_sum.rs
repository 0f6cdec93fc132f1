//! Exact sums of any finite numbers, at vector speed.
//!
//! Adding one number to a [`Wide`] integer costs several nanoseconds. So this kernel adds blocks of
//! up to 2048 numbers:
//!
//! 1. Let all numbers x of the block be below 2^e, q = 2^(e-41) and C = 1.5 q 2^52. Then
//!    `h = (x + C) - C` is x rounded to a multiple of q, and the rest `x - h` is exact.
//! 2. Add all h of the block in `f64`. The sum stays below 2^52 q, so it is exact in any order.
//! 3. Add this sum to the wide integer.
//! 4. Repeat with the rests until all are zero: two or three passes for numbers of similar size,
//!    more if sizes differ by more than 40 bits.
//!
//! Every step is exact. So the result is the integer that adding one by one gives, for any order,
//! any split and any width of the vectors.
//!
//! Cost: about 1 ns per number for numbers of similar size, plus a few nanoseconds per block and
//! pass.
//!
//! Source: the error-free extraction of Rump, Ogita, Oishi 2008, doi:10.1137/050645671.
//!
//! Tried and rejected:
//!
//! - exact 128-bit sums, one number at a time: 2 ns per number;
//! - compensated sums: they depend on the order.

// Only inlined loops are compiled for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Wide;

/// The largest size of a block.
pub const BLOCK: usize = 2048;

/// Adds one finite number. The sum may be negative for a while (it is kept modulo 2^2176), but not
/// at the end.
pub fn add_one(sum: &mut Wide, x: f64) {
    let bits = x.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as usize;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, place) =
        if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent - 1) };
    let shifted = u128::from(mantissa) << (place % 64);
    let words = [shifted as u64, (shifted >> 64) as u64];
    let limbs = &mut sum.0[place / 64..];
    if bits >> 63 == 0 {
        carry_through(limbs, words, u64::overflowing_add);
    } else {
        carry_through(limbs, words, u64::overflowing_sub);
    }
}

/// Adds or subtracts two words and propagates the carry.
#[inline(always)]
fn carry_through(limbs: &mut [u64], words: [u64; 2], step: impl Fn(u64, u64) -> (u64, bool)) {
    let mut carry = false;
    for (i, limb) in limbs.iter_mut().enumerate() {
        let (partial, first) = step(*limb, words.get(i).copied().unwrap_or(0));
        let (total, second) = step(partial, u64::from(carry));
        *limb = total;
        carry = first | second;
        if i >= 1 && !carry {
            break;
        }
    }
}

/// Adds at most [`BLOCK`] finite numbers, and overwrites them.
#[inline(always)]
pub fn add_block(sum: &mut Wide, numbers: &mut [f64]) {
    debug_assert!(numbers.len() <= BLOCK);
    let (groups, tail) = numbers.as_chunks_mut::<8>();
    // Magnitudes compare like the integers of their bits. The compiler may reorder a maximum of
    // integers, not one of floats.
    let mut greatest = [0_i64; 8];
    for group in groups.iter() {
        for (most, x) in greatest.iter_mut().zip(group) {
            *most = (*most).max(x.abs().to_bits() as i64);
        }
    }
    loop {
        let mut rest = greatest.into_iter().fold(0, i64::max);
        for x in tail.iter() {
            rest = rest.max(x.abs().to_bits() as i64);
        }
        if rest == 0 {
            return;
        }
        let above = (rest >> 52) as i32 - 1022;
        if !(-900..900).contains(&above) {
            // C would leave the range of normal numbers. Such numbers are rare, so they are added
            // one by one.
            for &x in groups.as_flattened().iter().chain(tail.iter()) {
                add_one(sum, x);
            }
            return;
        }
        let quantum = above - 41;
        let cutter = cutter(quantum);
        let mut slices = [0.0; 8];
        greatest = [0; 8];
        for group in groups.iter_mut() {
            for ((total, most), x) in slices.iter_mut().zip(&mut greatest).zip(group) {
                let slice = (*x + cutter) - cutter;
                *total += slice;
                *x -= slice;
                *most = (*most).max(x.abs().to_bits() as i64);
            }
        }
        for (total, x) in slices.iter_mut().zip(tail.iter_mut()) {
            let slice = (*x + cutter) - cutter;
            *total += slice;
            *x -= slice;
        }
        add_one(sum, slices.iter().sum());
    }
}

/// Adds at most [`BLOCK`] numbers in [0, 2^`TOP`), and overwrites them.
///
/// One pass takes the first two slices, because the bound is known. [`add_block`] adds the rests of
/// small numbers.
#[inline(always)]
pub fn add_bounded<const TOP: i32>(sum: &mut Wide, numbers: &mut [f64]) {
    debug_assert!(numbers.len() <= BLOCK);
    // The rest of a number after the first slice is at most half a quantum.
    let (first, second) = (cutter(TOP - 41), cutter(TOP - 83));
    let (groups, tail) = numbers.as_chunks_mut::<8>();
    let (mut high, mut low, mut left) = ([0.0; 8], [0.0; 8], [0_u64; 8]);
    for group in groups {
        for (lane, x) in group.iter_mut().enumerate() {
            let slice = (*x + first) - first;
            let rest = *x - slice;
            let finer = (rest + second) - second;
            *x = rest - finer;
            high[lane] += slice;
            low[lane] += finer;
            left[lane] |= x.to_bits() << 1;
        }
    }
    for (lane, x) in tail.iter_mut().enumerate() {
        let slice = (*x + first) - first;
        let rest = *x - slice;
        let finer = (rest + second) - second;
        *x = rest - finer;
        high[lane] += slice;
        low[lane] += finer;
        left[lane] |= x.to_bits() << 1;
    }
    add_one(sum, high.iter().sum());
    add_one(sum, low.iter().sum());
    if left != [0; 8] {
        add_block(sum, numbers);
    }
}

/// Sums of numbers in [0, 2^`TOP`], cut into whole numbers of `N` quanta, which are added as
/// integers. Two or three quanta hold all bits of a number of at least 2^(`TOP` - 51 or 103).
///
/// Adding 1.5 * 2^52 quanta rounds a number to a whole number of quanta and leaves that number in
/// the lowest bits. Integers add in any order, so the compiler may vectorise the addition.
#[derive(Clone, Copy)]
pub(crate) struct Cuts<const TOP: i32, const N: usize>([u64; N]);

impl<const TOP: i32, const N: usize> Cuts<TOP, N> {
    pub(crate) const fn none() -> Self {
        Self([0; N])
    }

    /// The exponent of a quantum. A cut leaves half a quantum at most.
    const fn quantum(place: usize) -> i32 {
        TOP - 51 - 52 * place as i32
    }

    /// Adds a number and returns the remainder below the last cut.
    #[inline(always)]
    pub(crate) fn add(&mut self, x: f64) -> f64 {
        let mut rest = x;
        for (place, sum) in self.0.iter_mut().enumerate() {
            let cutter = cutter(Self::quantum(place));
            let cut = rest + cutter;
            *sum = sum.wrapping_add(cut.to_bits());
            rest -= cut - cutter;
        }
        rest
    }

    /// Adds the sums to `sum`. They hold `numbers` numbers, at most [`BLOCK`].
    pub(crate) fn add_to(self, sum: &mut Wide, numbers: usize) {
        debug_assert!(numbers <= BLOCK);
        for (place, total) in self.0.into_iter().enumerate() {
            let quantum = Self::quantum(place);
            let of_cutters = cutter(quantum).to_bits().wrapping_mul(numbers as u64);
            // Below 2^51 each, so below 2^62.
            let quanta = total.wrapping_sub(of_cutters) as i64;
            add_quanta(sum, quanta, quantum);
        }
    }
}

/// Adds `quanta` times 2^`quantum`.
pub(crate) fn add_quanta(sum: &mut Wide, quanta: i64, quantum: i32) {
    let (high, low) = (quanta >> 32, quanta & 0xffff_ffff);
    add_one(sum, high as f64 * power_of_two(quantum + 32));
    add_one(sum, low as f64 * power_of_two(quantum));
}

/// 2^`exponent` of a normal number.
const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// 1.5 * 2^52 times 2^`quantum`.
const fn cutter(quantum: i32) -> f64 {
    1.5 * power_of_two(quantum + 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::exact::Fixed;
    use proptest::prelude::*;

    fn any_finite() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>()
                .prop_map(|bits| f64::from_bits(bits >> 1))
                .prop_filter("finite", |x| x.is_finite()),
            0.0..1.0,
            (0.0..1.0).prop_map(|x: f64| x.powi(40)),
            Just(0.0),
            Just(1.0),
            Just(f64::MIN_POSITIVE),
            Just(5e-324),
        ]
    }

    proptest! {
        #[test]
        fn blocks_add_up_to_what_one_by_one_does(numbers in prop::collection::vec(any_finite(), 0..300)) {
            let one_by_one = numbers.iter().fold(Wide::default(), |sum, &x| sum.plus(Wide::of(x, Wide::LOWEST)));
            let mut sum = Wide::default();
            add_block(&mut sum, &mut numbers.clone());
            prop_assert_eq!(sum, one_by_one);
        }

        #[test]
        fn bounded_blocks_add_up_to_the_same(numbers in prop::collection::vec(any_finite(), 0..300)) {
            let mut small: Vec<f64> = numbers.into_iter().map(|x| if x < 64.0 { x } else { 63.999 }).collect();
            let one_by_one = small.iter().fold(Wide::default(), |sum, &x| sum.plus(Wide::of(x, Wide::LOWEST)));
            let mut sum = Wide::default();
            add_bounded::<6>(&mut sum, &mut small);
            prop_assert_eq!(sum, one_by_one);
        }

        #[test]
        fn cuts_and_what_is_left_add_up_to_the_same(numbers in prop::collection::vec(any_finite(), 0..300)) {
            let small: Vec<f64> = numbers.into_iter().map(|x| if x < 64.0 { x } else { 64.0 }).collect();
            let one_by_one = small.iter().fold(Wide::default(), |sum, &x| sum.plus(Wide::of(x, Wide::LOWEST)));
            let (mut cuts, mut sum) = (Cuts::<6, 3>::none(), Wide::default());
            for &x in &small {
                let rest = cuts.add(x);
                prop_assert!(rest == 0.0 || x < 2_f64.powi(6 - 103));
                add_one(&mut sum, rest);
            }
            cuts.add_to(&mut sum, small.len());
            prop_assert_eq!(sum, one_by_one);
        }

        #[test]
        fn what_is_added_can_be_taken_away(a in any_finite(), b in any_finite()) {
            let mut sum = Wide::default();
            add_one(&mut sum, a);
            let before = sum;
            add_one(&mut sum, -b);
            add_one(&mut sum, b);
            prop_assert_eq!(sum, before);
            prop_assert_eq!(sum.to_f64(Wide::LOWEST), a);
        }
    }

    #[test]
    fn the_largest_block_is_exact() {
        let numbers: Vec<f64> = (0..BLOCK).map(|i| 1.0 - (i as f64) * f64::EPSILON).collect();
        let one_by_one =
            numbers.iter().fold(Wide::default(), |sum, &x| sum.plus(Wide::of(x, Wide::LOWEST)));
        let mut sum = Wide::default();
        add_block(&mut sum, &mut numbers.clone());
        assert_eq!(sum, one_by_one);
        let mut sum = Wide::default();
        add_bounded::<0>(&mut sum, &mut numbers.clone());
        assert_eq!(sum, one_by_one);
        let (mut cuts, mut sum) = (Cuts::<0, 2>::none(), Wide::default());
        assert!(numbers.iter().all(|&x| cuts.add(x) == 0.0));
        cuts.add_to(&mut sum, BLOCK);
        assert_eq!(sum, one_by_one);
    }
}
