//! The losses of rows without weights that have the probability of one of two classes.
//!
//! 1. One loop writes the probability of what came true, and the quotient of its logarithm.
//! 2. A second loop finishes the logarithms and cuts each into whole numbers of three quanta
//!    (`Cuts`). It adds these as integers, in any order and exactly.
//! 3. Squared errors take one loop in all and two quanta. What they leave of tiny errors is added
//!    by [`crate::arith::fast_sum`].
//!
//! Cost at 1e6 rows: 0.8 ns a row for logarithms and 0.4 ns for squares. Callers prefetch rows
//! further on: without that, 1e7 rows from memory take up to twice as long.
//!
//! Tried and rejected:
//! - One loop for the logarithm, its sum included: half as long again. Each operation waits for the
//!   one before, and a processor does not look ahead to enough other rows.
//! - Three such loops, or buffers of all steps: as fast as two.
//! - A test for probabilities that joins truth values: its masks cost as much as the division.
//! - Prefetching every second line: from memory it is slower than every line, or none.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Wide;
use crate::arith::fast_sum::{BLOCK, Cuts, add_block};
use crate::arith::logarithm::{ln_after_division, ln_division};
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::calibration::probability_sums::Losses;

/// Rows that are taken at a time.
pub(crate) const ROWS: usize = 256;

/// Rows on their way through cache, and what has been added since the sums were taken.
#[repr(align(64))]
pub(crate) struct Strip {
    right: [f64; ROWS],
    quotient: [f64; ROWS],
    /// Where probabilities are cut for logarithms, if these are wanted.
    epsilon: Option<f64>,
    /// Whether squares are wanted.
    squares: bool,
    log_loss: Cuts<6, 3>,
    brier: Cuts<0, 2>,
    /// What is left of squared errors, of strips where something is.
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

    /// Adds at most [`ROWS`] rows, whose `values` are the probability of the code `one`. Returns
    /// whether all were probabilities.
    pub(crate) fn add<C: Copy + PartialEq>(&mut self, values: &[f64], codes: &[C], one: C) -> bool {
        let (mut odd, mut left) = (u64::MAX, false);
        if let Some(epsilon) = self.epsilon {
            odd = add_log_losses(values, codes, one, epsilon, self);
        }
        if self.squares {
            (odd, left) = add_squares(values, codes, one, self);
        }
        // −0 has odd bits, too, and without losses nothing was looked at.
        if odd >> 63 != 0 && !values.iter().all(|value| (0.0..=1.0).contains(value)) {
            return false;
        }
        if left {
            self.rests.grow_by(&self.right[..values.len()]);
        }
        true
    }

    /// The sums of all rows added since they were last taken: so many, [`BLOCK`] at most.
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
    /// [`squares`], likewise.
    fn add_squares[C: Copy + PartialEq](values: &[f64], codes: &[C], one: C, strip: &mut Strip) -> (u64, bool) = squares;
    fn add_rests[](sum: &mut Wide, rests: &mut [f64]) -> () = add_block;
}

/// Adds logarithmic losses. Returns a word whose first bit is set if one may be no probability.
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

/// Adds squared errors. Returns a word as [`log_losses`] does, and whether something is left of the
/// errors, in `strip.right`.
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

/// A word whose first bit is set for −0 and for all that is not in [0, 1].
#[inline(always)]
pub(crate) fn outside(value: f64) -> u64 {
    let bits = value.to_bits();
    1.0_f64.to_bits().wrapping_sub(bits) | bits
}

/// A probability, cut to [epsilon, 1 − epsilon].
#[inline(always)]
pub(crate) fn within(probability: f64, epsilon: f64) -> f64 {
    // Not `clamp`, which may panic; not `max` and `min`, which cost more because of NaN.
    let cut = if probability > epsilon { probability } else { epsilon };
    if cut < 1.0 - epsilon { cut } else { 1.0 - epsilon }
}
