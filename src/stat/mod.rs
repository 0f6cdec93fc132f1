//! The statistics: sufficient, additive, mergeable in any order; the only things that indices read.

pub mod score_collector;
pub mod score_table;
pub mod view;

pub use score_collector::ScoreCollector;
pub use score_table::{Ks, ScoreTable, Side};
pub use view::{BinaryCounts, Cell, MatrixView};
