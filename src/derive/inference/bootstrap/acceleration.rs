//! The acceleration of BCa from the influences of rows: a = Σ φ³ / (6 (Σ φ²)^1.5).
//!
//! The influences come from the slopes of an index over its cells, or from the influence function
//! of a score table ([`crate::inference::influence`]). So there is no jackknife.
//!
//! 1. Influences are centred: within each class if resamples keep the sizes of the classes.
//! 2. The influence of a row is multiplied by its weight. The influences of a cluster, or of a key,
//!    are added up: rows that are drawn together count as one row.
//! 3. For a difference of two models on the same rows, the influence of a row is the difference of
//!    its influences on both models.
//!
//! Source: Efron 1987, doi:10.1080/01621459.1987.10478410.

use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::inference::bootstrap::replicates::Plan;
use crate::inference::bootstrap::rows::{LoweredRows, ScoredRows};
use crate::inference::row_influence::Places;
use crate::labels::view::MatrixView;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Side;

/// Sums of powers of influences: their number, Σ φ, Σ φ², Σ φ³.
#[derive(Clone, Copy, Debug, Default)]
struct Powers([f64; 4]);

impl Powers {
    fn add(&mut self, rows: f64, influence: f64) {
        let mut power = rows;
        for sum in &mut self.0 {
            *sum += power;
            power *= influence;
        }
    }

    /// Σ (φ − mean)² and Σ (φ − mean)³.
    fn centred(self) -> [f64; 2] {
        let [rows, one, two, three] = self.0;
        if rows <= 0.0 {
            return [0.0; 2];
        }
        let mean = one / rows;
        [two - mean * one, three - 3.0 * mean * two + 2.0 * mean * mean * one]
    }
}

/// The acceleration from the powers of each stratum; `None` where no row has influence.
fn of_powers(strata: &[Powers]) -> Option<f64> {
    let (mut squares, mut cubes) = (0.0, 0.0);
    for powers in strata {
        let [square, cube] = powers.centred();
        squares += square;
        cubes += cube;
    }
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    acceleration.is_finite().then_some(acceleration)
}

/// The accelerations of the indices of several models; `None` where influences are unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accelerations {
    /// For each model, the acceleration of each index.
    pub own: Vec<Vec<Option<f64>>>,
    /// For each pair of models, the acceleration of each index of the first minus the second.
    pub pairs: Vec<(usize, usize, Vec<Option<f64>>)>,
}

/// The units that are drawn: rows, clusters or keys.
struct Units<'a> {
    /// The unit of each row, if it is not the row itself.
    codes: Option<Vec<u32>>,
    number: usize,
    /// Which units are positive, if each class keeps its size.
    classes: Option<&'a [bool]>,
}

impl<'a> Units<'a> {
    fn of(rows: &ScoredRows, are_positive: &'a [bool], is_stratified: bool) -> Self {
        let (codes, number) = match (rows.clusters, rows.keys) {
            (Some((codes, number)), _) => (Some(codes.copy_all()), number),
            (None, Some(keys)) => {
                let mut known = keys.copy_all();
                known.sort_unstable();
                known.dedup();
                let code = |key: &u64| known.partition_point(|other| other < key) as u32;
                (Some(keys.iter().map(code).gather()), known.len())
            }
            (None, None) => (None, are_positive.len()),
        };
        let classes = (is_stratified && codes.is_none()).then_some(are_positive);
        Self { codes, number, classes }
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

    fn acceleration(&self, influences: impl Iterator<Item = f64>) -> Option<f64> {
        let mut strata = [Powers::default(); 2];
        for (unit, influence) in influences.enumerate() {
            let stratum = self.classes.is_some_and(|classes| classes[unit]);
            strata[usize::from(stratum)].add(1.0, influence);
        }
        of_powers(&strata)
    }
}

impl Plan {
    /// The accelerations of indices of several models on the same rows, and of the difference of
    /// each pair of models. `tables` are the score tables of the models.
    ///
    /// # Errors
    /// As [`Plan::of_scored_rows`].
    pub fn accelerations_of_rows(
        &self,
        rows: &ScoredRows,
        tables: &[Ranking],
    ) -> Result<Accelerations> {
        let lowered = rows.lowered_all(tables)?;
        let models = lowered.len();
        let pairs = || (0..models).flat_map(|a| (a + 1..models).map(move |b| (a, b)));
        let mut found = Accelerations {
            own: vec![Vec::new(); models],
            pairs: pairs().map(|(a, b)| (a, b, Vec::new())).gather(),
        };
        let Some((_, are_positive)) = lowered.first() else {
            return Ok(found);
        };
        let units = Units::of(rows, are_positive, self.is_stratified);
        for row in &self.indices {
            let mut each: Vec<Option<Vec<f64>>> = with_room(models);
            for (lowered, table) in lowered.iter().zip(tables) {
                interrupt::check();
                let influences = self.influences_of_rows(row, table, lowered, rows)?;
                each.grow(influences.map(|influences| units.sums(influences)));
            }
            for (own, influences) in found.own.iter_mut().zip(&each) {
                let known = influences.as_ref();
                own.grow(known.and_then(|all| units.acceleration(all.iter().copied())));
            }
            for (a, b, accelerations) in &mut found.pairs {
                interrupt::check();
                let both = each[*a].as_ref().zip(each[*b].as_ref());
                accelerations.grow(both.and_then(|(first, second)| {
                    units.acceleration(first.iter().zip(second).map(|(a, b)| a - b))
                }));
            }
        }
        Ok(found)
    }

