//! The four counts at fixed thresholds, directly from the rows, without sorting.
//!
//! 1. A threshold becomes an edge: the least order key that it predicts positive ([`edge`]). So
//!    integers compare any type of score with any threshold exactly.
//! 2. The rows of each class are counted by the number of edges that they reach.
//! 3. Running sums from the highest edge down are the counts, in the form of a [`ScoreTable`] whose
//!    scores are the edges. Weights are summed exactly, so parts of the rows, in any order, add up
//!    to the same bits.
//!
//! The number of edges that a row reaches nearly always takes one look-up and one comparison:
//!
//! 1. The range of the edges is cut into cells of equal width, four to thirty-two for each edge.
//!    Each cell stores the number of edges below it.
//! 2. A multiplication or a shift of its key gives the cell of a row. Both are monotone, so the row
//!    reaches all edges of lower cells and none of higher ones.
//! 3. The key is compared with the edges in its own cell. Several edges are bisected without
//!    branches.
//!
//! Cells have equal width in the score, or in the key if that separates the edges better
//! (thresholds on a logarithmic scale).
//!
//! Cost: 2 to 3 ns a row for any number of thresholds up to thousands; weights add 3.
//!
//! Tried and rejected:
//! - bisection over all edges (seven steps for a hundred edges, twice the time);
//! - comparing vectors of rows with each edge (faster only up to eight edges).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Weights};
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Labels, Scores};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::{
    Key, Keys, ScoreKind, Stop, TableKey, f32_of, f64_of, key_of_f32, key_of_f64,
};
use crate::scores::score_table::{Masses, ScoreTable, Side};
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions};

/// A threshold in its original type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Any number except NaN, or an infinity.
    Float(f64),
    /// An integer.
    Integer(i128),
}

impl Threshold {
    /// Whether a score of a float kind is predicted positive.
    fn takes(self, score: f64, side: Side) -> bool {
        let (threshold, strict) = match self {
            Self::Float(threshold) => (threshold, side == Side::Greater),
            Self::Integer(integer) => {
                // No double lies between an integer and its nearest double.
                let nearest = integer as f64;
                let rounded = nearest as i128;
                let strict = rounded < integer || rounded == integer && side == Side::Greater;
                (nearest, strict)
            }
        };
        score > threshold || !strict && score == threshold
    }
}

/// The least order key that is predicted positive at a threshold, which must not be NaN; `None` if
/// no score of the kind is. NaN ranked best reach every threshold, NaN ranked worst none.
///
/// ```
/// use rocksteady_count::scores::keys::ScoreKind;
/// use rocksteady_count::scores::sweep::given_thresholds::{Threshold, edge};
/// use rocksteady_count::scores::score_table::Side;
///
/// let least = |threshold, side| edge(ScoreKind::U64, threshold, side);
/// assert_eq!(least(Threshold::Float(2.5), Side::GreaterEqual), Some(3));
/// assert_eq!(least(Threshold::Integer(1 << 60), Side::Greater), Some((1 << 60) + 1));
/// assert_eq!(least(Threshold::Float(f64::INFINITY), Side::GreaterEqual), None);
/// ```
pub fn edge(kind: ScoreKind, threshold: Threshold, side: Side) -> Option<u64> {
    if kind.is_float() {
        return Some(float_edge(kind, threshold, side));
    }
    let (low, high) = kind.whole_numbers();
    let least = match (threshold, side) {
        (Threshold::Integer(threshold), Side::GreaterEqual) => threshold,
        (Threshold::Integer(threshold), Side::Greater) => threshold.saturating_add(1),
        (Threshold::Float(threshold), Side::GreaterEqual) => threshold.ceil() as i128,
        (Threshold::Float(threshold), Side::Greater) => {
            (threshold.floor() as i128).saturating_add(1)
        }
    };
    (least <= high).then(|| kind.key_of_whole(least.max(low)))
}

