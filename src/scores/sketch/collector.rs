//! Rows gathered batch by batch for a [`ScoreSketch`], in memory that has a limit.
//!
//! 1. A batch is lowered in chunks to order keys and classes. Only a batch that is accepted as a
//!    whole is counted.
//! 2. The numbers of the cells of a chunk are formed in vectors (`Grid::fill_cells`).
//! 3. Rows of cells that hold several scores already are tallied where the number of their cell
//!    says (`tallies.rs`).
//! 4. For all other rows a hash table finds the cell of each number. The cells lie in the order in
//!    which they were met. A new number gets a new cell.
//! 5. Up to twice the budget of cells are held. When there are more, the finest level that keeps
//!    the budget is taken, and cells that fall together are joined. This happens at most 257 times,
//!    and rarely ten. A first batch of at least as many rows starts at the level that a sample of
//!    it needs.
//! 6. At the end the cells are sorted, and joined if there are more than the budget. The level of
//!    some rows is never coarser than that of more rows, so the result does not depend on when
//!    cells were joined.
//!
//! Cost: 32 bytes a cell, 16 to 32 bytes of hash table for each, and 64 bytes for tallies; 30 ns a
//! row as long as most rows make a new cell, then 9 ns, the losses of probabilities included.
//!
//! Tried and rejected:
//! - sorting each batch and merging it into the sorted cells (more work a row, and a walk over all
//!   cells a batch);
//! - counts where the number of a cell says, in pages of 64 cells with a directory (12 ns a row for
//!   14 after the first million rows, but slower before: the directory costs as much as the hash
//!   table).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::arith::exact::{ExactSums, Span, Weights};
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::{Number, ScoreKind, f64_of};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, Scores};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::switch::switch_at;
use crate::base::wide::{prefetch_read, wide};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Lowered, Stop, extent};
use crate::scores::sketch::cells::{CellAmounts, Cells, MIXED};
use crate::scores::sketch::levels::{Grid, LAST_LEVEL, key_from};
use crate::scores::sketch::loss_sums::LossSums;
use crate::scores::sketch::score_sketch::{ScoreSketch, edges_of, labels_of};
use crate::scores::sketch::tallies::Tallies;
use crate::scores::sweep::order::cells::sort_words;
use crate::scores::sweep::rows::{Chunk, Input, Rows, STRIP, SweepOptions, spread};

/// Rows of a batch that are held until all are accepted: those of a group of rows of a Parquet
/// file, and more. A greater batch is counted in a copy of the state.
const HELD: usize = switch_at(1 << 20, 16);
/// Rows that are held at a time while a batch is counted in a copy.
const PART: usize = switch_at(1 << 17, 8);

/// Cells beyond the budget that are held while rows come in.
const SPARE: u64 = 1 << 16;

/// Most cells of a window of [`Tallies`].
const MOST_WORDS: u64 = 1 << 19;

/// How a sketch is made.
#[derive(Clone, Debug)]
pub struct SketchOptions {
    /// How rows are read.
    pub sweep: SweepOptions,
    /// The labels, as far as they are known.
    pub labels: BinaryLabels,
    /// The most cells there may be.
    pub cells: u64,
    /// The scores at which counts are to be exact.
    pub thresholds: Vec<f64>,
}

/// A cell in the order in which cells were met.
#[derive(Clone, Copy, Debug)]
struct Cell {
    number: u64,
    /// As in [`Cells::atoms`].
    atom: u64,
    /// The rows of class 0 and of class 1.
    counts: [u64; 2],
}

/// Cells by their number.
#[derive(Debug)]
struct Table {
    grid: Grid,
    budget: u64,
    cells: Vec<Cell>,
    /// The place of a cell, counted from 1; 0 where there is none. A power of two of them.
    slots: Vec<u32>,
    /// The other rows of cells with several scores; without weights only.
    tallies: Tallies,
    /// Of rows with weights: for each cell the sum of those of class 0, then of class 1.
    weights: Option<ExactSums>,
}

