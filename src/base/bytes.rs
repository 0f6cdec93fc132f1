//! Reading and writing the bytes of a statistic: little-endian numbers behind a head that says what they are.
//!
//! The head is the magic word, the kind of statistic and the version of its layout. Nothing read is believed: a length is
//! compared with the bytes that are left before anything is allocated for it.

use crate::base::error::{Refusal, Result};

const MAGIC: &[u8; 8] = b"rocksted";

/// Bytes in the making.
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    /// Begins with the head.
    pub(crate) fn new(kind: u8, version: u8) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([kind, version]);
        Self(bytes)
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Bytes on their way back.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    name: &'static str,
}

impl<'a> Reader<'a> {
    /// Checks the head; `name` is the statistic's in refusals.
    pub(crate) fn new(bytes: &'a [u8], name: &'static str, kind: u8, version: u8) -> Result<Self> {
        let mut reader = Self { bytes, name };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(reader.refusal("they do not begin with rocksteady's mark"));
        }
        let [found_kind, found_version] = reader.array()?;
        if found_kind != kind {
            return Err(reader.refusal(format!("they are of kind {found_kind}; expected {kind}")));
        }
        if found_version != version {
            let reason =
                format!("they are of version {found_version}; this release reads {version}");
            return Err(reader.refusal(reason));
        }
        Ok(reader)
    }

    pub(crate) fn refusal(&self, reason: impl Into<String>) -> Refusal {
        Refusal::Bytes {
            kind: self.name,
            reason: reason.into(),
        }
    }

    /// The next `len` bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let Some((head, rest)) = self.bytes.split_at_checked(len) else {
            return Err(self.refusal(format!(
                "{len} bytes expected where {} are left",
                self.bytes.len()
            )));
        };
        self.bytes = rest;
        Ok(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub(crate) fn u128(&mut self) -> Result<u128> {
        Ok(u128::from_le_bytes(self.array()?))
    }

    /// A number of things that take at least `size` bytes each, so that no more are promised than can follow.
    pub(crate) fn len(&mut self, size: usize) -> Result<usize> {
        let len = self.u64()?;
        match usize::try_from(len) {
            Ok(len)
                if len
                    .checked_mul(size)
                    .is_some_and(|bytes| bytes <= self.bytes.len()) =>
            {
                Ok(len)
            }
            _ => Err(self.refusal(format!(
                "{len} entries promised where {} bytes are left",
                self.bytes.len()
            ))),
        }
    }

    /// Nothing may follow.
    pub(crate) fn finish(self) -> Result<()> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(self.refusal(format!("{} bytes follow its end", self.bytes.len())))
        }
    }
}
