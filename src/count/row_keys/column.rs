//! One column of keys: its distinct keys in ascending order, and the place of each row's key among
//! them.
//!
//! Numbers are ranked by their order keys, texts by their code points, ordered categories in their
//! order. A missing key (NaN, None, a null, not-a-time) comes after all others.

use std::ops::Range;

use crate::base::column::chunks;
use crate::base::dtype::{Class, Number, ScoreKind, visit};
use crate::base::error::{Refusal, Result, room};
use crate::base::input::{Coded, Label, LabelKind, Labels, Scores};
use crate::base::memory::{CopyAll, Gather, Room, map_of};
use crate::base::wide::prefetch_read;

use crate::row_keys::ranks::{MISSING_VALUE, few_enough, ranked};
use crate::row_keys::texts::Texts;

/// The distinct keys of a column, ascending, without the missing key.
#[derive(Debug, PartialEq, Eq)]
pub enum Distinct {
    /// False before true.
    Truths(Vec<bool>),
    /// Order keys of this kind.
    Numbers(ScoreKind, Vec<u64>),
    /// Times, as integers in the unit of this numpy dtype.
    Times(Box<str>, Vec<i64>),
    /// Texts in the order of their code points.
    Texts(Texts),
    /// All categories in their order, with or without rows.
    Ordered(Texts),
}

impl Clone for Distinct {
    fn clone(&self) -> Self {
        let copy = |texts: &Texts| Texts::of(&texts.iter().gather());
        match self {
            Self::Truths(truths) => Self::Truths(truths.copy_all()),
            Self::Numbers(kind, keys) => Self::Numbers(*kind, keys.copy_all()),
            Self::Times(dtype, times) => Self::Times(dtype.clone(), times.copy_all()),
            Self::Texts(texts) => Self::Texts(copy(texts)),
            Self::Ordered(texts) => Self::Ordered(copy(texts)),
        }
    }
}

impl Distinct {
    /// The number of distinct keys.
    pub fn len(&self) -> usize {
        match self {
            Self::Truths(truths) => truths.len(),
            Self::Numbers(_, keys) => keys.len(),
            Self::Times(_, times) => times.len(),
            Self::Texts(texts) | Self::Ordered(texts) => texts.len(),
        }
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One key in words; none for the missing key.
    pub(crate) fn shown(&self, place: usize) -> Option<String> {
        match self {
            Self::Truths(truths) => truths.get(place).map(ToString::to_string),
            Self::Numbers(kind, keys) => keys.get(place).map(|&key| match kind.integer(key) {
                Some(integer) => integer.to_string(),
                None => kind.score(key).to_string(),
            }),
            Self::Times(dtype, times) => times.get(place).map(|time| format!("{time} ({dtype})")),
            Self::Texts(texts) | Self::Ordered(texts) => {
                (place < texts.len()).then(|| Label::Text(texts.get(place).into()).to_string())
            }
        }
    }

    /// The type of the keys in words.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Truths(_) => "truth values".to_owned(),
            Self::Numbers(kind, _) if kind.is_float() => "floats".to_owned(),
            Self::Numbers(..) => "integers".to_owned(),
            Self::Times(dtype, _) => format!("times of dtype {dtype}"),
            Self::Texts(_) => "text".to_owned(),
            Self::Ordered(_) => "ordered categories".to_owned(),
        }
    }
}

/// A column of keys.
#[derive(Debug, PartialEq, Eq)]
pub struct KeyColumn {
    /// The distinct keys.
    pub distinct: Distinct,
    /// The place of each row's key; the place of a missing key is the number of distinct keys.
    pub places: Vec<u32>,
    /// Whether a key is missing.
    pub is_missing: bool,
}

/// Prefetch distance in labels, which lie in another order than the rows.
const AHEAD: usize = 32;

/// The order key of a number, in 64 bits.
#[inline]
fn wide<N: Number>(raw: N::Raw) -> u64 {
    N::key(raw).into()
}

