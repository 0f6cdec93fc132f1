//! Top-k accuracy: counts the rows whose class is among the k classes with the highest scores.
//!
//! 1. A row is a hit if fewer than k classes come before its own: classes with a higher score, and
//!    classes with an equal score further right. That is scikit-learn's order, which sorts stably
//!    upwards and reads from the end.
//! 2. Vectors count, in the scores' own type, the scores above the score of the row's class, and
//!    the scores not below it. Nothing is sorted.
//! 3. Only if the counts show a tie, the scores to the right are compared again.
//!
//! Cost at 1e6 rows of 100 columns: one read of the input.
//!
//! Tried and rejected:
//! - Selecting the k highest scores: one rank is enough.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use std::marker::PhantomData;

use crate::arith::exact::Weights;
use crate::arith::fast_sum::BLOCK;
use crate::base::dtype::{Number, visit};
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, ScoreMatrix};
use crate::base::matrix;
use crate::base::matrix::Matrix;
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::losses::{add_rows, row_count};
use crate::classes::probability_sums::WeightedSum;
use crate::labels::classes::Classes;

/// The number of scores of a row above its own, the number not below, and whether all are finite.
/// Counters are as wide as the scores' keys, so that comparing and counting use vectors of the same
/// width.
#[inline(always)]
fn compare<N: Number>(row: &[N::Raw], own: N::Compared) -> (u64, u64, bool) {
    let (mut above, mut not_below) = (N::Key::default(), N::Key::default());
    let mut greatest = N::Magnitude::default();
    for &score in row {
        let compared = N::compared(score);
        above += (compared > own).into();
        not_below += (compared >= own).into();
        greatest = greatest.max(N::magnitude(score));
    }
    (above.into(), not_below.into(), greatest < N::INFINITE)
}

/// The number of hits and of rows, or their weights; and the number of classes.
///
/// With three or more classes `y_score` has a column for each class: `labels`, ascending, or by
/// default the labels in `y_true`. One column belongs to the second of two classes. Then for k = 1
/// a row is a hit if its score is above the threshold exactly when its class is the second. The
/// threshold is one half if all scores are in [0, 1], otherwise zero.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; a
/// label that is missing, fractional or outside the classes; a score that is not finite; a weight
/// that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::top_k::top_k_hits;
/// use rocksteady_count::base::matrix::Matrix;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 2, 2]));
/// let scores = [0.5, 0.2, 0.2, 0.3, 0.4, 0.2, 0.2, 0.4, 0.3, 0.7, 0.2, 0.1];
/// let y_score = ScoreMatrix::F64(Matrix::from_slice(&scores, 3));
/// let (hits, classes) = top_k_hits(&y_true, &y_score, None, 2, None)?;
/// assert_eq!((hits.mean(), classes), (0.75, 3));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn top_k_hits(
    y_true: &Labels,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    k: usize,
    labels: Option<LabelSet>,
) -> Result<(WeightedSum, usize)> {
    row_count(y_true, y_score, weights.as_ref())?;
    let count = match y_score.columns() {
        1 => 2,
        2 => {
            let found = "a matrix of 2 columns";
            let expected = "one column for two classes, or one for each of three or more";
            return Err(Refusal::argument("y_score", found, expected));
        }
        columns => columns,
    };
    let classes = match labels {
        Some(labels) => Classes::given(y_true, labels)?,
        None => Classes::found(y_true, count)?,
    };
    if classes.labels.len() != count {
        let found = format!("a column of {} classes", classes.labels.len());
        let expected = format!("{count}, as the columns of y_score have");
        return Err(Refusal::argument("y_true", found, expected));
    }
    let rows = Rows { classes: &classes, weights, count: y_true.len(), columns: count, k };
    let sum = if count == 2 {
        rows.of_two(y_score)
    } else {
        visit!(ScoreMatrix(y_score), |scores, N| rows.of_several::<N>(scores))
    }?;
    Ok((sum, count))
}

struct Rows<'a> {
    classes: &'a Classes<'a>,
    weights: Option<Weights<'a>>,
    count: usize,
    columns: usize,
    k: usize,
}

