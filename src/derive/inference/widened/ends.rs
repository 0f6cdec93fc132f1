//! The ends of a widened interval.

use crate::index::spread::Method;
use crate::inference::interval::Ask;

/// Room for rounding, relative to a value or to the width of a range.
pub(super) const MARGIN: f64 = 1.0 / (1_u64 << 40) as f64;

/// An interval that contains those of all tables that are possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widened {
    /// No interval begins below. NaN if there is none.
    pub low: f64,
    /// No interval ends above. NaN if there is none.
    pub high: f64,
    /// How they are made.
    pub method: Method,
    /// Why there is none.
    pub why: Option<&'static str>,
    /// Whether some table may have no interval.
    pub may_be_none: bool,
    /// What speaks against it, if something does.
    pub note: Option<&'static str>,
}

impl Widened {
    /// No interval.
    pub(super) fn none(method: Method, why: &'static str) -> Self {
        Self {
            low: f64::NAN,
            high: f64::NAN,
            method,
            why: Some(why),
            may_be_none: true,
            note: None,
        }
    }
}

/// The least lower end and the greatest upper end of the intervals seen so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ends {
    /// Those of no interval.
    pub(super) const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// Those of one more.
    pub(super) fn or(self, [low, high]: [f64; 2]) -> Self {
        Self { low: self.low.min(low), high: self.high.max(high) }
    }

    /// Whether there was no interval.
    pub(super) fn is_none(self) -> bool {
        // One bound alone may lie beyond the other, at levels below 1/2.
        self == Self::NONE
    }

    /// The interval asked for, rounded outwards, within the range of the index.
    pub(super) fn widened(self, method: Method, ask: &Ask, range: (f64, f64)) -> Widened {
        let width = range.1 - range.0;
        let size = |end: f64| end.abs().max(if width.is_finite() { width } else { 0.0 });
        let low = self.low - MARGIN * size(self.low);
        let high = self.high + MARGIN * size(self.high);
        // A few methods are published with intervals that leave the range.
        let low = if self.low < range.0 { low } else { low.max(range.0) };
        let high = if self.high > range.1 { high } else { high.min(range.1) };
        let (low, high) = ask.bounds(low, high, range);
        Widened { low, high, method, why: None, may_be_none: false, note: None }
    }
}
