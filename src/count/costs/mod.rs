//! Costs by row: amounts beside the counts of a score table, and their consequences.
//!
//! Uses `scores`, `labels`, `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `costs_of_rows` | rows with amounts in, a cost table out |
//! | [`cost_table`] | the statistic: its parts, addition, the cost at a threshold |
//! | `cost_bytes` | the bytes of a cost table |
//! | `exact_costs` | the cost at every threshold in whole quanta; the cheapest threshold |
//! | [`risk`] | the cheaper prediction of each row, from its probability and its own costs |
//! | [`expected_profit`] | the expected maximum profit of a ranking |

pub(crate) mod cost_bytes;
pub mod cost_table;
pub mod costs_of_rows;
pub(crate) mod exact_costs;
pub mod expected_profit;
pub mod risk;

/// The outcomes in the order of all lists of costs, with their column names in refusals.
pub const OUTCOMES: [(&str, &str); 4] =
    [("tp", "costs['tp']"), ("fp", "costs['fp']"), ("fn", "costs['fn']"), ("tn", "costs['tn']")];
