//! Codes for labels that are not plain numbers: each distinct label gets the next code, by hashing.
//!
//! Two tables. [`Coder`] takes integers and texts one at a time. [`fixed_width`] takes numpy's fixed-width strings and
//! hashes the bytes of each element where they lie, so that a row costs no Python object; a name is decoded once, when
//! it is first met.
#![allow(unsafe_code)]

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::error::{Refusal, Result};
use crate::input::{Label, LabelKind, MISSING};

use super::CodedColumn;

/// Gives codes to labels in the order in which they are first met.
pub(super) struct Coder {
    argument: &'static str,
    hasher: RandomState,
    codes: HashTable<u32>,
    labels: Vec<Label>,
}

impl Coder {
    pub(super) fn new(argument: &'static str) -> Self {
        Self {
            argument,
            hasher: RandomState::default(),
            codes: HashTable::new(),
            labels: Vec::new(),
        }
    }

    /// The code of an integer.
    pub(super) fn int(&mut self, value: i128) -> Result<u32> {
        let hash = self.hasher.hash_one(value);
        let same = |label: &Label| matches!(label, Label::Int(other) if *other == value);
        self.code(hash, same, || Label::Int(value))
    }

    /// The code of a text.
    pub(super) fn text(&mut self, value: &str) -> Result<u32> {
        let hash = self.hasher.hash_one(value);
        let same = |label: &Label| matches!(label, Label::Text(other) if **other == *value);
        self.code(hash, same, || Label::Text(value.into()))
    }

    /// The code of a label.
    pub(super) fn label(&mut self, value: &Label) -> Result<u32> {
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
        let labels = &mut self.labels;
        if let Some(&code) = self.codes.find(hash, |&code| same(&labels[code as usize])) {
            return Ok(code);
        }
        let code = next_code(labels.len(), self.argument)?;
        labels.push(make());
        let hasher = &self.hasher;
        // The hash of a label must be that of its value alone, as in `int` and `text`.
        self.codes
            .insert_unique(hash, code, |&code| match &labels[code as usize] {
                Label::Int(value) => hasher.hash_one(*value),
                Label::Text(value) => hasher.hash_one(&**value),
            });
        Ok(code)
    }

    /// The column of these codes.
    pub(super) fn column(self, codes: Vec<u32>, kind: LabelKind) -> CodedColumn {
        CodedColumn {
            codes,
            labels: self.labels,
            kind,
            bytes: false,
        }
    }
}

fn next_code(labels: usize, argument: &'static str) -> Result<u32> {
    u32::try_from(labels)
        .ok()
        .filter(|&code| code != MISSING)
        .ok_or_else(|| {
            Refusal::argument(
                argument,
                "a column of more than 2**32 - 2 labels",
                "fewer classes",
            )
        })
}

/// Fixed-width strings of numpy: `len` elements of `width` bytes, `stride` bytes apart.
pub(super) struct FixedWidth {
    pub(super) first: *const u8,
    pub(super) stride: isize,
    pub(super) len: usize,
    pub(super) width: usize,
    pub(super) encoding: Encoding,
}

/// How the bytes of a fixed-width string spell a text; zeros at the end are padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// dtype `S`: bytes, taken as UTF-8.
    Bytes,
    /// dtype `U`: four bytes a code point, in the machine's order.
    Native,
    /// dtype `U`: four bytes a code point, in the other order.
    Swapped,
}

// SAFETY: the pointer is only read; whoever makes a `FixedWidth` keeps its memory alive, and `fixed_width` says so.
unsafe impl Send for FixedWidth {}
// SAFETY: as above.
unsafe impl Sync for FixedWidth {}