/// [`edge`] for floats.
fn float_edge(kind: ScoreKind, threshold: Threshold, side: Side) -> u64 {
    let near = match threshold {
        Threshold::Float(threshold) => threshold,
        Threshold::Integer(integer) => integer as f64,
    };
    let (low, high) = (kind.key_of_float(f64::NEG_INFINITY), kind.key_of_float(f64::INFINITY));
    let takes = |key: u64| threshold.takes(kind.score(key), side);
    // Rounded to the kind of the scores, it is one of the two keys beside the threshold.
    let mut least = kind.key_of_float(near);
    while least > low && takes(least - 1) {
        least -= 1;
    }
    while least <= high && !takes(least) {
        least += 1;
    }
    least
}

/// The counts at each of many thresholds, from a score table.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
/// use rocksteady_count::scores::sweep::all_thresholds::score_table;
/// use rocksteady_count::scores::sweep::given_thresholds::{Threshold, counts_of_table};
/// use rocksteady_count::scores::score_table::Side;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let thresholds = [0.4, 0.7].map(Threshold::Float);
/// let found = counts_of_table(&table, &thresholds, Side::Greater);
/// assert_eq!(found.iter().map(|counts| counts.tp).collect::<Vec<_>>(), [1.0, 1.0]);
/// assert_eq!(found.iter().map(|counts| counts.fp).collect::<Vec<_>>(), [1.0, 0.0]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn counts_of_table(
    table: &ScoreTable,
    thresholds: &[Threshold],
    side: Side,
) -> Vec<BinaryCounts> {
    let counts = |&threshold: &Threshold| table.counts_of_first(reached(table, threshold, side));
    thresholds.iter().map(counts).gather()
}

/// The number of distinct scores that reach a threshold.
pub fn reached(table: &ScoreTable, threshold: Threshold, side: Side) -> usize {
    match (edge(table.kind(), threshold, side), table.keys()) {
        (None, _) => 0,
        (Some(edge), Keys::Narrow(keys)) => keys.partition_point(|&key| u64::from(key) >= edge),
        (Some(edge), Keys::Wide(keys)) => keys.partition_point(|&key| key >= edge),
    }
}

/// The counts at each of the thresholds, in any order, from the rows. The meaning of the weights
/// does not matter here: the sums of squares are the counts with squared weights.
///
/// # Errors
/// Like [`crate::scores::sweep::all_thresholds::score_table`].
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
/// use rocksteady_count::scores::sweep::given_thresholds::{Threshold, counts_at};
/// use rocksteady_count::scores::score_table::Side;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let thresholds = [0.0, 0.5].map(Threshold::Float);
/// let (options, side) = (SweepOptions::default(), Side::GreaterEqual);
/// let found = counts_at(&y_true, &y_score, None, &options, &thresholds, side)?;
/// assert_eq!((found[0].tp, found[0].fp), (2.0, 2.0));
/// assert_eq!((found[1].tp, found[1].fp), (1.0, 1.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn counts_at(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
    thresholds: &[Threshold],
    side: Side,
) -> Result<Vec<BinaryCounts>> {
    let input = Input::new(y_true, y_score, weights, options)?;
    let kind = ScoreKind::of(y_score);
    let edges = thresholds.iter().map(|&threshold| edge(kind, threshold, side));
    let edges: Vec<Option<u64>> = edges.gather();
    let (keys, masses) = if kind.is_wide() {
        count::<u64>(&input, kind, &edges, weights.is_some())?
    } else {
        count::<u32>(&input, kind, &edges, weights.is_some())?
    };
    let labels = BinaryLabels {
        pair: input.pair,
        pos_label: options.pos_label.clone(),
        kind: y_true.kind(),
    };
    // Every key reaches the last step, which holds the rows below all edges.
    let reached = |edge: u64| match &keys {
        Keys::Narrow(keys) => keys.partition_point(|&key| u64::from(key) > edge) + 1,
        Keys::Wide(keys) => keys.partition_point(|&key| key > edge) + 1,
    };
    let predicted: Vec<usize> = edges.iter().map(|edge| edge.map_or(0, reached)).gather();
    let table = ScoreTable::from_sweep(kind, keys, masses, labels);
    Ok(predicted.into_iter().map(|predicted| table.counts_of_first(predicted)).gather())
}

