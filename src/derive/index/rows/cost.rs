//! The cost of errors.

use crate::arith::number::Number;
use crate::arith::products::unit_scale;
use crate::base::cost_matrix::CostMatrix;
use crate::base::error::{Refusal, Result};
use crate::index::form::{cost_form, form, matrix_form};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{
    Complement, Perfect, PrevalenceFree, Proportional, ScaleFree, Swapped, Transposed,
};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::matrix_sums::Table;
use crate::index::spread::Delta;
use crate::index::value::{Outcome, Undefined, ratio};
use crate::labels::view::BinaryCounts;

const ELKAN: &str = "Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978";

const fn unit(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter { name, default: Some(default), domain: Domain::Finite, about, two_classes: true }
}

/// The four unit costs of two classes, in this order, or a matrix for any number of classes.
const COSTS: &[Parameter] = &[
    unit("fp", 1.0, "cost of a false positive"),
    unit("fn", 1.0, "cost of a false negative"),
    unit("tp", 0.0, "cost of a true positive"),
    unit("tn", 0.0, "cost of a true negative"),
    Parameter {
        name: "matrix",
        default: None,
        domain: Domain::Costs,
        about: "cost of each outcome, classes in the order of the labels; by default 1 for every \
                error",
        two_classes: false,
    },
];

