//! Costs by row: every threshold at once, with exact sums of amounts beside the counts.
//!
//! 1. Rows are scattered into buckets of ascending score as for a score table
//!    (`scores::sweep::partition`). Each column of amounts is scattered into its own piles, one for
//!    each bucket, with only the amounts of the rows of its class.
//! 2. A column with gains (amounts below zero) has two piles for each bucket: losses, and gains
//!    without their sign. So no term of a sum is negative.
//! 3. In a bucket each row becomes one word: its key relative to the lowest, then its number among
//!    the rows of the bucket. The sorted words give the place of each amount.
//! 4. The amounts are added as whole numbers of quanta ([`crate::arith::exact`]), so the bits are
//!    the same for any order of rows. Weights are one more column, for both classes.
//!
//! Cost at 1e6 rows, none tied, and one column of amounts: 1.7 times the sweep without amounts. A
//! third of the difference is fresh memory from the system: 16 bytes for each distinct score and
//! column in the result, and 8 bytes for each row of the class during the sweep
//! (`benches/costs.py`).
//!
//! Tried and rejected:
//! - the amounts as part of each payload (rows of the other class would carry them, too).

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Weights, Wide};
use crate::base::column::{Column, chunks};
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::{Label, Labels, NanPolicy, Scores};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::{joined_by, prefer_huge_pages};
use crate::costs::OUTCOMES;
use crate::costs::cost_table::{Cost, CostTable, Signed};
use crate::labels::binary::{LabelReader, Pair};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Key, Keys, ScoreKind, Stop, TableKey, extent};
use crate::scores::score_table::{Masses, ScoreTable};
use crate::scores::sweep::all_thresholds::BUCKET_ROWS;
use crate::scores::sweep::auc::sample_size;
use crate::scores::sweep::partition::{Arena, Beside, Partition, Reuse, Splitter};
use crate::scores::sweep::rows::{Chunk, Input, Rows, SweepOptions, sorted_sample};
use crate::scores::sweep::sort::cells::sort_words;
use crate::scores::sweep::steps::joined_totals;

/// The class of the rows of each outcome.
const CLASSES: [u8; 4] = [1, 0, 1, 0];

/// The cost of an outcome, as the caller gives it.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// The same for each row.
    Each(f64),
    /// A number for each row.
    Rows(Column<'a, f64>),
}

/// The source of one list of sums.
#[derive(Clone, Copy, Debug)]
enum Source {
    Weights,
    /// A column of amounts, by its place among the columns.
    Losses(usize),
    Gains(usize),
}

/// A list of sums: its rows and its source.
#[derive(Clone, Copy, Debug)]
struct Slot {
    class: u8,
    source: Source,
}

