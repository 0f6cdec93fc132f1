//! Sums over the cells of one row of a confusion matrix, stored side by side.
//!
//! A formula of a whole matrix is a sum over cells. Each term depends on the cell, its row's sum
//! and its column's sum.
//!
//! 1. One loop computes a row. The row's sum is one number, and the columns' sums are stored beside
//!    the cells. If no cell of the row is empty, the columns' sums are used without gathering.
//! 2. Eight running totals are kept on every machine, even with shorter vectors, so all machines
//!    give the same bits.
//!
//! Cost: 3 to 10 µs for 10,000 cells.
//!
//! Tried and rejected:
//!
//! - one running total, cell by cell, with a look-up of the margins: 20 to 35 µs for 10,000 cells;
//! - ln(all) - ln(mass), with the logarithm of each cell shared by all formulas: faster, but it
//!   cancels where a cell is nearly all of its row.

#![allow(clippy::inline_always)] // Only inlined loops are compiled for each instruction set.

use crate::arith::logarithm::mass_by_log;
use crate::base::wide::wide;

const LANES: usize = 8;

wide! {
    /// mass ln(all / mass) of each cell; 0 where the mass is not above 0.
    pub(crate) fn surprises[](masses: &[f64], all: f64, to: &mut [f64]) -> () = surprises_of;

    /// The same, with a different `all` for each cell.
    pub(crate) fn surprises_among[](masses: &[f64], all: &[f64], to: &mut [f64]) -> () = surprises_among_of;

    /// The sum of mass * log - less over the cells; `logs` are the columns' logarithms.
    pub(crate) fn sum_beyond[](masses: &[f64], logs: &[f64], less: &[f64]) -> f64 = sum_beyond_of;

    /// The sum of squares, and whether all masses are whole numbers from 0 to below 2^51.
    pub fn squares[](masses: &[f64]) -> (f64, bool) = squares_of;

    /// (mass / column - share) (mass / row - column / total) of each cell: its squared
    /// deviation from expectation, divided by the product of its margins. Neither factor exceeds 1,
    /// and both are 0 where the mass is the expected one.
    pub fn deviations[](masses: &[f64], row: (f64, f64), columns: (&[f64], &[f64]), to: &mut [f64]) -> () = deviations_of;

    /// Updates the greatest mass so far of each column; returns the greatest of the cells.
    pub fn greatest[](masses: &[f64], so_far: &mut [f64]) -> f64 = greatest_of;

    /// Adds the pairs of rows that each cell forms, times the square of `scale`: within the cell,
    /// with the rest of its row, with the rest of its column, and with all other cells. Returns
    /// whether all nonzero masses are 1 or more.
    pub fn add_pairs[](masses: &[f64], row: f64, columns: &[f64], total: f64, scale: f64, sums: &mut [[f64; LANES]; 4]) -> bool = add_pairs_of;

    /// The sum of numbers, with eight running totals.
    pub fn sum[](terms: &[f64]) -> f64 = sum_of;

    /// Converts counts to the nearest floats.
    pub(crate) fn to_floats[](counts: &[u64], to: &mut [f64]) -> () = to_floats_of;
}

#[inline(always)]
fn surprise(mass: f64, all: f64) -> f64 {
    let term = mass_by_log(mass, all, mass);
    if mass > 0.0 { term } else { 0.0 }
}

#[inline(always)]
fn surprises_of(masses: &[f64], all: f64, to: &mut [f64]) {
    for (to, &mass) in to.iter_mut().zip(masses) {
        *to = surprise(mass, all);
    }
}

#[inline(always)]
fn surprises_among_of(masses: &[f64], all: &[f64], to: &mut [f64]) {
    for ((to, &mass), &all) in to.iter_mut().zip(masses).zip(all) {
        *to = surprise(mass, all);
    }
}

#[inline(always)]
fn sum_beyond_of(masses: &[f64], logs: &[f64], less: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (blocks, rest) = masses.as_chunks::<LANES>();
    let (log_blocks, log_rest) = logs.as_chunks::<LANES>();
    let (less_blocks, less_rest) = less.as_chunks::<LANES>();
    for ((block, logs), less) in blocks.iter().zip(log_blocks).zip(less_blocks) {
        for lane in 0..LANES {
            sums[lane] += block[lane] * logs[lane] - less[lane];
        }
    }
    let rest = rest.iter().zip(log_rest).zip(less_rest);
    for (sum, ((mass, log), less)) in sums.iter_mut().zip(rest) {
        *sum += mass * log - less;
    }
    sums.iter().sum()
}

