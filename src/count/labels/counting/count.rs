//! Counting: two columns of labels become a confusion matrix, in one pass.
//!
//! 1. Rows are taken in blocks of 256. A block of each column is lowered to codes
//!    ([`crate::labels::codes`]).
//! 2. The pairs of codes are counted: in a table of all pairs
//!    (`crate::labels::counting::dense_counts`) while it has at most 16 cells a row, else in a list
//!    of those that occur (`crate::labels::counting::sparse_counts`).
//! 3. A block with a label outside the codebook is read again, row by row. Only this path refuses,
//!    leaves out or learns labels; existing counts are renumbered, and no row is counted twice.
//! 4. With weights, every pair has an exact sum beside its count (see [`crate::arith::exact`]), so
//!    rows of weight zero still show their labels.
//! 5. Threads take consecutive parts of the rows. A part's result is a matrix, and matrices add
//!    exactly.
//!
//! Cost, one core: about one read of both columns in a table, 40 ns a row in a list, 3 ns a
//! weighted row in a table; 1 to 2 microseconds for 1,000 rows.

use std::ops::Range;

use crate::arith::exact::{ExactSums, Span, Weights};
use crate::arith::weight_kind::WeightKind;
use crate::base::dtype::Reading;
use crate::base::error::{Refusal, Result, check_part};
use crate::base::input::{Label, LabelSet, Labels, NanPolicy};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, room_in, with_room};
use crate::base::switch::switch_at;
use crate::base::threads::{SERIAL_ROWS, over_parts};
use crate::labels::cells::Pattern;
use crate::labels::codes::{BLOCK, Codebook, HashCodes, Map, NARROW_BITS, Pair, Source, Window};
use crate::labels::confusion::{ConfusionMatrix, Masses};
use crate::labels::counting::dense_counts::{Dense, Occupied, count_blocks, lanes};
use crate::labels::counting::sparse_counts::{OUTSIDE, Sparse};
use crate::labels::counting::weighted_counts::add_blocks;

/// Up to this many rows without weights are counted on the calling thread: a fifth of a
/// millisecond.
const SERIAL_COUNTS: usize = switch_at(1 << 19, 1 << 7);

/// Up to this many rows with more labels than a narrow window are counted on the calling thread.
/// Parts of such rows share few cells, so adding two threads' matrices takes as long as counting,
/// and twice the memory.
const SERIAL_SPARSE: usize = switch_at(1 << 22, 1 << 8);

/// Options of counting.
#[derive(Clone, Debug, Default)]
pub struct CountOptions {
    /// The classes, in this order; rows with any other label are left out. By default the labels
    /// that occur, ascending.
    pub labels: Option<LabelSet>,
    /// Refuse a row whose label is not among `labels`, instead of leaving it out.
    pub strict: bool,
    /// The policy for missing labels: refuse, or leave out the row.
    pub nan_policy: NanPolicy,
    /// The meaning of the weights.
    pub weight_kind: WeightKind,
}

/// The confusion matrix of two columns of labels: the number or weight of the rows with each actual
/// and each predicted class.
///
/// The classes are the labels that occur in either column, ascending, unless the options give them.
/// Rows of weight zero add nothing, but their labels are classes. The result is the same for any
/// number of threads, and weighted sums are exact.
///
/// # Errors
/// Columns of different length or without rows; text against numbers; in the order of the rows, and
/// within a row `y_true` before `y_pred` before `sample_weight`: a missing label (unless left out),
/// a float that is no whole number, a label outside `labels` if strict, a weight that is negative
/// or not finite (also where the row is left out); empty or repeated `labels`; no row left; the
/// errors of [`WeightKind::squares`].
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::Labels;
/// use rocksteady_count::labels::counting::count::{CountOptions, confusion};
///
/// let y_true = Labels::I32(Column::from_slice(&[2, 0, 2, 2, 0, 1]));
/// let y_pred = Labels::I32(Column::from_slice(&[0, 0, 2, 2, 0, 2]));
/// let matrix = confusion(&y_true, &y_pred, None, &CountOptions::default())?;
/// assert_eq!(matrix.to_counts().as_deref(), Some(&[2, 0, 0, 0, 0, 1, 1, 0, 2][..]));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn confusion(
    y_true: &Labels<'_>,
    y_pred: &Labels<'_>,
    weights: Option<Weights<'_>>,
    options: &CountOptions,
) -> Result<ConfusionMatrix> {
    let matrix = counted(y_true, y_pred, weights, options)?;
    match options.weight_kind.squares(weights, "sample_weight")? {
        None => Ok(matrix),
        Some(squares) => {
            let squares = Some(Weights::from_slice(&squares));
            matrix.with_squares(counted(y_true, y_pred, squares, options)?)
        }
    }
}

/// The matrix of the weights, without their squares.
fn counted(
    y_true: &Labels<'_>,
    y_pred: &Labels<'_>,
    weights: Option<Weights<'_>>,
    options: &CountOptions,
) -> Result<ConfusionMatrix> {
    let mut columns = vec![("y_true", y_true.len()), ("y_pred", y_pred.len())];
    columns.grow_with(weights.map(|weights| ("sample_weight", weights.len())));
    let rows = check_part(&columns, options.labels.is_some())?;
    if matches!(options.nan_policy, NanPolicy::Worst | NanPolicy::Best) {
        let value = format!("{:?}", options.nan_policy).to_lowercase();
        let expected = "\"raise\" or \"omit\" for labels";
        return Err(Refusal::argument("nan_policy", value, expected));
    }
    let given = options.labels.as_ref().map(Given::new).transpose()?;
    if let (0, Some(given)) = (rows, &given) {
        let none = Masses::Counts(Vec::new());
        return Ok(ConfusionMatrix::from_cells(given.set.clone(), 0, Vec::new(), none));
    }
    let pair = Pair::new(y_true, y_pred)?.in_order();

    let work = |rows| {
        let part = Part::new(&pair, weights, options, rows);
        part.run().map(|part| part.finish(given.as_ref()))
    };
    let work = |rows: Range<usize>| {
        let (start, outcome) = (rows.start, work(rows.clone()));
        match &given {
            Some(given) if options.strict => {
                // A refused row comes after all earlier rows with an unknown label, and after its
                // own unknown labels before the refused value.
                let known = match &outcome {
                    Err(Refusal::Row { row, .. }) => start..*row + 1,
                    Ok(counted) if counted.stray => rows,
                    _ => start..start,
                };
                given.check(&pair, options, known).and(outcome)
            }
            _ => outcome,
        }
    };
    // Counting is so fast that a second thread pays later than elsewhere; with weights it pays as
    // usual.
    let serial = if weights.is_some() { SERIAL_ROWS } else { SERIAL_COUNTS };
    let parts = if rows <= serial || rows <= SERIAL_SPARSE && is_wide(&pair, rows) {
        vec![work(0..rows)?]
    } else {
        over_parts(rows, work)?
    };

    let mut parts = parts.into_iter().map(|part| part.matrix);
    let first = parts.next().unwrap_or_else(|| ConfusionMatrix::empty(pair.kind));
    let matrix = parts.try_fold(first, |sum, part| sum.add(&part))?;
    if matrix.classes() == 0 {
        let found = "nothing but left-out rows";
        let expected = "at least one row";
        return Err(Refusal::argument("y_true", found, expected));
    }
    Ok(matrix)
}

