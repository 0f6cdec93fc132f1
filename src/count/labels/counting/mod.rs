//! Two columns of labels counted into a confusion matrix.
//!
//! Uses [`super::codes`], [`super::cells`] and [`super::confusion`]. In the order in which data
//! flow:
//!
//! | file | owns |
//! |---|---|
//! | `bit_counts` | pairs of a few codes counted by their bits |
//! | `dense_counts` | pairs of codes counted in a table of all pairs |
//! | `weighted_counts` | pairs of codes with sums of weights, in a table of all pairs |
//! | `sparse_counts` | pairs of codes counted in a list of the pairs that occur |
//! | [`count`] | choosing between them, refusals, threads |

pub(crate) mod bit_counts;
pub mod count;
pub(crate) mod dense_counts;
pub(crate) mod sparse_counts;
pub(crate) mod weighted_counts;
