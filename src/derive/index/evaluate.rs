//! From a row and a statistic to a value: for one table, a matrix, a score table, or many tables at
//! a time.
//!
//! Many tables are read in blocks of 512, which stay in cache while one index after the other
//! passes over them. A row that cannot multiply masses of an extreme size gets them scaled by a
//! power of two.

use std::sync::{Mutex, PoisonError};

use crate::arith::fraction::Fraction;
use crate::arith::nearest::Nearest;
use crate::arith::number::Number;
use crate::arith::products::unit_scale;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::over_parts;
use crate::classes::probability_sums::ClassProbabilitySums;
use crate::classes::score_tables::ScoreTables;
use crate::costs::cost_table::{CostTable, CostView};
use crate::index::form::{CostForm, MatrixForm, Reads, ScoresForm};
use crate::index::parameter::Parameters;
use crate::index::registry::find;
use crate::index::row::{Index, Law};
use crate::index::tables::{Cells, TABLES_AT_A_TIME, Tables, USUAL};
use crate::index::user::program::Program;
use crate::index::value::{Outcome, Undefined, Value};
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::{ProbabilitySums, ProbabilityView};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

/// The refusal of an index of ranked lists that is asked of another statistic.
const OF_QUERIES: &str =
    "is an index of the ranked lists of queries; ask a rocksteady.Queries for it";

/// The numbers of several indices for the same 2×2 tables: a column for each index, all of one
/// length. `read` writes the tables from a place on. Each block of tables is read once and stays in
/// cache while one index after the other passes over it; several threads share many blocks.
///
/// # Errors
/// As [`Index::of_counts`].
///
/// ```
/// use rocksteady_derive::index::find;
/// use rocksteady_derive::index::evaluate::fill_each;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let (recall, cen) = (find("recall")?, find("cen")?);
/// let wanted = [(recall, Parameters::defaults(recall)), (cen, Parameters::defaults(cen))];
/// let (mut recalls, mut entropies) = ([0.0; 3], [0.0; 3]);
/// fill_each(&wanted, &mut [&mut recalls, &mut entropies], |start, tables| {
///     for (place, table) in tables.iter_mut().enumerate() {
///         *table = BinaryCounts { tp: (start + place) as f64, fn_: 2.0, tn: 4.0, fp: 0.0 };
///     }
/// })?;
/// assert_eq!(recalls, [0.0, 1.0 / 3.0, 0.5]);
/// assert!(entropies[0] < entropies[2]); // more right, and yet more confused
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn fill_each(
    wanted: &[(&Index, Parameters)],
    columns: &mut [&mut [f64]],
    read: impl Fn(usize, &mut [BinaryCounts]) + Sync,
) -> Result<()> {
    fill_each_of(wanted, columns, &ByTable(read))
}

/// 2×2 tables that can be read from any place on.
pub trait TableSource: Sync {
    /// Writes the tables from place `start` on, as many as there is room for.
    fn tables(&self, start: usize, to: &mut [BinaryCounts]);

    /// Writes the same as columns (tp, fp, fn, tn) of one length, for expressions. False if this
    /// source has no columns, if a mass is below zero, or if a total is very large or small.
    fn cells(&self, start: usize, to: [&mut [f64]; 4]) -> bool {
        let _ = (start, to);
        false
    }
}

struct ByTable<F>(F);

impl<F: Fn(usize, &mut [BinaryCounts]) + Sync> TableSource for ByTable<F> {
    fn tables(&self, start: usize, to: &mut [BinaryCounts]) {
        (self.0)(start, to);
    }
}

impl TableSource for ScoreTable {
    fn tables(&self, start: usize, to: &mut [BinaryCounts]) {
        self.fill_counts(start, to);
    }

    fn cells(&self, start: usize, to: [&mut [f64]; 4]) -> bool {
        let (positives, negatives) = self.totals();
        USUAL.contains(&(positives + negatives)) && self.fill_cells(start, to)
    }
}

