//! A difference of two values with its interval and its test.

use crate::arith::special::{
    beta_cdf, chi_squared_upper_tail, normal_quantile, student_t_quantile,
};

/// A difference of two values, and a test of the hypothesis that it is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The difference.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The standard error of the difference.
    pub standard_error: f64,
    /// The difference divided by its standard error.
    pub statistic: f64,
    /// The two-sided p-value.
    pub p_value: f64,
    /// Why there is no interval or no test.
    pub why: Option<&'static str>,
}

const NO_WIDTH: &str = "The variance is 0 although the two differ, as for perfect or constant scores: use a bootstrap or \
                        more rows.";

impl Difference {
    /// A difference with these degrees of freedom, and bounds with the probability `tail` beyond
    /// each.
    pub(crate) fn new(
        estimate: f64,
        variance: f64,
        freedom: Option<f64>,
        tail: f64,
        (lowest, highest): (f64, f64),
        why: Option<&'static str>,
    ) -> Self {
        let standard_error = variance.sqrt();
        let mut found = Self {
            estimate,
            low: f64::NAN,
            high: f64::NAN,
            standard_error,
            statistic: f64::NAN,
            p_value: f64::NAN,
            why,
        };
        if why.is_some() || estimate.is_nan() || standard_error.is_nan() {
            return found;
        }
        if standard_error == 0.0 {
            // The values are equal, or their variance cannot be used.
            found.why = Some(if estimate == 0.0 {
                found.statistic = 0.0;
                found.p_value = 1.0;
                "The two are equal on these rows, and so in every part of them: there is no \
                 variance to make an interval of."
            } else {
                NO_WIDTH
            });
            return found;
        }
        let reach = quantile(tail, freedom) * standard_error;
        let (low, high) = (estimate - reach, estimate + reach);
        if low == high && tail < 0.5 {
            found.why = Some(NO_WIDTH);
            return found;
        }
        (found.low, found.high) = (low.clamp(lowest, highest), high.clamp(lowest, highest));
        found.statistic = estimate / standard_error;
        found.p_value = p_value(found.statistic, freedom);
        found
    }
}

/// The number that is exceeded with probability `tail`: by Student's t or, without degrees of
/// freedom, in the normal distribution.
pub(crate) fn quantile(tail: f64, freedom: Option<f64>) -> f64 {
    freedom.map_or_else(|| normal_quantile(tail), |freedom| student_t_quantile(tail, freedom))
}

/// The probability that a standard normal number is at least as far from 0.
pub fn two_sided(statistic: f64) -> f64 {
    chi_squared_upper_tail(statistic * statistic, 1.0)
}

/// The same by Student's t distribution, if there are degrees of freedom.
pub(crate) fn p_value(statistic: f64, freedom: Option<f64>) -> f64 {
    freedom.map_or_else(
        || two_sided(statistic),
        |freedom| beta_cdf(0.5 * freedom, 0.5, freedom / (freedom + statistic * statistic)),
    )
}
