//! Intervals of the distance between groups and all rows: of the greatest distance, and of the
//! least ratio.
//!
//! A group is a part of all rows, so the two are not independent. But a group and the other rows
//! are. The value θ of all rows lies between the value θ1 of the group and the value θ2 of the
//! other rows. With w = (θ - θ2) / (θ1 - θ2):
//!
//! - the difference θ1 - θ is (1 - w) (θ1 - θ2);
//! - the ratio θ1 / θ is R / (w R + 1 - w), where R = θ1 / θ2, and grows with R.
//!
//! So bounds for two independent groups ([`of_two`]) give bounds for a group and all rows. The
//! weight w is taken as known: for a share it is the group's part of the denominator.
//!
//! Over many groups the two bounds fail in different ways, as in [`crate::fairness::bounds`]: the
//! bound farther from equality is each group's own, and the nearer bound must hold for all groups
//! together.
//!
//! Where θ lies outside θ1 and θ2, as it may for an index that is no share, there is no interval.
//!
//! Cost: four intervals a group.

use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::Room;
use crate::fairness::bounds::{Groups, Of, of_two, range_of, tail_of};
use crate::fairness::simultaneous::of_groups;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::value::Undefined;
use crate::inference::interval::{Ask, Interval, Side};
use crate::labels::view::BinaryCounts;

/// A group with a value, and the other rows.
struct Parts {
    tables: [BinaryCounts; 2],
    squares: Option<[BinaryCounts; 2]>,
    /// The weight of the group in the value of all rows; `None` where the other rows have no value.
    weight: Option<f64>,
    /// The distance between the group and all rows, or their ratio.
    estimate: f64,
}

fn sum(tables: &[BinaryCounts]) -> BinaryCounts {
    (tables.iter()).fold(BinaryCounts::default(), |all, one| all.plus(one))
}

/// The distance from equality: the size of a difference, or a ratio of at most 1.
fn folded(of: Of, value: f64) -> f64 {
    match of {
        Of::Ratio if value > 1.0 => 1.0 / value,
        Of::Ratio => value,
        _ => value.abs(),
    }
}

impl Parts {
    /// The bounds at a tail: the one nearer to equality, then the farther one.
    fn bounds(&self, row: &Index, parameters: &Parameters, of: Of, tail: f64) -> Result<[f64; 2]> {
        let equal = if of == Of::Ratio { 1.0 } else { 0.0 };
        let Some(weight) = self.weight else {
            return Ok([equal; 2]); // the group has all rows that matter
        };
        let groups =
            Groups { tables: &self.tables, squares: self.squares.as_ref().map(|both| &both[..]) };
        let ask = Ask::new(1.0 - 2.0 * tail, None, Side::Both)?;
        let found = of_two(row, groups, parameters, of, [0, 1], &ask)?;
        let to_all = |bound: f64| match of {
            Of::Ratio if bound == f64::INFINITY => 1.0 / weight,
            Of::Ratio => bound / (weight * bound + (1.0 - weight)),
            _ => (1.0 - weight) * bound,
        };
        let ends = [found.low, found.high].map(to_all);
        let [low, high] = ends.map(|end| folded(of, end));
        let is_equal = (ends[0]..=ends[1]).contains(&equal);
        Ok(match of {
            Of::Ratio => [if is_equal { 1.0 } else { low.max(high) }, low.min(high)],
            _ => [if is_equal { 0.0 } else { low.min(high) }, low.max(high)],
        })
    }
}

fn parts(row: &Index, groups: Groups<'_>, parameters: &Parameters, of: Of) -> Result<Vec<Parts>> {
    let value = |table: &BinaryCounts| -> Result<Option<f64>> {
        let found = row.of_counts(table, parameters)?;
        Ok((found.why.is_none() && !found.number.is_nan()).then_some(found.number))
    };
    let all = sum(groups.tables);
    let squares = groups.squares.map(sum);
    let overall = value(&all)?;
    let mut found = Vec::new();
    for (place, own) in groups.tables.iter().enumerate() {
        if place.is_multiple_of(1024) {
            interrupt::check();
        }
        let (Some(first), Some(overall)) = (value(own)?, overall) else {
            continue;
        };
        // Sums of weights are rounded, so a difference may be below 0.
        let without =
            |all: &BinaryCounts, own: &BinaryCounts| all.less(own).map(|cell| cell.max(0.0));
        let others = without(&all, own);
        let weight = match value(&others)? {
            None => None,
            Some(other) => {
                let weight = if first == other && (overall - first).abs() < 1e-12 {
                    own.total() / all.total()
                } else {
                    (overall - other) / (first - other)
                };
                if !(-1e-9..=1.0 + 1e-9).contains(&weight) {
                    return Err(no_mean(row));
                }
                Some(weight.clamp(0.0, 1.0))
            }
        };
        let estimate = match of {
            Of::Ratio => first / overall,
            _ => first - overall,
        };
        if estimate.is_nan() {
            continue; // both are 0
        }
        let squares = groups.squares.zip(squares.as_ref());
        found.grow(Parts {
            tables: [*own, others],
            squares: squares.map(|(each, all)| [each[place], without(all, &each[place])]),
            weight,
            estimate: folded(of, estimate),
        });
    }
    Ok(found)
}

