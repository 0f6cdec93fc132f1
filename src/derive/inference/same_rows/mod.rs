//! Several models on the same rows, whose values rise and fall together.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`difference`] | the difference of two values, with its interval and its test |
//! | [`row_influence`] | the influence of each row on an index |
//! | [`covariance`] | how values on the same rows vary together: intervals, differences and tests |
//! | `paired_rows` | rows that several models score |
//! | `delong` | placements, the terms of DeLong's covariance, which `paired_areas` forms |
//! | `paired_areas` | areas of models on the same rows, with DeLong's variances and covariances |
//! | `paired_labels` | predicted classes of two models on the same rows |
//! | `mcnemar` | McNemar's and Cochran's tests |
//! | `adjust` | p-values of several tests |

pub mod adjust;
pub mod covariance;
pub mod delong;
pub mod difference;
pub mod mcnemar;
pub mod paired_areas;
pub mod paired_labels;
pub mod paired_rows;
pub mod row_influence;
