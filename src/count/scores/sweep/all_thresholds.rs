//! Every threshold at once: distinct scores from high to low with the positives and negatives at or
//! above each.
//!
//! 1. Rows are scattered into buckets of ascending score, each class apart
//!    (`scores::sweep::partition`). Scores with few distinct values are counted by hashing instead.
//! 2. In a bucket each row becomes one word: its key relative to the lowest of the bucket, with the
//!    class in the last bit.
//! 3. The words are put in order (`sort/cells.rs`). They are as wide as keys.
//! 4. One backward pass over the words writes score, positives and negatives. It advances only
//!    where the score changes, without branches. If no two words tie, every row is a step, and
//!    vectors sum the classes of eight rows at once. A bucket with one score is one step.
//! 5. The memory for all steps is allocated once. The rows of each class above a bucket are known,
//!    so each thread writes final totals, starting at the place where its buckets would begin
//!    without ties. Afterwards steps move up to close gaps left by ties.
//! 6. Rows of a collector stay in memory. So many doubles are counted in two turns: first the four
//!    fifths with the highest scores, then the others. Scattered rows and table together then take
//!    26 bytes a row instead of 32.
//! 7. With weights, the rows of both classes are sorted together (`sort/weighted.rs`). The rows of
//!    each score and the running totals are summed as whole numbers of quanta
//!    ([`crate::arith::exact`]), so the bits are the same for any order of rows. Rows of weight
//!    zero are dropped.
//!
//! Cost at 1e6 rows: about 13 ns a row, including 5 ns for scattering (1.6 to 1.8 times numpy's
//! AVX-512 sort of the scores; singles 2.5 to 2.9 times). Two turns take 14 % longer than one.
//! Never worse than O(n log n). The table takes 24 bytes a row, and the scattered rows 8. Memory
//! that ties leave unused is freed at the end. With weights a table takes about twice as long.
//!
//! Tried and rejected:
//! - buckets of 512 or of 2048 rows (within 5 %);
//! - steps written to scratch and copied (5 % slower than into the table's own memory, which is why
//!   this file and `steps.rs` have `unsafe`);
//! - a table for each thread, joined afterwards (copying was a quarter of the work).
#![allow(unsafe_code)]
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;
use std::ptr;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Weights, Wide};
use crate::base::column::chunks;
use crate::base::error;
use crate::base::input::{Labels, Scores};
use crate::base::interrupt;
use crate::base::memory::Room;
use crate::base::switch::switch_at;
use crate::base::threads::{joined_by, prefer_huge_pages};
use crate::base::wide::wide;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Key, Keys, ScoreKind, Stop, TableKey, extent};
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::sweep::auc::{hash_counts, sample_size, seem_few};
use crate::scores::sweep::partition::{Partition, Reuse, Splitter};
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions, sorted_sample};
use crate::scores::sweep::sort::cells::Sorter;
use crate::scores::sweep::sort::few;
use crate::scores::sweep::sort::weighted::{Bucket, Extent, Row};
use crate::scores::sweep::steps::{SharedSlots, Slots, Spare, Steps, joined_totals};

pub(crate) const BUCKET_ROWS: usize = switch_at(1024, 16);

/// From this many rows on, rows that are kept in memory beside the table are counted in two turns.
const MANY: usize = switch_at(1 << 22, 200);

/// One row in `LATER` waits for the second turn.
const LATER: usize = 5;

/// The table of every threshold.
///
/// # Errors
/// Columns of different lengths or without rows, a third label, a missing or fractional label, a
/// NaN or infinite score that the options do not allow, a weight that is negative or not finite;
/// the errors of [`WeightKind::squares`].
///
/// [`WeightKind::squares`]: crate::arith::weight_kind::WeightKind::squares
pub fn score_table(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
) -> error::Result<ScoreTable> {
    let table = swept(y_true, y_score, weights, options)?;
    let argument = options.arguments.sample_weight;
    match options.weight_kind.squares(weights, argument)? {
        None => Ok(table),
        Some(squares) => {
            let squares = Some(Weights::from_slice(&squares));
            table.with_squares(swept(y_true, y_score, squares, options)?)
        }
    }
}

