//! Sums over the classes and cells of a matrix, and of a 2×2 table, that rows share.
//!
//! A formula that needs each class against the rest, or the cells with their margins, is written
//! once, over [`Table`]. It is then both forms of its row: over a matrix, in O(non-zero cells +
//! classes), and over counts, without allocation.

use std::sync::OnceLock;

use crate::arith::cell_sums::{add_pairs, deviations, squares, sum};
use crate::arith::fraction::Fraction;
use crate::arith::logarithm::sum_of_logs;
use crate::arith::number::{Number, WHOLE};
use crate::arith::products::unit_scale;
use crate::arith::traced::Traced;
use crate::base::memory::{Gather, Room};
use crate::labels::view::{BinaryCounts, Known, MatrixView};

/// A cell that is not empty.
pub(crate) struct Part<N = f64> {
    /// Its rows.
    pub(crate) mass: N,
    /// All rows of its actual class.
    pub(crate) actual: N,
    /// All rows predicted to be of its predicted class.
    pub(crate) predicted: N,
}

/// Factors of products, or a dividend and its divisor, that each class against the rest has, over
/// any number. Of whole numbers they are whole.
pub(crate) trait Factors<const K: usize> {
    /// Those of a class.
    fn of<N: Number>(c: &BinaryCounts<N>) -> [(N, N); K];
}

/// [`Factors`] from their formula `|c| [(…, …)]`, which may call the number `N`.
macro_rules! of_class {
    (|$class:ident| [$($factors:expr),+]) => {{
        struct OfClass;
        impl $crate::index::rows::matrix_sums::Factors<{ [$(stringify!($factors)),+].len() }> for OfClass {
            #[inline(always)]
            #[allow(clippy::inline_always)]
            fn of<N: $crate::arith::number::Number>(
                $class: &$crate::labels::view::BinaryCounts<N>,
            ) -> [(N, N); { [$(stringify!($factors)),+].len() }] {
                [$($factors),+]
            }
        }
        OfClass
    }};
}
pub(crate) use of_class;

/// What is asked of either.
pub(crate) trait Table<N: Number> {
    /// T.
    fn total(&self) -> N;
    /// K.
    fn labels(&self) -> f64;
    /// Each class against the rest.
    fn classes(&self) -> impl Iterator<Item = BinaryCounts<N>>;
    /// The cells that are not empty.
    fn parts(&self) -> impl Iterator<Item = Part<N>>;
    /// The cells that are not empty, by actual and then predicted class: both, and the rows.
    fn cells(&self) -> impl Iterator<Item = (usize, usize, N)>;

    /// The matrix in `f64`, where kernels over it give what its cells one by one would: if it is
    /// the very table, or if all are whole numbers and the sums of so many rows are exact.
    #[inline]
    fn plain(&self, most: f64) -> Option<&MatrixView> {
        let _ = most;
        None
    }

    /// The rows of each class, and those predicted to be of it.
    fn margins(&self) -> (Vec<N>, Vec<N>) {
        let actual = self.classes().map(|c| c.tp + c.fn_).gather();
        (actual, self.classes().map(|c| c.tp + c.fp).gather())
    }

    /// How many classes occur, and how many are predicted.
    fn classes_present(&self) -> (f64, f64) {
        let one = |is_zero: bool| f64::from(u8::from(!is_zero));
        self.classes().fold((0.0, 0.0), |(actual, predicted), c| {
            let occurs = one((c.tp + c.fn_).is_zero());
            (actual + occurs, predicted + one((c.tp + c.fp).is_zero()))
        })
    }

    /// Pairs of rows as a 2×2 table: alike or not actually and as predicted; none where a mass
    /// is less than 1. For more than 1e50 rows it is scaled.
    fn pairs(&self) -> Option<BinaryCounts<N>>;

    /// The sum over all cells of (mass - expected)^2 / expected, over T: phi-squared.
    fn phi_squared(&self) -> N {
        phi_squared_by_cells(self)
    }

