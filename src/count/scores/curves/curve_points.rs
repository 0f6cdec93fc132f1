//! The points of a table's curves, and their simplification.
//!
//! Point 0 is the threshold ∞, where no row is predicted positive. Point i is the i-th score from
//! the top, so a curve has one point more than the table has scores.
//!
//! 1. A curve with few requested points is simplified directly from the counts
//!    ([`crate::scores::curves::simplify`]), without writing all points.
//! 2. If both coordinates are linear in the counts (ROC, detection errors, gain), integers decide
//!    which points lie on a line.
//! 3. The KS curve keeps the point of the greatest distance.

use crate::arith::products::Products;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::memory::Gather;
use crate::scores::curves::simplify::{Columns, Join, Kept, Points, Wish, are_straight, simplify};
use crate::scores::ranking::Ranking;
use crate::scores::ranking::ks::Ks;
use crate::scores::score_table::{Masses, ScoreTable, first_place};

/// A curve of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepCurve {
    /// True over false positive rate.
    Roc,
    /// False negative over false positive rate.
    DetectionErrors,
    /// True positive rate over the rate of positive predictions.
    Gain,
    /// Lift over the rate of positive predictions.
    Lift,
    /// Precision over recall, as steps or straight lines.
    PrecisionRecall(Join),
    /// Both rates over the score.
    Ks,
}

/// A curve by functions of a place.
struct Read<A, S, F> {
    len: usize,
    at: A,
    straight: S,
    finite: F,
}

impl<const C: usize, A, S, F> Points<C> for Read<A, S, F>
where
    A: Fn(usize) -> (f64, [f64; C]) + Sync,
    S: Fn(usize, usize, usize) -> bool + Sync,
    F: Fn(usize) -> bool + Sync,
{
    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn at(&self, place: usize) -> (f64, [f64; C]) {
        (self.at)(place)
    }

    #[inline]
    fn is_straight(&self, a: usize, b: usize, c: usize) -> bool {
        (self.straight)(a, b, c)
    }

    #[inline]
    fn is_finite(&self, place: usize) -> bool {
        (self.finite)(place)
    }
}

/// Two columns of rates that are counts divided by totals: integers decide what is straight.
struct CountColumns<'a> {
    x: &'a [f64],
    y: &'a [f64],
    counts: Vec<(i64, i64)>,
}

impl<'a> CountColumns<'a> {
    /// The columns, if each rate equals a count divided by its total, bit for bit.
    fn of(x: &'a [f64], y: &'a [f64], totals: (f64, f64)) -> Option<Self> {
        const TWO_50: f64 = (1_u64 << 50) as f64;
        let is_total = |total: f64| total > 0.0 && total < TWO_50 && total.fract() == 0.0;
        if !(is_total(totals.0) && is_total(totals.1)) {
            return None;
        }
        let count = |rate: f64, total: f64| {
            let count = (rate * total).round();
            (count / total == rate).then_some(count as i64)
        };
        let counts = x.iter().zip(y);
        let counts = counts.map(|(&x, &y)| Some((count(x, totals.0)?, count(y, totals.1)?)));
        Some(Self { x, y, counts: counts.collect::<Option<_>>()? })
    }
}

impl Points<1> for CountColumns<'_> {
    fn len(&self) -> usize {
        self.counts.len()
    }

    #[inline]
    fn at(&self, place: usize) -> (f64, [f64; 1]) {
        (self.x[place], [self.y[place]])
    }

    #[inline]
    fn is_straight(&self, a: usize, b: usize, c: usize) -> bool {
        let [a, b, c] = [a, b, c].map(|place| self.counts[place]);
        let between = |a: i64, b: i64, c: i64| (a <= b && b <= c) || (c <= b && b <= a);
        let product = |a: i64, b: i64| i128::from(a) * i128::from(b);
        between(a.0, b.0, c.0)
            && between(a.1, b.1, c.1)
            && product(b.0 - a.0, c.1 - a.1) == product(c.0 - a.0, b.1 - a.1)
    }

    #[inline]
    fn is_finite(&self, _: usize) -> bool {
        true
    }
}

