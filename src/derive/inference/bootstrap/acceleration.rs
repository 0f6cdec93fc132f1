//! The acceleration of BCa from the influences of rows, a = Σ φ³ / (6 (Σ φ²)^1.5), and how many
//! rows tell how the value scatters, (Σ φ²)² / Σ φ⁴.
//!
//! The influences come from the slopes of an index over its cells, or from the influence function
//! of a score table ([`crate::inference::influence`]). So there is no jackknife.
//!
//! 1. Influences are centred: within each class if resamples keep the sizes of the classes.
//! 2. The influence of a row is multiplied by its weight. The influences of a cluster, or of a key,
//!    are added up: rows that are drawn together count as one row.
//!
//! Source: Efron 1987, doi:10.1080/01621459.1987.10478410.

use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::inference::bootstrap::replicates::{Plan, Wanted};
use crate::inference::bootstrap::rows::{LoweredRows, ScoredRows};
use crate::inference::effective::Reading;
use crate::inference::influence::rows_of;
use crate::inference::interval::{FEW, FEW_TELL_NOTE, telling};
use crate::inference::same_rows::row_influence::Places;
use crate::labels::view::MatrixView;
use crate::scores::ranking::Ranking;

/// What the influences of the units of resampling tell of a value.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The acceleration of BCa.
    pub acceleration: f64,
    /// How many units tell how the value scatters.
    pub telling: f64,
}

/// How many units are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// Rows, clusters or keys.
    pub units: f64,
    /// As many units of equal weight would scatter as much.
    pub effective: f64,
}

impl Drawn {
    /// Of rows that are drawn one by one.
    pub fn of_rows(rows: f64) -> Self {
        Self { units: rows, effective: rows }
    }

    /// What speaks against the interval of an area over a part of the rates of a class, of which
    /// the influence is not known: that part has fewer than 20 of the units.
    pub fn note_of_part(
        &self,
        row: &Index,
        given: &Parameters,
        table: &Ranking,
    ) -> Option<&'static str> {
        let (positives, negatives) = rows_of(table);
        let own = match row.parameters.first()?.name {
            "low_fpr" => negatives,
            "low_tpr" => positives,
            _ => return None,
        };
        let part = (given.number(1) - given.number(0)) * own / (positives + negatives);
        (part * self.effective < FEW).then_some(FEW_TELL_NOTE)
    }
}

/// Sums of powers of influences: their number, Σ φ, Σ φ², Σ φ³, Σ φ⁴.
#[derive(Clone, Copy, Debug, Default)]
struct Powers([f64; 5]);

impl Powers {
    fn add(&mut self, rows: f64, influence: f64) {
        let mut power = rows;
        for sum in &mut self.0 {
            *sum += power;
            power *= influence;
        }
    }

    /// Σ (φ − mean)², Σ (φ − mean)³ and Σ (φ − mean)⁴.
    fn centred(self) -> [f64; 3] {
        let [rows, one, two, three, four] = self.0;
        if rows <= 0.0 {
            return [0.0; 3];
        }
        let mean = one / rows;
        let cubes = three - 3.0 * mean * two + 2.0 * mean * mean * one;
        let fourths =
            four - 4.0 * mean * three + 6.0 * mean * mean * two - 3.0 * mean.powi(3) * one;
        [two - mean * one, cubes, fourths]
    }
}

/// From the powers of each stratum; `None` where no row has influence.
fn of_powers(strata: &[Powers]) -> Option<Shape> {
    let mut sums = [0.0; 3];
    for powers in strata {
        for (sum, power) in sums.iter_mut().zip(powers.centred()) {
            *sum += power;
        }
    }
    let [squares, cubes, fourths] = sums;
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    acceleration.is_finite().then(|| Shape { acceleration, telling: telling(squares, fourths) })
}

/// The units that are drawn: rows, clusters or keys.
struct Units {
    /// The unit of each row, if it is not the row itself.
    codes: Option<Vec<u32>>,
    number: usize,
    /// The stratum of each unit, if each stratum keeps its size.
    strata: Option<Vec<u32>>,
}

impl Units {
    fn of(rows: &ScoredRows, are_positive: &[bool], is_stratified: bool) -> Self {
        let (codes, number) = match (rows.clusters, rows.keys) {
            (Some((codes, number)), _) => {
                let length = rows.block.unwrap_or(1);
                let block = |&code: &u32| code / length as u32;
                (Some(codes.iter().map(block).gather()), number.div_ceil(length))
            }
            (None, Some(keys)) => {
                let mut known = keys.copy_all();
                known.sort_unstable();
                known.dedup();
                let code = |key: &u64| known.partition_point(|other| other < key) as u32;
                (Some(keys.iter().map(code).gather()), known.len())
            }
            (None, None) => (None, are_positive.len()),
        };
        let classes = || are_positive.iter().map(|&is| u32::from(is)).gather();
        let is_by_class = is_stratified && codes.is_none();
        let strata = rows.strata_of_units().or_else(|| is_by_class.then(classes));
        Self { codes, number, strata }
    }

    /// The influences of units, from the influences of their rows.
    fn sums(&self, influences: Vec<f64>) -> Vec<f64> {
        let Some(codes) = &self.codes else {
            return influences;
        };
        let mut sums = vec![0.0; self.number];
        for (&code, influence) in codes.iter().zip(influences) {
            sums[code as usize] += influence;
        }
        sums
    }

