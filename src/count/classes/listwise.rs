//! Measures of how each row orders its own labels: coverage error, label ranking average precision
//! and loss, and (normalized) discounted cumulative gain.
//!
//! 1. Rows come in chunks that stay in cache, with their scores as order keys
//!    ([`crate::scores::keys`]), so the loops handle no dtype and no NaN.
//! 2. For a row of up to 24 labels all pairs are compared, without memory or a sort. A longer row
//!    is sorted.
//! 3. For gains, sixteen rows of up to 32 labels are transposed and sorted together, one lane each,
//!    by exchanging neighbours without a branch. The terms are then added by place, as for a single
//!    row.
//! 4. A longer row is sorted by insertion, or by the standard sort. Labels with equal scores share
//!    the mean discount of their places; vectors detect the rows without ties, which need no
//!    sharing.
//! 5. Each row gives one number. The numbers times the weights are added exactly
//!    ([`crate::arith::fast_sum`]), so their mean is the same for any order of rows, any split and
//!    any number of threads.
//!
//! Cost for 10 labels: about 8 ns a row for coverage, 25 for pairs, 20 for gains, 15 if ties are
//! ignored. Source: Schapire and Singer 2000, doi:10.1023/A:1007649029923 (average precision,
//! coverage, ranking loss); Järvelin and Kekäläinen 2002, doi:10.1145/582415.582418 (gain);
//! `McSherry` and Najork 2008, doi:10.1007/978-3-540-78646-7_38 (ties).
//!
//! Tried and rejected:
//! - Sorting every row: a sort of ten labels is slower than 45 comparisons without branches.
//! - Ranks of all labels: only the ranks of relevant labels are needed.
// A loop body must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::arith::exact::{Fixed, Weights, Wide};
use crate::arith::fast_sum::{BLOCK, add_block};
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::ScoreMatrix;
use crate::base::matrix::chunks;
use crate::base::memory::{CopyAll, Gather, Room, joined, with_room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::areas::Flat;
use crate::classes::losses::add_squared;
use crate::scores::keys::{Key, Lowered, ScoreReader, check_weights};

/// Rows of up to this many labels are compared pair by pair.
const FEW_LABELS: usize = 24;

/// How gains are discounted.
#[derive(Clone, Debug, PartialEq)]
pub struct Discount {
    /// Only this many places count; all, if `None`.
    pub first: Option<usize>,
    /// The base of the logarithm.
    pub base: f64,
    /// Whether labels with equal scores take single places, the later column first, instead of
    /// sharing them.
    pub ignore_ties: bool,
}

impl Default for Discount {
    fn default() -> Self {
        Self { first: None, base: 2.0, ignore_ties: false }
    }
}

/// The measure of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// The number of labels that score at least as high as the lowest relevant label; 0 without
    /// relevant labels.
    Coverage,
    /// The mean over relevant labels of a quotient: the relevant labels, divided by all labels,
    /// that score at least as high. 1 if all or no labels are relevant.
    AveragePrecision,
    /// The share of pairs (relevant label, other label) in which the relevant label does not score
    /// higher. 0 without pairs.
    Loss,
    /// The share of pairs (relevant label, other label) in which the relevant label scores higher;
    /// ties count one half. NaN without pairs.
    RocArea,
    /// Σ gain / log(1 + place), over places by descending score.
    Gain(Discount),
    /// The gain divided by its greatest possible value; 0 if that is 0.
    NormalizedGain(Discount),
}

/// The measure of every row.
///
/// # Errors
/// Matrices of different shapes or without rows or columns; NaN and infinite numbers; relevance
/// other than 0 and 1, except for gains; negative gains to be normalized.
///
/// ```
/// use rocksteady_count::base::input::ScoreMatrix;
/// use rocksteady_count::classes::listwise::{Measure, measured};
/// use rocksteady_count::base::matrix::Matrix;
///
/// let relevant = ScoreMatrix::U8(Matrix::from_slice(&[1, 0, 0, 0, 0, 1], 3));
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&[0.75, 0.5, 1.0, 1.0, 0.2, 0.1], 3));
/// assert_eq!(measured(&relevant, &scores, &Measure::Coverage)?, [2.0, 3.0]);
/// assert_eq!(measured(&relevant, &scores, &Measure::AveragePrecision)?, [0.5, 1.0 / 3.0]);
/// assert_eq!(measured(&relevant, &scores, &Measure::Loss)?, [0.5, 1.0]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn measured(
    relevance: &ScoreMatrix,
    scores: &ScoreMatrix,
    measure: &Measure,
) -> Result<Vec<f64>> {
    let parts = over_rows(relevance, scores, measure, |rows| {
        let mut all = with_room(rows);
        move |step: Step<'_>| match step {
            Step::Values(values, _) => {
                all.grow_by(values);
                Ok(Vec::new())
            }
            Step::End => Ok(std::mem::take(&mut all)),
        }
    })?;
    Ok(joined(parts))
}

