//! Pairs of a positive and a negative row, by group: the area under each group's ROC curve, and how
//! the area of all rows splits into pairs within groups and pairs across them.
//!
//! Twice the pairs that are in order, plus the ties, is an integer: for each distinct score its
//! positives times twice the negatives below it plus its own negatives. Of all rows it is the sum
//! over the groups, plus what pairs across groups add. Sums of weights give products of integers in
//! the same way.

use num_bigint::{BigInt, BigUint};

use crate::arith::exact::{Fixed, Sums};
use crate::arith::fraction::Fraction;
use crate::base::column::CHUNK;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::threads::zeros_in_parts;

use crate::groups::masses::{Masses, Tally};
use crate::groups::ranking::GroupRanking;
use crate::scores::sweep::rank_sum::{area_of, gini_of};

/// The pairs of some rows, exactly.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The pairs in which the positive row has the higher score; a tie counts one half.
    pub won: Fraction,
    /// All pairs.
    pub all: Fraction,
}

impl Pairs {
    fn plus(&self, other: &Self) -> Self {
        Self { won: self.won.plus(&other.won), all: self.all.plus(&other.all) }
    }
}

/// Twice the pairs won by the positive row (a tie counts one half), and the numbers of positives
/// and negatives.
type Twice = (u128, u64, u64);

impl GroupRanking {
    /// The area under the ROC curve of each group, NaN where a class is absent.
    ///
    /// # Errors
    /// None but for memory.
    pub fn areas(&self) -> Result<Vec<f64>> {
        self.of_pairs(area_of, |area| area)
    }

    /// The Gini coefficient of each group; NaN where a class is absent.
    ///
    /// # Errors
    /// None but for memory.
    pub fn ginis(&self) -> Result<Vec<f64>> {
        self.of_pairs(gini_of, |area| 2.0 * area - 1.0)
    }

    fn of_pairs(
        &self,
        of_counts: fn(u128, u128) -> Option<f64>,
        of_area: fn(f64) -> f64,
    ) -> Result<Vec<f64>> {
        let mut numbers: Vec<f64> = zeros_in_parts(self.groups());
        self.over_groups(&mut numbers[..], |groups, numbers| {
            let mut since = 0;
            for (group, number) in groups.zip(numbers) {
                since += self.scores(group) + 1;
                if since > CHUNK {
                    interrupt::check();
                    since = 0;
                }
                *number = self.of_group(group, of_counts, of_area);
            }
            Ok(())
        })?;
        Ok(numbers)
    }

    /// A group's value, from twice the pairs won and twice all pairs, or from its area.
    fn of_group(
        &self,
        group: usize,
        of_counts: fn(u128, u128) -> Option<f64>,
        of_area: fn(f64) -> f64,
    ) -> f64 {
        match &self.masses {
            Masses::Counts(counts) => {
                let (twice, positives, negatives) = self.twice(counts, group);
                let pairs = 2 * u128::from(positives) * u128::from(negatives);
                of_counts(twice, pairs).unwrap_or(f64::NAN)
            }
            Masses::Weights(_) => {
                let pairs = self.pairs_of(group);
                let area = pairs.all.inverse().map(|all| pairs.won.times(&all).to_f64());
                area.map_or(f64::NAN, of_area)
            }
        }
    }

    fn twice(&self, counts: &Tally, group: usize) -> Twice {
        let (range, half) = (self.range(group), self.keys.len());
        let negatives = range.start + half..range.end + half;
        if let Tally::Narrow(counts) = counts {
            let (positives, negatives) = (&counts[range], &counts[negatives]);
            return twice_narrow(positives, negatives);
        }
        let (mut twice, mut above, mut all) = (0_u128, 0_u64, 0_u64);
        for (place, negative) in range.zip(negatives) {
            let (p, n) = (counts.get(place), counts.get(negative));
            // Scores descend, so these negatives are below all positives met so far.
            twice += u128::from(n) * (2 * u128::from(above) + u128::from(p));
            above += p;
            all += n;
        }
        (twice, above, all)
    }

