//! Scores as keys with equal resolution at both ends of [0, 1], and cells of neighbouring keys.
//!
//! 1. The order key of a score is the key of its double ([`key_of_f64`]); 0 and the greatest key
//!    stand for NaN ranked worst or best.
//! 2. The *mirrored* key keeps that order below ½ and above 1. Between them it is the mirrored key
//!    of 1 − s, which is exact there (Sterbenz). So probabilities near 1 have as many keys as
//!    probabilities near 0. It takes 64.3 bits, so only its upper 63.3 bits are computed.
//! 3. At level 0 each score is a separate cell, and the cell's number is its order key. At level 1
//!    the number is the mirrored key. Every four levels it is shifted by one more bit. The levels
//!    in between join a quarter, a half and three quarters of the pairs that the shift joins,
//!    chosen by two more bits of the key. So cells of a level are unions of cells of the level
//!    below, and the number of cells falls in small steps: nearly all of a budget is used.
//! 4. *Edges* are scores that separate cells at every level: no cell has scores on both sides. If a
//!    shift alone would join both sides, the number of such edges at or below the score is added to
//!    the number of its cell, which keeps the order.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::dtype::{Number, ScoreKind, f64_of, key_of_f64};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::wide::wide;

/// The last level, at which only edges separate scores.
pub const LAST_LEVEL: u16 = 1 + LEVELS_A_BIT * 64;

/// Levels between two shifts.
const LEVELS_A_BIT: u16 = 4;

/// When a pair of cells is joined, by the last two bits of their common number.
const TURN: [u16; 4] = [0, 2, 1, 3];

/// The pairs joined at each level between two shifts, one bit for each pair.
const JOINED: [u64; 4] = [0b0000, 0b0001, 0b0101, 0b0111];

/// The order key of NaN ranked worst.
pub(crate) const WORST: u64 = 0;

/// The order key of NaN ranked best.
pub(crate) const BEST: u64 = u64::MAX;

/// The order keys of ½ and 1.
const HALF: u64 = (1 << 63) + (1022 << 52);
const ONE: u64 = (1 << 63) + (1023 << 52);

/// The mirrored key of 1.
const MIRRORED_ONE: u64 = (1 << 63) + (2044 << 52);

/// The mirrored key of a score from its order key, without its last bit.
#[inline(always)]
pub(crate) fn mirrored(key: u64) -> u64 {
    // Outside [½, 1] the difference is not used.
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

/// The order key of a double from the key of a score of some kind.
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

/// The number of bits that a level above 0 drops from the mirrored key, and the pairs that it
/// joins.
fn shift_of(level: u16) -> (u32, u64) {
    let step = level - 1;
    let by = step / LEVELS_A_BIT;
    (by.into(), JOINED[usize::from(step % LEVELS_A_BIT)])
}

/// The number of a cell, without edges, from a mirrored key.
#[inline(always)]
fn number_of(mirrored: u64, by: u32, joined: u64) -> u64 {
    let number = if by >= u64::BITS { 0 } else { mirrored >> by };
    number & !(joined >> (number >> 1 & 3) & 1)
}

/// The first level at which scores with these mirrored keys share a cell, unless an edge separates
/// them.
pub(crate) fn joining(mirrored: u64, other: u64) -> u16 {
    let bits = u64::BITS - (mirrored ^ other).leading_zeros();
    // No branches: one key or two, and which pair, cannot be predicted.
    let pair = mirrored.checked_shr(bits).unwrap_or(0);
    let level = LEVELS_A_BIT * (bits.max(1) as u16 - 1) + TURN[(pair & 3) as usize] + 2;
    if bits == 0 { 1 } else { level }
}

/// The cells of a level between edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    level: u16,
    /// The order keys of the edges, ascending.
    edges: Vec<u64>,
    /// The cell that begins at each edge.
    cells: Vec<u64>,
    /// The edges that the shift alone would not separate.
    active: Vec<u64>,
    /// For each edge, the number of active edges up to it.
    active_upto: Vec<u64>,
}

