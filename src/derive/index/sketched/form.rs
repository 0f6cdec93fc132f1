//! How a row is bounded where only a sketch of the scores is known.

use crate::index::parameter::Parameters;
use crate::index::value::Outcome;
use crate::scores::sketch::arrangements::Arrangements;

/// A function that bounds an index: the value is neither less than the first number nor greater
/// than the second, but for rounding.
pub type BoundsForm =
    &'static (dyn Fn(&Arrangements, &Parameters) -> Outcome<(f64, f64)> + Send + Sync);

/// How an index of a ranking is bounded from a sketch.
#[derive(Clone, Copy)]
pub enum Sketched {
    /// Not at all, and why.
    No(&'static str),
    /// It never falls where a positive moves up past a negative, and only the ROC curve matters.
    Rises,
    /// It never rises where a positive moves up past a negative, and only the ROC curve matters.
    Falls,
    /// It never falls where the score of a positive rises or that of a negative falls. The scores
    /// must be probabilities.
    RisesByScore,
    /// It depends on the amounts of the classes alone. The scores must be probabilities.
    Totals,
    /// By a function of its own.
    By(BoundsForm),
}
