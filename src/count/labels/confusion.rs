//! The confusion matrix: the number or weight of the rows with each actual and each predicted
//! class.
//!
//! One representation serves two classes and a hundred thousand: the labels, the non-zero cells
//! ordered by row and then column, and the start of each row. Masses are `u64` counts or exact sums
//! of weights, so matrices add without rounding: the sum of parts is, to the bit, the matrix of all
//! rows at once.

use std::collections::HashMap;
use std::sync::Arc;

use crate::arith::cell_sums::to_floats;
use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::fraction::Fraction;
use crate::arith::weight_kind::{WeightKind, added, changed};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, map_of, set_with_room, with_room};
use crate::labels::cells::{Cell, Cells, Pattern, place_in, run};
use crate::labels::view::{BinaryCounts, Known, MatrixView, Rest};

/// The masses of the cells: counts or weights.
#[derive(Debug, PartialEq, Eq)]
pub enum Masses {
    Counts(Vec<u64>),
    Weights(ExactSums),
}

impl Clone for Masses {
    fn clone(&self) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts(counts.copy_all()),
            Self::Weights(sums) => Self::Weights(sums.clone()),
        }
    }
}

/// A K×K confusion matrix: rows are actual classes, columns predicted ones.
///
/// It always holds: the labels are distinct and of their kind; the cells are distinct, in order,
/// inside the matrix and not zero; counts add up to a `u64`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfusionMatrix {
    labels: LabelSet,
    rows: u64,
    /// The places of the cells, shared with the views.
    pattern: Arc<Pattern>,
    masses: Masses,
    /// For sampling weights: the matrix of the same rows with squared weights.
    squares: Option<Box<Self>>,
}

impl ConfusionMatrix {
    /// The matrix of no rows and no classes: adding it to a matrix of the same kind changes
    /// nothing.
    pub fn empty(kind: LabelKind) -> Self {
        let labels = LabelSet { kind, values: Vec::new() };
        Self::from_cells(labels, 0, Vec::new(), Masses::Counts(Vec::new()))
    }

    /// The matrix of distinct, ordered cells (actual, predicted) and their masses. Cells of mass
    /// zero are dropped.
    pub fn from_cells(labels: LabelSet, rows: u64, cells: Vec<(u32, u32)>, masses: Masses) -> Self {
        let pattern = Pattern::from_pairs(labels.len(), cells.into_iter());
        Self::without_zeros(labels, rows, pattern, masses)
    }

    /// The matrix of a pattern of cells and their masses. Cells of mass zero are dropped.
    pub fn without_zeros(
        labels: LabelSet,
        rows: u64,
        mut pattern: Pattern,
        mut masses: Masses,
    ) -> Self {
        /// The places of the non-zero masses; none if all are non-zero.
        fn places<T: PartialEq + Default>(masses: &[T]) -> Option<Vec<usize>> {
            let zero = T::default();
            masses.contains(&zero).then(|| {
                let some = (0..).zip(masses).filter(|(_, mass)| **mass != zero);
                some.map(|(place, _)| place).gather()
            })
        }
        let kept = match &masses {
            Masses::Counts(counts) => places(counts),
            Masses::Weights(sums) => match sums.sums() {
                Sums::Narrow(sums) => places(sums),
                Sums::Wide(sums) => places(sums),
            },
        };
        if let Some(kept) = kept {
            let pairs: Vec<(u32, u32)> = pattern.pairs().gather();
            let pairs = kept.iter().map(|&place| pairs[place]);
            pattern = Pattern::from_pairs(labels.len(), pairs);
            masses = match masses {
                Masses::Counts(counts) => {
                    Masses::Counts(kept.iter().map(|&place| counts[place]).gather())
                }
                Masses::Weights(sums) => Masses::Weights(sums.taken(&kept)),
            };
        }
        if let Masses::Weights(sums) = masses {
            masses = Masses::Weights(sums.canonical());
        }
        Self::from_pattern(labels, rows, pattern, masses)
    }

    /// The matrix of a pattern of non-zero cells and their masses in canonical form.
    pub(crate) fn from_pattern(
        labels: LabelSet,
        rows: u64,
        pattern: Pattern,
        masses: Masses,
    ) -> Self {
        debug_assert_eq!(pattern.classes(), labels.len());
        Self { labels, rows, pattern: Arc::new(pattern), masses, squares: None }
    }

    /// This matrix with sampling weights and the matrix of their squares.
    ///
    /// # Errors
    /// [`Refusal::Argument`] if the squares cannot belong to the same rows.
    pub(crate) fn with_squares(self, squares: Self) -> Result<Self> {
        let is_of_same_rows = self.labels == squares.labels
            && self.rows == squares.rows
            && self.pattern == squares.pattern
            && self.is_weighted() == squares.is_weighted()
            && squares.squares.is_none();
        if !is_of_same_rows {
            return Err(changed());
        }
        Ok(self.beside(Some(Box::new(squares))))
    }