/// Codes a column of fixed-width strings: about one hash of `width` bytes a row.
///
/// Each element is copied out before it is looked at, since another thread may write to it; and since padding is part
/// of the width, equal texts are equal bytes.
///
/// # Safety
/// For every `row < strings.len` the `strings.width` bytes at `strings.first + row * strings.stride` must be readable.
///
/// # Errors
/// A text that is not valid Unicode.
pub(super) unsafe fn fixed_width(
    argument: &'static str,
    strings: &FixedWidth,
) -> Result<CodedColumn> {
    let FixedWidth {
        first,
        stride,
        len,
        width,
        encoding,
    } = *strings;
    let hasher = RandomState::default();
    let mut table: HashTable<u32> = HashTable::new();
    // The bytes of the labels met so far, `width` each.
    let mut names: Vec<u8> = Vec::new();
    let mut labels: Vec<Label> = Vec::new();
    let mut codes = Vec::with_capacity(len);
    let mut element = vec![0u8; width];
    // Most columns have few labels: a small table of the last code for each of 64 hashes saves most of the probing.
    let mut recent = [(0u64, MISSING); 64];
    for row in 0..len {
        let place = first.wrapping_offset(stride.wrapping_mul(row as isize));
        // SAFETY: readable by this function's contract; `element` is our own and `width` bytes long.
        unsafe { std::ptr::copy_nonoverlapping(place, element.as_mut_ptr(), width) };
        let hash = hasher.hash_one(&element[..]);
        let name = |code: u32| &names[code as usize * width..][..width];
        let slot = &mut recent[(hash >> 58) as usize];
        if slot.0 == hash && slot.1 != MISSING && name(slot.1) == element {
            codes.push(slot.1);
            continue;
        }
        let known = table.find(hash, |&code| name(code) == element).copied();
        let code = if let Some(code) = known {
            code
        } else {
            let code = next_code(labels.len(), argument)?;
            labels.push(decoded(&element, encoding, argument, row)?);
            names.extend_from_slice(&element);
            let names = &names;
            table.insert_unique(hash, code, |&code| {
                hasher.hash_one(&names[code as usize * width..][..width])
            });
            code
        };
        *slot = (hash, code);
        codes.push(code);
    }
    Ok(CodedColumn {
        codes,
        labels,
        kind: LabelKind::Text,
        bytes: encoding == Encoding::Bytes,
    })
}

fn decoded(
    element: &[u8],
    encoding: Encoding,
    argument: &'static str,
    row: usize,
) -> Result<Label> {
    let text = if encoding == Encoding::Bytes {
        let padding = element.iter().rev().take_while(|&&byte| byte == 0).count();
        std::str::from_utf8(&element[..element.len() - padding])
            .ok()
            .map(Box::from)
    } else {
        let points: Vec<u32> = element
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&bytes| match encoding {
                Encoding::Swapped => u32::from_ne_bytes(bytes).swap_bytes(),
                _ => u32::from_ne_bytes(bytes),
            })
            .collect();
        let padding = points.iter().rev().take_while(|&&point| point == 0).count();
        let text: Option<String> = points[..points.len() - padding]
            .iter()
            .map(|&point| char::from_u32(point))
            .collect();
        text.map(Into::into)
    };
    text.map(Label::Text)
        .ok_or_else(|| Refusal::row(argument, row, NOT_UNICODE, UNICODE))
}

pub(super) const NOT_UNICODE: &str = "not valid Unicode";
pub(super) const UNICODE: &str = "text in valid Unicode (bytes in UTF-8)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_labels_share_a_code() {
        let mut coder = Coder::new("y");
        let labels: Vec<Label> = (0..1000)
            .map(|i| Label::Text((i % 300).to_string().into()))
            .collect();
        let codes: Vec<u32> = labels
            .iter()
            .map(|label| coder.label(label).unwrap())
            .collect();
        let column = coder.column(codes, LabelKind::Text);
        assert_eq!(column.labels.len(), 300);
        for (code, label) in column.codes.iter().zip(&labels) {
            assert_eq!(&column.labels[*code as usize], label);
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
                .map(|point| {
                    if encoding == Encoding::Swapped {
                        point.swap_bytes()
                    } else {
                        point
                    }
                })
                .collect();
            let first = memory.as_ptr().cast::<u8>().wrapping_add(4 * 12);
            let strings = FixedWidth {
                first,
                stride: -12,
                len: 5,
                width: 12,
                encoding,
            };
            // SAFETY: five elements of twelve bytes, backwards from the last.
            let column = unsafe { fixed_width("y", &strings) }.unwrap();
            let read: Vec<&Label> = column
                .codes
                .iter()
                .map(|&code| &column.labels[code as usize])
                .collect();
            let expected: Vec<Label> = words
                .iter()
                .rev()
                .map(|&word| Label::Text(word.into()))
                .collect();
            assert_eq!(read, expected.iter().collect::<Vec<_>>());
        }
    }
}
