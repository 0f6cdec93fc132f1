//! Sums over the probabilities of several classes, and weighted means, as exact integers. They
//! merge in any order to the same bits.
//!
//! [`crate::classes::losses`] fills them.

use crate::arith::exact::{ExactSums, Fixed, Wide};
use crate::arith::logarithm::ln;
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelSet;

fn apart(reason: &str) -> Refusal {
    Refusal::Merge { reason: reason.to_owned() }
}

/// The weight of rows and the weighted sum of a number that each of them has, as exact integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WeightedSum {
    pub(crate) weight: Wide,
    pub(crate) total: Wide,
}

impl WeightedSum {
    /// What the rows weigh; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The weighted sum, rounded once.
    pub fn total(&self) -> f64 {
        self.total.to_f64(Wide::LOWEST)
    }

    /// The weighted mean; NaN of no weight.
    pub fn mean(&self) -> f64 {
        self.total() / self.weight()
    }

    /// The sums of the rows of both.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self { weight: self.weight.plus(other.weight), total: self.total.plus(other.total) }
    }

    /// All of them added up.
    pub(crate) fn from_parts(parts: &[Self]) -> Self {
        parts.iter().fold(Self::default(), |sum, part| sum.add(part))
    }
}

/// Which sums over probabilities are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The logarithmic losses.
    pub log_loss: bool,
    /// The squared errors.
    pub brier: bool,
    /// The weight of each class, with which a loss is compared with that of the best constant
    /// prediction.
    pub classes: bool,
}

/// The losses of rows with a probability for each of K classes, as exact integers, and the weight
/// of each class.
///
/// Two of them that saw the same rows, in whatever order and parts, are equal to the bit.
/// [`crate::classes::losses`] fills them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassProbabilitySums {
    pub(crate) classes: LabelSet,
    pub wanted: Wanted,
    /// Where probabilities are cut for the logarithm, as bits.
    pub(crate) epsilon: u64,
    pub(crate) weight: Wide,
    pub(crate) log_loss: Wide,
    pub(crate) brier: Wide,
    pub(crate) class_weights: ExactSums,
    pub(crate) sums_to_one: bool,
}

impl ClassProbabilitySums {
    /// The sums of no rows.
    pub(crate) fn new(classes: LabelSet, wanted: Wanted, epsilon: f64) -> Self {
        let weights = if wanted.classes { classes.len().max(2) } else { 0 };
        Self {
            class_weights: ExactSums::new(weights),
            classes,
            wanted,
            epsilon: epsilon.to_bits(),
            weight: Wide::default(),
            log_loss: Wide::default(),
            brier: Wide::default(),
            sums_to_one: true,
        }
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &LabelSet {
        &self.classes
    }

    /// What the rows weigh; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The sum of −ln of the probability given to what came true, in nats, rounded once.
    pub fn log_loss(&self) -> f64 {
        self.log_loss.to_f64(Wide::LOWEST)
    }

    /// The sum over rows and classes of squared differences between probability and truth, rounded
    /// once. For two classes it is twice that of
    /// [`ProbabilitySums`](crate::scores::calibration::probability_sums::ProbabilitySums), which
    /// looks at one of them.
    pub fn brier(&self) -> f64 {
        self.brier.to_f64(Wide::LOWEST)
    }

    /// Whether the probabilities of every row add up to one, nearly.
    pub fn sums_to_one(&self) -> bool {
        self.sums_to_one
    }

    /// The part of the logarithmic loss of the class frequencies, predicted for every row, that the
    /// probabilities save: 1 − L / L0. Needs `log_loss` and `classes` of [`Wanted`].
    pub fn log_loss_saved(&self) -> f64 {
        // The frequencies are of `f64`, whatever the probabilities are.
        let (weight, epsilon) = (self.weight(), f64::EPSILON);
        let null: f64 = (0..self.class_weights.len())
            .map(|class| self.class_weights.get(class))
            .filter(|&own| own > 0.0)
            .map(|own| -own * ln((own / weight).clamp(epsilon, 1.0 - epsilon)))
            .sum();
        1.0 - self.log_loss() / null
    }

    /// The part of the squared error of the class frequencies, predicted for every row, that the
    /// probabilities save: 1 − B / B0. Needs `brier` and `classes` of [`Wanted`].
    pub fn brier_saved(&self) -> f64 {
        let weight = self.weight();
        let null: f64 = (0..self.class_weights.len())
            .map(|class| self.class_weights.get(class))
            .map(|own| own * ((weight - own) / weight))
            .sum();
        1.0 - self.brier() / null
    }

    /// The sums of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for other classes, other sums wanted, or scores of another type.
    pub fn add(&self, other: &Self) -> Result<Self> {
        if self.classes != other.classes {
            return Err(apart("the classes differ"));
        }
        if self.wanted != other.wanted || self.epsilon != other.epsilon {
            return Err(apart("they hold different sums"));
        }
        let mut class_weights = self.class_weights.clone();
        class_weights.merge(&other.class_weights);
        Ok(Self {
            classes: self.classes.clone(),
            wanted: self.wanted,
            epsilon: self.epsilon,
            weight: self.weight.plus(other.weight),
            log_loss: self.log_loss.plus(other.log_loss),
            brier: self.brier.plus(other.brier),
            // What equal sums came from must not show.
            class_weights: class_weights.canonical(),
            sums_to_one: self.sums_to_one && other.sums_to_one,
        })
    }
}
