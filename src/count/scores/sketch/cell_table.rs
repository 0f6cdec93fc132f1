//! The cells of a sketch while rows are counted.
//!
//! 1. Vectors compute the cell numbers of a chunk (`Grid::fill_cells`).
//! 2. Rows of cells that already hold several scores are counted in a table indexed by the cell
//!    number (`tallies.rs`).
//! 3. For all other rows a hash table finds the cell of each number. Cells are stored in the order
//!    of first appearance. A new number gets a new cell.
//! 4. The table holds up to twice the budget of cells. When there are more, the sketch moves to the
//!    finest level within the budget, and cells that coincide are joined. This happens at most 257
//!    times, and rarely ten.
//! 5. If the first batch has more rows than the table may hold cells, its rows are sorted by score
//!    and counted as in a score table.
//! 6. At the end the cells are sorted, and joined if there are more than the budget. More rows
//!    never have a finer level, so the result does not depend on when cells were joined.
//!
//! Cost: 32 bytes a cell, 16 to 32 bytes of hash table for each, and 64 bytes for tallies; 30 ns a
//! row while most rows create a new cell, then 9 ns, including the losses of probabilities.
//!
//! Tried and rejected:
//! - sorting each batch and merging it into the sorted cells (more work a row, and a walk over all
//!   cells a batch);
//! - counts indexed by the cell number, in pages of 64 cells with a directory (12 ns a row instead
//!   of 14 after the first million rows, but slower before: the directory costs as much as the hash
//!   table);
//! - starting at the level that a sample of the first rows needs (twice as long).

use crate::arith::exact::{ExactSums, Span};
use crate::base::column::{CHUNK, chunks};
use crate::base::error::Result;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::wide::prefetch_read;
use crate::scores::keys::{Keys, Stop, extent};
use crate::scores::score_table::Masses;
use crate::scores::sketch::cells::{CellMasses, Cells, MIXED};
use crate::scores::sketch::levels::Grid;
use crate::scores::sketch::lowering::Lowering;
use crate::scores::sketch::tallies::Tallies;
use crate::scores::sweep::all_thresholds::sweep;
use crate::scores::sweep::rows::STRIP;
use crate::scores::sweep::sort::cells::sort_words;

/// Cells beyond the budget that are allowed while rows arrive.
const SPARE: u64 = 1 << 16;

const MOST_WORDS: u64 = 1 << 19;

/// A cell, in the order of first appearance.
#[derive(Clone, Copy, Debug)]
struct Cell {
    number: u64,
    /// See [`Cells::atoms`].
    atom: u64,
    /// The rows of class 0 and of class 1.
    counts: [u64; 2],
}

/// Cells by their number.
#[derive(Debug)]
pub(super) struct CellTable {
    grid: Grid,
    budget: u64,
    cells: Vec<Cell>,
    /// The place of a cell, counted from 1; 0 for an empty slot. Their number is a power of two.
    slots: Vec<u32>,
    /// The other rows of cells with several scores; only without weights.
    tallies: Tallies,
    /// For rows with weights: for each cell the sum of class 0, then of class 1.
    weights: Option<ExactSums>,
}

impl Clone for CellTable {
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

impl CellTable {
    pub(super) fn new(edges: Vec<u64>, budget: u64) -> Self {
        Self {
            grid: Grid::new(edges, 0),
            budget,
            cells: Vec::new(),
            slots: Vec::new(),
            tallies: Tallies::default(),
            weights: None,
        }
    }

    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    pub(super) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The number of cells at which they are joined: more than the budget, because a coarser level
    /// may have only a few less.
    fn most(&self) -> u64 {
        self.budget + self.budget.min(SPARE)
    }

    /// The first slot in the search for a number.
    #[inline]
    fn start(&self, number: u64) -> usize {
        let bits = self.slots.len().trailing_zeros();
        // Fibonacci hashing spreads consecutive numbers evenly (Knuth).
        (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits)) as usize
    }

    /// Reserves memory for the new cells of `rows` rows, so that counting them needs none.
    fn make_room(&mut self, rows: usize, has_weights: bool) {
        let most = usize::try_from(self.most()).unwrap_or(usize::MAX);
        let cells = self.cells.len().saturating_add(rows);
        let cells = cells.min(most.saturating_add(1));
        let is_coarse = self.grid.level() > 0;
        if (is_coarse || cells >= most) && !has_weights && self.tallies.is_empty() {
            self.tallies.make_room((4 * self.budget).min(MOST_WORDS) as usize);
            if is_coarse {
                self.fill_tallies();
            }
        }
        self.cells.make_room(cells - self.cells.len());
        let slots = (4 * cells).next_power_of_two().max(64);
        if slots > self.slots.len() {
            let empty = vec![0; slots];
            self.slots = empty;
            self.fill_slots();
        }
    }

