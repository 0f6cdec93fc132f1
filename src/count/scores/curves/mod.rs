//! Curves over all thresholds, one file a curve.
//!
//! Uses [`super::score_table`], [`super::isotonic_hull`] and [`super::ranking`].
//!
//! | file | owns |
//! |---|---|
//! | [`curve`] | what several curves share |
//! | [`roc`] | true over false positive rate |
//! | [`precision_recall`] | precision and recall at every threshold |
//! | [`interpolated_precision_recall`] | the same between thresholds |
//! | [`precision_recall_gain`] | the same on the scale of gains |
//! | [`det`] | false positive and false negative rate |
//! | [`threshold_counts`] | the four counts at every threshold |
//! | [`cost`], [`brier`], [`decision`] | what errors cost |
//! | [`simplify`], [`curve_points`], [`operating_points`] | a curve with few points |
//! | [`vertical_average`] | the mean of several curves |
//! | `naive` | counting by definition, for tests |

pub mod brier;
pub mod cost;
pub mod curve;
pub mod curve_points;
pub mod decision;
pub mod det;
pub mod interpolated_precision_recall;
#[cfg(test)]
mod naive;
pub mod operating_points;
pub mod precision_recall;
pub mod precision_recall_gain;
pub mod roc;
pub mod simplify;
pub mod threshold_counts;
pub mod vertical_average;