/// Whether the labels of the first rows are too far apart for a narrow window.
fn is_wide(pair: &Pair<'_>, rows: usize) -> bool {
    let block = 0..rows.min(BLOCK);
    let bounds = pair.actual.bounds(block.clone()).zip(pair.predicted.bounds(block));
    bounds.is_some_and(|((a, b), (c, d))| Window::over(a.min(c), b.max(d), NARROW_BITS).is_none())
}

/// The caller's labels.
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
        room_in(&mut classes, set.len());
        for (class, label) in set.values.iter().enumerate() {
            if classes.insert(label, class as u32).is_some() {
                let found = format!("{label}, twice");
                let expected = "distinct labels";
                return Err(Refusal::argument("labels", found, expected));
            }
        }
        Ok(Self { set, classes })
    }

    /// Refuses the first row with a label outside these.
    fn check(&self, pair: &Pair<'_>, options: &CountOptions, rows: Range<usize>) -> Result<()> {
        for row in rows {
            let readings =
                [("y_true", pair.actual.read(row)), ("y_pred", pair.predicted.read(row))];
            if options.nan_policy == NanPolicy::Omit
                && readings.iter().any(|(_, reading)| *reading == Reading::Missing)
            {
                continue;
            }
            for (argument, reading) in readings {
                let Reading::Whole(number) = reading else {
                    break; // what was refused
                };
                let label = pair.label(number);
                if !self.classes.contains_key(&label) {
                    let expected = "one of the given labels";
                    return Err(Refusal::row(argument, row, label, expected));
                }
            }
        }
        Ok(())
    }
}

/// The result for a part of the rows.
struct Counted {
    matrix: ConfusionMatrix,
    /// Whether there are labels outside the given ones.
    stray: bool,
}

/// The counters of pairs of codes.
enum Table {
    /// A counter for every pair of codes below 2^bits, at `actual << bits | predicted`.
    Dense(Dense),
    /// A counter for every pair that occurs.
    Sparse(Sparse),
}

impl Table {
    /// Brings the counters up to date.
    fn settle(&mut self, sums: Option<&mut ExactSums>) {
        match self {
            // A single short table needs no long counters.
            Self::Dense(dense) if dense.counts.is_empty() && lanes(dense.bits) == 1 => {}
            Self::Dense(dense) => dense.settle(),
            Self::Sparse(sparse) => sparse.settle(sums),
        }
    }

    /// Visits the pairs of codes with rows, in order: actual, predicted, the place of the counter,
    /// the rows. The table must be settled.
    fn each(&self, mut visit: impl FnMut(u32, u32, usize, u64)) {
        match self {
            Self::Dense(dense) => {
                for (actual, predicted, place, count) in dense.occupied().cells() {
                    visit(actual, predicted, place, count);
                }
            }
            Self::Sparse(sparse) => {
                let pairs = sparse.pairs.iter().zip(&sparse.counts).enumerate();
                pairs.for_each(|(place, (&pair, &count))| {
                    visit((pair >> 32) as u32, pair as u32, place, count);
                });
            }
        }
    }

    /// The codes with rows, ascending, all below `limit`. The table must be settled.
    fn used(&self, limit: usize) -> Vec<u32> {
        match self {
            Self::Dense(dense) => dense.occupied().codes(),
            Self::Sparse(sparse) => {
                let mut used = vec![false; limit];
                for &pair in &sparse.pairs {
                    used[(pair >> 32) as usize] = true;
                    used[pair as u32 as usize] = true;
                }
                let codes = (0..).zip(used);
                codes.filter_map(|(code, used)| used.then_some(code)).gather()
            }
        }
    }
}

