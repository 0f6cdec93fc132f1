//! Sorts the words of a bucket, in reused memory.
//!
//! 1. Words are placed into equal cells, two to four for each word, as in `few.rs`: the cells count
//!    in bytes, and one multiplication gives the running sums of eight of them.
//! 2. Neighbours out of order are exchanged by vectors, in four rounds. That sorts cells of up to
//!    four words, so few buckets need insertion, which mispredicts a branch for every word that it
//!    moves.
//! 3. A crowded cell is sorted. If bytes overflow, many words tie; then the cells of this bucket
//!    and of the next few, which are probably similar, count in 32 bits.
//!
//! Words have the width of keys: for singles 32 bits, which halves the memory traffic.
//!
//! Cost: 2 to 3 ns a word, of about a thousand words.
//!
//! Tried and rejected:
//! - counts of four bytes (a quarter slower with the walk over the words);
//! - four to eight cells for each word (3 % slower: clearing and summing cells costs more than a
//!   second exchange);
//! - clamping cells by a minimum, although each word has a cell (3 % slower).
#![allow(unsafe_code)]
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::keys::{Key, extent};
use crate::scores::sweep::sort::few;
use crate::scores::sweep::sort::windows::{Grid, place as place_in};

/// The least number of cells for each word.
const SPARSE: usize = 2;
/// Exchanges and insertion are fast up to this many words in one cell.
const CROWDED: u8 = 12;
/// After a bucket whose bytes overflow, this many buckets skip counting in bytes.
const ALIKE: u32 = 8;

/// Sorts words, a bucket at a time.
#[derive(Default)]
pub(crate) struct Sorter<W> {
    groups: Vec<u64>,
    before: Vec<u32>,
    starts: Vec<u32>,
    placed: Vec<W>,
    /// The number of buckets for which ties are still assumed.
    tied: u32,
}

impl<W: Key> Sorter<W> {
    /// The sorted words; they may also be moved in place.
    pub(crate) fn sorted(&mut self, words: &mut [W]) -> &[W] {
        if self.tied == 0 && u32::try_from(words.len()).is_ok() {
            let Self { groups, before, placed, .. } = self;
            if let Some((widest, shift)) = place(words, groups, before, placed) {
                if widest > CROWDED {
                    let cells = placed.chunk_by_mut(|a, b| a.above(shift) == b.above(shift));
                    for cell in cells.filter(|cell| cell.len() > usize::from(CROWDED)) {
                        cell.sort_unstable();
                    }
                }
                if !exchange(placed) {
                    insert(placed);
                }
                return &self.placed;
            }
            self.tied = ALIKE;
        }
        self.tied = self.tied.saturating_sub(1);
        let (_, high) = extent(words);
        sort_words(words, high, &mut self.starts, &mut self.placed);
        &self.placed
    }
}

/// Sorts words from 0 to `high` into `placed`.
pub(crate) fn sort_words<W: Key>(
    words: &mut [W],
    high: W,
    starts: &mut Vec<u32>,
    placed: &mut Vec<W>,
) {
    /// Cells for each word: with four to eight, few words are out of order.
    const SPARSE: usize = 4;
    const CROWDED: u32 = 12;
    // Too many words for places of 32 bits.
    if u32::try_from(words.len()).is_err() {
        words.sort_unstable();
        placed.clear();
        placed.grow_by(words);
        return;
    }
    let grid = Grid::new(W::default(), high, words.len() * SPARSE);
    let widest = place_in(words, &grid, starts, placed);
    if widest <= CROWDED {
        few::insert(placed);
        return;
    }
    starts.grow(placed.len() as u32);
    for cell in starts.windows(2) {
        let cell = &mut placed[cell[0] as usize..cell[1] as usize];
        if cell.len() > CROWDED as usize {
            cell.sort_unstable();
        } else {
            few::insert(cell);
        }
    }
}

