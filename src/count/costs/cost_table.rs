//! The cost table: a score table, and beside its counts the exact sums of what rows cost.
//!
//! 1. Each outcome (tp, fp, fn, tn) has a cost: one number for each row, or an amount of its own
//!    for each row. Of amounts the table has, for each distinct score, the sum over the rows of the
//!    outcome's actual class at or above it. So positives have the sums of tp and fn, negatives
//!    those of fp and tn, whatever is predicted.
//! 2. At a threshold, rows at or above it cost what tp and fp say, those below what fn and tn say.
//! 3. Sums are exact ([`crate::arith::exact`]): losses, and gains without their sign apart. So two
//!    tables add up to the table of the pooled rows, bit for bit.
//!
//! Cost: as a score table, and 16 bytes a distinct score for each column of amounts.

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::fraction::Fraction;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::costs::OUTCOMES;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::merge::promoted;
use crate::scores::score_table::{Masses, ScoreTable};

/// Running sums of amounts of either sign, from the highest score down.
#[derive(Clone, Debug, PartialEq)]
pub struct Signed {
    /// The amounts above zero.
    pub losses: ExactSums,
    /// Those below zero, without their sign; none if no row has one.
    pub gains: Option<ExactSums>,
}

/// What an outcome costs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// The same for each row; a row of weight w counts w times.
    Each(f64),
    /// Masses by row: their sums at or above each distinct score.
    Rows(Signed),
}

/// A score table with costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostTable {
    table: ScoreTable,
    costs: [Cost; 4],
}

/// What the rows cost at one threshold, in numbers of one kind.
#[derive(Clone, Copy, Debug)]
pub struct CostView<N = f64> {
    /// The number of rows, or their weight.
    pub rows: N,
    /// What all predictions cost.
    pub cost: N,
    /// What it costs to predict every row positive.
    pub always: N,
    /// What it costs to predict every row negative.
    pub never: N,
}

impl<N> CostView<N> {
    /// The same numbers of another kind.
    pub fn map<M>(self, number: impl Fn(N) -> M) -> CostView<M> {
        CostView {
            rows: number(self.rows),
            cost: number(self.cost),
            always: number(self.always),
            never: number(self.never),
        }
    }
}

impl Signed {
    /// The sum over the first `predicted` distinct scores.
    fn of_first(&self, predicted: usize) -> Fraction {
        let get = |sums: &ExactSums| match predicted.checked_sub(1) {
            Some(place) => sums.fraction(place),
            None => Fraction::whole(0),
        };
        let losses = get(&self.losses);
        match &self.gains {
            Some(gains) => losses.plus(&get(gains).negated()),
            None => losses,
        }
    }

    /// The same sums in a form that depends on nothing but them and the numbers of amounts.
    fn settled(self) -> Self {
        Self {
            losses: settled(self.losses),
            gains: self.gains.filter(|gains| gains.span().weights > 0).map(settled),
        }
    }

    /// Both lists of sums.
    fn lists(&self) -> impl Iterator<Item = &ExactSums> {
        std::iter::once(&self.losses).chain(&self.gains)
    }

    fn map(&self, change: impl Fn(&ExactSums) -> ExactSums) -> Self {
        Self { losses: change(&self.losses), gains: self.gains.as_ref().map(change) }
    }
}

fn settled(sums: ExactSums) -> ExactSums {
    let weights = sums.span().weights;
    let last: Vec<usize> = sums.len().checked_sub(1).into_iter().gather();
    sums.settled(weights, &last)
}

/// The sums after so many of the scores, for each entry of `counts`.
fn at_places(sums: &ExactSums, counts: &[usize]) -> ExactSums {
    fn run<F: Fixed>(sums: &[F], counts: &[usize]) -> Vec<F> {
        let at = |&count: &usize| count.checked_sub(1).map_or(F::default(), |at| sums[at]);
        counts.iter().map(at).gather()
    }
    let places = match sums.sums() {
        Sums::Narrow(sums) => Sums::Narrow(run(sums, counts)),
        Sums::Wide(sums) => Sums::Wide(run(sums, counts)),
    };
    // The width is that of the same span.
    ExactSums::from_parts(sums.span(), places).unwrap_or_else(|| ExactSums::new(counts.len()))
}

impl CostTable {
    /// A table of its parts. The form of its sums follows from their values.
    pub(crate) fn from_parts(table: ScoreTable, costs: [Cost; 4]) -> Self {
        let costs = costs.map(|cost| match cost {
            Cost::Each(cost) => Cost::Each(cost),
            Cost::Rows(sums) => Cost::Rows(sums.settled()),
        });
        Self { table, costs }
    }

    /// The ranking without its costs.
    pub fn table(&self) -> &ScoreTable {
        &self.table
    }

