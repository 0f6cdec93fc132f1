//! The statistic: ranked lists with the keys of their queries, and of their documents if these
//! break ties.

use std::sync::Arc;

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::queries::lists::{NoScore, RankedLists, Rows};
use crate::queries::row::Ties;
use crate::row_keys::column::{Distinct, KeyColumn};
use crate::row_keys::keys::{Keys, RowKeys};
use crate::statistic::Statistic;

/// Rankings by query.
///
/// Two statistics of the same rows, in any order and parts, are equal bit for bit; with
/// [`Ties::Stable`] the order of tied rows matters.
#[derive(Debug, PartialEq)]
pub struct Queries {
    /// The keys of the queries, ascending.
    pub keys: Keys,
    /// The documents that break ties, ascending.
    pub(crate) documents: Option<Keys>,
    /// The list of each query.
    pub lists: RankedLists,
}

/// The name of the argument with documents.
const DOCUMENT: &str = "document";

impl Queries {
    /// The queries of rows grouped in `queries`. `documents` has the document of each row for
    /// [`Ties::TrecEval`].
    ///
    /// # Errors
    /// Like [`RankedLists::new`]; documents that are missing or not text, or that are given without
    /// being needed.
    pub fn new(
        columns: Rows<'_>,
        queries: &RowKeys,
        documents: Option<&KeyColumn>,
        ties: Ties,
        no_score: NoScore,
    ) -> Result<Self> {
        let refused = |value: &str, expected: &str| {
            Err(Refusal::argument(DOCUMENT, value.to_owned(), expected))
        };
        match (ties, documents) {
            (Ties::TrecEval, None) => {
                return refused(
                    "None",
                    "the documents, since ties=\"trec_eval\" breaks ties by them",
                );
            }
            (Ties::Expected | Ties::Stable, Some(_)) => {
                return refused("given", "None, since only ties=\"trec_eval\" reads it");
            }
            _ => {}
        }
        let documents = documents.map(|column| match &column.distinct {
            Distinct::Texts(texts) => {
                let missing = column.places.iter().position(|&place| place as usize >= texts.len());
                match missing {
                    Some(row) => Err(Refusal::row(DOCUMENT, row, "missing", "a text")),
                    None => Ok(column),
                }
            }
            other => {
                let found = format!("a column of {}", other.name());
                Err(Refusal::argument(DOCUMENT, found, "text, as trec_eval has"))
            }
        });
        let documents = documents.transpose()?;
        let columns = Rows {
            queries: &queries.codes,
            documents: documents.map(|column| column.places.as_slice()),
            ..columns
        };
        Ok(Self {
            lists: RankedLists::new(&columns, queries.keys.groups, ties, no_score)?,
            keys: queries.keys.clone(),
            documents: documents.map(|column| keys_of(column.distinct.clone())),
        })
    }
}

impl Statistic for Queries {
    const NAME: &'static str = "Queries";
    const KIND: u8 = b'Q';

    fn size(&self) -> usize {
        self.lists.rows()
    }

    /// Adds the queries of other rows; the rows of a common query become one list.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for keys without a common order, and otherwise like [`RankedLists::add`].
    fn add(&self, other: &Self) -> Result<Self> {
        let queries = self.keys.united(&other.keys)?;
        let united = match (&self.documents, &other.documents) {
            (Some(own), Some(its)) => Some((own.united(its)?, own.groups)),
            _ => None,
        };
        let (of_own, of_other) = queries.codes.split_at(self.keys.groups);
        let ranks = united.as_ref().map_or([&[][..]; 2], |(grouped, own)| {
            let (first, second) = grouped.codes.split_at(*own);
            [first, second]
        });
        let lists = self.lists.add(&other.lists, [of_own, of_other], ranks, queries.keys.groups)?;
        Ok(Self { keys: queries.keys, documents: united.map(|(grouped, _)| grouped.keys), lists })
    }

