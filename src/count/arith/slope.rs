//! Numbers with slopes: how the value of a formula changes with each cell.
//!
//! An evaluation writes a [`Tape`]: each number, and its derivatives with respect to its operands.
//! One backward pass along the tape gives the slopes over all cells, in about the time of the
//! evaluation itself (reverse mode: Linnainmaa 1976, doi:10.1007/BF01931367).
//!
//! Values and derivatives are double-doubles, since slopes in `f64` may cancel: near 1 the slope of
//! the Jaccard index loses every digit.
//!
//! A formula that takes the smaller of two equal numbers, or the absolute value of 0, has a kink:
//! the slopes on its two sides differ. The result has the slopes of one side and notes the kink.

use crate::arith::nearest::Nearest;
use crate::arith::number::Number;
use crate::arith::special::normal_quantile;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, filled};

/// A value and its slope with respect to each cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes<S = Vec<f64>> {
    /// The value.
    pub value: f64,
    /// The slopes, in the order of the cells.
    pub slopes: S,
    /// Whether the slopes on the two sides differ.
    pub is_kink: bool,
}

impl Slopes {
    /// The slopes of the four cells of a 2×2 table.
    ///
    /// # Panics
    /// If there are fewer than four.
    pub fn of_table(self) -> Slopes<[f64; 4]> {
        let slopes = std::array::from_fn(|cell| self.slopes[cell]);
        Slopes { value: self.value, slopes, is_kink: self.is_kink }
    }
}

/// The derivative with respect to an earlier number.
struct Rise {
    from: usize,
    by: Nearest,
}

struct Step {
    value: Nearest,
    /// Where its derivatives end; they begin at the end of the step before.
    end: usize,
}

/// The part of the tape that one evaluation wrote; its cells come first.
#[derive(Clone, Copy, Default)]
pub(super) struct Section {
    start: usize,
    cells: usize,
    has_kink: bool,
}

#[derive(Default)]
pub(super) struct Tape {
    steps: Vec<Step>,
    rises: Vec<Rise>,
    pub(super) section: Section,
}

impl Tape {
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Shortens the tape to `len` numbers, and keeps memory for at most `kept`.
    pub(super) fn cut(&mut self, len: usize, kept: usize) {
        self.steps.truncate(len);
        self.rises.truncate(self.steps.last().map_or(0, |step| step.end));
        if len == 0 {
            self.steps.shrink_to(kept);
            self.rises.shrink_to(2 * kept);
        }
    }

    /// Begins an evaluation; the cells' masses are its first numbers.
    pub(super) fn begin(&mut self, masses: &[f64]) {
        self.section = Section { start: self.steps.len(), cells: masses.len(), has_kink: false };
        for &mass in masses {
            self.keep(Nearest::of(mass), []);
        }
    }

    /// Appends a number with its derivatives. Error bounds are not kept: a slope that cancels is 0,
    /// not unknown.
    fn keep<const N: usize>(&mut self, value: Nearest, rises: [(usize, Nearest); N]) -> usize {
        for (from, by) in rises {
            if !self.is_fixed(from) {
                self.rises.grow(Rise { from, by: by.certain() });
            }
        }
        interrupt::check();
        self.steps.grow(Step { value: value.certain(), end: self.rises.len() });
        self.steps.len() - 1
    }

    fn rises(&self, place: usize) -> &[Rise] {
        let start = place.checked_sub(1).map_or(0, |before| self.steps[before].end);
        &self.rises[start..self.steps[place].end]
    }

    /// Whether it depends on no cell.
    fn is_fixed(&self, place: usize) -> bool {
        let Section { start, cells, .. } = self.section;
        place >= start + cells && self.rises(place).is_empty()
    }

    fn over_cells(&self, place: usize) -> Vec<Nearest> {
        let Section { start, cells, .. } = self.section;
        let mut slopes = filled(Nearest::of(0.0), cells.max(place + 1 - start));
        slopes[place - start] = Nearest::of(1.0);
        for at in (start + cells..=place).rev() {
            interrupt::check();
            let slope = slopes[at - start];
            if slope.high() == 0.0 {
                continue;
            }
            for rise in self.rises(at) {
                let sum = &mut slopes[rise.from - start];
                *sum = (*sum + slope * rise.by).certain();
            }
        }
        slopes.truncate(cells);
        slopes
    }

