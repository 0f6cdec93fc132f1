//! Rows of a batch in the form that cells count: order keys of doubles, classes and weights, and
//! the losses of probabilities.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::base::column::chunks;
use crate::base::dtype::{Number, ScoreKind, f64_of};
use crate::base::error::{Refusal, Result};
use crate::base::input::Scores;
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::scores::keys::{Lowered, Stop};
use crate::scores::sketch::levels::key_from;
use crate::scores::sketch::loss_sums::LossSums;
use crate::scores::sweep::rows::{Chunk, Input, Rows};

/// Rows of a batch, lowered.
#[derive(Default)]
pub(super) struct Lowering {
    pub(super) keys: Vec<u64>,
    pub(super) classes: Vec<u8>,
    pub(super) has_weights: bool,
    pub(super) weights: Vec<f64>,
    /// The losses of all lowered rows, while all scores are probabilities.
    pub(super) losses: Option<LossSums>,
    /// The scores of the last rows lowered.
    scores: Vec<f64>,
}

impl Lowering {
    /// No rows; `losses` are the sums to which the losses of rows are added.
    pub(super) fn new(has_weights: bool, losses: Option<LossSums>) -> Self {
        Self { has_weights, losses, ..Self::default() }
    }

    /// Removes the rows, but not their losses.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.classes.clear();
        self.weights.clear();
    }

    /// Lowers rows to order keys of doubles and classes.
    pub(super) fn read(
        &mut self,
        input: &Input,
        y_score: &Scores,
        rows: Range<usize>,
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
        rows: Range<usize>,
    ) -> Result<()> {
        let mut chunk = Chunk::<K>::of(rows.len());
        for range in chunks(rows) {
            input.lower(range.clone(), &mut chunk).map_err(Stop::refusal)?;
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

    /// Adds the losses of the rows from `from` on, if their scores are probabilities.
    fn add_losses(&mut self, from: usize) {
        let Some(losses) = &mut self.losses else {
            return;
        };
        let keys = &self.keys[from..];
        self.scores.make_room(keys.len());
        self.scores.resize(keys.len(), 0.0);
        fill_scores(keys, &mut self.scores);
        let weights = self.has_weights.then(|| &self.weights[from..]);
        if losses.add_rows(&self.classes[from..], &self.scores, weights).is_err() {
            self.losses = None;
        }
    }
}

/// Rows without weights.
impl Rows<u64> for Lowering {
    fn rows(&self) -> usize {
        self.keys.len()
    }

    fn sample(&self, row: usize) -> Option<u64> {
        self.keys.get(row).copied()
    }

    fn prefetch(&self, _: Range<usize>) {}

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<u64>) -> std::result::Result<(), Stop> {
        chunk.len = rows.len();
        chunk.keys[..chunk.len].copy_from_slice(&self.keys[rows.clone()]);
        chunk.codes[..chunk.len].copy_from_slice(&self.classes[rows]);
        Ok(())
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

/// Appends the order keys of doubles, from keys of scores of some kind.
fn lower_keys<K: Lowered>(kind: ScoreKind, keys: &[K], to: &mut Vec<u64>) {
    match kind {
        f64::KIND => to.grow_with(keys.iter().map(|key| key.wide())),
        f32::KIND => to.grow_with(keys.iter().map(|key| key_from(f32::KIND, key.wide()))),
        kind => to.grow_with(keys.iter().map(|key| key_from(kind, key.wide()))),
    }
}

/// Whether a double equals the integer of a key.
fn is_exact(kind: ScoreKind, key: u64) -> bool {
    let whole = kind.integer(key).unwrap_or(0);
    whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// Refuses the first integer of the rows that is not a double.
#[cold]
fn not_exact<K: Lowered>(input: &Input, kind: ScoreKind, rows: Range<usize>) -> Refusal {
    let mut chunk = Chunk::<K>::new();
    let first = rows.start;
    let mut found = |row: usize| {
        input.lower(row..row + 1, &mut chunk).ok()?;
        let key = chunk.keys[..chunk.len].first()?.wide();
        (!is_exact(kind, key)).then(|| (row, kind.integer(key).unwrap_or(0)))
    };
    // Another thread may have changed the buffer; then the first row will do.
    let (row, whole) = rows.into_iter().find_map(&mut found).unwrap_or((first, 0));
    let expected = "a score that a float64 holds exactly: an integer of up to 2^53";
    Refusal::row("y_score", row, whole, expected)
}
