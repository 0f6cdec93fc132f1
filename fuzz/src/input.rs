//! Columns of any dtype and layout, drawn from bytes, and what they hold as plain numbers.

use arbitrary::{Result, Unstructured};
use half::f16;
use rocksteady::base::column::{Column, Element};
use rocksteady::base::input::{Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;

/// A number of a column as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    /// As the nearest double.
    pub fn float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

/// The names of the dtypes, in the order of their draws.
pub const DTYPES: [&str; 12] =
    ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"];

/// Numbers of one dtype in memory that holds nothing but them: a read outside is seen.
#[derive(Debug)]
pub struct Held {
    pub dtype: &'static str,
    pub values: Vec<Number>,
    bytes: Box<[u8]>,
    first: usize,
    strides: (isize, isize),
    columns: usize,
    swapped: bool,
}

/// The bytes of a number in a dtype, and the number that they are.
fn encoded(dtype: &str, wanted: Number) -> (Vec<u8>, Number) {
    macro_rules! one {
        ($($name:literal $type:ty),+) => {
            match dtype {
                "bool" => {
                    let byte = match wanted {
                        Number::Int(value) => value as u8,
                        Number::Float(value) => value as u8,
                    };
                    (vec![byte], Number::Int(i128::from(byte != 0)))
                }
                "f16" => {
                    let value = f16::from_f64(wanted.float());
                    (value.to_ne_bytes().to_vec(), Number::Float(value.to_f64()))
                }
                "f32" => {
                    let value = wanted.float() as f32;
                    (value.to_ne_bytes().to_vec(), Number::Float(value.into()))
                }
                "f64" => {
                    let value = wanted.float();
                    (value.to_ne_bytes().to_vec(), Number::Float(value))
                }
                $($name => {
                    let value = match wanted {
                        Number::Int(value) => value as $type,
                        Number::Float(value) => value as $type,
                    };
                    (value.to_ne_bytes().to_vec(), Number::Int(value.into()))
                })+
                _ => unreachable!(),
            }
        };
    }
    one!("i8" i8, "i16" i16, "i32" i32, "i64" i64, "u8" u8, "u16" u16, "u32" u32, "u64" u64)
}

impl Held {
    /// A column of these numbers, or a matrix of so many columns, in a layout that is drawn.
    pub fn of(
        u: &mut Unstructured,
        dtype: &'static str,
        wanted: &[Number],
        columns: usize,
    ) -> Result<Self> {
        let encoded: Vec<_> = wanted.iter().map(|&one| encoded(dtype, one)).collect();
        let size = encoded.first().map_or(1, |one| one.0.len());
        let rows = wanted.len().checked_div(columns).unwrap_or(0);
        let layout = u.arbitrary::<u8>()?;
        let swapped = layout & 1 == 1;
        let by_column = layout & 2 == 2;
        let backwards = layout & 4 == 4;
        let gap = match layout >> 3 {
            0..=19 => 0,
            byte => usize::from(byte) - 19, // also unaligned
        };
        let step = size + gap;
        let (row, column) = if by_column { (step, step * rows) } else { (step * columns, step) };
        let mut bytes = vec![0xa5; (wanted.len() * step).saturating_sub(gap)];
        let place = |at: usize| {
            let (i, j) = (at / columns, at % columns);
            let i = if backwards { rows - 1 - i } else { i };
            i * row + j * column
        };
        for (at, (raw, _)) in encoded.iter().enumerate() {
            let mut raw = raw.clone();
            if swapped {
                raw.reverse();
            }
            bytes[place(at)..][..size].copy_from_slice(&raw);
        }
        let (first, sign) = match backwards && rows > 0 {
            true => (row * (rows - 1), -1),
            false => (0, 1),
        };
        Ok(Self {
            dtype,
            values: encoded.into_iter().map(|one| one.1).collect(),
            bytes: bytes.into_boxed_slice(),
            first,
            strides: (sign * row as isize, column as isize),
            columns,
            swapped,
        })
    }

    fn start(&self) -> *const u8 {
        self.bytes.as_ptr().wrapping_add(self.first)
    }

    fn column<T: Element>(&self) -> Column<'_, T> {
        // SAFETY: `bytes` has room for every element, at these distances from its start.
        unsafe {
            Column::from_raw_parts(self.start(), self.strides.0, self.values.len(), self.swapped)
        }
    }

    fn matrix_of<T: Element>(&self) -> Matrix<'_, T> {
        let rows = self.values.len().checked_div(self.columns).unwrap_or(0);
        // SAFETY: as above.
        unsafe {
            Matrix::from_raw_parts(self.start(), self.strides, (rows, self.columns), self.swapped)
        }
    }

    pub fn labels(&self) -> Labels<'_> {
        match self.dtype {
            "bool" => Labels::Bool(self.column()),
            "i8" => Labels::I8(self.column()),
            "i16" => Labels::I16(self.column()),
            "i32" => Labels::I32(self.column()),
            "i64" => Labels::I64(self.column()),
            "u8" => Labels::U8(self.column()),
            "u16" => Labels::U16(self.column()),
            "u32" => Labels::U32(self.column()),
            "u64" => Labels::U64(self.column()),
            "f16" => Labels::F16(self.column()),
            "f32" => Labels::F32(self.column()),
            _ => Labels::F64(self.column()),
        }
    }

    pub fn scores(&self) -> Scores<'_> {
        match self.dtype {
            "bool" => Scores::Bool(self.column()),
            "i8" => Scores::I8(self.column()),
            "i16" => Scores::I16(self.column()),
            "i32" => Scores::I32(self.column()),
            "i64" => Scores::I64(self.column()),
            "u8" => Scores::U8(self.column()),
            "u16" => Scores::U16(self.column()),
            "u32" => Scores::U32(self.column()),
            "u64" => Scores::U64(self.column()),
            "f16" => Scores::F16(self.column()),
            "f32" => Scores::F32(self.column()),
            _ => Scores::F64(self.column()),
        }
    }

    pub fn matrix(&self) -> ScoreMatrix<'_> {
        match self.dtype {
            "bool" => ScoreMatrix::Bool(self.matrix_of()),
            "i8" => ScoreMatrix::I8(self.matrix_of()),
            "i16" => ScoreMatrix::I16(self.matrix_of()),
            "i32" => ScoreMatrix::I32(self.matrix_of()),
            "i64" => ScoreMatrix::I64(self.matrix_of()),
            "u8" => ScoreMatrix::U8(self.matrix_of()),
            "u16" => ScoreMatrix::U16(self.matrix_of()),
            "u32" => ScoreMatrix::U32(self.matrix_of()),
            "u64" => ScoreMatrix::U64(self.matrix_of()),
            "f16" => ScoreMatrix::F16(self.matrix_of()),
            "f32" => ScoreMatrix::F32(self.matrix_of()),
            _ => ScoreMatrix::F64(self.matrix_of()),
        }
    }

    pub fn weights(&self) -> Column<'_, f64> {
        assert_eq!(self.dtype, "f64");
        self.column()
    }

    pub fn floats(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.float()).collect()
    }
}