/// The table of the weights, without their squares.
fn swept(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
) -> error::Result<ScoreTable> {
    let input = Input::new(y_true, y_score, weights, options)?;
    let kind = ScoreKind::of(y_score);
    let is_weighted = weights.is_some();
    let outcome = if kind.is_wide() {
        sweep::<u64>(&input, is_weighted)
    } else {
        sweep::<u32>(&input, is_weighted)
    };
    match outcome {
        Ok((keys, masses)) => {
            let labels = BinaryLabels::from_column(y_true, input.pair, options.pos_label.clone());
            Ok(ScoreTable::from_sweep(kind, keys, masses, labels))
        }
        Err(Stop::Refused(refusal)) if kind.is_wide() => Err(input.first_refusal::<u64>(refusal)),
        Err(Stop::Refused(refusal)) => Err(input.first_refusal::<u32>(refusal)),
        Err(Stop::Inexact) => unreachable!("no score is narrowed here"),
    }
}

pub(crate) fn sweep<K: TableKey>(
    rows: &impl Rows<K>,
    is_weighted: bool,
) -> Result<(Keys, Masses), Stop> {
    if !is_weighted && rows.rows() <= few::MOST {
        return table_of_few(rows);
    }
    let sample = sorted_sample(rows, sample_size(rows.rows()));
    if !is_weighted
        && seem_few(&sample)
        && let Some(distinct) = hash_counts(rows)?
    {
        let mut steps = Steps::with_room(distinct.len());
        let (mut negatives, mut positives) = (0, 0);
        for &(key, counts) in distinct.iter().rev() {
            negatives += counts[0];
            positives += counts[1];
            steps.push(key, positives, negatives);
        }
        return Ok(steps.counted());
    }
    if !is_weighted {
        return Ok(count(rows, &sample)?.counted());
    }
    let splitter = Splitter::new(&sample, buckets_of(rows.rows()));
    // A sample has a greater share of distinct scores than all rows, or about the same.
    let distinct = 1 + sample.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let share = distinct as f64 / sample.len().max(1) as f64;
    let reuse = Reuse::new();
    let none = |_, _| Extent::NONE;
    let (partition, extents) =
        Partition::<Row<K>>::from_classes_beside(rows, &splitter, 1, &reuse, none)?;
    let span = span_of(&partition, extents.into_iter().fold(Extent::NONE, Extent::union));
    if span.is_narrow() {
        weigh::<K, u128>(partition, span, share, Sums::Narrow)
    } else {
        weigh::<K, Wide>(partition, span, share, Sums::Wide)
    }
}

fn table_of_few<K: TableKey>(rows: &impl Rows<K>) -> Result<(Keys, Masses), Stop> {
    let mut totals = [0; 2];
    let mut steps = Steps::with_room(rows.rows());
    for run in few::in_order(rows)?.into_iter().rev() {
        steps.grow_in(run.words.len(), |slots| {
            walk(&run.words, run.low, &mut totals, slots);
        });
    }
    Ok(steps.counted())
}

/// The number of buckets for `rows` rows.
fn buckets_of(rows: usize) -> usize {
    (rows / BUCKET_ROWS).clamp(1, 1024)
}

/// The steps of all rows; the ascending sample is representative.
fn count<K: Key, R: Rows<K>>(rows: &R, sample: &[K]) -> Result<Steps<K, u64>, Stop> {
    // Singles need less memory in one turn than doubles in two.
    let later =
        if R::ARE_KEPT && K::BITS > 32 && rows.rows() >= MANY { sample.len() / LATER } else { 0 };
    let mut totals = [0; 2];
    if later == 0 {
        let splitter = Splitter::new(sample, buckets_of(rows.rows()));
        let partition = Partition::new(rows, &splitter)?;
        let mut steps = Steps::untouched(partition.rows());
        count_buckets(&partition, &mut totals, &mut steps);
        return Ok(steps);
    }
    let mut steps = Steps::untouched(rows.rows());
    let least = sample[later];
    let (below, from) = sample.split_at(sample.partition_point(|&key| key < least));
    for (is_below, sample) in [(false, from), (true, below)] {
        let turn = Turn {
            rows,
            least,
            is_below,
            share: sample.len() as f64 / (from.len() + below.len()) as f64,
        };
        let splitter = Splitter::new(sample, buckets_of(rows.rows()));
        count_buckets(&Partition::new(&turn, &splitter)?, &mut totals, &mut steps);
    }
    Ok(steps)
}

