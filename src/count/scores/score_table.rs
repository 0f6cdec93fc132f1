//! The score table: each distinct score of a ranking, from high to low, with the positives and
//! negatives at or above it.
//!
//! A [`ScoreTable`] is sufficient for everything that moves a threshold: ROC, precision and recall,
//! KS, gain, cost. This file owns its data, invariants and look-up. Addition is in
//! [`crate::scores::merge`], the bytes are in `scores::table_bytes`; indices derived from a table
//! are in the floors above ([`crate::scores::ranking`]).
//!
//! 1. Scores are order keys in their original type ([`crate::scores::keys`]), descending.
//! 2. Counts are integers. Weights are exact sums of whole quanta ([`crate::arith::exact`]). So the
//!    sum of two tables is the table of the pooled rows, bit for bit.
//! 3. A row at a threshold is predicted positive (`≥`) unless the caller chooses [`Side::Greater`].
//! 4. NaN ranked best lie above every threshold, NaN ranked worst below.
//!
//! Cost: constant time for counts at a place, a binary search for counts at a threshold.

use std::cmp::Ordering;
use std::ops::Range;

use crate::arith::exact::{ExactSums, Fixed, Sums, Wide};
use crate::arith::fraction::Fraction;
use crate::arith::products::unit_scale;
use crate::arith::weight_kind::{WeightKind, changed};
use crate::base::column::chunks;
use crate::base::dtype::Number;
use crate::base::error::Result;
use crate::base::input::{Label, LabelKind};
use crate::base::memory::{CopyAll, Gather};
use crate::base::wide::wide;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::fill_counts::{fill_columns, fill_tables, sums_to_tables};
use crate::scores::keys::{Keys, ScoreKind, f32_of, f64_of};

/// The exponent of the factor for weights whose sum is beyond the range of `f64`.
pub(crate) const SMALLER: i32 = -70;

/// Running totals from the highest score down.
#[derive(Debug, PartialEq, Eq)]
pub enum Masses {
    /// Counts of rows: positives at or above each score, and negatives at or above each score.
    Counts(Vec<u64>, Vec<u64>),
    /// Weights: one exact sum for the positives at or above each score, then one for the negatives.
    Weights(ExactSums),
}

impl Clone for Masses {
    fn clone(&self) -> Self {
        match self {
            Self::Counts(positives, negatives) => {
                Self::Counts(positives.copy_all(), negatives.copy_all())
            }
            Self::Weights(sums) => Self::Weights(sums.clone()),
        }
    }
}

impl Masses {
    /// Running sums of `weights` weights, in a form that depends only on the sums and that number.
    pub fn from_weights(sums: ExactSums, weights: u64) -> Self {
        let totals = totals_of(&sums);
        Self::Weights(sums.settled(weights, &totals))
    }
}

/// The places of the last running sum of each class.
pub(crate) fn totals_of(sums: &ExactSums) -> Vec<usize> {
    let len = sums.len();
    if len == 0 { Vec::new() } else { vec![len / 2 - 1, len - 1] }
}

/// The prediction for a score equal to the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// Predicted positive: score ≥ threshold.
    #[default]
    GreaterEqual,
    /// Predicted negative: only score > threshold is positive.
    Greater,
}

/// Distinct scores, high to low, with cumulative masses of each class.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
    kind: ScoreKind,
    keys: Keys,
    masses: Masses,
    labels: BinaryLabels,
    /// For sampling weights: the table of the same rows with squared weights.
    squares: Option<Box<Self>>,
}

impl ScoreTable {
    /// The table of a sweep's result. The form of its sums of weights follows from their values.
    pub fn from_sweep(kind: ScoreKind, keys: Keys, masses: Masses, labels: BinaryLabels) -> Self {
        let masses = match masses {
            Masses::Weights(sums) => {
                let weights = sums.span().weights;
                Masses::from_weights(sums, weights)
            }
            counts @ Masses::Counts(..) => counts,
        };
        Self { kind, keys, masses, labels, squares: None }
    }

