//! What formulas compute with: one text of a formula, several kinds of number.
//!
//! | number | for |
//! |---|---|
//! | `f64` | columns of many tables; vectors of the processor |
//! | [`Nearest`](crate::arith::nearest::Nearest) | single values: rounded once, to nearest |
//! | [`Traced`](crate::arith::traced::Traced) | fractions and their roots; how a value changes with each cell; proven bounds while two cells vary |
//!
//! A formula branches only through [`Number::is_zero`], [`Number::less`] and their like: a number
//! with an error bound must be able to say that it cannot tell. Literals stand on the right of an
//! operator.
//!
//! A logarithm is a number that is not known over [`Nearest`](crate::arith::nearest::Nearest), and
//! over fractions.
#![allow(clippy::inline_always)] // Formulas must be inlined to be compiled for wider instructions.

use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::logarithm;
use crate::arith::products::{self, Products};
use crate::arith::special;

/// Below 2^53 sums and products of whole numbers are exact.
pub const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether a number is whole, at least 0 and below 2^51.
#[inline(always)]
pub fn is_whole(x: f64) -> bool {
    /// Adding and subtracting it rounds a number below 2^51 to a whole number.
    const ROUNDS: f64 = 6_755_399_441_055_744.0;
    (x + ROUNDS) - ROUNDS == x && (0.0..WHOLE / 4.0).contains(&x)
}

thread_local! {
    static UNDECIDED: Cell<bool> = const { Cell::new(false) };
}

/// Notes an undecidable comparison, and continues with a guess.
#[cold]
pub(super) fn undecided(guess: bool) -> bool {
    UNDECIDED.set(true);
    guess
}

/// Whether a comparison was undecidable since the last call.
#[inline]
pub(super) fn is_undecided() -> bool {
    UNDECIDED.replace(false)
}

/// A number that formulas compute with.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// The exact value of an `f64`.
    fn of(x: f64) -> Self;
    /// Whether it is 0 or not a number.
    fn is_zero(self) -> bool;
    /// Whether it is less than `other`.
    fn less(self, other: Self) -> bool;
    /// The square root; not a number below 0.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// `a*b - c*d`, without cancellation.
    #[inline(always)]
    fn difference_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        a * b - c * d
    }

    /// √(a b) for a, b ≥ 0.
    #[inline(always)]
    fn root_of_product(a: Self, b: Self) -> Self {
        (a * b).sqrt()
    }

    /// √(a b) √(c d) for non-negative numbers.
    #[inline(always)]
    fn root_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        Self::root_of_product(a * b, c * d)
    }

    /// Whether it is above 0.
    #[inline(always)]
    fn is_positive(self) -> bool {
        Self::of(0.0).less(self)
    }

    /// The smaller number.
    #[inline(always)]
    #[must_use]
    fn min(self, other: Self) -> Self {
        if other.less(self) { other } else { self }
    }

    /// The larger number.
    #[inline(always)]
    #[must_use]
    fn max(self, other: Self) -> Self {
        if self.less(other) { other } else { self }
    }

    /// Clamps the number to a range that only rounding makes it leave. Numbers that do not round
    /// stay unchanged.
    #[inline(always)]
    #[must_use]
    fn within(self, low: f64, high: f64) -> Self {
        let _ = (low, high);
        self
    }

    /// [`Self::within`] without an upper end.
    #[inline(always)]
    #[must_use]
    fn at_least(self, low: f64) -> Self {
        self.within(low, f64::INFINITY)
    }

    /// [`Self::within`] without a lower end.
    #[inline(always)]
    #[must_use]
    fn at_most(self, high: f64) -> Self {
        self.within(f64::NEG_INFINITY, high)
    }

    /// A power of two that brings masses of this size near 1, if the number has a range that
    /// products can leave.
    #[inline(always)]
    fn unit_scale(self) -> f64 {
        1.0
    }

    /// Whether it stayed within the range of its type.
    #[inline(always)]
    fn is_in_range(self) -> bool {
        true
    }

    /// 1 minus this number.
    #[inline(always)]
    #[must_use]
    fn complement(self) -> Self {
        Self::of(1.0) - self
    }

    /// The sum of numbers, in their order.
    #[inline(always)]
    fn sum(numbers: impl Iterator<Item = Self>) -> Self {
        numbers.fold(Self::of(0.0), |sum, number| sum + number)
    }

    /// The sum of products, without cancellation.
    #[inline(always)]
    fn sum_of_products(factors: impl Iterator<Item = (Self, Self)>) -> Self {
        Self::sum(factors.map(|(a, b)| a * b))
    }

    /// The sum of quotients of whole numbers.
    fn sum_of_quotients(numerators: &[f64], denominators: &[f64]) -> Self {
        let terms = numerators.iter().zip(denominators);
        Self::sum(terms.map(|(&a, &b)| Self::of(a) / b))
    }

    /// The `f64` nearest to the number, or nearly so.
    fn near(self) -> f64;
    /// The natural logarithm: -∞ at 0, not a number below.
    #[must_use]
    fn ln(self) -> Self;
    /// ln(1 + self).
    #[must_use]
    fn ln_1p(self) -> Self;
    /// The exponential.
    #[must_use]
    fn exp(self) -> Self;
    /// A power of a positive number.
    #[must_use]
    fn powf(self, power: f64) -> Self;
    /// The angle of the point (`x`, `self`), for non-negative coordinates.
    #[must_use]
    fn atan2(self, other: Self) -> Self;
    /// The upper quantile of the standard normal distribution at this probability.
    #[must_use]
    fn normal_quantile(self) -> Self;
    /// self ln(above / below); 0 if the quotient is not a normal number.
    #[must_use]
    fn by_log(self, above: Self, below: Self) -> Self;
    /// The probability that a chi-squared number with one degree of freedom exceeds this number.
    #[must_use]
    fn chi_squared_tail(self) -> Self;
    /// The two-sided p-value of the sign test of two counts: twice the probability that a fair coin
    /// shows one side at least as often as the larger count; at most 1.
    #[must_use]
    fn sign_test(self, other: Self) -> Self;

    /// ln(self / other) of positive numbers, whose quotient may leave the range of `f64`.
    #[inline]
    #[must_use]
    fn ln_of_quotient(self, other: Self) -> Self {
        let quotient = self / other;
        if (f64::MIN_POSITIVE..f64::INFINITY).contains(&quotient.near()) {
            quotient.ln()
        } else {
            self.ln() - other.ln()
        }
    }
}

