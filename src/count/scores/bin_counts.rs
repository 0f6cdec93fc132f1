//! Counts or weights of one column of scores in bins between edges.
//!
//! 1. Scores become order keys, a chunk at a time in cache. Each edge becomes, once, the least key
//!    that is not below it. So scores of every type are compared exactly, and the bins are [edge,
//!    next edge).
//! 2. With few edges the keys of a chunk are compared with one edge after another in vectors, and
//!    the rows that reach each edge are counted. A bin holds the rows that reach its lower edge but
//!    not its upper one.
//! 3. With more edges, and with weights, the bin of each row is found by bisection without
//!    branches.
//! 4. A counted NaN has the key 0, which no number has, and an additional edge above it.
//!
//! Cost: 1e7 doubles, 9 edges: 0.7 ns a row; 5 ns by bisection; 12 ns with weights.
//!
//! Rejected:
//! - adding each row's bin to a table of counts (the next row waits for the store of the row
//!   before);
//! - guessing the bin from the score, as for bins of equal width (quantiles have none).

#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::arith::exact::{ExactSums, Span, Weights};
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Result, check_length, check_rows};
use crate::base::input::{NanPolicy, OMITTED, Scores};
use crate::base::memory::{Gather, Room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::scores::keys::{Key, Lowered, ScoreKind, ScoreReader, Stop, check_weights, extent};

/// The masses in the bins, low to high, and the mass of missing scores.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Binned {
    /// One bin more than there are edges.
    pub bins: Vec<f64>,
    /// The mass of ranked NaN.
    pub missing: f64,
}

/// How a column is read, and its name in refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinOptions {
    /// Refuse NaN, leave them out, or (`Worst`, `Best`) count them separately.
    pub nan_policy: NanPolicy,
    /// Whether ±∞ is a score like any other; otherwise it is refused.
    pub infinite: bool,
    /// The name of the scores.
    pub scores: &'static str,
    /// The name of the weights.
    pub weights: &'static str,
}

/// Counts the rows, or their weight, in each bin between ascending edges: below the first edge,
/// between edges, from the last edge on; and the rows with NaN, if they are counted.
///
/// # Errors
/// No rows; a wrong number of weights; NaN and infinite scores that the options do not allow;
/// weights that are negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{NanPolicy, Scores};
/// use rocksteady_count::scores::bin_counts::{BinOptions, binned};
///
/// let options = BinOptions {
///     nan_policy: NanPolicy::Worst,
///     infinite: false,
///     scores: "actual",
///     weights: "actual_weight",
/// };
/// let scores = [0.1_f32, 0.5, 0.7, f32::NAN];
/// let found = binned(&Scores::F32(Column::from_slice(&scores)), None, &[0.5, 0.6], options)?;
/// assert_eq!((found.bins, found.missing), (vec![1.0, 1.0, 1.0], 1.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn binned(
    scores: &Scores,
    weights: Option<Weights>,
    edges: &[f64],
    options: BinOptions,
) -> Result<Binned> {
    let rows = check_rows(&[(options.scores, scores.len())])?;
    let weighed = weights.as_ref().map_or(rows, Weights::len);
    check_length((options.weights, weighed), (options.scores, rows))?;
    if ScoreKind::of(scores).is_wide() {
        binned_keys::<u64>(scores, weights, edges, options)
    } else {
        binned_keys::<u32>(scores, weights, edges, options)
    }
}

/// The lowest and the highest score; `None` if all are NaN.
///
/// # Errors
/// NaN and infinite scores that the options do not allow.
pub fn extremes(scores: &Scores, options: BinOptions) -> Result<Option<(f64, f64)>> {
    let found = if ScoreKind::of(scores).is_wide() {
        extreme_keys::<u64>(scores, options)
    } else {
        extreme_keys::<u32>(scores, options)
    };
    let kind = ScoreKind::of(scores);
    Ok(found?.map(|(low, high)| (kind.score(low), kind.score(high))))
}