/// The rows with keys below a limit, or all others.
struct Turn<'a, K, R> {
    rows: &'a R,
    least: K,
    is_below: bool,
    /// Approximately the share of these rows.
    share: f64,
}

impl<K: Key, R: Rows<K>> Rows<K> for Turn<'_, K, R> {
    fn rows(&self) -> usize {
        self.rows.rows()
    }

    fn likely(&self, rows: usize) -> usize {
        (rows as f64 * self.share) as usize
    }

    fn sample(&self, row: usize) -> Option<K> {
        let key = self.rows.sample(row)?;
        ((key < self.least) == self.is_below).then_some(key)
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.rows.prefetch(rows);
    }

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> Result<(), Stop> {
        self.rows.lower(rows, chunk)?;
        let (keys, codes) = (&mut chunk.keys[..chunk.len], &mut chunk.codes[..chunk.len]);
        // Each row is written, and kept unless the next row overwrites it: no branch.
        let mut kept = 0;
        for place in 0..keys.len() {
            // Not read again from its new place, since each row would wait for the row before.
            let key = keys[place];
            (keys[kept], codes[kept]) = (key, codes[place]);
            kept += usize::from((key < self.least) == self.is_below);
        }
        chunk.len = kept;
        Ok(())
    }
}

/// Adds the steps of all buckets, on top of the totals of negatives and positives.
fn count_buckets<K: Key>(
    partition: &Partition<K>,
    totals: &mut [u64; 2],
    steps: &mut Steps<K, u64>,
) {
    // The negatives and positives above each bucket, and in it.
    let mut above = vec![*totals; partition.buckets + 1];
    for bucket in (0..partition.buckets).rev() {
        let own = [0, 1].map(|class| partition.len(2 * bucket + class) as u64);
        above[bucket] = [0, 1].map(|class| above[bucket + 1][class] + own[class]);
    }
    let rows_above = totals.iter().sum::<u64>();
    let rows_from = |bucket: usize| (above[bucket].iter().sum::<u64>() - rows_above) as usize;
    let len = rows_from(0);
    let (keys, positives, negatives) = steps.spare(len);
    let shared = SharedSlots {
        keys: keys.as_mut_ptr(),
        positives: positives.as_mut_ptr(),
        negatives: negatives.as_mut_ptr(),
        len,
    };
    let parts = partition.over_buckets(|buckets| {
        let first = rows_from(buckets.end);
        // SAFETY: parts have different buckets, and each bucket a place for each of its rows. The
        // memory is that of `steps`.
        let mut slots = unsafe { shared.part(first..rows_from(buckets.start)) };
        prefer_huge_pages(slots.keys);
        prefer_huge_pages(slots.positives);
        prefer_huge_pages(slots.negatives);
        let mut counter = Counter::above(above[buckets.end]);
        for bucket in buckets.rev() {
            interrupt::check();
            if bucket > 0 {
                partition.prefetch(bucket - 1);
            }
            let streams = [2 * bucket, 2 * bucket + 1].map(|stream| partition.pieces(stream));
            let ends = Ends::of(&streams);
            counter.fill(streams, &ends, &mut slots);
        }
        first..first + slots.made
    });
    // Later parts have higher scores.
    let mut made = 0;
    for part in parts.into_iter().rev() {
        if part.start > made {
            for range in chunks(part.clone()) {
                let to = made + (range.start - part.start);
                // SAFETY: what is moved was written by a part, and goes up within the memory.
                unsafe {
                    ptr::copy(shared.keys.add(range.start), shared.keys.add(to), range.len());
                    ptr::copy(
                        shared.positives.add(range.start),
                        shared.positives.add(to),
                        range.len(),
                    );
                    ptr::copy(
                        shared.negatives.add(range.start),
                        shared.negatives.add(to),
                        range.len(),
                    );
                }
            }
        }
        made += part.len();
    }
    // SAFETY: the parts have written so many, which now follow one another.
    unsafe { steps.grow(made) };
    *totals = above[0];
}

/// The distinct ends of keys.
struct Ends<K> {
    low: K,
    high: K,
    rows: usize,
}

