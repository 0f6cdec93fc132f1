//! Averages of an index over classes, labels or rankings: a parameter of the call, not rows of
//! their own.

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::classes::column_tables::Rankings;
use crate::index::evaluate::{fill_each, of_each};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::Tables;
use crate::index::value::{Undefined, Value};
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::curves::vertical_average::AverageCurve;
use crate::scores::curves::vertical_average::{Polyline, vertical_average};

/// The weights of the classes in an average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How<'a> {
    /// All classes count alike.
    Macro,
    /// All rows count alike: the one-vs-rest counts of all classes are added up, and the index is
    /// evaluated once.
    Micro,
    /// Each class by its number of actual rows.
    Weighted,
    /// Each class by a number of its own; at least one must be above zero.
    Weights(&'a [f64]),
}

impl How<'_> {
    /// The weight of a class.
    pub(crate) fn share(self, view: &MatrixView, class: usize) -> f64 {
        match self {
            Self::Macro | Self::Micro => 1.0,
            Self::Weighted => view.actual[class],
            Self::Weights(weights) => weights[class],
        }
    }
}

/// The average of an index over the classes.
///
/// A class for which the index is undefined, and for which the row names no conventional number,
/// counts as `zero_division`; with NaN it is left out. That is scikit-learn's rule.
///
/// # Errors
/// [`Refusal::Argument`] for weights that are not one finite, non-negative number a class;
/// [`Refusal::Index`] for an index without a per-class value, and for a micro average of one that
/// is not a formula over counts.
pub fn average(
    view: &MatrixView,
    index: &Index,
    how: How,
    zero_division: f64,
    parameters: &Parameters,
) -> Result<Value> {
    let shares = match how {
        How::Micro => return micro(&view.one_vs_rest, index, zero_division, parameters),
        How::Macro => None,
        How::Weighted => Some(view.actual.as_slice()),
        How::Weights(weights) => {
            check(weights, view.classes())?;
            Some(weights)
        }
    };
    let mut values = vec![0.0; view.classes()];
    let tables = Tables::new(&view.one_vs_rest);
    index.fill_classes(view, tables, parameters, &mut values)?;
    Ok(mean(values.into_iter(), shares, zero_division, view.total != 0.0))
}

/// The average of an index over 2×2 tables, for example one for each label or row of an indicator
/// matrix. [`How::Weighted`] weighs a table by its actual positives. Otherwise like [`average`].
///
/// # Errors
/// As [`average`], for each table a weight; [`Refusal::Index`] for an index that has no value for a
/// 2×2 table.
///
/// ```
/// use rocksteady_derive::index::find;
/// use rocksteady_derive::index::average::{How, average_of_each};
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let cat = BinaryCounts { tp: 3.0, fp: 1.0, fn_: 0.0, tn: 4.0 };
/// let dog = BinaryCounts { tp: 1.0, fp: 0.0, fn_: 1.0, tn: 6.0 };
/// let recall = find("recall")?;
/// let defaults = Parameters::defaults(recall);
/// let mean = average_of_each(&[cat, dog], recall, How::Macro, 0.0, &defaults)?;
/// assert_eq!(mean.number, 0.75);
/// let pooled = average_of_each(&[cat, dog], recall, How::Micro, 0.0, &defaults)?;
/// assert_eq!(pooled.number, 0.8);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn average_of_each(
    tables: &[BinaryCounts],
    index: &Index,
    how: How,
    zero_division: f64,
    parameters: &Parameters,
) -> Result<Value> {
    let actual: Vec<f64>;
    let shares = match how {
        How::Micro => return micro(tables, index, zero_division, parameters),
        How::Macro => None,
        How::Weighted => {
            actual = tables.iter().map(|table| table.tp + table.fn_).gather();
            Some(actual.as_slice())
        }
        How::Weights(weights) => {
            check(weights, tables.len())?;
            Some(weights)
        }
    };
    let values = of_each(tables, index, parameters)?;
    let rows = tables.iter().any(|table| table.total() != 0.0);
    Ok(mean(numbers(&values), shares, zero_division, rows))
}

/// The average of an index of a ranking over classes, each against the rest; [`How::Micro`] pools
/// all of them into one ranking, [`How::Weighted`] weighs a class by its rows.
///
/// A class for which the index is undefined makes the average undefined, unless its row names a
/// number by convention, which then counts. That is scikit-learn's rule. With `skip_absent`, which
/// scikit-learn lacks, such classes are left out.
///
/// # Errors
/// [`Refusal::Argument`] for weights that are not one finite, non-negative number a class;
/// [`Refusal::Index`] for an index that is not one of a ranking.
pub fn average_of_rankings(
    tables: &dyn Rankings,
    index: &Index,
    how: How,
    skip_absent: bool,
    parameters: &Parameters,
) -> Result<Value> {
    if how == How::Micro {
        return index.of_scores(&tables.pooled()?.into(), parameters);
    }
    let (each, sizes) = (tables.each()?, tables.parts());
    let shares = shares_of(how, &sizes)?;
    let mut values = with_room(each.len());
    for table in each {
        values.grow(index.of_scores(table, parameters)?);
    }
    let counts = |class: usize| shares.is_none_or(|shares| shares[class] != 0.0);
    for (class, value) in values.iter_mut().enumerate() {
        if skip_absent && value.why.is_some() {
            value.number = f64::NAN;
        } else if value.number.is_nan() && counts(class) {
            return Ok(*value);
        }
    }
    Ok(mean(numbers(&values), shares, f64::NAN, tables.rows() != 0))
}

