//! The scores of several classes: the scores of the rows of each class in each column of a matrix.
//!
//! 1. A [`ScoreTables`] has a cell for every column and every class of rows: K×K rankings, with as
//!    many scores altogether as the matrix.
//! 2. A class against the rest, or against another class, combines cells: one part positive, the
//!    other negative. So every index of one ranking, and every mean over classes or pairs of
//!    classes, follows from the cells.
//! 3. One more cell ranks the highest score of each row; the row is positive if that score belongs
//!    to its class.
//! 4. The tables of classes against the rest, and the areas of pairs of classes, are computed at
//!    first use, and cached.
//!
//! Cost: the matrix is split by class once, and each score is ranked once, plus the highest score
//! of each row. Source: Provost and Domingos 2000 (one against the rest); Hand and Till 2001,
//! doi:10.1023/A:1010920819831 (one against one).

use std::ops::Range;
use std::sync::OnceLock;

use crate::arith::exact::{Span, Weights};
use crate::arith::weight_kind::WeightKind;
use crate::base::column::Column;
use crate::base::dtype::{Number, Truth};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, LabelKind, LabelSet, Labels, ScoreMatrix, Scores};
use crate::base::matrix::chunks;
use crate::base::memory::Gather;
use crate::classes::areas::{Order, check_columns, classes_of_rows, groups_of, parted_columns};
use crate::classes::column_tables::{
    ColumnTables, Layout, Rankings, is_labelled, sum, with_and_without,
};
use crate::classes::top_label::top_of_codes;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::classes::check_ascending;
use crate::scores::keys::ScoreKind;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;
use crate::statistic::Statistic;

/// The scores of the rows of each class in each column.
pub type ScoreTables = ColumnTables<AgainstRest>;

/// A cell for each class in each column: the cell j K + k has the rows of class k in column j, all
/// positive. The ranking of a class has its own rows against all others, by its own column. The
/// last cell ranks the top labels; old bytes do not have it.
#[derive(Clone, Debug, Default)]
pub struct AgainstRest {
    tables: OnceLock<Vec<Ranking>>,
    /// At j K + k: the area under the ROC curve of class j against class k in column j.
    areas: OnceLock<Vec<Option<f64>>>,
}

impl Layout for AgainstRest {
    const NAME: &'static str = "ScoreTables";
    const KIND: u8 = b'K';
    const COLUMNS: &'static str = "classes";

    fn cells(columns: usize) -> (usize, usize) {
        let squared = columns.saturating_mul(columns);
        (squared, squared.saturating_add(1))
    }

    fn own(column: usize, columns: usize) -> usize {
        column * columns + column
    }

    fn rows(cells: &[Ranking], columns: usize) -> u64 {
        cells[..columns].iter().map(|cell| cell.rows()).sum()
    }

    fn contradiction(labels: &LabelSet, cells: &[Ranking]) -> Option<&'static str> {
        let classes = labels.len();
        let (squared, most) = Self::cells(classes);
        if classes < 2 || !(squared..=most).contains(&cells.len()) {
            return Some("there is not a ranking for each class in each column");
        }
        let (cells, top) = cells.split_at(squared);
        if labels.values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Some("the labels do not ascend");
        }
        let form = |cell: &Ranking| (cell.kind(), cell.is_weighted(), cell.weight_kind());
        let squares = |cell: &Ranking| cell.squares().map(ScoreTable::totals);
        let ones = all_positive();
        for (place, cell) in cells.iter().enumerate() {
            if form(cell) != form(&cells[0]) {
                return Some("the rankings are not all of one kind");
            }
            if !is_labelled(cell, &ones) || cell.totals().1 > 0.0 {
                return Some("a ranking is not of one class");
            }
            let first = &cells[place % classes];
            let is_like_first = cell.rows() == first.rows()
                && cell.totals() == first.totals()
                && squares(cell) == squares(first);
            if !is_like_first {
                return Some("the columns are not of the same rows");
            }
        }
        let mut rows = cells[..classes].iter().map(|cell| cell.rows());
        let Some(rows) = rows.try_fold(0_u64, u64::checked_add) else {
            return Some("there are too many rows");
        };
        let (truth, first) = (with_and_without(), &cells[0]);
        let is_of_them = |top: &Ranking| {
            top.rows() == rows
                && (top.is_weighted(), top.weight_kind())
                    == (first.is_weighted(), first.weight_kind())
                && is_labelled(top, &truth)
        };
        (!top.iter().all(is_of_them)).then_some("the top labels are not of the same rows")
    }

    fn each<'a>(&'a self, cells: &'a [Ranking], columns: usize) -> Result<&'a [Ranking]> {
        if let Some(tables) = self.tables.get() {
            return Ok(tables);
        }
        let against_rest = |class: usize| {
            let own = &cells[Self::own(class, columns)];
            let others = (0..columns).filter(|&other| other != class);
            let others: Vec<&ScoreTable> =
                others.map(|other| cells[class * columns + other].table()).gather();
            beside(own, &*sum(&others)?).map(Ranking::from)
        };
        let tables = (0..columns).map(against_rest).gather_all()?;
        Ok(self.tables.get_or_init(|| tables))
    }
}