    /// The table of no rows: adding it to another changes only the known labels.
    ///
    /// ```
    /// use rocksteady_count::arith::weight_kind::WeightKind;
    /// use rocksteady_count::labels::binary_labels::BinaryLabels;
    /// use rocksteady_count::base::input::{Label, LabelKind};
    /// use rocksteady_count::labels::binary::Pair;
    /// use rocksteady_count::scores::score_table::ScoreTable;
    ///
    /// let pos_label = Some(Label::Int(1));
    /// let pair = Pair::of([None, None], pos_label.as_ref());
    /// let labels = BinaryLabels { pair, pos_label, kind: LabelKind::Int };
    /// let empty = ScoreTable::empty(labels, WeightKind::Counts);
    /// assert_eq!(empty.add(&empty)?, empty);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn empty(labels: BinaryLabels, weight_kind: WeightKind) -> Self {
        let is_sampling = weight_kind == WeightKind::Sampling;
        Self::empty_with(f64::KIND, is_sampling, weight_kind, labels)
    }

    /// The table of no rows with the form of other tables.
    pub(crate) fn empty_with(
        kind: ScoreKind,
        is_weighted: bool,
        weight_kind: WeightKind,
        labels: BinaryLabels,
    ) -> Self {
        let keys = if kind.is_wide() { Keys::Wide(Vec::new()) } else { Keys::Narrow(Vec::new()) };
        let masses = if is_weighted {
            Masses::Weights(ExactSums::new(0))
        } else {
            Masses::Counts(Vec::new(), Vec::new())
        };
        let table = Self::from_sweep(kind, keys, masses, labels);
        let squares = weight_kind == WeightKind::Sampling;
        let squares = squares.then(|| Box::new(table.clone()));
        table.beside(squares)
    }

    /// Neighbouring scores of a table that is not completely in memory, with its running totals, in
    /// sums of any form.
    pub(crate) fn piece(kind: ScoreKind, keys: Keys, masses: Masses, labels: BinaryLabels) -> Self {
        Self { kind, keys, masses, labels, squares: None }
    }

    /// This table with sampling weights and the table of their squares.
    ///
    /// # Errors
    /// Refuses a table of squares that cannot belong to the same rows.
    pub(crate) fn with_squares(self, squares: Self) -> Result<Self> {
        let weights = |table: &Self| match &table.masses {
            Masses::Counts(..) => None,
            Masses::Weights(sums) => Some(sums.span().weights),
        };
        let is_of_same_rows = self.kind == squares.kind
            && self.keys == squares.keys
            && self.labels == squares.labels
            && weights(&self).is_some()
            && weights(&self) == weights(&squares)
            && squares.squares.is_none();
        if !is_of_same_rows {
            return Err(changed());
        }
        Ok(self.beside(Some(Box::new(squares))))
    }

    /// This table with its table of squares.
    pub fn beside(self, squares: Option<Box<Self>>) -> Self {
        Self { squares, ..self }
    }

    /// The table of the same rows with a sampling weight for each positive and one for each
    /// negative; `None` if they have weights already.
    pub fn weighed(&self, weights: [f64; 2]) -> Option<Self> {
        let Masses::Counts(positives, negatives) = &self.masses else {
            return None;
        };
        let of = |[up, down]: [f64; 2]| {
            let sums = ExactSums::of_counts(&[(positives, up), (negatives, down)], true);
            let (keys, labels) = (self.keys.clone(), self.labels.clone());
            Self::from_sweep(self.kind, keys, Masses::Weights(sums), labels)
        };
        let squares = of(weights.map(|weight| weight * weight));
        Some(of(weights).beside(Some(Box::new(squares))))
    }

    /// The table of the same rows with squared weights, if these are sampling weights.
    pub fn squares(&self) -> Option<&Self> {
        self.squares.as_deref()
    }

    /// The meaning of the rows' weights.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    /// The table with its weights scaled by 2^[`SMALLER`], if their sum is beyond the range of
    /// `f64`.
    pub(crate) fn with_finite_sums(&self) -> Option<Self> {
        let (positives, negatives) = self.totals();
        let Masses::Weights(sums) = &self.masses else {
            return None;
        };
        if (positives + negatives).is_finite() {
            return None;
        }
        Some(Self { masses: Masses::Weights(sums.shrunk(SMALLER.unsigned_abs())), ..self.clone() })
    }

    /// The positives and the negatives at or above the score at `place`, exactly.
    pub(crate) fn exact_totals(&self, place: usize) -> [Fraction; 2] {
        match &self.masses {
            Masses::Counts(positives, negatives) => {
                [positives[place], negatives[place]].map(Fraction::whole)
            }
            Masses::Weights(sums) => [place, self.len() + place].map(|place| sums.fraction(place)),
        }
    }

    pub fn labelled(self, labels: BinaryLabels) -> Self {
        let squares = self.squares.map(|squares| Box::new(squares.labelled(labels.clone())));
        Self { labels, squares, ..self }
    }

    /// The number of distinct scores.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no scores: there were no rows, or all were left out.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The kind of the scores.
    pub fn kind(&self) -> ScoreKind {
        self.kind
    }

    /// The scores as order keys, descending.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The running totals.
    pub fn masses(&self) -> &Masses {
        &self.masses
    }

    /// The two labels, as far as rows had them or `pos_label` named them.
    pub fn pair(&self) -> &Pair {
        &self.labels.pair
    }

    /// The kind of the labels as given.
    pub fn label_kind(&self) -> LabelKind {
        self.labels.kind
    }

    /// The positive label that the caller asked for.
    pub fn pos_label(&self) -> Option<&Label> {
        self.labels.pos_label.as_ref()
    }

    /// Whether the masses are weights.
    pub fn is_weighted(&self) -> bool {
        matches!(self.masses, Masses::Weights(_))
    }

    pub(crate) fn into_parts(self) -> (Keys, ScoreKind, Masses) {
        (self.keys, self.kind, self.masses)
    }

    /// The two labels.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// The number of rows counted, without rows left out and rows of weight zero.
    pub fn rows(&self) -> u64 {
        match &self.masses {
            Masses::Counts(positives, negatives) => {
                positives.last().copied().unwrap_or(0) + negatives.last().copied().unwrap_or(0)
            }
            Masses::Weights(sums) => sums.span().weights,
        }
    }

    /// A score, from the highest on. Exact except integers beyond 2^53; NaN for a ranked NaN.
    pub fn score(&self, place: usize) -> f64 {
        self.kind.score(self.keys.get(place))
    }

    /// A score of an integer kind, from the highest on.
    pub fn integer(&self, place: usize) -> Option<i128> {
        self.kind.integer(self.keys.get(place))
    }

    /// Whether all scores lie in [0, 1]; a ranked NaN does not.
    pub fn are_probabilities(&self) -> bool {
        self.len().checked_sub(1).is_none_or(|last| self.score(0) <= 1.0 && self.score(last) >= 0.0)
    }

    /// All scores, high to low; exact except integers beyond 2^53.
    pub fn scores(&self) -> Vec<f64> {
        (0..self.len()).map(|place| self.score(place)).gather()
    }

    /// Positives and negatives at or above score `place`.
    pub fn cumulative(&self, place: usize) -> (f64, f64) {
        match &self.masses {
            Masses::Counts(positives, negatives) => {
                (positives[place] as f64, negatives[place] as f64)
            }
            Masses::Weights(sums) => (sums.get(place), sums.get(place + self.len())),
        }
    }

    /// Positives and negatives among the first `predicted` distinct scores.
    #[inline]
    pub fn at_or_above(&self, predicted: usize) -> (f64, f64) {
        predicted.checked_sub(1).map_or((0.0, 0.0), |place| self.cumulative(place))
    }

    /// The factor for masses whose products are summed: 1 for counts.
    pub(crate) fn scale_of_rows(&self) -> f64 {
        let (positives, negatives) = self.totals();
        if self.is_weighted() { unit_scale(positives + negatives) } else { 1.0 }
    }

    /// All positives and all negatives.
    pub fn totals(&self) -> (f64, f64) {
        self.len().checked_sub(1).map_or((0.0, 0.0), |last| self.cumulative(last))
    }

    /// Whether there are rows of both classes, and every positive scores above every negative.
    pub fn is_perfect(&self) -> bool {
        let (positives, negatives) = self.totals();
        let reached = self.first_where(|predicted| self.at_or_above(predicted).1 > 0.0);
        positives > 0.0 && negatives > 0.0 && self.masses_between(reached - 1, self.len()).0 == 0.0
    }

    /// (score, positives at or above, negatives at or above), from the highest score to the lowest.
    pub fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        chunks(0..self.len()).flatten().map(|place| {
            let (tp, fp) = self.cumulative(place);
            (self.score(place), tp, fp)
        })
    }

    /// The positives and negatives at the scores from one place up to another.
    pub fn masses_between(&self, from: usize, to: usize) -> (f64, f64) {
        fn read<F: Fixed>(sums: &[F], from: usize, to: usize, quantum: i32) -> (f64, f64) {
            let (positives, negatives) = sums.split_at(sums.len() / 2);
            let upto =
                |sums: &[F], to: usize| to.checked_sub(1).map_or(F::default(), |at| sums[at]);
            let get = |sums: &[F]| upto(sums, to).minus(upto(sums, from)).to_f64(quantum);
            (get(positives), get(negatives))
        }
        if from >= to {
            return (0.0, 0.0);
        }
        match self.masses() {
            Masses::Counts(positives, negatives) => {
                let upto = |counts: &[u64], to: usize| to.checked_sub(1).map_or(0, |at| counts[at]);
                let get = |counts: &[u64]| (upto(counts, to) - upto(counts, from)) as f64;
                (get(positives), get(negatives))
            }
            Masses::Weights(sums) => {
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => read(sums, from, to, quantum),
                    Sums::Wide(sums) => read(sums, from, to, quantum),
                }
            }
        }
    }

    /// The two-by-two table of predicting the first `predicted` distinct scores positive.
    ///
    /// # Panics
    /// If there are fewer scores: a caller's error, which no input can cause.
    pub fn counts_of_first(&self, predicted: usize) -> BinaryCounts {
        let (tp, fp) = self.at_or_above(predicted);
        let (fn_, tn) = self.masses_between(predicted, self.len());
        BinaryCounts { tp, fp, fn_, tn }
    }

    /// The two-by-two table of predicting positive from score `place` up.
    pub fn counts_at(&self, place: usize) -> BinaryCounts {
        self.counts_of_first(place + 1)
    }

    /// The four counts at ∞, where no row is predicted positive, and at every distinct score from
    /// high to low.
    pub fn every_counts(&self) -> impl Iterator<Item = BinaryCounts> + '_ {
        let (positives, negatives) = self.totals();
        let nothing = BinaryCounts { fn_: positives, tn: negatives, ..BinaryCounts::default() };
        std::iter::once(nothing).chain((0..self.len()).map(|place| self.counts_at(place)))
    }

    /// Writes as many of [`Self::every_counts`] as fit, from place `start` on; they must exist.
    pub fn fill_counts(&self, start: usize, to: &mut [BinaryCounts]) {
        match &self.masses {
            Masses::Counts(positives, negatives) if start > 0 => {
                let from = start - 1..;
                let totals = (positives[self.len() - 1], negatives[self.len() - 1]);
                fill_tables(&positives[from.clone()], &negatives[from], totals, to);
            }
            Masses::Weights(sums) if start > 0 && self.are_quick(sums) => {
                if let Sums::Narrow(masses) = sums.sums() {
                    let (positives, negatives) = masses.split_at(self.len());
                    let totals = (positives[self.len() - 1], negatives[self.len() - 1]);
                    let from = start - 1..;
                    let quantum = 1_u128.to_f64(sums.span().quantum());
                    sums_to_tables(&positives[from.clone()], &negatives[from], totals, quantum, to);
                }
            }
            _ => {
                for (to, place) in to.iter_mut().zip(start..) {
                    *to = self.counts_of_first(place);
                }
            }
        }
    }

    /// Whether [`sums_to_tables`] rounds these sums of weights like [`Fixed::to_f64`], in quanta of
    /// normal size.
    fn are_quick(&self, sums: &ExactSums) -> bool {
        let Sums::Narrow(masses) = sums.sums() else {
            return false;
        };
        let len = self.len();
        let greatest = masses[len - 1].max(masses[2 * len - 1]);
        greatest < 1 << 105 && (-1022..=1023).contains(&sums.span().quantum())
    }

    /// [`Self::fill_counts`] as columns (tp, fp, fn, tn) of one length; false, without writing, if
    /// the rows have weights.
    pub fn fill_cells(&self, start: usize, to: [&mut [f64]; 4]) -> bool {
        let Masses::Counts(positives, negatives) = &self.masses else {
            return false;
        };
        // Above all scores no row is predicted positive.
        let above = usize::from(start == 0).min(to[0].len());
        let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
        let totals = (last(positives), last(negatives));
        let [tp, fp, fn_, tn] = to.map(|column| {
            let (first, rest) = column.split_at_mut(above);
            first.fill(0.0);
            (first, rest)
        });
        fn_.0.fill(totals.0 as f64);
        tn.0.fill(totals.1 as f64);
        let from = (start + above).saturating_sub(1)..;
        fill_columns(&positives[from.clone()], &negatives[from], totals, [tp.1, fp.1, fn_.1, tn.1]);
        true
    }

    /// Writes the thresholds from point `start` on, ∞ at point 0; they must exist.
    pub fn fill_thresholds(&self, start: usize, to: &mut [f64]) {
        let (to, start) = match (start, to) {
            (0, [first, rest @ ..]) => {
                *first = f64::INFINITY;
                (rest, 0)
            }
            (start, to) => (to, start.saturating_sub(1)),
        };
        self.fill_scores(start, to);
    }

    /// Writes the scores from place `start` on; they must exist.
    pub fn fill_scores(&self, start: usize, to: &mut [f64]) {
        let places = start..start + to.len();
        match (&self.keys, self.kind) {
            (Keys::Wide(keys), f64::KIND) => doubles(&keys[places], to),
            (Keys::Narrow(keys), f32::KIND) => singles(&keys[places], to),
            _ => {
                for (to, place) in to.iter_mut().zip(places) {
                    *to = self.score(place);
                }
            }
        }
    }

    /// The two-by-two table at a threshold. No score reaches a NaN threshold.
    pub fn at(&self, threshold: f64, side: Side) -> BinaryCounts {
        self.counts_of_first(self.reached(threshold, side))
    }

    /// The number of distinct scores that reach a threshold.
    pub fn reached(&self, threshold: f64, side: Side) -> usize {
        let reaches = |key: u64| {
            let order = self.compare(key, threshold);
            match side {
                Side::GreaterEqual => order.is_some_and(Ordering::is_ge),
                Side::Greater => order.is_some_and(Ordering::is_gt),
            }
        };
        self.keys.first(reaches)
    }

    /// The least number of distinct scores for which `holds` is true; all of them if it never is.
    pub fn first_where(&self, holds: impl Fn(usize) -> bool) -> usize {
        first_place(self.len(), holds)
    }

    /// Compares a score with a threshold, exactly.
    fn compare(&self, key: u64, threshold: f64) -> Option<Ordering> {
        order_of(self.kind, key, threshold)
    }

    /// The table with the classes exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self {
            kind: self.kind,
            keys: self.keys.clone(),
            masses: self.turned_masses(),
            labels: self.labels.exchanged(),
            squares: self.squares().map(|squares| Box::new(squares.exchanged())),
        }
    }

    /// The masses with the classes exchanged.
    pub(crate) fn turned_masses(&self) -> Masses {
        match &self.masses {
            Masses::Counts(positives, negatives) => {
                Masses::Counts(negatives.copy_all(), positives.copy_all())
            }
            Masses::Weights(sums) => {
                let half = self.len();
                let places: Vec<usize> = (half..2 * half).chain(0..half).gather();
                Masses::Weights(sums.moved(&places, 2 * half))
            }
        }
    }

    /// Calls `call` with (positives, negatives, tp, fp) of each score: the masses at the score,
    /// exact before rounding, and at or above it.
    pub fn groups(&self, call: impl FnMut(f64, f64, f64, f64)) {
        self.groups_of(0..self.len(), call);
    }

    /// [`Self::groups`] for some places.
    pub(crate) fn groups_of(&self, places: Range<usize>, mut call: impl FnMut(f64, f64, f64, f64)) {
        match &self.masses {
            Masses::Counts(p, n) => {
                let get = |mass: u64| mass as f64;
                groups_in(places, (p, n), |a, b| a - b, [get, get], &mut call);
            }
            Masses::Weights(sums) => {
                let to = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => {
                        let (halves, get) = (halves(sums), |sum: u128| sum.to_f64(to));
                        groups_in(places, halves, u128::minus, [get, get], &mut call);
                    }
                    Sums::Wide(sums) => {
                        let (halves, get) = (halves(sums), |sum: Wide| sum.to_f64(to));
                        groups_in(places, halves, Wide::minus, [get, get], &mut call);
                    }
                }
            }
        }
    }

    /// [`Self::groups`] for weights, each mass as the sum of two numbers, and the masses of each
    /// class times a power of two.
    pub(crate) fn groups_of_two(
        &self,
        places: Range<usize>,
        exponents: [i32; 2],
        mut call: impl FnMut(Two, Two, Two, Two),
    ) {
        let Masses::Weights(sums) = &self.masses else {
            return;
        };
        let to = exponents.map(|exponent| sums.span().quantum() + exponent);
        match sums.sums() {
            Sums::Narrow(sums) => {
                let get = to.map(|to| move |sum: u128| sum.to_two(to));
                groups_in(places, halves(sums), u128::minus, get, &mut call);
            }
            Sums::Wide(sums) => {
                let get = to.map(|to| move |sum: Wide| sum.to_two(to));
                groups_in(places, halves(sums), Wide::minus, get, &mut call);
            }
        }
    }
}

