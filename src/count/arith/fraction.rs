//! Exact numbers: fractions of whole numbers of any size, and square roots of fractions.
//!
//! Fractions are not reduced: formulas are short, and the common divisors of their terms small.
//!
//! Cost: about 0.1 microseconds an operation, growing with the digits.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use crate::base::interrupt;

/// A fraction; the denominator is above 0.
#[derive(Clone, Debug)]
pub struct Fraction {
    /// The numerator.
    pub numerator: BigInt,
    /// The denominator.
    pub denominator: BigUint,
}

/// A quotient has at least this many bits before it is rounded: the bits of an `f64`, and more to
/// tell on which side of a tie it lies.
const QUOTIENT_BITS: u64 = 66;

/// The quotient of two whole numbers, rounded once; the second is not 0.
pub(crate) fn quotient(of: u128, by: u128) -> f64 {
    if (of | by) >> f64::MANTISSA_DIGITS == 0 {
        return of as u64 as f64 / by as u64 as f64;
    }
    let by = Fraction::whole(by).inverse();
    by.map_or(f64::NAN, |by| Fraction::whole(of).times(&by).to_f64())
}

impl Fraction {
    /// A whole number times a power of two.
    pub fn from_binary(whole: BigInt, exponent: i32) -> Self {
        let one = BigUint::from(1_u8);
        if exponent >= 0 || whole.sign() == Sign::NoSign {
            Self { numerator: whole << exponent.unsigned_abs(), denominator: one }
        } else {
            Self { numerator: whole, denominator: one << exponent.unsigned_abs() }
        }
    }

    /// A whole number.
    pub fn whole(number: impl Into<BigInt>) -> Self {
        Self::from_binary(number.into(), 0)
    }

    /// The exact value of a finite `f64`.
    pub fn of(x: f64) -> Option<Self> {
        if !x.is_finite() {
            return None;
        }
        let bits = x.to_bits();
        let field = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        let zeros = mantissa.trailing_zeros().min(52);
        let whole = BigInt::from(mantissa >> zeros);
        let whole = if x < 0.0 { -whole } else { whole };
        Some(Self::from_binary(whole, exponent + zeros as i32))
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        interrupt::check();
        if self.denominator == other.denominator {
            return Self {
                numerator: &self.numerator + &other.numerator,
                denominator: self.denominator.clone(),
            };
        }
        let lift = |a: &Self, b: &Self| &a.numerator * BigInt::from(b.denominator.clone());
        Self {
            numerator: lift(self, other) + lift(other, self),
            denominator: &self.denominator * &other.denominator,
        }
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        interrupt::check();
        Self {
            numerator: &self.numerator * &other.numerator,
            denominator: &self.denominator * &other.denominator,
        }
    }

    /// The reciprocal; none for 0.
    pub fn inverse(&self) -> Option<Self> {
        let sign = self.numerator.sign();
        (sign != Sign::NoSign).then(|| Self {
            numerator: BigInt::from_biguint(sign, self.denominator.clone()),
            denominator: self.numerator.magnitude().clone(),
        })
    }

    /// The number with its sign reversed.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.numerator = -self.numerator;
        self
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.numerator.sign() == Sign::NoSign
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.numerator.sign() == Sign::Minus
    }

    /// Compares two fractions.
    pub fn compare(&self, other: &Self) -> Ordering {
        let lift = |a: &Self, b: &Self| &a.numerator * BigInt::from(b.denominator.clone());
        lift(self, other).cmp(&lift(other, self))
    }

    /// The square root, if it is a fraction.
    fn root(&self) -> Option<Self> {
        if self.is_negative() {
            return None;
        }
        let square = self.numerator.magnitude() * &self.denominator;
        let root = square.sqrt();
        (&root * &root == square)
            .then(|| Self { numerator: root.into(), denominator: self.denominator.clone() })
    }

    /// The magnitude times 2^shift, truncated to a whole number, and whether that dropped
    /// something.
    fn shifted(&self, shift: i64) -> (BigUint, bool) {
        let bits = shift.unsigned_abs();
        let (above, below) = if shift >= 0 {
            (self.numerator.magnitude() << bits, self.denominator.clone())
        } else {
            (self.numerator.magnitude().clone(), &self.denominator << bits)
        };
        let whole = &above / &below;
        let is_cut = &whole * &below != above;
        (whole, is_cut)
    }

    /// The shift that gives a quotient of `bits` bits or one more.
    fn shift_for(&self, bits: u64) -> i64 {
        let (above, below) = (self.numerator.bits(), self.denominator.bits());
        bits as i64 + below as i64 - above as i64 + 1
    }

    /// The nearest `f64`, ties to even.
    pub fn to_f64(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let shift = self.shift_for(QUOTIENT_BITS);
        let (whole, is_cut) = self.shifted(shift);
        let size = near(whole, is_cut, shift);
        if self.is_negative() { -size } else { size }
    }

    /// The `f64` nearest to the square root of a non-negative fraction.
    fn root_to_f64(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let shift = self.shift_for(2 * QUOTIENT_BITS) & !1; // even, so that its half is whole
        let (square, is_cut) = self.shifted(shift);
        let root = square.sqrt();
        let is_cut = is_cut || &root * &root != square;
        near(root, is_cut, shift / 2)
    }
}

