//! The influence of each row on an index: how much the index changes with one row more like it.
//!
//! Over all rows the influences, times the weights, sum to 0. Intervals, differences and tests of
//! every index follow from them ([`crate::inference::same_rows::covariance`]).
//!
//! | index | the influence of a row |
//! |---|---|
//! | of scores | as of its class and its score ([`crate::inference::influence`]) |
//! | mean of a loss | its loss minus the mean, divided by the number of rows; no sorting |
//! | of counts, of a matrix, a mean over classes | the slope over its cell, minus the mean slope |
//!
//! Cost: 1 to 2 ns a row for a mean of losses, 3 for a cell; for an area and average precision a
//! score table and 100 ns.

use std::hash::RandomState;

use crate::arith::exact::Weights;
use crate::arith::products::Products;
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{Column, chunks};
use crate::base::error::{Refusal, Result, check_length, check_rows};
use crate::base::input::{LabelSet, Labels, Scores};
use crate::base::memory::{Gather, Room, joined, map_of, with_room};
use crate::base::threads::over_parts;
use crate::index::parameter::Parameters;
use crate::index::row::{Index, Law};
use crate::index::spread::{Base, NoInterval, Spread};
use crate::index::value::Undefined;
use crate::inference::effective::Reading;
use crate::inference::influence::rows_of;
use crate::inference::interval::FEW;
use crate::inference::scores::FEW_OF_A_CLASS;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::counting::count::{CountOptions, confusion};
use crate::scores::calibration::losses::{OfRow, numbers_of_rows};
use crate::scores::keys::{Lowered, ScoreKind, Stop};
use crate::scores::ranking::Ranking;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions};

/// Up to so many classes, the slopes of all cells are a full table.
const FEW_CLASSES: usize = 1024;

/// A value and the influence of each row on it: `scale` (number - `centre`).
#[derive(Clone, Debug, PartialEq)]
pub struct RowInfluence {
    /// The value.
    pub value: f64,
    /// Why there is no value or no influence; then the numbers are NaN or missing.
    pub why: Option<&'static str>,
    /// The number of each row, in the order of the file.
    pub each: Vec<f64>,
    /// What is subtracted from each number.
    pub centre: f64,
    /// The influence of a number that is greater by 1.
    pub scale: f64,
    /// What speaks against intervals and tests.
    pub note: Option<&'static str>,
}

impl RowInfluence {
    fn new(value: f64, each: Vec<f64>) -> Self {
        Self { value, why: None, each, centre: 0.0, scale: 1.0, note: None }
    }

    fn undefined(value: f64, why: &'static str, rows: usize) -> Self {
        Self { why: Some(why), ..Self::new(value, vec![f64::NAN; rows]) }
    }

    /// The influence of a row.
    pub fn of(&self, row: usize) -> f64 {
        self.scale * (self.each[row] - self.centre)
    }

    /// The sum of the squares of the influences times the number of rows: with
    /// [`crate::inference::same_rows::covariance::ROUNDING`] what rounding makes of a sum of 0.
    pub(crate) fn size(&self, weights: Option<Weights>) -> f64 {
        let square = |row: usize| {
            let influence = weights.map_or(1.0, |weights| weights.get(row)) * self.of(row);
            influence * influence
        };
        self.each.len() as f64 * (0..self.each.len()).map(square).sum::<f64>()
    }

    /// The mean of numbers, one for each row.
    ///
    /// # Errors
    /// Columns of different lengths.
    pub fn of_mean(each: Vec<f64>, weights: Option<Weights>) -> Result<Self> {
        let mut columns = vec![("values", each.len())];
        columns.grow_with(weights.map(|weights| ("sample_weight", weights.len())));
        check_rows(&columns)?;
        let (mean, total) = mean_of(&each, weights);
        Ok(Self { centre: mean, scale: 1.0 / total, ..Self::new(mean, each) })
    }

    /// A value that changes with some others: the influences are added, each times the slope of the
    /// value over the other.
    ///
    /// # Errors
    /// Columns of different lengths.
    pub fn combined(value: f64, parts: &[(&Self, f64)]) -> Result<Self> {
        let rows = parts.first().map_or(0, |part| part.0.each.len());
        for (part, _) in parts {
            check_length(("influence", part.each.len()), ("influence", rows))?;
        }
        let why = parts.iter().find_map(|(part, slope)| part.why.filter(|_| *slope != 0.0));
        let none = value.is_nan().then(|| Undefined::NoClassDefined.sentence());
        if let Some(why) = why.or(none) {
            return Ok(Self::undefined(value, why, rows));
        }
        let parts: Vec<_> = parts.iter().filter(|(_, slope)| *slope != 0.0).gather();
        let of = |row: usize| parts.iter().map(|(part, slope)| slope * part.of(row)).sum();
        let note = parts.iter().find_map(|(part, _)| part.note);
        Ok(Self { note, ..Self::new(value, (0..rows).map(of).gather()) })
    }

