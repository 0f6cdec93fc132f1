//! Collects rows batch by batch for a [`ScoreTable`].
//!
//! The collector lowers each batch to order keys and classes, and keeps these. So the final table
//! equals, bit for bit, the table of all rows at once, for any cut into batches. The positive
//! label, and whether all doubles are singles, are decided at the end.

use crate::arith::exact::Weights;
use crate::arith::weight_kind::WeightKind;
use crate::base::column::chunks;
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, Labels, OMITTED, Scores};
use crate::base::memory::Room;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Key, Keys, Lowered, ScoreKind, Stop};
use crate::scores::merge::{common_kind_of, is_large, promoted};
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::sweep;
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions};

/// The rows that a collector holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsHeld<'a> {
    /// The kind of the scores.
    pub(crate) kind: ScoreKind,
    /// The kind of the keys.
    pub(crate) held: ScoreKind,
    pub(crate) keys: &'a Keys,
    pub(crate) classes: &'a [u8],
    pub(crate) weights: Option<&'a [f64]>,
}

impl RowsHeld<'_> {
    /// Whether some integer is outside the range in which doubles hold every integer.
    pub(crate) fn has_large(&self) -> bool {
        if self.held.is_float() || !self.held.is_wide() {
            return false;
        }
        (0..self.keys.len()).any(|place| is_large(self.held, self.keys.get(place)))
    }
}

/// Collects rows batch by batch for a [`ScoreTable`]: 4 or 8 bytes a row for the score, a byte for
/// the class, 8 for a weight.
///
/// Doubles that are all singles take 4 bytes; after the first other double all take 8. A refused
/// batch leaves the collector unchanged.
#[derive(Clone, Debug)]
pub struct ScoreCollector {
    options: SweepOptions,
    /// The labels seen, `pos_label` first if given; the class of a row is the place of its label
    /// here.
    labels: [Option<Label>; 2],
    label_kind: LabelKind,
    kind: Option<ScoreKind>,
    keys: Keys,
    classes: Vec<u8>,
    /// The number of rows with the second label.
    second: usize,
    weights: Option<Vec<f64>>,
    /// Whether rows of [`Self::kind`] were moved elsewhere.
    has_let_go: bool,
}

impl ScoreCollector {
    /// A collector of no rows.
    pub fn new(options: SweepOptions) -> Self {
        Self {
            labels: [options.pos_label.clone(), None],
            options,
            label_kind: LabelKind::Bool,
            kind: None,
            keys: Keys::Narrow(Vec::new()),
            classes: Vec::new(),
            second: 0,
            weights: None,
            has_let_go: false,
        }
    }

    /// The labels so far, their kind, and the number of positive rows. Without `pos_label`, later
    /// batches may change the positive label.
    pub fn so_far(&self) -> (Pair, LabelKind, usize) {
        let pair = self.pair();
        let first_is_positive = pair.positive.is_some() && pair.positive == self.labels[0];
        let positives = match (&pair.positive, first_is_positive) {
            (None, _) => 0,
            (_, true) => self.len() - self.second,
            (_, false) => self.second,
        };
        (pair, self.label_kind, positives)
    }

    /// Whether the rows have weights; `None` before the first batch.
    pub fn has_weights(&self) -> Option<bool> {
        self.kind.map(|_| self.weights.is_some())
    }

    /// The meaning of the weights.
    pub fn weight_kind(&self) -> WeightKind {
        self.options.weight_kind
    }

    fn pair(&self) -> Pair {
        self.pair_with(self.options.pos_label.as_ref())
    }

    fn pair_with(&self, pos_label: Option<&Label>) -> Pair {
        Pair::of(self.labels.clone(), pos_label)
    }

