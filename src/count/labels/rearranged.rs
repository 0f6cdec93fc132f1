//! Confusion matrices with their classes renamed, merged, left out or exchanged.

use crate::base::error::{Refusal, Result};
use crate::base::input::LabelSet;
use crate::base::memory::Gather;
use crate::labels::confusion::{ConfusionMatrix, Masses, check_labels, key};

impl ConfusionMatrix {
    /// The matrix with other names for its classes; nothing else changes.
    ///
    /// # Errors
    /// [`Refusal::Argument`] if the number of `labels` differs from the number of classes, if they
    /// are not distinct, or if they mix numbers and strings.
    pub fn relabelled(&self, labels: LabelSet) -> Result<Self> {
        if labels.len() != self.classes() {
            let found = format!("of length {}", labels.len());
            let expected = format!("{} labels, one for each class", self.classes());
            return Err(Refusal::argument("labels", found, expected));
        }
        check_labels(&labels)?;
        let squares = self.of_squares(|squares| squares.relabelled(labels.clone()))?;
        let (pattern, masses) = (self.pattern().clone(), self.masses().clone());
        Ok(Self::from_pattern(labels, self.rows(), pattern, masses).beside(squares))
    }

    /// Merges and drops classes: class `k` becomes `classes[k]`. Merged classes are added exactly.
    /// A row with a class of `None` is left out.
    ///
    /// The number of rows of a weighted matrix is unknown after rows were left out, and is then 0.
    ///
    /// # Errors
    /// Like [`Self::relabelled`], without the check of their number; [`Refusal::Argument`] unless
    /// `classes` has an entry within the labels for each class of this matrix.
    ///
    /// ```
    /// use rocksteady_count::base::input::{Label, LabelKind, LabelSet};
    /// use rocksteady_count::labels::confusion::ConfusionMatrix;
    ///
    /// let set = |values: &[i128]| LabelSet {
    ///     kind: LabelKind::Int,
    ///     values: values.iter().map(|&value| Label::Int(value)).collect(),
    /// };
    /// let matrix = ConfusionMatrix::from_counts(&[5, 1, 0, 2, 6, 1, 0, 3, 7], set(&[1, 2, 3]))?;
    /// let large = matrix.mapped(set(&[1, 20]), &[Some(0), Some(1), Some(1)])?;
    /// assert_eq!(large.to_counts().as_deref(), Some(&[5, 1, 2, 17][..]));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn mapped(&self, labels: LabelSet, classes: &[Option<u32>]) -> Result<Self> {
        check_labels(&labels)?;
        let beyond =
            |class: &Option<u32>| class.is_some_and(|class| class as usize >= labels.len());
        if classes.len() != self.classes() || classes.iter().any(beyond) {
            let found = format!("{} classes for {} labels", classes.len(), labels.len());
            let expected = format!("{}, each the place of a label", self.classes());
            return Err(Refusal::argument("classes", found, expected));
        }
        let cells: Vec<(u64, usize)> = self
            .pairs()
            .zip(0..)
            .filter_map(|((a, p), place)| {
                Some((key(classes[a as usize]?, classes[p as usize]?), place))
            })
            .gather();
        let rows = if cells.len() == self.occupied() { self.rows() } else { 0 };
        let squares = self.of_squares(|squares| squares.mapped(labels.clone(), classes))?;
        Ok(Self::gathered(labels, rows, self.masses(), cells).beside(squares))
    }

    /// The matrix with actual and predicted classes exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let (pattern, masses) = match self.masses() {
            Masses::Counts(counts) => {
                let (pattern, counts) = self.pattern().turned(counts.iter().copied());
                (pattern, Masses::Counts(counts))
            }
            Masses::Weights(sums) => {
                let (pattern, places) = self.pattern().turned(0..self.occupied());
                (pattern, Masses::Weights(sums.taken(&places)))
            }
        };
        let squares = self.squares().map(|squares| Box::new(squares.transposed()));
        Self::from_pattern(self.labels().clone(), self.rows(), pattern, masses).beside(squares)
    }
}