/// The mean of the measure over rows, weighted if there are weights; NaN if all weights are zero.
///
/// # Errors
/// Like [`measured`]; weights of a wrong length, negative or not finite.
///
/// ```
/// use rocksteady_count::base::input::ScoreMatrix;
/// use rocksteady_count::classes::listwise::{Discount, Measure, mean};
/// use rocksteady_count::base::matrix::Matrix;
///
/// let gains = ScoreMatrix::F64(Matrix::from_slice(&[10.0, 0.0, 0.0, 1.0, 5.0], 5));
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&[0.1, 0.2, 0.3, 4.0, 70.0], 5));
/// let value = mean(&gains, &scores, None, &Measure::NormalizedGain(Discount::default()))?;
/// assert!((value - 0.695_694_044_381_307_6).abs() < 1e-15);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn mean(
    relevance: &ScoreMatrix,
    scores: &ScoreMatrix,
    weights: Option<Weights>,
    measure: &Measure,
) -> Result<f64> {
    let total = totals(relevance, scores, weights, measure, false)?;
    Ok(total.value() / total.weights.to_f64(Wide::LOWEST))
}

/// The exact sums of the measure over rows, of its squares if asked for, and of the weights.
///
/// # Errors
/// Like [`mean`].
pub fn totals(
    relevance: &ScoreMatrix,
    scores: &ScoreMatrix,
    weights: Option<Weights>,
    measure: &Measure,
    squares: bool,
) -> Result<Total> {
    let rows = scores.rows();
    let weighed = weights.as_ref().map_or(rows, Weights::len);
    check_length(("sample_weight", weighed), ("y_score", rows))?;
    let parts = over_rows(relevance, scores, measure, |_| {
        let mut total = Total::default();
        let (mut products, mut gathered) = (Vec::new(), Vec::new());
        move |step: Step<'_>| {
            let Step::Values(values, range) = step else {
                return Ok(std::mem::take(&mut total));
            };
            products.clear();
            products.grow_by(values);
            if let Some(weights) = &weights {
                let weights = weights.chunk(range.clone(), &mut gathered);
                // Checked and used in one copy, because the memory may change.
                let mut copy = weights.copy_all();
                check_weights(&copy, range.start, "sample_weight")?;
                if squares {
                    add_squared(&mut total.squared, values, Some(&copy));
                }
                for (product, weight) in products.iter_mut().zip(&copy) {
                    *product *= weight;
                }
                add_block(&mut total.weights, &mut copy);
            } else if squares {
                add_squared(&mut total.squared, values, None);
            }
            total.add(&mut products);
            Ok(Total::default())
        }
    })?;
    let mut total = Total::default();
    for part in parts {
        total.up = total.up.plus(part.up);
        total.down = total.down.plus(part.down);
        total.squared = total.squared.plus(part.squared);
        total.weights = total.weights.plus(part.weights);
        total.odd += part.odd;
    }
    if weights.is_none() {
        total.weights = Wide::of(rows as f64, Wide::LOWEST);
    }
    Ok(total)
}

/// An exact sum of numbers of either sign, and the sum of the weights.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    up: Wide,
    down: Wide,
    squared: Wide,
    weights: Wide,
    /// The sum of the infinite and NaN values.
    odd: f64,
}

impl Total {
    fn add(&mut self, numbers: &mut [f64]) {
        if add_plain(&mut self.up, numbers) {
            return;
        }
        let mut below: Vec<f64> = Vec::new();
        for x in numbers.iter_mut() {
            if !x.is_finite() {
                self.odd += *x;
                *x = 0.0;
            } else if *x < 0.0 {
                below.grow(-*x);
                *x = 0.0;
            }
        }
        add_block(&mut self.up, numbers);
        add_block(&mut self.down, &mut below);
    }

    /// The weight of the rows, the sums of the numbers above and below zero, and the sum of the
    /// squares; none if a number was not finite.
    pub fn sums(&self) -> Option<[Wide; 4]> {
        let is_finite = self.odd == 0.0;
        is_finite.then_some([self.weights, self.up, self.down, self.squared])
    }

    fn value(&self) -> f64 {
        self.up.to_f64(Wide::LOWEST) - self.down.to_f64(Wide::LOWEST) + self.odd
    }
}

