//! Numbers with slopes: a formula over [`Sloped`] gives how its value changes with each cell.
//!
//! A number is its value and its four slopes. Sums, products, quotients and roots follow the rules
//! of differentiation. All five are double-doubles, since slopes in `f64` may cancel: near 1, that
//! of the Jaccard index loses every digit.
//!
//! Where a formula takes the lesser of two equal numbers, or the size of 0, it has a kink: the
//! slopes to either side differ. The slopes of one side are given, and the kink is noted.
//!
//! Operations are calls: inlined into every formula they would be a tenth of the library.
#![allow(clippy::suspicious_arithmetic_impl)] // The slope of a product is a sum of products.

use std::array::from_fn;
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::nearest::Nearest;
use crate::arith::number::{Number, Real, with_f64};
use crate::arith::special::normal_quantile;

thread_local! {
    /// Whether a formula had a kink since this was last asked.
    static KINK: Cell<bool> = const { Cell::new(false) };
}

/// Whether a formula had a kink since this was last asked.
pub(super) fn take_kink() -> bool {
    KINK.replace(false)
}

/// A number and its slopes over the four cells of a table.
#[derive(Clone, Copy, Debug)]
pub struct Sloped {
    value: Nearest,
    slopes: [Nearest; 4],
}

/// A value, and how it changes with each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes {
    /// The value.
    pub value: f64,
    /// Its slopes, in the order of the cells.
    pub slopes: [f64; 4],
    /// Whether the slopes to either side differ; those of one side are given.
    pub is_kink: bool,
}

impl Sloped {
    /// The amount of cell `place`, which changes with itself.
    pub fn cell(amount: f64, place: usize) -> Self {
        Self {
            value: Nearest::of(amount),
            slopes: from_fn(|other| Nearest::of(if other == place { 1.0 } else { 0.0 })),
        }
    }

    /// A number of known slopes.
    pub fn of_slopes(value: f64, slopes: [f64; 4]) -> Self {
        Self::with(Nearest::of(value), |i| Nearest::of(slopes[i]))
    }

    /// Whether no cell changes it.
    pub fn is_constant(self) -> bool {
        self.slopes.iter().all(|slope| slope.high() == 0.0)
    }

    /// The value and its slopes; none if it has left the range of numbers.
    pub(super) fn slopes(self, is_kink: bool) -> Option<Slopes> {
        let (value, slopes) = (self.value.high(), self.slopes.map(Nearest::high));
        let is_known = value.is_finite() && slopes.iter().all(|slope| slope.is_finite());
        is_known.then_some(Slopes { value, slopes, is_kink })
    }

    /// Bounds of errors are not kept: a slope that cancels is 0, not unknown.
    fn with(value: Nearest, mut slope: impl FnMut(usize) -> Nearest) -> Self {
        Self { value: value.certain(), slopes: from_fn(|i| slope(i).certain()) }
    }

    /// A function of this number, which rises so steeply.
    fn through(self, value: Nearest, rise: Nearest) -> Self {
        Self::with(value, |i| self.slopes[i] * rise)
    }

    /// Notes a kink if the two are equal, or nearly so, and do not stay so.
    fn note_kink(self, other: Self) {
        /// Logarithms have the digits of `f64`.
        const NEARLY: f64 = 1e-14;
        let (a, b) = (self.value.high(), other.value.high());
        let slopes = self.slopes.iter().zip(&other.slopes);
        let differ = |(a, b): (&Nearest, &Nearest)| {
            let (a, b) = (a.high(), b.high());
            (a - b).abs() > 1e-12 * a.abs().max(b.abs())
        };
        if (a - b).abs() <= NEARLY * a.abs() && slopes.into_iter().any(differ) {
            KINK.set(true);
        }
    }
}

impl Add for Sloped {
    type Output = Self;

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        let slope = |i| self.slopes[i] + other.slopes[i];
        Self::with(self.value + other.value, slope)
    }
}

impl Neg for Sloped {
    type Output = Self;

    fn neg(self) -> Self {
        Self::with(-self.value, |i| -self.slopes[i])
    }
}

impl Sub for Sloped {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Sloped {
    type Output = Self;

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        let slope = |i| self.slopes[i] * other.value + self.value * other.slopes[i];
        Self::with(self.value * other.value, slope)
    }
}

impl Div for Sloped {
    type Output = Self;

    #[inline(never)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let slope = |i: usize| (self.slopes[i] - value * other.slopes[i]).certain() / other.value;
        Self::with(value, slope)
    }
}

with_f64!(Sloped);

impl Number for Sloped {
    #[inline(never)]
    fn of(x: f64) -> Self {
        Self::with(Nearest::of(x), |_| Nearest::of(0.0))
    }

    fn is_zero(self) -> bool {
        self.value.is_zero()
    }

    #[inline(never)]
    fn less(self, other: Self) -> bool {
        self.note_kink(other);
        self.value.less(other.value)
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        Self::with(value, |i| self.slopes[i] / (value + value))
    }

    #[inline(never)]
    fn abs(self) -> Self {
        if self.less(Self::of(0.0)) { -self } else { self }
    }

    fn is_positive(self) -> bool {
        Nearest::of(0.0).less(self.value)
    }
}

/// Values have the digits of `f64` here; slopes follow from them.
impl Real for Sloped {
    fn near(self) -> f64 {
        self.value.high()
    }

    #[inline(never)]
    fn ln(self) -> Self {
        self.through(ln(self.value), Nearest::of(1.0) / self.value)
    }

