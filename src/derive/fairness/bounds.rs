//! Intervals of disparities: of the difference and the ratio between groups, of the least and the
//! greatest value, and of two named groups.
//!
//! Groups are independent samples, and each group has an interval by the method of its index. MOVER
//! combines the intervals of two groups: the distance from the difference to its bound is the root
//! of the sum of the squared distances of both groups (Newcombe's method for two Wilson intervals).
//! For the ratio R it does so with θ1 − R θ2, solved for R.
//!
//! Among many groups it is unknown which pair is the farthest apart, and the two bounds fail in
//! different ways:
//!
//! - Upper bound: the greatest upper bound of all pairs. It is at least the bound of the pair that
//!   is truly farthest apart, so it needs no adjustment.
//! - Lower bound: the greatest lower bound of all pairs. It is too high as soon as one pair's is
//!   too high, so all pairs must hold together: by the studentized range
//!   ([`crate::fairness::simultaneous`]).
//!
//! The bounds of the least and of the greatest value are made in the same way, with single groups
//! in place of pairs and Šidák's tail where all groups must hold.
//!
//! 1. Compute each group's interval at two tails: for one bound alone, and for all bounds together.
//! 2. Compare only the pairs of groups on two fronts of (value, distance to the bound). Two layers
//!    are enough, as a group cannot be its own partner.
//!
//! A group that has a value but no interval may lie anywhere in the range of the index.
//!
//! Cost: two intervals a group, a sort, and the pairs on the fronts.
//!
//! Tried and rejected: a bootstrap of the counts. The spread of resampled groups is biased upwards
//! where groups are alike, so its percentile interval never covers the true spread.
//!
//! Sources: Zou, Donner 2008, doi:10.1002/sim.3095 (MOVER); Zou 2007,
//! doi:10.1037/1082-989X.12.4.399 (correlated values); Newcombe 2016, doi:10.1177/0962280213502144
//! (ratios). The bounds over groups are our own composition.

use crate::arith::special::normal_cdf;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::fairness::simultaneous::{of_groups, of_pairs};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::{Method, Spread};
use crate::index::value::Undefined;
use crate::inference::interval::{Ask, Interval, Side};
use crate::inference::two_proportions::apart;
use crate::labels::view::BinaryCounts;

/// The disparity that an interval is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The greatest value minus the least.
    Difference,
    /// The least value divided by the greatest.
    Ratio,
    /// The least value.
    Least,
    /// The greatest value.
    Greatest,
}

/// 2×2 tables of groups: of rows, or of sampling weights and their squares.
#[derive(Clone, Copy)]
pub struct Groups<'a> {
    /// One table for each group.
    pub tables: &'a [BinaryCounts],
    /// The sums of the squares of sampling weights.
    pub squares: Option<&'a [BinaryCounts]>,
}

impl Groups<'_> {
    pub(crate) fn interval(
        &self,
        group: usize,
        row: &Index,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        let table = &self.tables[group];
        match self.squares {
            None => row.interval_of_counts(table, parameters, ask),
            Some(squares) => row.interval_of_sampling(table, &squares[group], parameters, ask),
        }
    }
}

/// A value, and the distances to its lower and its upper bound.
#[derive(Clone, Copy, Debug)]
struct Reach {
    value: f64,
    down: f64,
    up: f64,
}

impl Reach {
    fn of([value, low, high]: [f64; 3], range: (f64, f64)) -> Self {
        let (low, high) = if low.is_nan() { range } else { (low, high) };
        Self { value, down: (value - low).max(0.0), up: (high - value).max(0.0) }
    }
}

/// The lower and the upper bound of the difference of two values with a correlation.
fn difference(a: &Reach, b: &Reach, correlation: f64) -> (f64, f64) {
    let d = a.value - b.value;
    (d - apart(a.down, b.up, correlation), d + apart(a.up, b.down, correlation))
}

/// The lower and the upper bound of the ratio of two values that are not negative.
fn ratio(a: &Reach, b: &Reach, correlation: f64) -> (f64, f64) {
    // R^2 s - 2 R p + t = 0 with t = bound (2 value - bound), by the root that does not cancel.
    let square = |value: f64, reach: f64| (value - reach) * (value + reach);
    let product = |one: f64, other: f64| a.value * b.value - correlation * one * other;
    let root = |p: f64, t: f64, s: f64| p + (p * p - t * s).max(0.0).sqrt();
    let (low, above) = (square(a.value, a.down), square(b.value, b.up));
    let (high, below) = (square(a.value, a.up), square(b.value, b.down));
    let least = if low > 0.0 { low / root(product(a.down, b.up), low, above) } else { 0.0 };
    let greatest =
        if below > 0.0 { root(product(a.up, b.down), high, below) / below } else { f64::INFINITY };
    (least, greatest)
}

