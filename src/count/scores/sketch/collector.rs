//! Collects rows batch by batch for a [`ScoreSketch`], in limited memory.
//!
//! A batch is lowered in chunks to order keys and classes (`lowering.rs`). The cells count only a
//! batch without a refused row (`cell_table.rs`).
//!
//! A whole column is counted in parts, after its first rows, whose cells all parts begin with. A
//! part with new cells only would take twice as long.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::arith::exact::Weights;
use crate::base::dtype::{Number, ScoreKind};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, Scores};
use crate::base::switch::switch_at;
use crate::base::threads;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::sketch::cell_table::CellTable;
use crate::scores::sketch::loss_sums::LossSums;
use crate::scores::sketch::lowering::Lowering;
use crate::scores::sketch::score_sketch::{ScoreSketch, edges_of, labels_of};
use crate::scores::sweep::rows::{Input, SweepOptions};

/// Rows of a batch that are held until all are accepted: at least a row group of a Parquet file. A
/// larger batch is counted in a copy of the state.
const HELD: usize = switch_at(1 << 20, 16);
/// After the first rows, a batch counted in a copy is held in pieces of this size.
const PART: usize = switch_at(1 << 17, 8);

/// The first rows of a column, whose cells all parts begin with.
const FIRST: usize = switch_at(1 << 17, 16);
/// A part has so many times the rows of other work: copying the cells and merging them take as long
/// as counting some 300,000 rows.
const LONGER: usize = switch_at(16, 1);

/// The options of a sketch.
#[derive(Clone, Debug)]
pub struct SketchOptions {
    /// The options for reading rows.
    pub sweep: SweepOptions,
    /// The labels, as far as known.
    pub labels: BinaryLabels,
    /// The most cells.
    pub cells: u64,
    /// The scores with exact counts.
    pub thresholds: Vec<f64>,
}

/// Collects rows batch by batch for a [`ScoreSketch`]. A refused batch leaves the collector
/// unchanged.
#[derive(Clone, Debug)]
pub struct SketchCollector {
    options: SketchOptions,
    labels: BinaryLabels,
    /// The kind of all scores counted.
    kind: Option<ScoreKind>,
    /// Whether rows have weights; none before the first batch.
    has_weights: Option<bool>,
    table: CellTable,
    losses: Option<LossSums>,
    rows: u64,
}

