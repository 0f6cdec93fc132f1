//! Subtraction of rankings by query: the inverse of addition.
//!
//! 1. Each query of the subtrahend is looked up here, and each of its rows in the query's list,
//!    from the last to the first. So with [`Ties::Stable`] the rows added last are removed, and
//!    `(a + b) - b` is `a` for every way of breaking ties.
//! 2. Queries and documents without remaining rows disappear.
//!
//! [`Ties::Stable`]: crate::queries::row::Ties::Stable

use crate::base::dtype::f64_of;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::queries::lists::RankedLists;
use crate::queries::row::{NOT_RETRIEVED, Row};
use crate::queries::statistic::Queries;
use crate::row_keys::keys::Keys;

fn refusal(reason: impl Into<String>) -> Refusal {
    let reason = reason.into();
    Refusal::Difference { reason }
}

/// The places of the other keys among the own keys; all must exist.
fn places(own: &Keys, other: &Keys) -> Result<Vec<u32>> {
    let united = own.united(other).map_err(|met| match met {
        Refusal::Merge { reason } => refusal(reason),
        met => met,
    })?;
    let (ours, theirs) = united.codes.split_at(own.groups);
    let mut place_of: Vec<u32> = vec![u32::MAX; united.keys.groups];
    for (place, &code) in (0..).zip(ours) {
        place_of[code as usize] = place;
    }
    let to: Vec<u32> = theirs.iter().map(|&code| place_of[code as usize]).gather();
    match to.iter().position(|&place| place == u32::MAX) {
        None => Ok(to),
        Some(place) => Err(refusal(format!(
            "there are rows of {}, but none in what they are taken from",
            other.shown(place)
        ))),
    }
}

impl Queries {
    /// Subtracts some of these rows.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for keys without a common order, for rows that are not here, and
    /// otherwise like [`RankedLists::add`].
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let (own, their) = (&self.lists, &other.lists);
        own.goes_with(their).map_err(refusal)?;
        let to = places(&self.keys, &other.keys)?;
        let documents = match (&self.documents, &other.documents) {
            (Some(own), Some(its)) => places(own, its)?,
            _ => Vec::new(),
        };
        let mut is_taken: Vec<bool> = vec![false; own.rows()];
        for (query, &place) in to.iter().enumerate() {
            let place = place as usize;
            let within = |reason: String| refusal(format!("{}: {reason}", self.keys.shown(place)));
            let (weight, its) = (own.weight(place), their.weight(query));
            if weight != its {
                let reason = format!("it weighs {weight} here and {its} in what is taken");
                return Err(within(reason));
            }
            let mut rows = own.range(place).rev();
            for row in their.range(query).rev() {
                let document = their.documents.get(row).map(|&at| documents[at as usize]);
                let is_same = |&at: &usize| {
                    own.rows[at].place() == their.rows[row].place()
                        && own.documents.get(at).copied() == document
                };
                let found = rows.find(is_same);
                is_taken[found.ok_or_else(|| within(missing(their.rows[row])))?] = true;
            }
        }
        let mut starts = with_room(own.len() + 1);
        starts.push(0);
        let (mut kept, mut queries) = (Vec::new(), Vec::new());
        for query in 0..own.len() {
            let before = kept.len();
            kept.grow_with(own.range(query).filter(|&row| !is_taken[row]));
            if kept.len() > before {
                queries.grow(query);
                starts.push(kept.len());
            }
        }
        let mut ranks: Vec<u32> = Vec::new();
        let documents = self.documents.as_ref().map(|all| {
            let mut new_rank: Vec<u32> = vec![0; all.groups];
            let mut used: Vec<bool> = vec![false; all.groups];
            for &row in &kept {
                used[own.documents[row] as usize] = true;
            }
            let left: Vec<usize> = (0..all.groups).filter(|&rank| used[rank]).gather();
            for (new, &rank) in (0..).zip(&left) {
                new_rank[rank] = new;
            }
            let rank = |&row: &usize| new_rank[own.documents[row] as usize];
            ranks.grow_with(kept.iter().map(rank));
            all.taken(&left)
        });
        let weights = if own.is_weighted() {
            queries.iter().map(|&query| own.weight(query)).gather()
        } else {
            Vec::new()
        };
        let rows = kept.iter().map(|&row| own.rows[row]).gather();
        Ok(Self {
            keys: self.keys.taken(&queries),
            documents,
            lists: RankedLists::of(own.ties(), starts, rows, ranks, weights)?,
        })
    }
}

/// Why a row cannot be subtracted.
fn missing(row: Row) -> String {
    let grade = if row.grade.is_nan() {
        "no relevance".to_owned()
    } else {
        format!("relevance {}", row.grade)
    };
    let score = if row.score == NOT_RETRIEVED {
        "without a score".to_owned()
    } else {
        format!("of score {}", f64_of(row.score))
    };
    format!("a row {score} and {grade} is taken more often than it is there")
}

#[cfg(test)]
mod tests {
    use crate::queries::row::Ties;
    use crate::queries::statistic::tests::queries;
    use crate::statistic::Statistic;

    #[test]
    fn subtraction_undoes_addition() {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            (state >> 33) % below
        };
        for ties in [Ties::Expected, Ties::Stable, Ties::TrecEval] {
            for rows in [0, 1, 5, 60] {
                let mut part = |rows: usize| -> Vec<(i64, String, f64, f64)> {
                    (0..rows)
                        .map(|_| {
                            let number = random(9) as i64;
                            let document = format!("d{}", random(1 << 30));
                            (number, document, random(3) as f64, random(4) as f64 / 2.0)
                        })
                        .collect()
                };
                let (a, b) = (part(20), part(rows));
                let whole: Vec<_> = a.iter().chain(&b).cloned().collect();
                let of = |rows: &[(i64, String, f64, f64)]| {
                    let rows: Vec<_> = rows
                        .iter()
                        .map(|(query, document, grade, score)| {
                            (*query, &document[..], *grade, *score)
                        })
                        .collect();
                    queries(&rows, ties)
                };
                let (a, b, whole) = (of(&a), of(&b), of(&whole));
                let sum = a.add(&b).unwrap();
                assert_eq!(sum, whole);
                assert_eq!(sum.subtract(&b).unwrap(), a);
                assert_eq!(sum.subtract(&b).unwrap().to_bytes(), a.to_bytes());
                let nothing = sum.subtract(&sum).unwrap();
                assert_eq!((nothing.lists.len(), nothing.lists.rows()), (0, 0));
                if rows > 0 {
                    let text = a.subtract(&sum).unwrap_err().to_string();
                    assert!(text.starts_with("cannot subtract: "), "{text}");
                }
            }
        }
    }
}
