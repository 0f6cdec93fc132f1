//! Reduces a curve of millions of points to a few hundred, with a stated deviation.
//!
//! The result is a selection of the curve's own points: the first and the last, requested points,
//! and the points beside a gap (a coordinate that is NaN or infinite). The deviation is vertical:
//! at any x, the curve and its simplification differ by at most this much, in units of y. A
//! vertical piece of the curve counts with its whole length.
//!
//! Three filters, each applied to the result of the filter before, in one pass over the curve:
//!
//! 1. Exact: of three points the middle one is dropped if it lies on the line between the others;
//!    with integers for curves of counts.
//! 2. Cone: from the last kept point, track the slopes that pass within ε of every later point. The
//!    furthest point whose own slope is among them is kept next. A segment ends where x turns back.
//!    With `max_points` the buffer holds up to 32 times as many candidates; whenever it is full, ε
//!    doubles and the candidates are filtered again. So the tolerances add up to less than twice
//!    the last.
//! 3. Bisection for the smallest ε that reduces the candidates to `max_points`.
//!
//! The deviation is measured at the end, over every dropped point. Between two neighbouring points
//! both lines are straight, so their distance is largest at a point. Vertical distances add up,
//! unlike perpendicular ones, and the axes need no common unit.
//!
//! For steps, where y is constant from the x before up to the point's own x, a segment may become
//! one step while its last y lies within ε of all.
//!
//! Cost: two reads of every point, about 10 ns each with its divisions; memory for the candidates
//! only.
//!
//! Sources: Williams 1978, doi:10.1016/S0146-664X(78)80015-8 (cone); Imai, Iri 1986,
//! doi:10.1016/S0734-189X(86)80027-5 (vertical criterion).
//!
//! Rejected:
//! - Douglas and Peucker: n log n, worst case n², and all points in memory;
//! - Visvalingam: a heap of all points, and areas, which bound no deviation;
//! - every k-th point: no bound;
//! - a cone that ends at the first point outside: on a noisy staircase it keeps four times as many
//!   points;
//! - a larger buffer for candidates: a tenth less deviation, in three times the time.

use crate::arith::products::difference_of_products;
use crate::base::memory::{Gather, Room};

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// By straight lines.
    Lines,
    /// Entry i of y is the value from entry i - 1 of x, which does not fall, up to entry i.
    Steps,
}

/// One or several curves over the same x.
pub(crate) trait Points<const C: usize>: Sync {
    /// The number of points.
    fn len(&self) -> usize;
    fn at(&self, place: usize) -> (f64, [f64; C]);
    /// Whether point b, between a and c in order, lies exactly on the straight line between them.
    /// All three are finite.
    fn is_straight(&self, a: usize, b: usize, c: usize) -> bool;
    /// Whether a point has coordinates.
    #[inline]
    fn is_finite(&self, place: usize) -> bool {
        is_finite(&self.at(place))
    }
}

/// Columns of numbers as a curve.
pub(crate) struct Columns<'a, const C: usize> {
    pub(crate) x: &'a [f64],
    pub(crate) y: [&'a [f64]; C],
}

impl<const C: usize> Points<C> for Columns<'_, C> {
    fn len(&self) -> usize {
        self.x.len()
    }

    #[inline]
    fn at(&self, place: usize) -> (f64, [f64; C]) {
        (self.x[place], self.y.map(|y| y[place]))
    }

    #[inline]
    fn is_straight(&self, a: usize, b: usize, c: usize) -> bool {
        let points = [a, b, c].map(|place| self.at(place));
        are_straight(points)
    }
}

