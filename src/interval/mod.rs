//! Intervals of confidence for counts, at any level, and the special functions that they need.

mod special;

pub use special::{
    beta_cdf, beta_quantile, binomial_upper_tail, chi_squared_upper_tail, gamma_upper_tail,
    ln_gamma, normal_cdf, normal_quantile,
};
