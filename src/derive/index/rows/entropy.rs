//! Entropies of the confusion matrix, and information.
//!
//! Conditional entropies are sums over the cells too, not differences of entropies. All of them
//! follow from two logarithms of each cell (`labels/surprise.rs`), taken once for a matrix and
//! cached with it.
//!
//! The mutual information expected by chance is a sum over pairs of classes (see
//! [`hypergeometric`]). Equal pairs of margins are computed once, so many small classes make few
//! pairs, at most 2 T.
//!
//! Source: Vinh, Epps, Bailey 2010.
//!
//! [`hypergeometric`]: crate::arith::hypergeometric

// A form answers with an outcome, though some always have a value.
#![allow(clippy::unnecessary_wraps)]

use crate::arith::hypergeometric::expected_information;
use crate::arith::logarithm::ln;
use crate::arith::number::Number;
use crate::index::form::{AgainstChance, Form, form, plain_matrix, table_forms};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::matrix_sums::{Part, Table, small_information};
use crate::index::spread::{Delta, NoInterval};
use crate::index::value::{Outcome, Undefined};
use crate::index::value::{finite, ratio};
use crate::labels::view::{BinaryCounts, MatrixView};

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

const SPEICHER: &str = "Speicher et al. 2018, doi:10.1145/3219819.3220046";

