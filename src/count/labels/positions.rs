//! The places of the rows of each outcome, for one class against the rest.
//!
//! One pass reads both labels of a row as numbers (see [`crate::labels::codes`]) and puts the row's
//! place on one of four lists. The true negatives are listed too, so the result takes 8 bytes a
//! row. Cost: 3 to 5 ns a row. Source: counting by definition.

use crate::base::dtype::Reading;
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, Labels};
use crate::base::memory::Room;
use crate::labels::codes::{Pair, Source};

/// The places of rows, ascending, for one class against the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Rows of the class, predicted to be of the class.
    pub tp: Vec<i64>,
    /// Rows of other classes, predicted to be of the class.
    pub fp: Vec<i64>,
    /// Rows of the class, predicted to be of another class.
    pub fn_: Vec<i64>,
    /// All other rows.
    pub tn: Vec<i64>,
}

/// Which rows are true and false positives and negatives of a class.
///
/// # Errors
/// Columns of different length or without rows; text against numbers; a label that is missing or
/// not a whole number; a class without actual and predicted rows.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Label, Labels};
/// use rocksteady_count::labels::positions::positions;
///
/// let y_true = Labels::I32(Column::from_slice(&[2, 0, 2, 1]));
/// let y_pred = Labels::I32(Column::from_slice(&[2, 2, 0, 0]));
/// let of_two = positions(&y_true, &y_pred, &Label::Int(2))?;
/// assert_eq!((of_two.tp, of_two.fp, of_two.fn_, of_two.tn), (vec![0], vec![1], vec![2], vec![3]));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn positions(y_true: &Labels<'_>, y_pred: &Labels<'_>, label: &Label) -> Result<Positions> {
    let rows = check_rows(&[("y_true", y_true.len()), ("y_pred", y_pred.len())])?;
    let pair = Pair::new(y_true, y_pred)?;
    let read = |source: &Source<'_>, argument, row| match source.read(row) {
        Reading::Whole(number) => Ok(Some(number)),
        Reading::Missing => Err(Refusal::row(argument, row, "missing", "a label")),
        Reading::Odd(value) => {
            let expected = "a label: a whole number (continuous is not supported)";
            Err(Refusal::row(argument, row, value, expected))
        }
    };
    let class = pair.number(label);
    let mut found = Positions::default();
    for row in 0..rows {
        // A class without a number has no rows.
        let is_class = |number: Option<i128>| class.is_some() && number == class;
        let actual = is_class(read(&pair.actual, "y_true", row)?);
        let predicted = is_class(read(&pair.predicted, "y_pred", row)?);
        let list = match (actual, predicted) {
            (true, true) => &mut found.tp,
            (false, true) => &mut found.fp,
            (true, false) => &mut found.fn_,
            (false, false) => &mut found.tn,
        };
        list.grow(row as i64);
    }
    if found.tn.len() == rows {
        let expected = "a label of at least one row, in y_true or y_pred";
        return Err(Refusal::argument("label", label, expected));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Coded, LabelKind};

    proptest! {
        #[test]
        fn they_are_those_of_the_definition(
            rows in prop::collection::vec((0u32..4, 0u32..4), 1..50), class in 0u32..4, is_text: bool,
        ) {
            let (actual, predicted): (Vec<u32>, Vec<u32>) = rows.iter().copied().unzip();
            let words: Vec<Label> = ["a", "b", "c", "d"].map(|word| Label::Text(word.into())).into();
            let column = |codes| {
                let codes = Column::from_slice(codes);
                if is_text {
                    Labels::Coded(Coded { codes, labels: &words, kind: LabelKind::Text })
                } else {
                    Labels::U32(codes)
                }
            };
            let label = if is_text { words[class as usize].clone() } else { Label::Int(class.into()) };
            let found = positions(&column(&actual), &column(&predicted), &label);
            let of = |wanted: (bool, bool)| -> Vec<i64> {
                let each = rows.iter().zip(0..);
                each.filter(|((a, p), _)| (*a == class, *p == class) == wanted).map(|(_, row)| row).collect()
            };
            let expected = Positions {
                tp: of((true, true)),
                fp: of((false, true)),
                fn_: of((true, false)),
                tn: of((false, false)),
            };
            if expected.tn.len() == rows.len() {
                prop_assert!(found.unwrap_err().to_string().starts_with("label is "));
            } else {
                prop_assert_eq!(found.unwrap(), expected);
            }
        }
    }
}