/// The edges from high to low, then the least key; and the running sums.
fn count<K: TableKey>(
    input: &Input,
    kind: ScoreKind,
    edges: &[Option<u64>],
    is_weighted: bool,
) -> Result<(Keys, Masses)> {
    let mut distinct: Vec<K> = edges.iter().flatten().map(|&edge| K::narrow(edge)).gather();
    distinct.sort_unstable();
    distinct.dedup();
    let grid = Grid::new(distinct, kind);
    let rows = Rows::<K>::rows(input);
    let parts = over_parts(rows, |part| grid.count(input, part, is_weighted));
    let parts = parts.map_err(|refusal| input.first_refusal::<K>(refusal))?;
    let bins = grid.edges.len() + 1;
    let mut counts = vec![0; 2 * bins];
    let mut sums = ExactSums::new(2 * bins);
    for part in parts {
        for (count, more) in counts.iter_mut().zip(part.counts) {
            *count += more;
        }
        if let Some(more) = part.sums {
            sums.merge(&more);
        }
    }
    let masses = if is_weighted {
        let span = sums.span();
        let running = match sums.sums() {
            Sums::Narrow(sums) => Sums::Narrow(weights_from_above(sums)),
            Sums::Wide(sums) => Sums::Wide(weights_from_above(sums)),
        };
        // The span of all weights determines the width.
        Masses::Weights(ExactSums::from_parts(span, running).unwrap_or_else(|| ExactSums::new(0)))
    } else {
        let running = |class| from_above(&counts, class, |a, b| a + b);
        Masses::Counts(running(1), running(0))
    };
    let mut keys: Vec<K> = grid.edges.iter().rev().copied().gather();
    keys.grow(K::default());
    Ok((K::keys(keys), masses))
}

/// Running sums of one class from the last bin to the first.
fn from_above<T: Copy + Default>(bins: &[T], class: usize, plus: impl Fn(T, T) -> T) -> Vec<T> {
    let bins = bins.chunks_exact(2).rev();
    bins.scan(T::default(), |sum, bin| {
        *sum = plus(*sum, bin[class]);
        Some(*sum)
    })
    .gather()
}

fn weights_from_above<F: Fixed>(bins: &[F]) -> Vec<F> {
    let mut both = from_above(bins, 1, F::plus);
    both.grow_with(from_above(bins, 0, F::plus));
    both
}

/// The counts of one part of the rows: the negatives and positives of each bin.
struct Tally {
    counts: Vec<u64>,
    sums: Option<ExactSums>,
}

/// The monotone map from a key to a cell.
#[derive(Clone, Copy, Debug)]
enum Cut<K> {
    /// By the score: (score − low) · scale.
    Score { low: f64, scale: f64 },
    /// By the key: (key − low) >> shift.
    Key { low: K, shift: u32 },
}

/// The edges, and a grid to find the edges near a key.
#[derive(Debug)]
struct Grid<K> {
    kind: ScoreKind,
    /// Ascending.
    edges: Vec<K>,
    /// The edges, padded with the greatest key as far as a bisection can read.
    padded: Vec<K>,
    cut: Cut<K>,
    /// For each cell, the number of edges in lower cells.
    below: Vec<u32>,
    /// The number of comparisons that find how many edges of a cell a key reaches.
    steps: u32,
}

