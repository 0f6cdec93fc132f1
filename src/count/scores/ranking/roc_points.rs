//! The points of a table's ROC curve as masses, times powers of two so that they can be multiplied
//! with each other: what areas under curves are measured between.
//!
//! Masses of weights may be anywhere in the range of `f64`, and products of them beyond it. Counts
//! are taken as they are. A point is found by bisection, as masses only rise.

use crate::arith::products::unit_scale;
use crate::scores::score_table::{ScoreTable, first_place};

/// A point of the ROC curve as masses: negatives and positives at or above a score.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) fp: f64,
    pub(crate) tp: f64,
}

impl Point {
    pub(crate) fn turned(self) -> Self {
        Self { fp: self.tp, tp: self.fp }
    }

    /// The point between two where `fp` has this value.
    pub(crate) fn between(a: Self, b: Self, fp: f64) -> Self {
        if fp <= a.fp {
            return Self { fp, tp: a.tp };
        }
        if fp >= b.fp {
            return Self { fp, tp: b.tp };
        }
        let share = (fp - a.fp) / (b.fp - a.fp);
        let tp = a.tp + (b.tp - a.tp) * share;
        Self { fp, tp }
    }
}

/// The points of a table, and what the masses of each class are multiplied by.
#[derive(Clone, Copy)]
pub(crate) struct RocPoints<'a> {
    table: &'a ScoreTable,
    positives: f64,
    negatives: f64,
}

impl<'a> RocPoints<'a> {
    /// Factors that bring each class near one: for areas of rates.
    pub(crate) fn apart(table: &'a ScoreTable) -> Self {
        let (positives, negatives) = if table.is_weighted() {
            let (positives, negatives) = table.totals();
            (unit_scale(positives), unit_scale(negatives))
        } else {
            (1.0, 1.0)
        };
        Self { table, positives, negatives }
    }

    /// One factor for both classes: for areas of precision.
    pub(crate) fn alike(table: &'a ScoreTable) -> Self {
        let apart = Self::apart(table);
        let both = apart.positives.min(apart.negatives);
        Self { table, positives: both, negatives: both }
    }

    /// What positives and negatives are multiplied by.
    pub(crate) fn factors(self) -> (f64, f64) {
        (self.positives, self.negatives)
    }

    /// The point where the first `predicted` distinct scores are predicted positive.
    pub(crate) fn at(self, predicted: usize) -> Point {
        self.scaled(self.table.at_or_above(predicted))
    }

    /// The masses from one such point to another.
    pub(crate) fn between(self, from: usize, to: usize) -> Point {
        self.scaled(self.table.masses_between(from, to))
    }

    /// The masses below such a point.
    pub(crate) fn below(self, predicted: usize) -> Point {
        self.between(predicted, self.table.len())
    }

    fn scaled(self, (tp, fp): (f64, f64)) -> Point {
        Point { fp: fp * self.negatives, tp: tp * self.positives }
    }

    /// The point where all are.
    pub(crate) fn last(self) -> Point {
        self.at(self.table.len())
    }

    /// All positives and all negatives, if there are rows of both.
    pub(crate) fn both(self) -> Option<(f64, f64)> {
        let all = self.last();
        (all.tp > 0.0 && all.fp > 0.0).then_some((all.tp, all.fp))
    }

    /// The first score that, with those above it predicted positive, passes a test that none fails
    /// after it; the last if none does.
    pub(crate) fn first(self, passes: impl Fn(usize) -> bool) -> usize {
        first_place(self.table.len().saturating_sub(1), |place| passes(place + 1))
    }
}
