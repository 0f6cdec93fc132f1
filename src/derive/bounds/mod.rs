//! Proven bounds of an index whose 2×2 table is known only to lie in a box.
//!
//! tp lies between two numbers and fp between two others; the sizes of the actual classes are
//! known. A *bound* is proven; an *interval* is statistical.
//!
//! Uses `index`, `scores`, `labels`, `arith` and `base`.
//!
//! | file | owns |
//! |---|---|
//! | [`counts_box`] | the box: whole counts, or weights |
//! | `search` | the least value of an index within a box |
//! | [`bound`] | the bounds of an index, or why there are none |
//! | [`band`] | an index along the cells of a sketch |

pub mod band;
pub mod bound;
pub mod counts_box;
mod search;
#[cfg(test)]
mod tests;

pub use band::{Band, CellBoxes};
pub use bound::{Bounds, NoBounds};
pub use counts_box::{CountsBox, Split};
