//! Confidence intervals for the indices of the registry, models compared on the same rows, and the
//! bootstrap.
//!
//! Uses `index` and what is below it.

pub mod adjust;
pub mod bootstrap;
pub mod delta;
pub mod influence;
pub mod interval;
pub mod mcnemar;
pub mod paired_areas;
pub mod paired_labels;
pub mod paired_rows;
pub mod placements;
pub mod proportion;
pub mod two_proportions;