impl Rows<'_> {
    fn of_several<N: Number>(&self, scores: &Matrix<'_, N::Raw>) -> Result<WeightedSum> {
        let parts = over_parts(self.count, |part| {
            let mut sum = WeightedSum::default();
            let (mut out, mut gathered) = (Vec::new(), Vec::new());
            let (mut codes, mut hits) = ([0_u32; BLOCK], [0.0; BLOCK]);
            for range in matrix::chunks(part, self.columns) {
                let codes = &mut codes[..range.len()];
                let hits = &mut hits[..range.len()];
                self.classes.lower(range.clone(), codes)?;
                let values = scores.chunk(range.clone(), &mut out);
                let of = PhantomData::<N>;
                if !hits_widest(of, values, self.columns, codes, self.k as u64, hits) {
                    return Err(not_finite(range.start));
                }
                let weights = self
                    .weights
                    .as_ref()
                    .map(|weights| weights.chunk(range.clone(), &mut gathered));
                add_rows(&mut sum, hits, weights, false)
                    .map_err(|refusal| refusal.later(range.start))?;
            }
            Ok(sum)
        })?;
        Ok(WeightedSum::from_parts(&parts))
    }

    /// The hits among two classes, by the score of the second. The right threshold is known only at
    /// the end, so both are counted.
    fn of_two(&self, scores: &ScoreMatrix) -> Result<WeightedSum> {
        let parts = over_parts(self.count, |part| {
            let mut sums = [WeightedSum::default(); 2];
            let mut probabilities = true;
            let (mut out, mut gathered) = (Vec::new(), Vec::new());
            let mut codes = [0_u32; BLOCK];
            let (mut zero, mut half) = ([0.0; BLOCK], [0.0; BLOCK]);
            for range in matrix::chunks(part, 1) {
                let codes = &mut codes[..range.len()];
                self.classes.lower(range.clone(), codes)?;
                let values = scores.lowered(range.clone(), &mut out);
                let (finite, inside) = two_widest(values, codes, self.k, &mut zero, &mut half);
                if !finite {
                    return Err(not_finite(range.start));
                }
                probabilities &= inside;
                let weights = self
                    .weights
                    .as_ref()
                    .map(|weights| weights.chunk(range.clone(), &mut gathered));
                for (sum, hits) in sums.iter_mut().zip([&mut zero, &mut half]) {
                    add_rows(sum, &mut hits[..range.len()], weights, false)
                        .map_err(|refusal| refusal.later(range.start))?;
                }
            }
            Ok((sums, probabilities))
        })?;
        let place = usize::from(parts.iter().all(|part| part.1));
        Ok(parts.iter().fold(WeightedSum::default(), |sum, part| sum.add(&part.0[place])))
    }
}

#[cold]
fn not_finite(start: usize) -> Refusal {
    Refusal::row("y_score", start, "or a row soon after it not finite", "finite numbers")
}

wide! {
    /// [`several`], compiled for the widest instructions of the machine.
    fn hits_widest[N: Number](
        of: PhantomData<N>, values: &[N::Raw], columns: usize, codes: &[u32], k: u64, hits: &mut [f64],
    ) -> bool = several;
    /// [`two`], compiled in the same way.
    fn two_widest[](
        values: &[f64], codes: &[u32], k: usize, zero: &mut [f64], half: &mut [f64],
    ) -> (bool, bool) = two;
}

/// Writes 1 for hits and 0 for other rows; returns whether all scores were finite.
#[inline(always)]
fn several<N: Number>(
    _: PhantomData<N>,
    values: &[N::Raw],
    columns: usize,
    codes: &[u32],
    k: u64,
    hits: &mut [f64],
) -> bool {
    let mut good = true;
    for ((row, &code), hit) in values.chunks_exact(columns).zip(codes).zip(hits) {
        // Classes are below the number of columns: the caller checks this.
        let own = N::compared(row.get(code as usize).copied().unwrap_or_default());
        let (mut before, not_below, finite) = compare::<N>(row, own);
        if not_below > before + 1 {
            let right = row.get(code as usize + 1..).unwrap_or(&[]);
            before += right.iter().filter(|&&score| N::compared(score) == own).count() as u64;
        }
        *hit = f64::from(u8::from(before < k));
        good &= finite;
    }
    good
}