    #[inline(never)]
    fn ln_1p(self) -> Self {
        let rise = Nearest::of(1.0) / (self.value + 1.0);
        self.through(Nearest::of(self.near().ln_1p()), rise)
    }

    #[inline(never)]
    fn exp(self) -> Self {
        let value = Nearest::of(self.near().exp());
        self.through(value, value)
    }

    #[inline(never)]
    fn powf(self, power: f64) -> Self {
        let value = Nearest::of(self.near().powf(power));
        let rise = power * self.near().powf(power - 1.0);
        self.through(value, Nearest::of(rise))
    }

    #[inline(never)]
    fn atan2(self, other: Self) -> Self {
        let square = self.value * self.value + other.value * other.value;
        let slope = |i: usize| {
            (self.slopes[i] * other.value - other.slopes[i] * self.value).certain() / square
        };
        Self::with(Nearest::of(self.near().atan2(other.near())), slope)
    }

    #[inline(never)]
    fn normal_quantile(self) -> Self {
        let z = normal_quantile(self.near());
        let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        self.through(Nearest::of(z), Nearest::of(-1.0 / density))
    }

    #[inline(never)]
    fn by_log(self, above: Self, below: Self) -> Self {
        let quotient = above.value / below.value;
        if !(quotient.high().is_normal() && quotient.high() > 0.0) {
            return Self::of(0.0);
        }
        let log = ln(quotient);
        let (more, less) = (self.value / above.value, self.value / below.value);
        Self::with(self.value * log, |i| {
            self.slopes[i] * log + (more * above.slopes[i] - less * below.slopes[i])
        })
    }

    fn chi_squared_tail(self) -> Self {
        let x = self.near();
        let density = (-0.5 * x).exp() / (2.0 * std::f64::consts::PI * x).sqrt();
        self.through(Nearest::of(Real::chi_squared_tail(x)), Nearest::of(-density))
    }

    /// Quotients in steps of 2^-10 of each count, since there is no closed form.
    fn sign_test(self, other: Self) -> Self {
        let (a, b) = (self.near(), other.near());
        let (step_a, step_b) = (a / 1024.0, b / 1024.0);
        let test = <f64 as Real>::sign_test;
        let rise_a = (test(a + step_a, b) - test(a - step_a, b)) / (2.0 * step_a);
        let rise_b = (test(a, b + step_b) - test(a, b - step_b)) / (2.0 * step_b);
        Self::with(Nearest::of(test(a, b)), |i| {
            self.slopes[i] * Nearest::of(rise_a) + other.slopes[i] * Nearest::of(rise_b)
        })
    }
}

/// The logarithm with the digits of `f64`.
fn ln(x: Nearest) -> Nearest {
    let high = x.high();
    let rest = (x - Nearest::of(high)).high();
    Nearest::of(Real::ln(high)) + Nearest::of(rest / high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes(formula: impl Fn([Sloped; 4]) -> Sloped, cells: [f64; 4]) -> Slopes {
        let mut place = 0;
        let cells = cells.map(|amount| {
            place += 1;
            Sloped::cell(amount, place - 1)
        });
        take_kink();
        let found = formula(cells);
        found.slopes(take_kink()).unwrap()
    }

    #[test]
    fn slopes_follow_the_rules() {
        let found = slopes(|[a, b, c, d]| (a * b - c / d).sqrt(), [6.0, 4.0, 16.0, 2.0]);
        assert_eq!(found.value, 4.0);
        assert_eq!(found.slopes, [0.5, 0.75, -0.0625, 0.5]);
        assert!(!found.is_kink);
    }

    #[test]
    fn slopes_near_1_keep_their_digits() {
        // a / (a + b) has the slopes b / (a + b)^2 and -a / (a + b)^2.
        let found = slopes(|[a, b, ..]| a / (a + b), [1e15, 1.0, 0.0, 0.0]);
        // 1e15 / (1e15 + 1)^2 = 1e-15 (1 - 2e-15 + 3e-30 ...)
        assert_eq!(found.slopes, [9.999_999_999_999_98e-31, -9.999_999_999_999_98e-16, 0.0, 0.0]);
    }

    #[test]
    fn slopes_that_cancel_are_0() {
        // Precision, by way of recall and prevalence.
        let precision = |[tp, fp, fn_, tn]: [Sloped; 4]| {
            let (positives, negatives, all) = (tp + fn_, fp + tn, tp + fp + fn_ + tn);
            let right = tp / positives * (positives / all);
            right / (right + fp / negatives * (negatives / all))
        };
        let found = slopes(precision, [1e6, 3e5, 2e4, 7e7]);
        assert!(found.slopes[2].abs() < 1e-30 && found.slopes[3].abs() < 1e-30);
    }

    #[test]
    fn kinks_are_noted() {
        assert!(slopes(|[a, b, ..]| a.min(b), [2.0, 2.0, 0.0, 0.0]).is_kink);
        assert!(!slopes(|[a, b, ..]| a.min(b), [2.0, 3.0, 0.0, 0.0]).is_kink);
        assert!(!slopes(|[a, ..]| a.max(a), [2.0, 3.0, 0.0, 0.0]).is_kink);
        assert!(slopes(|[a, b, ..]| (a - b).abs(), [2.0, 2.0, 0.0, 0.0]).is_kink);
        // A root has no slope at 0.
        assert!(Sloped::cell(0.0, 0).sqrt().slopes(false).is_none());
    }
}
