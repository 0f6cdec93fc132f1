//! Scores as unsigned integers whose order is the order of the scores.
//!
//! 1. A float becomes a key by flipping its sign bit, and all other bits too if it was negative.
//!    −0.0 is first made +0.0, so that equal scores have equal keys and nothing else does.
//! 2. A signed integer has its sign bit flipped.
//! 3. Scores of at most 32 bits have 32-bit keys, the others 64-bit keys. No score is narrowed.
//! 4. Keys are made one chunk at a time in cache. The largest magnitude of the chunk says at the
//!    end whether a NaN or an infinity was there; only then is the chunk read again, row by row.
//! 5. Where NaN are ranked (`worst`, `best`) their key is 0 or the greatest key, which no number
//!    has.
//!
//! Cost: a few instructions a row (6 for a float), in vectors.
//!
//! Rejected:
//! - a branch per row for NaN (3 times slower);
//! - total order with −0.0 below +0.0 (breaks ties).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use half::f16;

use crate::base::column::Column;
use crate::base::error::{Refusal, Result};
use crate::base::input::{NanPolicy, Scores};
use crate::base::wide::wide;

/// An order key: `u32` or `u64`.
pub trait Key: Copy + Ord + Default + Send + Sync + std::fmt::Debug + 'static {
    /// Bits of the key.
    const BITS: u32;
    /// The greatest key.
    const MAX: Self;
    /// The key in 64 bits.
    fn wide(self) -> u64;
    /// The key from 64 bits, which must fit.
    fn narrow(wide: u64) -> Self;
    /// `self - other`, which must not be negative.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The bits from `shift` up, `shift` below [`Key::BITS`].
    fn above(self, shift: u32) -> usize;
    /// `self + below + upto`: one step of counting how many keys are below, and below or equal to,
    /// another.
    #[must_use]
    fn tally(self, below: bool, upto: bool) -> Self;
    /// `self + count·below + count·upto`.
    #[must_use]
    fn tally_by(self, count: Self, below: bool, upto: bool) -> Self;
}

wide! {
    /// The least and the greatest key; the greatest of all and 0 of none.
    pub(crate) fn extent[K: Key](keys: &[K]) -> (K, K) = extent_body;
}

#[inline(always)]
fn extent_body<K: Key>(keys: &[K]) -> (K, K) {
    let (mut low, mut high) = (K::MAX, K::default());
    for &key in keys {
        low = low.min(key);
        high = high.max(key);
    }
    (low, high)
}

