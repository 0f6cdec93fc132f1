//! Scores as keys that resolve both ends of [0, 1] alike, and cells of neighbouring keys.
//!
//! 1. The order key of a score is that of its double ([`key_of_f64`]); 0 and the greatest key are
//!    those of a NaN that is ranked worst or best.
//! 2. The *mirrored* key keeps that order below ½ and above 1. Between them it is the mirrored key
//!    of 1 − s, which is exact there (Sterbenz). So probabilities near 1 have as many keys as those
//!    near 0. It takes 64.3 bits, so only its upper 63.3 bits are ever formed.
//! 3. At level 0 each score is a cell of its own, and the cell's number is its order key. At level
//!    ℓ ≥ 1 the number is the mirrored key shifted right by ℓ. Cells of a level are unions of cells
//!    of the level below.
//! 4. *Edges* are scores that part cells at every level: no cell has scores on both sides. Where a
//!    shift alone would join both sides, the number of such edges at or below the score is added to
//!    the number of its cell, which keeps the order.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::dtype::{Number, ScoreKind, f64_of, key_of_f64};
use crate::base::memory::Gather;
use crate::base::wide::wide;

/// The greatest level, at which only edges part scores.
pub const LAST_LEVEL: u8 = 65;

/// The order key of the NaN that was ranked worst.
pub(crate) const WORST: u64 = 0;

/// The order key of the NaN that was ranked best.
pub(crate) const BEST: u64 = u64::MAX;

/// The order keys of ½ and 1.
const HALF: u64 = (1 << 63) + (1022 << 52);
const ONE: u64 = (1 << 63) + (1023 << 52);

/// The mirrored key of 1.
const MIRRORED_ONE: u64 = (1 << 63) + (2044 << 52);

/// The mirrored key of a score from its order key, without its last bit.
#[inline(always)]
pub(crate) fn mirrored(key: u64) -> u64 {
    // Beyond [½, 1] the difference is not used.
    let distance = 1.0 - f64::from_bits(key ^ (1 << 63));
    let inside = MIRRORED_ONE.wrapping_sub(distance.to_bits()) >> 1;
    let below = key >> 1;
    let above = below.wrapping_add(1021 << 51);
    if key < HALF {
        below
    } else if key <= ONE {
        inside
    } else {
        above
    }
}

/// The order key of a double from that of a score of some kind.
pub(crate) fn key_from(kind: ScoreKind, key: u64) -> u64 {
    if kind == f64::KIND {
        key
    } else if kind.is_float() && key == 0 {
        WORST
    } else if kind.is_float() && key == kind.greatest() {
        BEST
    } else {
        key_of_f64(kind.score(key))
    }
}

/// The key of a score of some kind from the order key of its double.
pub(crate) fn key_as(kind: ScoreKind, key: u64) -> u64 {
    match key {
        key if kind == f64::KIND => key,
        WORST => 0,
        BEST => kind.greatest(),
        key if kind.is_float() => kind.key_of_float(f64_of(key)),
        key => kind.key_of_whole(f64_of(key) as i128),
    }
}

/// A shift by any number of bits.
#[inline(always)]
fn shifted(key: u64, by: u32) -> u64 {
    if by >= u64::BITS { 0 } else { key >> by }
}

/// The cells of a level between edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    level: u8,
    /// The order keys of the edges, ascending.
    edges: Vec<u64>,
    /// The cell that begins at each edge.
    cells: Vec<u64>,
    /// The edges that the shift alone would not part.
    active: Vec<u64>,
    /// How many of the edges up to each one are active.
    active_upto: Vec<u64>,
}

impl Grid {
    /// The grid of a level. The order keys of the edges ascend.
    pub(crate) fn new(edges: Vec<u64>, level: u8) -> Self {
        let mut grid = Self {
            level,
            edges,
            cells: Vec::new(),
            active: Vec::new(),
            active_upto: Vec::new(),
        };
        grid.set_level(level);
        grid
    }

    /// The same edges at another level.
    pub(crate) fn set_level(&mut self, level: u8) {
        self.level = level;
        self.active.clear();
        self.active_upto.clear();
        if level > 0 {
            for &edge in &self.edges {
                let by = u32::from(level) - 1;
                let parts = |key| shifted(mirrored(key), by);
                if edge > 0 && parts(edge) == parts(edge - 1) {
                    self.active.push(edge);
                }
                self.active_upto.push(self.active.len() as u64);
            }
        }
        self.cells = self.edges.iter().map(|&edge| self.cell(edge)).gather();
    }

