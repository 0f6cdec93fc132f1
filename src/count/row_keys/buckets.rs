//! Rows moved into buckets of consecutive groups, so that the rows of a bucket fit in cache.
//!
//! 1. Cut the groups into at most 8192 cells of equally many groups. Each part of the rows counts
//!    its rows by cell.
//! 2. Join neighbouring cells to about a thousand buckets with about equally many rows. A cell with
//!    many rows is a bucket of its own.
//! 3. Sums over the counts give each part its own places in each bucket. The caller moves the rows
//!    there, part by part: the rows of a bucket keep their order, however the rows are split.
//!
//! Cost: 1 ns a row for counting, and some 3 ns for moving. Few rows are one bucket.
//!
//! Tried and rejected: moving rows straight to their groups, which misses the cache for more than
//! some ten thousand groups and needs the counts of all groups from each part.

use std::ops::Range;

use crate::base::column::chunks;
use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::switch::switch_at;
use crate::base::threads::{Pieces, SERIAL_ROWS, over_items, over_parts};

/// The most cells.
const CELLS: usize = switch_at(1 << 13, 16);
/// About the most buckets.
const BUCKETS: usize = switch_at(1 << 10, 8);
/// Up to this many rows are one bucket.
const FEW_ROWS: usize = switch_at(1 << 13, 16);
/// With at most this many groups, more rows are: all that one thread ranks.
const FEW_GROUPS: usize = switch_at(1 << 12, 1 << 2);
/// More groups than this are never one bucket: each group of a bucket has two counts of its rows.
const MANY_GROUPS: usize = switch_at(1 << 20, 1 << 6);

/// Consecutive groups and their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The groups.
    pub groups: Range<usize>,
    /// The places of its rows among those of all buckets.
    pub rows: Range<usize>,
}

/// Which rows go where.
pub struct Buckets {
    /// The buckets, by their groups.
    pub all: Vec<Bucket>,
    /// A cell has `1 << shift` groups.
    shift: u32,
    of_cells: Vec<u16>,
    parts: Vec<Part>,
}

/// A part of the rows, and how many go into each bucket.
struct Part {
    rows: Range<usize>,
    counts: Vec<usize>,
}

impl Buckets {
    /// Buckets for rows whose groups are `codes`, below `groups`.
    ///
    /// # Errors
    /// An invalid number of threads.
    pub fn new(codes: &[u32], groups: usize) -> Result<Self> {
        let rows = codes.len();
        let is_small = rows <= FEW_ROWS || (rows <= SERIAL_ROWS && groups <= FEW_GROUPS);
        if is_small && groups <= MANY_GROUPS {
            let only = Bucket { groups: 0..groups, rows: 0..rows };
            let part = Part { rows: 0..rows, counts: vec![rows] };
            let shift = MANY_GROUPS.ilog2() + 1;
            return Ok(Self { all: vec![only], shift, of_cells: vec![0], parts: vec![part] });
        }
        let mut shift = 0;
        while groups.saturating_sub(1) >> shift >= CELLS {
            shift += 1;
        }
        let cells = (groups.saturating_sub(1) >> shift) + 1;
        let counted = over_parts(rows, |part| {
            // Neighbouring rows of a group count in different tables: an addition would wait for the
            // one before it.
            let (mut counts, mut others) = (vec![0_usize; cells], vec![0_usize; cells]);
            for chunk in chunks(part.clone()) {
                let (pairs, rest) = codes[chunk].as_chunks::<2>();
                for &[code, other] in pairs {
                    counts[(code >> shift) as usize] += 1;
                    others[(other >> shift) as usize] += 1;
                }
                for &code in rest {
                    counts[(code >> shift) as usize] += 1;
                }
            }
            for (count, more) in counts.iter_mut().zip(others) {
                *count += more;
            }
            Ok((part, counts))
        })?;
        let fair = (rows / BUCKETS).max(FEW_ROWS);
        let (mut all, mut of_cells) = (Vec::new(), with_room(cells));
        let mut last = Bucket { groups: 0..0, rows: 0..0 };
        for cell in 0..cells {
            let of_cell: usize = counted.iter().map(|(_, counts)| counts[cell]).sum();
            let is_full = last.rows.len() >= fair
                || of_cell >= fair
                || last.groups.len() + (1 << shift) > MANY_GROUPS;
            if is_full && !last.groups.is_empty() {
                let next = Bucket {
                    groups: last.groups.end..last.groups.end,
                    rows: last.rows.end..last.rows.end,
                };
                all.grow(std::mem::replace(&mut last, next));
            }
            last.groups.end = ((cell + 1) << shift).min(groups);
            last.rows.end += of_cell;
            of_cells.push(all.len() as u16);
        }
        all.grow(last);
        let part = |(rows, counts): (Range<usize>, Vec<usize>)| {
            let mut of_buckets = vec![0; all.len()];
            for (&bucket, count) in of_cells.iter().zip(counts) {
                of_buckets[usize::from(bucket)] += count;
            }
            Part { rows, counts: of_buckets }
        };
        let parts = counted.into_iter().map(part).gather();
        Ok(Self { all, shift, of_cells, parts })
    }