    /// The matrix of the same rows with a sampling weight above zero for each actual class; `None`
    /// if they have weights already.
    pub fn weighed(&self, weights: &[f64]) -> Option<Self> {
        let Masses::Counts(counts) = &self.masses else {
            return None;
        };
        let of = |square: fn(f64) -> f64| {
            let rows = self.pattern.starts.windows(2).map(|ends| &counts[ends[0]..ends[1]]);
            let columns: Vec<_> = rows.zip(weights.iter().map(|&weight| square(weight))).gather();
            let sums = ExactSums::of_counts(&columns, false).canonical();
            let (labels, pattern) = (self.labels.clone(), self.pattern.clone());
            Self { labels, rows: self.rows, pattern, masses: Masses::Weights(sums), squares: None }
        };
        Some(of(|weight| weight).beside(Some(Box::new(of(|weight| weight * weight)))))
    }

    /// This matrix with its matrix of squares.
    pub fn beside(self, squares: Option<Box<Self>>) -> Self {
        Self { squares, ..self }
    }

    /// The matrix of the same rows with squared weights, if these are sampling weights.
    pub fn squares(&self) -> Option<&Self> {
        self.squares.as_deref()
    }

    /// Applies to the squares an operation that was applied to the matrix.
    ///
    /// # Errors
    /// The errors of the operation.
    pub(crate) fn of_squares(
        &self,
        make: impl FnOnce(&Self) -> Result<Self>,
    ) -> Result<Option<Box<Self>>> {
        let made = self.squares().map(make).transpose()?;
        Ok(made.map(Box::new))
    }

    /// The meaning of the rows' weights.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    /// The places of the cells.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The masses of the cells.
    pub(crate) fn masses(&self) -> &Masses {
        &self.masses
    }

    /// K, the number of classes.
    pub fn classes(&self) -> usize {
        self.labels.len()
    }

    /// The labels of the classes.
    pub fn labels(&self) -> &LabelSet {
        &self.labels
    }

    /// The number of rows counted, including rows of weight zero; 0 for a matrix given as weights.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether the masses are weights; otherwise they are counts.
    pub fn is_weighted(&self) -> bool {
        matches!(self.masses, Masses::Weights(_))
    }

    /// The number of non-zero cells.
    pub fn occupied(&self) -> usize {
        self.pattern.columns.len()
    }

