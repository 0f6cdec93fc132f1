//! Standard errors, and p-values: how probable a result is by chance alone.
//!
//! Rows are taken to be independent, and sums of weights to be counts.

use crate::arith::logarithm::ln;
use crate::arith::number::{Number, WHOLE};
use crate::arith::special::{binomial_upper_tail, chi_squared_upper_tail};
use crate::base::memory::{Gather, Room};
use crate::index::form::{Form, first, form, matrix_form, plain, plain_matrix};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::association::phi_squared;
use crate::index::rows::correlation::phi;
use crate::index::rows::matrix_sums::{FEW, Table, of_class, weighed_rows};
use crate::index::spread::{Base, Delta, Method, NoInterval, Spread};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};

const FLEISS: &str = "Fleiss, Cohen, Everitt 1969, doi:10.1037/h0028106";
const COHEN: &str = "Cohen 1960, doi:10.1177/001316446002000104";
const MCNEMAR: &str = "McNemar 1947, doi:10.1007/BF02295996";
const BOWKER: &str =
    "McNemar 1947, doi:10.1007/BF02295996; Bowker 1948, doi:10.1080/01621459.1948.10483284";
const HARMLESS: &str =
    "All rows are of one class and predicted to be of it: chance alone agrees always.";

/// Edwards's correction for continuity.
const CORRECTION: &[Parameter] = &[Parameter {
    name: "correction",
    default: Some(1.0),
    domain: Domain::NotNegative,
    about: "for two classes, the continuity correction of the difference of fp and fn: 1 as in R \
            and caret, 0 for none",
    two_classes: true,
}];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "accuracy_standard_error",
        aliases: &["overall_accuracy_standard_error"],
        title: "Standard error of accuracy",
        formula: "sqrt(accuracy (1 - accuracy) / n)",
        about: "The standard error of accuracy: how much it would vary between samples of this \
                size. It is 0 if all rows are right or all wrong, which carries no information. \
                Use an interval then.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(0.0)],
        source: "Wald, Wolfowitz 1939, doi:10.1214/aoms/1177732209",
        ..reading(&[
            form!(|c, _| Ok(share_error(c.tp + c.tn, c.fp + c.fn_))),
            matrix_form!(|m, _| Ok(share_error(m.right(), m.wrong()))),
        ])
    },
    Index {
        name: "accuracy_p_value",
        aliases: &["p_acc_gt_nir", "accuracy_pvalue"],
        title: "P-value of accuracy against the share of the largest class",
        formula: "sum_k binomial(n, k) q^k (1 - q)^(n - k), k from the rows predicted right to n, q = max_k t[k] / T",
        about: "The p-value of the exact one-sided binomial test: small if accuracy exceeds the \
                share of the largest class (the no-information rate) by more than chance \
                explains. That rate is taken as known.",
        better: Better::Lower,
        laws: &[Swapped(SELF)],
        source: "Clopper, Pearson 1934, doi:10.1093/biomet/26.4.404; Kuhn 2008, doi:10.18637/jss.v028.i05",
        joint: Joint::DownUp,
        delta: Delta::None(NoInterval::Test),
        ..reading(&[
            plain(&|c, _| {
                let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
                let (most, rest) = (positives.max(negatives), positives.min(negatives));
                Ok(binomial_upper_tail(c.tp + c.tn, most + rest, most, rest))
            }),
            plain_matrix(&|m, _| {
                let largest = |best: usize, k: usize| {
                    if m.actual[k] > m.actual[best] { k } else { best }
                };
                let largest = (1..m.classes()).fold(0, largest);
                let counts = m.one_vs_rest(largest);
                let (most, rest) = (m.actual[largest], counts.fp + counts.tn);
                Ok(binomial_upper_tail(m.correct.iter().sum(), m.total, most, rest))
            }),
        ])
    },
    Index {
        name: "kappa_standard_error",
        aliases: &["kappa_se"],
        title: "Standard error of kappa",
        formula: "sqrt(sum_ij s[i,j] (g[i,j] - m)^2 / T) / (1 - pe), s[i,j] = M[i,j] / T, m = sum_ij s[i,j] g[i,j], \
            g[i,j] = [i = j] - (1 - kappa) (p[i] + t[j]) / T, pe = sum_k t[k] p[k] / T^2",
        about: "The standard error of kappa: how much it would vary between samples of this size. \
                Intervals are made from this one.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: HARMLESS,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(0.0)],
        source: FLEISS,
        ..reading(&[form!(|c, _| kappa_error_of_counts(c)), matrix_form!(|m, _| kappa_error(m))])
    },
    Index {
        name: "kappa_simple_standard_error",
        aliases: &["kappa_simple_se"],
        title: "Standard error of kappa, agreement by chance taken as known",
        formula: "sqrt(po (1 - po) / T) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k t[k] p[k] / T^2",
        about: "Cohen's first approximation, which PyCM reports. It ignores the sampling error of \
                the margins; kappa_standard_error does not.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: HARMLESS,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(0.0)],
        source: COHEN,
        ..reading(&[
            form!(|c, _| {
                let (beyond, _) = beyond_chance_of_counts(c)?;
                Ok(share_error(c.tp + c.tn, c.fp + c.fn_) / beyond)
            }),
            matrix_form!(|m, _| kappa_simple_error(m)),
        ])
    },
    Index {
        name: "kappa_null_standard_error",
        aliases: &["kappa_null_se"],
        title: "Standard error of kappa where there is no agreement beyond chance",
        formula: "sqrt((pe + pe^2 - sum_k t[k] p[k] (t[k] + p[k]) / T^3) / T) / (1 - pe), pe = sum_k t[k] p[k] / T^2",
        about: "For testing whether kappa is 0. If it is, kappa divided by this is approximately \
                standard normal.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: HARMLESS,
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: FLEISS,
        delta: Delta::None(NoInterval::Flat),
        ..reading(&[
            form!(|c, _| {
                let (beyond, n) = beyond_chance_of_counts(c)?;
                let actual = (c.tp + c.fn_) / n * ((c.fp + c.tn) / n);
                let predicted = (c.tp + c.fp) / n * ((c.fn_ + c.tn) / n);
                Ok(N::sqrt(actual * predicted / n) * 2.0 / beyond)
            }),
            matrix_form!(|m, _| kappa_null_error(m)),
        ])
    },
    Index {
        name: "chi_squared_p_value",
        aliases: &["chisq_p_value", "p_chisquared"],
        title: "P-value of the chi-squared test of independence",
        formula: "chi_squared_tail(x, (r - 1) (c - 1)), x = chi_squared; x = n max(|tp tn - fp fn| - y n / 2, 0)^2 / \
            ((tp + fn) (tn + fp) (tp + fp) (tn + fn)), y = correction; r the number of classes that occur, c of those that are predicted",
        about: "The p-value of the chi-squared test of independence: small if actual and \
                predicted class depend on each other in any way. It is only approximate where \
                expected amounts are below about 5.",
        better: Better::Neither,
        undefined: "All rows are actually of one class, or all are predicted to be of one.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: "Pearson 1900, doi:10.1080/14786440009463897; Yates 1934, doi:10.2307/2983604",
        parameters: &[Parameter {
            name: "correction",
            default: Some(0.0),
            domain: Domain::Share,
            about: "for two classes, the share of Yates's continuity correction to apply: 0 none, \
                    1 all",
            two_classes: true,
        }],
        delta: Delta::None(NoInterval::Test),
        ..reading(&[
            form!(ln, |c, parameters| Ok(chi_squared(c, parameters)?.chi_squared_tail())),
            plain_matrix(&|m, parameters| {
                if m.classes() == 2 {
                    return Ok(chi_squared_upper_tail(
                        chi_squared(&m.one_vs_rest(1), parameters)?,
                        1.0,
                    ));
                }
                let (phi_squared, actual, predicted) = phi_squared(m)?;
                let freedom = (actual - 1.0) * (predicted - 1.0);
                Ok(chi_squared_upper_tail(phi_squared * m.total, freedom))
            }),
        ])
    },
    Index {
        name: "mcnemar_statistic",
        aliases: &["mcnemar", "bowker_statistic"],
        title: "McNemar's statistic (with more classes, Bowker's)",
        formula: "max(|fn - fp| - correction, 0)^2 / (fn + fp); sum_ij (M[i,j] - M[j,i])^2 / (M[i,j] + M[j,i]), i < j",
        about: "Large where classes are confused more often in one direction than in the other. \
                It does not measure how many errors there are. Pairs of classes that are never \
                confused are left out.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: "No row is predicted wrong.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: BOWKER,
        parameters: CORRECTION,
        delta: Delta::None(NoInterval::Test),
        ..reading(&[
            form!(|c, parameters| mcnemar(c, parameters)),
            matrix_form!(|m, parameters| Ok(bowker(m, parameters)?.0)),
        ])
    },
    Index {
        name: "mcnemar_p_value",
        aliases: &["mcnemar_pvalue", "bowker_p_value"],
        title: "P-value of McNemar's test",
        formula: "chi_squared_tail(mcnemar_statistic, d), d the pairs of classes that are confused at all, 1 for two classes",
        about: "The p-value of McNemar's test, of Bowker's for more than two classes: small if \
                the classes are confused with each other unevenly. As R's mcnemar.test, except \
                that pairs of classes that are never confused are left out, where R has no value.",
        better: Better::Neither,
        undefined: "No row is predicted wrong.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: BOWKER,
        parameters: CORRECTION,
        delta: Delta::None(NoInterval::Test),
        ..reading(&[
            form!(ln, |c, parameters| Ok(mcnemar(c, parameters)?.chi_squared_tail())),
            plain_matrix(&|m, parameters| {
                let (statistic, freedom) = bowker(m, parameters)?;
                Ok(chi_squared_upper_tail(statistic, freedom))
            }),
        ])
    },
    Index {
        name: "mcnemar_exact_p_value",
        aliases: &["mcnemar_exact"],
        title: "McNemar's test, exact",
        formula: "min(1, 2 sum_k binomial(fp + fn, k) / 2^(fp + fn)), k from max(fp, fn) to fp + fn",
        about: "The p-value of the exact McNemar test: small if the numbers of false positives \
                and false negatives differ by more than chance explains. It is exact for few \
                errors too, and 1 if there are none.",
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: MCNEMAR,
        delta: Delta::None(NoInterval::Test),
        ..reading(&[form!(ln, |c, _| Ok(c.fp.sign_test(c.fn_)))])
    },
];

