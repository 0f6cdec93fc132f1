//! The bytes of groups. `docs/bytes.md` lists the fields.

use num_bigint::BigUint;

use crate::arith::exact::{ExactSums, Fixed, Span, Sums, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::ScoreKind;
use crate::base::error::Result;
use crate::base::memory::{Gather, Room, with_room};
use crate::grouping::keys::Keys;
use crate::labels::binary_labels::{BinaryLabels, put_label, put_labels, take_label, take_labels};
use crate::scores::keys;

use crate::groups::amounts::{Amounts, Tally};
use crate::groups::counts::{DENSE_CLASSES, GroupCounts, Places};
use crate::groups::ranking::{GroupRanking, Held, Weighed};
use crate::groups::state::Groups;

const NAME: &str = "Groups";
const KIND: u8 = b'G';

impl Groups {
    /// The groups as bytes, to be read by [`Self::from_bytes`] on any machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND);
        self.keys.put(&mut out);
        out.put(&(self.controls as u64).to_le_bytes());
        put_label(&mut out, self.pos_label.as_ref());
        out.put(&[u8::from(self.threshold.is_some())]);
        out.put(&self.threshold.unwrap_or(0.0).to_le_bytes());
        out.put(&[
            u8::from(self.counts.is_some()),
            u8::from(self.ranking.is_some()),
        ]);
        if let Some(counts) = &self.counts {
            counts.put(&mut out);
        }
        if let Some(ranking) = &self.ranking {
            ranking.put(&mut out);
        }
        out.finish()
    }

    /// The groups that [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// [`crate::base::error::Refusal::Bytes`] for anything that it could not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes, NAME, KIND)?;
        let keys = Keys::take(&mut reader)?;
        let controls = reader.u64()?;
        let controls = usize::try_from(controls).ok();
        let Some(controls) = controls.filter(|&controls| controls <= keys.columns.len()) else {
            return Err(reader.refusal("there are more control columns than columns"));
        };
        let pos_label = take_label(&mut reader)?;
        let has_threshold = reader.u8()?;
        let threshold = f64::from_le_bytes(reader.array()?);
        if threshold.is_nan() || has_threshold > 1 || (has_threshold == 0 && threshold != 0.0) {
            return Err(reader.refusal("the threshold is not a number"));
        }
        let [has_counts, has_ranking] = reader.array()?;
        if has_counts > 1 || has_ranking > 1 || has_counts + has_ranking == 0 {
            return Err(reader.refusal("they do not say what they hold"));
        }
        let groups = keys.groups;
        let counts = (has_counts == 1).then(|| GroupCounts::take(&mut reader, groups));
        let counts = counts.transpose()?;
        let ranking = (has_ranking == 1).then(|| GroupRanking::take(&mut reader, groups));
        let ranking = ranking.transpose()?;
        reader.finish()?;
        Ok(Self {
            keys,
            controls,
            pos_label,
            threshold: (has_threshold == 1).then_some(threshold),
            counts,
            ranking,
        })
    }
}

fn put_tally(out: &mut Writer, counts: &Tally) {
    match counts {
        Tally::Narrow(counts) => {
            out.put(&[0]);
            counts
                .iter()
                .for_each(|count| out.put(&count.to_le_bytes()));
        }
        Tally::Wide(counts) => {
            out.put(&[1]);
            counts
                .iter()
                .for_each(|count| out.put(&count.to_le_bytes()));
        }
    }
}

fn take_tally(reader: &mut Reader<'_>, len: usize) -> Result<Tally> {
    let size = match reader.u8()? {
        0 => 4,
        1 => 8,
        _ => return Err(reader.refusal("counts are of no known width")),
    };
    room(reader, len, size)?;
    let mut counts: Vec<u64> = with_room(len);
    for _ in 0..len {
        counts.push(if size == 4 {
            reader.u32()?.into()
        } else {
            reader.u64()?
        });
    }
    let total = counts
        .iter()
        .try_fold(0_u64, |sum, &count| sum.checked_add(count));
    if total.is_none() {
        return Err(reader.refusal("counts add up to more than 2^64"));
    }
    let counts = Tally::of(counts);
    if matches!(counts, Tally::Wide(_)) != (size == 8) {
        return Err(reader.refusal("counts have not the width that they need"));
    }
    Ok(counts)
}

