//! Codes for labels that are not plain numbers: each distinct label gets the next code, by hashing.
//!
//! Two tables. [`Coder`] takes integers and texts one at a time. [`fixed_width`] takes numpy's
//! fixed-width strings and hashes the bytes of each element where they lie, so that a row costs no
//! Python object; a name is decoded once, when it is first met.
#![allow(unsafe_code)]

use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, MISSING};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, no_room};
use crate::base::slots::Slots;
use crate::base::threads;
use crate::base::wide::prefetch_read;

/// A coded column of labels: see [`Coded`](crate::base::input::Coded). Codes and labels may be
/// shared between columns.
#[derive(Clone)]
pub struct CodedColumn {
    /// The code of each row; [`MISSING`] where the label is missing.
    pub codes: Arc<Vec<u32>>,
    /// After [`unite`]: the labels of both columns.
    pub labels: Arc<Vec<Label>>,
    /// The kind of the labels.
    pub kind: LabelKind,
    /// Whether the first label was bytes rather than text.
    pub bytes: bool,
}

impl CodedColumn {
    /// Whether each row is its own label, in order.
    pub fn is_dictionary(&self) -> bool {
        let rows = (0..).zip(&*self.codes);
        self.codes.len() == self.labels.len() && rows.into_iter().all(|(row, &code)| row == code)
    }
}

/// Assigns codes to labels in the order of first appearance.
pub struct Coder {
    argument: &'static str,
    hasher: RandomState,
    codes: Slots,
    labels: Vec<Label>,
}

/// Texts that are coded together.
pub const TOGETHER: usize = 64;

/// Rows between two looks at whether the work should stop.
const BLOCK: usize = 1 << 12;

/// More labels than this do not fit in the faster caches.
const IN_CACHE: usize = 1 << 12;

impl Coder {
    /// An empty coder; refusals name the argument.
    pub fn new(argument: &'static str) -> Self {
        Self {
            argument,
            hasher: RandomState::default(),
            codes: Slots::default(),
            labels: Vec::new(),
        }
    }

    /// The code of an integer.
    ///
    /// # Errors
    /// More labels than there are codes.
    pub fn int(&mut self, value: i128) -> Result<u32> {
        let hash = self.hasher.hash_one(value);
        let same = |label: &Label| matches!(label, Label::Int(other) if *other == value);
        self.code(hash, same, || Label::Int(value))
    }

    /// The code of a text.
    ///
    /// # Errors
    /// More labels than there are codes.
    pub fn text(&mut self, value: &str) -> Result<u32> {
        self.text_of(value, self.hasher.hash_one(value))
    }

    fn text_of(&mut self, value: &str, hash: u64) -> Result<u32> {
        let same = |label: &Label| matches!(label, Label::Text(other) if **other == *value);
        self.code(hash, same, || Label::Text(value.into()))
    }

    /// The code of a text in UTF-8, looked up first among recent short texts, which were valid when
    /// they were new; `texts` is the number of texts before it. None if it is not valid.
    ///
    /// # Errors
    /// More labels than there are codes.
    #[inline]
    pub fn recent_text(
        &mut self,
        bytes: &[u8],
        recent: Option<&mut Recent>,
        texts: usize,
    ) -> Result<Option<u32>> {
        let recent = recent.filter(|recent| recent.pays());
        if let Some(recent) = &recent
            && let Some(words) = Recent::words_of(bytes)
            && let Some(code) = recent.find(words)
        {
            return Ok(Some(code));
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return Ok(None) };
        let code = self.text(text)?;
        if let Some(recent) = recent {
            recent.keep(text, code, texts);
        }
        Ok(Some(code))
    }

    /// Whether there are so few labels that [`Self::texts`] gains nothing.
    pub fn is_in_cache(&self) -> bool {
        self.labels.len() < IN_CACHE
    }

