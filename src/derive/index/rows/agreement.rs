//! Agreement beyond chance.
//!
//! Indices that weight an error by a distance of classes compare the observed distance with the one
//! expected from the margins, `sum_ij w[i,j] a[i] b[j]`. For `w = |i - j|^power` with a power of 0,
//! 1 or 2 that takes O(K): sums below and above each class, sums at each cut between classes, or
//! means and variances. None of them subtracts sums. Another power, or a matrix of weights, takes
//! O(K^2) over the classes that occur.

// A form answers with an outcome, though some always have a value.
#![allow(clippy::unnecessary_wraps)]
#![allow(clippy::inline_always)] // Only inlined loops are compiled for each instruction set.
#![allow(clippy::needless_range_loop)] // Several arrays have an entry for each lane.

use crate::arith::number::Number;
use crate::arith::traced::{Kind, Traced};
use crate::base::cost_matrix::CostMatrix;
use crate::base::memory::{CopyAll, Gather};
use crate::base::wide::wide;
use crate::index::form::{CountFormula, Form, form, matrix_form, table_forms};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::correlation::sum_of_determinants;
use crate::index::rows::inference;
use crate::index::rows::matrix_sums::{Table, centred_ranks, of_class, weighed_rows};
use crate::index::scale;
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::BinaryCounts;

const CERTAIN: &str =
    "All rows are of one class and predicted to be of it: chance alone agrees always.";
const ONE_LABEL: &str = "There is only one label.";
const BYRT: &str = "Byrt, Bishop, Carlin 1993, doi:10.1016/0895-4356(93)90018-V";
const KRIPPENDORFF: &str = "Krippendorff 1970, doi:10.1177/001316447003000105; \
                            Krippendorff 2004, Content Analysis";

const fn weights(power: f64, about: &'static str) -> [Parameter; 2] {
    [
        Parameter {
            name: "power",
            default: Some(power),
            domain: Domain::NotNegative,
            about,
            two_classes: false,
        },
        Parameter {
            name: "matrix",
            default: None,
            domain: Domain::Costs,
            about: "the weight of each error, rows actual and columns predicted in the order of \
                    the labels, in place of the power",
            two_classes: false,
        },
    ]
}