impl<K: TableKey> Grid<K> {
    fn new(edges: Vec<K>, kind: ScoreKind) -> Self {
        let mut best: Option<(usize, Cut<K>, usize)> = None;
        let least = (4 * edges.len()).next_power_of_two().clamp(64, MOST_CELLS);
        let sizes = [least, (8 * least).min(MOST_CELLS)];
        for cells in sizes {
            for cut in [cut_by_key(&edges, cells), cut_by_score(&edges, kind, cells)] {
                let Some(cut) = cut else { continue };
                let crowd = most_in_a_cell(&edges, kind, cut, cells);
                if best.is_none_or(|best| crowd < best.2) {
                    best = Some((cells, cut, crowd));
                }
            }
        }
        let nothing = Cut::Key { low: K::default(), shift: K::BITS - 1 };
        let (cells, cut, crowd) = best.unwrap_or((64, nothing, 0));
        let mut below = vec![0; cells + 1];
        for place in cells_of(&edges, kind, cut, cells) {
            below[place as usize + 1] += 1;
        }
        for cell in 1..below.len() {
            below[cell] += below[cell - 1];
        }
        let steps = usize::BITS - crowd.leading_zeros();
        let mut padded = edges.copy_all();
        padded.grow_to(edges.len() + (1 << steps), K::MAX);
        Self { kind, edges, padded, cut, below, steps }
    }

    /// Counts some of the rows.
    fn count(&self, input: &Input, part: Range<usize>, is_weighted: bool) -> Result<Tally> {
        let bins = self.edges.len() + 1;
        // A store takes some cycles before the count can be read again, so neighbouring rows update
        // different copies.
        let stride = 2 * bins;
        let copies = if bins <= 1 << 10 { COPIES } else { 1 };
        let mut counts = vec![0_u64; stride * copies];
        let mut sums = is_weighted.then(|| ExactSums::new(2 * bins));
        let mut chunk = Chunk::<K>::of(part.len());
        let (mut cells, mut places) = ([0_u32; CHUNK], [0_u32; CHUNK]);
        for rows in chunks(part) {
            let next = rows.end..rows.end + rows.len();
            Rows::<K>::prefetch(input, next);
            match input.lower(rows, &mut chunk) {
                Ok(()) => {}
                Err(Stop::Refused(refusal)) => return Err(refusal),
                // Scores are read as keys of their own width.
                Err(Stop::Inexact) => {
                    return Err(Refusal::argument("y_score", "narrowed", "as it is"));
                }
            }
            let keys = &chunk.keys[..chunk.len];
            let (cells, places) = (&mut cells[..keys.len()], &mut places[..keys.len()]);
            fill_cells(keys, self.kind, self.cut, self.below.len() - 1, cells);
            let codes = &chunk.codes[..keys.len()];
            match self.steps {
                0 => find::<K, 0>(self, keys, codes, cells, places),
                1 => find::<K, 1>(self, keys, codes, cells, places),
                _ => find::<K, MANY>(self, keys, codes, cells, places),
            }
            if let Some(sums) = &mut sums {
                let weights = &chunk.weights[..keys.len()];
                sums.add_all(Span::from_slice(weights)?, places, weights);
            } else if copies == COPIES {
                add_apart(&mut counts, stride, places);
            } else {
                for &place in &*places {
                    counts[place as usize] += 1;
                }
            }
        }
        let (whole, others) = counts.split_at_mut(stride);
        for copy in others.chunks_exact(stride) {
            whole.iter_mut().zip(copy).for_each(|(sum, more)| *sum += more);
        }
        counts.truncate(stride);
        Ok(Tally { counts, sums })
    }
}

/// The most cells: 128 KiB.
const MOST_CELLS: usize = 1 << 15;

/// Copies of a bin's count that neighbouring rows use in turn.
const COPIES: usize = 4;

/// Stands for any number of steps.
const MANY: u32 = u32::MAX;

/// Cells of equal width in the key.
fn cut_by_key<K: Key>(edges: &[K], cells: usize) -> Option<Cut<K>> {
    let (&low, &high) = edges.first().zip(edges.last())?;
    let span = high.minus(low).wide();
    let bits = u64::BITS - span.leading_zeros();
    let shift = bits.saturating_sub(cells.ilog2()).min(K::BITS - 1);
    Some(Cut::Key { low, shift })
}

