//! Counts as `f64` with their margins: the form that formulas read.
//!
//! Counts below 2^53 are exact in `f64`; weighted counts are correctly rounded from exact sums. A
//! formula makes its ratio once, from sums, and takes differences of products without cancellation
//! (`arith/products.rs`).
#![allow(clippy::inline_always)] // What formulas call must be inlined to be compiled for wider instructions.

use std::sync::OnceLock;

use crate::arith::number::{Number, WHOLE, is_whole};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::labels::cells::{Cell, Cells};
use crate::labels::surprise::Surprises;

/// One two-by-two table: a class against the rest, a threshold, a group, a replicate.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct BinaryCounts<N = f64> {
    /// Positive rows predicted positive.
    pub tp: N,
    /// Negative rows predicted positive.
    pub fp: N,
    /// Positive rows predicted negative.
    pub fn_: N,
    /// Negative rows predicted negative.
    pub tn: N,
}

impl<N: Copy> BinaryCounts<N> {
    /// The masses converted to another type of number.
    #[inline(always)]
    pub fn map<M>(&self, mut change: impl FnMut(N) -> M) -> BinaryCounts<M> {
        BinaryCounts {
            tp: change(self.tp),
            fp: change(self.fp),
            fn_: change(self.fn_),
            tn: change(self.tn),
        }
    }
}

impl<N: Number> BinaryCounts<N> {
    /// All rows.
    #[inline(always)]
    pub fn total(&self) -> N {
        self.tp + self.fp + self.fn_ + self.tn
    }

    /// All masses times `factor`, a power of two.
    #[inline(always)]
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        self.map(|mass| mass * factor)
    }
}

impl BinaryCounts {
    /// The sum of the absolute masses. It differs from the total only for weights of either sign,
    /// and is zero only if all masses are.
    #[must_use]
    pub fn magnitude(&self) -> f64 {
        self.tp.abs() + self.fp.abs() + self.fn_.abs() + self.tn.abs()
    }

    /// The sum of two tables.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            tp: self.tp + other.tp,
            fp: self.fp + other.fp,
            fn_: self.fn_ + other.fn_,
            tn: self.tn + other.tn,
        }
    }

    /// The difference of two tables.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        Self {
            tp: self.tp - other.tp,
            fp: self.fp - other.fp,
            fn_: self.fn_ - other.fn_,
            tn: self.tn - other.tn,
        }
    }
}

/// Sums over all cells that several indices share, each kept after its first use.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// In nats: mutual information, and the entropies of both margins and of the cells.
    pub information: OnceLock<f64>,
    pub actual: OnceLock<f64>,
    pub predicted: OnceLock<f64>,
    pub joint: OnceLock<f64>,
    /// The mutual information expected by chance; none unless masses are whole.
    pub expected: OnceLock<Option<f64>>,
    /// Pairs of rows, with equal or different actual and predicted classes; none for masses below
    /// 1.
    pub pairs: OnceLock<Option<BinaryCounts>>,
    /// The pairs of few rows, exactly; none unless masses are whole.
    pub few_pairs: OnceLock<Option<BinaryCounts>>,
    /// Phi-squared before it is clamped to its range.
    pub phi_squared: OnceLock<f64>,
    /// The sum of the largest cell of each actual class, and of each predicted class.
    pub modes: OnceLock<(f64, f64)>,
    /// Pairs of rows in the same order and in opposite orders.
    pub order: OnceLock<(f64, f64)>,
    /// Whether all masses are whole, not negative, and with sums that `f64` holds.
    pub(crate) is_whole: OnceLock<bool>,
    /// The terms of entropies.
    pub(crate) surprises: OnceLock<Box<Surprises>>,
}

