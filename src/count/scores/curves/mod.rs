//! Curves over all thresholds, one file for each curve.
//!
//! Uses [`super::score_table`], [`super::isotonic_hull`] and [`super::ranking`]. In the order in
//! which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`curve`] | common functions of curves |
//! | [`roc`] | true over false positive rate |
//! | [`precision_recall`] | precision and recall at every threshold |
//! | [`interpolated_precision_recall`] | precision and recall between thresholds |
//! | [`precision_recall_gain`] | precision and recall on the scale of gains |
//! | [`det`] | false positive and false negative rate |
//! | [`threshold_counts`] | the four counts at every threshold |
//! | [`cost`] | the least expected cost over the cost of errors |
//! | [`brier`] | the loss over the cost of errors, for probabilities |
//! | [`decision`] | net benefit over the threshold |
//! | [`simplify`] | a curve with few points and a stated deviation |
//! | [`curve_points`] | the points of a table's curves, simplified |
//! | [`operating_points`] | a few operating points for all curves |
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
