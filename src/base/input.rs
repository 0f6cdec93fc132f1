//! Label, score and weight columns as they arrive, matrices of scores, and sets of labels.
//!
//! Dtypes die here: a kernel meets [`Labels`] and [`Scores`], lowers one cache-sized chunk of each to codes and to order
//! keys, and works on those. Labels and scores are lowered apart, so the number of cases is a sum of types, not a product.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::fmt;
use std::ops::Range;

use half::f16;

use crate::base::column::Column;
use crate::base::matrix::Matrix;
use crate::base::wide::wide;

/// The code of a missing label (None, NaN, a null) in [`Coded`].
pub const MISSING: u32 = u32::MAX;

/// One class label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A truth value, an integer, or a float that is a whole number.
    Int(i128),
    /// A string.
    Text(Box<str>),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            // Only refusals show labels so: a long one is cut.
            Self::Text(text) => match text.char_indices().nth(60) {
                Some((end, _)) => write!(f, "{:?}…", &text[..end]),
                None => write!(f, "{text:?}"),
            },
        }
    }
}

/// What the labels were when they came in, so that they can be given back as they came. The order is that of numpy's
/// promotion: the kind of a union is the greater of the two, and text goes with text only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LabelKind {
    /// Truth values.
    Bool,
    /// Integers of any width.
    Int,
    /// Floats that are whole numbers.
    Float,
    /// Strings.
    Text,
}

/// Distinct labels: ascending where they were found in data, in the caller's order where they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelSet {
    /// What the labels were when they came in.
    pub kind: LabelKind,
    /// The labels; a row's class is its label's place here.
    pub values: Vec<Label>,
}

impl LabelSet {
    /// The number of classes.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no classes.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The class of a label.
    pub fn position(&self, label: &Label) -> Option<usize> {
        self.values.iter().position(|value| value == label)
    }
}

/// Labels that came as strings or objects: each row's code is the place of its label in `labels`, or [`MISSING`].
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// One code a row.
    pub codes: Column<'a, u32>,
    /// The labels, distinct, in any order; some may be used by no row.
    pub labels: &'a [Label],
    /// What the labels are.
    pub kind: LabelKind,
}

