//! What the indices of a ranking read of a table of scores: sums over its thresholds, all in one walk, and single points of it.
//!
//! [`ScoreTable::prepare`] walks once over blocks of 256 distinct scores that stay in cache (`block.rs`); loop after loop passes over
//! a block, each for one sum, compiled for the widest instructions of the machine. A block's terms are added halves to halves, with
//! what rounding takes from each addition kept beside it, so that no term waits for the one before and the compiler has long loops
//! to make vectors of; the same operations in the same order on every machine and for every instruction set. Pairs of rows are counted in
//! integers, the area under the curve of each block is kept, and parts of the area follow from these. Whoever asks for one sum only gets a walk of its own, with the same bits.
//!
//! Single points are found by binary search: counts grow with every threshold. Where no threshold predicts as many rows positive as
//! are wanted, the rows of the tie in between are taken in equal shares, so the order of the rows never matters.
//!
//! What other files sum over blocks (areas of precision, moments and logits of probabilities) goes along, so that the table is read
//! from memory once: that alone is 1.5 ms of each walk.
//!
//! Where each row has its score to itself, early recognition weighs rows by a power of what the row before has: 256 exponentials, and one
//! a block.
//!
//! Cost at 1e6 distinct scores of as many rows: 4 ms for the sums of this file.
//! Rejected: sums of two-double products, term after term (5 to 14 ms for each sum). Loops that make terms
//! eight at a time and add them at once: the compiler unrolls them and finds few vectors (two to four times as long); nor does it for
//! eight compensated sums side by side (half as long again as halves to halves). Columns of terms on the stack (clearing them took a tenth
//! of the walk). A second walk for the pairs (1 ms for reading the table).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of, whatever else it inlines.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use crate::arith::exponential::exp_of_negative;
use crate::arith::logarithm::ln_normal;
use crate::arith::products::{Products, root_of_product, unit_scale};
use crate::base::wide::wide;
use crate::scores::calibration::bins::MomentSums;
use crate::scores::calibration::fits::TermsMaker;
use crate::scores::ranking::areas::PrecisionWalk;
use crate::scores::ranking::block::{BLOCK, Block, Column, LANES, Running, running};
use crate::scores::score_table::{Amounts, ScoreTable, first_place};

const NOTHING: Column = [0.0; BLOCK];

/// Where the terms of a block are written.
struct Room {
    terms: Column,
    /// What rounding takes from their sums.
    lost: Column,
}

/// A sum in eight interleaved compensated parts.
#[derive(Clone, Debug, Default)]
struct Lanes {
    sums: [f64; LANES],
    lost: [f64; LANES],
}

impl Lanes {
    /// Adds the terms of a block: halves to halves, down to the lanes.
    #[inline(always)]
    fn add(&mut self, len: usize, Room { terms, lost }: &mut Room) {
        let mut half = BLOCK / 2;
        terms[len.min(BLOCK)..].fill(0.0);
        let (first, others) = terms.split_at_mut(half);
        for place in 0..half {
            (first[place], lost[place]) = two_sum(first[place], others[place]);
        }
        while half > LANES {
            half /= 2;
            let (terms, others) = terms.split_at_mut(half);
            let (lost, others_lost) = lost.split_at_mut(half);
            for place in 0..half {
                let (sum, error) = two_sum(terms[place], others[place]);
                terms[place] = sum;
                lost[place] = (lost[place] + others_lost[place]) + error;
            }
        }
        for lane in 0..LANES {
            self.put(lane, terms[lane], lost[lane]);
        }
    }

    /// Adds one term, and what it had lost, to one lane.
    #[inline(always)]
    fn put(&mut self, lane: usize, term: f64, lost: f64) {
        let (sum, error) = two_sum(self.sums[lane], term);
        self.sums[lane] = sum;
        self.lost[lane] += lost + error;
    }

    fn value(&self) -> f64 {
        let parts = self.sums.iter().chain(&self.lost);
        parts
            .fold(Products::default(), |sum, &part| sum.plus(part, 1.0))
            .value()
    }
}

/// The sum of two numbers and its rounding error, whichever of them is greater (Knuth 1969).
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let added = sum - a;
    (sum, (a - (sum - added)) + (b - added))
}

/// What other files find of the same blocks.
struct Others {
    areas: PrecisionWalk,
    /// Where the scores are probabilities.
    probabilities: Option<(MomentSums, TermsMaker)>,
}

impl Others {
    fn new(table: &ScoreTable) -> Self {
        let are = !table.is_empty() && table.are_probabilities();
        Self {
            areas: PrecisionWalk::new(table),
            probabilities: are.then(|| {
                (
                    MomentSums::new(table),
                    TermsMaker::new(table, table.cell_width()),
                )
            }),
        }
    }

    fn take(&mut self, block: &Block) {
        self.areas.take(block);
        if let Some((moments, terms)) = &mut self.probabilities {
            moments.take(block);
            terms.take(block);
        }
    }
}

/// Which sums are wanted.
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // a list of what can be wanted
struct Wants {
    precision: bool,
    negative_precision: bool,
    ties: bool,
    pairs: bool,
    means: bool,
    log_loss: bool,
    margin: bool,
    /// The rate at which the first rows count for more.
    early: Option<f64>,
}

/// What walks find.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// Σ positives × precision.
    precision: Lanes,
    /// The highest precision in each block.
    highest: Vec<f64>,
    /// Σ negatives × negative predictive value.
    negative_precision: Lanes,
    /// Counts only: Σ over the positives of precision down to their row, less precision down to the end of its tie, with each tie in
    /// its worst order and in its best.
    ties: [Lanes; 2],
    /// Counts only: pairs of a positive and a negative row, by which scores higher, and of rows of different scores.
    counted: Counted,
    /// Counts only: twice the concordant pairs and the tied ones of each block's negatives.
    areas: Vec<u64>,
    /// Σ positives × score, Σ negatives × score, each scaled by its class; Σ probability of what came true, Σ squared error, scaled by
    /// all rows.
    means: [Lanes; 4],
    /// Σ −ln of the probability of what came true, scaled by all rows.
    log_loss: Lanes,
    /// Σ gap between scores × positives above it × negatives below it, scaled by both classes.
    margin: Lanes,
    /// What the early recognition falls short of the best, as a share of all.
    early: Lanes,
}

