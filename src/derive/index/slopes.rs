//! How an index changes with each cell of a table, or of a matrix.
//!
//! 1. A formula over any number runs once over numbers with slopes ([`slope`]); so does an
//!    expression.
//! 2. A kernel over `f64` alone (rank correlations, costs, chi-squared of a matrix) gives quotients
//!    of order 4 in a step of 2^-10 of each cell. The second differences at two steps tell a kink
//!    from a bend: at a bend they shrink with the step.
//!
//! [`slope`]: crate::arith::slope

use crate::arith::bounded::Bounded;
use crate::arith::slope::Slopes;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::tables::USUAL;
use crate::index::value::Outcome;
use crate::labels::view::{BinaryCounts, MatrixView};

/// The most cells of a matrix whose slopes are quotients: time grows with their square.
pub const MOST_CELLS: usize = 2500;

impl Index {
    /// The value of one 2×2 table, and its slopes over tp, fp, fn and tn. None if the index is
    /// undefined there, or if a slope is infinite.
    ///
    /// # Errors
    /// As [`Index::of_counts`].
    ///
    /// ```
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::index::parameter::Parameters;
    /// use rocksteady_derive::labels::view::BinaryCounts;
    ///
    /// let precision = find("precision")?; // tp / (tp + fp)
    /// let counts = BinaryCounts { tp: 6.0, fp: 2.0, fn_: 1.0, tn: 5.0 };
    /// let found = precision.slopes_of_counts(&counts, &Parameters::defaults(precision))?;
    /// assert_eq!(found.unwrap().slopes, [2.0 / 64.0, -6.0 / 64.0, 0.0, 0.0]);
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn slopes_of_counts(
        &self,
        counts: &BinaryCounts,
        parameters: &Parameters,
    ) -> Result<Option<Slopes<[f64; 4]>>> {
        parameters.check_classes(2)?;
        if !USUAL.contains(&counts.total()) {
            return Ok(None);
        }
        let Some(form) = self.counts else {
            let view = MatrixView::from_binary(counts);
            let found = self.slopes_of_matrix(&view, parameters)?;
            return Ok(found.map(|found| of_table(&view, &found)));
        };
        if let Some(program) = self.program {
            return program.slopes_of_counts(counts, parameters);
        }
        let Some(found) = form.slopes(counts, parameters) else {
            let view = MatrixView::from_binary(counts);
            let found = quotients(&view, |view| form.value(&view.one_vs_rest(1), parameters));
            return Ok(found.map(|found| of_table(&view, &found)));
        };
        Ok(found.ok().flatten())
    }

    /// The value over a box of 2×2 tables; none if its formula is over `f64` alone.
    pub(crate) fn over_box(
        &self,
        table: &BinaryCounts<Bounded>,
        parameters: &Parameters,
    ) -> Option<Outcome<Bounded>> {
        match self.program {
            Some(program) => program.over_box(table, parameters),
            None => match self.counts {
                Some(form) => form.over_box(table, parameters),
                None => self.matrix?.over_box(table, parameters),
            },
        }
    }

    /// The value of a whole matrix, and its slopes over the cells that are not empty, in the view's
    /// order. None as for [`Index::slopes_of_counts`].
    ///
    /// # Errors
    /// As [`Index::of_matrix`]; [`Refusal::Index`] for a kernel over `f64` alone and more than
    /// [`MOST_CELLS`] cells that are not empty.
    ///
    /// ```
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::index::parameter::Parameters;
    /// use rocksteady_derive::labels::view::{BinaryCounts, MatrixView};
    ///
    /// let accuracy = find("accuracy")?;
    /// let view = MatrixView::from_binary(&BinaryCounts { tp: 6.0, fp: 2.0, fn_: 0.0, tn: 2.0 });
    /// let found = accuracy.slopes_of_matrix(&view, &Parameters::defaults(accuracy))?;
    /// assert_eq!(found.unwrap().slopes, [0.02, -0.08, 0.02]); // of tn, fp and tp
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn slopes_of_matrix(
        &self,
        view: &MatrixView,
        parameters: &Parameters,
    ) -> Result<Option<Slopes>> {
        let form = self.form_of_matrix(view.classes(), parameters)?;
        if !USUAL.contains(&view.total) {
            return Ok(None);
        }
        if let Some(program) = self.program {
            return program.slopes_of_matrix(view, parameters);
        }
        if let Some(found) = form.slopes(view, parameters) {
            return Ok(found.ok().flatten());
        }
        if view.cells.len() > MOST_CELLS {
            return Err(Refusal::Index {
                name: self.name.to_owned(),
                problem: format!(
                    "has slopes over at most {MOST_CELLS} cells that are not empty, and these are {}; \
                     resample the cells instead (bootstrap)",
                    view.cells.len()
                ),
            });
        }
        Ok(quotients(view, |view| form.value(view, parameters)))
    }

