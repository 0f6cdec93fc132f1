//! Numbers that round once: a formula over [`Nearest`] gives the `f64` nearest to its true value.
//!
//! 1. Sums and products of whole numbers are whole, and plain `f64` arithmetic while they stay
//!    below 2^53. Formulas of counts mostly compute this way, at the cost of `f64`.
//! 2. Any other number is a double-double, about 106 bits, with a bound of its error. Sums,
//!    products and quotients that come out exactly have the bound 0.
//! 3. If all numbers within the bound round to one `f64`, this is the answer.
//! 4. If not, or if a comparison could not be decided, the formula is evaluated again over exact
//!    numbers, which are rounded ([`crate::arith::traced`]).
//!
//! Cost: about 5 ns for each operation on numbers that are not whole; step 4 takes microseconds and
//! is rare.
//!
//! Masses must lie between 2^-400 and 2^400, or be 0.
//!
//! Source: the sums and products are those of Dekker 1971, doi:10.1007/BF01397083. The bounds
//! follow Joldes, Muller and Popescu 2017, doi:10.1145/3121432, with a safety margin.
#![allow(clippy::inline_always)] // What whole numbers need is less than a call.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::number::{Number, WHOLE, is_whole, undecided, with_f64};
use crate::arith::products::{product, sum};
use crate::base::wide::wide;

/// A bound of the error of one operation of double-doubles, relative to its result: 2^-100.
const STEP: f64 = 7.888_609_052_210_118e-31;
/// Below 2^-800 a product loses the bits of its rounding error.
const LEAST: f64 = 1.499_696_813_895_631e-241;
/// Covers the rounding of the bounds themselves.
const OUTWARD: f64 = 1.0 + 1e-12;

/// A double-double and a bound of its error.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    high: f64,
    low: f64,
    error: f64,
    /// Whether it is exactly `high`, a whole number below [`WHOLE`].
    is_whole: bool,
}

impl Nearest {
    /// A number given as the sum of two `f64`, the second at most half a unit in the last place of
    /// the first.
    pub fn from_two(high: f64, low: f64) -> Self {
        if low == 0.0 {
            return Self::of(high);
        }
        Self::near(high, low, 0.0)
    }

    /// A number given as the sum of two `f64`, with a bound of its error.
    pub(crate) fn within((high, low): (f64, f64), error: f64) -> Self {
        Self::with(high, low, error, 0.0)
    }

    #[inline(always)]
    fn whole(high: f64) -> Self {
        Self { high, low: 0.0, error: 0.0, is_whole: true }
    }

    #[inline(always)]
    fn near(high: f64, low: f64, error: f64) -> Self {
        Self { high, low, error, is_whole: false }
    }

    /// The nearest `f64`, if the bound leaves only one.
    #[inline]
    pub(crate) fn settled(self) -> Option<f64> {
        if self.error == 0.0 {
            return Some(self.high);
        }
        let slack = (self.error + self.low.abs() * f64::EPSILON) * OUTWARD;
        let (least, greatest) = (self.high + (self.low - slack), self.high + (self.low + slack));
        (least == greatest).then_some(least)
    }

    /// A sum with its own rounding error, plus the errors of its terms.
    #[inline]
    fn with(high: f64, low: f64, own: f64, terms: f64) -> Self {
        let (high, low) = sum(high, low);
        if !(high + low).is_finite() || (high != 0.0 && high.abs() < LEAST) {
            return Self::UNKNOWN;
        }
        if own == 0.0 && terms == 0.0 {
            return Self::from_two(high, low);
        }
        Self::near(high, low, (own + terms) * OUTWARD)
    }

    const UNKNOWN: Self = Self { high: f64::NAN, low: 0.0, error: f64::INFINITY, is_whole: false };

    /// The two parts of the number, without its error bound.
    pub(super) fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The number with the error bound 0.
    pub(super) fn certain(self) -> Self {
        Self::from_two(self.high, self.low)
    }

    /// The `f64` nearest to the number, or nearly so.
    pub fn high(self) -> f64 {
        self.high
    }

    /// Whether it is exactly an `f64`.
    #[inline]
    fn is_single(self) -> bool {
        self.low == 0.0 && self.error == 0.0
    }

    #[inline]
    fn is_whole_zero(self) -> bool {
        self.high == 0.0 && self.error == 0.0
    }

    /// Whether 0 lies within the error bound.
    #[inline(never)]
    fn is_nearly_zero(self) -> bool {
        if self.high.is_nan() {
            return undecided(true);
        }
        if self.high.abs() * (1.0 - 1e-15) > self.error {
            return false;
        }
        undecided(self.high == 0.0)
    }