/// Exact counts over all pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    concordant: u128,
    tied: u128,
    /// Pairs of rows of different scores.
    apart: u128,
    /// max |tp N − fp P|, and the last place that has it.
    gap: u128,
    gap_at: usize,
}

/// Pairs of a positive and a negative row, as amounts that are scaled by one power of two. Rows whose share of their class is below
/// 1e-300 may count for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairs {
    /// The positive row scores higher.
    pub concordant: f64,
    /// The negative row scores higher.
    pub discordant: f64,
    /// Both score alike.
    pub tied: f64,
    /// All of them.
    pub all: f64,
    /// √(`all` × pairs of rows of any class with different scores); infinite only where one class weighs 2^2040 times the other.
    pub spread: f64,
}

/// The default rate of [`ScoreTable::early_recognition`]: 80 % of the weight on the first 8 % of the rows.
pub const EARLY: f64 = 20.0;

/// Two numbers of early recognition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyRecognition {
    /// The robust initial enhancement: 1 where the order says nothing. NaN, as the other, where a class is so small a share of the
    /// other that it has none in `f64`.
    pub rie: f64,
    /// The same between the least and the greatest that it can be, 0 to 1; `None` without negatives.
    pub bedroc: Option<f64>,
}

impl ScoreTable {
    /// Walks once for all that the indices of this file want, and keeps it: worth its while before many of them are asked for.
    pub fn prepare_ranking(&self) {
        self.known
            .sums
            .get_or_init(|| self.walk(self.all_wants(), None));
    }

    /// Walks once for all that any index of scores wants, areas and calibration too, and keeps it.
    pub fn prepare(&self) {
        if self.known.sums.get().is_some() {
            return;
        }
        let mut others = Others::new(self);
        let found = self.walk(self.all_wants(), Some(&mut others));
        // Where another thread was first it has kept the same.
        let known = &self.known;
        let _ = known.precision_sums.set(others.areas.finish());
        if let Some((moments, terms)) = others.probabilities {
            let _ = known.moments.set(Some(moments.finish()));
            let _ = known.logit_terms.set(terms.finish());
        }
        let _ = known.sums.set(found);
    }

    fn all_wants(&self) -> Wants {
        Wants {
            precision: true,
            negative_precision: true,
            ties: true,
            pairs: true,
            means: true,
            log_loss: self.are_probabilities(),
            margin: true,
            early: Some(EARLY),
        }
    }

    /// What is kept, or else a walk for what is wanted.
    fn read<R>(&self, wants: Wants, read: impl Fn(&Found) -> R) -> R {
        match self.known.sums.get() {
            Some(found) if wants.early.is_none_or(|rate| rate == EARLY) => read(found),
            _ => read(&self.walk(wants, None)),
        }
    }

    /// Σ positives × precision, if it is kept.
    pub(crate) fn kept_precision(&self) -> Option<f64> {
        self.known.sums.get().map(|found| found.precision.value())
    }

    /// Twice the concordant pairs and the tied ones, if counts are kept.
    pub(crate) fn kept_pairs(&self) -> Option<u128> {
        let counted = self.known.sums.get()?.counted;
        (!self.is_weighted()).then_some(2 * counted.concordant + counted.tied)
    }

    /// Twice the area of some places along the negatives, and along the positives, in pairs of rows, if counts are kept.
    pub(crate) fn kept_area(&self, places: Range<usize>) -> Option<(u128, u128)> {
        let areas = &self.known.sums.get()?.areas;
        let Amounts::Counts {
            positives,
            negatives,
        } = self.amounts()
        else {
            return None;
        };
        if places.is_empty() || areas.is_empty() {
            return places.is_empty().then_some((0, 0));
        }
        let at = |place: usize| {
            let at = |amounts: &[u64]| place.checked_sub(1).map_or(0, |place| amounts[place]);
            [positives, negatives].map(|amounts| u128::from(at(amounts)))
        };
        let one_by_one = |places: Range<usize>| -> u128 {
            let twice = |place: usize| {
                let ([tp, fp], [above, wrong]) = (at(place + 1), at(place));
                (fp - wrong) * (tp + above)
            };
            places.map(twice).sum()
        };
        let (first, last) = (places.start.div_ceil(BLOCK), places.end / BLOCK);
        let along = if first >= last {
            one_by_one(places.clone())
        } else {
            let whole = areas[first..last].iter().map(|&area| u128::from(area));
            let ends =
                one_by_one(places.start..first * BLOCK) + one_by_one(last * BLOCK..places.end);
            ends + whole.sum::<u128>()
        };
        // Both areas fill the rectangles between the corners.
        let ([tp, fp], [above, wrong]) = (at(places.end), at(places.start));
        Some((along, 2 * (tp * fp - above * wrong) - along))
    }

    /// Where the classes are furthest apart, if counts are kept.
    pub(crate) fn kept_gap(&self) -> Option<usize> {
        let counted = self.known.sums.get()?.counted;
        (!self.is_weighted()).then_some(counted.gap_at)
    }

    /// Σ positives × score and Σ negatives × score, each times the unit scale of its class.
    pub(crate) fn sums_of_scores(&self) -> (f64, f64) {
        let wants = Wants {
            means: true,
            ..Wants::default()
        };
        self.read(wants, |found| {
            (found.means[0].value(), found.means[1].value())
        })
    }

    /// Over all rows, times the unit scale of all: Σ probability given to what came true, Σ squared error.
    pub(crate) fn sums_of_errors(&self) -> (f64, f64) {
        let wants = Wants {
            means: true,
            ..Wants::default()
        };
        self.read(wants, |found| {
            (found.means[2].value(), found.means[3].value())
        })
    }

    pub(crate) fn sum_of_margins(&self) -> f64 {
        let wants = Wants {
            margin: true,
            ..Wants::default()
        };
        self.read(wants, |found| found.margin.value())
    }

    pub(crate) fn sum_of_negative_precisions(&self) -> f64 {
        let wants = Wants {
            negative_precision: true,
            ..Wants::default()
        };
        self.read(wants, |found| found.negative_precision.value())
    }

