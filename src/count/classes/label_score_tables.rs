//! The scores of several labels, where a row may have any number of labels: a ranking for each
//! label.
//!
//! A [`LabelScoreTables`] has one cell for each label: the `ScoreTable` of rows with the label
//! against rows without it, by the label's own column of scores.
//!
//! Cost: a score table for each label.

use crate::arith::exact::Weights;
use crate::arith::weight_kind::WeightKind;
use crate::base::column::Column;
use crate::base::dtype::Truth;
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelSet, Labels, ScoreMatrix};
use crate::base::memory::{Gather, Room, set_with_room};
use crate::classes::areas::{each_column, indicator};
use crate::classes::column_tables::{ColumnTables, Layout, is_labelled, with_and_without};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

/// A ranking for each label.
pub type LabelScoreTables = ColumnTables<OnItsOwn>;

/// One cell for each label, which is its ranking.
#[derive(Clone, Debug, Default)]
pub struct OnItsOwn;

impl Layout for OnItsOwn {
    const NAME: &'static str = "LabelScoreTables";
    const KIND: u8 = b'L';
    const COLUMNS: &'static str = "labels";

    fn cells(columns: usize) -> (usize, usize) {
        (columns, columns)
    }

    fn own(column: usize, _: usize) -> usize {
        column
    }

    fn rows(cells: &[Ranking], _: usize) -> u64 {
        cells.first().map_or(0, |cell| cell.rows())
    }

    fn contradiction(labels: &LabelSet, cells: &[Ranking]) -> Option<&'static str> {
        let Some(first) = cells.first().filter(|_| cells.len() == labels.len()) else {
            return Some("there is not a ranking for each label");
        };
        let mut seen = set_with_room(labels.len());
        if !labels.values.iter().all(|label| seen.insert(label)) {
            return Some("a label stands there twice");
        }
        let own = with_and_without();
        let alike = |table: &Ranking| {
            table.kind() == first.kind()
                && table.is_weighted() == first.is_weighted()
                && table.weight_kind() == first.weight_kind()
                && table.rows() == first.rows()
                && is_labelled(table, &own)
        };
        (!cells.iter().all(alike)).then_some("the rankings are not of the same rows")
    }

    fn each<'a>(&'a self, cells: &'a [Ranking], _: usize) -> Result<&'a [Ranking]> {
        Ok(cells)
    }
}

impl LabelScoreTables {
    /// The ranking of each label.
    pub fn tables(&self) -> &[Ranking] {
        self.cells()
    }
}

