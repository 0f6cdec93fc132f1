//! Common functions of curves: keys as thresholds, and counts and scores in blocks.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Room, in_place};
use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;
use crate::scores::blocks::BLOCK;
use crate::scores::keys::{f32_of, f64_of};
use crate::scores::score_table::ScoreTable;

/// Checks that all scores are probabilities.
///
/// # Errors
/// [`Refusal::Argument`] with the first other score, and the name of the curve.
pub fn need_probabilities(table: &ScoreTable, what: &str) -> Result<()> {
    if table.are_probabilities() {
        return Ok(());
    }
    let (first, last) = (table.score(0), table.score(table.len() - 1));
    let found = if first <= 1.0 { last } else { first };
    let expected = format!("probabilities, from 0 to 1, for {what}");
    Err(Refusal::argument("y_score", found.to_string(), expected))
}

/// Calls `call` with blocks of scores from the top, and with the counts before and at each score:
/// one more than scores.
pub(crate) fn cells_and_scores(table: &ScoreTable, mut call: impl FnMut(usize, &Cells, &[f64])) {
    let mut cells = Cells::default();
    let mut tables = Vec::new();
    let mut scores = [0.0; BLOCK];
    for start in (0..table.len()).step_by(BLOCK) {
        let some = BLOCK.min(table.len() - start);
        let Cells { tp, fp, fn_, tn } = &mut cells;
        let columns = [tp, fp, fn_, tn].map(|column| &mut column[..=some]);
        if !table.fill_cells(start, columns) {
            tables.grow_to(some + 1, BinaryCounts::default());
            table.fill_counts(start, &mut tables);
            for (at, table) in tables.iter().enumerate() {
                (cells.tp[at], cells.fp[at], cells.fn_[at]) = (table.tp, table.fp, table.fn_);
            }
        }
        table.fill_thresholds(start + 1, &mut scores[..some]);
        call(start, &cells, &scores[..some]);
    }
}

/// Columns of counts: above a block of scores, and at each of its scores.
pub(crate) struct Cells {
    pub(crate) tp: [f64; BLOCK + 1],
    pub(crate) fp: [f64; BLOCK + 1],
    pub(crate) fn_: [f64; BLOCK + 1],
    pub(crate) tn: [f64; BLOCK + 1],
}

impl Default for Cells {
    fn default() -> Self {
        let nothing = [0.0; BLOCK + 1];
        Self { tp: nothing, fp: nothing, fn_: nothing, tn: nothing }
    }
}

/// Converts keys to doubles, in the same memory.
pub fn doubles(mut keys: Vec<u64>) -> Vec<f64> {
    doubles_in_place(&mut keys);
    in_place(keys, f64::from_bits)
}

/// Converts keys of doubles to the bits of the doubles.
#[inline(always)]
fn doubles_body(keys: &mut [u64]) {
    for key in keys {
        *key = f64_of(*key).to_bits();
    }
}

/// Converts keys of singles to the bits of doubles.
#[inline(always)]
fn singles_body(keys: &mut [u64]) {
    for key in keys {
        *key = f64::from(f32_of(*key as u32)).to_bits();
    }
}

wide! {
    pub(crate) fn doubles_in_place[](keys: &mut [u64]) -> () = doubles_body;
    pub(crate) fn singles_in_place[](keys: &mut [u64]) -> () = singles_body;
}
