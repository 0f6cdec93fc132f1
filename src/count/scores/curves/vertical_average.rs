//! The vertical mean of several curves: at each x, the mean of y.
//!
//! 1. A curve connects its points by straight lines, and may jump at an x.
//! 2. At each x of any curve the mean has its limit from the left and, if a curve jumps, also its
//!    limit from the right. So the area under the mean is the mean of the areas.
//! 3. At given x each curve counts with its last point there, as in `numpy.interp`.
//!
//! Cost: all x are sorted once, then each curve is read once: O(n log n + curves · n).
//!
//! Sources: Provost, Fawcett and Kohavi 1998 (vertical averaging); Fawcett 2006,
//! doi:10.1016/j.patrec.2005.10.010.

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room};

/// A curve: x, which never falls, and y.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Polyline {
    /// From the highest threshold to the lowest.
    pub x: Vec<f64>,
    /// One value for each x.
    pub y: Vec<f64>,
}

/// The mean of curves; entry i of each list is point i.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AverageCurve {
    /// Ascending; twice where a curve jumps.
    pub x: Vec<f64>,
    /// The mean.
    pub y: Vec<f64>,
    /// The lowest of the curves.
    pub lowest: Vec<f64>,
    /// The highest of the curves.
    pub highest: Vec<f64>,
}

impl Polyline {
    /// The points that are numbers in both lists.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for x that fall.
    pub fn new(x: &[f64], y: &[f64], name: &str) -> Result<Self> {
        let numbers = x.iter().zip(y).filter(|(x, y)| !x.is_nan() && !y.is_nan());
        let x: Vec<f64> = numbers.clone().map(|(&x, _)| x).gather();
        let y: Vec<f64> = numbers.map(|(_, &y)| y).gather();
        if x.windows(2).any(|pair| pair[0] > pair[1]) {
            let expected = "an index that never falls while the threshold does, such as \"fpr\", \"recall\" or \"rpp\"";
            return Err(Refusal::argument("x", format!("{name:?}"), expected));
        }
        Ok(Self { x, y })
    }
}

/// A walk along a curve from left to right.
struct Walk<'a> {
    curve: &'a Polyline,
    /// The first point that is not left of the current x.
    place: usize,
}

impl Walk<'_> {
    /// The limits of y from the left and from the right; x must not fall from call to call. Beyond
    /// its ends a curve is constant.
    fn step(&mut self, at: f64) -> (f64, f64) {
        let (x, y) = (&self.curve.x, &self.curve.y);
        while self.place < x.len() && x[self.place] < at {
            self.place += 1;
        }
        if self.place == x.len() {
            let last = y[y.len() - 1];
            return (last, last);
        }
        if x[self.place] == at {
            let first = y[self.place];
            let mut last = self.place;
            while last + 1 < x.len() && x[last + 1] == at {
                last += 1;
            }
            self.place = last;
            return (first, y[last]);
        }
        let Some(before) = self.place.checked_sub(1) else {
            return (y[0], y[0]);
        };
        let share = (at - x[before]) / (x[self.place] - x[before]);
        let between = y[before] * (1.0 - share) + y[self.place] * share;
        (between, between)
    }
}