    /// The number of rows held.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no rows are held.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds the rows of a batch. A refusal counts rows from the start of the batch.
    ///
    /// # Errors
    /// The errors of [`score_table`]; scores of a type incompatible with earlier batches; weights
    /// in only some batches.
    ///
    /// [`score_table`]: crate::scores::sweep::all_thresholds::score_table
    pub fn update(
        &mut self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
    ) -> Result<()> {
        let mut input = Input::unlabelled(y_true, y_score, weights, &self.options)?;
        let arguments = self.options.arguments;
        if self.kind.is_some() && weights.is_some() != self.weights.is_some() {
            let (value, expected) = if weights.is_some() {
                ("given", "none, as in the earlier batches")
            } else {
                ("missing", "weights, as in the earlier batches")
            };
            return Err(Refusal::argument(arguments.sample_weight, value, expected));
        }
        // All weights are checked now, since a refusal of the table would come too late.
        self.options.weight_kind.squares(weights, arguments.sample_weight)?;
        let batch_kind = ScoreKind::of(y_score);
        let is_text = y_true.kind() == LabelKind::Text;
        if self.kind.is_some() && is_text != (self.label_kind == LabelKind::Text) {
            return Err(Refusal::Type {
                argument: arguments.y_true,
                value: format!("{:?}", y_true.kind()),
                expected: format!(
                    "labels that go with the earlier ones, which are {:?}",
                    self.label_kind
                ),
            });
        }
        let labels = input.discover(self.labels.clone())?;
        // Here a class is only the place of a label. The positive label is chosen at the end.
        input.pair = Pair { negative: labels[0].clone(), positive: labels[1].clone() };

        let mut batch = Batch::default();
        let narrow = match (batch_kind, &self.keys) {
            (f64::KIND, Keys::Wide(_)) => false,
            (f64::KIND, Keys::Narrow(_)) => input.seem_single(),
            _ => !batch_kind.is_wide(),
        };
        let mut keys = if narrow { Keys::Narrow(Vec::new()) } else { Keys::Wide(Vec::new()) };
        let mut outcome = batch.read(&input, y_score.len(), &mut keys);
        if outcome == Err(Stop::Inexact) {
            keys = Keys::Wide(Vec::new());
            outcome = batch.read(&input, y_score.len(), &mut keys);
        }
        match outcome {
            Ok(()) => {}
            Err(Stop::Refused(refusal)) => return Err(refusal),
            Err(Stop::Inexact) => unreachable!("doubles are doubles"),
        }
        let kind = match self.kind {
            // A batch without kept rows does not determine the type of scores.
            Some(kind) if keys.is_empty() && !self.is_empty() => kind,
            Some(_) if self.is_empty() && !keys.is_empty() && !self.has_let_go => batch_kind,
            None => batch_kind,
            Some(kind) => {
                let held = (held_as(kind, &self.keys), &self.keys);
                let kinds = [held, (held_as(batch_kind, &keys), &keys)];
                let together = kind.common(batch_kind).or_else(|| common_kind_of(kinds));
                together.ok_or_else(|| Refusal::Type {
                    argument: arguments.y_score,
                    value: format!("{batch_kind:?}"),
                    expected: format!("scores that go with the earlier ones, which are {kind:?}"),
                })?
            }
        };
        // From here on only memory can fail, and it is allocated before rows are added.
        self.classes.make_room(batch.classes.len());
        if let Some(held) = &mut self.weights {
            held.make_room(batch.weights.len());
        }
        self.append_keys(kind, batch_kind, keys);
        self.second += batch.classes.iter().map(|&class| usize::from(class)).sum::<usize>();
        self.classes.append(&mut batch.classes);
        match &mut self.weights {
            Some(held) => held.append(&mut batch.weights),
            None if weights.is_some() => self.weights = Some(batch.weights),
            None => {}
        }
        self.labels = labels;
        self.label_kind = self.label_kind.max(y_true.kind());
        self.kind = Some(kind);
        Ok(())
    }

