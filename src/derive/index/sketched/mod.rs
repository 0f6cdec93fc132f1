//! Proven bounds of an index of a ranking, from a sketch of the rows.
//!
//! 1. The field `sketched` of a row says how the index is bounded, or why there are no bounds
//!    ([`form::Sketched`]).
//! 2. Where every cell of the sketch is an atom, the sketch is the table, and the value is known.
//! 3. Where both bounds are one number the value is known, too. Not so with weights: their sums
//!    are rounded, and cells round them in another way than scores.
//! 4. Else the bounds are moved outwards by a margin, whose proof stands in [`evaluate`].
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `form` | how a row is bounded |
//! | `evaluate` | bounds of a row, with their margin |

pub mod evaluate;
pub mod form;