    /// The non-zero cells, by actual and then predicted class.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.pairs().enumerate().map(|(place, (actual, predicted))| Cell {
            actual,
            predicted,
            mass: self.mass_of(place),
        })
    }

    /// The mass of a cell; a weight is the exact sum rounded to the nearest `f64`. Zero outside the
    /// matrix.
    pub fn mass(&self, actual: usize, predicted: usize) -> f64 {
        self.place(actual, predicted).map_or(0.0, |place| self.mass_of(place))
    }

    /// The count of a cell, or `None` if the matrix is weighted. Zero outside the matrix.
    pub fn count(&self, actual: usize, predicted: usize) -> Option<u64> {
        match &self.masses {
            Masses::Counts(counts) => {
                Some(self.place(actual, predicted).map_or(0, |place| counts[place]))
            }
            Masses::Weights(_) => None,
        }
    }

    /// The counts of the non-zero cells in order, or `None` if the matrix is weighted.
    pub fn counts(&self) -> Option<&[u64]> {
        match &self.masses {
            Masses::Counts(counts) => Some(counts),
            Masses::Weights(_) => None,
        }
    }

    /// All K·K counts, row by row, or `None` if the matrix is weighted.
    pub fn to_counts(&self) -> Option<Vec<u64>> {
        let Masses::Counts(counts) = &self.masses else {
            return None;
        };
        let mut dense = vec![0; self.classes() * self.classes()];
        let rows = dense.chunks_exact_mut(self.classes().max(1));
        for (row, ends) in rows.zip(self.pattern.starts.windows(2)) {
            let columns = &self.pattern.columns[ends[0]..ends[1]];
            for (&column, &count) in columns.iter().zip(&counts[ends[0]..ends[1]]) {
                row[column as usize] = count;
            }
        }
        Some(dense)
    }

    /// All K·K masses, row by row.
    #[cfg(test)]
    pub(crate) fn to_weights(&self) -> Vec<f64> {
        let mut dense = vec![0.0; self.classes() * self.classes()];
        for cell in self.cells() {
            dense[cell.actual as usize * self.classes() + cell.predicted as usize] = cell.mass;
        }
        dense
    }

    /// The view that formulas read: every sum is exact and rounded once.
    pub fn view(&self) -> MatrixView {
        let mut view = self.view_of_masses();
        view.is_sampling = self.squares().is_some();
        view
    }

    fn view_of_masses(&self) -> MatrixView {
        match &self.masses {
            Masses::Counts(counts) => {
                let mut masses = vec![0.0; counts.len()];
                to_floats(counts, &mut masses);
                let mut view = self.view_of(counts, masses, |count| count as f64);
                if view.total >= 2_f64.powi(53) {
                    let lost = |count: u64| (i128::from(count) - count as f64 as i128) as f64;
                    let cells: Vec<f64> = counts.iter().map(|&count| lost(count)).gather();
                    let one_vs_rest = self.view_of(counts, cells.clone(), lost).one_vs_rest;
                    view.rest = Some(Box::new(Rest { one_vs_rest, cells }));
                }
                view
            }
            Masses::Weights(sums) => {
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => self.view_of_weights(sums, quantum),
                    Sums::Wide(sums) => self.view_of_weights(sums, quantum),
                }
            }
        }
    }

    fn view_of_weights<F: Fixed>(&self, sums: &[F], quantum: i32) -> MatrixView {
        let read = |sum: F| sum.to_f64(quantum);
        let masses = sums.iter().map(|&sum| read(sum)).gather();
        self.view_of(sums, masses, read)
    }

    /// The view of exact masses; the caller also passes them rounded.
    fn view_of<A: Mass>(
        &self,
        exact: &[A],
        masses: Vec<f64>,
        read: impl Fn(A) -> f64,
    ) -> MatrixView {
        let none = || vec![A::default(); self.classes()];
        let (mut rows, mut columns, mut right) = (none(), none(), none());
        let mut total = A::default();
        for (class, ends) in self.pattern.starts.windows(2).enumerate() {
            let of_row = &exact[ends[0]..ends[1]];
            let places = &self.pattern.columns[ends[0]..ends[1]];
            rows[class] = of_row.iter().fold(A::default(), |sum, &mass| sum.plus(mass));
            total = total.plus(rows[class]);
            if let Some(place) = place_in(places, class) {
                right[class] = of_row[place];
            }
            if let Some(range) = run(places) {
                for (column, &mass) in columns[range].iter_mut().zip(of_row) {
                    *column = column.plus(mass);
                }
            } else {
                for (&place, &mass) in places.iter().zip(of_row) {
                    let column = &mut columns[place as usize];
                    *column = column.plus(mass);
                }
            }
        }
        let one_vs_rest = (0..self.classes()).map(|class| {
            let (row, column, tp) = (rows[class], columns[class], right[class]);
            BinaryCounts {
                tp: read(tp),
                fp: read(column.minus(tp)),
                fn_: read(row.minus(tp)),
                tn: read(total.minus(row).minus(column.minus(tp))),
            }
        });
        let rounded = |sums: &[A]| sums.iter().map(|&sum| read(sum)).gather();
        MatrixView {
            total: read(total),
            one_vs_rest: one_vs_rest.gather(),
            actual: rounded(&rows),
            predicted: rounded(&columns),
            correct: rounded(&right),
            cells: Cells::new(Arc::clone(&self.pattern), masses),
            is_sampling: false,
            rest: None,
            known: Known::default(),
        }
    }

    /// The non-zero cells, exactly: actual class, predicted class, mass.
    pub fn exact_cells(&self) -> Vec<(usize, usize, Fraction)> {
        let mass = |place: usize| match &self.masses {
            Masses::Counts(counts) => Fraction::whole(counts[place]),
            Masses::Weights(sums) => sums.fraction(place),
        };
        let pairs = self.pattern.pairs().enumerate();
        pairs.map(|(place, (i, j))| (i as usize, j as usize, mass(place))).gather()
    }

    /// One class against the rest; each mass is summed exactly and rounded once. All zero for an
    /// unknown class.
    pub fn one_vs_rest(&self, class: usize) -> BinaryCounts {
        let sums = self.sums_by(4, |(actual, predicted)| {
            2 * usize::from(actual as usize == class) + usize::from(predicted as usize == class)
        });
        if class >= self.classes() {
            return BinaryCounts::default();
        }
        BinaryCounts { tn: sums[0], fp: sums[1], fn_: sums[2], tp: sums[3] }
    }

    /// The sum of two matrices: bit for bit the matrix of all their rows.
    ///
    /// The classes are the union of both. If both have ascending labels, so has the sum. Otherwise
    /// the labels keep this matrix's order, followed by the other's additional labels in their
    /// order. Added to weights, a count is that many weights of one. A matrix of counts without
    /// rows can be added to weights of either kind.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for text against numbers, for totals beyond a `u64`, and for sampling
    /// weights with other weights.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: &str| Refusal::Merge { reason: reason.to_owned() };
        if (self.labels.kind == LabelKind::Text) != (other.labels.kind == LabelKind::Text) {
            return Err(refusal("the labels of one are text, the labels of the other numbers"));
        }
        let rows = self.rows.checked_add(other.rows);
        let rows = rows.ok_or_else(|| refusal("there are more than 2^64 rows in all"))?;
        let squares = added(self.squares(), other.squares(), Self::add);
        let squares = match squares {
            Err(_) if other.is_of_no_rows() => self.of_squares(|own| own.add(other))?,
            Err(_) if self.is_of_no_rows() => other.of_squares(|their| self.add(their))?,
            found => found?,
        };
        let (labels, classes) = self.union(&other.labels);
        let is_same = |classes: &[u32]| classes.len() == labels.len() && ascend(classes);
        let are_same = is_same(&classes.0) && is_same(&classes.1);
        let both = (self.in_order(&classes.0), other.in_order(&classes.1), labels.len());
        if let (Masses::Counts(a), Masses::Counts(b)) = (&self.masses, &other.masses) {
            // The sums fit a u64, because the total does.
            let (pattern, counts) = if are_same {
                self.pattern.plus(a, &other.pattern, b)
            } else {
                let mut counts = with_room(a.len() + b.len());
                let count =
                    |counts: &[u64], place: Option<usize>| place.map_or(0, |place| counts[place]);
                let pattern = united(both, |own, their| {
                    counts.grow(count(a, own) + count(b, their));
                });
                counts.shrink_to_fit();
                (pattern, counts)
            };
            let masses = Masses::Counts(counts);
            return Ok(Self::from_pattern(labels, rows, pattern, masses).beside(squares));
        }
        let (a, b) = (self.exact(), other.exact());
        let (mut own_places, mut their_places) = (vec![0; a.len()], vec![0; b.len()]);
        let mut cells = 0;
        let pattern = united(both, |own, their| {
            for (places, from) in [(&mut own_places, own), (&mut their_places, their)] {
                if let Some(from) = from {
                    places[from] = cells;
                }
            }
            cells += 1;
        });
        let mut sums = a.moved(&own_places, cells);
        sums.merge(&b.moved(&their_places, cells));
        let masses = Masses::Weights(sums.canonical());
        Ok(Self::from_pattern(labels, rows, pattern, masses).beside(squares))
    }

    pub(crate) fn is_of_no_rows(&self) -> bool {
        self.rows == 0 && self.occupied() == 0 && !self.is_weighted() && self.squares.is_none()
    }

    /// The union of the labels, and the places in it of the own and of the other labels.
    fn union(&self, other: &LabelSet) -> (LabelSet, (Vec<u32>, Vec<u32>)) {
        let kind = self.labels.kind.max(other.kind);
        let (own, new) = (&self.labels.values, &other.values);
        if own == new {
            let same: Vec<u32> = (0..own.len() as u32).gather();
            let values = own.copy_all();
            return (LabelSet { kind, values }, (same.clone(), same));
        }
        if ascend(own) && ascend(new) {
            let mut values = with_room(own.len().max(new.len()));
            let (mut ours, mut theirs) = (with_room(own.len()), with_room(new.len()));
            while let Some(least) = match (own.get(ours.len()), new.get(theirs.len())) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            } {
                let class = values.len() as u32;
                for (labels, classes) in [(own, &mut ours), (new, &mut theirs)] {
                    if labels.get(classes.len()) == Some(least) {
                        classes.grow(class);
                    }
                }
                values.grow(least.clone());
            }
            return (LabelSet { kind, values }, (ours, theirs));
        }
        let mut values = own.copy_all();
        let mut classes: HashMap<&Label, u32> = map_of(own.iter().zip(0..));
        values.grow_with(new.iter().filter(|label| !classes.contains_key(label)).cloned());
        classes = map_of(values.iter().zip(0..));
        let find = |labels: &[Label]| labels.iter().map(|label| classes[label]).gather();
        let found = (find(own), find(new));
        (LabelSet { kind, values }, found)
    }

    /// The cells in the order of their new classes (`classes`): each as its key and its place here.
    fn in_order<'a>(&'a self, classes: &'a [u32]) -> Box<dyn Iterator<Item = (u64, usize)> + 'a> {
        let moved = self
            .pairs()
            .zip(0..)
            .map(|((a, p), place)| (key(classes[a as usize], classes[p as usize]), place));
        if ascend(classes) {
            return Box::new(moved);
        }
        let mut cells: Vec<(u64, usize)> = moved.gather();
        cells.sort_unstable();
        Box::new(cells.into_iter())
    }

    /// The matrix of cells in any order, with the places of their masses. Duplicate cells are
    /// added. `rows` matters only for weights.
    pub(crate) fn gathered(
        labels: LabelSet,
        rows: u64,
        masses: &Masses,
        mut cells: Vec<(u64, usize)>,
    ) -> Self {
        cells.sort_unstable();
        let mut keys: Vec<u64> = with_room(cells.len());
        let mut places = with_room(cells.len());
        for &(key, _) in &cells {
            if keys.last() != Some(&key) {
                keys.grow(key);
            }
            places.grow(keys.len() - 1);
        }
        let pairs = keys.iter().map(|&key| ((key >> 32) as u32, key as u32));
        let pattern = Pattern::from_pairs(labels.len(), pairs);
        let (rows, masses) = match masses {
            Masses::Counts(counts) => {
                let mut sums = vec![0; keys.len()];
                for (&place, &(_, from)) in places.iter().zip(&cells) {
                    sums[place] += counts[from];
                }
                (sums.iter().sum(), Masses::Counts(sums))
            }
            Masses::Weights(sums) => {
                let from: Vec<usize> = cells.iter().map(|cell| cell.1).gather();
                let sums = sums.taken(&from).moved(&places, keys.len()).canonical();
                (rows, Masses::Weights(sums))
            }
        };
        Self::from_pattern(labels, rows, pattern, masses)
    }

    /// How much the rows of two classes differ: the sum over the columns of the absolute
    /// differences, K·K values. Weights are rounded before the subtraction.
    pub fn dissimilarity(&self) -> Vec<f64> {
        let classes = self.classes();
        let cells = self.view().cells;
        let mut all = vec![0.0; classes * classes];
        for one in 0..classes {
            for other in 0..one {
                interrupt::check();
                let (mut a, mut b) = (cells.row(one).peekable(), cells.row(other).peekable());
                let mut sum = 0.0;
                loop {
                    let column = match (a.peek(), b.peek()) {
                        (Some(a), Some(b)) => a.predicted.min(b.predicted),
                        (Some(cell), None) | (None, Some(cell)) => cell.predicted,
                        (None, None) => break,
                    };
                    let [a, b] = [&mut a, &mut b].map(|cells| {
                        let cell = cells.next_if(|cell| cell.predicted == column);
                        cell.map_or(0.0, |cell| cell.mass)
                    });
                    sum += (a - b).abs();
                }
                all[one * classes + other] = sum;
                all[other * classes + one] = sum;
            }
        }
        all
    }

    /// The masses as exact sums.
    pub(crate) fn exact(&self) -> ExactSums {
        match &self.masses {
            Masses::Weights(sums) => sums.clone(),
            Masses::Counts(counts) => ExactSums::from_counts(counts),
        }
    }

    pub(crate) fn mass_of(&self, place: usize) -> f64 {
        match &self.masses {
            Masses::Counts(counts) => counts[place] as f64,
            Masses::Weights(sums) => sums.get(place),
        }
    }

    pub(crate) fn place(&self, actual: usize, predicted: usize) -> Option<usize> {
        let cells = self.pattern.row(actual);
        let predicted = u32::try_from(predicted).ok()?;
        let columns = &self.pattern.columns[cells.clone()];
        Some(cells.start + columns.binary_search(&predicted).ok()?)
    }

    /// The actual and predicted class of every cell.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.pattern.pairs()
    }

    /// Sums the cells' masses exactly into `len` groups; each sum is rounded once.
    fn sums_by(&self, len: usize, group: impl Fn((u32, u32)) -> usize) -> Vec<f64> {
        match &self.masses {
            Masses::Counts(counts) => {
                let mut sums = vec![0u64; len];
                for (cell, &count) in self.pairs().zip(counts) {
                    sums[group(cell)] += count;
                }
                sums.into_iter().map(|sum| sum as f64).gather()
            }
            Masses::Weights(sums) => {
                let groups: Vec<usize> = self.pairs().map(group).gather();
                let sums = sums.moved(&groups, len);
                (0..len).map(|place| sums.get(place)).gather()
            }
        }
    }
}

