//! The distinct scores of each group, from high to low, with the counts or weights of both classes.
//!
//! 1. Find the labels, as for a score table.
//! 2. Lower scores to order keys, and move them into buckets of consecutive groups (`buckets.rs`).
//!    Beside each key lies the code of its group and class, in the memory that will hold the
//!    positives of the distinct scores.
//! 3. Each bucket is ranked in cache, several at a time: a counting sort brings the keys of each
//!    group and class together, and the two runs of a group become distinct scores. Runs of many
//!    rows are sorted as words with their class (`sort_in_group.rs`), those of small groups apart,
//!    and then merged. The distinct scores overwrite the rows.
//! 4. Where scores are tied, the buckets are closed up.
//! 5. Rows with weights are sorted with their numbers, by one thread; their weights are summed
//!    exactly at the places of their scores.
//!
//! Cost: 8 bytes a group, and 16 bytes a row of 64-bit scores. One group is ranked by one thread, so
//! a group with more than its share of the rows holds up the others.
//!
//! Tried and rejected:
//! - moving keys straight to their group and class (misses the cache for more than some ten thousand
//!   groups: twice the time for a million groups of ten rows);
//! - sorting rows of (score, class), which moves twice the bytes.

use std::cmp::Ordering;
use std::ops::Range;
use std::ptr;
use std::slice::IterMut;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Weights};
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::ScoreKind;
use crate::base::error::{Refusal, Result, check_part};
use crate::base::input::{LabelKind, Labels, NanPolicy, OMITTED, Scores};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, Zero, with_room, zeros, zeros_in_parts};
use crate::base::switch::switch_at;
use crate::base::threads::{Pieces, over_items, over_parts, over_pieces};
use crate::base::wide::{prefer_huge_pages, prefetch_write};
use crate::labels::binary::{LabelReader, Pair};
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::{Keys, ScoreReader, Stop, TableKey, check_weights};
use crate::scores::merge::{common_kind_of, promoted};
use crate::scores::score_table;
use crate::scores::score_table::{ScoreTable, order_of};
use crate::scores::sweep::rows::SweepOptions;

use crate::groups::arrange::arranged;
use crate::groups::buckets::{Bucket, Buckets};
use crate::groups::masses::{Masses, Tally, added_sums, sums_bytes};
use crate::groups::sort_in_group::{MANY_ROWS, Sorter, merge, unfolded};

/// The bytes of a cache line.
const LINE: usize = 64;

/// The number of values that are moved at a time.
const WINDOW: usize = switch_at(1 << 20, 1 << 8);

