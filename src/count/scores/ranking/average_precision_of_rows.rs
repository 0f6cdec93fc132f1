//! Average precision and the Kolmogorov–Smirnov distance of rows, without a score table.
//!
//! 1. Rows are scattered into buckets of ascending score, each class apart
//!    (`crate::scores::sweep::partition`), so the rows of each class above a bucket are known.
//! 2. Average precision has a term for each distinct score with positives. In each bucket only the
//!    positives are placed by cell and sorted. Each negative searches its cell, without branches,
//!    for the number of positives not above it, and is counted at that rank. Sums over the ranks
//!    give the negatives at or above each positive.
//! 3. If a cell holds more than eight positives, the rows of both classes of that bucket are
//!    sorted, as for a table.
//! 4. The terms equal the terms of the table, added in another order. Both sums have error bounds.
//!    If both must round to the same number, that is the answer; otherwise the table is made after
//!    all, in one of 10⁵ calls at 1e6 rows.
//! 5. The widest gap between the classes lies in a bucket whose rows could widen the gap at its
//!    upper end beyond the widest gap at the ends of buckets. Only the rows of such buckets are
//!    sorted: about one in seven.
//! 6. Few rows, and few distinct scores, are counted by the table.
//!
//! Cost at 1e6 and 1e7 rows: 1.5 times numpy's AVX-512 sort of the scores for average precision,
//! 0.8 times for the distance. Extra memory: the scattered keys.
//!
//! Tried and rejected:
//! - the sum of eight comparisons (compilers extract each from the vector: a third slower than a
//!   search of four steps);
//! - buckets of 1,024 rows (10 to 30 % slower at 1e6 rows), of 2,048 (up to 10 %), of 8,192 (7 %
//!   slower at 1e5 rows).
//!
//! Sources: see [`crate::scores::ranking::average_precision`] and [`crate::scores::ranking::ks`].
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use std::ops::Range;

use crate::arith::exact::Weights;
use crate::arith::products::Products;
use crate::base::error::Result;
use crate::base::input::{Labels, Scores};
use crate::base::interrupt;
use crate::base::memory::Room;
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Lowered, ScoreKind, Stop, TableKey, extent};
use crate::scores::ranking::Ranking;
use crate::scores::ranking::average_precision::StepSum;
use crate::scores::ranking::ks::{Ks, WidestGap};
use crate::scores::sweep::all_thresholds::{Counter, score_table};
use crate::scores::sweep::auc::{sample_size, seem_few};
use crate::scores::sweep::partition::{Partition, Splitter};
use crate::scores::sweep::rows::{Input, Rows, SweepOptions, sorted_sample};
use crate::scores::sweep::sort::few;
use crate::scores::sweep::sort::windows::{Grid, place};
use crate::scores::sweep::steps::Steps;

/// Rows that a bucket should hold.
const BUCKET_ROWS: usize = switch_at(4096, 16);
/// Rows that a bucket should hold, if there would be fewer than [`MANY_BUCKETS`].
const SMALL_BUCKET_ROWS: usize = switch_at(1024, 8);
const MANY_BUCKETS: usize = 24;
/// Cells for each positive of a bucket: with four to eight, few positives are out of order.
const SPARSE: usize = 4;
/// The most positives of a cell.
const WINDOW: usize = 8;

/// Average precision of rows, and the number of positives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrecisionOfRows {
    /// `None` without positives.
    pub value: Option<f64>,
    /// Positive rows.
    pub positives: u64,
}

/// Average precision, with the same bits as from the table ([`Ranking::average_precision`]).
///
/// # Errors
/// Like [`score_table`].
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::ranking::average_precision_of_rows::average_precision_of_rows;
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
/// let found = average_precision_of_rows(&y_true, &y_score, &SweepOptions::default())?;
/// assert_eq!(found.value, Some((1.0 + 2.0 / 3.0) / 2.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn average_precision_of_rows(
    y_true: &Labels,
    y_score: &Scores,
    options: &SweepOptions,
) -> Result<PrecisionOfRows> {
    let found = match scattered(y_true, y_score, options)? {
        Some(Scattered::Narrow(buckets, _)) => buckets.average_precision(),
        Some(Scattered::Wide(buckets, _)) => buckets.average_precision(),
        None => None,
    };
    match found {
        Some(found) => Ok(found),
        None => precision_of_table(y_true, y_score, options),
    }
}