/// The places of the first two layers of points: a point is in a layer if no other point left has a
/// greater value and a greater distance. Of equal points a layer takes one.
fn front(points: impl Iterator<Item = (f64, f64)>) -> Vec<usize> {
    let points: Vec<(f64, f64)> = points.gather();
    let mut rest: Vec<usize> = (0..points.len()).gather();
    rest.sort_unstable_by(|&a, &b| {
        let ((x, y), (v, w)) = (points[a], points[b]);
        v.total_cmp(&x).then(w.total_cmp(&y)).then(a.cmp(&b))
    });
    let mut found: Vec<usize> = with_room(0);
    for _ in 0..2 {
        let (mut greatest, mut left) = (f64::NEG_INFINITY, with_room(rest.len()));
        for &place in &rest {
            if points[place].1 > greatest {
                greatest = points[place].1;
                found.grow(place);
            } else {
                left.push(place);
            }
        }
        rest = left;
    }
    found
}

/// The greatest of `of` over pairs of different places.
fn over_pairs(first: &[usize], second: &[usize], of: impl Fn(usize, usize) -> f64) -> f64 {
    let mut greatest = f64::NEG_INFINITY;
    for &i in first {
        interrupt::check();
        for &j in second.iter().filter(|&&j| j != i) {
            greatest = greatest.max(of(i, j));
        }
    }
    greatest
}

/// The tail of a bound at a level.
///
/// # Errors
/// [`Refusal::Argument`] for a level that is not between 0 and 1.
pub(crate) fn tail_of(level: f64, side: Side) -> Result<f64> {
    Ask::new(level, None, side)?;
    Ok(match side {
        Side::Both => 0.5 * (1.0 - level),
        Side::Lower | Side::Upper => 1.0 - level,
    })
}

/// The tails of each group's interval: for one bound alone, and for bounds that hold together.
///
/// # Errors
/// [`Refusal::Argument`] for a level that is not between 0 and 1.
pub fn tails(of: Of, groups: usize, level: f64, side: Side) -> Result<[f64; 2]> {
    let tail = tail_of(level, side)?;
    let together = match of {
        Of::Difference | Of::Ratio => normal_cdf(-of_pairs(tail, groups)),
        Of::Least | Of::Greatest => of_groups(tail, groups),
    };
    // A smaller tail would be lost in rounding.
    Ok([tail, together].map(|tail| tail.clamp(1e-15, 0.499_999)))
}

/// The range of a disparity.
///
/// # Errors
/// [`Refusal::Index`] for the ratio of a row with negative values.
pub(crate) fn range_of(row: &Index, of: Of) -> Result<(f64, f64)> {
    Ok(match of {
        Of::Ratio if row.range.0 < 0.0 => return Err(no_ratio(row)),
        Of::Ratio => (0.0, 1.0),
        Of::Difference => (0.0, row.range.1 - row.range.0),
        Of::Least | Of::Greatest => row.range,
    })
}

/// The estimate and the bounds of a disparity. `alone` and `together` are the intervals of all
/// groups at both tails ([`tails`]): estimate, low, high. Groups whose estimate is NaN are left
/// out.
///
/// # Errors
/// [`Refusal::Index`] for the ratio of a row with negative values.
pub fn of_intervals(
    row: &Index,
    of: Of,
    side: Side,
    alone: &[[f64; 3]],
    together: &[[f64; 3]],
) -> Result<[f64; 3]> {
    let range = range_of(row, of)?;
    let reaches = |all: &[[f64; 3]]| -> Vec<Reach> {
        let with = all.iter().filter(|one| !one[0].is_nan());
        with.map(|&one| Reach::of(one, row.range)).gather()
    };
    let (alone, together) = (reaches(alone), reaches(together));
    let least = alone.iter().fold(f64::NAN, |least, at| least.min(at.value));
    let greatest = (alone.iter()).fold(f64::NAN, |most, at| most.max(at.value));
    let estimate = match of {
        Of::Difference => greatest - least,
        Of::Ratio => least / greatest,
        Of::Least => least,
        Of::Greatest => greatest,
    };
    if estimate.is_nan() {
        return Ok([f64::NAN; 3]);
    }
    let (low, high) = if alone.len() < 2 && matches!(of, Of::Difference | Of::Ratio) {
        (estimate, estimate) // a group and itself
    } else {
        over_groups(of, &alone, &together)
    };
    let low = low.max(range.0).min(estimate);
    let high = high.min(range.1).max(estimate);
    Ok([
        estimate,
        if side == Side::Upper { range.0 } else { low },
        if side == Side::Lower { range.1 } else { high },
    ])
}

