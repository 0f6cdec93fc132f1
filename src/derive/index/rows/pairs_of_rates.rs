//! Pairs of rates as one number: their sum, difference and product; and rates at another
//! prevalence.

use crate::arith::number::Number;
use crate::index::form::form;
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, PrevalenceFree, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::shares::{
    npv, over_actual, over_predicted, precision, recall, specificity,
};
use crate::index::value::Undefined;
use crate::index::value::ratio;
use crate::labels::view::BinaryCounts;

const CUTPOINTR: &str = "Thiele, Hirschfeld 2021 (cutpointr), doi:10.18637/jss.v098.i11";
const PREDICTIVE: &str = "Altman, Bland 1994, doi:10.1136/bmj.309.6947.102";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "abs_d_sens_spec",
        aliases: &["abs_d_sesp"],
        title: "Absolute difference of sensitivity and specificity",
        formula: "|recall - specificity|",
        about: "0 at the threshold where recall equals specificity. Both may be bad there.",
        better: Better::Lower,
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[
            Transposed("abs_d_ppv_npv"),
            Swapped(SELF),
            ScaleFree,
            PrevalenceFree,
            Perfect(0.0),
        ],
        source: CUTPOINTR,
        ..reading(&[form!(|c, _| {
            let difference = N::difference_of_products(c.tp, c.fp, c.fn_, c.tn);
            Ok(over_actual(difference, c)?.abs())
        })])
    },
    Index {
        name: "sum_sens_spec",
        title: "Sum of sensitivity and specificity",
        formula: "recall + r specificity, r = (1 - prevalence) / (cost prevalence)",
        about: "Informedness plus 1, often used to choose a threshold. With a prevalence and a \
                relative cost it is pROC's weighted Youden index. The range holds for the \
                defaults, which weight both classes equally.",
        range: (0.0, 2.0),
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Transposed("sum_ppv_npv"), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(2.0)],
        source: "Perkins, Schisterman 2006, doi:10.1093/aje/kwj063; Thiele, Hirschfeld 2021, \
                 doi:10.18637/jss.v098.i11",
        parameters: CORNER_WEIGHTS,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            Ok(recall(c)? + weight_of_negatives::<N>(parameters) * specificity(c)?)
        })])
    },
    Index {
        name: "average_odds",
        title: "Average of recall and false positive rate",
        formula: "(recall + fpr) / 2",
        about: "How often rows are predicted positive if both classes weigh the same. By itself it \
                says nothing of quality; its difference between two groups is the average odds \
                difference, 0 where neither class is treated better in one of them, or where one \
                offsets the other.",
        better: Better::Neither,
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[ScaleFree, PrevalenceFree, Perfect(0.5)],
        source: "Bellamy et al. 2019, doi:10.1147/JRD.2019.2942287",
        joint: Joint::UpUp,
        ..reading(&[form!(|c, _| {
            let alarmed = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
            Ok((recall(c)? + alarmed) / 2.0)
        })])
    },
    Index {
        name: "p4",
        aliases: &["p4_metric", "p_4"],
        title: "P4",
        formula: "4 tp tn / (4 tp tn + (tp + tn) (fp + fn))",
        about: "The harmonic mean of recall, specificity and both predictive values: near 0 if any \
                of the four is. Unlike F1 it does not change if the classes are exchanged.",
        undefined: "No row is predicted right and of one class there are none, or none is wrong and \
                    only one class occurs.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Sitarz 2022, arXiv:2210.11997",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let right = c.tp / c.total() * (c.tn / c.total()) * 4.0;
            let wrong = (c.tp + c.tn) / c.total() * ((c.fp + c.fn_) / c.total());
            ratio(right, right + wrong, Undefined::ZeroDenominator)
        })])
    },
    Index {
        name: "prod_sens_spec",
        title: "Product of sensitivity and specificity",
        formula: "recall specificity",
        about: "The square of the geometric mean of recall and specificity: 0 if one class is \
                never recognised.",
        undefined: "No row is actually positive, or none is actually negative.",
        laws: &[Transposed("prod_ppv_npv"), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Liu 2012, doi:10.1002/sim.4509",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(recall(c)? * specificity(c)?))])
    },
    Index {
        name: "abs_d_ppv_npv",
        title: "Absolute difference of both predictive values",
        formula: "|precision - npv|",
        about: "0 at the threshold where both predictive values are equal. Both may be bad there.",
        better: Better::Lower,
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Transposed("abs_d_sens_spec"), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: CUTPOINTR,
        ..reading(&[form!(|c, _| {
            let difference = N::difference_of_products(c.tp, c.fn_, c.fp, c.tn);
            Ok(over_predicted(difference, c)?.abs())
        })])
    },
    Index {
        name: "sum_ppv_npv",
        title: "Sum of both predictive values",
        formula: "precision + npv",
        about: "Markedness plus 1.",
        range: (0.0, 2.0),
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Transposed("sum_sens_spec"), Swapped(SELF), ScaleFree, Perfect(2.0)],
        source: CUTPOINTR,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(precision(c)? + npv(c)?))])
    },
    Index {
        name: "prod_ppv_npv",
        title: "Product of both predictive values",
        formula: "precision npv",
        about: "Product of both predictive values: 0 if all positive predictions, or all negative \
                ones, are wrong.",
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Transposed("prod_sens_spec"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: CUTPOINTR,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(precision(c)? * npv(c)?))])
    },
    Index {
        name: "precision_at_prevalence",
        aliases: &["ppv_at_prevalence", "pos_pred_value"],
        title: "Precision at another prevalence",
        formula: "recall q / (recall q + fpr (1 - q)), q = prevalence",
        about: "Precision at another prevalence, with recall and specificity as here: for data in \
                which one class was sampled down. By default it is precision.",
        undefined: "No row is actually positive, none is actually negative, or none is predicted \
                    positive.",
        laws: &[Swapped("npv_at_prevalence"), ScaleFree, Perfect(1.0)],
        source: PREDICTIVE,
        parameters: OTHER_PREVALENCE,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let recall = recall(c)?;
            let fpr = ratio(c.fp, c.fp + c.tn, Undefined::NoActualNegatives)?;
            let (positive, negative) = classes_at(c, parameters.number(0));
            let right = recall * positive;
            ratio(right, right + fpr * negative, Undefined::NoPredictedPositives)
        })])
    },
    Index {
        name: "npv_at_prevalence",
        aliases: &["neg_pred_value"],
        title: "Negative predictive value at another prevalence",
        formula: "specificity (1 - q) / (specificity (1 - q) + fnr q), q = prevalence",
        about: "The negative predictive value at another prevalence, with recall and specificity \
                as here. By default it is the negative predictive value.",
        undefined: "No row is actually positive, none is actually negative, or none is predicted \
                    negative.",
        laws: &[Swapped("precision_at_prevalence"), ScaleFree, Perfect(1.0)],
        source: PREDICTIVE,
        parameters: OTHER_PREVALENCE,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, parameters| {
            let fnr = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let (positive, negative) = classes_at(c, parameters.number(0));
            let right = specificity(c)? * negative;
            ratio(right, right + fnr * positive, Undefined::NoPredictedNegatives)
        })])
    },
];