    /// The sum over the classes of one product of each, or without cancellation of several. None of
    /// these changes its sign from class to class.
    #[inline]
    fn sum_of_products<const K: usize, F: Factors<K>>(&self, _: F) -> N {
        if K == 1 {
            N::sum(self.classes().map(|c| {
                let (a, b) = F::of(&c)[0];
                a * b
            }))
        } else {
            N::sum_of_products(self.classes().flat_map(|c| F::of(&c)))
        }
    }

    /// The sum over the classes of a quotient of each, and of how many: where the divisor is 0
    /// there is none.
    #[inline]
    fn sum_of_quotients<F: Factors<1>>(&self, _: F) -> (N, N) {
        quotients_one_by_one::<N, F>(self)
    }

    /// The number of classes that occur or are predicted.
    #[inline]
    fn present(&self) -> N {
        let present = self.classes().filter(|c| !(c.tp + c.fp + c.fn_).is_zero());
        N::of(present.count() as f64)
    }

    /// The rows of the most frequent class.
    #[inline]
    fn greatest_actual(&self) -> N {
        self.classes().map(|c| c.tp + c.fn_).fold(N::of(0.0), N::max)
    }

    /// The least quotient.
    fn least_quotient<F: Factors<1>>(&self, _: F) -> Option<N> {
        let all = self.classes().map(|c| F::of(&c)[0]);
        let present = all.filter(|(_, of)| !of.is_zero());
        present.map(|(a, b)| a / b).reduce(N::min)
    }

    /// Rows predicted right.
    #[inline]
    fn right(&self) -> N {
        self.sum_of_products(of_class!(|c| [(c.tp, N::of(1.0))]))
    }

    /// Rows predicted wrong.
    #[inline]
    fn wrong(&self) -> N {
        self.sum_of_products(of_class!(|c| [(c.fn_, N::of(1.0))]))
    }

    /// The sum of mass ln(above / below) over terms (mass, above, below); one whose quotient is
    /// no normal number is left out, since its mass is then less than 1e-300 of the total.
    #[inline]
    fn sum_of_logs(terms: impl Iterator<Item = (N, N, N)>) -> N {
        terms.fold(N::of(0.0), |sum, (mass, above, below)| sum + mass.by_log(above, below))
    }

    /// The sum of mass ln(mass T / (actual predicted)) over the cells.
    #[inline]
    fn sum_of_gains(&self) -> N {
        let total = self.total();
        Self::sum_of_logs(self.parts().map(|part| {
            let gain = (part.mass / part.actual) * (total / part.predicted);
            (part.mass, gain, N::of(1.0))
        }))
    }

    /// The sums over the cells that entropies have in common, where there is a place to keep them:
    /// of rows given their actual class, and given their predicted class.
    #[inline]
    fn surprises(&self) -> Option<[N; 2]> {
        None
    }

    /// What several rows want, computed by the first of them where there is a place to keep it.
    #[inline]
    fn once(&self, place: impl Fn(&Known) -> &OnceLock<f64>, compute: impl FnOnce() -> N) -> N {
        let _ = place;
        compute()
    }
}

/// [`Table::phi_squared`] from the difference of each cell from its expected mass.
fn phi_squared_by_cells<N: Number>(t: &(impl Table<N> + ?Sized)) -> N {
    let total = t.total();
    let (mut sum, mut met) = (N::of(0.0), N::of(0.0));
    for part in t.parts() {
        let expected = part.actual * part.predicted;
        let beyond = N::difference_of_products(part.mass, total, part.actual, part.predicted);
        sum = sum + beyond * (beyond / expected);
        met = met + expected;
    }
    // An empty cell adds its expected mass.
    let all = total * total;
    (sum + (all - met).at_least(0.0)) / all
}

