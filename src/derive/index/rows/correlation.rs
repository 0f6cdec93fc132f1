//! Correlation between actual and predicted classes, and between their ranks if classes are
//! ordered.
//!
//! Pairs of rows in the same and in opposite order are counted with a Fenwick tree over the
//! predicted classes, while the actual classes are passed in order: O(non-zero cells × log
//! classes).
//!
//! Source: Fenwick 1994, doi:10.1002/spe.4380240306.

use crate::arith::number::Number;
use crate::base::memory::Gather;
use crate::index::form::{form, matrix_form};
use crate::index::row::Law::{Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Index, Joint, SELF, reading};
use crate::index::rows::matrix_sums::{FEW, Table, centred_ranks, of_class, weighed_rows};
use crate::index::rows::shares::determinant;
use crate::index::scale;
use crate::index::value::ratio;
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};

const ONE_SIDED: &str = "All rows are actually of one class, or all are predicted to be of one.";
const KENDALL: &str = "Kendall 1945, doi:10.1093/biomet/33.3.239";
const SOMERS: &str = "Somers 1962, doi:10.2307/2090408";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "mcc",
        aliases: &[
            "phi",
            "matthews",
            "matthews_correlation_coefficient",
            "r_k",
            "matthews_corrcoef",
            "phi_coefficient",
            "overall_mcc",
            "mat",
        ],
        title: "Matthews correlation coefficient (with more classes, Gorodkin's R_K)",
        formula: "(tp tn - fp fn) / sqrt((tp + fn) (tn + fp) (tp + fp) (tn + fn)); \
              (c T - sum_k p[k] t[k]) / sqrt((T^2 - sum_k p[k]^2) (T^2 - sum_k t[k]^2)), c = sum_k M[k,k]",
        about: "The correlation of actual and predicted class, high only if all four counts of \
                the table are good; 0 for predictions independent of the class. With more than \
                two classes it may not reach -1. It changes with prevalence.",
        range: (-1.0, 1.0),
        undefined: "All rows are actually of one class, or all are predicted to be of one; 0 by \
                    convention.",
        when_undefined: 0.0,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Matthews 1975, doi:10.1016/0005-2795(75)90109-9; \
             Gorodkin 2004, doi:10.1016/j.compbiolchem.2004.09.006",
        joint: Joint::UpDown,
        scales: scale::CORRELATION,
        ..reading(&[
            form!(|c, _| phi(c)),
            matrix_form!(|m, _| {
                // T² − Σ x² as Σ x (T − x), and c T − Σ p t as the sum of the determinants of each
                // class against the rest, so that no margin is subtracted from another.
                let actual = m.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.fp + c.tn)]));
                let predicted = m.sum_of_products(of_class!(|c| [(c.tp + c.fp, c.fn_ + c.tn)]));
                if !actual.is_positive() {
                    return Err(Undefined::OneActualClass);
                }
                if !predicted.is_positive() {
                    return Err(Undefined::OnePredictedClass);
                }
                let spread = N::root_of_product(actual, predicted);
                Ok((sum_of_determinants(m) / spread).within(-1.0, 1.0))
            }),
        ])
    },
    Index {
        name: "goodman_kruskal_gamma",
        aliases: &["gamma"],
        title: "Goodman and Kruskal's gamma (ordered classes)",
        formula: "(C - D) / (C + D), C the pairs of rows in the same order actually and as predicted, D those in opposite orders",
        about: "Among the pairs of rows tied on neither side: the share in the same order minus \
                the share in opposite orders. Ties cost nothing, so a few untied pairs can make \
                it 1. For two classes it is Yule's Q.",
        range: (-1.0, 1.0),
        undefined: "No pair of rows differs both actually and as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231",
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| Order::of_counts(c).gamma()),
            matrix_form!(|m, _| Order::of_matrix(m).gamma()),
        ])
    },
    Index {
        name: "kendall_tau_b",
        aliases: &["tau_b"],
        title: "Kendall's tau-b (ordered classes)",
        formula: "(C - D) / sqrt(U V), C the pairs of rows in the same order actually and as predicted, D those in opposite \
                  orders, U = (T^2 - sum_k t[k]^2) / 2, V = (T^2 - sum_k p[k]^2) / 2",
        about: "Rank correlation of ordered classes; a tie on one side counts against agreement. \
                For two classes it is MCC.",
        range: (-1.0, 1.0),
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: KENDALL,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| phi(c)), matrix_form!(|m, _| Order::of_matrix(m).tau_b())])
    },
    Index {
        name: "stuart_tau_c",
        aliases: &["kendall_tau_c", "tau_c"],
        title: "Stuart's tau-c (ordered classes)",
        formula: "2 m (C - D) / (T^2 (m - 1)), C the pairs of rows in the same order actually and as predicted, D those in opposite \
                  orders, m the lesser of the numbers of classes that occur and that are predicted",
        about: "Rank correlation of ordered classes for unequal numbers of classes. It reaches 1 \
                only if all classes have the same size.",
        range: (-1.0, 1.0),
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), ScaleFree],
        source: "Stuart 1953, doi:10.1093/biomet/40.1-2.105",
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| Order::of_counts(c).tau_c()),
            matrix_form!(|m, _| Order::of_matrix(m).tau_c()),
        ])
    },
    Index {
        name: "somers_d_of_predicted",
        aliases: &["ordinal_somers_d"],
        title: "Somers' D of the predicted class (ordered classes)",
        formula: "(C - D) / U, C the pairs of rows in the same order actually and as predicted, D those in opposite orders, \
                  U = (T^2 - sum_k t[k]^2) / 2",
        about: "Among the pairs of rows of different actual classes: the share predicted in the \
                same order minus the share predicted in the opposite order. For two classes it is \
                informedness.",
        range: (-1.0, 1.0),
        undefined: "All rows are actually of one class.",
        laws: &[Transposed("somers_d_of_actual"), ScaleFree, Perfect(1.0)],
        source: SOMERS,
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| Order::of_counts(c).somers_d_of_predicted()),
            matrix_form!(|m, _| Order::of_matrix(m).somers_d_of_predicted()),
        ])
    },
    Index {
        name: "somers_d_of_actual",
        title: "Somers' D of the actual class (ordered classes)",
        formula: "(C - D) / V, C the pairs of rows in the same order actually and as predicted, D those in opposite orders, \
                  V = (T^2 - sum_k p[k]^2) / 2",
        about: "Among the pairs of rows of different predicted classes: the share actually in the \
                same order minus the share in the opposite order. For two classes it is \
                markedness.",
        range: (-1.0, 1.0),
        undefined: "All rows are predicted to be of one class.",
        laws: &[Transposed("somers_d_of_predicted"), ScaleFree, Perfect(1.0)],
        source: SOMERS,
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| Order::of_counts(c).somers_d_of_actual()),
            matrix_form!(|m, _| Order::of_matrix(m).somers_d_of_actual()),
        ])
    },
    Index {
        name: "spearman_rho",
        aliases: &["spearman"],
        title: "Spearman's rank correlation (ordered classes)",
        formula: "sum_ij M[i,j] x[i] y[j] / sqrt(sum_i t[i] x[i]^2 sum_j p[j] y[j]^2), x[k] = t[0] + ... + t[k] - t[k] / 2 - T / 2, \
                  y alike from p",
        about: "The correlation of the mean ranks of actual and predicted class: an error weighs \
                by the number of rows between the classes.",
        range: (-1.0, 1.0),
        undefined: ONE_SIDED,
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Spearman 1904, doi:10.2307/1412159",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| phi(c)), matrix_form!(|m, _| spearman_rho(m))])
    },
];

