//! The mean of a number for each row, as exact sums: the sufficient statistic of such a mean.
//!
//! A [`RowMean`] holds the weight of the rows and the sum of their values, weighted, as integers
//! ([`crate::arith::exact`]). So the means of parts add up to the mean of all rows, bit for bit, in
//! a few hundred bytes. Its [`RowMeasure`] defines the value of a row; the kernels of
//! [`crate::classes`] compute it. The sum of the squared values is kept beside, for intervals.

use crate::arith::exact::{Fixed, TOO_LARGE, Wide};
use crate::arith::weight_kind::{WeightKind, added, changed};
use crate::base::bytes::{OTHER_ROWS, Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelSet;
use crate::classes::probability_sums::ClassProbabilitySums;
use crate::classes::probability_sums::WeightedSum;
use crate::labels::binary_labels::{put_labels, take_labels};
use crate::scores::calibration::probability_sums::LossMoments;
use crate::statistic::Statistic;

/// The value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowMeasure {
    /// 1 if the class of the row is among the k highest scores, otherwise 0.
    TopK,
    /// The hinge loss.
    Hinge,
    /// The logarithmic loss.
    LogLoss,
    /// How many labels, from the highest score down, cover the relevant labels of a row.
    Coverage,
    /// The average precision of the labels of a row.
    AveragePrecision,
    /// The share of pairs of a row's labels in the wrong order.
    RankingLoss,
    /// The normalized discounted cumulative gain.
    Ndcg,
    /// The ranked probability score.
    RankedProbability,
}

impl RowMeasure {
    /// All measures, by the names of scikit-learn's functions where it has one, in the order of
    /// their codes in bytes.
    pub const ALL: [(&'static str, Self); 8] = [
        ("top_k_accuracy_score", Self::TopK),
        ("hinge_loss", Self::Hinge),
        ("log_loss", Self::LogLoss),
        ("coverage_error", Self::Coverage),
        ("label_ranking_average_precision_score", Self::AveragePrecision),
        ("label_ranking_loss", Self::RankingLoss),
        ("ndcg_score", Self::Ndcg),
        ("ranked_probability_score", Self::RankedProbability),
    ];

    fn code(self) -> u8 {
        let mut all = (0..).zip(Self::ALL);
        all.find(|(_, (_, measure))| *measure == self).map_or(0, |(code, _)| code)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL[usize::from(self.code())].0
    }

    /// The least and the greatest value.
    pub fn range(self) -> (f64, f64) {
        match self {
            Self::Hinge | Self::LogLoss | Self::Coverage => (0.0, f64::INFINITY),
            _ => (0.0, 1.0),
        }
    }
}

/// The parameters of a measure, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The number of places that count, plus 1; 0 for all.
    pub places: u64,
    /// Whether ties are ignored.
    pub ignores_ties: bool,
    /// The bound at which probabilities are clamped, as the bits of an `f64`; 0 without rows.
    pub epsilon: u64,
}

/// The mean of a number for each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowMean {
    measure: RowMeasure,
    settings: Settings,
    /// The classes or labels of the columns.
    labels: LabelSet,
    weight: Wide,
    /// The sum of the values above zero, and the negated sum of the values below.
    up: Wide,
    down: Wide,
    /// The sum of the squared values; none if the bytes of an older release did not have it.
    squared: Option<Wide>,
    /// For sampling weights: the mean of the same rows with squared weights.
    squares: Option<Box<Self>>,
}

fn merge(reason: &str) -> Refusal {
    Refusal::Merge { reason: reason.to_owned() }
}

impl RowMean {
    /// The mean of no rows.
    pub fn empty(measure: RowMeasure, settings: Settings, labels: LabelSet) -> Self {
        Self {
            measure,
            settings,
            labels,
            weight: Wide::default(),
            up: Wide::default(),
            down: Wide::default(),
            squared: Some(Wide::default()),
            squares: None,
        }
    }

    /// Adds the sums of rows: their weight, the values above and below zero, and their squares.
    #[must_use]
    pub fn with(self, [weight, up, down, squared]: [Wide; 4]) -> Self {
        Self { weight, up, down, squared: Some(squared), ..self }
    }

    /// Adds the weighted sum of a kernel.
    #[must_use]
    pub fn of_sum(self, sum: &WeightedSum) -> Self {
        self.with([sum.weight, sum.total, Wide::default(), sum.squared])
    }

    /// Adds the weighted sum of values that are 0 or 1, which are their own squares.
    #[must_use]
    pub fn of_hits(self, sum: &WeightedSum) -> Self {
        self.with([sum.weight, sum.total, Wide::default(), sum.total])
    }

    /// Adds the logarithmic losses of probabilities.
    #[must_use]
    pub fn of_losses(self, sums: &ClassProbabilitySums) -> Self {
        let settings = Settings { epsilon: sums.epsilon, ..self.settings };
        let none = Wide::default();
        Self { settings, ..self }.with([sums.weight, sums.log_loss, none, sums.squared_log_loss])
    }

