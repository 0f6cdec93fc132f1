//! Label, score and weight columns as they arrive, and sets of labels.
//!
//! Dtypes die here: a kernel meets [`Labels`] and [`Scores`], lowers one cache-sized chunk of each to codes and to order
//! keys, and works on those. Labels and scores are lowered apart, so the number of cases is a sum of types, not a product.

use std::fmt;

use half::f16;

use crate::column::Column;

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
