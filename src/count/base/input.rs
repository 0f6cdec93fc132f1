//! Label and score columns as they arrive, matrices of scores, and sets of labels.
//!
//! A kernel meets [`Labels`] and [`Scores`]. It lowers one cache-sized chunk of each to codes and
//! to order keys, and works on those, so no loop depends on a dtype. Labels and scores are lowered
//! separately: the number of cases is a sum of types, not a product.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use crate::base::column::Column;
use crate::base::dtype::{Class, Dtype, Number, ScoreKind, each_dtype, visit};
pub use crate::base::dtype::{ScoreMatrix, Scores};
use crate::base::error::shown;
use crate::base::matrix::Matrix;
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::wide::wide;

/// The code of a missing label (None, NaN, a null) in [`Coded`].
pub const MISSING: u32 = u32::MAX;

/// The code of a row that is left out, beside 0 for negative and 1 for positive.
pub const OMITTED: u8 = 2;

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
            // Only in refusals.
            Self::Text(text) => f.write_str(&shown(text)),
        }
    }
}

/// The type of the labels as given, so that results can return the same type. The order follows
/// numpy's promotion: the kind of a union is the greater kind, and text combines only with text.
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

impl LabelKind {
    /// Whether a label may be one of this kind.
    pub fn holds(self, label: &Label) -> bool {
        match label {
            Label::Int(value) => self < Self::Text && (self > Self::Bool || matches!(value, 0 | 1)),
            Label::Text(_) => self == Self::Text,
        }
    }
}

/// Distinct labels: ascending if found in data, in the caller's order if given.
#[derive(Debug, PartialEq, Eq)]
pub struct LabelSet {
    /// The type of the labels as given.
    pub kind: LabelKind,
    /// The labels; the class of a row is the place of its label.
    pub values: Vec<Label>,
}

impl Clone for LabelSet {
    fn clone(&self) -> Self {
        Self { kind: self.kind, values: self.values.copy_all() }
    }
}

impl LabelSet {
    /// The labels 0, 1, 2, … of `classes` classes.
    pub fn numbered(classes: usize) -> Self {
        Self { kind: LabelKind::Int, values: (0..classes as i128).map(Label::Int).gather() }
    }

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

/// Labels that came as strings or objects: each row's code is the place of its label in `labels`,
/// or [`MISSING`].
#[derive(Clone, Copy, Debug)]
pub struct Coded<'a> {
    /// One code for each row.
    pub codes: Column<'a, u32>,
    /// The labels, distinct, in any order; some may be used by no row.
    pub labels: &'a [Label],
    /// The kind of the labels.
    pub kind: LabelKind,
}

