//! The non-zero cells of a confusion matrix, in the form that formulas read.
//!
//! 1. The places of the cells (a `Pattern`) are stored once. The exact matrix and its view share
//!    them. A cell takes 4 bytes for its place and 8 for its mass, a class takes 8.
//! 2. A few cells, such as those of a 2×2 table, are listed instead.
//! 3. The row of a class is a range of the cells. Its column is a row of the transposed cells,
//!    which are computed at the first request for a column. So a formula that reads the rows and
//!    columns of all classes takes one pass over the cells.

use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// One cell of a confusion matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The actual class.
    pub actual: u32,
    /// The predicted class.
    pub predicted: u32,
    /// The number of rows, or their weight.
    pub mass: f64,
}

impl Cell {
    #[inline]
    fn turned(self) -> Self {
        Self { actual: self.predicted, predicted: self.actual, ..self }
    }
}

/// The places of the non-zero cells.
#[derive(Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The cells of actual class `k` are `starts[k]..starts[k + 1]`.
    pub(crate) starts: Vec<usize>,
    /// The predicted class of each cell, ascending in each row.
    pub(crate) columns: Vec<u32>,
}

impl Clone for Pattern {
    fn clone(&self) -> Self {
        Self { starts: self.starts.copy_all(), columns: self.columns.copy_all() }
    }
}

impl Pattern {
    pub(crate) fn from_pairs(
        classes: usize,
        pairs: impl ExactSizeIterator<Item = (u32, u32)>,
    ) -> Self {
        let mut pattern = Self::with_room(classes, pairs.len());
        pairs.for_each(|(actual, predicted)| pattern.push(actual, predicted));
        pattern.closed(classes)
    }

    /// An empty pattern with capacity for `cells` cells: [`Self::push`] appends them in order, and
    /// [`Self::closed`] finishes the pattern.
    pub(crate) fn with_room(classes: usize, cells: usize) -> Self {
        Self { starts: with_room(classes + 1), columns: with_room(cells) }
    }

    #[inline]
    pub(crate) fn push(&mut self, actual: u32, predicted: u32) {
        let row = actual as usize + 1;
        if self.starts.len() < row {
            self.starts.grow_to(row, self.columns.len());
        }
        self.columns.grow(predicted);
    }

    pub(crate) fn closed(mut self, classes: usize) -> Self {
        self.starts.grow_to(classes + 1, self.columns.len());
        self
    }

    pub(crate) fn classes(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of a row's cells; empty for an unknown class.
    pub(crate) fn row(&self, class: usize) -> Range<usize> {
        match self.starts.get(class..) {
            Some([start, end, ..]) => *start..*end,
            _ => 0..0,
        }
    }

    /// The actual and predicted class of every cell.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.starts.windows(2).zip(0..).flat_map(|(ends, class)| {
            self.columns[ends[0]..ends[1]].iter().map(move |&p| (class, p))
        })
    }

    /// The union of this pattern and another with the same classes, and the sums of their counts,
    /// which must fit a u64. No branch depends on which column comes first.
    pub(crate) fn plus(&self, own: &[u64], other: &Self, their: &[u64]) -> (Self, Vec<u64>) {
        let cells = own.len().max(their.len());
        let mut sum = Self::with_room(self.classes(), cells);
        let mut counts = with_room(cells);
        for class in 0..self.classes() {
            sum.starts.grow(sum.columns.len());
            let (mut a, mut b) = (self.row(class), other.row(class));
            while !a.is_empty() && !b.is_empty() {
                let (left, right) = (self.columns[a.start], other.columns[b.start]);
                let (is_left, is_right) = (left <= right, right <= left);
                sum.columns.grow(left.min(right));
                counts
                    .grow(own[a.start] * u64::from(is_left) + their[b.start] * u64::from(is_right));
                a.start += usize::from(is_left);
                b.start += usize::from(is_right);
            }
            sum.columns.grow_by(&self.columns[a.clone()]);
            sum.columns.grow_by(&other.columns[b.clone()]);
            counts.grow_by(&own[a]);
            counts.grow_by(&their[b]);
        }
        sum.columns.shrink_to_fit();
        counts.shrink_to_fit();
        (sum.closed(self.classes()), counts)
    }

    /// Transposes the pattern and moves the values of the cells: two passes over the cells.
    pub(crate) fn turned<T: Copy + Default>(
        &self,
        of_cells: impl Iterator<Item = T>,
    ) -> (Self, Vec<T>) {
        let mut starts = vec![0; self.starts.len()];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        // Each row's next free place is kept in the slot of its start; at the end it is the start
        // of the next row.
        let mut columns = vec![0; self.columns.len()];
        let mut moved = vec![T::default(); self.columns.len()];
        for ((actual, predicted), of_cell) in self.pairs().zip(of_cells) {
            let next = &mut starts[predicted as usize];
            columns[*next] = actual;
            moved[*next] = of_cell;
            *next += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
        (Self { starts, columns }, moved)
    }
}