/// The operations of a number with an `f64` on the right, which is that number exactly.
macro_rules! with_f64 {
    ($number:ident) => {
        $crate::arith::number::with_f64! { $number: Add add, Sub sub, Mul mul, Div div }
    };
    ($number:ident: $($trait:ident $method:ident),*) => {$(
        impl $trait<f64> for $number {
            type Output = Self;

            #[inline]
            fn $method(self, other: f64) -> Self {
                self.$method(<Self as $crate::arith::number::Number>::of(other))
            }
        }
    )*};
}
pub(super) use with_f64;

impl Number for f64 {
    #[inline(always)]
    fn of(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self == 0.0 || self.is_nan()
    }

    #[inline(always)]
    fn less(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }

    #[inline(always)]
    fn difference_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        products::difference_of_products(a, b, c, d)
    }

    #[inline(always)]
    fn root_of_product(a: Self, b: Self) -> Self {
        products::root_of_product(a, b)
    }

    #[inline(always)]
    fn root_of_products(a: Self, b: Self, c: Self, d: Self) -> Self {
        products::root_of_product(a, b) * products::root_of_product(c, d)
    }

    #[inline(always)]
    fn sum_of_products(factors: impl Iterator<Item = (Self, Self)>) -> Self {
        let sum = factors.fold(Products::default(), |sum, (a, b)| sum.plus(a, b));
        sum.value()
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        f64::min(self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        f64::max(self, other)
    }

    #[inline(always)]
    fn within(self, low: f64, high: f64) -> Self {
        self.clamp(low, high)
    }

    #[inline(always)]
    fn at_least(self, low: f64) -> Self {
        f64::max(self, low)
    }

    #[inline(always)]
    fn at_most(self, high: f64) -> Self {
        f64::min(self, high)
    }

    #[inline(always)]
    fn is_in_range(self) -> bool {
        self.is_finite()
    }

    #[inline(always)]
    fn unit_scale(self) -> f64 {
        // A branch, because computing the power of two would prevent vectorisation.
        if (1e-20..1e90).contains(&self) { 1.0 } else { products::unit_scale(self) }
    }

    #[inline(always)]
    fn near(self) -> f64 {
        self
    }

    #[inline(always)]
    fn ln(self) -> Self {
        logarithm::ln(self)
    }

    #[inline(always)]
    fn ln_1p(self) -> Self {
        logarithm::ln_1p(self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        f64::exp(self)
    }

    #[inline(always)]
    fn powf(self, power: f64) -> Self {
        f64::powf(self, power)
    }

    #[inline(always)]
    fn atan2(self, other: Self) -> Self {
        f64::atan2(self, other)
    }

    #[inline(always)]
    fn normal_quantile(self) -> Self {
        special::normal_quantile(self)
    }

    #[inline(always)]
    fn by_log(self, above: Self, below: Self) -> Self {
        logarithm::mass_by_log(self, above, below)
    }

    fn chi_squared_tail(self) -> Self {
        special::chi_squared_upper_tail(self, 1.0)
    }

    fn sign_test(self, other: Self) -> Self {
        let tail = special::binomial_upper_tail(self.max(other), self + other, 1.0, 1.0);
        f64::min(2.0 * tail, 1.0)
    }
}
