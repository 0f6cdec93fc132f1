//! The rows of the registry by family; a large family has several files, or a folder.
//!
//! Uses the statistics and the types of [`crate::index`].

pub(crate) mod agreement;
pub(crate) mod amounts;
pub(crate) mod association;
pub(crate) mod confusion_entropy;
pub(crate) mod correlation;
pub(crate) mod cost;
pub(crate) mod diagnosis;
pub(crate) mod entropy;
pub(crate) mod inference;
pub(crate) mod matrix_sums;
pub(crate) mod overall;
pub(crate) mod overlap;
pub(crate) mod pairs_of_rates;
pub(crate) mod rates;
pub(crate) mod retrieval;
pub(crate) mod scores;
pub(crate) mod shares;
pub(crate) mod similarity;
