//! Confidence intervals where only bounds are known: of a box of 2×2 tables, and of a sketch.
//!
//! A *bound* is proven, an *interval* is statistical. The interval here is *widened*: it contains
//! the interval of every table that the box or the sketch allows, also of the true one. So it
//! covers the true value at least as often.
//!
//! Uses `inference`, `bounds`, `index`, `scores` and the floors below them.
//!
//! | file | owns |
//! |---|---|
//! | `ends` | the ends of an interval found so far |
//! | [`counts`] | a box of 2×2 tables |
//! | `area` | the area under the ROC curve |
//! | `precision` | the squared influences on average precision |
//! | `losses` | the scatter of losses |
//! | [`sketch`] | indices of a ranking, from a sketch |

mod area;
pub mod counts;
mod ends;
mod losses;
mod precision;
pub mod sketch;

pub use ends::Widened;
