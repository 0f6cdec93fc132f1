//! The sums over the distinct scores of a table that its indices need, all in one pass.
//!
//! 1. The table is read in blocks of 256 scores that stay in cache ([`crate::scores::blocks`]).
//! 2. Several loops pass over a block, each for one sum, compiled for the widest instructions of
//!    the machine.
//! 3. Pairs of rows, and the widest gap between the classes, are found in integers.
//! 4. Other files read the same blocks ([`Companions`]): areas of precision, moments and logits of
//!    probabilities. So the table is read from memory once, which alone takes 1.5 ms.
//!
//! A caller that needs one sum pays for a pass with that sum only ([`Sum`]); it has the same bits.
//!
//! Cost at 1e6 rows with distinct scores: 4 ms for all sums of this file together.
//!
//! Rejected:
//! - a second pass for the pairs (1 ms for reading the table).

use crate::arith::products::unit_scale;
use crate::base::memory::Room;
use crate::scores::blocks::{Added, Block, With, added};
use crate::scores::calibration::moments::{MomentSums, Moments};
use crate::scores::calibration::recalibration::{Terms, TermsMaker, cell_width};
use crate::scores::ranking::average_precision::{add_negative_precision, add_precision, add_ties};
use crate::scores::ranking::concordance::{PairCounter, PairCounts};
use crate::scores::ranking::early_recognition::EarlySum;
use crate::scores::ranking::ks::WidestGap;
use crate::scores::ranking::lane_sum::{LaneSum, Scratch};
use crate::scores::ranking::precision_areas::{PrecisionAreas, PrecisionWalk};
use crate::scores::ranking::score_means::{ScoreSums, add_log_loss, add_margin, add_means};
use crate::scores::score_table::{Masses, ScoreTable};

/// A sum that can be requested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sum {
    Precision,
    NegativePrecision,
    Ties,
    Means,
    LogLoss,
    Margin,
    /// Early recognition at this rate.
    Early(f64),
}

/// The requested sums of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThresholdSums {
    /// Σ positives × precision, scaled by the positives.
    pub(crate) precision: f64,
    /// The highest precision in each block.
    pub(crate) highest: Vec<f64>,
    /// Σ negatives × negative predictive value, scaled by the negatives.
    pub(crate) negative_precision: f64,
    /// For counts only: Σ over the positives of precision at their row minus precision at the end
    /// of their tie, with each tie in its worst order and in its best.
    pub(crate) ties: [f64; 2],
    pub(crate) means: ScoreSums,
    /// Σ −ln of the probability of the true class, scaled by all rows.
    pub(crate) log_loss: f64,
    /// Σ gap between scores × positives above it × negatives below it, scaled by both classes.
    pub(crate) margin: f64,
    /// The loss of early recognition against the best order, as a share of all.
    pub(crate) early: f64,
}

/// Other results from the same blocks.
#[derive(Default)]
pub(crate) struct Companions {
    precision_areas: Option<PrecisionWalk>,
    /// For counts only.
    pairs: Option<PairCounter>,
    gap: Option<WidestGap>,
    /// If the scores are probabilities.
    moments: Option<MomentSums>,
    terms: Option<TermsMaker>,
}

/// The results of [`Companions`].
pub(crate) struct CompanionSums {
    pub(crate) precision_areas: Option<PrecisionAreas>,
    pub(crate) pairs: Option<PairCounts>,
    /// The last place with the widest gap between the classes.
    pub(crate) widest: Option<usize>,
    pub(crate) moments: Option<Moments>,
    pub(crate) terms: Option<Terms>,
}

impl Companions {
    /// Only the pairs and the widest gap.
    pub(crate) fn pairs(table: &ScoreTable) -> Self {
        Self {
            pairs: (!table.is_weighted()).then(|| PairCounter::new(table)),
            gap: classes(table).map(|(positives, negatives)| {
                let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                WidestGap::new((last(positives), last(negatives)))
            }),
            ..Self::default()
        }
    }

    /// All results for a table.
    pub(crate) fn all(table: &ScoreTable) -> Self {
        let are = !table.is_empty() && table.are_probabilities();
        Self {
            precision_areas: Some(PrecisionWalk::new(table)),
            moments: are.then(|| MomentSums::new(table)),
            terms: are.then(|| TermsMaker::new(table, cell_width(table))),
            ..Self::pairs(table)
        }
    }

