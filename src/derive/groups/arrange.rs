//! Entries sorted by group and key (a score or a cell); each distinct key of a group occurs once.
//!
//! 1. Move the entries into buckets of consecutive groups (`row_keys/buckets.rs`). Beside its key,
//!    each has its number and its group within the bucket.
//! 2. Sort the entries of each bucket, several buckets at a time: a counting sort brings those of a
//!    group together, and each group is sorted by key.
//! 3. Runs of one key become one key, which knows its entries. What the entries have is added up
//!    key by key, so threads share the keys.
//!
//! Cost: 16 bytes an entry and 8 a distinct key, beside the keys.

use std::cmp::Ordering;
use std::ops::Range;
use std::slice::IterMut;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::column::chunks;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::base::threads::{Pieces, defaults, joined_by, over_items, over_pieces, zeros_in_parts};
use crate::row_keys::buckets::{Bucket, Buckets};
use crate::scores::keys::Key;

/// The bits of the number of an entry. A bucket has fewer than 2^21 groups.
const ENTRY_BITS: u32 = 43;

/// A key, and a word with the group within the bucket above the number of the entry.
type Entry<K> = (K, u64);

fn group_of<K>(entry: &Entry<K>) -> usize {
    (entry.1 >> ENTRY_BITS) as usize
}

/// The distinct keys of each group, in the order of the caller.
pub(crate) struct Arranged<K> {
    /// The keys of group `g` are `starts[g]..starts[g + 1]`.
    pub(crate) starts: Vec<u64>,
    pub(crate) keys: Vec<K>,
    /// Where the entries of each key end.
    ends: Vec<u64>,
    entries: Vec<Entry<K>>,
}

/// Buckets whose entries are sorted.
struct Unsorted<'a, K> {
    buckets: &'a [Bucket],
    entries: &'a mut [Entry<K>],
    /// The number of keys up to each group, counted from the first bucket of the part.
    ends: &'a mut [u64],
}

impl<K: Send> Pieces for Unsorted<'_, K> {
    fn split(self, len: usize) -> (Self, Self) {
        let (buckets, others) = self.buckets.split_at(len);
        let entries = buckets.iter().map(|bucket| bucket.rows.len()).sum();
        let groups = buckets.iter().map(|bucket| bucket.groups.len()).sum();
        let (entries, other_entries) = self.entries.split(entries);
        let (ends, other_ends) = self.ends.split(groups);
        (
            Self { buckets, entries, ends },
            Self { buckets: others, entries: other_entries, ends: other_ends },
        )
    }
}

