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

use crate::base::error::{Refusal, Result};
use crate::base::memory::{CopyAll, Gather, Room};
use crate::base::threads::over_parts;
use crate::base::wide::prefetch_read;
use crate::index::best::{Goal, Ties, best};
use crate::index::form::Reads;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::Base;
use crate::index::tables::{TABLES_AT_A_TIME, Tables};
use crate::index::value::Value;
use crate::inference::bootstrap::cells::CellSampler;
use crate::inference::bootstrap::draws::{
    Batch, Draws, LANES, ROWS, Resample, Sampler, Totals, add, class_totals,
};
use crate::inference::bootstrap::order::Order;
use crate::inference::bootstrap::scan::{
    Before, Lanes, add_gap, add_losses, add_pairs, add_precision,
};
use crate::inference::effective::Reading as MatrixReading;
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

/// An index that is read of every replicate.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The index.
    pub row: &'static Index,
    /// Its parameters.
    pub parameters: Parameters,
    /// Of an index of counts, the place of its threshold.
    pub place: usize,
}

impl Wanted {
    /// The value of a table; of an index of counts, that at its threshold.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub fn of_ranking(&self, ranking: &Ranking, cuts: &[usize]) -> Result<Value> {
        if Plan::is_of_counts(self.row) {
            let counts = ranking.counts_of_first(cuts[self.place]);
            return self.row.of_counts(&counts, &self.parameters);
        }
        self.row.of_scores(ranking, &self.parameters)
    }
}

/// Where indices of counts are read: rows with at least this score are predicted positive.
#[derive(Clone, Debug)]
pub enum At {
    /// At each of these thresholds.
    Thresholds(Vec<f64>),
    /// At the threshold of the rows where an index is best.
    Best(&'static Index, Goal),
}

/// The options of the bootstrap.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is read of every replicate.
    pub wanted: Vec<Wanted>,
    /// Where indices of counts are read.
    pub at: At,
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
    /// For each threshold the 2×2 tables of the replicates, if an index reads counts.
    pub counts: Vec<Vec<BinaryCounts>>,
    /// For each index, by how much its value is too good because the threshold was chosen on the
    /// same rows: the mean of its value in a replicate, at the threshold that is best there, minus
    /// its value in all rows at that threshold (Efron 1983, doi:10.2307/2288636). Empty for given
    /// thresholds.
    pub optimism: Vec<f64>,
}

/// What one replicate gives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// The indices of scores; 0 for an index of counts.
    pub values: Vec<f64>,
    /// The counts at each threshold.
    pub counts: Vec<BinaryCounts>,
    /// The counts at the threshold that is best in the replicate: of the replicate, of all rows.
    pub anew: Option<[BinaryCounts; 2]>,
}

/// What an index reads of a replicate's ranking; none for an index of the counts at the threshold.
type Reading = Option<Reads>;

impl Plan {
    /// Whether an index reads the counts at the threshold.
    pub fn is_of_counts(row: &Index) -> bool {
        row.reads().is_none()
    }

    fn readings(&self) -> Vec<Reading> {
        self.wanted.iter().map(|wanted| wanted.row.reads()).gather()
    }

    /// How many distinct scores are predicted positive at each threshold.
    ///
    /// # Errors
    /// As [`best`].
    pub fn cuts(&self, table: &ScoreTable) -> Result<Vec<usize>> {
        match &self.at {
            At::Thresholds(thresholds) => {
                let cut = |&threshold| table.reached(threshold, Side::GreaterEqual);
                Ok(thresholds.iter().map(cut).gather())
            }
            &At::Best(row, goal) => {
                let defaults = Parameters::defaults(row);
                let found = best(table, row, &defaults, goal, None, Ties::Lowest)?;
                Ok(vec![found.map_or(0, |found| found.predicted[0])])
            }
        }
    }

    /// The counts of a replicate at the threshold that is best there, and of all rows at that
    /// threshold; `None` for given thresholds.
    pub(crate) fn anew(
        &self,
        replicate: &ScoreTable,
        all: &ScoreTable,
    ) -> Result<Option<[BinaryCounts; 2]>> {
        if matches!(self.at, At::Thresholds(_)) {
            return Ok(None);
        }
        let own = self.cuts(replicate)?[0];
        let of_all = all.counts_of_first(reached(all, replicate, own));
        Ok(Some([replicate.counts_of_first(own), of_all]))
    }

