//! The counting half of rocksteady: columns become statistics that add up exactly.
//!
//! It is a separate crate so that the compiler separates counting from deriving, and compiles both
//! in parallel. Use it through `rocksteady`, which has the same modules.
//!
//! | folder | owns |
//! |---|---|
//! | [`base`] | columns, matrices, labels, scores and weights as they arrive; errors, threads, instruction sets, bytes |
//! | [`arith`] | exact sums, products, logarithms, special functions |
//! | [`statistic`] | the trait of the statistics: addition and bytes |
//! | [`labels`] | labels against labels: codes, counting, the confusion matrix |
//! | [`row_keys`] | the keys of groups, and the group of each row |
//! | [`comparison`] | indices against each other |
//! | [`scores`] | two classes and a score: the score table and everything derived from it |
//! | [`classes`] | several classes, or several labels a row |
//! | [`costs`] | costs by row |
//! | [`queries`] | rankings by query |
// Items that only the other crate uses are public, too.
#![allow(missing_docs, clippy::missing_errors_doc, clippy::return_self_not_must_use)]
#![allow(
    clippy::len_without_is_empty,
    clippy::new_without_default,
    rustdoc::private_intra_doc_links
)]

#[macro_use] // `vec!` is that of `base::memory`.
pub mod base;

pub mod arith;
pub mod classes;
pub mod comparison;
pub mod costs;
pub mod labels;
pub mod queries;
pub mod row_keys;
pub mod scores;
pub mod statistic;
