//! How much one more row changes an index of a score table: its influence function.
//!
//! The influence of a row is the slope of the index over the number of rows of its class and score.
//! It is centred: over all rows of the table it sums to 0. The sum of its squares is the variance
//! of the index (for an area, DeLong's variance but for m / (m - 1)), and the influences of the
//! rows of a cluster add up.
//!
//! m positives, n negatives, t = m + n; at or above score j lie `TP_j` positives and `FP_j`
//! negatives, `N_j` = `TP_j` + `FP_j`:
//!
//! | index | one positive more | one negative more |
//! |---|---|---|
//! | area A | (share of the negatives below it - A) / m | (share of the positives above it - A) / n |
//! | average precision P | (`TP_j` / `N_j` - P + Σ `FP` / `N`²) / m | -(Σ `TP` / `N`²) / m |
//! | area under the risk-coverage curve R | (`FP_j` / `N_j` - R - Σ' `FP` / `N`²) / t | (`FP_j` / `N_j` - R + Σ' `TP` / `N`²) / t |
//! | area under the generalised one G | (share of all that are negatives above it - 2 G) / t | (share of all that are positives below it, or negatives, - 2 G) / t |
//! | mean of a loss L | (its loss - L) / t | the same |
//! | intercept and slope of recalibration | I⁻¹ (1, x) (1 - σ) / t | -I⁻¹ (1, x) σ / t |
//!
//! x is the logit of the score, σ the recalibrated score, and I Fisher's information for each row.
//! A tie counts one half. Σ goes over the positives that score as high or lower, Σ' over all such
//! rows.
//!
//! 1. An area of counts is a difference of integers, rounded once.
//! 2. The sums for average precision and risk are added from the lowest score up, block by block,
//!    so that small sums keep their digits.
//! 3. Other indices follow from one of these and the prevalence by the chain rule
//!    ([`crate::index::spread::Spread::Scores`]).
//!
//! Cost: 5 ns a distinct score for an area, 15 for average precision. Beside the caller's results,
//! two numbers a block are kept.
//!
//! Sources: Hampel 1974, doi:10.1080/01621459.1974.10482962; DeLong, DeLong, Clarke-Pearson 1988,
//! doi:10.2307/2531595.

use crate::arith::logarithm::ln_normal;
use crate::arith::products::Products;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{Room, with_room, zeros};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::rows::scores::probability::mean_score;
use crate::index::rows::scores::selective_classification::{augrc, aurc};
use crate::index::spread::{Base, Spread};
use crate::index::value::Value;
use crate::inference::interval::telling;
use crate::scores::blocks::{BLOCK, Block, With, blocks, lanes};
use crate::scores::calibration::recalibration::{CalibrationFit, cut, fits};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{Masses, ScoreTable};

/// The influence of a row of each class at each distinct score, from the highest score down.
#[derive(Clone, Debug, PartialEq)]
pub struct Influences {
    /// The influence of one more positive row.
    pub positive: Vec<f64>,
    /// The influence of one more negative row.
    pub negative: Vec<f64>,
}

impl Index {
    /// The index of a score table, and how much one row more of each class at each distinct score
    /// changes it; NaN everywhere where the index is undefined.
    ///
    /// # Errors
    /// [`Refusal::Index`] for an index whose influence is not known.
    ///
    /// ```
    /// use rocksteady_derive::base::column::Column;
    /// use rocksteady_derive::base::input::{Labels, Scores};
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::scores::ranking::Ranking;
    /// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_derive::scores::sweep::rows::SweepOptions;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let (value, found) = find("roc_auc")?.influences(&Ranking::from(table))?;
    /// assert_eq!(value.number, 0.75);
    /// assert_eq!(found.positive, [0.125, 0.0, -0.125, -0.25]); // at 0.8, 0.4, 0.35, 0.1
    /// assert_eq!(found.negative, [-0.25, -0.125, 0.0, 0.125]);
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn influences(&self, ranking: &Ranking) -> Result<(Value, Influences)> {
        let (mut positive, mut negative) = (zeros(ranking.len()), zeros(ranking.len()));
        let value = self.fill_influences(ranking, [&mut positive, &mut negative])?;
        Ok((value, Influences { positive, negative }))
    }

