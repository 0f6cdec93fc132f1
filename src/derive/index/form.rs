//! The code of a row: functions of a statistic and of what was chosen, one [`Form`] for each
//! statistic.
//!
//! A formula of a 2×2 table is one text over any [`Number`]; `form!` makes a [`CountForm`] of it:
//!
//! - over `f64`, also over many tables: the loop is compiled around each formula, so that the
//!   compiler makes vectors of it, and both ways give the same bits;
//! - over numbers that are rounded once, for single values;
//! - over [`Traced`] numbers, which are exact, have slopes, or vary over a box.
//!
//! `form!(ln, |c, p| …)` says that the formula has logarithms: no number that is rounded once or
//! exact has those. `table_forms!(|t, p| …)` makes the forms over counts and over a matrix of one
//! text. A function over `f64` alone is a [`CountForm`] too.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::marker::PhantomData;

use crate::arith::bounded::Bounded;
use crate::arith::fraction::{Answer, Fraction};
use crate::arith::hypergeometric::expected_of_twos;
use crate::arith::nearest::Nearest;
use crate::arith::number::Number;
use crate::arith::slope::Slopes;
use crate::arith::traced::{Kind, Traced, rounded};
use crate::base::memory::Gather;
use crate::base::wide::wide;
use crate::classes::score_tables::ScoreTables;
use crate::costs::cost_table::CostView;
use crate::index::parameter::Parameters;
use crate::index::rows::matrix_sums::{ExactCells, Gathered, Over, Table};
use crate::index::value::{Outcome, Undefined};
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::queries::list::RankedList;
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

/// The code of a row over one statistic.
#[derive(Clone, Copy)]
pub enum Form {
    /// A 2×2 table: a class against the rest, a threshold, a group, a replicate.
    Counts(CountForm),
    /// A matrix: one value for all K classes.
    Matrix(MatrixForm),
    /// A class within the matrix, where its value differs from the class against the rest.
    Class(ClassForm),
    /// All thresholds of a score table, and what the formula reads of it.
    Scores(Reads, ScoresForm),
    /// The exact value over all thresholds, for an index that is a fraction.
    Exact(ExactForm),
    /// Sums over probabilities.
    Probabilities(ProbabilitiesForm),
    /// The scores of K classes.
    ScoreTables(ScoreTablesForm),
    /// The ranked list of one query.
    Queries(QueryForm),
    /// The costs of rows at one threshold.
    Costs(CostForm),
}

/// The content of the first form of a kind, if there is one.
macro_rules! first {
    ($forms:expr, $kind:ident) => {{
        let (forms, mut place) = ($forms, 0);
        loop {
            if place == forms.len() {
                break None;
            }
            if let $crate::index::form::Form::$kind(form) = forms[place] {
                break Some(form);
            }
            place += 1;
        }
    }};
}
pub(crate) use first;

/// Code over one 2×2 table.
pub type CountForm = &'static dyn CountFormula;
/// Code over a K×K matrix.
pub type MatrixForm = &'static dyn MatrixFormula;
/// Code over a K×K matrix and one class.
pub type ClassForm = &'static (dyn Fn(&MatrixView, usize, &Parameters) -> Outcome + Send + Sync);
/// Code over all thresholds.
pub type ScoresForm = &'static (dyn Fn(&Ranking, &Parameters) -> Outcome + Send + Sync);

/// What a form over scores reads. Where else it is exact follows from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The area under the ROC curve.
    Area,
    /// Twice the area under the ROC curve, minus 1.
    Gini,
    /// The widest gap between the classes.
    Gap,
    /// Average precision.
    AveragePrecision,
    /// The mean squared error.
    Brier,
    /// The mean logarithmic loss.
    LogLoss,
    /// The hull of the ROC curve.
    Hull,
    /// Pairs of a positive and a negative row.
    Pairs,
    /// Pairs of any rows.
    AllPairs,
    /// Sums over all scores.
    Sums,
    /// Sums over all ranks, which fall off at the rate of the first parameter.
    Early,
    /// The share of the rows, the first parameter, with the highest scores.
    Top,
    /// The rows with the highest scores, as many as are positive.
    FirstPositives,
    /// The greatest of running sums over all scores, or their best monotone fit.
    Extreme,
    /// Bins of the scores: how far the rows of each are from its scores.
    Bins,
    /// The table of all scores.
    Table,
}