static KAPPA_WEIGHTS: [Parameter; 2] = weights(
    1.0,
    "how an error weighs by the distance of its classes: 1 linearly, 2 by the square, 0 any error alike",
);
static ALPHA_WEIGHTS: [Parameter; 2] = weights(
    0.0,
    "how an error weighs by the distance of its classes: 0 any error alike (nominal classes), 2 by the square (interval)",
);

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "kappa",
        aliases: &[
            "cohen_kappa",
            "cohens_kappa",
            "kap",
            "cohen_kappa_score",
            "kappa_statistic",
            "heidke_skill_score",
            "heidke",
            "hss",
        ],
        title: "Cohen's kappa",
        formula: "(po - pe) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k t[k] p[k] / T^2; \
              = 2 (tp tn - fp fn) / ((tp + fp) (fp + tn) + (tp + fn) (fn + tn))",
        about: "Agreement beyond chance: the share of rows that agree, corrected for the \
                agreement expected by chance from the same margins. It falls with skewed \
                prevalence, so the same recall and specificity give different values in different \
                populations.",
        range: (-1.0, 1.0),
        undefined: CERTAIN,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Cohen 1960, doi:10.1177/001316446002000104",
        joint: Joint::UpDown,
        scales: scale::KAPPA,
        spreads: inference::KAPPA,
        ..reading(&[
            form!(|c, _| cohen(c)),
            matrix_form!(|m, _| {
                // Both times T²: T c − Σ p t, and T² − Σ p t as Σ p (T − t); no margin is
                // subtracted from another.
                let expected = m.sum_of_products(of_class!(|c| [(c.tp + c.fp, c.fp + c.tn)]));
                let beyond = sum_of_determinants(m);
                Ok(ratio(beyond, expected, Undefined::CertainAgreement)?.within(-1.0, 1.0))
            }),
        ])
    },
    Index {
        name: "weighted_kappa",
        aliases: &["cohen_kappa_weighted"],
        title: "Weighted kappa (classes in their order, errors by their distance)",
        formula: "1 - T sum_ij w[i,j] M[i,j] / sum_ij w[i,j] t[i] p[j], w[i,j] = |i - j|^power",
        about: "Kappa for ordered classes, where near misses count less: power 1 weights an error \
                by its distance, power 2 by the square, a matrix by any other measure. The order \
                is that of the labels. It grows with the number of classes, above all with power \
                2.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: CERTAIN,
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Cohen 1968, doi:10.1037/h0026256",
        parameters: &KAPPA_WEIGHTS,
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, parameters| match parameters.matrix() {
                None => cohen(c),
                Some(w) => {
                    let (positive, negative) = (c.tp + c.fn_, c.fp + c.tn);
                    let (called, rest) = (c.tp + c.fp, c.fn_ + c.tn);
                    let sum = |[tn, fp, fn_, tp]: [N; 4]| {
                        tn * w.cost(0, 0)
                            + fp * w.cost(0, 1)
                            + fn_ * w.cost(1, 0)
                            + tp * w.cost(1, 1)
                    };
                    let total = c.total();
                    let expected = [
                        negative / total * rest,
                        negative / total * called,
                        positive / total * rest,
                        positive / total * called,
                    ];
                    let met = sum([c.tn, c.fp, c.fn_, c.tp]);
                    ratio(met, sum(expected), Undefined::CertainAgreement).map(N::complement)
                }
            }),
            matrix_form!(|m, parameters| {
                let distance = Distance::of(parameters);
                let (actual, predicted) = m.margins();
                let expected = distance.expected(&actual, &predicted);
                let met = distance.met(m) * m.total();
                Ok(ratio(met, expected, Undefined::CertainAgreement)?.complement())
            }),
        ])
    },
    Index {
        name: "chance_agreement",
        aliases: &["overall_racc", "overall_random_accuracy", "expected_agreement"],
        title: "Agreement expected by chance from the margins",
        formula: "sum_k t[k] p[k] / T^2",
        about: "The accuracy of random predictions in the predicted class proportions: p_e of \
                Cohen's kappa. It depends only on the margins.",
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: "Cohen 1960, doi:10.1177/001316446002000104",
        ..reading(table_forms!(|t, p| chance_agreement(t, p)))
    },
    Index {
        name: "unbiased_chance_agreement",
        aliases: &["overall_raccu", "overall_random_accuracy_unbiased"],
        title: "Agreement expected by chance from the pooled margins",
        formula: "sum_k ((t[k] + p[k]) / (2 T))^2",
        about: "The accuracy expected by chance if actual and predicted classes had the same \
                proportions, the mean of both: p_e of Scott's pi. Never below 1 / K.",
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: "Scott 1955, doi:10.1086/266577",
        ..reading(table_forms!(|t, p| pooled_agreement(t, p)))
    },
    Index {
        name: "scott_pi",
        aliases: &["scotts_pi", "kappa_unbiased", "unbiased_kappa", "fleiss_kappa"],
        title: "Scott's pi (kappa unbiased; Fleiss' kappa of two raters)",
        formula: "(po - pe) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k ((t[k] + p[k]) / (2 T))^2; \
                  = (4 tp tn - (fp + fn)^2) / ((2 tp + fp + fn) (2 tn + fp + fn))",
        about: "Kappa with the same class proportions for actual and predicted classes, so \
                predictions with different proportions are penalised. Never above Cohen's kappa.",
        range: (-1.0, 1.0),
        undefined: CERTAIN,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Scott 1955, doi:10.1086/266577",
        joint: Joint::UpDown,
        scales: scale::KAPPA,
        ..reading(table_forms!(|t, p| scott_pi(t, p)))
    },
    Index {
        name: "gwet_ac1",
        aliases: &["ac1"],
        title: "Gwet's AC1",
        formula: "(po - pe) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k q[k] (1 - q[k]) / (K - 1), q[k] = (t[k] + p[k]) / (2 T)",
        about: "Agreement beyond chance, with an estimate of chance that is small where one class \
                dominates. So high agreement on a rare class does not count as chance, as it does \
                in kappa. K includes labels that do not occur.",
        range: (-1.0, 1.0),
        undefined: ONE_LABEL,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Gwet 2008, doi:10.1348/000711006X126600",
        joint: Joint::UpDown,
        cancels: true,
        ..reading(table_forms!(|t, p| gwet_ac1(t, p)))
    },
    Index {
        name: "bennett_s",
        aliases: &["s_score", "brennan_prediger_kappa"],
        title: "Bennett's S (Brennan and Prediger's kappa)",
        formula: "(K sum_k M[k,k] / T - 1) / (K - 1)",
        about: "Accuracy rescaled so that guessing all K classes equally often gives 0. It \
                depends only on accuracy and K, and K includes labels that do not occur.",
        range: (-1.0, 1.0),
        undefined: ONE_LABEL,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Bennett, Alpert, Goldstein 1954, doi:10.1086/266520; \
                 Brennan, Prediger 1981, doi:10.1177/001316448104100307",
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, p| bennett_s(t, p)))
    },
    Index {
        name: "pabak",
        aliases: &["kappa_no_prevalence", "prevalence_and_bias_adjusted_kappa", "hamann"],
        title: "Prevalence and bias adjusted kappa",
        formula: "2 sum_k M[k,k] / T - 1 = (tp + tn - fp - fn) / n",
        about: "Kappa adjusted to even prevalence and no bias, which is accuracy on another \
                scale. It is meant for two classes; for more, Bennett's S is the adjusted form.",
        range: (-1.0, 1.0),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: BYRT,
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, _| Ok(right_over_wrong(t, 1.0))))
    },
    Index {
        name: "krippendorff_alpha",
        aliases: &["krippendorffs_alpha", "weighted_alpha"],
        title: "Krippendorff's alpha",
        formula: "1 - (N - 1) N D / sum_ij w[i,j] s[i] s[j], D = sum_ij w[i,j] M[i,j] / T, s[k] = t[k] + p[k], N = 2 T, \
                  w[i,j] = |i - j|^power, 1 for any error with power 0",
        about: "1 minus observed disagreement divided by that expected by chance, drawing pairs \
                without replacement: Scott's pi corrected for small samples. Amounts are read as \
                numbers of rows, so do not normalise weights to sum to one. A power other than 0 \
                suits ordered classes. PyCM's weighted alpha pairs the margins differently and \
                gives other values.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are of one class and predicted to be of it, or all weigh half a row \
                    or less together.",
        laws: &[Transposed(SELF), Perfect(1.0)],
        source: KRIPPENDORFF,
        parameters: &ALPHA_WEIGHTS,
        joint: Joint::UpDown,
        scales: scale::ALPHA,
        ..reading(&[matrix_form!(|m, parameters| {
            let distance = Distance::of(parameters);
            let pooled = pooled_shares(m);
            let met = distance.met_either_way(m) / m.total();
            alpha(m.total(), met, distance.expected(&pooled, &pooled))
        })])
    },
    Index {
        name: "krippendorff_alpha_ordinal",
        title: "Krippendorff's alpha for ordered classes",
        formula: "1 - (N - 1) N D / sum_ij w[i,j] s[i] s[j], D = sum_ij w[i,j] M[i,j] / T, s[k] = t[k] + p[k], N = 2 T, \
                  w[i,j] = (r[i] - r[j])^2, r[k] = s[0] + ... + s[k] - s[k] / 2",
        about: "Krippendorff's alpha for ordered classes: the distance of two classes is the \
                number of values between them, so only the order matters. Amounts are read as \
                numbers of rows.",
        range: (-1.0, 1.0),
        undefined: "All rows are of one class and predicted to be of it, or all weigh half a row \
                    or less together.",
        laws: &[Transposed(SELF), Perfect(1.0)],
        source: KRIPPENDORFF,
        joint: Joint::UpDown,
        ..reading(&[matrix_form!(|m, _| {
            let pooled = pooled_shares(m);
            let ranks = centred_ranks(&pooled);
            let both = pooled.iter().zip(&ranks);
            let spread = N::sum(both.map(|(&values, &rank)| values * (rank * rank)));
            let met = m.cells().map(|(i, j, mass)| {
                let distance = ranks[i] - ranks[j];
                (mass * distance, distance)
            });
            let met = N::sum_of_products(met) / m.total();
            Ok(alpha(m.total(), met, spread * 2.0)?.at_least(-1.0))
        })])
    },
    Index {
        name: "aickin_alpha",
        aliases: &["aickins_alpha"],
        title: "Aickin's alpha",
        formula: "(po - pe) / (1 - pe), po = sum_k M[k,k] / T, pe = sum_k a[k] b[k] with a[k] = t[k] / (T (1 - alpha + alpha b[k] / pe)), b alike from p: \
                  solved by iteration from a = t / T, b = p / T",
        about: "The share of rows that agree for a reason; kappa's chance is estimated from the \
                other rows only. At least kappa, and 0 if rows agree no more than by chance. The \
                iteration stops by max_iterations or epsilon.",
        undefined: CERTAIN,
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Aickin 1990, doi:10.2307/2531434",
        parameters: &[
            Parameter {
                name: "max_iterations",
                default: Some(200.0),
                domain: Domain::NotNegative,
                about: "maximum number of iterations",
                two_classes: false,
            },
            Parameter {
                name: "epsilon",
                default: Some(1e-4),
                domain: Domain::NotNegative,
                about: "the iteration stops when the value changes by less than this",
                two_classes: false,
            },
        ],
        ..reading(&[
            Form::Counts(&AickinOfCounts),
            matrix_form!(ln, |m, parameters| aickin_alpha(m, parameters)),
        ])
    },
    Index {
        name: "bangdiwala_b",
        aliases: &["bangdiwalas_b"],
        title: "Bangdiwala's B",
        formula: "sum_k M[k,k]^2 / sum_k t[k] p[k]",
        about: "From the agreement chart: the area of the squares of right rows divided by that \
                of the rectangles spanned by the margins. It is not corrected for chance.",
        undefined: "No class that occurs is ever predicted.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Bangdiwala 1985, 45th session of the ISI; Munoz, Bangdiwala 1997, doi:10.1080/02664769723918",
        ..reading(table_forms!(|t, p| bangdiwala_b(t, p)))
    },
];

