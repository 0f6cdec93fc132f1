//! Several classes, or several labels a row, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `areas` | areas of each class or label |
//! | `column_tables` | what the next two share |
//! | `score_tables` | scores of several classes |
//! | `label_score_tables` | scores of several labels |
//! | `probability_sums` | losses, top k, hinge, calibration bins |
//! | `listwise` | measures of the labels of each row |
//! | `row_mean` | the mean of a number for each row |
//! | `decision` | the class of least expected cost |

pub(crate) mod areas;
pub(crate) mod column_tables;
pub(crate) mod decision;
pub(crate) mod label_score_tables;
pub(crate) mod listwise;
pub(crate) mod probability_sums;
pub(crate) mod row_mean;
pub(crate) mod score_tables;
