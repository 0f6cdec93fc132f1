//! A column of numbers together with whatever keeps its memory alive.
//!
//! [`Numbers`] is where a dtype is still a value: address, stride, byte order and [`Dtype`] on one side, the owner of
//! the memory on the other. It lends [`Column`]s, and through them [`Labels`] and [`Scores`], to kernels that run while
//! the interpreter is released.
#![allow(unsafe_code)]

use arrow_array::ArrayRef;
use half::f16;
use pyo3::prelude::*;

use crate::base::column::{Column, Element};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, MISSING, Scores};

use crate::py::border::coder::Coder;

/// The numbers that are read as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dtype {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
}

impl Dtype {
    /// The name, as numpy has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "int8",
            Self::I16 => "int16",
            Self::I32 => "int32",
            Self::I64 => "int64",
            Self::U8 => "uint8",
            Self::U16 => "uint16",
            Self::U32 => "uint32",
            Self::U64 => "uint64",
            Self::F16 => "float16",
            Self::F32 => "float32",
            Self::F64 => "float64",
        }
    }
}

/// A number with a [`Dtype`] of its own.
pub(crate) trait Native: Element {
    /// The dtype.
    const DTYPE: Dtype;
    /// Whether it is a float, with a NaN to stand for a missing value.
    const FLOAT: bool;
    /// The value as a float. Exact for everything but wide integers; see [`Native::whole`].
    fn float(self) -> f64;
    /// The value as an integer, if it is whole.
    fn whole(self) -> Option<i128>;
    /// The number that stands for a missing value, for floats.
    fn nan() -> Self;
}

macro_rules! native_integers {
    ($($number:ty => $dtype:ident),+) => {$(
        impl Native for $number {
            const DTYPE: Dtype = Dtype::$dtype;
            const FLOAT: bool = false;
            #[allow(clippy::cast_lossless)]
            fn float(self) -> f64 { self as f64 }
            fn whole(self) -> Option<i128> { Some(i128::from(self)) }
            fn nan() -> Self { 0 }
        }
    )+};
}

macro_rules! native_floats {
    ($($number:ty => $dtype:ident),+) => {$(
        impl Native for $number {
            const DTYPE: Dtype = Dtype::$dtype;
            const FLOAT: bool = true;
            fn float(self) -> f64 { f64::from(self) }
            fn whole(self) -> Option<i128> { whole(f64::from(self)) }
            fn nan() -> Self { <$number>::NAN }
        }
    )+};
}

native_integers!(i8 => I8, i16 => I16, i32 => I32, i64 => I64, u8 => U8, u16 => U16, u32 => U32, u64 => U64);
native_floats!(f16 => F16, f32 => F32, f64 => F64);

/// A float as an integer, if it is whole and has at most 127 bits.
pub(crate) fn whole(value: f64) -> Option<i128> {
    (value.trunc() == value && value.abs() < 2f64.powi(127)).then_some(value as i128)
}

