//! Boxes of 2×2 tables: whole counts, or weights.

use crate::arith::bounded::{Bounded, Interval, cell};
use crate::arith::nearest::Nearest;
use crate::arith::number::Number;
use crate::base::error::{Refusal, Result};
use crate::labels::view::BinaryCounts;

/// All 2×2 tables with tp and fp between two ends, of classes of these sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CountsBox {
    /// Whole counts: tp from and to, fp from and to; positives and negatives.
    Whole([u64; 4], [u64; 2]),
    /// Weights, in the same order.
    Weights([Split; 4]),
}

/// The part of a class that is predicted positive, and the rest of the class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// An interval that holds the part.
    pub amount: Interval,
    /// An interval that holds the rest.
    pub rest: Interval,
}

impl Split {
    /// The split of sums that were rounded to these numbers.
    pub fn of_sums(amount: f64, rest: f64) -> Self {
        Self { amount: nearest_to(amount), rest: nearest_to(rest) }
    }

    /// The split of a sum that was rounded to `amount`, within a class of at least as much.
    fn of_class(amount: f64, class: f64) -> Self {
        let amount = Interval::of(amount);
        Self { amount, rest: Interval::of(class) - amount }
    }

    /// The split of whole counts.
    pub fn of_counts(amount: u64, class: u64) -> Self {
        Self { amount: Interval::from_whole(amount), rest: Interval::from_whole(class - amount) }
    }

    /// The rounded part and rest, or numbers next to them.
    #[must_use]
    pub fn near(self) -> [f64; 2] {
        [self.amount, self.rest].map(|sum| f64::midpoint(sum.low, sum.high))
    }

    /// The split half way between two splits.
    pub fn middle(low: Self, high: Self) -> Self {
        let middle = |a: Interval, b: Interval| Interval {
            low: f64::midpoint(a.low, b.low).next_down().max(0.0),
            high: f64::midpoint(a.high, b.high).next_up(),
        };
        if low == high {
            return low;
        }
        Self { amount: middle(low.amount, high.amount), rest: middle(low.rest, high.rest) }
    }

    /// An upper bound of the distance to a split with a greater part of the same class.
    pub fn distance_to(self, above: Self) -> f64 {
        (above.amount.high - self.amount.low).next_up()
    }
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

    /// A box of weights, each of which is the number given.
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
            check_weight(name, weight)?;
        }
        check("tp", tp, positives, "positives")?;
        check("fp", fp, negatives, "negatives")?;
        let tp = tp.map(|amount| Split::of_class(amount, positives));
        let fp = fp.map(|amount| Split::of_class(amount, negatives));
        Ok(Self::Weights([tp[0], tp[1], fp[0], fp[1]]))
    }

    /// A box of weights that were rounded to these numbers. Beside tp comes fn where tp is least
    /// and where it is greatest; likewise tn beside fp.
    ///
    /// # Errors
    /// As [`CountsBox::of_weights`], and for sums that do not add up to their class.
    pub fn of_sums(
        [tp, fp, fn_, tn]: [[f64; 2]; 4],
        positives: f64,
        negatives: f64,
    ) -> Result<Self> {
        Self::of_weights(tp, fp, positives, negatives)?;
        let side = |name, own: [f64; 2], rest: [f64; 2], class: f64| {
            let ends = [0, 1].map(|end| Split::of_sums(own[end], rest[end]));
            for (end, found) in ends.into_iter().zip(rest) {
                check_weight(name, found)?;
                let (sum, class) = (end.amount + end.rest, nearest_to(class));
                if sum.low > class.high || class.low > sum.high {
                    return Err(Refusal::argument(name, found, "what is left of the class"));
                }
            }
            check(name, [rest[1], rest[0]], class, "class")?;
            Ok(ends)
        };
        let (tp, fp) = (side("fn", tp, fn_, positives)?, side("tn", fp, tn, negatives)?);
        Ok(Self::Weights([tp[0], tp[1], fp[0], fp[1]]))
    }

    /// The table of the upper ends.
    #[must_use]
    pub fn last(&self) -> Self {
        match *self {
            Self::Whole([_, b, _, d], classes) => Self::Whole([b, b, d, d], classes),
            Self::Weights([_, b, _, d]) => Self::Weights([b, b, d, d]),
        }
    }
}

