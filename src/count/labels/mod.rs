//! Labels against labels: codes, counting, the confusion matrix, indicators, positions.
//!
//! Uses `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`codes`] | labels lowered to small codes, chunk by chunk |
//! | `classes` | the codes of a column of known classes |
//! | [`binary`] | labels of two classes lowered to bits |
//! | [`binary_labels`] | the two labels of a statistic of two classes |
//! | [`counting`] | two columns of labels in, a confusion matrix out |
//! | [`indicator`] | indicators of several labels a row counted into 2×2 tables |
//! | [`positions`] | the rows of each cell |
//! | [`cells`] | the cells of a matrix, dense or sparse |
//! | [`confusion`] | the confusion matrix: addition, look-up |
//! | `confusion_bytes` | the bytes of a matrix |
//! | `difference` | subtraction of matrices |
//! | [`from_counts`] | matrices from given counts or weights |
//! | [`rearranged`] | matrices with classes renamed, merged, left out or exchanged |
//! | [`view`] | counts as `f64` with their margins: the form that formulas read |
//! | `surprise` | sums over cells that several formulas share |

pub mod binary;
pub mod binary_labels;
pub mod cells;
pub mod classes;
pub mod codes;
pub mod confusion;
mod confusion_bytes;
pub mod counting;
pub(crate) mod difference;
pub mod from_counts;
pub mod indicator;
pub mod positions;
pub mod rearranged;
pub(crate) mod surprise;
pub mod view;
