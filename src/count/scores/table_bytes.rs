//! The bytes of a score table. `docs/bytes.md` lists the fields.
//!
//! 1. Scores descend, so each is written as the distance of its key from the key before. Next to it
//!    are the mass of the rows at the score and the mass of the positives. A mass is a number of
//!    rows, or of quanta of weight.
//! 2. These integers are small. They are packed in blocks ([`crate::base::packed`]).
//! 3. Sums of weights beyond 128 bits are written unpacked.
//!
//! With a million distinct scores, each takes 5 bytes (64-bit scores) or 2 bytes (32-bit scores),
//! including its rows.
//!
//! Cost: 4 to 8 ns a distinct score.

use num_bigint::BigUint;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::bytes::{OTHER_ROWS, Reader, Writer};
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::packed::{BLOCK, bytes_of, pack, unpack, width_of};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Key, Keys, ScoreKind, TableKey};
use crate::scores::score_table::{Masses, ScoreTable, totals_of};
use crate::statistic::Statistic;

/// The first version in which scores are packed.
const PACKED: u8 = 3;

/// `len` values of `SIZE` bytes. The bytes are checked to be there before memory is allocated.
fn values<T, const SIZE: usize>(
    input: &mut Reader,
    len: usize,
    value: fn([u8; SIZE]) -> T,
) -> Result<Vec<T>> {
    let bytes = len.checked_mul(SIZE).ok_or_else(|| ScoreTable::bad("a length does not fit"))?;
    let (values, _) = input.take(bytes)?.as_chunks::<SIZE>();
    Ok(values.iter().map(|&bytes| value(bytes)).gather())
}

impl Statistic for ScoreTable {
    const NAME: &'static str = "ScoreTable";
    const KIND: u8 = b'S';

    fn size(&self) -> usize {
        self.len()
    }

    fn add(&self, other: &Self) -> Result<Self> {
        self.add(other)
    }

