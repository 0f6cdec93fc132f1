//! Several classes, or several labels a row, for Python.

pub(crate) mod areas;
pub(crate) mod column_tables;
pub(crate) mod decision;
pub(crate) mod label_score_tables;
pub(crate) mod listwise;
pub(crate) mod probability_sums;
pub(crate) mod row_mean;
pub(crate) mod score_tables;