    /// This table with its first rows, if it is empty and they exceed the number of cells allowed.
    fn begun(&self, rows: &Lowering) -> Result<Option<Self>> {
        let is_first = self.cells.is_empty() && !rows.has_weights;
        if !is_first || (rows.keys.len() as u64) < self.most() {
            return Ok(None);
        }
        let (Keys::Wide(keys), Masses::Counts(positives, negatives)) =
            sweep(rows, false).map_err(Stop::refusal)?
        else {
            return Ok(None);
        };
        let (level, _) = self.grid.finest(keys.iter().copied(), self.budget);
        let grid = Grid::new(self.grid.edges().copy_all(), level);
        let cells = joined(&grid, &keys, [&negatives, &positives], self.budget);
        let mut table = Self::new(Vec::new(), self.budget);
        (table.grid, table.cells) = (grid, cells);
        Ok(Some(table))
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

    /// Counts rows, after exchanging the classes if `is_turned`. If memory fails, nothing has
    /// changed, unless there are weights.
    ///
    /// # Errors
    /// None: weights were checked before.
    pub(super) fn add(&mut self, rows: &Lowering, is_turned: bool) -> Result<()> {
        if let Some(table) = self.begun(rows)? {
            *self = table;
            return Ok(());
        }
        self.make_room(rows.keys.len(), rows.has_weights);
        if is_turned {
            self.turn();
        }
        self.count(rows)
    }

    /// Counts rows, for which memory was reserved. Rows with weights need more memory.
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
                let misses = self.tallies.count(&mut numbers[..keys.len()], classes, &mut places);
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
                    sums.add_all(Span::from_slice(weights)?, &places[..counted], weights);
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

    /// Moves the counts of tallied rows to the cells.
    fn settle(&mut self) {
        for cell in &mut self.cells {
            cell.counts = self.tallies.added(cell.number, cell.counts);
        }
        self.tallies.forget();
    }

    /// Counts rows up to the first that would create too many cells; returns their number.
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
            // Prefetches the slot of each row, then its cell.
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
                            // Indexing would go through memory.
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

    /// Moves to the finest level with at most the budget of cells.
    fn coarsen(&mut self) {
        self.settle();
        self.sort();
        let numbers = self.cells.iter().map(|cell| cell.number);
        let (level, _) = self.grid.finest(numbers, self.budget);
        let grid = Grid::new(self.grid.edges().copy_all(), level);
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
        self.fill_tallies();
    }

    /// Opens the cells with several scores for tallies. The cells must be sorted.
    fn fill_tallies(&mut self) {
        self.tallies.move_to(self.cells.iter().map(|cell| cell.number));
        for cell in self.cells.iter().filter(|cell| cell.atom == MIXED) {
            self.tallies.open(cell.number);
        }
    }

    /// Sorts the cells from the lowest up, in place; the slots become invalid.
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

    fn order(&self) -> Vec<usize> {
        if self.cells.is_sorted_by_key(|cell| cell.number) {
            return (0..self.cells.len()).gather();
        }
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

    /// The same cells, still without rows.
    pub(super) fn without_rows(&self) -> Self {
        let mut table = self.clone();
        table.tallies.forget();
        for cell in &mut table.cells {
            cell.counts = [0, 0];
        }
        table.weights = table.weights.map(|sums| ExactSums::new(sums.len()));
        table
    }

    /// The cells with rows from the highest down; positives first.
    pub(super) fn sorted(&self) -> Cells {
        let mut places = self.order();
        places.reverse();
        places.retain(|&at| {
            let cell = &self.cells[at];
            self.tallies.added(cell.number, cell.counts) != [0, 0]
        });
        let room = || with_room(places.len());
        let (mut numbers, mut atoms, mut counts) = (room(), room(), [room(), room()]);
        for &at in &places {
            let cell = &self.cells[at];
            let [negatives, positives] = self.tallies.added(cell.number, cell.counts);
            numbers.grow(cell.number);
            atoms.grow(cell.atom);
            counts[0].grow(positives);
            counts[1].grow(negatives);
        }
        let masses = match &self.weights {
            None => CellMasses::Counts(counts),
            Some(sums) => {
                let negatives = places.iter().map(|at| 2 * at);
                let places = places.iter().map(|at| 2 * at + 1).chain(negatives);
                let places: Vec<usize> = places.gather();
                CellMasses::Weights(sums.taken(&places)).settled()
            }
        };
        Cells { numbers, atoms, masses }
    }

    pub(super) fn turn(&mut self) {
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

/// The cells of distinct descending keys, with the rows of each class at or above each key. At most
/// the budget of cells, ascending.
fn joined(
    grid: &Grid,
    keys: &[u64],
    [negatives, positives]: [&[u64]; 2],
    budget: u64,
) -> Vec<Cell> {
    // Where the scores of each cell begin.
    let mut starts: Vec<usize> = vec![0; 1 + keys.len().min(budget as usize)];
    let mut numbers = [0; CHUNK];
    let (mut cells, mut before) = (0, !grid.cell(keys[0]));
    for range in chunks(0..keys.len()) {
        let numbers = &mut numbers[..range.len()];
        grid.fill_cells(&keys[range.clone()], numbers);
        for (&number, at) in numbers.iter().zip(range) {
            starts[cells] = at;
            cells += usize::from(number != before);
            before = number;
        }
    }
    starts[cells] = keys.len();
    let ends = starts[..=cells].windows(2);
    let mut above = [0, 0];
    let cell = |ends: &[usize]| {
        let (first, last) = (keys[ends[0]], ends[1] - 1);
        let upto = [negatives[last], positives[last]];
        let counts = [upto[0] - above[0], upto[1] - above[1]];
        above = upto;
        let atom = if ends[0] == last { first } else { MIXED };
        let number = grid.cell(first);
        Cell { number, atom, counts }
    };
    let mut cells: Vec<Cell> = ends.map(cell).gather();
    cells.reverse();
    cells
}

fn ascending(mut numbers: Vec<u64>) -> Vec<u64> {
    let (low, high) = extent(&numbers);
    for number in &mut numbers {
        *number -= low;
    }
    let (mut starts, mut sorted) = (Vec::new(), Vec::new());
    sort_words(&mut numbers, high.saturating_sub(low), &mut starts, &mut sorted);
    for number in &mut sorted {
        *number += low;
    }
    sorted
}
