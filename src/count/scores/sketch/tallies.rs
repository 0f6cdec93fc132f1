//! Counts rows in a table indexed by the cell number, for cells with several scores.
//!
//! At a coarse level nearly all rows fall into cells that already hold several scores. Such a row
//! needs no hash table and no comparison of scores: it adds one to the word of its cell. Words of
//! neighbouring cells are neighbours, so the many rows with few usual scores stay in cache.
//!
//! The words cover two windows of cell numbers: the window with most cells, and the window with
//! most of the other cells. Scores of both signs need two. Rows of all other cells are counted
//! elsewhere.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::memory::{CopyAll, zeros};
use crate::base::wide::wide;

/// Set in the word of a cell whose rows are counted here.
const OPEN: u64 = 1 << 63;
/// The most rows of both classes in a word: class 0 in its lower half, class 1 in its upper half.
const MOST_ROWS: u64 = (1 << 31) - 1;
/// Rows counted before a check whether all were in open cells.
const GROUP: usize = 8;

/// The two windows of words.
#[derive(Debug, Default)]
pub(crate) struct Tallies {
    /// The number of the first cell of each window.
    bases: [u64; 2],
    /// The number of cells in each window.
    span: u64,
    /// A word for each cell, 0 if its rows are not counted here. The last word stays 0.
    words: Vec<u64>,
    /// Rows counted since the words were reset.
    rows: u64,
}

impl Clone for Tallies {
    fn clone(&self) -> Self {
        Self { words: self.words.copy_all(), ..*self }
    }
}

