//! The slow numbers under one name, so that a formula is compiled once for all of them.
//!
//! A [`Traced`] is a place in a list of its thread, and `Copy` like other numbers. The evaluation
//! under way decides what the list holds: exact numbers ([`Surd`]), numbers with slopes (a
//! [`Tape`]), or numbers over a box ([`Bounded`]). An evaluation within another one has its own
//! places, and may be of another kind.
//!
//! Cost: a call, a look-up and some nanoseconds for each operation, which itself takes 20 ns or
//! more. Compiled for each kind, the formulas would be a tenth of the library.

use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::arith::bounded::Bounded;
use crate::arith::fraction::{Answer, Fraction, Surd};
use crate::arith::nearest::Nearest;
use crate::arith::number::{Number, is_undecided, with_f64};
use crate::arith::slope::{Section, Slopes, Tape};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room};

/// A number of the current evaluation; see the head of this file.
#[derive(Clone, Copy, Debug)]
pub struct Traced(usize);

/// The result of a formula; none if its numbers do not belong to the evaluation.
pub type Found<E> = Option<Result<Traced, E>>;

/// The kind of numbers in an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Exact,
    Sloped,
    Bounded,
}

#[derive(Default)]
struct Lists {
    kind: Kind,
    exact: Vec<Surd>,
    tape: Tape,
    bounded: Vec<Bounded>,
    /// Whether a comparison of an exact number was guessed.
    guessed: bool,
}

thread_local! {
    static LISTS: RefCell<Lists> = RefCell::new(Lists::default());
}

/// A list keeps memory for at most this many numbers for the next evaluation.
const KEPT: usize = 1 << 12;

fn keep<T>(list: &mut Vec<T>, number: T) -> usize {
    interrupt::check();
    list.grow(number);
    list.len() - 1
}

fn cut<T>(list: &mut Vec<T>, len: usize) {
    list.truncate(len);
    if len == 0 && list.capacity() > KEPT {
        list.shrink_to(KEPT);
    }
}

/// An evaluation. When it ends, also by unwinding, the evaluation around it continues.
struct Evaluation {
    kind: Kind,
    guessed: bool,
    section: Section,
    lens: [usize; 3],
}

impl Evaluation {
    fn new(kind: Kind) -> Self {
        LISTS.with_borrow_mut(|lists| Self {
            kind: std::mem::replace(&mut lists.kind, kind),
            guessed: std::mem::take(&mut lists.guessed),
            section: lists.tape.section,
            lens: [lists.exact.len(), lists.tape.len(), lists.bounded.len()],
        })
    }
}

impl Drop for Evaluation {
    fn drop(&mut self) {
        LISTS.with_borrow_mut(|lists| {
            lists.kind = self.kind;
            lists.guessed = self.guessed;
            lists.tape.section = self.section;
            cut(&mut lists.exact, self.lens[0]);
            lists.tape.cut(self.lens[1], KEPT);
            cut(&mut lists.bounded, self.lens[2]);
        });
    }
}

impl Traced {
    /// A fraction of an exact evaluation.
    pub fn from_fraction(fraction: Fraction) -> Self {
        LISTS.with_borrow_mut(|lists| Self(keep(&mut lists.exact, Surd::Fraction(fraction))))
    }

    /// The same number in an exact evaluation, without its error.
    pub fn from_nearest(number: Nearest) -> Self {
        let (high, low) = number.parts();
        Self::of(high) + Self::of(low)
    }

    /// A number with known slopes over the cells.
    pub fn from_slopes(value: f64, slopes: &[f64]) -> Self {
        LISTS.with_borrow_mut(|lists| Self(lists.tape.of_slopes(value, slopes)))
    }

    /// A number of an evaluation over a box.
    pub fn from_bounded(number: Bounded) -> Self {
        LISTS.with_borrow_mut(|lists| Self(keep(&mut lists.bounded, number)))
    }

    /// The kind of the current evaluation.
    pub fn kind() -> Kind {
        LISTS.with_borrow(|lists| lists.kind)
    }

    /// The number, if it is constant over the box or the cells.
    pub fn known(self) -> Option<f64> {
        LISTS.with_borrow(|lists| match lists.kind {
            Kind::Exact => None,
            Kind::Sloped => lists.tape.known(self.0),
            Kind::Bounded => lists.bounded[self.0].as_constant(),
        })
    }

