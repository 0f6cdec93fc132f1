//! The sums over the distinct scores of a table that its indices need, all in one pass.
//!
//! 1. The table is read in blocks of 256 scores that stay in cache ([`crate::scores::blocks`]).
//! 2. Loop after loop passes over a block, each for one sum, compiled for the widest instructions
//!    of the machine.
//! 3. Pairs of rows, and the widest gap between the classes, are found in integers.
//! 4. What other files find of the same blocks goes along ([`Companions`]): areas of precision,
//!    moments and logits of probabilities. So the table is read from memory once; that alone is 1.5
//!    ms a pass.
//!
//! A caller that needs one sum pays for a pass with that sum only ([`Sum`]); it has the same
//! bits.
//!
//! Cost at 1e6 distinct scores of as many rows: 4 ms for the sums of this file together.
//!
//! Rejected:
//! - a second pass for the pairs (1 ms for reading the table).

use crate::arith::products::unit_scale;
use crate::base::memory::Room;
use crate::scores::blocks::{BLOCK, Block, blocks};
use crate::scores::calibration::fits::{Terms, TermsMaker, cell_width};
use crate::scores::calibration::moments::{MomentSums, Moments};
use crate::scores::ranking::average_precision::{add_negative_precision, add_precision, add_ties};
use crate::scores::ranking::concordance::{PairCounter, PairCounts};
use crate::scores::ranking::early_recognition::EarlySum;
use crate::scores::ranking::ks::WidestGap;
use crate::scores::ranking::lane_sum::{LaneSum, Scratch};
use crate::scores::ranking::precision_areas::{PrecisionAreas, PrecisionWalk};
use crate::scores::ranking::score_means::{ScoreSums, add_log_loss, add_margin, add_means};
use crate::scores::score_table::{Amounts, ScoreTable};

/// A sum that may be wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sum {
    Precision,
    NegativePrecision,
    Ties,
    Means,
    LogLoss,
    Margin,
    /// At the rate at which the first rows count for more.
    Early(f64),
}

/// The sums of a table, each as far as it was wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThresholdSums {
    /// Σ positives × precision, scaled by their class.
    pub(crate) precision: f64,
    /// The highest precision in each block.
    pub(crate) highest: Vec<f64>,
    /// Σ negatives × negative predictive value, scaled by their class.
    pub(crate) negative_precision: f64,
    /// Counts only: Σ over the positives of precision down to their row, less precision down to the
    /// end of its tie, with each tie in its worst order and in its best.
    pub(crate) ties: [f64; 2],
    pub(crate) means: ScoreSums,
    /// Σ −ln of the probability of what came true, scaled by all rows.
    pub(crate) log_loss: f64,
    /// Σ gap between scores × positives above it × negatives below it, scaled by both classes.
    pub(crate) margin: f64,
    /// What the early recognition falls short of the best, as a share of all.
    pub(crate) early: f64,
}

/// What else is found of the same blocks.
pub(crate) struct Companions {
    precision_areas: Option<PrecisionWalk>,
    /// Counts only.
    pairs: Option<(PairCounter, WidestGap)>,
    /// Where the scores are probabilities.
    probabilities: Option<(MomentSums, TermsMaker)>,
}

/// What [`Companions`] have found.
pub(crate) struct CompanionSums {
    pub(crate) precision_areas: Option<PrecisionAreas>,
    /// The pairs, and the last place where the classes are furthest apart.
    pub(crate) pairs: Option<(PairCounts, usize)>,
    pub(crate) probabilities: Option<(Moments, Terms)>,
}

impl Companions {
    /// Pairs only.
    pub(crate) fn pairs(table: &ScoreTable) -> Self {
        let pairs = match table.amounts() {
            Amounts::Counts(positives, negatives) => {
                let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                let gap = WidestGap::new((last(positives), last(negatives)));
                Some((PairCounter::new(table), gap))
            }
            Amounts::Weights(_) => None,
        };
        Self {
            precision_areas: None,
            pairs,
            probabilities: None,
        }
    }