/// The table of every threshold with its sums of costs, in the order of [`OUTCOMES`].
///
/// # Errors
/// Like [`score_table`]; amounts that are not finite, or a column of another length.
///
/// [`score_table`]: crate::scores::sweep::all_thresholds::score_table
pub fn cost_table(
    y_true: &Labels,
    y_score: &Scores,
    costs: [Given; 4],
    weights: Option<Weights>,
    options: &SweepOptions,
) -> Result<CostTable> {
    let (mut columns, mut slots, mut places) = (Vec::new(), Vec::new(), [None; 4]);
    if weights.is_some() {
        for class in [1, 0] {
            let source = Source::Weights;
            slots.grow(Slot { class, source });
        }
    }
    for (outcome, given) in costs.iter().enumerate() {
        let Given::Rows(column) = given else { continue };
        let place = columns.len();
        columns.grow((*column, OUTCOMES[outcome].1));
        let class = CLASSES[outcome];
        let source = Source::Losses(place);
        let losses = slots.len();
        slots.grow(Slot { class, source });
        let mut gains = None;
        if has_negative(*column) {
            gains = Some(slots.len());
            let source = Source::Gains(place);
            slots.grow(Slot { class, source });
        }
        places[outcome] = Some((losses, gains));
    }
    let input = Input::new(y_true, y_score, weights, options)?.with_amounts(columns)?;
    let kind = ScoreKind::of(y_score);
    let labels = BinaryLabels::from_column(y_true, input.pair.clone(), options.pos_label.clone());
    let swept = if kind.is_wide() {
        sweep::<u64>(&input, &slots, weights.is_some())
            .map_err(|stop| refusal(stop, |met| input.first_refusal::<u64>(met)))?
    } else {
        sweep::<u32>(&input, &slots, weights.is_some())
            .map_err(|stop| refusal(stop, |met| input.first_refusal::<u32>(met)))?
    };
    let (keys, masses, sums) = swept;
    let mut sums: Vec<Option<ExactSums>> = sums.into_iter().map(Some).gather();
    let table = ScoreTable::from_sweep(kind, keys, masses, labels);
    let mut outcome = 0;
    let costs = costs.map(|given| {
        let place = places[outcome];
        outcome += 1;
        match (given, place) {
            (Given::Each(cost), _) => Cost::Each(cost),
            (Given::Rows(_), Some((losses, gains))) => {
                // The sums of weights, two slots, are part of the score table.
                let skipped = if weights.is_some() { 2 } else { 0 };
                let mut take = |slot: usize| sums[slot - skipped].take();
                Cost::Rows(Signed {
                    losses: take(losses).unwrap_or_else(|| ExactSums::new(table.len())),
                    gains: gains.and_then(take),
                })
            }
            (Given::Rows(_), None) => Cost::Each(0.0),
        }
    });
    Ok(CostTable::from_parts(table, costs))
}

/// The table that `make` makes of costs; with `squares`, or of no rows, with its second moments.
///
/// # Errors
/// Those of `make`; an amount whose square is not finite.
pub fn with_second(
    costs: [Given; 4],
    squares: bool,
    make: impl Fn([Given; 4]) -> Result<CostTable>,
) -> Result<CostTable> {
    let table = make(costs)?;
    if !(squares || table.table().is_empty()) {
        return Ok(table);
    }
    let product = |a: usize, b: usize| -> Result<std::result::Result<f64, Vec<f64>>> {
        let rows = [a, b].into_iter().find_map(|outcome| match costs[outcome] {
            Given::Each(_) => None,
            Given::Rows(column) => Some(column.len()),
        });
        let amount = |outcome: usize, row: usize| match costs[outcome] {
            Given::Each(cost) => cost,
            Given::Rows(column) => column.get(row),
        };
        let Some(rows) = rows else {
            return Ok(Ok(amount(a, 0) * amount(b, 0)));
        };
        let each = (0..rows).map(|row| {
            let found = amount(a, row) * amount(b, row);
            if found.is_finite() {
                return Ok(found);
            }
            let expected = "an amount whose square is a finite number, as squares is True";
            let largest = if amount(a, row).abs() < amount(b, row).abs() { b } else { a };
            let value = format!("{:e}", amount(largest, row));
            Err(Refusal::row(OUTCOMES[largest].1, row, value, expected))
        });
        Ok(Err(each.gather_all()?))
    };
    let made = |pairs: [(usize, usize); 4]| {
        let columns: Vec<_> = pairs.into_iter().map(|(a, b)| product(a, b)).gather_all()?;
        make([0, 1, 2, 3].map(|place| match &columns[place] {
            Ok(cost) => Given::Each(*cost),
            Err(amounts) => Given::Rows(Column::from_slice(amounts)),
        }))
    };
    let second = [made([(0, 0), (1, 1), (2, 2), (3, 3)])?, made([(0, 2), (1, 3), (0, 2), (1, 3)])?];
    Ok(table.with_second(Some(second)))
}

fn refusal(stop: Stop, first: impl Fn(Refusal) -> Refusal) -> Refusal {
    match stop {
        Stop::Refused(met) => first(met),
        Stop::Inexact => unreachable!("no score is narrowed here"),
    }
}

