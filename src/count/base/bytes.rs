//! The bytes of a statistic: a head, then tagged sections. `docs/bytes.md` lists their fields.
//!
//! 1. The head is the magic word, a byte for the kind of statistic, and the version of the format.
//! 2. A section is a tag of one byte, a length of eight bytes, and as many bytes of content. Tags
//!    ascend, so equal states have equal bytes.
//! 3. A reader skips a section of an even tag that it does not know. A section of an odd tag is
//!    required: a reader that does not know it refuses the bytes.
//!
//! Every kind has one required section, [`CORE`]: the whole state, in little-endian fields. A
//! statistic of sampling weights has a second one, [`SQUARES`]: the core of the same rows'
//! statistic with squared weights. `ProbabilitySums` may have an optional one, [`SQUARED_LOSSES`].
//! Version 1 had no sections; its bytes are the head and the core, which is still read. Version 2
//! had another core of score tables.
//!
//! The reader trusts no byte: it compares a length with the remaining bytes before it allocates
//! memory.

use crate::base::error::{Refusal, Result};
use crate::base::memory::Room;

const MAGIC: &[u8; 8] = b"rocksted";

/// The version that is written.
const VERSION: u8 = 3;

/// The tag of the section that holds the whole state.
const CORE: u8 = 1;

/// The tag of the section with the squares of sampling weights.
const SQUARES: u8 = 3;

/// The tag of the section with the sums of squared losses.
const SQUARED_LOSSES: u8 = 4;

/// Why squares do not go with the core before them.
pub(crate) const OTHER_ROWS: &str = "the squares of the weights are of other rows";

/// The bytes of one statistic as they are written.
pub struct Writer {
    bytes: Vec<u8>,
    /// Where the content of the open section starts.
    start: usize,
}

impl Writer {
    /// Writes the head and opens the core section.
    pub fn new(kind: u8) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([kind, VERSION, CORE]);
        bytes.extend([0; 8]);
        let start = bytes.len();
        Self { bytes, start }
    }

    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.grow_by(bytes);
    }

    /// Closes the section and opens the one of squares.
    pub(crate) fn open_squares(&mut self) {
        self.open(SQUARES);
    }

    /// Closes the section and opens the one of squared losses.
    pub(crate) fn open_squared_losses(&mut self) {
        self.open(SQUARED_LOSSES);
    }

    fn open(&mut self, tag: u8) {
        self.close();
        self.put(&[tag]);
        self.put(&[0; 8]);
        self.start = self.bytes.len();
    }

    /// Closes the section: writes the length that was left open before its content.
    fn close(&mut self) {
        let len = (self.bytes.len() - self.start) as u64;
        self.bytes[self.start - 8..self.start].copy_from_slice(&len.to_le_bytes());
    }

    /// Closes the last section.
    pub fn finish(mut self) -> Vec<u8> {
        self.close();
        self.bytes
    }
}

/// The bytes of one statistic, or of one of its sections, while they are read.
pub struct Reader<'a> {
    bytes: &'a [u8],
    name: &'static str,
    version: u8,
}

/// The sections of a statistic, each with its own reader.
pub(crate) struct Sections<'a> {
    pub(crate) core: Reader<'a>,
    pub(crate) squares: Option<Reader<'a>>,
    pub(crate) squared_losses: Option<Reader<'a>>,
}

impl<'a> Reader<'a> {
    /// Checks the head and the sections, and continues in the core. `name` is the statistic's name
    /// in refusals.
    pub fn new(bytes: &'a [u8], name: &'static str, kind: u8) -> Result<Self> {
        let (core, squares) = Self::with_squares(bytes, name, kind)?;
        match squares {
            None => Ok(core),
            Some(_) => Err(core.unknown(SQUARES)),
        }
    }

    /// Like [`Self::new`], for a statistic that may have squares; they have their own reader.
    pub(crate) fn with_squares(
        bytes: &'a [u8],
        name: &'static str,
        kind: u8,
    ) -> Result<(Self, Option<Self>)> {
        let sections = Self::with_sections(bytes, name, kind)?;
        Ok((sections.core, sections.squares))
    }