    fn pairs_of(&self, group: usize) -> Pairs {
        match &self.masses {
            Masses::Counts(counts) => {
                let (twice, positives, negatives) = self.twice(counts, group);
                let won = Fraction::from_binary(BigInt::from(twice), -1);
                let all = u128::from(positives) * u128::from(negatives);
                Pairs { won, all: Fraction::whole(all) }
            }
            Masses::Weights(sums) => {
                let [positives, negatives] = self.both(group);
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => pairs_in(&sums[positives], &sums[negatives], quantum),
                    Sums::Wide(sums) => pairs_in(&sums[positives], &sums[negatives], quantum),
                }
            }
        }
    }

    /// The pairs of rows within groups, and of all rows.
    ///
    /// # Errors
    /// None but for memory.
    pub fn pairs(&self) -> Result<(Pairs, Pairs)> {
        let zero = || Pairs { won: Fraction::whole(0_u8), all: Fraction::whole(0_u8) };
        let parts = self.over_groups((), |groups, ()| {
            let Masses::Counts(counts) = &self.masses else {
                return Ok(groups.fold(zero(), |sum, group| sum.plus(&self.pairs_of(group))));
            };
            let (mut won, mut all) = (BigUint::default(), BigUint::default());
            for group in groups {
                interrupt::check_at(group);
                let (twice, positives, negatives) = self.twice(counts, group);
                won += twice;
                all += u128::from(positives) * u128::from(negatives);
            }
            Ok(Pairs {
                won: Fraction::from_binary(won.into(), -1),
                all: Fraction::from_binary(all.into(), 0),
            })
        })?;
        let within = parts.iter().fold(zero(), |sum, part| sum.plus(part));
        let one: Vec<u32> = vec![0; self.groups()];
        let whole = self.moved(&one, 1)?;
        Ok((within, whole.pairs_of(0)))
    }

    /// The weight of each group in a mean over groups.
    ///
    /// # Errors
    /// None but for memory.
    pub fn shares(&self, weights: Share) -> Result<Vec<f64>> {
        let mut shares: Vec<f64> = zeros_in_parts(self.groups());
        self.over_groups(&mut shares[..], |groups, shares| {
            for (group, share) in groups.zip(shares) {
                interrupt::check_at(group);
                let (positives, negatives) = self.totals(group);
                *share = match weights {
                    Share::Rows => positives + negatives,
                    Share::Positives => positives,
                    Share::Pairs => positives * negatives,
                };
            }
            Ok(())
        })?;
        Ok(shares)
    }
}

/// The weight of a group in a mean over groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The number of rows, or their weight.
    Rows,
    /// The number of positives, or their weight.
    Positives,
    /// The number of pairs of a positive and a negative row.
    Pairs,
}

fn twice_narrow(positives: &[u32], negatives: &[u32]) -> Twice {
    let (mut twice, mut above, mut all) = (0_u64, 0_u64, 0_u64);
    for (&p, &n) in positives.iter().zip(negatives) {
        let (p, n) = (u64::from(p), u64::from(n));
        twice = twice.wrapping_add(n.wrapping_mul(2 * above + p));
        above += p;
        all += n;
    }
    if above + all < 1 << 31 {
        return (twice.into(), above, all); // twice the pairs fit 64 bits
    }
    let (mut twice, mut above) = (0_u128, 0_u64);
    for (&p, &n) in positives.iter().zip(negatives) {
        let (p, n) = (u64::from(p), u64::from(n));
        twice += u128::from(n) * u128::from(2 * above + p);
        above += p;
    }
    (twice, above, all)
}

fn pairs_in<F: Fixed>(positives: &[F], negatives: &[F], quantum: i32) -> Pairs {
    let (mut twice, mut above, mut all) =
        (BigUint::default(), BigUint::default(), BigUint::default());
    for (&p, &n) in positives.iter().zip(negatives) {
        let (p, n) = (p.quanta(), n.quanta());
        twice += &n * (2_u8 * &above + &p);
        above += p;
        all += n;
    }
    Pairs {
        won: Fraction::from_binary(twice.into(), 2 * quantum - 1),
        all: Fraction::from_binary((above * all).into(), 2 * quantum),
    }
}