/// An area under the ROC curve, or a multiple of it: `$slope` is its slope over the area.
macro_rules! of_area {
    ($slope:literal) => {
        &[Spread::Scores {
            base: Base::RocAuc,
            slopes: |_, _| [$slope, 0.0],
            methods: &[
                Method::Blended,
                Method::DeLong,
                Method::Logit,
                Method::Newcombe,
                Method::HanleyMcNeil,
            ],
        }]
    };
}

/// An index of scores that is the base itself.
const fn itself(base: Base, methods: &'static [Method]) -> Spread {
    Spread::Scores { base, slopes: |_, _| [1.0, 0.0], methods }
}

const OF_SHARES: &[Method] = &[Method::Logit, Method::Normal];
const OF_AMOUNTS: &[Method] = &[Method::Logarithm, Method::Normal];

/// Of the area under the ROC curve.
pub(crate) static ROC_AUC: &[Spread] = of_area!(1.0);
/// Of twice the area, less 1.
pub(crate) static GINI: &[Spread] = of_area!(2.0);
pub(crate) static AVERAGE_PRECISION: &[Spread] = &[itself(Base::AveragePrecision, OF_SHARES)];
pub(crate) static AURC: &[Spread] = &[itself(Base::Aurc, OF_SHARES)];
pub(crate) static AUGRC: &[Spread] = &[itself(Base::Augrc, OF_SHARES)];