/// The sum of two numbers.
pub(crate) type Two = (f64, f64);

fn halves<F>(sums: &[F]) -> (&[F], &[F]) {
    sums.split_at(sums.len() / 2)
}

/// Calls `call` with the positives and negatives at each of some scores, and at or above it.
fn groups_in<A: Copy + Default, T>(
    places: Range<usize>,
    (positives, negatives): (&[A], &[A]),
    less: impl Fn(A, A) -> A,
    [up, down]: [impl Fn(A) -> T; 2],
    call: &mut impl FnMut(T, T, T, T),
) {
    let before = places.start.checked_sub(1);
    let (mut tp, mut fp) =
        before.map_or_else(Default::default, |place| (positives[place], negatives[place]));
    for range in chunks(places) {
        for (&p, &n) in positives[range.clone()].iter().zip(&negatives[range]) {
            call(up(less(p, tp)), down(less(n, fp)), up(p), down(n));
            (tp, fp) = (p, n);
        }
    }
}

/// Compares a score with a threshold, exactly.
pub fn order_of(kind: ScoreKind, key: u64, threshold: f64) -> Option<Ordering> {
    if threshold.is_nan() {
        return None;
    }
    let Some(integer) = kind.integer(key) else {
        return Some(match key {
            0 => Ordering::Less,
            key if key == kind.greatest() => Ordering::Greater,
            key => kind.score(key).partial_cmp(&threshold)?,
        });
    };
    // Integers are compared with the whole part of the threshold; its fraction breaks a tie.
    let whole = threshold.floor();
    Some(integer.cmp(&(whole as i128)).then(if threshold > whole {
        Ordering::Less
    } else {
        Ordering::Equal
    }))
}

