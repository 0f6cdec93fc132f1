//! The area under the ROC curve of weighted rows, without a table.
//!
//! For distinct scores from high to low, let T be the weight of the positives at or above a score,
//! and N the weight of the negatives at it:
//!
//! ```text
//! area = Σ N * (T before + T) / (2 * all positives * all negatives)
//! ```
//!
//! N and T are exact sums, each read as the sum of two `f64`, and the area is rounded once. The
//! code below does this bucket by bucket, in vectors:
//!
//! 1. Rows are scattered into buckets of ascending score (`partition.rs`). The smallest and the
//!    largest weight and their sum are found during the scatter; they give a quantum that divides
//!    every weight. Up to 4,096 rows are one bucket.
//! 2. The rows of a bucket are sorted (`sort/weighted.rs`).
//! 3. Vectors write each weight as two whole numbers of 52 bits. The running totals are plain sums
//!    of these. One addition of two `f64` rounds a total, since both halves are exact; the rounding
//!    error is kept.
//! 4. Vectors multiply and add in sixteen lanes of twice the precision of `f64`.
//! 5. The sum has an error bound, and is returned only if all areas within the bound round to one
//!    `f64`. Otherwise the caller makes the table. The result has the same bits either way. Doubt:
//!    the bound is generous, so the table is sometimes made without need.
//!
//! Cost at 1e6 rows: 2.7 times np.sort of 64-bit scores, 5 times np.sort of 32-bit scores; 16 bytes
//! a row.
//!
//! Rejected:
//! - buckets of 512 rows (8 % slower at 1e6) and of 1,024 (6 %);
//! - both products of a group added one after the other (3 % slower for scores with ties).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::arith::exact::{Fixed, Weights};
use crate::arith::nearest::Nearest;
use crate::arith::products::{LANES, LaneProducts, Products};
use crate::arith::weight_kind::WeightKind;
use crate::base::column::chunks;
use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::interrupt;
use crate::base::memory::Room;
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::labels::binary::Pair;
use crate::scores::keys::{Key, Lowered, ScoreKind, Stop};
use crate::scores::score_table::Two;
use crate::scores::sweep::auc::sample_size;
use crate::scores::sweep::partition::{Beside, Partition, Reuse, Splitter};
use crate::scores::sweep::rank_sum::{PART, near_of, settled_area_and_gini};
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions, sorted_sample};
use crate::scores::sweep::sort::weighted::{Bucket, Extent, Row, fill};

/// Up to this many rows are one bucket.
const FEW_ROWS: usize = switch_at(1 << 12, 32);
const BUCKET_ROWS: usize = switch_at(2048, 16);
const MOST_BUCKETS: usize = 2048;
/// Rows whose running totals are computed at once: sums of this many halves fit 64 bits.
const SEGMENT: usize = switch_at(512, 16);
/// Bits of the lower half of a total.
const HALF: u32 = 52;
const LOWER: u64 = (1 << HALF) - 1;

/// The area of weighted rows, with its weights and labels.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedAuc {
    /// The area under the ROC curve; `None` if a class has no weight.
    pub area: Option<f64>,
    /// The weight of the positives.
    pub positives: f64,
    /// The weight of the negatives.
    pub negatives: f64,
    /// The two labels.
    pub pair: Pair,
}