/// Refuses a number of things that take more bytes than are left.
fn room(reader: &Reader<'_>, len: usize, size: usize) -> Result<()> {
    if len
        .checked_mul(size)
        .is_none_or(|bytes| bytes > reader.left())
    {
        let reason = format!(
            "{len} entries promised where {} bytes are left",
            reader.left()
        );
        return Err(reader.refusal(reason));
    }
    Ok(())
}

fn put_span(out: &mut Writer, span: Span) {
    out.put(&span.low.to_le_bytes());
    out.put(&span.high.to_le_bytes());
    out.put(&span.weights.to_le_bytes());
}

fn take_span(reader: &mut Reader<'_>) -> Result<Span> {
    let span = Span {
        low: reader.i32()?,
        high: reader.i32()?,
        weights: reader.u64()?,
    };
    if span != Span::EMPTY && !span.is_possible() {
        return Err(reader.refusal("the extent of weights is impossible"));
    }
    Ok(span)
}

fn put_sums(out: &mut Writer, sums: &ExactSums) {
    put_span(out, sums.span());
    match sums.sums() {
        Sums::Narrow(sums) => sums.iter().for_each(|sum| out.put(&sum.to_le_bytes())),
        Sums::Wide(sums) => {
            let limbs = sums.iter().flat_map(|sum| sum.0);
            limbs.for_each(|limb| out.put(&limb.to_le_bytes()));
        }
    }
}

fn take_sums(reader: &mut Reader<'_>, len: usize) -> Result<ExactSums> {
    let span = take_span(reader)?;
    let sums = if span.is_narrow() {
        room(reader, len, 16)?;
        let mut sums = with_room(len);
        for _ in 0..len {
            sums.push(reader.u128()?);
        }
        Sums::Narrow(sums)
    } else {
        room(reader, len, 8 * Wide::LIMBS)?;
        let mut sums = with_room(len);
        for _ in 0..len {
            let mut sum = Wide::default();
            for limb in &mut sum.0 {
                *limb = reader.u64()?;
            }
            sums.push(sum);
        }
        Sums::Wide(sums)
    };
    let sums = ExactSums::from_parts(span, sums);
    sums.ok_or_else(|| reader.refusal("sums have not the width of their extent"))
}

/// Whether the sums at these places are whole multiples of the lowest bit of a span, and in all
/// less than so many weights of its highest could be.
fn adds_up(sums: &ExactSums, places: impl Iterator<Item = usize>, span: Span) -> bool {
    fn run<F: Fixed>(
        sums: &[F],
        places: impl Iterator<Item = usize>,
        quantum: i32,
        span: Span,
    ) -> bool {
        let mut total = BigUint::default();
        for place in places {
            let Some((low, _)) = sums[place].extent() else {
                continue;
            };
            if quantum + low < span.low {
                return false;
            }
            total += sums[place].quanta();
        }
        let most = u32::try_from(span.high - quantum);
        most.is_ok_and(|most| total < BigUint::from(span.weights) << most)
    }
    if span.weights == 0 {
        return places.into_iter().all(|place| sums.get(place) == 0.0);
    }
    let quantum = sums.span().quantum();
    match sums.sums() {
        Sums::Narrow(sums) => run(sums, places, quantum, span),
        Sums::Wide(sums) => run(sums, places, quantum, span),
    }
}

impl GroupCounts {
    fn put(&self, out: &mut Writer) {
        put_labels(out, &self.labels);
        if let Some(places) = &self.places {
            places
                .starts
                .iter()
                .for_each(|start| out.put(&start.to_le_bytes()));
            places
                .cells
                .iter()
                .for_each(|cell| out.put(&cell.to_le_bytes()));
        }
        let form = match (&self.amounts, &self.squares) {
            (Amounts::Counts(_), _) => 0_u8,
            (Amounts::Weights(_), None) => 1,
            (Amounts::Weights(_), Some(_)) => 2,
        };
        out.put(&[form]);
        match &self.amounts {
            Amounts::Counts(counts) => put_tally(out, counts),
            Amounts::Weights(sums) => put_sums(out, sums),
        }
        if let Some(squares) = &self.squares {
            put_sums(out, squares);
        }
        if let Some(rows) = &self.rows {
            put_tally(out, rows);
        }
    }