    /// What the outcomes cost, in the order of [`OUTCOMES`].
    pub fn costs(&self) -> &[Cost; 4] {
        &self.costs
    }

    /// What the rows of an outcome cost where the first `predicted` distinct scores are predicted
    /// positive.
    pub fn outcome_cost(&self, outcome: usize, predicted: usize) -> Fraction {
        let upto = |predicted: usize| match &self.costs[outcome] {
            Cost::Rows(sums) => sums.of_first(predicted),
            Cost::Each(cost) => {
                let rows = match predicted.checked_sub(1) {
                    Some(place) => self.table.exact_totals(place)[outcome % 2].clone(),
                    None => Fraction::whole(0),
                };
                let cost = Fraction::of(*cost).unwrap_or_else(|| Fraction::whole(0));
                rows.times(&cost)
            }
        };
        match outcome {
            0 | 1 => upto(predicted),
            _ => upto(self.table.len()).plus(&upto(predicted).negated()),
        }
    }

    /// What the rows cost where the first `predicted` distinct scores are predicted positive.
    pub fn view(&self, predicted: usize) -> CostView<Fraction> {
        let cost = |predicted: usize| {
            let each = (0..4).map(|outcome| self.outcome_cost(outcome, predicted));
            each.fold(Fraction::whole(0), |sum, cost| sum.plus(&cost))
        };
        let rows = match self.table.len().checked_sub(1) {
            Some(last) => {
                let [positives, negatives] = self.table.exact_totals(last);
                positives.plus(&negatives)
            }
            None => Fraction::whole(0),
        };
        CostView { rows, cost: cost(predicted), always: cost(self.table.len()), never: cost(0) }
    }

    /// The four counts where the first `predicted` distinct scores are predicted positive.
    pub fn counts(&self, predicted: usize) -> BinaryCounts {
        self.table.counts_of_first(predicted)
    }

    /// The table of what is predicted at one threshold: the scores are 1 for the first `predicted`
    /// distinct scores, and 0 for the others.
    #[must_use]
    pub fn decided(&self, predicted: usize) -> Self {
        let len = self.table.len();
        let places: Vec<(u64, usize)> = [(1, predicted), (0, len)]
            .into_iter()
            .filter(|&(score, upto)| upto > if score == 1 { 0 } else { predicted })
            .gather();
        let counts: Vec<usize> = places.iter().map(|place| place.1).gather();
        let kind = <u8 as crate::base::dtype::Number>::KIND;
        let keys = Keys::Narrow(
            places.iter().map(|place| kind.key_of_whole(place.0.into()) as u32).gather(),
        );
        let masses = match self.table.masses() {
            Masses::Counts(positives, negatives) => {
                let at = |all: &[u64]| counts.iter().map(|&count| all[count - 1]).gather();
                Masses::Counts(at(positives), at(negatives))
            }
            Masses::Weights(sums) => {
                let mut both: Vec<usize> = counts.iter().map(|count| count - 1).gather();
                both.grow_with(counts.iter().map(|count| len + count - 1));
                Masses::Weights(sums.taken(&both))
            }
        };
        let labels = self.table.labels().clone();
        let costs = [0, 1, 2, 3].map(|outcome| match &self.costs[outcome] {
            Cost::Each(cost) => Cost::Each(*cost),
            Cost::Rows(sums) => Cost::Rows(sums.map(|sums| at_places(sums, &counts))),
        });
        Self::from_parts(ScoreTable::from_sweep(kind, keys, masses, labels), costs)
    }

