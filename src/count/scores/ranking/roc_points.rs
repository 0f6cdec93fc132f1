//! The points of a table's ROC curve as masses, scaled by powers of two so that their products stay
//! in range. Areas under curves are computed between them.
//!
//! Weights may be anywhere in the range of `f64`, and their products beyond it. Counts are not
//! scaled. A point is found by bisection, because masses only rise.

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

    /// The point between two others with this `fp`.
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

/// The points of a table, and the factors for the masses of each class.
#[derive(Clone, Copy)]
pub(crate) struct RocPoints<'a> {
    table: &'a ScoreTable,
    positives: f64,
    negatives: f64,
}

impl<'a> RocPoints<'a> {
    /// Separate factors that bring each class near one: for areas of rates.
    pub(crate) fn apart(table: &'a ScoreTable) -> Self {
        let (positives, negatives) = if table.is_weighted() {
            let (positives, negatives) = table.totals();
            (unit_scale(positives), unit_scale(negatives))
        } else {
            (1.0, 1.0)
        };
        Self { table, positives, negatives }
    }

    /// A common factor for both classes: for areas of precision.
    pub(crate) fn alike(table: &'a ScoreTable) -> Self {
        let apart = Self::apart(table);
        let both = apart.positives.min(apart.negatives);
        Self { table, positives: both, negatives: both }
    }

    /// The factors for positives and negatives.
    pub(crate) fn factors(self) -> (f64, f64) {
        (self.positives, self.negatives)
    }

    /// The point that predicts the first `predicted` distinct scores positive.
    pub(crate) fn at(self, predicted: usize) -> Point {
        self.scaled(self.table.at_or_above(predicted))
    }

    /// The masses from one point to another.
    pub(crate) fn between(self, from: usize, to: usize) -> Point {
        self.scaled(self.table.masses_between(from, to))
    }

    /// The masses below a point.
    pub(crate) fn below(self, predicted: usize) -> Point {
        self.between(predicted, self.table.len())
    }

    fn scaled(self, (tp, fp): (f64, f64)) -> Point {
        Point { fp: fp * self.negatives, tp: tp * self.positives }
    }

    /// The point that predicts all scores positive.
    pub(crate) fn last(self) -> Point {
        self.at(self.table.len())
    }

    /// All positives and all negatives, if there are rows of both.
    pub(crate) fn both(self) -> Option<(f64, f64)> {
        let all = self.last();
        (all.tp > 0.0 && all.fp > 0.0).then_some((all.tp, all.fp))
    }

    /// The first score that passes a monotone test on the point that includes it; the last score if
    /// none passes.
    pub(crate) fn first(self, passes: impl Fn(usize) -> bool) -> usize {
        first_place(self.table.len().saturating_sub(1), |place| passes(place + 1))
    }
}
