//! The cheaper prediction of each row, from its probability and its own costs.
//!
//! The risk of predicting a row positive is `p c_tp + (1 - p) c_fp`, of predicting it negative `p
//! c_fn + (1 - p) c_tn`. The prediction with the smaller risk wins, at a tie the negative one, as
//! [`crate::classes::decision`] takes the first class. A threshold on p would divide by zero if
//! both predictions cost the same, and reverse its side if errors are cheaper, so the kernel
//! computes none.
//!
//! Cost: four multiplications a row, in vectors.
//!
//! Source: Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978; costs by
//! row: Bahnsen, Aouada, Ottersten 2014, doi:10.1109/ICMLA.2014.48 (Bayes minimum risk).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::base::column::chunks;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::{ScoreMatrix, Scores};
use crate::base::memory::{Room, joined, with_room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::costs::OUTCOMES;
use crate::costs::costs_of_rows::Given;

/// The risks of predicting each row negative and positive, row after row. `y_proba` has one column,
/// the probabilities of the positive class, or two, negative before positive.
///
/// # Errors
/// [`Refusal::Argument`] for a wrong number of columns; [`Refusal::Row`] for a probability outside
/// [0, 1] and for a cost that is not finite; [`Refusal::Length`] for columns of different lengths.
pub fn row_risks(y_proba: &ScoreMatrix, costs: &[Given; 4]) -> Result<Vec<f64>> {
    over_rows(y_proba, costs, |risks, to: &mut Vec<f64>| {
        to.grow_by(risks.as_flattened());
    })
}

/// 1 if predicting a row positive has the smaller risk, otherwise 0; -1 if even the smaller risk is
/// above `reject_cost`.
///
/// # Errors
/// Like [`row_risks`]; [`Refusal::Argument`] for a NaN cost of rejection.
pub fn row_decisions(
    y_proba: &ScoreMatrix,
    costs: &[Given; 4],
    reject_cost: Option<f64>,
) -> Result<Vec<i64>> {
    let limit = reject_cost.unwrap_or(f64::INFINITY);
    if limit.is_nan() {
        return Err(Refusal::argument("reject_cost", limit, "a number"));
    }
    over_rows(y_proba, costs, |risks, to: &mut Vec<i64>| {
        to.grow_with(risks.iter().map(|&[negative, positive]| {
            let (class, risk) = if positive < negative { (1, positive) } else { (0, negative) };
            if risk > limit { -1 } else { class }
        }));
    })
}

fn over_rows<T: Send + Clone>(
    y_proba: &ScoreMatrix,
    costs: &[Given; 4],
    take: impl Fn(&[[f64; 2]], &mut Vec<T>) + Sync,
) -> Result<Vec<T>> {
    let rows = y_proba.rows();
    let columns = y_proba.columns();
    if !(1..=2).contains(&columns) {
        let found = format!("a matrix of {columns} columns");
        let expected = "one column or two, as costs by row are of two classes";
        return Err(Refusal::argument("y_proba", found, expected));
    }
    let proba = [0, columns - 1].map(|column| y_proba.column(column));
    for (given, (_, argument)) in costs.iter().zip(OUTCOMES) {
        if let Given::Rows(column) = given {
            check_length((argument, column.len()), ("y_proba", rows))?;
        }
    }
    let parts = over_parts(rows, |part| {
        let mut found = with_room(2 * part.len());
        let mut work = Work::default();
        for range in chunks(part) {
            work.read(&proba, columns == 2, costs, range)?;
            take(&work.risks, &mut found);
        }
        Ok(found)
    })?;
    Ok(joined(parts))
}

#[derive(Default)]
struct Work {
    proba: [Vec<f64>; 2],
    columns: [Vec<f64>; 4],
    risks: Vec<[f64; 2]>,
}

impl Work {
    fn read(
        &mut self,
        proba: &[Scores; 2],
        has_both: bool,
        costs: &[Given; 4],
        range: Range<usize>,
    ) -> Result<()> {
        for (to, column) in self.proba.iter_mut().zip(proba) {
            to.clear();
            to.grow_by(column.lowered(range.clone(), &mut Vec::new()));
        }
        if !has_both {
            for p in &mut self.proba[0] {
                *p = 1.0 - *p;
            }
        }
        for (place, to) in self.columns.iter_mut().enumerate() {
            to.clear();
            match &costs[place] {
                Given::Each(cost) => to.grow_to(range.len(), *cost),
                Given::Rows(column) => {
                    to.grow_by(column.chunk(range.clone(), &mut Vec::new()));
                }
            }
        }
        self.risks.clear();
        self.risks.grow_to(range.len(), [0.0; 2]);
        if risks_widest(&self.proba, &self.columns, &mut self.risks) {
            return Ok(());
        }
        for (place, row) in range.enumerate() {
            for given in [0, 1].map(|column: usize| self.proba[column][place]) {
                if !(0.0..=1.0).contains(&given) {
                    let given = if has_both { given } else { self.proba[1][place] };
                    let expected = "a probability, from 0 to 1";
                    return Err(Refusal::row("y_proba", row, given, expected));
                }
            }
            for (column, (_, argument)) in self.columns.iter().zip(OUTCOMES) {
                if !column[place].is_finite() {
                    return Err(Refusal::row(argument, row, column[place], "a finite number"));
                }
            }
        }
        Ok(())
    }
}

wide! {
    fn risks_widest[](proba: &[Vec<f64>; 2], columns: &[Vec<f64>; 4], to: &mut [[f64; 2]]) -> bool = risks_of;
}

#[inline(always)]
fn risks_of(proba: &[Vec<f64>; 2], columns: &[Vec<f64>; 4], to: &mut [[f64; 2]]) -> bool {
    let [tp, fp, fn_, tn] = columns.each_ref().map(|column| &column[..to.len()]);
    let [rest, proba] = proba.each_ref().map(|column| &column[..to.len()]);
    let mut good = true;
    for (row, to) in to.iter_mut().enumerate() {
        let (rest, p) = (rest[row], proba[row]);
        // No lazy operators: their branches would prevent vectorisation.
        let are = [p, rest].map(|p| (0.0..=1.0).contains(&p));
        let finite = [tp, fp, fn_, tn].map(|cost| cost[row].is_finite());
        good &= are.iter().chain(&finite).fold(true, |all, &one| all & one);
        *to = [rest * tn[row] + p * fn_[row], rest * fp[row] + p * tp[row]];
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cheaper_prediction_is_taken_row_by_row(
            rows in prop::collection::vec((0_u8..=8, prop::array::uniform4(-4_i8..9)), 1..50),
        ) {
            let proba: Vec<f64> = rows.iter().map(|row| f64::from(row.0) / 8.0).collect();
            let column = |place: usize| rows.iter().map(|row| f64::from(row.1[place])).collect::<Vec<f64>>();
            let columns = [0, 1, 2, 3].map(column);
            let costs = columns.each_ref().map(|column| Given::Rows(Column::from_slice(column)));
            let scores = ScoreMatrix::F64(crate::base::matrix::Matrix::from_slice(&proba, 1));
            let decided = row_decisions(&scores, &costs, None).unwrap();
            for (row, &class) in decided.iter().enumerate() {
                // In whole eighths.
                let (p, [tp, fp, fn_, tn]) = (i32::from(rows[row].0), rows[row].1.map(i32::from));
                let positive = p * (fn_ - tp) > (8 - p) * (fp - tn);
                prop_assert_eq!(class, i64::from(positive));
            }
        }
    }
}
