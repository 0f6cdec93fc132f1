//! The rank sum of rows already ordered by score, ascending or descending: one read.
//!
//! 1. The kernel tests a small sample, then each chunk. For rows in any other order the first few
//!    rows of the sample show it, at almost no cost. The first chunk out of order ends the reading,
//!    and the rows are ranked in the general way.
//! 2. Descending rows are read as ascending ones: keys are subtracted from the greatest key, and
//!    classes are exchanged, so the pairs do not change.
//! 3. If no two scores of a chunk tie, the rank of a positive row is its place. So vectors add the
//!    places.
//! 4. If few tie, vectors compare the rows at a distance of one, two and so on, and correct the sum
//!    of places. If many tie, one loop without branches adds a term at the end of each group of
//!    ties. Few groups are searched one by one.
//! 5. Each run of rows keeps its first and its last group. Where two runs meet, their adjacent
//!    groups are merged if they tie. So chunks and threads may end anywhere.
//!
//! All counts are integers.
//!
//! Cost: a sixth to a third of the time for the same rows in random order, and no more than a hash
//! table of few distinct scores.
//!
//! Tried and rejected:
//! - an earlier form of the loop of step 4 for all chunks with ties (two to three times slower for
//!   1e6 scores of 32 bits with one tie in twenty);
//! - prefetching the rows of the next chunk (no faster at any distance).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::hint::select_unpredictable;

use crate::base::column::chunks;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Stop};
use crate::scores::sweep::partition::parts;
use crate::scores::sweep::rank_sum::RankSum;
use crate::scores::sweep::rows::{Chunk, Rows, spread};

/// Up to this many groups of tied rows are searched one by one.
const FEW_GROUPS: u64 = 16;
/// Vectors compare tied pairs up to this distance.
const NEAR: usize = 8;

/// The order of the keys from row to row; all may tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Ascending,
    Descending,
}

impl Order {
    /// The order of a sample of about `count` rows, if there is one. Most rows have no order, and
    /// the first few of the sample show it.
    pub(crate) fn from_rows<K: Key>(rows: &impl Rows<K>, count: usize) -> Option<Self> {
        let (mut before, mut rises, mut falls) = (None, true, true);
        for key in spread(rows.rows(), count).filter_map(|row| rows.sample(row)) {
            let last = before.replace(key).unwrap_or(key);
            rises &= last <= key;
            falls &= last >= key;
            if !rises && !falls {
                return None;
            }
        }
        Some(if rises { Self::Ascending } else { Self::Descending })
    }

    /// The order of keys, if there is one.
    pub(crate) fn of<K: Key>(keys: &[K]) -> Option<Self> {
        // Most rows have no order, and show it early.
        let start = &keys[..keys.len().min(16)];
        let (before, after) = (&keys[..keys.len().max(1) - 1], &keys[keys.len().min(1)..]);
        if start.is_sorted() && steps(before, after)[0] == 0 {
            Some(Self::Ascending)
        } else if start.is_sorted_by(|a, b| a >= b) && steps(after, before)[0] == 0 {
            Some(Self::Descending)
        } else {
            None
        }
    }
}

/// The negatives and positives with one key.
#[derive(Clone, Copy, Debug, Default)]
struct Group<K> {
    key: K,
    sides: [u64; 2],
}

impl<K: Key> Group<K> {
    fn of(key: K, codes: &[u8]) -> Self {
        let positives = positives_of(codes);
        Self { key, sides: [codes.len() as u64 - positives, positives] }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            key: self.key,
            sides: [0, 1].map(|side: usize| self.sides[side] + other.sides[side]),
        }
    }
}

/// Consecutive rows in ascending order; empty at first.
#[derive(Clone, Copy, Debug, Default)]
struct Run<K> {
    sum: RankSum,
    first: Group<K>,
    last: Group<K>,
}