/// The sum of M[i,j]^2 / (t[i] p[j]), for fewer than 2^26 rows.
fn sum_of_shares<N: Number>(m: &MatrixView) -> N {
    const SOME: usize = 256;
    let (mut dividends, mut divisors, mut len) = ([0.0; SOME], [0.0; SOME], 0);
    let mut sum = N::of(0.0);
    m.cells.each_row(|row| {
        let of_row = m.actual[row.actual];
        for (&column, &mass) in row.predicted.iter().zip(row.masses) {
            (dividends[len], divisors[len]) = (mass * mass, of_row * m.predicted[column as usize]);
            len += 1;
            if len == SOME {
                sum = sum + N::sum_of_quotients(&dividends, &divisors);
                len = 0;
            }
        }
    });
    sum + N::sum_of_quotients(&dividends[..len], &divisors[..len])
}

/// Of fewer whole rows, `f64` holds the number of pairs.
pub(crate) const FEW: f64 = (1_u32 << 26) as f64;

#[inline]
fn quotients_one_by_one<N: Number, F: Factors<1>>(t: &(impl Table<N> + ?Sized)) -> (N, N) {
    let none = N::of(0.0);
    let all = t.classes().map(|c| F::of(&c)[0]);
    let present = all.filter(|(_, of)| !of.is_zero());
    present.fold((none, none), |(sum, classes), (a, b)| (sum + a / b, classes + 1.0))
}

impl<N: Number> Table<N> for BinaryCounts<N> {
    #[inline]
    fn total(&self) -> N {
        BinaryCounts::total(self)
    }

    #[inline]
    fn labels(&self) -> f64 {
        2.0
    }

    #[inline]
    fn classes(&self) -> impl Iterator<Item = BinaryCounts<N>> {
        let BinaryCounts { tp, fp, fn_, tn } = *self;
        let negative = BinaryCounts { tp: tn, fp: fn_, fn_: fp, tn: tp };
        [negative, *self].into_iter()
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = Part<N>> {
        let BinaryCounts { tp, fp, fn_, tn } = *self;
        let part = |mass, other_predicted: N, other_actual: N| Part {
            mass,
            actual: mass + other_predicted,
            predicted: mass + other_actual,
        };
        [part(tn, fp, fn_), part(fp, tn, tp), part(fn_, tp, tn), part(tp, fn_, fp)]
            .into_iter()
            .filter(|part| !part.mass.is_zero())
    }

    #[inline]
    fn cells(&self) -> impl Iterator<Item = (usize, usize, N)> {
        let BinaryCounts { tp, fp, fn_, tn } = *self;
        let all = [(0, 0, tn), (0, 1, fp), (1, 0, fn_), (1, 1, tp)];
        all.into_iter().filter(|cell| !cell.2.is_zero())
    }

    fn pairs(&self) -> Option<BinaryCounts<N>> {
        let scale = scale_of_pairs(self.total());
        let all = [self.tp, self.fp, self.fn_, self.tn];
        let is_whole = all.iter().all(|mass| mass.is_zero() || !mass.less(N::of(1.0)));
        let within = all.map(|mass| (mass * scale) * ((mass - 1.0) * scale));
        let Self { tp, fp, fn_, tn } = self.scaled(scale);
        is_whole.then(|| BinaryCounts {
            tp: N::sum(within.into_iter()),
            fp: (tp * fp + tn * fn_) * 2.0,
            fn_: (tp * fn_ + tn * fp) * 2.0,
            tn: (tp * tn + fp * fn_) * 2.0,
        })
    }
}

impl Table<f64> for MatrixView {
    #[inline]
    fn total(&self) -> f64 {
        self.total
    }

    #[inline]
    fn labels(&self) -> f64 {
        self.actual.len() as f64
    }

