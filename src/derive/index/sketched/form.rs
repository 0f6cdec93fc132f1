//! How a row is bounded where only a sketch of the scores is known.

use crate::index::parameter::Parameters;
use crate::index::value::Outcome;
use crate::scores::sketch::arrangements::Arrangements;

/// A function that bounds an index: but for rounding, the value lies between the two numbers.
pub type BoundsForm =
    &'static (dyn Fn(&Arrangements, &Parameters) -> Outcome<(f64, f64)> + Send + Sync);

/// How an index of a ranking is bounded from a sketch.
#[derive(Clone, Copy)]
pub enum Sketched {
    /// No bounds, and why.
    No(&'static str),
    /// The index never falls where a positive moves up past a negative, and depends on the ROC
    /// curve only.
    Rises,
    /// The index never rises where a positive moves up past a negative, and depends on the ROC
    /// curve only.
    Falls,
    /// The index never falls where the score of a positive rises or the score of a negative falls.
    /// Scores must be probabilities.
    RisesByScore,
    /// The index depends on the sizes of the classes only. Scores must be probabilities.
    Totals,
    /// A function of its own bounds the index.
    By(BoundsForm),
}
