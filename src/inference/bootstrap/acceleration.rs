//! The acceleration of BCa from the influences of rows: a = Σ φ³ / (6 (Σ φ²)^1.5).
//!
//! The influences come from the slopes of an index over its cells, or from those of a score table
//! ([`crate::inference::influence`]). So no row is left out to see what it changes.
//!
//! 1. Influences are centred: within each class if resamples keep the sizes of the classes.
//! 2. Those of the rows of a cluster are added up, and a cluster counts as one row.
//!
//! Source: Efron 1987, doi:10.1080/01621459.1987.10478410.

use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::inference::bootstrap::replicates::Plan;
use crate::labels::view::MatrixView;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Side;

/// Sums of powers of influences: how many, φ, φ², φ³.
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
        [
            two - mean * one,
            three - 3.0 * mean * two + 2.0 * mean * mean * one,
        ]
    }
}

/// The acceleration from powers of each stratum; none where no row has influence.
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

impl Plan {
    /// The acceleration of an index of a matrix; none if the influence of its cells is not known.
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
        let classes = if self.is_stratified {
            view.classes()
        } else {
            1
        };
        let mut strata = vec![Powers::default(); classes];
        for (cell, &slope) in view.cells.iter().zip(&found.slopes) {
            let stratum = if self.is_stratified {
                cell.actual as usize
            } else {
                0
            };
            strata[stratum].add(cell.amount, slope);
        }
        Ok(of_powers(&strata))
    }

    /// The acceleration of an index of a score table, or of counts at the threshold; none if the
    /// influence of its rows is not known.
    ///
    /// # Errors
    /// An index that is neither of scores nor of counts.
    pub fn acceleration_of_scores(&self, row: &Index, ranking: &Ranking) -> Result<Option<f64>> {
        if Self::is_of_counts(row) {
            let counts = ranking.at(self.threshold, Side::GreaterEqual);
            let view = MatrixView::of_binary(&counts);
            return self.acceleration_of_matrix(row, &view, Some(1));
        }
        let Some(influence) = row.influence() else {
            return Ok(None);
        };
        if row
            .of_sweep(ranking, &Parameters::defaults(row))?
            .why
            .is_some()
        {
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
