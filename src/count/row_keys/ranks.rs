//! The ranks of integers among their distinct values: the numbers of groups.
//!
//! All passes over rows are split into parts.
//!
//! 1. One pass finds the lowest and the highest value.
//! 2. Values that lie close together mark their places, a bit for each place. The rank of a value
//!    is the number of marks below its place: the marks before its word of 64 places, which a table
//!    holds, and those below it in the word. If every place is marked, the rank is the distance
//!    from the lowest value.
//! 3. Values that lie far apart get codes. The table from values to codes is divided into 64
//!    shards, by hash. Rows come in windows: parts look up the rows of a window and list unknown
//!    values by shard; then shards take the new values, and parts look these up again. The distinct
//!    values are sorted, and a last pass turns codes into ranks.
//!
//! Cost for a million rows on one thread: about 3 ms for values close together, 6 to 15 ms for
//! others of up to 10,000 groups. Memory: 4 bytes a row, and two fifths of a byte for each place, or
//! 30 to 50 bytes for each distinct value that is far from others.
//!
//! Rejected: a table of values for each part, as each would soon hold all values; a byte for each
//! mark and a table of the ranks of all places, which take 25 times the memory.

#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::base::column::chunks;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, in_place, no_room, with_room, zeros};
use crate::base::switch::switch_at;
use crate::base::threads::{SERIAL_ROWS, over_items, over_parts, over_pieces, zero_room};
use crate::base::wide::wide;

/// Writes the values of a chunk of rows to an empty vector.
type Lower<'a> = &'a (dyn Fn(Range<usize>, &mut Vec<u64>) + Sync);

/// Up to this number of places a table is always small enough.
const SMALL: u64 = 1 << 16;

/// The ranks of rows, and the ascending distinct values.
#[derive(Debug, PartialEq, Eq)]
pub struct Ranks {
    /// Each row's rank; the rank of a missing value is the number of distinct values.
    pub ranks: Vec<u32>,
    /// Ascending, without the missing value.
    pub distinct: Vec<u64>,
    /// Whether a value is missing.
    pub is_missing: bool,
}

/// Ranks the values of `rows` rows. `lower` writes the values of a chunk to an empty vector;
/// `missing` is the missing value, the greatest of all.
///
/// # Errors
/// More distinct values than codes.
pub fn ranked(
    argument: &'static str,
    rows: usize,
    has_missing: bool,
    lower: Lower<'_>,
) -> Result<Ranks> {
    // The lowest value, and one more than the highest one. If values may be missing, a missing one
    // is `u64::MAX` and becomes 0.
    let parts = over_parts(rows, |part| {
        let mut values = Vec::new();
        let (mut low, mut beyond, mut is_missing) = (u64::MAX, 0_u128, false);
        for chunk in chunks(part) {
            values.clear();
            lower(chunk, &mut values);
            let (least, greatest, has_most) = bounds(&values, u64::from(has_missing));
            low = low.min(least);
            beyond = beyond.max(u128::from(greatest) + u128::from(!has_missing));
            is_missing |= has_missing && has_most;
        }
        Ok((low, beyond, is_missing))
    })?;
    let low = parts.iter().map(|part| part.0).min().unwrap_or(u64::MAX);
    let beyond = parts.iter().map(|part| part.1).max().unwrap_or(0);
    let is_missing = parts.iter().any(|part| part.2);
    if beyond == 0 {
        return Ok(Ranks { ranks: vec![0; rows], distinct: Vec::new(), is_missing });
    }
    let span = beyond - u128::from(low);
    if span <= u128::from(SMALL.max(4 * rows as u64).min(u32::MAX.into())) {
        close(argument, rows, low, span as usize, is_missing, lower)
    } else {
        apart(argument, rows, has_missing, is_missing, lower)
    }
}

/// The lowest value, the highest one plus `shift`, which may wrap around, and whether the largest
/// integer occurs.
#[inline(always)]
fn bounds_body(values: &[u64], shift: u64) -> (u64, u64, bool) {
    let (mut least, mut greatest, mut has_most) = (u64::MAX, 0, false);
    for &value in values {
        least = least.min(value);
        greatest = greatest.max(value.wrapping_add(shift));
        has_most |= value == u64::MAX;
    }
    (least, greatest, has_most)
}

wide! {
    fn bounds[](values: &[u64], shift: u64) -> (u64, u64, bool) = bounds_body;
}

/// The value of a missing key, if keys may be missing.
pub const MISSING_VALUE: u64 = u64::MAX;

