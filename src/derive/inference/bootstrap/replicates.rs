//! Indices of many resamples.
//!
//! The kind of index decides the kernel:
//!
//! 1. Indices of counts alone, of a matrix or at a threshold: draws over the cells.
//! 2. Indices of a score table with few distinct scores: draws over its cells.
//! 3. Otherwise rows are drawn. The area under the ROC curve, Gini, KS, average precision, the
//!    Brier score, the logarithmic loss and counts at the threshold come from one pass over the
//!    draws (`scan`).
//! 4. Any other index of scores: the score table of each replicate, made from the same draws.
//!
//! Cost at 1e6 rows: 0.5 ms a replicate for the AUC; 10 ms and more for 4.

use crate::arith::logarithm::ln_normal;
use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::threads::over_parts;
use crate::base::wide::prefetch_read;
use crate::index::form::Reads;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::{TABLES_AT_A_TIME, Tables};
use crate::index::value::Value;
use crate::inference::bootstrap::cells::CellSampler;
use crate::inference::bootstrap::draws::{
    Batch, Draws, LANES, ROWS, Resample, Sampler, Totals, class_totals,
};
use crate::inference::bootstrap::order::Order;
use crate::inference::bootstrap::scan::{
    Before, Lanes, add, add_gap, add_losses, add_pairs, add_precision,
};
use crate::labels::confusion::{ConfusionMatrix, Masses as CellMasses};
use crate::labels::view::BinaryCounts;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{ScoreTable, Side};

/// Cells are drawn instead of rows if they have at least this many rows on average.
const ROWS_OF_A_CELL: u64 = 100;

/// With more rows, cells are drawn.
const MOST_ROWS: u64 = 1 << 30;

/// The prefetch distance of draws, in rows.
const AHEAD: usize = 24;

/// The options of the bootstrap.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The indices, with their default parameters.
    pub indices: Vec<&'static Index>,
    /// Scores at or above it are predicted positive.
    pub threshold: f64,
    /// The number of replicates.
    pub replicates: usize,
    /// The seed of the random bits.
    pub seed: u64,
    /// How replicates are drawn.
    pub resample: Resample,
    /// Whether resamples keep the size of each actual class.
    pub is_stratified: bool,
}

/// Values of indices in all replicates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replicates {
    /// A list for each index; NaN where the index is undefined.
    pub values: Vec<Vec<f64>>,
    /// The 2×2 tables of the replicates, if an index reads counts.
    pub counts: Vec<BinaryCounts>,
}

/// What an index reads of a replicate's ranking; none for an index of the counts at the threshold.
type Reading = Option<Reads>;

impl Plan {
    /// Whether an index reads the counts at the threshold.
    pub fn is_of_counts(row: &Index) -> bool {
        row.reads().is_none()
    }

    fn readings(&self) -> Vec<Reading> {
        self.indices.iter().map(|row| row.reads()).gather()
    }

    fn batches(&self) -> usize {
        self.replicates.div_ceil(LANES)
    }

    /// How many replicates of a batch are wanted; the last batch may have fewer than 16.
    pub(crate) fn lanes(&self, batch: usize) -> usize {
        self.replicates.min((batch + 1) * LANES) - batch * LANES
    }

    /// Whether the cells of a table are drawn instead of its rows.
    pub(crate) fn draws_cells(table: &ScoreTable) -> bool {
        let rows = table.rows();
        2 * table.len() as u64 * ROWS_OF_A_CELL < rows || rows > MOST_ROWS
    }

    pub(crate) fn cells(&self) -> CellSampler {
        CellSampler { seed: self.seed, resample: self.resample }
    }

