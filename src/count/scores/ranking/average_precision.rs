//! Average precision, of either class and in either order of ties, and the thresholds with a
//! precision.
//!
//! 1. Average precision is Σ positives × precision over the distinct scores, in compensated lanes.
//! 2. For the negatives it is the same sum from the lowest score up.
//! 3. In its worst order a tie has its negatives first, in its best its positives. Only tied scores
//!    contribute. For many positives in a tie, the Euler–Maclaurin formula sums the precision at
//!    each.
//! 4. The highest precision of each block of 256 scores shows which block reaches a precision.
//!
//! Cost: 1 ns a distinct score for a sum alone, less in a pass shared with other sums.
//!
//! Sources: Manning, Raghavan, Schütze 2008, Introduction to Information Retrieval, section 8.4;
//! `McSherry`, Najork 2008, doi:10.1007/978-3-540-78646-7_38 (ties).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use crate::arith::logarithm::ln_normal;
use crate::arith::products::{Products, unit_scale};
use crate::base::wide::wide;
use crate::scores::blocks::{BLOCK, Block, LANES, of_stretches};
use crate::scores::ranking::lane_sum::{LaneSum, Scratch, fill, two_sum};
use crate::scores::score_table::{Masses, ScoreTable};

/// The order of the rows within a tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// Negatives first.
    Worst,
    /// Positives first.
    Best,
}

/// Average precision: Σ (recall − recall before) · precision over the scores from high to low;
/// `None` without positives. For counts, `known` is Σ positives × precision ([`add_precision`]), if
/// another pass computed it.
pub(crate) fn average_precision(table: &ScoreTable, known: Option<f64>) -> Option<f64> {
    let (total, _) = table.totals();
    if let Masses::Counts(positives, negatives) = table.masses() {
        if let Some(known) = known {
            return (total > 0.0).then(|| (known / (total * unit_scale(total))).min(1.0));
        }
        return (total > 0.0).then(|| (step_area(positives, negatives) / total).min(1.0));
    }
    let mut precision = WeightedPrecision::new(total);
    precision.take(table, 0..table.len());
    (total > 0.0).then(|| precision.mean())
}

/// The state of average precision with weights, from the highest scores down.
pub(crate) struct WeightedPrecision {
    up: f64,
    /// The positives, rounded as in the area.
    all: Products,
    area: Products,
}

impl WeightedPrecision {
    /// Starts with the total of positives.
    pub(crate) fn new(total: f64) -> Self {
        Self { up: unit_scale(total), all: Products::default(), area: Products::default() }
    }

    pub(crate) fn take(&mut self, table: &ScoreTable, places: Range<usize>) {
        table.groups_of(places, |p, _, tp, fp| {
            if p > 0.0 {
                self.all = self.all.plus(p * self.up, 1.0);
                self.area = self.area.plus(p * self.up, tp / (tp + fp));
            }
        });
    }

    /// The mean over the positives; there must be at least one.
    pub(crate) fn mean(&self) -> f64 {
        (self.area.value() / self.all.value()).min(1.0)
    }
}

/// Average precision of the negatives, ranked from the lowest score up (as by one minus the
/// scores), from [`add_negative_precision`]; `None` without negatives.
pub(crate) fn negative_average_precision(table: &ScoreTable, sum: f64) -> Option<f64> {
    let (_, total) = table.totals();
    let scaled = total * unit_scale(total);
    (total > 0.0).then(|| (sum / scaled).min(1.0))
}

/// Average precision with the rows of each tie in their worst or best order, from Σ positives ×
/// precision and the terms of [`add_ties`]; `None` without positives, and for weights, whose rows
/// have no order.
pub(crate) fn average_precision_of_ties(table: &ScoreTable, sum: f64, ties: f64) -> Option<f64> {
    let (positives, _) = table.totals();
    if table.is_weighted() || positives <= 0.0 {
        return None;
    }
    let sum = sum / unit_scale(positives) + ties;
    Some((sum / positives).clamp(0.0, 1.0))
}

/// The highest precision of the thresholds that predict at least `predicted` distinct scores
/// positive; at least one. `highest` has the highest precision of each block.
pub(crate) fn highest_precision(table: &ScoreTable, highest: &[f64], predicted: usize) -> f64 {
    let first = predicted.max(1) - 1;
    let block = first.div_ceil(BLOCK);
    let part = first..(block * BLOCK).min(table.len());
    let own = part.map(|place| precision_at(table, place)).fold(0.0, f64::max);
    let rest = highest.iter().skip(block);
    rest.fold(own, |most, &one| most.max(one))
}

