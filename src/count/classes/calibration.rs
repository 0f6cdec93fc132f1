//! Counts rows in bins by probability: the rows of each bin, its positive rows, and the sum of its
//! probabilities.
//!
//! Bin i of n holds the probabilities above edge i, up to and including edge i + 1. The first bin
//! also holds everything below, the last everything above. Bins that include their lower edge use
//! the numbers just below the edges. Edges are i/n, or the i/n quantiles of the probabilities,
//! interpolated linearly as in numpy.
//!
//! Up to 20 bins:
//!
//! 1. Strips of 512 rows are cut in vectors. Each probability becomes a whole number of 2^-34 and
//!    one of 2^-86. One word holds the first number, a count of one row and its class.
//! 2. Vectors of rows are compared with four edges at a time. The words and the finer numbers of
//!    the rows above each edge are added as integers.
//! 3. A bin is the difference of two such sums. Every step is exact, so the order of rows does not
//!    change the result.
//! 4. The remainder of a very small probability goes to a wide integer ([`crate::arith::exact`]).
//!    So do the sums of the bins at the end.
//!
//! More bins:
//!
//! 1. With edges i/n, one multiplication guesses a row's bin, and the rounded edges correct it.
//!    With quantiles, bisection finds the bin.
//! 2. Each probability is cut into multiples of 2^-31, of 2^-62 and of 2^-93; `f64` adds 2^20 and
//!    more of these without rounding.
//! 3. The remainder goes to a wide integer, as do the sums after 2^20 rows.
//!
//! Cost: half a nanosecond a row in five bins, 0.8 in ten, 1.2 in twenty, 8 ns in many; for
//! quantiles another 2 ns. Source: Niculescu-Mizil and Caruana 2005, doi:10.1145/1102351.1102430;
//! Hyndman and Fan 1996, definition 7 of a quantile, doi:10.1080/00031305.1996.10473566.
//!
//! Tried and rejected:
//! - 128-bit integers for each bin: three times the cost.
//! - One pass over the rows for each few bins: four times the cost.
//! - Twenty bins in tables updated row by row, with integers and four counters for each bin: two to
//!   four times the cost, because an addition waits for the last one to the same counter.

// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::{Fixed, Wide};
use crate::arith::fast_sum::{BLOCK, add_one, add_quanta};
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, Labels, ScoreMatrix};
use crate::base::matrix;
use crate::base::memory::{CopyAll, Gather, Room, in_place};
use crate::base::switch::switch_at;
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::losses::{positive_class, row_count, usual};
use crate::labels::classes::Classes;
use crate::scores::calibration::losses::not_a_probability;
use crate::scores::calibration::strip::outside;
use crate::scores::sweep::sort::few;
use std::ops::Range;

/// The edges of the bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Bins of equal width over [0, 1].
    Uniform,
    /// Bins of equal width over [0, 1] that include their lower edge; the last includes both.
    LeftClosed,
    /// Bins with nearly equal numbers of rows.
    Quantile,
}

/// The rows of each bin.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// The number of rows.
    pub rows: Vec<u64>,
    /// The number of rows of the positive class.
    pub positives: Vec<u64>,
    /// The sum of the probabilities, rounded once.
    pub probability: Vec<f64>,
}