    /// All that a table has.
    pub(crate) fn all(table: &ScoreTable) -> Self {
        let are = !table.is_empty() && table.are_probabilities();
        let probabilities = || {
            let terms = TermsMaker::new(table, cell_width(table));
            (MomentSums::new(table), terms)
        };
        Self {
            precision_areas: Some(PrecisionWalk::new(table)),
            probabilities: are.then(probabilities),
            ..Self::pairs(table)
        }
    }

    fn take(&mut self, table: &ScoreTable, start: usize, block: &Block) {
        if let (Some((pairs, gap)), Amounts::Counts(positives, negatives)) =
            (&mut self.pairs, table.amounts())
        {
            pairs.add(table, start);
            gap.take(positives, negatives, start..start + block.len);
        }
        if let Some(areas) = &mut self.precision_areas {
            areas.take(block);
        }
        if let Some((moments, terms)) = &mut self.probabilities {
            moments.take(block);
            terms.take(block);
        }
    }

    pub(crate) fn finish(self, table: &ScoreTable) -> CompanionSums {
        let pairs = match (self.pairs, table.amounts()) {
            (Some((pairs, gap)), Amounts::Counts(positives, negatives)) => {
                Some((pairs.finish(), gap.place(positives, negatives)))
            }
            _ => None,
        };
        let probabilities = self.probabilities;
        CompanionSums {
            precision_areas: self.precision_areas.map(PrecisionWalk::finish),
            pairs,
            probabilities: probabilities.map(|(moments, terms)| (moments.finish(), terms.finish())),
        }
    }
}

impl ThresholdSums {
    /// The sums of a table that are wanted; the companions are shown every block.
    pub(crate) fn of(
        table: &ScoreTable,
        wanted: &[Sum],
        mut companions: Option<&mut Companions>,
    ) -> Self {
        let (positives, negatives) = table.totals();
        let all = positives + negatives;
        let scales = [positives, negatives, all].map(unit_scale);
        let epsilon = table.kind().epsilon();
        let mut precision = LaneSum::default();
        let mut negative_precision = LaneSum::default();
        let mut ties = <[LaneSum; 2]>::default();
        let mut means = <[LaneSum; 4]>::default();
        let (mut log_loss, mut margin) = (LaneSum::default(), LaneSum::default());
        let wants = |sum| wanted.contains(&sum);
        let mut early = wanted.iter().find_map(|sum| match *sum {
            Sum::Early(rate) => Some(EarlySum::new(rate, positives, all)),
            _ => None,
        });
        let mut highest = Vec::new();
        if wants(Sum::Precision) {
            highest.make_room(table.len().div_ceil(BLOCK));
        }
        let reads_scores = wants(Sum::Means) || wants(Sum::LogLoss) || wants(Sum::Margin);
        let scratch = &mut Scratch::new();
        blocks(table, 0..table.len(), reads_scores, |start, block| {
            if wants(Sum::Precision) {
                highest.grow(add_precision(block, &mut precision, scales[0], scratch));
            }
            if wants(Sum::Ties) && !table.is_weighted() {
                add_ties(block, &mut ties);
            }
            if wants(Sum::NegativePrecision) {
                let totals = (negatives, all);
                add_negative_precision(block, &mut negative_precision, totals, scales[1], scratch);
            }
            if wants(Sum::Means) {
                add_means(block, &mut means, scales, scratch);
            }
            if wants(Sum::LogLoss) {
                add_log_loss(block, &mut log_loss, scales[2], epsilon, scratch);
            }
            if wants(Sum::Margin) {
                add_margin(
                    block,
                    &mut margin,
                    negatives,
                    (scales[0], scales[1]),
                    scratch,
                );
            }
            if let Some(early) = &mut early {
                early.add(block, scratch);
            }
            if let Some(companions) = &mut companions {
                companions.take(table, start, block);
            }
        });
        Self {
            precision: precision.value(),
            highest,
            negative_precision: negative_precision.value(),
            ties: ties.map(|sum| sum.value()),
            means: ScoreSums::new(&means),
            log_loss: log_loss.value(),
            margin: margin.value(),
            early: early.map_or(0.0, EarlySum::finish),
        }
    }
}
