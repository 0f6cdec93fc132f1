//! Calibration errors from rows: for one column of probabilities, for the most probable class, and
//! for each class against the rest.
//!
//! All three are problems of two outcomes: a probability, and whether the event happened.
//!
//! 1. For bins of equal width and rows without weights, one pass fills the bins
//!    ([`crate::classes::calibration`]). Nothing is sorted.
//! 2. Otherwise the rows become a score table, which has exact sums of weights and bins of equal
//!    weight. Both ways put the same rows into the same bins.
//!
//! Cost at 1e6 rows in ten bins of one width: 3 ms for one column; for bins of equal weight the
//! cost of a score table. Source: Naeini, Cooper, Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602; Guo
//! et al. 2017 (the most probable class); Kull et al. 2019, Beyond temperature scaling, Advances in
//! Neural Information Processing Systems 32 (each class).

use crate::arith::exact::Weights;
use crate::base::column::Column;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelSet, Labels, ScoreMatrix, Scores};
use crate::base::matrix::Matrix;
use crate::base::memory::{Room, with_room};
use crate::classes::calibration::{Edges, calibration};
use crate::classes::losses::row_count;
use crate::classes::top_label::{classes_of_columns, top_labels};
use crate::labels::classes::Classes;
use crate::scores::calibration::bins::{Binning, CalibrationBins, Norm};
use crate::scores::calibration::losses::not_a_probability;
use crate::scores::ranking::Ranking;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

/// The event that is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The positive class of two: its probability is the only column, or the second of two.
    Binary,
    /// The row has its most probable class.
    TopLabel,
    /// Each class in turn; the norm combines the errors of the classes with equal weights.
    ClassWise,
}

/// How the calibration error is measured.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The event that is predicted.
    pub mode: Mode,
    /// The number of bins.
    pub bins: usize,
    /// The kind of bins.
    pub binning: Binning,
    /// How the differences are combined.
    pub norm: Norm,
}

/// The calibration error; `None` if all weights are zero.
///
/// `labels` are the classes of the columns, ascending; by default the labels in `y_true`.
/// `positive` matters only for [`Mode::Binary`]; by default the greater label is positive.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; more
/// than two columns or labels for [`Mode::Binary`]; a label that is missing, fractional or outside
/// the classes; a score outside [0, 1]; a weight that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::calibration_error::{Measure, Mode, calibration_error};
/// use rocksteady_count::base::matrix::Matrix;
/// use rocksteady_count::scores::calibration::bins::{Binning, Norm};
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = ScoreMatrix::F64(Matrix::from_slice(&[0.25, 0.5, 0.75, 1.0], 1));
/// let (mode, binning) = (Mode::Binary, Binning::Uniform);
/// let measure = Measure { mode, bins: 2, binning, norm: Norm::Mean };
/// assert_eq!(calibration_error(&y_true, &y_score, None, None, None, &measure)?, Some(0.125));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn calibration_error(
    y_true: &Labels,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    labels: Option<LabelSet>,
    positive: Option<&Label>,
    measure: &Measure,
) -> Result<Option<f64>> {
    const MOST: usize = 1 << 16;
    if !(1..=MOST).contains(&measure.bins) {
        let expected = format!("a whole number from 1 to {MOST}");
        return Err(Refusal::argument("bins", measure.bins, expected));
    }
    let rows = row_count(y_true, y_score, weights.as_ref())?;
    let hits = |hits: &[u8], column: &ScoreMatrix| {
        let truth = Labels::of::<u8>(Column::from_slice(hits));
        bins(&truth, column, weights, Some(&Label::Int(1)), measure)
    };
    match measure.mode {
        Mode::Binary => {
            let column = match y_score.columns() {
                1 => *y_score,
                2 => (&y_score.column(1)).into(),
                columns => {
                    let found = format!("a matrix of {columns} columns");
                    let expected = "one column, or two, for mode \"binary\"";
                    return Err(Refusal::argument("y_score", found, expected));
                }
            };
            let bins = bins(y_true, &column, weights, positive, measure)?;
            Ok(bins.error(measure.norm))
        }
        Mode::TopLabel => {
            let top = top_labels(y_true, labels, y_score)?;
            let confidence = ScoreMatrix::of::<f64>(Matrix::from_slice(&top.confidence, 1));
            Ok(hits(&top.correct, &confidence)?.error(measure.norm))
        }
        Mode::ClassWise => {
            let (classes, columns) = classes_of_columns(y_true, labels, y_score)?;
            if columns < 2 {
                let expected = "a column for each class for mode \"classwise\"";
                return Err(Refusal::argument("y_score", "one column", expected));
            }
            let mut codes = vec![0; rows];
            classes.lower(0..rows, &mut codes)?;
            let mut errors = with_room(columns);
            let mut is = vec![0_u8; rows];
            for class in 0..columns {
                for (is, &code) in is.iter_mut().zip(&codes) {
                    *is = u8::from(code as usize == class);
                }
                let bins = hits(&is, &(&y_score.column(class)).into())?;
                let Some(error) = bins.error(measure.norm) else {
                    return Ok(None);
                };
                errors.grow(error);
            }
            let all = errors.iter();
            Ok(Some(match measure.norm {
                Norm::Mean => all.sum::<f64>() / columns as f64,
                Norm::RootMeanSquare => {
                    (all.map(|error| error * error).sum::<f64>() / columns as f64).sqrt()
                }
                Norm::Max => all.fold(0.0, |most: f64, &error| most.max(error)),
            }))
        }
    }
}

