//! The distance of two distributions over the same bins: the population stability index and related
//! measures.
//!
//! Only the masses in the bins are read, so the distributions may be of scores, labels or any other
//! counts. A score table gives bins and their masses by bisection.
//!
//! Sources: Jeffreys 1946, doi:10.1098/rspa.1946.0056 (the divergence); Siddiqi 2006, Credit Risk
//! Scorecards (as population stability index, with its rule of thumb); Lin 1991,
//! doi:10.1109/18.61115 (Jensen–Shannon); Smirnov 1948, doi:10.1214/aoms/1177730256; Pearson 1900,
//! doi:10.1080/14786440009463897.

use crate::arith::products::unit_scale;
use crate::arith::special::chi_squared_upper_tail;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::scores::bin_counts::Binned;
use crate::scores::gains::MOST_BANDS;
use crate::scores::score_table::{Masses, ScoreTable, Side, first_place};

/// Two distributions over the same bins, and their distance; entry i of each list is bin i.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Stability {
    /// The rows, or their weight, of the reference in each bin.
    pub expected: Vec<f64>,
    /// The rows, or their weight, of the other distribution in each bin.
    pub actual: Vec<f64>,
    /// The bin's share of the reference.
    pub expected_share: Vec<f64>,
    /// The bin's share of the other distribution.
    pub actual_share: Vec<f64>,
    /// The bin's contribution to the index.
    pub contribution: Vec<f64>,
    /// The population stability index: Σ (a − e) ln(a / e).
    pub psi: f64,
    /// The Jensen–Shannon divergence, in nats.
    pub jensen_shannon: f64,
    /// The greatest difference of the cumulative shares at the ends of bins.
    pub ks: f64,
    /// Half the sum of the absolute differences of the shares.
    pub total_variation: f64,
    /// Pearson's statistic for the two rows of masses.
    pub chi_squared: f64,
    /// The number of bins that are not empty, minus one.
    pub freedom: usize,
    /// The probability of a chi-squared statistic at least as large if both samples come from one
    /// distribution.
    pub p_value: f64,
}

impl Stability {
    /// Compares masses bin by bin. Only in the index, a share of 0 is replaced by `epsilon`; a bin
    /// with both shares 0 adds nothing.
    ///
    /// ```
    /// use rocksteady_count::scores::stability::Stability;
    ///
    /// let found = Stability::of(vec![2.0, 2.0], vec![1.0, 3.0], 1e-4);
    /// assert_eq!(found.actual_share, [0.25, 0.75]);
    /// assert!((found.psi - 0.25 * 3_f64.ln()).abs() < 1e-15);
    /// assert_eq!((found.ks, found.total_variation), (0.25, 0.25));
    /// ```
    #[must_use]
    pub fn of(expected: Vec<f64>, actual: Vec<f64>, epsilon: f64) -> Self {
        // Scaled near one, so that sums of large weights stay finite.
        let total = |masses: &[f64]| {
            let scale = unit_scale(masses.iter().copied().fold(f64::MIN_POSITIVE, f64::max));
            (scale, masses.iter().map(|mass| mass * scale).sum::<f64>())
        };
        let shares = |masses: &[f64]| -> Vec<f64> {
            let (scale, total) = total(masses);
            masses.iter().map(|mass| mass * scale / total).gather()
        };
        let (expected_share, actual_share) = (shares(&expected), shares(&actual));
        let pairs = || expected_share.iter().copied().zip(actual_share.iter().copied());
        let contribution: Vec<f64> = pairs()
            .map(|(e, a)| {
                let filled = |share: f64| if share == 0.0 { epsilon } else { share };
                let (e, a) = if e == 0.0 && a == 0.0 { (1.0, 1.0) } else { (filled(e), filled(a)) };
                if e == a { 0.0 } else { (a - e) * (a / e).ln() }
            })
            .gather();
        let half = |own: f64, other: f64| {
            if own == 0.0 { 0.0 } else { own * (2.0 * own / (own + other)).ln() }
        };
        let jensen_shannon: f64 = pairs().map(|(e, a)| half(e, a) + half(a, e)).sum();
        let (mut cumulative, mut ks) = (0.0, 0.0_f64);
        for (e, a) in pairs() {
            cumulative += a - e;
            ks = if cumulative.is_nan() { cumulative } else { ks.max(cumulative.abs()) };
        }
        let variation: f64 = pairs().map(|(e, a)| (a - e).abs()).sum();
        let ((up, e_total), (down, a_total)) = (total(&expected), total(&actual));
        let (e_total, a_total) = (e_total / up, a_total / down);
        let occupied = || expected.iter().zip(&actual).filter(|(e, a)| **e + **a > 0.0);
        // Σ N M (e/N − a/M)² / (e + a)
        let chi_squared: f64 = pairs()
            .zip(expected.iter().zip(&actual))
            .filter(|(_, (e, a))| **e + **a > 0.0)
            .map(|((e_share, a_share), (e, a))| {
                let apart = e_share - a_share;
                apart * apart * (e_total / (e + a)) * a_total
            })
            .sum();
        let freedom = occupied().count().saturating_sub(1);
        let known = e_total > 0.0 && a_total > 0.0;
        let unless_empty = |value: f64| if known { value } else { f64::NAN };
        Self {
            psi: contribution.iter().sum(),
            jensen_shannon: unless_empty((0.5 * jensen_shannon).max(0.0)),
            ks: unless_empty(ks.min(1.0)),
            total_variation: unless_empty((0.5 * variation).min(1.0)),
            chi_squared: unless_empty(chi_squared),
            p_value: if known && freedom > 0 {
                chi_squared_upper_tail(chi_squared, freedom as f64)
            } else {
                f64::NAN
            },
            freedom,
            expected,
            actual,
            expected_share,
            actual_share,
            contribution,
        }
    }
}