    #[inline]
    fn classes(&self) -> impl Iterator<Item = BinaryCounts> {
        self.one_vs_rest.iter().copied()
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = Part> {
        // Masses may have been scaled to nothing.
        let cells = self.cells.iter().filter(|cell| cell.mass != 0.0);
        cells.map(|cell| Part {
            mass: cell.mass,
            actual: self.actual[cell.actual as usize],
            predicted: self.predicted[cell.predicted as usize],
        })
    }

    #[inline]
    fn cells(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let cells = self.cells.iter().filter(|cell| cell.mass != 0.0);
        cells.map(|cell| (cell.actual as usize, cell.predicted as usize, cell.mass))
    }

    fn plain(&self, _: f64) -> Option<&MatrixView> {
        Some(self)
    }

    fn phi_squared(&self) -> f64 {
        self.once(|known| &known.phi_squared, || squared_deviations(self))
    }

    fn pairs(&self) -> Option<BinaryCounts> {
        self.once(|known| &known.pairs, || count_pairs(self))
    }

    fn sum_of_logs(terms: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
        sum_of_logs(terms)
    }

    fn sum_of_gains(&self) -> f64 {
        MatrixView::surprises(self).information
    }

    fn surprises(&self) -> Option<[f64; 2]> {
        let known = MatrixView::surprises(self);
        Some([known.given_actual(), known.given_predicted()])
    }

    fn once(&self, place: impl Fn(&Known) -> &OnceLock<f64>, compute: impl FnOnce() -> f64) -> f64 {
        MatrixView::once(self, place, compute)
    }
}

/// A matrix over another number than `f64`: all sums are made of each class against the rest and of
/// the cells, so that they fit each other to the last digit.
///
/// Of whole numbers sums over the classes are taken in `f64` while they are exact there.
pub(crate) struct Over<'a, N> {
    matrix: &'a MatrixView,
    total: N,
}

impl<'a, N: Number> Over<'a, N> {
    pub(crate) fn new(matrix: &'a MatrixView) -> Self {
        let rows = (0..matrix.classes()).map(|class| matrix.one_vs_rest_over::<N>(class));
        let total = if matrix.is_whole() {
            N::of(matrix.total)
        } else {
            N::sum(rows.map(|c| c.tp + c.fn_))
        };
        Self { matrix, total }
    }

    /// Each class against the rest, if all are whole numbers.
    fn whole(&self) -> Option<&'a [BinaryCounts]> {
        self.matrix.is_whole().then_some(&self.matrix.one_vs_rest)
    }
}

/// The sum of each product over the classes, if all are exact.
fn whole_sums<const K: usize, F: Factors<K>>(tables: &[BinaryCounts]) -> Option<[f64; K]> {
    let mut sums = [0.0; K];
    for c in tables {
        for (sum, (a, b)) in sums.iter_mut().zip(F::of(c)) {
            *sum += a * b;
        }
    }
    // Had one been rounded on its way, it would have been as large then, and is no smaller now.
    sums.iter().all(|sum| sum.abs() < WHOLE).then_some(sums)
}

