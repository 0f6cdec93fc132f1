//! A confusion matrix without the rows of another: the inverse of addition.
//!
//! 1. Each class of the other matrix is found among the own classes, and each of its cells among
//!    the own cells.
//! 2. Counts are subtracted as integers, weights as exact sums. So `(a + b) - b` is `a`, bit for
//!    bit, if `a` has all classes of `b`. Otherwise it also has the classes of `b`, without rows.
//! 3. Cells that become zero disappear. Classes stay, because the matrix does not know which it had
//!    before the addition.
//!
//! Cost: a binary search for each cell of the other matrix, and one pass over the own cells.

use crate::arith::weight_kind::{other_squares, subtracted};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind};
use crate::base::memory::{CopyAll, Gather, map_of};
use crate::labels::confusion::{ConfusionMatrix, Masses};

fn refusal(reason: impl Into<String>) -> Refusal {
    let reason = reason.into();
    Refusal::Difference { reason }
}

impl ConfusionMatrix {
    /// Subtracts a matrix of some of these rows. The classes stay.
    ///
    /// Subtracted from weights, a count is that many weights of one.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for an unknown class, a cell or rows that would become negative,
    /// weights subtracted from counts, and weights of two kinds.
    ///
    /// ```
    /// use rocksteady_count::base::input::LabelSet;
    /// use rocksteady_count::labels::confusion::ConfusionMatrix;
    ///
    /// let week = ConfusionMatrix::from_counts(&[5, 1, 2, 9], LabelSet::numbered(2))?;
    /// let monday = ConfusionMatrix::from_counts(&[2, 0, 1, 3], LabelSet::numbered(2))?;
    /// let rest = week.subtract(&monday)?;
    /// assert_eq!(rest.to_counts().as_deref(), Some(&[3, 1, 1, 6][..]));
    /// assert_eq!(rest.add(&monday)?, week);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let classes = self.classes_of(other)?;
        let squares = match (self.squares(), other.squares()) {
            (Some(own), None) if other.is_of_no_rows() => Some(Box::new(own.clone())),
            (own, their) => subtracted(own, their, Self::subtract)?,
        };
        let label = |class: u32| &self.labels().values[class as usize];
        let mut places = vec![0_usize; other.occupied()];
        for (to, (actual, predicted)) in places.iter_mut().zip(other.pairs()) {
            let cell = (classes[actual as usize], classes[predicted as usize]);
            let place = self.place(cell.0 as usize, cell.1 as usize);
            *to = place.ok_or_else(|| {
                refusal(format!(
                    "there are rows of class {} predicted to be {}, but none in what they are \
                     taken from",
                    label(cell.0),
                    label(cell.1)
                ))
            })?;
        }
        let below = |place: usize| {
            let (actual, predicted) = self.pairs().nth(place).unwrap_or_default();
            let there = places.iter().position(|&own| own == place);
            let there = there.map_or(0.0, |there| other.mass_of(there));
            refusal(format!(
                "class {} predicted to be {}: {} less {there} is below zero",
                label(actual),
                label(predicted),
                self.mass_of(place)
            ))
        };
        let masses = match (self.masses(), other.masses()) {
            (Masses::Counts(counts), Masses::Counts(less)) => {
                let mut counts = counts.copy_all();
                for (&place, &less) in places.iter().zip(less) {
                    let left = counts[place].checked_sub(less);
                    counts[place] = left.ok_or_else(|| below(place))?;
                }
                Masses::Counts(counts)
            }
            (Masses::Weights(sums), _) => {
                let less = other.exact().moved(&places, sums.len());
                Masses::Weights(sums.without(&less).map_err(below)?)
            }
            (Masses::Counts(_), Masses::Weights(_)) => {
                return Err(refusal(
                    "weights are taken from counts of rows; expected weights in both, or in the \
                     first",
                ));
            }
        };
        let rows = self.rows().checked_sub(other.rows()).ok_or_else(|| {
            refusal(format!("{} rows are taken from {}", other.rows(), self.rows()))
        })?;
        let (labels, pattern) = (self.labels().clone(), self.pattern().clone());
        let rest = Self::without_zeros(labels, rows, pattern, masses);
        match squares {
            None => Ok(rest),
            Some(squares) => rest.with_squares(*squares).map_err(|_| other_squares()),
        }
    }

    /// The own class for each class of another matrix.
    fn classes_of(&self, other: &Self) -> Result<Vec<u32>> {
        let (own, their) = (self.labels(), other.labels());
        if own.values == their.values {
            return Ok((0..own.len() as u32).gather());
        }
        if (own.kind == LabelKind::Text) != (their.kind == LabelKind::Text) {
            return Err(refusal("the labels of one are text, the labels of the other numbers"));
        }
        let classes = map_of::<&Label, u32, std::hash::RandomState>(own.values.iter().zip(0..));
        let class = |label: &Label| {
            let reason = || format!("the class {label} is not in what it is taken from");
            classes.get(label).copied().ok_or_else(|| refusal(reason()))
        };
        their.values.iter().map(class).gather_all()
    }

    /// The matrix without the classes that have no row, actual or predicted.
    #[must_use]
    pub fn without_empty_classes(&self) -> Self {
        let mut is_met = vec![false; self.classes()];
        for (actual, predicted) in self.pairs() {
            is_met[actual as usize] = true;
            is_met[predicted as usize] = true;
        }
        let mut kept = 0..;
        let classes: Vec<u32> =
            is_met.iter().map(|&is_met| if is_met { kept.next().unwrap_or(0) } else { 0 }).gather();
        let mut labels = self.labels().clone();
        let mut met = is_met.iter();
        labels.values.retain(|_| met.next() == Some(&true));
        let cells = self.pairs();
        let cells = cells.map(|(a, p)| (classes[a as usize], classes[p as usize]));
        let cells: Vec<(u32, u32)> = cells.gather();
        let squares = self.squares();
        let squares = squares.map(|squares| Box::new(squares.without_empty_classes()));
        Self::from_cells(labels, self.rows(), cells, self.masses().clone()).beside(squares)
    }
}

