//! Counting indicators: two matrices of zeros and ones become the 2×2 tables of the labels
//! (columns) and of the samples (rows), in one pass.
//!
//! 1. A chunk of rows of each matrix is lowered to bytes of 0 and 1, row after row. Any other
//!    number is refused. Compressed rows are expanded there.
//! 2. By label: the sums of `t & p`, `p` and `t` over the rows. As many whole rows as fill a vector
//!    are added to byte counters side by side, 16 to 64 cells in one load and add. At the end of a
//!    chunk they are added to the long counters.
//! 3. By row: the same three sums, eight cells at a time, since one instruction counts the ones of
//!    a word. Rows have few distinct tables (with K labels at most (K+1)(K+2)(K+3)/6), so the
//!    statistic counts the rows of each distinct table. Averages over samples, the rows right in
//!    every label, and the wrong cells follow from these counts.
//! 4. With weights, the masses of each label and each distinct row are exact sums (see
//!    [`crate::arith::exact`]). Only cells with a one on either side are added, one by one.
//! 5. Threads take consecutive parts, which add without rounding.
//!
//! Cost, one core: one read of both matrices, and 5 to 8 ns a row of ten labels; with weights about
//! 2 ns more for each cell with a one.
//!
//! Tried and rejected:
//! - a table for each row, averaged later (32 bytes and a division for each row, although many rows
//!   are alike);
//! - bits instead of bytes (up to some hundred labels packing costs as much as the sums save);
//! - a loop over the stored cells alone for compressed rows (faster from some hundred labels with
//!   few ones; expanding them keeps one code path).

// Only inlined calls inherit the wider vectors of a function.
#![allow(clippy::inline_always)]

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Weights};
use crate::base::column::Column;
use crate::base::dtype::{Number, visit};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{ScoreMatrix, Scores};
use crate::base::matrix::chunks;
use crate::base::memory::{CopyAll, Gather, Room, joined, room_in, with_room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;

/// A matrix of zeros and ones.
#[derive(Clone, Copy, Debug)]
pub enum Indicator<'a> {
    /// Every cell.
    Dense(ScoreMatrix<'a>),
    /// The ones of each row.
    Sparse(SparseRows<'a>),
}

/// Compressed rows: the stored cells of row i are at `starts[i]..starts[i + 1]`.
#[derive(Clone, Copy, Debug)]
pub struct SparseRows<'a> {
    /// Where each row starts, and where the last one ends.
    pub starts: Places<'a>,
    /// The column of each stored cell.
    pub columns: Places<'a>,
    /// The number in each stored cell.
    pub values: Scores<'a>,
    /// Rows and columns.
    pub shape: (usize, usize),
}

/// Places of cells.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Places<'a> {
    Short(Column<'a, i32>),
    Long(Column<'a, i64>),
}

impl Places<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Short(column) => column.len(),
            Self::Long(column) => column.len(),
        }
    }

    /// The value at a place; negative values are beyond any matrix.
    fn get(&self, at: usize) -> usize {
        let place = match self {
            Self::Short(column) => column.get(at).into(),
            Self::Long(column) => column.get(at),
        };
        usize::try_from(place).unwrap_or(usize::MAX)
    }
}

/// The counts of two indicators.
#[derive(Clone, Debug)]
pub struct IndicatorCounts {
    rows: u64,
    labels: usize,
    /// fp, fn, tp of each label.
    by_label: Vec<u64>,
    /// The distinct rows (tp, predicted and actual positives), each with its place.
    distinct: Distinct,
    by_row: Vec<u64>,
    weighted: Option<Weighted>,
}

/// The same counts with weights.
#[derive(Clone, Debug)]
struct Weighted {
    /// The weight of all rows, then fp, fn, tp of each label.
    by_label: ExactSums,
    /// One sum for each distinct row, and perhaps more.
    by_row: ExactSums,
    /// Whether some row has weight zero.
    weightless: bool,
}

/// Places of distinct rows, in the order of first appearance.
#[derive(Clone, Debug)]
struct Distinct {
    side: usize,
    /// For few labels: the place of every possible row; `u32::MAX` if it has not occurred.
    table: Vec<u32>,
    map: HashMap<u64, u32, RandomState>,
    keys: Vec<u64>,
}

impl Distinct {
    /// The most possible rows for which there is a table.
    const TABLE: usize = 4096;

