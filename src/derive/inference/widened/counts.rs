//! The interval of an index over a box of 2×2 tables.
//!
//! 1. One table: its interval.
//! 2. At most 4,096 tables: the intervals of all tables.
//! 3. A share with the method of Wilson, of Clopper and Pearson, of Jeffreys, or for any time: both
//!    ends rise with the successes and fall with the failures. So the table with the fewest
//!    successes and the most failures has the least lower end, and the opposite table the greatest
//!    upper end.
//!    (Wilson's ends are where the score (s - n p) / sqrt(n p q) is ± z. Its slope over s has the
//!    sign of q s + 2 q f + p f, its slope over f the sign of -(2 p s + q s + p f). Those of
//!    Clopper and Pearson, and of Jeffreys, are quantiles of a beta distribution, which is
//!    stochastically ordered in both; those for any time are explained in [`proportion`].)
//! 4. A share with the normal method or the method of Agresti and Coull: the least share minus z
//!    times the greatest standard error.
//! 5. The delta method: the box is cut into parts. Over a part the formula is evaluated on
//!    intervals, which contain the value and its four slopes. They bound the variance, and so the
//!    ends on the scale of the index. Where a cell is empty, half a row is added to each cell, so
//!    the sides of the box with an empty cell are parts of their own.
//! 6. Otherwise there is no interval, and the result says why.
//!
//! All ends are rounded outwards. Slopes over a part ignore that the cells move together, so the
//! interval is a little wider than necessary.

use crate::arith::bounded::{Interval, Over, cell, over};
use crate::base::error::Result;
use crate::base::interrupt;
use crate::bounds::{CountsBox, NoBounds, Split};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::{Method, Spread};
use crate::index::value::Undefined;
use crate::inference::interval::{ADDED, Ask, less_excess};
use crate::inference::proportion;
use crate::inference::widened::ends::{Ends, Widened, products};
use crate::labels::view::BinaryCounts;

/// A box of at most this many tables is enumerated.
const FEW: u64 = 4096;

/// How often a box is halved for the delta method.
const HALVINGS: u32 = 4;

/// The margin for the rounding of sums of squares.
const ROUNDING: f64 = 1e-9;

const BY_ERROR: &str = "The standard error of this method has no bounds over more than 4,096 tables; \
                        method=\"delta\" has them where the index has that method.";
const BY_STEPS: &str = "The slopes of the index are not known between tables, and more than 4,096 tables are possible.";

/// A part of a box: tp from and to, fp from and to; and the rows added to each cell.
#[derive(Clone, Copy, Debug)]
struct Part {
    sides: [Split; 4],
    added: f64,
}

