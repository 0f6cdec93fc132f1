//! Boxes of 2×2 tables: whole counts, or weights.

use crate::arith::bounded::{Bounded, Interval, cell};
use crate::arith::nearest::Nearest;
use crate::arith::number::{Number, WHOLE};
use crate::base::error::{Refusal, Result};
use crate::labels::view::BinaryCounts;

/// All 2×2 tables with tp and fp between two ends, of classes of these sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CountsBox {
    /// Whole counts: tp from and to, fp from and to; positives and negatives.
    Whole([u64; 4], [u64; 2]),
    /// Weights, in the same order. Each number stands for the sum that it is nearest to.
    Weights([f64; 4], [f64; 2]),
}

impl CountsBox {
    /// A box of whole counts.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for ends in the wrong order, and for an end beyond its class.
    pub fn of_counts(tp: [u64; 2], fp: [u64; 2], positives: u64, negatives: u64) -> Result<Self> {
        check("tp", tp, positives, "positives")?;
        check("fp", fp, negatives, "negatives")?;
        if positives.checked_add(negatives).is_none_or(|all| all >= 1 << 63) {
            let expected = "with positives less than 2^63 rows";
            return Err(Refusal::argument("negatives", negatives, expected));
        }
        Ok(Self::Whole([tp[0], tp[1], fp[0], fp[1]], [positives, negatives]))
    }

    /// A box of weights.
    ///
    /// # Errors
    /// [`Refusal::Argument`] as [`CountsBox::of_counts`], and for weights that are no finite
    /// numbers of 0 and more.
    pub fn of_weights(tp: [f64; 2], fp: [f64; 2], positives: f64, negatives: f64) -> Result<Self> {
        for (name, weight) in [
            ("tp", tp[0]),
            ("tp", tp[1]),
            ("fp", fp[0]),
            ("fp", fp[1]),
            ("positives", positives),
            ("negatives", negatives),
        ] {
            if !(weight >= 0.0 && weight.is_finite()) {
                return Err(Refusal::argument(name, weight, "a finite weight, not negative"));
            }
        }
        check("tp", tp, positives, "positives")?;
        check("fp", fp, negatives, "negatives")?;
        Ok(Self::Weights([tp[0], tp[1], fp[0], fp[1]], [positives, negatives]))
    }

    /// The one table of the greater ends.
    #[must_use]
    pub fn last(&self) -> Self {
        match *self {
            Self::Whole([_, b, _, d], classes) => Self::Whole([b, b, d, d], classes),
            Self::Weights([_, b, _, d], classes) => Self::Weights([b, b, d, d], classes),
        }
    }
}

fn check<P: Place>(
    name: &'static str,
    [low, high]: [P; 2],
    all: P,
    class: &'static str,
) -> Result<()> {
    if !low.is_at_most(high) {
        let found = format!("({low}, {high})");
        return Err(Refusal::argument(name, found, "the lower end first"));
    }
    if !high.is_at_most(all) {
        let expected = format!("at most {all}, the {class}");
        return Err(Refusal::argument(name, high.to_string(), expected));
    }
    Ok(())
}

/// An end of a side of a box.
pub(super) trait Place: Copy + PartialEq + std::fmt::Display {
    /// Whether places are whole numbers, so that a table of them is known exactly.
    const IS_WHOLE: bool;
    /// Whether it is no more than another.
    fn is_at_most(self, other: Self) -> bool;
    /// The last place of the lower half of a side, and the first one of the upper half.
    fn halves(low: Self, high: Self) -> [Self; 2];
    /// The amount.
    fn amount(self) -> Interval;
    /// What is left of the class.
    fn rest_of(self, class: Self) -> Interval;
    /// The amount, for a single value, and what is left of the class.
    fn cells(self, class: Self) -> [Nearest; 2];
    /// An upper bound of the distance to a place above.
    fn distance_to(self, above: Self) -> f64;
    /// How many places a side has, if they can be counted.
    fn count(low: Self, high: Self) -> Option<u64>;
    /// The next place of a side that can be counted.
    fn next(self) -> Self;
}

