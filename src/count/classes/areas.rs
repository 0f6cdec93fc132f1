//! Areas of many columns of scores: of each class against the rest, of each pair of classes, and of
//! each label.
//!
//! The kernels read the numbers of one column side by side, but a matrix is stored row after row.
//! Reading it column by column would fetch every cache line once for each column.
//!
//! 1. As many columns as one cache line holds (eight of doubles, sixteen of singles) are transposed
//!    at a time. Each column then goes to the kernel for one column, with a byte for each row:
//!    positive or not.
//! 2. For class against class, many rows are scattered by score and class at once. The rows of all
//!    other classes are then located among the rows of the column's class
//!    ([`crate::scores::sweep::auc`]).
//! 3. Few rows, and few distinct scores, are split by class while their columns are transposed. The
//!    scores of two classes are then two slices.
//!
//! Cost at 1e6 rows of 10 classes: about 6 ns a number one against the rest, 9 ns one against one.
//! Source: Provost and Domingos 2000 (one against the rest); Hand and Till 2001,
//! doi:10.1023/A:1010920819831 (one against one).
//!
//! Tried and rejected:
//! - Columns read in place: a cache line for each number.
//! - Masks of the two classes' rows for each pair.

use std::any::Any;
use std::ops::Range;

use crate::arith::exact::Weights;
use crate::base::column::{Column, Element};
use crate::base::dtype::{Number, visit};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{LabelSet, Labels, ScoreMatrix, Scores};
use crate::base::matrix::{Matrix, chunks};
use crate::base::memory::{Gather, Room, with_room, zeros};
use crate::base::switch::switch_at;
use crate::base::threads::{over_items, over_parts, over_pieces, prefer_huge_pages};
use crate::labels::classes::Classes;
use crate::scores::keys::{Lowered, ScoreKind, ScoreReader, Stop};
use crate::scores::ranking::Ranking;
use crate::scores::ranking::roc_areas::weighted_roc_auc;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::auc;
use crate::scores::sweep::auc::{rank_sum_of, rank_sums_against};
use crate::scores::sweep::partition::Reuse;
use crate::scores::sweep::rows::{Chunk, Rows, SweepOptions};

/// Fewer rows stay in cache, and are read in place.
const FEW_ROWS: usize = switch_at(4096, 16);

/// More rows are ranked against the rows of all other classes at once.
const MANY_ROWS: usize = switch_at(1 << 15, 64);

/// The most classes that are compared in pairs: 10,000 squared are 800 MB.
const MOST_CLASSES: usize = 10_000;

/// The area that is computed for a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Area {
    /// The area under the ROC curve up to this false positive rate; 1 for the whole curve.
    Roc(f64),
    /// Average precision.
    Precision,
}

/// The area of one column.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ColumnArea {
    /// NaN if undefined: without positives, or for the ROC curve without negatives.
    pub area: f64,
    /// The number, or weight, of positive rows.
    pub positives: f64,
    /// The number, or weight, of negative rows.
    pub negatives: f64,
    /// Whether both classes have rows, of any weight.
    pub both: bool,
}

/// The area of one pair of classes, the lower first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairArea {
    /// The mean of two areas: the lower class in its own column, and the higher class in its own
    /// column, each as the positive class.
    pub area: f64,
    /// The number of rows of both classes.
    pub rows: u64,
}

/// Each class against the rest: column k of the scores ranks the rows of class k. The classes are
/// `labels`, which must ascend, or the labels that occur; one for each column.
///
/// # Errors
/// Incompatible shapes, a wrong number of classes, labels outside the classes, NaN and infinite
/// scores, weights that are negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::areas::{Area, one_vs_rest};
/// use rocksteady_count::base::matrix::Matrix;
///
/// let labels = Labels::U8(Column::from_slice(&[0, 1, 2, 2]));
/// let scores = [0.5, 0.3, 0.2, 0.6, 0.3, 0.1, 0.1, 0.1, 0.8, 0.2, 0.4, 0.4];
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&scores, 3));
/// let areas = one_vs_rest(&labels, None, &scores, None, Area::Roc(1.0))?;
/// assert_eq!(areas.iter().map(|column| column.area).collect::<Vec<_>>(), [2.0 / 3.0, 0.5, 1.0]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn one_vs_rest(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    area: Area,
) -> Result<Vec<ColumnArea>> {
    let codes = class_codes(y_true, labels, y_score)?;
    let mut flags = vec![0; codes.len()];
    each_column(y_score, &mut |class, scores| {
        over_pieces(&mut flags, |rows, flags| {
            for (flag, &code) in flags.iter_mut().zip(&codes[rows]) {
                *flag = u8::from(code as usize == class);
            }
            Ok(())
        })?;
        column_area(&flags, &scores, weights, area)
    })
}