impl<N: Number> Table<N> for Over<'_, N> {
    fn total(&self) -> N {
        self.total
    }

    fn labels(&self) -> f64 {
        self.matrix.labels()
    }

    fn classes(&self) -> impl Iterator<Item = BinaryCounts<N>> {
        (0..self.matrix.classes()).map(|class| self.matrix.one_vs_rest_over(class))
    }

    fn sum_of_products<const K: usize, F: Factors<K>>(&self, _: F) -> N {
        let sums = self.whole().and_then(whole_sums::<K, F>);
        sums.map_or_else(
            || N::sum_of_products(self.classes().flat_map(|c| F::of(&c))),
            |sums| N::sum(sums.into_iter().map(N::of)),
        )
    }

    fn sum_of_quotients<F: Factors<1>>(&self, _: F) -> (N, N) {
        const SOME: usize = 64;
        let Some(tables) = self.whole() else {
            return quotients_one_by_one::<N, F>(self);
        };
        let (mut sum, mut classes) = (N::of(0.0), 0);
        for tables in tables.chunks(SOME) {
            let (mut dividends, mut divisors, mut len) = ([0.0; SOME], [0.0; SOME], 0);
            for c in tables {
                let [(dividend, divisor)] = F::of(c);
                (dividends[len], divisors[len]) = (dividend, divisor);
                len += usize::from(divisor != 0.0);
            }
            sum = sum + N::sum_of_quotients(&dividends[..len], &divisors[..len]);
            classes += len;
        }
        (sum, N::of(classes as f64))
    }

    fn least_quotient<F: Factors<1>>(&self, _: F) -> Option<N> {
        // Of a class without rows no number, which `min` leaves out.
        let rounded = |c: &BinaryCounts| {
            let [(a, b)] = F::of(c);
            a / b
        };
        let least = self.whole().map(|tables| {
            let quotients = tables.iter().map(rounded);
            quotients.fold(f64::NAN, f64::min)
        });
        // Rounding keeps the order, but may make quotients equal.
        let may_be_least = |&class: &usize| {
            least.is_none_or(|least| rounded(&self.matrix.one_vs_rest[class]) == least)
        };
        let all = (0..self.matrix.classes())
            .filter(may_be_least)
            .map(|class| F::of(&self.matrix.one_vs_rest_over(class))[0]);
        let present = all.filter(|(_, of): &(N, N)| !of.is_zero());
        present.map(|(a, b)| a / b).reduce(N::min)
    }

    fn present(&self) -> N {
        let present = |tables: &[BinaryCounts]| {
            let present = tables.iter().filter(|c| c.tp + c.fp + c.fn_ != 0.0);
            present.count()
        };
        let all = self.classes().filter(|c| !(c.tp + c.fp + c.fn_).is_zero());
        N::of(self.whole().map_or_else(|| all.count(), present) as f64)
    }

    fn greatest_actual(&self) -> N {
        self.whole().map_or_else(
            || self.classes().map(|c| c.tp + c.fn_).fold(N::of(0.0), N::max),
            |_| N::of(self.matrix.actual.iter().copied().fold(0.0, f64::max)),
        )
    }

    fn pairs(&self) -> Option<BinaryCounts<N>> {
        let few = few_pairs(self.matrix);
        few.map_or_else(|| count_parts(self), |pairs| Some(pairs.map(N::of)))
    }

    fn parts(&self) -> impl Iterator<Item = Part<N>> {
        let margins: Vec<(N, N)> = self.classes().map(|c| (c.tp + c.fn_, c.tp + c.fp)).gather();
        let cells = self.matrix.cells.iter().enumerate();
        cells.map(move |(place, cell)| Part {
            mass: self.matrix.mass_over(place, cell.mass),
            actual: margins[cell.actual as usize].0,
            predicted: margins[cell.predicted as usize].1,
        })
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize, N)> {
        let cells = self.matrix.cells.iter().enumerate();
        cells.map(|(place, cell)| {
            let mass = self.matrix.mass_over(place, cell.mass);
            (cell.actual as usize, cell.predicted as usize, mass)
        })
    }

    fn plain(&self, most: f64) -> Option<&MatrixView> {
        (self.matrix.is_whole() && self.total.less(N::of(most))).then_some(self.matrix)
    }

    fn phi_squared(&self) -> N {
        let rest = self.plain(FEW).map(|m| sum_of_shares::<N>(m) - 1.0);
        // Close to 0 too much would cancel.
        match rest {
            Some(rest) if N::of(1e-6).less(rest) => rest,
            _ => phi_squared_by_cells(self),
        }
    }
}

/// The cells of a matrix, exactly.
pub struct ExactCells {
    /// K.
    pub classes: usize,
    /// Those that are not empty: actual class, predicted class, mass.
    pub cells: Vec<(usize, usize, Fraction)>,
}