impl Clone for Table {
    fn clone(&self) -> Self {
        Self {
            grid: self.grid.clone(),
            budget: self.budget,
            cells: self.cells.copy_all(),
            slots: self.slots.copy_all(),
            tallies: self.tallies.clone(),
            weights: self.weights.clone(),
        }
    }
}

impl Table {
    fn new(edges: Vec<u64>, budget: u64) -> Self {
        Self {
            grid: Grid::new(edges, 0),
            budget,
            cells: Vec::new(),
            slots: Vec::new(),
            tallies: Tallies::default(),
            weights: None,
        }
    }

    /// How many cells there may be before they are joined: more than the budget, as a coarser level
    /// may leave few less.
    fn most(&self) -> u64 {
        self.budget + self.budget.min(SPARE)
    }

    /// The slot at which to look for a number first.
    #[inline]
    fn start(&self, number: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        // Fibonacci hashing spreads numbers that follow each other evenly (Knuth).
        (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits)) as usize
    }

    /// Room for the new cells of so many rows, so that counting them needs no memory.
    fn make_room(&mut self, rows: usize, has_weights: bool) {
        let most = usize::try_from(self.most()).unwrap_or(usize::MAX);
        let cells = self.cells.len().saturating_add(rows);
        let cells = cells.min(most.saturating_add(1));
        if cells >= most && !has_weights {
            self.tallies
                .make_room((4 * self.budget).min(MOST_WORDS) as usize);
        }
        self.cells.make_room(cells - self.cells.len());
        let slots = (4 * cells).next_power_of_two().max(64);
        if slots > self.slots.len() {
            let empty = vec![0; slots];
            self.slots = empty;
            self.fill_slots();
        }
    }

    /// Takes the level that a sample of the first rows needs, before any is counted: all rows need
    /// one at least as coarse. So fewer cells are made and joined. There must be room for the rows.
    fn begin(&mut self, keys: &[u64]) {
        if !self.cells.is_empty() || (keys.len() as u64) < self.most() {
            return;
        }
        let some = spread(
            keys.len(),
            usize::try_from(self.most()).unwrap_or(usize::MAX),
        );
        let mut numbers = ascending(some.map(|row| self.grid.cell(keys[row])).gather());
        numbers.dedup();
        let level = self.grid.finest(numbers.iter().copied(), self.budget);
        let grid = Grid::new(self.grid.edges().copy_all(), level.unwrap_or(LAST_LEVEL));
        for number in &mut numbers {
            *number = self.grid.cell_in(&grid, *number);
        }
        numbers.dedup();
        self.tallies.move_to(numbers.iter().copied());
        self.grid = grid;
    }

    fn fill_slots(&mut self) {
        self.slots.fill(0);
        let mask = self.slots.len() - 1;
        for at in 0..self.cells.len() {
            let mut slot = self.start(self.cells[at].number);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
    }

    /// Counts rows, for which there must be room. Rows with weights need memory all the same.
    ///
    /// # Errors
    /// None: weights were checked before.
    fn count(&mut self, rows: &Lowering) -> Result<()> {
        let mut numbers = [0; CHUNK];
        let mut places = [0; CHUNK];
        let (mut missed_keys, mut missed_classes) = ([0; CHUNK], [0; CHUNK]);
        if rows.has_weights && self.weights.is_none() {
            self.weights = Some(ExactSums::new(2 * self.cells.len()));
        }
        for range in chunks(0..rows.keys.len()) {
            let (mut keys, mut classes) = (&rows.keys[range.clone()], &rows.classes[range.clone()]);
            let weights = rows.weights.get(range);
            self.grid.fill_cells(keys, &mut numbers[..keys.len()]);
            if !self.tallies.is_empty() && self.grid.level() > 0 {
                if !self.tallies.has_room(keys.len()) {
                    self.settle();
                }
                let misses = self
                    .tallies
                    .count(&mut numbers[..keys.len()], classes, &mut places);
                for (at, &row) in places[..misses].iter().enumerate() {
                    missed_keys[at] = keys[row as usize];
                    missed_classes[at] = classes[row as usize];
                }
                (keys, classes) = (&missed_keys[..misses], &missed_classes[..misses]);
            }
            let mut done = 0;
            while done < keys.len() {
                let (keys, classes) = (&keys[done..], &classes[done..]);
                let numbers = &mut numbers[..keys.len()];
                let counted = self.count_numbers(numbers, keys, classes, &mut places);
                if let Some((sums, weights)) = self.weights.as_mut().zip(weights) {
                    let weights = &weights[done..done + counted];
                    sums.grow_to(2 * self.cells.len());
                    sums.add_all(Span::of_slice(weights)?, &places[..counted], weights);
                }
                done += counted;
                if self.cells.len() as u64 > self.most() {
                    self.coarsen();
                    let rest = &keys[counted..];
                    self.grid.fill_cells(rest, &mut numbers[..rest.len()]);
                }
            }
        }
        Ok(())
    }

    /// Adds the rows that were tallied to the cells.
    fn settle(&mut self) {
        for cell in &mut self.cells {
            cell.counts = self.tallies.added(cell.number, cell.counts);
        }
        self.tallies.forget();
    }

    /// Counts rows up to the first that makes too many cells; returns how many.
    fn count_numbers(
        &mut self,
        numbers: &[u64],
        keys: &[u64],
        classes: &[u8],
        places: &mut [u32],
    ) -> usize {
        let mask = self.slots.len() - 1;
        let mut starts = [0; STRIP];
        for from in (0..numbers.len()).step_by(STRIP) {
            let strip = from..(from + STRIP).min(numbers.len());
            // What a row needs is asked for before it is needed: its slot, then its cell.
            for (start, &number) in starts.iter_mut().zip(&numbers[strip.clone()]) {
                *start = self.start(number);
                prefetch_read(&raw const self.slots[*start]);
            }
            for &start in &starts[..strip.len()] {
                let place = self.slots[start] as usize;
                if let Some(cell) = self.cells.get(place.wrapping_sub(1)) {
                    prefetch_read(std::ptr::from_ref(cell));
                }
            }
            for (row, &start) in strip.zip(&starts) {
                let (number, key) = (numbers[row], keys[row]);
                let class = usize::from(classes[row] & 1);
                let mut slot = start;
                loop {
                    let place = self.slots[slot];
                    if place == 0 {
                        let place = self.cells.len() as u32;
                        self.slots[slot] = place + 1;
                        places[row] = 2 * place + class as u32;
                        self.cells.grow(Cell {
                            number,
                            atom: key,
                            // Indexed, they would go through memory.
                            counts: [1 - class as u64, class as u64],
                        });
                        if self.cells.len() as u64 > self.most() {
                            return row + 1;
                        }
                        break;
                    }
                    let cell = &mut self.cells[place as usize - 1];
                    if cell.number == number {
                        if cell.atom != key {
                            cell.atom = MIXED;
                            self.tallies.open(number);
                        }
                        cell.counts[class] += 1;
                        places[row] = 2 * (place - 1) + class as u32;
                        break;
                    }
                    slot = (slot + 1) & mask;
                }
            }
        }
        numbers.len()
    }

    /// Takes the finest level at which there are no more cells than the budget.
    fn coarsen(&mut self) {
        self.settle();
        self.sort();
        let numbers = self.cells.iter().map(|cell| cell.number);
        let level = self.grid.finest(numbers, self.budget);
        let grid = Grid::new(self.grid.edges().copy_all(), level.unwrap_or(LAST_LEVEL));
        let mut places = Vec::new();
        let mut kept = 0;
        for at in 0..self.cells.len() {
            let mut cell = self.cells[at];
            cell.number = self.grid.cell_in(&grid, cell.number);
            if kept > 0 && self.cells[kept - 1].number == cell.number {
                let held = &mut self.cells[kept - 1];
                held.atom = MIXED;
                held.counts[0] += cell.counts[0];
                held.counts[1] += cell.counts[1];
            } else {
                self.cells[kept] = cell;
                kept += 1;
            }
            if self.weights.is_some() {
                places.grow_with([2 * kept - 2, 2 * kept - 1]);
            }
        }
        self.cells.truncate(kept);
        if let Some(sums) = &mut self.weights {
            *sums = sums.moved(&places, 2 * kept);
        }
        self.grid = grid;
        self.fill_slots();
        self.tallies
            .move_to(self.cells.iter().map(|cell| cell.number));
        for cell in self.cells.iter().filter(|cell| cell.atom == MIXED) {
            self.tallies.open(cell.number);
        }
    }

    /// Sorts the cells from the lowest up, in their memory; the slots are not right any more.
    fn sort(&mut self) {
        if self.weights.is_none() {
            self.cells.sort_unstable_by_key(|cell| cell.number);
            return;
        }
        let order = self.order();
        let Some(sums) = &mut self.weights else {
            return;
        };
        let twice: Vec<usize> = order.iter().flat_map(|at| [2 * at, 2 * at + 1]).gather();
        *sums = sums.taken(&twice);
        self.cells = order.iter().map(|&at| self.cells[at]).gather();
    }

    /// The places of the cells from the lowest up.
    fn order(&self) -> Vec<usize> {
        let numbers = ascending(self.cells.iter().map(|cell| cell.number).gather());
        let mask = self.slots.len().saturating_sub(1);
        let place = |&number: &u64| {
            let mut slot = self.start(number);
            loop {
                let at = self.slots[slot] as usize - 1;
                if self.cells[at].number == number {
                    break at;
                }
                slot = (slot + 1) & mask;
            }
        };
        numbers.iter().map(place).gather()
    }

    /// The cells from the highest down; positives first.
    fn sorted(&self) -> Cells {
        let mut places = self.order();
        places.reverse();
        let cells: Vec<Cell> = places.iter().map(|&at| self.cells[at]).gather();
        Cells {
            numbers: cells.iter().map(|cell| cell.number).gather(),
            atoms: cells.iter().map(|cell| cell.atom).gather(),
            amounts: match &self.weights {
                None => {
                    let rows = |cell: &Cell| self.tallies.added(cell.number, cell.counts);
                    let counts = |class: usize| cells.iter().map(move |cell| rows(cell)[class]);
                    CellAmounts::Counts([counts(1).gather(), counts(0).gather()])
                }
                Some(sums) => {
                    let negatives = places.iter().map(|at| 2 * at);
                    let places = places.iter().map(|at| 2 * at + 1).chain(negatives);
                    let places: Vec<usize> = places.gather();
                    CellAmounts::Weights(sums.taken(&places)).settled()
                }
            },
        }
    }

    /// Exchanges the classes.
    fn turn(&mut self) {
        self.settle();
        for cell in &mut self.cells {
            cell.counts.reverse();
        }
        if let Some(sums) = &mut self.weights {
            let places: Vec<usize> = (0..sums.len()).map(|at| at ^ 1).gather();
            *sums = sums.taken(&places);
        }
    }
}

