//! A matrix and a 2×2 table, read alike.
//!
//! A formula that needs each class against the rest, and the cells with their margins, is written once, over [`Table`]. It is
//! then both of its row's forms: over a matrix, in O(non-zero cells + classes), and over counts, where nothing is allocated.

use std::sync::OnceLock;

use crate::kernel::logarithm::{amount_by_log, sum_of_logs};
use crate::stat::{BinaryCounts, Known, MatrixView};

/// A cell that is not empty.
pub(super) struct Part {
    /// Its rows.
    pub(super) amount: f64,
    /// All rows of its actual class.
    pub(super) actual: f64,
    /// All rows predicted to be of its predicted class.
    pub(super) predicted: f64,
}

/// What is asked of either.
pub(super) trait Table {
    /// T.
    fn total(&self) -> f64;
    /// K.
    fn labels(&self) -> f64;
    /// Each class against the rest.
    fn classes(&self) -> impl Iterator<Item = BinaryCounts>;
    /// The cells that are not empty.
    fn parts(&self) -> impl Iterator<Item = Part>;

    /// The sum of amount ln(above / below) over terms (amount, above, below); one whose quotient is no normal number is left
    /// out, since its amount is then less than 1e-300 of the total.
    fn sum_of_logs(terms: impl Iterator<Item = (f64, f64, f64)>) -> f64;
    /// What several rows want, computed by the first of them where there is a place to keep it.
    fn once<T: Copy>(
        &self,
        place: impl Fn(&Known) -> &OnceLock<T>,
        compute: impl FnOnce() -> T,
    ) -> T;

    /// The share of rows that are predicted wrong.
    #[inline]
    fn error_rate(&self) -> f64 {
        self.classes().map(|c| c.fn_).sum::<f64>() / self.total()
    }
}

impl Table for BinaryCounts {
    #[inline]
    fn total(&self) -> f64 {
        BinaryCounts::total(self)
    }

    #[inline]
    fn labels(&self) -> f64 {
        2.0
    }

    #[inline]
    fn classes(&self) -> impl Iterator<Item = BinaryCounts> {
        let BinaryCounts { tp, fp, fn_, tn } = *self;
        let negative = BinaryCounts {
            tp: tn,
            fp: fn_,
            fn_: fp,
            tn: tp,
        };
        [negative, *self].into_iter()
    }

    #[inline]
    fn parts(&self) -> impl Iterator<Item = Part> {
        let BinaryCounts { tp, fp, fn_, tn } = *self;
        let part = |amount, other_predicted: f64, other_actual: f64| Part {
            amount,
            actual: amount + other_predicted,
            predicted: amount + other_actual,
        };
        [
            part(tn, fp, fn_),
            part(fp, tn, tp),
            part(fn_, tp, tn),
            part(tp, fn_, fp),
        ]
        .into_iter()
        .filter(|part| part.amount != 0.0)
    }

    #[inline]
    fn sum_of_logs(terms: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
        terms.fold(0.0, |sum, (amount, above, below)| {
            sum + amount_by_log(amount, above, below)
        })
    }

    #[inline]
    fn once<T: Copy>(&self, _: impl Fn(&Known) -> &OnceLock<T>, compute: impl FnOnce() -> T) -> T {
        compute()
    }
}

impl Table for MatrixView {
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
        // Amounts may have been scaled to nothing.
        let cells = self.cells.iter().filter(|cell| cell.amount != 0.0);
        cells.map(|cell| Part {
            amount: cell.amount,
            actual: self.actual[cell.actual as usize],
            predicted: self.predicted[cell.predicted as usize],
        })
    }

    fn sum_of_logs(terms: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
        sum_of_logs(terms)
    }

    #[inline]
    fn once<T: Copy>(
        &self,
        place: impl Fn(&Known) -> &OnceLock<T>,
        compute: impl FnOnce() -> T,
    ) -> T {
        *place(&self.known).get_or_init(compute)
    }
}