    /// Like [`Self::new`], for a statistic that may have squared losses; they have their own
    /// reader.
    pub(crate) fn with_squared_losses(
        bytes: &'a [u8],
        name: &'static str,
        kind: u8,
    ) -> Result<(Self, Option<Self>)> {
        let Sections { core, squares, squared_losses } = Self::with_sections(bytes, name, kind)?;
        match squares {
            None => Ok((core, squared_losses)),
            Some(_) => Err(core.unknown(SQUARES)),
        }
    }

    /// Like [`Self::new`], with all known sections.
    pub(crate) fn with_sections(
        bytes: &'a [u8],
        name: &'static str,
        kind: u8,
    ) -> Result<Sections<'a>> {
        let mut reader = Self { bytes, name, version: 1 };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(reader.refusal("they do not begin with rocksteady's mark"));
        }
        let [found_kind, version] = reader.array()?;
        if found_kind != kind {
            return Err(reader.refusal(format!("they are of kind {found_kind}; expected {kind}")));
        }
        match version {
            1 => Ok(Sections { core: reader, squares: None, squared_losses: None }),
            2..=VERSION => Self { version, ..reader }.sections(),
            _ => Err(reader.refusal(format!(
                "they are of version {version}; this release reads versions 1 to {VERSION}"
            ))),
        }
    }

    fn sections(mut self) -> Result<Sections<'a>> {
        let (mut core, mut squares, mut squared_losses, mut before) = (None, None, None, None);
        while !self.bytes.is_empty() {
            let tag = self.u8()?;
            if let Some(before) = before.filter(|&before| before >= tag) {
                return Err(self.refusal(format!(
                    "section {tag} follows section {before}; expected each section once, in \
                     ascending order"
                )));
            }
            before = Some(tag);
            let len = self.len(1)?;
            let content = self.take(len)?;
            match tag {
                CORE => core = Some(content),
                SQUARES => squares = Some(content),
                SQUARED_LOSSES => squared_losses = Some(content),
                _ if tag % 2 == 1 => return Err(self.unknown(tag)),
                _ => {}
            }
        }
        let Some(core) = core else {
            return Err(
                self.refusal(format!("section {CORE} is missing; expected the whole state in it"))
            );
        };
        let reader = |bytes| Self { bytes, name: self.name, version: self.version };
        Ok(Sections {
            core: reader(core),
            squares: squares.map(reader),
            squared_losses: squared_losses.map(reader),
        })
    }

    pub(crate) fn version(&self) -> u8 {
        self.version
    }

    fn unknown(&self, tag: u8) -> Refusal {
        self.refusal(format!(
            "they need section {tag}, which this release does not know; a newer rocksteady is \
             needed to read them"
        ))
    }

    pub fn refusal(&self, reason: impl Into<String>) -> Refusal {
        Refusal::Bytes { kind: self.name, reason: reason.into() }
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let Some((head, rest)) = self.bytes.split_at_checked(len) else {
            return Err(
                self.refusal(format!("{len} bytes expected where {} are left", self.bytes.len()))
            );
        };
        self.bytes = rest;
        Ok(head)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn u128(&mut self) -> Result<u128> {
        Ok(u128::from_le_bytes(self.array()?))
    }

    /// The number of bytes left.
    pub fn left(&self) -> usize {
        self.bytes.len()
    }

    /// A number of items that take at least `size` bytes each. Refused if the remaining bytes
    /// cannot hold them.
    pub(crate) fn len(&mut self, size: usize) -> Result<usize> {
        let len = self.u64()?;
        match usize::try_from(len) {
            Ok(len) if len.checked_mul(size).is_some_and(|bytes| bytes <= self.bytes.len()) => {
                Ok(len)
            }
            _ => Err(self.promised(len)),
        }
    }

    /// A number of items in blocks of `size`, each block at least one byte. Refused if the
    /// remaining bytes cannot hold them.
    pub(crate) fn blocks(&mut self, size: usize) -> Result<usize> {
        let len = self.u64()?;
        match usize::try_from(len) {
            Ok(len) if len.div_ceil(size) <= self.bytes.len() => Ok(len),
            _ => Err(self.promised(len)),
        }
    }

    /// Refuses a number of entries.
    fn promised(&self, len: u64) -> Refusal {
        self.refusal(format!("{len} entries promised where {} bytes are left", self.bytes.len()))
    }

    /// Reads with `take`, and refuses bytes after it.
    pub(crate) fn whole<T>(&mut self, take: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let read = take(self)?;
        self.finish()?;
        Ok(read)
    }

    /// Nothing may follow.
    pub fn finish(&self) -> Result<()> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(self.refusal(format!("{} bytes follow its end", self.bytes.len())))
        }
    }
}

