//! The bytes of a confusion matrix. `docs/bytes.md` lists the fields.

use crate::arith::exact::{ExactSums, Span, Sums, Wide};
use crate::base::bytes::{OTHER_ROWS, Reader, Writer};
use crate::base::error::Result;
use crate::base::input::{Label, LabelKind};
use crate::base::memory::{Gather, Room, with_room};
use crate::labels::binary_labels::{set_of, take_kind};
use crate::labels::confusion::{ConfusionMatrix, Masses};
use crate::statistic::Statistic;

impl Statistic for ConfusionMatrix {
    const NAME: &'static str = "ConfusionMatrix";
    const KIND: u8 = 1;

    fn size(&self) -> usize {
        self.occupied()
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
        let matrix = core.whole(Self::take)?;
        let Some(mut squares) = squares else {
            return Ok(matrix);
        };
        let squares = squares.whole(Self::take)?;
        matrix.with_squares(squares).map_err(|_| Self::bad(OTHER_ROWS))
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let weighted = match input.u8()? {
            0 => false,
            1 => true,
            other => return Err(input.refusal(format!("amounts are of form {other}"))),
        };
        let kind = take_kind(input)?;
        let rows = input.u64()?;
        let classes = input.len(if kind == LabelKind::Text { 8 } else { 16 })?;
        let mut values = with_room(classes);
        for _ in 0..classes {
            values.grow(if kind == LabelKind::Text {
                let len = input.len(1)?;
                let text = std::str::from_utf8(input.take(len)?);
                Label::Text(text.map_err(|_| input.refusal("a label is not UTF-8"))?.into())
            } else {
                Label::Int(i128::from_le_bytes(input.array()?))
            });
        }
        let labels = set_of(input, kind, values)?;
        let span = if weighted { Some(read_span(input)?) } else { None };
        let size = match &span {
            None => 8,
            Some(span) if span.is_narrow() => 16,
            Some(_) => 8 * Wide::LIMBS,
        };
        let len = input.len(8 + size)?;
        let mut cells = with_room(len);
        for _ in 0..len {
            let cell = (input.u32()?, input.u32()?);
            if cell.0.max(cell.1) as usize >= classes {
                return Err(input.refusal(format!("a cell lies outside {classes} classes")));
            }
            if cells.last().is_some_and(|last| *last >= cell) {
                return Err(input.refusal("cells are out of order"));
            }
            cells.grow(cell);
        }
        let masses = match span {
            None => read_counts(input, len, rows)?,
            Some(span) => Masses::Weights(read_sums(input, len, span)?),
        };
        Ok(Self::from_cells(labels, rows, cells, masses))
    }
}

impl ConfusionMatrix {
    /// Writes the fields of the core.
    fn put_core(&self, out: &mut Writer) {
        out.put(&[u8::from(self.is_weighted()), self.labels().kind as u8]);
        out.put(&self.rows().to_le_bytes());
        out.put(&(self.classes() as u64).to_le_bytes());
        for label in &self.labels().values {
            match label {
                Label::Int(number) => out.put(&number.to_le_bytes()),
                Label::Text(text) => {
                    out.put(&(text.len() as u64).to_le_bytes());
                    out.put(text.as_bytes());
                }
            }
        }
        if let Masses::Weights(sums) = self.masses() {
            let span = sums.span();
            out.put(&span.low.to_le_bytes());
            out.put(&span.high.to_le_bytes());
            out.put(&span.weights.to_le_bytes());
        }
        out.put(&(self.occupied() as u64).to_le_bytes());
        for (actual, predicted) in self.pairs() {
            out.put(&actual.to_le_bytes());
            out.put(&predicted.to_le_bytes());
        }
        match self.masses() {
            Masses::Counts(counts) => {
                for count in counts {
                    out.put(&count.to_le_bytes());
                }
            }
            Masses::Weights(sums) => match sums.sums() {
                Sums::Narrow(sums) => sums.iter().for_each(|sum| out.put(&sum.to_le_bytes())),
                Sums::Wide(sums) => {
                    let limbs = sums.iter().flat_map(|sum| sum.0);
                    limbs.for_each(|limb| out.put(&limb.to_le_bytes()));
                }
            },
        }
    }
}

fn read_counts(input: &mut Reader<'_>, len: usize, rows: u64) -> Result<Masses> {
    let counts = (0..len).map(|_| input.u64()).gather_all()?;
    if counts.contains(&0) {
        return Err(input.refusal("a cell holds nothing"));
    }
    let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    if total != Some(rows) {
        return Err(input.refusal(format!("the counts do not add up to the {rows} rows")));
    }
    Ok(Masses::Counts(counts))
}

fn read_span(input: &mut Reader<'_>) -> Result<Span> {
    let span = Span { low: input.i32()?, high: input.i32()?, weights: input.u64()? };
    if span == Span::EMPTY || span.is_possible() {
        Ok(span)
    } else {
        Err(input.refusal("the weights' span is none"))
    }
}

fn read_sums(input: &mut Reader<'_>, len: usize, span: Span) -> Result<ExactSums> {
    let sums = if span.is_narrow() {
        let sums = (0..len).map(|_| input.u128());
        Sums::Narrow(sums.gather_all()?)
    } else {
        let mut sums = vec![Wide::default(); len];
        for limb in sums.iter_mut().flat_map(|sum| &mut sum.0) {
            *limb = input.u64()?;
        }
        Sums::Wide(sums)
    };
    // The canonical span is the span of the sums. Every sum counts: none is zero, and none too
    // large to add.
    ExactSums::from_parts(span, sums)
        .filter(|sums| span.weights == len as u64 && *sums == sums.clone().canonical())
        .ok_or_else(|| input.refusal("a weight is zero, or not as the weights' span says"))
}
