//! A score table from the result of a `GROUP BY`: scores with the number, or weight, of the rows of
//! each class.
//!
//! 1. The two columns of masses become rows with weights: each score once for its positives and
//!    once for its negatives. So the kernel for weighted rows sorts, adds repeated scores and drops
//!    masses of zero.
//! 2. A count beyond 2^53, which a float cannot hold, becomes two weights: its upper and its lower
//!    32 bits.
//! 3. If all masses are whole numbers, the exact sums become counts again. The table then equals,
//!    bit for bit, the table of the counted rows.
//!
//! Cost: a weighted sweep with two rows for each score.
//!
//! Rejected: a separate sort of (score, positives, negatives) (shorter, but on one thread, and
//! Ctrl-C does not stop it).

use std::ops::Range;

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::base::column::chunks;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::{Label, LabelSet, Scores};
use crate::base::interrupt;
use crate::base::memory::Room;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Keys, Lowered, ScoreKind, ScoreReader, Stop, TableKey, check_weights};
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::sweep::all_thresholds::sweep;
use crate::scores::sweep::rows::{Chunk, Rows, SweepOptions};

/// The names of the columns in refusals, positives first.
const ARGUMENTS: [&str; 2] = ["positives", "negatives"];
/// From here on, not all whole numbers are floats.
const WHOLE: u64 = 1 << 53;

/// The masses of one class, one for each score.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// Numbers of rows.
    Counts(&'a [u64]),
    /// Weights, or numbers of rows as floats.
    Floats(&'a [f64]),
}

impl Given<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Counts(counts) => counts.len(),
            Self::Floats(floats) => floats.len(),
        }
    }

    /// The first mass that is not a whole number below 2^64.
    fn first_broken(&self) -> Option<usize> {
        match self {
            Self::Counts(_) => None,
            Self::Floats(floats) => {
                let is_whole = |float: &f64| float.fract() == 0.0 && *float < 2_f64.powi(64);
                floats.iter().position(|float| !is_whole(float))
            }
        }
    }

    /// The sum of whole numbers, unless it exceeds a `u64`.
    fn total(&self) -> Option<u64> {
        match self {
            Self::Counts(counts) => {
                counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))
            }
            Self::Floats(floats) => {
                floats.iter().try_fold(0_u64, |sum, &float| sum.checked_add(float as u64))
            }
        }
    }
}

/// The table of scores with the positives and negatives of each score, in any order; the masses of
/// repeated scores are added.
///
/// # Arguments
/// `is_weighted`: whether the masses are sums of weights; by default they are if some mass is not
/// whole. `labels` are the two labels; `pos_label` in `options` is one of them, or none for the
/// greater one.
///
/// # Errors
/// Columns of different lengths; a number of labels other than two; masses that are negative, not
/// finite, not whole although they are counts, or too large in total; scores that a sweep refuses.
pub fn table_of_masses(
    scores: &Scores,
    masses: [Given; 2],
    is_weighted: Option<bool>,
    labels: &LabelSet,
    options: &SweepOptions,
) -> Result<ScoreTable> {
    for (given, argument) in masses.iter().zip(ARGUMENTS) {
        check_length((argument, given.len()), ("scores", scores.len()))?;
        if let Given::Floats(floats) = given {
            check_weights(floats, 0, argument)?;
        }
    }
    let labels = pair_of(labels, options.pos_label.as_ref())?;
    let broken = || (0..2).find_map(|at| Some((at, masses[at].first_broken()?)));
    let is_weighted = match is_weighted {
        Some(true) => true,
        None => broken().is_some(),
        Some(false) => match broken() {
            None => false,
            Some((at, row)) => {
                let Given::Floats(floats) = masses[at] else { unreachable!("integers are whole") };
                let expected = "a whole number, as weighted is False";
                return Err(Refusal::row(ARGUMENTS[at], row, floats[row], expected));
            }
        },
    };
    check_totals(masses, is_weighted)?;
    let kind = ScoreKind::of(scores);
    let rows = Entries {
        scores: ScoreReader {
            scores: *scores,
            nan_policy: options.nan_policy,
            infinite: options.infinite,
            argument: "scores",
        },
        columns: columns_of(masses),
    };
    let (keys, masses) = if kind.is_wide() {
        swept::<u64>(&rows, is_weighted)?
    } else {
        swept::<u32>(&rows, is_weighted)?
    };
    Ok(ScoreTable::from_sweep(kind, keys, masses, labels))
}