    /// The mean squared error of the scores as probabilities; `None` without rows.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.75]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.mean_squared_error(), Some((0.25 + 0.0625) / 2.0));
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn mean_squared_error(&self) -> Option<f64> {
        let weight = self.scaled_rows()?;
        Some(self.sums_of_errors().1 / weight)
    }

    /// The mean of −ln of the probability given to what came true, cut as [`crate::scores::calibration::losses`] does by the machine epsilon
    /// of the kind of score; `None` without rows. The scores must be probabilities.
    pub fn log_loss(&self) -> Option<f64> {
        let weight = self.scaled_rows()?;
        let wants = Wants {
            log_loss: true,
            ..Wants::default()
        };
        let find = || self.read(wants, |found| found.log_loss.value()) / weight;
        Some(*self.known.log_loss.get_or_init(find))
    }

    /// What all rows weigh, times its unit scale.
    fn scaled_rows(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        let all = positives + negatives;
        (all > 0.0).then(|| all * unit_scale(all))
    }

    /// Pairs of a positive and a negative row by which of them scores higher; `None` if a class is absent.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.2, 0.2, 0.7, 0.9]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let pairs = table.pairs().expect("both classes have rows");
    /// assert_eq!((pairs.concordant, pairs.discordant, pairs.tied, pairs.all), (1.0, 2.0, 1.0, 4.0));
    /// assert_eq!(pairs.spread, f64::sqrt(4.0 * 5.0));
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn pairs(&self) -> Option<Pairs> {
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        if !self.is_weighted() {
            let wants = Wants {
                pairs: true,
                ..Wants::default()
            };
            let counted = self.read(wants, |found| found.counted);
            let all = positives as u128 * negatives as u128;
            return Some(Pairs {
                concordant: counted.concordant as f64,
                discordant: (all - counted.concordant - counted.tied) as f64,
                tied: counted.tied as f64,
                all: all as f64,
                spread: root_of_product(all as f64, counted.apart as f64),
            });
        }
        // The classes may be of very different sizes: their products are formed of amounts near one.
        let (up, down) = (unit_scale(positives), unit_scale(negatives));
        let mut sums = [Products::default(); 5];
        let (mut above_positives, mut above_negatives) = (0.0, 0.0);
        self.groups(|p, n, tp, fp| {
            let (p_up, n_down) = (p * up, n * down);
            sums = [
                sums[0].plus(n_down, above_positives),
                sums[1].plus(p_up, above_negatives),
                sums[2].plus(p_up, n_down),
                sums[3].plus(p_up, above_positives),
                sums[4].plus(n_down, above_negatives),
            ];
            (above_positives, above_negatives) = (tp * up, fp * down);
        });
        let all = (positives * up) * (negatives * down);
        let [concordant, discordant, tied, positives, negatives] = sums.map(Products::value);
        let larger = exponent(down) - exponent(up);
        Some(Pairs {
            concordant: concordant.min(all),
            discordant: discordant.min(all),
            tied: tied.min(all),
            all,
            spread: spread(all, concordant + discordant, [positives, negatives], larger),
        })
    }

    /// How early the positives come in the ranking: the weight e^(−rate x) is laid on the share x of rows above, and the rows of a
    /// tie share alike in what is laid on them. `None` without positives.
    ///
    /// Source: Sheridan, Singh, Fluder, Kearsley 2001, doi:10.1021/ci0100144 (RIE); Truchon, Bayly 2007, doi:10.1021/ci600426e
    /// (BEDROC).
    pub fn early_recognition(&self, rate: f64) -> Option<EarlyRecognition> {
        let (positives, negatives) = self.totals();
        if positives <= 0.0 {
            return None;
        }
        let wants = Wants {
            early: Some(rate),
            ..Wants::default()
        };
        let short = self.read(wants, |found| found.early.value());
        let share = positives / (positives + negatives);
        let most = less_one(rate * share);
        let all = less_one(rate);
        // Where all positives come last it is e^(−rate (1 − share)) times as much.
        let spread = most * less_one(rate * (1.0 - share));
        let rie = (most - short) / (share * all);
        Some(EarlyRecognition {
            rie: if rie < 0.0 { 0.0 } else { rie },
            bedroc: (negatives > 0.0).then(|| (1.0 - short / spread).clamp(0.0, 1.0)),
        })
    }

    /// The positives among the first rows of the ranking, so many as are asked for; of a tie that is cut, an equal share.
    pub fn captured(&self, rows: f64) -> f64 {
        let top = |predicted: usize| {
            let (tp, fp) = self.at_or_above(predicted);
            tp + fp
        };
        let after = self.first_where(|predicted| top(predicted) >= rows);
        let (tp, fp) = self.at_or_above(after);
        if after == 0 || tp + fp <= rows {
            return tp;
        }
        let before = self.counts_of_first(after - 1);
        let own = self.counts_of_first(after);
        let (p, n) = (own.tp - before.tp, own.fp - before.fp);
        before.tp + p * (((rows - before.tp - before.fp) / (p + n)).clamp(0.0, 1.0))
    }

