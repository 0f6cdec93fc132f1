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

/// The weight of rows and the weighted sum of a number for each row, as exact integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct WeightedSum {
    pub(crate) weight: Wide,
    pub(crate) total: Wide,
    /// The weighted sum of the squared numbers; 0 where it was not asked for.
    pub(crate) squared: Wide,
}

impl WeightedSum {
    /// The weight of the rows; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The weighted sum, rounded once.
    pub fn total(&self) -> f64 {
        self.total.to_f64(Wide::LOWEST)
    }

    /// The weighted mean; NaN if the weight is zero.
    pub fn mean(&self) -> f64 {
        self.total() / self.weight()
    }

    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self {
            weight: self.weight.plus(other.weight),
            total: self.total.plus(other.total),
            squared: self.squared.plus(other.squared),
        }
    }

    /// The sum of all parts.
    pub(crate) fn from_parts(parts: &[Self]) -> Self {
        parts.iter().fold(Self::default(), |sum, part| sum.add(part))
    }
}

/// The requested sums.
#[allow(clippy::struct_excessive_bools)] // each is asked for by itself
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The logarithmic losses.
    pub log_loss: bool,
    /// The squares of the logarithmic losses.
    pub squared_log_loss: bool,
    /// The squared errors.
    pub brier: bool,
    /// The weight of each class, to compare a loss with the best constant prediction.
    pub classes: bool,
}

/// The losses of rows with a probability for each of K classes, as exact integers, and the weight
/// of each class.
///
/// Two statistics of the same rows, in any order and parts, are equal bit for bit.
/// [`crate::classes::losses`] fills them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassProbabilitySums {
    pub(crate) classes: LabelSet,
    pub wanted: Wanted,
    /// The bound at which probabilities are clamped for the logarithm, as bits.
    pub(crate) epsilon: u64,
    pub(crate) weight: Wide,
    pub(crate) log_loss: Wide,
    pub(crate) squared_log_loss: Wide,
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
            squared_log_loss: Wide::default(),
            brier: Wide::default(),
            sums_to_one: true,
        }
    }

    /// The classes, ascending.
    pub fn classes(&self) -> &LabelSet {
        &self.classes
    }

    /// The weight of the rows; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The sum of −ln of the probability of the true class, in nats, rounded once.
    pub fn log_loss(&self) -> f64 {
        self.log_loss.to_f64(Wide::LOWEST)
    }

    /// The sum over rows and classes of squared differences between probability and truth, rounded
    /// once. For two classes it is twice the sum in
    /// [`ProbabilitySums`](crate::scores::calibration::probability_sums::ProbabilitySums), which
    /// counts only one class.
    pub fn brier(&self) -> f64 {
        self.brier.to_f64(Wide::LOWEST)
    }

    /// Whether the probabilities of every row add up to one, nearly.
    pub fn sums_to_one(&self) -> bool {
        self.sums_to_one
    }

    /// The relative improvement of the logarithmic loss over predicting the class frequencies for
    /// every row: 1 − L / L0. Needs `log_loss` and `classes` of [`Wanted`].
    pub fn log_loss_saved(&self) -> f64 {
        // The frequencies are always `f64`.
        let (weight, epsilon) = (self.weight(), f64::EPSILON);
        let null: f64 = (0..self.class_weights.len())
            .map(|class| self.class_weights.get(class))
            .filter(|&own| own > 0.0)
            .map(|own| -own * ln((own / weight).clamp(epsilon, 1.0 - epsilon)))
            .sum();
        1.0 - self.log_loss() / null
    }

    /// The relative improvement of the squared error over predicting the class frequencies for
    /// every row: 1 − B / B0. Needs `brier` and `classes` of [`Wanted`].
    pub fn brier_saved(&self) -> f64 {
        let weight = self.weight();
        let null: f64 = (0..self.class_weights.len())
            .map(|class| self.class_weights.get(class))
            .map(|own| own * ((weight - own) / weight))
            .sum();
        1.0 - self.brier() / null
    }

    /// Adds the sums of other rows.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for different classes, different requested sums, or scores of another
    /// type.
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
            squared_log_loss: self.squared_log_loss.plus(other.squared_log_loss),
            brier: self.brier.plus(other.brier),
            // Equal sums must not show how they arose.
            class_weights: class_weights.canonical(),
            sums_to_one: self.sums_to_one && other.sums_to_one,
        })
    }
}
