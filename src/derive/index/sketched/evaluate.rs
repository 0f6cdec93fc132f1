//! From a row and a sketch to bounds.
//!
//! # The margin
//!
//! A proof about real numbers is computed in float64, so bounds move outwards by a margin of m =
//! 2^-36 times the greatest of the bound, of 1 and of the parameters. A known value gets the same
//! margin, unless it is a fraction that is rounded once. The margin must exceed the error of a
//! bound plus the error of the value from all rows, which is no greater. Let u = 2^-53; every
//! operation is off by at most u relative to its result. Step by step:
//!
//! 1. *Counts and weights.* Counts are integers, and weights exact sums. Each is rounded once (u).
//!    The sums of a cell and of the cells above it are rounded by themselves, so no rounded sums
//!    are subtracted.
//! 2. *Precisions.* (t + p) / (t + p + f + n) has sums of positive terms only: 2u above, 4u below,
//!    u for the quotient, 8u in all. So has any ratio of counts or weights.
//! 3. *Sums over cells.* Terms are positive and are added to 106 bits: 2^-104 relative for each of
//!    at most 2^31 cells, 2^-73 in all.
//! 4. *The least average precision.* Up to 32 terms of 8u, added one after the other, are off by
//!    40u relative to their sum. More terms are a logarithm: with b = f + n and x = p / (t + b +
//!    ½), x is off by 4u, ln(1 + x) by 6u (its slope times x is at most its value), b ln(1 + x) by
//!    8u. As it is at most p, p - b ln(1 + x) is off by 9u *p*: not relative to itself, but after
//!    the division by all positives at most 9u. So the margin must be absolute where the value is
//!    small.
//! 5. *Areas under the ROC curve.* Areas of counts are integers, rounded once. Areas of weights are
//!    sums of products, 4u each, over a product: 8u. A part of an area has two more trapezoids, of
//!    differences of two rates: 8u absolute.
//! 6. *Distances*, such as KS: two ratios of at most 1 and their difference, 5u absolute.
//! 7. *Indices with a beta distribution or an exponential* (H, expected profit, BEDROC): the
//!    distribution function is off by at most 1e-12 relative. This is tested at any size
//!    (`tests/special_functions.rs`), not proven. H is 1 minus a ratio of two sums of such values,
//!    so it is off by 2e-12 and a little, and the bound and the value together by less than a
//!    third of m. exp(-αx) is off by αu relative, and a profit is a difference of numbers up to the
//!    greatest cost: hence the parameters.
//! 8. *An index at a point that the ranking chooses* (recall at a precision): rounded numbers are
//!    compared. Rounding never reverses an order, so the worst ranking still chooses no better a
//!    point than the true ranking.
//!
//! All but 7 stay below 64u = 2^-47, a thousandth of m.
//!
//! Step 1 fails where the weight of one class is lost beside the weight of the other class: then
//! there are no bounds.

use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::{Index, Law};
use crate::index::sketched::form::Sketched;
use crate::index::value::Undefined;
use crate::scores::sketch::arrangements::Arrangements;

/// What a sketch knows about a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The value is at least this.
    pub low: f64,
    /// The value is at most this.
    pub high: f64,
    /// The computed value, where it is known; NaN where the index is undefined.
    pub value: Option<f64>,
    /// Why it is undefined, or why there are no bounds.
    pub why: Option<&'static str>,
}

impl Known {
    fn none(why: &'static str) -> Self {
        Self { low: f64::NAN, high: f64::NAN, value: None, why: Some(why) }
    }
}

/// Why a sketch has no sums of losses although its scores may all be probabilities.
const NOT_COUNTED: &str =
    "The losses were not summed: the sketch is not of rows, or a score is above 1.";

const LOST_CLASS: &str =
    "one class weighs next to nothing beside the other, so that rounding has no bound";

/// The margin for rounding: see the head of the file.
const MARGIN: f64 = 1.0 / (1_u64 << 36) as f64;

