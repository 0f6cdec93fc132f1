//! Counts around the scores of a rare class: exact rankings from two passes over the data. Parts
//! add up without collecting rows with equal scores.
//!
//! 1. The first pass collects the distinct scores of the positive rows, the anchors.
//! 2. The second pass counts the rows of both classes at each anchor, and the negative rows between
//!    neighbouring anchors.
//! 3. The order of negatives between two neighbouring positives changes no pair of a positive and a
//!    negative. So all negatives between two anchors get one score, the next number above the lower
//!    anchor, and the counts are a score table with at most two scores for each anchor.
//!
//! The pairs of rows are exact, and so are the area under the ROC curve, the Kolmogorov–Smirnov
//! distance and the hull of the ROC curve. Average precision is exact up to the order of its sum.
//!
//! Cost: sorting a batch.

use crate::arith::exact::{ExactSums, Sums};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room};
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::merge::promoted;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{Masses, ScoreTable};
use crate::statistic::Statistic;

/// The anchors: the distinct scores of the positive rows of a table, with the number of rows at
/// each.
///
/// # Errors
/// [`Refusal::Argument`] for a table without a named positive label, or of weights.
pub fn anchors(table: &ScoreTable) -> Result<ScoreTable> {
    if table.pos_label().is_none() {
        let expected = "the label of the rare class, as a part of the rows may have the other only";
        return Err(Refusal::argument("pos_label", "none", expected));
    }
    let Masses::Counts(positives, _) = table.masses() else {
        let expected = "none in the first pass, which gathers scores";
        return Err(Refusal::argument("sample_weight", "given", expected));
    };
    let rises =
        |&place: &usize| positives[place] > place.checked_sub(1).map_or(0, |at| positives[at]);
    let places: Vec<usize> = (0..table.len()).filter(rises).gather();
    let keys = keys_at(table.kind(), places.iter().map(|&place| table.keys().get(place)));
    let own = places.iter().map(|&place| positives[place]).gather();
    let none = vec![0_u64; places.len()];
    let (kind, labels) = (table.kind(), table.labels().clone());
    Ok(ScoreTable::from_sweep(kind, keys, Masses::Counts(own, none), labels))
}

fn keys_at(kind: ScoreKind, keys: impl Iterator<Item = u64>) -> Keys {
    if kind.is_wide() {
        Keys::Wide(keys.gather())
    } else {
        Keys::Narrow(keys.map(|key| key as u32).gather())
    }
}

/// Counts of both classes at the anchors and between them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnchoredCounts {
    anchors: ScoreTable,
    counts: Ranking,
}

impl AnchoredCounts {
    /// Counts the rows of a table of the second pass.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for anchors with rows of the other class, and for a positive row with
    /// a score outside the anchors; [`Refusal::Type`] for scores of a type that the anchors cannot
    /// hold.
    pub fn new(anchors: ScoreTable, table: &ScoreTable) -> Result<Self> {
        if anchors.totals().1 > 0.0 || anchors.is_weighted() || anchors.pos_label().is_none() {
            let expected = "what a first pass over the rows of the positive class has gathered";
            return Err(Refusal::argument("anchors", "a table of both classes", expected));
        }
        if anchors.is_empty() {
            let expected = "the scores of the positive class; its label is named by pos_label";
            return Err(Refusal::argument("anchors", "without a row", expected));
        }
        let counts = Ranking::from(coarsened(table, &anchors)?);
        Ok(Self { anchors, counts })
    }

    pub fn anchors(&self) -> &ScoreTable {
        &self.anchors
    }

    /// The ranking of the counts. Its pairs of positives and negatives equal the pairs of the rows.
    pub fn ranking(&self) -> &Ranking {
        &self.counts
    }

    /// The number of positive rows missing from the second pass; `None` for weights, because rows
    /// of weight 0 are left out.
    pub fn missing(&self) -> Option<u64> {
        let Masses::Counts(positives, _) = self.counts.masses() else {
            return None;
        };
        let met = positives.last().copied().unwrap_or(0);
        Some(self.anchors.rows().saturating_sub(met))
    }
}

impl Statistic for AnchoredCounts {
    const NAME: &'static str = "AnchoredCounts";
    const KIND: u8 = b'A';

    fn size(&self) -> usize {
        self.counts.len()
    }

    /// Adds the counts of other rows.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for counts around other anchors; otherwise like [`ScoreTable::add`].
    fn add(&self, other: &Self) -> Result<Self> {
        if self.anchors != other.anchors {
            let reason = "they are counted around other anchors".to_owned();
            return Err(Refusal::Merge { reason });
        }
        let counts = self.counts.add(&other.counts)?;
        Ok(Self { anchors: self.anchors.clone(), counts: Ranking::from(counts) })
    }

    fn put(&self, out: &mut Writer) {
        for table in [&self.anchors, self.counts.table()] {
            let bytes = table.to_bytes();
            out.put(&(bytes.len() as u64).to_le_bytes());
            out.put(&bytes);
        }
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let mut table = || {
            let len = input.len(1)?;
            ScoreTable::from_bytes(input.take(len)?)
        };
        let (anchors, counts) = (table()?, table()?);
        let found =
            Self::new(anchors, &counts).map_err(|refusal| Self::bad(refusal.to_string()))?;
        if found.counts.table() == &counts {
            Ok(found)
        } else {
            Err(Self::bad("negative rows between two anchors have several scores"))
        }
    }
}