/// All classes as one problem: every pair (row, class) is a row, positive if the row has that
/// class.
///
/// # Errors
/// Like [`one_vs_rest`].
pub fn one_vs_rest_pooled(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    area: Area,
) -> Result<ColumnArea> {
    let codes = class_codes(y_true, labels, y_score)?;
    let columns = y_score.columns();
    let mut flags = vec![0; codes.len() * columns];
    for (row, &code) in flags.chunks_exact_mut(columns).zip(&codes) {
        row[code as usize] = 1;
    }
    pooled(&flags, y_score, weights, area)
}

/// Each label of an indicator matrix of 0 and 1 separately: column k of the scores ranks the rows
/// that have label k.
///
/// # Errors
/// Like [`one_vs_rest`], and labels other than 0 and 1.
pub fn each_label(
    y_true: &ScoreMatrix,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    area: Area,
) -> Result<Vec<ColumnArea>> {
    let flags = indicator(y_true, y_score)?;
    let columns = y_score.columns();
    each_column(y_score, &mut |column, scores| {
        let flags: Vec<u8> = flags.iter().skip(column).step_by(columns).copied().gather();
        column_area(&flags, &scores, weights, area)
    })
}

/// All labels of an indicator matrix as one problem: every pair (row, label) is a row.
///
/// # Errors
/// Like [`each_label`].
pub fn labels_pooled(
    y_true: &ScoreMatrix,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    area: Area,
) -> Result<ColumnArea> {
    pooled(&indicator(y_true, y_score)?, y_score, weights, area)
}

/// Each pair of the classes that occur, in the order (0, 1), (0, 2), …, (1, 2), …
///
/// # Errors
/// Like [`one_vs_rest`], and more than 10,000 classes.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::areas::one_vs_one;
/// use rocksteady_count::base::matrix::Matrix;
///
/// let labels = Labels::U8(Column::from_slice(&[0, 1, 2, 2]));
/// let scores = [0.5, 0.3, 0.2, 0.6, 0.3, 0.1, 0.1, 0.1, 0.8, 0.2, 0.4, 0.4];
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&scores, 3));
/// let pairs = one_vs_one(&labels, None, &scores)?;
/// assert_eq!(pairs.iter().map(|pair| pair.area).collect::<Vec<_>>(), [0.25, 1.0, 0.75]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn one_vs_one(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
) -> Result<Vec<PairArea>> {
    let classes = y_score.columns();
    if classes > MOST_CLASSES {
        let found = format!("{classes} columns");
        let expected = format!("at most {MOST_CLASSES}, of which any two are compared");
        return Err(Refusal::argument("y_score", found, expected));
    }
    let codes = class_codes(y_true, labels, y_score)?;
    let groups = groups_of(&codes, classes);
    let sizes: Vec<usize> = groups.iter().map(ExactSizeIterator::len).gather();
    let order = Order { codes: &codes, groups: &groups };
    // areas[a][b]: how well column a ranks class a above class b.
    let (reuse, reuse_narrow) = (Reuse::new(), Reuse::new());
    let at_once = if codes.len() > MANY_ROWS && classes <= 64 {
        each_column(y_score, &mut |class, scores| {
            if ScoreKind::of(&scores).is_wide() {
                against_all::<u64>(class, &scores, &codes, &sizes, &reuse)
            } else {
                against_all::<u32>(class, &scores, &codes, &sizes, &reuse_narrow)
            }
        })?
        .into_iter()
        .collect::<Option<Vec<_>>>()
    } else {
        None
    };
    let one_by_one = || {
        parted_columns(y_score, &order, &mut |class, scores| {
            if ScoreKind::of(&scores).is_wide() {
                against_each::<u64>(class, &scores, &groups)
            } else {
                against_each::<u32>(class, &scores, &groups)
            }
        })
    };
    let areas = match at_once {
        Some(areas) => areas,
        None => one_by_one()?,
    };
    let present = sizes.iter().filter(|&&size| size > 0).count();
    let mut pairs = with_room(present * present.saturating_sub(1) / 2);
    for a in (0..classes).filter(|&a| sizes[a] > 0) {
        for b in (a + 1..classes).filter(|&b| sizes[b] > 0) {
            pairs.grow(PairArea {
                area: f64::midpoint(areas[a][b], areas[b][a]),
                rows: (sizes[a] + sizes[b]) as u64,
            });
        }
    }
    Ok(pairs)
}

