//! Indices that users define: an expression over counts and indices, parsed once, as fast as a
//! built-in row.
//!
//! | file | owns |
//! |---|---|
//! | `step` | what steps are made of: counts, functions, operations, indices |
//! | `program` | the steps as instructions, and the evaluator that runs them over one statistic or many tables |
//! | `reading` | rows as expressions read them; the forms that an expression gives a row |
//! | `sloped` | expressions over numbers with slopes |
//! | `parse` | the grammar: text in, steps out, every refusal at its place |
//! | `define` | a definition, checked and made into a row |
//! | [`condition`] | comparisons of expressions, which a threshold meets or not |
//!
//! The grammar, loosest first. `^` (or `**`) is right associative and binds tighter than a minus on
//! its left, as on paper:
//!
//! ```text
//! sum      = product (("+" | "-") product)*
//! product  = signed (("*" | "/") signed)*
//! signed   = "-" signed | power
//! power    = operand (("^" | "**") signed)?
//! operand  = number | "(" sum ")" | count | parameter | function "(" sum ("," sum)* ")"
//!          | index ("(" (name "=" ("-"? number | parameter) ("," ...)*)? ")")?
//! ```
//!
//! 1. The parser climbs precedences (Pratt 1973, doi:10.1145/512927.512931) and appends steps
//!    instead of building a tree. A step is a number, something read, or an operation on earlier
//!    steps; equal steps are one.
//! 2. An index that a user defined is copied in step by step, as if its expression were there in
//!    parentheses. So definitions never refer to each other, cannot form a circle, and do not
//!    change when another one is replaced.
//!
//! Length, nesting and the number of steps are limited, so no text can do harm.

pub mod condition;
pub mod define;
pub(crate) mod parse;
pub(crate) mod program;
mod reading;
mod sloped;
pub(crate) mod step;

pub(crate) const MOST_CHARACTERS: usize = 4096;
const MOST_NESTED: usize = 64;
const MOST_STEPS: usize = 256;

#[cfg(test)]
mod tests;
