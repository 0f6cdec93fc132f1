//! One row of a ranked list, the order of rows, and how ties are broken.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::cmp::Reverse;

use crate::base::dtype::key_of_f64;
use crate::base::interrupt;
use crate::base::memory::Gather;
use crate::base::wide::wide;

/// The score of a judged row that was not retrieved: no number has this order key.
pub(crate) const NOT_RETRIEVED: u64 = 0;

/// The order of rows with equal scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// None: a value is the mean over all orders.
    Expected,
    /// By document, the last in byte order first; scores are rounded to single precision.
    TrecEval,
    /// The order of the input.
    Stable,
}

impl Ties {
    /// Every way by its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("expected", Self::Expected), ("trec_eval", Self::TrecEval), ("stable", Self::Stable)];

    /// The name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, ties)| *ties == self);
        found.map_or("", |found| found.0)
    }
}

/// One row of a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// The order key of the score; 0 for a row that was not retrieved.
    pub(crate) score: u64,
    /// The relevance; NaN for a row without judgment.
    pub(crate) grade: f64,
}

impl Row {
    /// The score and the relevance as one number: a list descends by it.
    #[inline]
    pub(crate) fn place(self) -> u128 {
        let grade = if self.grade.is_nan() { 0 } else { key_of_f64(self.grade) };
        u128::from(self.score) << 64 | u128::from(grade)
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.place() == other.place()
    }
}

/// Up to this many rows are sorted by counting the rows that precede each row, without mispredicted
/// branches.
pub(crate) const FEW: usize = 32;

/// The place of each value in descending order; equal values keep their order.
#[inline(always)]
pub(crate) fn places<T: Copy + PartialOrd>(values: &[T]) -> [u32; FEW] {
    let mut places = [0; FEW];
    for (own, &value) in values.iter().enumerate().take(FEW) {
        let mut above = 0;
        for (place, &other) in places[own + 1..].iter_mut().zip(&values[own + 1..]) {
            let is_above = u32::from(other > value);
            above += is_above;
            *place += 1 - is_above;
        }
        places[own] += above;
    }
    places
}

wide! {
    /// Sorts the rows of each list; `starts` has the start of each list and the end of the last,
    /// `rows` the rows from the first start on. `documents` has the rank of each row's document for
    /// [`Ties::TrecEval`], otherwise it is empty.
    pub(crate) fn put_in_order[](
        ties: Ties, starts: &[usize], rows: &mut [Row], documents: &mut [u32],
    ) -> () = put_all_in_order;
}

#[inline(always)]
fn put_all_in_order(ties: Ties, starts: &[usize], rows: &mut [Row], documents: &mut [u32]) {
    let first = starts[0];
    for ends in starts.windows(2) {
        let own = ends[0] - first..ends[1] - first;
        let list = &mut rows[own.clone()];
        if ties == Ties::TrecEval {
            by_document(list, &mut documents[own]);
        } else if list.len() > FEW {
            long(ties, list);
        } else if few(list) && ties == Ties::Expected {
            by_grade(list);
        }
    }
}

/// Sorts few rows by score; equal scores keep their order. Returns whether there are equal scores.
#[inline(always)]
fn few(rows: &mut [Row]) -> bool {
    let mut scores = [0; FEW];
    let mut copy = [Row::default(); FEW];
    for ((to, score), row) in copy.iter_mut().zip(&mut scores).zip(rows.iter()) {
        (*to, *score) = (*row, row.score);
    }
    let len = rows.len().min(FEW);
    let places = places(&scores[..len]);
    for (&row, &place) in copy[..len].iter().zip(&places) {
        rows[place as usize] = row;
    }
    rows.windows(2).any(|pair| pair[0].score == pair[1].score)
}

#[cold]
fn by_grade(rows: &mut [Row]) {
    for end in 1..rows.len() {
        let row = rows[end];
        let mut place = end;
        while place > 0 && rows[place - 1].place() < row.place() {
            rows[place] = rows[place - 1];
            place -= 1;
        }
        rows[place] = row;
    }
}

#[cold]
fn long(ties: Ties, rows: &mut [Row]) {
    interrupt::check();
    match ties {
        Ties::Expected => rows.sort_unstable_by_key(|row| Reverse(row.place())),
        _ => rows.sort_by_key(|row| Reverse(row.score)),
    }
}

#[cold]
fn by_document(rows: &mut [Row], documents: &mut [u32]) {
    let mut both = rows.iter().copied().zip(documents.iter().copied()).gather();
    both.sort_by_key(|&(row, document)| Reverse((row.score, document)));
    for ((row, document), sorted) in rows.iter_mut().zip(documents).zip(both) {
        (*row, *document) = sorted;
    }
}