/// Σ (tp tn − fp fn) over the classes against the rest, which is c T − Σ p t.
pub(crate) fn sum_of_determinants<N: Number>(t: &impl Table<N>) -> N {
    t.sum_of_products(of_class!(|c| [(c.tp, c.tn), (-c.fp, c.fn_)]))
}

/// Matthews' coefficient of two classes. Inlined, large as it is, so that the loop over many tables
/// is one of vectors.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn phi<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let actual = (c.tp + c.fn_, c.fp + c.tn);
    let predicted = (c.tp + c.fp, c.fn_ + c.tn);
    for (margin, why) in [
        (actual.0, Undefined::NoActualPositives),
        (actual.1, Undefined::NoActualNegatives),
        (predicted.0, Undefined::NoPredictedPositives),
        (predicted.1, Undefined::NoPredictedNegatives),
    ] {
        if !margin.is_positive() {
            return Err(why);
        }
    }
    let covariance = determinant(c);
    let spread = N::root_of_products(actual.0, predicted.0, actual.1, predicted.1);
    Ok((covariance / spread).within(-1.0, 1.0))
}

/// Pairs of rows by their order.
struct Order<N = f64> {
    /// Pairs in the same order less those in opposite orders.
    excess: N,
    /// Pairs that neither side ties.
    untied: N,
    /// Pairs of different actual classes.
    actual: N,
    /// Pairs of different predicted classes.
    predicted: N,
    /// All, T²/2.
    all: N,
    /// The lesser of the numbers of classes that occur and that are predicted.
    classes: f64,
}