impl Reads {
    /// Whether it is exact for counts around the scores of one class: the order of the other
    /// class's rows between two of these scores has no effect.
    pub(crate) fn is_of_anchored(self) -> bool {
        use Reads::{Area, AveragePrecision, Gap, Gini, Hull, Pairs};
        matches!(self, Area | Gini | Gap | AveragePrecision | Hull | Pairs)
    }

    /// Whether it is exact for rows beyond memory, with the default parameters. Pairs are counted
    /// only if rows have no weights.
    pub(crate) fn is_of_spilled(self, is_weighted: bool) -> bool {
        match self {
            Self::Table | Self::Bins => false,
            Self::Pairs | Self::AllPairs => !is_weighted,
            _ => true,
        }
    }

    /// What intervals of resampled rows do, where resampling moves the value to one side.
    pub fn moved_by_resampling(self) -> Option<&'static str> {
        match self {
            Self::Gap => Some(
                "A maximum over thresholds grows when rows are resampled, so these intervals cover the true value too \
                 seldom; ScoreTable.interval(\"ks\") has one that holds its level.",
            ),
            Self::Hull => Some(
                "An optimum over thresholds moves when rows are resampled, so percentile intervals lie to one side and \
                 cover the true value too seldom; method=\"normal\" takes the shift out.",
            ),
            Self::Extreme | Self::Bins => Some(
                "What bins, running sums and fits take from chance grows when rows are resampled, so percentile \
                 intervals lie to one side. method=\"normal\" takes the shift out. If the scores may be calibrated, no \
                 interval of resampled rows covers the true value: ask a test of calibration.",
            ),
            _ => None,
        }
    }
}

/// Code over sums of probabilities.
pub type ProbabilitiesForm =
    &'static (dyn Fn(&ProbabilityView, &Parameters) -> Outcome + Send + Sync);

/// A fraction from a score table; none where the index is undefined.
pub type ExactForm = fn(&ScoreTable) -> Option<Fraction>;

/// Code over the scores of several classes.
pub type ScoreTablesForm = &'static (dyn Fn(&ScoreTables, &Parameters) -> Outcome + Send + Sync);

/// Code over the ranked list of one query.
pub type QueryForm = &'static (dyn Fn(&RankedList<'_>, &Parameters) -> Outcome + Send + Sync);

/// Code over what rows cost at one threshold.
pub type CostForm = &'static dyn CostFormula;

/// The code of a row over costs: what [`CountFormula`] is over tables.
pub trait CostFormula: Send + Sync {
    /// The value in `f64`.
    ///
    /// # Errors
    /// Why there is none.
    fn value(&self, costs: &CostView) -> Outcome;

    /// Replaces the cost at each of many thresholds by the value in `f64`; `otherwise` where it is
    /// undefined.
    fn fill(&self, all: &CostView, otherwise: f64, costs: &mut [f64]);

    /// The exact value; none if it is no root of a fraction.
    fn exact(&self, costs: &CostView<Fraction>) -> Option<Outcome<Answer>>;

    /// The slopes over the rows, the cost, and the costs of predicting always and never.
    ///
    /// # Errors
    /// Why there are none.
    fn slopes(&self, costs: &CostView) -> Outcome<Slopes>;
}

/// A formula of costs over any number.
pub(crate) trait FormulaOfCosts: Send + Sync {
    /// The value at one threshold.
    fn over<N: Number>(costs: &CostView<N>) -> Outcome<N>;
}

impl<F: FormulaOfCosts> CostFormula for AnyNumber<F> {
    fn value(&self, costs: &CostView) -> Outcome {
        F::over(costs)
    }