    #[inline(never)]
    fn is_above_zero(self) -> bool {
        let is_above = self.high > 0.0;
        if self.high.is_nan() {
            return undecided(false);
        }
        if self.error == 0.0 || self.high.abs() * (1.0 - 1e-15) > self.error {
            return is_above;
        }
        undecided(is_above)
    }

    #[inline(never)]
    fn plus(self, other: Self) -> Self {
        let (high, high_error) = sum(self.high, other.high);
        if self.is_single() && other.is_single() {
            return Self::with(high, high_error, 0.0, 0.0);
        }
        let (low, low_error) = sum(self.low, other.low);
        let (carry, first) = sum(high_error, low);
        let (high, carry) = sum(high, carry);
        let (rest, second) = sum(low_error, carry);
        Self::with(high, rest, first.abs() + second.abs(), self.error + other.error)
    }

    #[inline(never)]
    fn times(self, other: Self) -> Self {
        if self.is_whole_zero() || other.is_whole_zero() {
            return Self::whole(0.0);
        }
        let (high, low) = product(self.high, other.high);
        if high == 0.0 {
            return Self::UNKNOWN; // too small for any digit
        }
        let is_single = self.low == 0.0 && other.low == 0.0;
        let cross = self.high * other.low + self.low * other.high;
        let own = if is_single { 0.0 } else { high.abs() * STEP };
        let terms = (self.high.abs() + self.error) * other.error + other.high.abs() * self.error;
        Self::with(high, low + cross, own, terms * (1.0 + f64::EPSILON * 4.0))
    }

    /// Adds numbers to this one. The rounding of the low parts becomes the sum's own error.
    #[inline(always)]
    fn and_all(self, numbers: impl Iterator<Item = Self>) -> Self {
        let Self { mut high, mut low, mut error, .. } = self;
        let mut lost = 0.0;
        for number in numbers {
            let (next, carry) = sum(high, number.high);
            let (more, first) = sum(carry, number.low);
            let (rest, second) = sum(low, more);
            (high, low) = (next, rest);
            lost += first.abs() + second.abs();
            error += number.error;
        }
        // The bounds are themselves rounded sums of as many numbers.
        Self::with(high, low, lost * (1.0 + 1e-6), error * (1.0 + 1e-6))
    }
}

impl Add for Nearest {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let high = self.high + other.high;
        if self.is_whole && other.is_whole && high.abs() < WHOLE {
            return Self::whole(high);
        }
        self.plus(other)
    }
}

impl Neg for Nearest {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low, ..self }
    }
}

impl Sub for Nearest {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Nearest {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        if self.is_whole && other.is_whole && high.abs() < WHOLE {
            return Self::whole(high);
        }
        self.times(other)
    }
}

impl Div for Nearest {
    type Output = Self;

    #[inline(never)]
    fn div(self, other: Self) -> Self {
        let least = other.high.abs() * (1.0 - 1e-15) - other.error;
        if least.is_nan() || least <= 0.0 {
            return Self::UNKNOWN;
        }
        if self.is_whole_zero() {
            return Self::whole(0.0);
        }
        let first = self.high / other.high;
        let (back, back_error) = product(first, other.high);
        if back.abs() < LEAST {
            return Self::UNKNOWN;
        }
        // The remainder of the high parts is an `f64`.
        let rest = (self.high - back) - back_error;
        let is_single = self.low == 0.0 && other.low == 0.0;
        let (rest, own) =
            if is_single { (rest, rest) } else { (rest + (self.low - first * other.low), first) };
        let terms = (self.error + first.abs() * (1.0 + 1e-15) * other.error) / least;
        let own = if own == 0.0 { 0.0 } else { first.abs() * STEP };
        Self::with(first, rest / other.high, own, terms)
    }
}

with_f64!(Nearest);

/// Functions whose values are no fractions or roots: numbers that are not known.
macro_rules! unknown {
    ($($name:ident($($other:ty),*)),*) => {$(
        #[cold]
        fn $name(self, $(_: $other),*) -> Self {
            Self::UNKNOWN
        }
    )*};
}

impl Number for Nearest {
    #[inline(always)]
    fn of(x: f64) -> Self {
        Self { high: x, low: 0.0, error: 0.0, is_whole: is_whole(x.abs()) }
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        if self.error == 0.0 && !self.high.is_nan() {
            self.high == 0.0
        } else {
            self.is_nearly_zero()
        }
    }

