//! Numbers that round once: a formula over [`Nearest`] gives the `f64` nearest to its true value.
//!
//! 1. The formula is evaluated over [`Once`], which suffices where it rounds only at its end.
//! 2. A number is a double-double, about 106 bits, with a bound of its error. Sums, products and
//!    quotients that come out exactly have the bound 0.
//! 3. If all numbers within the bound round to one `f64`, this is the answer.
//! 4. If not, or if a comparison could not be decided, [`rounded`] evaluates the formula again over
//!    [`Exact`] numbers, and rounds those.
//!
//! Cost: some ten nanoseconds an operation; step 4 takes microseconds and is rare.
//!
//! Amounts must lie between 2^-400 and 2^400, or be 0.
//!
//! Source: the sums and products are those of Dekker 1971, doi:10.1007/BF01397083. The bounds
//! follow Joldes, Muller and Popescu 2017, doi:10.1145/3121432, with room to spare.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::fraction::Exact;
use crate::arith::number::{Number, with_f64};
use crate::arith::once::{Once, is_undecided, undecided};
use crate::arith::products::{product, sum};

/// A bound of the error of one operation of double-doubles, relative to its result: 2^-100.
const STEP: f64 = 7.888_609_052_210_118e-31;
/// Below this, products lose the bits that their errors are made of: 2^-800.
const LEAST: f64 = 1.499_696_813_895_631e-241;
/// What the rounding of the bounds themselves is covered by.
const OUTWARD: f64 = 1.0 + 1e-12;

/// A double-double and a bound of its error.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    high: f64,
    low: f64,
    error: f64,
}

impl Nearest {
    /// A number given as the sum of two `f64`, the second at most half a unit in the last place of
    /// the first.
    pub fn of_two(high: f64, low: f64) -> Self {
        Self {
            high,
            low,
            error: 0.0,
        }
    }

    /// The nearest `f64`, if the bound leaves only one.
    fn settled(self) -> Option<f64> {
        if self.error == 0.0 {
            return Some(self.high);
        }
        let slack = (self.error + self.low.abs() * f64::EPSILON) * OUTWARD;
        let (least, greatest) = (
            self.high + (self.low - slack),
            self.high + (self.low + slack),
        );
        (least == greatest).then_some(least)
    }

    /// A sum of two that came out with an error, and what the errors of the terms add.
    #[inline]
    fn with(high: f64, low: f64, own: f64, terms: f64) -> Self {
        let (high, low) = sum(high, low);
        if !(high + low).is_finite() || (high != 0.0 && high.abs() < LEAST) {
            return Self::UNKNOWN;
        }
        let error = if own == 0.0 && terms == 0.0 {
            0.0
        } else {
            (own + terms) * OUTWARD
        };
        Self { high, low, error }
    }

    /// The number is not known.
    const UNKNOWN: Self = Self {
        high: f64::NAN,
        low: 0.0,
        error: f64::INFINITY,
    };

    /// The same as an exact number of the evaluation that is under way, without its error.
    pub fn exact(self) -> Exact {
        Exact::of(self.high) + Exact::of(self.low)
    }

    /// The same as a number of the first attempt.
    #[inline]
    pub fn once(self) -> Once {
        Once::of(self.high) + Once::of(self.low)
    }

    /// The `f64` nearest to it, or nearly so.
    pub fn high(self) -> f64 {
        self.high
    }

    /// Whether it is an `f64`, exactly.
    fn is_single(self) -> bool {
        self.low == 0.0 && self.error == 0.0
    }

    fn is_whole_zero(self) -> bool {
        self.high == 0.0 && self.error == 0.0
    }
}

impl Add for Nearest {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if self.is_single() && other.is_single() {
            let (high, low) = sum(self.high, other.high);
            return Self::with(high, low, 0.0, 0.0);
        }
        let (high, high_error) = sum(self.high, other.high);
        let (low, low_error) = sum(self.low, other.low);
        let (carry, first) = sum(high_error, low);
        let (high, carry) = sum(high, carry);
        let (rest, second) = sum(low_error, carry);
        Self::with(
            high,
            rest,
            first.abs() + second.abs(),
            self.error + other.error,
        )
    }
}

impl Neg for Nearest {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
            error: self.error,
        }
    }
}

impl Sub for Nearest {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Nearest {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        if self.is_whole_zero() || other.is_whole_zero() {
            return Self::of_two(0.0, 0.0);
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
}

impl Div for Nearest {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let divisor = Self {
            error: 0.0,
            ..other
        };
        let least = other.high.abs() * (1.0 - 1e-15) - other.error;
        if least.is_nan() || least <= 0.0 {
            return Self::UNKNOWN;
        }
        let first = self.high / divisor.high;
        let rest = Self { error: 0.0, ..self } - divisor * Self::of(first);
        let (high, low) = sum(first, rest.high / divisor.high);
        let own = if rest.is_whole_zero() {
            0.0
        } else {
            high.abs() * STEP
        };
        let terms = (self.error + high.abs() * (1.0 + 1e-15) * other.error) / least;
        Self::with(high, low, own, terms)
    }
}

with_f64!(Nearest);

impl Number for Nearest {
    #[inline]
    fn of(x: f64) -> Self {
        Self::of_two(x, 0.0)
    }

    fn is_zero(self) -> bool {
        if self.high.is_nan() {
            return undecided(true);
        }
        if self.error == 0.0 || self.high.abs() * (1.0 - 1e-15) > self.error {
            return self.high == 0.0;
        }
        undecided(self.high == 0.0)
    }

