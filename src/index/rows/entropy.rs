//! Entropies of the confusion matrix, and information.
//!
//! Confusion entropy in its closed form is a sum over the non-zero cells off the diagonal:
//! `CEN = 1/(2 T ln b) * sum M[i,j] (ln(s[i]/M[i,j]) + ln(s[j]/M[i,j]))`, `s[k] = t[k] + p[k]`. No term is negative, since
//! `M[i,j]` is part of both `s[i]` and `s[j]`, so nothing cancels. A class's value is its share of the sum.
//!
//! Conditional entropies are sums over the cells too, not differences of entropies. All of these follow from two logarithms of
//! each cell (`stat/surprise.rs`), which are taken once for a matrix and kept with it, as is all that several rows want.
//!
//! The mutual information that chance expects of the margins is a sum over pairs of classes (see [`hypergeometric`]). Pairs of
//! margins that occur again are not computed again, so that many small classes are few pairs; there are at most 2 T of them.
//! Source: Vinh, Epps, Bailey 2010.
//!
//! [`hypergeometric`]: crate::arith::hypergeometric

// A form answers with an outcome, though some always have a value.
#![allow(clippy::unnecessary_wraps)]

use crate::arith::hypergeometric::Information;
use crate::arith::logarithm::{amount_by_log, ln};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{BLANK, Better, Index};
use crate::index::rows::reading::{Part, Table};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};

/// 2 log2(e) / e: the greatest confusion entropy of two classes; of three and more it is 1.
const GREATEST: f64 = 1.061_475_690_846_086;

const CEN_BASE: Parameter = Parameter {
    name: "base",
    default: None,
    domain: Domain::AboveOne,
    about: "base of the logarithm; by default 2 (K - 1)",
    two_classes: false,
};

const BASE: Parameter = Parameter {
    name: "base",
    default: Some(2.0),
    domain: Domain::AboveOne,
    about: "base of the logarithm: 2 for bits, e for nats",
    two_classes: false,
};

const ONE_LABEL: &str = "There is only one label.";
const TRIANGLE: &str = "Valverde-Albacete, Pelaez-Moreno 2010, doi:10.1016/j.patrec.2010.04.017";
const MODULATED: &str = "Valverde-Albacete, Pelaez-Moreno 2014, doi:10.1371/journal.pone.0084217";
const VINH: &str =
    "Vinh, Epps, Bailey 2010, Journal of Machine Learning Research 11, pp. 2837-2854";
const ONE_CLUSTER: &str =
    "All rows are actually of one class and predicted to be of one; 1 by convention.";