/// Simplifies a curve given as columns, one or two y over one x, like [`simplified`]. If x turns
/// back more often than `max_points` allows, x and y are each compared with the straight lines by
/// place, and the deviation is the larger one. If x and a single y are counts divided by `totals`
/// (of x, of y), they are compared as counts.
///
/// # Errors
/// [`Refusal::Length`] if the columns differ in length, [`Refusal::Argument`] if `max_points` is
/// below the number of points that must stay (the ends, and points beside gaps), and for other
/// numbers of columns.
///
/// ```
/// use rocksteady_count::scores::curves::simplify::{Join, Wish};
/// use rocksteady_count::scores::curves::curve_points::simplify_columns;
///
/// let (x, y) = ([0.0, 1.0, 2.0, 3.0], [0.0, 2.0, 4.0, 4.0]);
/// let kept = simplify_columns(&x, &[&y], None, Join::Lines, &Wish::default())?;
/// assert_eq!((kept.places, kept.deviation), (vec![0, 2, 3], 0.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn simplify_columns(
    x: &[f64],
    y: &[&[f64]],
    totals: Option<(f64, f64)>,
    join: Join,
    wish: &Wish,
) -> Result<Kept> {
    for y in y {
        check_length(("y", y.len()), ("x", x.len()))?;
    }
    let kept = match *y {
        [a, b] => {
            simplify(&Columns { x, y: [a, b] }, join, wish).or_else(|_| by_place([x, a, b], wish))
        }
        [y] => match totals.and_then(|totals| CountColumns::of(x, y, totals)) {
            Some(points) => simplify(&points, join, wish),
            None => simplify(&Columns { x, y: [y] }, join, wish),
        }
        .or_else(|_| by_place([x, y], wish)),
        _ => {
            let found = format!("{} columns", y.len());
            return Err(Refusal::argument("y", found, "one or two"));
        }
    };
    kept.map_err(|least| too_few(wish.max_points, least))
}

/// A curve whose x turns back more often than there are requested points: every coordinate over the
/// place along the curve.
fn by_place<const C: usize>(
    coordinates: [&[f64]; C],
    wish: &Wish,
) -> std::result::Result<Kept, usize> {
    let places: Vec<f64> = (0..coordinates[0].len()).map(|place| place as f64).gather();
    let points = Columns { x: &places, y: coordinates };
    simplify(&points, Join::Lines, wish)
}

/// Refuses too small a number of points.
fn too_few(max_points: Option<usize>, least: usize) -> Refusal {
    Refusal::argument(
        "max_points",
        max_points.unwrap_or(0).to_string(),
        format!("at least {least}, as many as must stay: the ends, and points beside gaps"),
    )
}

