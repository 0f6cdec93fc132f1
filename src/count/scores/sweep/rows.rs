//! Rows for the ranking kernels: a chunk of labels, scores and weights becomes classes, order keys
//! and weights in cache.

use std::ops::Range;

use crate::arith::exact::Weights;
use crate::arith::weight_kind::WeightKind;
use crate::base::column::{CHUNK, Column, Element, chunks};
use crate::base::dtype::visit;
use crate::base::error::{Refusal, Result, check_length, check_part};
use crate::base::input::{Label, Labels, NanPolicy, OMITTED, Scores};
use crate::base::memory::{Gather, Room};
use crate::base::wide::prefetch_read;
use crate::labels::binary::{LabelReader, Pair};
use crate::scores::keys::{Key, Lowered, ScoreReader, Stop, check_weights};

/// The names of the columns in refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// The labels.
    pub y_true: &'static str,
    /// The scores.
    pub y_score: &'static str,
    /// The weights.
    pub sample_weight: &'static str,
}

impl Default for Arguments {
    fn default() -> Self {
        Self { y_true: "y_true", y_score: "y_score", sample_weight: "sample_weight" }
    }
}

/// Options for the kernels that rank.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// The label of positive rows; by default the greater of the two labels.
    pub pos_label: Option<Label>,
    /// With `pos_label`: every other label is negative, however many there are.
    pub rest: bool,
    /// The policy for NaN scores and missing labels (for labels, `Worst` and `Best` mean `Raise`).
    pub nan_policy: NanPolicy,
    /// Whether ±∞ is a score like any other; otherwise it is refused.
    pub infinite: bool,
    /// The meaning of the weights.
    pub weight_kind: WeightKind,
    /// Whether an input without rows is accepted as a part of a larger one, if `pos_label` gives it
    /// a meaning; otherwise it is refused.
    pub part: bool,
    /// The names of the columns.
    pub arguments: Arguments,
}

impl SweepOptions {
    /// Whether an input without rows is accepted.
    pub fn takes_no_rows(&self) -> bool {
        self.part && self.pos_label.is_some()
    }

    /// Options for labels 0 and 1, either of which may be absent.
    pub fn zero_one() -> Self {
        Self { pos_label: Some(Label::Int(1)), ..Self::default() }
    }
}

/// Rows between two prefetches.
pub const STRIP: usize = 128;

/// At most [`CHUNK`] rows in cache.
pub struct Chunk<K> {
    /// The scores' keys.
    pub keys: Vec<K>,
    /// 0 negative, 1 positive.
    pub codes: Vec<u8>,
    /// The weights, if there are weights.
    pub weights: Vec<f64>,
    /// The columns of amounts for each row, if any, times the weights.
    pub amounts: Vec<Vec<f64>>,
    /// Where the results of the rows belong, if the source gives places.
    pub places: Vec<u32>,
    /// The number of rows in the chunk.
    pub len: usize,
}

impl<K: Key> Chunk<K> {
    pub fn new() -> Self {
        Self::of(CHUNK)
    }

    /// Memory for `rows` rows, at most [`CHUNK`].
    pub(crate) fn of(rows: usize) -> Self {
        let room = rows.min(CHUNK);
        Self {
            keys: vec![K::default(); room],
            codes: vec![0; room],
            weights: Vec::new(),
            amounts: Vec::new(),
            places: Vec::new(),
            len: 0,
        }
    }

    /// The keys and classes in strips of [`STRIP`] rows; after each strip, later rows are
    /// prefetched.
    pub(crate) fn strips(&self) -> impl Iterator<Item = (&[K], &[u8])> {
        self.keys[..self.len].chunks(STRIP).zip(self.codes[..self.len].chunks(STRIP))
    }

    /// Drops the rows whose code is [`OMITTED`] and, with weights, the rows of weight zero.
    pub(crate) fn compact(&mut self) {
        let mut kept = 0;
        for place in 0..self.len {
            let weight = self.weights.get(place).copied();
            if self.codes[place] != OMITTED && weight != Some(0.0) {
                self.keys[kept] = self.keys[place];
                self.codes[kept] = self.codes[place];
                if let Some(weight) = weight {
                    self.weights[kept] = weight;
                }
                for amounts in &mut self.amounts {
                    amounts[kept] = amounts[place];
                }
                kept += 1;
            }
        }
        self.len = kept;
    }
}

/// A source of rows. Several threads may read its chunks in any order.
pub trait Rows<K>: Sync {
    /// Whether the rows are our own copy, which takes memory beside the result.
    const ARE_KEPT: bool = false;

    /// The number of rows, including those that will be left out.
    fn rows(&self) -> usize;
    /// The expected number of rows that are not left out.
    fn likely(&self, rows: usize) -> usize {
        rows
    }
    /// The key of one row, if it has one.
    fn sample(&self, row: usize) -> Option<K>;
    /// Prefetches rows that will be read soon.
    fn prefetch(&self, rows: Range<usize>);
    /// Reads at most [`CHUNK`] rows.
    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop>;
}