    fn new(labels: usize) -> Self {
        let side = labels + 1;
        let possible = side.saturating_mul(side).saturating_mul(side);
        let table = if possible <= Self::TABLE { vec![u32::MAX; possible] } else { Vec::new() };
        Self { side, table, map: HashMap::default(), keys: Vec::new() }
    }

    /// The place of the row with this key, (tp · side + predicted) · side + actual.
    #[inline]
    fn place(&mut self, key: u64) -> usize {
        let next = self.keys.len() as u32;
        let place = if self.table.is_empty() {
            room_in(&mut self.map, 1);
            *self.map.entry(key).or_insert(next)
        } else {
            let place = &mut self.table[key as usize];
            if *place == u32::MAX {
                *place = next;
            }
            *place
        };
        if place == next {
            self.keys.grow(key);
        }
        place as usize
    }

    /// The 2×2 table of a distinct row.
    fn counts(&self, key: u64) -> BinaryCounts {
        let side = self.side as u64;
        let (tp, predicted, actual) = (key / side / side, key / side % side, key % side);
        let labels = side - 1;
        BinaryCounts {
            tp: tp as f64,
            fp: (predicted - tp) as f64,
            fn_: (actual - tp) as f64,
            tn: (labels + tp - predicted - actual) as f64,
        }
    }
}

