//! Counts, or exact sums of weights, of many places. Counts have 32 bits as long as their total
//! fits.
//!
//! The width depends on the total of all counts alone, so it is the same however the rows were
//! split. Counts of 32 bits halve the memory. With a million groups of four counts they also halve
//! the time.

use std::ops::{AddAssign, Range};

use crate::arith::exact::{ExactSums, Span, Sums, Weights};
use crate::arith::fraction::Fraction;
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::threads::{filled, one_after_the_other, over_parts, over_pieces};
use crate::groups::arrange::Arranged;
use crate::scores::keys::Key;

/// Counts.
#[derive(Debug, PartialEq, Eq)]
pub enum Tally {
    /// They add up to less than 2^32.
    Narrow(Vec<u32>),
    /// They may add up to more.
    Wide(Vec<u64>),
}

impl Clone for Tally {
    fn clone(&self) -> Self {
        match self {
            Self::Narrow(counts) => Self::Narrow(counts.copy_all()),
            Self::Wide(counts) => Self::Wide(counts.copy_all()),
        }
    }
}

impl Tally {
    /// Counts in the width that they need.
    pub(crate) fn of(counts: Vec<u64>) -> Self {
        let sum_of = |counts: &[u64]| counts.iter().map(|&count| u128::from(count)).sum();
        let sums = over_parts(counts.len(), |part| Ok(sum_of(&counts[part])));
        let sum: u128 = sums.map_or_else(|_| sum_of(&counts), |sums| sums.into_iter().sum());
        if sum > u32::MAX.into() {
            return Self::Wide(counts);
        }
        let narrow = filled("", counts.len(), |part, room| {
            room.fill_by(part.len(), |at| Ok(counts[part.start + at] as u32))
        });
        Self::Narrow(match narrow {
            Ok((narrow, _)) => narrow,
            Err(_) => counts.iter().map(|&count| count as u32).gather(),
        })
    }

    /// The number of places.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(counts) => counts.len(),
            Self::Wide(counts) => counts.len(),
        }
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(counts) => 4 * counts.len(),
            Self::Wide(counts) => 8 * counts.len(),
        }
    }

    /// The count at a place.
    #[inline]
    pub fn get(&self, place: usize) -> u64 {
        match self {
            Self::Narrow(counts) => counts[place].into(),
            Self::Wide(counts) => counts[place],
        }
    }

    pub(crate) fn sum(&self, places: Range<usize>) -> u64 {
        match self {
            Self::Narrow(counts) => counts[places].iter().map(|&count| u64::from(count)).sum(),
            Self::Wide(counts) => counts[places].iter().sum(),
        }
    }

    pub(crate) fn total(&self) -> u64 {
        self.sum(0..self.len())
    }

    /// Moves count `i` to `places[i]` among `len` places, and adds counts that meet.
    pub(crate) fn moved(&self, places: &[usize], len: usize) -> Self {
        match self {
            Self::Narrow(counts) => {
                let mut moved: Vec<u32> = vec![0; len];
                for (&place, &count) in places.iter().zip(counts) {
                    moved[place] += count;
                }
                Self::Narrow(moved)
            }
            Self::Wide(counts) => {
                let mut moved: Vec<u64> = vec![0; len];
                for (&place, &count) in places.iter().zip(counts) {
                    moved[place] += count;
                }
                Self::Wide(moved)
            }
        }
    }

    /// Ranges of places, one after the other, in the width that all counts need together.
    fn joined(parts: &[(&Self, Range<usize>)]) -> Result<Self> {
        let mut total = 0;
        let mut narrow = Vec::new();
        for (part, range) in parts {
            total = sum_of(total, part.sum(range.clone()))?;
            if let Self::Narrow(counts) = part {
                narrow.grow(&counts[range.clone()]);
            }
        }
        if narrow.len() == parts.len() && total <= u32::MAX.into() {
            return Ok(Self::Narrow(one_after_the_other(&narrow, |_, count| count)?));
        }
        let mut wide = Vec::new();
        for (part, range) in parts {
            wide.grow_with(range.clone().map(|place| part.get(place)));
        }
        Ok(Self::Wide(wide))
    }

    /// The sums of two tallies, place by place.
    pub(crate) fn added(self, other: Self) -> Result<Self> {
        let total = sum_of(self.total(), other.total())?;
        Ok(match (self, other) {
            (Self::Narrow(mut own), Self::Narrow(their)) if total <= u32::MAX.into() => {
                over_pieces(&mut own, |range, own| {
                    for (own, their) in own.iter_mut().zip(&their[range]) {
                        *own += their;
                    }
                    Ok(())
                })?;
                Self::Narrow(own)
            }
            (own, their) => {
                let sums = (0..own.len()).map(|place| own.get(place) + their.get(place));
                Self::Wide(sums.gather())
            }
        })
    }
}

