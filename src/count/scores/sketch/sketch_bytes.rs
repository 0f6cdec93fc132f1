//! The bytes of a sketch. `docs/bytes.md` lists the fields.
//!
//! Distances of cell numbers and counts are written as variable-length numbers with 7 bits in a
//! byte. A sketch of 65,536 cells takes about 250 kB.

use num_bigint::BigUint;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::{ScoreKind, f64_of, key_of_f64};
use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::calibration::probability_sums::Losses;
use crate::scores::sketch::cells::{CellMasses, Cells, MIXED};
use crate::scores::sketch::levels::{BEST, Grid, LAST_LEVEL, WORST, key_as, key_from};
use crate::scores::sketch::loss_sums::LossSums;
use crate::scores::sketch::score_sketch::{NO_BUDGET, ScoreSketch};
use crate::statistic::Statistic;

/// Adding or writing a cell takes about as long as counting this many rows.
const ROWS_OF_CELL: usize = 10;

/// Writes a number in groups of 7 bits, the lowest first; the top bit of a byte means that more
/// follow.
fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.grow(number as u8 | 0x80);
        number >>= 7;
    }
    out.grow(number as u8);
}

/// Reads what [`put_number`] wrote, and nothing else.
fn take_number(input: &mut Reader) -> Result<u64> {
    let mut number = 0;
    for place in 0..10 {
        let byte = input.u8()?;
        let bits = u64::from(byte & 0x7f);
        if place == 9 && bits > 1 {
            break;
        }
        number |= bits << (7 * place);
        if byte < 0x80 {
            if byte == 0 && place > 0 {
                break; // a shorter form is the one that is written
            }
            return Ok(number);
        }
    }
    Err(ScoreSketch::bad("a number is not written in its one form"))
}

/// Writes the quanta of a sum: the number of bytes before the trailing zeros, then these bytes.
fn put_quanta(out: &mut Writer, limbs: &[u64]) {
    let last = limbs.iter().rposition(|&limb| limb != 0);
    let len = last.map_or(0, |last| 8 * (last + 1) - limbs[last].leading_zeros() as usize / 8);
    out.put(&(len as u16).to_le_bytes());
    for (at, limb) in limbs.iter().enumerate() {
        let from = 8 * at;
        out.put(&limb.to_le_bytes()[..len.saturating_sub(from).min(8)]);
    }
}

/// Reads what [`put_quanta`] wrote.
fn take_quanta<const LIMBS: usize>(input: &mut Reader) -> Result<[u64; LIMBS]> {
    let len = usize::from(u16::from_le_bytes(input.array()?));
    let bytes = input.take(len)?;
    if len > 8 * LIMBS || bytes.last() == Some(&0) {
        return Err(ScoreSketch::bad("a sum is not written in its one form"));
    }
    let mut limbs = [0; LIMBS];
    for (at, &byte) in bytes.iter().enumerate() {
        limbs[at / 8] |= u64::from(byte) << (8 * (at % 8));
    }
    Ok(limbs)
}

/// Writes an exact sum: the number of leading zero limbs, then the others.
fn put_wide(out: &mut Writer, sum: &Wide) {
    let zeros = sum.0.iter().position(|&limb| limb != 0);
    let zeros = zeros.unwrap_or(Wide::LIMBS);
    out.put(&[zeros as u8]);
    put_quanta(out, &sum.0[zeros..]);
}

/// Reads what [`put_wide`] wrote.
fn take_wide(input: &mut Reader) -> Result<Wide> {
    let zeros = usize::from(input.u8()?);
    let limbs: [u64; Wide::LIMBS] = take_quanta(input)?;
    let len = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |at| at + 1);
    let is_one_form =
        if len == 0 { zeros == Wide::LIMBS } else { limbs[0] != 0 && zeros + len <= Wide::LIMBS };
    if !is_one_form {
        return Err(ScoreSketch::bad("a sum is not written in its one form"));
    }
    let mut sum = Wide::default();
    sum.0[zeros..zeros + len].copy_from_slice(&limbs[..len]);
    Ok(sum)
}

fn take_counts(input: &mut Reader, len: usize) -> Result<CellMasses> {
    let mut rows = 0_u64;
    let mut both = [with_room(len), with_room(len)];
    for counts in &mut both {
        for _ in 0..len {
            let count = take_number(input)?;
            let sum = rows.checked_add(count);
            rows = sum.ok_or_else(|| ScoreSketch::bad("there are too many rows"))?;
            counts.grow(count);
        }
    }
    Ok(CellMasses::Counts(both))
}

