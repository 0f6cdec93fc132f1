//! Several classes, or several labels a row: one against the rest, lists, top k, probabilities,
//! decisions.
//!
//! Uses `scores`, `labels`, `arith` and `base`.
//!
//! | concept | files |
//! |---|---|
//! | areas of each class, each pair of classes, each label | [`areas`] |
//! | a table for each of them | [`column_tables`], [`score_tables`], [`label_score_tables`] |
//! | probabilities of several classes | [`losses`], [`probability_sums`] |
//! | how good these are | [`calibration`], [`calibration_error`], [`top_label`] |
//! | scores of several classes | [`top_k`], [`hinge`], [`decision`] |
//! | rows of labels | [`listwise`] |
//! | the mean of what each row has | [`row_mean`] |

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
pub mod row_mean;
pub mod score_tables;
pub mod top_k;
pub mod top_label;