/// The state of one part of the rows.
struct Part<'a> {
    pair: &'a Pair<'a>,
    weights: Option<Weights<'a>>,
    omit: bool,
    rows: Range<usize>,
    codebook: Codebook,
    table: Table,
    /// The sum of weights for each counter of the table.
    sums: Option<ExactSums>,
    /// Codes and places of the current block.
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
        let bounds = pair.actual.bounds(block.clone()).zip(pair.predicted.bounds(block));
        let window =
            bounds.and_then(|((a, b), (c, d))| Window::over(a.min(c), b.max(d), NARROW_BITS));
        // A first block without such bounds is read row by row, and the window moves to its labels.
        let window = window.unwrap_or(Window { low: 0, bits: 0 });
        let mut part = Self {
            pair,
            weights,
            omit: options.nan_policy == NanPolicy::Omit,
            rows,
            codebook: Codebook::Window(window),
            table: Table::Dense(Dense::new(0)),
            sums: weights.map(|_| ExactSums::new(1)),
            actual: Vec::new(),
            predicted: Vec::new(),
            places: Vec::new(),
            kept: Vec::new(),
        };
        part.make_room(None);
        part
    }

    /// The size of the largest useful dense table: at most 16 cells a row, or 4 beyond 2^20 cells,
    /// which take much memory.
    fn dense_bits(&self) -> u32 {
        let (least, most) = if self.weights.is_some() {
            (1 << 12, NARROW_BITS - 1)
        } else {
            (1 << 14, NARROW_BITS)
        };
        let rows = self.rows.len();
        let many = rows.saturating_mul(4);
        let cells = rows.saturating_mul(16).min(many.max(1 << 20)).max(least);
        (cells.ilog2() / 2).min(most)
    }

    fn run(mut self) -> Result<Self> {
        let mut row = self.rows.start;
        while row < self.rows.end {
            if let (Codebook::Window(window), Table::Dense(dense)) =
                (&self.codebook, &mut self.table)
            {
                // A dense table has a narrow window. Short counters must be settled before they
                // overflow, and a stopped call must end: both happen every 2^24 rows.
                let end = self.rows.end.min(row + (1 << 24));
                let (pair, window, rows) = (self.pair, *window, row..end);
                let stop = match (self.weights, &mut self.sums) {
                    (Some(weights), Some(sums)) => {
                        add_blocks(pair, window, dense, weights, sums, rows)
                    }
                    _ => count_blocks(pair, window, dense, rows),
                };
                row = stop;
                if stop == end {
                    continue;
                }
            }
            interrupt::check();
            let block = row..self.rows.end.min(row + BLOCK);
            row = block.end;
            self.block(block)?;
        }
        Ok(self)
    }

    /// Counts one block in the general way.
    fn block(&mut self, block: Range<usize>) -> Result<()> {
        let sources = [&self.pair.actual, &self.pair.predicted];
        let mut known = true;
        for (source, codes) in sources.into_iter().zip([&mut self.actual, &mut self.predicted]) {
            known &= match &mut self.codebook {
                Codebook::Window(window) if window.bits <= NARROW_BITS => {
                    lower_known(source, block.clone(), *window, codes)
                }
                Codebook::Window(window) => look_up_wide(source, block.clone(), *window, codes),
                Codebook::Hash(hash) => look_up_hash(source, block.clone(), hash, codes),
            };
        }
        if !known {
            return self.careful(block);
        }
        let Some(weights) = self.weights else {
            self.add(None);
            return Ok(());
        };
        let mut scratch = Vec::new();
        let weights = weights.chunk(block.clone(), &mut scratch);
        // Copied first: the checked weights must be the added ones.
        self.kept.clear();
        self.kept.grow_by(weights);
        let span = Span::from_slice(&self.kept).map_err(|refusal| refusal.later(block.start))?;
        self.add(Some(span));
        Ok(())
    }

    /// Counts one block row by row: refuses, leaves out, and learns labels.
    #[cold]
    fn careful(&mut self, block: Range<usize>) -> Result<()> {
        let mut numbers = [with_room(BLOCK), with_room(BLOCK)];
        self.kept.clear();
        for row in block {
            let mut pair = [0; 2];
            let mut missing = false;
            let columns = [("y_true", &self.pair.actual), ("y_pred", &self.pair.predicted)];
            for ((argument, source), number) in columns.into_iter().zip(&mut pair) {
                match source.read(row) {
                    Reading::Whole(whole) => *number = whole,
                    Reading::Missing if self.omit => missing = true,
                    Reading::Missing => {
                        return Err(Refusal::row(argument, row, "missing", "a label"));
                    }
                    Reading::Odd(value) => {
                        let expected = "a label: a whole number (continuous is not supported)";
                        return Err(Refusal::row(argument, row, value, expected));
                    }
                }
            }
            if let Some(weights) = self.weights {
                let weight = weights.get(row);
                Span::from_slice(&[weight]).map_err(|refusal| refusal.later(row))?;
                if !missing {
                    self.kept.grow(weight);
                }
            }
            if !missing {
                numbers[0].grow(pair[0]);
                numbers[1].grow(pair[1]);
            }
        }
        let (table, sums, limit) = (&mut self.table, &mut self.sums, self.codebook.limit());
        let new = numbers[0].iter().chain(&numbers[1]).copied();
        let renumbering = self.codebook.admit(new, || {
            table.settle(sums.as_mut());
            table.used(limit)
        });
        self.make_room(renumbering.as_deref());
        for (codes, numbers) in [&mut self.actual, &mut self.predicted].into_iter().zip(&numbers) {
            codes.clear();
            codes.grow_with(numbers.iter().filter_map(|&number| self.codebook.code(number)));
        }
        let span = self.weights.map(|_| Span::from_slice(&self.kept)).transpose()?;
        self.add(span);
        Ok(())
    }

    /// Counts the rows of the current block: codes in `actual` and `predicted`, weights in `kept`.
    fn add(&mut self, weights: Option<Span>) {
        let pairs = self.actual.iter().zip(&self.predicted);
        match &mut self.table {
            Table::Dense(dense) => {
                let bits = dense.bits;
                self.places.clear();
                self.places
                    .grow_with(pairs.map(|(&actual, &predicted)| actual << bits | predicted));
                let counts = dense.counts();
                for &place in &self.places {
                    counts[place as usize] += 1;
                }
                if let (Some(sums), Some(span)) = (&mut self.sums, weights) {
                    sums.add_all(span, &self.places, &self.kept);
                }
            }
            Table::Sparse(sparse) => {
                let pairs = pairs.map(|(&a, &p)| u64::from(a) << 32 | u64::from(p));
                if weights.is_some() {
                    sparse.weighted.grow_with(pairs.zip(self.kept.iter().copied()));
                } else {
                    sparse.rows.grow_with(pairs);
                }
                if sparse.is_full() {
                    sparse.settle(self.sums.as_mut());
                }
            }
        }
    }

    /// Fits the table to the codebook, whose codes may have been renumbered or increased.
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
        self.table.settle(self.sums.as_mut());
        let mut moves = vec![0; self.sums.as_ref().map_or(0, ExactSums::len)];
        let mut moved = |place: usize, to: usize| {
            if let Some(old) = moves.get_mut(place) {
                *old = to;
            }
        };
        let (new, len) = if bits <= self.dense_bits() && matches!(self.table, Table::Dense(_)) {
            let mut dense = Dense::new(bits);
            self.table.each(|actual, predicted, place, count| {
                let to = (renumber(actual) << bits | renumber(predicted)) as usize;
                dense.counts()[to] = count;
                moved(place, to);
            });
            let len = dense.cells();
            (Table::Dense(dense), len)
        } else {
            let mut cells = Vec::new();
            self.table.each(|actual, predicted, place, count| {
                let pair = u64::from(renumber(actual)) << 32 | u64::from(renumber(predicted));
                cells.grow((pair, place, count));
            });
            cells.sort_unstable();
            let mut sparse = Sparse::default();
            for (to, &(pair, place, count)) in cells.iter().enumerate() {
                moved(place, to);
                sparse.pairs.grow(pair);
                sparse.counts.grow(count);
            }
            (Table::Sparse(sparse), cells.len())
        };
        if let Some(sums) = &mut self.sums {
            // Unused places hold nothing, so their destination does not matter.
            *sums = if len == 0 { ExactSums::new(0) } else { sums.moved(&moves, len) };
        }
        self.table = new;
    }

    /// The matrix of the counted rows.
    #[allow(clippy::too_many_lines)] // Lists of pairs in a function of their own took 10 % longer.
    fn finish(mut self, given: Option<&Given<'_>>) -> Counted {
        self.table.settle(self.sums.as_mut());
        // The classes: codes in use, in the order of their labels.
        let limit = self.codebook.limit();
        let (occupied, used) = match &self.table {
            Table::Dense(dense) => {
                let occupied = dense.occupied();
                let used = occupied.codes();
                (occupied, used)
            }
            Table::Sparse(_) => (Occupied::default(), self.table.used(limit)),
        };
        let label = |code: u32| self.pair.label(self.codebook.number(code));
        let in_order = matches!(self.codebook, Codebook::Window(_)) && self.pair.is_ordered();
        let (used, found): (Vec<u32>, Vec<Label>) = if in_order {
            let found = used.iter().map(|&code| label(code)).gather();
            (used, found)
        } else {
            let used = used.into_iter();
            let mut found: Vec<(Label, u32)> = used.map(|code| (label(code), code)).gather();
            found.sort_unstable();
            let codes = found.iter().map(|found| found.1).gather();
            (codes, found.into_iter().map(|found| found.0).gather())
        };
        let mut class_of = vec![OUTSIDE; limit];
        let mut stray = false;
        for (class, (label, code)) in found.iter().zip(used).enumerate() {
            let class = match given {
                None => Some(class as u32),
                Some(given) => given.classes.get(label).copied(),
            };
            stray |= class.is_none();
            class_of[code as usize] = class.unwrap_or(OUTSIDE);
        }
        let labels = match given {
            Some(given) => given.set.clone(),
            None => LabelSet { kind: self.pair.kind, values: found },
        };

        let in_order = in_order && given.is_none();
        if let Table::Sparse(sparse) = self.table {
            // Frees the buffer of rows first.
            let Sparse { pairs, counts, .. } = sparse;
            let classes = labels.len();
            let matrix = if let Some(sums) = self.sums.take_if(|_| in_order) {
                let (pattern, counts) = Sparse::cells(pairs, counts, classes, &class_of, in_order);
                let rows = counts.iter().sum();
                drop(counts);
                let masses = Masses::Weights(sums);
                ConfusionMatrix::without_zeros(labels, rows, pattern, masses)
            } else if let Some(sums) = self.sums {
                let places = (0..pairs.len()).gather();
                let (pattern, places) = Sparse::cells(pairs, places, classes, &class_of, in_order);
                let rows = places.iter().map(|&place: &usize| counts[place]).sum();
                drop(counts);
                let masses = Masses::Weights(sums.taken(&places));
                drop((sums, places));
                ConfusionMatrix::without_zeros(labels, rows, pattern, masses)
            } else {
                let (pattern, counts) = Sparse::cells(pairs, counts, classes, &class_of, in_order);
                let rows = counts.iter().sum();
                ConfusionMatrix::from_pattern(labels, rows, pattern, Masses::Counts(counts))
            };
            return Counted { matrix, stray };
        }
        let (cells, places) = if in_order {
            let places = if self.sums.is_some() {
                occupied.cells().map(|cell| cell.2).gather()
            } else {
                Vec::new()
            };
            (occupied.pattern(&class_of), places)
        } else {
            let mut found = with_room(occupied.counts.len());
            occupied.cells().for_each(|(actual, predicted, place, count)| {
                let (actual, predicted) = (class_of[actual as usize], class_of[predicted as usize]);
                if actual != OUTSIDE && predicted != OUTSIDE {
                    found.grow((actual, predicted, place, count));
                }
            });
            found.sort_unstable();
            let pairs = found.iter().map(|cell| (cell.0, cell.1));
            let pattern = Pattern::from_pairs(labels.len(), pairs);
            let counts = found.iter().map(|cell| cell.3).gather();
            ((pattern, counts), found.iter().map(|cell| cell.2).gather())
        };
        let (pattern, counts) = cells;
        let rows = counts.iter().sum();
        let matrix = match &self.sums {
            None => ConfusionMatrix::from_pattern(labels, rows, pattern, Masses::Counts(counts)),
            Some(sums) => {
                let masses = Masses::Weights(sums.taken(&places));
                ConfusionMatrix::without_zeros(labels, rows, pattern, masses)
            }
        };
        Counted { matrix, stray }
    }
}