/// What keeps the memory of a column alive, and in its place.
enum Keep {
    /// A Python object that owns the memory or holds on to the owner.
    Python { _object: Py<PyAny> },
    /// An imported Arrow array.
    Arrow { _array: ArrayRef },
    /// A copy of our own.
    Own {
        _values: Box<dyn std::any::Any + Send + Sync>,
    },
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

// SAFETY: the pointer is only read, and what it points to is kept alive by `keep`, which is itself `Send` and `Sync`.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

/// Runs `$body` with `$column` bound to the typed column of `$numbers`; truth values come as `u8`.
macro_rules! with_column {
    ($numbers:expr, $column:ident => $body:expr) => {{
        use $crate::py::border::numbers::Dtype;
        let numbers: &Numbers = &$numbers;
        match numbers.dtype() {
            Dtype::Bool | Dtype::U8 => {
                let $column = numbers.column::<u8>();
                $body
            }
            Dtype::I8 => {
                let $column = numbers.column::<i8>();
                $body
            }
            Dtype::I16 => {
                let $column = numbers.column::<i16>();
                $body
            }
            Dtype::I32 => {
                let $column = numbers.column::<i32>();
                $body
            }
            Dtype::I64 => {
                let $column = numbers.column::<i64>();
                $body
            }
            Dtype::U16 => {
                let $column = numbers.column::<u16>();
                $body
            }
            Dtype::U32 => {
                let $column = numbers.column::<u32>();
                $body
            }
            Dtype::U64 => {
                let $column = numbers.column::<u64>();
                $body
            }
            Dtype::F16 => {
                let $column = numbers.column::<half::f16>();
                $body
            }
            Dtype::F32 => {
                let $column = numbers.column::<f32>();
                $body
            }
            Dtype::F64 => {
                let $column = numbers.column::<f64>();
                $body
            }
        }
    }};
}
pub(crate) use with_column;

impl Numbers {
    /// Numbers in memory that belongs to a Python object.
    ///
    /// # Safety
    /// As for [`Column::from_raw_parts`], with numbers of type `dtype`, for as long as `object` lives.
    pub(crate) unsafe fn of_python(
        dtype: Dtype,
        first: *const u8,
        stride: isize,
        len: usize,
        swapped: bool,
        object: Py<PyAny>,
    ) -> Self {
        Self {
            dtype,
            first,
            stride,
            len,
            swapped,
            keep: Keep::Python { _object: object },
        }
    }

    /// Numbers in the memory of an Arrow array.
    ///
    /// # Safety
    /// `values` must be memory that `array` owns.
    pub(crate) unsafe fn of_arrow<T: Native>(values: &[T], array: ArrayRef) -> Self {
        Self {
            dtype: T::DTYPE,
            first: values.as_ptr().cast(),
            stride: size_of::<T>() as isize,
            len: values.len(),
            swapped: false,
            keep: Keep::Arrow { _array: array },
        }
    }

    /// A copy of our own.
    pub(crate) fn own<T: Native>(values: Vec<T>) -> Self {
        Self {
            dtype: T::DTYPE,
            first: values.as_ptr().cast(),
            stride: size_of::<T>() as isize,
            len: values.len(),
            swapped: false,
            // The boxed vector's heap memory stays where it is when the box moves.
            keep: Keep::Own {
                _values: Box::new(values),
            },
        }
    }

    /// A copy of our own of truth values, a byte each.
    pub(crate) fn own_bools(values: Vec<u8>) -> Self {
        Self {
            dtype: Dtype::Bool,
            ..Self::own(values)
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

    /// The typed column. `T` must be the type of the dtype (`u8` for truth values): [`with_column`] sees to it.
    pub(crate) fn column<T: Native>(&self) -> Column<'_, T> {
        let fits = T::DTYPE == self.dtype || (T::DTYPE == Dtype::U8 && self.dtype == Dtype::Bool);
        assert!(
            fits,
            "a column of {} asked for as {}",
            self.dtype.name(),
            T::DTYPE.name()
        );
        // SAFETY: the type is right, as just checked; the constructors' contracts make the rows readable for as long
        // as `keep` lives, and the column borrows `self`.
        unsafe { Column::from_raw_parts(self.first, self.stride, self.len, self.swapped) }
    }

    /// Lends the numbers as labels.
    pub(crate) fn labels(&self) -> Labels<'_> {
        match self.dtype {
            Dtype::Bool => Labels::Bool(self.column()),
            Dtype::I8 => Labels::I8(self.column()),
            Dtype::I16 => Labels::I16(self.column()),
            Dtype::I32 => Labels::I32(self.column()),
            Dtype::I64 => Labels::I64(self.column()),
            Dtype::U8 => Labels::U8(self.column()),
            Dtype::U16 => Labels::U16(self.column()),
            Dtype::U32 => Labels::U32(self.column()),
            Dtype::U64 => Labels::U64(self.column()),
            Dtype::F16 => Labels::F16(self.column()),
            Dtype::F32 => Labels::F32(self.column()),
            Dtype::F64 => Labels::F64(self.column()),
        }
    }