    /// As [`Index::influences`], into columns of the positive and of the negative rows.
    ///
    /// # Errors
    /// As [`Index::influences`].
    pub fn fill_influences(
        &self,
        ranking: &Ranking,
        [positive, negative]: [&mut [f64]; 2],
    ) -> Result<Value> {
        let influence = self.influence().ok_or_else(|| Refusal::Index {
            name: self.name.to_owned(),
            problem: "has no known influence of single rows".to_owned(),
        })?;
        let value = self.of_scores(ranking, &Parameters::defaults(self))?;
        if value.why.is_some() {
            positive.fill(f64::NAN);
            negative.fill(f64::NAN);
            return Ok(value);
        }
        // In a table that was scaled down to be summed, a row weighs less by the same factor.
        let unit = ranking.shrunk_by();
        influence.each(ranking, |at| {
            (positive[at.place], negative[at.place]) = (at.positive * unit, at.negative * unit);
        });
        Ok(value)
    }

    /// The influence function of an index of scores, if it is known.
    pub fn influence(&self) -> Option<Influence> {
        self.spreads.iter().find_map(|spread| match *spread {
            Spread::Scores { base, slopes, .. } => Some(Influence { base, slopes }),
            _ => None,
        })
    }
}

/// The influence function of an index that follows from a base and the prevalence.
#[derive(Clone, Copy, Debug)]
pub struct Influence {
    base: Base,
    slopes: fn(f64, f64) -> [f64; 2],
}

/// The rows of one score, and the influence of each.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// The place of the score, 0 being the highest.
    pub place: usize,
    /// Positives of this score.
    pub p: f64,
    /// Negatives of this score.
    pub n: f64,
    /// The influence of one positive.
    pub positive: f64,
    /// The influence of one negative.
    pub negative: f64,
}

impl Influence {
    /// The influence function of a base itself.
    pub(crate) fn of(base: Base) -> Self {
        Self { base, slopes: |_, _| [1.0, 0.0] }
    }

    /// The base that the index follows from.
    pub(crate) fn base(&self) -> Base {
        self.base
    }

    /// The slopes of the index over the base and over the prevalence.
    pub(crate) fn slopes(&self, base: f64, prevalence: f64) -> [f64; 2] {
        (self.slopes)(base, prevalence)
    }

    /// The slope of the index over a base that it follows from alone.
    pub(crate) fn slope_over(&self, base: f64) -> f64 {
        (self.slopes)(base, f64::NAN)[0]
    }

    /// Calls with every distinct score from high to low. The base must be defined. Where the sum of
    /// weights is beyond the range of `f64`, a unit of weight is 2^70 units of the table.
    pub fn each(&self, ranking: &Ranking, mut call: impl FnMut(At)) {
        let table = ranking.finite();
        let (positives, negatives) = table.totals();
        let all = positives + negatives;
        let prevalence = positives / all;
        let value = self.base.value(ranking).unwrap_or(f64::NAN);
        let [own, share] = (self.slopes)(value, prevalence);
        let more = [negatives / all * share / all, -prevalence * share / all];
        self.base.each(table, value, |at| {
            call(At {
                positive: own * at.positive + more[0],
                negative: own * at.negative + more[1],
                ..at
            });
        });
    }

    /// The sum of squared influences over all rows of the table. Weights count as rows; a sampling
    /// weight counts as one row. The base must be defined.
    pub fn sum_of_squares(&self, ranking: &Ranking) -> f64 {
        self.sums(ranking).sum()
    }

    /// The sum of squared influences, and the number of rows that tell it. By class they are taken
    /// about the mean influence of their class, and n rows of a class count as n / (n − 1).
    pub(crate) fn scatter(&self, ranking: &Ranking, is_by_class: bool) -> [f64; 2] {
        if !is_by_class {
            return self.sums(ranking).scatter();
        }
        let mut sums = [Products::default(); 2];
        self.each(ranking, |at| {
            sums = [sums[0].plus(at.p, at.positive), sums[1].plus(at.n, at.negative)];
        });
        let (positives, negatives) = ranking.finite().totals();
        let means = [sums[0].value() / positives, sums[1].value() / negatives];
        let mut about = Squares::of(ranking);
        self.each(ranking, |at| {
            let (positive, negative) = (at.positive - means[0], at.negative - means[1]);
            about.add(&At { positive, negative, ..at }, 1.0);
        });
        // One row of a class does not show how the rows of its class scatter.
        let rows = rows_of(ranking);
        let of_pairs =
            [rows.0, rows.1].map(|rows| if rows >= 1.5 { rows / (rows - 1.0) } else { f64::NAN });
        let values = about.values();
        let sum = values[0] * of_pairs[0] + values[1] * of_pairs[1];
        [sum, telling(values.iter().sum(), about.fourths)]
    }

    /// The sums over the rows of a table.
    pub(crate) fn sums<'a>(&self, ranking: &'a Ranking) -> Squares<'a> {
        let mut sums = Squares::of(ranking);
        self.each(ranking, |at| sums.add(&at, 1.0));
        sums
    }
}

