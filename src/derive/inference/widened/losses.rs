//! The standard error of a mean loss, and of indices that follow from it, within bounds.
//!
//! The sketch has the exact sum of the losses and the cell of each row. So the loss of each row
//! lies between two numbers. The standard error is a norm of the losses minus their mean. By the
//! triangle inequality it differs from the standard error with all losses in the middle of their
//! ranges by at most the norm of half the widths.

use crate::base::dtype::{Number, f64_of};
use crate::index::spread::Base;
use crate::inference::scores::error_of_mean;
use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::cells::MIXED;

/// The margin for rounding, relative to a standard error.
const ROUNDING: f64 = 1e-9;

/// The least and the greatest standard error of an index that has these slopes over the mean loss
/// and over the prevalence. All scores are probabilities.
pub(super) fn errors(of: &Arrangements, base: Base, [own, share]: [f64; 2]) -> [f64; 2] {
    let sketch = of.sketch();
    let table = of.tied().finite();
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    let epsilon = sketch.kind.unwrap_or(f64::KIND).epsilon();
    // Calls with the weight, the middle and half the width of each cell and class.
    let each = |call: &mut dyn FnMut(f64, f64, f64)| {
        for (at, (&number, &atom)) in
            sketch.cells.numbers.iter().zip(&sketch.cells.atoms).enumerate()
        {
            let ends = if atom == MIXED {
                [sketch.grid.least(number), sketch.grid.greatest(number)]
            } else {
                [atom; 2]
            };
            let ends = ends.map(|key| f64_of(key).clamp(0.0, 1.0));
            let (p, q) = table.masses_between(at, at + 1);
            let [one, other] = ends.map(|score| base.losses(score, epsilon));
            for (class, (amount, more)) in [(p, share), (q, 0.0)].into_iter().enumerate() {
                if amount > 0.0 {
                    let [one, other] = [one[class], other[class]];
                    let middle = own * f64::midpoint(one, other) + more;
                    call(amount, middle, (own * (one - other)).abs() / 2.0);
                }
            }
        }
    };
    let mut mean = 0.0;
    each(&mut |weight, middle, _| mean += weight / all * middle);
    let (mut spread, mut away) = (0.0, 0.0);
    each(&mut |weight, middle, half| {
        spread += weight * (middle - mean) * (middle - mean);
        away += weight * half * half;
    });
    let [middle, away] = [spread, away].map(|sum| error_of_mean(sum / all / all, all));
    [((middle - away) * (1.0 - ROUNDING)).max(0.0), (middle + away) * (1.0 + ROUNDING)]
}