fn lower_known(
    source: &Source<'_>,
    rows: Range<usize>,
    window: Window,
    out: &mut Vec<u32>,
) -> bool {
    let mut codes = [0u16; BLOCK];
    let len = rows.len();
    let (known, _) = source.lower(rows, window, &mut codes);
    out.clear();
    out.grow_with(codes[..len].iter().map(|&code| u32::from(code)));
    known
}

#[inline(never)]
fn look_up_wide(
    source: &Source<'_>,
    rows: Range<usize>,
    window: Window,
    out: &mut Vec<u32>,
) -> bool {
    source.look_up(rows, |reading| window.find(reading), out)
}

#[inline(never)]
fn look_up_hash(
    source: &Source<'_>,
    rows: Range<usize>,
    hash: &mut HashCodes,
    out: &mut Vec<u32>,
) -> bool {
    source.look_up(rows, |reading| hash.find(reading), out)
}

#[cfg(test)]
#[allow(unsafe_code)]
mod tests {
    use crate::statistic::Statistic;
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Mutex;

    use half::f16;
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Coded, LabelKind, MISSING};
    use crate::base::threads::set_threads;
    use crate::labels::counting::dense_counts::count_blocks_anywhere;
    #[cfg(target_arch = "x86_64")]
    use crate::labels::counting::dense_counts::count_blocks_avx2;

    /// The naive version: a map from pairs of labels to rows and weights, and the ordered labels.
    type Naive = (BTreeSet<Label>, BTreeMap<(Label, Label), (u64, ExactSums)>);

    fn naive(actual: &[Label], predicted: &[Label], weights: Option<&[f64]>) -> Naive {
        let mut cells = BTreeMap::new();
        let labels = actual.iter().chain(predicted).cloned().collect();
        for (row, pair) in actual.iter().zip(predicted).enumerate() {
            let cell = (pair.0.clone(), pair.1.clone());
            let (rows, sum) = cells.entry(cell).or_insert((0, ExactSums::new(1)));
            *rows += 1;
            let weight = weights.map_or(1.0, |weights| weights[row]);
            sum.add_all(Span::of(weight), &[0u8], &[weight]);
        }
        (labels, cells)
    }

    fn assert_equals(matrix: &ConfusionMatrix, (labels, cells): &Naive) {
        assert_eq!(matrix.labels().values, labels.iter().cloned().collect::<Vec<_>>());
        let values = &matrix.labels().values;
        let found: Vec<_> = (matrix.cells())
            .map(|cell| {
                let place = |class: u32| values[class as usize].clone();
                ((place(cell.actual), place(cell.predicted)), cell.mass.to_bits())
            })
            .collect();
        let expected: Vec<_> = (cells.iter())
            .filter(|(_, (_, sum))| sum.get(0) > 0.0)
            .map(|(cell, (_, sum))| (cell.clone(), sum.get(0).to_bits()))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(matrix.rows(), cells.values().map(|(rows, _)| rows).sum::<u64>());
    }

    fn ints(values: &[i64]) -> Vec<Label> {
        values.iter().map(|&value| Label::Int(value.into())).collect()
    }

    fn i64s(values: &[i64]) -> Labels<'_> {
        Labels::I64(Column::from_slice(values))
    }

    fn f64s(values: &[f64]) -> Labels<'_> {
        Labels::F64(Column::from_slice(values))
    }

    fn count(y_true: &Labels<'_>, y_pred: &Labels<'_>) -> Result<ConfusionMatrix> {
        confusion(y_true, y_pred, None, &CountOptions::default())
    }

    fn check(actual: &[i64], predicted: &[i64]) {
        let matrix = count(&i64s(actual), &i64s(predicted)).unwrap();
        assert_equals(&matrix, &naive(&ints(actual), &ints(predicted), None));
    }

    /// Pseudo-random numbers.
    fn noise(seed: u64) -> impl FnMut(u64) -> u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move |below| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % below
        }
    }

    fn set(kind: LabelKind, values: &[Label]) -> LabelSet {
        LabelSet { kind, values: values.to_vec() }
    }

    fn text(labels: &[&str]) -> Vec<Label> {
        labels.iter().map(|&label| Label::Text(label.into())).collect()
    }

    /// Runs with every column type that can represent the values, and with unusual layouts.
    fn with_every_type(values: &[i64], mut visit: impl FnMut(&Labels<'_>, LabelKind)) {
        macro_rules! try_type {
            ($($t:ty, $variant:ident);+) => {$(
                let cast: Option<Vec<$t>> =
                    values.iter().map(|&v| <$t>::try_from(v).ok()).collect();
                if let Some(cast) = cast {
                    visit(&Labels::$variant(Column::from_slice(&cast)), LabelKind::Int);
                    // Every third number of a longer array, and the array backwards in the opposite
                    // byte order.
                    let spread: Vec<$t> = cast.iter().flat_map(|&v| [v, 77, 99]).collect();
                    let size = size_of::<$t>() as isize;
                    // SAFETY: the array has three numbers a row.
                    let thirds = unsafe {
                        Column::from_raw_parts(spread.as_ptr().cast(), 3 * size, cast.len(), false)
                    };
                    visit(&Labels::$variant(thirds), LabelKind::Int);
                    let turned: Vec<$t> = cast.iter().rev().map(|v| v.swap_bytes()).collect();
                    let last = turned.as_ptr().wrapping_add(turned.len().saturating_sub(1));
                    // SAFETY: from the last number back to the first.
                    let turned = unsafe {
                        Column::from_raw_parts(last.cast(), -size, cast.len(), true)
                    };
                    visit(&Labels::$variant(turned), LabelKind::Int);
                }
            )+};
        }
        try_type!(i8, I8; i16, I16; i32, I32; i64, I64; u8, U8; u16, U16; u32, U32; u64, U64);
        if values.iter().all(|v| (0..2).contains(v)) {
            let bytes: Vec<u8> = values.iter().map(|&v| if v == 0 { 0 } else { 0xfe }).collect();
            visit(&Labels::Bool(Column::from_slice(&bytes)), LabelKind::Bool);
        }
        if values.iter().all(|v| v.abs() <= 1 << 11) {
            let halves: Vec<f16> = values.iter().map(|&v| f16::from_f32(v as f32)).collect();
            visit(&Labels::F16(Column::from_slice(&halves)), LabelKind::Float);
        }
        if values.iter().all(|v| v.abs() <= 1 << 24) {
            let singles: Vec<f32> = values.iter().map(|&v| v as f32).collect();
            visit(&Labels::F32(Column::from_slice(&singles)), LabelKind::Float);
        }
        if values.iter().all(|v| v.abs() <= 1 << 53) {
            let doubles: Vec<f64> = values.iter().map(|&v| v as f64).collect();
            visit(&f64s(&doubles), LabelKind::Float);
        }
        let mut distinct = values.to_vec();
        distinct.sort_by_key(|&v| std::cmp::Reverse(v));
        distinct.dedup();
        let labels = ints(&distinct);
        let codes: Vec<u32> =
            (values.iter()).map(|v| distinct.iter().position(|d| d == v).unwrap() as u32).collect();
        let codes = Column::from_slice(&codes);
        visit(
            &Labels::Coded(Coded { codes, labels: &labels, kind: LabelKind::Int }),
            LabelKind::Int,
        );
    }

    #[test]
    fn every_type_against_every_type() {
        let mut random = noise(3);
        for (low, width) in [(0, 2), (-1, 3), (0, 10), (-100, 220), (0, 300), (-2000, 4000)] {
            let mut column = || (0..700).map(|_| low + random(width) as i64).collect::<Vec<_>>();
            let (actual, predicted) = (column(), column());
            let expected = naive(&ints(&actual), &ints(&predicted), None);
            with_every_type(&actual, |y_true, kind| {
                with_every_type(&predicted, |y_pred, other| {
                    let matrix = count(y_true, y_pred).unwrap();
                    assert_eq!(matrix.labels().kind, kind.max(other));
                    assert_equals(&matrix, &expected);
                });
            });
        }
    }

    #[test]
    fn labels_far_from_zero_and_far_apart() {
        check(&[-1, 1, 1, -1], &[1, 1, -1, -1]);
        check(&[1_000_000, 2_000_000, 2_000_000], &[1_000_000, 1_000_000, 2_000_000]);
        check(&[i64::MIN, i64::MAX, 0], &[i64::MAX, i64::MIN, 0]);
        check(&[i64::MAX, i64::MAX - 1], &[i64::MAX - 1, i64::MAX - 2]);
        check(&[i64::MIN, i64::MIN + 1], &[i64::MIN + 3, i64::MIN]);
        let large = [u64::MAX, u64::MAX - 1, 1 << 63, 0];
        let matrix =
            count(&Labels::U64(Column::from_slice(&large)), &i64s(&[-1, 0, 1, 2])).unwrap();
        assert_eq!(matrix.classes(), 7);
        assert_eq!(matrix.labels().values[6], Label::Int(u64::MAX.into()));
        assert_eq!(matrix.count(6, 0), Some(1));
        // Whole floats far from zero are labels as well.
        let matrix = count(&f64s(&[1e30, -0.0]), &f64s(&[0.0, -1e30])).unwrap();
        assert_eq!(matrix.labels().values[2], Label::Int(1e30 as i128));
        assert_eq!(matrix.to_counts().unwrap(), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
    }

    #[test]
    fn the_codebook_grows_while_counting() {
        let mut random = noise(5);
        for tops in [
            vec![1, 2, 3, 9, 100, 2047, 2048, 100_000],
            vec![1, 1, 1_000_000_000_000, 3],
            vec![300, 2, 5000],
            vec![60_000, 70_000],
        ] {
            for sign in [1, -1] {
                let mut column = || {
                    (tops.iter())
                        .flat_map(|&top| (0..1000).map(move |i| (i, top)))
                        .map(|(i, top)| {
                            sign * if i == 500 { top } else { random(top as u64) as i64 }
                        })
                        .collect::<Vec<i64>>()
                };
                let (actual, predicted) = (column(), column());
                check(&actual, &predicted);
                let weights: Vec<f64> = actual.iter().map(|x| (x % 7).abs() as f64 / 7.0).collect();
                let matrix = confusion(
                    &i64s(&actual),
                    &i64s(&predicted),
                    Some(Column::from_slice(&weights)),
                    &CountOptions::default(),
                );
                let expected = naive(&ints(&actual), &ints(&predicted), Some(&weights));
                assert_equals(&matrix.unwrap(), &expected);
            }
        }
    }

    #[test]
    fn text_has_two_dictionaries() {
        let (first, second) = (text(&["b", "a", "unused"]), text(&["c", "b"]));
        let coded = |codes, labels| {
            let kind = LabelKind::Text;
            Labels::Coded(Coded { codes: Column::from_slice(codes), labels, kind })
        };
        let matrix = count(&coded(&[0, 1, 1, 0], &first), &coded(&[1, 1, 0, 1], &second)).unwrap();
        assert_eq!(matrix.labels(), &set(LabelKind::Text, &text(&["a", "b", "c"])));
        assert_eq!(matrix.to_counts().unwrap(), [0, 1, 1, 0, 2, 0, 0, 0, 0]);
        let missing = count(&coded(&[0, 1], &first), &coded(&[1, MISSING], &second));
        assert_eq!(missing, Err(Refusal::row("y_pred", 1, "missing", "a label")));
        // A place beyond the dictionary can only come from a broken buffer; it must not become a
        // label.
        assert!(count(&coded(&[0, 3], &first), &coded(&[1, 1], &second)).is_err());
        let mixed = count(&coded(&[0, 1], &first), &i64s(&[0, 1])).unwrap_err();
        assert!(mixed.to_string().contains("Mix of label input types"), "{mixed}");
        assert_eq!(mixed.kind(), crate::base::error::Kind::Type);
    }

    #[test]
    fn text_with_thousands_of_labels() {
        let labels: Vec<Label> =
            (0..5000).map(|i| Label::Text(format!("c{}", i * 7919 % 5000).into())).collect();
        let mut random = noise(11);
        let mut codes = || (0..20_000).map(|_| random(5000) as u32).collect::<Vec<_>>();
        let (actual, predicted) = (codes(), codes());
        let column = |codes| {
            let kind = LabelKind::Text;
            Labels::Coded(Coded { codes: Column::from_slice(codes), labels: &labels, kind })
        };
        let matrix = count(&column(&actual), &column(&predicted)).unwrap();
        let words =
            |codes: &[u32]| codes.iter().map(|&c| labels[c as usize].clone()).collect::<Vec<_>>();
        assert_equals(&matrix, &naive(&words(&actual), &words(&predicted), None));
    }

    #[test]
    fn text_with_two_dictionaries_in_no_order() {
        let mut random = noise(17);
        // Both columns together have 2047 to 2049 labels, or many more; all words share their first
        // bytes, or none.
        for (all, rows) in [(2047, 4000), (2048, 4000), (2048, 2000), (2049, 4000), (5000, 9000)] {
            let word = |i: usize| {
                let begins = if i.is_multiple_of(3) { "the same beginning " } else { "" };
                Label::Text(format!("{begins}{}\u{e9}", i * 7919 % all).into())
            };
            let first: Vec<Label> = (0..all * 3 / 4).map(word).collect();
            let second: Vec<Label> = (all / 3..all).rev().map(word).collect();
            let mut codes = |labels: &[Label]| -> Vec<u32> {
                (0..rows).map(|_| random(labels.len() as u64) as u32).collect()
            };
            let (actual, predicted) = (codes(&first), codes(&second));
            let column = |codes, labels| {
                Labels::Coded(Coded {
                    codes: Column::from_slice(codes),
                    labels,
                    kind: LabelKind::Text,
                })
            };
            let words = |codes: &[u32], labels: &[Label]| -> Vec<Label> {
                codes.iter().map(|&c| labels[c as usize].clone()).collect()
            };
            let expected = (words(&actual, &first), words(&predicted, &second));
            let columns = (column(&actual, &first), column(&predicted, &second));
            let pair = Pair::new(&columns.0, &columns.1).unwrap().in_order();
            assert_eq!(pair.is_ordered(), (2048..=rows).contains(&all));
            let labels: Vec<Label> = (0..all).map(|n| pair.label(n as i128)).collect();
            assert_eq!(labels.is_sorted(), pair.is_ordered());
            let weights: Vec<f64> = (0..rows).map(|row| (row % 5) as f64 / 3.0).collect();
            for weights in [None, Some(&weights[..])] {
                let matrix = confusion(
                    &columns.0,
                    &columns.1,
                    weights.map(Column::from_slice),
                    &CountOptions::default(),
                );
                assert_equals(&matrix.unwrap(), &naive(&expected.0, &expected.1, weights));
            }
        }
    }

    #[test]
    fn the_earliest_bad_row_is_refused() {
        let mut actual = vec![0.0; 5000];
        let mut predicted = vec![1.0; 5000];
        predicted[3000] = f64::NAN;
        actual[4000] = f64::NAN;
        let refused = |actual: &[f64], predicted: &[f64], weights: Option<&[f64]>| {
            let weights = weights.map(Column::from_slice);
            confusion(&f64s(actual), &f64s(predicted), weights, &CountOptions::default())
                .unwrap_err()
        };
        let label = Refusal::row("y_pred", 3000, "missing", "a label");
        assert_eq!(refused(&actual, &predicted, None), label);
        let mut weights = vec![1.0; 5000];
        weights[3001] = -1.0;
        assert_eq!(refused(&actual, &predicted, Some(&weights)), label);
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            weights[2999] = bad;
            let refusal = refused(&actual, &predicted, Some(&weights));
            assert!(refusal.to_string().starts_with("sample_weight[2999] is "), "{refusal}");
        }
        actual[2000] = 0.5;
        let refusal = refused(&actual, &predicted, Some(&weights));
        assert!(refusal.to_string().starts_with("y_true[2000] is 0.5; expected a label: a whole"));
        actual[1999] = f64::INFINITY;
        assert!(refused(&actual, &predicted, None).to_string().starts_with("y_true[1999] is inf"));
        assert!(matches!(count(&i64s(&[1]), &i64s(&[1, 2])), Err(Refusal::Length { .. })));
        assert!(matches!(count(&i64s(&[]), &i64s(&[])), Err(Refusal::Empty { .. })));
    }

    #[test]
    fn missing_rows_are_left_out_on_request() {
        let nan = f64::NAN;
        let options = CountOptions { nan_policy: NanPolicy::Omit, ..CountOptions::default() };
        let (actual, predicted) = ([0.0, nan, 1.0, 3.0], [0.0, 7.0, 1.0, nan]);
        let omit = |w: Option<&[f64]>| {
            confusion(&f64s(&actual), &f64s(&predicted), w.map(Column::from_slice), &options)
        };
        let matrix = omit(None).unwrap();
        assert_eq!(matrix.to_counts().unwrap(), [1, 0, 0, 1]);
        assert_eq!(matrix.rows(), 2);
        assert_eq!(omit(Some(&[0.5, 9.0, 2.0, 9.0])).unwrap().to_weights(), [0.5, 0.0, 0.0, 2.0]);
        assert!(omit(Some(&[0.5, nan, 2.0, 9.0])).is_err());
        let nothing = confusion(&f64s(&[nan]), &f64s(&[1.0]), None, &options).unwrap_err();
        assert!(nothing.to_string().contains("left-out"), "{nothing}");
        let worst = CountOptions { nan_policy: NanPolicy::Worst, ..CountOptions::default() };
        assert!(confusion(&f64s(&[1.0]), &f64s(&[1.0]), None, &worst).is_err());
    }

    #[test]
    fn given_labels_keep_their_order_and_drop_the_rest() {
        let given = |values: &[i64], strict| CountOptions {
            labels: Some(set(LabelKind::Int, &ints(values))),
            strict,
            ..CountOptions::default()
        };
        let (actual, predicted) = ([0, 1, 2, 2, 5], [0, 2, 2, 1, 0]);
        let counted = |options| confusion(&i64s(&actual), &i64s(&predicted), None, &options);
        let matrix = counted(given(&[2, 0, 9], false)).unwrap();
        assert_eq!(matrix.labels().values, ints(&[2, 0, 9]));
        assert_eq!(matrix.to_counts().unwrap(), [1, 0, 0, 0, 1, 0, 0, 0, 0]);
        assert_eq!(matrix.rows(), 2);
        let strict = counted(given(&[2, 1, 0], true)).unwrap_err();
        assert_eq!(strict, Refusal::row("y_true", 4, 5, "one of the given labels"));
        assert!(counted(given(&[5, 2, 1, 0], true)).is_ok());
        // Within a row labels come before the weight.
        for (actual, predicted, weight, refused) in [
            (1.0, 5.0, -1.0, "y_pred[1] is 5"),
            (5.0, 0.5, -1.0, "y_true[1] is 5"),
            (0.5, 5.0, -1.0, "y_true[1] is 0.5"),
            (1.0, 0.5, -1.0, "y_pred[1] is 0.5"),
            (1.0, 1.0, -1.0, "sample_weight[1] is -1"),
        ] {
            let weights = [1.0, weight];
            let refusal = confusion(
                &f64s(&[1.0, actual]),
                &f64s(&[1.0, predicted]),
                Some(Column::from_slice(&weights)),
                &given(&[0, 1], true),
            );
            let refusal = refusal.unwrap_err().to_string();
            assert!(refusal.starts_with(refused), "{refusal}");
        }
        let none = counted(given(&[7, 8], false)).unwrap();
        assert_eq!(none.to_counts().unwrap(), [0; 4]);
        assert!(counted(given(&[7, 7], false)).unwrap_err().to_string().contains("twice"));
        assert!(counted(given(&[], false)).is_err());
        // Rows of weight zero still show a label.
        let weights = Column::from_slice(&[0.0; 5]);
        let empty =
            confusion(&i64s(&actual), &i64s(&predicted), Some(weights), &given(&[2], false));
        assert_eq!(empty.unwrap().to_weights(), [0.0]);
    }

    #[test]
    fn rows_left_out_leave_no_trace() {
        let options = CountOptions {
            labels: Some(set(LabelKind::Int, &ints(&[0, 1]))),
            ..CountOptions::default()
        };
        let counted = |actual: &[i64], weights: &[f64]| {
            let labels = i64s(actual);
            confusion(&labels, &labels, Some(Column::from_slice(weights)), &options).unwrap()
        };
        let kept = counted(&[0, 1, 1], &[0.1, 0.25, 2.0]);
        for stray in [1e-300, 1e300, 7.0] {
            let all = counted(&[0, 1, 9, 1], &[0.1, 0.25, stray, 2.0]);
            assert_eq!(all, kept);
            assert_eq!(all.to_bytes(), kept.to_bytes());
        }
    }

    #[test]
    fn zero_weights_leave_their_labels() {
        let weights = Column::from_slice(&[0.5, 0.0, 0.25]);
        let matrix = confusion(
            &i64s(&[0, 3, 0]),
            &i64s(&[1, 4, 1]),
            Some(weights),
            &CountOptions::default(),
        );
        let matrix = matrix.unwrap();
        assert_eq!(matrix.labels().values, ints(&[0, 1, 3, 4]));
        assert_eq!((matrix.occupied(), matrix.mass(0, 1), matrix.rows()), (1, 0.75, 3));
    }

    /// The number of threads is one setting for the whole process.
    static THREADS: Mutex<()> = Mutex::new(());

    #[test]
    fn weights_of_any_size_and_zeros_between_them() {
        let mut random = noise(23);
        for (classes, shape) in [(2, 0), (3, 1), (10, 2), (10, 3), (10, 4), (100, 5), (700, 2)] {
            let mut column = || -> Vec<i64> { (0..5000).map(|_| random(classes) as i64).collect() };
            let (actual, predicted) = (column(), column());
            let weights: Vec<f64> = (0..5000)
                .map(|row| {
                    let part = random(1 << 53) as f64 / (1_u64 << 53) as f64;
                    match (shape, random(9)) {
                        (_, 0) => 0.0,
                        (0, _) => (part * 5.0).floor(),
                        // Decreasing weights.
                        (1, _) => part * 0.99_f64.powi(row),
                        (2, _) => part,
                        (3, _) => ((part - 0.5) * 60.0).exp(),
                        // Wide sums; subnormal numbers; a negative zero.
                        (4, _) => ((part - 0.5) * 1300.0).exp(),
                        (_, 1) => part * f64::MIN_POSITIVE,
                        (_, 2) => -0.0,
                        _ => part * f64::from(row),
                    }
                })
                .collect();
            let expected = naive(&ints(&actual), &ints(&predicted), Some(&weights));
            let options = CountOptions::default();
            let column = Some(Column::from_slice(&weights[..]));
            let matrix = confusion(&i64s(&actual), &i64s(&predicted), column, &options).unwrap();
            assert_equals(&matrix, &expected);
            let narrow: Vec<i16> = actual.iter().map(|&x| x as i16).collect();
            let narrow = Labels::I16(Column::from_slice(&narrow));
            let turned: Vec<f64> =
                weights.iter().rev().map(|x| f64::from_bits(x.to_bits().swap_bytes())).collect();
            let last = turned.as_ptr().wrapping_add(turned.len() - 1);
            // SAFETY: from the last number back to the first.
            let turned = unsafe { Column::from_raw_parts(last.cast(), -8, turned.len(), true) };
            assert_eq!(
                confusion(&narrow, &i64s(&predicted), Some(turned), &options).unwrap(),
                matrix
            );
        }
    }

    #[test]
    fn threads_do_not_matter() {
        let _guard = THREADS.lock().unwrap();
        let rows = SERIAL_COUNTS + SERIAL_ROWS + 12_345;
        let mut random = noise(17);
        // Classes appear late, so the codebooks of the parts differ.
        let mut column = |top: u64| -> Vec<i64> {
            (0..rows).map(|row| random(2 + top * row as u64 / rows as u64) as i64 - 1).collect()
        };
        for top in [1, 20, 1000, 50_000] {
            let (actual, predicted) = (column(top), column(top));
            let weights: Vec<f64> =
                actual.iter().map(|&x| (x.unsigned_abs() as f64 + 0.1).sqrt()).collect();
            let mut bad: Vec<f64> = actual.iter().map(|&x| x as f64).collect();
            bad[rows - 5] = 0.5;
            bad[rows / 2] = f64::NAN;
            let strict = CountOptions {
                labels: Some(set(LabelKind::Int, &ints(&[-1, 0]))),
                strict: true,
                ..CountOptions::default()
            };
            let options = CountOptions::default();
            let run = |threads| {
                set_threads(Some(threads)).unwrap();
                let (y_true, y_pred) = (i64s(&actual), i64s(&predicted));
                (
                    confusion(&y_true, &y_pred, None, &options).unwrap(),
                    confusion(&y_true, &y_pred, Some(Column::from_slice(&weights)), &options)
                        .unwrap(),
                    confusion(&f64s(&bad), &y_pred, None, &options).unwrap_err(),
                    confusion(&f64s(&bad), &y_pred, None, &strict).map_err(|e| e.to_string()),
                )
            };
            let alone = run(1);
            assert!(alone == run(2));
            assert!(alone == run(7));
            set_threads(None).unwrap();
            let refusal = Refusal::row("y_true", rows / 2, "missing", "a label");
            assert_eq!(alone.2, refusal);
            let expected = naive(&ints(&actual), &ints(&predicted), None);
            assert_equals(&alone.0, &expected);
        }
    }

    #[test]
    fn every_instruction_set_counts_alike() {
        let mut random = noise(31);
        for classes in [2, 3, 10, 100, 500, 2000] {
            let mut column = || (0..3000).map(|_| random(classes) as i64).collect::<Vec<_>>();
            let (actual, predicted) = (column(), column());
            let bits = u64::BITS - (classes - 1).leading_zeros();
            let window = Window { low: 0, bits };
            with_every_type(&actual, |y_true, _| {
                let pair = Pair::new(y_true, &i64s(&predicted)).unwrap();
                let run = |count: &dyn Fn(&mut Dense) -> usize| {
                    let mut dense = Dense::new(bits);
                    dense.quick = vec![0; dense.cells() * lanes(bits)];
                    assert_eq!(count(&mut dense), 3000);
                    dense.settle();
                    dense.counts
                };
                let plain = run(&|dense| count_blocks_anywhere(&pair, window, dense, 0..3000));
                assert_eq!(plain, run(&|dense| count_blocks(&pair, window, dense, 0..3000)));
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                    // SAFETY: the processor has these features.
                    let avx2 =
                        run(&|dense| unsafe { count_blocks_avx2(&pair, window, dense, 0..3000) });
                    assert_eq!(plain, avx2);
                }
            });
        }
    }

    #[test]
    fn ten_million_rows() {
        let rows = 10_000_000;
        let mut random = noise(23);
        let actual: Vec<u8> = (0..rows).map(|_| random(2) as u8).collect();
        let predicted: Vec<u8> = (0..rows).map(|_| random(2) as u8).collect();
        let matrix = count(
            &Labels::U8(Column::from_slice(&actual)),
            &Labels::Bool(Column::from_slice(&predicted)),
        );
        let mut expected = [0u64; 4];
        for (&a, &p) in actual.iter().zip(&predicted) {
            expected[usize::from(2 * a + p)] += 1;
        }
        assert_eq!(matrix.unwrap().to_counts().unwrap(), expected);
    }

    #[test]
    fn bytes_that_are_not_zero_or_one_come_late() {
        for late in [0, 63, 64, 8191, 8192, 20_001] {
            let mut actual = vec![1u8; 20_002];
            let predicted: Vec<u8> = (0..20_002).map(|i| u8::from(i % 3 == 0)).collect();
            actual[late] = 200;
            let (y_true, y_pred) = (Column::from_slice(&actual), Column::from_slice(&predicted));
            let matrix = count(&Labels::U8(y_true), &Labels::U8(y_pred)).unwrap();
            let label = |x: &u8| Label::Int((*x).into());
            let labels = |column: &[u8]| column.iter().map(label).collect::<Vec<_>>();
            assert_equals(&matrix, &naive(&labels(&actual), &labels(&predicted), None));
            let matrix = count(&Labels::Bool(y_true), &Labels::U8(y_pred)).unwrap();
            assert_eq!(matrix.to_counts().unwrap()[..2], [0, 0][..matrix.classes().min(2)]);
            assert_eq!(matrix.mass(1, 1), 6668.0);
        }
    }

    #[test]
    fn a_hundred_thousand_classes() {
        let mut random = noise(29);
        let actual: Vec<i64> = (0..1_000_000).map(|_| random(100_000) as i64).collect();
        let predicted: Vec<i64> = actual
            .iter()
            .map(|&x| if random(4) == 0 { random(100_000) as i64 } else { x })
            .collect();
        let matrix = count(&i64s(&actual), &i64s(&predicted)).unwrap();
        let mut cells = BTreeMap::new();
        for pair in actual.iter().zip(&predicted) {
            *cells.entry(pair).or_insert(0u64) += 1;
        }
        assert_eq!(matrix.occupied(), cells.len());
        let values = &matrix.labels().values;
        for (cell, ((actual, predicted), rows)) in matrix.cells().zip(&cells) {
            assert_eq!(values[cell.actual as usize], Label::Int(i128::from(**actual)));
            assert_eq!(values[cell.predicted as usize], Label::Int(i128::from(**predicted)));
            assert_eq!(cell.mass, *rows as f64);
        }
    }

    proptest! {
        #[test]
        fn any_integers(
            rows in prop::collection::vec(
                prop_oneof![
                    (0i64..2, 0i64..2), (-3i64..20, -3i64..20), (-300i64..3000, 0i64..9),
                    (any::<i64>(), any::<i64>()),
                ],
                1..600,
            ),
        ) {
            let (actual, predicted): (Vec<i64>, Vec<i64>) = rows.into_iter().unzip();
            check(&actual, &predicted);
        }

        #[test]
        fn weights_in_any_order_and_any_split(
            rows in prop::collection::vec((0i64..6, 0i64..6, prop_oneof![
                Just(0.0), 0.0..1.0, 1e-300..1e300, Just(5e-324), Just(0.1),
            ]), 1..200),
            cut in 0usize..200,
        ) {
            let part = |rows: &[(i64, i64, f64)]| {
                let actual: Vec<i64> = rows.iter().map(|row| row.0).collect();
                let predicted: Vec<i64> = rows.iter().map(|row| row.1).collect();
                let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
                let weights_column = Some(Column::from_slice(&weights[..]));
                let options = CountOptions::default();
                let matrix =
                    confusion(&i64s(&actual), &i64s(&predicted), weights_column, &options).unwrap();
                assert_equals(&matrix, &naive(&ints(&actual), &ints(&predicted), Some(&weights)));
                matrix
            };
            let pooled = part(&rows);
            let mut turned = rows.clone();
            turned.reverse();
            prop_assert_eq!(&part(&turned), &pooled);
            let cut = cut % rows.len();
            if cut > 0 {
                let (a, b) = (part(&rows[..cut]), part(&rows[cut..]));
                prop_assert_eq!(&a.add(&b).unwrap(), &pooled);
                prop_assert_eq!(&b.add(&a).unwrap(), &pooled);
            }
            prop_assert_eq!(&ConfusionMatrix::from_bytes(&pooled.to_bytes()).unwrap(), &pooled);
        }
    }
}