    /// Pairs and moments, for pieces of a table; it is known whether its scores are probabilities.
    pub(crate) fn from_pieces(table: &ScoreTable, are_probabilities: bool) -> Self {
        let moments = are_probabilities.then(|| MomentSums::new(table));
        Self { moments, gap: None, ..Self::pairs(table) }
    }

    pub(crate) fn finish(self, table: &ScoreTable) -> CompanionSums {
        CompanionSums {
            precision_areas: self.precision_areas.map(PrecisionWalk::finish),
            pairs: self.pairs.map(PairCounter::finish),
            widest: self.gap.zip(classes(table)).map(|(gap, (tp, fp))| gap.place(tp, fp)),
            moments: self.moments.map(MomentSums::finish),
            terms: self.terms.map(TermsMaker::finish),
        }
    }
}

/// The counts of both classes at or above each score.
fn classes(table: &ScoreTable) -> Option<(&[u64], &[u64])> {
    match table.masses() {
        Masses::Counts(positives, negatives) => Some((positives, negatives)),
        Masses::Weights(_) => None,
    }
}

impl Added for Companions {
    fn take(&mut self, table: &ScoreTable, start: usize, block: &Block) {
        if let Some(pairs) = &mut self.pairs {
            pairs.add(table, start..start + block.len);
        }
        if let (Some(gap), Some((positives, negatives))) = (&mut self.gap, classes(table)) {
            gap.take(positives, negatives, start..start + block.len);
        }
        if let Some(areas) = &mut self.precision_areas {
            areas.take(table, start, block);
        }
        if let Some(moments) = &mut self.moments {
            moments.take(table, start, block);
        }
        if let Some(terms) = &mut self.terms {
            terms.take(table, start, block);
        }
    }

    fn then(&mut self, later: Self) {
        if let (Some(pairs), Some(later)) = (&mut self.pairs, later.pairs) {
            pairs.then(later);
        }
        if let (Some(gap), Some(later)) = (&mut self.gap, later.gap) {
            gap.then(later);
        }
        if let (Some(areas), Some(later)) = (&mut self.precision_areas, later.precision_areas) {
            areas.then(later);
        }
        if let (Some(moments), Some(later)) = (&mut self.moments, later.moments) {
            moments.then(later);
        }
        if let (Some(terms), Some(later)) = (&mut self.terms, later.terms) {
            terms.then(later);
        }
    }
}

/// A sum of nothing, if it is wanted.
fn zero<T: Default>(wanted: &[Sum], sum: Sum) -> Option<T> {
    wanted.contains(&sum).then(T::default)
}

/// The state of computing [`ThresholdSums`], from the highest scores down.
pub(crate) struct ThresholdWalk {
    scales: [f64; 3],
    epsilon: f64,
    precision: Option<(LaneSum, Vec<f64>)>,
    negative_precision: Option<LaneSum>,
    /// For counts only.
    ties: Option<[LaneSum; 2]>,
    means: Option<[LaneSum; 4]>,
    log_loss: Option<LaneSum>,
    margin: Option<LaneSum>,
    early: Option<EarlySum>,
    companions: Companions,
    scratch: Box<Scratch>,
}

impl ThresholdWalk {
    /// For a table, or for pieces of it that each have its totals.
    pub(crate) fn new(table: &ScoreTable, wanted: &[Sum], companions: Companions) -> Self {
        let totals = table.totals();
        let all = totals.0 + totals.1;
        let early = wanted.iter().find_map(|sum| match *sum {
            Sum::Early(rate) => Some(EarlySum::new(rate, totals.0, all)),
            _ => None,
        });
        Self {
            scales: [totals.0, totals.1, all].map(unit_scale),
            epsilon: table.kind().epsilon(),
            precision: zero(wanted, Sum::Precision),
            negative_precision: zero(wanted, Sum::NegativePrecision),
            ties: zero(wanted, Sum::Ties).filter(|_| !table.is_weighted()),
            means: zero(wanted, Sum::Means),
            log_loss: zero(wanted, Sum::LogLoss),
            margin: zero(wanted, Sum::Margin),
            early,
            companions,
            scratch: Scratch::new(),
        }
    }

