//! Two classes and a score, for Python.

pub(crate) mod anchored;
pub(crate) mod areas_of_rows;
pub(crate) mod calibration;
pub(crate) mod curves;
pub(crate) mod curves_of_rows;
pub(crate) mod cut;
pub(crate) mod gains;
pub(crate) mod probability_sums;
pub(crate) mod score_sketch;
pub(crate) mod score_table;
pub(crate) mod signed;
pub(crate) mod spill;
pub(crate) mod stability;
pub(crate) mod thresholds;
