//! The bounds of an index over a box of 2×2 tables.
//!
//! 1. One table: the value itself.
//! 2. A row that declares its direction ([`Joint`]): two corners, if both have a value.
//! 3. At most 64 tables, or 4,096 for a formula over `f64` alone: every table is evaluated.
//! 4. Otherwise the search for the least and the greatest value (`search`).
//! 5. Where none of these works there are no bounds, and [`NoBounds`] says why.
//!
//! Tables where the index is undefined are left out; `may_be_undefined` says that there may be
//! some.

use crate::arith::bounded::{Interval, Over};
use crate::base::error::Result;
use crate::base::interrupt;
use crate::bounds::counts_box::{CountsBox, Place, Sides};
use crate::bounds::search::{Point, Search, is_one};
use crate::index::parameter::Parameters;
use crate::index::row::{Index, Joint, Law};
use crate::index::value::Undefined;

/// A box of at most this many tables is enumerated.
const FEW: u64 = 64;

/// As [`FEW`], for a formula over `f64` alone.
const SOME: u64 = 4096;

/// Why an index has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBounds {
    /// It is undefined for every table of the box.
    Undefined(Undefined),
    /// Its formula is over `f64` alone, and the box is large.
    Large,
    /// Its formula is over `f64` alone, and the box has weights.
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
    /// The value, where the box is one table or all tables have the same value. With weights it is
    /// the value of the rounded table.
    pub value: Option<f64>,
    /// Whether the index may be undefined for a table of the box.
    pub may_be_undefined: bool,
    /// Why there are no bounds.
    pub why: Option<NoBounds>,
}

impl Bounds {
    fn none(why: NoBounds) -> Self {
        let why = Some(why);
        Self { low: f64::NAN, high: f64::NAN, value: None, may_be_undefined: true, why }
    }
}

impl CountsBox {
    /// The bounds of an index of counts.
    ///
    /// If the box is one table, both bounds are its value, or the conventional value where the
    /// index is undefined.
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
        self.search(row, parameters, false)
    }

    /// The bounds over the transposed tables, with fp and fn exchanged: the sizes of the predicted
    /// classes are known, and tp and fn lie between two ends. So it is where some labels are not
    /// known.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    pub fn bounds_of_transposed(&self, row: &Index, parameters: &Parameters) -> Result<Bounds> {
        self.search(row, parameters, true)
    }

    pub(super) fn search(
        &self,
        row: &Index,
        parameters: &Parameters,
        is_transposed: bool,
    ) -> Result<Bounds> {
        interrupt::check();
        match *self {
            Self::Whole(sides, classes) => {
                bounds(&Search { row, parameters, classes, is_transposed }, sides)
            }
            Self::Weights(sides) => {
                bounds(&Search { row, parameters, classes: [(); 2], is_transposed }, sides)
            }
        }
    }
}

