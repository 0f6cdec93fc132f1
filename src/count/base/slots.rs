//! A hash table from values to codes, whose slots can be prefetched.
//!
//! A slot of 8 bytes holds half of the hash beside the code. So a search compares values only if
//! these halves are equal, and a table that grows reads no value again.
//!
//! A small table is at most a quarter full, so that searches seldom go on to another slot; a large
//! one at most half. Source of the scheme: linear probing (Knuth, The Art of Computer Programming
//! 3, section 6.4).

use crate::base::memory::zeros;
use crate::base::wide::prefetch_read;

const FIRST: usize = 64;
const SMALL: usize = 1 << 15;

/// A hash table of codes below `u32::MAX`.
#[derive(Default)]
pub(crate) struct Slots {
    /// The upper half is half of a hash, the lower half the code plus 1; an empty slot is 0. The
    /// number of slots is a power of two, or zero.
    slots: Vec<u64>,
    held: usize,
}

impl Slots {
    /// Where a search begins.
    #[inline]
    fn first(&self, hash: u64) -> usize {
        (hash >> 32) as usize & self.slots.len().wrapping_sub(1)
    }

    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch_read(self.slots.as_ptr().wrapping_add(self.first(hash)));
    }

    /// The code in the first slot of a search, if its half of the hash matches.
    #[inline]
    pub(crate) fn likely(&self, hash: u64) -> Option<u32> {
        let slot = *self.slots.get(self.first(hash))?;
        (slot != 0 && slot >> 32 == hash >> 32).then(|| slot as u32 - 1)
    }

    /// The code with this hash for which `same` is true.
    #[inline]
    pub(crate) fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.first(hash);
        loop {
            let slot = *self.slots.get(at)?;
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && same(slot as u32 - 1) {
                return Some(slot as u32 - 1);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Inserts a new code.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u64, code: u32) {
        let least = if self.slots.len() < SMALL { 4 } else { 2 };
        if least * (self.held + 1) > self.slots.len() {
            let more = (2 * self.slots.len()).max(FIRST);
            let slots = std::mem::replace(&mut self.slots, zeros(more));
            for slot in slots.into_iter().filter(|&slot| slot != 0) {
                self.put(slot);
            }
        }
        self.put(hash >> 32 << 32 | (u64::from(code) + 1));
        self.held += 1;
    }

    /// Puts a slot into the first free place.
    #[inline]
    fn put(&mut self, slot: u64) {
        let mut at = self.first(slot);
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn codes_are_those_of_a_map() {
        // Hashes that collide in half, in full, and not at all.
        for hash in [
            |value: u64| value << 32,
            |value| (value % 7) << 32,
            |value: u64| value.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        ] {
            let (mut slots, mut known, mut values) = (Slots::default(), HashMap::new(), Vec::new());
            for step in 0..3000_u64 {
                let value = step * step % 1009;
                slots.prefetch(hash(value));
                let likely = slots.likely(hash(value));
                assert!(likely.is_none_or(|code| (code as usize) < values.len()));
                let found = slots.find(hash(value), |code| values[code as usize] == value);
                assert_eq!(found, known.get(&value).copied());
                if found.is_none() {
                    slots.insert(hash(value), values.len() as u32);
                    known.insert(value, values.len() as u32);
                    values.push(value);
                }
            }
        }
    }
}