    fn take(reader: &mut Reader<'_>, groups: usize) -> Result<Self> {
        let labels = take_labels(reader)?;
        if crate::labels::confusion::repeated(&labels).is_some() || labels.len() >= 1 << 31 {
            return Err(reader.refusal("a label is there twice"));
        }
        let places = (labels.len() > DENSE_CLASSES).then(|| {
            room(reader, groups + 1, 8)?;
            let mut starts = with_room(groups + 1);
            for _ in 0..=groups {
                starts.push(reader.u64()?);
            }
            let is_fine = starts[0] == 0 && starts.is_sorted();
            let len = usize::try_from(starts[groups]).ok().filter(|_| is_fine);
            let len = len.ok_or_else(|| reader.refusal("the cells of groups are not in order"))?;
            room(reader, len, 8)?;
            let mut cells: Vec<u64> = with_room(len);
            for _ in 0..len {
                cells.push(reader.u64()?);
            }
            let all = (labels.len() as u64).pow(2);
            let ascend = starts.windows(2).all(|ends| {
                let own = &cells[ends[0] as usize..ends[1] as usize];
                own.is_sorted_by(|a, b| a < b) && own.last().is_none_or(|&last| last < all)
            });
            if !ascend {
                return Err(reader.refusal("the cells of a group are not in order"));
            }
            Ok(Places { starts, cells })
        });
        let places = places.transpose()?;
        let len = places
            .as_ref()
            .map_or(4 * groups, |places| places.cells.len());
        let form = reader.u8()?;
        let (amounts, squares, rows) = match form {
            0 => (Amounts::Counts(take_tally(reader, len)?), None, None),
            1 | 2 => {
                let mut canonical = || {
                    let sums = take_sums(reader, len)?;
                    if sums != sums.clone().canonical() {
                        return Err(reader.refusal("weights are not as their extent says"));
                    }
                    Ok(sums)
                };
                let sums = canonical()?;
                let squares = (form == 2).then(canonical).transpose()?;
                (
                    Amounts::Weights(sums),
                    squares,
                    Some(take_tally(reader, groups)?),
                )
            }
            _ => return Err(reader.refusal("the amounts are of no known kind")),
        };
        let counts = Self {
            labels,
            groups,
            places,
            amounts,
            squares,
            rows,
        };
        if !counts.is_possible() {
            return Err(reader.refusal("a cell of zero is listed, or one is of no class"));
        }
        Ok(counts)
    }

    /// Whether cells that are listed are not zero, and those of classes that are not there are.
    fn is_possible(&self) -> bool {
        let is_zero = |place: usize| match &self.amounts {
            Amounts::Counts(counts) => counts.get(place) == 0,
            Amounts::Weights(sums) => sums.get(place) == 0.0,
        };
        let classes = self.labels.len();
        (0..self.amounts.len()).all(|place| match &self.places {
            Some(_) => !is_zero(place),
            None => {
                let (actual, predicted) = (place % 4 / 2, place % 2);
                is_zero(place) || (actual < classes && predicted < classes)
            }
        })
    }
}