    fn fill(&self, all: &CostView, otherwise: f64, costs: &mut [f64]) {
        for cost in costs {
            *cost = F::over(&CostView { cost: *cost, ..*all }).unwrap_or(otherwise);
        }
    }

    fn exact(&self, costs: &CostView<Fraction>) -> Option<Outcome<Answer>> {
        Traced::exactly(&|| Some(F::over(&costs.clone().map(Traced::from_fraction))))
    }

    fn slopes(&self, costs: &CostView) -> Outcome<Slopes> {
        let found =
            Traced::with_slopes(&[costs.rows, costs.cost, costs.always, costs.never], &|cells| {
                let &[rows, cost, always, never] = cells else { return None };
                Some(F::over(&CostView { rows, cost, always, never }))
            });
        found.transpose()?.flatten().ok_or(Undefined::NoSlope)
    }
}

/// A formula of costs `|v| …` over any [`Number`] as the code of a row.
macro_rules! cost_form {
    (|$costs:pat_param| $value:expr) => {{
        struct Row;
        impl $crate::index::form::FormulaOfCosts for Row {
            fn over<N: $crate::arith::number::Number>(
                $costs: &$crate::costs::cost_table::CostView<N>,
            ) -> $crate::index::value::Outcome<N> {
                $value
            }
        }
        $crate::index::form::Form::Costs(&$crate::index::form::AnyNumber::<Row>(
            std::marker::PhantomData,
        ))
    }};
}
pub(crate) use cost_form;

/// The code of a row over 2×2 tables.
pub trait CountFormula: Send + Sync {
    /// The value of one table in `f64`.
    ///
    /// # Errors
    /// Why there is none.
    fn value(&self, table: &BinaryCounts, parameters: &Parameters) -> Outcome;

    /// The value of every table in `f64`, and `otherwise` where there is none.
    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    );

    /// Whether single values are rounded once.
    fn rounds_once(&self) -> bool {
        false
    }

    /// The value over numbers that are rounded once; none if there is none.
    fn nearest(
        &self,
        table: &BinaryCounts<Nearest>,
        parameters: &Parameters,
    ) -> Option<Outcome<Nearest>> {
        let _ = (table, parameters);
        None
    }

    /// The value in the evaluation that is under way; none if the formula is not over its numbers.
    fn traced(
        &self,
        table: &BinaryCounts<Traced>,
        parameters: &Parameters,
    ) -> Option<Outcome<Traced>> {
        let _ = (table, parameters);
        None
    }
}

impl dyn CountFormula {
    /// The value rounded once; none if the formula is over `f64` alone, or if it could not be
    /// settled.
    pub fn rounded(
        &self,
        table: &BinaryCounts<Nearest>,
        parameters: &Parameters,
    ) -> Option<Outcome> {
        let found = self.nearest(table, parameters)?;
        rounded(found, &|| self.traced(&table.map(Traced::from_nearest), parameters))
    }

    /// The exact value; none if the formula has logarithms or is over `f64` alone, or if it is no
    /// root of a fraction.
    pub fn exact(
        &self,
        table: &dyn Fn() -> BinaryCounts<Traced>,
        parameters: &Parameters,
    ) -> Option<Outcome<Answer>> {
        Traced::exactly(&|| self.traced(&table(), parameters))
    }

    /// The value and its slopes over (tp, fp, fn, tn); none if the formula is over `f64` alone.
    pub fn slopes(&self, table: &BinaryCounts, parameters: &Parameters) -> Option<OfCounts> {
        let BinaryCounts { tp, fp, fn_, tn } = *table;
        let found = Traced::with_slopes(&[tp, fp, fn_, tn], &|cells| {
            let table = BinaryCounts { tp: cells[0], fp: cells[1], fn_: cells[2], tn: cells[3] };
            self.traced(&table, parameters)
        })?;
        Some(found.map(|found| found.map(Slopes::of_table)))
    }