/// The input of a collector of rows.
enum Step<'a> {
    /// The measures of these rows, at most [`BLOCK`].
    Values(&'a [f64], Range<usize>),
    /// The end of the part.
    End,
}

/// Passes the rows' measures, chunk by chunk, to collectors, one for each part of the rows; returns
/// the collectors' results.
fn over_rows<T: Send, C: FnMut(Step<'_>) -> Result<T>>(
    relevance: &ScoreMatrix,
    scores: &ScoreMatrix,
    measure: &Measure,
    collector: impl Fn(usize) -> C + Sync,
) -> Result<Vec<T>> {
    let (rows, columns) = (scores.rows(), scores.columns());
    if (relevance.rows(), relevance.columns()) != (rows, columns) {
        let found = format!("{} by {}", relevance.rows(), relevance.columns());
        let expected = format!("{rows} by {columns}, as y_score");
        return Err(Refusal::argument("y_true", found, expected));
    }
    if rows == 0 || columns == 0 {
        return Err(Refusal::Empty { argument: "y_score" });
    }
    let discounts = discounts(measure, columns);
    // Parts are cut by single numbers; a row belongs to the part with its first number.
    over_parts(rows.saturating_mul(columns), |part| {
        let rows = part.start.div_ceil(columns)..part.end.div_ceil(columns);
        let mut collect = collector(rows.len());
        let mut scratch = Scratch {
            measure,
            discounts: &discounts,
            flags: Vec::new(),
            entries: Vec::new(),
            values: Vec::new(),
        };
        if scores.kind().is_wide() {
            scratch.all_rows::<u64, _, _>(relevance, scores, rows, &mut collect)?;
        } else {
            scratch.all_rows::<u32, _, _>(relevance, scores, rows, &mut collect)?;
        }
        collect(Step::End)
    })
}

/// The discount of each place.
fn discounts(measure: &Measure, places: usize) -> Vec<f64> {
    let (Measure::Gain(discount) | Measure::NormalizedGain(discount)) = measure else {
        return Vec::new();
    };
    let counted = discount.first.unwrap_or(places).min(places);
    let base = discount.base.ln();
    (0..places)
        .map(|place| if place < counted { 1.0 / ((place as f64 + 2.0).ln() / base) } else { 0.0 })
        .gather()
}

struct Scratch<'a> {
    measure: &'a Measure,
    discounts: &'a [f64],
    flags: Vec<u8>,
    /// A row's gains or flags, with their sort keys.
    entries: Vec<(u64, f64)>,
    values: Vec<f64>,
}

