//! The codebook: every label becomes a small number, in the same pass that counts.
//!
//! A label is a whole number, whatever its dtype: an integer, a truth value, a float that is whole,
//! or the place of a string in a dictionary.
//!
//! 1. Labels nearly always lie close together. So the code is the distance from the lowest label,
//!    and a `Window` of 2^bits numbers bounds the valid distances.
//! 2. Lowering a block takes one subtraction and one narrowing store a row, in vectors. The bitwise
//!    OR of all distances shows at the end whether every row was in the window: no per-row branch,
//!    no pass to find the labels, no sort.
//! 3. A block with a row outside (a new label, a missing one, a fraction) is read again by the
//!    caller, row by row, which refuses invalid rows. `Codebook::admit` then widens the window.
//! 4. Past 2^11 numbers a hash map from number to code takes over. If more than 2^11 numbers lie
//!    within 2^22, the map turns into a wide window, whose codes are distances again, one row at a
//!    time.
//! 5. Existing counts are renumbered; no row is counted twice.
//!
//! Cost: about 0.1 ns a row in a narrow window, 1 to 2 ns a label in a wide one. Through the hash
//! map 2 ns a label while labels are few, 10 ns and more when they are thousands.
//!
//! Tried and rejected:
//! - sorting or hashing to find the labels first (a second pass);
//! - a bitmap of values seen (the counts already show them);
//! - codes of a byte for counting row by row (two bytes are as fast);
//! - prefetching inside the lowering (a burst of prefetches stalls; spreading them over the
//!   counting doubles the speed).

// Only inlined calls inherit the wider vectors of a function.
#![allow(clippy::inline_always)]

use std::collections::hash_map::Entry;
use std::ops::Range;

use crate::base::column::{Column, Element};
use crate::base::dtype::{Number, Reading, visit};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Coded, Label, LabelKind, Labels, MISSING, Scores};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, map_of, room_in};
use crate::base::wide::wide;

/// Rows lowered and counted at a time: few enough that lowering one block overlaps with counting
/// another.
pub(crate) const BLOCK: usize = 256;

/// Narrow windows, whose codes are computed in vectors, have at most 2^11 numbers. So do the sides
/// of dense tables.
pub(crate) const NARROW_BITS: u32 = 11;

/// Wide windows, for more than 2^11 labels, have at most 2^22 numbers.
const WIDE_BITS: u32 = 22;

/// Prefetch distance in bytes.
const AHEAD: usize = 8192;

/// 2^bits numbers from `low` on; the code of a number is its distance from `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: i128,
    pub(crate) bits: u32,
}

impl Window {
    /// The smallest window over `lowest..=highest`, if 2^bits numbers are enough. Spare numbers are
    /// split between both ends, but a window starts at zero if it can.
    pub(crate) fn over(lowest: i128, highest: i128, bits: u32) -> Option<Self> {
        let span = highest.checked_sub(lowest)?;
        if !(0..1 << bits).contains(&span) {
            return None;
        }
        let bits = i128::BITS - span.leading_zeros();
        let width = 1 << bits;
        let low = if lowest >= 0 && highest < width { 0 } else { lowest - (width - 1 - span) / 2 };
        Some(Self { low, bits })
    }

    /// The code of a number inside the window.
    #[inline(always)]
    pub(crate) fn find(self, reading: Reading) -> Option<u32> {
        match reading {
            Reading::Whole(number) => self.code(number),
            _ => None,
        }
    }

    #[inline(always)]
    fn code(self, number: i128) -> Option<u32> {
        let distance = number.wrapping_sub(self.low) as u128;
        (distance >> self.bits == 0).then_some(distance as u32)
    }
}

/// The type of codes: wide enough for the window.
pub(crate) trait Code: Copy {
    /// The low bits of a distance.
    fn of(distance: u64) -> Self;
}

impl Code for u8 {
    #[inline(always)]
    fn of(distance: u64) -> Self {
        distance as Self
    }
}