    /// False positive rate where it equals the false negative rate, on the straight line between the two thresholds around it;
    /// `None` if a class is absent.
    pub fn equal_error_rate(&self) -> Option<f64> {
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return None;
        }
        // What is left of 1 − fpr − tpr after the first so many scores; of counts, exactly, times both totals.
        let left = |predicted: usize| match self.amounts() {
            Amounts::Counts { .. } => {
                let (tp, fp) = self.at_or_above(predicted);
                let [p, n, tp, fp] = [positives, negatives, tp, fp].map(|count| count as i128);
                ((n - fp) * p - tp * n) as f64
            }
            Amounts::Weights(_) => {
                let counts = self.counts_of_first(predicted);
                counts.tn / negatives - counts.tp / positives
            }
        };
        let after = self.first_where(|predicted| left(predicted) <= 0.0);
        let at = self.counts_of_first(after);
        if after == 0 || left(after) == 0.0 {
            return Some(at.fp / negatives);
        }
        let (over, under) = (left(after - 1), -left(after));
        let before = self.counts_of_first(after - 1);
        let part = over / (over + under);
        Some(((before.fp + (at.fp - before.fp) * part) / negatives).min(1.0))
    }

    /// Average precision with the rows of each tie in their worst or best order, one after the other; `None` without positives, and
    /// for weights, of which rows have no one by one.
    ///
    /// Source: `McSherry`, Najork 2008, doi:10.1007/978-3-540-78646-7_38.
    ///
    /// ```
    /// use rocksteady::base::column::Column;
    /// use rocksteady::base::input::{Labels, Scores};
    /// use rocksteady::scores::rank::rows::RankOptions;
    /// use rocksteady::scores::rank::sweep::score_table;
    /// use rocksteady::scores::ranking::sums::TieOrder;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.5, 0.5]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.average_precision_of_ties(TieOrder::Best), Some(1.0));
    /// assert_eq!(table.average_precision_of_ties(TieOrder::Worst), Some((1.0 / 2.0 + 2.0 / 3.0) / 2.0));
    /// # Ok::<(), rocksteady::base::error::Refusal>(())
    /// ```
    pub fn average_precision_of_ties(&self, order: TieOrder) -> Option<f64> {
        let (positives, _) = self.totals();
        if self.is_weighted() || positives <= 0.0 {
            return None;
        }
        let wants = Wants {
            precision: true,
            ties: true,
            ..Wants::default()
        };
        let scale = unit_scale(positives);
        self.read(wants, |found| {
            let ties = found.ties[usize::from(order == TieOrder::Best)].value();
            let sum = found.precision.value() / scale + ties;
            Some((sum / positives).clamp(0.0, 1.0))
        })
    }

    /// The highest precision of the thresholds that predict at least so many of the distinct scores positive; at least one.
    pub fn highest_precision(&self, predicted: usize) -> f64 {
        let first = predicted.max(1) - 1;
        let block = first.div_ceil(BLOCK);
        let of = |place: usize| self.precision_at(place);
        let part = first..(block * BLOCK).min(self.len());
        let own = part.map(of).fold(0.0, f64::max);
        self.of_blocks(|highest| {
            highest
                .iter()
                .skip(block)
                .fold(own, |most, &one| most.max(one))
        })
    }

    /// The lowest of the thresholds with a precision that is not below `least`, as the number of distinct scores at or above it;
    /// 0 if there is none.
    pub fn lowest_with_precision(&self, least: f64) -> usize {
        let block = self.of_blocks(|highest| highest.iter().rposition(|&one| one >= least));
        let Some(block) = block else { return 0 };
        let places = block * BLOCK..((block + 1) * BLOCK).min(self.len());
        let reaches = |&place: &usize| self.precision_at(place) >= least;
        places.rev().find(reaches).map_or(0, |place| place + 1)
    }

    fn precision_at(&self, place: usize) -> f64 {
        let (tp, fp) = self.cumulative(place);
        tp / (tp + fp)
    }

    fn of_blocks<R>(&self, read: impl Fn(&[f64]) -> R) -> R {
        let wants = Wants {
            precision: true,
            ..Wants::default()
        };
        self.read(wants, |found| read(&found.highest))
    }

    /// The least number of distinct scores, 0 to all, from which on something holds; all of them if it never does.
    pub fn first_where(&self, holds: impl Fn(usize) -> bool) -> usize {
        first_place(self.len(), holds)
    }

    fn walk(&self, wants: Wants, mut others: Option<&mut Others>) -> Found {
        let mut found = Found::default();
        let (positives, negatives) = self.totals();
        let all = positives + negatives;
        let scales = [positives, negatives, all].map(unit_scale);
        let epsilon = self.least_probability();
        let mut pairs = PairCounter::new(positives, negatives);
        let reads_scores = wants.means || wants.log_loss || wants.margin;
        let reads_amounts = reads_scores || wants.precision || wants.negative_precision;
        if !reads_amounts && wants.early.is_none() {
            for start in (0..self.len()).step_by(BLOCK) {
                pairs.add(self, start, &mut found.areas);
            }
            found.counted = pairs.finish(self);
            return found;
        }
        let mut early = wants.early.map(|rate| Early::new(rate, positives, all));
        let room = &mut Box::new(Room {
            terms: NOTHING,
            lost: NOTHING,
        });
        self.blocks(0..self.len(), reads_scores, |start, block| {
            if wants.pairs {
                pairs.add(self, start, &mut found.areas);
            }
            if wants.precision {
                let highest = add_precision(block, &mut found.precision, scales[0], room);
                found.highest.push(highest);
            }
            if wants.ties && !self.is_weighted() {
                add_ties(block, &mut found.ties);
            }
            if wants.negative_precision {
                let sum = &mut found.negative_precision;
                add_negative_precision(block, sum, (negatives, all), scales[1], room);
            }
            if wants.means {
                add_means(block, &mut found.means, scales, room);
            }
            if wants.log_loss {
                add_log_loss(block, &mut found.log_loss, scales[2], epsilon, room);
            }
            if wants.margin {
                let scales = (scales[0], scales[1]);
                add_margin(block, &mut found.margin, negatives, scales, room);
            }
            if let Some(early) = &mut early {
                early.add(block, &mut found.early, room);
            }
            if let Some(others) = &mut others {
                others.take(block);
            }
        });
        if let Some(early) = early {
            early.finish(&mut found.early);
        }
        found.counted = pairs.finish(self);
        found
    }
}

/// The exponent of a power of two.
fn exponent(power: f64) -> i32 {
    (power.to_bits() >> 52) as i32 - 1023
}

/// √(all × apart) of pairs with different scores: those of both classes, and those within each of them, in the unit of its class,
/// where that of the positives is 2^`larger` times that of the negatives. What is apart may pass the range of `f64`, so its root is
/// taken of a part that does not.
fn spread(all: f64, untied: f64, [positives, negatives]: [f64; 2], larger: i32) -> f64 {
    let power = |exponent| 2_f64.powi(exponent);
    let (greater, lesser) = if larger < 0 {
        (negatives, positives)
    } else {
        (positives, negatives)
    };
    let larger = larger.abs();
    let root = if greater > 0.0 { larger / 2 } else { 0 };
    let apart = greater * power(larger % 2)
        + untied * power(-2 * root)
        + lesser * power(-larger - 2 * root);
    root_of_product(all, apart) * power(root)
}