impl Index {
    /// The interval that contains the intervals of all tables of a box.
    ///
    /// # Errors
    /// As [`Index::interval_of_counts`].
    ///
    /// ```
    /// use rocksteady_derive::bounds::CountsBox;
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::index::parameter::Parameters;
    /// use rocksteady_derive::inference::interval::{Ask, Side};
    ///
    /// let tables = CountsBox::of_counts([6, 8], [2, 4], 10, 90)?;
    /// let recall = find("recall")?;
    /// let ask = Ask::new(0.95, None, Side::Both)?;
    /// let found = recall.interval_of_box(&tables, &Parameters::defaults(recall), &ask)?;
    /// assert!((found.low - 0.3127).abs() < 1e-4 && (found.high - 0.9433).abs() < 1e-4);
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn interval_of_box(
        &self,
        tables: &CountsBox,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Widened> {
        let way = self.way(ask, |_| true)?;
        let method = way.1;
        // The box, and the rest of the box without the tables that have an empty cell.
        let (sides, inside) = match *tables {
            CountsBox::Whole([a, b, c, d], classes) => {
                let [positives, negatives] = classes;
                let tables = (b - a + 1).checked_mul(d - c + 1);
                if tables.is_some_and(|tables| tables <= FEW) {
                    let each = (a..=b).flat_map(|tp| (c..=d).map(move |fp| [tp, fp]));
                    let each = each.map(|[tp, fp]| BinaryCounts {
                        tp: tp as f64,
                        fp: fp as f64,
                        fn_: (positives - tp) as f64,
                        tn: (negatives - fp) as f64,
                    });
                    return self.interval_of_all(each, parameters, method, ask);
                }
                let last = classes.map(|class| class.saturating_sub(1));
                let inside = [a.max(1), b.min(last[0]), c.max(1), d.min(last[1])];
                let is_any = inside[0] <= inside[1] && inside[2] <= inside[3];
                let split = |sides: [u64; 4]| {
                    [0, 1, 2, 3].map(|end: usize| Split::of_counts(sides[end], classes[end / 2]))
                };
                (split([a, b, c, d]), is_any.then(|| split(inside)))
            }
            CountsBox::Weights(sides) => {
                let [a, b, c, d] = sides;
                if a == b && c == d {
                    let ([tp, fn_], [fp, tn]) = (a.near(), c.near());
                    let table = BinaryCounts { tp, fp, fn_, tn };
                    let one = self.interval_of_all([table].into_iter(), parameters, method, ask)?;
                    if one.why.is_some() {
                        return Ok(one);
                    }
                    // The sums are rounded.
                    let ends = Ends::NONE.or([one.low, one.high]);
                    return Ok(ends.widened(method, ask, self.range));
                }
                (sides, Some(sides))
            }
        };
        let estimate = tables.bounds(self, parameters)?;
        let part = Part { sides, added: 0.0 };
        if let Some(why @ NoBounds::Undefined(_)) = estimate.why {
            return Ok(Widened::none(method, why.sentence()));
        }
        let known = Interval { low: estimate.low, high: estimate.high };
        let found = match way.0 {
            Some(Spread::Share { counts, .. }) => Some(part.of_share(counts, method, ask)),
            None if estimate.why.is_none() => {
                let found = self.delta_of_part(part.pieces(inside), known, parameters, ask);
                let found = found.filter(|(ends, _)| !ends.is_none());
                found.map(|(ends, is_sure)| (ends.or([known.low, known.high]), is_sure))
            }
            _ => None,
        };
        let Some((found, is_sure)) = found else {
            let why = if way.0.is_none() { BY_STEPS } else { BY_ERROR };
            return Ok(Widened::none(method, why));
        };
        Ok(Widened {
            may_be_none: estimate.may_be_undefined || !is_sure,
            ..found.widened(method, ask, self.range)
        })
    }

    /// The interval that contains the intervals of some tables.
    fn interval_of_all(
        &self,
        tables: impl Iterator<Item = BinaryCounts>,
        parameters: &Parameters,
        method: Method,
        ask: &Ask,
    ) -> Result<Widened> {
        let (mut ends, mut why) = (Ends::NONE, None::<Undefined>);
        for table in tables {
            interrupt::check();
            let found = self.interval_of_counts(&table, parameters, ask)?;
            match found.why {
                Some(reason) => why = why.or(Some(reason)),
                None => ends = ends.or([found.low, found.high]),
            }
        }
        if ends.is_none() {
            let why = why.unwrap_or(Undefined::NoRows);
            return Ok(Widened::none(method, why.sentence()));
        }
        Ok(Widened {
            low: ends.low,
            high: ends.high,
            method,
            why: None,
            may_be_none: why.is_some(),
            note: None,
        })
    }

    /// The ends of the delta method over the parts of a box whose values lie between two bounds,
    /// and whether every table has an interval; `None` if the ends are unknown.
    fn delta_of_part(
        &self,
        mut open: Vec<Part>,
        known: Interval,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Option<(Ends, bool)> {
        // A lone bound at a level below 1/2 lies beyond the estimate and is no interval.
        let mut is_sure = self.program.is_none() && ask.z() > 0.0;
        let mut ends = Ends::NONE;
        for _ in 0..HALVINGS {
            open = open.iter().flat_map(Part::halves).collect(); // at most 80
        }
        for part in &open {
            interrupt::check();
            let (found, has_all) = self.delta_of_few(part, known, parameters, ask)?;
            is_sure &= has_all;
            if let Some(found) = found {
                ends = ends.or(found);
            }
        }
        Some((ends, is_sure))
    }

    /// The ends over a small part, and whether all its tables have an interval. The inner `None`:
    /// no table has one. The outer `None`: the ends are unknown.
    fn delta_of_few(
        &self,
        part: &Part,
        known: Interval,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Option<(Option<[f64; 2]>, bool)> {
        let moved = part.over(self, parameters, Moves::Together)?;
        let Some(value) = moved.range else {
            return Some((None, false));
        };
        let value = if part.added == 0.0 { value.and(known) } else { value };
        let first = part.over(self, parameters, Moves::Predicted)?;
        let second = part.over(self, parameters, Moves::Missed)?;
        let slopes = [first.slopes[0], first.slopes[1], second.slopes[0], second.slopes[1]];
        let cells = part.cells();
        let [own, _, other, _] = part.sides;
        let total = own.amount + own.rest + (other.amount + other.rest);
        let total = total + Interval::of(4.0 * part.added);
        let growth =
            cells.iter().zip(slopes).fold(Interval::ZERO, |sum, (&cell, slope)| sum + cell * slope);
        let mean = growth / total;
        let [mut least, mut greatest] = [0.0; 2];
        for (cell, slope) in cells.iter().zip(slopes) {
            let far = slope - mean;
            let squares = [far.low * far.low, far.high * far.high];
            greatest += cell.high * squares[0].max(squares[1]);
            if !far.contains(0.0) {
                least += cell.low.max(0.0) * squares[0].min(squares[1]);
            }
        }
        if !greatest.is_finite() {
            return None;
        }
        let errors = [(least * (1.0 - ROUNDING)).sqrt(), (greatest * (1.0 + ROUNDING)).sqrt()];
        let scale = self.scale_of_counts(parameters).ok()?;
        let values = [value.low, value.high];
        let has_all = errors[0] > 0.0
            && !moved.may_be_undefined
            && values.iter().all(|&value| scale.has(value));
        let [low, high] = scale.ends(values, errors, ask.z(), self.range);
        // Of all values, one as great as the excess moves the bound farthest.
        let excess = self.excess(1.0, total.low - 4.0 * part.added, parameters);
        let low = less_excess(low, value.low.min(known.low).max(excess), excess);
        Some((Some([low, high]), has_all))
    }
}

/// The cells that move in the slopes of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    /// tp and fp, with fn and tn in the opposite direction.
    Together,
    /// tp and fp alone.
    Predicted,
    /// fn and tn alone.
    Missed,
}

impl Part {
    /// The cells tp, fp, fn, tn.
    fn cells(&self) -> [Interval; 4] {
        let [a, b, c, d] = self.sides;
        let side = |low: Split, high: Split| {
            let added = Interval::of(self.added);
            [low.amount.or(high.amount) + added, high.rest.or(low.rest) + added]
        };
        let ([tp, fn_], [fp, tn]) = (side(a, b), side(c, d));
        [tp, fp, fn_, tn]
    }

    /// The formula over the part; `None` if it is over `f64` alone.
    fn over(&self, row: &Index, parameters: &Parameters, moves: Moves) -> Option<Over> {
        let cells = self.cells();
        let [a, b, c, d] = self.sides;
        let middles = [Split::middle(a, b), Split::middle(c, d)];
        let reach = match moves {
            Moves::Together => {
                let far = |low: Split, middle: Split, high: Split| {
                    low.distance_to(middle).max(middle.distance_to(high))
                };
                [far(a, middles[0], b), far(c, middles[1], d)]
            }
            // The ranges of the cells contain all values, however the cells move.
            _ => [f64::INFINITY; 2],
        };
        let at = |place: usize| {
            let (axis, sign) = (place % 2, if place < 2 { 1.0 } else { -1.0 });
            let mut by = [0.0; 2];
            let is_moved = match moves {
                Moves::Together => true,
                Moves::Predicted => place < 2,
                Moves::Missed => place >= 2,
            };
            if is_moved {
                by[axis] = if moves == Moves::Together { sign } else { 1.0 };
            }
            let here = match moves {
                Moves::Together => {
                    let Split { amount, rest } = middles[axis];
                    (if place < 2 { amount } else { rest }) + Interval::of(self.added)
                }
                _ => cells[place],
            };
            cell(cells[place], here, by)
        };
        let table = BinaryCounts { tp: at(0), fp: at(1), fn_: at(2), tn: at(3) };
        let mut is_plain = false;
        let found = over(reach, row.program.is_some(), || {
            let found = row.over_box(&table, parameters);
            is_plain |= found.is_none();
            found.unwrap_or(Err(Undefined::OutsideDomain))
        });
        (!is_plain).then_some(found)
    }

    /// The rest of a box without the tables that have an empty cell, and the sides with an empty
    /// cell, with half a row added to each cell.
    fn pieces(&self, inside: Option<[Split; 4]>) -> Vec<Self> {
        let [a, b, c, d] = self.sides;
        let mut pieces = Vec::new();
        for (cell, sides) in [
            (a.amount, [a, a, c, d]),
            (b.rest, [b, b, c, d]),
            (c.amount, [a, b, c, c]),
            (d.rest, [a, b, d, d]),
        ] {
            if cell.low == 0.0 {
                pieces.push(Self { sides, added: ADDED });
            }
        }
        pieces.extend(inside.map(|sides| Self { sides, ..*self }));
        pieces
    }

    /// Both halves along the side that is longer in relation to its least cell.
    fn halves(&self) -> Vec<Self> {
        let [a, b, c, d] = self.sides;
        let long = |low: Split, high: Split| {
            let [from, to] = [low, high].map(Split::near);
            (to[0] - from[0]) / (from[0].min(to[1]) + 1.0)
        };
        let (own, other) = (long(a, b), long(c, d));
        if own == 0.0 && other == 0.0 {
            return vec![*self];
        }
        let (mut lower, mut upper) = (*self, *self);
        if own >= other {
            let middle = Split::middle(a, b);
            (lower.sides[1], upper.sides[0]) = (middle, middle);
        } else {
            let middle = Split::middle(c, d);
            (lower.sides[3], upper.sides[2]) = (middle, middle);
        }
        vec![lower, upper]
    }

    /// The ends of the interval of a share, and whether every table has one.
    fn of_share(
        &self,
        trials: fn(&BinaryCounts) -> (f64, f64),
        method: Method,
        ask: &Ask,
    ) -> (Ends, bool) {
        let [a, b, c, d] = self.sides.map(Split::near);
        let (mut successes, mut failures, mut all) = (Ends::NONE, Ends::NONE, Ends::NONE);
        for [[tp, fn_], [fp, tn]] in [[a, c], [a, d], [b, c], [b, d]] {
            // Successes and failures are sums of cells, so their extremes are at corners.
            let (s, f) = trials(&BinaryCounts { tp, fp, fn_, tn });
            successes = successes.or([s, s]);
            failures = failures.or([f, f]);
            all = all.or([s + f, s + f]);
        }
        let (z, tail) = (ask.z(), ask.tail());
        if !matches!(method, Method::AgrestiCoull | Method::Normal) {
            let ends = |s: f64, f: f64| proportion::bounds(method, s, f, z, tail);
            let low = if successes.low + failures.high > 0.0 {
                ends(successes.low, failures.high).0
            } else {
                0.0
            };
            let high = if successes.high + failures.low > 0.0 {
                ends(successes.high, failures.low).1
            } else {
                1.0
            };
            return (Ends { low, high }, true);
        }
        let more = if method == Method::AgrestiCoull { z * z } else { 0.0 };
        let share = |s: f64, f: f64| {
            let s = s + more / 2.0;
            s / (s + f + more / 2.0)
        };
        let least = share(successes.low, failures.high);
        let greatest = share(successes.high, failures.low);
        let [fewest, most] = products([least, greatest]);
        let errors = [(fewest / (all.high + more)).sqrt(), (most / (all.low + more)).sqrt()];
        let ends = errors
            .iter()
            .fold(Ends::NONE, |ends, error| ends.or([least - z * error, greatest + z * error]));
        // The normal interval has no width at 0 and 1.
        (ends, method != Method::Normal || (successes.low > 0.0 && failures.low > 0.0))
    }
}
