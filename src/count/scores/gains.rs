//! Gains tables: a ranking in bands, with response rates, lift, weight of evidence and profit.
//!
//! 1. A ranking is cut into bands of equal weight from the highest score down, or at given scores.
//! 2. If a cut falls within a tie, each of the two bands gets its share of the tied positives and
//!    of the tied negatives. This is the mean over all orders of the tied rows, so the order of the
//!    rows has no effect.
//! 3. With counts, cuts are found and ties are split in integers, so whole numbers stay whole.
//! 4. With weights, a cut within 4 ulp of the total from the end of a tie is moved to that end:
//!    equal weights add up to n-ths of their sum only up to rounding.
//! 5. The mass between two cuts is a difference of exact sums.
//!
//! Cost: a bisection in the running totals for each cut, O(bands · log n).
//!
//! Sources: Siddiqi 2006, Credit Risk Scorecards (gains tables, weight of evidence, information
//! value); Jeffreys 1946, doi:10.1098/rspa.1946.0056 (the information value is this divergence).
//!
//! Rejected:
//! - cuts rounded to whole rows (bands of different size);
//! - cuts by the order of rows (the table would depend on more than the scores).

use crate::arith::products::unit_scale;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::scores::score_table::{Masses, ScoreTable, Side, first_place};

/// The most bands.
pub const MOST_BANDS: usize = 1 << 16;

/// A cut in a ranking: after all scores before `place`, and after a part `taken` of the rows at
/// `place`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cut {
    place: usize,
    taken: Part,
}

/// A part of the rows with one score: from none up to, but not including, all.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    /// The first of the second number of rows.
    Counts(u128, u128),
    /// A fraction of the weight.
    Share(f64),
}

impl Part {
    const NONE: Self = Self::Counts(0, 1);

    fn is_none(self) -> bool {
        match self {
            Self::Counts(part, _) => part == 0,
            Self::Share(share) => share == 0.0,
        }
    }

    /// The remaining rows.
    fn rest(self) -> Self {
        match self {
            Self::Counts(part, whole) => Self::Counts(whole - part, whole),
            Self::Share(share) => Self::Share(1.0 - share),
        }
    }

    /// The part beyond a smaller part of the same rows.
    fn beyond(self, smaller: Self) -> Self {
        if smaller.is_none() {
            return self;
        }
        match (self, smaller) {
            (Self::Counts(part, whole), Self::Counts(less, _)) => Self::Counts(part - less, whole),
            (own, smaller) => Self::Share(own.share() - smaller.share()),
        }
    }

    fn share(self) -> f64 {
        match self {
            Self::Counts(part, whole) => part as f64 / whole as f64,
            Self::Share(share) => share,
        }
    }

    /// The part of a mass; whole if it is, as far as 128-bit integers reach.
    fn of(self, mass: f64) -> f64 {
        if let Self::Counts(part, whole) = self
            && let Some(product) = (mass as u128).checked_mul(part)
        {
            return (product / whole) as f64 + (product % whole) as f64 / whole as f64;
        }
        mass * self.share()
    }
}

/// The bands of a ranking, from the highest score down, or ascending.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bands {
    /// The number, or weight, of the positives in each band.
    pub positives: Vec<f64>,
    /// The number, or weight, of the negatives in each band.
    pub negatives: Vec<f64>,
    /// The lowest score in each band; NaN for an empty band.
    pub lowest: Vec<f64>,
    /// The highest score in each band.
    pub highest: Vec<f64>,
    /// The positives of each band and of all earlier bands.
    pub cumulative_positives: Vec<f64>,
    /// The negatives of each band and of all earlier bands.
    pub cumulative_negatives: Vec<f64>,
    /// All positives and all negatives.
    pub totals: (f64, f64),
}