/// 1 − e^(−x) for x ≥ 0, without cancellation.
fn less_one(x: f64) -> f64 {
    if x > 0.5 {
        return 1.0 - exp_of_negative(-x);
    }
    // x − x²/2! + x³/3! − …
    let (mut sum, mut n) = (0.0, 18.0);
    while n >= 1.0 {
        sum = x / n * (1.0 - sum);
        n -= 1.0;
    }
    sum
}

wide! {
    fn add_precision[](block: &Block, to: &mut Lanes, scale: f64, room: &mut Room) -> f64 = add_precision_body;
    fn add_negative_precision[](block: &Block, to: &mut Lanes, totals: (f64, f64), scale: f64, room: &mut Room) -> ()
        = add_negative_precision_body;
    fn add_means[](block: &Block, to: &mut [Lanes; 4], scales: [f64; 3], room: &mut Room) -> () = add_means_body;
    fn add_log_loss[](block: &Block, to: &mut Lanes, scale: f64, epsilon: f64, room: &mut Room) -> () = add_log_loss_body;
    fn add_margin[](block: &Block, to: &mut Lanes, negatives: f64, scales: (f64, f64), room: &mut Room) -> ()
        = add_margin_body;
    fn add_early[](block: &Block, to: &mut Lanes, sizes: (f64, f64, f64), room: &mut Room) -> bool = add_early_body;
    fn add_early_rows[](block: &Block, to: &mut Lanes, positives: f64, weights: (f64, &Column), room: &mut Room) -> ()
        = add_early_rows_body;
    fn count_pairs[](tp: &Running, fp: &Running, totals: (u64, u64), sums: &mut Sums) -> u64 = count_pairs_body;
}

#[inline(always)]
fn add_precision_body(block: &Block, to: &mut Lanes, scale: f64, room: &mut Room) -> f64 {
    let (p, tp, fp) = (&block.p, &block.tp, &block.fp);
    fill(&mut room.lost, |place| {
        tp[place + 1] / (tp[place + 1] + fp[place + 1])
    });
    let Room { terms, lost } = room;
    fill(terms, |place| p[place] * scale * lost[place]);
    let mut highest = [0.0; LANES];
    for quotients in lost.as_chunks::<LANES>().0 {
        for (highest, &quotient) in highest.iter_mut().zip(quotients) {
            *highest = if quotient > *highest {
                quotient
            } else {
                *highest
            };
        }
    }
    to.add(block.len, room);
    highest.into_iter().fold(0.0, f64::max)
}

/// Negatives times the share of negatives among the rows at or below.
#[inline(always)]
fn add_negative_precision_body(
    block: &Block,
    to: &mut Lanes,
    (negatives, all): (f64, f64),
    scale: f64,
    room: &mut Room,
) {
    let Block { p, n, tp, fp, .. } = block;
    fill(&mut room.terms, |place| {
        let own = (negatives - fp[place + 1]) + n[place];
        let below = (all - (tp[place + 1] + fp[place + 1])) + (p[place] + n[place]);
        let quotient = n[place] * scale * (own / below);
        if n[place] > 0.0 { quotient } else { 0.0 }
    });
    to.add(block.len, room);
}

#[inline(always)]
fn add_means_body(block: &Block, to: &mut [Lanes; 4], [up, down, both]: [f64; 3], room: &mut Room) {
    let (p, n, score) = (&block.p, &block.n, block.scores());
    let [own, other, right, squares] = to;
    fill(&mut room.terms, |place| p[place] * up * score[place]);
    own.add(block.len, room);
    fill(&mut room.terms, |place| n[place] * down * score[place]);
    other.add(block.len, room);
    fill(&mut room.terms, |place| {
        p[place] * both * score[place] + n[place] * both * (1.0 - score[place])
    });
    right.add(block.len, room);
    fill(&mut room.terms, |place| {
        let other = 1.0 - score[place];
        p[place] * both * (other * other) + n[place] * both * (score[place] * score[place])
    });
    squares.add(block.len, room);
}

/// Writes a term for each place.
#[inline(always)]
fn fill(to: &mut Column, term: impl Fn(usize) -> f64) {
    for place in 0..BLOCK {
        to[place] = term(place);
    }
}

#[inline(always)]
fn add_log_loss_body(block: &Block, to: &mut Lanes, scale: f64, epsilon: f64, room: &mut Room) {
    let cut = |right: f64| {
        let right = if right > epsilon { right } else { epsilon };
        if right < 1.0 - epsilon {
            right
        } else {
            1.0 - epsilon
        }
    };
    // One logarithm where each score is of one class only, which is the rule for distinct ones.
    let (p, n, score) = (&block.p, &block.n, block.scores());
    let mut is_mixed = false;
    if !block.single {
        for place in 0..BLOCK {
            is_mixed |= p[place] > 0.0 && n[place] > 0.0;
        }
    }
    fill(&mut room.terms, |place| {
        let (p, n) = (p[place], n[place]);
        let right = if p > 0.0 {
            score[place]
        } else {
            1.0 - score[place]
        };
        let amount = if p > 0.0 { p } else { n };
        amount * scale * -ln_normal(cut(right))
    });
    if is_mixed {
        for place in 0..BLOCK {
            let second = n[place] * scale * -ln_normal(cut(1.0 - score[place]));
            room.terms[place] += if p[place] > 0.0 { second } else { 0.0 };
        }
    }
    to.add(block.len, room);
}

#[inline(always)]
fn add_margin_body(
    block: &Block,
    to: &mut Lanes,
    negatives: f64,
    (up, down): (f64, f64),
    room: &mut Room,
) {
    let Block {
        n, tp, fp, score, ..
    } = block;
    fill(&mut room.terms, |place| {
        let above = tp[place] * up;
        let below = ((negatives - fp[place + 1]) + n[place]) * down;
        let product = (score[place] - score[place + 1]) * (above * below);
        // An infinite gap between no rows is none.
        if above * below > 0.0 { product } else { 0.0 }
    });
    to.add(block.len, room);
}

/// Up to which half width of a tie, in units of the decay, the series of sinh is as good as exact.
const NARROW: f64 = 0.5;

