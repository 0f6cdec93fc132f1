//! Sums over scores that are probabilities: exact, so that they merge in any order.

use crate::error::{Refusal, Result};
use crate::kernel::exact::{Fixed, Wide};
use crate::stat::bytes::{Reader, Writer};

const NAME: &str = "ProbabilitySums";
const KIND: u8 = b'P';
const VERSION: u8 = 1;

/// The weight of all rows, the sum of their logarithmic losses and the sum of their squared errors, as exact integers.
///
/// Two of them that saw the same rows, in whatever order and parts, are equal to the bit. [`crate::kernel::proper`] fills
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProbabilitySums {
    pub(crate) rows: u64,
    pub(crate) weight: Wide,
    pub(crate) log_loss: Wide,
    pub(crate) brier: Wide,
}

impl ProbabilitySums {
    /// The number of rows; those that weigh nothing do not count.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// What the rows weigh; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The sum of −ln of the probability given to what came true, in nats, rounded once.
    pub fn log_loss(&self) -> f64 {
        self.log_loss.to_f64(Wide::LOWEST)
    }

    /// The sum of squared differences between probability and truth, rounded once.
    pub fn brier(&self) -> f64 {
        self.brier.to_f64(Wide::LOWEST)
    }

    /// The sums of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for more than 2^64 rows.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let rows = self
            .rows
            .checked_add(other.rows)
            .ok_or_else(|| Refusal::Merge {
                reason: "more than 2^64 rows".to_owned(),
            })?;
        Ok(Self {
            rows,
            weight: self.weight.plus(other.weight),
            log_loss: self.log_loss.plus(other.log_loss),
            brier: self.brier.plus(other.brier),
        })
    }

    /// The sums as bytes: the head, the number of rows, then three integers of 2176 bits, lowest byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.put(&self.rows.to_le_bytes());
        for sum in [&self.weight, &self.log_loss, &self.brier] {
            for limb in sum.0 {
                out.put(&limb.to_le_bytes());
            }
        }
        out.finish()
    }

    /// The sums from their bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for bytes of another kind, version or length, and for sums that no rows have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = Reader::new(bytes, NAME, KIND, VERSION)?;
        let rows = input.u64()?;
        let mut sums = [Wide::default(); 3];
        for limb in sums.iter_mut().flat_map(|sum| &mut sum.0) {
            *limb = input.u64()?;
        }
        let [weight, log_loss, brier] = sums;
        let sums = Self {
            rows,
            weight,
            log_loss,
            brier,
        };
        // No squared error is above 1, and no logarithmic loss above −ln of the smallest number.
        let possible = sums.brier <= sums.weight
            && sums.log_loss() <= 745.2 * sums.weight()
            && (sums.rows > 0) == (sums.weight() > 0.0);
        if !possible {
            return Err(input.refusal("the sums contradict each other"));
        }
        input.finish()?;
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::proper::of_slices;

    #[test]
    fn bytes_come_back_and_others_are_refused() {
        let weights = [0.1, 2.0, 3.5];
        let sums = of_slices(&[1, 0, 1], &[0.7, 0.2, 1e-200], Some(&weights), 1e-16).unwrap();
        let bytes = sums.to_bytes();
        assert_eq!(ProbabilitySums::from_bytes(&bytes), Ok(sums));
        for cut in 0..bytes.len() {
            assert!(ProbabilitySums::from_bytes(&bytes[..cut]).is_err());
        }
        assert!(ProbabilitySums::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        let mut odd = bytes;
        *odd.last_mut().unwrap() = 0xff;
        let refusal = ProbabilitySums::from_bytes(&odd).unwrap_err();
        assert!(refusal.to_string().contains("contradict"));
    }
}