/// The non-zero cells, by actual and then predicted class.
///
/// ```
/// use rocksteady_count::base::input::{Label, LabelKind, LabelSet};
/// use rocksteady_count::labels::confusion::ConfusionMatrix;
///
/// let values = (0..3).map(Label::Int).collect();
/// let labels = LabelSet { kind: LabelKind::Int, values };
/// let view = ConfusionMatrix::from_counts(&[3, 0, 0, 0, 1, 2, 2, 0, 4], labels)?.view();
/// assert_eq!(view.cells.len(), 5);
/// let row: f64 = view.cells.row(1).map(|cell| cell.mass).sum();
/// let column: f64 = view.cells.column(0).map(|cell| cell.mass).sum();
/// assert_eq!((row, column), (3.0, 5.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Cells {
    held: Held,
    turned: OnceLock<Box<Cells>>,
}

#[derive(Clone)]
enum Held {
    /// As a list, in order.
    Listed(Vec<Cell>),
    Shared {
        pattern: Arc<Pattern>,
        masses: Vec<f64>,
    },
}

impl Cells {
    pub(crate) fn new(pattern: Arc<Pattern>, masses: Vec<f64>) -> Self {
        debug_assert_eq!(pattern.columns.len(), masses.len());
        Self { held: Held::Shared { pattern, masses }, turned: OnceLock::new() }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        match &self.held {
            Held::Listed(cells) => cells.len(),
            Held::Shared { masses, .. } => masses.len(),
        }
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all cells, and keeps the memory of a list.
    pub fn clear(&mut self) {
        self.turned.take();
        match &mut self.held {
            Held::Listed(cells) => cells.clear(),
            held @ Held::Shared { .. } => *held = Held::Listed(Vec::new()),
        }
    }

    /// All cells, row by row.
    pub fn iter(&self) -> CellsIter<'_> {
        match &self.held {
            Held::Listed(cells) => CellsIter(Walk::Listed(cells.iter())),
            Held::Shared { pattern, masses } => {
                CellsIter(Walk::Shared(Rows { pattern, masses, class: 0, places: 0..masses.len() }))
            }
        }
    }