fn all_positive() -> BinaryLabels {
    BinaryLabels {
        pair: Pair { negative: None, positive: Some(Label::Int(1)) },
        pos_label: Some(Label::Int(1)),
        kind: LabelKind::Int,
    }
}

fn no_rows(kind: ScoreKind, weighted: bool, weight_kind: WeightKind) -> ScoreTable {
    ScoreTable::empty_with(kind, weighted, weight_kind, all_positive())
}

/// Combines one table's rows as positives with another's as negatives.
fn beside(positives: &ScoreTable, negatives: &ScoreTable) -> Result<ScoreTable> {
    positives
        .against(negatives)
        .ok_or_else(|| ScoreTables::bad("the rankings are not all of one kind"))
}

impl ScoreTables {
    /// The number of classes, K.
    pub fn classes(&self) -> usize {
        self.labels().len()
    }

    /// The number, or the weight, of the rows of each class.
    pub fn class_weights(&self) -> Vec<f64> {
        self.sizes()
    }

    /// The number, or the weight, of all rows.
    pub fn total(&self) -> f64 {
        self.class_weights().iter().sum()
    }

    /// Whether all scores lie in [0, 1].
    pub fn are_probabilities(&self) -> bool {
        self.cells().iter().all(|cell| cell.are_probabilities())
    }

    /// The scores of the rows of a class in a column: a table of positives only.
    ///
    /// # Panics
    /// If there is no such column or class: a caller's error, which no input can cause.
    pub fn cell(&self, column: usize, class: usize) -> &Ranking {
        &self.cells()[column * self.classes() + class]
    }

    /// The ranking by confidence, which is the highest score of a row: rows whose class has it are
    /// positive. Of several highest scores the first counts. `None` if read from old bytes without
    /// it.
    pub fn top_label(&self) -> Option<&Ranking> {
        self.cells().get(self.classes() * self.classes())
    }

    /// The classes that have rows.
    pub fn present(&self) -> Vec<usize> {
        let weights = self.class_weights();
        (0..self.classes()).filter(|&class| weights[class] > 0.0).gather()
    }

    /// The ranking, by the column of `class`, of its own rows against the rows of another class.
    ///
    /// # Errors
    /// Only bytes can cause an error, not rows: the rankings are of one kind.
    pub fn pair(&self, class: usize, other: usize) -> Result<ScoreTable> {
        beside(self.cell(class, class), self.cell(class, other))
    }

    /// The area under the ROC curve of [`Self::pair`]; `None` if a class has no rows, or for a
    /// class against itself.
    pub fn area_of_pair(&self, class: usize, other: usize) -> Option<f64> {
        let classes = self.classes();
        let area = |place: usize| {
            let (class, other) = (place / classes, place % classes);
            let pair = (class != other).then(|| self.pair(class, other).ok());
            Ranking::from(pair??).roc_auc()
        };
        let areas = &self.layout().areas;
        let areas = areas.get_or_init(|| (0..classes * classes).map(area).gather());
        areas[class * classes + other]
    }

    /// Computes and caches, for the ranking of each class against the rest, the values that many
    /// indices need: useful before a request for many of them.
    ///
    /// # Errors
    /// Like [`Self::against_rest`].
    pub fn prepare(&self) -> Result<()> {
        self.against_rest()?.iter().for_each(Ranking::prepare);
        Ok(())
    }

    /// Each class against the rest, in the order of the labels, ranked by the class's own column.
    ///
    /// # Errors
    /// Only bytes can cause an error, not rows: the rankings are of one kind.
    pub fn against_rest(&self) -> Result<&[Ranking]> {
        self.each()
    }
}