/// Arranges entries. `codes` are their groups, below `groups`; `order` compares keys.
///
/// # Errors
/// None but for memory.
pub(crate) fn arranged<K: Key>(
    codes: &[u32],
    groups: usize,
    keys: &[K],
    order: impl Fn(&K, &K) -> Ordering + Sync,
) -> Result<Arranged<K>> {
    let buckets = Buckets::new(codes, groups)?;
    let mut entries = defaults("by", codes.len())?;
    let move_part = |part: Range<usize>, places: &mut [IterMut<'_, Entry<K>>]| {
        for chunk in chunks(part) {
            interrupt::check();
            for entry in chunk {
                let bucket = buckets.of(codes[entry]);
                let group = codes[entry] as usize - buckets.all[bucket].groups.start;
                if let Some(place) = places[bucket].next() {
                    *place = (keys[entry], (group as u64) << ENTRY_BITS | entry as u64);
                }
            }
        }
        Ok(())
    };
    buckets.over_parts(&mut entries[..], <[_]>::iter_mut, move_part)?;
    let mut starts: Vec<u64> = zeros_in_parts(groups + 1);
    let unsorted =
        Unsorted { buckets: &buckets.all, entries: &mut entries, ends: &mut starts[1..] };
    let before = |bucket| buckets.before(bucket);
    let parts = over_items(buckets.all.len(), &before, unsorted, |_, mut rest| {
        let groups = rest.buckets.first().map_or(0..0, |first| {
            first.groups.start..rest.buckets[rest.buckets.len() - 1].groups.end
        });
        let mut sorter = Sorter { scratch: Vec::new(), keys: Vec::new(), ends: Vec::new() };
        while let [bucket, ..] = rest.buckets {
            let (own, others) = rest.split(1);
            sorter.sort(bucket, own, &order);
            rest = others;
        }
        Ok((groups, sorter.keys, sorter.ends))
    })?;
    let (mut of_groups, mut keys, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = 0;
    for (groups, own, own_ends) in parts {
        of_groups.grow((groups, before));
        before += own.len() as u64;
        keys.grow(own);
        ends.grow(own_ends);
    }
    over_pieces(&mut starts[1..], |range, ends| {
        for (groups, before) in &of_groups {
            let own = groups.start.max(range.start)..groups.end.min(range.end);
            if !own.is_empty() {
                for end in &mut ends[own.start - range.start..own.end - range.start] {
                    *end += before;
                }
            }
        }
        Ok(())
    })?;
    let keys = joined_by(keys, |_, key| key)?;
    let ends = joined_by(ends, |_, end| end)?;
    Ok(Arranged { starts, keys, ends, entries })
}

/// Sorts the entries of buckets one after the other, in the same memory.
struct Sorter<K> {
    scratch: Vec<Entry<K>>,
    keys: Vec<K>,
    ends: Vec<u64>,
}

impl<K: Key> Sorter<K> {
    /// Brings the entries of each group together, and finds where they end.
    fn group(&mut self, entries: &mut [Entry<K>], ends: &mut [u64]) {
        // Each end is first where the entries of the group begin.
        for entry in &*entries {
            ends[group_of(entry)] += 1;
        }
        let mut sum = 0;
        for end in &mut *ends {
            sum += std::mem::replace(end, sum);
        }
        self.scratch.clear();
        self.scratch.grow_by(entries);
        for &entry in &self.scratch {
            let end = &mut ends[group_of(&entry)];
            entries[*end as usize] = entry;
            *end += 1;
        }
    }

    /// Sorts the entries of a bucket, and adds its keys and where their entries end.
    fn sort(
        &mut self,
        bucket: &Bucket,
        own: Unsorted<'_, K>,
        order: &(impl Fn(&K, &K) -> Ordering + Sync),
    ) {
        interrupt::check();
        if let [end] = own.ends {
            *end = own.entries.len() as u64;
        } else {
            self.group(own.entries, own.ends);
        }
        let mut start = 0;
        for end in own.ends {
            let group = &mut own.entries[start..*end as usize];
            start = *end as usize;
            group.sort_unstable_by(|a, b| order(&a.0, &b.0));
            let mut before = bucket.rows.start + start - group.len();
            for run in group.chunk_by(|a, b| a.0 == b.0) {
                before += run.len();
                self.keys.grow(run[0].0);
                self.ends.grow(before as u64);
            }
            *end = self.keys.len() as u64;
        }
    }
}

impl<K: Key> Arranged<K> {
    /// The number of entries before those of a key.
    fn before(&self, key: usize) -> usize {
        key.checked_sub(1).map_or(0, |last| self.ends[last] as usize)
    }

    /// The number of entries of each key.
    pub(crate) fn lens(&self) -> Vec<u64> {
        (0..self.keys.len()).map(|key| self.ends[key] - self.before(key) as u64).gather()
    }

    /// The number of entries of each group.
    pub(crate) fn lens_of_groups(&self) -> Vec<u64> {
        let before = |group: usize| self.before(self.starts[group] as usize) as u64;
        (1..self.starts.len()).map(|group| before(group) - before(group - 1)).gather()
    }

    /// Columns of sums, one after the other, with a sum for each key: `add` adds an entry to the
    /// sums of its key.
    pub(crate) fn sums<A: Copy + Default + Send, const COLUMNS: usize>(
        &self,
        add: impl Fn(&mut [A; COLUMNS], usize) + Sync,
    ) -> Result<Vec<A>> {
        let len = self.keys.len();
        let mut all = defaults("by", COLUMNS * len)?;
        let mut rest = &mut all[..];
        let mut columns = Vec::new();
        for _ in 0..COLUMNS {
            let (own, others) = rest.split_at_mut(len);
            columns.grow(own);
            rest = others;
        }
        over_items(len, &|key| self.before(key), columns, |keys, mut columns| {
            let start = keys.start;
            for key in keys {
                interrupt::check_at(key);
                let mut sums = [A::default(); COLUMNS];
                for &(_, word) in &self.entries[self.before(key)..self.ends[key] as usize] {
                    add(&mut sums, (word & ((1 << ENTRY_BITS) - 1)) as usize);
                }
                for (column, sum) in columns.iter_mut().zip(sums) {
                    column[key - start] = sum;
                }
            }
            Ok(())
        })?;
        Ok(all)
    }

    /// Columns of exact sums as [`Self::sums`], of weights that have this span; `of` has the column
    /// and the weight of an entry.
    pub(crate) fn weighed<const COLUMNS: usize>(
        &self,
        span: Span,
        of: impl Fn(usize) -> (usize, f64) + Sync,
    ) -> Result<ExactSums> {
        fn run<K: Key, F: Fixed, const COLUMNS: usize>(
            arranged: &Arranged<K>,
            quantum: i32,
            of: impl Fn(usize) -> (usize, f64) + Sync,
        ) -> Result<Vec<F>> {
            arranged.sums(|sums: &mut [F; COLUMNS], entry| {
                let (column, weight) = of(entry);
                sums[column] = sums[column].plus(F::of(weight, quantum));
            })
        }
        let quantum = span.quantum();
        let sums = if span.is_narrow() {
            Sums::Narrow(run::<K, u128, COLUMNS>(self, quantum, of)?)
        } else {
            Sums::Wide(run::<K, Wide, COLUMNS>(self, quantum, of)?)
        };
        // The width is that of the span.
        Ok(ExactSums::from_parts(span, sums).unwrap_or_else(|| ExactSums::new(0)))
    }

    /// Columns of exact sums as [`Self::sums`], of other sums; `at` has the place of the sum of an
    /// entry in a column.
    pub(crate) fn gathered<const COLUMNS: usize>(
        &self,
        of: &ExactSums,
        at: impl Fn(usize, usize) -> usize + Sync,
    ) -> Result<ExactSums> {
        fn run<K: Key, F: Fixed, const COLUMNS: usize>(
            arranged: &Arranged<K>,
            of: &[F],
            at: impl Fn(usize, usize) -> usize + Sync,
        ) -> Result<Vec<F>> {
            arranged.sums(|sums: &mut [F; COLUMNS], entry| {
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum = sum.plus(of[at(column, entry)]);
                }
            })
        }
        let sums = match of.sums() {
            Sums::Narrow(sums) => Sums::Narrow(run::<K, u128, COLUMNS>(self, sums, at)?),
            Sums::Wide(sums) => Sums::Wide(run::<K, Wide, COLUMNS>(self, sums, at)?),
        };
        Ok(ExactSums::from_parts(of.span(), sums).unwrap_or_else(|| ExactSums::new(0)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::base::threads::set_threads;
    use crate::groups::made::random;

    #[test]
    fn each_key_of_a_group_has_its_entries() {
        let mut random = random(7);
        for (len, groups, distinct) in
            [(0, 0, 1), (0, 4, 1), (1, 1, 1), (70, 9, 5), (300_000, 3, 40), (300_000, 70_000, 9)]
        {
            let codes: Vec<u32> = (0..len).map(|_| random(groups as u64) as u32).collect();
            let keys: Vec<u64> = (0..len).map(|_| random(distinct)).collect();
            let mut naive: BTreeMap<(u32, u64), u64> = BTreeMap::new();
            for (entry, (&code, &key)) in codes.iter().zip(&keys).enumerate() {
                *naive.entry((code, key)).or_default() += entry as u64;
            }
            for threads in [1, 3] {
                set_threads(Some(threads)).unwrap();
                let found = arranged(&codes, groups, &keys, u64::cmp).unwrap();
                set_threads(None).unwrap();
                assert_eq!(found.keys, naive.keys().map(|at| at.1).collect::<Vec<_>>());
                let add = |[first, second]: &mut [u64; 2], entry: usize| {
                    *first += entry as u64;
                    *second += (len + entry) as u64;
                };
                let sums = found.sums(add).unwrap();
                let (first, second) = sums.split_at(naive.len());
                assert_eq!(first, naive.values().copied().collect::<Vec<_>>());
                for ((one, two), rows) in first.iter().zip(second).zip(found.lens()) {
                    assert_eq!(*two, one + rows * len as u64);
                }
                let mut rows: Vec<u64> = vec![0; groups];
                for &code in &codes {
                    rows[code as usize] += 1;
                }
                assert_eq!(found.lens_of_groups(), rows);
                for group in 0..groups {
                    let own = naive.range((group as u32, 0)..=(group as u32, u64::MAX)).count();
                    assert_eq!(found.starts[group + 1] - found.starts[group], own as u64);
                }
            }
        }
    }
}