    /// What the wanted sums read.
    pub(crate) fn reads(wanted: &[Sum]) -> With {
        let wants = |sums: &[Sum]| sums.iter().any(|sum| wanted.contains(sum));
        With {
            scores: wants(&[Sum::Means, Sum::LogLoss, Sum::Margin]),
            below: wants(&[Sum::NegativePrecision, Sum::Margin]),
        }
    }

    pub(crate) fn finish(self, table: &ScoreTable) -> (ThresholdSums, CompanionSums) {
        let value = |sum: Option<LaneSum>| sum.map_or(0.0, |sum| sum.value());
        let (precision, highest) = self.precision.unwrap_or_default();
        let sums = ThresholdSums {
            precision: precision.value(),
            highest,
            negative_precision: value(self.negative_precision),
            ties: self.ties.unwrap_or_default().map(|sum| sum.value()),
            means: ScoreSums::new(&self.means.unwrap_or_default()),
            log_loss: value(self.log_loss),
            margin: value(self.margin),
            early: self.early.map_or(0.0, EarlySum::finish),
        };
        (sums, self.companions.finish(table))
    }
}

fn add(to: &mut Option<LaneSum>, later: Option<LaneSum>) {
    if let (Some(to), Some(later)) = (to, later) {
        to.then(&later);
    }
}

impl Added for ThresholdWalk {
    fn take(&mut self, table: &ScoreTable, start: usize, block: &Block) {
        let (scales, scratch) = (self.scales, &mut self.scratch);
        if let Some((sum, highest)) = &mut self.precision {
            highest.grow(add_precision(block, sum, scales[0], scratch));
        }
        if let Some(ties) = &mut self.ties {
            add_ties(block, ties);
        }
        if let Some(sum) = &mut self.negative_precision {
            add_negative_precision(block, sum, scales[1], scratch);
        }
        if let Some(means) = &mut self.means {
            add_means(block, means, scales, scratch);
        }
        if let Some(sum) = &mut self.log_loss {
            add_log_loss(block, sum, scales[2], self.epsilon, scratch);
        }
        if let Some(sum) = &mut self.margin {
            add_margin(block, sum, (scales[0], scales[1]), scratch);
        }
        if let Some(early) = &mut self.early {
            early.add(block, scratch);
        }
        self.companions.take(table, start, block);
    }

    fn then(&mut self, later: Self) {
        if let (Some((sum, highest)), Some((later, more))) = (&mut self.precision, later.precision)
        {
            sum.then(&later);
            highest.grow_by(&more);
        }
        add(&mut self.negative_precision, later.negative_precision);
        let pairs = self.ties.iter_mut().flatten().zip(later.ties.into_iter().flatten());
        let means = self.means.iter_mut().flatten().zip(later.means.into_iter().flatten());
        for (to, later) in pairs.chain(means) {
            to.then(&later);
        }
        add(&mut self.log_loss, later.log_loss);
        add(&mut self.margin, later.margin);
        if let (Some(early), Some(later)) = (&mut self.early, later.early) {
            early.then(&later);
        }
        self.companions.then(later.companions);
    }
}

