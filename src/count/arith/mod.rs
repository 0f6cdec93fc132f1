//! Arithmetic with guarantees: exact sums, products without cancellation, special functions.
//!
//! Uses `base`. Knows no labels, scores or tables.
//!
//! | file | owns |
//! |---|---|
//! | [`exact`] | sums of weights, exact in any order |
//! | [`fast_sum`] | exact sums of any numbers, for few sums of many terms |
//! | `products` | sums of products without cancellation |
//! | [`number`] | what formulas compute with: `f64`, or one of the next five |
//! | [`nearest`] | numbers with a bound of their error, which round once |
//! | [`fraction`] | fractions, and square roots of fractions |
//! | [`slope`] | numbers with slopes over the cells of a table |
//! | [`bounded`] | intervals, and numbers over a box of tables |
//! | [`traced`] | the last three under one name, so that formulas are compiled once for them |
//! | [`logarithm`], `exponential` | both functions, and sums of logarithms |
//! | `cell_sums` | sums over the cells of a matrix |
//! | `hypergeometric` | mutual information expected by chance, for given margins |
//! | [`weight_kind`] | what weights mean, and their squares |
//! | `count_quantiles` | quantiles of beta distributions of counts, eight at a time |
//! | [`special`] | beta, gamma, normal and chi-squared distributions, extremes of Brownian motions |

pub mod bounded;
pub mod cell_sums;
pub mod count_quantiles;
pub mod exact;
pub mod exponential;
pub mod fast_sum;
pub mod fraction;
pub mod hypergeometric;
pub mod logarithm;
pub mod nearest;
pub mod number;
pub mod products;
pub mod slope;
pub mod special;
pub mod traced;
pub mod weight_kind;
