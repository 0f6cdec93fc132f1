//! Coefficients of numerical taxonomy: Rogers and Tanimoto, Sokal and Sneath, Kulczynski, Michael.

use crate::index::form::form;
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Index, Joint, SELF, reading};
use crate::index::rows::shares::{determinant, npv, precision, recall, specificity};
use crate::index::value::Undefined;
use crate::index::value::ratio;

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "absolute_mcc",
        title: "Absolute value of the Matthews correlation coefficient",
        formula: "|tp tn - fp fn| / sqrt((tp + fn) (tn + fp) (tp + fp) (tn + fn))",
        about: "The strength of association between actual and predicted class: always wrong is \
                as good as always right. Its square is phi_squared.",
        undefined: "All rows are actually of one class, or all are predicted to be of one; 0 by \
                    convention.",
        when_undefined: 0.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "H2O.ai 2016, H2O-3, hex.AUC2 (absolute_mcc)",
        ..reading(&[form!(|c, _| {
            let (predicted, actual) = ((c.tp + c.fp, c.fn_ + c.tn), (c.tp + c.fn_, c.fp + c.tn));
            let spread = N::root_of_products(actual.0, predicted.0, actual.1, predicted.1);
            Ok(ratio(determinant(c).abs(), spread, Undefined::ZeroDenominator)?.at_most(1.0))
        })])
    },
    Index {
        name: "rogers_tanimoto",
        title: "Rogers and Tanimoto's index",
        formula: "(tp + tn) / (tp + tn + 2 (fp + fn))",
        about: "Accuracy with errors counted twice.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Rogers, Tanimoto 1960, doi:10.1126/science.132.3434.1115",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let right = c.tp + c.tn;
            Ok(right / (right + (c.fp + c.fn_) * 2.0))
        })])
    },
    Index {
        name: "sokal_sneath_i",
        aliases: &["sokal_sneath"],
        title: "Sokal and Sneath's first",
        formula: "tp / (tp + 2 (fp + fn))",
        about: "Jaccard's index with errors counted twice.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| ratio(c.tp, c.tp + (c.fp + c.fn_) * 2.0, Undefined::NoPositives))])
    },
    Index {
        name: "sokal_sneath_ii",
        aliases: &["gower_legendre"],
        title: "Sokal and Sneath's second",
        formula: "2 (tp + tn) / (2 (tp + tn) + fp + fn)",
        about: "Accuracy with right predictions counted twice.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let right = (c.tp + c.tn) * 2.0;
            Ok(right / (right + c.fp + c.fn_))
        })])
    },
    Index {
        name: "sokal_sneath_iii",
        title: "Sokal and Sneath's third",
        formula: "(tp + tn) / (fp + fn)",
        about: "Right predictions divided by wrong ones.",
        range: (0.0, f64::INFINITY),
        undefined: "There are no errors.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| ratio(c.tp + c.tn, c.fp + c.fn_, Undefined::ZeroDenominator))])
    },
    Index {
        name: "sokal_sneath_iv",
        title: "Sokal and Sneath's fourth",
        formula: "(precision + recall + specificity + npv) / 4",
        about: "The mean of both recalls and both predictive values.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(
            (precision(c)? + recall(c)? + specificity(c)? + npv(c)?) / 4.0
        ))])
    },
    Index {
        name: "sokal_sneath_v",
        title: "Sokal and Sneath's fifth",
        formula: "tp tn / sqrt((tp + fp) (tp + fn) (fp + tn) (fn + tn))",
        about: "The geometric mean of both recalls and both predictive values, squared.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            Ok((precision(c)? * recall(c)?).sqrt() * (specificity(c)? * npv(c)?).sqrt())
        })])
    },
    Index {
        name: "kulczynski_i",
        aliases: &["kulczynski_1"],
        title: "Kulczynski's first",
        formula: "tp / (fp + fn)",
        about: "True positives divided by errors: the odds of Jaccard's index.",
        range: (0.0, f64::INFINITY),
        undefined: "There are no errors.",
        laws: &[Transposed(SELF), ScaleFree],
        source: "Kulczynski 1927, Bull. Int. Acad. Pol. Sci. Lett. B (Suppl. 2), 57-203",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| ratio(c.tp, c.fp + c.fn_, Undefined::ZeroDenominator))])
    },
    Index {
        name: "michael",
        title: "Michael's index",
        formula: "4 (tp tn - fp fn) / ((tp + tn)^2 + (fp + fn)^2)",
        about: "An association that is 1 only if the right predictions are split evenly between \
                both classes and there are no errors.",
        range: (-1.0, 1.0),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: "Michael 1920, Marine ecology and the coefficient of association, J. Ecol. 8, 54-59",
        ..reading(&[form!(|c, _| {
            let (right, wrong) = (c.tp + c.tn, c.fp + c.fn_);
            Ok((determinant(c) * 4.0 / (right * right + wrong * wrong)).within(-1.0, 1.0))
        })])
    },
];