impl Grid {
    /// The grid of a level. The order keys of the edges ascend.
    pub(crate) fn new(edges: Vec<u64>, level: u16) -> Self {
        let mut grid =
            Self { level, edges, cells: Vec::new(), active: Vec::new(), active_upto: Vec::new() };
        grid.set_level(level);
        grid
    }

    /// Changes the level.
    pub(crate) fn set_level(&mut self, level: u16) {
        self.level = level;
        self.active.clear();
        self.active_upto.clear();
        if level > 0 {
            for &edge in &self.edges {
                let (by, joined) = shift_of(level);
                let parts = |key| number_of(mirrored(key), by, joined);
                if edge > 0 && parts(edge) == parts(edge - 1) {
                    self.active.grow(edge);
                }
                self.active_upto.grow(self.active.len() as u64);
            }
        }
        self.cells = self.edges.iter().map(|&edge| self.cell(edge)).gather();
    }

    pub(crate) fn level(&self) -> u16 {
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
            let (by, joined) = shift_of(self.level);
            number_of(mirrored(key), by, joined) + zone
        }
    }

    /// Writes the cells of scores.
    pub(crate) fn fill_cells(&self, keys: &[u64], cells: &mut [u64]) {
        if self.level == 0 {
            cells.copy_from_slice(keys);
            return;
        }
        let (by, joined) = shift_of(self.level);
        fill_numbers(keys, by, joined, cells);
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

    /// The number of edges at or below the scores of a cell.
    pub(crate) fn zone(&self, cell: u64) -> usize {
        self.cells.partition_point(|&edge| edge <= cell)
    }

    /// The number of active edges below a zone.
    fn active_below(&self, zone: usize) -> u64 {
        let last = zone.checked_sub(1).and_then(|last| self.active_upto.get(last));
        last.copied().unwrap_or(0)
    }

    /// The common bits of the mirrored keys in a cell of a zone.
    #[inline]
    fn place(&self, cell: u64, zone: usize) -> u64 {
        if self.level == 0 {
            return mirrored(cell);
        }
        let (by, _) = shift_of(self.level);
        let number = cell - self.active_below(zone);
        if by >= u64::BITS { 0 } else { number << by }
    }

    /// Cells with their zones; neighbours in the same zone share the look-up.
    fn zoned(&self, cells: impl Iterator<Item = u64>) -> impl Iterator<Item = (u64, usize)> {
        let (mut first, mut last, mut zone) = (1, 0, 0);
        cells.map(move |cell| {
            if cell < first || cell > last {
                zone = self.zone(cell);
                first = zone.checked_sub(1).map_or(0, |edge| self.cells[edge]);
                last = self.cells.get(zone).map_or(u64::MAX, |&next| next - 1);
            }
            (cell, zone)
        })
    }

    /// The cell of another grid, with the same edges and not finer, that contains this cell.
    pub(crate) fn cell_in(&self, coarser: &Self, cell: u64) -> u64 {
        if coarser.level == self.level {
            return cell;
        }
        self.moved(coarser, cell, self.zone(cell))
    }

    /// [`Self::cell_in`] for ordered cells.
    pub(crate) fn cells_in(&self, coarser: &Self, cells: &[u64]) -> Vec<u64> {
        if coarser.level == self.level {
            return cells.copy_all();
        }
        let cells = self.zoned(cells.iter().copied());
        cells.map(|(cell, zone)| self.moved(coarser, cell, zone)).gather()
    }

    /// The cell of a coarser grid that contains a cell of a zone.
    #[inline]
    fn moved(&self, coarser: &Self, cell: u64, zone: usize) -> u64 {
        let (by, joined) = shift_of(coarser.level);
        number_of(self.place(cell, zone), by, joined) + coarser.active_below(zone)
    }

    /// The finest level, from this one on, with at most `most` of these ordered cells after joining
    /// equal ones, and their number there; the last level if edges alone separate more.
    pub(crate) fn finest(&self, cells: impl Iterator<Item = u64>, most: u64) -> (u16, u64) {
        // The number of pairs of neighbours joined at each level; last, the pairs that are never
        // joined.
        const NEVER: usize = LAST_LEVEL as usize + 1;
        let mut joins = [0_u64; NEVER + 1];
        let mut cells = self.zoned(cells);
        let Some((mut last, mut last_zone)) = cells.next() else {
            return (self.level, 0);
        };
        let (mut left, mut last_place) = (1, self.place(last, last_zone));
        for (cell, zone) in cells {
            let place = self.place(cell, zone);
            // No branch: half of the cells of two sketches are equal.
            let level = usize::from(joining(place, last_place));
            let is_pair = cell != last && zone == last_zone;
            joins[if is_pair { level } else { NEVER }] += 1;
            left += u64::from(cell != last);
            (last, last_place, last_zone) = (cell, place, zone);
        }
        let mut level = self.level;
        while left > most && level < LAST_LEVEL {
            level += 1;
            left -= joins[usize::from(level)];
        }
        (level, left)
    }

    /// The order key of the lowest score that a cell can contain, including NaN ranked worst.
    pub fn least(&self, cell: u64) -> u64 {
        if self.level == 0 {
            return cell;
        }
        let zone = self.zone(cell);
        let place = self.place(cell, zone);
        let edge = zone.checked_sub(1).map_or(0, |last| self.edges[last]);
        key_above(place).unwrap_or(BEST).max(edge)
    }

    /// The order key of the highest score that a cell can contain.
    pub fn greatest(&self, cell: u64) -> u64 {
        if self.level == 0 {
            return cell;
        }
        let zone = self.zone(cell);
        let place = self.place(cell, zone);
        let (by, joined) = shift_of(self.level);
        let number = if by >= u64::BITS { 0 } else { place >> by };
        let next = number + 1 + (joined >> (number >> 1 & 3) & 1);
        let is_last = by > next.leading_zeros();
        let end = if is_last { None } else { key_above(next << by) };
        let edge = self.edges.get(zone).map_or(BEST, |&edge| edge - 1);
        end.map_or(BEST, |end| end - 1).min(edge)
    }
}