/// Cohen's kappa of two classes.
#[inline]
fn cohen<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let expected = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn_) * (c.fn_ + c.tn);
    let beyond = N::of(2.0) * N::difference_of_products(c.tp, c.tn, c.fp, c.fn_);
    Ok(ratio(beyond, expected, Undefined::CertainAgreement)?.within(-1.0, 1.0))
}

/// Rows of a class and rows predicted to be of it: 2T over all classes.
#[inline]
fn both<N: Number>(c: &BinaryCounts<N>) -> N {
    c.tp * 2.0 + (c.fp + c.fn_)
}

/// 2T less [`both`].
#[inline]
fn neither<N: Number>(c: &BinaryCounts<N>) -> N {
    c.tn * 2.0 + (c.fp + c.fn_)
}

fn chance_agreement<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let all = t.total();
    let agreed = t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.tp + c.fp)]));
    Ok((agreed / (all * all)).at_most(1.0))
}

fn pooled_agreement<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let all = t.total() * 2.0;
    let agreed = t.sum_of_products(of_class!(|c| [(both(c), both(c))]));
    Ok((agreed / (all * all)).at_most(1.0))
}

fn scott_pi<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    // Both times 4 T²; T² po − Σ s² / 4 as a sum over the classes of tp tn − (fp + fn)² / 4, so
    // that little cancels.
    let beyond =
        t.sum_of_products(of_class!(|c| [(c.tp * 4.0, c.tn), (-(c.fp + c.fn_), c.fp + c.fn_)]));
    let chance = t.sum_of_products(of_class!(|c| [(both(c), neither(c))]));
    Ok(ratio(beyond, chance, Undefined::CertainAgreement)?.within(-1.0, 1.0))
}