    /// The slopes of one class: of the row's own form for classes, else of the class against the
    /// rest, over the cells that are not empty.
    ///
    /// # Errors
    /// As [`Index::of_class`] and [`Index::slopes_of_matrix`].
    pub fn slopes_of_class(
        &self,
        view: &MatrixView,
        class: usize,
        parameters: &Parameters,
    ) -> Result<Option<Slopes>> {
        let Some(form) = self.class else {
            let found = self.slopes_of_counts(&view.one_vs_rest(class), parameters)?;
            return Ok(found.map(|found| of_class(view, class, &found)));
        };
        parameters.check_classes(view.classes())?;
        Ok(quotients(view, |view| form(view, class, parameters)))
    }

    /// The slopes of the one value of a matrix: of the class `positive` where there are two classes
    /// and the row has a formula over counts, else of the whole matrix. They are over the cells
    /// that are not empty, in the view's order.
    ///
    /// # Errors
    /// As [`Index::slopes_of_matrix`].
    pub fn slopes_overall(
        &self,
        view: &MatrixView,
        positive: Option<usize>,
        parameters: &Parameters,
    ) -> Result<Option<Slopes>> {
        let by_counts = |_: &usize| {
            view.classes() == 2 && self.counts.is_some() && parameters.matrix().is_none()
        };
        let Some(class) = positive.filter(by_counts) else {
            return self.slopes_of_matrix(view, parameters);
        };
        let found = self.slopes_of_counts(&view.one_vs_rest(class), parameters)?;
        Ok(found.map(|found| of_class(view, class, &found)))
    }
}

/// The slopes over the cells of a matrix, from those over the 2×2 table of one class.
fn of_class(view: &MatrixView, class: usize, found: &Slopes<[f64; 4]>) -> Slopes {
    let [tp, fp, fn_, tn] = found.slopes;
    let slope = |cell: crate::labels::cells::Cell| match (
        cell.actual as usize == class,
        cell.predicted as usize == class,
    ) {
        (true, true) => tp,
        (true, false) => fn_,
        (false, true) => fp,
        (false, false) => tn,
    };
    Slopes {
        value: found.value,
        slopes: view.cells.iter().map(slope).gather(),
        is_kink: found.is_kink,
    }
}

/// The slopes over a 2×2 table, from those over its matrix; 0 for empty cells.
fn of_table(view: &MatrixView, found: &Slopes) -> Slopes<[f64; 4]> {
    let mut slopes = [0.0; 4];
    for (cell, &slope) in view.cells.iter().zip(&found.slopes) {
        let place = match (cell.actual, cell.predicted) {
            (1, 1) => 0,
            (0, 1) => 1,
            (1, 0) => 2,
            _ => 3,
        };
        slopes[place] = slope;
    }
    Slopes { value: found.value, slopes, is_kink: found.is_kink }
}

