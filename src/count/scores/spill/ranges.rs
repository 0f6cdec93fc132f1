//! Rows in ranges of keys, each class apart, in a temporary file.
//!
//! 1. From the first rows that spill, a [`Splitter`] cuts the keys into ranges with about equally
//!    many rows. Later rows are cut at the same keys.
//! 2. Rows that spill together are scattered in memory ([`Partition`]) and written together, range
//!    after range: a [`Generation`]. So files are written and read in long pieces.
//! 3. A row takes 8 bytes for its key, and 8 for its weight. Its stream determines its class.
//! 4. Each stream has a checksum, because disks may fail silently.
//!
//! Cost: 3 ns a row to scatter, and reading and writing 8 bytes.
//!
//! Rejected:
//! - sorting spilled rows and merging the runs (each row is then sorted twice).

use std::sync::Arc;

use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Room, with_room};
use crate::base::temporary::{Aligned, BLOCK, TemporaryFile};
use crate::scores::keys::{Keys, ScoreKind, Stop};
use crate::scores::merge::promoted;
use crate::scores::sweep::auc::sample_size;
use crate::scores::sweep::collector::RowsHeld;
use crate::scores::sweep::partition::{Partition, Payload, Splitter, Weighted};
use crate::scores::sweep::rows::{Chunk, Rows, sorted_sample};

const PIECE: usize = 1 << 20;

/// The intended number of rows in each range, among rows that spill together: its part of the file
/// is then read in pieces of about ten kilobytes.
const ROWS_OF_RANGE: usize = 1 << 14;

/// The file, and its length so far.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) file: Arc<TemporaryFile>,
    end: u64,
}

impl Store {
    pub(crate) fn new(file: TemporaryFile) -> Self {
        Self { file: Arc::new(file), end: 0 }
    }
}

/// The bytes of a row in the file.
pub(crate) trait Record: Copy {
    const BYTES: usize;
    fn put(self, to: &mut [u8]);
    /// The contribution to the checksum.
    fn check(self) -> u64;
}

impl Record for u64 {
    const BYTES: usize = 8;
    #[inline]
    fn put(self, to: &mut [u8]) {
        to.copy_from_slice(&self.to_le_bytes());
    }
    #[inline]
    fn check(self) -> u64 {
        self
    }
}

impl Record for Weighted<u64> {
    const BYTES: usize = 16;
    #[inline]
    fn put(self, to: &mut [u8]) {
        to[..8].copy_from_slice(&self.key.to_le_bytes());
        to[8..].copy_from_slice(&self.weight.to_le_bytes());
    }
    #[inline]
    fn check(self) -> u64 {
        self.key.wrapping_add(self.weight.to_bits())
    }
}

/// Rows that spilled together.
#[derive(Debug)]
struct Generation {
    place: u64,
    /// The first record of each stream, and the end of the last.
    starts: Vec<u64>,
    /// The sum of the records of each stream.
    checks: Vec<u64>,
}

/// Rows cut at the same keys.
#[derive(Clone, Debug)]
pub(crate) struct Ranges {
    /// The kind of the keys.
    pub(crate) kind: ScoreKind,
    is_weighted: bool,
    splitter: Arc<Splitter<u64>>,
    generations: Vec<Arc<Generation>>,
}

impl Ranges {
    /// Ranges without rows, for keys distributed like the ascending sample; `most` rows will spill
    /// together.
    pub(crate) fn new(kind: ScoreKind, is_weighted: bool, sample: &[u64], most: usize) -> Self {
        let wanted = (most / ROWS_OF_RANGE).clamp(4, 1024);
        Self {
            kind,
            is_weighted,
            splitter: Arc::new(Splitter::new(sample, wanted)),
            generations: Vec::new(),
        }
    }

    /// Ranges for rows distributed like these.
    pub(crate) fn for_rows(rows: &Spilling, is_weighted: bool, most: usize) -> Self {
        let sample = sorted_sample(rows, 4 * sample_size(rows.rows()));
        Self::new(rows.kind, is_weighted, &sample, most)
    }