impl Code for u16 {
    #[inline(always)]
    fn of(distance: u64) -> Self {
        distance as Self
    }
}

/// A column of labels, read as whole numbers.
#[derive(Debug)]
pub(crate) enum Source<'a> {
    /// Numbers.
    Numbers(Scores<'a>),
    /// Codes and their meaning.
    Coded(Column<'a, u32>, Meaning),
}

/// The meaning of the codes of a coded column; any other code is a missing label.
#[derive(Debug)]
pub(crate) enum Meaning {
    /// Codes below this stand for themselves.
    Themselves(u32),
    /// For places in the common dictionary.
    Places(Vec<u32>),
    /// For numbers.
    Numbers(Vec<i128>),
}

impl Meaning {
    #[inline(always)]
    fn read(&self, code: u32) -> Reading {
        let number = match self {
            Self::Themselves(count) => (code < *count).then_some(i128::from(code)),
            Self::Places(places) => places.get(code as usize).map(|&place| i128::from(place)),
            Self::Numbers(numbers) => numbers.get(code as usize).copied(),
        };
        number.map_or(Reading::Missing, Reading::Whole)
    }
}

/// The lowest and highest of `first` and the values; NaN is ignored.
#[inline(always)]
fn extremes_body<T: Copy + PartialOrd>(values: &[T], first: T) -> (T, T) {
    let (mut lowest, mut highest) = (first, first);
    for &value in values {
        lowest = if value < lowest { value } else { lowest };
        highest = if value > highest { value } else { highest };
    }
    (lowest, highest)
}

wide! {
    fn extremes[T: Copy + PartialOrd](values: &[T], first: T) -> (T, T) = extremes_body;
}

/// The address of later rows, for prefetching while earlier rows are counted.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    /// An address to prefetch, never to read.
    pub(crate) place: *const u8,
    /// The distance in bytes to the address eight rows later.
    pub(crate) step: usize,
}

impl Source<'_> {
    /// The codes of a block of at most [`BLOCK`] rows. They are valid only if the function returns
    /// that all rows were in the window.
    #[inline(always)]
    pub(crate) fn lower<C: Code>(
        &self,
        rows: Range<usize>,
        window: Window,
        codes: &mut [C; BLOCK],
    ) -> (bool, Ahead) {
        match self {
            Self::Numbers(numbers) => {
                visit!(Scores(numbers), |column, N| lower_block::<N, C>(
                    column, rows, window, codes
                ))
            }
            Self::Coded(column, meaning) => lower_coded(column, meaning, rows, window, codes),
        }
    }

    /// The codes of a block, one by one; false if `find` does not know a label.
    #[inline(always)]
    pub(crate) fn look_up(
        &self,
        rows: Range<usize>,
        mut find: impl FnMut(Reading) -> Option<u32>,
        out: &mut Vec<u32>,
    ) -> bool {
        out.clear();
        let (mut known, mut keep) = (true, |code: Option<u32>| {
            out.grow(code.unwrap_or(0));
            code.is_some()
        });
        match self {
            Self::Numbers(numbers) => visit!(Scores(numbers), |column, N| {
                for &raw in column.chunk(rows, &mut Vec::new()) {
                    known &= keep(find(N::read(raw)));
                }
            }),
            Self::Coded(column, meaning) => {
                for &code in column.chunk(rows, &mut Vec::new()) {
                    known &= keep(find(meaning.read(code)));
                }
            }
        }
        known
    }

    pub(crate) fn read(&self, row: usize) -> Reading {
        match self {
            Self::Numbers(numbers) => visit!(Scores(numbers), |column, N| N::read(column.get(row))),
            Self::Coded(column, meaning) => meaning.read(column.get(row)),
        }
    }

    /// The lowest and highest label of a block if they are whole numbers; with a NaN among the
    /// rows, the bounds of a part.
    pub(crate) fn bounds(&self, rows: Range<usize>) -> Option<(i128, i128)> {
        fn of<T: Element + PartialOrd>(
            column: &Column<'_, T>,
            rows: Range<usize>,
            read: impl Fn(T) -> Reading,
        ) -> Option<(i128, i128)> {
            let mut scratch = Vec::new();
            let values = column.chunk(rows, &mut scratch);
            let (lowest, highest) = extremes(values, *values.first()?);
            match (read(lowest), read(highest)) {
                (Reading::Whole(a), Reading::Whole(b)) => Some((a.min(b), a.max(b))),
                _ => None,
            }
        }
        let meaning = match self {
            Self::Numbers(numbers) => {
                return visit!(Scores(numbers), |column, N| of(column, rows, N::read));
            }
            Self::Coded(_, meaning) => meaning,
        };
        // The bounds of all possible codes: a dictionary is small compared with its rows.
        match meaning {
            Meaning::Themselves(count) => Some((0, i128::from(count.checked_sub(1)?))),
            Meaning::Places(places) => {
                Some(((*places.iter().min()?).into(), (*places.iter().max()?).into()))
            }
            Meaning::Numbers(numbers) => Some((*numbers.iter().min()?, *numbers.iter().max()?)),
        }
    }

    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Numbers(numbers) => {
                visit!(Scores(numbers), |_, N| size_of::<<N as Number>::Raw>())
            }
            Self::Coded(..) => size_of::<u32>(),
        }
    }

    /// The column, if it is contiguous bytes.
    pub(crate) fn bytes(&self, rows: Range<usize>) -> Option<&[u8]> {
        match self {
            Self::Numbers(numbers) => numbers.bytes()?.part(rows).as_slice(),
            Self::Coded(..) => None,
        }
    }
}