    /// The value and its slopes; none if they left the range of numbers.
    pub(super) fn slopes(&self, place: usize, is_guess: bool) -> Option<Slopes> {
        let value = self.near(place);
        let slopes: Vec<f64> = self.over_cells(place).into_iter().map(Nearest::high).gather();
        let is_known = value.is_finite() && slopes.iter().all(|slope| slope.is_finite());
        is_known.then_some(Slopes { value, slopes, is_kink: self.section.has_kink | is_guess })
    }

    /// The number, if it depends on no cell.
    pub(super) fn known(&self, place: usize) -> Option<f64> {
        let is_known = self.over_cells(place).iter().all(|slope| slope.high() == 0.0);
        is_known.then(|| self.near(place))
    }

    /// Notes a kink if two numbers are equal, or nearly so, but have different slopes.
    fn note_kink(&mut self, a: usize, b: usize) {
        /// Logarithms are only accurate to an `f64`.
        const NEARLY: f64 = 1e-14;
        let (x, y) = (self.near(a), self.near(b));
        let is_near = (x - y).abs() <= NEARLY * x.abs();
        let may_part = a != b && !(self.is_fixed(a) && self.is_fixed(b));
        if !is_near || !may_part || self.section.has_kink {
            return;
        }
        let slopes = self.over_cells(a).into_iter().zip(self.over_cells(b));
        self.section.has_kink = slopes.into_iter().any(|(a, b)| {
            let (a, b) = (a.high(), b.high());
            (a - b).abs() > 1e-12 * a.abs().max(b.abs())
        });
    }

    pub(super) fn of(&mut self, x: f64) -> usize {
        self.keep(Nearest::of(x), [])
    }

    /// A number with known slopes over the cells.
    pub(super) fn of_slopes(&mut self, value: f64, slopes: &[f64]) -> usize {
        for (cell, &by) in slopes.iter().enumerate().filter(|(_, by)| **by != 0.0) {
            self.rises.grow(Rise { from: self.section.start + cell, by: Nearest::of(by) });
        }
        self.of(value)
    }

    /// The sum of numbers, in their order.
    pub(super) fn sum(&mut self, places: &[usize]) -> usize {
        let mut sum = Nearest::of(0.0);
        for &from in places {
            sum = (sum + self.value(from)).certain();
            if !self.is_fixed(from) {
                self.rises.grow(Rise { from, by: Nearest::of(1.0) });
            }
        }
        self.keep(sum, [])
    }

    fn value(&self, place: usize) -> Nearest {
        self.steps[place].value
    }

    /// A function of `f64` with its derivative.
    fn through(&mut self, a: usize, value: f64, rise: f64) -> usize {
        self.keep(Nearest::of(value), [(a, Nearest::of(rise))])
    }

    pub(super) fn add(&mut self, a: usize, b: usize) -> usize {
        let one = Nearest::of(1.0);
        self.keep(self.value(a) + self.value(b), [(a, one), (b, one)])
    }

    pub(super) fn sub(&mut self, a: usize, b: usize) -> usize {
        let one = Nearest::of(1.0);
        self.keep(self.value(a) - self.value(b), [(a, one), (b, -one)])
    }

    pub(super) fn mul(&mut self, a: usize, b: usize) -> usize {
        let (x, y) = (self.value(a), self.value(b));
        self.keep(x * y, [(a, y), (b, x)])
    }

    pub(super) fn div(&mut self, a: usize, b: usize) -> usize {
        let (x, y) = (self.value(a), self.value(b));
        let value = (x / y).certain();
        self.keep(value, [(a, Nearest::of(1.0) / y), (b, -(value / y))])
    }

    pub(super) fn neg(&mut self, a: usize) -> usize {
        self.keep(-self.value(a), [(a, Nearest::of(-1.0))])
    }

