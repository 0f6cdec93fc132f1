//! Arithmetic that keeps its promises: exact sums, products without cancellation, special functions.
//!
//! Uses `base`. Knows no labels, no scores and no tables.
//!
//! | file | owns |
//! |---|---|
//! | [`exact`] | sums of weights, exact in any order |
//! | [`fast_sum`] | the same where few sums take many terms |
//! | `products` | sums of products without cancellation |
//! | [`logarithm`], `exponential` | both, and sums of logarithms |
//! | `cell_sums` | sums over the cells of a matrix |
//! | `hypergeometric` | what chance expects of a matrix with given margins |
//! | [`special`] | beta, gamma, normal and chi-squared distributions |

pub(crate) mod cell_sums;
pub mod exact;
pub(crate) mod exponential;
pub mod fast_sum;
pub(crate) mod hypergeometric;
pub mod logarithm;
pub(crate) mod products;
pub mod special;
