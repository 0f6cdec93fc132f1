//! Costs that differ by row.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `cost_table` | the cost table |
//! | `risk` | the cheaper prediction of each row |

pub(crate) mod cost_table;
pub(crate) mod risk;
