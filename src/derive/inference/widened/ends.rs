//! The ends of a widened interval.

use crate::index::spread::Method;
use crate::inference::interval::Ask;

/// The margin for rounding, relative to a value or to the width of a range.
pub(super) const MARGIN: f64 = 1.0 / (1_u64 << 40) as f64;

/// An interval that contains the intervals of all possible tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widened {
    /// No interval begins below it. NaN if there is no interval.
    pub low: f64,
    /// No interval ends above it. NaN if there is no interval.
    pub high: f64,
    /// The method.
    pub method: Method,
    /// Why there is no interval.
    pub why: Option<&'static str>,
    /// Whether some table may have no interval.
    pub may_be_none: bool,
    /// A reason to doubt the interval, if there is one.
    pub note: Option<&'static str>,
}

impl Widened {
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

/// The least lower end and the greatest upper end of the intervals so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ends {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ends {
    /// The ends before any interval.
    pub(super) const NONE: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };

    /// The ends with one more interval.
    pub(super) fn or(self, [low, high]: [f64; 2]) -> Self {
        Self { low: self.low.min(low), high: self.high.max(high) }
    }

    /// The ends of logits p ± z e / (p (1 - p)), with p and e between two numbers each, and whether
    /// all have a width.
    pub(super) fn of_logits([low, high]: [f64; 2], errors: [f64; 2], z: f64) -> (Self, bool) {
        // The error on the scale is greatest where p (1 - p) is least.
        let [least, most] = products([low, high]);
        if least <= 0.0 {
            return (Self { low: 0.0, high: 1.0 }, false);
        }
        let logit = |share: f64, more: f64| share / (share + (1.0 - share) * (-more).exp());
        let ends = [z * errors[0] / most, z * errors[1] / least]
            .iter()
            .fold(Self::NONE, |ends, &by| ends.or([logit(low, -by), logit(high, by)]));
        (ends, errors[0] > 0.0)
    }

    pub(super) fn is_none(self) -> bool {
        // A lone bound may lie beyond the other one, at levels below 1/2.
        self == Self::NONE
    }

    /// The requested interval, rounded outwards, within the range of the index.
    pub(super) fn widened(self, method: Method, ask: &Ask, range: (f64, f64)) -> Widened {
        let width = range.1 - range.0;
        let size = |end: f64| end.abs().max(if width.is_finite() { width } else { 0.0 });
        let low = self.low - MARGIN * size(self.low);
        let high = self.high + MARGIN * size(self.high);
        // A few published methods give intervals that leave the range.
        let low = if self.low < range.0 { low } else { low.max(range.0) };
        let high = if self.high > range.1 { high } else { high.min(range.1) };
        let (low, high) = ask.bounds(low, high, range);
        Widened { low, high, method, why: None, may_be_none: false, note: None }
    }
}

/// The least and the greatest p (1 - p) between two numbers.
pub(super) fn products([low, high]: [f64; 2]) -> [f64; 2] {
    let [one, other] = [low, high].map(|p| p * (1.0 - p));
    let most = if low <= 0.5 && 0.5 <= high { 0.25 } else { one.max(other) };
    [one.min(other), most]
}
