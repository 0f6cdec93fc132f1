//! The sum of two score tables, and a table of one class's rows beside another's.
//!
//! 1. Both tables are brought to the narrowest kind of score that holds all their scores exactly.
//! 2. Their descending keys are merged into one list. For each key two places are kept: how many
//!    keys of either table are at or above it.
//! 3. The running totals at those places are added: counts as integers, weights as exact sums. So
//!    the sum is, bit for bit, the table of the pooled rows.
//!
//! Cost: one walk over both tables, O(n + m).

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::weight_kind::added;
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Keys, ScoreKind, TableKey};
use crate::scores::score_table::{Amounts, ScoreTable};

impl ScoreTable {
    /// The table of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if there are more than two labels between them, if they differ in which
    /// is positive, if one has weights and the other counts, if their weights are of two kinds, or
    /// if no type holds the scores of both exactly.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let labels = self.labels().add(other.labels())?;
        let kinds = [(self.kind(), self.keys()), (other.kind(), other.keys())];
        let kind = common_kind_of(kinds).ok_or_else(|| {
            merge(format!(
                "no type holds scores of {:?} and {:?} exactly",
                self.kind(),
                other.kind()
            ))
        })?;
        let (a, b) = (self.facing(&labels), other.facing(&labels));
        let (left, right) = (
            promoted(self.keys(), self.kind(), kind),
            promoted(other.keys(), other.kind(), kind),
        );
        let (keys, amounts) = match (&left, &right) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, &a, &b)?,
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, &a, &b)?,
            _ => return Err(merge("scores of two widths".to_owned())),
        };
        let squares = added(self.squares(), other.squares(), Self::add)?;
        Ok(Self::from_sweep(kind, keys, amounts, labels).beside(squares))
    }

    /// The amounts with the classes as `union` has them.
    fn facing(&self, union: &BinaryLabels) -> Amounts {
        if self.labels().turned(union) {
            self.turned_amounts()
        } else {
            self.amounts().clone()
        }
    }

    /// The table whose positives are the rows here, and whose negatives are those of `rest`; both
    /// hold positives only, and scores and weights of one kind, else there is none.
    pub(crate) fn against(&self, rest: &Self) -> Option<Self> {
        let (positives, negatives) = (self.amounts(), rest.turned_amounts());
        let (keys, amounts) = match (self.keys(), rest.keys()) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, positives, &negatives),
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, positives, &negatives),
            _ => return None,
        }
        .ok()?;
        let labels = BinaryLabels {
            pair: Pair {
                negative: Some(Label::Int(0)),
                positive: Some(Label::Int(1)),
            },
            pos_label: Some(Label::Int(1)),
            kind: LabelKind::Bool,
        };
        let squares = match (self.squares(), rest.squares()) {
            (Some(own), Some(their)) => Some(Box::new(own.against(their)?)),
            (None, None) => None,
            _ => return None,
        };
        Some(Self::from_sweep(self.kind(), keys, amounts, labels).beside(squares))
    }
}

fn merge(reason: String) -> Refusal {
    Refusal::Merge { reason }
}

/// The narrowest kind that holds these very scores exactly: integers of 64 bits go with floats as
/// long as doubles hold them.
pub(crate) fn common_kind_of(sides: [(ScoreKind, &Keys); 2]) -> Option<ScoreKind> {
    let [(a, _), (b, _)] = sides;
    let is_exact = |(kind, keys): (ScoreKind, &Keys)| {
        (0..keys.len()).all(|place| {
            let integer = kind.integer(keys.get(place)).unwrap_or(0);
            integer.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
        })
    };
    a.common(b)
        .or_else(|| sides.into_iter().all(is_exact).then_some(f64::KIND))
}

