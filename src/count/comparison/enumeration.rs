//! All confusion matrices with given class sizes, and all rankings of some positives and negatives.
//!
//! A law of two indices that holds over all of them is proven for this size, without sampling.
//!
//! 1. Matrices are counted up like an odometer. Each row of the matrix runs through the
//!    compositions of its class's size into K parts, the last row fastest; there are
//!    `prod_k C(t[k] + K - 1, K - 1)`.
//! 2. Rankings are the choices of the places of the positives, in lexicographic order: `C(n, p)`.
//!
//! Cost: one write of each item. More than [`MOST`], or more numbers than [`MOST_NUMBERS`], are
//! refused before the first.
//!
//! Source: algorithm NEXCOM of Nijenhuis, Wilf 1978, Combinatorial Algorithms, chapter 5.

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};

/// The most matrices or rankings.
pub const MOST: u128 = 2_000_000;

/// The most cells, or places in rankings, altogether.
pub const MOST_NUMBERS: u128 = 100 * MOST;

fn binomial(n: u64, k: u64) -> Option<u128> {
    let k = k.min(n - k.min(n));
    (0..k).try_fold(1_u128, |product, i| {
        // After each step the product is C(n, i + 1), so the division is exact.
        Some(product.checked_mul(u128::from(n - i))? / u128::from(i + 1))
    })
}

/// The number of confusion matrices with these class sizes; None beyond 128 bits.
pub fn number_of_matrices(sizes: &[u64]) -> Option<u128> {
    let others = (sizes.len() as u64).checked_sub(1)?;
    sizes.iter().try_fold(1_u128, |product, &size| {
        product.checked_mul(binomial(size.checked_add(others)?, others)?)
    })
}

fn too_many(argument: &'static str, what: &str, number: Option<u128>, most: u128) -> Refusal {
    let number = number.map_or_else(|| "over 2^128".to_owned(), |number| number.to_string());
    let expected = format!("at most {most}");
    Refusal::argument(argument, format!("good for {number} {what}"), expected)
}

/// All confusion matrices with classes of the given sizes: their cells, K×K for each, rows actual.
///
/// # Errors
/// [`Refusal::Argument`] for no classes or no rows, and for more than [`MOST`] matrices or
/// [`MOST_NUMBERS`] cells.
pub fn matrices(sizes: &[u64]) -> Result<Vec<u64>> {
    if sizes.iter().all(|&size| size == 0) {
        let found = format!("{sizes:?}");
        let expected = "the number of rows of each class, at least one row in all";
        return Err(Refusal::argument("class_sizes", found, expected));
    }
    let number = number_of_matrices(sizes);
    let Some(some) = number.filter(|&number| number <= MOST) else {
        return Err(too_many("class_sizes", "confusion matrices", number, MOST));
    };
    let classes = sizes.len();
    // Classes without rows enlarge each matrix, but add no matrices.
    let numbers = (classes as u128).checked_pow(2).and_then(|cells| cells.checked_mul(some));
    let Some(numbers) = numbers.filter(|&numbers| numbers <= MOST_NUMBERS) else {
        return Err(too_many("class_sizes", "cells in all", numbers, MOST_NUMBERS));
    };
    let cells = classes * classes;
    let mut current = vec![0; cells];
    for (row, &size) in current.chunks_exact_mut(classes).zip(sizes) {
        row[0] = size;
    }
    let mut all = with_room(numbers as usize);
    loop {
        all.grow_by(&current);
        let rows = current.chunks_exact_mut(classes).rev();
        if !rows.into_iter().any(next_composition) {
            return Ok(all);
        }
    }
}

/// Turns a composition into the next one; the last one into the first, with false.
fn next_composition(parts: &mut [u64]) -> bool {
    let Some(place) = parts.iter().position(|&part| part > 0) else {
        return false; // of nothing there is one
    };
    let amount = std::mem::take(&mut parts[place]);
    match parts.get_mut(place + 1) {
        None => {
            parts[0] = amount;
            false
        }
        Some(next) => {
            *next += 1;
            parts[0] = amount - 1;
            true
        }
    }
}

/// The number of ways to predict all rows that give each of the [`matrices`] of these sizes.
///
/// # Errors
/// [`Refusal::Argument`] if the number of ways to predict all rows, K^T, exceeds 64 bits.
pub fn outcomes(matrices: &[u64], sizes: &[u64]) -> Result<Vec<u64>> {
    let classes = sizes.len();
    if classes == 0 {
        return Ok(Vec::new());
    }
    let rows = sizes.iter().try_fold(0_u64, |sum, &size| sum.checked_add(size));
    let rows = rows.and_then(|rows| u32::try_from(rows).ok());
    if rows.and_then(|rows| (classes as u64).checked_pow(rows)).is_none() {
        let expected =
            "sizes for which K to the power of the rows is below 2^64; else each=\"matrix\"";
        let found = format!("{sizes:?}");
        return Err(Refusal::argument("class_sizes", found, expected));
    }
    let ways = |parts: &[u64]| {
        let mut size = 0;
        parts.iter().fold(1_u64, |product, &part| {
            size += part;
            product * binomial(size, part).unwrap_or(0) as u64 // below K^T, by the check above
        })
    };
    let ways = |matrix: &[u64]| matrix.chunks_exact(classes).map(ways).product();
    Ok(matrices.chunks_exact(classes * classes).map(ways).gather())
}