each_dtype! { typed_enum (
    /// A column of class labels.
    ///
    /// Truth values take a byte each; any byte but 0 is true.
    Labels of Column {
        Coded(Coded<'a>)
    }
) }

each_dtype! { of_scores (Labels) }

impl<'a> Labels<'a> {
    /// The column of numbers of type `N`.
    pub fn of<N: Number>(column: Column<'a, N::Raw>) -> Self {
        N::scores(column).into()
    }

    /// The column as plain numbers.
    ///
    /// # Errors
    /// The codes, if it has codes.
    pub(crate) fn numbers(&self) -> Result<Scores<'a>, &Coded<'a>> {
        visit!(Labels(self), |column, N| Ok(N::scores(*column)), Labels::Coded(coded) => Err(coded))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        visit!(Labels(self), |column, N| column.len(), Labels::Coded(coded) => coded.codes.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows of the column; they must be inside it.
    pub(crate) fn part(&self, rows: Range<usize>) -> Self {
        visit!(Labels(self), |column, N| Self::of::<N>(column.part(rows)), Labels::Coded(coded) => {
            let codes = coded.codes.part(rows);
            Labels::Coded(Coded { codes, ..*coded })
        })
    }

    /// The kind of the labels.
    pub fn kind(&self) -> LabelKind {
        visit!(Labels(self), |_, N| N::CLASS.into(), Labels::Coded(coded) => coded.kind)
    }
}

impl From<Class> for LabelKind {
    fn from(class: Class) -> Self {
        match class {
            Class::Truth => Self::Bool,
            Class::Signed | Class::Unsigned => Self::Int,
            Class::Float => Self::Float,
        }
    }
}

impl<'a> Scores<'a> {
    /// The column of numbers of type `N`.
    pub fn of<N: Number>(column: Column<'a, N::Raw>) -> Self {
        N::scores(column)
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        visit!(Scores(self), |_, N| N::DTYPE)
    }

    /// The kind of the order keys.
    pub fn kind(&self) -> ScoreKind {
        visit!(Scores(self), |_, N| N::KIND)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        visit!(Scores(self), |column, N| column.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Rows of the column.
    ///
    /// # Panics
    /// If `rows` is not inside the column: a caller's error, which no input can cause.
    #[must_use]
    pub fn part(&self, rows: Range<usize>) -> Self {
        visit!(Scores(self), |column, N| N::scores(column.part(rows)))
    }

    /// The first order key and the number of keys, if that is at most 2^16.
    pub(crate) fn few_keys(&self) -> Option<(u32, usize)> {
        visit!(Scores(self), |_, N| N::FEW_KEYS)
    }

    /// The scores of the rows as `f64`: a part of the column itself if it is a contiguous column of
    /// `f64`, otherwise a copy in `out`. Integers beyond 2^53 are rounded.
    pub(crate) fn lowered<'b>(&self, rows: Range<usize>, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        'a: 'b,
    {
        if let Some(column) = self.doubles() {
            return column.chunk(rows, out);
        }
        visit!(Scores(self), |column, N| {
            let mut scratch = Vec::new();
            let values = column.chunk(rows, &mut scratch);
            out.clear();
            out.grow_with(values.iter().map(|&value| N::float(value)));
        });
        out
    }
}

impl<'a> From<&Scores<'a>> for ScoreMatrix<'a> {
    /// The matrix of one column.
    fn from(scores: &Scores<'a>) -> Self {
        visit!(Scores(*scores), |column, N| N::matrix(column.into()))
    }
}

impl<'a> ScoreMatrix<'a> {
    /// The matrix of numbers of type `N`.
    pub fn of<N: Number>(matrix: Matrix<'a, N::Raw>) -> Self {
        N::matrix(matrix)
    }

    /// The dtype.
    pub fn dtype(&self) -> Dtype {
        visit!(ScoreMatrix(self), |_, N| N::DTYPE)
    }

    /// The kind of the order keys.
    pub fn kind(&self) -> ScoreKind {
        visit!(ScoreMatrix(self), |_, N| N::KIND)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        visit!(ScoreMatrix(self), |matrix, N| matrix.rows())
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        visit!(ScoreMatrix(self), |matrix, N| matrix.columns())
    }

    /// Whether the bytes of a number are in the opposite of the machine's order.
    pub fn is_swapped(&self) -> bool {
        visit!(ScoreMatrix(self), |matrix, N| matrix.is_swapped())
    }

    /// One column.
    ///
    /// # Panics
    /// If there is no such column: a caller's error, which no input can cause.
    pub fn column(&self, column: usize) -> Scores<'a> {
        visit!(ScoreMatrix(self), |matrix, N| N::scores(matrix.column(column)))
    }

    /// The rows of `range`, one after the other, as `f64`: a part of the matrix itself if it is a
    /// contiguous matrix of `f64`, otherwise a copy in `out`. Integers beyond 2^53 are rounded.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    ///
    /// ```
    /// use rocksteady_count::base::input::ScoreMatrix;
    /// use rocksteady_count::base::matrix::Matrix;
    ///
    /// let scores = ScoreMatrix::F32(Matrix::from_slice(&[0.25, 0.75, 1.0, 0.0], 2));
    /// assert_eq!(scores.lowered(1..2, &mut Vec::new()), [1.0, 0.0]);
    /// ```
    pub fn lowered<'b>(&self, range: Range<usize>, out: &'b mut Vec<f64>) -> &'b [f64]
    where
        'a: 'b,
    {
        if let Some(matrix) = self.doubles() {
            return matrix.chunk(range, out);
        }
        visit!(ScoreMatrix(self), |matrix, N| matrix.converted(range, out, N::float))
    }

    /// The rows of `range`, one after the other, as flags: 0 for zero, 1 for one, 2 for any other
    /// number. Returns the OR of all flags.
    ///
    /// # Panics
    /// If `range` is not inside the matrix: a caller's error, which no input can cause.
    ///
    /// ```
    /// use rocksteady_count::base::input::ScoreMatrix;
    /// use rocksteady_count::base::matrix::Matrix;
    ///
    /// let mut flags = Vec::new();
    /// ScoreMatrix::F32(Matrix::from_slice(&[0.0, 1.0, 0.5, -0.0], 2)).flags(0..2, &mut flags);
    /// assert_eq!(flags, [0, 1, 2, 0]);
    /// ```
    pub fn flags(&self, range: Range<usize>, out: &mut Vec<u8>) -> u8 {
        visit!(ScoreMatrix(self), |matrix, N| {
            let part = matrix.part(range.clone());
            if let Some(numbers) = part.as_slice() {
                out.clear();
                out.grow_to(numbers.len(), 0);
                flags_of(PhantomData::<N>, numbers, out)
            } else {
                let flags = matrix.converted(range, out, N::flag);
                flags.iter().fold(0, |all, flag| all | flag)
            }
        })
    }
}

#[inline(always)]
fn flags_body<N: Number>(_: PhantomData<N>, numbers: &[N::Raw], flags: &mut [u8]) -> u8 {
    let mut all = 0;
    for (to, &number) in flags.iter_mut().zip(numbers) {
        *to = N::flag(number);
        all |= *to;
    }
    all
}

wide! {
    fn flags_of[N: Number](of: PhantomData<N>, numbers: &[N::Raw], flags: &mut [u8]) -> u8 = flags_body;
}

/// The policy for missing values.
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
    use half::f16;

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
