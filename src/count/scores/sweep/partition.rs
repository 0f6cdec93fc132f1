//! Rows scattered into buckets of ascending score, each class apart, in one pass and without a
//! histogram.
//!
//! ```text
//! splitter = buckets with about equally many rows of a sorted sample
//! for row in rows:
//!     stream = splitter.bucket(row.key) * classes + row.class
//!     block, place = cursor[stream]
//!     block[place] = row
//!     if the block is full: chain the next free block to the stream
//! ```
//!
//! The code below handles a chunk at a time, computes streams in vectors, and prefetches.
//!
//! 1. A [`Splitter`] maps keys, in their order, to about a thousand buckets with about equally many
//!    rows, whatever the distribution. It cuts the range of a sample into 4096 equal cells, or 1024
//!    for few rows. Light neighbours share a bucket, and a heavy cell is cut again into a power of
//!    two.
//! 2. So one shift, one table entry of 4 bytes and one more shift find the bucket of a key. This
//!    works for probabilities, for logits and with a single huge outlier. Doubt: the rows of the
//!    sample are fixed, so a column made for this purpose can mislead it. Then buckets are uneven
//!    and time grows, but results stay correct.
//! 3. Each (bucket, class) is a stream: a chain of small blocks from one [`Arena`]. A row is
//!    written at the cursor of its stream, and a full block is followed by the next free one. There
//!    is no counting pass, so the data are read once.
//! 4. The kernel prefetches the cache line after the next one of each stream for writing, since the
//!    hardware does not follow a thousand streams.
//! 5. Columns scattered one after the other reuse the same memory ([`Reuse`]).
//!
//! Cost: 2 to 3 ns a row, and the payload's bytes of memory plus one part-filled block per stream.
//!
//! Tried and rejected:
//! - pages touched one by one (a third of the time went into page faults; see `prefer_huge_pages`);
//! - a histogram, then the scatter (reads everything twice);
//! - one cut into cells without the second (logits span two thousand binades, and nearly all rows
//!   fall into a few dozen cells).
#![allow(unsafe_code)]
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;
use std::sync::Mutex;

use crate::base::column::{CHUNK, chunks};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::switch::switch_at;
use crate::base::threads::{over_parts, prefer_huge_pages};
use crate::base::wide::{prefetch_read, prefetch_write, wide};
use crate::scores::keys::{Key, Stop};
use crate::scores::sweep::rows::{Chunk, Rows, STRIP};

/// Bits of the first cut.
const CELL_BITS: u32 = 12;
/// Bits of the first cut for a sample of at most [`FEW_SAMPLES`], from few rows: fewer cells are
/// built faster.
const FEW_CELL_BITS: u32 = 10;
const FEW_SAMPLES: usize = 512;
/// Elements of a block.
pub(crate) const BLOCK: usize = 128;
/// The most rows of one arena, whose cursors have 32 bits.
const ARENA_ROWS: usize = switch_at(1 << 31, 512);

/// A monotone map from keys to buckets.
#[derive(Debug)]
pub struct Splitter<K> {
    low: K,
    span: K,
    shift: u32,
    /// For each cell: its first bucket times 256, plus the shift of the second cut.
    cells: Vec<u32>,
    buckets: usize,
}

impl<K: Key> Splitter<K> {
    /// A splitter into about `wanted` buckets (at most four times as many), for keys distributed
    /// like the ascending `sample`.
    pub fn new(sample: &[K], wanted: usize) -> Self {
        let low = sample.first().copied().unwrap_or_default();
        let span = sample.last().copied().unwrap_or_default().minus(low);
        let bits = u64::BITS - span.wide().leading_zeros();
        let cell_bits = if sample.len() > FEW_SAMPLES { CELL_BITS } else { FEW_CELL_BITS };
        let shift = bits.saturating_sub(cell_bits);
        let mut loads = vec![0_usize; span.above(shift) + 1];
        for &key in sample {
            loads[key.minus(low).above(shift)] += 1;
        }
        let fair = (sample.len() / wanted.max(1)).max(1);
        let mut cells = with_room(loads.len());
        let (mut bucket, mut held) = (0_u32, 0);
        for load in loads {
            if load >= 2 * fair {
                let parts = (load / fair).next_power_of_two();
                // No cut for a cell with one key. It still gets its own bucket: neighbours in the
                // same bucket could never be separated.
                let cut = parts.trailing_zeros().min(shift).min(10);
                bucket += u32::from(held > 0);
                cells.grow(bucket << 8 | (shift - cut));
                bucket += 1 << cut;
                held = 0;
            } else {
                cells.grow(bucket << 8 | shift);
                held += load;
                if held >= fair {
                    bucket += 1;
                    held = 0;
                }
            }
        }
        let mut splitter = Self { low, span, shift, cells, buckets: 0 };
        // The bucket of the greatest key is the last.
        splitter.buckets = splitter.bucket(K::MAX) as usize + 1;
        splitter
    }

