//! The convex hull of a ROC curve: its points are not dominated by a mixture of two thresholds. It
//! is also the isotonic calibration of the scores.
//!
//! Between two vertices, the share of positives equals the result of pooling adjacent violators,
//! the isotonic regression of the labels on the scores.
//!
//! 1. The points are (FP, TP) at every threshold, from (0, 0) to (N, P). They are compared exactly:
//!    counts as integers, sums of weights as fractions where `f64` does not tell. Each sum is
//!    rounded once before.
//! 2. A walk over every 64th point drops the last vertex while it does not lie above the line from
//!    the vertex before it to the new point (Andrew 1979). Points on a line are no vertices.
//! 3. Both coordinates only rise, so the points between two neighbours of step 2 lie in a box. If
//!    the upper left corner of the box is not above the hull of step 2, none of them is a vertex.
//! 4. The same walk goes over the remaining points, a few in a hundred, and the vertices of step 2.
//!
//! Cost: 0.3 to 0.5 ns a distinct score at 1e6 of them.
//!
//! Sources: Andrew 1979, doi:10.1016/0020-0190(79)90072-3; Provost, Fawcett 2001,
//! doi:10.1023/A:1007601015854; Fawcett, Niculescu-Mizil 2007, doi:10.1007/s10994-007-5011-0.
//!
//! Rejected:
//! - the walk over all points (4 to 6 ns a score);
//! - reading each point only when the walk needs it (1.5 times as long: it waits for memory).

use std::ops::Range;

use crate::arith::fraction::Fraction;
use crate::arith::products::{product, sum, unit_scale};
use crate::base::memory::{Gather, Room, with_room};
use crate::base::switch::switch_at;
use crate::scores::blocks::of_stretches;
use crate::scores::score_table::{Masses, ScoreTable};

/// The vertices of the hull, from the highest threshold to the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RocHull {
    /// The number of distinct scores, from the highest on, that are predicted positive at each
    /// vertex: ascending, from 0 to all. Only 0 for a table without rows.
    pub predicted: Vec<usize>,
}

impl RocHull {
    /// The vertices of the convex hull of a table's ROC curve.
    pub fn of(table: &ScoreTable) -> Self {
        Self { predicted: vertices(table, 0..table.len()) }
    }
}

impl RocHull {
    /// The range of cost ratios for which a vertex is the cheapest threshold. A cost ratio is the
    /// extra cost of missing a positive, divided by the extra cost of a false alarm. The ranges
    /// start at 0 at the first vertex and end at infinity at the last; none for a point that is no
    /// vertex, and without rows of both classes.
    pub fn cost_ratios(&self, table: &ScoreTable, predicted: usize) -> Option<(f64, f64)> {
        let (positives, negatives) = table.totals();
        let at = self.predicted.binary_search(&predicted).ok()?;
        if positives <= 0.0 || negatives <= 0.0 {
            return None;
        }
        let slope = |from: usize, to: usize| {
            let (tp, fp) = table.masses_between(self.predicted[from], self.predicted[to]);
            fp / tp
        };
        let low = if at == 0 { 0.0 } else { slope(at - 1, at) };
        let is_last = at + 1 == self.predicted.len();
        let high = if is_last { f64::INFINITY } else { slope(at, at + 1) };
        Some((low, high))
    }
}

/// The vertices of a range of places of a table: the number of places predicted positive at each
/// vertex, starting at the point before the range.
pub(crate) fn vertices(table: &ScoreTable, places: Range<usize>) -> Vec<usize> {
    match table.masses() {
        Masses::Counts(positives, negatives) => {
            let point = |predicted: usize| match (places.start + predicted).checked_sub(1) {
                Some(place) => (positives[place], negatives[place]),
                None => (0, 0),
            };
            let all = point(places.len());
            // The points ascend, so no difference is negative.
            if u32::try_from(all.0.max(all.1)).is_ok() {
                in_stretches(places.len(), point, is_above, is_above)
            } else {
                in_stretches(places.len(), point, is_far_above, is_far_above)
            }
        }
        Masses::Weights(_) => {
            let (positives, negatives) = table.totals();
            let (up, down) = (unit_scale(positives), unit_scale(negatives));
            let point = |predicted: usize| {
                let (tp, fp) = table.at_or_above(places.start + predicted);
                (tp * up, fp * down)
            };
            // Rounding of either product is smaller than this.
            let perhaps = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
                let (height, width) = (c.0 - a.0, c.1 - a.1);
                let gap = (b.0 - a.0) * width - height * (b.1 - a.1);
                gap >= -8.0 * f64::EPSILON * (height * width)
            };
            in_stretches(places.len(), point, is_rounded_above, perhaps)
        }
    }
}

