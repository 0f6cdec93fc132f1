//! Net benefit at a threshold, and how much one rule has more than another on the same rows, with
//! bounds.
//!
//! With odds o = t / (1 − t), the net benefit is the mean over the rows of 1 for a true positive, −o
//! for a false one, and 0. So the difference of two rules is a sum of four shares, of the positives
//! and the negatives that only one of the rules treats, times 1, −1, −o and o. Its bounds are made
//! of Wilson's bounds of each share, whose distances from the share are added as standard errors
//! are, with the correlations of shares of the same rows. So they have a width where no row is
//! treated, too.
//!
//! Sources: Vickers, Elkin 2006, doi:10.1177/0272989X06295361; Zou, Donner 2008,
//! doi:10.1002/sim.3095.

use crate::index::spread::Method;
use crate::inference::interval::Ask;
use crate::inference::proportion::{lower, upper};
use crate::inference::scores::effective;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Side;

/// The rule that a rule is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Against<'a> {
    /// No row is treated.
    None,
    /// Every row is treated.
    All,
    /// Scores of the same rows, and the lower score of both of each row.
    Scores(&'a Ranking, &'a Ranking),
}

/// The net benefit of the scores at a threshold below 1, minus the net benefit of another rule, and
/// its bounds; NaN without rows. A sampling weight counts as its share of the effective rows.
pub fn net_benefit(first: &Ranking, against: Against<'_>, threshold: f64, ask: &Ask) -> [f64; 3] {
    if threshold >= 1.0 {
        return [f64::NAN; 3]; // the odds are infinite
    }
    let at = |ranking: &Ranking| {
        let counts = ranking.finite().at(threshold, Side::GreaterEqual);
        [counts.tp, counts.fp]
    };
    let (positives, negatives) = first.finite().totals();
    let (own, odds) = (at(first), threshold / (1.0 - threshold));
    // A share that cannot be but 0 has no part in the bounds.
    let (other, both, worth) = match against {
        Against::None => ([0.0; 2], [0.0; 2], [1.0, 0.0, -odds, 0.0]),
        Against::All => ([positives, negatives], own, [0.0, -1.0, 0.0, odds]),
        Against::Scores(second, both) => (at(second), at(both), [1.0, -1.0, -odds, odds]),
    };
    let [more, less] = [own, other].map(|of| [0, 1].map(|class| of[class] - both[class]));
    let shares = [more[0], less[0], more[1], less[1]].map(|rows| rows / (positives + negatives));
    let value: f64 = shares.iter().zip(worth).map(|(share, worth)| share * worth).sum();
    let rows = effective([first]);
    // The distance of the bound of each share that makes the difference lower, or higher.
    let reach = |sign: f64| {
        let distance = |k: usize| {
            let (share, rest) = (shares[k], 1.0 - shares[k]);
            let bound = if worth[k] * sign > 0.0 { upper } else { lower };
            worth[k] * (bound(Method::Wilson, share * rows, rest * rows, ask.tail()) - share).abs()
        };
        let correlation = |j: usize, k: usize| {
            let odds = |k: usize| shares[k] / (1.0 - shares[k]).max(f64::MIN_POSITIVE);
            if j == k { 1.0 } else { -(odds(j) * odds(k)).sqrt().min(1.0) }
        };
        let terms = (0..4).flat_map(|j| (0..4).map(move |k| (j, k)));
        let square: f64 = terms.map(|(j, k)| distance(j) * distance(k) * correlation(j, k)).sum();
        sign * square.max(0.0).sqrt()
    };
    [value, value + reach(-1.0), value + reach(1.0)]
}