fn has_negative(column: Column<'_, f64>) -> bool {
    let mut scratch = Vec::new();
    chunks(0..column.len()).any(|rows| {
        let values = column.chunk(rows, &mut scratch);
        // The first bit is the sign; a column with only negative zeros has no list of gains at the
        // end.
        values.iter().fold(0, |all, amount| all | amount.to_bits()) >> 63 == 1
    })
}

/// The keys, the masses of the score table, and the sums of the other slots.
type Swept = (Keys, Masses, Vec<ExactSums>);

fn sweep<K: TableKey>(
    input: &Input<'_>,
    slots: &[Slot],
    is_weighted: bool,
) -> std::result::Result<Swept, Stop> {
    let rows = Rows::<K>::rows(input);
    let sample: Vec<K> = sorted_sample(input, sample_size(rows));
    let splitter = Splitter::new(&sample, (rows / BUCKET_ROWS).clamp(1, 1024));
    drop(sample);
    let (partition, piles) = Partition::<K>::from_classes_beside(
        input,
        &splitter,
        2,
        &Reuse::new(),
        |buckets, rows| Piles::new(slots, buckets, rows),
    )?;
    let mut spans: Vec<Span> = slots.iter().map(|_| Span::EMPTY).gather();
    for pile in &piles {
        for (span, own) in spans.iter_mut().zip(&pile.spans) {
            *span = span.union(*own);
        }
    }
    if is_weighted {
        // The weights of both classes are one list of sums.
        let both = spans[0].union(spans[1]);
        spans[..2].fill(both);
    }
    let parts = partition.over_buckets(|buckets| {
        let mut part = Part::<K>::new(&spans, is_weighted);
        part.make_room(
            (2 * buckets.start..2 * buckets.end).map(|stream| partition.len(stream)).sum(),
        );
        for bucket in buckets.rev() {
            interrupt::check();
            part.add(&partition, &piles, slots, bucket);
        }
        part
    });
    drop(partition);
    Ok(joined(parts, &spans, is_weighted)?)
}

/// The amounts of the rows of one arena: for each slot one pile for each bucket.
struct Piles<'a> {
    slots: &'a [Slot],
    arenas: Vec<Arena<f64>>,
    spans: Vec<Span>,
    buckets: Vec<u16>,
    taken: Vec<f64>,
}

impl<'a> Piles<'a> {
    fn new(slots: &'a [Slot], buckets: usize, rows: usize) -> Self {
        Self {
            slots,
            arenas: slots.iter().map(|_| Arena::new(buckets, rows, rows, &Reuse::new())).gather(),
            spans: slots.iter().map(|_| Span::EMPTY).gather(),
            buckets: Vec::new(),
            taken: Vec::new(),
        }
    }
}

impl<K: Key> Beside<K> for Piles<'_> {
    fn take(&mut self, chunk: &Chunk<K>, streams: &[u16]) {
        let codes = &chunk.codes[..chunk.len];
        self.buckets.resize(chunk.len, 0);
        self.taken.resize(chunk.len, 0.0);
        for ((slot, arena), span) in self.slots.iter().zip(&mut self.arenas).zip(&mut self.spans) {
            let (values, sign) = match slot.source {
                Source::Weights => (&chunk.weights, 1.0),
                Source::Losses(place) => (&chunk.amounts[place], 1.0),
                Source::Gains(place) => (&chunk.amounts[place], -1.0),
            };
            let mut kept = 0;
            let (buckets, taken) = (&mut self.buckets[..chunk.len], &mut self.taken[..chunk.len]);
            for ((&code, &stream), &value) in codes.iter().zip(streams).zip(values) {
                // `kept` is at most the number of rows so far.
                buckets[kept] = stream >> 1;
                taken[kept] = (sign * value).max(0.0);
                kept += usize::from(code == slot.class);
            }
            *span = span.union(span_of(&self.taken[..kept], *span));
            arena.append(&self.buckets[..kept], &self.taken[..kept]);
        }
    }
}