fn take_weights(input: &mut Reader, len: usize) -> Result<CellMasses> {
    let span = Span { low: input.i32()?, high: input.i32()?, weights: input.u64()? };
    if !span.is_possible() || span.high > 1024 || span.weights < len as u64 {
        return Err(ScoreSketch::bad("the weights have an impossible span"));
    }
    let sums = if span.is_narrow() {
        let sums = (0..2 * len).map(|_| -> Result<u128> {
            let [low, high] = take_quanta(input)?;
            Ok(u128::from(low) | u128::from(high) << 64)
        });
        Sums::Narrow(sums.gather_all()?)
    } else {
        let sums = (0..2 * len).map(|_| -> Result<Wide> { Ok(Wide(take_quanta(input)?)) });
        Sums::Wide(sums.gather_all()?)
    };
    let sums = ExactSums::from_parts(span, sums);
    let sums = sums.ok_or_else(|| ScoreSketch::bad("the weights have an impossible width"))?;
    let all: Vec<usize> = (0..sums.len()).gather();
    if !is_within_span(&sums) || span != sums.settled_span(span.weights, &all) {
        return Err(ScoreSketch::bad("the weights have another span than their sums"));
    }
    Ok(CellMasses::Weights(sums))
}

/// Whether all sums together are below the largest sum that this many weights could have.
fn is_within_span(sums: &ExactSums) -> bool {
    let span = sums.span();
    let total: BigUint = match sums.sums() {
        Sums::Narrow(sums) => sums.iter().map(|sum| sum.quanta()).sum(),
        Sums::Wide(sums) => sums.iter().map(|sum| sum.quanta()).sum(),
    };
    total < BigUint::from(span.weights) << (span.high - span.quantum())
}

/// Reads the sums of the losses, if there are any.
fn take_losses(
    input: &mut Reader,
    labels: &BinaryLabels,
    kind: Option<ScoreKind>,
    cells: &Cells,
) -> Result<Option<LossSums>> {
    let len = usize::from(input.u8()?);
    if len == 0 {
        return Ok(None);
    }
    let mut losses = LossSums::none(labels, kind);
    if losses.sums.len() != len {
        return Err(ScoreSketch::bad("there are losses of another type"));
    }
    for sums in &mut losses.sums {
        sums.rows = cells.masses.rows();
        sums.weight = take_wide(input)?;
        let all = std::iter::once(&mut sums.sums.losses).chain(&mut sums.sums.turned);
        for sum in all.flat_map(Losses::sums_mut) {
            *sum = take_wide(input)?;
        }
        if !sums.is_possible() {
            return Err(ScoreSketch::bad("the losses contradict each other"));
        }
    }
    Ok(Some(losses))
}

impl Statistic for ScoreSketch {
    const NAME: &'static str = "ScoreSketch";
    const KIND: u8 = b'B';

    fn size(&self) -> usize {
        self.len().saturating_mul(ROWS_OF_CELL)
    }

    fn add(&self, other: &Self) -> Result<Self> {
        self.add(other)
    }

