//! The ranked lists of all queries: the statistic behind every measure of retrieval.
//!
//! 1. Each row has the number of its query. Rows grouped by query, the usual case, are copied in
//!    order; others are moved to buckets of queries (`row_keys/buckets.rs`), and in each bucket to
//!    their query.
//! 2. The rows of each query are sorted by score: up to 32 rows by counting, in vectors, how many
//!    rows precede each row.
//! 3. If ties are shared, rows with equal scores are ordered by relevance, so lists of the same
//!    rows have the same bytes for any order of the input.
//!
//! Cost for a million rows in 100,000 queries: about 20 ms if they are grouped by query, 30 ms in
//! any other order. 16 bytes a row.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::ops::Range;
use std::slice::IterMut;

use crate::base::column::{CHUNK, Column, chunks};
use crate::base::dtype::key_of_f64;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::Scores;
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Room, with_room};
use crate::base::threads::{Pieces, defaults, filled, over_items, over_parts, zeros_in_parts};
use crate::base::wide::wide;
use crate::queries::list::RankedList;
use crate::queries::row::{NOT_RETRIEVED, Row, Ties, put_in_order};
use crate::row_keys::buckets::{Bucket, Buckets};

/// The number of lists sorted between two checks for a stop.
const LISTS_AT_A_TIME: usize = 1024;

/// What to do with a row without a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScore {
    /// Refuse it.
    Refused,
    /// Count it as judged but not retrieved.
    NotRetrieved,
}

/// Columns of rows; `queries` holds the number of each row's query.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The relevance of each row; NaN and negative numbers mean no judgment.
    pub relevance: Scores<'a>,
    /// The score of each row.
    pub scores: Scores<'a>,
    /// The number of each row's query.
    pub queries: &'a [u32],
    /// The weight of each row's query: equal for all rows of a query.
    pub weights: Option<Column<'a, f64>>,
    /// The rank of each row's document among all documents, for [`Ties::TrecEval`].
    pub documents: Option<&'a [u32]>,
}

/// The ranked lists of all queries, by the number of the query.
#[derive(Debug)]
pub struct RankedLists {
    pub(crate) ties: Ties,
    /// Where each list starts, and where the last one ends.
    pub(crate) starts: Vec<usize>,
    /// The rows of all lists, each in its order.
    pub(crate) rows: Vec<Row>,
    /// The document of each row for [`Ties::TrecEval`], otherwise empty.
    pub(crate) documents: Vec<u32>,
    /// The weight of each query; empty without weights.
    pub(crate) weights: Vec<f64>,
    /// The highest relevance of all rows; 0 if none is higher.
    top: f64,
}

impl PartialEq for RankedLists {
    fn eq(&self, other: &Self) -> bool {
        let ordered = |lists: &Self| lists.ties == other.ties && lists.starts == other.starts;
        ordered(self)
            && self.rows == other.rows
            && self.documents == other.documents
            && self.weights == other.weights
    }
}

/// Whether the rows are grouped by query, in order.
fn are_sorted(queries: &[u32]) -> Result<bool> {
    let are_sorted = over_parts(queries.len(), |part| {
        let all = &queries[part.start.saturating_sub(1)..part.end];
        Ok(all.is_sorted())
    })?;
    Ok(are_sorted.into_iter().all(|are| are))
}

/// Where the rows of each query start, and where the last end, if they are grouped by query.
fn starts_of(queries: &[u32], count: usize) -> Result<Vec<usize>> {
    let mut starts = vec![0_usize; count + 1];
    let share = queries.len().div_ceil(count + 1);
    over_items(count + 1, &|query| query * share, &mut starts[..], |those, starts| {
        let mut row = queries.partition_point(|&query| (query as usize) < those.start);
        for (start, query) in starts.iter_mut().zip(those) {
            while queries.get(row).is_some_and(|&at| (at as usize) < query) {
                row += 1;
            }
            *start = row;
        }
        Ok(())
    })?;
    Ok(starts)
}