    /// The influence of these rows, and of others before and after them, which have none.
    #[must_use]
    pub fn among(&self, before: usize, after: usize) -> Self {
        let others = |rows: usize| std::iter::repeat_n(0.0, rows);
        let own = (0..self.each.len()).map(|row| self.of(row));
        let each = others(before).chain(own).chain(others(after)).gather();
        Self { why: self.why, note: self.note, ..Self::new(self.value, each) }
    }

    /// The influence of rows of which each has `parts` rows here, one after the other.
    #[must_use]
    pub fn folded(&self, parts: usize) -> Self {
        let rows = self.each.len() / parts.max(1);
        let of = |row: usize| (row * parts..(row + 1) * parts).map(|part| self.of(part)).sum();
        Self { why: self.why, note: self.note, ..Self::new(self.value, (0..rows).map(of).gather()) }
    }
}

/// The mean of numbers and the sum of their weights.
fn mean_of(each: &[f64], weights: Option<Weights>) -> (f64, f64) {
    let (mut sum, mut total) = (Products::default(), Products::default());
    for (row, &number) in each.iter().enumerate() {
        let weight = weights.map_or(1.0, |weights| weights.get(row));
        sum = sum.plus(number, weight);
        total = total.plus(weight, 1.0);
    }
    (sum.value() / total.value(), total.value())
}

impl Index {
    /// The influence of each row on an index of the scores of two classes.
    ///
    /// # Errors
    /// As [`score_table`]; [`Refusal::Index`] for an index without a known influence.
    ///
    /// ```
    /// use rocksteady_derive::base::column::Column;
    /// use rocksteady_derive::base::input::{Labels, Scores};
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::scores::sweep::rows::SweepOptions;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let options = SweepOptions::default();
    /// let found = find("roc_auc")?.influence_of_rows(&y_true, &y_score, None, &options)?;
    /// assert_eq!((found.value, &found.each[..]), (0.75, &[0.125, -0.125, -0.125, 0.125][..]));
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn influence_of_rows(
        &self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
        options: &SweepOptions,
    ) -> Result<RowInfluence> {
        let influence = self.influence().ok_or_else(|| Refusal::Index {
            name: self.name.to_owned(),
            problem: "has no known influence of single rows; rocksteady.inference.bootstrap \
                      resamples any index, clusters too"
                .to_owned(),
        })?;
        let of = match influence.base() {
            Base::LogLoss => OfRow::LogLoss,
            Base::Brier => OfRow::Brier,
            Base::MeanProbability => OfRow::Probability,
            Base::MeanScore => OfRow::Score,
            _ => return self.influence_by_table(y_true, y_score, weights, options),
        };
        let slopes = |at: f64| influence.slopes(at, at);
        let is_mean = [0.25, 0.75].into_iter().all(|at| slopes(at) == [1.0, 0.0]);
        let Some(found) = numbers_of_rows(y_true, y_score, of, options, !is_mean)? else {
            let why = Undefined::NotProbabilities.sentence();
            return Ok(RowInfluence::undefined(f64::NAN, why, y_true.len()));
        };
        if weights.is_none() && is_mean && of != OfRow::Score {
            let rows = found.each.len() as f64;
            let (value, scale) = (found.sum.value() / rows, 1.0 / rows);
            return Ok(RowInfluence {
                centre: value,
                scale,
                ..RowInfluence::new(value, found.each)
            });
        }
        let mean = RowInfluence::of_mean(found.each, weights)?;
        if is_mean {
            return Ok(mean);
        }
        let table = Ranking::from(score_table(y_true, y_score, weights, options)?);
        let value = self.of_scores(&table, &Parameters::defaults(self))?;
        if let Some(why) = value.why {
            return Ok(RowInfluence::undefined(value.number, why.sentence(), y_true.len()));
        }
        let positive = found.bits.iter().map(|&bit| f64::from(bit)).gather();
        let prevalence = RowInfluence::of_mean(positive, weights)?;
        let [own, share] = influence.slopes(mean.value, prevalence.value);
        RowInfluence::combined(value.number, &[(&mean, own), (&prevalence, share)])
    }