    pub(super) fn is_zero(&self, a: usize) -> bool {
        self.value(a).is_zero()
    }

    pub(super) fn is_positive(&self, a: usize) -> bool {
        Nearest::of(0.0).less(self.value(a))
    }

    pub(super) fn less(&mut self, a: usize, b: usize) -> bool {
        self.note_kink(a, b);
        self.value(a).less(self.value(b))
    }

    pub(super) fn sqrt(&mut self, a: usize) -> usize {
        let root = self.value(a).sqrt().certain();
        self.keep(root, [(a, Nearest::of(0.5) / root)])
    }

    pub(super) fn min(&mut self, a: usize, b: usize) -> usize {
        if self.less(b, a) { b } else { a }
    }

    pub(super) fn max(&mut self, a: usize, b: usize) -> usize {
        if self.less(a, b) { b } else { a }
    }

    pub(super) fn abs(&mut self, a: usize) -> usize {
        let zero = self.of(0.0);
        if self.less(a, zero) { self.neg(a) } else { a }
    }

    pub(super) fn near(&self, a: usize) -> f64 {
        self.value(a).high()
    }

    pub(super) fn ln(&mut self, a: usize) -> usize {
        let x = self.value(a);
        self.keep(ln(x), [(a, Nearest::of(1.0) / x)])
    }

    pub(super) fn ln_1p(&mut self, a: usize) -> usize {
        let x = self.value(a);
        self.keep(Nearest::of(x.high().ln_1p()), [(a, Nearest::of(1.0) / (x + 1.0))])
    }

    pub(super) fn exp(&mut self, a: usize) -> usize {
        let value = self.near(a).exp();
        self.through(a, value, value)
    }

    pub(super) fn powf(&mut self, a: usize, power: f64) -> usize {
        let x = self.near(a);
        self.through(a, x.powf(power), power * x.powf(power - 1.0))
    }

    pub(super) fn atan2(&mut self, a: usize, b: usize) -> usize {
        let (y, x) = (self.value(a), self.value(b));
        let square = (x * x + y * y).certain();
        let angle = Nearest::of(y.high().atan2(x.high()));
        self.keep(angle, [(a, x / square), (b, -(y / square))])
    }

    pub(super) fn normal_quantile(&mut self, a: usize) -> usize {
        let z = normal_quantile(self.near(a));
        let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        self.through(a, z, -1.0 / density)
    }

    pub(super) fn by_log(&mut self, a: usize, above: usize, below: usize) -> usize {
        let [x, top, bottom] = [a, above, below].map(|place| self.value(place));
        let quotient = top / bottom;
        if !(quotient.high().is_normal() && quotient.high() > 0.0) {
            return self.of(0.0);
        }
        let log = ln(quotient);
        self.keep(x * log, [(a, log), (above, x / top), (below, -(x / bottom))])
    }

    pub(super) fn ln_of_quotient(&mut self, a: usize, b: usize) -> usize {
        let quotient = self.div(a, b);
        if (f64::MIN_POSITIVE..f64::INFINITY).contains(&self.near(quotient)) {
            return self.ln(quotient);
        }
        let (a, b) = (self.ln(a), self.ln(b));
        self.sub(a, b)
    }

    pub(super) fn chi_squared_tail(&mut self, a: usize) -> usize {
        let x = self.near(a);
        let density = (-0.5 * x).exp() / (2.0 * std::f64::consts::PI * x).sqrt();
        self.through(a, Number::chi_squared_tail(x), -density)
    }

    /// Difference quotients with steps of 2^-10 of each count, because there is no closed form.
    pub(super) fn sign_test(&mut self, a: usize, b: usize) -> usize {
        let (x, y) = (self.near(a), self.near(b));
        let (step_x, step_y) = (x / 1024.0, y / 1024.0);
        let test = <f64 as Number>::sign_test;
        let rise_x = (test(x + step_x, y) - test(x - step_x, y)) / (2.0 * step_x);
        let rise_y = (test(x, y + step_y) - test(x, y - step_y)) / (2.0 * step_y);
        let rises = [(a, rise_x), (b, rise_y)].map(|(from, by)| (from, Nearest::of(by)));
        self.keep(Nearest::of(test(x, y)), rises)
    }
}

