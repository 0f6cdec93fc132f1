//! The area under the ROC curve as an exact count of pairs, without sorting.
//!
//! The area is the share of (positive, negative) pairs that the scores rank correctly. Ties count
//! one half.
//!
//! ```text
//! twice = 0                            // 2 for each pair in order, 1 for each tie
//! below = 0                            // negatives in lower buckets
//! for bucket in buckets of ascending score:
//!     twice += 2 * below * positives in the bucket
//!     for row of the bucket's commoner class:
//!         twice += 2 * rows of the rarer class on its right side + ties
//!     below += negatives in the bucket
//! area = twice / (2 * positives * negatives)
//! ```
//!
//! The code below finds the rank without sorting, and takes other ways for few rows and few
//! distinct scores:
//!
//! 1. Rows already ordered by score are read once (`presorted.rs`). Up to 4,096 rows are sorted
//!    (`sort/few.rs`). Scores of at most 16 bits are counted in a table of all their keys. If a
//!    sample shows few distinct values, scores are counted in a hash table. Doubles that are all
//!    singles get keys of 32 bits.
//! 2. All other rows are scattered into about a thousand buckets of ascending score
//!    (`partition.rs`). Pairs of rows in different buckets follow from running totals of the two
//!    classes.
//! 3. Within a bucket the rarer class is placed into twice as many tiny cells as it has rows, a
//!    counting sort by the leading bits.
//! 4. Each row of the other class looks up the start of its cell, and is compared with the eight
//!    keys from there in one vector comparison. The start plus the two comparison counts is its
//!    rank. There are no branches, and the counts stay in vector lanes until the end. Vectors find
//!    the cells of 128 rows beforehand. Keys are compared as signed numbers, the only comparison of
//!    AVX2.
//! 5. If a cell holds more than eight keys, windows are wider. A key shared by many rows is removed
//!    from the rarer class and compared with each row of the other class. A bucket with clustered
//!    scores is partitioned again; in a small bucket the rarer class is sorted and searched, in
//!    windows of distinct keys with the number of rows of each.
//!
//! All counts are integers, so the answer is exact and the same for any number of threads.
//!
//! Cost at 1e7 rows: 5 ns a row (4 for 32-bit scores), which is 0.7 (1.1) times numpy's AVX-512
//! sort of the scores. Extra memory: 8 (4) bytes a row. Never worse than O(n log n). Doubt: the
//! limits between these ways were measured on few processors; others may have better ones.
//!
//! Source of the statistic: Mann and Whitney 1947, doi:10.1214/aoms/1177730491.
//!
//! Tried and rejected:
//! - sorting each class and merging (4 times slower);
//! - radix sort of either width (slower still);
//! - blocks read without prefetching the next block (half of the comparisons' time was spent
//!   waiting);
//! - 1536 or 2048 buckets (15 % slower at 1e7);
//! - no padding keys after the last window (the compiler then computes the start of a window with a
//!   branch, which is mispredicted in buckets with few rows of the rarer class: 1.6 times slower
//!   with 1 % positives);
//! - clustered buckets partitioned again from 16,384 or 4,096 rows on (up to 1.25 times slower at
//!   1e4 and 1e5 rows; from 64 on is as fast as from 1,024);
//! - adding comparison counts as numbers with AVX-512 (two instructions more than an addition under
//!   the mask of the comparison: 5 % slower);
//! - streams checked once for each strip when rows are scattered, not at each row (no faster);
//! - ranking few rows like a bucket, without sorting (a tenth to a fifth faster at 1,000 sigmoid
//!   scores of 32 bits, slower if some cell holds more than eight keys: uniform scores, two digits,
//!   repeated scores; with four times as many cells their sums take as long as the sort; cells in
//!   bytes as in `sort/few.rs`, with both classes placed in one pass, are slower, too);
//! - searching tied rows one by one (at five digits 4 times slower than windows of distinct keys).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::memory::{Gather, Room};
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Lowered, ScoreKind, Stop, extent};
use crate::scores::sweep::distinct::dense_counts;
pub(crate) use crate::scores::sweep::distinct::hash_counts;
use crate::scores::sweep::partition::{BLOCK, Partition, Reuse, Splitter};
use crate::scores::sweep::presorted::{self, Order};
pub use crate::scores::sweep::rank_sum::RankSum;
use crate::scores::sweep::rows::{Apart, Input, Rows, SweepOptions, sorted_sample};
use crate::scores::sweep::sort::few;
use crate::scores::sweep::sort::windows::{CellMemory, Cells, Grid, WIDE_WINDOW};

