//! The tuned loops: columns in, statistic out. Each file opens with its algorithm, its cost and its source, and what was
//! tried and rejected; beside each kernel stands the naive version that it must equal.
//!
//! | concept | files |
//! |---|---|
//! | counting | [`count`], over the codes of [`codes`] |
//! | ranking | [`auc`] and [`sweep`], over the rows of [`ranking`]: classes from [`binary`], order keys from [`keys`], in the buckets of `partition`; few rows by `few` |
//! | many columns | [`one_vs_rest`]: areas of each class, each pair of classes, each label |
//! | rows of labels | [`listwise`]: how each row orders its own labels |
//! | probabilities | [`proper`], with the [`logarithm`] |
//! | weights | [`exact`] sums; [`fast_sum`] where few sums take many terms |
//! | formulas | `products`: sums of products without cancellation |
//! | instruction sets | `wide` |

pub mod auc;
pub mod binary;
#[allow(dead_code)] // Part of it is for probabilities.
pub(crate) mod classes;
pub mod codes;
pub mod count;
pub mod exact;
pub mod fast_sum;
pub(crate) mod few;
pub mod keys;
pub mod listwise;
pub mod logarithm;
pub mod one_vs_rest;
pub(crate) mod partition;
pub(crate) mod products;
pub mod proper;
pub mod ranking;
pub mod sweep;
pub(crate) mod wide;
