//! Bins of scores as probabilities: the observed frequency of the positive class in each bin.
//!
//! 1. The edges of bins are found by bisection: bins of equal width, of equal weight, or the
//!    segments of the convex hull of the ROC curve, which are isotonic regression.
//! 2. The rows of a bin are differences of running totals.
//! 3. The sum of a bin's scores is a sum over the blocks of [`Moments`], plus both ends.
//!
//! Cost: microseconds, once the moments are known.

use crate::arith::products::{Products, difference_of_products, unit_scale};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::scores::blocks::BLOCK;
use crate::scores::calibration::moments::Moments;
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::{Masses, ScoreTable, first_place};

/// The kind of bins of a calibration curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binning {
    /// Bins of equal width over [0, 1].
    Uniform,
    /// Bins of equal weight, as nearly as ties allow: bin i of n holds a score if the share of the
    /// weight below it is at least i/n and less than (i + 1)/n.
    Quantile,
    /// Scores with the same probability after isotonic regression.
    Isotonic,
}

/// How the differences between observed frequencies and mean scores of the bins are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// The mean absolute difference, weighted by the bins' rows.
    Mean,
    /// The root mean square difference, weighted by the bins' rows.
    RootMeanSquare,
    /// The largest absolute difference.
    Max,
}

/// The bins with rows, from the lowest scores to the highest.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CalibrationBins {
    /// The lower edge of each bin, inclusive.
    pub lower: Vec<f64>,
    /// The upper edge of each bin, exclusive; inclusive for the last bin.
    pub upper: Vec<f64>,
    /// The mass of positives in each bin.
    pub positives: Vec<f64>,
    /// The mass of negatives in each bin.
    pub negatives: Vec<f64>,
    /// For sampling weights: the sums of squared weights of the positives and of the negatives in
    /// each bin.
    pub squares: Vec<(f64, f64)>,
    /// The sum of mass times score.
    pub score: Vec<f64>,
    /// The number of empty bins, which are left out.
    pub empty: usize,
}

impl CalibrationBins {
    /// The number of bins with rows.
    pub fn len(&self) -> usize {
        self.score.len()
    }

    /// Whether no bin has rows.
    pub fn is_empty(&self) -> bool {
        self.score.is_empty()
    }

    /// The mass of rows in a bin.
    pub fn weight(&self, bin: usize) -> f64 {
        self.positives[bin] + self.negatives[bin]
    }

    /// The calibration error: the differences between observed frequency and mean score, combined
    /// by a norm; `None` without rows.
    pub fn error(&self, norm: Norm) -> Option<f64> {
        let bins = 0..self.len();
        let total: f64 = bins.clone().map(|bin| self.weight(bin)).sum();
        if total <= 0.0 {
            return None;
        }
        let gap = |bin: usize| {
            let gap = (self.positives[bin] - self.score[bin]).abs() / self.weight(bin);
            gap.min(1.0)
        };
        let share = |bin: usize| self.weight(bin) / total;
        let error = match norm {
            Norm::Mean => bins.map(|bin| share(bin) * gap(bin)).sum::<f64>(),
            Norm::RootMeanSquare => {
                let square = |bin: usize| share(bin) * (gap(bin) * gap(bin));
                bins.map(square).sum::<f64>().sqrt()
            }
            Norm::Max => bins.map(gap).fold(0.0, f64::max),
        };
        Some(error.min(1.0))
    }

