//! Proven bounds of an index of a ranking, from a sketch of the rows.
//!
//! 1. A row says in its field `sketched` how it is bounded, or why there are no bounds
//!    ([`form::Sketched`]).
//! 2. Where every cell of the sketch is an atom, the sketch is the table, and the value is known.
//! 3. Else the bounds are rounded outwards ([`evaluate`]).

pub mod evaluate;
pub mod form;
