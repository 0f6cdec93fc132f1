//! Dependence between actual and predicted class: how well one determines the other, whatever the
//! names of the classes.
//!
//! Chi-squared and its relatives come from phi-squared, `sum_ij (M[i,j] / T - q)^2 / q`,
//! `q = t[i] p[j] / T^2`, over all K^2 cells. The empty cells of a row contribute the row's share
//! times the sum of the columns that it does not meet, so one pass over the other cells is enough.
//! Pairs of rows, for comparing two clusterings, are counted from the cells too, as a 2×2 table of
//! pairs: together in both, in one only, in neither.

use crate::arith::cell_sums::greatest;
use crate::arith::number::{Number, WHOLE};
use crate::base::memory::{CopyAll, Gather};
use crate::index::form::{form, matrix_form, table_forms};
use crate::index::parameter::Parameters;
use crate::index::row::Law::{Perfect, Proportional, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::correlation::phi;
use crate::index::rows::matrix_sums::{FEW, Table, of_class};
use crate::index::scale;
use crate::index::spread::{Delta, NoInterval};
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};

const ONE_SIDED: &str = "All rows are actually of one class, or all are predicted to be of one.";
const PEARSON: &str = "Pearson 1900, doi:10.1080/14786440009463897";
const CRAMER: &str = "Cramér 1946, Mathematical Methods of Statistics, Princeton";
const GOODMAN_KRUSKAL: &str = "Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231";
const RAND: &str = "Rand 1971, doi:10.1080/01621459.1971.10482356";
const PAIRS: &str = "Wallace 1983, doi:10.1080/01621459.1983.10478009";
const FRACTIONS: &str =
    "An amount is a fraction of one row, so that there are no pairs of rows to count.";
