//! Scores as probabilities: sums over rows, moments, bins, decomposition, recalibration.
//!
//! Uses [`super::score_table`], `super::blocks`, [`super::isotonic_hull`] and, for rows,
//! [`super::sweep`]. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`probability_sums`] | the statistic: exact sums of losses |
//! | `strip` | the losses of a few hundred rows without weights |
//! | [`losses`] | rows in, sums out |
//! | [`moments`] | means over the rows of a table |
//! | [`bins`] | rows of a table in bins, calibration errors |
//! | [`smooth`] | a smooth calibration curve, and its gaps |
//! | [`brier_decomposition`] | the decomposition of the Brier score and the logarithmic loss |
//! | [`recalibration`] | recalibration by logistic regression |

pub mod bins;
pub mod brier_decomposition;
pub mod losses;
pub mod moments;
pub mod probability_sums;
pub mod recalibration;
pub mod smooth;
pub(crate) mod strip;
