//! Pairs of rows by the order of their scores: the basis of the area under the ROC curve, gamma and
//! tau.
//!
//! 1. Without weights pairs are counted in integers, block by block: with fewer than 2^31 rows in
//!    eight lanes of 64 bits; otherwise, and for very short tables, score by score in 128 bits.
//! 2. The area of each block is kept, so the area between two thresholds is a sum over few blocks,
//!    plus both ends (`PairCounts::twice_areas`).
//! 3. With weights, five sums of products of the exact masses are computed in twice the precision
//!    of `f64`, with each class scaled near one.
//!
//! Cost at 1e6 distinct scores: 1 ms for a separate pass, which is the time to read the table; a
//! fraction of that in a pass shared with other sums.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use crate::arith::products::{Products, root_of_product, unit_scale};
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::blocks::{BLOCK, LANES, Running, of_stretches, running};
use crate::scores::score_table::{Masses, ScoreTable};

/// Pairs of a positive and a negative row, as masses scaled by one power of two. Rows with less
/// than 1e-300 of their class may be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairs {
    /// The positive row scores higher.
    pub concordant: f64,
    /// The negative row scores higher.
    pub discordant: f64,
    /// Both score alike.
    pub tied: f64,
    /// All pairs.
    pub all: f64,
    /// √(`all` × pairs of rows of any class with different scores); infinite only if one class
    /// weighs 2^2040 times the other.
    pub spread: f64,
}

impl Pairs {
    /// Pairs of a positive and a negative row by the order of their scores; `None` if a class is
    /// absent. `counted` is called if rows have no weights.
    pub(crate) fn of<'a>(
        table: &ScoreTable,
        counted: impl FnOnce() -> &'a PairCounts,
    ) -> Option<Self> {
        let (positives, negatives) = table.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        if !table.is_weighted() {
            let counted = counted();
            let all = positives as u128 * negatives as u128;
            return Some(Self {
                concordant: counted.concordant as f64,
                discordant: (all - counted.concordant - counted.tied) as f64,
                tied: counted.tied as f64,
                all: all as f64,
                spread: root_of_product(all as f64, counted.apart as f64),
            });
        }
        // The classes may have very different sizes, so products are formed from masses near one.
        let (up, down) = (unit_scale(positives), unit_scale(negatives));
        let mut sums = [Products::default(); 5];
        let (mut above_positives, mut above_negatives) = (0.0, 0.0);
        table.groups(|p, n, tp, fp| {
            let (p_up, n_down) = (p * up, n * down);
            sums = [
                sums[0].plus(n_down, above_positives),
                sums[1].plus(p_up, above_negatives),
                sums[2].plus(p_up, n_down),
                sums[3].plus(p_up, above_positives),
                sums[4].plus(n_down, above_negatives),
            ];
            (above_positives, above_negatives) = (tp * up, fp * down);
        });
        let all = (positives * up) * (negatives * down);
        let [concordant, discordant, tied, positives, negatives] = sums.map(Products::value);
        let larger = exponent(down) - exponent(up);
        Some(Self {
            concordant: concordant.min(all),
            discordant: discordant.min(all),
            tied: tied.min(all),
            all,
            spread: spread(all, concordant + discordant, [positives, negatives], larger),
        })
    }
}

/// The exponent of a power of two.
fn exponent(power: f64) -> i32 {
    (power.to_bits() >> 52) as i32 - 1023
}

/// √(all × apart), for pairs with different scores: pairs between the classes, and pairs within
/// each class in the unit of that class; the unit of the positives is 2^`larger` times the unit of
/// the negatives. `apart` may exceed the range of `f64`, so the root is taken of a scaled part.
fn spread(all: f64, untied: f64, [positives, negatives]: [f64; 2], larger: i32) -> f64 {
    let power = |exponent| 2_f64.powi(exponent);
    let (greater, lesser) =
        if larger < 0 { (negatives, positives) } else { (positives, negatives) };
    let larger = larger.abs();
    let root = if greater > 0.0 { larger / 2 } else { 0 };
    let apart = greater * power(larger % 2)
        + untied * power(-2 * root)
        + lesser * power(-larger - 2 * root);
    root_of_product(all, apart) * power(root)
}

