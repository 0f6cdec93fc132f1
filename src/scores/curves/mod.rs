//! Curves over all thresholds, one file a curve.
//!
//! Uses [`super::score_table`] and [`super::ranking`].

pub mod cost_curve;
pub mod curve;
pub mod curve_points;
pub mod operating_points;
pub mod precision_recall;
pub mod roc;
pub mod simplify;
pub mod vertical_average;