fn check_weight(name: &'static str, weight: f64) -> Result<()> {
    if weight >= 0.0 && weight.is_finite() {
        return Ok(());
    }
    Err(Refusal::argument(name, weight, "a finite weight, not negative"))
}

fn check<T: Copy + PartialOrd + std::fmt::Display>(
    name: &'static str,
    [low, high]: [T; 2],
    all: T,
    class: &'static str,
) -> Result<()> {
    if low > high {
        let found = format!("({low}, {high})");
        return Err(Refusal::argument(name, found, "the lower end first"));
    }
    if high > all {
        let expected = format!("at most {all}, the {class}");
        return Err(Refusal::argument(name, high.to_string(), expected));
    }
    Ok(())
}

/// An end of a side of a box.
pub(super) trait Place: Copy + PartialEq {
    /// The size of a class, where a place does not know the rest of its class.
    type Class: Copy;
    /// Whether places are whole numbers, so that their tables are known exactly.
    const IS_WHOLE: bool;
    /// The last place of the lower half of a side, and the first one of the upper half.
    fn halves(low: Self, high: Self) -> [Self; 2];
    fn amount(self) -> Interval;
    fn rest_of(self, class: Self::Class) -> Interval;
    /// The part and the rest of the class, for a single value.
    fn cells(self, class: Self::Class) -> [Nearest; 2];
    /// An upper bound of the distance to a greater place.
    fn distance_to(self, above: Self) -> f64;
    /// How many places a side has, if they can be counted.
    fn count(low: Self, high: Self) -> Option<u64>;
    /// The next place of a side that can be counted.
    fn next(self) -> Self;
}

impl Place for u64 {
    type Class = Self;
    const IS_WHOLE: bool = true;

    fn halves(low: Self, high: Self) -> [Self; 2] {
        let middle = low.midpoint(high);
        [middle, high.min(middle + 1)]
    }

    fn amount(self) -> Interval {
        Interval::from_whole(self)
    }

    fn rest_of(self, class: Self) -> Interval {
        Interval::from_whole(class - self)
    }

    fn cells(self, class: Self) -> [Nearest; 2] {
        [self, class - self].map(|count| {
            let high = count as f64;
            // The difference is below 2^11.
            Nearest::from_two(high, (i128::from(count) - high as i128) as f64)
        })
    }

    fn distance_to(self, above: Self) -> f64 {
        Interval::from_whole(above - self).high
    }

    fn count(low: Self, high: Self) -> Option<u64> {
        Some(high - low + 1)
    }

    fn next(self) -> Self {
        self + 1
    }
}

impl Place for Split {
    type Class = ();
    const IS_WHOLE: bool = false;

    fn halves(low: Self, high: Self) -> [Self; 2] {
        [Self::middle(low, high); 2]
    }

    fn amount(self) -> Interval {
        self.amount
    }

    fn rest_of(self, (): ()) -> Interval {
        self.rest
    }

    fn cells(self, (): ()) -> [Nearest; 2] {
        self.near().map(Nearest::of)
    }

    fn distance_to(self, above: Self) -> f64 {
        Self::distance_to(self, above)
    }

    fn count(low: Self, high: Self) -> Option<u64> {
        (low == high).then_some(1)
    }

    fn next(self) -> Self {
        self
    }
}

/// The sums that round to a number. Only an empty sum is 0.
fn nearest_to(weight: f64) -> Interval {
    if weight == 0.0 {
        return Interval::ZERO;
    }
    Interval { low: weight.next_down(), high: weight.next_up() }
}

/// A part of a box: tp from and to, fp from and to.
pub(super) type Sides<P> = [P; 4];

/// The cells of all tables of a part, and how far the part reaches from its middle.
pub(super) fn table_over<P: Place>(
    [a, b, c, d]: Sides<P>,
    [positives, negatives]: [P::Class; 2],
) -> (BinaryCounts<Bounded>, [f64; 2]) {
    let side = |low: P, high: P, class: P::Class, moves: [f64; 2]| {
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

pub(super) fn table_at<P: Place>(
    [tp, fp]: [P; 2],
    [positives, negatives]: [P::Class; 2],
) -> BinaryCounts<Nearest> {
    let ([tp, fn_], [fp, tn]) = (tp.cells(positives), fp.cells(negatives));
    BinaryCounts { tp, fp, fn_, tn }
}