impl IndicatorCounts {
    fn new(labels: usize, weighted: bool) -> Self {
        Self {
            rows: 0,
            labels,
            by_label: vec![0; if weighted { 0 } else { 3 * labels }],
            distinct: Distinct::new(labels),
            by_row: Vec::new(),
            weighted: weighted.then(|| Weighted {
                by_label: ExactSums::new(3 * labels + 1),
                by_row: ExactSums::new(64),
                weightless: false,
            }),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of labels counted.
    pub fn labels(&self) -> usize {
        self.labels
    }

    /// Whether the masses are weights; otherwise they are counts.
    pub fn is_weighted(&self) -> bool {
        self.weighted.is_some()
    }

    /// The number of rows, or their weight.
    pub fn total(&self) -> f64 {
        self.weighted.as_ref().map_or(self.rows as f64, |weighted| weighted.by_label.get(0))
    }

    /// The 2×2 table of each label.
    pub fn label_tables(&self) -> Vec<BinaryCounts> {
        fn tables<F: Fixed>(sums: &[F], quantum: i32) -> Vec<BinaryCounts> {
            let read = |sum: F| sum.to_f64(quantum);
            let (total, labels) = (sums[0], sums[1..].as_chunks::<3>().0);
            labels
                .iter()
                .map(|&[fp, fn_, tp]| BinaryCounts {
                    tp: read(tp),
                    fp: read(fp),
                    fn_: read(fn_),
                    tn: read(total.minus(fp).minus(fn_).minus(tp)),
                })
                .gather()
        }
        let Some(weighted) = &self.weighted else {
            let sums = std::iter::once(&self.rows).chain(&self.by_label);
            return tables(&sums.map(|&sum| u128::from(sum)).gather(), 0);
        };
        let quantum = weighted.by_label.span().quantum();
        match weighted.by_label.sums() {
            Sums::Narrow(sums) => tables(sums, quantum),
            Sums::Wide(sums) => tables(sums, quantum),
        }
    }

    /// The distinct 2×2 tables of the rows, over the labels, in order, each with its number of rows
    /// or weight. Rows of weight zero have a table of zeros.
    pub fn row_tables(&self) -> (Vec<BinaryCounts>, Vec<f64>) {
        let mut rows: Vec<(u64, f64)> =
            (0..).zip(&self.distinct.keys).map(|(place, &key)| (key, self.share(place))).gather();
        rows.sort_unstable_by_key(|row| row.0);
        rows.retain(|row| row.1 > 0.0);
        let tables = rows.iter().map(|row| self.distinct.counts(row.0));
        let (mut tables, mut shares) = (tables.gather(), rows.iter().map(|row| row.1).gather());
        if self.weighted.as_ref().is_some_and(|w| w.weightless) {
            tables.grow(BinaryCounts::default());
            shares.grow(0.0);
        }
        (tables, shares)
    }

    /// Rows right in every label, as true positives; all other rows, as false positives.
    pub fn right_rows(&self) -> BinaryCounts {
        let (tables, shares) = self.row_tables();
        let mut counts = BinaryCounts::default();
        for (table, share) in tables.iter().zip(shares) {
            if table.fp + table.fn_ == 0.0 {
                counts.tp += share;
            } else {
                counts.fp += share;
            }
        }
        counts
    }

    /// Right cells, as true positives; wrong cells, as false positives.
    pub fn right_cells(&self) -> BinaryCounts {
        let (tables, shares) = self.row_tables();
        let mut counts = BinaryCounts::default();
        for (table, share) in tables.iter().zip(shares) {
            counts.tp += share * (table.tp + table.tn);
            counts.fp += share * (table.fp + table.fn_);
        }
        counts
    }

    fn share(&self, place: usize) -> f64 {
        match &self.weighted {
            Some(weighted) => weighted.by_row.get(place),
            None => self.by_row[place] as f64,
        }
    }

    /// Adds the counts of other rows of the same labels. Both have weights, or neither.
    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        for (sum, more) in self.by_label.iter_mut().zip(&other.by_label) {
            *sum += more;
        }
        let keys = other.distinct.keys.iter();
        let places: Vec<usize> = keys.map(|&key| self.distinct.place(key)).gather();
        let len = self.distinct.keys.len();
        self.by_row.grow_to(len, 0);
        for (&place, more) in places.iter().zip(&other.by_row) {
            self.by_row[place] += more;
        }
        if let (Some(own), Some(their)) = (&mut self.weighted, &other.weighted) {
            own.weightless |= their.weightless;
            own.by_label.merge(&their.by_label);
            own.make_room(len);
            let len = own.by_row.len();
            own.by_row.merge(&their.by_row.moved(&places, len));
        }
    }
}

impl Weighted {
    /// Extends the sums by row to at least `len`.
    fn make_room(&mut self, len: usize) {
        let old = self.by_row.len();
        if old < len {
            let places: Vec<usize> = (0..old).gather();
            self.by_row = self.by_row.moved(&places, len.max(2 * old));
        }
    }
}

/// The tables by label and by row of two indicators of equal shape; only of the `chosen` columns,
/// if given.
///
/// The result is the same for any number of threads, and weighted sums are exact.
///
/// # Errors
/// Matrices and weights of different numbers of rows, or without rows; different numbers of
/// columns; an unknown chosen column; a cell that is neither 0 nor 1; compressed rows that are out
/// of order or name a cell twice; a weight that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::input::ScoreMatrix;
/// use rocksteady_count::labels::indicator::{Indicator, indicator};
/// use rocksteady_count::base::matrix::Matrix;
///
/// let y_true = Indicator::Dense(ScoreMatrix::U8(Matrix::from_slice(&[1, 0, 1, 1, 0, 0], 3)));
/// let y_pred = Indicator::Dense(ScoreMatrix::U8(Matrix::from_slice(&[1, 0, 1, 0, 0, 1], 3)));
/// let counts = indicator(&y_true, &y_pred, None, None)?;
/// assert_eq!(counts.label_tables()[2].fp, 1.0);
/// assert_eq!((counts.right_rows().tp, counts.right_cells().fp), (1.0, 2.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn indicator(
    y_true: &Indicator<'_>,
    y_pred: &Indicator<'_>,
    weights: Option<Weights<'_>>,
    chosen: Option<&[usize]>,
) -> Result<IndicatorCounts> {
    let pair = Pair::new(y_true, y_pred, weights, chosen)?;
    let parts = over_parts(pair.rows, |rows| pair.count(rows))?;
    let mut parts = parts.into_iter();
    let first =
        parts.next().unwrap_or_else(|| IndicatorCounts::new(pair.labels, weights.is_some()));
    Ok(parts.fold(first, |mut sum, part| {
        sum.add(&part);
        sum
    }))
}

/// The 2×2 table of every row over the labels, in order, weighted by the row's weight.
///
/// # Errors
/// Like [`indicator`].
pub fn indicator_rows(
    y_true: &Indicator<'_>,
    y_pred: &Indicator<'_>,
    weights: Option<Weights<'_>>,
    chosen: Option<&[usize]>,
) -> Result<Vec<BinaryCounts>> {
    let pair = Pair::new(y_true, y_pred, weights, chosen)?;
    let keys = Distinct::new(pair.labels);
    let parts = over_parts(pair.rows, |rows| {
        let mut tables = with_room(rows.len());
        pair.each_chunk(rows, |rows, bytes| {
            let weights = pair.weights(&rows)?.map(|(weights, _)| weights);
            for (row, key) in row_keys(bytes, pair.labels, rows.len()).into_iter().enumerate() {
                let weight = weights.as_ref().map_or(1.0, |weights| weights[row]);
                let table = keys.counts(key);
                tables.grow(BinaryCounts {
                    tp: table.tp * weight,
                    fp: table.fp * weight,
                    fn_: table.fn_ * weight,
                    tn: table.tn * weight,
                });
            }
            Ok(())
        })?;
        Ok(tables)
    })?;
    Ok(joined(parts))
}

