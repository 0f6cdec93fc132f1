//! A borrowed column of numbers in any memory layout, read in chunks that stay in the first-level
//! cache.
//!
//! Kernels never meet a stride, a byte order or a misaligned address: they ask a [`Column`] for one
//! chunk of at most [`CHUNK`] rows at a time and get a plain slice. A contiguous, aligned, native
//! column lends a part of itself and copies nothing. Any other layout is copied, one chunk at a
//! time, into the caller's scratch memory, which stays in cache: a few instructions a row.
//!
//! The buffer may belong to another language, and another thread may write to it while it is read.
//! So a kernel reads each element once, checks that copy, and uses only the copy.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use crate::base::interrupt;
use crate::base::memory::{Room, Zero};
use crate::base::switch::switch_at;

/// Rows of a chunk: two columns of 8-byte numbers and their codes fit in a 48 KiB first-level
/// cache.
pub const CHUNK: usize = switch_at(2048, 7);

/// A type of number in a column: plain old data of one, two, four or eight bytes.
pub trait Element: Zero + Send + Sync + std::fmt::Debug + 'static {
    /// The value with its bytes in the opposite order.
    #[must_use]
    fn swapped(self) -> Self;
}

/// `len` numbers of type `T`, `stride` bytes apart, in memory that outlives `'a`.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a, T> {
    first: *const u8,
    stride: isize,
    len: usize,
    swapped: bool,
    memory: PhantomData<&'a [T]>,
}

// SAFETY: a column only ever reads, like the shared slice it stands for; the elements are plain
// data.
unsafe impl<T: Element> Send for Column<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Column<'_, T> {}

impl<'a, T: Element> Column<'a, T> {
    /// The column over a slice.
    pub fn from_slice(values: &'a [T]) -> Self {
        Self {
            first: values.as_ptr().cast(),
            stride: size_of::<T>() as isize,
            len: values.len(),
            swapped: false,
            memory: PhantomData,
        }
    }

    /// The column of `len` numbers that starts at `first` and steps by `stride` bytes (negative and
    /// zero allowed), with its bytes in the opposite of the machine's order where `swapped`.
    ///
    /// # Safety
    /// For every `row < len` the `size_of::<T>()` bytes at `first + row * stride` must be readable
    /// for `'a`. No alignment is needed.
    pub unsafe fn from_raw_parts(
        first: *const u8,
        stride: isize,
        len: usize,
        swapped: bool,
    ) -> Self {
        Self { first, stride, len, swapped, memory: PhantomData }
    }

    /// The address of the first number, the stride in bytes, and whether the byte order is swapped.
    pub(crate) fn layout(&self) -> (*const u8, isize, bool) {
        (self.first, self.stride, self.swapped)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The whole column as a slice, if it is contiguous, aligned and in the machine's byte order.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let plain = (self.stride == size_of::<T>() as isize || self.len <= 1)
            && !self.swapped
            && self.first.cast::<T>().is_aligned()
            && !self.first.is_null();
        if self.len == 0 {
            return Some(&[]);
        }
        // SAFETY: contiguous and aligned by the test above; readable for `'a` by the constructors'
        // contracts.
        plain.then(|| unsafe { std::slice::from_raw_parts(self.first.cast::<T>(), self.len) })
    }

    /// The rows of `range`.
    ///
    /// # Panics
    /// If `range` is not inside the column: a caller's error, which no input can cause.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len, "rows outside the column");
        let first = self.first.wrapping_offset(self.stride.wrapping_mul(range.start as isize));
        Self { first, len: range.end - range.start, ..*self }
    }

    /// One value.
    ///
    /// # Panics
    /// If `row` is not inside the column: a caller's error, which no input can cause.
    pub fn get(&self, row: usize) -> T {
        assert!(row < self.len, "row outside the column");
        let place = self.first.wrapping_offset(self.stride.wrapping_mul(row as isize));
        // SAFETY: `row < len`, so the constructors' contracts make these bytes readable; no
        // alignment assumed.
        let value = unsafe { place.cast::<T>().read_unaligned() };
        if self.swapped { value.swapped() } else { value }
    }

    /// The rows of `range` as a slice: a part of the column itself if its layout allows, otherwise
    /// a copy in `scratch`.
    pub fn chunk<'b>(&self, range: Range<usize>, scratch: &'b mut Vec<T>) -> &'b [T]
    where
        'a: 'b,
    {
        let part = self.part(range);
        if let Some(slice) = part.as_slice() {
            return slice;
        }
        scratch.clear();
        scratch.grow_with((0..part.len).map(|row| part.get(row)));
        scratch
    }
}

/// Cuts `rows` into ranges of at most [`CHUNK`] rows.
pub fn chunks(rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = rows.end;
    rows.step_by(CHUNK)
        .inspect(|_| interrupt::check())
        .map(move |start| start..(start + CHUNK).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_layout_gives_the_same_rows() {
        let values: Vec<i32> = (0..5000).map(|i| i * 7 - 3000).collect();
        let plain = Column::from_slice(&values);
        assert_eq!(plain.as_slice(), Some(&values[..]));

        let base = values.as_ptr().cast::<u8>();
        // SAFETY: all rows lie inside `values`.
        let backwards =
            unsafe { Column::<i32>::from_raw_parts(base.wrapping_add(4 * 4999), -4, 5000, false) };
        // SAFETY: as above.
        let thirds = unsafe { Column::<i32>::from_raw_parts(base, 12, 1666, false) };
        // SAFETY: as above.
        let constant = unsafe { Column::<i32>::from_raw_parts(base, 0, 9, false) };
        // SAFETY: one byte in, and one number fewer, stays inside `values`.
        let crooked = unsafe { Column::<i32>::from_raw_parts(base.wrapping_add(1), 4, 4999, true) };
        assert!(backwards.as_slice().is_none());
        let mut scratch = Vec::new();
        assert_eq!(backwards.chunk(0..3, &mut scratch), [values[4999], values[4998], values[4997]]);
        assert_eq!(thirds.chunk(1664..1666, &mut scratch), [values[4992], values[4995]]);
        assert_eq!(constant.chunk(3..5, &mut scratch), [values[0]; 2]);
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
        let expected = i32::from_ne_bytes(bytes[1..5].try_into().unwrap()).swap_bytes();
        assert_eq!(crooked.chunk(0..1, &mut scratch), [expected]);
    }

    #[test]
    fn chunks_cover_every_row_once() {
        let covered: Vec<usize> = chunks(3..5000).flatten().collect();
        assert_eq!(covered, (3..5000).collect::<Vec<_>>());
        assert_eq!(chunks(4..4).count(), 0);
    }
}
