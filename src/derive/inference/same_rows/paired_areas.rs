//! Areas under the ROC curve of several models on the same rows, and how they vary together.
//!
//! 1. The variances of each area, and of the difference of each two areas, come from placements
//!    ([`Placements`]) within each class. Covariances follow: 2 cov(a, b) = var(a) + var(b) -
//!    var(a - b). So models with the same placements differ by exactly 0, with a variance of 0.
//! 2. Without weights and clusters, placements and all sums are integers: one rounding at the end,
//!    and the same bits for any number of threads.
//! 3. With weights each row has an influence w (V - A) / W, where W is the weight of its class.
//!    Weights that count rows have √w instead of w, as their squares add up.
//! 4. With clusters, influences are first added up within each cluster, and products of the two
//!    classes within a cluster count, too.
//!
//! Cost: M (M + 1) / 2 passes over two columns of 32 bits for M models, 0.5 ns a row each.
//!
//! Sources: DeLong, DeLong, Clarke-Pearson 1988, doi:10.2307/2531595; for clusters Obuchowski 1997,
//! doi:10.2307/2533958.

use crate::arith::products::Products;
use crate::arith::weight_kind::WeightKind;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::over_parts;
use crate::inference::interval::telling;
use crate::inference::same_rows::covariance::{
    Covariances, NO_ROWS, ROUNDING, note_of_classes, pairs,
};
use crate::inference::same_rows::delong::Placements;
use crate::inference::same_rows::paired_rows::PairedRows;

/// The areas of models from their placements, and how they vary together.
///
/// # Errors
/// None but of a number of threads that cannot be.
pub fn areas(rows: &PairedRows, models: &[&Placements]) -> Result<Covariances> {
    let counted = models.iter().map(|model| match model {
        Placements::Counted(twice) => Some(&twice[..]),
        Placements::Weighed(_) => None,
    });
    match counted.collect::<Option<Vec<&[u32]>>>() {
        Some(models) if rows.clusters.is_none() => of_integers(rows, &models),
        _ => Ok(of_influences(rows, models)),
    }
}

/// The reason, from the numbers of positive and negative rows or clusters.
fn why(positives: f64, negatives: f64, clusters: bool) -> Option<&'static str> {
    Some(match (positives, negatives) {
        (0.0, _) => NO_ROWS[0],
        (_, 0.0) => NO_ROWS[1],
        (p, n) if clusters && (p <= 1.0 || n <= 1.0) => NO_ROWS[2],
        (p, _) if p <= 1.0 => NO_ROWS[3],
        (_, n) if n <= 1.0 => NO_ROWS[4],
        _ => return None,
    })
}

fn of_integers(rows: &PairedRows, models: &[&[u32]]) -> Result<Covariances> {
    let [m, n] = rows.classes();
    let [ups, downs] = rows.sides();
    let why = why(m as f64, n as f64, false);
    let all = m as u128 * n as u128;
    let total = |placements: &[u32]| -> Result<u128> {
        let parts = over_parts(m, |part| {
            let part = placements[part].chunks(1 << 16);
            Ok(part
                .map(|values| values.iter().map(|&value| u64::from(value)).sum::<u64>())
                .map(u128::from)
                .sum::<u128>())
        });
        Ok(parts?.into_iter().sum())
    };
    let mut totals: Vec<u128> = with_room(models.len());
    for model in models {
        totals.grow(total(model)?);
    }
    let areas = totals
        .iter()
        .map(|&total| if all == 0 { f64::NAN } else { total as f64 / (2 * all) as f64 })
        .gather();
    let mut variances = with_room(models.len() * (models.len() + 1) / 2);
    let (up, down) = (m as f64, n as f64);
    for (a, b) in pairs(models.len()) {
        if why.is_some() {
            variances.grow(f64::NAN);
            continue;
        }
        // Twice the sum of one class equals twice the sum of the other.
        let (second, difference) = if a == b {
            (None, totals[a])
        } else {
            (Some(models[b]), totals[a].abs_diff(totals[b]))
        };
        let mut sum = 0.0;
        for (side, rows, others) in [(&ups, m, n), (&downs, n, m)] {
            let second = second.map(|second| &second[side.clone()]);
            let squares = squares(&models[a][side.clone()], second, others)?;
            let scatter = rows as u128 * squares - difference * difference;
            sum += scatter as f64 / (rows as f64 - 1.0);
        }
        variances.grow(sum / (4.0 * (up * down) * (up * down)));
    }
    let (sizes, freedom) = ([up, down], None);
    let note = note_of_classes(sizes, why);
    let telling_of = |(placements, &total): (&&[u32], &u128)| {
        let mut sums = [0.0; 2];
        for (side, rows) in [(&ups, m), (&downs, n)] {
            // Both classes have the same sum of placements.
            let mean = total as f64 / rows as f64;
            for &value in &placements[side.clone()] {
                let square = ((f64::from(value) - mean) / all as f64).powi(2);
                sums = [sums[0] + square, sums[1] + square * square];
            }
        }
        telling(sums[0], sums[1])
    };
    let telling = models.iter().zip(&totals).map(telling_of).gather();
    Ok(Covariances { values: areas, variances, sizes, freedom, why, note, telling })
}