/// Numbers from the lowest up.
fn ascending(mut numbers: Vec<u64>) -> Vec<u64> {
    let (low, high) = extent(&numbers);
    for number in &mut numbers {
        *number -= low;
    }
    let (mut starts, mut sorted) = (Vec::new(), Vec::new());
    sort_words(
        &mut numbers,
        high.saturating_sub(low),
        &mut starts,
        &mut sorted,
    );
    for number in &mut sorted {
        *number += low;
    }
    sorted
}

/// Gathers rows batch by batch for a [`ScoreSketch`]. A batch that is refused leaves the collector
/// as it was.
#[derive(Clone, Debug)]
pub struct SketchCollector {
    options: SketchOptions,
    labels: BinaryLabels,
    /// That of all scores counted.
    kind: Option<ScoreKind>,
    /// Whether rows have weights; none before the first batch.
    has_weights: Option<bool>,
    table: Table,
    losses: Option<LossSums>,
    rows: u64,
}

/// Rows of a batch as they are counted.
#[derive(Default)]
struct Lowering {
    keys: Vec<u64>,
    classes: Vec<u8>,
    has_weights: bool,
    weights: Vec<f64>,
    /// The losses of all rows lowered, as long as all scores are probabilities.
    losses: Option<LossSums>,
    /// The scores of the rows lowered last.
    scores: Vec<f64>,
}