    pub(crate) fn buckets(&self) -> usize {
        self.buckets
    }

    #[inline(always)]
    fn bucket(&self, key: K) -> u32 {
        let place = key.max(self.low).minus(self.low).min(self.span);
        let cell = place.above(self.shift);
        // SAFETY: `place <= span`, and there is a cell for every place up to `span`.
        let entry = unsafe { *self.cells.get_unchecked(cell) };
        let within = place.wide() - ((cell as u64) << self.shift);
        (entry >> 8) + (within >> (entry & 0xff)) as u32
    }
}

/// The stream of each row: its bucket times the number of classes, plus its class, unless `mask`
/// hides it.
#[inline(always)]
fn streams_body<K: Key>(
    splitter: &Splitter<K>,
    (classes, mask): (u16, u8),
    keys: &[K],
    codes: &[u8],
    streams: &mut [u16],
) {
    for ((stream, &key), &code) in streams.iter_mut().zip(keys).zip(codes) {
        *stream = (splitter.bucket(key) as u16).wrapping_mul(classes) + u16::from(code & mask);
    }
}

wide! {
    fn streams_of[K: Key](splitter: &Splitter<K>, classes: (u16, u8), keys: &[K], codes: &[u8], streams: &mut [u16]) -> () = streams_body;
}

/// The stored part of a row.
pub trait Payload<K>: Copy + Send + Sync {
    /// Whether a payload contains its class, so that the classes of a bucket share one stream.
    const HAS_CLASS: bool = false;

    /// The payloads of a chunk.
    fn of<'a>(chunk: &'a Chunk<K>, scratch: &'a mut Vec<Self>) -> &'a [Self];
}

impl<K: Key> Payload<K> for K {
    fn of<'a>(chunk: &'a Chunk<K>, _: &'a mut Vec<K>) -> &'a [K] {
        &chunk.keys[..chunk.len]
    }
}

/// A key and a weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighted<K> {
    pub key: K,
    pub weight: f64,
}

impl<K: Key> Payload<K> for Weighted<K> {
    fn of<'a>(chunk: &'a Chunk<K>, scratch: &'a mut Vec<Self>) -> &'a [Self] {
        scratch.clear();
        scratch.grow_with(
            chunk.keys[..chunk.len]
                .iter()
                .zip(&chunk.weights)
                .map(|(&key, &weight)| Self { key, weight }),
        );
        scratch
    }
}

/// Additional data scattered from the same chunks.
pub(crate) trait Beside<K>: Send {
    /// Takes a chunk of rows, and the stream of each.
    fn take(&mut self, chunk: &Chunk<K>, streams: &[u16]);
}

impl<K> Beside<K> for () {
    fn take(&mut self, _: &Chunk<K>, _: &[u16]) {}
}

/// Streams of payloads in chained blocks.
///
/// Invariants: the first block of stream s is block s; `cursors[s]` lies in the last block of s;
/// every element of a block before its stream's cursor, and of every earlier block of the stream,
/// has been written.
pub struct Arena<P> {
    /// Has length 0: only its capacity is used.
    memory: Vec<P>,
    cursors: Vec<u32>,
    /// The block after each full block.
    next: Vec<u32>,
    /// Full blocks of each stream.
    full: Vec<u32>,
    /// The number of blocks in use.
    used: usize,
}

impl<P: Copy> Arena<P> {
    /// Memory for `rows` payloads in `streams` streams, for any distribution; about `likely`
    /// payloads are expected. It reuses the memory of an earlier arena if that is large enough.
    pub(crate) fn new(streams: usize, rows: usize, likely: usize, reuse: &Reuse<P>) -> Self {
        // A block is needed for every [`BLOCK`] rows and for each stream.
        let blocks = streams + rows / BLOCK;
        let memory = reuse.take(blocks * BLOCK).unwrap_or_else(|| {
            let mut memory = with_room(blocks * BLOCK);
            let likely = (streams + likely / BLOCK).min(blocks) * BLOCK;
            prefer_huge_pages(&mut memory.spare_capacity_mut()[..likely]);
            memory
        });
        Self {
            memory,
            cursors: (0..streams).map(|stream| (stream * BLOCK) as u32).gather(),
            next: vec![0; blocks],
            full: vec![0; streams],
            used: streams,
        }
    }