impl Scratch<'_> {
    fn all_rows<K: Lowered, T, C: FnMut(Step<'_>) -> Result<T>>(
        &mut self,
        relevance: &ScoreMatrix,
        scores: &ScoreMatrix,
        rows: Range<usize>,
        collect: &mut C,
    ) -> Result<()> {
        let columns = scores.columns();
        let (mut keys, mut codes) = (Vec::<K>::new(), Vec::new());
        let (mut converted, mut memory) = (Vec::new(), Flat::default());
        for range in chunks(rows, columns) {
            let numbers = range.len() * columns;
            keys.grow_to(numbers, K::default());
            codes.grow_to(numbers, 0);
            let reader = ScoreReader::finite(memory.of(scores, range.clone()));
            reader
                .lower(0..numbers, &mut keys, &mut codes)
                .map_err(|stop| by_row(stop.refusal(), range.start, columns))?;
            self.values.clear();
            let refused = match self.measure {
                Measure::Gain(_) | Measure::NormalizedGain(_) => {
                    let gains = relevance.lowered(range.clone(), &mut converted);
                    self.gains(gains, &keys, columns)
                }
                _ => {
                    relevance.flags(range.clone(), &mut self.flags);
                    self.labels(&keys, columns)
                }
            };
            if let Err(refusal) = refused {
                return Err(by_row(refusal, range.start, columns));
            }
            collect(Step::Values(&self.values, range))?;
        }
        Ok(())
    }

    /// Rows whose labels are relevant or not.
    fn labels<K: Key>(&mut self, keys: &[K], columns: usize) -> Result<()> {
        if self.flags.iter().fold(0, |all, flag| all | flag) > 1 {
            let place = self.flags.iter().position(|&flag| flag > 1).unwrap_or(0);
            return Err(Refusal::row("y_true", place, "another number", "0 or 1"));
        }
        let rows = || self.flags.chunks_exact(columns).zip(keys.chunks_exact(columns));
        let entries = &mut self.entries;
        match self.measure {
            Measure::Coverage => {
                coverages(&self.flags, keys, columns, &mut self.values);
            }
            Measure::AveragePrecision => self
                .values
                .grow_with(rows().map(|(flags, keys)| average_precision(flags, keys, entries))),
            Measure::RocArea => {
                self.values.grow_with(rows().map(|(flags, keys)| roc_area(flags, keys, entries)));
            }
            _ => self.values.grow_with(rows().map(|(flags, keys)| loss(flags, keys, entries))),
        }
        Ok(())
    }

    fn gains<K: Key>(&mut self, gains: &[f64], keys: &[K], columns: usize) -> Result<()> {
        let (finite, positive) = kinds(gains);
        if !finite && let Some(place) = gains.iter().position(|gain| !gain.is_finite()) {
            let expected = "a finite number";
            return Err(Refusal::row("y_true", place, gains[place], expected));
        }
        let (normalized, discount) = match self.measure {
            Measure::NormalizedGain(discount) => (true, discount),
            Measure::Gain(discount) => (false, discount),
            _ => return Ok(()),
        };
        if normalized
            && !positive
            && let Some(place) = gains.iter().position(|&gain| gain < 0.0)
        {
            let expected = "no negative gain";
            return Err(Refusal::row("y_true", place, gains[place], expected));
        }
        if columns <= SHORT {
            gains_abreast(
                gains,
                keys,
                columns,
                self.discounts,
                [normalized, discount.ignore_ties],
                &mut self.values,
            );
            return Ok(());
        }
        let entries = &mut self.entries;
        for (gains, keys) in gains.chunks_exact(columns).zip(keys.chunks_exact(columns)) {
            entries.clear();
            entries.grow_with(keys.iter().zip(gains).rev().map(|(key, &gain)| (key.wide(), gain)));
            sort_descending(entries, |a, b| a.0 < b.0);
            let mut gain = if discount.ignore_ties {
                let terms = entries.iter().zip(self.discounts);
                terms.map(|(entry, discount)| entry.1 * discount).sum()
            } else {
                tied_gain(entries, self.discounts)
            };
            if normalized {
                sort_descending(entries, |a, b| a.1 < b.1);
                let terms = entries.iter().zip(self.discounts);
                let best: f64 = terms.map(|(entry, discount)| entry.1 * discount).sum();
                gain = if best == 0.0 { 0.0 } else { gain / best };
            }
            self.values.grow(gain);
        }
        Ok(())
    }
}

/// The refusal of a flattened number, converted to its row.
fn by_row(refusal: Refusal, first: usize, columns: usize) -> Refusal {
    match refusal {
        Refusal::Row { argument, row, value, expected } => {
            Refusal::Row { argument, row: first + row / columns, value, expected }
        }
        other => other,
    }
}

/// Sorts in descending order; equal entries keep their order.
fn sort_descending(entries: &mut [(u64, f64)], below: impl Fn(&(u64, f64), &(u64, f64)) -> bool) {
    if entries.len() > 2 * FEW_LABELS {
        entries.sort_by(|a, b| {
            if below(a, b) {
                std::cmp::Ordering::Greater
            } else if below(b, a) {
                std::cmp::Ordering::Less
            } else {
                std::cmp::Ordering::Equal
            }
        });
        return;
    }
    for at in 1..entries.len() {
        let entry = entries[at];
        let mut to = at;
        while to > 0 && below(&entries[to - 1], &entry) {
            entries[to] = entries[to - 1];
            to -= 1;
        }
        entries[to] = entry;
    }
}

/// Entries with equal keys share the mean gain over the discounts of their places.
fn tied_gain(entries: &[(u64, f64)], discounts: &[f64]) -> f64 {
    let (mut total, mut place) = (0.0, 0);
    for group in entries.chunk_by(|a, b| a.0 == b.0) {
        let shares: f64 = discounts[place..place + group.len()].iter().sum();
        let gains: f64 = group.iter().map(|entry| entry.1).sum();
        total += gains / group.len() as f64 * shares;
        place += group.len();
    }
    total
}

/// Rows of up to this many labels are sorted side by side.
const SHORT: usize = 32;

/// The number of rows sorted side by side: two vectors of eight, which do not wait for each other.
const ABREAST: usize = 16;

/// One number for each of the rows side by side, in whole cache lines.
///
/// The key of a score is stored as the bits of a double. The maximum of `u64` is a vector operation
/// only in AVX-512, and the compiler does 32 of them one by one; selecting doubles is a vector
/// operation at all levels.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Abreast([[f64; 8]; ABREAST / 8]);