impl SketchCollector {
    /// A collector of no rows.
    ///
    /// # Errors
    /// A refusal for a threshold that is NaN, and for fewer cells than the thresholds need.
    pub fn new(options: SketchOptions) -> Result<Self> {
        let edges = edges_of(&options.thresholds)?;
        let least = edges.len() as u64 + 1;
        if options.cells < least || options.cells > 1 << 30 {
            let expected = format!("from {least}, one more than there are thresholds, to 2^30");
            return Err(Refusal::argument("cells", options.cells, expected));
        }
        Ok(Self {
            labels: options.labels.clone(),
            kind: None,
            has_weights: None,
            table: Table::new(edges, options.cells),
            losses: Some(LossSums::none(&options.labels, None)),
            rows: 0,
            options,
        })
    }

    /// The number of rows counted; those left out are not.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The labels so far.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// As [`Self::update`], of a batch whose type says which label is positive: it is, if no batch
    /// came before and none was named.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn update_in_order(
        &mut self,
        positive: &(Label, LabelKind),
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
    ) -> Result<()> {
        if self.has_weights.is_some() || self.options.sweep.pos_label.is_some() {
            return self.update(y_true, y_score, weights);
        }
        let (label, kind) = positive;
        let known = self.known();
        let mut others = known.into_iter().flatten().filter(|known| known != label);
        let (other, third) = (others.next(), others.next());
        if third.is_some() {
            return self.update(y_true, y_score, weights);
        }
        let mut options = self.options.clone();
        options.sweep.pos_label = Some(label.clone());
        options.labels = BinaryLabels {
            pair: Pair::of([Some(label.clone()), other], Some(label)),
            pos_label: Some(label.clone()),
            kind: self.labels.kind.max(*kind),
        };
        let mut next = Self::new(options)?;
        next.update(y_true, y_score, weights)?;
        *self = next;
        Ok(())
    }

    /// Adds the rows of a batch. A refusal counts rows from the start of the batch.
    ///
    /// # Errors
    /// What [`score_table`] refuses; integers beyond 2^53.
    ///
    /// [`score_table`]: crate::scores::sweep::all_thresholds::score_table
    pub fn update(
        &mut self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
    ) -> Result<()> {
        let arguments = self.options.sweep.arguments;
        if let Some(has_weights) = self.has_weights
            && weights.is_some() != has_weights
        {
            let (value, expected) = if has_weights {
                ("missing", "weights, as in the earlier batches")
            } else {
                ("given", "none, as in the earlier batches")
            };
            return Err(Refusal::argument(arguments.sample_weight, value, expected));
        }
        let is_text = y_true.kind() == LabelKind::Text;
        let has_labels = self.has_weights.is_some() || !self.labels.is_open();
        if has_labels && is_text != (self.labels.kind == LabelKind::Text) {
            return Err(Refusal::Type {
                argument: arguments.y_true,
                value: format!("{:?}", y_true.kind()),
                expected: format!(
                    "labels that go with the earlier ones, which are {:?}",
                    self.labels.kind
                ),
            });
        }
        let mut input = Input::unlabelled(y_true, y_score, weights, &self.options.sweep)?;
        let mut labels = labels_of(input.discover(self.known()), &self.labels);
        labels.kind = labels.kind.max(y_true.kind());
        input.pair = labels.pair.clone();
        let is_turned = self.labels.turned(&labels);
        let kind = ScoreKind::of(y_score);
        let rows = y_score.len();
        let mut held = Lowering {
            has_weights: weights.is_some(),
            losses: self
                .losses
                .is_some()
                .then(|| LossSums::none(&labels, Some(kind))),
            ..Lowering::default()
        };
        if rows <= HELD && weights.is_none() {
            held.read(&input, y_score, 0..rows)?;
            let together = self.with_losses(&held, (&labels, kind, held.keys.is_empty()))?;
            self.table.make_room(held.keys.len(), false);
            self.table.begin(&held.keys);
            if is_turned {
                self.table.turn();
            }
            self.table.count(&held)?;
            self.rows += held.keys.len() as u64;
            (self.kind, self.losses) = together;
        } else {
            let mut table = self.table.clone();
            if is_turned {
                table.turn();
            }
            let mut counted = 0;
            for start in (0..rows).step_by(PART) {
                held.clear();
                held.read(&input, y_score, start..(start + PART).min(rows))?;
                table.make_room(held.keys.len(), weights.is_some());
                table.begin(&held.keys);
                table.count(&held)?;
                counted += held.keys.len() as u64;
            }
            (self.kind, self.losses) = self.with_losses(&held, (&labels, kind, counted == 0))?;
            self.table = table;
            self.rows += counted;
        }
        self.labels = labels;
        self.has_weights = Some(weights.is_some());
        Ok(())
    }

    /// The kind of all scores, and the sums of their losses, with those of rows of a kind.
    fn with_losses(
        &self,
        rows: &Lowering,
        (labels, kind, is_empty): (&BinaryLabels, ScoreKind, bool),
    ) -> Result<(Option<ScoreKind>, Option<LossSums>)> {
        if is_empty {
            let none = LossSums::none(labels, None);
            let losses = LossSums::added(self.losses.as_ref(), Some(&none), self.kind)?;
            return Ok((self.kind, losses));
        }
        let together = self.kind.map_or(Some(kind), |own| own.common(kind));
        let together = Some(together.unwrap_or(f64::KIND));
        let losses = LossSums::added(self.losses.as_ref(), rows.losses.as_ref(), together)?;
        Ok((together, losses))
    }

    fn known(&self) -> [Option<Label>; 2] {
        let Self { labels, .. } = self;
        let [first, second] = [&labels.pair.positive, &labels.pair.negative];
        if first.is_none() {
            [second.clone(), None]
        } else {
            [first.clone(), second.clone()]
        }
    }

    /// The sketch of all rows so far.
    pub fn sketch(&self) -> ScoreSketch {
        ScoreSketch {
            labels: self.labels.clone(),
            kind: self.kind,
            budget: self.table.budget,
            grid: self.table.grid.clone(),
            cells: self.table.sorted(),
            losses: self.losses.clone(),
        }
        .within_budget()
    }
}

