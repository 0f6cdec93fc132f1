//! The statistics: sufficient, additive, mergeable in any order; the only things that indices read.

pub(crate) mod bytes;
pub mod confusion;
pub mod view;

pub use confusion::ConfusionMatrix;
pub use view::{BinaryCounts, Cell, MatrixView};
