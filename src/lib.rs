//! Classification metrics for millions of predictions.
//!
//! > Count once, derive everything. Exact, or with a proven interval. The same bits, however the data were split.
//!
//! The map of the house, in the order in which data flow:
//!
//! | module | owns | must not know |
//! |---|---|---|
//! | [`mod@column`] | borrowed columns of numbers in any layout, read in cache-sized chunks | what the numbers mean |
//! | [`mod@matrix`] | the same for rows of several numbers | what the numbers mean |
//! | [`input`] | label, score and weight columns as they arrive, matrices of scores; label sets | how they are counted |
//! | [`kernel`] | the tuned loops: columns in, statistic out | Python, formulas |
//! | [`stat`] | the statistics: invariants, merging, bytes | where the data came from |
//! | [`index`] | the registry: one row per index, pure formulas over statistics | loops over data |
//! | [`interval`] | special functions; intervals of confidence and tails of probability | where the counts came from |
//! | [`error`] | every way an input is refused, with the numbers inside | |
//! | [`threads`] | how many threads a kernel may use | |
//! | `py` | the only module that names pyo3 or numpy | |
//!
//! ```
//! use rocksteady::column::Column;
//! use rocksteady::index::{self, Parameters};
//! use rocksteady::input::{Labels, Scores};
//! use rocksteady::kernel::count::{CountOptions, confusion};
//! use rocksteady::kernel::ranking::RankOptions;
//! use rocksteady::kernel::sweep::score_table;
//!
//! # fn main() -> rocksteady::error::Result<()> {
//! let (actual, predicted) = ([0_i64, 1, 1, 0, 1], [0_u8, 1, 0, 0, 1]);
//! let y_true = Labels::I64(Column::from_slice(&actual));
//! let y_pred = Labels::U8(Column::from_slice(&predicted));
//! let matrix = confusion(&y_true, &y_pred, None, &CountOptions::default())?;
//! let accuracy = index::find("accuracy")?;
//! let value = accuracy.of_matrix(&matrix.view(), &Parameters::defaults(accuracy))?;
//! assert_eq!(value.number, 0.8);
//!
//! let scores = [0.1, 0.9, 0.4, 0.4, 0.7];
//! let y_score = Scores::F64(Column::from_slice(&scores));
//! let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
//! assert_eq!(table.roc_auc(), Some(5.5 / 6.0));
//! # Ok(())
//! # }
//! ```

pub mod column;
pub mod error;
pub mod index;
pub mod input;
pub mod interval;
pub mod kernel;
pub mod matrix;
pub mod stat;
pub mod threads;

#[cfg(feature = "python")]
mod py;