    /// Runs `make` for each batch of 16 replicates, in threads if `work` is large: the number of
    /// rows that the kernels read.
    pub(crate) fn over_batches<T: Send>(
        &self,
        work: usize,
        each: impl Fn(usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let step = work.max(1);
        let parts = over_parts(self.batches().saturating_mul(step), |part| {
            let own = part.start.div_ceil(step)..part.end.div_ceil(step);
            own.map(&each).gather_all()
        })?;
        Ok(parts.into_iter().flatten().gather())
    }

    /// Runs `make` for each replicate, in order.
    pub(crate) fn over_replicates<T: Send>(
        &self,
        work: usize,
        each: impl Fn(usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let batches = self.over_batches(work.saturating_mul(LANES), |batch| {
            let own = batch * LANES..self.replicates.min((batch + 1) * LANES);
            own.map(&each).gather_all()
        })?;
        Ok(batches.into_iter().flatten().gather())
    }

    /// The indices of a matrix.
    ///
    /// # Errors
    /// A matrix of weights, and an index that matrices do not have.
    pub fn of_matrix(
        &self,
        matrix: &ConfusionMatrix,
        positive: Option<usize>,
    ) -> Result<Replicates> {
        let counts = matrix.counts().ok_or_else(weighted)?;
        let classes = matrix.classes();
        let mut strata = vec![0; classes];
        for cell in matrix.cells() {
            strata[cell.actual as usize] += 1;
        }
        if !self.is_stratified {
            strata = vec![counts.len()];
        }
        let sampler = self.cells();
        if let Some(positive) = positive.filter(|_| classes == 2) {
            let places: Vec<(usize, usize)> =
                matrix.cells().map(|cell| (cell.actual as usize, cell.predicted as usize)).gather();
            let tables = self.over_replicates(counts.len(), |replicate| {
                let drawn = sampler.draw(replicate, counts, &strata);
                let mut table = BinaryCounts::default();
                for (&(actual, predicted), &draws) in places.iter().zip(&drawn) {
                    let cell = match (actual == positive, predicted == positive) {
                        (true, true) => &mut table.tp,
                        (false, true) => &mut table.fp,
                        (true, false) => &mut table.fn_,
                        (false, false) => &mut table.tn,
                    };
                    *cell += draws as f64;
                }
                Ok(table)
            })?;
            return self.of_tables(tables);
        }
        let each = self.over_replicates(counts.len() * (1 + self.indices.len()), |replicate| {
            let drawn = sampler.draw(replicate, counts, &strata);
            let rows = drawn.iter().sum();
            let replicate = ConfusionMatrix::without_zeros(
                matrix.labels().clone(),
                rows,
                matrix.pattern().clone(),
                CellMasses::Counts(drawn),
            );
            let view = replicate.view();
            let values = self
                .indices
                .iter()
                .map(|row| Ok(defined(row.of_matrix(&view, &Parameters::defaults(row))?)));
            values.gather_all::<f64, Refusal>()
        })?;
        Ok(Replicates { values: turned(&each, self.indices.len()), counts: Vec::new() })
    }

    /// The indices of 2×2 tables, one for each replicate.
    ///
    /// # Errors
    /// An index that tables do not have.
    pub fn of_tables(&self, counts: Vec<BinaryCounts>) -> Result<Replicates> {
        let wanted: Vec<_> =
            self.indices.iter().map(|&row| (row, Parameters::defaults(row))).gather();
        let mut values: Vec<Vec<f64>> =
            self.indices.iter().map(|_| vec![0.0; counts.len()]).gather();
        for tables in 0..counts.len().div_ceil(TABLES_AT_A_TIME) {
            let start = tables * TABLES_AT_A_TIME;
            let end = counts.len().min(start + TABLES_AT_A_TIME);
            // One block of tables stays in cache while each index reads it.
            let tables = Tables::new(&counts[start..end]);
            for ((row, parameters), values) in wanted.iter().zip(&mut values) {
                row.fill_defined(tables, parameters, &mut values[start..end])?;
            }
        }
        Ok(Replicates { values, counts })
    }

    /// The indices of a score table, and of counts at the threshold.
    ///
    /// # Errors
    /// A table of weights, and an index that is neither of scores nor of counts.
    pub fn of_scores(&self, ranking: &Ranking) -> Result<Replicates> {
        if ranking.is_weighted() {
            return Err(weighted());
        }
        let readings = self.readings();
        if readings.iter().all(Option::is_none) {
            let BinaryCounts { tp, fp, fn_, tn } = ranking.at(self.threshold, Side::GreaterEqual);
            let cells = [tn, fp, fn_, tp].map(|count| count as u64);
            let strata: &[usize] = if self.is_stratified { &[2, 2] } else { &[4] };
            let sampler = self.cells();
            let tables = self.over_replicates(4, |replicate| {
                let drawn = sampler.draw(replicate, &cells, strata);
                let [tn, fp, fn_, tp] = std::array::from_fn(|place| drawn[place] as f64);
                Ok(BinaryCounts { tp, fp, fn_, tn })
            })?;
            return self.of_tables(tables);
        }
        if Self::draws_cells(ranking) {
            return self.of_ties(ranking);
        }
        let order = Order::of_table(ranking);
        let flags = order.flags().copy_all();
        let sampler = Sampler::new(self.seed, flags, self.resample, self.is_stratified);
        let mut each = self.of_rows(&sampler, &[(&order, ranking)], true)?;
        Ok(each.remove(0))
    }

    /// The indices of a score table from draws over its cells.
    fn of_ties(&self, ranking: &Ranking) -> Result<Replicates> {
        let readings = self.readings();
        let sampler = self.cells();
        let work = ranking.len() * (20 + 10 * self.indices.len());
        let each = self.over_replicates(work, |replicate| {
            let table = sampler.table(replicate, ranking, self.is_stratified);
            let counts = table.at(self.threshold, Side::GreaterEqual);
            let table = Ranking::from(table);
            let values = self.indices.iter().zip(&readings).map(|(row, reading)| {
                if reading.is_none() {
                    return Ok(0.0); // filled in later
                }
                Ok(defined(row.of_scores(&table, &Parameters::defaults(row))?))
            });
            Ok((values.gather_all::<f64, Refusal>()?, counts))
        })?;
        let counts = each.iter().map(|(_, counts)| *counts).gather();
        let each: Vec<Vec<f64>> = each.into_iter().map(|(values, _)| values).gather();
        self.with_counts(turned(&each, self.indices.len()), counts)
    }

    /// The values, with the values of the indices of counts filled in.
    fn with_counts(
        &self,
        mut values: Vec<Vec<f64>>,
        counts: Vec<BinaryCounts>,
    ) -> Result<Replicates> {
        let readings = self.readings();
        if !readings.contains(&None) {
            return Ok(Replicates { values, counts: Vec::new() });
        }
        let of_counts = Self {
            indices: (self.indices.iter().zip(&readings))
                .filter(|(_, reading)| reading.is_none())
                .map(|(row, _)| *row)
                .gather(),
            ..self.clone()
        };
        let found = of_counts.of_tables(counts)?;
        let places = (0..values.len()).filter(|&place| readings[place].is_none());
        for (place, column) in places.zip(found.values) {
            values[place] = column;
        }
        Ok(Replicates { values, counts: found.counts })
    }

    /// The indices of several models on the same units, each model with its order of the rows. The
    /// replicates are shared. `knows_classes` says that the units are rows with their classes.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub(crate) fn of_rows(
        &self,
        sampler: &Sampler,
        models: &[(&Order, &Ranking)],
        knows_classes: bool,
    ) -> Result<Vec<Replicates>> {
        let readings = self.readings();
        for row in &self.indices {
            if Self::is_of_counts(row) {
                // A wrong index is refused before anything is drawn.
                row.of_counts(&BinaryCounts::default(), &Parameters::defaults(row))?;
            }
        }
        let models = models
            .iter()
            .map(|&(order, ranking)| Model::new(order, ranking, self.threshold, &readings))
            .gather();
        let is_shared =
            models.len() > 1 || models.iter().any(|model: &Model| model.order.units(0).is_some());
        let rows: usize = models.iter().map(|model| model.order.len()).sum();
        let each = self.over_batches(rows + sampler.len(), |batch| {
            let number = self.lanes(batch);
            let batch = sampler.batch(batch);
            let shared = is_shared.then(|| all_draws(&batch, sampler));
            let of_model = |model: &Model| {
                let source = Source {
                    batch: &batch,
                    shared: shared.as_deref(),
                    model,
                    known: batch.totals().filter(|_| knows_classes),
                };
                source.values(&self.indices, &readings, number)
            };
            models.iter().map(of_model).gather_all()
        })?;
        let of_model = |place: usize| {
            let mut values: Vec<Vec<f64>> = self.indices.iter().map(|_| Vec::new()).gather();
            let mut counts = Vec::new();
            for batch in &each {
                let (found, tables) = &batch[place];
                for (values, found) in values.iter_mut().zip(found) {
                    values.grow_by(found);
                }
                counts.grow_by(tables);
            }
            self.with_counts(values, counts)
        };
        (0..models.len()).map(of_model).gather_all()
    }
}

/// The draws of a batch, unit after unit.
pub(crate) fn all_draws(batch: &Batch, sampler: &Sampler) -> Vec<Draws> {
    let mut draws = vec![[0; LANES]; sampler.len()];
    for (chunk, part) in draws.chunks_mut(ROWS).enumerate() {
        batch.draw(chunk, part);
    }
    draws
}

pub(crate) fn weighted() -> Refusal {
    Refusal::argument(
        "sample_weight",
        "given",
        "a statistic of rows without weights: how many rows a sum of weights comes from is not \
         known (rocksteady.inference.bootstrap takes rows and their weights)",
    )
}

/// The value; NaN where it is undefined, also if a convention gives a number.
pub(crate) fn defined(value: Value) -> f64 {
    if value.why.is_some() { f64::NAN } else { value.number }
}

/// Transposes rows into columns.
fn turned(rows: &[Vec<f64>], columns: usize) -> Vec<Vec<f64>> {
    let column = |place: usize| rows.iter().map(|row| row[place]).gather();
    (0..columns).map(column).gather()
}

/// The sums to compute for one model.
#[allow(clippy::struct_excessive_bools)] // one for each kernel
struct Model<'a> {
    order: &'a Order,
    table: &'a ScoreTable,
    /// The number of rows predicted positive at the threshold.
    predicted: usize,
    /// The Brier score and the logarithmic loss of a negative and a positive row of each tie, if an
    /// index needs them.
    losses: [Vec<[f64; 2]>; 2],
    are_probabilities: bool,
    wants_pairs: bool,
    wants_precision: bool,
    wants_gap: bool,
    wants_table: bool,
}