/// Up to this many rows are sorted and searched at once.
pub(crate) const FEW_ROWS: usize = switch_at(4096, 32);
const BUCKET_ROWS: usize = switch_at(8192, 16);
/// A larger bucket is partitioned again.
const HUGE_BUCKET: usize = switch_at(1 << 10, 64);
/// The most repeated keys removed from a bucket.
const MOST_ATOMS: usize = 16;
/// The most of these keys with less than one row in 32.
const MOST_SMALL_ATOMS: usize = 4;

/// The exact rank sum of scores against labels of two classes.
///
/// # Errors
/// Columns of different lengths or without rows, a third label, a missing or fractional label, a
/// NaN or infinite score that the options do not allow.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::sweep::auc::roc_auc;
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
/// let sum = roc_auc(&y_true, &y_score, &SweepOptions::default())?;
/// assert_eq!((sum.twice_u, sum.area()), (6, Some(0.75)));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn roc_auc(y_true: &Labels, y_score: &Scores, options: &SweepOptions) -> Result<RankSum> {
    let input = Input::new(y_true, y_score, None, options)?;
    let rows = y_score.len();
    let outcome = if ScoreKind::of(y_score).is_wide() {
        if rows > FEW_ROWS && input.seem_single() {
            match rank_sum::<u32>(&input) {
                Err(Stop::Inexact) => rank_sum::<u64>(&input),
                settled => settled,
            }
        } else {
            rank_sum::<u64>(&input)
        }
    } else {
        let few = y_score.few_keys().filter(|_| rows > FEW_ROWS);
        match few {
            Some((offset, size)) => dense_counts(&input, offset, size).map(|table| {
                ranked(table.iter().map(|&[negatives, positives]| (negatives, positives)))
            }),
            None => rank_sum::<u32>(&input),
        }
    };
    outcome.map_err(|stop| match stop {
        Stop::Refused(refusal) if ScoreKind::of(y_score).is_wide() => {
            input.first_refusal::<u64>(refusal)
        }
        Stop::Refused(refusal) => input.first_refusal::<u32>(refusal),
        // Only doubles can be inexact, and by now they have been counted as doubles.
        Stop::Inexact => unreachable!("doubles are doubles"),
    })
}

/// The rank sum from (negatives, positives) per distinct score, ascending.
fn ranked(counts: impl Iterator<Item = (u64, u64)>) -> RankSum {
    let mut sum = RankSum::default();
    for (negatives, positives) in counts {
        sum.twice_u +=
            u128::from(positives) * (2 * u128::from(sum.negatives) + u128::from(negatives));
        sum.positives += positives;
        sum.negatives += negatives;
    }
    sum
}

/// Whether a sorted sample suggests that there are few enough distinct keys to count them by
/// hashing.
pub(crate) fn seem_few<K: Key>(sample: &[K]) -> bool {
    let (mut distinct, mut once, mut twice) = (0, 0, 0);
    for group in sample.chunk_by(|a, b| a == b) {
        distinct += 1;
        once += usize::from(group.len() == 1);
        twice += usize::from(group.len() == 2);
    }
    // With N equally likely values a sample of m repeats about m²/2N: a sixteenth of 4096 for
    // N = 32768. The number of unseen values is estimated from the values that the sample has once
    // and twice (Chao 1984), so a few very frequent values do not hide many rare ones.
    let unseen = once * once.saturating_sub(1) / (2 * (twice + 1));
    sample.len() >= 16
        && distinct <= sample.len() - sample.len() / 16
        && unseen <= 16 * sample.len()
}