impl KeyColumn {
    pub(crate) fn from_places(distinct: Distinct, places: Vec<u32>) -> Self {
        let is_missing = places.contains(&(distinct.len() as u32));
        Self { distinct, places, is_missing }
    }

    /// The keys of a column of labels; floats need not be whole.
    ///
    /// # Errors
    /// Integers of more than 64 bits, and too many keys.
    pub fn new(labels: &Labels<'_>, argument: &'static str) -> Result<Self> {
        visit!(Labels(labels), |column, N| {
            let lower = |rows: Range<usize>, out: &mut Vec<u64>| {
                let mut scratch = Vec::new();
                let values = column.chunk(rows, &mut scratch);
                if N::CLASS == Class::Float {
                    let key = |&raw: &<N as Number>::Raw| {
                        if N::magnitude(raw) > N::INFINITE {
                            MISSING_VALUE
                        } else {
                            wide::<N>(raw)
                        }
                    };
                    out.grow_with(values.iter().map(key));
                } else {
                    out.grow_with(values.iter().map(|&raw| wide::<N>(raw)));
                }
            };
            let ranks = ranked(argument, column.len(), N::CLASS == Class::Float, &lower)?;
            let distinct = if N::CLASS == Class::Truth {
                let is_true = |&key: &u64| N::KIND.integer(key) != Some(0);
                Distinct::Truths(ranks.distinct.iter().map(is_true).gather())
            } else {
                Distinct::Numbers(N::KIND, ranks.distinct)
            };
            Ok(Self { distinct, places: ranks.ranks, is_missing: ranks.is_missing })
        }, Labels::Coded(coded) => Self::from_codes(coded, argument))
    }

    /// The keys of a column of times: integers in the unit of a numpy dtype; the lowest integer is
    /// a missing time.
    ///
    /// # Errors
    /// Columns that are not integers, and too many keys.
    pub fn from_times(labels: &Labels<'_>, dtype: &str, argument: &'static str) -> Result<Self> {
        let Ok(numbers) = labels.numbers() else {
            return Err(Refusal::argument(argument, "times that are no integers", dtype));
        };
        visit!(Scores(numbers), |column, N| {
            let lower = |rows: Range<usize>, out: &mut Vec<u64>| {
                let mut scratch = Vec::new();
                let values = column.chunk(rows, &mut scratch);
                // The key of a missing time, 0, becomes the greatest.
                let key = |&raw: &<N as Number>::Raw| wide::<N>(raw).wrapping_sub(1);
                out.grow_with(values.iter().map(key));
            };
            let ranks = ranked(argument, column.len(), true, &lower)?;
            let time = |&key: &u64| {
                let time = N::KIND.integer(key.wrapping_add(1));
                time.and_then(|time| i64::try_from(time).ok()).unwrap_or(i64::MIN)
            };
            let times = ranks.distinct.iter().map(time).gather();
            Ok(Self {
                distinct: Distinct::Times(dtype.into(), times),
                places: ranks.ranks,
                is_missing: ranks.is_missing,
            })
        })
    }

    /// The keys of a column of ordered categories.
    ///
    /// # Errors
    /// A row outside the categories, and categories that are not texts.
    pub fn from_ordered(
        coded: &Coded<'_>,
        categories: &[&str],
        argument: &'static str,
    ) -> Result<Self> {
        let known =
            map_of::<_, _, foldhash::fast::RandomState>(categories.iter().copied().zip(0_u32..));
        let missing = categories.len() as u32;
        few_enough(argument, categories.len())?;
        let place = |label: &Label| match label {
            Label::Text(text) => known.get(&**text).copied().ok_or_else(|| {
                let expected = "one of the ordered categories";
                Refusal::argument(argument, label.to_string(), expected)
            }),
            Label::Int(_) => Err(Refusal::argument(argument, label.to_string(), "text")),
        };
        let places = coded.labels.iter().map(place).gather_all()?;
        let places = renumbered(coded, &places, missing, argument)?;
        Ok(Self {
            distinct: Distinct::Ordered(Texts::of(categories)),
            is_missing: places.contains(&missing),
            places,
        })
    }

