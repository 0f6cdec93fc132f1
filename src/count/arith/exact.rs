//! Exact sums of non-negative numbers: weighted counting becomes integer counting.
//!
//! Every finite `f64` is an integer times a power of two, so a sum of weights can be a sum of
//! integers:
//!
//! 1. Find the [`Span`] of the weights: the lowest bit 2^low that any weight uses, a power 2^high
//!    above all weights, and the number of weights.
//! 2. Write each weight as a whole number of quanta 2^low.
//! 3. Add the integers. They are `u128` if any sum of these weights fits 128 bits. Otherwise they
//!    are [`Wide`], which holds any sum of finite numbers.
//! 4. Round once, to nearest, when a sum is read.
//!
//! Sums of integers are exact, so they are the same in any order, for any split and any merge. The
//! width follows from the span alone. Spans merge by minimum, maximum and addition, so the width
//! does not depend on the order either. Ordinary weights fit 128 bits: 53 bits of mantissa, 40 of
//! count, and 35 for the ratio of the largest to the smallest weight.
//!
//! If sums are dropped, their weights stay in the span. [`ExactSums::canonical`] gives a form that
//! depends only on the sums that are left.
//!
//! One file because the width of a sum follows from its span, and both change together.
//!
//! Cost: about 1 ns per weight for its span, and 1 ns to add it; 16 bytes per sum (272 when wide).
//!
//! Source: the wide form is the "small superaccumulator" of Neal (2015), arXiv:1505.05571, in
//! another layout.
//!
//! Tried and rejected:
//!
//! - compensated summation: accurate, but its bits depend on the order;
//! - quanta relative to the largest weight: independent of the order in one batch, but a merge
//!   would round twice;
//! - a wide sum for every cell: 17 times the memory.

use std::ops::Range;

use num_bigint::BigUint;

use crate::arith::fraction::Fraction;
use crate::base::column::Column;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::threads::{one_after_the_other, over_parts, over_pieces};

/// A column of weights: finite and not negative.
pub type Weights<'a> = Column<'a, f64>;

/// Numbers of either sign as two columns of weights: those above zero, and those below it without
/// their sign; zero elsewhere. NaN stays.
pub fn by_sign(numbers: Column<'_, f64>) -> [Vec<f64>; 2] {
    [1.0, -1.0].map(|sign| {
        let signed = (0..numbers.len()).map(|row| sign * numbers.get(row));
        signed.map(|number| if number <= 0.0 { 0.0 } else { number }).gather()
    })
}

/// The bits used by the weights seen so far, and the number of weights above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Every weight is a whole multiple of 2^low.
    pub low: i32,
    /// Every weight is below 2^high.
    pub high: i32,
    /// The number of weights above zero.
    pub weights: u64,
}

impl Default for Span {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Span {
    /// The span of no weights.
    pub const EMPTY: Self = Self { low: i32::MAX, high: i32::MIN, weights: 0 };

    /// The span of one weight, which must be finite and not negative.
    #[inline]
    pub fn of(weight: f64) -> Self {
        let (mantissa, exponent) = parts(weight);
        if mantissa == 0 {
            return Self::EMPTY;
        }
        let low = exponent + mantissa.trailing_zeros() as i32;
        let high = exponent + (u64::BITS - mantissa.leading_zeros()) as i32;
        Self { low, high, weights: 1 }
    }

    /// The span of a slice of weights. The first weight that is negative or not finite is refused.
    ///
    /// # Errors
    /// [`Refusal::Row`] for `sample_weight`, the row counted from the slice's start.
    pub fn from_slice(weights: &[f64]) -> Result<Self> {
        let mut span = Self::EMPTY;
        for (row, &weight) in weights.iter().enumerate() {
            if !(0.0..f64::INFINITY).contains(&weight) {
                let expected = "a finite number that is not negative";
                return Err(Refusal::row("sample_weight", row, weight, expected));
            }
            span = span.union(Self::of(weight));
        }
        Ok(span)
    }

    /// The span of the weights of both spans together.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            weights: self.weights.saturating_add(other.weights),
        }
    }

    /// Whether any sum of these weights fits 128 bits.
    pub fn is_narrow(&self) -> bool {
        let carry = u64::BITS - self.weights.leading_zeros();
        self.weights == 0 || self.high - self.low + carry as i32 <= 128
    }

    /// Whether a span read from bytes is possible: it has weights, no bit is below the bit of the
    /// smallest number, and a wide sum can hold all bits.
    pub fn is_possible(&self) -> bool {
        let carry = (u64::BITS - self.weights.leading_zeros()) as i32;
        let most = Wide::LOWEST + 64 * Wide::LIMBS as i32 - carry;
        Wide::LOWEST <= self.low && self.low < self.high && self.high <= most && self.weights > 0
    }

    /// The exponent of the quantum: `low` for narrow sums, [`Wide::LOWEST`] for wide ones, and 0
    /// without weights.
    pub fn quantum(&self) -> i32 {
        if self.weights == 0 {
            0
        } else if self.is_narrow() {
            self.low
        } else {
            Wide::LOWEST
        }
    }
}