/// The gain of each row. If ties are ignored, tied labels take single places, the later column
/// first.
#[inline(always)]
fn gains_abreast_body<K: Key>(
    gains: &[f64],
    keys: &[K],
    columns: usize,
    discounts: &[f64],
    [normalized, ignore_ties]: [bool; 2],
    values: &mut Vec<f64>,
) {
    let mut scores = [Abreast([[0.0; 8]; ABREAST / 8]); SHORT];
    let mut taken = [Abreast([[0.0; 8]; ABREAST / 8]); SHORT];
    let (scores, taken) = (&mut scores[..columns], &mut taken[..columns]);
    let block = ABREAST * columns;
    for (keys, gains) in keys.chunks(block).zip(gains.chunks(block)) {
        side_by_side(keys, gains, scores, taken);
        sort_abreast(scores, taken);
        let mut totals = discounted(taken, discounts);
        if !ignore_ties {
            share_places(scores, taken, discounts, &mut totals);
        }
        if normalized {
            sort_gains(taken);
            let best = discounted(taken, discounts);
            let pairs = totals.0.as_flattened_mut().iter_mut();
            for (total, &best) in pairs.zip(best.0.as_flattened()) {
                *total = if best == 0.0 { 0.0 } else { *total / best };
            }
        }
        values.grow_by(&totals.0.as_flattened()[..keys.len() / columns]);
    }
}

/// Transposes rows so that they lie side by side, the last column first. A separate function: wider
/// instructions would scatter the numbers, which takes longer than moving them one by one.
#[inline(never)]
fn side_by_side<K: Key>(keys: &[K], gains: &[f64], scores: &mut [Abreast], taken: &mut [Abreast]) {
    let columns = scores.len();
    let rows = keys.chunks_exact(columns).zip(gains.chunks_exact(columns));
    for (row, (keys, gains)) in rows.enumerate() {
        let (half, lane) = (row / 8 % (ABREAST / 8), row % 8);
        let places = scores.iter_mut().zip(taken.iter_mut()).rev();
        for ((score, gain), (key, &from)) in places.zip(keys.iter().zip(gains)) {
            score.0[half][lane] = f64::from_bits(key.wide());
            gain.0[half][lane] = from;
        }
    }
}

/// Sorts each row by descending score and moves the gains along; ties keep their order.
#[inline(always)]
fn sort_abreast(scores: &mut [Abreast], gains: &mut [Abreast]) {
    for end in (1..scores.len()).rev() {
        let (mut score, mut gain) = (scores[0], gains[0]);
        let (scores, gains) = (&mut scores[..=end], &mut gains[..=end]);
        for at in 1..=end {
            let (next, next_gain) = (scores[at], gains[at]);
            for half in 0..ABREAST / 8 {
                for lane in 0..8 {
                    let (a, b) = (score.0[half][lane], next.0[half][lane]);
                    let (x, y) = (gain.0[half][lane], next_gain.0[half][lane]);
                    let rises = b.to_bits() > a.to_bits();
                    scores[at - 1].0[half][lane] = if rises { b } else { a };
                    gains[at - 1].0[half][lane] = if rises { y } else { x };
                    score.0[half][lane] = if rises { a } else { b };
                    gain.0[half][lane] = if rises { x } else { y };
                }
            }
        }
        (scores[end], gains[end]) = (score, gain);
    }
}

/// Replaces the gain of each sorted row with ties by the gain of shared places.
#[inline(always)]
fn share_places(scores: &[Abreast], gains: &[Abreast], discounts: &[f64], totals: &mut Abreast) {
    let mut tied = [[0_u64; 8]; ABREAST / 8];
    for pair in scores.windows(2) {
        for (half, tied) in tied.iter_mut().enumerate() {
            for (lane, tied) in tied.iter_mut().enumerate() {
                let [a, b] = [0, 1].map(|of: usize| pair[of].0[half][lane].to_bits());
                *tied |= u64::from(a == b);
            }
        }
    }
    for half in 0..ABREAST / 8 {
        for lane in 0..8 {
            totals.0[half][lane] += 0.0; // a sum that begins at 0 is never −0
        }
    }
    for (row, _) in tied.as_flattened().iter().enumerate().filter(|row| *row.1 > 0) {
        totals.0[row / 8][row % 8] = shared_gain(scores, gains, discounts, row);
    }
}

/// The gain of one of the rows side by side.
#[inline(never)]
fn shared_gain(scores: &[Abreast], gains: &[Abreast], discounts: &[f64], row: usize) -> f64 {
    let (half, lane) = (row / 8, row % 8);
    let mut entries = [(0, 0.0); SHORT];
    for (entry, (score, gain)) in entries.iter_mut().zip(scores.iter().zip(gains)) {
        *entry = (score.0[half][lane].to_bits(), gain.0[half][lane]);
    }
    tied_gain(&entries[..scores.len()], discounts)
}