/// The least key of the kind whose score is not below `edge`; `None` if every score is.
fn key_at_least(kind: ScoreKind, edge: f64) -> Option<u64> {
    if kind.is_float() {
        // The number nearest to the edge, or the next one.
        let near = kind.key_of_float(edge);
        return Some(near + u64::from(kind.score(near) < edge));
    }
    // Infinities and numbers outside the range become the ends of 128 bits.
    let (low, high) = kind.whole_numbers();
    let least = edge.ceil() as i128;
    (least <= high).then(|| kind.key_of_whole(least.max(low)))
}

/// With more edges the bin of a row is found by bisection.
const FEW: usize = 32;

fn binned_keys<K: Lowered>(
    scores: &Scores,
    weights: Option<Weights>,
    edges: &[f64],
    options: BinOptions,
) -> Result<Binned> {
    let kind = ScoreKind::of(scores);
    let counts_missing =
        kind.is_float() && matches!(options.nan_policy, NanPolicy::Worst | NanPolicy::Best);
    // NaN lie below this first edge. Edges above all numbers keep their place, and no row reaches
    // them.
    let mut keys: Vec<K> = if counts_missing { vec![K::narrow(1)] } else { Vec::new() };
    let reachable = edges.iter().map_while(|&edge| key_at_least(kind, edge));
    keys.grow_with(reachable.map(K::narrow));
    let reader = reader(scores, options);
    let parts = over_parts(scores.len(), |part| {
        let mut tally = Tally::new(keys.len() + 1);
        let (mut chunk, mut codes) = (vec![K::default(); CHUNK], vec![0_u8; CHUNK]);
        // A copy of the caller's weights: the checked weights must be the added ones.
        let (mut scratch, mut given, mut bins) = (Vec::new(), Vec::new(), Vec::new());
        for range in chunks(part) {
            let (chunk, codes) = (&mut chunk[..range.len()], &mut codes[..range.len()]);
            codes.fill(0);
            let omitted = reader.lower(range.clone(), chunk, codes).map_err(Stop::refusal)?;
            match weights {
                Some(weights) => {
                    given.clear();
                    given.grow_by(weights.chunk(range.clone(), &mut scratch));
                    check_weights(&given, range.start, options.weights)?;
                    for (weight, &code) in given.iter_mut().zip(&*codes) {
                        if code == OMITTED {
                            *weight = 0.0;
                        }
                    }
                    bins.clear();
                    bins.grow_with(chunk.iter().map(|key| bin_of(&keys, key) as u32));
                    let span = Span::from_slice(&given)?;
                    tally.sums.add_all(span, &bins, &given);
                }
                None if omitted => {
                    let kept = codes.iter().zip(&*chunk).filter(|(code, _)| **code != OMITTED);
                    let kept: Vec<K> = kept.map(|(_, &key)| key).gather();
                    tally.count(&keys, &kept);
                }
                None => tally.count(&keys, chunk),
            }
        }
        Ok(tally)
    })?;
    let mut whole = Tally::new(keys.len() + 1);
    for part in &parts {
        whole.add(part);
    }
    let mut masses = whole.masses(weights.is_some());
    let missing = if counts_missing { masses.remove(0) } else { 0.0 };
    masses.grow_to(edges.len() + 1, 0.0);
    Ok(Binned { bins: masses, missing })
}

fn extreme_keys<K: Lowered>(scores: &Scores, options: BinOptions) -> Result<Option<(u64, u64)>> {
    let floats = ScoreKind::of(scores).is_float();
    let reader = reader(scores, options);
    let parts = over_parts(scores.len(), |part| {
        let (mut chunk, mut codes) = (vec![K::default(); CHUNK], vec![0_u8; CHUNK]);
        let mut ends: Option<(u64, u64)> = None;
        for range in chunks(part) {
            let (chunk, codes) = (&mut chunk[..range.len()], &mut codes[..range.len()]);
            codes.fill(0);
            let special = reader.lower(range, chunk, codes).map_err(Stop::refusal)?;
            let (low, high) = extent(chunk);
            if special || (floats && low == K::default()) {
                for (&key, &code) in chunk.iter().zip(&*codes) {
                    if code != OMITTED && !(floats && key == K::default()) {
                        ends = Some(widened(ends, key.wide(), key.wide()));
                    }
                }
            } else {
                ends = Some(widened(ends, low.wide(), high.wide()));
            }
        }
        Ok(ends)
    })?;
    let mut ends = None;
    for (low, high) in parts.into_iter().flatten() {
        ends = Some(widened(ends, low, high));
    }
    Ok(ends)
}