/// The method for each group. For the least and the greatest share it is the exact one: Wilson's
/// bounds far in the tail are too near for shares near 0 and 1 (of 30 groups of 30 rows they cover
/// .91).
pub(crate) fn exact(row: &Index, of: Of) -> Option<Method> {
    let is_share = (row.spreads.iter()).any(|spread| matches!(spread, Spread::Share { .. }));
    (is_share && matches!(of, Of::Least | Of::Greatest)).then_some(Method::ClopperPearson)
}

/// The interval of the disparity between groups. Groups without a value are left out.
///
/// # Errors
/// As [`tails`] and [`of_intervals`]; [`Refusal::Index`] for a row without intervals.
pub fn interval(
    row: &Index,
    groups: Groups<'_>,
    parameters: &Parameters,
    of: Of,
    level: f64,
    side: Side,
) -> Result<Interval> {
    let method = row.method(&Ask::new(level, exact(row, of), side)?)?;
    let values = groups.tables.iter().map(|table| {
        let found = row.of_counts(table, parameters)?;
        Ok(found.why.is_none() && !found.number.is_nan())
    });
    let has_value: Vec<bool> = values.gather_all()?;
    let with: Vec<usize> = (0..has_value.len()).filter(|&at| has_value[at]).gather();
    let intervals = |tail: f64| -> Result<Vec<[f64; 3]>> {
        let ask = Ask::new(1.0 - 2.0 * tail, exact(row, of), Side::Both)?;
        let each = with.iter().enumerate().map(|(count, &group)| {
            if count.is_multiple_of(1024) {
                interrupt::check();
            }
            let found = groups.interval(group, row, parameters, &ask)?;
            Ok([found.estimate, found.low, found.high])
        });
        each.gather_all()
    };
    let [alone, together] = tails(of, with.len(), level, side)?;
    let [estimate, low, high] =
        of_intervals(row, of, side, &intervals(alone)?, &intervals(together)?)?;
    Ok(Interval {
        estimate,
        low,
        high,
        standard_error: f64::NAN,
        method,
        why: estimate.is_nan().then_some(Undefined::NoRows),
        note: None,
    })
}

fn over_groups(of: Of, alone: &[Reach], together: &[Reach]) -> (f64, f64) {
    let highest =
        |all: &[Reach], reach: fn(&Reach) -> f64| front(all.iter().map(|at| (at.value, reach(at))));
    let lowest = |all: &[Reach], reach: fn(&Reach) -> f64| {
        front(all.iter().map(|at| (-at.value, reach(at))))
    };
    let up: fn(&Reach) -> f64 = |at| at.up;
    let down: fn(&Reach) -> f64 = |at| at.down;
    match of {
        Of::Difference | Of::Ratio => {
            // The pairs with the outermost bound, and the pairs with the innermost bound.
            let outer = (highest(alone, up), lowest(alone, down));
            let inner = (highest(together, |at| -at.down), lowest(together, |at| -at.up));
            if of == Of::Difference {
                (
                    over_pairs(&inner.0, &inner.1, |i, j| {
                        difference(&together[i], &together[j], 0.0).0
                    }),
                    over_pairs(&outer.0, &outer.1, |i, j| difference(&alone[i], &alone[j], 0.0).1),
                )
            } else {
                (
                    -over_pairs(&outer.0, &outer.1, |i, j| -ratio(&alone[j], &alone[i], 0.0).0),
                    -over_pairs(&inner.0, &inner.1, |i, j| {
                        -ratio(&together[j], &together[i], 0.0).1
                    }),
                )
            }
        }
        Of::Least => {
            let low = (alone.iter()).fold(f64::INFINITY, |least, at| least.min(at.value - at.down));
            let high =
                (together.iter()).fold(f64::INFINITY, |least, at| least.min(at.value + at.up));
            (low, high)
        }
        Of::Greatest => {
            let low =
                (together.iter()).fold(f64::NEG_INFINITY, |most, at| most.max(at.value - at.down));
            let high =
                (alone.iter()).fold(f64::NEG_INFINITY, |most, at| most.max(at.value + at.up));
            (low, high)
        }
    }
}