impl SketchCollector {
    /// A collector of no rows.
    ///
    /// # Errors
    /// A threshold that is NaN; fewer cells than the thresholds need.
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
            table: CellTable::new(edges, options.cells),
            losses: Some(LossSums::none(&options.labels, None)),
            rows: 0,
            options,
        })
    }

    /// The number of rows counted, without rows left out.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The labels so far.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// Like [`Self::update`], for a batch whose type defines the positive label: it becomes
    /// positive if no batch came before and the caller named none.
    ///
    /// # Errors
    /// Like [`Self::update`].
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
    /// The errors of [`score_table`]; integers beyond 2^53.
    ///
    /// [`score_table`]: crate::scores::sweep::all_thresholds::score_table
    pub fn update(
        &mut self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
    ) -> Result<()> {
        let (input, labels) = self.prepared(y_true, y_score, weights)?;
        self.count(&input, y_score, 0..y_score.len(), labels)
    }

    /// What reads the rows of a batch, and the labels after it.
    fn prepared<'a>(
        &self,
        y_true: &'a Labels,
        y_score: &'a Scores,
        weights: Option<Weights<'a>>,
    ) -> Result<(Input<'a>, BinaryLabels)> {
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
        let mut input = Input::unlabelled(y_true, y_score, weights, &self.options.sweep)?;
        if has_labels && is_text != (self.labels.kind == LabelKind::Text) {
            if self.has_weights.is_none() {
                input.discover(self.known())?;
            }
            return Err(Refusal::Type {
                argument: arguments.y_true,
                value: format!("{:?}", y_true.kind()),
                expected: format!(
                    "labels that go with the earlier ones, which are {:?}",
                    self.labels.kind
                ),
            });
        }
        let mut labels = labels_of(input.discover(self.known())?, &self.labels);
        labels.kind = labels.kind.max(y_true.kind());
        input.pair = labels.pair.clone();
        Ok((input, labels))
    }

    /// Adds some rows of a batch.
    fn count(
        &mut self,
        input: &Input,
        y_score: &Scores,
        rows: Range<usize>,
        labels: BinaryLabels,
    ) -> Result<()> {
        let is_turned = self.labels.turned(&labels);
        let kind = ScoreKind::of(y_score);
        let has_weights = input.weights.is_some();
        let losses = || LossSums::none(&labels, Some(kind));
        let losses = self.losses.is_some().then(losses);
        let mut held = Lowering::new(has_weights, losses);
        if rows.len() <= HELD && !has_weights {
            held.read(input, y_score, rows)?;
            let together = self.with_losses(&held, (&labels, kind, held.keys.is_empty()))?;
            self.table.add(&held, is_turned)?;
            self.rows += held.keys.len() as u64;
            (self.kind, self.losses) = together;
        } else {
            let mut table = self.table.clone();
            if is_turned {
                table.turn();
            }
            let mut counted = 0;
            let (mut start, mut size) = (rows.start, HELD);
            while start < rows.end {
                held.clear();
                held.read(input, y_score, start..rows.end.min(start + size))?;
                table.add(&held, false)?;
                counted += held.keys.len() as u64;
                (start, size) = (start + size, PART);
            }
            (self.kind, self.losses) = self.with_losses(&held, (&labels, kind, counted == 0))?;
            self.table = table;
            self.rows += counted;
        }
        self.labels = labels;
        self.has_weights = Some(has_weights);
        Ok(())
    }

    /// The kind of all scores, and the sums of their losses, after adding rows of a kind.
    fn with_losses(
        &self,
        rows: &Lowering,
        (labels, kind, is_empty): (&BinaryLabels, ScoreKind, bool),
    ) -> Result<(Option<ScoreKind>, Option<LossSums>)> {
        // Sums of no rows have the labels of the first batch, which may be text.
        let none = LossSums::none(labels, None);
        let is_first = self.known() == [None, None] && self.losses.is_some();
        let own = if is_first { Some(&none) } else { self.losses.as_ref() };
        if is_empty {
            return Ok((self.kind, LossSums::added(own, Some(&none), self.kind)?));
        }
        let together = self.kind.map_or(Some(kind), |own| own.common(kind));
        let together = Some(together.unwrap_or(f64::KIND));
        Ok((together, LossSums::added(own, rows.losses.as_ref(), together)?))
    }

    fn known(&self) -> [Option<Label>; 2] {
        let Self { labels, .. } = self;
        let [first, second] = [&labels.pair.positive, &labels.pair.negative];
        if first.is_none() { [second.clone(), None] } else { [first.clone(), second.clone()] }
    }

    /// A collector of no rows that knows the cells of the rows so far.
    fn without_rows(&self) -> Self {
        Self {
            kind: None,
            table: self.table.without_rows(),
            losses: self.losses.is_some().then(|| LossSums::none(&self.labels, None)),
            rows: 0,
            options: self.options.clone(),
            labels: self.labels.clone(),
            ..*self
        }
    }

    /// The sketch of all rows so far.
    pub fn sketch(&self) -> ScoreSketch {
        ScoreSketch {
            labels: self.labels.clone(),
            kind: self.kind,
            budget: self.table.budget(),
            grid: self.table.grid().clone(),
            cells: self.table.sorted(),
            losses: self.losses.clone(),
        }
        .within_budget()
    }
}

/// The sketch of rows.
///
/// # Errors
/// The errors of [`SketchCollector::new`] and [`SketchCollector::update`]; [`Refusal::Empty`]
/// without rows while the labels are open.
pub fn score_sketch(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SketchOptions,
) -> Result<ScoreSketch> {
    let none = SketchCollector::new(options.clone())?;
    let is_empty = y_true.is_empty() && y_score.is_empty() && weights.is_none_or(|w| w.is_empty());
    if is_empty && !options.labels.is_open() {
        return Ok(none.sketch());
    }
    let (input, labels) = none.prepared(y_true, y_score, weights)?;
    let mut first = none.clone();
    let (begun, rows) = (y_score.len().min(FIRST), y_score.len());
    first.count(&input, y_score, 0..begun, labels.clone())?;
    if begun == rows {
        return Ok(first.sketch());
    }
    let are_several = threads::parts((rows - begun) / LONGER)? > 1;
    let cells = are_several.then(|| first.without_rows());
    let first = Mutex::new(Some(first));
    // The first part also has the rows before it.
    let parts = threads::over_items(rows - begun, &|row| row / LONGER, (), |part, ()| {
        let taken = || first.lock().unwrap_or_else(PoisonError::into_inner).take();
        let taken = if part.start == 0 { taken() } else { cells.clone() };
        let mut counted = taken.unwrap_or_else(|| none.clone());
        counted.count(&input, y_score, begun + part.start..begun + part.end, labels.clone())?;
        Ok(counted.sketch())
    })?;
    Ok(threads::merged(parts, ScoreSketch::add)?.unwrap_or_else(|| none.sketch()))
}
