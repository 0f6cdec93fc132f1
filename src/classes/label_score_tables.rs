//! The scores of several labels, of which a row may have any number: a ranking for each.
//!
//! A [`LabelScoreTables`] holds for each label the [`ScoreTable`] of the rows with it above those without, by the label's own column of scores. Like
//! its parts it is exact and additive: the sum of two is, bit for bit, that of the pooled rows.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet};
use crate::classes::score_tables::{put_rankings, sum, take_rankings};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::{BinaryLabels, put_labels, take_labels};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::ScoreTable;

/// A ranking for each label.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelScoreTables {
    labels: LabelSet,
    tables: Vec<Ranking>,
}

/// The labels of rows that have a label or have not.
pub(crate) fn with_and_without() -> BinaryLabels {
    BinaryLabels {
        pair: Pair {
            negative: Some(Label::Int(0)),
            positive: Some(Label::Int(1)),
        },
        pos_label: Some(Label::Int(1)),
        kind: LabelKind::Bool,
    }
}

impl LabelScoreTables {
    /// From the labels, in any order, and the ranking of each.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] if they do not go together.
    pub(crate) fn from_tables(labels: LabelSet, tables: Vec<ScoreTable>) -> Result<Self> {
        let tables = tables.into_iter().map(Ranking::from).collect();
        let tables = Self { labels, tables };
        match tables.contradiction() {
            None => Ok(tables),
            Some(reason) => Err(bad(reason)),
        }
    }

    /// What no rows can have led to.
    fn contradiction(&self) -> Option<&'static str> {
        let Some(first) = self
            .tables
            .first()
            .filter(|_| self.tables.len() == self.labels.len())
        else {
            return Some("there is not a ranking for each label");
        };
        let text = |label: &Label| matches!(label, Label::Text(_));
        if self
            .labels
            .values
            .iter()
            .any(|label| text(label) != (self.labels.kind == LabelKind::Text))
        {
            return Some("the labels are not of their kind");
        }
        let mut seen = std::collections::HashSet::new();
        if !self.labels.values.iter().all(|label| seen.insert(label)) {
            return Some("a label stands there twice");
        }
        let own = with_and_without();
        let alike = |table: &Ranking| {
            let labels = (table.pair(), table.pos_label(), table.label_kind());
            table.kind() == first.kind()
                && table.is_weighted() == first.is_weighted()
                && table.rows() == first.rows()
                && labels == (&own.pair, own.pos_label.as_ref(), own.kind)
        };
        (!self.tables.iter().all(alike)).then_some("the rankings are not of the same rows")
    }

    /// The labels, in the order of the columns.
    pub fn labels(&self) -> &LabelSet {
        &self.labels
    }

    /// The ranking of each label.
    pub fn tables(&self) -> &[Ranking] {
        &self.tables
    }

    /// The number of rows; those of weight zero are not counted.
    pub fn rows(&self) -> u64 {
        self.tables.first().map_or(0, |table| table.rows())
    }

    /// The number, or weight, of the rows with each label.
    pub fn label_weights(&self) -> Vec<f64> {
        self.tables.iter().map(|table| table.totals().0).collect()
    }

    /// All labels as one ranking: every row and label is a row of it.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if they are more rows than can be counted.
    pub fn pooled(&self) -> Result<ScoreTable> {
        let tables: Vec<&ScoreTable> = self.tables.iter().map(Ranking::table).collect();
        Ok(sum(&tables)?.into_owned())
    }

    /// The statistic of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for other labels, weights beside counts, and scores that no type holds exactly.
    pub fn add(&self, other: &Self) -> Result<Self> {
        if self.labels.values != other.labels.values {
            let reason = "the scores are of different labels".to_owned();
            return Err(Refusal::Merge { reason });
        }
        let labels = LabelSet {
            kind: self.labels.kind.max(other.labels.kind),
            values: self.labels.values.clone(),
        };
        let tables = self.tables.iter().zip(&other.tables);
        let tables = tables.map(|(a, b)| a.add(b)).collect::<Result<_>>()?;
        Self::from_tables(labels, tables).map_err(|refusal| Refusal::Merge {
            reason: refusal.to_string(),
        })
    }
}

// ---- bytes ----

const NAME: &str = "LabelScoreTables";
const KIND: u8 = b'L';
const VERSION: u8 = 1;

fn bad(reason: impl Into<String>) -> Refusal {
    Refusal::Bytes {
        kind: NAME,
        reason: reason.into(),
    }
}

impl LabelScoreTables {
    /// The statistic as bytes: the head that all have, the labels, then the bytes of each ranking behind their length.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND, VERSION);
        put_labels(&mut out, &self.labels);
        put_rankings(&mut out, &self.tables);
        out.finish()
    }

    /// The statistic from its bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::to_bytes`] would not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, NAME, KIND, VERSION)?;
        let labels = take_labels(&mut reader)?;
        let tables = take_rankings(&mut reader, labels.len())?;
        reader.finish()?;
        Self::from_tables(labels, tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::ScoreMatrix;
    use crate::base::matrix::Matrix;
    use crate::classes::one_vs_rest::{Area, each_label, label_score_tables, labels_pooled};
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
                let (a, b) = (part(0, cut), part(cut, rows));
                prop_assert_eq!(a.add(&b).unwrap().to_bytes(), all.to_bytes());
                prop_assert_eq!(b.add(&a).unwrap().to_bytes(), all.to_bytes());
            }
            prop_assert_eq!(&LabelScoreTables::from_bytes(&all.to_bytes()).unwrap(), &all);
        }

        #[test]
        fn any_other_bytes_are_refused_and_never_panic(place: usize, flip in 1_u8.., cut: usize, weighted: bool) {
            let w = [1.0, 0.5, 2.0];
            let good = tables(&[1, 0, 0, 1, 1, 1], &[0.5, 0.3, 0.2, 0.6, 0.3, 0.1], weighted.then_some(&w), 2);
            let bytes = good.to_bytes();
            prop_assert!(LabelScoreTables::from_bytes(&bytes[..cut % bytes.len()]).is_err());
            let mut changed = bytes.clone();
            let at = place % bytes.len();
            changed[at] ^= flip;
            if let Ok(tables) = LabelScoreTables::from_bytes(&changed) {
                prop_assert_eq!(tables.to_bytes(), changed);
                let _ = tables.pooled().is_ok();
            }
        }
    }
}