/// The area less r + (1 - r) ln(1 - r), of which r is 1 - p.
pub(crate) static E_AURC: &[Spread] =
    &[Spread::Scores { base: Base::Aurc, slopes: |_, p| [1.0, -ln(p)], methods: OF_SHARES }];

pub(crate) static BRIER: &[Spread] = &[itself(Base::Brier, OF_AMOUNTS)];
pub(crate) static LOG_LOSS: &[Spread] = &[itself(Base::LogLoss, OF_AMOUNTS)];
pub(crate) static MEAN_PROBABILITY: &[Spread] = &[itself(Base::MeanProbability, OF_SHARES)];

pub(crate) static MEAN_SCORE: &[Spread] = &[itself(Base::MeanScore, &[Method::Normal])];

pub(crate) static MEANS_APART: &[Spread] = &[itself(Base::MeansApart, OF_SHARES)];

/// Half the distance of the means, plus one half.
pub(crate) static HALF_APART: &[Spread] =
    &[Spread::Scores { base: Base::MeansApart, slopes: |_, _| [0.5, 0.0], methods: OF_SHARES }];

/// The root of the Brier score.
pub(crate) static ROOT_BRIER: &[Spread] = &[Spread::Scores {
    base: Base::Brier,
    slopes: |brier, _| [0.5 / brier.sqrt(), 0.0],
    methods: OF_AMOUNTS,
}];

/// 1 - brier / (p (1 - p)).
pub(crate) static BRIER_SKILL: &[Spread] = &[Spread::Scores {
    base: Base::Brier,
    slopes: |brier, p| {
        let variance = p * (1.0 - p);
        [-1.0 / variance, brier * (1.0 - 2.0 * p) / (variance * variance)]
    },
    methods: OF_AMOUNTS,
}];

/// The logarithmic loss over the entropy of the prevalence.
pub(crate) static NORMALIZED_CROSS_ENTROPY: &[Spread] =
    &[Spread::Scores { base: Base::LogLoss, slopes: over_entropy, methods: OF_AMOUNTS }];

