//! The four counts at every distinct score. Thresholds are order keys ([`crate::scores::keys`]), so
//! that they can be returned in the type of the scores.
//!
//! Cost: writing the points, a few nanoseconds each.

// Loop bodies must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use crate::base::memory::{Gather, Room, in_place, with_room};
use crate::base::wide::wide;
use crate::scores::keys::Keys;
use crate::scores::score_table::{Masses, ScoreTable};

/// The four counts at every distinct score, high to low; rows at or above the score are predicted
/// positive.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ThresholdCounts {
    /// True negatives.
    pub tn: Vec<f64>,
    /// False positives.
    pub fp: Vec<f64>,
    /// False negatives.
    pub fn_: Vec<f64>,
    /// True positives.
    pub tp: Vec<f64>,
    /// The scores' order keys, descending.
    pub keys: Vec<u64>,
}

impl ThresholdCounts {
    /// The four counts at every distinct score, as far as possible in the table's own memory.
    #[must_use]
    pub fn of(table: ScoreTable) -> Self {
        if table.is_weighted() {
            return Self::from_weights(&table);
        }
        let (keys, _, masses) = table.into_parts();
        let keys = match keys {
            Keys::Wide(keys) => keys,
            Keys::Narrow(keys) => keys.into_iter().map(u64::from).gather(),
        };
        let Masses::Counts(positives, negatives) = masses else {
            return Self::default();
        };
        let reached_and_rest = |mut counts: Vec<u64>| {
            let mut rest = with_room(counts.len());
            split_counts(&mut counts, &mut rest);
            (in_place(counts, f64::from_bits), rest)
        };
        let (fp, tn) = reached_and_rest(negatives);
        let (tp, fn_) = reached_and_rest(positives);
        Self { tn, fp, fn_, tp, keys }
    }

    /// The four sums of weights at every distinct score.
    fn from_weights(table: &ScoreTable) -> Self {
        let keys = (0..table.len()).map(|place| table.keys().get(place)).gather();
        let mut all = Self { keys, ..Self::default() };
        for counts in table.every_counts().skip(1) {
            all.tn.grow(counts.tn);
            all.fp.grow(counts.fp);
            all.fn_.grow(counts.fn_);
            all.tp.grow(counts.tp);
        }
        all
    }
}

/// Converts running totals to the bits of floats, and writes their differences to the last total.
#[inline(always)]
fn split_counts_body(counts: &mut [u64], rest: &mut Vec<f64>) {
    let total = counts.last().copied().unwrap_or(0);
    rest.grow_with(counts.iter().map(|&count| (total - count) as f64));
    for count in counts {
        *count = (*count as f64).to_bits();
    }
}

wide! {
    fn split_counts[](counts: &mut [u64], rest: &mut Vec<f64>) -> () = split_counts_body;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::curves::naive::Rows;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_agree_with_counting_each_threshold(rows in Rows::any()) {
            let table = rows.table();
            let weigh = |class, is_asked: &dyn Fn(f64) -> bool| rows.weigh(class, is_asked);
            let counts = ThresholdCounts::of(table.clone());
            for (i, &key) in counts.keys.iter().enumerate() {
                let threshold = table.kind().score(key);
                prop_assert_eq!(counts.tp[i], weigh(1, &|x| x >= threshold));
                prop_assert_eq!(counts.fp[i], weigh(0, &|x| x >= threshold));
                prop_assert_eq!(counts.fn_[i], weigh(1, &|x| x < threshold));
                prop_assert_eq!(counts.tn[i], weigh(0, &|x| x < threshold));
            }
        }
    }
}
