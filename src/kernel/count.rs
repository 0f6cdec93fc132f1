//! Counting: two columns of labels become a confusion matrix, in one pass.
//!
//! Rows are taken in blocks of 256. A block of each column is lowered to codes (see [`super::codes`]), the two codes of a
//! row become one index, `actual << bits | predicted`, and the index's counter is incremented. All but the last step is
//! vectors; the last is one load, add and store a row, which a core does nearly once a cycle. Three things keep it there:
//! - few classes mean that the same counter is hit in quick succession, and a store has to reach the next load: eight or
//!   four tables side by side take turns;
//! - the increments of one block leave the memory bus idle, so each eight of them ask for the two cache lines that will be
//!   needed 8 KiB on;
//! - nothing is decided a row: a block whose labels are not all in the codebook is read again slowly, where refusing,
//!   leaving out and learning new labels happen.
//!
//! Two byte columns of zeros and ones need no counters: their sums, and the sum of their AND, are the table.
//! Where classes are too many for a table of their pairs, a hash map counts the pairs that occur.
//! Weighted, every pair has an exact sum beside its count (see [`super::exact`]), so zero-weight rows still show their labels.
//! Threads take consecutive parts of the rows; a part's result is a matrix, and matrices add exactly.
//!
//! Cost, one core, against reading both columns once: int64 up to 100 classes 1.0 to 1.3 reads, 1,000 classes 2; about
//! 10 ns a row through hash maps; about 4 ns a weighted row.
//! Rejected: u8 indices, eight to a load (no faster than u16); u16 counters emptied every 65,535 rows (no faster);
//! blocks of 2048 rows (1.2 reads where 256 take 1.0); SIMD sums for two classes of int64 (1.2 reads against 1.0 to 1.1 by
//! counting); prefetching counters for 1,000 classes (slower); more than one table from 17 classes on (slower).
#![allow(unsafe_code)]

use std::ops::Range;

use super::codes::{Ahead, BLOCK, Codebook, Map, Pair, Reading, Source, WINDOW_BITS, Window};
use super::exact::{ExactSums, Span, Weights};
use crate::error::{Refusal, Result, check_rows};
use crate::input::{Label, LabelSet, Labels, NanPolicy};
use crate::stat::confusion::{Amounts, ConfusionMatrix};
use crate::threads::{SERIAL_ROWS, over_parts};

/// What to count and what to leave out.
#[derive(Clone, Debug, Default)]
pub struct CountOptions {
    /// The classes, in this order; rows with any other label are left out. By default the labels that occur, ascending.
    pub labels: Option<LabelSet>,
    /// Refuse a row whose label is not among `labels`, instead of leaving it out.
    pub strict: bool,
    /// What to do with a missing label: refuse it or leave its row out.
    pub nan_policy: NanPolicy,
}