    /// The exact value of a formula. None if `compute` gives none, if the value is no root of a
    /// fraction, or if a comparison had to be guessed.
    pub fn exactly<E>(compute: &dyn Fn() -> Found<E>) -> Option<Result<Answer, E>> {
        let _evaluation = Evaluation::new(Kind::Exact);
        let found = compute()?;
        LISTS.with_borrow(|lists| {
            let found = found.map(|number| lists.exact[number.0].answer());
            if lists.guessed { None } else { found.transpose() }
        })
    }

    /// The value of a formula and its slopes over cells of these masses; the inner value is none if
    /// it leaves the range of numbers.
    pub fn with_slopes<E>(
        cells: &[f64],
        compute: &dyn Fn(&[Self]) -> Found<E>,
    ) -> Option<Result<Option<Slopes>, E>> {
        let evaluation = Evaluation::new(Kind::Sloped);
        LISTS.with_borrow_mut(|lists| lists.tape.begin(cells));
        is_undecided();
        let start = evaluation.lens[1];
        let cells: Vec<Self> = (start..start + cells.len()).map(Self).gather();
        let found = compute(&cells)?;
        // Values too close to be told apart count as equal.
        Some(
            found.map(|number| {
                LISTS.with_borrow(|lists| lists.tape.slopes(number.0, is_undecided()))
            }),
        )
    }

    /// The value of a formula over the box that [`over`](crate::arith::bounded::over) has set.
    pub fn over_box<E>(compute: &dyn Fn() -> Found<E>) -> Option<Result<Bounded, E>> {
        let _evaluation = Evaluation::new(Kind::Bounded);
        let found = compute()?;
        Some(found.map(|number| LISTS.with_borrow(|lists| lists.bounded[number.0])))
    }

    fn one(
        self,
        exact: fn(&Surd) -> Surd,
        sloped: fn(&mut Tape, usize) -> usize,
        bounded: fn(Bounded) -> Bounded,
    ) -> Self {
        LISTS.with_borrow_mut(|lists| {
            Self(match lists.kind {
                Kind::Exact => {
                    let number = exact(&lists.exact[self.0]);
                    keep(&mut lists.exact, number)
                }
                Kind::Sloped => sloped(&mut lists.tape, self.0),
                Kind::Bounded => {
                    let number = bounded(lists.bounded[self.0]);
                    keep(&mut lists.bounded, number)
                }
            })
        })
    }

    fn two(
        self,
        other: Self,
        exact: fn(&Surd, &Surd) -> Surd,
        sloped: fn(&mut Tape, usize, usize) -> usize,
        bounded: fn(Bounded, Bounded) -> Bounded,
    ) -> Self {
        LISTS.with_borrow_mut(|lists| {
            Self(match lists.kind {
                Kind::Exact => {
                    let number = exact(&lists.exact[self.0], &lists.exact[other.0]);
                    keep(&mut lists.exact, number)
                }
                Kind::Sloped => sloped(&mut lists.tape, self.0, other.0),
                Kind::Bounded => {
                    let number = bounded(lists.bounded[self.0], lists.bounded[other.0]);
                    keep(&mut lists.bounded, number)
                }
            })
        })
    }

    /// Asks a question about a number; the answer for an exact number may have to be guessed.
    fn ask<T>(
        self,
        exact: fn(&Surd) -> Option<T>,
        guess: T,
        sloped: fn(&Tape, usize) -> T,
        bounded: fn(Bounded) -> T,
    ) -> T {
        LISTS.with_borrow_mut(|lists| match lists.kind {
            Kind::Exact => exact(&lists.exact[self.0]).unwrap_or_else(|| {
                lists.guessed = true;
                guess
            }),
            Kind::Sloped => sloped(&lists.tape, self.0),
            Kind::Bounded => bounded(lists.bounded[self.0]),
        })
    }
}

