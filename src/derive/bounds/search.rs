//! The least value of an index within a box.
//!
//! Branch and bound. The formula over a part of the box ([`crate::arith::bounded`]) gives a lower
//! bound of the values in the part; single tables give values.
//!
//! 1. Take the part with the least bound.
//! 2. If its bound is not below the least value found, the search is over.
//! 3. If its slopes have one sign, replace the part by its edge or corner.
//! 4. Else halve it.
//!
//! If the search stops early, the least bound of the open parts is still a bound, only looser.
//!
//! Source: Moore 1966, Interval Analysis; Hansen, Walster 2003, doi:10.1201/9780203026922.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::arith::bounded::{Interval, Over, over};
use crate::arith::number::WHOLE;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::bounds::counts_box::{Place, Sides, table_at, table_over};
use crate::index::form::CountFormula;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::value::{Undefined, Value};
use crate::labels::view::BinaryCounts;

/// The most parts that one search looks at.
const MOST_PARTS: usize = 3000;

/// After this many parts, a bound is good enough if it is this near to the least value, as a share
/// of the spread of the values found.
const ENOUGH: (usize, f64) = (600, 1e-3);

/// An index over a box.
pub(super) struct Search<'a, P: Place> {
    pub(super) row: &'a Index,
    pub(super) parameters: &'a Parameters,
    pub(super) classes: [P::Class; 2],
    /// Whether the predicted classes have known sizes, not the actual ones.
    pub(super) is_transposed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Point {
    /// The value lies in this interval.
    Known(Interval),
    /// The index is undefined there.
    Undefined(Undefined),
}

struct Part<P> {
    least: f64,
    sides: Sides<P>,
    over: Over,
}

impl<P> PartialEq for Part<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<P> Eq for Part<P> {}

impl<P> PartialOrd for Part<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A heap takes the greatest first, so the part with the least bound is the greatest.
impl<P> Ord for Part<P> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.least.total_cmp(&self.least)
    }
}

pub(super) fn is_one<P: Place>([a, b, c, d]: Sides<P>) -> bool {
    a == b && c == d
}

/// Both halves of a part, along tp or fp.
fn halves<P: Place>(sides: Sides<P>, axis: usize) -> [Sides<P>; 2] {
    let (from, to) = (2 * axis, 2 * axis + 1);
    let [last, first] = P::halves(sides[from], sides[to]);
    let (mut lower, mut upper) = (sides, sides);
    lower[to] = last;
    upper[from] = first;
    [lower, upper]
}

