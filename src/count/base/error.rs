//! Refusals of inputs: all kinds, with their data.
//!
//! A refusal names the argument, the row, the value found and the value expected, so that the
//! caller can act on it: `y_true[17] is 2; expected 0 or 1`. The border converts it to a Python
//! exception by [`Refusal::kind`].

use thiserror::Error;

/// The result of a function that may refuse its input.
pub type Result<T> = std::result::Result<T, Refusal>;

/// The built-in Python exception that a refusal also is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value of the right type that cannot be used: also a `ValueError`.
    Value,
    /// An object of a type that cannot be used: also a `TypeError`.
    Type,
    /// A name that is not registered: also a `KeyError`.
    Key,
    /// Not enough memory: a `MemoryError`.
    Memory,
    /// A file that cannot be written or read: also an `OSError`.
    File,
}

/// Why an input was refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Refusal {
    /// Columns that belong together differ in length.
    #[error("{argument} has {found} rows; expected {expected}, as many as {other}")]
    Length {
        /// The argument that differs.
        argument: &'static str,
        /// Its number of rows.
        found: usize,
        /// The number of rows expected.
        expected: usize,
        /// The argument it was compared with.
        other: &'static str,
    },
    /// No rows at all.
    #[error("{argument} is empty; expected at least one row")]
    Empty {
        /// The empty argument.
        argument: &'static str,
    },
    /// One value of a column cannot be used: missing, not finite, not whole, unknown, negative, …
    #[error("{argument}[{row}] is {value}; expected {expected}")]
    Row {
        /// The argument.
        argument: &'static str,
        /// The row, from 0.
        row: usize,
        /// The value found, as text.
        value: String,
        /// What was expected, as the rest of the sentence.
        expected: String,
    },
    /// A whole argument cannot be used: an option outside its domain, a shape, a label that does
    /// not occur.
    #[error("{argument} is {value}; expected {expected}")]
    Argument {
        /// The argument.
        argument: &'static str,
        /// The value found, as text.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// An argument is of a type or dtype that cannot be used.
    #[error("{argument} is {value}; expected {expected}")]
    Type {
        /// The argument.
        argument: &'static str,
        /// The type found, as text.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// One element of a column is of a type that cannot be used.
    #[error("{argument}[{row}] is {value}; expected {expected}")]
    RowType {
        /// The argument.
        argument: &'static str,
        /// The row, from 0.
        row: usize,
        /// The value found, as text.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// A name that is not in the registry, or a form that the row does not have.
    #[error("{} {problem}", shown(name))]
    Index {
        /// The name asked for.
        name: String,
        /// The rest of the sentence, with a hint.
        problem: String,
    },
    /// An expression that cannot be parsed, and the place of the mistake.
    #[error("{}", pointed(argument, expression, *place, found, expected))]
    Expression {
        /// The argument.
        argument: &'static str,
        /// The text.
        expression: String,
        /// The character where the mistake is, from 0.
        place: usize,
        /// The text found there; empty at the end.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// No memory for a copy of a column, or for its codes.
    #[error("{argument} has {rows} values; there is not enough memory for them")]
    Memory {
        /// The argument.
        argument: &'static str,
        /// Its number of values.
        rows: usize,
    },
    /// No memory for the work or its result.
    #[error("there is not enough memory: {bytes} bytes were asked for")]
    NoMemory {
        /// The number of bytes asked for.
        bytes: usize,
    },
    /// A temporary file that cannot be made, written or read.
    #[error("a temporary file in {directory} cannot be {action}: {reason}")]
    File {
        /// Where the file is.
        directory: String,
        /// "made", "written" or "read".
        action: &'static str,
        /// The system's message, and a remedy.
        reason: String,
    },
    /// Two statistics that cannot be added.
    #[error("cannot add: {reason}")]
    Merge {
        /// Why.
        reason: String,
    },
    /// A statistic that cannot be subtracted because it is no part of the other.
    #[error("cannot subtract: {reason}")]
    Difference {
        /// Why.
        reason: String,
    },
    /// Bytes that do not encode a statistic.
    #[error("not the bytes of a {kind}: {reason}")]
    Bytes {
        /// The statistic expected.
        kind: &'static str,
        /// Why they cannot be read.
        reason: String,
    },
}

fn pointed(argument: &str, expression: &str, place: usize, found: &str, expected: &str) -> String {
    /// The largest number of characters shown before the place and after it.
    const SHOWN: usize = 60;
    let characters: Vec<char> = expression.chars().collect();
    let place = place.min(characters.len());
    let is_end = |c: &char| matches!(c, '\n' | '\r');
    let start = characters[..place].iter().rposition(is_end);
    let start = start.map_or(0, |end| end + 1);
    let length = characters[place..].iter().position(is_end);
    let end = length.map_or(characters.len(), |length| place + length);
    let (from, to) = (start.max(place.saturating_sub(SHOWN)), end.min(place + SHOWN));
    // Control characters take no column, or several, and would move the caret.
    let drawn = |c: &char| if c.is_control() { ' ' } else { *c };
    let line: String = characters[from..to].iter().map(drawn).collect();
    let before = if from > start { "…" } else { "" };
    let after = if to < end { "…" } else { "" };
    let indent = " ".repeat(place - from + before.chars().count());
    let found = if found.is_empty() {
        format!("{argument} ends")
    } else {
        format!("{argument} has {}", shown(found))
    };
    format!(
        "{found} at character {}; expected {expected}\n    {before}{line}{after}\n    {indent}^",
        place + 1
    )
}

/// Text from the caller's data in a message: quoted on one line, control characters escaped, cut
/// after 60 characters.
#[must_use]
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The value found, as text; a long one is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found(String);

impl<T: std::fmt::Display> From<T> for Found {
    fn from(value: T) -> Self {
        let mut text = value.to_string();
        if let Some((end, _)) = text.char_indices().nth(200) {
            text.truncate(end);
            text.push('…');
        }
        Self(text)
    }
}

impl Refusal {
    /// The built-in Python exception that this refusal also is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Type { .. } | Self::RowType { .. } => Kind::Type,
            Self::Index { .. } => Kind::Key,
            Self::Memory { .. } | Self::NoMemory { .. } => Kind::Memory,
            Self::File { .. } => Kind::File,
            _ => Kind::Value,
        }
    }

    /// `argument[row] is value; expected expected`.
    pub fn row(
        argument: &'static str,
        row: usize,
        value: impl Into<Found>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Row { argument, row, value: value.into().0, expected: expected.into() }
    }

    /// `argument is value; expected expected`.
    pub fn argument(
        argument: &'static str,
        value: impl Into<Found>,
        expected: impl Into<String>,
    ) -> Self {
        Self::Argument { argument, value: value.into().0, expected: expected.into() }
    }

    /// The same refusal with `rows` added to its row: kernels work on parts of the caller's column.
    #[must_use]
    pub fn later(mut self, rows: usize) -> Self {
        if let Self::Row { row, .. } | Self::RowType { row, .. } = &mut self {
            *row += rows;
        }
        self
    }

    /// The same refusal under another name of the argument.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        match &mut self {
            Self::Length { argument, .. }
            | Self::Empty { argument }
            | Self::Row { argument, .. }
            | Self::Argument { argument, .. }
            | Self::Type { argument, .. }
            | Self::RowType { argument, .. }
            | Self::Memory { argument, .. }
            | Self::Expression { argument, .. } => *argument = name,
            Self::Index { .. }
            | Self::NoMemory { .. }
            | Self::Merge { .. }
            | Self::Difference { .. }
            | Self::File { .. }
            | Self::Bytes { .. } => {}
        }
        self
    }
}

