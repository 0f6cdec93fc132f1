//! Averages over classes: a parameter, not rows of their own.

use super::{Index, Parameters, Undefined, Value, per_class};
use crate::error::{Refusal, Result};
use crate::stat::{BinaryCounts, MatrixView};

/// How the classes share in an average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How<'a> {
    /// All classes alike.
    Macro,
    /// The index of the counts of all classes against their rest, added up: every row alike.
    Micro,
    /// Each class by its number of actual rows.
    Weighted,
    /// Each class by a number of its own; at least one must be above zero.
    Weights(&'a [f64]),
}

/// The average of an index over the classes.
///
/// A class for which the index is undefined, and for which the row names no conventional number, counts as
/// `zero_division`; with NaN it is left out. That is scikit-learn's rule.
///
/// # Errors
/// [`Refusal::Argument`] for weights that are not one finite, non-negative number a class; [`Refusal::Index`] for an index
/// without a per-class value, and for a micro average of one that is not a formula over counts.
pub fn average(
    view: &MatrixView,
    index: &Index,
    how: How,
    zero_division: f64,
    parameters: &Parameters,
) -> Result<Value> {
    let weights = match how {
        How::Micro => return micro(view, index, zero_division, parameters),
        How::Macro => None,
        How::Weighted => Some(view.actual.as_slice()),
        How::Weights(weights) => {
            check(weights, view.classes())?;
            Some(weights)
        }
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for (class, value) in per_class(view, index, parameters)?.into_iter().enumerate() {
        let number = if value.number.is_nan() {
            zero_division
        } else {
            value.number
        };
        let share = weights.map_or(1.0, |weights| weights[class]);
        if !number.is_nan() && share > 0.0 {
            sum += share * number;
            weight += share;
        }
    }
    Ok(if weight > 0.0 {
        Value {
            number: sum / weight,
            why: None,
        }
    } else {
        let why = if view.total > 0.0 {
            Undefined::NoClassDefined
        } else {
            Undefined::NoRows
        };
        Value {
            number: f64::NAN,
            why: Some(why),
        }
    })
}

/// The index of the counts of all classes against their rest, added up.
fn micro(
    view: &MatrixView,
    index: &Index,
    zero_division: f64,
    parameters: &Parameters,
) -> Result<Value> {
    if index.counts.is_none() {
        return Err(Refusal::Index {
            name: index.name.to_owned(),
            problem: "has no micro average, since it is not a formula over counts".to_owned(),
        });
    }
    let pooled = (0..view.classes())
        .map(|class| view.one_vs_rest(class))
        .fold(BinaryCounts::default(), |sum, one| BinaryCounts {
            tp: sum.tp + one.tp,
            fp: sum.fp + one.fp,
            fn_: sum.fn_ + one.fn_,
            tn: sum.tn + one.tn,
        });
    let mut value = index.of_counts(&pooled, parameters)?;
    if value.number.is_nan() {
        value.number = zero_division;
    }
    Ok(value)
}

fn check(weights: &[f64], classes: usize) -> Result<()> {
    let expected = || format!("{classes} finite numbers that are not negative, one a class");
    if weights.len() != classes {
        return Err(Refusal::argument(
            "average",
            format!("{} weights", weights.len()),
            expected(),
        ));
    }
    match weights
        .iter()
        .find(|&&weight| !(0.0..f64::INFINITY).contains(&weight))
    {
        Some(weight) => Err(Refusal::argument(
            "average",
            format!("a weight of {weight}"),
            expected(),
        )),
        None if weights.iter().all(|&weight| weight == 0.0) => Err(Refusal::argument(
            "average",
            "weights that are all 0",
            expected(),
        )),
        None => Ok(()),
    }
}
