//! The cells and margins of a table.

use crate::index::form::{form, matrix_form, table_forms};
use crate::index::row::Law::{Perfect, Proportional, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};

const STEHMAN: &str = "Stehman 1997, doi:10.1016/S0034-4257(97)00083-7";
const PYCM: &str = "Haghighi, Jasemi, Hessabi, Zolanvari 2018 (PyCM), doi:10.21105/joss.00729";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "tp",
        aliases: &["true_positives", "tps", "hits"],
        title: "True positives",
        formula: "tp",
        about: "Positive rows predicted positive. An absolute number: compare it with the actual \
                or predicted positives.",
        range: (0.0, f64::INFINITY),
        laws: &[Transposed(SELF), Swapped("tn"), Proportional],
        source: STEHMAN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(c.tp))])
    },
    Index {
        name: "fp",
        aliases: &["false_positives", "fps", "false_alarms", "type_1_errors"],
        title: "False positives",
        formula: "fp",
        about: "Negative rows predicted positive: errors of the first kind.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed("fn"), Swapped("fn"), Proportional, Perfect(0.0)],
        source: STEHMAN,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok(c.fp))])
    },
    Index {
        name: "fn",
        aliases: &["false_negatives", "fns", "misses", "type_2_errors"],
        title: "False negatives",
        formula: "fn",
        about: "Positive rows predicted negative: errors of the second kind.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed("fp"), Swapped("fp"), Proportional, Perfect(0.0)],
        source: STEHMAN,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok(c.fn_))])
    },
    Index {
        name: "tn",
        aliases: &["true_negatives", "tns", "correct_rejections"],
        title: "True negatives",
        formula: "tn",
        about: "Negative rows predicted negative. For one class among many these are most rows, \
                whatever the classifier does.",
        range: (0.0, f64::INFINITY),
        laws: &[Transposed(SELF), Swapped("tp"), Proportional],
        source: STEHMAN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(c.tn))])
    },
    Index {
        name: "population",
        aliases: &["pop", "sample_size"],
        title: "Population: all rows",
        formula: "n = tp + fp + fn + tn = T",
        about: "The number of rows, or their total weight.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), Proportional],
        source: STEHMAN,
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, _| Ok(t.total())))
    },
    Index {
        name: "positives",
        aliases: &["actual_positives", "condition_positive", "support"],
        title: "Actual positives",
        formula: "tp + fn",
        about: "Rows that are of the class: the denominator of recall.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("predicted_positives"), Swapped("negatives"), Proportional],
        source: STEHMAN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(c.tp + c.fn_))])
    },
    Index {
        name: "negatives",
        aliases: &["actual_negatives", "condition_negative"],
        title: "Actual negatives",
        formula: "fp + tn",
        about: "Rows that are not of the class: the denominator of specificity.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("predicted_negatives"), Swapped("positives"), Proportional],
        source: STEHMAN,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(c.fp + c.tn))])
    },
    Index {
        name: "predicted_positives",
        aliases: &["test_outcome_positive", "top"],
        title: "Predicted positives",
        formula: "tp + fp",
        about: "Rows that are predicted to be of the class: the denominator of precision.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("positives"), Swapped("predicted_negatives"), Proportional],
        source: STEHMAN,
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| Ok(c.tp + c.fp))])
    },
    Index {
        name: "predicted_negatives",
        aliases: &["test_outcome_negative", "ton"],
        title: "Predicted negatives",
        formula: "fn + tn",
        about: "Rows that are predicted not to be of the class.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("negatives"), Swapped("predicted_positives"), Proportional],
        source: STEHMAN,
        joint: Joint::DownDown,
        ..reading(&[form!(|c, _| Ok(c.fn_ + c.tn))])
    },
    Index {
        name: "hamming_distance",
        aliases: &["hd", "errors", "number_of_errors", "zero_one_loss_count"],
        title: "Hamming distance: the number of errors",
        formula: "fp + fn = T - sum_k M[k,k]",
        about: "The number of rows where actual and predicted class differ; error_rate is their \
                share.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), Proportional, Perfect(0.0)],
        source: "Hamming 1950, doi:10.1002/j.1538-7305.1950.tb00463.x",
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok(c.fp + c.fn_)), matrix_form!(|m, _| Ok(m.wrong()))])
    },
    Index {
        name: "automatic_minus_manual",
        aliases: &["am", "automatic_manual_difference"],
        title: "Difference between automatic and manual classification",
        formula: "(tp + fp) - (tp + fn) = fp - fn",
        about: "Predicted positives minus actual positives; below 0, too few are predicted. \
                Errors of both kinds cancel, so 0 does not mean that there are none.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        laws: &[Proportional, Perfect(0.0)],
        source: PYCM,
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| Ok(c.fp - c.fn_))])
    },
];