    fn influence_by_table(
        &self,
        y_true: &Labels,
        y_score: &Scores,
        weights: Option<Weights>,
        options: &SweepOptions,
    ) -> Result<RowInfluence> {
        let table = Ranking::from(score_table(y_true, y_score, weights, options)?);
        let (value, found) = self.influences(&table)?;
        let base = self.influence().map(|of| of.base());
        let of_pairs = matches!(base, Some(Base::RocAuc | Base::Aurc | Base::Augrc));
        let (positives, negatives) = rows_of(&table);
        let rarer = if of_pairs { positives.min(negatives) } else { positives };
        let is_one = (rarer <= 1.0).then_some(Undefined::OneRowOfAClass);
        if let Some(why) = value.why.or(is_one) {
            return Ok(RowInfluence::undefined(value.number, why.sentence(), y_true.len()));
        }
        let note = (rarer < FEW).then_some(FEW_OF_A_CLASS);
        let options = SweepOptions { pos_label: table.pair().positive.clone(), ..options.clone() };
        let (places, sides) = (Places::of(&table), [&found.negative[..], &found.positive[..]]);
        let each = of_rows(y_true, y_score, &options, |key, code| {
            places.number(key, sides[usize::from(code)])
        });
        Ok(RowInfluence { note, ..RowInfluence::new(value.number, each?) })
    }
}

/// What `of` makes of the order key and the class (0 negative, 1 positive) of each row.
pub(crate) fn of_rows<T: Clone + Send>(
    labels: &Labels,
    scores: &Scores,
    options: &SweepOptions,
    of: impl Fn(u64, u8) -> T + Sync,
) -> Result<Vec<T>> {
    fn read<K: Lowered, T: Clone + Send>(
        input: &Input,
        of: impl Fn(u64, u8) -> T + Sync,
    ) -> Result<Vec<T>> {
        let parts = over_parts(Rows::<K>::rows(input), |part| {
            let mut found = with_room(part.len());
            let mut chunk = Chunk::<K>::new();
            for rows in chunks(part) {
                input.lower(rows, &mut chunk).map_err(Stop::refusal)?;
                let each = chunk.keys[..chunk.len].iter().zip(&chunk.codes);
                found.grow_with(each.map(|(key, &code)| of(key.wide(), code)));
            }
            Ok(found)
        });
        Ok(joined(parts?))
    }
    let input = Input::new(labels, scores, None, options)?;
    if ScoreKind::of(scores).is_wide() {
        read::<u64, T>(&input, of)
    } else {
        read::<u32, T>(&input, of)
    }
}

/// Where the keys of a table are: for each leading part of a key, the first place with it.
pub(crate) struct Places<'a> {
    table: &'a Ranking,
    greatest: u64,
    shift: u32,
    starts: Vec<u32>,
}

impl<'a> Places<'a> {
    /// The bits of the leading part.
    const BITS: u32 = 16;

    pub(crate) fn of(table: &'a Ranking) -> Self {
        let keys = table.keys();
        let ends = keys.len().checked_sub(1).map(|last| (keys.get(0), keys.get(last)));
        let (greatest, least) = ends.unwrap_or_default();
        let bits = u64::BITS - (greatest - least).leading_zeros();
        let shift = bits.saturating_sub(Self::BITS);
        let parts = ((greatest - least) >> shift) as usize + 1;
        let mut starts: Vec<u32> = vec![0; parts + 1];
        for place in 0..keys.len() {
            starts[((greatest - keys.get(place)) >> shift) as usize + 1] = place as u32 + 1;
        }
        for part in 1..=parts {
            starts[part] = starts[part].max(starts[part - 1]);
        }
        Self { table, greatest, shift, starts }
    }

