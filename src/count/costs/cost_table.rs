//! The cost table: a score table with exact sums of the rows' costs beside its counts.
//!
//! 1. Each outcome (tp, fp, fn, tn) has a cost: one number for all rows, or a separate amount for
//!    each row. For amounts the table has, at each distinct score, the sum over the rows of the
//!    outcome's actual class at or above it. So positive rows have sums for tp and fn, negative
//!    rows sums for fp and tn, independent of the prediction.
//! 2. At a threshold, rows at or above it have the costs of tp and fp, rows below it the costs of
//!    fn and tn.
//! 3. Sums are exact ([`crate::arith::exact`]): losses and gains (without their sign) separately.
//!    So the sum of two tables is the table of the pooled rows, bit for bit.
//!
//! Cost: a score table, plus 16 bytes for each distinct score and column of amounts.

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
    /// The amounts below zero, without their sign; none if no row has such an amount.
    pub gains: Option<ExactSums>,
}

/// The cost of an outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Cost {
    /// The same cost for each row; a row of weight w counts w times.
    Each(f64),
    /// Amounts by row: their sums at or above each distinct score.
    Rows(Signed),
}

/// A score table with costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostTable {
    table: ScoreTable,
    costs: [Cost; 4],
    /// For intervals, where some costs are amounts: the same rows with other costs
    /// ([`Self::second`]).
    second: Option<Box<[Self; 2]>>,
}

/// The costs of the rows at one threshold, in one type of number.
#[derive(Clone, Copy, Debug)]
pub struct CostView<N = f64> {
    /// The number of rows, or their weight.
    pub rows: N,
    /// The cost of all predictions.
    pub cost: N,
    /// The cost of predicting every row positive.
    pub always: N,
    /// The cost of predicting every row negative.
    pub never: N,
}

impl<N> CostView<N> {
    /// Converts the numbers to another type.
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

    /// The sums in a form that depends only on them and the number of amounts.
    fn settled(self) -> Self {
        Self {
            losses: settled(self.losses),
            gains: self.gains.filter(|gains| gains.span().weights > 0).map(settled),
        }
    }

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

/// The sums after the first `counts[i]` scores, for each entry of `counts`.
fn at_places(sums: &ExactSums, counts: &[usize]) -> ExactSums {
    fn run<F: Fixed>(sums: &[F], counts: &[usize]) -> Vec<F> {
        let at = |&count: &usize| count.checked_sub(1).map_or(F::default(), |at| sums[at]);
        counts.iter().map(at).gather()
    }
    let places = match sums.sums() {
        Sums::Narrow(sums) => Sums::Narrow(run(sums, counts)),
        Sums::Wide(sums) => Sums::Wide(run(sums, counts)),
    };
    // The same span has the same width.
    ExactSums::from_parts(sums.span(), places).unwrap_or_else(|| ExactSums::new(counts.len()))
}

impl CostTable {
    /// A table from its parts. The form of its sums follows from their values.
    pub(crate) fn from_parts(table: ScoreTable, costs: [Cost; 4]) -> Self {
        let costs = costs.map(|cost| match cost {
            Cost::Each(cost) => Cost::Each(cost),
            Cost::Rows(sums) => Cost::Rows(sums.settled()),
        });
        Self { table, costs, second: None }
    }

    /// This table with its second moments, which tables have whose costs are all numbers.
    #[must_use]
    pub(crate) fn with_second(mut self, second: Option<[Self; 2]>) -> Self {
        let has_amounts = self.costs.iter().any(|cost| matches!(cost, Cost::Rows(_)));
        self.second = second.filter(|_| has_amounts).map(Box::new);
        self
    }

    /// Two tables of the same rows: the squares of the costs, and for both outcomes of a row's
    /// class the product of their costs. None if the table does not keep them.
    pub fn second(&self) -> Option<[Self; 2]> {
        if let Some(second) = &self.second {
            return Some((**second).clone());
        }
        let mut each = [0.0; 4];
        for (each, cost) in each.iter_mut().zip(&self.costs) {
            let Cost::Each(cost) = cost else { return None };
            *each = *cost;
        }
        let [tp, fp, fn_, tn] = each;
        let of = |costs: [f64; 4]| Self::from_parts(self.table.clone(), costs.map(Cost::Each));
        Some([of(each.map(|cost| cost * cost)), of([tp * fn_, fp * tn, tp * fn_, fp * tn])])
    }

    /// The tables of the second moments, as far as they are kept.
    pub(crate) fn kept(&self) -> Option<&[Self; 2]> {
        self.second.as_deref()
    }

    /// The second moments of both, made by a function of two tables.
    fn second_of(
        &self,
        other: &Self,
        make: impl Fn(&Self, &Self) -> Result<Self>,
    ) -> Result<Option<[Self; 2]>> {
        let Some(([a, b], [c, d])) = self.kept().zip(other.kept()) else {
            return Ok(None);
        };
        Ok(Some([make(a, c)?, make(b, d)?]))
    }

    /// The ranking without its costs.
    pub fn table(&self) -> &ScoreTable {
        &self.table
    }

    /// The costs of the outcomes, in the order of [`OUTCOMES`].
    pub fn costs(&self) -> &[Cost; 4] {
        &self.costs
    }

    /// The cost of the rows of an outcome if the first `predicted` distinct scores are predicted
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

    /// The costs of the rows if the first `predicted` distinct scores are predicted positive.
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

    /// The four counts if the first `predicted` distinct scores are predicted positive.
    pub fn counts(&self, predicted: usize) -> BinaryCounts {
        self.table.counts_of_first(predicted)
    }

    /// The table of the predictions at one threshold: the scores are 1 for the first `predicted`
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
        let table = Self::from_parts(ScoreTable::from_sweep(kind, keys, masses, labels), costs);
        table.with_second(self.kept().map(|both| both.each_ref().map(|one| one.decided(predicted))))
    }

    /// Adds the table of other rows.
    ///
    /// # Errors
    /// The errors of [`ScoreTable::add`], and [`Refusal::Merge`] if the costs differ, if one has
    /// amounts and the other a number, or if a single class changes sides. Second moments are kept
    /// if both keep them.
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
        let second = self.second_of(other, Self::add)?;
        Ok(Self::from_parts(table, costs).with_second(second))
    }

    /// Subtracts the table of some of these rows.
    ///
    /// # Errors
    /// The errors of [`ScoreTable::subtract`], and [`Refusal::Difference`] if the costs differ, if
    /// the amounts of `other` are no part of the amounts here, or if a single class changes sides.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let table = self.table.subtract(&other.table)?;
        if other.table.labels().turned(self.table.labels()) {
            return Err(less(ALONE.to_owned()));
        }
        // Scores of `other` at or above each score here; and the scores that remain here.
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
        let second = self.second_of(other, Self::subtract)?;
        Ok(Self::from_parts(table, costs).with_second(second))
    }

    /// For each score of a table, the number of scores here at or above it; keys are compared in a
    /// kind that holds both.
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

/// The remaining sums at the remaining scores; none if `less` is no part of them.
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
    // All amounts are above zero, so the sum is zero only without amounts.
    let is_zero = rest.is_empty() || rest.fraction(rest.len() - 1).is_zero();
    (rises && is_zero == (weights == 0)).then_some(rest)
}

fn less(reason: String) -> Refusal {
    Refusal::Difference { reason }
}

fn merge(reason: String) -> Refusal {
    Refusal::Merge { reason }
}
