//! Ranks the rows of each group.
//!
//! 1. Find the labels, as for a score table.
//! 2. Lower scores to order keys, and move them into buckets of consecutive groups
//!    (`row_keys/buckets.rs`). Beside each key lies the code of its group and class, in the memory
//!    that will hold the positives of the distinct scores.
//! 3. Each bucket is ranked in cache, several at a time: a counting sort brings the keys of each
//!    group and class together, and the two runs of a group become distinct scores. Runs of many
//!    rows are sorted as words with their class (`sort_in_group.rs`), those of small groups apart,
//!    and then merged. The distinct scores overwrite the rows.
//! 4. Where scores are tied, the buckets are closed up.
//! 5. Rows with weights are arranged by group and score (`arrange.rs`), and the weights of each
//!    score are summed exactly.
//!
//! Cost: 8 bytes a group, and 16 bytes a row of 64-bit scores. One group is ranked by one thread, so
//! a group with more than its share of the rows holds up the others.
//!
//! Tried and rejected:
//! - moving keys straight to their group and class (misses the cache for more than some ten thousand
//!   groups: twice the time for a million groups of ten rows);
//! - sorting rows of (score, class), which moves twice the bytes.

use std::borrow::Cow;
use std::ops::Range;
use std::ptr;
use std::slice::IterMut;

use crate::arith::exact::{Span, Weights};
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::ScoreKind;
use crate::base::error::{Result, check_part};
use crate::base::input::{Labels, NanPolicy, OMITTED, Scores};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, Zero, with_room, zeros};
use crate::base::switch::switch_at;
use crate::base::threads::{
    Pieces, joined_by, over_items, over_parts, over_pieces, prefer_huge_pages, zeros_in_parts,
};
use crate::base::wide::prefetch_write;
use crate::labels::binary::{LabelReader, Pair};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{ScoreReader, Stop, TableKey};
use crate::scores::sweep::rows::SweepOptions;

use crate::groups::arrange::arranged;
use crate::groups::masses::{Masses, Tally, copied};
use crate::groups::sort_in_group::{MANY_ROWS, Sorter, merge, unfolded};
use crate::row_keys::buckets::{Bucket, Buckets};

use crate::groups::ranking::GroupRanking;

/// The bytes of a cache line.
const LINE: usize = 64;

/// The number of values that are moved at a time.
const WINDOW: usize = switch_at(1 << 20, 1 << 8);

/// Lowered rows: keys, and classes (0 negative, 1 positive, or [`OMITTED`]).
struct Lowered<K> {
    keys: Vec<K>,
    codes: Vec<u8>,
}

impl GroupRanking {
    /// Ranks rows: `codes` are their groups, below `groups`.
    ///
    /// # Errors
    /// As for a score table; also columns of several lengths.
    pub fn new(
        (codes, groups): (&[u32], usize),
        y_true: &Labels<'_>,
        y_score: &Scores<'_>,
        weights: Option<Weights<'_>>,
        options: &SweepOptions,
    ) -> Result<Self> {
        let mut columns =
            vec![("y_true", y_true.len()), ("y_score", y_score.len()), ("by", codes.len())];
        if let Some(weights) = &weights {
            columns.grow(("sample_weight", weights.len()));
        }
        check_part(&columns, options.takes_no_rows())?;
        let squares = options.weight_kind.squares(weights, "sample_weight")?;
        let reader = LabelReader {
            labels: *y_true,
            nan_policy: options.nan_policy,
            rest: options.rest && options.pos_label.is_some(),
            argument: "y_true",
        };
        let scores = ScoreReader {
            scores: *y_score,
            nan_policy: options.nan_policy,
            infinite: options.infinite,
            argument: "y_score",
        };
        let asked = options.pos_label.as_ref();
        let found = reader.discover([options.pos_label.clone(), None], asked)?;
        let pair = Pair::of(found, asked);
        let labels = BinaryLabels::from_column(y_true, pair, options.pos_label.clone());
        let of = (codes, groups);
        let kind = y_score.kind();
        if kind.is_wide() {
            ranked::<u64>(of, (&reader, &scores), weights, squares.as_deref(), labels, kind)
        } else {
            ranked::<u32>(of, (&reader, &scores), weights, squares.as_deref(), labels, kind)
        }
    }
}