impl RankedLists {
    pub(crate) fn of(
        ties: Ties,
        starts: Vec<usize>,
        rows: Vec<Row>,
        documents: Vec<u32>,
        weights: Vec<f64>,
    ) -> Result<Self> {
        let tops = over_parts(rows.len(), |part| {
            Ok(rows[part].iter().map(|row| row.grade).fold(0.0, f64::max))
        })?;
        let top = tops.into_iter().fold(0.0, f64::max);
        Ok(Self { ties, starts, rows, documents, weights, top })
    }

    /// The lists of `count` queries from rows in any order.
    ///
    /// # Errors
    /// Columns of different lengths; a score that is not finite, except NaN under
    /// [`NoScore::NotRetrieved`]; a row with neither score nor relevance; infinite relevance;
    /// weights that are negative, not finite, or differ within a query.
    pub fn new(columns: &Rows<'_>, count: usize, ties: Ties, no_score: NoScore) -> Result<Self> {
        let (scores, relevance) = (columns.scores, columns.relevance);
        let length = ("y_score", scores.len());
        check_length(("relevance", relevance.len()), length)?;
        check_length(("query", columns.queries.len()), length)?;
        if let Some(weights) = columns.weights {
            check_length(("query_weight", weights.len()), length)?;
        }
        if let Some(documents) = columns.documents {
            check_length(("document", documents.len()), length)?;
        }
        let weights = columns.weights_of_queries(count)?;
        let is_whole = scores.kind().is_wide() && !scores.kind().is_float();
        let read = |range: Range<usize>, to: &mut [Row], memory: &mut [Vec<f64>; 2]| {
            let [of_scores, of_relevance] = memory;
            let chunk = scores.lowered(range.clone(), of_scores);
            let grades = relevance.lowered(range.clone(), of_relevance);
            if read_chunk(ties == Ties::TrecEval, chunk, grades, to) {
                return Ok(());
            }
            for ((row, to), (&score, &grade)) in range.zip(to).zip(chunk.iter().zip(grades)) {
                *to = read_odd(row, score, grade, (is_whole, ties), no_score)?;
            }
            Ok(())
        };
        if are_sorted(columns.queries)? {
            let starts = starts_of(columns.queries, count)?;
            let (rows, _) = filled("y_score", scores.len(), |range, rows| {
                let mut memory = <[Vec<f64>; 2]>::default();
                let mut own = vec![Row::default(); CHUNK.min(range.len())];
                for range in chunks(range) {
                    let own = &mut own[..range.len()];
                    read(range, own, &mut memory)?;
                    for &row in &*own {
                        rows.push(row);
                    }
                }
                Ok(())
            })?;
            let documents = columns.documents.map_or_else(Vec::new, CopyAll::copy_all);
            return Self::of(ties, starts, rows, documents, weights)?.sorted();
        }
        let buckets = Buckets::new(columns.queries, count)?;
        let mut rows: Vec<Row> = defaults("y_score", scores.len())?;
        // The query of each row, and the document.
        let mut besides: Vec<[u32; 2]> = defaults("y_score", scores.len())?;
        let move_part =
            |part: Range<usize>, places: &mut [(IterMut<'_, Row>, IterMut<'_, [u32; 2]>)]| {
                let mut memory = <[Vec<f64>; 2]>::default();
                let mut own = vec![Row::default(); CHUNK.min(part.len())];
                for range in chunks(part) {
                    let own = &mut own[..range.len()];
                    read(range.clone(), own, &mut memory)?;
                    for (source, &row) in range.zip(&*own) {
                        let query = columns.queries[source];
                        let document = columns.documents.map_or(0, |ranks| ranks[source]);
                        let (rows, besides) = &mut places[buckets.of(query)];
                        if let (Some(to), Some(beside)) = (rows.next(), besides.next()) {
                            (*to, *beside) = (row, [query, document]);
                        }
                    }
                }
                Ok(())
            };
        let open =
            |(rows, besides): (_, _)| (<[Row]>::iter_mut(rows), <[[u32; 2]]>::iter_mut(besides));
        buckets.over_parts((&mut rows[..], &mut besides[..]), open, move_part)?;
        let mut starts: Vec<usize> = zeros_in_parts(count + 1);
        let mut documents: Vec<u32> = zeros_in_parts(columns.documents.map_or(0, <[u32]>::len));
        let moved = Moved {
            buckets: &buckets.all,
            rows: &mut rows,
            besides: &besides,
            documents: &mut documents,
            ends: &mut starts[1..],
        };
        over_items(buckets.all.len(), &|bucket| buckets.before(bucket), moved, |_, mut rest| {
            let mut scratch = Vec::new();
            while let [bucket, ..] = rest.buckets {
                let (own, others) = rest.split(1);
                interrupt::check();
                own.grouped(bucket, &mut scratch);
                rest = others;
            }
            Ok(())
        })?;
        drop(besides);
        Self::of(ties, starts, rows, documents, weights)?.sorted()
    }