fn widened(ends: Option<(u64, u64)>, low: u64, high: u64) -> (u64, u64) {
    ends.map_or((low, high), |ends| (ends.0.min(low), ends.1.max(high)))
}

fn reader<'a>(scores: &Scores<'a>, options: BinOptions) -> ScoreReader<'a> {
    ScoreReader {
        scores: *scores,
        nan_policy: match options.nan_policy {
            NanPolicy::Best => NanPolicy::Worst,
            other => other,
        },
        infinite: options.infinite,
        argument: options.scores,
    }
}

/// The number of edges that a key reaches.
fn bin_of<K: Key>(edges: &[K], key: &K) -> usize {
    edges.partition_point(|edge| edge <= key)
}

/// The counts so far.
struct Tally {
    /// For few edges: the rows that reach each edge. For many: the rows of each bin.
    counts: Vec<u64>,
    rows: u64,
    sums: ExactSums,
}

impl Tally {
    fn new(bins: usize) -> Self {
        Self { counts: vec![0; bins], rows: 0, sums: ExactSums::new(bins) }
    }

    fn count<K: Key>(&mut self, edges: &[K], keys: &[K]) {
        self.rows += keys.len() as u64;
        if edges.len() <= FEW {
            add_reached(keys, edges, &mut self.counts);
            return;
        }
        for key in keys {
            let bin = bin_of(edges, key);
            // Always found: a bin is at most the number of edges.
            if let Some(count) = self.counts.get_mut(bin) {
                *count += 1;
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.sums.merge(&other.sums);
    }

    /// The mass of each bin.
    fn masses(&self, weighted: bool) -> Vec<f64> {
        let bins = self.counts.len();
        if weighted {
            return (0..bins).map(|bin| self.sums.get(bin)).gather();
        }
        if bins > FEW + 1 {
            return self.counts.iter().map(|&count| count as f64).gather();
        }
        let reached = |edge: usize| match edge.checked_sub(1) {
            None => self.rows,
            Some(edge) => self.counts[edge],
        };
        let end = |bin: usize| if bin + 1 < bins { reached(bin + 1) } else { 0 };
        (0..bins).map(|bin| (reached(bin) - end(bin)) as f64).gather()
    }
}

#[inline(always)]
fn reached_body<K: Key>(keys: &[K], edges: &[K], counts: &mut [u64]) {
    for (count, &edge) in counts.iter_mut().zip(edges) {
        // At most a chunk of keys, so 32 bits are enough for the count.
        let sum = keys.iter().fold(K::default(), |sum, &key| sum.tally(key >= edge, false));
        *count += sum.wide();
    }
}

wide! {
    /// Adds to each count the number of keys that reach its edge.
    fn add_reached[K: Key](keys: &[K], edges: &[K], counts: &mut [u64]) -> () = reached_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use half::f16;
    use proptest::prelude::*;

    const OPTIONS: BinOptions = BinOptions {
        nan_policy: NanPolicy::Worst,
        infinite: true,
        scores: "actual",
        weights: "actual_weight",
    };

    fn naive(scores: &[f64], weights: &[f64], edges: &[f64]) -> Binned {
        let sum = |inside: &dyn Fn(f64) -> bool| -> f64 {
            scores.iter().zip(weights).filter(|(s, _)| inside(**s)).map(|(_, w)| w).sum()
        };
        let bins = (0..=edges.len()).map(|bin| {
            let low = bin.checked_sub(1).map(|place| edges[place]);
            let high = edges.get(bin).copied();
            sum(&|s| low.is_none_or(|low| s >= low) && high.map_or(!s.is_nan(), |high| s < high))
        });
        Binned { bins: bins.collect(), missing: sum(&f64::is_nan) }
    }

    proptest! {
        #[test]
        fn every_row_is_in_its_bin_whatever_its_type(
            rows in prop::collection::vec((prop_oneof![
                6 => (-20_i32..20).prop_map(|x| f64::from(x) / 4.0),
                1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(-0.0), Just(1e300)],
                2 => -3.0..3.0,
            ], 0_u8..5), 1..300),
            edges in prop::collection::vec(prop_oneof![(-30_i32..30).prop_map(|x| f64::from(x) / 8.0), -4.0..4.0, Just(1e200), Just(-1e200)], 0..60),
            few: bool,
        ) {
            let mut edges = edges;
            edges.sort_by(f64::total_cmp);
            edges.dedup();
            edges.truncate(if few { 9 } else { 60 });
            let scores: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let ones = vec![1.0; rows.len()];
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 4.0).collect();
            macro_rules! check {
                ($kind:ident, $to:expr, $back:expr) => {{
                    let typed: Vec<_> = scores.iter().map($to).collect();
                    let back: Vec<f64> = typed.iter().map($back).collect();
                    let column = Scores::$kind(Column::from_slice(&typed));
                    prop_assert_eq!(binned(&column, None, &edges, OPTIONS).unwrap(), naive(&back, &ones, &edges));
                    let found = binned(&column, Some(Column::from_slice(&weights)), &edges, OPTIONS).unwrap();
                    prop_assert_eq!(found, naive(&back, &weights, &edges));
                    let numbers = || back.iter().copied().filter(|x| !x.is_nan());
                    let ends = extremes(&column, OPTIONS).unwrap();
                    prop_assert_eq!(ends.map(|ends| ends.0), numbers().reduce(f64::min));
                    prop_assert_eq!(ends.map(|ends| ends.1), numbers().reduce(f64::max));
                }};
            }
            check!(F64, |&x| x, |&x| x);
            check!(F32, |&x| x as f32, |&x| f64::from(x));
            check!(F16, |&x| f16::from_f64(x), |&x| f64::from(x));
            check!(I64, |&x| x as i64, |&x| x as f64);
            check!(I8, |&x| x as i8, |&x| f64::from(x));
            check!(U8, |&x| x as u8, |&x| f64::from(x));
            check!(U32, |&x| x as u32, |&x| f64::from(x));
            check!(U64, |&x| x as u64, |&x| x as f64);
            let options = BinOptions { nan_policy: NanPolicy::Omit, ..OPTIONS };
            let left = binned(&Scores::F64(Column::from_slice(&scores)), None, &edges, options).unwrap();
            let all = naive(&scores, &ones, &edges);
            prop_assert_eq!((left.bins, left.missing), (all.bins, 0.0));
        }
    }

