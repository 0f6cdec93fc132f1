//! Two classes and a score: the score table, and everything derived from it.
//!
//! Uses `labels`, `arith` and `base`. From the bottom up:
//!
//! | part | owns |
//! |---|---|
//! | [`keys`] | scores lowered to integers that keep their order |
//! | `fill_counts` | running totals as counts at every threshold |
//! | [`score_table`] | the statistic: distinct scores with running totals; look-up |
//! | `table_bytes` | the bytes of a table |
//! | [`merge`] | addition and subtraction of tables |
//! | `blocks` | a table in blocks that stay in cache, for sums |
//! | [`isotonic_hull`] | the convex hull of the ROC curve, which is isotonic calibration |
//! | [`sweep`] | the kernels: rows in, table or number out |
//! | [`calibration`] | scores as probabilities: sums, moments, bins, recalibration |
//! | [`ranking`] | indices derived from a table, with a cache: areas, KS, RIE |
//! | [`spill`] | rows beyond memory, in a temporary file |
//! | [`curves`] | one file for each curve |
//! | [`sketch`] | the statistic of bounded size, and its bounds |
//! | [`anchored`] | counts around the scores of a rare class, in two passes |
//! | [`bin_counts`], [`gains`], [`stability`] | bands of scores: gains, profit, stability |

pub mod anchored;
pub mod bin_counts;
pub mod blocks;
pub mod calibration;
pub mod curves;
pub(crate) mod fill_counts;
pub mod gains;
pub mod isotonic_hull;
pub mod keys;
pub mod merge;
pub mod ranking;
pub mod score_table;
pub mod sketch;
pub mod spill;
pub mod stability;
pub mod sweep;
mod table_bytes;