impl<N: Number> Order<N> {
    fn of_counts(c: &BinaryCounts<N>) -> Self {
        let (positive, negative) = (c.tp + c.fn_, c.fp + c.tn);
        let (called, rest) = (c.tp + c.fp, c.fn_ + c.tn);
        let both = [positive, negative, called, rest];
        let total = c.total();
        Self {
            excess: determinant(c),
            untied: c.tp * c.tn + c.fp * c.fn_,
            actual: positive * negative,
            predicted: called * rest,
            all: total * total / 2.0,
            classes: if both.into_iter().all(N::is_positive) { 2.0 } else { 1.0 },
        }
    }

    fn gamma(&self) -> Outcome<N> {
        // Of products too small for all their digits the two sums are not rounded alike.
        let value = ratio(self.excess, self.untied, Undefined::ZeroDenominator)?;
        Ok(value.within(-1.0, 1.0))
    }

    fn tau_b(&self) -> Outcome<N> {
        if !self.actual.is_positive() {
            return Err(Undefined::OneActualClass);
        }
        if !self.predicted.is_positive() {
            return Err(Undefined::OnePredictedClass);
        }
        let spread = N::root_of_product(self.actual, self.predicted);
        Ok((self.excess / spread).within(-1.0, 1.0))
    }

    fn tau_c(&self) -> Outcome<N> {
        if self.classes < 2.0 {
            return Err(Undefined::OneActualClass);
        }
        let scale = N::of(self.classes) / (self.classes - 1.0);
        Ok((self.excess / self.all * scale).within(-1.0, 1.0))
    }

    fn somers_d_of_predicted(&self) -> Outcome<N> {
        let value = ratio(self.excess, self.actual, Undefined::OneActualClass)?;
        Ok(value.within(-1.0, 1.0))
    }

    fn somers_d_of_actual(&self) -> Outcome<N> {
        let value = ratio(self.excess, self.predicted, Undefined::OnePredictedClass)?;
        Ok(value.within(-1.0, 1.0))
    }
}

impl<N: Number> Order<N> {
    fn of_matrix(t: &impl Table<N>) -> Self {
        let (same, opposite) = match t.plain(FEW) {
            Some(m) => {
                let (same, opposite) = m.once(|known| &known.order, || same_and_opposite(m));
                (N::of(same), N::of(opposite))
            }
            None => same_and_opposite_by_cells(t),
        };
        let total = t.total();
        let actual = t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.fp + c.tn)]));
        let predicted = t.sum_of_products(of_class!(|c| [(c.tp + c.fp, c.fn_ + c.tn)]));
        let (occur, called) = t.classes_present();
        Self {
            excess: same - opposite,
            untied: same + opposite,
            actual: actual / 2.0,
            predicted: predicted / 2.0,
            all: total * total / 2.0,
            classes: occur.min(called),
        }
    }
}

