//! The bounded state of a ranking: a limited number of cells of scores.
//!
//! A [`ScoreSketch`] holds any number of rows in fixed memory. It depends only on the rows, not on
//! their order or split, and it bounds the results of a [`ScoreTable`] of the same rows. For few
//! distinct scores it *is* that table. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`levels`] | the mirrored key of a score; the cells of a level |
//! | `cells` | cells and atoms with their masses |
//! | `loss_sums` | exact sums of the losses of probabilities |
//! | [`score_sketch`] | the statistic; its addition and look-up |
//! | `sketch_bytes` | the bytes of a sketch |
//! | `tallies` | rows counted in a table indexed by cell number |
//! | `lowering` | rows of a batch as keys, classes and weights |
//! | `cell_table` | the cells while rows are counted |
//! | [`collector`] | rows collected batch by batch |
//! | [`counted_groups`] | the sketch of groups of rows with given counts |
//! | [`arrangements`] | the best and the worst ranking that the rows can have |
//! | `precision` | bounds of average precision and related areas |
//!
//! [`ScoreTable`]: crate::scores::score_table::ScoreTable
//! [`ScoreSketch`]: score_sketch::ScoreSketch

pub mod arrangements;
mod cell_table;
pub mod cells;
pub mod collector;
pub mod counted_groups;
pub mod levels;
pub(crate) mod loss_sums;
mod lowering;
mod precision;
pub mod score_sketch;
mod sketch_bytes;
mod tallies;
