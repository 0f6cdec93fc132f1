//! The types of numbers that come in: the one place that names them.
//!
//! A new dtype needs a row in `each_dtype`, and a row in `integers!` or `floats!` that implements
//! its operations ([`Number`]), both in this file. Everything else follows from these rows:
//!
//! 1. [`Dtype`], a dtype as a value; [`Scores`] and [`ScoreMatrix`], columns and matrices of any
//!    dtype; and [`Labels`](crate::base::input::Labels).
//! 2. `visit!`, which runs one piece of code for the dtype of a column, compiled for each dtype. A
//!    visit costs one jump, so it belongs around a chunk or a call, never around a row.
//! 3. The forms of a number that kernels read: a whole number and its distance from others
//!    (labels), an order key (scores), a double, a flag of zero or one.
//! 4. The names in numpy, Arrow and `DLPack`: its [`Class`] and its size.
//!
//! One file because a dtype is named once: cutting it in two would name every dtype twice.
//!
//! # Order keys
//!
//! An order key is an unsigned integer; keys have the order of the scores.
//!
//! 1. A float becomes a key by flipping its sign bit, and all other bits too if it was negative.
//!    −0.0 is first made +0.0, so keys are equal exactly where scores are equal.
//! 2. A signed integer has its sign bit flipped.
//! 3. Scores of at most 32 bits have keys of 32 bits, the others keys of 64 bits. No score is
//!    narrowed or transformed.
//! 4. Key 0 and the largest key belong to no number: they stand for NaN ranked worst and best.
//!
//! # Whole numbers
//!
//! Adding 1.5·2^52 to a double (1.5·2^23 to a single) leaves its whole part in the low bits of the
//! sum. Subtracting the constant again restores the number if and only if it was whole and small.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::fmt::Debug;
use std::ops::{AddAssign, BitOrAssign};

use half::f16;

use crate::base::column::{Column, Element};
use crate::base::matrix::Matrix;
use crate::base::memory::Zero;

/// Passes the list of dtypes to another macro, after the macro's own arguments: the variant, the
/// [`Number`] and numpy's name.
#[macro_export]
macro_rules! each_dtype {
    ($callback:ident $arguments:tt) => {
        $crate::base::dtype::$callback! { $arguments
            Bool Truth "bool",
            I8 i8 "int8", I16 i16 "int16", I32 i32 "int32", I64 i64 "int64",
            U8 u8 "uint8", U16 u16 "uint16", U32 u32 "uint32", U64 u64 "uint64",
            F16 f16 "float16", F32 f32 "float32", F64 f64 "float64",
        }
    };
}
pub use each_dtype;

/// Runs code for the dtype of a column or matrix, compiled for each: `visit!(Scores(scores),
/// |column, N| …)` binds `column` to the typed column and `N` to its [`Number`]. `Dtype(dtype)`
/// binds `N` alone. Arms for other variants may follow.
#[macro_export]
macro_rules! visit {
    (Dtype($dtype:expr), |$number:ident| $body:expr) => {
        $crate::base::dtype::each_dtype! { visit_dtype ($dtype, $number, $body) }
    };
    ($of:ident($value:expr), |$inner:pat_param, $number:ident| $body:expr $(, $other:pat => $else:expr)* $(,)?) => {
        $crate::base::dtype::each_dtype! { visit_columns ($of, $value, $inner, $number, $body, $($other => $else),*) }
    };
}
pub use visit;

#[macro_export]
macro_rules! visit_dtype {
    (($dtype:expr, $bound:ident, $body:expr) $($variant:ident $number:ident $name:literal,)+) => {
        match $dtype {
            $($crate::base::dtype::Dtype::$variant => {
                type $bound = $crate::base::dtype::numbers::$number;
                $body
            })+
        }
    };
}
pub use visit_dtype;

#[macro_export]
macro_rules! visit_columns {
    (
        ($of:ident, $value:expr, $inner:pat_param, $bound:ident, $body:expr, $($other:pat => $else:expr),*)
        $($variant:ident $number:ident $name:literal,)+
    ) => {
        match $value {
            $($of::$variant($inner) => {
                #[allow(dead_code)]
                type $bound = $crate::base::dtype::numbers::$number;
                $body
            })+
            $($other => $else,)*
        }
    };
}
pub use visit_columns;