impl<K: Key> Ends<K> {
    fn of<'a>(classes: &[impl Iterator<Item = &'a [K]> + Clone; 2]) -> Self {
        let mut ends = Self { low: K::MAX, high: K::default(), rows: 0 };
        for piece in classes.iter().flat_map(Clone::clone) {
            let (low, high) = extent(piece);
            ends.low = ends.low.min(low);
            ends.high = ends.high.max(high);
            ends.rows += piece.len();
        }
        ends
    }
}

/// Counts buckets from high to low: the totals so far, and scratch.
#[derive(Default)]
pub(crate) struct Counter<K> {
    pub(crate) positives: u64,
    pub(crate) negatives: u64,
    words: Vec<K>,
    sorter: Sorter<K>,
}

impl<K: Key> Counter<K> {
    /// Starts with the negatives and positives above.
    fn above([negatives, positives]: [u64; 2]) -> Self {
        Self { positives, negatives, ..Self::default() }
    }

    /// Replaces the steps by the steps of a bucket, added to the negatives and positives above it.
    pub(crate) fn sort_from(
        &mut self,
        [negatives, positives]: [u64; 2],
        partition: &Partition<K>,
        bucket: usize,
        steps: &mut Steps<K, u64>,
    ) {
        (self.positives, self.negatives) = (positives, negatives);
        steps.clear();
        let streams = [2 * bucket, 2 * bucket + 1];
        self.count(streams.map(|stream| partition.pieces(stream)), steps);
    }

    /// Adds the steps of the next lower bucket, whose negative and then positive rows come in
    /// pieces.
    pub(crate) fn count<'a>(
        &mut self,
        classes: [impl Iterator<Item = &'a [K]> + Clone; 2],
        steps: &mut Steps<K, u64>,
    ) {
        let ends = Ends::of(&classes);
        steps.grow_in(ends.rows, |slots| self.fill(classes, &ends, slots));
    }

    /// [`Self::count`] into memory with one place for each row.
    fn fill<'a>(
        &mut self,
        classes: [impl Iterator<Item = &'a [K]> + Clone; 2],
        &Ends { low, high, .. }: &Ends<K>,
        slots: &mut Slots<'_, K>,
    ) {
        if low > high {
            return;
        }
        if low == high {
            let [negatives, positives] =
                classes.map(|pieces| pieces.map(<[K]>::len).sum::<usize>());
            self.negatives += negatives as u64;
            self.positives += positives as u64;
            slots.keys[slots.made].write(low);
            slots.positives[slots.made].write(self.positives);
            slots.negatives[slots.made].write(self.negatives);
            slots.made += 1;
            return;
        }
        let first_bit = K::BITS - 1;
        if high.minus(low).wide() >> first_bit == 1 {
            // Keys of scores of both signs use all bits, so a class bit would not fit. Keys of one
            // sign share the first bit, which is dropped.
            for first in [1, 0] {
                self.words.clear();
                for (class, pieces) in (0..).zip(classes.clone()) {
                    for piece in pieces {
                        let own = piece.iter().map(|key| key.wide());
                        let own = own.filter(|key| key >> first_bit == first);
                        self.words.grow_with(own.map(|key| K::narrow(key << 1 | class)));
                    }
                }
                let low = extent(&self.words).0.wide() & !1;
                for word in &mut self.words {
                    *word = word.minus(K::narrow(low));
                }
                self.walk(K::narrow(first << first_bit | low >> 1), slots);
            }
            return;
        }
        self.words.clear();
        for (class, pieces) in (0..).zip(classes) {
            for piece in pieces {
                let before = self.words.len();
                self.words.grow_to(before + piece.len(), K::default());
                words_of(piece, low, class, &mut self.words[before..]);
            }
        }
        self.walk(low, slots);
    }

    /// Sorts the words, and adds their steps.
    fn walk(&mut self, low: K, slots: &mut Slots<'_, K>) {
        let mut totals = [self.negatives, self.positives];
        walk(self.sorter.sorted(&mut self.words), low, &mut totals, slots);
        [self.negatives, self.positives] = totals;
    }
}