/// The interval of the difference, or the ratio, of two groups named beforehand: the first less
/// the second, or over it.
///
/// # Errors
/// As [`interval`].
///
/// ```
/// use rocksteady_derive::fairness::bounds::{Groups, Of, of_two};
/// use rocksteady_derive::index::find;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::inference::interval::{Ask, Side};
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// // The example of Newcombe 1998: 56 of 70 against 48 of 80.
/// let table = |tp: f64, fn_: f64| BinaryCounts { tp, fp: 0.0, fn_, tn: 0.0 };
/// let tables = [table(56.0, 14.0), table(48.0, 32.0)];
/// let groups = Groups { tables: &tables, squares: None };
/// let (recall, ask) = (find("recall")?, Ask::new(0.95, None, Side::Both)?);
/// let defaults = Parameters::defaults(recall);
/// let found = of_two(recall, groups, &defaults, Of::Difference, [0, 1], &ask)?;
/// assert!((found.low - 0.052_431_472_4).abs() < 1e-9);
/// assert!((found.high - 0.333_872_653_7).abs() < 1e-9);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn of_two(
    row: &Index,
    groups: Groups<'_>,
    parameters: &Parameters,
    of: Of,
    [first, second]: [usize; 2],
    ask: &Ask,
) -> Result<Interval> {
    let both = Ask::new(level_of_each(ask), None, Side::Both)?;
    let a = groups.interval(first, row, parameters, &both)?;
    let b = groups.interval(second, row, parameters, &both)?;
    of_two_intervals(row, of, [&a, &b], 0.0, ask)
}

/// The level of the intervals of two values for the bounds of their difference or ratio.
pub(crate) fn level_of_each(ask: &Ask) -> f64 {
    1.0 - 2.0 * normal_cdf(-ask.z()).clamp(1e-15, 0.499_999)
}

/// The interval of the difference, or the ratio, of two values, from their intervals at the level
/// of [`level_of_each`] and their correlation: 0 of different rows, unless clusters lie in both.
///
/// # Errors
/// [`Refusal::Index`] for the ratio of a row with negative values.
pub(crate) fn of_two_intervals(
    row: &Index,
    of: Of,
    [a, b]: [&Interval; 2],
    correlation: f64,
    ask: &Ask,
) -> Result<Interval> {
    if of == Of::Ratio && row.range.0 < 0.0 {
        return Err(no_ratio(row));
    }
    let reach = |found: &Interval| Reach::of([found.estimate, found.low, found.high], row.range);
    let (one, other) = (reach(a), reach(b));
    let width = row.range.1 - row.range.0;
    let (errors, range) = ((a.standard_error, b.standard_error), (-width, width));
    let (estimate, (low, high), range, error) = if of == Of::Ratio {
        let found = a.estimate / b.estimate;
        let error = apart(errors.0, found * errors.1, correlation) / b.estimate;
        (found, ratio(&one, &other, correlation), (0.0, f64::INFINITY), error)
    } else {
        let error = apart(errors.0, errors.1, correlation);
        (a.estimate - b.estimate, difference(&one, &other, correlation), range, error)
    };
    let has_value = a.why.is_none() || !a.estimate.is_nan();
    let why = if has_value && (b.why.is_none() || !b.estimate.is_nan()) {
        estimate.is_nan().then_some(Undefined::ZeroDenominator)
    } else {
        a.why.or(b.why)
    };
    let (low, high) = match why {
        Some(_) => (f64::NAN, f64::NAN),
        None => ask.bounds(low.max(range.0), high.min(range.1), range),
    };
    Ok(Interval {
        estimate: if why.is_some() { f64::NAN } else { estimate },
        low,
        high,
        standard_error: error,
        method: a.method,
        why,
        note: a.note.or(b.note).filter(|_| why.is_none()),
    })
}