/// What the weight e^(−rate x), laid on the shares x of rows, loses to the best order: negatives among the first rows, as many
/// as there are positives, and minus the positives after them. Ties that are wide, or lie across that border, are left to
/// [`Early`]; whether there are some.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // a branch would keep the loop from vectors
fn add_early_body(
    block: &Block,
    to: &mut Lanes,
    (rate, positives, all): (f64, f64, f64),
    room: &mut Room,
) -> bool {
    let decay = rate / all;
    let is_special = |top: f64, own: f64| {
        (own * decay > 2.0 * NARROW) | ((top > positives) & (top - own < positives))
    };
    let Block { p, n, tp, fp, .. } = block;
    let mut any = false;
    for place in 0..BLOCK {
        let (own, top) = (p[place] + n[place], tp[place + 1] + fp[place + 1]);
        let half = 0.5 * own * decay;
        let middle = top * decay - half;
        let share = if top <= positives {
            n[place]
        } else {
            -p[place]
        };
        let lost = share * decay * (exp_of_negative(-middle) * sinh_over(half * half));
        let special = is_special(top, own);
        any |= special;
        room.terms[place] = if special { 0.0 } else { lost };
    }
    to.add(block.len, room);
    any
}

/// The same where every score is that of one row, whose weight is a power of what the row before has.
#[inline(always)]
fn add_early_rows_body(
    block: &Block,
    to: &mut Lanes,
    positives: f64,
    (first, weights): (f64, &Column),
    room: &mut Room,
) {
    let Block { p, n, tp, fp, .. } = block;
    fill(&mut room.terms, |place| {
        let share = if tp[place + 1] + fp[place + 1] <= positives {
            n[place]
        } else {
            -p[place]
        };
        share * (first * weights[place])
    });
    to.add(block.len, room);
}

/// sinh(x) / x for x up to [`NARROW`], from x squared: the series up to x^12 / 13!, whose rest is below 2^-54.
#[inline(always)]
fn sinh_over(s: f64) -> f64 {
    const SERIES: [f64; 6] = [
        1.0 / 6.0,
        1.0 / 120.0,
        1.0 / 5_040.0,
        1.0 / 362_880.0,
        1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
    ];
    let tail = SERIES[3] + s * (SERIES[4] + s * SERIES[5]);
    1.0 + s * (SERIES[0] + s * (SERIES[1] + s * (SERIES[2] + s * tail)))
}

/// The sum for early recognition while blocks go by.
struct Early {
    rate: f64,
    positives: f64,
    all: f64,
    /// The few ties that the loops leave out: they are wider than a part of all rows that follows from the rate, or across a border.
    special: Vec<f64>,
    /// e^(−decay row) for so many rows, once a block asks for it.
    weights: Option<Box<Column>>,
}

impl Early {
    fn new(rate: f64, positives: f64, all: f64) -> Self {
        Self {
            rate,
            positives,
            all,
            special: Vec::new(),
            weights: None,
        }
    }

    fn add(&mut self, block: &Block, to: &mut Lanes, room: &mut Room) {
        let decay = self.rate / self.all;
        if block.single && decay <= 2.0 * NARROW {
            let weights = self.weights.get_or_insert_with(|| {
                let mut weights = Box::new(NOTHING);
                fill(&mut weights, |row| exp_of_negative(-(row as f64 * decay)));
                weights
            });
            let half = 0.5 * decay;
            let above = exp_of_negative(-((block.tp[0] + block.fp[0]) * decay + half));
            let first = decay * (above * sinh_over(half * half));
            add_early_rows(block, to, self.positives, (first, weights), room);
        } else if add_early(block, to, (self.rate, self.positives, self.all), room) {
            self.note(block);
        }
    }

    fn note(&mut self, block: &Block) {
        let decay = self.rate / self.all;
        // The weight laid on the rows from one place to another.
        let mass = |from: f64, to: f64| {
            exp_of_negative(-(from * decay)) * less_one((to - from).max(0.0) * decay)
        };
        for place in 0..block.len {
            let (p, n) = (block.p[place], block.n[place]);
            let top = block.tp[place + 1] + block.fp[place + 1];
            let (own, above) = (p + n, top - (p + n));
            let border = self.positives.clamp(above.min(top), top);
            if own * decay > 2.0 * NARROW || top > self.positives && above < self.positives {
                self.special.push(mass(above, border) * (n / own));
                self.special.push(-mass(border, top) * (p / own));
            }
        }
    }

    fn finish(self, to: &mut Lanes) {
        for term in self.special {
            to.put(0, term, 0.0);
        }
    }
}

/// Which order the rows of a tie are put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// Negatives first.
    Worst,
    /// Positives first.
    Best,
}

fn add_ties(block: &Block, [worst, best]: &mut [Lanes; 2]) {
    if block.single {
        return;
    }
    for place in 0..block.len {
        let (p, n) = (block.p[place], block.n[place]);
        let (tp, fp) = (block.tp[place + 1], block.fp[place + 1]);
        if p > 0.0 && p + n > 1.0 {
            let step = p * (tp / (tp + fp));
            let last = place % LANES;
            worst.put(last, sum_of_precisions(tp - p, fp, p) - step, 0.0);
            best.put(last, sum_of_precisions(tp - p, fp - n, p) - step, 0.0);
        }
    }
}

/// Σ (above + j) / (above + wrong + j) over j from 1 to `more`: precision down to each of `more` positives one after the other, below
/// `above` positives and `wrong` negatives.
///
/// Many terms are 1 − wrong / (total + j), and the sum of the reciprocals is, by Euler and Maclaurin around the midpoints, the
/// logarithm and three corrections, which are below its last place from 64 on.
fn sum_of_precisions(above: f64, wrong: f64, more: f64) -> f64 {
    const FEW: f64 = 64.0;
    let (mut sum, mut j) = (0.0, 0.0);
    while j < more.min(FEW) {
        j += 1.0;
        sum += (above + j) / (above + wrong + j);
    }
    if more <= FEW || wrong == 0.0 {
        return sum + (more - j);
    }
    let (low, high) = (above + wrong + j + 0.5, above + wrong + more + 0.5);
    let (a, b) = (1.0 / (low * low), 1.0 / (high * high));
    let corrections = (b - a) / 24.0 - (b * b - a * a) * (7.0 / 960.0)
        + (b * b * b - a * a * a) * (31.0 / 8064.0);
    sum + ((more - j) - wrong * (ln_of_ratio(low, more - j) + corrections))
}

