//! The bounded state of a ranking: cells of scores whose number has a limit.
//!
//! A [`ScoreSketch`] takes any number of rows in a fixed mass of memory. It is a function of the
//! rows alone, whatever their order and however they were split, and it bounds what a
//! [`ScoreTable`] of the same rows would give. Where the rows have few distinct scores, it *is*
//! that table. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`levels`] | the mirrored key of a score; the cells of a level |
//! | `cells` | cells, atoms, and the masses in each |
//! | `loss_sums` | exact sums of the losses of probabilities |
//! | [`score_sketch`] | the statistic; its addition and look-up |
//! | `sketch_bytes` | its bytes |
//! | `tallies` | rows counted where the number of their cell says |
//! | `lowering` | rows of a batch as keys, classes and weights |
//! | `cell_table` | the cells while rows are counted |
//! | [`collector`] | rows gathered batch by batch |
//! | [`counted_groups`] | the sketch of groups of rows that were counted elsewhere |
//! | [`arrangements`] | the best and the worst ranking that the rows can have |
//! | `precision` | bounds of average precision and its kin |
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
