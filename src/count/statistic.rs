//! The trait of the statistics: they are counted once, add up exactly, and are kept as bytes.
//!
//! An implementor writes and reads its own fields; the head and the checks of its bytes are here.
//! `statistic!` (`src/derive/py/statistic.rs`) makes its class for Python.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};

/// Two statistics of the same rows, in any order and parts, are equal bit for bit. A statistic from
/// which some of its rows can be subtracted has a method `subtract`, too.
pub trait Statistic: PartialEq + Send + Sync + Sized {
    /// The statistic's name, in Python and in refusals.
    const NAME: &'static str;

    /// The byte for its kind in its bytes (`docs/bytes.md`).
    const KIND: u8;

    /// Adding or writing it takes about as long as counting this many rows.
    fn size(&self) -> usize;

    /// Adds the statistic of other rows.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for statistics that do not go together.
    fn add(&self, other: &Self) -> Result<Self>;

    /// Writes the sections, from within the first.
    fn put(&self, out: &mut Writer);

    /// Reads the first section.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::put`] would not have written.
    fn take(input: &mut Reader<'_>) -> Result<Self>;

    /// The statistic as bytes, which [`Self::from_bytes`] reads on any machine. `docs/bytes.md`
    /// lists the fields.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(Self::KIND);
        self.put(&mut out);
        out.finish()
    }

    /// The statistic from its bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for anything that [`Self::to_bytes`] would not have written.
    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Reader::new(bytes, Self::NAME, Self::KIND)?.whole(Self::take)
    }

    fn bad(reason: impl Into<String>) -> Refusal {
        Refusal::Bytes { kind: Self::NAME, reason: reason.into() }
    }
}

/// The laws of every statistic, tested with its own rows.
#[cfg(test)]
pub(crate) mod laws {
    use std::fmt::Debug;

    use super::Statistic;
    use crate::base::bytes::of_this_version;
    use crate::base::error::Refusal;

    /// The sum of two parts equals the whole, bit for bit and in either order, also through bytes.
    pub(crate) fn add_up<S: Statistic + Debug>(whole: &S, [head, tail]: [&S; 2]) {
        for sum in [S::add(head, tail), S::add(tail, head)] {
            let sum = sum.unwrap();
            assert_eq!(&sum, whole);
            assert_eq!(sum.to_bytes(), whole.to_bytes());
            assert_eq!(S::from_bytes(&sum.to_bytes()).as_ref(), Ok(whole));
        }
    }

    /// Bytes that are cut, longer or of another kind are refused. With one byte changed they are
    /// refused, or are the bytes of another statistic, which is returned.
    pub(crate) fn changed<S: Statistic>(good: &S, place: usize, flip: u8, cut: usize) -> Option<S> {
        let bytes = good.to_bytes();
        let refused = |bytes: &[u8]| matches!(S::from_bytes(bytes), Err(Refusal::Bytes { .. }));
        let mut other = bytes.clone();
        other[8] ^= 0x40;
        assert!(refused(&other));
        assert!(refused(&bytes[..cut % bytes.len()]));
        assert!(refused(&[&bytes[..], &[0]].concat()));
        let mut changed = bytes;
        let at = place % changed.len();
        changed[at] ^= flip;
        let read = S::from_bytes(&changed).ok()?;
        assert_eq!(read.to_bytes(), of_this_version(changed));
        Some(read)
    }
}