/// The scores of the rows of each class in each column: the source of every index of a class
/// against the rest, or of a pair of classes. The classes are chosen as in [`one_vs_rest`].
///
/// # Errors
/// Like [`one_vs_rest`], and more than 1,000 classes.
///
/// [`one_vs_rest`]: crate::classes::areas::one_vs_rest
///
/// ```
/// use rocksteady_count::arith::weight_kind::WeightKind;
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::score_tables::score_tables;
/// use rocksteady_count::base::matrix::Matrix;
/// use rocksteady_count::scores::ranking::Ranking;
///
/// let labels = Labels::U8(Column::from_slice(&[0, 1, 2, 2]));
/// let scores = [0.5, 0.3, 0.2, 0.6, 0.3, 0.1, 0.1, 0.1, 0.8, 0.2, 0.4, 0.4];
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&scores, 3));
/// let tables = score_tables(&labels, None, &scores, None, WeightKind::Counts)?;
/// assert_eq!(tables.against_rest()?[0].roc_auc(), Some(2.0 / 3.0));
/// assert_eq!(Ranking::from(tables.pair(2, 1)?).roc_auc(), Some(1.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn score_tables(
    y_true: &Labels,
    labels: Option<LabelSet>,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    weight_kind: WeightKind,
) -> Result<ScoreTables> {
    const MOST_TABLES: usize = 1000;
    if y_score.columns() > MOST_TABLES {
        let found = format!("{} columns", y_score.columns());
        let expected = format!("at most {MOST_TABLES}, each class scored in each column");
        return Err(Refusal::argument("y_score", found, expected));
    }
    let rows = weights.map_or(0, |weights| weights.len());
    let labels = match labels {
        Some(labels) if y_true.is_empty() && y_score.rows() == 0 && rows == 0 => {
            return empty(labels, y_score.columns(), weight_kind);
        }
        labels => labels,
    };
    let (labels, codes) = classes_of_rows(y_true, labels, y_score)?;
    let top = top_label(&codes, y_score, weights, weight_kind);
    let groups = groups_of(&codes, labels.len());
    let order = Order { codes: &codes, groups: &groups };
    // Before rows are split by class, so that a refusal names the row.
    weight_kind.squares(weights, "sample_weight")?;
    let weights = weights.map(|weights| parted_weights(&weights, &order));
    let weights = weights.transpose()?;
    let largest = groups.iter().map(ExactSizeIterator::len).max();
    let ones = vec![1_u8; largest.unwrap_or(0)];
    let options = SweepOptions { weight_kind, ..SweepOptions::zero_one() };
    let columns = parted_columns(y_score, &order, &mut |_, scores| {
        let cell = |group: &Range<usize>| {
            if group.is_empty() {
                let kind = ScoreKind::of(&scores);
                return Ok(no_rows(kind, weights.is_some(), weight_kind));
            }
            let weights = weights.as_ref().map(|all| &all[group.clone()]);
            score_table(
                &Labels::of::<u8>(Column::from_slice(&ones[..group.len()])),
                &scores.part(group.clone()),
                weights.map(Column::from_slice),
                &options,
            )
        };
        groups.iter().map(cell).gather_all()
    });
    // Rows were reordered, so the row of a refused score must be found again.
    let columns = columns.map_err(|refusal| not_finite(y_score).unwrap_or(refusal))?;
    ScoreTables::new(labels, columns.into_iter().flatten().chain([top?]).gather())
}

/// The table of the top labels.
fn top_label(
    codes: &[u32],
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    weight_kind: WeightKind,
) -> Result<ScoreTable> {
    let top = top_of_codes(codes, y_score)?;
    let correct = Labels::of::<Truth>(Column::from_slice(&top.correct));
    let confidence = Scores::of::<f64>(Column::from_slice(&top.confidence));
    let options = SweepOptions { weight_kind, ..SweepOptions::zero_one() };
    Ok(score_table(&correct, &confidence, weights, &options)?.labelled(with_and_without()))
}

/// The tables of no rows.
///
/// # Errors
/// Labels that do not ascend, or whose number differs from the number of columns.
fn empty(labels: LabelSet, columns: usize, weight_kind: WeightKind) -> Result<ScoreTables> {
    check_ascending(&labels)?;
    check_columns(&labels, columns)?;
    let is_sampling = weight_kind == WeightKind::Sampling;
    let cells = 0..columns * columns;
    let cells = cells.map(|_| no_rows(f64::KIND, is_sampling, weight_kind));
    let top = ScoreTable::empty_with(f64::KIND, is_sampling, weight_kind, with_and_without());
    ScoreTables::new(labels, cells.chain([top]).gather())
}

/// The first score that is not finite.
#[cold]
fn not_finite(y_score: &ScoreMatrix) -> Option<Refusal> {
    let mut out = Vec::new();
    chunks(0..y_score.rows(), y_score.columns()).find_map(|range| {
        let values = y_score.lowered(range.clone(), &mut out);
        let place = values.iter().position(|value| !value.is_finite())?;
        let (row, value) = (place / y_score.columns(), values[place]);
        Some(Refusal::row("y_score", row, value, "a finite number").later(range.start))
    })
}