/// Simplifies a curve: drops points on straight lines, then as many as `max_deviation` allows and
/// `max_points` requires. Places count from 0, the threshold ∞; the KS curve keeps the point of the
/// greatest distance.
///
/// # Errors
/// [`Refusal::Argument`] if more than `max_points` must stay.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
/// use rocksteady_count::scores::sweep::all_thresholds::score_table;
/// use rocksteady_count::scores::curves::curve_points::{SweepCurve, simplified};
/// use rocksteady_count::scores::ranking::Ranking;
///
/// let y_true = Labels::U8(Column::from_slice(&[1, 1, 0, 1, 0]));
/// let y_score = Scores::F64(Column::from_slice(&[0.9, 0.8, 0.7, 0.6, 0.5]));
/// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
/// let kept = simplified(&Ranking::from(table), SweepCurve::Roc, None, 0.0)?;
/// assert_eq!((kept.places, kept.deviation), (vec![0, 2, 3, 4, 5], 0.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn simplified(
    ranking: &Ranking,
    curve: SweepCurve,
    max_points: Option<usize>,
    max_deviation: f64,
) -> Result<Kept> {
    let table = ranking.table();
    let wish = Wish { max_points, max_deviation, keep: Vec::new() };
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    let share = |part: f64, total: f64| {
        let total = if total > 0.0 { total } else { f64::NAN };
        part / total
    };
    let kept = match curve {
        SweepCurve::Roc => {
            straight_in_counts(table, &wish, |tp, fp| (share(fp, negatives), share(tp, positives)))
        }
        SweepCurve::DetectionErrors => straight_in_counts(table, &wish, |tp, fp| {
            (share(fp, negatives), share(positives - tp, positives))
        }),
        SweepCurve::Gain => {
            straight_in_counts(table, &wish, |tp, fp| (share(tp + fp, all), share(tp, positives)))
        }
        SweepCurve::Lift => {
            let at = |place| {
                let (tp, fp) = table.at_or_above(place);
                (share(tp + fp, all), [share(tp * all, (tp + fp) * positives)])
            };
            straight_in_numbers(table, Join::Lines, &wish, at)
        }
        SweepCurve::PrecisionRecall(join) => {
            let at = |place| {
                let (tp, fp) = table.at_or_above(place);
                let precision = if place == 0 { 1.0 } else { share(tp, tp + fp) };
                (share(tp, positives), [precision])
            };
            straight_in_numbers(table, join, &wish, at)
        }
        SweepCurve::Ks => {
            let keep = ks_point(ranking).into_iter().gather();
            let at = |place| {
                let (tp, fp) = table.at_or_above(place);
                let score = if place == 0 { f64::INFINITY } else { table.score(place - 1) };
                (score, [share(tp, positives), share(fp, negatives)])
            };
            straight_in_numbers(table, Join::Lines, &Wish { keep, ..wish }, at)
        }
    };
    kept.map_err(|least| too_few(max_points, least))
}

/// The point of a curve with the greatest distance of the two rates.
pub fn ks_point(ranking: &Ranking) -> Option<usize> {
    let Ks { threshold, integer, .. } = ranking.ks()?;
    let last = ranking.len() - 1;
    // A NaN ranked last compares with nothing.
    let numbers = ranking.len() - usize::from(ranking.score(last).is_nan());
    Some(if integer.is_some() {
        first_place(numbers, |place| ranking.integer(place) < integer)
    } else if !threshold.is_nan() {
        first_place(numbers, |place| ranking.score(place) < threshold)
    } else if ranking.score(0).is_nan() {
        1
    } else {
        last + 1
    })
}

/// A curve whose coordinates are both linear in the counts.
fn straight_in_counts(
    table: &ScoreTable,
    wish: &Wish,
    rates: impl Fn(f64, f64) -> (f64, f64) + Sync,
) -> std::result::Result<Kept, usize> {
    let (p, n) = table.totals();
    let Masses::Counts(positives, negatives) = table.masses() else {
        let at = |place| {
            let (tp, fp) = table.at_or_above(place);
            let (x, y) = rates(tp, fp);
            (x, [y])
        };
        return straight_in_numbers(table, Join::Lines, wish, at);
    };
    let reached = |place: usize| match place.checked_sub(1) {
        Some(place) => (positives[place], negatives[place]),
        None => (0, 0),
    };
    // Rates are defined everywhere or nowhere.
    let (x, y) = rates(p, n);
    let finite = x.is_finite() && y.is_finite();
    let points = Read {
        len: table.len() + 1,
        at: |place| {
            let (tp, fp) = reached(place);
            let (x, y) = rates(tp as f64, fp as f64);
            (x, [y])
        },
        straight: |a, b, c| {
            let (a, b, c) = (reached(a), reached(b), reached(c));
            u128::from(b.0 - a.0) * u128::from(c.1 - a.1)
                == u128::from(c.0 - a.0) * u128::from(b.1 - a.1)
        },
        finite: |_| finite,
    };
    simplify(&points, Join::Lines, wish)
}

/// A curve for which the numbers themselves decide what is straight.
fn straight_in_numbers<const C: usize>(
    table: &ScoreTable,
    join: Join,
    wish: &Wish,
    at: impl Fn(usize) -> (f64, [f64; C]) + Sync,
) -> std::result::Result<Kept, usize> {
    let points = Read {
        len: table.len() + 1,
        at: &at,
        straight: |a, b, c| are_straight([at(a), at(b), at(c)]),
        finite: |place| {
            let (x, y) = at(place);
            x.is_finite() && y.iter().all(|y| y.is_finite())
        },
    };
    simplify(&points, join, wish)
}

