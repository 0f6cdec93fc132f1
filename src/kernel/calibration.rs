//! Rows in bins by their probability: how many there are, how many of them came true, and the sum of their probabilities.
//!
//! Bin i of n takes the probabilities above edge i, up to and with edge i + 1; the first takes everything up to edge 1, and
//! the last everything above edge n − 1. Edges are i/n, or the i/n quantiles of the probabilities, interpolated linearly
//! as numpy does. With edges i/n a row's bin is guessed by one multiplication and set right against the edges
//! themselves, which are rounded; with quantiles it is found by bisection. Probabilities are added exactly
//! ([`super::exact`]), so the order of rows cannot be seen.
//!
//! Cost: 5 ns a row; quantiles sort a copy of the probabilities.
//! Source: Niculescu-Mizil and Caruana 2005, doi:10.1145/1102351.1102430; Hyndman and Fan 1996, definition 7 of a quantile,
//! doi:10.1080/00031305.1996.10473566.

use super::class_probability::{positive_class, row_count, usual};
use super::classes::Classes;
use super::exact::{ExactSums, Span};
use super::fast_sum::BLOCK;
use crate::error::{Refusal, Result};
use crate::input::{Label, Labels, ScoreMatrix};
use crate::matrix;
use crate::threads::over_parts;

/// How the edges of bins are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Bins of one width over [0, 1].
    Uniform,
    /// Bins of as many rows, nearly.
    Quantile,
}

/// The rows of each bin.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// The number of rows.
    pub rows: Vec<u64>,
    /// The number of rows of the positive class.
    pub positives: Vec<u64>,
    /// The sum of the probabilities, rounded once.
    pub probability: Vec<f64>,
}

/// The rows of each of `bins` bins. `y_prob` has one column. Without `positive` the labels must be 0 and 1, or −1 and 1, or one
/// of these alone, and 1 is positive.
///
/// # Errors
/// Columns of different lengths or without rows; no bins; more than two labels; a missing or fractional label; labels of
/// which none is known to be positive; a probability outside [0, 1]; quantiles of other than floats of 32 or 64 bits.
///
/// ```
/// use rocksteady::column::Column;
/// use rocksteady::input::{Labels, ScoreMatrix};
/// use rocksteady::kernel::calibration::{Edges, calibration};
/// use rocksteady::matrix::Matrix;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_prob = ScoreMatrix::F64(Matrix::from_slice(&[0.25, 0.5, 0.75, 1.0], 1));
/// let bins = calibration(&y_true, &y_prob, None, 2, Edges::Uniform)?;
/// assert_eq!((bins.rows, bins.positives), (vec![2, 2], vec![0, 2]));
/// assert_eq!(bins.probability, [0.75, 1.75]);
/// # Ok::<(), rocksteady::error::Refusal>(())
/// ```
pub fn calibration(
    y_true: &Labels,
    y_prob: &ScoreMatrix,
    positive: Option<&Label>,
    bins: usize,
    edges: Edges,
) -> Result<Bins> {
    /// More bins than this are no curve.
    const MOST: usize = 1 << 20;
    let rows = row_count(y_true, y_prob, None)?;
    if !(1..=MOST).contains(&bins) {
        return Err(Refusal::argument("n_bins", bins, format!("1 to {MOST}")));
    }
    if y_prob.columns() != 1 {
        let found = format!("a matrix of {} columns", y_prob.columns());
        return Err(Refusal::argument("y_prob", found, "one column"));
    }
    let classes = match positive {
        None => {
            let found = Classes::found(y_true, 2)?;
            if !usual(&found.labels.values) {
                let expected = "the positive label, as the labels are not 0 and 1 or -1 and 1";
                return Err(Refusal::argument("pos_label", "None", expected));
            }
            found.against_the_rest(&Label::Int(1))?
        }
        positive => positive_class(y_true, positive)?,
    };
    let width = 1.0 / bins as f64;
    let uniform: Vec<f64> = (1..bins).map(|place| place as f64 * width).collect();
    let inner = match edges {
        Edges::Uniform => uniform,
        Edges::Quantile => quantiles(y_prob, &uniform)?,
    };
    let parts = over_parts(rows, |part| {
        let mut counts = (vec![0_u64; bins], vec![0_u64; bins]);
        let mut sums = ExactSums::new(bins);
        let mut out = Vec::new();
        let (mut codes, mut places) = ([0_u32; BLOCK], [0_u32; BLOCK]);
        let mut copy = [0.0; BLOCK];
        for range in matrix::chunks(part, 1) {
            let codes = &mut codes[..range.len()];
            let copy = &mut copy[..range.len()];
            classes.lower(range.clone(), codes)?;
            copy.copy_from_slice(y_prob.lowered(range.clone(), &mut out));
            if let Some(place) = copy.iter().position(|p| !(0.0..=1.0).contains(p)) {
                let expected = "a probability in [0, 1]";
                return Err(Refusal::row(
                    "y_prob",
                    range.start + place,
                    copy[place],
                    expected,
                ));
            }
            for ((place, &p), &code) in places.iter_mut().zip(&*copy).zip(&*codes) {
                let bin = match edges {
                    Edges::Uniform => near(&inner, p, bins),
                    Edges::Quantile => inner.partition_point(|&edge| edge < p),
                };
                *place = bin as u32;
                counts.0[bin] += 1;
                counts.1[bin] += u64::from(code);
            }
            sums.add_all(Span::of_slice(copy)?, &places[..copy.len()], copy);
        }
        Ok((counts, sums))
    })?;
    let mut whole = Bins {
        rows: vec![0; bins],
        positives: vec![0; bins],
        probability: Vec::new(),
    };
    let mut sums = ExactSums::new(bins);
    for ((rows, positives), part) in &parts {
        for bin in 0..bins {
            whole.rows[bin] += rows[bin];
            whole.positives[bin] += positives[bin];
        }
        sums.merge(part);
    }
    whole.probability = (0..bins).map(|bin| sums.get(bin)).collect();
    Ok(whole)
}

