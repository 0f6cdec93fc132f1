//! Interpolated precision, and bpref.
//!
//! Interpolated precision at a recall is the greatest precision at or below the place that reaches
//! this recall. Its mean over the orders of tied rows has no closed form. The order within a tie
//! does not affect other ties, so the maxima over different ties are independent. For each possible
//! precision x, a pass over the places of a tie and its number of hits gives the probability that
//! none of its places exceeds x. The products of these give the distribution of the greatest
//! precision.
//!
//! Cost: one pass without ties. A tie of n rows with h hits takes (n h)^2 steps, so a list of more
//! than [`MOST_STEPS`] has no value.
//!
//! Source: Buckley, Voorhees 2004, doi:10.1145/1008992.1009000 (bpref); the rules for places are
//! those of `trec_eval`.

use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::queries::list::{Hits, RankedList, Relevant};

/// The most steps for the ties of one list.
pub const MOST_STEPS: usize = 20_000_000;

/// A precision: hits and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Precision {
    hits: usize,
    rows: usize,
}

impl Precision {
    fn exceeds(self, other: Self) -> bool {
        self.hits as u128 * other.rows as u128 > other.hits as u128 * self.rows as u128
    }

    fn value(self) -> f64 {
        self.hits as f64 / self.rows as f64
    }

    fn greater(self, other: Self) -> Self {
        if other.exceeds(self) { other } else { self }
    }
}

/// The mean of the greatest precision at places with a recall of at least `recall`; 0 if no place
/// reaches it, and none if that would take too many steps.
pub fn interpolated_precision(
    list: &RankedList<'_>,
    relevant: Relevant,
    recall: f64,
) -> Option<f64> {
    let all = list.relevant(relevant) as f64;
    let wanted = if list.is_as_trec_eval() {
        // It counts 2 hits for 0.7 of 3, since 0.7 * 3 + 0.9 is slightly less than 3 in `f64`.
        (recall * all + 0.9) as usize
    } else {
        // 0.1 of 30 is 3, though the product in `f64` may be slightly more.
        (recall * all - 1e-9).ceil().max(0.0) as usize
    };
    let mut sure = Precision { hits: 0, rows: 1 };
    let mut open: Vec<Hits> = Vec::new();
    for tie in list.hits(relevant).filter(|tie| tie.hits > 0) {
        let found = tie.hits_above + tie.hits;
        if found < wanted {
            continue;
        }
        if tie.rows == tie.hits {
            // The order within the tie is irrelevant: the place of each hit is known.
            for place in 1..=tie.hits {
                let here = Precision { hits: tie.hits_above + place, rows: tie.above + place };
                if here.hits >= wanted {
                    sure = sure.greater(here);
                }
            }
        } else {
            // In every order, all hits are reached at the end.
            let end = Precision { hits: found, rows: tie.above + tie.rows };
            sure = sure.greater(end);
            open.grow(tie);
        }
    }
    over_orders(&open, wanted, sure)
}

/// The mean of the greater of `sure` and the greatest precision at the places of ties.
fn over_orders(open: &[Hits], wanted: usize, sure: Precision) -> Option<f64> {
    let mut reachable: Vec<Precision> = Vec::new();
    let steps: usize = open.iter().map(|tie| tie.rows * tie.hits).sum();
    if steps.checked_mul(steps)? > MOST_STEPS {
        return None;
    }
    for tie in open {
        for hit in 1..=tie.hits {
            for place in hit..=tie.rows - tie.hits + hit {
                let here = Precision { hits: tie.hits_above + hit, rows: tie.above + place };
                if here.hits >= wanted && here.exceeds(sure) {
                    reachable.grow(here);
                }
            }
        }
    }
    reachable.sort_unstable_by(|a, b| {
        (a.hits as u128 * b.rows as u128).cmp(&(b.hits as u128 * a.rows as u128))
    });
    reachable.dedup_by(|a, b| !a.exceeds(*b));
    let mut below = chance_of_at_most(open, wanted, sure);
    let mut mean = sure.value() * below;
    for precision in reachable {
        interrupt::check();
        let upto = chance_of_at_most(open, wanted, precision);
        mean += precision.value() * (upto - below);
        below = upto;
    }
    Some(mean)
}

/// The probability that no place of the ties has a precision above `bound`.
fn chance_of_at_most(open: &[Hits], wanted: usize, bound: Precision) -> f64 {
    let chance = |tie: &Hits| {
        // By the number of hits so far.
        let mut chances = (0..=tie.hits).map(|_| 0.0).gather();
        chances[0] = 1.0;
        for place in 1..=tie.rows {
            let left = (tie.rows - place + 1) as f64;
            for hit in (0..=tie.hits.min(place)).rev() {
                let misses_left = (tie.rows - tie.hits + hit + 1).saturating_sub(place);
                let mut chance = chances[hit] * misses_left as f64 / left;
                if hit > 0 {
                    chance += chances[hit - 1] * (tie.hits + 1 - hit) as f64 / left;
                }
                let here = Precision { hits: tie.hits_above + hit, rows: tie.above + place };
                let is_out = here.hits >= wanted && here.exceeds(bound);
                chances[hit] = if is_out { 0.0 } else { chance };
            }
        }
        chances[tie.hits]
    };
    open.iter().map(chance).product()
}

/// Bpref: how rarely judged irrelevant rows lie above relevant ones. Rows without judgment are
/// ignored.
pub fn bpref(list: &RankedList<'_>, relevant: Relevant) -> f64 {
    let judged = || list.grades().filter(|grade| !grade.is_nan());
    let hits = judged().filter(|&grade| relevant.is(grade)).count();
    let others = judged().count() - hits;
    let most = hits.min(others) as f64;
    let (mut sum, mut above) = (0.0, 0_usize);
    for tie in list.ties() {
        let is_hit = |grade: f64| relevant.is(grade);
        let found = tie.rows.iter().filter(|row| is_hit(row.grade)).count();
        let known = tie.rows.iter().filter(|row| !row.grade.is_nan()).count();
        let here = known - found;
        if found > 0 {
            // Each number of irrelevant rows here, from none to all, is above a hit equally often.
            let orders = here + 1;
            let short = hits.saturating_sub(above).min(orders);
            let counted =
                short * above + short * short.saturating_sub(1) / 2 + (orders - short) * hits;
            let lost = if counted == 0 { 0.0 } else { counted as f64 / (orders as f64 * most) };
            sum += found as f64 * (1.0 - lost);
        }
        above += here;
    }
    sum / hits as f64
}