    /// The lists with the rows of each query in order.
    fn sorted(mut self) -> Result<Self> {
        let Self { ties, starts, rows, documents, .. } = &mut self;
        let starts = &**starts;
        let before = |list: usize| starts[list] + list;
        over_items(
            starts.len() - 1,
            &before,
            Lists { starts, rows, documents },
            |_, mut lists| {
                while lists.starts.len() > 1 {
                    let len = LISTS_AT_A_TIME.min(lists.starts.len() - 1);
                    let (own, rest) = lists.split(len);
                    put_in_order(*ties, own.starts, own.rows, own.documents);
                    lists = rest;
                }
                Ok(())
            },
        )?;
        Ok(self)
    }

    /// The rows of all queries before one, or of all.
    pub fn rows_before(&self, query: usize) -> usize {
        self.starts[query]
    }

    /// How ties are broken.
    pub fn ties(&self) -> Ties {
        self.ties
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The rows of a query.
    pub(crate) fn range(&self, query: usize) -> Range<usize> {
        self.starts[query]..self.starts[query + 1]
    }

    /// The list of a query.
    #[inline]
    pub fn list(&self, query: usize) -> RankedList<'_> {
        RankedList::new(&self.rows[self.range(query)], self.ties, self.top)
    }

    /// The weight of a query; 1 without weights.
    #[inline]
    pub fn weight(&self, query: usize) -> f64 {
        self.weights.get(query).copied().unwrap_or(1.0)
    }

    /// Whether queries have weights.
    pub fn is_weighted(&self) -> bool {
        !self.weights.is_empty()
    }

    /// Why other lists cannot be added to these, if so.
    pub(crate) fn goes_with(&self, other: &Self) -> std::result::Result<(), String> {
        if self.ties != other.ties {
            let (own, its) = (self.ties.name(), other.ties.name());
            return Err(format!("ties are {own:?} in one and {its:?} in the other"));
        }
        if self.is_weighted() != other.is_weighted() && !self.is_empty() && !other.is_empty() {
            return Err("queries have weights in one only".to_owned());
        }
        Ok(())
    }