    /// The keys of a column of codes, without unused labels.
    fn from_codes(coded: &Coded<'_>, argument: &'static str) -> Result<Self> {
        let mut is_used: Vec<bool> = vec![false; coded.labels.len()];
        let mut scratch = Vec::new();
        for rows in chunks(0..coded.codes.len()) {
            for &code in coded.codes.chunk(rows, &mut scratch) {
                if let Some(used) = is_used.get_mut(code as usize) {
                    *used = true;
                }
            }
        }
        let mut order: Vec<(u128, u32)> = (0..)
            .zip(coded.labels)
            .filter(|&(code, _): &(u32, _)| is_used[code as usize])
            .map(|(code, label)| (beginning(label), code))
            .gather();
        few_enough(argument, order.len())?;
        let label = |entry: &(u128, u32)| &coded.labels[entry.1 as usize];
        order.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| label(a).cmp(label(b))));
        let mut places: Vec<u32> = vec![0; coded.labels.len()];
        for (rank, &(_, code)) in (0..).zip(&order) {
            places[code as usize] = rank;
        }
        let distinct = if coded.kind == LabelKind::Text {
            let text = |entry: &(u128, u32)| match label(entry) {
                Label::Text(text) => &**text,
                Label::Int(_) => "",
            };
            let bytes = order.iter().map(|entry| text(entry).len()).sum();
            let mut texts = Texts::with_room(order.len(), bytes);
            for (place, entry) in order.iter().enumerate() {
                if let Some(ahead) = order.get(place + AHEAD) {
                    prefetch_read(std::ptr::from_ref(label(ahead)).cast::<u8>());
                }
                if let Some(ahead) = order.get(place + AHEAD / 2) {
                    prefetch_read(text(ahead).as_ptr());
                }
                texts.push(text(entry));
            }
            Distinct::Texts(texts)
        } else {
            numbers(order.iter().map(label), coded.kind, argument)?
        };
        let missing = distinct.len() as u32;
        let places = renumbered(coded, &places, missing, argument)?;
        Ok(Self { distinct, is_missing: places.contains(&missing), places })
    }
}

/// Codes as places; any other code is a missing key.
fn renumbered(
    coded: &Coded<'_>,
    places: &[u32],
    missing: u32,
    argument: &'static str,
) -> Result<Vec<u32>> {
    let mut rows = room(argument, coded.codes.len())?;
    let mut scratch = Vec::new();
    for chunk in chunks(0..coded.codes.len()) {
        let codes = coded.codes.chunk(chunk, &mut scratch);
        let place = |&code: &u32| places.get(code as usize).copied().unwrap_or(missing);
        rows.grow_with(codes.iter().map(place));
    }
    Ok(rows)
}

/// Ascending numeric labels, as keys of the kind that holds them all.
fn numbers<'a>(
    labels: impl Iterator<Item = &'a Label> + Clone,
    kind: LabelKind,
    argument: &'static str,
) -> Result<Distinct> {
    let whole = |label: &Label| match label {
        Label::Int(number) => *number,
        Label::Text(_) => 0,
    };
    if kind == LabelKind::Bool {
        return Ok(Distinct::Truths(labels.map(|label| whole(label) != 0).gather()));
    }
    if kind == LabelKind::Float {
        let kind = f64::KIND;
        let key = |label| kind.key_of_float(whole(label) as f64);
        return Ok(Distinct::Numbers(kind, labels.map(key).gather()));
    }
    let (first, last) = (labels.clone().next(), labels.clone().last());
    let is_within = |range: (i128, i128)| {
        [first, last].into_iter().flatten().all(|label| {
            let number = whole(label);
            range.0 <= number && number <= range.1
        })
    };
    let kinds = [i64::KIND, u64::KIND];
    let kind = kinds.into_iter().find(|kind| is_within(kind.whole_numbers()));
    let kind = kind.ok_or_else(|| {
        let expected = "integers of at most 64 bits, as keys";
        Refusal::argument(argument, "of integers beyond 64 bits", expected)
    })?;
    let key = |label| kind.key_of_whole(whole(label));
    Ok(Distinct::Numbers(kind, labels.map(key).gather()))
}

