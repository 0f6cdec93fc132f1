//! Measures of the first k rows of a list, with binary relevance.
//!
//! A value is its mean over all orders of tied rows, in closed form. Let a tie have n rows, h of
//! them relevant, below a rows with b hits:
//!
//! - each of its places has a relevant row with probability h/n, so measures that are linear in
//!   hits (precision, recall, F1, fall-out) count that share of the places within the cutoff;
//! - given that its place j is relevant, (j - 1)(h - 1)/(n - 1) of the places before are, which
//!   gives average precision;
//! - its first hit is at place j with probability C(n-j, h-1) / C(n, h), which gives the reciprocal
//!   rank, and none is among its first m with probability C(n-h, m) / C(n, m).
//!
//! Cost: one pass over the list. Hits are counted in integers; precision, recall, F1, fall-out and
//! R-precision are rounded once.
//!
//! Source: `McSherry`, Najork 2008, doi:10.1007/978-3-540-78646-7_38.

use crate::queries::list::{Hits, RankedList, Relevant};

/// A mean number of hits as a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    numerator: u128,
    denominator: u128,
}

impl Share {
    /// The share divided by `whole`: rounded once while both parts are below 2^53.
    pub fn of(self, whole: usize) -> f64 {
        self.numerator as f64 / (self.denominator * whole as u128) as f64
    }

    /// Twice the share divided by a number.
    pub fn doubled(self) -> Self {
        Self { numerator: 2 * self.numerator, ..self }
    }

    /// `whole` minus the share.
    fn less_than(self, whole: usize) -> Self {
        Self { numerator: whole as u128 * self.denominator - self.numerator, ..self }
    }
}

/// The mean number of hits among the first `k` rows.
pub fn hits(list: &RankedList<'_>, relevant: Relevant, k: usize) -> Share {
    let mut share = Share { numerator: 0, denominator: 1 };
    for tie in list.hits(relevant) {
        let within = tie.within(k);
        if within == 0 {
            break;
        }
        let rows = tie.rows as u128;
        let all = tie.hits_above as u128 * rows + tie.hits as u128 * within as u128;
        // A tie entirely within the cutoff has an integer number of hits.
        share = if within == tie.rows {
            Share { numerator: (tie.hits_above + tie.hits) as u128, denominator: 1 }
        } else {
            Share { numerator: all, denominator: rows }
        };
    }
    share
}

/// The mean number of irrelevant rows among the first `k` rows.
pub fn misses(list: &RankedList<'_>, relevant: Relevant, k: usize) -> Share {
    let rows = list.retrieved().len().min(k);
    hits(list, relevant, k).less_than(rows)
}

/// The probability that a relevant row is among the first `k` rows.
pub fn hit_rate(list: &RankedList<'_>, relevant: Relevant, k: usize) -> f64 {
    let Some(tie) = list.hits(relevant).find(|tie| tie.hits > 0) else {
        return 0.0;
    };
    let within = tie.within(k);
    let Hits { rows, hits, .. } = tie;
    if within > rows - hits {
        return 1.0; // More places than rows that are not relevant.
    }
    // C(n-h, m) / C(n, m), as a product with the fewest factors.
    let (few, many) = (within.min(hits), within.max(hits));
    let factor = |i: usize| (rows - many - i) as f64 / (rows - i) as f64;
    1.0 - (0..few).map(factor).product::<f64>()
}

/// The mean reciprocal place of the first relevant row; 0 if it is not among the first `k`.
pub fn reciprocal_rank(list: &RankedList<'_>, relevant: Relevant, k: usize) -> f64 {
    let Some(tie) = list.hits(relevant).find(|tie| tie.hits > 0) else {
        return 0.0;
    };
    let Hits { above, rows, hits, .. } = tie;
    if rows == 1 {
        return if above < k { 1.0 / (above + 1) as f64 } else { 0.0 };
    }
    let mut probability = hits as f64 / rows as f64;
    let mut sum = 0.0;
    for place in 1..=tie.within(k).min(rows - hits + 1) {
        sum += probability / (above + place) as f64;
        probability *= (rows - place + 1 - hits) as f64 / (rows - place).max(1) as f64;
    }
    sum
}