/// Defines an enum with a column or matrix of each dtype, and maybe variants of other kinds.
macro_rules! typed_enum {
    (
        ($(#[$meta:meta])* $of:ident of $inner:ident $({ $($more:tt)* })?)
        $($variant:ident $number:ident $name:literal,)+
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub enum $of<'a> {
            $($variant($inner<'a, <$crate::base::dtype::numbers::$number as $crate::base::dtype::Number>::Raw>),)+
            $($($more)*)?
        }
    };
}
pub(crate) use typed_enum;

/// Implements an enum of [`typed_enum`] for a column of scores.
macro_rules! of_scores {
    (($of:ident) $($variant:ident $number:ident $name:literal,)+) => {
        impl<'a> From<$crate::base::dtype::Scores<'a>> for $of<'a> {
            fn from(scores: $crate::base::dtype::Scores<'a>) -> Self {
                match scores {
                    $($crate::base::dtype::Scores::$variant(column) => Self::$variant(column)),+
                }
            }
        }
    };
}
pub(crate) use of_scores;

/// The number types of the list, by name.
pub mod numbers {
    pub use super::Truth;
    pub use half::f16;
    pub use std::primitive::{f32, f64, i8, i16, i32, i64, u8, u16, u32, u64};
}

macro_rules! dtypes {
    (() $($variant:ident $number:ident $name:literal,)+) => {
        /// The dtype of an array.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Dtype {
            $($variant),+
        }

        impl Dtype {
            /// All dtypes.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// numpy's name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }
    };
}
pub(crate) use dtypes;
each_dtype! { dtypes () }

each_dtype! { typed_enum (
    /// A column of scores, in the type they came in: scores are never transformed and never
    /// narrowed.
    ///
    /// Truth values take a byte each; any byte but 0 is true.
    Scores of Column
) }

each_dtype! { typed_enum (
    /// A matrix of scores, or of the ones and zeros of a multilabel indicator, in the type it came
    /// in: a row for each sample, a column for each class or label.
    ///
    /// Truth values take a byte each; any byte but 0 is true.
    ScoreMatrix of Matrix
) }

/// The class of a dtype's numbers, without their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Truth values.
    Truth,
    /// Integers with a sign.
    Signed,
    /// Integers without a sign.
    Unsigned,
    /// Floats.
    Float,
}

impl Dtype {
    /// The class of the numbers.
    pub fn class(self) -> Class {
        visit!(Dtype(self), |N| N::CLASS)
    }

    /// The bytes of one number.
    pub fn size(self) -> usize {
        visit!(Dtype(self), |N| size_of::<<N as Number>::Raw>())
    }

    /// The dtype of this class and size, if there is one.
    ///
    /// ```
    /// use rocksteady_count::base::dtype::{Class, Dtype};
    ///
    /// assert_eq!(Dtype::of(Class::Unsigned, 2).map(Dtype::name), Some("uint16"));
    /// assert_eq!(Dtype::of(Class::Float, 16), None);
    /// ```
    #[inline]
    pub fn of(class: Class, size: usize) -> Option<Self> {
        let fits = |dtype: &&Self| dtype.class() == class && dtype.size() == size;
        Self::ALL.iter().find(fits).copied()
    }
}

/// One number, read as a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    /// A whole number.
    Whole(i128),
    /// NaN.
    Missing,
    /// A float that is not whole, or too large for an integer.
    Odd(f64),
}

impl Reading {
    /// The whole number, if it is one.
    pub fn whole(self) -> Option<i128> {
        match self {
            Self::Whole(number) => Some(number),
            _ => None,
        }
    }
}