#[inline(always)]
fn lower_block<N: Number, C: Code>(
    column: &Column<'_, N::Raw>,
    rows: Range<usize>,
    window: Window,
    codes: &mut [C; BLOCK],
) -> (bool, Ahead) {
    let mut scratch = Vec::new();
    let (values, ahead) = match column.part(rows.clone()).as_slice() {
        Some(values) => {
            let place = values.as_ptr().cast::<u8>().wrapping_add(AHEAD);
            (values, Ahead { place, step: 8 * size_of::<N::Raw>() })
        }
        None => (column.chunk(rows, &mut scratch), nothing_ahead(codes)),
    };
    let Some(origin) = N::origin(window.low, NARROW_BITS) else {
        return (lower_slowly::<N, C>(values, window, codes), nothing_ahead(codes));
    };
    let mut all = N::Distance::default();
    for (code, &value) in codes.iter_mut().zip(values) {
        let distance = N::distance(value, origin);
        all |= distance;
        *code = C::of(distance.into());
    }
    (all.into() >> window.bits == 0, ahead)
}

/// For windows at the ends of a type's range.
#[cold]
#[inline(never)]
fn lower_slowly<N: Number, C: Code>(
    values: &[N::Raw],
    window: Window,
    codes: &mut [C; BLOCK],
) -> bool {
    codes.iter_mut().zip(values).all(|(code, &value)| place_in(window, N::read(value), code))
}

#[inline(always)]
fn lower_coded<C: Code>(
    column: &Column<'_, u32>,
    meaning: &Meaning,
    rows: Range<usize>,
    window: Window,
    codes: &mut [C; BLOCK],
) -> (bool, Ahead) {
    let ahead = nothing_ahead(codes);
    let mut scratch = Vec::new();
    let values = column.chunk(rows, &mut scratch);
    let mut all = 0;
    match (meaning, u32::origin(window.low, NARROW_BITS)) {
        (Meaning::Places(places), Some(low)) => {
            for (code, &value) in codes.iter_mut().zip(values) {
                let place = places.get(value as usize).copied();
                let distance = place.unwrap_or(u32::MAX).wrapping_sub(low);
                all |= distance;
                *code = C::of(distance.into());
            }
        }
        (Meaning::Themselves(count), Some(low)) => {
            for (code, &value) in codes.iter_mut().zip(values) {
                let distance = if value < *count { value.wrapping_sub(low) } else { u32::MAX };
                all |= distance;
                *code = C::of(distance.into());
            }
        }
        _ => {
            for (code, &value) in codes.iter_mut().zip(values) {
                if !place_in(window, meaning.read(value), code) {
                    return (false, ahead);
                }
            }
        }
    }
    (all >> window.bits == 0, ahead)
}