impl Key for u32 {
    #[inline(always)]
    fn tally_by(self, count: Self, below: bool, upto: bool) -> Self {
        let (below, upto) = (
            Self::from(below).wrapping_neg(),
            Self::from(upto).wrapping_neg(),
        );
        self.wrapping_add(count & below).wrapping_add(count & upto)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn above(self, shift: u32) -> usize {
        (self >> shift) as usize
    }
    #[inline(always)]
    fn tally(self, below: bool, upto: bool) -> Self {
        self.wrapping_add(Self::from(below))
            .wrapping_add(Self::from(upto))
    }
    const BITS: u32 = 32;
    const MAX: Self = u32::MAX;
    #[inline(always)]
    fn wide(self) -> u64 {
        u64::from(self)
    }
    #[inline(always)]
    fn narrow(wide: u64) -> Self {
        wide as u32
    }
}

impl Key for u64 {
    #[inline(always)]
    fn tally_by(self, count: Self, below: bool, upto: bool) -> Self {
        let (below, upto) = (
            Self::from(below).wrapping_neg(),
            Self::from(upto).wrapping_neg(),
        );
        self.wrapping_add(count & below).wrapping_add(count & upto)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn above(self, shift: u32) -> usize {
        (self >> shift) as usize
    }
    #[inline(always)]
    fn tally(self, below: bool, upto: bool) -> Self {
        self.wrapping_add(Self::from(below))
            .wrapping_add(Self::from(upto))
    }
    const BITS: u32 = 64;
    const MAX: Self = u64::MAX;
    #[inline(always)]
    fn wide(self) -> u64 {
        self
    }
    #[inline(always)]
    fn narrow(wide: u64) -> Self {
        wide
    }
}

/// What scores were, so that a key can be turned back into the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScoreKind {
    /// Truth values and integers that fit in 32 signed bits or fewer; keys of 32 bits.
    I32,
    /// 32-bit unsigned integers; keys of 32 bits.
    U32,
    /// 64-bit signed integers; keys of 64 bits.
    I64,
    /// 64-bit unsigned integers; keys of 64 bits.
    U64,
    /// Half-precision floats; keys of 32 bits, of which 16 are used.
    F16,
    /// Single-precision floats; keys of 32 bits.
    F32,
    /// Double-precision floats; keys of 64 bits.
    F64,
}

impl ScoreKind {
    /// The kind of a column's scores.
    pub fn of(scores: &Scores) -> Self {
        match scores {
            Scores::Bool(_)
            | Scores::I8(_)
            | Scores::I16(_)
            | Scores::I32(_)
            | Scores::U8(_)
            | Scores::U16(_) => Self::I32,
            Scores::U32(_) => Self::U32,
            Scores::I64(_) => Self::I64,
            Scores::U64(_) => Self::U64,
            Scores::F16(_) => Self::F16,
            Scores::F32(_) => Self::F32,
            Scores::F64(_) => Self::F64,
        }
    }

    /// Whether keys have 64 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, Self::I64 | Self::U64 | Self::F64)
    }

    /// Whether scores are floats.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    /// The machine epsilon of scores of this kind; integers are exact, so that of `f64`.
    pub(crate) fn epsilon(self) -> f64 {
        match self {
            Self::F16 => f16::EPSILON.to_f64(),
            Self::F32 => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        }
    }

    /// The greatest key of the kind: that of NaN ranked best, if the scores are floats.
    pub fn greatest(self) -> u64 {
        match self {
            Self::F16 => u64::from(u16::MAX),
            Self::I32 | Self::U32 | Self::F32 => u64::from(u32::MAX),
            Self::I64 | Self::U64 | Self::F64 => u64::MAX,
        }
    }

    /// The score of an integer kind.
    pub fn integer(self, key: u64) -> Option<i128> {
        match self {
            Self::I32 => Some(i128::from((key as u32 ^ (1 << 31)) as i32)),
            Self::U32 => Some(i128::from(key as u32)),
            Self::I64 => Some(i128::from((key ^ (1 << 63)) as i64)),
            Self::U64 => Some(i128::from(key)),
            _ => None,
        }
    }

    /// The score as a double: exact but for integers beyond 2^53, which are rounded. NaN for a
    /// ranked NaN.
    pub fn score(self, key: u64) -> f64 {
        match self {
            Self::F16 => f64::from(f16_of(key as u16)),
            Self::F32 => f64::from(f32_of(key as u32)),
            Self::F64 => f64_of(key),
            _ => self.integer(key).unwrap_or(0) as f64,
        }
    }
}

/// The double with this key.
#[inline]
pub fn f64_of(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 {
        key ^ (1 << 63)
    } else {
        !key
    })
}

/// The single with this key.
#[inline]
pub fn f32_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 {
        key ^ (1 << 31)
    } else {
        !key
    })
}

/// The half with this key.
pub fn f16_of(key: u16) -> f16 {
    f16::from_bits(if key >> 15 == 1 {
        key ^ (1 << 15)
    } else {
        !key
    })
}

/// The key of a double; NaN must not come here.
#[inline(always)]
pub fn key_of_f64(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i64) >> 63) as u64 | 1 << 63)
}

