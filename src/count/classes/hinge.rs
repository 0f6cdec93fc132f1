//! The hinge loss: how far the decision for a row falls short of a margin of one.
//!
//! 1. With one column, the loss of a row is max(0, 1 − s d), with the decision d. s is 1 for the
//!    second of two classes and −1 for the first, also if there is only the first.
//! 2. With a column for each class, it is max(0, 1 − (d of the row's class − the highest other d)).
//! 3. The losses are added exactly ([`crate::arith::fast_sum`]), so the order of rows does not
//!    change the result.
//!
//! Cost: 1 ns a row; for several classes one read of the input. Source: Crammer and Singer 2001,
//! Journal of Machine Learning Research 2, 265 (several classes).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Weights;
use crate::arith::fast_sum::BLOCK;
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, ScoreMatrix};
use crate::base::matrix;
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::losses::{add_rows, row_count};
use crate::classes::probability_sums::WeightedSum;
use crate::labels::classes::Classes;

/// The weighted sum of the losses, and of their squares if asked for.
///
/// With three or more classes `decisions` has a column for each class: `labels`, ascending, or by
/// default the labels in `y_true`. One column is for at most two classes, the labels in `y_true`;
/// `labels` must not list more.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; a
/// label that is missing, fractional or outside the classes; a decision that is not finite, or an
/// integer; a weight that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::hinge::hinge_losses;
/// use rocksteady_count::base::matrix::Matrix;
///
/// let y_true = Labels::I8(Column::from_slice(&[-1, 1, 1]));
/// let decisions = ScoreMatrix::F64(Matrix::from_slice(&[-2.0, 0.5, -0.25], 1));
/// assert_eq!(hinge_losses(&y_true, &decisions, None, None, false)?.total(), 1.75);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn hinge_losses(
    y_true: &Labels,
    decisions: &ScoreMatrix,
    weights: Option<Weights>,
    labels: Option<LabelSet>,
    squares: bool,
) -> Result<WeightedSum> {
    let rows = row_count(y_true, decisions, weights.as_ref())?;
    let columns = decisions.columns();
    let shape = |found: usize| {
        let found = format!("a matrix of {columns} columns for {found} classes");
        let expected = "one column for two classes, or one for each of three or more";
        Refusal::argument("pred_decision", found, expected)
    };
    if !decisions.kind().is_float() {
        return Err(Refusal::Type {
            argument: "pred_decision",
            value: "an array of integers".into(),
            expected: "floats".into(),
        });
    }
    let classes = match labels {
        Some(labels) if columns == 1 => {
            if labels.len() > 2 {
                return Err(shape(labels.len()));
            }
            Classes::found(y_true, 2)?
        }
        Some(labels) => Classes::given(y_true, labels)?,
        None => Classes::found(y_true, columns.max(2))?,
    };
    let found = classes.labels.len();
    if (columns == 1 && found > 2) || (columns > 1 && (found < 3 || found != columns)) {
        return Err(shape(found));
    }
    let parts = over_parts(rows, |part| {
        let mut sum = WeightedSum::default();
        let (mut out, mut gathered) = (Vec::new(), Vec::new());
        let (mut codes, mut losses) = ([0_u32; BLOCK], [0.0; BLOCK]);
        for range in matrix::chunks(part, columns) {
            let codes = &mut codes[..range.len()];
            let losses = &mut losses[..range.len()];
            classes.lower(range.clone(), codes)?;
            let values = decisions.lowered(range.clone(), &mut out);
            let good = if columns == 1 {
                one_widest(values, codes, losses)
            } else {
                several_widest(values, columns, codes, losses)
            };
            if !good {
                let place = values.iter().position(|x| !x.is_finite()).unwrap_or(0);
                let refusal = Refusal::row(
                    "pred_decision",
                    place / columns,
                    values[place],
                    "a finite number",
                );
                return Err(refusal.later(range.start));
            }
            let weights =
                weights.as_ref().map(|weights| weights.chunk(range.clone(), &mut gathered));
            add_rows(&mut sum, losses, weights, squares)
                .map_err(|refusal| refusal.later(range.start))?;
        }
        Ok(sum)
    })?;
    Ok(WeightedSum::from_parts(&parts))
}

wide! {
    /// [`one`], compiled for the widest instructions of the machine; the same operations, so the
    /// same bits.
    fn one_widest[](values: &[f64], codes: &[u32], losses: &mut [f64]) -> bool = one;
    /// [`several`], compiled in the same way.
    fn several_widest[](values: &[f64], columns: usize, codes: &[u32], losses: &mut [f64]) -> bool = several;
}

/// How far a margin falls short of one; a very large number if infinite.
#[inline(always)]
fn short(margin: f64) -> f64 {
    let loss = 1.0 - margin;
    let loss = if loss > 0.0 { loss } else { 0.0 };
    if loss < f64::MAX { loss } else { f64::MAX }
}

/// The losses of rows with one decision; returns whether all were finite.
#[inline(always)]
fn one(values: &[f64], codes: &[u32], losses: &mut [f64]) -> bool {
    let mut good = true;
    for ((loss, &code), &value) in losses.iter_mut().zip(codes).zip(values) {
        *loss = short(if code == 1 { value } else { -value });
        good &= value.abs() < f64::INFINITY;
    }
    good
}