    fn append_keys(&mut self, kind: ScoreKind, batch_kind: ScoreKind, keys: Keys) {
        // The kinds of the keys of the batch, of the earlier keys, and of both together.
        let batch = held_as(batch_kind, &keys);
        let held = if self.is_empty() {
            batch
        } else {
            self.kind.map_or(batch, |kind| held_as(kind, &self.keys))
        };
        let together = match (kind, held.common(batch)) {
            (f64::KIND, Some(f32::KIND)) => f32::KIND,
            _ => kind,
        };
        let keys = if together == batch { keys } else { promoted(&keys, batch, together) };
        if self.is_empty() {
            self.keys = keys;
            return;
        }
        let mut promoted = (together != held).then(|| promoted(&self.keys, held, together));
        match (promoted.as_mut().unwrap_or(&mut self.keys), keys) {
            (Keys::Narrow(all), Keys::Narrow(more)) => all.grow_by(&more),
            (Keys::Wide(all), Keys::Wide(more)) => all.grow_by(&more),
            _ => debug_assert!(false, "one kind, two widths"),
        }
        if let Some(promoted) = promoted {
            self.keys = promoted;
        }
    }

    /// The rows held, if any: the kind of their scores and keys, the keys, the class of each row,
    /// and the weights.
    pub(crate) fn rows_held(&self) -> Option<RowsHeld<'_>> {
        let kind = self.kind.filter(|_| !self.is_empty())?;
        Some(RowsHeld {
            kind,
            held: held_as(kind, &self.keys),
            keys: &self.keys,
            classes: &self.classes,
            weights: self.weights.as_deref(),
        })
    }

    /// Removes the rows, but keeps the memory, and the facts about all rows so far.
    pub(crate) fn let_go(&mut self) {
        match &mut self.keys {
            Keys::Narrow(keys) => keys.clear(),
            Keys::Wide(keys) => keys.clear(),
        }
        self.classes.clear();
        if let Some(weights) = &mut self.weights {
            weights.clear();
        }
        self.second = 0;
        self.has_let_go = true;
    }

    /// [`Self::let_go`] that also frees the memory.
    pub(crate) fn let_go_of_memory(&mut self) {
        self.let_go();
        match &mut self.keys {
            Keys::Narrow(keys) => *keys = Vec::new(),
            Keys::Wide(keys) => *keys = Vec::new(),
        }
        self.classes = Vec::new();
        if let Some(weights) = &mut self.weights {
            *weights = Vec::new();
        }
    }

    /// The number of rows held with each label.
    pub(crate) fn rows_of_classes(&self) -> [u64; 2] {
        [self.len() - self.second, self.second].map(|rows| rows as u64)
    }

    /// The kind of the scores so far.
    pub(crate) fn kind(&self) -> Option<ScoreKind> {
        self.kind
    }

    /// The options for reading rows.
    pub(crate) fn options(&self) -> &SweepOptions {
        &self.options
    }

    /// The labels of a table with this positive label, and the class of that label.
    pub(crate) fn labels_of(&self, pos_label: Option<&Label>) -> (BinaryLabels, u8) {
        let pair = self.pair_with(pos_label);
        let turn = u8::from(pair.positive.is_some() && pair.positive == self.labels[0]);
        let labels = BinaryLabels { pair, pos_label: pos_label.cloned(), kind: self.label_kind };
        (labels, turn)
    }

    /// The table of all rows so far.
    ///
    /// # Errors
    /// [`Refusal::Empty`] without a batch and without a named positive label.
    pub fn table(&self) -> Result<ScoreTable> {
        self.table_of(self.options.pos_label.as_ref())
    }

    /// [`Self::table`] with another positive label; without one, the greater label.
    ///
    /// # Errors
    /// Like [`Self::table`].
    pub fn table_of(&self, pos_label: Option<&Label>) -> Result<ScoreTable> {
        let Some(kind) = self.kind else {
            let Some(label) = pos_label else {
                return Err(Refusal::Empty { argument: self.options.arguments.y_true });
            };
            let kind = match label {
                Label::Text(_) => LabelKind::Text,
                Label::Int(_) => LabelKind::Int,
            };
            let labels = BinaryLabels {
                pair: self.pair_with(pos_label),
                pos_label: pos_label.cloned(),
                kind,
            };
            return Ok(ScoreTable::empty(labels, self.options.weight_kind));
        };
        let held = held_as(kind, &self.keys);
        let (labels, turn) = self.labels_of(pos_label);
        let table = |weights: Option<&[f64]>| {
            let swept = match &self.keys {
                Keys::Narrow(keys) => {
                    sweep(&Held { keys, classes: &self.classes, weights, turn }, weights.is_some())
                }
                Keys::Wide(keys) => {
                    sweep(&Held { keys, classes: &self.classes, weights, turn }, weights.is_some())
                }
            };
            let (keys, masses) = match swept {
                Ok(swept) => swept,
                Err(Stop::Refused(refusal)) => return Err(refusal),
                Err(Stop::Inexact) => unreachable!("keys are keys"),
            };
            let keys = if held == kind { keys } else { promoted(&keys, held, kind) };
            Ok(ScoreTable::from_sweep(kind, keys, masses, labels.clone()))
        };
        let weights = self.weights.as_deref();
        let column = weights.map(Weights::from_slice);
        let argument = self.options.arguments.sample_weight;
        match self.options.weight_kind.squares(column, argument)? {
            None => table(weights),
            Some(squares) => table(weights)?.with_squares(table(Some(&squares))?),
        }
    }
}