/// Two indicators of equal shape.
struct Pair<'a> {
    actual: &'a Indicator<'a>,
    predicted: &'a Indicator<'a>,
    weights: Option<Weights<'a>>,
    chosen: Option<&'a [usize]>,
    rows: usize,
    columns: usize,
    labels: usize,
}

/// A chunk of both, one byte for each cell, and [`PADDING`] zeros at the end.
#[derive(Default)]
struct Bytes {
    actual: Vec<u8>,
    predicted: Vec<u8>,
}

/// Zeros at the end, so that any eight bytes from a cell on can be read.
const PADDING: usize = 8;

impl<'a> Pair<'a> {
    /// Three numbers up to this many labels fit in a key of 64 bits.
    const MOST: usize = 1 << 21;

    fn new(
        actual: &'a Indicator<'a>,
        predicted: &'a Indicator<'a>,
        weights: Option<Weights<'a>>,
        chosen: Option<&'a [usize]>,
    ) -> Result<Self> {
        let ((true_rows, columns), (pred_rows, pred_columns)) = (actual.shape(), predicted.shape());
        let mut lengths = vec![("y_true", true_rows), ("y_pred", pred_rows)];
        lengths.grow_with(weights.map(|weights| ("sample_weight", weights.len())));
        let rows = check_rows(&lengths)?;
        if columns != pred_columns {
            let found = format!("of {pred_columns} columns");
            let expected = format!("{columns}, as many as y_true");
            return Err(Refusal::argument("y_pred", found, expected));
        }
        let labels = chosen.map_or(columns, <[usize]>::len);
        if labels.max(columns) >= Self::MOST {
            let found = format!("of {columns} columns, of which {labels} are counted");
            let expected = format!("fewer than {} columns and labels", Self::MOST);
            return Err(Refusal::argument("y_true", found, expected));
        }
        if let Some(place) = chosen.and_then(|chosen| chosen.iter().find(|&&c| c >= columns)) {
            let expected = format!("the place of one of {columns} columns");
            return Err(Refusal::argument("labels", place, expected));
        }
        Ok(Self { actual, predicted, weights, chosen, rows, columns, labels })
    }

    /// The weights of a range of rows, checked, with their span; `None` without weights.
    fn weights(&self, rows: &Range<usize>) -> Result<Option<(Vec<f64>, Span)>> {
        let Some(weights) = self.weights else {
            return Ok(None);
        };
        let weights: Vec<f64> = rows.clone().map(|row| weights.get(row)).gather();
        let span = Span::from_slice(&weights).map_err(|refusal| refusal.later(rows.start))?;
        Ok(Some((weights, span)))
    }

    /// Calls `take` with the rows as bytes, a chunk at a time.
    fn each_chunk(
        &self,
        rows: Range<usize>,
        mut visit: impl FnMut(Range<usize>, &Bytes) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = Bytes::default();
        let mut all = Vec::new();
        // There may be more chosen columns than columns, since each may be named repeatedly.
        for rows in chunks(rows, self.columns.max(self.labels)) {
            let sides = [
                ("y_true", self.actual, &mut bytes.actual),
                ("y_pred", self.predicted, &mut bytes.predicted),
            ];
            for (argument, indicator, out) in sides {
                if let Some(chosen) = self.chosen {
                    indicator.lower(argument, rows.clone(), &mut all)?;
                    out.clear();
                    for row in all.chunks_exact(self.columns.max(1)) {
                        out.grow_with(chosen.iter().map(|&column| row[column]));
                    }
                } else {
                    indicator.lower(argument, rows.clone(), out)?;
                }
                out.grow_to(rows.len() * self.labels + PADDING, 0);
            }
            visit(rows, &bytes)?;
        }
        Ok(())
    }

    fn count(&self, rows: Range<usize>) -> Result<IndicatorCounts> {
        let mut counts = IndicatorCounts::new(self.labels, self.weights.is_some());
        let mut lanes = Lanes::new(self.labels);
        self.each_chunk(rows, |rows, bytes| {
            counts.rows += rows.len() as u64;
            if let Some((weights, span)) = self.weights(&rows)? {
                weigh(&mut counts, bytes, &weights, span);
                return Ok(());
            }
            lanes.add(&mut counts.by_label, bytes);
            for key in row_keys(bytes, self.labels, rows.len()) {
                let place = counts.distinct.place(key);
                if place == counts.by_row.len() {
                    counts.by_row.grow(0);
                }
                counts.by_row[place] += 1;
            }
            Ok(())
        })?;
        Ok(counts)
    }
}