/// Bytes that were read, as this release writes them: their version byte may be older.
#[cfg(test)]
pub(crate) fn of_this_version(mut read: Vec<u8>) -> Vec<u8> {
    read[MAGIC.len() + 1] = VERSION;
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of the newest version, then sections.
    fn bytes(sections: &[(u8, &[u8])]) -> Vec<u8> {
        let mut bytes = b"rockstedT\x03".to_vec();
        for (tag, content) in sections {
            bytes.push(*tag);
            bytes.extend((content.len() as u64).to_le_bytes());
            bytes.extend_from_slice(content);
        }
        bytes
    }

    fn content(bytes: &[u8]) -> std::result::Result<Vec<u8>, String> {
        let reader = Reader::new(bytes, "Test", b'T');
        let reader = reader.map_err(|refusal| refusal.to_string())?;
        Ok(reader.bytes.to_vec())
    }

    #[test]
    fn what_is_written_is_read() {
        let mut out = Writer::new(b'T');
        out.put(b"ab");
        out.put(b"c");
        let written = out.finish();
        assert_eq!(written, bytes(&[(CORE, b"abc")]));
        assert_eq!(content(&written), Ok(b"abc".to_vec()));
        assert_eq!(content(b"rockstedT\x01abc"), Ok(b"abc".to_vec()));
    }

    #[test]
    fn unknown_sections_are_skipped_if_optional_and_refused_if_required() {
        let some = [(0, &b"first"[..]), (CORE, b"abc"), (2, b""), (254, b"last")];
        assert_eq!(content(&bytes(&some)), Ok(b"abc".to_vec()));
        for tag in [3, 5, 255] {
            let refusal = content(&bytes(&[(CORE, b"abc"), (tag, b"x")])).unwrap_err();
            assert!(refusal.contains(&format!("section {tag}")), "{refusal}");
            assert!(refusal.contains("a newer rocksteady is needed"), "{refusal}");
        }
    }

    #[test]
    fn sections_that_make_no_statistic_are_refused() {
        let ascending = "expected each section once, in ascending order";
        for (sections, words) in [
            (&[][..], "section 1 is missing"),
            (&[(2, &b"x"[..])], "section 1 is missing"),
            (&[(CORE, b"abc"), (CORE, b"abc")], ascending),
            (&[(CORE, b"abc"), (4, b""), (4, b"")], ascending),
            (&[(2, b""), (CORE, b"abc")], ascending),
        ] {
            let refusal = content(&bytes(sections)).unwrap_err();
            assert!(refusal.contains(words), "{refusal}");
        }
        let good = bytes(&[(CORE, b"abc"), (2, b"de")]);
        let ends = [10 + 9 + 3, good.len()];
        for cut in (0..good.len()).filter(|cut| !ends.contains(cut)) {
            assert!(content(&good[..cut]).is_err(), "{cut}");
        }
        for len in [4, 15, 1 << 32, u64::MAX - 8, u64::MAX] {
            let mut long = bytes(&[(CORE, b"abc")]);
            long[11..19].copy_from_slice(&u64::to_le_bytes(len));
            let refusal = content(&long).unwrap_err();
            assert!(refusal.contains(&format!("{len} entries promised")), "{refusal}");
        }
        for version in [0, 4, 255] {
            let mut other = good.clone();
            other[9] = version;
            let refusal = content(&other).unwrap_err();
            assert!(refusal.contains("this release reads versions 1 to 3"), "{refusal}");
        }
    }
}
