//! Areas under the ROC curve of a subgroup's scores against the scores of the other rows (the
//! background).
//!
//! | area | positives | negatives | low where |
//! |---|---|---|---|
//! | subgroup | of the subgroup | of the subgroup | the model ranks badly within the subgroup |
//! | BPSN | of the background | of the subgroup | it scores the subgroup too high |
//! | BNSP | of the subgroup | of the background | it scores the subgroup too low |
//!
//! 1. Look up each score of the subgroup among the scores of all rows.
//! 2. Count the rows of the other class above, at and below it, and subtract the subgroup's own
//!    rows: the rest are the pairs with the background.
//!
//! Counts of pairs are exact integers, so areas are rounded once. Weights are sums of products in
//! twice the precision of `f64`.
//!
//! Cost: a binary search for each distinct score of the subgroup; other rows are never read.
//!
//! Source: Borkan, Dixon, Sorensen, Thain, Vasserman 2019, doi:10.1145/3308560.3317593.

use crate::arith::products::{Products, unit_scale};
use crate::base::column::CHUNK;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::scores::merge::{common_kind_of, promoted};
use crate::scores::score_table::{Masses, ScoreTable, first_place};
use crate::scores::sweep::rank_sum::area_of;

/// The three areas; `None` where a class is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Areas {
    /// Subgroup positives, subgroup negatives.
    pub subgroup: Option<f64>,
    /// Background positives, subgroup negatives.
    pub bpsn: Option<f64>,
    /// Background negatives, subgroup positives.
    pub bnsp: Option<f64>,
}

/// Counts or weights of one class above a score and at it: of all rows, and of the subgroup.
type Around<T> = [[T; 2]; 2];

/// For each key of a table, how many keys of `all` are above it, and whether `all` has it.
fn places(own: &ScoreTable, all: &ScoreTable) -> Result<Vec<(usize, bool)>> {
    let sides = [(own.kind(), own.keys()), (all.kind(), all.keys())];
    let kind = common_kind_of(sides).ok_or_else(|| Refusal::Merge {
        reason: format!("no type holds scores of {:?} and {:?} exactly", own.kind(), all.kind()),
    })?;
    let keys = promoted(own.keys(), own.kind(), kind);
    let others = promoted(all.keys(), all.kind(), kind);
    let mut found: Vec<(usize, bool)> = crate::base::memory::with_room(keys.len());
    let mut from = 0;
    for place in 0..keys.len() {
        if place.is_multiple_of(CHUNK) {
            interrupt::check();
        }
        let key = keys.get(place);
        from += first_place(others.len() - from, |at| others.get(from + at) <= key);
        found.push((from, from < others.len() && others.get(from) == key));
    }
    Ok(found)
}

/// The areas of a subgroup. `all` has the rows of the subgroup and of the background.
///
/// # Errors
/// [`Refusal::Merge`] if no type holds the scores of both exactly, if one has weights and the other
/// counts, if their labels do not go together, or if the rows of the subgroup are not among all
/// rows.
pub fn areas(own: &ScoreTable, all: &ScoreTable) -> Result<Areas> {
    let places = places(own, all)?;
    let strangers =
        || Refusal::Merge { reason: "the rows of the subgroup are not among all rows".to_owned() };
    if own.is_weighted() != all.is_weighted() {
        return Err(Refusal::Merge { reason: "weights in one, counts in the other".to_owned() });
    }
    let labels = own.labels().add(all.labels())?;
    // A subgroup of one class may have put its label on the other side.
    let turned = own.labels().turned(&labels) != all.labels().turned(&labels);
    if own.is_empty() {
        return Ok(Areas { subgroup: None, bpsn: None, bnsp: None });
    }
    if places.iter().any(|&(_, is_there)| !is_there) {
        return Err(strangers());
    }
    match (own.masses(), all.masses()) {
        (Masses::Counts(p, n), Masses::Counts(big_p, big_n)) => {
            let own = if turned { [n, p] } else { [p, n] };
            of_counts(own.map(|sums| &sums[..]), [big_p, big_n], &places).ok_or_else(strangers)
        }
        _ => Ok(of_weights(own, turned, all, &places)),
    }
}

/// The running total before a place.
fn upto(sums: &[u64], places: usize) -> u64 {
    if places == 0 { 0 } else { sums[places - 1] }
}

fn of_counts(own: [&[u64]; 2], all: [&[u64]; 2], places: &[(usize, bool)]) -> Option<Areas> {
    // The rows of a class above and at the key of the subgroup's place.
    let around = |class: usize, place: usize| -> Around<u64> {
        [(all, places[place].0), (own, place)].map(|(sums, before)| {
            let above = upto(sums[class], before);
            [above, sums[class][before] - above]
        })
    };
    let total = |sums: &[u64]| sums.last().copied().unwrap_or(0);
    let [own_p, own_n] = own.map(total);
    let back_p = total(all[0]).checked_sub(own_p)?;
    let back_n = total(all[1]).checked_sub(own_n)?;
    let [mut within, mut bpsn, mut bnsp] = [0_u128; 3];
    for place in 0..places.len() {
        let [positives, own_positives] = around(0, place);
        let [negatives, own_negatives] = around(1, place);
        let (p, n) = (own_positives[1], own_negatives[1]);
        // Twice the pairs in order: positives above a negative, plus half of the positives at it.
        let twice = |[above, at]: [u64; 2]| 2 * u128::from(above) + u128::from(at);
        within += u128::from(n) * twice(own_positives);
        let above = [
            positives[0].checked_sub(own_positives[0])?,
            positives[1].checked_sub(own_positives[1])?,
        ];
        bpsn += u128::from(n) * twice(above);
        let background = [
            negatives[0].checked_sub(own_negatives[0])?,
            negatives[1].checked_sub(own_negatives[1])?,
        ];
        let below = back_n - background[0] - background[1];
        bnsp += u128::from(p) * twice([below, background[1]]);
    }
    let area = |twice: u128, p: u64, n: u64| {
        let pairs = 2 * u128::from(p) * u128::from(n);
        area_of(twice, pairs)
    };
    Some(Areas {
        subgroup: area(within, own_p, own_n),
        bpsn: area(bpsn, back_p, own_n),
        bnsp: area(bnsp, own_p, back_n),
    })
}