/// The first duplicate label.
pub fn repeated(labels: &LabelSet) -> Option<&Label> {
    if ascend(&labels.values) {
        return None;
    }
    let mut seen = set_with_room(labels.len());
    labels.values.iter().find(|label| !seen.insert(*label))
}

/// The type in which margins are summed.
trait Mass: Copy + Default {
    fn plus(self, other: Self) -> Self;
    /// The difference; `other` must not be greater.
    fn minus(self, other: Self) -> Self;
}

impl<F: Fixed> Mass for F {
    fn plus(self, other: Self) -> Self {
        Fixed::plus(self, other)
    }

    fn minus(self, other: Self) -> Self {
        Fixed::minus(self, other)
    }
}

impl Mass for u64 {
    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn minus(self, other: Self) -> Self {
        self - other
    }
}

/// A cell as one number that orders like the cell.
pub(crate) fn key(actual: u32, predicted: u32) -> u64 {
    u64::from(actual) << 32 | u64::from(predicted)
}

fn ascend<T: PartialOrd>(values: &[T]) -> bool {
    values.is_sorted_by(|a, b| a < b)
}

/// Merges ordered cells, given as keys and places. For each distinct cell it emits the places in
/// both.
fn united(
    (own, their, classes): (
        impl Iterator<Item = (u64, usize)>,
        impl Iterator<Item = (u64, usize)>,
        usize,
    ),
    mut each: impl FnMut(Option<usize>, Option<usize>),
) -> Pattern {
    let (mut own, mut their) = (own.peekable(), their.peekable());
    let mut starts = with_room(classes + 1);
    let mut columns = with_room(own.size_hint().0.max(their.size_hint().0));
    loop {
        let least = match (own.peek(), their.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(a), None) => a.0,
            (None, Some(b)) => b.0,
            (None, None) => break,
        };
        let of = |cell: Option<(u64, usize)>| cell.map(|cell| cell.1);
        let place = of(own.next_if(|cell| cell.0 == least));
        each(place, of(their.next_if(|cell| cell.0 == least)));
        let actual = (least >> 32) as usize;
        if starts.len() <= actual {
            starts.grow_to(actual + 1, columns.len());
        }
        columns.grow(least as u32);
    }
    starts.grow_to(classes + 1, columns.len());
    columns.shrink_to_fit();
    Pattern { starts, columns }
}

