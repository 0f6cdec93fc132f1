//! Dependence between actual and predicted class.

use super::Index;

pub(super) static ROWS: &[Index] = &[];
