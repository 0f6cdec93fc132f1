//! The scores of several classes: for each column of a matrix of scores, how the rows of each class score in it.
//!
//! A [`ScoreTables`] holds a ranking for every column and every class of rows: K×K of them, together as many scores as the
//! matrix had. Any class against the rest, and any class against any other, is two of them laid side by side, so every index of one
//! ranking, and every mean over classes or pairs of classes, is read from it. Like its parts it is exact and additive: the
//! sum of two is, bit for bit, that of the pooled rows.
//!
//! The tables of classes against the rest, and the areas of one class against another, are made when they are first asked for, and
//! kept.

use std::sync::OnceLock;

use crate::arith::exact::ExactSums;
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::{BinaryLabels, put_labels, take_labels};
use crate::scores::keys::ScoreKind;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{Amounts, Keys, ScoreTable};

/// How the rows of each class score in each column.
#[derive(Clone, Debug)]
pub struct ScoreTables {
    labels: LabelSet,
    /// Of column j, the rows of class k, all of them positive: at j K + k.
    cells: Vec<Ranking>,
    against_rest: OnceLock<Vec<Ranking>>,
    /// Of column j, the area under the ROC curve of its own class against class k: at j K + k.
    areas: OnceLock<Vec<Option<f64>>>,
}

impl PartialEq for ScoreTables {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels && self.cells == other.cells
    }
}

/// The labels of rows that are all positive.
pub(crate) fn all_positive() -> BinaryLabels {
    BinaryLabels {
        pair: Pair {
            negative: None,
            positive: Some(Label::Int(1)),
        },
        pos_label: Some(Label::Int(1)),
        kind: LabelKind::Int,
    }
}

/// The table of no rows.
pub(crate) fn no_rows(kind: ScoreKind, weighted: bool) -> ScoreTable {
    let keys = if kind.is_wide() {
        Keys::Wide(Vec::new())
    } else {
        Keys::Narrow(Vec::new())
    };
    let amounts = if weighted {
        Amounts::Weights(ExactSums::new(0))
    } else {
        Amounts::Counts {
            positives: Vec::new(),
            negatives: Vec::new(),
        }
    };
    ScoreTable::from_sweep(kind, keys, amounts, all_positive())
}

impl ScoreTables {
    /// From the ascending labels and, column after column, the rankings of each class's rows, which are all positive.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] if they do not go together.
    pub(crate) fn from_cells(labels: LabelSet, cells: Vec<ScoreTable>) -> Result<Self> {
        let tables = Self {
            labels,
            cells: cells.into_iter().map(Ranking::from).collect(),
            against_rest: OnceLock::new(),
            areas: OnceLock::new(),
        };
        match tables.contradiction() {
            None => Ok(tables),
            Some(reason) => Err(bad(reason)),
        }
    }

