//! Entries sorted by group and key (a score or a cell); each distinct key of a group occurs once.
//!
//! 1. A counting sort brings the entries of each group together.
//! 2. Each group is sorted by key. A group's entries nearly always fit in cache.
//! 3. Runs of one key become one entry, and each entry learns its place.

use std::cmp::Ordering;

use crate::base::column::CHUNK;
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Room, with_room};
use crate::scores::keys::Key;

/// The distinct keys of each group, in the order of the caller.
pub(crate) struct Arranged<K> {
    /// The keys of group `g` are `starts[g]..starts[g + 1]`.
    pub(crate) starts: Vec<u64>,
    pub(crate) keys: Vec<K>,
    /// For each entry, the place of its key.
    pub(crate) places: Vec<usize>,
}

/// For each group, where its entries begin, and at the end the number of all entries.
pub(crate) fn starts_of(codes: impl Iterator<Item = u32>, groups: usize) -> Vec<usize> {
    let mut starts: Vec<usize> = vec![0; groups + 1];
    for code in codes {
        starts[code as usize + 1] += 1;
    }
    for group in 0..groups {
        starts[group + 1] += starts[group];
    }
    starts
}

/// Arranges entries. `codes` are their groups, below `groups`; `order` compares keys.
pub(crate) fn arranged<K: Key>(
    codes: &[u32],
    groups: usize,
    keys: &[K],
    order: impl Fn(&K, &K) -> Ordering,
) -> Arranged<K> {
    let starts = starts_of(codes.iter().copied(), groups);
    let mut next = starts.copy_all();
    let mut all: Vec<(K, u64)> = vec![(K::default(), 0); keys.len()];
    for (entry, (&code, &key)) in codes.iter().zip(keys).enumerate() {
        let to = &mut next[code as usize];
        all[*to] = (key, entry as u64);
        *to += 1;
    }
    drop(next);
    let mut found: Vec<K> = Vec::new();
    let mut ends = with_room(groups + 1);
    ends.push(0);
    let mut places: Vec<usize> = vec![0; keys.len()];
    let mut since = 0;
    for bounds in starts.windows(2) {
        since += bounds[1] - bounds[0];
        if since > CHUNK {
            interrupt::check();
            since = 0;
        }
        let entries = &mut all[bounds[0]..bounds[1]];
        entries.sort_unstable_by(|a, b| order(&a.0, &b.0));
        let mut last = None;
        for &(key, entry) in &*entries {
            if last != Some(key) {
                last = Some(key);
                found.grow(key);
            }
            places[entry as usize] = found.len() - 1;
        }
        ends.push(found.len() as u64);
    }
    found.shrink_to_fit();
    Arranged { starts: ends, keys: found, places }
}