const NO_PAIRS: &str = "No two rows are together, or an amount is a fraction of one row, so that there are no pairs of rows to count.";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "chi_squared",
        aliases: &["chisq", "chi_square", "pearson_chi_squared"],
        title: "Pearson's chi-squared statistic",
        formula: "sum_ij (M[i,j] - t[i] p[j] / T)^2 / (t[i] p[j] / T) = n (tp tn - fp fn)^2 / ((tp + fn) (tn + fp) (tp + fp) (tn + fn))",
        about: "How far the matrix is from independence of actual and predicted class, without \
                Yates's correction. It grows with the number of rows, and consistently wrong \
                predictions score like right ones. Classes that never occur, or are never \
                predicted, add nothing.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), Swapped(SELF), Proportional],
        source: PEARSON,
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[
            form!(|c, _| {
                // Masses of any size: an index that grows with its masses is not scaled beforehand.
                let total = c.total();
                let scale = N::unit_scale(total);
                Ok(phi_squared_of_counts(&c.scaled(scale))? * total)
            }),
            matrix_form!(|m, _| Ok(phi_squared(m)?.0 * m.total())),
        ])
    },
    Index {
        name: "chi_squared_degrees_of_freedom",
        aliases: &["chi_squared_df", "degrees_of_freedom"],
        title: "Degrees of freedom of chi-squared",
        formula: "(K - 1)^2",
        about: "The degrees of freedom of chi-squared under independence. K includes labels that \
                do not occur, although they add nothing to the statistic.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: PEARSON,
        joint: Joint::UpDown,
        delta: Delta::None(NoInterval::Flat),
        ..reading(&[
            form!(|_, _| Ok(N::of(1.0))),
            matrix_form!(|m, _| {
                let others = m.labels() - 1.0;
                Ok(N::of(others * others))
            }),
        ])
    },
    Index {
        name: "phi_squared",
        aliases: &["mean_square_contingency", "doolittle"],
        title: "Phi-squared (mean square contingency)",
        formula: "chi_squared / T = sum_ij M[i,j]^2 / (t[i] p[j]) - 1",
        about: "Chi-squared divided by the number of rows. For two classes it is the square of \
                MCC. For K classes it reaches K - 1, so use Cramér's V to compare.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: PEARSON,
        ..reading(&[
            form!(|c, _| phi_squared_of_counts(c)),
            matrix_form!(|m, _| Ok(phi_squared(m)?.0)),
        ])
    },
    Index {
        name: "cramers_v",
        aliases: &["cramer_v"],
        title: "Cramér's V",
        formula: "sqrt(phi_squared / (min(r, c) - 1)), r the number of classes that occur, c of those that are predicted",
        about: "Phi-squared rescaled to [0, 1]: 1 if each class determines the other, even if all \
                predictions are wrong. It is biased upwards for few rows and many classes.",
        better: Better::Neither,
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: CRAMER,
        scales: scale::CRAMER_V,
        ..reading(&[
            form!(|c, _| Ok(phi(c)?.abs())),
            matrix_form!(|m, _| {
                let (phi_squared, actual, predicted) = phi_squared(m)?;
                let most = actual.min(predicted) - 1.0;
                Ok((phi_squared / most).sqrt().at_most(1.0))
            }),
        ])
    },
    Index {
        name: "tschuprow_t",
        aliases: &["tschuprows_t"],
        title: "Tschuprow's T",
        formula: "sqrt(phi_squared / sqrt((r - 1) (c - 1))), r the number of classes that occur, c of those that are predicted",
        about: "Like Cramér's V, but it reaches 1 only if as many classes are predicted as occur.",
        better: Better::Neither,
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Tschuprow 1925, Grundbegriffe und Grundprobleme der Korrelationstheorie, Teubner",
        ..reading(&[
            form!(|c, _| Ok(phi(c)?.abs())),
            matrix_form!(|m, _| {
                let (phi_squared, actual, predicted) = phi_squared(m)?;
                let freedom = N::of((actual - 1.0) * (predicted - 1.0)).sqrt();
                Ok((phi_squared / freedom).sqrt().at_most(1.0))
            }),
        ])
    },
    Index {
        name: "contingency_coefficient",
        aliases: &["pearson_c", "pearsons_c"],
        title: "Pearson's contingency coefficient C",
        formula: "sqrt(chi_squared / (chi_squared + T))",
        about: "Phi-squared rescaled to below 1. A perfect matrix of K classes reaches only \
                sqrt((K - 1) / K), so values for different K are not comparable.",
        better: Better::Neither,
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: PEARSON,
        scales: scale::CONTINGENCY,
        ..reading(&[
            form!(|c, _| Ok(contingency(phi_squared_of_counts(c)?))),
            matrix_form!(|m, _| Ok(contingency(phi_squared(m)?.0))),
        ])
    },
    Index {
        name: "goodman_kruskal_lambda_a",
        aliases: &["lambda_a", "guttman_lambda_b"],
        title: "Goodman and Kruskal's lambda, of the actual class",
        formula: "(sum_j max(M[0,j], ..., M[K-1,j]) - max(t[0], ..., t[K-1])) / (T - max(t[0], ..., t[K-1]))",
        about: "By what share the errors of guessing the most frequent class fall once the \
                predicted class is known. It is 0 whenever each predicted class holds mostly the \
                same actual class, though the two may depend on each other.",
        undefined: "All rows are actually of one class.",
        laws: &[Transposed("goodman_kruskal_lambda_b"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN_KRUSKAL,
        scales: scale::LAMBDA,
        delta: Delta::None(NoInterval::Tied),
        ..reading(&[
            form!(|c, _| Modes::of_counts(c).lambda_a()),
            matrix_form!(|m, _| Modes::of_matrix(m).lambda_a()),
        ])
    },
    Index {
        name: "goodman_kruskal_lambda_b",
        aliases: &["lambda_b", "guttman_lambda_a"],
        title: "Goodman and Kruskal's lambda, of the predicted class",
        formula: "(sum_i max(M[i,0], ..., M[i,K-1]) - max(p[0], ..., p[K-1])) / (T - max(p[0], ..., p[K-1]))",
        about: "By what share the errors of guessing the most frequent prediction fall once the \
                actual class is known. Read it with the same care as lambda of the actual class.",
        undefined: "All rows are predicted to be of one class.",
        laws: &[Transposed("goodman_kruskal_lambda_a"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN_KRUSKAL,
        scales: scale::LAMBDA,
        ..reading(&[
            form!(|c, _| Modes::of_counts(c).lambda_b()),
            matrix_form!(|m, _| Modes::of_matrix(m).lambda_b()),
        ])
    },
    Index {
        name: "goodman_kruskal_lambda",
        aliases: &["lambda_symmetric", "symmetric_lambda"],
        title: "Goodman and Kruskal's lambda, symmetric",
        formula: "(sum_j max_i M[i,j] + sum_i max_j M[i,j] - max_k t[k] - max_k p[k]) / (2 T - max_k t[k] - max_k p[k])",
        about: "Both lambdas together: the relative reduction of errors if half of the time the \
                actual class is guessed from the predicted one, and half of the time the reverse.",
        undefined: "All rows are actually of one class and predicted to be of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN_KRUSKAL,
        ..reading(&[
            form!(|c, _| Modes::of_counts(c).lambda()),
            matrix_form!(|m, _| Modes::of_matrix(m).lambda()),
        ])
    },
    Index {
        name: "goodman_kruskal_tau",
        aliases: &["goodman_kruskal_tau_a"],
        title: "Goodman and Kruskal's tau, of the actual class",
        formula: "1 - sum_ij (M[i,j] / T) (1 - M[i,j] / p[j]) / sum_i (t[i] / T) (1 - t[i] / T)",
        about: "By what share the errors of guessing the actual class in its proportions fall \
                once the predicted class is known; unlike lambda it is 0 under independence only. \
                For two classes it is the square of MCC.",
        undefined: "All rows are actually of one class.",
        laws: &[Transposed("goodman_kruskal_tau_b"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN_KRUSKAL,
        cancels: true,
        ..reading(&[
            form!(|c, _| tau_of_counts(c, Undefined::OneActualClass)),
            matrix_form!(|m, _| tau_of_actual(m)),
        ])
    },
    Index {
        name: "goodman_kruskal_tau_b",
        title: "Goodman and Kruskal's tau, of the predicted class",
        formula: "1 - sum_ij (M[i,j] / T) (1 - M[i,j] / t[i]) / sum_j (p[j] / T) (1 - p[j] / T)",
        about: "By what share the errors of guessing the prediction in its proportions fall once \
                the actual class is known.",
        undefined: "All rows are predicted to be of one class.",
        laws: &[Transposed("goodman_kruskal_tau"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN_KRUSKAL,
        cancels: true,
        ..reading(&[
            form!(|c, _| {
                let transposed = BinaryCounts { fp: c.fn_, fn_: c.fp, ..*c };
                tau_of_counts(&transposed, Undefined::OnePredictedClass)
            }),
            matrix_form!(|m, _| tau_of_predicted(m)),
        ])
    },
    Index {
        name: "rand_index",
        aliases: &["rand_score"],
        title: "Rand index of two clusterings",
        formula: "(A + D) / (A + B + C + D), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The share of pairs of rows on which two clusterings agree, whatever the names of \
                the clusters; 1 if there is only one row. It is close to 1 for any two \
                clusterings with many clusters; the adjusted index is not.",
        undefined: FRACTIONS,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: RAND,
        ..reading(table_forms!(|t, p| rand_index(t, p)))
    },
    Index {
        name: "adjusted_rand_index",
        aliases: &["ari", "adjusted_rand_score"],
        title: "Adjusted Rand index of two clusterings",
        formula: "2 (A D - B C) / ((A + B) (B + D) + (A + C) (C + D)), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The Rand index corrected for chance given the cluster sizes: Cohen's kappa of \
                pairs. About 0 for unrelated clusterings, 1 for identical ones, also if all rows \
                are in one cluster or each in its own. It judges the grouping, not the labels: \
                consistently wrong predictions have 1 too.",
        range: (-0.5, 1.0),
        undefined: FRACTIONS,
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: "Hubert, Arabie 1985, doi:10.1007/BF01908075",
        cancels: true,
        ..reading(table_forms!(|t, p| adjusted_rand_index(t, p)))
    },
    Index {
        name: "pair_fowlkes_mallows",
        aliases: &["fowlkes_mallows_score", "fowlkes_mallows_of_clusterings"],
        title: "Fowlkes-Mallows index of two clusterings",
        formula: "A / sqrt((A + B) (A + C)), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The geometric mean of the precision and the recall of pairs of rows. Its value \
                for unrelated clusterings rises as there are fewer clusters.",
        undefined: NO_PAIRS,
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: "Fowlkes, Mallows 1983, doi:10.1080/01621459.1983.10478008",
        ..reading(table_forms!(|t, p| pair_fowlkes_mallows(t, p)))
    },
    Index {
        name: "pair_precision",
        title: "Precision of pairs of rows",
        formula: "A / (A + C), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The share of pairs of rows of the same predicted class that are also of the same \
                actual class.",
        undefined: NO_PAIRS,
        laws: &[Transposed("pair_recall"), Swapped(SELF)],
        source: PAIRS,
        ..reading(table_forms!(|t, p| pair_precision(t, p)))
    },
    Index {
        name: "pair_recall",
        title: "Recall of pairs of rows",
        formula: "A / (A + B), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The share of pairs of rows of the same actual class that are also predicted to be \
                of the same class.",
        undefined: NO_PAIRS,
        laws: &[Transposed("pair_precision"), Swapped(SELF)],
        source: PAIRS,
        ..reading(table_forms!(|t, p| pair_recall(t, p)))
    },
    Index {
        name: "pair_f1",
        title: "F1 of pairs of rows",
        formula: "2 A / (2 A + B + C), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "The harmonic mean of the precision and the recall of pairs of rows. Large classes \
                dominate, since they have most of the pairs.",
        undefined: NO_PAIRS,
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: PAIRS,
        ..reading(table_forms!(|t, p| pair_f1(t, p)))
    },
    Index {
        name: "pair_jaccard",
        title: "Jaccard index of pairs of rows",
        formula: "A / (A + B + C), pairs of rows: A of one class in both, B actually only, C as predicted only, D in neither",
        about: "Among the pairs of rows that share a cluster in either clustering: the share that \
                do in both.",
        undefined: NO_PAIRS,
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: PAIRS,
        ..reading(table_forms!(|t, p| pair_jaccard(t, p)))
    },
];

/// Phi-squared, and how many classes occur and are predicted.
pub(crate) fn phi_squared<N: Number>(t: &impl Table<N>) -> Result<(N, f64, f64), Undefined> {
    let (actual, predicted) = t.classes_present();
    if actual < 2.0 {
        return Err(Undefined::OneActualClass);
    }
    if predicted < 2.0 {
        return Err(Undefined::OnePredictedClass);
    }
    let value = t.phi_squared();
    if !value.is_in_range() {
        return Err(Undefined::OutsideDomain);
    }
    Ok((value.at_most(actual.min(predicted) - 1.0), actual, predicted))
}

#[inline(always)]
#[allow(clippy::inline_always)] // A formula must be inlined to be compiled for wider instructions.
fn phi_squared_of_counts<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let phi = phi(c)?;
    Ok(phi * phi)
}

fn contingency<N: Number>(phi_squared: N) -> N {
    (phi_squared / (phi_squared + 1.0)).sqrt()
}

/// What the lambdas read: the greatest cell of each column, of each row, and the greatest margins.
struct Modes<N = f64> {
    of_columns: N,
    of_rows: N,
    /// Rows of the most frequent class, and all others: a total less the first would not be 0 where
    /// sums of weights are rounded.
    actual: (N, N),
    predicted: (N, N),
}

/// The greatest mass, and the sum of the others.
fn greatest_and_rest<N: Number>(masses: impl Iterator<Item = N>) -> (N, N) {
    masses.fold((N::of(0.0), N::of(0.0)), |(most, rest), mass| {
        (most.max(mass), rest + most.min(mass))
    })
}

/// The sums of the greatest masses of the rows, and of the columns.
fn fullest(m: &MatrixView) -> (f64, f64) {
    let mut columns = vec![0.0_f64; m.classes()];
    let mut rows = 0.0;
    m.cells.each_row(|row| {
        rows += if let Some(range) = row.range() {
            greatest(row.masses, &mut columns[range])
        } else {
            for (&column, &mass) in row.predicted.iter().zip(row.masses) {
                let column = &mut columns[column as usize];
                *column = column.max(mass);
            }
            row.masses.iter().copied().fold(0.0, f64::max)
        };
    });
    (rows, columns.iter().sum())
}

impl<N: Number> Modes<N> {
    fn of_counts(c: &BinaryCounts<N>) -> Self {
        Self {
            of_columns: c.tp.max(c.fp) + c.tn.max(c.fn_),
            of_rows: c.tp.max(c.fn_) + c.tn.max(c.fp),
            actual: greatest_and_rest([c.tp + c.fn_, c.fp + c.tn].into_iter()),
            predicted: greatest_and_rest([c.tp + c.fp, c.fn_ + c.tn].into_iter()),
        }
    }

    fn lambda_a(&self) -> Outcome<N> {
        let (most, wrong) = self.actual;
        share(self.of_columns - most, wrong, Undefined::OneActualClass)
    }

    fn lambda_b(&self) -> Outcome<N> {
        let (most, wrong) = self.predicted;
        share(self.of_rows - most, wrong, Undefined::OnePredictedClass)
    }

    fn lambda(&self) -> Outcome<N> {
        let fewer = (self.of_columns - self.actual.0) + (self.of_rows - self.predicted.0);
        let wrong = self.actual.1 + self.predicted.1;
        share(fewer, wrong, Undefined::OneActualClass)
    }
}

impl<N: Number> Modes<N> {
    fn of_matrix(t: &impl Table<N>) -> Self {
        let (of_rows, of_columns) = match t.plain(WHOLE) {
            Some(m) => {
                let (rows, columns) = m.once(|known| &known.modes, || fullest(m));
                (N::of(rows), N::of(columns))
            }
            None => fullest_by_cells(t),
        };
        Self {
            of_columns,
            of_rows,
            actual: greatest_and_rest(t.classes().map(|c| c.tp + c.fn_)),
            predicted: greatest_and_rest(t.classes().map(|c| c.tp + c.fp)),
        }
    }
}

/// [`fullest`], cell by cell.
fn fullest_by_cells<N: Number>(t: &impl Table<N>) -> (N, N) {
    let (mut rows, _) = t.margins();
    rows.fill(N::of(0.0));
    let mut columns = rows.copy_all();
    for (i, j, mass) in t.cells() {
        rows[i] = rows[i].max(mass);
        columns[j] = columns[j].max(mass);
    }
    (N::sum(rows.into_iter()), N::sum(columns.into_iter()))
}

/// A ratio that only rounding brings out of [0, 1]: its own, or that of the margins of weights,
/// over which exact arithmetic leaves the range, too.
fn share<N: Number>(part: N, all: N, otherwise: Undefined) -> Outcome<N> {
    let part = if (-part).is_positive() {
        N::of(0.0)
    } else if (part - all).is_positive() {
        all
    } else {
        part
    };
    Ok(ratio(part, all, otherwise)?.within(0.0, 1.0))
}

/// Tau of the actual class from two classes.
#[inline(always)]
#[allow(clippy::inline_always)]
fn tau_of_counts<N: Number>(c: &BinaryCounts<N>, otherwise: Undefined) -> Outcome<N> {
    let total = c.total();
    let within = |a: N, b: N| {
        let both = a + b;
        if both.is_zero() { both } else { a / total * (b / both) }
    };
    let left = within(c.tp, c.fp) + within(c.tn, c.fn_);
    let all = (c.tp + c.fn_) / total * ((c.fp + c.tn) / total);
    remaining(left, all, otherwise)
}

fn tau_of_actual<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    let all = t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.fp + c.tn)]));
    let left = spread_within(t, |_, predicted| predicted);
    remaining(left * t.total(), all, Undefined::OneActualClass)
}

fn tau_of_predicted<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    let all = t.sum_of_products(of_class!(|c| [(c.tp + c.fp, c.fn_ + c.tn)]));
    let left = spread_within(t, |actual, _| actual);
    remaining(left * t.total(), all, Undefined::OnePredictedClass)
}