    pub(crate) fn len(&self) -> usize {
        self.splitter.buckets()
    }

    pub(crate) fn is_weighted(&self) -> bool {
        self.is_weighted
    }

    pub(crate) fn rows(&self, range: usize) -> [u64; 2] {
        let mut rows = [0; 2];
        for generation in &self.generations {
            for (class, rows) in rows.iter_mut().enumerate() {
                let stream = 2 * range + class;
                *rows += generation.starts[stream + 1] - generation.starts[stream];
            }
        }
        rows
    }

    /// Writes rows. If that fails, nothing has changed.
    ///
    /// # Errors
    /// The error of the file.
    pub(crate) fn spill(&mut self, rows: &Spilling, store: &mut Store) -> Result<()> {
        if self.is_weighted {
            self.spill_as::<Weighted<u64>>(rows, store)
        } else {
            self.spill_as::<u64>(rows, store)
        }
    }

    fn spill_as<P: Record + Payload<u64>>(
        &mut self,
        rows: &Spilling,
        store: &mut Store,
    ) -> Result<()> {
        let partition = Partition::<P>::new(rows, &self.splitter).map_err(Stop::refusal)?;
        let streams = 2 * self.splitter.buckets();
        let mut generation = Generation {
            place: store.end,
            starts: with_room(streams + 1),
            checks: with_room(streams),
        };
        let mut memory = Aligned::default();
        let (mut place, mut filled, mut records) = (store.end, 0, 0);
        for stream in 0..streams {
            interrupt::check();
            generation.starts.grow(records);
            let mut check = 0_u64;
            for piece in partition.pieces(stream) {
                let mut left = piece;
                while !left.is_empty() {
                    let bytes = memory.of(PIECE);
                    let (now, later) = left.split_at(left.len().min((PIECE - filled) / P::BYTES));
                    let to = &mut bytes[filled..filled + now.len() * P::BYTES];
                    for (to, &record) in to.chunks_exact_mut(P::BYTES).zip(now) {
                        record.put(to);
                        check = check.wrapping_add(record.check());
                    }
                    filled += now.len() * P::BYTES;
                    if filled == PIECE {
                        store.file.write(bytes, place, store.end)?;
                        place += PIECE as u64;
                        filled = 0;
                    }
                    left = later;
                }
                records += piece.len() as u64;
            }
            generation.checks.grow(check);
        }
        generation.starts.grow(records);
        let last = filled.next_multiple_of(BLOCK);
        let bytes = memory.of(PIECE);
        bytes[filled..last].fill(0);
        store.file.write(&bytes[..last], place, store.end)?;
        self.generations.grow(Arc::new(generation));
        store.end = place + last as u64;
        Ok(())
    }

    /// Calls `call` with the rows of a range, in parts of limited size: their class and their
    /// bytes.
    ///
    /// # Errors
    /// The error of the file, or bytes that differ from the written ones.
    pub(crate) fn each_part(
        &self,
        file: &TemporaryFile,
        range: usize,
        most: usize,
        memory: &mut Aligned,
        call: &mut dyn FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let bytes = if self.is_weighted { 16 } else { 8 };
        for generation in &self.generations {
            for class in 0..2 {
                let stream = 2 * range + class;
                let (mut start, end) = (generation.starts[stream], generation.starts[stream + 1]);
                let mut check = 0_u64;
                while start < end {
                    let records = (end - start).min(most.max(1) as u64);
                    let place = generation.place + start * bytes as u64;
                    let found = file.read(place, records as usize * bytes, memory)?;
                    let words = found.as_chunks::<8>().0.iter();
                    check =
                        words.fold(check, |sum, &word| sum.wrapping_add(u64::from_le_bytes(word)));
                    call(class, found)?;
                    start += records;
                }
                if check != generation.checks[stream] {
                    return Err(file.changed());
                }
            }
        }
        Ok(())
    }
}

/// Rows in memory, each class apart.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) keys: [Vec<u64>; 2],
    pub(crate) weights: [Vec<f64>; 2],
}