/// Whether every row's scores add up to 1, within 1e-5.
pub fn rows_sum_to_one(y_score: &ScoreMatrix) -> bool {
    let columns = y_score.columns().max(1);
    let parts = over_parts(y_score.rows(), |part| {
        let mut out = Vec::new();
        let good = chunks(part, columns).all(|range| {
            y_score.lowered(range, &mut out).chunks_exact(columns).all(|row| {
                // Four sums side by side do not wait for one another.
                let (fours, rest) = row.as_chunks::<4>();
                let mut sums = [0.0; 4];
                for four in fours {
                    for (sum, x) in sums.iter_mut().zip(four) {
                        *sum += x;
                    }
                }
                let sum = sums.iter().sum::<f64>() + rest.iter().sum::<f64>();
                (1.0 - sum).abs() <= 1e-8 + 1e-5 * sum.abs()
            })
        });
        Ok(good)
    });
    parts.is_ok_and(|parts| parts.into_iter().all(|good| good))
}

/// The class of every row; there are as many classes as columns.
fn class_codes(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
) -> Result<Vec<u32>> {
    Ok(classes_of_rows(y_true, labels, y_score)?.1)
}

/// The classes, and the class of every row; there are as many classes as columns.
pub(crate) fn classes_of_rows(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
) -> Result<(LabelSet, Vec<u32>)> {
    let (rows, columns) = (y_true.len(), y_score.columns());
    check_rows(&[("y_true", rows), ("y_score", y_score.rows())])?;
    let classes = match labels {
        Some(labels) => Classes::given(y_true, labels)?,
        None => Classes::found(y_true, columns)?,
    };
    check_columns(&classes.labels, columns)?;
    let mut codes = vec![0; rows];
    over_pieces(&mut codes, |rows, codes| classes.lower(rows, codes))?;
    Ok((classes.labels, codes))
}

/// Refuses scores whose number of columns differs from the number of classes.
pub(crate) fn check_columns(labels: &LabelSet, columns: usize) -> Result<()> {
    if labels.len() == columns && columns >= 2 {
        return Ok(());
    }
    let expected = format!("{} columns, one for each class", labels.len().max(2));
    Err(Refusal::argument("y_score", columns, expected))
}

/// An indicator matrix row after row.
pub(crate) fn indicator(y_true: &ScoreMatrix, y_score: &ScoreMatrix) -> Result<Vec<u8>> {
    let shape = (y_score.rows(), y_score.columns());
    let found = format!("{} by {}", y_true.rows(), y_true.columns());
    if (y_true.rows(), y_true.columns()) != shape {
        let expected = format!("{} by {}, as y_score", shape.0, shape.1);
        return Err(Refusal::argument("y_true", found, expected));
    }
    if shape.1 < 2 {
        let expected = "two columns or more; a single label is for ScoreTable";
        return Err(Refusal::argument("y_true", found, expected));
    }
    if shape.0 == 0 {
        return Err(Refusal::Empty { argument: "y_true" });
    }
    let mut flags = Vec::new();
    y_true.flags(0..shape.0, &mut flags);
    match flags.iter().position(|&flag| flag > 1) {
        None => Ok(flags),
        Some(place) => Err(Refusal::row("y_true", place / shape.1, "another number", "0 or 1")),
    }
}

fn column_area(
    flags: &[u8],
    scores: &Scores,
    weights: Option<Weights>,
    area: Area,
) -> Result<ColumnArea> {
    let labels = Labels::of::<u8>(Column::from_slice(flags));
    let options = SweepOptions::zero_one();
    if weights.is_none() && area == Area::Roc(1.0) {
        let sum = auc::roc_auc(&labels, scores, &options)?;
        return Ok(ColumnArea {
            area: sum.area().unwrap_or(f64::NAN),
            positives: sum.positives as f64,
            negatives: sum.negatives as f64,
            both: sum.positives > 0 && sum.negatives > 0,
        });
    }
    let both = flags.contains(&0) && flags.contains(&1);
    if let Some(weights) = weights.filter(|_| area == Area::Roc(1.0)) {
        let found = weighted_roc_auc(&labels, scores, weights, &options)?;
        return Ok(ColumnArea {
            area: found.area.unwrap_or(f64::NAN),
            positives: found.positives,
            negatives: found.negatives,
            both,
        });
    }
    let table = Ranking::from(score_table(&labels, scores, weights, &options)?);
    let (positives, negatives) = table.totals();
    let area = match area {
        Area::Roc(rate) => table.standardized_auc(rate),
        Area::Precision => table.average_precision(),
    };
    Ok(ColumnArea { area: area.unwrap_or(f64::NAN), positives, negatives, both })
}