fn no_ratio(row: &Index) -> Refusal {
    Refusal::Index {
        name: row.name.to_owned(),
        problem: "may be negative, so ratios of its values mean nothing; ask for the difference"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::find;
    use proptest::prelude::*;

    /// The outermost bounds, over all pairs of different groups.
    fn plain(of: Of, alone: &[Reach], together: &[Reach]) -> (f64, f64) {
        let (mut low, mut high) = if of == Of::Difference {
            (f64::NEG_INFINITY, f64::NEG_INFINITY)
        } else {
            (f64::INFINITY, f64::INFINITY)
        };
        for i in 0..alone.len() {
            for j in (0..alone.len()).filter(|&j| j != i) {
                if of == Of::Difference {
                    low = low.max(difference(&together[i], &together[j], 0.0).0);
                    high = high.max(difference(&alone[i], &alone[j], 0.0).1);
                } else {
                    low = low.min(ratio(&alone[i], &alone[j], 0.0).0);
                    high = high.min(ratio(&together[i], &together[j], 0.0).1);
                }
            }
        }
        (low, high)
    }

    fn groups(most: usize) -> impl Strategy<Value = Vec<BinaryCounts>> {
        let one = (0..6_u32, 0..6_u32).prop_map(|(tp, fn_)| BinaryCounts {
            tp: f64::from(tp),
            fn_: f64::from(fn_ + u32::from(tp == 0)),
            ..BinaryCounts::default()
        });
        prop::collection::vec(one, 2..most)
    }

    proptest! {
        #[test]
        fn few_pairs_are_enough(tables in groups(14)) {
            let row = find("recall").unwrap();
            let parameters = Parameters::defaults(row);
            let groups = Groups { tables: &tables, squares: None };
            let reaches = |level: f64| -> Vec<Reach> {
                let ask = Ask::new(level, None, Side::Both).unwrap();
                (0..tables.len()).map(|group| {
                    let found = groups.interval(group, row, &parameters, &ask).unwrap();
                    Reach::of([found.estimate, found.low, found.high], row.range)
                }).collect()
            };
            let (alone, together) = (reaches(0.95), reaches(0.99));
            for of in [Of::Difference, Of::Ratio] {
                prop_assert_eq!(over_groups(of, &alone, &together), plain(of, &alone, &together));
            }
        }

        #[test]
        fn bounds_are_in_order_and_within_the_range(
            tables in groups(8),
            level in 0.5..0.999,
            of in prop_oneof![
                Just(Of::Difference), Just(Of::Ratio), Just(Of::Least), Just(Of::Greatest)],
        ) {
            for name in ["recall", "f1", "accuracy"] {
                let row = find(name).unwrap();
                let (groups, parameters) =
                    (Groups { tables: &tables, squares: None }, Parameters::defaults(row));
                let found = interval(row, groups, &parameters, of, level, Side::Both).unwrap();
                let is_nothing = found.estimate.is_nan();
                prop_assert!(is_nothing || found.low <= found.estimate, "{found:?}");
                prop_assert!(is_nothing || found.estimate <= found.high, "{found:?}");
                prop_assert!(is_nothing || found.low >= 0.0 && found.high <= 1.0, "{found:?}");
            }
        }
    }

    #[test]
    fn a_group_without_rows_is_left_out() {
        let table = |tp: f64, fn_: f64| BinaryCounts { tp, fn_, ..BinaryCounts::default() };
        let (row, side) = (find("recall").unwrap(), Side::Both);
        let parameters = Parameters::defaults(row);
        let of = |tables: &[BinaryCounts]| {
            let groups = Groups { tables, squares: None };
            interval(row, groups, &parameters, Of::Difference, 0.9, side).unwrap()
        };
        let two = of(&[table(8.0, 2.0), table(3.0, 9.0)]);
        let three = of(&[table(8.0, 2.0), table(0.0, 0.0), table(3.0, 9.0)]);
        assert_eq!((two.low, two.high), (three.low, three.high));
        assert!(of(&[table(0.0, 0.0)]).why.is_some());
        assert!(of(&[]).why.is_some());
    }

    #[test]
    fn ratios_of_values_that_may_be_negative_are_refused() {
        let mcc = find("mcc").unwrap();
        let groups = Groups { tables: &[], squares: None };
        let found = interval(mcc, groups, &Parameters::defaults(mcc), Of::Ratio, 0.95, Side::Both);
        assert!(found.is_err());
    }
}