/// The rows of columns.
pub struct Input<'a> {
    labels: LabelReader<'a>,
    scores: ScoreReader<'a>,
    pub(crate) weights: Option<Weights<'a>>,
    /// Amounts for each row, and the names of their columns in refusals.
    amounts: Vec<(Column<'a, f64>, &'static str)>,
    /// The two labels.
    pub pair: Pair,
    arguments: Arguments,
    pos_label: Option<Label>,
}

impl<'a> Input<'a> {
    /// Checks the columns' lengths and finds the labels.
    pub fn new(
        y_true: &Labels<'a>,
        y_score: &Scores<'a>,
        weights: Option<Weights<'a>>,
        options: &SweepOptions,
    ) -> Result<Self> {
        let mut input = Self::unlabelled(y_true, y_score, weights, options)?;
        let known = [options.pos_label.clone(), None];
        let found = input.discover(known)?;
        input.pair = Pair::of(found, options.pos_label.as_ref());
        Ok(input)
    }

    /// [`Self::new`] before the labels are known.
    pub(crate) fn unlabelled(
        y_true: &Labels<'a>,
        y_score: &Scores<'a>,
        weights: Option<Weights<'a>>,
        options: &SweepOptions,
    ) -> Result<Self> {
        let arguments = options.arguments;
        let mut columns =
            vec![(arguments.y_true, y_true.len()), (arguments.y_score, y_score.len())];
        if let Some(weights) = &weights {
            columns.grow((arguments.sample_weight, weights.len()));
        }
        check_part(&columns, options.takes_no_rows())?;
        Ok(Self {
            labels: LabelReader {
                labels: *y_true,
                nan_policy: options.nan_policy,
                rest: options.rest && options.pos_label.is_some(),
                argument: arguments.y_true,
            },
            scores: ScoreReader {
                scores: *y_score,
                nan_policy: options.nan_policy,
                infinite: options.infinite,
                argument: arguments.y_score,
            },
            weights,
            amounts: Vec::new(),
            pair: Pair::default(),
            arguments,
            pos_label: options.pos_label.clone(),
        })
    }

    /// Adds columns of finite amounts, each times the weight of its row.
    ///
    /// # Errors
    /// [`Refusal::Length`] for a column with a wrong length.
    pub(crate) fn with_amounts(
        mut self,
        amounts: Vec<(Column<'a, f64>, &'static str)>,
    ) -> Result<Self> {
        for (column, argument) in &amounts {
            let labels = (self.arguments.y_true, self.rows_in_all());
            check_length((*argument, column.len()), labels)?;
        }
        self.amounts = amounts;
        Ok(self)
    }

    /// Up to two labels, including those known.
    pub(crate) fn discover(&self, known: [Option<Label>; 2]) -> Result<[Option<Label>; 2]> {
        self.labels.discover(known, self.pos_label.as_ref())
    }

    /// Whether the scores are doubles that, in a sample, are all singles.
    pub(crate) fn seem_single(&self) -> bool {
        self.scores.scores.doubles().is_some()
            && spread(self.scores.scores.len(), 1024).all(|row| {
                let (mut key, mut code) = ([0_u32], [0]);
                self.scores.lower(row..row + 1, &mut key, &mut code) != Err(Stop::Inexact)
            })
    }

    /// The first refusal when the rows are read in order: the one to report, independent of the
    /// split among threads.
    #[cold]
    pub(crate) fn first_refusal<K: Lowered>(&self, met: Refusal) -> Refusal {
        let pair = if self.pos_label.is_some() {
            self.pair.clone()
        } else {
            Pair::of(self.labels.first_two(), None)
        };
        let mut chunk = Chunk::<K>::new();
        for rows in chunks(0..self.scores.scores.len()) {
            match self.lower_as(&pair, rows.clone(), &mut chunk) {
                Err(Stop::Refused(refusal)) => {
                    // A chunk is read column by column, so another column may refuse an earlier
                    // row.
                    let mut first = |row| self.lower_as(&pair, row..row + 1, &mut chunk).err();
                    return match rows.into_iter().find_map(&mut first) {
                        Some(Stop::Refused(earlier)) => earlier,
                        _ => refusal,
                    };
                }
                Err(Stop::Inexact) => break,
                Ok(()) => {}
            }
        }
        met
    }

    fn rows_in_all(&self) -> usize {
        self.scores.scores.len()
    }

