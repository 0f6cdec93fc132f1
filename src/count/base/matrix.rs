//! A borrowed matrix of numbers in any memory layout: rows are samples, columns are classes or
//! labels.
//!
//! [`Matrix`] extends [`mod@crate::base::column`] to several columns. A kernel asks for a chunk of
//! rows and gets one slice, row after row, or asks for a column and gets a [`Column`].
//!
//! 1. A matrix in row order without gaps, aligned and in the machine's byte order, lends a part of
//!    itself and copies nothing.
//! 2. Any other layout is copied into the caller's scratch memory: row by row if a row's numbers
//!    lie side by side, otherwise column by column. So a matrix in column order (often a pandas
//!    frame) is read along its memory.
//! 3. [`chunks`] cuts rows so that a chunk stays in cache whatever the number of columns.
//!
//! Another thread may write to the buffer, so a kernel reads each number once, checks that copy,
//! and uses only the copy.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use crate::base::column::{CHUNK, Column, Element};
use crate::base::memory::Room;

/// `rows` times `columns` numbers of type `T`, in memory that outlives `'a`.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a, T> {
    first: *const u8,
    row_stride: isize,
    column_stride: isize,
    rows: usize,
    columns: usize,
    swapped: bool,
    memory: PhantomData<&'a [T]>,
}

// SAFETY: a matrix only ever reads, like the shared slice it stands for; the elements are plain
// data.
unsafe impl<T: Element> Send for Matrix<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Element> Sync for Matrix<'_, T> {}

impl<'a, T: Element> Matrix<'a, T> {
    /// The matrix over a slice of consecutive rows of `columns` numbers. An incomplete last row is
    /// ignored; without columns there are no rows.
    ///
    /// ```
    /// use rocksteady_count::base::matrix::Matrix;
    ///
    /// let matrix = Matrix::from_slice(&[1, 2, 3, 4, 5, 6], 3);
    /// assert_eq!((matrix.rows(), matrix.columns()), (2, 3));
    /// assert_eq!(matrix.column(2).get(0), 3);
    /// assert_eq!(matrix.row(1).as_slice(), Some(&[4, 5, 6][..]));
    /// assert_eq!(matrix.chunk(1..2, &mut Vec::new()), [4, 5, 6]);
    /// ```
    pub fn from_slice(values: &'a [T], columns: usize) -> Self {
        Self {
            first: values.as_ptr().cast(),
            row_stride: (size_of::<T>() as isize).wrapping_mul(columns as isize),
            column_stride: size_of::<T>() as isize,
            rows: values.len().checked_div(columns).unwrap_or(0),
            columns,
            swapped: false,
            memory: PhantomData,
        }
    }

    /// The matrix whose number in row i and column j starts at `first + i * row_stride + j *
    /// column_stride` (in bytes; negative and zero allowed), with its bytes in the opposite of the
    /// machine's order where `swapped`. `strides` and `shape` are for rows and columns.
    ///
    /// # Safety
    /// For every row and column inside `shape` the `size_of::<T>()` bytes at that address must be
    /// readable for `'a`. No alignment is needed.
    pub unsafe fn from_raw_parts(
        first: *const u8,
        strides: (isize, isize),
        shape: (usize, usize),
        swapped: bool,
    ) -> Self {
        Self {
            first,
            row_stride: strides.0,
            column_stride: strides.1,
            rows: shape.0,
            columns: shape.1,
            swapped,
            memory: PhantomData,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Whether the bytes of a number are in the opposite of the machine's order.
    pub fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// The rows of `range`, all columns.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    #[must_use]
    pub fn part(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.rows, "rows outside the matrix");
        let first = self.first.wrapping_offset(self.row_stride.wrapping_mul(range.start as isize));
        Self { first, rows: range.end - range.start, ..*self }
    }

    /// One column.
    ///
    /// # Panics
    /// If there is no such column: a caller's error, which no input can cause.
    pub fn column(&self, column: usize) -> Column<'a, T> {
        assert!(column < self.columns, "column outside the matrix");
        let first = self.first.wrapping_offset(self.column_stride.wrapping_mul(column as isize));
        // SAFETY: the constructors' contracts make every row of this column readable for `'a`.
        unsafe { Column::from_raw_parts(first, self.row_stride, self.rows, self.swapped) }
    }

