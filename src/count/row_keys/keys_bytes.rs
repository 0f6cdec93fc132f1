//! The bytes of keys, a part of the bytes of a statistic by groups. `docs/bytes.md` lists the
//! fields.

use std::sync::Arc;

use crate::base::bytes::{Reader, Writer};
use crate::base::dtype::ScoreKind;
use crate::base::error::Result;
use crate::base::memory::{Room, with_room};

use crate::row_keys::column::{Distinct, KeyColumn};
use crate::row_keys::keys::Keys;
use crate::row_keys::texts::Texts;

const TRUTHS: u8 = 0;
const NUMBERS: u8 = 1;
const TIMES: u8 = 2;
const TEXTS: u8 = 3;
const ORDERED: u8 = 4;

impl Keys {
    pub fn put(&self, out: &mut Writer) {
        out.put(&(self.groups as u64).to_le_bytes());
        out.put(&(self.columns.len() as u64).to_le_bytes());
        for (name, column) in &self.columns {
            put_text(out, name);
            match &column.distinct {
                Distinct::Truths(truths) => {
                    out.put(&[TRUTHS]);
                    out.put(&(truths.len() as u64).to_le_bytes());
                    for &truth in truths {
                        out.put(&[u8::from(truth)]);
                    }
                }
                Distinct::Numbers(kind, keys) => {
                    out.put(&[NUMBERS, kind.code()]);
                    out.put(&(keys.len() as u64).to_le_bytes());
                    for key in keys {
                        out.put(&key.to_le_bytes());
                    }
                }
                Distinct::Times(dtype, times) => {
                    out.put(&[TIMES]);
                    put_text(out, dtype);
                    out.put(&(times.len() as u64).to_le_bytes());
                    for time in times {
                        out.put(&time.to_le_bytes());
                    }
                }
                Distinct::Texts(texts) => put_texts(out, TEXTS, texts),
                Distinct::Ordered(texts) => put_texts(out, ORDERED, texts),
            }
            for place in &column.places {
                out.put(&place.to_le_bytes());
            }
        }
    }

    /// Reads what [`Self::put`] wrote.
    ///
    /// # Errors
    /// Bytes that it could not have written.
    pub fn take(reader: &mut Reader<'_>) -> Result<Self> {
        let groups = reader.u64()?;
        let columns = reader.len(8)?;
        let groups = usize::try_from(groups).ok().filter(|&groups| groups < u32::MAX as usize);
        let Some(groups) = groups else {
            return Err(reader.refusal("they promise too many groups"));
        };
        let mut taken = with_room(columns);
        for _ in 0..columns {
            let name = take_text(reader)?.to_owned();
            let distinct = take_distinct(reader)?;
            if groups.saturating_mul(4) > reader.left() {
                return Err(reader.refusal("they end before the keys of all groups"));
            }
            let mut places = with_room(groups);
            for _ in 0..groups {
                let place = reader.u32()?;
                if place as usize > distinct.len() {
                    return Err(reader.refusal("a group has a key that is not there"));
                }
                places.push(place);
            }
            let column = KeyColumn::from_places(distinct, places);
            if !column.has_no_unused() {
                return Err(reader.refusal("a key has no group"));
            }
            taken.push((name, Arc::new(column)));
        }
        let keys = Self { columns: taken, groups };
        if keys.columns.is_empty() && groups > 1 {
            return Err(reader.refusal("several groups have no key"));
        }
        let row = |group: usize| keys.columns.iter().map(move |(_, of)| of.places[group]);
        if (1..groups).any(|group| row(group - 1).cmp(row(group)).is_ge()) {
            return Err(reader.refusal("the groups are not in the order of their keys"));
        }
        Ok(keys)
    }
}

pub(crate) fn put_text(out: &mut Writer, text: &str) {
    out.put(&(text.len() as u64).to_le_bytes());
    out.put(text.as_bytes());
}

pub(crate) fn take_text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let len = reader.len(1)?;
    let bytes = reader.take(len)?;
    std::str::from_utf8(bytes).map_err(|_| reader.refusal("a text is not UTF-8"))
}

fn put_texts(out: &mut Writer, kind: u8, texts: &Texts) {
    out.put(&[kind]);
    out.put(&(texts.len() as u64).to_le_bytes());
    texts.iter().for_each(|text| put_text(out, text));
}

fn take_distinct(reader: &mut Reader<'_>) -> Result<Distinct> {
    let distinct = match reader.u8()? {
        TRUTHS => {
            let len = reader.len(1)?;
            let mut truths = with_room(len);
            for _ in 0..len {
                truths.push(match reader.u8()? {
                    truth @ (0 | 1) => truth == 1,
                    _ => return Err(reader.refusal("a key is no truth value")),
                });
            }
            ascending(reader, &truths)?;
            Distinct::Truths(truths)
        }
        NUMBERS => {
            let kind = ScoreKind::from_code(reader.u8()?);
            let kind = kind.ok_or_else(|| reader.refusal("keys are of an unknown kind"))?;
            let len = reader.len(8)?;
            let mut keys = with_room(len);
            for _ in 0..len {
                keys.push(reader.u64()?);
            }
            ascending(reader, &keys)?;
            if keys.iter().any(|&key| key > kind.greatest()) {
                return Err(reader.refusal("a key is beyond its kind"));
            }
            Distinct::Numbers(kind, keys)
        }
        TIMES => {
            let dtype = take_text(reader)?;
            if !is_time(dtype) {
                return Err(reader.refusal("times have no dtype"));
            }
            let len = reader.len(8)?;
            let mut times = with_room(len);
            for _ in 0..len {
                times.push(i64::from_le_bytes(reader.array()?));
            }
            ascending(reader, &times)?;
            if times.first() == Some(&i64::MIN) {
                return Err(reader.refusal("a time is no time"));
            }
            Distinct::Times(dtype.into(), times)
        }
        kind @ (TEXTS | ORDERED) => {
            let len = reader.len(8)?;
            let mut texts: Vec<&str> = Vec::new();
            for _ in 0..len {
                texts.grow(take_text(reader)?);
            }
            if kind == TEXTS {
                ascending(reader, &texts)?;
                Distinct::Texts(Texts::of(&texts))
            } else {
                Distinct::Ordered(Texts::of(&texts))
            }
        }
        kind => return Err(reader.refusal(format!("they have keys of the unknown kind {kind}"))),
    };
    if distinct.len() >= u32::MAX as usize {
        return Err(reader.refusal("they have too many keys"));
    }
    Ok(distinct)
}

/// Whether this is numpy's name of a dtype of times, or pandas' name of one with a time zone.
fn is_time(dtype: &str) -> bool {
    const UNITS: [&str; 13] =
        ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"];
    let start = ["datetime64[", "timedelta64["];
    let unit = start.iter().find_map(|start| dtype.strip_prefix(start));
    let Some(unit) = unit.and_then(|unit| unit.strip_suffix(']')) else {
        return false;
    };
    let digits = unit.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = unit.split_at(digits);
    // Times with a zone: "us, Europe/Berlin".
    let unit = unit.split_once(", ").map_or(unit, |(unit, _)| unit);
    UNITS.contains(&unit) && digits <= 9 && !number.starts_with('0')
}

fn ascending<T: Ord>(reader: &Reader<'_>, values: &[T]) -> Result<()> {
    if values.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(reader.refusal("keys are not in ascending order"));
    }
    Ok(())
}