fn gwet_ac1<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    if t.labels() < 2.0 {
        return Err(Undefined::OneLabel);
    }
    let all = t.total() * 2.0;
    let spread = t.sum_of_products(of_class!(|c| [(both(c), neither(c))]));
    let chance = spread / (all * all * (t.labels() - 1.0));
    Ok((t.wrong() / t.total() / chance.complement()).complement().at_least(-1.0))
}

fn bennett_s<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let labels = t.labels();
    if labels < 2.0 {
        return Err(Undefined::OneLabel);
    }
    Ok(right_over_wrong(t, labels - 1.0))
}

/// (others × right - wrong) / (others × all), which is 1 less what errors cost.
fn right_over_wrong<N: Number>(t: &impl Table<N>, others: f64) -> N {
    let (right, wrong) = (t.right(), t.wrong());
    (right * others - wrong) / ((right + wrong) * others)
}

fn bangdiwala_b<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let squares = t.sum_of_products(of_class!(|c| [(c.tp, c.tp)]));
    let rectangles = t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.tp + c.fp)]));
    ratio(squares, rectangles, Undefined::ZeroDenominator)
}

/// One minus the mean distance met over that expected of pairs drawn without putting back.
fn alpha<N: Number>(total: N, met: N, expected: N) -> Outcome<N> {
    let values = total * 2.0;
    if !N::of(1.0).less(values) {
        return Err(Undefined::OutsideDomain);
    }
    let correction = (values - 1.0) / values;
    Ok(ratio(met * correction, expected, Undefined::CertainAgreement)?.complement())
}

