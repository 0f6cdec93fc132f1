//! How far apart the values of groups are.
//!
//! 1. One pass over the groups keeps the least and the greatest value of each stratum, and the
//!    greatest distance from the value of all rows of the stratum.
//! 2. A group without a value (NaN) is counted and otherwise left out.
//!
//! The ratio between groups is the least value divided by the greatest. The ratio of a group to all
//! rows is inverted where it is above 1. So all ratios lie in [0, 1], and 1 is equality. Ratios of
//! negative values have no meaning; `is_negative` marks them.
//!
//! Cost: one pass over the values.
//!
//! Source: the definitions are those of fairlearn's `MetricFrame` (Bird et al. 2020, Microsoft
//! technical report MSR-TR-2020-32).

use crate::base::memory::filled;

/// The disparity of the groups of one stratum. Numbers are NaN where no group has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disparity {
    /// The least value.
    pub least: f64,
    /// The first group with the least value.
    pub least_at: Option<usize>,
    /// The greatest value.
    pub greatest: f64,
    /// The first group with the greatest value.
    pub greatest_at: Option<usize>,
    /// The greatest distance between a group and all rows, and the least ratio between them.
    pub to_overall: [f64; 2],
    /// The groups with this distance and this ratio.
    pub to_overall_at: [Option<usize>; 2],
    /// How many groups have a value.
    pub groups: usize,
    /// How many groups have no value.
    pub without: usize,
    /// Whether a group's value or the overall value is below 0, so that ratios have no meaning.
    pub is_negative: bool,
}

impl Default for Disparity {
    fn default() -> Self {
        Self {
            least: f64::NAN,
            least_at: None,
            greatest: f64::NAN,
            greatest_at: None,
            to_overall: [f64::NAN; 2],
            to_overall_at: [None; 2],
            groups: 0,
            without: 0,
            is_negative: false,
        }
    }
}

impl Disparity {
    /// The greatest value minus the least.
    pub fn difference(&self) -> f64 {
        self.greatest - self.least
    }

    /// The least value divided by the greatest; NaN where both are 0 or one is negative.
    pub fn ratio(&self) -> f64 {
        if self.is_negative { f64::NAN } else { self.least / self.greatest }
    }

    fn take(&mut self, group: usize, value: f64, overall: f64) {
        if value.is_nan() {
            self.without += 1;
            return;
        }
        self.groups += 1;
        self.is_negative |= value < 0.0 || overall < 0.0;
        // The first value is always taken.
        if self.least.is_nan() || value < self.least {
            (self.least, self.least_at) = (value, Some(group));
        }
        if self.greatest.is_nan() || value > self.greatest {
            (self.greatest, self.greatest_at) = (value, Some(group));
        }
        let distance = (value - overall).abs();
        if !(distance.is_nan() || distance <= self.to_overall[0]) {
            (self.to_overall[0], self.to_overall_at[0]) = (distance, Some(group));
        }
        let ratio = value / overall;
        let ratio = if ratio > 1.0 { 1.0 / ratio } else { ratio };
        if !(ratio.is_nan() || ratio >= self.to_overall[1]) {
            (self.to_overall[1], self.to_overall_at[1]) = (ratio, Some(group));
        }
    }
}

/// The disparity in each stratum. `strata` has the stratum of each group, below the number of
/// values in `overall`, which are those of all rows of each stratum; without it all groups are in
/// the first.
///
/// ```
/// use rocksteady_derive::fairness::disparity::disparities;
///
/// let found = disparities(&[0.5, f64::NAN, 0.25], None, &[0.4])[0];
/// assert_eq!((found.difference(), found.ratio()), (0.25, 0.5));
/// assert_eq!((found.least_at, found.without), (Some(2), 1));
/// assert_eq!(found.to_overall, [0.15000000000000002, 0.625]);
/// ```
pub fn disparities(values: &[f64], strata: Option<&[u32]>, overall: &[f64]) -> Vec<Disparity> {
    let mut found = filled(Disparity::default(), overall.len());
    for (group, &value) in values.iter().enumerate() {
        let stratum = strata.map_or(0, |strata| strata[group] as usize);
        found[stratum].take(group, value, overall[stratum]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The four disparities by all pairs of groups, and all groups beside all rows.
    fn plain(values: &[f64], overall: f64) -> [f64; 4] {
        let mut found = [f64::NAN; 4];
        for a in values.iter().filter(|value| !value.is_nan()) {
            for b in values.iter().filter(|value| !value.is_nan()) {
                found[0] = found[0].max((a - b).abs());
                found[1] = found[1].min(a / b);
            }
            found[2] = found[2].max((a - overall).abs());
            found[3] = found[3].min(a / overall).min(overall / a);
        }
        found
    }

    proptest! {
        #[test]
        fn agrees_with_all_pairs(
            values in prop::collection::vec(
                prop_oneof![Just(f64::NAN), (0..20_u32).prop_map(|n| f64::from(n) / 20.0)], 0..12),
            overall in 0.1..1.0,
        ) {
            let found = disparities(&values, None, &[overall])[0];
            let all = [found.difference(), found.ratio(), found.to_overall[0], found.to_overall[1]];
            for (own, plain) in all.into_iter().zip(plain(&values, overall)) {
                prop_assert!(own.is_nan() && plain.is_nan() || (own - plain).abs() < 1e-14, "{all:?}");
            }
            prop_assert_eq!(found.groups + found.without, values.len());
        }
    }

    #[test]
    fn strata_stay_apart_and_negative_values_have_no_ratio() {
        let values = [0.5, -0.25, 1.0, f64::NAN];
        let found = disparities(&values, Some(&[0, 1, 0, 2]), &[0.75, -0.25, f64::NAN]);
        assert_eq!((found[0].difference(), found[0].ratio(), found[0].groups), (0.5, 0.5, 2));
        assert_eq!((found[1].difference(), found[1].is_negative), (0.0, true));
        assert!(found[1].ratio().is_nan());
        assert!(found[2].difference().is_nan() && found[2].without == 1);
    }

    #[test]
    fn a_value_of_zero_has_the_ratio_zero_and_none_to_another_zero() {
        let found = disparities(&[0.0, 0.5], None, &[0.25])[0];
        assert_eq!((found.ratio(), found.to_overall[1]), (0.0, 0.0));
        let found = disparities(&[0.0, 0.0], None, &[0.0])[0];
        assert!(found.ratio().is_nan() && found.to_overall[1].is_nan());
    }
}
