//! Confidence intervals for the indices of the registry, models compared on the same rows, and the
//! bootstrap.
//!
//! Uses `index` and the floors below it. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`proportion`] | bounds of a share of trials |
//! | [`interval`] | requests and answers; intervals of counts and matrices |
//! | `delta` | the delta method for counts, matrices and averages |
//! | `effective` | tables of sampling weights |
//! | [`influence`] | how much one row more changes an index of scores |
//! | [`area`] | the area under the ROC curve |
//! | [`gap`] | the Kolmogorov–Smirnov distance |
//! | [`scores`] | intervals of indices of scores |
//! | [`net_benefit`] | net benefit, and the difference of two rules |
//! | [`means`] | means over rows, queries or groups; costs |
//! | [`widened`] | intervals where only bounds are known |
//! | `same_rows` | several models on the same rows: the influence of each row, covariances, tests |
//! | `two_proportions` | the difference and the ratio of two proportions |
//! | `bootstrap` | indices of resampled rows |

pub mod area;
pub mod bootstrap;
pub mod delta;
pub mod effective;
pub mod gap;
pub mod influence;
pub mod interval;
pub mod means;
pub mod net_benefit;
pub mod proportion;
pub mod same_rows;
pub mod scores;
pub mod two_proportions;
pub mod widened;