    /// Adds the lists of other rows. The queries of each get new numbers, below `count`, and the
    /// documents new ranks. Rows of a common query become one list; for [`Ties::Stable`] the rows
    /// of `self` come first.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for ties broken in different ways, for weights in one only, and for a
    /// query with different weights.
    pub fn add(
        &self,
        other: &Self,
        queries: [&[u32]; 2],
        documents: [&[u32]; 2],
        count: usize,
    ) -> Result<Self> {
        let refused = |reason: String| Err(Refusal::Merge { reason });
        if let Err(reason) = self.goes_with(other) {
            return refused(reason);
        }
        let both = [self, other];
        let mut starts = vec![0_usize; count + 1];
        let mut weights: Vec<f64> = Vec::new();
        if both.iter().any(|lists| lists.is_weighted()) {
            weights.grow_to(count, f64::NAN);
        }
        for (lists, numbers) in both.into_iter().zip(queries) {
            for (query, &number) in numbers.iter().enumerate() {
                starts[number as usize + 1] += lists.range(query).len();
                if let Some(known) = weights.get_mut(number as usize) {
                    let own = lists.weight(query);
                    if !known.is_nan() && *known != own {
                        return refused(format!(
                            "a query weighs {known} in one and {own} in the other"
                        ));
                    }
                    *known = own;
                }
            }
        }
        for query in 0..count {
            starts[query + 1] += starts[query];
        }
        let mut rows: Vec<Row> = vec![Row::default(); self.rows() + other.rows()];
        let mut ranks: Vec<u32> = vec![0; self.documents.len() + other.documents.len()];
        let mut next = starts.copy_all();
        for ((lists, numbers), documents) in both.into_iter().zip(queries).zip(documents) {
            for (query, &number) in numbers.iter().enumerate() {
                let (from, place) = (lists.range(query), &mut next[number as usize]);
                let to = *place..*place + from.len();
                *place = to.end;
                rows[to.clone()].copy_from_slice(&lists.rows[from.clone()]);
                if !lists.documents.is_empty() {
                    let own = &lists.documents[from];
                    for (rank, &document) in ranks[to].iter_mut().zip(own) {
                        *rank = documents[document as usize];
                    }
                }
            }
        }
        Self::of(self.ties, starts, rows, ranks, weights)?.sorted()
    }
}

/// Consecutive lists: where each starts and the last one ends, their rows, and the documents of
/// these, if there are any.
struct Lists<'a> {
    starts: &'a [usize],
    rows: &'a mut [Row],
    documents: &'a mut [u32],
}

impl Pieces for Lists<'_> {
    fn split(self, len: usize) -> (Self, Self) {
        let rows = self.starts[len] - self.starts[0];
        let (own, rest) = self.rows.split_at_mut(rows);
        let (documents, others) = self.documents.split_at_mut(rows.min(self.documents.len()));
        (
            Self { starts: &self.starts[..=len], rows: own, documents },
            Self { starts: &self.starts[len..], rows: rest, documents: others },
        )
    }
}

/// Buckets of consecutive queries, whose rows have been moved there.
struct Moved<'a> {
    buckets: &'a [Bucket],
    rows: &'a mut [Row],
    /// The query of each row, and its document.
    besides: &'a [[u32; 2]],
    /// The document of each row, if there are any, in the order of the lists.
    documents: &'a mut [u32],
    /// Where the rows of each query end.
    ends: &'a mut [usize],
}

impl Pieces for Moved<'_> {
    fn split(self, len: usize) -> (Self, Self) {
        let (buckets, others) = self.buckets.split_at(len);
        let rows = buckets.iter().map(|bucket| bucket.rows.len()).sum::<usize>();
        let queries = buckets.iter().map(|bucket| bucket.groups.len()).sum();
        let (own, other_rows) = self.rows.split_at_mut(rows);
        let (besides, other_besides) = self.besides.split_at(rows);
        let (documents, rest) = self.documents.split_at_mut(rows.min(self.documents.len()));
        let (ends, other_ends) = self.ends.split_at_mut(queries);
        (
            Self { buckets, rows: own, besides, documents, ends },
            Self {
                buckets: others,
                rows: other_rows,
                besides: other_besides,
                documents: rest,
                ends: other_ends,
            },
        )
    }
}

