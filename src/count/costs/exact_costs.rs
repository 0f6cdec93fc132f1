//! The cost at every threshold, in whole quanta: nothing is rounded before the last step.
//!
//! 1. The quantum is the finest quantum of all sums and all costs, so every cost at every threshold
//!    is a whole number of quanta.
//! 2. If all costs fit 126 bits, each takes two multiplications and a subtraction. Otherwise they
//!    are integers of any size.
//!
//! Cost: 2 to 5 ns a threshold; half a microsecond for costs beyond 126 bits.

use std::ops::Range;

use num_bigint::BigInt;

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::fraction::Fraction;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::over_parts;
use crate::costs::cost_table::{Cost, CostTable};
use crate::scores::score_table::Masses;

/// The most bits of a cost in 128 bits: without the sign, and with a margin for sums of four.
const MOST_BITS: i64 = 124;

/// The running totals of rows.
enum Rows<'a> {
    Counts(&'a [u64], &'a [u64]),
    /// Narrow sums, and how many bits finer the common quantum is than the quantum of the sums.
    Weights(&'a [u128], &'a [u128]),
}

/// Costs at all thresholds as whole numbers of quanta of 2^`quantum`.
struct Narrow<'a> {
    quantum: i32,
    never: i128,
    rows: Rows<'a>,
    /// The additional cost when a positive row, and when a negative row, moves to the positive
    /// predictions, times the quantum of the rows.
    each: [i128; 2],
    /// Sums, the bits by which the common quantum is finer, and whether they are added.
    sums: Vec<(&'a [u128], u32, bool)>,
}

fn narrow_of(sums: &ExactSums) -> Option<&[u128]> {
    match sums.sums() {
        Sums::Narrow(sums) => Some(sums),
        Sums::Wide(_) => None,
    }
}

/// The lowest bit of a non-zero number, and the number of bits above it.
fn extent(x: f64) -> Option<(i64, i64)> {
    let fraction = Fraction::of(x)?;
    if fraction.is_zero() {
        return None;
    }
    let low = fraction.numerator.trailing_zeros().unwrap_or(0) as i64
        - fraction.denominator.trailing_zeros().unwrap_or(0) as i64;
    let high = fraction.numerator.bits() as i64 - (fraction.denominator.bits() as i64 - 1);
    Some((low, high))
}

/// A number in quanta of 2^`quantum`; none unless it is a whole number of quanta that fits.
fn quanta(x: f64, quantum: i64) -> Option<i128> {
    let fraction = Fraction::of(x)?;
    let power = Fraction::from_binary(1.into(), i32::try_from(-quantum).ok()?);
    let whole = fraction.times(&power);
    i128::try_from(whole.numerator / BigInt::from(whole.denominator)).ok()
}

impl<'a> Narrow<'a> {
    fn new(table: &'a CostTable) -> Option<Self> {
        let len = table.table().len();
        let (mut low, mut high) = (i64::MAX, i64::MIN);
        let mut note = |from: i64, to: i64| {
            low = low.min(from);
            high = high.max(to);
        };
        let (row_quantum, row_bits, rows) = match table.table().masses() {
            Masses::Counts(positives, negatives) => {
                let most = positives.last().max(negatives.last()).copied().unwrap_or(0);
                let bits = i64::from(u64::BITS - most.leading_zeros());
                (0, bits, Rows::Counts(positives, negatives))
            }
            Masses::Weights(sums) => {
                let (positives, negatives) = narrow_of(sums)?.split_at(len);
                let most = positives.last().max(negatives.last()).copied().unwrap_or(0);
                let bits = i64::from(u128::BITS - most.leading_zeros());
                let quantum = i64::from(sums.span().quantum());
                (quantum, bits, Rows::Weights(positives, negatives))
            }
        };
        for cost in table.costs() {
            if let Cost::Each(cost) = cost
                && let Some((from, to)) = extent(*cost)
            {
                note(row_quantum + from, row_quantum + row_bits + to);
            }
            for sums in cost.lists() {
                let last = narrow_of(sums)?.last().copied().unwrap_or(0);
                let quantum = i64::from(sums.span().quantum());
                if last > 0 {
                    let bits = i64::from(u128::BITS - last.leading_zeros());
                    note(quantum, quantum + bits);
                }
            }
        }
        if low > high {
            (low, high) = (0, 0);
        }
        if high - low > MOST_BITS {
            return None;
        }
        let mut each = [0_i128; 2];
        let mut sums = with_room(8);
        for (outcome, cost) in table.costs().iter().enumerate() {
            let is_added = outcome < 2;
            match cost {
                Cost::Each(cost) => {
                    let quanta = if *cost == 0.0 { 0 } else { quanta(*cost, low - row_quantum)? };
                    each[outcome % 2] += if is_added { quanta } else { -quanta };
                }
                Cost::Rows(signed) => {
                    for (list, is_gain) in
                        [(Some(&signed.losses), false), (signed.gains.as_ref(), true)]
                    {
                        let Some(list) = list else { continue };
                        let values = narrow_of(list)?;
                        if values.last().is_some_and(|&last| last > 0) {
                            let finer = i64::from(list.span().quantum()) - low;
                            sums.grow((values, u32::try_from(finer).ok()?, is_added != is_gain));
                        }
                    }
                }
            }
        }
        let quantum = i32::try_from(low).ok()?;
        let mut costs = Self { quantum, never: 0, rows, each, sums };
        let power = Fraction::from_binary(1.into(), -quantum);
        let never = table.view(0).never.times(&power);
        costs.never = i128::try_from(never.numerator / BigInt::from(never.denominator)).ok()?;
        Some(costs)
    }