/// A matrix in numbers of the evaluation that is under way.
pub struct Gathered {
    total: Traced,
    one_vs_rest: Vec<BinaryCounts<Traced>>,
    cells: Vec<(usize, usize, Traced)>,
}

impl Gathered {
    /// From the exact cells that are not empty.
    pub(crate) fn exactly(matrix: &ExactCells) -> Self {
        let cells = matrix.cells.iter();
        let cells = cells.map(|(i, j, mass)| (*i, *j, Traced::from_fraction(mass.clone())));
        Self::of(matrix.classes, cells.gather())
    }

    /// From the cells that are not empty.
    pub(crate) fn of(classes: usize, cells: Vec<(usize, usize, Traced)>) -> Self {
        let total = Traced::sum(cells.iter().map(|cell| cell.2));
        let none = Traced::of(0.0);
        let mut margins = vec![[none; 3]; classes]; // right, actual, predicted
        for &(i, j, mass) in &cells {
            margins[i][1] = margins[i][1] + mass;
            margins[j][2] = margins[j][2] + mass;
            if i == j {
                margins[i][0] = mass;
            }
        }
        let against_rest = |&[tp, actual, predicted]: &[Traced; 3]| BinaryCounts {
            tp,
            fp: predicted - tp,
            fn_: actual - tp,
            tn: total - actual - predicted + tp,
        };
        let one_vs_rest = margins.iter().map(against_rest).gather();
        Self { total, one_vs_rest, cells }
    }

    /// One class against the rest.
    pub(crate) fn one_vs_rest(&self, class: usize) -> BinaryCounts<Traced> {
        self.one_vs_rest[class]
    }
}

impl Table<Traced> for Gathered {
    fn total(&self) -> Traced {
        self.total
    }

    fn labels(&self) -> f64 {
        self.one_vs_rest.len() as f64
    }

    fn classes(&self) -> impl Iterator<Item = BinaryCounts<Traced>> {
        self.one_vs_rest.iter().copied()
    }

    fn parts(&self) -> impl Iterator<Item = Part<Traced>> {
        self.cells.iter().map(|&(i, j, mass)| {
            let (actual, predicted) = (self.one_vs_rest[i], self.one_vs_rest[j]);
            Part { mass, actual: actual.tp + actual.fn_, predicted: predicted.tp + predicted.fp }
        })
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize, Traced)> {
        self.cells.iter().copied()
    }

    fn pairs(&self) -> Option<BinaryCounts<Traced>> {
        count_parts(self)
    }
}

/// [`Table::phi_squared`] in `f64`, from shares.
fn squared_deviations(m: &MatrixView) -> f64 {
    let total = m.total;
    let predicted = m.predicted.iter().filter(|&&mass| mass != 0.0).count();
    let shares: Vec<f64> = m.predicted.iter().map(|p| p / total).gather();
    let (mut room, mut more_room, mut terms) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = 0.0_f64;
    m.cells.each_row(|row| {
        let of_row = m.actual[row.actual];
        if of_row == 0.0 {
            return; // scaled to nothing
        }
        let columns = row.of_columns(&m.predicted, &mut room);
        let shares = row.of_columns(&shares, &mut more_room);
        terms.clear();
        terms.grow_to(columns.len(), 0.0);
        let share = of_row / total;
        deviations(row.masses, (of_row, share), (columns, shares), &mut terms);
        all += sum(&terms);
        if columns.len() < predicted {
            all += share * ((total - sum(columns)).max(0.0) / total);
        }
    });
    all
}