/// The confusion matrix of two columns of labels: how many rows, or how much weight, of each class were predicted to be
/// each class.
///
/// The classes are the labels that occur in either column, ascending, unless the options give them. Rows of weight zero
/// count nothing, but their labels are classes. The result is the same for any number of threads, and weighted sums are
/// exact.
///
/// # Errors
/// Columns of different length or without rows; text against numbers; by row, in the order of the rows, and within a row
/// `y_true` before `y_pred` before `sample_weight`: a missing label (unless left out), a float that is no whole number, a
/// label outside `labels` if strict, a weight that is negative or not finite (also where the row is left out); `labels`
/// that are none, repeated, or that `y_true` never has; no row left.
pub fn confusion(
    y_true: &Labels<'_>,
    y_pred: &Labels<'_>,
    weights: Option<Weights<'_>>,
    options: &CountOptions,
) -> Result<ConfusionMatrix> {
    let mut columns = vec![("y_true", y_true.len()), ("y_pred", y_pred.len())];
    columns.extend(weights.map(|weights| ("sample_weight", weights.len())));
    let rows = check_rows(&columns)?;
    if matches!(options.nan_policy, NanPolicy::Worst | NanPolicy::Best) {
        let value = format!("{:?}", options.nan_policy).to_lowercase();
        return Err(Refusal::argument(
            "nan_policy",
            value,
            "\"raise\" or \"omit\" for labels",
        ));
    }
    let given = options.labels.as_ref().map(Given::new).transpose()?;
    let pair = Pair::new(y_true, y_pred)?;

    let work = |rows| {
        let part = Part::new(&pair, weights, options, rows);
        part.run().map(|part| part.finish(given.as_ref()))
    };
    let work = |rows: Range<usize>| {
        let (start, outcome) = (rows.start, work(rows.clone()));
        match &given {
            Some(given) if options.strict => {
                // A row that was refused comes after any earlier row with an unknown label.
                let known = match &outcome {
                    Err(Refusal::Row { row, .. }) => start..*row,
                    Err(_) => start..start,
                    Ok(counted) if counted.stray => rows,
                    Ok(_) => start..start,
                };
                given.check(&pair, options, known).and(outcome)
            }
            _ => outcome,
        }
    };
    // A small input does not even ask how many threads there are.
    let parts = if rows <= SERIAL_ROWS {
        vec![work(0..rows)?]
    } else {
        over_parts(rows, work)?
    };

    let present = parts.iter().any(|part| part.present);
    let mut parts = parts.into_iter().map(|part| part.matrix);
    let first = parts
        .next()
        .unwrap_or_else(|| ConfusionMatrix::empty(pair.kind));
    let matrix = parts.try_fold(first, |sum, part| sum.add(&part))?;
    if let Some(given) = given.filter(|_| !present) {
        let value = given
            .set
            .values
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        return Err(Refusal::argument(
            "labels",
            value,
            "labels of which y_true has some (At least one label specified must be in y_true)",
        ));
    }
    if matrix.classes() == 0 {
        return Err(Refusal::argument(
            "y_true",
            "nothing but left-out rows",
            "at least one row",
        ));
    }
    Ok(matrix)
}

/// The labels that the caller gave.
struct Given<'a> {
    set: &'a LabelSet,
    classes: Map<&'a Label, u32>,
}

impl<'a> Given<'a> {
    fn new(set: &'a LabelSet) -> Result<Self> {
        if set.is_empty() {
            return Err(Refusal::argument("labels", "empty", "at least one label"));
        }
        let mut classes = Map::default();
        for (class, label) in set.values.iter().enumerate() {
            if classes.insert(label, class as u32).is_some() {
                return Err(Refusal::argument(
                    "labels",
                    format!("{label}, twice"),
                    "distinct labels",
                ));
            }
        }
        Ok(Self { set, classes })
    }