/// The lowest threshold with a precision of at least `least`, as the number of distinct scores at
/// or above it; 0 if there is none. `highest` has the highest precision of each block.
pub(crate) fn lowest_with_precision(table: &ScoreTable, highest: &[f64], least: f64) -> usize {
    let block = highest.iter().rposition(|&one| one >= least);
    let Some(block) = block else { return 0 };
    let places = block * BLOCK..((block + 1) * BLOCK).min(table.len());
    let reaches = |&place: &usize| precision_at(table, place) >= least;
    places.rev().find(reaches).map_or(0, |place| place + 1)
}

fn precision_at(table: &ScoreTable, place: usize) -> f64 {
    let (tp, fp) = table.cumulative(place);
    tp / (tp + fp)
}

wide! {
    /// Adds positives × precision of a block; returns its highest precision.
    pub(crate) fn add_precision[](block: &Block, to: &mut LaneSum, scale: f64, scratch: &mut Scratch) -> f64 = add_precision_body;
    /// Adds negatives × negative predictive value of a block.
    pub(crate) fn add_negative_precision[](
        block: &Block, to: &mut LaneSum, scale: f64, scratch: &mut Scratch,
    ) -> () = add_negative_precision_body;
    fn add_steps[](sum: &mut StepSum, before: u64, positives: &[u64], negatives: &[u64]) -> () = add_steps_body;
}

/// Σ over the steps of (tp − tp before) · tp / (tp + fp).
fn step_area(positives: &[u64], negatives: &[u64]) -> f64 {
    let of = |places: Range<usize>| {
        let before = places.start.checked_sub(1).map_or(0, |place| positives[place]);
        let mut sum = StepSum::default();
        sum.add(before, &positives[places.clone()], &negatives[places]);
        sum.added_to(Products::default())
    };
    let all = of_stretches(positives.len(), of);
    all.reduce(Products::plus_sum).unwrap_or_default().value()
}

/// (tp − tp before) · tp / (tp + fp).
#[inline(always)]
fn step(tp: u64, before: u64, fp: u64) -> f64 {
    (tp - before) as f64 * (tp as f64 / (tp + fp) as f64)
}

/// The state of [`step_area`], from the highest scores down: eight interleaved compensated sums,
/// with the same operations in the same order on every machine. No step waits for the step before.
#[derive(Default)]
pub(crate) struct StepSum {
    sums: [f64; LANES],
    lost: [f64; LANES],
}

impl StepSum {
    /// Adds the steps below `before` positives.
    pub(crate) fn add(&mut self, before: u64, positives: &[u64], negatives: &[u64]) {
        add_steps(self, before, positives, negatives);
    }

    /// The sum of all steps and of other terms.
    pub(crate) fn added_to(&self, others: Products) -> Products {
        let parts = self.sums.iter().chain(&self.lost);
        parts.fold(others, |sum, &part| sum.plus(part, 1.0))
    }

    /// Adds all steps except the last ones that do not fill the lanes; returns the positives after
    /// them.
    #[inline(always)]
    fn add_eights(&mut self, mut before: u64, positives: &[u64], negatives: &[u64]) -> u64 {
        let (mut sums, mut lost) = (self.sums, self.lost);
        let steps = positives.as_chunks::<LANES>().0.iter();
        for (tps, fps) in steps.zip(negatives.as_chunks::<LANES>().0) {
            let mut befores = [before; LANES];
            befores[1..].copy_from_slice(&tps[..LANES - 1]);
            before = tps[LANES - 1];
            for lane in 0..LANES {
                let term = step(tps[lane], befores[lane], fps[lane]);
                let (sum, error) = two_sum(sums[lane], term);
                lost[lane] += error;
                sums[lane] = sum;
            }
        }
        (self.sums, self.lost) = (sums, lost);
        before
    }
}

#[inline(always)]
fn add_steps_body(sum: &mut StepSum, before: u64, positives: &[u64], negatives: &[u64]) {
    let mut before = sum.add_eights(before, positives, negatives);
    let last = positives.as_chunks::<LANES>().1.iter();
    for (lane, (&tp, &fp)) in last.zip(negatives.as_chunks::<LANES>().1).enumerate() {
        let (total, error) = two_sum(sum.sums[lane], step(tp, before, fp));
        sum.sums[lane] = total;
        sum.lost[lane] += error;
        before = tp;
    }
}

