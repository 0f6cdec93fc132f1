//! How two measures order the same evaluations: pairs that both order alike, that they order
//! oppositely, or that only one distinguishes.
//!
//! For a pair (a, b) each measure says that b is better, that a is, or (within its tolerance)
//! neither. That gives five kinds of pairs, [`Trend`], and five numbers, [`PairCounts`]: R both
//! agree, S they contradict each other, P only the first measure moves, Q only the second, and
//! `none`. Degree of consistency is R / (R + S), degree of discriminancy P / Q.
//!
//! [`steps`] compares neighbours in one read. [`all_pairs`] counts all N (N - 1) / 2 pairs:
//!
//! 1. The evaluations are sorted by each measure.
//! 2. For each evaluation, "better by more than the tolerance" is a prefix of either order that
//!    only grows from one evaluation to the next, so two running pointers find it. A difference
//!    rounds monotonically in both terms, so this also holds for floats.
//! 3. Evaluations enter a Fenwick tree over the second order once they lie below in the first. Two
//!    prefix sums of the tree give R and S for each evaluation.
//! 4. P and Q follow from the numbers of pairs that each measure distinguishes.
//!
//! Cost: O(N log N), integers only, 48 bytes an evaluation; 1e6 evaluations take about 0.3 s.
//!
//! Sources: Huang, Ling 2005, doi:10.1109/TKDE.2005.50; Fenwick 1994, doi:10.1002/spe.4380240306.
//!
//! Tried and rejected:
//! - counting inversions while merging: it needs equality to be transitive, and with a tolerance it
//!   is not.

use std::cmp::Ordering;

use crate::base::error::{Refusal, Result, check_length};
use crate::base::memory::{Gather, Room, with_room};

/// The values of one measure over the evaluations.
#[derive(Clone, Copy, Debug)]
pub struct Measure<'a> {
    /// A value for each evaluation; NaN if undefined. Infinities of the same sign are equal.
    pub values: &'a [f64],
    /// Whether lower values are better.
    pub lower_is_better: bool,
    /// Values that differ by at most this much count as equal: finite, not negative.
    pub tolerance: f64,
}

impl Measure<'_> {
    /// The value, with a sign so that higher is better.
    #[inline]
    fn merit(&self, place: usize) -> f64 {
        let value = self.values[place];
        if self.lower_is_better { -value } else { value }
    }

    /// Whether `to` is better than `from`, worse, or neither; None if one of them is undefined.
    fn change(&self, from: usize, to: usize) -> Option<Ordering> {
        let (from, to) = (self.merit(from), self.merit(to));
        if from.is_nan() || to.is_nan() {
            return None;
        }
        Some(if is_above(to, from, self.tolerance) {
            Ordering::Greater
        } else if is_above(from, to, self.tolerance) {
            Ordering::Less
        } else {
            Ordering::Equal
        })
    }
}

#[inline]
fn is_above(a: f64, b: f64, tolerance: f64) -> bool {
    a - b > tolerance
}

/// How two measures judge a pair of evaluations. The numbers are the types of trends of Zhang, Liu,
/// Wang and Tian's comparison of accuracy, MCC and confusion entropy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Trend {
    /// One of the measures has no value.
    Undefined = 0,
    /// R: both rise, or both fall.
    Same = 1,
    /// P: only the first moves.
    FirstOnly = 2,
    /// Q: only the second moves.
    SecondOnly = 3,
    /// Neither moves.
    None = 4,
    /// S: one rises, one falls.
    Opposite = 5,
}

/// The number of pairs of evaluations of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// R, both measures prefer the same evaluation.
    pub same: u128,
    /// P, only the first tells them apart.
    pub first_only: u128,
    /// Q, only the second tells them apart.
    pub second_only: u128,
    /// S, each prefers the other evaluation.
    pub opposite: u128,
    /// Neither tells them apart.
    pub none: u128,
}

impl PairCounts {
    /// Counts one more pair, unless it is undefined.
    pub fn add(&mut self, trend: Trend) {
        match trend {
            Trend::Undefined => {}
            Trend::Same => self.same += 1,
            Trend::FirstOnly => self.first_only += 1,
            Trend::SecondOnly => self.second_only += 1,
            Trend::None => self.none += 1,
            Trend::Opposite => self.opposite += 1,
        }
    }
}

fn trend(first: &Measure, second: &Measure, from: usize, to: usize) -> Trend {
    match (first.change(from, to), second.change(from, to)) {
        (None, _) | (_, None) => Trend::Undefined,
        (Some(Ordering::Equal), Some(Ordering::Equal)) => Trend::None,
        (Some(_), Some(Ordering::Equal)) => Trend::FirstOnly,
        (Some(Ordering::Equal), Some(_)) => Trend::SecondOnly,
        (Some(one), Some(other)) if one == other => Trend::Same,
        _ => Trend::Opposite,
    }
}