fn pair_of(labels: &LabelSet, pos_label: Option<&Label>) -> Result<BinaryLabels> {
    let [first, second] = labels.values.as_slice() else {
        let found = format!("{} labels", labels.len());
        return Err(Refusal::argument("labels", found, "two"));
    };
    if first == second {
        return Err(Refusal::argument("labels", first, "two different ones"));
    }
    let positive = pos_label.unwrap_or(first.max(second)).clone();
    if ![first, second].contains(&&positive) {
        let expected = format!("one of the labels {first} and {second}");
        return Err(Refusal::argument("pos_label", positive, expected));
    }
    let found = [Some(first.clone()), Some(second.clone())];
    Ok(BinaryLabels {
        pair: Pair::of(found, Some(&positive)),
        pos_label: Some(positive),
        kind: labels.kind,
    })
}

/// Refuses more rows than can be counted, and counts too large to be weights.
fn check_totals(masses: [Given; 2], is_weighted: bool) -> Result<()> {
    if !is_weighted {
        let [positives, negatives] = masses.map(|given| given.total());
        let total = positives.and_then(|positives| positives.checked_add(negatives?));
        if total.is_none() {
            let at = usize::from(positives.is_some());
            let expected = "a total of both classes below 2^64";
            let found = "more than 2^64 in all";
            return Err(Refusal::argument(ARGUMENTS[at], found, expected));
        }
        return Ok(());
    }
    for (given, argument) in masses.iter().zip(ARGUMENTS) {
        if let Given::Counts(counts) = given
            && let Some(row) = counts.iter().position(|&count| count > WHOLE)
        {
            let expected = "at most 2^53, as amounts are weights";
            return Err(Refusal::row(argument, row, counts[row], expected));
        }
    }
    Ok(())
}

/// One weight for each score, for one class.
#[derive(Clone, Copy)]
enum Part<'a> {
    /// Counts up to 2^53, or the lower 32 bits of larger counts.
    Lower(&'a [u64]),
    /// The bits above [`Part::Lower`] of counts beyond 2^53; 0 for smaller counts.
    Upper(&'a [u64]),
    /// Weights, unchanged.
    Floats(&'a [f64]),
}

impl Part<'_> {
    fn weight(&self, row: usize) -> f64 {
        let lower = |count: u64| {
            if count > WHOLE { count & 0xffff_ffff } else { count }
        };
        match self {
            Self::Lower(counts) => lower(counts[row]) as f64,
            Self::Upper(counts) => (counts[row] - lower(counts[row])) as f64,
            Self::Floats(floats) => floats[row],
        }
    }
}

/// The columns of weights, each with its class.
fn columns_of(masses: [Given; 2]) -> Vec<(u8, Part)> {
    let mut columns = Vec::new();
    for (given, code) in masses.into_iter().zip([1, 0]) {
        match given {
            Given::Counts(counts) => {
                columns.grow((code, Part::Lower(counts)));
                if counts.iter().any(|&count| count > WHOLE) {
                    columns.grow((code, Part::Upper(counts)));
                }
            }
            Given::Floats(floats) => columns.grow((code, Part::Floats(floats))),
        }
    }
    columns
}

/// All scores, repeated for each column of weights, one column after another.
struct Entries<'a> {
    scores: ScoreReader<'a>,
    columns: Vec<(u8, Part<'a>)>,
}

impl<K: Lowered> Rows<K> for Entries<'_> {
    fn prefetch(&self, _: Range<usize>) {}

    fn rows(&self) -> usize {
        self.scores.scores.len() * self.columns.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        let (mut key, mut code) = ([K::default()], [0]);
        let row = row % self.scores.scores.len();
        let omitted = self.scores.lower(row..row + 1, &mut key, &mut code).ok()?;
        (!omitted).then_some(key[0])
    }

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        let len = self.scores.scores.len();
        chunk.len = rows.len();
        chunk.weights.clear();
        let mut start = rows.start;
        while start < rows.end {
            let (code, part) = self.columns[start / len];
            let from = start % len;
            let own = from..len.min(from + rows.end - start);
            let places = start - rows.start..start - rows.start + own.len();
            start += own.len();
            let codes = &mut chunk.codes[places.clone()];
            codes.fill(code);
            self.scores.lower(own.clone(), &mut chunk.keys[places], codes)?;
            chunk.weights.grow_with(own.map(|row| part.weight(row)));
        }
        chunk.compact();
        Ok(())
    }
}