/// Mantissa and exponent of a finite, non-negative number: `mantissa * 2^exponent`.
#[inline]
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    // Subnormal numbers have no hidden bit and the exponent of the smallest normal one.
    if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) }
}

/// An unsigned integer that counts quanta.
pub trait Fixed: Copy + Default + Ord + std::fmt::Debug + Send + Sync + 'static {
    /// The weight in quanta of 2^quantum. It must be a whole number of them and fit.
    fn of(weight: f64, quantum: i32) -> Self;
    /// The sum, which must fit.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The difference; `other` must not be greater.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The same sum in quanta that are 2^bits times smaller; it must fit.
    #[must_use]
    fn finer(self, bits: u32) -> Self;
    /// The lowest bit and the number of bits; `None` for zero.
    fn extent(self) -> Option<(i32, i32)>;
    /// The same sum in quanta that are 2^bits times larger; it must be a whole number of them.
    fn coarser(self, bits: u32) -> u128;
    /// The number of quanta.
    fn quanta(self) -> BigUint;
    /// The sum as the nearest `f64`, ties to even; infinite above the largest.
    fn to_f64(self, quantum: i32) -> f64;
    /// The sum as two numbers, the second at most half a unit in the last place of the first. They
    /// miss at most 2^-105 of the sum.
    fn to_two(self, quantum: i32) -> (f64, f64);
}

impl Fixed for u128 {
    #[inline]
    fn of(weight: f64, quantum: i32) -> Self {
        let (mantissa, exponent) = parts(weight);
        let shift = exponent - quantum;
        if mantissa == 0 {
            0
        } else if shift >= 0 {
            u128::from(mantissa) << shift
        } else {
            // The bits of the mantissa below the quantum are zeros.
            u128::from(mantissa >> -shift)
        }
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }

    fn finer(self, bits: u32) -> Self {
        if self == 0 { 0 } else { self << bits }
    }

    fn extent(self) -> Option<(i32, i32)> {
        let bits = u128::BITS - self.leading_zeros();
        (self != 0).then_some((self.trailing_zeros() as i32, bits as i32))
    }

    fn coarser(self, bits: u32) -> u128 {
        if self == 0 { 0 } else { self >> bits }
    }

    fn quanta(self) -> BigUint {
        self.into()
    }

    fn to_f64(self, quantum: i32) -> f64 {
        // Rounds once: `as` rounds to nearest, and scaling is exact. A subnormal result has so few
        // bits that `as` did not round it.
        scale(self as f64, quantum)
    }

    fn to_two(self, quantum: i32) -> (f64, f64) {
        let near = self as f64;
        // 2^128 is no u128; 0 stands for it, and the remainder wraps around.
        let whole = if near < u128::MAX as f64 { near as u128 } else { 0 };
        let rest = self.wrapping_sub(whole) as i128;
        (scale(near, quantum), scale(rest as f64, quantum))
    }
}

/// `x * 2^exponent`, also for exponents far outside the normal range.
fn scale(x: f64, exponent: i32) -> f64 {
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    match exponent {
        ..-1022 => x * power(-1000) * power(exponent.max(-2022) + 1000),
        -1022..=1023 => x * power(exponent),
        1024.. => x * power(1023) * power(exponent.min(2046) - 1023),
    }
}

pub(crate) const TOO_LARGE: &str = "a sum would be 2^1102 or more";

/// An integer of 2176 bits in quanta of 2^-1074. It holds any sum of up to 2^64 finite numbers.
/// Lowest limb first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide(pub [u64; Wide::LIMBS]);

impl Wide {
    /// The sum, rounded once.
    pub fn value(self) -> f64 {
        self.to_f64(Self::LOWEST)
    }

    /// 2098 bits for one number and 64 for the count.
    pub const LIMBS: usize = 34;
    /// The exponent of the quantum.
    pub const LOWEST: i32 = -1074;

    /// `amount * 2^quantum` in quanta of 2^-1074.
    fn from_narrow(amount: u128, quantum: i32) -> Self {
        let mut wide = Self::default();
        if amount != 0 {
            wide.0[0] = amount as u64;
            wide.0[1] = (amount >> 64) as u64;
            wide = wide.finer((quantum - Self::LOWEST) as u32);
        }
        wide
    }

