//! The other half of rocksteady: what is derived from statistics, and what Python sees of it.
//!
//! Use it through `rocksteady`, which has the same modules.
//!
//! | folder | owns |
//! |---|---|
//! | [`index`] | the registry: one row per index, pure formulas over statistics |
//! | [`bounds`] | proven bounds of an index over a box of 2×2 tables |
//! | [`groups`] | statistics by group |
//! | [`inference`] | intervals of confidence |
//! | [`fairness`] | differences between groups |
//! | `py` | the only folder that names pyo3 or numpy |

#[macro_use] // `vec!` is that of `base::memory`.
extern crate rocksteady_count;

pub use rocksteady_count::{
    arith, base, classes, comparison, costs, labels, queries, row_keys, scores, statistic,
};

pub mod bounds;
pub mod fairness;
pub mod groups;
pub mod index;
pub mod inference;

#[cfg(feature = "python")]
mod py;

#[cfg(test)]
extern crate self as rocksteady;

/// What is tested through the public interface alone.
#[cfg(test)]
#[path = "../../tests"]
mod tests {
    mod golden;
    mod laws;
    mod special_functions;
}