/// The number of inner edges, i/n rounded, that are below a probability.
#[inline]
fn near(inner: &[f64], p: f64, bins: usize) -> usize {
    let mut bin = ((p * bins as f64) as usize).min(inner.len());
    while bin > 0 && inner[bin - 1] >= p {
        bin -= 1;
    }
    while bin < inner.len() && inner[bin] < p {
        bin += 1;
    }
    bin
}

/// The quantiles of a column, as numpy's `percentile` interpolates them: in the column's own type.
fn quantiles(scores: &ScoreMatrix, fractions: &[f64]) -> Result<Vec<f64>> {
    let narrow = matches!(scores, ScoreMatrix::F32(_));
    if !narrow && !matches!(scores, ScoreMatrix::F64(_)) {
        return Err(Refusal::Type {
            argument: "y_prob",
            value: "an array of another dtype than float32 and float64".into(),
            expected: "floats, to interpolate between them".into(),
        });
    }
    let mut sorted = scores.lowered(0..scores.rows(), &mut Vec::new()).to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len() - 1;
    let at = |fraction: f64| {
        // numpy is given hundredths and divides them again.
        let place = last as f64 * (fraction * 100.0 / 100.0);
        let low = (place.floor() as usize).min(last);
        let (a, b) = (sorted[low], sorted[(low + 1).min(last)]);
        let gap = if narrow {
            f64::from(b as f32 - a as f32)
        } else {
            b - a
        };
        let part = place - place.floor();
        if part >= 0.5 {
            b - gap * (1.0 - part)
        } else {
            a + gap * part
        }
    };
    Ok(fractions.iter().map(|&fraction| at(fraction)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::matrix::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_in_the_bins_of_the_definition(
            rows in prop::collection::vec((any::<bool>(), prop_oneof![0.0..=1.0, (0u8..=20).prop_map(|x| f64::from(x) / 20.0)]), 1..400),
            bins in 1usize..30,
        ) {
            let labels: Vec<u8> = rows.iter().map(|row| row.0.into()).collect();
            let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let y_true = Labels::U8(Column::from_slice(&labels));
            let y_prob = ScoreMatrix::F64(Matrix::from_slice(&scores, 1));
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::Uniform).unwrap();
            for bin in 0..bins {
                let edge = |place: usize| place as f64 * (1.0 / bins as f64);
                let inside = |p: f64| (bin == 0 || p > edge(bin)) && (bin + 1 == bins || p <= edge(bin + 1));
                let those: Vec<_> = rows.iter().filter(|row| inside(row.1)).collect();
                prop_assert_eq!(found.rows[bin], those.len() as u64);
                prop_assert_eq!(found.positives[bin], those.iter().filter(|row| row.0).count() as u64);
                let sum: f64 = those.iter().map(|row| row.1).sum();
                prop_assert!((found.probability[bin] - sum).abs() <= 1e-12 * sum);
            }
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::Quantile).unwrap();
            prop_assert_eq!(found.rows.iter().sum::<u64>(), rows.len() as u64);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let of = |labels: &[i64], scores: &[f64], positive: Option<&Label>| {
            let y_true = Labels::I64(Column::from_slice(labels));
            calibration(
                &y_true,
                &ScoreMatrix::F64(Matrix::from_slice(scores, 1)),
                positive,
                3,
                Edges::Uniform,
            )
        };
        assert!(of(&[0, 1], &[0.5, 0.25], None).is_ok());
        assert!(of(&[2, 1], &[0.5, 0.25], None).is_err());
        assert!(of(&[2, 1], &[0.5, 0.25], Some(&Label::Int(2))).is_ok());
        assert!(of(&[2, 1, 3], &[0.5, 0.25, 0.0], Some(&Label::Int(2))).is_err());
        assert!(of(&[0, 1], &[0.5, 1.25], None).is_err());
        assert!(of(&[0, 1], &[0.5, f64::NAN], None).is_err());
    }
}