/// The Kolmogorov–Smirnov distance, with the same bits as from the table ([`Ranking::ks`]); none if
/// a class is absent. For rows with weights the table is made.
///
/// # Errors
/// Like [`score_table`].
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::ranking::average_precision_of_rows::ks_of_rows;
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
/// let ks = ks_of_rows(&y_true, &y_score, None, &SweepOptions::default())?;
/// assert_eq!(ks.map(|ks| (ks.value, ks.threshold)), Some((0.5, 0.35)));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn ks_of_rows(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
) -> Result<Option<Ks>> {
    let found = match weights {
        None => scattered(y_true, y_score, options)?,
        Some(_) => None,
    };
    match found {
        Some(Scattered::Narrow(buckets, kind)) => Ok(buckets.ks(kind)),
        Some(Scattered::Wide(buckets, kind)) => Ok(buckets.ks(kind)),
        None => Ok(Ranking::from(score_table(y_true, y_score, weights, options)?).ks()),
    }
}

fn precision_of_table(
    y_true: &Labels,
    y_score: &Scores,
    options: &SweepOptions,
) -> Result<PrecisionOfRows> {
    let table = Ranking::from(score_table(y_true, y_score, None, options)?);
    Ok(PrecisionOfRows { value: table.average_precision(), positives: table.totals().0 as u64 })
}

/// Rows in buckets, by the width of their keys.
enum Scattered {
    Narrow(Buckets<u32>, ScoreKind),
    Wide(Buckets<u64>, ScoreKind),
}

/// Rows in buckets; `None` if a table is as fast.
fn scattered(
    y_true: &Labels,
    y_score: &Scores,
    options: &SweepOptions,
) -> Result<Option<Scattered>> {
    let input = Input::new(y_true, y_score, None, options)?;
    let kind = ScoreKind::of(y_score);
    if kind.is_wide() {
        let buckets = Buckets::<u64>::of(&input)?;
        Ok(buckets.map(|buckets| Scattered::Wide(buckets, kind)))
    } else {
        let buckets = Buckets::<u32>::of(&input)?;
        Ok(buckets.map(|buckets| Scattered::Narrow(buckets, kind)))
    }
}

/// Rows in buckets of ascending score, negatives and positives apart.
struct Buckets<K> {
    partition: Partition<K>,
    /// Negatives and positives of each bucket.
    sides: Vec<[u64; 2]>,
    /// Negatives and positives of all buckets.
    totals: [u64; 2],
}

impl<K: Lowered + TableKey> Buckets<K> {
    fn of(input: &Input) -> Result<Option<Self>> {
        if Rows::<K>::rows(input) <= few::MOST {
            return Ok(None);
        }
        let sample = sorted_sample::<K>(input, sample_size(Rows::<K>::rows(input)));
        if seem_few(&sample) {
            return Ok(None);
        }
        let rows = Rows::<K>::rows(input);
        let wanted =
            (rows / BUCKET_ROWS).max((rows / SMALL_BUCKET_ROWS).min(MANY_BUCKETS)).clamp(1, 1024);
        let splitter = Splitter::new(&sample, wanted);
        let partition = Partition::<K>::new(input, &splitter).map_err(|stop| match stop {
            Stop::Refused(refusal) => input.first_refusal::<K>(refusal),
            Stop::Inexact => unreachable!("no score is narrowed here"),
        })?;
        let (mut sides, mut totals) = (Vec::new(), [0; 2]);
        for bucket in 0..partition.buckets {
            let own = [0, 1].map(|class| partition.len(2 * bucket + class) as u64);
            sides.grow(own);
            totals = [totals[0] + own[0], totals[1] + own[1]];
        }
        Ok(Some(Self { partition, sides, totals }))
    }