/// How many rows, and how often they are repeated: few inputs are long.
pub fn shape(u: &mut Unstructured) -> Result<(usize, usize)> {
    let rows = usize::from(u.arbitrary::<u8>()? % 65);
    let repeats = match u.arbitrary::<u8>()? {
        0..=199 => 1,
        200..=247 => 5,
        _ => 17,
    };
    Ok((rows, repeats))
}

/// The same, now and then with enough rows for kernels that count slabs of 2,048.
pub fn long_shape(u: &mut Unstructured) -> Result<(usize, usize)> {
    let (rows, repeats) = shape(u)?;
    Ok((rows, repeats * if u.ratio(1, 64)? { 5 } else { 1 }))
}

/// So many draws from a palette, and the whole repeated.
pub fn rows_of<T: Copy>(
    u: &mut Unstructured,
    palette: &[T],
    (rows, repeats): (usize, usize),
) -> Result<Vec<T>> {
    let mut drawn = Vec::with_capacity(rows * repeats);
    for _ in 0..rows {
        drawn.push(palette[usize::from(u.arbitrary::<u8>()?) % palette.len()]);
    }
    Ok(drawn.repeat(repeats))
}

/// A dtype.
pub fn dtype(u: &mut Unstructured) -> Result<&'static str> {
    u.choose(&DTYPES).copied()
}

