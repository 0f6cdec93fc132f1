//! Every threshold of a ranking: distinct scores from high to low, with the positives and negatives at or above each.
//!
//! A [`ScoreTable`] is sufficient for whatever sweeps a threshold (ROC, precision and recall, KS, gain, cost), it is exact, and two
//! tables add up to the table of the pooled rows, bit for bit: counts are integers, weights are sums of whole quanta
//! ([`crate::arith::exact`]), scores are kept as order keys of the type they came in ([`crate::scores::keys`]).
//! A [`crate::scores::rank::collector::ScoreCollector`] gathers rows batch by batch and makes the table at the end.
//!
//! Rows at a threshold are predicted positive (`≥`) unless [`Side::Greater`] is asked for. NaN that were ranked best lie above
//! every threshold, NaN that were ranked worst below.

use std::cmp::Ordering;
use std::sync::OnceLock;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::arith::products::{Products, difference_of_products, unit_scale};
use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind};
use crate::base::wide::{prefetch_read, wide};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::calibration::bins::Moments;
use crate::scores::calibration::fits::{Fits, Terms};
use crate::scores::keys::ScoreKind;
use crate::scores::rank::sweep::TableKey;
use crate::scores::ranking::areas::PrecisionSums;
use crate::scores::ranking::hull::RocHull;
use crate::scores::ranking::sums::Found;

/// Order keys, 32 or 64 bits wide as the kind of score asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Of scores of at most 32 bits.
    Narrow(Vec<u32>),
    /// Of scores of 64 bits.
    Wide(Vec<u64>),
}

impl Keys {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(keys) => keys.len(),
            Self::Wide(keys) => keys.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One key.
    pub fn get(&self, place: usize) -> u64 {
        match self {
            Self::Narrow(keys) => u64::from(keys[place]),
            Self::Wide(keys) => keys[place],
        }
    }
}

/// Running totals from the highest score down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amounts {
    /// Rows.
    Counts {
        /// Positive rows at or above each score.
        positives: Vec<u64>,
        /// Negative rows at or above each score.
        negatives: Vec<u64>,
    },
    /// Weights: one exact sum for the positives at or above each score, then one for the negatives at or above each.
    Weights(ExactSums),
}

/// Which side of a threshold a row of that very score falls on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Side {
    /// Predicted positive: score ≥ threshold.
    #[default]
    GreaterEqual,
    /// Predicted negative: only score > threshold is positive.
    Greater,
}

/// The Kolmogorov–Smirnov distance between the scores of the two classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ks {
    /// max |tpr − fpr|, in [0, 1].
    pub value: f64,
    /// The lowest score at which it is reached.
    pub threshold: f64,
    /// 1 where tpr > fpr there (positives score higher), −1 where tpr < fpr, 0 where they never differ.
    pub sign: i8,
}

/// Distinct scores, high to low, with cumulative amounts of each class.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreTable {
    kind: ScoreKind,
    keys: Keys,
    amounts: Amounts,
    labels: BinaryLabels,
    pub(crate) known: Known,
}

/// What several indices want of a table, each kept once one of them has asked for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) hull: OnceLock<RocHull>,
    pub(crate) precision_sums: OnceLock<PrecisionSums>,
    pub(crate) moments: OnceLock<Option<Moments>>,
    pub(crate) log_loss: OnceLock<f64>,
    pub(crate) recalibrated: OnceLock<[f64; 2]>,
    pub(crate) logit_terms: OnceLock<Terms>,
    pub(crate) calibration_fits: OnceLock<Fits>,
    pub(crate) sums: OnceLock<Found>,
}