/// The exact sum of squared placements, or of squared differences of two placements. No placement
/// exceeds twice `others`.
fn squares(first: &[u32], second: Option<&[u32]>, others: usize) -> Result<u128> {
    let most = 4 * others as u128 * others as u128;
    let block = (u128::from(u64::MAX) / most.max(1)).clamp(1, 1 << 14) as usize;
    let parts = over_parts(first.len(), |part| {
        let mut sum = 0;
        let blocks = part.clone().step_by(block);
        for rows in blocks.map(|start| start..(start + block).min(part.end)) {
            sum += u128::from(match second {
                None => of_block(first[rows].iter().copied()),
                Some(second) => of_block(
                    first[rows.clone()]
                        .iter()
                        .zip(&second[rows])
                        .map(|(&a, &b)| a.max(b) - a.min(b)),
                ),
            });
        }
        interrupt::check();
        Ok(sum)
    });
    Ok(parts?.into_iter().sum())
}

fn of_block(values: impl Iterator<Item = u32>) -> u64 {
    values.map(|value| u64::from(value) * u64::from(value)).sum()
}

/// The sizes and factors of both classes.
struct Units {
    /// The weight of each class, divided by the common scale.
    totals: [f64; 2],
    /// Whether weights count rows.
    are_counts: bool,
    /// The factors of sums of squared influences: for each class, and for products of both classes
    /// within a cluster.
    factors: [f64; 3],
    /// The effective number of rows of each class, or its number of clusters.
    sizes: [f64; 2],
    /// The number of clusters that have rows.
    clusters: f64,
    why: Option<&'static str>,
}

impl Units {
    fn of(rows: &PairedRows) -> Self {
        let sides = rows.sides();
        let weight = |place| rows.weight(place);
        let totals = sides.clone().map(|side| {
            let sum = side.fold(Products::default(), |sum, place| sum.plus(weight(place), 1.0));
            sum.value()
        });
        // The numbers of rows or clusters with weight: of each class, and of both.
        let counts: [usize; 3] = if let Some((clusters, count)) = &rows.clusters {
            let mut seen = vec![[false; 2]; *count];
            for (side, places) in sides.iter().enumerate() {
                for place in places.clone() {
                    seen[clusters[place] as usize][side] |= weight(place) > 0.0;
                }
            }
            let count = |of: fn(&[bool; 2]) -> bool| seen.iter().filter(|&seen| of(seen)).count();
            [count(|s| s[0]), count(|s| s[1]), count(|s| s[0] || s[1])]
        } else {
            let [ups, downs] =
                sides.clone().map(|side| side.filter(|&place| weight(place) > 0.0).count());
            [ups, downs, 0]
        };
        let are_counts = rows.clusters.is_none() && rows.weight_kind == WeightKind::Counts;
        // The number of units of each class: rows, clusters, or weight.
        let units = if are_counts {
            totals.map(|total| total / rows.scale())
        } else {
            [counts[0], counts[1]].map(|count| count as f64)
        };
        let sizes = if are_counts || rows.clusters.is_some() {
            units
        } else {
            [0, 1].map(|class| {
                let squares = sides[class]
                    .clone()
                    .fold(Products::default(), |sum, place| sum.plus(weight(place), weight(place)));
                totals[class] / squares.value() * totals[class]
            })
        };
        let why = if totals[0] == 0.0 || totals[1] == 0.0 {
            why(totals[0], totals[1], false)
        } else {
            why(units[0], units[1], rows.clusters.is_some())
        };
        // Squares of √(w / W) (V - A) add up to the variance of one row.
        let factor = |units: f64| (if are_counts { 1.0 } else { units }) / (units - 1.0);
        let both = if rows.clusters.is_some() { 2.0 * factor(counts[2] as f64) } else { 0.0 };
        let factors = [factor(units[0]), factor(units[1]), both];
        Self { totals, are_counts, factors, sizes, clusters: counts[2] as f64, why }
    }
}