const SHANNON: &str = "Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "mutual_information",
        aliases: &["mi", "information_gain", "rci_bits"],
        title: "Mutual information of actual and predicted class",
        formula: "sum_ij (M[i,j] / T) log_b(M[i,j] T / (t[i] p[j])), b = 2",
        about: "The information that the predicted class gives about the actual one, in bits \
                unless another base is given. It is Sindhwani's relative classifier information \
                before division. Consistently wrong predictions score like right ones, and it \
                grows with the number of classes.",
        range: (0.0, f64::INFINITY),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: SHANNON,
        parameters: &[BASE],
        delta: Delta::Information,
        ..reading(table_forms!(ln, |t, p| mutual_information(t, p)))
    },
    Index {
        name: "rci",
        aliases: &[
            "relative_classifier_information",
            "uncertainty_coefficient",
            "theils_u",
            "homogeneity",
            "homogeneity_score",
        ],
        title: "Relative classifier information (uncertainty coefficient, homogeneity)",
        formula: "mutual_information / entropy_of_actual",
        about: "The share of the entropy of the actual class that the predictions remove. The \
                names do not matter: consistently wrong predictions have 1. With one actual class \
                there is nothing to remove; scikit-learn's homogeneity is 1 then.",
        undefined: "All rows are actually of one class, so there is nothing to inform about.",
        laws: &[Transposed("completeness"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Sindhwani, Bhattacharya, Rakshit 2001, doi:10.1137/1.9781611972719.16; Theil 1970, doi:10.1086/224909; Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420",
        ..reading(table_forms!(ln, |t, p| rci(t, p)))
    },
    Index {
        name: "completeness",
        aliases: &[
            "theils_u_of_predicted",
            "uncertainty_coefficient_of_predicted",
            "completeness_score",
        ],
        title: "Completeness (uncertainty coefficient of the predicted class)",
        formula: "mutual_information / entropy_of_predicted",
        about: "The share of the entropy of the predicted class that the actual class removes: 1 \
                if no actual class is split among predictions. With one predicted class \
                scikit-learn has 1.",
        undefined: "All rows are predicted to be of one class.",
        laws: &[Transposed("rci"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420",
        ..reading(table_forms!(ln, |t, p| completeness(t, p)))
    },
    Index {
        name: "entropy_of_actual",
        aliases: &["reference_entropy"],
        title: "Entropy of the actual classes",
        formula: "-sum_k (t[k] / T) log_b(t[k] / T), b = 2",
        about: "The entropy of the actual class before any prediction: log K if all K classes are \
                equally frequent, 0 if there is only one.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("entropy_of_predicted"), Swapped(SELF), ScaleFree],
        source: SHANNON,
        parameters: &[BASE],
        joint: Joint::UpDown,
        ..reading(table_forms!(ln, |t, p| entropy_of_actual(t, p)))
    },
    Index {
        name: "entropy_of_predicted",
        aliases: &["response_entropy"],
        title: "Entropy of the predicted classes",
        formula: "-sum_k (p[k] / T) log_b(p[k] / T), b = 2",
        about: "The entropy of the predicted classes, right or wrong.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("entropy_of_actual"), Swapped(SELF), ScaleFree],
        source: SHANNON,
        parameters: &[BASE],
        ..reading(table_forms!(ln, |t, p| entropy_of_predicted(t, p)))
    },
    Index {
        name: "joint_entropy",
        title: "Joint entropy of actual and predicted class",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / T), b = 2",
        about: "The entropy of the cells of the matrix. With perfect predictions it is the \
                entropy of the actual classes.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: SHANNON,
        parameters: &[BASE],
        ..reading(table_forms!(ln, |t, p| joint_entropy(t, p)))
    },
    Index {
        name: "conditional_entropy",
        aliases: &["conditional_entropy_of_predicted"],
        title: "Conditional entropy of the predicted class, given the actual one",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / t[i]), b = 2",
        about: "The entropy of the prediction for rows of a known class: 0 if each class always \
                gets the same prediction. This is PyCM's conditional entropy; the other direction \
                is the equivocation.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed("equivocation"), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: SHANNON,
        parameters: &[BASE],
        ..reading(table_forms!(ln, |t, p| conditional_entropy(t, p)))
    },
    Index {
        name: "equivocation",
        aliases: &["conditional_entropy_of_actual"],
        title: "Conditional entropy of the actual class, given the predicted one (equivocation)",
        formula: "-sum_ij (M[i,j] / T) log_b(M[i,j] / p[j]), b = 2",
        about: "The entropy of the actual class that remains once the prediction is known.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed("conditional_entropy"), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: SHANNON,
        parameters: &[BASE],
        ..reading(table_forms!(ln, |t, p| equivocation(t, p)))
    },
    Index {
        name: "marginal_cross_entropy",
        aliases: &["cross_entropy_of_margins"],
        title: "Cross entropy of the predicted proportions, relative to the actual ones",
        formula: "-sum_k (t[k] / T) log_b(p[k] / T), b = 2",
        about: "The cross-entropy of the actual class proportions under the predicted ones. It \
                reads only the margins, so it is not the log loss and ignores which rows are \
                right. Infinite if a class that occurs is never predicted; PyCM leaves such \
                classes out, as leave_out=1 does.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A class that occurs is never predicted; infinite.",
        when_undefined: f64::INFINITY,
        laws: &[Swapped(SELF), ScaleFree],
        source: SHANNON,
        parameters: &[
            BASE,
            Parameter {
                name: "leave_out",
                default: Some(0.0),
                domain: Domain::Share,
                about: "1 leaves out classes that are never predicted; 0 makes them infinitely \
                        surprising",
                two_classes: false,
            },
        ],
        ..reading(table_forms!(ln, |t, p| marginal_cross_entropy(t, p)))
    },
    Index {
        name: "kl_divergence",
        aliases: &["kullback_leibler_divergence", "relative_entropy"],
        title: "Kullback-Leibler divergence of the predicted proportions from the actual ones",
        formula: "sum_k (t[k] / T) log_b(t[k] / p[k]), b = 2",
        about: "The Kullback-Leibler divergence between the actual and the predicted class \
                proportions: 0 if they are equal, even if all rows are wrong. Infinite if a class \
                that occurs is never predicted.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "A class that occurs is never predicted; infinite.",
        when_undefined: f64::INFINITY,
        laws: &[Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Kullback, Leibler 1951, doi:10.1214/aoms/1177729694",
        parameters: &[BASE],
        delta: Delta::None(NoInterval::Flat),
        ..reading(table_forms!(ln, |t, p| kl_divergence(t, p)))
    },
    Index {
        name: "variation_of_information",
        aliases: &["vi"],
        title: "Variation of information",
        formula: "conditional_entropy + equivocation",
        about: "A metric distance between two clusterings: what each leaves unknown about the \
                other. 0 if each class determines the other, whatever the names. It grows with \
                the number of classes.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Meila 2007, doi:10.1016/j.jmva.2006.11.013",
        parameters: &[BASE],
        ..reading(table_forms!(ln, |t, p| variation_of_information(t, p)))
    },
    Index {
        name: "v_measure",
        aliases: &[
            "normalized_mutual_information",
            "nmi",
            "nmi_arithmetic",
            "symmetric_uncertainty",
            "v_measure_score",
            "normalized_mutual_info_score",
        ],
        title: "V-measure (normalised mutual information; symmetric uncertainty)",
        formula: "(1 + beta) mutual_information / (beta entropy_of_predicted + entropy_of_actual) = (1 + beta) homogeneity completeness / (beta homogeneity + completeness)",
        about: "Mutual information divided by the mean of the two entropies: 1 if each class \
                determines the other. The names of the classes do not matter. It is not corrected \
                for chance: many small clusters raise it.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Rosenberg, Hirschberg 2007, V-measure, EMNLP-CoNLL, pp. 410-420; Strehl, Ghosh 2002, doi:10.1162/153244303321897735",
        parameters: &[Parameter {
            name: "beta",
            default: Some(1.0),
            domain: Domain::NotNegative,
            about: "the weight of completeness relative to homogeneity",
            two_classes: false,
        }],
        ..reading(table_forms!(ln, |t, p| v_measure(t, p)))
    },
    Index {
        name: "nmi_geometric",
        title: "Normalised mutual information (by the geometric mean of the entropies)",
        formula: "mutual_information / sqrt(entropy_of_actual entropy_of_predicted)",
        about: "Mutual information divided by the geometric mean of the two entropies; the \
                V-measure uses the arithmetic mean. It is 0 where one side is a single class and \
                the other is not.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: VINH,
        ..reading(table_forms!(ln, |t, p| nmi_geometric(t, p)))
    },
    Index {
        name: "nmi_min",
        title: "Normalised mutual information (by the lesser of the entropies)",
        formula: "mutual_information / min(entropy_of_actual, entropy_of_predicted)",
        about: "Mutual information divided by the lesser of the two entropies; the V-measure uses \
                their mean. It is 0 where one side is a single class and the other is not.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: VINH,
        ..reading(table_forms!(ln, |t, p| nmi_min(t, p)))
    },
    Index {
        name: "nmi_max",
        title: "Normalised mutual information (by the greater of the entropies)",
        formula: "mutual_information / max(entropy_of_actual, entropy_of_predicted)",
        about: "Mutual information divided by the greater of the two entropies; the V-measure \
                uses their mean.",
        undefined: ONE_CLUSTER,
        when_undefined: 1.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: VINH,
        ..reading(table_forms!(ln, |t, p| nmi_max(t, p)))
    },
    Index {
        name: "expected_mutual_information",
        aliases: &["emi"],
        title: "Mutual information expected by chance from the margins",
        formula: "mean of mutual_information over all ways to pair the actual with the predicted classes",
        about: "The mean mutual information if the predictions are shuffled among the rows. It is \
                above 0, and greater for more classes and fewer rows. Amounts are read as whole \
                numbers of rows.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: "An amount is not a whole number of rows.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: VINH,
        parameters: &[BASE],
        delta: Delta::None(NoInterval::Flat),
        ..reading(&[
            Form::Counts(&AgainstChance(|_, expected, parameters| {
                Ok(expected / ln(parameters.number(0)))
            })),
            plain_matrix(&|m, parameters| Ok(expected(m)? / ln(parameters.number(0)))),
        ])
    },
    Index {
        name: "adjusted_mutual_information",
        aliases: &["ami", "ami_arithmetic", "adjusted_mutual_info_score"],
        title: "Adjusted mutual information",
        formula: "(mutual_information - expected_mutual_information) / (m - expected_mutual_information), m = ((entropy_of_actual^mean + entropy_of_predicted^mean) / 2)^(1 / mean)",
        about: "Mutual information beyond that expected of shuffled predictions, so clusterings \
                with different numbers of clusters are comparable: 0 on average for unrelated \
                ones, 1 for identical ones, also if both have a single cluster or one for each \
                row. Amounts are read as whole numbers of rows.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "An amount is not a whole number of rows, or chance leaves nothing to reach.",
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: VINH,
        parameters: &[Parameter {
            name: "mean",
            default: Some(1.0),
            domain: Domain::Finite,
            about: "power of the mean of the two entropies: 1 arithmetic, 0 geometric; from 64 \
                    the greater, from -64 the lesser",
            two_classes: false,
        }],
        ..reading(&[
            Form::Counts(&AgainstChance(adjusted)),
            plain_matrix(&|m, parameters| adjusted(m, expected(m)?, parameters)),
        ])
    },
    Index {
        name: "entropy_triangle_divergence",
        title: "Entropy triangle: divergence from uniformity",
        formula: "(2 log K - entropy_of_actual - entropy_of_predicted) / (2 log K)",
        about: "The first of three shares that add up to 1: the deviation of the margins from a \
                uniform distribution. Near 1 the task is trivial, since one class dominates both \
                margins. K includes labels that do not occur.",
        better: Better::Neither,
        undefined: ONE_LABEL,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: TRIANGLE,
        ..reading(table_forms!(ln, |t, p| triangle_divergence(t, p)))
    },
    Index {
        name: "entropy_triangle_information",
        title: "Entropy triangle: mutual information",
        formula: "mutual_information / log K",
        about: "The second of three shares that add up to 1: twice the mutual information, \
                divided by the maximum that both margins could hold. K includes labels that do \
                not occur.",
        undefined: ONE_LABEL,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: TRIANGLE,
        ..reading(table_forms!(ln, |t, p| triangle_information(t, p)))
    },
    Index {
        name: "entropy_triangle_variation",
        title: "Entropy triangle: variation of information",
        formula: "variation_of_information / (2 log K)",
        about: "The third of three shares that add up to 1: what actual and predicted class leave \
                unknown about each other. K includes labels that do not occur.",
        better: Better::Lower,
        undefined: ONE_LABEL,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: TRIANGLE,
        ..reading(table_forms!(ln, |t, p| triangle_variation(t, p)))
    },
    Index {
        name: "entropy_modulated_accuracy",
        aliases: &["ema"],
        title: "Entropy-modulated accuracy",
        formula: "b^(-equivocation), b the base of the entropy: one over the number of classes that remain in doubt",
        about: "The accuracy of guessing with the prediction known, if the classes that remain \
                possible were equally likely. A classifier that always names the majority class \
                gains nothing. The names do not matter: consistently wrong is as good as right.",
        laws: &[Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: MODULATED,
        ..reading(table_forms!(ln, |t, p| modulated_accuracy(t, p)))
    },
    Index {
        name: "normalized_information_transfer",
        aliases: &["nit", "nit_factor"],
        title: "Normalised information transfer factor",
        formula: "b^mutual_information / K, b the base of the entropy",
        about: "The factor by which the predictions reduce the effective number of classes, \
                divided by K. 1 / K means no information, 1 perfect predictions of equally \
                frequent classes. K includes labels that do not occur.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: MODULATED,
        ..reading(table_forms!(ln, |t, p| information_transfer(t, p)))
    },
    Index {
        name: "generalized_entropy_index",
        aliases: &["generalised_entropy_index", "generalized_entropy_error"],
        title: "Generalised entropy index of benefits, of order 2",
        formula: "(mean of (b / m)^2 - 1) / 2, b = 1 + predicted - actual of each row, which is 2 for a false positive, 1 for a right \
                  prediction and 0 for a false negative, m the mean of b",
        about: "How unevenly predictions treat the rows, if a false positive is an unearned benefit \
                and a false negative a benefit denied: half the squared coefficient of variation \
                of the benefits. 0 if all have the same, as where all are right. It says nothing \
                of groups; ask it by group as well.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "All rows are false negatives.",
        laws: &[ScaleFree, Perfect(0.0)],
        source: SPEICHER,
        ..reading(&[form!(|c, _| {
            let right = c.tp + c.tn;
            let benefits = right + c.fp * 2.0;
            // Shares, whose products do not overflow where the value does not.
            let right = ratio(right, benefits, Undefined::ZeroDenominator)?;
            let (granted, denied) = (c.fp / benefits, c.fn_ / benefits);
            finite((right * (granted + denied) + granted * denied * 4.0) / 2.0)
        })])
    },
    Index {
        name: "theil_index",
        aliases: &["theil_t"],
        title: "Theil index of benefits",
        formula: "mean of (b / m) ln(b / m), b = 1 + predicted - actual of each row, which is 2 for a false positive, 1 for a right \
                  prediction and 0 for a false negative, m the mean of b",
        about: "The generalised entropy index of order 1: how unevenly predictions treat the rows, \
                in nats. 0 if all have the same benefit, as where all are right.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "All rows are false negatives.",
        laws: &[ScaleFree, Perfect(0.0)],
        source: SPEICHER,
        ..reading(&[form!(ln, |c, _| {
            let right = c.tp + c.tn;
            let benefits = right + c.fp * 2.0;
            if benefits.is_zero() {
                return Err(Undefined::ZeroDenominator);
            }
            let rows = right + c.fp + c.fn_;
            let twice = c.fp * 2.0 / benefits * std::f64::consts::LN_2;
            Ok((rows.ln_of_quotient(benefits) + twice).at_least(0.0))
        })])
    },
];

/// Mutual information in nats.
fn information<N: Number>(t: &impl Table<N>) -> N {
    /// Below this the sum of gains, whose terms have both signs, has lost digits.
    const SMALL: f64 = 0.02;
    t.once(
        |known| &known.information,
        || {
            let found = t.sum_of_gains() / t.total();
            if found.near() < SMALL { small_information(t).at_least(0.0) } else { found }
        },
    )
}

/// Entropies in nats.
fn actual<N: Number>(t: &impl Table<N>) -> N {
    t.once(|known| &known.actual, || entropy(t, |c| c.tp + c.fn_))
}

fn predicted<N: Number>(t: &impl Table<N>) -> N {
    t.once(|known| &known.predicted, || entropy(t, |c| c.tp + c.fp))
}

fn joint<N: Number>(t: &impl Table<N>) -> N {
    t.once(
        |known| &known.joint,
        || {
            if t.surprises().is_some() {
                actual(t) + given_actual(t)
            } else {
                doubt(t, |_| t.total())
            }
        },
    )
}

fn given_actual<N: Number>(t: &impl Table<N>) -> N {
    match t.surprises() {
        Some([known, _]) => known / t.total(),
        None => doubt(t, |part| part.actual),
    }
}

fn given_predicted<N: Number>(t: &impl Table<N>) -> N {
    match t.surprises() {
        Some([_, known]) => known / t.total(),
        None => doubt(t, |part| part.predicted),
    }
}

/// The entropy of a margin.
fn entropy<N: Number, T: Table<N>>(t: &T, margin: impl Fn(BinaryCounts<N>) -> N) -> N {
    let all = t.total();
    let rows = || t.classes().map(&margin).filter(|rows| rows.is_positive());
    if rows().nth(1).is_none() {
        return N::of(0.0); // one class has all the rows, however its weights are rounded
    }
    (T::sum_of_logs(rows().map(|rows| (rows, all, rows))) / all).at_least(0.0)
}

/// The entropy of the cells, each among so many rows.
fn doubt<N: Number, T: Table<N>>(t: &T, among: impl Fn(&Part<N>) -> N) -> N {
    let parts = t.parts().filter(|part| part.mass.is_positive());
    let sum = T::sum_of_logs(parts.map(|part| (part.mass, among(&part), part.mass)));
    (sum / t.total()).at_least(0.0)
}

fn mutual_information<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(information(t) / ln(parameters.number(0)))
}

fn rci<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok(ratio(information(t), actual(t), Undefined::OneActualClass)?.at_most(1.0))
}

fn completeness<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok(ratio(information(t), predicted(t), Undefined::OnePredictedClass)?.at_most(1.0))
}