/// Adds a chunk of weighted rows.
fn weigh(counts: &mut IndicatorCounts, bytes: &Bytes, weights: &[f64], span: Span) {
    let IndicatorCounts { labels, distinct, weighted, .. } = counts;
    let Some(weighted) = weighted else {
        return;
    };
    weighted.weightless |= span.weights < weights.len() as u64;
    let keys = row_keys(bytes, *labels, weights.len()).into_iter();
    let places: Vec<u32> = keys.map(|key| distinct.place(key) as u32).gather();
    weighted.make_room(distinct.keys.len());
    weighted.by_row.add_all(span, &places, weights);

    let mut places = vec![0_u32; weights.len()];
    let mut terms = weights.copy_all();
    let width = (*labels).max(1);
    let rows = bytes.actual.chunks(width).zip(bytes.predicted.chunks(width));
    for ((actual, predicted), &weight) in rows.zip(weights) {
        for ((&t, &p), label) in actual.iter().zip(predicted).zip(0_u32..) {
            let outcome = u32::from(2 * t + p);
            if outcome > 0 {
                // fp, fn, tp follow the weight of all rows.
                places.grow(3 * label + outcome);
                terms.grow(weight);
            }
        }
    }
    // A row's weight is added once, and once more for each label at most.
    let span = Span { weights: span.weights.saturating_mul(*labels as u64 + 1), ..span };
    weighted.by_label.add_all(span, &places, &terms);
}

/// The keys of the rows of a chunk.
fn row_keys(bytes: &Bytes, labels: usize, rows: usize) -> Vec<u64> {
    let mut keys = vec![0; rows];
    keys_of(&bytes.actual, &bytes.predicted, labels, &mut keys);
    keys
}

#[inline(always)]
fn keys_body(actual: &[u8], predicted: &[u8], labels: usize, keys: &mut [u64]) {
    let (words, rest) = (labels / 8, labels % 8);
    let last = (1_u64 << (8 * rest)) - 1;
    let word = |bytes: &[u8], place: usize| match bytes[place..].first_chunk::<8>() {
        Some(&eight) => u64::from_le_bytes(eight),
        None => 0,
    };
    for (row, key) in keys.iter_mut().enumerate() {
        let (mut tp, mut p, mut t) = (0, 0, 0);
        let start = row * labels;
        for place in 0..=words {
            let mask = if place == words { last } else { u64::MAX };
            let actual = word(actual, start + 8 * place) & mask;
            let predicted = word(predicted, start + 8 * place) & mask;
            tp += (actual & predicted).count_ones();
            p += predicted.count_ones();
            t += actual.count_ones();
        }
        let side = labels as u64 + 1;
        *key = (u64::from(tp) * side + u64::from(p)) * side + u64::from(t);
    }
}

/// Byte counters for several rows side by side.
struct Lanes {
    labels: usize,
    width: usize,
    sums: [Vec<u8>; 3],
}

impl Lanes {
    /// The least number of cells side by side.
    const WIDTH: usize = 64;

    fn new(labels: usize) -> Self {
        let width = labels * Self::WIDTH.div_ceil(labels.max(1));
        Self { labels, width, sums: [vec![0; width], vec![0; width], vec![0; width]] }
    }

    /// Adds the cells of a chunk to fp, fn, tp of each label. A chunk has at most 255 cells for
    /// each lane.
    fn add(&mut self, by_label: &mut [u64], bytes: &Bytes) {
        if self.labels == 0 {
            return;
        }
        let cells = bytes.actual.len() - PADDING;
        let (actual, predicted) = (&bytes.actual[..cells], &bytes.predicted[..cells]);
        let [tp, p, t] = &mut self.sums;
        add_cells(actual, predicted, tp, p, t);
        for (lane, ((tp, p), t)) in tp.iter_mut().zip(p).zip(t).enumerate() {
            let label = &mut by_label[3 * (lane % self.labels)..][..3];
            let right = u64::from(std::mem::take(tp));
            label[0] += u64::from(std::mem::take(p)) - right;
            label[1] += u64::from(std::mem::take(t)) - right;
            label[2] += right;
        }
        let tail = cells / self.width * self.width;
        for (cell, (&t, &p)) in (tail..).zip(actual[tail..].iter().zip(&predicted[tail..])) {
            let label = &mut by_label[3 * (cell % self.labels)..][..3];
            label[0] += u64::from(p & !t);
            label[1] += u64::from(t & !p);
            label[2] += u64::from(t & p);
        }
    }
}