/// The kind of the keys: doubles that are all singles have the keys of singles.
fn held_as(kind: ScoreKind, keys: &Keys) -> ScoreKind {
    match (kind, keys) {
        (f64::KIND, Keys::Narrow(_)) => f32::KIND,
        _ => kind,
    }
}

/// The rows of a batch, without their keys.
#[derive(Default)]
struct Batch {
    classes: Vec<u8>,
    weights: Vec<f64>,
}

impl Batch {
    fn read(
        &mut self,
        input: &Input,
        rows: usize,
        keys: &mut Keys,
    ) -> std::result::Result<(), Stop> {
        self.classes.clear();
        self.weights.clear();
        match keys {
            Keys::Narrow(keys) => self.run(input, rows, keys),
            Keys::Wide(keys) => self.run(input, rows, keys),
        }
    }

    fn run<K: Lowered>(
        &mut self,
        input: &Input,
        rows: usize,
        keys: &mut Vec<K>,
    ) -> std::result::Result<(), Stop> {
        let mut chunk = Chunk::new();
        for range in chunks(0..rows) {
            input.lower(range, &mut chunk)?;
            keys.grow_by(&chunk.keys[..chunk.len]);
            self.classes.grow_by(&chunk.codes[..chunk.len]);
            self.weights.grow_with(chunk.weights.iter().copied().take(chunk.len));
        }
        debug_assert!(!self.classes.contains(&OMITTED));
        Ok(())
    }
}

/// The rows of a collector, as a source for the sweep.
struct Held<'a, K> {
    keys: &'a [K],
    classes: &'a [u8],
    weights: Option<&'a [f64]>,
    /// 1 if class 0 is the positive class.
    turn: u8,
}

impl<K: Key> Rows<K> for Held<'_, K> {
    const ARE_KEPT: bool = true;

    fn prefetch(&self, _: std::ops::Range<usize>) {}

    fn rows(&self) -> usize {
        self.keys.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        self.keys.get(row).copied()
    }

    fn lower(
        &self,
        rows: std::ops::Range<usize>,
        chunk: &mut Chunk<K>,
    ) -> std::result::Result<(), Stop> {
        chunk.len = rows.len();
        chunk.keys[..rows.len()].copy_from_slice(&self.keys[rows.clone()]);
        for (code, class) in chunk.codes.iter_mut().zip(&self.classes[rows.clone()]) {
            *code = class ^ self.turn;
        }
        if let Some(weights) = self.weights {
            chunk.weights.clear();
            chunk.weights.grow_by(&weights[rows]);
        }
        Ok(())
    }
}
