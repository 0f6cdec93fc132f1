//! An argument that has been read: numbers in place, or codes; and where values are missing.

use crate::base::dtype::{Class, Number, visit};
use crate::base::error::{Result, room};
use crate::base::input::{LabelKind, MISSING, Scores};
use crate::base::memory::{Gather, Room};

use crate::base::coded::coder::{CodedColumn, Coder};
use crate::py::border::numbers::Numbers;
use crate::py::border::what::What;

/// An argument that has been read.
pub(crate) enum Read {
    Numbers(Numbers),
    /// Labels only.
    Coded(CodedColumn),
}

/// Numbers as what they are to be, with some of them missing.
pub(crate) fn finish(
    numbers: Numbers,
    missing: Option<&[bool]>,
    argument: &'static str,
    what: What,
) -> Result<Read> {
    let missing = missing.filter(|missing| missing.contains(&true));
    match (what, missing) {
        (What::Labels | What::Scores, None) => Ok(Read::Numbers(numbers)),
        (What::Weights, None) if numbers.dtype() == f64::DTYPE => Ok(Read::Numbers(numbers)),
        (What::Labels, Some(missing)) => with_missing(&numbers, argument, missing),
        (What::Scores, Some(missing)) if numbers.kind() == LabelKind::Float => {
            with_missing(&numbers, argument, missing)
        }
        (What::Scores | What::Weights, missing) => {
            Ok(Read::Numbers(numbers.to_f64(argument, missing)?))
        }
    }
}

/// Numbers as labels with some rows missing: floats get a NaN there, anything else is coded.
///
/// # Errors
/// More labels than codes.
fn with_missing(numbers: &Numbers, argument: &'static str, missing: &[bool]) -> Result<Read> {
    visit!(Scores(numbers.scores()), |column, N| {
        if N::CLASS == Class::Float {
            let filled =
                (0..column.len()).map(|row| if missing[row] { N::NAN } else { column.get(row) });
            return Ok(Read::Numbers(Numbers::own::<N>(filled.gather())));
        }
        let mut coder = Coder::new(argument);
        let mut codes = room(argument, column.len())?;
        for (row, &missing) in missing.iter().enumerate() {
            let value = N::read(column.get(row)).whole();
            codes.grow(match value {
                Some(value) if !missing => coder.int(value)?,
                _ => MISSING,
            });
        }
        Ok(Read::Coded(coder.column(codes, numbers.kind())))
    })
}