/// 1 less this.
pub(crate) static LOG_LOSS_SKILL: &[Spread] = &[Spread::Scores {
    base: Base::LogLoss,
    slopes: |loss, p| over_entropy(loss, p).map(|slope| -slope),
    methods: OF_AMOUNTS,
}];

/// The prevalence over the mean score.
pub(crate) static OBSERVED_EXPECTED: &[Spread] = &[Spread::Scores {
    base: Base::MeanScore,
    slopes: |score, p| [-p / (score * score), 1.0 / score],
    methods: OF_AMOUNTS,
}];

pub(crate) static CALIBRATION_INTERCEPT: &[Spread] =
    &[itself(Base::CalibrationIntercept, &[Method::T, Method::Normal])];
pub(crate) static CALIBRATION_SLOPE: &[Spread] =
    &[itself(Base::CalibrationSlope, &[Method::T, Method::Normal])];
pub(crate) static CALIBRATION_SHIFT: &[Spread] =
    &[itself(Base::CalibrationShift, &[Method::T, Method::Normal])];

fn over_entropy(loss: f64, p: f64) -> [f64; 2] {
    let (ln_p, ln_rest) = (ln(p), ln(1.0 - p));
    let entropy = -(p * ln_p + (1.0 - p) * ln_rest);
    [1.0 / entropy, loss / entropy * ((ln_p - ln_rest) / entropy)]
}

const fn error(method: Method, forms: &'static [Form]) -> Spread {
    Spread::Error { method, counts: first!(forms, Counts), matrix: first!(forms, Matrix) }
}

/// Of the logarithm of precision / false omission rate.
pub(crate) static RELATIVE_RISK: &[Spread] =
    &[error(Method::Logarithm, &[plain(&|c, _| logarithm_of_ratio((c.tp, c.fp), (c.fn_, c.tn)))])];

/// Two independent shares, of the actual positives and of the actual negatives.
pub(crate) static INFORMEDNESS: &[Spread] = &[error(
    Method::Normal,
    &[plain(&|c, _| Ok(2.0 * balanced_error(&[(c.tp, c.fn_), (c.tn, c.fp)])))],
)];

/// As many independent shares as there are classes; or an area under the curve through one point.
pub(crate) static BALANCED_ACCURACY: &[Spread] = &[
    Spread::Mean("recall"),
    error(
        Method::Normal,
        &[
            plain(&|c, _| Ok(balanced_error(&[(c.tp, c.fn_), (c.tn, c.fp)]))),
            plain_matrix(&|m, _| {
                let shares: Vec<_> = m.one_vs_rest.iter().map(|c| (c.tp, c.fn_)).gather();
                Ok(balanced_error(&shares))
            }),
        ],
    ),
    error(Method::HanleyMcNeil, &[plain(&|c, _| hanley_mcneil(c))]),
];

/// Of the logarithm of recall / fpr.
pub(crate) static POSITIVE_LIKELIHOOD_RATIO: &[Spread] =
    &[error(Method::Logarithm, &[plain(&|c, _| logarithm_of_ratio((c.tp, c.fn_), (c.fp, c.tn)))])];

/// Of the logarithm of fnr / specificity.
pub(crate) static NEGATIVE_LIKELIHOOD_RATIO: &[Spread] =
    &[error(Method::Logarithm, &[plain(&|c, _| logarithm_of_ratio((c.fn_, c.tp), (c.tn, c.fp)))])];

/// Of the logarithm of the odds ratio: Woolf 1955, doi:10.1111/j.1469-1809.1955.tb01348.x.
pub(crate) static ODDS_RATIO: &[Spread] = &[error(
    Method::Logarithm,
    &[plain(&|c, _| {
        let part = |count: f64| ratio(1.0, count, Undefined::ZeroDenominator);
        Ok((part(c.tp)? + part(c.fp)? + part(c.fn_)? + part(c.tn)?).sqrt())
    })],
)];

/// See the rows above.
pub(crate) static KAPPA: &[Spread] = &[
    error(
        Method::Fleiss,
        &[plain(&|c, _| kappa_error_of_counts(c)), plain_matrix(&|m, _| kappa_error_of_shares(m))],
    ),
    error(
        Method::Cohen,
        &[
            plain(&|c, _| {
                let (beyond, _) = beyond_chance_of_counts(c)?;
                Ok(share_error(c.tp + c.tn, c.fp + c.fn_) / beyond)
            }),
            plain_matrix(&|m, _| kappa_simple_error_of_shares(m)),
        ],
    ),
];

/// sqrt(p (1 - p) / n).
#[inline(always)]
#[allow(clippy::inline_always)]
fn share_error<N: Number>(successes: N, failures: N) -> N {
    let n = successes + failures;
    N::sqrt(successes / n * (failures / n) / n)
}