/// Whether the second of three points lies on the line between the others, in the given numbers;
/// false if a difference must be rounded.
#[inline]
pub(crate) fn are_straight<const C: usize>([a, b, c]: [(f64, [f64; C]); 3]) -> bool {
    let between = |a: f64, b: f64, c: f64| (a <= b && b <= c) || (c <= b && b <= a);
    (0..C).all(|of| {
        let ((x1, y1), (x2, y2), (x3, y3)) = ((a.0, a.1[of]), (b.0, b.1[of]), (c.0, c.1[of]));
        if !(between(x1, x2, x3) && between(y1, y2, y3)) {
            return false;
        }
        if (y1 == y2 && y2 == y3) || (x1 == x2 && x2 == x3) {
            return true;
        }
        let gaps = [difference(x2, x1), difference(y3, y1), difference(x3, x1), difference(y2, y1)];
        match gaps {
            [Some(x), Some(y), Some(width), Some(height)] => {
                difference_of_products(x, y, width, height) == 0.0
            }
            _ => false,
        }
    })
}

/// a − b, if it is exactly a double.
#[inline]
fn difference(a: f64, b: f64) -> Option<f64> {
    let gap = a - b;
    let part = gap - a;
    let error = (a - (gap - part)) + (-b - part);
    (error == 0.0).then_some(gap)
}

/// The requested simplification.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// The most points.
    pub max_points: Option<usize>,
    /// This much deviation is always allowed; more only if `max_points` requires it.
    pub max_deviation: f64,
    /// Places to keep, ascending.
    pub keep: Vec<usize>,
}

/// The kept points.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Their places, ascending.
    pub places: Vec<usize>,
    /// The largest vertical distance of a dropped point.
    pub deviation: f64,
}

/// Simplifies a curve.
///
/// # Errors
/// The number of points that must stay, if it is above `max_points`.
pub(crate) fn simplify<const C: usize, P: Points<C>>(
    points: &P,
    join: Join,
    wish: &Wish,
) -> Result<Kept, usize> {
    let len = points.len();
    let walk = Walk { points, join, keep: &wish.keep };
    let all = |place: usize| place;
    let most = wish.max_points.unwrap_or(usize::MAX);
    let room = most.saturating_mul(32).min((1 << 14).max(most.saturating_mul(4)));
    let mut candidates = Vec::new();
    let mut done = walk.exact(&all, len, room, &mut candidates);
    if done == len && candidates.len() <= most && wish.max_deviation <= 0.0 {
        return Ok(Kept { places: candidates, deviation: 0.0 });
    }
    // Slightly below the allowed deviation, for the rounding of slopes.
    let allowed = (wish.max_deviation * (1.0 - 1e-6) - 1e-15).max(0.0);
    let mut tolerance = if allowed > 0.0 {
        allowed
    } else {
        // To begin with, some points give the scale.
        walk.spread((0..len).step_by(1 + len / 4096)).max(f64::MIN_POSITIVE) / (1_u64 << 36) as f64
    };
    let filter = |from: &[usize], tolerance: f64, room: usize| {
        let mut to: Vec<usize> = from.first().copied().into_iter().gather();
        let all_read = walk.within(&|at| from[at], from.len(), 0, tolerance, room, &mut to);
        (all_read + 1 >= from.len()).then_some(to)
    };
    if wish.max_deviation > 0.0 && allowed > 0.0 && done == len {
        // From the curve itself, because tolerances of two filters would add up.
        candidates.truncate(1);
        done = 1;
    }
    while done < len {
        let last = done - 1;
        let reached = walk.within(&all, len, last, tolerance, room, &mut candidates);
        done = reached + 1;
        while done < len && candidates.len() > room / 2 {
            tolerance *= 2.0;
            let Some(fewer) = filter(&candidates, tolerance, usize::MAX) else {
                break;
            };
            candidates = fewer;
            if tolerance > 4.0 * walk.spread(candidates.iter().copied()) {
                break;
            }
        }
        if candidates.len() >= room {
            // Gaps leave no choice: the rest is added without a limit.
            let reached =
                walk.within(&all, len, done - 1, f64::INFINITY, usize::MAX, &mut candidates);
            done = reached + 1;
        }
    }
    if candidates.len() > most {
        let Some(mut best) = filter(&candidates, f64::INFINITY, most.saturating_add(1))
            .filter(|best| best.len() <= most)
        else {
            let least = filter(&candidates, f64::INFINITY, usize::MAX);
            return Err(least.map_or(candidates.len(), |least| least.len()));
        };
        let spread = walk.spread(candidates.iter().copied());
        let (mut low, mut high) = (tolerance.max(spread * 1e-12), 2.0 * spread);
        while high > 1.02 * low {
            let middle = (low * high).sqrt();
            match filter(&candidates, middle, most.saturating_add(1)) {
                Some(fewer) if fewer.len() <= most => (high, best) = (middle, fewer),
                _ => low = middle,
            }
        }
        candidates = best;
    }
    let deviation = walk.deviation(&candidates);
    Ok(Kept { places: candidates, deviation })
}