#[inline(always)]
fn sort_gains(gains: &mut [Abreast]) {
    for end in (1..gains.len()).rev() {
        let mut gain = gains[0];
        let gains = &mut gains[..=end];
        for at in 1..=end {
            let next = gains[at];
            for half in 0..ABREAST / 8 {
                for lane in 0..8 {
                    let (x, y) = (gain.0[half][lane], next.0[half][lane]);
                    let rises = y > x;
                    gains[at - 1].0[half][lane] = if rises { y } else { x };
                    gain.0[half][lane] = if rises { x } else { y };
                }
            }
        }
        gains[end] = gain;
    }
}

/// The discounted gains of each row, added in the order of the places.
#[inline(always)]
fn discounted(gains: &[Abreast], discounts: &[f64]) -> Abreast {
    let mut totals = Abreast([[-0.0; 8]; ABREAST / 8]);
    for (gains, &discount) in gains.iter().zip(discounts) {
        for half in 0..ABREAST / 8 {
            for lane in 0..8 {
                totals.0[half][lane] += gains.0[half][lane] * discount;
            }
        }
    }
    totals
}

#[inline(always)]
fn kinds_body(gains: &[f64]) -> (bool, bool) {
    let (mut finite, mut positive) = (true, true);
    for gain in gains {
        finite &= gain.abs() < f64::INFINITY;
        positive &= *gain >= 0.0;
    }
    (finite, positive)
}

/// The coverage of each row: counts and minima without branches, so that the compiler can vectorise
/// them.
#[inline(always)]
fn coverage_body<K: Key>(flags: &[u8], keys: &[K], columns: usize, values: &mut Vec<f64>) {
    for (flags, keys) in flags.chunks_exact(columns).zip(keys.chunks_exact(columns)) {
        let mut lowest = K::MAX;
        let mut any = 0;
        for (&key, &flag) in keys.iter().zip(flags) {
            lowest = lowest.min(if flag == 1 { key } else { K::MAX });
            any |= flag;
        }
        let mut reached = 0_u32;
        for &key in keys {
            reached += u32::from(key >= lowest);
        }
        values.grow(f64::from(reached * u32::from(any)));
    }
}

/// Whether all numbers are finite and not negative; if so, adds them and overwrites them.
#[inline(always)]
fn add_plain_body(sum: &mut Wide, numbers: &mut [f64]) -> bool {
    let plain = |good: bool, x: &f64| good & (0.0..f64::INFINITY).contains(x);
    let good = numbers.iter().fold(true, plain);
    if good {
        add_block(sum, numbers);
    }
    good
}

wide! {
    fn coverages[K: Key](flags: &[u8], keys: &[K], columns: usize, values: &mut Vec<f64>) -> () = coverage_body;
    fn gains_abreast[K: Key](
        gains: &[f64],
        keys: &[K],
        columns: usize,
        discounts: &[f64],
        normalized_and_ignoring_ties: [bool; 2],
        values: &mut Vec<f64>,
    ) -> () = gains_abreast_body;
    fn kinds[](gains: &[f64]) -> (bool, bool) = kinds_body;
    fn add_plain[](sum: &mut Wide, numbers: &mut [f64]) -> bool = add_plain_body;
}

/// The number of relevant labels, and the number of others.
fn sides(flags: &[u8]) -> (usize, usize) {
    let relevant = flags.iter().map(|&flag| usize::from(flag)).sum();
    (relevant, flags.len() - relevant)
}

/// A long row's labels, by descending score.
fn sorted<K: Key>(flags: &[u8], keys: &[K], entries: &mut Vec<(u64, f64)>) {
    entries.clear();
    let pairs = keys.iter().zip(flags);
    entries.grow_with(pairs.map(|(key, &flag)| (key.wide(), f64::from(flag))));
    entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.0));
}

fn average_precision<K: Key>(flags: &[u8], keys: &[K], entries: &mut Vec<(u64, f64)>) -> f64 {
    let (relevant, others) = sides(flags);
    if relevant == 0 || others == 0 {
        return 1.0;
    }
    let mut total = 0.0;
    if flags.len() <= FEW_LABELS {
        for (&key, _) in keys.iter().zip(flags).filter(|label| *label.1 == 1) {
            let (mut hits, mut rank) = (0_u32, 0_u32);
            for (&other, &flag) in keys.iter().zip(flags) {
                let reached = u32::from(other >= key);
                rank += reached;
                hits += reached & u32::from(flag);
            }
            total += f64::from(hits) / f64::from(rank);
        }
    } else {
        sorted(flags, keys, entries);
        let (mut hits, mut rank) = (0.0, 0);
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            let here: f64 = group.iter().map(|entry| entry.1).sum();
            hits += here;
            rank += group.len();
            total += here * (hits / rank as f64);
        }
    }
    total / relevant as f64
}