#[inline(always)]
fn place_in<C: Code>(window: Window, reading: Reading, code: &mut C) -> bool {
    let Reading::Whole(number) = reading else {
        return false;
    };
    window.code(number).map(|found| *code = C::of(found.into())).is_some()
}

#[inline(always)]
fn nothing_ahead<C>(codes: &[C; BLOCK]) -> Ahead {
    Ahead { place: codes.as_ptr().cast(), step: 0 }
}

/// Two columns of labels, read as numbers with a common meaning.
#[derive(Debug)]
pub(crate) struct Pair<'a> {
    pub(crate) actual: Source<'a>,
    pub(crate) predicted: Source<'a>,
    /// The dictionary, if numbers are its places; otherwise numbers stand for themselves.
    dictionary: Option<Vec<&'a Label>>,
    /// Whether the dictionary ascends.
    sorted: bool,
    /// The kind of the labels of both.
    pub(crate) kind: LabelKind,
}

impl<'a> Pair<'a> {
    /// The two columns as numbers, with a common dictionary.
    ///
    /// # Errors
    /// [`Refusal::Type`] for text against numbers.
    pub(crate) fn new(y_true: &Labels<'a>, y_pred: &Labels<'a>) -> Result<Self> {
        let (kind, other) = (y_true.kind(), y_pred.kind());
        if (kind == LabelKind::Text) != (other == LabelKind::Text) {
            let word = |kind| {
                if kind == LabelKind::Text { "strings" } else { "numbers" }
            };
            return Err(Refusal::Type {
                argument: "y_pred",
                value: word(other).to_owned(),
                expected: format!(
                    "{} as in y_true (Mix of label input types (string and number))",
                    word(kind)
                ),
            });
        }
        let kind = kind.max(other);
        Ok(match (y_true, y_pred) {
            (Labels::Coded(actual), Labels::Coded(predicted)) => {
                let (dictionary, places) = join(actual, predicted);
                let own = Meaning::Themselves(actual.labels.len() as u32);
                let other = if places.iter().zip(0..).all(|(&place, own)| place == own) {
                    Meaning::Themselves(places.len() as u32)
                } else {
                    Meaning::Places(places)
                };
                Self {
                    actual: Source::Coded(actual.codes, own),
                    predicted: Source::Coded(predicted.codes, other),
                    dictionary: Some(dictionary),
                    sorted: false,
                    kind,
                }
            }
            _ => Self {
                actual: numbers(y_true),
                predicted: numbers(y_pred),
                dictionary: None,
                sorted: false,
                kind,
            },
        })
    }

    /// The label of a number.
    pub(crate) fn label(&self, number: i128) -> Label {
        self.dictionary
            .as_ref()
            .and_then(|labels| labels.get(usize::try_from(number).ok()?))
            .map_or(Label::Int(number), |&label| label.clone())
    }

    /// The number of a label, if it has one.
    pub(crate) fn number(&self, label: &Label) -> Option<i128> {
        match (&self.dictionary, label) {
            (Some(labels), _) => {
                labels.iter().zip(0..).find(|(known, _)| **known == label).map(|(_, number)| number)
            }
            (None, Label::Int(number)) => Some(*number),
            (None, Label::Text(_)) => None,
        }
    }

    /// Whether numbers order like labels.
    pub(crate) fn is_ordered(&self) -> bool {
        self.sorted || self.dictionary.is_none()
    }

