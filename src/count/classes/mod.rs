//! Several classes, or several labels a row: one against the rest, lists, top k, probabilities,
//! decisions.
//!
//! Uses `scores`, `labels`, `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`areas`] | areas of each class, each pair of classes, each label |
//! | [`column_tables`] | score tables of several columns: the common part of the next two |
//! | [`score_tables`] | score tables of several classes |
//! | [`label_score_tables`] | score tables of several labels |
//! | [`losses`] | probabilities of several classes: logarithmic loss and Brier score |
//! | [`probability_sums`] | exact sums of these losses |
//! | [`calibration`] | rows counted in bins by probability |
//! | [`calibration_error`] | calibration errors from rows |
//! | [`top_label`] | the most probable class of each row |
//! | [`top_k`] | top-k accuracy |
//! | [`hinge`] | hinge loss |
//! | [`ranked_probability`] | ranked probability score of ordered classes |
//! | [`decision`] | the class of least expected cost |
//! | [`listwise`] | rows of labels: coverage, ranking loss, NDCG |
//! | [`row_mean`] | the mean of a number for each row |

pub mod areas;
pub mod calibration;
pub mod calibration_error;
pub mod column_tables;
pub mod decision;
pub mod hinge;
pub mod label_score_tables;
pub mod listwise;
pub mod losses;
pub mod probability_sums;
pub mod ranked_probability;
pub mod row_mean;
pub mod score_tables;
pub mod top_k;
pub mod top_label;
