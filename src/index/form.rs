//! The code of a row: functions of a statistic and of what was chosen, one type for each statistic.
//!
//! A [`CountFormula`] also passes over many 2×2 tables. Its loop is compiled around each function,
//! so that the compiler makes vectors of it; both ways give the same bits.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::wide::wide;
use crate::classes::score_tables::ScoreTables;
use crate::index::parameter::Parameters;
use crate::index::value::Outcome;
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;

/// Code over one 2×2 table: any such function or closure.
pub type CountForm = &'static dyn CountFormula;
/// Code over many 2×2 tables: their values, and the number given where there is none.
pub(crate) type TablesForm = fn(&[BinaryCounts], f64, &mut [f64]);
/// Code over a K×K matrix.
pub type MatrixForm = &'static (dyn Fn(&MatrixView, &Parameters) -> Outcome + Send + Sync);
/// Code over a K×K matrix and one class.
pub type ClassForm = &'static (dyn Fn(&MatrixView, usize, &Parameters) -> Outcome + Send + Sync);
/// Code over all thresholds.
pub type SweepForm = &'static (dyn Fn(&Ranking, &Parameters) -> Outcome + Send + Sync);
/// Code over sums of probabilities.
pub type ProbabilityForm =
    &'static (dyn Fn(&ProbabilityView, &Parameters) -> Outcome + Send + Sync);

/// Code over the scores of several classes.
pub type ScoreTablesForm = &'static (dyn Fn(&ScoreTables, &Parameters) -> Outcome + Send + Sync);

/// A function of one 2×2 table that can also pass over many of them. Every function and closure of
/// this shape is one: the loop is compiled anew around each, so that the compiler makes vectors of
/// it, and both ways give the same bits.
pub trait CountFormula: Fn(&BinaryCounts, &Parameters) -> Outcome + Send + Sync {
    /// The value of every table, and `otherwise` where there is none.
    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    );
}

impl<F: Fn(&BinaryCounts, &Parameters) -> Outcome + Send + Sync> CountFormula for F {
    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    ) {
        fill_wide(self, tables, parameters, otherwise, to);
    }
}

wide! {
    fn fill_wide[F: Fn(&BinaryCounts, &Parameters) -> Outcome](
        form: &F, tables: &[BinaryCounts], parameters: &Parameters, otherwise: f64, to: &mut [f64],
    ) -> () = fill_one_by_one;
}

#[inline(always)]
fn fill_one_by_one<F: Fn(&BinaryCounts, &Parameters) -> Outcome>(
    form: &F,
    tables: &[BinaryCounts],
    parameters: &Parameters,
    otherwise: f64,
    to: &mut [f64],
) {
    for (to, table) in to.iter_mut().zip(tables) {
        *to = form(table, parameters).unwrap_or(otherwise);
    }
}

/// Makes the loop over many tables of a function of one table that is `#[inline(always)]`, compiled
/// for wide vectors.
macro_rules! over_tables {
    ($form:path) => {{
        #[inline(always)]
        #[allow(clippy::inline_always)]
        fn one_by_one(tables: &[BinaryCounts], otherwise: f64, to: &mut [f64]) {
            for (to, table) in to.iter_mut().zip(tables) {
                *to = $form(table).unwrap_or(otherwise);
            }
        }
        $crate::base::wide::wide! {
            fn fill[](tables: &[BinaryCounts], otherwise: f64, to: &mut [f64]) -> () = one_by_one;
        }
        fill
    }};
}
pub(crate) use over_tables;