impl<'a> Model<'a> {
    fn new(order: &'a Order, table: &'a ScoreTable, threshold: f64, readings: &[Reading]) -> Self {
        let counts = table.at(threshold, Side::GreaterEqual);
        let are_probabilities = table.are_probabilities();
        let wants = |reads| readings.contains(&Some(reads));
        let epsilon = table.kind().epsilon();
        let log = |right: f64| -ln_normal(right.clamp(epsilon, 1.0 - epsilon));
        let losses = |wanted: bool, loss: &dyn Fn(f64) -> [f64; 2]| {
            let scores = order.scores();
            if wanted && are_probabilities { scores.map(loss).gather() } else { Vec::new() }
        };
        Self {
            order,
            table,
            predicted: (counts.tp + counts.fp) as usize,
            losses: [
                losses(wants(Reads::Brier), &|score| {
                    [score * score, (1.0 - score) * (1.0 - score)]
                }),
                losses(wants(Reads::LogLoss), &|score| [log(1.0 - score), log(score)]),
            ],
            are_probabilities,
            wants_pairs: wants(Reads::Area) || wants(Reads::Gini),
            wants_precision: wants(Reads::AveragePrecision),
            wants_gap: wants(Reads::Gap),
            wants_table: readings.iter().flatten().any(|reads| !is_summed(*reads)),
        }
    }
}

