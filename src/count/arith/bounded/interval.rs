//! Intervals: every operation rounds outwards, so the result holds every value that the operands
//! can give.
//!
//! An operation without any value, such as the root of a negative number, gives [`Interval::NONE`].
//! An operation defined for some of its operands gives the values of those. Sums, products and
//! quotients that `f64` holds exactly are not widened.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::number::WHOLE;
use crate::arith::{logarithm, special};

/// All numbers between two ends, which may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Interval {
    /// Every real number: nothing is known.
    pub const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// No number.
    pub const NONE: Self = Self { low: f64::NAN, high: f64::NAN };
    /// The number 0.
    pub const ZERO: Self = Self::of(0.0);

    /// One number.
    pub const fn of(x: f64) -> Self {
        Self { low: x, high: x }
    }

    /// The numbers between two, in any order.
    pub fn between(a: f64, b: f64) -> Self {
        Self { low: a.min(b), high: a.max(b) }
    }

    /// A whole number, which `f64` may not hold.
    pub fn from_whole(x: u64) -> Self {
        let near = x as f64;
        match u128::from(x).cmp(&(near as u128)) {
            std::cmp::Ordering::Equal => Self::of(near),
            std::cmp::Ordering::Less => Self::new(near.next_down(), near),
            std::cmp::Ordering::Greater => Self::new(near, near.next_up()),
        }
    }

    pub(super) const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Whether it holds no number.
    pub fn is_none(self) -> bool {
        self.low.is_nan() || self.high.is_nan()
    }

    /// Whether it is 0 and nothing else.
    pub fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// Whether it holds this number.
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// The intersection; this interval if the two do not meet.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let both = Self::new(self.low.max(other.low), self.high.min(other.high));
        if both.low <= both.high { both } else { self }
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// Moves both ends outwards by `units` units in the last place.
    #[must_use]
    pub(super) fn widened(self, units: u32) -> Self {
        (0..units).fold(self, |wide, _| Self::new(wide.low.next_down(), wide.high.next_up()))
    }

    /// Moves both ends outwards by `part` of their size.
    #[must_use]
    pub(super) fn widened_by(self, part: f64) -> Self {
        let wide = |x: f64| x.abs() * part;
        Self::new(self.low - wide(self.low), self.high + wide(self.high)).widened(1)
    }

    /// The part of the interval at or above 0.
    #[must_use]
    pub(super) fn not_negative(self) -> Self {
        if self.high < 0.0 {
            return Self::NONE;
        }
        Self::new(self.low.max(0.0), self.high)
    }

    /// The image under a rising function that is off by at most `units` units in the last place.
    pub(super) fn rising(self, function: impl Fn(f64) -> f64, units: u32) -> Self {
        Self::new(function(self.low), function(self.high)).widened(units)
    }

    pub(super) fn sqrt(self) -> Self {
        let Self { low, high } = self.not_negative();
        let exact = |x: f64, root: f64| root.fract() == 0.0 && root < 9e7 && root * root == x;
        let (least, most) = (low.sqrt(), high.sqrt());
        Self {
            low: if exact(low, least) { least } else { least.next_down() },
            high: if exact(high, most) { most } else { most.next_up() },
        }
    }

    pub(super) fn abs(self) -> Self {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            -self
        } else if self.is_none() {
            Self::NONE
        } else {
            Self::new(0.0, self.high.max(-self.low))
        }
    }

    pub(super) fn ln(self) -> Self {
        self.not_negative().rising(logarithm::ln, 2)
    }

    pub(super) fn exp(self) -> Self {
        let found = self.rising(f64::exp, 2);
        Self::new(found.low.max(0.0), found.high)
    }

    pub(super) fn ln_1p(self) -> Self {
        if self.high < -1.0 {
            return Self::NONE;
        }
        let from = Self::new(self.low.max(-1.0), self.high);
        from.rising(libm::log1p, 2)
    }

    /// A power of a non-negative interval; a whole power of any interval.
    pub(super) fn powf(self, power: f64) -> Self {
        let at = |x: f64| x.powf(power);
        if self.is_none() || power.is_nan() {
            return Self::NONE;
        }
        if power == 0.0 {
            return Self::of(1.0);
        }
        if self.low >= 0.0 || power.fract() != 0.0 {
            let from = self.not_negative();
            return Self::between(at(from.low), at(from.high)).widened_by(1e-15);
        }
        let is_even = power.rem_euclid(2.0) == 0.0;
        if power < 0.0 && self.contains(0.0) {
            return Self::ALL;
        }
        let ends = Self::between(at(self.low), at(self.high)).widened_by(1e-15);
        if is_even && self.contains(0.0) {
            return Self::new(0.0, ends.high);
        }
        ends
    }

    /// The angle of the point (`x`, `self`); both coordinates are non-negative.
    pub(super) fn atan2(self, x: Self) -> Self {
        let (y, x) = (self.not_negative(), x.not_negative());
        Self::new(y.low.atan2(x.high), y.high.atan2(x.low)).widened(2)
    }

    pub(super) fn normal_quantile(self) -> Self {
        let within = Self::new(self.low.max(0.0), self.high.min(1.0));
        let at = special::normal_quantile;
        // The polynomials are good to about 16 digits, relative to the quantile.
        Self::new(at(within.high), at(within.low)).widened_by(1e-14)
    }

    /// The tail of a chi-squared distribution with one degree of freedom; it falls.
    pub(super) fn chi_squared_tail(self) -> Self {
        let at = |x: f64| special::chi_squared_upper_tail(x, 1.0);
        let from = self.not_negative();
        Self::new(at(from.high), at(from.low)).widened_by(1e-14).and(Self::new(0.0, 1.0))
    }
}