/// Over pairs (relevant label, other label): how often the other label scores higher, and how often
/// equally.
fn wrong_pairs<K: Key>(flags: &[u8], keys: &[K], entries: &mut Vec<(u64, f64)>) -> (u64, u64) {
    let (mut above, mut tied) = (0_u64, 0_u64);
    if flags.len() <= FEW_LABELS {
        for (&key, _) in keys.iter().zip(flags).filter(|label| *label.1 == 1) {
            for (&other, &flag) in keys.iter().zip(flags) {
                let not_relevant = u64::from(flag ^ 1);
                above += u64::from(other > key) & not_relevant;
                tied += u64::from(other == key) & not_relevant;
            }
        }
    } else {
        sorted(flags, keys, entries);
        let mut others_above = 0_u64;
        for group in entries.chunk_by(|a, b| a.0 == b.0) {
            let here = group.iter().filter(|entry| entry.1 > 0.0).count() as u64;
            let others = group.len() as u64 - here;
            above += here * others_above;
            tied += here * others;
            others_above += others;
        }
    }
    (above, tied)
}

fn loss<K: Key>(flags: &[u8], keys: &[K], entries: &mut Vec<(u64, f64)>) -> f64 {
    let (relevant, others) = sides(flags);
    if relevant == 0 || others == 0 {
        return 0.0;
    }
    let (above, tied) = wrong_pairs(flags, keys, entries);
    (above + tied) as f64 / (relevant as f64 * others as f64)
}

fn roc_area<K: Key>(flags: &[u8], keys: &[K], entries: &mut Vec<(u64, f64)>) -> f64 {
    let (relevant, others) = sides(flags);
    let pairs = 2 * relevant as u64 * others as u64;
    if pairs == 0 {
        return f64::NAN;
    }
    let (above, tied) = wrong_pairs(flags, keys, entries);
    (pairs - 2 * above - tied) as f64 / pairs as f64
}