/// The interval of the greatest distance between a group and all rows ([`Of::Difference`]), or of
/// the least ratio of the two, turned over where it is above 1 ([`Of::Ratio`]). Groups without a
/// value are left out.
///
/// # Errors
/// As [`interval`](crate::fairness::bounds::interval); [`Refusal::Index`] if the value of all rows
/// does not lie between the values of a group and of the other rows.
///
/// ```
/// use rocksteady_derive::fairness::bounds::{Groups, Of};
/// use rocksteady_derive::fairness::to_overall::interval;
/// use rocksteady_derive::index::find;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::inference::interval::Side;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let table = |tp: f64, fn_: f64| BinaryCounts { tp, fp: 0.0, fn_, tn: 0.0 };
/// let tables = [table(56.0, 14.0), table(48.0, 32.0)];
/// let groups = Groups { tables: &tables, squares: None };
/// let recall = find("recall")?;
/// let defaults = Parameters::defaults(recall);
/// let found = interval(recall, groups, &defaults, Of::Difference, 0.95, Side::Both)?;
/// // The first group is 0.8, the second 0.6, and all 150 rows 104 / 150.
/// assert!((found.estimate - (0.8 - 104.0 / 150.0)).abs() < 1e-15);
/// assert!(found.low > 0.0 && found.high < 0.2);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn interval(
    row: &Index,
    groups: Groups<'_>,
    parameters: &Parameters,
    of: Of,
    level: f64,
    side: Side,
) -> Result<Interval> {
    let range = range_of(row, of)?;
    let method = row.method(&Ask::new(level, None, side)?)?;
    let parts = parts(row, groups, parameters, of)?;
    let alone = tail_of(level, side)?.clamp(1e-15, 0.499_999);
    // Both bounds of each group count, so each gets half of the tail.
    let together = (0.5 * of_groups(alone, parts.len())).max(1e-15);
    let is_ratio = of == Of::Ratio;
    let farther = |a: f64, b: f64| if is_ratio { a.min(b) } else { a.max(b) };
    let (mut estimate, mut near, mut far) = (f64::NAN, f64::NAN, f64::NAN);
    for (count, part) in parts.iter().enumerate() {
        if count.is_multiple_of(1024) {
            interrupt::check();
        }
        estimate = farther(estimate, part.estimate);
        near = farther(near, part.bounds(row, parameters, of, together)?[0]);
        far = farther(far, part.bounds(row, parameters, of, alone)?[1]);
    }
    let (low, high) = if is_ratio { (far, near) } else { (near, far) };
    let low = low.max(range.0).min(estimate);
    let high = high.min(range.1).max(estimate);
    Ok(Interval {
        estimate,
        low: if side == Side::Upper { range.0 } else { low },
        high: if side == Side::Lower { range.1 } else { high },
        standard_error: f64::NAN,
        method,
        why: estimate.is_nan().then_some(Undefined::NoRows),
        note: None,
    })
}

fn no_mean(row: &Index) -> Refusal {
    Refusal::Index {
        name: row.name.to_owned(),
        problem:
            "has no interval of the distance to all rows here: their value lies outside those \
                  of a group and of the other rows; compare the groups with each other \
                  (method=\"between_groups\")"
                .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::find;
    use proptest::prelude::*;

    fn tables(most: usize) -> impl Strategy<Value = Vec<BinaryCounts>> {
        let one = [0..40_u32, 0..40_u32, 0..40_u32, 0..40_u32];
        let one = one.prop_map(|[tp, fp, fn_, tn]| BinaryCounts { tp, fp, fn_, tn }.map(f64::from));
        prop::collection::vec(one, 1..most)
    }

    proptest! {
        #[test]
        fn bounds_are_in_order_and_hold_the_estimate(
            tables in tables(8), level in 0.5..0.999, is_ratio in any::<bool>(),
        ) {
            let of = if is_ratio { Of::Ratio } else { Of::Difference };
            for name in ["recall", "precision", "accuracy", "f1", "selection_rate"] {
                let row = find(name).unwrap();
                let (groups, parameters) =
                    (Groups { tables: &tables, squares: None }, Parameters::defaults(row));
                let found = interval(row, groups, &parameters, of, level, Side::Both).unwrap();
                let whole = row.of_counts(&sum(&tables), &parameters).unwrap().number;
                let each = tables.iter().map(|table| row.of_counts(table, &parameters).unwrap().number);
                let expected = if is_ratio {
                    each.map(|value| (value / whole).min(whole / value)).fold(f64::NAN, f64::min)
                } else {
                    each.map(|value| (value - whole).abs()).fold(f64::NAN, f64::max)
                };
                prop_assert!(
                    expected.is_nan() && found.estimate.is_nan()
                        || (found.estimate - expected).abs() < 1e-12,
                    "{name} {found:?} {expected}"
                );
                prop_assert!(
                    found.estimate.is_nan()
                        || 0.0 <= found.low && found.low <= found.estimate
                        && found.estimate <= found.high && found.high <= 1.0,
                    "{name} {found:?}"
                );
            }
        }
    }

    #[test]
    fn one_group_is_all_rows() {
        let table = BinaryCounts { tp: 3.0, fp: 1.0, fn_: 2.0, tn: 4.0 };
        let row = find("recall").unwrap();
        let groups = Groups { tables: &[table], squares: None };
        let of = |of: Of| {
            let defaults = Parameters::defaults(row);
            let found = interval(row, groups, &defaults, of, 0.95, Side::Both).unwrap();
            (found.low, found.estimate, found.high)
        };
        assert_eq!(of(Of::Difference), (0.0, 0.0, 0.0));
        assert_eq!(of(Of::Ratio), (1.0, 1.0, 1.0));
    }
}