fn error_of_sum(a: f64, b: f64, sum: f64) -> f64 {
    let back = sum - a;
    (a - (sum - back)) + (b - back)
}

fn sum_down(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let error = error_of_sum(a, b, sum);
    if error >= 0.0 { sum } else { sum.next_down() }
}

fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// Whether a product of these numbers is exact.
fn is_exact(a: f64, b: f64, product: f64) -> bool {
    let is_whole = a.fract() == 0.0 && b.fract() == 0.0 && product.abs() < WHOLE;
    is_whole || a.abs() == 1.0 || b.abs() == 1.0 || a == 0.0 || b == 0.0
}

fn product_down(a: f64, b: f64) -> f64 {
    let near = product(a, b);
    if is_exact(a, b, near) { near } else { near.next_down() }
}

fn quotient_down(a: f64, b: f64) -> f64 {
    let near = a / b;
    if near.is_nan() {
        return f64::NEG_INFINITY;
    }
    let is_exact =
        a == 0.0 || (near.fract() == 0.0 && near.abs() < WHOLE && is_whole_product(near, b, a));
    if is_exact { near } else { near.next_down() }
}

fn is_whole_product(a: f64, b: f64, product: f64) -> bool {
    b.fract() == 0.0 && product.abs() < WHOLE && a * b == product
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        // No negative zero, which would flip the sign of a quotient.
        Self::new(0.0 - self.high, 0.0 - self.low)
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.is_none() || other.is_none() {
            return Self::NONE;
        }
        // Infinities of opposite signs never meet: each is an end on its own side.
        Self::new(sum_down(self.low, other.low), -sum_down(-self.high, -other.high))
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_none() || other.is_none() {
            return Self::NONE;
        }
        let ends = [
            (self.low, other.low),
            (self.low, other.high),
            (self.high, other.low),
            (self.high, other.high),
        ];
        let least = ends.map(|(a, b)| product_down(a, b));
        let most = ends.map(|(a, b)| product_down(-a, b));
        let mut found = Self::new(
            least.into_iter().fold(f64::INFINITY, f64::min),
            -most.into_iter().fold(f64::INFINITY, f64::min),
        );
        // A result too small for an `f64` keeps its sign.
        if (self.low >= 0.0 && other.low >= 0.0) || (self.high <= 0.0 && other.high <= 0.0) {
            found.low = found.low.max(0.0);
        }
        if (self.low >= 0.0 && other.high <= 0.0) || (self.high <= 0.0 && other.low >= 0.0) {
            found.high = found.high.min(0.0);
        }
        found
    }
}

impl Div for Interval {
    type Output = Self;