/// The range of places of the distinct scores, without ranked NaN.
fn numbers(table: &ScoreTable) -> (usize, usize) {
    let (kind, len) = (table.kind(), table.len());
    let missing = |place: usize, key: u64| kind.is_float() && table.keys().get(place) == key;
    let from = usize::from(len > 0 && missing(0, kind.greatest()));
    let upto = len - usize::from(len > from && missing(len - 1, 0));
    (from, upto)
}

/// The lowest and the highest score that is not NaN.
pub fn table_extremes(table: &ScoreTable) -> Option<(f64, f64)> {
    let (from, upto) = numbers(table);
    (from < upto).then(|| (table.score(upto - 1), table.score(from)))
}

/// Ascending edges of `bins` bins of nearly equal weight: edge k is the occurring score with the
/// share of rows below it nearest to k/bins; of two equally near, the greater. With many ties there
/// are fewer edges, and no bin is empty.
///
/// # Errors
/// [`Refusal::Argument`] for no bins, or too many.
pub fn quantile_edges(table: &ScoreTable, bins: usize) -> Result<Vec<f64>> {
    if !(1..=MOST_BANDS).contains(&bins) {
        let expected = format!("1 to {MOST_BANDS}");
        return Err(Refusal::argument("bins", bins, expected));
    }
    let (from, upto) = numbers(table);
    if from >= upto {
        return Ok(Vec::new());
    }
    // The difference between the share at or above a place and the target share, in comparable
    // numbers.
    let nearest = |step: usize| -> usize {
        let above = bins - step;
        match table.masses() {
            Masses::Counts(positives, negatives) => {
                let all =
                    |place: usize| u128::from(positives[place]) + u128::from(negatives[place]);
                let before = from.checked_sub(1).map_or(0, all);
                let reached = |end: usize| {
                    let all = end.checked_sub(1).map_or(0, all).max(before);
                    (all - before) * bins as u128
                };
                let goal = reached(upto) / bins as u128 * above as u128;
                closest(
                    from,
                    upto,
                    |end| reached(end) >= goal,
                    |end| reached(end).abs_diff(goal) as f64,
                    0.0,
                )
            }
            Masses::Weights(_) => {
                let (positives, negatives) = table.totals();
                let scale = unit_scale(positives.max(negatives));
                let all = |place: usize| {
                    let (tp, fp) = table.cumulative(place);
                    tp * scale + fp * scale
                };
                let before = from.checked_sub(1).map_or(0.0, all);
                let reached = |end: usize| end.checked_sub(1).map_or(0.0, all).max(before) - before;
                let goal = reached(upto) * (above as f64 / bins as f64);
                // Equal weights add up to a share only up to rounding.
                let slack = 4.0 * f64::EPSILON * reached(upto);
                closest(
                    from,
                    upto,
                    |end| reached(end) >= goal - slack,
                    |end| (reached(end) - goal).abs(),
                    slack,
                )
            }
        }
    };
    let mut ends: Vec<usize> =
        (1..bins).map(nearest).filter(|&end| from < end && end < upto).gather();
    ends.dedup();
    let mut edges: Vec<f64> = ends.into_iter().map(|end| table.score(end - 1)).gather();
    // Integers beyond 2^53 may be rounded to the same number.
    edges.dedup();
    Ok(edges)
}

