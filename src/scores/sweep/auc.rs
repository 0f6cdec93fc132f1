//! The area under the ROC curve as an exact count of pairs, without sorting.
//!
//! The area is the share of (positive, negative) pairs that the scores rank correctly. Ties count
//! one half.
//!
//! 1. Up to 4,096 rows are sorted (`few.rs`). Scores of at most 16 bits are counted in a table of
//!    all their keys. Scores that a sample shows to have few distinct values are counted in a hash
//!    table. Doubles that are all singles get keys of 32 bits.
//! 2. All other rows are scattered into about a thousand buckets of ascending score
//!    (`partition.rs`). Pairs of rows in different buckets follow from running totals of the two
//!    classes.
//! 3. Within a bucket the rarer class is placed into twice as many tiny cells as it has rows, a
//!    counting sort by the leading bits.
//! 4. Each row of the other class looks up where its cell starts, and compares itself with the
//!    eight keys from there in one vector comparison. The start and the two comparison counts are
//!    its rank. There are no branches, and the counts stay in vector lanes until the end.
//! 5. Where a cell holds more than eight keys windows are wider. Where many rows are tied, windows
//!    hold distinct keys and how many rows have each. Where scores cluster, a huge bucket is
//!    partitioned again; in a small one the rarer class is sorted and searched.
//!
//! Everything is counted in integers, so the answer is exact and the same for any number of
//! threads.
//!
//! Cost at 1e7 rows: 5 ns a row (4 for 32-bit scores), which is 0.7 (1.1) times numpy's AVX-512
//! sort of the scores. Extra memory: 8 (4) bytes a row. Never worse than O(n log n).
//!
//! Source of the statistic: Mann and Whitney 1947, doi:10.1214/aoms/1177730491.
//!
//! Tried and rejected:
//! - sorting each class and merging (4 times slower);
//! - radix sort of either width (slower still);
//! - blocks read without prefetching the next one (half of the comparisons' time was spent
//!   waiting);
//! - 1536 or 2048 buckets (15 % slower at 1e7);
//! - searching tied rows one by one (4 times slower at five digits than windows of distinct keys).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::column::chunks;
use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::memory::{Gather, Room};
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Lowered, ScoreKind, Stop, extent};
use crate::scores::sweep::few;
use crate::scores::sweep::partition::{BLOCK, Partition, Reuse, Splitter, parts};
use crate::scores::sweep::rows::{Apart, Chunk, Input, Rows, STRIP, SweepOptions, sorted_sample};

/// Up to this many rows are sorted and searched at once.
pub(crate) const FEW_ROWS: usize = switch_at(4096, 32);
/// Rows that a bucket should hold.
const BUCKET_ROWS: usize = switch_at(8192, 16);
/// More rows than this in one bucket, and it is partitioned again.
const HUGE_BUCKET: usize = switch_at(1 << 18, 64);
/// Most distinct scores to count by hashing.
pub(crate) const HASHED: usize = 1 << 15;

/// The Mann–Whitney statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RankSum {
    /// Over all (positive, negative) pairs: 2 where the positive row has the higher score, 1 where
    /// they tie.
    pub twice_u: u128,
    /// Positive rows.
    pub positives: u64,
    /// Negative rows.
    pub negatives: u64,
}

impl RankSum {
    /// The area under the ROC curve, `twice_u / (2 · positives · negatives)`; `None` if a class is
    /// absent.
    pub fn area(&self) -> Option<f64> {
        let pairs = 2 * u128::from(self.positives) * u128::from(self.negatives);
        (pairs > 0).then(|| self.twice_u as f64 / pairs as f64)
    }
}