/// The ranking of the rows of each label of an indicator matrix of 0 and 1, by its own column of
/// scores. The labels have the names given, one for each column, or are numbered from 0.
///
/// # Errors
/// Like [`each_label`], and a number of names that differs from the number of columns.
///
/// [`each_label`]: crate::classes::areas::each_label
///
/// ```
/// use rocksteady_count::arith::weight_kind::WeightKind;
/// use rocksteady_count::base::input::ScoreMatrix;
/// use rocksteady_count::classes::label_score_tables::label_score_tables;
/// use rocksteady_count::base::matrix::Matrix;
///
/// let truth = ScoreMatrix::U8(Matrix::from_slice(&[1, 0, 0, 1, 1, 1], 2));
/// let scores = ScoreMatrix::F64(Matrix::from_slice(&[0.5, 0.3, 0.2, 0.6, 0.3, 0.1], 2));
/// let tables = label_score_tables(&truth, &scores, None, None, WeightKind::Counts)?;
/// assert_eq!(tables.tables()[0].roc_auc(), Some(1.0));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn label_score_tables(
    y_true: &ScoreMatrix,
    y_score: &ScoreMatrix,
    labels: Option<LabelSet>,
    weights: Option<Weights>,
    weight_kind: WeightKind,
) -> Result<LabelScoreTables> {
    let columns = y_score.columns();
    let is_part = y_true.rows() == 0 && labels.is_some();
    let flags = match indicator(y_true, y_score) {
        Err(Refusal::Empty { .. }) if is_part => Vec::new(),
        flags => flags?,
    };
    let labels = labels.unwrap_or_else(|| LabelSet::numbered(columns));
    if labels.len() != columns {
        let found = format!("{} labels", labels.len());
        let expected = format!("{columns} labels, one for each column");
        return Err(Refusal::argument("labels", found, expected));
    }
    let own = with_and_without();
    if is_part && weights.is_none_or(|weights| weights.is_empty()) {
        let cells = (0..columns).map(|_| ScoreTable::empty(own.clone(), weight_kind));
        return LabelScoreTables::new(labels, cells.gather());
    }
    let options =
        SweepOptions { pos_label: own.pos_label.clone(), weight_kind, ..SweepOptions::default() };
    let mut column_flags = Vec::new();
    let tables = each_column(y_score, &mut |column, scores| {
        column_flags.clear();
        column_flags.grow_with(flags.iter().copied().skip(column).step_by(columns));
        let truth = Labels::of::<Truth>(Column::from_slice(&column_flags));
        let table = score_table(&truth, &scores, weights, &options)?;
        Ok(table.labelled(own.clone()))
    })?;
    LabelScoreTables::new(labels, tables)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::matrix::Matrix;
    use crate::classes::areas::{Area, each_label, labels_pooled};
    use crate::classes::column_tables::Rankings;
    use crate::statistic::laws;
    use proptest::prelude::*;

    fn tables(
        truth: &[u8],
        scores: &[f64],
        weights: Option<&[f64]>,
        labels: usize,
    ) -> LabelScoreTables {
        label_score_tables(
            &ScoreMatrix::U8(Matrix::from_slice(truth, labels)),
            &ScoreMatrix::F64(Matrix::from_slice(scores, labels)),
            None,
            weights.map(Column::from_slice),
            WeightKind::Counts,
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn labels_are_ranked_as_by_the_kernels(
            labels in 2_usize..5,
            cells in prop::collection::vec((0_u8..2, 0_u8..9, 0_u8..4), 20..160),
            cut in 0_usize..40,
            weighted: bool,
        ) {
            let rows = cells.len() / labels;
            let truth: Vec<u8> = cells[..rows * labels].iter().map(|cell| cell.0).collect();
            let scores: Vec<f64> = cells[..rows * labels].iter().map(|cell| f64::from(cell.1) / 8.0).collect();
            let w: Vec<f64> = (0..rows).map(|row| f64::from(cells[row].2) / 4.0).collect();
            let weights = weighted.then_some(&w[..]);
            let all = tables(&truth, &scores, weights, labels);
            let (flags, matrix) = (ScoreMatrix::U8(Matrix::from_slice(&truth, labels)), ScoreMatrix::F64(Matrix::from_slice(&scores, labels)));
            let areas = each_label(&flags, &matrix, weights.map(Column::from_slice), Area::Roc(1.0)).unwrap();
            for (table, area) in all.tables().iter().zip(&areas) {
                prop_assert!(table.roc_auc().map_or(area.area.is_nan(), |own| (own - area.area).abs() < 1e-14));
                prop_assert_eq!(table.totals().0, area.positives);
            }
            let area = labels_pooled(&flags, &matrix, weights.map(Column::from_slice), Area::Roc(1.0)).unwrap().area;
            let own = Ranking::from(all.pooled().unwrap()).roc_auc();
            prop_assert!(own.map_or(area.is_nan(), |own| (own - area).abs() < 1e-14));
            let cut = 1 + cut % rows.max(2).saturating_sub(1);
            if cut < rows {
                let part = |from: usize, to: usize| {
                    let cells = from * labels..to * labels;
                    tables(&truth[cells.clone()], &scores[cells], weights.map(|w| &w[from..to]), labels)
                };
                laws::add_up(&all, [&part(0, cut), &part(cut, rows)]);
            }
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic(place: usize, flip in 1_u8.., cut: usize, weighted: bool) {
            let w = [1.0, 0.5, 2.0];
            let good = tables(&[1, 0, 0, 1, 1, 1], &[0.5, 0.3, 0.2, 0.6, 0.3, 0.1], weighted.then_some(&w), 2);
            if let Some(tables) = laws::changed(&good, place, flip, cut) {
                let _ = tables.pooled().is_ok();
            }
        }
    }
}