/// The area under the ROC curve of weighted rows, with the same bits as from a score table; `None`
/// if only a table can decide: for weights too far apart or too near the ends of the range of
/// `f64`, and for a sum too near the middle between two numbers.
///
/// # Errors
/// Like a score table.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
/// use rocksteady_count::scores::sweep::weighted_auc::weighted_auc;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
/// let weights = Column::from_slice(&[1.0, 3.0, 1.0, 1.0]);
/// let found = weighted_auc(&y_true, &y_score, weights, &SweepOptions::default())?;
/// assert_eq!(found.and_then(|found| found.area), Some(0.625));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn weighted_auc(
    y_true: &Labels,
    y_score: &Scores,
    weights: Weights,
    options: &SweepOptions,
) -> Result<Option<WeightedAuc>> {
    if options.weight_kind != WeightKind::Counts {
        return Ok(None);
    }
    let input = Input::new(y_true, y_score, Some(weights), options)?;
    let is_wide = ScoreKind::of(y_score).is_wide();
    let outcome = if is_wide { swept::<u64>(&input) } else { swept::<u32>(&input) };
    match outcome {
        Ok(found) => Ok(found.map(|[area, positives, negatives]| WeightedAuc {
            area: (positives > 0.0 && negatives > 0.0).then_some(area),
            positives,
            negatives,
            pair: input.pair,
        })),
        Err(Stop::Refused(refusal)) if is_wide => Err(input.first_refusal::<u64>(refusal)),
        Err(Stop::Refused(refusal)) => Err(input.first_refusal::<u32>(refusal)),
        Err(Stop::Inexact) => unreachable!("no score is narrowed here"),
    }
}

/// The exponent field of the quantum, if every total is below 2^(2 · [`HALF`]) quanta and no
/// scale leaves the normal range.
fn exponent_of(extent: Extent) -> Option<u64> {
    let (least, greatest) = (extent.least >> 52, extent.greatest >> 52);
    if !(60..2000).contains(&least) || greatest >= 2000 {
        return None;
    }
    // Rounding may have reduced the sum, but by less than a thousandth. Both ends are normal.
    let total = (1.001 * extent.sum).to_bits() >> 52;
    (total + 1 - (least - 52) <= u64::from(2 * HALF)).then_some(least)
}

/// The area, and the weights of both classes.
fn swept<K: Lowered>(rows: &Input) -> std::result::Result<Option<[f64; 3]>, Stop> {
    let len = Rows::<K>::rows(rows);
    if len <= FEW_ROWS {
        let mut chunk = Chunk::<K>::of(len);
        let (mut all, mut extent) = (Vec::new(), Extent::NONE);
        for range in chunks(0..len) {
            rows.lower(range, &mut chunk)?;
            let from = all.len();
            all.grow_to(from + chunk.len, Row::default());
            fill(&chunk, &mut all[from..]);
            extent.take(&chunk, &[]);
        }
        if all.is_empty() {
            return Ok(Some([f64::NAN, 0.0, 0.0]));
        }
        let Some(exponent) = exponent_of(extent) else {
            return Ok(None);
        };
        let mut walk = Walk::new(exponent, 0);
        walk.take(&mut Bucket::default(), &all);
        return Ok(settled(&[walk], exponent, len));
    }
    let sample = sorted_sample::<K>(rows, sample_size(len));
    let wanted = (len / BUCKET_ROWS).clamp(1, MOST_BUCKETS);
    let splitter = Splitter::new(&sample, wanted);
    let (partition, extents) =
        Partition::<Row<K>>::from_classes_beside(rows, &splitter, 1, &Reuse::new(), |_, _| {
            Extent::NONE
        })?;
    let extent = extents.into_iter().fold(Extent::NONE, Extent::union);
    if extent.greatest == 0 {
        return Ok(Some([f64::NAN, 0.0, 0.0]));
    }
    let Some(exponent) = exponent_of(extent) else {
        return Ok(None);
    };
    let all = partition.buckets;
    let positives_of = |buckets: Range<usize>| {
        let rows = buckets.flat_map(|bucket| partition.pieces(bucket)).flatten();
        let weights = rows.map(|row| row.weight).filter(|&weight| weight > 0.0);
        let quantum = quantum(exponent);
        weights.fold(0, |sum: u128, weight| sum.plus(u128::of(weight, quantum)))
    };
    // The positives of each part of the buckets, except the lowest part, which no other needs.
    let parts = partition.over_buckets(|buckets| match buckets.start {
        0 => (0, 0),
        start => (start, positives_of(buckets)),
    });
    let walks = partition.over_buckets(|buckets| {
        let end = buckets.end;
        let above = if end == all || parts.iter().any(|part| part.0 == end) {
            let higher = parts.iter().filter(|part| part.0 >= end);
            higher.map(|part| part.1).sum()
        } else {
            positives_of(end..all) // the number of threads has changed, and so have the parts
        };
        let mut walk = Walk::new(exponent, above);
        let (mut bucket_rows, mut scratch) = (Vec::new(), Bucket::default());
        for bucket in buckets.rev() {
            interrupt::check();
            bucket_rows.clear();
            partition.pieces(bucket).for_each(|piece| bucket_rows.grow_by(piece));
            walk.take(&mut scratch, &bucket_rows);
        }
        walk
    });
    Ok(settled(&walks, exponent, len))
}