    /// Puts the codes of at most [`TOGETHER`] texts, [`MISSING`] for none. Their slots, labels and
    /// bytes are prefetched: of many distinct texts nearly each is a miss of the cache.
    ///
    /// # Errors
    /// More labels than there are codes.
    pub fn texts(&mut self, values: &[Option<&str>], mut put: impl FnMut(u32)) -> Result<()> {
        let mut hashes = [0; TOGETHER];
        for (hash, value) in hashes.iter_mut().zip(values) {
            if let Some(value) = value {
                *hash = self.hasher.hash_one(*value);
                self.codes.prefetch(*hash);
            }
        }
        let mut likely = [None; TOGETHER];
        for (likely, &hash) in likely.iter_mut().zip(&hashes[..values.len()]) {
            *likely = (self.codes.likely(hash)).and_then(|code| self.labels.get(code as usize));
            if let Some(label) = likely {
                prefetch_read(std::ptr::from_ref(*label));
            }
        }
        for label in likely.into_iter().flatten() {
            if let Label::Text(text) = label {
                prefetch_read(text.as_ptr());
            }
        }
        for (value, hash) in values.iter().zip(hashes) {
            put(value.map_or(Ok(MISSING), |value| self.text_of(value, hash))?);
        }
        Ok(())
    }

    /// The code of a label.
    ///
    /// # Errors
    /// More labels than there are codes.
    pub fn label(&mut self, value: &Label) -> Result<u32> {
        match value {
            Label::Int(value) => self.int(*value),
            Label::Text(value) => self.text(value),
        }
    }

    fn code(
        &mut self,
        hash: u64,
        same: impl Fn(&Label) -> bool,
        make: impl FnOnce() -> Label,
    ) -> Result<u32> {
        let labels = &self.labels;
        if let Some(code) = self.codes.find(hash, |code| same(&labels[code as usize])) {
            return Ok(code);
        }
        self.add(hash, make())
    }

    fn add(&mut self, hash: u64, label: Label) -> Result<u32> {
        let code = next_code(self.labels.len(), self.argument)?;
        self.labels.grow(label);
        self.codes.insert(hash, code);
        Ok(code)
    }

    /// The code of a label that is kept if it is new.
    fn own(&mut self, label: Label) -> Result<u32> {
        let hash = match &label {
            Label::Int(value) => self.hasher.hash_one(*value),
            Label::Text(value) => self.hasher.hash_one(&**value),
        };
        match self.codes.find(hash, |code| self.labels[code as usize] == label) {
            Some(code) => Ok(code),
            None => self.add(hash, label),
        }
    }