/// The columns of a gains table; entry i of each list is band i.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Gains {
    /// Rows, or their weight.
    pub rows: Vec<f64>,
    /// The share of positives among the rows of the band.
    pub response_rate: Vec<f64>,
    /// The band's share of all positives.
    pub capture: Vec<f64>,
    /// The band's share of all negatives.
    pub negative_capture: Vec<f64>,
    /// The response rate divided by the response rate of all rows.
    pub lift: Vec<f64>,
    /// The rows up to and including the band.
    pub cumulative_rows: Vec<f64>,
    /// The response rate up to and including the band.
    pub cumulative_response_rate: Vec<f64>,
    /// The share of all positives up to and including the band.
    pub gain: Vec<f64>,
    /// The share of all negatives up to and including the band.
    pub negative_gain: Vec<f64>,
    /// The cumulative response rate divided by the response rate of all rows.
    pub cumulative_lift: Vec<f64>,
    /// Gain minus negative gain.
    pub ks: Vec<f64>,
    /// Positives divided by negatives in the band.
    pub odds: Vec<f64>,
    /// The logarithm of the band's odds divided by the odds of all rows.
    pub weight_of_evidence: Vec<f64>,
    /// The band's contribution to the information value.
    pub information_value: Vec<f64>,
    /// The greatest |ks|.
    pub greatest_ks: f64,
    /// The information value of all bands.
    pub total_information_value: f64,
    /// The number of bands with a higher response rate than the band before.
    pub rank_order_breaks: usize,
}

/// The profit of bands; entry i of each list is band i.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Profit {
    /// The profit of the band alone, without the fixed cost.
    pub profit: Vec<f64>,
    /// The profit up to and including the band, minus the fixed cost.
    pub cumulative_profit: Vec<f64>,
    /// Cumulative profit divided by the money spent for it.
    pub return_on_investment: Vec<f64>,
    /// The number of bands with the greatest cumulative profit; 0 if no band is profitable.
    pub best: usize,
}

impl Bands {
    /// Cuts a ranking into bands of equal weight, from the highest score down; with `ascending` the
    /// same bands from the lowest score up.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for no bands, or more than [`MOST_BANDS`].
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::gains::Bands;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[1, 0, 1, 0, 0, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.9, 0.8, 0.7, 0.7, 0.7, 0.1]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let bands = Bands::of(&table, 2, false)?;
    /// // The second cut falls after one of three rows at 0.7, of which one is positive.
    /// assert_eq!(bands.positives, [1.0 + 1.0 / 3.0, 2.0 / 3.0]);
    /// assert_eq!((bands.lowest, bands.highest), (vec![0.7, 0.1], vec![0.9, 0.7]));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn of(table: &ScoreTable, bands: usize, ascending: bool) -> Result<Self> {
        if !(1..=MOST_BANDS).contains(&bands) {
            let expected = format!("1 to {MOST_BANDS}");
            return Err(Refusal::argument("bands", bands, expected));
        }
        let cuts: Vec<Cut> = (0..=bands).map(|step| cut(table, step, bands)).gather();
        Ok(Self::between(table, &cuts, ascending))
    }

    /// Cuts a ranking at ascending scores: one band below the first, one from each score up to the
    /// next, one from the last on. Ties are never split.
    ///
    /// # Errors
    /// [`Refusal::Row`] for edges that are NaN or do not ascend.
    pub fn at(table: &ScoreTable, edges: &[f64], ascending: bool) -> Result<Self> {
        check_edges(edges)?;
        let whole = |place| Cut { place, taken: Part::NONE };
        let mut cuts = vec![whole(0)];
        let reached = |&edge: &f64| whole(table.reached(edge, Side::GreaterEqual));
        cuts.grow_with(edges.iter().rev().map(reached));
        cuts.grow(whole(table.len()));
        Ok(Self::between(table, &cuts, ascending))
    }

    fn between(table: &ScoreTable, cuts: &[Cut], ascending: bool) -> Self {
        let (Some(&top), Some(&bottom)) = (cuts.first(), cuts.last()) else {
            return Self::default();
        };
        let mut bands = Self { totals: table.totals(), ..Self::default() };
        let mut put = |from: Cut, to: Cut| {
            let (positives, negatives) = masses_between(table, from, to);
            bands.positives.grow(positives);
            bands.negatives.grow(negatives);
            let end = to.place + usize::from(!to.taken.is_none());
            let (highest, lowest) = if from.place < end {
                (table.score(from.place), table.score(end - 1))
            } else {
                (f64::NAN, f64::NAN)
            };
            bands.highest.grow(highest);
            bands.lowest.grow(lowest);
            let (positives, negatives) = if ascending {
                masses_between(table, from, bottom)
            } else {
                masses_between(table, top, to)
            };
            bands.cumulative_positives.grow(positives);
            bands.cumulative_negatives.grow(negatives);
        };
        let pairs = cuts.windows(2).map(|pair| (pair[0], pair[1]));
        if ascending {
            pairs.rev().for_each(|(from, to)| put(from, to));
        } else {
            pairs.for_each(|(from, to)| put(from, to));
        }
        bands
    }
}