/// Sums of squared influences over the positives, and over the negatives. A sampling weight belongs
/// to one row, so it is squared together with the influence. Within a block squares are added
/// plainly; blocks are added to twice the precision.
pub(crate) struct Squares<'a> {
    /// The table of the squares of sampling weights.
    weights: Option<&'a ScoreTable>,
    whole: [Products; 2],
    block: [f64; 2],
    /// The sum of fourth powers, as if all sampling weights of a class at a score were equal.
    pub(crate) fourths: f64,
}

impl<'a> Squares<'a> {
    pub(crate) fn of(table: &'a ScoreTable) -> Self {
        Self {
            weights: table.squares(),
            whole: Default::default(),
            block: Default::default(),
            fourths: 0.0,
        }
    }

    /// Adds the rows of a score, with their influence times a factor.
    pub(crate) fn add(&mut self, at: &At, factor: f64) {
        let (p, n) = match self.weights {
            Some(squared) => squared.masses_between(at.place, at.place + 1),
            None => (at.p, at.n),
        };
        let (positive, negative) = (at.positive * factor, at.negative * factor);
        let squares = [p * positive * positive, n * negative * negative];
        for (side, mass) in [at.p, at.n].into_iter().enumerate() {
            self.block[side] += squares[side];
            if mass > 0.0 {
                let weight = [p, n][side] / mass;
                let each = weight * [positive, negative][side];
                self.fourths += squares[side] * each * each;
            }
        }
        if at.place % BLOCK == BLOCK - 1 {
            self.end();
        }
    }

    fn end(&mut self) {
        for (whole, block) in self.whole.iter_mut().zip(&mut self.block) {
            *whole = whole.plus(std::mem::take(block), 1.0);
        }
    }

    pub(crate) fn values(&mut self) -> [f64; 2] {
        self.end();
        self.whole.map(Products::value)
    }

    pub(crate) fn sum(mut self) -> f64 {
        self.values().iter().sum()
    }

    /// The sum of all squares, and the number of rows that tell it.
    pub(crate) fn scatter(mut self) -> [f64; 2] {
        let sum = self.values().iter().sum();
        [sum, telling(sum, self.fourths)]
    }
}

/// The numbers of positive and negative rows of a table. For sampling weights they are effective:
/// the square of their sum divided by the sum of their squares (Kish 1965, Survey Sampling).
pub(crate) fn rows_of(ranking: &Ranking) -> (f64, f64) {
    let (positives, negatives) = ranking.finite().totals();
    let effective = |sum: f64, squares: f64| if sum > 0.0 { sum / squares * sum } else { 0.0 };
    match ranking.squares() {
        Some(squares) => {
            let (up, down) = squares.totals();
            (effective(positives, up), effective(negatives, down))
        }
        None => (positives, negatives),
    }
}

impl Base {
    /// The value of a table; `None` where it is undefined.
    pub(crate) fn value(self, ranking: &Ranking) -> Option<f64> {
        match self {
            Self::RocAuc => ranking.roc_auc(),
            Self::AveragePrecision => ranking.average_precision(),
            Self::Aurc => Some(aurc(ranking.finite())),
            Self::Augrc => Some(augrc(ranking)),
            Self::Brier => ranking.moments().map(|moments| moments.brier),
            Self::LogLoss => ranking.mean_log_loss(),
            Self::MeanProbability => ranking.mean_probability(),
            Self::MeanScore => {
                let of_probabilities = ranking.moments().map(|moments| moments.score);
                of_probabilities.or_else(|| mean_score(ranking))
            }
            Self::MeansApart => {
                let (positive, negative) = ranking.mean_scores();
                Some(positive? - negative?)
            }
            Self::CalibrationIntercept => ranking.calibration_fit().map(|fit| fit.intercept),
            Self::CalibrationSlope => ranking.calibration_fit().map(|fit| fit.slope),
            Self::CalibrationShift => ranking.calibration_shift().map(|fit| fit.intercept),
        }
    }

    /// For a number of recalibration: the line, and the row (a, b) of the inverse of its information
    /// for each row. One row more changes the number by (a + b x) (truth − σ) / t, x being the logit
    /// of its score.
    fn line(self, table: &ScoreTable) -> Option<(CalibrationFit, [f64; 2])> {
        let fits = fits(table);
        let fit = if self == Self::CalibrationShift { fits.shift } else { fits.line }?;
        let [one, both, other] = fit.information;
        let rest = other - both / one * both;
        let slope = [-both / one / rest, 1.0 / rest];
        Some((
            fit,
            match self {
                Self::CalibrationSlope => slope,
                Self::CalibrationIntercept => [other / one / rest, slope[0]],
                _ => [1.0 / one, 0.0],
            },
        ))
    }