/// The sum of the numbers at these places, in their order.
fn sum(places: &[usize]) -> Traced {
    LISTS.with_borrow_mut(|lists| {
        Traced(match lists.kind {
            Kind::Exact => {
                let terms = places.iter().map(|&place| &lists.exact[place]);
                let sum = terms.fold(Surd::of(0.0), |sum, term| sum.plus(term));
                keep(&mut lists.exact, sum)
            }
            Kind::Sloped => lists.tape.sum(places),
            Kind::Bounded => {
                let terms = places.iter().map(|&place| lists.bounded[place]);
                let sum = terms.fold(Bounded::of(0.0), Add::add);
                keep(&mut lists.bounded, sum)
            }
        })
    })
}

/// No logarithm of a fraction is a root of a fraction.
fn unknown(_: &Surd) -> Surd {
    Surd::Unknown
}

fn unknown_of_two(_: &Surd, _: &Surd) -> Surd {
    Surd::Unknown
}

impl Add for Traced {
    type Output = Self;

    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.two(other, Surd::plus, Tape::add, Add::add)
    }
}

impl Sub for Traced {
    type Output = Self;

    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.two(other, |a, b| a.plus(&b.clone().negated()), Tape::sub, Sub::sub)
    }
}

impl Mul for Traced {
    type Output = Self;

    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        self.two(other, Surd::times, Tape::mul, Mul::mul)
    }
}

impl Div for Traced {
    type Output = Self;

    #[inline(never)]
    fn div(self, other: Self) -> Self {
        self.two(other, |a, b| a.times(&b.inverse()), Tape::div, Div::div)
    }
}

impl Neg for Traced {
    type Output = Self;

    #[inline(never)]
    fn neg(self) -> Self {
        self.one(|a| a.clone().negated(), Tape::neg, Neg::neg)
    }
}

with_f64!(Traced);

impl Number for Traced {
    #[inline(never)]
    fn of(x: f64) -> Self {
        LISTS.with_borrow_mut(|lists| {
            Self(match lists.kind {
                Kind::Exact => keep(&mut lists.exact, Surd::of(x)),
                Kind::Sloped => lists.tape.of(x),
                Kind::Bounded => keep(&mut lists.bounded, Bounded::of(x)),
            })
        })
    }

    #[inline(never)]
    fn is_zero(self) -> bool {
        self.ask(Surd::known_zero, true, Tape::is_zero, Number::is_zero)
    }

    #[inline(never)]
    fn less(self, other: Self) -> bool {
        LISTS.with_borrow_mut(|lists| match lists.kind {
            Kind::Exact => {
                let less = lists.exact[self.0].less(&lists.exact[other.0]);
                lists.guessed |= less.is_none();
                less.unwrap_or(false)
            }
            Kind::Sloped => lists.tape.less(self.0, other.0),
            Kind::Bounded => lists.bounded[self.0].less(lists.bounded[other.0]),
        })
    }

    fn sum(numbers: impl Iterator<Item = Self>) -> Self {
        let places: Vec<usize> = numbers.map(|number| number.0).gather();
        sum(&places)
    }

    #[inline(never)]
    fn sqrt(self) -> Self {
        self.one(Surd::sqrt, Tape::sqrt, Number::sqrt)
    }

    #[inline(never)]
    fn abs(self) -> Self {
        match Self::kind() {
            Kind::Exact if self.less(Self::of(0.0)) => -self,
            Kind::Exact => self,
            _ => self.one(unknown, Tape::abs, Number::abs),
        }
    }

    #[inline(never)]
    fn is_positive(self) -> bool {
        match Self::kind() {
            Kind::Sloped => LISTS.with_borrow(|lists| lists.tape.is_positive(self.0)),
            _ => Self::of(0.0).less(self),
        }
    }

    #[inline(never)]
    fn min(self, other: Self) -> Self {
        match Self::kind() {
            Kind::Exact if other.less(self) => other,
            Kind::Exact => self,
            _ => self.two(other, unknown_of_two, Tape::min, Number::min),
        }
    }

    #[inline(never)]
    fn max(self, other: Self) -> Self {
        match Self::kind() {
            Kind::Exact if self.less(other) => other,
            Kind::Exact => self,
            _ => self.two(other, unknown_of_two, Tape::max, Number::max),
        }
    }

    #[inline(never)]
    fn within(self, low: f64, high: f64) -> Self {
        match Self::kind() {
            Kind::Bounded => LISTS.with_borrow_mut(|lists| {
                let number = lists.bounded[self.0].within(low, high);
                Self(keep(&mut lists.bounded, number))
            }),
            _ => self,
        }
    }