wide! {
    /// Adds whole rows of lanes to their counters: both, predicted, actual.
    fn add_cells[](actual: &[u8], predicted: &[u8], tp: &mut [u8], p: &mut [u8], t: &mut [u8]) -> () = add_cells_body;
    /// Writes the keys of rows.
    fn keys_of[](actual: &[u8], predicted: &[u8], labels: usize, keys: &mut [u64]) -> () = keys_body;
}

#[inline(always)]
fn add_cells_body(actual: &[u8], predicted: &[u8], tp: &mut [u8], p: &mut [u8], t: &mut [u8]) {
    let width = tp.len();
    let rows = actual.chunks_exact(width).zip(predicted.chunks_exact(width));
    for (actual, predicted) in rows {
        let cells = actual.iter().zip(predicted);
        for (((&a, &b), tp), (p, t)) in cells.zip(tp.iter_mut()).zip(p.iter_mut().zip(t.iter_mut()))
        {
            *tp = tp.wrapping_add(a & b);
            *p = p.wrapping_add(b);
            *t = t.wrapping_add(a);
        }
    }
}

impl Indicator<'_> {
    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        match self {
            Self::Dense(matrix) => (matrix.rows(), matrix.columns()),
            Self::Sparse(rows) => rows.shape,
        }
    }

    fn lower(&self, argument: &'static str, rows: Range<usize>, out: &mut Vec<u8>) -> Result<()> {
        let matrix = match self {
            Self::Sparse(sparse) => return sparse.write(argument, rows, out),
            Self::Dense(matrix) => matrix,
        };
        let all = matrix.flags(rows.clone(), out);
        if all > 1 {
            let place = out.iter().position(|&code| code > 1).unwrap_or(0);
            let row = rows.start + place / matrix.columns().max(1);
            let value = "neither 0 nor 1 in one of its columns";
            return Err(Refusal::row(argument, row, value, "zeros and ones"));
        }
        Ok(())
    }
}