    /// The sum times 2^-`bits`, without its fraction of a quantum.
    fn shrunk(&self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let limb = |place: usize| self.0.get(limbs + place).copied().unwrap_or(0);
        let mut shrunk = Self::default();
        for (place, to) in shrunk.0.iter_mut().enumerate() {
            let both = u128::from(limb(place)) | u128::from(limb(place + 1)) << 64;
            *to = (both >> bits) as u64;
        }
        shrunk
    }

    /// The sum, if 2176 bits hold it. Sums of rows fit; sums read from bytes may not.
    pub(crate) fn checked_plus(self, other: Self) -> Option<Self> {
        let sum = self.plus(other);
        (sum >= self).then_some(sum)
    }
}

impl Default for Wide {
    fn default() -> Self {
        Self([0; Self::LIMBS])
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Fixed for Wide {
    fn of(weight: f64, quantum: i32) -> Self {
        debug_assert_eq!(quantum, Self::LOWEST);
        let (mantissa, exponent) = parts(weight);
        Self::from_narrow(u128::from(mantissa), exponent)
    }

    fn plus(self, other: Self) -> Self {
        let mut sum = self;
        let mut carry = false;
        for (limb, &more) in sum.0.iter_mut().zip(&other.0) {
            let (partial, first) = limb.overflowing_add(more);
            let (total, second) = partial.overflowing_add(u64::from(carry));
            *limb = total;
            carry = first | second;
        }
        sum
    }

    fn minus(self, other: Self) -> Self {
        let mut difference = self;
        let mut borrow = false;
        for (limb, &less) in difference.0.iter_mut().zip(&other.0) {
            let (partial, first) = limb.overflowing_sub(less);
            let (total, second) = partial.overflowing_sub(u64::from(borrow));
            *limb = total;
            borrow = first | second;
        }
        difference
    }

    fn finer(self, bits: u32) -> Self {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let mut finer = Self::default();
        for place in limbs..Self::LIMBS {
            let low = self.0[place - limbs];
            finer.0[place] |= low << bits;
            if bits > 0 && place > limbs {
                finer.0[place] |= self.0[place - limbs - 1] >> (64 - bits);
            }
        }
        finer
    }

    fn extent(self) -> Option<(i32, i32)> {
        let lowest = self.0.iter().position(|&limb| limb != 0)?;
        let highest = self.0.iter().rposition(|&limb| limb != 0)?;
        let low = 64 * lowest as u32 + self.0[lowest].trailing_zeros();
        let bits = 64 * (highest as u32 + 1) - self.0[highest].leading_zeros();
        Some((low as i32, bits as i32))
    }

    fn coarser(self, bits: u32) -> u128 {
        let (limbs, bits) = ((bits / 64) as usize, bits % 64);
        let limb = |place: usize| u128::from(self.0.get(limbs + place).copied().unwrap_or(0));
        let low = limb(0) | limb(1) << 64;
        if bits == 0 { low } else { low >> bits | limb(2) << (128 - bits) }
    }

    fn quanta(self) -> BigUint {
        let halves = self.0.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
        BigUint::new(halves.gather())
    }

    fn to_f64(self, quantum: i32) -> f64 {
        debug_assert_eq!(quantum, Self::LOWEST);
        let Some(top) = self.0.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        if top == 0 {
            return scale(self.0[0] as f64, Self::LOWEST);
        }
        // The two highest limbs hold at least 65 bits. The bits below can only break a tie, so one
        // sticky bit replaces them.
        let head = u128::from(self.0[top]) << 64 | u128::from(self.0[top - 1]);
        let sticky = self.0[..top - 1].iter().any(|&limb| limb != 0);
        scale((head | u128::from(sticky)) as f64, Self::LOWEST + 64 * (top as i32 - 1))
    }

    fn to_two(self, quantum: i32) -> (f64, f64) {
        let bits = self.extent().map_or(0, |(_, bits)| bits);
        let left_out = (bits - 128).max(0);
        self.coarser(left_out as u32).to_two(quantum + left_out)
    }
}

/// Many exact sums of one stream of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactSums {
    span: Span,
    sums: Sums,
}

/// The sums, in quanta of `span.quantum()`.
#[derive(Debug, PartialEq, Eq)]
pub enum Sums {
    /// Every sum fits 128 bits.
    Narrow(Vec<u128>),
    /// Some sums may need more than 128 bits.
    Wide(Vec<Wide>),
}

impl Clone for Sums {
    fn clone(&self) -> Self {
        match self {
            Self::Narrow(sums) => Self::Narrow(sums.copy_all()),
            Self::Wide(sums) => Self::Wide(sums.copy_all()),
        }
    }
}

impl ExactSums {
    /// All sums times 2^-`bits`, cut below 2^-1074.
    pub(crate) fn shrunk(&self, bits: u32) -> Self {
        let less = |exponent: i32| exponent - bits as i32;
        let span = Span {
            low: less(self.span.low).max(Wide::LOWEST),
            high: less(self.span.high),
            ..self.span
        };
        let sums = match &self.sums {
            Sums::Narrow(sums) if less(self.span.low) >= Wide::LOWEST => {
                Sums::Narrow(sums.copy_all())
            }
            Sums::Narrow(sums) => {
                let bits = (span.low - less(self.span.low)) as u32;
                Sums::Narrow(sums.iter().map(|sum| sum >> bits).gather())
            }
            Sums::Wide(sums) => Sums::Wide(sums.iter().map(|sum| sum.shrunk(bits)).gather()),
        };
        Self { span, sums }
    }