    /// What no rows can have led to.
    fn contradiction(&self) -> Option<&'static str> {
        let classes = self.classes();
        if classes < 2 || classes.checked_mul(classes) != Some(self.cells.len()) {
            return Some("there is not a ranking for each class in each column");
        }
        if self.labels.values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Some("the labels do not ascend");
        }
        let text = |label: &Label| matches!(label, Label::Text(_));
        if self
            .labels
            .values
            .iter()
            .any(|label| text(label) != (self.labels.kind == LabelKind::Text))
        {
            return Some("the labels are not of their kind");
        }
        let (kind, weighted) = (self.cells[0].kind(), self.cells[0].is_weighted());
        let ones = all_positive();
        for (place, cell) in self.cells.iter().enumerate() {
            if cell.kind() != kind || cell.is_weighted() != weighted {
                return Some("the rankings are not all of one kind");
            }
            let labels = (cell.pair(), cell.pos_label(), cell.label_kind());
            if labels != (&ones.pair, ones.pos_label.as_ref(), ones.kind) || cell.totals().1 > 0.0 {
                return Some("a ranking is not of one class");
            }
            let first = &self.cells[place % classes];
            if cell.rows() != first.rows() || cell.totals() != first.totals() {
                return Some("the columns are not of the same rows");
            }
        }
        let rows = (0..classes).try_fold(0_u64, |rows, class| {
            rows.checked_add(self.cells[class].rows())
        });
        rows.is_none().then_some("there are too many rows")
    }

    /// K.
    pub fn classes(&self) -> usize {
        self.labels.len()
    }

    /// The labels, ascending, in the order of the columns.
    pub fn labels(&self) -> &LabelSet {
        &self.labels
    }

    /// The number of rows; those of weight zero are not counted.
    pub fn rows(&self) -> u64 {
        self.cells[..self.classes()]
            .iter()
            .map(|cell| cell.rows())
            .sum()
    }

    /// The number, or the weight, of the rows of each class.
    pub fn class_weights(&self) -> Vec<f64> {
        let own = |class: usize| self.cell(class, class).totals().0;
        (0..self.classes()).map(own).collect()
    }

    /// The number, or the weight, of all rows.
    pub fn total(&self) -> f64 {
        self.class_weights().iter().sum()
    }

    /// Whether all scores lie in [0, 1].
    pub fn are_probabilities(&self) -> bool {
        self.cells.iter().all(|cell| cell.are_probabilities())
    }

    /// How the rows of a class score in a column: a table of positives only.
    ///
    /// # Panics
    /// If there is no such column or class: a caller's error, which no input can cause.
    pub fn cell(&self, column: usize, class: usize) -> &Ranking {
        &self.cells[column * self.classes() + class]
    }

    /// The classes that have rows.
    pub fn present(&self) -> Vec<usize> {
        let weights = self.class_weights();
        (0..self.classes())
            .filter(|&class| weights[class] > 0.0)
            .collect()
    }

    /// How a column ranks the rows of its own class above those of another.
    ///
    /// # Errors
    /// None that rows could cause: the rankings are of one kind.
    pub fn pair(&self, class: usize, other: usize) -> Result<ScoreTable> {
        beside(self.cell(class, class), self.cell(class, other))
    }

    /// The area under the ROC curve of [`Self::pair`]; `None` if a class has no rows, or is the other.
    pub(crate) fn area_of_pair(&self, class: usize, other: usize) -> Option<f64> {
        let classes = self.classes();
        let area = |place: usize| {
            let (class, other) = (place / classes, place % classes);
            let pair = (class != other).then(|| self.pair(class, other).ok());
            Ranking::from(pair??).roc_auc()
        };
        let areas = self
            .areas
            .get_or_init(|| (0..classes * classes).map(area).collect());
        areas[class * classes + other]
    }

    /// Walks once through the ranking of each class against the rest for all that any index of a ranking wants, and keeps it: worth its
    /// while before many of them are asked for.
    ///
    /// # Errors
    /// As [`Self::against_rest`].
    pub fn prepare(&self) -> Result<()> {
        self.against_rest()?.iter().for_each(Ranking::prepare);
        Ok(())
    }

    /// Each class against the rest, in the order of the labels: its own column ranks its rows above all others.
    ///
    /// # Errors
    /// None that rows could cause: the rankings are of one kind.
    pub fn against_rest(&self) -> Result<&[Ranking]> {
        if let Some(tables) = self.against_rest.get() {
            return Ok(tables);
        }
        let tables: Vec<Ranking> = (0..self.classes())
            .map(|class| {
                let others = (0..self.classes()).filter(|&other| other != class);
                let others: Vec<&ScoreTable> = others
                    .map(|other| self.cell(class, other).table())
                    .collect();
                beside(self.cell(class, class), &*sum(&others)?).map(Ranking::from)
            })
            .collect::<Result<_>>()?;
        Ok(self.against_rest.get_or_init(|| tables))
    }

    /// All classes against their rest as one ranking: every row and column is a row of it.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if they are more rows than can be counted.
    pub fn pooled(&self) -> Result<ScoreTable> {
        let tables = self.against_rest()?.iter().map(Ranking::table);
        let tables: Vec<&ScoreTable> = tables.collect();
        Ok(sum(&tables)?.into_owned())
    }

    /// The statistic of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for other labels, weights beside counts, and scores that no type holds exactly.
    pub fn add(&self, other: &Self) -> Result<Self> {
        if self.labels.values != other.labels.values {
            let reason = "the scores are of different classes".to_owned();
            return Err(Refusal::Merge { reason });
        }
        let cells = self.cells.iter().zip(&other.cells);
        let labels = LabelSet {
            kind: self.labels.kind.max(other.labels.kind),
            values: self.labels.values.clone(),
        };
        let cells = cells.map(|(a, b)| a.add(b)).collect::<Result<_>>()?;
        Self::from_cells(labels, cells).map_err(|refusal| Refusal::Merge {
            reason: refusal.to_string(),
        })
    }
}