/// The slopes of a function of a matrix that runs over `f64` alone. One that reads whole rows only
/// has quotients in steps of a row, if each cell has two.
fn quotients(view: &MatrixView, value: impl Fn(&MatrixView) -> Outcome) -> Option<Slopes> {
    /// What part of a cell a step is: 2^-10.
    const STEP: f64 = 1.0 / 1024.0;
    /// How far the slopes to either side may differ, times the cell, relative to the value.
    const BEND: f64 = 1e-6;
    let middle = value(view).ok()?;
    let (mut bend, mut size) = (0.0_f64, middle.abs());
    let changed = |place: usize, by: f64| {
        let value = value(&view.with_more(place, by));
        value.ok().filter(|value| value.is_finite())
    };
    let mut by_parts = || {
        let mut slopes = Vec::new();
        for (place, cell) in view.cells.iter().enumerate() {
            interrupt::check();
            let step = STEP * cell.mass;
            let mut at = [0.0; 4];
            for (at, steps) in at.iter_mut().zip([-2.0, -1.0, 1.0, 2.0]) {
                *at = changed(place, steps * step)?;
            }
            let [far_below, below, above, far_above] = at;
            let (near, far) = (above - below, (far_above - far_below) / 2.0);
            let slope = (4.0 * near - far) / 3.0 / (2.0 * step);
            let bent = |above: f64, below: f64, steps: f64| {
                ((above - middle) - (middle - below)) / (steps * step)
            };
            let kink = 2.0 * bent(above, below, 1.0) - bent(far_above, far_below, 2.0);
            bend = bend.max(kink.abs() * cell.mass);
            size = size.max(slope.abs() * cell.mass);
            slopes.grow(slope);
        }
        Some(slopes)
    };
    if let Some(slopes) = by_parts() {
        return Some(Slopes { value: middle, slopes, is_kink: bend > BEND * size });
    }
    let mut slopes = Vec::new();
    for (place, cell) in view.cells.iter().enumerate() {
        interrupt::check();
        if cell.mass < 2.0 {
            return None;
        }
        slopes.grow((changed(place, 1.0)? - changed(place, -1.0)?) / 2.0);
    }
    Some(Slopes { value: middle, slopes, is_kink: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::input::{Label, LabelKind, LabelSet};
    use crate::index::form::CountFormula;
    use crate::index::registry::{all, undefine};
    use crate::index::row::Law;
    use crate::index::user::define::{Definition, define};
    use crate::labels::confusion::ConfusionMatrix;

    const TABLES: [[f64; 4]; 4] = [
        [26.0, 8.0, 7.0, 59.0],
        [3.0, 5.0, 11.0, 2.0],
        [1e6, 3e5, 2e4, 7e7],
        [0.25, 3.5, 1.75, 6.125],
    ];

    fn table([tp, fp, fn_, tn]: [f64; 4]) -> BinaryCounts {
        BinaryCounts { tp, fp, fn_, tn }
    }

    /// The defaults, but of an iteration that does not stop early: where it stops it has a step.
    fn smooth(row: &Index) -> Parameters {
        match row.name {
            "aickin_alpha" => Parameters::new(row, &[("epsilon", 0.0)], None).unwrap(),
            _ => Parameters::defaults(row),
        }
    }

    /// For every row with slopes: over the cells, slope times mass sums to 0 if the row is
    /// scale-free, and to its value if it is a mass (Euler); and each slope is the limit of
    /// quotients.
    #[test]
    fn slopes_are_those_of_the_registry() {
        let mut rows = 0;
        for row in all().filter(|row| row.counts.is_some()) {
            let parameters = smooth(row);
            let mut is_counted = false;
            for cells in TABLES {
                let Some(found) = row.slopes_of_counts(&table(cells), &parameters).unwrap() else {
                    continue;
                };
                if !row.laws.contains(&Law::ScaleFree) && row.no_interval().is_some() {
                    continue; // exact tests are step functions
                }
                if row.name == "adjusted_mutual_information" {
                    continue; // steps of whole rows
                }
                is_counted = true;
                let value = row.of_counts(&table(cells), &parameters).unwrap().number;
                let rounds_once = row.counts.is_some_and(CountFormula::rounds_once);
                let slack =
                    1e-15 * if rounds_once { value.abs() } else { 1.0 + 100.0 * value.abs() };
                let error = (found.value - value).abs();
                assert!(error <= slack, "{}: {error}", row.name);
                let terms: Vec<f64> = (0..4).map(|i| cells[i] * found.slopes[i]).collect();
                let size = terms.iter().fold(value.abs(), |size, term| size.max(term.abs()));
                let sum: f64 = terms.iter().sum();
                if row.laws.contains(&Law::ScaleFree) {
                    assert!(sum.abs() <= 1e-14 * size, "{}: {sum} {found:?}", row.name);
                }
                if row.laws.contains(&Law::Proportional) {
                    assert!((sum - value).abs() <= 1e-14 * size, "{}: {sum}", row.name);
                }
                if found.is_kink {
                    continue;
                }
                for i in 0..4 {
                    let step = cells[i] * 2_f64.powi(-14);
                    let at = |shift: f64| {
                        let mut moved = cells;
                        moved[i] += shift;
                        row.of_counts(&table(moved), &parameters).unwrap().number
                    };
                    // Of order 4 in the step.
                    let near = (at(step) - at(-step)) / (2.0 * step);
                    let far = (at(2.0 * step) - at(-2.0 * step)) / (4.0 * step);
                    let limit = (4.0 * near - far) / 3.0;
                    let error = (limit - found.slopes[i]).abs() * cells[i];
                    assert!(error <= 1e-9 * size, "{} {i}: {limit} {found:?}", row.name);
                }
            }
            rows += usize::from(is_counted);
        }
        assert!(rows > 190, "{rows}");
    }

    fn view(classes: usize, cells: &[u64]) -> MatrixView {
        let values = (0..classes as i128).map(Label::Int).collect();
        let kind = LabelKind::Int;
        let labels = LabelSet { kind, values };
        ConfusionMatrix::from_counts(cells, labels).unwrap().view()
    }

    /// For every row with a value of a matrix: Euler's law, and the limits of quotients, with other
    /// steps than the code under test takes.
    #[test]
    fn slopes_of_matrices_are_those_of_the_registry() {
        let view = view(3, &[50, 7, 0, 11, 80, 9, 2, 6, 33]);
        let mut rows = 0;
        for row in all().filter(|row| row.matrix.is_some()) {
            let parameters = smooth(row);
            let Some(found) = row.slopes_of_matrix(&view, &parameters).unwrap() else {
                continue;
            };
            if row.name.ends_with("mutual_information") && row.name != "mutual_information" {
                continue; // steps of whole rows
            }
            let value = row.of_matrix(&view, &parameters).unwrap().number;
            assert!((found.value - value).abs() <= 1e-14 * value.abs().max(0.1), "{}", row.name);
            let terms = view.cells.iter().zip(&found.slopes);
            let terms: Vec<f64> = terms.map(|(cell, slope)| cell.mass * slope).collect();
            let size = terms.iter().fold(value.abs(), |size, term| size.max(term.abs()));
            let sum: f64 = terms.iter().sum();
            if row.laws.contains(&Law::ScaleFree) {
                assert!(sum.abs() <= 1e-11 * size, "{}: {sum}", row.name);
            }
            if row.laws.contains(&Law::Proportional) {
                assert!((sum - value).abs() <= 1e-11 * size, "{}: {sum}", row.name);
            }
            if found.is_kink {
                continue;
            }
            for (place, cell) in view.cells.iter().enumerate() {
                let step = cell.mass / 256.0;
                let at = |steps: f64| {
                    let moved = view.with_more(place, steps * step);
                    row.of_matrix(&moved, &parameters).unwrap().number
                };
                let near = (at(1.0) - at(-1.0)) / (2.0 * step);
                let far = (at(2.0) - at(-2.0)) / (4.0 * step);
                let limit = (4.0 * near - far) / 3.0;
                let error = (limit - found.slopes[place]).abs() * cell.mass;
                assert!(error <= 1e-7 * size, "{} {place}: {limit} {found:?}", row.name);
            }
            rows += 1;
        }
        assert!(rows > 80, "{rows}");
    }

    /// A matrix of two classes and a 2×2 table say the same, and so does a class.
    #[test]
    fn both_forms_have_the_same_slopes() {
        let counts = table(TABLES[0]);
        let view = MatrixView::from_binary(&counts);
        let mut rows = 0;
        for row in all().filter(|row| row.counts.is_some() && row.matrix.is_some()) {
            let parameters = Parameters::defaults(row);
            let (Some(whole), Some(found)) = (
                row.slopes_of_matrix(&view, &parameters).unwrap(),
                row.slopes_of_counts(&counts, &parameters).unwrap(),
            ) else {
                continue;
            };
            if whole.is_kink && found.is_kink {
                continue; // either side will do
            }
            let same = |a: &Slopes| {
                a.slopes.iter().zip(&whole.slopes).zip(view.cells.iter()).all(|((a, b), cell)| {
                    (a - b).abs() * cell.mass <= 1e-10 * found.value.abs().max(1.0)
                })
            };
            assert!(same(&of_class(&view, 1, &found)), "{}: {whole:?} {found:?}", row.name);
            let overall = row.slopes_overall(&view, Some(1), &parameters).unwrap();
            assert!(same(&overall.unwrap()), "{}", row.name);
            rows += 1;
        }
        assert!(rows > 70, "{rows}");
    }

    #[test]
    fn expressions_have_the_slopes_of_what_they_say() {
        let expression =
            |name: &str, text: &str| define(&Definition::new(name, text), false).unwrap();
        for (name, text, other) in [
            ("sloped_f1", "2 * tp / (2 * tp + fp + fn)", "f1"),
            ("sloped_f1_again", "2 * precision * recall / (precision + recall)", "f1"),
            ("sloped_g", "sqrt(precision * recall)", "fowlkes_mallows"),
            ("sloped_g_again", "(precision * recall) ^ 0.5", "fowlkes_mallows"),
            ("sloped_lift", "ln(precision / (actual_positives / n)) / ln(2)", "information_score"),
            ("sloped_least", "min(recall, specificity)", "minimum_recall"),
        ] {
            let (row, other) = (expression(name, text), crate::index::find(other).unwrap());
            for cells in TABLES {
                let of = |row: &Index| {
                    let parameters = Parameters::defaults(row);
                    row.slopes_of_counts(&table(cells), &parameters).unwrap().unwrap()
                };
                let (found, expected) = (of(row), of(other));
                for (i, mass) in cells.into_iter().enumerate() {
                    let error = (found.slopes[i] - expected.slopes[i]).abs() * mass;
                    assert!(error < 1e-14, "{text}: {found:?} {expected:?}");
                }
            }
            undefine(name).unwrap();
        }
        let of_matrix = expression("sloped_matrix", "1 - (accuracy + kappa) / 2 + n / n");
        let view = view(3, &[50, 7, 0, 11, 80, 9, 2, 6, 33]);
        let of = |row: &Index| {
            let parameters = Parameters::defaults(row);
            row.slopes_of_matrix(&view, &parameters).unwrap().unwrap().slopes
        };
        let (accuracy, kappa) = (crate::index::find("accuracy"), crate::index::find("kappa"));
        let parts = of(accuracy.unwrap()).into_iter().zip(of(kappa.unwrap()));
        for (found, (a, b)) in of(of_matrix).into_iter().zip(parts) {
            assert!((found + f64::midpoint(a, b)).abs() < 1e-16);
        }
        undefine("sloped_matrix").unwrap();
    }

    #[test]
    fn kinks_of_matrices_are_noted() {
        let of = |name: &str, cells: &[u64]| {
            let row = crate::index::find(name).unwrap();
            let parameters = Parameters::defaults(row);
            let found = row.slopes_of_matrix(&view(3, cells), &parameters).unwrap();
            found.unwrap().is_kink
        };
        let (tied, untied) = ([50, 7, 0, 11, 40, 9, 2, 6, 52], [50, 7, 0, 11, 80, 9, 2, 6, 33]);
        for name in ["no_information_rate", "savings", "lambda_a"] {
            assert!(of(name, &tied), "{name}");
            assert!(!of(name, &untied), "{name}");
        }
    }

    #[test]
    fn rows_without_a_value_of_a_table_are_refused() {
        let of = |name: &str| {
            let row = crate::index::find(name).unwrap();
            row.slopes_of_counts(&table(TABLES[0]), &Parameters::defaults(row))
        };
        assert!(of("roc_auc").is_err());
        assert!(of("cen").unwrap().is_some());
        // It reads whole rows only, and so few have no steps.
        let few = table([1.0, 5.0, 11.0, 2.0]);
        for (name, counts) in [("adjusted_mutual_information", few), ("mcc", table([0.0; 4]))] {
            let row = crate::index::find(name).unwrap();
            let found = row.slopes_of_counts(&counts, &Parameters::defaults(row));
            assert_eq!(found.unwrap(), None);
        }
    }
}