/// Counts the rows of each of `bins` bins. `y_prob` has one column. Without `positive` the labels
/// must be 0 and 1, or −1 and 1, or only one of them, and 1 is positive.
///
/// # Errors
/// Columns of different lengths or without rows; no bins; more than two labels; a missing or
/// fractional label; labels without a known positive one; a probability outside [0, 1]; quantiles
/// of types other than 32- and 64-bit floats.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::calibration::{Edges, calibration};
/// use rocksteady_count::base::matrix::Matrix;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_prob = ScoreMatrix::F64(Matrix::from_slice(&[0.25, 0.5, 0.75, 1.0], 1));
/// let bins = calibration(&y_true, &y_prob, None, 2, Edges::Uniform)?;
/// assert_eq!((bins.rows, bins.positives), (vec![2, 2], vec![0, 2]));
/// assert_eq!(bins.probability, [0.75, 1.75]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn calibration(
    y_true: &Labels,
    y_prob: &ScoreMatrix,
    positive: Option<&Label>,
    bins: usize,
    edges: Edges,
) -> Result<Bins> {
    /// The most bins.
    const MOST: usize = 1 << 16;
    let rows = row_count(y_true, y_prob, None)?;
    if !(1..=MOST).contains(&bins) {
        return Err(Refusal::argument("n_bins", bins, format!("1 to {MOST}")));
    }
    if y_prob.columns() != 1 {
        let found = format!("a matrix of {} columns", y_prob.columns());
        return Err(Refusal::argument("y_score", found, "one column"));
    }
    let classes = match positive {
        None => {
            let found = Classes::found(y_true, 2)?;
            if !usual(&found.labels.values) {
                let expected = "the positive label, as the labels are not 0 and 1 or -1 and 1";
                return Err(Refusal::argument("pos_label", "None", expected));
            }
            found.against_the_rest(&Label::Int(1))?
        }
        positive => positive_class(y_true, positive)?,
    };
    let width = 1.0 / bins as f64;
    let uniform: Vec<f64> = (1..bins).map(|place| place as f64 * width).gather();
    let inner = match edges {
        Edges::Uniform => uniform,
        // At or above an edge means above the number before it.
        Edges::LeftClosed => {
            (1..bins).map(|place| (place as f64 / bins as f64).next_down()).gather()
        }
        Edges::Quantile => quantiles(y_prob, &uniform)?,
    };
    let parts = over_parts(rows, |part| {
        let mut tally = Tally::new(bins);
        if bins <= FEW {
            FewBins::new(&inner).add(&classes, y_prob, part, &mut tally)?;
            return Ok(tally);
        }
        let mut out = Vec::new();
        let (mut codes, mut places) = ([0_u32; BLOCK], [0_u32; BLOCK]);
        let mut copy = [0.0; BLOCK];
        for range in matrix::chunks(part, 1) {
            let codes = &mut codes[..range.len()];
            let copy = &mut copy[..range.len()];
            classes.lower(range.clone(), codes)?;
            copy.copy_from_slice(y_prob.lowered(range.clone(), &mut out));
            if !copy.iter().fold(true, |good, p| good & (0.0..=1.0).contains(p)) {
                return Err(not_a_probability("y_score", copy, 1).later(range.start));
            }
            for (place, &p) in places.iter_mut().zip(&*copy) {
                let bin = match edges {
                    Edges::Uniform | Edges::LeftClosed => near(&inner, p, bins),
                    Edges::Quantile => inner.partition_point(|&edge| edge < p),
                };
                *place = bin as u32;
            }
            tally.add(&places[..copy.len()], codes, copy);
        }
        tally.settle();
        Ok(tally)
    })?;
    let mut whole =
        Bins { rows: vec![0; bins], positives: vec![0; bins], probability: vec![0.0; bins] };
    for bin in 0..bins {
        let mut sum = Wide::default();
        for part in &parts {
            whole.rows[bin] += part.rows[bin];
            whole.positives[bin] += part.positives[bin];
            sum = sum.plus(part.sums[bin]);
        }
        whole.probability[bin] = sum.to_f64(Wide::LOWEST);
    }
    Ok(whole)
}

/// Up to this many bins the kernel for few bins is faster, even with vectors of two numbers.
const FEW: usize = 20;

const STRIP: usize = 512;

/// The number of edges that rows are compared with at once.
const EDGES: usize = 4;

/// The exponents of the quanta of probabilities.
const QUANTA: [i32; 2] = [-34, -86];

/// 1.5 * 2^52 quanta: adding them rounds a number to whole quanta, which are then its last bits.
const CUTTERS: [f64; 2] = [1.5 * (1_u64 << 18) as f64, 1.5 / (1_u64 << 34) as f64];

/// A word has the quanta of up to [`STRIP`] probabilities in its lowest 44 bits, the number of rows
/// in the next ten, and the number of positives in the top ten.
const ROW: u64 = 1 << 44;
const POSITIVE: u64 = 1 << 54;

/// Rows in cache: probabilities, their words, and their finer quanta including the cutter's.
#[repr(align(64))]
struct Strip {
    values: [f64; STRIP],
    words: [u64; STRIP],
    finer: [u64; STRIP],
}

/// The sums of words and of finer quanta.
type Sums = [u64; 2];