impl Loaded {
    pub(crate) fn len(&self) -> usize {
        self.keys.iter().map(Vec::len).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.keys.iter_mut().for_each(Vec::clear);
        self.weights.iter_mut().for_each(Vec::clear);
    }

    /// Appends rows from their bytes.
    pub(crate) fn take(&mut self, class: usize, bytes: &[u8], is_weighted: bool) {
        let keys = &mut self.keys[class];
        if is_weighted {
            let rows = bytes.as_chunks::<16>().0;
            keys.grow_with(rows.iter().map(|row| key_of(&row[..8])));
            let weights = rows.iter().map(|row| f64::from_bits(key_of(&row[8..])));
            self.weights[class].grow_with(weights);
        } else {
            let rows = bytes.as_chunks::<8>().0;
            keys.grow_with(rows.iter().map(|&row| u64::from_le_bytes(row)));
        }
    }

    /// These rows, converted to another kind if requested, ready to spill.
    pub(crate) fn spill(
        &mut self,
        (from, to): (ScoreKind, ScoreKind),
        ranges: &mut Ranges,
        store: &mut Store,
    ) -> Result<()> {
        let [negatives, positives] = &mut self.keys;
        let mut classes = vec![0_u8; negatives.len()];
        classes.grow_to(negatives.len() + positives.len(), 1);
        negatives.append(positives);
        let [own, other] = &mut self.weights;
        own.append(other);
        let keys = Keys::Wide(std::mem::take(negatives));
        let rows = Spilling {
            kind: to,
            from,
            keys: &keys,
            classes: &classes,
            weights: ranges.is_weighted.then_some(&own[..]),
        };
        ranges.spill(&rows, store)?;
        if let Keys::Wide(keys) = keys {
            self.keys[0] = keys;
        }
        self.clear();
        Ok(())
    }
}

#[inline]
fn key_of(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// Rows on their way to the file, with 64-bit keys of one kind.
pub(crate) struct Spilling<'a> {
    pub(crate) kind: ScoreKind,
    pub(crate) from: ScoreKind,
    pub(crate) keys: &'a Keys,
    pub(crate) classes: &'a [u8],
    pub(crate) weights: Option<&'a [f64]>,
}

impl<'a> From<RowsHeld<'a>> for Spilling<'a> {
    fn from(rows: RowsHeld<'a>) -> Self {
        Self {
            kind: rows.kind,
            from: rows.held,
            keys: rows.keys,
            classes: rows.classes,
            weights: rows.weights,
        }
    }
}

impl Rows<u64> for Spilling<'_> {
    fn prefetch(&self, _: std::ops::Range<usize>) {}

    fn rows(&self) -> usize {
        self.keys.len()
    }

    fn sample(&self, row: usize) -> Option<u64> {
        let key = self.keys.get(row);
        if self.kind == self.from {
            return Some(key);
        }
        let one = promoted(&Keys::Wide([key].into()), self.from, self.kind);
        Some(one.get(0))
    }

    fn lower(
        &self,
        rows: std::ops::Range<usize>,
        chunk: &mut Chunk<u64>,
    ) -> std::result::Result<(), Stop> {
        chunk.len = rows.len();
        let to = &mut chunk.keys[..rows.len()];
        match self.keys {
            Keys::Wide(keys) => to.copy_from_slice(&keys[rows.clone()]),
            Keys::Narrow(keys) => {
                for (to, &key) in to.iter_mut().zip(&keys[rows.clone()]) {
                    *to = key.into();
                }
            }
        }
        if self.kind != self.from {
            let mut scratch = with_room(rows.len());
            scratch.extend_from_slice(to);
            let keys = promoted(&Keys::Wide(scratch), self.from, self.kind);
            for (place, to) in to.iter_mut().enumerate() {
                *to = keys.get(place);
            }
        }
        chunk.codes[..rows.len()].copy_from_slice(&self.classes[rows.clone()]);
        if let Some(weights) = self.weights {
            chunk.weights.clear();
            chunk.weights.grow_by(&weights[rows]);
        }
        Ok(())
    }
}