    /// Refuses the first row that has another label.
    fn check(&self, pair: &Pair<'_>, options: &CountOptions, rows: Range<usize>) -> Result<()> {
        for row in rows {
            let readings = [
                ("y_true", pair.actual.read(row)),
                ("y_pred", pair.predicted.read(row)),
            ];
            if options.nan_policy == NanPolicy::Omit
                && readings
                    .iter()
                    .any(|(_, reading)| *reading == Reading::Missing)
            {
                continue;
            }
            for (argument, reading) in readings {
                if let Reading::Whole(number) = reading {
                    let label = pair.label(number);
                    if !self.classes.contains_key(&label) {
                        return Err(Refusal::row(
                            argument,
                            row,
                            label,
                            "one of the given labels",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

/// What a part of the rows came to.
struct Counted {
    matrix: ConfusionMatrix,
    /// Whether one of the given labels occurs in `y_true`.
    present: bool,
    /// Whether a label occurs that was not given.
    stray: bool,
}

/// The counters of pairs of codes.
enum Table {
    /// One for every pair of codes below 2^bits, at `actual << bits | predicted`.
    Dense(Dense),
    /// One for every pair that occurs.
    Sparse(Sparse),
}

struct Dense {
    bits: u32,
    counts: Vec<u64>,
    /// Short counters, `lanes` tables in a row, added to `counts` before they can overflow.
    quick: Vec<u32>,
    pending: usize,
}

#[derive(Default)]
struct Sparse {
    /// The place of a pair's counter, by `actual << 32 | predicted`.
    places: Map<u64, u32>,
    pairs: Vec<u64>,
    counts: Vec<u64>,
}

/// Tables that are used in turn: more for fewer classes, where the same counter comes up sooner.
const fn lanes(bits: u32) -> usize {
    match bits {
        0..=1 => 8,
        2..=4 => 4,
        _ => 1,
    }
}

impl Dense {
    fn new(bits: u32) -> Self {
        Self {
            bits,
            counts: vec![0; 1 << (2 * bits)],
            quick: Vec::new(),
            pending: 0,
        }
    }

    /// Adds the short counters to the long ones.
    fn settle(&mut self) {
        if self.pending > 0 {
            for lane in self.quick.chunks_exact_mut(self.counts.len()) {
                for (count, quick) in self.counts.iter_mut().zip(lane) {
                    *count += u64::from(std::mem::take(quick));
                }
            }
            self.pending = 0;
        }
    }
}

/// A part of the rows on its way to a matrix.
struct Part<'a> {
    pair: &'a Pair<'a>,
    weights: Option<Weights<'a>>,
    omit: bool,
    rows: Range<usize>,
    codebook: Codebook,
    table: Table,
    /// For each counter of the table the sum of its rows' weights.
    sums: Option<ExactSums>,
    counted: u64,
    /// Codes and places of the block in work.
    actual: Vec<u32>,
    predicted: Vec<u32>,
    places: Vec<u32>,
    kept: Vec<f64>,
}

impl<'a> Part<'a> {
    fn new(
        pair: &'a Pair<'a>,
        weights: Option<Weights<'a>>,
        options: &CountOptions,
        rows: Range<usize>,
    ) -> Self {
        let block = rows.start..rows.end.min(rows.start + BLOCK);
        let bounds = pair
            .actual
            .bounds(block.clone())
            .zip(pair.predicted.bounds(block));
        let window = bounds.and_then(|((a, b), (c, d))| Window::over(a.min(c), b.max(d)));
        // Where the first block has no such bounds it is read slowly, and the window moves to what is found there.
        let window = window.unwrap_or(Window { low: 0, bits: 0 });
        let mut part = Self {
            pair,
            weights,
            omit: options.nan_policy == NanPolicy::Omit,
            rows,
            codebook: Codebook::Window(window),
            table: Table::Dense(Dense::new(0)),
            sums: weights.map(|_| ExactSums::new(1)),
            counted: 0,
            actual: Vec::new(),
            predicted: Vec::new(),
            places: Vec::new(),
            kept: Vec::new(),
        };
        part.make_room(None);
        part
    }

    /// The greatest dense table that pays: one that is not much larger than the rows are many.
    fn dense_bits(&self) -> u32 {
        let (rows, most) = if self.weights.is_some() {
            (self.rows.len(), 9)
        } else {
            (self.rows.len().saturating_mul(4), WINDOW_BITS)
        };
        (rows.max(1 << 12).ilog2() / 2).min(most)
    }

    fn run(mut self) -> Result<Self> {
        let mut row = self.rows.start;
        while row < self.rows.end {
            if let (Codebook::Window(window), Table::Dense(dense), None) =
                (&self.codebook, &mut self.table, self.weights)
            {
                // Short counters must not overflow, so they are settled every 2^31 rows.
                let end = self.rows.end.min(row + (1 << 31));
                let stop = count_blocks(self.pair, *window, dense, row..end);
                self.counted += (stop - row) as u64;
                row = stop;
                if stop == end {
                    continue;
                }
            }
            let block = row..self.rows.end.min(row + BLOCK);
            row = block.end;
            self.block(block)?;
        }
        Ok(self)
    }

    /// One block by the general way.
    fn block(&mut self, block: Range<usize>) -> Result<()> {
        let known = match &self.codebook {
            Codebook::Window(window) => {
                lower_known(&self.pair.actual, block.clone(), *window, &mut self.actual)
                    && lower_known(
                        &self.pair.predicted,
                        block.clone(),
                        *window,
                        &mut self.predicted,
                    )
            }
            Codebook::Hash(codes) => {
                self.pair
                    .actual
                    .look_up(block.clone(), codes, &mut self.actual)
                    && self
                        .pair
                        .predicted
                        .look_up(block.clone(), codes, &mut self.predicted)
            }
        };
        if !known {
            return self.careful(block);
        }
        let Some(weights) = self.weights else {
            self.add(None);
            return Ok(());
        };
        let mut scratch = Vec::new();
        let weights = weights.chunk(block.clone(), &mut scratch);
        // Copied first: what is checked must be what is added.
        self.kept.clear();
        self.kept.extend_from_slice(weights);
        let span = Span::of_slice(&self.kept).map_err(|refusal| refusal.later(block.start))?;
        self.add(Some(span));
        Ok(())
    }

    /// One block row by row: refuses, leaves out, and learns labels.
    #[cold]
    fn careful(&mut self, block: Range<usize>) -> Result<()> {
        let mut numbers = [Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK)];
        self.kept.clear();
        for row in block {
            let mut pair = [0; 2];
            let mut missing = false;
            let columns = [
                ("y_true", &self.pair.actual),
                ("y_pred", &self.pair.predicted),
            ];
            for ((argument, source), number) in columns.into_iter().zip(&mut pair) {
                match source.read(row) {
                    Reading::Whole(whole) => *number = whole,
                    Reading::Missing if self.omit => missing = true,
                    Reading::Missing => {
                        return Err(Refusal::row(argument, row, "nan", "a label"));
                    }
                    Reading::Odd(value) => {
                        let expected = "a label: a whole number (continuous is not supported)";
                        return Err(Refusal::row(argument, row, value, expected));
                    }
                }
            }
            if let Some(weights) = self.weights {
                let weight = weights.get(row);
                Span::of_slice(&[weight]).map_err(|refusal| refusal.later(row))?;
                if !missing {
                    self.kept.push(weight);
                }
            }
            if !missing {
                numbers[0].push(pair[0]);
                numbers[1].push(pair[1]);
            }
        }
        let table = &mut self.table;
        let new = numbers[0].iter().chain(&numbers[1]).copied();
        let limit = self.codebook.limit();
        let renumbering = self.codebook.admit(new, || table.used(limit));
        self.make_room(renumbering.as_deref());
        for (codes, numbers) in [&mut self.actual, &mut self.predicted]
            .into_iter()
            .zip(&numbers)
        {
            codes.clear();
            codes.extend(numbers.iter().map(|&number| self.codebook.code(number)));
        }
        let span = self
            .weights
            .map(|_| Span::of_slice(&self.kept))
            .transpose()?;
        self.add(span);
        Ok(())
    }

    /// Counts the rows of the block in work, whose codes are in `actual` and `predicted` and weights in `kept`.
    fn add(&mut self, weights: Option<Span>) {
        self.counted += self.actual.len() as u64;
        let pairs = self.actual.iter().zip(&self.predicted);
        self.places.clear();
        match &mut self.table {
            Table::Dense(dense) => {
                let bits = dense.bits;
                self.places
                    .extend(pairs.map(|(&actual, &predicted)| actual << bits | predicted));
                for &place in &self.places {
                    dense.counts[place as usize] += 1;
                }
            }
            Table::Sparse(sparse) => {
                self.places.extend(
                    pairs.map(|(&a, &p)| sparse.count(u64::from(a) << 32 | u64::from(p), 1)),
                );
            }
        }
        if let (Some(sums), Some(span)) = (&mut self.sums, weights) {
            if let Table::Sparse(sparse) = &self.table
                && sparse.pairs.len() > sums.len()
            {
                let same: Vec<usize> = (0..sums.len()).collect();
                *sums = sums.moved(&same, (2 * sums.len()).max(sparse.pairs.len()));
            }
            sums.add_all(span, &self.places, &self.kept);
        }
    }

    /// Fits the table to the codebook: its codes may have been renumbered, and there may be more of them.
    fn make_room(&mut self, renumbering: Option<&[u32]>) {
        let limit = self.codebook.limit();
        let bits = usize::BITS - limit.saturating_sub(1).leading_zeros();
        let renumber = |code: u32| renumbering.map_or(code, |new| new[code as usize]);
        let fits = match &self.table {
            Table::Dense(dense) => match self.codebook {
                Codebook::Window(_) => dense.bits == bits,
                Codebook::Hash(_) => dense.bits >= bits,
            },
            Table::Sparse(_) => true,
        };
        if fits && renumbering.is_none() {
            return;
        }
        let mut new = if bits <= self.dense_bits() && matches!(self.table, Table::Dense(_)) {
            Table::Dense(Dense::new(bits))
        } else {
            Table::Sparse(Sparse::default())
        };
        let mut moves = vec![0; self.sums.as_ref().map_or(0, ExactSums::len)];
        self.table.each(|actual, predicted, place, count| {
            let (actual, predicted) = (renumber(actual), renumber(predicted));
            let moved = match &mut new {
                Table::Dense(dense) => {
                    let place = actual << dense.bits | predicted;
                    dense.counts[place as usize] += count;
                    place
                }
                Table::Sparse(sparse) => {
                    sparse.count(u64::from(actual) << 32 | u64::from(predicted), count)
                }
            };
            if let Some(to) = moves.get_mut(place) {
                *to = moved as usize;
            }
        });
        if let Some(sums) = &mut self.sums {
            // Places that no pair uses hold nothing, so it does not matter where they go.
            let len = match &new {
                Table::Dense(dense) => dense.counts.len(),
                Table::Sparse(sparse) => sparse.pairs.len().max(1),
            };
            *sums = sums.moved(&moves, len);
        }
        self.table = new;
    }

    /// The matrix of what was counted.
    fn finish(mut self, given: Option<&Given<'_>>) -> Counted {
        // The classes: codes in use, in the order of their labels.
        let mut used: Vec<(i128, u32)> = (self.table.used(self.codebook.limit()).into_iter())
            .map(|code| (self.codebook.number(code), code))
            .collect();
        if !used.is_sorted() {
            used.sort_unstable();
        }
        let mut classes: Vec<(Label, u32)> = used
            .into_iter()
            .map(|(number, code)| (self.pair.label(number), code))
            .collect();
        if !self.pair.is_ordered() {
            classes.sort_unstable();
        }
        // A code's class, or `OUTSIDE`.
        const OUTSIDE: u32 = u32::MAX;
        let mut class_of = vec![OUTSIDE; self.codebook.limit()];
        let mut stray = false;
        for (class, (label, code)) in classes.iter().enumerate() {
            let class = match given {
                None => Some(class as u32),
                Some(given) => given.classes.get(label).copied(),
            };
            stray |= class.is_none();
            class_of[*code as usize] = class.unwrap_or(OUTSIDE);
        }
        let labels = match given {
            Some(given) => given.set.clone(),
            None => LabelSet {
                kind: self.pair.kind,
                values: classes.into_iter().map(|(label, _)| label).collect(),
            },
        };

        let (mut present, mut rows) = (false, 0);
        let mut cells: Vec<(u32, u32, u64, usize)> = Vec::new();
        self.table.each(|actual, predicted, place, count| {
            let (actual, predicted) = (class_of[actual as usize], class_of[predicted as usize]);
            present |= actual != OUTSIDE;
            if actual != OUTSIDE && predicted != OUTSIDE {
                rows += count;
                cells.push((actual, predicted, count, place));
            }
        });
        if !cells.is_sorted() {
            cells.sort_unstable();
        }
        let pairs: Vec<(u32, u32)> = cells.iter().map(|&(a, p, _, _)| (a, p)).collect();
        let amounts = match &self.sums {
            None => Amounts::Counts(cells.iter().map(|&(_, _, count, _)| count).collect()),
            Some(sums) => {
                // The sums of cells that are left out gather behind the last cell, and are cut off.
                let mut moves = vec![cells.len(); sums.len()];
                for (to, &(_, _, _, place)) in cells.iter().enumerate() {
                    moves[place] = to;
                }
                Amounts::Weights(sums.moved(&moves, cells.len() + 1))
            }
        };
        let matrix = ConfusionMatrix::from_cells(labels, rows, pairs, amounts);
        Counted {
            matrix,
            present,
            stray,
        }
    }
}

impl Sparse {
    fn count(&mut self, pair: u64, rows: u64) -> u32 {
        let place = *self.places.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            self.counts.push(0);
            (self.pairs.len() - 1) as u32
        });
        self.counts[place as usize] += rows;
        place
    }
}

impl Table {
    /// Visits the pairs of codes with rows: actual, predicted, the place of the counter, the rows.
    fn each(&mut self, mut visit: impl FnMut(u32, u32, usize, u64)) {
        match self {
            Self::Dense(dense) => {
                dense.settle();
                let bits = dense.bits;
                for (place, &count) in dense
                    .counts
                    .iter()
                    .enumerate()
                    .filter(|(_, count)| **count > 0)
                {
                    visit(
                        (place >> bits) as u32,
                        (place & ((1 << bits) - 1)) as u32,
                        place,
                        count,
                    );
                }
            }
            Self::Sparse(sparse) => {
                for (place, (&pair, &count)) in sparse.pairs.iter().zip(&sparse.counts).enumerate()
                {
                    visit((pair >> 32) as u32, pair as u32, place, count);
                }
            }
        }
    }

    /// The codes with rows, ascending; all are below `limit`.
    fn used(&mut self, limit: usize) -> Vec<u32> {
        let mut used = vec![false; limit];
        self.each(|actual, predicted, _, _| {
            used[actual as usize] = true;
            used[predicted as usize] = true;
        });
        (0..limit as u32)
            .filter(|&code| used[code as usize])
            .collect()
    }
}

/// The codes of a block in a window; false if one is outside.
fn lower_known(
    source: &Source<'_>,
    rows: Range<usize>,
    window: Window,
    out: &mut Vec<u32>,
) -> bool {
    let mut codes = [0; BLOCK];
    let len = rows.len();
    let (known, _) = source.lower(rows, window, &mut codes);
    out.clear();
    out.extend(codes[..len].iter().map(|&code| u32::from(code)));
    known
}

/// Counts blocks into a dense table as long as every label is in the window; returns the row where it stopped.
fn count_blocks(pair: &Pair<'_>, window: Window, dense: &mut Dense, rows: Range<usize>) -> usize {
    if dense.pending + rows.len() > u32::MAX as usize {
        dense.settle();
    }
    let lanes = lanes(dense.bits);
    dense.quick.resize(dense.counts.len() * lanes, 0);
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("bmi2")
        {
            // SAFETY: the processor has these features.
            return unsafe { count_blocks_avx512(pair, window, dense, rows) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
            // SAFETY: the processor has these features.
            return unsafe { count_blocks_avx2(pair, window, dense, rows) };
        }
    }
    count_blocks_anywhere(pair, window, dense, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,bmi2")]
fn count_blocks_avx512(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    count_blocks_anywhere(pair, window, dense, rows)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi2")]
fn count_blocks_avx2(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    count_blocks_anywhere(pair, window, dense, rows)
}

#[inline(always)]
fn count_blocks_anywhere(
    pair: &Pair<'_>,
    window: Window,
    dense: &mut Dense,
    rows: Range<usize>,
) -> usize {
    let (bits, cells) = (dense.bits, dense.counts.len());
    let mut start = rows.start;
    if bits == 1
        && window.low == 0
        && let Some(actual) = pair.actual.bytes(rows.clone())
        && let Some(predicted) = pair.predicted.bytes(rows.clone())
    {
        start += sum_bytes(actual, predicted, &mut dense.counts);
    }
    let mut actual = [0u16; BLOCK];
    let mut predicted = [0u16; BLOCK];
    let mut wide = [0u32; BLOCK];
    while start < rows.end {
        let block = start..rows.end.min(start + BLOCK);
        let len = block.len();
        let (first, ahead) = pair.actual.lower(block.clone(), window, &mut actual);
        let (second, beside) = pair.predicted.lower(block, window, &mut predicted);
        if !(first && second) {
            break;
        }
        let ahead = [ahead, beside];
        if bits <= 8 {
            for (index, &code) in actual.iter_mut().zip(&predicted) {
                *index = *index << bits | code;
            }
            let index = &actual[..len];
            match lanes(bits) {
                8 => increment::<u16, 8>(index, &mut dense.quick, cells, ahead),
                4 => increment::<u16, 4>(index, &mut dense.quick, cells, ahead),
                _ => increment::<u16, 1>(index, &mut dense.quick, cells, ahead),
            }
        } else {
            for ((index, &code), &other) in wide.iter_mut().zip(&actual).zip(&predicted) {
                *index = u32::from(code) << bits | u32::from(other);
            }
            increment::<u32, 1>(&wide[..len], &mut dense.quick, cells, ahead);
        }
        start += len;
    }
    dense.pending += start - rows.start;
    start
}

/// Increments the counter of every index, the lanes in turn.
#[inline(always)]
fn increment<I: Copy + Into<u32>, const LANES: usize>(
    index: &[I],
    counters: &mut [u32],
    cells: usize,
    ahead: [Ahead; 2],
) {
    assert!(cells.is_power_of_two() && counters.len() == cells * LANES);
    let mut add = |lane: usize, index: I| {
        let place = (index.into() as usize & (cells - 1)) + (lane % LANES) * cells;
        // SAFETY: the first term is below `cells`, a power of two, and the second at most `(LANES - 1) * cells`; the
        // slice has `cells * LANES` counters, as was asserted.
        unsafe { *counters.get_unchecked_mut(place) += 1 };
    };
    let (eights, rest) = index.as_chunks::<8>();
    for (i, eight) in eights.iter().enumerate() {
        for next in &ahead {
            prefetch(next.place.wrapping_add(i * next.step));
        }
        for (lane, &index) in eight.iter().enumerate() {
            add(lane, index);
        }
    }
    for (lane, &index) in rest.iter().enumerate() {
        add(lane, index);
    }
}

/// Asks for a cache line; any address will do.
#[inline(always)]
fn prefetch(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Counts byte columns of zeros and ones by their sums, as far as there is nothing else in them; returns how many rows.
#[inline(always)]
fn sum_bytes(actual: (&[u8], bool), predicted: (&[u8], bool), counts: &mut [u64]) -> usize {
    // Sums of 64 lanes of bytes, which hold up to 255 ones.
    const STEP: usize = 64 * 128;
    let ((actual, any_actual), (predicted, any_predicted)) = (actual, predicted);
    let mut rows = 0;
    let (mut positive, mut called, mut both) = (0u64, 0u64, 0u64);
    for (actual, predicted) in actual.chunks(STEP).zip(predicted.chunks(STEP)) {
        let (mut sums, mut other) = ([[0u8; 64]; 3], 0u8);
        let (ones, ones_rest) = actual.as_chunks::<64>();
        let (calls, calls_rest) = predicted.as_chunks::<64>();
        for (ones, calls) in ones.iter().zip(calls) {
            for lane in 0..64 {
                let (mut one, mut call) = (ones[lane], calls[lane]);
                one = if any_actual { u8::from(one != 0) } else { one };
                call = if any_predicted {
                    u8::from(call != 0)
                } else {
                    call
                };
                other |= one | call;
                sums[0][lane] += one & 1;
                sums[1][lane] += call & 1;
                sums[2][lane] += one & call & 1;
            }
        }
        for (lane, (&one, &call)) in ones_rest.iter().zip(calls_rest).enumerate() {
            let one = if any_actual { u8::from(one != 0) } else { one };
            let call = if any_predicted {
                u8::from(call != 0)
            } else {
                call
            };
            other |= one | call;
            sums[0][lane] += one & 1;
            sums[1][lane] += call & 1;
            sums[2][lane] += one & call & 1;
        }
        if other > 1 {
            break;
        }
        let total = |lanes: &[u8; 64]| lanes.iter().map(|&x| u64::from(x)).sum::<u64>();
        positive += total(&sums[0]);
        called += total(&sums[1]);
        both += total(&sums[2]);
        rows += actual.len();
    }
    counts[3] += both;
    counts[2] += positive - both;
    counts[1] += called - both;
    counts[0] += rows as u64 + both - positive - called;
    rows
}
