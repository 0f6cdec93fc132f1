//! Values of several models on the same rows, and how they vary together: from the influence of
//! each row.
//!
//! 1. A unit is a row, or all rows of a cluster, whose influences are added up. Weights that count
//!    rows count units; a sampling weight multiplies the influence of its row.
//! 2. Within each stratum of h units, the variance is h / (h - 1) times the sum of the squared
//!    influences minus their mean. The strata are added up. Without strata all units are one.
//! 3. The variances of each value, and of the difference of each two values, are formed;
//!    covariances follow: 2 cov(a, b) = var(a) + var(b) - var(a - b). So equal columns differ by
//!    exactly 0, with a variance of 0.
//! 4. Chunks of rows are added plainly, their sums in the order of the rows to twice the precision.
//!    So the bits do not depend on the number of threads.
//! 5. Intervals and tests have Student's t distribution with as many degrees of freedom as units
//!    less strata.
//!
//! The test that all values are equal is Hotelling's: with T² the squared distance of the
//! differences, r their rank and ν degrees of freedom, T² (ν - r + 1) / (ν r) has the F distribution
//! with r and ν - r + 1 degrees of freedom.
//!
//! Sources: Binder 1983, doi:10.2307/1402588; Hotelling 1931, doi:10.1214/aoms/1177732979.

// Inlining is what compiles the loop for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::Weights;
use crate::arith::number::is_whole;
use crate::arith::products::Products;
use crate::arith::special::{beta_cdf, normal_cdf};
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Refusal, Result, check_length};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::index::row::Index;
use crate::index::spread::{Base, Method};
use crate::index::value::Outcome;
use crate::inference::area::Area;
use crate::inference::delta::Scale;
use crate::inference::interval::{Ask, FEW, FEW_TELL, FEW_TELL_NOTE, Interval, NOT_WHOLE, telling};
use crate::inference::same_rows::difference::{Difference, p_value, quantile};
use crate::inference::same_rows::row_influence::RowInfluence;
use crate::inference::scores::FEW_OF_A_CLASS;

/// A variance below this share of the squares of the rows, times their number, is rounding.
pub(crate) const ROUNDING: f64 = 1e-26;

/// Pivots below this share of the greatest are rounding errors.
const NEGLIGIBLE: f64 = 1e-11;

/// Values, their variances and covariances.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariances {
    /// The value of each model.
    pub values: Vec<f64>,
    /// The variances of values and of differences: row a begins with value a, then its differences
    /// from the models after it.
    pub variances: Vec<f64>,
    /// The units of both classes where the values are areas: weights count as rows, sampling
    /// weights as effective rows; with clusters, the clusters that have such rows. Else the number
    /// of units, and 0.
    pub sizes: [f64; 2],
    /// The degrees of freedom of Student's t distribution; none for the normal distribution.
    pub freedom: Option<f64>,
    /// Why there are no values, or no variances.
    pub why: Option<&'static str>,
    /// What speaks against intervals and tests.
    pub note: Option<&'static str>,
    /// The number of units that tell how the value of each model scatters.
    pub telling: Vec<f64>,
}