    /// The lists of all replicates.
    pub(crate) fn gathered(&self, each: &[Drawn]) -> Result<Replicates> {
        let mut found = Replicates::default();
        for place in 0..self.wanted.len() {
            found.values.grow(each.iter().map(|one| one.values[place]).gather());
        }
        if self.readings().contains(&None) {
            let places = each.first().map_or(0, |one| one.counts.len());
            for place in 0..places {
                let counts: Vec<BinaryCounts> = each.iter().map(|one| one.counts[place]).gather();
                self.fill_tables(place, &counts, &mut found.values)?;
                found.counts.grow(counts);
            }
        }
        if matches!(self.at, At::Best(..)) {
            let [own, all] = [0, 1].map(|of| {
                self.of_tables(each.iter().filter_map(|one| one.anew).map(|both| both[of]).gather())
            });
            let (own, all) = (own?.values, all?.values);
            found.optimism = own.iter().zip(&all).map(|(own, all)| mean_gain(own, all)).gather();
        }
        Ok(found)
    }

    /// Fills in the indices of the 2×2 tables at a threshold, one table for each replicate.
    fn fill_tables(
        &self,
        place: usize,
        counts: &[BinaryCounts],
        values: &mut [Vec<f64>],
    ) -> Result<()> {
        for start in (0..counts.len()).step_by(TABLES_AT_A_TIME) {
            let end = counts.len().min(start + TABLES_AT_A_TIME);
            // One block of tables stays in cache while each index reads it.
            let tables = Tables::new(&counts[start..end]);
            for (wanted, values) in self.wanted.iter().zip(&mut *values) {
                if wanted.place == place && Self::is_of_counts(wanted.row) {
                    let to = &mut values[start..end];
                    wanted.row.fill_defined(tables, &wanted.parameters, to)?;
                }
            }
        }
        Ok(())
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

    pub(crate) fn sampler(&self, flags: Vec<u8>) -> Sampler {
        Sampler::new(self.seed, flags, self.resample, self.is_stratified)
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
        let parts = over_parts(self.replicates.div_ceil(LANES).saturating_mul(step), |part| {
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

    /// The indices of a matrix: of all of it, its positive class, or averages over the classes.
    ///
    /// # Errors
    /// A matrix of weights, and an index that matrices do not have.
    pub fn of_matrix(
        &self,
        matrix: &ConfusionMatrix,
        reading: MatrixReading<'_>,
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
        if let MatrixReading::Overall(Some(positive)) = reading
            && classes == 2
            && self.wanted.iter().all(|wanted| wanted.parameters.matrix().is_none())
        {
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
        let each = self.over_replicates(counts.len() * (1 + self.wanted.len()), |replicate| {
            let drawn = sampler.draw(replicate, counts, &strata);
            let rows = drawn.iter().sum();
            let replicate = ConfusionMatrix::without_zeros(
                matrix.labels().clone(),
                rows,
                matrix.pattern().clone(),
                CellMasses::Counts(drawn),
            );
            let view = replicate.view();
            let value = |wanted: &Wanted| {
                wanted.row.of_reading(&view, reading, &wanted.parameters).map(defined)
            };
            let values = self.wanted.iter().map(value).gather_all::<f64, Refusal>()?;
            Ok(Drawn { values, ..Drawn::default() })
        })?;
        self.gathered(&each)
    }

    /// The indices of 2×2 tables, one for each replicate.
    ///
    /// # Errors
    /// An index that tables do not have.
    pub fn of_tables(&self, counts: Vec<BinaryCounts>) -> Result<Replicates> {
        let mut values = self.wanted.iter().map(|_| vec![0.0; counts.len()]).gather();
        self.fill_tables(0, &counts, &mut values)?;
        Ok(Replicates { values, counts: vec![counts], optimism: Vec::new() })
    }

    /// The indices of a score table, and of counts at the thresholds.
    ///
    /// # Errors
    /// A table of weights, and an index that is neither of scores nor of counts.
    pub fn of_scores(&self, ranking: &Ranking) -> Result<Replicates> {
        if ranking.is_weighted() {
            return Err(weighted());
        }
        let is_given = matches!(self.at, At::Thresholds(_));
        if is_given && self.readings().iter().all(Option::is_none) {
            return self.of_bands(ranking);
        }
        if Self::draws_cells(ranking) {
            return self.of_ties(ranking);
        }
        let order = Order::of_table(ranking);
        let sampler = self.sampler(order.flags().copy_all());
        let mut each = self.of_rows(&sampler, &[(&order, ranking)], true)?;
        Ok(each.remove(0))
    }

    /// The indices of counts at the thresholds, from draws over the bands of scores between them.
    fn of_bands(&self, table: &ScoreTable) -> Result<Replicates> {
        let cuts = self.cuts(table)?;
        let mut ends = cuts.copy_all();
        ends.sort_unstable();
        ends.dedup();
        ends.grow(table.len());
        let bands = ends.len();
        let mut cells = vec![0; 2 * bands]; // of each class from the lowest scores up
        let mut before = (0.0, 0.0);
        for (band, &end) in ends.iter().enumerate() {
            let (tp, fp) = table.at_or_above(end);
            cells[bands - 1 - band] = (fp - before.1) as u64;
            cells[2 * bands - 1 - band] = (tp - before.0) as u64;
            before = (tp, fp);
        }
        let strata = if self.is_stratified { vec![bands; 2] } else { vec![2 * bands] };
        let sampler = self.cells();
        let each = self.over_replicates(2 * cells.len(), |replicate| {
            let drawn = sampler.draw(replicate, &cells, &strata);
            let (negatives, positives) = drawn.split_at(bands);
            let counts = cuts.iter().map(|cut| {
                let below = bands - ends.partition_point(|end| end <= cut);
                let parts = |drawn: &[u64]| {
                    let (below, above) = drawn.split_at(below);
                    [below, above].map(|part| part.iter().sum::<u64>() as f64)
                };
                let ([tn, fp], [fn_, tp]) = (parts(negatives), parts(positives));
                BinaryCounts { tp, fp, fn_, tn }
            });
            let values = vec![0.0; self.wanted.len()];
            Ok(Drawn { values, counts: counts.gather(), anew: None })
        })?;
        self.gathered(&each)
    }

    /// The indices of a score table from draws over its cells.
    fn of_ties(&self, ranking: &Ranking) -> Result<Replicates> {
        let sampler = self.cells();
        let work = ranking.len() * (20 + 10 * self.wanted.len());
        let cuts = self.cuts(ranking)?;
        let each = self.over_replicates(work, |replicate| {
            let table = sampler.table(replicate, ranking, self.is_stratified);
            self.drawn(&Ranking::from(table), ranking, &cuts)
        })?;
        self.gathered(&each)
    }

    /// What a replicate gives, from its table; `all` has all rows, and `cuts` are its own.
    pub(crate) fn drawn(&self, table: &Ranking, all: &ScoreTable, cuts: &[usize]) -> Result<Drawn> {
        let counts = cuts.iter().map(|&cut| table.counts_of_first(reached(table, all, cut)));
        let value = |wanted: &Wanted| {
            if Self::is_of_counts(wanted.row) {
                return Ok(0.0); // filled in later
            }
            Ok(defined(wanted.row.of_scores(table, &wanted.parameters)?))
        };
        Ok(Drawn {
            values: self.wanted.iter().map(value).gather_all::<f64, Refusal>()?,
            counts: counts.gather(),
            anew: self.anew(table, all)?,
        })
    }

    /// The indices of several models on the same units, each model with its order of the rows. The
    /// replicates are shared. `knows_classes` says that the units are rows with their classes.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub(crate) fn of_rows<'a>(
        &self,
        sampler: &Sampler,
        models: &[(&'a Order, &'a Ranking)],
        knows_classes: bool,
    ) -> Result<Vec<Replicates>> {
        let readings = self.readings();
        for wanted in &self.wanted {
            if Self::is_of_counts(wanted.row) {
                // A wrong index is refused before anything is drawn.
                wanted.row.of_counts(&BinaryCounts::default(), &wanted.parameters)?;
            }
        }
        let model = |&(order, ranking): &(_, &'a Ranking)| -> Result<Model> {
            Ok(Model::new(order, ranking, &self.cuts(ranking)?, &readings))
        };
        let models: Vec<Model> = models.iter().map(model).gather_all()?;
        let is_shared =
            models.len() > 1 || models.iter().any(|model: &Model| model.order.units(0).is_some());
        let rows: usize = models.iter().map(|model| model.order.len()).sum();
        let each = self.over_batches(rows + sampler.len(), |batch| {
            let number = self.lanes(batch);
            let shared = is_shared.then(|| sampler.all_draws(batch));
            let batch = sampler.batch(batch);
            let of_model = |model: &Model| {
                let source = Source {
                    batch: &batch,
                    shared: shared.as_deref(),
                    model,
                    known: batch.totals().filter(|_| knows_classes),
                };
                source.values(self, &readings, number)
            };
            models.iter().map(of_model).gather_all::<Vec<Drawn>, Refusal>()
        })?;
        self.gathered_models(each, models.len())
    }

    /// The lists of each model, from the replicates of each in every batch.
    pub(crate) fn gathered_models(
        &self,
        batches: Vec<Vec<Vec<Drawn>>>,
        models: usize,
    ) -> Result<Vec<Replicates>> {
        let mut each: Vec<Vec<Drawn>> = (0..models).map(|_| Vec::new()).gather();
        for batch in batches {
            for (all, own) in each.iter_mut().zip(batch) {
                all.grow_with(own);
            }
        }
        each.iter().map(|all| self.gathered(all)).gather_all()
    }
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

/// How many distinct scores of a table are at or above the first `cut` of another table.
fn reached(table: &ScoreTable, of: &ScoreTable, cut: usize) -> usize {
    cut.checked_sub(1).map_or(0, |last| {
        let least = of.keys().get(last);
        table.first_where(|place| place == table.len() || table.keys().get(place) < least)
    })
}

/// The mean of the differences that are defined; NaN without one.
fn mean_gain(own: &[f64], all: &[f64]) -> f64 {
    let (mut sum, mut number) = (0.0, 0.0);
    for gain in own.iter().zip(all).map(|(own, all)| own - all).filter(|gain| !gain.is_nan()) {
        sum += gain;
        number += 1.0;
    }
    sum / number
}

/// The sums to compute for one model.
#[allow(clippy::struct_excessive_bools)] // one for each kernel
struct Model<'a> {
    order: &'a Order,
    table: &'a ScoreTable,
    /// The number of rows predicted positive at each threshold.
    predicted: Vec<usize>,
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
    fn new(order: &'a Order, table: &'a ScoreTable, cuts: &[usize], readings: &[Reading]) -> Self {
        let rows = |&cut: &usize| {
            let (tp, fp) = table.at_or_above(cut);
            (tp + fp) as usize
        };
        let are_probabilities = table.are_probabilities();
        let wants = |reads| readings.contains(&Some(reads));
        let losses = |(reads, base): (Reads, Base)| {
            let loss = |score: f64| {
                let [positive, negative] = base.losses(score, table.kind().epsilon());
                [negative, positive]
            };
            let is_wanted = wants(reads) && are_probabilities;
            if is_wanted { order.scores().map(loss).gather() } else { Vec::new() }
        };
        Self {
            order,
            table,
            predicted: cuts.iter().map(rows).gather(),
            losses: [(Reads::Brier, Base::Brier), (Reads::LogLoss, Base::LogLoss)].map(losses),
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
    predicted: Vec<Totals>,
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
        sums.predicted.grow_to(model.predicted.len(), Totals::default());
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
            for (&predicted, sum) in model.predicted.iter().zip(&mut sums.predicted) {
                let predicted = predicted.saturating_sub(chunk * ROWS).min(flags.len());
                if predicted == flags.len() {
                    add(sum, &totals);
                } else if predicted > 0 {
                    add(sum, &class_totals(&draws[..predicted], &flags[..predicted]));
                }
            }
            before = before.after(draws, flags, &totals);
        });
        sums.totals = before.drawn;
        sums
    }

    /// What the first `number` replicates give.
    fn values(&self, plan: &Plan, readings: &[Reading], number: usize) -> Result<Vec<Drawn>> {
        let sums = self.sums();
        let [negatives, positives] = sums.totals.map(|class| class.map(|draws| draws as f64));
        let wants_table = self.model.wants_table || matches!(plan.at, At::Best(..));
        let draws = wants_table.then(|| {
            let mut all = Vec::new();
            all.make_room(self.model.order.len());
            self.each_chunk(|_, draws, _| all.grow_by(draws));
            all
        });
        let of_lane = |lane: usize| {
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
            let pairs = sums.pairs[lane] as f64;
            let value = |(wanted, reading): (&Wanted, &Reading)| {
                Ok(match reading {
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
                        Some(table) => defined(wanted.row.of_scores(table, &wanted.parameters)?),
                        None => f64::NAN,
                    },
                })
            };
            let counts = sums.predicted.iter().map(|predicted| {
                let [fp, tp] = predicted.map(|class| class[lane] as f64);
                BinaryCounts { tp, fp, fn_: p - tp, tn: n - fp }
            });
            let each = plan.wanted.iter().zip(readings);
            Ok(Drawn {
                values: each.map(value).gather_all::<f64, Refusal>()?,
                counts: counts.gather(),
                anew: match &ranking {
                    Some(replicate) => plan.anew(replicate, self.model.table)?,
                    None => None,
                },
            })
        };
        (0..number).map(of_lane).gather_all()
    }
}
