//! Confusion matrices from masses that somebody else has counted: all K·K of them, or cell by
//! cell.
//!
//! Every mass and label is checked here. Masses that are whole numbers become counts, others
//! exact weights.

use crate::arith::exact::{ExactSums, Span};
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelSet;
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room};
use crate::labels::cells::Pattern;
use crate::labels::confusion::{ConfusionMatrix, Masses, check_labels, key};

impl ConfusionMatrix {
    /// A matrix from counts: K·K of them, row by row, rows being actual classes; `labels` names the
    /// K classes.
    ///
    /// # Errors
    /// Counts that are not K·K or add up to more than a `u64` holds; labels that are none, repeated
    /// or not of their kind.
    pub fn from_counts(counts: &[u64], labels: LabelSet) -> Result<Self> {
        Self::from_own_counts(counts.copy_all(), labels)
    }

    /// The same, in the memory that the counts are in.
    pub fn from_own_counts(mut counts: Vec<u64>, labels: LabelSet) -> Result<Self> {
        check_square(counts.len(), &labels)?;
        let Some(rows) = total(&counts) else {
            let found = "more than 2^64 in all";
            let expected = "a total below 2^64";
            return Err(Refusal::argument("counts", found, expected));
        };
        let classes = labels.len();
        let some = counts.iter().filter(|&&count| count != 0).count();
        let mut pattern = Pattern::with_room(classes, some);
        let mut kept = 0;
        for start in (0..counts.len()).step_by(classes) {
            interrupt::check();
            pattern.starts.grow(kept);
            let row = start..start + classes;
            if some == counts.len() || !counts[row.clone()].contains(&0) {
                pattern.columns.grow_with(0..classes as u32);
                counts.copy_within(row, kept); // at once, as most rows of most matrices are
                kept += classes;
                continue;
            }
            for (column, place) in (0..).zip(row) {
                if counts[place] != 0 {
                    pattern.columns.grow(column);
                    counts[kept] = counts[place];
                    kept += 1;
                }
            }
        }
        let pattern = pattern.closed(classes);
        if some < counts.len() {
            counts.truncate(some);
            counts.shrink_to(2 * some);
        }
        let masses = Masses::Counts(counts);
        Ok(Self::from_pattern(labels, rows, pattern, masses))
    }

    /// A matrix from weighted counts, laid out as for [`Self::from_counts`], which it is if all of
    /// them are whole numbers that add up to at most 2^53. Otherwise they are weights, of which no
    /// rows are counted.
    ///
    /// # Errors
    /// As for [`Self::from_counts`]; a mass that is negative or not finite.
    pub fn from_weights(weights: &[f64], labels: LabelSet) -> Result<Self> {
        check_square(weights.len(), &labels)?;
        let classes = labels.len();
        if let Some(bad) = weights.iter().position(|weight| !(0.0..f64::INFINITY).contains(weight))
        {
            let value = format!("{} at [{}, {}]", weights[bad], bad / classes, bad % classes);
            let expected = "finite numbers that are not negative";
            return Err(Refusal::argument("counts", value, expected));
        }
        if let Some(counts) = whole(weights) {
            return Self::from_counts(&counts, labels);
        }
        let masses = Masses::Weights(exact_sums(weights)?);
        let each = || 0..classes as u32;
        let cells = each().flat_map(|actual| each().map(move |predicted| (actual, predicted)));
        Ok(Self::from_cells(labels, 0, cells.gather(), masses))
    }

    /// A matrix of sampling weights: the sums of weights, laid out as for [`Self::from_counts`],
    /// and those of their squares.
    ///
    /// # Errors
    /// As for [`Self::from_weights`]; a cell that is zero in one only.
    pub fn from_sampling(weights: &[f64], squares: &[f64], labels: LabelSet) -> Result<Self> {
        check_square(weights.len(), &labels)?;
        let all = |masses: &[f64], labels: LabelSet| {
            let each = || 0..labels.len() as u32;
            let cells = each().flat_map(|actual| each().map(move |predicted| (actual, predicted)));
            let cells = cells.gather();
            let masses = Masses::Weights(exact_sums(masses)?);
            Ok(Self::from_cells(labels, 0, cells, masses))
        };
        all(weights, labels.clone())?.with_squares(all(squares, labels)?)
    }