/// The cache takes no part in equality.
impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A K×K confusion matrix as its non-zero cells and margins.
///
/// Some sums over the cells are cached after an index asked for them, so a view must not change
/// afterwards.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MatrixView {
    /// Rows in all, T.
    pub total: f64,
    /// Rows of each class, `t_k` (row sums). Its length is K.
    pub actual: Vec<f64>,
    /// Rows predicted to be of each class, `p_k` (column sums).
    pub predicted: Vec<f64>,
    /// Rows of each class predicted correctly, `M_kk`.
    pub correct: Vec<f64>,
    /// Each class against the rest. Each cell is a sum of its own, not a difference of margins,
    /// which are rounded.
    pub one_vs_rest: Vec<BinaryCounts>,
    /// The non-zero cells, by actual and then predicted class.
    pub cells: Cells,
    /// Whether the masses are sampling weights, so that tests of counts do not apply.
    pub is_sampling: bool,
    /// The rounding errors of the masses, if they are counts that `f64` rounds.
    pub(crate) rest: Option<Box<Rest>>,
    pub(crate) known: Known,
}

/// The masses of a matrix minus their `f64`.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Rest {
    /// For each class against the rest.
    pub(crate) one_vs_rest: Vec<BinaryCounts>,
    /// For the cells, in order.
    pub(crate) cells: Vec<f64>,
}

impl MatrixView {
    /// One class against the rest, in another type of number.
    pub fn one_vs_rest_over<N: Number>(&self, class: usize) -> BinaryCounts<N> {
        let masses = self.one_vs_rest[class].map(N::of);
        let Some(rest) = &self.rest else {
            return masses;
        };
        let rest = rest.one_vs_rest[class];
        BinaryCounts {
            tp: masses.tp + rest.tp,
            fp: masses.fp + rest.fp,
            fn_: masses.fn_ + rest.fn_,
            tn: masses.tn + rest.tn,
        }
    }

    /// The mass of a cell, which `f64` rounds to `mass`, in another type of number.
    pub fn mass_over<N: Number>(&self, place: usize, mass: f64) -> N {
        match &self.rest {
            Some(rest) => N::of(mass) + rest.cells[place],
            None => N::of(mass),
        }
    }

    /// Whether all masses are whole, not negative, and with sums that `f64` holds.
    pub fn is_whole(&self) -> bool {
        *self.known.is_whole.get_or_init(|| {
            let tables = self.one_vs_rest.iter();
            let mut masses = tables.flat_map(|c| [c.tp, c.fp, c.fn_, c.tn]);
            self.rest.is_none() && self.total < WHOLE && masses.all(is_whole)
        })
    }

    /// Whether indices are computed exactly when they must be rounded once. Not for weights of very
    /// different sizes, or far from 1, since their sums have thousands of digits. Always for
    /// negative masses, because a formula over `f64` clamps the index to its range.
    pub fn is_computed_exactly(&self) -> bool {
        let is_short = |mass: f64| mass == 0.0 || (1e-45..1e45).contains(&mass);
        self.classes() <= 2
            || self.is_whole()
            || self.cells.iter().all(|cell| is_short(cell.mass))
            || self.cells.iter().any(|cell| cell.mass < 0.0)
    }

    /// The number of classes, K.
    pub fn classes(&self) -> usize {
        self.actual.len()
    }

    /// The view of one two-by-two table, classes in the order negative, positive.
    pub fn from_binary(counts: &BinaryCounts) -> Self {
        let mut view = Self::default();
        view.set_binary(counts);
        view
    }

    /// Turns this view into the view of a two-by-two table, reusing its memory.
    pub fn set_binary(&mut self, counts: &BinaryCounts) {
        fn set<T: Copy>(list: &mut Vec<T>, values: [T; 2]) {
            list.clear();
            list.grow_by(&values);
        }
        let BinaryCounts { tp, fp, fn_, tn } = *counts;
        let negative = BinaryCounts { tp: tn, fp: fn_, fn_: fp, tn: tp };
        self.total = tp + fp + fn_ + tn;
        self.known = Known::default();
        self.rest = None;
        set(&mut self.actual, [tn + fp, fn_ + tp]);
        set(&mut self.predicted, [tn + fn_, fp + tp]);
        set(&mut self.correct, [tn, tp]);
        set(&mut self.one_vs_rest, [negative, *counts]);
        let cells = [(0, 0, tn), (0, 1, fp), (1, 0, fn_), (1, 1, tp)];
        let cells = cells.map(|(actual, predicted, mass)| Cell { actual, predicted, mass });
        self.cells.clear();
        self.cells.extend(cells.into_iter().filter(|cell| cell.mass != 0.0));
    }

