//! The decomposition of the Brier score and the logarithmic loss: miscalibration − discrimination +
//! uncertainty.
//!
//! 1. Isotonic regression replaces all scores of a segment of the convex hull of the ROC curve by
//!    one probability, the share of positives in the segment.
//! 2. Miscalibration is the reduction of the mean score by this recalibration.
//! 3. Discrimination is the advantage of the recalibrated scores over predicting the prevalence for
//!    every row.
//!
//! Cost: one step for each vertex.
//!
//! Source: Dimitriadis, Gneiting, Jordan 2021, doi:10.1073/pnas.2016191118.

use crate::arith::logarithm::ln;
use crate::arith::products::Products;
use crate::scores::calibration::moments::Moments;
use crate::scores::isotonic_hull::RocHull;
use crate::scores::score_table::ScoreTable;

/// The parts of a mean score by isotonic regression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decomposition {
    /// The mean score itself: miscalibration − discrimination + uncertainty.
    pub score: f64,
    /// The reduction of the score by recalibration.
    pub miscalibration: f64,
    /// The advantage of the recalibrated scores over predicting the prevalence for every row.
    pub discrimination: f64,
    /// The score of predicting the prevalence for every row.
    pub uncertainty: f64,
}

/// The scores that can be decomposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The Brier score.
    Brier,
    /// The logarithmic loss, in nats.
    LogLoss,
}

impl Decomposition {
    /// The parts of a mean score; `recalibrated` is the mean score after isotonic regression
    /// ([`recalibrated`]).
    pub fn new(rule: Rule, score: f64, recalibrated: [f64; 2], moments: &Moments) -> Self {
        let [brier, log_loss] = recalibrated;
        let (recalibrated, uncertainty) = match rule {
            Rule::Brier => (brier, moments.uncertainty()),
            Rule::LogLoss => (log_loss, moments.entropy()),
        };
        Self {
            score,
            miscalibration: (score - recalibrated).max(0.0),
            discrimination: (uncertainty - recalibrated).max(0.0),
            uncertainty,
        }
    }
}

/// The mean Brier score and the mean logarithmic loss of the scores after isotonic regression.
pub fn recalibrated(table: &ScoreTable, moments: &Moments, hull: &RocHull) -> [f64; 2] {
    let mut sums = [Products::default(); 2];
    for ends in hull.predicted.windows(2) {
        let (p, n) = table.masses_between(ends[0], ends[1]);
        let (p, n) = (p * moments.scale, n * moments.scale);
        sums[0] = sums[0].plus(p, n / (p + n));
        for own in [p, n].into_iter().filter(|&own| own > 0.0) {
            sums[1] = sums[1].plus(-own, ln(own / (p + n)));
        }
    }
    sums.map(|sum| sum.value() / (moments.positives + moments.negatives))
}