/// The bins of one column.
fn bins(
    y_true: &Labels,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    positive: Option<&Label>,
    measure: &Measure,
) -> Result<CalibrationBins> {
    if weights.is_none() && measure.binning == Binning::Uniform {
        let found = Classes::found(y_true, 2)?.labels.values;
        // The table refuses a positive label that is neither.
        if let [_, greater] = &found[..]
            && positive.is_none_or(|positive| found.contains(positive))
        {
            let positive = positive.unwrap_or(greater);
            let filled =
                calibration(y_true, y_score, Some(positive), measure.bins, Edges::LeftClosed)?;
            let mut bins = CalibrationBins::default();
            for (bin, &rows) in filled.rows.iter().enumerate() {
                if rows == 0 {
                    bins.empty += 1;
                    continue;
                }
                let edge = |bin: usize| bin as f64 / measure.bins as f64;
                bins.lower.grow(edge(bin));
                bins.upper.grow(edge(bin + 1));
                bins.positives.grow(filled.positives[bin] as f64);
                bins.negatives.grow((rows - filled.positives[bin]) as f64);
                bins.score.grow(filled.probability[bin]);
            }
            return Ok(bins);
        }
    }
    let options = SweepOptions { pos_label: positive.cloned(), ..SweepOptions::default() };
    let scores: Scores = y_score.column(0);
    let table = score_table(y_true, &scores, weights, &options)?;
    if table.is_empty() {
        return Ok(CalibrationBins::default());
    }
    let bins = Ranking::from(table).calibration_bins(measure.bins, measure.binning);
    bins.ok_or_else(|| outside(y_score))
}

/// Refuses the first row outside [0, 1].
#[cold]
fn outside(y_score: &ScoreMatrix) -> Refusal {
    let mut out = Vec::new();
    let values = y_score.lowered(0..y_score.rows(), &mut out);
    not_a_probability("y_score", values, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rows in one pass, rows with weights of one through a table, and the definition.
        #[test]
        fn every_way_finds_the_same_bins(
            rows in prop::collection::vec((0_u8..2, prop_oneof![0.0..=1.0, (0_u8..=20).prop_map(|x| f64::from(x) / 20.0)]), 2..200),
            bins in 1_usize..40,
        ) {
            let mut y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            (y[0], y[1]) = (0, 1);
            let s: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let ones = vec![1.0; y.len()];
            let labels = Labels::U8(Column::from_slice(&y));
            let scores = ScoreMatrix::F64(Matrix::from_slice(&s, 1));
            for norm in [Norm::Mean, Norm::RootMeanSquare, Norm::Max] {
                let measure = Measure { mode: Mode::Binary, bins, binning: Binning::Uniform, norm };
                let of = |weights| calibration_error(&labels, &scores, weights, None, None, &measure).unwrap().unwrap();
                let (mut mean, mut square, mut most) = (0.0, 0.0, 0.0_f64);
                for bin in 0..bins {
                    let edge = |bin: usize| bin as f64 / bins as f64;
                    let inside = |s: f64| s >= edge(bin) && (bin + 1 == bins || s < edge(bin + 1));
                    let those: Vec<usize> = (0..y.len()).filter(|&row| inside(s[row])).collect();
                    if those.is_empty() { continue; }
                    let count = those.len() as f64;
                    let gap = (those.iter().map(|&row| f64::from(y[row]) - s[row]).sum::<f64>() / count).abs();
                    mean += gap * count / y.len() as f64;
                    square += gap * gap * count / y.len() as f64;
                    most = most.max(gap);
                }
                let expected = match norm { Norm::Mean => mean, Norm::RootMeanSquare => square.sqrt(), Norm::Max => most };
                prop_assert!((of(None) - expected).abs() < 1e-12);
                prop_assert!((of(Some(Column::from_slice(&ones))) - expected).abs() < 1e-12);
            }
        }
    }
}