const SHANNON: &str = "Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "cen",
        aliases: &["confusion_entropy"],
        title: "Confusion entropy",
        formula: "sum_j (s[j] / 2T) CEN[j], s[j] = t[j] + p[j], \
                  CEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        about: "How much the wrong rows are spread over the cells: 0 if all are right. Not a function of accuracy: it passes 1 for \
                two classes near an error rate of 0.74 (all wrong is 1 again), and three classes predicted at random have 0.86, \
                all wrong evenly 1. Its base grows with the number of labels, so values for different K do not compare, and a \
                classifier that always says the majority class has a small value.",
        range: (0.0, GREATEST),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. \
                    Labels that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed("cen"), Swapped("cen"), ScaleFree, Perfect(0.0)],
        source: "Wei, Yuan, Hu, Wang 2010, doi:10.1016/j.eswa.2009.11.040",
        parameters: &[CEN_BASE],
        counts: Some(&|c, parameters| {
            let wrong = c.fp + c.fn_;
            let s = [2.0 * c.tn + wrong, 2.0 * c.tp + wrong];
            Ok(confusion_of_counts(c, parameters, s))
        }),
        matrix: Some(&|m, parameters| confusion(m, parameters, diagonal_twice, 2.0 * m.total)),
        class: Some(&|m, class, parameters| class_confusion(m, class, parameters, diagonal_twice)),
        ..BLANK
    },
    Index {
        name: "mcen",
        aliases: &["modified_confusion_entropy"],
        title: "Modified confusion entropy",
        formula: "sum_j (s[j] / (2T - a c)) MCEN[j], s[j] = t[j] + p[j] - M[j,j], c = sum_k M[k,k], a = 1 if K > 2 else 0, \
                  MCEN[j] = -sum_(k != j) (q log_b q + r log_b r), q = M[j,k] / s[j], r = M[k,j] / s[j], b = 2 (K - 1)",
        about: "Confusion entropy with right rows counted once, which keeps two classes together within 1 (each alone can pass it) and rises with their error rate. \
                The weights of two classes do not add up to 1, as published, so their values do not compare with those of more.",
        range: (0.0, GREATEST),
        better: Better::Lower,
        undefined: "There is only one label, or the class does not occur; 0 by convention. \
                    Labels that do not occur still count in K.",
        when_undefined: 0.0,
        laws: &[Transposed("mcen"), Swapped("mcen"), ScaleFree, Perfect(0.0)],
        source: "Delgado, Nunez-Gonzalez 2019, doi:10.1371/journal.pone.0210264",
        parameters: &[CEN_BASE],
        counts: Some(&|c, parameters| {
            let wrong = c.fp + c.fn_;
            Ok(confusion_of_counts(
                c,
                parameters,
                [c.tn + wrong, c.tp + wrong],
            ))
        }),
        matrix: Some(&|m, parameters| {
            let right_once = m.total + m.wrong();
            let weights = if m.classes() > 2 {
                right_once
            } else {
                2.0 * m.total
            };
            confusion(m, parameters, diagonal_once, weights)
        }),
        class: Some(&|m, class, parameters| class_confusion(m, class, parameters, diagonal_once)),
        ..BLANK
    },
    Index {
        name: "mutual_information",
        aliases: &["mi", "information_gain", "rci_bits"],
        title: "Mutual information of actual and predicted class",
        formula: "sum_ij (M[i,j] / T) log_b(M[i,j] T / (t[i] p[j])), b = 2",
        about: "How much the predicted class tells about the actual one, in bits unless another base is given: Sindhwani's relative classifier information before it is divided. It does not tell right from consistently wrong, and grows with the number of classes.",
        range: (0.0, f64::INFINITY),
        laws: &[
            Transposed("mutual_information"),
            Swapped("mutual_information"),
            ScaleFree,
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&mutual_information::<BinaryCounts>),
        matrix: Some(&mutual_information::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "rci",
        aliases: &[
            "relative_classifier_information",
            "uncertainty_coefficient",
            "theils_u",
            "homogeneity",
        ],
        title: "Relative classifier information (uncertainty coefficient, homogeneity)",
        formula: "mutual_information / entropy_of_actual",
        about: "The share of the uncertainty about the actual class that the predictions remove. Blind to names: if all rows are wrong in a consistent way it is 1. With one actual class there is nothing to remove; scikit-learn's homogeneity then says 1.",
        undefined: "All rows are actually of one class, so there is nothing to inform about.",
        laws: &[
            Transposed("completeness"),
            Swapped("rci"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Sindhwani, Bhattacharya, Rakshit 2001, doi:10.1137/1.9781611972719.16; Theil 1970, doi:10.1086/224909; Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420",
        counts: Some(&rci::<BinaryCounts>),
        matrix: Some(&rci::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "completeness",
        aliases: &[
            "theils_u_of_predicted",
            "uncertainty_coefficient_of_predicted",
        ],
        title: "Completeness (uncertainty coefficient of the predicted class)",
        formula: "mutual_information / entropy_of_predicted",
        about: "The share of the uncertainty about the predicted class that the actual class removes: 1 if no actual class is split among predictions. With one predicted class scikit-learn says 1.",
        undefined: "All rows are predicted to be of one class.",
        laws: &[
            Transposed("rci"),
            Swapped("completeness"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420",
        counts: Some(&completeness::<BinaryCounts>),
        matrix: Some(&completeness::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "entropy_of_actual",
        aliases: &["reference_entropy"],
        title: "Entropy of the actual classes",
        formula: "-sum_k (t[k] / T) log_b(t[k] / T), b = 2",
        about: "How uncertain the actual class is before any prediction: log K if all K classes are of one size, 0 if there is only one.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[
            Transposed("entropy_of_predicted"),
            Swapped("entropy_of_actual"),
            ScaleFree,
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&entropy_of_actual::<BinaryCounts>),
        matrix: Some(&entropy_of_actual::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "entropy_of_predicted",
        aliases: &["response_entropy"],
        title: "Entropy of the predicted classes",
        formula: "-sum_k (p[k] / T) log_b(p[k] / T), b = 2",
        about: "How widely the predictions spread over the classes, right or wrong.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[
            Transposed("entropy_of_actual"),
            Swapped("entropy_of_predicted"),
            ScaleFree,
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&entropy_of_predicted::<BinaryCounts>),
        matrix: Some(&entropy_of_predicted::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "joint_entropy",
        aliases: &[],
        title: "Joint entropy of actual and predicted class",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / T), b = 2",
        about: "How uncertain the cell of the matrix is in which a row falls. With perfect predictions it is the entropy of the actual classes.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[
            Transposed("joint_entropy"),
            Swapped("joint_entropy"),
            ScaleFree,
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&joint_entropy::<BinaryCounts>),
        matrix: Some(&joint_entropy::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "conditional_entropy",
        aliases: &["conditional_entropy_of_predicted"],
        title: "Conditional entropy of the predicted class, given the actual one",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / t[i]), b = 2",
        about: "How uncertain the prediction is for rows of a known class, 0 if each class is always called the same. PyCM's conditional entropy; the other direction is the equivocation.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[
            Transposed("equivocation"),
            Swapped("conditional_entropy"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&conditional_entropy::<BinaryCounts>),
        matrix: Some(&conditional_entropy::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "equivocation",
        aliases: &["conditional_entropy_of_actual"],
        title: "Conditional entropy of the actual class, given the predicted one (equivocation)",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / p[j]), b = 2",
        about: "How uncertain the actual class remains once the prediction is known.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[
            Transposed("conditional_entropy"),
            Swapped("equivocation"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: SHANNON,
        parameters: &[BASE],
        counts: Some(&equivocation::<BinaryCounts>),
        matrix: Some(&equivocation::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "marginal_cross_entropy",
        aliases: &["cross_entropy_of_margins"],
        title: "Cross entropy of the predicted proportions, relative to the actual ones",
        formula: "-sum_k (t[k] / T) log_b(p[k] / T), b = 2",
        about: "How surprising the actual proportions of the classes are to who expects the predicted ones. Of the margins only: no log loss, and blind to which rows are right. Infinite if a class that occurs is never predicted; PyCM leaves such classes out, as leave_out=1 does.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A class that occurs is never predicted; infinite.",
        when_undefined: f64::INFINITY,
        laws: &[Swapped("marginal_cross_entropy"), ScaleFree],
        source: SHANNON,
        parameters: &[
            BASE,
            Parameter {
                name: "leave_out",
                default: Some(0.0),
                domain: Domain::Share,
                about: "1 leaves out classes that are never predicted; 0 makes them infinitely surprising",
                two_classes: false,
            },
        ],
        counts: Some(&marginal_cross_entropy::<BinaryCounts>),
        matrix: Some(&marginal_cross_entropy::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "kl_divergence",
        aliases: &["kullback_leibler_divergence", "relative_entropy"],
        title: "Kullback-Leibler divergence of the predicted proportions from the actual ones",
        formula: "sum_k (t[k] / T) log_b(t[k] / p[k]), b = 2",
        about: "How far the predicted proportions of the classes are from the actual ones: 0 if they are the same, though all rows may be wrong. Infinite if a class that occurs is never predicted.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A class that occurs is never predicted; infinite.",
        when_undefined: f64::INFINITY,
        laws: &[Swapped("kl_divergence"), ScaleFree, Perfect(0.0)],
        source: "Kullback, Leibler 1951, doi:10.1214/aoms/1177729694",
        parameters: &[BASE],
        counts: Some(&kl_divergence::<BinaryCounts>),
        matrix: Some(&kl_divergence::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "variation_of_information",
        aliases: &["vi"],
        title: "Variation of information",
        formula: "conditional_entropy + equivocation",
        about: "The distance of two clusterings, a metric: what each leaves unknown about the other. 0 if each class tells the other, whatever they are called. It grows with the number of classes.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[
            Transposed("variation_of_information"),
            Swapped("variation_of_information"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: "Meila 2007, doi:10.1016/j.jmva.2006.11.013",
        parameters: &[BASE],
        counts: Some(&variation_of_information::<BinaryCounts>),
        matrix: Some(&variation_of_information::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "v_measure",
        aliases: &[
            "normalized_mutual_information",
            "nmi",
            "nmi_arithmetic",
            "symmetric_uncertainty",
            "v_measure_score",
        ],
        title: "V-measure (normalised mutual information; symmetric uncertainty)",
        formula: "(1 + beta) mutual_information / (beta entropy_of_predicted + entropy_of_actual) = (1 + beta) homogeneity completeness / (beta homogeneity + completeness)",
        about: "Mutual information over the mean of the two entropies: 1 if each class tells the other. Blind to the names of classes, and not corrected for chance: many small clusters raise it.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[
            Transposed("v_measure"),
            Swapped("v_measure"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420; Strehl, Ghosh 2002, doi:10.1162/153244303321897735",
        parameters: &[Parameter {
            name: "beta",
            default: Some(1.0),
            domain: Domain::NotNegative,
            about: "how many times as much completeness weighs as homogeneity",
            two_classes: false,
        }],
        counts: Some(&v_measure::<BinaryCounts>),
        matrix: Some(&v_measure::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "nmi_geometric",
        aliases: &[],
        title: "Normalised mutual information (by the geometric mean of the entropies)",
        formula: "mutual_information / sqrt(entropy_of_actual entropy_of_predicted)",
        about: "Mutual information over the geometric mean of the two entropies; otherwise as the V-measure, which takes their mean. It is 0 where one side is a single class and the other is not.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[
            Transposed("nmi_geometric"),
            Swapped("nmi_geometric"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: VINH,
        counts: Some(&nmi_geometric::<BinaryCounts>),
        matrix: Some(&nmi_geometric::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "nmi_min",
        aliases: &[],
        title: "Normalised mutual information (by the lesser of the entropies)",
        formula: "mutual_information / min(entropy_of_actual, entropy_of_predicted)",
        about: "Mutual information over the lesser of the two entropies; otherwise as the V-measure, which takes their mean. It is 0 where one side is a single class and the other is not.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[
            Transposed("nmi_min"),
            Swapped("nmi_min"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: VINH,
        counts: Some(&nmi_min::<BinaryCounts>),
        matrix: Some(&nmi_min::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "nmi_max",
        aliases: &[],
        title: "Normalised mutual information (by the greater of the entropies)",
        formula: "mutual_information / max(entropy_of_actual, entropy_of_predicted)",
        about: "Mutual information over the greater of the two entropies; otherwise as the V-measure, which takes their mean.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[
            Transposed("nmi_max"),
            Swapped("nmi_max"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: VINH,
        counts: Some(&nmi_max::<BinaryCounts>),
        matrix: Some(&nmi_max::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "expected_mutual_information",
        aliases: &["emi"],
        title: "Mutual information that chance expects of the margins",
        formula: "mean of mutual_information over all ways to pair the actual with the predicted classes",
        about: "What mutual information is on average if the predictions are shuffled among the rows: above 0, the more so the more classes and the fewer rows. It reads amounts as whole numbers of rows.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: "An amount is not a whole number of rows.",
        laws: &[
            Transposed("expected_mutual_information"),
            Swapped("expected_mutual_information"),
        ],
        source: VINH,
        parameters: &[BASE],
        matrix: Some(&|m, parameters| Ok(expected_information(m)? / ln(parameters.number(0)))),
        ..BLANK
    },
    Index {
        name: "adjusted_mutual_information",
        aliases: &["ami", "ami_arithmetic"],
        title: "Adjusted mutual information",
        formula: "(mutual_information - expected_mutual_information) / (m - expected_mutual_information), m = ((entropy_of_actual^mean + entropy_of_predicted^mean) / 2)^(1 / mean)",
        about: "Mutual information beyond that of shuffled predictions, so that clusterings with different numbers of clusters compare: 0 on average for unrelated ones, 1 for the same, also where both have one cluster only or one for each row. It reads amounts as whole numbers of rows.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "An amount is not a whole number of rows, or chance leaves nothing to reach.",
        laws: &[
            Transposed("adjusted_mutual_information"),
            Swapped("adjusted_mutual_information"),
            Perfect(1.0),
        ],
        source: VINH,
        parameters: &[Parameter {
            name: "mean",
            default: Some(1.0),
            domain: Domain::Finite,
            about: "power of the mean of the two entropies: 1 arithmetic, 0 geometric; from 64 the greater, from -64 the lesser",
            two_classes: false,
        }],
        matrix: Some(&adjusted),
        ..BLANK
    },
    Index {
        name: "entropy_triangle_divergence",
        aliases: &[],
        title: "Entropy triangle: divergence from uniformity",
        formula: "(2 log K - entropy_of_actual - entropy_of_predicted) / (2 log K)",
        about: "The first of three shares that add up to 1: what the margins lack in evenness. Near 1 the task is hardly one, since one class prevails on both sides. Labels that do not occur count in K.",
        better: Better::Neither,
        undefined: ONE_LABEL,
        laws: &[
            Transposed("entropy_triangle_divergence"),
            Swapped("entropy_triangle_divergence"),
            ScaleFree,
        ],
        source: TRIANGLE,
        counts: Some(&triangle_divergence::<BinaryCounts>),
        matrix: Some(&triangle_divergence::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "entropy_triangle_information",
        aliases: &[],
        title: "Entropy triangle: mutual information",
        formula: "mutual_information / log K",
        about: "The second of three shares that add up to 1: twice the information that passes from actual to predicted class, over the most that the two could hold. Labels that do not occur count in K.",
        undefined: ONE_LABEL,
        laws: &[
            Transposed("entropy_triangle_information"),
            Swapped("entropy_triangle_information"),
            ScaleFree,
        ],
        source: TRIANGLE,
        counts: Some(&triangle_information::<BinaryCounts>),
        matrix: Some(&triangle_information::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "entropy_triangle_variation",
        aliases: &[],
        title: "Entropy triangle: variation of information",
        formula: "variation_of_information / (2 log K)",
        about: "The third of three shares that add up to 1: what actual and predicted class leave unknown about each other. Labels that do not occur count in K.",
        better: Better::Lower,
        undefined: ONE_LABEL,
        laws: &[
            Transposed("entropy_triangle_variation"),
            Swapped("entropy_triangle_variation"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: TRIANGLE,
        counts: Some(&triangle_variation::<BinaryCounts>),
        matrix: Some(&triangle_variation::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "entropy_modulated_accuracy",
        aliases: &["ema"],
        title: "Entropy-modulated accuracy",
        formula: "b^(-equivocation), b the base of the entropy: one over the number of classes that remain in doubt",
        about: "The accuracy to expect of guessing with the prediction known, as if the classes that remain in doubt were all alike. A classifier that always says the majority class does not gain by it. Blind to names: consistently wrong is as good as right.",
        laws: &[
            Swapped("entropy_modulated_accuracy"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: MODULATED,
        counts: Some(&modulated_accuracy::<BinaryCounts>),
        matrix: Some(&modulated_accuracy::<MatrixView>),
        ..BLANK
    },
    Index {
        name: "normalized_information_transfer",
        aliases: &["nit", "nit_factor"],
        title: "Normalised information transfer factor",
        formula: "b^mutual_information / K, b the base of the entropy",
        about: "By what factor the predictions divide the number of classes in doubt, over K: 1 / K for predictions that tell nothing, 1 for perfect ones of even classes. Labels that do not occur count in K.",
        laws: &[
            Transposed("normalized_information_transfer"),
            Swapped("normalized_information_transfer"),
            ScaleFree,
        ],
        source: MODULATED,
        counts: Some(&information_transfer::<BinaryCounts>),
        matrix: Some(&information_transfer::<MatrixView>),
        ..BLANK
    },
];

/// `amount ln(all / amount)`, which vanishes with the amount; their quotient may leave the range of `f64`.
fn surprise(amount: f64, all: f64) -> f64 {
    let quotient = all / amount;
    if amount <= 0.0 {
        0.0
    } else if quotient < f64::INFINITY {
        amount * ln(quotient)
    } else {
        amount * (ln(all) - ln(amount))
    }
}

/// s of confusion entropy: rows that are or are predicted to be of the class, right ones counted twice.
fn diagonal_twice(m: &MatrixView, class: usize) -> f64 {
    m.actual[class] + m.predicted[class]
}

/// s of modified confusion entropy: right ones counted once.
fn diagonal_once(m: &MatrixView, class: usize) -> f64 {
    m.actual[class] + m.one_vs_rest[class].fp
}

/// ln b.
fn log_base(m: &MatrixView, parameters: &Parameters) -> Outcome {
    let base = parameters.number(0);
    match m.classes() {
        0 | 1 => Err(Undefined::OneLabel),
        _ if !base.is_nan() => Ok(ln(base)),
        classes => Ok(ln(2.0 * (classes as f64 - 1.0))),
    }
}

/// The sum over all classes; `s` and the sum of its weights distinguish the two indices.
fn confusion(
    m: &MatrixView,
    parameters: &Parameters,
    s: fn(&MatrixView, usize) -> f64,
    weights: f64,
) -> Outcome {
    let log_base = log_base(m, parameters)?;
    let classes = 0..m.classes();
    let sum: f64 = classes
        .map(|class| class_surprise(m, class, s(m, class)))
        .sum();
    Ok(sum / (weights * log_base))
}

/// The entropy of one class's confusions.
fn class_confusion(
    m: &MatrixView,
    class: usize,
    parameters: &Parameters,
    s: fn(&MatrixView, usize) -> f64,
) -> Outcome {
    let log_base = log_base(m, parameters)?;
    let all = s(m, class);
    if all <= 0.0 {
        return Err(Undefined::AbsentClass);
    }
    Ok(class_surprise(m, class, all) / (all * log_base))
}

/// The sum of amount ln(all / amount) over a class's wrong cells, in its row and in its column.
fn class_surprise(m: &MatrixView, class: usize, all: f64) -> f64 {
    let (known, wrong) = (m.surprises(), m.one_vs_rest[class]);
    let missed = known.missed[class] + amount_by_log(wrong.fn_, all, m.actual[class]);
    let mistaken = known.mistaken[class] + amount_by_log(wrong.fp, all, m.predicted[class]);
    // Of weights, `all` may be rounded to a hair below a margin.
    (missed + mistaken).max(0.0)
}

/// The closed form of two classes, negative and positive.
fn confusion_of_counts(c: &BinaryCounts, parameters: &Parameters, s: [f64; 2]) -> f64 {
    let base = parameters.number(0);
    let log_base = ln(if base.is_nan() { 2.0 } else { base });
    let sum = |wrong: f64| surprise(wrong, s[0]) + surprise(wrong, s[1]);
    (sum(c.fp) + sum(c.fn_)) / (2.0 * c.total() * log_base)
}

/// Mutual information in nats. Its terms have both signs, so rounding may leave a hair below zero, which is cut off.
fn information<T: Table>(t: &T) -> f64 {
    t.once(
        |known| &known.information,
        || (t.sum_of_gains() / t.total()).max(0.0),
    )
}

/// Entropies in nats.
fn actual<T: Table>(t: &T) -> f64 {
    t.once(|known| &known.actual, || entropy(t, |c| c.tp + c.fn_))
}

fn predicted<T: Table>(t: &T) -> f64 {
    t.once(|known| &known.predicted, || entropy(t, |c| c.tp + c.fp))
}

fn joint<T: Table>(t: &T) -> f64 {
    t.once(
        |known| &known.joint,
        || match t.surprises() {
            Some(_) => actual(t) + given_actual(t),
            None => doubt(t, |_| t.total()),
        },
    )
}

fn given_actual<T: Table>(t: &T) -> f64 {
    match t.surprises() {
        Some(known) => known.given_actual() / t.total(),
        None => doubt(t, |part| part.actual),
    }
}

fn given_predicted<T: Table>(t: &T) -> f64 {
    match t.surprises() {
        Some(known) => known.given_predicted() / t.total(),
        None => doubt(t, |part| part.predicted),
    }
}

/// The entropy of a margin.
fn entropy<T: Table>(t: &T, margin: impl Fn(BinaryCounts) -> f64) -> f64 {
    let all = t.total();
    let rows = || t.classes().map(&margin).filter(|&rows| rows > 0.0);
    if rows().nth(1).is_none() {
        return 0.0; // one class has all the rows, however its weights are rounded
    }
    (T::sum_of_logs(rows().map(|rows| (rows, all, rows))) / all).max(0.0)
}

/// The entropy of the cells, each among so many rows.
fn doubt<T: Table>(t: &T, among: impl Fn(&Part) -> f64) -> f64 {
    let parts = t.parts().filter(|part| part.amount > 0.0);
    let sum = T::sum_of_logs(parts.map(|part| (part.amount, among(&part), part.amount)));
    (sum / t.total()).max(0.0)
}

fn mutual_information<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(information(t) / ln(parameters.number(0)))
}

fn rci<T: Table>(t: &T, _: &Parameters) -> Outcome {
    Ok(ratio(information(t), actual(t), Undefined::OneActualClass)?.min(1.0))
}

fn completeness<T: Table>(t: &T, _: &Parameters) -> Outcome {
    Ok(ratio(information(t), predicted(t), Undefined::OnePredictedClass)?.min(1.0))
}

fn entropy_of_actual<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(actual(t) / ln(parameters.number(0)))
}

fn entropy_of_predicted<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(predicted(t) / ln(parameters.number(0)))
}

fn joint_entropy<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(joint(t) / ln(parameters.number(0)))
}

fn conditional_entropy<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(given_actual(t) / ln(parameters.number(0)))
}

fn equivocation<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok(given_predicted(t) / ln(parameters.number(0)))
}

fn variation_of_information<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    Ok((given_actual(t) + given_predicted(t)) / ln(parameters.number(0)))
}

fn marginal_cross_entropy<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    let all = t.total();
    let leave_out = parameters.number(1) > 0.0;
    let mut sum = 0.0;
    for c in t.classes() {
        let (actual, predicted) = (c.tp + c.fn_, c.tp + c.fp);
        if actual > 0.0 && predicted > 0.0 {
            sum += actual / all * log_quotient(all, predicted);
        } else if actual > 0.0 && !leave_out {
            return Err(Undefined::NeverPredicted);
        }
    }
    Ok(sum.max(0.0) / ln(parameters.number(0)))
}

fn kl_divergence<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    let all = t.total();
    let mut sum = 0.0;
    for c in t.classes() {
        let (actual, predicted) = (c.tp + c.fn_, c.tp + c.fp);
        if actual > 0.0 && predicted > 0.0 {
            sum += actual / all * log_quotient(actual, predicted);
        } else if actual > 0.0 {
            return Err(Undefined::NeverPredicted);
        }
    }
    Ok(sum.max(0.0) / ln(parameters.number(0)))
}

/// ln(a / b), though the quotient may leave the range of `f64`.
fn log_quotient(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    if quotient > 0.0 && quotient < f64::INFINITY {
        ln(quotient)
    } else {
        ln(a) - ln(b)
    }
}

fn v_measure<T: Table>(t: &T, parameters: &Parameters) -> Outcome {
    let beta = parameters.number(0);
    // As shares, so that no beta is too large.
    let mean = beta / (1.0 + beta) * predicted(t) + actual(t) / (1.0 + beta);
    Ok(ratio(information(t), mean, Undefined::CertainAgreement)?.min(1.0))
}

fn nmi_geometric<T: Table>(t: &T, _: &Parameters) -> Outcome {
    normalized(t, |a, p| (a * p).sqrt())
}

fn nmi_min<T: Table>(t: &T, _: &Parameters) -> Outcome {
    normalized(t, f64::min)
}

fn nmi_max<T: Table>(t: &T, _: &Parameters) -> Outcome {
    normalized(t, f64::max)
}

/// Mutual information over a mean of the two entropies; 0 where one of them is 0.
fn normalized<T: Table>(t: &T, mean: fn(f64, f64) -> f64) -> Outcome {
    let (actual, predicted) = (actual(t), predicted(t));
    if actual == 0.0 && predicted == 0.0 {
        return Err(Undefined::CertainAgreement);
    }
    let mean = mean(actual, predicted);
    Ok(if mean == 0.0 {
        0.0
    } else {
        (information(t) / mean).min(1.0)
    })
}

/// ln K, for formulas of which nothing is left with one label.
fn log_labels<T: Table>(t: &T) -> Outcome {
    if t.labels() < 2.0 {
        return Err(Undefined::OneLabel);
    }
    Ok(ln(t.labels()))
}

fn triangle_divergence<T: Table>(t: &T, _: &Parameters) -> Outcome {
    let most = log_labels(t)?;
    let lack = (most - actual(t)).max(0.0) + (most - predicted(t)).max(0.0);
    Ok((lack / (2.0 * most)).min(1.0))
}

fn triangle_information<T: Table>(t: &T, _: &Parameters) -> Outcome {
    Ok((information(t) / log_labels(t)?).min(1.0))
}

fn triangle_variation<T: Table>(t: &T, _: &Parameters) -> Outcome {
    let most = log_labels(t)?;
    Ok(((given_actual(t) + given_predicted(t)) / (2.0 * most)).min(1.0))
}

fn modulated_accuracy<T: Table>(t: &T, _: &Parameters) -> Outcome {
    Ok((-given_predicted(t)).exp())
}

fn information_transfer<T: Table>(t: &T, _: &Parameters) -> Outcome {
    Ok((information(t).exp() / t.labels()).min(1.0))
}

/// Mutual information beyond that of chance, over the most beyond it.
fn adjusted(m: &MatrixView, parameters: &Parameters) -> Outcome {
    let (actual, predicted) = (actual(m), predicted(m));
    let expected = expected_information(m)?;
    if actual == 0.0 && predicted == 0.0 {
        return Ok(1.0);
    }
    let most = power_mean(actual, predicted, parameters.number(0));
    if most - expected <= 4.0 * f64::EPSILON * most {
        // Nothing to reach: the same clusters, of single rows, or others of which one tells nothing.
        let same = m.cells.len() == m.actual.iter().filter(|&&rows| rows != 0.0).count()
            && m.cells.len() == m.predicted.iter().filter(|&&rows| rows != 0.0).count();
        return if same {
            Ok(1.0)
        } else {
            Err(Undefined::ZeroDenominator)
        };
    }
    Ok(((information(m) - expected) / (most - expected)).min(1.0))
}

/// ((a^power + b^power) / 2)^(1 / power), in the limit where the power is 0, and nearly so where it is great.
fn power_mean(a: f64, b: f64, power: f64) -> f64 {
    let (least, most) = (a.min(b), a.max(b));
    match power {
        1.0 => a / 2.0 + b / 2.0,
        0.0 => (a * b).sqrt(),
        _ if power >= 64.0 => most,
        _ if power <= -64.0 || least == 0.0 && power < 0.0 => least,
        // Of the greater, so that no power overflows.
        _ => most * f64::midpoint(1.0, (least / most).powf(power)).powf(1.0 / power),
    }
}

/// The mean of mutual information over all ways to pair the rows' actual and predicted classes, in nats.
fn expected_information(m: &MatrixView) -> Outcome {
    let expected = m.once(
        |known| &known.expected,
        || {
            if m.cells.iter().any(|cell| cell.amount.fract() != 0.0) {
                return None;
            }
            let (actual, predicted) = (sizes(&m.actual), sizes(&m.predicted));
            let terms = Information::new(predicted, m.total);
            let sum: f64 = actual.iter().map(|&(a, of_a)| of_a * terms.of(a)).sum();
            Some(sum.max(0.0))
        },
    );
    expected.ok_or(Undefined::NoPairs)
}

/// The sizes that classes have, and how many have each.
fn sizes(amounts: &[f64]) -> Vec<(f64, f64)> {
    let mut sizes: Vec<f64> = amounts.iter().copied().filter(|&x| x > 0.0).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    sizes
        .chunk_by(|one, next| one == next)
        .filter_map(|equal| equal.first().map(|&size| (size, equal.len() as f64)))
        .collect()
}