/// The sum of M[i,j] (1 - M[i,j] / x), x the rows of one of the classes i and j: of the one that
/// `chosen` takes of the two. Pairs of cells are added up, since x less a cell would cancel.
fn spread_within<N: Number>(t: &impl Table<N>, chosen: fn(usize, usize) -> usize) -> N {
    let is_actual = chosen(0, 1) == 0;
    let Some(m) = t.plain(FEW) else {
        let (actual, predicted) = t.margins();
        let margins = if is_actual { actual } else { predicted };
        let mut before: Vec<N> = margins.iter().map(|_| N::of(0.0)).gather();
        let terms = t.cells().map(|(i, j, mass)| {
            let class = chosen(i, j);
            let pairs = mass * (before[class] / margins[class]) * 2.0;
            before[class] = before[class] + mass;
            pairs
        });
        return N::sum(terms);
    };
    // Products of the classes are whole, so that one quotient of each class is enough.
    let margins = if is_actual { &m.actual } else { &m.predicted };
    let mut pairs = vec![0.0; margins.len()];
    let mut before: Vec<f64> = vec![0.0; margins.len()];
    m.cells.each_row(|row| {
        for (&predicted, &mass) in row.predicted.iter().zip(row.masses) {
            let class = chosen(row.actual, predicted as usize);
            pairs[class] += 2.0 * mass * before[class];
            before[class] += mass;
        }
    });
    let present = || margins.iter().zip(&pairs).filter(|class| *class.0 != 0.0);
    let pairs: Vec<f64> = present().map(|class| *class.1).gather();
    let margins: Vec<f64> = present().map(|class| *class.0).gather();
    N::sum_of_quotients(&pairs, &margins)
}

