//! From a row and a sketch to bounds.

use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::sketched::form::Sketched;
use crate::index::value::Undefined;
use crate::scores::sketch::arrangements::Arrangements;

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The value is not less.
    pub low: f64,
    /// The value is not greater.
    pub high: f64,
    /// Whether it is `low`; NaN where the index is undefined.
    pub is_settled: bool,
    /// Why it is undefined, or why there are no bounds.
    pub why: Option<&'static str>,
}

impl Known {
    /// No bounds.
    fn none(why: &'static str) -> Self {
        Self {
            low: f64::NAN,
            high: f64::NAN,
            is_settled: false,
            why: Some(why),
        }
    }
}

/// Why a sketch whose scores may all be probabilities has no sums of losses.
const NOT_COUNTED: &str =
    "The losses were not summed: the sketch is not of rows, or a score is above 1.";

/// Room for the rounding of what is summed over at most 2^31 cells: relative to the value, or to 1
/// where the value is less.
const MARGIN: f64 = 1.0 / (1_u64 << 40) as f64;

impl Index {
    /// What a sketch knows of the value over all thresholds.
    ///
    /// # Errors
    /// A refusal if the row is not about thresholds.
    pub fn of_sketch(&self, of: &Arrangements, parameters: &Parameters) -> Result<Known> {
        let settled = |low: f64, why: Option<Undefined>| Known {
            low,
            high: low,
            is_settled: true,
            why: why.map(Undefined::sentence),
        };
        if let Some(exact) = of.exact() {
            let value = self.of_sweep(exact, parameters)?;
            return Ok(settled(value.number, value.why));
        }
        let (positives, negatives) = of.sketch().totals();
        let least = positives.min(negatives);
        let share = least / positives.max(negatives);
        let is_lost = least > 0.0 && (share.is_nan() || share < MARGIN);
        let is_by_sums = !matches!(self.sketched, Sketched::No(_)) && self.probability.is_none();
        if of.sketch().is_weighted() && is_lost && is_by_sums {
            return Ok(Known::none(
                "one class weighs next to nothing beside the other, so that rounding has no bound",
            ));
        }
        let found = match self.sketched {
            _ if self.probability.is_some() => {
                let Some(losses) = of.sketch().losses() else {
                    if of.sketch().may_be_probabilities() {
                        return Ok(Known::none(NOT_COUNTED));
                    }
                    let why = Undefined::NotProbabilities;
                    return Ok(settled(self.when_undefined, Some(why)));
                };
                let value = self.of_probabilities(losses, parameters)?;
                return Ok(settled(value.number, value.why));
            }
            Sketched::No(why) => {
                if self.sweep.is_none() {
                    self.of_sweep(of.tied(), parameters)?; // refuses
                }
                return Ok(Known::none(why));
            }
            Sketched::By(form) => form(of, parameters),
            Sketched::RisesByScore | Sketched::Totals => {
                let Some((lowered, raised)) = of.lowered().zip(of.raised()) else {
                    let why = Undefined::NotProbabilities;
                    return Ok(settled(self.when_undefined, Some(why)));
                };
                let low = self.of_sweep(lowered, parameters)?;
                let high = self.of_sweep(raised, parameters)?;
                match (low.why, high.why) {
                    (None, None) => Ok((low.number, high.number)),
                    _ => return Ok(settled(low.number, low.why.or(high.why))),
                }
            }
            Sketched::Rises | Sketched::Falls => {
                let worst = self.of_sweep(of.worst(), parameters)?;
                if of.is_one_curve() {
                    return Ok(settled(worst.number, worst.why));
                }
                let best = self.of_sweep(of.best(), parameters)?;
                match (worst.why, best.why) {
                    (None, None) if matches!(self.sketched, Sketched::Rises) => {
                        Ok((worst.number, best.number))
                    }
                    (None, None) => Ok((best.number, worst.number)),
                    (Some(why), Some(_)) => return Ok(settled(worst.number, Some(why))),
                    _ => return Ok(Known::none("it may be undefined")),
                }
            }
        };
        Ok(match found {
            Err(why) => settled(self.when_undefined, Some(why)),
            Ok((low, high)) if !(low.is_finite() && high.is_finite()) => {
                Known::none("it may be beyond the range of float64")
            }
            Ok((low, high)) if low == high => settled(low, None),
            Ok((low, high)) => {
                let (least, greatest) = self.range;
                Known {
                    low: (low - MARGIN * low.abs().max(1.0)).max(least),
                    high: (high + MARGIN * high.abs().max(1.0)).min(greatest),
                    is_settled: false,
                    why: None,
                }
            }
        })
    }
}
