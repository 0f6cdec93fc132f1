//! The losses of rows without weights, from the probability of one of two classes.
//!
//! 1. One loop writes the probability of the true class, and the quotient of its logarithm.
//! 2. A second loop finishes the logarithms and splits each into whole numbers of three quanta
//!    (`Cuts`). It adds these as integers, exactly and in any order.
//! 3. Squared errors take one loop and two quanta. Remainders of tiny errors are added by
//!    [`crate::arith::fast_sum`].
//!
//! Cost at 1e6 rows: 0.8 ns a row for logarithms and 0.4 ns for squares. Callers prefetch later
//! rows: without that, 1e7 rows from memory take up to twice as long.
//!
//! Tried and rejected:
//! - One loop for the logarithm and its sum: 1.5 times as long. Each operation waits for the one
//!   before, and the processor does not look ahead far enough to overlap rows.
//! - Three such loops, or buffers of all steps: as fast as two.
//! - A test for probabilities that combines truth values: its masks cost as much as the division.
//! - Prefetching every second line: from memory it is slower than every line, or none.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Wide;
use crate::arith::fast_sum::{BLOCK, Cuts, add_block};
use crate::arith::logarithm::{ln_after_division, ln_division};
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::calibration::probability_sums::Losses;

pub(crate) const ROWS: usize = 256;

/// Rows in cache, and sums since the last call of [`Self::taken`].
#[repr(align(64))]
pub(crate) struct Strip {
    right: [f64; ROWS],
    quotient: [f64; ROWS],
    /// The bound for clamping probabilities, if logarithms are requested.
    epsilon: Option<f64>,
    /// Whether squares are requested.
    squares: bool,
    log_loss: Cuts<6, 3>,
    brier: Cuts<0, 2>,
    /// Remainders of squared errors, for strips that have some.
    rests: Vec<f64>,
}

impl Strip {
    pub(crate) fn new(epsilon: Option<f64>, squares: bool) -> Self {
        Self {
            right: [0.0; ROWS],
            quotient: [0.0; ROWS],
            epsilon,
            squares,
            log_loss: Cuts::none(),
            brier: Cuts::none(),
            rests: Vec::new(),
        }
    }

    /// Adds at most [`ROWS`] rows; `values` are the probabilities of the code `one`. Returns
    /// whether all were probabilities.
    pub(crate) fn add<C: Copy + PartialEq>(&mut self, values: &[f64], codes: &[C], one: C) -> bool {
        let (mut odd, mut left) = (u64::MAX, false);
        if let Some(epsilon) = self.epsilon {
            odd = add_log_losses(values, codes, one, epsilon, self);
        }
        if self.squares {
            (odd, left) = add_squares(values, codes, one, self);
        }
        // −0 sets odd bits, too; and without losses no value was checked.
        if odd >> 63 != 0 && !values.iter().all(|value| (0.0..=1.0).contains(value)) {
            return false;
        }
        if left {
            self.rests.grow_by(&self.right[..values.len()]);
        }
        true
    }

    /// The sums of the rows added since the last call: `rows`, at most [`BLOCK`].
    pub(crate) fn taken(&mut self, rows: usize) -> Losses {
        let mut losses = Losses::default();
        if self.epsilon.is_some() {
            self.log_loss.add_to(&mut losses.log_loss, rows);
        }
        if self.squares {
            self.brier.add_to(&mut losses.brier, rows);
            for rests in self.rests.chunks_mut(BLOCK) {
                add_rests(&mut losses.brier, rests);
            }
            self.rests.clear();
        }
        (self.log_loss, self.brier) = (Cuts::none(), Cuts::none());
        losses
    }
}

wide! {
    /// [`log_losses`], compiled for the widest instructions of the machine; the same operations, so
    /// the same bits.
    fn add_log_losses[C: Copy + PartialEq](
        values: &[f64], codes: &[C], one: C, epsilon: f64, strip: &mut Strip,
    ) -> u64 = log_losses;
    /// [`squares`], compiled in the same way.
    fn add_squares[C: Copy + PartialEq](values: &[f64], codes: &[C], one: C, strip: &mut Strip) -> (u64, bool) = squares;
    fn add_rests[](sum: &mut Wide, rests: &mut [f64]) -> () = add_block;
}

/// Adds logarithmic losses. Returns a word whose first bit is set if some value may be no
/// probability.
#[inline(always)]
fn log_losses<C: Copy + PartialEq>(
    values: &[f64],
    codes: &[C],
    one: C,
    epsilon: f64,
    strip: &mut Strip,
) -> u64 {
    let mut odd = 0;
    let places = strip.right.iter_mut().zip(&mut strip.quotient);
    for ((&value, &code), (right, quotient)) in values.iter().zip(codes).zip(places) {
        odd |= outside(value);
        let given = if code == one { value } else { 1.0 - value };
        *right = within(given, epsilon);
        *quotient = ln_division(*right);
    }
    let mut sums = strip.log_loss;
    for (&right, &quotient) in strip.right[..values.len()].iter().zip(&strip.quotient) {
        sums.add(-ln_after_division(right, quotient));
    }
    strip.log_loss = sums;
    odd
}

/// Adds squared errors. Returns a word like [`log_losses`], and whether some error has a remainder,
/// in `strip.right`.
#[inline(always)]
fn squares<C: Copy + PartialEq>(
    values: &[f64],
    codes: &[C],
    one: C,
    strip: &mut Strip,
) -> (u64, bool) {
    let square = |value: f64, code: C| {
        let wrong = if code == one { 1.0 - value } else { value };
        wrong * wrong
    };
    let (mut odd, mut left) = (0, 0);
    let mut sums = strip.brier;
    for (&value, &code) in values.iter().zip(codes) {
        odd |= outside(value);
        left |= sums.add(square(value, code)).to_bits() << 1;
    }
    strip.brier = sums;
    if left != 0 {
        for ((&value, &code), rest) in values.iter().zip(codes).zip(&mut strip.right) {
            *rest = Cuts::<0, 2>::none().add(square(value, code));
        }
    }
    (odd, left != 0)
}

/// A word whose first bit is set for −0 and for values outside [0, 1].
#[inline(always)]
pub(crate) fn outside(value: f64) -> u64 {
    let bits = value.to_bits();
    1.0_f64.to_bits().wrapping_sub(bits) | bits
}

/// A probability clamped to [epsilon, 1 − epsilon].
#[inline(always)]
pub(crate) fn within(probability: f64, epsilon: f64) -> f64 {
    // Not `clamp`, which may panic; not `max` and `min`, which cost more because of NaN.
    let cut = if probability > epsilon { probability } else { epsilon };
    if cut < 1.0 - epsilon { cut } else { 1.0 - epsilon }
}
