//! Many 2×2 tables at a time: one after the other, and as columns of their cells.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::base::wide::wide;
use crate::labels::view::BinaryCounts;

/// Totals that are safe to multiply with each other several times, as formulas do.
pub(crate) const USUAL: Range<f64> = 1e-20..1e90;

/// How many tables are read at a time: 16 KiB.
pub(crate) const TABLES_AT_A_TIME: usize = 512;

/// How many tables a column holds: 2 KiB of one cell of each.
pub(crate) const COLUMN_LEN: usize = 256;

/// One number for each of [`COLUMN_LEN`] tables.
pub(crate) type CellColumn = [f64; COLUMN_LEN];

/// Some 2×2 tables, looked at once for all indices.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    all: &'a [BinaryCounts],
    /// All masses are zero or more, and every total is above zero and of a usual size.
    plain: bool,
    /// Some table has both classes and no mistake.
    perfect: bool,
}

impl<'a> Tables<'a> {
    /// The tables of a slice.
    pub fn new(all: &'a [BinaryCounts]) -> Self {
        let [plain, perfect] = are_plain_or_perfect(all);
        Self { all, plain, perfect }
    }

    /// The tables.
    pub(crate) fn all(self) -> &'a [BinaryCounts] {
        self.all
    }

    /// Whether formulas can multiply the masses as they are.
    pub(crate) fn is_plain(self) -> bool {
        self.plain
    }

    /// Whether a table may be one of perfect predictions.
    pub(crate) fn may_be_perfect(self) -> bool {
        self.perfect
    }

    /// So many at a time.
    pub(crate) fn chunks(self, size: usize) -> impl Iterator<Item = Self> {
        self.all.chunks(size).map(move |all| Self { all, ..self })
    }
}

wide! {
    fn are_plain_or_perfect[](tables: &[BinaryCounts]) -> [bool; 2] = all_plain_any_perfect;
}

#[inline(always)]
fn all_plain_any_perfect(tables: &[BinaryCounts]) -> [bool; 2] {
    let plain = |c: &BinaryCounts| {
        // `min` leaves out NaN, and so does not the total.
        let least = c.tp.min(c.fp).min(c.fn_.min(c.tn));
        (least >= 0.0) & (c.total() >= USUAL.start) & (c.total() < USUAL.end)
    };
    let perfect = |c: &BinaryCounts| (c.fp + c.fn_ <= 0.0) & (c.tp.min(c.tn) > 0.0);
    // Without an early end, and with one result each, the loops are ones of vectors.
    let all_plain = tables.iter().fold(true, |all, table| all & plain(table));
    let any_perfect = tables.iter().fold(false, |any, table| any | perfect(table));
    [all_plain, any_perfect]
}

/// Tables as columns of their cells: blocks of 256 numbers for each.
#[derive(Debug)]
pub(crate) struct Cells {
    pub(crate) blocks: Vec<[CellColumn; 4]>,
}

impl Cells {
    /// Room for so many tables.
    pub(crate) fn with_room(tables: usize) -> Self {
        let blocks = vec![[[0.0; COLUMN_LEN]; 4]; tables.div_ceil(COLUMN_LEN)];
        Self { blocks }
    }

    /// Hands out the columns (tp, fp, fn, tn) of so many tables, part by part with the place of the
    /// first.
    pub(crate) fn parts(
        &mut self,
        tables: usize,
    ) -> impl Iterator<Item = (usize, [&mut [f64]; 4])> {
        let starts = (0..tables).step_by(COLUMN_LEN);
        starts.zip(&mut self.blocks).map(move |(start, block)| {
            let len = COLUMN_LEN.min(tables - start);
            (start, block.each_mut().map(|column| &mut column[..len]))
        })
    }

    /// The table at a place.
    pub(crate) fn table(&self, place: usize) -> BinaryCounts {
        let [tp, fp, fn_, tn] =
            self.blocks[place / COLUMN_LEN].map(|column| column[place % COLUMN_LEN]);
        BinaryCounts { tp, fp, fn_, tn }
    }
}
