//! Areas and distances of a score table as fractions: the reference for tests of their `f64`
//! values.
//!
//! Cost: microseconds a distinct score.

use std::ops::Range;

use crate::arith::fraction::Fraction;
use crate::base::memory::Gather;
use crate::scores::score_table::ScoreTable;

/// The running totals of a score table, exactly.
struct Totals(Vec<[Fraction; 2]>);

impl Totals {
    /// Positives and negatives at or above each score.
    fn of(table: &ScoreTable) -> Option<Self> {
        let places = 0..table.len();
        let totals = places.map(|place| table.exact_totals(place)).gather();
        let totals = Self(totals);
        totals.last().filter(|last| !last[0].is_zero() && !last[1].is_zero())?;
        Some(totals)
    }

    fn last(&self) -> Option<&[Fraction; 2]> {
        self.0.last()
    }
}

/// The state of the area under the ROC curve, from the highest scores down: the sum of (positives
/// before + after) × negatives between, divided by twice all pairs.
pub(crate) struct Area {
    before: [Fraction; 2],
    sum: Fraction,
}

impl Area {
    pub(crate) fn new() -> Self {
        Self { before: [Fraction::whole(0), Fraction::whole(0)], sum: Fraction::whole(0) }
    }

    pub(crate) fn take(&mut self, table: &ScoreTable, places: Range<usize>) {
        for place in places {
            let [positives, negatives] = table.exact_totals(place);
            let between = negatives.plus(&self.before[1].clone().negated());
            self.sum = self.sum.plus(&positives.plus(&self.before[0]).times(&between));
            self.before = [positives, negatives];
        }
    }

    /// `None` if a class is absent.
    pub(crate) fn value(self) -> Option<Fraction> {
        let [positives, negatives] = self.before;
        let pairs = positives.times(&negatives).times(&Fraction::whole(2));
        Some(self.sum.times(&pairs.inverse()?))
    }
}

/// The area under the ROC curve.
pub fn roc_auc(table: &ScoreTable) -> Option<Fraction> {
    let mut area = Area::new();
    area.take(table, 0..table.len());
    area.value()
}

/// Twice the area minus one.
pub fn gini(table: &ScoreTable) -> Option<Fraction> {
    roc_auc(table).as_ref().map(gini_of)
}

/// The Gini coefficient from the area.
pub(crate) fn gini_of(area: &Fraction) -> Fraction {
    area.times(&Fraction::whole(2)).plus(&Fraction::whole(-1))
}

/// The largest distance of the shares of positives and negatives at or above a score.
pub fn ks(table: &ScoreTable) -> Option<Fraction> {
    let totals = Totals::of(table)?;
    let [all_positives, all_negatives] = totals.last()?;
    let gap = |[positives, negatives]: &[Fraction; 2]| {
        let (left, right) = (positives.times(all_negatives), negatives.times(all_positives));
        let gap = left.plus(&right.negated());
        if gap.is_negative() { gap.negated() } else { gap }
    };
    let widest = totals.0.iter().map(gap).max_by(Fraction::compare)?;
    Some(widest.times(&all_positives.times(all_negatives).inverse()?))
}
