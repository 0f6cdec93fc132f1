//! The tuned loops: columns in, statistic out. Each file opens with its algorithm, its cost and its source, and what was
//! tried and rejected; beside each kernel stands the naive version that it must equal.
//!
//! | concept | files |
//! |---|---|
//! | counting | [`count`], over the codes of [`codes`]; [`indicator`] for several labels a row; [`positions`] of the rows |
//! | ranking | [`auc`] and [`sweep`], over the rows of [`ranking`]: classes from [`binary`], order keys from [`keys`], in the buckets of `partition`; few rows by `few` |
//! | probabilities | [`proper`], with the [`logarithm`]; of several classes [`class_probability`], over the codes of `classes`; [`calibration`], [`calibration_error`] in bins, [`top_label`] |
//! | fixed thresholds | [`thresholds`]: the counts at them, without sorting |
//! | two columns of scores | [`stability`]: how many of each are in every bin |
//! | scores of several classes | [`top_k`], [`hinge`]; [`decision`]: the class of least risk |
//! | many columns | [`one_vs_rest`]: areas of each class, each pair of classes, each label |
//! | rows of labels | [`listwise`]: how each row orders its own labels |
//! | curves | [`simplify`]: few points with a stated deviation |
//! | weights | [`exact`] sums; [`fast_sum`] where few sums take many terms |
//! | indices against each other | [`consistency`], also over everything that can happen: [`enumeration`] |
//! | formulas | `products`: sums of products without cancellation; `logarithm`: sums of logarithms; `exponential`; `cell_sums`: over the cells of a matrix; `hypergeometric`: what chance expects |
//! | instruction sets | `wide` |

pub mod auc;
pub mod binary;
pub mod calibration;
pub mod calibration_error;
pub(crate) mod cell_sums;
pub mod class_probability;
pub(crate) mod classes;
pub mod codes;
pub mod consistency;
pub mod count;
pub mod decision;
pub mod enumeration;
pub mod exact;
pub(crate) mod exponential;
pub mod fast_sum;
pub(crate) mod few;
pub mod hinge;
pub(crate) mod hypergeometric;
pub mod indicator;
pub mod keys;
pub mod listwise;
pub mod logarithm;
pub mod one_vs_rest;
pub(crate) mod partition;
pub mod positions;
pub(crate) mod products;
pub mod proper;
pub mod ranking;
pub mod simplify;
pub mod stability;
pub mod sweep;
pub mod thresholds;
pub mod top_k;
pub mod top_label;
pub(crate) mod wide;