    /// One row.
    ///
    /// # Panics
    /// If there is no such row: a caller's error, which no input can cause.
    pub fn row(&self, row: usize) -> Column<'a, T> {
        assert!(row < self.rows, "row outside the matrix");
        let first = self.first.wrapping_offset(self.row_stride.wrapping_mul(row as isize));
        // SAFETY: the constructors' contracts make every column of this row readable for `'a`.
        unsafe { Column::from_raw_parts(first, self.column_stride, self.columns, self.swapped) }
    }

    /// One number.
    ///
    /// # Panics
    /// If it is not inside the matrix: a caller's error, which no input can cause.
    pub fn get(&self, row: usize, column: usize) -> T {
        self.column(column).get(row)
    }

    /// The same numbers with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self {
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            rows: self.columns,
            columns: self.rows,
            ..*self
        }
    }

    /// The whole matrix as a slice, row after row, if it is stored that way, aligned and in the
    /// machine's byte order.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let (rows, columns) = (self.rows, self.columns);
        let len = rows.checked_mul(columns)?;
        if len == 0 {
            return Some(&[]);
        }
        let width = size_of::<T>() as isize;
        let plain = (columns <= 1 || self.column_stride == width)
            && (rows <= 1 || self.row_stride == width * columns as isize)
            && !self.swapped
            && self.first.cast::<T>().is_aligned()
            && !self.first.is_null();
        // SAFETY: without gaps and aligned by the test above; readable for `'a` by the
        // constructors' contracts.
        plain.then(|| unsafe { std::slice::from_raw_parts(self.first.cast::<T>(), len) })
    }

    /// The rows of `range`, one after the other, as a slice: a part of the matrix itself if its
    /// layout allows, otherwise a copy in `scratch`.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    pub fn chunk<'b>(&self, range: Range<usize>, scratch: &'b mut Vec<T>) -> &'b [T]
    where
        'a: 'b,
    {
        let part = self.part(range);
        match part.as_slice() {
            Some(slice) => slice,
            None => part.gather(scratch, |value| value),
        }
    }

    /// The rows of `range`, one after the other, each number converted by `convert`.
    ///
    /// # Panics
    /// As for [`Matrix::chunk`].
    pub fn converted<'b, U: Copy + Default>(
        &self,
        range: Range<usize>,
        out: &'b mut Vec<U>,
        convert: impl Fn(T) -> U,
    ) -> &'b [U] {
        let part = self.part(range);
        if let Some(slice) = part.as_slice() {
            out.clear();
            out.grow_with(slice.iter().map(|&value| convert(value)));
            return out;
        }
        part.gather(out, convert)
    }

    /// Copies the numbers in row order, reading along the memory's own order.
    fn gather<'b, U: Copy + Default>(
        &self,
        out: &'b mut Vec<U>,
        convert: impl Fn(T) -> U,
    ) -> &'b [U] {
        out.clear();
        out.grow_to(self.rows * self.columns, U::default());
        if self.columns == 0 {
            return out;
        }
        let along = self.column_stride.unsigned_abs() <= self.row_stride.unsigned_abs();
        if along && self.columns > 1 {
            for (row, places) in out.chunks_exact_mut(self.columns).enumerate() {
                fill(places.iter_mut(), &self.row(row), &convert);
            }
        } else {
            for column in 0..self.columns {
                let places = out[column..].iter_mut().step_by(self.columns);
                fill(places, &self.column(column), &convert);
            }
        }
        out
    }
}

impl<'a, T: Element> From<Column<'a, T>> for Matrix<'a, T> {
    /// The matrix of one column.
    fn from(column: Column<'a, T>) -> Self {
        let (first, stride, swapped) = column.layout();
        // SAFETY: every row of the column is readable for `'a`, and there is no other column.
        unsafe { Self::from_raw_parts(first, (stride, 0), (column.len(), 1), swapped) }
    }
}

/// Writes a column to as many places.
fn fill<'b, T: Element, U: 'b>(
    places: impl Iterator<Item = &'b mut U>,
    values: &Column<'_, T>,
    convert: impl Fn(T) -> U,
) {
    if let Some(slice) = values.as_slice() {
        for (place, &value) in places.zip(slice) {
            *place = convert(value);
        }
    } else {
        for (row, place) in places.take(values.len()).enumerate() {
            *place = convert(values.get(row));
        }
    }
}