    #[inline(never)]
    fn near(self) -> f64 {
        self.ask(|_| None, f64::NAN, Tape::near, Number::near)
    }

    #[inline(never)]
    fn ln(self) -> Self {
        self.one(unknown, Tape::ln, Number::ln)
    }

    #[inline(never)]
    fn ln_1p(self) -> Self {
        self.one(unknown, Tape::ln_1p, Number::ln_1p)
    }

    #[inline(never)]
    fn exp(self) -> Self {
        self.one(unknown, Tape::exp, Number::exp)
    }

    #[inline(never)]
    fn powf(self, power: f64) -> Self {
        LISTS.with_borrow_mut(|lists| {
            Self(match lists.kind {
                Kind::Exact => keep(&mut lists.exact, Surd::Unknown),
                Kind::Sloped => lists.tape.powf(self.0, power),
                Kind::Bounded => {
                    let number = lists.bounded[self.0].powf(power);
                    keep(&mut lists.bounded, number)
                }
            })
        })
    }

    #[inline(never)]
    fn atan2(self, other: Self) -> Self {
        self.two(other, unknown_of_two, Tape::atan2, Number::atan2)
    }

    #[inline(never)]
    fn normal_quantile(self) -> Self {
        self.one(unknown, Tape::normal_quantile, Number::normal_quantile)
    }

    #[inline(never)]
    fn by_log(self, above: Self, below: Self) -> Self {
        LISTS.with_borrow_mut(|lists| {
            Self(match lists.kind {
                Kind::Exact => keep(&mut lists.exact, Surd::Unknown),
                Kind::Sloped => lists.tape.by_log(self.0, above.0, below.0),
                Kind::Bounded => {
                    let [a, b, c] = [self, above, below].map(|number| lists.bounded[number.0]);
                    keep(&mut lists.bounded, a.by_log(b, c))
                }
            })
        })
    }

    #[inline(never)]
    fn chi_squared_tail(self) -> Self {
        self.one(unknown, Tape::chi_squared_tail, Number::chi_squared_tail)
    }

    #[inline(never)]
    fn sign_test(self, other: Self) -> Self {
        self.two(other, unknown_of_two, Tape::sign_test, Number::sign_test)
    }

    #[inline(never)]
    fn ln_of_quotient(self, other: Self) -> Self {
        self.two(other, unknown_of_two, Tape::ln_of_quotient, Number::ln_of_quotient)
    }
}

/// The value of a formula, rounded once. `found` is its value over [`Nearest`], just evaluated;
/// `exact` evaluates it exactly if that leaves the rounding open. None if neither settles it: the
/// value is no root of a fraction, or out of range.
#[inline]
pub fn rounded<E>(
    found: Result<Nearest, E>,
    exact: &dyn Fn() -> Found<E>,
) -> Option<Result<f64, E>> {
    let is_decided = !is_undecided();
    match found {
        Err(why) if is_decided => Some(Err(why)),
        Err(_) => rounded_exactly(None, exact),
        Ok(number) => match number.settled().filter(|value| value.is_finite()) {
            Some(value) if is_decided => Some(Ok(value)),
            _ => rounded_exactly(Some(number.high()).filter(|value| value.is_finite()), exact),
        },
    }
}