/// The sample size for choosing a method.
pub fn sample_size(rows: usize) -> usize {
    (rows / 32).clamp(256, 4096)
}

fn rank_sum<K: Lowered>(rows: &Input) -> std::result::Result<RankSum, Stop> {
    general::<K>(rows, 0)
}

fn general<K: Key>(rows: &impl Rows<K>, depth: u32) -> std::result::Result<RankSum, Stop> {
    if rows.rows() <= FEW_ROWS {
        return few_rows(rows);
    }
    let size = sample_size(rows.rows());
    if let Some(order) = Order::from_rows(rows, size / 16)
        && let Some(sum) = presorted::rank_sum(rows, order)?
    {
        return Ok(sum);
    }
    let sample = sorted_sample(rows, size);
    if seem_few(&sample)
        && let Some(distinct) = hash_counts(rows)?
    {
        let counts = distinct.iter().map(|&(_, [negatives, positives])| (negatives, positives));
        return Ok(ranked(counts));
    }
    let splitter = Splitter::new(&sample, wanted_buckets(rows.rows()));
    let partition = Partition::<K>::new(rows, &splitter)?;
    let sums = partition.over_buckets(|buckets| {
        let mut scratch = Scratch::default();
        buckets.map(|bucket| bucket_sum(&partition, bucket, &mut scratch, depth)).gather()
    });
    let mut sum = RankSum::default();
    for (bucket, within) in sums.into_iter().flatten().enumerate() {
        let negatives = partition.len(2 * bucket) as u64;
        let positives = partition.len(2 * bucket + 1) as u64;
        sum.twice_u += within + 2 * u128::from(positives) * u128::from(sum.negatives);
        sum.positives += positives;
        sum.negatives += negatives;
    }
    Ok(sum)
}

/// The rank sums of the rows of class `own` against the rows of each of up to 64 classes, whose
/// numbers of rows are `sizes`. `None` if the scores seem to have few distinct values, which
/// counting handles faster. Rows are scattered by bucket and class together. In each bucket the
/// kernel places the rows of `own` once, and ranks the rows of all other classes among them.
pub(crate) fn rank_sums_against<K: Key>(
    rows: &impl Rows<K>,
    own: usize,
    sizes: &[usize],
    reuse: &Reuse<K>,
) -> std::result::Result<Option<Vec<RankSum>>, Stop> {
    let classes = sizes.len();
    let sample = sorted_sample(rows, sample_size(rows.rows()));
    if seem_few(&sample) {
        return Ok(None);
    }
    // The splitter may use four times as many buckets, and stream numbers have 16 bits.
    let wanted = (sizes[own] / 2048).clamp(8, 128);
    let splitter = Splitter::new(&sample, wanted);
    let partition = Partition::<K>::from_classes(rows, &splitter, classes as u16, reuse)?;
    let parts = partition.over_buckets(|buckets| {
        let mut scratch = Scratch::default();
        buckets
            .map(|bucket| ranks_in_bucket(&partition, bucket * classes, own, classes, &mut scratch))
            .gather()
    });
    let mut sums: Vec<RankSum> = vec![RankSum::default(); classes];
    for (bucket, ranks) in parts.into_iter().flatten().enumerate() {
        let positives = partition.len(bucket * classes + own) as u64;
        for (class, (sum, ranks)) in sums.iter_mut().zip(ranks).enumerate() {
            let negatives = partition.len(bucket * classes + class) as u64;
            let pairs = 2 * u128::from(positives) * u128::from(negatives);
            sum.twice_u += pairs - ranks + 2 * u128::from(positives) * u128::from(sum.negatives);
            sum.positives += positives;
            sum.negatives += negatives;
        }
    }
    partition.leave(reuse);
    Ok(Some(sums))
}