/// The exponent of the quantum: the last bit of the smallest weight.
fn quantum(exponent: u64) -> i32 {
    exponent as i32 - 1075
}

/// The area and the weights of both classes from the walks over all buckets; none if the rounding
/// of the area is unknown.
fn settled(walks: &[Walk], exponent: u64, rows: usize) -> Option<[f64; 3]> {
    let quanta = |class: fn(&Walk) -> u128| walks.iter().map(class).sum::<u128>();
    let all = [quanta(|walk| walk.positives() - walk.above), quanta(|walk| walk.negatives)];
    let totals = all.map(|all| all.to_f64(quantum(exponent)));
    if all.contains(&0) {
        return Some([f64::NAN, totals[0], totals[1]]);
    }
    let parts = walks.iter().flat_map(|walk| walk.lanes.parts());
    let sum =
        parts.fold(Products::default(), |sum, (high, low)| sum.plus(high, 1.0).plus(low, 1.0));
    // One addition for each row, and a few for each part; each has an error below eight such parts
    // of the sum.
    let error = sum.value() * (8 * rows + 256 * walks.len()) as f64 * PART;
    let [p, n] = all.map(|all| near_of(all, 0));
    let [area, _] = settled_area_and_gini(Nearest::within(sum.parts(), error), p * n);
    Some([area?, totals[0], totals[1]])
}

/// 2^exponent of a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// A column of a segment, padded to a whole number of lanes.
type Column<T> = [T; SEGMENT + LANES];

/// The halves of masses, separately for each class. If rows tie, they become the halves of the
/// groups.
struct Halves {
    positive: [Column<u64>; 2],
    negative: [Column<u64>; 2],
    /// The totals of the positives, rounded, and their rounding errors; with ties, of groups from
    /// the second place on.
    totals: [Column<f64>; 2],
    /// The weights of the negatives, in the same layout.
    weights: [Column<f64>; 2],
}

/// A walk from high scores to low ones.
struct Walk {
    /// The exponent field of the smallest weight.
    exponent: u64,
    /// The positives above all rows, in quanta.
    above: u128,
    /// The halves of the positives so far; the lower half may have carries.
    upto: [u64; 2],
    /// The negatives so far, in quanta.
    negatives: u128,
    lanes: LaneProducts,
    halves: Box<Halves>,
}

/// Both halves of a mass: the lower one has 52 bits.
fn halves_of(mass: u128) -> [u64; 2] {
    [mass as u64 & LOWER, (mass >> HALF) as u64]
}

/// The mass of two halves with carries.
fn mass_of([lower, upper]: [u64; 2]) -> u128 {
    u128::from(lower) + (u128::from(upper) << HALF)
}

/// The sum of the first masses of a segment.
fn sum_of(halves: &[Column<u64>; 2], len: usize) -> u128 {
    mass_of([0, 1].map(|half: usize| halves[half][..len].iter().sum()))
}

/// The nearest number to a mass below 2^104 quanta, from its halves with carries, and the rounding
/// error.
#[inline(always)]
fn rounded(lower: u64, upper: u64) -> Two {
    /// A whole number below 2^52.
    #[inline(always)]
    fn number(whole: u64) -> f64 {
        f64::from_bits(whole | 0x433 << 52) - 4_503_599_627_370_496.0
    }
    // Both are exact, so this rounds once; the larger one is first.
    let (high, low) =
        (number(upper + (lower >> HALF)) * 4_503_599_627_370_496.0, number(lower & LOWER));
    let both = high + low;
    (both, low - (both - high))
}