impl Lowering {
    /// Leaves the rows out, but not their losses.
    fn clear(&mut self) {
        self.keys.clear();
        self.classes.clear();
        self.weights.clear();
    }

    /// Lowers rows to order keys of doubles and classes.
    fn read(
        &mut self,
        input: &Input,
        y_score: &Scores,
        rows: std::ops::Range<usize>,
    ) -> Result<()> {
        let kind = ScoreKind::of(y_score);
        self.keys.make_room(rows.len());
        self.classes.make_room(rows.len());
        if kind.is_wide() {
            self.read_as::<u64>(input, kind, rows)
        } else {
            self.read_as::<u32>(input, kind, rows)
        }
    }

    fn read_as<K: Lowered>(
        &mut self,
        input: &Input,
        kind: ScoreKind,
        rows: std::ops::Range<usize>,
    ) -> Result<()> {
        let mut chunk = Chunk::<K>::of(rows.len());
        for range in chunks(rows) {
            input
                .lower(range.clone(), &mut chunk)
                .map_err(Stop::refusal)?;
            let keys = &chunk.keys[..chunk.len];
            if kind.is_wide() && !kind.is_float() {
                let is_exact = |key: &K| is_exact(kind, key.wide());
                if !keys.iter().all(is_exact) {
                    return Err(not_exact::<K>(input, kind, range));
                }
            }
            let from = self.keys.len();
            lower_keys(kind, keys, &mut self.keys);
            let classes = &chunk.codes[..chunk.len];
            self.classes.grow_by(classes);
            if self.has_weights {
                self.weights.grow_by(&chunk.weights[..chunk.len]);
            }
            self.add_losses(from);
        }
        Ok(())
    }

