//! Conditions on indices: comparisons joined by `and`, parsed once and tested on many 2×2 tables at
//! a time.
//!
//! ```text
//! condition  = comparison ("and" comparison)*
//! comparison = side (order side)+
//! order      = ">=" | ">" | "<=" | "<" | "=="
//! ```
//!
//! A side is an expression as [`crate::index::user::define`] reads it, or a number. This file finds
//! only where sides end, by the comparisons and the `and` outside parentheses. The parser of
//! expressions reads the sides, and a refusal names the place in the whole text. As on paper,
//! `0.1 <= rpp <= 0.2` means both comparisons.
//!
//! A table where an index of the condition is undefined does not meet it, even if the index shows a
//! number there by convention.
//!
//! 1. Tables are tested in blocks that stay in cache.
//! 2. One comparison after the other rules out tables that do not meet it.
//! 3. Once no table is left, the other comparisons are skipped: over the thresholds of a score
//!    table most blocks end at the first.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::base::error::{Refusal, Result};
use crate::base::wide::wide;
use crate::index::parameter::Parameters;
use crate::index::registry::known;
use crate::index::row::Index;
use crate::index::tables::Tables;
use crate::index::user::MOST_CHARACTERS;
use crate::index::user::parse::{is_word, program_of};
use crate::index::user::program::Program;
use crate::index::value::Undefined;
use crate::labels::view::BinaryCounts;

const ORDERS: &str = ">=, >, <=, < or ==";
/// The argument that refusals name.
const ARGUMENT: &str = "condition";

/// The order of the left and the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    AtLeast,
    Above,
    AtMost,
    Below,
    Equal,
}

impl Order {
    const NAMED: [(&'static str, Self); 5] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        ("==", Self::Equal),
        (">", Self::Above),
        ("<", Self::Below),
    ];
}

/// One side of a comparison.
#[derive(Clone, Debug)]
enum Form {
    Number(f64),
    Index(&'static Index, Parameters),
    Program(Box<Program<Index>>),
}

#[derive(Clone, Debug)]
struct Side {
    text: String,
    form: Form,
}

#[derive(Clone, Debug)]
struct Comparison {
    left: usize,
    order: Order,
    right: usize,
    /// The text of the comparison.
    text: String,
}

/// Comparisons that must all hold.
///
/// ```
/// use rocksteady_derive::index::user::condition::Condition;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let condition = Condition::new("precision >= 0.9 and rpp <= 0.5")?;
/// let counts = BinaryCounts { tp: 9.0, fp: 1.0, fn_: 3.0, tn: 7.0 };
/// assert!(condition.holds(&counts)?);
/// let refusal = Condition::new("precision >= 0.9 and rpp =< 0.5").unwrap_err().to_string();
/// assert!(refusal.starts_with("condition has \"=<\" at character 26; expected >=, >, <=, < or =="));
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    sides: Vec<Side>,
    comparisons: Vec<Comparison>,
    /// Indices within larger expressions that have a conventional number where they are undefined,
    /// each with the place of its side.
    conventional: Vec<(usize, &'static Index, Parameters)>,
}

/// Buffers for the values of one block of tables.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The values of each side, one side after the other.
    values: Vec<f64>,
    /// Which sides have been computed.
    filled: Vec<bool>,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// [`Refusal::Expression`] with the place for what cannot be read, and for an index that has no
    /// value at a threshold; [`Refusal::Argument`] for a text that is too long.
    pub fn new(text: &str) -> Result<Self> {
        let length = text.chars().count();
        if length > MOST_CHARACTERS {
            let expected = format!("at most {MOST_CHARACTERS}");
            let found = format!("{length} characters long");
            return Err(Refusal::argument(ARGUMENT, found, expected));
        }
        let mut condition =
            Self { sides: Vec::new(), comparisons: Vec::new(), conventional: Vec::new() };
        for clause in clauses(text)? {
            condition.add(text, &clause)?;
        }
        Ok(condition)
    }

    /// Adds the comparisons between two `and`s.
    fn add(&mut self, text: &str, clause: &Clause) -> Result<()> {
        let mut start = clause.range.start;
        let mut before: Option<(usize, Order, usize)> = None;
        let ends = clause.orders.iter().map(|(range, order)| (range, Some(*order)));
        let end = clause.range.end..clause.range.end;
        for (range, order) in ends.chain([(&end, None)]) {
            let side = self.side(text, start..range.start)?;
            if let Some((left, order, from)) = before {
                let text = text[from..range.start].trim().to_owned();
                self.comparisons.push(Comparison { left, order, right: side, text });
            } else if order.is_none() {
                let end = clause.range.start + text[clause.range.clone()].trim_end().len();
                return Err(refusal(text, end, &format!("a comparison: {ORDERS}")));
            }
            if let Some(order) = order {
                before = Some((side, order, start));
            }
            start = range.end;
        }
        Ok(())
    }

