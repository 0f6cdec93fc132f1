//! Scores as unsigned integers whose order is the order of the scores.
//!
//! How scores become keys ([`crate::base::dtype`] defines them):
//!
//! 1. One chunk at a time becomes keys, in cache and in vectors: 6 instructions a float.
//! 2. The largest magnitude of the chunk shows whether it has a NaN or an infinity. Only then the
//!    chunk is read again, row by row, and the caller's policy applies: refuse, leave out or rank.
//! 3. A ranked NaN (`worst`, `best`) gets key 0 or the greatest key, which no number has.
//! 4. Doubles may be tried as singles, which have shorter keys. The first chunk with a double that
//!    is no single ends the attempt.
//!
//! Tried and rejected:
//! - a branch per row for NaN (3 times slower);
//! - total order with −0.0 below +0.0 (breaks ties).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::marker::PhantomData;
use std::ops::Range;

use crate::base::dtype::{Number, visit};
pub use crate::base::dtype::{ScoreKind, f32_of, f64_of, key_of_f32, key_of_f64};
use crate::base::error::{Refusal, Result};
use crate::base::input::{NanPolicy, OMITTED, Scores};
use crate::base::memory::CopyAll;
use crate::base::wide::wide;

/// An order key: `u32` or `u64`.
pub trait Key: Copy + Ord + Default + Send + Sync + std::fmt::Debug + 'static {
    /// Bits of the key.
    const BITS: u32;
    /// The greatest key.
    const MAX: Self;
    /// Signed numbers of the same width.
    type Signed: Copy + Ord + Default + Send + Sync;
    /// The key in 64 bits.
    fn wide(self) -> u64;
    /// The key from 64 bits, which must fit.
    fn narrow(wide: u64) -> Self;
    /// `self - other`, which must not be negative.
    #[must_use]
    fn minus(self, other: Self) -> Self;
    /// The key with its highest bit flipped.
    #[must_use]
    fn turned(self) -> Self;
    /// A signed number in the same order: AVX2 compares only signed numbers.
    fn signed(self) -> Self::Signed;
    /// The bits from `shift` up; `shift` is below [`Key::BITS`].
    fn above(self, shift: u32) -> usize;
    /// `self + below + upto`: one step of counting the keys below, and below or equal to, another.
    #[must_use]
    fn tally(self, below: bool, upto: bool) -> Self;
    /// `self + one·below − one·above`.
    #[must_use]
    fn lean(self, one: Self, below: bool, above: bool) -> Self;
    /// `self + count·below + count·upto`.
    #[must_use]
    fn tally_by(self, count: Self, below: bool, upto: bool) -> Self;
}

macro_rules! keys {
    ($($key:ty: $signed:ty),*) => { $(
        impl Key for $key {
            type Signed = $signed;
            const BITS: u32 = <$key>::BITS;
            const MAX: Self = <$key>::MAX;
            #[inline(always)]
            fn wide(self) -> u64 {
                self.into()
            }
            #[inline(always)]
            fn narrow(wide: u64) -> Self {
                wide as $key
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn turned(self) -> Self {
                self ^ (1 << (<$key>::BITS - 1))
            }
            #[inline(always)]
            fn signed(self) -> $signed {
                self.turned() as $signed
            }
            #[inline(always)]
            fn above(self, shift: u32) -> usize {
                (self >> shift) as usize
            }
            #[inline(always)]
            fn tally(self, below: bool, upto: bool) -> Self {
                self.wrapping_add(below.into()).wrapping_add(upto.into())
            }
            #[inline(always)]
            fn lean(self, one: Self, below: bool, above: bool) -> Self {
                let all_ones_if = |is: bool| Self::from(is).wrapping_neg();
                self.wrapping_add(one & all_ones_if(below))
                    .wrapping_sub(one & all_ones_if(above))
            }
            #[inline(always)]
            fn tally_by(self, count: Self, below: bool, upto: bool) -> Self {
                let all_ones_if = |is: bool| Self::from(is).wrapping_neg();
                self.wrapping_add(count & all_ones_if(below))
                    .wrapping_add(count & all_ones_if(upto))
            }
        }
    )* };
}

keys!(u32: i32, u64: i64);

/// What a lowered chunk contains that needs the general path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    nan_or_infinite: bool,
    inexact: bool,
}

