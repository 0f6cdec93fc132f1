//! Standard errors and probabilities of chance.

use super::Index;

pub(super) static ROWS: &[Index] = &[];
