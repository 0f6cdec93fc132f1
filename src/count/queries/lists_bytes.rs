//! The bytes of ranked lists. `docs/bytes.md` lists the fields.

use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::{f64_of, key_of_f64};
use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::queries::lists::RankedLists;
use crate::queries::row::{NOT_RETRIEVED, Row, Ties};

impl RankedLists {
    pub(crate) fn put(&self, out: &mut Writer) {
        let place = Ties::ALL.iter().position(|(_, ties)| *ties == self.ties);
        out.put(&[place.unwrap_or(0) as u8, u8::from(self.is_weighted())]);
        out.put(&(self.len() as u64).to_le_bytes());
        for start in &self.starts {
            out.put(&(*start as u64).to_le_bytes());
        }
        for row in &self.rows {
            out.put(&row.score.to_le_bytes());
            // All NaNs are written as one NaN.
            let grade = if row.grade.is_nan() { f64::NAN } else { row.grade + 0.0 };
            out.put(&grade.to_bits().to_le_bytes());
        }
        for document in &self.documents {
            out.put(&document.to_le_bytes());
        }
        for weight in &self.weights {
            out.put(&weight.to_bits().to_le_bytes());
        }
    }

    /// Reads lists of `documents` documents.
    ///
    /// # Errors
    /// [`crate::base::error::Refusal::Bytes`] for lists that no rows have.
    pub(crate) fn take(input: &mut Reader<'_>, documents: usize) -> Result<Self> {
        let [place, is_weighted] = input.array()?;
        let Some(&(_, ties)) = Ties::ALL.get(usize::from(place)) else {
            return Err(input.refusal(format!("no ties are broken in way {place}")));
        };
        let count = input.len(8)?;
        if is_weighted > u8::from(count > 0) {
            return Err(input.refusal("weights are promised in an unknown way"));
        }
        let mut starts = with_room(count + 1);
        for _ in 0..=count {
            starts.grow(input.u64()?);
        }
        let is_ascending = starts.windows(2).all(|ends| ends[0] <= ends[1]);
        let last = starts.last().copied().unwrap_or(0);
        if starts.first() != Some(&0) || !is_ascending {
            return Err(input.refusal("the lists do not follow each other"));
        }
        let bytes = input.take((last as usize).saturating_mul(16))?;
        let (rows, _) = bytes.as_chunks::<16>();
        let halves = |row: &[u8; 16]| {
            let number = u128::from_le_bytes(*row);
            Row { score: number as u64, grade: f64::from_bits((number >> 64) as u64) }
        };
        let rows = rows.iter().map(halves).gather();
        let is_score = |score: u64| {
            let number = f64_of(score);
            score == NOT_RETRIEVED || !number.is_nan() && key_of_f64(number) == score
        };
        let is_amount =
            |number: f64| (0.0..f64::INFINITY).contains(&number) && number.is_sign_positive();
        let possible = |row: &Row| {
            is_score(row.score)
                && (row.grade.to_bits() == f64::NAN.to_bits() && row.score != NOT_RETRIEVED
                    || is_amount(row.grade))
        };
        if !rows.iter().all(possible) {
            return Err(input.refusal("a row has an impossible score or relevance"));
        }
        let mut ranks = Vec::new();
        if ties == Ties::TrecEval {
            ranks = with_room(rows.len());
            for _ in 0..rows.len() {
                let rank = input.u32()?;
                if rank as usize >= documents {
                    return Err(input.refusal(format!("there is no document {rank}")));
                }
                ranks.grow(rank);
            }
        }
        let mut weights = Vec::new();
        if is_weighted > 0 {
            weights = with_room(count);
            for _ in 0..count {
                let weight = f64::from_bits(input.u64()?);
                if !is_amount(weight) {
                    return Err(input.refusal(format!("a query weighs {weight}")));
                }
                weights.grow(weight);
            }
        }
        let starts = starts.into_iter().map(|start| start as usize).gather();
        let lists = Self::of(ties, starts, rows, ranks, weights)?;
        let is_in_order = lists.starts.windows(2).all(|ends| {
            let rows = &lists.rows[ends[0]..ends[1]];
            let documents = lists.documents.get(ends[0]..ends[1]).unwrap_or_default();
            let is_after = |place: usize| {
                let (above, below) = (rows[place], rows[place + 1]);
                match ties {
                    Ties::Expected => above.place() >= below.place(),
                    Ties::Stable => above.score >= below.score,
                    Ties::TrecEval => {
                        (above.score, documents[place]) >= (below.score, documents[place + 1])
                    }
                }
            };
            !rows.is_empty() && (0..rows.len() - 1).all(is_after)
        });
        if !is_in_order {
            return Err(input.refusal("a list is empty or not in order"));
        }
        Ok(lists)
    }
}