/// The first bytes of a label as a number: it orders like the labels, except for ties.
fn beginning(label: &Label) -> u128 {
    match label {
        Label::Int(number) => number.cast_unsigned() ^ (1 << 127),
        Label::Text(text) => {
            let mut bytes = [0; 16];
            let len = text.len().min(16);
            bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
            u128::from_be_bytes(bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::MISSING;

    fn keys(distinct: Distinct) -> Vec<String> {
        match distinct {
            Distinct::Truths(truths) => truths.iter().map(ToString::to_string).collect(),
            Distinct::Numbers(kind, keys) => {
                keys.iter().map(|&key| kind.score(key).to_string()).collect()
            }
            Distinct::Times(_, times) => times.iter().map(ToString::to_string).collect(),
            Distinct::Texts(texts) | Distinct::Ordered(texts) => {
                texts.iter().map(ToString::to_string).collect()
            }
        }
    }

    #[test]
    fn keys_are_sorted_and_a_missing_one_is_last() {
        let floats = [0.5, f64::NAN, -0.0, 0.0, f64::INFINITY, -1.5];
        let column = KeyColumn::new(&Labels::of::<f64>(Column::from_slice(&floats)), "by").unwrap();
        assert_eq!(column.places, [2, 4, 1, 1, 3, 0]);
        assert_eq!(keys(column.distinct), ["-1.5", "0", "0.5", "inf"]);

        let ints = [3_i8, -128, 3, 127];
        let column = KeyColumn::new(&Labels::of::<i8>(Column::from_slice(&ints)), "by").unwrap();
        assert_eq!(column.places, [1, 0, 1, 2]);
        assert_eq!(keys(column.distinct), ["-128", "3", "127"]);

        let times = [5, i64::MIN, -5, i64::MAX];
        let labels = Labels::of::<i64>(Column::from_slice(&times));
        let column = KeyColumn::from_times(&labels, "datetime64[s]", "by").unwrap();
        assert_eq!(column.places, [1, 3, 0, 2]);
        assert_eq!(keys(column.distinct), ["-5", "5", &i64::MAX.to_string()]);
    }

    #[test]
    fn codes_are_put_into_the_order_of_their_labels() {
        let text = |text: &str| Label::Text(text.into());
        let labels = [text("m"), text("unused"), text("b"), text("bbbbbbbbbb"), text("bbbbbbbbba")];
        let codes = [0, 3, 2, 4, MISSING, 0];
        let coded =
            Coded { codes: Column::from_slice(&codes), labels: &labels, kind: LabelKind::Text };
        let column = KeyColumn::new(&Labels::Coded(coded), "by").unwrap();
        assert_eq!(column.places, [3, 2, 0, 1, 4, 3]);
        assert_eq!(keys(column.distinct), ["b", "bbbbbbbbba", "bbbbbbbbbb", "m"]);

        let categories = ["m", "none", "unused", "bbbbbbbbba", "bbbbbbbbbb", "b"];
        let column = KeyColumn::from_ordered(&coded, &categories, "by").unwrap();
        assert_eq!(column.places, [0, 4, 5, 3, 6, 0]);
        assert!(KeyColumn::from_ordered(&coded, &["m"], "by").is_err());

        let labels = [Label::Int(-1), Label::Int(1 << 63), Label::Int(7)];
        let coded = |labels| Coded {
            codes: Column::from_slice(&[2_u32, 1, 0][..]),
            labels,
            kind: LabelKind::Int,
        };
        assert!(KeyColumn::new(&Labels::Coded(coded(&labels)), "by").is_err());
        let labels = [Label::Int(0), Label::Int(1 << 63), Label::Int(7)];
        let column = KeyColumn::new(&Labels::Coded(coded(&labels)), "by").unwrap();
        assert_eq!(column.places, [1, 2, 0]);
    }
}