/// Exact counts of pairs of rows, for tables without weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    /// Pairs whose positive row scores higher.
    concordant: u128,
    /// Tied pairs of a positive and a negative row.
    tied: u128,
    /// Pairs of rows with different scores, of any class.
    apart: u128,
    /// For the negatives of each block: twice the concordant pairs plus the tied pairs, if that
    /// fits.
    areas: Vec<u64>,
}

impl PairCounts {
    /// The counts of a table, in a separate pass; none for weights.
    pub(crate) fn of(table: &ScoreTable) -> Self {
        let of = |places: Range<usize>| {
            let mut counter = PairCounter::new(table);
            for start in places.clone().step_by(BLOCK) {
                counter.add(table, start..places.end.min(start + BLOCK));
            }
            counter
        };
        let all = of_stretches(table.len(), of).reduce(|mut first, later| {
            first.then(later);
            first
        });
        all.map_or_else(PairCounts::default, PairCounter::finish)
    }

    /// Twice the concordant pairs plus the tied pairs: twice the area under the ROC curve, in
    /// pairs.
    pub(crate) fn twice_area(&self) -> u128 {
        2 * self.concordant + self.tied
    }

    /// Twice the area over some places, along the negatives and along the positives, in pairs of
    /// rows; `None` for weights.
    pub(crate) fn twice_areas(
        &self,
        table: &ScoreTable,
        places: Range<usize>,
    ) -> Option<(u128, u128)> {
        let areas = &self.areas;
        let Masses::Counts(positives, negatives) = table.masses() else {
            return None;
        };
        if places.is_empty() || areas.is_empty() {
            return places.is_empty().then_some((0, 0));
        }
        let at = |place: usize| {
            let at = |masses: &[u64]| place.checked_sub(1).map_or(0, |place| masses[place]);
            [positives, negatives].map(|masses| u128::from(at(masses)))
        };
        let one_by_one = |places: Range<usize>| -> u128 {
            let twice = |place: usize| {
                let ([tp, fp], [above, wrong]) = (at(place + 1), at(place));
                (fp - wrong) * (tp + above)
            };
            places.map(twice).sum()
        };
        let (first, last) = (places.start.div_ceil(BLOCK), places.end / BLOCK);
        let along = if first >= last {
            one_by_one(places.clone())
        } else {
            let whole = areas[first..last].iter().map(|&area| u128::from(area));
            let ends =
                one_by_one(places.start..first * BLOCK) + one_by_one(last * BLOCK..places.end);
            ends + whole.sum::<u128>()
        };
        // Both areas together fill the rectangles between the corners.
        let ([tp, fp], [above, wrong]) = (at(places.end), at(places.start));
        Some((along, 2 * (tp * fp - above * wrong) - along))
    }
}

/// Sums of pairs in lanes: concordant, tied, apart.
type PairSums = [[u64; LANES]; 3];

/// With fewer distinct scores, pairs are counted score by score.
const FEW: usize = 32;

/// Counts pairs exactly, block by block: in 64 bits if all pairs fit, otherwise in 128.
pub(crate) struct PairCounter {
    /// Whether all pairs fit 64 bits.
    is_narrow: bool,
    counts: PairCounts,
    /// Running totals of a block that cannot be borrowed completely from the table.
    copies: Option<Box<[Running; 2]>>,
}

impl PairCounter {
    pub(crate) fn new(table: &ScoreTable) -> Self {
        let (positives, negatives) = table.totals();
        Self {
            is_narrow: positives + negatives < (1_u64 << 31) as f64,
            counts: PairCounts::default(),
            copies: None,
        }
    }

    /// Counts a block of places.
    pub(crate) fn add(&mut self, table: &ScoreTable, places: Range<usize>) {
        let Masses::Counts(positives, negatives) = table.masses() else {
            return;
        };
        if !self.is_narrow || table.len() < FEW {
            self.count_one_by_one(positives, negatives, places);
            return;
        }
        let mut copies = self.copies.take();
        let [tp, fp] = copies.get_or_insert_with(|| Box::new([[0; BLOCK + 1]; 2])).as_mut();
        let tp = running(positives, places.clone(), tp);
        let fp = running(negatives, places, fp);
        let mut sums = [[0; LANES]; 3];
        count_pairs(tp, fp, &mut sums);
        let [concordant, tied, apart] = sums.map(|lanes| lanes.into_iter().sum::<u64>());
        self.counts.concordant += u128::from(concordant);
        self.counts.tied += u128::from(tied);
        self.counts.apart += u128::from(apart);
        self.counts.areas.grow(2 * concordant + tied);
        self.copies = copies;
    }