impl<K: Key> Run<K> {
    /// A run of at most 2^16 keys; `None` if they do not ascend.
    fn of(keys: &[K], codes: &[u8]) -> Option<Self> {
        let Some((&low, &high)) = keys.first().zip(keys.last()) else {
            return Some(Self::default());
        };
        let [falls, ties] = steps(&keys[..keys.len() - 1], &keys[1..]);
        if falls > 0 {
            return None;
        }
        let positives = positives_of(codes);
        let negatives = keys.len() as u64 - positives;
        let groups = keys.len() as u64 - ties;
        let twice_u = if groups <= FEW_GROUPS {
            sum_of_groups(keys, codes)
        } else {
            let sum = 2 * places_of_positives(codes) - positives * positives.saturating_sub(1);
            sum_of_ties(keys, codes, ties)
                .map_or_else(|| tied_sum(keys, codes), |ties| sum.wrapping_add(ties))
        };
        let [first, last] = if groups == 1 {
            [Group { key: low, sides: [negatives, positives] }; 2]
        } else {
            let upto_first = keys.partition_point(|&key| key <= low);
            let before_last = keys.partition_point(|&key| key < high);
            [Group::of(low, &codes[..upto_first]), Group::of(high, &codes[before_last..])]
        };
        Some(Self {
            sum: RankSum { twice_u: u128::from(twice_u), positives, negatives },
            first,
            last,
        })
    }

    /// These rows followed by `next`; `None` if a lower key follows.
    fn then(self, next: Self) -> Option<Self> {
        if self.is_empty() || next.is_empty() {
            return Some(if self.is_empty() { next } else { self });
        }
        if next.first.key < self.last.key {
            return None;
        }
        let meet = self.last.key == next.first.key;
        let pairs = |positives: u64, negatives: u64| u128::from(positives) * u128::from(negatives);
        let mut twice_u =
            self.sum.twice_u + next.sum.twice_u + 2 * pairs(next.sum.positives, self.sum.negatives);
        if meet {
            twice_u -= pairs(next.first.sides[1], self.last.sides[0]);
            // The other tied pairs count one instead of two; so far they count nothing.
            twice_u += pairs(self.last.sides[1], next.first.sides[0]);
        }
        let is_one = |run: &Self| run.first.key == run.last.key;
        Some(Self {
            sum: RankSum {
                twice_u,
                positives: self.sum.positives + next.sum.positives,
                negatives: self.sum.negatives + next.sum.negatives,
            },
            first: if meet && is_one(&self) { self.first.plus(next.first) } else { self.first },
            last: if meet && is_one(&next) { self.last.plus(next.last) } else { next.last },
        })
    }

    fn is_empty(&self) -> bool {
        self.sum.positives + self.sum.negatives == 0
    }
}

/// The rank sum of rows in this order; `None` if they are not.
pub(crate) fn rank_sum<K: Key>(rows: &impl Rows<K>, order: Order) -> Result<Option<RankSum>, Stop> {
    let runs = parts(rows.rows(), |part| {
        let mut chunk = Chunk::new();
        let mut run = Run::default();
        for range in chunks(part) {
            rows.lower(range, &mut chunk)?;
            let len = chunk.len;
            match run_of(&mut chunk.keys[..len], &mut chunk.codes[..len], order)
                .and_then(|next| run.then(next))
            {
                Some(longer) => run = longer,
                None => return Ok(None),
            }
        }
        Ok(Some(run))
    })?;
    let all = runs.into_iter().try_fold(Run::default(), |run, next| run.then(next?));
    Ok(all.map(|run| of_order(run.sum, order)))
}

/// The rank sum of at most 2^16 keys in this order; overwrites them and their classes. `None` if
/// they are not in order.
pub(crate) fn rank_sum_of_keys<K: Key>(
    keys: &mut [K],
    codes: &mut [u8],
    order: Order,
) -> Option<RankSum> {
    run_of(keys, codes, order).map(|run| of_order(run.sum, order))
}

fn run_of<K: Key>(keys: &mut [K], codes: &mut [u8], order: Order) -> Option<Run<K>> {
    if order == Order::Descending {
        turn(keys, codes);
    }
    Run::of(keys, codes)
}

/// The rank sum of the original rows, if the classes were exchanged.
fn of_order(sum: RankSum, order: Order) -> RankSum {
    match order {
        Order::Ascending => sum,
        Order::Descending => RankSum { positives: sum.negatives, negatives: sum.positives, ..sum },
    }
}

#[inline(always)]
fn turn_body<K: Key>(keys: &mut [K], codes: &mut [u8]) {
    for key in keys {
        *key = K::MAX.minus(*key);
    }
    for code in codes {
        *code ^= 1;
    }
}