fn lowered<K: TableKey + Zero>(
    labels: &LabelReader<'_>,
    scores: &ScoreReader<'_>,
    pair: &Pair,
    rows: usize,
) -> Result<Lowered<K>> {
    let mut all = Lowered { keys: zeros_in_parts(rows), codes: zeros_in_parts(rows) };
    over_items(
        rows,
        &|row| row,
        (&mut all.keys[..], &mut all.codes[..]),
        |part, (keys, codes)| {
            for rows in chunks(part.clone()) {
                let own = rows.start - part.start..rows.end - part.start;
                let codes = &mut codes[own.clone()];
                labels.lower(rows.clone(), pair, codes)?;
                scores.lower(rows, &mut keys[own], codes).map_err(Stop::refusal)?;
            }
            Ok(())
        },
    )?;
    Ok(all)
}

fn ranked<K: TableKey + Zero>(
    of: (&[u32], usize),
    (labels, scores): (&LabelReader<'_>, &ScoreReader<'_>),
    weights: Option<Weights<'_>>,
    squares: Option<&[f64]>,
    pair: BinaryLabels,
    kind: ScoreKind,
) -> Result<GroupRanking> {
    let Some(weights) = weights else {
        return counted::<K>(of, (labels, scores), pair, kind);
    };
    let (codes, groups) = of;
    let all = lowered::<K>(labels, scores, &pair.pair, codes.len())?;
    let (own, span) = signed(weights, &all.codes)?;
    let squares = squares.map(|squares| signed(Weights::from_slice(squares), &all.codes));
    let squares = squares.transpose()?;
    let kept = kept_rows(codes, all, |row| own[row] != 0.0)?;
    let arranged = arranged(&kept.groups, groups, &kept.lowered.keys, |a, b| b.cmp(a))?;
    let weigh = |values: &[f64], span| {
        arranged.weighed::<2>(span, |entry| {
            let value = values[kept.row(entry)];
            (usize::from(value.is_sign_negative()), value.abs())
        })
    };
    let squares = squares.map(|(squares, span)| weigh(&squares, span));
    Ok(GroupRanking {
        kind,
        labels: pair,
        masses: Masses::Weights(weigh(&own, span)?),
        squares: squares.transpose()?,
        rows: Some(Tally::of(arranged.lens_of_groups())),
        starts: arranged.starts,
        keys: K::keys(arranged.keys),
    }
    .settled())
}

/// A copy of weights, negative where the row is, and their span.
fn signed(weights: Weights<'_>, classes: &[u8]) -> Result<(Vec<f64>, Span)> {
    let (mut own, span) = copied(weights)?;
    over_pieces(&mut own, |rows, own| {
        for (weight, &class) in own.iter_mut().zip(&classes[rows]) {
            *weight = if class == 1 { *weight } else { -*weight };
        }
        Ok(())
    })?;
    Ok((own, span))
}

/// Rows without those that are left out.
struct Kept<'a, K> {
    groups: Cow<'a, [u32]>,
    lowered: Lowered<K>,
    /// Their rows; none if all are kept.
    rows: Option<Vec<usize>>,
}

impl<K> Kept<'_, K> {
    fn row(&self, entry: usize) -> usize {
        self.rows.as_ref().map_or(entry, |rows| rows[entry])
    }
}

/// The rows that have a label, and for which `is_kept`.
fn kept_rows<K: TableKey>(
    groups: &[u32],
    lowered: Lowered<K>,
    is_kept: impl Fn(usize) -> bool + Sync,
) -> Result<Kept<'_, K>> {
    let is_kept = |&row: &usize| lowered.codes[row] != OMITTED && is_kept(row);
    let rows = over_parts(groups.len(), |part| Ok(part.filter(is_kept).gather()))?;
    if rows.iter().map(Vec::len).sum::<usize>() == groups.len() {
        return Ok(Kept { groups: Cow::Borrowed(groups), lowered, rows: None });
    }
    let rows = joined_by(rows, |_, row| row)?;
    Ok(Kept {
        groups: Cow::Owned(rows.iter().map(|&row| groups[row]).gather()),
        lowered: Lowered {
            keys: rows.iter().map(|&row| lowered.keys[row]).gather(),
            codes: rows.iter().map(|&row| lowered.codes[row]).gather(),
        },
        rows: Some(rows),
    })
}