/// For each class in the bucket whose streams begin at `first`: Σ (rows of `own` below + below or
/// equal).
fn ranks_in_bucket<K: Key>(
    partition: &Partition<K>,
    first: usize,
    own: usize,
    classes: usize,
    scratch: &mut Scratch<K>,
) -> Vec<u128> {
    let fewer = &mut scratch.fewer;
    fewer.clear();
    partition.pieces(first + own).for_each(|piece| fewer.grow_by(piece));
    if fewer.is_empty() {
        return vec![0; classes];
    }
    let cells = Cells::of(fewer, &mut scratch.cells);
    if cells.is_none() {
        fewer.sort_unstable();
        scratch.distinct.gather(fewer);
    }
    let is_last = first / classes + 1 == partition.buckets;
    let ranks = |piece: &[K]| match &cells {
        Some(cells) => cells.ranks(piece, is_last),
        None => search(&scratch.distinct, piece),
    };
    (0..classes)
        .map(
            |class| {
                if class == own { 0 } else { partition.pieces(first + class).map(ranks).sum() }
            },
        )
        .gather()
}

/// The rank sum of keys in memory.
pub(crate) fn rank_sum_of<K: Key>(negatives: &[K], positives: &[K]) -> RankSum {
    let rows = Apart { negatives, positives };
    // Keys in memory cannot be refused.
    general(&rows, 0).unwrap_or_default()
}

/// The number of buckets: small enough buckets to stay in cache, few enough streams to stay in
/// cache.
pub(crate) fn wanted_buckets(rows: usize) -> usize {
    let (most_streams, most_rows) = (512, 1 << 15);
    (rows / BUCKET_ROWS).clamp(16, most_streams).max((rows / most_rows).min(2048))
}

/// The rank sum of at most [`FEW_ROWS`] rows.
fn few_rows<K: Key>(rows: &impl Rows<K>) -> std::result::Result<RankSum, Stop> {
    let (mut keys, mut codes) = few::lowered(rows)?;
    if let Some(order) = Order::of(&keys)
        && let Some(sum) = presorted::rank_sum_of_keys(&mut keys, &mut codes, order)
    {
        return Ok(sum);
    }
    Ok(few_in_order(&keys, &codes))
}

/// The rank sum of rows that are sorted first.
fn few_in_order<K: Key>(keys: &[K], codes: &[u8]) -> RankSum {
    let mut sum = RankSum::default();
    let mut twice_u = 0_u64; // Of at most FEW_ROWS rows squared.
    for run in few::ordered(keys, codes) {
        let (mut below, mut score) = (0, u64::MAX);
        for &word in &run.words {
            // Negatives with an equal score come first: at the positives of a score, all tied
            // negatives have been counted.
            below = if word >> 1 == score { below } else { sum.negatives };
            score = word >> 1;
            sum.negatives += word & 1 ^ 1;
            sum.positives += word & 1;
            twice_u += (word & 1).wrapping_neg() & (below + sum.negatives);
        }
    }
    sum.twice_u = u128::from(twice_u);
    sum
}

/// `twice_u` from the ranks of one class among the other: `ranks` is the sum over the commoner
/// class of the rarer class's rows below, and below or equal. `swap` if the rarer class is
/// positive.
fn oriented(ranks: u128, [negatives, positives]: [usize; 2], swap: bool) -> u128 {
    if swap { 2 * negatives as u128 * positives as u128 - ranks } else { ranks }
}