/// The cut after `step` of `steps` equal parts of all rows.
fn cut(table: &ScoreTable, step: usize, steps: usize) -> Cut {
    let after = |place| Cut { place, taken: Part::NONE };
    if step == steps {
        return after(table.len());
    }
    match table.masses() {
        Masses::Counts(positives, negatives) => {
            let upto = |place: usize| u128::from(positives[place]) + u128::from(negatives[place]);
            let goal = u128::from(table.rows()) * step as u128;
            let place = first_place(table.len(), |place| upto(place) * steps as u128 >= goal);
            let before = place.checked_sub(1).map_or(0, upto) * steps as u128;
            if place == table.len() || before == goal {
                return after(place);
            }
            let end = upto(place) * steps as u128;
            if end == goal {
                return after(place + 1);
            }
            Cut { place, taken: Part::Counts(goal - before, end - before) }
        }
        Masses::Weights(_) => {
            let (positives, negatives) = table.totals();
            let scale = unit_scale(positives.max(negatives));
            let upto = |place: usize| {
                let (tp, fp) = table.cumulative(place);
                tp * scale + fp * scale
            };
            let total = positives * scale + negatives * scale;
            let goal = total * (step as f64 / steps as f64);
            let slack = 4.0 * f64::EPSILON * total;
            let place = first_place(table.len(), |place| upto(place) >= goal - slack);
            let before = place.checked_sub(1).map_or(0.0, upto);
            if place == table.len() || goal <= before {
                return after(place);
            }
            let end = upto(place);
            if end <= goal + slack {
                return after(place + 1);
            }
            Cut { place, taken: Part::Share((goal - before) / (end - before)) }
        }
    }
}

/// The positives and negatives between two cuts.
fn masses_between(table: &ScoreTable, from: Cut, to: Cut) -> (f64, f64) {
    let part = |place: usize, part: Part| {
        if part.is_none() {
            return (0.0, 0.0);
        }
        let (positives, negatives) = table.masses_between(place, place + 1);
        (part.of(positives), part.of(negatives))
    };
    if from.place == to.place {
        return part(to.place, to.taken.beyond(from.taken));
    }
    let (first, whole) = if from.taken.is_none() {
        ((0.0, 0.0), from.place)
    } else {
        (part(from.place, from.taken.rest()), from.place + 1)
    };
    let inner = table.masses_between(whole, to.place);
    let last = part(to.place, to.taken);
    (first.0 + inner.0 + last.0, first.1 + inner.1 + last.1)
}