fn bounds<P: Place>(search: &Search<P>, sides: Sides<P>) -> Result<Bounds> {
    let row = search.row;
    let [a, b, c, d] = sides;
    if is_one(sides) {
        return of_one(search, [a, c]);
    }
    let whole = search.over(sides);
    let is_plain = whole.is_none();
    let is_same = |over: &Over| {
        let is_flat = over.slopes.iter().all(|slope| slope.is_zero());
        is_flat && !over.may_be_undefined && P::IS_WHOLE && search.keeps_bits([a, c])
    };
    if whole.as_ref().is_some_and(is_same) {
        let value = Interval::of(search.value([a, c])?.number);
        return Ok(found(search, [value; 2], false, false));
    }
    let may_be_undefined = match &whole {
        Some(over) => over.may_be_undefined && search.may_be_undefined(sides)?,
        None => !row.undefined.is_empty(),
    };
    if let Some(ends) = corners(search, sides, is_plain)? {
        return Ok(found(search, ends, may_be_undefined, is_plain));
    }
    let tables = P::count(a, b).zip(P::count(c, d));
    let tables = tables.and_then(|(wide, high)| wide.checked_mul(high));
    let most = if is_plain { SOME } else { FEW };
    if tables.is_some_and(|tables| tables <= most) {
        return all_of(search, sides, is_plain);
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
    Ok(found(search, ends, may_be_undefined, false))
}

fn of_one<P: Place>(search: &Search<P>, at: [P; 2]) -> Result<Bounds> {
    let given = search.value(at)?;
    let value = Some(given.number);
    let is_undefined = given.why.is_some() && P::IS_WHOLE;
    if is_undefined || search.is_exact() {
        return Ok(Bounds {
            low: given.number,
            high: given.number,
            value,
            may_be_undefined: given.why.is_some(),
            why: given.why.filter(|_| given.number.is_nan()).map(NoBounds::Undefined),
        });
    }
    let near = Interval::of(given.number);
    let sides = [at[0], at[0], at[1], at[1]];
    let found = match (search.over(sides), given.why) {
        (None, None) if P::IS_WHOLE => found(search, [near; 2], false, true),
        (None, _) => Bounds::none(NoBounds::Weights),
        (Some(Over { range: Some(range), may_be_undefined, .. }), why) => {
            // The table before rounding may have a value.
            let range = if why.is_some() { range } else { range.or(near) };
            found(search, [range; 2], may_be_undefined && !P::IS_WHOLE, false)
        }
        (Some(_), Some(why)) if given.number.is_nan() => Bounds::none(NoBounds::Undefined(why)),
        (Some(_), why) => {
            Bounds { may_be_undefined: why.is_some(), ..found(search, [near; 2], false, false) }
        }
    };
    Ok(Bounds { value, ..found })
}

/// The bounds from the values of all tables.
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

/// The values of the two corners that bound a row with a declared direction, if both have one.
fn corners<P: Place>(
    search: &Search<P>,
    [a, b, c, d]: Sides<P>,
    is_plain: bool,
) -> Result<Option<[Interval; 2]>> {
    if search.is_transposed {
        return Ok(None); // directions are declared for known actual classes
    }
    let (low, high) = match search.row.joint {
        Joint::UpDown => ([a, d], [b, c]),
        Joint::DownUp => ([b, c], [a, d]),
        Joint::UpUp => ([a, c], [b, d]),
        Joint::DownDown => ([b, d], [a, c]),
        Joint::Mixed => return Ok(None),
    };
    // With weights below one, a formula that counts pairs of rows may move the other way.
    let laws = search.row.laws;
    let scales = laws.contains(&Law::ScaleFree) || laws.contains(&Law::Proportional);
    let holds = P::IS_WHOLE || scales || is_plain;
    if !holds || !search.parameters.are_defaults_of(search.row.parameters) {
        return Ok(None);
    }
    Ok(match (search.point(low)?, search.point(high)?) {
        (Point::Known(low), Point::Known(high)) => Some([low, high]),
        _ => None,
    })
}

/// The bounds from the least and the greatest value: moved outwards by the rounding of single
/// values, and cut at the range of the index.
fn found<P: Place>(
    search: &Search<P>,
    [low, high]: [Interval; 2],
    may_be_undefined: bool,
    is_plain: bool,
) -> Bounds {
    let row = search.row;
    let (mut low, mut high) = (low.low, high.high);
    let value = (low == high && !may_be_undefined).then_some(low);
    if value.is_none() || !search.is_exact() {
        let part = match row.counts {
            Some(form) if form.rounds_once() => 0.0,
            _ if is_plain => 1e-9,
            // Constants and single values are rounded.
            _ => 1e-14,
        };
        low = (low - low.abs() * part).next_down();
        high = (high + high.abs() * part).next_up();
    }
    if row.program.is_none() {
        // The range of a built-in row is proven by its laws; the range of a defined index is only a
        // claim.
        let (least, greatest) = row.range_outwards();
        (low, high) = (low.max(least), high.min(greatest));
    }
    Bounds { low, high, value, may_be_undefined, why: None }
}