/// The costs of both errors, and how frequent positives will be.
const DETECTION: &[Parameter] = &[
    Parameter {
        name: "fp",
        default: Some(1.0),
        domain: Domain::Positive,
        about: "cost of a false positive, a false alarm",
        two_classes: false,
    },
    Parameter {
        name: "fn",
        default: Some(1.0),
        domain: Domain::Positive,
        about: "cost of a false negative, a miss",
        two_classes: false,
    },
    Parameter {
        name: "prevalence",
        default: Some(0.01),
        domain: Domain::OpenShare,
        about: "the share of positives, or targets, where the decisions will be made",
        two_classes: false,
    },
];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "cost",
        aliases: &["total_cost", "misclassification_cost"],
        title: "Total misclassification cost",
        formula: "sum_ij M[i,j] C[i,j] = cost_fp fp + cost_fn fn + cost_tp tp + cost_tn tn",
        about: "The total cost of all predictions. Rows of the cost matrix are actual classes, \
                columns predicted ones; a gain is a negative cost. An error may cost less than a \
                right prediction.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), Proportional, Perfect(0.0)],
        source: ELKAN,
        parameters: COSTS,
        joint: Joint::DownUp,
        ..reading(&[
            form!(|c, parameters| Ok(binary(c, parameters))),
            matrix_form!(|m, parameters| Ok(total(m, parameters))),
            cost_form!(|v| Ok(v.cost)),
        ])
    },
    Index {
        name: "mean_cost",
        aliases: &["expected_cost", "avg_cost"],
        title: "Mean misclassification cost",
        formula: "sum_ij M[i,j] C[i,j] / T",
        about: "The mean cost of a prediction, in the unit of the costs; with 1 for every error \
                it is the error rate. It depends on the class frequencies.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: ELKAN,
        parameters: COSTS,
        joint: Joint::DownUp,
        delta: Delta::Cost,
        ..reading(&[
            form!(|c, parameters| Ok(binary(c, parameters) / c.total())),
            matrix_form!(|m, parameters| Ok(total(m, parameters) / m.total())),
            cost_form!(|v| Ok(v.cost / v.rows)),
        ])
    },
    Index {
        name: "normalized_cost",
        aliases: &["normalized_expected_cost", "normalised_cost"],
        title: "Normalised expected cost",
        formula: "(cost - least) / (greatest - least), \
                  least = sum_i t[i] min_j C[i,j], greatest = sum_i t[i] max_j C[i,j]",
        about: "The cost on a scale from 0, the least possible for these rows, to 1, the most. If \
                right predictions cost nothing, it is the cost divided by that of making the \
                dearest error on every row: the vertical axis of cost curves.",
        better: Better::Lower,
        undefined: "Whatever is predicted for these rows costs the same.",
        laws: &[Transposed(SELF), Swapped(SELF), Complement("accuracy"), ScaleFree, Perfect(0.0)],
        source: "Drummond, Holte 2006, doi:10.1007/s10994-006-8199-5",
        parameters: COSTS,
        joint: Joint::DownUp,
        ..reading(&[
            form!(|c, parameters| {
                let [fp, fn_, tp, tn] = unit_costs(parameters);
                let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
                let least = positives * f64::min(tp, fn_) + negatives * f64::min(fp, tn);
                let greatest = positives * f64::max(tp, fn_) + negatives * f64::max(fp, tn);
                between(binary(c, parameters), least, greatest)
            }),
            matrix_form!(|m, parameters| {
                let (actual, _) = m.margins();
                let classes = actual.len();
                if parameters.matrix().is_none() && classes != 2 {
                    // One for every error: no need to look at K by K prices.
                    return if classes < 2 {
                        Err(Undefined::EqualCosts)
                    } else {
                        between(total(m, parameters), N::of(0.0), m.total())
                    };
                }
                let extreme = |class: usize, most: fn(f64, f64) -> f64| {
                    let prices = (0..classes).map(|j| price(parameters, class, j));
                    prices.reduce(most).unwrap_or(0.0)
                };
                let sum = |most: fn(f64, f64) -> f64| {
                    let present = actual.iter().enumerate().filter(|class| !class.1.is_zero());
                    N::sum(present.map(|(class, &rows)| rows * extreme(class, most)))
                };
                between(total(m, parameters), sum(f64::min), sum(f64::max))
            }),
        ])
    },
    Index {
        name: "detection_cost",
        aliases: &["dcf", "actual_dcf", "detection_cost_function"],
        title: "Detection cost, normalised",
        formula: "(cost_fn prevalence fnr + cost_fp (1 - prevalence) fpr) / min(cost_fn prevalence, cost_fp (1 - prevalence))",
        about: "The expected cost of a decision at a given prevalence, divided by the cost of \
                always predicting the cheaper class: below 1 the detector is of use. The least \
                over the thresholds, minDCF, is table.best(\"detection_cost\").value. Scores that \
                are log likelihood ratios have a threshold of \
                ln(cost_fp (1 - prevalence) / (cost_fn prevalence)), and the cost there is the \
                actual one.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: "Brummer, du Preez 2006, doi:10.1016/j.csl.2005.08.001",
        parameters: DETECTION,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, parameters| {
            let prevalence = parameters.number(2);
            let false_alarm = parameters.number(0) * (1.0 - prevalence);
            let miss = parameters.number(1) * prevalence;
            let least = f64::min(false_alarm, miss);
            let fnr = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let fpr = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
            Ok(fnr * (miss / least) + fpr * (false_alarm / least))
        })])
    },
    Index {
        name: "savings",
        aliases: &["savings_score", "cost_savings"],
        title: "Savings",
        formula: "1 - cost / min_j sum_i t[i] C[i,j]",
        about: "The relative saving compared with the best constant prediction: 1 if the \
                predictions cost nothing, 0 if always predicting the cheapest class is as good, \
                below 0 if it is better.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "The best constant prediction costs nothing or less, as where all rows are of \
                    one class.",
        laws: &[Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Bahnsen, Aouada, Ottersten 2014, doi:10.1109/ICMLA.2014.48",
        parameters: COSTS,
        joint: Joint::UpDown,
        cancels: true,
        ..reading(&[
            form!(|c, parameters| {
                let [fp, fn_, tp, tn] = unit_costs(parameters);
                let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
                let never = positives * fn_ + negatives * tn;
                let always = positives * tp + negatives * fp;
                saved(binary(c, parameters), never.min(always))
            }),
            matrix_form!(|m, parameters| {
                let best = if parameters.matrix().is_some() || m.labels() <= 2.0 {
                    let (actual, _) = m.margins();
                    let constant = |j: usize| {
                        let costs = actual.iter().enumerate();
                        N::sum(costs.map(|(i, &rows)| rows * price(parameters, i, j)))
                    };
                    (0..actual.len()).map(constant).reduce(N::min)
                } else {
                    // An error costs 1: all rows outside the most frequent class.
                    m.classes().map(|c| c.fp + c.tn).reduce(N::min)
                };
                saved(total(m, parameters), best.unwrap_or(N::of(0.0)))
            }),
            cost_form!(|v| saved(v.cost, v.never.min(v.always))),
        ])
    },
];