impl Tallies {
    /// Memory for windows of `cells` cells each, all closed.
    pub(crate) fn make_room(&mut self, cells: usize) {
        if self.words.len() <= 2 * cells {
            self.words = zeros(2 * cells + 1);
            self.span = cells as u64;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Moves the windows to most of the cells, whose numbers ascend, and closes all cells.
    pub(crate) fn move_to(&mut self, numbers: impl Iterator<Item = u64> + Clone) {
        if self.is_empty() {
            return;
        }
        let span = self.span;
        let first = fullest(span, numbers.clone());
        let others = numbers.filter(|number| number.wrapping_sub(first) >= span);
        self.bases = [first, fullest(span, others)];
        self.words.fill(0);
        self.rows = 0;
    }

    /// Opens a cell, if it is in a window.
    #[inline]
    pub(crate) fn open(&mut self, number: u64) {
        let at = self.place(number);
        if at + 1 < self.words.len() {
            self.words[at] |= OPEN;
        }
    }

    fn place(&self, number: u64) -> usize {
        place_of(number, self.bases, self.span) as usize
    }

    /// Counts rows by the numbers of their cells. Moves the numbers of rows in closed cells to the
    /// front, and their rows into `missed`; returns their number. There must be room for the rows.
    pub(crate) fn count(
        &mut self,
        numbers: &mut [u64],
        classes: &[u8],
        missed: &mut [u32],
    ) -> usize {
        let rows = numbers.len();
        let places = &mut missed[..rows];
        fill_places(numbers, self.bases, self.span, places);
        let mut misses = 0;
        let mut done = 0;
        while done < rows {
            let from = done + add_rows(&mut self.words, &places[done..], &classes[done..]);
            done = rows.min(from + GROUP);
            for row in from..done {
                let word = &mut self.words[places[row] as usize];
                if *word & OPEN == 0 {
                    *word -= row_of(classes[row]);
                    // Rows after this one are not overwritten.
                    (places[misses], numbers[misses]) = (row as u32, numbers[row]);
                    misses += 1;
                }
            }
        }
        self.rows += (rows - misses) as u64;
        misses
    }

    /// Whether the words have room for `rows` more rows.
    pub(crate) fn has_room(&self, rows: usize) -> bool {
        self.rows + rows as u64 <= MOST_ROWS
    }

    /// The rows of class 0 and of class 1 of a cell: `rows` plus the rows counted here.
    #[inline]
    pub(crate) fn added(&self, number: u64, rows: [u64; 2]) -> [u64; 2] {
        let word = self.words.get(self.place(number)).map_or(0, |word| word & !OPEN);
        [rows[0] + (word & ((1 << 32) - 1)), rows[1] + (word >> 32)]
    }

    /// Resets the counts; cells stay open.
    pub(crate) fn forget(&mut self) {
        for word in &mut self.words {
            *word &= OPEN;
        }
        self.rows = 0;
    }
}

/// The value that a row of a class adds to a word.
#[inline(always)]
fn row_of(class: u8) -> u64 {
    1 + u64::from(class & 1) * ((1 << 32) - 1)
}

wide! {
    /// Adds rows up to the end of the first group with a closed cell. Returns the start of this
    /// group, or the number of rows.
    fn add_rows[](words: &mut [u64], places: &[u32], classes: &[u8]) -> usize = add_rows_body;
}

#[inline(always)]
fn add_rows_body(words: &mut [u64], places: &[u32], classes: &[u8]) -> usize {
    let (groups, tail) = places.as_chunks::<GROUP>();
    let (classes, classes_of_tail) = classes.as_chunks::<GROUP>();
    for (group, (places, classes)) in groups.iter().zip(classes).enumerate() {
        // One check for a group takes half the time of a check for each row.
        if !add_group(words, places, classes) {
            return GROUP * group;
        }
    }
    if add_group(words, tail, classes_of_tail) { places.len() } else { GROUP * groups.len() }
}

/// Adds rows. Returns whether all words are open.
#[inline(always)]
fn add_group(words: &mut [u64], places: &[u32], classes: &[u8]) -> bool {
    let mut open = OPEN;
    for (&at, &class) in places.iter().zip(classes) {
        let word = &mut words[at as usize];
        open &= *word;
        *word += row_of(class);
    }
    open != 0
}

/// The place of a cell's word; the last place outside the windows.
#[inline(always)]
fn place_of(number: u64, bases: [u64; 2], span: u64) -> u32 {
    let first = number.wrapping_sub(bases[0]);
    let second = span + number.wrapping_sub(bases[1]).min(span);
    (if first < span { first } else { second }) as u32
}

wide! {
    fn fill_places[](numbers: &[u64], bases: [u64; 2], span: u64, places: &mut [u32]) -> () = fill_places_body;
}

#[inline(always)]
fn fill_places_body(numbers: &[u64], bases: [u64; 2], span: u64, places: &mut [u32]) {
    for (place, &number) in places.iter_mut().zip(numbers) {
        *place = place_of(number, bases, span);
    }
}

/// The start of the window of `span` cells with most of the ascending cells.
fn fullest(span: u64, numbers: impl Iterator<Item = u64> + Clone) -> u64 {
    let (mut first, mut len) = (numbers.clone(), 0_u64);
    let mut low = first.next();
    let (mut base, mut most) = (0, 0);
    for number in numbers {
        len += 1;
        while let Some(start) = low
            && number - start >= span
        {
            low = first.next();
            len -= 1;
        }
        if len > most {
            (base, most) = (low.unwrap_or(number), len);
        }
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn rows_are_counted_or_missed(
            cells in prop::collection::btree_set(0..60_u64, 0..20),
            span in 1..20_usize,
            closed in 0..4_u64,
            rows in prop::collection::vec((0..70_u64, 0..2_u8), 0..200),
        ) {
            let mut tallies = Tallies::default();
            tallies.make_room(span);
            tallies.move_to(cells.iter().copied());
            let open: BTreeSet<u64> = cells.iter().copied().filter(|cell| cell % 4 >= closed).collect();
            for &cell in &open {
                tallies.open(cell);
            }
            let (numbers, classes): (Vec<u64>, Vec<u8>) = rows.iter().copied().unzip();
            let mut missed = vec![0; rows.len()];
            let misses = tallies.count(&mut numbers.clone(), &classes, &mut missed);
            let mut expected: BTreeMap<u64, [u64; 2]> = BTreeMap::new();
            for (row, &(number, class)) in rows.iter().enumerate() {
                let is_missed = missed[..misses].contains(&(row as u32));
                prop_assert!(is_missed || open.contains(&number));
                expected.entry(number).or_default()[usize::from(class)] += u64::from(!is_missed);
            }
            for (&number, &counts) in &expected {
                prop_assert_eq!(tallies.added(number, [5, 7]), [5 + counts[0], 7 + counts[1]]);
            }
            // No other window of this span has more cells than the first.
            let inside = |base: u64| cells.iter().filter(move |&&cell| (base..base + span as u64).contains(&cell));
            let most = cells.iter().map(|&base| inside(base).count()).max().unwrap_or(0);
            prop_assert_eq!(inside(tallies.bases[0]).count(), most);
            tallies.forget();
            for number in 0..70 {
                prop_assert_eq!(tallies.added(number, [0, 0]), [0, 0]);
            }
        }
    }

    #[test]
    fn a_word_holds_as_many_rows_as_it_says() {
        let mut tallies = Tallies::default();
        tallies.make_room(4);
        tallies.move_to([1, 2].into_iter());
        tallies.open(2);
        let at = tallies.place(2);
        tallies.words[at] = OPEN | (MOST_ROWS - 1) << 32 | (MOST_ROWS - 1);
        tallies.rows = MOST_ROWS - 1;
        assert!(tallies.has_room(1) && !tallies.has_room(2));
        assert_eq!(tallies.count(&mut [2], &[1], &mut [0]), 0);
        assert_eq!(tallies.added(2, [0, 0]), [MOST_ROWS - 1, MOST_ROWS]);
    }
}