/// The sums over the cells of each class, by actual class, of masses times weights.
///
/// Of whole numbers they are taken in `f64` while they are exact there.
pub(crate) fn weighed_rows<N: Number>(
    t: &impl Table<N>,
    weight: impl Fn(usize, usize) -> f64,
) -> Vec<N> {
    let mut sums = vec![N::of(0.0); t.labels() as usize];
    let Some(m) = t.plain(WHOLE) else {
        for (i, j, mass) in t.cells() {
            sums[i] = sums[i] + mass * weight(i, j);
        }
        return sums;
    };
    m.cells.each_row(|row| {
        let terms = || {
            let columns = row.predicted.iter().zip(row.masses);
            columns.map(|(&j, &mass)| (mass, weight(row.actual, j as usize)))
        };
        let (mut sum, mut size, mut is_whole) = (0.0, 0.0, true);
        for (mass, weight) in terms() {
            let term = mass * weight;
            sum += term;
            size += term.abs();
            is_whole &= weight.trunc() == weight;
        }
        sums[row.actual] = if is_whole && size < WHOLE {
            N::of(sum)
        } else {
            N::sum_of_products(terms().map(|(mass, weight)| (N::of(mass), N::of(weight))))
        };
    });
    sums
}

/// For each class the mass of the lesser classes minus the mass of the greater ones: twice the
/// distance of its mean rank from the middle.
pub(crate) fn centred_ranks<N: Number>(masses: &[N]) -> Vec<N> {
    let mut ranks = vec![N::of(0.0); masses.len()];
    let (mut below, mut above) = (N::of(0.0), N::of(0.0));
    for (rank, &mass) in ranks.iter_mut().zip(masses) {
        *rank = below;
        below = below + mass;
    }
    for (rank, &mass) in ranks.iter_mut().zip(masses).rev() {
        *rank = *rank - above;
        above = above + mass;
    }
    ranks
}

/// What masses are multiplied by before pairs of them are.
#[inline]
fn scale_of_pairs<N: Number>(total: N) -> f64 {
    if total.less(N::of(1e50)) { 1.0 } else { N::unit_scale(total) }
}

/// The pairs of a table, from its cells.
fn count_parts<N: Number>(t: &impl Table<N>) -> Option<BinaryCounts<N>> {
    let total = t.total();
    let scale = scale_of_pairs(total);
    let none = [N::of(0.0); 4];
    let (mut sums, mut whole) = (none, true);
    for Part { mass, actual, predicted } in t.parts() {
        whole &= !mass.less(N::of(1.0));
        let others = [mass - 1.0, actual - mass, predicted - mass];
        let neither = total - actual - predicted + mass;
        for (sum, others) in sums.iter_mut().zip(others.into_iter().chain([neither])) {
            *sum = *sum + (mass * scale) * (others * scale);
        }
    }
    whole.then_some(table_of_pairs(sums))
}

/// Mutual information in nats, for masses that hardly depart from what the margins expect.
///
/// With e expected, and d the departure in units of e, it is the sum of e ((1 + d) ln(1 + d) - d)
/// over the cells that are not empty, whose terms are 0 and more, and of e over those that are. The
/// latter is the sum of d e over the former.
pub(crate) fn small_information<N: Number>(t: &impl Table<N>) -> N {
    let total = t.total();
    let (mut sum, mut beyond, mut cells) = (N::of(0.0), N::of(0.0), 0.0);
    for part in t.parts() {
        let expected = part.actual * (part.predicted / total);
        let excess =
            N::difference_of_products(part.mass, total, part.actual, part.predicted) / total;
        let departure = excess / expected;
        let more = if departure.near().abs() < 0.25 {
            expected * small_departure(departure)
        } else {
            part.mass * (part.mass / expected).ln() - excess
        };
        sum = sum + more;
        beyond = beyond + excess;
        cells += 1.0;
    }
    let present = t.classes_present();
    let has_empty_cells = cells < present.0 * present.1;
    let none = N::of(0.0);
    (sum + if has_empty_cells { beyond } else { none }) / total
}

