//! Confidence intervals for the indices of the registry, models compared on the same rows, and the
//! bootstrap.
//!
//! Uses `index` and the floors below it. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`proportion`] | bounds of a share of trials |
//! | [`interval`] | the options and the result; intervals of counts and matrices |
//! | [`influence`] | how much one more row changes an index of scores |
//! | [`area`] | the area under the ROC curve |
//! | [`scores`] | intervals of indices of scores |
//! | [`widened`] | intervals where only bounds are known |

pub mod adjust;
pub mod area;
pub mod bootstrap;
pub mod delong;
pub mod delta;
pub mod effective;
pub mod influence;
pub mod interval;
pub mod mcnemar;
pub mod paired_areas;
pub mod paired_labels;
pub mod paired_rows;
pub mod proportion;
pub mod scores;
pub mod two_proportions;
pub mod widened;