    /// One sum as a fraction.
    pub fn fraction(&self, place: usize) -> Fraction {
        let quanta = match &self.sums {
            Sums::Narrow(sums) => sums[place].quanta(),
            Sums::Wide(sums) => sums[place].quanta(),
        };
        Fraction::from_binary(quanta.into(), self.span.quantum())
    }

    /// `len` sums of no weights.
    pub fn new(len: usize) -> Self {
        Self { span: Span::EMPTY, sums: Sums::Narrow(vec![0; len]) }
    }

    /// Sums from a span and sums in quanta of `span.quantum()`; `None` if the width does not fit
    /// the span.
    pub fn from_parts(span: Span, sums: Sums) -> Option<Self> {
        (matches!(sums, Sums::Narrow(_)) == span.is_narrow()).then_some(Self { span, sums })
    }

    /// The number of sums.
    pub fn len(&self) -> usize {
        match &self.sums {
            Sums::Narrow(sums) => sums.len(),
            Sums::Wide(sums) => sums.len(),
        }
    }

    /// Whether there are no sums.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The span of all weights added so far.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The sums in quanta of `self.span().quantum()`.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    pub(crate) fn into_sums(self) -> Sums {
        self.sums
    }

    /// One sum as the nearest `f64`.
    pub fn get(&self, place: usize) -> f64 {
        let quantum = self.span.quantum();
        match &self.sums {
            Sums::Narrow(sums) => sums[place].to_f64(quantum),
            Sums::Wide(sums) => sums[place].to_f64(quantum),
        }
    }

    /// Prepares for adding weights of `span`: the quantum becomes as fine, and the integers as
    /// wide, as all weights together need.
    pub fn make_room(&mut self, span: Span) {
        let (old, new) = (self.span.quantum(), self.span.union(span));
        let was_empty = self.span.weights == 0;
        self.span = new;
        match &mut self.sums {
            Sums::Narrow(sums) if !new.is_narrow() => {
                self.sums = Sums::Wide(sums.iter().map(|&s| Wide::from_narrow(s, old)).gather());
            }
            Sums::Narrow(sums) if !was_empty && new.quantum() != old => {
                let bits = (old - new.quantum()) as u32;
                each(sums, |_, sum| *sum = sum.finer(bits));
            }
            _ => {}
        }
    }

    /// Prepares for adding weights of `span`, and lends the sums with their quantum's exponent;
    /// `None` if they may need more than 128 bits. A quantum is refined by a few bits more than
    /// needed, so that slightly smaller weights do not shift all sums again.
    pub(crate) fn narrow(&mut self, span: Span) -> Option<(&mut [u128], i32)> {
        const SPARE: i32 = 16;
        if !self.span.union(span).is_narrow() {
            return None;
        }
        let spare = Span { low: span.low.saturating_sub(SPARE), ..span };
        let is_finer = span.weights > 0 && span.low < self.span.low && span.low < span.high;
        self.make_room(if is_finer && self.span.union(spare).is_narrow() { spare } else { span });
        let quantum = self.span.quantum();
        match &mut self.sums {
            Sums::Narrow(sums) => Some((sums, quantum)),
            Sums::Wide(_) => None,
        }
    }

    /// Adds each weight to the sum at its place.
    ///
    /// The slices must have one length, and the places must be below `len`. `span` must be the span
    /// of the weights (see [`Span::from_slice`], which also checks them), unless
    /// [`Self::make_room`] already had it.
    pub fn add_all<P: Copy + Into<u64>>(&mut self, span: Span, places: &[P], weights: &[f64]) {
        fn run<F: Fixed, P: Copy + Into<u64>>(
            sums: &mut [F],
            quantum: i32,
            places: &[P],
            weights: &[f64],
        ) {
            for (&place, &weight) in places.iter().zip(weights) {
                let sum = &mut sums[place.into() as usize];
                *sum = sum.plus(F::of(weight, quantum));
            }
        }
        self.make_room(span);
        let quantum = self.span.quantum();
        match &mut self.sums {
            Sums::Narrow(sums) => run(sums, quantum, places, weights),
            Sums::Wide(sums) => run(sums, quantum, places, weights),
        }
    }

