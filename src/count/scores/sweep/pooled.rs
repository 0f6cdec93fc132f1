//! The score table of the rows of many tables, at once.
//!
//! 1. The tables are read as rows: each distinct score once for each of its rows, in the order of
//!    the tables, without copying them.
//! 2. The kernel of all thresholds makes one table of these rows, as for columns.
//!
//! A table is a function of its rows, so the result equals, bit for bit, the sum of the tables. If
//! most scores have one row, this is faster: the rows are sorted once, while a tree of sums copies
//! each row once for each level. If scores have many rows there is no gain, and [`pooled`] leaves
//! addition to the caller.
//!
//! Cost: about one table of all rows, plus 1 ns a row for reading the tables.

use std::ops::Range;

use crate::base::error::Result;
use crate::base::memory::Room;
use crate::scores::keys::{Key, Keys, Stop, TableKey};
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::sweep::all_thresholds::sweep;
use crate::scores::sweep::rows::{Chunk, Rows};

/// With more rows for each distinct score, on average, tables are added instead.
const MOST_ROWS: u128 = 2;

/// The table of the rows of all tables. None if addition is better: for few tables, weights, tables
/// without rows, scores of several kinds, and scores with many rows.
///
/// # Errors
/// The errors of [`ScoreTable::add`] about labels.
pub fn pooled(tables: &[&ScoreTable]) -> Result<Option<ScoreTable>> {
    let [first, second, rest @ ..] = tables else {
        return Ok(None);
    };
    if rest.is_empty() {
        return Ok(None);
    }
    let (mut rows, mut keys) = (0_u128, 0_u128);
    for table in tables {
        let Masses::Counts(positives, negatives) = table.masses() else {
            return Ok(None);
        };
        let (Some(&positives), Some(&negatives)) = (positives.last(), negatives.last()) else {
            return Ok(None);
        };
        if table.kind() != first.kind() {
            return Ok(None);
        }
        rows += u128::from(positives) + u128::from(negatives);
        keys += table.len() as u128;
    }
    if rows > MOST_ROWS * keys {
        return Ok(None);
    }
    let mut labels = first.labels().add(second.labels())?;
    for table in rest {
        labels = labels.add(table.labels())?;
    }
    let turned = |table: &ScoreTable| table.labels().turned(&labels);
    let swept = if first.kind().is_wide() {
        swept::<u64>(tables, turned)
    } else {
        swept::<u32>(tables, turned)
    };
    Ok(swept.map(|(keys, masses)| ScoreTable::from_sweep(first.kind(), keys, masses, labels)))
}

fn swept<K: TableKey>(
    tables: &[&ScoreTable],
    turned: impl Fn(&ScoreTable) -> bool,
) -> Option<(Keys, Masses)> {
    let mut pool = Pool { starts: vec![0], parts: Vec::new() };
    for table in tables {
        let Masses::Counts(positives, negatives) = table.masses() else {
            return None;
        };
        let mut totals = [negatives.as_slice(), positives.as_slice()];
        if turned(table) {
            totals.reverse();
        }
        let part = Part { keys: K::within(table.keys())?, totals };
        pool.starts.grow(pool.rows() + part.rows());
        pool.parts.grow(part);
    }
    // Rows of a table cannot be refused.
    sweep(&pool, false).ok()
}

/// A table as rows.
struct Part<'a, K> {
    /// Descending.
    keys: &'a [K],
    /// The rows of class 0, and of class 1, at or above each key.
    totals: [&'a [u64]; 2],
}

impl<K: Key> Part<'_, K> {
    fn rows(&self) -> usize {
        self.upto(self.keys.len())
    }

    /// The rows at the first `keys` keys.
    fn upto(&self, keys: usize) -> usize {
        keys.checked_sub(1)
            .map_or(0, |last| self.totals[0][last] as usize + self.totals[1][last] as usize)
    }

    /// Appends rows to a chunk.
    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) {
        // The first key with a row after the start of the range, and the rows above it.
        let (mut low, mut high) = (0, self.keys.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.upto(middle + 1) <= rows.start {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let [negatives, positives] = self.totals;
        let mut at = low;
        let mut before =
            at.checked_sub(1).map_or([0; 2], |last| [negatives[last], positives[last]]);
        // Some rows of the first key may lie before the range.
        let mut skipped = rows.start - self.upto(at);
        let (mut to, end) = (chunk.len, chunk.len + rows.len());
        let (keys, codes) = (&mut chunk.keys[..end], &mut chunk.codes[..end]);
        while to < end {
            let here = [negatives[at], positives[at]];
            let of_ones = here[1] - before[1];
            let all = (here[0] - before[0] + of_ones) as usize;
            if all == 1 {
                keys[to] = self.keys[at];
                codes[to] = of_ones as u8;
                to += 1;
            } else {
                let len = (all - skipped).min(end - to);
                keys[to..to + len].fill(self.keys[at]);
                let zeros = ((here[0] - before[0]) as usize).saturating_sub(skipped).min(len);
                codes[to..to + zeros].fill(0);
                codes[to + zeros..to + len].fill(1);
                to += len;
                skipped = 0;
            }
            before = here;
            at += 1;
        }
        chunk.len = end;
    }
}

/// The rows of several tables, one table after the other.
struct Pool<'a, K> {
    /// The first row of each part, and the number of all rows.
    starts: Vec<usize>,
    parts: Vec<Part<'a, K>>,
}

