//! Numbers that have been rounded once at most: the first attempt of a value that is to be rounded
//! once.
//!
//! Sums, products, quotients and roots of exact numbers are rounded by the processor to the nearest
//! `f64`. [`Once`] follows which numbers are still exact. A formula that ends in its only rounding,
//! as precision and F1 do, needs no more digits than `f64` has. Any other is lost here, and goes to
//! [`Nearest`](crate::arith::nearest::Nearest).

use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::number::{Number, with_f64};
use crate::arith::products::{product, sum};

/// Below this, products lose the bits that tell whether they are exact.
const LEAST: f64 = 1e-240;

thread_local! {
    /// Whether a comparison could not be decided since this was last asked.
    static UNDECIDED: Cell<bool> = const { Cell::new(false) };
}

/// Notes that a comparison cannot be decided, and goes on with a guess.
pub(super) fn undecided(guess: bool) -> bool {
    UNDECIDED.set(true);
    guess
}

/// Whether a comparison could not be decided since this was last asked.
pub(super) fn is_undecided() -> bool {
    UNDECIDED.replace(false)
}

/// How often a number has been rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rounded {
    Never,
    Once,
    More,
}

/// A number and how often it has been rounded.
#[derive(Clone, Copy, Debug)]
pub struct Once {
    value: f64,
    rounded: Rounded,
}

impl Once {
    const LOST: Self = Self {
        value: f64::NAN,
        rounded: Rounded::More,
    };

    /// The value, if it has been rounded once at most.
    #[inline]
    pub(super) fn settled(self) -> Option<f64> {
        (self.rounded != Rounded::More).then_some(self.value)
    }

    /// The result of an operation on exact numbers, and its error.
    #[inline]
    fn with(value: f64, error: f64) -> Self {
        if error.is_nan() || (value != 0.0 && value.abs() < LEAST) {
            return Self::LOST;
        }
        let rounded = if error == 0.0 {
            Rounded::Never
        } else {
            Rounded::Once
        };
        Self { value, rounded }
    }

    #[inline]
    fn both_exact(self, other: Self) -> bool {
        self.rounded == Rounded::Never && other.rounded == Rounded::Never
    }
}

impl Add for Once {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if !self.both_exact(other) {
            return Self::LOST;
        }
        let (value, error) = sum(self.value, other.value);
        Self::with(value, error)
    }
}

impl Neg for Once {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            value: -self.value,
            ..self
        }
    }
}

impl Sub for Once {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Once {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        if !self.both_exact(other) {
            return Self::LOST;
        }
        let (value, error) = product(self.value, other.value);
        if value == 0.0 && self.value != 0.0 && other.value != 0.0 {
            return Self::LOST; // too small for any digit
        }
        Self::with(value, error)
    }
}

impl Div for Once {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        if !self.both_exact(other) || other.value == 0.0 {
            return Self::LOST;
        }
        let value = self.value / other.value;
        let (back, error) = product(value, other.value);
        Self::with(value, if back == self.value { error } else { 1.0 })
    }
}

with_f64!(Once);

impl Number for Once {
    #[inline]
    fn of(x: f64) -> Self {
        Self {
            value: x,
            rounded: Rounded::Never,
        }
    }

    #[inline]
    fn is_zero(self) -> bool {
        // What was rounded once to something else than 0 is not 0.
        if self.value.is_nan() || (self.rounded != Rounded::Never && self.value == 0.0) {
            return undecided(true);
        }
        self.value == 0.0
    }

    #[inline]
    fn less(self, other: Self) -> bool {
        let is_less = self.value < other.value;
        // Rounding keeps the order of different numbers, but may make them equal.
        let is_clear = self.rounded != Rounded::More
            && other.rounded != Rounded::More
            && (self.both_exact(other) || self.value != other.value);
        if is_clear {
            is_less
        } else {
            undecided(is_less)
        }
    }

    #[inline]
    fn sqrt(self) -> Self {
        if self.rounded != Rounded::Never || self.value.is_nan() || self.value < 0.0 {
            return Self::LOST;
        }
        let value = self.value.sqrt();
        let (back, error) = product(value, value);
        Self::with(value, if back == self.value { error } else { 1.0 })
    }

    #[inline]
    fn abs(self) -> Self {
        Self {
            value: self.value.abs(),
            ..self
        }
    }
}