    /// The text of a code.
    pub fn text_at(&self, code: u32) -> Option<&str> {
        match self.labels.get(code as usize) {
            Some(Label::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub(super) fn into_labels(self) -> Vec<Label> {
        self.labels
    }

    pub fn column(self, codes: Vec<u32>, kind: LabelKind) -> CodedColumn {
        CodedColumn { codes: Arc::new(codes), labels: Arc::new(self.labels), kind, bytes: false }
    }
}

/// Codes of recent short texts, each in the slot given by its bytes. In a column of few labels
/// nearly all texts are found here.
pub struct Recent {
    slots: [([u64; 2], u32); 512],
    missed: usize,
}

impl Default for Recent {
    fn default() -> Self {
        Self::new()
    }
}

impl Recent {
    /// The most bytes of a short text.
    pub const LONGEST: usize = 15;

    pub fn new() -> Self {
        Self { slots: [([0; 2], MISSING); 512], missed: 0 }
    }

    /// A table for a column of `rows` rows, if it pays.
    pub fn for_rows(rows: usize) -> Option<Box<Self>> {
        const SEVERAL: usize = 1 << 7;
        (rows >= SEVERAL).then(|| Box::new(Self::new()))
    }

    /// Whether searching pays: no longer once many texts were not found.
    #[inline]
    pub fn pays(&self) -> bool {
        self.missed < usize::MAX
    }

    /// The two words of a short text: its bytes, and their number in the last byte. Of the words
    /// given only the bytes of the text count.
    #[inline]
    pub(crate) fn words([first, second]: [u64; 2], len: usize) -> [u64; 2] {
        const MASKS: [[u64; 2]; Recent::LONGEST + 1] = {
            let mut masks = [[0; 2]; Recent::LONGEST + 1];
            let mut len = 0;
            while len <= Recent::LONGEST {
                let bits = !(!0_u128 << (8 * len));
                masks[len] = [bits as u64, (bits >> 64) as u64];
                len += 1;
            }
            masks
        };
        let [low, high] = MASKS[len & Self::LONGEST];
        [first & low, second & high | (len as u64) << 56]
    }

    /// [`Self::words`] of a text, if it is short.
    #[inline]
    pub(crate) fn words_of(bytes: &[u8]) -> Option<[u64; 2]> {
        let len = bytes.len();
        // The first bytes and the last ones, as many as are read at once: where they overlap they
        // are the same.
        let [low, high] = match len {
            0 => [0, 0],
            1..4 => {
                let byte = |place: usize| u64::from(bytes[place]) << (8 * place);
                [byte(0) | byte(len / 2) | byte(len - 1), 0]
            }
            4..8 => {
                let word = |part: &[u8; 4]| u64::from(u32::from_le_bytes(*part));
                let last = word(bytes.last_chunk()?) << (8 * (len - 4));
                [word(bytes.first_chunk()?) | last, 0]
            }
            8..=Self::LONGEST => {
                let [first, last] = [bytes.first_chunk()?, bytes.last_chunk()?];
                let last = u64::from_le_bytes(*last);
                [u64::from_le_bytes(*first), last.checked_shr(8 * (16 - len as u32)).unwrap_or(0)]
            }
            _ => return None,
        };
        Some([low, high | (len as u64) << 56])
    }

    fn slot(words: [u64; 2]) -> usize {
        let mixed = words[0].rotate_left(21) ^ words[1];
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 55) as usize
    }

    /// The code of the text with these words.
    #[inline]
    pub(crate) fn find(&self, words: [u64; 2]) -> Option<u32> {
        let (known, code) = self.slots[Self::slot(words)];
        (known == words && code != MISSING).then_some(code)
    }

    /// Remembers the code of a text that was not found, if it is short; `texts` came before it.
    pub(crate) fn keep(&mut self, text: &str, code: u32, texts: usize) {
        self.missed += 1;
        if self.missed > 128 + texts / 4 {
            self.missed = usize::MAX;
            return;
        }
        if let Some(words) = Self::words_of(text.as_bytes()) {
            self.slots[Self::slot(words)] = (words, code);
        }
    }
}

/// Gives two columns a common dictionary: the first column's labels, then the additional labels of
/// the second. Skipped for few labels.
pub fn unite(first: &mut CodedColumn, second: &mut CodedColumn) {
    const FEW: usize = 1 << 11;
    let all = first.labels.len() + second.labels.len();
    if !(FEW..MISSING as usize).contains(&all) {
        return;
    }
    if first.labels != second.labels {
        let (Some(labels), Some(others)) =
            (Arc::get_mut(&mut first.labels), Arc::get_mut(&mut second.labels))
        else {
            return; // they are shared with others
        };
        let hasher = RandomState::default();
        let hash = |label: &Label| match label {
            Label::Int(value) => hasher.hash_one(*value),
            Label::Text(value) => hasher.hash_one(&**value),
        };
        let mut codes = HashTable::new();
        if codes.try_reserve(labels.len(), |_| 0).is_err() {
            no_room::<u32>(labels.len()); // an empty table hashes nothing
        }
        for (code, label) in (0..).zip(labels.iter()) {
            interrupt::check_at(code as usize);
            codes.insert_unique(hash(label), code, |&code: &u32| hash(&labels[code as usize]));
        }
        let places: Vec<u32> = std::mem::take(others)
            .into_iter()
            .enumerate()
            .map(|(place, label)| {
                interrupt::check_at(place);
                let known =
                    codes.find(hash(&label), |&code| labels.get(code as usize) == Some(&label));
                known.copied().unwrap_or_else(|| {
                    labels.grow(label); // not asked for again: each label of a column is another
                    labels.len() as u32 - 1
                })
            })
            .gather();
        for code in Arc::make_mut(&mut second.codes) {
            *code = places.get(*code as usize).copied().unwrap_or(MISSING);
        }
    }
    second.labels = first.labels.clone();
}

fn next_code(labels: usize, argument: &'static str) -> Result<u32> {
    u32::try_from(labels).ok().filter(|&code| code != MISSING).ok_or_else(|| {
        Refusal::argument(argument, "a column of more than 2**32 - 2 labels", "fewer classes")
    })
}

/// numpy's fixed-width strings: `len` elements of `width` bytes, `stride` bytes apart.
pub struct FixedWidth {
    /// The first element.
    pub first: *const u8,
    /// The distance from one element to the next.
    pub stride: isize,
    /// The number of elements.
    pub len: usize,
    /// The bytes of each element.
    pub width: usize,
    /// Their encoding.
    pub encoding: Encoding,
}

/// How the bytes of a fixed-width string encode a text; zeros at the end are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// dtype `S`: bytes, taken as UTF-8.
    Bytes,
    /// dtype `U`: four bytes a code point, in the machine's order.
    Native,
    /// dtype `U`: four bytes a code point, in the other order.
    Swapped,
}

// SAFETY: the pointer is only read; whoever makes a `FixedWidth` keeps its memory alive, and
// `fixed_width` says so.
unsafe impl Send for FixedWidth {}
// SAFETY: as above.
unsafe impl Sync for FixedWidth {}

/// Codes a column of fixed-width strings. Each element is compared with the last label in its slot
/// of a small table; if they differ, its `width` bytes are hashed.
///
/// Elements of 4 bytes and of 8 to 32 are compared as words, which overlap where the width is no
/// multiple of 8. Before an unknown element is examined it is copied, since another thread may
/// write to it. Padding is part of the width, so equal texts are equal bytes.
///
/// # Safety
/// For every `row < strings.len` the `strings.width` bytes at `strings.first + row *
/// strings.stride` must be readable.
///
/// # Errors
/// A text that is not valid Unicode.
pub unsafe fn fixed_width(argument: &'static str, strings: &FixedWidth) -> Result<CodedColumn> {
    let width = strings.width;
    // SAFETY: each reader reads inside the `width` bytes from its place on: of elements by this
    // function's contract, and of the names' own copies, which are as long.
    unsafe {
        match width {
            4 => coded(argument, strings, move |place| [u64::from(word::<u32>(place))]),
            8..=16 => coded(argument, strings, move |place| {
                [word::<u64>(place), word(place.wrapping_add(width - 8))]
            }),
            17..=32 => coded(argument, strings, move |place| {
                [
                    word::<u64>(place),
                    word(place.wrapping_add(8)),
                    word(place.wrapping_add(width - 16)),
                    word(place.wrapping_add(width - 8)),
                ]
            }),
            // No words: each element is looked up by the hash of its bytes.
            _ => coded(argument, strings, |_| []),
        }
    }
}

/// A word at a place without alignment.
///
/// # Safety
/// Its bytes must be readable.
#[inline]
unsafe fn word<T: Copy>(place: *const u8) -> T {
    // SAFETY: by this function's contract.
    unsafe { place.cast::<T>().read_unaligned() }
}

/// Codes the column. `words` reads a whole element as words, or nothing.
///
/// # Safety
/// As for [`fixed_width`]; `words` must read no more than the element whose place it is given.
unsafe fn coded<const WORDS: usize>(
    argument: &'static str,
    strings: &FixedWidth,
    words: impl Fn(*const u8) -> [u64; WORDS] + Sync,
) -> Result<CodedColumn> {
    let FixedWidth { stride, len, width, encoding, .. } = *strings;
    let slot = |words: &[u64; WORDS]| {
        let mixed = words.iter().fold(0_u64, |mixed, word| mixed.rotate_left(21) ^ word);
        (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
    };
    // Most columns have few labels, so comparing with the last label of each slot saves the
    // hashing.
    let column = in_parts(argument, len, |rows, codes| {
        // `strings` may be shared between threads, a pointer taken out of it may not.
        let (first, stride) = (strings.first, stride);
        let mut recent = [([0_u64; WORDS], MISSING); 256];
        let mut names = Names::new(width);
        for start in rows.clone().step_by(BLOCK) {
            interrupt::check();
            codes.fill_by(BLOCK.min(rows.end - start), |at| {
                let row = start + at;
                let place = first.wrapping_offset(stride.wrapping_mul(row as isize));
                if WORDS > 0 {
                    let words = words(place);
                    let (known, code) = &recent[slot(&words)];
                    let differs = words.iter().zip(known).fold(0, |bits, (a, b)| bits | (a ^ b));
                    if differs == 0 && *code != MISSING {
                        return Ok(*code);
                    }
                }
                // SAFETY: readable by this function's contract; `element` is our own and `width`
                // bytes long.
                unsafe { std::ptr::copy_nonoverlapping(place, names.element.as_mut_ptr(), width) };
                let code = names.code(argument, encoding, row)?;
                if WORDS > 0 {
                    let words = words(names.element.as_ptr());
                    recent[slot(&words)] = (words, code);
                }
                Ok(code)
            })?;
        }
        Ok(names.labels)
    })?;
    Ok(CodedColumn { bytes: encoding == Encoding::Bytes, ..column })
}

/// Codes a column of texts in parts. `code` adds the codes of some rows, and returns their labels
/// in the order of first appearance, which is also the order of all labels.
///
/// # Errors
/// The refusal of the earliest part, and more labels than there are codes.
pub(super) fn in_parts(
    argument: &'static str,
    rows: usize,
    code: impl Fn(Range<usize>, &mut threads::Room<'_, u32>) -> Result<Vec<Label>> + Sync,
) -> Result<CodedColumn> {
    let (mut codes, mut parts) =
        threads::filled(argument, rows, |rows, codes| Ok((rows.start, code(rows, codes)?)))?;
    if parts.len() == 1 {
        let (_, labels) = parts.remove(0);
        return Ok(Coder { labels, ..Coder::new(argument) }.column(codes, LabelKind::Text));
    }
    let mut coder = Coder::new(argument);
    let common = parts.into_iter().map(|(start, labels)| {
        let own = labels.into_iter().map(|label| coder.own(label));
        Ok::<_, Refusal>((start, own.gather_all()?))
    });
    let common: Vec<(usize, Vec<u32>)> = common.gather_all()?;
    threads::over_pieces(&mut codes, |rows, codes| {
        let part = common.partition_point(|(start, _)| *start <= rows.start) - 1;
        for code in codes {
            *code = common[part].1.get(*code as usize).copied().unwrap_or(MISSING);
        }
        Ok(())
    })?;
    Ok(coder.column(codes, LabelKind::Text))
}

struct Names {
    hasher: RandomState,
    table: HashTable<u32>,
    /// Their bytes, `width` for each label.
    bytes: Vec<u8>,
    labels: Vec<Label>,
    /// The current element.
    element: Vec<u8>,
}

impl Names {
    fn new(width: usize) -> Self {
        Self {
            hasher: RandomState::default(),
            table: HashTable::new(),
            bytes: Vec::new(),
            labels: Vec::new(),
            element: vec![0; width],
        }
    }

    /// The code of `element`; a new label gets a new code.
    fn code(&mut self, argument: &'static str, encoding: Encoding, row: usize) -> Result<u32> {
        let width = self.element.len();
        let hash = self.hasher.hash_one(&self.element[..]);
        let name = |code: u32| &self.bytes[code as usize * width..][..width];
        if let Some(&code) = self.table.find(hash, |&code| name(code) == self.element) {
            return Ok(code);
        }
        let code = next_code(self.labels.len(), argument)?;
        self.labels.grow(decoded(&self.element, encoding, argument, row)?);
        self.bytes.grow_by(&self.element);
        let (bytes, hasher) = (&self.bytes, &self.hasher);
        self.table.insert_unique(hash, code, |&code| {
            hasher.hash_one(&bytes[code as usize * width..][..width])
        });
        Ok(code)
    }
}

fn decoded(
    element: &[u8],
    encoding: Encoding,
    argument: &'static str,
    row: usize,
) -> Result<Label> {
    let text = if encoding == Encoding::Bytes {
        let padding = element.iter().rev().take_while(|&&byte| byte == 0).count();
        std::str::from_utf8(&element[..element.len() - padding]).ok().map(Box::from)
    } else {
        let points: Vec<u32> = element
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&bytes| match encoding {
                Encoding::Swapped => u32::from_ne_bytes(bytes).swap_bytes(),
                _ => u32::from_ne_bytes(bytes),
            })
            .gather();
        let padding = points.iter().rev().take_while(|&&point| point == 0).count();
        let text: Option<String> =
            points[..points.len() - padding].iter().map(|&point| char::from_u32(point)).collect();
        text.map(Into::into)
    };
    text.map(Label::Text).ok_or_else(|| Refusal::row(argument, row, NOT_UNICODE, UNICODE))
}

/// The value in a refusal.
pub const NOT_UNICODE: &str = "not valid Unicode";
/// The expectation in a refusal.
pub const UNICODE: &str = "text in valid Unicode (bytes in UTF-8)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_share_a_code() {
        let mut coder = Coder::new("y");
        let labels: Vec<Label> =
            (0..1000).map(|i| Label::Text((i % 300).to_string().into())).collect();
        let codes: Vec<u32> = labels.iter().map(|label| coder.label(label).unwrap()).collect();
        let column = coder.column(codes, LabelKind::Text);
        assert_eq!(column.labels.len(), 300);
        for (code, label) in column.codes.iter().zip(&labels) {
            assert_eq!(&column.labels[*code as usize], label);
        }
    }

