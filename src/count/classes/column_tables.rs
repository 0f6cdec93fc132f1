//! A ranking for each class or label by its own column of scores: the common part of
//! [`ScoreTables`] and [`LabelScoreTables`].
//!
//! [`ColumnTables`] holds the labels of the columns and one or several cells, each a
//! [`ScoreTable`], for each column. A [`Layout`] defines the cells, and how they form one ranking
//! for each class or label. Checks, addition, pooling and bytes are in this file.
//!
//! 1. Two statistics are added cell by cell. The result equals the statistic of the pooled rows,
//!    bit for bit.
//! 2. The pooled ranking, for micro averages, is the sum of the rankings of all columns.
//!
//! Cost: a score table for each cell.
//!
//! [`ScoreTables`]: crate::classes::score_tables::ScoreTables
//! [`LabelScoreTables`]: crate::classes::label_score_tables::LabelScoreTables

use std::borrow::Cow;
use std::fmt::Debug;

use crate::arith::products::unit_scale;
use crate::arith::weight_kind::WeightKind;
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet};
use crate::base::memory::{Gather, Room};
use crate::labels::binary::Pair;
use crate::labels::binary_labels::{BinaryLabels, put_labels, take_labels};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{SMALLER, ScoreTable};
use crate::statistic::Statistic;

/// Which cells a column has: the relation of its rows to its class or label.
pub trait Layout: Clone + Debug + Default + Send + Sync {
    /// The statistic's name in refusals.
    const NAME: &'static str;
    /// The letter of the statistic in its bytes.
    const KIND: u8;
    /// The meaning of the columns, in refusals.
    const COLUMNS: &'static str;

    /// The smallest and largest number of cells for this many columns.
    fn cells(columns: usize) -> (usize, usize);

    /// The place of the cell whose positives are the rows of the column's own class or label.
    fn own(column: usize, columns: usize) -> usize;

    /// The number of rows, from the cells.
    fn rows(cells: &[Ranking], columns: usize) -> u64;

    /// Why no rows can have these cells, if so.
    fn contradiction(labels: &LabelSet, cells: &[Ranking]) -> Option<&'static str>;

    /// The ranking of each column, formed from its cells.
    ///
    /// # Errors
    /// Only bytes can cause an error, not rows.
    fn each<'a>(&'a self, cells: &'a [Ranking], columns: usize) -> Result<&'a [Ranking]>;
}

/// The score tables of several columns, one column for each class or label.
#[derive(Clone, Debug)]
pub struct ColumnTables<L> {
    labels: LabelSet,
    cells: Vec<Ranking>,
    /// The layout, which may cache results derived from the cells.
    layout: L,
}

/// The cache takes no part in equality.
impl<L> PartialEq for ColumnTables<L> {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels && self.cells == other.cells
    }
}

/// One ranking for each class or label.
pub trait Rankings: Send + Sync {
    /// The labels, in the order of the columns.
    fn labels(&self) -> &LabelSet;

    /// The number of rows, without rows of weight zero.
    fn rows(&self) -> u64;

    /// The meaning of the rows' weights.
    fn weight_kind(&self) -> WeightKind;

    /// The number, or the weight, of the rows of each class or label.
    fn sizes(&self) -> Vec<f64>;

    /// [`Self::sizes`] times a power of two, so that their sum stays within the range of `f64`.
    fn parts(&self) -> Vec<f64>;

    /// The ranking of each class or label, in the order of the columns.
    ///
    /// # Errors
    /// Only bytes can cause an error, not rows.
    fn each(&self) -> Result<&[Ranking]>;

    /// All columns as one ranking: every pair (row, column) is a row of it.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if there are too many rows to count.
    fn pooled(&self) -> Result<ScoreTable>;
}

impl<L: Layout> Rankings for ColumnTables<L> {
    fn labels(&self) -> &LabelSet {
        &self.labels
    }

    fn rows(&self) -> u64 {
        L::rows(&self.cells, self.labels.len())
    }

    fn weight_kind(&self) -> WeightKind {
        let first = self.cells.first();
        first.map_or(WeightKind::Counts, |cell| cell.weight_kind())
    }

    fn sizes(&self) -> Vec<f64> {
        let columns = self.labels.len();
        let own = |column| self.cells[L::own(column, columns)].totals().0;
        (0..columns).map(own).gather()
    }

    fn parts(&self) -> Vec<f64> {
        let mut parts = self.sizes();
        if !parts.iter().all(|part| part.is_finite()) {
            for (column, part) in parts.iter_mut().enumerate() {
                let own = &self.cells[L::own(column, self.labels.len())];
                *part = own.finite().totals().0 * (2_f64.powi(SMALLER) / own.shrunk_by());
            }
        }
        let scale = unit_scale(parts.iter().copied().fold(0.0, f64::max));
        for part in &mut parts {
            *part *= scale;
        }
        parts
    }

    fn each(&self) -> Result<&[Ranking]> {
        self.layout.each(&self.cells, self.labels.len())
    }

    fn pooled(&self) -> Result<ScoreTable> {
        let tables: Vec<&ScoreTable> = self.each()?.iter().map(Ranking::table).gather();
        Ok(sum(&tables)?.into_owned())
    }
}

