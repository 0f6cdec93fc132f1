//! What the weights of rows mean, and their squares.
//!
//! Intervals depend on the meaning of weights; estimates do not. The variance of a weighted sum is
//! a sum of squared weights, so a statistic of sampling weights keeps a second statistic: the same
//! rows with squared weights. Each square is rounded once, and the sums of squares are as exact as
//! the sums of weights. Both statistics add alike.

use crate::arith::exact::Weights;
use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;

/// The meaning of a weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightKind {
    /// A row of weight 3 is three identical rows.
    #[default]
    Counts,
    /// A row of weight 3 stands for three rows of the population: an inverse probability, an
    /// importance, a class weight.
    Sampling,
}

/// The smallest and largest sampling weight above zero: sums of many of their squares stay within
/// the normal range.
const EXTENT: (f64, f64) = (1e-100, 1e100);

impl WeightKind {
    /// Both kinds with their names.
    pub const ALL: [(&'static str, Self); 2] =
        [("counts", Self::Counts), ("sampling", Self::Sampling)];

    /// The kind of a statistic with or without squares.
    pub fn of(has_squares: bool) -> Self {
        if has_squares { Self::Sampling } else { Self::Counts }
    }

    /// The name of the kind.
    pub fn name(self) -> &'static str {
        Self::ALL[usize::from(self == Self::Sampling)].0
    }

    /// The squares of weights, if a statistic of this kind keeps them. Negative weights, infinite
    /// ones and NaN are refused elsewhere.
    ///
    /// # Errors
    /// For sampling weights: no weights, or a weight whose square is too small or too large.
    ///
    /// ```
    /// use rocksteady_count::arith::weight_kind::WeightKind;
    /// use rocksteady_count::base::column::Column;
    ///
    /// let weights = Some(Column::from_slice(&[0.0, 1.5]));
    /// let squares = WeightKind::Sampling.squares(weights, "sample_weight")?;
    /// assert_eq!(squares, Some(vec![0.0, 2.25]));
    /// assert_eq!(WeightKind::Counts.squares(weights, "sample_weight")?, None);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn squares(
        self,
        weights: Option<Weights<'_>>,
        argument: &'static str,
    ) -> Result<Option<Vec<f64>>> {
        if self == Self::Counts {
            return Ok(None);
        }
        let Some(weights) = weights else {
            let expected = "a weight for each row, as weight_kind is \"sampling\"";
            return Err(Refusal::argument(argument, "None", expected));
        };
        let square = |row: usize| {
            let weight = weights.get(row);
            let is_extreme = weight < EXTENT.0 || weight > EXTENT.1;
            if is_extreme && weight > 0.0 && weight.is_finite() {
                let expected = format!(
                    "0, or a number from {:e} to {:e}, as weight_kind is \"sampling\"",
                    EXTENT.0, EXTENT.1
                );
                return Err(Refusal::row(argument, row, format!("{weight:e}"), expected));
            }
            Ok(weight * weight)
        };
        (0..weights.len()).map(square).gather_all().map(Some)
    }
}

pub(crate) const KINDS: &str = "the weights of one are sampling weights, and those of the other, if it has \
                     any, are counts of rows; expected one weight_kind";

/// The squares of the sum of two statistics.
///
/// # Errors
/// [`Refusal::Merge`] if only one of them has squares.
pub(crate) fn added<S>(
    own: Option<&S>,
    their: Option<&S>,
    add: impl FnOnce(&S, &S) -> Result<S>,
) -> Result<Option<Box<S>>> {
    match (own, their) {
        (None, None) => Ok(None),
        (Some(own), Some(their)) => Ok(Some(Box::new(add(own, their)?))),
        _ => Err(Refusal::Merge { reason: KINDS.to_owned() }),
    }
}

/// The squares of the difference of two statistics.
///
/// # Errors
/// [`Refusal::Difference`] if only one of them has squares.
pub fn subtracted<S>(
    own: Option<&S>,
    their: Option<&S>,
    subtract: impl FnOnce(&S, &S) -> Result<S>,
) -> Result<Option<Box<S>>> {
    match (own, their) {
        (None, None) => Ok(None),
        (Some(own), Some(their)) => Ok(Some(Box::new(subtract(own, their)?))),
        _ => Err(Refusal::Difference { reason: KINDS.to_owned() }),
    }
}

/// Refuses squares that do not belong to the remaining weights: the subtrahend was no part of the
/// statistic.
pub fn other_squares() -> Refusal {
    let reason = "the squares of the weights that are left are of other rows than the weights";
    Refusal::Difference { reason: reason.to_owned() }
}

/// Refuses columns that changed between two passes over them.
pub fn changed() -> Refusal {
    let expected = "columns that nothing writes to while they are counted";
    Refusal::argument("sample_weight", "of other rows than before", expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;

    #[test]
    fn weights_whose_squares_overflow_or_vanish_are_refused() {
        let squares = |weight: f64| {
            let weights = [1.0, weight];
            let weights = Some(Column::from_slice(&weights));
            WeightKind::Sampling.squares(weights, "sample_weight")
        };
        for weight in [0.0, 1e-100, 0.1, 1e100] {
            assert_eq!(squares(weight), Ok(Some(vec![1.0, weight * weight])));
        }
        for weight in [5e-324, 9e-101, 1.1e100, f64::MAX] {
            let words = squares(weight).unwrap_err().to_string();
            assert!(words.contains("from 1e-100 to 1e100") && words.contains("[1]"), "{words}");
        }
        assert!(WeightKind::Sampling.squares(None, "w").is_err());
        assert_eq!(WeightKind::Counts.squares(None, "w"), Ok(None));
    }
}
