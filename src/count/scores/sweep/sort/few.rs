//! Sorts a few thousand rows by score, in about the time of a vectorised sort of the scores alone.
//!
//! 1. A row becomes a word: its key relative to the lowest, with its class in the last bit. If keys
//!    take all 64 bits (negative and positive scores together), the rows of each sign are sorted
//!    separately.
//! 2. Words are placed into equal cells, four to eight for each word. The cells count in bytes,
//!    eight to a machine word: one multiplication by 0x0101…01 gives the running sums of eight
//!    cells. So the scan over all cells costs an eighth, and clearing them a quarter, of the time
//!    with counts of four bytes.
//! 3. Words still out of order are moved: neighbours by vectors, the rest by insertion. Insertion
//!    mispredicts a branch for every word that it moves, so a crowded cell is sorted instead.
//! 4. If eight neighbouring cells hold more than 255 words, bytes overflow. Such scores have many
//!    ties, which a general sort handles fast, so it takes over.
//!
//! Cost: about 2 ns a row at 1,000 rows (np.sort: 2.9).
//!
//! Tried and rejected:
//! - the placement of `auc.rs` with counts of four bytes (a third slower at 1,000 words; clearing
//!   and scanning the cells took half of the difference);
//! - 16,384 rows at once (a third faster than the partition in warm memory, but the allocator may
//!   return the memory to the system after each call, and mapping it again takes twice as long as
//!   the work).
#![allow(unsafe_code)]
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::column::chunks;
use crate::base::memory::{Gather, Room};
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Stop, extent};
use crate::scores::sweep::rows::{Chunk, Rows};

/// The most words placed by cell: places have 16 bits.
pub(crate) const MOST: usize = switch_at(1 << 12, 32);
/// The least number of cells for each word.
const SPARSE: usize = 4;
/// Insertion is fast up to this many words in one cell.
const CROWDED: u8 = 12;

/// Rows in ascending order: each row's key minus `low`, and its class in the last bit.
pub(crate) struct Run<K> {
    pub low: K,
    pub words: Vec<u64>,
}

/// All rows, ascending, in at most two runs; the runs share no score.
pub(crate) fn in_order<K: Key>(rows: &impl Rows<K>) -> Result<Vec<Run<K>>, Stop> {
    let (keys, codes) = lowered(rows)?;
    Ok(ordered(&keys, &codes))
}

/// The keys and the classes of all rows.
pub(crate) fn lowered<K: Key>(rows: &impl Rows<K>) -> Result<(Vec<K>, Vec<u8>), Stop> {
    let mut chunk = Chunk::<K>::of(rows.rows());
    let (mut keys, mut codes) = (Vec::new(), Vec::new());
    for range in chunks(0..rows.rows()) {
        rows.lower(range, &mut chunk)?;
        if chunk.len == rows.rows() {
            keys = std::mem::take(&mut chunk.keys);
            codes = std::mem::take(&mut chunk.codes);
            keys.truncate(chunk.len);
            codes.truncate(chunk.len);
        } else {
            keys.grow_by(&chunk.keys[..chunk.len]);
            codes.grow_by(&chunk.codes[..chunk.len]);
        }
    }
    Ok((keys, codes))
}

/// [`in_order`] for keys and their classes.
pub(crate) fn ordered<K: Key>(keys: &[K], codes: &[u8]) -> Vec<Run<K>> {
    let (low, high) = extent(keys);
    if keys.is_empty() || high.minus(low).wide() >> 63 == 0 {
        return vec![run(keys, codes, low, high)];
    }
    // The first bit is shifted out, and tells the run of a row.
    let (mut below, mut above) = (vec![0; keys.len()], vec![0; keys.len()]);
    let (mut at_below, mut at_above) = (0, 0);
    for (key, &code) in keys.iter().zip(codes) {
        let word = key.wide() << 1 | u64::from(code & 1);
        // Both are written and one is kept, since the signs of scores cannot be predicted.
        below[at_below] = word;
        above[at_above] = word;
        let up = (key.wide() >> 63) as usize;
        at_below += 1 - up;
        at_above += up;
    }
    below.truncate(at_below);
    above.truncate(at_above);
    let runs = [(below, 0), (above, 1 << 63)].map(|(mut words, middle)| {
        let (low, high) = extent(&words);
        let low = low & !1;
        for word in &mut words {
            *word -= low;
        }
        Run { low: K::narrow(middle | low >> 1), words: sorted(words, high - low) }
    });
    runs.into()
}

/// Sorts rows with keys from `low` to `high`, which differ by less than 2^63.
fn run<K: Key>(keys: &[K], codes: &[u8], low: K, high: K) -> Run<K> {
    let mut words = vec![0; keys.len()];
    if words.is_empty() {
        return Run { low, words };
    }
    words_of(keys, codes, low, &mut words);
    let words = sorted(words, high.minus(low).wide() << 1 | 1);
    Run { low, words }
}

#[inline(always)]
fn words_body<K: Key>(keys: &[K], codes: &[u8], low: K, words: &mut [u64]) {
    for ((word, &key), &code) in words.iter_mut().zip(keys).zip(codes) {
        *word = key.minus(low).wide() << 1 | u64::from(code & 1);
    }
}