/// Ranks values within `span` places from `low` on.
fn close(
    argument: &'static str,
    rows: usize,
    low: u64,
    span: usize,
    is_missing: bool,
    lower: Lower<'_>,
) -> Result<Ranks> {
    // The place after all others is for missing values.
    let marks = in_place(zeros::<u64>(span / PLACES + 1), AtomicU64::new);
    let mut ranks: Vec<u32> = zero_room(argument, rows)?;
    over_pieces(&mut ranks, |part, ranks| {
        let mut values = Vec::new();
        let mut to = ranks.iter_mut();
        for chunk in chunks(part) {
            values.clear();
            lower(chunk, &mut values);
            for (&value, place) in values.iter().zip(to.by_ref()) {
                let at = value.wrapping_sub(low).min(span as u64);
                *place = at as u32;
                let (marks, own) = (&marks[at as usize / PLACES], 1 << (at % PLACES as u64));
                // Most marks are there already, and reading does not disturb other threads.
                if marks.load(Ordering::Relaxed) & own == 0 {
                    marks.fetch_or(own, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    })?;
    let mut present = 0;
    let mark = |(word, marks): (usize, AtomicU64)| {
        let mut marks = marks.into_inner();
        if word == span / PLACES {
            marks &= (1 << (span % PLACES)) - 1;
        }
        let before = present;
        present += marks.count_ones() as usize;
        Marked { marks, before: before as u32 }
    };
    let words = marks.into_iter().enumerate().map(mark).gather();
    few_enough(argument, present)?;
    if present < span {
        over_pieces(&mut ranks, |_, ranks| {
            for ranks in ranks.chunks_mut(PIECE) {
                ranks_of(&words, ranks);
            }
            Ok(())
        })?;
    }
    let mut distinct: Vec<u64> = zero_room(argument, present)?;
    over_pieces(&mut distinct, |part, distinct| {
        let mut word = words.partition_point(|word| word.before as usize <= part.start);
        word = word.saturating_sub(1);
        let mut marks = words[word].marks;
        for _ in words[word].before as usize..part.start {
            marks &= marks - 1;
        }
        for (place, value) in distinct.iter_mut().enumerate() {
            interrupt::check_at(place);
            while marks == 0 {
                word += 1;
                marks = words[word].marks;
            }
            *value = low + (word * PLACES) as u64 + u64::from(marks.trailing_zeros());
            marks &= marks - 1;
        }
        Ok(())
    })?;
    Ok(Ranks { ranks, distinct, is_missing })
}

/// The places of a word of marks.
const PLACES: usize = 64;

/// Places turned into ranks at a time.
const PIECE: usize = 1 << 12;

/// The marks of 64 places, and the number of marks before them.
struct Marked {
    marks: u64,
    before: u32,
}

#[inline(always)]
fn ranks_body(words: &[Marked], places: &mut [u32]) {
    for place in places {
        let Marked { marks, before } = words[*place as usize / PLACES];
        let below = (1_u64 << (*place % PLACES as u32)) - 1;
        *place = before + (marks & below).count_ones();
    }
}

wide! {
    /// Turns places into ranks.
    fn ranks_of[](words: &[Marked], places: &mut [u32]) -> () = ranks_body;
}

/// The number of shards, a power of two.
const SHARDS: usize = 64;

/// The most rows of a window. The first window is one part.
const WINDOW: usize = switch_at(1 << 20, 1 << 8);

/// The codes of a row whose value is not known yet, and of a missing value.
const UNKNOWN: u32 = u32::MAX;
const MISSING_CODE: u32 = u32::MAX - 1;

/// The codes of some of the values, by hash.
#[derive(Default)]
struct Shard {
    codes: HashTable<(u64, u32)>,
}

/// The codes of all values that are known.
struct Known {
    hasher: RandomState,
    shards: Vec<Shard>,
}

impl Known {
    fn find(&self, value: u64) -> Option<u32> {
        let hash = self.hasher.hash_one(value);
        self.shards[shard_of(hash)].codes.find(hash, |known| known.0 == value).map(|known| known.1)
    }

    fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.codes.len()).sum()
    }

    /// One more than the greatest code.
    fn codes(&self) -> usize {
        SHARDS * self.shards.iter().map(|shard| shard.codes.len()).max().unwrap_or(0)
    }
}

impl Shard {
    /// The code of a value, which may be new: the `n`th value of a shard has `n` times the number of
    /// shards plus the number of the shard.
    fn code(&mut self, hasher: &RandomState, value: u64, (hash, shard): (u64, usize)) -> u32 {
        if let Some(known) = self.codes.find(hash, |known| known.0 == value) {
            return known.1;
        }
        let place = self.codes.len();
        let hash_of = |known: &(u64, u32)| hasher.hash_one(known.0);
        if self.codes.try_reserve(1, hash_of).is_err() {
            no_room::<(u64, u32)>(place);
        }
        let code = (place * SHARDS + shard) as u32;
        self.codes.insert_unique(hash, (value, code), hash_of);
        code
    }
}

/// Ranks values that are far apart.
fn apart(
    argument: &'static str,
    rows: usize,
    has_missing: bool,
    is_missing: bool,
    lower: Lower<'_>,
) -> Result<Ranks> {
    let shards = (0..SHARDS).map(|_| Shard::default()).gather();
    let known = RwLock::new(Known { hasher: RandomState::default(), shards });
    let mut ranks: Vec<u32> = zero_room(argument, rows)?;
    // Codes of rows, whose values `code` turns into codes.
    let each = |first: usize, codes: &mut [u32], code: &mut dyn FnMut(&mut u32, u64)| {
        let mut values = Vec::new();
        let mut to = codes.iter_mut();
        // Rows of a group often follow each other.
        let mut last = None;
        for chunk in chunks(first..first + to.len()) {
            values.clear();
            lower(chunk, &mut values);
            for (&value, to) in values.iter().zip(to.by_ref()) {
                match last {
                    Some((known, code)) if known == value => *to = code,
                    _ if has_missing && value == MISSING_VALUE => *to = MISSING_CODE,
                    _ => {
                        code(to, value);
                        last = Some((value, *to));
                    }
                }
            }
        }
    };
    let (mut start, mut size) = (0, SERIAL_ROWS);
    while start < rows {
        let window = &mut ranks[start..rows.min(start + size)];
        let len = window.len();
        let unknown = over_pieces(window, |part, codes| {
            let mut unknown: Vec<Vec<u64>> = Vec::new();
            let first = start + part.start;
            if part.len() == len {
                let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
                let Known { hasher, shards } = &mut *known;
                each(first, codes, &mut |to, value| {
                    let hash = hasher.hash_one(value);
                    let shard = shard_of(hash);
                    *to = shards[shard].code(hasher, value, (hash, shard));
                });
            } else {
                let known = known.read().unwrap_or_else(PoisonError::into_inner);
                unknown.grow_with((0..SHARDS).map(|_| Vec::new()));
                each(first, codes, &mut |to, value| {
                    *to = known.find(value).unwrap_or_else(|| {
                        unknown[shard_of(known.hasher.hash_one(value))].grow(value);
                        UNKNOWN
                    });
                });
            }
            Ok(unknown)
        })?;
        let before = |shard: usize| {
            let of_shards = unknown.iter().flat_map(|part| &part[..shard.min(part.len())]);
            of_shards.map(Vec::len).sum()
        };
        if before(SHARDS) > 0 {
            let known = &mut *known.write().unwrap_or_else(PoisonError::into_inner);
            let hasher = &known.hasher;
            over_items(SHARDS, &before, &mut known.shards[..], |range, shards| {
                for (shard, own) in range.zip(shards) {
                    for (place, &value) in unknown.iter().flat_map(|part| &part[shard]).enumerate()
                    {
                        interrupt::check_at(place);
                        own.code(hasher, value, (hasher.hash_one(value), shard));
                    }
                }
                Ok(())
            })?;
            let known = &*known;
            over_pieces(window, |part, codes| {
                each_unknown(start + part.start, codes, lower, &|value| known.find(value));
                Ok(())
            })?;
        }
        let known = known.read().unwrap_or_else(PoisonError::into_inner);
        few_enough(argument, known.len().max(known.codes()))?;
        start += size;
        size = WINDOW;
    }
    let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (distinct, rank_of) = sorted(known)?;
    let missing = distinct.len() as u32;
    over_pieces(&mut ranks, |_, ranks| {
        for (row, rank) in ranks.iter_mut().enumerate() {
            interrupt::check_at(row);
            *rank = rank_of.get(*rank as usize).copied().unwrap_or(missing);
        }
        Ok(())
    })?;
    Ok(Ranks { ranks, distinct, is_missing })
}

fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

/// Codes of the rows that have none yet.
fn each_unknown(
    first: usize,
    codes: &mut [u32],
    lower: Lower<'_>,
    find: &dyn Fn(u64) -> Option<u32>,
) {
    let mut values = Vec::new();
    let mut to = codes.iter_mut();
    for chunk in chunks(first..first + to.len()) {
        values.clear();
        lower(chunk, &mut values);
        for (&value, to) in values.iter().zip(to.by_ref()) {
            if *to == UNKNOWN {
                // A value that another thread has written meanwhile counts as missing.
                *to = find(value).unwrap_or(MISSING_CODE);
            }
        }
    }
}

/// The values in ascending order, and the rank of each code. Each part of the ranks sorts the values
/// between two values of a sample.
fn sorted(known: Known) -> Result<(Vec<u64>, Vec<u32>)> {
    const SAMPLE: usize = 1 << 10;
    let (len, codes) = (known.len(), known.codes());
    let values = || known.shards.iter().flat_map(|shard| shard.codes.iter());
    let mut sample = values().step_by(len / SAMPLE + 1).map(|known| known.0).gather();
    sample.sort_unstable();
    let bound = |place: usize| sample.get(place * sample.len() / len.max(1)).copied();
    let parts = over_parts(len, |part| {
        let low = if part.start == 0 { 0 } else { bound(part.start).unwrap_or(u64::MAX) };
        let high = if part.end == len { None } else { bound(part.end) };
        let is_own = |value: u64| value >= low && high.is_none_or(|high| value < high);
        let mut own: Vec<(u64, u32)> = with_room(part.len() + part.len() / 8);
        for (place, &(value, code)) in values().enumerate() {
            interrupt::check_at(place);
            if is_own(value) {
                own.grow((value, code));
            }
        }
        own.sort_unstable();
        Ok(own)
    })?;
    drop(known);
    let mut starts = with_room(parts.len() + 1);
    let mut sum = 0;
    for part in &parts {
        starts.push(sum);
        sum += part.len();
    }
    starts.push(sum);
    let ranks = in_place(zeros::<u32>(codes), AtomicU32::new);
    over_items(parts.len(), &|part| starts[part], (), |range, ()| {
        for part in range {
            for (rank, &(_, code)) in (starts[part]..).zip(&parts[part]) {
                ranks[code as usize].store(rank as u32, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    let mut distinct = with_room(len);
    for part in parts {
        distinct.grow_with(part.iter().map(|&(value, _)| value));
    }
    Ok((distinct, in_place(ranks, AtomicU32::into_inner)))
}

/// Refuses more distinct keys than codes.
pub(crate) fn few_enough(argument: &'static str, keys: usize) -> Result<()> {
    // One code is reserved for a missing key and one for no key.
    if keys >= u32::MAX as usize - 1 {
        let expected = "at most 2**32 - 3 groups";
        return Err(Refusal::argument(argument, format!("of {keys} keys"), expected));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::threads::set_threads;
    use std::collections::BTreeSet;

    fn naive(values: &[u64], has_missing: bool) -> Ranks {
        let is_there = |value: &&u64| !has_missing || **value != MISSING_VALUE;
        let distinct: BTreeSet<u64> = values.iter().filter(is_there).copied().collect();
        let distinct: Vec<u64> = distinct.into_iter().collect();
        let rank = |value: &u64| distinct.partition_point(|known| known < value) as u32;
        Ranks {
            ranks: values.iter().map(rank).collect(),
            is_missing: !values.iter().all(|value| is_there(&value)),
            distinct,
        }
    }

    fn random() -> impl FnMut(u64) -> u64 {
        let mut state = 1_u64;
        move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if below == 0 { state } else { (state >> 33) % below }
        }
    }

    #[test]
    fn ranks_of_several_parts_are_those_of_sorting() {
        let mut random = random();
        let rows = 4 * SERIAL_ROWS + 77;
        for (below, factor) in
            [(7, 1), (60_000, 3), (2_000_000, 1), (9, 1 << 50), (300_000, 1 << 40)]
        {
            // The first rows hide most of the values from the first window.
            let value = |row: usize| {
                let below = if row < 2 * SERIAL_ROWS { below / 2 + 1 } else { below };
                if row % 1001 == 1000 { MISSING_VALUE } else { random(below) * factor }
            };
            let values: Vec<u64> = (0..rows).map(value).collect();
            let lower = |rows: Range<usize>, out: &mut Vec<u64>| out.extend(&values[rows]);
            let expected = naive(&values, true);
            for threads in [1, 3, 16] {
                set_threads(Some(threads)).unwrap();
                let found = ranked("by", rows, true, &lower).unwrap();
                assert!(found == expected, "{below} {factor} {threads}");
            }
        }
        set_threads(None).unwrap();
    }

    #[test]
    fn ranks_are_those_of_sorting() {
        let mut random = random();
        for rows in [0, 1, 2, 5, 300, 5000] {
            for below in [1, 3, 100, 70_000, 1 << 40, 0] {
                for (shift, has_missing) in [(0, false), (1 << 30, true), (1 << 63, true)] {
                    let mut values: Vec<u64> = (0..rows).map(|_| random(below) | shift).collect();
                    for check in 0..3 {
                        let lower =
                            |rows: Range<usize>, out: &mut Vec<u64>| out.extend(&values[rows]);
                        let found = ranked("by", rows, has_missing, &lower).unwrap();
                        assert_eq!(found, naive(&values, has_missing));
                        if check == 1 {
                            values.fill(u64::MAX);
                        } else if let Some(first) = values.first_mut() {
                            *first = u64::MAX;
                        }
                    }
                }
            }
        }
    }
}
