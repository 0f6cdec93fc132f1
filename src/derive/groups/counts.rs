//! The cells of each group's confusion matrix.
//!
//! 1. The caller knows the labels: they are the labels of the matrix of all rows. Chunks of both
//!    columns are lowered to classes in cache.
//! 2. Two classes: four cells a group, side by side in one table (`two_classes.rs`).
//! 3. More classes: only non-zero cells are held. The cells of rows are arranged by group and cell
//!    (`arrange.rs`).
//! 4. Weights are exact sums ([`crate::arith::exact`]) at the same places.
//!
//! Cost: 16 bytes a group of two classes.

use std::ops::Range;

use crate::arith::exact::{ExactSums, Weights};
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Refusal, Result, check_part};
use crate::base::input::{Label, LabelKind, LabelSet, Labels, NanPolicy};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::threads::{Pieces, filled, over_items};
use crate::labels::binary::{LabelReader, Pair};
use crate::labels::classes::Classes;
use crate::labels::confusion;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::view::BinaryCounts;

use crate::groups::arrange::arranged;
use crate::groups::masses::{
    Masses, Tally, added_sums, copied, joined_sums, moved_rows, sums_bytes,
};
use crate::groups::two_classes::{counted, summed, tabled};

/// Up to this many classes, each group holds all its cells.
pub(crate) const DENSE_CLASSES: usize = 2;

/// The places of the non-zero cells. A cell is the actual class times the number of classes, plus
/// the predicted class.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Places {
    /// The cells of group `g` are `starts[g]..starts[g + 1]`.
    pub(crate) starts: Vec<u64>,
    /// Ascending in each group.
    pub(crate) cells: Vec<u64>,
}

/// The cells of each group.
#[derive(Debug, PartialEq, Eq)]
pub struct GroupCounts {
    pub(crate) labels: LabelSet,
    pub(crate) groups: usize,
    /// `None` for at most two classes, where each group holds all its cells.
    pub(crate) places: Option<Places>,
    pub(crate) masses: Masses,
    /// The sums of squared weights, if the weights are sampling weights.
    pub(crate) squares: Option<ExactSums>,
    /// The number of rows of each group, if rows have weights.
    pub(crate) rows: Option<Tally>,
}

impl Clone for Places {
    fn clone(&self) -> Self {
        Self { starts: self.starts.copy_all(), cells: self.cells.copy_all() }
    }
}

impl Clone for GroupCounts {
    fn clone(&self) -> Self {
        Self {
            labels: self.labels.clone(),
            groups: self.groups,
            places: self.places.clone(),
            masses: self.masses.clone(),
            squares: self.squares.clone(),
            rows: self.rows.clone(),
        }
    }
}

