//! The statistics: sufficient, additive, mergeable in any order; the only things that indices read.

pub mod view;

pub use view::{BinaryCounts, Cell, MatrixView};