    /// The cost if the first `predicted` scores are predicted positive.
    #[inline]
    fn at(&self, predicted: usize) -> i128 {
        let Some(place) = predicted.checked_sub(1) else {
            return self.never;
        };
        let [up, down] = match &self.rows {
            Rows::Counts(ups, downs) => [i128::from(ups[place]), i128::from(downs[place])],
            Rows::Weights(ups, downs) => [ups[place] as i128, downs[place] as i128],
        };
        let mut cost = self
            .never
            .wrapping_add(up.wrapping_mul(self.each[0]))
            .wrapping_add(down.wrapping_mul(self.each[1]));
        for &(sums, finer, is_added) in &self.sums {
            let sum = (sums[place] << finer) as i128;
            cost = if is_added { cost.wrapping_add(sum) } else { cost.wrapping_sub(sum) };
        }
        cost
    }

    fn to_f64(&self, quanta: i128) -> f64 {
        let size = quanta.unsigned_abs().to_f64(self.quantum);
        if quanta < 0 { -size } else { size }
    }
}

impl CostTable {
    /// The cost at each threshold, rounded once: first with no row predicted positive, then from
    /// the highest score to the lowest.
    pub fn every_cost(&self) -> Vec<f64> {
        costs(self)
    }

    /// All numbers within `among` of distinct scores to predict positive at the least cost,
    /// ascending. Costs are compared exactly.
    pub fn cheapest(&self, among: Range<usize>) -> Vec<usize> {
        cheapest(self, among)
    }
}

fn costs(table: &CostTable) -> Vec<f64> {
    let len = table.table().len() + 1;
    let Some(narrow) = Narrow::new(table) else {
        return (0..len).map(|k| table.view(k).cost.to_f64()).gather();
    };
    let parts = over_parts(len, |part| {
        Ok(part.map(|predicted| narrow.to_f64(narrow.at(predicted))).gather())
    });
    crate::base::memory::joined(parts.unwrap_or_default())
}

fn cheapest(table: &CostTable, among: Range<usize>) -> Vec<usize> {
    fn least<N: Ord>(among: Range<usize>, at: impl Fn(usize) -> N) -> Vec<usize> {
        let mut best: Option<N> = None;
        let mut places = Vec::new();
        for predicted in among {
            let cost = at(predicted);
            match best.as_ref().map(|best| cost.cmp(best)) {
                Some(std::cmp::Ordering::Greater) => continue,
                Some(std::cmp::Ordering::Equal) => {}
                _ => {
                    places.clear();
                    best = Some(cost);
                }
            }
            places.grow(predicted);
        }
        places
    }
    match Narrow::new(table) {
        Some(narrow) => least(among, |predicted| narrow.at(predicted)),
        None => least(among, |predicted| Ordered(table.view(predicted).cost)),
    }
}

struct Ordered(Fraction);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.compare(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}