/// An empty vector with capacity for a value from each row. The length comes from the caller, whose
/// array may repeat one stored value more often than memory can hold.
///
/// # Errors
/// [`Refusal::Memory`].
pub fn room<T>(argument: &'static str, rows: usize) -> Result<Vec<T>> {
    let mut values = Vec::new();
    match values.try_reserve_exact(rows) {
        Ok(()) => Ok(values),
        Err(_) => Err(Refusal::Memory { argument, rows }),
    }
}

/// Refuses columns of different lengths, and columns without rows.
///
/// # Errors
/// [`Refusal::Length`] or [`Refusal::Empty`].
pub fn check_rows(columns: &[(&'static str, usize)]) -> Result<usize> {
    check_part(columns, false)
}

/// Like [`check_rows`], but columns without rows are allowed if the meaning of rows `is_fixed`:
/// they are then an empty part of other columns.
///
/// # Errors
/// Like [`check_rows`].
pub fn check_part(columns: &[(&'static str, usize)], is_fixed: bool) -> Result<usize> {
    let Some(&(first, rows)) = columns.first() else {
        return Ok(0);
    };
    for &column in columns {
        check_length(column, (first, rows))?;
    }
    if rows == 0 && !is_fixed {
        return Err(Refusal::Empty { argument: first });
    }
    Ok(rows)
}

/// Refuses two columns of different lengths; each is a name and a length.
///
/// # Errors
/// [`Refusal::Length`].
pub fn check_length(column: (&'static str, usize), other: (&'static str, usize)) -> Result<()> {
    if column.1 == other.1 {
        return Ok(());
    }
    Err(Refusal::Length { argument: column.0, found: column.1, expected: other.1, other: other.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_argument_row_value_and_expectation() {
        let refusal = Refusal::row("y_true", 7, 2, "0 or 1").later(10);
        assert_eq!(refusal.to_string(), "y_true[17] is 2; expected 0 or 1");
        assert_eq!(refusal.kind(), Kind::Value);
    }

    #[test]
    fn data_in_a_message_is_short_and_printable() {
        let long = format!("\u{1b}\u{202e}\n{}", "x".repeat(1 << 20));
        let refusals = [
            Refusal::row("y_true", 1, &long, "a number"),
            Refusal::argument("name", shown(&long), "a name"),
            Refusal::Index { name: long.clone(), problem: "is no index".into() },
        ];
        for refusal in refusals {
            assert!(refusal.to_string().chars().count() < 300);
        }
        assert!(shown(&long).starts_with(r#""\u{1b}\u{202e}\nxxx"#));
    }

    #[test]
    fn expressions_are_shown_with_a_caret_under_the_place() {
        let shown = |expression: &str, place| {
            let (expression, found) = (expression.to_owned(), "x".to_owned());
            let expected = "y".to_owned();
            let refusal =
                Refusal::Expression { argument: "expression", expression, place, found, expected };
            refusal.to_string().split_once('\n').unwrap().1.to_owned()
        };
        let refusal = Refusal::Expression {
            argument: "expression",
            expression: "a +".to_owned(),
            place: 3,
            found: String::new(),
            expected: "y".to_owned(),
        };
        let sentence = refusal.named("condition").to_string();
        assert!(sentence.starts_with("condition ends at character 4; expected y\n"));
        assert_eq!(shown("a + x", 4), "    a + x\n        ^");
        assert_eq!(shown("a +\n\tx", 5), "     x\n     ^");
        assert_eq!(shown("a +", 3), "    a +\n       ^");
        let long = format!("{}x{}", "é".repeat(100), "b".repeat(100));
        let lines = shown(&long, 100);
        let (line, caret) = lines.split_once('\n').unwrap();
        assert!(line.starts_with("    …é") && line.ends_with("b…"));
        let place = caret.chars().count() - 1;
        assert_eq!(line.chars().nth(place), Some('x'));
    }

    #[test]
    fn room_that_no_system_has_is_refused() {
        assert!(room::<u32>("y", 1000).unwrap().capacity() >= 1000);
        let refusal = room::<u32>("y", usize::MAX / 8).unwrap_err();
        assert_eq!(refusal.kind(), Kind::Memory);
    }

    #[test]
    fn rows_must_agree_and_exist() {
        assert_eq!(check_rows(&[("y_true", 3), ("y_pred", 3)]), Ok(3));
        assert!(matches!(check_rows(&[("y_true", 3), ("y_pred", 2)]), Err(Refusal::Length { .. })));
        assert!(matches!(check_rows(&[("y_true", 0), ("y_pred", 0)]), Err(Refusal::Empty { .. })));
    }
}