/// Refuses edges that are NaN or do not ascend, and too many.
///
/// # Errors
/// [`Refusal::Row`] or [`Refusal::Argument`] for `edges`.
pub fn check_edges(edges: &[f64]) -> Result<()> {
    if edges.len() >= MOST_BANDS {
        let found = format!("{} numbers", edges.len());
        let expected = format!("fewer than {MOST_BANDS}");
        return Err(Refusal::argument("edges", found, expected));
    }
    for (place, &edge) in edges.iter().enumerate() {
        let before = place.checked_sub(1).map(|place| edges[place]);
        if edge.is_nan() || before.is_some_and(|before| before >= edge) {
            let expected = match before {
                Some(before) => format!("a number above the one before, {before}"),
                None => "a number".to_owned(),
            };
            return Err(Refusal::row("edges", place, edge, expected));
        }
    }
    Ok(())
}

fn ratios(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a / b).gather()
}

fn shares(masses: &[f64], total: f64) -> Vec<f64> {
    masses.iter().map(|mass| mass / total).gather()
}

fn sums(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).gather()
}

impl Bands {
    /// The gains table. `smoothing` positives and the same number of negatives are added to each
    /// band before the logarithms. With 0, a band without positives has a weight of evidence of −∞,
    /// a band without negatives ∞.
    #[must_use]
    pub fn gains(&self, smoothing: f64) -> Gains {
        let (positives, negatives) = self.totals;
        let prevalence = positives / (positives + negatives);
        let rows = sums(&self.positives, &self.negatives);
        let cumulative_rows = sums(&self.cumulative_positives, &self.cumulative_negatives);
        let response_rate = ratios(&self.positives, &rows);
        let cumulative_response_rate = ratios(&self.cumulative_positives, &cumulative_rows);
        let gain = shares(&self.cumulative_positives, positives);
        let negative_gain = shares(&self.cumulative_negatives, negatives);
        let ks: Vec<f64> = gain.iter().zip(&negative_gain).map(|(a, b)| a - b).gather();
        let added = smoothing * rows.len() as f64;
        let smoothed = |mass: &f64, total: f64| (mass + smoothing) / (total + added);
        let evidence = |(p, n): (&f64, &f64)| {
            let (p, n) = (smoothed(p, positives), smoothed(n, negatives));
            let weight = (p / n).ln();
            // A band without rows is undefined and adds nothing.
            let value = if p == n { 0.0 } else { (p - n) * weight };
            (weight, value)
        };
        let (mut weight_of_evidence, mut information_value) =
            (with_room(rows.len()), with_room(rows.len()));
        for band in self.positives.iter().zip(&self.negatives) {
            let (weight, value) = evidence(band);
            weight_of_evidence.grow(weight);
            information_value.grow(value);
        }
        // Bands without rows have no rate.
        let rates: Vec<f64> = response_rate.iter().copied().filter(|rate| !rate.is_nan()).gather();
        Gains {
            capture: shares(&self.positives, positives),
            negative_capture: shares(&self.negatives, negatives),
            lift: shares(&response_rate, prevalence),
            cumulative_lift: shares(&cumulative_response_rate, prevalence),
            odds: ratios(&self.positives, &self.negatives),
            greatest_ks: if ks.iter().any(|ks| ks.is_nan()) {
                f64::NAN
            } else {
                ks.iter().fold(0.0, |most, ks| ks.abs().max(most))
            },
            total_information_value: information_value.iter().sum(),
            rank_order_breaks: rates.windows(2).filter(|pair| pair[1] > pair[0]).count(),
            rows,
            response_rate,
            cumulative_rows,
            cumulative_response_rate,
            gain,
            negative_gain,
            ks,
            weight_of_evidence,
            information_value,
        }
    }