/// The table with one score for all negatives between two anchors.
fn coarsened(table: &ScoreTable, anchors: &ScoreTable) -> Result<ScoreTable> {
    let kind = anchors.kind();
    if table.kind().common(kind) != Some(kind) {
        return Err(Refusal::Type {
            argument: "y_score",
            value: format!("{:?}", table.kind()),
            expected: format!("scores that go with the anchors, which are {kind:?}"),
        });
    }
    let keys = promoted(table.keys(), table.kind(), kind);
    let (mut places, mut found) = (Vec::new(), Vec::new());
    let (mut at, mut before) = (0, 0.0);
    for place in 0..table.len() {
        let key = keys.get(place);
        while at < anchors.len() && anchors.keys().get(at) > key {
            at += 1;
        }
        let lower = (at < anchors.len()).then(|| anchors.keys().get(at));
        let (positives, _) = table.cumulative(place);
        let shown = match lower {
            Some(anchor) if anchor == key => key,
            _ if positives > before => {
                let score = kind.score(key);
                let expected =
                    "a score that the first pass has gathered, as this positive row has it";
                return Err(Refusal::argument("y_score", score, expected));
            }
            Some(anchor) => anchor + 1,
            None => anchors.keys().get(anchors.len() - 1) - 1,
        };
        before = positives;
        if found.last() == Some(&shown) {
            places.pop();
        } else {
            found.grow(shown);
        }
        places.grow(place);
    }
    let masses = match table.masses() {
        Masses::Counts(positives, negatives) => {
            let of = |counts: &[u64]| places.iter().map(|&place| counts[place]).gather();
            Masses::Counts(of(positives), of(negatives))
        }
        Masses::Weights(sums) => {
            fn of<F: Copy>(sums: &[F], places: &[usize]) -> Vec<F> {
                let (positives, negatives) = sums.split_at(sums.len() / 2);
                [positives, negatives]
                    .into_iter()
                    .flat_map(|sums| places.iter().map(|&place| sums[place]))
                    .gather()
            }
            let taken = match sums.sums() {
                Sums::Narrow(sums) => Sums::Narrow(of(sums, &places)),
                Sums::Wide(sums) => Sums::Wide(of(sums, &places)),
            };
            let taken = ExactSums::from_parts(sums.span(), taken);
            Masses::Weights(taken.unwrap_or_else(|| ExactSums::new(0)))
        }
    };
    let keys = keys_at(kind, found.into_iter());
    let labels = table.labels().clone();
    Ok(ScoreTable::from_sweep(kind, keys, masses, labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use crate::statistic::laws;
    use proptest::prelude::*;

    fn table(rows: &[(u8, u8, u8)], weighted: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 16.0).collect();
        let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let weights = weighted.then(|| Column::from_slice(&w[..]));
        let (y, s) = (Column::from_slice(&y), Column::from_slice(&s));
        score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap()
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_the_rows_however_they_are_cut(
            rows in prop::collection::vec((prop::sample::select(vec![0_u8, 0, 0, 1]), 0_u8..60, 0_u8..4), 2..120),
            cut in 0.0..1.0_f64, weighted: bool, place: usize, flip in 1_u8..,
        ) {
            let cut = 1 + (cut * (rows.len() - 1) as f64) as usize;
            let (first, second) = rows.split_at(cut.min(rows.len() - 1));
            let of = |rows| anchors(&table(rows, false)).unwrap();
            let found = of(first).add(&of(second)).unwrap();
            prop_assert_eq!(&found, &of(&rows));
            prop_assume!(!found.is_empty());
            let count = |rows| AnchoredCounts::new(found.clone(), &table(rows, weighted)).unwrap();
            let whole = count(&rows);
            laws::add_up(&whole, [&count(first), &count(second)]);
            let _ = laws::changed(&whole, place, flip, place);
            prop_assert!(whole.ranking().len() <= 2 * found.len() + 1);
            prop_assert_eq!(whole.missing(), (!weighted).then_some(0));
            let exact = Ranking::from(table(&rows, weighted));
            if !weighted {
                prop_assert_eq!(whole.ranking().roc_auc(), exact.roc_auc());
                prop_assert_eq!(whole.ranking().pairs().map(|p| (p.concordant, p.tied)), exact.pairs().map(|p| (p.concordant, p.tied)));
                prop_assert_eq!(whole.ranking().ks().map(|ks| (ks.value, ks.sign)), exact.ks().map(|ks| (ks.value, ks.sign)));
            }
            let near = |a: Option<f64>, b: Option<f64>| a.zip(b).is_none_or(|(a, b)| (a - b).abs() < 1e-13) && a.is_some() == b.is_some();
            prop_assert!(near(whole.ranking().roc_auc(), exact.roc_auc()));
            prop_assert!(near(whole.ranking().average_precision(), exact.average_precision()));
            prop_assert!(near(whole.ranking().ks().map(|ks| ks.value), exact.ks().map(|ks| ks.value)));
        }
    }

    #[test]
    fn what_was_not_gathered_is_refused() {
        let rows = [(0, 1, 1), (1, 2, 1), (0, 3, 1), (1, 4, 1)];
        let known = anchors(&table(&rows[..2], false)).unwrap();
        let refusal = AnchoredCounts::new(known.clone(), &table(&rows, false)).unwrap_err();
        assert!(refusal.to_string().contains("y_score is 0.25"));
        let all = anchors(&table(&rows, false)).unwrap();
        assert!(AnchoredCounts::new(table(&rows, false), &table(&rows, false)).is_err());
        assert!(anchors(&table(&rows, true)).is_err());
        let none = anchors(&table(&rows[..1], false)).unwrap();
        assert!(AnchoredCounts::new(none, &table(&rows, false)).is_err());
        let part = AnchoredCounts::new(all, &table(&rows[..2], false)).unwrap();
        assert_eq!(part.missing(), Some(1));
        let other = AnchoredCounts::new(known, &table(&rows[..2], false)).unwrap();
        assert!(part.add(&other).is_err());
    }
}