fn counted<K: TableKey + Zero>(
    (codes, groups): (&[u32], usize),
    (labels, scores): (&LabelReader<'_>, &ScoreReader<'_>),
    pair: BinaryLabels,
    kind: ScoreKind,
) -> Result<GroupRanking> {
    let rows = codes.len();
    if scores.nan_policy == NanPolicy::Omit || rows >= u32::MAX as usize {
        return counted_by_place::<K>((codes, groups), (labels, scores), pair, kind);
    }
    let buckets = Buckets::new(codes, groups)?;
    let mut keys: Vec<K> = zeros(rows);
    prefer_huge_pages(&mut keys);
    // The positives of each distinct score, then the negatives. The groups and classes of the rows
    // lie where the positives will be.
    let mut counts: Vec<u32> = vec![0; 2 * rows];
    prefer_huge_pages(&mut counts);
    let move_part = |part: Range<usize>, places: &mut [(IterMut<'_, K>, IterMut<'_, u32>)]| {
        let (mut lowered, mut classes) = ([K::default(); CHUNK], [0_u8; CHUNK]);
        for chunk in chunks(part) {
            let (lowered, classes) = (&mut lowered[..chunk.len()], &mut classes[..chunk.len()]);
            labels.lower(chunk.clone(), &pair.pair, classes)?;
            scores.lower(chunk.clone(), lowered, classes).map_err(Stop::refusal)?;
            move_rows(&buckets, (&codes[chunk], classes, lowered), places);
        }
        Ok(())
    };
    let outputs = (&mut keys[..], &mut counts[..rows]);
    let moved =
        buckets.over_parts(outputs, |(keys, codes)| (keys.iter_mut(), codes.iter_mut()), move_part);
    if let Err(refusal) = moved {
        // A wrong label is refused before any score.
        over_parts(rows, |part| {
            let mut classes = [0; CHUNK];
            for chunk in chunks(part) {
                let classes = &mut classes[..chunk.len()];
                labels.lower(chunk, &pair.pair, classes)?;
            }
            Ok(())
        })?;
        return Err(refusal);
    }
    ranked_buckets(&buckets, keys, counts, pair, kind)
}

/// Moves keys to their buckets, and beside each the code of its group and class.
///
/// The second next cache line is prefetched, as the hardware does not follow a thousand streams.
#[inline(never)]
fn move_rows<K: TableKey>(
    buckets: &Buckets,
    (groups, classes, keys): (&[u32], &[u8], &[K]),
    places: &mut [(IterMut<'_, K>, IterMut<'_, u32>)],
) {
    for ((&group, &class), &key) in groups.iter().zip(classes).zip(keys) {
        let (keys, codes) = &mut places[buckets.of(group)];
        if let (Some(place), Some(code)) = (keys.next(), codes.next()) {
            prefetch_write(ptr::from_ref(place).wrapping_byte_add(2 * LINE));
            prefetch_write(ptr::from_ref(code).wrapping_byte_add(2 * LINE));
            *place = key;
            *code = group.wrapping_mul(2) | u32::from(class & 1);
        }
    }
}

/// As [`counted`], where rows are left out, or where 32 bits cannot count the rows.
fn counted_by_place<K: TableKey + Zero>(
    (codes, groups): (&[u32], usize),
    (labels, scores): (&LabelReader<'_>, &ScoreReader<'_>),
    pair: BinaryLabels,
    kind: ScoreKind,
) -> Result<GroupRanking> {
    let all = lowered::<K>(labels, scores, &pair.pair, codes.len())?;
    let kept = kept_rows(codes, all, |_| true)?;
    let arranged = arranged(&kept.groups, groups, &kept.lowered.keys, |a, b| b.cmp(a))?;
    let classes = &kept.lowered.codes;
    let counts = arranged.sums(|counts: &mut [u64; 2], entry| {
        counts[usize::from(classes[entry] != 1)] += 1;
    })?;
    Ok(GroupRanking {
        kind,
        labels: pair,
        starts: arranged.starts,
        keys: K::keys(arranged.keys),
        masses: Masses::Counts(Tally::of(counts)),
        squares: None,
        rows: None,
    })
}