/// The first place for which a monotone condition is true; `len` if it never is.
pub fn first_place(len: usize, is: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        if is(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

wide! {
    fn doubles[](keys: &[u64], to: &mut [f64]) -> () = doubles_body;
    fn singles[](keys: &[u32], to: &mut [f64]) -> () = singles_body;
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn doubles_body(keys: &[u64], to: &mut [f64]) {
    for (to, &key) in to.iter_mut().zip(keys) {
        *to = f64_of(key);
    }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn singles_body(keys: &[u32], to: &mut [f64]) {
    for (to, &key) in to.iter_mut().zip(keys) {
        *to = f64::from(f32_of(key));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, NanPolicy, Scores};
    use crate::scores::keys::key_of_f64;
    use crate::scores::ranking::Ranking;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::auc::{RankSum, roc_auc};
    use crate::scores::sweep::collector::ScoreCollector;
    use crate::scores::sweep::rows::SweepOptions;
    use crate::statistic::{Statistic, laws};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    pub(crate) fn table(y: &[i64], s: &[f64], w: Option<&[f64]>) -> ScoreTable {
        let weights = w.map(Column::from_slice);
        let options = SweepOptions { infinite: true, ..SweepOptions::default() };
        score_table(
            &Labels::I64(Column::from_slice(y)),
            &Scores::F64(Column::from_slice(s)),
            weights,
            &options,
        )
        .unwrap()
    }

    /// Distinct scores, descending, with cumulative masses in 2^-20ths: a sorted map, one row at a
    /// time.
    fn naive(y: &[i64], s: &[f64], w: Option<&[f64]>) -> Vec<(f64, f64, f64)> {
        let mut groups: BTreeMap<u64, [i64; 2]> = BTreeMap::new();
        for row in 0..y.len() {
            let weight = w.map_or(1.0, |w| w[row]);
            if weight > 0.0 {
                groups.entry(key_of_f64(s[row])).or_default()[y[row] as usize] +=
                    (weight * 1_048_576.0) as i64;
            }
        }
        let mut sums = [0; 2];
        let steps = groups.iter().rev().map(|(&key, masses)| {
            sums = [sums[0] + masses[0], sums[1] + masses[1]];
            (
                crate::scores::keys::f64_of(key),
                sums[1] as f64 / 1_048_576.0,
                sums[0] as f64 / 1_048_576.0,
            )
        });
        steps.collect()
    }

    pub(crate) fn rows(most: usize) -> impl Strategy<Value = (Vec<i64>, Vec<f64>, Vec<f64>)> {
        let score = prop_oneof![
            4 => -4.0..4.0_f64,
            2 => (0..20_i32).prop_map(|x| f64::from(x) / 10.0 - 1.0),
            1 => prop_oneof![Just(0.0), Just(-0.0), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(1e300)],
        ];
        let weight = prop_oneof![
            Just(0.0),
            Just(1.0),
            (1..1_000_000_u32).prop_map(|x| f64::from(x) / 1_048_576.0)
        ];
        prop::collection::vec((0..2_i64, score, weight), 1..most).prop_map(|rows| {
            let mut columns = (Vec::new(), Vec::new(), Vec::new());
            for (y, s, w) in rows {
                columns.0.push(y);
                columns.1.push(s);
                columns.2.push(w);
            }
            columns
        })
    }

    /// Rows that take every path: few, many, tied, clustered, in order.
    pub(crate) fn shaped(rows: usize, shape: u8, seed: u64) -> (Vec<i64>, Vec<f64>, Vec<f64>) {
        let mut state = seed;
        let mut bits = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state ^ (state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mut unit = move || (bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let (mut y, mut s, mut w) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..rows {
            let u = unit();
            let label = i64::from(unit() < if shape == 9 { 0.002 } else { 0.3 });
            y.push(label);
            s.push(match shape {
                1 => (u * 100.0).round() / 100.0,
                2 => (u * 1e5).round() / 1e5 - 0.5,
                3 => u + label as f64 * 0.2 - 0.5,
                5 if u < 0.5 => u * 1e-9,
                4 | 5 => 1.0 - 1e-9 * u,
                6 => row as f64,
                7 => -(row as f64),
                8 => f64::from(u as f32) * 8.0,
                10 if row == rows / 2 => 1e300,
                11 => 0.25,
                _ => u,
            });
            w.push((unit() * 4.0).floor() / 1_048_576.0 * 1024.0);
        }
        (y, s, w)
    }

    fn naive_rank_sum(y: &[i64], s: &[f64]) -> RankSum {
        let mut sum = RankSum::default();
        let (mut tp, mut fp) = (0, 0);
        for (_, p, n) in naive(y, s, None) {
            sum.twice_u += (n as u128 - fp) * (p as u128 + tp);
            (tp, fp) = (p as u128, n as u128);
        }
        RankSum { positives: tp as u64, negatives: fp as u64, ..sum }
    }

    #[test]
    fn every_shape_size_and_thread_count_gives_the_naive_answer() {
        for shape in 0..12 {
            for rows in [1, 2, 100, 2048, 4096, 4097, 30_000, 140_000, 300_000] {
                let (y, s, w) = shaped(rows, shape, rows as u64);
                let labels = Labels::I64(Column::from_slice(&y));
                let narrow: Vec<f32> = s.iter().map(|&x| x as f32).collect();
                let widened: Vec<f64> = narrow.iter().map(|&x| f64::from(x)).collect();
                let both = y.contains(&0) && y.contains(&1);
                let sums = both.then(|| (naive_rank_sum(&y, &s), naive_rank_sum(&y, &widened)));
                let steps = (naive(&y, &s, None), naive(&y, &s, Some(&w)));
                for threads in [1, 2, 7] {
                    crate::base::threads::set_threads(Some(threads)).unwrap();
                    let options = SweepOptions { infinite: true, ..SweepOptions::default() };
                    let got =
                        roc_auc(&labels, &Scores::F64(Column::from_slice(&s)), &options).unwrap();
                    if let Some((sum, of_narrow)) = sums {
                        assert_eq!(got, sum, "{shape} {rows} {threads}");
                        let got =
                            roc_auc(&labels, &Scores::F32(Column::from_slice(&narrow)), &options)
                                .unwrap();
                        assert_eq!(got, of_narrow, "f32 {shape} {rows} {threads}");
                        let found = table(&y, &s, None);
                        assert!(
                            found.steps().eq(steps.0.iter().copied()),
                            "{shape} {rows} {threads}"
                        );
                        let found = table(&y, &s, Some(&w));
                        assert!(
                            found.steps().eq(steps.1.iter().copied()),
                            "weights {shape} {rows} {threads}"
                        );
                    }
                }
            }
        }
        crate::base::threads::set_threads(None).unwrap();
    }

    #[test]
    fn ten_million_rows() {
        let (y, s, _) = shaped(10_000_000, 3, 7);
        let got = roc_auc(
            &Labels::I64(Column::from_slice(&y)),
            &Scores::F64(Column::from_slice(&s)),
            &SweepOptions::default(),
        )
        .unwrap();
        let table = table(&y, &s, None);
        assert_eq!(Ranking::from(table.clone()).roc_auc(), got.area());
        assert_eq!(table.rows(), 10_000_000);
        assert!(
            (0..table.len() - 1).all(|place| table.keys().get(place) > table.keys().get(place + 1))
        );
    }

    #[test]
    fn many_rows_of_a_collector_are_counted_in_turns() {
        const ROWS: usize = (1 << 22) + 12_345;
        let (y, logits, _) = shaped(ROWS, 3, 7);
        // The split falls between two scores, at the lowest score, or at a repeated score among
        // them.
        let atom = |share: usize, score: f64| {
            let scores = logits.iter().zip(0..);
            let scores = scores.map(|(&own, row)| if row % 100 < share { score } else { own });
            scores.collect::<Vec<_>>()
        };
        for s in [logits.clone(), atom(40, -1e9), atom(95, 0.0)] {
            let (labels, scores) =
                (Labels::I64(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
            for threads in [1, 2] {
                crate::base::threads::set_threads(Some(threads)).unwrap();
                let mut collector = ScoreCollector::new(SweepOptions::default());
                collector.update(&labels, &scores, None).unwrap();
                assert_eq!(collector.table().unwrap(), table(&y, &s, None));
            }
        }
        crate::base::threads::set_threads(None).unwrap();
    }

    proptest! {
        #[test]
        fn tables_equal_the_naive_ones_and_add_up((y, s, w) in rows(300), cut in 0_usize..300) {
            let cut = cut.clamp(1, y.len().max(2) - 1).min(y.len());
            for weights in [None, Some(&w[..])] {
                let both = table(&y, &s, weights);
                if y.contains(&0) && y.contains(&1) {
                    let steps: Vec<_> = both.steps().collect();
                    prop_assert_eq!(steps, naive(&y, &s, weights));
                }
                let mut collector = ScoreCollector::new(SweepOptions { infinite: true, ..SweepOptions::default() });
                let mut halves = Vec::new();
                for part in [0..cut, cut..y.len()] {
                    if part.is_empty() { continue; }
                    let (y, s) = (&y[part.clone()], &s[part.clone()]);
                    let w = weights.map(|w| &w[part]);
                    halves.push(table(y, s, w));
                    collector.update(&Labels::I64(Column::from_slice(y)), &Scores::F64(Column::from_slice(s)), w.map(Column::from_slice)).unwrap();
                }
                prop_assert_eq!(&collector.table().unwrap(), &both);
                if let [a, b] = &halves[..] {
                    prop_assert_eq!(&a.add(b).unwrap(), &both);
                    prop_assert_eq!(&b.add(a).unwrap(), &both);
                }
                prop_assert_eq!(&ScoreTable::from_bytes(&both.to_bytes()).unwrap(), &both);
            }
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic((y, s, w) in rows(40), place in any::<usize>(), flip in 1_u8.., cut in any::<usize>()) {
            for weights in [None, Some(&w[..])] {
                if let Some(table) = laws::changed(&table(&y, &s, weights), place, flip, cut) {
                    let table = Ranking::from(table);
                    let _ = (table.roc_auc(), table.ks(), table.average_precision(), table.at(0.5, Side::Greater));
                }
            }
        }

        #[test]
        fn thresholds_count_rows((y, s, w) in rows(60), t in -4.0..4.0_f64, pick in any::<usize>()) {
            for t in [t, s[pick % s.len()], f64::INFINITY, f64::NEG_INFINITY] {
                for side in [Side::GreaterEqual, Side::Greater] {
                    let mut expected = BinaryCounts::default();
                    for row in 0..y.len() {
                        let predicted = if side == Side::Greater { s[row] > t } else { s[row] >= t };
                        let w = w[row];
                        // A single label is positive if it is 1, which agrees with 0 and 1 here.
                        match (y[row], predicted) {
                            (1, true) => expected.tp += w,
                            (0, true) => expected.fp += w,
                            (1, false) => expected.fn_ += w,
                            _ => expected.tn += w,
                        }
                    }
                    prop_assert_eq!(table(&y, &s, Some(&w)).at(t, side), expected);
                }
            }
        }

    }

    #[test]
    fn thresholds_between_integers_that_doubles_cannot_tell_apart() {
        let large = 1_i64 << 53;
        let scores = [large + 1, large, -large - 1];
        let y = Labels::I64(Column::from_slice(&[1, 1, 0]));
        let s = Scores::I64(Column::from_slice(&scores));
        let t = score_table(&y, &s, None, &SweepOptions::default()).unwrap();
        let predicted = |threshold: f64, side| {
            let counts = t.at(threshold, side);
            counts.tp + counts.fp
        };
        let threshold = large as f64;
        assert_eq!(predicted(threshold, Side::GreaterEqual), 2.0);
        assert_eq!(predicted(threshold, Side::Greater), 1.0);
        assert_eq!(predicted(-threshold, Side::GreaterEqual), 2.0);
        assert_eq!(predicted(0.5, Side::GreaterEqual), 2.0);
        for side in [Side::GreaterEqual, Side::Greater] {
            assert_eq!(predicted(f64::INFINITY, side), 0.0);
            assert_eq!(predicted(f64::NEG_INFINITY, side), 3.0);
            assert_eq!(predicted(f64::MAX, side), 0.0);
            assert_eq!(predicted(f64::NAN, side), 0.0);
        }
    }

    #[test]
    fn scores_chosen_to_collide_are_counted_another_way() {
        // The inverse of the hash's factor, by Newton's method: all its multiples have hash zero.
        let factor = 0x9e37_79b9_7f4a_7c15_u64;
        let inverse = (0..6).fold(factor, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(factor.wrapping_mul(inverse)))
        });
        assert_eq!(factor.wrapping_mul(inverse), 1);
        let keys: Vec<u64> =
            (0..300_000_u64).map(|row| (row * row % 20_011).wrapping_mul(inverse)).collect();
        let y: Vec<i64> = (0..300_000).map(|row| row % 7 % 2).collect();
        let (labels, scores) =
            (Labels::I64(Column::from_slice(&y)), Scores::U64(Column::from_slice(&keys)));
        let options = SweepOptions::default();
        let auc = roc_auc(&labels, &scores, &options).unwrap();
        let table = score_table(&labels, &scores, None, &options).unwrap();
        assert_eq!(auc.area(), Ranking::from(table.clone()).roc_auc());
        assert_eq!(table.rows(), 300_000);
    }

    #[test]
    fn bytes_with_more_weight_than_their_rows_can_have_are_refused() {
        let table = table(&[1, 0], &[0.5, 0.25], Some(&[1.0, 1.0]));
        let Masses::Weights(sums) = table.masses() else {
            panic!("the rows have weights");
        };
        for (quanta, is_good) in [(1_u128, true), (2, true), (3, false), (1 << 80, false)] {
            let Sums::Narrow(mut all) = sums.sums().clone() else {
                panic!("the weights are alike");
            };
            // The last sum, all negatives, was one quantum.
            *all.last_mut().unwrap() = quanta;
            let sums = ExactSums::from_parts(sums.span(), Sums::Narrow(all)).unwrap();
            let mut other = table.clone();
            other.masses = Masses::Weights(sums);
            let read = ScoreTable::from_bytes(&other.to_bytes());
            assert_eq!(read.is_ok(), is_good, "{quanta}: {read:?}");
        }
    }

    #[test]
    fn bytes_with_a_key_of_no_score_are_refused() {
        let zero = key_of_f64(0.0);
        let nan = key_of_f64(f64::INFINITY) + 1;
        let good = [u64::MAX, zero + 9, zero, zero - 9, 0];
        for (place, key, is_good) in [
            (1, zero + 7, true),
            (1, nan, false),
            (2, zero - 1, false),
            (2, zero - 2, true),
            (3, zero - 1, false),
            (3, !nan, false),
        ] {
            let mut keys = good.to_vec();
            keys[place] = key;
            let masses = Masses::Counts(vec![1, 2, 3, 4, 5], vec![0; 5]);
            let table = ScoreTable::from_sweep(
                ScoreKind::F64,
                Keys::Wide(keys),
                masses,
                table(&[1, 0], &[0.5, 0.25], None).labels().clone(),
            );
            let read = ScoreTable::from_bytes(&table.to_bytes());
            assert_eq!(read.is_ok(), is_good, "{place} {key:x}: {read:?}");
        }
    }

    #[test]
    fn the_first_bad_row_is_refused_whichever_column_is_bad() {
        let labels = [1_i64, 0, 1, 0];
        let (scores, weights) = ([0.5, 0.25, f64::NAN, 0.5], [1.0, -1.0, 1.0, 1.0]);
        let refusal = score_table(
            &Labels::I64(Column::from_slice(&labels)),
            &Scores::F64(Column::from_slice(&scores)),
            Some(Column::from_slice(&weights)),
            &SweepOptions::default(),
        );
        let refusal = refusal.unwrap_err().to_string();
        assert!(refusal.starts_with("sample_weight[1]"), "{refusal}");
    }

    #[test]
    fn a_refused_batch_changes_nothing() {
        let mut collector = ScoreCollector::new(SweepOptions::default());
        let labels = |y| Labels::I64(Column::from_slice(y));
        let scores = |s| Scores::F64(Column::from_slice(s));
        collector.update(&labels(&[0, 1]), &scores(&[0.5, 0.25]), None).unwrap();
        let before = collector.table().unwrap();
        assert!(collector.update(&labels(&[0, 2]), &scores(&[0.5, 0.1]), None).is_err());
        assert!(collector.update(&labels(&[0, 1]), &scores(&[0.1, f64::NAN]), None).is_err());
        assert!(
            collector
                .update(
                    &labels(&[0, 1]),
                    &scores(&[0.1, 0.2]),
                    Some(Column::from_slice(&[1.0, 1.0]))
                )
                .is_err()
        );
        assert!(
            collector
                .update(
                    &labels(&[0, 1]),
                    &Scores::I64(Column::from_slice(&[1, (1 << 53) + 1])),
                    None
                )
                .is_err()
        );
        assert_eq!(collector.table().unwrap(), before);
        collector.update(&labels(&[1]), &scores(&[0.1]), None).unwrap();
        assert_eq!(collector.table().unwrap(), table(&[0, 1, 1], &[0.5, 0.25, 0.1], None));
    }

    #[test]
    fn nan_scores_follow_the_policy() {
        let y = [0_i64, 1, 0, 1];
        let s = [0.5, f64::NAN, 0.25, 0.75];
        let run = |nan_policy| {
            let options = SweepOptions { nan_policy, ..SweepOptions::default() };
            let (y, s) = (Labels::I64(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
            assert_eq!(
                score_table(&y, &s, None, &options).ok().and_then(|t| Ranking::from(t).roc_auc()),
                roc_auc(&y, &s, &options).ok().and_then(|sum| sum.area())
            );
            roc_auc(&y, &s, &options)
        };
        assert_eq!(
            run(NanPolicy::Raise).unwrap_err().to_string(),
            "y_score[1] is NaN; expected a finite number"
        );
        assert_eq!(run(NanPolicy::Omit).unwrap().area(), Some(1.0));
        assert_eq!(run(NanPolicy::Worst).unwrap().area(), Some(0.5));
        assert_eq!(run(NanPolicy::Best).unwrap().area(), Some(1.0));
    }

    #[test]
    fn every_type_of_score_ranks_alike() {
        let y: Vec<i64> = (0..9000).map(|i| i64::from((i * 7919) % 10 < 3)).collect();
        let base: Vec<i64> = (0..9000).map(|i| (i * 104_729) % 101).collect();
        let expected = naive_rank_sum(&y, &base.iter().map(|&x| x as f64).collect::<Vec<_>>());
        let labels = Labels::I64(Column::from_slice(&y));
        let check = |scores: Scores| {
            assert_eq!(roc_auc(&labels, &scores, &SweepOptions::default()), Ok(expected));
            let table = score_table(&labels, &scores, None, &SweepOptions::default()).unwrap();
            assert_eq!(Ranking::from(table.clone()).roc_auc(), expected.area());
            assert_eq!(table.score(0), 100.0);
            let at = table.at(49.5, Side::GreaterEqual);
            assert_eq!(at.tp + at.fp, base.iter().filter(|&&x| x > 49).count() as f64);
            assert_eq!(ScoreTable::from_bytes(&table.to_bytes()), Ok(table));
        };
        macro_rules! as_types {
            ($($variant:ident $number:ty),+) => {$(
                check(Scores::$variant(Column::from_slice(&base.iter().map(|&x| x as $number).collect::<Vec<_>>())));
            )+};
        }
        as_types!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64);
        check(Scores::F16(Column::from_slice(
            &base.iter().map(|&x| half::f16::from_f64(x as f64)).collect::<Vec<_>>(),
        )));
        // Truth values as scores.
        let truth: Vec<u8> = base.iter().map(|&x| u8::from(x > 50) * 255).collect();
        let halves: Vec<f64> = base.iter().map(|&x| f64::from(u8::from(x > 50))).collect();
        assert_eq!(
            roc_auc(&labels, &Scores::Bool(Column::from_slice(&truth)), &SweepOptions::default()),
            Ok(naive_rank_sum(&y, &halves))
        );
    }

    #[test]
    fn tables_of_different_types_add_where_that_is_exact() {
        let y = [0_i64, 1, 1];
        let labels = Labels::I64(Column::from_slice(&y));
        let of =
            |scores: Scores| score_table(&labels, &scores, None, &SweepOptions::default()).unwrap();
        let single = of(Scores::F32(Column::from_slice(&[0.5_f32, 0.25, -1.0])));
        let double = of(Scores::F64(Column::from_slice(&[0.5, 0.1, -1.0])));
        let whole = of(Scores::I64(Column::from_slice(&[1, 2, 3])));
        let sum = single.add(&double).unwrap();
        assert_eq!(sum.scores(), [0.5, 0.25, 0.1, -1.0]);
        assert_eq!(sum.counts_at(0), BinaryCounts { tp: 0.0, fp: 2.0, fn_: 4.0, tn: 0.0 });
        assert_eq!(single.add(&whole).unwrap().scores(), [3.0, 2.0, 1.0, 0.5, 0.25, -1.0]);
        let odd = of(Scores::I64(Column::from_slice(&[1, 2, (1 << 53) + 1])));
        assert!(single.add(&odd).is_err());
        let weighted = table(&y, &[0.5, 0.1, -1.0], Some(&[1.0; 3]));
        assert!(double.add(&weighted).is_err());
        let other = score_table(
            &Labels::I64(Column::from_slice(&[0, 3])),
            &Scores::F64(Column::from_slice(&[0.1, 0.2])),
            None,
            &SweepOptions::default(),
        )
        .unwrap();
        assert!(double.add(&other).is_err());
    }

    proptest! {
        #[test]
        fn weighted_tables_are_filled_as_they_are_read(
            rows in prop::collection::vec((0_i64..2, 0_u8..200, 1_u32..4000), 2..300), scale in prop::sample::select(vec![1.0, 0.1, 1e-300, 1e12]),
        ) {
            let y: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) * scale).collect();
            let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
            let (labels, scores) = (Labels::I64(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
            let table = score_table(&labels, &scores, Some(Column::from_slice(&w)), &options).unwrap();
            for start in 0..3.min(table.len()) {
                let mut found = vec![BinaryCounts::default(); table.len() + 1 - start];
                table.fill_counts(start, &mut found);
                for (at, counts) in found.into_iter().enumerate() {
                    prop_assert_eq!(counts, table.counts_of_first(start + at));
                }
            }
        }
    }
}
