//! Statistics by group, exact and additive.
//!
//! A group is one more axis, like class and threshold: an index is the same formula for each
//! group. Uses `scores`, `row_keys`, `labels`, `arith` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`masses`] | counts of 32 bits where they fit, or exact sums of weights |
//! | `two_classes` | the cells of two classes by group, from rows |
//! | [`counts`] | the cells of each group's confusion matrix |
//! | [`arrange`] | entries sorted by group and score, each distinct entry once |
//! | `sort_in_group` | the rows of a group sorted by score |
//! | [`ranking`] | the distinct scores of each group, with the counts or weights of both classes |
//! | `ranked_rows` | the same, from rows |
//! | [`pairs`] | pairs of rows within groups and across them; the area of each group |
//! | [`state`] | keys, counts and ranking: coarser groups, addition |
//! | `difference` | subtraction |
//! | `state_bytes` | its bytes |
//! | `made` | rows for tests |

pub mod arrange;
pub mod counts;
mod difference;
pub mod masses;
pub mod pairs;
mod ranked_rows;
pub mod ranking;
mod sort_in_group;
pub mod state;
mod state_bytes;
mod two_classes;

#[cfg(test)]
pub(crate) mod made;