/// Places the words by cell, eight cells to a group. Returns the number in the fullest cell, and
/// the shift from a word to its cell; `None` if bytes overflow.
#[inline(always)]
fn place_body<W: Key>(
    words: &[W],
    groups: &mut Vec<u64>,
    before: &mut Vec<u32>,
    placed: &mut Vec<W>,
) -> Option<(u8, u32)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let high = words.iter().fold(W::default(), |high, &word| high.max(word));
    let bits = u64::BITS - high.wide().leading_zeros();
    let shift = bits.saturating_sub(usize::BITS - (words.len() * SPARSE).leading_zeros());
    groups.clear();
    groups.grow_to((high.above(shift) >> 3) + 1, 0);
    let bytes = bytes_of(groups);
    for word in words {
        // SAFETY: no word is above `high`, and there is a byte for its cell.
        let count = unsafe { bytes.get_unchecked_mut(word.above(shift)) };
        *count = count.wrapping_add(1);
    }
    let widest = bytes.iter().fold(0, |widest: u8, &count| widest.max(count));
    let mut total = 0;
    before.grow_to(groups.len(), 0);
    for (before, group) in before.iter_mut().zip(groups.iter_mut()) {
        *before = total as u32;
        // The first cell is the lowest byte. If eight counts exceed 255, the last sum loses a
        // carry.
        let sums = u64::from_le(*group).wrapping_mul(ONES);
        *group = sums.to_le();
        total += sums >> 56;
    }
    // Lost carries or overflows: the total misses them all.
    if total != words.len() as u64 {
        return None;
    }
    placed.grow_to(words.len(), W::default());
    let bytes = bytes_of(groups);
    for &word in words {
        let cell = word.above(shift);
        // SAFETY: there is a byte for each cell, and a number for every eight. Nothing was lost, so
        // the words up to those of a cell are at most all of them; each word of the cell takes one
        // place of these, and `placed` has a place for each word.
        unsafe {
            let upto = bytes.get_unchecked_mut(cell);
            *upto = upto.wrapping_sub(1);
            let place = *before.get_unchecked(cell >> 3) as usize + usize::from(*upto);
            *placed.get_unchecked_mut(place) = word;
        }
    }
    Some((widest, shift))
}

/// The counts of the cells, eight to a group.
#[inline(always)]
fn bytes_of(groups: &mut [u64]) -> &mut [u8] {
    // SAFETY: the same memory as bytes: any bits are a byte, bytes need no alignment, and the
    // borrow passes over.
    unsafe { std::slice::from_raw_parts_mut(groups.as_mut_ptr().cast(), 8 * groups.len()) }
}

/// Orders neighbouring words, starting with the first and with the second in turn, twice. Returns
/// whether all are then in order.
#[inline(always)]
fn exchange_body<W: Key>(words: &mut [W]) -> bool {
    #[inline(always)]
    fn pairs<W: Key>(words: &mut [W]) {
        for pair in words.as_chunks_mut::<2>().0 {
            *pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        }
    }
    for _ in 0..2 {
        pairs(words);
        if let [_, words @ ..] = words {
            pairs(words);
        }
    }
    let later = words.get(1..).unwrap_or_default();
    let mut ascend = true;
    for (word, next) in words.iter().zip(later) {
        ascend &= word <= next;
    }
    ascend
}

/// Moves words to their places; few are out of order.
fn insert<W: Key>(words: &mut [W]) {
    for at in 1..words.len() {
        let word = words[at];
        let mut to = at;
        while to > 0 && words[to - 1] > word {
            words[to] = words[to - 1];
            to -= 1;
        }
        if to < at {
            words[to] = word;
        }
    }
}

wide! {
    fn exchange[W: Key](words: &mut [W]) -> bool = exchange_body;
    fn place[W: Key](
        words: &[W],
        groups: &mut Vec<u64>,
        before: &mut Vec<u32>,
        placed: &mut Vec<W>,
    ) -> Option<(u8, u32)> = place_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<W: Key>(sorter: &mut Sorter<W>, words: &[W]) {
        let mut expected = words.to_vec();
        expected.sort_unstable();
        assert_eq!(sorter.sorted(&mut words.to_vec()), expected);
    }

    proptest! {
        /// Several buckets one after the other, spread, crowded and tied.
        #[test]
        fn words_are_sorted(
            buckets in prop::collection::vec(
                (prop::collection::vec(0..u64::MAX, 0..3000), 0..64_u32, 0..3_u8), 1..6),
        ) {
            let (mut wide, mut narrow) = (Sorter::<u64>::default(), Sorter::<u32>::default());
            for (words, shift, kind) in buckets {
                let words: Vec<u64> = (0..).zip(words).map(|(at, word)| match kind {
                    0 => word >> shift,
                    1 => (word >> shift) & !0xff_ffff,
                    _ => if at % 3 == 0 { 7 } else { word >> shift },
                }).collect();
                check(&mut wide, &words);
                let words: Vec<u32> = words.iter().map(|&word| (word >> (shift % 33)) as u32).collect();
                check(&mut narrow, &words);
            }
        }
    }

    #[test]
    fn spread_words_and_crowds_are_sorted() {
        let spread =
            |n: u64| (0..n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).collect::<Vec<_>>();
        let sorter = &mut Sorter::default();
        for n in [0, 1, 2, 7, 100, 1000, 5000, 70_000] {
            check(sorter, &spread(n));
        }
        for crowd in [12, 13, 100, 255, 256, 257, 512, 513, 1000] {
            for step in [0, 1, 1 << 50] {
                let mut words = spread(1000);
                words.extend((0..crowd).rev().map(|i| 5 + i * step));
                check(sorter, &words);
                sorter.tied = 0;
            }
        }
        check(sorter, &[0; 256]);
        check(sorter, &[u64::MAX, 0, u64::MAX, 1]);
        check(&mut Sorter::default(), &[u32::MAX, 0, u32::MAX, 1, 5]);
    }
}