/// A column of labels, and its classes.
enum Column<'a> {
    Two(LabelReader<'a>, Pair),
    /// The place of each class in the caller's order comes with it.
    Many(Classes<'a>, Vec<u32>),
}

impl<'a> Column<'a> {
    fn new(labels: &Labels<'a>, set: &LabelSet, argument: &'static str) -> Result<Self> {
        if set.len() <= DENSE_CLASSES {
            let reader = LabelReader {
                labels: *labels,
                nan_policy: NanPolicy::Raise,
                rest: false,
                argument,
            };
            let pair = Pair {
                negative: set.values.first().cloned(),
                positive: set.values.get(1).cloned(),
            };
            return Ok(Self::Two(reader, pair));
        }
        let mut order: Vec<u32> = (0..set.len() as u32).gather();
        order.sort_by(|&a, &b| set.values[a as usize].cmp(&set.values[b as usize]));
        let sorted = LabelSet {
            kind: set.kind,
            values: (order.iter().map(|&at| set.values[at as usize].clone())).gather(),
        };
        Ok(Self::Many(Classes::given(labels, sorted)?, order))
    }

    fn lower(&self, rows: Range<usize>, bytes: &mut [u8], classes: &mut [u32]) -> Result<()> {
        let len = rows.len();
        match self {
            Self::Two(reader, pair) => {
                reader.lower(rows, pair, &mut bytes[..len])?;
                for (class, &byte) in classes.iter_mut().zip(&bytes[..len]) {
                    *class = byte.into();
                }
            }
            Self::Many(reader, order) => {
                reader.lower(rows, &mut classes[..len])?;
                for class in &mut classes[..len] {
                    *class = order[*class as usize];
                }
            }
        }
        Ok(())
    }
}

impl GroupCounts {
    /// Counts rows: `codes` are their groups, below `groups`; all labels are among `labels`.
    ///
    /// # Errors
    /// Columns of several lengths, another label, and weights that cannot be used.
    pub fn new(
        (codes, groups): (&[u32], usize),
        y_true: &Labels<'_>,
        y_pred: &Labels<'_>,
        weights: Option<Weights<'_>>,
        weight_kind: WeightKind,
        labels: LabelSet,
    ) -> Result<Self> {
        let mut columns =
            vec![("y_true", y_true.len()), ("y_pred", y_pred.len()), ("by", codes.len())];
        if let Some(weights) = &weights {
            columns.grow(("sample_weight", weights.len()));
        }
        // The classes are known, so an empty part of other rows is allowed.
        let rows = check_part(&columns, true)?;
        let squares = weight_kind.squares(weights, "sample_weight")?;
        if rows == 0 {
            let is_sampling = squares.is_some();
            return Ok(Self::of_no_rows(labels, groups, is_sampling, is_sampling));
        }
        let actual = Column::new(y_true, &labels, "y_true")?;
        let predicted = Column::new(y_pred, &labels, "y_pred")?;
        let counts = if let (Column::Two(one, pair), Column::Two(other, other_pair)) =
            (&actual, &predicted)
        {
            let columns = [(one, pair), (other, other_pair)];
            Self::of_two(codes, groups, columns, weights, squares.as_deref(), labels)
        } else {
            let columns = [&actual, &predicted];
            Self::of_many(codes, groups, columns, weights, squares.as_deref(), labels)
        };
        Ok(counts?.settled())
    }

    fn of_two(
        codes: &[u32],
        groups: usize,
        columns: [(&LabelReader<'_>, &Pair); 2],
        weights: Option<Weights<'_>>,
        squares: Option<&[f64]>,
        labels: LabelSet,
    ) -> Result<Self> {
        let (masses, squares, rows) = if let Some(weights) = weights {
            let squares = squares.map(|squares| {
                summed(codes, groups, columns, Weights::from_slice(squares)).map(|summed| summed.0)
            });
            let (sums, rows) = summed(codes, groups, columns, weights)?;
            (Masses::Weights(sums), squares.transpose()?, Some(Tally::of(rows)))
        } else if groups <= (u32::MAX / 4) as usize && u32::try_from(codes.len()).is_ok() {
            (Masses::Counts(Tally::Narrow(counted(codes, groups, columns)?)), None, None)
        } else {
            let add = |count: &mut u64, one| *count += one;
            let (counts, _) = tabled(codes, groups, columns, |_| 1, add, |a, b| a + b)?;
            (Masses::Counts(Tally::of(counts)), None, None)
        };
        Ok(Self { labels, groups, places: None, masses, squares, rows })
    }

    fn of_many(
        codes: &[u32],
        groups: usize,
        [actual, predicted]: [&Column<'_>; 2],
        weights: Option<Weights<'_>>,
        squares: Option<&[f64]>,
        labels: LabelSet,
    ) -> Result<Self> {
        let classes = labels.len() as u64;
        let cells = filled("y_true", codes.len(), |part, room| {
            let mut bytes = [0; CHUNK];
            let (mut one, mut other) = ([0; CHUNK], [0; CHUNK]);
            for rows in chunks(part) {
                actual.lower(rows.clone(), &mut bytes, &mut one)?;
                predicted.lower(rows.clone(), &mut bytes, &mut other)?;
                let cell = |at: usize| Ok(u64::from(one[at]) * classes + u64::from(other[at]));
                room.fill_by(rows.len(), cell)?;
            }
            Ok(())
        });
        let arranged = arranged(codes, groups, &cells?.0, u64::cmp)?;
        let weigh = |weights: Weights<'_>| {
            let (weights, span) = copied(weights)?;
            arranged.weighed::<1>(span, |row| (0, weights[row]))
        };
        let squares = squares.map(|squares| weigh(Weights::from_slice(squares)));
        let (masses, rows) = match weights {
            None => (Masses::Counts(Tally::of(arranged.lens())), None),
            Some(weights) => {
                (Masses::Weights(weigh(weights)?), Some(Tally::of(arranged.lens_of_groups())))
            }
        };
        let places = Some(Places { starts: arranged.starts, cells: arranged.keys });
        Ok(Self { labels, groups, places, masses, squares: squares.transpose()?, rows })
    }

    /// How many bytes the cells take.
    pub fn bytes(&self) -> usize {
        let masses = match &self.masses {
            Masses::Counts(counts) => counts.bytes(),
            Masses::Weights(sums) => sums_bytes(sums),
        };
        let places = self.places.as_ref();
        masses
            + places.map_or(0, |places| 8 * (places.starts.len() + places.cells.len()))
            + self.squares.as_ref().map_or(0, sums_bytes)
            + self.rows.as_ref().map_or(0, Tally::bytes)
    }

    /// The labels of the classes.
    pub fn labels(&self) -> &LabelSet {
        &self.labels
    }

    /// Whether rows have weights.
    pub fn is_weighted(&self) -> bool {
        self.masses.are_weights()
    }

    /// What the weights mean.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    pub(crate) fn range(&self, group: usize) -> Range<usize> {
        match &self.places {
            None => 4 * group..4 * group + 4,
            Some(places) => places.starts[group] as usize..places.starts[group + 1] as usize,
        }
    }

    /// The actual and the predicted class of a place.
    pub(crate) fn cell(&self, place: usize) -> (usize, usize) {
        match &self.places {
            None => (place % 4 / 2, place % 2),
            Some(places) => {
                let (cell, classes) = (places.cells[place], self.labels.len() as u64);
                ((cell / classes) as usize, (cell % classes) as usize)
            }
        }
    }

    pub(crate) fn place(&self, group: usize, actual: usize, predicted: usize) -> Option<usize> {
        let range = self.range(group);
        match &self.places {
            None => Some(range.start + 2 * actual + predicted),
            Some(places) => {
                let cell = (actual * self.labels.len() + predicted) as u64;
                let found = places.cells[range.clone()].binary_search(&cell);
                found.ok().map(|place| range.start + place)
            }
        }
    }

    /// Runs `work` over consecutive groups with about equally many cells, and the pieces of `outputs`
    /// of the same groups; returns the results in the order of the groups.
    ///
    /// # Errors
    /// The refusal of the earliest groups for which `work` refuses.
    pub fn over_groups<P: Pieces, T: Send>(
        &self,
        outputs: P,
        work: impl Fn(Range<usize>, P) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        over_items(self.groups, &|group| self.before(group) + group, outputs, work)
    }

    /// How many cells lie before a group.
    pub fn before(&self, group: usize) -> usize {
        self.places.as_ref().map_or(4 * group, |places| places.starts[group] as usize)
    }

    /// The number of rows of a group.
    pub fn rows(&self, group: usize) -> u64 {
        match (&self.rows, &self.masses) {
            (Some(rows), _) => rows.get(group),
            (None, Masses::Counts(counts)) => counts.sum(self.range(group)),
            (None, Masses::Weights(_)) => 0,
        }
    }

    /// The 2×2 table of a group of two classes; `positive` is the place of the positive one.
    pub fn table(&self, group: usize, positive: usize) -> BinaryCounts {
        table_of(group, positive, |place| self.masses.get(place))
    }

    /// The 2×2 table of squared weights of a group, if the weights are sampling weights.
    pub fn squares_table(&self, group: usize, positive: usize) -> Option<BinaryCounts> {
        let squares = self.squares.as_ref()?;
        Some(table_of(group, positive, |place| squares.get(place)))
    }

    /// The confusion matrix of a group, with all classes.
    pub fn matrix(&self, group: usize) -> ConfusionMatrix {
        let range = self.range(group);
        let classes = self.labels.len();
        let kept: Vec<usize> = range.filter(|&place| self.is_inside(place)).gather();
        let pairs = || {
            let cell = |&place: &usize| {
                let (actual, predicted) = self.cell(place);
                (actual as u32, predicted as u32)
            };
            kept.iter().map(cell).gather()
        };
        debug_assert!(classes > 0 || kept.is_empty());
        let rows = self.rows(group);
        let masses = match &self.masses {
            Masses::Counts(counts) => {
                let counts = kept.iter().map(|&place| counts.get(place)).gather();
                confusion::Masses::Counts(counts)
            }
            Masses::Weights(sums) => confusion::Masses::Weights(sums.taken(&kept)),
        };
        let matrix = ConfusionMatrix::from_cells(self.labels.clone(), rows, pairs(), masses);
        let squares = self.squares.as_ref().map(|squares| {
            let masses = confusion::Masses::Weights(squares.taken(&kept));
            let labels = self.labels.clone();
            Box::new(ConfusionMatrix::from_cells(labels, rows, pairs(), masses))
        });
        matrix.beside(squares)
    }

    pub(crate) fn is_inside(&self, place: usize) -> bool {
        match &self.masses {
            Masses::Counts(counts) => counts.get(place) > 0,
            Masses::Weights(sums) => sums.get(place) > 0.0,
        }
    }

    /// Merges groups and classes: group `g` becomes `groups[g]`, class `k` becomes `classes[k]`.
    ///
    /// # Errors
    /// None but for memory.
    pub(crate) fn moved(
        &self,
        (codes, groups): (&[u32], usize),
        labels: &LabelSet,
        classes: &[u32],
    ) -> Result<Self> {
        if labels.len() > DENSE_CLASSES {
            return Self::united(&[(self, codes, classes)], groups, labels);
        }
        let class = |class: usize| classes.get(class).map_or(0, |&class| class as usize);
        let mut of_places = with_room(self.masses.len());
        for (group, &code) in codes.iter().enumerate() {
            let place = |place: usize| {
                let (actual, predicted) = self.cell(place);
                4 * code as usize + 2 * class(actual) + class(predicted)
            };
            of_places.grow_with(self.range(group).map(place));
        }
        let moved = Self {
            labels: labels.clone(),
            groups,
            places: None,
            masses: self.masses.moved(&of_places, 4 * groups),
            squares: self.squares.as_ref().map(|squares| squares.moved(&of_places, 4 * groups)),
            rows: self.rows.as_ref().map(|rows| moved_rows(rows, codes, groups)),
        };
        Ok(moved.settled())
    }

    /// The sum of counts, each with the new group of each of its groups, and the new class of each
    /// of its classes, of which there are more than [`DENSE_CLASSES`].
    fn united(sides: &[(&Self, &[u32], &[u32])], groups: usize, labels: &LabelSet) -> Result<Self> {
        let (mut of_group, mut cells) = (Vec::new(), Vec::new());
        // The place of each entry among those of all sides.
        let mut places: Vec<usize> = Vec::new();
        let mut first = 0;
        for &(side, codes, classes) in sides {
            let parts = side.over_groups((), |groups, ()| {
                let (mut of_group, mut cells) = (Vec::new(), Vec::new());
                let mut places: Vec<usize> = Vec::new();
                for group in groups {
                    interrupt::check_at(group);
                    for place in side.range(group).filter(|&place| side.is_inside(place)) {
                        let (actual, predicted) = side.cell(place);
                        let [actual, predicted] =
                            [actual, predicted].map(|at| u64::from(classes[at]));
                        of_group.grow(codes[group]);
                        cells.grow(actual * labels.len() as u64 + predicted);
                        places.grow(first + place);
                    }
                }
                Ok((of_group, cells, places))
            });
            for (own_groups, own_cells, own_places) in parts? {
                of_group.grow_by(&own_groups);
                cells.grow_by(&own_cells);
                places.grow_by(&own_places);
            }
            first += side.masses.len();
        }
        let whole = |side: &Self| 0..side.masses.len();
        let masses: Vec<_> = sides.iter().map(|(side, ..)| (&side.masses, whole(side))).gather();
        let squares = sides.iter().map(|(side, ..)| (side.squares.as_ref(), whole(side)));
        let squares: Vec<_> = squares.gather();
        let (masses, squares) = (Masses::joined(&masses)?, joined_sums(&squares)?);
        let arranged = arranged(&of_group, groups, &cells, u64::cmp)?;
        let at = |_: usize, entry: usize| places[entry];
        let masses = masses.gathered::<u64, 1>(&arranged, at)?;
        let squares = squares.map(|squares| arranged.gathered::<1>(&squares, at)).transpose()?;
        let mut rows: Option<Tally> = None;
        for (side, codes, _) in sides {
            let own = side.rows.as_ref().map(|rows| moved_rows(rows, codes, groups));
            rows = match (rows, own) {
                (Some(rows), Some(own)) => Some(rows.added(own)?),
                (_, own) => own,
            };
        }
        let places = Some(Places { starts: arranged.starts, cells: arranged.keys });
        Ok(Self { labels: labels.clone(), groups, places, masses, squares, rows }.settled())
    }

    /// Counts of no groups, with these labels and the same kind of cells.
    pub(crate) fn none_with(&self, labels: &LabelSet) -> Self {
        Self::of_no_rows(labels.clone(), 0, self.rows.is_some(), self.squares.is_some())
    }

    fn of_no_rows(labels: LabelSet, groups: usize, is_weighted: bool, has_squares: bool) -> Self {
        let is_dense = labels.len() <= DENSE_CLASSES;
        let cells = if is_dense { 4 * groups } else { 0 };
        Self {
            labels,
            groups,
            places: (!is_dense).then(|| Places { starts: vec![0; groups + 1], cells: Vec::new() }),
            masses: if is_weighted {
                Masses::Weights(ExactSums::new(cells))
            } else {
                Masses::Counts(Tally::of(vec![0; cells]))
            },
            squares: has_squares.then(|| ExactSums::new(cells)),
            rows: is_weighted.then(|| Tally::of(vec![0; groups])),
        }
    }

    /// The counts of the groups of both: `codes` has the common group of each group here, then of
    /// each there.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for text against numbers, for weights against none, and for weights of
    /// two kinds.
    pub(crate) fn added(&self, other: &Self, codes: &[u32], groups: usize) -> Result<Self> {
        let is_text = |set: &LabelSet| set.kind == LabelKind::Text;
        if is_text(&self.labels) != is_text(&other.labels) && !self.labels.is_empty() {
            return Err(Refusal::Merge {
                reason: "the labels of one are text, the labels of the other numbers".to_owned(),
            });
        }
        let (labels, classes) = union(&self.labels, &other.labels);
        let (own, their) = codes.split_at(self.groups);
        // A group of the sum has the cells that it has in either.
        if labels.len() > DENSE_CLASSES {
            let sides = [(self, own, &classes.0[..]), (other, their, &classes.1[..])];
            return Self::united(&sides, groups, &labels);
        }
        let own = self.moved((own, groups), &labels, &classes.0)?;
        let their = other.moved((their, groups), &labels, &classes.1)?;
        Ok(Self {
            masses: own.masses.added(their.masses)?,
            squares: added_sums(own.squares, their.squares)?,
            rows: match (own.rows, their.rows) {
                (Some(own), Some(their)) => Some(own.added(their)?),
                _ => None,
            },
            labels,
            groups,
            places: None,
        }
        .settled())
    }

    /// The canonical form, which depends on the cells alone: no cells of zero weight, and canonical
    /// sums.
    pub(crate) fn settled(mut self) -> Self {
        if let (Some(places), Masses::Weights(sums)) = (&self.places, &self.masses) {
            let kept: Vec<usize> = (0..sums.len()).filter(|&at| sums.get(at) > 0.0).gather();
            if kept.len() < sums.len() {
                let mut starts = with_room(places.starts.len());
                let before = |start: u64| kept.partition_point(|&at| (at as u64) < start) as u64;
                starts.grow_with(places.starts.iter().map(|&start| before(start)));
                let cells = kept.iter().map(|&at| places.cells[at]).gather();
                self.masses = Masses::Weights(sums.taken(&kept));
                self.squares = self.squares.map(|squares| squares.taken(&kept));
                self.places = Some(Places { starts, cells });
            }
        }
        if let Masses::Weights(sums) = self.masses {
            self.masses = Masses::Weights(sums.canonical());
        }
        self.squares = self.squares.map(ExactSums::canonical);
        self
    }
}

/// The labels of both, and the new class of each own and each other label. The labels ascend if
/// both sides ascend; else all of the first side precede the new ones.
fn union(own: &LabelSet, other: &LabelSet) -> (LabelSet, (Vec<u32>, Vec<u32>)) {
    let ascend = |values: &[Label]| values.is_sorted_by(|a, b| a < b);
    let mut values = own.values.copy_all();
    values.grow_with(other.values.iter().filter(|label| own.position(label).is_none()).cloned());
    if ascend(&own.values) && ascend(&other.values) {
        values.sort();
    }
    let labels = LabelSet { kind: own.kind.max(other.kind), values };
    let find = |set: &LabelSet| {
        let class = |label: &Label| labels.position(label).map_or(0, |at| at as u32);
        set.values.iter().map(class).gather()
    };
    let classes = (find(own), find(other));
    (labels, classes)
}

/// The 2×2 table of a group; `get` reads its cells.
fn table_of(group: usize, positive: usize, get: impl Fn(usize) -> f64) -> BinaryCounts {
    let at = |actual: usize, predicted: usize| get(4 * group + 2 * actual + predicted);
    let negative = 1 - positive.min(1);
    BinaryCounts {
        tp: at(positive, positive),
        fp: at(negative, positive),
        fn_: at(positive, negative),
        tn: at(negative, negative),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::base::threads::set_threads;
    use crate::groups::made::{KINDS, Rows, rows};

    /// The cells of each group, row by row.
    fn naive(rows: &Rows, is_weighted: bool) -> BTreeMap<(u32, u32, u32), f64> {
        let mut cells = BTreeMap::new();
        for row in 0..rows.codes.len() {
            let cell = (rows.codes[row], rows.actual[row] as u32, rows.predicted[row] as u32);
            *cells.entry(cell).or_insert(0.0) += if is_weighted { rows.weights[row] } else { 1.0 };
        }
        cells.retain(|_, mass| *mass > 0.0);
        cells
    }

    fn cells(counts: &GroupCounts) -> BTreeMap<(u32, u32, u32), f64> {
        let mut found = BTreeMap::new();
        for group in 0..counts.groups {
            for cell in counts.matrix(group).cells() {
                found.insert((group as u32, cell.actual, cell.predicted), cell.mass);
            }
        }
        found
    }

    #[test]
    fn cells_are_those_of_counting_row_by_row() {
        for (len, groups, classes) in [
            (1, 1, 1),
            (5, 3, 2),
            (400, 1, 2),
            (5000, 7, 2),
            (5000, 300, 2),
            (300_000, 200, 2),
            (3000, 90_000, 2),
            (500, 4, 3),
            (5000, 60, 5),
            (5000, 700, 40),
        ] {
            let rows = rows(len, groups, classes as i64, false, len as u64);
            for kind in KINDS {
                set_threads(Some(1)).unwrap();
                let counts = rows.count(groups as usize, classes, kind);
                let (found, expected) = (cells(&counts), naive(&rows, kind.is_some()));
                assert_eq!(found.len(), expected.len(), "{len} {groups} {classes}");
                for (cell, mass) in &expected {
                    assert!((found[cell] - mass).abs() <= 1e-9 * mass, "{cell:?}");
                }
                for group in 0..groups {
                    let own = rows.codes.iter().filter(|&&code| code == group).count();
                    assert_eq!(counts.rows(group as usize), own as u64);
                }
                set_threads(Some(3)).unwrap();
                assert_eq!(rows.count(groups as usize, classes, kind), counts);
                set_threads(None).unwrap();
            }
        }
    }

    #[test]
    fn parts_of_rows_add_up() {
        for classes in [2, 4] {
            for kind in KINDS {
                let all = rows(300, 9, classes, false, 5);
                let part = |range: Range<usize>| all.kept(|row| range.contains(&row));
                let whole = all.count(9, classes as usize, kind);
                let same: Vec<u32> = (0..9).chain(0..9).collect();
                for cut in [0, 1, 100, 299] {
                    if cut == 0 {
                        continue; // no rows are refused
                    }
                    let a = part(0..cut).count(9, classes as usize, kind);
                    let b = part(cut..300).count(9, classes as usize, kind);
                    assert_eq!(a.added(&b, &same, 9).unwrap(), whole);
                }
                let coarse: Vec<u32> = (0..9).map(|group| group / 4).collect();
                let mut fewer = part(0..300);
                fewer.codes = all.codes.iter().map(|&code| code / 4).collect();
                let labels = LabelSet::numbered(classes as usize);
                let same: Vec<u32> = (0..classes as u32).collect();
                let moved = whole.moved((&coarse, 3), &labels, &same).unwrap();
                assert_eq!(moved, fewer.count(3, classes as usize, kind));
            }
        }
    }
}