/// The span of finite, non-negative numbers, apart from bits already in `known`.
fn span_of(numbers: &[f64], known: Span) -> Span {
    let (mut least, mut most, mut some) = (u64::MAX, 0, 0);
    for number in numbers {
        let bits = number.to_bits();
        // Zero is no weight: its bits minus one are the largest integer.
        least = least.min(bits.wrapping_sub(1));
        most = most.max(bits);
        some += u64::from(bits != 0);
    }
    // No number has a bit below the last bit of its mantissa.
    let last = ((least.wrapping_add(1) >> 52) as i32).max(1) - 1075;
    if known.weights > 0 && last >= known.low {
        let high = Span::of(f64::from_bits(most)).high;
        return Span {
            low: known.low,
            high: if some > 0 { high } else { known.high },
            weights: some,
        };
    }
    let spans = numbers.iter().map(|&number| Span::of(number));
    spans.fold(Span::EMPTY, Span::union)
}

/// The sums of one slot, while buckets are added from high to low.
struct Tally<F> {
    quantum: i32,
    total: F,
    /// The amount of each row of the bucket, in quanta; 0 for rows of the other class.
    quanta: Vec<F>,
    sums: Vec<F>,
}

impl<F: Fixed> Tally<F> {
    fn new(quantum: i32) -> Self {
        Self { quantum, total: F::default(), quanta: Vec::new(), sums: Vec::new() }
    }

    fn read<'p>(&mut self, before: usize, after: usize, pieces: impl Iterator<Item = &'p [f64]>) {
        self.quanta.clear();
        self.quanta.grow_to(before, F::default());
        for piece in pieces {
            let quantum = self.quantum;
            self.quanta.grow_with(piece.iter().map(|&amount| F::of(amount, quantum)));
        }
        let len = self.quanta.len() + after;
        self.quanta.grow_to(len, F::default());
    }

    /// Adds the rows of the words from the last to the first, and keeps a sum for each distinct
    /// score: for each word if all are distinct, otherwise where `is_last`.
    fn walk(&mut self, words: &[u64], mask: u64, shift: u32, distinct: bool) {
        let mut total = self.total;
        let quanta = &self.quanta[..];
        if distinct {
            self.sums.grow_with(words.iter().rev().map(|&word| {
                total = total.plus(quanta[(word & mask) as usize]);
                total
            }));
        } else {
            for group in words.chunk_by(|a, b| a >> shift == b >> shift).rev() {
                for word in group {
                    total = total.plus(quanta[(word & mask) as usize]);
                }
                self.sums.grow(total);
            }
        }
        self.total = total;
    }
}

enum AnyColumn {
    Narrow(Tally<u128>),
    Wide(Box<Tally<Wide>>),
}

/// Distinct keys, descending, of some buckets, with running totals.
struct Part<K> {
    keys: Vec<K>,
    /// Without weights: the positives and the negatives at or above each key.
    counts: Option<[Vec<u64>; 2]>,
    totals: [u64; 2],
    columns: Vec<AnyColumn>,
    words: Vec<u64>,
    placed: Vec<u64>,
    starts: Vec<u32>,
}

impl<K: TableKey> Part<K> {
    fn new(spans: &[Span], is_weighted: bool) -> Self {
        let column = |span: &Span| {
            if span.is_narrow() {
                AnyColumn::Narrow(Tally::new(span.quantum()))
            } else {
                AnyColumn::Wide(Box::new(Tally::new(span.quantum())))
            }
        };
        Self {
            keys: Vec::new(),
            counts: (!is_weighted).then(|| [Vec::new(), Vec::new()]),
            totals: [0; 2],
            columns: spans.iter().map(column).gather(),
            words: Vec::new(),
            placed: Vec::new(),
            starts: Vec::new(),
        }
    }

