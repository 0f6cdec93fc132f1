//! How a result changes the odds: likelihood ratios and what is made of both error rates.

use super::Index;

pub(super) static ROWS: &[Index] = &[];