    #[inline(never)]
    pub(crate) fn append(&mut self, streams: &[u16], payloads: &[P]) {
        let memory = self.memory.as_mut_ptr();
        for (&stream, &payload) in streams.iter().zip(payloads) {
            let stream = usize::from(stream);
            let at = self.cursors[stream] as usize;
            // SAFETY: a cursor lies inside a block that has been handed out, and blocks lie inside
            // `memory`'s capacity.
            unsafe { memory.add(at).write(payload) };
            prefetch_write(memory.wrapping_add(at + 2 * (64 / size_of::<P>().min(64))));
            let mut after = at + 1;
            if after.is_multiple_of(BLOCK) {
                after = self.chain(stream, at / BLOCK);
                prefetch_write(memory.wrapping_add(after + 64 / size_of::<P>().min(64)));
            }
            self.cursors[stream] = after as u32;
        }
    }

    /// Chains a new block after the full `block`, and returns its first place.
    #[inline]
    fn chain(&mut self, stream: usize, block: usize) -> usize {
        assert!(self.used < self.next.len(), "more rows than the arena has room for");
        self.next[block] = self.used as u32;
        self.full[stream] += 1;
        self.used += 1;
        (self.used - 1) * BLOCK
    }

    pub(crate) fn len(&self, stream: usize) -> usize {
        self.full[stream] as usize * BLOCK + self.cursors[stream] as usize % BLOCK
    }

    /// The payloads of a stream, in pieces.
    pub(crate) fn pieces(&self, stream: usize) -> impl Iterator<Item = &[P]> + Clone {
        let mut block = stream;
        (0..=self.full[stream]).map(move |piece| {
            interrupt::check();
            let is_last = piece == self.full[stream];
            let len = if is_last { self.cursors[stream] as usize % BLOCK } else { BLOCK };
            // SAFETY: `block` is this stream's, so the invariant says that its first `len` elements
            // have been written.
            let elements =
                unsafe { std::slice::from_raw_parts(self.memory.as_ptr().add(block * BLOCK), len) };
            block = self.next[block] as usize;
            let ahead = self.memory.as_ptr().wrapping_add(block * BLOCK);
            for line in 0..BLOCK * size_of::<P>() / 64 {
                prefetch_read(ahead.wrapping_byte_add(64 * line));
            }
            elements
        })
    }
}

/// Memory of earlier arenas. Fresh pages would cost as much as scattering the rows.
pub(crate) struct Reuse<P>(Mutex<Vec<Vec<P>>>);

impl<P> Reuse<P> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    fn take(&self, room: usize) -> Option<Vec<P>> {
        let mut spare = self.0.lock().ok()?;
        let place = spare.iter().position(|memory| memory.capacity() >= room)?;
        Some(spare.swap_remove(place))
    }
}

/// Rows in buckets: one arena for each part of the rows.
pub struct Partition<P> {
    pub arenas: Vec<Arena<P>>,
    pub buckets: usize,
    classes: usize,
}

impl<P: Copy + Send + Sync> Partition<P> {
    /// Scatters rows of two classes over the buckets of a splitter, several parts at a time if
    /// threads allow.
    pub fn new<K: Key>(rows: &impl Rows<K>, splitter: &Splitter<K>) -> Result<Self, Stop>
    where
        P: Payload<K>,
    {
        Self::from_classes(rows, splitter, 2, &Reuse::new())
    }

    /// [`Self::new`] for several classes: bucket b of class c is stream `b * classes + c`. There
    /// must be at most 2^16 streams.
    pub(crate) fn from_classes<K: Key>(
        rows: &impl Rows<K>,
        splitter: &Splitter<K>,
        classes: u16,
        reuse: &Reuse<P>,
    ) -> Result<Self, Stop>
    where
        P: Payload<K>,
    {
        Ok(Self::from_classes_beside(rows, splitter, classes, reuse, |_, _| ())?.0)
    }

