//! The distinct scores of each group, from high to low, with the counts or weights of both classes:
//! what is read of them, and their sums.
//!
//! Cost: 8 bytes a group, and 16 bytes a distinct score of 64 bits.

use std::cmp::Ordering;
use std::ops::Range;

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::weight_kind::WeightKind;
use crate::base::dtype::ScoreKind;
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelKind;
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::threads::{Pieces, over_items, over_pieces, zeros_in_parts};
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::keys::{Keys, TableKey};
use crate::scores::merge::{common_kind_of, promoted};
use crate::scores::score_table;
use crate::scores::score_table::{ScoreTable, order_of};

use crate::groups::arrange::arranged;
use crate::groups::masses::{Masses, Tally, joined_sums, moved_rows, sums_bytes};

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

impl GroupRanking {
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
    ///
    /// # Errors
    /// None but for memory.
    pub(crate) fn moved(&self, codes: &[u32], groups: usize) -> Result<Self> {
        let of_scores = self.codes_of_scores(codes)?;
        let united = united(&self.keys, (&of_scores, groups), &[(self, false)])?;
        Ok(Self {
            kind: self.kind,
            labels: self.labels.clone(),
            rows: (self.rows.as_ref()).map(|rows| moved_rows(rows, codes, groups)),
            ..united
        }
        .settled())
    }

    /// The new group of each distinct score; `codes` has the new group of each group.
    fn codes_of_scores(&self, codes: &[u32]) -> Result<Vec<u32>> {
        let mut of_scores: Vec<u32> = zeros_in_parts(self.keys.len());
        over_pieces(&mut of_scores, |range, of_scores| {
            let group = self.starts.partition_point(|&start| start as usize <= range.start);
            let mut rest = of_scores;
            let mut at = range.start;
            for (&end, &code) in self.starts[group..].iter().zip(&codes[group - 1..]) {
                if rest.is_empty() {
                    break;
                }
                let (own, others) = rest.split_at_mut((end as usize).min(range.end) - at);
                own.fill(code);
                at += own.len();
                rest = others;
            }
            Ok(())
        })?;
        Ok(of_scores)
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
        let mut of_scores = self.codes_of_scores(own)?;
        of_scores.grow_by(&other.codes_of_scores(their)?);
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
        let sources = [self, other].map(|side| (side, side.labels.turned(&labels)));
        let united = united(&keys, (&of_scores, groups), &sources)?;
        let rows = match (&self.rows, &other.rows) {
            (Some(x), Some(y)) => {
                let x = moved_rows(x, own, groups);
                Some(x.added(moved_rows(y, their, groups))?)
            }
            _ => None,
        };
        Ok(Self { kind, labels, rows, ..united }.settled())
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

/// The scores of one ranking or of several by new groups; `codes` has the new group of each score,
/// and a source whether its positives become negatives. The kind and the labels are those of the
/// first source.
fn united(
    keys: &Keys,
    of: (&[u32], usize),
    sources: &[(&GroupRanking, bool)],
) -> Result<GroupRanking> {
    fn run<K: TableKey>(
        keys: &[K],
        (codes, groups): (&[u32], usize),
        sources: &[(&GroupRanking, bool)],
    ) -> Result<GroupRanking> {
        // The positives of all sources, then the negatives.
        let half = |negatives: bool| {
            sources.iter().map(move |&(of, is_turned)| {
                let len = of.keys.len();
                (of, if negatives == is_turned { 0..len } else { len..2 * len })
            })
        };
        let parts: Vec<_> = half(false).chain(half(true)).gather();
        let masses: Vec<_> = parts.iter().map(|(of, range)| (&of.masses, range.clone())).gather();
        let squares: Vec<_> =
            parts.iter().map(|(of, range)| (of.squares.as_ref(), range.clone())).gather();
        let masses = Masses::joined(&masses)?;
        let squares = joined_sums(&squares)?;
        let arranged = arranged(codes, groups, keys, |a, b| b.cmp(a))?;
        let at = |column: usize, entry: usize| column * keys.len() + entry;
        let squares = squares.map(|squares| arranged.gathered::<2>(&squares, at));
        Ok(GroupRanking {
            kind: sources[0].0.kind,
            labels: sources[0].0.labels.clone(),
            masses: masses.gathered::<K, 2>(&arranged, at)?,
            squares: squares.transpose()?,
            rows: None,
            starts: arranged.starts,
            keys: K::keys(arranged.keys),
        })
    }
    match keys {
        Keys::Narrow(keys) => run(keys, of, sources),
        Keys::Wide(keys) => run(keys, of, sources),
    }
}