/// A column of class labels.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Labels<'a> {
    /// Truth values, a byte each; any byte but 0 is true.
    Bool(Column<'a, u8>),
    I8(Column<'a, i8>),
    I16(Column<'a, i16>),
    I32(Column<'a, i32>),
    I64(Column<'a, i64>),
    U8(Column<'a, u8>),
    U16(Column<'a, u16>),
    U32(Column<'a, u32>),
    U64(Column<'a, u64>),
    F16(Column<'a, f16>),
    F32(Column<'a, f32>),
    F64(Column<'a, f64>),
    Coded(Coded<'a>),
}

impl Labels<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(c) | Self::U8(c) => c.len(),
            Self::I8(c) => c.len(),
            Self::I16(c) => c.len(),
            Self::I32(c) => c.len(),
            Self::I64(c) => c.len(),
            Self::U16(c) => c.len(),
            Self::U32(c) => c.len(),
            Self::U64(c) => c.len(),
            Self::F16(c) => c.len(),
            Self::F32(c) => c.len(),
            Self::F64(c) => c.len(),
            Self::Coded(coded) => coded.codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the labels are.
    pub fn kind(&self) -> LabelKind {
        match self {
            Self::Bool(_) => LabelKind::Bool,
            Self::F16(_) | Self::F32(_) | Self::F64(_) => LabelKind::Float,
            Self::Coded(coded) => coded.kind,
            _ => LabelKind::Int,
        }
    }
}

/// A column of scores, in the type they came in: scores are never transformed and never narrowed.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Scores<'a> {
    /// Truth values, a byte each; any byte but 0 is true.
    Bool(Column<'a, u8>),
    I8(Column<'a, i8>),
    I16(Column<'a, i16>),
    I32(Column<'a, i32>),
    I64(Column<'a, i64>),
    U8(Column<'a, u8>),
    U16(Column<'a, u16>),
    U32(Column<'a, u32>),
    U64(Column<'a, u64>),
    F16(Column<'a, f16>),
    F32(Column<'a, f32>),
    F64(Column<'a, f64>),
}

impl Scores<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(c) | Self::U8(c) => c.len(),
            Self::I8(c) => c.len(),
            Self::I16(c) => c.len(),
            Self::I32(c) => c.len(),
            Self::I64(c) => c.len(),
            Self::U16(c) => c.len(),
            Self::U32(c) => c.len(),
            Self::U64(c) => c.len(),
            Self::F16(c) => c.len(),
            Self::F32(c) => c.len(),
            Self::F64(c) => c.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A matrix of scores, or of the ones and zeros of a multilabel indicator, in the type it came in: a row for each sample,
/// a column for each class or label.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum ScoreMatrix<'a> {
    /// Truth values, a byte each; any byte but 0 is true.
    Bool(Matrix<'a, u8>),
    I8(Matrix<'a, i8>),
    I16(Matrix<'a, i16>),
    I32(Matrix<'a, i32>),
    I64(Matrix<'a, i64>),
    U8(Matrix<'a, u8>),
    U16(Matrix<'a, u16>),
    U32(Matrix<'a, u32>),
    U64(Matrix<'a, u64>),
    F16(Matrix<'a, f16>),
    F32(Matrix<'a, f32>),
    F64(Matrix<'a, f64>),
}

/// Runs `$body` with `$matrix` bound to the typed matrix; truth values come as `u8`.
macro_rules! with_matrix {
    ($scores:expr, $matrix:ident => $body:expr) => {
        match $scores {
            ScoreMatrix::Bool($matrix) | ScoreMatrix::U8($matrix) => $body,
            ScoreMatrix::I8($matrix) => $body,
            ScoreMatrix::I16($matrix) => $body,
            ScoreMatrix::I32($matrix) => $body,
            ScoreMatrix::I64($matrix) => $body,
            ScoreMatrix::U16($matrix) => $body,
            ScoreMatrix::U32($matrix) => $body,
            ScoreMatrix::U64($matrix) => $body,
            ScoreMatrix::F16($matrix) => $body,
            ScoreMatrix::F32($matrix) => $body,
            ScoreMatrix::F64($matrix) => $body,
        }
    };
}

impl<'a> ScoreMatrix<'a> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        with_matrix!(self, matrix => matrix.rows())
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        with_matrix!(self, matrix => matrix.columns())
    }

    /// One column.
    ///
    /// # Panics
    /// If there is no such column: a caller's error, which no input can cause.
    pub fn column(&self, column: usize) -> Scores<'a> {
        match self {
            Self::Bool(matrix) => Scores::Bool(matrix.column(column)),
            Self::I8(matrix) => Scores::I8(matrix.column(column)),
            Self::I16(matrix) => Scores::I16(matrix.column(column)),
            Self::I32(matrix) => Scores::I32(matrix.column(column)),
            Self::I64(matrix) => Scores::I64(matrix.column(column)),
            Self::U8(matrix) => Scores::U8(matrix.column(column)),
            Self::U16(matrix) => Scores::U16(matrix.column(column)),
            Self::U32(matrix) => Scores::U32(matrix.column(column)),
            Self::U64(matrix) => Scores::U64(matrix.column(column)),
            Self::F16(matrix) => Scores::F16(matrix.column(column)),
            Self::F32(matrix) => Scores::F32(matrix.column(column)),
            Self::F64(matrix) => Scores::F64(matrix.column(column)),
        }
    }

    /// The rows of `range`, one after the other, as `f64`: a part of the matrix itself where it is one of `f64` that lies so,
    /// else converted into `out`. Integers beyond 2^53 are rounded.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    ///
    /// ```
    /// use rocksteady::base::input::ScoreMatrix;
    /// use rocksteady::base::matrix::Matrix;
    ///
    /// let scores = ScoreMatrix::F32(Matrix::from_slice(&[0.25, 0.75, 1.0, 0.0], 2));
    /// assert_eq!(scores.lowered(1..2, &mut Vec::new()), [1.0, 0.0]);
    /// ```
    pub fn lowered<'b>(&self, range: Range<usize>, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        'a: 'b,
    {
        match self {
            Self::Bool(matrix) => matrix.converted(range, out, |x| f64::from(u8::from(x != 0))),
            Self::I8(matrix) => matrix.converted(range, out, f64::from),
            Self::I16(matrix) => matrix.converted(range, out, f64::from),
            Self::I32(matrix) => matrix.converted(range, out, f64::from),
            Self::I64(matrix) => matrix.converted(range, out, |x| x as f64),
            Self::U8(matrix) => matrix.converted(range, out, f64::from),
            Self::U16(matrix) => matrix.converted(range, out, f64::from),
            Self::U32(matrix) => matrix.converted(range, out, f64::from),
            Self::U64(matrix) => matrix.converted(range, out, |x| x as f64),
            Self::F16(matrix) => matrix.converted(range, out, f16::to_f64),
            Self::F32(matrix) => matrix.converted(range, out, f64::from),
            Self::F64(matrix) => matrix.chunk(range, out),
        }
    }

    /// The rows of `range`, one after the other, as flags: 0 for zero, 1 for one, 2 for any other number.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    ///
    /// ```
    /// use rocksteady::base::input::ScoreMatrix;
    /// use rocksteady::base::matrix::Matrix;
    ///
    /// let mut flags = Vec::new();
    /// ScoreMatrix::F32(Matrix::from_slice(&[0.0, 1.0, 0.5, -0.0], 2)).flags(0..2, &mut flags);
    /// assert_eq!(flags, [0, 1, 2, 0]);
    /// ```
    pub fn flags(&self, range: Range<usize>, out: &mut Vec<u8>) {
        macro_rules! flags {
            ($matrix:expr, $zero:expr, $one:expr) => {{
                let part = $matrix.part(range.clone());
                if let Some(numbers) = part.as_slice() {
                    out.clear();
                    out.resize(numbers.len(), 0);
                    flags_of(numbers, $zero, $one, out);
                } else {
                    $matrix.converted(range, out, |x| flag(x, $zero, $one));
                }
            }};
        }
        match self {
            Self::Bool(matrix) => {
                matrix.converted(range, out, |x| u8::from(x != 0));
            }
            Self::I8(matrix) => flags!(matrix, 0, 1),
            Self::I16(matrix) => flags!(matrix, 0, 1),
            Self::I32(matrix) => flags!(matrix, 0, 1),
            Self::I64(matrix) => flags!(matrix, 0, 1),
            Self::U8(matrix) => flags!(matrix, 0, 1),
            Self::U16(matrix) => flags!(matrix, 0, 1),
            Self::U32(matrix) => flags!(matrix, 0, 1),
            Self::U64(matrix) => flags!(matrix, 0, 1),
            Self::F16(matrix) => flags!(matrix, f16::ZERO, f16::ONE),
            Self::F32(matrix) => flags!(matrix, 0.0, 1.0),
            Self::F64(matrix) => flags!(matrix, 0.0, 1.0),
        }
    }
}

/// 0 for zero, 1 for one, 2 for any other number.
#[inline(always)]
fn flag<T: PartialEq + Copy>(x: T, zero: T, one: T) -> u8 {
    u8::from(x == one) | (u8::from(x != zero) & u8::from(x != one)) << 1
}

#[inline(always)]
fn flags_body<T: PartialEq + Copy>(numbers: &[T], zero: T, one: T, flags: &mut [u8]) {
    for (to, &x) in flags.iter_mut().zip(numbers) {
        *to = flag(x, zero, one);
    }
}

wide! {
    fn flags_of[T: PartialEq + Copy](numbers: &[T], zero: T, one: T, flags: &mut [u8]) -> () = flags_body;
}

/// What to do with a missing value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NanPolicy {
    /// Refuse the input, naming the row.
    #[default]
    Raise,
    /// Leave the row out.
    Omit,
    /// Scores only: rank a NaN below every number.
    Worst,
    /// Scores only: rank a NaN above every number.
    Best,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_of_any_dtype_is_lowered_alike() {
        let expected = [0.0, 1.0, 2.0, 3.0, 0.0, 1.0];
        let mut out = Vec::new();
        macro_rules! check {
            ($($dtype:ident: $number:ty),+) => {$({
                let values = expected.map(|x| { #[allow(trivial_numeric_casts)] let y = x as $number; y });
                let scores = ScoreMatrix::$dtype(Matrix::from_slice(&values, 3));
                assert_eq!((scores.rows(), scores.columns()), (2, 3));
                assert_eq!(scores.lowered(0..2, &mut out), &expected[..]);
                assert_eq!(scores.lowered(1..2, &mut out), &expected[3..]);
                assert!(matches!(scores.column(2), Scores::$dtype(c) if c.len() == 2 && c.get(0) == values[2]));
            })+};
        }
        check!(I8: i8, I16: i16, I32: i32, I64: i64, U8: u8, U16: u16, U32: u32, U64: u64, F32: f32, F64: f64);
        let halves = expected.map(f16::from_f64);
        assert_eq!(
            ScoreMatrix::F16(Matrix::from_slice(&halves, 2)).lowered(0..3, &mut out),
            expected
        );
        let truths = ScoreMatrix::Bool(Matrix::from_slice(&[0, 1, 255], 1));
        assert_eq!(truths.lowered(0..3, &mut out), [0.0, 1.0, 1.0]);
    }
}
