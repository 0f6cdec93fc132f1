//! The statistics: sufficient, additive, mergeable in any order; the only things that indices read.

pub mod counts;
pub mod probability;
pub mod view;

pub use counts::Counts;
pub use probability::ProbabilitySums;
pub use view::{BinaryCounts, Cell, MatrixView};