/// How many keys are below the key before, and how many equal it.
#[inline(always)]
fn steps_body<K: Key>(before: &[K], after: &[K]) -> [u64; 2] {
    let (mut falls, mut ties) = (K::default(), K::default());
    for (&before, &after) in before.iter().zip(after) {
        falls = falls.tally(after < before, false);
        ties = ties.tally(after == before, false);
    }
    [falls.wide(), ties.wide()]
}

/// The sum of the places of the positives among at most 2^16 rows.
#[inline(always)]
fn places_body(codes: &[u8]) -> u64 {
    let mut places = 0_u32;
    for (place, &code) in (0_u32..).zip(codes) {
        places = places.wrapping_add(place & u32::from(code & 1).wrapping_neg());
    }
    places.into()
}

#[inline(always)]
fn positives_body(codes: &[u8]) -> u64 {
    let of_block = |block: &[u8]| block.iter().fold(0_u8, |sum, code| sum + (code & 1));
    codes.chunks(128).map(|block| u64::from(of_block(block))).sum()
}

/// For few groups of ties in ascending order: twice the pairs in order, plus the tied pairs.
fn sum_of_groups<K: Key>(keys: &[K], codes: &[u8]) -> u64 {
    let (mut keys, mut codes) = (keys, codes);
    let (mut twice_u, mut below) = (0, 0);
    while let Some(&low) = keys.first() {
        let len = keys.partition_point(|&key| key <= low);
        let [negatives, positives] = Group::of(low, &codes[..len]).sides;
        twice_u += positives * (2 * below + negatives);
        below += negatives;
        (keys, codes) = (&keys[len..], &codes[len..]);
    }
    twice_u
}

/// The correction for tied pairs to a sum that counts two if the positive comes later: plus one if
/// it comes first, minus one if it comes later. There are `ties` tied neighbours. `None` if more
/// than [`NEAR`] keys tie.
fn sum_of_ties<K: Key>(keys: &[K], codes: &[u8], mut ties: u64) -> Option<u64> {
    let mut sum = 0_u64;
    for distance in 1..=NEAR {
        if ties == 0 {
            return Some(sum);
        }
        let more;
        [ties, more] = pairs_apart(keys, codes, distance);
        sum = sum.wrapping_add(more);
    }
    (ties == 0).then_some(sum)
}

/// The number of tied pairs at a distance, and in how many more of these the first row is positive
/// than the second.
#[inline(always)]
fn pairs_body<K: Key>(keys: &[K], codes: &[u8], distance: usize) -> [u64; 2] {
    let (mut ties, mut firsts, mut seconds) = (K::default(), K::default(), K::default());
    let keys = keys.iter().zip(&keys[distance..]);
    let codes = codes.iter().zip(&codes[distance..]);
    for ((first, second), (&code, &other)) in keys.zip(codes) {
        let tie = first == second;
        ties = ties.tally(tie, false);
        firsts = firsts.tally_by(K::narrow(u64::from(code & 1)), tie, false);
        seconds = seconds.tally_by(K::narrow(u64::from(other & 1)), tie, false);
    }
    [ties.wide(), firsts.wide().wrapping_sub(seconds.wide())]
}

/// Twice the pairs in order, plus the tied pairs, for rows in ascending order.
#[inline(always)]
fn tied_body<K: Key>(keys: &[K], codes: &[u8]) -> u64 {
    let (mut twice_u, mut rows, mut negatives) = (0, 0_u64, 0_u64);
    // The rows before the group.
    let (mut positives_before, mut negatives_before) = (0, 0);
    for ((key, next), &code) in keys.iter().zip(&keys[1..]).zip(codes) {
        rows += 1;
        negatives += u64::from(code & 1 ^ 1);
        let positives = rows - negatives;
        let is_end = next != key;
        let term = (positives - positives_before) * (negatives + negatives_before);
        twice_u += select_unpredictable(is_end, term, 0);
        positives_before = select_unpredictable(is_end, positives, positives_before);
        negatives_before = select_unpredictable(is_end, negatives, negatives_before);
    }
    let last = u64::from(codes[codes.len() - 1] & 1);
    rows += 1;
    negatives += 1 - last;
    twice_u + (rows - negatives - positives_before) * (negatives + negatives_before)
}