/// The filters over one curve.
struct Walk<'a, P> {
    points: &'a P,
    join: Join,
    keep: &'a [usize],
}

/// Lookahead beyond the furthest usable point, in addition to the length of the segment.
const AHEAD: usize = 32;

fn is_finite<const C: usize>(point: &(f64, [f64; C])) -> bool {
    point.0.is_finite() && point.1.iter().all(|y| y.is_finite())
}

impl<P> Walk<'_, P> {
    /// The first place from `from` on that must be kept.
    fn next_kept<const C: usize>(&self, from: usize) -> usize
    where
        P: Points<C>,
    {
        let at = self.keep.partition_point(|&place| place < from);
        self.keep.get(at).copied().unwrap_or(usize::MAX)
    }

    /// The largest difference of two values of one y, at these places.
    fn spread<const C: usize>(&self, places: impl Iterator<Item = usize>) -> f64
    where
        P: Points<C>,
    {
        let (mut low, mut high) = ([f64::INFINITY; C], [f64::NEG_INFINITY; C]);
        for place in places {
            for (of, y) in self.points.at(place).1.into_iter().enumerate() {
                if y.is_finite() {
                    (low[of], high[of]) = (low[of].min(y), high[of].max(y));
                }
            }
        }
        (0..C).fold(0.0, |spread: f64, of| spread.max(high[of] - low[of]))
    }

    /// Keeps points exactly, until the buffer is full; returns how many points were read.
    fn exact<const C: usize>(
        &self,
        place: &impl Fn(usize) -> usize,
        len: usize,
        room: usize,
        to: &mut Vec<usize>,
    ) -> usize
    where
        P: Points<C>,
    {
        let mut forced = self.next_kept(0);
        for at in 0..len {
            let new = place(at);
            if let [.., a, b] = to[..]
                && b != forced
                && self.is_idle(a, b, new)
            {
                if let Some(last) = to.last_mut() {
                    *last = new;
                }
                continue;
            }
            if to.last().is_some_and(|&last| last >= forced) {
                forced = self.next_kept(forced + 1);
            }
            if to.len() >= room {
                return at;
            }
            to.grow(new);
        }
        len
    }

    /// Whether dropping b changes nothing.
    #[inline]
    fn is_idle<const C: usize>(&self, a: usize, b: usize, c: usize) -> bool
    where
        P: Points<C>,
    {
        match [a, b, c].map(|place| self.points.is_finite(place)) {
            [true, true, true] if self.join == Join::Lines => self.points.is_straight(a, b, c),
            [true, true, true] => {
                let [a, b, c] = [a, b, c].map(|place| self.points.at(place));
                b.0 <= a.0 || b.1 == c.1
            }
            [false, false, false] => true,
            _ => false,
        }
    }

    /// Keeps the points selected by the cone, from the point at `start`, which `to` already holds;
    /// returns where it ended.
    fn within<const C: usize>(
        &self,
        place: &impl Fn(usize) -> usize,
        len: usize,
        start: usize,
        tolerance: f64,
        room: usize,
        to: &mut Vec<usize>,
    ) -> usize
    where
        P: Points<C>,
    {
        let mut anchor = start;
        while anchor + 1 < len && to.len() < room {
            let forced = self.next_kept(place(anchor) + 1);
            anchor = match self.join {
                Join::Lines => self.line(place, len, anchor, tolerance, forced),
                Join::Steps => self.step(place, len, anchor, tolerance, forced),
            };
            to.grow(place(anchor));
        }
        anchor
    }

    /// The furthest end of a straight line from `anchor`.
    #[inline]
    fn line<const C: usize>(
        &self,
        place: &impl Fn(usize) -> usize,
        len: usize,
        anchor: usize,
        tolerance: f64,
        forced: usize,
    ) -> usize
    where
        P: Points<C>,
    {
        let first = self.points.at(place(anchor));
        let (x0, y0) = first;
        let after = anchor + 1;
        let mut best = after;
        if !is_finite(&first) {
            return self.gap(place, len, after, forced);
        }
        let (mut least, mut greatest) = ([f64::NEG_INFINITY; C], [f64::INFINITY; C]);
        // Points above or below the anchor itself.
        let (mut low, mut high) = (y0, y0);
        let (mut before, mut rising) = (x0, None);
        for at in after..len {
            let new = place(at);
            let point = self.points.at(new);
            if !is_finite(&point) {
                break;
            }
            let (x, y) = point;
            if x != before {
                let rises = x > before;
                match rising {
                    None => {
                        rising = Some(rises);
                        let near =
                            |of| high[of] - y0[of] <= tolerance && y0[of] - low[of] <= tolerance;
                        if !(0..C).all(near) {
                            break;
                        }
                    }
                    Some(before) if before != rises => break,
                    Some(_) => {}
                }
                before = x;
            }
            let mut fits = true;
            let mut open = true;
            if rising.is_none() {
                for of in 0..C {
                    fits &= low[of] >= y0[of].min(y[of]) - tolerance
                        && high[of] <= y0[of].max(y[of]) + tolerance;
                    (low[of], high[of]) = (low[of].min(y[of]), high[of].max(y[of]));
                }
            } else {
                let share = 1.0 / (x - x0).abs();
                // No slope if the width is not representable as a double, or nearly so.
                if !(share > 0.0 && share.is_finite()) {
                    break;
                }
                for of in 0..C {
                    let slope = (y[of] - y0[of]) * share;
                    fits &= least[of] <= slope && slope <= greatest[of];
                    least[of] = least[of].max(slope - tolerance * share);
                    greatest[of] = greatest[of].min(slope + tolerance * share);
                    open &= least[of] <= greatest[of];
                }
            }
            if fits {
                best = at;
            }
            if !open || new >= forced || at - best > (best - anchor) + AHEAD {
                break;
            }
        }
        best
    }

    /// The furthest end of one step from `anchor`.
    #[inline]
    fn step<const C: usize>(
        &self,
        place: &impl Fn(usize) -> usize,
        len: usize,
        anchor: usize,
        tolerance: f64,
        forced: usize,
    ) -> usize
    where
        P: Points<C>,
    {
        let first = self.points.at(place(anchor));
        let after = anchor + 1;
        let mut best = after;
        if !is_finite(&first) {
            return self.gap(place, len, after, forced);
        }
        let (mut low, mut high) = ([f64::INFINITY; C], [f64::NEG_INFINITY; C]);
        let mut before = first.0;
        for at in after..len {
            let new = place(at);
            let point = self.points.at(new);
            if !is_finite(&point) {
                break;
            }
            let (x, y) = point;
            let (mut fits, mut open) = (true, true);
            for of in 0..C {
                if x > before {
                    (low[of], high[of]) = (low[of].min(y[of]), high[of].max(y[of]));
                }
                fits &= high[of] - y[of] <= tolerance && y[of] - low[of] <= tolerance;
                open &= high[of] - low[of] <= 2.0 * tolerance;
            }
            before = x;
            if fits {
                best = at;
            }
            if !open || new >= forced || at - best > (best - anchor) + AHEAD {
                break;
            }
        }
        best
    }

    /// The last place of a run of points without coordinates; the first is kept, too.
    fn gap<const C: usize>(
        &self,
        place: &impl Fn(usize) -> usize,
        len: usize,
        first: usize,
        forced: usize,
    ) -> usize
    where
        P: Points<C>,
    {
        let mut at = first;
        while place(at) < forced
            && at + 1 < len
            && !is_finite(&self.points.at(place(at)))
            && !is_finite(&self.points.at(place(at + 1)))
        {
            at += 1;
        }
        at
    }

    /// The largest vertical distance of a point from the kept points.
    fn deviation<const C: usize>(&self, kept: &[usize]) -> f64
    where
        P: Points<C>,
    {
        let mut greatest = 0.0_f64;
        for ends in kept.windows(2) {
            let (a, b) = (self.points.at(ends[0]), self.points.at(ends[1]));
            let share = 1.0 / (b.0 - a.0);
            let has_share = share != 0.0 && share.is_finite();
            // Halves, if the width itself exceeds a double.
            let half = if share == 0.0 { 0.5 } else { 1.0 };
            let mut before = a.0;
            for place in ends[0] + 1..ends[1] {
                let (x, y) = self.points.at(place);
                for (of, y) in y.into_iter().enumerate() {
                    let distance = match self.join {
                        Join::Steps if x > before => (y - b.1[of]).abs(),
                        Join::Steps => 0.0,
                        Join::Lines if a.0 == b.0 => {
                            let (low, high) = (a.1[of].min(b.1[of]), a.1[of].max(b.1[of]));
                            (low - y).max(y - high)
                        }
                        Join::Lines => {
                            let part = if has_share {
                                (x - a.0) * share
                            } else {
                                (x * half - a.0 * half) / (b.0 * half - a.0 * half)
                            };
                            (y - (a.1[of] + (b.1[of] - a.1[of]) * part)).abs()
                        }
                    };
                    // `max` ignores NaN.
                    greatest = greatest.max(distance);
                }
                before = x;
            }
        }
        greatest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The distance of a point from a curve, by definition: over all pieces that contain its x.
    fn away(x: &[f64], y: &[f64], kept: &[usize], point: usize) -> f64 {
        let piece = kept.windows(2).find(|ends| ends[0] <= point && point <= ends[1]).unwrap();
        let (a, b) = (piece[0], piece[1]);
        let (least, greatest) = (x[a].min(x[b]), x[a].max(x[b]));
        assert!(least <= x[point] && x[point] <= greatest);
        if x[a] == x[b] {
            return (y[a].min(y[b]) - y[point]).max(y[point] - y[a].max(y[b])).max(0.0);
        }
        let line = y[a] + (y[b] - y[a]) * (x[point] - x[a]) / (x[b] - x[a]);
        (y[point] - line).abs()
    }

    fn held(value: f64, x: &[f64], y: &[f64]) -> f64 {
        (1..x.len()).find(|&i| x[i - 1] < value && value <= x[i]).map_or(f64::NAN, |i| y[i])
    }

    proptest! {
        #[test]
        fn no_point_lies_further_away_than_is_said(
            steps in prop::collection::vec((0_u8..3, -3_i8..4), 2..200),
            most in prop::option::of(2_usize..30), deviation in prop::sample::select(vec![0.0, 0.5, 3.0]),
            turns: bool, keep in prop::collection::vec(0_usize..200, 0..3),
        ) {
            let mut at = (0.0, 0.0);
            let (x, y): (Vec<f64>, Vec<f64>) = steps.iter().enumerate().map(|(i, step)| {
                at.0 += f64::from(step.0) * if turns && i % 20 > 9 { -1.0 } else { 1.0 };
                at.1 += f64::from(step.1);
                at
            }).unzip();
            let mut keep: Vec<usize> = keep.into_iter().filter(|&place| place < x.len()).collect();
            keep.sort_unstable();
            keep.dedup();
            let wish = Wish { max_points: most, max_deviation: deviation, keep: keep.clone() };
            let points = Columns { x: &x, y: [&y] };
            match simplify(&points, Join::Lines, &wish) {
                Err(least) => prop_assert!(most.is_some_and(|most| least > most)),
                Ok(kept) => {
                    prop_assert!(most.is_none_or(|most| kept.places.len() <= most));
                    prop_assert!(keep.iter().all(|place| kept.places.contains(place)));
                    prop_assert_eq!(kept.places[0], 0);
                    prop_assert_eq!(*kept.places.last().unwrap(), x.len() - 1);
                    let worst = (0..x.len()).map(|i| away(&x, &y, &kept.places, i)).fold(0.0, f64::max);
                    prop_assert!((worst - kept.deviation).abs() < 1e-12, "{} {}", worst, kept.deviation);
                    if most.is_none() {
                        prop_assert!(kept.deviation <= deviation);
                        if deviation == 0.0 {
                            for three in kept.places.windows(3) {
                                prop_assert!(keep.contains(&three[1]) || !points.is_straight(three[0], three[1], three[2]));
                            }
                        }
                    }
                }
            }
        }

        #[test]
        fn no_step_lies_further_away_than_is_said(
            steps in prop::collection::vec((0_u8..3, -3_i8..4), 2..200),
            most in prop::option::of(2_usize..30), deviation in prop::sample::select(vec![0.0, 0.5, 3.0]),
        ) {
            let mut at = (0.0, 0.0);
            let (x, y): (Vec<f64>, Vec<f64>) = steps.iter().map(|step| {
                at = (at.0 + f64::from(step.0), at.1 + f64::from(step.1));
                at
            }).unzip();
            let wish = Wish { max_points: most, max_deviation: deviation, keep: Vec::new() };
            let kept = simplify(&Columns { x: &x, y: [&y] }, Join::Steps, &wish).unwrap();
            prop_assert!(most.is_none_or(|most| kept.places.len() <= most));
            let fewer = |of: &[f64]| kept.places.iter().map(|&place| of[place]).collect::<Vec<_>>();
            let (short_x, short_y) = (fewer(&x), fewer(&y));
            let worst = x.iter().filter(|&&value| value > x[0])
                .map(|&value| (held(value, &x, &y) - held(value, &short_x, &short_y)).abs()).fold(0.0, f64::max);
            prop_assert!((worst - kept.deviation).abs() < 1e-12, "{} {}", worst, kept.deviation);
            prop_assert!(most.is_some() || kept.deviation <= deviation);
        }
    }

    #[test]
    fn points_beside_a_gap_stay() {
        let nan = f64::NAN;
        let x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let y = [nan, nan, nan, 1.0, 1.0, 1.0, nan, 2.0];
        let kept = simplify(&Columns { x: &x, y: [&y] }, Join::Lines, &Wish::default()).unwrap();
        assert_eq!(kept.places, [0, 2, 3, 5, 6, 7]);
        let wish = Wish { max_points: Some(4), ..Wish::default() };
        assert_eq!(simplify(&Columns { x: &x, y: [&y] }, Join::Lines, &wish), Err(6));
    }

    #[test]
    fn a_long_curve_comes_down_to_a_few_points() {
        // A parabola: with k pieces the least deviation is 1 / (16 k²), lines from point to point;
        // k = 99.
        let x: Vec<f64> = (0..300_000).map(|i| f64::from(i) / 299_999.0).collect();
        let y: Vec<f64> = x.iter().map(|x| x * x).collect();
        let wish = Wish { max_points: Some(100), ..Wish::default() };
        let kept = simplify(&Columns { x: &x, y: [&y] }, Join::Lines, &wish).unwrap();
        assert!(kept.places.len() <= 100);
        let least = 1.0 / (4.0 * 99.0 * 99.0);
        assert!(kept.deviation < 1.5 * least, "{} against {least}", kept.deviation);
    }
}
