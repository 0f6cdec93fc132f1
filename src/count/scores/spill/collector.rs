//! Collects batches of rows within a given amount of memory.
//!
//! 1. Rows are collected in memory ([`ScoreCollector`]). Before they exceed their share of the
//!    memory, all of them spill into a temporary file (`Ranges`).
//! 2. A larger batch is processed in parts. A refused batch, a full disk and a stopped call leave
//!    the collector unchanged.
//! 3. Scores may change their type if some type holds all of them, even 64-bit integers with
//!    floats, if doubles hold these integers. Rows that spilled before keep their keys, which are
//!    converted when the rows are read.
//!
//! Memory: a row takes 9 bytes, or 17 with a weight, and spilling it 8 or 16 more.

use std::path::PathBuf;
use std::sync::Arc;

use crate::arith::exact::{ExactSums, Span, Weights};
use crate::arith::weight_kind::WeightKind;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, Scores};
use crate::base::memory::kept::Pause;
use crate::base::memory::{CopyAll, Room};
use crate::base::temporary::TemporaryFile;
use crate::labels::binary::Pair;
use crate::scores::keys::ScoreKind;
use crate::scores::score_table::ScoreTable;
use crate::scores::spill::leaves::{leaves, of_one_kind};
use crate::scores::spill::ranges::{Ranges, Spilling, Store};
use crate::scores::spill::view::SpilledScores;
use crate::scores::sweep::collector::ScoreCollector;
use crate::scores::sweep::rows::SweepOptions;

/// The share of the memory that is used; partly filled blocks and the allocator take the rest.
const SHARE: f64 = 0.8;

/// Bytes that threads and the allocator keep for any number of rows, but at most a quarter.
const KEPT: usize = 24 << 20;

/// A batch gets one part in `OF_BATCH` of the memory, held rows the rest.
const OF_BATCH: usize = 4;

/// Bytes for each row of a range during a sweep.
const SWEPT: usize = 200;

/// The fewest rows that spill together.
const FEWEST: usize = 1 << 8;

/// Collects rows batch by batch within a given amount of memory; the rows beyond it are in a
/// temporary file.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::spill::SpillingCollector;
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
///
/// let mut collector = SpillingCollector::new(SweepOptions::default(), 1 << 16, None)?;
/// let (y_true, y_score) = ([0_u8, 1, 0, 1], [0.1, 0.4, 0.6, 0.8]);
/// let labels = Labels::U8(Column::from_slice(&y_true));
/// collector.update(&labels, &Scores::F64(Column::from_slice(&y_score)), None)?;
/// let view = collector.view(None)?;
/// assert_eq!(view.ranking()?.roc_auc(), Some(0.75));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpillingCollector {
    held: ScoreCollector,
    memory: usize,
    directory: Option<PathBuf>,
    store: Option<Store>,
    /// The spilled rows, by the kind of their scores.
    spilled: Vec<Ranges>,
    /// Whether a spilled integer is outside the range in which doubles hold every integer.
    has_large: bool,
    /// The number of spilled rows, and the sums of their weights, by label.
    rows: [u64; 2],
    sums: Option<ExactSums>,
    /// Promises the limit of memory.
    _pause: Pause,
}

impl SpillingCollector {
    /// A collector of no rows that uses about `memory` bytes, with its file in `directory`, or in
    /// the system's directory for temporary files.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for sampling weights, whose squares are kept only in memory.
    pub fn new(options: SweepOptions, memory: usize, directory: Option<PathBuf>) -> Result<Self> {
        if options.weight_kind == WeightKind::Sampling {
            let expected = "\"counts\" where memory is given: intervals need the squares of sampling \
                            weights, and these are kept in memory only";
            return Err(Refusal::argument("weight_kind", "\"sampling\"", expected));
        }
        Ok(Self {
            held: ScoreCollector::new(options),
            memory,
            directory,
            store: None,
            spilled: Vec::new(),
            has_large: false,
            rows: [0; 2],
            sums: None,
            _pause: Pause::new(),
        })
    }

    /// The number of rows collected.
    pub fn len(&self) -> u64 {
        self.held.len() as u64 + self.rows[0] + self.rows[1]
    }