    fn put(&self, out: &mut Writer) {
        self.keys.put(out);
        out.put(&[u8::from(self.documents.is_some())]);
        if let Some(documents) = &self.documents {
            documents.put(out);
        }
        self.lists.put(out);
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let keys = Keys::take(input)?;
        let documents = match input.u8()? {
            0 => None,
            1 => Some(Keys::take(input)?),
            _ => return Err(input.refusal("documents are promised in an unknown way")),
        };
        let count = documents.as_ref().map_or(0, |documents| documents.groups);
        let lists = RankedLists::take(input, count)?;
        let fits =
            lists.len() == keys.groups && (lists.ties() == Ties::TrecEval) == documents.is_some();
        if !fits {
            return Err(input.refusal("the lists contradict their keys"));
        }
        Ok(Self { keys, documents, lists })
    }
}

/// Distinct keys, each a group of its own.
fn keys_of(distinct: Distinct) -> Keys {
    let groups = distinct.len();
    let places = (0..groups as u32).gather();
    let column = Arc::new(KeyColumn::from_places(distinct, places));
    Keys { columns: vec![(DOCUMENT.to_owned(), column)], groups }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, LabelKind, Labels, Scores};
    use crate::statistic::laws;

    pub(crate) fn queries(rows: &[(i64, &str, f64, f64)], ties: Ties) -> Queries {
        let numbers: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let relevance: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let scores: Vec<f64> = rows.iter().map(|row| row.3).collect();
        let column = KeyColumn::new(&Labels::I64(Column::from_slice(&numbers)), "query").unwrap();
        let grouped = RowKeys::new(vec![("query".to_owned(), column)], rows.len(), "query");
        let labels: Vec<Label> = rows.iter().map(|row| Label::Text(row.1.into())).collect();
        let codes: Vec<u32> = (0..rows.len() as u32).collect();
        let coded = crate::base::input::Coded {
            codes: Column::from_slice(&codes),
            labels: &labels,
            kind: LabelKind::Text,
        };
        let documents = KeyColumn::new(&Labels::Coded(coded), "document").unwrap();
        let columns = Rows {
            relevance: Scores::F64(Column::from_slice(&relevance)),
            scores: Scores::F64(Column::from_slice(&scores)),
            queries: &[],
            weights: None,
            documents: None,
        };
        let documents = (ties == Ties::TrecEval).then_some(&documents);
        Queries::new(columns, &grouped.unwrap(), documents, ties, NoScore::NotRetrieved).unwrap()
    }

    const ROWS: [(i64, &str, f64, f64); 7] = [
        (7, "d", 1.0, 0.5),
        (3, "b", 0.0, 0.5),
        (7, "a", 0.0, 0.5),
        (-1, "c", f64::NAN, 0.25),
        (3, "f", 2.0, f64::NAN),
        (7, "e", 2.0, 0.75),
        (3, "g", 2.0, 0.5),
    ];

    #[test]
    fn shards_add_up_and_bytes_come_back() {
        for ties in [Ties::Expected, Ties::TrecEval, Ties::Stable] {
            let whole = queries(&ROWS, ties);
            for cut in 0..=ROWS.len() {
                let (head, tail) = (queries(&ROWS[..cut], ties), queries(&ROWS[cut..], ties));
                assert_eq!(head.add(&tail).unwrap(), whole, "{ties:?} {cut}");
                if ties != Ties::Stable {
                    assert_eq!(tail.add(&head).unwrap(), whole, "{ties:?} {cut}");
                }
                for part in [head, tail] {
                    assert_eq!(Queries::from_bytes(&part.to_bytes()), Ok(part));
                }
            }
        }
        let (one, other) = (queries(&ROWS, Ties::Stable), queries(&ROWS, Ties::Expected));
        let refusal = one.add(&other).unwrap_err().to_string();
        assert!(refusal.contains("\"stable\" in one"), "{refusal}");
    }

    #[test]
    fn any_byte_may_be_wrong() {
        for ties in [Ties::Expected, Ties::TrecEval, Ties::Stable] {
            let good = queries(&ROWS, ties);
            for place in 0..good.to_bytes().len() {
                for flip in [1, 0x40, 0x7f, 0xff] {
                    let _ = laws::changed(&good, place, flip, place);
                }
            }
        }
    }
}