/// By what share the errors fall.
fn remaining<N: Number>(left: N, all: N, otherwise: Undefined) -> Outcome<N> {
    Ok(ratio(left, all, otherwise)?.complement().within(0.0, 1.0))
}

/// The 2×2 table of pairs of rows: actually of one class or not, predicted to be or not.
fn pairs<N: Number>(t: &impl Table<N>) -> Result<BinaryCounts<N>, Undefined> {
    t.pairs().ok_or(Undefined::NoPairs)
}

fn rand_index<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    let all = pairs.total();
    Ok(if all.is_positive() { (pairs.tp + pairs.tn) / all } else { N::of(1.0) })
}

fn adjusted_rand_index<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let BinaryCounts { tp, fp, fn_, tn } = pairs(t)?;
    if fp.is_zero() && fn_.is_zero() {
        return Ok(N::of(1.0));
    }
    let expected = (tp + fp) * (fp + tn) + (tp + fn_) * (fn_ + tn);
    let beyond = N::difference_of_products(tp, tn, fp, fn_) * 2.0;
    ratio(beyond, expected, Undefined::ZeroDenominator)
}

fn pair_fowlkes_mallows<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    let (actual, called) = (pairs.tp + pairs.fn_, pairs.tp + pairs.fp);
    if actual.is_zero() || called.is_zero() {
        return Err(Undefined::NoPairs);
    }
    Ok(pairs.tp / N::root_of_product(actual, called))
}

fn pair_precision<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    ratio(pairs.tp, pairs.tp + pairs.fp, Undefined::NoPairs)
}

fn pair_recall<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    ratio(pairs.tp, pairs.tp + pairs.fn_, Undefined::NoPairs)
}

fn pair_f1<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    let twice = pairs.tp * 2.0;
    ratio(twice, twice + pairs.fp + pairs.fn_, Undefined::NoPairs)
}

fn pair_jaccard<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let pairs = pairs(t)?;
    ratio(pairs.tp, pairs.tp + pairs.fp + pairs.fn_, Undefined::NoPairs)
}