    /// The negatives and positives in the buckets above.
    fn above(&self, bucket: usize) -> [u64; 2] {
        let sides = self.sides[bucket + 1..].iter();
        sides.fold([0; 2], |[n, p], own| [n + own[0], p + own[1]])
    }

    /// `None` if the sum might not have the bits of the table's.
    fn average_precision(&self) -> Option<PrecisionOfRows> {
        let [negatives, positives] = self.totals;
        if positives == 0 {
            let value = None;
            return Some(PrecisionOfRows { value, positives });
        }
        let parts = self.partition.over_buckets(|buckets| self.precision_of(buckets));
        let sum = parts.iter().fold(Products::default(), |sum, part| part.added_to(sum));
        // Each of eight lanes sums `m` numbers, and also their rounding errors: its error is at
        // most (m / 2^53)² times its sum. There are two such sums.
        let m = ((negatives + positives) / 8 + 64) as f64 * (f64::EPSILON / 2.0);
        let sum = sum.settled(3.0 * m * m * sum.value())?;
        let value = Some((sum / positives as f64).min(1.0));
        Some(PrecisionOfRows { value, positives })
    }

    fn precision_of(&self, buckets: Range<usize>) -> StepSum {
        let mut sum = StepSum::default();
        if buckets.is_empty() {
            return sum;
        }
        let mut ranker = Ranker::default();
        let [mut fp, mut tp] = self.above(buckets.end - 1);
        for bucket in buckets.rev() {
            interrupt::check();
            let [n, p] = self.sides[bucket];
            if p > 0 {
                let steps = ranker.steps(&self.partition, bucket, [fp, tp]);
                sum.add(tp, &steps.positives, &steps.negatives);
            }
            (fp, tp) = (fp + n, tp + p);
        }
        sum
    }

    fn ks(&self, kind: ScoreKind) -> Option<Ks> {
        let [negatives, positives] = self.totals;
        if positives == 0 || negatives == 0 {
            return None;
        }
        let least = self.widest_end();
        let parts = self.partition.over_buckets(|buckets| self.widest_in(buckets, least));
        let mut best: Option<Gap<K>> = None;
        // From high scores to low: of equally wide gaps the last counts.
        for gap in parts.into_iter().rev().flatten() {
            if best.as_ref().is_none_or(|best| gap.width >= best.width) {
                best = Some(gap);
            }
        }
        let gap = best?;
        let key = gap.key.wide();
        let score = (kind.score(key), kind.integer(key));
        Ks::from_counts((positives, negatives), gap.counts, score)
    }

    /// |tp N − fp P|.
    fn width(&self, [fp, tp]: [u64; 2]) -> u128 {
        let [n, p] = self.totals;
        (u128::from(tp) * u128::from(n)).abs_diff(u128::from(fp) * u128::from(p))
    }

    /// The widest gap at the lower end of a bucket.
    fn widest_end(&self) -> u128 {
        let (mut upto, mut widest) = ([0; 2], 0);
        for [n, p] in self.sides.iter().rev() {
            upto = [upto[0] + n, upto[1] + p];
            widest = widest.max(self.width(upto));
        }
        widest
    }

    /// The last of the widest gaps in some buckets, if it is at least `least` wide.
    fn widest_in(&self, buckets: Range<usize>, least: u128) -> Option<Gap<K>> {
        if buckets.is_empty() {
            return None;
        }
        let [mut fp, mut tp] = self.above(buckets.end - 1);
        let (mut steps, mut best) = (Steps::with_room(0), None);
        let mut counter = Counter::default();
        let mut widest = WidestGap::new((self.totals[1], self.totals[0]));
        for bucket in buckets.rev() {
            interrupt::check();
            let [n, p] = self.sides[bucket];
            let most = self.width([fp, tp + p]).max(self.width([fp + n, tp]));
            if n + p > 0 && most >= least {
                counter.sort_from([fp, tp], &self.partition, bucket, &mut steps);
                let (positives, negatives) = (&steps.positives, &steps.negatives);
                widest.take(positives, negatives, 0..positives.len());
                if let Some(place) = widest.settled(positives, negatives) {
                    let counts = (positives[place], negatives[place]);
                    best = Some(Gap {
                        width: self.width([counts.1, counts.0]),
                        key: steps.keys[place],
                        counts,
                    });
                }
            }
            (fp, tp) = (fp + n, tp + p);
        }
        best
    }
}