    fn lower_as<K: Lowered>(
        &self,
        pair: &Pair,
        rows: Range<usize>,
        chunk: &mut Chunk<K>,
    ) -> std::result::Result<(), Stop> {
        let len = rows.len();
        chunk.len = len;
        let mut omitted = self.labels.lower(rows.clone(), pair, &mut chunk.codes[..len])?;
        let codes = &mut chunk.codes[..len];
        omitted |= self.scores.lower(rows.clone(), &mut chunk.keys[..len], codes)?;
        if let Some(column) = &self.weights {
            let mut scratch = Vec::new();
            chunk.weights.clear();
            chunk.weights.grow_by(column.chunk(rows.clone(), &mut scratch));
            check_weights(&chunk.weights, rows.start, self.arguments.sample_weight)?;
            omitted |= chunk.weights.contains(&0.0);
        }
        if !self.amounts.is_empty() {
            self.lower_amounts(&rows, chunk)?;
        }
        if omitted {
            chunk.compact();
        }
        Ok(())
    }

    fn lower_amounts<K: Lowered>(&self, rows: &Range<usize>, chunk: &mut Chunk<K>) -> Result<()> {
        chunk.amounts.resize_with(self.amounts.len(), Vec::new);
        for ((column, argument), to) in self.amounts.iter().zip(&mut chunk.amounts) {
            let mut scratch = Vec::new();
            to.clear();
            to.grow_by(column.chunk(rows.clone(), &mut scratch));
            if let Some(place) = to.iter().position(|amount| !amount.is_finite()) {
                let row = rows.start + place;
                return Err(Refusal::row(argument, row, to[place], "a finite number"));
            }
            for (place, (amount, weight)) in to.iter_mut().zip(&chunk.weights).enumerate() {
                let weighed = *amount * weight;
                if !weighed.is_finite() {
                    let expected = "a number whose product with the weight is in the range of f64";
                    return Err(Refusal::row(argument, rows.start + place, *amount, expected));
                }
                *amount = weighed;
            }
        }
        Ok(())
    }
}

impl<K: Lowered> Rows<K> for Input<'_> {
    fn rows(&self) -> usize {
        self.scores.scores.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        let (mut key, mut code) = ([K::default()], [0]);
        self.scores.lower(row..row + 1, &mut key, &mut code).ok()?;
        (code[0] != OMITTED).then_some(key[0])
    }

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        self.lower_as(&self.pair, rows, chunk)
    }

    fn prefetch(&self, rows: Range<usize>) {
        let rows = rows.start.min(self.rows_in_all())..rows.end.min(self.rows_in_all());
        labels_near(&self.labels.labels, rows.clone());
        scores_near(&self.scores.scores, rows);
    }
}

/// Prefetches labels. The hardware follows a column only while it is read, and starts again with
/// each chunk.
pub(crate) fn labels_near(labels: &Labels, rows: Range<usize>) {
    visit!(Labels(labels), |column, N| near(column, rows), Labels::Coded(coded) => near(&coded.codes, rows));
}

/// Prefetches scores.
pub fn scores_near(scores: &Scores, rows: Range<usize>) {
    visit!(Scores(scores), |column, N| near(column, rows));
}

fn near<T: Element>(column: &Column<T>, rows: Range<usize>) {
    if let Some(values) = column.part(rows).as_slice() {
        values.chunks(64 / size_of::<T>()).for_each(|line| prefetch_read(line.as_ptr()));
    }
}

/// Keys and classes in memory, negative rows first.
pub(crate) struct Apart<'a, K> {
    pub negatives: &'a [K],
    pub positives: &'a [K],
}

impl<K: Key> Rows<K> for Apart<'_, K> {
    fn prefetch(&self, _: Range<usize>) {}

    fn rows(&self) -> usize {
        self.negatives.len() + self.positives.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        let own = row.checked_sub(self.negatives.len());
        own.map_or_else(|| self.negatives.get(row), |row| self.positives.get(row)).copied()
    }

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        chunk.len = rows.len();
        let middle = self.negatives.len();
        let negatives = &self.negatives[rows.start.min(middle)..rows.end.min(middle)];
        let positives =
            &self.positives[rows.start.max(middle) - middle..rows.end.max(middle) - middle];
        chunk.keys[..negatives.len()].copy_from_slice(negatives);
        chunk.keys[negatives.len()..chunk.len].copy_from_slice(positives);
        chunk.codes[..negatives.len()].fill(0);
        chunk.codes[negatives.len()..chunk.len].fill(1);
        Ok(())
    }
}

/// `count` of `rows` rows, at irregular distances, so that periodic data do not mislead the sample.
/// All rows if they are few.
pub(crate) fn spread(rows: usize, count: usize) -> impl Iterator<Item = usize> {
    let step = (rows / count.max(1)).max(1);
    (0..rows / step).map(move |i| {
        // A multiplicative hash of the place (Knuth's golden ratio) picks a row within the step.
        let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        i * step + (mixed as usize) % step
    })
}

/// The keys of a sample of about `count` rows, ascending.
pub fn sorted_sample<K: Key>(rows: &impl Rows<K>, count: usize) -> Vec<K> {
    let sample = spread(rows.rows(), count).filter_map(|row| rows.sample(row));
    let mut sample = sample.gather();
    sample.sort_unstable();
    sample
}