wide! {
    /// [`cut_rows`], compiled for the widest instructions of the machine.
    fn cut_rows_widest[](values: &[f64], codes: &[u32], strip: &mut Strip) -> (Sums, [u64; 2]) = cut_rows;
    /// [`above_edges`], compiled for the widest instructions of the machine.
    fn above_edges_widest[](edges: &[f64; EDGES], strip: &Strip, rows: usize) -> [Sums; EDGES] = above_edges;
}

/// The word of a probability, its finer quanta, and the remainder.
#[inline(always)]
fn cut(value: f64) -> (u64, u64, f64) {
    let high = value + CUTTERS[0];
    let rest = value - (high - CUTTERS[0]);
    let low = rest + CUTTERS[1];
    let quanta = high.to_bits().wrapping_sub(CUTTERS[0].to_bits());
    (quanta, low.to_bits(), rest - (low - CUTTERS[1]))
}

/// Cuts rows. Returns their sums, a word whose first bit is set if some row may be no probability,
/// and whether any row has a remainder.
#[inline(always)]
fn cut_rows(values: &[f64], codes: &[u32], strip: &mut Strip) -> (Sums, [u64; 2]) {
    let (mut sums, mut odd, mut left) = ([0_u64; 2], 0, 0);
    let places = strip.words.iter_mut().zip(&mut strip.finer);
    let places = strip.values.iter_mut().zip(places);
    for ((&value, &code), (copy, (word, finer))) in values.iter().zip(codes).zip(places) {
        odd |= outside(value);
        let (quanta, low, rest) = cut(value);
        left |= rest.to_bits() << 1;
        *copy = value;
        *word = quanta.wrapping_add(ROW + u64::from(code) * POSITIVE);
        *finer = low;
        sums[0] = sums[0].wrapping_add(*word);
        sums[1] = sums[1].wrapping_add(low);
    }
    (sums, [odd, left])
}

/// The sums of the rows above each edge.
#[inline(always)]
fn above_edges(edges: &[f64; EDGES], strip: &Strip, rows: usize) -> [Sums; EDGES] {
    let [mut first, mut second, mut third, mut fourth] = [[0_u64; 2]; EDGES];
    let parts = strip.words.iter().zip(&strip.finer);
    for (&value, (&word, &finer)) in strip.values[..rows].iter().zip(parts) {
        add_above(&mut first, value > edges[0], word, finer);
        add_above(&mut second, value > edges[1], word, finer);
        add_above(&mut third, value > edges[2], word, finer);
        add_above(&mut fourth, value > edges[3], word, finer);
    }
    [first, second, third, fourth]
}

#[inline(always)]
fn add_above(sums: &mut Sums, is_above: bool, word: u64, finer: u64) {
    sums[0] = sums[0].wrapping_add(if is_above { word } else { 0 });
    sums[1] = sums[1].wrapping_add(if is_above { finer } else { 0 });
}

/// The counts of few bins: groups of inner edges, and the quanta of each bin.
struct FewBins {
    edges: [[f64; EDGES]; FEW / EDGES],
    quanta: [[i128; 2]; FEW],
}

impl FewBins {
    fn new(inner: &[f64]) -> Self {
        // No row is above an unused edge.
        let mut edges = [[f64::INFINITY; EDGES]; FEW / EDGES];
        let all = edges.as_flattened_mut().iter_mut();
        for (edge, &given) in all.zip(inner) {
            *edge = given;
        }
        Self { edges, quanta: [[0; 2]; FEW] }
    }

    /// Adds the rows of each bin, from the sums of all rows and the sums above each edge.
    fn count(&mut self, all: Sums, above: &[Sums], tally: &mut Tally) {
        let mut below = all;
        let bins = tally.rows.iter_mut().zip(&mut tally.positives);
        for (((rows, positives), quanta), above) in bins.zip(&mut self.quanta).zip(above) {
            let [word, finer] = [0, 1].map(|part| below[part].wrapping_sub(above[part]));
            below = *above;
            let many = word / ROW % (POSITIVE / ROW);
            *rows += many;
            *positives += word / POSITIVE;
            let of_cutters = CUTTERS[1].to_bits().wrapping_mul(many);
            quanta[0] += i128::from(word % ROW);
            quanta[1] += i128::from(finer.wrapping_sub(of_cutters) as i64);
        }
    }