#[inline(always)]
fn squares_of(masses: &[f64]) -> (f64, bool) {
    /// Adding and subtracting it rounds a number below 2^51 to a whole number.
    const ROUNDS: f64 = 6_755_399_441_055_744.0;
    let (mut sums, mut others) = ([0.0; LANES], [false; LANES]);
    let is_other = |mass: f64| {
        let whole = (mass + ROUNDS) - ROUNDS;
        whole != mass || !(0.0..2_251_799_813_685_248.0).contains(&mass)
    };
    let (blocks, rest) = masses.as_chunks::<LANES>();
    for block in blocks {
        for lane in 0..LANES {
            sums[lane] += block[lane] * block[lane];
            others[lane] |= is_other(block[lane]);
        }
    }
    for (lane, &mass) in rest.iter().enumerate() {
        sums[lane] += mass * mass;
        others[lane] |= is_other(mass);
    }
    (sums.iter().sum(), others == [false; LANES])
}

#[inline(always)]
fn deviations_of(
    masses: &[f64],
    (row, share): (f64, f64),
    (columns, shares): (&[f64], &[f64]),
    to: &mut [f64],
) {
    for ((to, &mass), (&column, &of_all)) in
        to.iter_mut().zip(masses).zip(columns.iter().zip(shares))
    {
        *to = (mass / column - share) * (mass / row - of_all);
    }
}

#[inline(always)]
fn greatest_of(masses: &[f64], so_far: &mut [f64]) -> f64 {
    let mut most = [0.0; LANES];
    for (most_and, &mass) in so_far.iter_mut().zip(masses) {
        *most_and = if mass > *most_and { mass } else { *most_and };
    }
    let (blocks, rest) = masses.as_chunks::<LANES>();
    for block in blocks {
        for lane in 0..LANES {
            most[lane] = if block[lane] > most[lane] { block[lane] } else { most[lane] };
        }
    }
    most.iter().chain(rest).copied().fold(0.0, f64::max)
}

#[inline(always)]
fn add_pairs_of(
    masses: &[f64],
    row: f64,
    columns: &[f64],
    total: f64,
    scale: f64,
    sums: &mut [[f64; LANES]; 4],
) -> bool {
    // Local copies, so that the running totals stay in registers.
    let [mut own, mut of_row, mut of_column, mut neither] = *sums;
    let mut fractions = [false; LANES];
    let len = masses.len().min(columns.len());
    let (blocks, rest) = masses[..len].as_chunks::<LANES>();
    let (column_blocks, column_rest) = columns[..len].as_chunks::<LANES>();
    // The zeros that fill the last block form no pairs.
    let (mut last, mut last_columns) = ([0.0; LANES], [0.0; LANES]);
    last[..rest.len()].copy_from_slice(rest);
    last_columns[..rest.len()].copy_from_slice(column_rest);
    let blocks = blocks.iter().chain(std::iter::once(&last));
    let column_blocks = column_blocks.iter().chain(std::iter::once(&last_columns));
    for (block, columns) in blocks.zip(column_blocks) {
        for lane in 0..LANES {
            let mass = block[lane];
            fractions[lane] |= mass < 1.0 && mass != 0.0;
            let [a, b, c, d] = pairs(mass, row, columns[lane], total, scale);
            own[lane] += a;
            of_row[lane] += b;
            of_column[lane] += c;
            neither[lane] += d;
        }
    }
    *sums = [own, of_row, of_column, neither];
    fractions == [false; LANES]
}

/// The pairs of one cell, as [`add_pairs`] adds them.
#[inline(always)]
pub(crate) fn pairs(mass: f64, row: f64, column: f64, total: f64, scale: f64) -> [f64; 4] {
    let above_zero = |x: f64| if x > 0.0 { x } else { 0.0 };
    let (only_row, only_column) = (above_zero(row - mass), above_zero(column - mass));
    let neither = above_zero(total - row - only_column);
    let scaled = mass * scale;
    [
        scaled * ((mass - 1.0) * scale),
        scaled * (only_row * scale),
        scaled * (only_column * scale),
        scaled * (neither * scale),
    ]
}

