//! Arguments of many calls: the columns of rows as one argument, and the options of a ranking as
//! another.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arith::exact::Weights;
use crate::arith::weight_kind::WeightKind;
use crate::base::input::{Labels, ScoreMatrix, Scores};
use crate::scores::sweep::rows::SweepOptions;

use crate::py::border::matrix::HeldMatrix;
use crate::py::border::{HeldLabels, HeldScores, HeldWeights, nan_policy, pos_label_from_python};
use crate::py::classes::probability_sums::HeldColumns;
use crate::py::error::{PyResult, Raised};
use crate::py::{argument, gate};

/// A column or a matrix that is held for a call.
pub(crate) trait Held: Sized {
    type Lent<'a>
    where
        Self: 'a;

    fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self>;

    fn lend(&self) -> Self::Lent<'_>;
}

macro_rules! held {
    ($($held:ident => $lent:ident),*) => { $(
        impl Held for $held {
            type Lent<'a> = $lent<'a>;

            fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
                Self::take(object, argument)
            }

            fn lend(&self) -> $lent<'_> {
                self.lend()
            }
        }
    )* };
}

held!(
    HeldLabels => Labels, HeldScores => Scores, HeldMatrix => ScoreMatrix, HeldColumns => ScoreMatrix
);

/// The tuple (`y_true`, `y_score`, `sample_weight`) of a call.
pub(crate) struct Rows<S = HeldScores, L = HeldLabels> {
    y_true: L,
    y_score: S,
    weights: HeldWeights,
}

impl<S: Held, L: Held> Rows<S, L> {
    pub(crate) fn take(
        y_true: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        sample_weight: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Ok(Self {
            y_true: L::take(y_true, "y_true")?,
            y_score: S::take(y_score, "y_score")?,
            weights: HeldWeights::take(sample_weight, "sample_weight")?,
        })
    }

    pub(crate) fn lend(&self) -> (L::Lent<'_>, S::Lent<'_>, Option<Weights<'_>>) {
        (self.y_true.lend(), self.y_score.lend(), self.weights.lend())
    }
}

impl<S: Held, L: Held> FromPyObject<'_, '_> for Rows<S, L> {
    type Error = Raised;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        gate::keep(given.py(), || {
            let tuple = given.cast::<PyTuple>()?;
            let weight = tuple.get_borrowed_item(2)?;
            let (y_true, y_score) = (tuple.get_borrowed_item(0)?, tuple.get_borrowed_item(1)?);
            Self::take(&y_true, &y_score, (!weight.is_none()).then_some(&*weight))
        })
    }
}

/// How rows are read, from Python's options.
pub(crate) fn rank_options(
    pos_label: Option<&Bound<'_, PyAny>>,
    policy: &Bound<'_, PyAny>,
    infinite: &Bound<'_, PyAny>,
    weight_kind: WeightKind,
) -> PyResult<SweepOptions> {
    let infinite = argument::option(infinite, "infinite", &[("raise", false), ("allow", true)])?;
    let pos_label = pos_label_from_python(pos_label)?;
    Ok(SweepOptions {
        pos_label,
        nan_policy: nan_policy(policy, true)?,
        infinite,
        weight_kind,
        ..SweepOptions::default()
    })
}

/// The tuple (`pos_label`, `nan_policy`, `infinite`, `weight_kind`) of a call; the last may be left
/// out.
pub(crate) struct RankOptions(pub(crate) SweepOptions);

impl RankOptions {
    /// For a table that is a part of others.
    pub(crate) fn of_part(self) -> SweepOptions {
        SweepOptions { part: true, ..self.0 }
    }
}

impl FromPyObject<'_, '_> for RankOptions {
    type Error = Raised;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let tuple = given.cast::<PyTuple>()?;
        let item = |place| tuple.get_borrowed_item(place);
        let weight_kind = match item(3) {
            Ok(kind) => argument::weight_kind(&kind)?,
            Err(_) => WeightKind::Counts,
        };
        let pos_label = item(0)?;
        let pos_label = (!pos_label.is_none()).then_some(&*pos_label);
        rank_options(pos_label, &*item(1)?, &*item(2)?, weight_kind).map(Self)
    }
}