/// The standard error of the mean of the shares that have trials.
fn balanced_error(shares: &[(f64, f64)]) -> f64 {
    let (mut sum, mut present) = (0.0, 0.0);
    for &(successes, failures) in shares {
        if successes + failures != 0.0 {
            let error = share_error(successes, failures);
            sum += error * error;
            present += 1.0;
        }
    }
    f64::sqrt(sum) / present
}

/// The standard error of an area: Hanley, McNeil 1982, doi:10.1148/radiology.143.1.7063747.
#[inline]
fn hanley_mcneil(c: &BinaryCounts) -> Outcome {
    let (positives, negatives) = (c.tp + c.fn_, c.fp + c.tn);
    let recall = ratio(c.tp, positives, Undefined::NoActualPositives)?;
    let specificity = ratio(c.tn, negatives, Undefined::NoActualNegatives)?;
    let area = f64::midpoint(recall, specificity);
    let rest = f64::midpoint(c.fn_ / positives, c.fp / negatives);
    // Q1 - A^2 and Q2 - A^2 of the paper, as products.
    let two_positives = area * rest * rest / (1.0 + rest);
    let two_negatives = area * area * rest / (1.0 + area);
    let sum = area * rest + (positives - 1.0) * two_positives + (negatives - 1.0) * two_negatives;
    Ok((sum.max(0.0) / positives / negatives).sqrt())
}

/// The standard error of the logarithm of the ratio of two independent shares: Katz et al. 1978,
/// doi:10.2307/2530610. That is sqrt(1/a - 1/(a + b) + 1/c - 1/(c + d)).
fn logarithm_of_ratio(above: (f64, f64), below: (f64, f64)) -> Outcome {
    let part = |(successes, failures): (f64, f64)| {
        let odds = ratio(failures, successes, Undefined::ZeroDenominator)?;
        Ok(odds / (successes + failures))
    };
    Ok((part(above)? + part(below)?).sqrt())
}

/// 1 - pe and n. pe is the share that agrees by chance, so this is one that cannot cancel.
#[inline]
fn beyond_chance_of_counts<N: Number>(c: &BinaryCounts<N>) -> Result<(N, N), Undefined> {
    let n = c.total();
    let share = |a: N, b: N| a / n * (b / n);
    let beyond = share(c.tp + c.fp, c.fp + c.tn) + share(c.tp + c.fn_, c.fn_ + c.tn);
    if beyond.is_positive() { Ok((beyond, n)) } else { Err(Undefined::CertainAgreement) }
}

fn beyond_chance(m: &MatrixView) -> Outcome {
    let share = |c: &BinaryCounts| (c.tp + c.fp) / m.total * ((c.fp + c.tn) / m.total);
    let beyond: f64 = m.one_vs_rest.iter().map(share).sum();
    if beyond > 0.0 { Ok(beyond) } else { Err(Undefined::CertainAgreement) }
}

/// The root of the variance of `cells` (their shares and values) over `n`.
fn spread_of<N: Number>(cells: impl Iterator<Item = (N, N)> + Clone, n: N) -> N {
    let mean = N::sum(cells.clone().map(|(share, value)| share * value));
    let square = |(share, value): (N, N)| share * (value - mean) * (value - mean);
    N::sqrt(N::sum(cells.map(square)) / n)
}

/// Fleiss's standard error of two classes. The variance of g is the sum of s s' (g - g')^2 over the
/// pairs of cells, and with b = 1 - pe half of b (g - g') is a sum of products, in which nothing
/// cancels.
#[inline]
fn kappa_error_of_counts<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let (beyond, n) = beyond_chance_of_counts(c)?;
    // Differences of the counts themselves, which are exact.
    let (right, opposite) = ((c.tp - c.tn) / n, (c.fp - c.fn_) / n);
    let [tp, fp, fn_, tn] = [c.tp / n, c.fp / n, c.fn_ / n, c.tn / n];
    let wrong = fp + fn_;
    let (but_tn, but_tp) = (tn * (tp + wrong), tp * (tn + wrong));
    let (of_right, of_wrong) = (wrong * right, wrong * opposite);
    let pair = |one: N, other: N, apart: N| one * other * (apart * apart);
    let variance = pair(tp, fp, but_tn + fn_ * fn_)
        + pair(tp, fn_, but_tn + fp * fp)
        + pair(tn, fp, but_tp + fn_ * fn_)
        + pair(tn, fn_, but_tp + fp * fp)
        + pair(tp, tn, of_right)
        + pair(fp, fn_, of_wrong);
    Ok(N::sqrt(variance / n) * 2.0 / (beyond * beyond))
}