/// Searches each row of the commoner class among the rarer one: Σ (number below + number below or
/// equal).
fn search<K: Key>(fewer: &Distinct<K>, others: &[K]) -> u128 {
    let mut sum = 0;
    for &key in others {
        let place = fewer.keys.partition_point(|&other| other < key);
        let ties = match fewer.keys.get(place) {
            Some(&other) if other == key => fewer.below[place + 1] - fewer.below[place],
            _ => 0,
        };
        sum += u128::from(2 * fewer.below[place] + ties);
    }
    sum
}

/// Scratch memory, shared by all buckets.
#[derive(Default)]
struct Scratch<K: Key> {
    fewer: Vec<K>,
    cells: CellMemory<K>,
    distinct: Distinct<K>,
}

/// Distinct keys, ascending, for buckets with many ties.
#[derive(Default)]
struct Distinct<K> {
    keys: Vec<K>,
    /// The number of rows with each key, in lanes for vector addition. Exact if there are few
    /// enough rows.
    counts: Vec<K>,
    /// The number of rows with a lower key; one more entry for the number of all rows.
    below: Vec<u64>,
}

impl<K: Key> Distinct<K> {
    fn gather(&mut self, ascending: &[K]) {
        self.keys.clear();
        self.counts.clear();
        self.below.clear();
        let mut below = 0;
        for group in ascending.chunk_by(|a, b| a == b) {
            self.keys.grow(group[0]);
            self.counts.grow(K::narrow(group.len() as u64));
            self.below.grow(below);
            below += group.len() as u64;
        }
        self.below.grow(below);
    }

    fn grid(&self) -> Grid<K> {
        let ends = self.keys.first().zip(self.keys.last());
        let (low, high) = ends.map_or((K::default(), K::default()), |(&low, &high)| (low, high));
        Grid::new(low, high, self.keys.len())
    }

    /// Writes the start of each cell of the grid to `starts`. Returns the number of keys in the
    /// fullest cell.
    fn spread(&self, starts: &mut Vec<u32>) -> u32 {
        let grid = self.grid();
        starts.clear();
        starts.grow_to(grid.cells, 0);
        self.keys.iter().for_each(|&key| starts[grid.cell(key)] += 1);
        let (mut end, mut widest) = (0, 0);
        for start in starts.iter_mut() {
            let held = std::mem::replace(start, end);
            widest = widest.max(held);
            end += held;
        }
        widest
    }
}

/// Twice the number of correctly ranked pairs within a bucket, plus the number of ties.
fn bucket_sum<K: Key>(
    partition: &Partition<K>,
    bucket: usize,
    scratch: &mut Scratch<K>,
    depth: u32,
) -> u128 {
    let sides = [partition.len(2 * bucket), partition.len(2 * bucket + 1)];
    let swap = sides[1] < sides[0];
    let (fewer_stream, other_stream) =
        if swap { (2 * bucket + 1, 2 * bucket) } else { (2 * bucket, 2 * bucket + 1) };
    let fewer = &mut scratch.fewer;
    fewer.clear();
    partition.pieces(fewer_stream).for_each(|piece| fewer.grow_by(piece));
    if fewer.is_empty() {
        return 0;
    }
    let others = || partition.pieces(other_stream);
    let is_last = bucket + 1 == partition.buckets;
    // A key shared by many rows is removed from the rarer class, and compared with each row of the
    // other.
    let (mut ranks, mut small) = (0, 0);
    for _ in 0..MOST_ATOMS {
        let mut atom = repeated(fewer);
        if atom.is_none() {
            if let Some(cells) = Cells::of(fewer, &mut scratch.cells) {
                let sums = others().map(|piece| cells.ranks(piece, is_last));
                return oriented(ranks + sums.sum::<u128>(), sides, swap);
            }
            atom = repeated(scratch.cells.fullest());
        }
        let Some(atom) = atom else { break };
        let held = fewer.len();
        fewer.retain(|&key| key != atom);
        let sums = others().map(|piece| u128::from(ranks_of_one(piece, atom)));
        ranks += (held - fewer.len()) as u128 * sums.sum::<u128>();
        if fewer.is_empty() {
            return oriented(ranks, sides, swap);
        }
        small += usize::from(32 * (held - fewer.len()) < held);
        if small == MOST_SMALL_ATOMS {
            break;
        }
    }
    let (low, high) = extent(fewer);
    let mut other_keys = Vec::new();
    others().for_each(|piece| other_keys.grow_by(piece));
    // Another partition would not make a bucket of all rows smaller. The search handles ties well.
    if low < high && fewer.len() + other_keys.len() > HUGE_BUCKET && depth < 4 {
        let (negatives, positives) =
            if swap { (&other_keys, &*fewer) } else { (&*fewer, &other_keys) };
        let apart = Apart { negatives, positives };
        if let Ok(sum) = general(&apart, depth + 1) {
            let counts = [negatives.len(), positives.len()];
            return oriented(ranks + oriented(sum.twice_u, counts, swap), sides, swap);
        }
    }
    fewer.sort_unstable();
    let distinct = &mut scratch.distinct;
    distinct.gather(fewer);
    let widest = distinct.spread(&mut scratch.cells.starts);
    ranks += if widest <= 8 && distinct.keys.len() >= 8 && fewer.len() < 1 << 20 {
        let grid = distinct.grid();
        let sums = other_keys
            .chunks(BLOCK)
            .map(|keys| u128::from(distinct_windows(keys, &grid, &scratch.cells.starts, distinct)));
        sums.sum()
    } else {
        search(distinct, &other_keys)
    };
    oriented(ranks, sides, swap)
}