/// The weights, ordered by class and then by row.
fn parted_weights(weights: &Weights, order: &Order<'_>) -> Result<Vec<f64>> {
    check_rows(&[("y_true", order.codes.len()), ("sample_weight", weights.len())])?;
    let all: Vec<f64> = (0..weights.len()).map(|row| weights.get(row)).gather();
    Span::from_slice(&all)?;
    let mut next: Vec<usize> = order.groups.iter().map(|group| group.start).gather();
    let mut parted = vec![0.0; all.len()];
    for (&code, &weight) in order.codes.iter().zip(&all) {
        let place = &mut next[code as usize];
        parted[*place] = weight;
        *place += 1;
    }
    Ok(parted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::matrix::Matrix;
    use crate::classes::areas::{Area, one_vs_one, one_vs_rest};
    use crate::statistic::laws;
    use proptest::prelude::*;

    fn labels(classes: usize) -> LabelSet {
        LabelSet {
            kind: LabelKind::Int,
            values: (0..classes).map(|k| Label::Int(k as i128)).collect(),
        }
    }

    fn tables(y: &[u8], scores: &[f64], weights: Option<&[f64]>, classes: usize) -> ScoreTables {
        score_tables(
            &Labels::U8(Column::from_slice(y)),
            Some(labels(classes)),
            &ScoreMatrix::F64(Matrix::from_slice(scores, classes)),
            weights.map(Column::from_slice),
            WeightKind::Counts,
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn classes_and_pairs_are_ranked_as_by_the_kernels(
            classes in 2_usize..5,
            cells in prop::collection::vec((0_u8..5, 0_u8..9, 0_u8..4), 20..160),
            cut in 0_usize..40,
            weighted: bool,
        ) {
            let rows = cells.len() / classes;
            let y: Vec<u8> = (0..rows).map(|row| cells[row].0 % classes as u8).collect();
            let scores: Vec<f64> = cells[..rows * classes].iter().map(|cell| f64::from(cell.1) / 8.0).collect();
            let w: Vec<f64> = (0..rows).map(|row| f64::from(cells[row].2) / 4.0).collect();
            let weights = weighted.then_some(&w[..]);
            let all = tables(&y, &scores, weights, classes);
            let (labels_, matrix) = (Labels::U8(Column::from_slice(&y)), ScoreMatrix::F64(Matrix::from_slice(&scores, classes)));
            let areas = one_vs_rest(&labels_, Some(labels(classes)), &matrix, weights.map(Column::from_slice), Area::Roc(1.0)).unwrap();
            for (table, area) in all.against_rest().unwrap().iter().zip(&areas) {
                let own = table.roc_auc();
                prop_assert!(own.map_or(area.area.is_nan(), |own| (own - area.area).abs() < 1e-14), "{own:?} {area:?}");
                prop_assert!((table.totals().0 - area.positives).abs() < 1e-12);
            }
            if !weighted {
                let mut expected = one_vs_one(&labels_, Some(labels(classes)), &matrix).unwrap().into_iter();
                let present = all.present();
                for (i, &a) in present.iter().enumerate() {
                    for &b in &present[i + 1..] {
                        let area = |a, b| Ranking::from(all.pair(a, b).unwrap()).roc_auc().unwrap();
                        prop_assert!((f64::midpoint(area(a, b), area(b, a)) - expected.next().unwrap().area).abs() < 1e-15);
                    }
                }
            }
            // Cut in two and added, in either order, it has the same bits.
            let cut = 1 + cut % rows.max(2).saturating_sub(1);
            if cut < rows {
                let part = |from: usize, to: usize| tables(&y[from..to], &scores[from * classes..to * classes], weights.map(|w| &w[from..to]), classes);
                laws::add_up(&all, [&part(0, cut), &part(cut, rows)]);
            }
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic(place: usize, flip in 1_u8.., cut: usize, weighted: bool) {
            let w = [1.0, 0.5, 2.0, 0.25];
            let good = tables(&[0, 1, 2, 2], &[0.5, 0.3, 0.2, 0.6, 0.3, 0.1, 0.1, 0.1, 0.8, 0.2, 0.4, 0.4], weighted.then_some(&w), 3);
            if let Some(tables) = laws::changed(&good, place, flip, cut) {
                let _ = (tables.against_rest().map(<[Ranking]>::len), tables.pooled().is_ok());
            }
        }
    }
}