/// The exact rank sum of scores against labels of two classes.
///
/// # Errors
/// Columns of different lengths or without rows, a third label, a missing or fractional label, a
/// NaN or infinite score that the options do not allow.
///
/// ```
/// use rocksteady::base::column::Column;
/// use rocksteady::base::input::{Labels, Scores};
/// use rocksteady::scores::sweep::auc::roc_auc;
/// use rocksteady::scores::sweep::rows::SweepOptions;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
/// let sum = roc_auc(&y_true, &y_score, &SweepOptions::default())?;
/// assert_eq!((sum.twice_u, sum.area()), (6, Some(0.75)));
/// # Ok::<(), rocksteady::base::error::Refusal>(())
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
                ranked(
                    table
                        .iter()
                        .map(|&[negatives, positives]| (negatives, positives)),
                )
            }),
            None => rank_sum::<u32>(&input),
        }
    };
    outcome.map_err(|stop| match stop {
        Stop::Refused(refusal) if ScoreKind::of(y_score).is_wide() => {
            input.first_refusal::<u64>(refusal)
        }
        Stop::Refused(refusal) => input.first_refusal::<u32>(refusal),
        // Only doubles can be inexact, and they have been counted as doubles by now.
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

/// Rows of each class per key, for keys from `offset` to `offset + size`.
pub(crate) fn dense_counts(
    rows: &impl Rows<u32>,
    offset: u32,
    size: usize,
) -> std::result::Result<Vec<[u64; 2]>, Stop> {
    let tables = parts(rows.rows(), |part| {
        let mut table = vec![[0_u64; 2]; size];
        let mut chunk = Chunk::new();
        for range in chunks(part) {
            let mut ahead = range.end;
            rows.lower(range, &mut chunk)?;
            for (keys, codes) in chunk.strips() {
                rows.prefetch(ahead..ahead + STRIP);
                ahead += STRIP;
                for (&key, &code) in keys.iter().zip(codes) {
                    table[(key - offset) as usize][usize::from(code & 1)] += 1;
                }
            }
        }
        Ok(table)
    })?;
    let mut total = vec![[0; 2]; size];
    for table in tables {
        for (sum, part) in total.iter_mut().zip(table) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
    }
    Ok(total)
}

/// One distinct key in a hash table; empty while both counts are zero.
#[derive(Clone, Copy, Default)]
struct Slot<K> {
    key: K,
    counts: [u32; 2],
}

/// Rows of each class per distinct key, ascending by key; `None` if there turn out to be too many
/// distinct keys.
pub(crate) type Distinct<K> = Vec<(K, [u64; 2])>;

pub(crate) fn hash_counts<K: Key>(
    rows: &impl Rows<K>,
) -> std::result::Result<Option<Distinct<K>>, Stop> {
    let found = parts(rows.rows(), |part| {
        let mut distinct = Vec::new();
        // Counts of 32 bits: no table sees more rows than they can count.
        for from in part.clone().step_by(1 << 31) {
            let range = from..(from + (1 << 31)).min(part.end);
            match hash_part(rows, range)? {
                Some(counted) => distinct.grow_with(counted),
                None => return Ok(None),
            }
        }
        Ok(Some(distinct))
    })?;
    let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let mut all: Distinct<K> = found.into_iter().flatten().gather();
    all.sort_unstable_by_key(|entry| entry.0);
    all.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1[0] += later.1[0];
            kept.1[1] += later.1[1];
        }
        same
    });
    Ok(Some(all))
}

/// A hash table of distinct keys with open addressing.
struct HashTable<K> {
    slots: Vec<Slot<K>>,
    bits: u32,
    /// How many more distinct keys it takes.
    room: usize,
    /// How many more collisions it accepts: keys chosen to collide are counted in another way.
    patience: usize,
}

impl<K: Key> HashTable<K> {
    /// A table for this many rows.
    fn new(rows: usize) -> Self {
        let bits = (rows / 8)
            .next_power_of_two()
            .trailing_zeros()
            .clamp(8, HASHED.trailing_zeros() + 1);
        Self {
            slots: vec![Slot::default(); 1 << bits],
            bits,
            room: 1 << (bits - 1),
            patience: 4 * rows,
        }
    }