/// The sum of two numbers of rows.
fn sum_of(own: u64, other: u64) -> Result<u64> {
    let reason = || "there are more than 2^64 rows in all".to_owned();
    own.checked_add(other).ok_or_else(|| Refusal::Merge { reason: reason() })
}

/// Counts, or sums of weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Masses {
    /// Numbers of rows.
    Counts(Tally),
    /// Sums of weights.
    Weights(ExactSums),
}

impl Masses {
    /// An empty value of the same kind.
    pub(crate) fn none(&self) -> Self {
        match self {
            Self::Counts(_) => Self::Counts(Tally::of(Vec::new())),
            Self::Weights(_) => Self::Weights(ExactSums::new(0)),
        }
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.len(),
            Self::Weights(sums) => sums.len(),
        }
    }

    /// Whether there are no places.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The count or weight at a place, rounded to `f64`.
    #[inline]
    pub fn get(&self, place: usize) -> f64 {
        match self {
            Self::Counts(counts) => counts.get(place) as f64,
            Self::Weights(sums) => sums.get(place),
        }
    }

    /// The exact count or weight at a place.
    pub fn fraction(&self, place: usize) -> Fraction {
        match self {
            Self::Counts(counts) => Fraction::whole(counts.get(place)),
            Self::Weights(sums) => sums.fraction(place),
        }
    }

    /// Whether these are sums of weights.
    pub fn are_weights(&self) -> bool {
        matches!(self, Self::Weights(_))
    }

    /// Moves the number at place `i` to `places[i]` among `len` places, and adds numbers that meet.
    pub(crate) fn moved(&self, places: &[usize], len: usize) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts(counts.moved(places, len)),
            Self::Weights(sums) => Self::Weights(sums.moved(places, len)),
        }
    }

    /// Ranges of places, one after the other. Counts and weights do not mix.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for weights and counts, or for too many rows.
    pub(crate) fn joined(parts: &[(&Self, Range<usize>)]) -> Result<Self> {
        let (mut counts, mut sums) = (Vec::new(), Vec::new());
        for (masses, range) in parts {
            match masses {
                Self::Counts(own) => counts.grow((own, range.clone())),
                Self::Weights(own) => sums.grow((own, range.clone())),
            }
        }
        match (counts.is_empty(), sums.is_empty()) {
            (_, true) => Ok(Self::Counts(Tally::joined(&counts)?)),
            (true, _) => Ok(Self::Weights(ExactSums::joined(&sums)?)),
            _ => Err(mixed()),
        }
    }

    /// Columns of sums of arranged entries; `at` has the place of an entry in a column.
    ///
    /// # Errors
    /// None but for memory.
    pub(crate) fn gathered<K: Key, const COLUMNS: usize>(
        &self,
        arranged: &Arranged<K>,
        at: impl Fn(usize, usize) -> usize + Sync,
    ) -> Result<Self> {
        fn run<K: Key, C: Copy + Default + Send + Sync + AddAssign, const COLUMNS: usize>(
            arranged: &Arranged<K>,
            counts: &[C],
            at: impl Fn(usize, usize) -> usize + Sync,
        ) -> Result<Vec<C>> {
            arranged.sums(|sums: &mut [C; COLUMNS], entry| {
                for (column, sum) in sums.iter_mut().enumerate() {
                    *sum += counts[at(column, entry)];
                }
            })
        }
        Ok(match self {
            Self::Counts(Tally::Narrow(counts)) => {
                Self::Counts(Tally::Narrow(run::<K, u32, COLUMNS>(arranged, counts, at)?))
            }
            Self::Counts(Tally::Wide(counts)) => {
                Self::Counts(Tally::Wide(run::<K, u64, COLUMNS>(arranged, counts, at)?))
            }
            Self::Weights(sums) => Self::Weights(arranged.gathered::<COLUMNS>(sums, at)?),
        })
    }

    /// The sums of two, place by place. Counts and weights do not mix.
    pub(crate) fn added(self, other: Self) -> Result<Self> {
        match (self, other) {
            (Self::Counts(own), Self::Counts(their)) => Ok(Self::Counts(own.added(their)?)),
            (Self::Weights(mut own), Self::Weights(their)) => {
                own.merge(&their);
                Ok(Self::Weights(own))
            }
            _ => Err(mixed()),
        }
    }
}