    pub(crate) fn grow_to(&mut self, len: usize) {
        match &mut self.sums {
            Sums::Narrow(sums) => sums.grow_to(len, 0),
            Sums::Wide(sums) => sums.grow_to(len, Wide::default()),
        }
    }

    /// The sums at `places`, in this order.
    #[must_use]
    pub fn taken(&self, places: &[usize]) -> Self {
        let sums = match &self.sums {
            Sums::Narrow(sums) => Sums::Narrow(places.iter().map(|&place| sums[place]).gather()),
            Sums::Wide(sums) => Sums::Wide(places.iter().map(|&place| sums[place]).gather()),
        };
        Self { span: self.span, sums }
    }

    /// Ranges of sums, one after the other.
    ///
    /// # Errors
    /// None but for memory.
    pub fn joined(parts: &[(&Self, Range<usize>)]) -> Result<Self> {
        let span = parts.iter().fold(Span::EMPTY, |span, (part, _)| span.union(part.span));
        let quantum = span.quantum();
        let (mut narrow, mut finer) = (Vec::new(), Vec::new());
        for (part, range) in parts {
            if let Sums::Narrow(sums) = &part.sums {
                narrow.grow(&sums[range.clone()]);
                finer.grow(part.span.quantum().saturating_sub(quantum).max(0) as u32);
            }
        }
        let sums = if span.is_narrow() {
            Sums::Narrow(one_after_the_other(&narrow, |part, sum| sum.finer(finer[part]))?)
        } else {
            let wide = |(part, range): &(&Self, Range<usize>)| -> Vec<Wide> {
                match &part.sums {
                    Sums::Narrow(sums) => {
                        let old = part.span.quantum();
                        sums[range.clone()].iter().map(|&s| Wide::from_narrow(s, old)).gather()
                    }
                    Sums::Wide(sums) => sums[range.clone()].copy_all(),
                }
            };
            let mut all = Vec::new();
            for part in parts {
                all.grow_by(&wide(part));
            }
            Sums::Wide(all)
        };
        Ok(Self { span, sums })
    }

    /// Moves sum `i` to `places[i]` among `len` sums. Sums at the same place are added.
    #[must_use]
    pub fn moved(&self, places: &[usize], len: usize) -> Self {
        fn run<F: Fixed>(sums: &[F], places: &[usize], len: usize) -> Vec<F> {
            let mut moved = vec![F::default(); len];
            for (&sum, &place) in sums.iter().zip(places) {
                moved[place] = moved[place].plus(sum);
            }
            moved
        }
        let sums = match &self.sums {
            Sums::Narrow(sums) => Sums::Narrow(run(sums, places, len)),
            Sums::Wide(sums) => Sums::Wide(run(sums, places, len)),
        };
        Self { span: self.span, sums }
    }

    /// Moves sum `i` to `places[i]` among `len` sums, in place. The places must ascend.
    pub(crate) fn spread(&mut self, places: &[usize], len: usize) {
        fn run<F: Fixed>(sums: &mut Vec<F>, places: &[usize], len: usize) {
            sums.make_room(len.saturating_sub(sums.len()));
            sums.grow_to(len, F::default());
            for (from, &to) in places.iter().enumerate().rev() {
                if to != from {
                    sums[to] = std::mem::take(&mut sums[from]);
                }
            }
        }
        match &mut self.sums {
            Sums::Narrow(sums) => run(sums, places, len),
            Sums::Wide(sums) => run(sums, places, len),
        }
    }

    /// Whether the last sum is below the largest sum that as many weights as the span counts could
    /// have.
    pub(crate) fn is_within_span(&self) -> bool {
        let last = match &self.sums {
            Sums::Narrow(sums) => sums.last().map(|sum| sum.quanta()),
            Sums::Wide(sums) => sums.last().map(|sum| sum.quanta()),
        };
        let last = last.unwrap_or_default();
        if self.span.weights == 0 {
            return last == BigUint::ZERO;
        }
        last < BigUint::from(self.span.weights) << (self.span.high - self.span.quantum())
    }

    /// Sums from counts.
    pub fn from_counts(counts: &[u64]) -> Self {
        let span = Span { low: 0, high: 64, weights: counts.len() as u64 };
        let sums = Sums::Narrow(counts.iter().map(|&count| count.into()).collect());
        Self { span, sums }.canonical()
    }