/// A gap between the classes.
struct Gap<K> {
    width: u128,
    key: K,
    /// Positives and negatives at or above the score.
    counts: (u64, u64),
}

/// Scratch memory for the steps of a bucket.
struct Ranker<K> {
    keys: Vec<K>,
    placed: Vec<K>,
    starts: Vec<u32>,
    /// At each rank, the number of negatives with this many positives at or below.
    ranks: Vec<u32>,
    steps: Steps<K, u64>,
    counter: Counter<K>,
}

impl<K: Key> Default for Ranker<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            placed: Vec::new(),
            starts: Vec::new(),
            ranks: Vec::new(),
            steps: Steps::with_room(0),
            counter: Counter::default(),
        }
    }
}

impl<K: Key> Ranker<K> {
    /// Positives and negatives at or above each distinct score with positives, from high to low,
    /// added to `above`; perhaps also at some other scores.
    fn steps(
        &mut self,
        partition: &Partition<K>,
        bucket: usize,
        above: [u64; 2],
    ) -> &Steps<K, u64> {
        self.keys.clear();
        let own = partition.pieces(2 * bucket + 1);
        own.for_each(|piece| self.keys.grow_by(piece));
        let (low, high) = extent(&self.keys);
        let rows = self.keys.len() + partition.len(2 * bucket);
        if u32::try_from(rows).is_err() {
            self.counter.sort_from(above, partition, bucket, &mut self.steps);
            return &self.steps;
        }
        let grid = Grid::new(low, high, self.keys.len() * SPARSE);
        let widest = place(&self.keys, &grid, &mut self.starts, &mut self.placed);
        if widest > WINDOW as u32 {
            self.counter.sort_from(above, partition, bucket, &mut self.steps);
            return &self.steps;
        }
        few::insert(&mut self.placed);
        let len = self.placed.len();
        self.placed.grow_to(len + WINDOW, K::MAX);
        self.ranks.clear();
        self.ranks.grow_to(len + WINDOW + 1, 0);
        for piece in partition.pieces(2 * bucket) {
            count_ranks(piece, &grid, &self.starts, &self.placed, &mut self.ranks);
        }
        // The padding of the last window also equals the greatest key.
        let beyond: u32 = self.ranks[len + 1..].iter().sum();
        self.ranks[len] += beyond;
        let Steps { positives, negatives, .. } = &mut self.steps;
        positives.clear();
        negatives.clear();
        positives.grow_to(len, 0);
        negatives.grow_to(len, 0);
        let made =
            steps_of_ranks(&self.placed[..len], &self.ranks[..=len], above, positives, negatives);
        positives.truncate(made);
        negatives.truncate(made);
        &self.steps
    }
}

/// Counts each key at the number of placed keys not above it. No cell has more than [`WINDOW`]
/// keys, and as many padding keys follow the last.
#[inline(always)]
fn count_ranks_body<K: Key>(
    keys: &[K],
    grid: &Grid<K>,
    starts: &[u32],
    placed: &[K],
    ranks: &mut [u32],
) {
    for &key in keys {
        let start = starts[grid.cell(key)] as usize;
        let window = &placed[start..start + WINDOW];
        // A branch-free binary search. The last step distinguishes seven from eight.
        let mut within = 4 * usize::from(window[3] <= key);
        within += 2 * usize::from(window[within + 1] <= key);
        within += usize::from(window[within] <= key);
        within += usize::from(window[within] <= key);
        ranks[start + within] += 1;
    }
}

