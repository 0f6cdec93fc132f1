//! The adverse impact ratio at all thresholds: the least selection rate of a group divided by the
//! greatest.
//!
//! 1. Merge the distinct scores of all groups in descending order.
//! 2. As the threshold falls, a rate changes only in groups with a row of the score reached. Rates
//!    never fall, so the greatest rate is a running maximum. The least rate is at the root of a
//!    tree of minima.
//!
//! Cost: a sort of the distinct scores of all groups, and log2 of the groups for each.
//!
//! Source: Uniform Guidelines on Employee Selection Procedures, 29 CFR 1607.4 D (the four-fifths
//! rule).

use crate::base::column::CHUNK;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, filled, with_room};
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::merge::{common_kind_of, promoted};
use crate::scores::score_table::{ScoreTable, Side};

/// The groups with the least and the greatest selection rate at one threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Rows with this score or a higher one are selected.
    pub threshold: f64,
    /// The least rate of a group.
    pub least: f64,
    /// The group with the least rate.
    pub least_at: usize,
    /// The greatest rate.
    pub greatest: f64,
    /// The group with the greatest rate.
    pub greatest_at: usize,
}

impl Impact {
    /// The greatest rate minus the least.
    pub fn difference(&self) -> f64 {
        self.greatest - self.least
    }

    /// The least rate divided by the greatest; NaN where no row is selected.
    pub fn ratio(&self) -> f64 {
        self.least / self.greatest
    }
}

/// The group with the least rate, while rates change.
struct Least {
    rates: Vec<f64>,
    /// The leaf with the least rate below each node.
    tree: Vec<u32>,
}

impl Least {
    fn new(rates: Vec<f64>) -> Self {
        let leaves = rates.len().next_power_of_two();
        let mut tree = filled(0_u32, leaves);
        tree.grow_with((0..leaves).map(|leaf| leaf as u32));
        let mut found = Self { rates, tree };
        for node in (1..leaves).rev() {
            found.settle(node);
        }
        found
    }

    fn rate(&self, leaf: u32) -> f64 {
        *self.rates.get(leaf as usize).unwrap_or(&f64::INFINITY)
    }

    fn settle(&mut self, node: usize) {
        let (left, right) = (self.tree[2 * node], self.tree[2 * node + 1]);
        let is_right = self.rate(right) < self.rate(left);
        self.tree[node] = if is_right { right } else { left };
    }

    fn set(&mut self, leaf: usize, rate: f64) {
        self.rates[leaf] = rate;
        let mut node = usize::midpoint(leaf, self.tree.len() / 2);
        while node > 0 {
            self.settle(node);
            node /= 2;
        }
    }

    fn least(&self) -> (usize, f64) {
        let leaf = self.tree[usize::from(self.tree.len() > 1)];
        (leaf as usize, self.rate(leaf))
    }
}

/// The selection rate of a group, `selected` being a place among its scores.
fn rate(table: &ScoreTable, selected: usize) -> f64 {
    let (positives, negatives) = table.totals();
    let (tp, fp) = table.at_or_above(selected);
    (tp + fp) / (positives + negatives)
}

/// The type of score that holds the scores of all groups exactly.
fn kind_of(tables: &[&ScoreTable]) -> Result<ScoreKind> {
    let mut kind = tables[0].kind();
    for table in tables {
        let sides = [(kind, &Keys::Narrow(Vec::new())), (table.kind(), table.keys())];
        kind = kind.common(table.kind()).or_else(|| common_kind_of(sides)).ok_or_else(|| {
            Refusal::Merge {
                reason: format!("no type holds scores of {kind:?} and {:?} exactly", table.kind()),
            }
        })?;
    }
    Ok(kind)
}

