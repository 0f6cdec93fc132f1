//! The sketch: a limited number of cells of scores, with the rows of each class.
//!
//! 1. The level is the finest at which at most `budget` cells hold rows. A union of rows only adds
//!    cells, and a coarser level only joins them. So the state depends only on the rows, the
//!    smallest budget and the edges: the same bytes for any order, split or tree of merges.
//! 2. A cell whose rows all have the same score is an *atom* and keeps that score. Its ties are
//!    exact.
//! 3. With at most `budget` distinct scores, each is an atom at level 0. Then the sketch is the
//!    score table.
//! 4. A sketch of no rows has no budget, so adding it to another changes nothing.
//!
//! Cost: 32 bytes a cell. A merge is two walks over both sketches: one finds the level.

use std::borrow::Cow;
use std::ops::Range;

use crate::base::dtype::{Number, ScoreKind, f64_of, key_of_f64};
use crate::base::error::{Refusal, Result};
use crate::base::input::Label;
use crate::base::memory::{CopyAll, Gather};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::calibration::probability_sums::ProbabilitySums;
use crate::scores::keys::Keys;
use crate::scores::score_table::{ScoreTable, Side};
use crate::scores::sketch::cells::{CellMasses, Cells, Descending, MIXED};
use crate::scores::sketch::levels::{BEST, Grid, key_as};
use crate::scores::sketch::loss_sums::LossSums;

/// No limit of cells: the budget of a sketch of no rows.
pub const NO_BUDGET: u64 = u64::MAX;

/// The possible counts at a threshold: with the fewest rows predicted positive, and with the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CountsBox {
    /// Only the rows that are certainly predicted positive.
    pub low: BinaryCounts,
    /// All rows that may be predicted positive.
    pub high: BinaryCounts,
}

/// The bounded state of a ranking. See the head of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreSketch {
    pub(crate) labels: BinaryLabels,
    /// The narrowest kind that holds all scores; none without rows.
    pub kind: Option<ScoreKind>,
    /// The most cells.
    pub(crate) budget: u64,
    pub grid: Grid,
    pub cells: Cells,
    /// Sums of the losses, while all scores are probabilities.
    pub(crate) losses: Option<LossSums>,
}