/// The area under joined points, with x ascending or descending; `None` if x turns back. Pieces
/// that end at a point without coordinates are skipped; NaN if there are no other pieces.
pub fn area_under(x: &[f64], y: &[f64], join: Join) -> Option<f64> {
    let mut area = Products::default();
    let (mut rises, mut falls, mut some) = (false, false, false);
    for (x, y) in x.windows(2).zip(y.windows(2)) {
        let width = x[1] - x[0];
        let height = match join {
            Join::Lines => f64::midpoint(y[0], y[1]),
            Join::Steps => y[1],
        };
        rises |= width > 0.0;
        falls |= width < 0.0;
        if width.is_finite() && height.is_finite() {
            area = area.plus(width.abs(), height);
            some = true;
        }
    }
    let area = if some { area.value() } else { f64::NAN };
    (!(rises && falls)).then_some(area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_curve_read_from_counts_is_simplified_like_one_that_was_written(
            rows in prop::collection::vec((0_u8..2, 0_u8..40, 1_u8..4), 1..120), weighted: bool,
            max_points in prop::option::of(5_usize..20),
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let table = Ranking::from(score_table(
                &Labels::U8(Column::from_slice(&y)),
                &Scores::F64(Column::from_slice(&s)),
                weighted.then(|| Column::from_slice(&w)),
                &SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() },
            ).unwrap());
            let counts: Vec<_> = table.every_counts().collect();
            let x: Vec<f64> = counts.iter().map(|c| c.fp / (c.fp + c.tn)).collect();
            let y: Vec<f64> = counts.iter().map(|c| c.tp / (c.tp + c.fn_)).collect();
            let both = table.totals().0 > 0.0 && table.totals().1 > 0.0;
            let kept = simplified(&table, SweepCurve::Roc, max_points, 0.0).unwrap();
            prop_assert!(max_points.is_none_or(|most| kept.places.len() <= most));
            prop_assert!(!both || kept.places.len() > 1);
            if both && max_points.is_none() && !weighted {
                // Exactly the corners: the rest bends at each point, and every point lies on it.
                for three in kept.places.windows(3) {
                    let [a, b, c] = [counts[three[0]], counts[three[1]], counts[three[2]]];
                    prop_assert!((b.tp - a.tp) * (c.fp - a.fp) != (c.tp - a.tp) * (b.fp - a.fp));
                }
                for ends in kept.places.windows(2) {
                    let (a, c) = (counts[ends[0]], counts[ends[1]]);
                    for b in &counts[ends[0]..ends[1]] {
                        prop_assert!(((b.tp - a.tp) * (c.fp - a.fp) - (c.tp - a.tp) * (b.fp - a.fp)).abs() < 1e-9);
                    }
                }
                prop_assert_eq!(kept.deviation, 0.0);
            }
            if both {
                // The deviation by definition.
                let mut worst = 0.0_f64;
                for ends in kept.places.windows(2) {
                    let (a, b) = (ends[0], ends[1]);
                    for i in a..b {
                        worst = worst.max(if x[a] == x[b] { 0.0 } else {
                            (y[i] - y[a] - (y[b] - y[a]) * (x[i] - x[a]) / (x[b] - x[a])).abs()
                        });
                    }
                }
                prop_assert!((worst - kept.deviation).abs() < 1e-12);
                let point = ks_point(&table).unwrap();
                let widest = x.iter().zip(&y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                prop_assert!(((x[point] - y[point]).abs() - widest).abs() < 1e-12);
                let ks = simplified(&table, SweepCurve::Ks, max_points, 0.0).unwrap();
                prop_assert!(ks.places.contains(&point));
            }
            let mut thresholds = vec![0.0; table.len() + 1];
            table.fill_thresholds(0, &mut thresholds);
            prop_assert_eq!(&thresholds[1..], &table.scores()[..]);
            prop_assert_eq!(thresholds[0], f64::INFINITY);
            table.fill_thresholds(1, &mut thresholds[1..]);
            prop_assert_eq!(&thresholds[1..], &table.scores()[..]);
        }
    }
}
