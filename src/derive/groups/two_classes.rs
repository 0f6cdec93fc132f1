//! The cells of two classes by group, from rows.
//!
//! 1. Four cells a group lie side by side in one table. The cell numbers of a chunk are computed in
//!    vectors, then counted one by one. A large table is prefetched. A small table is kept four
//!    times, so that neighbouring rows write to different copies. Each part of the rows has a table
//!    of its own.
//! 2. Of so many groups that a table for each part takes too much memory, a window of a million
//!    rows at a time is moved into buckets of consecutive groups (`row_keys/buckets.rs`), and the
//!    buckets are counted.
//!
//! Cost on one thread: 1.5 to 3 ns a row for up to 10,000 groups, 6 to 10 ns for a million groups.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;
use std::slice::IterMut;

use crate::arith::exact::{ExactSums, Fixed, Sums, Weights};
use crate::base::column::{CHUNK, chunks};
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::switch::switch_at;
use crate::base::threads::{Pieces, SERIAL_ROWS, over_items, over_parts, zeros_in_parts};
use crate::base::wide::{prefetch_read, wide};
use crate::labels::binary::{LabelReader, Pair};
use crate::row_keys::buckets::{Bucket, Buckets};

use crate::groups::masses::copied;

/// A table of at most this many cells is kept four times, so that neighbouring rows write to
/// different copies.
const SMALL: usize = 1 << 10;

/// A table of more cells than this does not stay in cache, and is prefetched.
const LARGE: usize = 1 << 18;

/// The prefetch distance in rows.
const AHEAD: usize = 24;

/// A thread may have its own table of at most this many cells.
const OWN: usize = switch_at(1 << 17, 1 << 6);

/// The number of rows that are brought together by group at a time, to be counted.
const WINDOW: usize = switch_at(1 << 20, 1 << 9);

#[inline(always)]
fn two_cells_body(groups: &[u32], actual: &[u8], predicted: &[u8], cells: &mut [u32]) {
    let rows = groups.iter().zip(actual).zip(predicted);
    for (cell, ((&group, &actual), &predicted)) in cells.iter_mut().zip(rows) {
        *cell = group * 4 + 2 * u32::from(actual) + u32::from(predicted);
    }
}

wide! {
    fn two_cells[](groups: &[u32], actual: &[u8], predicted: &[u8], cells: &mut [u32]) -> ()
        = two_cells_body;
}