    #[test]
    fn short_texts_are_found_by_their_words_only() {
        let mut recent = Recent::new();
        let words = |text: &str| {
            let mut bytes = [0xff; 16];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            let both = u128::from_le_bytes(bytes);
            Recent::words([both as u64, (both >> 64) as u64], text.len())
        };
        let texts = ["", "\0", "\0\0", "a", "a\0", "12345678", "123456781", "123456789012345"];
        for (code, text) in (0..).zip(texts) {
            assert_eq!(recent.find(words(text)), None);
            recent.keep(text, code, 0);
            assert_eq!(recent.find(words(text)), Some(code));
        }
        recent.keep("one of sixteen b", 99, 8);
        assert!(
            (0..8)
                .zip(texts)
                .all(|(code, text)| recent.find(words(text)).is_none_or(|found| found == code))
        );
        (0..200).for_each(|code| recent.keep("x", code, 1000));
        assert!(recent.pays());
        (0..200).for_each(|code| recent.keep("x", code, 1200));
        assert!(recent.pays());
        recent.keep("x", 0, 1000);
        assert!(!recent.pays());
    }

    #[test]
    fn two_columns_of_many_labels_get_one_dictionary() {
        let column = |labels: std::ops::Range<u32>| {
            let mut coder = Coder::new("y");
            let mut codes: Vec<u32> =
                labels.map(|label| coder.text(&label.to_string()).unwrap()).collect();
            codes.push(MISSING);
            coder.column(codes, LabelKind::Text)
        };
        let read = |column: &CodedColumn| -> Vec<Option<Label>> {
            let label = |&code: &u32| column.labels.get(code as usize).cloned();
            column.codes.iter().map(label).collect()
        };
        for (a, b) in [(0..2000, 1500..3500), (0..2000, 0..2000), (0..0, 0..3000), (0..5, 3..8)] {
            let (mut first, mut second) = (column(a.clone()), column(b.clone()));
            let expected = (read(&first), read(&second));
            unite(&mut first, &mut second);
            assert_eq!((read(&first), read(&second)), expected);
            let many = a.len() + b.len() > 100;
            assert_eq!(Arc::ptr_eq(&first.labels, &second.labels), many);
            if many {
                assert_eq!(first.labels.len() as u32, a.end.max(b.end));
            }
        }
    }