/// What is known of a table is no part of it.
impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl ScoreTable {
    pub(crate) fn from_sweep(
        kind: ScoreKind,
        keys: Keys,
        amounts: Amounts,
        labels: BinaryLabels,
    ) -> Self {
        Self {
            kind,
            keys,
            amounts,
            labels,
            known: Known::default(),
        }
    }

    /// The table with other labels for its two classes.
    pub(crate) fn labelled(self, labels: BinaryLabels) -> Self {
        Self { labels, ..self }
    }

    /// The number of distinct scores.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no scores, because every row was left out.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// What the scores are.
    pub fn kind(&self) -> ScoreKind {
        self.kind
    }

    /// The scores as order keys, descending.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The running totals.
    pub fn amounts(&self) -> &Amounts {
        &self.amounts
    }

    /// The two labels, as far as rows had them or `pos_label` named them.
    pub fn pair(&self) -> &Pair {
        &self.labels.pair
    }

    /// What the labels were when they came in.
    pub fn label_kind(&self) -> LabelKind {
        self.labels.kind
    }

    /// The positive label that was asked for, if one was.
    pub fn pos_label(&self) -> Option<&Label> {
        self.labels.pos_label.as_ref()
    }

    /// Whether rows were weighted.
    pub fn is_weighted(&self) -> bool {
        matches!(self.amounts, Amounts::Weights(_))
    }

    /// The keys, their kind, and the amounts.
    pub(crate) fn into_parts(self) -> (Keys, ScoreKind, Amounts) {
        (self.keys, self.kind, self.amounts)
    }

    /// The number of rows counted; those left out and those of weight zero are not.
    pub fn rows(&self) -> u64 {
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => positives.last().copied().unwrap_or(0) + negatives.last().copied().unwrap_or(0),
            Amounts::Weights(sums) => sums.span().weights,
        }
    }

    /// A score, 0 being the highest. Exact but for integers beyond 2^53; NaN for NaN that were ranked.
    pub fn score(&self, place: usize) -> f64 {
        self.kind.score(self.keys.get(place))
    }

    /// All scores, high to low; exact but for integers beyond 2^53.
    pub fn scores(&self) -> Vec<f64> {
        (0..self.len()).map(|place| self.score(place)).collect()
    }

    /// Positives and negatives at or above score `place`.
    pub fn cumulative(&self, place: usize) -> (f64, f64) {
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => (positives[place] as f64, negatives[place] as f64),
            Amounts::Weights(sums) => (sums.get(place), sums.get(place + self.len())),
        }
    }

    /// Positives and negatives among the first `predicted` distinct scores.
    #[inline]
    pub(crate) fn at_or_above(&self, predicted: usize) -> (f64, f64) {
        predicted
            .checked_sub(1)
            .map_or((0.0, 0.0), |place| self.cumulative(place))
    }

    /// All positives and all negatives.
    pub fn totals(&self) -> (f64, f64) {
        self.len()
            .checked_sub(1)
            .map_or((0.0, 0.0), |last| self.cumulative(last))
    }

    /// (score, positives at or above, negatives at or above), from the highest score to the lowest.
    pub fn steps(&self) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
        (0..self.len()).map(|place| {
            let (tp, fp) = self.cumulative(place);
            (self.score(place), tp, fp)
        })
    }

    /// The two-by-two table of predicting the first `predicted` distinct scores positive.
    ///
    /// # Panics
    /// If there are not so many: a caller's error, which no input can cause.
    pub fn counts_of_first(&self, predicted: usize) -> BinaryCounts {
        let last = self.len();
        let fall = |total: f64, part: f64| total - part;
        match (&self.amounts, predicted) {
            (_, 0) => {
                let (positives, negatives) = self.totals();
                BinaryCounts {
                    tp: 0.0,
                    fp: 0.0,
                    fn_: positives,
                    tn: negatives,
                }
            }
            (Amounts::Counts { .. }, _) => {
                let ((tp, fp), (positives, negatives)) =
                    (self.cumulative(predicted - 1), self.totals());
                BinaryCounts {
                    tp,
                    fp,
                    fn_: fall(positives, tp),
                    tn: fall(negatives, fp),
                }
            }
            (Amounts::Weights(sums), _) => {
                fn read<F: Fixed>(sums: &[F], at: usize, len: usize, quantum: i32) -> BinaryCounts {
                    let get = |amount: F| amount.to_f64(quantum);
                    BinaryCounts {
                        tp: get(sums[at]),
                        fp: get(sums[len + at]),
                        fn_: get(sums[len - 1].minus(sums[at])),
                        tn: get(sums[2 * len - 1].minus(sums[len + at])),
                    }
                }
                let quantum = sums.span().quantum();
                match sums.sums() {
                    Sums::Narrow(sums) => read(sums, predicted - 1, last, quantum),
                    Sums::Wide(sums) => read(sums, predicted - 1, last, quantum),
                }
            }
        }
    }

    /// The two-by-two table of predicting score `place` and all above it positive.
    pub fn counts_at(&self, place: usize) -> BinaryCounts {
        self.counts_of_first(place + 1)
    }

    /// As many of [`Self::every_counts`] as there is room for, from place `start` on; they must exist.
    pub fn fill_counts(&self, start: usize, to: &mut [BinaryCounts]) {
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } if start > 0 => {
                let from = start - 1..;
                fill_tables(
                    &positives[from.clone()],
                    &negatives[from],
                    self.totals(),
                    to,
                );
            }
            Amounts::Weights(sums) if start > 0 && self.are_quick(sums) => {
                if let Sums::Narrow(amounts) = sums.sums() {
                    let (positives, negatives) = amounts.split_at(self.len());
                    let totals = (positives[self.len() - 1], negatives[self.len() - 1]);
                    let from = start - 1..;
                    let quantum = 1_u128.to_f64(sums.span().quantum());
                    sums_to_tables(
                        &positives[from.clone()],
                        &negatives[from],
                        totals,
                        quantum,
                        to,
                    );
                }
            }
            _ => {
                for (to, place) in to.iter_mut().zip(start..) {
                    *to = self.counts_of_first(place);
                }
            }
        }
    }

    /// Whether sums of weights are of a size that [`float_of`] rounds as [`Fixed::to_f64`] does, in quanta of a normal size.
    fn are_quick(&self, sums: &ExactSums) -> bool {
        let Sums::Narrow(amounts) = sums.sums() else {
            return false;
        };
        let len = self.len();
        let greatest = amounts[len - 1].max(amounts[2 * len - 1]);
        greatest < 1 << 105 && (-1022..=1023).contains(&sums.span().quantum())
    }

    /// The cells (tp, fp, fn, tn) of [`Self::fill_counts`] as columns of one length; false, and nothing written, where the
    /// rows have weights.
    pub(crate) fn fill_cells(&self, start: usize, to: [&mut [f64]; 4]) -> bool {
        let Amounts::Counts {
            positives,
            negatives,
        } = &self.amounts
        else {
            return false;
        };
        // Above all scores nothing is predicted positive.
        let above = usize::from(start == 0).min(to[0].len());
        let totals = self.totals();
        let [tp, fp, fn_, tn] = to.map(|column| {
            let (first, rest) = column.split_at_mut(above);
            first.fill(0.0);
            (first, rest)
        });
        fn_.0.fill(totals.0);
        tn.0.fill(totals.1);
        let from = (start + above).saturating_sub(1)..;
        fill_columns(
            &positives[from.clone()],
            &negatives[from],
            totals,
            [tp.1, fp.1, fn_.1, tn.1],
        );
        true
    }

    /// The two-by-two table at a threshold. No score reaches a NaN threshold.
    pub fn at(&self, threshold: f64, side: Side) -> BinaryCounts {
        self.counts_of_first(self.reached(threshold, side))
    }

    /// How many distinct scores reach a threshold.
    pub(crate) fn reached(&self, threshold: f64, side: Side) -> usize {
        let reaches = |key: u64| {
            let order = self.compare(key, threshold);
            match side {
                Side::GreaterEqual => order.is_some_and(Ordering::is_ge),
                Side::Greater => order.is_some_and(Ordering::is_gt),
            }
        };
        match &self.keys {
            Keys::Narrow(keys) => keys.partition_point(|&key| reaches(u64::from(key))),
            Keys::Wide(keys) => keys.partition_point(|&key| reaches(key)),
        }
    }

    /// The order of a score and a threshold, exactly.
    fn compare(&self, key: u64, threshold: f64) -> Option<Ordering> {
        if threshold.is_nan() {
            return None;
        }
        let Some(integer) = self.kind.integer(key) else {
            return Some(match key {
                0 => Ordering::Less,
                key if key == self.kind.greatest() => Ordering::Greater,
                key => self.kind.score(key).partial_cmp(&threshold)?,
            });
        };
        // Integers of 64 bits compare with the whole part of the threshold; what is left of it breaks a tie.
        let whole = threshold.floor();
        Some(integer.cmp(&(whole as i128)).then(if threshold > whole {
            Ordering::Less
        } else {
            Ordering::Equal
        }))
    }

    /// The table with the classes exchanged: positives are negatives.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self {
            kind: self.kind,
            keys: self.keys.clone(),
            amounts: self.turned_amounts(),
            labels: self.labels.exchanged(),
            known: Known::default(),
        }
    }

    /// The amounts of the negatives as those of the positives, and the other way round.
    pub(crate) fn turned_amounts(&self) -> Amounts {
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => Amounts::Counts {
                positives: negatives.clone(),
                negatives: positives.clone(),
            },
            Amounts::Weights(sums) => {
                let half = self.len();
                let places: Vec<usize> = (half..2 * half).chain(0..half).collect();
                Amounts::Weights(sums.moved(&places, 2 * half))
            }
        }
    }

    /// The area under the ROC curve, ties counting one half; `None` if a class is absent.
    ///
    /// Counts: an exact integer over an exact integer, rounded to `f64` and divided. Weights: a sum of products of the exact
    /// amounts, each rounded once, to twice the precision of `f64`.
    pub fn roc_auc(&self) -> Option<f64> {
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => {
                let (tp, fp) = (positives.last().copied(), negatives.last().copied());
                let pairs = 2 * u128::from(tp.unwrap_or(0)) * u128::from(fp.unwrap_or(0));
                let twice = self
                    .kept_pairs()
                    .unwrap_or_else(|| twice_concordant(positives, negatives));
                (pairs > 0).then(|| twice as f64 / pairs as f64)
            }
            Amounts::Weights(_) => {
                let (positives, negatives) = self.totals();
                if !(positives > 0.0 && negatives > 0.0) {
                    return None;
                }
                let (up, down) = (unit_scale(positives), unit_scale(negatives));
                let (mut twice, mut before) = (Products::default(), 0.0);
                self.groups(|_, n, tp, _| {
                    twice = twice.plus(n * down, before).plus(n * down, tp * up);
                    before = tp * up;
                });
                let pairs = (positives * up) * (negatives * down);
                Some((twice.value() / (2.0 * pairs)).min(1.0))
            }
        }
    }

    /// Average precision: Σ (recall − recall before) · precision over the scores from high to low; `None` without positives.
    /// Source: the step-wise area under the precision–recall curve, as in Manning, Raghavan and Schütze 2008, section 8.4.
    pub fn average_precision(&self) -> Option<f64> {
        let (total, _) = self.totals();
        if let Amounts::Counts {
            positives,
            negatives,
        } = &self.amounts
        {
            if let Some(kept) = self.kept_precision() {
                return (total > 0.0).then(|| (kept / (total * unit_scale(total))).min(1.0));
            }
            return (total > 0.0).then(|| (step_area(positives, negatives) / total).min(1.0));
        }
        let up = unit_scale(total);
        let mut area = Products::default();
        self.groups(|p, _, tp, fp| {
            if p > 0.0 {
                area = area.plus(p * up, tp / (tp + fp));
            }
        });
        (total > 0.0).then(|| (area.value() / (total * up)).min(1.0))
    }

    /// Calls with the amounts of each score itself, exact before they are rounded, and at or above it:
    /// (positives, negatives, tp, fp).
    pub(crate) fn groups(&self, mut call: impl FnMut(f64, f64, f64, f64)) {
        fn run<F: Fixed>(sums: &[F], quantum: i32, call: &mut impl FnMut(f64, f64, f64, f64)) {
            let (positives, negatives) = sums.split_at(sums.len() / 2);
            let (mut tp, mut fp) = (F::default(), F::default());
            for (&p, &n) in positives.iter().zip(negatives) {
                let get = |amount: F| amount.to_f64(quantum);
                call(get(p.minus(tp)), get(n.minus(fp)), get(p), get(n));
                (tp, fp) = (p, n);
            }
        }
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => {
                let (mut tp, mut fp) = (0, 0);
                for (&p, &n) in positives.iter().zip(negatives) {
                    call((p - tp) as f64, (n - fp) as f64, p as f64, n as f64);
                    (tp, fp) = (p, n);
                }
            }
            Amounts::Weights(sums) => match sums.sums() {
                Sums::Narrow(narrow) => run(narrow, sums.span().quantum(), &mut call),
                Sums::Wide(wide) => run(wide, sums.span().quantum(), &mut call),
            },
        }
    }

    /// The two-sided Kolmogorov–Smirnov distance, at the lowest threshold that reaches it; `None` if a class is absent.
    /// Source: Smirnov 1948, doi:10.1214/aoms/1177730256.
    pub fn ks(&self) -> Option<Ks> {
        const BLOCK: usize = 256;
        let (p, n) = self.totals();
        if !(p > 0.0 && n > 0.0) {
            return None;
        }
        let ks = |value: f64, place: usize, order: Ordering| Ks {
            value,
            threshold: self.score(place),
            sign: order as i8,
        };
        if let Amounts::Counts {
            positives,
            negatives,
        } = &self.amounts
        {
            // Compared exactly: |tp·N − fp·P| in integers.
            let (p, n) = (positives[self.len() - 1], negatives[self.len() - 1]);
            let gap = |place: usize| {
                i128::from(positives[place]) * i128::from(n)
                    - i128::from(negatives[place]) * i128::from(p)
            };
            let best = match self.kept_gap() {
                Some(best) => best,
                None => widest_gap(positives, negatives)?,
            };
            let value = gap(best).unsigned_abs() as f64 / (u128::from(p) * u128::from(n)) as f64;
            return Some(ks(value, best, gap(best).cmp(&0)));
        }
        // tpr − fpr over the common denominator, so that equal distances compare equal.
        let (up, down) = (unit_scale(p), unit_scale(n));
        let (p, n) = (p * up, n * down);
        let gap = |place: usize| {
            let (tp, fp) = self.cumulative(place);
            difference_of_products(tp * up, n, fp * down, p)
        };
        let mut tables = [BinaryCounts::default(); BLOCK];
        let mut maxima = Vec::with_capacity(self.len().div_ceil(BLOCK));
        for start in (0..self.len()).step_by(BLOCK) {
            let tables = &mut tables[..BLOCK.min(self.len() - start)];
            self.fill_counts(start + 1, tables);
            maxima.push(widest_of_tables(tables, (up, down), (p, n)));
        }
        // Distances that are equal may differ by the rounding of the sums.
        let widest = maxima.iter().copied().fold(0.0, f64::max);
        let tied = widest - 4.0 * f64::EPSILON * (p * n);
        let block = BLOCK * maxima.iter().rposition(|&found| found >= tied)?;
        let best = (block..self.len().min(block + BLOCK)).rfind(|&at| gap(at).abs() >= tied)?;
        let value = (gap(best).abs() / (p * n)).min(1.0);
        Some(ks(value, best, gap(best).partial_cmp(&0.0)?))
    }

    /// The table of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if there are more than two labels between them, if they differ in which is positive, if one has
    /// weights and the other counts, or if no type holds the scores of both exactly.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let labels = self.labels.add(&other.labels)?;
        let kinds = [(self.kind, &self.keys), (other.kind, &other.keys)];
        let kind = common_kind_of(kinds).ok_or_else(|| {
            merge(format!(
                "no type holds scores of {:?} and {:?} exactly",
                self.kind, other.kind
            ))
        })?;
        let (a, b) = (self.facing(&labels), other.facing(&labels));
        let (left, right) = (
            promoted(&self.keys, self.kind, kind),
            promoted(&other.keys, other.kind, kind),
        );
        let (keys, amounts) = match (&left, &right) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, &a, &b)?,
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, &a, &b)?,
            _ => return Err(merge("scores of two widths".to_owned())),
        };
        Ok(Self {
            kind,
            keys,
            amounts,
            labels,
            known: Known::default(),
        })
    }

    /// The amounts with the classes as `union` has them.
    fn facing(&self, union: &BinaryLabels) -> Amounts {
        if self.labels.turned(union) {
            self.turned_amounts()
        } else {
            self.amounts.clone()
        }
    }
}

