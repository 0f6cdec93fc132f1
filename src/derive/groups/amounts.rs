//! Amounts of many places: counts, of 32 bits as long as all of them together fit, or exact sums of
//! weights.
//!
//! The width follows from the sum of all counts alone, so that it does not depend on how the rows
//! were split. Counts of 32 bits take half the memory, and a million groups of four counts half the
//! time.

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

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(counts) => counts.len(),
            Self::Wide(counts) => counts.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(counts) => 4 * counts.len(),
            Self::Wide(counts) => 8 * counts.len(),
        }
    }

    /// One count.
    #[inline]
    pub fn get(&self, place: usize) -> u64 {
        match self {
            Self::Narrow(counts) => counts[place].into(),
            Self::Wide(counts) => counts[place],
        }
    }

    /// The sum of some of them.
    pub(crate) fn sum(&self, places: std::ops::Range<usize>) -> u64 {
        match self {
            Self::Narrow(counts) => counts[places].iter().map(|&count| u64::from(count)).sum(),
            Self::Wide(counts) => counts[places].iter().sum(),
        }
    }

    /// The sum of all.
    pub(crate) fn total(&self) -> u64 {
        self.sum(0..self.len())
    }

    /// Moves count `i` to `places[i]` among `len`; counts at one place are added.
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

    /// The sums of two, place by place.
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
pub enum Amounts {
    /// Of rows.
    Counts(Tally),
    /// Of weights.
    Weights(ExactSums),
}

impl Amounts {
    /// None, of the same kind.
    pub(crate) fn none(&self) -> Self {
        match self {
            Self::Counts(_) => Self::Counts(Tally::of(Vec::new())),
            Self::Weights(_) => Self::Weights(ExactSums::new(0)),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.len(),
            Self::Weights(sums) => sums.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One, rounded to `f64`.
    #[inline]
    pub fn get(&self, place: usize) -> f64 {
        match self {
            Self::Counts(counts) => counts.get(place) as f64,
            Self::Weights(sums) => sums.get(place),
        }
    }

    /// One, exactly.
    pub fn fraction(&self, place: usize) -> Fraction {
        match self {
            Self::Counts(counts) => Fraction::whole(counts.get(place)),
            Self::Weights(sums) => sums.fraction(place),
        }
    }

    /// Whether they are of weights.
    pub fn are_weights(&self) -> bool {
        matches!(self, Self::Weights(_))
    }

    /// Moves amount `i` to `places[i]` among `len`; amounts at one place are added.
    pub(crate) fn moved(&self, places: &[usize], len: usize) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts(counts.moved(places, len)),
            Self::Weights(sums) => Self::Weights(sums.moved(places, len)),
        }
    }

    /// The sums of two, place by place. Counts beside weights are refused.
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

/// The sums of two, if there are any; both must have them or neither.
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

/// How many bytes sums take.
pub(crate) fn sums_bytes(sums: &ExactSums) -> usize {
    match sums.sums() {
        Sums::Narrow(sums) => size_of_val(&sums[..]),
        Sums::Wide(sums) => size_of_val(&sums[..]),
    }
}