/// The least and the greatest selection rate at every distinct score, from high to low. Groups
/// without rows have no rate and are left out.
///
/// # Errors
/// [`Refusal::Merge`] if no type holds the scores of all groups exactly.
pub fn over_thresholds(tables: &[&ScoreTable]) -> Result<Vec<Impact>> {
    let with_rows: Vec<usize> =
        (0..tables.len()).filter(|&group| rate(tables[group], 0) == 0.0).gather();
    if with_rows.is_empty() {
        return Ok(Vec::new());
    }
    let used: Vec<&ScoreTable> = with_rows.iter().map(|&group| tables[group]).gather();
    let kind = kind_of(&used)?;
    let mut steps: Vec<(u64, u32, u32)> = with_room(used.iter().map(|table| table.len()).sum());
    for (group, table) in used.iter().enumerate() {
        interrupt::check();
        let keys = promoted(table.keys(), table.kind(), kind);
        let places = 0..keys.len();
        steps.grow_with(places.map(|place| (keys.get(place), group as u32, place as u32)));
    }
    steps.sort_unstable_by(|a, b| b.cmp(a));
    let mut lowest = Least::new(filled(0.0, used.len()));
    let mut greatest = (0, 0.0);
    let mut found: Vec<Impact> = with_room(0);
    for (count, &(key, group, place)) in steps.iter().enumerate() {
        if count.is_multiple_of(CHUNK) {
            interrupt::check();
        }
        let own = rate(used[group as usize], place as usize + 1);
        lowest.set(group as usize, own);
        if own > greatest.1 || own == greatest.1 && (group as usize) < greatest.0 {
            greatest = (group as usize, own);
        }
        if steps.get(count + 1).is_some_and(|next| next.0 == key) {
            continue;
        }
        let least = lowest.least();
        found.grow(Impact {
            threshold: kind.score(key),
            least: least.1,
            least_at: with_rows[least.0],
            greatest: greatest.1,
            greatest_at: with_rows[greatest.0],
        });
    }
    Ok(found)
}

/// The least and the greatest selection rate at one threshold; `None` if no group has rows.
pub fn at_threshold(tables: &[&ScoreTable], threshold: f64, side: Side) -> Option<Impact> {
    let mut found: Option<Impact> = None;
    for (group, table) in tables.iter().enumerate() {
        let own = rate(table, table.reached(threshold, side));
        if own.is_nan() {
            continue;
        }
        let best = found.get_or_insert(Impact {
            threshold,
            least: own,
            least_at: group,
            greatest: own,
            greatest_at: group,
        });
        if own < best.least {
            (best.least, best.least_at) = (own, group);
        }
        if own > best.greatest {
            (best.greatest, best.greatest_at) = (own, group);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::made::table;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_each_threshold_alone(
            groups in prop::collection::vec(
                prop::collection::vec((0..2_i64, 0..9_u8, 0..4_u8), 1..9), 1..6),
        ) {
            let tables: Vec<ScoreTable> = groups.iter().map(|rows| {
                let y: Vec<i64> = rows.iter().map(|row| row.0).collect();
                let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
                let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 2.0).collect();
                table(&y, &s, Some(&w))
            }).collect();
            let tables: Vec<&ScoreTable> = tables.iter().collect();
            let weighed = groups.iter().flatten().filter(|row| row.2 > 0);
            let mut scores: Vec<u8> = weighed.map(|row| row.1).collect();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            scores.dedup();
            let found = over_thresholds(&tables).unwrap();
            prop_assert_eq!(found.len(), scores.len());
            for (own, score) in found.iter().zip(scores) {
                let plain = at_threshold(&tables, f64::from(score) / 8.0, Side::GreaterEqual);
                prop_assert_eq!(Some(*own), plain);
            }
        }
    }

    #[test]
    fn no_rows() {
        assert_eq!(over_thresholds(&[]).unwrap(), []);
        let empty = table(&[0], &[0.5], Some(&[0.0]));
        assert_eq!(over_thresholds(&[&empty]).unwrap(), []);
        assert_eq!(at_threshold(&[&empty], 0.5, Side::Greater), None);
    }
}