    /// The cells of an actual class, by predicted class.
    pub fn row(&self, class: usize) -> CellsIter<'_> {
        match &self.held {
            Held::Listed(cells) => {
                let start = cells.partition_point(|cell| (cell.actual as usize) < class);
                let len = cells[start..].partition_point(|cell| cell.actual as usize == class);
                CellsIter(Walk::Listed(cells[start..start + len].iter()))
            }
            Held::Shared { pattern, masses } => {
                CellsIter(Walk::Shared(Rows { pattern, masses, class, places: pattern.row(class) }))
            }
        }
    }

    /// The cells of a predicted class, by actual class. The first call transposes all cells; later
    /// calls reuse the result.
    pub fn column(&self, class: usize) -> impl Iterator<Item = Cell> + '_ {
        let turned = self.turned.get_or_init(|| {
            Box::new(match &self.held {
                Held::Listed(cells) => {
                    let mut cells: Vec<Cell> = cells.iter().map(|cell| cell.turned()).gather();
                    cells.sort_unstable_by_key(|cell| (cell.actual, cell.predicted));
                    cells.into()
                }
                Held::Shared { pattern, masses } => {
                    let (pattern, masses) = pattern.turned(masses.iter().copied());
                    Self::new(Arc::new(pattern), masses)
                }
            })
        });
        turned.row(class).map(Cell::turned)
    }

    /// The cells of each row that is not empty.
    pub fn rows(&self) -> impl Iterator<Item = CellsIter<'_>> {
        let mut rest = self.iter();
        std::iter::from_fn(move || {
            let row = self.row(rest.clone().next()?.actual as usize);
            rest.nth(row.len() - 1);
            Some(row)
        })
    }

    /// Calls `take` with every non-empty row as columns: the fastest form for loops over all cells.
    pub fn each_row(&self, mut take: impl FnMut(Row<'_>)) {
        match &self.held {
            Held::Listed(cells) => {
                let (mut predicted, mut masses) = (Vec::new(), Vec::new());
                for row in cells.chunk_by(|one, next| one.actual == next.actual) {
                    predicted.clear();
                    predicted.grow_with(row.iter().map(|cell| cell.predicted));
                    masses.clear();
                    masses.grow_with(row.iter().map(|cell| cell.mass));
                    take(Row {
                        actual: row[0].actual as usize,
                        predicted: &predicted,
                        masses: &masses,
                    });
                }
            }
            Held::Shared { pattern, masses } => {
                for (ends, actual) in pattern.starts.windows(2).zip(0..) {
                    if ends[0] < ends[1] {
                        interrupt::check();
                        take(Row {
                            actual,
                            predicted: &pattern.columns[ends[0]..ends[1]],
                            masses: &masses[ends[0]..ends[1]],
                        });
                    }
                }
            }
        }
    }

    /// The mass of a cell; zero if it is not stored.
    pub fn mass(&self, actual: usize, predicted: usize) -> f64 {
        match &self.held {
            Held::Listed(cells) => {
                let place = |cell: &Cell| (cell.actual as usize, cell.predicted as usize);
                let found = cells.binary_search_by_key(&(actual, predicted), place);
                found.map_or(0.0, |found| cells[found].mass)
            }
            Held::Shared { pattern, masses } => {
                let row = pattern.row(actual);
                let columns = &pattern.columns[row.clone()];
                let found = columns.binary_search_by_key(&predicted, |&column| column as usize);
                found.map_or(0.0, |found| masses[row.start + found])
            }
        }
    }

    /// All masses times `factor`.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let scaled = |cell: &Cell| Cell { mass: cell.mass * factor, ..*cell };
        match &self.held {
            Held::Listed(cells) => cells.iter().map(scaled).collect(),
            Held::Shared { pattern, masses } => {
                let masses = masses.iter().map(|mass| mass * factor).gather();
                Self::new(Arc::clone(pattern), masses)
            }
        }
    }
}

/// The non-zero cells of one actual class; at least one.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub actual: usize,
    /// The predicted classes, ascending.
    pub predicted: &'a [u32],
    pub masses: &'a [f64],
}

impl<'a> Row<'a> {
    /// The predicted classes as a range, if they are consecutive.
    pub fn range(&self) -> Option<Range<usize>> {
        run(self.predicted)
    }

    /// The values of the predicted classes, copied to `room` unless they lie side by side.
    pub fn of_columns<'s>(&self, values: &'s [f64], room: &'s mut Vec<f64>) -> &'s [f64]
    where
        'a: 's,
    {
        if let Some(range) = self.range() {
            return &values[range];
        }
        room.clear();
        room.grow_with(self.predicted.iter().map(|&column| values[column as usize]));
        room
    }

    /// The place of the diagonal cell.
    pub(crate) fn right(&self) -> Option<usize> {
        place_in(self.predicted, self.actual)
    }
}

/// The columns as a range, if they are consecutive.
pub(crate) fn run(columns: &[u32]) -> Option<Range<usize>> {
    let (first, last) = (*columns.first()? as usize, *columns.last()? as usize);
    (last - first + 1 == columns.len()).then_some(first..last + 1)
}

/// The place of a column in a row's columns.
pub(crate) fn place_in(columns: &[u32], column: usize) -> Option<usize> {
    match run(columns) {
        Some(range) => range.contains(&column).then(|| column - range.start),
        None => columns.binary_search(&u32::try_from(column).ok()?).ok(),
    }
}