    /// This mean with sampling weights and the mean of the same rows with squared weights.
    ///
    /// # Errors
    /// Refuses a mean that cannot belong to the same rows.
    pub fn with_squares(self, squares: Self) -> Result<Self> {
        let meaning =
            |mean: &Self| (mean.measure, mean.settings, mean.is_empty(), mean.squared.is_some());
        if meaning(&self) != meaning(&squares)
            || self.labels != squares.labels
            || squares.squares.is_some()
        {
            return Err(changed());
        }
        Ok(Self { squares: Some(Box::new(squares)), ..self })
    }

    /// The meaning of the weights.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    /// Sums for the variance of the mean; none if the squares are not known.
    pub fn moments(&self) -> Option<LossMoments> {
        let own = self.squares.as_deref().unwrap_or(self);
        let squares = own.squared?.to_f64(Wide::LOWEST);
        Some(LossMoments { weight: own.weight(), sum: own.total(), squares })
    }

    /// Whether each value is 0 or 1: no value of a measure from 0 to 1 is more than its square.
    pub fn is_share(&self) -> bool {
        self.measure.range().1 <= 1.0 && self.squared == Some(self.up)
    }

    /// The value of a row.
    pub fn measure(&self) -> RowMeasure {
        self.measure
    }

    /// The parameters of the measure.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The classes or labels of the columns.
    pub fn labels(&self) -> &LabelSet {
        &self.labels
    }

    /// The number, or the weight, of the rows.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The weighted sum of the values.
    pub fn total(&self) -> f64 {
        self.up.to_f64(Wide::LOWEST) - self.down.to_f64(Wide::LOWEST)
    }

    /// The mean; NaN if the weight is zero.
    pub fn mean(&self) -> f64 {
        self.total() / self.weight()
    }

    fn is_empty(&self) -> bool {
        self.weight == Wide::default()
    }

    /// Whether it says nothing that another mean could contradict.
    fn is_nothing(&self) -> bool {
        self.is_empty() && self.squares.is_none()
    }

    fn put_core(&self, out: &mut Writer) {
        out.put(&[self.measure.code()]);
        out.put(&self.settings.places.to_le_bytes());
        out.put(&[u8::from(self.settings.ignores_ties)]);
        out.put(&self.settings.epsilon.to_le_bytes());
        put_labels(out, &self.labels);
        put(out, &[self.weight, self.up, self.down]);
    }
}

impl Statistic for RowMean {
    const NAME: &'static str = "RowMean";
    const KIND: u8 = b'M';

    fn size(&self) -> usize {
        0
    }

    /// Adds the mean of other rows.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for different measures, parameters, labels or kinds of weights, for
    /// probabilities of another type, and for sums of 2^1102 and more.
    fn add(&self, other: &Self) -> Result<Self> {
        if self.measure != other.measure {
            let (own, their) = (self.measure.name(), other.measure.name());
            return Err(merge(&format!("one is of {own}, the other of {their}")));
        }
        if self.labels.values != other.labels.values {
            return Err(merge("the columns are of different classes or labels"));
        }
        let epsilon = match (self.is_empty(), other.is_empty()) {
            (true, _) => other.settings.epsilon,
            (_, true) => self.settings.epsilon,
            _ if self.settings.epsilon == other.settings.epsilon => self.settings.epsilon,
            _ => return Err(merge("the probabilities are of different types")),
        };
        let with = |settings: Settings| Settings { epsilon, ..settings };
        let settings = with(self.settings);
        if settings != with(other.settings) {
            return Err(merge("the parameters of the measure differ"));
        }
        let labels = LabelSet {
            kind: self.labels.kind.max(other.labels.kind),
            values: self.labels.values.clone(),
        };
        let sum = |own: Wide, their| own.checked_plus(their).ok_or_else(|| merge(TOO_LARGE));
        let squared = match (self.squared, other.squared) {
            (Some(own), Some(their)) => Some(sum(own, their)?),
            (own, None) if other.is_empty() => own,
            (None, their) if self.is_empty() => their,
            _ => None,
        };
        let squares = match (&self.squares, &other.squares) {
            (None, Some(_)) if self.is_nothing() => other.squares.clone(),
            (Some(_), None) if other.is_nothing() => self.squares.clone(),
            (own, their) => added(own.as_deref(), their.as_deref(), Self::add)?,
        };
        Ok(Self {
            measure: self.measure,
            settings,
            labels,
            weight: sum(self.weight, other.weight)?,
            up: sum(self.up, other.up)?,
            down: sum(self.down, other.down)?,
            squared,
            squares,
        })
    }

