//! The bytes of groups. `docs/bytes.md` lists the fields.

use crate::arith::exact::{ExactSums, Span, Sums, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::ScoreKind;
use crate::base::error::Result;
use crate::base::memory::{Gather, with_room};
use crate::labels::binary_labels::{BinaryLabels, put_label, put_labels, take_label, take_labels};
use crate::row_keys::keys::Keys;
use crate::scores::keys;
use crate::statistic::Statistic;

use crate::groups::counts::{DENSE_CLASSES, GroupCounts, Places};
use crate::groups::masses::{Masses, Tally};
use crate::groups::ranking::GroupRanking;
use crate::groups::state::Groups;

impl Statistic for Groups {
    const NAME: &'static str = "Groups";
    const KIND: u8 = b'G';

    fn size(&self) -> usize {
        self.bytes().max(1 << 15)
    }

    fn add(&self, other: &Self) -> Result<Self> {
        self.add(other)
    }

    fn put(&self, out: &mut Writer) {
        self.keys.put(out);
        out.put(&(self.controls as u64).to_le_bytes());
        put_label(out, self.pos_label.as_ref());
        out.put(&[u8::from(self.threshold.is_some())]);
        out.put(&self.threshold.unwrap_or(0.0).to_le_bytes());
        out.put(&[u8::from(self.counts.is_some()), u8::from(self.ranking.is_some())]);
        if let Some(counts) = &self.counts {
            counts.put(out);
        }
        if let Some(ranking) = &self.ranking {
            ranking.put(out);
        }
    }

    fn take(reader: &mut Reader<'_>) -> Result<Self> {
        let keys = Keys::take(reader)?;
        let controls = reader.u64()?;
        let controls = usize::try_from(controls).ok();
        let Some(controls) = controls.filter(|&controls| controls <= keys.columns.len()) else {
            return Err(reader.refusal("there are more control columns than columns"));
        };
        let pos_label = take_label(reader)?;
        let has_threshold = reader.u8()?;
        let threshold = f64::from_le_bytes(reader.array()?);
        let is_left_out = has_threshold == 0;
        if threshold.is_nan() || has_threshold > 1 || (is_left_out && threshold.to_bits() != 0) {
            return Err(reader.refusal("the threshold is not a number"));
        }
        let [has_counts, has_ranking] = reader.array()?;
        if has_counts > 1 || has_ranking > 1 || has_counts + has_ranking == 0 {
            return Err(reader.refusal("they do not say what they hold"));
        }
        let groups = keys.groups;
        let counts = (has_counts == 1).then(|| GroupCounts::take(reader, groups));
        let counts = counts.transpose()?;
        let ranking = (has_ranking == 1).then(|| GroupRanking::take(reader, groups));
        let ranking = ranking.transpose()?;
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
            for count in counts {
                out.put(&count.to_le_bytes());
            }
        }
        Tally::Wide(counts) => {
            out.put(&[1]);
            for count in counts {
                out.put(&count.to_le_bytes());
            }
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
        counts.push(if size == 4 { reader.u32()?.into() } else { reader.u64()? });
    }
    let total = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
    if total.is_none() {
        return Err(reader.refusal("counts add up to more than 2^64"));
    }
    let counts = Tally::of(counts);
    if matches!(counts, Tally::Wide(_)) != (size == 8) {
        return Err(reader.refusal("counts have not the width that they need"));
    }
    Ok(counts)
}

/// Refuses a number of items that needs more bytes than are left.
fn room(reader: &Reader<'_>, len: usize, size: usize) -> Result<()> {
    if len.checked_mul(size).is_none_or(|bytes| bytes > reader.left()) {
        let reason = format!("{len} entries promised where {} bytes are left", reader.left());
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
    let span = Span { low: reader.i32()?, high: reader.i32()?, weights: reader.u64()? };
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
    sums.filter(|sums| *sums == sums.clone().canonical())
        .ok_or_else(|| reader.refusal("sums are not as their extent says"))
}

/// Writes the kind of the counts or weights, then the values, the squares and the rows of groups.
fn put_masses(
    out: &mut Writer,
    masses: &Masses,
    squares: Option<&ExactSums>,
    rows: Option<&Tally>,
) {
    match masses {
        Masses::Counts(counts) => {
            out.put(&[0]);
            put_tally(out, counts);
        }
        Masses::Weights(sums) => {
            out.put(&[if squares.is_some() { 2 } else { 1 }]);
            put_sums(out, sums);
        }
    }
    if let Some(squares) = squares {
        put_sums(out, squares);
    }
    if let Some(rows) = rows {
        put_tally(out, rows);
    }
}

/// Counts or weights, the sums of squared sampling weights, and the rows of weighted groups.
type Taken = (Masses, Option<ExactSums>, Option<Tally>);

fn take_masses(reader: &mut Reader<'_>, len: usize, groups: usize) -> Result<Taken> {
    match reader.u8()? {
        0 => Ok((Masses::Counts(take_tally(reader, len)?), None, None)),
        form @ (1 | 2) => {
            let sums = take_sums(reader, len)?;
            let squares = (form == 2).then(|| take_sums(reader, len)).transpose()?;
            let rows = take_tally(reader, groups)?;
            Ok((Masses::Weights(sums), squares, Some(rows)))
        }
        _ => Err(reader.refusal("the counts or weights are of no known kind")),
    }
}

impl GroupCounts {
    fn put(&self, out: &mut Writer) {
        put_labels(out, &self.labels);
        if let Some(places) = &self.places {
            places.starts.iter().for_each(|start| out.put(&start.to_le_bytes()));
            places.cells.iter().for_each(|cell| out.put(&cell.to_le_bytes()));
        }
        put_masses(out, &self.masses, self.squares.as_ref(), self.rows.as_ref());
    }

    fn take(reader: &mut Reader<'_>, groups: usize) -> Result<Self> {
        let labels = take_labels(reader)?;
        if labels.len() >= 1 << 31 {
            return Err(reader.refusal("they have too many labels"));
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
        let len = places.as_ref().map_or(4 * groups, |places| places.cells.len());
        let (masses, squares, rows) = take_masses(reader, len, groups)?;
        let counts = Self { labels, groups, places, masses, squares, rows };
        if !counts.is_possible() {
            return Err(reader.refusal("a cell of zero is listed, or one is of no class"));
        }
        Ok(counts)
    }

    /// Whether listed cells are not zero, and the cells of unlisted classes are there.
    fn is_possible(&self) -> bool {
        let is_zero = |place: usize| match &self.masses {
            Masses::Counts(counts) => counts.get(place) == 0,
            Masses::Weights(sums) => sums.get(place) == 0.0,
        };
        let classes = self.labels.len();
        let is_listed = self.places.is_some();
        (0..self.masses.len()).all(|place| {
            let (actual, predicted) = (place % 4 / 2, place % 2);
            if is_listed {
                !is_zero(place)
            } else {
                is_zero(place) || (actual < classes && predicted < classes)
            }
        })
    }
}

impl GroupRanking {
    fn put(&self, out: &mut Writer) {
        out.put(&[self.kind.code()]);
        self.labels.put(out);
        self.starts.iter().for_each(|start| out.put(&start.to_le_bytes()));
        match &self.keys {
            keys::Keys::Narrow(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
            keys::Keys::Wide(keys) => keys.iter().for_each(|key| out.put(&key.to_le_bytes())),
        }
        put_masses(out, &self.masses, self.squares.as_ref(), self.rows.as_ref());
    }

    fn take(reader: &mut Reader<'_>, groups: usize) -> Result<Self> {
        let kind = ScoreKind::from_code(reader.u8()?);
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
            all.push(if kind.is_wide() { reader.u64()? } else { reader.u32()?.into() });
        }
        let descend = starts.windows(2).all(|ends| {
            let own = &all[ends[0] as usize..ends[1] as usize];
            own.is_sorted_by(|a, b| a > b)
        });
        if !descend {
            return Err(reader.refusal("the scores of a group do not descend"));
        }
        if !all.iter().all(|&key| kind.has(key)) {
            return Err(reader.refusal("a key stands for no score"));
        }
        let keys = if kind.is_wide() {
            keys::Keys::Wide(all)
        } else {
            keys::Keys::Narrow(all.into_iter().map(|key| key as u32).gather())
        };
        let both = len.checked_mul(2).filter(|&both| both / 2 == len).unwrap_or(usize::MAX);
        let (masses, squares, rows) = take_masses(reader, both, groups)?;
        let ranking = Self { kind, labels, starts, keys, masses, squares, rows };
        if !ranking.is_possible() {
            return Err(reader.refusal("a score has no rows, or a group fewer rows than scores"));
        }
        Ok(ranking)
    }

    /// Whether each score has rows, and each group at least as many rows as scores.
    fn is_possible(&self) -> bool {
        let half = self.keys.len();
        let has_rows = |place: usize| match &self.masses {
            Masses::Counts(counts) => counts.get(place) > 0,
            Masses::Weights(sums) => sums.get(place) > 0.0,
        };
        (0..half).all(|place| has_rows(place) || has_rows(place + half))
            && (0..self.groups()).all(|group| {
                let (rows, scores) = (self.rows(group), self.scores(group) as u64);
                rows >= scores && (rows == 0) == (scores == 0)
            })
            && (self.squares.as_ref()).is_none_or(|squares| {
                (0..2 * half).all(|place| (squares.get(place) > 0.0) == has_rows(place))
            })
    }
}
