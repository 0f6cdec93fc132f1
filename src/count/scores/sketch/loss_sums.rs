//! Exact sums of the losses of rows whose scores are probabilities, for every possible type.
//!
//! The logarithmic loss clamps a probability at the machine epsilon of the scores' type. The common
//! type of all scores is known only at the end: singles together with doubles are doubles. So rows
//! of a narrow type are summed for each type that they may become.

use crate::base::dtype::ScoreKind;
use crate::base::error::Result;
use crate::base::memory::Gather;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::calibration::losses::add_rows;
use crate::scores::calibration::probability_sums::ProbabilitySums;
use crate::statistic::Statistic;

/// Sums of losses: for doubles, then for singles, then for halves, as far as the scores have that
/// type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LossSums {
    pub(crate) sums: Vec<ProbabilitySums>,
}

/// The machine epsilons for which rows of a kind are summed; the kind's own comes last. Without
/// rows, all epsilons.
fn epsilons(kind: Option<ScoreKind>) -> &'static [f64] {
    const ALL: [f64; 3] = [f64::EPSILON, f32::EPSILON as f64, 1.0 / 1024.0];
    let own = kind.map_or(ALL[2], ScoreKind::epsilon);
    let len = ALL.iter().position(|&epsilon| epsilon >= own);
    &ALL[..len.map_or(ALL.len(), |at| at + 1)]
}

impl LossSums {
    /// The sums of no rows.
    pub(crate) fn none(labels: &BinaryLabels, kind: Option<ScoreKind>) -> Self {
        let none = |_: &f64| ProbabilitySums::new(labels.clone(), false);
        Self { sums: epsilons(kind).iter().map(none).gather() }
    }

    /// The sums for the common kind of the scores.
    pub(crate) fn view(&self) -> Option<&ProbabilitySums> {
        self.sums.last()
    }

    /// Adds rows; the classes are 0 for negative and 1 for positive.
    ///
    /// # Errors
    /// A score outside [0, 1]; some rows may have been added by then.
    pub(crate) fn add_rows(
        &mut self,
        classes: &[u8],
        scores: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<()> {
        let epsilons = epsilons(None);
        for (sums, &epsilon) in self.sums.iter_mut().zip(epsilons) {
            add_rows(sums, classes, scores, weights, epsilon)?;
        }
        Ok(())
    }

    /// The added sums, for the epsilons of the common kind; none if one of them has none.
    ///
    /// # Errors
    /// Like [`ProbabilitySums::add`].
    pub(crate) fn added(
        own: Option<&Self>,
        their: Option<&Self>,
        kind: Option<ScoreKind>,
    ) -> Result<Option<Self>> {
        let Some((own, their)) = own.zip(their) else {
            return Ok(None);
        };
        let pairs = own.sums.iter().zip(&their.sums);
        let sums: Result<Vec<_>> =
            pairs.take(epsilons(kind).len()).map(|(own, their)| own.add(their)).collect();
        Ok(Some(Self { sums: sums? }))
    }
}
