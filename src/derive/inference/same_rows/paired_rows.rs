//! Rows of two classes that several models score: class, weight and cluster of each row.
//!
//! A row has a place: positive rows come first, in the order of the file, then negative rows.
//! Columns of different models in the order of the places belong together, and each class is
//! contiguous.

use std::ops::Range;

use crate::arith::exact::Weights;
use crate::arith::products::unit_scale;
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, Labels, NanPolicy};
use crate::base::memory::{Room, joined, with_room};
use crate::base::threads::over_parts;
use crate::labels::binary::{LabelReader, Pair};
use crate::scores::keys::check_weights;

/// Twice the place of a row must fit in 32 bits.
const MOST_ROWS: usize = (1 << 31) - 1;

/// The rows.
#[derive(Debug)]
pub struct PairedRows {
    /// 0 negative, 1 positive, in the order of the file.
    pub(crate) codes: Vec<u8>,
    /// The positive rows before each chunk.
    before: Vec<u32>,
    positives: usize,
    /// The weight of each place, divided by `scale`.
    pub(crate) weights: Option<Vec<f64>>,
    /// A power of two.
    scale: f64,
    pub(crate) weight_kind: WeightKind,
    /// The cluster of each place, and the number of clusters.
    pub(crate) clusters: Option<(Vec<u32>, usize)>,
}

impl PairedRows {
    /// Reads labels, and weights and clusters if there are any.
    ///
    /// # Errors
    /// Columns of different lengths or without rows, more than 2^31 - 1 rows, a third label, a
    /// missing label, a weight that is negative or not finite.
    pub fn new(
        y_true: &Labels,
        weights: Option<Weights>,
        weight_kind: WeightKind,
        clusters: Option<(&[u32], usize)>,
        pos_label: Option<&Label>,
    ) -> Result<Self> {
        let mut columns = vec![("y_true", y_true.len())];
        columns.grow_with(weights.map(|weights| ("sample_weight", weights.len())));
        columns.grow_with(clusters.map(|clusters| ("cluster", clusters.0.len())));
        let rows = check_rows(&columns)?;
        if rows > MOST_ROWS {
            let expected = format!("at most {MOST_ROWS} rows");
            return Err(Refusal::argument("y_true", format!("a column of {rows} rows"), expected));
        }
        let reader = LabelReader {
            labels: *y_true,
            nan_policy: NanPolicy::Raise,
            rest: false,
            argument: "y_true",
        };
        let known = [pos_label.cloned(), None];
        let pair = Pair::of(reader.discover(known, pos_label)?, pos_label);
        let codes = over_parts(rows, |part| {
            let mut codes = vec![0; part.len()];
            for (rows, codes) in chunks(part).zip(codes.chunks_mut(CHUNK)) {
                reader.lower(rows, &pair, codes)?;
            }
            Ok(codes)
        });
        let codes = joined(codes.map_err(|refusal| first(&reader, &pair, pos_label, refusal))?);
        let mut before = with_room(rows.div_ceil(CHUNK));
        let mut positives = 0;
        for chunk in codes.chunks(CHUNK) {
            before.grow(positives as u32);
            positives += count(chunk);
        }
        let mut found = Self {
            codes,
            before,
            positives,
            weights: None,
            scale: 1.0,
            weight_kind,
            clusters: None,
        };
        if let Some(weights) = weights {
            found.weigh(weights)?;
        }
        if let Some(clusters) = clusters {
            found.cluster(clusters);
        }
        Ok(found)
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The numbers of positive and of negative rows, whatever their weight.
    pub fn classes(&self) -> [usize; 2] {
        [self.positives, self.len() - self.positives]
    }

    pub(crate) fn sides(&self) -> [Range<usize>; 2] {
        [0..self.positives, self.positives..self.len()]
    }

    /// The weight of a place, divided by [`Self::scale`].
    pub(crate) fn weight(&self, place: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[place])
    }

    /// The power of two that weights were divided by.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    pub(crate) fn places(&self, rows: Range<usize>, places: &mut Vec<u32>) {
        places.clear();
        let chunk = rows.start / CHUNK;
        let mut next = [0, self.before.get(chunk).copied().unwrap_or(0)];
        next[1] += count(&self.codes[chunk * CHUNK..rows.start]) as u32;
        next[0] = (self.positives + rows.start) as u32 - next[1];
        places.grow_with(self.codes[rows].iter().map(|&code| {
            let place = next[usize::from(code)];
            next[0] += u32::from(code ^ 1);
            next[1] += u32::from(code);
            place
        }));
    }

    fn weigh(&mut self, weights: Weights) -> Result<()> {
        let mut found: Vec<f64> = vec![0.0; self.len()];
        let (mut scratch, mut places) = (Vec::new(), Vec::new());
        let mut greatest = 0.0_f64;
        for rows in chunks(0..self.len()) {
            let values = weights.chunk(rows.clone(), &mut scratch).to_vec();
            check_weights(&values, rows.start, "sample_weight")?;
            self.places(rows, &mut places);
            for (&place, &weight) in places.iter().zip(&values) {
                found[place as usize] = weight;
                greatest = greatest.max(weight);
            }
        }
        self.scale = if greatest > 0.0 { unit_scale(greatest) } else { 1.0 };
        for weight in &mut found {
            *weight *= self.scale;
        }
        self.weights = Some(found);
        Ok(())
    }

    fn cluster(&mut self, (clusters, number): (&[u32], usize)) {
        let mut found: Vec<u32> = vec![0; self.len()];
        let mut places = Vec::new();
        for rows in chunks(0..self.len()) {
            self.places(rows.clone(), &mut places);
            for (&place, row) in places.iter().zip(rows) {
                found[place as usize] = clusters[row];
            }
        }
        self.clusters = Some((found, number));
    }
}

/// The refusal of the first refused row, measured against the first two labels.
#[cold]
fn first(reader: &LabelReader, pair: &Pair, pos_label: Option<&Label>, met: Refusal) -> Refusal {
    let pair = if pos_label.is_some() { pair.clone() } else { Pair::of(reader.first_two(), None) };
    let mut codes = [0; CHUNK];
    chunks(0..reader.labels.len())
        .find_map(|rows| {
            let len = rows.len();
            reader.lower(rows, &pair, &mut codes[..len]).err()
        })
        .unwrap_or(met)
}

fn count(codes: &[u8]) -> usize {
    codes.iter().map(|&code| usize::from(code)).sum()
}