/// The distinct scores of each group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupRanking {
    pub(crate) kind: ScoreKind,
    pub(crate) labels: BinaryLabels,
    /// The scores of group `g` are `starts[g]..starts[g + 1]`.
    pub(crate) starts: Vec<u64>,
    /// From high to low in each group.
    pub(crate) keys: Keys,
    /// For each distinct score its positives, then for each distinct score its negatives.
    pub(crate) masses: Masses,
    /// The sums of squared weights, if the weights are sampling weights.
    pub(crate) squares: Option<ExactSums>,
    /// The number of rows of each group with a weight above zero, if rows have weights.
    pub(crate) rows: Option<Tally>,
}

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

    /// How many bytes the ranking takes.
    pub fn bytes(&self) -> usize {
        let keys = self.keys.len() * if self.kind.is_wide() { 8 } else { 4 };
        let masses = match &self.masses {
            Masses::Counts(counts) => counts.bytes(),
            Masses::Weights(sums) => sums_bytes(sums),
        };
        self.starts.len() * 8
            + keys
            + masses
            + self.squares.as_ref().map_or(0, sums_bytes)
            + self.rows.as_ref().map_or(0, Tally::bytes)
    }

    /// The number of groups.
    pub fn groups(&self) -> usize {
        self.starts.len() - 1
    }

    /// The two labels.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// What the weights mean.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    /// Whether rows have weights.
    pub fn is_weighted(&self) -> bool {
        self.masses.are_weights()
    }

    pub(crate) fn range(&self, group: usize) -> Range<usize> {
        self.starts[group] as usize..self.starts[group + 1] as usize
    }

    /// The number of distinct scores of a group.
    pub fn scores(&self, group: usize) -> usize {
        self.range(group).len()
    }

    /// The number of rows of a group, without rows of weight zero.
    pub fn rows(&self, group: usize) -> u64 {
        match (&self.rows, &self.masses) {
            (Some(rows), _) => rows.get(group),
            (None, Masses::Counts(counts)) => {
                let [positives, negatives] = self.both(group);
                counts.sum(positives) + counts.sum(negatives)
            }
            (None, Masses::Weights(_)) => 0,
        }
    }

    pub(crate) fn both(&self, group: usize) -> [Range<usize>; 2] {
        let (range, half) = (self.range(group), self.keys.len());
        [range.clone(), range.start + half..range.end + half]
    }

    /// The sum of a range of places, rounded once.
    fn sum(&self, places: Range<usize>) -> f64 {
        match &self.masses {
            Masses::Counts(counts) => counts.sum(places) as f64,
            Masses::Weights(sums) => sum_of(sums, places),
        }
    }

    /// The positives and the negatives of a group: counts or weights.
    pub fn totals(&self, group: usize) -> (f64, f64) {
        let [positives, negatives] = self.both(group);
        (self.sum(positives), self.sum(negatives))
    }

    /// Runs `work` over consecutive groups with about equally many scores, and the pieces of
    /// `outputs` of the same groups; returns the results in the order of the groups.
    ///
    /// # Errors
    /// The refusal of the earliest groups for which `work` refuses.
    pub fn over_groups<P: Pieces, T: Send>(
        &self,
        outputs: P,
        work: impl Fn(Range<usize>, P) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        over_items(self.groups(), &|group| self.before(group) + group, outputs, work)
    }

    /// How many distinct scores lie before a group.
    pub fn before(&self, group: usize) -> usize {
        self.starts[group] as usize
    }

    /// Whether all scores lie in [0, 1].
    ///
    /// # Errors
    /// None but for memory.
    pub fn are_probabilities(&self) -> Result<bool> {
        let extents = self.over_groups((), |groups, ()| {
            let (mut low, mut high) = (u64::MAX, 0);
            for group in groups {
                interrupt::check_at(group);
                let range = self.range(group);
                if !range.is_empty() {
                    high = high.max(self.keys.get(range.start));
                    low = low.min(self.keys.get(range.end - 1));
                }
            }
            Ok((low, high))
        })?;
        let is_probability = |key| (0.0..=1.0).contains(&self.kind.score(key));
        let is_within =
            |&(low, high): &(u64, u64)| low > high || (is_probability(low) && is_probability(high));
        Ok(extents.iter().all(is_within))
    }

    /// The two-by-two table of a group at a threshold: scores at or above it are predicted
    /// positive.
    pub fn table_at(&self, group: usize, threshold: Threshold) -> BinaryCounts {
        let range = self.range(group);
        let (first, half) = (range.start, self.keys.len());
        let cut =
            first + partition(range.len(), |at| threshold.is_reached(self.keys.get(first + at)));
        let sum = |places| self.sum(places);
        BinaryCounts {
            tp: sum(first..cut),
            fp: sum(first + half..cut + half),
            fn_: sum(cut..range.end),
            tn: sum(cut + half..range.end + half),
        }
    }

    /// The 2×2 table of squared weights at a threshold, if the weights are sampling weights.
    pub fn squares_at(&self, group: usize, threshold: Threshold) -> Option<BinaryCounts> {
        let squares = self.squares.as_ref()?;
        let range = self.range(group);
        let (first, half) = (range.start, self.keys.len());
        let cut =
            first + partition(range.len(), |at| threshold.is_reached(self.keys.get(first + at)));
        Some(BinaryCounts {
            tp: sum_of(squares, first..cut),
            fp: sum_of(squares, first + half..cut + half),
            fn_: sum_of(squares, cut..range.end),
            tn: sum_of(squares, cut + half..range.end + half),
        })
    }

    /// A threshold in the keys of these scores. No score reaches a NaN threshold.
    pub fn threshold(&self, threshold: f64) -> Threshold {
        let reaches = |key: u64| order_of(self.kind, key, threshold).is_some_and(Ordering::is_ge);
        let greatest = u128::from(self.kind.greatest());
        if threshold.is_nan() {
            return Threshold(greatest + 1);
        }
        // Keys beyond the key of infinity are no numbers.
        let end = if self.kind.is_float() {
            u128::from(self.kind.key_of_float(f64::INFINITY)) + 1
        } else {
            greatest + 1
        };
        let (mut low, mut high) = (0, end);
        while low < high {
            let middle = low.midpoint(high);
            if reaches(middle as u64) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if low == end {
            low = greatest; // a NaN that is ranked best reaches every threshold
        }
        Threshold(low)
    }

    /// The score table of a group. It equals the table of the group's rows to the bit, but has the
    /// labels of all rows.
    pub fn table(&self, group: usize) -> ScoreTable {
        let range = self.range(group);
        let keys = match &self.keys {
            Keys::Narrow(keys) => Keys::Narrow(keys[range.clone()].copy_all()),
            Keys::Wide(keys) => Keys::Wide(keys[range.clone()].copy_all()),
        };
        let both = self.both(group);
        let masses = match &self.masses {
            Masses::Counts(counts) => {
                let [positives, negatives] = both.clone().map(|range| -> Vec<u64> {
                    let mut sum = 0;
                    let add = |place| {
                        sum += counts.get(place);
                        sum
                    };
                    range.map(add).gather()
                });
                score_table::Masses::Counts(positives, negatives)
            }
            Masses::Weights(sums) => running_weights(sums, self.rows(group), both.clone()),
        };
        let table = ScoreTable::from_sweep(self.kind, keys, masses, self.labels.clone());
        let Some(squares) = &self.squares else {
            return table;
        };
        let masses = running_weights(squares, self.rows(group), both);
        let keys = table.keys().clone();
        let squares = ScoreTable::from_sweep(self.kind, keys, masses, self.labels.clone());
        table.beside(Some(Box::new(squares)))
    }

    /// Merges groups: group `g` becomes `codes[g]`.
    pub(crate) fn moved(&self, codes: &[u32], groups: usize) -> Self {
        let of_scores = self.codes_of_scores(codes);
        let arranged = Entries::of(&self.keys, &of_scores, groups);
        let part = arranged.whole();
        Self {
            kind: self.kind,
            labels: self.labels.clone(),
            masses: part.moved(&self.masses, false),
            squares: (self.squares.as_ref()).map(|squares| part.moved_sums(squares, false)),
            rows: (self.rows.as_ref()).map(|rows| moved_rows(rows, codes, groups)),
            starts: arranged.starts,
            keys: arranged.keys,
        }
        .settled()
    }

    /// The new group of each distinct score; `codes` has the new group of each group.
    fn codes_of_scores(&self, codes: &[u32]) -> Vec<u32> {
        let mut of_scores = with_room(self.keys.len());
        for (group, &code) in codes.iter().enumerate() {
            of_scores.grow_with(self.range(group).map(|_| code));
        }
        of_scores
    }

    /// A ranking of no groups, with these labels and the same kinds of scores and weights.
    pub(crate) fn none_with(&self, labels: &BinaryLabels) -> Self {
        let keys = match &self.keys {
            Keys::Narrow(_) => Keys::Narrow(Vec::new()),
            Keys::Wide(_) => Keys::Wide(Vec::new()),
        };
        let is_text = |labels: &BinaryLabels| labels.kind == LabelKind::Text;
        let is_alike = is_text(&self.labels) == is_text(labels);
        Self {
            kind: self.kind,
            labels: BinaryLabels {
                kind: if is_alike { self.labels.kind } else { labels.kind },
                ..labels.clone()
            },
            starts: vec![0],
            keys,
            masses: self.masses.none(),
            squares: self.squares.as_ref().map(|_| ExactSums::new(0)),
            rows: self.rows.as_ref().map(|_| Tally::of(Vec::new())),
        }
    }

    /// The ranking of the groups of both: `codes` has the common group of each group here, then of
    /// each there.
    ///
    /// # Errors
    /// [`Refusal::Merge`] as for score tables.
    pub(crate) fn added(&self, other: &Self, codes: &[u32], groups: usize) -> Result<Self> {
        let labels = self.labels.add(&other.labels)?;
        let kinds = [(self.kind, &self.keys), (other.kind, &other.keys)];
        let kind = common_kind_of(kinds).ok_or_else(|| Refusal::Merge {
            reason: format!("no type holds scores of {:?} and {:?} exactly", self.kind, other.kind),
        })?;
        let (own, their) = codes.split_at(self.groups());
        let mut of_scores = self.codes_of_scores(own);
        let first = of_scores.len();
        of_scores.grow_by(&other.codes_of_scores(their));
        let keys = match (
            promoted(&self.keys, self.kind, kind),
            promoted(&other.keys, other.kind, kind),
        ) {
            (Keys::Narrow(mut keys), Keys::Narrow(more)) => {
                keys.grow_by(&more);
                Keys::Narrow(keys)
            }
            (Keys::Wide(mut keys), Keys::Wide(more)) => {
                keys.grow_by(&more);
                Keys::Wide(keys)
            }
            _ => {
                return Err(Refusal::Merge { reason: "scores of two widths".to_owned() });
            }
        };
        let arranged = Entries::of(&keys, &of_scores, groups);
        let (a, b) = arranged.split(first);
        let turned = [self.labels.turned(&labels), other.labels.turned(&labels)];
        let masses = a.moved(&self.masses, turned[0]);
        let masses = masses.added(b.moved(&other.masses, turned[1]))?;
        let squares = added_sums(
            (self.squares.as_ref()).map(|squares| a.moved_sums(squares, turned[0])),
            (other.squares.as_ref()).map(|squares| b.moved_sums(squares, turned[1])),
        )?;
        let rows = match (&self.rows, &other.rows) {
            (Some(x), Some(y)) => {
                let x = moved_rows(x, own, groups);
                Some(x.added(moved_rows(y, their, groups))?)
            }
            _ => None,
        };
        Ok(Self {
            kind,
            labels,
            starts: arranged.starts,
            keys: arranged.keys,
            masses,
            squares,
            rows,
        }
        .settled())
    }

    /// The ranking with canonical sums, which depend on the weights alone.
    pub(crate) fn settled(mut self) -> Self {
        if let Masses::Weights(sums) = self.masses {
            self.masses = Masses::Weights(sums.canonical());
        }
        self.squares = self.squares.map(ExactSums::canonical);
        self
    }
}

