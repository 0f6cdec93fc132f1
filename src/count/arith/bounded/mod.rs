//! Numbers over a box: what a formula of a 2×2 table gives while two of its cells vary.
//!
//! tp and fp vary within a box, and the sizes of the actual classes are known, so fn and tn follow.
//! A [`Bounded`] is an interval that holds a number over the whole box, the number at one place of
//! the box, and intervals of its two slopes. Every operation rounds outwards.
//!
//! 1. The mean value theorem gives a second interval, from the place and the slopes. Both are met
//!    after each operation. So tp + fn is one number, though tp and fn are intervals.
//! 2. Slopes of one sign over the whole box prove that its corners bound the value.
//! 3. A comparison that differs within the box goes both ways: the formula runs once for each
//!    sequence of answers, and the union of what it gives holds every value.
//!
//! Source: Neumaier 1990, doi:10.1017/CBO9780511526473 (intervals, the mean value form).
//!
//! This file owns numbers over a box, and beside it:
//!
//! | file | owns |
//! |---|---|
//! | `interval` | intervals; every operation rounds outwards |

mod interval;

use std::cell::{Cell, RefCell};
use std::ops::{Add, Div, Mul, Neg, Sub};

pub use interval::Interval;

use crate::arith::number::{Number, with_f64};

/// The most sequences of answers that are tried.
const MOST_PATHS: usize = 64;

thread_local! {
    static REACH: Cell<[f64; 2]> = const { Cell::new([0.0; 2]) };
    /// The answers of this run so far, and the number of those already asked again.
    static ANSWERS: RefCell<(Vec<bool>, usize)> = const { RefCell::new((Vec::new(), 0)) };
    /// Whether a function was asked for a number outside its domain.
    static OUTSIDE: Cell<bool> = const { Cell::new(false) };
}

/// A number that varies over a box.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    /// Every value within the box.
    range: Interval,
    /// The value at the place.
    here: Interval,
    /// Every slope within the box, with tp and with fp.
    slopes: [Interval; 2],
}

/// What a formula gives over a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Over {
    /// Every value; none if the formula has no value anywhere in the box.
    pub range: Option<Interval>,
    /// Every slope with tp and with fp. Unknown, that is all numbers, where the formula branches.
    pub slopes: [Interval; 2],
    /// Whether the formula may have no value somewhere in the box.
    pub may_be_undefined: bool,
}

/// A cell of the table over the box: its ends, its mass at the place, and its change with tp and
/// fp.
pub fn cell(range: Interval, here: Interval, moves: [f64; 2]) -> Bounded {
    Bounded { range, here, slopes: moves.map(Interval::of) }
}

/// Evaluates a formula over a box that reaches this far from the place of its cells. `strictly`
/// also treats a number outside the domain of a function as no value.
pub fn over<E>(
    reach: [f64; 2],
    strictly: bool,
    mut formula: impl FnMut() -> Result<Bounded, E>,
) -> Over {
    REACH.set(reach);
    ANSWERS.with_borrow_mut(|(answers, _)| answers.clear());
    let mut found = Over { range: None, slopes: [Interval::ALL; 2], may_be_undefined: false };
    for path in 0.. {
        if path == MOST_PATHS {
            return Over {
                range: Some(Interval::ALL),
                slopes: [Interval::ALL; 2],
                may_be_undefined: true,
            };
        }
        ANSWERS.with_borrow_mut(|(_, asked)| *asked = 0);
        OUTSIDE.set(false);
        let number = formula();
        let is_outside = strictly && OUTSIDE.get();
        match number {
            Ok(number) if !number.range.is_none() => {
                found.range = Some(found.range.map_or(number.range, |all| all.or(number.range)));
                found.slopes = number.slopes;
                found.may_be_undefined |= is_outside;
            }
            _ => found.may_be_undefined = true,
        }
        let is_last = ANSWERS.with_borrow_mut(|(answers, asked)| {
            answers.truncate(*asked);
            while answers.last() == Some(&false) {
                answers.pop();
            }
            answers.last_mut().is_none_or(|answer| {
                *answer = false;
                false
            })
        });
        if is_last {
            if path > 0 {
                found.slopes = [Interval::ALL; 2];
            }
            break;
        }
    }
    found
}

/// Answers a comparison that differs within the box: yes first, no in a later run.
#[cold]
fn both_ways() -> bool {
    ANSWERS.with_borrow_mut(|(answers, asked)| {
        *asked += 1;
        if let Some(&answer) = answers.get(*asked - 1) {
            return answer;
        }
        answers.push(true);
        true
    })
}