impl<P: Place> Search<'_, P> {
    /// The formula over a part; `None` if it is over `f64` alone.
    pub(super) fn over(&self, sides: Sides<P>) -> Option<Over> {
        let (table, reach) = table_over(sides, self.classes);
        let mut is_plain = false;
        let table = self.faced(table);
        let found = over(reach, self.row.program.is_some(), || {
            let found = self.row.over_box(&table, self.parameters);
            is_plain |= found.is_none();
            found.unwrap_or(Err(Undefined::OutsideDomain))
        });
        (!is_plain).then_some(found)
    }

    pub(super) fn value(&self, at: [P; 2]) -> Result<Value> {
        self.row.of_cells(&self.faced(table_at(at, self.classes)), self.parameters)
    }

    fn faced<T>(&self, table: BinaryCounts<T>) -> BinaryCounts<T> {
        if self.is_transposed {
            BinaryCounts { fp: table.fn_, fn_: table.fp, ..table }
        } else {
            table
        }
    }

    /// Whether the value of one table is rounded only once.
    pub(super) fn is_exact(&self) -> bool {
        P::IS_WHOLE && self.row.counts.is_some_and(CountFormula::rounds_once)
    }

    pub(super) fn point(&self, at: [P; 2]) -> Result<Point> {
        let value = self.value(at)?;
        let near = Interval::of(value.number);
        let sides = [at[0], at[0], at[1], at[1]];
        let proven = || self.over(sides).and_then(|found| found.range);
        Ok(match value.why {
            Some(why) if P::IS_WHOLE => Point::Undefined(why),
            // The table before rounding may have a value.
            Some(why) => proven().map_or(Point::Undefined(why), Point::Known),
            None if self.is_exact() => Point::Known(near),
            None => Point::Known(proven().map_or(near, |proven| proven.or(near))),
        })
    }

    /// Whether a table of the box may have no value.
    pub(super) fn may_be_undefined(&self, sides: Sides<P>) -> Result<bool> {
        let mut open = vec![sides];
        for _ in 0..200 {
            let Some(sides) = open.pop() else {
                return Ok(false);
            };
            if is_one(sides) && P::IS_WHOLE {
                if self.value([sides[0], sides[2]])?.why.is_some() {
                    return Ok(true);
                }
                continue;
            }
            if self.over(sides).is_none_or(|over| over.may_be_undefined) {
                if is_one(sides) {
                    return Ok(true);
                }
                open.extend(halves(sides, self.axis(sides, None)));
            }
        }
        Ok(true)
    }

    fn axis(&self, [a, b, c, d]: Sides<P>, over: Option<&Over>) -> usize {
        if a == b || c == d {
            return usize::from(a == b);
        }
        let sides = [(a, b, self.classes[0]), (c, d, self.classes[1])];
        let reach = sides.map(|(low, high, _)| low.distance_to(high));
        let steep = over.map(|over| {
            [0, 1].map(|axis: usize| {
                let slope = over.slopes[axis];
                slope.low.abs().max(slope.high.abs()) * reach[axis]
            })
        });
        let weight = match steep {
            Some(steep) if steep.iter().all(|by| by.is_finite()) => steep,
            // Near an empty cell, the distance to an empty cell counts.
            _ => sides.map(|(low, high, class)| {
                let empty = low.amount().low.min(high.rest_of(class).low);
                low.distance_to(high) / (empty + 1.0)
            }),
        };
        usize::from(weight[1] > weight[0])
    }

    /// Whether equal values have equal bits: values are rounded once, or `f64` holds all counts.
    pub(super) fn keeps_bits(&self, [tp, fp]: [P; 2]) -> bool {
        let rounds_once = self.row.counts.is_some_and(CountFormula::rounds_once);
        let all = [(tp, self.classes[0]), (fp, self.classes[1])]
            .map(|(place, class)| place.amount() + place.rest_of(class));
        let all = all[0] + all[1];
        rounds_once || all.high < WHOLE
    }

    /// A lower bound of all defined values in the box, or of their negatives if `is_greatest`.
    /// Infinite if the index is undefined everywhere.
    pub(super) fn least(&self, sides: Sides<P>, is_greatest: bool) -> Result<f64> {
        let mut state = Least {
            search: self,
            is_greatest,
            best: f64::INFINITY,
            most: f64::NEG_INFINITY,
            dropped: f64::INFINITY,
            slack: 0.0,
            open: BinaryHeap::new(),
            looked_at: 0,
        };
        let [a, b, c, d] = sides;
        for at in [[a, c], [b, d], [a, d], [b, c]] {
            state.try_value(at)?;
        }
        state.look(sides)?;
        while let Some(part) = state.open.pop() {
            state.slack = state.slack_now();
            if part.least >= state.best - state.slack || state.looked_at > MOST_PARTS {
                state.dropped = state.dropped.min(part.least);
                break;
            }
            interrupt::check();
            let axis = self.axis(part.sides, Some(&part.over));
            for half in halves(part.sides, axis) {
                if half == part.sides {
                    state.dropped = state.dropped.min(part.least); // weights next to each other
                } else {
                    state.look(half)?;
                }
            }
        }
        let left = state.open.peek().map_or(f64::INFINITY, |part| part.least);
        Ok(state.best.min(state.dropped).min(left))
    }
}

struct Least<'a, P: Place> {
    search: &'a Search<'a, P>,
    is_greatest: bool,
    best: f64,
    most: f64,
    /// The least bound of the parts that were dropped because they were near enough.
    dropped: f64,
    /// How near is near enough.
    slack: f64,
    open: BinaryHeap<Part<P>>,
    looked_at: usize,
}

impl<P: Place> Least<'_, P> {
    fn slack_now(&self) -> f64 {
        let spread = if self.most > self.best { self.most - self.best } else { 0.0 };
        let part = if self.looked_at < ENOUGH.0 { 1e-9 } else { ENOUGH.1 };
        spread * part + self.best.abs() * 1e-15
    }

    fn signed(&self, range: Interval) -> Interval {
        if self.is_greatest { -range } else { range }
    }

    fn try_value(&mut self, at: [P; 2]) -> Result<()> {
        if let Point::Known(value) = self.search.point(at)? {
            let value = self.signed(value);
            self.best = self.best.min(value.low);
            self.most = self.most.max(value.high);
        }
        Ok(())
    }

    /// Drops a part, takes its value, or keeps it open.
    fn look(&mut self, mut sides: Sides<P>) -> Result<()> {
        let mut least = f64::NEG_INFINITY;
        loop {
            self.looked_at += 1;
            if is_one(sides) {
                return self.try_value([sides[0], sides[2]]);
            }
            let Some(over) = self.search.over(sides) else {
                return Ok(());
            };
            let Some(range) = over.range else {
                return Ok(()); // undefined everywhere
            };
            least = least.max(self.signed(range).low);
            if least >= self.best - self.slack {
                self.dropped = self.dropped.min(least);
                return Ok(());
            }
            let mut edge = sides;
            if !over.may_be_undefined {
                for axis in 0..2 {
                    let slope = self.signed(over.slopes[axis]);
                    let (from, to) = (2 * axis, 2 * axis + 1);
                    if slope.low >= 0.0 {
                        edge[to] = edge[from];
                    } else if slope.high <= 0.0 {
                        edge[from] = edge[to];
                    }
                }
            }
            if edge == sides {
                let [a, b, c, d] = sides;
                self.try_value([P::halves(a, b)[0], P::halves(c, d)[0]])?;
                self.open.push(Part { least, sides, over });
                return Ok(());
            }
            sides = edge;
        }
    }
}
