//! Labels against labels: codes, counting, the confusion matrix, indicators, positions.
//!
//! Uses `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`codes`] | labels lowered to small codes, chunk by chunk |
//! | `classes` | the codes of a column of classes that are known |
//! | [`binary`] | labels of two classes lowered to bits |
//! | [`binary_labels`] | which two labels a statistic of two classes is of |
//! | [`counting`] | two columns of labels in, a confusion matrix out |
//! | [`indicator`] | the same for several labels a row |
//! | [`positions`] | the rows of each cell |
//! | [`cells`] | the cells of a matrix, dense or sparse |
//! | [`confusion`] | the confusion matrix: addition, look-up |
//! | `confusion_bytes` | its bytes |
//! | `difference` | the same without the rows of another |
//! | [`from_counts`] | the same from masses that are counted already |
//! | [`rearranged`] | the same with classes renamed, put together, left out or exchanged |
//! | [`view`] | what formulas read of it: counts as `f64`, with their margins |
//! | `surprise` | sums over its cells that several formulas share |

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