    /// The place of a side, which is added if it is new.
    fn side(&mut self, text: &str, range: Range<usize>) -> Result<usize> {
        let part = text[range.clone()].trim();
        let known = self.sides.iter().position(|side| side.text == part);
        if let Some(known) = known {
            return Ok(known);
        }
        let form = form(text, range)?;
        if let Form::Program(program) = &form {
            let own = Parameters::default(); // a condition has none
            let read =
                (program.readings_with(&own)).filter(|(row, _)| !row.when_undefined.is_nan());
            let place = self.sides.len();
            (self.conventional).extend(read.map(|(row, given)| (place, row, given.into_owned())));
        }
        self.sides.push(Side { text: part.to_owned(), form });
        Ok(self.sides.len() - 1)
    }

    /// The comparisons, as they are written.
    pub fn comparisons(&self) -> impl ExactSizeIterator<Item = &str> {
        self.comparisons.iter().map(|one| one.text.as_str())
    }

    /// A condition of one comparison.
    pub(crate) fn alone(&self, place: usize) -> Self {
        let comparison = self.comparisons[place].clone();
        let mut conventional = self.conventional.clone();
        conventional.retain(|(side, ..)| [comparison.left, comparison.right].contains(side));
        Self { sides: self.sides.clone(), comparisons: vec![comparison], conventional }
    }

    /// Whether a table meets the condition.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    pub fn holds(&self, counts: &BinaryCounts) -> Result<bool> {
        let mut met = [1];
        let tables = [*counts];
        self.keep(Tables::new(&tables), &mut Scratch::default(), &mut met)
    }

    /// Sets the flags of tables that do not meet the condition to 0; returns whether any flag is
    /// left.
    pub(crate) fn keep(
        &self,
        tables: Tables,
        scratch: &mut Scratch,
        met: &mut [u8],
    ) -> Result<bool> {
        let len = met.len();
        scratch.values.resize(self.sides.len() * len, 0.0);
        scratch.filled.clear();
        scratch.filled.resize(self.sides.len(), false);
        for comparison in &self.comparisons {
            for place in [comparison.left, comparison.right] {
                let to = &mut scratch.values[place * len..][..len];
                if !std::mem::replace(&mut scratch.filled[place], true) {
                    self.sides[place].form.fill(tables, to)?;
                }
            }
            let side = |place: usize| &scratch.values[place * len..][..len];
            let (left, right) = (side(comparison.left), side(comparison.right));
            if !compare(comparison.order, left, right, met) {
                return Ok(false);
            }
        }
        for (_, row, parameters) in &self.conventional {
            let to = &mut scratch.values[..len];
            row.fill_defined(tables, parameters, to)?;
            compare(Order::Equal, to, to, met); // NaN is no number's equal, nor its own
        }
        Ok(met.contains(&1))
    }
}

impl Form {
    fn fill(&self, tables: Tables, to: &mut [f64]) -> Result<()> {
        match self {
            Self::Number(number) => to.fill(*number),
            Self::Index(row, parameters) => row.fill_defined(tables, parameters, to)?,
            Self::Program(program) => {
                // A side has no parameters of its own.
                let own = Parameters::default();
                if tables.is_plain() {
                    program.fill(tables, &own, to);
                } else {
                    for (to, table) in to.iter_mut().zip(tables.all()) {
                        let value = match table.total() {
                            0.0 => Err(Undefined::NoRows), // as for an index that is defined so
                            _ => program.of_counts(table, &own),
                        };
                        *to = value.unwrap_or(f64::NAN);
                    }
                }
            }
        }
        Ok(())
    }
}

wide! {
    fn compare[](order: Order, left: &[f64], right: &[f64], met: &mut [u8]) -> bool = compare_each;
}