    fn count_one_by_one(&mut self, positives: &[u64], negatives: &[u64], places: Range<usize>) {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let before = places.start.checked_sub(1);
        let (mut tp, mut fp) = before.map_or((0, 0), |at| (positives[at], negatives[at]));
        for (&tp_after, &fp_after) in positives[places.clone()].iter().zip(&negatives[places]) {
            let (p, n) = (tp_after - tp, fp_after - fp);
            self.counts.concordant += product(n, tp);
            self.counts.tied += product(p, n);
            self.counts.apart += product(p + n, tp + fp);
            (tp, fp) = (tp_after, fp_after);
        }
    }

    pub(crate) fn then(&mut self, later: Self) {
        let PairCounts { concordant, tied, apart, areas } = later.counts;
        self.counts.concordant += concordant;
        self.counts.tied += tied;
        self.counts.apart += apart;
        self.counts.areas.grow_by(&areas);
    }

    pub(crate) fn finish(self) -> PairCounts {
        self.counts
    }
}

wide! {
    fn count_pairs[](tp: &Running, fp: &Running, sums: &mut PairSums) -> () = count_pairs_body;
}

/// All counts are below 2^31, so products fit 62 bits and sums 64.
#[inline(always)]
fn count_pairs_body(tp: &Running, fp: &Running, sums: &mut PairSums) {
    // One instruction on any machine multiplies the 32-bit halves.
    const LOW: u64 = u32::MAX as u64;
    let product = |a: u64, b: u64| (a & LOW) * (b & LOW);
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let place = start + lane;
            let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
            sums[0][lane] += product(n, tp[place]);
            sums[1][lane] += product(p, n);
            sums[2][lane] += product(p + n, tp[place] + fp[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::blocks::tests::{block_of, places};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    #[test]
    fn pairs_of_weights_stay_within_range() {
        // Two positives above one negative, or the reverse: 2 P N + P² pairs are apart, for any
        // weights.
        for power in [0, 1, 101, 400, 535, 1022] {
            for (large, small) in [(power, -power), (power, 0), (-power, 0)] {
                let (large, small) = (2_f64.powi(large), 2_f64.powi(small));
                let options = SweepOptions::default();
                for y in [[0_u8, 1, 1], [1, 0, 0]] {
                    let (scores, weights) = ([0.1, 0.2, 0.3], [small, large, large]);
                    let (y, s) = (Column::from_slice(&y), Column::from_slice(&scores[..]));
                    let weights = Some(Column::from_slice(&weights[..]));
                    let table =
                        score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap();
                    let pairs = Pairs::of(&table, || unreachable!()).unwrap();
                    // sqrt(U / V), with U = 2 P N and V = U + P².
                    let expected = 2_f64.sqrt() * small.sqrt() / (2.0 * small + large).sqrt();
                    let found = pairs.all / pairs.spread;
                    assert!((found / expected - 1.0).abs() < 1e-12, "{large} {small}: {found}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_instruction_set_counts_the_same_pairs(places in places()) {
            let (tp, fp, _) = block_of(&places);
            let (mut narrow, mut widest) = ([[0; LANES]; 3], [[0; LANES]; 3]);
            count_pairs(&tp, &fp, &mut widest);
            count_pairs_body(&tp, &fp, &mut narrow);
            prop_assert_eq!(narrow, widest);
            let mut counter = PairCounter { is_narrow: false, counts: PairCounts::default(), copies: None };
            counter.count_one_by_one(&tp, &fp, 1..tp.len());
            let counts = counter.finish();
            let sums = narrow.map(|lanes| lanes.into_iter().map(u128::from).sum::<u128>());
            prop_assert_eq!([counts.concordant, counts.tied, counts.apart], sums);
        }
    }
}
