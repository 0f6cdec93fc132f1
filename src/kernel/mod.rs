//! The tuned loops: columns in, statistic out. Each file opens with its algorithm, its cost and its source, and what was
//! tried and rejected; beside each kernel stands the naive version that it must equal.

pub mod auc;
pub mod binary;
pub mod codes;
pub mod count;
pub mod exact;
pub mod fast_sum;
pub mod keys;
pub mod logarithm;
pub(crate) mod partition;
pub mod proper;
pub mod ranking;
pub mod sweep;
pub(crate) mod wide;
