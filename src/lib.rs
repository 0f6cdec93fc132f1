//! Classification metrics for millions of predictions.
//!
//! > Count once, derive everything. Exact, or within proven bounds. The same bits, however the data
//! > were split.
//!
//! The map of the house, in the order in which data flow:
//!
//! | folder | owns |
//! |---|---|
//! | [`base`] | columns, matrices, labels, scores and weights as they arrive; errors, threads, instruction sets, bytes |
//! | [`arith`] | exact sums, products, logarithms, special functions |
//! | [`labels`] | labels against labels: codes, counting, the confusion matrix |
//! | [`row_keys`] | the keys of groups, and the group of each row |
//! | [`scores`] | two classes and a score: the score table and everything derived from it |
//! | [`classes`] | several classes, or several labels a row |
//! | [`costs`] | costs that differ by row |
//! | [`comparison`] | indices against each other |
//! | [`index`] | the registry: one row per index, pure formulas over statistics |
//! | [`groups`] | statistics by group |
//! | [`inference`] | intervals of confidence |
//! | `py` | the only folder that names pyo3 or numpy |
//!
//! It is two crates, which are compiled side by side: `src/count` has the folders up to
//! [`queries`], and `src/derive` the others.
//!
//! ```
//! use rocksteady::base::column::Column;
//! use rocksteady::index::{self, Parameters};
//! use rocksteady::base::input::{Labels, Scores};
//! use rocksteady::labels::counting::count::{CountOptions, confusion};
//! use rocksteady::scores::sweep::rows::SweepOptions;
//! use rocksteady::scores::sweep::all_thresholds::score_table;
//! use rocksteady::scores::ranking::Ranking;
//!
//! # fn main() -> rocksteady::base::error::Result<()> {
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
//! let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
//! assert_eq!(Ranking::from(table).roc_auc(), Some(5.5 / 6.0));
//! # Ok(())
//! # }
//! ```

pub use rocksteady_derive::{
    arith, base, bounds, classes, comparison, costs, fairness, groups, index, inference, labels,
    queries, row_keys, scores, statistic,
};
