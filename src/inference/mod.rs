//! Confidence intervals for the indices of the registry.
//!
//! Uses `index` and what is below it.

pub mod influence;
pub mod interval;
pub mod proportion;
