//! Indices derived from a score table, with a cache.
//!
//! Uses [`super::score_table`], `super::blocks`, [`super::isotonic_hull`], [`super::calibration`]
//! and, for the area of weighted rows, [`super::sweep`]. Each file takes the table and the results
//! of other files as arguments; only [`Ranking`] knows all files, and owns the cache. In the order
//! in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `lane_sum` | sums over blocks that keep the rounding errors |
//! | [`concordance`] | pairs of rows by the order of their scores |
//! | [`ks`] | the Kolmogorov–Smirnov distance |
//! | `roc_points` | points of the ROC curve, scaled for products |
//! | `roc_areas` | the area under the ROC curve, and parts of it |
//! | `precision_areas` | areas under functions of precision |
//! | [`average_precision`] | average precision, thresholds with a precision |
//! | [`early_recognition`] | RIE, BEDROC |
//! | `score_means` | means of the scores as probabilities, logarithmic loss, margins |
//! | `break_even` | the top rows, equal error rate |
//! | `h_measure` | losses at the best threshold |
//! | [`fractions`] | areas and distances as fractions |
//! | `threshold_sums` | the sums of the files above, all in one pass over the table |
//! | `ranking` | [`Ranking`]: a table and its cache |
//! | [`average_precision_of_rows`] | average precision and KS of rows, without a table |

pub mod average_precision;
pub mod average_precision_of_rows;
pub mod break_even;
pub mod concordance;
pub mod early_recognition;
pub mod fractions;
pub mod h_measure;
pub mod ks;
pub(crate) mod lane_sum;
pub(crate) mod precision_areas;
#[allow(clippy::module_inception)]
mod ranking;
pub mod roc_areas;
pub(crate) mod roc_points;
pub(crate) mod score_means;
pub(crate) mod threshold_sums;

pub use ranking::Ranking;
pub(crate) use ranking::Walked;