/// The operations on the numbers of a dtype, implemented by the number types themselves and by
/// [`Truth`].
pub trait Number: Copy + Debug + Send + Sync + 'static {
    /// The number as it is stored.
    type Raw: Element + PartialOrd;
    /// An order key: `u32` or `u64`.
    type Key: Copy + Default + From<bool> + Into<u64> + AddAssign + BitOrAssign;
    /// The type that detects NaN and infinities; nothing for integers.
    type Magnitude: Copy + Default + Ord;
    /// An unsigned integer for distances.
    type Distance: Copy + Default + Into<u64> + BitOrAssign;
    /// The type that compares fastest, in the order of the numbers.
    type Compared: Copy + PartialOrd;

    /// The dtype.
    const DTYPE: Dtype;
    /// The class of the numbers.
    const CLASS: Class;
    /// The kind of their order keys.
    const KIND: ScoreKind;
    /// The magnitude of an infinity: finite numbers are below it, NaN is above.
    const INFINITE: Self::Magnitude;
    /// The greatest key: NaN ranked best, for floats.
    const GREATEST_KEY: u64;
    /// The first order key and the number of keys, if that is at most 2^16.
    const FEW_KEYS: Option<(u32, usize)>;
    /// The machine epsilon; integers are exact and have the epsilon of `f64`.
    const PRECISION: f64;
    /// The type represents all whole numbers from the first to the second.
    const WHOLE: (i128, i128);
    /// The number for a missing value, for floats.
    const NAN: Self::Raw;

    /// The form that all equal numbers share; only truth values have several forms.
    #[inline(always)]
    fn normal(raw: Self::Raw) -> Self::Raw {
        raw
    }
    /// The number as a label.
    fn read(raw: Self::Raw) -> Reading;
    /// The number as a double; integers beyond 2^53 are rounded.
    fn float(raw: Self::Raw) -> f64;
    /// The number equal to this whole number, if there is one.
    fn from_whole(whole: i128) -> Option<Self::Raw>;
    /// 0 for zero, 1 for one, 2 for any other number.
    fn flag(raw: Self::Raw) -> u8;

    /// The origin for distances from `low`; `None` if distances of up to 2^`bits` could wrap
    /// around.
    fn origin(low: i128, bits: u32) -> Option<Self::Distance>;
    /// The distance from an origin; beyond every window if the number is not whole.
    fn distance(raw: Self::Raw, origin: Self::Distance) -> Self::Distance;

    /// The order key of a number that is not NaN.
    fn key(raw: Self::Raw) -> Self::Key;
    /// The order key in 32 bits, and bits that are zero only if it fits. A double that is also a
    /// single has the key of the single.
    fn narrow_key(raw: Self::Raw) -> (u32, u64);
    /// The magnitude.
    fn magnitude(raw: Self::Raw) -> Self::Magnitude;
    /// The number of an order key.
    fn from_key(key: u64) -> Self::Raw;
    /// The order key of a whole number in the range of the type.
    fn key_of_whole(whole: i128) -> u64;
    /// The order key of the number nearest to a double.
    fn key_of_float(value: f64) -> u64;
    /// The number in its fastest form for comparison.
    fn compared(raw: Self::Raw) -> Self::Compared;

    /// The column as one of any dtype.
    fn scores(column: Column<'_, Self::Raw>) -> Scores<'_>;
    /// The matrix as one of any dtype.
    fn matrix(matrix: Matrix<'_, Self::Raw>) -> ScoreMatrix<'_>;
}

/// Integers. Narrow ones take distances in a wider type, so that a window may begin below their
/// range. For wide ones the window must lie inside the range, where a distance that wraps around
/// cannot be mistaken for a code.
macro_rules! integers {
    ($($dtype:ident $raw:ty: $class:ident; keys of $kind:ident, $held:ty, $key:ty;
       distances $distance:ty, $lowest:expr, $highest:expr;)+) => {$(
        impl Element for $raw {
            #[inline]
            fn swapped(self) -> Self {
                self.swap_bytes()
            }
        }

        impl Number for $raw {
            type Raw = $raw;
            type Key = $key;
            type Magnitude = u8;
            type Distance = $distance;
            type Compared = $raw;
            const DTYPE: Dtype = Dtype::$dtype;
            const CLASS: Class = Class::$class;
            const KIND: ScoreKind = ScoreKind::$kind;
            const INFINITE: u8 = 1;
            const GREATEST_KEY: u64 = <$key>::MAX as u64;
            const FEW_KEYS: Option<(u32, usize)> = if <$raw>::BITS > 16 {
                None
            } else {
                Some((<$raw>::MIN as $held as u32 ^ <$held>::MIN as u32, 1 << (<$raw>::BITS % 32)))
            };
            const PRECISION: f64 = f64::EPSILON;
            const WHOLE: (i128, i128) = (<$raw>::MIN as i128, <$raw>::MAX as i128);
            const NAN: $raw = 0;

            #[inline(always)]
            fn read(raw: $raw) -> Reading {
                Reading::Whole(i128::from(raw))
            }
            #[inline(always)]
            #[allow(clippy::cast_lossless)]
            fn float(raw: $raw) -> f64 {
                raw as f64
            }
            fn from_whole(whole: i128) -> Option<$raw> {
                whole.try_into().ok()
            }
            #[inline(always)]
            fn flag(raw: $raw) -> u8 {
                flag(raw, 0, 1)
            }
            #[inline(always)]
            fn origin(low: i128, bits: u32) -> Option<$distance> {
                let inside = i128::from($lowest)..=i128::from($highest) - (1 << bits);
                inside.contains(&low).then_some(low as $distance)
            }
            #[inline(always)]
            fn distance(raw: $raw, origin: $distance) -> $distance {
                (raw as $distance).wrapping_sub(origin)
            }
            #[inline(always)]
            fn key(raw: $raw) -> $key {
                <$held>::from(raw) as $key ^ <$held>::MIN as $key
            }
            #[inline(always)]
            fn narrow_key(raw: $raw) -> (u32, u64) {
                (Self::key(raw) as u32, u64::from(<$key>::BITS > 32))
            }
            #[inline(always)]
            fn magnitude(_: $raw) -> u8 {
                0
            }
            #[inline(always)]
            fn from_key(key: u64) -> $raw {
                (key as $key ^ <$held>::MIN as $key) as $held as $raw
            }
            fn key_of_whole(whole: i128) -> u64 {
                Self::key(whole as $raw).into()
            }
            fn key_of_float(value: f64) -> u64 {
                Self::key(value.round() as $raw).into()
            }
            #[inline(always)]
            fn compared(raw: $raw) -> $raw {
                raw
            }
            fn scores(column: Column<'_, $raw>) -> Scores<'_> {
                Scores::$dtype(column)
            }
            fn matrix(matrix: Matrix<'_, $raw>) -> ScoreMatrix<'_> {
                ScoreMatrix::$dtype(matrix)
            }
        }
    )+};
}

integers! {
    U8 u8: Unsigned; keys of I32, i32, u32; distances u16, -0x4000, 0x4000;
    I8 i8: Signed; keys of I32, i32, u32; distances u16, -0x4000, 0x4000;
    U16 u16: Unsigned; keys of I32, i32, u32; distances u32, -0x4000_0000, 0x4000_0000;
    I16 i16: Signed; keys of I32, i32, u32; distances u32, -0x4000_0000, 0x4000_0000;
    U32 u32: Unsigned; keys of U32, u32, u32; distances u32, u32::MIN, u32::MAX;
    I32 i32: Signed; keys of I32, i32, u32; distances u32, i32::MIN, i32::MAX;
    U64 u64: Unsigned; keys of U64, u64, u64; distances u64, u64::MIN, u64::MAX;
    I64 i64: Signed; keys of I64, i64, u64; distances u64, i64::MIN, i64::MAX;
}

/// The constant that shifts the whole part of a float into its low bits.
macro_rules! shifter {
    ($float:ty) => {
        (3u64 << (<$float>::MANTISSA_DIGITS - 2)) as $float
    };
}

/// Floats. Whole numbers are detected in `$shift`, which is at least a single.
macro_rules! floats {
    ($($dtype:ident $raw:ty: $bits:ty; keys $key:ty, $key_of:ident, $of_key:ident, $narrow_key:expr;
       distances $distance:ty, $shift:ty; compared $compared:ty, $compare:expr;
       one $one:expr, nearest $nearest:expr;)+) => {$(
        impl Element for $raw {
            #[inline]
            fn swapped(self) -> Self {
                Self::from_bits(self.to_bits().swap_bytes())
            }
        }

        impl Number for $raw {
            type Raw = $raw;
            type Key = $key;
            type Magnitude = $bits;
            type Distance = $distance;
            type Compared = $compared;
            const DTYPE: Dtype = Dtype::$dtype;
            const CLASS: Class = Class::Float;
            const KIND: ScoreKind = ScoreKind::$dtype;
            const INFINITE: $bits = <$raw>::INFINITY.to_bits();
            const GREATEST_KEY: u64 = <$bits>::MAX as u64;
            const FEW_KEYS: Option<(u32, usize)> = if <$bits>::BITS > 16 {
                None
            } else {
                Some((0, 1 << (<$bits>::BITS % 32)))
            };
            // A power of two.
            const PRECISION: f64 = 2.0 / (1_u64 << <$raw>::MANTISSA_DIGITS) as f64;
            const WHOLE: (i128, i128) = (-(1 << <$raw>::MANTISSA_DIGITS), 1 << <$raw>::MANTISSA_DIGITS);
            const NAN: $raw = <$raw>::NAN;

            #[inline(always)]
            fn read(raw: $raw) -> Reading {
                read_float(f64::from(raw))
            }
            #[inline(always)]
            fn float(raw: $raw) -> f64 {
                f64::from(raw)
            }
            fn from_whole(whole: i128) -> Option<$raw> {
                let near = ($nearest)(whole as f64);
                (Self::float(near) as i128 == whole && Self::float(near) == whole as f64).then_some(near)
            }
            #[inline(always)]
            fn flag(raw: $raw) -> u8 {
                flag(raw, <$raw>::from_bits(0), $one)
            }
            #[inline(always)]
            fn origin(low: i128, _: u32) -> Option<$distance> {
                let small = 1i128 << (<$shift>::MANTISSA_DIGITS - 3);
                let inside = (-small..small).contains(&low);
                inside.then(|| shifter!($shift).to_bits().wrapping_add(low as $distance))
            }
            #[inline(always)]
            fn distance(raw: $raw, origin: $distance) -> $distance {
                let value = <$shift>::from(raw);
                let shifted = value + shifter!($shift);
                // Whole and small if and only if nothing was rounded.
                if shifted - shifter!($shift) == value {
                    shifted.to_bits().wrapping_sub(origin)
                } else {
                    <$distance>::MAX
                }
            }
            #[inline(always)]
            fn key(raw: $raw) -> $key {
                $key_of(raw)
            }
            #[inline(always)]
            fn narrow_key(raw: $raw) -> (u32, u64) {
                ($narrow_key)(raw)
            }
            #[inline(always)]
            fn magnitude(raw: $raw) -> $bits {
                raw.to_bits() & (<$bits>::MAX >> 1)
            }
            #[inline(always)]
            fn from_key(key: u64) -> $raw {
                $of_key(key as $bits)
            }
            fn key_of_whole(whole: i128) -> u64 {
                Self::key_of_float(whole as f64)
            }
            fn key_of_float(value: f64) -> u64 {
                $key_of(($nearest)(value)).into()
            }
            #[inline(always)]
            fn compared(raw: $raw) -> $compared {
                ($compare)(raw)
            }
            fn scores(column: Column<'_, $raw>) -> Scores<'_> {
                Scores::$dtype(column)
            }
            fn matrix(matrix: Matrix<'_, $raw>) -> ScoreMatrix<'_> {
                ScoreMatrix::$dtype(matrix)
            }
        }
    )+};
}

floats! {
    F16 f16: u16; keys u32, key_of_f16, f16_of, |x| (key_of_f16(x), 0); distances u32, f32; compared u32, key_of_f16;
        one f16::ONE, nearest f16::from_f64;
    F32 f32: u32; keys u32, key_of_f32, f32_of, |x| (key_of_f32(x), 0); distances u32, f32; compared f32, |x| x;
        one 1.0, nearest |x| x as f32;
    F64 f64: u64; keys u64, key_of_f64, f64_of, narrow_key_of_f64; distances u64, f64; compared f64, |x| x;
        one 1.0, nearest identity;
}

/// Truth values: bytes; any byte but 0 is true.
#[derive(Clone, Copy, Debug)]
pub struct Truth;

impl Number for Truth {
    type Raw = u8;
    type Key = u32;
    type Magnitude = u8;
    type Distance = u16;
    type Compared = u8;
    const DTYPE: Dtype = Dtype::Bool;
    const CLASS: Class = Class::Truth;
    const KIND: ScoreKind = u8::KIND;
    const INFINITE: u8 = u8::INFINITE;
    const GREATEST_KEY: u64 = u8::GREATEST_KEY;
    const FEW_KEYS: Option<(u32, usize)> = u8::FEW_KEYS;
    const PRECISION: f64 = u8::PRECISION;
    const WHOLE: (i128, i128) = (0, 1);
    const NAN: u8 = 0;

    #[inline(always)]
    fn normal(raw: u8) -> u8 {
        u8::from(raw != 0)
    }
    #[inline(always)]
    fn read(raw: u8) -> Reading {
        u8::read(Self::normal(raw))
    }
    #[inline(always)]
    fn float(raw: u8) -> f64 {
        u8::float(Self::normal(raw))
    }
    fn from_whole(whole: i128) -> Option<u8> {
        u8::from_whole(whole).filter(|&truth| truth <= 1)
    }
    #[inline(always)]
    fn flag(raw: u8) -> u8 {
        Self::normal(raw)
    }
    #[inline(always)]
    fn origin(low: i128, bits: u32) -> Option<u16> {
        u8::origin(low, bits)
    }
    #[inline(always)]
    fn distance(raw: u8, origin: u16) -> u16 {
        u8::distance(Self::normal(raw), origin)
    }
    #[inline(always)]
    fn key(raw: u8) -> u32 {
        u8::key(Self::normal(raw))
    }
    #[inline(always)]
    fn narrow_key(raw: u8) -> (u32, u64) {
        (Self::key(raw), 0)
    }
    #[inline(always)]
    fn magnitude(_: u8) -> u8 {
        0
    }
    #[inline(always)]
    fn from_key(key: u64) -> u8 {
        Self::normal(u8::from_key(key))
    }
    fn key_of_whole(whole: i128) -> u64 {
        u8::key_of_whole(whole)
    }
    fn key_of_float(value: f64) -> u64 {
        u8::key_of_float(value)
    }
    #[inline(always)]
    fn compared(raw: u8) -> u8 {
        Self::normal(raw)
    }
    fn scores(column: Column<'_, u8>) -> Scores<'_> {
        Scores::Bool(column)
    }
    fn matrix(matrix: Matrix<'_, u8>) -> ScoreMatrix<'_> {
        ScoreMatrix::Bool(matrix)
    }
}

fn identity(value: f64) -> f64 {
    value
}

/// 0 for zero, 1 for one, 2 for any other number.
#[inline(always)]
fn flag<T: PartialEq + Copy>(x: T, zero: T, one: T) -> u8 {
    u8::from(x == one) | (u8::from(x != zero) & u8::from(x != one)) << 1
}

pub(crate) fn read_float(value: f64) -> Reading {
    const GREATEST: f64 = (1u128 << 126) as f64;
    if value.is_nan() {
        Reading::Missing
    } else if value.trunc() == value && value.abs() <= GREATEST {
        Reading::Whole(value as i128)
    } else {
        Reading::Odd(value)
    }
}

#[inline]
pub fn f64_of(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key ^ (1 << 63) } else { !key })
}

#[inline]
pub fn f32_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ (1 << 31) } else { !key })
}

#[allow(unsafe_code)]
// SAFETY: zero bits are zero.
unsafe impl Zero for f16 {}

fn f16_of(key: u16) -> f16 {
    f16::from_bits(if key >> 15 == 1 { key ^ (1 << 15) } else { !key })
}

/// The key of a double that is not NaN.
#[inline(always)]
pub fn key_of_f64(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i64) >> 63) as u64 | 1 << 63)
}

