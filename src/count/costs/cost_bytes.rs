//! The bytes of a cost table. `docs/bytes.md` lists the fields.

use crate::arith::exact::{ExactSums, Span, Sums, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::costs::cost_table::{Cost, CostTable, Signed};
use crate::scores::score_table::ScoreTable;
use crate::statistic::Statistic;

impl Statistic for CostTable {
    const NAME: &'static str = "CostTable";
    const KIND: u8 = b'C';

    fn size(&self) -> usize {
        self.table().len()
    }

    fn add(&self, other: &Self) -> Result<Self> {
        self.add(other)
    }

    fn put(&self, out: &mut Writer) {
        let table = self.table().to_bytes();
        out.put(&(table.len() as u64).to_le_bytes());
        out.put(&table);
        put_costs(out, self.costs());
        if let Some(second) = self.kept() {
            out.open_squared_losses();
            for table in second {
                put_costs(out, table.costs());
            }
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut sections = Reader::with_squared_losses(bytes, Self::NAME, Self::KIND)?;
        let table = sections.0.whole(Self::take)?;
        let Some(input) = sections.1.as_mut() else {
            return Ok(table);
        };
        let own = table.table();
        let take = |input: &mut Reader<'_>| {
            Ok(Self::from_parts(own.clone(), take_costs(input, own.len())?))
        };
        let second = [take(input)?, take(input)?];
        input.finish()?;
        let is_square = |cost: &Cost| match cost {
            Cost::Each(cost) => *cost >= 0.0,
            Cost::Rows(sums) => sums.gains.is_none(),
        };
        let read = table.clone().with_second(Some(second));
        let is_possible = |kept: &[Self; 2]| kept[0].costs().iter().all(is_square);
        if !read.kept().is_some_and(is_possible) {
            return Err(input.refusal("the squares of the costs are of other costs"));
        }
        Ok(read)
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self> {
        let len = reader.len(1)?;
        let bytes = reader.take(len)?;
        let table = ScoreTable::from_bytes(bytes)?;
        if table.to_bytes() != bytes {
            return Err(reader.refusal("the score table is written otherwise"));
        }
        if table.squares().is_some() {
            return Err(
                reader.refusal("the weights are sampling weights, which costs do not go with")
            );
        }
        let costs = take_costs(reader, table.len())?;
        Ok(Self::from_parts(table, costs))
    }
}

fn put_costs(out: &mut Writer, costs: &[Cost; 4]) {
    for cost in costs {
        match cost {
            Cost::Each(cost) => {
                out.put(&[0]);
                out.put(&cost.to_bits().to_le_bytes());
            }
            Cost::Rows(sums) => {
                out.put(&[1 + u8::from(sums.gains.is_some())]);
                put(out, &sums.losses);
                if let Some(gains) = &sums.gains {
                    put(out, gains);
                }
            }
        }
    }
}

fn take_costs(reader: &mut Reader<'_>, len: usize) -> Result<[Cost; 4]> {
    let mut costs = with_room(4);
    for _ in 0..4 {
        let form = reader.u8()?;
        costs.grow(match form {
            0 => {
                let cost = f64::from_bits(reader.u64()?);
                if !cost.is_finite() {
                    return Err(reader.refusal("a cost is not finite"));
                }
                Cost::Each(cost)
            }
            1 | 2 => {
                let losses = take(reader, len)?;
                let gains = (form == 2).then(|| take(reader, len));
                let gains = gains.transpose()?;
                if gains.as_ref().is_some_and(|gains| gains.span().weights == 0) {
                    return Err(reader.refusal("there are no gains where some are promised"));
                }
                Cost::Rows(Signed { losses, gains })
            }
            _ => return Err(reader.refusal("the costs are of no known kind")),
        });
    }
    let Ok(costs) = costs.try_into() else {
        return Err(reader.refusal("there are not four costs"));
    };
    Ok(costs)
}

fn put(out: &mut Writer, sums: &ExactSums) {
    let span = sums.span();
    out.put(&span.low.to_le_bytes());
    out.put(&span.high.to_le_bytes());
    out.put(&span.weights.to_le_bytes());
    match sums.sums() {
        Sums::Narrow(sums) => sums.iter().for_each(|sum| out.put(&sum.to_le_bytes())),
        Sums::Wide(sums) => {
            let limbs = sums.iter().flat_map(|sum| sum.0);
            limbs.for_each(|limb| out.put(&limb.to_le_bytes()));
        }
    }
}

/// Reads the output of [`put`]: `len` sums that do not fall; the last is possible for this many
/// amounts.
fn take(reader: &mut Reader, len: usize) -> Result<ExactSums> {
    let (low, high) = (reader.i32()?, reader.i32()?);
    let span = Span { low, high, weights: reader.u64()? };
    let is_plausible = if span.weights == 0 {
        span == Span::EMPTY
    } else {
        (-1074..1024).contains(&low) && high > low && high <= 1024 && len > 0
    };
    if !is_plausible {
        return Err(reader.refusal("the amounts have an impossible span"));
    }
    let size = if span.is_narrow() { 16 } else { 8 * Wide::LIMBS };
    let Some(bytes) = len.checked_mul(size) else {
        return Err(reader.refusal("a length does not fit"));
    };
    let bytes = reader.take(bytes)?;
    let sums = if span.is_narrow() {
        let (sums, _) = bytes.as_chunks::<16>();
        Sums::Narrow(sums.iter().map(|&sum| u128::from_le_bytes(sum)).gather())
    } else {
        let (limbs, _) = bytes.as_chunks::<8>();
        let (sums, _) = limbs.as_chunks::<{ Wide::LIMBS }>();
        let wide = sums.iter().map(|limbs| Wide(limbs.map(u64::from_le_bytes)));
        Sums::Wide(wide.gather())
    };
    let falls = match &sums {
        Sums::Narrow(sums) => sums.windows(2).any(|pair| pair[0] > pair[1]),
        Sums::Wide(sums) => sums.windows(2).any(|pair| pair[0] > pair[1]),
    };
    let Some(sums) = ExactSums::from_parts(span, sums).filter(|_| !falls) else {
        return Err(reader.refusal("the sums of amounts do not rise"));
    };
    let last: Vec<usize> = len.checked_sub(1).into_iter().gather();
    if !sums.is_within_span() || span != sums.settled_span(span.weights, &last) {
        return Err(reader.refusal("the amounts have another span than their sums"));
    }
    Ok(sums)
}