    pub(crate) fn level(&self) -> u8 {
        self.level
    }

    /// The order keys of the edges, ascending.
    pub(crate) fn edges(&self) -> &[u64] {
        &self.edges
    }

    /// The cell of a score from its order key.
    #[inline]
    pub(crate) fn cell(&self, key: u64) -> u64 {
        if self.level == 0 {
            key
        } else {
            let zone = self.active.partition_point(|&edge| edge <= key) as u64;
            shifted(mirrored(key), u32::from(self.level) - 1) + zone
        }
    }

    /// Writes the cells of scores.
    pub(crate) fn fill_cells(&self, keys: &[u64], cells: &mut [u64]) {
        if self.level == 0 {
            cells.copy_from_slice(keys);
            return;
        }
        let by = u32::from(self.level) - 1;
        if by >= u64::BITS {
            cells.fill(0);
        } else {
            fill_shifted(keys, by, cells);
        }
        match self.active.as_slice() {
            [] => {}
            few if few.len() <= 8 => {
                for &edge in few {
                    add_zone(keys, edge, cells);
                }
            }
            many => {
                for (cell, &key) in cells.iter_mut().zip(keys) {
                    *cell += many.partition_point(|&edge| edge <= key) as u64;
                }
            }
        }
    }

    /// How many edges are at or below the scores of a cell.
    pub(crate) fn zone(&self, cell: u64) -> usize {
        self.cells.partition_point(|&edge| edge <= cell)
    }

    /// The mirrored key of the scores of a cell, as far as they share it, and their zone.
    fn place(&self, cell: u64) -> (u64, usize) {
        let zone = self.zone(cell);
        if self.level == 0 {
            return (mirrored(cell), zone);
        }
        let active = zone.checked_sub(1).map_or(0, |last| self.active_upto[last]);
        let prefix = cell - active;
        let by = u32::from(self.level) - 1;
        (if by >= u64::BITS { 0 } else { prefix << by }, zone)
    }

    /// The cell of another grid, of the same edges and no finer, that holds this cell.
    pub(crate) fn cell_in(&self, coarser: &Self, cell: u64) -> u64 {
        if coarser.level == self.level {
            return cell;
        }
        let (place, zone) = self.place(cell);
        let active = zone
            .checked_sub(1)
            .map_or(0, |last| coarser.active_upto[last]);
        shifted(place, u32::from(coarser.level) - 1) + active
    }

    /// The finest level, from this one on, at which so many cells are left of these, which are in
    /// order; none if the edges alone part more.
    pub(crate) fn finest(&self, cells: impl Iterator<Item = u64>, most: u64) -> Option<u8> {
        // How many pairs of neighbours fall together at each level.
        let mut joins = [0_u64; LAST_LEVEL as usize + 1];
        let (mut left, mut before) = (0_u64, None);
        for cell in cells {
            let (place, zone) = self.place(cell);
            left += 1;
            if let Some((other, other_zone)) = before
                && other_zone == zone
            {
                let bits: u64 = place ^ other;
                joins[(u64::BITS - bits.leading_zeros()) as usize + 1] += 1;
            }
            before = Some((place, zone));
        }
        let mut level = self.level;
        while left > most {
            if level == LAST_LEVEL {
                return None;
            }
            level += 1;
            left -= joins[usize::from(level)];
        }
        Some(level)
    }

    /// The order key of the least score, a NaN that was ranked worst included, that a cell can
    /// hold.
    pub(crate) fn least(&self, cell: u64) -> u64 {
        if self.level == 0 {
            return cell;
        }
        let (mut low, mut high) = (0, u64::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.cell(middle) >= cell {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

wide! {
    fn fill_shifted[](keys: &[u64], by: u32, cells: &mut [u64]) -> () = fill_shifted_body;
    fn add_zone[](keys: &[u64], edge: u64, cells: &mut [u64]) -> () = add_zone_body;
}

#[inline(always)]
fn fill_shifted_body(keys: &[u64], by: u32, cells: &mut [u64]) {
    for (cell, &key) in cells.iter_mut().zip(keys) {
        *cell = mirrored(key) >> by;
    }
}

#[inline(always)]
fn add_zone_body(keys: &[u64], edge: u64, cells: &mut [u64]) {
    for (cell, &key) in cells.iter_mut().zip(keys) {
        *cell += u64::from(edge <= key);
    }
}
