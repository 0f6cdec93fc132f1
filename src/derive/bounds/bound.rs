//! The bounds of an index over a box of 2×2 tables.
//!
//! 1. One table: the value itself.
//! 2. A row that declares its direction ([`Joint`]): two corners, if both have a value.
//! 3. At most 64 tables, or 4,096 of an index whose formula is over `f64` alone: all of them.
//! 4. Otherwise the search for the least and the greatest value (`search`).
//! 5. An index that is left has no bounds, and the reason is given.
//!
//! Tables without a value are left out, and it is said that there may be some.

use crate::arith::bounded::{Interval, Over};
use crate::base::error::Result;
use crate::bounds::counts_box::{CountsBox, Place, Sides};
use crate::bounds::search::{Point, Search, is_one};
use crate::index::parameter::Parameters;
use crate::index::row::{Index, Joint};
use crate::index::value::Undefined;

/// A box of so many tables is searched whole.
const FEW: u64 = 64;

/// The same, of an index whose formula is over `f64` alone.
const SOME: u64 = 4096;

/// Why an index has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBounds {
    /// It is undefined for every table of the box.
    Undefined(Undefined),
    /// Its formula is over `f64` alone, and the box is large.
    Large,
    /// The same, of weights.
    Weights,
}

impl NoBounds {
    /// The reason as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Undefined(why) => why.sentence(),
            Self::Large => {
                "The index is computed by an iteration or a sum over tables that gives no bounds between counts, \
                 and more than 4,096 tables are possible here."
            }
            Self::Weights => {
                "The index is computed by an iteration or a sum over tables that gives no bounds between weights."
            }
        }
    }
}

/// Proven bounds of an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// No value that is defined is less. NaN if there are no bounds.
    pub low: f64,
    /// No value that is defined is greater. NaN if there are no bounds.
    pub high: f64,
    /// Whether the index may be undefined for a table of the box.
    pub may_be_undefined: bool,
    /// Why there are no bounds.
    pub why: Option<NoBounds>,
}

impl Bounds {
    fn none(why: NoBounds) -> Self {
        Self { low: f64::NAN, high: f64::NAN, may_be_undefined: true, why: Some(why) }
    }
}

impl CountsBox {
    /// The bounds of an index of counts.
    ///
    /// For one table they are its value, twice; its number by convention, if it is undefined there.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    ///
    /// ```
    /// use rocksteady_derive::bounds::CountsBox;
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::index::parameter::Parameters;
    ///
    /// // Of 10 positives 6 to 8 are predicted positive, and of 90 negatives 2 to 4.
    /// let tables = CountsBox::of_counts([6, 8], [2, 4], 10, 90)?;
    /// let recall = find("recall")?;
    /// let found = tables.bounds(recall, &Parameters::defaults(recall))?;
    /// assert!(found.low <= 0.6 && 0.6 - found.low < 1e-15);
    /// assert!(found.high >= 0.8 && found.high - 0.8 < 1e-15);
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn bounds(&self, row: &Index, parameters: &Parameters) -> Result<Bounds> {
        match *self {
            Self::Whole(sides, classes) => bounds(row, parameters, sides, classes),
            Self::Weights(sides, classes) => bounds(row, parameters, sides, classes),
        }
    }
}