impl GroupRanking {
    fn put(&self, out: &mut Writer) {
        out.put(&[self.kind.code()]);
        self.labels.put(out);
        self.starts
            .iter()
            .for_each(|start| out.put(&start.to_le_bytes()));
        match &self.keys {
            keys::Keys::Narrow(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
            keys::Keys::Wide(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
        }
        match (&self.held, &self.squares) {
            (Held::Counts(counts), _) => {
                out.put(&[0]);
                put_tally(out, counts);
            }
            (Held::Weights(weighed), squares) => {
                out.put(&[if squares.is_some() { 2 } else { 1 }]);
                for weighed in std::iter::once(weighed).chain(squares) {
                    put_sums(out, &weighed.sums);
                    weighed.spans.iter().for_each(|&span| put_span(out, span));
                }
            }
        }
    }

    fn take(reader: &mut Reader<'_>, groups: usize) -> Result<Self> {
        let kind = ScoreKind::of_code(reader.u8()?);
        let kind = kind.ok_or_else(|| reader.refusal("the scores are of no known kind"))?;
        let labels = BinaryLabels::take(reader)?;
        room(reader, groups + 1, 8)?;
        let mut starts = with_room(groups + 1);
        for _ in 0..=groups {
            starts.push(reader.u64()?);
        }
        let is_fine = starts[0] == 0 && starts.is_sorted();
        let len = usize::try_from(starts[groups]).ok().filter(|_| is_fine);
        let len = len.ok_or_else(|| reader.refusal("the scores of groups are not in order"))?;
        room(reader, len, if kind.is_wide() { 8 } else { 4 })?;
        let mut all: Vec<u64> = with_room(len);
        for _ in 0..len {
            all.push(if kind.is_wide() {
                reader.u64()?
            } else {
                reader.u32()?.into()
            });
        }
        let descend = starts.windows(2).all(|ends| {
            let own = &all[ends[0] as usize..ends[1] as usize];
            let is_inside = |&key: &u64| key <= kind.greatest();
            own.is_sorted_by(|a, b| a > b) && own.first().is_none_or(is_inside)
        });
        if !descend {
            return Err(reader.refusal("the scores of a group do not descend"));
        }
        let keys = if kind.is_wide() {
            keys::Keys::Wide(all)
        } else {
            keys::Keys::Narrow(all.into_iter().map(|key| key as u32).gather())
        };
        let both = len
            .checked_mul(2)
            .filter(|&both| both / 2 == len)
            .unwrap_or(usize::MAX);
        let form = reader.u8()?;
        let mut weighed = || -> Result<Weighed> {
            let sums = take_sums(reader, both)?;
            room(reader, groups, 16)?;
            let mut spans = with_room(groups);
            let mut span = Span::EMPTY;
            for _ in 0..groups {
                let own = take_span(reader)?;
                span = span.union(own);
                spans.grow(own);
            }
            if span != sums.span() {
                return Err(reader.refusal("the extents of groups are not those of all weights"));
            }
            Ok(Weighed { sums, spans })
        };
        let (held, squares) = match form {
            0 => (Held::Counts(take_tally(reader, both)?), None),
            1 => (Held::Weights(weighed()?), None),
            2 => (Held::Weights(weighed()?), Some(weighed()?)),
            _ => return Err(reader.refusal("the amounts are of no known kind")),
        };
        let ranking = Self {
            kind,
            labels,
            starts,
            keys,
            held,
            squares,
        };
        if !ranking.is_possible() {
            return Err(reader.refusal("a score has no rows, or weights are not those of a group"));
        }
        Ok(ranking)
    }

    /// Whether each score has rows, and each group's sums fit its weights.
    fn is_possible(&self) -> bool {
        let half = self.keys.len();
        match &self.held {
            Held::Counts(counts) => {
                (0..half).all(|place| counts.get(place) + counts.get(place + half) > 0)
            }
            Held::Weights(weighed) => {
                let sums = &weighed.sums;
                (0..half).all(|place| sums.get(place) > 0.0 || sums.get(place + half) > 0.0)
                    && (0..self.groups()).all(|group| {
                        self.fits(weighed, group)
                            && self.squares.as_ref().is_none_or(|squares| {
                                squares.spans[group].weights == weighed.spans[group].weights
                                    && self.fits(squares, group)
                            })
                    })
            }
        }
    }

    /// Whether sums of a group are whole multiples of its lowest bit, and no greater than so many
    /// weights of its highest.
    fn fits(&self, weighed: &Weighed, group: usize) -> bool {
        let (range, half) = (self.range(group), self.keys.len());
        let span = weighed.spans[group];
        let both = range.clone().chain(range.start + half..range.end + half);
        (span.weights as u128) >= range.len() as u128 && adds_up(&weighed.sums, both, span)
    }
}