    fn shape(&self, influences: Vec<f64>) -> Option<Shape> {
        let number = self.strata.iter().flatten().max().map_or(1, |most| *most as usize + 1);
        let mut strata = vec![Powers::default(); number];
        for (unit, influence) in influences.into_iter().enumerate() {
            let stratum = self.strata.as_ref().map_or(0, |strata| strata[unit] as usize);
            strata[stratum].add(1.0, influence);
        }
        of_powers(&strata)
    }
}

impl Plan {
    /// What is drawn and, for each of several models on the same rows, the shape of each index;
    /// `None` where influences are unknown. `tables` are the score tables of the models.
    ///
    /// # Errors
    /// As [`Plan::of_scored_rows`].
    pub fn shapes_of_rows(
        &self,
        rows: &ScoredRows,
        tables: &[Ranking],
    ) -> Result<(Drawn, Vec<Vec<Option<Shape>>>)> {
        let lowered = rows.lowered_all(tables)?;
        let Some((_, are_positive)) = lowered.first() else {
            return Ok((Drawn::of_rows(0.0), Vec::new()));
        };
        let units = Units::of(rows, are_positive, self.is_stratified);
        let of_model = |(lowered, table): (&LoweredRows, &Ranking)| {
            let each = self.wanted.iter().map(|wanted| {
                interrupt::check();
                let influences = self.influences_of_rows(wanted, table, lowered, rows)?;
                Ok(influences.and_then(|influences| units.shape(units.sums(influences))))
            });
            each.gather_all::<Option<Shape>, Refusal>()
        };
        let weight = |row: usize| rows.weights.map_or(1.0, |weights| weights.get(row));
        let weights = units.sums((0..are_positive.len()).map(weight).gather());
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        let effective = weights.iter().sum::<f64>().powi(2) / squares;
        let drawn = Drawn { units: units.number as f64, effective };
        Ok((drawn, lowered.iter().zip(tables).map(of_model).gather_all()?))
    }

    /// The influence of each row on an index of a model; `None` if it is unknown.
    fn influences_of_rows(
        &self,
        Wanted { row, parameters, place }: &Wanted,
        table: &Ranking,
        (keys, are_positive): &LoweredRows,
        rows: &ScoredRows,
    ) -> Result<Option<Vec<f64>>> {
        let [negative, positive] = if Self::is_of_counts(row) {
            let reached = self.cuts(table)?[*place];
            let found = row.slopes_of_counts(&table.counts_of_first(reached), parameters)?;
            let Some([tp, fp, fn_, tn]) = found.filter(|f| !f.is_kink).map(|f| f.slopes) else {
                return Ok(None);
            };
            [(fp, tn), (tp, fn_)].map(|(above, below)| {
                let slope = |place: usize| if place < reached { above } else { below };
                (0..table.len()).map(slope).gather()
            })
        } else {
            if row.influence().is_none() {
                return Ok(None);
            }
            let (value, found) = row.influences(table)?;
            if value.why.is_some() {
                return Ok(None);
            }
            [found.negative, found.positive]
        };
        let places = Places::of(table);
        let influence = |(row, (key, &is_positive)): (usize, (&u64, &bool))| {
            let side: &[f64] = if is_positive { &positive } else { &negative };
            rows.weights.map_or(1.0, |weights| weights.get(row)) * places.number(*key, side)
        };
        Ok(Some(keys.iter().zip(are_positive).enumerate().map(influence).gather()))
    }

    /// The shape of an index of a matrix; `None` if the influence of its cells is unknown.
    ///
    /// # Errors
    /// As [`Index::of_reading`](crate::index::row::Index::of_reading).
    pub fn shape_of_matrix(
        &self,
        Wanted { row, parameters, .. }: &Wanted,
        view: &MatrixView,
        reading: Reading<'_>,
    ) -> Result<Option<Shape>> {
        let Some(found) = row.slopes_of_reading(view, reading, parameters)? else {
            return Ok(None);
        };
        if found.is_kink {
            return Ok(None);
        }
        let classes = if self.is_stratified { view.classes() } else { 1 };
        let mut strata = vec![Powers::default(); classes];
        for (cell, &slope) in view.cells.iter().zip(&found.slopes) {
            let stratum = if self.is_stratified { cell.actual as usize } else { 0 };
            strata[stratum].add(cell.mass, slope);
        }
        Ok(of_powers(&strata))
    }

    /// The shape of an index of a score table, or of counts at the threshold; `None` if the
    /// influence of its rows is unknown.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub fn shape_of_scores(&self, wanted: &Wanted, ranking: &Ranking) -> Result<Option<Shape>> {
        let row = wanted.row;
        if Self::is_of_counts(row) {
            let counts = ranking.counts_of_first(self.cuts(ranking)?[wanted.place]);
            let view = MatrixView::from_binary(&counts);
            return self.shape_of_matrix(wanted, &view, Reading::Overall(Some(1)));
        }
        let Some(influence) = row.influence() else {
            return Ok(None);
        };
        if row.of_scores(ranking, &Parameters::defaults(row))?.why.is_some() {
            return Ok(None);
        }
        let mut classes = [Powers::default(); 2];
        let second = usize::from(self.is_stratified);
        influence.each(ranking, |at| {
            classes[0].add(at.n, at.negative);
            classes[second].add(at.p, at.positive);
        });
        Ok(of_powers(&classes))
    }
}