/// Writes the halves of each weight for its class.
#[inline(always)]
fn split_body<K: Key>(rows: &[Row<K>], exponent: u64, halves: &mut Halves) {
    let [up_lower, up_upper] = &mut halves.positive;
    let [down_lower, down_upper] = &mut halves.negative;
    let columns = up_lower.iter_mut().zip(up_upper).zip(down_lower).zip(down_upper);
    for (row, (((up_lower, up_upper), down_lower), down_upper)) in rows.iter().zip(columns) {
        let bits = row.weight.to_bits();
        let negative = (bits as i64 >> 63) as u64;
        let mantissa = bits & LOWER | 1 << 52;
        // From 0 to 103, because totals have no more bits.
        let shift = ((bits >> 52) & 0x7ff).wrapping_sub(exponent) as u32;
        let lower = mantissa.wrapping_shl(shift.min(63)) & LOWER;
        let small = mantissa.wrapping_shr(HALF.wrapping_sub(shift));
        let large = mantissa.wrapping_shl(shift.wrapping_sub(HALF));
        let upper = if shift <= HALF { small } else { large };
        *up_lower = lower & !negative;
        *up_upper = upper & !negative;
        *down_lower = lower & negative;
        *down_upper = upper & negative;
    }
}

/// Without ties: the terms of the negatives.
#[inline(always)]
fn distinct_body<K: Key>(
    rows: &[Row<K>],
    scale: f64,
    halves: &mut Halves,
    lanes: &mut LaneProducts,
) {
    let Halves { positive: [lower, upper], totals: [totals, rests], weights, .. } = halves;
    let weights = &mut weights[0];
    let len = rows.len();
    for place in 0..len {
        (totals[place], rests[place]) = rounded(lower[place], upper[place]);
        weights[place] = (-rows[place].weight).max(0.0) * scale;
    }
    let end = len.next_multiple_of(LANES);
    // The remaining lanes are multiplied by 0.
    weights[len..end].fill(0.0);
    lanes.add(&weights[..end], [&totals[..end], &rests[..end]]);
}

/// With ties: the terms of the negatives, by group. The first total is the total before.
#[inline(always)]
fn groups_body(len: usize, halves: &mut Halves, lanes: &mut LaneProducts) {
    let Halves { positive, negative, totals: [totals, rests], weights: [weights, less] } = halves;
    for place in 0..len {
        (totals[place + 1], rests[place + 1]) = rounded(positive[0][place], positive[1][place]);
        (weights[place], less[place]) = rounded(negative[0][place], negative[1][place]);
    }
    let end = len.next_multiple_of(LANES);
    // The remaining lanes are multiplied by 0.
    weights[len..end].fill(0.0);
    less[len..end].fill(0.0);
    lanes.add_sums(
        [&weights[..end], &less[..end]],
        [&totals[..end], &rests[..end]],
        [&totals[1..=end], &rests[1..=end]],
    );
}

wide! {
    fn split[K: Key](rows: &[Row<K>], exponent: u64, halves: &mut Halves) -> () = split_body;
    fn distinct[K: Key](rows: &[Row<K>], scale: f64, halves: &mut Halves, lanes: &mut LaneProducts) -> () = distinct_body;
    fn groups[](len: usize, halves: &mut Halves, lanes: &mut LaneProducts) -> () = groups_body;
}

impl Walk {
    /// A walk below `above` quanta of positives.
    fn new(exponent: u64, above: u128) -> Self {
        Self {
            exponent,
            above,
            upto: halves_of(above),
            negatives: 0,
            lanes: LaneProducts::default(),
            halves: Box::new(Halves {
                positive: [[0; SEGMENT + LANES]; 2],
                negative: [[0; SEGMENT + LANES]; 2],
                totals: [[0.0; SEGMENT + LANES]; 2],
                weights: [[0.0; SEGMENT + LANES]; 2],
            }),
        }
    }

    /// The positives so far, including those above the walk.
    fn positives(&self) -> u128 {
        mass_of(self.upto)
    }