/// Buckets that are ranked: the memory of their rows, and of their groups.
struct Unranked<'a, K> {
    buckets: &'a [Bucket],
    keys: &'a mut [K],
    /// Twice the group plus the class of each row, modulo 2^32; later the positives of each distinct
    /// score.
    codes: &'a mut [u32],
    negatives: &'a mut [u32],
    /// The number of distinct scores up to each group.
    ends: &'a mut [u64],
}

impl<K: Send> Pieces for Unranked<'_, K> {
    fn split(self, len: usize) -> (Self, Self) {
        let (buckets, others) = self.buckets.split_at(len);
        let rows = buckets.iter().map(|bucket| bucket.rows.len()).sum();
        let groups = buckets.iter().map(|bucket| bucket.groups.len()).sum();
        let (keys, other_keys) = self.keys.split(rows);
        let (codes, other_codes) = self.codes.split(rows);
        let (negatives, other_negatives) = self.negatives.split(rows);
        let (ends, other_ends) = self.ends.split(groups);
        (
            Self { buckets, keys, codes, negatives, ends },
            Self {
                buckets: others,
                keys: other_keys,
                codes: other_codes,
                negatives: other_negatives,
                ends: other_ends,
            },
        )
    }
}

/// Turns the rows of each bucket into distinct scores, and closes the gaps between buckets.
fn ranked_buckets<K: TableKey + Zero>(
    all: &Buckets,
    mut keys: Vec<K>,
    mut counts: Vec<u32>,
    labels: BinaryLabels,
    kind: ScoreKind,
) -> Result<GroupRanking> {
    let (rows, buckets) = (keys.len(), &all.all[..]);
    let groups = buckets.last().map_or(0, |bucket| bucket.groups.end);
    let mut starts: Vec<u64> = zeros_in_parts(groups + 1);
    let (codes, negatives) = counts.split_at_mut(rows);
    let pieces = Unranked { buckets, keys: &mut keys, codes, negatives, ends: &mut starts[1..] };
    let before = |bucket| all.before(bucket);
    let distinct = over_items(buckets.len(), &before, pieces, |_, mut rest| {
        let mut ranker = Ranker::default();
        let mut distinct = with_room(rest.buckets.len());
        while let [bucket, ..] = rest.buckets {
            let (own, others) = rest.split(1);
            distinct.push(ranker.rank(bucket, own));
            rest = others;
        }
        Ok(distinct)
    })?;
    let mut runs = with_room(2 * buckets.len());
    let mut moves: Vec<u64> = with_room(buckets.len());
    let mut len = 0;
    for (bucket, distinct) in buckets.iter().zip(distinct.into_iter().flatten()) {
        let start = bucket.rows.start;
        runs.push(start..start + distinct);
        moves.push((start - len) as u64);
        len += distinct;
    }
    if len < rows {
        over_pieces(&mut starts[1..], |groups, ends| {
            let first = buckets.partition_point(|bucket| bucket.groups.end <= groups.start);
            for (bucket, by) in buckets.iter().zip(&moves).skip(first) {
                let own = bucket.groups.start.max(groups.start)..bucket.groups.end.min(groups.end);
                if own.is_empty() {
                    break;
                }
                for end in &mut ends[own.start - groups.start..own.end - groups.start] {
                    *end -= by;
                }
            }
            Ok(())
        })?;
        close_up(&mut keys, &runs)?;
        let both =
            runs.iter().cloned().chain(runs.iter().map(|run| run.start + rows..run.end + rows));
        let both: Vec<_> = both.gather();
        close_up(&mut counts, &both)?;
    }
    Ok(GroupRanking {
        kind,
        labels,
        starts,
        keys: K::keys(keys),
        masses: Masses::Counts(Tally::Narrow(counts)),
        squares: None,
        rows: None,
    })
}

/// Ranks buckets one after the other, in the same memory.
#[derive(Default)]
struct Ranker<K> {
    sorter: Sorter,
    keys: Vec<K>,
    starts: Vec<u32>,
}