impl Moved<'_> {
    /// Brings the rows of each query of the only bucket together, in their order.
    fn grouped(self, bucket: &Bucket, scratch: &mut Vec<Row>) {
        let first = bucket.groups.start;
        for &[query, _] in self.besides {
            self.ends[query as usize - first] += 1;
        }
        // Each end is first where the rows of the query begin.
        let mut sum = bucket.rows.start;
        for end in &mut *self.ends {
            sum += std::mem::replace(end, sum);
        }
        scratch.clear();
        scratch.grow_by(self.rows);
        for (&row, &[query, document]) in scratch.iter().zip(self.besides) {
            let end = &mut self.ends[query as usize - first];
            let place = *end - bucket.rows.start;
            self.rows[place] = row;
            if let Some(to) = self.documents.get_mut(place) {
                *to = document;
            }
            *end += 1;
        }
    }
}

wide! {
    /// Reads rows; false if some row needs the general path.
    fn read_chunk[](single: bool, scores: &[f64], grades: &[f64], rows: &mut [Row]) -> bool = read_rows;
}

/// Beyond this, not all integers are floats.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[inline(always)]
fn read_rows(single: bool, scores: &[f64], grades: &[f64], rows: &mut [Row]) -> bool {
    let mut is_plain = true;
    for ((row, &score), &grade) in rows.iter_mut().zip(scores).zip(grades) {
        is_plain &= score.abs() < EXACT && grade.abs() < EXACT;
        let score = if single { f64::from(score as f32) } else { score };
        *row = Row { score: key_of_f64(score), grade: if grade >= 0.0 { grade } else { f64::NAN } };
    }
    is_plain
}

/// Reads one row that may be unusual.
#[cold]
fn read_odd(
    row: usize,
    score: f64,
    grade: f64,
    (is_whole, ties): (bool, Ties),
    no_score: NoScore,
) -> Result<Row> {
    if grade.is_infinite() {
        let expected = "a finite number; missing or negative where it was not judged";
        return Err(Refusal::row("relevance", row, grade, expected));
    }
    if is_whole && score.abs() >= EXACT {
        let expected = "an integer below 2^53, which float64 holds exactly";
        return Err(Refusal::row("y_score", row, score, expected));
    }
    let is_judged = grade >= 0.0;
    if score.is_finite() {
        let score = if ties == Ties::TrecEval { f64::from(score as f32) } else { score };
        return Ok(Row {
            score: key_of_f64(score),
            grade: if is_judged { grade } else { f64::NAN },
        });
    }
    if !score.is_nan() || no_score == NoScore::Refused {
        let expected = "a finite number; nan_policy=\"not_retrieved\" takes NaN for a row that was \
                        judged but not retrieved";
        return Err(Refusal::row("y_score", row, score, expected));
    }
    if !is_judged {
        let expected = "a score, since its relevance is missing too";
        return Err(Refusal::row("y_score", row, score, expected));
    }
    Ok(Row { score: NOT_RETRIEVED, grade })
}

impl Rows<'_> {
    /// The weight of each query, common to its rows.
    fn weights_of_queries(&self, count: usize) -> Result<Vec<f64>> {
        let Some(column) = self.weights else {
            return Ok(Vec::new());
        };
        let mut weights: Vec<f64> = with_room(count);
        weights.resize(count, f64::NAN);
        let mut scratch = Vec::new();
        for range in chunks(0..column.len()) {
            let chunk = column.chunk(range.clone(), &mut scratch);
            for (row, &weight) in range.zip(chunk) {
                if !(0.0..f64::INFINITY).contains(&weight) {
                    let expected = "a finite number that is not negative";
                    return Err(Refusal::row("query_weight", row, weight, expected));
                }
                let known = &mut weights[self.queries[row] as usize];
                if !known.is_nan() && *known != weight {
                    let expected = format!("{known}, as on an earlier row of the same query");
                    return Err(Refusal::row("query_weight", row, weight, expected));
                }
                *known = weight + 0.0; // without the sign of a zero
            }
        }
        Ok(weights)
    }
}