    /// Whether no rows have been collected.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows in the file.
    pub fn spilled(&self) -> u64 {
        self.rows[0] + self.rows[1]
    }

    /// Whether the rows have weights; `None` before the first batch.
    pub fn has_weights(&self) -> Option<bool> {
        self.held.has_weights()
    }

    /// The labels so far, their kind, and the number of positive rows.
    pub fn so_far(&self) -> (Pair, LabelKind, u64) {
        let (labels, turn) = self.held.labels_of(self.held.options().pos_label.as_ref());
        let rows = self.held.rows_of_classes();
        let class = usize::from(turn == 0);
        let is_known = labels.pair.positive.is_some();
        let positives = if is_known { rows[class] + self.rows[class] } else { 0 };
        (labels.pair, labels.kind, positives)
    }

    /// The number of rows processed by an update of `rows` rows.
    pub fn rows_of_update(&self, rows: usize) -> usize {
        rows + self.held.len()
    }

    /// The bytes that may be used.
    fn usable(&self) -> usize {
        (self.memory as f64 * SHARE) as usize - KEPT.min(self.memory / 4)
    }

    /// The most rows held before they spill.
    fn most(&self, is_weighted: bool) -> usize {
        let bytes = if is_weighted { 17 + 16 } else { 9 + 8 };
        (self.usable() / OF_BATCH * (OF_BATCH - 1) / bytes).max(FEWEST)
    }

    /// The most rows of a batch processed together.
    fn most_at_once(&self, is_weighted: bool) -> usize {
        let bytes = if is_weighted { 17 } else { 9 };
        (self.usable() / OF_BATCH / bytes).max(FEWEST)
    }

    /// Adds the rows of a batch. A refusal counts rows from the start of the batch.
    ///
    /// # Errors
    /// The errors of [`ScoreCollector::update`]; scores of a type incompatible with the spilled
    /// ones; [`Refusal::File`] if the file cannot be written.
    pub fn update(
        &mut self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
    ) -> Result<()> {
        let most = self.most(weights.is_some());
        let at_once = self.most_at_once(weights.is_some());
        let rows = y_score.len();
        if self.held.len() + rows > most || rows > at_once {
            self.spill()?;
        }
        let lengths = [y_true.len(), weights.map_or(rows, |weights| weights.len())];
        if rows <= at_once || lengths.iter().any(|&len| len != rows) {
            return self.take(y_true, y_score, weights);
        }
        // No rows are held, so there is little to copy. Unused parts of the file are overwritten
        // later.
        let mut next = self.clone();
        for start in (0..rows).step_by(at_once) {
            let part = start..rows.min(start + at_once);
            if next.held.len() + part.len() > most {
                next.spill()?;
            }
            let weights = weights.map(|weights| weights.part(part.clone()));
            next.take(&y_true.part(part.clone()), &y_score.part(part), weights)
                .map_err(|refusal| refusal.later(start))?;
        }
        *self = next;
        Ok(())
    }