    fn add(
        mut self,
        classes: &Classes,
        y_prob: &ScoreMatrix,
        part: Range<usize>,
        tally: &mut Tally,
    ) -> Result<()> {
        let groups = (tally.rows.len() - 1).div_ceil(EDGES);
        let (mut out, mut codes) = (Vec::new(), [0_u32; STRIP]);
        let mut strip = Strip { values: [0.0; STRIP], words: [0; STRIP], finer: [0; STRIP] };
        // No row is above the last bin.
        let mut above = [[[0; 2]; EDGES]; FEW / EDGES];
        for range in matrix::chunks(part, 1) {
            let given = y_prob.lowered(range.clone(), &mut out);
            for (start, given) in range.step_by(STRIP).zip(given.chunks(STRIP)) {
                let rows = given.len();
                classes.lower(start..start + rows, &mut codes[..rows])?;
                let (all, [odd, left]) = cut_rows_widest(given, &codes, &mut strip);
                let values = &strip.values[..rows];
                // −0 sets that bit, too.
                if odd >> 63 != 0 && !values.iter().all(|p| (0.0..=1.0).contains(p)) {
                    return Err(not_a_probability("y_score", values, 1).later(start));
                }
                for (above, edges) in above.iter_mut().zip(&self.edges).take(groups) {
                    *above = above_edges_widest(edges, &strip, rows);
                }
                self.count(all, above.as_flattened(), tally);
                if left != 0 {
                    // Very small probabilities: their remainders are added row by row.
                    for &value in values {
                        let (.., rest) = cut(value);
                        if rest != 0.0 {
                            let edges = self.edges.as_flattened();
                            let bin = edges.iter().filter(|&&edge| edge < value).count();
                            add_one(&mut tally.sums[bin], rest);
                        }
                    }
                }
            }
        }
        for (sum, quanta) in tally.sums.iter_mut().zip(self.quanta) {
            for (quanta, exponent) in quanta.into_iter().zip(QUANTA) {
                let low = (quanta & i128::from(u32::MAX)) as i64;
                add_quanta(sum, low, exponent);
                add_quanta(sum, (quanta >> 32) as i64, exponent + 32);
            }
        }
        Ok(())
    }
}

/// The recent rows of one bin.
#[derive(Clone, Copy, Default)]
struct Recent {
    /// The sums of the parts of probabilities.
    parts: [f64; 3],
    /// Rows in the low half, positives in the high half.
    rows: u64,
}

/// The counts of each bin so far.
struct Tally {
    recent: Vec<Recent>,
    since: usize,
    rows: Vec<u64>,
    positives: Vec<u64>,
    sums: Vec<Wide>,
}

impl Tally {
    /// The number of rows that can be added without rounding: 2^20 probabilities are at most 2^51
    /// multiples of 2^-31.
    const ROWS: usize = 1 << 20;

    fn new(bins: usize) -> Self {
        Self {
            recent: vec![Recent::default(); bins],
            since: 0,
            rows: vec![0; bins],
            positives: vec![0; bins],
            sums: vec![Wide::default(); bins],
        }
    }

    /// Adds at most [`BLOCK`] rows in [0, 1].
    fn add(&mut self, places: &[u32], codes: &[u32], values: &[f64]) {
        /// Adding and subtracting 1.5 * 2^52 quanta rounds to a whole number of quanta.
        const CUTTERS: [f64; 3] =
            [1.5 * (1_u64 << 21) as f64, 1.5 / (1_u64 << 10) as f64, 1.5 / (1_u64 << 41) as f64];
        if self.since + values.len() > Self::ROWS {
            self.settle();
        }
        self.since += values.len();
        for ((&place, &code), &value) in places.iter().zip(codes).zip(values) {
            // Always found: a bin is at most the number of inner edges.
            let Some(recent) = self.recent.get_mut(place as usize) else {
                continue;
            };
            let mut rest = value;
            for (part, cutter) in recent.parts.iter_mut().zip(CUTTERS) {
                let cut = (rest + cutter) - cutter;
                *part += cut;
                rest -= cut;
            }
            recent.rows += 1 + (u64::from(code) << 32);
            if rest != 0.0 {
                add_one(&mut self.sums[place as usize], rest);
            }
        }
    }