    /// Adds the losses of the rows from one on, if their scores are probabilities.
    fn add_losses(&mut self, from: usize) {
        let Some(losses) = &mut self.losses else {
            return;
        };
        let keys = &self.keys[from..];
        self.scores.make_room(keys.len());
        self.scores.resize(keys.len(), 0.0);
        fill_scores(keys, &mut self.scores);
        let weights = self.has_weights.then(|| &self.weights[from..]);
        if losses
            .add_rows(&self.classes[from..], &self.scores, weights)
            .is_err()
        {
            self.losses = None;
        }
    }
}

wide! {
    fn fill_scores[](keys: &[u64], scores: &mut [f64]) -> () = fill_scores_body;
}

#[inline(always)]
fn fill_scores_body(keys: &[u64], scores: &mut [f64]) {
    for (score, &key) in scores.iter_mut().zip(keys) {
        *score = f64_of(key);
    }
}

/// Adds the order keys of doubles, from those of scores of some kind.
fn lower_keys<K: Lowered>(kind: ScoreKind, keys: &[K], to: &mut Vec<u64>) {
    match kind {
        f64::KIND => to.grow_with(keys.iter().map(|key| key.wide())),
        f32::KIND => to.grow_with(keys.iter().map(|key| key_from(f32::KIND, key.wide()))),
        kind => to.grow_with(keys.iter().map(|key| key_from(kind, key.wide()))),
    }
}