    /// The table of the rows of both.
    ///
    /// # Errors
    /// Those of [`ScoreTable::add`], and [`Refusal::Merge`] if their costs differ, if one has
    /// amounts where the other has a number, or if a class alone changes sides.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let table = self.table.add(&other.table)?;
        for side in [self, other] {
            if side.table.labels().turned(table.labels()) {
                return Err(merge(ALONE.to_owned()));
            }
        }
        let places = [self, other].map(|side| side.counts_above(&table, table.kind()));
        let mut costs = with_room(4);
        for (outcome, pair) in self.costs.iter().zip(&other.costs).enumerate() {
            costs.grow(match pair {
                (Cost::Each(a), Cost::Each(b)) if a == b => Cost::Each(*a),
                (Cost::Rows(a), Cost::Rows(b)) => {
                    let [a, b] = [(a, &places[0]), (b, &places[1])]
                        .map(|(sums, places)| sums.map(|sums| at_places(sums, places)));
                    Cost::Rows(sum(a, b))
                }
                (a, b) => return Err(merge(a.unlike(b, OUTCOMES[outcome].0))),
            });
        }
        let costs = costs.try_into().unwrap_or_else(|_| self.costs.clone());
        Ok(Self::from_parts(table, costs))
    }

    /// The table of the rows here that are not those of `other`, which are a part of them.
    ///
    /// # Errors
    /// Those of [`ScoreTable::subtract`], and [`Refusal::Difference`] if their costs differ, if
    /// amounts of
    /// `other` are not a part of those here, or if a class alone changes sides.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let table = self.table.subtract(&other.table)?;
        if other.table.labels().turned(self.table.labels()) {
            return Err(less(ALONE.to_owned()));
        }
        // Scores of `other` at or above each score here; and the scores here that are left.
        let above = other.counts_above(&self.table, table.kind());
        let left = self.counts_above(&table, table.kind());
        let mut costs = with_room(4);
        for (outcome, pair) in self.costs.iter().zip(&other.costs).enumerate() {
            let name = OUTCOMES[outcome].0;
            let rest = |own: &ExactSums, their: Option<&ExactSums>| {
                let their =
                    their.map_or_else(|| ExactSums::new(own.len()), |sums| at_places(sums, &above));
                rest(own, &their, &left)
                    .ok_or_else(|| less(format!("amounts of {name} would go below zero")))
            };
            costs.grow(match pair {
                (Cost::Each(a), Cost::Each(b)) if a == b => Cost::Each(*a),
                (Cost::Rows(a), Cost::Rows(b)) => {
                    let none = || ExactSums::new(a.losses.len());
                    let gains = match (&a.gains, &b.gains) {
                        (None, None) => None,
                        (gains, less) => {
                            Some(rest(gains.as_ref().unwrap_or(&none()), less.as_ref())?)
                        }
                    };
                    Cost::Rows(Signed { losses: rest(&a.losses, Some(&b.losses))?, gains })
                }
                (a, b) => return Err(less(a.unlike(b, name))),
            });
        }
        let costs = costs.try_into().unwrap_or_else(|_| self.costs.clone());
        Ok(Self::from_parts(table, costs))
    }

    /// For each score of a table, how many scores here are at or above it; keys are compared as
    /// those of a kind that holds both.
    fn counts_above(&self, all: &ScoreTable, kind: ScoreKind) -> Vec<usize> {
        let (own, all) = (
            promoted(self.table.keys(), self.table.kind(), kind),
            promoted(all.keys(), all.kind(), kind),
        );
        let mut at = 0;
        let places = (0..all.len()).map(|place| {
            while at < own.len() && own.get(at) >= all.get(place) {
                at += 1;
            }
            at
        });
        places.gather()
    }
}

const ALONE: &str = "one had rows of one label only and took it for the other class; \
                     name the positive label with pos_label";

impl Cost {
    fn unlike(&self, other: &Self, name: &str) -> String {
        let (one, other) = (self.what(), other.what());
        format!("{name} costs {one} in one and {other} in the other")
    }

    fn what(&self) -> String {
        match self {
            Self::Each(cost) => format!("{cost} a row"),
            Self::Rows(_) => "an amount for each row".to_owned(),
        }
    }

    /// All lists of sums.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &ExactSums> {
        let sums = match self {
            Self::Each(_) => None,
            Self::Rows(sums) => Some(sums),
        };
        sums.into_iter().flat_map(Signed::lists)
    }
}

fn sum(mut a: Signed, b: Signed) -> Signed {
    a.losses.merge(&b.losses);
    a.gains = match (a.gains, b.gains) {
        (Some(mut gains), Some(more)) => {
            gains.merge(&more);
            Some(gains)
        }
        (gains, more) => gains.or(more),
    };
    a
}

/// The sums that are left, at the scores that are left; none if `less` is no part of them.
fn rest(own: &ExactSums, less: &ExactSums, left: &[usize]) -> Option<ExactSums> {
    fn rises<F: Fixed>(sums: &[F]) -> bool {
        sums.windows(2).all(|pair| pair[0] <= pair[1])
    }
    let weights = own.span().weights.checked_sub(less.span().weights)?;
    let rest = own.without(less).ok()?;
    let rises = match rest.sums() {
        Sums::Narrow(sums) => rises(sums),
        Sums::Wide(sums) => rises(sums),
    };
    let rest = at_places(&rest, left);
    let last: Vec<usize> = rest.len().checked_sub(1).into_iter().gather();
    let rest = rest.settled(weights, &last);
    // All amounts are above zero, so there is a sum as long as there are amounts.
    let is_zero = rest.is_empty() || rest.fraction(rest.len() - 1).is_zero();
    (rises && is_zero == (weights == 0)).then_some(rest)
}

fn less(reason: String) -> Refusal {
    Refusal::Difference { reason }
}

fn merge(reason: String) -> Refusal {
    Refusal::Merge { reason }
}