fn entropy_of_actual<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(actual(t) / ln(parameters.number(0)))
}

fn entropy_of_predicted<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(predicted(t) / ln(parameters.number(0)))
}

fn joint_entropy<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(joint(t) / ln(parameters.number(0)))
}

fn conditional_entropy<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(given_actual(t) / ln(parameters.number(0)))
}

fn equivocation<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok(given_predicted(t) / ln(parameters.number(0)))
}

fn variation_of_information<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    Ok((given_actual(t) + given_predicted(t)) / ln(parameters.number(0)))
}

fn marginal_cross_entropy<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    let all = t.total();
    let leave_out = parameters.number(1) > 0.0;
    let mut sum = N::of(0.0);
    for c in t.classes() {
        let (actual, predicted) = (c.tp + c.fn_, c.tp + c.fp);
        if actual.is_positive() && predicted.is_positive() {
            sum = sum + actual / all * all.ln_of_quotient(predicted);
        } else if actual.is_positive() && !leave_out {
            return Err(Undefined::NeverPredicted);
        }
    }
    Ok(sum.at_least(0.0) / ln(parameters.number(0)))
}

fn kl_divergence<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    let all = t.total();
    let mut sum = N::of(0.0);
    for c in t.classes() {
        let (actual, predicted) = (c.tp + c.fn_, c.tp + c.fp);
        if actual.is_positive() && predicted.is_positive() {
            sum = sum + actual / all * actual.ln_of_quotient(predicted);
        } else if actual.is_positive() {
            return Err(Undefined::NeverPredicted);
        }
    }
    Ok(sum.at_least(0.0) / ln(parameters.number(0)))
}