/// The mean of curves with points, with a weight for each; at every x of any curve, or at equally
/// spaced x.
///
/// ```
/// use rocksteady_count::scores::curves::vertical_average::{Polyline, vertical_average};
///
/// let step = Polyline { x: vec![0.0, 0.0, 1.0], y: vec![0.0, 1.0, 1.0] };
/// let line = Polyline { x: vec![0.0, 1.0], y: vec![0.0, 1.0] };
/// let mean = vertical_average(&[step, line], &[1.0, 1.0], None);
/// assert_eq!((mean.x, mean.y), (vec![0.0, 0.0, 1.0], vec![0.0, 0.5, 1.0]));
/// ```
#[must_use]
pub fn vertical_average(
    curves: &[Polyline],
    shares: &[f64],
    points: Option<usize>,
) -> AverageCurve {
    let kept =
        || curves.iter().zip(shares).filter(|(curve, share)| !curve.x.is_empty() && **share > 0.0);
    let greatest = kept().map(|(_, share)| *share).fold(0.0, f64::max);
    let shares: Vec<f64> = kept().map(|(_, share)| share / greatest).gather();
    let total: f64 = shares.iter().sum();
    let mut walks: Vec<Walk> = kept().map(|(curve, _)| Walk { curve, place: 0 }).gather();
    let mut found = AverageCurve::default();
    if walks.is_empty() {
        return found;
    }
    let mut all: Vec<f64> = match points {
        None => kept().flat_map(|(curve, _)| curve.x.iter().copied()).gather(),
        Some(points) => {
            let low = kept().map(|(curve, _)| curve.x[0]).fold(f64::INFINITY, f64::min);
            let high = kept()
                .filter_map(|(curve, _)| curve.x.last().copied())
                .fold(f64::NEG_INFINITY, f64::max);
            let last = points.saturating_sub(1).max(1) as f64;
            let at = |place: usize| {
                let share = place as f64 / last;
                low * (1.0 - share) + high * share
            };
            (0..points).map(at).gather()
        }
    };
    // Each curve's x are already ordered; the stable sort detects and merges them.
    all.sort_by(f64::total_cmp);
    all.dedup_by(|a, b| a == b);
    let mut put = |x: f64, values: &[f64]| {
        let sum: f64 = values.iter().zip(&shares).map(|(y, share)| y * share).sum();
        found.x.grow(x);
        found.y.grow(sum / total);
        found.lowest.grow(values.iter().copied().fold(f64::INFINITY, f64::min));
        found.highest.grow(values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    };
    let (mut left, mut right) = (vec![0.0; walks.len()], vec![0.0; walks.len()]);
    for x in all {
        for (place, walk) in walks.iter_mut().enumerate() {
            (left[place], right[place]) = walk.step(x);
        }
        if points.is_none() {
            put(x, &left);
        }
        if points.is_some() || left != right {
            put(x, &right);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn area(x: &[f64], y: &[f64]) -> f64 {
        x.windows(2).zip(y.windows(2)).map(|(x, y)| (x[1] - x[0]) * f64::midpoint(y[0], y[1])).sum()
    }

    proptest! {
        #[test]
        fn the_area_of_the_mean_is_the_mean_of_the_areas(
            curves in prop::collection::vec((prop::collection::vec((0_u8..6, 0_u8..9), 1..12), 1_u8..5), 1..5),
        ) {
            let shares: Vec<f64> = curves.iter().map(|curve| f64::from(curve.1)).collect();
            let lines: Vec<Polyline> = curves.iter().map(|(points, _)| {
                let mut x: Vec<f64> = points.iter().map(|point| f64::from(point.0) / 6.0).collect();
                x.sort_by(f64::total_cmp);
                // All curves begin at 0 and end at 1.
                x[0] = 0.0;
                x.push(1.0);
                let mut y: Vec<f64> = points.iter().map(|point| f64::from(point.1) / 8.0).collect();
                y.push(1.0);
                Polyline { x, y }
            }).collect();
            let mean = vertical_average(&lines, &shares, None);
            let areas = lines.iter().zip(&shares).map(|(line, share)| share * area(&line.x, &line.y));
            let expected = areas.sum::<f64>() / shares.iter().sum::<f64>();
            prop_assert!((area(&mean.x, &mean.y) - expected).abs() < 1e-13);
            prop_assert!(mean.x.windows(2).all(|pair| pair[0] <= pair[1]));
            for place in 0..mean.x.len() {
                prop_assert!(mean.lowest[place] <= mean.y[place] + 1e-15 && mean.y[place] <= mean.highest[place] + 1e-15);
            }
            let even = vertical_average(&lines, &shares, Some(7));
            prop_assert_eq!(even.x.len(), 7);
            prop_assert_eq!((even.x[0], even.x[6]), (0.0, 1.0));
        }
    }

    #[test]
    fn curves_without_points_and_x_that_fall() {
        assert_eq!(vertical_average(&[Polyline::default()], &[1.0], None), AverageCurve::default());
        let line = Polyline::new(&[0.0, f64::NAN, 1.0], &[0.5, 0.5, f64::NAN], "recall").unwrap();
        assert_eq!((line.x, line.y), (vec![0.0], vec![0.5]));
        assert!(Polyline::new(&[0.5, 0.0], &[0.0, 0.0], "precision").is_err());
    }
}
