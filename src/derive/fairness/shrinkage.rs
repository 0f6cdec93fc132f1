//! Values of small groups, drawn towards the mean of all groups.
//!
//! The value of a small group scatters more than the groups themselves differ, so extreme groups
//! are mostly small ones. A shrunken value is the expected true value of the group, if the true
//! values of groups follow one distribution whose moments are fitted to all groups.
//!
//! - Shares: a beta distribution of the true shares. With x successes in n rows, the mean m and the
//!   correlation r of rows within a group, it is `(x + m s) / (n + s)` with `s = (1 - r) / r`.
//! - Any other value v, on a scale where it is nearly normal with a known error e:
//!   `(v t² + m e²) / (t² + e²)`, where t² is the variance of the true values.
//!
//! Where groups scatter no more than chance, r or t² is 0, and every group is drawn to the mean.
//!
//! Sources: Kleinman 1973, Journal of the American Statistical Association 68, 46-54 (moments of
//! the beta-binomial, weighted by rows); `DerSimonian`, Laird 1986,
//! doi:10.1016/0197-2456(86)90046-2.

use crate::base::memory::Gather;

/// The shrunken shares of groups with so many successes and failures; NaN for a group without rows.
///
/// ```
/// use rocksteady_derive::fairness::shrinkage::of_shares;
/// // Two large groups apart, and a row of a third: it says next to nothing.
/// let found = of_shares(&[[900.0, 100.0], [500.0, 500.0], [0.0, 1.0]]);
/// assert!((found[0] - 0.9).abs() < 0.01 && found[2] > 0.4);
/// // Alike but for chance: all are the mean.
/// assert_eq!(of_shares(&[[5.0, 5.0], [4.0, 6.0]]), [0.45, 0.45]);
/// ```
pub fn of_shares(trials: &[[f64; 2]]) -> Vec<f64> {
    let rows = |[x, y]: [f64; 2]| x + y;
    let used = || {
        (trials.iter().copied())
            .filter(|&group| rows(group) > 0.0)
            .map(|group| (group[0], rows(group)))
    };
    let groups = used().count() as f64;
    let all: f64 = used().map(|(_, n)| n).sum();
    let mean = used().map(|(x, _)| x).sum::<f64>() / all;
    let squares: f64 = used().map(|(_, n)| n * n).sum();
    let scatter: f64 = used().map(|(x, n)| n * (x / n - mean) * (x / n - mean)).sum();
    // The expected scatter is m (1 - m) ((1 - r) (groups - 1) + r (all - squares / all)).
    let excess = scatter / (mean * (1.0 - mean)) - (groups - 1.0);
    let within = all - squares / all - (groups - 1.0);
    // One row in each group does not show the correlation within groups.
    let correlation = if within > 0.0 { excess / within } else { 0.0 };
    let drawn = |[x, y]: [f64; 2]| {
        let n = x + y;
        if n <= 0.0 {
            f64::NAN
        } else if correlation >= 1.0 {
            x / n
        } else if correlation > 0.0 {
            let strength = (1.0 - correlation) / correlation;
            (x + mean * strength) / (n + strength)
        } else {
            mean
        }
    };
    trials.iter().copied().map(drawn).gather()
}

/// The shrunken values of groups with these values and standard errors; NaN where there is none.
///
/// ```
/// use rocksteady_derive::fairness::shrinkage::of_values;
/// let found = of_values(&[[0.0, 0.1], [1.0, 0.1], [3.0, 2.0]]);
/// assert!(found[0] < 0.1 && found[2] < 1.5);
/// ```
pub fn of_values(values: &[[f64; 2]]) -> Vec<f64> {
    let used = || (values.iter().copied()).filter(|[value, error]| !value.is_nan() && *error > 0.0);
    let mean_by = |weight: &dyn Fn(f64) -> f64| {
        let total: f64 = used().map(|[_, error]| weight(error)).sum();
        used().map(|[value, error]| weight(error) * value).sum::<f64>() / total
    };
    let precision = |error: f64| 1.0 / (error * error);
    let groups = used().count() as f64;
    let fixed = mean_by(&precision);
    let sum: f64 = used().map(|[_, error]| precision(error)).sum();
    let squares: f64 = used().map(|[_, error]| precision(error).powi(2)).sum();
    let scatter: f64 =
        used().map(|[value, error]| precision(error) * (value - fixed).powi(2)).sum();
    let variance = ((scatter - (groups - 1.0)) / (sum - squares / sum)).max(0.0);
    let variance = if variance.is_finite() { variance } else { 0.0 };
    let mean = mean_by(&|error| 1.0 / (variance + error * error));
    let drawn = |[value, error]: [f64; 2]| {
        let square = error * error;
        (value * variance + mean * square) / (variance + square)
    };
    values.iter().copied().map(drawn).gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::bootstrap::binomial::binomial;
    use crate::inference::bootstrap::random::{Purpose, stream};

    #[test]
    fn shrunken_shares_are_nearer_to_the_truth_than_raw_ones() {
        let mut random = stream(7, Purpose::Cells, 0, 0);
        let (mut raw, mut drawn) = (0.0, 0.0);
        let truth: Vec<f64> = (0..2000).map(|_| 0.7 + 0.2 * random.unit()).gather();
        let trials: Vec<[f64; 2]> = truth
            .iter()
            .map(|&share| {
                let x = binomial(&mut random, 40, share) as f64;
                [x, 40.0 - x]
            })
            .gather();
        for ((share, [x, _]), own) in truth.iter().zip(&trials).zip(of_shares(&trials)) {
            raw += (x / 40.0 - share).powi(2);
            drawn += (own - share).powi(2);
        }
        // The true variance is .2² / 12; raw values add about .8 .2 / 40.
        assert!(drawn < 0.6 * raw, "{drawn} {raw}");
    }

    #[test]
    fn degenerate_groups() {
        assert!(of_shares(&[[0.0, 0.0]])[0].is_nan());
        assert_eq!(of_shares(&[[3.0, 1.0]]), [0.75]);
        assert_eq!(of_shares(&[[1.0, 0.0], [0.0, 1.0]]), [0.5, 0.5]);
        assert_eq!(of_shares(&[[4.0, 0.0], [2.0, 0.0]]), [1.0, 1.0]);
        assert_eq!(of_values(&[[0.25, 0.5]]), [0.25]);
        assert!(of_values(&[[0.25, 0.5], [f64::NAN, f64::NAN]])[1].is_nan());
    }
}