/// ln((low + more) / low).
fn ln_of_ratio(low: f64, more: f64) -> f64 {
    let s = more / (2.0 * low + more);
    if s > 0.2 {
        return ln_normal((low + more) / low);
    }
    // 2 atanh(s).
    let (mut sum, mut k) = (0.0, 25.0);
    while k >= 1.0 {
        sum = sum * (s * s) + 1.0 / k;
        k -= 2.0;
    }
    2.0 * s * sum
}

/// Sums of pairs in lanes: concordant, tied, apart.
type Sums = [[u64; LANES]; 3];

/// Counts pairs exactly: in 64 bits where all of them fit, else in 128.
struct PairCounter {
    /// P and N where all pairs fit.
    narrow: Option<(u64, u64)>,
    totals: (u64, u64),
    counted: Counted,
    /// The last block that has the widest gap.
    gap_block: usize,
    room: Option<Box<[Running; 2]>>,
}

impl PairCounter {
    fn new(positives: f64, negatives: f64) -> Self {
        let totals = (positives as u64, negatives as u64);
        let fits = positives + negatives < (1_u64 << 31) as f64;
        Self {
            narrow: fits.then_some(totals),
            totals,
            counted: Counted::default(),
            gap_block: 0,
            room: None,
        }
    }

    /// Counts the block that starts at some place, and pushes twice its area where that fits.
    fn add(&mut self, table: &ScoreTable, start: usize, areas: &mut Vec<u64>) {
        let Amounts::Counts {
            positives,
            negatives,
        } = table.amounts()
        else {
            return;
        };
        let mut room = self.room.take();
        let [tp, fp] = room
            .get_or_insert_with(|| Box::new([[0; BLOCK + 1]; 2]))
            .as_mut();
        let places = start..table.len().min(start + BLOCK);
        let tp = running(positives, places.clone(), tp);
        let fp = running(negatives, places, fp);
        let gap = if let Some(totals) = self.narrow {
            let mut sums = [[0; LANES]; 3];
            let gap = count_pairs(tp, fp, totals, &mut sums);
            let [concordant, tied, apart] = sums.map(|lanes| lanes.into_iter().sum::<u64>());
            self.counted.concordant += u128::from(concordant);
            self.counted.tied += u128::from(tied);
            self.counted.apart += u128::from(apart);
            areas.push(2 * concordant + tied);
            u128::from(gap)
        } else {
            self.count_wide(tp, fp)
        };
        if gap >= self.counted.gap {
            (self.counted.gap, self.gap_block) = (gap, start);
        }
        self.room = room;
    }

    fn count_wide(&mut self, tp: &Running, fp: &Running) -> u128 {
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let mut widest = 0;
        for place in 0..BLOCK {
            let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
            self.counted.concordant += wide(n, tp[place]);
            self.counted.tied += wide(p, n);
            self.counted.apart += wide(p + n, tp[place] + fp[place]);
            let gap =
                wide(tp[place + 1], self.totals.1).abs_diff(wide(fp[place + 1], self.totals.0));
            widest = widest.max(gap);
        }
        widest
    }

    fn finish(mut self, table: &ScoreTable) -> Counted {
        if let Amounts::Counts {
            positives,
            negatives,
        } = table.amounts()
        {
            let end = (self.gap_block + BLOCK).min(table.len());
            let gap = |place: usize| {
                (u128::from(positives[place]) * u128::from(self.totals.1))
                    .abs_diff(u128::from(negatives[place]) * u128::from(self.totals.0))
            };
            let widest = (self.gap_block..end).rfind(|&place| gap(place) == self.counted.gap);
            self.counted.gap_at = widest.unwrap_or(0);
        }
        self.counted
    }
}

