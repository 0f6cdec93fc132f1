//! What the errors cost.

use super::Law::{Perfect, Proportional, ScaleFree, Swapped, Transposed};
use super::{BLANK, Better, Domain, Index, Parameter, Parameters};
use crate::stat::{BinaryCounts, MatrixView};

const ELKAN: &str = "Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978";

const fn unit(name: &'static str, default: f64, about: &'static str) -> Parameter {
    Parameter {
        name,
        default: Some(default),
        domain: Domain::Finite,
        about,
        two_classes: true,
    }
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
        about: "cost of each outcome, classes in the order of the labels; by default 1 for every error",
        two_classes: false,
    },
];

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "cost",
        aliases: &["total_cost", "misclassification_cost"],
        title: "Total misclassification cost",
        formula: "sum_ij M[i,j] C[i,j] = cost_fp fp + cost_fn fn + cost_tp tp + cost_tn tn",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        laws: &[
            Transposed("cost"),
            Swapped("cost"),
            Proportional,
            Perfect(0.0),
        ],
        source: ELKAN,
        parameters: COSTS,
        counts: Some(&|c, parameters| Ok(binary(c, parameters))),
        matrix: Some(&|m, parameters| Ok(total(m, parameters))),
        ..BLANK
    },
    Index {
        name: "mean_cost",
        aliases: &["expected_cost"],
        title: "Mean misclassification cost",
        formula: "sum_ij M[i,j] C[i,j] / T",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        laws: &[
            Transposed("mean_cost"),
            Swapped("mean_cost"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: ELKAN,
        parameters: COSTS,
        counts: Some(&|c, parameters| Ok(binary(c, parameters) / (c.tp + c.fp + c.fn_ + c.tn))),
        matrix: Some(&|m, parameters| Ok(total(m, parameters) / m.total)),
        ..BLANK
    },
];

fn binary(c: &BinaryCounts, parameters: &Parameters) -> f64 {
    let [fp, fn_, tp, tn] = match parameters.matrix() {
        Some(m) => [m.cost(0, 1), m.cost(1, 0), m.cost(1, 1), m.cost(0, 0)],
        None => [0, 1, 2, 3].map(|place| parameters.number(place)),
    };
    fp * c.fp + fn_ * c.fn_ + tp * c.tp + tn * c.tn
}

fn total(m: &MatrixView, parameters: &Parameters) -> f64 {
    let cost = |actual: u32, predicted: u32| match (parameters.matrix(), actual, predicted) {
        (Some(costs), ..) => costs.cost(actual as usize, predicted as usize),
        // Unit costs that were given go with two classes only, negative and positive; their defaults go with any number.
        (None, 0, 1) => parameters.number(0),
        (None, 1, 0) => parameters.number(1),
        (None, 1, 1) => parameters.number(2),
        (None, 0, 0) => parameters.number(3),
        (None, ..) => f64::from(u8::from(actual != predicted)),
    };
    m.cells
        .iter()
        .map(|cell| cell.amount * cost(cell.actual, cell.predicted))
        .sum()
}