/// Cells of equal width in the score.
fn cut_by_score<K: Key>(edges: &[K], kind: ScoreKind, cells: usize) -> Option<Cut<K>> {
    if kind != f32::KIND && kind != f64::KIND {
        return None;
    }
    let scores = edges.iter().map(|&edge| kind.score(edge.wide()));
    let finite = scores.filter(|score| score.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), score| {
        (low.min(score), high.max(score))
    });
    let scale = (cells - 1) as f64 / (high - low);
    (low < high && scale.is_normal()).then_some(Cut::Score { low, scale })
}

fn cells_of<K: TableKey>(edges: &[K], kind: ScoreKind, cut: Cut<K>, cells: usize) -> Vec<u32> {
    let mut places = vec![0; edges.len()];
    fill_cells(edges, kind, cut, cells, &mut places);
    places
}

/// The number of edges in the fullest cell.
fn most_in_a_cell<K: TableKey>(edges: &[K], kind: ScoreKind, cut: Cut<K>, cells: usize) -> usize {
    let places = cells_of(edges, kind, cut, cells);
    let groups = places.chunk_by(|a, b| a == b);
    groups.map(<[u32]>::len).max().unwrap_or(0)
}

/// The cell of each key.
fn fill_cells<K: Key>(keys: &[K], kind: ScoreKind, cut: Cut<K>, cells: usize, to: &mut [u32]) {
    let last = cells - 1;
    match cut {
        Cut::Key { low, shift } => cells_by_key(keys, low, shift, last as u64, to),
        Cut::Score { low, scale } if kind == f32::KIND => {
            cells_by_single(keys, low, scale, last as f64, to);
        }
        Cut::Score { low, scale } => cells_by_double(keys, low, scale, last as f64, to),
    }
}

wide! {
    fn cells_by_key[K: Key](keys: &[K], low: K, shift: u32, last: u64, to: &mut [u32]) -> () = cells_by_key_body;
    fn cells_by_single[K: Key](keys: &[K], low: f64, scale: f64, last: f64, to: &mut [u32]) -> () = cells_by_single_body;
    fn cells_by_double[K: Key](keys: &[K], low: f64, scale: f64, last: f64, to: &mut [u32]) -> () = cells_by_double_body;
}

#[inline(always)]
fn cells_by_key_body<K: Key>(keys: &[K], low: K, shift: u32, last: u64, to: &mut [u32]) {
    for (to, &key) in to.iter_mut().zip(keys) {
        *to = (key.max(low).minus(low).wide() >> shift).min(last) as u32;
    }
}

/// The cell of a score that is not NaN: rounding makes an addition enough.
#[inline(always)]
fn cell(score: f64, low: f64, scale: f64, last: f64) -> u32 {
    const ROUNDED: f64 = (1_u64 << 52) as f64;
    let place = (score - low) * scale;
    let place = if place > 0.0 { place } else { 0.0 };
    let place = if place < last { place } else { last };
    (place + ROUNDED).to_bits() as u32
}

#[inline(always)]
fn cells_by_single_body<K: Key>(keys: &[K], low: f64, scale: f64, last: f64, to: &mut [u32]) {
    // Beyond these keys are NaN, which take the place of the infinities beside them.
    let (least, most) = (key_of_f32(f32::NEG_INFINITY), key_of_f32(f32::INFINITY));
    for (to, &key) in to.iter_mut().zip(keys) {
        let score = f32_of((key.wide() as u32).max(least).min(most));
        *to = cell(f64::from(score), low, scale, last);
    }
}