/// Weights that are good, or a bad one among them.
pub fn weights(u: &mut Unstructured, shape: (usize, usize)) -> Result<Vec<f64>> {
    const USUAL: [f64; 8] = [1.0, 0.0, 0.5, 0.1, 2.0, 3.7, 0.0, 100.0];
    const EXTREME: [f64; 8] =
        [1e308, 5e-324, 1.0, 1e-300, 1e300, 0.0, 0.1, 2.2250738585072014e-308];
    const BAD: [f64; 8] = [1.0, -1.0, f64::NAN, f64::INFINITY, 2.0, 0.5, -0.0, -5e-324];
    let palette = match u.arbitrary::<u8>()? {
        0..=159 => USUAL,
        160..=239 => EXTREME,
        _ => BAD,
    };
    rows_of(u, &palette, shape)
}

/// Whether a weight is refused.
pub fn is_bad(weight: f64) -> bool {
    !(0.0..f64::INFINITY).contains(&weight)
}

/// An exact sum of doubles, as a long integer in units of 2^-1074.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact([u64; 36]);

impl Default for Exact {
    fn default() -> Self {
        Self([0; 36])
    }
}

impl Exact {
    pub fn of(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut sum = Self::default();
        weights.into_iter().for_each(|weight| sum.add(weight));
        sum
    }

    pub fn add(&mut self, weight: f64) {
        let bits = weight.to_bits();
        assert!(weight >= 0.0 && weight.is_finite());
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as usize);
        let (mantissa, shift) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent - 1),
        };
        let mut carry = u128::from(mantissa) << (shift % 64);
        for limb in &mut self.0[shift / 64..] {
            let sum = u128::from(*limb) + (carry & u128::from(u64::MAX));
            *limb = sum as u64;
            carry = (carry >> 64) + (sum >> 64);
            if carry == 0 {
                break;
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        let mut carry = 0;
        for (limb, &more) in self.0.iter_mut().zip(&other.0) {
            let sum = u128::from(*limb) + u128::from(more) + carry;
            *limb = sum as u64;
            carry = sum >> 64;
        }
    }

    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|&limb| limb == 0)
    }

    /// The nearest double, ties to even.
    pub fn rounded(&self) -> f64 {
        let Some(top) = self.0.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let bit = |at: usize| self.0[at / 64] >> (at % 64) & 1;
        let highest = 64 * top + 63 - self.0[top].leading_zeros() as usize;
        if highest < 53 {
            return f64::from_bits(self.0[0]);
        }
        let shift = highest - 52;
        let mut mantissa = (0..53).fold(0, |sum, at| sum | bit(shift + at) << at);
        let tie = bit(shift - 1) == 1;
        let more = (0..shift - 1).any(|at| bit(at) == 1);
        if tie && (more || mantissa & 1 == 1) {
            mantissa += 1;
        }
        // The hidden bit adds one to the exponent.
        let bits = ((shift as u64) << 52) + mantissa;
        f64::from_bits(bits.min(f64::INFINITY.to_bits()))
    }
}

/// The number of threads that kernels may use: one mostly, for speed.
pub fn threads(u: &mut Unstructured) -> Result<()> {
    let threads = if u.arbitrary::<u8>()? < 224 { 1 } else { 3 };
    rocksteady::base::threads::set_threads(Some(threads)).expect("a number of threads");
    Ok(())
}