/// One table's rows as positives, another's as negatives.
fn beside(positives: &ScoreTable, negatives: &ScoreTable) -> Result<ScoreTable> {
    positives
        .against(negatives)
        .ok_or_else(|| bad("the rankings are not all of one kind"))
}

/// All tables added up, neighbours first.
pub(crate) fn sum<'a>(tables: &[&'a ScoreTable]) -> Result<std::borrow::Cow<'a, ScoreTable>> {
    use std::borrow::Cow;
    match tables {
        [] => Err(bad("there are no rankings")),
        [only] => Ok(Cow::Borrowed(only)),
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            Ok(Cow::Owned(sum(left)?.add(&*sum(right)?)?))
        }
    }
}

// ---- bytes ----

const NAME: &str = "ScoreTables";
const KIND: u8 = b'K';
const VERSION: u8 = 1;

fn bad(reason: impl Into<String>) -> Refusal {
    Refusal::Bytes {
        kind: NAME,
        reason: reason.into(),
    }
}

/// Writes each ranking behind the number of its bytes.
pub(crate) fn put_rankings(out: &mut Writer, rankings: &[Ranking]) {
    for ranking in rankings {
        let bytes = ranking.to_bytes();
        out.put(&(bytes.len() as u64).to_le_bytes());
        out.put(&bytes);
    }
}

/// Reads what [`put_rankings`] wrote of `count` of them.
pub(crate) fn take_rankings(input: &mut Reader, count: usize) -> Result<Vec<ScoreTable>> {
    let mut rankings = Vec::new();
    for _ in 0..count {
        let len = input.len(1)?;
        rankings.push(ScoreTable::from_bytes(input.take(len)?)?);
    }
    Ok(rankings)
}

impl ScoreTables {
    /// The statistic as bytes: the head that all have, the labels, then the bytes of each ranking behind their length.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        put_labels(&mut out, &self.labels);
        put_rankings(&mut out, &self.cells);
        out.finish()
    }

    /// The statistic from its bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::to_bytes`] would not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, NAME, KIND, VERSION)?;
        let labels = take_labels(&mut reader)?;
        let cells = take_rankings(&mut reader, labels.len().saturating_mul(labels.len()))?;
        reader.finish()?;
        Self::from_cells(labels, cells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, ScoreMatrix};
    use crate::base::matrix::Matrix;
    use crate::classes::one_vs_rest::{Area, one_vs_one, one_vs_rest, score_tables};
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
            // Split in two and added, either way, it has the same bits.
            let cut = 1 + cut % rows.max(2).saturating_sub(1);
            if cut < rows {
                let part = |from: usize, to: usize| tables(&y[from..to], &scores[from * classes..to * classes], weights.map(|w| &w[from..to]), classes);
                let (a, b) = (part(0, cut), part(cut, rows));
                prop_assert_eq!(a.add(&b).unwrap().to_bytes(), all.to_bytes());
                prop_assert_eq!(b.add(&a).unwrap().to_bytes(), all.to_bytes());
            }
            prop_assert_eq!(&ScoreTables::from_bytes(&all.to_bytes()).unwrap(), &all);
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic(place: usize, flip in 1_u8.., cut: usize, weighted: bool) {
            let w = [1.0, 0.5, 2.0, 0.25];
            let good = tables(&[0, 1, 2, 2], &[0.5, 0.3, 0.2, 0.6, 0.3, 0.1, 0.1, 0.1, 0.8, 0.2, 0.4, 0.4], weighted.then_some(&w), 3);
            let bytes = good.to_bytes();
            prop_assert!(ScoreTables::from_bytes(&bytes[..cut % bytes.len()]).is_err());
            let mut changed = bytes.clone();
            let at = place % bytes.len();
            changed[at] ^= flip;
            if let Ok(tables) = ScoreTables::from_bytes(&changed) {
                prop_assert_eq!(tables.to_bytes(), changed);
                let _ = (tables.against_rest().map(<[Ranking]>::len), tables.pooled().is_ok());
            }
        }
    }
}