    /// The profit of addressing the rows of the bands: `benefit` for each positive, `cost` for each
    /// row, and `fixed` once.
    #[must_use]
    pub fn profit(&self, benefit: f64, cost: f64, fixed: f64) -> Profit {
        let pairs = |positives: &[f64], negatives: &[f64]| -> Vec<(f64, f64)> {
            let each = positives.iter().zip(negatives);
            each.map(|(&p, &n)| (benefit * p, cost * (p + n))).gather()
        };
        let own = pairs(&self.positives, &self.negatives);
        let all = pairs(&self.cumulative_positives, &self.cumulative_negatives);
        let cumulative_profit: Vec<f64> =
            all.iter().map(|(gain, cost)| gain - (cost + fixed)).gather();
        let mut best = (0, 0.0);
        for (place, &profit) in cumulative_profit.iter().enumerate() {
            if profit > best.1 {
                best = (place + 1, profit);
            }
        }
        Profit {
            profit: own.iter().map(|(gain, cost)| gain - cost).gather(),
            return_on_investment: all
                .iter()
                .zip(&cumulative_profit)
                .map(|((_, cost), profit)| profit / (cost + fixed))
                .gather(),
            cumulative_profit,
            best: best.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// Sorted rows, dealt to the bands piece by piece; tied rows are replaced by their mean first.
    fn naive(rows: &[(u8, u8, f64)], bands: usize) -> Vec<(f64, f64)> {
        let mut sorted: Vec<_> = rows.to_vec();
        sorted.sort_by_key(|row| std::cmp::Reverse(row.1));
        let total: f64 = rows.iter().map(|row| row.2).sum();
        let (mut dealt, mut found) = (0.0, vec![(0.0, 0.0); bands]);
        for tie in sorted.chunk_by(|a, b| a.1 == b.1) {
            let weight: f64 = tie.iter().map(|row| row.2).sum();
            let positives: f64 = tie.iter().map(|row| row.2 * f64::from(row.0)).sum();
            for (band, found) in found.iter_mut().enumerate() {
                let edge = |place: usize| total * place as f64 / bands as f64;
                let inside = (edge(band + 1).min(dealt + weight) - edge(band).max(dealt)).max(0.0);
                if weight > 0.0 {
                    found.0 += inside * positives / weight;
                    found.1 += inside * (weight - positives) / weight;
                }
            }
            dealt += weight;
        }
        found
    }

    fn table(rows: &[(u8, u8, f64)], weighted: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let s: Vec<u8> = rows.iter().map(|row| row.1).collect();
        let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let options = SweepOptions {
            pos_label: Some(crate::base::input::Label::Int(1)),
            ..SweepOptions::default()
        };
        score_table(
            &Labels::U8(Column::from_slice(&y)),
            &Scores::U8(Column::from_slice(&s)),
            weighted.then(|| Column::from_slice(&w)),
            &options,
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn bands_are_dealt_row_by_row(
            rows in prop::collection::vec((0_u8..2, 0_u8..12, 1_u8..9), 1..80),
            bands in 1_usize..13,
            weighted: bool,
        ) {
            let weigh = |w: u8| if weighted { f64::from(w) / 10.0 } else { 1.0 };
            let rows: Vec<_> = rows.iter().map(|&(y, s, w)| (y, s, weigh(w))).collect();
            let table = table(&rows, weighted);
            let found = Bands::of(&table, bands, false).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-11;
            let mut upto = (0.0, 0.0);
            for (band, (p, n)) in naive(&rows, bands).into_iter().enumerate() {
                prop_assert!(near(found.positives[band], p), "{:?}", found);
                prop_assert!(near(found.negatives[band], n));
                upto = (upto.0 + p, upto.1 + n);
                prop_assert!(near(found.cumulative_positives[band], upto.0));
                prop_assert!(near(found.cumulative_negatives[band], upto.1));
                prop_assert!(found.lowest[band] <= found.highest[band]);
            }
            // The last band ends exactly at the end of the ranking.
            prop_assert_eq!((found.cumulative_positives[bands - 1], found.cumulative_negatives[bands - 1]), table.totals());
            let mut turned = Bands::of(&table, bands, true).unwrap();
            prop_assert_eq!((turned.cumulative_positives[bands - 1], turned.cumulative_negatives[bands - 1]), table.totals());
            for list in [&mut turned.positives, &mut turned.negatives, &mut turned.lowest, &mut turned.highest] {
                list.reverse();
            }
            prop_assert_eq!(
                (turned.positives, turned.negatives, turned.lowest, turned.highest),
                (found.positives, found.negatives, found.lowest, found.highest)
            );
        }

        #[test]
        fn given_edges_part_the_scores(
            rows in prop::collection::vec((0_u8..2, 0_u8..12, 1_u8..9), 1..80),
            edges in prop::collection::btree_set(0_u8..26, 0..8),
            weighted: bool,
        ) {
            let rows: Vec<_> = rows.iter().map(|&(y, s, w)| (y, s, if weighted { f64::from(w) / 8.0 } else { 1.0 })).collect();
            let edges: Vec<f64> = edges.into_iter().map(|edge| f64::from(edge) / 2.0).collect();
            let found = Bands::at(&table(&rows, weighted), &edges, true).unwrap();
            for band in 0..=edges.len() {
                let low = band.checked_sub(1).map_or(f64::NEG_INFINITY, |place| edges[place]);
                let high = edges.get(band).copied().unwrap_or(f64::INFINITY);
                let inside: Vec<_> = rows.iter().filter(|row| (low..high).contains(&f64::from(row.1))).collect();
                let sum = |label: u8| inside.iter().filter(|row| row.0 == label).map(|row| row.2).sum::<f64>();
                prop_assert_eq!((found.positives[band], found.negatives[band]), (sum(1), sum(0)));
                let least = inside.iter().map(|row| f64::from(row.1)).fold(f64::NAN, f64::min);
                prop_assert_eq!(found.lowest[band].to_bits() << 1, least.to_bits() << 1);
            }
        }
    }

    #[test]
    fn large_counts_are_split_in_integers() {
        // One tie of 2^41 rows, a third of them positive, in three bands.
        let many = 1_u64 << 40;
        let part = Part::Counts(u128::from(many), u128::from(3 * many));
        assert_eq!(part.of(3.0 * (many - 1) as f64), (many - 1) as f64);
        assert_eq!(part.rest().of(3.0 * (many - 1) as f64), 2.0 * (many - 1) as f64);
    }

    #[test]
    fn equal_weights_are_cut_between_rows() {
        let rows: Vec<_> = (0..100_u8).map(|i| (i % 2, i, 0.1)).collect();
        let bands = Bands::of(&table(&rows, true), 10, false).unwrap();
        assert_eq!(bands.lowest, [90.0, 80.0, 70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0, 0.0]);
        assert_eq!(bands.highest, [99.0, 89.0, 79.0, 69.0, 59.0, 49.0, 39.0, 29.0, 19.0, 9.0]);
    }

    #[test]
    fn no_rows_and_one_class_have_no_shares() {
        let none = table(&[(1, 3, 0.0)], true);
        let bands = Bands::of(&none, 2, false).unwrap();
        assert_eq!(bands.positives, [0.0, 0.0]);
        assert!(bands.lowest.iter().all(|score| score.is_nan()));
        let gains = bands.gains(0.0);
        assert!(gains.gain[1].is_nan() && gains.greatest_ks.is_nan());
        let one =
            Bands::of(&table(&[(1, 3, 1.0), (1, 4, 1.0)], false), 2, false).unwrap().gains(0.0);
        assert_eq!(one.gain, [0.5, 1.0]);
        assert!(one.ks[0].is_nan() && one.total_information_value.is_nan());
        assert_eq!(one.lift, [1.0, 1.0]);
    }

    #[test]
    fn what_is_refused() {
        let table = table(&[(1, 3, 1.0), (0, 2, 1.0)], false);
        assert!(Bands::of(&table, 0, false).is_err());
        assert!(Bands::of(&table, MOST_BANDS + 1, false).is_err());
        assert!(Bands::at(&table, &[1.0, 1.0], false).is_err());
        assert!(Bands::at(&table, &[f64::NAN], false).is_err());
        assert!(Bands::at(&table, &[], false).is_ok());
    }
}