/// The influences of one model on its area: of positive rows or clusters, and of negative ones.
struct Influences([Vec<f64>; 2]);

impl Influences {
    fn of(rows: &PairedRows, units: &Units, model: &Placements) -> (f64, Self) {
        let (sides, totals) = (rows.sides(), units.totals);
        let share = |place: usize| match model {
            Placements::Weighed(shares) => shares[place],
            Placements::Counted(twice) => {
                let others = &sides[usize::from(place < sides[0].end)];
                f64::from(twice[place]) / (2.0 * others.len() as f64)
            }
        };
        let means = [0, 1].map(|side| {
            let sum = sides[side]
                .clone()
                .fold(Products::default(), |sum, place| sum.plus(rows.weight(place), share(place)));
            sum.value() / totals[side]
        });
        let area =
            if means[0].is_nan() || means[1].is_nan() { f64::NAN } else { means[0].min(1.0) };
        let of = |side: usize| {
            let influence = |place: usize| {
                let part = rows.weight(place) / totals[side];
                let factor = if units.are_counts { part.sqrt() } else { part };
                factor * (share(place) - means[side])
            };
            let each = sides[side].clone();
            let Some((clusters, count)) = &rows.clusters else {
                return each.map(influence).gather();
            };
            let mut sums: Vec<f64> = vec![0.0; *count];
            for place in each {
                sums[clusters[place] as usize] += influence(place);
            }
            sums
        };
        (area, Self([of(0), of(1)]))
    }

    /// The number of rows, or of clusters, that tell the variance.
    fn telling(&self, rows: &PairedRows, units: &Units) -> f64 {
        let mut sums = [0.0; 2];
        let mut add = |square: f64, times: f64| {
            let each = if times > 0.0 { square / times } else { 0.0 };
            sums = [sums[0] + square, sums[1] + square * each];
        };
        let [up, down] = &self.0;
        if rows.clusters.is_some() {
            up.iter().zip(down).for_each(|(up, down)| add((up + down) * (up + down), 1.0));
        } else {
            for ((own, places), factor) in self.0.iter().zip(rows.sides()).zip(units.factors) {
                for (own, place) in own.iter().zip(places) {
                    let weight = rows.weight(place) / rows.scale();
                    add(factor * own * own, if units.are_counts { weight } else { 1.0 });
                }
            }
        }
        telling(sums[0], sums[1])
    }
}

