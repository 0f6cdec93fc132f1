//! The kernels of scores: rows in, a score table or a number out.
//!
//! Uses [`super::keys`] and [`super::score_table`]. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`rows`] | labels, scores and weights as chunks of classes and keys |
//! | `partition` | rows scattered into buckets of ascending score |
//! | `rank_sum` | the Mann–Whitney statistic |
//! | `presorted` | the rank sum of rows already in order |
//! | `distinct` | rows per distinct score, if there are few |
//! | `sort` | the sort of few rows, and of the rows of a bucket |
//! | [`auc`] | the area under the ROC curve without sorting |
//! | [`weighted_auc`] | the area under the ROC curve of weighted rows |
//! | [`concordance`] | pairs of rows by the order of amounts and scores |
//! | `steps` | the memory of a score table's steps |
//! | [`all_thresholds`] | the score table |
//! | [`signed`] | curves of weights of either sign |
//! | [`given_thresholds`] | counts at given thresholds, without sorting |
//! | [`counted_scores`] | the score table of scores with given counts |
//! | [`pooled`] | the score table of the rows of many tables |
//! | [`collector`] | a score table from chunks of rows |

pub mod all_thresholds;
pub mod auc;
pub mod collector;
pub mod concordance;
pub mod counted_scores;
pub(crate) mod distinct;
pub mod given_thresholds;
pub mod partition;
pub mod pooled;
pub(crate) mod presorted;
pub mod rank_sum;
pub mod rows;
pub mod signed;
pub(crate) mod sort;
pub(crate) mod steps;
pub mod weighted_auc;