#[cfg(test)]
mod tests {
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    use super::*;
    use crate::arith::weight_kind::WeightKind;
    use crate::base::column::Column;
    use crate::base::input::{LabelSet, Labels};
    use crate::labels::counting::count::{CountOptions, confusion};

    fn counted(rows: &[(i64, i64, f64)], weights: Option<WeightKind>) -> ConfusionMatrix {
        let actual: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let predicted: Vec<i64> = rows.iter().map(|row| row.1).collect();
        let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let options =
            CountOptions { weight_kind: weights.unwrap_or_default(), ..CountOptions::default() };
        confusion(
            &Labels::I64(Column::from_slice(&actual)),
            &Labels::I64(Column::from_slice(&predicted)),
            weights.is_some().then(|| Column::from_slice(&w)),
            &options,
        )
        .unwrap()
    }

    /// The matrix of no rows with the labels of another.
    fn blank(of: &ConfusionMatrix) -> ConfusionMatrix {
        let counts = vec![0; of.classes() * of.classes()];
        ConfusionMatrix::from_counts(&counts, of.labels().clone()).unwrap()
    }

    const KINDS: [Option<WeightKind>; 3] =
        [None, Some(WeightKind::Counts), Some(WeightKind::Sampling)];

    fn weight() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            Just(1e-100),
            Just(1e100),
            0.0..3.0_f64,
            (1..9_u8).prop_map(|eighths| f64::from(eighths) / 8.0)
        ]
    }

    fn rows(most: i64) -> impl Strategy<Value = Vec<(i64, i64, f64)>> {
        prop::collection::vec((0..most, 0..most, weight()), 1..40)
    }

    proptest! {
        #[test]
        fn what_was_added_is_taken_away(a in rows(5), b in rows(6)) {
            for kind in KINDS {
                let (a, b) = (counted(&a, kind), counted(&b, kind));
                let sum = a.add(&b).unwrap();
                let back = sum.subtract(&b).unwrap();
                prop_assert_eq!(&back, &a.add(&blank(&b)).unwrap());
                prop_assert_eq!(back.add(&b).unwrap().to_bytes(), sum.to_bytes());
                if a.labels() == sum.labels() {
                    prop_assert_eq!(back.to_bytes(), a.to_bytes());
                }
                // Every class has rows, so only subtraction can leave one empty.
                let nothing = sum.subtract(&sum).unwrap();
                prop_assert_eq!((nothing.rows(), nothing.occupied()), (0, 0));
                prop_assert_eq!(nothing.without_empty_classes().classes(), 0);
            }
        }

        #[test]
        fn what_is_no_part_is_refused(a in rows(4), b in rows(4)) {
            for kind in KINDS {
                let (a, b) = (counted(&a, kind), counted(&b, kind));
                // Masses are compared exactly: rounded ones may be equal although the part is
                // larger.
                let whole = a.exact_cells();
                let is_part = b.labels().values.iter().all(|label| a.labels().values.contains(label))
                    && b.rows() <= a.rows()
                    && b.exact_cells().iter().all(|(actual, predicted, mass)| {
                        let own = |class: usize| {
                            a.labels().values.iter().position(|own| *own == b.labels().values[class]).unwrap()
                        };
                        let place = (own(*actual), own(*predicted));
                        let own = whole.iter().find(|cell| (cell.0, cell.1) == place);
                        own.is_some_and(|cell| cell.2.compare(mass).is_ge()) || mass.is_zero()
                    });
                match a.subtract(&b) {
                    Ok(rest) => prop_assert_eq!(rest.add(&b).unwrap(), a),
                    // Squares may be no part although the weights are.
                    Err(refusal) => {
                        prop_assert!(!is_part || kind == Some(WeightKind::Sampling), "{refusal}");
                        let text = refusal.to_string();
                        prop_assert!(text.starts_with("cannot subtract: "), "{}", text);
                    }
                }
            }
        }
    }

    #[test]
    fn the_place_is_named() {
        let of = |counts: &[u64], labels: usize| {
            ConfusionMatrix::from_counts(counts, LabelSet::numbered(labels)).unwrap()
        };
        let whole = of(&[5, 1, 0, 9], 2);
        let words = |less: &ConfusionMatrix| whole.subtract(less).unwrap_err().to_string();
        assert_eq!(
            words(&of(&[2, 3, 0, 9], 2)),
            "cannot subtract: class 0 predicted to be 1: 1 less 3 is below zero"
        );
        assert!(words(&of(&[2, 1, 1, 9], 2)).contains("class 1 predicted to be 0, but none"));
        assert!(words(&of(&[0; 9], 3)).contains("the class 2 is not in"));
        let weighed = ConfusionMatrix::from_weights(&[0.5, 0.0, 0.0, 0.5], LabelSet::numbered(2));
        assert!(words(&weighed.unwrap()).contains("weights are taken from counts"));
        let big = of(&[1 << 60, 0, 0, 1 << 62], 2);
        let back = big.add(&whole).unwrap().subtract(&big).unwrap();
        assert_eq!(back, whole);
    }
}