/// The key of a single that is not NaN.
#[inline(always)]
pub fn key_of_f32(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// The key of a half that is not NaN.
#[inline(always)]
fn key_of_f16(value: f16) -> u32 {
    let bits = value.to_bits();
    let bits = if bits == 1 << 15 { 0 } else { bits };
    u32::from(bits ^ (((bits as i16) >> 15) as u16 | 1 << 15))
}

/// The key of the single nearest to a double, and the bits in which the two differ.
#[inline(always)]
fn narrow_key_of_f64(value: f64) -> (u32, u64) {
    let single = value as f32;
    let lost = f64::from(single).to_bits() ^ value.to_bits();
    (key_of_f32(single), lost)
}

/// The kinds of order keys, each with the number type of its scores. Their order is the order of
/// their codes in the bytes of statistics: append new kinds at the end.
macro_rules! each_kind {
    ($callback:ident $arguments:tt) => {
        $callback! { $arguments I32 i32, U32 u32, I64 i64, U64 u64, F16 f16, F32 f32, F64 f64 }
    };
}

macro_rules! kinds {
    (() $($variant:ident $number:ident),+) => {
        /// The type of the scores behind order keys.
        ///
        /// Truth values and integers of at most 16 bits share the keys of `i32`; every other dtype
        /// has its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)]
        pub enum ScoreKind {
            $($variant),+
        }

        impl ScoreKind {
            const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
    };
}
each_kind! { kinds () }

macro_rules! visit_kind {
    (($kind:expr, $bound:ident, $body:expr) $($variant:ident $number:ident),+) => {
        match $kind {
            $(ScoreKind::$variant => {
                type $bound = $number;
                $body
            })+
        }
    };
}

impl ScoreKind {
    /// The kind of a column's scores.
    pub fn of(scores: &Scores) -> Self {
        scores.kind()
    }

    /// numpy's name of the scores' dtype.
    pub fn name(self) -> &'static str {
        each_kind! { visit_kind (self, N, N::DTYPE.name()) }
    }

    /// Whether keys have 64 bits.
    pub fn is_wide(self) -> bool {
        each_kind! { visit_kind (self, N, size_of::<<N as Number>::Key>() == 8) }
    }

    /// Whether scores are floats.
    pub fn is_float(self) -> bool {
        each_kind! { visit_kind (self, N, N::CLASS == Class::Float) }
    }

    /// The greatest key of the kind: NaN ranked best, if the scores are floats.
    pub fn greatest(self) -> u64 {
        each_kind! { visit_kind (self, N, N::GREATEST_KEY) }
    }

    /// Whether a key stands for a score. For floats only the least and the greatest key are NaN; -0
    /// has no key of its own.
    pub fn has(self, key: u64) -> bool {
        let greatest = self.greatest();
        if !self.is_float() || key >= greatest {
            return key <= greatest;
        }
        let score = self.score(key);
        key == 0 || !score.is_nan() && (score != 0.0 || score.is_sign_positive())
    }

    /// The machine epsilon; integers are exact and have the epsilon of `f64`.
    pub fn epsilon(self) -> f64 {
        each_kind! { visit_kind (self, N, N::PRECISION) }
    }

    /// The kind represents all whole numbers from the first to the second.
    pub(crate) fn whole_numbers(self) -> (i128, i128) {
        each_kind! { visit_kind (self, N, N::WHOLE) }
    }

    /// The score, if the kind is an integer kind.
    pub fn integer(self, key: u64) -> Option<i128> {
        each_kind! { visit_kind (self, N, match N::CLASS {
            Class::Float => None,
            _ => N::read(N::from_key(key)).whole(),
        }) }
    }

    /// The score as a double; integers beyond 2^53 are rounded. NaN for a ranked NaN.
    pub fn score(self, key: u64) -> f64 {
        each_kind! { visit_kind (self, N, N::float(N::from_key(key))) }
    }

    /// The key of a whole number among [`Self::whole_numbers`].
    pub(crate) fn key_of_whole(self, whole: i128) -> u64 {
        each_kind! { visit_kind (self, N, N::key_of_whole(whole)) }
    }

    /// The key of the score nearest to a double that is not NaN.
    pub fn key_of_float(self, value: f64) -> u64 {
        each_kind! { visit_kind (self, N, N::key_of_float(value)) }
    }

    /// Whether every score of the other kind is also a score of this kind.
    fn holds(self, other: Self) -> bool {
        let ((low, high), (least, greatest)) = (self.whole_numbers(), other.whole_numbers());
        low <= least && greatest <= high && (self.is_float() || !other.is_float())
    }

    /// The narrowest kind that holds the scores of both exactly.
    pub fn common(self, other: Self) -> Option<Self> {
        let holds = |kind: &&Self| kind.holds(self) && kind.holds(other);
        Self::ALL.iter().find(holds).copied()
    }

    /// The code in the bytes of statistics.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The kind of a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

impl<'a> Scores<'a> {
    /// The column of doubles, if it is one.
    pub fn doubles(&self) -> Option<&Column<'a, f64>> {
        match self {
            Self::F64(column) => Some(column),
            _ => None,
        }
    }

    /// The column of unsigned bytes, if it is one.
    pub(crate) fn bytes(&self) -> Option<&Column<'a, u8>> {
        match self {
            Self::Bool(column) | Self::U8(column) => Some(column),
            _ => None,
        }
    }
}

