//! The statistics: sufficient, additive, mergeable in any order; the only things that indices read.

pub(crate) mod bytes;
pub mod cells;
pub mod class_probability;
pub mod confusion;
pub mod counts;
pub mod curve;
pub mod hull;
pub mod labels;
pub mod probability;
pub mod roc;
pub mod score_collector;
pub mod score_table;
pub mod score_tables;
mod scored;
pub mod screening;
pub mod view;

pub use cells::{Cell, Cells, CellsIter};
pub use class_probability::{ClassProbabilitySums, Wanted, WeightedSum};
pub use confusion::ConfusionMatrix;
pub use counts::Counts;
pub use curve::{DetectionErrorCurve, PrecisionRecallCurve, ThresholdCounts};
pub use hull::RocHull;
pub use labels::BinaryLabels;
pub use probability::{ProbabilitySums, ProbabilityView};
pub use score_collector::ScoreCollector;
pub use score_table::{Ks, ScoreTable, Side};
pub use score_tables::ScoreTables;
pub(crate) use view::Known;
pub use view::{BinaryCounts, MatrixView};