    /// Sums over rows from their counts, where all rows of a column weigh the same. Running counts
    /// give running sums.
    pub(crate) fn of_counts(columns: &[(&[u64], f64)], are_running: bool) -> Self {
        fn run<F: Fixed>(columns: &[(&[u64], f64)], are_running: bool, quantum: i32) -> Vec<F> {
            let mut sums = with_room(columns.iter().map(|(counts, _)| counts.len()).sum());
            for &(counts, weight) in columns {
                let (mut sum, mut before) = (F::default(), 0);
                for (place, &count) in counts.iter().enumerate() {
                    interrupt::check_at(place);
                    let mut more = count - before;
                    while more > 0 {
                        sum = sum.plus(F::of(weight, quantum).finer(more.trailing_zeros()));
                        more &= more - 1;
                    }
                    sums.grow(sum);
                    if are_running { before = count } else { sum = F::default() }
                }
            }
            sums
        }
        let mut span = Span::EMPTY;
        for &(counts, weight) in columns {
            let last = counts.last().copied().unwrap_or(0);
            let weights = if are_running { last } else { counts.iter().sum() };
            if weights > 0 {
                span = span.union(Span { weights, ..Span::of(weight) });
            }
        }
        let sums = if span.is_narrow() {
            Sums::Narrow(run(columns, are_running, span.quantum()))
        } else {
            Sums::Wide(run(columns, are_running, span.quantum()))
        };
        Self { span, sums }
    }

    /// The same sums in a form that depends only on their values, not on the weights added or on
    /// sums dropped. Its span treats each sum as one weight.
    #[must_use]
    pub fn canonical(self) -> Self {
        fn span_of<F: Fixed>(sums: &[F], quantum: i32) -> Span {
            folded(sums, Span::EMPTY, Span::union, |sums| {
                let extents = sums.iter().filter_map(|sum| sum.extent());
                extents.fold(Span::EMPTY, |span, (low, bits)| {
                    span.union(Span { low: quantum + low, high: quantum + bits, weights: 1 })
                })
            })
        }
        let quantum = self.span.quantum();
        let span = match &self.sums {
            Sums::Narrow(sums) => span_of(sums, quantum),
            Sums::Wide(sums) => span_of(sums, quantum),
        };
        self.respanned(span)
    }

    /// The sums of `weights` weights in a form that depends only on their values and that number.
    /// `all` lists sums that together contain every weight once.
    #[must_use]
    pub(crate) fn settled(self, weights: u64, all: &[usize]) -> Self {
        let span = self.settled_span(weights, all);
        self.respanned(span)
    }

    /// The span of [`Self::settled`]: the lowest bit of any sum, and the smallest power of two
    /// above the mean weight. Sums of two such spans fit the width of their union.
    pub(crate) fn settled_span(&self, weights: u64, all: &[usize]) -> Span {
        fn found<F: Fixed>(sums: &[F], all: &[usize]) -> (i32, BigUint) {
            let lowest = folded(sums, i32::MAX, i32::min, |sums| {
                let mut lowest = i32::MAX;
                for (low, _) in sums.iter().filter_map(|sum| sum.extent()) {
                    lowest = lowest.min(low);
                    if lowest == 0 {
                        break;
                    }
                }
                lowest
            });
            (lowest, all.iter().map(|&place| sums[place].quanta()).sum())
        }
        if weights == 0 {
            return Span::EMPTY;
        }
        let (low, total) = match &self.sums {
            Sums::Narrow(sums) => found(sums, all),
            Sums::Wide(sums) => found(sums, all),
        };
        if total == BigUint::ZERO {
            return Span::EMPTY;
        }
        // The smallest power with total < weights · 2^power: both sides have equally many bits, or
        // one more.
        let weights_of = BigUint::from(weights);
        let power = total.bits() as i32 - weights_of.bits() as i32;
        let is_below =
            if power >= 0 { total < weights_of << power } else { total << -power < weights_of };
        let quantum = self.span.quantum();
        let (low, power) = (quantum + low, quantum + power + i32::from(!is_below));
        Span { low, high: power.max(low + 1), weights }
    }

    /// The same sums under another span that also describes them.
    fn respanned(self, span: Span) -> Self {
        let old = self.span.quantum();
        // The new quantum is at least as coarse as the old one, unless the sums become wide.
        let coarser_by = if span.weights == 0 { 0 } else { (span.quantum() - old).max(0) as u32 };
        let sums = match self.sums {
            Sums::Narrow(sums) if span.is_narrow() && coarser_by == 0 => Sums::Narrow(sums),
            Sums::Narrow(mut sums) if span.is_narrow() => {
                each(&mut sums, |_, sum| *sum = sum.coarser(coarser_by));
                Sums::Narrow(sums)
            }
            Sums::Wide(sums) if span.is_narrow() => {
                Sums::Narrow(sums.iter().map(|sum| sum.coarser(coarser_by)).gather())
            }
            Sums::Narrow(sums) => {
                Sums::Wide(sums.iter().map(|&sum| Wide::from_narrow(sum, old)).gather())
            }
            Sums::Wide(sums) => Sums::Wide(sums),
        };
        Self { span, sums }
    }

