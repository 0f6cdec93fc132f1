//! The mean of a number that each row has, as Python holds it.

use pyo3::prelude::*;

use crate::arith::exact::Weights;
use crate::arith::weight_kind::WeightKind;
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelSet;
use crate::classes::hinge::hinge_losses;
use crate::classes::listwise::{Discount, Measure, totals};
use crate::classes::losses::{Columns, class_probability_sums};
use crate::classes::probability_sums::Wanted;
use crate::classes::ranked_probability::ranked_probability_scores;
use crate::classes::row_mean::{RowMean, RowMeasure, Settings};
use crate::classes::top_k::top_k_hits;
use crate::inference::means::mean::interval_of_row_mean;

use crate::py::argument;
use crate::py::border::labels_from_python;
use crate::py::border::matrix::HeldMatrix;
use crate::py::classes::probability_sums::HeldColumns;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::inference::interval::{self as asked, ask, found};
use crate::py::rows::Rows;
use crate::py::statistic::statistic;

/// The mean of a number that each row has.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct RowMeanState {
    mean: RowMean,
}

fn known(measure: &Bound<'_, PyAny>) -> PyResult<RowMeasure> {
    argument::option(measure, "measure", &RowMeasure::ALL)
}

fn settings(places: Option<u64>, ignores_ties: bool) -> Settings {
    Settings {
        places: places.map_or(0, |places| places.saturating_add(1)),
        ignores_ties,
        epsilon: 0,
    }
}

statistic!(RowMeanState: RowMean, mean => Self { mean }, own => &own.mean; own.mean => set weight_kind);

/// The mean that `sum` makes of weights; for sampling weights also of their squares.
fn with_squares(
    kind: WeightKind,
    weights: Option<Weights<'_>>,
    is_none: bool,
    none: RowMean,
    sum: impl Fn(RowMean, Option<Weights<'_>>) -> Result<RowMean>,
) -> Result<RowMean> {
    if is_none && weights.is_none_or(|weights| weights.is_empty()) {
        return match kind {
            WeightKind::Counts => Ok(none),
            WeightKind::Sampling => none.clone().with_squares(none),
        };
    }
    let own = sum(none.clone(), weights)?;
    match kind.squares(weights, "sample_weight")? {
        None => Ok(own),
        Some(squares) => own.with_squares(sum(none, Some(Weights::from_slice(&squares)))?),
    }
}

#[pymethods]
impl RowMeanState {
    /// Of rows with a class each, and scores of the classes.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn of_classes(
        py: Python<'_>,
        measure: &Bound<'_, PyAny>,
        rows: Rows<HeldColumns>,
        labels: &Bound<'_, PyAny>,
        places: Option<u64>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let measure = known(measure)?;
        let kind = argument::weight_kind(weight_kind)?;
        let Some(labels) = labels_from_python(Some(labels))? else {
            return Err(Refusal::argument("labels", "None", "the classes").into());
        };
        let none = RowMean::empty(measure, settings(places, false), labels.clone());
        let (lent, scores, weights) = rows.lend();
        let mean = gate::run(py, scores.rows() * scores.columns(), || {
            let is_none = lent.is_empty() && scores.rows() == 0;
            with_squares(kind, weights, is_none, none, |none, weights| {
                let labels = none.labels().clone();
                Ok(match measure {
                    RowMeasure::TopK => {
                        let k = usize::try_from(places.unwrap_or(0)).unwrap_or(usize::MAX);
                        none.of_hits(&top_k_hits(&lent, &scores, weights, k, Some(labels))?.0)
                    }
                    RowMeasure::Hinge => {
                        none.of_sum(&hinge_losses(&lent, &scores, weights, Some(labels), true)?)
                    }
                    RowMeasure::RankedProbability => {
                        none.of_sum(&ranked_probability_scores(&lent, &scores, weights, labels)?)
                    }
                    _ => {
                        let wanted =
                            Wanted { log_loss: true, squared_log_loss: true, ..Wanted::default() };
                        let columns = Columns::Given(labels);
                        let sums =
                            class_probability_sums(&lent, &scores, weights, columns, wanted)?;
                        none.of_losses(&sums)
                    }
                })
            })
        })?;
        Ok(Self { mean })
    }

    /// Of rows with a relevance and a score for each label.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn of_labels(
        py: Python<'_>,
        measure: &Bound<'_, PyAny>,
        rows: Rows<HeldMatrix, HeldMatrix>,
        places: Option<u64>,
        ignore_ties: bool,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let name = known(measure)?;
        let kind = argument::weight_kind(weight_kind)?;
        let (relevance, scores, weights) = rows.lend();
        if scores.columns() < 2 {
            let expected = "two labels or more";
            return Err(Refusal::argument("y_score", scores.columns(), expected).into());
        }
        let measure = match name {
            RowMeasure::Coverage => Measure::Coverage,
            RowMeasure::AveragePrecision => Measure::AveragePrecision,
            RowMeasure::RankingLoss => Measure::Loss,
            _ => Measure::NormalizedGain(Discount {
                first: places.map(|k| usize::try_from(k).unwrap_or(usize::MAX)),
                ignore_ties,
                ..Discount::default()
            }),
        };
        let labels = LabelSet::numbered(scores.columns());
        let none = RowMean::empty(name, settings(places, ignore_ties), labels);
        let mean = gate::run(py, scores.rows() * scores.columns(), || {
            let is_alike = relevance.columns() == scores.columns();
            let is_none = is_alike && relevance.rows() == 0 && scores.rows() == 0;
            with_squares(kind, weights, is_none, none, |none, weights| {
                let found = totals(&relevance, &scores, weights, &measure, true)?;
                let sums = found.sums().ok_or_else(|| {
                    Refusal::argument("y_true", "of measures that are not finite", "finite ones")
                })?;
                Ok(none.with(sums))
            })
        })?;
        Ok(Self { mean })
    }

    /// The name of the measure.
    #[getter]
    fn measure(&self) -> &'static str {
        self.mean.measure().name()
    }

    /// The number of places that count.
    #[getter]
    fn places(&self) -> Option<u64> {
        self.mean.settings().places.checked_sub(1)
    }

    /// The interval of the mean: level, method and side.
    fn interval(&self, wanted: asked::Wanted<'_>) -> PyResult<asked::Found> {
        Ok(found(&interval_of_row_mean(&self.mean, &ask(&wanted)?)?))
    }

    /// The weight of the rows, the sum of their values, and the mean.
    #[getter]
    fn values(&self) -> (f64, f64, f64) {
        (self.mean.weight(), self.mean.total(), self.mean.mean())
    }
}
