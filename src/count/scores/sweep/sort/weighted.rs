//! Sorts the weighted rows of a bucket by score.
//!
//! 1. A [`Row`] is a key and a weight whose sign encodes the class, so the classes of a bucket
//!    share one stream.
//! 2. Each row of a bucket becomes a word of 64 bits: the leading bits of its distance from the
//!    highest key, and its place. The words are sorted, and the rows copied in their order.
//! 3. Insertion corrects the order where the dropped bits of the keys matter.
//! 4. While rows are scattered, [`Extent`] finds the smallest and the largest weight and roughly
//!    their sum: enough to choose a quantum without a pass over all bits of the weights.
//!
//! Rejected: a comparison sort of rows of 24 bytes (a table took twice as long).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::arith::exact::Span;
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::keys::Key;
use crate::scores::sweep::partition::{Beside, Payload};
use crate::scores::sweep::rows::Chunk;
use crate::scores::sweep::sort::cells::Sorter;
use crate::scores::sweep::sort::few;

/// The number of values that vectors compare at once.
const LANES: usize = 8;

/// A key and a weight; the weight is negative if the row is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row<K> {
    pub key: K,
    pub weight: f64,
}

#[inline(always)]
fn rows_body<K: Key>(keys: &[K], codes: &[u8], weights: &[f64], rows: &mut [Row<K>]) {
    for (((row, &key), &code), &weight) in rows.iter_mut().zip(keys).zip(codes).zip(weights) {
        let sign = u64::from(code & 1 ^ 1) << 63;
        let weight = f64::from_bits(weight.to_bits() | sign);
        *row = Row { key, weight };
    }
}

pub(crate) fn fill<K: Key>(chunk: &Chunk<K>, rows: &mut [Row<K>]) {
    let len = chunk.len;
    rows_of(&chunk.keys[..len], &chunk.codes[..len], &chunk.weights[..len], rows);
}

impl<K: Key> Payload<K> for Row<K> {
    const HAS_CLASS: bool = true;

    fn of<'a>(chunk: &'a Chunk<K>, scratch: &'a mut Vec<Self>) -> &'a [Self] {
        scratch.grow_to(chunk.len, Self::default());
        let rows = &mut scratch[..chunk.len];
        fill(chunk, rows);
        rows
    }
}

/// The least and the greatest weight, as bits, and roughly the sum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub least: u64,
    pub greatest: u64,
    pub sum: f64,
}

impl Extent {
    pub(crate) const NONE: Self = Self { least: u64::MAX >> 1, greatest: 0, sum: 0.0 };

    pub(crate) fn union(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            sum: self.sum + other.sum,
        }
    }

    /// A span of all weights, `weights` in number; none if a weight is not a normal number.
    pub(crate) fn span(self, weights: u64) -> Option<Span> {
        let (least, greatest) = ((self.least >> 52) as i32, (self.greatest >> 52) as i32);
        (0 < least && least <= greatest).then_some(Span {
            low: least - 1075,
            high: greatest - 1022,
            weights,
        })
    }
}

#[inline(always)]
fn extent_body(weights: &[f64]) -> Extent {
    let (mut least, mut greatest, mut sums) = ([i64::MAX; LANES], [0; LANES], [0.0; LANES]);
    let (groups, rest) = weights.as_chunks::<LANES>();
    for group in groups {
        for lane in 0..LANES {
            let bits = group[lane].to_bits() as i64;
            least[lane] = least[lane].min(bits);
            greatest[lane] = greatest[lane].max(bits);
            sums[lane] += group[lane];
        }
    }
    let mut extent = Extent::NONE;
    for lane in 0..LANES {
        extent = extent.union(Extent {
            least: least[lane] as u64,
            greatest: greatest[lane] as u64,
            sum: sums[lane],
        });
    }
    for weight in rest {
        let bits = weight.to_bits();
        extent = extent.union(Extent { least: bits, greatest: bits, sum: *weight });
    }
    extent
}

impl<K: Key> Beside<K> for Extent {
    fn take(&mut self, chunk: &Chunk<K>, _: &[u16]) {
        *self = self.union(extent_of(&chunk.weights[..chunk.len]));
    }
}

pub(crate) struct Bucket<K> {
    words: Vec<u64>,
    sorter: Sorter<u64>,
    pub placed: Vec<Row<K>>,
}

impl<K> Default for Bucket<K> {
    fn default() -> Self {
        Self { words: Vec::new(), sorter: Sorter::default(), placed: Vec::new() }
    }
}

#[inline(always)]
fn ends_body<K: Key>(rows: &[Row<K>]) -> (K, K) {
    let (mut low, mut high) = (K::MAX, K::default());
    for row in rows {
        low = low.min(row.key);
        high = high.max(row.key);
    }
    (low, high)
}

/// The distance from the highest key without its last bits, and the place.
#[inline(always)]
fn words_body<K: Key>(rows: &[Row<K>], high: K, drop: u32, places: u32, words: &mut [u64]) {
    for (place, (word, row)) in (0..).zip(words.iter_mut().zip(rows)) {
        *word = (high.minus(row.key).wide() >> drop) << places | place;
    }
}

/// Whether rows descend, and whether some rows tie with the next.
#[inline(always)]
fn order_body<K: Key>(rows: &[Row<K>]) -> (bool, bool) {
    let later = rows.get(1..).unwrap_or_default();
    let (mut descend, mut tie) = (true, false);
    for (row, next) in rows.iter().zip(later) {
        descend &= row.key >= next.key;
        tie |= row.key == next.key;
    }
    (descend, tie)
}

impl<K: Key> Bucket<K> {
    /// Sorts the rows into `placed`, by descending key. Returns whether some rows tie.
    pub(crate) fn sort(&mut self, rows: &[Row<K>]) -> bool {
        let len = rows.len();
        let (low, high) = ends_of(rows);
        self.placed.clear();
        if low >= high {
            self.placed.grow_by(rows);
            return len > 1;
        }
        let places = usize::BITS - len.leading_zeros();
        let span = u64::BITS - high.minus(low).wide().leading_zeros();
        let drop = (span + places).saturating_sub(u64::BITS);
        self.words.clear();
        self.words.grow_to(len, 0);
        words_of(rows, high, drop, places, &mut self.words);
        let sorted = self.sorter.sorted(&mut self.words);
        let mask = (1 << places) - 1;
        self.placed.grow_with(sorted.iter().map(|&word| rows[(word & mask) as usize]));
        let (descend, tie) = order_of(&self.placed);
        if descend {
            return tie;
        }
        few::insert_by(&mut self.placed, |row, next| row.key < next.key);
        order_of(&self.placed).1
    }
}

wide! {
    fn rows_of[K: Key](keys: &[K], codes: &[u8], weights: &[f64], rows: &mut [Row<K>]) -> () = rows_body;
    fn extent_of[](weights: &[f64]) -> Extent = extent_body;
    fn ends_of[K: Key](rows: &[Row<K>]) -> (K, K) = ends_body;
    fn words_of[K: Key](rows: &[Row<K>], high: K, drop: u32, places: u32, words: &mut [u64]) -> () = words_body;
    fn order_of[K: Key](rows: &[Row<K>]) -> (bool, bool) = order_body;
}