/// Adds the steps of ascending words to the totals of negatives and positives.
fn walk<W: Key, K: Key>(words: &[W], low: K, totals: &mut [u64; 2], slots: &mut Slots<'_, K>) {
    let rows = words.len();
    let places = slots.made..slots.made + rows;
    let keys = &mut slots.keys[places.clone()];
    let ups = &mut slots.positives[places.clone()];
    let downs = &mut slots.negatives[places];
    let [mut negatives, mut positives] = *totals;
    if are_distinct(words) {
        let found = distinct_steps(words, low, positives, negatives, keys, ups, downs);
        *totals = [negatives + rows as u64 - (found - positives), found];
        slots.made += rows;
        return;
    }
    // Backwards: a step is written for every row and kept if the next row has another score. So all
    // kept steps have been written, in all three columns. There are at least two rows.
    let (mut at, mut below) = (0, words[rows - 1].wide() >> 1);
    for word in words.iter().rev() {
        let word = word.wide();
        at += usize::from(word >> 1 != below);
        below = word >> 1;
        positives += word & 1;
        negatives += word & 1 ^ 1;
        keys[at].write(K::narrow(low.wide() + below));
        ups[at].write(positives);
        downs[at].write(negatives);
    }
    *totals = [negatives, positives];
    slots.made += at + 1;
}

/// Words of rows of one class: the key relative to the lowest, and the class in the last bit.
#[inline(always)]
fn words_body<K: Key>(keys: &[K], low: K, class: u64, words: &mut [K]) {
    for (word, key) in words.iter_mut().zip(keys) {
        *word = K::narrow(key.minus(low).wide() << 1 | class);
    }
}

/// Whether all scores of sorted words are distinct.
#[inline(always)]
fn are_distinct_body<W: Key>(words: &[W]) -> bool {
    let later = words.get(1..).unwrap_or_default();
    let mut distinct = true;
    for (a, b) in words.iter().zip(later) {
        distinct &= (a.wide() ^ b.wide()) > 1;
    }
    distinct
}

/// Writes a step for each word, from the last to the first, on top of the given positives and
/// negatives. Returns the final number of positives.
#[inline(always)]
fn distinct_steps_body<W: Key, K: Key>(
    words: &[W],
    low: K,
    positives: u64,
    negatives: u64,
    keys: Spare<'_, K>,
    ups: Spare<'_, u64>,
    downs: Spare<'_, u64>,
) -> u64 {
    #[inline(always)]
    fn add_shifted<const BY: usize>(sums: &mut [u64; 8]) {
        let before = *sums;
        for place in BY..8 {
            sums[place] += before[place - BY];
        }
    }
    let (mut found, mut rows) = (positives, positives + negatives);
    let (up_eights, last_ups) = ups.as_chunks_mut::<8>();
    let (down_eights, last_downs) = downs.as_chunks_mut::<8>();
    let (rest, eights) = words.as_rchunks::<8>();
    for ((up, down), words) in up_eights.iter_mut().zip(down_eights).zip(eights.iter().rev()) {
        let mut sums = [0; 8];
        for lane in 0..8 {
            sums[lane] = words[7 - lane].wide() & 1;
        }
        add_shifted::<1>(&mut sums);
        add_shifted::<2>(&mut sums);
        add_shifted::<4>(&mut sums);
        for lane in 0..8 {
            let sum = found + sums[lane];
            up[lane].write(sum);
            down[lane].write(rows + lane as u64 + 1 - sum);
        }
        found += sums[7];
        rows += 8;
    }
    for ((up, down), word) in last_ups.iter_mut().zip(last_downs).zip(rest.iter().rev()) {
        found += word.wide() & 1;
        rows += 1;
        up.write(found);
        down.write(rows - found);
    }
    for (key, word) in keys.iter_mut().zip(words.iter().rev()) {
        key.write(K::narrow(low.wide() + (word.wide() >> 1)));
    }
    found
}

wide! {
    fn words_of[K: Key](keys: &[K], low: K, class: u64, words: &mut [K]) -> () = words_body;
    fn are_distinct[W: Key](words: &[W]) -> bool = are_distinct_body;
    fn distinct_steps[W: Key, K: Key](
        words: &[W],
        low: K,
        positives: u64,
        negatives: u64,
        keys: Spare<'_, K>,
        ups: Spare<'_, u64>,
        downs: Spare<'_, u64>,
    ) -> u64 = distinct_steps_body;
}

