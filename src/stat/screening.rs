//! What the indices of a ranking read of a table of scores: sums over its thresholds, all in one walk, and single points of it.
//!
//! [`ScoreTable::prepare`] walks once over blocks of 256 distinct scores that stay in cache; loop after loop passes over a block, each
//! for one sum, compiled for the widest instructions of the machine. A sum is eight interleaved compensated ones, so that no term
//! waits for the one before, with the same operations in the same order on every machine and for every instruction set. Pairs of
//! rows are counted in integers. Whoever asks for one sum only gets a walk of its own, with the same bits.
//!
//! Single points are found by binary search: counts grow with every threshold. Where no threshold predicts as many rows positive as
//! are wanted, the rows of the tie in between are taken in equal shares, so the order of the rows never matters.
//!
//! What other files sum over blocks (areas of precision, moments and logits of probabilities) goes along, so that the table is read
//! from memory once: that alone is 1.5 ms of each walk.
//!
//! Cost at 1e6 distinct scores of as many rows: 7 ms for the sums of this file; 16 bytes of counts and a key are read for each score.
//! Rejected: sums of two-double products, term after term (5 to 14 ms for each sum). Loops that make terms
//! eight at a time and add them at once: the compiler unrolls them and finds few vectors (two to four times as long).
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]
// Loops over places of arrays of one known length are what the compiler makes vectors of, whatever else it inlines.
#![allow(clippy::needless_range_loop)]

use super::areas::PrecisionWalk;
use super::calibration::MomentSums;
use super::calibration_fit::{TermsMaker, WIDTH};
use super::score_table::{Amounts, Keys, ScoreTable, first_place};
use crate::kernel::exponential::exp_of_negative;
use crate::kernel::keys::{ScoreKind, f32_of, f64_of};
use crate::kernel::logarithm::ln_normal;
use crate::kernel::products::{Products, root_of_product, unit_scale};
use crate::kernel::wide::wide;

const LANES: usize = 8;
const ROWS: usize = 32;
/// Distinct scores of a block.
pub(super) const BLOCK: usize = LANES * ROWS;

type Row = [f64; LANES];
type Column = [f64; BLOCK];

const NOTHING: Column = [0.0; BLOCK];

/// One block of distinct scores: what each weighs by class, and what lies at or above it. Beyond `len` nothing is added.
struct Block {
    len: usize,
    /// Every score is that of one row.
    single: bool,
    positives: Column,
    negatives: Column,
    /// Positives at or above.
    tp: Column,
    /// Negatives at or above.
    fp: Column,
    /// Rows at or above.
    top: Column,
    /// The scores, behind the one before them.
    score: [f64; BLOCK + 1],
}

impl Block {
    fn new() -> Self {
        Self {
            len: 0,
            single: false,
            positives: NOTHING,
            negatives: NOTHING,
            tp: NOTHING,
            fp: NOTHING,
            top: NOTHING,
            score: [0.0; BLOCK + 1],
        }
    }
}

/// A sum in eight interleaved compensated parts.
#[derive(Clone, Debug, Default)]
struct Lanes {
    sums: Row,
    lost: Row,
    /// The terms of the last, shorter row.
    rest: Row,
    left: usize,
}

impl Lanes {
    /// Adds the terms of a block; only the last block may be shorter than a whole one.
    #[inline(always)]
    fn add(&mut self, len: usize, terms: &Column) {
        let whole = len / LANES;
        let (mut sums, mut lost) = (self.sums, self.lost);
        let (terms, _) = terms.as_chunks::<LANES>();
        for terms in terms.iter().take(whole) {
            two_sum(&mut sums, &mut lost, terms);
        }
        (self.sums, self.lost) = (sums, lost);
        if let Some(rest) = terms.get(whole) {
            (self.rest, self.left) = (*rest, len % LANES);
        }
    }

    /// Adds one term to one lane.
    fn put(&mut self, lane: usize, term: f64) {
        let sum = self.sums[lane] + term;
        let added = sum - self.sums[lane];
        self.lost[lane] += (self.sums[lane] - (sum - added)) + (term - added);
        self.sums[lane] = sum;
    }