/// The rows of both classes in the bins between ascending edges: below the first edge, between
/// edges, from the last edge on.
pub fn table_bins(table: &ScoreTable, edges: &[f64]) -> Binned {
    let (from, upto) = numbers(table);
    let mass = |from: usize, to: usize| {
        let (positives, negatives) = table.masses_between(from, to);
        positives + negatives
    };
    let mut bins = with_room(edges.len() + 1);
    let mut end = upto;
    for &edge in edges {
        let place = table.reached(edge, Side::GreaterEqual).clamp(from, upto);
        bins.grow(mass(place, end));
        end = place;
    }
    bins.grow(mass(from, end));
    Binned { bins, missing: mass(0, from) + mass(upto, table.len()) }
}

/// The place from `from` up to `upto` nearest to where `reached` becomes true; of two distances
/// equal up to `slack`, the earlier.
fn closest(
    from: usize,
    upto: usize,
    reached: impl Fn(usize) -> bool,
    distance: impl Fn(usize) -> f64,
    slack: f64,
) -> usize {
    let place = from + first_place(upto - from, |step| reached(from + step));
    let earlier = place > from && distance(place - 1) <= distance(place) + slack;
    place - usize::from(earlier)
}

/// The inner edges of `bins` bins of equal width from `low` to `high`.
///
/// # Errors
/// [`Refusal::Argument`] for no bins, or too many, or for infinite ends.
pub fn uniform_edges(ends: Option<(f64, f64)>, bins: usize) -> Result<Vec<f64>> {
    if !(1..=MOST_BANDS).contains(&bins) {
        let expected = format!("1 to {MOST_BANDS}");
        return Err(Refusal::argument("bins", bins, expected));
    }
    let Some((low, high)) = ends else {
        return Ok(Vec::new());
    };
    if !(low.is_finite() && high.is_finite()) {
        let expected = "\"quantile\", or edges, as expected has an infinite score";
        return Err(Refusal::argument("strategy", "\"uniform\"", expected));
    }
    let part = |step: usize| {
        let share = step as f64 / bins as f64;
        low * (1.0 - share) + high * share
    };
    let mut edges: Vec<f64> =
        (1..bins).map(part).filter(|&edge| low < edge && edge <= high).gather();
    // If scores are neighbouring numbers, rounding may exchange two edges.
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    fn table(scores: &[f64], weights: Option<&[f64]>) -> ScoreTable {
        let y: Vec<u8> = (0..scores.len()).map(|row| (row % 3 == 0).into()).collect();
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let weights = weights.map(Column::from_slice);
        score_table(
            &Labels::U8(Column::from_slice(&y)),
            &Scores::F64(Column::from_slice(scores)),
            weights,
            &options,
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn edges_are_the_nearest_scores(
            rows in prop::collection::vec((0_u8..30, 1_u8..9), 1..120),
            bins in 1_usize..15,
            weighted: bool,
        ) {
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
            // Quarters add up without rounding.
            let weights: Vec<f64> = rows.iter().map(|row| if weighted { f64::from(row.1) / 4.0 } else { 1.0 }).collect();
            let table = table(&scores, weighted.then_some(&weights));
            let below = |edge: f64| -> f64 { scores.iter().zip(&weights).filter(|(s, _)| **s < edge).map(|(_, w)| w).sum() };
            let total: f64 = weights.iter().sum();
            let mut distinct = scores.clone();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            let mut expected = Vec::new();
            for step in 1..bins {
                let distance = |edge: f64| (below(edge) * bins as f64 - total * step as f64).abs();
                // Above the greatest score all rows are below.
                let mut candidates = distinct.clone();
                candidates.push(f64::INFINITY);
                let best = candidates.into_iter().rev().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap();
                if best > distinct[0] && best.is_finite() && expected.last() != Some(&best) {
                    expected.push(best);
                }
            }
            let edges = quantile_edges(&table, bins).unwrap();
            if !weighted || bins.is_power_of_two() {
                prop_assert_eq!(&edges, &expected);
            }
            let binned = table_bins(&table, &edges);
            prop_assert!(binned.bins.iter().all(|&mass| mass > 0.0));
            for (bin, &mass) in binned.bins.iter().enumerate() {
                let upto = |place: Option<&f64>| place.map_or(total, |&edge| below(edge));
                let low = bin.checked_sub(1).map_or(0.0, |place| below(edges[place]));
                prop_assert_eq!(mass, upto(edges.get(bin)) - low);
            }
        }
    }

    #[test]
    fn without_ties_bins_are_equal() {
        let scores: Vec<f64> = (0..1000_i32).map(|i| f64::from(i * 7919 % 1000) / 1000.0).collect();
        let table = table(&scores, None);
        let edges = quantile_edges(&table, 10).unwrap();
        assert_eq!(table_bins(&table, &edges).bins, [100.0; 10]);
        assert_eq!(edges[0], 0.1);
    }

    #[test]
    fn equal_distributions_are_not_apart_and_others_are() {
        let same = Stability::of(vec![1.0, 2.0, 0.0], vec![10.0, 20.0, 0.0], 1e-4);
        assert_eq!((same.psi, same.ks, same.chi_squared, same.p_value), (0.0, 0.0, 0.0, 1.0));
        let apart = Stability::of(vec![1.0, 0.0], vec![0.0, 1.0], 1e-4);
        assert!((apart.psi - 2.0 * (1.0 - 1e-4) * 1e4_f64.ln()).abs() < 1e-12);
        assert!((apart.jensen_shannon - 2_f64.ln()).abs() < 1e-15);
        assert_eq!((apart.ks, apart.total_variation, apart.freedom), (1.0, 1.0, 1));
        assert_eq!(Stability::of(vec![1.0, 0.0], vec![0.0, 1.0], 0.0).psi, f64::INFINITY);
        let none = Stability::of(vec![0.0, 0.0], vec![0.0, 1.0], 1e-4);
        assert!(
            none.psi.is_nan()
                && none.ks.is_nan()
                && none.p_value.is_nan()
                && none.chi_squared.is_nan()
        );
        // 2x2: N (ad − bc)² / (row and column sums).
        let found = Stability::of(vec![10.0, 20.0], vec![30.0, 5.0], 1e-4);
        let exact = 65.0 * (10.0_f64 * 5.0 - 20.0 * 30.0).powi(2) / (30.0 * 35.0 * 40.0 * 25.0);
        assert!((found.chi_squared - exact).abs() < 1e-12);
    }

    #[test]
    fn bins_of_one_width() {
        assert_eq!(uniform_edges(Some((0.0, 1.0)), 4).unwrap(), [0.25, 0.5, 0.75]);
        assert_eq!(uniform_edges(Some((2.0, 2.0)), 4).unwrap(), [0.0; 0]);
        assert_eq!(uniform_edges(Some((-f64::MAX, f64::MAX)), 2).unwrap(), [0.0]);
        assert!(uniform_edges(Some((0.0, f64::INFINITY)), 4).is_err());
        assert!(uniform_edges(None, 0).is_err());
    }
}