/// Sets the flags of pairs in another order to 0; returns whether any flag is left.
#[inline(always)]
fn compare_each(order: Order, left: &[f64], right: &[f64], met: &mut [u8]) -> bool {
    #[inline(always)]
    fn each(left: &[f64], right: &[f64], met: &mut [u8], holds: impl Fn(f64, f64) -> bool) -> bool {
        let mut any = 0;
        for (met, (&left, &right)) in met.iter_mut().zip(left.iter().zip(right)) {
            *met &= u8::from(holds(left, right));
            any |= *met;
        }
        any != 0
    }
    match order {
        Order::AtLeast => each(left, right, met, |a, b| a >= b),
        Order::Above => each(left, right, met, |a, b| a > b),
        Order::AtMost => each(left, right, met, |a, b| a <= b),
        Order::Below => each(left, right, met, |a, b| a < b),
        Order::Equal => each(left, right, met, |a, b| a == b),
    }
}

/// The text between two `and`s, by its bytes.
struct Clause {
    range: Range<usize>,
    /// The comparisons and their places.
    orders: Vec<(Range<usize>, Order)>,
}

/// Finds the `and`s and the comparisons outside parentheses.
fn clauses(text: &str) -> Result<Vec<Clause>> {
    let mut found = Vec::new();
    let mut clause = Clause { range: 0..0, orders: Vec::new() };
    let mut open = 0_usize;
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = word(rest).len();
        let (token, start) = (&rest[..length], at);
        at += length;
        match next {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            // The `=` of a parameter; the parser of expressions reads it.
            '=' if open > 0 && token == "=" => {}
            '<' | '>' | '=' | '!' => {
                let known = Order::NAMED.iter().find(|known| known.0 == token);
                let Some(&(_, order)) = known else {
                    return Err(refusal(text, start, ORDERS));
                };
                if open > 0 {
                    let expected = "comparisons outside of parentheses, joined by \"and\"";
                    return Err(refusal(text, start, expected));
                }
                clause.orders.push((start..at, order));
            }
            '&' | '|' => return Err(refusal(text, start, "comparisons joined by \"and\"")),
            _ if token == "and" && open == 0 => {
                clause.range.end = start;
                let after = Clause { range: at..at, orders: Vec::new() };
                found.push(std::mem::replace(&mut clause, after));
            }
            _ if matches!(token, "or" | "not") && known(token).is_none() => {
                return Err(refusal(text, start, "comparisons joined by \"and\""));
            }
            _ => {}
        }
    }
    clause.range.end = text.len();
    found.push(clause);
    Ok(found)
}

/// The name, the number or the sign at the start of a text; otherwise one character.
fn word(text: &str) -> &str {
    let is_order = |c: char| matches!(c, '<' | '>' | '=' | '!');
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let length = |wanted: &dyn Fn(char) -> bool| text.find(|c| !wanted(c)).unwrap_or(text.len());
    let first = text.chars().next().map_or(0, char::len_utf8);
    let length = match text.chars().next() {
        Some(c) if is_order(c) => length(&is_order),
        Some(c) if is_part(c) => length(&is_part),
        _ => first,
    };
    &text[..length]
}

/// The form of a side.
fn form(text: &str, range: Range<usize>) -> Result<Form> {
    let part = &text[range.clone()];
    let name = part.trim();
    let start = range.start + part.len() - part.trim_start().len();
    let needs_scores = || {
        let expected = "an index that has a value at each threshold";
        Err(refusal(text, start, expected))
    };
    if let Some(row) = (!is_word(name)).then(|| known(name)).flatten() {
        if row.counts.is_none() && row.matrix.is_none() {
            return needs_scores();
        }
        return Ok(Form::Index(row, Parameters::defaults(row)));
    }
    // Leading blanks keep the place of a refusal.
    let before = " ".repeat(text[..range.start].chars().count());
    let met = match program_of(&format!("{before}{part}"), "", &[]) {
        Ok(program) if program.0.has_tables() => return Ok(Form::Program(Box::new(program.0))),
        Ok(_) => return needs_scores(),
        Err(met) => met,
    };
    // An expression must read a statistic; a side may be a number.
    if let Ok((program, _)) = program_of(&format!("{part} + 0*n"), "", &[])
        && let Ok(number) = program.of_counts(&BinaryCounts::default(), &Parameters::default())
    {
        return Ok(Form::Number(number));
    }
    Err(match met {
        // The whole text goes on after the end of the side.
        Refusal::Expression { found, expected, .. } if found.is_empty() => {
            refusal(text, range.end, &expected)
        }
        Refusal::Expression { place, found, expected, .. } => Refusal::Expression {
            argument: ARGUMENT,
            expression: text.to_owned(),
            place,
            found,
            expected,
        },
        other => other,
    })
}