#[inline(always)]
fn add_precision_body(block: &Block, to: &mut LaneSum, scale: f64, scratch: &mut Scratch) -> f64 {
    let (p, tp, fp) = (&block.p, &block.tp, &block.fp);
    fill(&mut scratch.lost, |place| tp[place + 1] / (tp[place + 1] + fp[place + 1]));
    let Scratch { terms, lost } = scratch;
    fill(terms, |place| p[place] * scale * lost[place]);
    let mut highest = [0.0; LANES];
    for quotients in lost.as_chunks::<LANES>().0 {
        for (highest, &quotient) in highest.iter_mut().zip(quotients) {
            *highest = if quotient > *highest { quotient } else { *highest };
        }
    }
    to.add(block.len, scratch);
    highest.into_iter().fold(0.0, f64::max)
}

/// Negatives times the share of negatives among the rows at or below.
#[inline(always)]
fn add_negative_precision_body(block: &Block, to: &mut LaneSum, scale: f64, scratch: &mut Scratch) {
    let Block { n, p_below, n_below, .. } = block;
    fill(&mut scratch.terms, |place| {
        // Rows below the score before are the rows at or below this score.
        let share = n_below[place] / (p_below[place] + n_below[place]);
        let quotient = n[place] * scale * share;
        if n[place] > 0.0 { quotient } else { 0.0 }
    });
    to.add(block.len, scratch);
}

/// Σ over the positives of precision at their row minus precision at the end of their tie, with
/// each tie in its worst order and in its best.
pub(crate) fn add_ties(block: &Block, [worst, best]: &mut [LaneSum; 2]) {
    if block.single {
        return;
    }
    for place in 0..block.len {
        let (p, n) = (block.p[place], block.n[place]);
        let (tp, fp) = (block.tp[place + 1], block.fp[place + 1]);
        if p > 0.0 && p + n > 1.0 {
            let step = p * (tp / (tp + fp));
            let last = place % LANES;
            worst.put(last, sum_of_precisions(tp - p, fp, p) - step, 0.0);
            best.put(last, sum_of_precisions(tp - p, fp - n, p) - step, 0.0);
        }
    }
}

/// Σ (above + j) / (above + wrong + j) over j from 1 to `more`: the precision at each of `more`
/// consecutive positives, below `above` positives and `wrong` negatives.
///
/// For many terms: each is 1 − wrong / (total + j), and the Euler–Maclaurin formula around the
/// midpoints gives the sum of the reciprocals as a logarithm and three corrections, exact to its
/// last place from 64 on.
fn sum_of_precisions(above: f64, wrong: f64, more: f64) -> f64 {
    const FEW: f64 = 64.0;
    let (mut sum, mut j) = (0.0, 0.0);
    while j < more.min(FEW) {
        j += 1.0;
        sum += (above + j) / (above + wrong + j);
    }
    if more <= FEW || wrong == 0.0 {
        return sum + (more - j);
    }
    let (low, high) = (above + wrong + j + 0.5, above + wrong + more + 0.5);
    let (a, b) = (1.0 / (low * low), 1.0 / (high * high));
    let corrections = (b - a) / 24.0 - (b * b - a * a) * (7.0 / 960.0)
        + (b * b * b - a * a * a) * (31.0 / 8064.0);
    sum + ((more - j) - wrong * (ln_of_ratio(low, more - j) + corrections))
}

/// ln((low + more) / low).
fn ln_of_ratio(low: f64, more: f64) -> f64 {
    let s = more / (2.0 * low + more);
    if s > 0.2 {
        return ln_normal((low + more) / low);
    }
    // 2 atanh(s).
    let (mut sum, mut k) = (0.0, 25.0);
    while k >= 1.0 {
        sum = sum * (s * s) + 1.0 / k;
        k -= 2.0;
    }
    2.0 * s * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::blocks::tests::{block_of, places};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_instruction_set_gives_the_same_bits(places in places()) {
            let (_, _, block) = block_of(&places);
            let scratch = &mut Scratch::new();
            let (mut wide, mut plain) = (<[LaneSum; 2]>::default(), <[LaneSum; 2]>::default());
            let most = add_precision(&block, &mut wide[0], 0.5, scratch);
            add_negative_precision(&block, &mut wide[1], 0.5, scratch);
            prop_assert_eq!(add_precision_body(&block, &mut plain[0], 0.5, scratch), most);
            add_negative_precision_body(&block, &mut plain[1], 0.5, scratch);
            prop_assert_eq!(wide.map(|sum| sum.value().to_bits()), plain.map(|sum| sum.value().to_bits()));
        }
    }
}