/// A key that many rows probably share: it occurs twice among eight of more than [`WIDE_WINDOW`]
/// keys.
fn repeated<K: Key>(keys: &[K]) -> Option<K> {
    if keys.len() <= WIDE_WINDOW {
        return None;
    }
    let some: [K; 8] = std::array::from_fn(|place| keys[keys.len() * place / 8]);
    let is_repeated = |place: &usize| some[..*place].contains(&some[*place]);
    (1..8).find(is_repeated).map(|place| some[place])
}

/// Σ (whether `one` is below + whether it is below or equal) over `keys`.
#[inline(always)]
fn ranks_of_one_body<K: Key>(keys: &[K], one: K) -> u64 {
    let mut lanes = [K::default(); 16];
    let (sixteens, rest) = keys.as_chunks::<16>();
    for keys in sixteens {
        for (lane, &key) in lanes.iter_mut().zip(keys) {
            *lane = lane.tally(one < key, one <= key);
        }
    }
    for &key in rest {
        lanes[0] = lanes[0].tally(one < key, one <= key);
    }
    lanes.iter().map(|lane| lane.wide()).sum()
}

/// Like `windows_body`, for keys that stand for several rows, few enough that no lane overflows.
#[inline(always)]
fn distinct_windows_body<K: Key>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &[u32],
    distinct: &Distinct<K>,
) -> u64 {
    const WINDOW: usize = 8;
    let last = distinct.keys.len() - WINDOW;
    let mut lanes = [K::default(); WINDOW];
    let mut before = 0;
    for &key in keys {
        let start = (starts[grid.cell(key)] as usize).min(last);
        before += distinct.below[start];
        let window = &distinct.keys[start..start + WINDOW];
        let counts = &distinct.counts[start..start + WINDOW];
        for ((lane, &other), &count) in lanes.iter_mut().zip(window).zip(counts) {
            *lane = lane.tally_by(count, other < key, other <= key);
        }
    }
    2 * before + lanes.iter().map(|lane| lane.wide()).sum::<u64>()
}

