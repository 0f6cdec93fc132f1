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

use std::ops::Range;

use crate::arith::products::unit_scale;
use crate::base::memory::{CopyAll, Room};
use crate::scores::blocks::{BLOCK, Block, With, blocks};
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
pub(crate) struct Companions {
    precision_areas: Option<PrecisionWalk>,
    /// For counts only.
    pairs: Option<(PairCounter, WidestGap)>,
    /// If the scores are probabilities.
    moments: Option<MomentSums>,
    terms: Option<TermsMaker>,
}

/// The results of [`Companions`].
pub(crate) struct CompanionSums {
    pub(crate) precision_areas: Option<PrecisionAreas>,
    /// The pairs, and the last place with the widest gap between the classes.
    pub(crate) pairs: Option<(PairCounts, usize)>,
    pub(crate) moments: Option<Moments>,
    pub(crate) terms: Option<Terms>,
}

impl Companions {
    /// Only the pairs.
    pub(crate) fn pairs(table: &ScoreTable) -> Self {
        let pairs = match table.masses() {
            Masses::Counts(positives, negatives) => {
                let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                let gap = WidestGap::new((last(positives), last(negatives)));
                Some((PairCounter::new(table), gap))
            }
            Masses::Weights(_) => None,
        };
        Self { precision_areas: None, pairs, moments: None, terms: None }
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

    fn take(&mut self, table: &ScoreTable, start: usize, block: &Block) {
        if let (Some((pairs, gap)), Masses::Counts(positives, negatives)) =
            (&mut self.pairs, table.masses())
        {
            let places = start..start + block.len;
            pairs.add(table, places.clone());
            gap.take(positives, negatives, places);
        }
        if let Some(areas) = &mut self.precision_areas {
            areas.take(block);
        }
        if let Some(moments) = &mut self.moments {
            moments.take(block);
        }
        if let Some(terms) = &mut self.terms {
            terms.take(block);
        }
    }

    /// The place of the widest gap so far, if it is in the last piece of the table.
    pub(crate) fn settled_gap(&mut self, table: &ScoreTable) -> Option<usize> {
        match (&mut self.pairs, table.masses()) {
            (Some((_, gap)), Masses::Counts(positives, negatives)) => {
                gap.settled(positives, negatives)
            }
            _ => None,
        }
    }

    /// Pairs and moments, for pieces of a table; it is known whether its scores are probabilities.
    pub(crate) fn from_pieces(table: &ScoreTable, are_probabilities: bool) -> Self {
        Self { moments: are_probabilities.then(|| MomentSums::new(table)), ..Self::pairs(table) }
    }

    pub(crate) fn finish(self, table: &ScoreTable) -> CompanionSums {
        let pairs = match (self.pairs, table.masses()) {
            (Some((pairs, gap)), Masses::Counts(positives, negatives)) => {
                Some((pairs.finish(), gap.place(positives, negatives)))
            }
            _ => None,
        };
        CompanionSums {
            precision_areas: self.precision_areas.map(PrecisionWalk::finish),
            pairs,
            moments: self.moments.map(MomentSums::finish),
            terms: self.terms.map(TermsMaker::finish),
        }
    }
}

/// The state of computing [`ThresholdSums`], from the highest scores down.
pub(crate) struct ThresholdWalk {
    wanted: Vec<Sum>,
    scales: [f64; 3],
    epsilon: f64,
    is_weighted: bool,
    precision: LaneSum,
    highest: Vec<f64>,
    negative_precision: LaneSum,
    ties: [LaneSum; 2],
    means: [LaneSum; 4],
    log_loss: LaneSum,
    margin: LaneSum,
    early: Option<EarlySum>,
    scratch: Box<Scratch>,
}

impl ThresholdWalk {
    /// For a table, or for pieces of it that each have its totals.
    pub(crate) fn new(table: &ScoreTable, wanted: &[Sum]) -> Self {
        let totals = table.totals();
        let all = totals.0 + totals.1;
        let early = wanted.iter().find_map(|sum| match *sum {
            Sum::Early(rate) => Some(EarlySum::new(rate, totals.0, all)),
            _ => None,
        });
        Self {
            wanted: wanted.copy_all(),
            scales: [totals.0, totals.1, all].map(unit_scale),
            epsilon: table.kind().epsilon(),
            is_weighted: table.is_weighted(),
            precision: LaneSum::default(),
            highest: Vec::new(),
            negative_precision: LaneSum::default(),
            ties: <[LaneSum; 2]>::default(),
            means: <[LaneSum; 4]>::default(),
            log_loss: LaneSum::default(),
            margin: LaneSum::default(),
            early,
            scratch: Scratch::new(),
        }
    }

    /// Adds some places; the companions see every block.
    pub(crate) fn take(
        &mut self,
        table: &ScoreTable,
        places: Range<usize>,
        mut companions: Option<&mut Companions>,
    ) {
        let wants = |sum| self.wanted.contains(&sum);
        let [precision, negative_precision, ties, means, log_loss, margin] = [
            Sum::Precision,
            Sum::NegativePrecision,
            Sum::Ties,
            Sum::Means,
            Sum::LogLoss,
            Sum::Margin,
        ]
        .map(wants);
        if precision {
            self.highest.make_room(places.len().div_ceil(BLOCK));
        }
        let (scales, scratch) = (self.scales, &mut self.scratch);
        let with =
            With { scores: means || log_loss || margin, below: negative_precision || margin };
        blocks(table, places, with, |start, block| {
            if precision {
                let most = add_precision(block, &mut self.precision, scales[0], scratch);
                self.highest.grow(most);
            }
            if ties && !self.is_weighted {
                add_ties(block, &mut self.ties);
            }
            if negative_precision {
                let to = &mut self.negative_precision;
                add_negative_precision(block, to, scales[1], scratch);
            }
            if means {
                add_means(block, &mut self.means, scales, scratch);
            }
            if log_loss {
                add_log_loss(block, &mut self.log_loss, scales[2], self.epsilon, scratch);
            }
            if margin {
                let scales = (scales[0], scales[1]);
                add_margin(block, &mut self.margin, scales, scratch);
            }
            if let Some(early) = &mut self.early {
                early.add(block, scratch);
            }
            if let Some(companions) = &mut companions {
                companions.take(table, start, block);
            }
        });
    }

    pub(crate) fn finish(self) -> ThresholdSums {
        ThresholdSums {
            precision: self.precision.value(),
            highest: self.highest,
            negative_precision: self.negative_precision.value(),
            ties: self.ties.map(|sum| sum.value()),
            means: ScoreSums::new(&self.means),
            log_loss: self.log_loss.value(),
            margin: self.margin.value(),
            early: self.early.map_or(0.0, EarlySum::finish),
        }
    }
}

impl ThresholdSums {
    /// The requested sums of a table; the companions see every block.
    pub(crate) fn of(
        table: &ScoreTable,
        wanted: &[Sum],
        companions: Option<&mut Companions>,
    ) -> Self {
        let mut walk = ThresholdWalk::new(table, wanted);
        walk.take(table, 0..table.len(), companions);
        walk.finish()
    }
}