    /// Adds the rows of the next lower bucket.
    fn take<K: Key>(&mut self, bucket: &mut Bucket<K>, rows: &[Row<K>]) {
        if rows.is_empty() {
            return;
        }
        if bucket.sort(rows) {
            self.tied(&bucket.placed);
        } else {
            for segment in bucket.placed.chunks(SEGMENT) {
                self.distinct(segment);
            }
        }
    }

    /// Adds rows without ties.
    fn distinct<K: Key>(&mut self, rows: &[Row<K>]) {
        let len = rows.len();
        split(rows, self.exponent, &mut self.halves);
        self.upto = halves_of(self.positives());
        let Halves { positive: [lower, upper], negative, .. } = &mut *self.halves;
        let [mut low, mut high] = self.upto;
        for (lower, upper) in lower[..len].iter_mut().zip(&mut upper[..len]) {
            low += *lower;
            high += *upper;
            (*lower, *upper) = (low, high);
        }
        self.upto = [low, high];
        self.negatives += sum_of(negative, len);
        // The totals before and after a row share one scale.
        let scale = 2.0 * power(-quantum(self.exponent));
        distinct(rows, scale, &mut self.halves, &mut self.lanes);
    }

    /// Adds rows with ties.
    fn tied<K: Key>(&mut self, rows: &[Row<K>]) {
        let mut group = [0; 2];
        let mut before = {
            let [lower, upper] = self.upto;
            rounded(lower, upper)
        };
        for start in (0..rows.len()).step_by(SEGMENT) {
            let segment = &rows[start..rows.len().min(start + SEGMENT)];
            split(segment, self.exponent, &mut self.halves);
            self.upto = halves_of(self.positives());
            group = halves_of(mass_of(group));
            let Halves { positive, negative, totals, .. } = &mut *self.halves;
            self.negatives += sum_of(negative, segment.len());
            let ([mut low, mut high], [mut group_low, mut group_high]) = (self.upto, group);
            let mut made = 0;
            for (place, row) in segment.iter().enumerate() {
                low += positive[0][place];
                high += positive[1][place];
                group_low += negative[0][place];
                group_high += negative[1][place];
                // The group so far is written, and kept if the next row has another score.
                positive[0][made] = low;
                positive[1][made] = high;
                negative[0][made] = group_low;
                negative[1][made] = group_high;
                let next = rows.get(start + place + 1);
                let ends = next.is_none_or(|next| next.key != row.key);
                let kept = u64::from(ends).wrapping_sub(1);
                group_low &= kept;
                group_high &= kept;
                made += usize::from(ends);
            }
            self.upto = [low, high];
            group = [group_low, group_high];
            (totals[0][0], totals[1][0]) = before;
            groups(made, &mut self.halves, &mut self.lanes);
            before = (self.halves.totals[0][made], self.halves.totals[1][made]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::exact::Wide;
    use crate::arith::fraction::Fraction;
    use crate::base::column::Column;
    use crate::base::input::Label;
    use crate::base::threads::set_threads;
    use num_bigint::BigInt;
    use proptest::prelude::*;

    type Sample = (u8, f64, f64);

    /// The definition in fractions.
    fn naive(rows: &[Sample]) -> (Option<f64>, f64, f64) {
        let mut rows: Vec<Sample> = rows.iter().copied().filter(|row| row.2 > 0.0).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        let quanta = |sum: Wide| Fraction::whole(BigInt::from(sum.quanta()));
        let mut sums = [Wide::default(); 2];
        let mut twice = Fraction::whole(0);
        for group in rows.chunk_by(|a, b| a.1 == b.1) {
            let before = sums;
            for row in group {
                let sum = &mut sums[usize::from(row.0)];
                *sum = sum.plus(Wide::of(row.2, Wide::LOWEST));
            }
            let positives = quanta(before[1].plus(sums[1]));
            twice = twice.plus(&quanta(sums[0].minus(before[0])).times(&positives));
        }
        let pairs = quanta(sums[0]).times(&quanta(sums[1])).times(&Fraction::whole(2));
        let area = pairs.inverse().map(|pairs| twice.times(&pairs).to_f64());
        let [n, p] = sums.map(|sum| sum.to_f64(Wide::LOWEST));
        (area, p, n)
    }

    fn found(rows: &[Sample], scores: &Scores) -> Option<(Option<f64>, f64, f64)> {
        let labels: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let labels = Labels::U8(Column::from_slice(&labels));
        let weights = Column::from_slice(&weights);
        let found = weighted_auc(&labels, scores, weights, &options);
        found.unwrap().map(|found| (found.area, found.positives, found.negatives))
    }

    fn doubles(scores: &[f64]) -> Scores<'_> {
        Scores::F64(Column::from_slice(scores))
    }

    /// Rows from a seed, with and without ties, and with one kind of weights.
    fn rows(len: usize, seed: u64, distinct: u64, kind: u8, share: u64) -> Vec<Sample> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 24
        };
        let row = |_| {
            let label = u8::from(next() % 100 < share);
            let score = ((next() % distinct) as f64 - distinct as f64 / 2.0) / 3.0;
            let unit = next() as f64 / (1_u64 << 40) as f64;
            let weight = match kind {
                0 => unit,
                1 => (next() % 10) as f64,
                2 => (1 + (next() << 20)) as f64,
                3 => 1.0 / (1e-9 + unit),
                4 => 0.1,
                _ => f64::from(unit as f32) * 3e-250,
            };
            (label, score, weight)
        };
        (0..len).map(row).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn the_area_has_the_bits_of_sums_over_groups(
            len in prop_oneof![1..40_usize, 500..530_usize, 1000..4000_usize, 4095..4099_usize, 5000..20_000_usize],
            seed: u64,
            distinct in prop_oneof![1..9_u64, Just(3000), Just(100_000), Just(1 << 40)],
            kind in 0..6_u8,
            share in prop_oneof![Just(0_u64), Just(1), Just(30), Just(99), Just(100)],
        ) {
            let rows = rows(len, seed, distinct, kind, share);
            let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            if let Some(found) = found(&rows, &doubles(&scores)) {
                prop_assert_eq!(found, naive(&rows));
            } else {
                prop_assert_eq!(kind, 3); // weights of 100 bits and more
            }
            let singles: Vec<f32> = scores.iter().map(|&score| score as f32).collect();
            let coarse: Vec<Sample> = rows.iter().zip(&singles).map(|(row, &s)| (row.0, s.into(), row.2)).collect();
            if let Some(found) = found(&coarse, &Scores::F32(Column::from_slice(&singles))) {
                prop_assert_eq!(found, naive(&coarse));
            } else {
                prop_assert_eq!(kind, 3);
            }
        }
    }