#[inline(always)]
fn keys_body<N: Number, K: Lowered>(
    _: PhantomData<N>,
    values: &[N::Raw],
    keys: &mut [K],
) -> (N::Magnitude, u64) {
    let (mut greatest, mut lost) = (N::Magnitude::default(), 0);
    for (to, &value) in keys.iter_mut().zip(values) {
        let (key, bits) = K::of::<N>(value);
        *to = key;
        lost |= bits;
        greatest = greatest.max(N::magnitude(value));
    }
    (greatest, lost)
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

/// Whether all are finite and not negative.
#[inline(always)]
fn are_weights_body(weights: &[f64]) -> bool {
    let is_weight = |weight| (0.0..f64::INFINITY).contains(weight);
    weights.iter().fold(true, |all, weight| all & is_weight(weight))
}

wide! {
    fn are_weights[](weights: &[f64]) -> bool = are_weights_body;
    fn keys_of[N: Number, K: Lowered](of: PhantomData<N>, values: &[N::Raw], keys: &mut [K]) -> (N::Magnitude, u64)
        = keys_body;
    /// The least and the greatest key; for no keys the maximum and 0.
    pub(crate) fn extent[K: Key](keys: &[K]) -> (K, K) = extent_body;
}

/// Why a chunk of scores could not be lowered.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// A score is not allowed.
    Refused(Refusal),
    /// Doubles were tried as singles, and one is no single.
    Inexact,
}

impl Stop {
    /// The refusal; only for scores whose keys have their own width.
    pub fn refusal(self) -> Refusal {
        match self {
            Self::Refused(refusal) => refusal,
            Self::Inexact => unreachable!("keys have the width of their scores"),
        }
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A column of scores with its rules.
#[derive(Clone, Copy, Debug)]
pub struct ScoreReader<'a> {
    /// The column.
    pub scores: Scores<'a>,
    /// The policy for NaN.
    pub nan_policy: NanPolicy,
    /// Whether ±∞ is allowed.
    pub infinite: bool,
    /// The column's name in refusals.
    pub argument: &'static str,
}

/// Keys that a column of scores can be lowered to. Callers choose the width by
/// [`ScoreKind::is_wide`]; doubles are also tried as singles.
pub trait Lowered: Key {
    /// The key of a score, and bits that are zero only if the score has a key of this width.
    fn of<N: Number>(score: N::Raw) -> (Self, u64);

    /// Writes the keys of the rows; returns what needs the general path.
    fn lower(scores: &Scores, rows: Range<usize>, keys: &mut [Self]) -> Found {
        visit!(Scores(scores), |column, N| {
            let mut scratch = Vec::new();
            let (greatest, lost) =
                keys_of(PhantomData::<N>, column.chunk(rows, &mut scratch), keys);
            Found { nan_or_infinite: greatest >= N::INFINITE, inexact: lost != 0 }
        })
    }
}

impl Lowered for u64 {
    #[inline(always)]
    fn of<N: Number>(score: N::Raw) -> (u64, u64) {
        (N::key(score).into(), u64::from(size_of::<N::Key>() < 8))
    }
}

impl Lowered for u32 {
    #[inline(always)]
    fn of<N: Number>(score: N::Raw) -> (u32, u64) {
        N::narrow_key(score)
    }
}

impl<'a> ScoreReader<'a> {
    /// A reader of `y_score` that allows only finite scores.
    pub fn finite(scores: Scores<'a>) -> Self {
        Self { scores, nan_policy: NanPolicy::Raise, infinite: false, argument: "y_score" }
    }