type Counts = (u64, u64);

/// Whether b lies above the line from a to c, for counts of less than 2^32.
fn is_above(a: Counts, b: Counts, c: Counts) -> bool {
    (b.0 - a.0) * (c.1 - a.1) > (c.0 - a.0) * (b.1 - a.1)
}

/// [`is_above`] for all counts.
fn is_far_above(a: Counts, b: Counts, c: Counts) -> bool {
    let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
    product(b.0 - a.0, c.1 - a.1) > product(c.0 - a.0, b.1 - a.1)
}

/// [`is_above`] for sums of weights, each rounded once. Exact: so the vertices are the same in
/// whatever stretches and pieces the points are compared.
pub(crate) fn is_rounded_above(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> bool {
    let [up, width, height, right] = [(b.0, a.0), (c.1, a.1), (c.0, a.0), (b.1, a.1)];
    let gaps = [up, width, height, right].map(|(to, from)| sum(to, -from));
    let [p, q] = [(gaps[0].0, gaps[1].0), (gaps[2].0, gaps[3].0)];
    if gaps.iter().all(|gap| gap.1 == 0.0) {
        return product(p.0, p.1) > product(q.0, q.1);
    }
    let (above, below) = (p.0 * p.1, q.0 * q.1);
    if (above - below).abs() > 8.0 * f64::EPSILON * (above + below) {
        return above > below;
    }
    let exact = |(to, from): (f64, f64)| {
        let parts = (Fraction::of(to), Fraction::of(-from));
        if let (Some(to), Some(from)) = parts { to.plus(&from) } else { Fraction::whole(0) }
    };
    let [up, width, height, right] = [up, width, height, right].map(exact);
    up.times(&width).compare(&height.times(&right)).is_gt()
}

/// [`hull`] of each stretch of points, and the walk over their vertices: only the vertices of a
/// stretch can be vertices of the whole.
fn in_stretches<N: Copy>(
    last: usize,
    point: impl Fn(usize) -> (N, N) + Sync,
    above: impl Fn((N, N), (N, N), (N, N)) -> bool + Sync,
    perhaps: impl Fn((N, N), (N, N), (N, N)) -> bool + Sync,
) -> Vec<usize> {
    let of = |places: Range<usize>| {
        let start = places.start;
        let own = hull(places.len(), |place| point(start + place), &above, &perhaps);
        own.into_iter().map(move |place| start + place)
    };
    chain(of_stretches(last, of).flatten(), &point, &above)
}

/// Every `STEP`th point is visited first.
const STEP: usize = switch_at(64, 4);

/// The vertices among points 0 to `last` with ascending coordinates. `above(a, b, c)` tells whether
/// b lies above the line from a to c; `perhaps` is true wherever `above` is.
fn hull<N: Copy>(
    last: usize,
    point: impl Fn(usize) -> (N, N),
    above: impl Fn((N, N), (N, N), (N, N)) -> bool,
    perhaps: impl Fn((N, N), (N, N), (N, N)) -> bool,
) -> Vec<usize> {
    if last < 16 * STEP {
        return chain(0..=last, point, above);
    }
    // Read together, so that no read waits for a result.
    let few: Vec<(N, N)> = (0..last).step_by(STEP).chain([last]).map(&point).gather();
    let at = |place: usize| few[place.div_ceil(STEP)];
    let some = chain((0..last).step_by(STEP).chain([last]), at, &above);
    let mut left = with_room(4 * some.len());
    for edge in some.windows(2) {
        let (from, to) = (edge[0], edge[1]);
        left.grow(from);
        let (a, c) = (at(from), at(to));
        let mut start = from;
        let mut before = a;
        while start < to {
            let end = to.min(start + STEP);
            let after = at(end);
            // The points between lie in a box; its upper left corner bounds them.
            if perhaps(a, (after.0, before.1), c) {
                left.grow_with((start + 1..end).filter(|&place| perhaps(a, point(place), c)));
            }
            // A visited point that is no vertex of the first hull lies below it.
            (start, before) = (end, after);
        }
    }
    left.grow(last);
    chain(left.into_iter(), point, above)
}

/// The vertices among points, from left to right.
fn chain<P: Copy>(
    places: impl Iterator<Item = usize>,
    point: impl Fn(usize) -> P,
    above: impl Fn(P, P, P) -> bool,
) -> Vec<usize> {
    let mut hull: Vec<(usize, P)> = Vec::new();
    for place in places {
        let new = point(place);
        while let [.., (_, a), (_, b)] = hull[..] {
            if above(a, b, new) {
                break;
            }
            hull.pop();
        }
        hull.grow((place, new));
    }
    hull.into_iter().map(|(place, _)| place).gather()
}

#[cfg(test)]
mod tests {
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::isotonic_hull::{RocHull, chain, hull};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    proptest! {
        /// Many points, compared with the walk over all of them; few steps in few directions form
        /// long lines and plateaus.
        #[test]
        fn what_is_left_out_is_no_vertex(
            steps in prop::collection::vec((0_u64..4, 0_u64..4, 1_usize..200), 20..200),
            bend in 0_u64..3, huge: bool,
        ) {
            let mut points = vec![(0_u64, 0_u64)];
            let all = steps.len() as u64;
            for (turn, &(up, right, times)) in steps.iter().enumerate() {
                let turn = turn as u64;
                for _ in 0..times {
                    let (tp, fp) = points[points.len() - 1];
                    let (up, right) = (up + bend * (all - turn) / all, right + bend * turn / all);
                    // Every score has rows, so neighbouring points differ.
                    points.push((tp + up, fp + right + u64::from(up + right == 0)));
                }
            }
            let factor = if huge { 1 << 40 } else { 1 };
            let point = |place: usize| (points[place].0 * factor, points[place].1 * factor);
            let above = |a: (u64, u64), b: (u64, u64), c: (u64, u64)| {
                let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
                product(b.0 - a.0, c.1 - a.1) > product(c.0 - a.0, b.1 - a.1)
            };
            let last = points.len() - 1;
            prop_assert_eq!(hull(last, point, above, above), chain(0..=last, point, above));
        }

        #[test]
        fn long_tables_have_the_vertices_of_the_walk_over_all_points(
            seed in 1_u64.., rows in 1100_usize..6000, rare in 2_u64..40, lead in 0.0..3.0_f64, kind in 0_u8..3,
        ) {
            let mut state = seed;
            let mut random = || {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state
            };
            let y: Vec<u8> = (0..rows).map(|_| u8::from(random() % rare == 0)).collect();
            let s: Vec<f64> = y.iter().map(|&y| {
                (random() >> 11) as f64 / (1_u64 << 53) as f64 + f64::from(y) * lead
            }).collect();
            let w: Vec<f64> = (0..rows).map(|_| match kind {
                1 => (random() % 9) as f64 / 4.0,
                _ => (random() >> 30) as f64,
            }).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                (kind > 0).then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            ).unwrap();
            // Whole numbers compare exactly.
            let point = |k: usize| {
                let (tp, fp) = if k == 0 { (0.0, 0.0) } else { table.cumulative(k - 1) };
                ((4.0 * tp) as i128, (4.0 * fp) as i128)
            };
            let above = |a: (i128, i128), b: (i128, i128), c: (i128, i128)| {
                (b.0 - a.0) * (c.1 - a.1) > (c.0 - a.0) * (b.1 - a.1)
            };
            let expected = chain(0..=table.len(), point, above);
            prop_assert_eq!(&RocHull::of(&table).predicted, &expected);
        }

        /// Compared with the definition: a point is a vertex if it lies above every line between an
        /// earlier and a later point.
        #[test]
        fn vertices_lie_above_every_line(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..4), 1..40), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            ).unwrap();
            let point = |k: usize| if k == 0 { (0.0, 0.0) } else { table.cumulative(k - 1) };
            let is_vertex = |&b: &usize| {
                (0..b).all(|a| (b + 1..=table.len()).all(|c| {
                    let (a, b, c) = (point(a), point(b), point(c));
                    (b.0 - a.0) * (c.1 - a.1) > (c.0 - a.0) * (b.1 - a.1)
                }))
            };
            let expected: Vec<usize> = (0..=table.len()).filter(is_vertex).collect();
            prop_assert_eq!(&RocHull::of(&table).predicted, &expected);
        }
    }
}