fn of_weights(own: &ScoreTable, turned: bool, all: &ScoreTable, places: &[(usize, bool)]) -> Areas {
    let pick = |is_first: bool, pair: (f64, f64)| if is_first { pair.0 } else { pair.1 };
    let around = |class: usize, place: usize| -> Around<f64> {
        let sides = [(all, places[place].0, false), (own, place, turned)];
        sides.map(|(table, before, turned)| {
            let is_first = (class == 0) != turned;
            let at = table.masses_between(before, before + 1);
            [table.at_or_above(before), at].map(|pair| pick(is_first, pair))
        })
    };
    let totals = own.totals();
    let (own_p, own_n) = (pick(!turned, totals), pick(turned, totals));
    let (all_p, all_n) = all.totals();
    let (back_p, back_n) = ((all_p - own_p).max(0.0), (all_n - own_n).max(0.0));
    let less = |all: [f64; 2], own: [f64; 2]| [0, 1].map(|at| (all[at] - own[at]).max(0.0));
    let (up, down) = (unit_scale(all_p), unit_scale(all_n));
    let [mut within, mut bpsn, mut bnsp] = [Products::default(); 3];
    for place in 0..places.len() {
        let [positives, own_positives] = around(0, place);
        let [negatives, own_negatives] = around(1, place);
        let (p, n) = (own_positives[1] * up, own_negatives[1] * down);
        let twice = |sum: Products, weight: f64, [above, at]: [f64; 2]| {
            (sum.plus(weight, above).plus(weight, above)).plus(weight, at)
        };
        within = twice(within, n, own_positives.map(|cell| cell * up));
        let above = less(positives, own_positives).map(|cell| cell * up);
        bpsn = twice(bpsn, n, above);
        let background = less(negatives, own_negatives).map(|cell| cell * down);
        let below = (back_n * down - background[0] - background[1]).max(0.0);
        bnsp = twice(bnsp, p, [below, background[1]]);
    }
    let area = |sum: Products, p: f64, n: f64| {
        (p > 0.0 && n > 0.0).then(|| (sum.value() / (2.0 * (p * up) * (n * down))).min(1.0))
    };
    Areas {
        subgroup: area(within, own_p, own_n),
        bpsn: area(bpsn, back_p, own_n),
        bnsp: area(bnsp, own_p, back_n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::made::table;
    use proptest::prelude::*;

    /// The area by all pairs of a positive and a negative of these sides.
    fn plain(
        rows: &[(i64, f64, bool, f64)],
        (positives_in, negatives_in): (bool, bool),
    ) -> Option<f64> {
        let (mut won, mut pairs) = (0.0, 0.0);
        for p in rows.iter().filter(|row| row.0 == 1 && row.2 == positives_in) {
            for n in rows.iter().filter(|row| row.0 == 0 && row.2 == negatives_in) {
                let half = f64::from(u8::from(p.1 > n.1)) + f64::from(u8::from(p.1 >= n.1));
                won += p.3 * n.3 * half / 2.0;
                pairs += p.3 * n.3;
            }
        }
        (pairs > 0.0).then(|| won / pairs)
    }

    proptest! {
        #[test]
        fn agrees_with_all_pairs(
            rows in prop::collection::vec((0..2_i64, 0..7_u8, any::<bool>(), 1..4_u8), 1..40),
            is_weighted in any::<bool>(),
        ) {
            let weight = |w: u8| if is_weighted { f64::from(w) / 3.0 } else { 1.0 };
            let rows: Vec<_> = rows.into_iter()
                .map(|(y, s, own, w)| (y, f64::from(s) / 7.0, own, weight(w))).collect();
            let make = |only: bool| {
                let part: Vec<_> = rows.iter().filter(|row| row.2 || !only).collect();
                let y: Vec<i64> = part.iter().map(|row| row.0).collect();
                let s: Vec<f64> = part.iter().map(|row| row.1).collect();
                let w: Vec<f64> = part.iter().map(|row| row.3).collect();
                table(&y, &s, is_weighted.then_some(&w[..]))
            };
            prop_assume!(rows.iter().any(|row| row.2));
            let found = areas(&make(true), &make(false)).unwrap();
            let expected = [(true, true), (false, true), (true, false)].map(|at| plain(&rows, at));
            for (own, plain) in [found.subgroup, found.bpsn, found.bnsp].into_iter().zip(expected) {
                match (own, plain) {
                    (None, None) => {}
                    (Some(own), Some(plain)) => prop_assert!((own - plain).abs() < 1e-14),
                    _ => prop_assert!(false, "{found:?} {expected:?}"),
                }
            }
        }
    }

    #[test]
    fn rows_that_are_not_among_all_are_refused() {
        let (own, all) = (table(&[0, 1], &[0.1, 0.2], None), table(&[0, 1], &[0.1, 0.3], None));
        assert!(areas(&own, &all).is_err());
        let all = table(&[0, 0], &[0.1, 0.2], None);
        assert!(areas(&own, &all).is_err());
    }
}
