//! Counts, or exact sums of weights, of many places. Counts have 32 bits as long as their total
//! fits.
//!
//! The width depends on the total of all counts alone, so it is the same however the rows were
//! split. Counts of 32 bits halve the memory. With a million groups of four counts they also halve
//! the time.

use crate::arith::exact::{ExactSums, Sums};
use crate::arith::fraction::Fraction;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather};

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
        let sum: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        if sum <= u32::MAX.into() {
            Self::Narrow(counts.iter().map(|&count| count as u32).gather())
        } else {
            Self::Wide(counts)
        }
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

    pub(crate) fn sum(&self, places: std::ops::Range<usize>) -> u64 {
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

    /// The sums of two tallies, place by place.
    pub(crate) fn added(self, other: Self) -> Result<Self> {
        let total = self.total().checked_add(other.total());
        let Some(total) = total else {
            return Err(Refusal::Merge {
                reason: "there are more than 2^64 rows in all".to_owned(),
            });
        };
        Ok(match (self, other) {
            (Self::Narrow(mut own), Self::Narrow(their)) if total <= u32::MAX.into() => {
                for (own, their) in own.iter_mut().zip(&their) {
                    *own += their;
                }
                Self::Narrow(own)
            }
            (own, their) => {
                let sums = (0..own.len()).map(|place| own.get(place) + their.get(place));
                Self::Wide(sums.gather())
            }
        })
    }
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

    /// The sums of two, place by place. Counts and weights do not mix.
    pub(crate) fn added(self, other: Self) -> Result<Self> {
        match (self, other) {
            (Self::Counts(own), Self::Counts(their)) => Ok(Self::Counts(own.added(their)?)),
            (Self::Weights(mut own), Self::Weights(their)) => {
                own.merge(&their);
                Ok(Self::Weights(own))
            }
            _ => {
                Err(Refusal::Merge { reason: "one has weights and the other has none".to_owned() })
            }
        }
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
        _ => Err(Refusal::Merge {
            reason: "the weights of one are sampling weights, and those of the other are counts \
                     of rows; expected one weight_kind"
                .to_owned(),
        }),
    }
}

pub(crate) fn sums_bytes(sums: &ExactSums) -> usize {
    match sums.sums() {
        Sums::Narrow(sums) => size_of_val(&sums[..]),
        Sums::Wide(sums) => size_of_val(&sums[..]),
    }
}