/// What a point of the ROC curve, or its distance to a corner, weighs the negatives by.
pub(crate) const CORNER_WEIGHTS: &[Parameter] = &[
    Parameter {
        name: "cost",
        default: Some(1.0),
        domain: Domain::Positive,
        about: "the cost of a false negative in units of that of a false positive",
        two_classes: false,
    },
    Parameter {
        name: "prevalence",
        default: Some(0.5),
        domain: Domain::OpenShare,
        about: "the prevalence where the threshold will be used",
        two_classes: false,
    },
];

const OTHER_PREVALENCE: &[Parameter] = &[Parameter {
    name: "prevalence",
    default: None,
    domain: Domain::Share,
    about: "the prevalence where the classifier will be used; by default that of these data",
    two_classes: false,
}];

/// (1 - prevalence) / (cost prevalence), of [`CORNER_WEIGHTS`].
pub(crate) fn weight_of_negatives<N: Number>(parameters: &Parameters) -> N {
    let (cost, prevalence) = (parameters.number(0), N::of(parameters.number(1)));
    prevalence.complement() / prevalence / cost
}

/// The shares of the two classes at this prevalence, or in the table if it is NaN.
#[inline]
fn classes_at<N: Number>(c: &BinaryCounts<N>, prevalence: f64) -> (N, N) {
    if prevalence.is_nan() {
        ((c.tp + c.fn_) / c.total(), (c.fp + c.tn) / c.total())
    } else {
        (N::of(prevalence), N::of(prevalence).complement())
    }
}