fn aickin_alpha<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    let total = t.total();
    let wrong = N::sum(t.classes().map(|c| c.fn_)) / total;
    let shares = t.classes().map(|c| [c.tp + c.fn_, c.tp + c.fp]);
    let actual: Vec<[N; 2]> = shares.map(|both| both.map(|rows| rows / total)).gather();
    constant_agreement(wrong, &actual, &mut actual.copy_all(), parameters)
}

/// Aickin's alpha of 2×2 tables. Many tables are iterated eight at a time, with the same
/// operations.
struct AickinOfCounts;

/// The share of wrong rows, and the shares of both classes, actual and predicted.
#[inline(always)]
fn shares_of_counts<N: Number>(c: &BinaryCounts<N>) -> (N, [[N; 2]; 2]) {
    let total = c.total();
    let both = [[c.fp + c.tn, c.fn_ + c.tn], [c.tp + c.fn_, c.tp + c.fp]];
    let both = both.map(|both| both.map(|rows| rows / total));
    ((c.fp + c.fn_) / total, both)
}

impl CountFormula for AickinOfCounts {
    fn value(&self, table: &BinaryCounts, parameters: &Parameters) -> Outcome {
        let (wrong, shares) = shares_of_counts(table);
        constant_agreement(wrong, &shares, &mut { shares }, parameters)
    }

    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    ) {
        let stop = [parameters.number(0), parameters.number(1)];
        for (tables, to) in tables.chunks(LANES).zip(to.chunks_mut(LANES)) {
            let mut lanes = [tables[0]; LANES];
            lanes[..tables.len()].copy_from_slice(tables);
            to.copy_from_slice(&constant_agreements(&lanes, stop, otherwise)[..tables.len()]);
        }
    }

    fn traced(
        &self,
        table: &BinaryCounts<Traced>,
        parameters: &Parameters,
    ) -> Option<Outcome<Traced>> {
        let value = || {
            let (wrong, shares) = shares_of_counts(table);
            constant_agreement(wrong, &shares, &mut { shares }, parameters)
        };
        (Traced::kind() == Kind::Sloped).then(value)
    }
}

const LANES: usize = 8;

wide! {
    /// [`constant_agreement`] of some tables; `otherwise` where it is undefined.
    fn constant_agreements[](
        tables: &[BinaryCounts; LANES], stop: [f64; 2], otherwise: f64,
    ) -> [f64; LANES] = constant_agreements_of;
}