/// T^2 (1 - pe), the amount of pairs that chance alone would not make agree.
fn pairs_beyond_chance<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    let beyond = t.sum_of_products(of_class!(|c| [(c.tp + c.fp, c.fp + c.tn)]));
    if beyond.is_positive() { Ok(beyond) } else { Err(Undefined::CertainAgreement) }
}

/// The sum over the classes of t p.
fn pairs_by_chance<N: Number>(t: &impl Table<N>) -> N {
    t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.tp + c.fp)]))
}

/// The sum over the classes of t p (t + p).
fn triples_by_chance<N: Number>(t: &impl Table<N>) -> N {
    t.sum_of_products(of_class!(|c| [(
        (c.tp + c.fn_) * (c.tp + c.fp),
        (c.tp + c.fn_) + (c.tp + c.fp)
    )]))
}

/// Fleiss's standard error. With B = T^2 (1 - pe), W the rows that are wrong and D those that are
/// right, it is sqrt((T (D B^2 - 2 W B D1 + W^2 S) - (D B - 2 W X)^2) / T) T / B^2, where D1 is the
/// sum of M[k,k] (t[k] + p[k]), S that of M[i,j] (p[i] + t[j])^2, and X that of t[k] p[k]. So only
/// whole numbers are added up, in which digits may cancel, since none is lost. In `f64` they would
/// be.
fn kappa_error<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    if let Some(m) = t.plain(0.0) {
        return kappa_error_of_shares(m).map(N::of);
    }
    let (total, beyond) = (t.total(), pairs_beyond_chance(t)?);
    let (right, wrong) = (t.right(), t.wrong());
    let on_diagonal = t.sum_of_products(of_class!(|c| [(c.tp, (c.tp + c.fn_) + (c.tp + c.fp))]));
    let (actual, predicted) = t.margins();
    // By actual class, the sum of M[i,j] t[j].
    let met = if let Some(m) = t.plain(WHOLE) {
        weighed_rows(t, |_, j| m.actual[j])
    } else {
        let mut sums = vec![N::of(0.0); actual.len()];
        t.cells().for_each(|(i, j, mass)| sums[i] = sums[i] + mass * actual[j]);
        sums
    };
    let mixed = N::sum_of_products(predicted.into_iter().zip(met));
    let squares = triples_by_chance(t) + mixed * 2.0;
    let first = right * beyond * beyond - wrong * beyond * on_diagonal * 2.0;
    let mean = right * beyond - wrong * pairs_by_chance(t) * 2.0;
    let variance = total * (first + wrong * wrong * squares) - mean * mean;
    Ok((variance / total).at_least(0.0).sqrt() * total / (beyond * beyond))
}

/// sqrt(D W T) / B, as in [`kappa_error`].
fn kappa_simple_error<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    if let Some(m) = t.plain(0.0) {
        return kappa_simple_error_of_shares(m).map(N::of);
    }
    let beyond = pairs_beyond_chance(t)?;
    Ok((t.right() * t.wrong() * t.total()).sqrt() / beyond)
}

/// sqrt((X T^2 + X^2 - Y T) / T) / B, as in [`kappa_error`]; Y is the sum of t[k] p[k] (t[k] +
/// p[k]).
fn kappa_null_error<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    if let Some(m) = t.plain(0.0) {
        return kappa_null_error_of_shares(m).map(N::of);
    }
    let (total, beyond) = (t.total(), pairs_beyond_chance(t)?);
    let (pairs, triples) = (pairs_by_chance(t), triples_by_chance(t));
    let variance = pairs * (total * total + pairs) - triples * total;
    Ok((variance / total).at_least(0.0).sqrt() / beyond)
}

fn kappa_simple_error_of_shares(m: &MatrixView) -> Outcome {
    Ok(share_error(m.correct.iter().sum(), m.wrong()) / beyond_chance(m)?)
}

fn kappa_error_of_shares(m: &MatrixView) -> Outcome {
    let beyond = beyond_chance(m)?;
    let n = m.total;
    let errs = m.wrong() / n / beyond;
    let cells = m.cells.iter().map(|cell| {
        let (i, j) = (cell.actual as usize, cell.predicted as usize);
        let agrees = f64::from(u8::from(i == j));
        (cell.mass / n, agrees - errs * (m.predicted[i] + m.actual[j]) / n)
    });
    Ok(spread_of(cells, n) / beyond)
}