/// Sorts words from 0 to `high`.
pub(crate) fn sorted(mut words: Vec<u64>, high: u64) -> Vec<u64> {
    if words.len() <= MOST {
        let bits = u64::BITS - high.leading_zeros();
        let shift = bits.saturating_sub(usize::BITS - (words.len() * SPARSE).leading_zeros());
        let mut groups = vec![0; (high >> shift >> 3) as usize + 1];
        let mut placed = vec![0; words.len()];
        if let Some(widest) = place(&words, shift, &mut groups, &mut placed) {
            if widest > CROWDED {
                let cells = placed.chunk_by_mut(|a, b| a >> shift == b >> shift);
                for cell in cells.filter(|cell| cell.len() > usize::from(CROWDED)) {
                    cell.sort_unstable();
                }
            }
            // Words out of order are usually neighbours. Vectors exchange most of them before
            // insertion visits words one by one.
            exchange(&mut placed);
            insert(&mut placed);
            return placed;
        }
    }
    words.sort_unstable();
    words
}

/// Places the words by cell, eight cells to a group, and returns the number in the fullest cell;
/// `None` if bytes overflow. No word may be above the last cell.
#[inline(always)]
fn place_body(words: &[u64], shift: u32, groups: &mut [u64], placed: &mut [u64]) -> Option<u8> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let bytes = bytes_of(groups);
    let last = bytes.len() - 1;
    for &word in words {
        let count = &mut bytes[((word >> shift) as usize).min(last)];
        *count = count.wrapping_add(1);
    }
    let widest = bytes.iter().fold(0, |widest: u8, &count| widest.max(count));
    let mut total = 0_u64;
    let before: Vec<u16> = groups
        .iter_mut()
        .map(|group| {
            let before = total as u16;
            // The first cell is the lowest byte. If eight counts exceed 255, the last sum loses a
            // carry.
            *group = u64::from_le(*group).wrapping_mul(ONES);
            total += *group >> 56;
            *group = group.to_le();
            before
        })
        .gather();
    if total != words.len() as u64 {
        return None; // Carries were lost, or counts went beyond 255 and began anew: the total lacks them all.
    }
    let bytes = bytes_of(groups);
    for &word in words {
        let cell = ((word >> shift) as usize).min(last);
        let upto = &mut bytes[cell];
        *upto = upto.wrapping_sub(1);
        let place = usize::from(before[cell >> 3]) + usize::from(*upto);
        if let Some(placed) = placed.get_mut(place) {
            *placed = word;
        }
    }
    Some(widest)
}

/// The counts of the cells, eight to a group.
#[inline(always)]
fn bytes_of(groups: &mut [u64]) -> &mut [u8] {
    // SAFETY: the same memory as bytes: any bits are a byte, bytes need no alignment, and the
    // borrow passes over.
    unsafe { std::slice::from_raw_parts_mut(groups.as_mut_ptr().cast(), 8 * groups.len()) }
}

/// Orders neighbouring words, starting with the first, then with the second.
#[inline(always)]
fn exchange_body(words: &mut [u64]) {
    #[inline(always)]
    fn pairs(words: &mut [u64]) {
        for pair in words.as_chunks_mut::<2>().0 {
            *pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
        }
    }
    pairs(words);
    if let [_, words @ ..] = words {
        pairs(words);
    }
}

pub(crate) fn insert<T: Copy + Ord>(words: &mut [T]) {
    insert_by(words, |a, b| a > b);
}

/// Moves items to their places by insertion; `is_after` tells whether the first of two belongs
/// after the second.
#[inline(always)]
pub(crate) fn insert_by<T: Copy>(items: &mut [T], is_after: impl Fn(&T, &T) -> bool) {
    for at in 1..items.len() {
        let item = items[at];
        if !is_after(&items[at - 1], &item) {
            continue; // as nearly all are
        }
        let mut to = at;
        while to > 0 && is_after(&items[to - 1], &item) {
            items[to] = items[to - 1];
            to -= 1;
        }
        items[to] = item;
    }
}

wide! {
    fn words_of[K: Key](keys: &[K], codes: &[u8], low: K, words: &mut [u64]) -> () = words_body;
    fn exchange[](words: &mut [u64]) -> () = exchange_body;
    fn place[](words: &[u64], shift: u32, groups: &mut [u64], placed: &mut [u64]) -> Option<u8> = place_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(words: Vec<u64>) {
        let mut expected = words.clone();
        expected.sort_unstable();
        let high = expected.last().copied().unwrap_or(0);
        assert_eq!(sorted(words, high), expected);
    }

    proptest! {
        #[test]
        fn words_are_sorted(words in prop::collection::vec(0..u64::MAX, 1..3000), shift in 0..64_u32) {
            check(words.iter().map(|word| word >> shift).collect());
        }
    }

    #[test]
    fn spread_words_and_crowds_are_sorted() {
        let spread =
            |n: u64| (0..n).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).collect::<Vec<_>>();
        for n in [1, 2, 7, 100, 1000, MOST as u64, MOST as u64 + 1] {
            check(spread(n));
        }
        for crowd in [12, 13, 100, 255, 256, 257, 512, 513, 1000] {
            for step in [0, 1, 1 << 50] {
                let mut words = spread(1000);
                words.extend((0..crowd).rev().map(|i| 5 + i * step));
                check(words);
            }
        }
        check(vec![0; 256]);
        check(vec![u64::MAX, 0, u64::MAX, 1]);
    }
}