const _: () = assert!(BLOCK >= crate::base::column::CHUNK, "a chunk of rows is one block");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        if a.is_nan() && b.is_nan() {
            return true;
        }
        (a - b).abs() <= 1e-12 * b.abs().max(1.0)
    }

    /// The measure of a row, by its definition.
    fn naive(measure: &Measure, gains: &[f64], scores: &[f64]) -> f64 {
        let n = gains.len();
        let relevant: Vec<usize> = (0..n).filter(|&i| gains[i] == 1.0).collect();
        let others: Vec<usize> = (0..n).filter(|&i| gains[i] != 1.0).collect();
        let reach =
            |of: &[usize], i: usize| of.iter().filter(|&&j| scores[j] >= scores[i]).count() as f64;
        let all: Vec<usize> = (0..n).collect();
        let gain = |order: &[f64], discount: &Discount| -> f64 {
            // Each label takes the mean discount of the places of its ties.
            let place = |i: usize| -> f64 {
                let above = order.iter().filter(|&&s| s > order[i]).count();
                let later = order[i + 1..].iter().filter(|&&s| s == order[i]).count();
                let (above, ties) = if discount.ignore_ties {
                    (above + later, 1)
                } else {
                    (above, order.iter().filter(|&&s| s == order[i]).count())
                };
                let counted = discount.first.unwrap_or(n);
                let of = |at: usize| {
                    if at < counted { discount.base.ln() / (at as f64 + 2.0).ln() } else { 0.0 }
                };
                (above..above + ties).map(of).sum::<f64>() / ties as f64
            };
            (0..n).map(|i| gains[i] * place(i)).sum()
        };
        match measure {
            Measure::Coverage => relevant.iter().map(|&i| reach(&all, i)).fold(0.0, f64::max),
            Measure::AveragePrecision if relevant.is_empty() || others.is_empty() => 1.0,
            Measure::AveragePrecision => {
                relevant.iter().map(|&i| reach(&relevant, i) / reach(&all, i)).sum::<f64>()
                    / relevant.len() as f64
            }
            Measure::Loss if relevant.is_empty() || others.is_empty() => 0.0,
            Measure::Loss => {
                relevant.iter().map(|&i| reach(&others, i)).sum::<f64>()
                    / (relevant.len() * others.len()) as f64
            }
            Measure::RocArea => {
                let above =
                    |i: usize| others.iter().filter(|&&j| scores[j] > scores[i]).count() as f64;
                let wrong: f64 =
                    relevant.iter().map(|&i| f64::midpoint(reach(&others, i), above(i))).sum();
                1.0 - wrong / (relevant.len() * others.len()) as f64
            }
            Measure::Gain(discount) => gain(scores, discount),
            Measure::NormalizedGain(discount) => {
                let best = gain(gains, discount);
                if best == 0.0 { 0.0 } else { gain(scores, discount) / best }
            }
        }
    }

    fn measures() -> [Measure; 9] {
        let first = Discount { first: Some(2), base: 10.0, ..Discount::default() };
        let taken = Discount { first: Some(4), ignore_ties: true, ..Discount::default() };
        [
            Measure::Coverage,
            Measure::AveragePrecision,
            Measure::Loss,
            Measure::RocArea,
            Measure::Gain(Discount::default()),
            Measure::Gain(first.clone()),
            Measure::NormalizedGain(first),
            Measure::Gain(taken.clone()),
            Measure::NormalizedGain(taken),
        ]
    }

    proptest! {
        #[test]
        fn every_measure_is_its_definition(
            columns in 1_usize..70,
            cells in prop::collection::vec((0_u8..2, 0_u8..12, 0_u8..5), 70..400),
        ) {
            let rows = cells.len() / columns;
            let flags: Vec<f64> = cells[..rows * columns].iter().map(|cell| f64::from(cell.0)).collect();
            let graded: Vec<f64> = cells[..rows * columns].iter().map(|cell| f64::from(cell.2)).collect();
            let scores: Vec<f64> = cells[..rows * columns].iter().map(|cell| f64::from(cell.1) / 4.0 - 1.0).collect();
            let weights: Vec<f64> = cells[..rows].iter().map(|cell| f64::from(cell.1) + 0.5).collect();
            for measure in measures() {
                let gains = match measure {
                    Measure::Gain(_) | Measure::NormalizedGain(_) => &graded,
                    _ => &flags,
                };
                let y = ScoreMatrix::F64(Matrix::from_slice(gains, columns));
                let s = ScoreMatrix::F64(Matrix::from_slice(&scores, columns));
                let each = measured(&y, &s, &measure).unwrap();
                prop_assert_eq!(each.len(), rows);
                for (row, &found) in each.iter().enumerate() {
                    let at = row * columns..(row + 1) * columns;
                    let expected = naive(&measure, &gains[at.clone()], &scores[at]);
                    prop_assert!(close(found, expected), "{:?}: {} {}", measure, found, expected);
                }
                let plain = mean(&y, &s, None, &measure).unwrap();
                prop_assert!(close(plain, each.iter().sum::<f64>() / rows as f64));
                let weighted = mean(&y, &s, Some(Column::from_slice(&weights)), &measure).unwrap();
                let top: f64 = each.iter().zip(&weights).map(|(x, w)| x * w).sum();
                prop_assert!(close(weighted, top / weights.iter().sum::<f64>()));
            }
        }
    }

    #[test]
    fn ties_may_be_ignored() {
        let y = ScoreMatrix::U8(Matrix::from_slice(&[3, 0, 1], 3));
        let s = ScoreMatrix::U8(Matrix::from_slice(&[1, 1, 0], 3));
        let taken = Measure::Gain(Discount { ignore_ties: true, ..Discount::default() });
        let value = mean(&y, &s, None, &taken).unwrap();
        assert!(close(value, 3.0 / 3_f64.log2() + 1.0 / 2.0));
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let s = [0.5, f64::NAN, 0.1, 0.2];
        let y = [0_u8, 1, 2, 1];
        let scores = ScoreMatrix::F64(Matrix::from_slice(&s, 2));
        let fine = ScoreMatrix::F64(Matrix::from_slice(&[0.5; 4], 2));
        let relevance = ScoreMatrix::U8(Matrix::from_slice(&y, 2));
        let two = ScoreMatrix::U8(Matrix::from_slice(&y[..2], 2));
        assert!(mean(&two, &fine, None, &Measure::Loss).is_err());
        assert!(matches!(
            mean(&relevance, &scores, None, &Measure::Gain(Discount::default())),
            Err(Refusal::Row { argument: "y_score", row: 0, .. })
        ));
        assert!(matches!(
            mean(&relevance, &fine, None, &Measure::Loss),
            Err(Refusal::Row { argument: "y_true", row: 1, .. })
        ));
        let weights = [1.0, -1.0];
        let weights = Some(Column::from_slice(&weights[..]));
        let binary = ScoreMatrix::U8(Matrix::from_slice(&[0, 1, 0, 1], 2));
        assert!(mean(&binary, &fine, weights, &Measure::Loss).is_err());
    }
}