    /// The counts of a key, of which at least one must then rise; `None` if there are too many keys
    /// or collisions.
    #[inline(always)]
    fn counts(&mut self, key: K) -> Option<&mut [u32; 2]> {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        let hash = key.wide().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            // An empty slot has key 0, so key 0 takes the first empty one: no harm.
            if self.slots[at].key == key {
                return Some(&mut self.slots[at].counts);
            }
            if self.slots[at].counts == [0; 2] {
                self.room = self.room.checked_sub(1)?;
                self.slots[at].key = key;
            } else {
                self.patience = self.patience.checked_sub(1)?;
                at = (at + 1) & mask;
            }
        }
    }
}

fn hash_part<K: Key>(
    rows: &impl Rows<K>,
    range: std::ops::Range<usize>,
) -> std::result::Result<Option<Distinct<K>>, Stop> {
    let mut table = HashTable::new(range.len());
    let mut chunk = Chunk::new();
    for range in chunks(range) {
        let mut ahead = range.end;
        rows.lower(range, &mut chunk)?;
        for (keys, codes) in chunk.strips() {
            rows.prefetch(ahead..ahead + STRIP);
            ahead += STRIP;
            if keys.iter().all(|&key| key == keys[0]) {
                // Else every row would wait until the count of the row before has been stored.
                let positives: u32 = codes.iter().map(|code| u32::from(code & 1)).sum();
                let Some(counts) = table.counts(keys[0]) else {
                    return Ok(None);
                };
                counts[0] += codes.len() as u32 - positives;
                counts[1] += positives;
                continue;
            }
            for (&key, &code) in keys.iter().zip(codes) {
                let Some(counts) = table.counts(key) else {
                    return Ok(None);
                };
                counts[usize::from(code & 1)] += 1;
            }
        }
    }
    let counted = table.slots.iter().filter(|slot| slot.counts != [0; 2]);
    Ok(Some(
        counted
            .map(|slot| (slot.key, slot.counts.map(u64::from)))
            .gather(),
    ))
}

/// Whether a sorted sample suggests that there are few enough distinct keys to count them by
/// hashing.
pub(crate) fn seem_few<K: Key>(sample: &[K]) -> bool {
    let distinct = 1 + sample.windows(2).filter(|pair| pair[0] != pair[1]).count();
    // Of N equally likely values a sample of m repeats about m²/2N: a sixteenth of 4096 for N =
    // 32768.
    sample.len() >= 16 && distinct <= sample.len() - sample.len() / 16
}

/// How many rows to look at before deciding how to count.
pub(crate) fn sample_size(rows: usize) -> usize {
    (rows / 32).clamp(256, 4096)
}

fn rank_sum<K: Lowered>(rows: &Input) -> std::result::Result<RankSum, Stop> {
    general::<K>(rows, 0)
}