fn v_measure<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    let beta = parameters.number(0);
    // As shares, so that no beta is too large.
    let mean = predicted(t) * (beta / (1.0 + beta)) + actual(t) / (1.0 + beta);
    Ok(ratio(information(t), mean, Undefined::CertainAgreement)?.at_most(1.0))
}

fn nmi_geometric<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    normalized(t, |a, p| N::sqrt(a * p))
}

fn nmi_min<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    normalized(t, N::min)
}

fn nmi_max<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    normalized(t, N::max)
}

/// Mutual information over a mean of the two entropies; 0 where one of them is 0.
fn normalized<N: Number>(t: &impl Table<N>, mean: fn(N, N) -> N) -> Outcome<N> {
    let (actual, predicted) = (actual(t), predicted(t));
    if actual.is_zero() && predicted.is_zero() {
        return Err(Undefined::CertainAgreement);
    }
    let mean = mean(actual, predicted);
    Ok(if mean.is_zero() { N::of(0.0) } else { (information(t) / mean).at_most(1.0) })
}

/// ln K, for formulas that are undefined with one label.
fn log_labels<N: Number>(t: &impl Table<N>) -> Outcome {
    if t.labels() < 2.0 {
        return Err(Undefined::OneLabel);
    }
    Ok(ln(t.labels()))
}