/// The key of a single; NaN must not come here.
#[inline(always)]
pub fn key_of_f32(value: f32) -> u32 {
    let bits = (value + 0.0).to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// The key of a half; NaN must not come here.
#[inline(always)]
pub fn key_of_f16(value: f16) -> u32 {
    let bits = value.to_bits();
    let bits = if bits == 1 << 15 { 0 } else { bits };
    u32::from(bits ^ (((bits as i16) >> 15) as u16 | 1 << 15))
}

/// What a chunk held that needs a second look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    nan_or_infinite: bool,
    inexact: bool,
}

#[inline(always)]
fn f64_body(values: &[f64], keys: &mut [u64]) -> u64 {
    let mut greatest = 0;
    for (key, &value) in keys.iter_mut().zip(values) {
        *key = key_of_f64(value);
        greatest = greatest.max(value.to_bits() & !(1 << 63));
    }
    greatest
}

/// Also says whether every double was a single.
#[inline(always)]
fn f64_as_f32_body(values: &[f64], keys: &mut [u32]) -> (u64, u64) {
    let (mut greatest, mut lost) = (0, 0);
    for (key, &value) in keys.iter_mut().zip(values) {
        let single = value as f32;
        lost |= f64::from(single).to_bits() ^ value.to_bits();
        *key = key_of_f32(single);
        greatest = greatest.max(value.to_bits() & !(1 << 63));
    }
    (greatest, lost)
}

#[inline(always)]
fn f32_body(values: &[f32], keys: &mut [u32]) -> u32 {
    let mut greatest = 0;
    for (key, &value) in keys.iter_mut().zip(values) {
        *key = key_of_f32(value);
        greatest = greatest.max(value.to_bits() & !(1 << 31));
    }
    greatest
}

#[inline(always)]
fn f16_body(values: &[f16], keys: &mut [u32]) -> u16 {
    let mut greatest = 0;
    for (key, &value) in keys.iter_mut().zip(values) {
        *key = key_of_f16(value);
        greatest = greatest.max(value.to_bits() & !(1 << 15));
    }
    greatest
}

/// The key of an integer: its sign bit flipped in the width of the key.
trait IntegerKey<K>: Copy {
    fn key(self) -> K;
}

macro_rules! integer_keys {
    ($($from:ty => $key:ty, $via:ty, $flip:expr);+ $(;)?) => {$(
        impl IntegerKey<$key> for $from {
            #[inline(always)]
            fn key(self) -> $key {
                (<$via>::from(self) as $key) ^ $flip
            }
        }
    )+};
}

integer_keys! {
    i8 => u32, i32, 1 << 31;
    i16 => u32, i32, 1 << 31;
    i32 => u32, i32, 1 << 31;
    u8 => u32, i32, 1 << 31;
    u16 => u32, i32, 1 << 31;
    u32 => u32, u32, 0;
    i64 => u64, i64, 1 << 63;
    u64 => u64, u64, 0;
}

#[inline(always)]
fn integer_body<T: IntegerKey<K>, K: Key>(values: &[T], keys: &mut [K]) {
    for (key, &value) in keys.iter_mut().zip(values) {
        *key = value.key();
    }
}

#[inline(always)]
fn bool_body(values: &[u8], keys: &mut [u32]) {
    for (key, &value) in keys.iter_mut().zip(values) {
        *key = u32::from(value != 0) | 1 << 31;
    }
}

wide! {
    fn f64_keys[](values: &[f64], keys: &mut [u64]) -> u64 = f64_body;
    fn f64_as_f32_keys[](values: &[f64], keys: &mut [u32]) -> (u64, u64) = f64_as_f32_body;
    fn f32_keys[](values: &[f32], keys: &mut [u32]) -> u32 = f32_body;
    fn f16_keys[](values: &[f16], keys: &mut [u32]) -> u16 = f16_body;
    fn integer_keys[T: IntegerKey<K>, K: Key](values: &[T], keys: &mut [K]) -> () = integer_body;
    fn bool_keys[](values: &[u8], keys: &mut [u32]) -> () = bool_body;
}