/// Each step from one evaluation to the next, one fewer than there are evaluations.
///
/// # Errors
/// Like [`all_pairs`].
pub fn steps(first: &Measure, second: &Measure) -> Result<Vec<Trend>> {
    check(first, second)?;
    Ok((1..first.values.len()).map(|to| trend(first, second, to - 1, to)).gather())
}

/// An evaluation for which both measures have a value.
struct Evaluation {
    /// The first measure's value, with a sign so that higher is better.
    merit: f64,
    /// The number of equal evaluations.
    multiplicity: u64,
    /// The place in the order of the second measure.
    place: u32,
    /// In the second order, evaluations before this place are below this one.
    below: u32,
    /// In the second order, evaluations from this place on are above this one.
    above: u32,
}

/// Counts all pairs of evaluations, and the evaluations left out because a measure is undefined for
/// them.
///
/// With `multiplicities` an evaluation stands for that many equal evaluations, which also form
/// pairs with each other.
///
/// # Errors
/// [`Refusal::Length`] for columns of different lengths; [`Refusal::Argument`] for a tolerance that
/// is negative or not finite, and for more evaluations than 32 bits or multiplicities than 64 bits
/// can count.
pub fn all_pairs(
    first: &Measure,
    second: &Measure,
    multiplicities: Option<&[u64]>,
) -> Result<(PairCounts, u64)> {
    check(first, second)?;
    let rows = first.values.len();
    let found = multiplicities.map_or(rows, <[u64]>::len);
    check_length(("multiplicities", found), ("the values", rows))?;
    if u32::try_from(rows).is_err() {
        return Err(Refusal::argument("evaluations", rows, "fewer than 2^32"));
    }
    let multiplicity = |row: usize| multiplicities.map_or(1, |given| given[row]);
    let mut total = 0_u64;
    let mut skipped = 0_u64;
    let mut by_second = with_room(rows);
    for row in 0..rows {
        let merits = (first.merit(row), second.merit(row));
        let counted = if merits.0.is_nan() || merits.1.is_nan() {
            &mut skipped
        } else {
            by_second.grow((merits.1, row as u32));
            &mut total
        };
        *counted = counted
            .checked_add(multiplicity(row))
            .ok_or_else(|| Refusal::argument("multiplicities", "too large", "a sum below 2^64"))?;
    }
    by_second.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));

    let mut told_by_second = 0_u128;
    let mut evaluations = with_room(by_second.len());
    let (mut below, mut above, mut passed) = (0, 0, 0_u64);
    for (place, &(merit, row)) in by_second.iter().enumerate() {
        while is_above(merit, by_second[below].0, second.tolerance) {
            passed += multiplicity(by_second[below].1 as usize);
            below += 1;
        }
        while above < by_second.len() && !is_above(by_second[above].0, merit, second.tolerance) {
            above += 1;
        }
        let multiplicity = multiplicity(row as usize);
        told_by_second += u128::from(multiplicity) * u128::from(passed);
        evaluations.grow(Evaluation {
            merit: first.merit(row as usize),
            multiplicity,
            place: place as u32,
            below: below as u32,
            above: above as u32,
        });
    }
    drop(by_second);
    evaluations.sort_unstable_by(|a, b| a.merit.total_cmp(&b.merit));

    let mut tree = Fenwick::new(evaluations.len());
    let (mut entered, mut inside) = (0, 0_u64);
    let (mut told_by_first, mut same, mut opposite) = (0_u128, 0_u128, 0_u128);
    for evaluation in &evaluations {
        while is_above(evaluation.merit, evaluations[entered].merit, first.tolerance) {
            let other = &evaluations[entered];
            tree.add(other.place as usize, other.multiplicity);
            inside += other.multiplicity;
            entered += 1;
        }
        let pairs = |others: u64| u128::from(evaluation.multiplicity) * u128::from(others);
        told_by_first += pairs(inside);
        same += pairs(tree.before(evaluation.below as usize));
        opposite += pairs(inside - tree.before(evaluation.above as usize));
    }
    let total = u128::from(total);
    let all =
        if total % 2 == 0 { total / 2 * total.saturating_sub(1) } else { (total - 1) / 2 * total };
    let second_only = told_by_second - same - opposite;
    let counts = PairCounts {
        same,
        first_only: told_by_first - same - opposite,
        second_only,
        opposite,
        none: all - told_by_first - second_only,
    };
    Ok((counts, skipped))
}

fn check(first: &Measure, second: &Measure) -> Result<()> {
    let (own, other) = (second.values.len(), first.values.len());
    check_length(("the second index", own), ("the first", other))?;
    for tolerance in [first.tolerance, second.tolerance] {
        if !(0.0..f64::INFINITY).contains(&tolerance) {
            let expected = "a finite number that is not negative";
            return Err(Refusal::argument("tolerance", tolerance, expected));
        }
    }
    Ok(())
}