/// Keys of one kind as keys of another that holds them exactly.
pub(crate) fn promoted(keys: &Keys, from: ScoreKind, to: ScoreKind) -> Keys {
    if from == to {
        return keys.clone();
    }
    let one = |key: u64| -> u64 {
        if let Some(integer) = from.integer(key) {
            return to.key_of_whole(integer);
        }
        match key {
            0 => 0,
            _ if key == from.greatest() => to.greatest(),
            _ => to.key_of_float(from.score(key)),
        }
    };
    let all = (0..keys.len()).map(|place| one(keys.get(place)));
    if to.is_wide() {
        Keys::Wide(all.gather())
    } else {
        Keys::Narrow(all.map(|key| key as u32).gather())
    }
}

/// Adds two tables whose keys are of one kind and whose classes face the same way.
pub(crate) fn union<K: TableKey>(
    x: &[K],
    y: &[K],
    a: &Amounts,
    b: &Amounts,
) -> Result<(Keys, Amounts)> {
    // The distinct keys of both, descending, and for each how many of either side are at or above
    // it.
    let mut keys = with_room(x.len() + y.len());
    let (mut from_x, mut from_y) = (with_room(keys.capacity()), with_room(keys.capacity()));
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let key = match (x.get(i), y.get(j)) {
            (Some(&p), Some(&q)) => p.max(q),
            (Some(&p), None) => p,
            (None, Some(&q)) => q,
            (None, None) => break,
        };
        i += usize::from(x.get(i) == Some(&key));
        j += usize::from(y.get(j) == Some(&key));
        if keys.len().is_multiple_of(CHUNK) {
            interrupt::check();
        }
        keys.grow(key);
        from_x.grow(i);
        from_y.grow(j);
    }
    keys.shrink_to_fit();
    let amounts = match (a, b) {
        (Amounts::Counts(p, n), Amounts::Counts(q, m)) => {
            let rows = |sums: [&Vec<u64>; 4]| {
                sums.into_iter().try_fold(0_u64, |sum, part| {
                    sum.checked_add(part.last().copied().unwrap_or(0))
                })
            };
            if rows([p, n, q, m]).is_none() {
                return Err(merge("more rows than 64 bits can count".to_owned()));
            }
            let at = |sums: &[u64], upto: usize| if upto == 0 { 0 } else { sums[upto - 1] };
            let add = |a: &[u64], b: &[u64]| -> Vec<u64> {
                let mut sums = with_room(from_x.len());
                for range in chunks(0..from_x.len()) {
                    let places = from_x[range.clone()].iter().zip(&from_y[range]);
                    sums.grow_with(places.map(|(&i, &j)| at(a, i) + at(b, j)));
                }
                sums
            };
            Amounts::Counts(add(p, q), add(n, m))
        }
        (Amounts::Weights(a), Amounts::Weights(b)) => {
            fn stretched(sums: &ExactSums, from: &[usize]) -> ExactSums {
                fn run<F: Fixed>(sums: &[F], from: &[usize]) -> Vec<F> {
                    let (p, n) = sums.split_at(sums.len() / 2);
                    let at = |sums: &[F], upto: usize| {
                        if upto == 0 {
                            F::default()
                        } else {
                            sums[upto - 1]
                        }
                    };
                    let mut stretched = with_room(2 * from.len());
                    for sums in [p, n] {
                        for range in chunks(0..from.len()) {
                            stretched.grow_with(from[range].iter().map(|&i| at(sums, i)));
                        }
                    }
                    stretched
                }
                let stretched = match sums.sums() {
                    Sums::Narrow(sums) => Sums::Narrow(run(sums, from)),
                    Sums::Wide(sums) => Sums::Wide(run(sums, from)),
                };
                // The width is that of the same span.
                ExactSums::from_parts(sums.span(), stretched).unwrap_or_else(|| ExactSums::new(0))
            }
            let mut sums = stretched(a, &from_x);
            sums.merge(&stretched(b, &from_y));
            Amounts::Weights(sums)
        }
        _ => return Err(merge("one has weights and the other has none".to_owned())),
    };
    Ok((K::keys(keys), amounts))
}