/// Why a chunk of scores could not be lowered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stop {
    /// A score cannot be used.
    Refused(Refusal),
    /// Doubles were assumed to be singles and one of them is not.
    Inexact,
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// The code of a row that is left out, beside 0 for negative and 1 for positive.
pub(crate) const OMITTED: u8 = 2;

/// A column of scores with the rules for reading it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreReader<'a> {
    /// The column.
    pub scores: Scores<'a>,
    /// What to do with NaN.
    pub nan_policy: NanPolicy,
    /// Whether ±∞ is a score.
    pub infinite: bool,
    /// The column's name in refusals.
    pub argument: &'static str,
}

/// Keys that a column of scores can be lowered to.
pub(crate) trait Lowered: Key {
    /// Writes the keys of the rows and returns what needs a second look.
    fn lower(scores: &Scores, rows: std::ops::Range<usize>, keys: &mut [Self]) -> Found;
}

fn special(nan_or_infinite: bool) -> Found {
    Found {
        nan_or_infinite,
        inexact: false,
    }
}

impl Lowered for u64 {
    fn lower(scores: &Scores, rows: std::ops::Range<usize>, keys: &mut [u64]) -> Found {
        match scores {
            Scores::F64(column) => {
                let greatest = f64_keys(column.chunk(rows, &mut Vec::new()), keys);
                special(greatest >= f64::INFINITY.to_bits())
            }
            Scores::I64(column) => {
                integer_keys(column.chunk(rows, &mut Vec::new()), keys);
                special(false)
            }
            Scores::U64(column) => {
                integer_keys(column.chunk(rows, &mut Vec::new()), keys);
                special(false)
            }
            // The others have 32-bit keys; callers choose the width by `ScoreKind::is_wide`.
            _ => Found {
                nan_or_infinite: false,
                inexact: true,
            },
        }
    }
}

impl Lowered for u32 {
    fn lower(scores: &Scores, rows: std::ops::Range<usize>, keys: &mut [u32]) -> Found {
        fn integers<T: crate::base::column::Element + IntegerKey<u32>>(
            column: &Column<T>,
            rows: std::ops::Range<usize>,
            keys: &mut [u32],
        ) -> Found {
            integer_keys(column.chunk(rows, &mut Vec::new()), keys);
            special(false)
        }
        match scores {
            Scores::F64(column) => {
                let (greatest, lost) = f64_as_f32_keys(column.chunk(rows, &mut Vec::new()), keys);
                Found {
                    nan_or_infinite: greatest >= f64::INFINITY.to_bits(),
                    inexact: lost != 0,
                }
            }
            Scores::F32(column) => special(
                f32_keys(column.chunk(rows, &mut Vec::new()), keys) >= f32::INFINITY.to_bits(),
            ),
            Scores::F16(column) => special(
                f16_keys(column.chunk(rows, &mut Vec::new()), keys) >= f16::INFINITY.to_bits(),
            ),
            Scores::Bool(column) => {
                bool_keys(column.chunk(rows, &mut Vec::new()), keys);
                special(false)
            }
            Scores::I8(column) => integers(column, rows, keys),
            Scores::I16(column) => integers(column, rows, keys),
            Scores::I32(column) => integers(column, rows, keys),
            Scores::U8(column) => integers(column, rows, keys),
            Scores::U16(column) => integers(column, rows, keys),
            Scores::U32(column) => integers(column, rows, keys),
            // 64-bit integers have no 32-bit keys; callers choose the width by
            // `ScoreKind::is_wide`.
            Scores::I64(_) | Scores::U64(_) => Found {
                nan_or_infinite: false,
                inexact: true,
            },
        }
    }
}