fn swept<K: TableKey + Lowered>(rows: &Entries, is_weighted: bool) -> Result<(Keys, Masses)> {
    let found = sweep::<K>(rows, true).map_err(|stop| first_refusal::<K>(rows, stop));
    let (keys, masses) = found?;
    let masses = match masses {
        Masses::Weights(sums) if !is_weighted => counts_of(&sums),
        masses => masses,
    };
    Ok((keys, masses))
}

/// The first refusal when the scores are read in order, independent of the split among threads.
#[cold]
fn first_refusal<K: Lowered>(rows: &Entries, met: Stop) -> Refusal {
    let mut chunk = Chunk::<K>::new();
    let first = chunks(0..rows.scores.scores.len()).find_map(|part| {
        let (keys, codes) = (&mut chunk.keys[..part.len()], &mut chunk.codes[..part.len()]);
        codes.fill(0);
        rows.scores.lower(part, keys, codes).err()
    });
    first.unwrap_or(met).refusal()
}

/// Running totals that are whole numbers, as counts.
fn counts_of(sums: &ExactSums) -> Masses {
    fn whole<F: Fixed>(sums: &[F], quantum: i32) -> Vec<u64> {
        let mut counts = Vec::new();
        counts.make_room(sums.len());
        for part in sums.chunks(1 << 16) {
            interrupt::check();
            counts.grow_with(part.iter().map(|sum| {
                if quantum < 0 {
                    sum.coarser(quantum.unsigned_abs()) as u64
                } else {
                    (sum.coarser(0) << quantum) as u64
                }
            }));
        }
        counts
    }
    let quantum = sums.span().quantum();
    let half = |of: fn(usize) -> Range<usize>| match sums.sums() {
        Sums::Narrow(sums) => whole(&sums[of(sums.len())], quantum),
        Sums::Wide(sums) => whole(&sums[of(sums.len())], quantum),
    };
    Masses::Counts(half(|len| 0..len / 2), half(|len| len / 2..len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::exact::Weights;
    use crate::base::column::{CHUNK, Column};
    use crate::base::input::{LabelKind, Labels, NanPolicy};
    use crate::base::memory::Gather;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    fn labels() -> LabelSet {
        LabelSet { kind: LabelKind::Int, values: [0, 1].map(Label::Int).into_iter().gather() }
    }

    fn options() -> SweepOptions {
        SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() }
    }

    fn of_counts(scores: &[f64], positives: &[u64], negatives: &[u64]) -> Result<ScoreTable> {
        let scores = Scores::F64(Column::from_slice(scores));
        let given = [Given::Counts(positives), Given::Counts(negatives)];
        table_of_masses(&scores, given, None, &labels(), &options())
    }

    /// The table of the counted rows.
    fn of_rows(rows: &[(f64, i64, f64)], weighted: bool) -> ScoreTable {
        let scores: Vec<f64> = rows.iter().map(|row| row.0).gather();
        let classes: Vec<i64> = rows.iter().map(|row| row.1).gather();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).gather();
        let labels = Labels::I64(Column::from_slice(&classes));
        let scores = Scores::F64(Column::from_slice(&scores));
        let weights = weighted.then(|| Weights::from_slice(&weights));
        score_table(&labels, &scores, weights, &options()).unwrap()
    }

    proptest! {
        #[test]
        fn counts_are_the_table_of_the_rows(
            some in prop::collection::vec((-3_i32..4, 0_u64..4, 0_u64..4), 1..60),
            zeros in 0_usize..2 * CHUNK,
        ) {
            // Enough empty scores to cross chunks in the middle of a column.
            let mut counted: Vec<(f64, u64, u64)> =
                (0..zeros).map(|place| (place as f64, 0, 0)).gather();
            for (score, p, n) in some {
                counted.grow((f64::from(score) / 4.0, p, n));
            }
            counted.grow((9.0, 1, 1));
            let scores: Vec<f64> = counted.iter().map(|row| row.0).gather();
            let positives: Vec<u64> = counted.iter().map(|row| row.1).gather();
            let negatives: Vec<u64> = counted.iter().map(|row| row.2).gather();
            let rows: Vec<(f64, i64, f64)> = counted
                .iter()
                .flat_map(|&(score, p, n)| {
                    let row = move |class| (score, class, 1.0);
                    (0..p).map(move |_| row(1)).chain((0..n).map(move |_| row(0)))
                })
                .gather();
            let table = of_counts(&scores, &positives, &negatives).unwrap();
            prop_assert_eq!(&table, &of_rows(&rows, false));
            prop_assert_eq!(ScoreTable::from_bytes(&table.to_bytes()).unwrap(), table);
        }

        #[test]
        fn weights_are_the_table_of_weighted_rows(
            counted in prop::collection::vec((-3_i32..4, 0.0_f64..2.0, 0_u64..3), 1..60),
        ) {
            let scores: Vec<f64> = counted.iter().map(|row| f64::from(row.0)).gather();
            let positives: Vec<f64> = counted.iter().map(|row| row.1).gather();
            let negatives: Vec<u64> = counted.iter().map(|row| row.2).gather();
            let rows: Vec<(f64, i64, f64)> = counted
                .iter()
                .flat_map(|&(score, p, n)| {
                    [(f64::from(score), 1, p), (f64::from(score), 0, n as f64)]
                })
                .gather();
            let column = Scores::F64(Column::from_slice(&scores));
            let given = [Given::Floats(&positives), Given::Counts(&negatives)];
            let table = table_of_masses(&column, given, Some(true), &labels(), &options());
            prop_assert_eq!(table.unwrap(), of_rows(&rows, true));
        }
    }

    #[test]
    fn great_counts_are_exact() {
        let great = [(1 << 60) + 1, 3, (1 << 53) + 1, u64::from(u32::MAX)];
        let scores = [0.25, 0.5, 0.5, 0.75];
        let table = of_counts(&scores, &great, &[0, 1 << 61, 0, 7]).unwrap();
        let Masses::Counts(positives, negatives) = table.masses() else { panic!("weights") };
        let upto = [great[3], great[3] + great[1] + great[2], great.iter().sum()];
        assert_eq!(positives, &upto);
        assert_eq!(negatives, &[7, 7 + (1 << 61), 7 + (1 << 61)]);
        let floats = [2_f64.powi(60), 0.0, 0.0, 0.0];
        let column = Scores::F64(Column::from_slice(&scores));
        let given = [Given::Floats(&floats), Given::Counts(&[0; 4])];
        let table = table_of_masses(&column, given, None, &labels(), &options()).unwrap();
        assert_eq!(table.rows(), 1 << 60);
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let said = |outcome: Result<ScoreTable>| outcome.unwrap_err().to_string();
        assert_eq!(
            said(of_counts(&[0.5, f64::NAN], &[1, 0], &[0, 0])),
            "scores[1] is NaN; expected a finite number"
        );
        assert_eq!(
            said(of_counts(&[0.5], &[u64::MAX], &[1])),
            "negatives is more than 2^64 in all; expected a total of both classes below 2^64"
        );
        let scores = Scores::F64(Column::from_slice(&[0.1, 0.2]));
        let table = |positives: &[f64], weighted| {
            let given = [Given::Floats(positives), Given::Counts(&[1, 1])];
            table_of_masses(&scores, given, weighted, &labels(), &options())
        };
        assert_eq!(
            said(table(&[1.0, -1.0], None)),
            "positives[1] is -1; expected a finite number that is not negative"
        );
        assert_eq!(
            said(table(&[1.0, 0.5], Some(false))),
            "positives[1] is 0.5; expected a whole number, as weighted is False"
        );
        assert!(!table(&[1.0, 2.0], None).unwrap().is_weighted());
        assert!(table(&[1.0, 2.5], None).unwrap().is_weighted());
    }

    #[test]
    fn no_scores_are_an_empty_table_and_missing_ones_are_left_out() {
        let table = of_counts(&[], &[], &[]).unwrap();
        assert_eq!((table.len(), table.rows()), (0, 0));
        assert_eq!(ScoreTable::from_bytes(&table.to_bytes()).unwrap(), table);
        let scores = Scores::F64(Column::from_slice(&[f64::NAN, 0.5]));
        let given = [Given::Counts(&[4, 1]), Given::Counts(&[4, 1])];
        let options = SweepOptions { nan_policy: NanPolicy::Omit, ..options() };
        let table = table_of_masses(&scores, given, None, &labels(), &options).unwrap();
        assert_eq!((table.len(), table.rows()), (1, 2));
    }
}