fn pooled(
    flags: &[u8],
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    area: Area,
) -> Result<ColumnArea> {
    let mut memory = Flat::default();
    let scores = memory.of(y_score, 0..y_score.rows());
    let repeated: Option<Vec<f64>> = weights.map(|weights| {
        let each = (0..weights.len()).map(|row| weights.get(row));
        each.flat_map(|weight| std::iter::repeat_n(weight, y_score.columns())).gather()
    });
    let weights = repeated.as_deref().map(Column::from_slice);
    column_area(flags, &scores, weights, area)
}

/// The rows of one column with their classes.
struct ClassRows<'a> {
    reader: ScoreReader<'a>,
    codes: &'a [u32],
}

impl<K: Lowered> Rows<K> for ClassRows<'_> {
    fn rows(&self) -> usize {
        self.codes.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        let (mut key, mut code) = ([K::default()], [0]);
        self.reader.lower(row..row + 1, &mut key, &mut code).ok()?;
        Some(key[0])
    }

    fn prefetch(&self, _: Range<usize>) {}

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        let len = rows.len();
        chunk.len = len;
        // No row is left out, so the codes need no meaning.
        chunk.codes[..len].fill(0);
        let (keys, codes) = (&mut chunk.keys[..len], &mut chunk.codes[..len]);
        self.reader.lower(rows.clone(), keys, codes)?;
        for (code, &class) in codes.iter_mut().zip(&self.codes[rows]) {
            *code = class as u8;
        }
        Ok(())
    }
}

/// The area of `class` against each other class in one column; `None` if [`against_each`] is
/// faster.
fn against_all<K: Lowered>(
    class: usize,
    scores: &Scores,
    codes: &[u32],
    sizes: &[usize],
    reuse: &Reuse<K>,
) -> Result<Option<Vec<f64>>> {
    let rows = ClassRows { reader: ScoreReader::finite(*scores), codes };
    let sums = rank_sums_against::<K>(&rows, class, sizes, reuse).map_err(Stop::refusal)?;
    let area = |sum: auc::RankSum| sum.area().unwrap_or(f64::NAN);
    Ok(sums.map(|sums| sums.into_iter().map(area).gather()))
}

/// The area of `class` against each other class in one column, whose rows are ordered by class.
fn against_each<K: Lowered>(
    class: usize,
    scores: &Scores,
    groups: &[Range<usize>],
) -> Result<Vec<f64>> {
    let rows = scores.len();
    let mut keys = vec![K::default(); rows];
    let mut codes = vec![0; rows];
    let reader = ScoreReader::finite(*scores);
    for range in crate::base::column::chunks(0..rows) {
        reader
            .lower(range.clone(), &mut keys[range.clone()], &mut codes[range])
            .map_err(Stop::refusal)?;
    }
    let positives = &keys[groups[class].clone()];
    let sums = groups.iter().map(|group| {
        if group.is_empty() || positives.is_empty() || *group == groups[class] {
            return f64::NAN;
        }
        rank_sum_of(&keys[group.clone()], positives).area().unwrap_or(f64::NAN)
    });
    Ok(sums.gather())
}

/// The places of the rows of each class, class by class.
pub(crate) fn groups_of(codes: &[u32], classes: usize) -> Vec<Range<usize>> {
    let mut sizes: Vec<usize> = vec![0; classes];
    for &code in codes {
        sizes[code as usize] += 1;
    }
    let mut end = 0;
    let group = |size| {
        end += size;
        end - size..end
    };
    sizes.into_iter().map(group).gather()
}

/// Rows ordered by class: the class of each row, and the places of each class.
pub(crate) struct Order<'a> {
    pub(crate) codes: &'a [u32],
    pub(crate) groups: &'a [Range<usize>],
}

