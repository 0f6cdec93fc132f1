//! Intervals of confidence, comparisons of models and the bootstrap, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `interval` | intervals of counts, words for values |
//! | `scores` | intervals of scores, influence of rows |
//! | `widened` | intervals where only bounds are known |
//! | `row_influence` | the influence of each row |
//! | `covariance` | values on the same rows and how they vary together |
//! | `paired_areas` | areas of several models |
//! | `paired_labels` | tables of pairs of models |
//! | `two_proportions` | two proportions |
//! | `bootstrap` | the bootstrap |

pub(crate) mod bootstrap;
pub(crate) mod covariance;
pub(crate) mod interval;
pub(crate) mod paired_areas;
pub(crate) mod paired_labels;
pub(crate) mod row_influence;
pub(crate) mod scores;
pub(crate) mod two_proportions;
pub(crate) mod widened;
