//! Sums over scores that are probabilities: exact, so that they merge in any order.

use crate::error::{Refusal, Result};
use crate::kernel::exact::{Fixed, Wide};

/// The weight of all rows, the sum of their logarithmic losses and the sum of their squared errors, as exact integers.
///
/// Two of them that saw the same rows, in whatever order and parts, are equal to the bit. [`crate::kernel::proper`] fills
/// them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ProbabilitySums {
    pub(crate) weight: Wide,
    pub(crate) log_loss: Wide,
    pub(crate) brier: Wide,
}

/// What the bytes begin with: a name and the version of the layout.
const MAGIC: [u8; 8] = *b"rsProb\x00\x01";

impl ProbabilitySums {
    /// The number of rows, or what they weigh.
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

    /// Adds the rows of another.
    pub fn merge(&mut self, other: &Self) {
        self.weight = self.weight.plus(other.weight);
        self.log_loss = self.log_loss.plus(other.log_loss);
        self.brier = self.brier.plus(other.brier);
    }

    /// The sums as bytes: a name with a version, then three integers of 2176 bits, lowest byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let limbs = [&self.weight, &self.log_loss, &self.brier]
            .into_iter()
            .flat_map(|sum| sum.0);
        MAGIC
            .into_iter()
            .chain(limbs.flat_map(u64::to_le_bytes))
            .collect()
    }

    /// The sums from their bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for bytes of another kind, version or length, and for sums that no rows have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let refused = |reason: &str| Refusal::Bytes {
            kind: "ProbabilitySums",
            reason: reason.to_owned(),
        };
        let (magic, rest) = bytes
            .split_at_checked(MAGIC.len())
            .ok_or_else(|| refused("too short"))?;
        if magic[..7] != MAGIC[..7] {
            return Err(refused("they begin differently"));
        }
        if magic != MAGIC {
            return Err(refused("another version of the library wrote them"));
        }
        let (limbs, odd) = rest.as_chunks::<8>();
        if limbs.len() != 3 * Wide::LIMBS || !odd.is_empty() {
            return Err(refused("they are of another length"));
        }
        let sum = |place: usize| {
            let mut sum = Wide::default();
            for (limb, bytes) in sum.0.iter_mut().zip(&limbs[place * Wide::LIMBS..]) {
                *limb = u64::from_le_bytes(*bytes);
            }
            sum
        };
        let sums = Self {
            weight: sum(0),
            log_loss: sum(1),
            brier: sum(2),
        };
        // No squared error is above 1, and no logarithmic loss above −ln(2^-1074).
        let limit = 745.2 * sums.weight();
        if sums.brier > sums.weight || sums.log_loss() > limit || !sums.weight().is_finite() {
            return Err(refused("the sums contradict each other"));
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::proper::probability_sums;

    #[test]
    fn bytes_come_back_and_others_are_refused() {
        let sums = probability_sums(
            &[1, 0, 1],
            &[0.7, 0.2, 1e-200],
            Some(&[0.1, 2.0, 3.5]),
            1e-16,
        )
        .unwrap();
        let bytes = sums.to_bytes();
        assert_eq!(ProbabilitySums::from_bytes(&bytes), Ok(sums));
        assert!(ProbabilitySums::from_bytes(&bytes[1..]).is_err());
        assert!(ProbabilitySums::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(ProbabilitySums::from_bytes(&[]).is_err());
        let mut newer = bytes.clone();
        newer[7] = 9;
        let refusal = ProbabilitySums::from_bytes(&newer).unwrap_err();
        assert!(refusal.to_string().contains("another version"));
        let mut odd = bytes;
        odd[8 + 33 * 8] = 0xff;
        odd[8 + 102 * 8 - 1] = 0xff;
        assert!(ProbabilitySums::from_bytes(&odd).is_err());
    }
}
