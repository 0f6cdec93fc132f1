//! Early recognition (RIE, BEDROC): the share of positives under a weight that falls along the
//! ranking.
//!
//! A row has the weight e^(−rate x), where x is the share of rows above it. The rows of a tie share
//! their weights equally.
//!
//! 1. The sum is the loss against the best order: the weights of negatives among the first P rows,
//!    for P positives, minus the weights of positives after them.
//! 2. Without ties, the weight of a row is a constant times the weight of the row before: 256
//!    exponentials altogether, and one for each block.
//! 3. Otherwise a tie has one exponential, and the series of sinh for its width.
//! 4. Wide ties, and ties across the border of step 1, are few and summed one by one.
//!
//! Cost at 1e6 distinct scores: below 1 ms, in a pass shared with other sums.
//!
//! Sources: Sheridan, Singh, Fluder, Kearsley 2001, doi:10.1021/ci0100144 (RIE); Truchon, Bayly
//! 2007, doi:10.1021/ci600426e (BEDROC).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use crate::arith::exponential::exp_of_negative;
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::blocks::{BLOCK, Block, Column};
use crate::scores::ranking::lane_sum::{LaneSum, Scratch, fill};

/// The default rate of early recognition: 80 % of the weight on the first 8 % of the rows.
pub const EARLY: f64 = 20.0;

/// RIE and BEDROC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyRecognition {
    /// The robust initial enhancement: 1 for a random order. NaN, like `bedroc`, if a class is too
    /// small a share of the rows for `f64`.
    pub rie: f64,
    /// The enhancement scaled between its smallest and largest value to 0 to 1; `None` without
    /// negatives.
    pub bedroc: Option<f64>,
}

impl EarlyRecognition {
    /// From all positives and negatives, and the loss against the best order at a rate
    /// ([`EarlySum`]); `None` without positives.
    pub(crate) fn new(rate: f64, (positives, negatives): (f64, f64), short: f64) -> Option<Self> {
        if positives <= 0.0 {
            return None;
        }
        let share = positives / (positives + negatives);
        let most = less_one(rate * share);
        let all = less_one(rate);
        // With all positives last it is e^(−rate (1 − share)) times as large.
        let spread = most * less_one(rate * (1.0 - share));
        let rie = (most - short) / (share * all);
        Some(Self {
            rie: if rie < 0.0 { 0.0 } else { rie },
            bedroc: (negatives > 0.0).then(|| (1.0 - short / spread).clamp(0.0, 1.0)),
        })
    }
}

/// 1 − e^(−x) for x ≥ 0, without cancellation.
fn less_one(x: f64) -> f64 {
    if x > 0.5 {
        return 1.0 - exp_of_negative(-x);
    }
    // x − x²/2! + x³/3! − …
    let (mut sum, mut n) = (0.0, 18.0);
    while n >= 1.0 {
        sum = x / n * (1.0 - sum);
        n -= 1.0;
    }
    sum
}

wide! {
    fn add_early[](block: &Block, to: &mut LaneSum, sizes: (f64, f64, f64), scratch: &mut Scratch) -> bool = add_early_body;
    fn add_early_rows[](block: &Block, to: &mut LaneSum, positives: f64, weights: (f64, &Column), scratch: &mut Scratch) -> ()
        = add_early_rows_body;
}

/// The largest half width of a tie, in units of the decay, for which the series of sinh is exact
/// enough.
const NARROW: f64 = 0.5;

/// The loss of the weight e^(−rate x), for the share x of rows above, against the best order:
/// negatives among the first P rows, for P positives, minus the positives after them. Wide ties,
/// and ties across the border, are left to [`EarlySum`]; returns whether there are some.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // A branch would keep the loop from vectors.
fn add_early_body(
    block: &Block,
    to: &mut LaneSum,
    (rate, positives, all): (f64, f64, f64),
    scratch: &mut Scratch,
) -> bool {
    let decay = rate / all;
    let Block { p, n, tp, fp, .. } = block;
    let mut any = false;
    for place in 0..BLOCK {
        let (own, top) = (p[place] + n[place], tp[place + 1] + fp[place + 1]);
        let half = 0.5 * own * decay;
        let middle = top * decay - half;
        let share = if top <= positives { n[place] } else { -p[place] };
        let lost = share * decay * (exp_of_negative(-middle) * sinh_over(half * half));
        // Not the mass at or above minus its own, which would lose the mass above to rounding.
        let above = tp[place] + fp[place];
        let special = (own * decay > 2.0 * NARROW) | ((top > positives) & (above < positives));
        any |= special;
        scratch.terms[place] = if special { 0.0 } else { lost };
    }
    to.add(block.len, scratch);
    any
}