    /// The rows of a table in bins. [`Binning::Isotonic`] ignores the number of bins, and only it
    /// calls `hull`.
    pub(crate) fn of<'a>(
        table: &ScoreTable,
        moments: &Moments,
        (bins, binning): (usize, Binning),
        hull: impl FnOnce() -> &'a RocHull,
    ) -> Self {
        let above = match binning {
            Binning::Uniform => equal_widths(table, bins),
            Binning::Quantile => equal_weights(table, bins),
            Binning::Isotonic => {
                let vertices = hull().predicted.iter().rev();
                vertices.copied().filter(|&above| above > 0).gather()
            }
        };
        Self::between(table, moments, &above, binning)
    }

    /// As many bins of equal weight as have rising shares of positives: the last number before the
    /// first that does not.
    pub(crate) fn rising(table: &ScoreTable, moments: &Moments) -> Self {
        /// More bins are not tried.
        const MOST: f64 = 1000.0;
        let (p, n) = table.totals();
        let mut above = equal_weights(table, 1);
        for bins in 2..=(p + n).min(MOST) as usize {
            let finer = equal_weights(table, bins);
            let shares = ranges(&finer).map(|(_, start, end)| {
                let (p, n) = table.masses_between(start, end);
                p / (p + n)
            });
            if !shares.is_sorted() {
                break;
            }
            above = finer;
        }
        Self::between(table, moments, &above, Binning::Quantile)
    }

    /// A bin for each distinct score, or at most so many bins of equal weight.
    pub(crate) fn finest(table: &ScoreTable, moments: &Moments, most: usize) -> Self {
        let above = match table.len() {
            scores if scores > most => equal_weights(table, most),
            scores => (1..=scores).rev().gather(),
        };
        Self::between(table, moments, &above, Binning::Quantile)
    }

    /// The rows of bins. For each bin, from the lowest up, `above` is the number of scores at or
    /// above its lower edge.
    fn between(table: &ScoreTable, moments: &Moments, above: &[usize], binning: Binning) -> Self {
        let edge = |bin: usize| bin as f64 / above.len() as f64;
        let mut found = Self::default();
        for (bin, start, end) in ranges(above) {
            let (p, n) = table.masses_between(start, end);
            found.positives.grow(p);
            found.negatives.grow(n);
            let squares = table.squares();
            let squares = squares.map(|squares| squares.masses_between(start, end));
            found.squares.grow_with(squares);
            found.score.grow(sum_of_scores(table, moments, start, end));
            if binning == Binning::Uniform {
                found.lower.grow(edge(bin));
                found.upper.grow(edge(bin + 1));
            } else {
                found.lower.grow(table.score(end - 1));
            }
        }
        if binning != Binning::Uniform {
            found.upper = found.lower[1..].copy_all();
            found.upper.grow(table.score(0));
        }
        found.empty = above.len() - found.len();
        found
    }
}

/// The mean square of the gaps between observed frequency and mean score of bins, less what chance
/// adds to it, and how it scatters.
///
/// With d = truth − score, the term of a bin is the mean of d d' over pairs of its rows. Its
/// variance is 4 γ² v / n + 2 v² / (n (n − 1)), γ being the true gap and v the variance of d. Bins
/// with fewer than two rows have no pairs. v is at least what the scores expect: few rows of a rare
/// class are often all alike.
///
/// Source: Kumar, Liang, Ma 2019, Verified uncertainty calibration, Advances in Neural Information
/// Processing Systems 32.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DebiasedSquare {
    /// The value; by chance it may be negative.
    pub value: f64,
    /// Its variance where its true value is 0.
    pub variance: f64,
    /// How much its variance rises with its true value.
    pub slope: f64,
}