    /// Moves the recent rows to the sums.
    fn settle(&mut self) {
        for (bin, recent) in self.recent.iter_mut().enumerate() {
            self.rows[bin] += recent.rows & u64::from(u32::MAX);
            self.positives[bin] += recent.rows >> 32;
            for part in recent.parts {
                add_one(&mut self.sums[bin], part);
            }
            *recent = Recent::default();
        }
        self.since = 0;
    }
}

/// The number of inner edges, i/n rounded, below a probability.
#[inline]
fn near(inner: &[f64], p: f64, bins: usize) -> usize {
    let mut bin = ((p * bins as f64) as usize).min(inner.len());
    while bin > 0 && inner[bin - 1] >= p {
        bin -= 1;
    }
    while bin < inner.len() && inner[bin] < p {
        bin += 1;
    }
    bin
}

fn in_order(numbers: &[f64]) -> Vec<f64> {
    let bits = || numbers.iter().map(|number| (number + 0.0).to_bits());
    let (low, high) = bits().fold((u64::MAX, 0), |(low, high), x| (low.min(x), high.max(x)));
    if (1..=few::MOST).contains(&numbers.len()) && high <= f64::INFINITY.to_bits() {
        // Without negative numbers and NaN, bits order like the numbers.
        let words = few::sorted(bits().map(|x| x - low).gather(), high - low);
        return in_place(words, |x| f64::from_bits(x + low));
    }
    let mut sorted = numbers.copy_all();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The quantiles of a column, interpolated in the column's own type like numpy's `percentile`.
fn quantiles(scores: &ScoreMatrix, fractions: &[f64]) -> Result<Vec<f64>> {
    let narrow = scores.kind() == f32::KIND;
    if !narrow && scores.kind() != f64::KIND {
        return Err(Refusal::Type {
            argument: "y_score",
            value: "an array of another dtype than float32 and float64".into(),
            expected: "floats, to interpolate between them".into(),
        });
    }
    let mut out = Vec::new();
    let numbers = scores.lowered(0..scores.rows(), &mut out);
    let Some(last) = numbers.len().checked_sub(1) else {
        return Ok(Vec::new());
    };
    let place = |fraction: f64| {
        // numpy receives percentages and divides them again.
        let place = last as f64 * (fraction * 100.0 / 100.0);
        (place, (place.floor() as usize).min(last))
    };
    let ranks = fractions.iter().flat_map(|&fraction| {
        let low = place(fraction).1;
        [low, (low + 1).min(last)]
    });
    let ranked = at_ranks(numbers, &ranks.gather());
    let at = |(fraction, pair): (&f64, &[f64; 2])| {
        let (place, [a, b]) = (place(*fraction).0, *pair);
        let gap = if narrow { f64::from(b as f32 - a as f32) } else { b - a };
        let part = place - place.floor();
        if part >= 0.5 { b - gap * (1.0 - part) } else { a + gap * part }
    };
    let pairs = ranked.as_chunks::<2>().0;
    Ok(fractions.iter().zip(pairs).map(at).gather())
}

/// Buckets of equal width over [0, 1], in which numbers are counted.
const BUCKETS: usize = switch_at(1 << 11, 1 << 4);

wide! {
    /// [`buckets`], compiled for the widest instructions of the machine.
    fn buckets_widest[](numbers: &[f64], out: &mut [u16]) -> u64 = buckets;
}

/// Writes the bucket of each number. Returns a word whose first bit is set if some number may be
/// outside [0, 1].
#[inline(always)]
fn buckets(numbers: &[f64], out: &mut [u16]) -> u64 {
    const LAST: i32 = BUCKETS as i32 - 1;
    let mut odd = 0;
    for (bucket, &x) in out.iter_mut().zip(numbers) {
        odd |= outside(x);
        *bucket = ((x * BUCKETS as f64) as i32).clamp(0, LAST) as u16;
    }
    odd
}

/// The numbers at some ranks, counted from the lowest. Rows are counted in buckets of equal width,
/// and only buckets that contain a requested rank are sorted. For many ranks, few numbers, or
/// numbers outside [0, 1], everything is sorted.
fn at_ranks(numbers: &[f64], ranks: &[usize]) -> Vec<f64> {
    const NONE: u16 = u16::MAX;
    let sorted = || -> Vec<f64> {
        let sorted = in_order(numbers);
        ranks.iter().map(|&rank| sorted[rank]).gather()
    };
    if numbers.len() < 4 * BUCKETS || ranks.len() > BUCKETS / 8 {
        return sorted();
    }
    // Neighbours in a column often share a bucket; two counters avoid waiting for each other.
    let mut counts = [vec![0_usize; BUCKETS], vec![0_usize; BUCKETS]];
    let mut buckets = [0; STRIP];
    for numbers in numbers.chunks(STRIP) {
        let odd = buckets_widest(numbers, &mut buckets) >> 63 != 0;
        if odd && !numbers.iter().all(|x| (0.0..=1.0).contains(x)) {
            return sorted();
        }
        for pair in buckets[..numbers.len()].chunks(2) {
            for (counts, &bucket) in counts.iter_mut().zip(pair) {
                counts[usize::from(bucket) % BUCKETS] += 1;
            }
        }
    }
    let mut ends: Vec<usize> = counts[0].iter().zip(&counts[1]).map(|(a, b)| a + b).gather();
    for place in 1..BUCKETS {
        ends[place] += ends[place - 1];
    }
    // The group of numbers of each bucket that contains one of the ranks.
    let mut group = vec![NONE; BUCKETS];
    let mut starts = Vec::new();
    let places: Vec<(usize, usize)> = (ranks.iter())
        .map(|&rank| {
            let holder = ends.partition_point(|&end| end <= rank).min(BUCKETS - 1);
            let start = holder.checked_sub(1).map_or(0, |before| ends[before]);
            if group[holder] == NONE {
                group[holder] = starts.len() as u16;
                starts.grow(start);
            }
            (usize::from(group[holder]), rank - start)
        })
        .gather();
    let mut groups = vec![Vec::new(); starts.len()];
    for numbers in numbers.chunks(STRIP) {
        buckets_widest(numbers, &mut buckets);
        for (&x, &bucket) in numbers.iter().zip(&buckets) {
            let group = group[usize::from(bucket) % BUCKETS];
            if group != NONE {
                groups[usize::from(group)].grow(x);
            }
        }
    }
    let groups: Vec<Vec<f64>> = groups.iter().map(|group| in_order(group)).gather();
    // Another thread may have written to the column, so that a group has other numbers than were
    // counted.
    let found = |&(group, rank): &(usize, usize)| groups[group].get(rank).copied();
    places.iter().map(|place| found(place).unwrap_or(0.0)).gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_are_in_the_bins_of_the_definition(
            rows in prop::collection::vec((any::<bool>(), prop_oneof![0.0..=1.0, (0u8..=20).prop_map(|x| f64::from(x) / 20.0)]), 1..400),
            bins in 1usize..40,
        ) {
            let labels: Vec<u8> = rows.iter().map(|row| row.0.into()).collect();
            let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let y_true = Labels::U8(Column::from_slice(&labels));
            let y_prob = ScoreMatrix::F64(Matrix::from_slice(&scores, 1));
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::Uniform).unwrap();
            for bin in 0..bins {
                let edge = |place: usize| place as f64 * (1.0 / bins as f64);
                let inside = |p: f64| (bin == 0 || p > edge(bin)) && (bin + 1 == bins || p <= edge(bin + 1));
                let those: Vec<_> = rows.iter().filter(|row| inside(row.1)).collect();
                prop_assert_eq!(found.rows[bin], those.len() as u64);
                prop_assert_eq!(found.positives[bin], those.iter().filter(|row| row.0).count() as u64);
                let sum: f64 = those.iter().map(|row| row.1).sum();
                prop_assert!((found.probability[bin] - sum).abs() <= 1e-12 * sum);
            }
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::LeftClosed).unwrap();
            for bin in 0..bins {
                let edge = |place: usize| place as f64 / bins as f64;
                let inside = |p: f64| p >= edge(bin) && (bin + 1 == bins || p < edge(bin + 1));
                let those: Vec<_> = rows.iter().filter(|row| inside(row.1)).collect();
                prop_assert_eq!(found.rows[bin], those.len() as u64);
                prop_assert_eq!(found.positives[bin], those.iter().filter(|row| row.0).count() as u64);
            }
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::Quantile).unwrap();
            prop_assert_eq!(found.rows.iter().sum::<u64>(), rows.len() as u64);
        }
    }

    proptest! {
        #[test]
        fn sums_of_bins_are_those_of_their_rows_one_by_one(
            rows in prop::collection::vec((any::<bool>(), prop_oneof![
                0.0..=1.0,
                (0u8..=20).prop_map(|x| f64::from(x) / 20.0),
                Just(-0.0),
                (0.0..1.0).prop_map(|x: f64| x.powi(12)),
                (0..=1.0_f64.to_bits()).prop_map(f64::from_bits),
            ]), 1..1500),
            bins in 1usize..40,
        ) {
            let (labels, scores): (Vec<u8>, Vec<f64>) = rows.iter().map(|row| (u8::from(row.0), row.1)).unzip();
            let y_true = Labels::U8(Column::from_slice(&labels));
            let y_prob = ScoreMatrix::F64(Matrix::from_slice(&scores, 1));
            let found = calibration(&y_true, &y_prob, Some(&Label::Int(1)), bins, Edges::Uniform).unwrap();
            let edges: Vec<f64> = (1..bins).map(|place| place as f64 * (1.0 / bins as f64)).collect();
            let mut naive = Bins { rows: vec![0; bins], positives: vec![0; bins], probability: vec![] };
            let mut sums = vec![Wide::default(); bins];
            for &(is_positive, score) in &rows {
                let bin = edges.iter().filter(|&&edge| edge < score).count();
                naive.rows[bin] += 1;
                naive.positives[bin] += u64::from(is_positive);
                sums[bin] = sums[bin].plus(Wide::of(score.abs(), Wide::LOWEST));
            }
            naive.probability = sums.into_iter().map(|sum| sum.to_f64(Wide::LOWEST)).collect();
            prop_assert_eq!(found, naive);
        }
    }

    #[test]
    fn ranks_are_those_of_all_in_order() {
        let mut state = 3_u64;
        for power in [0_i32, 1, 6] {
            let numbers: Vec<f64> = (0..50_000)
                .map(|_| {
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let x = (state >> 40) as f64 / 16_777_215.0;
                    if power == 0 { (x * 20.0).round() / 20.0 } else { x.powi(power) }
                })
                .collect();
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            let ranks = [0, 1, 1, 777, 25_000, 49_998, 49_999, 49_999];
            assert_eq!(at_ranks(&numbers, &ranks), ranks.map(|rank| sorted[rank]));
        }
    }

    #[test]
    fn sums_are_exact_whatever_the_sizes() {
        let scores: Vec<f64> =
            (0..5000_i32).map(|i| 0.7_f64.powi(i % 600) * f64::from(i + 1) / 5000.0).collect();
        let labels = vec![1_u8; scores.len()];
        let of = |scores: &[f64]| {
            let y_true = Labels::U8(Column::from_slice(&labels[..scores.len()]));
            let y_prob = ScoreMatrix::F64(Matrix::from_slice(scores, 1));
            calibration(&y_true, &y_prob, None, 3, Edges::Uniform).unwrap().probability
        };
        let exact = |bin: usize| {
            let inside = scores.iter().filter(|&&p| near(&[1.0 / 3.0, 2.0 / 3.0], p, 3) == bin);
            let sum = inside.fold(Wide::default(), |sum, &p| sum.plus(Wide::of(p, Wide::LOWEST)));
            sum.to_f64(Wide::LOWEST)
        };
        assert_eq!(of(&scores), [exact(0), exact(1), exact(2)]);
        let backwards: Vec<f64> = scores.iter().rev().copied().collect();
        assert_eq!(of(&backwards), of(&scores));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let of = |labels: &[i64], scores: &[f64], positive: Option<&Label>| {
            let y_true = Labels::I64(Column::from_slice(labels));
            calibration(
                &y_true,
                &ScoreMatrix::F64(Matrix::from_slice(scores, 1)),
                positive,
                3,
                Edges::Uniform,
            )
        };
        assert!(of(&[0, 1], &[0.5, 0.25], None).is_ok());
        assert!(of(&[2, 1], &[0.5, 0.25], None).is_err());
        assert!(of(&[2, 1], &[0.5, 0.25], Some(&Label::Int(2))).is_ok());
        assert!(of(&[2, 1, 3], &[0.5, 0.25, 0.0], Some(&Label::Int(2))).is_err());
        assert!(of(&[0, 1], &[0.5, 1.25], None).is_err());
        assert!(of(&[0, 1], &[0.5, f64::NAN], None).is_err());
    }
}