/// The least order key whose mirrored key is at least `place`; none if there is none.
fn key_above(place: u64) -> Option<u64> {
    if place > mirrored(BEST) {
        None
    } else if place <= HALF >> 1 {
        Some(place << 1)
    } else if place > MIRRORED_ONE >> 1 {
        Some((place - (1021 << 51)) << 1)
    } else {
        // 1 minus the distance is rounded: the key is that one or a neighbour.
        let distance = f64::from_bits(MIRRORED_ONE - (place << 1));
        let near = key_of_f64(1.0 - distance);
        (near - 1..=near + 1).find(|&key| mirrored(key) >= place)
    }
}

wide! {
    fn fill_numbers[](keys: &[u64], by: u32, joined: u64, cells: &mut [u64]) -> () = fill_numbers_body;
    fn add_zone[](keys: &[u64], edge: u64, cells: &mut [u64]) -> () = add_zone_body;
}

#[inline(always)]
fn fill_numbers_body(keys: &[u64], by: u32, joined: u64, cells: &mut [u64]) {
    for (cell, &key) in cells.iter_mut().zip(keys) {
        *cell = number_of(mirrored(key), by, joined);
    }
}

#[inline(always)]
fn add_zone_body(keys: &[u64], edge: u64, cells: &mut [u64]) {
    for (cell, &key) in cells.iter_mut().zip(keys) {
        *cell += u64::from(edge <= key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The mirrored key with all bits.
    fn naive(key: u64) -> u128 {
        let score = f64_of(key);
        if key < HALF {
            key.into()
        } else if key <= ONE {
            u128::from(MIRRORED_ONE) - u128::from((1.0 - score).to_bits())
        } else {
            u128::from(key) + (1021 << 52)
        }
    }

    fn naive_cell(key: u64, level: u16, edges: &[u64]) -> (u128, usize) {
        let zone = edges.iter().filter(|&&edge| edge <= key).count();
        if level == 0 {
            (key.into(), zone)
        } else {
            let number = naive(key) >> (1 + (level - 1) / 4);
            let turn = [0, 2, 1, 3][(number >> 1 & 3) as usize];
            let is_joined = turn < (level - 1) % 4;
            (if is_joined { number & !1 } else { number }, zone)
        }
    }

    /// The order key of any score, often an awkward one.
    fn any_key() -> impl Strategy<Value = u64> {
        let awkward = [
            0.0,
            0.5,
            1.0,
            5e-324,
            -5e-324,
            0.1,
            0.9,
            2.0,
            -1.0,
            1e300,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ];
        prop_oneof![
            3 => (0.0..1.0_f64).prop_map(key_of_f64),
            2 => (-3.0..3.0_f64).prop_map(key_of_f64),
            1 => any::<f64>().prop_filter("a number", |x| !x.is_nan()).prop_map(key_of_f64),
            2 => (prop::sample::select(awkward.to_vec()), -2..3_i64).prop_map(|(score, step)| {
                let near = key_of_f64(score).saturating_add_signed(step);
                if f64_of(near).is_nan() { key_of_f64(score) } else { near }
            }),
            1 => prop_oneof![Just(WORST), Just(BEST)],
        ]
    }

    proptest! {
        #[test]
        fn the_mirrored_key_keeps_the_order(a in any_key(), b in any_key()) {
            prop_assert_eq!(u128::from(mirrored(a)), naive(a) >> 1);
            prop_assert_eq!(naive(a).cmp(&naive(b)), a.cmp(&b));
        }

        #[test]
        fn cells_agree_with_a_naive_twin(
            keys in prop::collection::vec(any_key(), 1..60),
            edges in prop::collection::btree_set(any_key(), 0..12),
            level in 0..=LAST_LEVEL,
            coarser in 0..=LAST_LEVEL,
            most in 1..40_u64,
        ) {
            let edges: Vec<u64> = edges.into_iter().collect();
            let grid = Grid::new(edges.clone(), level);
            let mut cells = vec![0; keys.len()];
            grid.fill_cells(&keys, &mut cells);
            for (&key, &cell) in keys.iter().zip(&cells) {
                prop_assert_eq!(grid.cell(key), cell);
                prop_assert_eq!(grid.zone(cell), edges.iter().filter(|&&edge| edge <= key).count());
                for &other in &keys {
                    let both = [key, other].map(|key| naive_cell(key, level, &edges));
                    prop_assert_eq!(both[0].cmp(&both[1]), cell.cmp(&grid.cell(other)));
                }
                let (least, greatest) = (grid.least(cell), grid.greatest(cell));
                prop_assert!(least <= key && key <= greatest);
                prop_assert!(grid.cell(least) == cell && grid.cell(greatest) == cell);
                prop_assert!(least == 0 || grid.cell(least - 1) < cell);
                prop_assert!(greatest == u64::MAX || grid.cell(greatest + 1) > cell);
                if coarser >= level {
                    let coarse = Grid::new(edges.clone(), coarser);
                    prop_assert_eq!(grid.cell_in(&coarse, cell), coarse.cell(key));
                }
            }
            cells.sort_unstable();
            let coarse = Grid::new(edges.clone(), level.max(coarser));
            let moved: Vec<u64> = cells.iter().map(|&cell| grid.cell_in(&coarse, cell)).collect();
            prop_assert_eq!(grid.cells_in(&coarse, &cells), moved);
            let len_at = |level| {
                let cells = keys.iter().map(|&key| naive_cell(key, level, &edges));
                cells.collect::<BTreeSet<_>>().len() as u64
            };
            let finest = (level..=LAST_LEVEL).find(|&level| len_at(level) <= most);
            let finest = finest.unwrap_or(LAST_LEVEL);
            let found = (finest, len_at(finest));
            prop_assert_eq!(grid.finest(cells.iter().copied(), most), found);
            prop_assert_eq!(grid.finest(cells.iter().rev().copied(), most), found);
        }
    }
}
