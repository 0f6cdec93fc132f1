//! Intervals of means over independent observations: rows, queries or groups.
//!
//! 1. Where each observation is 0 or 1, the mean is a share of trials, with the methods of shares,
//!    Wilson's first ([`crate::inference::proportion`]).
//! 2. Any other mean has the bounds mean ± t standard errors, cut to the range of its values; t has
//!    one degree of freedom less than there are observations.
//!    A note says where there are few, or where the values have no bounds and few of them make up
//!    their scatter. In simulations of exponential and lognormal numbers, many of them 0, intervals
//!    at .95 cover the true mean in .92 to .96 of the samples where 100 or more do, and down to .25
//!    where fewer do.
//! 3. Observations that are all alike do not show how they scatter, so there are no bounds.

use crate::arith::exact::{Fixed, Wide};
use crate::arith::fast_sum::add_one;
use crate::arith::products::unit_scale;
use crate::base::error::{Refusal, Result};
use crate::classes::row_mean::{RowMean, RowMeasure};
use crate::index::parameter::Parameters;
use crate::index::registry::find;
use crate::index::spread::Method;
use crate::index::value::{Undefined, Value};
use crate::inference::interval::{Ask, FEW, FEW_TELL_NOTE, Interval};
use crate::inference::scores::{error_of_mean, error_of_moments};
use crate::labels::view::BinaryCounts;

/// The methods of any mean, the default first.
pub const OF_MEANS: [Method; 2] = [Method::T, Method::Normal];

/// With fewer observations that make up the scatter of values without bounds, t intervals cover the
/// true mean too rarely.
const FEW_THAT_SCATTER: f64 = 100.0;

const FEW_IN_ALL: &str = "The mean is of fewer than 20 values: the interval may cover the true value less often than its \
                          level says.";

/// A mean and what its interval depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: Value,
    /// The number of observations; with sampling weights the effective number.
    pub count: f64,
    /// The standard error.
    pub standard_error: f64,
    /// Where each observation is 0 or 1: the weights of the ones and of the zeros, and the sums of
    /// their squares, if these differ.
    pub share: Option<([f64; 2], Option<[f64; 2]>)>,
    /// The least and the greatest value of an observation.
    pub range: (f64, f64),
    /// The number of rows that make up the scatter: of values the square of their sum, divided by
    /// the sum of their squares.
    pub sharing: f64,
}

impl Mean {
    /// The mean of observations, each times its weight if there are weights, without those that are
    /// NaN. The standard error of n of them is the root of n / (n - 1) Σ w² (value - mean)², by Σ w:
    /// the weights are observed with the values.
    pub fn of(values: &[f64], weights: &[f64], range: (f64, f64)) -> Self {
        let greatest = weights.iter().fold(0.0_f64, |most, &weight| most.max(weight));
        let unit = if greatest > 0.0 { unit_scale(greatest) } else { 1.0 };
        let kept = || {
            let each = values
                .iter()
                .zip(weights)
                .filter(|(value, weight)| !value.is_nan() && **weight > 0.0);
            each.map(|(&value, &weight)| (value, weight * unit))
        };
        let sum = |of: &dyn Fn(f64, f64) -> f64| {
            let mut sums = [Wide::default(); 2];
            for (value, weight) in kept() {
                let term = of(value, weight);
                add_one(&mut sums[usize::from(term < 0.0)], term.abs());
            }
            let [up, down] = sums.map(|sum| sum.to_f64(Wide::LOWEST));
            up - down
        };
        let (count, weight) = (kept().count() as f64, sum(&|_, weight| weight));
        let mean = sum(&|value, weight| value * weight) / weight;
        let squares = sum(&|value, weight| (weight * (value - mean)).powi(2));
        let whole = sum(&|value, weight| (weight * value).powi(2));
        let is_share = range == (0.0, 1.0) && kept().all(|(value, _)| value * value == value);
        let share = is_share.then(|| {
            let both = |power: i32| {
                [1.0, 0.0].map(|one| {
                    sum(&|value, weight| if value == one { weight.powi(power) } else { 0.0 })
                })
            };
            (both(1), Some(both(2)))
        });
        let why = (weight.is_nan() || weight <= 0.0).then_some(Undefined::NoRows);
        Self {
            value: Value { number: if why.is_none() { mean } else { f64::NAN }, why },
            count,
            standard_error: error_of_mean(squares, count) / weight,
            share,
            range,
            sharing: (mean * weight).powi(2) / whole,
        }
    }