impl Place for u64 {
    const IS_WHOLE: bool = true;

    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }

    fn halves(low: Self, high: Self) -> [Self; 2] {
        let middle = low.midpoint(high);
        [middle, high.min(middle + 1)]
    }

    fn amount(self) -> Interval {
        Interval::of_whole(self)
    }

    fn rest_of(self, class: Self) -> Interval {
        Interval::of_whole(class - self)
    }

    fn cells(self, class: Self) -> [Nearest; 2] {
        [self, class - self].map(|count| {
            let high = count as f64;
            // What is left is below 2^11.
            Nearest::of_two(high, (i128::from(count) - high as i128) as f64)
        })
    }

    fn distance_to(self, above: Self) -> f64 {
        Interval::of_whole(above - self).high
    }

    fn count(low: Self, high: Self) -> Option<u64> {
        Some(high - low + 1)
    }

    fn next(self) -> Self {
        self + 1
    }
}

impl Place for f64 {
    const IS_WHOLE: bool = false;

    fn is_at_most(self, other: Self) -> bool {
        self <= other
    }

    fn halves(low: Self, high: Self) -> [Self; 2] {
        let middle = f64::midpoint(low, high);
        [middle, middle]
    }

    fn amount(self) -> Interval {
        nearest_to(self)
    }

    fn rest_of(self, class: Self) -> Interval {
        let rest = nearest_to(class) - nearest_to(self);
        Interval { low: rest.low.max(0.0), high: rest.high.max(0.0) }
    }

    fn cells(self, class: Self) -> [Nearest; 2] {
        [Nearest::of(self), Nearest::of(class - self)]
    }

    fn distance_to(self, above: Self) -> f64 {
        (above - self).next_up()
    }

    fn count(low: Self, high: Self) -> Option<u64> {
        (low == high).then_some(1)
    }

    fn next(self) -> Self {
        self
    }
}

/// The sums that a weight is nearest to; a whole number below 2^53 is the sum itself.
fn nearest_to(weight: f64) -> Interval {
    if weight.fract() == 0.0 && weight < WHOLE {
        return Interval::of(weight);
    }
    Interval { low: weight.next_down(), high: weight.next_up() }
}

/// A part of a box: tp from and to, fp from and to.
pub(super) type Sides<P> = [P; 4];

/// The cells of all tables of a part, and how far the part reaches from its middle.
pub(super) fn table_over<P: Place>(
    [a, b, c, d]: Sides<P>,
    [positives, negatives]: [P; 2],
) -> (BinaryCounts<Bounded>, [f64; 2]) {
    let side = |low: P, high: P, class: P, moves: [f64; 2]| {
        let middle = P::halves(low, high)[0];
        let range = low.amount().or(high.amount());
        let rest = high.rest_of(class).or(low.rest_of(class));
        let own = cell(range, middle.amount(), moves);
        let other = cell(rest, middle.rest_of(class), moves.map(|by| 0.0 - by));
        let reach = low.distance_to(middle).max(middle.distance_to(high));
        (own, other, reach)
    };
    let (tp, fn_, in_tp) = side(a, b, positives, [1.0, 0.0]);
    let (fp, tn, in_fp) = side(c, d, negatives, [0.0, 1.0]);
    (BinaryCounts { tp, fp, fn_, tn }, [in_tp, in_fp])
}

/// The cells of one table.
pub(super) fn table_at<P: Place>(
    [tp, fp]: [P; 2],
    [positives, negatives]: [P; 2],
) -> BinaryCounts<Nearest> {
    let ([tp, fn_], [fp, tn]) = (tp.cells(positives), fp.cells(negatives));
    BinaryCounts { tp, fp, fn_, tn }
}