/// Checks that there are labels, distinct and of their kind.
pub(crate) fn check_labels(labels: &LabelSet) -> Result<()> {
    if labels.is_empty() {
        return Err(Refusal::argument("labels", "empty", "at least one label"));
    }
    if let Some(label) = repeated(labels) {
        let found = format!("{label}, twice");
        let expected = "distinct labels";
        return Err(Refusal::argument("labels", found, expected));
    }
    let text = labels.kind == LabelKind::Text;
    if let Some(label) = labels.values.iter().find(|label| matches!(label, Label::Text(_)) != text)
    {
        let kind = if text { "strings" } else { "numbers" };
        let expected = format!("{kind}, like the others");
        return Err(Refusal::argument("labels", label, expected));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::statistic::{Statistic, laws};
    use proptest::prelude::*;

    use super::*;

    fn ints(values: &[i128]) -> LabelSet {
        let values = values.iter().map(|&value| Label::Int(value)).collect();
        LabelSet { kind: LabelKind::Int, values }
    }

    fn matrix(labels: &[i128], counts: &[u64]) -> ConfusionMatrix {
        ConfusionMatrix::from_counts(counts, ints(labels)).unwrap()
    }

    #[test]
    fn counts_come_back() {
        let m = matrix(&[0, 1, 2], &[5, 0, 1, 0, 0, 0, 2, 3, 4]);
        assert_eq!((m.classes(), m.rows(), m.occupied()), (3, 15, 5));
        assert_eq!(m.to_counts().unwrap(), [5, 0, 1, 0, 0, 0, 2, 3, 4]);
        assert_eq!((m.count(2, 1), m.count(1, 1), m.mass(9, 9)), (Some(3), Some(0), 0.0));
        let view = m.view();
        assert_eq!(view.actual, [6.0, 0.0, 9.0]);
        assert_eq!(view.predicted, [7.0, 3.0, 5.0]);
        assert_eq!(view.correct, [5.0, 0.0, 4.0]);
        assert_eq!((view.total, view.cells.len()), (15.0, 5));
        for class in 0..3 {
            assert_eq!(m.one_vs_rest(class), view.one_vs_rest(class));
        }
        assert_eq!(m.one_vs_rest(3), BinaryCounts::default());
    }

    #[test]
    fn one_class_against_the_rest_has_no_slivers() {
        let m = ConfusionMatrix::from_weights(&[1e20, 0.1, 0.2, 0.3], ints(&[0, 1])).unwrap();
        let zero = BinaryCounts { tp: 1e20, fp: 0.2, fn_: 0.1, tn: 0.3 };
        assert_eq!(m.view().one_vs_rest(0), zero);
        assert_eq!(m.one_vs_rest(0), zero);
        let sums = ConfusionMatrix::from_weights(&[0.1, 0.2, 0.3, 0.0], ints(&[0, 1])).unwrap();
        assert_eq!(sums.view().one_vs_rest(0).tn, 0.0);
    }

    #[test]
    fn bad_counts_are_refused() {
        let refused = |weights: &[f64], labels: &[i128]| {
            ConfusionMatrix::from_weights(weights, ints(labels)).unwrap_err().to_string()
        };
        assert!(refused(&[1.0; 6], &[0, 1]).starts_with("counts is 6 amounts; expected 2 by 2"));
        assert!(refused(&[1.0, 0.5, -1.0, 2.0], &[0, 1]).contains("-1 at [1, 0]"));
        assert!(refused(&[1.0, f64::NAN, 1.0, 2.0], &[0, 1]).contains("NaN at [0, 1]"));
        assert!(refused(&[1.0; 4], &[1, 1]).contains("twice"));
        assert!(refused(&[], &[]).contains("labels is empty"));
        assert!(ConfusionMatrix::from_counts(&[u64::MAX, 1, 0, 0], ints(&[0, 1])).is_err());
        let text = LabelSet { kind: LabelKind::Text, values: ints(&[0]).values };
        assert!(ConfusionMatrix::from_counts(&[1], text).is_err());
    }

    #[test]
    fn whole_weights_are_counts() {
        let whole = ConfusionMatrix::from_weights(&[1.0, 2.0, 0.0, 4.0], ints(&[0, 1])).unwrap();
        assert_eq!(whole, matrix(&[0, 1], &[1, 2, 0, 4]));
        let part = ConfusionMatrix::from_weights(&[0.1, 2.0, 0.0, 4.0], ints(&[0, 1])).unwrap();
        assert!(part.is_weighted());
        assert_eq!((part.to_weights(), part.to_counts()), (vec![0.1, 2.0, 0.0, 4.0], None));
        let large = ConfusionMatrix::from_weights(&[1e300], ints(&[0])).unwrap();
        assert_eq!(large.mass(0, 0), 1e300);
        let none = ConfusionMatrix::from_weights(&[0.0], ints(&[0])).unwrap();
        assert_eq!((none.occupied(), none.view().total), (0, 0.0));
    }

    #[test]
    fn adding_unites_labels() {
        let (a, b) = (matrix(&[0, 2], &[1, 2, 3, 4]), matrix(&[1, 2], &[10, 20, 30, 40]));
        let sum = a.add(&b).unwrap();
        assert_eq!(sum, matrix(&[0, 1, 2], &[1, 0, 2, 0, 10, 20, 3, 30, 44]));
        assert_eq!(b.add(&a).unwrap(), sum);
        let given = matrix(&[2, 0], &[1, 2, 3, 4]);
        let sum = given.add(&b).unwrap();
        assert_eq!(sum.labels(), &ints(&[2, 0, 1]));
        assert_eq!(sum.to_counts().unwrap(), [41, 2, 30, 3, 4, 0, 20, 0, 10]);
        assert_eq!(given.add(&ConfusionMatrix::empty(LabelKind::Int)).unwrap(), given);
        let text = ConfusionMatrix::empty(LabelKind::Text);
        assert!(matches!(a.add(&text), Err(Refusal::Merge { .. })));
    }

    #[test]
    fn large_counts_stay_exact() {
        let large = (1u64 << 40) + 1;
        let a = matrix(&[0, 1], &[large, 0, 1, large]);
        let mut sum = a.clone();
        for _ in 0..9 {
            sum = sum.add(&a).unwrap();
        }
        assert_eq!(sum.to_counts().unwrap(), [10 * large, 0, 10, 10 * large]);
        let full = matrix(&[0, 1], &[u64::MAX - 5, 0, 0, 0]);
        assert!(matches!(full.add(&a), Err(Refusal::Merge { .. })));
        assert!(full.add(&matrix(&[0, 1], &[5, 0, 0, 0])).is_ok());
        // Beside weights, counts are weights of one.
        let half = ConfusionMatrix::from_weights(&[0.5, 0.0, 0.0, 0.0], ints(&[0, 1])).unwrap();
        assert_eq!(a.add(&half).unwrap().mass(0, 0), large as f64 + 0.5);
        assert_eq!(a.add(&half).unwrap(), half.add(&a).unwrap());
    }

    #[test]
    fn classes_are_renamed_put_together_and_left_out() {
        let m = matrix(&[0, 1, 2], &[5, 0, 1, 0, 0, 0, 2, 3, 4]);
        assert_eq!(
            m.relabelled(ints(&[7, 8, 9])).unwrap(),
            matrix(&[7, 8, 9], &[5, 0, 1, 0, 0, 0, 2, 3, 4])
        );
        let refused = |labels: &[i128]| m.relabelled(ints(labels)).unwrap_err().to_string();
        assert!(refused(&[7, 8]).starts_with("labels is of length 2; expected 3"));
        assert!(refused(&[7, 8, 7]).contains("twice"));
        let together = m.mapped(ints(&[4, 1]), &[Some(0), Some(1), Some(0)]).unwrap();
        assert_eq!(together, matrix(&[4, 1], &[12, 3, 0, 0]));
        let some = m.mapped(ints(&[2, 0]), &[Some(1), None, Some(0)]).unwrap();
        assert_eq!(some, matrix(&[2, 0], &[4, 2, 1, 5]));
        assert!(m.mapped(ints(&[0]), &[Some(0), None]).is_err());
        assert!(m.mapped(ints(&[0]), &[Some(0), None, Some(1)]).is_err());
        assert_eq!(m.transposed(), matrix(&[0, 1, 2], &[5, 0, 2, 0, 0, 3, 1, 0, 4]));
        assert_eq!(m.dissimilarity(), [0.0, 6.0, 9.0, 6.0, 0.0, 9.0, 9.0, 9.0, 0.0]);
    }

    #[test]
    fn cells_make_a_matrix() {
        let m = matrix(&[0, 1, 2], &[5, 0, 1, 0, 0, 0, 2, 3, 4]);
        let (a, p) = ([2, 0, 2, 0, 1, 2, 2], [1, 0, 0, 2, 1, 2, 1]);
        let counts =
            ConfusionMatrix::from_cell_counts(&a, &p, &[1, 5, 2, 1, 0, 4, 2], ints(&[0, 1, 2]));
        assert_eq!(counts.unwrap(), m);
        let whole = [1.0, 5.0, 2.0, 1.0, 0.0, 4.0, 2.0];
        assert_eq!(
            ConfusionMatrix::from_cell_weights(&a, &p, &whole, ints(&[0, 1, 2])).unwrap(),
            m
        );
        let weights = [0.1, 5.0, 2.0, 1.0, 0.0, 4.0, 0.2];
        let weighted =
            ConfusionMatrix::from_cell_weights(&a, &p, &weights, ints(&[0, 1, 2])).unwrap();
        let (one, other) = (&[0.1], &[0.2]);
        let part = |weight| ConfusionMatrix::from_weights(weight, ints(&[1])).unwrap();
        let exact = part(one).add(&part(other)).unwrap().mass(0, 0);
        assert_eq!((weighted.mass(2, 1), weighted.occupied()), (exact, 5));
        assert!(ConfusionMatrix::from_cell_counts(&[0], &[1], &[1], ints(&[0])).is_err());
        assert!(ConfusionMatrix::from_cell_counts(&[0], &[0, 0], &[1], ints(&[0])).is_err());
        assert!(ConfusionMatrix::from_cell_weights(&[0], &[0], &[-1.0], ints(&[0])).is_err());
        assert!(
            ConfusionMatrix::from_cell_counts(&[0, 0], &[0, 0], &[u64::MAX, 1], ints(&[0]))
                .is_err()
        );
    }

    #[test]
    fn lies_in_bytes_are_refused() {
        let counts = matrix(&[0, 1], &[1, 2, 0, 4]);
        let words = LabelSet {
            kind: LabelKind::Text,
            values: vec![Label::Text("no".into()), Label::Text("ja, å".into())],
        };
        let text = ConfusionMatrix::from_counts(&[1, 2, 3, 4], words).unwrap();
        let narrow = ConfusionMatrix::from_weights(&[0.1, 2.0, 0.0, 4.0], ints(&[0, 1])).unwrap();
        let wide =
            ConfusionMatrix::from_weights(&[1e-300, 2.0, 0.0, 1e300], ints(&[0, 1])).unwrap();
        for m in [&counts, &text, &narrow, &wide, &ConfusionMatrix::empty(LabelKind::Bool)] {
            let bytes = m.to_bytes();
            assert_eq!(&ConfusionMatrix::from_bytes(&bytes).unwrap(), m);
            for place in 0..bytes.len() {
                let _ =
                    laws::changed(m, place, 1, place).map(|read| (read.view(), read.add(&read)));
            }
            for head in 0..10 {
                let mut other = bytes.clone();
                other[head] ^= 0x40;
                assert!(matches!(ConfusionMatrix::from_bytes(&other), Err(Refusal::Bytes { .. })));
            }
        }
        let bytes = counts.to_bytes();
        // K claims to be 2^60, after the heads, the form, the kind and the rows.
        let core = 10 + 9;
        let mut lie = bytes.clone();
        lie[core + 10 + 7] = 0x10;
        assert!(ConfusionMatrix::from_bytes(&lie).unwrap_err().to_string().contains("promised"));
        // A larger last count: the total differs from the rows. The first two cells exchanged: out
        // of order.
        let mut lie = bytes.clone();
        let last = lie.len() - 8;
        lie[last] += 1;
        assert!(ConfusionMatrix::from_bytes(&lie).unwrap_err().to_string().contains("add up"));
        let mut lie = bytes;
        lie[core + 18 + 32 + 8 + 4] = 1;
        assert!(ConfusionMatrix::from_bytes(&lie).unwrap_err().to_string().contains("order"));
    }

    proptest! {
        #[test]
        fn cells_that_are_not_zero_are_kept_where_they_are(
            classes in 1_usize..6, cells in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 7, 1 << 62, u64::MAX]), 25),
            dense: bool,
        ) {
            let cells: Vec<u64> = cells[..classes * classes].iter().map(|&count| count.max(dense.into())).collect();
            let labels: Vec<i128> = (0..classes as i128).collect();
            let found = ConfusionMatrix::from_counts(&cells, ints(&labels));
            let total: u128 = cells.iter().map(|&count| u128::from(count)).sum();
            prop_assert_eq!(found.is_err(), total > u128::from(u64::MAX));
            if let Ok(found) = found {
                prop_assert_eq!(u128::from(found.rows()), total);
                prop_assert_eq!(found.occupied(), cells.iter().filter(|&&count| count > 0).count());
                prop_assert_eq!(found.to_counts().unwrap(), cells);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            place: usize, flip in 1_u8.., junk in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let wide = ConfusionMatrix::from_weights(&[1e-300, 2.0, 0.0, 1e300], ints(&[0, 1])).unwrap();
            let narrow = ConfusionMatrix::from_weights(&[0.1, 2.0, 0.0, 4.0], ints(&[0, 1])).unwrap();
            for m in [wide, narrow, matrix(&[0, 1], &[1, 2, 0, 4])] {
                let read = laws::changed(&m, place, flip, place);
                let _ = read.map(|read| (read.view(), read.add(&read)));
                let mut torn = m.to_bytes();
                torn.truncate(10);
                torn.extend(&junk);
                let _ = ConfusionMatrix::from_bytes(&torn);
            }
        }

        #[test]
        fn shapes_are_those_of_the_naive(
            weights in prop::collection::vec(prop_oneof![Just(0.0), Just(1.0), Just(0.1), Just(1e-300), 0.0..9.0], 16),
            classes in prop::collection::vec(prop::option::of(0u32..3), 4),
            whole: bool,
        ) {
            let weights: Vec<f64> = weights.iter().map(|&weight: &f64| if whole { weight.floor() } else { weight }).collect();
            let m = ConfusionMatrix::from_weights(&weights, ints(&[0, 1, 2, 3])).unwrap();
            prop_assert_eq!(&m.transposed().transposed(), &m);
            let turned: Vec<f64> = (0..16).map(|place| weights[place % 4 * 4 + place / 4]).collect();
            prop_assert_eq!(&m.transposed(), &ConfusionMatrix::from_weights(&turned, ints(&[0, 1, 2, 3])).unwrap());
            let mapped = m.mapped(ints(&[5, 6, 7]), &classes).unwrap();
            // The cells added one by one.
            let mut sum = ConfusionMatrix::from_weights(&[0.0; 9], ints(&[5, 6, 7])).unwrap();
            for (place, &weight) in weights.iter().enumerate() {
                if let (Some(a), Some(p)) = (classes[place / 4], classes[place % 4]) {
                    let mut one = [0.0; 9];
                    one[(3 * a + p) as usize] = weight;
                    sum = sum.add(&ConfusionMatrix::from_weights(&one, ints(&[5, 6, 7])).unwrap()).unwrap();
                }
            }
            for (a, p) in (0..9).map(|place| (place / 3, place % 3)) {
                prop_assert_eq!(mapped.mass(a, p), sum.mass(a, p));
            }
        }

        #[test]
        fn adding_is_associative_and_commutative(
            parts in prop::collection::vec((0i128..4, prop::collection::vec(0u64..5, 4)), 3),
        ) {
            let m: Vec<_> = parts.iter().map(|(low, counts)| matrix(&[*low, low + 2], counts)).collect();
            let left = m[0].add(&m[1]).unwrap().add(&m[2]).unwrap();
            let right = m[0].add(&m[1].add(&m[2]).unwrap()).unwrap();
            prop_assert_eq!(&left, &right);
            prop_assert_eq!(&m[2].add(&m[1]).unwrap().add(&m[0]).unwrap(), &left);
        }
    }
}