impl<K> Pool<'_, K> {
    fn rows(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    fn part_of(&self, row: usize) -> usize {
        self.starts.partition_point(|&start| start <= row) - 1
    }
}

impl<K: TableKey> Rows<K> for Pool<'_, K> {
    fn rows(&self) -> usize {
        self.rows()
    }

    /// Approximately the row, as if all keys of its table had equally many rows.
    fn sample(&self, row: usize) -> Option<K> {
        let place = self.part_of(row);
        let part = self.parts.get(place)?;
        let share = (row - self.starts[place]) as u128 * part.keys.len() as u128;
        part.keys.get((share / part.rows() as u128) as usize).copied()
    }

    fn prefetch(&self, _: Range<usize>) {}

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        chunk.len = 0;
        let mut from = rows.start;
        while from < rows.end {
            let place = self.part_of(from);
            let start = self.starts[place];
            let upto = rows.end.min(self.starts[place + 1]);
            self.parts[place].lower(from - start..upto - start, chunk);
            from = upto;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;

    fn table(rows: &[(bool, i32)], is_single: bool, pos_label: Option<i64>) -> ScoreTable {
        let labels: Vec<i64> = rows.iter().map(|row| row.0.into()).collect();
        let doubles: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 64.0).collect();
        let singles: Vec<f32> = rows.iter().map(|row| row.1 as f32 / 64.0).collect();
        let scores = if is_single {
            Scores::F32(Column::from_slice(&singles))
        } else {
            Scores::F64(Column::from_slice(&doubles))
        };
        let options = SweepOptions {
            pos_label: pos_label.map(|label| Label::Int(label.into())),
            ..SweepOptions::default()
        };
        let labels = Labels::I64(Column::from_slice(&labels));
        score_table(&labels, &scores, None, &options).unwrap()
    }

    /// Rows of tables: many or few ties, some tables with one class.
    fn parts() -> impl Strategy<Value = Vec<Vec<(bool, i32)>>> {
        let rows = (1..3000_i32, 0..4_u8).prop_flat_map(|(most, class)| {
            let label = any::<bool>().prop_map(move |label| match class {
                0 => true,
                1 => false,
                _ => label,
            });
            prop::collection::vec((label, 0..most), 1..400)
        });
        prop::collection::vec(rows, 3..9)
    }

    proptest! {
        #[test]
        fn it_is_the_sum(parts in parts(), is_single: bool, pos_label in prop::option::of(0..2_i64)) {
            let tables: Vec<ScoreTable> =
                parts.iter().map(|rows| table(rows, is_single, pos_label)).collect();
            let sum = tables[1..]
                .iter()
                .try_fold(tables[0].clone(), |sum, part| sum.add(part))
                .unwrap();
            let each: Vec<&ScoreTable> = tables.iter().collect();
            let keys: u128 = tables.iter().map(|table| table.len() as u128).sum();
            match pooled(&each).unwrap() {
                Some(pool) => prop_assert_eq!(pool.to_bytes(), sum.to_bytes()),
                None => prop_assert!(u128::from(sum.rows()) > MOST_ROWS * keys),
            }
        }

        #[test]
        fn any_range_of_rows_is_read(parts in parts(), cuts in prop::collection::vec(0.0..1.0_f64, 0..9)) {
            let tables: Vec<ScoreTable> =
                parts.iter().map(|rows| table(rows, false, Some(1))).collect();
            let mut pool = Pool::<u64> { starts: vec![0], parts: Vec::new() };
            for table in &tables {
                let (Keys::Wide(keys), Masses::Counts(positives, negatives)) =
                    (table.keys(), table.masses())
                else {
                    unreachable!("doubles without weights")
                };
                let part = Part { keys: keys.as_slice(), totals: [&negatives[..], &positives[..]] };
                pool.starts.push(pool.rows() + part.rows());
                pool.parts.push(part);
            }
            let len = pool.rows();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| (cut * len as f64) as usize).collect();
            cuts.extend([0, len]);
            cuts.sort_unstable();
            let mut found = Vec::new();
            for ends in cuts.windows(2) {
                let mut chunk = Chunk::<u64> { keys: vec![0; len], codes: vec![7; len], ..Chunk::new() };
                pool.lower(ends[0]..ends[1], &mut chunk).unwrap();
                prop_assert_eq!(chunk.len, ends[1] - ends[0]);
                found.extend((0..chunk.len).map(|at| (chunk.keys[at], chunk.codes[at])));
            }
            let mut naive = Vec::new();
            for part in &pool.parts {
                let mut before = [0; 2];
                for (place, &key) in part.keys.iter().enumerate() {
                    for (class, before) in before.iter_mut().enumerate() {
                        let here = part.totals[class][place];
                        naive.extend((*before..here).map(|_| (key, class as u8)));
                        *before = here;
                    }
                }
            }
            prop_assert_eq!(found, naive);
        }
    }

    #[test]
    fn labels_that_do_not_go_together_are_refused() {
        let rows = [(false, 1), (true, 2)];
        let own = table(&rows, false, Some(1));
        let other = table(&rows, false, Some(0));
        assert!(pooled(&[&own, &own, &other]).is_err());
        assert!(pooled(&[&own, &own]).unwrap().is_none());
        let narrow = table(&rows, true, Some(1));
        assert!(pooled(&[&own, &own, &narrow]).unwrap().is_none());
    }
}