/// How rows belong together, and what their weights mean.
#[derive(Clone, Copy, Debug, Default)]
pub struct Design<'a> {
    /// The weights of the rows.
    pub weights: Option<Weights<'a>>,
    /// The meaning of the weights.
    pub weight_kind: WeightKind,
    /// Where a row stands for several: the sums of their squared sampling weights, and their
    /// number.
    pub squares: Option<(Weights<'a>, f64)>,
    /// The cluster of each row, from 0 on, and the number of clusters.
    pub clusters: Option<(&'a [u32], usize)>,
    /// The stratum of each row, from 0 on, and the number of strata.
    pub strata: Option<(&'a [u32], usize)>,
}

/// A test of several differences at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// The squared distance of the differences from 0, in units of their covariance.
    pub statistic: f64,
    /// The rank of the covariance of the differences.
    pub rank: usize,
    /// The probability of a statistic as great.
    pub p_value: f64,
}

pub(crate) const NO_ROWS: [&str; 5] = [
    "No row is actually positive.",
    "No row is actually negative.",
    "One cluster has all rows of a class: a variance needs two at least.",
    "There is only one positive row: a variance needs two at least.",
    "There is only one negative row: a variance needs two at least.",
];
const ONE_UNIT: &str =
    "There is one row only, or weights add up to one: a variance needs two at least.";
const ONE_CLUSTER: &str = "There is one cluster only: a variance needs two at least.";
const ONE_OF_STRATUM: &str =
    "A stratum has one row or cluster only: a variance needs two at least.";
const NO_UNITS: &str = "There are no rows, or all weigh nothing.";
const REASONS: [&str; 4] = [ONE_UNIT, ONE_CLUSTER, ONE_OF_STRATUM, NO_UNITS];
const FEW_UNITS: &str = "There are fewer than 20 rows or clusters: intervals may cover the true value less often than their \
                         level says, and tests reject too often.";

/// What speaks against areas of classes of these sizes.
pub(crate) fn note_of_classes(sizes: [f64; 2], why: Option<&str>) -> Option<&'static str> {
    (why.is_none() && sizes[0].min(sizes[1]) < FEW).then_some(FEW_OF_A_CLASS)
}

/// What speaks against values of so few units.
pub(crate) fn note_of_units(units: f64) -> Option<&'static str> {
    (units < FEW).then_some(FEW_UNITS)
}

/// What speaks against the interval of a value, or against a test that values are equal, from the
/// number of units that tell the scatter of each. A test needs three more for each further value:
/// with fewer it rejects equal areas in 0 to 3 % of samples, at a level of 5 %.
pub(crate) fn note_of_telling(
    mut each: impl ExactSizeIterator<Item = f64>,
) -> Option<&'static str> {
    let needed = FEW_TELL + 3.0 * (each.len() as f64 - 1.0);
    each.any(|telling| telling < needed).then_some(FEW_TELL_NOTE)
}

impl Covariances {
    /// Values with their variances in the order of [`Self::variances`]; `None` for other numbers of
    /// them, and for an unknown reason.
    pub fn from_parts(
        values: Vec<f64>,
        variances: Vec<f64>,
        sizes: [f64; 2],
        freedom: Option<f64>,
        [why, note]: [Option<&str>; 2],
        telling: Vec<f64>,
    ) -> Option<Self> {
        let known = |words: Option<&str>| match words {
            None => Some(None),
            Some(words) => {
                let notes = [FEW_UNITS, FEW_OF_A_CLASS, NOT_WHOLE];
                let mut known = NO_ROWS.into_iter().chain(REASONS).chain(notes);
                Some(Some(known.find(|&known| known == words)?))
            }
        };
        let (why, note) = (known(why)?, known(note)?);
        let models = values.len();
        let is_whole = variances.len() == models * (models + 1) / 2 && telling.len() == models;
        is_whole.then_some(Self { values, variances, sizes, freedom, why, note, telling })
    }