/// Counts the cells of two classes. A small `table` has four copies of the cells.
fn count_two(
    codes: &[u32],
    columns: [(&LabelReader<'_>, &Pair); 2],
    rows: Range<usize>,
    table: &mut [u32],
    is_small: bool,
) -> Result<()> {
    let mut actual = [0; CHUNK];
    let mut predicted = [0; CHUNK];
    let mut cells = [0_u32; CHUNK];
    let is_large = table.len() > LARGE;
    for chunk in chunks(rows) {
        let len = chunk.len();
        let [(reader, pair), (other, other_pair)] = columns;
        reader.lower(chunk.clone(), pair, &mut actual[..len])?;
        other.lower(chunk.clone(), other_pair, &mut predicted[..len])?;
        let cells = &mut cells[..len];
        two_cells(&codes[chunk], &actual[..len], &predicted[..len], cells);
        if is_small {
            let size = table.len() / 4;
            let (one, rest) = table.split_at_mut(size);
            let (two, rest) = rest.split_at_mut(size);
            let (three, four) = rest.split_at_mut(size);
            let (blocks, tail) = cells.as_chunks::<4>();
            for &[a, b, c, d] in blocks {
                one[a as usize] += 1;
                two[b as usize] += 1;
                three[c as usize] += 1;
                four[d as usize] += 1;
            }
            for &cell in tail {
                one[cell as usize] += 1;
            }
        } else if is_large {
            for place in 0..len {
                let ahead = cells[(place + AHEAD).min(len - 1)];
                prefetch_read(&raw const table[ahead as usize]);
                table[cells[place] as usize] += 1;
            }
        } else {
            for &cell in &*cells {
                table[cell as usize] += 1;
            }
        }
    }
    Ok(())
}

/// The counts of each group's four cells.
pub(super) fn counted(
    codes: &[u32],
    groups: usize,
    columns: [(&LabelReader<'_>, &Pair); 2],
) -> Result<Vec<u32>> {
    let cells = 4 * groups;
    let is_small = cells <= SMALL;
    let size = if is_small { 4 * cells } else { cells };
    let part = |rows: Range<usize>| {
        let mut table: Vec<u32> = vec![0; size];
        count_two(codes, columns, rows, &mut table, is_small)?;
        if is_small {
            for place in cells..size {
                table[place % cells.max(1)] += table[place];
            }
            table.truncate(cells);
        }
        Ok(table)
    };
    if cells > OWN {
        return if codes.len() <= SERIAL_ROWS {
            part(0..codes.len())
        } else {
            counted_in_windows(codes, groups, columns)
        };
    }
    let mut parts = over_parts(codes.len(), part)?;
    let mut table = parts.swap_remove(0);
    for part in &parts {
        for (sum, &more) in table.iter_mut().zip(part) {
            *sum += more;
        }
    }
    Ok(table)
}

/// Buckets, the cells of their groups, and the rows of these, if they are counted.
struct Counted<'a, A> {
    buckets: &'a [Bucket],
    table: &'a mut [A],
    rows: &'a mut [u64],
}

impl<A: Send> Pieces for Counted<'_, A> {
    fn split(self, len: usize) -> (Self, Self) {
        let (buckets, others) = self.buckets.split_at(len);
        let groups: usize = buckets.iter().map(|bucket| bucket.groups.len()).sum();
        let (table, rest) = self.table.split(4 * groups);
        let (rows, other_rows) = self.rows.split_at_mut(groups.min(self.rows.len()));
        (Self { buckets, table, rows }, Self { buckets: others, table: rest, rows: other_rows })
    }
}

/// Counts the cells of two classes and many groups.
fn counted_in_windows(
    codes: &[u32],
    groups: usize,
    columns: [(&LabelReader<'_>, &Pair); 2],
) -> Result<Vec<u32>> {
    let mut table: Vec<u32> = zeros_in_parts(4 * groups);
    let lower = |rows: Range<usize>, cells: &mut [u32]| {
        let (mut actual, mut predicted) = ([0; CHUNK], [0; CHUNK]);
        let len = rows.len();
        let [(reader, pair), (other, other_pair)] = columns;
        reader.lower(rows.clone(), pair, &mut actual[..len])?;
        other.lower(rows.clone(), other_pair, &mut predicted[..len])?;
        two_cells(&codes[rows], &actual[..len], &predicted[..len], cells);
        Ok(())
    };
    in_windows(codes, groups, (&mut table, &mut []), lower, |own, first, cell| {
        own.table[cell as usize - 4 * first] += 1;
    })?;
    Ok(table)
}

/// Adds rows to the cells of their groups, and to the rows of these, a window of rows at a time.
/// `lower` makes what a chunk of rows has to add; `add` adds it to the groups from a first one on.
fn in_windows<V: Copy + Default + Send + Sync, A: Send>(
    codes: &[u32],
    groups: usize,
    (table, rows): (&mut [A], &mut [u64]),
    lower: impl Fn(Range<usize>, &mut [V]) -> Result<()> + Sync,
    add: impl Fn(&mut Counted<'_, A>, usize, V) + Sync,
) -> Result<()> {
    let mut moved: Vec<V> = vec![V::default(); WINDOW.min(codes.len())];
    for (window, codes) in codes.chunks(WINDOW).enumerate() {
        let buckets = Buckets::new(codes, groups)?;
        let moved = &mut moved[..codes.len()];
        let move_part = |part: Range<usize>, places: &mut [IterMut<'_, V>]| {
            let mut values = [V::default(); CHUNK];
            for chunk in chunks(part) {
                let rows = chunk.start + window * WINDOW..chunk.end + window * WINDOW;
                lower(rows, &mut values[..chunk.len()])?;
                for (&group, &value) in codes[chunk].iter().zip(&values) {
                    if let Some(place) = places[buckets.of(group)].next() {
                        *place = value;
                    }
                }
            }
            Ok(())
        };
        buckets.over_parts(&mut *moved, <[V]>::iter_mut, move_part)?;
        let moved = &*moved;
        let of = Counted { buckets: &buckets.all, table: &mut *table, rows: &mut *rows };
        over_items(buckets.all.len(), &|bucket| buckets.before(bucket), of, |_, mut rest| {
            while let [bucket, ..] = rest.buckets {
                let (mut own, others) = rest.split(1);
                interrupt::check();
                for &value in &moved[bucket.rows.clone()] {
                    add(&mut own, bucket.groups.start, value);
                }
                rest = others;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// The sums in each cell of two classes of what `of` gives for a row, and the rows of each group.
pub(super) fn tabled<V: Copy + Default + Send + Sync, A: Copy + Default + Send + Sync>(
    codes: &[u32],
    groups: usize,
    columns: [(&LabelReader<'_>, &Pair); 2],
    of: impl Fn(usize) -> V + Sync,
    add: impl Fn(&mut A, V) + Sync,
    join: impl Fn(A, A) -> A,
) -> Result<(Vec<A>, Vec<u64>)> {
    let lower = |rows: Range<usize>, values: &mut [(usize, V)]| {
        let (mut actual, mut predicted) = ([0; CHUNK], [0; CHUNK]);
        let len = rows.len();
        let [(reader, pair), (other, other_pair)] = columns;
        reader.lower(rows.clone(), pair, &mut actual[..len])?;
        other.lower(rows.clone(), other_pair, &mut predicted[..len])?;
        let classes = actual.iter().zip(&predicted);
        for ((value, row), (&actual, &predicted)) in values.iter_mut().zip(rows).zip(classes) {
            let class_pair = 2 * usize::from(actual) + usize::from(predicted);
            *value = (4 * codes[row] as usize + class_pair, of(row));
        }
        Ok(())
    };
    let add = |own: &mut Counted<'_, A>, first: usize, (cell, value): (usize, V)| {
        add(&mut own.table[cell - 4 * first], value);
        own.rows[cell / 4 - first] += 1;
    };
    let mut table: Vec<A> = vec![A::default(); 4 * groups];
    let mut rows: Vec<u64> = vec![0; groups];
    if codes.len() > SERIAL_ROWS && table.len() > OWN {
        in_windows(codes, groups, (&mut table, &mut rows), lower, add)?;
        return Ok((table, rows));
    }
    let parts = over_parts(codes.len(), |part| {
        let mut table: Vec<A> = vec![A::default(); 4 * groups];
        let mut rows: Vec<u64> = vec![0; groups];
        let mut own = Counted { buckets: &[], table: &mut table, rows: &mut rows };
        let mut values = [(0, V::default()); CHUNK];
        for chunk in chunks(part) {
            let values = &mut values[..chunk.len()];
            lower(chunk, values)?;
            for &mut value in values {
                add(&mut own, 0, value);
            }
        }
        Ok((table, rows))
    })?;
    for (own, own_rows) in parts {
        for (sum, more) in table.iter_mut().zip(own) {
            *sum = join(*sum, more);
        }
        for (sum, more) in rows.iter_mut().zip(own_rows) {
            *sum += more;
        }
    }
    Ok((table, rows))
}

/// The sums of weights in each cell of two classes, and the rows of each group.
pub(super) fn summed(
    codes: &[u32],
    groups: usize,
    columns: [(&LabelReader<'_>, &Pair); 2],
    weights: Weights<'_>,
) -> Result<(ExactSums, Vec<u64>)> {
    fn run<F: Fixed>(
        codes: &[u32],
        groups: usize,
        columns: [(&LabelReader<'_>, &Pair); 2],
        (weights, quantum): (&[f64], i32),
    ) -> Result<(Vec<F>, Vec<u64>)> {
        let add = |sum: &mut F, weight| *sum = sum.plus(F::of(weight, quantum));
        tabled(codes, groups, columns, |row| weights[row], add, F::plus)
    }
    let (weights, span) = copied(weights)?;
    let of = (&weights[..], span.quantum());
    let (sums, rows) = if span.is_narrow() {
        let (sums, rows) = run(codes, groups, columns, of)?;
        (Sums::Narrow(sums), rows)
    } else {
        let (sums, rows) = run(codes, groups, columns, of)?;
        (Sums::Wide(sums), rows)
    };
    // The width is that of the span.
    Ok((ExactSums::from_parts(span, sums).unwrap_or_else(|| ExactSums::new(0)), rows))
}