/// Calls `work` with each column. If a column's numbers are not side by side, as many columns as
/// fill a cache line are transposed at once.
pub(crate) fn each_column<T>(
    matrix: &ScoreMatrix,
    call: &mut dyn FnMut(usize, Scores) -> Result<T>,
) -> Result<Vec<T>> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    visit!(ScoreMatrix(matrix), |matrix, N| {
        if rows <= FEW_ROWS || matrix.column(0).as_slice().is_some() {
            return (0..columns)
                .map(|column| call(column, N::scores(matrix.column(column))))
                .gather_all();
        }
        turned_columns::<N, T>(matrix, &|columns, out| turn(matrix, columns, out), call)
    })
}

/// Writes the numbers of some columns, column after column.
type Fill<'a, T> = dyn Fn(Range<usize>, &mut Vec<T>) -> Result<()> + 'a;

/// Calls `work` with each column; `fill` writes as many columns as fill a cache line at once.
fn turned_columns<N: Number, T>(
    matrix: &Matrix<'_, N::Raw>,
    fill: &Fill<'_, N::Raw>,
    call: &mut dyn FnMut(usize, Scores) -> Result<T>,
) -> Result<Vec<T>> {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let width = 64 / size_of::<N::Raw>();
    let mut all = with_room(columns);
    let mut turned = Vec::new();
    for first in (0..columns).step_by(width) {
        fill(first..columns.min(first + width), &mut turned)?;
        for (column, numbers) in turned.chunks_exact(rows).enumerate() {
            let scores = N::scores(Column::from_slice(numbers));
            all.grow(call(first + column, scores)?);
        }
    }
    Ok(all)
}

/// Memory for `len` numbers, in huge pages if the system has them.
fn make_room<T: Element>(out: &mut Vec<T>, len: usize) {
    if out.len() < len {
        *out = zeros(len);
        prefer_huge_pages(out);
    }
    out.truncate(len);
}

