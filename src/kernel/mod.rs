//! The tuned loops: columns in, statistic out. Each file opens with its algorithm, its cost and its source, and what was
//! tried and rejected; beside each kernel stands the naive version that it must equal.

pub mod codes;
pub mod count;
pub mod auc;
pub mod binary;
pub mod exact;
pub mod fast_sum;
pub mod logarithm;
pub mod proper;
pub mod keys;
pub(crate) mod partition;
pub mod ranking;
pub(crate) mod wide;