impl<L: Layout> ColumnTables<L> {
    /// From the labels and the cells, column after column.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] if they are inconsistent.
    pub(crate) fn new(labels: LabelSet, cells: Vec<ScoreTable>) -> Result<Self> {
        let cells: Vec<Ranking> = cells.into_iter().map(Ranking::from).gather();
        let text = |label: &Label| matches!(label, Label::Text(_));
        let is_text = labels.kind == LabelKind::Text;
        let strange = labels.values.iter().any(|label| text(label) != is_text);
        let contradiction = if strange {
            Some("the labels are not of their kind")
        } else {
            L::contradiction(&labels, &cells)
        };
        match contradiction {
            Some(reason) => Err(Self::bad(reason)),
            None => Ok(Self { labels, cells, layout: L::default() }),
        }
    }

    /// The cells, column after column.
    pub(crate) fn cells(&self) -> &[Ranking] {
        &self.cells
    }

    pub(crate) fn layout(&self) -> &L {
        &self.layout
    }

    /// Subtracts a statistic of some of these rows.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for different labels, and whenever the ranking of a column refuses.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        if self.labels.values != other.labels.values {
            let reason = format!("the scores are of different {}", L::COLUMNS);
            return Err(Refusal::Difference { reason });
        }
        if L::rows(&other.cells, other.labels.len()) == 0 {
            return Ok(self.clone());
        }
        let in_column = self.cells.len() / self.labels.len().max(1);
        let cells = self.cells.iter().zip(&other.cells).enumerate();
        let cells = cells.map(|(place, (a, b))| {
            a.subtract(b).map_err(|refusal| match refusal {
                Refusal::Difference { reason } => {
                    let reason = match self.labels.values.get(place / in_column) {
                        Some(column) => format!("in the column of {column}, {reason}"),
                        None => reason,
                    };
                    Refusal::Difference { reason }
                }
                other => other,
            })
        });
        let cells = cells.gather_all()?;
        Self::new(self.labels.clone(), cells)
            .map_err(|refusal| Refusal::Difference { reason: refusal.to_string() })
    }
}

impl<L: Layout> Statistic for ColumnTables<L> {
    const NAME: &'static str = L::NAME;
    const KIND: u8 = L::KIND;

    fn size(&self) -> usize {
        usize::try_from(self.rows()).unwrap_or(usize::MAX).saturating_mul(self.labels.len())
    }

    /// Adds two statistics. One without rows leaves the other unchanged.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for different labels, weights with counts or with another kind of
    /// weights, and scores without a common exact type.
    fn add(&self, other: &Self) -> Result<Self> {
        if self.labels.values != other.labels.values {
            let reason = format!("the scores are of different {}", L::COLUMNS);
            return Err(Refusal::Merge { reason });
        }
        // A cell of a class without rows has a kind of scores and weights, which it must share with
        // the other cells. But a statistic without rows fixes neither.
        let columns = self.labels.len();
        let have_rows = [self, other].map(|part| L::rows(&part.cells, columns) > 0);
        let kind = match have_rows {
            [true, false] => self.labels.kind,
            [false, true] => other.labels.kind,
            _ => self.labels.kind.max(other.labels.kind),
        };
        let labels = LabelSet { kind, values: self.labels.values.clone() };
        let cells = self.cells.iter().zip(&other.cells);
        let cells = cells.map(|(a, b)| match have_rows {
            [true, true] => a.pool(b),
            [true, false] => a.add_no_rows(b),
            [false, true] => b.add_no_rows(a),
            [false, false] => a.add(b),
        });
        let cells = cells.gather_all()?;
        Self::new(labels, cells).map_err(|refusal| Refusal::Merge { reason: refusal.to_string() })
    }

    fn put(&self, out: &mut Writer) {
        put_labels(out, &self.labels);
        for cell in &self.cells {
            let bytes = cell.to_bytes();
            out.put(&(bytes.len() as u64).to_le_bytes());
            out.put(&bytes);
        }
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let labels = take_labels(input)?;
        let mut cells = Vec::new();
        let (least, most) = L::cells(labels.len());
        while cells.len() < least || (cells.len() < most && input.left() > 0) {
            let len = input.len(1)?;
            cells.grow(ScoreTable::from_bytes(input.take(len)?)?);
        }
        Self::new(labels, cells)
    }
}

/// The labels of rows with and without a property.
pub(crate) fn with_and_without() -> BinaryLabels {
    BinaryLabels {
        pair: Pair { negative: Some(Label::Int(0)), positive: Some(Label::Int(1)) },
        pos_label: Some(Label::Int(1)),
        kind: LabelKind::Bool,
    }
}

/// Whether a table has these labels.
pub(crate) fn is_labelled(table: &ScoreTable, labels: &BinaryLabels) -> bool {
    let found = (table.pair(), table.pos_label(), table.label_kind());
    found == (&labels.pair, labels.pos_label.as_ref(), labels.kind)
}

/// The sum of all tables, neighbours first.
pub(crate) fn sum<'a>(tables: &[&'a ScoreTable]) -> Result<Cow<'a, ScoreTable>> {
    match tables {
        [] => Err(Refusal::Merge { reason: "there are no rankings".to_owned() }),
        [only] => Ok(Cow::Borrowed(only)),
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            Ok(Cow::Owned(sum(left)?.add(&*sum(right)?)?))
        }
    }
}