/// The least key that reaches a threshold.
#[derive(Clone, Copy, Debug)]
pub struct Threshold(u128);

impl Threshold {
    #[inline]
    fn is_reached(self, key: u64) -> bool {
        u128::from(key) >= self.0
    }
}

/// The first place where `holds` is false.
fn partition(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    score_table::first_place(len, |place| !holds(place))
}

fn sum_of(sums: &ExactSums, places: Range<usize>) -> f64 {
    fn run<F: Fixed>(sums: &[F], quantum: i32) -> f64 {
        sums.iter().fold(F::default(), |sum, &more| sum.plus(more)).to_f64(quantum)
    }
    let quantum = sums.span().quantum();
    match sums.sums() {
        Sums::Narrow(sums) => run(&sums[places], quantum),
        Sums::Wide(sums) => run(&sums[places], quantum),
    }
}

/// Running totals of a group's weights.
fn running_weights(
    sums: &ExactSums,
    rows: u64,
    [positives, negatives]: [Range<usize>; 2],
) -> score_table::Masses {
    fn run<F: Fixed>(sums: &[F], places: [Range<usize>; 2]) -> Vec<F> {
        let mut totals = with_room(places.iter().map(Range::len).sum());
        for places in places {
            let mut total = F::default();
            for &sum in &sums[places] {
                total = total.plus(sum);
                totals.push(total);
            }
        }
        totals
    }
    let places = [positives, negatives];
    let totals = match sums.sums() {
        Sums::Narrow(sums) => Sums::Narrow(run(sums, places)),
        Sums::Wide(sums) => Sums::Wide(run(sums, places)),
    };
    // The totals have the width of the same span.
    let totals = ExactSums::from_parts(sums.span(), totals).unwrap_or_else(|| ExactSums::new(0));
    score_table::Masses::from_weights(totals, rows)
}