/// Where a cost lies between the least and the greatest.
fn between<N: Number>(cost: N, least: N, greatest: N) -> Outcome<N> {
    if !least.less(greatest) {
        return Err(Undefined::EqualCosts);
    }
    Ok(ratio(cost - least, greatest - least, Undefined::EqualCosts)?.within(0.0, 1.0))
}

/// The part that is saved of what the best constant prediction costs.
fn saved<N: Number>(cost: N, constant: N) -> Outcome<N> {
    if constant.is_positive() {
        Ok((cost / constant).complement())
    } else {
        Err(Undefined::NothingToSave)
    }
}

/// Costs of a false positive, a false negative, a true positive and a true negative.
fn unit_costs(parameters: &Parameters) -> [f64; 4] {
    match parameters.matrix() {
        Some(m) => [m.cost(0, 1), m.cost(1, 0), m.cost(1, 1), m.cost(0, 0)],
        None => [0, 1, 2, 3].map(|place| parameters.number(place)),
    }
}

#[inline]
fn binary<N: Number>(c: &BinaryCounts<N>, parameters: &Parameters) -> N {
    let [fp, fn_, tp, tn] = unit_costs(parameters);
    c.fp * fp + c.fn_ * fn_ + c.tp * tp + c.tn * tn
}

/// The cost of one outcome.
fn price(parameters: &Parameters, actual: usize, predicted: usize) -> f64 {
    match (parameters.matrix(), actual, predicted) {
        (Some(costs), ..) => costs.cost(actual, predicted),
        // Unit costs that were given go with two classes only, negative and positive; their
        // defaults go with any number.
        (None, 0, 1) => parameters.number(0),
        (None, 1, 0) => parameters.number(1),
        (None, 1, 1) => parameters.number(2),
        (None, 0, 0) => parameters.number(3),
        (None, ..) => f64::from(u8::from(actual != predicted)),
    }
}

fn total<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> N {
    if parameters.matrix().is_none() && t.labels() != 2.0 {
        return t.wrong(); // unit costs
    }
    N::sum(t.cells().map(|(i, j, mass)| mass * price(parameters, i, j)))
}

/// The probability of the positive class from which on predicting it costs least, for a 2×2 matrix
/// of costs, classes in the order negative, positive:
/// `(C[0,1] − C[0,0]) / (C[0,1] − C[0,0] + C[1,0] − C[1,1])`. At that very probability both
/// predictions cost the same. It is right for probabilities that are calibrated.
///
/// Source: Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978.
///
/// # Errors
/// [`Refusal::Argument`] for a matrix that is not 2×2, and for costs by which an error is not
/// dearer than being right: then one class is always, or both are never, the cheaper prediction.
///
/// ```
/// use rocksteady_derive::base::cost_matrix::CostMatrix;
/// use rocksteady_derive::index::optimal_threshold;
///
/// let costs = CostMatrix::new(2, vec![0.0, 1.0, 10.0, 0.0])?;
/// assert_eq!(optimal_threshold(&costs)?, 1.0 / 11.0);
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn optimal_threshold(costs: &CostMatrix) -> Result<f64> {
    if costs.classes() != 2 {
        let found = format!("{0} by {0}", costs.classes());
        return Err(Refusal::argument("costs", found, "2 by 2"));
    }
    let (tn, fp, fn_, tp) =
        (costs.cost(0, 0), costs.cost(0, 1), costs.cost(1, 0), costs.cost(1, 1));
    let dearer = |argument: &'static str, wrong: f64, right: f64, than: &str| {
        if wrong > right {
            return Ok(());
        }
        let expected = format!("more than {right}, the cost of a {than}");
        Err(Refusal::argument(argument, wrong, expected))
    };
    dearer("fp", fp, tn, "true negative")?;
    dearer("fn", fn_, tp, "true positive")?;
    // Far from the ends of f64's range, where differences and their sum are finite.
    let greatest = [tn, fp, fn_, tp].into_iter().fold(0.0, |most: f64, cost| most.max(cost.abs()));
    let scale = if greatest > 1e300 { unit_scale(greatest) } else { 1.0 };
    let (positive, negative) = (fp * scale - tn * scale, fn_ * scale - tp * scale);
    Ok(positive / (positive + negative))
}