fn of_influences(rows: &PairedRows, models: &[&Placements]) -> Covariances {
    let units = Units::of(rows);
    let (mut areas, mut influences) = (with_room(models.len()), with_room(models.len()));
    for model in models {
        interrupt::check();
        let (area, own) = Influences::of(rows, &units, model);
        areas.grow(area);
        influences.grow(own);
    }
    // No influence of a row is greater than its share of its class.
    let most = [0, 1].map(|side| {
        let shares =
            rows.sides()[side].clone().map(|place| rows.weight(place) / units.totals[side]);
        shares.map(|share| share * share).sum::<f64>()
    });
    let most = 2.0 * rows.len() as f64 * (most[0] + most[1]);
    let mut variances = with_room(models.len() * (models.len() + 1) / 2);
    for (a, b) in pairs(models.len()) {
        interrupt::check();
        if units.why.is_some() {
            variances.grow(f64::NAN);
            continue;
        }
        let value = |side: usize, place: usize| {
            let first = influences[a].0[side][place];
            if a == b { first } else { first - influences[b].0[side][place] }
        };
        let dot = |one: usize, other: usize| {
            let places = 0..influences[a].0[one].len();
            let sum = places.fold(Products::default(), |sum, place| {
                sum.plus(value(one, place), value(other, place))
            });
            sum.value()
        };
        let mut variance = units.factors[0] * dot(0, 0) + units.factors[1] * dot(1, 1);
        if rows.clusters.is_some() {
            variance += units.factors[2] * dot(0, 1);
        }
        variances.grow(if variance > ROUNDING * most { variance } else { 0.0 });
    }
    let freedom = rows.clusters.as_ref().map(|_| units.clusters - 1.0);
    let telling = influences.iter().map(|own: &Influences| own.telling(rows, &units)).gather();
    let Units { sizes, why, .. } = units;
    let note = note_of_classes(sizes, why);
    Covariances { values: areas, variances, sizes, freedom, why, note, telling }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, NanPolicy, Scores};
    use crate::index::find;

    fn areas(
        rows: &[(u8, i8, i8)],
        weights: Option<&[f64]>,
        clusters: Option<&[u32]>,
    ) -> Covariances {
        let labels: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let labels = Labels::U8(Column::from_slice(&labels));
        let clusters = clusters.map(|clusters| (clusters, rows.len()));
        let weights = weights.map(Column::from_slice);
        let kind = WeightKind::Counts;
        let read = PairedRows::new(&labels, weights, kind, clusters, None).unwrap();
        let place = |scores: Vec<i8>| {
            let scores = Scores::I8(Column::from_slice(&scores));
            Placements::new(&read, &scores, NanPolicy::Raise, false).unwrap()
        };
        let first = place(rows.iter().map(|row| row.1).collect());
        let second = place(rows.iter().map(|row| row.2).collect());
        super::areas(&read, &[&first, &second]).unwrap()
    }

    /// DeLong's variance of the difference, from all pairs of rows.
    fn naive(rows: &[(u8, i8, i8)]) -> f64 {
        let of = |class: u8| rows.iter().filter(move |row| row.0 == class);
        let right = |up: i8, down: i8| f64::from(u8::from(up > down) + u8::from(up >= down)) / 2.0;
        let pair =
            |up: &(u8, i8, i8), down: &(u8, i8, i8)| right(up.1, down.1) - right(up.2, down.2);
        let (m, n) = (of(1).count() as f64, of(0).count() as f64);
        let scatter = |values: Vec<f64>| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            squares / (count - 1.0) / count
        };
        let ups = of(1).map(|up| of(0).map(|down| pair(up, down)).sum::<f64>() / n);
        let downs = of(0).map(|down| of(1).map(|up| pair(up, down)).sum::<f64>() / m);
        scatter(ups.collect()) + scatter(downs.collect())
    }

    proptest! {
        #[test]
        fn variances_are_those_of_all_pairs(
            rows in prop::collection::vec((0..2_u8, -3..4_i8, -3..4_i8), 4..80),
        ) {
            let mut rows = rows;
            for (row, class) in rows.iter_mut().zip([0, 0, 1, 1]) {
                row.0 = class;
            }
            let found = areas(&rows, None, None);
            let expected = naive(&rows);
            let near = |value: f64| (value - expected).abs() <= 1e-12 * expected.max(1e-3);
            prop_assert!(near(found.variance(0, 1)));
            let ones = vec![0.25; rows.len()];
            let clusters: Vec<u32> = (0..rows.len() as u32).collect();
            let single = areas(&rows, None, Some(&clusters));
            prop_assert!(near(single.variance(0, 1)), "{} {expected}", single.variance(0, 1));
            let both = areas(&rows, Some(&ones), Some(&clusters));
            prop_assert!(near(both.variance(0, 1)));
            if let Some(joint) = found.equal() {
                let pair = found.difference(find("roc_auc").unwrap(), 0, 1, 0.95);
                prop_assert!(pair.why.is_some() || (joint.p_value - pair.p_value).abs() < 1e-9);
            }
        }
    }
}