    /// The influence of each row on an index of a model; `None` if it is unknown.
    fn influences_of_rows(
        &self,
        row: &Index,
        table: &Ranking,
        (keys, are_positive): &LoweredRows,
        rows: &ScoredRows,
    ) -> Result<Option<Vec<f64>>> {
        let weight = |place: usize| rows.weights.map_or(1.0, |weights| weights.get(place));
        let each = keys.iter().zip(are_positive).enumerate();
        if Self::is_of_counts(row) {
            let counts = table.at(self.threshold, Side::GreaterEqual);
            let found = row.slopes_of_counts(&counts, &Parameters::defaults(row))?;
            let Some([tp, fp, fn_, tn]) = found.filter(|f| !f.is_kink).map(|f| f.slopes) else {
                return Ok(None);
            };
            let reached = table.reached(self.threshold, Side::GreaterEqual);
            let least = reached.checked_sub(1).map(|last| table.keys().get(last));
            let influence = |(place, (key, is_positive)): (usize, (&u64, &bool))| {
                let is_predicted = least.is_some_and(|least| *key >= least);
                let slope = match (is_positive, is_predicted) {
                    (true, true) => tp,
                    (false, true) => fp,
                    (true, false) => fn_,
                    (false, false) => tn,
                };
                weight(place) * slope
            };
            return Ok(Some(each.map(influence).gather()));
        }
        if row.influence().is_none() {
            return Ok(None);
        }
        let (value, found) = row.influences(table)?;
        if value.why.is_some() {
            return Ok(None);
        }
        let places = Places::of(table);
        let influence = |(place, (key, &is_positive)): (usize, (&u64, &bool))| {
            let side = if is_positive { &found.positive } else { &found.negative };
            weight(place) * places.number(*key, side)
        };
        Ok(Some(each.map(influence).gather()))
    }

    /// The acceleration of an index of a matrix; `None` if the influence of its cells is unknown.
    ///
    /// # Errors
    /// As [`Index::of_matrix`].
    pub fn acceleration_of_matrix(
        &self,
        row: &Index,
        view: &MatrixView,
        positive: Option<usize>,
    ) -> Result<Option<f64>> {
        let Some(found) = row.slopes_overall(view, positive, &Parameters::defaults(row))? else {
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

    /// The acceleration of an index of a score table, or of counts at the threshold; `None` if the
    /// influence of its rows is unknown.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub fn acceleration_of_scores(&self, row: &Index, ranking: &Ranking) -> Result<Option<f64>> {
        if Self::is_of_counts(row) {
            let counts = ranking.at(self.threshold, Side::GreaterEqual);
            let view = MatrixView::from_binary(&counts);
            return self.acceleration_of_matrix(row, &view, Some(1));
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