/// The losses of rows with a decision for each class; returns whether all were finite.
#[inline(always)]
fn several(values: &[f64], columns: usize, codes: &[u32], losses: &mut [f64]) -> bool {
    match columns {
        3 => few::<3>(values, codes, losses),
        4 => few::<4>(values, codes, losses),
        5 => few::<5>(values, codes, losses),
        6 => few::<6>(values, codes, losses),
        7 => few::<7>(values, codes, losses),
        _ => many(values, columns, codes, losses),
    }
}

#[inline(always)]
fn few<const K: usize>(values: &[f64], codes: &[u32], losses: &mut [f64]) -> bool {
    let mut good = true;
    let (rows, _) = values.as_chunks::<K>();
    for ((row, &code), loss) in rows.iter().zip(codes).zip(losses) {
        let (mut own, mut highest) = (0.0, f64::NEG_INFINITY);
        for (place, &value) in (0..).zip(row) {
            own = if place == code { value } else { own };
            let other = if place == code { f64::NEG_INFINITY } else { value };
            highest = greater(other, highest);
            good &= value.abs() < f64::INFINITY;
        }
        *loss = short(own - highest);
    }
    good
}

#[inline(always)]
fn many(values: &[f64], columns: usize, codes: &[u32], losses: &mut [f64]) -> bool {
    const LANES: usize = 8;
    let mut bad = [0_u64; LANES];
    for ((row, &code), loss) in values.chunks_exact(columns).zip(codes).zip(losses) {
        let mut most = [f64::NEG_INFINITY; LANES];
        let (groups, tail) = row.as_chunks::<LANES>();
        let mut first = 0_u32;
        for group in groups {
            for (lane, &value) in group.iter().enumerate() {
                let own = first + lane as u32 == code;
                let other = if own { f64::NEG_INFINITY } else { value };
                most[lane] = greater(other, most[lane]);
                bad[lane] |= u64::from(!value.is_finite());
            }
            first += LANES as u32;
        }
        for (lane, &value) in tail.iter().enumerate() {
            let own = first + lane as u32 == code;
            let other = if own { f64::NEG_INFINITY } else { value };
            most[lane] = greater(other, most[lane]);
            bad[lane] |= u64::from(!value.is_finite());
        }
        let highest = most.into_iter().fold(f64::NEG_INFINITY, greater);
        // Classes are below the number of columns: the caller checks this.
        let own = row.get(code as usize).copied().unwrap_or(0.0);
        *loss = short(own - highest);
    }
    bad == [0; LANES]
}

/// The greater number. `max` costs more, because of NaN.
#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    fn naive(classes: &[u8], rows: &[Vec<f64>], weights: &[f64]) -> f64 {
        let losses = classes.iter().zip(rows).map(|(&class, row)| {
            let own = row[usize::from(class)];
            let others = row.iter().enumerate().filter(|other| other.0 != usize::from(class));
            let highest = others.map(|other| *other.1).fold(f64::NEG_INFINITY, f64::max);
            (1.0 - (own - highest)).max(0.0)
        });
        losses.zip(weights).map(|(loss, weight)| loss * weight).sum()
    }

    proptest! {
        #[test]
        fn losses_are_the_definition(
            columns in 3usize..20,
            seeds in prop::collection::vec((any::<u8>(), 0.0..2.0, prop::collection::vec(-2i8..3, 20)), 20..120),
        ) {
            // Every class occurs.
            let classes: Vec<u8> = (0..).zip(&seeds).map(|(i, seed)| if i < columns { i as u8 } else { seed.0 % columns as u8 }).collect();
            let rows: Vec<Vec<f64>> = seeds.iter().map(|seed| seed.2[..columns].iter().map(|&x| f64::from(x) * 0.75).collect()).collect();
            let weights: Vec<f64> = seeds.iter().map(|seed| seed.1).collect();
            let y_true = Labels::U8(Column::from_slice(&classes));
            let flat = rows.concat();
            let decisions = ScoreMatrix::F64(Matrix::from_slice(&flat, columns));
            let sum = hinge_losses(&y_true, &decisions, Some(Column::from_slice(&weights)), None, false).unwrap();
            let expected = naive(&classes, &rows, &weights);
            prop_assert!((sum.total() - expected).abs() <= 1e-12 * expected);
            // Two classes: the decision for one is minus that for the other.
            let signs: Vec<i8> = classes.iter().map(|&class| if class == 1 { 1 } else { -1 }).collect();
            let single: Vec<f64> = rows.iter().map(|row| row[0]).collect();
            let sum = hinge_losses(&Labels::I8(Column::from_slice(&signs)), &ScoreMatrix::F64(Matrix::from_slice(&single, 1)), None, None, false).unwrap();
            let expected: f64 = signs.iter().zip(&single).map(|(&s, d)| (1.0 - f64::from(s) * d).max(0.0)).sum();
            prop_assert!((sum.total() - expected).abs() <= 1e-12 * expected.abs());
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
        let of = |values: &[f64], columns| {
            hinge_losses(
                &y_true,
                &ScoreMatrix::F64(Matrix::from_slice(values, columns)),
                None,
                None,
                false,
            )
        };
        assert!(of(&[0.0; 6], 2).is_err());
        assert!(of(&[0.0; 9], 3).is_err());
        let refusal = of(&[0.0, f64::NAN, 1.0], 1).unwrap_err().to_string();
        assert_eq!(refusal, "pred_decision[1] is NaN; expected a finite number");
        // A single class is the first.
        let alone = Labels::U8(Column::from_slice(&[7, 7]));
        let decisions = ScoreMatrix::F64(Matrix::from_slice(&[0.5, -3.0], 1));
        assert_eq!(hinge_losses(&alone, &decisions, None, None, false).unwrap().total(), 1.5);
    }
}