impl ScoreReader<'_> {
    /// Writes the keys of the rows. `codes` holds the rows' classes; a row that is to be left out
    /// becomes [`OMITTED`]. Returns whether any was.
    pub(crate) fn lower<K: Lowered>(
        &self,
        rows: std::ops::Range<usize>,
        keys: &mut [K],
        codes: &mut [u8],
    ) -> std::result::Result<bool, Stop> {
        let found = K::lower(&self.scores, rows.clone(), keys);
        if found.nan_or_infinite {
            // One NaN makes its chunk slow, not the others.
            return self.settle(rows, keys, codes);
        }
        if found.inexact {
            Err(Stop::Inexact)
        } else {
            Ok(false)
        }
    }

    #[cold]
    fn settle<K: Lowered>(
        &self,
        rows: std::ops::Range<usize>,
        keys: &mut [K],
        codes: &mut [u8],
    ) -> std::result::Result<bool, Stop> {
        let greatest = if K::BITS == 32 && matches!(self.scores, Scores::F16(_)) {
            K::narrow(u64::from(u16::MAX))
        } else {
            K::MAX
        };
        let mut omitted = false;
        for (place, row) in rows.enumerate() {
            if codes[place] == OMITTED {
                continue;
            }
            let value = self.value(row);
            keys[place] = if value.is_nan() {
                match self.nan_policy {
                    NanPolicy::Raise => {
                        return Err(self.refusal(row, value).into());
                    }
                    NanPolicy::Omit => {
                        codes[place] = OMITTED;
                        omitted = true;
                        continue;
                    }
                    NanPolicy::Worst => K::narrow(0),
                    NanPolicy::Best => greatest,
                }
            } else if value.is_infinite() && !self.infinite {
                return Err(self.refusal(row, value).into());
            } else {
                match self.scores {
                    Scores::F16(_) => K::narrow(u64::from(key_of_f16(f16::from_f64(value)))),
                    Scores::F64(_) if K::BITS == 64 => K::narrow(key_of_f64(value)),
                    _ if f64::from(value as f32).to_bits() == value.to_bits() => {
                        K::narrow(u64::from(key_of_f32(value as f32)))
                    }
                    _ => return Err(Stop::Inexact),
                }
            };
        }
        Ok(omitted)
    }

    fn refusal(&self, row: usize, value: f64) -> Refusal {
        let expected = if self.infinite {
            "a number"
        } else {
            "a finite number"
        };
        Refusal::row(self.argument, row, value, expected)
    }

    /// A float score as a double; 0 for integers, which are never special.
    fn value(&self, row: usize) -> f64 {
        match &self.scores {
            Scores::F16(column) => f64::from(column.get(row)),
            Scores::F32(column) => f64::from(column.get(row)),
            Scores::F64(column) => column.get(row),
            _ => 0.0,
        }
    }
}

/// Refuses weights that are negative or not finite.
///
/// # Errors
/// [`Refusal::Row`] for the first such weight.
pub(crate) fn check_weights(weights: &[f64], first: usize, argument: &'static str) -> Result<()> {
    let outside = |weight: &f64| !(0.0..f64::INFINITY).contains(weight);
    match weights.iter().position(outside) {
        None => Ok(()),
        Some(place) => Err(Refusal::row(
            argument,
            first + place,
            weights[place],
            "a finite number that is not negative",
        )),
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
            prop_assert_eq!(a.cmp(&b), a.key().cmp(&b.key()));
            prop_assert_eq!(ScoreKind::I64.integer(a.key()), Some(i128::from(a)));
            let (c, d) = (a as i32, b as i16);
            prop_assert_eq!(i64::from(c).cmp(&i64::from(d)), c.key().cmp(&d.key()));
            prop_assert_eq!(ScoreKind::I32.integer(u64::from(c.key())), Some(i128::from(c)));
            prop_assert_eq!(ScoreKind::I32.integer(u64::from((a as u8).key())), Some(i128::from(a as u8)));
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
}