    fn value(&self) -> f64 {
        let parts = self.sums.iter().chain(&self.lost);
        let all = parts.chain(self.rest.iter().take(self.left));
        all.fold(Products::default(), |sum, &part| sum.plus(part, 1.0))
            .value()
    }
}

/// What other files find of the same blocks.
struct Others {
    areas: PrecisionWalk,
    /// Where the scores are probabilities.
    probabilities: Option<(MomentSums, TermsMaker)>,
    /// Scores and scaled amounts.
    block: Box<[Column; 3]>,
}

impl Others {
    fn new(table: &ScoreTable) -> Self {
        let are = !table.is_empty() && table.are_probabilities();
        Self {
            areas: PrecisionWalk::new(table),
            probabilities: are.then(|| (MomentSums::new(table), TermsMaker::new(table, WIDTH))),
            block: Box::new([NOTHING; 3]),
        }
    }

    fn take(&mut self, block: &Block) {
        let (p, n) = (&block.positives, &block.negatives);
        self.areas.take_columns([p, n, &block.tp, &block.fp]);
        if let Some((moments, terms)) = &mut self.probabilities {
            let [scores, positives, negatives] = self.block.as_mut();
            scores.copy_from_slice(&block.score[1..]);
            fill(positives, |place| p[place] * moments.scale);
            fill(negatives, |place| n[place] * moments.scale);
            moments.take(&self.block);
            terms.take(&self.block);
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
pub(super) struct Found {
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
    pub(super) fn kept_precision(&self) -> Option<f64> {
        self.known.sums.get().map(|found| found.precision.value())
    }

    /// Twice the concordant pairs and the tied ones, if counts are kept.
    pub(super) fn kept_pairs(&self) -> Option<u128> {
        let counted = self.known.sums.get()?.counted;
        (!self.is_weighted()).then_some(2 * counted.concordant + counted.tied)
    }

    /// Where the classes are furthest apart, if counts are kept.
    pub(super) fn kept_gap(&self) -> Option<usize> {
        let counted = self.known.sums.get()?.counted;
        (!self.is_weighted()).then_some(counted.gap_at)
    }

    /// Σ positives × score and Σ negatives × score, each times the unit scale of its class.
    pub(super) fn sums_of_scores(&self) -> (f64, f64) {
        let wants = Wants {
            means: true,
            ..Wants::default()
        };
        self.read(wants, |found| {
            (found.means[0].value(), found.means[1].value())
        })
    }

    /// Over all rows, times the unit scale of all: Σ probability given to what came true, Σ squared error.
    pub(super) fn sums_of_errors(&self) -> (f64, f64) {
        let wants = Wants {
            means: true,
            ..Wants::default()
        };
        self.read(wants, |found| {
            (found.means[2].value(), found.means[3].value())
        })
    }

    pub(super) fn sum_of_margins(&self) -> f64 {
        let wants = Wants {
            margin: true,
            ..Wants::default()
        };
        self.read(wants, |found| found.margin.value())
    }

    pub(super) fn sum_of_negative_precisions(&self) -> f64 {
        let wants = Wants {
            negative_precision: true,
            ..Wants::default()
        };
        self.read(wants, |found| found.negative_precision.value())
    }

    /// The mean squared error of the scores as probabilities; `None` without rows.
    ///
    /// ```
    /// use rocksteady::column::Column;
    /// use rocksteady::input::{Labels, Scores};
    /// use rocksteady::kernel::ranking::RankOptions;
    /// use rocksteady::kernel::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.75]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.mean_squared_error(), Some((0.25 + 0.0625) / 2.0));
    /// # Ok::<(), rocksteady::error::Refusal>(())
    /// ```
    pub fn mean_squared_error(&self) -> Option<f64> {
        let weight = self.scaled_rows()?;
        Some(self.sums_of_errors().1 / weight)
    }

    /// The mean of −ln of the probability given to what came true, cut as [`crate::kernel::proper`] does by the machine epsilon
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
    /// use rocksteady::column::Column;
    /// use rocksteady::input::{Labels, Scores};
    /// use rocksteady::kernel::ranking::RankOptions;
    /// use rocksteady::kernel::sweep::score_table;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.2, 0.2, 0.7, 0.9]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// let pairs = table.pairs().expect("both classes have rows");
    /// assert_eq!((pairs.concordant, pairs.discordant, pairs.tied, pairs.all), (1.0, 2.0, 1.0, 4.0));
    /// assert_eq!(pairs.spread, f64::sqrt(4.0 * 5.0));
    /// # Ok::<(), rocksteady::error::Refusal>(())
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
    /// use rocksteady::column::Column;
    /// use rocksteady::input::{Labels, Scores};
    /// use rocksteady::kernel::ranking::RankOptions;
    /// use rocksteady::kernel::sweep::score_table;
    /// use rocksteady::stat::screening::TieOrder;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.5, 0.5]));
    /// let table = score_table(&y_true, &y_score, None, &RankOptions::default())?;
    /// assert_eq!(table.average_precision_of_ties(TieOrder::Best), Some(1.0));
    /// assert_eq!(table.average_precision_of_ties(TieOrder::Worst), Some((1.0 / 2.0 + 2.0 / 3.0) / 2.0));
    /// # Ok::<(), rocksteady::error::Refusal>(())
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
        // As the loops have it, also where counts pass 2^53.
        if let Amounts::Counts {
            positives,
            negatives,
        } = self.amounts()
        {
            let top = positives[place] + negatives[place];
            return positives[place] as f64 / top as f64;
        }
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
        let reads_scores = wants.means || wants.log_loss || wants.margin;
        let reads_amounts =
            reads_scores || wants.precision || wants.negative_precision || wants.early.is_some();
        let mut early = wants.early.map(|rate| Early {
            rate,
            positives,
            all,
            special: Vec::new(),
        });
        let mut block = Box::new(Block::new());
        let (mut tp, mut fp) = ([0; BLOCK + 1], [0; BLOCK + 1]);
        let mut pairs = PairCounter::new(positives, negatives);
        for start in (0..self.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(self.len());
            block.len = end - start;
            match self.amounts() {
                Amounts::Counts {
                    positives,
                    negatives,
                } => {
                    run_on(&mut tp, positives, start, end);
                    run_on(&mut fp, negatives, start, end);
                    let rows = (tp[BLOCK] - tp[0]) + (fp[BLOCK] - fp[0]);
                    block.single = rows == (end - start) as u64;
                    if reads_amounts {
                        fill_counts(&mut block, &tp, &fp);
                    }
                    if wants.pairs {
                        pairs.add(&tp, &fp, start, end - start);
                    }
                }
                Amounts::Weights(_) => self.fill_weights(&mut block, start, end),
            }
            if reads_scores {
                self.fill_block_scores(&mut block, start, end);
            }
            if wants.precision {
                let highest = add_precision(&block, &mut found.precision, scales[0]);
                found.highest.push(highest);
            }
            if wants.ties && !self.is_weighted() {
                add_ties(&block, &mut found.ties);
            }
            if wants.negative_precision {
                let sum = &mut found.negative_precision;
                add_negative_precision(&block, sum, (negatives, all), scales[1]);
            }
            if wants.means {
                add_means(&block, &mut found.means, scales);
            }
            if wants.log_loss {
                add_log_loss(&block, &mut found.log_loss, scales[2], epsilon);
            }
            if wants.margin {
                add_margin(&block, &mut found.margin, negatives, (scales[0], scales[1]));
            }
            if let Some(early) = &mut early
                && add_early(&block, &mut found.early, (early.rate, positives, all))
            {
                early.note(&block);
            }
            if let Some(others) = &mut others {
                others.take(&block);
            }
        }
        if let Some(early) = early {
            early.finish(&mut found.early);
        }
        found.counted = pairs.finish(self);
        found
    }

    fn fill_weights(&self, block: &mut Block, start: usize, end: usize) {
        let mut before = self.counts_of_first(start);
        for place in 0..BLOCK {
            let (mut p, mut n) = (0.0, 0.0);
            if start + place < end {
                (p, n) = self.own_amounts(start + place);
                before = self.counts_of_first(start + place + 1);
            }
            block.positives[place] = p;
            block.negatives[place] = n;
            block.tp[place] = before.tp;
            block.fp[place] = before.fp;
            block.top[place] = before.tp + before.fp;
        }
    }

    fn fill_block_scores(&self, block: &mut Block, start: usize, end: usize) {
        let before = block.score[BLOCK];
        match (self.keys(), self.kind()) {
            (Keys::Wide(keys), ScoreKind::F64) => {
                scores_of_wide(&keys[start..end], &mut block.score);
            }
            (Keys::Narrow(keys), ScoreKind::F32) => {
                scores_of_narrow(&keys[start..end], &mut block.score);
            }
            _ => {
                for place in start..end {
                    block.score[place - start + 1] = self.score(place);
                }
            }
        }
        // Beyond the last score it repeats, so that no gap is left to it, nor is there one before the first.
        let last = block.score[block.len];
        block.score[block.len + 1..].fill(last);
        block.score[0] = if start == 0 { block.score[1] } else { before };
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

/// A block's running totals behind the one before it; the last one repeats beyond the end.
type Running = [u64; BLOCK + 1];

fn run_on(running: &mut Running, amounts: &[u64], start: usize, end: usize) {
    running[0] = running[BLOCK];
    let len = end - start;
    running[1..=len].copy_from_slice(&amounts[start..end]);
    if len < BLOCK {
        let last = running[len];
        running[len + 1..].fill(last);
    }
}

wide! {
    fn fill_counts[](block: &mut Block, tp: &Running, fp: &Running) -> () = fill_counts_body;
    fn scores_of_wide[](keys: &[u64], to: &mut [f64; BLOCK + 1]) -> () = scores_of_wide_body;
    fn scores_of_narrow[](keys: &[u32], to: &mut [f64; BLOCK + 1]) -> () = scores_of_narrow_body;
    fn add_precision[](block: &Block, to: &mut Lanes, scale: f64) -> f64 = add_precision_body;
    fn add_negative_precision[](block: &Block, to: &mut Lanes, totals: (f64, f64), scale: f64) -> ()
        = add_negative_precision_body;
    fn add_means[](block: &Block, to: &mut [Lanes; 4], scales: [f64; 3]) -> () = add_means_body;
    fn add_log_loss[](block: &Block, to: &mut Lanes, scale: f64, epsilon: f64) -> () = add_log_loss_body;
    fn add_margin[](block: &Block, to: &mut Lanes, negatives: f64, scales: (f64, f64)) -> () = add_margin_body;
    fn add_early[](block: &Block, to: &mut Lanes, sizes: (f64, f64, f64)) -> bool = add_early_body;
    fn count_pairs[](tp: &Running, fp: &Running, totals: (u64, u64), sums: &mut Sums) -> u64 = count_pairs_body;
}

#[inline(always)]
fn fill_counts_body(block: &mut Block, tp: &Running, fp: &Running) {
    fill_class(&mut block.positives, &mut block.tp, tp);
    fill_class(&mut block.negatives, &mut block.fp, fp);
    for place in 0..BLOCK {
        block.top[place] = (tp[place + 1] + fp[place + 1]) as f64;
    }
}

#[inline(always)]
fn fill_class(own: &mut Column, above: &mut Column, running: &Running) {
    for place in 0..BLOCK {
        own[place] = (running[place + 1] - running[place]) as f64;
        above[place] = running[place + 1] as f64;
    }
}

#[inline(always)]
fn scores_of_wide_body(keys: &[u64], to: &mut [f64; BLOCK + 1]) {
    for (score, &key) in to[1..].iter_mut().zip(keys) {
        *score = f64_of(key);
    }
}

#[inline(always)]
fn scores_of_narrow_body(keys: &[u32], to: &mut [f64; BLOCK + 1]) {
    for (score, &key) in to[1..].iter_mut().zip(keys) {
        *score = f64::from(f32_of(key));
    }
}

#[inline(always)]
fn add_precision_body(block: &Block, to: &mut Lanes, scale: f64) -> f64 {
    let (p, tp, top) = (&block.positives, &block.tp, &block.top);
    let (mut terms, mut quotients) = (NOTHING, NOTHING);
    for place in 0..BLOCK {
        quotients[place] = tp[place] / top[place];
        terms[place] = p[place] * scale * quotients[place];
    }
    to.add(block.len, &terms);
    let mut highest = [0.0; LANES];
    for quotients in quotients.as_chunks::<LANES>().0 {
        for (highest, &quotient) in highest.iter_mut().zip(quotients) {
            *highest = if quotient > *highest {
                quotient
            } else {
                *highest
            };
        }
    }
    highest.into_iter().fold(0.0, f64::max)
}

/// Negatives times the share of negatives among the rows at or below.
#[inline(always)]
fn add_negative_precision_body(
    block: &Block,
    to: &mut Lanes,
    (negatives, all): (f64, f64),
    scale: f64,
) {
    let (p, n, fp, top) = (&block.positives, &block.negatives, &block.fp, &block.top);
    let mut terms = NOTHING;
    for place in 0..BLOCK {
        let own = (negatives - fp[place]) + n[place];
        let below = (all - top[place]) + (p[place] + n[place]);
        let quotient = n[place] * scale * (own / below);
        terms[place] = if n[place] > 0.0 { quotient } else { 0.0 };
    }
    to.add(block.len, &terms);
}

#[inline(always)]
fn add_means_body(block: &Block, to: &mut [Lanes; 4], [up, down, both]: [f64; 3]) {
    let (p, n) = (&block.positives, &block.negatives);
    let mut terms = [NOTHING; 4];
    // A loop for each: the compiler does not see that four columns are apart, and one loop over them has no vectors.
    fill(&mut terms[0], |place| {
        p[place] * up * block.score[place + 1]
    });
    fill(&mut terms[1], |place| {
        n[place] * down * block.score[place + 1]
    });
    fill(&mut terms[2], |place| {
        p[place] * both * block.score[place + 1] + n[place] * both * (1.0 - block.score[place + 1])
    });
    fill(&mut terms[3], |place| {
        let other = 1.0 - block.score[place + 1];
        p[place] * both * (other * other)
            + n[place] * both * (block.score[place + 1] * block.score[place + 1])
    });
    add_each(to, block.len, &terms);
}

/// Writes a term for each place.
#[inline(always)]
fn fill(to: &mut Column, term: impl Fn(usize) -> f64) {
    for place in 0..BLOCK {
        to[place] = term(place);
    }
}

/// [`Lanes::add`] for several sums, none of which waits for the others.
#[inline(always)]
fn add_each<const N: usize>(to: &mut [Lanes; N], len: usize, terms: &[Column; N]) {
    let whole = len / LANES;
    let (mut sums, mut lost) = ([[0.0; LANES]; N], [[0.0; LANES]; N]);
    for each in 0..N {
        (sums[each], lost[each]) = (to[each].sums, to[each].lost);
    }
    let rows = terms.each_ref().map(|terms| terms.as_chunks::<LANES>().0);
    for row in 0..whole.min(ROWS) {
        for each in 0..N {
            two_sum(&mut sums[each], &mut lost[each], &rows[each][row]);
        }
    }
    for each in 0..N {
        (to[each].sums, to[each].lost) = (sums[each], lost[each]);
        if let Some(rest) = rows[each].get(whole) {
            (to[each].rest, to[each].left) = (*rest, len % LANES);
        }
    }
}

/// Adds terms to sums, and the rounding errors, whichever of the two is greater, to what is lost (Knuth 1969).
#[inline(always)]
fn two_sum(sums: &mut Row, lost: &mut Row, terms: &Row) {
    for lane in 0..LANES {
        let sum = sums[lane] + terms[lane];
        let added = sum - sums[lane];
        lost[lane] += (sums[lane] - (sum - added)) + (terms[lane] - added);
        sums[lane] = sum;
    }
}

#[inline(always)]
fn add_log_loss_body(block: &Block, to: &mut Lanes, scale: f64, epsilon: f64) {
    let cut = |right: f64| {
        let right = if right > epsilon { right } else { epsilon };
        if right < 1.0 - epsilon {
            right
        } else {
            1.0 - epsilon
        }
    };
    // One logarithm where each score is of one class only, which is the rule for distinct ones.
    let (p, n) = (&block.positives, &block.negatives);
    let mut is_mixed = false;
    if !block.single {
        for place in 0..BLOCK {
            is_mixed |= p[place] > 0.0 && n[place] > 0.0;
        }
    }
    let mut terms = NOTHING;
    for place in 0..BLOCK {
        let (p, n) = (p[place], n[place]);
        let right = if p > 0.0 {
            block.score[place + 1]
        } else {
            1.0 - block.score[place + 1]
        };
        let amount = if p > 0.0 { p } else { n };
        terms[place] = amount * scale * -ln_normal(cut(right));
    }
    if is_mixed {
        for place in 0..BLOCK {
            let second = n[place] * scale * -ln_normal(cut(1.0 - block.score[place + 1]));
            terms[place] += if p[place] > 0.0 { second } else { 0.0 };
        }
    }
    to.add(block.len, &terms);
}

#[inline(always)]
fn add_margin_body(block: &Block, to: &mut Lanes, negatives: f64, (up, down): (f64, f64)) {
    let (p, n, tp, fp) = (&block.positives, &block.negatives, &block.tp, &block.fp);
    let mut terms = NOTHING;
    for place in 0..BLOCK {
        let above = (tp[place] - p[place]) * up;
        let below = ((negatives - fp[place]) + n[place]) * down;
        let product = (block.score[place] - block.score[place + 1]) * (above * below);
        // An infinite gap between no rows is none.
        terms[place] = if above * below > 0.0 { product } else { 0.0 };
    }
    to.add(block.len, &terms);
}

/// Up to which half width of a tie, in units of the decay, the series of sinh is as good as exact.
const NARROW: f64 = 0.5;

/// What the weight e^(−rate x), laid on the shares x of rows, loses to the best order: negatives among the first rows, as many
/// as there are positives, and minus the positives after them. Ties that are wide, or lie across that border, are left to
/// [`Early`]; whether there are some.
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // a branch would keep the loop from vectors
fn add_early_body(block: &Block, to: &mut Lanes, (rate, positives, all): (f64, f64, f64)) -> bool {
    let decay = rate / all;
    let is_special = |top: f64, own: f64| {
        (own * decay > 2.0 * NARROW) | ((top > positives) & (top - own < positives))
    };
    let (p, n, top) = (&block.positives, &block.negatives, &block.top);
    let (mut terms, mut any) = (NOTHING, false);
    for place in 0..BLOCK {
        let own = p[place] + n[place];
        let half = 0.5 * own * decay;
        let middle = top[place] * decay - half;
        let share = if top[place] <= positives {
            n[place]
        } else {
            -p[place]
        };
        let lost = share * decay * (exp_of_negative(-middle) * sinh_over(half * half));
        let special = is_special(top[place], own);
        any |= special;
        terms[place] = if special { 0.0 } else { lost };
    }
    to.add(block.len, &terms);
    any
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

/// The few ties that the loops leave out: they are wider than a part of all rows that follows from the rate, or across a border.
struct Early {
    rate: f64,
    positives: f64,
    all: f64,
    special: Vec<f64>,
}

impl Early {
    fn note(&mut self, block: &Block) {
        let decay = self.rate / self.all;
        // The weight laid on the rows from one place to another.
        let mass = |from: f64, to: f64| {
            exp_of_negative(-(from * decay)) * less_one((to - from).max(0.0) * decay)
        };
        for place in 0..block.len {
            let (p, n, top) = (
                block.positives[place],
                block.negatives[place],
                block.top[place],
            );
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
            to.put(0, term);
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
    let (positives, negatives) = (&block.positives, &block.negatives);
    let (tp, fp) = (&block.tp, &block.fp);
    if block.single {
        return;
    }
    for place in 0..block.len {
        let (p, n, tp, fp) = (positives[place], negatives[place], tp[place], fp[place]);
        if p > 0.0 && p + n > 1.0 {
            let step = p * (tp / (tp + fp));
            let last = place % LANES;
            worst.put(last, sum_of_precisions(tp - p, fp, p) - step);
            best.put(last, sum_of_precisions(tp - p, fp - n, p) - step);
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
    sums: Sums,
    counted: Counted,
    /// The last block that has the widest gap.
    gap_block: usize,
}

impl PairCounter {
    fn new(positives: f64, negatives: f64) -> Self {
        let totals = (positives as u64, negatives as u64);
        let fits = positives + negatives < (1_u64 << 31) as f64;
        Self {
            narrow: fits.then_some(totals),
            totals,
            sums: [[0; LANES]; 3],
            counted: Counted::default(),
            gap_block: 0,
        }
    }

    fn add(&mut self, tp: &Running, fp: &Running, start: usize, len: usize) {
        let gap = if let Some(totals) = self.narrow {
            u128::from(count_pairs(tp, fp, totals, &mut self.sums))
        } else {
            let mut widest = 0;
            for place in 0..len {
                let (p, n) = (tp[place + 1] - tp[place], fp[place + 1] - fp[place]);
                let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
                self.counted.concordant += wide(n, tp[place]);
                self.counted.tied += wide(p, n);
                self.counted.apart += wide(p + n, tp[place] + fp[place]);
                let gap =
                    wide(tp[place + 1], self.totals.1).abs_diff(wide(fp[place + 1], self.totals.0));
                widest = widest.max(gap);
            }
            widest
        };
        if gap >= self.counted.gap {
            (self.counted.gap, self.gap_block) = (gap, start);
        }
    }

    fn finish(mut self, table: &ScoreTable) -> Counted {
        let sum = |lanes: [u64; LANES]| lanes.into_iter().map(u128::from).sum::<u128>();
        let [concordant, tied, apart] = self.sums.map(sum);
        self.counted.concordant += concordant;
        self.counted.tied += tied;
        self.counted.apart += apart;
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
    use crate::column::Column;
    use crate::input::{Label, Labels, Scores};
    use crate::kernel::ranking::RankOptions;
    use crate::kernel::sweep::score_table;
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
                keys.push((key >> 12 | 1023 << 52) ^ (1 << 63));
            }
            let mut blocks = [0, 1].map(|_| Block::new());
            let mut lanes = [0, 1].map(|_| vec![Lanes::default(); 8]);
            let totals = (tp[BLOCK] as f64 + 3.0, fp[BLOCK] as f64 + 7.0);
            let all = totals.0 + totals.1;
            {
                let (block, lanes) = (&mut blocks[0], &mut lanes[0]);
                block.len = BLOCK;
                fill_counts(block, &tp, &fp);
                scores_of_wide(&keys, &mut block.score);
                block.score[1..].iter_mut().for_each(|score| *score -= 1.0);
                add_precision(block, &mut lanes[0], 0.5);
                add_negative_precision(block, &mut lanes[1], (totals.1, all), 0.5);
                add_log_loss(block, &mut lanes[2], 0.5, f64::EPSILON);
                add_margin(block, &mut lanes[3], totals.1, (0.5, 0.25));
                add_early(block, &mut lanes[4], (rate, totals.0, all));
                let mut means = <[Lanes; 4]>::default();
                add_means(block, &mut means, [0.5, 0.25, 0.125]);
                lanes.extend(means);
            }
            {
                let (block, lanes) = (&mut blocks[1], &mut lanes[1]);
                block.len = BLOCK;
                fill_counts_body(block, &tp, &fp);
                scores_of_wide_body(&keys, &mut block.score);
                block.score[1..].iter_mut().for_each(|score| *score -= 1.0);
                add_precision_body(block, &mut lanes[0], 0.5);
                add_negative_precision_body(block, &mut lanes[1], (totals.1, all), 0.5);
                add_log_loss_body(block, &mut lanes[2], 0.5, f64::EPSILON);
                add_margin_body(block, &mut lanes[3], totals.1, (0.5, 0.25));
                add_early_body(block, &mut lanes[4], (rate, totals.0, all));
                let mut means = <[Lanes; 4]>::default();
                add_means_body(block, &mut means, [0.5, 0.25, 0.125]);
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