/// Entries at their new places.
struct Entries {
    starts: Vec<u64>,
    keys: Keys,
    places: Vec<usize>,
}

/// Entries of one source, whose new places among `len` distinct scores are known.
struct Part<'a> {
    places: &'a [usize],
    len: usize,
}

impl Entries {
    fn of(keys: &Keys, codes: &[u32], groups: usize) -> Self {
        fn run<K: TableKey>(keys: &[K], codes: &[u32], groups: usize) -> Entries {
            let arranged = arranged(codes, groups, keys, |a, b| b.cmp(a));
            Entries {
                starts: arranged.starts,
                keys: K::keys(arranged.keys),
                places: arranged.places,
            }
        }
        match keys {
            Keys::Narrow(keys) => run(keys, codes, groups),
            Keys::Wide(keys) => run(keys, codes, groups),
        }
    }

    fn whole(&self) -> Part<'_> {
        Part { places: &self.places, len: self.keys.len() }
    }

    fn split(&self, first: usize) -> (Part<'_>, Part<'_>) {
        let (own, their) = self.places.split_at(first);
        let part = |places| Part { places, len: self.keys.len() };
        (part(own), part(their))
    }
}

impl Part<'_> {
    /// The new places of the positives, then of the negatives; exchanged if `turned`.
    fn both(&self, turned: bool) -> Vec<usize> {
        let mut both = with_room(2 * self.places.len());
        for is_second in [turned, !turned] {
            let offset = if is_second { self.len } else { 0 };
            both.grow_with(self.places.iter().map(|&place| place + offset));
        }
        both
    }

    fn moved(&self, masses: &Masses, turned: bool) -> Masses {
        masses.moved(&self.both(turned), 2 * self.len)
    }

    fn moved_sums(&self, sums: &ExactSums, turned: bool) -> ExactSums {
        sums.moved(&self.both(turned), 2 * self.len)
    }
}