/// Pairs of rows in the same order, and in opposite ones, cell by cell.
fn same_and_opposite_by_cells<N: Number>(t: &impl Table<N>) -> (N, N) {
    let cells: Vec<(usize, usize, N)> = t.cells().gather();
    let classes = t.labels() as usize;
    let (mut less, mut greater) = (Fenwick::new(classes), Fenwick::new(classes));
    let (mut same, mut opposite) = (N::of(0.0), N::of(0.0));
    for row in cells.chunk_by(|a, b| a.0 == b.0) {
        for &(_, place, mass) in row {
            same = same + mass * less.before(place);
            opposite = opposite + mass * greater.before(classes - 1 - place);
        }
        for &(_, place, mass) in row {
            less.add(place, mass);
            greater.add(classes - 1 - place, mass);
        }
    }
    (same, opposite)
}

/// The same in `f64`.
fn same_and_opposite(m: &MatrixView) -> (f64, f64) {
    let classes = m.classes();
    if m.cells.len() > classes * classes / 8 {
        return of_full_rows(m);
    }
    same_and_opposite_by_cells(m)
}

/// The same where most cells are not empty: sums from either end of each row.
fn of_full_rows(m: &MatrixView) -> (f64, f64) {
    let mut columns = vec![0.0; m.classes()];
    let (mut same, mut opposite) = (0.0, 0.0);
    m.cells.each_row(|row| {
        let cells = || {
            let places = row.predicted.iter().map(|&place| place as usize);
            places.zip(row.masses)
        };
        let (mut less, mut from) = (0.0, 0);
        for (place, mass) in cells() {
            less += columns[from..place].iter().sum::<f64>();
            same += mass * less;
            from = place;
        }
        let (mut greater, mut to) = (0.0, columns.len());
        for (place, mass) in cells().rev() {
            greater += columns[place + 1..to].iter().sum::<f64>();
            opposite += mass * greater;
            to = place + 1;
        }
        for (place, mass) in cells() {
            columns[place] += mass;
        }
    });
    (same, opposite)
}

/// Sums over all places before one, while masses are added. There are two, so that the rows of
/// greater classes are added up and not what remains of all.
struct Fenwick<N> {
    sums: Vec<N>,
}

impl<N: Number> Fenwick<N> {
    fn new(places: usize) -> Self {
        Self { sums: vec![N::of(0.0); places + 1] }
    }

    fn add(&mut self, place: usize, mass: N) {
        let mut node = place + 1;
        while node < self.sums.len() {
            self.sums[node] = self.sums[node] + mass;
            node += node & node.wrapping_neg();
        }
    }

    fn before(&self, place: usize) -> N {
        let (mut node, mut sum) = (place, N::of(0.0));
        while node > 0 {
            sum = sum + self.sums[node];
            node &= node - 1;
        }
        sum
    }
}

fn spearman_rho<N: Number>(t: &impl Table<N>) -> Outcome<N> {
    let (occur, called) = t.classes_present();
    if occur < 2.0 {
        return Err(Undefined::OneActualClass);
    }
    if called < 2.0 {
        return Err(Undefined::OnePredictedClass);
    }
    let (actual, predicted) = t.margins();
    let (x, y) = (centred_ranks(&actual), centred_ranks(&predicted));
    let spread = |masses: &[N], ranks: &[N]| {
        let terms = masses.iter().zip(ranks);
        N::sum(terms.map(|(&mass, &rank)| mass * rank * rank))
    };
    let spread = N::root_of_product(spread(&actual, &x), spread(&predicted, &y));
    let of_rows = if let Some(m) = t.plain(FEW) {
        let y = centred_ranks(&m.predicted);
        weighed_rows(t, |_, j| y[j])
    } else {
        let mut sums = vec![N::of(0.0); x.len()];
        for (i, j, mass) in t.cells() {
            sums[i] = sums[i] + mass * y[j];
        }
        sums
    };
    let covariance = N::sum_of_products(x.into_iter().zip(of_rows));
    Ok(ratio(covariance, spread, Undefined::ZeroDenominator)?.within(-1.0, 1.0))
}