fn bounds<P: Place>(
    row: &Index,
    parameters: &Parameters,
    sides: Sides<P>,
    classes: [P; 2],
) -> Result<Bounds> {
    let search = Search { row, parameters, classes };
    let [a, b, c, d] = sides;
    if is_one(sides) {
        let value = search.value([a, c])?;
        let why = value.why.filter(|_| value.number.is_nan());
        return Ok(Bounds {
            low: value.number,
            high: value.number,
            may_be_undefined: value.why.is_some(),
            why: why.map(NoBounds::Undefined),
        });
    }
    let whole = search.over(sides);
    let is_plain = whole.is_none();
    let is_same = |over: &Over| {
        let is_flat = over.slopes.iter().all(|slope| slope.is_zero());
        is_flat && !over.may_be_undefined && P::IS_WHOLE && search.keeps_bits()
    };
    if whole.as_ref().is_some_and(is_same) {
        let value = Interval::of(search.value([a, c])?.number);
        return Ok(found(&search, [value; 2], false, false));
    }
    let may_be_undefined = match &whole {
        Some(over) => over.may_be_undefined && search.may_be_undefined(sides)?,
        None => !row.undefined.is_empty(),
    };
    if let Some(ends) = corners(&search, sides)? {
        return Ok(found(&search, ends, may_be_undefined, is_plain));
    }
    let tables = P::count(a, b).zip(P::count(c, d));
    let tables = tables.and_then(|(wide, high)| wide.checked_mul(high));
    let most = if is_plain { SOME } else { FEW };
    if tables.is_some_and(|tables| tables <= most) {
        return all_of(&search, sides, is_plain);
    }
    if is_plain {
        return Ok(Bounds::none(if P::IS_WHOLE { NoBounds::Large } else { NoBounds::Weights }));
    }
    let (low, high) = (search.least(sides, false)?, search.least(sides, true)?);
    if low == f64::INFINITY || high == f64::INFINITY {
        let why = search.value([a, c])?.why;
        let why = why.unwrap_or(Undefined::OutsideDomain);
        return Ok(Bounds::none(NoBounds::Undefined(why)));
    }
    let ends = [Interval::of(low), Interval::of(-high)];
    Ok(found(&search, ends, may_be_undefined, false))
}

/// The bounds from all tables.
fn all_of<P: Place>(search: &Search<P>, sides: Sides<P>, is_plain: bool) -> Result<Bounds> {
    let [a, b, c, d] = sides;
    let (mut all, mut why) = (None::<Interval>, None);
    let mut tp = a;
    loop {
        let mut fp = c;
        loop {
            match search.point([tp, fp])? {
                Point::Known(value) => all = Some(all.map_or(value, |all| all.or(value))),
                Point::Undefined(reason) => why = why.or(Some(reason)),
            }
            if fp == d {
                break;
            }
            fp = fp.next();
        }
        if tp == b {
            break;
        }
        tp = tp.next();
    }
    let Some(all) = all else {
        let why = why.unwrap_or(Undefined::NoRows);
        return Ok(Bounds::none(NoBounds::Undefined(why)));
    };
    Ok(found(search, [all; 2], why.is_some(), is_plain))
}

/// The values of the two corners that bound a row which declares its direction, if both have one.
fn corners<P: Place>(search: &Search<P>, [a, b, c, d]: Sides<P>) -> Result<Option<[Interval; 2]>> {
    let (low, high) = match search.row.joint {
        Joint::UpDown => ([a, d], [b, c]),
        Joint::DownUp => ([b, c], [a, d]),
        Joint::UpUp => ([a, c], [b, d]),
        Joint::DownDown => ([b, d], [a, c]),
        Joint::Mixed => return Ok(None),
    };
    if !search.parameters.are_defaults_of(search.row.parameters) {
        return Ok(None);
    }
    Ok(match (search.point(low)?, search.point(high)?) {
        (Point::Known(low), Point::Known(high)) => Some([low, high]),
        _ => None,
    })
}

/// Bounds from what is known of the least and of the greatest value: outwards by the rounding of
/// single values, within the range of the index.
fn found<P: Place>(
    search: &Search<P>,
    [low, high]: [Interval; 2],
    may_be_undefined: bool,
    is_plain: bool,
) -> Bounds {
    let row = search.row;
    let (mut low, mut high) = (low.low, high.high);
    if low != high {
        let part = match row.counts {
            Some(form) if form.rounds_once() => 0.0,
            _ if is_plain => 1e-9,
            // Rounded constants, and the rounding of single values.
            _ => 1e-14,
        };
        low = (low - low.abs() * part).next_down();
        high = (high + high.abs() * part).next_up();
    }
    if row.program.is_none() {
        // The range of a row is one of its laws; that of a definition is only said.
        (low, high) = (low.max(row.range.0), high.min(row.range.1));
    }
    Bounds { low, high, may_be_undefined, why: None }
}