/// The weight of each class or label in a mean; `None` if all count alike.
fn shares_of<'a>(how: How<'a>, sizes: &'a [f64]) -> Result<Option<&'a [f64]>> {
    match how {
        How::Macro | How::Micro => Ok(None),
        How::Weighted => Ok(Some(sizes)),
        How::Weights(weights) => {
            check(weights, sizes.len())?;
            Ok(Some(weights))
        }
    }
}

/// Plots one index against another over the thresholds of each ranking, and averages the curves: at
/// each x the mean of their y. If a ranking lacks positives or negatives and so has no curve, the
/// average has no points; with `skip_absent` such rankings are left out. With `points` the mean is
/// taken at this many x at equal distances.
///
/// # Errors
/// [`Refusal::Argument`] if x falls anywhere along a curve, for a micro average (which is the curve
/// of the pooled ranking), and for weights as in [`average`]; [`Refusal::Index`] for an index that
/// is not a formula over counts.
pub fn average_curve(
    tables: &dyn Rankings,
    [x, y]: [&Index; 2],
    how: How,
    skip_absent: bool,
    points: Option<usize>,
) -> Result<AverageCurve> {
    if how == How::Micro {
        let expected =
            "\"macro\", \"weighted\" or weights; the pooled table has the curve of all rows";
        return Err(Refusal::argument("average", "\"micro\"", expected));
    }
    if points.is_some_and(|points| points < 2) {
        return Err(Refusal::argument("points", points.unwrap_or(0), "2 or more"));
    }
    let (each, sizes) = (tables.each()?, tables.parts());
    let ones = vec![1.0; each.len()];
    let shares = shares_of(how, &sizes)?.unwrap_or(&ones);
    let wanted = [x, y].map(|index| (index, Parameters::defaults(index)));
    let mut curves = with_room(each.len());
    for (table, &share) in each.iter().zip(shares) {
        let (mut along, mut up) = (vec![0.0; table.len() + 1], vec![0.0; table.len() + 1]);
        fill_each(&wanted, &mut [&mut along, &mut up], |start, counts| {
            table.fill_counts(start, counts);
        })?;
        let curve = Polyline::new(&along, &up, x.name)?;
        if curve.x.is_empty() && share != 0.0 && !skip_absent {
            return Ok(AverageCurve::default());
        }
        curves.grow(curve);
    }
    Ok(vertical_average(&curves, shares, points))
}

/// The numbers alone.
pub(crate) fn numbers(values: &[Value]) -> impl Iterator<Item = f64> {
    values.iter().map(|value| value.number)
}

/// The mean of the numbers, weighted by `shares` if given. `rows` tells whether there are any rows.
pub(crate) fn mean(
    numbers: impl Iterator<Item = f64>,
    shares: Option<&[f64]>,
    zero_division: f64,
    rows: bool,
) -> Value {
    // A power of two scales very large or very small weights, lest their sum overflow or products
    // underflow.
    let greatest = shares.map_or(1.0, |shares| shares.iter().copied().fold(0.0, f64::max));
    let unit = if greatest > 2_f64.powi(500) {
        2_f64.powi(-600)
    } else if greatest < 2_f64.powi(-500) {
        2_f64.powi(600)
    } else {
        1.0
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for (place, number) in numbers.enumerate() {
        let number = if number.is_nan() { zero_division } else { number };
        let share = shares.map_or(1.0, |shares| shares[place] * unit);
        if !number.is_nan() && share != 0.0 {
            sum += share * number;
            weight += share;
        }
    }
    if weight != 0.0 {
        return Value { number: sum / weight, why: None };
    }
    let why = if rows { Undefined::NoClassDefined } else { Undefined::NoRows };
    Value { number: f64::NAN, why: Some(why) }
}

/// The index of the sum of all tables.
fn micro(
    tables: &[BinaryCounts],
    index: &Index,
    zero_division: f64,
    parameters: &Parameters,
) -> Result<Value> {
    if index.counts.is_none() {
        return Err(Refusal::Index {
            name: index.name.to_owned(),
            problem: "has no micro average, since it is not a formula over counts".to_owned(),
        });
    }
    let mut value = index.of_counts(&pooled(tables), parameters)?;
    if value.number.is_nan() {
        value.number = zero_division;
    }
    Ok(value)
}

/// The sum of all tables.
pub(crate) fn pooled(tables: &[BinaryCounts]) -> BinaryCounts {
    tables.iter().fold(BinaryCounts::default(), |sum, one| BinaryCounts {
        tp: sum.tp + one.tp,
        fp: sum.fp + one.fp,
        fn_: sum.fn_ + one.fn_,
        tn: sum.tn + one.tn,
    })
}

fn check(weights: &[f64], classes: usize) -> Result<()> {
    let expected = || format!("{classes} finite numbers that are not negative, one a class");
    if weights.len() != classes {
        return Err(Refusal::argument("average", format!("{} weights", weights.len()), expected()));
    }
    match weights.iter().find(|&&weight| !(0.0..f64::INFINITY).contains(&weight)) {
        Some(weight) => {
            Err(Refusal::argument("average", format!("a weight of {weight}"), expected()))
        }
        None if weights.iter().all(|&weight| weight == 0.0) => {
            Err(Refusal::argument("average", "weights that are all 0", expected()))
        }
        None => Ok(()),
    }
}