    /// Both sums in the quanta and the width that they need together.
    pub(crate) fn alike(&self, other: &Self) -> (Self, Self) {
        let (mut own, mut their) = (self.clone(), other.clone());
        own.make_room(other.span);
        their.make_room(self.span);
        (own, their)
    }

    /// Subtracts other sums, place by place. Both must have the same length. The span stays the
    /// union of both; [`Self::canonical`] or [`Self::settled`] gives the span of the remainder.
    ///
    /// # Errors
    /// The first place where the remainder is negative.
    pub fn without(&self, other: &Self) -> std::result::Result<Self, usize> {
        fn run<F: Fixed>(sums: &mut [F], less: &[F]) -> std::result::Result<(), usize> {
            for (place, (sum, &less)) in sums.iter_mut().zip(less).enumerate() {
                if *sum < less {
                    return Err(place);
                }
                *sum = sum.minus(less);
            }
            Ok(())
        }
        let (mut rest, other) = self.alike(other);
        match (&mut rest.sums, &other.sums) {
            (Sums::Narrow(sums), Sums::Narrow(less)) => run(sums, less)?,
            (Sums::Wide(sums), Sums::Wide(less)) => run(sums, less)?,
            _ => debug_assert!(false, "one span, two widths"),
        }
        Ok(rest)
    }

    /// Adds other sums to these, place by place. Both must have the same length.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        let own = self.span;
        self.make_room(other.span);
        other.make_room(own);
        match (&mut self.sums, &other.sums) {
            (Sums::Narrow(sums), Sums::Narrow(more)) => add_each(sums, more),
            (Sums::Wide(sums), Sums::Wide(more)) => add_each(sums, more),
            // Both have the same span now, and the width follows from the span alone.
            _ => debug_assert!(false, "one span, two widths"),
        }
    }
}

fn add_each<F: Fixed>(sums: &mut [F], more: &[F]) {
    each(sums, |place, sum| *sum = sum.plus(more[place]));
}

/// Changes each sum, in parts.
fn each<F: Fixed>(sums: &mut [F], change: impl Fn(usize, &mut F) + Sync) {
    let part = |range: Range<usize>, sums: &mut [F]| -> Result<()> {
        range.zip(sums).for_each(|(place, sum)| change(place, sum));
        Ok(())
    };
    // Only a number of threads that is none is refused, before any part.
    if over_pieces(sums, part).is_err() {
        let _ = part(0..sums.len(), sums);
    }
}