    /// What speaks against a test of some models at once, or against the interval of one.
    pub fn note_of(&self, models: impl ExactSizeIterator<Item = usize>) -> Option<&'static str> {
        let few = || note_of_telling(models.map(|model| self.telling[model]));
        self.note.or_else(|| few().filter(|_| self.why.is_none()))
    }

    /// Values of models with the influence of each row on each.
    ///
    /// # Errors
    /// Columns of different lengths, and a cluster that lies in two strata.
    pub fn of_influences(models: &[&RowInfluence], design: &Design) -> Result<Self> {
        let rows = models.first().map_or(0, |model| model.each.len());
        for model in models {
            check_length(("influence", model.each.len()), ("y_true", rows))?;
        }
        let values = models.iter().map(|model| model.value).gather();
        let units = Units::of(rows, design)?;
        // Numbers of one scale need no copy.
        let scale = models.first().map_or(1.0, |model| model.scale);
        let as_they_are = design.clusters.is_none()
            && design.weights.is_none()
            && models.iter().all(|model| model.scale == scale);
        let (variances, telling, why) = if let Some(why) = units.why(design) {
            let none = |numbers: usize| vec![f64::NAN; numbers];
            (none(models.len() * (models.len() + 1) / 2), none(models.len()), Some(why))
        } else if as_they_are {
            let each = models.iter().map(|model| (&model.each, model.centre));
            let columns: Vec<Column> = each.map(|(each, centre)| Column { each, centre }).gather();
            let (found, telling) = units.variances(&columns, &[])?;
            let variances = found.iter().map(|variance| scale * scale * variance).gather();
            (variances, telling, None)
        } else {
            let summed: Vec<Vec<f64>> =
                models.iter().map(|model| units.values(model, design)).gather();
            let columns: Vec<Column> =
                summed.iter().map(|each| Column { each, centre: 0.0 }).gather();
            let sizes: Vec<f64> = models.iter().map(|model| model.size(design.weights)).gather();
            let (variances, telling) = units.variances(&columns, &sizes)?;
            (variances, telling, None)
        };
        let number: f64 = units.sizes.iter().sum();
        let strata = units.sizes.iter().filter(|&&size| size > 0.0).count();
        let freedom = number - strata as f64;
        let of_models = models.iter().find_map(|model| model.note);
        let note =
            if units.times.is_some_and(|[times, _]| !(0..rows).all(|row| is_whole(times.get(row))))
                && design.squares.is_none()
            {
                Some(NOT_WHOLE)
            } else {
                of_models.or_else(|| note_of_units(number)).filter(|_| why.is_none())
            };
        let sizes = [number, 0.0];
        Ok(Self { values, variances, sizes, freedom: Some(freedom), why, note, telling })
    }

    /// The number of models.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The same of `factor` times the values plus `shift`.
    #[must_use]
    pub fn scaled(&self, factor: f64, shift: f64) -> Self {
        Self {
            values: self.values.iter().map(|value| factor * value + shift).gather(),
            variances: self.variances.iter().map(|variance| factor * factor * variance).gather(),
            telling: self.telling.copy_all(),
            ..*self
        }
    }

    /// The variance of the difference of two models; for the same model twice, the variance of its
    /// value.
    pub(crate) fn variance(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (a.min(b), a.max(b));
        let models = self.len();
        self.variances[a * models - a * (a + 1) / 2 + b]
    }

    /// The covariance of two values.
    pub fn covariance(&self, a: usize, b: usize) -> f64 {
        if a == b {
            return self.variance(a, a);
        }
        0.5 * (self.variance(a, a) + self.variance(b, b) - self.variance(a, b))
    }

    /// The interval of one value by a method of its index, of scores the first one unless said; of
    /// counts the delta method.
    ///
    /// # Errors
    /// [`Refusal::Index`] for an index that does not have the method here.
    pub fn interval(&self, index: &Index, model: usize, ask: &Ask) -> Result<Interval> {
        let (value, variance) = (self.values[model], self.variance(model, model));
        let (z, influence) = (quantile(ask.tail(), self.freedom), index.influence());
        let method = if influence.is_none() {
            index.check_delta(ask)?;
            Method::Delta
        } else {
            // Newcombe's variance is of two classes and their rows; a mean over classes and strata
            // have more, and clusters are not rows.
            let default = self.freedom.is_some() && ask.method().is_none();
            match index.method(ask)? {
                Method::Blended | Method::Newcombe if self.sizes[1] == 0.0 || default => {
                    Method::Logit
                }
                method => method,
            }
        };
        let error = variance.sqrt();
        let bounds = || -> Outcome<[f64; 3]> {
            match influence.map(|influence| influence.base()) {
                Some(Base::RocAuc) => {
                    let (least, greatest) = index.range;
                    let (width, [m, n]) = (greatest - least, self.sizes);
                    let delong = Some(variance / (width * width));
                    let area = Area { value: (value - least) / width, sizes: (m, n), delong };
                    let [low, high, error] = area.bounds(method, z)?;
                    Ok([least + width * low, least + width * high, width * error])
                }
                Some(_) => index.of_error(value, error, method, z),
                None => Scale::of(index).around(value, error, z, index.range),
            }
        };
        let mut found = Interval {
            estimate: value,
            low: f64::NAN,
            high: f64::NAN,
            standard_error: f64::NAN,
            method,
            why: None,
            note: None,
        };
        if self.why.is_none() && !value.is_nan() {
            match bounds() {
                Ok([low, high, error]) => {
                    (found.low, found.high) = ask.bounds(low, high, index.range);
                    found.standard_error = error;
                    found.note = self.note_of(std::iter::once(model));
                }
                Err(why) => found.why = Some(why),
            }
        }
        Ok(found)
    }

    /// The value of model `a` minus the value of model `b`, with the probability `tail` beyond each
    /// bound.
    fn less(&self, index: &Index, a: usize, b: usize, tail: f64) -> Difference {
        let estimate = self.values[a] - self.values[b];
        // At an end of its range an index of scores looks certain, which no few rows can show.
        let is_certain = |model: usize| {
            let most = 8.0 * f64::EPSILON * self.values[model].abs().max(1.0);
            index.influence().is_some() && self.variance(model, model).sqrt() <= most
        };
        let variance = if self.why.is_none() && (a == b || is_certain(a) || is_certain(b)) {
            0.0
        } else {
            self.variance(a, b)
        };
        let width = index.range.1 - index.range.0;
        let most = if width.is_finite() { width } else { f64::INFINITY };
        Difference::new(estimate, variance, self.freedom, tail, (-most, most), self.why)
    }

    /// The value of model `a` minus the value of model `b`.
    pub fn difference(&self, index: &Index, a: usize, b: usize, level: f64) -> Difference {
        self.less(index, a, b, 0.5 * (1.0 - level))
    }

    /// The test of the hypothesis that `a` is worse than `b` by `margin` or more. The lower bound is
    /// alone at its level.
    pub fn non_inferior(
        &self,
        index: &Index,
        (a, b): (usize, usize),
        margin: f64,
        level: f64,
    ) -> Difference {
        let mut found = self.less(index, a, b, 1.0 - level);
        found.statistic = (found.estimate + margin) / found.standard_error;
        let both = p_value(found.statistic, self.freedom);
        found.p_value = match self.freedom {
            None => normal_cdf(-found.statistic),
            Some(_) if found.statistic > 0.0 => 0.5 * both,
            Some(_) => 1.0 - 0.5 * both,
        };
        if found.why.is_some() {
            (found.statistic, found.p_value) = (f64::NAN, f64::NAN);
        }
        found
    }

    /// The test that all values are equal. `None` for fewer than two models, without variances, or
    /// if a difference without variance is not 0.
    pub fn equal(&self) -> Option<Joint> {
        if self.why.is_some() || self.len() < 2 {
            return None;
        }
        // Differences from the first model, and their covariance.
        let size = self.len() - 1;
        let mut rest: Vec<f64> =
            (1..=size).map(|model| self.values[model] - self.values[0]).gather();
        let farthest = rest.iter().fold(0.0_f64, |most, rest| most.max(rest.abs()));
        let mut matrix: Vec<Vec<f64>> = with_room(size);
        for i in 1..=size {
            let row = (1..=size).map(|j| {
                let own = self.variance(0, i);
                if i == j { own } else { 0.5 * (own + self.variance(0, j) - self.variance(i, j)) }
            });
            matrix.grow(row.gather());
        }
        let greatest = (0..size).fold(0.0_f64, |most, i| most.max(matrix[i][i]));
        let mut open: Vec<usize> = (0..size).gather();
        let (mut statistic, mut rank) = (0.0, 0);
        // Pivots in the order of their size; each step leaves what the pivots so far do not
        // explain.
        while let Some(place) = (0..open.len()).reduce(|best, place| {
            if matrix[open[place]][open[place]] > matrix[open[best]][open[best]] {
                place
            } else {
                best
            }
        }) {
            let pivot = open[place];
            let variance = matrix[pivot][pivot];
            if variance <= NEGLIGIBLE * greatest || variance <= 0.0 {
                break;
            }
            interrupt::check();
            open.swap_remove(place);
            rank += 1;
            statistic += rest[pivot] * rest[pivot] / variance;
            let row = matrix[pivot].copy_all();
            for &i in &open {
                let share = matrix[i][pivot] / variance;
                rest[i] -= share * rest[pivot];
                for &j in &open {
                    matrix[i][j] -= share * row[j];
                }
            }
        }
        if open.iter().any(|&i| rest[i].abs() > 1e-9 * farthest) {
            return None;
        }
        Some(Joint { statistic, rank, p_value: self.p_of_joint(statistic, rank)? })
    }

    /// Hotelling's test. Of one difference it is the test of the difference.
    fn p_of_joint(&self, statistic: f64, rank: usize) -> Option<f64> {
        let (r, freedom) = (rank as f64, self.freedom);
        match rank {
            0 => return Some(1.0),
            1 => return Some(p_value(statistic.sqrt(), freedom)),
            _ => {}
        }
        // Two means, of the rows of either class, as Welch and Satterthwaite have it with one variance.
        let freedom = freedom.unwrap_or_else(|| {
            let each = self.sizes.map(f64::recip);
            let scatter: f64 = each.iter().map(|part| part * part / (part.recip() - 1.0)).sum();
            (each[0] + each[1]).powi(2) / scatter
        });
        let rest = freedom - r + 1.0;
        (rest > 0.0).then(|| {
            let f = statistic * rest / (freedom * r);
            beta_cdf(0.5 * rest, 0.5 * r, rest / (rest + r * f))
        })
    }
}