/// The logarithm, to the accuracy of `f64`.
fn ln(x: Nearest) -> Nearest {
    let high = x.high();
    let rest = (x - Nearest::of(high)).high();
    Nearest::of(Number::ln(high)) + Nearest::of(rest / high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::traced::Traced;

    fn slopes(formula: impl Fn([Traced; 4]) -> Traced, cells: [f64; 4]) -> Option<Slopes> {
        let formula = |cells: &[Traced]| Some(Ok::<_, ()>(formula(cells.try_into().unwrap())));
        Traced::with_slopes(&cells, &formula).unwrap().unwrap()
    }

    #[test]
    fn slopes_follow_the_rules() {
        let found = slopes(|[a, b, c, d]| (a * b - c / d).sqrt(), [6.0, 4.0, 16.0, 2.0]).unwrap();
        assert_eq!(found.value, 4.0);
        assert_eq!(found.slopes, [0.5, 0.75, -0.0625, 0.5]);
        assert!(!found.is_kink);
    }

    #[test]
    fn slopes_near_1_keep_their_digits() {
        // a / (a + b) has the slopes b / (a + b)^2 and -a / (a + b)^2.
        let found = slopes(|[a, b, ..]| a / (a + b), [1e15, 1.0, 0.0, 0.0]).unwrap();
        // 1e15 / (1e15 + 1)^2 = 1e-15 (1 - 2e-15 + 3e-30 ...)
        assert_eq!(found.slopes, [9.999_999_999_999_98e-31, -9.999_999_999_999_98e-16, 0.0, 0.0]);
    }

    #[test]
    fn slopes_that_cancel_are_0() {
        // Precision, computed from recall and prevalence.
        let precision = |[tp, fp, fn_, tn]: [Traced; 4]| {
            let (positives, negatives, all) = (tp + fn_, fp + tn, tp + fp + fn_ + tn);
            let right = tp / positives * (positives / all);
            right / (right + fp / negatives * (negatives / all))
        };
        let found = slopes(precision, [1e6, 3e5, 2e4, 7e7]).unwrap();
        assert!(found.slopes[2].abs() < 1e-30 && found.slopes[3].abs() < 1e-30);
    }

    #[test]
    fn kinks_are_noted() {
        let is_kink = |formula: fn([Traced; 4]) -> Traced, a: f64, b: f64| {
            slopes(formula, [a, b, 0.0, 0.0]).unwrap().is_kink
        };
        assert!(is_kink(|[a, b, ..]| a.min(b), 2.0, 2.0));
        assert!(!is_kink(|[a, b, ..]| a.min(b), 2.0, 3.0));
        assert!(!is_kink(|[a, ..]| a.max(a), 2.0, 3.0));
        assert!(!is_kink(|[a, b, ..]| (a + b).max(b + a), 2.0, 3.0));
        assert!(!is_kink(|[a, ..]| Traced::of(2.0).max(Traced::of(2.0)) * a, 2.0, 3.0));
        assert!(is_kink(|[a, b, ..]| (a - b).abs(), 2.0, 2.0));
        // A root has no slope at 0.
        assert!(slopes(|[a, ..]| a.sqrt(), [0.0; 4]).is_none());
    }

    #[test]
    fn slopes_over_many_cells_take_one_evaluation() {
        let cells: Vec<f64> = (1..=100_000).map(f64::from).collect();
        let mean_square = |cells: &[Traced]| {
            let squares = cells.iter().map(|&cell| cell * cell);
            Some(Ok::<_, ()>(Traced::sum(squares) / cells.len() as f64))
        };
        let found = Traced::with_slopes(&cells, &mean_square).unwrap().unwrap().unwrap();
        assert_eq!(found.value, 3_333_383_333.5);
        for (slope, cell) in found.slopes.iter().zip(&cells) {
            assert_eq!(*slope, 2.0 * cell / 1e5);
        }
    }
}