    /// A matrix from its cells in any order, those that are there twice added: actual and predicted
    /// class, and the count.
    ///
    /// # Errors
    /// As for [`Self::from_counts`]; a class beyond the labels; columns of different length.
    pub fn from_cell_counts(
        actual: &[u32],
        predicted: &[u32],
        counts: &[u64],
        labels: LabelSet,
    ) -> Result<Self> {
        let cells =
            check_cells(actual, predicted, counts.len(), &labels, |place| counts[place] > 0)?;
        let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        if total.is_none() {
            let found = "more than 2^64 in all";
            let expected = "a total below 2^64";
            return Err(Refusal::argument("amounts", found, expected));
        }
        Ok(Self::gathered(labels, 0, &Masses::Counts(counts.copy_all()), cells))
    }

    /// The same for masses that may be weights; which they are is decided as in
    /// [`Self::from_weights`].
    ///
    /// # Errors
    /// As for [`Self::from_cell_counts`]; a mass that is negative or not finite.
    pub fn from_cell_weights(
        actual: &[u32],
        predicted: &[u32],
        weights: &[f64],
        labels: LabelSet,
    ) -> Result<Self> {
        if let Some(place) =
            weights.iter().position(|weight| !(0.0..f64::INFINITY).contains(weight))
        {
            let expected = "a finite number that is not negative";
            return Err(Refusal::row("amounts", place, weights[place], expected));
        }
        if let Some(counts) = whole(weights) {
            return Self::from_cell_counts(actual, predicted, &counts, labels);
        }
        let cells =
            check_cells(actual, predicted, weights.len(), &labels, |place| weights[place] > 0.0)?;
        Ok(Self::gathered(labels, 0, &Masses::Weights(exact_sums(weights)?), cells))
    }
}

/// The weights as counts, if all are whole numbers that add up to at most 2^53.
fn whole(weights: &[f64]) -> Option<Vec<u64>> {
    let whole = weights.iter().all(|weight| weight.fract() == 0.0);
    let few = whole && weights.iter().sum::<f64>() <= (1u64 << 53) as f64;
    few.then(|| weights.iter().map(|&weight| weight as u64).gather())
}

/// Each weight as a sum of its own.
fn exact_sums(weights: &[f64]) -> Result<ExactSums> {
    let mut sums = ExactSums::new(weights.len());
    let places: Vec<u64> = (0..weights.len() as u64).gather();
    sums.add_all(Span::from_slice(weights)?, &places, weights);
    Ok(sums)
}

/// Checks labels and cells; returns the keys and places of those that hold something.
fn check_cells(
    actual: &[u32],
    predicted: &[u32],
    masses: usize,
    labels: &LabelSet,
    holds: impl Fn(usize) -> bool,
) -> Result<Vec<(u64, usize)>> {
    check_labels(labels)?;
    for (argument, classes) in [("actual", actual), ("predicted", predicted)] {
        if classes.len() != masses {
            let found = format!("of length {}", classes.len());
            let expected = format!("length {masses}, that of amounts");
            return Err(Refusal::argument(argument, found, expected));
        }
        if let Some(place) = classes.iter().position(|&class| class as usize >= labels.len()) {
            let expected = format!("a place below {}, the number of classes", labels.len());
            return Err(Refusal::row(argument, place, classes[place], expected));
        }
    }
    let cells = actual.iter().zip(predicted).zip(0..);
    Ok(cells
        .filter(|&(_, place)| holds(place))
        .map(|((&a, &p), place)| (key(a, p), place))
        .gather())
}

/// Checks the labels and that there are K·K masses for them; returns the cells of all of them.
fn check_square(masses: usize, labels: &LabelSet) -> Result<()> {
    check_labels(labels)?;
    let classes = labels.len();
    if classes.checked_mul(classes) != Some(masses) {
        let found = format!("{masses} amounts");
        let expected = format!("{classes} by {classes}, one row and one column for each label");
        return Err(Refusal::argument("counts", found, expected));
    }
    Ok(())
}

/// The sum of counts, unless it is more than a `u64` holds.
fn total(counts: &[u64]) -> Option<u64> {
    // None of them is above this one. Where so many of it can be added, which is the rule, there is
    // nothing to look at in between.
    let most = counts.iter().fold(0, |all, &count| all | count);
    if most.checked_mul(counts.len() as u64).is_some() {
        return Some(counts.iter().sum());
    }
    let plus = |sum: u64, &count: &u64| sum.checked_add(count);
    counts.iter().try_fold(0, plus)
}