wide! {
    fn distinct_windows[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], distinct: &Distinct<K>) -> u64 = distinct_windows_body;
    fn ranks_of_one[K: Key](keys: &[K], one: K) -> u64 = ranks_of_one_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use proptest::prelude::*;

    fn naive(rows: &[(u8, f64)]) -> RankSum {
        let class = |of: u8| rows.iter().filter(move |row| row.0 == of).map(|row| row.1);
        let pairs = class(1)
            .flat_map(|p| class(0).map(move |n| 2 * u128::from(p > n) + u128::from(p == n)));
        RankSum {
            twice_u: pairs.sum(),
            positives: class(1).count() as u64,
            negatives: class(0).count() as u64,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_greatest_key_and_keys_of_many_rows_are_ranked(
            rows in 4100..20_000_usize,
            seed: u64,
            share in prop_oneof![0.0..1.0, Just(0.003)],
            (greatest, atom, crowd) in (0.0..0.3, 0.0..0.6, 0.0..0.4),
            bits in prop_oneof![Just(64_u32), 16..64_u32],
        ) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 11
            };
            let chance = |bits: u64, share: f64| (bits as f64) < share * (1_u64 << 53) as f64;
            let (mut labels, mut scores, mut counts) = (Vec::new(), Vec::new(), std::collections::BTreeMap::new());
            for _ in 0..rows {
                let label = chance(next(), share);
                let score: u64 = if chance(next(), greatest) {
                    u64::MAX
                } else if chance(next(), atom) {
                    1 << 60
                } else if chance(next(), crowd) {
                    (1 << 61) + next() % 5000
                } else {
                    (next() << 11) >> (64 - bits)
                };
                labels.grow(u8::from(label));
                scores.grow(score);
                let count: &mut (u64, u64) = counts.entry(score).or_default();
                *(if label { &mut count.1 } else { &mut count.0 }) += 1;
            }
            let y_true = Labels::U8(Column::from_slice(&labels));
            let found = roc_auc(&y_true, &Scores::U64(Column::from_slice(&scores)), &SweepOptions::zero_one());
            prop_assert_eq!(found.unwrap(), ranked(counts.into_values()));
        }

        #[test]
        fn the_rank_sum_is_that_of_all_pairs(
            rows in prop_oneof![Just(1_usize), 2..300_usize, 4095..4099_usize, 4100..9000_usize],
            seed: u64,
            // From no ties to few distinct scores.
            distinct in prop_oneof![Just(1_u64), 2..40_u64, Just(3000), Just(1 << 40)],
            share in 0.0..1.0,
            threads in 1..4_usize,
        ) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state >> 24
            };
            let rows: Vec<(u8, f64)> = (0..rows)
                .map(|_| (u8::from((next() as f64) < share * (1_u64 << 40) as f64), (next() % distinct) as f64))
                .collect();
            let labels: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let y_true = Labels::U8(Column::from_slice(&labels));
            let options = SweepOptions { pos_label: Some(crate::base::input::Label::Int(1)), ..SweepOptions::default() };
            crate::base::threads::set_threads(Some(threads)).unwrap();
            let expected = naive(&rows);
            // Doubles of either sign that are no singles; singles; 16-bit integers.
            let doubles: Vec<f64> = rows.iter().map(|row| (row.1 - distinct as f64 / 2.0) / 3.0).collect();
            let scores = Scores::F64(Column::from_slice(&doubles));
            prop_assert_eq!(roc_auc(&y_true, &scores, &options).unwrap(), expected);
            if distinct <= 3000 {
                let singles: Vec<f32> = rows.iter().map(|row| row.1 as f32 / 4.0).collect();
                let scores = Scores::F32(Column::from_slice(&singles));
                prop_assert_eq!(roc_auc(&y_true, &scores, &options).unwrap(), expected);
                let short: Vec<i16> = rows.iter().map(|row| row.1 as i16 - 1500).collect();
                let scores = Scores::I16(Column::from_slice(&short));
                prop_assert_eq!(roc_auc(&y_true, &scores, &options).unwrap(), expected);
            }
            crate::base::threads::set_threads(None).unwrap();
        }
    }
}
