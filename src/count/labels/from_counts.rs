//! Confusion matrices from given masses: all K·K cells, or a list of cells.
//!
//! Every mass and label is checked here. Whole numbers become counts, other masses exact weights.

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
    /// A number of counts other than K·K, or a total beyond a `u64`; labels that are empty,
    /// repeated or not of their kind.
    pub fn from_counts(counts: &[u64], labels: LabelSet) -> Result<Self> {
        Self::from_own_counts(counts.copy_all(), labels)
    }

    /// [`Self::from_counts`] that reuses the memory of the counts.
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

    /// A matrix from weighted counts in the layout of [`Self::from_counts`]. They are counts if all
    /// are whole numbers with a sum of at most 2^53; otherwise they are weights, and the matrix
    /// counts no rows.
    ///
    /// # Errors
    /// Like [`Self::from_counts`]; a mass that is negative or not finite.
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

    /// A matrix of sampling weights from sums of weights and sums of squared weights, in the layout
    /// of [`Self::from_counts`].
    ///
    /// # Errors
    /// Like [`Self::from_weights`]; a cell that is zero in only one of them.
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

    /// A matrix from a list of cells in any order: actual and predicted class, and the count.
    /// Duplicate cells are added.
    ///
    /// # Errors
    /// Like [`Self::from_counts`]; a class beyond the labels; columns of different length.
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

    /// [`Self::from_cell_counts`] for masses that may be weights, decided as in
    /// [`Self::from_weights`].
    ///
    /// # Errors
    /// Like [`Self::from_cell_counts`]; a mass that is negative or not finite.
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

/// The weights as counts, if all are whole numbers with a sum of at most 2^53.
fn whole(weights: &[f64]) -> Option<Vec<u64>> {
    let whole = weights.iter().all(|weight| weight.fract() == 0.0);
    let few = whole && weights.iter().sum::<f64>() <= (1u64 << 53) as f64;
    few.then(|| weights.iter().map(|&weight| weight as u64).gather())
}

/// Each weight as an exact sum.
fn exact_sums(weights: &[f64]) -> Result<ExactSums> {
    let mut sums = ExactSums::new(weights.len());
    let places: Vec<u64> = (0..weights.len() as u64).gather();
    sums.add_all(Span::from_slice(weights)?, &places, weights);
    Ok(sums)
}

/// Checks labels and cells; returns the keys and places of the non-zero cells.
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

/// Checks the labels, and that there are K·K masses; returns all cells.
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

/// The sum of counts, unless it exceeds a `u64`.
fn total(counts: &[u64]) -> Option<u64> {
    // An upper bound of all counts. If that many times the bound fits, which is usual, no partial
    // sum needs a check.
    let most = counts.iter().fold(0, |all, &count| all | count);
    if most.checked_mul(counts.len() as u64).is_some() {
        return Some(counts.iter().sum());
    }
    let plus = |sum: u64, &count: &u64| sum.checked_add(count);
    counts.iter().try_fold(0, plus)
}
