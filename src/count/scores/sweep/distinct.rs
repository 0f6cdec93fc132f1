//! Rows of each class per distinct score, if there are few distinct scores: in a table of all keys,
//! or in a hash table.
//!
//! 1. Scores of at most 16 bits index a table of all their keys.
//! 2. Others are counted in a hash table with open addressing. It gives up at too many distinct
//!    keys, or at keys chosen to collide.
//!
//! Cost: 1 to 2 ns a row.
#![allow(clippy::inline_always)]

use crate::base::column::chunks;
use crate::base::memory::{Gather, Room};
use crate::scores::keys::{Key, Stop};
use crate::scores::sweep::partition::parts;
use crate::scores::sweep::rows::{Chunk, Rows, STRIP};

/// The most distinct scores for hashing.
const HASHED: usize = 1 << 15;

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

/// Rows of each class per distinct key, ascending by key; `None` if there are too many distinct
/// keys.
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
    /// How many more distinct keys fit.
    room: usize,
    /// How many more collisions are accepted: keys chosen to collide are counted in another way.
    patience: usize,
}

impl<K: Key> HashTable<K> {
    /// A table for this many rows.
    fn new(rows: usize) -> Self {
        let bits =
            (rows / 8).next_power_of_two().trailing_zeros().clamp(8, HASHED.trailing_zeros() + 1);
        Self {
            slots: vec![Slot::default(); 1 << bits],
            bits,
            room: 1 << (bits - 1),
            patience: 4 * rows,
        }
    }

    /// The counts of a key, one of which must increase; `None` at too many keys or collisions.
    #[inline(always)]
    fn counts(&mut self, key: K) -> Option<&mut [u32; 2]> {
        // Fibonacci hashing: the high bits of the product depend on all bits of the key.
        let hash = key.wide().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            // An empty slot has key 0, so key 0 takes the first empty slot, which is harmless.
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

// A separate function: within the closure of a part its loop takes a tenth longer.
#[inline(never)]
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
                // Otherwise every row would wait for the previous row's count to be stored.
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
    Ok(Some(counted.map(|slot| (slot.key, slot.counts.map(u64::from))).gather()))
}