#[inline(always)]
fn constant_agreements_of(
    tables: &[BinaryCounts; LANES],
    [most, epsilon]: [f64; 2],
    otherwise: f64,
) -> [f64; LANES] {
    let (mut wrong, mut all) = ([0.0; LANES], [[[0.0; LANES]; 2]; 2]);
    for lane in 0..LANES {
        let (own, shares) = shares_of_counts(&tables[lane]);
        wrong[lane] = own;
        for (all, shares) in all.iter_mut().flatten().zip(shares.iter().flatten()) {
            all[lane] = *shares;
        }
    }
    let mut hard = all;
    let (mut alphas, mut found) = ([0.0; LANES], [0.0; LANES]);
    let (mut is_open, mut step) = ([true; LANES], 1.0);
    loop {
        let mut any_is_open = false;
        for lane in 0..LANES {
            let [[a, b], [c, d]] = hard.map(|both| both.map(|lanes| lanes[lane]));
            let chance = 0.0 + a * b + c * d;
            let others = 1.0 - chance;
            let next = 1.0 - wrong[lane] / others;
            let change = next - alphas[lane];
            let is_last = step > most || change.abs() < epsilon;
            let is_certain = next.is_nan() || next >= 1.0;
            let value = if is_last && next < 0.0 { 0.0 } else { next };
            let value = if is_certain { 1.0 } else { value };
            let value = if others <= wrong[lane] { 0.0 } else { value };
            let value = if others == 0.0 { otherwise } else { value };
            let is_done = is_last || is_certain || others <= wrong[lane] || others == 0.0;
            found[lane] = if is_open[lane] { value } else { found[lane] };
            is_open[lane] &= !is_done;
            any_is_open |= is_open[lane];
            alphas[lane] = next;
            let (rest, weight) = (1.0 - next, next / chance);
            for class in 0..2 {
                let [actual, predicted] = all[class].map(|lanes| lanes[lane]);
                let [a, b] = &mut hard[class];
                b[lane] = predicted / (rest + weight * a[lane]);
                a[lane] = actual / (rest + weight * b[lane]);
            }
        }
        if !any_is_open {
            return found;
        }
        step += 1.0;
    }
}

/// Aickin's iteration, from the share of wrong rows and the shares of each class, actual and
/// predicted. `hard` starts as these shares; it becomes the shares in the rows that agree by chance
/// only.
fn constant_agreement<N: Number>(
    wrong: N,
    shares: &[[N; 2]],
    hard: &mut [[N; 2]],
    parameters: &Parameters,
) -> Outcome<N> {
    let (most, epsilon) = (parameters.number(0), parameters.number(1));
    let one = N::of(1.0);
    let (mut alpha, mut step) = (N::of(0.0), 1.0);
    loop {
        let chance = N::sum(hard.iter().map(|&[a, b]| a * b));
        let others = one - chance;
        // (po − pe) / (1 − pe), exactly one where nothing is wrong.
        let next = one - ratio(wrong, others, Undefined::CertainAgreement)?;
        if others.near() <= wrong.near() {
            // No more than chance: the share of rows that agree for a reason is none.
            return Ok(N::of(0.0));
        }
        if next.near().is_nan() || next.near() >= 1.0 {
            return Ok(one);
        }
        let change = (next - alpha).near();
        alpha = next;
        let (rest, weight) = (one - alpha, alpha / chance);
        for ([a, b], &[actual, predicted]) in hard.iter_mut().zip(shares) {
            *b = predicted / (rest + weight * *a);
            *a = actual / (rest + weight * *b);
        }
        if step > most || change.abs() < epsilon {
            return Ok(alpha.at_least(0.0));
        }
        step += 1.0;
    }
}

/// How far classes are from each other.
enum Distance<'a> {
    /// |i − j|^power, and 1 for any error with power 0.
    Power(f64),
    /// Given.
    Matrix(&'a CostMatrix),
}

impl<'a> Distance<'a> {
    /// From the parameters `power` and `matrix`.
    fn of(parameters: &'a Parameters) -> Self {
        parameters.matrix().map_or(Self::Power(parameters.number(0)), Self::Matrix)
    }

    fn between(&self, i: usize, j: usize) -> f64 {
        let distance = i.abs_diff(j) as f64;
        match *self {
            Self::Matrix(weights) => weights.cost(i, j),
            Self::Power(_) if i == j => 0.0,
            Self::Power(0.0) => 1.0,
            Self::Power(1.0) => distance,
            Self::Power(2.0) => distance * distance,
            Self::Power(power) => distance.powf(power),
        }
    }

    /// The sum over the rows of the distance of actual and predicted class.
    fn met<N: Number>(&self, t: &impl Table<N>) -> N {
        if let Self::Power(0.0) = *self {
            return t.wrong();
        }
        N::sum(weighed_rows(t, |i, j| self.between(i, j)).into_iter())
    }

    /// The same where actual and predicted class are exchanged in half of the rows.
    fn met_either_way<N: Number>(&self, t: &impl Table<N>) -> N {
        if let Self::Power(_) = *self {
            return self.met(t);
        }
        let either = weighed_rows(t, |i, j| self.between(i, j));
        let other = weighed_rows(t, |i, j| self.between(j, i));
        (N::sum(either.into_iter()) + N::sum(other.into_iter())) / 2.0
    }

