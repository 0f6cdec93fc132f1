//! One query's ranked list, in the form that measures read.

use crate::queries::row::{NOT_RETRIEVED, Row, Ties};

/// The ranked list of one query.
#[derive(Clone, Copy, Debug)]
pub struct RankedList<'a> {
    /// The rows: retrieved rows in their order, then the others.
    rows: &'a [Row],
    ties: Ties,
    /// The highest relevance of all queries.
    top: f64,
}

/// The least relevance of relevant rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relevant(f64);

impl Relevant {
    /// Rows of at least this relevance are relevant; for NaN, rows above 0.
    #[inline]
    pub fn from(least: f64) -> Self {
        // The smallest number above 0.
        Self(if least.is_nan() { f64::from_bits(1) } else { least })
    }

    /// Whether a row of this relevance is relevant. A row without judgment is not.
    #[inline]
    pub(crate) fn is(self, grade: f64) -> bool {
        grade >= self.0
    }
}

/// Rows with equal scores, or a single row if ties are broken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie<'a> {
    /// The number of rows above.
    pub(crate) above: usize,
    pub(crate) rows: &'a [Row],
}

/// A tie with its number of relevant rows.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_field_names)] // hits are relevant rows
pub(crate) struct Hits {
    /// The number of rows above.
    pub(crate) above: usize,
    /// The number of relevant rows above.
    pub(crate) hits_above: usize,
    pub(crate) rows: usize,
    pub(crate) hits: usize,
}

impl<'a> RankedList<'a> {
    pub(crate) fn new(rows: &'a [Row], ties: Ties, top: f64) -> Self {
        Self { rows, ties, top }
    }

    /// The number of rows, retrieved or not.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether values follow `trec_eval`.
    pub(crate) fn is_as_trec_eval(&self) -> bool {
        self.ties == Ties::TrecEval
    }

    /// The rows that were retrieved.
    #[inline]
    pub fn retrieved(&self) -> &'a [Row] {
        let is_last_retrieved = self.rows.last().is_none_or(|row| row.score != NOT_RETRIEVED);
        if is_last_retrieved {
            return self.rows;
        }
        let count = self.rows.partition_point(|row| row.score != NOT_RETRIEVED);
        &self.rows[..count]
    }

    /// The relevance of all rows, retrieved or not; NaN for rows without judgment.
    pub fn grades(&self) -> impl Iterator<Item = f64> + use<'a> {
        self.rows.iter().map(|row| row.grade)
    }

    /// The number of relevant rows, retrieved or not.
    #[inline]
    pub fn relevant(&self, relevant: Relevant) -> usize {
        self.grades().filter(|&grade| relevant.is(grade)).count()
    }

    /// The highest relevance of all queries; 0 if no row is relevant.
    pub fn top(&self) -> f64 {
        self.top
    }

    /// The ties of the retrieved rows, from the top.
    #[inline]
    pub(crate) fn ties(&self) -> impl Iterator<Item = Tie<'a>> + use<'a> {
        let shares = self.ties == Ties::Expected;
        let same = move |one: &Row, next: &Row| shares && one.score == next.score;
        self.retrieved().chunk_by(same).scan(0, |above, rows| {
            let tie = Tie { above: *above, rows };
            *above += rows.len();
            Some(tie)
        })
    }

    /// The ties with their hits, from the top.
    #[inline]
    pub(crate) fn hits(&self, relevant: Relevant) -> impl Iterator<Item = Hits> + use<'a> {
        self.ties().scan(0, move |hits_above, tie| {
            let is_hit = |row: &&Row| relevant.is(row.grade);
            let hits = tie.rows.iter().filter(is_hit).count();
            let found =
                Hits { above: tie.above, hits_above: *hits_above, rows: tie.rows.len(), hits };
            *hits_above += hits;
            Some(found)
        })
    }
}

impl Hits {
    /// The number of rows of the tie among the first `k` of the list.
    #[inline]
    pub(crate) fn within(&self, k: usize) -> usize {
        k.saturating_sub(self.above).min(self.rows)
    }
}