/// Writes 1 for the hits at the thresholds 0 and 1/2; returns whether all scores were finite, and
/// whether all were in [0, 1].
#[inline(always)]
fn two(
    values: &[f64],
    codes: &[u32],
    k: usize,
    zero: &mut [f64],
    half: &mut [f64],
) -> (bool, bool) {
    let (mut finite, mut inside) = (true, true);
    let all = k > 1;
    let out = zero.iter_mut().zip(half);
    for ((&value, &code), (zero, half)) in values.iter().zip(codes).zip(out) {
        let second = code == 1;
        *zero = f64::from(u8::from(((value > 0.0) == second) | all));
        *half = f64::from(u8::from(((value > 0.5) == second) | all));
        finite &= value.abs() < f64::INFINITY;
        inside &= (0.0..=1.0).contains(&value);
    }
    (finite, inside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use proptest::prelude::*;

    /// Whether a row is a hit, by a stable ascending sort read from the end.
    fn naive(row: &[i8], class: usize, k: usize) -> bool {
        let mut order: Vec<usize> = (0..row.len()).collect();
        order.sort_by_key(|&place| row[place]);
        order.iter().rev().take(k).any(|&place| place == class)
    }

    proptest! {
        #[test]
        fn hits_are_among_the_first_k(
            columns in 3usize..40,
            k in 1usize..45,
            seeds in prop::collection::vec((any::<u8>(), prop::collection::vec(-3i8..4, 40)), 40..120),
        ) {
            // Every class occurs.
            let classes: Vec<u8> = (0..).zip(&seeds).map(|(i, seed)| if i < columns { i as u8 } else { seed.0 % columns as u8 }).collect();
            let flat: Vec<i8> = seeds.iter().flat_map(|seed| seed.1[..columns].to_vec()).collect();
            let expected = flat.chunks(columns).zip(&classes).filter(|(row, class)| naive(row, usize::from(**class), k)).count();
            let y_true = Labels::U8(Column::from_slice(&classes));
            let weights = vec![0.5; classes.len()];
            let floats: Vec<f64> = flat.iter().map(|&x| f64::from(x)).collect();
            let halves: Vec<half::f16> = flat.iter().map(|&x| half::f16::from_f32(x.into())).collect();
            let singles: Vec<f32> = flat.iter().map(|&x| x.into()).collect();
            for y_score in [
                ScoreMatrix::I8(Matrix::from_slice(&flat, columns)),
                ScoreMatrix::F64(Matrix::from_slice(&floats, columns)),
                ScoreMatrix::F32(Matrix::from_slice(&singles, columns)),
                ScoreMatrix::F16(Matrix::from_slice(&halves, columns)),
            ] {
                let (sum, count) = top_k_hits(&y_true, &y_score, None, k, None).unwrap();
                prop_assert_eq!((sum.total(), sum.weight(), count), (expected as f64, classes.len() as f64, columns));
                let weights = Some(Column::from_slice(&weights));
                let (sum, _) = top_k_hits(&y_true, &y_score, weights, k, None).unwrap();
                prop_assert_eq!(sum.total(), expected as f64 / 2.0);
            }
        }
    }

    #[test]
    fn two_classes_are_told_apart_by_a_threshold() {
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 0]));
        let of = |scores: &[f64], k| {
            let y_score = ScoreMatrix::F64(Matrix::from_slice(scores, 1));
            top_k_hits(&y_true, &y_score, None, k, None).unwrap().0.total()
        };
        assert_eq!(of(&[0.2, 0.6, 0.5, 0.3], 1), 3.0);
        assert_eq!(of(&[0.2, 0.6, 0.5, -0.3], 1), 3.0);
        assert_eq!(of(&[-0.2, 0.6, 0.5, -0.3], 1), 4.0);
        assert_eq!(of(&[0.2, 0.6, 0.5, 0.3], 2), 4.0);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 2]));
        let of = |scores: &[f64], columns| {
            top_k_hits(
                &y_true,
                &ScoreMatrix::F64(Matrix::from_slice(scores, columns)),
                None,
                1,
                None,
            )
        };
        assert!(of(&[0.0; 9], 3).is_ok());
        assert!(of(&[0.0; 6], 2).is_err());
        assert!(of(&[0.0; 12], 4).is_err());
        assert!(of(&[0.0; 3], 1).is_err());
        let mut scores = [0.0; 9];
        scores[5] = f64::INFINITY;
        assert!(of(&scores, 3).is_err());
    }
}