fn mixed() -> Refusal {
    Refusal::Merge { reason: "one has weights and the other has none".to_owned() }
}

/// [`ExactSums::joined`] of optional columns; all must be there, or none.
pub(crate) fn joined_sums(
    parts: &[(Option<&ExactSums>, Range<usize>)],
) -> Result<Option<ExactSums>> {
    let all: Vec<_> =
        parts.iter().filter_map(|(sums, range)| sums.map(|sums| (sums, range.clone()))).gather();
    match all.len() {
        0 => Ok(None),
        len if len == parts.len() => ExactSums::joined(&all).map(Some),
        _ => Err(other_kinds()),
    }
}

/// The sums of two optional columns; both must be there, or neither.
pub(crate) fn added_sums(
    own: Option<ExactSums>,
    their: Option<ExactSums>,
) -> Result<Option<ExactSums>> {
    match (own, their) {
        (None, None) => Ok(None),
        (Some(mut own), Some(their)) => {
            own.merge(&their);
            Ok(Some(own))
        }
        _ => Err(other_kinds()),
    }
}

fn other_kinds() -> Refusal {
    Refusal::Merge {
        reason: "the weights of one are sampling weights, and those of the other are counts of \
                 rows; expected one weight_kind"
            .to_owned(),
    }
}

/// The rows of groups after merging: group `g` becomes `codes[g]`.
pub(crate) fn moved_rows(rows: &Tally, codes: &[u32], groups: usize) -> Tally {
    let codes: Vec<usize> = codes.iter().map(|&code| code as usize).gather();
    rows.moved(&codes, groups)
}

/// A copy of weights, which no other thread can change, and their span.
///
/// # Errors
/// The first weight that is negative or not finite.
pub(crate) fn copied(weights: Weights<'_>) -> Result<(Vec<f64>, Span)> {
    let (own, spans) = filled("sample_weight", weights.len(), |part, room| {
        let (mut span, mut scratch) = (Span::EMPTY, Vec::new());
        let mut copy = [0.0; CHUNK];
        for rows in chunks(part) {
            let copy = &mut copy[..rows.len()];
            copy.copy_from_slice(weights.chunk(rows.clone(), &mut scratch));
            let own = Span::from_slice(copy).map_err(|refusal| refusal.later(rows.start))?;
            span = span.union(own);
            room.fill_by(copy.len(), |at| Ok(copy[at]))?;
        }
        Ok(span)
    })?;
    Ok((own, spans.into_iter().fold(Span::EMPTY, Span::union)))
}

pub(crate) fn sums_bytes(sums: &ExactSums) -> usize {
    match sums.sums() {
        Sums::Narrow(sums) => size_of_val(&sums[..]),
        Sums::Wide(sums) => size_of_val(&sums[..]),
    }
}