wide! {
    fn turn[K: Key](keys: &mut [K], codes: &mut [u8]) -> () = turn_body;
    fn steps[K: Key](before: &[K], after: &[K]) -> [u64; 2] = steps_body;
    fn places_of_positives[](codes: &[u8]) -> u64 = places_body;
    pub(crate) fn positives_of[](codes: &[u8]) -> u64 = positives_body;
    fn pairs_apart[K: Key](keys: &[K], codes: &[u8], distance: usize) -> [u64; 2] = pairs_body;
    fn tied_sum[K: Key](keys: &[K], codes: &[u8]) -> u64 = tied_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::base::threads::set_threads;
    use crate::scores::sweep::auc::roc_auc;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// Every positive row against every negative row.
    fn naive(rows: &[(u32, u8)]) -> u128 {
        let (mut sides, mut sum) = (std::collections::BTreeMap::<u32, [u128; 2]>::new(), 0);
        for &(score, code) in rows {
            sides.entry(score).or_default()[usize::from(code)] += 1;
        }
        let mut below = 0;
        for [negatives, positives] in sides.into_values() {
            sum += positives * (2 * below + negatives);
            below += negatives;
        }
        sum
    }

    fn rows_of(len: usize, seed: u64, distinct: u64, share: u64) -> Vec<(u32, u8)> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 30
        };
        let mut rows: Vec<(u32, u8)> = (0..len)
            .map(|_| ((next() % distinct) as u32, u8::from(next() % 100 < share)))
            .collect();
        rows.sort_by_key(|row| row.0);
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn rows_in_order_have_the_rank_sum_of_all_pairs(
            len in prop_oneof![1..40_usize, 2040..2060_usize, 4090..4200_usize, 5000..40_000_usize],
            seed: u64,
            distinct in prop_oneof![1..9_u64, Just(3000), Just(1 << 31)],
            share in prop_oneof![Just(0_u64), Just(1), Just(30), Just(100)],
            threads in 1..8_usize,
            is_descending: bool,
            moved in prop_oneof![Just(None), (0..1_usize << 32).prop_map(Some)],
        ) {
            let mut rows = rows_of(len, seed, distinct, share);
            if is_descending {
                rows.reverse();
            }
            let expected = naive(&rows);
            if let Some(moved) = moved {
                // One row out of order changes no sum, only the method.
                let last = rows.len() - 1;
                rows.swap(moved % len, last);
            }
            let positives = rows.iter().filter(|row| row.1 == 1).count() as u64;
            let labels: Vec<u8> = rows.iter().map(|row| row.1).collect();
            let doubles: Vec<f64> = rows.iter().map(|row| f64::from(row.0) / 3.0 - 500.0).collect();
            let whole: Vec<u32> = rows.iter().map(|row| row.0).collect();
            set_threads(Some(threads)).unwrap();
            for scores in [Scores::F64(Column::from_slice(&doubles)), Scores::U32(Column::from_slice(&whole))] {
                let labels = Labels::U8(Column::from_slice(&labels));
                let found = roc_auc(&labels, &scores, &SweepOptions::zero_one()).unwrap();
                let negatives = len as u64 - positives;
                prop_assert_eq!(found, RankSum { twice_u: expected, positives, negatives });
            }
            set_threads(None).unwrap();
        }
    }

    #[test]
    fn zeros_of_either_sign_tie_and_what_is_out_of_order_has_no_sum() {
        let (labels, scores) = ([1, 0, 1, 0], [-0.0, 0.0, 0.0, -0.0]);
        let labels = Labels::U8(Column::from_slice(&labels));
        let scores = Scores::F64(Column::from_slice(&scores));
        let found = roc_auc(&labels, &scores, &SweepOptions::default()).unwrap();
        assert_eq!(found.area(), Some(0.5));
        assert_eq!(Order::of(&[3_u32, 3, 4]), Some(Order::Ascending));
        assert_eq!(Order::of(&[3_u32, 3, 2]), Some(Order::Descending));
        assert_eq!(Order::of(&[3_u32, 4, 3]), None);
        let (mut keys, mut codes) = ([1_u64, 3, 2], [0, 1, 0]);
        assert_eq!(rank_sum_of_keys(&mut keys, &mut codes, Order::Ascending), None);
    }
}
