//! The bytes of a score table. `docs/bytes.md` lists the fields.

use num_bigint::BigUint;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::score_table::{Amounts, ScoreTable, totals_of};

const NAME: &str = "ScoreTable";
const KIND: u8 = b'S';

fn bad(reason: impl Into<String>) -> Refusal {
    Refusal::Bytes {
        kind: NAME,
        reason: reason.into(),
    }
}

/// `len` values of `SIZE` bytes. They are known to be there before room is made for them.
fn values<T, const SIZE: usize>(
    input: &mut Reader,
    len: usize,
    value: fn([u8; SIZE]) -> T,
) -> Result<Vec<T>> {
    let bytes = len
        .checked_mul(SIZE)
        .ok_or_else(|| bad("a length does not fit"))?;
    let (values, _) = input.take(bytes)?.as_chunks::<SIZE>();
    Ok(values.iter().map(|&bytes| value(bytes)).gather())
}

impl ScoreTable {
    /// The table as bytes, to be read by [`Self::from_bytes`] on any machine. `docs/bytes.md` lists
    /// the fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND);
        self.put(&mut out);
        if let Some(squares) = self.squares() {
            out.open_squares();
            squares.put(&mut out);
        }
        out.finish()
    }

    /// Writes the fields of the core.
    fn put(&self, out: &mut Writer) {
        out.put(&[self.kind().code()]);
        self.labels().put(out);
        out.put(&(self.len() as u64).to_le_bytes());
        match self.keys() {
            Keys::Narrow(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
            Keys::Wide(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
        }
        match self.amounts() {
            Amounts::Counts(positives, negatives) => {
                out.put(&[0]);
                positives
                    .iter()
                    .chain(negatives)
                    .for_each(|count| out.put(&count.to_le_bytes()));
            }
            Amounts::Weights(sums) => {
                let span = sums.span();
                out.put(&[1]);
                out.put(&span.low.to_le_bytes());
                out.put(&span.high.to_le_bytes());
                out.put(&span.weights.to_le_bytes());
                match sums.sums() {
                    Sums::Narrow(sums) => {
                        for sum in sums {
                            out.put(&sum.to_le_bytes());
                        }
                    }
                    Sums::Wide(sums) => {
                        sums.iter()
                            .flat_map(|sum| sum.0)
                            .for_each(|limb| out.put(&limb.to_le_bytes()));
                    }
                }
            }
        }
    }

    /// The table from its bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::to_bytes`] would not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (core, squares) = Reader::with_squares(bytes, NAME, KIND)?;
        let is_old = core.is_old();
        let table = Self::take(core, is_old)?;
        let Some(squares) = squares else {
            return Ok(table);
        };
        let table = table.with_squares(Self::take(squares, is_old)?);
        table.map_err(|_| bad("the squares of the weights are of other rows"))
    }

    /// Reads what [`Self::put`] wrote. Version 1 wrote the span of the weights that were added.
    fn take(mut reader: Reader<'_>, is_old: bool) -> Result<Self> {
        let kind = ScoreKind::of_code(reader.u8()?);
        let kind = kind.ok_or_else(|| bad("the scores are of no known kind"))?;
        let labels = BinaryLabels::take(&mut reader)?;
        let len = reader.len(if kind.is_wide() { 8 } else { 4 })?;
        let keys = if kind.is_wide() {
            Keys::Wide(values(&mut reader, len, u64::from_le_bytes)?)
        } else {
            Keys::Narrow(values(&mut reader, len, u32::from_le_bytes)?)
        };
        if len > 0 && keys.get(0) > kind.greatest() {
            return Err(bad("a score is out of range"));
        }
        if (1..len).any(|place| keys.get(place - 1) <= keys.get(place)) {
            return Err(bad("the scores do not descend"));
        }
        if kind.is_float() && (0..len).any(|place| is_stray_nan(kind, keys.get(place))) {
            return Err(bad("a score is not a number"));
        }
        let amounts = match reader.u8()? {
            0 => {
                let positives = values(&mut reader, len, u64::from_le_bytes)?;
                let negatives = values(&mut reader, len, u64::from_le_bytes)?;
                check_rising(&positives, &negatives)?;
                let last = |counts: &[u64]| counts.last().copied().unwrap_or(0);
                if last(&positives).checked_add(last(&negatives)).is_none() {
                    return Err(bad("there are too many rows"));
                }
                Amounts::Counts(positives, negatives)
            }
            1 => Amounts::Weights(read_weights(&mut reader, len, is_old)?),
            _ => return Err(bad("the amounts are of no known kind")),
        };
        reader.finish()?;
        Ok(Self::from_sweep(kind, keys, amounts, labels))
    }
}

/// Whether a key is that of a NaN other than the two that stand for ranked NaN.
fn is_stray_nan(kind: ScoreKind, key: u64) -> bool {
    key != 0 && key != kind.greatest() && kind.score(key).is_nan()
}

fn check_rising<T: Ord + Copy + Default>(positives: &[T], negatives: &[T]) -> Result<()> {
    let mut before = (T::default(), T::default());
    for (&p, &n) in positives.iter().zip(negatives) {
        // Every score was had by some row, so at least one of the two rises.
        if p < before.0 || n < before.1 || (p, n) == before {
            return Err(bad("the amounts do not rise"));
        }
        before = (p, n);
    }
    Ok(())
}

fn read_weights(reader: &mut Reader, len: usize, is_old: bool) -> Result<ExactSums> {
    let low = reader.i32()?;
    let high = reader.i32()?;
    let span = Span {
        low,
        high,
        weights: reader.u64()?,
    };
    let plausible = if span.weights == 0 {
        span == Span::EMPTY && len == 0
    } else {
        (-1074..1024).contains(&low) && high > low && high <= 1024 && span.weights >= len as u64
    };
    if !plausible {
        return Err(bad("the weights have an impossible span"));
    }
    let twice = len
        .checked_mul(2)
        .ok_or_else(|| bad("a length does not fit"))?;
    let sums = if span.is_narrow() {
        let sums = values(reader, twice, u128::from_le_bytes)?;
        check_rising(&sums[..len], &sums[len..])?;
        Sums::Narrow(sums)
    } else {
        let limbs = values(
            reader,
            twice
                .checked_mul(Wide::LIMBS)
                .ok_or_else(|| bad("a length does not fit"))?,
            u64::from_le_bytes,
        )?;
        let (sums, _) = limbs.as_chunks::<{ Wide::LIMBS }>();
        let sums: Vec<Wide> = sums.iter().map(|&limbs| Wide(limbs)).gather();
        check_rising(&sums[..len], &sums[len..])?;
        Sums::Wide(sums)
    };
    let sums = ExactSums::from_parts(span, sums)
        .ok_or_else(|| bad("the weights have an impossible width"))?;
    // Else sums of two tables could outgrow the width that their spans ask for.
    if !is_within_span(&sums) {
        return Err(bad("the amounts are greater than so many such weights"));
    }
    if !is_old && span != sums.settled_span(span.weights, &totals_of(&sums)) {
        return Err(bad("the weights have another span than their sums"));
    }
    Ok(sums)
}

/// Whether the totals of both classes are less than as many weights as there are could add up to.
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