/// The divisor of the sum of precisions at relevant rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denominator {
    /// The number of relevant rows.
    Relevant,
    /// The number of relevant rows, or the cutoff if smaller.
    Reachable,
    /// The number of relevant rows within the cutoff.
    Hits,
}

/// The mean precision at the relevant rows among the first `k` rows; 0 if the divisor is 0.
pub fn average_precision(
    list: &RankedList<'_>,
    relevant: Relevant,
    k: usize,
    by: Denominator,
) -> f64 {
    let mut sum = 0.0;
    let mut found = 0;
    for tie in list.hits(relevant) {
        let within = tie.within(k);
        if within == 0 {
            break;
        }
        if within < tie.rows && by == Denominator::Hits {
            return over_hits(&tie, within, sum);
        }
        if tie.hits > 0 {
            sum += precisions(&tie, within);
        }
        found += tie.hits;
    }
    let denominator = match by {
        Denominator::Relevant => list.relevant(relevant),
        Denominator::Reachable => list.relevant(relevant).min(k),
        Denominator::Hits => found,
    };
    if denominator == 0 { 0.0 } else { sum / denominator as f64 }
}

/// The mean sum of precisions at the hits among the first `within` places of a tie.
fn precisions(tie: &Hits, within: usize) -> f64 {
    let &Hits { rows, hits, .. } = tie;
    let (above, found) = (tie.above, tie.hits_above as f64);
    if rows == 1 {
        return (found + 1.0) / (above + 1) as f64;
    }
    let share = hits as f64 / rows as f64;
    let before = (hits - 1) as f64 / (rows - 1) as f64;
    let at = |place: usize| (found + 1.0 + place as f64 * before) / (above + place + 1) as f64;
    share * (0..within).map(at).sum::<f64>()
}

/// The mean of the sum of precisions divided by the number of hits, if the cutoff lies within a
/// tie: the number of hits in its first places has a hypergeometric distribution.
fn over_hits(tie: &Hits, within: usize, sum: f64) -> f64 {
    let &Hits { rows, hits, .. } = tie;
    let least = (within + hits).saturating_sub(rows);
    let most = within.min(hits);
    // Probabilities relative to the most probable number, from which they fall to both sides.
    let rise = |c: usize| {
        let (top, bottom) = ((hits - c) * (within - c), (c + 1) * (rows + c + 1 - hits - within));
        top as f64 / bottom as f64
    };
    let mode = ((within + 1) * (hits + 1) / (rows + 2)).clamp(least, most);
    // The sums of precisions are linear in both.
    let at = |place: usize| 1.0 / (tie.above + place + 1) as f64;
    let (ones, places) = (0..within).fold((0.0, 0.0), |(ones, places), place| {
        (ones + at(place), places + place as f64 * at(place))
    });
    let value = |c: usize| {
        let all = tie.hits_above + c;
        if all == 0 {
            return 0.0;
        }
        let (hits, rows) = (c as f64, within as f64);
        let before = if within == 1 { 0.0 } else { (hits - 1.0) / (rows - 1.0) };
        let own = hits / rows * ((tie.hits_above as f64 + 1.0) * ones + before * places);
        (sum + own) / all as f64
    };
    let (mut weights, mut total) = (1.0, value(mode));
    let mut weight = 1.0;
    for c in mode..most {
        weight *= rise(c);
        if weight == 0.0 {
            break;
        }
        weights += weight;
        total += weight * value(c + 1);
    }
    weight = 1.0;
    for c in (least..mode).rev() {
        weight /= rise(c);
        if weight == 0.0 {
            break;
        }
        weights += weight;
        total += weight * value(c);
    }
    total / weights
}