/// [`add_early`] without ties: the weight of a row is a constant times the weight of the row
/// before.
#[inline(always)]
fn add_early_rows_body(
    block: &Block,
    to: &mut LaneSum,
    positives: f64,
    (first, weights): (f64, &Column),
    scratch: &mut Scratch,
) {
    let Block { p, n, tp, fp, .. } = block;
    fill(&mut scratch.terms, |place| {
        let share = if tp[place + 1] + fp[place + 1] <= positives { n[place] } else { -p[place] };
        share * (first * weights[place])
    });
    to.add(block.len, scratch);
}

/// sinh(x) / x for x up to [`NARROW`], from x squared: the series up to x^12 / 13!, with a
/// remainder below 2^-54.
#[inline(always)]
fn sinh_over(s: f64) -> f64 {
    const SERIES: [f64; 6] = [
        1.0 / 6.0,
        1.0 / 120.0,
        1.0 / 5_040.0,
        1.0 / 362_880.0,
        1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
    ];
    let tail = SERIES[3] + s * (SERIES[4] + s * SERIES[5]);
    1.0 + s * (SERIES[0] + s * (SERIES[1] + s * (SERIES[2] + s * tail)))
}

/// The state of the loss against the best order, as a share of all, block by block.
pub(crate) struct EarlySum {
    sum: LaneSum,
    rate: f64,
    positives: f64,
    all: f64,
    /// The few ties that the loops skip: wider than a share of all rows that depends on the rate,
    /// or across a border.
    special: Vec<f64>,
    /// e^(−decay row) for the rows of a block, computed at first use.
    weights: Option<Box<Column>>,
}

impl EarlySum {
    pub(crate) fn new(rate: f64, positives: f64, all: f64) -> Self {
        Self { sum: LaneSum::default(), rate, positives, all, special: Vec::new(), weights: None }
    }

    pub(crate) fn add(&mut self, block: &Block, scratch: &mut Scratch) {
        let decay = self.rate / self.all;
        if block.single && decay <= 2.0 * NARROW {
            let weights = self.weights.get_or_insert_with(|| {
                let mut weights = Box::new([0.0; BLOCK]);
                fill(&mut weights, |row| exp_of_negative(-(row as f64 * decay)));
                weights
            });
            let half = 0.5 * decay;
            let above = exp_of_negative(-((block.tp[0] + block.fp[0]) * decay + half));
            let first = decay * (above * sinh_over(half * half));
            add_early_rows(block, &mut self.sum, self.positives, (first, weights), scratch);
        } else if add_early(block, &mut self.sum, (self.rate, self.positives, self.all), scratch) {
            self.note(block);
        }
    }

    fn note(&mut self, block: &Block) {
        let decay = self.rate / self.all;
        // The weight of the rows from one place to another.
        let mass = |from: f64, to: f64| {
            exp_of_negative(-(from * decay)) * less_one((to - from).max(0.0) * decay)
        };
        for place in 0..block.len {
            let (p, n) = (block.p[place], block.n[place]);
            let above = block.tp[place] + block.fp[place];
            let top = block.tp[place + 1] + block.fp[place + 1];
            let own = p + n;
            let border = self.positives.clamp(above, top);
            if own * decay > 2.0 * NARROW || top > self.positives && above < self.positives {
                self.special.grow(mass(above, border) * (n / own));
                self.special.grow(-mass(border, top) * (p / own));
            }
        }
    }

    pub(crate) fn then(&mut self, later: &Self) {
        self.sum.then(&later.sum);
        self.special.grow_by(&later.special);
    }

    pub(crate) fn finish(mut self) -> f64 {
        for term in self.special {
            self.sum.put(0, term, 0.0);
        }
        self.sum.value()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::blocks::tests::{block_of, places};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_instruction_set_gives_the_same_bits(places in places(), rate in 0.01_f64..200.0) {
            let (tp, fp, block) = block_of(&places);
            let scratch = &mut Scratch::new();
            let (positives, negatives) = (tp[BLOCK] as f64 + 3.0, fp[BLOCK] as f64 + 7.0);
            let sizes = (rate, positives, positives + negatives);
            let weights = (rate, &block.p);
            let (mut wide, mut plain) = (<[LaneSum; 2]>::default(), <[LaneSum; 2]>::default());
            add_early(&block, &mut wide[0], sizes, scratch);
            add_early_rows(&block, &mut wide[1], positives, weights, scratch);
            add_early_body(&block, &mut plain[0], sizes, scratch);
            add_early_rows_body(&block, &mut plain[1], positives, weights, scratch);
            prop_assert_eq!(wide.map(|sum| sum.value().to_bits()), plain.map(|sum| sum.value().to_bits()));
        }
    }
}