/// (1 + d) ln(1 + d) - d for |d| < 1/4, as its series d²/2 - d³/6 + d⁴/12 - ...: the terms (-d)^k /
/// (k (k - 1)).
pub(crate) fn small_departure<N: Number>(d: N) -> N {
    let (mut sum, mut power, mut k) = (N::of(0.0), d * d, 2.0);
    loop {
        let next = sum + power / (k * (k - 1.0));
        if next.near() == sum.near() || k > 40.0 {
            return next;
        }
        (sum, power, k) = (next, -power * d, k + 1.0);
    }
}

/// The pairs of a matrix in `f64`.
fn count_pairs(m: &MatrixView) -> Option<BinaryCounts> {
    if let Some(pairs) = few_pairs(m) {
        return Some(pairs);
    }
    let scale = if m.total < 1e50 { 1.0 } else { unit_scale(m.total) };
    let (mut room, mut sums, mut whole) = (Vec::new(), Default::default(), true);
    m.cells.each_row(|row| {
        let columns = row.of_columns(&m.predicted, &mut room);
        let actual = m.actual[row.actual];
        whole &= add_pairs(row.masses, actual, columns, m.total, scale, &mut sums);
    });
    whole.then(|| table_of_pairs(sums.map(|sums| sums.iter().sum())))
}

/// Pairs of rows of one cell, of its row only, of its column only, and of neither.
fn table_of_pairs<N>([tp, fn_, fp, tn]: [N; 4]) -> BinaryCounts<N> {
    BinaryCounts { tp, fp, fn_, tn }
}

/// The pairs of a matrix of whole numbers, so few that they are exact sums of squares.
fn few_pairs(m: &MatrixView) -> Option<BinaryCounts> {
    let count = || {
        let (mut of_cells, mut whole) = (0.0, true);
        m.cells.each_row(|row| {
            let (sum, whole_row) = squares(row.masses);
            of_cells += sum;
            whole &= whole_row;
        });
        let (of_actual, of_predicted) = (squares(&m.actual).0, squares(&m.predicted).0);
        whole.then_some(BinaryCounts {
            tp: of_cells - m.total,
            fn_: of_actual - of_cells,
            fp: of_predicted - of_cells,
            tn: m.total * m.total - of_actual - of_predicted + of_cells,
        })
    };
    if m.total < FEW { m.once(|known| &known.few_pairs, count) } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::input::{Label, LabelKind, LabelSet};
    use crate::labels::confusion::ConfusionMatrix;

    proptest! {
        #[test]
        fn pairs_are_those_of_the_parts(cells in prop::collection::vec(0u64..3000, 16), large in any::<bool>()) {
            let unit = if large { 1 << 20 } else { 1 };
            let counts: Vec<u64> = cells.iter().map(|cell| cell * unit).collect();
            let labels = LabelSet { kind: LabelKind::Int, values: (0..4).map(Label::Int).collect() };
            let m = ConfusionMatrix::from_counts(&counts, labels).unwrap().view();
            let sum = |of: &dyn Fn(&Part) -> f64| -> f64 { m.parts().map(|part| part.mass * of(&part)).sum() };
            let found = m.pairs().unwrap();
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * m.total * m.total;
            prop_assert!(near(found.tp, sum(&|part| part.mass - 1.0)));
            prop_assert!(near(found.fn_, sum(&|part| part.actual - part.mass)));
            prop_assert!(near(found.fp, sum(&|part| part.predicted - part.mass)));
            prop_assert!(near(found.tn, sum(&|part| m.total - part.actual - part.predicted + part.mass)));
        }
    }

    #[test]
    fn small_departures_meet_their_formula() {
        for d in [-0.249_f64, -0.1, 0.01, 0.2, 0.249] {
            let plain = (1.0 + d) * d.ln_1p() - d;
            assert!((small_departure(d) - plain).abs() < 1e-16, "{d}");
        }
        assert_eq!(small_departure(1e-12), 4.999_999_999_998_333e-25); // d²/2 - d³/6
        assert_eq!(small_departure(0.0), 0.0);
    }
}