impl ScoreSketch {
    /// The two labels.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// The number of cells that hold rows.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.cells.len() == 0
    }

    /// The most cells; none without rows.
    pub fn budget(&self) -> Option<u64> {
        (self.budget != NO_BUDGET).then_some(self.budget)
    }

    /// The level: at level 0 each score is a cell, and every four levels drop one bit of the
    /// mirrored key.
    pub fn level(&self) -> u16 {
        self.grid.level()
    }

    /// The thresholds whose counts are exact at every level, ascending.
    pub fn thresholds(&self) -> Vec<f64> {
        self.grid.edges().iter().map(|&edge| f64_of(edge)).gather()
    }

    /// Whether every cell is an atom, so that the ranking is exact.
    pub fn is_exact(&self) -> bool {
        !self.cells.atoms.contains(&MIXED)
    }

    /// The number of rows, without rows of weight 0.
    pub fn rows(&self) -> u64 {
        self.cells.masses.rows()
    }

    /// Whether rows were weighted.
    pub fn is_weighted(&self) -> bool {
        matches!(self.cells.masses, CellMasses::Weights(_))
    }

    /// The number, or weight, of the positives and of the negatives.
    pub fn totals(&self) -> (f64, f64) {
        let counts = self.counts_of_first(self.len());
        (counts.tp, counts.fp)
    }

    /// The sums of the losses; none if a score is not a probability.
    pub fn losses(&self) -> Option<&ProbabilitySums> {
        self.losses.as_ref().and_then(LossSums::view)
    }

    /// Whether all cells may contain probabilities.
    pub fn may_be_probabilities(&self) -> bool {
        let [lowest, highest] = [self.len().wrapping_sub(1), 0].map(|at| {
            let atom = self.cells.atoms.get(at).copied().unwrap_or(MIXED);
            let number = self.cells.numbers.get(at).copied().unwrap_or(0);
            if atom == MIXED { self.grid.least(number) } else { atom }
        });
        self.is_empty() || (lowest >= key_of_f64(0.0) && highest <= key_of_f64(1.0))
    }

    /// Adds the sketch of other rows.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for incompatible labels, and for different thresholds.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let labels = self.labels.add(&other.labels)?;
        if self.grid.edges() != other.grid.edges() {
            let reason = "their counts are exact at other thresholds".to_owned();
            return Err(Refusal::Merge { reason });
        }
        let rows = self.rows().checked_add(other.rows());
        if rows.is_none() {
            let reason = "there are more than 2^64 rows in all".to_owned();
            return Err(Refusal::Merge { reason });
        }
        let kind = match (self.kind, other.kind) {
            (Some(own), Some(their)) => Some(own.common(their).unwrap_or(f64::KIND)),
            (own, their) => own.or(their),
        };
        let budget = self.budget.min(other.budget);
        let mut grid = self.grid.clone();
        grid.set_level(self.level().max(other.level()));
        let numbers = [self, other].map(|sketch| sketch.numbers_in(&grid));
        let numbers = [numbers[0].as_ref(), numbers[1].as_ref()];
        let both = Descending::new(numbers).map(|(which, at)| numbers[which][at]);
        let (level, len) = grid.finest(both, budget);
        grid.set_level(level);
        let numbers = [self, other].map(|sketch| sketch.numbers_in(&grid));
        let cells = [self, other].map(|sketch| sketch.cells_of(&labels));
        let union = cells[0].union(&cells[1], [&numbers[0], &numbers[1]], len as usize);
        let cells = union.ok_or_else(|| Refusal::Merge {
            reason: "one has weights and the other counts".to_owned(),
        })?;
        let losses = LossSums::added(self.losses.as_ref(), other.losses.as_ref(), kind)?;
        let sum = Self { labels, kind, budget, grid, cells, losses };
        Ok(if sum.is_empty() { sum.emptied() } else { sum })
    }

    /// The form of all sketches of no rows.
    fn emptied(mut self) -> Self {
        self.budget = NO_BUDGET;
        self.kind = None;
        self.cells = Cells::default();
        self.losses = Some(LossSums::none(&self.labels, None));
        self.grid.set_level(0);
        self
    }

    /// The sketch at the finest level that its budget allows.
    pub(crate) fn within_budget(mut self) -> Self {
        if self.is_empty() {
            return self.emptied();
        }
        let numbers = self.cells.numbers.iter().copied();
        let (level, _) = self.grid.finest(numbers, self.budget);
        if level != self.level() {
            let grid = Grid::new(self.grid.edges().copy_all(), level);
            self.cells = self.cells.renumbered(&self.numbers_in(&grid));
            self.grid = grid;
        }
        self
    }

    /// The numbers of the cells in a grid that is not finer.
    fn numbers_in(&self, grid: &Grid) -> Cow<'_, [u64]> {
        let numbers = &self.cells.numbers;
        if grid.level() == self.level() {
            return Cow::Borrowed(numbers);
        }
        Cow::Owned(self.grid.cells_in(grid, numbers))
    }

    /// The cells with the classes of `labels`.
    fn cells_of(&self, labels: &BinaryLabels) -> Cow<'_, Cells> {
        if self.labels.turned(labels) {
            Cow::Owned(self.cells.clone().turned())
        } else {
            Cow::Borrowed(&self.cells)
        }
    }

    /// The sketch with another positive label.
    ///
    /// # Errors
    /// A label without rows, if both labels are known.
    pub fn with_positive(self, label: Label) -> Result<Self> {
        let known = [&self.labels.pair.negative, &self.labels.pair.positive];
        let mut found = [Some(label.clone()), None];
        for other in known.into_iter().flatten().filter(|&other| *other != label) {
            if found[1].is_some() {
                return Err(Refusal::argument("pos_label", label, "one of the two labels"));
            }
            found[1] = Some(other.clone());
        }
        let labels = BinaryLabels {
            pair: Pair::of(found, Some(&label)),
            pos_label: Some(label),
            kind: self.labels.kind,
        };
        let cells = self.cells_of(&labels).into_owned();
        let none = LossSums::none(&labels, self.kind);
        let losses = LossSums::added(self.losses.as_ref(), Some(&none), self.kind);
        Ok(Self { labels, cells, losses: losses.unwrap_or(None), ..self })
    }

    /// The score table of the rows, if every cell is an atom.
    pub fn table(&self) -> Option<ScoreTable> {
        if !self.is_exact() {
            return None;
        }
        let kind = self.kind.unwrap_or(f64::KIND);
        let keys = self.cells.atoms.iter().map(|&key| key_as(kind, key));
        let keys = if kind.is_wide() {
            Keys::Wide(keys.gather())
        } else {
            Keys::Narrow(keys.map(|key| key as u32).gather())
        };
        let masses = self.cells.running();
        Some(ScoreTable::from_sweep(kind, keys, masses, self.labels.clone()))
    }

    /// The fewest and the most rows predicted positive at a threshold that is not NaN.
    pub fn at(&self, threshold: f64, side: Side) -> CountsBox {
        let key = key_of_f64(threshold) + u64::from(side == Side::Greater);
        // Cells that are certainly above the threshold, and cells that may reach it.
        let own = self.grid.cell(key);
        let numbers = &self.cells.numbers;
        let above = numbers.partition_point(|&number| number > own);
        let from = numbers.partition_point(|&number| number >= own);
        let begins = key == 0 || self.grid.cell(key - 1) != own;
        let reaches = |at: usize| {
            let atom = self.cells.atoms[at];
            atom != MIXED && atom >= key
        };
        let low = if from > above && (begins || reaches(above)) { from } else { above };
        let is_settled = from == above || begins || self.cells.atoms[above] != MIXED;
        let high = if is_settled { low } else { from };
        CountsBox { low: self.counts_of_first(low), high: self.counts_of_first(high) }
    }

    /// The counts if the rows of the first cells are predicted positive.
    pub(crate) fn counts_of_first(&self, cells: usize) -> BinaryCounts {
        match &self.cells.masses {
            CellMasses::Counts([positives, negatives]) => {
                let sum = |counts: &[u64]| counts.iter().sum::<u64>() as f64;
                BinaryCounts {
                    tp: sum(&positives[..cells]),
                    fp: sum(&negatives[..cells]),
                    fn_: sum(&positives[cells..]),
                    tn: sum(&negatives[cells..]),
                }
            }
            CellMasses::Weights(sums) => {
                let part = |places: Range<usize>| {
                    let at = vec![0; places.len()];
                    sums.taken(&places.gather()).moved(&at, 1).get(0)
                };
                let len = self.len();
                BinaryCounts {
                    tp: part(0..cells),
                    fp: part(len..len + cells),
                    fn_: part(cells..len),
                    tn: part(len + cells..2 * len),
                }
            }
        }
    }

    /// The lowest score of each cell, from the highest cell down: the score of an atom, NaN for
    /// ranked NaN.
    pub fn least_scores(&self) -> Vec<f64> {
        let least = |at: usize| match self.cells.atoms[at] {
            MIXED => self.grid.least(self.cells.numbers[at]),
            atom => atom,
        };
        (0..self.len()).map(|at| score_of(least(at))).gather()
    }

    /// Whether all rows of a cell have one score, from the highest cell down.
    pub fn atoms(&self) -> Vec<bool> {
        self.cells.atoms.iter().map(|&atom| atom != MIXED).gather()
    }
}

/// The score of an order key; NaN for a ranked NaN.
fn score_of(key: u64) -> f64 {
    if key == BEST { f64::NAN } else { f64_of(key) }
}

/// The distinct order keys of thresholds, ascending.
pub(crate) fn edges_of(thresholds: &[f64]) -> Result<Vec<u64>> {
    if thresholds.iter().any(|threshold| threshold.is_nan()) {
        return Err(Refusal::argument("thresholds", "nan", "numbers"));
    }
    let mut edges: Vec<u64> = thresholds.iter().map(|&threshold| key_of_f64(threshold)).gather();
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

/// Labels, either of which may be unknown.
pub(crate) fn labels_of(found: [Option<Label>; 2], labels: &BinaryLabels) -> BinaryLabels {
    BinaryLabels { pair: Pair::of(found, labels.pos_label.as_ref()), ..labels.clone() }
}