    fn put(&self, out: &mut Writer) {
        self.put_core(out);
        let squares = self.squares.as_deref();
        if let Some(squares) = squares {
            out.open_squares();
            squares.put_core(out);
        }
        if let Some(squared) = self.squared {
            out.open_squared_losses();
            put(out, &[squared]);
            put(out, squares.and_then(|squares| squares.squared).as_slice());
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut sections = Reader::with_sections(bytes, Self::NAME, Self::KIND)?;
        let mut mean = sections.core.whole(Self::take)?;
        let squares = sections.squares.as_mut().map(|squares| squares.whole(Self::take));
        let mut squares = squares.transpose()?;
        if let Some(mut input) = sections.squared_losses {
            for mean in std::iter::once(&mut mean).chain(&mut squares) {
                let squared = take_sum(&mut input)?;
                if mean.is_empty() && squared != Wide::default() {
                    return Err(input.refusal("there are squared values, but no rows"));
                }
                mean.squared = Some(squared);
            }
            input.finish()?;
        }
        let Some(squares) = squares else {
            return Ok(mean);
        };
        mean.with_squares(squares).map_err(|_| Self::bad(OTHER_ROWS))
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let code = usize::from(input.u8()?);
        let Some(&(_, measure)) = RowMeasure::ALL.get(code) else {
            return Err(input.refusal("the measure is unknown"));
        };
        let settings = Settings {
            places: input.u64()?,
            ignores_ties: match input.u8()? {
                0 => false,
                1 => true,
                _ => return Err(input.refusal("a truth value is neither 0 nor 1")),
            },
            epsilon: input.u64()?,
        };
        let labels = take_labels(input)?;
        let [weight, up, down] = [take_sum(input)?, take_sum(input)?, take_sum(input)?];
        if weight == Wide::default() && (up, down) != (weight, weight) {
            return Err(input.refusal("there are values, but no rows"));
        }
        let none = Self::empty(measure, settings, labels);
        Ok(Self { weight, up, down, squared: None, ..none })
    }
}

fn put(out: &mut Writer, sums: &[Wide]) {
    for limb in sums.iter().flat_map(|sum| sum.0) {
        out.put(&limb.to_le_bytes());
    }
}

fn take_sum(input: &mut Reader<'_>) -> Result<Wide> {
    let mut sum = Wide::default();
    for limb in &mut sum.0 {
        *limb = input.u64()?;
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, ScoreMatrix};
    use crate::base::matrix::Matrix;
    use crate::classes::top_k::top_k_hits;
    use crate::statistic::laws;
    use proptest::prelude::*;

    fn hits(rows: &[(u8, [u8; 3], u8)]) -> RowMean {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let scores: Vec<f64> = rows.iter().flat_map(|row| row.1).map(f64::from).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 7.0).collect();
        let labels = LabelSet::numbered(3);
        let none = RowMean::empty(
            RowMeasure::TopK,
            Settings { places: 3, ..Settings::default() },
            labels.clone(),
        );
        if rows.is_empty() {
            return none;
        }
        let found = top_k_hits(
            &Labels::U8(Column::from_slice(&y)),
            &ScoreMatrix::F64(Matrix::from_slice(&scores, 3)),
            Some(Column::from_slice(&weights)),
            2,
            Some(labels),
        );
        none.of_hits(&found.unwrap().0)
    }

    proptest! {
        #[test]
        fn parts_add_up(rows in prop::collection::vec((0_u8..3, any::<[u8; 3]>(), 0_u8..5), 0..40), cut in 0_usize..40) {
            let all = hits(&rows);
            let cut = cut.min(rows.len());
            laws::add_up(&all, [&hits(&rows[..cut]), &hits(&rows[cut..])]);
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic(place: usize, flip in 1_u8.., cut: usize) {
            let good = hits(&[(0, [1, 2, 3], 1), (2, [1, 2, 3], 2)]);
            // Without the squares, or with their section under another tag, which is skipped, the
            // bytes are those of an older release.
            let (bytes, core) = (good.to_bytes(), good.clone());
            let core = RowMean { squared: None, ..core }.to_bytes().len();
            prop_assume!(place % bytes.len() != core && cut % bytes.len() != core);
            let _ = laws::changed(&good, place, flip, cut).map(|read| read.mean());
        }
    }

    #[test]
    fn what_differs_does_not_add() {
        let none = |measure, places, classes| {
            let settings = Settings { places, ..Settings::default() };
            RowMean::empty(measure, settings, LabelSet::numbered(classes))
        };
        let own = none(RowMeasure::TopK, 3, 3);
        for other in [
            none(RowMeasure::Hinge, 3, 3),
            none(RowMeasure::TopK, 2, 3),
            none(RowMeasure::TopK, 3, 4),
        ] {
            assert!(own.add(&other).is_err(), "{other:?}");
        }
        assert!(own.mean().is_nan());
    }
}
