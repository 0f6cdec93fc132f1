//! Costs that differ by row.

pub(crate) mod cost_table;
pub(crate) mod risk;