fn triangle_divergence<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let most = log_labels(t)?;
    let lack = |entropy: N| (N::of(most) - entropy).at_least(0.0);
    Ok(((lack(actual(t)) + lack(predicted(t))) / (2.0 * most)).at_most(1.0))
}

fn triangle_information<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok((information(t) / log_labels(t)?).at_most(1.0))
}

fn triangle_variation<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let most = log_labels(t)?;
    Ok(((given_actual(t) + given_predicted(t)) / (2.0 * most)).at_most(1.0))
}

fn modulated_accuracy<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok((-given_predicted(t)).exp())
}

fn information_transfer<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok((information(t).exp() / t.labels()).at_most(1.0))
}

/// (information - expected) / (greatest information - expected).
fn adjusted<T: Table<f64>>(t: &T, expected: f64, parameters: &Parameters) -> Outcome {
    let (actual, predicted) = (actual(t), predicted(t));
    if actual == 0.0 && predicted == 0.0 {
        return Ok(1.0);
    }
    let most = power_mean(actual, predicted, parameters.number(0));
    if most - expected <= 4.0 * f64::EPSILON * most {
        // Nothing to reach: the same clusters, of single rows, or others of which one tells
        // nothing.
        let cells = t.parts().filter(|part| part.mass != 0.0).count();
        let present =
            |rows: fn(&BinaryCounts) -> f64| t.classes().filter(|c| rows(c) != 0.0).count();
        let same = cells == present(|c| c.tp + c.fn_) && cells == present(|c| c.tp + c.fp);
        return if same { Ok(1.0) } else { Err(Undefined::ZeroDenominator) };
    }
    Ok(((information(t) - expected) / (most - expected)).min(1.0))
}

/// ((a^power + b^power) / 2)^(1 / power), in the limit where the power is 0, and nearly so where it
/// is great.
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

/// The mean of mutual information over all ways to pair the rows' actual and predicted classes, in
/// nats.
fn expected(m: &MatrixView) -> Outcome {
    let expected = m.once(
        |known| &known.expected,
        || {
            let is_whole = m.cells.iter().all(|cell| cell.mass.fract() == 0.0);
            is_whole.then(|| expected_information(&m.actual, &m.predicted, m.total))
        },
    );
    expected.ok_or(Undefined::NoPairs)
}
