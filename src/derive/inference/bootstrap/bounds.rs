//! Intervals from replicates.
//!
//! With q(s) the quantile of the values, interpolated linearly (as in scipy), and e the estimate:
//!
//! 1. percentile: q(α/2) to q(1 − α/2);
//! 2. basic: 2 e − q(1 − α/2) to 2 e − q(α/2);
//! 3. BCa: q(Φ(z0 + (z0 + z) / (1 − a (z0 + z)))) at z = Φ⁻¹(α/2) and at −z. z0 is Φ⁻¹ of the share
//!    of values below the estimate, where equal values count half. The acceleration a is
//!    Σ φ³ / (6 (Σ φ²)^1.5) over the influences φ of the rows;
//! 4. normal: 2 e − m ± z s, with m the mean and s the standard deviation of the values. 2 e − m is e
//!    less the shift of the values.
//!
//! Replicates without a value are left out. Values that are all equal do not show how the index
//! scatters, and give no interval.
//!
//! Sources: Efron, Tibshirani 1993, An introduction to the bootstrap, chapters 13 and 14; Davison,
//! Hinkley 1997, Bootstrap methods and their application, chapter 5.

use crate::arith::special::{normal_cdf, normal_quantile};
use crate::base::memory::Gather;

/// The kind of bootstrap interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// Quantiles of the values.
    Percentile,
    /// The estimate minus the quantiles of the errors.
    Basic,
    /// Quantiles corrected for bias and for a standard error that changes with the value.
    Bca,
    /// A normal distribution around the estimate less the shift of the values.
    Normal,
}

/// The interval that leaves `tails` (below, above) outside, 0.025 each for 95 %, the standard
/// deviation of the values, and how many replicates have no value; NaN where there is no interval.
pub fn interval(
    values: &[f64],
    estimate: f64,
    acceleration: f64,
    bounds: Bounds,
    (below, above): (f64, f64),
) -> ([f64; 3], usize) {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).gather();
    sorted.sort_unstable_by(f64::total_cmp);
    let undefined = values.len() - sorted.len();
    let spread = sorted.last().zip(sorted.first()).map_or(0.0, |(most, least)| most - least);
    let size = sorted.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    // Equal values may differ by rounding.
    if spread <= 8.0 * f64::EPSILON * size || estimate.is_nan() {
        return ([f64::NAN; 3], undefined);
    }
    let at = |share: f64| quantile(&sorted, share);
    let (low, high) = match bounds {
        Bounds::Percentile => (at(below), at(1.0 - above)),
        Bounds::Normal => {
            let middle = 2.0 * estimate - mean(&sorted);
            let error = deviation(&sorted);
            (middle - normal_quantile(below) * error, middle + normal_quantile(above) * error)
        }
        Bounds::Basic => (2.0 * estimate - at(1.0 - above), 2.0 * estimate - at(below)),
        Bounds::Bca => {
            let less = sorted.partition_point(|&value| value < estimate);
            let upto = sorted.partition_point(|&value| value <= estimate);
            let share = (less + upto) as f64 / (2 * sorted.len()) as f64;
            let shift = -normal_quantile(share);
            let moved = |z: f64| {
                let z = shift + z;
                normal_cdf(shift + z / (1.0 - acceleration * z))
            };
            if shift.is_finite() {
                let low = moved(-normal_quantile(below));
                let high = moved(normal_quantile(above));
                (at(low), at(high))
            } else {
                (at(below), at(1.0 - above))
            }
        }
    };
    ([low, high, deviation(&sorted)], undefined)
}

/// The quantile of sorted numbers, interpolated linearly.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len() - 1;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let before = (place.floor() as usize).min(last);
    let (low, high) = (sorted[before], sorted[(before + 1).min(last)]);
    if low == high {
        return low;
    }
    low + (high - low) * (place - before as f64)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation, with one degree of freedom fewer than numbers.
pub(crate) fn deviation(values: &[f64]) -> f64 {
    let number = values.len() as f64;
    if number < 2.0 {
        return f64::NAN;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (number - 1.0)).sqrt()
}