impl Bounded {
    fn constant(number: Interval) -> Self {
        Self { range: number, here: number, slopes: [Interval::ZERO; 2] }
    }

    /// The number, if it is the same everywhere in the box.
    pub fn as_constant(self) -> Option<f64> {
        let is_one = self.range.low == self.range.high && self.is_constant();
        is_one.then_some(self.range.low)
    }

    fn is_constant(self) -> bool {
        self.slopes.iter().all(|slope| slope.is_zero())
    }

    /// A number from its parts; the mean value theorem narrows the range.
    #[inline(never)]
    fn met(range: Interval, here: Interval, slopes: [Interval; 2]) -> Self {
        if range.is_none() {
            return Self { range, here: Interval::NONE, slopes: [Interval::ALL; 2] };
        }
        let known = |x: Interval| if x.is_none() { Interval::ALL } else { x };
        let (here, slopes) = (known(here), slopes.map(known));
        let reach = REACH.get();
        let step = |axis: usize| {
            // Beyond all numbers, and 0 times it is 0 here.
            slopes[axis] * Interval::between(-reach[axis], reach[axis])
        };
        let by_slopes = here + (step(0) + step(1));
        Self { range: if by_slopes.is_none() { range } else { range.and(by_slopes) }, here, slopes }
    }

    /// A function of this number.
    fn through(self, function: impl Fn(Interval) -> Interval, rise: Interval) -> Self {
        if self.range.is_none() {
            return self;
        }
        Self::met(function(self.range), function(self.here), self.slopes.map(|slope| slope * rise))
    }

    /// [`Self::through`] for a function whose domain starts at `least`.
    fn from(
        self,
        least: f64,
        function: impl Fn(Interval) -> Interval,
        rise: impl Fn(Interval) -> Interval,
    ) -> Self {
        if self.range.low < least || self.range.is_none() {
            OUTSIDE.set(true);
        }
        let within = self.range.and(Interval { low: least, high: f64::INFINITY });
        self.through(function, rise(within))
    }
}

fn each(slope: impl Fn(usize) -> Interval) -> [Interval; 2] {
    [slope(0), slope(1)]
}

impl Add for Bounded {
    type Output = Self;

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        Self::met(
            self.range + other.range,
            self.here + other.here,
            each(|i| self.slopes[i] + other.slopes[i]),
        )
    }
}

impl Neg for Bounded {
    type Output = Self;

    fn neg(self) -> Self {
        Self { range: -self.range, here: -self.here, slopes: self.slopes.map(|slope| -slope) }
    }
}

impl Sub for Bounded {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Bounded {
    type Output = Self;

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        Self::met(
            self.range * other.range,
            self.here * other.here,
            each(|i| self.slopes[i] * other.range + self.range * other.slopes[i]),
        )
    }
}

impl Div for Bounded {
    type Output = Self;

    #[inline(never)]
    fn div(self, other: Self) -> Self {
        if other.range.contains(0.0) || other.range.is_none() {
            OUTSIDE.set(true);
        }
        let (range, here) = (self.range / other.range, self.here / other.here);
        // Two passes, so that the slopes come from the narrower interval.
        let slopes = |quotient: Interval| {
            each(|i| {
                if self.slopes[i].is_zero() && other.slopes[i].is_zero() {
                    return Interval::ZERO;
                }
                let slope = (self.slopes[i] - quotient * other.slopes[i]) / other.range;
                if other.range.contains(0.0) { Interval::ALL } else { slope }
            })
        };
        let first = Self::met(range, here, slopes(range));
        Self::met(first.range, here, slopes(first.range))
    }
}

with_f64!(Bounded);

impl Number for Bounded {
    fn of(x: f64) -> Self {
        Self::constant(Interval::of(x))
    }

    fn is_zero(self) -> bool {
        if self.range.is_none() || self.range.is_zero() {
            return true;
        }
        self.range.contains(0.0) && both_ways()
    }

    #[inline(never)]
    fn less(self, other: Self) -> bool {
        if self.range.is_none() || other.range.is_none() {
            OUTSIDE.set(true);
            return false;
        }
        let beyond = (other - self).range;
        if beyond.low > 0.0 {
            return true;
        }
        beyond.high > 0.0 && both_ways()
    }

    fn sqrt(self) -> Self {
        self.from(0.0, Interval::sqrt, |x| Interval::of(0.5) / Interval::sqrt(x))
    }