    fn take(&mut self, y_true: &Labels, y_score: &Scores, weights: Option<Weights>) -> Result<()> {
        let kind = ScoreKind::of(y_score);
        let last = self.spilled.last().map(|last| last.kind);
        let Some(last) = last.filter(|last| last.common(kind).is_none()) else {
            return self.held.update(y_true, y_score, weights);
        };
        // 64-bit integers and floats combine as doubles if these hold all integers.
        let refused = |argument: &'static str| Refusal::Type {
            argument,
            value: format!("{kind:?}"),
            expected: format!(
                "scores that go with the earlier ones, which are {last:?} and in the temporary \
                 file; give all batches as float64 or all as integers"
            ),
        };
        let y_score_named = self.held.options().arguments.y_score;
        if self.has_large && kind.is_float() {
            return Err(refused(y_score_named));
        }
        match self.held.update(y_true, y_score, weights) {
            Err(Refusal::Type { argument, .. }) if argument == y_score_named => {
                Err(refused(argument))
            }
            found => found,
        }
    }

    /// Writes all held rows to the file. If that fails, they are still held.
    ///
    /// # Errors
    /// [`Refusal::File`].
    fn spill(&mut self) -> Result<()> {
        let Some(rows) = self.held.rows_held() else {
            return Ok(());
        };
        let is_weighted = rows.weights.is_some();
        let has_large = self.has_large || rows.has_large();
        let sums = match rows.weights {
            None => None,
            Some(weights) => {
                let span = Span::from_slice(weights)?;
                let mut sums = self.sums.clone().unwrap_or_else(|| ExactSums::new(2));
                let places = ClassPlaces(rows.classes);
                sums.make_room(span);
                places.each(weights, |places, weights| {
                    sums.add_all(Span::EMPTY, places, weights);
                });
                Some(sums)
            }
        };
        let most = self.most(is_weighted);
        let spilling = Spilling::from(rows);
        let mut store = match &self.store {
            Some(store) => store.clone(),
            None => Store::new(TemporaryFile::new(self.directory.as_deref())?),
        };
        let last = self.spilled.last().filter(|last| last.kind == spilling.kind);
        let mut ranges = match last {
            Some(last) => last.clone(),
            None => Ranges::for_rows(&spilling, is_weighted, most),
        };
        let is_new = last.is_none();
        ranges.spill(&spilling, &mut store)?;
        self.spilled.make_room(1);
        // From here on nothing can fail.
        if !is_new {
            self.spilled.pop();
        }
        self.spilled.push(ranges);
        self.store = Some(store);
        self.sums = sums;
        self.has_large = has_large;
        for (all, rows) in self.rows.iter_mut().zip(self.held.rows_of_classes()) {
            *all += rows;
        }
        self.held.let_go();
        Ok(())
    }

    /// The table of all rows, if none has spilled.
    ///
    /// # Errors
    /// [`Refusal::Empty`] without a batch; [`Refusal::Argument`] if rows have spilled.
    pub fn table(&self, pos_label: Option<&Label>) -> Result<ScoreTable> {
        if self.spilled() > 0 {
            let value = format!("less than {} rows take", self.len());
            let expected = "enough for a table of all rows, or a call of view(), which answers from \
                            the temporary file";
            return Err(Refusal::argument("memory", value, expected));
        }
        match pos_label {
            None => self.held.table(),
            some => self.held.table_of(some),
        }
    }

    /// The view of all rows so far; all of them spill first.
    ///
    /// # Errors
    /// [`Refusal::Empty`] without a batch; [`Refusal::File`].
    pub fn view(&mut self, pos_label: Option<&Label>) -> Result<SpilledScores> {
        self.spill()?;
        // The memory of held rows becomes free for the sweeps.
        self.held.let_go_of_memory();
        let asked = pos_label.or(self.held.options().pos_label.as_ref()).cloned();
        let (labels, turn) = self.held.labels_of(asked.as_ref());
        let Some(kind) = self.held.kind() else {
            return Err(Refusal::Empty { argument: self.held.options().arguments.y_true });
        };
        let most = (self.usable() / SWEPT).max(FEWEST);
        let mut store = match &self.store {
            Some(store) => store.clone(),
            None => Store::new(TemporaryFile::new(self.directory.as_deref())?),
        };
        let spilled = match &self.spilled[..] {
            // The last rows of another kind may have been of an earlier kind before.
            all if all.len() > 1 => of_one_kind(all, most, &mut store)?,
            all => all.copy_all(),
        };
        let found = match spilled.first() {
            Some(ranges) => leaves(ranges, most, &mut store)?,
            None => Vec::new(),
        };
        let file = Arc::clone(&store.file);
        self.spilled = spilled;
        self.store = Some(store);
        let sums = self.sums.clone().filter(|_| self.has_weights() == Some(true));
        let kind = self.spilled.first().map_or(kind, |ranges| ranges.kind);
        SpilledScores::new(file, found, (kind, labels, turn), (self.rows, sums), most)
    }
}

/// The class of each row as the place of a sum.
struct ClassPlaces<'a>(&'a [u8]);

impl ClassPlaces<'_> {
    fn each(&self, weights: &[f64], mut call: impl FnMut(&[u32], &[f64])) {
        let mut places = Vec::new();
        for (classes, weights) in self.0.chunks(1 << 12).zip(weights.chunks(1 << 12)) {
            places.clear();
            places.grow_with(classes.iter().map(|&class| u32::from(class)));
            call(&places, weights);
        }
    }
}