/// `whole` / 2^shift, rounded to nearest; `is_cut` if bits below the last one were dropped.
fn near(whole: BigUint, is_cut: bool, shift: i64) -> f64 {
    let digits = u128::try_from(whole).unwrap_or(u128::MAX);
    let rounded = (digits | u128::from(is_cut)) as f64;
    let mut left = shift;
    let mut value = rounded;
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        value *= 2_f64.powi(-(step as i32));
        left -= step;
    }
    value
}

/// An exact number: a fraction, or the square root of one. A sum of two different roots is unknown,
/// and so is everything computed from it.
#[derive(Clone, Debug)]
pub(super) enum Surd {
    Fraction(Fraction),
    /// The root of a positive fraction that is no square, with either sign.
    Root {
        is_negative: bool,
        of: Fraction,
    },
    Unknown,
}

impl Surd {
    fn root(is_negative: bool, of: Fraction) -> Self {
        match of.root() {
            Some(root) if is_negative => Self::Fraction(root.negated()),
            Some(root) => Self::Fraction(root),
            None => Self::Root { is_negative, of },
        }
    }

    pub(super) fn of(x: f64) -> Self {
        Fraction::of(x).map_or(Self::Unknown, Self::Fraction)
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::Fraction(fraction) => Self::Fraction(fraction.negated()),
            Self::Root { is_negative, of } => Self::Root { is_negative: !is_negative, of },
            Self::Unknown => Self::Unknown,
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self, Self::Fraction(fraction) if fraction.is_zero())
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Fraction(a), Self::Fraction(b)) => Self::Fraction(a.plus(b)),
            (number, zero) | (zero, number) if zero.is_zero() => number.clone(),
            _ => Self::Unknown,
        }
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Fraction(a), Self::Fraction(b)) => Self::Fraction(a.times(b)),
            (zero, _) | (_, zero) if zero.is_zero() => Self::of(0.0),
            (Self::Root { is_negative, of }, Self::Fraction(fraction))
            | (Self::Fraction(fraction), Self::Root { is_negative, of }) => Self::root(
                *is_negative != fraction.is_negative(),
                of.times(&fraction.times(fraction)),
            ),
            (Self::Root { is_negative: a, of }, Self::Root { is_negative: b, of: other }) => {
                Self::root(a != b, of.times(other))
            }
            _ => Self::Unknown,
        }
    }

    pub(super) fn inverse(&self) -> Self {
        match self {
            Self::Fraction(fraction) => fraction.inverse().map_or(Self::Unknown, Self::Fraction),
            Self::Root { is_negative, of } => of
                .inverse()
                .map_or(Self::Unknown, |of| Self::Root { is_negative: *is_negative, of }),
            Self::Unknown => Self::Unknown,
        }
    }

    /// The square with the number's sign; it orders like the number.
    fn signed_square(&self) -> Option<Fraction> {
        match self {
            Self::Fraction(fraction) => {
                let square = fraction.times(fraction);
                Some(if fraction.is_negative() { square.negated() } else { square })
            }
            Self::Root { is_negative, of } => {
                Some(if *is_negative { of.clone().negated() } else { of.clone() })
            }
            Self::Unknown => None,
        }
    }

    /// Whether it is 0; none if unknown.
    pub(super) fn known_zero(&self) -> Option<bool> {
        (!matches!(self, Self::Unknown)).then(|| self.is_zero())
    }

    /// Whether it is less than `other`; none if unknown.
    pub(super) fn less(&self, other: &Self) -> Option<bool> {
        let order = match (self, other) {
            (Self::Fraction(a), Self::Fraction(b)) => a.compare(b),
            (a, b) => a.signed_square()?.compare(&b.signed_square()?),
        };
        Some(order == Ordering::Less)
    }

    pub(super) fn sqrt(&self) -> Self {
        match self {
            Self::Fraction(fraction) if !fraction.is_negative() => {
                Self::root(false, fraction.clone())
            }
            _ => Self::Unknown,
        }
    }

    pub(super) fn answer(&self) -> Option<Answer> {
        (!matches!(self, Self::Unknown)).then(|| Answer(self.clone()))
    }
}

/// The answer of an evaluation.
#[derive(Clone, Debug)]
pub struct Answer(Surd);

impl Answer {
    /// The fraction, if it is one.
    pub fn fraction(&self) -> Option<&Fraction> {
        match &self.0 {
            Surd::Fraction(fraction) => Some(fraction),
            _ => None,
        }
    }

    /// The nearest `f64`, if the number is known and within the range.
    pub fn to_f64(&self) -> Option<f64> {
        let value = match &self.0 {
            Surd::Fraction(fraction) => fraction.to_f64(),
            Surd::Root { is_negative, of } => {
                let root = of.root_to_f64();
                if *is_negative { -root } else { root }
            }
            Surd::Unknown => return None,
        };
        value.is_finite().then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_double_comes_back(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            prop_assume!(x.is_finite());
            prop_assert_eq!(Fraction::of(x).unwrap().to_f64(), x);
        }
    }

    #[test]
    fn zero_is_zero_over_one() {
        // Sums start with 0 and keep its denominator.
        assert_eq!(Fraction::of(0.0).unwrap().denominator, BigUint::from(1_u8));
    }
}
