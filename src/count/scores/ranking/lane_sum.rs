//! Sums over the blocks of a score table, in eight lanes that keep the rounding errors.
//!
//! 1. A loop writes a term for each of the 256 scores of a block ([`fill`]).
//! 2. The terms are added half to half, down to eight lanes. The rounding error of each addition is
//!    kept (Knuth 1969).
//! 3. The lanes of a block are added to the lanes of earlier blocks.
//!
//! No term waits for the term before, and the loops are long, so the compiler vectorises them. The
//! operations and their order are the same on every machine and for every instruction set.
//!
//! Rejected:
//! - sums of two-double products, term after term (5 to 14 ms a sum at 1e6 scores);
//! - loops that compute and add terms eight at a time (few vectors: two to four times as long);
//! - eight compensated sums side by side (1.5 times as long as half to half);
//! - columns of terms on the stack (clearing them took a tenth of the time).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use crate::arith::products::Products;
use crate::scores::blocks::{BLOCK, Column, LANES};

/// The terms of a block.
pub(crate) struct Scratch {
    pub(crate) terms: Column,
    /// The rounding errors of their sums.
    pub(crate) lost: Column,
}

impl Scratch {
    pub(crate) fn new() -> Box<Self> {
        Box::new(Self { terms: [0.0; BLOCK], lost: [0.0; BLOCK] })
    }
}

/// A sum in eight interleaved compensated parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneSum {
    sums: [f64; LANES],
    lost: [f64; LANES],
}

impl LaneSum {
    /// Adds the terms of a block: half to half, down to the lanes.
    #[inline(always)]
    pub(crate) fn add(&mut self, len: usize, Scratch { terms, lost }: &mut Scratch) {
        let mut half = BLOCK / 2;
        terms[len.min(BLOCK)..].fill(0.0);
        let (first, others) = terms.split_at_mut(half);
        for place in 0..half {
            (first[place], lost[place]) = two_sum(first[place], others[place]);
        }
        while half > LANES {
            half /= 2;
            let (terms, others) = terms.split_at_mut(half);
            let (lost, others_lost) = lost.split_at_mut(half);
            for place in 0..half {
                let (sum, error) = two_sum(terms[place], others[place]);
                terms[place] = sum;
                lost[place] = (lost[place] + others_lost[place]) + error;
            }
        }
        for lane in 0..LANES {
            self.put(lane, terms[lane], lost[lane]);
        }
    }

    /// Adds one term and its rounding error to one lane.
    #[inline(always)]
    pub(crate) fn put(&mut self, lane: usize, term: f64, lost: f64) {
        let (sum, error) = two_sum(self.sums[lane], term);
        self.sums[lane] = sum;
        self.lost[lane] += lost + error;
    }

    /// Adds the terms of a later stretch.
    pub(crate) fn then(&mut self, later: &Self) {
        for lane in 0..LANES {
            self.put(lane, later.sums[lane], later.lost[lane]);
        }
    }

    pub(crate) fn value(&self) -> f64 {
        let parts = self.sums.iter().chain(&self.lost);
        parts.fold(Products::default(), |sum, &part| sum.plus(part, 1.0)).value()
    }
}

/// The sum of two numbers in any order of size, and its rounding error (Knuth 1969).
#[inline(always)]
pub(crate) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// Writes a term for each place.
#[inline(always)]
pub(crate) fn fill(to: &mut Column, term: impl Fn(usize) -> f64) {
    for place in 0..BLOCK {
        to[place] = term(place);
    }
}