/// The places of each model, and of each model with those after it, in the order of
/// [`Covariances::variances`].
pub(crate) fn pairs(models: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..models).flat_map(move |a| (a..models).map(move |b| (a, b)))
}

/// The units of a design.
struct Units<'a> {
    /// How many rows each unit is, where weights count rows: for sums, and for sums of squares.
    times: Option<[Weights<'a>; 2]>,
    /// The stratum of each unit.
    strata: Option<Vec<u32>>,
    /// The units of each stratum.
    sizes: Vec<f64>,
}

impl<'a> Units<'a> {
    fn of(rows: usize, design: &Design<'a>) -> Result<Self> {
        let columns = [
            ("sample_weight", design.weights.map(|weights| weights.len())),
            ("cluster", design.clusters.map(|clusters| clusters.0.len())),
            ("strata", design.strata.map(|strata| strata.0.len())),
        ];
        for (argument, len) in columns {
            if let Some(len) = len {
                check_length((argument, len), ("y_true", rows))?;
            }
        }
        let weight = |row: usize| design.weights.map_or(1.0, |weights| weights.get(row));
        let stratum = |row: usize| design.strata.map_or(0, |strata| strata.0[row]);
        let mut sizes = vec![0.0; design.strata.map_or(1, |strata| strata.1)];
        let Some((clusters, number)) = design.clusters else {
            if let Some((squares, rows)) = design.squares {
                let times = design.weights.map(|weights| [weights, squares]);
                return Ok(Self { times, strata: None, sizes: vec![rows] });
            }
            let times = design.weights.filter(|_| design.weight_kind == WeightKind::Counts);
            if design.weights.is_none() && design.strata.is_none() {
                sizes[0] = rows as f64;
            }
            for row in 0..if sizes[0] > 0.0 { 0 } else { rows } {
                let units = times.map_or(f64::from(u8::from(weight(row) > 0.0)), |w| w.get(row));
                sizes[stratum(row) as usize] += units;
            }
            let strata = design.strata.map(|(codes, _)| codes.copy_all());
            return Ok(Self { times: times.map(|times| [times; 2]), strata, sizes });
        };
        let mut of_cluster = vec![u32::MAX; number];
        for (row, &cluster) in clusters.iter().enumerate() {
            if weight(row) <= 0.0 {
                continue;
            }
            let found = &mut of_cluster[cluster as usize];
            if *found == u32::MAX {
                *found = stratum(row);
                sizes[*found as usize] += 1.0;
            } else if *found != stratum(row) {
                let expected = "the stratum of the other rows of its cluster";
                return Err(Refusal::row("strata", row, "another stratum", expected));
            }
        }
        for found in &mut of_cluster {
            *found = if *found == u32::MAX { 0 } else { *found };
        }
        Ok(Self { times: None, strata: design.strata.map(|_| of_cluster), sizes })
    }