    #[test]
    fn fixed_width_strings_of_any_width_share_codes() {
        for width in 1..40 {
            // Elements that differ in one byte at every position, each repeated.
            let elements: Vec<Vec<u8>> = (0..3 * width)
                .map(|i| {
                    let mut element = vec![b'x'; width];
                    element[i % width] = b'a';
                    element
                })
                .collect();
            let memory = elements.concat();
            let strings = FixedWidth {
                first: memory.as_ptr(),
                stride: width as isize,
                len: elements.len(),
                width,
                encoding: Encoding::Bytes,
            };
            // SAFETY: the elements lie one after the other.
            let column = unsafe { fixed_width("y", &strings) }.unwrap();
            assert_eq!(column.labels.len(), width);
            for (code, element) in column.codes.iter().zip(&elements) {
                let text = std::str::from_utf8(element).unwrap();
                assert_eq!(column.labels[*code as usize], Label::Text(text.into()));
            }
        }
    }

    #[test]
    fn fixed_width_strings_are_read_in_either_order_and_direction() {
        let words = ["a", "bc", "", "añ", "bc"];
        let points = |word: &str| {
            let mut points: Vec<u32> = word.chars().map(u32::from).collect();
            points.resize(3, 0);
            points
        };
        for encoding in [Encoding::Native, Encoding::Swapped] {
            let memory: Vec<u32> = words
                .iter()
                .flat_map(|word| points(word))
                .map(|point| if encoding == Encoding::Swapped { point.swap_bytes() } else { point })
                .collect();
            let first = memory.as_ptr().cast::<u8>().wrapping_add(4 * 12);
            let strings = FixedWidth { first, stride: -12, len: 5, width: 12, encoding };
            // SAFETY: five elements of twelve bytes, backwards from the last.
            let column = unsafe { fixed_width("y", &strings) }.unwrap();
            let read: Vec<&Label> =
                column.codes.iter().map(|&code| &column.labels[code as usize]).collect();
            let expected: Vec<Label> =
                words.iter().rev().map(|&word| Label::Text(word.into())).collect();
            assert_eq!(read, expected.iter().collect::<Vec<_>>());
        }
    }
}