impl ThresholdSums {
    /// The requested sums of a table, and those of its companions.
    pub(crate) fn of(
        table: &ScoreTable,
        wanted: &[Sum],
        companions: impl Fn(&ScoreTable) -> Companions + Sync,
    ) -> (Self, CompanionSums) {
        let empty = || ThresholdWalk::new(table, wanted, companions(table));
        added(table, ThresholdWalk::reads(wanted), empty).finish(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::base::threads::set_threads;
    use crate::scores::blocks::{Pieced, STRETCH, blocks};
    use crate::scores::calibration::recalibration::Fits;
    use crate::scores::ranking::early_recognition::EARLY;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;

    const WANTED: [Sum; 7] = [
        Sum::Precision,
        Sum::NegativePrecision,
        Sum::Ties,
        Sum::Means,
        Sum::LogLoss,
        Sum::Margin,
        Sum::Early(EARLY),
    ];

    /// A table of more than two stretches, with ties, and an empty class at one end or none.
    fn table(weighted: bool, lead: u64) -> ScoreTable {
        let rows = 4 * STRETCH as u64;
        let mix = |row: u64| (row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
        let s: Vec<f64> = (0..rows).map(|row| (mix(row) % (rows * 9 / 8)) as f64).collect();
        let top = rows as f64 * 1.125;
        let y: Vec<u8> = s
            .iter()
            .zip(0..)
            .map(|(&s, row)| u8::from(mix(row + rows) % 8 + lead * u64::from(s > 0.3 * top) > 5))
            .collect();
        let s: Vec<f64> = s.into_iter().map(|s| s / top).collect();
        let w: Vec<f64> = (0..rows).map(|row| (mix(row) % 64) as f64 / 4.0).collect();
        let weights = weighted.then(|| Column::from_slice(&w[..]));
        let (y, s) = (Labels::U8(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
        let table = score_table(&y, &s, weights, &SweepOptions::default()).unwrap();
        assert!(table.len() > 2 * STRETCH);
        table
    }

    /// All numbers, as text: each `f64` has its own.
    fn shown((sums, found): (ThresholdSums, CompanionSums)) -> String {
        let CompanionSums { precision_areas, pairs, widest, moments, terms } = found;
        format!("{sums:?} {precision_areas:?} {pairs:?} {widest:?} {moments:?} {terms:?}")
    }

    #[test]
    fn stretches_give_the_same_bits_to_any_number_of_threads_and_in_pieces() {
        for (weighted, lead) in [(false, 1), (false, 9), (true, 1)] {
            let table = &table(weighted, lead);
            let one = shown(ThresholdSums::of(table, &WANTED, Companions::all));
            for threads in [1, 2, 7] {
                set_threads(Some(threads)).unwrap();
                assert_eq!(shown(ThresholdSums::of(table, &WANTED, Companions::all)), one);
            }
            set_threads(None).unwrap();
            let mut pieces = Pieced::new();
            for start in (0..table.len()).step_by(300 * 256) {
                let empty = || ThresholdWalk::new(table, &WANTED, Companions::all(table));
                let places = start..table.len().min(start + 300 * 256);
                pieces.take(table, places, ThresholdWalk::reads(&WANTED), empty);
            }
            assert_eq!(shown(pieces.finish().unwrap().finish(table)), one);
        }
    }

    fn numbers(table: &ScoreTable, (sums, found): (ThresholdSums, CompanionSums)) -> Vec<f64> {
        let ScoreSums { own, other, right, squares } = sums.means;
        let areas = found.precision_areas.unwrap();
        let moments = found.moments.unwrap();
        let line = Fits::of(table, found.terms.as_ref()).line.unwrap();
        [sums.precision, sums.negative_precision, sums.log_loss, sums.margin, sums.early]
            .into_iter()
            .chain(sums.ties)
            .chain([own, other, right, squares])
            .chain([areas.linear_area(), areas.upper_area(), areas.lift_area()].map(Option::unwrap))
            .chain([areas.continuous_area(), areas.gain_area(table)].map(Option::unwrap))
            .chain([moments.score, moments.brier, moments.variance, moments.drift])
            .chain([moments.reliability, moments.refinement, moments.cumulative, moments.span])
            .chain([line.intercept, line.slope])
            .collect()
    }

    #[test]
    fn stretches_add_up_to_one_walk_over_all() {
        for (weighted, lead) in [(false, 1), (false, 9), (true, 1)] {
            let table = &table(weighted, lead);
            let found = ThresholdSums::of(table, &WANTED, Companions::all);
            let mut walk = ThresholdWalk::new(table, &WANTED, Companions::all(table));
            blocks(table, 0..table.len(), ThresholdWalk::reads(&WANTED), |start, block| {
                walk.take(table, start, block);
            });
            let all = walk.finish(table);
            assert_eq!((&found.1.pairs, found.1.widest), (&all.1.pairs, all.1.widest));
            assert_eq!(found.0.highest, all.0.highest);
            for (found, all) in numbers(table, found).into_iter().zip(numbers(table, all)) {
                assert!((found - all).abs() <= 1e-13 * all.abs().max(1.0), "{found} {all}");
            }
        }
    }
}