fn turn<T: Element>(matrix: &Matrix<'_, T>, columns: Range<usize>, out: &mut Vec<T>) -> Result<()> {
    let (rows, all) = (matrix.rows(), matrix.columns());
    make_room(out, rows * columns.len());
    let outputs: Vec<&mut [T]> = out.chunks_mut(rows.max(1)).gather();
    over_items(rows, &|row| row, outputs, |part, mut to| {
        let mut scratch = Vec::new();
        for range in chunks(part.clone(), all) {
            let block = matrix.chunk(range.clone(), &mut scratch);
            let range = range.start - part.start..range.end - part.start;
            for (to, column) in to.iter_mut().zip(columns.clone()) {
                let mut from = column;
                for to in &mut to[range.clone()] {
                    *to = block[from];
                    from += all;
                }
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// Calls `work` with each column, its rows ordered by class.
pub(crate) fn parted_columns<T>(
    matrix: &ScoreMatrix,
    order: &Order<'_>,
    call: &mut dyn FnMut(usize, Scores) -> Result<T>,
) -> Result<Vec<T>> {
    visit!(ScoreMatrix(matrix), |matrix, N| {
        turned_columns::<N, T>(
            matrix,
            &|columns, out| {
                part(matrix, columns, order, out);
                Ok(())
            },
            call,
        )
    })
}

/// The numbers of some columns, column after column, ordered by class and then by row.
fn part<T: Element>(
    matrix: &Matrix<'_, T>,
    columns: Range<usize>,
    order: &Order<'_>,
    out: &mut Vec<T>,
) {
    let rows = matrix.rows();
    make_room(out, rows * columns.len());
    let mut next: Vec<usize> = order.groups.iter().map(|group| group.start).gather();
    let mut scratch = Vec::new();
    let mut places = Vec::new();
    for range in chunks(0..rows, matrix.columns()) {
        let block = matrix.chunk(range.clone(), &mut scratch);
        places.clear();
        places.grow_with(order.codes[range].iter().map(|&code| {
            let place = &mut next[code as usize];
            *place += 1;
            *place - 1
        }));
        for (at, column) in columns.clone().enumerate() {
            let to = &mut out[at * rows..(at + 1) * rows];
            let from = block.iter().skip(column).step_by(matrix.columns());
            for (&place, &from) in places.iter().zip(from) {
                to[place] = from;
            }
        }
    }
}

/// A copy of rows of a matrix, if they are not stored one after the other.
#[derive(Default)]
pub(crate) struct Flat(Option<Box<dyn Any>>);

impl Flat {
    /// The numbers of some rows, one after the other, as a column.
    pub(crate) fn of<'b>(&'b mut self, matrix: &ScoreMatrix<'b>, rows: Range<usize>) -> Scores<'b> {
        visit!(ScoreMatrix(matrix), |matrix, N| {
            N::scores(Column::from_slice(matrix.chunk(rows, self.numbers())))
        })
    }

    fn numbers<T: Element>(&mut self) -> &mut Vec<T> {
        let memory = self.0.take().filter(|memory| memory.is::<Vec<T>>());
        let memory = self.0.insert(memory.unwrap_or_else(|| Box::new(Vec::<T>::new())));
        let Some(numbers) = memory.downcast_mut() else {
            unreachable!("a vector of this type, as just seen to")
        };
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pairs that column `column` ranks correctly, of rows where `is` and rows where `other`.
    fn naive(scores: &[f64], columns: usize, column: usize, is: &[bool], other: &[bool]) -> f64 {
        let (mut right, mut pairs) = (0.0, 0.0);
        for (i, _) in is.iter().enumerate().filter(|row| *row.1) {
            for (j, _) in other.iter().enumerate().filter(|row| *row.1) {
                let (a, b) = (scores[i * columns + column], scores[j * columns + column]);
                right += if a > b {
                    1.0
                } else if a == b {
                    0.5
                } else {
                    0.0
                };
                pairs += 1.0;
            }
        }
        right / pairs
    }

    proptest! {
        #[test]
        fn areas_are_shares_of_pairs(
            classes in 2_usize..5,
            cells in prop::collection::vec((0_u8..5, 0_u8..9), 20..200),
            in_columns: bool,
        ) {
            let rows = cells.len() / classes;
            let y: Vec<i64> = (0..rows).map(|row| if row < classes { row as i64 } else { i64::from(cells[row].0) % classes as i64 } - 1).collect();
            let scores: Vec<f64> = cells[..rows * classes].iter().map(|cell| f64::from(cell.1) / 8.0).collect();
            let mut turned = vec![0.0; scores.len()];
            for i in 0..rows { for j in 0..classes { turned[j * rows + i] = scores[i * classes + j]; } }
            let matrix = if in_columns {
                // SAFETY: inside `turned`.
                #[allow(unsafe_code)]
                unsafe { Matrix::from_raw_parts(turned.as_ptr().cast(), (8, 8 * rows as isize), (rows, classes), false) }
            } else {
                Matrix::from_slice(&scores, classes)
            };
            prop_assume!(rows >= classes);
            let (labels, matrix) = (Labels::I64(Column::from_slice(&y)), ScoreMatrix::F64(matrix));
            let of = |class: usize| -> Vec<bool> { y.iter().map(|&label| label + 1 == class as i64).collect() };
            let not = |class: usize| -> Vec<bool> { y.iter().map(|&label| label + 1 != class as i64).collect() };
            let areas = one_vs_rest(&labels, None, &matrix, None, Area::Roc(1.0)).unwrap();
            for (class, found) in areas.iter().enumerate() {
                let expected = naive(&scores, classes, class, &of(class), &not(class));
                prop_assert!((found.area - expected).abs() < 1e-12 || (found.area.is_nan() && expected.is_nan()));
            }
            let ones = vec![1.0; rows];
            let weighted = one_vs_rest(&labels, None, &matrix, Some(Column::from_slice(&ones)), Area::Roc(1.0)).unwrap();
            for (a, b) in areas.iter().zip(&weighted) {
                prop_assert!(a == b || a.area.is_nan() && b.area.is_nan());
            }
            let mut pairs = one_vs_one(&labels, None, &matrix).unwrap().into_iter();
            for a in 0..classes {
                for b in a + 1..classes {
                    let first = naive(&scores, classes, a, &of(a), &of(b));
                    let second = naive(&scores, classes, b, &of(b), &of(a));
                    let pair = pairs.next().unwrap();
                    prop_assert!((pair.area - f64::midpoint(first, second)).abs() < 1e-12);
                }
            }
            let flags: Vec<u8> = (0..rows).flat_map(|row| {
                let y = &y;
                (0..classes).map(move |class| u8::from(y[row] + 1 == class as i64))
            }).collect();
            let indicator = ScoreMatrix::U8(Matrix::from_slice(&flags, classes));
            let own = each_label(&indicator, &matrix, None, Area::Roc(1.0)).unwrap();
            for (a, b) in areas.iter().zip(&own) {
                prop_assert!(a == b || a.area.is_nan() && b.area.is_nan());
            }
            let pooled = labels_pooled(&indicator, &matrix, None, Area::Precision).unwrap();
            prop_assert_eq!(pooled, one_vs_rest_pooled(&labels, None, &matrix, None, Area::Precision).unwrap());
        }
    }

    #[test]
    fn many_rows_are_turned_and_parted_alike() {
        let (rows, classes) = (9000, 10);
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 40
        };
        let y: Vec<u8> = (0..rows).map(|_| (random() % 10) as u8).collect();
        let scores: Vec<f32> = (0..rows * classes).map(|_| (random() % 1000) as f32).collect();
        let doubles: Vec<f64> = scores.iter().map(|&x| f64::from(x)).collect();
        let labels = Labels::U8(Column::from_slice(&y));
        let single = ScoreMatrix::F32(Matrix::from_slice(&scores, classes));
        let double = ScoreMatrix::F64(Matrix::from_slice(&doubles, classes));
        let area = Area::Roc(1.0);
        let a = one_vs_rest(&labels, None, &single, None, area).unwrap();
        assert_eq!(a, one_vs_rest(&labels, None, &double, None, area).unwrap());
        for (class, &found) in a.iter().enumerate() {
            let flags: Vec<u8> =
                y.iter().map(|&label| u8::from(usize::from(label) == class)).collect();
            let direct = column_area(&flags, &double.column(class), None, area).unwrap();
            assert_eq!(direct, found);
        }
        let pairs = one_vs_one(&labels, None, &single).unwrap();
        assert_eq!(pairs, one_vs_one(&labels, None, &double).unwrap());
        assert_eq!(pairs.len(), 45);
    }

    #[test]
    fn all_other_classes_at_once_or_one_by_one() {
        let (rows, classes) = (MANY_ROWS + 777, 5);
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let y: Vec<u8> = (0..rows)
            .map(|_| (random(16) as f64).sqrt() as u8)
            .map(|y| y.min(3) + u8::from(y == 0))
            .collect();
        for values in [1 << 30, 40_000] {
            let scores: Vec<f64> =
                (0..rows * classes).map(|_| random(values) as f64 - 9.0).collect();
            let matrix = ScoreMatrix::F64(Matrix::from_slice(&scores, classes));
            let given = LabelSet {
                kind: crate::base::input::LabelKind::Int,
                values: (0..5).map(crate::base::input::Label::Int).collect(),
            };
            let labels = Labels::U8(Column::from_slice(&y));
            let pairs = one_vs_one(&labels, Some(given), &matrix).unwrap();
            let mut found = pairs.iter();
            for a in 0..classes {
                for b in a + 1..classes {
                    let kept: Vec<usize> = (0..rows)
                        .filter(|&i| usize::from(y[i]) == a || usize::from(y[i]) == b)
                        .collect();
                    if kept.iter().all(|&i| usize::from(y[i]) == a)
                        || kept.iter().all(|&i| usize::from(y[i]) == b)
                    {
                        continue;
                    }
                    let area = |own: usize| {
                        let flags: Vec<u8> =
                            kept.iter().map(|&i| u8::from(usize::from(y[i]) == own)).collect();
                        let column: Vec<f64> =
                            kept.iter().map(|&i| scores[i * classes + own]).collect();
                        column_area(
                            &flags,
                            &Scores::F64(Column::from_slice(&column)),
                            None,
                            Area::Roc(1.0),
                        )
                        .unwrap()
                        .area
                    };
                    let pair = found.next().unwrap();
                    assert_eq!(pair.area, f64::midpoint(area(a), area(b)));
                    assert_eq!(pair.rows, kept.len() as u64);
                }
            }
            assert!(found.next().is_none());
        }
    }

    #[test]
    fn rows_that_do_not_sum_to_one_are_seen() {
        let good = [0.25_f32, 0.75, 0.5, 0.5];
        assert!(rows_sum_to_one(&ScoreMatrix::F32(Matrix::from_slice(&good, 2))));
        let bad = [0.25, 0.75, 0.5, 0.6];
        assert!(!rows_sum_to_one(&ScoreMatrix::F64(Matrix::from_slice(&bad, 2))));
        let nan = [0.25, f64::NAN];
        assert!(!rows_sum_to_one(&ScoreMatrix::F64(Matrix::from_slice(&nan, 2))));
    }
}