    /// The losses of a positive and of a negative row with this score, where the base is a mean of
    /// losses; logarithms cut probabilities at `least`.
    #[inline]
    pub(crate) fn losses(self, score: f64, least: f64) -> [f64; 2] {
        let other = 1.0 - score;
        match self {
            Self::Brier => [other * other, score * score],
            Self::LogLoss => [score, other].map(|right| -ln_normal(cut(right, least))),
            Self::MeanProbability => [score, other],
            _ => [score, score],
        }
    }

    /// Calls with every distinct score from high to low; `value` is the value of the table.
    pub(crate) fn each(self, table: &ScoreTable, value: f64, call: impl FnMut(At)) {
        match self {
            Self::RocAuc => match table.masses() {
                Masses::Counts(positives, negatives) => counted_area(positives, negatives, call),
                Masses::Weights(_) => weighted_area(table, value, call),
            },
            Self::AveragePrecision => average_precision(table, value, call),
            Self::Aurc => risk(table, value, call),
            Self::Augrc => generalised_risk(table, value, call),
            Self::Brier | Self::LogLoss | Self::MeanProbability | Self::MeanScore => {
                let least = table.kind().epsilon();
                losses(table, value, call, |score| self.losses(score, least));
            }
            Self::MeansApart => apart(table, call),
            Self::CalibrationIntercept | Self::CalibrationSlope | Self::CalibrationShift => {
                let least = table.kind().epsilon();
                let Some((fit, [a, b])) = self.line(table) else { return };
                losses(table, 0.0, call, |score| {
                    let score = cut(score, least);
                    let logit = ln_normal(score / (1.0 - score));
                    let odds = (fit.intercept + fit.slope * logit).exp();
                    let each = a + b * logit;
                    [each / (1.0 + odds), -each / (1.0 + 1.0 / odds)]
                });
            }
        }
    }
}

/// With fewer rows, twice the number of pairs fits 62 bits.
const NARROW: u64 = 1 << 31;

/// Influences on an area, in whole pairs. 2 m times the negatives below a positive (a tie counts
/// one half), minus twice all pairs in order, is an integer.
fn counted_area(positives: &[u64], negatives: &[u64], mut call: impl FnMut(At)) {
    let last = |totals: &[u64]| totals.last().copied().unwrap_or(0);
    let (m, n) = (last(positives), last(negatives));
    let (rows, columns) = (m as f64, n as f64);
    let pairs = 2.0 * rows * columns;
    let units = [pairs * rows, pairs * columns];
    let twice = twice_area(positives, negatives);
    let mut before = (0, 0);
    let mut each = |difference: &dyn Fn(u64, u64, u64) -> f64| {
        for (chunk, (up, down)) in positives.chunks(BLOCK).zip(negatives.chunks(BLOCK)).enumerate()
        {
            crate::base::interrupt::check();
            for (i, (&tp, &fp)) in up.iter().zip(down).enumerate() {
                let (above, wrong) = before;
                call(At {
                    place: chunk * BLOCK + i,
                    p: (tp - above) as f64,
                    n: (fp - wrong) as f64,
                    positive: difference(m, n - wrong, n - fp) / units[0],
                    negative: difference(n, tp, above) / units[1],
                });
                before = (tp, fp);
            }
        }
    };
    if m + n < NARROW {
        let twice = twice as i64;
        each(&|size, a, b| (size as i64 * (a + b) as i64 - twice) as f64);
    } else {
        each(&|size, a, b| {
            let both = u128::from(a) + u128::from(b);
            (u128::from(size) * both).wrapping_sub(twice) as i128 as f64
        });
    }
}

/// Twice the pairs of a positive above a negative, with tied pairs counted once.
pub(crate) fn twice_area(positives: &[u64], negatives: &[u64]) -> u128 {
    let (mut above, mut wrong, mut twice) = (0, 0, 0);
    for (&tp, &fp) in positives.iter().zip(negatives) {
        twice += u128::from(fp - wrong) * (u128::from(tp) + u128::from(above));
        (above, wrong) = (tp, fp);
    }
    twice
}