    /// One class against the rest.
    pub fn one_vs_rest(&self, class: usize) -> BinaryCounts {
        self.one_vs_rest[class]
    }

    /// The masses minus those of `other`, which has the same classes: the result has weights of
    /// either sign.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        let all =
            |ours: &[f64], theirs: &[f64]| ours.iter().zip(theirs).map(|(a, b)| a - b).gather();
        let tables = self.one_vs_rest.iter().zip(&other.one_vs_rest);
        let mut cells = Vec::new();
        cells.make_room(self.cells.len() + other.cells.len());
        let place = |cell: &Cell| (cell.actual, cell.predicted);
        let (mut ours, mut theirs) = (self.cells.iter().peekable(), other.cells.iter().peekable());
        loop {
            let next = match (ours.peek().copied(), theirs.peek().copied()) {
                (Some(a), Some(b)) if place(&a) == place(&b) => {
                    ours.next();
                    theirs.next();
                    Cell { mass: a.mass - b.mass, ..a }
                }
                (Some(a), b) if b.is_none_or(|b| place(&a) < place(&b)) => {
                    ours.next();
                    a
                }
                (_, Some(b)) => {
                    theirs.next();
                    Cell { mass: -b.mass, ..b }
                }
                (_, None) => break,
            };
            if next.mass != 0.0 {
                cells.grow(next);
            }
        }
        Self {
            total: self.total - other.total,
            actual: all(&self.actual, &other.actual),
            predicted: all(&self.predicted, &other.predicted),
            correct: all(&self.correct, &other.correct),
            one_vs_rest: tables.map(|(a, b)| a.less(b)).gather(),
            cells: cells.into(),
            is_sampling: self.is_sampling,
            rest: None,
            known: Known::default(),
        }
    }

    /// The surprises of the cells; their logarithms are computed once.
    pub fn surprises(&self) -> &Surprises {
        let all = &self.known.surprises;
        all.get_or_init(|| {
            Box::new(Surprises::of(self.total, &self.actual, &self.predicted, &self.cells))
        })
    }

    /// The view of non-zero cells in order.
    pub fn from_cells(classes: usize, cells: Vec<Cell>) -> Self {
        let mut view = Self {
            actual: vec![0.0; classes],
            predicted: vec![0.0; classes],
            correct: vec![0.0; classes],
            one_vs_rest: vec![BinaryCounts::default(); classes],
            ..Self::default()
        };
        for cell in &cells {
            let (i, j) = (cell.actual as usize, cell.predicted as usize);
            view.total += cell.mass;
            view.actual[i] += cell.mass;
            view.predicted[j] += cell.mass;
            if i == j {
                view.correct[i] += cell.mass;
                view.one_vs_rest[i].tp += cell.mass;
            } else {
                view.one_vs_rest[i].fn_ += cell.mass;
                view.one_vs_rest[j].fp += cell.mass;
            }
        }
        for (class, counts) in view.one_vs_rest.iter_mut().enumerate() {
            // A sum of its own, not a difference of margins, which are rounded.
            let others = cells
                .iter()
                .filter(|cell| cell.actual as usize != class && cell.predicted as usize != class);
            counts.tn = others.map(|cell| cell.mass).sum();
        }
        view.cells = cells.into();
        view
    }

    /// The same matrix with `more` added to the non-zero cell at `place`.
    pub fn with_more(&self, place: usize, more: f64) -> Self {
        let mut cells: Vec<Cell> = self.cells.iter().gather();
        cells[place].mass += more;
        let (i, j) = (cells[place].actual as usize, cells[place].predicted as usize);
        let mut view = Self {
            total: self.total + more,
            actual: self.actual.copy_all(),
            predicted: self.predicted.copy_all(),
            correct: self.correct.copy_all(),
            one_vs_rest: self.one_vs_rest.copy_all(),
            cells: cells.into(),
            is_sampling: self.is_sampling,
            rest: None,
            known: Known::default(),
        };
        view.actual[i] += more;
        view.predicted[j] += more;
        for (class, counts) in view.one_vs_rest.iter_mut().enumerate() {
            *match (class == i, class == j) {
                (true, true) => &mut counts.tp,
                (true, false) => &mut counts.fn_,
                (false, true) => &mut counts.fp,
                (false, false) => &mut counts.tn,
            } += more;
        }
        if i == j {
            view.correct[i] += more;
        }
        view
    }

    /// A value that several indices share, computed by the first of them.
    #[inline]
    pub fn once<T: Copy>(
        &self,
        place: impl Fn(&Known) -> &OnceLock<T>,
        compute: impl FnOnce() -> T,
    ) -> T {
        *place(&self.known).get_or_init(compute)
    }

    /// Rows predicted incorrectly.
    pub fn wrong(&self) -> f64 {
        self.one_vs_rest.iter().map(|counts| counts.fn_).sum()
    }

    /// All masses times `factor`, a power of two.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let all = |masses: &[f64]| masses.iter().map(|mass| mass * factor).gather();
        let classes = self.one_vs_rest.iter().map(|counts| counts.scaled(factor));
        Self {
            total: self.total * factor,
            actual: all(&self.actual),
            predicted: all(&self.predicted),
            correct: all(&self.correct),
            one_vs_rest: classes.gather(),
            cells: self.cells.scaled(factor),
            is_sampling: self.is_sampling,
            rest: self.rest.as_ref().map(|rest| {
                Box::new(Rest {
                    one_vs_rest: rest.one_vs_rest.iter().map(|c| c.scaled(factor)).gather(),
                    cells: rest.cells.iter().map(|mass| mass * factor).gather(),
                })
            }),
            known: Known::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::base::input::{LabelKind, LabelSet};
    use crate::labels::confusion::ConfusionMatrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_view_less_another_is_that_of_the_differences(
            ours in prop::collection::vec(0u8..3, 9),
            theirs in prop::collection::vec(0u8..3, 9),
        ) {
            let view = |cells: &[u8]| {
                let cells: Vec<f64> = cells.iter().map(|&cell| cell.into()).collect();
                let values = (0..3).map(crate::base::input::Label::Int).collect();
                let labels = LabelSet { kind: LabelKind::Int, values };
                ConfusionMatrix::from_weights(&cells, labels).unwrap().view()
            };
            let less = view(&ours).less(&view(&theirs));
            let cell = |i: usize, j: usize| f64::from(ours[3 * i + j]) - f64::from(theirs[3 * i + j]);
            let all = || (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
            prop_assert_eq!(less.total, all().map(|(i, j)| cell(i, j)).sum::<f64>());
            let cells: Vec<_> = less.cells.iter().map(|c| (c.actual as usize, c.predicted as usize, c.mass)).collect();
            let expected: Vec<_> = all().map(|(i, j)| (i, j, cell(i, j))).filter(|c| c.2 != 0.0).collect();
            prop_assert_eq!(cells, expected);
            for k in 0..3 {
                let table = less.one_vs_rest(k);
                let sum = |of: &dyn Fn(usize, usize) -> bool| all().filter(|&(i, j)| of(i, j)).map(|(i, j)| cell(i, j)).sum::<f64>();
                prop_assert_eq!((table.tp, less.correct[k]), (cell(k, k), cell(k, k)));
                prop_assert_eq!(table.fp, sum(&|i, j| i != k && j == k));
                prop_assert_eq!(table.fn_, sum(&|i, j| i == k && j != k));
                prop_assert_eq!(table.tn, sum(&|i, j| i != k && j != k));
                prop_assert_eq!((less.actual[k], less.predicted[k]), (table.tp + table.fn_, table.tp + table.fp));
            }
        }
    }
}