impl Default for Cells {
    fn default() -> Self {
        Vec::new().into()
    }
}

/// Cells in order.
impl From<Vec<Cell>> for Cells {
    fn from(cells: Vec<Cell>) -> Self {
        Self { held: Held::Listed(cells), turned: OnceLock::new() }
    }
}

/// Cells in order.
impl FromIterator<Cell> for Cells {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().gather().into()
    }
}

/// Appends cells in order.
impl Extend<Cell> for Cells {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, more: I) {
        self.turned.take();
        if let Held::Listed(cells) = &mut self.held {
            cells.grow_with(more);
        } else {
            *self = self.iter().chain(more).collect();
        }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Debug for Cells {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Cells {
    type Item = Cell;
    type IntoIter = CellsIter<'a>;

    fn into_iter(self) -> CellsIter<'a> {
        self.iter()
    }
}

/// The cells in order.
#[derive(Clone, Debug)]
pub struct CellsIter<'a>(Walk<'a>);

#[derive(Clone, Debug)]
enum Walk<'a> {
    Listed(std::slice::Iter<'a, Cell>),
    Shared(Rows<'a>),
}

#[derive(Clone, Debug)]
struct Rows<'a> {
    pattern: &'a Pattern,
    masses: &'a [f64],
    /// Rows before this one are finished.
    class: usize,
    places: Range<usize>,
}

impl Rows<'_> {
    fn cell(&self, place: usize) -> Cell {
        Cell {
            actual: self.class as u32,
            predicted: self.pattern.columns[place],
            mass: self.masses[place],
        }
    }
}