/// All orders of the positives and negatives, the best rank first: 1 for a positive, 0 for a
/// negative.
///
/// # Errors
/// [`Refusal::Argument`] for no rows and for more than [`MOST`] rankings.
pub fn rankings(positives: u64, negatives: u64) -> Result<Vec<u8>> {
    let rows = positives.checked_add(negatives).filter(|&rows| rows > 0);
    let Some(rows) = rows else {
        let expected = "at least one row in all";
        return Err(Refusal::argument("positives", positives, expected));
    };
    let number = binomial(rows, positives);
    let Some(some) = number.filter(|&number| number <= MOST) else {
        return Err(too_many("positives", "rankings", number, MOST));
    };
    let numbers = some.checked_mul(rows.into());
    let Some(numbers) = numbers.filter(|&numbers| numbers <= MOST_NUMBERS) else {
        return Err(too_many("positives", "rows in all", numbers, MOST_NUMBERS));
    };
    let mut current = vec![0_u8; rows as usize];
    current[..positives as usize].fill(1);
    let mut all = with_room(numbers as usize);
    loop {
        all.grow_by(&current);
        // Moves the last positive that can fall one rank, and closes those below up to it.
        let Some(place) = current.windows(2).rposition(|pair| pair == [1, 0]) else {
            return Ok(all);
        };
        let after: usize = current[place + 2..].iter().map(|&label| usize::from(label)).sum();
        current[place] = 0;
        current[place + 1..].fill(0);
        current[place + 1..place + 2 + after].fill(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every way to predict every row, one by one.
    fn naive(sizes: &[u64]) -> HashMap<Vec<u64>, u64> {
        let classes = sizes.len();
        let actual: Vec<usize> =
            (0..classes).flat_map(|class| vec![class; sizes[class] as usize]).collect();
        let mut found = HashMap::new();
        for outcome in 0..classes.pow(actual.len() as u32) {
            let mut matrix = vec![0; classes * classes];
            let mut rest = outcome;
            for &class in &actual {
                matrix[class * classes + rest % classes] += 1;
                rest /= classes;
            }
            *found.entry(matrix).or_insert(0) += 1;
        }
        found
    }

    #[test]
    fn matrices_are_those_of_every_way_to_predict() {
        for sizes in [&[3][..], &[0, 2], &[2, 3], &[5, 4], &[1, 2, 1], &[2, 0, 3], &[1, 1, 1, 2]] {
            let expected = naive(sizes);
            let all = matrices(sizes).unwrap();
            let ways = outcomes(&all, sizes).unwrap();
            let cells = sizes.len() * sizes.len();
            let found: HashMap<Vec<u64>, u64> =
                all.chunks(cells).map(<[u64]>::to_vec).zip(ways).collect();
            assert_eq!(found, expected, "{sizes:?}");
            assert_eq!(all.len(), expected.len() * cells, "{sizes:?}");
            assert_eq!(number_of_matrices(sizes), Some(expected.len() as u128));
        }
    }

    #[test]
    fn rankings_are_all_different_and_all_there() {
        for (positives, negatives) in [(0, 1), (1, 0), (1, 4), (3, 2), (4, 4)] {
            let rows = (positives + negatives) as usize;
            let all = rankings(positives, negatives).unwrap();
            let mut each: Vec<&[u8]> = all.chunks(rows).collect();
            assert!(
                each.iter()
                    .all(|ranking| ranking.iter().map(|&x| u64::from(x)).sum::<u64>() == positives)
            );
            assert_eq!(each.len() as u128, binomial(positives + negatives, positives).unwrap());
            each.sort_unstable();
            each.dedup();
            assert_eq!(each.len() as u128, binomial(positives + negatives, positives).unwrap());
        }
    }

    #[test]
    fn sizes_that_explode_are_refused_at_once() {
        assert!(matrices(&[]).is_err() && matrices(&[0, 0]).is_err() && rankings(0, 0).is_err());
        let sentence = matrices(&[1000, 1000, 1000]).unwrap_err().to_string();
        assert!(sentence.contains("confusion matrices; expected at most 2000000"), "{sentence}");
        assert!(matrices(&[u64::MAX, u64::MAX]).is_err() && matrices(&[1 << 60; 9]).is_err());
        // Few, but huge matrices.
        let mut one_row = vec![0; 1 << 20];
        one_row[7] = 1;
        let sentence = matrices(&one_row).unwrap_err().to_string();
        assert!(sentence.contains("cells in all; expected at most"), "{sentence}");
        assert_eq!(matrices(&one_row[..100]).unwrap().len(), 1_000_000);
        assert!(outcomes(&[], &[]).unwrap().is_empty());
        assert!(
            rankings(u64::MAX, 1).is_err()
                && rankings(40, 40).is_err()
                && rankings(1, 1_000_000).is_err()
        );
        assert!(outcomes(&[30, 30, 4, 0], &[60, 4]).is_err());
    }
}