    /// The sum of the distances of all pairs of classes, one of `a` and one of `b`.
    fn expected<N: Number>(&self, a: &[N], b: &[N]) -> N {
        match *self {
            Self::Power(0.0) => {
                let (before, after) = (sums_before(b), sums_after(b));
                let others = before.into_iter().zip(after);
                N::sum(a.iter().zip(others).map(|(&x, (before, after))| x * (before + after)))
            }
            Self::Power(1.0) => {
                let (a_before, a_after) = (sums_before(a), sums_after(a));
                let (b_before, b_after) = (sums_before(b), sums_after(b));
                let cuts = (0..a.len())
                    .map(|k| (a_before[k] + a[k]) * b_after[k] + a_after[k] * (b_before[k] + b[k]));
                N::sum(cuts)
            }
            Self::Power(2.0) => {
                // Distances are counted from a class that occurs, so that those of a single class
                // are exactly 0. With S the sum of x, and M and Q those of x k and x k^2, it is Q
                // of a times S of b and the reverse, less 2 M M.
                let origin = a.iter().position(|x| !x.is_zero()).unwrap_or(0) as f64;
                let place = |k: usize| k as f64 - origin;
                let mean = |x: &[N]| {
                    let all = N::sum(x.iter().copied());
                    let terms = x.iter().enumerate();
                    (all, N::sum(terms.map(|(k, &x)| x * place(k))))
                };
                let ((a_all, a_sum), (b_all, b_sum)) = (mean(a), mean(b));
                // The spread around the own mean, times the sum.
                let spread = |x: &[N], all: N, sum: N| {
                    let terms = x.iter().enumerate().map(|(k, &x)| {
                        let from = all * place(k) - sum;
                        x * (from / all) * (from / all)
                    });
                    N::sum(terms)
                };
                let apart = a_sum * b_all - b_sum * a_all;
                spread(a, a_all, a_sum) * b_all
                    + spread(b, b_all, b_sum) * a_all
                    + apart / a_all * (apart / b_all)
            }
            _ => {
                let present = |x: &[N]| -> Vec<(usize, N)> {
                    let all = x.iter().copied().enumerate();
                    all.filter(|(_, mass)| !mass.is_zero()).gather()
                };
                let b = present(b);
                let row = |(i, x): (usize, N)| {
                    let terms = b.iter().map(|&(j, y)| y * self.between(i, j));
                    x * N::sum(terms)
                };
                N::sum(present(a).into_iter().map(row))
            }
        }
    }
}

/// The sum of all that come before each.
fn sums_before<N: Number>(x: &[N]) -> Vec<N> {
    let mut sums = vec![N::of(0.0); x.len()];
    for k in 1..x.len() {
        sums[k] = sums[k - 1] + x[k - 1];
    }
    sums
}

/// The sum of all that come after each.
fn sums_after<N: Number>(x: &[N]) -> Vec<N> {
    let mut sums = vec![N::of(0.0); x.len()];
    for k in (1..x.len()).rev() {
        sums[k - 1] = sums[k] + x[k];
    }
    sums
}

/// (t + p) / 2T of each class.
fn pooled_shares<N: Number>(t: &impl Table<N>) -> Vec<N> {
    let values = t.total() * 2.0;
    let both = t.classes().map(|c| (c.tp + c.fn_) + (c.tp + c.fp));
    both.map(|mass| mass / values).gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::find;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn columns_of_aickins_alpha_have_the_bits_of_single_tables(
            cells in prop::collection::vec([0_u32..60, 0..60, 0..60, 0..60], 1..40),
        ) {
            let parameters = Parameters::defaults(find("aickin_alpha").unwrap());
            let table = |[tp, fp, fn_, tn]: [u32; 4]| BinaryCounts { tp, fp, fn_, tn }.map(f64::from);
            let tables: Vec<_> = cells.into_iter().map(table).filter(|c| c.total() > 0.0).collect();
            let mut column = vec![0.0; tables.len()];
            AickinOfCounts.fill(&tables, &parameters, -7.0, &mut column);
            for (table, found) in tables.iter().zip(column) {
                let alone = AickinOfCounts.value(table, &parameters).unwrap_or(-7.0);
                prop_assert_eq!(found.to_bits(), alone.to_bits(), "{:?}", table);
            }
        }
    }
}