    /// Writes the keys of the rows. `codes` holds the rows' classes; a row to leave out becomes
    /// [`OMITTED`]. Returns whether there is such a row. An infinite score is refused even in a row
    /// that is left out.
    pub fn lower<K: Lowered>(
        &self,
        rows: Range<usize>,
        keys: &mut [K],
        codes: &mut [u8],
    ) -> std::result::Result<bool, Stop> {
        let found = K::lower(&self.scores, rows.clone(), keys);
        if found.nan_or_infinite {
            // A NaN slows down only its own chunk.
            return self.settle(rows, keys, codes);
        }
        if found.inexact { Err(Stop::Inexact) } else { Ok(false) }
    }

    #[cold]
    fn settle<K: Lowered>(
        &self,
        rows: Range<usize>,
        keys: &mut [K],
        codes: &mut [u8],
    ) -> std::result::Result<bool, Stop> {
        let greatest = K::narrow(self.scores.kind().greatest());
        let mut omitted = false;
        for (place, row) in rows.enumerate() {
            // Read once: another thread may be writing.
            let (value, (key, lost)) = visit!(Scores(self.scores), |column, N| {
                let score = column.get(row);
                (N::float(score), K::of::<N>(score))
            });
            if codes[place] == OMITTED {
                if value.is_infinite() && !self.infinite {
                    return Err(self.refusal(row, value).into());
                }
                continue;
            }
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
            } else if lost != 0 {
                return Err(Stop::Inexact);
            } else {
                key
            };
        }
        Ok(omitted)
    }

    fn refusal(&self, row: usize, value: f64) -> Refusal {
        let expected = if self.infinite { "a number" } else { "a finite number" };
        Refusal::row(self.argument, row, value, expected)
    }
}

/// Refuses weights that are negative or not finite.
///
/// # Errors
/// [`Refusal::Row`] for the first such weight.
pub fn check_weights(weights: &[f64], first: usize, argument: &'static str) -> Result<()> {
    if are_weights(weights) {
        return Ok(());
    }
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

/// Order keys of 32 or 64 bits, as the kind of score requires.
#[derive(Debug, PartialEq, Eq)]
pub enum Keys {
    /// Keys of scores with at most 32 bits.
    Narrow(Vec<u32>),
    /// Keys of scores with 64 bits.
    Wide(Vec<u64>),
}

impl Clone for Keys {
    fn clone(&self) -> Self {
        match self {
            Self::Narrow(keys) => Self::Narrow(keys.copy_all()),
            Self::Wide(keys) => Self::Wide(keys.copy_all()),
        }
    }
}

impl Keys {
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(keys) => keys.len(),
            Self::Wide(keys) => keys.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, place: usize) -> u64 {
        match self {
            Self::Narrow(keys) => u64::from(keys[place]),
            Self::Wide(keys) => keys[place],
        }
    }

    /// The number of first keys, of descending keys, for which `reaches` is true.
    pub(crate) fn first(&self, reaches: impl Fn(u64) -> bool) -> usize {
        match self {
            Self::Narrow(keys) => keys.partition_point(|&key| reaches(u64::from(key))),
            Self::Wide(keys) => keys.partition_point(|&key| reaches(key)),
        }
    }
}

/// The widths of keys in a table.
pub trait TableKey: Lowered {
    fn keys(keys: Vec<Self>) -> Keys;

    /// The keys, if they have this width.
    fn within(keys: &Keys) -> Option<&[Self]>;
}

impl TableKey for u32 {
    fn keys(keys: Vec<u32>) -> Keys {
        Keys::Narrow(keys)
    }

    fn within(keys: &Keys) -> Option<&[u32]> {
        match keys {
            Keys::Narrow(keys) => Some(keys),
            Keys::Wide(_) => None,
        }
    }
}

impl TableKey for u64 {
    fn keys(keys: Vec<u64>) -> Keys {
        Keys::Wide(keys)
    }

    fn within(keys: &Keys) -> Option<&[u64]> {
        match keys {
            Keys::Wide(keys) => Some(keys),
            Keys::Narrow(_) => None,
        }
    }
}
