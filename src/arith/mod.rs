//! Arithmetic with guarantees: exact sums, products without cancellation, special functions.
//!
//! Uses `base`. Knows no labels, scores or tables.
//!
//! | file | owns |
//! |---|---|
//! | [`exact`] | sums of weights, exact in any order |
//! | [`fast_sum`] | the same, for few sums of many terms |
//! | `products` | sums of products without cancellation |
//! | [`logarithm`], `exponential` | both functions, and sums of logarithms |
//! | `cell_sums` | sums over the cells of a matrix |
//! | `hypergeometric` | mutual information expected by chance, for given margins |
//! | [`special`] | beta, gamma, normal and chi-squared distributions |

pub(crate) mod cell_sums;
pub mod exact;
pub(crate) mod exponential;
pub mod fast_sum;
pub(crate) mod hypergeometric;
pub mod logarithm;
pub(crate) mod products;
pub mod special;
