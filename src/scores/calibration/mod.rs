//! Scores as probabilities: sums over rows, bins, fits, decompositions.
//!
//! Uses [`super::score_table`] and [`super::ranking`].

pub mod bins;
pub mod fits;
pub mod losses;
pub mod probability_sums;