    /// Lends the numbers as scores.
    pub(crate) fn scores(&self) -> Scores<'_> {
        match self.dtype {
            Dtype::Bool => Scores::Bool(self.column()),
            Dtype::I8 => Scores::I8(self.column()),
            Dtype::I16 => Scores::I16(self.column()),
            Dtype::I32 => Scores::I32(self.column()),
            Dtype::I64 => Scores::I64(self.column()),
            Dtype::U8 => Scores::U8(self.column()),
            Dtype::U16 => Scores::U16(self.column()),
            Dtype::U32 => Scores::U32(self.column()),
            Dtype::U64 => Scores::U64(self.column()),
            Dtype::F16 => Scores::F16(self.column()),
            Dtype::F32 => Scores::F32(self.column()),
            Dtype::F64 => Scores::F64(self.column()),
        }
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
        let truth = self.dtype == Dtype::Bool;
        let mut values = Vec::with_capacity(self.len);
        with_column!(*self, column => for row in 0..column.len() {
            let number = column.get(row);
            if missing.is_some_and(|missing| missing[row]) {
                values.push(f64::NAN);
                continue;
            }
            let float = number.float();
            if size_of_val(&number) == 8 && number.whole().is_some_and(|n| float as i128 != n) {
                return Err(Refusal::row(argument, row, format!("{number:?}"), EXACT));
            }
            values.push(if truth { f64::from(u8::from(float != 0.0)) } else { float });
        });
        Ok(Self::own(values))
    }

    /// The numbers as labels with some rows missing: floats get a NaN there, anything else is coded.
    ///
    /// # Errors
    /// More labels than codes.
    pub(crate) fn with_missing(
        &self,
        argument: &'static str,
        missing: &[bool],
    ) -> Result<crate::py::border::Read> {
        let kind = self.kind();
        with_column!(*self, column => if is_float(&column) {
            let filled = (0..column.len()).map(|row| {
                if missing[row] { Native::nan() } else { column.get(row) }
            });
            Ok(crate::py::border::Read::Numbers(Self::own(filled.collect())))
        } else {
            let mut coder = Coder::new(argument);
            let mut codes = Vec::with_capacity(column.len());
            for (row, &missing) in missing.iter().enumerate() {
                let value = column.get(row).whole();
                codes.push(match value {
                    _ if missing => MISSING,
                    Some(value) if kind == LabelKind::Bool => coder.int(i128::from(value != 0))?,
                    Some(value) => coder.int(value)?,
                    None => MISSING,
                });
            }
            Ok(crate::py::border::Read::Coded(coder.column(codes, kind)))
        })
    }

    /// One row as a label; `None` where it is NaN.
    ///
    /// # Errors
    /// A float that is not a whole number.
    pub(crate) fn label(&self, argument: &'static str, row: usize) -> Result<Option<Label>> {
        with_column!(*self, column => {
            let number = column.get(row);
            match number.whole() {
                Some(value) if self.dtype == Dtype::Bool => {
                    Ok(Some(Label::Int(i128::from(value != 0))))
                }
                Some(value) => Ok(Some(Label::Int(value))),
                None if number.float().is_nan() => Ok(None),
                None => Err(Refusal::row(argument, row, number.float(), WHOLE)),
            }
        })
    }
}

/// What a number that stands for a class must be.
pub(crate) const WHOLE: &str = "a whole number, as the label of a class";
/// What an integer that becomes a float must be.
pub(crate) const EXACT: &str = "an integer that float64 holds exactly";

fn is_float<T: Native>(_: &Column<'_, T>) -> bool {
    T::FLOAT
}
