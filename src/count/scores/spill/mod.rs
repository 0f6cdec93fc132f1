//! Rows beyond memory: they spill by ranges of keys into a temporary file, and each range is swept
//! separately, from the highest scores to the lowest.
//!
//! Uses [`super::sweep`], [`super::isotonic_hull`] and [`super::ranking`], with the same kernels
//! and sums as a table in memory. So all results have the same bits. In the order in which data
//! flow:
//!
//! | file | owns |
//! |---|---|
//! | `ranges` | rows scattered by ranges of keys, written and read |
//! | `leaves` | ranges cut again until each fits in memory |
//! | `pieces` | ranges as pieces of one score table |
//! | `vertices` | the hull of the ROC curve, piece by piece |
//! | [`collector`] | [`SpillingCollector`]: batches of rows within a given amount of memory |
//! | [`view`] | [`SpilledScores`]: the view of all rows |

pub mod collector;
pub(crate) mod leaves;
pub(crate) mod pieces;
pub(crate) mod ranges;
pub(crate) mod vertices;
pub mod view;

pub use collector::SpillingCollector;
pub use view::SpilledScores;