fn weighted_area(table: &ScoreTable, area: f64, mut call: impl FnMut(At)) {
    let (positives, negatives) = table.totals();
    let rest = 1.0 - area;
    let (mut place, mut above, mut wrong) = (0, 0.0, 0.0);
    table.groups(|p, n, tp, fp| {
        let missed = f64::midpoint(above, tp) / positives;
        call(At {
            place,
            p,
            n,
            positive: (rest - f64::midpoint(wrong, fp) / negatives) / positives,
            negative: (missed - area) / negatives,
        });
        (place, above, wrong) = (place + 1, tp, fp);
    });
}

/// Influences on average precision.
fn average_precision(table: &ScoreTable, value: f64, mut call: impl FnMut(At)) {
    let (positives, _) = table.totals();
    with_sums_below(
        table,
        |block, i| block.p[i],
        |at, [tp, fp], [right, wrong]| {
            call(At {
                positive: (tp / (tp + fp) - value + wrong) / positives,
                negative: -right / positives,
                ..at
            });
        },
    );
}

/// Influences on the area under the risk-coverage curve, whose positives are right.
fn risk(table: &ScoreTable, value: f64, mut call: impl FnMut(At)) {
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    with_sums_below(
        table,
        |block, i| block.p[i] + block.n[i],
        |at, [tp, fp], [right, wrong]| {
            let own = fp / (tp + fp) - value;
            call(At { positive: (own - wrong) / all, negative: (own + right) / all, ..at });
        },
    );
}

/// Influences on the area under the generalised risk-coverage curve, whose positives are right.
fn generalised_risk(table: &ScoreTable, value: f64, mut call: impl FnMut(At)) {
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    let (mut place, mut above, mut wrong) = (0, 0.0, 0.0);
    table.groups(|p, n, tp, fp| {
        let (missed, found) = (positives - f64::midpoint(above, tp), f64::midpoint(wrong, fp));
        call(At {
            place,
            p,
            n,
            positive: (found / all - 2.0 * value) / all,
            negative: ((missed + negatives) / all - 2.0 * value) / all,
        });
        (place, above, wrong) = (place + 1, tp, fp);
    });
}

/// Calls with each score, without influences; with the positives and the negatives at or above it;
/// and with the sums of TP / N² and of FP / N² over the rows from this score down, where `mass` is
/// how many rows of a score count.
///
/// 1. One pass finds both sums of each block, and adds up the blocks from the last one.
/// 2. A second pass adds up the scores within each block, from the last one.
///
/// All terms are positive, so small sums keep nearly all digits.
fn with_sums_below(
    table: &ScoreTable,
    mass: impl Fn(&Block, usize) -> f64,
    mut call: impl FnMut(At, [f64; 2], [f64; 2]),
) {
    // The rows of a score divided by the square of the number of rows at or above it.
    let over_square = |block: &Block, i: usize| {
        let all = block.tp[i + 1] + block.fp[i + 1];
        mass(block, i) / all / all
    };
    let mut below: Vec<[f64; 2]> = with_room(table.len().div_ceil(BLOCK));
    blocks(table, 0..table.len(), With::default(), |_, block| {
        below.grow([
            lanes(|i| over_square(block, i) * block.tp[i + 1]),
            lanes(|i| over_square(block, i) * block.fp[i + 1]),
        ]);
    });
    let mut sums = [Products::default(); 2];
    for below in below.iter_mut().rev() {
        let own = *below;
        *below = sums.map(Products::value);
        for (sum, own) in sums.iter_mut().zip(own) {
            *sum = sum.plus(own, 1.0);
        }
    }
    let mut down = [[0.0; 2]; BLOCK];
    blocks(table, 0..table.len(), With::default(), |start, block| {
        let [mut right, mut wrong] = below[start / BLOCK];
        for i in (0..block.len).rev() {
            let part = over_square(block, i);
            right += part * block.tp[i + 1];
            wrong += part * block.fp[i + 1];
            down[i] = [right, wrong];
        }
        for (i, sums) in down[..block.len].iter().enumerate() {
            let at =
                At { place: start + i, p: block.p[i], n: block.n[i], positive: 0.0, negative: 0.0 };
            call(at, [block.tp[i + 1], block.fp[i + 1]], *sums);
        }
    });
}

/// Influences on the mean of a loss; `loss` gives the losses of a positive and a negative row of a
/// score.
fn losses(table: &ScoreTable, mean: f64, mut call: impl FnMut(At), loss: impl Fn(f64) -> [f64; 2]) {
    let (positives, negatives) = table.totals();
    let all = positives + negatives;
    blocks(table, 0..table.len(), With::SCORES, |start, block| {
        for (i, &score) in block.scores()[..block.len].iter().enumerate() {
            let [own, other] = loss(score);
            call(At {
                place: start + i,
                p: block.p[i],
                n: block.n[i],
                positive: (own - mean) / all,
                negative: (other - mean) / all,
            });
        }
    });
}