    #[inline(always)]
    fn less(self, other: Self) -> bool {
        if self.is_whole && other.is_whole {
            self.high < other.high
        } else {
            (other - self).is_above_zero()
        }
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        if self.is_whole_zero() {
            return self;
        }
        let root = self.high.sqrt();
        if root.is_nan() || root == 0.0 {
            return Self::UNKNOWN;
        }
        let (square, square_error) = product(root, root);
        if square < LEAST {
            return Self::UNKNOWN;
        }
        // The remainder of the high part is an `f64`.
        let rest = ((self.high - square) - square_error) + self.low;
        let own = if rest == 0.0 && self.low == 0.0 { 0.0 } else { root * STEP };
        // The square of the second part is below 2^-106 of the number.
        Self::with(root, rest / (2.0 * root), own, self.error / root)
    }

    #[inline]
    fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    #[inline]
    fn sum(mut numbers: impl Iterator<Item = Self>) -> Self {
        let mut whole = 0.0_f64;
        loop {
            match numbers.next() {
                None => return Self::whole(whole),
                Some(next) if next.is_whole && (whole + next.high).abs() < WHOLE => {
                    whole += next.high;
                }
                Some(next) => return next.and_all(std::iter::once(Self::of(whole)).chain(numbers)),
            }
        }
    }

    fn near(self) -> f64 {
        self.high
    }

    unknown! {
        ln(), ln_1p(), exp(), powf(f64), atan2(Self), normal_quantile(), by_log(Self, Self),
        chi_squared_tail(), sign_test(Self)
    }

    fn sum_of_quotients(numerators: &[f64], denominators: &[f64]) -> Self {
        let (high, low, size) = quotients(numerators, denominators);
        Self::with(high, low, size * (numerators.len() as f64 + 8.0) * f64::EPSILON, 0.0)
    }
}

wide! {
    /// The sum of quotients of whole numbers, as two numbers, and the size of the second number's
    /// terms: 0 if nothing was rounded. The error is below this size, times the number of terms,
    /// times 8, times the error of a rounding.
    fn quotients[](numerators: &[f64], denominators: &[f64]) -> (f64, f64, f64) = quotients_of;
}

/// The number of running totals, the same on every machine, so that all give the same bits.
const LANES: usize = 8;

#[inline(always)]
fn quotients_of(numerators: &[f64], denominators: &[f64]) -> (f64, f64, f64) {
    let (mut highs, mut lows, mut sizes) = ([0.0_f64; LANES], [0.0_f64; LANES], [0.0_f64; LANES]);
    let mut add = |a: &[f64; LANES], b: &[f64; LANES]| {
        for lane in 0..LANES {
            let quotient = a[lane] / b[lane];
            let (back, back_error) = product(quotient, b[lane]);
            let rest = ((a[lane] - back) - back_error) / b[lane];
            let (high, carry) = sum(highs[lane], quotient);
            highs[lane] = high;
            lows[lane] += carry + rest;
            sizes[lane] += carry.abs() + rest.abs();
        }
    };
    let (blocks, rest) = numerators.as_chunks::<LANES>();
    let (by_blocks, by_rest) = denominators.as_chunks::<LANES>();
    for (a, b) in blocks.iter().zip(by_blocks) {
        add(a, b);
    }
    let (mut last, mut by_last) = ([0.0; LANES], [1.0; LANES]);
    last[..rest.len()].copy_from_slice(rest);
    by_last[..by_rest.len()].copy_from_slice(by_rest);
    add(&last, &by_last);
    let (mut high, mut low, mut size) = (0.0, 0.0, 0.0);
    for lane in 0..LANES {
        let (next, carry) = sum(high, highs[lane]);
        high = next;
        low += carry + lows[lane];
        size += carry.abs() + sizes[lane];
    }
    (high, low, size)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_keep_within_their_error(
            terms in prop::collection::vec((1_u64..1 << 60, 1_u64..1 << 50), 0..100), is_small in any::<bool>(),
        ) {
            let whole = |x: u64| (if is_small { x % 1000 } else { x % (1 << 50) }) as f64;
            let numbers: Vec<_> = terms.iter().map(|&(a, b)| Nearest::of(a as f64) / Nearest::of(3.0) - Nearest::of(b as f64)).collect();
            let sum = Nearest::sum(numbers.iter().copied());
            let by_two = numbers.iter().fold(Nearest::of(0.0), |sum, &number| sum + number);
            let apart = sum - by_two;
            prop_assert!((apart.high + apart.low).abs() <= apart.error, "{:?} {:?}", sum, by_two);
            let wholes: Vec<f64> = terms.iter().flat_map(|&(a, b)| [whole(a), whole(b) + 1.0]).collect();
            let sum = Nearest::sum(wholes.iter().map(|&x| -Nearest::of(x)));
            let expected = wholes.iter().map(|&x| x as u64).sum::<u64>();
            prop_assert_eq!((sum.high + sum.low, sum.error), (-(expected as f64), 0.0));
        }
    }
}