    /// A divisor that may be 0 counts only where it is not 0.
    fn div(self, other: Self) -> Self {
        if self.is_none() || other.is_none() || other.is_zero() {
            return Self::NONE;
        }
        if self.is_zero() {
            return Self::ZERO;
        }
        if other.low < 0.0 && other.high > 0.0 {
            return Self::ALL;
        }
        if other.high <= 0.0 {
            return -self / -other;
        }
        let low = if self.low >= 0.0 {
            quotient_down(self.low, other.high).max(0.0)
        } else {
            quotient_down(self.low, other.low)
        };
        let high = if self.high <= 0.0 {
            (-quotient_down(-self.high, other.high)).min(0.0)
        } else {
            -quotient_down(-self.high, other.low)
        };
        Self::new(low, high)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arith::fraction::Fraction;

    /// A number of any size and sign, and near ones.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            (-40_i32..40).prop_map(f64::from),
            (-1000_i64..1000, -60_i32..60)
                .prop_map(|(x, power)| x as f64 * 2_f64.powi(power) / 3.0),
            Just(0.0),
        ]
    }

    fn interval() -> impl Strategy<Value = Interval> {
        (number(), number()).prop_map(|(a, b)| Interval::between(a, b))
    }

    /// Whether the interval holds the fraction.
    fn holds(interval: Interval, value: &Fraction) -> bool {
        let below = |end: f64| {
            Fraction::of(end).is_none_or(|end| !value.plus(&end.negated()).is_negative())
        };
        let above = |end: f64| {
            Fraction::of(end).is_none_or(|end| !end.plus(&value.clone().negated()).is_negative())
        };
        below(interval.low) && above(interval.high)
    }

    proptest! {
        /// Against fractions: the ends of both, and what lies between.
        #[test]
        fn operations_hold_what_their_operands_give(a in interval(), b in interval()) {
            let some = |x: Interval| [x.low, x.high, f64::midpoint(x.low, x.high)];
            for x in some(a) {
                for y in some(b) {
                    let (p, q) = (Fraction::of(x).unwrap(), Fraction::of(y).unwrap());
                    prop_assert!(holds(a + b, &p.plus(&q)));
                    prop_assert!(holds(a - b, &p.plus(&q.clone().negated())));
                    prop_assert!(holds(a * b, &p.times(&q)));
                    if let Some(inverse) = q.inverse() {
                        prop_assert!(holds(a / b, &p.times(&inverse)), "{:?} / {:?}", a, b);
                    }
                    if x >= 0.0 {
                        let root = a.sqrt();
                        let low = Fraction::of(root.low).unwrap();
                        let high = Fraction::of(root.high).unwrap();
                        prop_assert!(!p.plus(&low.times(&low).negated()).is_negative() || root.low < 0.0);
                        prop_assert!(!high.times(&high).plus(&p.clone().negated()).is_negative());
                        for (found, near) in [(a.ln(), x.ln()), (a.ln_1p(), x.ln_1p()), (a.powf(0.3), x.powf(0.3))] {
                            prop_assert!(found.contains(near), "{:?} {}", found, x);
                        }
                    }
                    prop_assert!(a.abs().contains(x.abs()));
                    prop_assert!((a * Interval::of(0.01)).exp().contains((0.01 * x).exp()));
                    for power in [2.0, 3.0, -1.0] {
                        prop_assert!(x == 0.0 || a.powf(power).contains(x.powf(power)), "{:?} {}", a, power);
                    }
                    if x >= 0.0 && y >= 0.0 {
                        prop_assert!(a.atan2(b).contains(x.atan2(y)));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_exact_is_not_widened() {
        let of = Interval::of;
        assert_eq!(of(3.0) + of(0.5), of(3.5));
        assert_eq!(of(3.0) * of(7.0), of(21.0));
        assert_eq!(of(21.0) / of(7.0), of(3.0));
        assert_eq!(of(49.0).sqrt(), of(7.0));
        let third = of(1.0) / of(3.0);
        assert!(third.low < third.high && third.high == third.low.next_up().next_up());
        assert_eq!(
            Interval::new(4.0, 8.0) / Interval::new(0.0, 2.0),
            Interval::new(2.0, f64::INFINITY)
        );
        assert!((of(1.0) / of(0.0)).is_none());
        assert!(of(-1.0).sqrt().is_none());
        let large = Interval::from_whole((1 << 60) + 1);
        assert_eq!((large.low, large.high), (2_f64.powi(60), 2_f64.powi(60).next_up()));
    }
}