impl Iterator for CellsIter<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        match &mut self.0 {
            Walk::Listed(cells) => cells.next().copied(),
            Walk::Shared(rows) => {
                let place = rows.places.next()?;
                while rows.pattern.starts[rows.class + 1] <= place {
                    interrupt::check();
                    rows.class += 1;
                }
                Some(rows.cell(place))
            }
        }
    }

    fn nth(&mut self, skipped: usize) -> Option<Cell> {
        match &mut self.0 {
            Walk::Listed(cells) => cells.nth(skipped).copied(),
            Walk::Shared(rows) => {
                let places = &mut rows.places;
                places.start = places.end.min(places.start.saturating_add(skipped));
                self.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = match &self.0 {
            Walk::Listed(cells) => cells.len(),
            Walk::Shared(rows) => rows.places.len(),
        };
        (len, Some(len))
    }

    /// Row by row, without testing for the row's end before every cell.
    #[inline]
    fn fold<B, F: FnMut(B, Cell) -> B>(self, init: B, mut f: F) -> B {
        match self.0 {
            Walk::Listed(cells) => cells.copied().fold(init, f),
            Walk::Shared(rows) => {
                let (mut all, mut start, mut class) = (init, rows.places.start, rows.class);
                while start < rows.places.end {
                    interrupt::check();
                    let end = rows.pattern.starts[class + 1].min(rows.places.end);
                    let columns = &rows.pattern.columns[start..end.max(start)];
                    let masses = &rows.masses[start..end.max(start)];
                    for (&predicted, &mass) in columns.iter().zip(masses) {
                        let cell = Cell { actual: class as u32, predicted, mass };
                        all = f(all, cell);
                    }
                    (start, class) = (end.max(start), class + 1);
                }
                all
            }
        }
    }
}

impl ExactSizeIterator for CellsIter<'_> {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_of_patterns_are_those_of_each_cell(
            a in prop::collection::vec(0u64..3, 49), b in prop::collection::vec(0u64..3, 49), (rows, others) in (0usize..8, 0usize..8),
        ) {
            // All rows from some place on are empty.
            let held = |counts: &[u64], rows: usize| -> Vec<(usize, u64)> {
                let cells = counts.iter().copied().enumerate();
                cells.filter(|&(place, count)| count > 0 && place < 7 * rows).collect()
            };
            let parts = |cells: &[(usize, u64)]| {
                let pairs = cells.iter().map(|cell| ((cell.0 / 7) as u32, (cell.0 % 7) as u32));
                (Pattern::from_pairs(7, pairs), cells.iter().map(|cell| cell.1).collect::<Vec<_>>())
            };
            let (a, b) = (held(&a, rows), held(&b, others));
            let mut both = std::collections::BTreeMap::new();
            a.iter().chain(&b).for_each(|&(place, count)| *both.entry(place).or_insert(0) += count);
            let expected = parts(&both.into_iter().collect::<Vec<_>>());
            let (a, b) = (parts(&a), parts(&b));
            prop_assert_eq!(a.0.plus(&a.1, &b.0, &b.1), expected);
        }

        #[test]
        fn shared_cells_are_those_listed(dense in prop::collection::vec(0u8..3, 25)) {
            let cells: Vec<Cell> = (0..25_u32)
                .map(|place| Cell { actual: place / 5, predicted: place % 5, mass: dense[place as usize].into() })
                .filter(|cell| cell.mass > 0.0)
                .collect();
            let pattern = Pattern::from_pairs(5, cells.iter().map(|cell| (cell.actual, cell.predicted)));
            let shared = Cells::new(Arc::new(pattern), cells.iter().map(|cell| cell.mass).collect());
            let listed = Cells::from(cells.clone());
            prop_assert_eq!(&shared, &listed);
            for held in [&shared, &listed] {
                prop_assert_eq!(held.len(), cells.len());
                let mut folded = Vec::new();
                held.iter().for_each(|cell| folded.push(cell));
                prop_assert_eq!(&folded, &cells);
                for skipped in 0..cells.len() {
                    let mut rest = held.iter();
                    rest.by_ref().take(skipped).for_each(drop);
                    let mut folded = Vec::new();
                    rest.for_each(|cell| folded.push(cell));
                    prop_assert_eq!(&folded, &cells[skipped..]);
                }
                for class in 0..6 {
                    let of = |cells: &[Cell], held: &dyn Fn(&Cell) -> bool| -> Vec<Cell> {
                        cells.iter().copied().filter(|cell| held(cell)).collect()
                    };
                    let row = of(&cells, &|cell| cell.actual == class);
                    prop_assert_eq!(held.row(class as usize).collect::<Vec<_>>(), row);
                    let column = of(&cells, &|cell| cell.predicted == class);
                    prop_assert_eq!(held.column(class as usize).collect::<Vec<_>>(), column);
                }
                let (mut in_rows, doubled, mut room) = (Vec::new(), [0.0, 2.0, 4.0, 6.0, 8.0], Vec::new());
                held.each_row(|row| {
                    let twice: Vec<f64> = row.predicted.iter().map(|&column| 2.0 * f64::from(column)).collect();
                    assert_eq!(row.of_columns(&doubled, &mut room), twice);
                    let right = row.predicted.iter().position(|&column| column as usize == row.actual);
                    assert_eq!(row.right(), right);
                    let cells = row.predicted.iter().zip(row.masses);
                    let actual = row.actual as u32;
                    in_rows.extend(cells.map(|(&predicted, &mass)| Cell { actual, predicted, mass }));
                });
                prop_assert_eq!(&in_rows, &cells);
                let rows: Vec<Vec<Cell>> = held.rows().map(Iterator::collect).collect();
                let expected = cells.chunk_by(|one, next| one.actual == next.actual);
                prop_assert_eq!(rows, expected.map(<[Cell]>::to_vec).collect::<Vec<_>>());
                for place in 0..36 {
                    let expected = if place % 6 < 5 && place < 30 { dense[place / 6 * 5 + place % 6].into() } else { 0.0 };
                    prop_assert_eq!(held.mass(place / 6, place % 6), expected);
                }
                let (head, tail) = cells.split_at(cells.len() / 2);
                let mut parts = held.clone();
                parts.clear();
                prop_assert!(parts.is_empty() && parts.column(0).next().is_none());
                parts.extend(head.iter().copied());
                parts.extend(tail.iter().copied());
                prop_assert_eq!(&parts, held);
                prop_assert!(parts.column(0).eq(held.column(0)));
                let twice: Vec<Cell> = held.scaled(2.0).iter().collect();
                prop_assert!(twice.iter().zip(&cells).all(|(a, b)| a.mass == 2.0 * b.mass));
            }
        }
    }
}