impl<'a> ScoreMatrix<'a> {
    /// The matrix of doubles, if it is one.
    pub(crate) fn doubles(&self) -> Option<&Matrix<'a, f64>> {
        match self {
            Self::F64(matrix) => Some(matrix),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_keep_the_order_and_come_back(a in any::<f64>(), b in any::<f64>()) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            prop_assert_eq!(a.partial_cmp(&b).unwrap(), key_of_f64(a).cmp(&key_of_f64(b)));
            prop_assert_eq!(f64_of(key_of_f64(a)), a);
            let (c, d) = (a as f32, b as f32);
            prop_assert_eq!(c.partial_cmp(&d).unwrap(), key_of_f32(c).cmp(&key_of_f32(d)));
            prop_assert_eq!(f32_of(key_of_f32(c)), c);
            let (e, f) = (f16::from_f64(a), f16::from_f64(b));
            prop_assert_eq!(e.partial_cmp(&f).unwrap(), key_of_f16(e).cmp(&key_of_f16(f)));
            prop_assert_eq!(f16_of(key_of_f16(e) as u16), e);
        }

        #[test]
        fn integer_keys_keep_the_order(a in any::<i64>(), b in any::<i64>()) {
            prop_assert_eq!(a.cmp(&b), i64::key(a).cmp(&i64::key(b)));
            prop_assert_eq!(ScoreKind::I64.integer(i64::key(a)), Some(i128::from(a)));
            let (c, d) = (a as i32, b as i16);
            prop_assert_eq!(i64::from(c).cmp(&i64::from(d)), i32::key(c).cmp(&i16::key(d)));
            prop_assert_eq!(ScoreKind::I32.integer(u64::from(i32::key(c))), Some(i128::from(c)));
            prop_assert_eq!(ScoreKind::I32.integer(u64::from(u8::key(a as u8))), Some(i128::from(a as u8)));
        }
    }

    #[test]
    fn no_number_has_the_key_of_a_ranked_nan() {
        assert!(key_of_f64(f64::NEG_INFINITY) > 0 && key_of_f64(f64::INFINITY) < u64::MAX);
        assert!(key_of_f32(f32::NEG_INFINITY) > 0 && key_of_f32(f32::INFINITY) < u32::MAX);
        assert!(key_of_f16(f16::NEG_INFINITY) > 0 && key_of_f16(f16::INFINITY) < 0xffff);
        assert!(f64_of(0).is_nan() && f64_of(u64::MAX).is_nan());
        assert_eq!(key_of_f64(-0.0), key_of_f64(0.0));
        assert_eq!(key_of_f32(-0.0), key_of_f32(0.0));
        assert_eq!(key_of_f16(f16::NEG_ZERO), key_of_f16(f16::ZERO));
    }

    #[test]
    fn class_and_size_tell_dtypes_apart() {
        for &dtype in Dtype::ALL {
            assert_eq!(Dtype::of(dtype.class(), dtype.size()), Some(dtype));
        }
        for &kind in ScoreKind::ALL {
            assert_eq!(ScoreKind::from_code(kind.code()), Some(kind));
            assert_eq!(kind.common(kind), Some(kind));
        }
        let common = |a: ScoreKind, b| a.common(b);
        assert_eq!(common(ScoreKind::U32, ScoreKind::I32), Some(ScoreKind::I64));
        assert_eq!(common(ScoreKind::U32, ScoreKind::U64), Some(ScoreKind::U64));
        assert_eq!(common(ScoreKind::I32, ScoreKind::U64), None);
        assert_eq!(common(ScoreKind::I32, ScoreKind::F16), Some(ScoreKind::F64));
        assert_eq!(common(ScoreKind::F16, ScoreKind::F32), Some(ScoreKind::F32));
        assert_eq!(common(ScoreKind::I64, ScoreKind::F64), None);
    }

    /// Lines of a source that name a dtype, without tests and comments.
    fn naming(source: &str) -> Vec<&str> {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let named = code.filter(|line| {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            let names =
                ["I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "F16", "F32", "F64", "f16"];
            let truths = ["Labels", "Scores", "ScoreMatrix", "Dtype"];
            words.any(|word| names.contains(&word))
                || truths.iter().any(|of| line.contains(&format!("{of}::Bool")))
        });
        named.collect()
    }

    #[test]
    fn dtypes_are_named_in_one_place() {
        assert_eq!(naming("match x {\n    Scores::I8(c) => c.len(),\n}").len(), 1);
        assert_eq!(naming("//! I8\nlet x: u8 = 1;\n#[cfg(test)]\nScores::I8").len(), 0);
        let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs")
                    && !path.ends_with("base/dtype.rs")
                    && !path.ends_with("tests.rs")
                {
                    let source = std::fs::read_to_string(&path).unwrap();
                    assert_eq!(naming(&source), [""; 0], "{}", path.display());
                    seen += 1;
                }
            }
        }
        assert!(seen > 100);
    }
}