    fn why(&self, design: &Design) -> Option<&'static str> {
        if self.sizes.iter().all(|&size| size == 0.0 || size > 1.0)
            && self.sizes.iter().any(|&size| size > 1.0)
        {
            return None;
        }
        if self.sizes.iter().all(|&size| size == 0.0) {
            return Some(NO_UNITS);
        }
        Some(match (design.clusters, design.strata) {
            (_, Some(_)) => ONE_OF_STRATUM,
            (Some(_), None) => ONE_CLUSTER,
            (None, None) => ONE_UNIT,
        })
    }

    /// The influence of each unit.
    fn values(&self, model: &RowInfluence, design: &Design) -> Vec<f64> {
        let weights = design.weights.filter(|_| self.times.is_none());
        let weighed = |row: usize| weights.map_or(1.0, |weights| weights.get(row)) * model.of(row);
        let Some((clusters, number)) = design.clusters else {
            return (0..model.each.len()).map(weighed).gather();
        };
        let mut sums = vec![0.0; number];
        for (row, &cluster) in clusters.iter().enumerate() {
            sums[cluster as usize] += weighed(row);
        }
        sums
    }

    /// The variances of values and of differences, and [`Self::telling`]. What is below the
    /// rounding of sums of rows whose squares add up to `sizes` is 0.
    fn variances(&self, columns: &[Column], sizes: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let pairs: Vec<(usize, usize)> = pairs(columns.len()).gather();
        let settled = |(&(a, b), variance): (&(usize, usize), f64)| {
            let size = |model: usize| sizes.get(model).copied().unwrap_or(0.0);
            if variance <= ROUNDING * (size(a) + size(b)) { 0.0 } else { variance }
        };
        if self.times.is_some() || self.strata.is_some() {
            let of_pair = |&(a, b): &(usize, usize)| {
                self.of_strata(&columns[a], (a != b).then(|| &columns[b]))
            };
            let found: Vec<f64> = pairs.iter().map(of_pair).gather();
            return Ok((pairs.iter().zip(found).map(settled).gather(), self.telling(columns)));
        }
        let units = columns.first().map_or(0, |column| column.each.len());
        let parts = over_parts(units, |part| {
            let mut all: Vec<(Vec<[f64; 3]>, Vec<f64>)> = Vec::new();
            let mut numbers = vec![[0.0; CHUNK]; columns.len()];
            for rows in chunks(part) {
                for (numbers, column) in numbers.iter_mut().zip(columns) {
                    for (number, each) in numbers.iter_mut().zip(&column.each[rows.clone()]) {
                        *number = each - column.centre;
                    }
                }
                let of = |column: usize| &numbers[column][..rows.len()];
                let own = (0..columns.len()).map(|column| powers(of(column))).gather();
                let others = pairs.iter().filter(|(a, b)| a != b);
                all.grow((own, others.map(|&(a, b)| squares(of(a), of(b))).gather()));
            }
            Ok(all)
        })?;
        let mut own = vec![([Products::default(); 2], 0.0); columns.len()];
        let mut differences = vec![Products::default(); pairs.len() - columns.len()];
        for (powers, squares) in parts.iter().flatten() {
            for ((sums, fourths), found) in own.iter_mut().zip(powers) {
                *sums = [sums[0].plus(found[0], 1.0), sums[1].plus(found[1], 1.0)];
                *fourths += found[2];
            }
            for (sum, &found) in differences.iter_mut().zip(squares) {
                *sum = sum.plus(found, 1.0);
            }
        }
        let sums: Vec<f64> = own.iter().map(|(sums, _)| sums[0].value()).gather();
        let mut differences = differences.into_iter().map(Products::value);
        let found = pairs.iter().map(|&(a, b)| {
            let of_both = || Some((sums[a] - sums[b], differences.next()?));
            let alone = (sums[a], own[a].0[1].value());
            let (sum, squares) = (a != b).then(of_both).flatten().unwrap_or(alone);
            scatter(sum, squares, self.sizes[0])
        });
        let variances = pairs.iter().zip(found).map(settled).gather();
        let telling = own.iter().map(|(sums, fourths)| telling(sums[1].value(), *fourths));
        Ok((variances, telling.gather()))
    }

    /// The number of units that tell the variance of each column. Of the rows of a pair table only
    /// the sum of their squared weights is known, which is taken to be the same for each.
    fn telling(&self, columns: &[Column]) -> Vec<f64> {
        let times = |unit: usize| self.times.map_or(1.0, |[_, squares]| squares.get(unit));
        let of_column = |column: &Column| {
            let (mut sums, mut all) = ([0.0; 2], 0.0);
            for unit in 0..column.each.len() {
                let square = column.number(unit) * column.number(unit);
                let squares = times(unit) * square;
                sums = [sums[0] + squares, sums[1] + squares * square];
                all += times(unit);
            }
            let of_each = self.times.map_or(1.0, |_| all / self.sizes.iter().sum::<f64>());
            telling(sums[0], sums[1] * of_each)
        };
        columns.iter().map(of_column).gather()
    }

    /// The variance of a value, or of a difference, from the units of each stratum.
    fn of_strata(&self, first: &Column, second: Option<&Column>) -> f64 {
        let mut sums = vec![[Products::default(); 2]; self.sizes.len()];
        for unit in 0..first.each.len() {
            let number = first.number(unit) - second.map_or(0.0, |second| second.number(unit));
            let times = self.times.map_or([1.0; 2], |times| times.map(|times| times.get(unit)));
            let sum = &mut sums[self.strata.as_ref().map_or(0, |codes| codes[unit] as usize)];
            *sum = [sum[0].plus(number, times[0]), sum[1].plus(number * number, times[1])];
        }
        let strata = sums.into_iter().zip(&self.sizes);
        let sums = strata.map(|(sums, &size)| (sums.map(Products::value), size));
        sums.map(|([sum, squares], size)| scatter(sum, squares, size)).sum()
    }
}