/// Adds the steps of rows (key, class and weight) to the totals of the classes.
pub(crate) fn weigh_rows<K: Key, F: Fixed>(
    rows: &mut [(K, bool, f64)],
    quantum: i32,
    totals: [&mut F; 2],
    steps: &mut Steps<K, F>,
) {
    let [negatives, positives] = totals;
    rows.sort_unstable_by_key(|row| row.0);
    for group in rows.chunk_by(|a, b| a.0 == b.0).rev() {
        for &(_, class, weight) in group {
            let total = if class { &mut *positives } else { &mut *negatives };
            *total = total.plus(F::of(weight, quantum));
        }
        steps.push(group[0].0, *positives, *negatives);
    }
}

/// Adds the steps of rows by descending key to the totals of negatives and positives.
fn weigh_bucket<K: Key, F: Fixed>(
    rows: &[Row<K>],
    quantum: i32,
    totals: &mut [F; 2],
    steps: &mut Steps<K, F>,
) {
    let [mut negatives, mut positives] = *totals;
    let (keys, ups, downs) = steps.spare(rows.len());
    let mut at = 0;
    let mut above = rows.first().map(|row| row.key).unwrap_or_default();
    for row in rows {
        // A step is written for every row and kept if the next row has another score.
        at += usize::from(row.key != above);
        above = row.key;
        let weight = F::of(row.weight.abs(), quantum);
        let (up, down) = if row.weight.is_sign_positive() {
            (weight, F::default())
        } else {
            (F::default(), weight)
        };
        positives = positives.plus(up);
        negatives = negatives.plus(down);
        keys[at].write(row.key);
        ups[at].write(positives);
        downs[at].write(negatives);
    }
    *totals = [negatives, positives];
    let steps_made = if rows.is_empty() { 0 } else { at + 1 };
    // SAFETY: every row has written the places at `at`, which starts at 0 and rises by one at most,
    // so those up to its last value have been written in all three.
    unsafe { steps.grow(steps_made) };
}

/// A span of all weights: from the extremes of the weights if all sums are then narrow, otherwise
/// from their bits.
fn span_of<K: Key>(partition: &Partition<Row<K>>, extent: Extent) -> Span {
    let weights = (0..partition.buckets).map(|bucket| partition.len(bucket) as u64).sum();
    if let Some(span) = extent.span(weights).filter(Span::is_narrow) {
        return span;
    }
    let spans = partition.over_buckets(|buckets| {
        let rows = buckets.flat_map(|bucket| partition.pieces(bucket)).flatten();
        rows.fold(Span::EMPTY, |span, row| span.union(Span::of(row.weight.abs())))
    });
    spans.into_iter().fold(Span::EMPTY, Span::union)
}

fn weigh<K: TableKey, F: Fixed>(
    partition: Partition<Row<K>>,
    span: Span,
    share: f64,
    sums: fn(Vec<F>) -> Sums,
) -> Result<(Keys, Masses), Stop> {
    let quantum = span.quantum();
    let parts = partition.over_buckets(|buckets| {
        let len: usize = buckets.clone().map(|bucket| partition.len(bucket)).sum();
        // With spare memory, because too little would force a move of all earlier steps.
        let distinct = (len as f64 * 1.1 * share) as usize + BUCKET_ROWS;
        let mut steps = Steps::with_room(distinct.min(len));
        let mut totals = [F::default(); 2];
        let (mut rows, mut bucket_rows) = (Vec::new(), Bucket::default());
        for bucket in buckets.rev() {
            interrupt::check();
            rows.clear();
            partition.pieces(bucket).for_each(|piece| rows.grow_by(piece));
            if !rows.is_empty() {
                bucket_rows.sort(&rows);
                weigh_bucket(&bucket_rows.placed, quantum, &mut totals, &mut steps);
            }
        }
        steps
    });
    drop(partition); // before the parts are joined, which takes as much again
    let mut keys = Vec::new();
    let (mut positives, mut negatives) = (Vec::new(), Vec::new());
    // The parts ascend.
    for part in parts.into_iter().rev() {
        keys.grow(part.keys);
        positives.grow(part.positives);
        negatives.grow(part.negatives);
    }
    let keys = joined_by(keys, |_, key| key)?;
    let both = joined_totals([positives, negatives], F::plus)?;
    // The span determines the width, so the parts fit together.
    let sums = ExactSums::from_parts(span, sums(both)).unwrap_or_else(|| ExactSums::new(0));
    Ok((K::keys(keys), Masses::Weights(sums)))
}