/// If the weight of one class is a smaller share of the weight of the other, it is lost in
/// rounding.
const LOST: f64 = 1.0 / (1_u64 << 40) as f64;

/// With fewer pairs, different multiples of half a pair differ by at least four units in the last
/// place of 1.
const MOST_PAIRS: f64 = (1_u64 << 49) as f64;

impl Index {
    /// What a sketch knows about an index over all thresholds.
    ///
    /// # Errors
    /// A refusal if the row is not about thresholds.
    pub fn of_sketch(&self, of: &Arrangements, parameters: &Parameters) -> Result<Known> {
        let is_weighted = of.sketch().is_weighted();
        let (positives, negatives) = of.sketch().totals();
        let least = positives.min(negatives);
        let share = least / positives.max(negatives);
        let is_lost = is_weighted && least > 0.0 && (share.is_nan() || share < LOST);
        let is_by_sums =
            !matches!(self.sketched, Sketched::No(_)) && self.probabilities().is_none();
        let bounded = |low: f64, high: f64, value: Option<f64>| {
            if is_lost && is_by_sums {
                return Known { value, ..Known::none(LOST_CLASS) };
            }
            let (least, greatest) = self.range_outwards();
            let given = (0..self.parameters.len()).map(|place| parameters.number(place).abs());
            let size = given.filter(|number| number.is_finite()).fold(1.0, f64::max);
            Known {
                low: (low - MARGIN * low.abs().max(size)).max(least),
                high: (high + MARGIN * high.abs().max(size)).min(greatest),
                value,
                why: None,
            }
        };
        let settled = |number: f64, why: Option<Undefined>| {
            let rounds_once = self.exact().is_some() && !is_weighted;
            if why.is_none() && number.is_finite() && !rounds_once {
                return bounded(number, number, Some(number));
            }
            let why = why.map(Undefined::sentence);
            Known { low: number, high: number, value: Some(number), why }
        };
        if let Some(exact) = of.exact() {
            let value = self.of_scores(exact, parameters)?;
            return Ok(settled(value.number, value.why));
        }
        if is_lost && is_by_sums {
            return Ok(Known::none(LOST_CLASS));
        }
        // Without open cells both bounds are one number. Other bounds may be rounded to one number,
        // and then the value is not certain: with weights, and with so many pairs that different
        // areas and distances need not differ in float64.
        let is_known = match self.sketched {
            Sketched::Totals => true,
            // It depends on the losses and the classes, not on the ranking.
            Sketched::By(_) if !self.laws.contains(&Law::RankOnly) => true,
            _ => !is_weighted && positives * negatives < MOST_PAIRS,
        };
        let found = match self.sketched {
            _ if self.probabilities().is_some() => {
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
                if self.scores().is_none() {
                    self.of_scores(of.tied(), parameters)?; // refuses
                }
                return Ok(Known::none(why));
            }
            Sketched::By(form) => form(of, parameters),
            Sketched::RisesByScore | Sketched::Totals => {
                let Some((lowered, raised)) = of.lowered().zip(of.raised()) else {
                    let why = Undefined::NotProbabilities;
                    return Ok(settled(self.when_undefined, Some(why)));
                };
                let low = self.of_scores(lowered, parameters)?;
                let high = self.of_scores(raised, parameters)?;
                match (low.why, high.why) {
                    (None, None) => Ok((low.number, high.number)),
                    _ => return Ok(settled(low.number, low.why.or(high.why))),
                }
            }
            Sketched::Rises | Sketched::Falls => {
                let worst = self.of_scores(of.worst(), parameters)?;
                let is_one = of.is_one_curve();
                if is_one && (!is_weighted || worst.why.is_some()) {
                    return Ok(settled(worst.number, worst.why));
                }
                let best = self.of_scores(of.best(), parameters)?;
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
            Ok((low, high)) if low == high && is_known => settled(low, None),
            Ok((low, high)) => bounded(low, high, None),
        })
    }
}
