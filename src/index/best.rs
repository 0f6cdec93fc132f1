//! The thresholds at which an index is best.

use super::{Better, Index, Parameters};
use crate::error::{Refusal, Result};
use crate::stat::ScoreTable;

/// Which values are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The greatest.
    Greatest,
    /// The least.
    Least,
}

impl Goal {
    /// What the row calls better.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for an index that only describes.
    pub fn of(index: &Index) -> Result<Self> {
        match index.better {
            Better::Higher => Ok(Self::Greatest),
            Better::Lower => Ok(Self::Least),
            Better::Neither => Err(Refusal::argument(
                "maximize",
                format!(
                    "not given, and {} has no direction that is better",
                    index.name
                ),
                "maximize=True or minimize=True",
            )),
        }
    }
}

/// The best value, and where it is reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The value.
    pub value: f64,
    /// How many of the distinct scores, from the highest on, are predicted positive, ascending; 0 is the threshold ∞.
    pub predicted: Vec<usize>,
}

/// The best value of an index over all thresholds; `None` if it is undefined at all of them.
///
/// Thresholds at which the index is undefined are passed over, also where it has a number by convention. Values are compared as
/// they are: two that only rounding tells apart are not tied.
///
/// # Errors
/// As [`Index::of_each`].
///
/// ```
/// use rocksteady::column::Column;
/// use rocksteady::index::{self, Goal, Parameters};
/// use rocksteady::input::{Labels, Scores};
/// use rocksteady::kernel::ranking::RankOptions;
/// use rocksteady::kernel::sweep::score_table;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
/// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
/// let accuracy = index::find("accuracy")?;
/// let best = index::best(&table, accuracy, &Parameters::defaults(accuracy), Goal::of(accuracy)?)?;
/// let best = best.expect("accuracy is always defined");
/// assert_eq!((best.value, best.predicted), (0.75, vec![1, 3]));
/// # Ok::<(), rocksteady::error::Refusal>(())
/// ```
pub fn best(
    table: &ScoreTable,
    index: &Index,
    parameters: &Parameters,
    goal: Goal,
) -> Result<Option<Best>> {
    let mut best: Option<Best> = None;
    let mut predicted = 0;
    index.of_each(table.every_counts(), parameters, |value| {
        let place = predicted;
        predicted += 1;
        // No threshold tells missing scores, which may have been ranked, from the others.
        let is_missing = place > 0 && table.score(place - 1).is_nan();
        if value.why.is_some() || value.number.is_nan() || is_missing {
            return;
        }
        match &mut best {
            Some(best) if value.number == best.value => best.predicted.push(place),
            Some(best) if (value.number > best.value) != (goal == Goal::Greatest) => {}
            _ => {
                best = Some(Best {
                    value: value.number,
                    predicted: vec![place],
                });
            }
        }
    })?;
    Ok(best)
}