    /// The bucket of a group.
    #[inline]
    pub fn of(&self, group: u32) -> usize {
        self.of_cells[(group >> self.shift) as usize].into()
    }

    /// Runs `work` on each part of the rows and its own places in each bucket. `outputs` has a place
    /// for each row; `open` is what `work` writes to.
    ///
    /// # Errors
    /// The refusal of the earliest part for which `work` refuses.
    pub fn over_parts<P: Pieces, O: Send>(
        &self,
        outputs: P,
        open: impl Fn(P) -> O,
        work: impl Fn(Range<usize>, &mut [O]) -> Result<()> + Sync,
    ) -> Result<()> {
        let mut places: Vec<Vec<O>> = self.parts.iter().map(|_| with_room(self.all.len())).gather();
        let mut rest = outputs;
        for bucket in 0..self.all.len() {
            for (places, part) in places.iter_mut().zip(&self.parts) {
                let (own, others) = rest.split(part.counts[bucket]);
                places.push(open(own));
                rest = others;
            }
        }
        let rows = self.parts.last().map_or(0, |part| part.rows.end);
        let before = |part: usize| self.parts.get(part).map_or(rows, |part| part.rows.start);
        over_items(self.parts.len(), &before, &mut places[..], |parts, places| {
            for (part, places) in self.parts[parts].iter().zip(places) {
                work(part.rows.clone(), places)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Where the rows of a bucket begin; of the number of buckets it is the number of rows.
    pub fn before(&self, bucket: usize) -> usize {
        let end = self.all.last().map_or(0, |last| last.rows.end);
        self.all.get(bucket).map_or(end, |bucket| bucket.rows.start)
    }
}

#[cfg(test)]
mod tests {
    use std::slice::IterMut;

    use super::*;

    #[test]
    fn rows_of_a_bucket_keep_their_order() {
        let mut state = 3_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            (state >> 33) % below
        };
        for (rows, groups) in [
            (0, 0),
            (0, 5),
            (10, 3),
            (20_000, 1),
            (60_000, 20_000),
            (300_000, 100),
            (300_000, 1 << 21),
        ] {
            for is_uneven in [false, true] {
                let mut group = || {
                    let group = random(groups as u64);
                    if is_uneven && random(3) > 0 { group / 1000 } else { group }
                };
                let codes: Vec<u32> = (0..rows).map(|_| group() as u32).collect();
                let buckets = Buckets::new(&codes, groups).unwrap();
                let mut moved = vec![0_usize; rows];
                let work = |own: Range<usize>, places: &mut [IterMut<'_, usize>]| {
                    for row in own {
                        *places[buckets.of(codes[row])].next().unwrap() = row;
                    }
                    Ok(())
                };
                buckets.over_parts(&mut moved[..], <[usize]>::iter_mut, work).unwrap();
                let mut end = (0, 0);
                for bucket in &buckets.all {
                    assert_eq!((bucket.groups.start, bucket.rows.start), end);
                    end = (bucket.groups.end, bucket.rows.end);
                    let own = &moved[bucket.rows.clone()];
                    assert!(own.is_sorted());
                    let is_own = |row: &usize| bucket.groups.contains(&(codes[*row] as usize));
                    assert!(own.iter().all(is_own));
                }
                assert_eq!(end, (groups, rows));
            }
        }
    }
}