    #[inline(never)]
    fn abs(self) -> Self {
        if self.range.low >= 0.0 {
            return self;
        }
        if self.range.high <= 0.0 {
            return -self;
        }
        self.through(Interval::abs, Interval::between(-1.0, 1.0))
    }

    #[inline(never)]
    fn min(self, other: Self) -> Self {
        let beyond = (other - self).range;
        if beyond.low >= 0.0 {
            return self;
        }
        if beyond.high <= 0.0 {
            return other;
        }
        let least =
            |a: Interval, b: Interval| Interval { low: a.low.min(b.low), high: a.high.min(b.high) };
        Self::met(
            least(self.range, other.range),
            least(self.here, other.here),
            each(|i| self.slopes[i].or(other.slopes[i])),
        )
    }

    fn max(self, other: Self) -> Self {
        -(-self).min(-other)
    }

    fn within(self, low: f64, high: f64) -> Self {
        let least = Interval { low, high };
        Self { range: self.range.and(least), here: self.here.and(least), ..self }
    }

    /// NaN: a bounded number is never near one `f64`. A formula that asks, to choose between two
    /// ways, then takes the plain way.
    fn near(self) -> f64 {
        f64::NAN
    }

    fn ln(self) -> Self {
        if self.range.low <= 0.0 {
            OUTSIDE.set(true);
        }
        self.from(0.0, Interval::ln, |x| Interval::of(1.0) / x)
    }

    fn ln_1p(self) -> Self {
        self.from(-1.0, Interval::ln_1p, |x| Interval::of(1.0) / (x + Interval::of(1.0)))
    }

    fn exp(self) -> Self {
        self.through(Interval::exp, self.range.exp())
    }

    fn powf(self, power: f64) -> Self {
        if self.range.low < 0.0 && power.fract() != 0.0 {
            OUTSIDE.set(true);
        }
        let rise = Interval::of(power) * self.range.powf(power - 1.0);
        self.through(|x| x.powf(power), rise)
    }

    #[inline(never)]
    fn atan2(self, other: Self) -> Self {
        let square = self.range * self.range + other.range * other.range;
        let slope = |i: usize| {
            let turn = self.slopes[i] * other.range - other.slopes[i] * self.range;
            if square.contains(0.0) { Interval::ALL } else { turn / square }
        };
        Self::met(self.range.atan2(other.range), self.here.atan2(other.here), each(slope))
    }

    fn normal_quantile(self) -> Self {
        // The slope is -1 / density. The density is below 0.3990 and above the density at the ends.
        let quantiles = self.range.normal_quantile();
        let density = (quantiles * quantiles * Interval::of(-0.5)).exp()
            / (Interval::of(2.0) * Interval::of(std::f64::consts::PI).widened(1)).sqrt();
        let rise = Interval::of(-1.0) / density;
        self.through(Interval::normal_quantile, rise)
    }

    fn by_log(self, above: Self, below: Self) -> Self {
        if self.range.is_zero() {
            return Self::of(0.0);
        }
        let found = self * (above / below).ln();
        // A term of mass 0 is 0.
        if found.range.is_none() && self.range.contains(0.0) {
            return Self::of(0.0);
        }
        found
    }

    fn ln_of_quotient(self, other: Self) -> Self {
        (self / other).ln()
    }

    fn chi_squared_tail(self) -> Self {
        // Its density is exp(-x / 2) / sqrt(2 pi x).
        let from = self.range.not_negative();
        let turn = Interval::of(2.0) * Interval::of(std::f64::consts::PI).widened(1);
        let density = (from * Interval::of(-0.5)).exp() / (turn * from).sqrt();
        self.through(Interval::chi_squared_tail, -density)
    }

    fn sign_test(self, other: Self) -> Self {
        // It rises with the lesser count and falls with the greater one.
        let test = |a: f64, b: f64| <f64 as Number>::sign_test(a, b);
        let range = |a: Interval, b: Interval| {
            let apart = test(a.low, b.high).min(test(a.high, b.low));
            let together = if a.high < b.low {
                test(a.high, b.low)
            } else if b.high < a.low {
                test(a.low, b.high)
            } else {
                1.0
            };
            Interval { low: apart, high: together }
                .widened_by(1e-12)
                .and(Interval { low: 0.0, high: 1.0 })
        };
        Self::met(range(self.range, other.range), range(self.here, other.here), [Interval::ALL; 2])
    }
}