    fn put(&self, out: &mut Writer) {
        self.labels.put(out);
        out.put(&[self.kind.map_or(u8::MAX, ScoreKind::code)]);
        out.put(&self.budget.to_le_bytes());
        out.put(&self.level().to_le_bytes());
        out.put(&[u8::from(self.is_weighted())]);
        out.put(&(self.grid.edges().len() as u64).to_le_bytes());
        for edge in self.grid.edges() {
            out.put(&edge.to_le_bytes());
        }
        let cells = &self.cells;
        out.put(&(cells.len() as u64).to_le_bytes());
        let mut fields = with_room(4 * cells.len());
        let mut before = 0;
        for &number in &cells.numbers {
            // The first number is written as it is, each later one as its distance from the number
            // before.
            let step = if before == 0 { number } else { before - number };
            put_number(&mut fields, step);
            before = number;
        }
        match &cells.masses {
            CellMasses::Counts(counts) => {
                for &count in counts.iter().flatten() {
                    put_number(&mut fields, count);
                }
                out.put(&fields);
            }
            CellMasses::Weights(sums) => {
                let span = sums.span();
                out.put(&fields);
                out.put(&span.low.to_le_bytes());
                out.put(&span.high.to_le_bytes());
                out.put(&span.weights.to_le_bytes());
                match sums.sums() {
                    Sums::Narrow(sums) => {
                        for sum in sums {
                            put_quanta(out, &[*sum as u64, (*sum >> 64) as u64]);
                        }
                    }
                    Sums::Wide(sums) => sums.iter().for_each(|sum| put_quanta(out, &sum.0)),
                }
            }
        }
        if self.level() > 0 {
            let mut atoms = vec![0_u8; cells.len().div_ceil(8)];
            for (at, &atom) in cells.atoms.iter().enumerate() {
                atoms[at / 8] |= u8::from(atom != MIXED) << (at % 8);
            }
            out.put(&atoms);
            for &atom in cells.atoms.iter().filter(|&&atom| atom != MIXED) {
                out.put(&atom.to_le_bytes());
            }
        }
        let losses = self.losses.as_ref();
        out.put(&[losses.map_or(0, |losses| losses.sums.len() as u8)]);
        for sums in losses.iter().flat_map(|losses| &losses.sums) {
            put_wide(out, &sums.weight);
            for sum in sums.sums.each().flat_map(Losses::sums) {
                put_wide(out, sum);
            }
        }
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let labels = BinaryLabels::take(input)?;
        let kind = match input.u8()? {
            u8::MAX => None,
            code => {
                let kind = ScoreKind::from_code(code);
                Some(kind.ok_or_else(|| ScoreSketch::bad("the scores are of no known kind"))?)
            }
        };
        let budget = input.u64()?;
        let level = u16::from_le_bytes(input.array()?);
        if level > LAST_LEVEL {
            return Err(ScoreSketch::bad("there is no such level"));
        }
        let is_weighted = match input.u8()? {
            0 => false,
            1 => true,
            _ => return Err(ScoreSketch::bad("the counts or weights are of no known kind")),
        };
        let len = input.len(8)?;
        let edges: Vec<u64> = (0..len).map(|_| input.u64()).gather_all()?;
        if edges.windows(2).any(|pair| pair[0] >= pair[1]) || !edges.iter().all(|&e| is_score(e)) {
            return Err(ScoreSketch::bad("the thresholds do not ascend"));
        }
        let grid = Grid::new(edges, level);
        let len = input.len(3)?;
        let mut numbers = with_room(len);
        let mut before = 0_u64;
        for at in 0..len {
            let step = take_number(input)?;
            let number = match at {
                0 => Some(step),
                _ => before.checked_sub(step).filter(|&number| number < before),
            };
            before = number.ok_or_else(|| ScoreSketch::bad("the cells do not descend"))?;
            numbers.grow(before);
        }
        let masses = if is_weighted { take_weights(input, len)? } else { take_counts(input, len)? };
        if (0..len).any(|at| masses.is_none(0, at) && masses.is_none(1, at)) {
            return Err(ScoreSketch::bad("a cell has no rows"));
        }
        let mut cells = Cells { numbers, atoms: Vec::new(), masses };
        if level == 0 {
            cells.atoms = cells.numbers.iter().copied().gather();
        } else {
            let flags = input.take(len.div_ceil(8))?;
            for at in 0..len {
                let is_atom = flags[at / 8] >> (at % 8) & 1 == 1;
                cells.atoms.grow(if is_atom { input.u64()? } else { MIXED });
            }
            if flags.iter().map(|byte| byte.count_ones() as usize).sum::<usize>()
                != cells.atoms.iter().filter(|&&atom| atom != MIXED).count()
            {
                return Err(ScoreSketch::bad("there are more atoms than cells"));
            }
        }
        let losses = take_losses(input, &labels, kind, &cells)?;
        for at in 0..len {
            let (atom, number) = (cells.atoms[at], cells.numbers[at]);
            let is_possible = if atom == MIXED {
                cells.masses.may_be_mixed(at) && grid.cell(grid.least(number)) == number
            } else {
                (is_score(atom) || atom == WORST || atom == BEST)
                    && grid.cell(atom) == number
                    && kind.is_some_and(|kind| key_from(kind, key_as(kind, atom)) == atom)
            };
            if !is_possible {
                return Err(ScoreSketch::bad("a cell cannot hold its rows"));
            }
        }
        let sketch = Self { labels, kind, budget, grid, cells, losses };
        let is_canonical = sketch.is_empty() == (kind.is_none() && budget == NO_BUDGET)
            && (!sketch.is_empty() || (level == 0 && !is_weighted))
            && sketch.len() as u64 <= budget
            && budget > sketch.grid.edges().len() as u64;
        if !is_canonical {
            return Err(ScoreSketch::bad("the cells do not fit their budget"));
        }
        Ok(sketch)
    }
}

/// Whether an order key belongs to a number; zero has no sign.
fn is_score(key: u64) -> bool {
    let score = f64_of(key);
    !score.is_nan() && key_of_f64(score) == key
}
