//! Tests of models that are right or wrong on the same rows: McNemar's test for two models,
//! Cochran's for more.

use crate::arith::special::{binomial_upper_tail, chi_squared_upper_tail};

use crate::inference::proportion::{Alternative, ln_e_value};

/// The kind of McNemar's test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Binomial, with half the probability of the observed numbers: close to the level.
    MidP,
    /// Binomial: at most the level.
    Exact,
    /// Chi-squared.
    ChiSquared,
    /// Chi-squared with Edwards' correction.
    Corrected,
    /// The e-value of shares of 1/2, and 1 over it: holds at all numbers of rows at once.
    Anytime,
}

/// The statistic and the p-value. `first` counts the rows where only the first model is right,
/// `second` the rows where only the second is. The statistic of the binomial tests is the smaller
/// number, that of `Anytime` the e-value.
///
/// Sources: McNemar 1947, doi:10.1007/BF02295996; for mid-p Fagerland, Lydersen, Laake 2013,
/// doi:10.1186/1471-2288-13-91.
///
/// ```
/// use rocksteady_derive::inference::same_rows::mcnemar::{Method, mcnemar};
/// assert_eq!(mcnemar(3.0, 12.0, Method::Exact), (3.0, 0.035_156_25));
/// assert_eq!(mcnemar(3.0, 3.0, Method::MidP), (3.0, 1.0));
/// ```
pub fn mcnemar(first: f64, second: f64, method: Method) -> (f64, f64) {
    let (least, most, all) = (first.min(second), first.max(second), first + second);
    let tail = |least: f64| binomial_upper_tail(least, all, 1.0, 1.0);
    let chi_squared = |distance: f64| {
        let distance = distance.max(0.0);
        let statistic = if all > 0.0 { distance / all * distance } else { 0.0 };
        (statistic, chi_squared_upper_tail(statistic, 1.0))
    };
    match method {
        Method::Exact => (least, (2.0 * tail(most)).min(1.0)),
        // Equal numbers, or no rows: the probability of a result at least as extreme is 1.
        Method::MidP if least == most => (least, 1.0),
        Method::MidP => (least, tail(most) + tail(most + 1.0)),
        Method::ChiSquared => chi_squared(most - least),
        Method::Anytime => {
            let ln_e = ln_e_value(first, second, 0.5, Alternative::TwoSided);
            (ln_e.exp(), (-ln_e).exp().min(1.0))
        }
        Method::Corrected => chi_squared(most - least - 1.0),
    }
}

/// Cochran's Q, its degrees of freedom and its p-value. `right` has the number of rows that each
/// model gets right, `both` the number that each pair gets right: (0, 1), (0, 2), … (1, 2), ….
///
/// Source: Cochran 1950, doi:10.1093/biomet/37.3-4.256.
pub fn cochran(right: &[f64], both: &[f64]) -> (f64, usize, f64) {
    let models = right.len() as f64;
    let freedom = right.len().saturating_sub(1);
    let total: f64 = right.iter().sum();
    // A row that k models get right adds k to the total and k² to the squares.
    let squares = total + 2.0 * both.iter().sum::<f64>();
    let mean = total / models;
    let between: f64 = right.iter().map(|own| (own - mean) * (own - mean)).sum();
    let within = models * total - squares;
    if within <= 0.0 {
        // All models are right on the same rows.
        return (0.0, freedom, 1.0);
    }
    let statistic = models * (models - 1.0) * between / within;
    (statistic, freedom, chi_squared_upper_tail(statistic, freedom as f64))
}