    /// The interval; `name` is for refusals.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a method that the mean does not have.
    ///
    /// ```
    /// use rocksteady_derive::index::spread::Method;
    /// use rocksteady_derive::index::value::Value;
    /// use rocksteady_derive::inference::interval::{Ask, Side};
    /// use rocksteady_derive::inference::means::mean::Mean;
    ///
    /// let value = Value { number: 1.0, why: None };
    /// let share = Some(([15.0, 0.0], None));
    /// let (range, sharing) = ((0.0, 1.0), 15.0);
    /// let hits = Mean { value, count: 15.0, standard_error: 0.0, share, range, sharing };
    /// let found = hits.interval("hit_rate_at_k", &Ask::new(0.95, None, Side::Both)?)?;
    /// assert!((found.low - 0.796_117).abs() < 1e-6 && found.high == 1.0);
    /// let t = Ask::new(0.95, Some(Method::T), Side::Both)?;
    /// assert!(hits.interval("hit_rate_at_k", &t)?.why.is_some());
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn interval(&self, name: &str, ask: &Ask) -> Result<Interval> {
        let of_shares = self.share.map_or(&[][..], |_| &Method::OF_SHARES);
        let method = ask.method().unwrap_or(*of_shares.first().unwrap_or(&OF_MEANS[0]));
        let is_of_means = OF_MEANS.contains(&method);
        if let (Some((own, squares)), false, true) =
            (self.share, is_of_means, of_shares.contains(&method))
        {
            // The interval of recall is that of a share.
            let [own, squares] = [own, squares.unwrap_or(own)].map(|[tp, fn_]| BinaryCounts {
                tp,
                fn_,
                ..BinaryCounts::default()
            });
            let recall = find("recall")?;
            let parameters = Parameters::defaults(recall);
            let found = recall.interval_of_sampling(&own, &squares, &parameters, ask)?;
            let why = self.value.why.or(found.why);
            let note = found.note.map(|_| FEW_IN_ALL);
            return Ok(Interval { estimate: self.value.number, why, note, ..found });
        }
        if !is_of_means {
            let known = OF_MEANS.map(Method::name);
            let problem = format!(
                "has no interval by the method {:?} here; its methods: {}",
                method.name(),
                known.join(", ")
            );
            return Err(Refusal::Index { name: name.to_owned(), problem });
        }
        let (number, error) = (self.value.number, self.standard_error);
        let is_scattered = self.count > 1.0 && error > 8.0 * f64::EPSILON * number.abs();
        let why = self.value.why.or((!is_scattered).then_some(Undefined::NoSpread));
        let freedom = (method == Method::T).then_some(self.count - 1.0);
        let (low, high) = match why {
            None => ask.bounds_of_mean(number, error, freedom, self.range),
            Some(_) => (f64::NAN, f64::NAN),
        };
        let standard_error = if why.is_none() { error } else { f64::NAN };
        let is_bounded = self.range.0.is_finite() && self.range.1.is_finite();
        let note = if !is_bounded && self.sharing < FEW_THAT_SCATTER {
            Some(FEW_TELL_NOTE)
        } else {
            (self.count < FEW).then_some(FEW_IN_ALL)
        };
        let note = note.filter(|_| why.is_none());
        Ok(Interval { estimate: number, low, high, standard_error, method, why, note })
    }
}

/// The interval of a mean over rows. A logarithmic loss has the methods of the index, so that it
/// has one interval whichever statistic it is read from.
///
/// # Errors
/// [`Refusal::Index`] for a mean without the squares of its values, and for a method that it does
/// not have.
pub fn interval_of_row_mean(of: &RowMean, ask: &Ask) -> Result<Interval> {
    let name = of.measure().name();
    let moments = of.moments().ok_or_else(|| Refusal::Index {
        name: name.to_owned(),
        problem: "has no interval of confidence here: some of these rows were summed by an older \
                  release, without the squares of their values; sum those rows again"
            .to_owned(),
    })?;
    let (number, weight) = (of.mean(), of.weight());
    let why = (weight <= 0.0).then_some(Undefined::NoRows);
    let value = Value { number, why };
    let standard_error = error_of_moments(&moments, number, weight, 1.0);
    let sharing = of.total().powi(2) / moments.squares;
    if of.measure() == RowMeasure::LogLoss {
        let row = find(name)?;
        let (method, z) = (row.way(ask, |_| true)?.1, ask.z());
        let found = row.around(value, method, ask, || {
            Ok((row.of_error(number, standard_error, method, z)?, None))
        });
        return Ok(found.of_telling(sharing));
    }
    let share = of.is_share().then(|| {
        let table = |ones: f64, all: f64| [ones, all - ones];
        let squares = [moments.sum, moments.weight];
        (table(of.total(), weight), Some(table(squares[0], squares[1])))
    });
    let (count, range) = (moments.rows(weight), of.measure().range());
    Mean { value, count, standard_error, share, range, sharing }.interval(name, ask)
}