fn merge(reason: String) -> Refusal {
    Refusal::Merge { reason }
}

/// The first place for which something that then stays true is true; `len` if it never is.
pub(crate) fn first_place(len: usize, is: impl Fn(usize) -> bool) -> usize {
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

/// The narrowest kind that holds these very scores exactly: integers of 64 bits go with floats as long as doubles hold them.
pub(crate) fn common_kind_of(sides: [(ScoreKind, &Keys); 2]) -> Option<ScoreKind> {
    let [(a, _), (b, _)] = sides;
    let is_exact = |(kind, keys): (ScoreKind, &Keys)| {
        (0..keys.len()).all(|place| {
            let integer = kind.integer(keys.get(place)).unwrap_or(0);
            integer.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
        })
    };
    a.common(b)
        .or_else(|| sides.into_iter().all(is_exact).then_some(f64::KIND))
}

/// Keys of one kind as keys of another that holds them exactly.
pub(crate) fn promoted(keys: &Keys, from: ScoreKind, to: ScoreKind) -> Keys {
    if from == to {
        return keys.clone();
    }
    let one = |key: u64| -> u64 {
        if let Some(integer) = from.integer(key) {
            return to.key_of_whole(integer);
        }
        match key {
            0 => 0,
            _ if key == from.greatest() => to.greatest(),
            _ => to.key_of_float(from.score(key)),
        }
    };
    let all = (0..keys.len()).map(|place| one(keys.get(place)));
    if to.is_wide() {
        Keys::Wide(all.collect())
    } else {
        Keys::Narrow(all.map(|key| key as u32).collect())
    }
}

/// Adds two tables whose keys are of one kind and whose classes face the same way.
pub(crate) fn union<K: TableKey>(
    x: &[K],
    y: &[K],
    a: &Amounts,
    b: &Amounts,
) -> Result<(Keys, Amounts)> {
    // The distinct keys of both, descending, and for each how many of either side are at or above it.
    let mut keys = Vec::with_capacity(x.len() + y.len());
    let (mut from_x, mut from_y) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < x.len() || j < y.len() {
        let key = match (x.get(i), y.get(j)) {
            (Some(&p), Some(&q)) => p.max(q),
            (Some(&p), None) => p,
            (None, Some(&q)) => q,
            (None, None) => break,
        };
        i += usize::from(x.get(i) == Some(&key));
        j += usize::from(y.get(j) == Some(&key));
        keys.push(key);
        from_x.push(i);
        from_y.push(j);
    }
    keys.shrink_to_fit();
    let amounts = match (a, b) {
        (
            Amounts::Counts {
                positives: p,
                negatives: n,
            },
            Amounts::Counts {
                positives: q,
                negatives: m,
            },
        ) => {
            let rows = |sums: [&Vec<u64>; 4]| {
                sums.into_iter().try_fold(0_u64, |sum, part| {
                    sum.checked_add(part.last().copied().unwrap_or(0))
                })
            };
            if rows([p, n, q, m]).is_none() {
                return Err(merge("more rows than 64 bits can count".to_owned()));
            }
            let at = |sums: &[u64], upto: usize| if upto == 0 { 0 } else { sums[upto - 1] };
            let add = |a: &[u64], b: &[u64]| -> Vec<u64> {
                from_x
                    .iter()
                    .zip(&from_y)
                    .map(|(&i, &j)| at(a, i) + at(b, j))
                    .collect()
            };
            Amounts::Counts {
                positives: add(p, q),
                negatives: add(n, m),
            }
        }
        (Amounts::Weights(a), Amounts::Weights(b)) => {
            fn stretched(sums: &ExactSums, from: &[usize]) -> ExactSums {
                fn run<F: Fixed>(sums: &[F], from: &[usize]) -> Vec<F> {
                    let (p, n) = sums.split_at(sums.len() / 2);
                    let at = |sums: &[F], upto: usize| {
                        if upto == 0 {
                            F::default()
                        } else {
                            sums[upto - 1]
                        }
                    };
                    let (p, n) = (
                        from.iter().map(|&i| at(p, i)),
                        from.iter().map(|&i| at(n, i)),
                    );
                    p.chain(n).collect()
                }
                let stretched = match sums.sums() {
                    Sums::Narrow(sums) => Sums::Narrow(run(sums, from)),
                    Sums::Wide(sums) => Sums::Wide(run(sums, from)),
                };
                // The width is that of the same span.
                ExactSums::from_parts(sums.span(), stretched).unwrap_or_else(|| ExactSums::new(0))
            }
            let mut sums = stretched(a, &from_x);
            sums.merge(&stretched(b, &from_y));
            Amounts::Weights(sums)
        }
        _ => return Err(merge("one has weights and the other has none".to_owned())),
    };
    Ok((K::keys(keys), amounts))
}

/// Twice the pairs of a positive row above a negative one, and the ties.
fn twice_concordant(positives: &[u64], negatives: &[u64]) -> u128 {
    let (mut twice, mut tp, mut fp) = (0_u128, 0, 0);
    for (&p, &n) in positives.iter().zip(negatives) {
        twice += u128::from(n - fp) * (u128::from(p) + u128::from(tp));
        (tp, fp) = (p, n);
    }
    twice
}

/// Σ over the steps of (tp − tp before) · tp / (tp + fp), in eight interleaved compensated sums: the same operations in the same
/// order on every machine, and no step waits for the one before.
#[inline(always)]
fn step_area_body(positives: &[u64], negatives: &[u64]) -> f64 {
    const LANES: usize = 8;
    let term =
        |tp: u64, before: u64, fp: u64| (tp - before) as f64 * (tp as f64 / (tp + fp) as f64);
    let (mut sums, mut lost) = ([0.0; LANES], [0.0; LANES]);
    let mut before = 0;
    let (positives, last_positives) = positives.as_chunks::<LANES>();
    let (negatives, last_negatives) = negatives.as_chunks::<LANES>();
    for (tps, fps) in positives.iter().zip(negatives) {
        let mut befores = [before; LANES];
        befores[1..].copy_from_slice(&tps[..LANES - 1]);
        before = tps[LANES - 1];
        for lane in 0..LANES {
            let term = term(tps[lane], befores[lane], fps[lane]);
            // The sum and its rounding error, whichever of the two is greater (Knuth 1969).
            let sum = sums[lane] + term;
            let added = sum - sums[lane];
            lost[lane] += (sums[lane] - (sum - added)) + (term - added);
            sums[lane] = sum;
        }
    }
    let mut all = Products::default();
    for part in sums.into_iter().chain(lost) {
        all = all.plus(part, 1.0);
    }
    for (&tp, &fp) in last_positives.iter().zip(last_negatives) {
        all = all.plus(term(tp, before, fp), 1.0);
        before = tp;
    }
    all.value()
}

wide! {
    fn step_area[](positives: &[u64], negatives: &[u64]) -> f64 = step_area_body;
}

// ---- bytes ----

const NAME: &str = "ScoreTable";
const KIND: u8 = b'S';
const VERSION: u8 = 1;

fn bad(reason: impl Into<String>) -> Refusal {
    Refusal::Bytes {
        kind: NAME,
        reason: reason.into(),
    }
}

/// `len` values of `SIZE` bytes. They are known to be there before room is made for them.
fn values<T, const SIZE: usize>(
    input: &mut Reader,
    len: usize,
    value: fn([u8; SIZE]) -> T,
) -> Result<Vec<T>> {
    let bytes = len
        .checked_mul(SIZE)
        .ok_or_else(|| bad("a length does not fit"))?;
    let (values, _) = input.take(bytes)?.as_chunks::<SIZE>();
    Ok(values.iter().map(|&bytes| value(bytes)).collect())
}

impl ScoreTable {
    /// The table as bytes: the head that all statistics have, then little-endian fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        out.put(&[self.kind.code()]);
        self.labels.put(&mut out);
        out.put(&(self.len() as u64).to_le_bytes());
        match &self.keys {
            Keys::Narrow(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
            Keys::Wide(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
        }
        match &self.amounts {
            Amounts::Counts {
                positives,
                negatives,
            } => {
                out.put(&[0]);
                positives
                    .iter()
                    .chain(negatives)
                    .for_each(|count| out.put(&count.to_le_bytes()));
            }
            Amounts::Weights(sums) => {
                let span = sums.span();
                out.put(&[1]);
                out.put(&span.low.to_le_bytes());
                out.put(&span.high.to_le_bytes());
                out.put(&span.weights.to_le_bytes());
                match sums.sums() {
                    Sums::Narrow(sums) => {
                        for sum in sums {
                            out.put(&sum.to_le_bytes());
                        }
                    }
                    Sums::Wide(sums) => {
                        sums.iter()
                            .flat_map(|sum| sum.0)
                            .for_each(|limb| out.put(&limb.to_le_bytes()));
                    }
                }
            }
        }
        out.finish()
    }

    /// The table from its bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::to_bytes`] would not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, NAME, KIND, VERSION)?;
        let kind = ScoreKind::of_code(reader.u8()?);
        let kind = kind.ok_or_else(|| bad("the scores are of no known kind"))?;
        let labels = BinaryLabels::take(&mut reader)?;
        let len = reader.len(if kind.is_wide() { 8 } else { 4 })?;
        let keys = if kind.is_wide() {
            Keys::Wide(values(&mut reader, len, u64::from_le_bytes)?)
        } else {
            Keys::Narrow(values(&mut reader, len, u32::from_le_bytes)?)
        };
        if len > 0 && keys.get(0) > kind.greatest() {
            return Err(bad("a score is out of range"));
        }
        if (1..len).any(|place| keys.get(place - 1) <= keys.get(place)) {
            return Err(bad("the scores do not descend"));
        }
        if kind.is_float() && (0..len).any(|place| is_stray_nan(kind, keys.get(place))) {
            return Err(bad("a score is not a number"));
        }
        let amounts = match reader.u8()? {
            0 => {
                let positives = values(&mut reader, len, u64::from_le_bytes)?;
                let negatives = values(&mut reader, len, u64::from_le_bytes)?;
                check_rising(&positives, &negatives)?;
                let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                if last(&positives).checked_add(last(&negatives)).is_none() {
                    return Err(bad("there are too many rows"));
                }
                Amounts::Counts {
                    positives,
                    negatives,
                }
            }
            1 => Amounts::Weights(read_weights(&mut reader, len)?),
            _ => return Err(bad("the amounts are of no known kind")),
        };
        reader.finish()?;
        Ok(Self {
            kind,
            keys,
            amounts,
            labels,
            known: Known::default(),
        })
    }
}

/// Whether a key is that of a NaN other than the two that stand for ranked NaN.
fn is_stray_nan(kind: ScoreKind, key: u64) -> bool {
    key != 0 && key != kind.greatest() && kind.score(key).is_nan()
}

fn check_rising<T: Ord + Copy + Default>(positives: &[T], negatives: &[T]) -> Result<()> {
    let mut before = (T::default(), T::default());
    for (&p, &n) in positives.iter().zip(negatives) {
        // Every score was had by some row, so at least one of the two rises.
        if p < before.0 || n < before.1 || (p, n) == before {
            return Err(bad("the amounts do not rise"));
        }
        before = (p, n);
    }
    Ok(())
}

fn read_weights(reader: &mut Reader, len: usize) -> Result<ExactSums> {
    let low = reader.i32()?;
    let high = reader.i32()?;
    let span = Span {
        low,
        high,
        weights: reader.u64()?,
    };
    let plausible = if span.weights == 0 {
        span == Span::EMPTY && len == 0
    } else {
        (-1074..1024).contains(&low) && high > low && high <= 1024 && span.weights >= len as u64
    };
    if !plausible {
        return Err(bad("the weights have an impossible span"));
    }
    let twice = len
        .checked_mul(2)
        .ok_or_else(|| bad("a length does not fit"))?;
    let sums = if span.is_narrow() {
        let sums = values(reader, twice, u128::from_le_bytes)?;
        check_rising(&sums[..len], &sums[len..])?;
        Sums::Narrow(sums)
    } else {
        let limbs = values(
            reader,
            twice
                .checked_mul(Wide::LIMBS)
                .ok_or_else(|| bad("a length does not fit"))?,
            u64::from_le_bytes,
        )?;
        let (sums, _) = limbs.as_chunks::<{ Wide::LIMBS }>();
        let sums: Vec<Wide> = sums.iter().map(|&limbs| Wide(limbs)).collect();
        check_rising(&sums[..len], &sums[len..])?;
        Sums::Wide(sums)
    };
    ExactSums::from_parts(span, sums).ok_or_else(|| bad("the weights have an impossible width"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, NanPolicy, Scores};
    use crate::scores::keys::key_of_f64;
    use crate::scores::rank::auc::{RankSum, roc_auc};
    use crate::scores::rank::collector::ScoreCollector;
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn table(y: &[i64], s: &[f64], w: Option<&[f64]>) -> ScoreTable {
        let weights = w.map(Column::from_slice);
        let options = RankOptions {
            infinite: true,
            ..RankOptions::default()
        };
        score_table(
            &Labels::I64(Column::from_slice(y)),
            &Scores::F64(Column::from_slice(s)),
            weights,
            &options,
        )
        .unwrap()
    }

    /// Distinct scores, descending, with cumulative amounts in 2^-20ths: a sorted map, one row at a time.
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
        let steps = groups.iter().rev().map(|(&key, amounts)| {
            sums = [sums[0] + amounts[0], sums[1] + amounts[1]];
            (
                crate::scores::keys::f64_of(key),
                sums[1] as f64 / 1_048_576.0,
                sums[0] as f64 / 1_048_576.0,
            )
        });
        steps.collect()
    }

    fn rows(most: usize) -> impl Strategy<Value = (Vec<i64>, Vec<f64>, Vec<f64>)> {
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
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
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
        RankSum {
            positives: tp as u64,
            negatives: fp as u64,
            ..sum
        }
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
                    let options = RankOptions {
                        infinite: true,
                        ..RankOptions::default()
                    };
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
            &RankOptions::default(),
        )
        .unwrap();
        let table = table(&y, &s, None);
        assert_eq!(table.roc_auc(), got.area());
        assert_eq!(table.rows(), 10_000_000);
        assert!(
            (0..table.len() - 1).all(|place| table.keys().get(place) > table.keys().get(place + 1))
        );
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
                let mut collector = ScoreCollector::new(RankOptions { infinite: true, ..RankOptions::default() });
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
                let bytes = table(&y, &s, weights).to_bytes();
                let cut = cut % bytes.len();
                prop_assert!(ScoreTable::from_bytes(&bytes[..cut]).is_err());
                let mut longer = bytes.clone();
                longer.push(0);
                prop_assert!(ScoreTable::from_bytes(&longer).is_err());
                let mut changed = bytes.clone();
                let at = place % changed.len();
                changed[at] ^= flip;
                if let Ok(table) = ScoreTable::from_bytes(&changed) {
                    prop_assert_eq!(table.to_bytes(), changed);
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
                        // One label alone is positive if it is 1, which is what 0 and 1 mean here anyway.
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

        #[test]
        fn summaries_agree_with_their_definitions((y, s, w) in rows(80)) {
            let t = table(&y, &s, Some(&w));
            let (p, n) = t.totals();
            let (mut area, mut ap, mut ks, mut before) = (0.0, 0.0, 0.0_f64, (0.0, 0.0));
            for (_, tp, fp) in t.steps() {
                area += (fp - before.1) * (tp + before.0) / 2.0;
                if tp > before.0 { ap += (tp - before.0) * tp / (tp + fp); }
                ks = ks.max((tp / p - fp / n).abs());
                before = (tp, fp);
            }
            if p > 0.0 && n > 0.0 {
                prop_assert!((t.roc_auc().unwrap() - area / p / n).abs() < 1e-12);
                let found = t.ks().unwrap();
                prop_assert!((found.value - ks).abs() < 1e-15);
                let at = t.at(found.threshold, Side::GreaterEqual);
                prop_assert!(((at.tp / p - at.fp / n).abs() - ks).abs() < 1e-15);
            } else {
                prop_assert_eq!(t.roc_auc(), None);
            }
            if p > 0.0 { prop_assert!((t.average_precision().unwrap() - ap / p).abs() < 1e-12); }
        }
    }

    proptest! {
        #[test]
        fn weighted_summaries_equal_exact_fractions(
            rows in prop::collection::vec((0_u8..2, 0_u32..20, 1_u64..1 << 40), 2..60), exponent in -900_i32..900,
        ) {
            let y: Vec<i64> = rows.iter().map(|row| row.0.into()).collect();
            let s: Vec<f64> = rows.iter().map(|row| row.1.into()).collect();
            for ones in [false, true] {
                let whole = |row: &(u8, u32, u64)| if ones { 1 } else { i128::from(row.2) };
                let scale = if ones { 1.0 } else { 2_f64.powi(exponent) };
                let w: Vec<f64> = rows.iter().map(|row| whole(row) as f64 * scale).collect();
                let sum = |class: u8, least: u32| -> i128 {
                    rows.iter().filter(|row| row.0 == class && row.1 >= least).map(whole).sum()
                };
                let (p, n) = (sum(1, 0), sum(0, 0));
                prop_assume!(p > 0 && n > 0);
                let t = table(&y, &s, Some(&w));
                let (mut twice, mut before, mut best) = (0, (0, 0), (-1, 0.0, 0));
                for score in (0..20_u32).rev() {
                    let (tp, fp) = (sum(1, score), sum(0, score));
                    twice += (fp - before.1) * (tp + before.0);
                    let gap = tp * n - fp * p;
                    if (tp, fp) != before && gap.abs() >= best.0 {
                        best = (gap.abs(), f64::from(score), gap.signum() as i8);
                    }
                    before = (tp, fp);
                }
                let near = |found: f64, part: i128, all: i128| {
                    let exact = part as f64 / all as f64;
                    (found - exact).abs() <= 4.0 * f64::EPSILON * exact
                };
                prop_assert!(near(t.roc_auc().unwrap(), twice, 2 * p * n));
                let ks = t.ks().unwrap();
                prop_assert!(near(ks.value, best.0, p * n));
                prop_assert_eq!((ks.threshold, ks.sign), (best.1, best.2));
                if ones {
                    let counted = table(&y, &s, None);
                    prop_assert_eq!(counted.ks(), t.ks());
                    prop_assert_eq!(counted.roc_auc(), t.roc_auc());
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
        let t = score_table(&y, &s, None, &RankOptions::default()).unwrap();
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
        // The inverse of the hash's factor, by Newton's method: its multiples all have hash zero.
        let factor = 0x9e37_79b9_7f4a_7c15_u64;
        let inverse = (0..6).fold(factor, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(factor.wrapping_mul(inverse)))
        });
        assert_eq!(factor.wrapping_mul(inverse), 1);
        let keys: Vec<u64> = (0..300_000_u64)
            .map(|row| (row * row % 20_011).wrapping_mul(inverse))
            .collect();
        let y: Vec<i64> = (0..300_000).map(|row| row % 7 % 2).collect();
        let (labels, scores) = (
            Labels::I64(Column::from_slice(&y)),
            Scores::U64(Column::from_slice(&keys)),
        );
        let options = RankOptions::default();
        let auc = roc_auc(&labels, &scores, &options).unwrap();
        let table = score_table(&labels, &scores, None, &options).unwrap();
        assert_eq!(auc.area(), table.roc_auc());
        assert_eq!(table.rows(), 300_000);
    }

    #[test]
    fn a_refused_batch_changes_nothing() {
        let mut collector = ScoreCollector::new(RankOptions::default());
        let labels = |y| Labels::I64(Column::from_slice(y));
        let scores = |s| Scores::F64(Column::from_slice(s));
        collector
            .update(&labels(&[0, 1]), &scores(&[0.5, 0.25]), None)
            .unwrap();
        let before = collector.table().unwrap();
        assert!(
            collector
                .update(&labels(&[0, 2]), &scores(&[0.5, 0.1]), None)
                .is_err()
        );
        assert!(
            collector
                .update(&labels(&[0, 1]), &scores(&[0.1, f64::NAN]), None)
                .is_err()
        );
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
        collector
            .update(&labels(&[1]), &scores(&[0.1]), None)
            .unwrap();
        assert_eq!(
            collector.table().unwrap(),
            table(&[0, 1, 1], &[0.5, 0.25, 0.1], None)
        );
    }

    #[test]
    fn nan_scores_follow_the_policy() {
        let y = [0_i64, 1, 0, 1];
        let s = [0.5, f64::NAN, 0.25, 0.75];
        let run = |nan_policy| {
            let options = RankOptions {
                nan_policy,
                ..RankOptions::default()
            };
            let (y, s) = (
                Labels::I64(Column::from_slice(&y)),
                Scores::F64(Column::from_slice(&s)),
            );
            assert_eq!(
                score_table(&y, &s, None, &options)
                    .ok()
                    .and_then(|t| t.roc_auc()),
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
            assert_eq!(
                roc_auc(&labels, &scores, &RankOptions::default()),
                Ok(expected)
            );
            let table = score_table(&labels, &scores, None, &RankOptions::default()).unwrap();
            assert_eq!(table.roc_auc(), expected.area());
            assert_eq!(table.score(0), 100.0);
            let at = table.at(49.5, Side::GreaterEqual);
            assert_eq!(
                at.tp + at.fp,
                base.iter().filter(|&&x| x > 49).count() as f64
            );
            assert_eq!(ScoreTable::from_bytes(&table.to_bytes()), Ok(table));
        };
        macro_rules! as_types {
            ($($variant:ident $number:ty),+) => {$(
                check(Scores::$variant(Column::from_slice(&base.iter().map(|&x| x as $number).collect::<Vec<_>>())));
            )+};
        }
        as_types!(I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64);
        check(Scores::F16(Column::from_slice(
            &base
                .iter()
                .map(|&x| half::f16::from_f64(x as f64))
                .collect::<Vec<_>>(),
        )));
        // Truth values as scores.
        let truth: Vec<u8> = base.iter().map(|&x| u8::from(x > 50) * 255).collect();
        let halves: Vec<f64> = base.iter().map(|&x| f64::from(u8::from(x > 50))).collect();
        assert_eq!(
            roc_auc(
                &labels,
                &Scores::Bool(Column::from_slice(&truth)),
                &RankOptions::default()
            ),
            Ok(naive_rank_sum(&y, &halves))
        );
    }

    #[test]
    fn tables_of_different_types_add_where_that_is_exact() {
        let y = [0_i64, 1, 1];
        let labels = Labels::I64(Column::from_slice(&y));
        let of =
            |scores: Scores| score_table(&labels, &scores, None, &RankOptions::default()).unwrap();
        let single = of(Scores::F32(Column::from_slice(&[0.5_f32, 0.25, -1.0])));
        let double = of(Scores::F64(Column::from_slice(&[0.5, 0.1, -1.0])));
        let whole = of(Scores::I64(Column::from_slice(&[1, 2, 3])));
        let sum = single.add(&double).unwrap();
        assert_eq!(sum.scores(), [0.5, 0.25, 0.1, -1.0]);
        assert_eq!(
            sum.counts_at(0),
            BinaryCounts {
                tp: 0.0,
                fp: 2.0,
                fn_: 4.0,
                tn: 0.0
            }
        );
        assert_eq!(
            single.add(&whole).unwrap().scores(),
            [3.0, 2.0, 1.0, 0.5, 0.25, -1.0]
        );
        let odd = of(Scores::I64(Column::from_slice(&[1, 2, (1 << 53) + 1])));
        assert!(single.add(&odd).is_err());
        let weighted = table(&y, &[0.5, 0.1, -1.0], Some(&[1.0; 3]));
        assert!(double.add(&weighted).is_err());
        let other = score_table(
            &Labels::I64(Column::from_slice(&[0, 3])),
            &Scores::F64(Column::from_slice(&[0.1, 0.2])),
            None,
            &RankOptions::default(),
        )
        .unwrap();
        assert!(double.add(&other).is_err());
    }

    proptest! {
        #[test]
        fn the_widest_gap_is_found_as_in_integers(
            rows in prop::collection::vec((0_u64..4, 0_u64..4), 1..3000), times in prop::sample::select(vec![1, 1 << 10, 1 << 30]),
        ) {
            let running = |of: &dyn Fn(&(u64, u64)) -> u64| {
                rows.iter().scan(0, |sum, row| { *sum += of(row) * times; Some(*sum) }).collect::<Vec<u64>>()
            };
            let (positives, negatives) = (running(&|row| row.0), running(&|row| row.1));
            let (p, n) = (i128::from(*positives.last().unwrap()), i128::from(*negatives.last().unwrap()));
            let gap = |place: usize| (i128::from(positives[place]) * n - i128::from(negatives[place]) * p).abs();
            let best = (0..rows.len()).max_by_key(|&place| gap(place));
            prop_assert_eq!(widest_gap(&positives, &negatives), best);
        }

        #[test]
        fn quick_floats_are_rounded_once(amount: u128, bits in 0_u32..105) {
            let amount = amount >> (128 - 105) >> (104 - bits);
            prop_assert_eq!(float_of(amount), amount as f64);
            let tie = (amount >> 1 << 1 | 1) << 20 & ((1 << 105) - 1);
            prop_assert_eq!(float_of(tie), tie as f64);
        }

        #[test]
        fn weighted_tables_are_filled_as_they_are_read(
            rows in prop::collection::vec((0_i64..2, 0_u8..200, 1_u32..4000), 2..300), scale in prop::sample::select(vec![1.0, 0.1, 1e-300, 1e12]),
        ) {
            let y: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) * scale).collect();
            let options = RankOptions { pos_label: Some(Label::Int(1)), ..RankOptions::default() };
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

    #[test]
    fn ks_takes_the_lowest_threshold_of_the_best() {
        // tpr − fpr is ½ at 0.9, 0.8 and again at 0.7: 0.7 is the lowest.
        let t = table(&[1, 0, 1, 0], &[0.9, 0.8, 0.7, 0.6], None);
        assert_eq!(
            t.ks(),
            Some(Ks {
                value: 0.5,
                threshold: 0.7,
                sign: 1
            })
        );
        let t = table(&[0, 1], &[0.9, 0.1], None);
        assert_eq!(
            t.ks(),
            Some(Ks {
                value: 1.0,
                threshold: 0.9,
                sign: -1
            })
        );
        assert_eq!(
            table(&[0, 1], &[0.5, 0.5], None).ks().map(|ks| ks.sign),
            Some(0)
        );
    }
}
wide! {
    fn fill_tables[](
        positives: &[u64], negatives: &[u64], totals: (f64, f64), to: &mut [BinaryCounts],
    ) -> () = fill_tables_body;

    fn fill_columns[](
        positives: &[u64], negatives: &[u64], totals: (f64, f64), to: [&mut [f64]; 4],
    ) -> () = fill_columns_body;
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn fill_columns_body(
    positives: &[u64],
    negatives: &[u64],
    totals: (f64, f64),
    [tp, fp, fn_, tn]: [&mut [f64]; 4],
) {
    complements(positives, totals.0, tp, fn_);
    complements(negatives, totals.1, fp, tn);
}

/// Counts as floats, and what is left to the total.
#[inline(always)]
#[allow(clippy::inline_always)]
fn complements(counts: &[u64], total: f64, found: &mut [f64], left: &mut [f64]) {
    /// Counts between what is read and what memory is asked for: much happens between one part of a column and the next.
    const AHEAD: usize = 512;
    let (eights, rest) = counts[..found.len()].as_chunks::<8>();
    let (found, found_rest) = found.as_chunks_mut::<8>();
    let (left, left_rest) = left.as_chunks_mut::<8>();
    for ((counts, found), left) in eights.iter().zip(found).zip(left) {
        prefetch_read(counts.as_ptr().wrapping_add(AHEAD));
        for lane in 0..8 {
            found[lane] = counts[lane] as f64;
            left[lane] = total - found[lane];
        }
    }
    for ((&count, found), left) in rest.iter().zip(found_rest).zip(left_rest) {
        *found = count as f64;
        *left = total - *found;
    }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn fill_tables_body(
    positives: &[u64],
    negatives: &[u64],
    totals: (f64, f64),
    to: &mut [BinaryCounts],
) {
    for (to, (&tp, &fp)) in to.iter_mut().zip(positives.iter().zip(negatives)) {
        let (tp, fp) = (tp as f64, fp as f64);
        *to = BinaryCounts {
            tp,
            fp,
            fn_: totals.0 - tp,
            tn: totals.1 - fp,
        };
    }
}

wide! {
    fn sums_to_tables[](
        positives: &[u128], negatives: &[u128], totals: (u128, u128), quantum: f64, to: &mut [BinaryCounts],
    ) -> () = sums_to_tables_body;

    fn widest_of_tables[](tables: &[BinaryCounts], scales: (f64, f64), totals: (f64, f64)) -> f64 = widest_of_tables_body;

    fn widest_of_block[](positives: &[u64], negatives: &[u64], totals: (f64, f64)) -> f64 = widest_of_block_body;
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn sums_to_tables_body(
    positives: &[u128],
    negatives: &[u128],
    totals: (u128, u128),
    quantum: f64,
    to: &mut [BinaryCounts],
) {
    for (to, (&tp, &fp)) in to.iter_mut().zip(positives.iter().zip(negatives)) {
        *to = BinaryCounts {
            tp: float_of(tp) * quantum,
            fp: float_of(fp) * quantum,
            fn_: float_of(totals.0.wrapping_sub(tp)) * quantum,
            tn: float_of(totals.1.wrapping_sub(fp)) * quantum,
        };
    }
}

/// The nearest float to an integer below 2^105, ties to even: two exact parts and one rounding, a third of the time of `as`.
#[inline(always)]
#[allow(clippy::inline_always)]
fn float_of(amount: u128) -> f64 {
    const LOW: u64 = (1 << 52) - 1;
    let (high, low) = ((amount >> 52) as u64, amount as u64 & LOW);
    high as f64 * (1_u64 << 52) as f64 + low as f64
}

/// The last place at which the shares of the two classes lie furthest apart, compared as integers: |tp N − fp P|.
fn widest_gap(positives: &[u64], negatives: &[u64]) -> Option<usize> {
    const BLOCK: usize = 1 << 10;
    let (p, n) = (*positives.last()?, *negatives.last()?);
    if u128::from(p) * u128::from(n) > 1 << 53 {
        let gap = |place: usize| {
            i128::from(positives[place]) * i128::from(n)
                - i128::from(negatives[place]) * i128::from(p)
        };
        return (0..positives.len()).max_by_key(|&place| gap(place).unsigned_abs());
    }
    // So far all products are whole numbers that a float holds.
    let totals = (p as f64, n as f64);
    let (mut widest, mut best) = (0.0, 0);
    let blocks = positives.chunks(BLOCK).zip(negatives.chunks(BLOCK));
    for (block, (positives, negatives)) in blocks.enumerate() {
        let found = widest_of_block(positives, negatives, totals);
        if found >= widest {
            (widest, best) = (found, block);
        }
    }
    let last = positives.len().min((best + 1) * BLOCK);
    (best * BLOCK..last)
        .rfind(|&place| gap_of(positives[place], negatives[place], totals) == widest)
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn gap_of(positives: u64, negatives: u64, totals: (f64, f64)) -> f64 {
    (positives as f64 * totals.1 - negatives as f64 * totals.0).abs()
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn widest_of_block_body(positives: &[u64], negatives: &[u64], totals: (f64, f64)) -> f64 {
    let mut widest = [0.0_f64; 16];
    let (tps, tps_rest) = positives.as_chunks::<16>();
    let (fps, fps_rest) = negatives.as_chunks::<16>();
    for (tps, fps) in tps.iter().zip(fps) {
        for lane in 0..16 {
            let gap = gap_of(tps[lane], fps[lane], totals);
            widest[lane] = if gap > widest[lane] {
                gap
            } else {
                widest[lane]
            };
        }
    }
    let rest = tps_rest.iter().zip(fps_rest);
    let rest = rest.map(|(&tp, &fp)| gap_of(tp, fp, totals));
    widest.into_iter().chain(rest).fold(0.0, f64::max)
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn widest_of_tables_body(
    tables: &[BinaryCounts],
    (up, down): (f64, f64),
    (p, n): (f64, f64),
) -> f64 {
    let mut widest = [0.0_f64; 8];
    let mut put = |lane: usize, table: &BinaryCounts| {
        let gap = difference_of_products(table.tp * up, n, table.fp * down, p).abs();
        widest[lane] = if gap > widest[lane] {
            gap
        } else {
            widest[lane]
        };
    };
    let (eights, rest) = tables.as_chunks::<8>();
    for tables in eights {
        for (lane, table) in tables.iter().enumerate() {
            put(lane, table);
        }
    }
    for table in rest {
        put(0, table);
    }
    widest.into_iter().fold(0.0, f64::max)
}