/// A column of numbers, less their centre.
#[derive(Clone, Copy)]
struct Column<'a> {
    each: &'a [f64],
    centre: f64,
}

impl Column<'_> {
    fn number(&self, unit: usize) -> f64 {
        self.each[unit] - self.centre
    }
}

/// The sum of squares less their mean, with one unit fewer in the denominator: from the sum of the
/// numbers of so many units, and of their squares.
fn scatter(sum: f64, squares: f64, size: f64) -> f64 {
    if size == 0.0 {
        return 0.0;
    }
    let scatter = squares - sum * (sum / size);
    // What is left of equal numbers is rounding.
    let scatter = if scatter <= 1e-14 * squares { 0.0 } else { scatter };
    scatter * (size / (size - 1.0))
}

/// Sums that are added to at once.
const LANES: usize = 16;

wide! {
    fn powers[](numbers: &[f64]) -> [f64; 3] = sums_of_powers;
    fn squares[](first: &[f64], second: &[f64]) -> f64 = squares_of_differences;
}

/// The sums of numbers, of their squares and of their fourth powers.
#[inline(always)]
fn sums_of_powers(numbers: &[f64]) -> [f64; 3] {
    let mut lanes = [[0.0; LANES]; 3];
    let mut add = |lane: usize, number: f64| {
        let square = number * number;
        lanes[0][lane] += number;
        lanes[1][lane] += square;
        lanes[2][lane] += square * square;
    };
    let (whole, rest) = numbers.as_chunks::<LANES>();
    for numbers in whole {
        (0..LANES).for_each(|lane| add(lane, numbers[lane]));
    }
    rest.iter().enumerate().for_each(|(lane, &number)| add(lane, number));
    lanes.map(|lanes| lanes.iter().sum())
}

/// The sum of the squared differences of two columns.
#[inline(always)]
fn squares_of_differences(first: &[f64], second: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = first.as_chunks::<LANES>();
    let (others, other_rest) = second.as_chunks::<LANES>();
    for (one, other) in whole.iter().zip(others) {
        for lane in 0..LANES {
            lanes[lane] += (one[lane] - other[lane]) * (one[lane] - other[lane]);
        }
    }
    for (lane, (one, other)) in rest.iter().zip(other_rest).enumerate() {
        lanes[lane] += (one - other) * (one - other);
    }
    lanes.iter().sum()
}