impl SparseRows<'_> {
    /// Expands compressed rows into bytes.
    fn write(&self, argument: &'static str, rows: Range<usize>, out: &mut Vec<u8>) -> Result<()> {
        let columns = self.shape.1;
        out.clear();
        out.grow_to(rows.len() * columns, 0);
        let stored = self.columns.len().min(self.values.len());
        for (row, out) in rows.zip(out.chunks_exact_mut(columns.max(1))) {
            let refused =
                |value: &str| Refusal::row(argument, row, value, "a row of zeros and ones");
            if row + 1 >= self.starts.len() {
                return Err(refused("not there"));
            }
            let (start, end) = (self.starts.get(row), self.starts.get(row + 1));
            if start > end || end > stored {
                return Err(refused("out of order"));
            }
            for at in start..end {
                let Some(cell) = out.get_mut(self.columns.get(at)) else {
                    return Err(refused("longer than the others"));
                };
                // Stored zeros and duplicate cells are the caller's mistakes.
                if self.code(at) != 1 || *cell != 0 {
                    return Err(refused("not as simple"));
                }
                *cell = 1;
            }
        }
        Ok(())
    }

    #[inline]
    fn code(&self, at: usize) -> u8 {
        visit!(Scores(&self.values), |values, N| N::flag(values.get(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::matrix::Matrix;
    use half::f16;
    use proptest::prelude::*;

    fn naive(t: &[u8], p: &[u8], labels: usize, weights: &[f64]) -> Vec<BinaryCounts> {
        let mut tables = vec![BinaryCounts::default(); labels];
        for (cell, (&t, &p)) in t.iter().zip(p).enumerate() {
            let (table, weight) = (&mut tables[cell % labels], weights[cell / labels]);
            *match (t, p) {
                (0, 0) => &mut table.tn,
                (0, _) => &mut table.fp,
                (_, 0) => &mut table.fn_,
                _ => &mut table.tp,
            } += weight;
        }
        tables
    }

    /// Compressed rows of i32 places.
    fn compressed(cells: &[u8], labels: usize) -> (Vec<i32>, Vec<i64>, Vec<f32>) {
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for row in cells.chunks(labels) {
            columns.extend((0..).zip(row).filter(|(_, cell)| **cell > 0).map(|(column, _)| column));
            starts.push(columns.len() as i32);
        }
        let values = vec![1.0; columns.len()];
        (starts, columns, values)
    }

    fn dense(cells: &[u8], labels: usize) -> Indicator<'_> {
        Indicator::Dense(ScoreMatrix::U8(Matrix::from_slice(cells, labels)))
    }

    proptest! {
        #[test]
        fn tables_are_what_cell_by_cell_gives(
            labels in 1usize..80, rows in 1usize..300, seed in any::<u64>(), density in 0.0..1.0, weigh in any::<bool>(),
        ) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / f64::from(1_u32 << 31)
            };
            let mut cells = || (0..rows * labels).map(|_| u8::from(next() < density)).collect::<Vec<u8>>();
            let (t, p) = (cells(), cells());
            // Quarters add up exactly in f64.
            let weights: Vec<f64> = (0..rows).map(|_| if weigh { (next() * 9.0).floor() / 4.0 } else { 1.0 }).collect();
            let column = weigh.then(|| Column::from_slice(&weights));
            let counts = indicator(&dense(&t, labels), &dense(&p, labels), column, None).unwrap();
            let expected = naive(&t, &p, labels, &weights);
            prop_assert_eq!(counts.label_tables(), expected.clone());
            prop_assert_eq!(counts.total(), weights.iter().sum::<f64>());

            // By row: the same labels with rows and columns exchanged.
            let each = indicator_rows(&dense(&t, labels), &dense(&p, labels), column, None).unwrap();
            for (row, table) in each.iter().enumerate() {
                let cells = row * labels..(row + 1) * labels;
                let rows: Vec<BinaryCounts> = naive(&t[cells.clone()], &p[cells], labels, &[weights[row]]);
                let sum = |of: fn(&BinaryCounts) -> f64| rows.iter().map(of).sum::<f64>();
                prop_assert_eq!((table.tp, table.fp), (sum(|c| c.tp), sum(|c| c.fp)));
                prop_assert_eq!((table.fn_, table.tn), (sum(|c| c.fn_), sum(|c| c.tn)));
            }
            let wrong: f64 = each.iter().map(|table| table.fp + table.fn_).sum();
            prop_assert_eq!(counts.right_cells().fp, wrong);
            let right = each.iter().zip(&weights).filter(|(table, _)| table.fp + table.fn_ == 0.0);
            prop_assert_eq!(counts.right_rows().tp, right.map(|(_, weight)| weight).sum::<f64>());
            let (tables, shares) = counts.row_tables();
            let pooled: f64 = tables.iter().zip(&shares).map(|(table, share)| table.tp * share).sum();
            prop_assert_eq!(pooled, expected.iter().map(|table| table.tp).sum::<f64>());

            // Two parts add up to the whole, also compressed; a choice of columns equals those
            // columns.
            let cut = rows / 2 * labels;
            let mut sum = IndicatorCounts::new(labels, weigh);
            for part in [cut..rows * labels, 0..cut] {
                if !part.is_empty() {
                    let (a, b) = (compressed(&t[part.clone()], labels), compressed(&p[part.clone()], labels));
                    let shape = (part.len() / labels, labels);
                    let own = &weights[part.start / labels..part.end / labels];
                    let own = weigh.then(|| Column::from_slice(own));
                    sum.add(&indicator(&sparse_rows(&a.0, &a.1, &a.2, shape), &sparse_rows(&b.0, &b.1, &b.2, shape), own, None).unwrap());
                }
            }
            prop_assert_eq!(sum.label_tables(), counts.label_tables());
            prop_assert_eq!(sum.row_tables(), counts.row_tables());
            let chosen = [labels - 1, 0, labels / 2];
            let some = indicator(&dense(&t, labels), &dense(&p, labels), column, Some(&chosen)).unwrap();
            prop_assert_eq!(some.label_tables(), chosen.map(|label| expected[label]));
        }
    }

    fn sparse_rows<'a>(
        starts: &'a [i32],
        columns: &'a [i64],
        values: &'a [f32],
        shape: (usize, usize),
    ) -> Indicator<'a> {
        Indicator::Sparse(SparseRows {
            starts: Places::Short(Column::from_slice(starts)),
            columns: Places::Long(Column::from_slice(columns)),
            values: Scores::F32(Column::from_slice(values)),
            shape,
        })
    }

    #[test]
    fn bad_indicators_are_refused() {
        let refused = |t: &Indicator<'_>, p: &Indicator<'_>, chosen: Option<&[usize]>| {
            indicator(t, p, None, chosen).unwrap_err().to_string()
        };
        let good = dense(&[0, 1, 1, 0], 2);
        assert!(refused(&dense(&[0, 1, 2, 0], 2), &good, None).starts_with("y_true[1]"));
        assert!(refused(&good, &dense(&[0, 1], 2), None).contains("1 rows"));
        assert!(refused(&good, &dense(&[0; 6], 3), None).contains("columns"));
        assert!(refused(&good, &good, Some(&[2])).contains("labels"));
        let sparse = |starts: &'static [i32], columns: &'static [i64], values: &'static [f32]| {
            sparse_rows(starts, columns, values, (2, 2))
        };
        for bad in [
            sparse(&[0, 1, 2], &[0, 2], &[1.0, 1.0]),
            sparse(&[0, 1, 2], &[0, -1], &[1.0, 1.0]),
            sparse(&[0, 2, 2], &[0, 0], &[1.0, 1.0]),
            sparse(&[0, 2, 1], &[0, 1], &[1.0, 1.0]),
            sparse(&[0, 1, 3], &[0, 1], &[1.0, 1.0]),
            sparse(&[0, 1], &[0], &[1.0]),
            sparse(&[0, 1, 2], &[0, 1], &[1.0, 0.0]),
            sparse(&[0, 1, 2], &[0, 1], &[1.0, f32::NAN]),
        ] {
            assert!(refused(&good, &bad, None).starts_with("y_pred["));
        }
        let weights = [1.0, f64::NAN];
        let weights = Some(Column::from_slice(&weights));
        assert!(indicator(&good, &good, weights, None).is_err());
    }

    #[test]
    fn labels_may_be_chosen_again_and_again_or_not_at_all() {
        let rows = 1000_usize;
        let cells: Vec<u8> = (0..2 * rows).map(|cell| u8::from(cell % 7 < 5)).collect();
        let weights = vec![1.0; rows];
        let y = dense(&cells, 2);
        for weights in [None, Some(Column::from_slice(&weights))] {
            let two = indicator(&y, &y, weights, None).unwrap().label_tables();
            for labels in [0, 1, 40, 64, 100, 700] {
                let chosen: Vec<usize> = (0..labels).map(|label| label % 2).collect();
                let counts = indicator(&y, &y, weights, Some(&chosen)).unwrap();
                let expected: Vec<BinaryCounts> = chosen.iter().map(|&label| two[label]).collect();
                assert_eq!(counts.label_tables(), expected);
                assert_eq!(counts.right_rows().tp, rows as f64);
                let each = indicator_rows(&y, &y, weights, Some(&chosen)).unwrap();
                assert_eq!(each.len(), rows);
                assert!(each.iter().all(|table| table.total() == labels as f64));
            }
        }
    }

    #[test]
    fn columns_that_no_memory_holds_are_refused() {
        let (starts, columns, values) = ([0, 0, 0], [], []);
        let wide = |labels| sparse_rows(&starts, &columns, &values, (2, labels));
        for columns in [1 << 21, 1 << 40, usize::MAX] {
            for chosen in [None, Some(&[0][..])] {
                assert!(indicator(&wide(columns), &wide(columns), None, chosen).is_err());
            }
        }
        let counts = indicator(&wide(1 << 20), &wide(1 << 20), None, Some(&[5])).unwrap();
        assert_eq!(counts.label_tables()[0].tn, 2.0);
    }

    #[test]
    fn every_dtype_is_lowered_alike() {
        let cells = [0_i8, 1, 1, 0, 0, 1];
        let bytes = [0_u8, 1, 1, 0, 0, 1];
        let expected = indicator(&dense(&bytes, 3), &dense(&bytes, 3), None, None).unwrap();
        macro_rules! check {
            ($($dtype:ident: $number:ty),+) => {$({
                let values = cells.map(<$number>::from);
                let lowered = Indicator::Dense(ScoreMatrix::$dtype(Matrix::from_slice(&values, 3)));
                let counts = indicator(&lowered, &dense(&bytes, 3), None, None).unwrap();
                assert_eq!(counts.label_tables(), expected.label_tables());
            })+};
        }
        check!(I8: i8, I16: i16, I32: i32, I64: i64, F16: f16, F32: f32, F64: f64);
    }
}
