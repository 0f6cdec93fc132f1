//! Two classes and a score: the score table, and everything derived from it.
//!
//! Uses `labels`, `arith` and `base`. In the order in which data flow:
//!
//! | part | owns |
//! |---|---|
//! | [`keys`] | scores lowered to integers that keep their order |
//! | [`score_table`] | the statistic: distinct scores with running totals; addition, look-up, bytes |
//! | [`rank`] | the kernels: rows in, table or number out |
//! | [`ranking`] | what is derived of a table, and remembered: areas, KS, early recognition, hull |
//! | [`curves`] | one file a curve |
//! | [`calibration`] | scores as probabilities: sums, bins, fits |
//! | [`gains`], [`stability`], [`bin_counts`] | bands of scores: gains, profit, how far two distributions are apart |

pub mod bin_counts;
pub mod calibration;
pub mod curves;
pub mod gains;
pub mod keys;
pub mod rank;
pub mod ranking;
pub mod score_table;
pub mod stability;