    /// The value over a box of tables; none if the formula is over `f64` alone.
    pub fn over_box(
        &self,
        table: &BinaryCounts<Bounded>,
        parameters: &Parameters,
    ) -> Option<Outcome<Bounded>> {
        Traced::over_box(&|| self.traced(&table.map(Traced::from_bounded), parameters))
    }
}

impl<F: Fn(&BinaryCounts, &Parameters) -> Outcome + Send + Sync> CountFormula for F {
    #[inline(always)]
    fn value(&self, table: &BinaryCounts, parameters: &Parameters) -> Outcome {
        self(table, parameters)
    }

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

/// The code of a row over matrices: what [`CountFormula`] is over tables.
pub trait MatrixFormula: Send + Sync {
    /// The value in `f64`.
    ///
    /// # Errors
    /// Why there is none.
    fn value(&self, matrix: &MatrixView, parameters: &Parameters) -> Outcome;

    /// The value over numbers that are rounded once; none if there is none.
    fn nearest(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<Outcome<Nearest>> {
        let _ = (matrix, parameters);
        None
    }

    /// The same over exact numbers.
    fn again(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<Outcome<Traced>> {
        let _ = (matrix, parameters);
        None
    }

    /// The value in the evaluation that is under way; none if the formula is not over its numbers.
    fn traced(&self, matrix: &Gathered, parameters: &Parameters) -> Option<Outcome<Traced>> {
        let _ = (matrix, parameters);
        None
    }
}

impl dyn MatrixFormula {
    /// The value rounded once; none if the formula is over `f64` alone, or if it could not be
    /// settled.
    pub fn rounded(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<Outcome> {
        if !matrix.is_computed_exactly() {
            return None;
        }
        rounded(self.nearest(matrix, parameters)?, &|| self.again(matrix, parameters))
    }

    /// The exact value; none if the formula has logarithms or is over `f64` alone, or if it is no
    /// root of a fraction.
    pub fn exact(&self, matrix: &ExactCells, parameters: &Parameters) -> Option<Outcome<Answer>> {
        Traced::exactly(&|| self.traced(&Gathered::exactly(matrix), parameters))
    }

    /// The value and its slopes over the cells that are not empty; none if the formula is over
    /// `f64` alone.
    pub fn slopes(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<OfMatrix> {
        let masses: Vec<f64> = matrix.cells.iter().map(|cell| cell.mass).gather();
        Traced::with_slopes(&masses, &|cells| {
            let cells = matrix
                .cells
                .iter()
                .zip(cells)
                .map(|(cell, &mass)| (cell.actual as usize, cell.predicted as usize, mass));
            self.traced(&Gathered::of(matrix.classes(), cells.gather()), parameters)
        })
    }

    /// The value over a box of matrices of two classes; none if the formula has logarithms or is
    /// over `f64` alone.
    pub fn over_box(
        &self,
        table: &BinaryCounts<Bounded>,
        parameters: &Parameters,
    ) -> Option<Outcome<Bounded>> {
        Traced::over_box(&|| {
            let BinaryCounts { tp, fp, fn_, tn } = table.map(Traced::from_bounded);
            let cells = [(0, 0, tn), (0, 1, fp), (1, 0, fn_), (1, 1, tp)];
            self.traced(&Gathered::of(2, cells.into_iter().gather()), parameters)
        })
    }
}

/// Slopes of a 2×2 table over (tp, fp, fn, tn); none inside where one is infinite.
pub type OfCounts = Outcome<Option<Slopes<[f64; 4]>>>;

/// Slopes of a matrix over its cells that are not empty, in the view's order; none inside where one
/// is infinite.
pub type OfMatrix = Outcome<Option<Slopes>>;

impl<F: Fn(&MatrixView, &Parameters) -> Outcome + Send + Sync> MatrixFormula for F {
    fn value(&self, matrix: &MatrixView, parameters: &Parameters) -> Outcome {
        self(matrix, parameters)
    }
}

/// A formula of a matrix over any number.
pub(crate) trait FormulaOfMatrix: Send + Sync {
    /// As for a [`Formula`].
    const LN: bool;
    /// The value of a matrix.
    fn over<N: Number>(matrix: &impl Table<N>, parameters: &Parameters) -> Outcome<N>;
}

impl<F: FormulaOfMatrix> MatrixFormula for AnyNumber<F> {
    fn value(&self, matrix: &MatrixView, parameters: &Parameters) -> Outcome {
        F::over::<f64>(matrix, parameters)
    }

    fn nearest(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<Outcome<Nearest>> {
        if F::LN { None } else { Some(F::over(&Over::<Nearest>::new(matrix), parameters)) }
    }

    fn again(&self, matrix: &MatrixView, parameters: &Parameters) -> Option<Outcome<Traced>> {
        if F::LN { None } else { Some(F::over(&Over::<Traced>::new(matrix), parameters)) }
    }

    fn traced(&self, matrix: &Gathered, parameters: &Parameters) -> Option<Outcome<Traced>> {
        let has_value = !F::LN || Traced::kind() == Kind::Sloped;
        has_value.then(|| F::over(matrix, parameters))
    }
}

/// A formula of a matrix `|m, parameters| …` over any [`Number`], which it may call `N`, as the
/// code of a row; `ln` goes before one with logarithms.
macro_rules! matrix_form {
    (ln, $($formula:tt)*) => { $crate::index::form::matrix_form!(@ true, $($formula)*) };
    (|$($formula:tt)*) => { $crate::index::form::matrix_form!(@ false, |$($formula)*) };
    (@ $ln:literal, |$matrix:pat_param, $parameters:pat_param| $value:expr) => {{
        struct Row;
        impl $crate::index::form::FormulaOfMatrix for Row {
            const LN: bool = $ln;
            fn over<N: $crate::arith::number::Number>(
                $matrix: &impl $crate::index::rows::matrix_sums::Table<N>,
                $parameters: &$crate::index::parameter::Parameters,
            ) -> $crate::index::value::Outcome<N> {
                $value
            }
        }
        $crate::index::form::Form::Matrix(&$crate::index::form::AnyNumber::<Row>(
            std::marker::PhantomData,
        ))
    }};
}
pub(crate) use matrix_form;

/// A function over `f64` alone as the code of a row over matrices.
pub(crate) const fn plain_matrix<F: Fn(&MatrixView, &Parameters) -> Outcome + Send + Sync>(
    formula: &'static F,
) -> Form {
    Form::Matrix(formula)
}

/// A formula of a 2×2 table over any number.
pub(crate) trait Formula: Send + Sync {
    /// Whether it has logarithms or their like: such a formula is neither rounded once nor exact,
    /// and is not compiled for numbers that are.
    const LN: bool;
    /// The value of a table.
    fn over<N: Number>(table: &BinaryCounts<N>, parameters: &Parameters) -> Outcome<N>;
}

/// A [`Formula`] as a [`CountFormula`].
pub(crate) struct AnyNumber<F>(pub(crate) PhantomData<F>);

impl<F: Formula> CountFormula for AnyNumber<F> {
    #[inline(always)]
    fn value(&self, table: &BinaryCounts, parameters: &Parameters) -> Outcome {
        F::over(table, parameters)
    }

    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    ) {
        fill_wide(self, tables, parameters, otherwise, to);
    }

    fn rounds_once(&self) -> bool {
        !F::LN
    }

    fn nearest(
        &self,
        table: &BinaryCounts<Nearest>,
        parameters: &Parameters,
    ) -> Option<Outcome<Nearest>> {
        if F::LN { None } else { Some(F::over(table, parameters)) }
    }

    fn traced(
        &self,
        table: &BinaryCounts<Traced>,
        parameters: &Parameters,
    ) -> Option<Outcome<Traced>> {
        let has_value = !F::LN || Traced::kind() != Kind::Exact;
        has_value.then(|| F::over(table, parameters))
    }
}

/// A formula of a 2×2 table `|c, parameters| …` over any [`Number`], which it may call `N`, as the
/// code of a row; `ln` goes before one with logarithms.
macro_rules! form {
    (ln, $($formula:tt)*) => { $crate::index::form::form!(@ true, $($formula)*) };
    (|$($formula:tt)*) => { $crate::index::form::form!(@ false, |$($formula)*) };
    (@ $ln:literal, |$table:pat_param, $parameters:pat_param| $value:expr) => {{
        struct Row;
        impl $crate::index::form::Formula for Row {
            const LN: bool = $ln;
            #[inline(always)]
            #[allow(clippy::inline_always)]
            fn over<N: $crate::arith::number::Number>(
                $table: &$crate::labels::view::BinaryCounts<N>,
                $parameters: &$crate::index::parameter::Parameters,
            ) -> $crate::index::value::Outcome<N> {
                $value
            }
        }
        $crate::index::form::Form::Counts(&$crate::index::form::AnyNumber::<Row>(
            std::marker::PhantomData,
        ))
    }};
}
pub(crate) use form;

/// A formula of any [`Table`] `|t, parameters| …` as both forms of a row, over counts and over a
/// matrix.
macro_rules! table_forms {
    ($($formula:tt)*) => {
        &[
            $crate::index::form::form!($($formula)*),
            $crate::index::form::matrix_form!($($formula)*),
        ]
    };
}
pub(crate) use table_forms;

/// A function over `f64` alone as the code of a row.
pub(crate) const fn plain<F: Fn(&BinaryCounts, &Parameters) -> Outcome + Send + Sync>(
    formula: &'static F,
) -> Form {
    Form::Counts(formula)
}

/// A formula of a 2×2 table and of the mutual information that chance expects of its margins, in
/// nats. Many tables have that computed together.
pub(crate) struct AgainstChance(pub(crate) fn(&BinaryCounts, f64, &Parameters) -> Outcome);

impl AgainstChance {
    fn each(&self, tables: &[BinaryCounts], parameters: &Parameters, mut put: impl FnMut(Outcome)) {
        const SOME: usize = 32;
        let (mut sizes, mut expected) = ([[[0.0; 2]; 2]; SOME], [0.0; SOME]);
        for tables in tables.chunks(SOME) {
            for (sizes, c) in sizes.iter_mut().zip(tables) {
                *sizes = [[c.tp + c.fn_, c.fp + c.tn], [c.tp + c.fp, c.fn_ + c.tn]];
            }
            expected_of_twos(&sizes[..tables.len()], &mut expected);
            for (c, &expected) in tables.iter().zip(&expected) {
                let is_whole = [c.tp, c.fp, c.fn_, c.tn].iter().all(|x| x.fract() == 0.0);
                put(if is_whole {
                    (self.0)(c, expected, parameters)
                } else {
                    Err(Undefined::NoPairs)
                });
            }
        }
    }
}

impl CountFormula for AgainstChance {
    fn value(&self, table: &BinaryCounts, parameters: &Parameters) -> Outcome {
        let mut found = Err(Undefined::NoPairs);
        self.each(&[*table], parameters, |one| found = one);
        found
    }

    fn fill(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    ) {
        let mut places = to.iter_mut();
        self.each(tables, parameters, |found| {
            if let Some(to) = places.next() {
                *to = found.unwrap_or(otherwise);
            }
        });
    }
}

wide! {
    fn fill_wide[F: CountFormula](
        form: &F, tables: &[BinaryCounts], parameters: &Parameters, otherwise: f64, to: &mut [f64],
    ) -> () = fill_one_by_one;
}

#[inline(always)]
fn fill_one_by_one<F: CountFormula>(
    form: &F,
    tables: &[BinaryCounts],
    parameters: &Parameters,
    otherwise: f64,
    to: &mut [f64],
) {
    for (to, table) in to.iter_mut().zip(tables) {
        *to = form.value(table, parameters).unwrap_or(otherwise);
    }
}
