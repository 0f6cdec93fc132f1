//! A column of numbers together with whatever keeps its memory alive.
//!
//! In [`Numbers`] a dtype is still a value: address, stride, byte order and [`Dtype`] on one side,
//! the owner of the memory on the other. It lends [`Column`]s, and through them [`Labels`] and
//! [`Scores`], to kernels that run while the interpreter is released.
#![allow(unsafe_code)]

use std::sync::Arc;

use pyo3::prelude::*;

use crate::base::column::{Column, chunks};
use crate::base::dtype::{Dtype, Number, Reading, visit};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, Scores};
use crate::base::interrupt;
use crate::base::threads::filled;

use crate::base::coded::arrow::Owned;

/// A float as an integer, if it is whole and has at most 127 bits.
pub(crate) fn whole(value: f64) -> Option<i128> {
    (value.trunc() == value && value.abs() < 2f64.powi(127)).then_some(value as i128)
}

/// What keeps the memory of a column alive, and in its place.
enum Keep {
    /// A Python object that owns the memory or holds on to the owner.
    Python { _object: Py<PyAny> },
    /// An imported Arrow array.
    Arrow { _array: Arc<Owned> },
    /// A copy of our own.
    Own { _values: Box<dyn std::any::Any + Send + Sync> },
}

/// A column of numbers of any [`Dtype`] and layout, and the owner of its memory.
pub(crate) struct Numbers {
    dtype: Dtype,
    first: *const u8,
    stride: isize,
    len: usize,
    swapped: bool,
    keep: Keep,
}

// SAFETY: the pointer is only read, and what it points to is kept alive by `keep`, which is itself
// `Send` and `Sync`.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

impl Numbers {
    /// Numbers in memory that belongs to a Python object.
    ///
    /// # Safety
    /// As for [`Column::from_raw_parts`], with numbers of type `dtype`, for as long as `object`
    /// lives.
    pub(crate) unsafe fn of_python(
        dtype: Dtype,
        first: *const u8,
        stride: isize,
        len: usize,
        swapped: bool,
        object: Py<PyAny>,
    ) -> Self {
        Self { dtype, first, stride, len, swapped, keep: Keep::Python { _object: object } }
    }

    /// `len` numbers side by side in the memory of an Arrow array.
    ///
    /// # Safety
    /// They must be of type `dtype` and in memory that `array` owns.
    pub(crate) unsafe fn of_arrow(
        dtype: Dtype,
        first: *const u8,
        len: usize,
        array: Arc<Owned>,
    ) -> Self {
        Self {
            dtype,
            first,
            stride: dtype.size() as isize,
            len,
            swapped: false,
            keep: Keep::Arrow { _array: array },
        }
    }

    /// A copy of our own.
    pub(crate) fn own<N: Number>(values: Vec<N::Raw>) -> Self {
        Self {
            dtype: N::DTYPE,
            first: values.as_ptr().cast(),
            stride: size_of::<N::Raw>() as isize,
            len: values.len(),
            swapped: false,
            // The boxed vector's heap memory stays where it is when the box moves.
            keep: Keep::Own { _values: Box::new(values) },
        }
    }

    pub(crate) fn dtype(&self) -> Dtype {
        self.dtype
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether the numbers were copied on their way in.
    pub(crate) fn copied(&self) -> bool {
        matches!(self.keep, Keep::Own { .. })
    }

    /// The typed column.
    pub(crate) fn column<N: Number>(&self) -> Column<'_, N::Raw> {
        assert!(
            N::DTYPE == self.dtype,
            "a column of {} asked for as {}",
            self.dtype.name(),
            N::DTYPE.name()
        );
        // SAFETY: the type is right, as just checked; the constructors' contracts make the rows
        // readable for as long as `keep` lives, and the column borrows `self`.
        unsafe { Column::from_raw_parts(self.first, self.stride, self.len, self.swapped) }
    }

    /// Lends the numbers as labels.
    pub(crate) fn labels(&self) -> Labels<'_> {
        self.scores().into()
    }

    /// Lends the numbers as scores.
    pub(crate) fn scores(&self) -> Scores<'_> {
        visit!(Dtype(self.dtype), |N| N::scores(self.column::<N>()))
    }

    /// What the numbers are, as labels.
    pub(crate) fn kind(&self) -> LabelKind {
        self.labels().kind()
    }

    /// A copy of the numbers as `f64`, each exactly, with NaN where `missing`.
    ///
    /// # Errors
    /// An integer that `f64` cannot hold is refused.
    pub(crate) fn to_f64(&self, argument: &'static str, missing: Option<&[bool]>) -> Result<Self> {
        /// Up to here all integers are floats.
        const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;
        let (values, _) = visit!(Scores(self.scores()), |column, N| {
            let float = |row: usize| {
                let number = column.get(row);
                if missing.is_some_and(|missing| missing[row]) {
                    return Ok(f64::NAN);
                }
                let float = N::float(number);
                if self.dtype.size() == 8
                    && float.abs() >= EXACT_BELOW
                    && N::read(number).whole().is_some_and(|n| float as i128 != n)
                {
                    return Err(Refusal::row(argument, row, format!("{number:?}"), EXACT));
                }
                Ok(float)
            };
            filled(argument, self.len, |part, room| {
                for rows in chunks(part) {
                    interrupt::check();
                    room.fill_by(rows.len(), |at| float(rows.start + at))?;
                }
                Ok(())
            })
        })?;
        Ok(Self::own::<f64>(values))
    }

    /// One row as a label; `None` where it is NaN.
    ///
    /// # Errors
    /// A float that is not a whole number.
    pub(crate) fn label(&self, argument: &'static str, row: usize) -> Result<Option<Label>> {
        let reading = visit!(Scores(self.scores()), |column, N| N::read(column.get(row)));
        match reading {
            Reading::Whole(value) => Ok(Some(Label::Int(value))),
            Reading::Missing => Ok(None),
            Reading::Odd(value) => match whole(value) {
                Some(value) => Ok(Some(Label::Int(value))),
                None => Err(Refusal::row(argument, row, value, WHOLE)),
            },
        }
    }
}

/// What a number that stands for a class must be.
pub(crate) const WHOLE: &str = "a whole number, as the label of a class";
/// What an integer that becomes a float must be.
pub(crate) const EXACT: &str = "an integer that float64 holds exactly";