/// The exact value of a formula, rounded; otherwise the best known value.
#[cold]
fn rounded_exactly<E>(best: Option<f64>, exact: &dyn Fn() -> Found<E>) -> Option<Result<f64, E>> {
    match Traced::exactly(exact) {
        Some(Err(why)) => Some(Err(why)),
        Some(Ok(number)) => number.to_f64().or(best).map(Ok),
        None => best.map(Ok),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exactly(compute: &dyn Fn() -> Traced) -> Option<Answer> {
        Traced::exactly(&|| Some(Ok::<_, ()>(compute()))).map(Result::unwrap)
    }

    /// A formula over any number.
    trait Formula {
        fn over<N: Number>(&self, x: [N; 4]) -> N;
    }

    fn both(formula: &impl Formula, x: [u64; 4]) -> (Option<f64>, Option<f64>) {
        let x = x.map(|count| {
            let high = count as f64;
            Nearest::from_two(high, (i128::from(count) - high as i128) as f64)
        });
        let exact = || formula.over(x.map(Traced::from_nearest));
        let found = rounded(Ok::<_, ()>(formula.over(x)), &|| Some(Ok(exact())));
        (found.map(Result::unwrap), exactly(&exact).and_then(|answer| answer.to_f64()))
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
        prop_oneof![1_u64..100, 1_u64..1 << 40, (1_u64 << 59)..1 << 60, Just(1_u64 << 58)]
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

    proptest! {
        #[test]
        fn sums_are_rounded_once(
            terms in prop::collection::vec((count(), 1_u64..1 << 50), 0..100), is_small in any::<bool>(),
        ) {
            let whole = |x: u64| (if is_small { x % 1000 } else { x % (1 << 50) }) as f64;
            let (above, below): (Vec<f64>, Vec<f64>) = terms.iter().map(|&(a, b)| (whole(a), whole(b) + 1.0)).unzip();
            let exact = || Traced::sum_of_quotients(&above, &below);
            // An exact sum of many quotients may have too many digits.
            let expected = exactly(&exact).and_then(|sum| sum.to_f64());
            prop_assert!(expected.is_some() || terms.len() > 30);
            if let Some(expected) = expected {
                let nearest = Ok::<_, ()>(Nearest::sum_of_quotients(&above, &below));
                prop_assert_eq!(rounded(nearest, &|| Some(Ok(exact()))), Some(Ok(expected)));
            }
        }

        #[test]
        fn quotients_and_roots_of_small_numbers_are_those_of_doubles(a in 0_u32.., b in 1_u32..) {
            let (x, y) = (f64::from(a), f64::from(b));
            prop_assert_eq!(exactly(&|| Traced::of(x) / y).unwrap().to_f64(), Some(x / y));
            prop_assert_eq!(exactly(&|| Traced::of(x).sqrt()).unwrap().to_f64(), Some(x.sqrt()));
        }
    }

    #[test]
    fn roots_that_are_fractions_are_known_and_others_add_up_to_nothing_known() {
        let half = exactly(&|| (Traced::of(2.0) / 8.0).sqrt() + Traced::of(0.25)).unwrap();
        assert_eq!(half.to_f64(), Some(0.75));
        assert!(half.fraction().is_some());
        let sum = || Traced::of(2.0).sqrt() + Traced::of(3.0).sqrt();
        assert!(exactly(&sum).is_none());
        // A decision that depends on such a number is unknown, too.
        assert!(exactly(&|| sum().max(Traced::of(9.0))).is_none());
        assert!(exactly(&|| Traced::of(9.0)).is_some());
        assert!(exactly(&|| Traced::of(1.0).ln()).is_none());
    }

    #[test]
    fn an_evaluation_within_another_leaves_its_numbers() {
        let found = exactly(&|| {
            let third = Traced::of(1.0) / 3.0;
            let slopes = Traced::with_slopes(&[2.0, 3.0], &|cells| {
                assert!(exactly(&|| Traced::of(2.0).sqrt() + Traced::of(3.0).sqrt()).is_none());
                Some(Ok::<_, ()>(cells[0] * cells[1]))
            });
            assert_eq!(slopes.unwrap().unwrap().unwrap().slopes, [3.0, 2.0]);
            third + 1.0
        });
        assert_eq!(found.unwrap().to_f64(), Some(4.0 / 3.0));
        LISTS.with_borrow(|lists| assert!(lists.exact.is_empty() && lists.tape.len() == 0));
    }

    #[test]
    fn known_values() {
        assert_eq!(both(&Correlation, [1, 0, 1, 1]).0, Some(0.5));
        assert_eq!(both(&Correlation, [2, 1, 1, 2]).0, Some(1.0 / 3.0));
        // Products below the smallest double lose nothing.
        assert_eq!(both(&Tiny, [1, 3, 1, 1]).0, Some(1.0 / 3.0));
        let near_zero = both(&Correlation, [1 << 58, 1, (1 << 58) - 3, 1]).0.unwrap();
        assert!(near_zero != 0.0 && near_zero.abs() < 1e-15, "{near_zero}");
    }
}