fn kappa_null_error_of_shares(m: &MatrixView) -> Outcome {
    let beyond = beyond_chance(m)?;
    // With the shares t, p and x = t p of each class, pe + pe^2 - sum x (t + p) is sum x (1 - t) (1
    // - p) + sum of x[j] x[k] over j != k, in which nothing cancels.
    let (mut sum, mut before) = (0.0, 0.0);
    for (k, c) in m.one_vs_rest.iter().enumerate() {
        let share = m.actual[k] / m.total * (m.predicted[k] / m.total);
        let neither = (c.fp + c.tn) / m.total * ((c.fn_ + c.tn) / m.total);
        sum += share * (neither + 2.0 * before);
        before += share;
    }
    Ok((sum / m.total).sqrt() / beyond)
}

/// Chi-squared of two classes, with as much of Yates's correction as asked for.
#[inline]
fn chi_squared<N: Number>(c: &BinaryCounts<N>, parameters: &Parameters) -> Outcome<N> {
    let n = c.total();
    let phi = phi(&c.scaled(n.unit_scale()))?.abs();
    let correction = parameters.number(0);
    if correction == 0.0 {
        return Ok(n * phi * phi);
    }
    let actual = N::root_of_product((c.tp + c.fn_) / n, (c.fp + c.tn) / n);
    let predicted = N::root_of_product((c.tp + c.fp) / n, (c.fn_ + c.tn) / n);
    let left = (phi - N::of(correction) / (n * 2.0 * actual * predicted)).max(N::of(0.0));
    Ok(n * left * left)
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn mcnemar<N: Number>(c: &BinaryCounts<N>, parameters: &Parameters) -> Outcome<N> {
    let difference = (c.fn_ - c.fp).abs();
    let corrected =
        if difference.is_positive() { difference - parameters.number(0) } else { difference };
    let corrected = corrected.max(N::of(0.0));
    let share = ratio(corrected, c.fn_ + c.fp, Undefined::NothingWrong)?;
    Ok(share * corrected)
}

/// [`bowker`] of masses whose squares are exact, or are rounded as all else is.
fn asymmetry<N: Number>(m: &MatrixView) -> Result<(N, f64), Undefined> {
    let (mut squares, mut sums) = (Vec::new(), Vec::new());
    m.cells.iter().for_each(|cell| {
        let (i, j) = (cell.actual as usize, cell.predicted as usize);
        if i == j {
            return;
        }
        let other = m.cells.mass(j, i);
        // A pair is met twice if both of its cells have rows.
        if other == 0.0 || i < j {
            let difference = cell.mass - other;
            squares.grow(difference * difference);
            sums.grow(cell.mass + other);
        }
    });
    if sums.is_empty() {
        return Err(Undefined::NothingWrong);
    }
    Ok((N::sum_of_quotients(&squares, &sums), sums.len() as f64))
}

/// The statistic and its degrees of freedom: the sum over pairs of classes of how unevenly one is
/// taken for the other, and how many pairs have rows.
fn bowker<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Result<(N, f64), Undefined> {
    if t.labels() == 2.0 {
        let positive = t.classes().last().ok_or(Undefined::NothingWrong)?;
        return Ok((mcnemar(&positive, parameters)?, 1.0));
    }
    if let Some(m) = t.plain(FEW).filter(|m| m.total < 1e100) {
        return asymmetry(m);
    }
    let wrong = t.cells().filter(|(i, j, _)| i != j);
    let mut cells: Vec<(usize, usize, N)> =
        wrong.map(|(i, j, mass)| if i < j { (i, j, mass) } else { (j, i, -mass) }).gather();
    cells.sort_unstable_by_key(|&(i, j, _)| (i, j));
    let (mut sum, mut pairs) = (N::of(0.0), 0.0);
    for pair in cells.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        let difference = N::sum(pair.iter().map(|cell| cell.2));
        let both = N::sum(pair.iter().map(|cell| cell.2.abs()));
        sum = sum + difference / both * difference;
        pairs += 1.0;
    }
    if pairs == 0.0 {
        return Err(Undefined::NothingWrong);
    }
    Ok((sum, pairs))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arith::fraction::Fraction;
    use crate::arith::traced::Traced;
    use crate::base::input::{Label, LabelKind, LabelSet};
    use crate::index::parameter::Parameters;
    use crate::index::registry::find;
    use crate::labels::confusion::ConfusionMatrix;

    fn matrix(cells: &[u64], classes: usize) -> MatrixView {
        let labels = LabelSet {
            kind: LabelKind::Int,
            values: (0..classes as i128).map(Label::Int).collect(),
        };
        ConfusionMatrix::from_counts(cells, labels).unwrap().view()
    }

    fn value(name: &str, m: &MatrixView) -> Option<f64> {
        let row = find(name).unwrap();
        let found = row.of_matrix(m, &Parameters::defaults(row)).unwrap();
        found.why.is_none().then_some(found.number)
    }

    /// The three standard errors of kappa from their definitions, over fractions.
    fn by_definition(cells: &[u64], classes: usize) -> Option<[f64; 3]> {
        let whole = |count: u64| Fraction::whole(count);
        let sum = |all: &mut dyn Iterator<Item = Fraction>| {
            all.fold(Fraction::whole(0), |sum, next| sum.plus(&next))
        };
        let over = |a: &Fraction, b: &Fraction| Some(a.times(&b.inverse()?));
        let minus = |a: &Fraction, b: &Fraction| a.plus(&b.clone().negated());
        let total = sum(&mut cells.iter().map(|&count| whole(count)));
        let share = |place: usize| over(&whole(cells[place]), &total);
        let shares: Vec<Fraction> = (0..cells.len()).map(share).collect::<Option<_>>()?;
        let all = || 0..classes;
        let actual: Vec<Fraction> =
            all().map(|i| sum(&mut all().map(|j| shares[i * classes + j].clone()))).collect();
        let predicted: Vec<Fraction> =
            all().map(|j| sum(&mut all().map(|i| shares[i * classes + j].clone()))).collect();
        let chance = sum(&mut all().map(|k| actual[k].times(&predicted[k])));
        let agreement = sum(&mut all().map(|k| shares[k * classes + k].clone()));
        let one = Fraction::whole(1);
        let beyond = minus(&one, &chance);
        let errs = over(&minus(&one, &agreement), &beyond)?;
        let terms: Vec<(Fraction, Fraction)> = (0..cells.len())
            .map(|place| {
                let (i, j) = (place / classes, place % classes);
                let own = Fraction::whole(u8::from(i == j));
                let margins = predicted[i].plus(&actual[j]);
                (shares[place].clone(), minus(&own, &errs.times(&margins)))
            })
            .collect();
        let mean = sum(&mut terms.iter().map(|(share, value)| share.times(value)));
        let variance = sum(&mut terms.iter().map(|(share, value)| {
            let off = minus(value, &mean);
            share.times(&off.times(&off))
        }));
        let simple = agreement.times(&minus(&one, &agreement));
        let triples = sum(&mut all().map(|k| {
            let both = actual[k].plus(&predicted[k]);
            actual[k].times(&predicted[k]).times(&both)
        }));
        let null = minus(&chance.plus(&chance.times(&chance)), &triples);
        let rounded = |variance: &Fraction| {
            let variance = over(&over(variance, &total)?, &beyond.times(&beyond))?;
            let root = || Some(Ok::<_, ()>(Traced::from_fraction(variance.clone()).sqrt()));
            Traced::exactly(&root)?.ok()?.to_f64()
        };
        Some([rounded(&variance)?, rounded(&simple)?, rounded(&null)?])
    }

    const NAMES: [&str; 3] =
        ["kappa_standard_error", "kappa_simple_standard_error", "kappa_null_standard_error"];

    fn check(cells: &[u64], classes: usize) -> Result<(), TestCaseError> {
        let m = matrix(cells, classes);
        let found = NAMES.map(|name| value(name, &m));
        let expected = by_definition(cells, classes).map_or([None; 3], |all| all.map(Some));
        prop_assert_eq!(found, expected, "{:?}", cells);
        Ok(())
    }

    proptest! {
        #[test]
        fn standard_errors_of_kappa_are_rounded_once(
            (classes, bits) in (2_usize..5, 1_u32..55),
            drawn in prop::collection::vec(any::<u64>(), 16),
            empty in any::<u16>(),
            nearly in 0_u8..4,
        ) {
            let cell = |place: usize| match () {
                () if empty >> (place % 16) & 1 == 1 && place % 3 == 1 => 0,
                () if nearly == 0 && !place.is_multiple_of(classes + 1) => drawn[place] % 3, // hardly wrong
                () => drawn[place] >> (64 - bits),
            };
            let cells: Vec<u64> = (0..classes * classes).map(cell).collect();
            prop_assume!(cells.iter().any(|&count| count > 0));
            check(&cells, classes)?;
        }
    }

    #[test]
    fn a_standard_error_of_kappa_that_is_a_double_is_that_double() {
        // pe is 1/2, and the variance (1/2 + 1/4 - 1/2) / 16 / (1/2)^2.
        let m = matrix(&[5, 3, 3, 5], 2);
        assert_eq!(value("kappa_null_standard_error", &m), Some(0.25));
        // All is right.
        let m = matrix(&[3, 0, 0, 0, 4, 0, 0, 0, 5], 3);
        assert_eq!(value("kappa_standard_error", &m), Some(0.0));
        assert_eq!(value("kappa_simple_standard_error", &m), Some(0.0));
    }
}