/// Whether a double is the integer of a key.
fn is_exact(kind: ScoreKind, key: u64) -> bool {
    let whole = kind.integer(key).unwrap_or(0);
    whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// The refusal of the first integer of the rows that no double is.
#[cold]
fn not_exact<K: Lowered>(input: &Input, kind: ScoreKind, rows: std::ops::Range<usize>) -> Refusal {
    let mut chunk = Chunk::<K>::new();
    let first = rows.start;
    let mut found = |row: usize| {
        input.lower(row..row + 1, &mut chunk).ok()?;
        let key = chunk.keys[..chunk.len].first()?.wide();
        (!is_exact(kind, key)).then(|| (row, kind.integer(key).unwrap_or(0)))
    };
    // Another thread may have changed the buffer since; then the first row is as good as any.
    let (row, whole) = rows.into_iter().find_map(&mut found).unwrap_or((first, 0));
    let expected = "a score that a float64 holds exactly: an integer of up to 2^53";
    Refusal::row("y_score", row, whole, expected)
}

/// The sketch of rows.
///
/// # Errors
/// As [`SketchCollector::new`] and [`SketchCollector::update`]; [`Refusal::Empty`] for no rows as
/// long as the labels are open.
pub fn score_sketch(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SketchOptions,
) -> Result<ScoreSketch> {
    let mut collector = SketchCollector::new(options.clone())?;
    let is_empty = y_true.is_empty() && y_score.is_empty() && weights.is_none_or(|w| w.is_empty());
    if !is_empty || options.labels.is_open() {
        collector.update(y_true, y_score, weights)?;
    }
    Ok(collector.sketch())
}