impl DebiasedSquare {
    /// Over bins of equal width; `None` if no bin has two rows. The scores must be probabilities.
    pub(crate) fn of(table: &ScoreTable, moments: &Moments, bins: usize) -> Option<Self> {
        let squares = table.squares().unwrap_or(table);
        let sum = |(p, n): (f64, f64)| p + n;
        let (total, total_of_squares) = (sum(table.totals()), sum(squares.totals()));
        let mut found = Self::default();
        let (mut has_pairs, mut rising, mut plain, mut fourth) = (false, 0.0, 0.0, 0.0);
        for (_, start, end) in ranges(&equal_widths(table, bins)) {
            let (p, n) = table.masses_between(start, end);
            let weight = p + n;
            let rows = weight / sum(squares.masses_between(start, end)) * weight;
            if rows < 2.0 {
                continue;
            }
            let gap = (p - sum_of_scores(table, moments, start, end)) / weight;
            // A row of a sampling weight has the square of its weight in sums of squares.
            let (mut own, mut expected) = <[Products; 2]>::default().into();
            for from in (start..end).step_by(BLOCK) {
                let (mut squared, mut variance) = (0.0, 0.0);
                for place in from..end.min(from + BLOCK) {
                    let score = table.score(place);
                    let (p, n) = squares.masses_between(place, place + 1);
                    let (up, down) = (1.0 - score - gap, score + gap);
                    squared += p * (up * up) + n * (down * down);
                    variance += (p + n) * (score * (1.0 - score));
                }
                own = own.plus(squared, 1.0);
                expected = expected.plus(variance, 1.0);
            }
            let [own, expected] = [own, expected].map(|sum| sum.value() / weight / weight);
            let own = own * (rows / (rows - 1.0));
            let (share, least) = (weight / total, own.max(expected));
            found.value += share * (gap * gap - own);
            found.variance += 2.0 * (share * least) * (share * least) * (rows / (rows - 1.0));
            rising += 4.0 * (share * gap) * (share * gap) * least;
            plain += share * (gap * gap);
            fourth += share * (gap * gap) * (gap * gap);
            has_pairs = true;
        }
        if plain > 0.0 {
            // The number of rows of a bin is random, too.
            let shares = (fourth - plain * plain).max(0.0) / total * (total_of_squares / total);
            found.slope = (rising + shares) / plain;
        }
        has_pairs.then_some(found)
    }

    /// The bounds `z` standard errors away: all true values at which this one is not farther, its
    /// standard error being the one at that true value. The upper bound of a negative value is that
    /// of 0, so that the interval has a width.
    pub fn bounds(&self, z: f64) -> (f64, f64) {
        let (from, half) = (self.value.max(0.0), 0.5 * z * z * self.slope);
        let reach = z * (self.slope * from + half * (0.5 * self.slope) + self.variance).sqrt();
        ((self.value + half - reach).max(0.0), (from + half + reach).max(0.0))
    }
}

/// The bins that have scores: their numbers, and the places where they start and end. For each bin,
/// from the lowest up, `above` is the number of scores at or above its lower edge.
fn ranges(above: &[usize]) -> impl Iterator<Item = (usize, usize, usize)> {
    let starts = above.iter().skip(1).copied().chain([0]);
    let all = above.iter().copied().zip(starts).enumerate();
    all.filter(|&(_, (end, start))| start < end).map(|(bin, (end, start))| (bin, start, end))
}

/// For each of `bins` bins of equal width over [0, 1], the number of scores in it or above.
fn equal_widths(table: &ScoreTable, bins: usize) -> Vec<usize> {
    let edge = |bin: usize| bin as f64 / bins as f64;
    let above = |bin| first_place(table.len(), |place| table.score(place) < edge(bin));
    (0..bins).map(above).gather()
}

/// For each of `bins` bins of equal weight, the number of scores in it or above.
fn equal_weights(table: &ScoreTable, bins: usize) -> Vec<usize> {
    let reaches = |place: usize, bin: usize| -> bool {
        if let Masses::Counts(positives, negatives) = table.masses() {
            let rows = |place: usize| u128::from(positives[place]) + u128::from(negatives[place]);
            let all = rows(table.len() - 1);
            return (all - rows(place)) * bins as u128 >= bin as u128 * all;
        }
        // Each sum is rounded once; sums equal up to that rounding count as equal.
        let (p, n) = table.totals();
        let scale = unit_scale(p + n);
        let all = (p + n) * scale;
        let counts = table.counts_of_first(place + 1);
        let below = (counts.fn_ + counts.tn) * scale;
        let beyond = difference_of_products(below, bins as f64, bin as f64, all);
        beyond >= -4.0 * f64::EPSILON * bin as f64 * all
    };
    (0..bins).map(|bin| first_place(table.len(), |place| !reaches(place, bin))).gather()
}