    /// The number at the place of a key; 0 for a key that the table lacks, as all of its rows weigh
    /// nothing.
    pub(crate) fn number(&self, key: u64, side: &[f64]) -> f64 {
        let part = self.greatest.checked_sub(key).map(|below| (below >> self.shift) as usize);
        let Some(part) = part.filter(|part| part + 1 < self.starts.len()) else {
            return 0.0;
        };
        let keys = self.table.keys();
        let (mut first, mut end) = (self.starts[part] as usize, self.starts[part + 1] as usize);
        while first < end {
            let middle = usize::midpoint(first, end);
            if keys.get(middle) > key {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        if first < keys.len() && keys.get(first) == key { side[first] } else { 0.0 }
    }
}

const NO_SLOPE: &str = "The index has no slope here, as at an end of its range or where a cell is \
                        empty: use a bootstrap.";
const KINK: &str = "The index has a kink here, a slope to either side of its own: use a bootstrap.";

const ONE_OF_A_CLASS: &str = "A class has one row only, which does not show how it scatters.";

/// Why a test of an index of two classes says nothing, or what speaks against it: few rows of a
/// class. A share of all rows does not mind.
fn few_rows(index: &Index, actual: &[f64]) -> [Option<&'static str>; 2] {
    let is_of_all = |spread: &Spread| matches!(spread, Spread::Share { matrix: Some(_), .. });
    if index.spreads.iter().any(is_of_all) {
        return [None; 2];
    }
    let least = actual.iter().copied().filter(|&rows| rows > 0.0).fold(f64::INFINITY, f64::min);
    let is_one = actual.len() == 2 && least <= 1.0;
    [is_one.then_some(ONE_OF_A_CLASS), (least < FEW).then_some(FEW_OF_A_CLASS)]
}

/// Refuses an index whose difference of two models on the same rows is not nearly normal.
fn check_difference(index: &Index) -> Result<()> {
    let refusal = |problem| Err(Refusal::Index { name: index.name.to_owned(), problem });
    if index.counts.is_none() && index.matrix.is_none() {
        let problem = "is no index of predicted classes; compare_scores has differences of indices \
                       of scores, and rocksteady.inference.bootstrap resamples any index";
        return refusal(problem.to_owned());
    }
    // An amount grows with the rows, but both models have the same rows.
    let is_amount = index.laws.contains(&Law::Proportional);
    match index.no_interval() {
        Some(reason) if reason != NoInterval::Grows || !is_amount => refusal(format!(
            "has no difference with an interval: {}; rocksteady.inference.bootstrap resamples any \
             index",
            reason.words()
        )),
        _ => Ok(()),
    }
}

/// What an index reads of predicted classes.
#[derive(Clone, Copy, Debug)]
pub struct Predicted<'a> {
    /// The place of the actual class of each row.
    pub actual: &'a [u32],
    /// The place of its predicted class.
    pub predicted: &'a [u32],
    /// The number of classes.
    pub classes: usize,
    /// The weights of the rows.
    pub weights: Option<Weights<'a>>,
    /// The meaning of the weights.
    pub weight_kind: WeightKind,
}

impl Predicted<'_> {
    fn matrix(&self) -> Result<ConfusionMatrix> {
        let options =
            CountOptions { labels: Some(LabelSet::numbered(self.classes)), ..Default::default() };
        let [actual, predicted] =
            [self.actual, self.predicted].map(|codes| Labels::of::<u32>(Column::from_slice(codes)));
        confusion(&actual, &predicted, self.weights, &options)
    }

    /// The influence of each row on an index.
    ///
    /// # Errors
    /// As the index of a matrix, of a class or of an average.
    pub fn influence(
        &self,
        index: &Index,
        reading: Reading<'_>,
        parameters: &Parameters,
    ) -> Result<RowInfluence> {
        check_difference(index)?;
        check_rows(&[("y_true", self.actual.len()), ("y_pred", self.predicted.len())])?;
        let view = self.matrix()?.view();
        let value = index.of_reading(&view, reading, parameters)?;
        let found = index.slopes_of_reading(&view, reading, parameters)?;
        let rows = self.actual.len();
        let [one, note] = few_rows(index, &view.actual);
        if let Some(why) =
            one.filter(|_| self.weights.is_none() || self.weight_kind == WeightKind::Counts)
        {
            return Ok(RowInfluence::undefined(value.number, why, rows));
        }
        if let Some(why) = value.why {
            return Ok(RowInfluence::undefined(value.number, why.sentence(), rows));
        }
        let found = match found {
            Some(found) if !found.is_kink => found,
            Some(_) => return Ok(RowInfluence::undefined(value.number, KINK, rows)),
            None => return Ok(RowInfluence::undefined(value.number, NO_SLOPE, rows)),
        };
        let cells = view.cells.iter().zip(&found.slopes);
        let sum = cells.fold(Products::default(), |sum, (cell, &slope)| sum.plus(cell.mass, slope));
        let mean = sum.value() / view.total;
        // What is left of equal slopes is rounding.
        let centred = |slope: &f64| {
            let rest = slope - mean;
            if rest.abs() <= 1e-14 * mean.abs() { 0.0 } else { rest }
        };
        let cells = || view.cells.iter().zip(found.slopes.iter().map(centred));
        let (classes, codes) = (self.classes, self.actual.iter().zip(self.predicted));
        let each = if classes <= FEW_CLASSES {
            let place =
                |actual: u32, predicted: u32| actual as usize * classes + predicted as usize;
            let mut slopes = vec![0.0; classes * classes];
            for (cell, slope) in cells() {
                slopes[place(cell.actual, cell.predicted)] = slope;
            }
            codes.map(|(&actual, &predicted)| slopes[place(actual, predicted)]).gather()
        } else {
            let cells = cells().map(|(cell, slope)| ((cell.actual, cell.predicted), slope));
            let slopes = map_of::<_, _, RandomState>(cells);
            codes
                .map(|(&actual, &predicted)| {
                    slopes.get(&(actual, predicted)).copied().unwrap_or(0.0)
                })
                .gather()
        };
        Ok(RowInfluence { note, ..RowInfluence::new(value.number, each) })
    }
}
