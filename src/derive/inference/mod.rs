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
//! | [`covariance`] | how values on the same rows vary together: intervals, differences and tests |
//! | [`row_influence`] | the influence of each row on an index |
//! | `paired_rows` | rows that several models score |
//! | `delong` | placements, the terms of DeLong's covariance, which `paired_areas` forms |
//! | `paired_areas` | areas of models on the same rows, with DeLong's variances and covariances |
//! | `paired_labels` | predicted classes of two models on the same rows |
//! | `mcnemar` | McNemar's and Cochran's tests |
//! | `two_proportions` | the difference and the ratio of two proportions |
//! | `adjust` | p-values of several tests |
//! | `bootstrap` | indices of resampled rows |

pub mod adjust;
pub mod area;
pub mod bootstrap;
pub mod covariance;
pub mod delong;
pub mod delta;
pub mod effective;
pub mod gap;
pub mod influence;
pub mod interval;
pub mod mcnemar;
pub mod means;
pub mod net_benefit;
pub mod paired_areas;
pub mod paired_labels;
pub mod paired_rows;
pub mod proportion;
pub mod row_influence;
pub mod scores;
pub mod two_proportions;
pub mod widened;
