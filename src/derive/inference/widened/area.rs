//! The interval of an area under the ROC curve that is known within bounds.
//!
//! The area lies between two bounds. Its standard error by DeLong is a norm of the placements minus
//! their mean, and lies between two bounds, too.
//!
//! 1. *The standard error.* In an open cell the placement of a positive is known up to the share of
//!    the negatives in this cell. If all rows of the cell were tied, the placement would be in the
//!    middle, so it is off by at most half of this share; likewise the placements of the negatives.
//!    By the triangle inequality the standard error is off by at most
//!    `sqrt(Σ p (q / 2n)² / (m (m - 1)) + Σ q (p / 2m)² / (n (n - 1)))`, over the open cells with p
//!    of m positives and q of n negatives.
//! 2. *Newcombe's and the blended interval.* The lower end is the least t with t + z sqrt(r W(t)) ≥
//!    A. W is the product of two concave functions, so its root is concave, and the two sides are
//!    equal at this t only. t rises with A and falls with r. r rises with ρ, except at ρ = 0, where
//!    r is 1.
//! 3. *The others* are bounded term by term.

use crate::index::spread::Method;
use crate::index::value::{Outcome, Undefined};
use crate::inference::area::{Area, delong_variance};
use crate::inference::widened::ends::{Ends, MARGIN, products};
use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::cells::MIXED;

/// Margins for the rounding of a standard error: relative and absolute.
const ROUNDING: (f64, f64) = (1e-9, 1e-15);

/// An area within bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Areas {
    pub(super) low: f64,
    pub(super) high: f64,
    /// The positives and the negatives.
    pub(super) sizes: (f64, f64),
    /// The least and the greatest standard error by DeLong; `None` where a class has one row only.
    errors: Option<[f64; 2]>,
}

/// The least and the greatest standard error by DeLong; `None` where a class has one row only.
fn errors(of: &Arrangements) -> Option<[f64; 2]> {
    let tied = of.tied();
    let middle = delong_variance(tied)?.sqrt();
    let table = tied.finite();
    let (m, n) = table.totals();
    let mut sums = [0.0; 2];
    for (at, &atom) in of.sketch().cells.atoms.iter().enumerate() {
        if atom == MIXED {
            let (p, q) = table.masses_between(at, at + 1);
            let (of_positives, of_negatives) = (0.5 * q / n, 0.5 * p / m);
            sums[0] += p / m * of_positives * of_positives;
            sums[1] += q / n * of_negatives * of_negatives;
        }
    }
    let away = (sums[0] / (m - 1.0) + sums[1] / (n - 1.0)).sqrt();
    let (relative, absolute) = ROUNDING;
    let least = (middle - away) * (1.0 - relative) - absolute;
    Some([least.max(0.0), (middle + away) * (1.0 + relative) + absolute])
}

impl Areas {
    /// The area of a sketch, between two bounds.
    pub(super) fn of(of: &Arrangements, (low, high): (f64, f64)) -> Self {
        Self { low, high, sizes: of.tied().finite().totals(), errors: errors(of) }
    }

    fn at(&self, value: f64) -> Area {
        Area { value, sizes: self.sizes, delong: None }
    }

    pub(super) fn ends(&self, method: Method, z: f64) -> Outcome<(Ends, bool)> {
        let delong = || self.errors.ok_or(Undefined::OneRowOfAClass);
        let around = |errors: [f64; 2]| {
            let ends = errors.iter().fold(Ends::NONE, |ends, error| {
                let ends = ends.or([self.low - z * error, self.high + z * error]);
                Ends { low: ends.low.max(0.0), high: ends.high.min(1.0) }
            });
            (ends, errors[0] > 0.0)
        };
        let (m, n) = self.sizes;
        match method {
            Method::DeLong => Ok(around(delong()?)),
            Method::HanleyMcNeil => {
                let more = (m - 1.0).max(0.0) * (1.0 - self.low) / (2.0 - self.low)
                    + (n - 1.0).max(0.0) * self.high / (1.0 + self.high);
                let greatest = products([self.low, self.high])[1] / m * ((1.0 + more) / n);
                let ends = around([0.0, greatest.sqrt() * (1.0 + ROUNDING.0)]).0;
                let is_inside = self.low > 0.0 && self.high < 1.0;
                Ok((ends, is_inside && m >= 1.0 && n >= 1.0))
            }
            Method::Logit => Ok(Ends::of_logits([self.low, self.high], delong()?, z)),
            Method::Newcombe => Ok((self.scored(z, [1.0; 2]), true)),
            _ => {
                let [least, greatest] = self.errors.unwrap_or([0.0; 2]);
                // Newcombe's variance is symmetric, and greatest in the middle.
                let variances =
                    [self.at(self.low), self.at(self.high)].map(|at| at.newcombe(at.value));
                let most = if self.low <= 0.5 && 0.5 <= self.high {
                    self.at(0.5).newcombe(0.5)
                } else {
                    variances[0].max(variances[1])
                };
                let fewest = variances[0].min(variances[1]);
                let mut factors = [
                    self.at(self.low).factor_of(least * least / most),
                    self.at(self.high).factor_of(greatest * greatest / fewest),
                ];
                if least <= 0.0 || fewest <= 0.0 {
                    factors = [factors[0].min(1.0), factors[1].max(1.0)];
                }
                if fewest <= 0.0 {
                    factors[1] = f64::INFINITY;
                }
                let [small, large] = factors;
                let factors = [small * (1.0 - ROUNDING.0), large * (1.0 + ROUNDING.0)];
                Ok((self.scored(z, factors), true))
            }
        }
    }

    /// The ends of all t with |A - t| ≤ z sqrt(r W(t)), for r between two factors.
    fn scored(&self, z: f64, factors: [f64; 2]) -> Ends {
        let ends = factors.iter().fold(Ends::NONE, |ends, &factor| {
            if factor.is_infinite() {
                return Ends { low: 0.0, high: 1.0 };
            }
            ends.or([
                self.at(self.low).where_score_is(z, factor),
                self.at(self.high).where_score_is(-z, factor),
            ])
        });
        Ends { low: (ends.low - MARGIN).max(0.0), high: (ends.high + MARGIN).min(1.0) }
    }
}