fn general<K: Key>(rows: &impl Rows<K>, depth: u32) -> std::result::Result<RankSum, Stop> {
    if rows.rows() <= FEW_ROWS {
        return few_rows(rows);
    }
    let sample = sorted_sample(rows, sample_size(rows.rows()));
    if seem_few(&sample)
        && let Some(distinct) = hash_counts(rows)?
    {
        let counts = distinct
            .iter()
            .map(|&(_, [negatives, positives])| (negatives, positives));
        return Ok(ranked(counts));
    }
    let splitter = Splitter::new(&sample, wanted_buckets(rows.rows()));
    let partition = Partition::<K>::new(rows, &splitter)?;
    let sums = partition.over_buckets(|buckets| {
        let mut scratch = Scratch::default();
        buckets
            .map(|bucket| bucket_sum(&partition, bucket, &mut scratch, depth))
            .gather()
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
/// numbers of rows are `sizes`. `None` where the scores seem to have few distinct values, which
/// counting handles faster. Rows are scattered by bucket and class at once. In each bucket the
/// kernel places the rows of `own` once, and looks up the rows of all other classes among them.
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
    // Four times as many buckets may be made, and streams have 16 bits.
    let wanted = (sizes[own] / 2048).clamp(8, 128);
    let splitter = Splitter::new(&sample, wanted);
    let partition = Partition::<K>::of_classes(rows, &splitter, classes as u16, reuse)?;
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

/// Of each class in the bucket whose streams begin at `first`: Σ (rows of `own` below + below or
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
    partition
        .pieces(first + own)
        .for_each(|piece| fewer.grow_by(piece));
    if fewer.is_empty() {
        return vec![0; classes];
    }
    let (low, high) = extent(fewer);
    let grid = Grid::new(low, high, fewer.len());
    let widest = place(fewer, &grid, &mut scratch.starts, &mut scratch.placed);
    let is_crowded = widest > 32 || fewer.len() < 32;
    if is_crowded {
        fewer.sort_unstable();
        scratch.groups.gather(fewer);
    }
    let (starts, placed) = (&scratch.starts[..], &scratch.placed[..]);
    let ranks = |piece: &[K]| {
        if is_crowded {
            search(&scratch.groups, piece)
        } else if widest <= 8 {
            u128::from(windows_8(piece, &grid, starts, placed))
        } else {
            u128::from(windows_32(piece, &grid, starts, placed))
        }
    };
    (0..classes)
        .map(|class| {
            if class == own {
                0
            } else {
                partition.pieces(first + class).map(ranks).sum()
            }
        })
        .gather()
}

/// The rank sum of keys in memory.
pub(crate) fn rank_sum_of<K: Key>(negatives: &[K], positives: &[K]) -> RankSum {
    let rows = Apart {
        negatives,
        positives,
    };
    // Keys in memory cannot be refused.
    general(&rows, 0).unwrap_or_default()
}

/// Buckets that stay in cache, and not so many that their streams do not.
fn wanted_buckets(rows: usize) -> usize {
    let (most_streams, most_rows) = (512, 1 << 15);
    (rows / BUCKET_ROWS)
        .clamp(16, most_streams)
        .max((rows / most_rows).min(2048))
}

/// The rank sum of rows in ascending order.
fn few_rows<K: Key>(rows: &impl Rows<K>) -> std::result::Result<RankSum, Stop> {
    let mut sum = RankSum::default();
    let mut twice_u = 0_u64; // Of at most FEW_ROWS rows squared.
    for run in few::in_order(rows)? {
        let (mut below, mut score) = (0, u64::MAX);
        for &word in &run.words {
            // Of one score the negatives come first: by its positives, all those that tie have been
            // counted.
            below = if word >> 1 == score {
                below
            } else {
                sum.negatives
            };
            score = word >> 1;
            sum.negatives += word & 1 ^ 1;
            sum.positives += word & 1;
            twice_u += (word & 1).wrapping_neg() & (below + sum.negatives);
        }
    }
    sum.twice_u = u128::from(twice_u);
    Ok(sum)
}

/// `twice_u` from the ranks of one class among the other: `ranks` is the sum of how many of the
/// fewer are below, and below or equal to, each of the others. `swap` if the fewer are the
/// positives.
fn oriented(ranks: u128, [negatives, positives]: [usize; 2], swap: bool) -> u128 {
    if swap {
        2 * negatives as u128 * positives as u128 - ranks
    } else {
        ranks
    }
}

/// Searches for each of the others among the fewer: Σ (number below + number below or equal).
fn search<K: Key>(fewer: &Groups<K>, others: &[K]) -> u128 {
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
struct Scratch<K> {
    fewer: Vec<K>,
    placed: Vec<K>,
    starts: Vec<u32>,
    groups: Groups<K>,
}

/// Distinct keys, ascending, where many are tied.
#[derive(Default)]
struct Groups<K> {
    keys: Vec<K>,
    /// How many rows have each key, in lanes that vectors add. Exact if there are few enough rows.
    counts: Vec<K>,
    /// How many rows have a lower one; one entry more than keys, for all rows.
    below: Vec<u64>,
}

impl<K: Key> Groups<K> {
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

    /// `starts` becomes the place where each cell of the grid starts. Returns how many keys the
    /// fullest cell has.
    fn spread(&self, starts: &mut Vec<u32>) -> u32 {
        let grid = self.grid();
        starts.clear();
        starts.grow_to(grid.cells, 0);
        self.keys
            .iter()
            .for_each(|&key| starts[grid.cell(key)] += 1);
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
    let (fewer_stream, other_stream) = if swap {
        (2 * bucket + 1, 2 * bucket)
    } else {
        (2 * bucket, 2 * bucket + 1)
    };
    let fewer = &mut scratch.fewer;
    fewer.clear();
    partition
        .pieces(fewer_stream)
        .for_each(|piece| fewer.grow_by(piece));
    if fewer.is_empty() {
        return 0;
    }
    let others = || partition.pieces(other_stream);
    let (low, high) = extent(fewer);
    let grid = Grid::new(low, high, fewer.len());
    let widest = if u32::try_from(fewer.len()).is_ok() {
        place(fewer, &grid, &mut scratch.starts, &mut scratch.placed)
    } else {
        u32::MAX
    };
    let (starts, placed) = (&scratch.starts[..], &scratch.placed[..]);
    let ranks: u128 = if widest <= 8 && placed.len() >= 8 {
        others()
            .map(|piece| u128::from(windows_8(piece, &grid, starts, placed)))
            .sum()
    } else if widest <= 32 && placed.len() >= 32 {
        others()
            .map(|piece| u128::from(windows_32(piece, &grid, starts, placed)))
            .sum()
    } else {
        let mut other_keys = Vec::new();
        others().for_each(|piece| other_keys.grow_by(piece));
        // Another partition would not make a bucket of all rows smaller. The search handles ties
        // well.
        if low < high && sides[0] + sides[1] > HUGE_BUCKET && depth < 4 {
            let (negatives, positives) = if swap {
                (&other_keys, &*fewer)
            } else {
                (&*fewer, &other_keys)
            };
            if let Ok(sum) = general(
                &Apart {
                    negatives,
                    positives,
                },
                depth + 1,
            ) {
                return sum.twice_u;
            }
        }
        fewer.sort_unstable();
        let groups = &mut scratch.groups;
        groups.gather(fewer);
        let widest = groups.spread(&mut scratch.starts);
        if widest <= 8 && groups.keys.len() >= 8 && fewer.len() < 1 << 20 {
            let grid = groups.grid();
            let sums = other_keys
                .chunks(BLOCK)
                .map(|keys| u128::from(group_windows(keys, &grid, &scratch.starts, groups)));
            sums.sum()
        } else {
            search(groups, &other_keys)
        }
    };
    oriented(ranks, sides, swap)
}

/// Equal cells over a range of keys.
#[derive(Clone, Copy)]
pub(crate) struct Grid<K> {
    low: K,
    high: K,
    shift: u32,
    cells: usize,
}

impl<K: Key> Grid<K> {
    /// Between one and two cells for each of `len` keys from `low` to `high`, or a cell for each
    /// key of the range.
    pub(crate) fn new(low: K, high: K, len: usize) -> Self {
        let span = high.minus(low);
        let bits = u64::BITS - span.wide().leading_zeros();
        let shift = bits.saturating_sub(usize::BITS - len.leading_zeros());
        Self {
            low,
            high,
            shift,
            cells: span.above(shift) + 1,
        }
    }

    #[inline(always)]
    fn cell(&self, key: K) -> usize {
        key.max(self.low)
            .min(self.high)
            .minus(self.low)
            .above(self.shift)
    }
}

/// Places keys by cell; `starts` becomes the place where each cell starts. Returns the number of
/// keys in the fullest cell.
#[inline(always)]
fn place_body<K: Key>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &mut Vec<u32>,
    placed: &mut Vec<K>,
) -> u32 {
    starts.clear();
    starts.grow_to(grid.cells, 0);
    for &key in keys {
        starts[grid.cell(key)] += 1;
    }
    let widest = starts.iter().fold(0, |widest, &rows| widest.max(rows));
    running_sums(starts);
    placed.grow_to(keys.len(), K::default());
    for &key in keys {
        let start = &mut starts[grid.cell(key)];
        *start -= 1;
        placed[*start as usize] = key;
    }
    widest
}

/// Replaces each number by the sum of all up to it, itself included. It takes sixteen at a time:
/// four shifted additions give the sums within them, and only one addition depends on the sixteen
/// before.
#[inline(always)]
fn running_sums(numbers: &mut [u32]) {
    #[inline(always)]
    fn add_shifted<const BY: usize>(sums: &mut [u32; 16]) {
        let before = *sums;
        for place in BY..16 {
            sums[place] += before[place - BY];
        }
    }
    let mut total = 0;
    let (blocks, rest) = numbers.as_chunks_mut::<16>();
    for block in blocks {
        add_shifted::<1>(block);
        add_shifted::<2>(block);
        add_shifted::<4>(block);
        add_shifted::<8>(block);
        let sum_of_block = block[15];
        for sum in block.iter_mut() {
            *sum += total;
        }
        total += sum_of_block;
    }
    for number in rest {
        total += *number;
        *number = total;
    }
}

/// Σ (number of placed keys below + number below or equal) over `keys`, if no cell has more than
/// `WINDOW` keys.
///
/// Keys before a window belong to lower cells, or are in the window; keys after it belong to higher
/// cells.
#[inline(always)]
fn windows_body<K: Key, const WINDOW: usize>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &[u32],
    placed: &[K],
) -> u64 {
    let last = placed.len() - WINDOW;
    let mut lanes = [K::default(); WINDOW];
    let mut before = 0;
    for &key in keys {
        let start = (starts[grid.cell(key)] as usize).min(last);
        before += start as u64;
        let window = &placed[start..start + WINDOW];
        for (lane, &other) in lanes.iter_mut().zip(window) {
            *lane = lane.tally(other < key, other <= key);
        }
    }
    2 * before + lanes.iter().map(|lane| lane.wide()).sum::<u64>()
}

/// As [`windows_body`], where each key in the window stands for several rows. Few enough rows that
/// no lane overflows.
#[inline(always)]
fn group_windows_body<K: Key>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &[u32],
    groups: &Groups<K>,
) -> u64 {
    const WINDOW: usize = 8;
    let last = groups.keys.len() - WINDOW;
    let mut lanes = [K::default(); WINDOW];
    let mut before = 0;
    for &key in keys {
        let start = (starts[grid.cell(key)] as usize).min(last);
        before += groups.below[start];
        let window = &groups.keys[start..start + WINDOW];
        let counts = &groups.counts[start..start + WINDOW];
        for ((lane, &other), &count) in lanes.iter_mut().zip(window).zip(counts) {
            *lane = lane.tally_by(count, other < key, other <= key);
        }
    }
    2 * before + lanes.iter().map(|lane| lane.wide()).sum::<u64>()
}

wide! {
    fn group_windows[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], groups: &Groups<K>) -> u64 = group_windows_body;
    pub(crate) fn place[K: Key](keys: &[K], grid: &Grid<K>, starts: &mut Vec<u32>, placed: &mut Vec<K>) -> u32 = place_body;
    fn windows_8[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K]) -> u64 = windows_body::<K, 8>;
    fn windows_32[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K]) -> u64 = windows_body::<K, 32>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use proptest::prelude::*;

    /// Every positive row against every negative one.
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
            // Not a single and of either sign; single; an integer of 16 bits.
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