/// [`fill_each`] for the tables of a source, such as a [`ScoreTable`]: one for each threshold, from
/// high to low.
///
/// # Errors
/// As [`Index::of_counts`].
pub fn fill_each_of(
    wanted: &[(&Index, Parameters)],
    columns: &mut [&mut [f64]],
    source: &impl TableSource,
) -> Result<()> {
    for (row, parameters) in wanted {
        row.fill(Tables::new(&[]), parameters, &mut [])?; // refused before anything is read
    }
    let by_cells = |row: &Index| row.program.filter(|program| program.reads_cells());
    let some_by_cells = wanted.iter().any(|(row, _)| by_cells(row).is_some());
    let all_by_cells = wanted.iter().all(|(row, _)| by_cells(row).is_some());
    let len = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let mut rest: Vec<_> =
        columns.iter_mut().map(|c| c[..len].chunks_mut(TABLES_AT_A_TIME)).gather();
    // Each block is locked once, by the part that it belongs to.
    let blocks: Vec<Mutex<Vec<&mut [f64]>>> = (0..len.div_ceil(TABLES_AT_A_TIME))
        .map(|_| Mutex::new(rest.iter_mut().filter_map(Iterator::next).collect()))
        .gather();
    over_parts(len, |part| {
        let mut tables = vec![BinaryCounts::default(); TABLES_AT_A_TIME.min(len)];
        let mut cells = Cells::with_room(if some_by_cells { TABLES_AT_A_TIME.min(len) } else { 0 });
        // A block belongs to the part that holds its first table.
        let own = part.start.div_ceil(TABLES_AT_A_TIME)..part.end.div_ceil(TABLES_AT_A_TIME);
        for (place, columns) in own.clone().zip(&blocks[own]) {
            let start = place * TABLES_AT_A_TIME;
            let tables = &mut tables[..TABLES_AT_A_TIME.min(len - start)];
            let have_cells = some_by_cells
                && (cells.parts(tables.len())).all(|(at, to)| source.cells(start + at, to));
            let tables = if have_cells && all_by_cells {
                Tables::new(&[])
            } else {
                source.tables(start, tables);
                Tables::new(tables)
            };
            let mut columns = columns.lock().unwrap_or_else(PoisonError::into_inner);
            for ((row, parameters), to) in wanted.iter().zip(columns.iter_mut()) {
                match by_cells(row) {
                    Some(program) if have_cells => program.fill_cells(&cells, parameters, to),
                    _ => row.fill(tables, parameters, to)?,
                }
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// Both classes, and no mistake.
fn are_perfect(counts: &BinaryCounts) -> bool {
    counts.tp > 0.0 && counts.tn > 0.0 && counts.fp == 0.0 && counts.fn_ == 0.0
}

impl Value {
    /// Exactly the value of perfect predictions, whatever was rounded on the way.
    fn or_best(self, best: Option<f64>, are_perfect: impl FnOnce() -> bool) -> Self {
        let is_number = matches!(self.why, None | Some(Undefined::OutOfRange));
        match best {
            Some(best) if self.number != best && is_number && are_perfect() => {
                Self { number: best, why: None }
            }
            _ => self,
        }
    }
}

impl Index {
    /// The value of one 2×2 table. A row with a matrix form only reads it as a matrix of two
    /// classes, negative and positive.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row needs scores; [`Refusal::Argument`] for a cost matrix that is
    /// not 2 by 2.
    pub fn of_counts(&self, counts: &BinaryCounts, parameters: &Parameters) -> Result<Value> {
        self.of_cells(&counts.map(Nearest::of), parameters)
    }

    /// [`Index::of_counts`] of masses that may have more digits than `f64`.
    pub(crate) fn of_cells(
        &self,
        cells: &BinaryCounts<Nearest>,
        parameters: &Parameters,
    ) -> Result<Value> {
        parameters.check_classes(2)?;
        let counts = cells.map(Nearest::high);
        // An exact form keeps small masses beside large ones, whatever their size.
        let rounded = (self.counts).and_then(|form| form.rounded(cells, parameters));
        if let Some(outcome) = rounded {
            return Ok(self.value(counts.magnitude(), outcome));
        }
        if self.counts.is_none() && self.matrix.is_some() {
            return self.of_matrix(&MatrixView::from_binary(&counts), parameters);
        }
        let mut value = Value { number: f64::NAN, why: None };
        self.of_each(std::iter::once(counts), parameters, |one| value = one)?;
        Ok(value)
    }

    /// The value of each of many 2×2 tables in `f64`, handed to `put` in their order.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    pub fn of_each(
        &self,
        counts: impl Iterator<Item = BinaryCounts>,
        parameters: &Parameters,
        mut put: impl FnMut(Value),
    ) -> Result<()> {
        parameters.check_classes(2)?;
        let counts = counts.map(|counts| match self.rescale(counts.total()) {
            None => counts,
            Some(factor) => counts.scaled(factor),
        });
        let best = self.best(parameters);
        if let Some(form) = self.counts {
            counts.for_each(|counts| {
                let value = self.value(counts.magnitude(), form.value(&counts, parameters));
                put(value.or_best(best, || are_perfect(&counts)));
            });
        } else {
            let form = self.matrix.ok_or_else(|| self.needs_scores())?;
            let mut view = MatrixView::default();
            counts.for_each(|counts| {
                view.set_binary(&counts);
                let value = self.value(view.total, form.value(&view, parameters));
                put(value.or_best(best, || are_perfect(&counts)));
            });
        }
        Ok(())
    }

    /// The numbers of [`Index::of_each`] alone, which are the faster part: one for each table.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    pub fn fill(&self, tables: Tables, parameters: &Parameters, to: &mut [f64]) -> Result<()> {
        self.fill_otherwise(tables, parameters, self.when_undefined, to)
    }

    /// The same, but NaN wherever the index is undefined, also where it has a number by convention.
    pub(crate) fn fill_defined(
        &self,
        tables: Tables,
        parameters: &Parameters,
        to: &mut [f64],
    ) -> Result<()> {
        self.fill_otherwise(tables, parameters, f64::NAN, to)
    }

    fn fill_otherwise(
        &self,
        tables: Tables,
        parameters: &Parameters,
        otherwise: f64,
        to: &mut [f64],
    ) -> Result<()> {
        if tables.is_plain() && self.program.is_some_and(Program::has_tables) {
            parameters.check_classes(2)?;
            if let Some(program) = self.program {
                program.fill(tables, parameters, to);
            }
            return Ok(());
        }
        if !tables.is_plain() {
            let mut places = to.iter_mut();
            let put = |value: Value| {
                if let Some(to) = places.next() {
                    let is_kept = value.why.is_none() || !otherwise.is_nan();
                    *to = if is_kept { value.number } else { f64::NAN };
                }
            };
            return self.of_each(tables.all().iter().copied(), parameters, put);
        }
        parameters.check_classes(2)?;
        if let Some(form) = self.counts {
            form.fill(tables.all(), parameters, otherwise, to);
        } else {
            let form = self.matrix.ok_or_else(|| self.needs_scores())?;
            let mut view = MatrixView::default();
            for (to, counts) in to.iter_mut().zip(tables.all()) {
                view.set_binary(counts);
                *to = form.value(&view, parameters).unwrap_or(otherwise);
            }
        }
        if tables.may_be_perfect()
            && let Some(best) = self.best(parameters)
        {
            for (to, counts) in to.iter_mut().zip(tables.all()) {
                if *to != best && are_perfect(counts) && !to.is_nan() {
                    *to = best;
                }
            }
        }
        Ok(())
    }

    /// The value of a whole matrix, for rows that have a matrix form.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row has none, with what to ask for instead; [`Refusal::Argument`]
    /// for parameters that do not fit the number of classes.
    pub fn of_matrix(&self, view: &MatrixView, parameters: &Parameters) -> Result<Value> {
        let form = self.form_of_matrix(view.classes(), parameters)?;
        if let Some(none) = self.test_of(view.is_sampling) {
            return Ok(none);
        }
        let outcome =
            form.rounded(view, parameters).unwrap_or_else(|| match self.rescale(view.total) {
                Some(factor) => form.value(&view.scaled(factor), parameters),
                None => form.value(view, parameters),
            });
        let are_perfect = || view.wrong() == 0.0 && view.actual.iter().all(|&class| class > 0.0);
        Ok(self.value(view.total, outcome).or_best(self.best(parameters), are_perfect))
    }

    /// What a p-value is of sampling weights: undefined.
    fn test_of(&self, is_sampling: bool) -> Option<Value> {
        let none = Value { number: f64::NAN, why: Some(Undefined::SamplingWeights) };
        (is_sampling && self.name.ends_with("p_value")).then_some(none)
    }

    /// The matrix form, where there is one and the parameters fit the number of classes.
    pub(super) fn form_of_matrix(
        &self,
        classes: usize,
        parameters: &Parameters,
    ) -> Result<MatrixForm> {
        let form = self.matrix.ok_or_else(|| {
            if self.counts.is_some() { self.needs_average() } else { self.needs_scores() }
        })?;
        parameters.check_classes(classes)?;
        Ok(form)
    }

    /// The one value of a matrix: of the class `positive` where there are two classes and the row
    /// has a formula over counts, else of the whole matrix. A matrix of costs always goes with the
    /// whole matrix, whose order of classes it follows.
    ///
    /// # Errors
    /// As [`Index::of_matrix`].
    pub fn overall(
        &self,
        view: &MatrixView,
        positive: usize,
        parameters: &Parameters,
    ) -> Result<Value> {
        if let Some(none) = self.test_of(view.is_sampling) {
            return Ok(none);
        }
        if view.classes() == 2 && self.counts.is_some() && parameters.matrix().is_none() {
            return self.of_cells(&view.one_vs_rest_over(positive), parameters);
        }
        self.of_matrix(view, parameters)
    }

    /// The value of one class: the row's own form for classes, else the class against the rest.
    ///
    /// # Errors
    /// As [`Index::of_counts`]; [`Refusal::Argument`] for a class that the matrix does not have.
    pub fn of_class(
        &self,
        view: &MatrixView,
        class: usize,
        parameters: &Parameters,
    ) -> Result<Value> {
        if class >= view.classes() {
            let expected = format!("less than {}, the number of classes", view.classes());
            return Err(Refusal::argument("class", class, expected));
        }
        if let Some(none) = self.test_of(view.is_sampling) {
            return Ok(none);
        }
        let Some(form) = self.class else {
            return self.of_cells(&view.one_vs_rest_over(class), parameters);
        };
        parameters.check_classes(view.classes())?;
        Ok(self.value(view.total, form(view, class, parameters)))
    }

    /// The numbers of [`per_class`], without the reasons. `tables` has the table of each class; it
    /// is made once for many indices.
    ///
    /// # Errors
    /// As [`Index::of_class`].
    pub(crate) fn fill_classes(
        &self,
        view: &MatrixView,
        tables: Tables,
        parameters: &Parameters,
        to: &mut [f64],
    ) -> Result<()> {
        if self.class.is_none() && self.test_of(view.is_sampling).is_none() {
            return self.fill(tables, parameters, to);
        }
        for (class, to) in to.iter_mut().enumerate() {
            *to = self.of_class(view, class, parameters)?.number;
        }
        Ok(())
    }

    /// The value over all thresholds.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about thresholds.
    pub fn of_scores(&self, table: &Ranking, parameters: &Parameters) -> Result<Value> {
        let (_, form) = self.form_of_scores()?;
        if let Some(none) = self.test_of(table.squares().is_some()) {
            return Ok(none);
        }
        let (positives, negatives) = table.totals();
        // A fraction of exact sums needs no scaling.
        let is_scaled = self.laws.contains(&Law::ScaleFree) && self.exact().is_none();
        let table = if is_scaled { table.in_range() } else { table };
        let value = self.value(positives + negatives, form(table, parameters));
        Ok(value.or_best(self.best(parameters), || table.is_perfect()))
    }

    /// The value of perfect predictions, which the row's law names.
    fn best(&self, parameters: &Parameters) -> Option<f64> {
        let best = self.laws.iter().find_map(|law| match *law {
            Law::Perfect(best) => Some(best),
            _ => None,
        });
        best.filter(|_| parameters.are_defaults_of(self.parameters))
    }

    /// The form for all thresholds, and what it reads.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about thresholds.
    pub(crate) fn form_of_scores(&self) -> Result<(Reads, ScoresForm)> {
        self.scores().ok_or_else(|| {
            let name = self.name;
            if self.counts.is_some() || self.matrix.is_some() {
                self.refusal(format!(
                    "is not an index of all thresholds; ask for it at a threshold: \
                     table.at(0.5)[{name:?}]"
                ))
            } else {
                self.needs_scores()
            }
        })
    }

    /// The value over sums of probabilities.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about probabilities.
    pub fn of_probabilities(
        &self,
        sums: &ProbabilitySums,
        parameters: &Parameters,
    ) -> Result<Value> {
        self.of_probability_view(&sums.view(), parameters)
    }

    /// [`Index::of_probabilities`] of a view.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about probabilities.
    pub fn of_probability_view(
        &self,
        sums: &ProbabilityView,
        parameters: &Parameters,
    ) -> Result<Value> {
        let form =
            self.probabilities().ok_or_else(|| self.refusal("is not an index of probabilities"))?;
        Ok(self.value(sums.weight, form(sums, parameters)))
    }

    /// The one value over the scores of several classes.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row has none, with what to ask for instead; [`Refusal::Argument`]
    /// for parameters that do not fit the number of classes.
    pub fn of_score_tables(&self, tables: &ScoreTables, parameters: &Parameters) -> Result<Value> {
        let form = self.score_tables().ok_or_else(|| {
            self.refusal(if self.scores().is_some() {
                "has a value for each class but none for all scores together; \
                 ask for it per class, or for its macro, micro or weighted average"
            } else {
                "is not an index of the scores of several classes"
            })
        })?;
        parameters.check_classes(tables.classes())?;
        Ok(self.value(tables.total(), form(tables, parameters)))
    }

    /// The value of an index of costs at one threshold, rounded once.
    ///
    /// # Errors
    /// [`Refusal::Index`] if the row is not about costs.
    pub fn of_costs(&self, costs: &CostView<Fraction>) -> Result<Value> {
        let form = self.form_of_costs()?;
        let rows = costs.rows.to_f64();
        let outcome = match form.exact(costs) {
            Some(Ok(answer)) => answer.to_f64().ok_or(Undefined::OutOfRange),
            Some(Err(why)) => Err(why),
            None => form.value(&costs.clone().map(|number| number.to_f64())),
        };
        Ok(self.value(rows, outcome))
    }

    /// The number of [`Index::of_costs`] at each threshold, from `inf` to the lowest score. The
    /// costs are rounded once; from there on the arithmetic is in `f64`.
    ///
    /// # Errors
    /// As [`Index::of_costs`].
    pub fn of_cost_table(&self, table: &CostTable) -> Result<Vec<f64>> {
        let form = self.form_of_costs()?;
        let all = table.view(0).map(|number| number.to_f64());
        let mut values = table.every_cost();
        if all.rows > 0.0 {
            form.fill(&all, self.when_undefined, &mut values);
        } else {
            values.fill(self.value(all.rows, form.value(&all)).number);
        }
        Ok(values)
    }

    pub(crate) fn form_of_costs(&self) -> Result<CostForm> {
        self.costs().ok_or_else(|| {
            self.refusal(
                "is not an index of costs by row; \"cost\", \"mean_cost\" and \"savings\" are",
            )
        })
    }

    /// For scale-free rows: the power of two that brings very large or small masses into a range
    /// where their products neither overflow nor underflow. Large masses become no smaller than
    /// necessary, lest small ones beside them vanish.
    #[inline]
    fn rescale(&self, total: f64) -> Option<f64> {
        // Finite masses may have an infinite total.
        let total = if total == f64::INFINITY { f64::MAX } else { total };
        let is_extreme = !USUAL.contains(&total) && total > 0.0;
        let scaled_to = if total > 1.0 { 2_f64.powi(298) } else { 1.0 };
        (is_extreme && self.laws.contains(&Law::ScaleFree)).then(|| unit_scale(total) * scaled_to)
    }

    /// The number of an outcome, with the row's convention where there is none.
    #[inline]
    fn value(&self, total: f64, outcome: Outcome) -> Value {
        interrupt::check();
        if total.is_nan() || (total == 0.0 && self.needs_rows(&outcome)) {
            return Value { number: f64::NAN, why: Some(Undefined::NoRows) };
        }
        match outcome {
            Ok(number) => Value { number, why: None },
            Err(why) => Value { number: self.when_undefined, why: Some(why) },
        }
    }

    /// Whether the index is undefined without rows. A mass is then 0.
    pub(super) fn needs_rows<T>(&self, outcome: &Outcome<T>) -> bool {
        outcome.is_err() || !self.laws.contains(&Law::Proportional)
    }

    fn refusal(&self, problem: impl Into<String>) -> Refusal {
        Refusal::Index { name: self.name.to_owned(), problem: problem.into() }
    }

    fn needs_scores(&self) -> Refusal {
        let name = self.name;
        if self.queries().is_some() {
            self.refusal(OF_QUERIES)
        } else if self.scores().is_some() {
            self.refusal(format!(
                "is an index of all scores together, not of counts or thresholds; ask for \
                 ScoreTable(y_true, y_score)[{name:?}], or of groups by.score_table(key)[{name:?}]"
            ))
        } else if self.score_tables().is_some() {
            self.refusal(format!(
                "is an index of all scores together, those of each class; ask for \
                 ScoreTables(y_true, y_proba)[{name:?}]"
            ))
        } else {
            self.refusal(format!(
                "is an index of the classes of a matrix; ask for \
                 ConfusionMatrix(y_true, y_pred).every({name:?})"
            ))
        }
    }

    fn needs_average(&self) -> Refusal {
        self.refusal(
            "has a value for each class but none for more than two classes together; \
             ask for it per class, or for its macro, micro or weighted average",
        )
    }
}

/// The value of each class, in the order of the labels.
///
/// # Errors
/// As [`Index::of_class`].
pub fn per_class(view: &MatrixView, index: &Index, parameters: &Parameters) -> Result<Vec<Value>> {
    (0..view.classes()).map(|class| index.of_class(view, class, parameters)).gather_all()
}

/// The values of an index for 2×2 tables, in their order.
///
/// # Errors
/// As [`Index::of_each`].
pub fn of_each(
    tables: &[BinaryCounts],
    index: &Index,
    parameters: &Parameters,
) -> Result<Vec<Value>> {
    let mut values = with_room(tables.len());
    index.of_each(tables.iter().copied(), parameters, |value| {
        values.grow(value);
    })?;
    Ok(values)
}

/// An index of the probabilities of several classes: a mean over the rows. With two classes, the
/// squared errors of both are equal; `halved` takes half of their sum.
///
/// # Errors
/// [`Refusal::Index`] for a name that is no index of probabilities, or one whose losses were not
/// wanted.
pub fn of_class_probabilities(
    sums: &ClassProbabilitySums,
    name: &str,
    halved: bool,
) -> Result<f64> {
    let row = find(name)?;
    let value = |weight: f64, log_loss: f64, brier: f64| {
        let if_wanted = |is_wanted: bool, sum: f64| if is_wanted { sum } else { f64::NAN };
        let log_loss = if_wanted(sums.wanted.log_loss, log_loss);
        let brier = if_wanted(sums.wanted.brier, brier);
        let view = ProbabilityView { weight, log_loss, brier };
        Ok(row.of_probability_view(&view, &Parameters::defaults(row))?.number)
    };
    let are_all_summed = sums.wanted.log_loss && sums.wanted.brier;
    if !are_all_summed && value(1.0, 0.5, 0.5)?.is_nan() {
        return Err(Refusal::Index { name: name.to_owned(), problem: "was not summed".into() });
    }
    value(sums.weight(), sums.log_loss(), if halved { sums.brier() * 0.5 } else { sums.brier() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, ScoreMatrix};
    use crate::base::matrix::Matrix;
    use crate::classes::losses::{Columns, class_probability_sums};
    use crate::classes::probability_sums::Wanted;
    use crate::index::registry::all;
    use crate::index::row::ColumnError;

    #[test]
    fn means_of_several_classes_are_of_what_was_summed() {
        let sums = class_probability_sums(
            &Labels::U8(Column::from_slice(&[0, 1])),
            &ScoreMatrix::F64(Matrix::from_slice(&[0.5, 0.5], 1)),
            None,
            Columns::Found,
            Wanted { brier: true, ..Wanted::default() },
        )
        .unwrap();
        let value = |name: &str, halved: bool| of_class_probabilities(&sums, name, halved);
        assert!(value("log_loss", false).is_err() && value("f1", false).is_err());
        assert_eq!((value("brier", true), value("brier", false)), (Ok(0.25), Ok(0.5)));
    }

    #[test]
    fn an_index_is_mapped_over_tables() {
        let counts = [1.0, 2.0, 0.0, 1.0].map(|x| BinaryCounts {
            tp: 3.0 * x,
            fp: x,
            fn_: 2.0 * x,
            tn: 4.0 * x,
        });
        let numbers = |index: &Index| {
            let wanted = [(index, Parameters::defaults(index))];
            let mut numbers = [0.0; 4];
            fill_each(&wanted, &mut [&mut numbers], |start, tables| {
                tables.copy_from_slice(&counts[start..start + tables.len()]);
            })
            .map(|()| numbers)
        };
        let f1 = find("f1").unwrap();
        let numbers_of_f1 = numbers(f1).unwrap();
        assert_eq!(&numbers_of_f1[..2], &[2.0 / 3.0, 2.0 / 3.0]);
        assert!(numbers_of_f1[2].is_nan());
        let values = of_each(&counts, f1, &Parameters::defaults(f1)).unwrap();
        assert_eq!(values[2].why, Some(Undefined::NoRows));
        let auc = find("auc").unwrap();
        assert!(numbers(auc).is_err());
    }

    fn masses() -> impl Strategy<Value = f64> {
        let counts = |bits: u32| (0_u64..1 << bits).prop_map(|count| count as f64);
        prop_oneof![counts(3), counts(8), counts(25), counts(50)]
    }

    proptest! {
        #[test]
        fn columns_are_as_near_to_single_values_as_their_rows_say(
            [tp, fp, fn_, tn] in prop::array::uniform4(masses()), shifts in prop::array::uniform2(-3_i8..4),
        ) {
            // The second nearly cancels.
            let shifted = |mass: f64, shift: i8| (mass + f64::from(shift)).max(0.0);
            let near = BinaryCounts { tp, fp, fn_: shifted(tp, shifts[0]), tn: shifted(fp, shifts[1]) };
            let tables = [BinaryCounts { tp, fp, fn_, tn }, near];
            for row in all().filter(|row| row.counts.is_some() && row.program.is_none()) {
                let parameters = Parameters::defaults(row);
                let columns = of_each(&tables, row, &parameters).unwrap();
                for (table, column) in tables.iter().zip(columns) {
                    let one = row.of_counts(table, &parameters).unwrap();
                    prop_assert_eq!(one.why, column.why, "{} {:?}", row.name, table);
                    let (one, column) = (one.number, column.number);
                    let allowed = match row.column_error() {
                        ColumnError::None | ColumnError::Parts => 0.0,
                        ColumnError::LastPlaces(units) => units * (one.abs().next_up() - one.abs()),
                        ColumnError::Size(size) => size * one.abs().max(1.0),
                    };
                    let is_near = one == column || (one - column).abs() <= allowed;
                    prop_assert!(
                        is_near || (one.is_nan() && column.is_nan()),
                        "{} {:?}: {} {}", row.name, table, one, column
                    );
                }
            }
        }
    }
}
