//! Rows beyond memory: they spill by ranges of keys into a temporary file, and each range is swept
//! alone, from the highest scores to the lowest.
//!
//! Uses [`super::sweep`], [`super::isotonic_hull`] and [`super::ranking`], whose kernels and sums are those
//! of a table in memory. So all results have the same bits. From the bottom up:
//!
//! | file | owns |
//! |---|---|
//! | `ranges` | rows scattered by ranges of keys, written and read |
//! | `leaves` | ranges cut again until each fits in memory |
//! | `pieces` | ranges as pieces of one score table |
//! | `vertices` | the hull of the ROC curve while pieces go by |
//! | [`collector`] | [`SpillingCollector`]: batches of rows within a given memory |
//! | [`view`] | [`SpilledScores`]: what is known of all rows |

pub mod collector;
pub(crate) mod leaves;
pub(crate) mod pieces;
pub(crate) mod ranges;
pub(crate) mod vertices;
pub mod view;

pub use collector::SpillingCollector;
pub use view::SpilledScores;