/// Cuts the rows of a matrix into chunks of two columns' chunks in numbers, and at least 16 rows,
/// so that a column's numbers fill whole cache lines; at most [`CHUNK`] rows.
pub fn chunks(rows: Range<usize>, columns: usize) -> impl Iterator<Item = Range<usize>> {
    let step = (2 * CHUNK / columns.max(1)).clamp(CHUNK.min(16), CHUNK);
    let end = rows.end;
    rows.step_by(step).map(move |start| start..(start + step).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The numbers of a matrix, one by one.
    fn naive(matrix: &Matrix<'_, i32>, range: Range<usize>) -> Vec<i32> {
        range
            .flat_map(|i| (0..matrix.columns()).map(move |j| (i, j)))
            .map(|(i, j)| matrix.column(j).get(i))
            .collect()
    }

    #[test]
    fn every_layout_gives_the_same_rows() {
        let values: Vec<i32> = (0..6000).map(|i| i * 7 - 3000).collect();
        let base = values.as_ptr().cast::<u8>();
        let view = |offset: usize, strides, shape, swapped| {
            // SAFETY: every layout below stays inside `values`.
            unsafe {
                Matrix::<i32>::from_raw_parts(base.wrapping_add(offset), strides, shape, swapped)
            }
        };
        let plain = Matrix::from_slice(&values, 6);
        assert_eq!(plain.as_slice(), Some(&values[..]));
        assert_eq!((plain.rows(), plain.columns()), (1000, 6));
        // Column order: the number of row i and column j stands at j * 1000 + i.
        let columns = view(0, (4, 4000), (1000, 6), false);
        assert_eq!((columns.get(3, 2), columns.as_slice()), (values[2003], None));
        assert_eq!(columns.transposed().as_slice(), Some(&values[..]));
        // Rows with a gap, rows and columns backwards, one row again and again, one column again
        // and again.
        let gaps = view(4, (24, 4), (1000, 4), false);
        let backwards = view(5999 * 4, (-24, -4), (1000, 6), false);
        let repeated = view(0, (0, 4), (9, 6), false);
        let constant = view(0, (24, 0), (1000, 5), false);
        let crooked = view(1, (24, 4), (999, 6), true);
        assert_eq!(backwards.row(0).get(1), values[5998]);
        let mut scratch = Vec::new();
        for matrix in [plain, columns, gaps, backwards, repeated, constant, crooked] {
            for range in [0..matrix.rows(), 3..8, 5..5] {
                let expected = naive(&matrix, range.clone());
                assert_eq!(matrix.chunk(range.clone(), &mut scratch), expected);
                let mut wide = Vec::new();
                let wide = matrix.converted(range.clone(), &mut wide, i64::from);
                assert!(wide.iter().zip(&expected).all(|(a, b)| *a == i64::from(*b)));
                let by_row: Vec<i32> = range
                    .flat_map(|row| {
                        matrix.row(row).chunk(0..matrix.columns(), &mut Vec::new()).to_vec()
                    })
                    .collect();
                assert_eq!(by_row, expected);
            }
        }
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
        let expected = i32::from_ne_bytes(bytes[29..33].try_into().unwrap()).swap_bytes();
        assert_eq!(crooked.get(1, 1), expected);
        // One column or one row is plain whatever its other stride.
        assert!(view(0, (4, 999), (1000, 1), false).as_slice().is_some());
        assert!(view(0, (999, 4), (1, 1000), false).as_slice().is_some());
        assert_eq!(view(0, (7, 4), (0, 3), true).as_slice(), Some(&[][..]));
        assert_eq!(view(0, (7, 4), (3, 0), true).chunk(0..3, &mut scratch), [0; 0]);
        assert_eq!(Matrix::from_slice(&values, 0).rows(), 0);
        let third = Matrix::from(columns.column(3));
        assert_eq!((third.rows(), third.columns()), (1000, 1));
        assert_eq!(third.chunk(4..6, &mut scratch), [values[3004], values[3005]]);
    }

    proptest! {
        #[test]
        fn chunks_cover_every_row_once(start in 0usize..50, rows in 0usize..5000, columns in 0usize..5000) {
            let covered: Vec<usize> = chunks(start..start + rows, columns).flatten().collect();
            prop_assert_eq!(covered, (start..start + rows).collect::<Vec<_>>());
            prop_assert!(chunks(start..start + rows, columns).all(|range| range.len() <= CHUNK));
        }
    }
}