/// Whether it is summed in the one pass over the draws.
fn is_summed(reads: Reads) -> bool {
    use Reads::{Area, AveragePrecision, Brier, Gap, Gini, LogLoss};
    matches!(reads, Area | Gini | Gap | AveragePrecision | Brier | LogLoss)
}

/// Sums of 16 replicates.
#[derive(Clone, Debug, Default)]
struct Sums {
    totals: Totals,
    /// Twice the number of pairs in order.
    pairs: [u64; LANES],
    precision: Lanes,
    losses: [Lanes; 2],
    gap: [Lanes; 2],
    predicted: Totals,
}

/// One model's rows in 16 replicates.
struct Source<'a> {
    batch: &'a Batch<'a>,
    shared: Option<&'a [Draws]>,
    model: &'a Model<'a>,
    /// The draws of each class, where they are known before drawing.
    known: Option<Totals>,
}

impl Source<'_> {
    fn draw(&self, chunk: usize, to: &mut [Draws]) {
        match (self.shared, self.model.order.units(chunk)) {
            (Some(shared), Some(units)) => {
                for (place, (to, &unit)) in to.iter_mut().zip(units).enumerate() {
                    // Rows with neighbouring scores lie anywhere in the file.
                    let later = units[(place + AHEAD).min(units.len() - 1)];
                    prefetch_read(&raw const shared[later as usize]);
                    *to = shared[unit as usize];
                }
            }
            (Some(shared), None) => to.copy_from_slice(&shared[chunk * ROWS..][..to.len()]),
            (None, _) => self.batch.draw(chunk, to),
        }
    }

    /// Hands the draws and flags of each chunk to `take`.
    fn each_chunk(&self, mut take: impl FnMut(usize, &[Draws], &[u8])) {
        let order = self.model.order;
        let mut draws = vec![[0; LANES]; ROWS.min(order.len())];
        for chunk in 0..order.chunks() {
            let flags = order.chunk(chunk);
            let draws = &mut draws[..flags.len()];
            self.draw(chunk, draws);
            take(chunk, draws, flags);
        }
    }

    fn totals(&self) -> Totals {
        self.known.unwrap_or_else(|| {
            let mut totals = Totals::default();
            self.each_chunk(|_, draws, flags| add(&mut totals, &class_totals(draws, flags)));
            totals
        })
    }

    fn sums(&self) -> Sums {
        let model = self.model;
        let mut sums = Sums::default();
        let sizes = if model.wants_gap {
            self.totals().map(|class| class.map(|draws| draws as f64))
        } else {
            [[0.0; LANES]; 2]
        };
        let mut before = Before::default();
        self.each_chunk(|chunk, draws, flags| {
            let order = model.order;
            let known = self.known.and_then(|_| self.batch.chunk_totals(chunk));
            let known = known.filter(|_| order.units(chunk).is_none());
            let totals = known.map_or_else(|| class_totals(draws, flags), |known| *known);
            if model.wants_pairs {
                let runs_on = order.runs_on(chunk);
                add_pairs(draws, flags, &before, runs_on, &mut sums.pairs);
            }
            if model.wants_precision {
                add_precision(draws, flags, &before, &mut sums.precision);
            }
            for (losses, sum) in model.losses.iter().zip(&mut sums.losses) {
                if !losses.is_empty() {
                    let losses = &losses[order.first_tie(chunk)..];
                    add_losses(draws, flags, &before, losses, sum);
                }
            }
            if model.wants_gap {
                add_gap(draws, flags, &before, &totals, &sizes, &mut sums.gap);
            }
            let predicted = model.predicted.saturating_sub(chunk * ROWS).min(flags.len());
            if predicted == flags.len() {
                add(&mut sums.predicted, &totals);
            } else if predicted > 0 {
                let part = class_totals(&draws[..predicted], &flags[..predicted]);
                add(&mut sums.predicted, &part);
            }
            before = before.after(draws, flags, &totals);
        });
        sums.totals = before.drawn;
        sums
    }

    /// The values of the first `number` replicates, and their counts at the threshold.
    fn values(
        &self,
        indices: &[&'static Index],
        readings: &[Reading],
        number: usize,
    ) -> Result<(Vec<Vec<f64>>, Vec<BinaryCounts>)> {
        let sums = self.sums();
        let [negatives, positives] = sums.totals.map(|class| class.map(|draws| draws as f64));
        let counts = (0..number).map(|lane| {
            let [fp, tp] = sums.predicted.map(|class| class[lane] as f64);
            BinaryCounts { tp, fp, fn_: positives[lane] - tp, tn: negatives[lane] - fp }
        });
        let draws = self.model.wants_table.then(|| {
            let mut all = Vec::new();
            all.make_room(self.model.order.len());
            self.each_chunk(|_, draws, _| all.grow_by(draws));
            all
        });
        let mut values: Vec<Vec<f64>> = indices.iter().map(|_| Vec::new()).gather();
        for lane in 0..number {
            let (p, n) = (positives[lane], negatives[lane]);
            let have_both = p > 0.0 && n > 0.0;
            let when = |is_defined: bool, value: f64| if is_defined { value } else { f64::NAN };
            let loss = |place: usize| {
                let is_defined = self.model.are_probabilities && p + n > 0.0;
                when(is_defined, (sums.losses[place][lane] / (p + n)).max(0.0))
            };
            let ranking = draws
                .as_ref()
                .map(|draws| Ranking::from(self.model.order.table(draws, lane, self.model.table)));
            for ((row, reading), to) in indices.iter().zip(readings).zip(&mut values) {
                let pairs = sums.pairs[lane] as f64;
                to.grow(match reading {
                    Some(Reads::Area) => when(have_both, pairs / (2.0 * p * n)),
                    Some(Reads::Gini) => when(have_both, (pairs - p * n) / (p * n)),
                    Some(Reads::AveragePrecision) => {
                        when(p > 0.0, (sums.precision[lane] / p).min(1.0))
                    }
                    Some(Reads::Gap) => {
                        let [least, greatest] = sums.gap.map(|gap| gap[lane]);
                        when(have_both, greatest.max(-least) / (p * n))
                    }
                    Some(Reads::Brier) => loss(0),
                    Some(Reads::LogLoss) => loss(1),
                    None => 0.0, // filled in later
                    Some(_) => match &ranking {
                        Some(table) => defined(row.of_scores(table, &Parameters::defaults(row))?),
                        None => f64::NAN,
                    },
                });
            }
        }
        Ok((values, counts.gather()))
    }
}