#[inline(always)]
fn sum_of(terms: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (blocks, rest) = terms.as_chunks::<LANES>();
    for block in blocks {
        for lane in 0..LANES {
            sums[lane] += block[lane];
        }
    }
    for (sum, term) in sums.iter_mut().zip(rest) {
        *sum += term;
    }
    sums.iter().sum()
}

#[inline(always)]
fn to_floats_of(counts: &[u64], to: &mut [f64]) {
    for (to, &count) in to.iter_mut().zip(counts) {
        *to = count as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(a: f64, b: f64, size: f64) -> bool {
        (a - b).abs() <= 1e-13 * size.abs() + 1e-300
    }

    proptest! {
        #[test]
        fn sums_are_the_naive_ones(cells in prop::collection::vec((0u32..50, 50u32..900), 0..70), more in 0u32..9) {
            let masses: Vec<f64> = cells.iter().map(|cell| cell.0.into()).collect();
            let columns: Vec<f64> = cells.iter().map(|cell| cell.1.into()).collect();
            let row = masses.iter().sum::<f64>() + f64::from(more);
            let total = row + columns.iter().sum::<f64>();
            let mut terms = vec![0.0; cells.len()];
            let log = |mass: f64, all: f64| if mass > 0.0 { mass * (all / mass).ln() } else { 0.0 };

            surprises(&masses, row, &mut terms);
            prop_assert!(terms.iter().zip(&masses).all(|(&t, &a)| near(t, log(a, row), a)));
            prop_assert!(near(sum(&terms), terms.iter().sum(), row * 9.0));
            surprises_among(&masses, &columns, &mut terms);
            prop_assert!(terms.iter().zip(cells.iter()).all(|(&t, &(a, c))| near(t, log(a.into(), c.into()), f64::from(a) * 9.0)));

            let logs: Vec<f64> = columns.iter().map(|column| column.ln()).collect();
            let naive: f64 = (0..cells.len()).map(|place| masses[place] * logs[place] - terms[place]).sum();
            prop_assert!(near(sum_beyond(&masses, &logs, &terms), naive, row * 9.0));

            let naive: f64 = masses.iter().map(|mass| mass * mass).sum();
            prop_assert_eq!(squares(&masses), (naive, true));
            for other in [0.5, -1.0, 2_251_799_813_685_248.0, f64::INFINITY, f64::NAN] {
                let mut masses = masses.clone();
                masses.insert(cells.len() / 2, other);
                prop_assert!(!squares(&masses).1);
            }

            if row > 0.0 {
                let shares: Vec<f64> = columns.iter().map(|column| column / total).collect();
                deviations(&masses, (row, row / total), (&columns, &shares), &mut terms);
                for ((&term, &mass), &column) in terms.iter().zip(&masses).zip(&columns) {
                    let off = mass - row * column / total;
                    prop_assert!(near(term, off * off / (row * column), 1.0));
                }
            }

            let mut so_far: Vec<f64> = columns.iter().map(|column| column / 30.0).collect();
            let before = so_far.clone();
            prop_assert_eq!(greatest(&masses, &mut so_far), masses.iter().copied().fold(0.0, f64::max));
            prop_assert!((0..cells.len()).all(|place| so_far[place] == before[place].max(masses[place])));

            let mut sums = [[0.0; LANES]; 4];
            prop_assert!(add_pairs(&masses, row, &columns, total, 1.0, &mut sums));
            let naive = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
                masses.iter().zip(&columns).map(|(&a, &c)| a * of(a, c)).sum()
            };
            let [own, of_row, of_column, neither] = sums.map(|sums| sums.iter().sum::<f64>());
            prop_assert_eq!(own, naive(&|a, _| a - 1.0));
            prop_assert_eq!(of_row, naive(&|a, _| row - a));
            prop_assert_eq!(of_column, naive(&|a, c| (c - a).max(0.0)));
            prop_assert_eq!(neither, naive(&|a, c| (total - row - (c - a).max(0.0)).max(0.0)));
            prop_assert!(!add_pairs(&[0.5], 1.0, &[2.0], 4.0, 1.0, &mut sums));
        }

        #[test]
        fn counts_are_rounded_as_ever(counts in prop::collection::vec(any::<u64>(), 0..40)) {
            let mut floats = vec![0.0; counts.len()];
            to_floats(&counts, &mut floats);
            prop_assert!(counts.iter().zip(&floats).all(|(&count, &float)| count as f64 == float));
        }
    }
}