#[inline(always)]
fn cells_by_double_body<K: Key>(keys: &[K], low: f64, scale: f64, last: f64, to: &mut [u32]) {
    let (least, most) = (key_of_f64(f64::NEG_INFINITY), key_of_f64(f64::INFINITY));
    for (to, &key) in to.iter_mut().zip(keys) {
        *to = cell(f64_of(key.wide().max(least).min(most)), low, scale, last);
    }
}

/// Twice the number of edges that each key reaches, plus its class.
#[inline]
fn find<K: Key, const STEPS: u32>(
    grid: &Grid<K>,
    keys: &[K],
    codes: &[u8],
    cells: &[u32],
    places: &mut [u32],
) {
    let (below, padded) = (grid.below.as_slice(), grid.padded.as_slice());
    let edges = grid.edges.len() as u32;
    let rows = keys.iter().zip(codes).zip(cells);
    for (place, ((&key, &code), &cell)) in places.iter_mut().zip(rows) {
        let mut reached = below[cell as usize];
        match STEPS {
            0 => {}
            1 => reached += u32::from(key >= padded[reached as usize]),
            _ => {
                for step in (0..grid.steps).rev() {
                    let next = reached + (1 << step);
                    if key >= padded[next as usize - 1] {
                        reached = next;
                    }
                }
            }
        }
        // The greatest key also reaches the padding of the list of edges.
        *place = 2 * reached.min(edges) + u32::from(code);
    }
}

