//! The bootstrap: indices of many resamples of the same rows, from one sort.
//!
//! A resample draws as many rows as there are, with replacement. It is never materialised: a kernel
//! reads the rows in the order of their scores, together with how often each row is drawn.
//!
//! | file | owns |
//! |---|---|
//! | `random` | bits from a seed, a purpose and two counters |
//! | `binomial` | binomial and Poisson numbers, draws split over cells |
//! | `draws` | how often each row of a chunk is drawn, in 16 replicates |
//! | `order` | rows from the highest score down, as flags |
//! | `scan` | pairs, precision, losses and the widest gap of 16 replicates |
//! | `cells` | replicates of matrices and of tables with heavy ties |
//! | `replicates` | the kernel that each index is read from, in threads |
//! | `rows` | several models, keys, clusters, weights |
//! | `bounds` | intervals from replicates: percentile, basic, BCa |
//! | `acceleration` | the acceleration of BCa from influences |
//! | `band` | bands around curves |
//!
//! Bits are seeded by the seed, the replicate and the chunk, and kernels add integers. So results
//! have the same bits for any number of threads.

pub mod acceleration;
pub mod band;
pub(crate) mod binomial;
pub mod bounds;
pub(crate) mod cells;
pub(crate) mod draws;
pub(crate) mod order;
pub(crate) mod random;
pub mod replicates;
pub mod rows;
pub(crate) mod scan;

pub use draws::Resample;

#[cfg(test)]
mod tests;