    fn put(&self, out: &mut Writer) {
        self.put_core(out);
        if let Some(squares) = self.squares() {
            out.open_squares();
            squares.put_core(out);
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (mut core, squares) = Reader::with_squares(bytes, Self::NAME, Self::KIND)?;
        let table = core.whole(Self::take)?;
        let Some(mut squares) = squares else {
            return Ok(table);
        };
        let squares = squares.whole(Self::take)?;
        table.with_squares(squares).map_err(|_| Self::bad(OTHER_ROWS))
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self> {
        let kind = ScoreKind::from_code(reader.u8()?);
        let kind = kind.ok_or_else(|| ScoreTable::bad("the scores are of no known kind"))?;
        let labels = BinaryLabels::take(reader)?;
        let (keys, masses) = if reader.version() < PACKED {
            take_unpacked(reader, kind)?
        } else if kind.is_wide() {
            take_scores::<u64>(reader)?
        } else {
            take_scores::<u32>(reader)?
        };
        // Scores descend. So a key out of range, or of a NaN that was not ranked, is at an end or
        // next to a ranked NaN; and -0 is the first key below 0.
        let len = keys.len();
        let zero = kind.key_of_float(0.0);
        let below_zero = keys.first(|key| key >= zero);
        let suspects = [0, 1, below_zero, len.saturating_sub(2), len.saturating_sub(1)];
        let mut suspects = suspects.into_iter().filter(|&place| place < len);
        if !suspects.all(|place| kind.has(keys.get(place))) {
            return Err(ScoreTable::bad("a key is not that of a score"));
        }
        Ok(Self::from_sweep(kind, keys, masses, labels))
    }
}

impl ScoreTable {
    /// Writes the fields of the core.
    fn put_core(&self, out: &mut Writer) {
        out.put(&[self.kind().code()]);
        self.labels().put(out);
        out.put(&(self.len() as u64).to_le_bytes());
        match self.keys() {
            Keys::Narrow(keys) => self.put_scores(keys, out),
            Keys::Wide(keys) => self.put_scores(keys, out),
        }
    }

    /// Writes the scores with their masses.
    fn put_scores<K: Key>(&self, keys: &[K], out: &mut Writer) {
        let len = keys.len();
        match self.masses() {
            Masses::Counts(positives, negatives) => {
                out.put(&[0]);
                put_blocks(keys, |place| [positives[place], negatives[place]], out);
            }
            Masses::Weights(sums) => {
                let span = sums.span();
                out.put(&[1]);
                out.put(&span.low.to_le_bytes());
                out.put(&span.high.to_le_bytes());
                out.put(&span.weights.to_le_bytes());
                match sums.sums() {
                    Sums::Narrow(sums) => {
                        put_blocks(keys, |place| [sums[place], sums[len + place]], out);
                    }
                    Sums::Wide(sums) => {
                        put_blocks(keys, |_| [Elsewhere; 2], out);
                        let limbs = sums.iter().flat_map(|sum| sum.0);
                        limbs.for_each(|limb| out.put(&limb.to_le_bytes()));
                    }
                }
            }
        }
    }
}

/// A mass of rows, packed as 64-bit integers.
trait Mass: Copy + Default {
    /// The number of integers.
    const PARTS: usize;
    /// A part of the integer, the lowest first.
    fn part(self, part: usize) -> u64;
    /// The mass of these parts.
    fn of(parts: [u64; 2]) -> Self;
    /// `self + other`, and whether it fits.
    fn plus(self, other: Self) -> (Self, bool);
    /// `self - other`; wraps around below zero.
    fn minus(self, other: Self) -> Self;
}

macro_rules! masses {
    ($($mass:ty: $parts:literal),*) => { $(
        impl Mass for $mass {
            const PARTS: usize = $parts;
            #[inline]
            fn part(self, part: usize) -> u64 {
                (u128::from(self) >> (64 * part)) as u64
            }
            #[inline]
            fn of(parts: [u64; 2]) -> Self {
                (u128::from(parts[1]) << 64 | u128::from(parts[0])) as Self
            }
            #[inline]
            fn plus(self, other: Self) -> (Self, bool) {
                let (sum, is_too_great) = self.overflowing_add(other);
                (sum, !is_too_great)
            }
            #[inline]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    )* };
}

masses!(u64: 1, u128: 2);

/// A mass that is not packed.
#[derive(Clone, Copy, Default)]
struct Elsewhere;

impl Mass for Elsewhere {
    const PARTS: usize = 0;
    fn part(self, _: usize) -> u64 {
        0
    }
    fn of(_: [u64; 2]) -> Self {
        Self
    }
    fn plus(self, _: Self) -> (Self, bool) {
        (self, true)
    }
    fn minus(self, _: Self) -> Self {
        self
    }
}

/// The integers of a block. For each score: the distance of its key from the key before, minus 1;
/// the low part of the mass of its rows, minus 1; the low part of the mass of its positives; and
/// the high parts of both.
type Columns = [[u64; BLOCK]; 5];

/// Writes the highest key, then all keys with their masses in blocks. `totals` gives the positives
/// and the negatives at or above each key.
fn put_blocks<K: Key, A: Mass>(keys: &[K], totals: impl Fn(usize) -> [A; 2], out: &mut Writer) {
    let Some(highest) = keys.first() else {
        return;
    };
    out.put(&highest.wide().to_le_bytes()[..K::BITS as usize / 8]);
    let used = 1 + 2 * A::PARTS;
    let mut columns: Columns = [[0; BLOCK]; 5];
    let mut bytes = Vec::new();
    let (mut above, mut before) = (None, [A::default(); 2]);
    for (start, keys) in (0..).step_by(BLOCK).zip(keys.chunks(BLOCK)) {
        interrupt::check();
        for (at, &key) in keys.iter().enumerate() {
            columns[0][at] = above.map_or(0, |above: K| above.minus(key).wide() - 1);
            above = Some(key);
            if A::PARTS > 0 {
                let [up, down] = totals(start + at);
                let positives = up.minus(before[0]);
                let (all, _) = positives.plus(down.minus(before[1]));
                let all = all.minus(A::of([1, 0]));
                for part in 0..A::PARTS {
                    columns[1 + 2 * part][at] = all.part(part);
                    columns[2 + 2 * part][at] = positives.part(part);
                }
                before = [up, down];
            }
        }
        bytes.clear();
        let columns = columns[..used].iter().map(|column| &column[..keys.len()]);
        bytes.grow_with(columns.clone().map(width_of));
        for (place, column) in columns.enumerate() {
            let width = bytes[place];
            pack(column, width, &mut bytes);
        }
        out.put(&bytes);
    }
}

/// Reads what [`put_blocks`] wrote for `len` keys.
fn take_blocks<K: Key, A: Mass>(reader: &mut Reader, len: usize) -> Result<(Vec<K>, [Vec<A>; 2])> {
    let masses = if A::PARTS > 0 { len } else { 0 };
    let (mut keys, mut sums) = (with_room(len), [with_room(masses), with_room(masses)]);
    if len == 0 {
        return Ok((keys, sums));
    }
    let mut highest = [0; 8];
    let size = K::BITS as usize / 8;
    highest[..size].copy_from_slice(reader.take(size)?);
    let used = 1 + 2 * A::PARTS;
    let mut columns: Columns = [[0; BLOCK]; 5];
    let (mut above, mut before) = (u64::from_le_bytes(highest), [A::default(); 2]);
    for start in (0..len).step_by(BLOCK) {
        interrupt::check();
        let filled = BLOCK.min(len - start);
        let widths = reader.take(used)?;
        let mut is_good = true;
        for (column, &width) in columns.iter_mut().zip(widths) {
            let bytes = reader.take(bytes_of(filled, width))?;
            is_good &= unpack(bytes, width, &mut column[..filled]);
        }
        if !is_good {
            return Err(ScoreTable::bad("a block is packed otherwise than its integers need"));
        }
        for (at, &gap) in columns[0][..filled].iter().enumerate() {
            if start + at > 0 {
                is_good &= gap < above;
                above = above.wrapping_sub(gap).wrapping_sub(1);
            } else {
                is_good &= gap == 0;
            }
            keys.push(K::narrow(above));
        }
        if !is_good {
            return Err(ScoreTable::bad("the scores do not descend"));
        }
        if A::PARTS == 0 {
            continue;
        }
        #[allow(clippy::needless_range_loop)] // of several columns
        for at in 0..filled {
            let of = |column: usize| {
                let high = if A::PARTS > 1 { columns[column + 2][at] } else { 0 };
                A::of([columns[column][at], high])
            };
            let (less, positives) = (of(1), of(2));
            let (all, fits) = less.plus(A::of([1, 0]));
            let (up, ups) = before[0].plus(positives);
            let negatives = all.minus(positives);
            let (down, downs) = before[1].plus(negatives);
            // If there are more positives than rows, the remainder wraps around and does not fit.
            let (_, is_part) = positives.plus(negatives);
            is_good &= fits & ups & downs & is_part;
            before = [up, down];
            sums[0].push(up);
            sums[1].push(down);
        }
        if !is_good {
            return Err(ScoreTable::bad("the masses do not rise"));
        }
    }
    if !before[0].plus(before[1]).1 {
        return Err(ScoreTable::bad("there are too many rows"));
    }
    Ok((keys, sums))
}

/// Reads what [`ScoreTable::put_scores`] wrote.
fn take_scores<K: TableKey>(reader: &mut Reader) -> Result<(Keys, Masses)> {
    let len = reader.blocks(BLOCK)?;
    Ok(match reader.u8()? {
        0 => {
            let (keys, [positives, negatives]) = take_blocks::<K, u64>(reader, len)?;
            (K::keys(keys), Masses::Counts(positives, negatives))
        }
        1 => {
            let span = take_span(reader, len)?;
            let (keys, sums) = if span.is_narrow() {
                let (keys, [mut sums, negatives]) = take_blocks::<K, u128>(reader, len)?;
                sums.grow_with(negatives);
                (keys, Sums::Narrow(sums))
            } else {
                let (keys, _) = take_blocks::<K, Elsewhere>(reader, len)?;
                (keys, Sums::Wide(take_wide(reader, len)?))
            };
            let sums = checked(span, sums, false)?;
            (K::keys(keys), Masses::Weights(sums))
        }
        _ => return Err(ScoreTable::bad("the counts or weights are of no known kind")),
    })
}

/// Reads what versions 1 and 2 wrote: all keys, then all running totals. Version 1 wrote the span
/// of the added weights.
fn take_unpacked(reader: &mut Reader, kind: ScoreKind) -> Result<(Keys, Masses)> {
    let len = reader.len(if kind.is_wide() { 8 } else { 4 })?;
    let keys = if kind.is_wide() {
        Keys::Wide(values(reader, len, u64::from_le_bytes)?)
    } else {
        Keys::Narrow(values(reader, len, u32::from_le_bytes)?)
    };
    if (1..len).any(|place| keys.get(place - 1) <= keys.get(place)) {
        return Err(ScoreTable::bad("the scores do not descend"));
    }
    let masses = match reader.u8()? {
        0 => {
            let positives = values(reader, len, u64::from_le_bytes)?;
            let negatives = values(reader, len, u64::from_le_bytes)?;
            check_rising(&positives, &negatives)?;
            let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
            if last(&positives).checked_add(last(&negatives)).is_none() {
                return Err(ScoreTable::bad("there are too many rows"));
            }
            Masses::Counts(positives, negatives)
        }
        1 => {
            let span = take_span(reader, len)?;
            let sums = if span.is_narrow() {
                let twice = len.checked_mul(2);
                let twice = twice.ok_or_else(|| ScoreTable::bad("a length does not fit"))?;
                let sums = values(reader, twice, u128::from_le_bytes)?;
                check_rising(&sums[..len], &sums[len..])?;
                Sums::Narrow(sums)
            } else {
                Sums::Wide(take_wide(reader, len)?)
            };
            Masses::Weights(checked(span, sums, reader.version() == 1)?)
        }
        _ => return Err(ScoreTable::bad("the counts or weights are of no known kind")),
    };
    Ok((keys, masses))
}

fn check_rising<T: Ord + Copy + Default>(positives: &[T], negatives: &[T]) -> Result<()> {
    let mut before = (T::default(), T::default());
    for (&p, &n) in positives.iter().zip(negatives) {
        // Every score has rows, so at least one of the two increases.
        if p < before.0 || n < before.1 || (p, n) == before {
            return Err(ScoreTable::bad("the masses do not rise"));
        }
        before = (p, n);
    }
    Ok(())
}

/// Reads the span of the weights at `len` scores.
fn take_span(reader: &mut Reader, len: usize) -> Result<Span> {
    let low = reader.i32()?;
    let high = reader.i32()?;
    let span = Span { low, high, weights: reader.u64()? };
    let plausible = if span.weights == 0 {
        span == Span::EMPTY && len == 0
    } else {
        (-1074..1024).contains(&low) && high > low && high <= 1024 && span.weights >= len as u64
    };
    if !plausible {
        return Err(ScoreTable::bad("the weights have an impossible span"));
    }
    Ok(span)
}

/// Reads running sums of the weights at `len` scores beyond 128 bits.
fn take_wide(reader: &mut Reader, len: usize) -> Result<Vec<Wide>> {
    let limbs = len.checked_mul(2 * Wide::LIMBS);
    let limbs = limbs.ok_or_else(|| ScoreTable::bad("a length does not fit"))?;
    let limbs = values(reader, limbs, u64::from_le_bytes)?;
    let (sums, _) = limbs.as_chunks::<{ Wide::LIMBS }>();
    let sums: Vec<Wide> = sums.iter().map(|&limbs| Wide(limbs)).gather();
    check_rising(&sums[..len], &sums[len..])?;
    Ok(sums)
}

/// Sums of weights, if they are possible with this span. In version 1 it is the span of the added
/// weights.
fn checked(span: Span, sums: Sums, is_of_weights: bool) -> Result<ExactSums> {
    let sums = ExactSums::from_parts(span, sums)
        .ok_or_else(|| ScoreTable::bad("the weights have an impossible width"))?;
    // Otherwise sums of two tables could exceed the width given by their spans.
    if !is_within_span(&sums) {
        return Err(ScoreTable::bad("the masses are greater than so many such weights"));
    }
    if !is_of_weights && span != sums.settled_span(span.weights, &totals_of(&sums)) {
        return Err(ScoreTable::bad("the weights have another span than their sums"));
    }
    Ok(sums)
}

/// Whether the totals of both classes are below the largest sum that this many weights could have.
fn is_within_span(sums: &ExactSums) -> bool {
    fn total<F: Fixed>(sums: &[F]) -> BigUint {
        let (positives, negatives) = sums.split_at(sums.len() / 2);
        let last = |sums: &[F]| sums.last().map(|sum| sum.quanta()).unwrap_or_default();
        last(positives) + last(negatives)
    }
    let span = sums.span();
    let total = match sums.sums() {
        Sums::Narrow(sums) => total(sums),
        Sums::Wide(sums) => total(sums),
    };
    span.weights == 0 || total < BigUint::from(span.weights) << (span.high - span.quantum())
}