/// Counts places; neighbours update different copies.
#[inline]
fn add_apart(counts: &mut [u64], stride: usize, places: &[u32]) {
    let (fours, rest) = places.as_chunks::<COPIES>();
    for four in fours {
        for (copy, &place) in four.iter().enumerate() {
            counts[copy * stride + place as usize] += 1;
        }
    }
    for &place in rest {
        counts[place as usize] += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::NanPolicy;
    use crate::scores::sweep::all_thresholds::score_table;
    use half::f16;
    use proptest::prelude::*;

    fn naive(rows: &[(bool, f64, f64)], threshold: f64, side: Side) -> [f64; 4] {
        let mut cells = [0.0; 4]; // tp, fp, fn, tn
        for &(truth, score, weight) in rows {
            let positive = score > threshold || side == Side::GreaterEqual && score == threshold;
            let cell = match (positive, truth) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            cells[cell] += weight;
        }
        cells
    }

    fn cells(counts: &BinaryCounts) -> [f64; 4] {
        [counts.tp, counts.fp, counts.fn_, counts.tn]
    }

    fn any_score() -> impl Strategy<Value = f64> {
        prop_oneof![
            0.0..=1.0,
            (0u8..=10).prop_map(|x| f64::from(x) / 10.0),
            prop::sample::select(vec![0.0, -0.0, 1e-300, -1e300, 1e300, 5e-324, f64::MAX, -7.5]),
            prop::sample::select(vec![f64::INFINITY, f64::NEG_INFINITY]),
        ]
    }

    proptest! {
        #[test]
        fn counts_are_those_of_the_definition(
            rows in prop::collection::vec((any::<bool>(), any_score(), 0u8..3), 1..300),
            thresholds in prop::collection::vec(any_score(), 0..80),
            strict in any::<bool>(),
            weighted in any::<bool>(),
        ) {
            let side = if strict { Side::Greater } else { Side::GreaterEqual };
            let labels: Vec<u8> = rows.iter().map(|row| row.0.into()).collect();
            let doubles: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let singles: Vec<f32> = doubles.iter().map(|&x| x as f32).collect();
            let halves: Vec<f16> = doubles.iter().map(|&x| f16::from_f64(x)).collect();
            let integers: Vec<i64> = doubles.iter().map(|&x| x as i64).collect();
            let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 2.0).collect();
            let given: Vec<Threshold> = thresholds.iter().map(|&t| Threshold::Float(t)).collect();
            let options = SweepOptions {
                pos_label: Some(crate::base::input::Label::Int(1)),
                infinite: true,
                ..SweepOptions::default()
            };
            for (scores, as_doubles) in [
                (Scores::F64(Column::from_slice(&doubles)), doubles.clone()),
                (Scores::F32(Column::from_slice(&singles)), singles.iter().map(|&x| f64::from(x)).collect()),
                (Scores::F16(Column::from_slice(&halves)), halves.iter().map(|&x| f64::from(x)).collect()),
                (Scores::I64(Column::from_slice(&integers)), integers.iter().map(|&x| x as f64).collect()),
            ] {
                let y_true = Labels::U8(Column::from_slice(&labels));
                let column = weighted.then(|| Column::from_slice(&weights));
                let found = counts_at(&y_true, &scores, column, &options, &given, side).unwrap();
                let table = score_table(&y_true, &scores, column, &options).unwrap();
                prop_assert_eq!(&found, &counts_of_table(&table, &given, side));
                let plain: Vec<(bool, f64, f64)> = rows
                    .iter()
                    .zip(&as_doubles)
                    .zip(&weights)
                    .map(|((row, &score), &weight)| (row.0, score, if weighted { weight } else { 1.0 }))
                    .collect();
                for (&threshold, counts) in thresholds.iter().zip(&found) {
                    // Doubles round the greatest integers; here the table, which compares exactly,
                    // replaces the definition.
                    if matches!(scores, Scores::I64(_)) && threshold.abs() > 1e15 {
                        let at = table.at(threshold, side);
                        prop_assert_eq!(cells(counts), cells(&at));
                        continue;
                    }
                    prop_assert_eq!(cells(counts), naive(&plain, threshold, side));
                    prop_assert_eq!(cells(counts), cells(&table.at(threshold, side)));
                }
            }
        }

        #[test]
        fn edges_are_the_least_keys_that_are_taken(
            bits in any::<u64>(),
            integer in any::<i64>(),
            near in -3i64..4,
            strict in any::<bool>(),
        ) {
            let side = if strict { Side::Greater } else { Side::GreaterEqual };
            let float = f64::from_bits(bits);
            let integer = i128::from(integer);
            let all = [
                Threshold::Float(if float.is_nan() { 0.5 } else { float }),
                Threshold::Integer(integer * (1 + i128::from(near == 3))),
                Threshold::Integer((1 << 53) + i128::from(near)),
                Threshold::Float(f64::from(near as i32) / 2.0),
            ];
            for threshold in all {
                for kind in [ScoreKind::I32, ScoreKind::U32, ScoreKind::I64, ScoreKind::U64, ScoreKind::F16, ScoreKind::F32, ScoreKind::F64] {
                    let takes = |key: u64| match (kind.integer(key), threshold) {
                        (Some(score), Threshold::Integer(threshold)) => score > threshold || !strict && score == threshold,
                        (Some(score), Threshold::Float(threshold)) => {
                            let whole = threshold.floor() as i128;
                            score > whole || !strict && score == whole && threshold.floor() == threshold
                        }
                        (None, _) => threshold.takes(kind.score(key), side),
                    };
                    let Some(edge) = edge(kind, threshold, side) else {
                        prop_assert!(!takes(kind.greatest()));
                        continue;
                    };
                    if !kind.is_float() || kind.score(edge) <= f64::INFINITY {
                        prop_assert!(takes(edge), "{:?} {:?} {:?}", kind, threshold, edge);
                    }
                    if edge > 0 && (!kind.is_float() || kind.score(edge - 1) >= f64::NEG_INFINITY) {
                        prop_assert!(!takes(edge - 1), "{:?} {:?} {:?}", kind, threshold, edge);
                    }
                }
            }
        }
    }

    #[test]
    fn integers_beyond_doubles_are_compared_exactly() {
        let scores = [(1_i64 << 60) - 1, 1 << 60, (1 << 60) + 1, i64::MAX];
        let y_score = Scores::I64(Column::from_slice(&scores));
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
        let at = |threshold: i128, side| {
            let given = [Threshold::Integer(threshold)];
            let options = SweepOptions::default();
            let found = counts_at(&y_true, &y_score, None, &options, &given, side).unwrap();
            [found[0].tp, found[0].fp]
        };
        assert_eq!(at((1 << 60) + 1, Side::GreaterEqual), [1.0, 1.0]);
        assert_eq!(at((1 << 60) + 1, Side::Greater), [1.0, 0.0]);
        assert_eq!(at(i128::from(i64::MAX), Side::GreaterEqual), [1.0, 0.0]);
        assert_eq!(at(i128::from(i64::MAX), Side::Greater), [0.0, 0.0]);
        assert_eq!(at(i128::from(u64::MAX), Side::GreaterEqual), [0.0, 0.0]);
        let greatest = [u64::MAX, 0];
        let y_score = Scores::U64(Column::from_slice(&greatest));
        let y_true = Labels::U8(Column::from_slice(&[1, 0]));
        let given = [u64::MAX, 5, 0].map(|t| Threshold::Integer(t.into()));
        let side = Side::GreaterEqual;
        let options = SweepOptions::default();
        let found = counts_at(&y_true, &y_score, None, &options, &given, side).unwrap();
        assert_eq!(
            found.iter().map(|c| [c.tp, c.fp]).collect::<Vec<_>>(),
            [[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
        );
    }

    #[test]
    fn missing_scores_are_above_every_threshold_or_below() {
        let y_score = [0.5, f64::NAN, f64::NEG_INFINITY, f64::INFINITY];
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 0]));
        let given = [f64::NEG_INFINITY, 0.0, 0.25, 0.75, f64::INFINITY].map(Threshold::Float);
        for (nan_policy, expected) in
            [(NanPolicy::Best, [1.0; 5]), (NanPolicy::Worst, [0.0; 5]), (NanPolicy::Omit, [0.0; 5])]
        {
            let options = SweepOptions {
                nan_policy,
                infinite: true,
                pos_label: Some(crate::base::input::Label::Int(1)),
                ..SweepOptions::default()
            };
            for side in [Side::GreaterEqual, Side::Greater] {
                let scores = Scores::F64(Column::from_slice(&y_score));
                let found = counts_at(&y_true, &scores, None, &options, &given, side).unwrap();
                assert_eq!(found.iter().map(|c| c.tp).collect::<Vec<_>>(), expected);
                let singles = y_score.map(|x| x as f32);
                let scores = Scores::F32(Column::from_slice(&singles));
                let found = counts_at(&y_true, &scores, None, &options, &given, side).unwrap();
                assert_eq!(found.iter().map(|c| c.tp).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn parts_and_many_thresholds_change_nothing() {
        let rows = 300_000_u32;
        let mix = |row: u32| row.wrapping_mul(2_654_435_761) >> 8;
        let scores: Vec<f64> = (0..rows).map(|row| f64::from(mix(row)) / 16_777_216.0).collect();
        let labels: Vec<u8> = (0..rows).map(|row| (mix(row + 7) % 3 == 0).into()).collect();
        let (y_true, y_score) =
            (Labels::U8(Column::from_slice(&labels)), Scores::F64(Column::from_slice(&scores)));
        let options = SweepOptions::default();
        let table = score_table(&y_true, &y_score, None, &options).unwrap();
        for count in [1, 7, 100, 2000, 30_000] {
            let logarithmic = (0..count)
                .map(|i| Threshold::Float(1e-9_f64.powf(f64::from(i) / f64::from(count))));
            let uniform = (0..=count).map(|i| Threshold::Float(f64::from(i) / f64::from(count)));
            for given in [uniform.collect::<Vec<_>>(), logarithmic.collect()] {
                let side = Side::GreaterEqual;
                let found = counts_at(&y_true, &y_score, None, &options, &given, side).unwrap();
                assert_eq!(found, counts_of_table(&table, &given, side));
            }
        }
    }
}