impl<K: TableKey> Ranker<K> {
    /// Overwrites rows by distinct scores, and returns how many there are.
    fn rank(&mut self, bucket: &Bucket, of: Unranked<'_, K>) -> usize {
        let Unranked { keys, codes, negatives, ends, .. } = of;
        let (rows, groups) = (keys.len(), ends.len());
        interrupt::check();
        if groups == 1
            && rows >= MANY_ROWS
            && let Some((words, folding)) = self.sorter.sorted_mixed(keys, codes)
        {
            codes.fill(0);
            let len = unfolded(words, folding, (keys, codes, negatives));
            ends[0] = (bucket.rows.start + len) as u64;
            return len;
        }
        let first = (bucket.groups.start as u32).wrapping_mul(2);
        let starts = &mut self.starts;
        starts.clear();
        starts.grow_to(2 * groups + 1, 0);
        for code in &*codes {
            starts[code.wrapping_sub(first) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut *starts {
            sum += *start;
            *start = sum;
        }
        if self.keys.len() < rows {
            self.keys.grow_to(rows, K::default());
        }
        let own = &mut self.keys[..rows];
        // At the end each start is that of the next group and class.
        for (code, &key) in codes.iter().zip(&*keys) {
            let to = &mut starts[code.wrapping_sub(first) as usize];
            own[*to as usize] = key;
            *to += 1;
        }
        codes.fill(0);
        let (mut start, mut len, mut since) = (0, 0, 0);
        for (group, of_group) in ends.iter_mut().enumerate() {
            let (middle, end) = (starts[2 * group] as usize, starts[2 * group + 1] as usize);
            since += end - start;
            if since > CHUNK {
                interrupt::check();
                since = 0;
            }
            let to = (&mut keys[len..], &mut codes[len..], &mut negatives[len..]);
            let sorted = if end - start < MANY_ROWS {
                None
            } else {
                self.sorter.sorted(&own[start..end], middle - start)
            };
            len += if let Some((words, folding)) = sorted {
                unfolded(words, folding, to)
            } else {
                let (n, p) = own[start..end].split_at_mut(middle - start);
                n.sort_unstable();
                p.sort_unstable();
                merge(n, p, to)
            };
            *of_group = (bucket.rows.start + len) as u64;
            start = end;
        }
        len
    }
}

/// Moves ascending runs of values to the front, without gaps, and frees the rest.
///
/// Windows of values are copied out and then to their places, each time by all threads: the values
/// that one run overwrites belong to others.
fn close_up<V: Copy + Send + Sync + Zero>(
    values: &mut Vec<V>,
    runs: &[Range<usize>],
) -> Result<()> {
    let mut ends = with_room(runs.len());
    let mut len = 0;
    for run in runs {
        len += run.len();
        ends.push(len);
    }
    let mut window: Vec<V> = zeros(len.min(WINDOW));
    let mut at = 0;
    while at < len {
        let window = &mut window[..(len - at).min(WINDOW)];
        let from = &values[..];
        over_pieces(window, |range, piece| {
            let (mut to, mut rest) = (at + range.start, piece);
            let mut run = ends.partition_point(|&end| end <= to);
            while !rest.is_empty() {
                interrupt::check();
                let left = ends[run] - to;
                let (own, others) = rest.split(left.min(rest.len()));
                let source = runs[run].end - left;
                own.copy_from_slice(&from[source..source + own.len()]);
                (to, rest, run) = (to + own.len(), others, run + 1);
            }
            Ok(())
        })?;
        let window = &*window;
        over_pieces(&mut values[at..at + window.len()], |range, piece| {
            piece.copy_from_slice(&window[range]);
            Ok(())
        })?;
        at += window.len();
    }
    values.truncate(len);
    values.shrink_to_fit();
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::arith::weight_kind::WeightKind;
    use crate::base::column::Column;
    use crate::groups::made::{KINDS, rows};
    use crate::scores::score_table::Side;
    use crate::scores::sweep::all_thresholds::score_table;

    fn options(kind: Option<WeightKind>, nan_policy: NanPolicy) -> SweepOptions {
        SweepOptions {
            pos_label: Some(crate::base::input::Label::Int(1)),
            weight_kind: kind.unwrap_or_default(),
            nan_policy,
            ..SweepOptions::default()
        }
    }

    #[test]
    fn tables_and_areas_are_those_of_each_group_alone() {
        for (len, groups) in [(2, 1), (60, 4), (3000, 40), (3000, 2900)] {
            for (ties, is_single, kind) in
                [false, true].into_iter().flat_map(|ties| KINDS.map(|kind| (ties, ties, kind)))
            {
                let all = rows(len, groups, 2, ties, len as u64);
                let ranking = all.rank(groups as usize, kind, is_single);
                let areas = ranking.areas().unwrap();
                for (group, &found) in areas.iter().enumerate() {
                    let own = all.kept(|row| all.codes[row] as usize == group);
                    let table = ranking.table(group);
                    if own.codes.is_empty() {
                        assert!(table.is_empty() && found.is_nan());
                        continue;
                    }
                    let singles: Vec<f32> = own.scores.iter().map(|&score| score as f32).collect();
                    let scores = if is_single {
                        Scores::of::<f32>(Column::from_slice(&singles))
                    } else {
                        Scores::of::<f64>(Column::from_slice(&own.scores))
                    };
                    let labels = Labels::of::<i64>(Column::from_slice(&own.actual));
                    let weights = kind.map(|_| Column::from_slice(&own.weights));
                    let options = options(kind, NanPolicy::Raise);
                    let alone = score_table(&labels, &scores, weights, &options).unwrap();
                    let alone = alone.labelled(table.labels().clone());
                    assert_eq!(table, alone);
                    assert_eq!(ranking.rows(group), alone.rows());
                    let area = crate::scores::ranking::Ranking::from(alone.clone()).roc_auc();
                    let area = area.unwrap_or(f64::NAN);
                    assert!(
                        found.to_bits() == area.to_bits()
                            || (found - area).abs() < 1e-15
                            || (area.is_nan() && found.is_nan())
                    );
                    for threshold in [f64::NEG_INFINITY, -0.25, 0.1, 0.25, 1e9, f64::INFINITY] {
                        let at = ranking.threshold(threshold);
                        let expected = alone.at(threshold, Side::GreaterEqual);
                        assert_eq!(ranking.table_at(group, at), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn parts_of_rows_add_up() {
        for kind in KINDS {
            let all = rows(400, 9, 2, true, 7);
            let whole = all.rank(9, kind, false);
            let same: Vec<u32> = (0..9).chain(0..9).collect();
            for cut in [2, 100, 399] {
                let (a, b) = (all.kept(|row| row < cut), all.kept(|row| row >= cut));
                let (a, b) = (a.rank(9, kind, false), b.rank(9, kind, false));
                assert_eq!(a.added(&b, &same, 9).unwrap(), whole);
                assert_eq!(b.added(&a, &same, 9).unwrap(), whole);
            }
            let coarse: Vec<u32> = (0..9).map(|group| group / 4).collect();
            let mut fewer = all.kept(|_| true);
            fewer.codes = all.codes.iter().map(|&code| code / 4).collect();
            assert_eq!(whole.moved(&coarse, 3).unwrap(), fewer.rank(3, kind, false));
        }
    }

    #[test]
    fn pairs_are_those_of_all_positive_and_negative_rows() {
        let all = rows(120, 6, 2, true, 3);
        for kind in KINDS {
            let weight = |row: usize| {
                if kind.is_some() { all.weights[row] } else { 1.0 }
            };
            let (mut within, mut both) = ([0.0; 2], [0.0; 2]);
            for i in (0..120).filter(|&row| all.actual[row] == 1) {
                for j in (0..120).filter(|&row| all.actual[row] == 0) {
                    let pair = weight(i) * weight(j);
                    let won = match all.scores[i].total_cmp(&all.scores[j]) {
                        Ordering::Less => 0.0,
                        Ordering::Equal => 0.5,
                        Ordering::Greater => 1.0,
                    };
                    for sums in
                        [Some(&mut both), (all.codes[i] == all.codes[j]).then_some(&mut within)]
                            .into_iter()
                            .flatten()
                    {
                        sums[0] += won * pair;
                        sums[1] += pair;
                    }
                }
            }
            let (found, whole) = all.rank(6, kind, false).pairs().unwrap();
            for (pairs, sums) in [(found, within), (whole, both)] {
                assert!((pairs.won.to_f64() - sums[0]).abs() < 1e-9);
                assert!((pairs.all.to_f64() - sums[1]).abs() < 1e-9);
            }
        }
    }
}