/// Sums over a growing set of places: place `i` of the tree holds the sum of the `i & -i` places up
/// to `i`, from one.
struct Fenwick(Vec<u64>);

impl Fenwick {
    fn new(places: usize) -> Self {
        Self(vec![0; places + 1])
    }

    fn add(&mut self, place: usize, amount: u64) {
        let mut node = place + 1;
        while let Some(sum) = self.0.get_mut(node) {
            *sum += amount;
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the places before `end`.
    fn before(&self, end: usize) -> u64 {
        let mut node = end;
        let mut sum = 0;
        while node > 0 {
            sum += self.0[node];
            node &= node - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::consistency::Trend::{FirstOnly, Opposite, Same, SecondOnly};
    use proptest::prelude::*;

    fn naive(
        first: &Measure,
        second: &Measure,
        multiplicities: Option<&[u64]>,
    ) -> (PairCounts, u64) {
        let each: Vec<usize> = (0..first.values.len())
            .flat_map(|row| vec![row; multiplicities.map_or(1, |given| given[row] as usize)])
            .collect();
        let undefined = |row: usize| first.values[row].is_nan() || second.values[row].is_nan();
        let mut counts = PairCounts::default();
        for (i, &to) in each.iter().enumerate() {
            for &from in &each[..i] {
                counts.add(trend(first, second, from, to));
            }
        }
        let skipped = each.iter().filter(|&&row| undefined(row)).count();
        (counts, skipped as u64)
    }

    fn measure(values: &[f64], lower_is_better: bool, tolerance: f64) -> Measure<'_> {
        Measure { values, lower_is_better, tolerance }
    }

    /// Values with many ties, near ties, infinities, zeros of both signs and gaps.
    fn value() -> impl Strategy<Value = f64> {
        prop_oneof![
            6 => (0..8).prop_map(f64::from),
            4 => (0..40).prop_map(|tenths| f64::from(tenths) / 10.0),
            1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.0, 5e-324]),
            2 => -3.0..3.0,
        ]
    }

    #[test]
    fn each_kind_of_pair_is_told() {
        let (f, g) = ([0.0, 1.0, 2.0, 2.0, 2.0, 1.0], [0.0, 1.0, 1.0, 2.0, 2.0, 3.0]);
        let (f, g) = (measure(&f, false, 0.0), measure(&g, false, 0.0));
        assert_eq!(steps(&f, &g).unwrap(), [Same, FirstOnly, SecondOnly, Trend::None, Opposite]);
        let loss = Measure { lower_is_better: true, ..g };
        assert_eq!(steps(&f, &loss).unwrap(), [Opposite, FirstOnly, SecondOnly, Trend::None, Same]);
    }

    #[test]
    fn nothing_and_one_evaluation_are_no_pairs() {
        for values in [&[][..], &[1.0][..], &[f64::NAN, 1.0][..]] {
            let measure = measure(values, false, 0.0);
            assert_eq!(all_pairs(&measure, &measure, None).unwrap().0, PairCounts::default());
        }
        assert!(steps(&measure(&[], false, 0.0), &measure(&[], false, 0.0)).unwrap().is_empty());
    }

    #[test]
    fn the_greatest_multiplicities_do_not_overflow() {
        let values = [0.0, 1.0];
        let f = measure(&values, false, 0.0);
        let half = 1_u64 << 63;
        let (counts, _) = all_pairs(&f, &f, Some(&[half, half - 1])).unwrap();
        assert_eq!(counts.same, u128::from(half) * u128::from(half - 1));
        assert!(all_pairs(&f, &f, Some(&[half, half])).is_err());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let f = measure(&[0.0, 1.0], false, 0.0);
        assert!(all_pairs(&f, &measure(&[0.0], false, 0.0), None).is_err());
        assert!(all_pairs(&f, &f, Some(&[1])).is_err());
        for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(all_pairs(&f, &measure(&[0.0, 1.0], false, tolerance), None).is_err());
        }
    }

    proptest! {
        #[test]
        fn all_pairs_are_those_of_the_double_loop(
            rows in prop::collection::vec((value(), value(), 0_u64..4), 0..60),
            lower in any::<(bool, bool)>(),
            tolerances in (prop::sample::select(vec![0.0, 0.1, 0.5, 1.0, 2.5]), prop::sample::select(vec![0.0, 0.1, 1.0])),
            weighted in any::<bool>(),
        ) {
            let f: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let g: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let multiplicities: Vec<u64> = rows.iter().map(|row| row.2).collect();
            let multiplicities = weighted.then_some(multiplicities.as_slice());
            let (f, g) = (measure(&f, lower.0, tolerances.0), measure(&g, lower.1, tolerances.1));
            prop_assert_eq!(all_pairs(&f, &g, multiplicities).unwrap(), naive(&f, &g, multiplicities));
        }
    }
}