    /// Renumbers the labels in ascending order if they are many, but no more than the rows. The
    /// counted pairs then need no other order at the end, and no second copy in memory.
    pub(crate) fn in_order(mut self) -> Self {
        let (Some(labels), Source::Coded(rows, _)) = (&mut self.dictionary, &self.actual) else {
            return self;
        };
        if !(1 << NARROW_BITS..=rows.len()).contains(&labels.len()) {
            return self;
        }
        self.sorted = true;
        if labels.is_sorted() {
            return self;
        }
        let mut order: Vec<(u64, u32)> =
            labels.iter().map(|label| beginning(label)).zip(0..).gather();
        order.sort_unstable_by(|a, b| {
            interrupt::check();
            let whole = || labels[a.1 as usize].cmp(labels[b.1 as usize]);
            a.0.cmp(&b.0).then_with(whole)
        });
        let mut ranks = vec![0; labels.len()];
        for (rank, &(_, place)) in (0..).zip(&order) {
            ranks[place as usize] = rank;
        }
        *labels = (order.iter().map(|&(_, place)| labels[place as usize])).gather();
        drop(order);
        for source in [&mut self.actual, &mut self.predicted] {
            if let Source::Coded(_, meaning) = source {
                match meaning {
                    Meaning::Themselves(count) => {
                        *meaning = Meaning::Places(ranks[..*count as usize].copy_all());
                    }
                    Meaning::Places(places) => {
                        for place in places {
                            *place = ranks[*place as usize];
                        }
                    }
                    Meaning::Numbers(_) => {} // they have no dictionary
                }
            }
        }
        self
    }
}

/// The first bytes of a label as a number: it orders like the labels, except for ties.
fn beginning(label: &Label) -> u64 {
    let Label::Text(text) = label else {
        return 0; // integers come before texts, and are compared whole
    };
    let mut bytes = [0; 8];
    let len = text.len().min(8);
    bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
    u64::from_be_bytes(bytes)
}

/// Merges two dictionaries, beginning with the first; also returns the places of the second's
/// labels.
fn join<'a>(first: &Coded<'a>, second: &Coded<'a>) -> (Vec<&'a Label>, Vec<u32>) {
    let mut labels: Vec<&Label> = first.labels.iter().gather();
    if std::ptr::eq(first.labels, second.labels) {
        let places = (0..labels.len() as u32).gather();
        return (labels, places);
    }
    let mut known: Map<&Label, u32> = map_of(first.labels.iter().zip(0..));
    room_in(&mut known, second.labels.len());
    let places = (second.labels.iter())
        .map(|label| {
            *known.entry(label).or_insert_with(|| {
                labels.grow(label);
                (labels.len() - 1) as u32
            })
        })
        .gather();
    (labels, places)
}

fn numbers<'a>(labels: &Labels<'a>) -> Source<'a> {
    match labels.numbers() {
        Ok(numbers) => Source::Numbers(numbers),
        Err(coded) => {
            let number = |label: &Label| match label {
                Label::Int(number) => *number,
                // Text against numbers was refused before; `MISSING` is no place.
                Label::Text(_) => i128::from(MISSING),
            };
            let numbers = coded.labels.iter().map(number).gather();
            Source::Coded(coded.codes, Meaning::Numbers(numbers))
        }
    }
}

pub(crate) type Map<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

/// Codes in the order of first appearance of their numbers.
#[derive(Debug)]
pub(crate) struct HashCodes {
    codes: Map<i128, u32>,
    numbers: Vec<i128>,
    lowest: i128,
    highest: i128,
    /// Recent codes, in slots given by the bits of the number.
    recent: Box<[(i128, u32)]>,
}

impl HashCodes {
    fn new() -> Self {
        Self {
            codes: Map::default(),
            numbers: Vec::new(),
            lowest: i128::MAX,
            highest: i128::MIN,
            // No label is this low.
            recent: vec![(i128::MIN, 0); 1024].into_boxed_slice(),
        }
    }