    fn less(self, other: Self) -> bool {
        let difference = other - self;
        if difference.high.is_nan() {
            return undecided(false);
        }
        let is_less = difference.high > 0.0;
        if difference.error == 0.0 || difference.high.abs() * (1.0 - 1e-15) > difference.error {
            return is_less;
        }
        undecided(is_less)
    }

    fn sqrt(self) -> Self {
        if self.is_whole_zero() {
            return self;
        }
        let root = self.high.sqrt();
        if root.is_nan() || root == 0.0 {
            return Self::UNKNOWN;
        }
        let rest = Self { error: 0.0, ..self } - Self::of(root) * Self::of(root);
        let more = rest.high / (2.0 * root);
        let own = if rest.is_whole_zero() {
            0.0
        } else {
            root * STEP
        };
        // The square of the second part is below 2^-106 of the number.
        Self::with(root, more, own, self.error / root)
    }

    fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }
}

/// What a formula gives, rounded once: evaluated over [`Once`], over [`Nearest`] where that is not
/// enough, and over [`Exact`] where not even that settles the rounding. None if nothing does: the
/// value is no root of a fraction, or out of range.
pub fn rounded<E>(
    once: impl FnOnce() -> Result<Once, E>,
    nearest: impl FnOnce() -> Result<Nearest, E>,
    exact: impl FnOnce() -> Result<Exact, E>,
) -> Option<Result<f64, E>> {
    let found = once();
    if !is_undecided() {
        match found.map(Once::settled) {
            Err(why) => return Some(Err(why)),
            Ok(Some(value)) if value.is_finite() => return Some(Ok(value)),
            Ok(_) => {}
        }
    }
    let found = nearest();
    let is_decided = !is_undecided();
    let best = match found {
        Err(why) if is_decided => return Some(Err(why)),
        Ok(number) => {
            let settled = number.settled().filter(|value| value.is_finite());
            if let (true, Some(value)) = (is_decided, settled) {
                return Some(Ok(value));
            }
            Some(number.high).filter(|value| value.is_finite())
        }
        Err(_) => None,
    };
    match Exact::evaluated(exact) {
        Err(why) => Some(Err(why)),
        Ok(number) => number.and_then(|number| number.to_f64()).or(best).map(Ok),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A formula over any number.
    trait Formula {
        fn over<N: Number>(&self, x: [N; 4]) -> N;
    }

    fn both(formula: &impl Formula, x: [u64; 4]) -> (Option<f64>, Option<f64>) {
        let x = x.map(|count| {
            let high = count as f64;
            Nearest::of_two(high, (i128::from(count) - high as i128) as f64)
        });
        let once = || Ok::<_, ()>(formula.over(x.map(Nearest::once)));
        let nearest = || Ok::<_, ()>(formula.over(x));
        let exact = || Ok::<_, ()>(formula.over(x.map(Nearest::exact)));
        let whole = Exact::evaluated(exact).unwrap();
        let found = rounded(once, nearest, exact).map(Result::unwrap);
        (found, whole.and_then(|answer| answer.to_f64()))
    }

    struct Correlation;
    impl Formula for Correlation {
        fn over<N: Number>(&self, [a, b, c, d]: [N; 4]) -> N {
            let spread = N::root_of_product(a + b, c + d) * N::root_of_product(a + c, b + d);
            N::difference_of_products(a, d, b, c) / spread
        }
    }

    struct Mixed;
    impl Formula for Mixed {
        fn over<N: Number>(&self, [a, b, c, d]: [N; 4]) -> N {
            let share = a / (a + b);
            let other = (c / (c + d)).complement();
            (share - other).abs().max(share * other / 3.0) - (a - d) / (a + b + c + d) * 0.5
        }
    }

    /// Products below the least double.
    struct Tiny;
    impl Formula for Tiny {
        fn over<N: Number>(&self, [a, b, ..]: [N; 4]) -> N {
            let (a, b) = (a * 1e-200, b * 1e-200);
            a * a / (a * b)
        }
    }

    fn count() -> impl Strategy<Value = u64> {
        prop_oneof![
            1_u64..100,
            1_u64..1 << 40,
            (1_u64 << 59)..1 << 60,
            Just(1_u64 << 58)
        ]
    }

    proptest! {
        #[test]
        fn a_value_is_rounded_once(a in count(), b in count(), c in count(), d in count()) {
            for x in [[a, b, c, d], [a, a + 1, a, a + 2], [a, b, b, a]] {
                let (found, whole) = both(&Correlation, x);
                prop_assert_eq!(found, whole, "{:?}", x);
                let (found, whole) = both(&Mixed, x);
                prop_assert_eq!(found, whole, "{:?}", x);
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(both(&Correlation, [1, 0, 1, 1]).0, Some(0.5));
        assert_eq!(both(&Correlation, [2, 1, 1, 2]).0, Some(1.0 / 3.0));
        // Of products below the least double nothing is lost.
        assert_eq!(both(&Tiny, [1, 3, 1, 1]).0, Some(1.0 / 3.0));
        let near_zero = both(&Correlation, [1 << 58, 1, (1 << 58) - 3, 1])
            .0
            .unwrap();
        assert!(near_zero != 0.0 && near_zero.abs() < 1e-15, "{near_zero}");
    }
}