/// Influences on the mean score of the positives less that of the negatives.
fn apart(table: &ScoreTable, mut call: impl FnMut(At)) {
    let mut sums = [Products::default(); 2];
    blocks(table, 0..table.len(), With::SCORES, |_, block| {
        for (i, &score) in block.scores()[..block.len].iter().enumerate() {
            sums = [sums[0].plus(block.p[i], score), sums[1].plus(block.n[i], score)];
        }
    });
    let (positives, negatives) = table.totals();
    let means = [sums[0].value() / positives, sums[1].value() / negatives];
    blocks(table, 0..table.len(), With::SCORES, |start, block| {
        for (i, &score) in block.scores()[..block.len].iter().enumerate() {
            call(At {
                place: start + i,
                p: block.p[i],
                n: block.n[i],
                positive: (score - means[0]) / positives,
                negative: (means[1] - score) / negatives,
            });
        }
    });
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::index::find;
    use crate::index::registry::all;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    /// (positives, negatives) of each score, from high to low.
    type Amounts = Vec<(f64, f64)>;

    /// A table of rows: (is positive, score, weight).
    pub(crate) fn ranking(rows: &[(bool, f64, f64)], weighted: bool) -> Ranking {
        let y: Vec<u8> = rows.iter().map(|row| u8::from(row.0)).collect();
        let s: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let weights = weighted.then(|| Column::from_slice(&w[..]));
        let (y, s) = (Column::from_slice(&y), Column::from_slice(&s));
        let table = score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap();
        Ranking::from(table)
    }

    fn naive(name: &str, scores: &[f64], amounts: &Amounts) -> f64 {
        let m: f64 = amounts.iter().map(|a| a.0).sum();
        let n: f64 = amounts.iter().map(|a| a.1).sum();
        let prevalence = m / (m + n);
        let mean = |loss: &dyn Fn(f64) -> [f64; 2]| {
            let each = scores.iter().zip(amounts);
            let sum: f64 = each.map(|(&s, a)| a.0 * loss(s)[0] + a.1 * loss(s)[1]).sum();
            sum / (m + n)
        };
        let brier = || mean(&|s| [(1.0 - s) * (1.0 - s), s * s]);
        let log_loss = || mean(&|s| [-s.ln(), -(1.0 - s).ln()]);
        let entropy =
            -(prevalence * prevalence.ln() + (1.0 - prevalence) * (1.0 - prevalence).ln());
        match name {
            "roc_auc" | "gini" => {
                let mut pairs = 0.0;
                for (i, a) in amounts.iter().enumerate() {
                    for (j, b) in amounts.iter().enumerate() {
                        let share = match i.cmp(&j) {
                            std::cmp::Ordering::Less => 1.0,
                            std::cmp::Ordering::Equal => 0.5,
                            std::cmp::Ordering::Greater => 0.0,
                        };
                        pairs += share * a.0 * b.1;
                    }
                }
                let area = pairs / m / n;
                if name == "gini" { 2.0 * area - 1.0 } else { area }
            }
            "average_precision" => {
                let (mut tp, mut fp, mut sum) = (0.0, 0.0, 0.0);
                for &(p, q) in amounts {
                    (tp, fp) = (tp + p, fp + q);
                    sum += if p > 0.0 { p * tp / (tp + fp) } else { 0.0 };
                }
                sum / m
            }
            "aurc" | "e_aurc" => {
                let (mut tp, mut fp, mut sum) = (0.0, 0.0, 0.0);
                for &(p, q) in amounts {
                    (tp, fp) = (tp + p, fp + q);
                    sum += if p + q > 0.0 { (p + q) * fp / (tp + fp) } else { 0.0 };
                }
                let best = 1.0 - prevalence + prevalence * prevalence.ln();
                sum / (m + n) - if name == "aurc" { 0.0 } else { best }
            }
            "augrc" => {
                // By the trapezoidal rule over coverage, from 0 on.
                let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
                for &(p, q) in amounts {
                    let (next, risk) = (x + (p + q) / (m + n), y + q / (m + n));
                    sum += (next - x) * f64::midpoint(y, risk);
                    (x, y) = (next, risk);
                }
                sum
            }
            "brier" => brier(),
            "root_mean_squared_error" => brier().sqrt(),
            "brier_skill_score" => 1.0 - brier() / (prevalence * (1.0 - prevalence)),
            "log_loss" => log_loss(),
            "normalized_cross_entropy" => log_loss() / entropy,
            "log_loss_skill_score" => 1.0 - log_loss() / entropy,
            "mean_probability_rate" => mean(&|s| [s, 1.0 - s]),
            "tjur_r2" | "probabilistic_auc" | "macro_mean_probability_rate" => {
                let sum = |side: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
                    scores.iter().zip(amounts).map(|(&s, a)| s * side(a)).sum()
                };
                let apart = sum(&|a| a.0) / m - sum(&|a| a.1) / n;
                if name == "tjur_r2" { apart } else { f64::midpoint(apart, 1.0) }
            }
            "mean_score" => mean(&|s| [s, s]),
            "observed_expected_ratio" => prevalence / mean(&|s| [s, s]),
            other => panic!("{other} has no naive twin"),
        }
    }

    /// Every index with influences that always exist. Recalibration needs classes that overlap;
    /// `tests/inference/test_interval_of_scores.py` has its influences.
    fn rows() -> Vec<&'static Index> {
        let exists =
            |row: &&Index| row.influence().is_some() && !row.name.starts_with("calibration");
        all().filter(exists).collect()
    }

    fn amounts(ranking: &Ranking) -> (Vec<f64>, Amounts) {
        let mut amounts = Vec::new();
        ranking.groups(|p, n, _, _| amounts.push((p, n)));
        (ranking.scores(), amounts)
    }

    proptest! {
        /// Influences are the limits of quotients, and sum to 0 over the rows.
        #[test]
        fn influences_are_slopes(
            given in prop::collection::vec((any::<bool>(), 1_u8..16, 1_u8..5), 2..40), weighted: bool,
        ) {
            let given: Vec<(bool, f64, f64)> = given.iter()
                .map(|&(y, s, w)| (y, f64::from(s) / 16.0, f64::from(w) / 2.0)).collect();
            let ranking = ranking(&given, weighted);
            let (m, n) = ranking.totals();
            prop_assume!(m > 0.0 && n > 0.0);
            let (scores, amounts) = amounts(&ranking);
            for row in rows() {
                let (value, found) = row.influences(&ranking).unwrap();
                let expected = naive(row.name, &scores, &amounts);
                prop_assert!((value.number - expected).abs() < 1e-12, "{}: {:?} {expected}", row.name, value);
                let (mut sum, mut size) = (0.0, 0.0_f64);
                for (place, &(p, n)) in amounts.iter().enumerate() {
                    for is_positive in [true, false] {
                        let own = if is_positive { found.positive[place] } else { found.negative[place] };
                        let term = own * if is_positive { p } else { n };
                        (sum, size) = (sum + term, size.max(term.abs()));
                        // The limit is one-sided, since a weight may be 0, and of order 3 in the
                        // step.
                        let at = |step: f64| {
                            let mut moved = amounts.clone();
                            if is_positive { moved[place].0 += step } else { moved[place].1 += step }
                            naive(row.name, &scores, &moved)
                        };
                        let h = (m + n) / 8192.0;
                        let slope = (-11.0 * at(0.0) + 18.0 * at(h) - 9.0 * at(2.0 * h) + 2.0 * at(3.0 * h)) / (6.0 * h);
                        let close = 1e-4 * (own.abs() + 1.0 / (m + n));
                        prop_assert!((slope - own).abs() < close, "{} {place} {is_positive}: {own} {slope}", row.name);
                    }
                }
                prop_assert!(sum.abs() <= 1e-13 * (1.0 + size) * amounts.len() as f64, "{}: {sum}", row.name);
            }
        }

        /// A whole weight equals as many rows.
        #[test]
        fn weights_count_as_rows(given in prop::collection::vec((any::<bool>(), 1_u8..16, 1_u8..5), 2..40)) {
            let rows_of = |times: bool| -> Vec<(bool, f64, f64)> {
                let row = |&(y, s, w): &(bool, u8, u8)| {
                    std::iter::repeat_n((y, f64::from(s) / 16.0, f64::from(w)), if times { w.into() } else { 1 })
                };
                given.iter().flat_map(row).collect()
            };
            let (weights, counts) = (ranking(&rows_of(false), true), ranking(&rows_of(true), false));
            let (m, n) = counts.totals();
            prop_assume!(m > 0.0 && n > 0.0);
            for row in rows() {
                let (a, b) = (row.influences(&weights).unwrap().1, row.influences(&counts).unwrap().1);
                for (a, b) in [(a.positive, b.positive), (a.negative, b.negative)] {
                    for (a, b) in a.iter().zip(&b) {
                        prop_assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{}: {a} {b}", row.name);
                    }
                }
                let squares = [&weights, &counts].map(|r| row.influence().unwrap().sum_of_squares(r));
                prop_assert!((squares[0] - squares[1]).abs() <= 1e-12 * squares[1], "{}: {squares:?}", row.name);
            }
        }
    }

    /// Over many blocks of scores, the sums for average precision follow the definition.
    #[test]
    fn average_precision_of_many_scores() {
        let given: Vec<(bool, f64, f64)> = (0..1500_i32)
            .map(|i| {
                let noise = f64::from(i * 7919 % 1499) / 1499.0;
                (i % 5 == 0 || noise > 0.97, noise, f64::from(i % 7 + 1))
            })
            .collect();
        for weighted in [false, true] {
            let table = ranking(&given, weighted);
            let cumulative: Vec<(f64, f64)> =
                (0..table.len()).map(|i| table.cumulative(i)).collect();
            let (m, _) = table.totals();
            let value = table.average_precision().unwrap();
            let mut own = Vec::new();
            table.groups(|p, _, _, _| own.push(p));
            let (value_found, found) =
                find("average_precision").unwrap().influences(&table).unwrap();
            assert_eq!(value_found.number, value);
            for (place, &(tp, fp)) in cumulative.iter().enumerate() {
                let below = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
                    let rest = cumulative[place..].iter().zip(&own[place..]);
                    rest.map(|(&(tp, fp), p)| p * of(tp, fp) / (tp + fp) / (tp + fp)).sum()
                };
                let positive = (tp / (tp + fp) - value + below(&|_, fp| fp)) / m;
                let negative = -below(&|tp, _| tp) / m;
                assert!((found.positive[place] - positive).abs() < 1e-15, "{place}");
                let rounding = 1e-13 * negative.abs();
                assert!((found.negative[place] - negative).abs() <= rounding);
            }
        }
    }

    /// Leaving out each row in turn, the jackknife gives nearly the same variance.
    #[test]
    fn the_sum_of_squares_is_near_the_jackknife() {
        let given: Vec<(bool, f64, f64)> = (0..400_i32)
            .map(|i| {
                let noise = f64::from(i * 7919 % 997) / 997.0;
                let is_positive = i % 3 == 0;
                let score = 0.15 + 0.5 * noise + if is_positive { 0.25 } else { 0.0 };
                (is_positive, (score * 128.0).round() / 128.0, 1.0)
            })
            .collect();
        let whole = ranking(&given, false);
        let t = given.len() as f64;
        for row in rows() {
            let value = |ranking: &Ranking| row.influences(ranking).unwrap().0.number;
            let without: Vec<f64> = (0..given.len())
                .map(|i| {
                    let mut rest = given.clone();
                    rest.remove(i);
                    value(&ranking(&rest, false))
                })
                .collect();
            let mean = without.iter().sum::<f64>() / t;
            let squares: f64 = without.iter().map(|x| (x - mean) * (x - mean)).sum();
            let jackknife = squares * (t - 1.0) / t;
            let own = row.influence().unwrap().sum_of_squares(&whole);
            assert!((own / jackknife - 1.0).abs() < 0.02, "{}: {own} {jackknife}", row.name);
        }
    }

    /// Beyond 2^31 rows products need 128 bits.
    #[test]
    fn many_rows_have_the_same_influences() {
        let positives = [3, 3, 9, 14, 20];
        let negatives = [0, 2, 4, 9, 30];
        let of = |factor: u64| {
            let times = |totals: [u64; 5]| totals.map(|total| total * factor);
            let mut found = Vec::new();
            counted_area(&times(positives), &times(negatives), |at| {
                found.push((at.positive * factor as f64, at.negative * factor as f64));
            });
            found
        };
        let small = of(1);
        for factor in [1 << 10, 1 << 30, 1 << 57] {
            assert_eq!(of(factor), small);
        }
    }

    #[test]
    fn what_is_undefined_has_none_and_other_rows_are_refused() {
        let one_class = ranking(&[(true, 0.5, 1.0), (true, 0.25, 1.0)], false);
        let (value, found) = find("roc_auc").unwrap().influences(&one_class).unwrap();
        assert!(value.why.is_some() && found.positive.iter().all(|x| x.is_nan()));
        assert!(find("brier").unwrap().influences(&one_class).is_ok());
        assert!(find("ks").unwrap().influences(&one_class).is_err());
        assert!(find("f1").unwrap().influences(&one_class).is_err());
        let far = ranking(&[(true, 2.5, 1.0), (false, 0.25, 1.0)], false);
        assert!(find("brier").unwrap().influences(&far).unwrap().0.why.is_some());
    }
}