/// What `fold` finds in the parts of sums, joined.
fn folded<F: Fixed, T: Copy + Send>(
    sums: &[F],
    none: T,
    join: fn(T, T) -> T,
    fold: impl Fn(&[F]) -> T + Sync,
) -> T {
    match over_parts(sums.len(), |part| Ok(fold(&sums[part]))) {
        Ok(parts) => parts.into_iter().fold(none, join),
        Err(_) => fold(sums),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(weights: &[f64]) -> ExactSums {
        let mut sums = ExactSums::new(1);
        for chunk in weights.chunks(3) {
            sums.add_all(Span::from_slice(chunk).unwrap(), &vec![0u8; chunk.len()], chunk);
        }
        sums
    }

    /// Any finite number that is not negative, also subnormal and huge ones.
    fn any_weight() -> impl Strategy<Value = f64> {
        any::<u64>()
            .prop_map(|bits| f64::from_bits(bits >> 1))
            .prop_filter("finite", |x| x.is_finite())
    }

    #[test]
    fn sums_of_counts_are_those_of_the_rows() {
        for weights in [[0.1, 3.7], [1e-300, 1e300], [5e-324, 1.0], [0.75, 0.0625]] {
            let counts: [&[u64]; 2] = [&[2, 0, 5], &[1, 1, 4]];
            let mut rows = ExactSums::new(6);
            let mut running = ExactSums::new(6);
            for (column, (counts, weight)) in counts.into_iter().zip(weights).enumerate() {
                for (place, &count) in counts.iter().enumerate() {
                    for _ in 0..count {
                        let span = Span::from_slice(&[weight]).unwrap();
                        rows.add_all(span, &[(3 * column + place) as u64], &[weight]);
                        for later in place..3 {
                            running.add_all(span, &[(3 * column + later) as u64], &[weight]);
                        }
                    }
                }
            }
            let of = |columns: [&[u64]; 2], are_running| {
                let columns = [(columns[0], weights[0]), (columns[1], weights[1])];
                ExactSums::of_counts(&columns, are_running).canonical()
            };
            assert_eq!(of(counts, false), rows.canonical());
            assert_eq!(of([&[2, 2, 7], &[1, 2, 6]], true), running.canonical());
        }
        assert!(ExactSums::of_counts(&[(&[0, 0], 1.5), (&[], 2.0)], true).get(0) == 0.0);
    }

    #[test]
    fn dropped_sums_leave_no_trace() {
        for (kept, dropped) in [
            (&[0.25, 3.0][..], &[1e-300, 1e300][..]),
            (&[1e-300, 5e-324], &[7.0]),
            (&[1e-300, 1e300], &[0.1]),
            (&[], &[2.0, 1e-200]),
            (&[0.1; 3], &[]),
        ] {
            let places: Vec<u64> = (0..kept.len() as u64).collect();
            let all: Vec<f64> = kept.iter().chain(dropped).copied().collect();
            let mut alone = ExactSums::new(kept.len());
            alone.add_all(Span::from_slice(kept).unwrap(), &places, kept);
            let mut beside = ExactSums::new(all.len());
            let everywhere: Vec<u64> = (0..all.len() as u64).collect();
            beside.add_all(Span::from_slice(&all).unwrap(), &everywhere, &all);
            let taken = beside.taken(&(0..kept.len()).collect::<Vec<_>>());
            let canonical = taken.canonical();
            assert_eq!(canonical, alone.canonical());
            assert_eq!(canonical.clone().canonical(), canonical);
            for (place, &weight) in kept.iter().enumerate() {
                assert_eq!(canonical.get(place), weight);
            }
        }
    }

    #[test]
    fn whole_and_binary_weights_are_exact() {
        assert_eq!(sum(&[0.1; 10]).get(0), 1.0);
        assert_eq!(sum(&[1e16, 1.0, 1.0]).get(0), 1e16 + 2.0);
        assert_eq!(sum(&[1.0, 0.5, 0.25]).get(0), 1.75);
        assert_eq!(sum(&[]).get(0), 0.0);
        assert_eq!(sum(&[0.0, 0.0]).get(0), 0.0);
    }

    #[test]
    fn one_number_comes_back_as_it_is_in_both_widths() {
        for x in [5e-324, 2.2e-308, 1e-300, 0.1, 1.0, 1e300, f64::MAX] {
            assert_eq!(sum(&[x]).get(0), x);
            assert_eq!(Wide::of(x, Wide::LOWEST).to_f64(Wide::LOWEST), x);
        }
        assert_eq!(sum(&[f64::MAX, f64::MAX]).get(0), f64::INFINITY);
    }

    #[test]
    fn wide_sums_round_once_to_nearest() {
        // 1 + 2^-53 is a tie; the least bit above it decides.
        assert_eq!(sum(&[1.0, 2f64.powi(-53), 5e-324]).get(0), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[1.0, 2f64.powi(-53)]).get(0), 1.0);
        assert!(matches!(sum(&[1.0, 5e-324]).sums(), Sums::Wide(_)));
    }

    #[test]
    fn bad_weights_are_refused_by_row() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let refusal = Span::from_slice(&[1.0, bad]).unwrap_err();
            assert!(matches!(refusal, Refusal::Row { argument: "sample_weight", row: 1, .. }));
        }
        assert_eq!(Span::from_slice(&[-0.0]).unwrap(), Span::EMPTY);
    }

    proptest! {
        #[test]
        fn any_order_and_any_split_give_the_same_state(
            weights in prop::collection::vec(prop_oneof![any_weight(), 0.0..1e6, Just(0.0)], 0..40),
            cut in 0usize..40,
        ) {
            let cut = cut.min(weights.len());
            let pooled = sum(&weights);
            let mut backwards = weights.clone();
            backwards.reverse();
            prop_assert_eq!(&sum(&backwards), &pooled);
            let mut merged = sum(&weights[..cut]);
            merged.merge(&sum(&weights[cut..]));
            prop_assert_eq!(&merged, &pooled);
            let mut other_way = sum(&weights[cut..]);
            other_way.merge(&sum(&weights[..cut]));
            prop_assert_eq!(&other_way, &pooled);
        }

        #[test]
        fn wide_and_narrow_agree(weights in prop::collection::vec(1e-3..1e3, 1..40)) {
            let narrow = sum(&weights);
            prop_assert!(matches!(narrow.sums(), Sums::Narrow(_)));
            let wide = weights.iter().fold(Wide::default(), |sum, &w| sum.plus(Wide::of(w, Wide::LOWEST)));
            prop_assert_eq!(narrow.get(0).to_bits(), wide.to_f64(Wide::LOWEST).to_bits());
        }

        #[test]
        fn what_is_added_can_be_taken_away(a in any_weight(), b in any_weight()) {
            let (x, y) = (Wide::of(a, Wide::LOWEST), Wide::of(b, Wide::LOWEST));
            prop_assert_eq!(x.plus(y).minus(y), x);
            prop_assert_eq!(x.cmp(&y), a.total_cmp(&b));
        }
    }
}