    #[inline(always)]
    pub(crate) fn find(&mut self, reading: Reading) -> Option<u32> {
        let Reading::Whole(number) = reading else {
            return None;
        };
        let place = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54;
        let recent = &mut self.recent[place as usize];
        if recent.0 != number {
            *recent = (number, *self.codes.get(&number)?);
        }
        Some(recent.1)
    }

    fn admit(&mut self, number: i128) -> u32 {
        room_in(&mut self.codes, 1);
        match self.codes.entry(number) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.lowest = self.lowest.min(number);
                self.highest = self.highest.max(number);
                let code = self.numbers.len() as u32;
                self.numbers.grow(number);
                *place.insert(code)
            }
        }
    }
}

/// The codes of all numbers so far.
#[derive(Debug)]
pub(crate) enum Codebook {
    Window(Window),
    Hash(HashCodes),
}

impl Codebook {
    /// All codes are below this.
    pub(crate) fn limit(&self) -> usize {
        match self {
            Self::Window(window) => 1 << window.bits,
            Self::Hash(hash) => hash.numbers.len(),
        }
    }

    /// The number of a code.
    pub(crate) fn number(&self, code: u32) -> i128 {
        match self {
            Self::Window(window) => window.low + i128::from(code),
            Self::Hash(hash) => hash.numbers[code as usize],
        }
    }

    /// The code of an admitted number.
    pub(crate) fn code(&self, number: i128) -> Option<u32> {
        match self {
            Self::Window(window) => window.code(number),
            Self::Hash(hash) => hash.codes.get(&number).copied(),
        }
    }

    /// Admits new numbers. `used` gives the codes in use, ascending. If codes change, the
    /// renumbering is returned: the new code of old code `c` is at place `c`.
    ///
    /// A narrow window gives way to a wider narrow one or to the hash map; a hash map with more
    /// than 2^11 numbers close together, to a wide window; a wide window to a wider one or, for
    /// good, to the hash map.
    pub(crate) fn admit(
        &mut self,
        numbers: impl Iterator<Item = i128> + Clone,
        used: impl FnOnce() -> Vec<u32>,
    ) -> Option<Vec<u32>> {
        let limit = self.limit();
        let new = match self {
            Self::Hash(hash) => {
                numbers.for_each(|number| {
                    hash.admit(number);
                });
                if hash.numbers.len() <= 1 << NARROW_BITS {
                    return None;
                }
                let wide = Window::over(hash.lowest, hash.highest, WIDE_BITS)?;
                // The newest codes are not in use yet, so renumbering them does no harm.
                return Some(self.replace(Self::Window(wide), 0..limit as u32, limit));
            }
            Self::Window(old) => {
                let old = *old;
                if numbers.clone().all(|number| old.code(number).is_some()) {
                    return None;
                }
                let used = used();
                let known = used.first().into_iter().chain(used.last());
                let known = known.map(|&code| old.low + i128::from(code));
                let all = numbers.clone().chain(known);
                let (lowest, highest) = all.fold((i128::MAX, i128::MIN), |(lowest, highest), x| {
                    (lowest.min(x), highest.max(x))
                });
                let most = if old.bits > NARROW_BITS { WIDE_BITS } else { NARROW_BITS };
                let new = Window::over(lowest, highest, most)
                    .map_or_else(|| Self::Hash(HashCodes::new()), Self::Window);
                let renumbering = self.replace(new, used.into_iter(), limit);
                if let Self::Hash(hash) = self {
                    numbers.for_each(|number| {
                        hash.admit(number);
                    });
                }
                renumbering
            }
        };
        Some(new)
    }

    /// Replaces the codebook; the new one learns the codes in use.
    fn replace(&mut self, new: Self, used: impl Iterator<Item = u32>, limit: usize) -> Vec<u32> {
        let old = std::mem::replace(self, new);
        let mut renumbering = vec![0; limit];
        for code in used {
            let number = old.number(code);
            renumbering[code as usize] = match self {
                Self::Window(window) => window.code(number).unwrap_or(0),
                Self::Hash(hash) => hash.admit(number),
            };
        }
        renumbering
    }
}