/// The sum of mass times score over the scores from place `start` up to place `end`.
fn sum_of_scores(table: &ScoreTable, moments: &Moments, start: usize, end: usize) -> f64 {
    let mut sum = Products::default();
    let mut one_by_one = |start: usize, end: usize| {
        for place in start..end {
            let (p, n) = table.masses_between(place, place + 1);
            sum = sum.plus((p + n) * moments.scale, table.score(place));
        }
    };
    let (whole, last) = (start.div_ceil(BLOCK), end / BLOCK);
    if whole >= last {
        one_by_one(start, end);
    } else {
        one_by_one(start, whole * BLOCK);
        one_by_one(last * BLOCK, end);
        for &block in &moments.blocks[whole..last] {
            sum = sum.plus(block, 1.0);
        }
    }
    sum.value() / moments.scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::calibration::moments::tests::{near, rows, table};
    use proptest::prelude::*;

    fn of(table: &ScoreTable, bins: usize, binning: Binning) -> CalibrationBins {
        let (moments, hull) = (Moments::of(table).unwrap(), RocHull::of(table));
        CalibrationBins::of(table, &moments, (bins, binning), || &hull)
    }

    proptest! {
        #[test]
        fn bins_hold_the_rows_of_their_scores(rows in rows(700), weighted: bool, narrow: bool, bins in 1_usize..40) {
            let table = table(&rows, weighted, narrow);
            for binning in [Binning::Uniform, Binning::Quantile, Binning::Isotonic] {
                let found = of(&table, bins, binning);
                let mut rows_met = 0;
                for bin in 0..found.len() {
                    let last = bin + 1 == found.len() && (binning != Binning::Uniform || found.upper[bin] == 1.0);
                    let inside = |s: f64| s >= found.lower[bin] && (s < found.upper[bin] || last && s <= found.upper[bin]);
                    let those: Vec<_> = rows.iter().filter(|row| inside(row.1)).collect();
                    rows_met += those.len();
                    let sum = |of: &dyn Fn(bool, f64) -> f64| those.iter()
                        .map(|row| of(row.0, row.1) * if weighted { row.2 } else { 1.0 }).sum::<f64>();
                    prop_assert!(!those.is_empty());
                    prop_assert!(near(found.positives[bin], sum(&|y, _| f64::from(u8::from(y)))));
                    prop_assert!(near(found.negatives[bin], sum(&|y, _| f64::from(u8::from(!y)))));
                    prop_assert!(near(found.score[bin], sum(&|_, s| s)));
                }
                prop_assert_eq!(rows_met, rows.len());
                if binning != Binning::Isotonic {
                    prop_assert_eq!(found.len() + found.empty, bins);
                }
                if binning == Binning::Isotonic {
                    let rate = |bin: usize| found.positives[bin] / found.weight(bin);
                    prop_assert!((1..found.len()).all(|bin| rate(bin - 1) < rate(bin)));
                }
            }
            // The weight below a score determines its bin.
            let found = of(&table, bins, Binning::Quantile);
            let weight = |upto: f64| rows.iter().filter(|row| row.1 < upto).map(|row| if weighted { row.2 } else { 1.0 }).sum::<f64>();
            let total = weight(2.0);
            let place = |score: f64| (weight(score) * bins as f64 / total) as usize;
            let distinct: std::collections::BTreeSet<usize> = rows.iter().map(|row| place(row.1)).collect();
            prop_assert_eq!(distinct.len(), found.len());
            for bin in 1..found.len() {
                let below = rows.iter().map(|row| row.1).filter(|&s| s < found.lower[bin]).fold(0.0, f64::max);
                prop_assert!(place(below) < place(found.lower[bin]));
            }
        }
    }
}