    /// [`Self::from_classes`] with additional data for each arena; `beside` makes it for a number
    /// of buckets and rows.
    pub(crate) fn from_classes_beside<K: Key, B: Beside<K>>(
        rows: &impl Rows<K>,
        splitter: &Splitter<K>,
        classes: u16,
        reuse: &Reuse<P>,
        beside: impl Fn(usize, usize) -> B + Sync,
    ) -> Result<(Self, Vec<B>), Stop>
    where
        P: Payload<K>,
    {
        let of_bucket = usize::from(classes);
        let mask = if P::HAS_CLASS { 0 } else { u8::MAX };
        let buckets = splitter.buckets();
        let work = |part: Range<usize>| -> Result<Vec<(Arena<P>, B)>, Stop> {
            let mut chunk = Chunk::new();
            let (mut streams, mut scratch) = (vec![0; CHUNK], Vec::new());
            let mut arenas = Vec::new();
            for part in
                part.clone().step_by(ARENA_ROWS).map(|at| at..(at + ARENA_ROWS).min(part.end))
            {
                let likely = rows.likely(part.len());
                let mut arena = Arena::new(of_bucket * buckets, part.len(), likely, reuse);
                let mut more = beside(buckets, part.len());
                for range in chunks(part) {
                    let mut ahead = range.end;
                    rows.lower(range, &mut chunk)?;
                    let streams = &mut streams[..chunk.len];
                    streams_of(splitter, (classes, mask), &chunk.keys, &chunk.codes, streams);
                    let payloads = P::of(&chunk, &mut scratch);
                    for (streams, payloads) in streams.chunks(STRIP).zip(payloads.chunks(STRIP)) {
                        rows.prefetch(ahead..ahead + STRIP);
                        ahead += STRIP;
                        arena.append(streams, payloads);
                    }
                    more.take(&chunk, streams);
                }
                arenas.grow((arena, more));
            }
            Ok(arenas)
        };
        let (mut arenas, mut besides) = (Vec::new(), Vec::new());
        for (arena, more) in parts(rows.rows(), work)?.into_iter().flatten() {
            arenas.grow(arena);
            besides.grow(more);
        }
        let partition = Self { arenas, buckets, classes: of_bucket };
        Ok((partition, besides))
    }

    /// Leaves the memory to later partitions.
    pub(crate) fn leave(self, reuse: &Reuse<P>) {
        if let Ok(mut spare) = reuse.0.lock() {
            spare.grow_with(self.arenas.into_iter().map(|arena| arena.memory));
        }
    }

    /// Prefetches the first payloads of the streams of a bucket, which [`Self::pieces`] cannot do.
    pub(crate) fn prefetch(&self, bucket: usize) {
        for arena in &self.arenas {
            for stream in bucket * self.classes..(bucket + 1) * self.classes {
                let ahead = arena.memory.as_ptr().wrapping_add(stream * BLOCK);
                for line in 0..BLOCK * size_of::<P>() / 64 {
                    prefetch_read(ahead.wrapping_byte_add(64 * line));
                }
            }
        }
    }

    pub(crate) fn rows(&self) -> usize {
        let streams = self.buckets * self.classes;
        (0..streams).map(|stream| self.len(stream)).sum()
    }

    pub fn len(&self, stream: usize) -> usize {
        self.arenas.iter().map(|arena| arena.len(stream)).sum()
    }

    /// The payloads of a stream, in pieces.
    pub fn pieces(&self, stream: usize) -> impl Iterator<Item = &[P]> + Clone {
        self.arenas.iter().flat_map(move |arena| arena.pieces(stream))
    }

    /// Works on consecutive ranges of buckets with about equally many rows, and returns the results
    /// in order.
    pub fn over_buckets<T: Send>(&self, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        let mut before = with_room(self.buckets + 1);
        let mut total = 0;
        for bucket in 0..self.buckets {
            before.grow(total);
            let streams = bucket * self.classes..(bucket + 1) * self.classes;
            total += streams.map(|stream| self.len(stream)).sum::<usize>();
        }
        let place = |row: usize| before.partition_point(|&start| start < row);
        let done = over_parts(total, |part| {
            let end = if part.end == total { self.buckets } else { place(part.end) };
            let start = if part.start == 0 { 0 } else { place(part.start) };
            Ok(work(start..end))
        });
        done.unwrap_or_default()
    }
}

/// [`over_parts`] for work that can end in a [`Stop`].
pub(crate) fn parts<T: Send>(
    rows: usize,
    work: impl Fn(Range<usize>) -> Result<T, Stop> + Sync,
) -> Result<Vec<T>, Stop> {
    let results = over_parts(rows, |part| Ok(work(part)))?;
    results.into_iter().gather_all()
}
