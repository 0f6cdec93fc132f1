//! Indices that users define: an expression over counts and indices, read once, run at the speed of a row of our own.
//!
//! | file | owns |
//! |---|---|
//! | `parse` | the grammar: text in, steps out, every refusal at its place |
//! | `step` | what steps are made of: counts, functions, operations, indices |
//! | `program` | the steps as instructions, and the evaluator that runs them over one statistic or many tables |
//! | `reading` | rows as expressions read them; the forms that an expression gives a row |
//! | `define` | a definition, checked and made into a row |
//! | [`condition`] | comparisons of expressions, which a threshold meets or not |
//!
//! The grammar, loosest first; `^` (or `**`) goes from right to left and before a minus on its left, as on paper:
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
//! The parser climbs precedences (Pratt 1973, doi:10.1145/512927.512931) and builds no tree: it appends steps, each a number,
//! something read, or an operation on earlier steps; a step that is there already is not taken twice. An index that was itself
//! defined is copied in, step by step, as though its expression stood there in parentheses: so no definition ever refers to
//! another, none can go round in a circle, and replacing one leaves those that used it as they were.
//!
//! Nothing that is written can do harm: length, nesting and the number of steps are limited, and refused at the place where
//! they are passed.

pub mod condition;
pub mod define;
pub(crate) mod parse;
pub(crate) mod program;
mod reading;
pub(crate) mod step;

/// The most characters of an expression.
pub(crate) const MOST_CHARACTERS: usize = 4096;
/// The deepest nesting of parentheses, signs and powers.
const MOST_NESTED: usize = 64;
/// The most steps of a program.
const MOST_STEPS: usize = 256;

#[cfg(test)]
mod tests;