/// The refusal of the text at a byte; an empty text is the end.
fn refusal(text: &str, place: usize, expected: &str) -> Refusal {
    let blank = text[place..].len() - text[place..].trim_start().len();
    let place = place + blank;
    Refusal::Expression {
        argument: ARGUMENT,
        expression: text.to_owned(),
        place: text[..place].chars().count(),
        found: word(&text[place..]).to_owned(),
        expected: expected.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        let refusal = Condition::new(text).unwrap_err().to_string();
        refusal.lines().next().unwrap().to_owned()
    }

    fn holds(text: &str, cells: [f64; 4]) -> bool {
        let [tp, fp, fn_, tn] = cells;
        let counts = BinaryCounts { tp, fp, fn_, tn };
        Condition::new(text).unwrap().holds(&counts).unwrap()
    }

    #[test]
    fn comparisons_hold_as_they_read() {
        let cells = [8.0, 2.0, 4.0, 6.0];
        for (text, expected) in [
            ("precision >= 0.8", true),
            ("precision > 0.8", false),
            ("0.8 <= precision", true),
            ("precision < 0.8", false),
            ("precision == 0.8", true),
            ("tp == 8 and fp < 3", true),
            ("recall >= 2/3 and recall <= 2 / 3", true),
            ("0.4 < rpp <= 0.5", true),
            ("0.4 < rpp < 0.5", false),
            ("2*tp > fp + fn + 9", true),
            ("fbeta(beta=2) >= recall", true),
            ("1e-1 < -(-1)", true),
            ("(tp + fp) / n == rpp and min(tp, fp) == 2", true),
            ("tp > 7 and fp > 7", false),
        ] {
            assert_eq!(holds(text, cells), expected, "{text}");
        }
    }

    #[test]
    fn undefined_meets_nothing_even_with_a_number_by_convention() {
        let cells = [0.0, 0.0, 4.0, 6.0];
        for text in [
            "precision >= 0",
            "precision < 0",
            "mcc == 0", // 0 by convention
            "mcc + 1 > 0",
            "1 / tp > 0",
        ] {
            assert!(!holds(text, cells), "{text}");
        }
        // A class that is never predicted must not make the condition undefined.
        assert!(!holds("marginal_cross_entropy >= 0", cells));
        assert!(holds("marginal_cross_entropy(leave_out=1) >= 0", cells));
        assert!(holds("recall == 0", cells));
        for text in ["recall == 0", "tp == 0", "2*tp - fp >= 0"] {
            assert!(!holds(text, [0.0; 4]), "{text}");
        }
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, sentence) in [
            ("", "condition ends at character 1; expected a number"),
            ("precision", "ends at character 10; expected a comparison: >="),
            ("precision >=", "ends at character 13; expected a number"),
            (">= 1", "has \">=\" at character 1; expected a number"),
            ("precision >= 0.9 and", "ends at character 21; expected a number"),
            ("and recall > 1", "has \"and\" at character 1; expected a number"),
            ("recall > 1 and and", "has \"and\" at character 16; expected a number"),
            ("precision => 1", "has \"=>\" at character 11; expected >=, >"),
            ("precision = 1", "has \"=\" at character 11; expected >=, >"),
            ("precision != 1", "has \"!=\" at character 11; expected >=, >"),
            (
                "precisoin > 1",
                "has \"precisoin\" at character 1; expected a count, a parameter, a function or an index",
            ),
            (
                "tp > 1 or fp > 1",
                "has \"or\" at character 8; expected comparisons joined by \"and\"",
            ),
            ("tp > 1 & fp > 1", "has \"&\" at character 8; expected comparisons joined by \"and\""),
            ("(tp > 1) and fp > 1", "has \">\" at character 5; expected comparisons outside of"),
            ("tp > 1 fp", "has \"fp\" at character 8; expected an operator"),
            ("(tp + 1 > 2", "has \">\" at character 9; expected comparisons outside of"),
            ("tp > 1)", "has \")\" at character 7; expected an operator"),
            (
                "roc_auc > 0.5",
                "has \"roc_auc\" at character 1; expected an index that has a value at each threshold",
            ),
            ("1 < roc_auc*2", "has \"roc_auc\" at character 5; expected an index that"),
            ("é > 1", "has \"é\" at character 1; expected a number"),
            ("tp > 1/0", "has \"/\" at character 7; expected a denominator"),
        ] {
            let found = refused(text);
            assert!(found.starts_with("condition "), "{text}: {found}");
            assert!(found.contains(sentence), "{text}: {found}");
        }
        assert!(refused(&"1".repeat(5000)).starts_with("condition is 5000 characters long"));
    }
}