    #[test]
    fn parts_of_the_rows_give_the_same_bits() {
        for (distinct, kind) in [(1 << 40, 0), (50_000, 0), (3, 1)] {
            let rows = rows(140_000, 7, distinct, kind, 30);
            let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let [one, two, seven] = [1, 2, 7].map(|threads| {
                set_threads(Some(threads)).unwrap();
                found(&rows, &doubles(&scores))
            });
            assert!(one.is_some() && one == two && one == seven);
            set_threads(None).unwrap();
        }
    }

    #[test]
    fn whole_numbers_whose_sum_is_between_two_doubles_are_settled() {
        // Sums of products from 2^54 on, half of them in the middle between two numbers.
        for seed in 0..40 {
            let mut rows = rows(200, seed, 50, 2, 50);
            for row in &mut rows {
                row.2 = (row.2 / 2_f64.powi(33)).floor();
            }
            let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            assert_eq!(found(&rows, &doubles(&scores)), Some(naive(&rows)));
        }
    }

    #[test]
    fn weights_that_are_too_far_apart_are_left_to_a_table() {
        for (small, large) in [(1e-30, 1.0), (5e-324, 1e-300), (1.0, 1e300), (1e299, 1e300)] {
            let rows = [(0, 0.1, small), (1, 0.2, large), (0, 0.3, large)];
            assert_eq!(found(&rows, &doubles(&[0.1, 0.2, 0.3])), None);
        }
    }
}