    #[test]
    fn integers_are_compared_exactly() {
        let scores = [(1_i64 << 53) - 1, 1 << 53, (1 << 53) + 1];
        let column = Scores::I64(Column::from_slice(&scores));
        let found = binned(&column, None, &[(1_u64 << 53) as f64], OPTIONS).unwrap();
        assert_eq!(found.bins, [1.0, 2.0]);
    }

    #[test]
    fn what_is_refused() {
        let options = BinOptions { nan_policy: NanPolicy::Raise, infinite: false, ..OPTIONS };
        let of = |scores: &[f64], weights: Option<&[f64]>| {
            let column = Scores::F64(Column::from_slice(scores));
            binned(&column, weights.map(Column::from_slice), &[0.5], options)
                .map_err(|refusal| refusal.to_string())
        };
        assert_eq!(
            of(&[0.1, f64::NAN], None).unwrap_err(),
            "actual[1] is NaN; expected a finite number"
        );
        assert!(of(&[f64::INFINITY], None).is_err());
        assert!(of(&[], None).is_err());
        assert!(of(&[0.1], Some(&[-1.0])).unwrap_err().starts_with("actual_weight[0] is -1"));
        assert!(of(&[0.1], Some(&[1.0, 1.0])).unwrap_err().starts_with("actual_weight has 2 rows"));
    }
}