/// Writes a step for each distinct key, from high to low; returns their number.
#[inline(always)]
fn steps_of_ranks_body<K: Key>(
    placed: &[K],
    ranks: &[u32],
    [mut fp, mut tp]: [u64; 2],
    positives: &mut [u64],
    negatives: &mut [u64],
) -> usize {
    let (mut at, mut above) = (0, None);
    for (&key, &rank) in placed.iter().zip(&ranks[1..]).rev() {
        at += usize::from(above.is_some_and(|above| above != key));
        above = Some(key);
        tp += 1;
        fp += u64::from(rank);
        positives[at] = tp;
        negatives[at] = fp;
    }
    if placed.is_empty() { 0 } else { at + 1 }
}

wide! {
    fn count_ranks[K: Key](keys: &[K], grid: &Grid<K>, starts: &[u32], placed: &[K], ranks: &mut [u32]) -> () = count_ranks_body;
    fn steps_of_ranks[K: Key](placed: &[K], ranks: &[u32], above: [u64; 2], positives: &mut [u64], negatives: &mut [u64]) -> usize = steps_of_ranks_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, NanPolicy};
    use crate::base::memory::Gather;
    use proptest::prelude::*;

    /// Compares with the table, bit for bit.
    fn check(labels: &[u8], scores: &Scores, nan_policy: NanPolicy) {
        let labels = Labels::U8(Column::from_slice(labels));
        let options = SweepOptions {
            pos_label: Some(Label::Int(1)),
            infinite: true,
            nan_policy,
            ..SweepOptions::default()
        };
        let area = average_precision_of_rows(&labels, scores, &options).unwrap();
        let table = Ranking::from(score_table(&labels, scores, None, &options).unwrap());
        let expected = table.average_precision();
        assert_eq!(area.value.map(f64::to_bits), expected.map(f64::to_bits));
        assert_eq!(area.positives, table.totals().0 as u64);
        let ks = ks_of_rows(&labels, scores, None, &options).unwrap();
        let bits = |ks: Ks| (ks.value.to_bits(), ks.threshold.to_bits(), ks.sign);
        assert_eq!(ks.map(bits), table.ks().map(bits));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn rows_have_the_areas_of_their_table(
            rows in prop_oneof![2..300_usize, 4095..4099_usize, 5000..30_000_usize],
            seed: u64,
            distinct in prop_oneof![Just(3000_u64), Just(50_000), Just(1 << 40)],
            (share, skew, atoms) in (0.0..1.0, 0..30_i32, 0.0..0.6),
            missing in prop::option::of(0.0..0.1),
            threads in 1..4_usize,
        ) {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 24) as f64 / (1_u64 << 40) as f64
            };
            let (mut labels, mut doubles) = (Vec::new(), Vec::new());
            for _ in 0..rows {
                labels.grow(u8::from(next() < share));
                let x = (next() * distinct as f64).floor() / distinct as f64;
                doubles.grow(match next() {
                    atom if atom < atoms => 0.25,
                    special if missing.is_some_and(|share| special > 1.0 - share) => {
                        [f64::NAN, f64::INFINITY, -0.0][(x * 3.0) as usize]
                    }
                    // Clustered at 1, and of either sign.
                    _ => (1.0 - x.powi(skew)) * if x < 0.1 { -1.0 } else { 1.0 },
                });
            }
            crate::base::threads::set_threads(Some(threads)).unwrap();
            let singles: Vec<f32> = doubles.iter().map(|&x| x as f32).gather();
            for policy in [NanPolicy::Omit, NanPolicy::Worst, NanPolicy::Best] {
                check(&labels, &Scores::F64(Column::from_slice(&doubles)), policy);
                check(&labels, &Scores::F32(Column::from_slice(&singles)), policy);
            }
            let greatest: Vec<u64> = doubles.iter().map(|&x| if x.is_nan() { u64::MAX } else { x.to_bits() }).gather();
            check(&labels, &Scores::U64(Column::from_slice(&greatest)), NanPolicy::Raise);
            crate::base::threads::set_threads(None).unwrap();
        }
    }
}