/// The rows of groups after merging: group `g` becomes `codes[g]`.
fn moved_rows(rows: &Tally, codes: &[u32], groups: usize) -> Tally {
    let codes: Vec<usize> = codes.iter().map(|&code| code as usize).gather();
    rows.moved(&codes, groups)
}

fn lowered<K: TableKey>(
    labels: &LabelReader<'_>,
    scores: &ScoreReader<'_>,
    pair: &Pair,
    rows: usize,
) -> Result<Lowered<K>> {
    let mut all = Lowered { keys: vec![K::default(); rows], codes: vec![0; rows] };
    for chunk in chunks(0..rows) {
        let codes = &mut all.codes[chunk.clone()];
        labels.lower(chunk.clone(), pair, codes)?;
        scores.lower(chunk.clone(), &mut all.keys[chunk], codes).map_err(Stop::refusal)?;
    }
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
    let rows = of.0.len();
    let Some(weights) = weights else {
        return counted::<K>(of, (labels, scores), pair, kind);
    };
    let (codes, groups) = of;
    let mut all = lowered::<K>(labels, scores, &pair.pair, rows)?;
    let mut own = with_room(rows);
    let mut scratch = Vec::new();
    for chunk in chunks(0..rows) {
        own.grow_by(weights.chunk(chunk.clone(), &mut scratch));
        check_weights(&own[chunk.clone()], chunk.start, "sample_weight")?;
    }
    let is_kept = |row: usize| all.codes[row] != OMITTED && own[row] > 0.0;
    let kept: Vec<usize> = (0..rows).filter(|&row| is_kept(row)).gather();
    let of_rows: Vec<u32> = kept.iter().map(|&row| codes[row]).gather();
    let keys: Vec<K> = kept.iter().map(|&row| all.keys[row]).gather();
    let classes: Vec<u8> = kept.iter().map(|&row| all.codes[row]).gather();
    all.keys = Vec::new();
    let arranged = arranged(&of_rows, groups, &keys, |a, b| b.cmp(a));
    drop(keys);
    let half = arranged.keys.len();
    let places = arranged.places.iter().zip(&classes);
    let places: Vec<u64> =
        places.map(|(&place, &class)| (place + if class == 1 { 0 } else { half }) as u64).gather();
    let weigh = |values: &[f64]| -> ExactSums {
        let values: Vec<f64> = kept.iter().map(|&row| values[row]).gather();
        let each = values.iter().map(|&value| Span::of(value));
        let span = each.fold(Span::EMPTY, Span::union);
        let mut sums = ExactSums::new(2 * half);
        sums.add_all(span, &places, &values);
        sums
    };
    let mut of_groups: Vec<u64> = vec![0; groups];
    for &code in &of_rows {
        of_groups[code as usize] += 1;
    }
    Ok(GroupRanking {
        kind,
        labels: pair,
        masses: Masses::Weights(weigh(&own)),
        squares: squares.map(weigh),
        rows: Some(Tally::of(of_groups)),
        starts: arranged.starts,
        keys: K::keys(arranged.keys),
    }
    .settled())
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
fn counted_by_place<K: TableKey>(
    (codes, groups): (&[u32], usize),
    (labels, scores): (&LabelReader<'_>, &ScoreReader<'_>),
    pair: BinaryLabels,
    kind: ScoreKind,
) -> Result<GroupRanking> {
    let rows = codes.len();
    let all = lowered::<K>(labels, scores, &pair.pair, rows)?;
    let kept: Vec<usize> = (0..rows).filter(|&row| all.codes[row] != OMITTED).gather();
    let of_rows: Vec<u32> = kept.iter().map(|&row| codes[row]).gather();
    let keys: Vec<K> = kept.iter().map(|&row| all.keys[row]).gather();
    let arranged = arranged(&of_rows, groups, &keys, |a, b| b.cmp(a));
    drop(keys);
    let half = arranged.keys.len();
    let mut counts: Vec<u64> = vec![0; 2 * half];
    for (&place, &row) in arranged.places.iter().zip(&kept) {
        counts[place + if all.codes[row] == 1 { 0 } else { half }] += 1;
    }
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
    use super::*;
    use crate::base::column::Column;
    use crate::groups::made::{KINDS, rows};
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
                        let expected = alone.at(threshold, score_table::Side::GreaterEqual);
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
            assert_eq!(whole.moved(&coarse, 3), fewer.rank(3, kind, false));
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