/// All counts are below 2^31, so no product needs more than 62 bits and no sum more than 64.
#[inline(always)]
fn count_pairs_body(
    tp: &Running,
    fp: &Running,
    (positives, negatives): (u64, u64),
    sums: &mut Sums,
) -> u64 {
    // The halves of 32 bits are multiplied by one instruction on any machine.
    const LOW: u64 = u32::MAX as u64;
    let product = |a: u64, b: u64| (a & LOW) * (b & LOW);
    let mut widest = [0_u64; LANES];
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let place = start + lane;
            let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
            sums[0][lane] += product(n, tp[place]);
            sums[1][lane] += product(p, n);
            sums[2][lane] += product(p + n, tp[place] + fp[place]);
            let gap =
                product(tp[place + 1], negatives) as i64 - product(fp[place + 1], positives) as i64;
            let gap = gap.unsigned_abs();
            widest[lane] = if gap > widest[lane] {
                gap
            } else {
                widest[lane]
            };
        }
    }
    widest.into_iter().fold(0, u64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::rank::rows::RankOptions;
    use crate::scores::rank::sweep::score_table;
    use crate::scores::ranking::block::fill_counts_body;
    use proptest::prelude::*;

    fn table(rows: &[(u8, f64, u8)], weighted: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let s: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
        let options = RankOptions {
            pos_label: Some(Label::Int(1)),
            ..RankOptions::default()
        };
        let weights = weighted.then(|| Column::from_slice(&w[..]));
        let (y, s) = (Column::from_slice(&y), Column::from_slice(&s));
        score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap()
    }

    /// Everything that a walk finds, as bits.
    fn read(table: &ScoreTable) -> Vec<Option<u64>> {
        let pairs = table.pairs();
        let early = table.early_recognition(EARLY);
        let (own, other) = table.mean_scores();
        let numbers = [
            table.roc_auc(),
            table.ks().map(|ks| ks.value + ks.threshold),
            table.average_precision(),
            table.negative_average_precision(),
            table.average_precision_of_ties(TieOrder::Best),
            table.average_precision_of_ties(TieOrder::Worst),
            pairs.map(|pairs| pairs.concordant),
            pairs.map(|pairs| pairs.discordant),
            pairs.map(|pairs| pairs.spread),
            own,
            other,
            table.mean_probability(),
            table.mean_squared_error(),
            table.log_loss(),
            table.scored_auc(),
            early.map(|early| early.rie),
            early.and_then(|early| early.bedroc),
            Some(table.highest_precision(1)),
        ];
        numbers.map(|number| number.map(f64::to_bits)).into()
    }

    fn naive(rows: &[(u8, f64, u8)], weighted: bool) -> [f64; 4] {
        let weight = |row: &(u8, f64, u8)| {
            if weighted {
                f64::from(row.2) / 4.0
            } else {
                1.0
            }
        };
        let (mut concordant, mut pairs, mut squares, mut losses, mut all) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for a in rows {
            let right = if a.0 == 1 { a.1 } else { 1.0 - a.1 };
            squares += weight(a) * (1.0 - right).powi(2);
            losses -= weight(a) * right.clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln();
            all += weight(a);
            for b in rows.iter().filter(|b| a.0 == 1 && b.0 == 0) {
                pairs += weight(a) * weight(b);
                concordant += if a.1 > b.1 {
                    weight(a) * weight(b)
                } else {
                    0.0
                };
            }
        }
        [concordant / pairs, squares / all, losses / all, pairs]
    }

    #[test]
    fn pairs_of_weights_stay_within_range() {
        // Two positives over one negative, or the other way round: apart are 2 P N + P², whatever the rows weigh.
        for power in [0, 1, 101, 400, 535, 1022] {
            for (large, small) in [(power, -power), (power, 0), (-power, 0)] {
                let (large, small) = (2_f64.powi(large), 2_f64.powi(small));
                let options = RankOptions::default();
                for y in [[0_u8, 1, 1], [1, 0, 0]] {
                    let (scores, weights) = ([0.1, 0.2, 0.3], [small, large, large]);
                    let (y, s) = (Column::from_slice(&y), Column::from_slice(&scores[..]));
                    let weights = Some(Column::from_slice(&weights[..]));
                    let table =
                        score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap();
                    let pairs = table.pairs().unwrap();
                    // sqrt(U / V), with U = 2 P N and V = U + P².
                    let expected = 2_f64.sqrt() * small.sqrt() / (2.0 * small + large).sqrt();
                    let found = pairs.all / pairs.spread;
                    assert!(
                        (found / expected - 1.0).abs() < 1e-12,
                        "{large} {small}: {found}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn one_walk_for_all_gives_the_bits_of_a_walk_for_each(
            rows in prop::collection::vec((0_u8..2, 0_u16..700, 1_u8..9), 1..900), coarse: bool, weighted: bool,
        ) {
            let score = |step: u16| f64::from(if coarse { step / 60 } else { step }) / 700.0;
            let rows: Vec<(u8, f64, u8)> = rows.iter().map(|row| (row.0, score(row.1), row.2)).collect();
            let (alone, kept) = (table(&rows, weighted), table(&rows, weighted));
            kept.prepare();
            prop_assert_eq!(read(&alone), read(&kept));
            let [concordant, squares, losses, pairs] = naive(&rows, weighted);
            if pairs > 0.0 {
                let found = kept.pairs().unwrap();
                prop_assert!((found.concordant / found.all - concordant).abs() < 1e-12);
            }
            prop_assert!((kept.mean_squared_error().unwrap() - squares).abs() < 1e-12);
            prop_assert!((kept.log_loss().unwrap() - losses).abs() < 1e-11);
        }

        #[test]
        fn every_instruction_set_gives_the_same_bits(
            rows in prop::collection::vec((0_u64..3, 0_u64..3, 0_u64..u64::MAX), BLOCK), rate in 0.01_f64..200.0,
        ) {
            let (mut tp, mut fp) = ([5; BLOCK + 1], [9; BLOCK + 1]);
            let mut keys = Vec::new();
            for (place, &(p, n, key)) in rows.iter().enumerate() {
                (tp[place + 1], fp[place + 1]) = (tp[place] + p, fp[place] + n + u64::from(p == 0));
                keys.push(key >> 12 | 1023 << 52);
            }
            let mut block = Block::new();
            block.len = BLOCK;
            fill_counts_body(&tp, &fp, &mut block);
            for (score, key) in block.score.iter_mut().zip(keys) {
                *score = f64::from_bits(key) - 1.0;
            }
            let mut lanes = [0, 1].map(|_| vec![Lanes::default(); 6]);
            let totals = (tp[BLOCK] as f64 + 3.0, fp[BLOCK] as f64 + 7.0);
            let all = totals.0 + totals.1;
            let room = &mut Room { terms: NOTHING, lost: NOTHING };
            let weights = &block.p;
            {
                let lanes = &mut lanes[0];
                add_precision(&block, &mut lanes[0], 0.5, room);
                add_negative_precision(&block, &mut lanes[1], (totals.1, all), 0.5, room);
                add_log_loss(&block, &mut lanes[2], 0.5, f64::EPSILON, room);
                add_margin(&block, &mut lanes[3], totals.1, (0.5, 0.25), room);
                add_early(&block, &mut lanes[4], (rate, totals.0, all), room);
                add_early_rows(&block, &mut lanes[5], totals.0, (rate, weights), room);
                let mut means = <[Lanes; 4]>::default();
                add_means(&block, &mut means, [0.5, 0.25, 0.125], room);
                lanes.extend(means);
            }
            {
                let lanes = &mut lanes[1];
                add_precision_body(&block, &mut lanes[0], 0.5, room);
                add_negative_precision_body(&block, &mut lanes[1], (totals.1, all), 0.5, room);
                add_log_loss_body(&block, &mut lanes[2], 0.5, f64::EPSILON, room);
                add_margin_body(&block, &mut lanes[3], totals.1, (0.5, 0.25), room);
                add_early_body(&block, &mut lanes[4], (rate, totals.0, all), room);
                add_early_rows_body(&block, &mut lanes[5], totals.0, (rate, weights), room);
                let mut means = <[Lanes; 4]>::default();
                add_means_body(&block, &mut means, [0.5, 0.25, 0.125], room);
                lanes.extend(means);
            }
            let bits = |lanes: &[Lanes]| lanes.iter().map(|one| one.value().to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&lanes[0]), bits(&lanes[1]));
            let (mut narrow, mut widest) = ([[0; LANES]; 3], [[0; LANES]; 3]);
            let totals = (tp[BLOCK], fp[BLOCK]);
            prop_assert_eq!(count_pairs(&tp, &fp, totals, &mut widest), count_pairs_body(&tp, &fp, totals, &mut narrow));
            prop_assert_eq!(narrow, widest);
        }
    }
}