    fn make_room(&mut self, rows: usize) {
        fn room<T>(values: &mut Vec<T>, rows: usize) {
            *values = with_room(rows + 1);
            prefer_huge_pages(values.spare_capacity_mut());
        }
        room(&mut self.keys, rows);
        self.counts.iter_mut().flatten().for_each(|counts| room(counts, rows));
        for column in &mut self.columns {
            match column {
                AnyColumn::Narrow(column) => room(&mut column.sums, rows),
                AnyColumn::Wide(_) => {}
            }
        }
    }

    /// Adds the next lower bucket.
    fn add(
        &mut self,
        partition: &Partition<K>,
        piles: &[Piles<'_>],
        slots: &[Slot],
        bucket: usize,
    ) {
        let [negatives, positives] =
            [2 * bucket, 2 * bucket + 1].map(|stream| partition.len(stream));
        let rows = negatives + positives;
        let pieces = || (2 * bucket..2 * bucket + 2).flat_map(|stream| partition.pieces(stream));
        let (low, high) = pieces()
            .map(extent)
            .fold((K::MAX, K::default()), |(low, high), (l, h)| (low.min(l), high.max(h)));
        if low > high {
            return;
        }
        for ((slot, column), place) in slots.iter().zip(&mut self.columns).zip(0..) {
            let (before, after) = if slot.class == 1 { (negatives, 0) } else { (0, positives) };
            let pile = piles.iter().flat_map(|pile| pile.arenas[place].pieces(bucket));
            match column {
                AnyColumn::Narrow(column) => column.read(before, after, pile),
                AnyColumn::Wide(column) => column.read(before, after, pile),
            }
        }
        // Words: the key relative to the lowest, then the number of the row, negatives first.
        let shift = usize::BITS - rows.leading_zeros();
        let span = high.minus(low).wide();
        self.words.clear();
        let mut ranked = Vec::new();
        if low == high {
            self.placed.clear();
            self.placed.grow_with(0..rows as u64);
        } else if span.leading_zeros() > shift {
            let mut row = 0;
            for piece in pieces() {
                self.words.grow_with(
                    piece
                        .iter()
                        .zip(row..)
                        .map(|(key, row): (&K, u64)| key.minus(low).wide() << shift | row),
                );
                row += piece.len() as u64;
            }
            let most = span << shift | (rows as u64 - 1);
            sort_words(&mut self.words, most, &mut self.starts, &mut self.placed);
        } else {
            // The key and the number of a row do not fit a word: the rank of the key replaces it.
            let mut all: Vec<(K, u64)> = with_room(rows);
            for piece in pieces() {
                let row = all.len() as u64;
                all.grow_with(piece.iter().copied().zip(row..));
            }
            all.sort_unstable();
            self.placed.clear();
            for group in all.chunk_by(|a, b| a.0 == b.0) {
                let rank = ranked.len() as u64;
                ranked.grow(group[0].0);
                self.placed.grow_with(group.iter().map(|&(_, row)| rank << shift | row));
            }
        }
        if ranked.is_empty() {
            let low = low.wide();
            self.walk(shift, negatives as u64, |word| K::narrow(low + (word >> shift)));
        } else {
            self.walk(shift, negatives as u64, |word| ranked[(word >> shift) as usize]);
        }
    }

    /// Adds the steps of the words in `placed`, ascending.
    fn walk(&mut self, shift: u32, negatives: u64, key: impl Fn(u64) -> K) {
        let words = &self.placed[..];
        let mask = (1 << shift) - 1;
        let distinct = words
            .windows(2)
            .fold(0, |ties, pair| ties | u64::from(pair[0] >> shift == pair[1] >> shift))
            == 0;
        if distinct {
            self.keys.grow_with(words.iter().rev().map(|&word| key(word)));
        } else {
            let groups = words.chunk_by(|a, b| a >> shift == b >> shift).rev();
            for group in groups {
                self.keys.grow(key(group[0]));
            }
        }
        if let Some([ups, downs]) = &mut self.counts {
            let [mut up, mut rows] = [self.totals[0], self.totals[0] + self.totals[1]];
            if distinct {
                ups.grow_with(words.iter().rev().map(|&word| {
                    up += u64::from(word & mask >= negatives);
                    up
                }));
                let ups = &ups[ups.len() - words.len()..];
                downs.grow_with(ups.iter().map(|up| {
                    rows += 1;
                    rows - up
                }));
            } else {
                for group in words.chunk_by(|a, b| a >> shift == b >> shift).rev() {
                    let more = group.iter().filter(|&&word| word & mask >= negatives);
                    up += more.count() as u64;
                    rows += group.len() as u64;
                    ups.grow(up);
                    downs.grow(rows - up);
                }
            }
            self.totals = [up, rows - up];
        }
        for column in &mut self.columns {
            match column {
                AnyColumn::Narrow(column) => column.walk(words, mask, shift, distinct),
                AnyColumn::Wide(column) => column.walk(words, mask, shift, distinct),
            }
        }
    }
}

/// The sums of one slot, part after part, in one of two widths.
#[derive(Default)]
struct Parts {
    narrow: Vec<Vec<u128>>,
    wide: Vec<Vec<Wide>>,
}

/// Joins parts in ascending order of score to one table.
fn joined<K: TableKey>(parts: Vec<Part<K>>, spans: &[Span], is_weighted: bool) -> Result<Swept> {
    let parts: Vec<Part<K>> = parts.into_iter().rev().gather();
    let mut keys = Vec::new();
    let (mut ups, mut downs) = (Vec::new(), Vec::new());
    let mut columns: Vec<Parts> = spans.iter().map(|_| Parts::default()).gather();
    for part in parts {
        keys.grow(part.keys);
        if let Some([up, down]) = part.counts {
            ups.grow(up);
            downs.grow(down);
        }
        for (to, column) in columns.iter_mut().zip(part.columns) {
            match column {
                AnyColumn::Narrow(column) => to.narrow.grow(column.sums),
                AnyColumn::Wide(column) => to.wide.grow(column.sums),
            }
        }
    }
    let keys = joined_by(keys, |_, key| key)?;
    // The span determines the width, so the parts fit together.
    let exact = |span: Span, columns: Vec<Parts>| -> Result<ExactSums> {
        let sums = if span.is_narrow() {
            let columns = columns.into_iter().map(|parts| parts.narrow);
            Sums::Narrow(joined_totals(columns, u128::plus)?)
        } else {
            Sums::Wide(joined_totals(columns.into_iter().map(|parts| parts.wide), Wide::plus)?)
        };
        Ok(ExactSums::from_parts(span, sums).unwrap_or_else(|| ExactSums::new(0)))
    };
    let masses = if is_weighted {
        let others = columns.split_off(2);
        let both = std::mem::replace(&mut columns, others);
        Masses::Weights(exact(spans[0], both)?)
    } else {
        let plus = |a, b| a + b;
        Masses::Counts(joined_totals([ups], plus)?, joined_totals([downs], plus)?)
    };
    let spans = &spans[if is_weighted { 2 } else { 0 }..];
    let mut sums = Vec::new();
    for (&span, column) in spans.iter().zip(columns) {
        sums.grow(exact(span, vec![column])?);
    }
    Ok((K::keys(keys), masses, sums))
}

fn reader<'a>(labels: &Labels<'a>, argument: &'static str) -> LabelReader<'a> {
    LabelReader { labels: *labels, nan_policy: NanPolicy::Raise, rest: false, argument }
}

/// The cost table of predicted labels: the score is 1 for the positive label, and 0 for the
/// negative one.
///
/// # Errors
/// Like [`cost_table`]; labels of `y_pred` outside the two.
pub fn cost_counts(
    y_true: &Labels,
    y_pred: &Labels,
    costs: [Given; 4],
    weights: Option<Weights>,
    pos_label: Option<Label>,
) -> Result<CostTable> {
    check_length(("y_pred", y_pred.len()), ("y_true", y_true.len()))?;
    let options = SweepOptions { pos_label, part: true, ..SweepOptions::default() };
    let predicted = reader(y_pred, "y_pred");
    // The labels of both columns.
    let asked = options.pos_label.as_ref();
    let found = reader(y_true, "y_true").discover([options.pos_label.clone(), None], asked)?;
    let pair = Pair::of(predicted.discover(found, asked)?, asked);
    let mut scores = vec![0_u8; y_pred.len()];
    for rows in chunks(0..y_pred.len()) {
        predicted.lower(rows.clone(), &pair, &mut scores[rows])?;
    }
    let options = SweepOptions { pos_label: pair.positive.or(options.pos_label), ..options };
    let scores = Scores::of::<u8>(Column::from_slice(&scores));
    cost_table(y_true, &scores, costs, weights, &options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::fraction::Fraction;
    use crate::base::threads;
    use crate::scores::score_table::tests::shaped;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    /// Amounts of either sign with few or many digits, from bits of a row's number.
    fn amount(row: usize, kind: u8) -> f64 {
        let mixed = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let whole = (mixed % 1000) as f64;
        match kind {
            0 => 0.0,
            1 => whole,
            2 => whole - 500.0,
            3 => whole * 0.01,
            4 => -whole * 0.1,
            _ => (whole + 0.1) * 2_f64.powi((mixed % 7) as i32 * 60 - 180),
        }
    }

    /// The cost of predicting the rows at or above a threshold positive, row by row.
    fn naive(
        y: &[i64],
        s: &[f64],
        w: Option<&[f64]>,
        costs: &[Vec<f64>; 4],
        threshold: f64,
    ) -> Fraction {
        (0..y.len()).fold(Fraction::whole(0), |sum, row| {
            let outcome = match (y[row], s[row] >= threshold) {
                (1, true) => 0,
                (_, true) => 1,
                (1, false) => 2,
                _ => 3,
            };
            let weight = w.map_or(1.0, |w| w[row]);
            sum.plus(&Fraction::of(costs[outcome][row] * weight).unwrap())
        })
    }

    fn given(costs: &[Vec<f64>; 4]) -> [Given<'_>; 4] {
        costs.each_ref().map(|column| Given::Rows(Column::from_slice(column)))
    }

    #[test]
    fn shapes_and_threads_do_not_change_a_bit() {
        let options = SweepOptions { infinite: true, ..SweepOptions::zero_one() };
        for shape in 0..12 {
            // Many rows, so that several threads have a part, of a few shapes only.
            let most = if matches!(shape, 0 | 1 | 11) { 70_000 } else { 2500 };
            for rows in [1, 2, 100, 2500, 70_000].into_iter().filter(|&rows| rows <= most) {
                let (y, s, w) = shaped(rows, shape, rows as u64);
                let costs =
                    [1, 2, 3, 5].map(|kind| (0..rows).map(|row| amount(row, kind)).collect());
                let labels = Labels::I64(Column::from_slice(&y));
                let scores = Scores::F64(Column::from_slice(&s));
                for weights in [None, Some(Column::from_slice(&w[..]))] {
                    let plain = score_table(&labels, &scores, weights, &options).unwrap();
                    let mut before: Option<CostTable> = None;
                    for count in [1, 2, 7] {
                        threads::set_threads(Some(count)).unwrap();
                        let table = cost_table(&labels, &scores, given(&costs), weights, &options);
                        let table = table.unwrap();
                        assert_eq!(table.table(), &plain, "{shape} {rows}");
                        if let Some(before) = &before {
                            assert_eq!(before, &table, "{shape} {rows} {count}");
                        }
                        before = Some(table);
                    }
                    threads::set_threads(None).unwrap();
                    // Fractions of many rows take too long.
                    let Some(table) = before.filter(|_| rows <= 100) else {
                        continue;
                    };
                    let places = [0, 1, table.table().len() / 3, table.table().len()];
                    for place in places.into_iter().filter(|&place| place <= table.table().len()) {
                        let threshold = match place.checked_sub(1) {
                            Some(place) => table.table().score(place),
                            None => f64::INFINITY,
                        };
                        let w = weights.map(|_| &w[..]);
                        let expected = naive(&y, &s, w, &costs, threshold);
                        let found = table.view(place).cost;
                        assert!(found.compare(&expected).is_eq(), "{shape} {rows} {place}");
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn tables_are_those_of_the_rows_one_by_one(
            rows in prop::collection::vec((0_i64..2, 0_u8..12, 0_u8..4), 1..50),
            kinds in prop::array::uniform4(0_u8..6), weighted: bool, cut in 0_usize..50, each: bool,
        ) {
            let y: Vec<i64> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
            let mut costs = kinds.map(|kind| (0..y.len()).map(|row| amount(row, kind)).collect::<Vec<_>>());
            if each {
                costs[1].fill(5.5);
            }
            let cut = cut.min(y.len());
            let table = |from: usize, to: usize| {
                let parts = costs.each_ref().map(|column| column[from..to].to_vec());
                let mut costs = given(&parts);
                if each {
                    costs[1] = Given::Each(5.5);
                }
                cost_table(
                    &Labels::I64(Column::from_slice(&y[from..to])),
                    &Scores::F64(Column::from_slice(&s[from..to])),
                    costs,
                    weighted.then(|| Column::from_slice(&w[from..to])),
                    &SweepOptions::zero_one(),
                )
            };
            let all = table(0, y.len()).unwrap();
            let len = all.table().len();
            let thresholds: Vec<f64> = (0..=len).map(|place| {
                place.checked_sub(1).map_or(f64::INFINITY, |place| all.table().score(place))
            }).collect();
            let expected: Vec<Fraction> = thresholds.iter()
                .map(|&threshold| naive(&y, &s, weighted.then_some(&w[..]), &costs, threshold))
                .collect();
            let column = all.every_cost();
            for place in 0..=len {
                let view = all.view(place);
                prop_assert!(view.cost.compare(&expected[place]).is_eq());
                prop_assert_eq!(column[place], expected[place].to_f64());
                let decided = all.decided(place);
                let positive = usize::from(place > 0);
                prop_assert!(decided.view(positive).cost.compare(&view.cost).is_eq());
                prop_assert_eq!(decided.counts(positive), all.counts(place));
            }
            let least = expected.iter().min_by(|a, b| a.compare(b)).unwrap();
            let cheapest: Vec<usize> = (0..=len).filter(|&place| expected[place].compare(least).is_eq()).collect();
            prop_assert_eq!(all.cheapest(0..len + 1), cheapest);
            prop_assert_eq!(&CostTable::from_bytes(&all.to_bytes()).unwrap(), &all);
            if cut > 0 && cut < y.len() {
                let (a, b) = (table(0, cut).unwrap(), table(cut, y.len()).unwrap());
                prop_assert_eq!(&a.add(&b).unwrap(), &all);
                prop_assert_eq!(&b.add(&a).unwrap(), &all);
                // A part may have rows of one label only.
                for (part, rest) in [(&a, &b), (&b, &a)] {
                    let found = all.subtract(part).unwrap();
                    prop_assert_eq!(found.costs(), rest.costs());
                    prop_assert_eq!(found.table().masses(), rest.table().masses());
                    prop_assert_eq!(found.table().keys(), rest.table().keys());
                }
                prop_assert!(a.subtract(&all).is_err() || all.table().rows() == a.table().rows());
            }
        }
    }
}
