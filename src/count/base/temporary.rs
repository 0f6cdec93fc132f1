//! A temporary file without a name, for data that does not fit in memory.
//!
//! 1. The file has no name, or loses it at once (`O_TMPFILE`, or unlinked after it was opened; on
//!    Windows it is deleted when its handle is closed). So the system frees it even when the
//!    process is killed.
//! 2. Readers and the one writer pass explicit positions, so they share no file position.
//! 3. On Linux the file is written past the page cache where the file system allows it. Whole
//!    blocks from aligned memory need a twentieth of the processor's time, and other programs keep
//!    their cached pages. Elsewhere the cache is used.
//! 4. A failed write is cut off again, so that a full disk gets its space back.
//! 5. A process that was forked may read the file, but not write to it: its parent writes to the
//!    same places.
//!
//! Rejected:
//! - memory-mapped files (a full disk, or one that fails, kills the process, and pages that were
//!   read count as memory of the process).

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::base::error::{Refusal, Result};
use crate::base::interrupt;

/// The block size of files past the page cache.
pub(crate) const BLOCK: usize = 4096;

/// The most bytes of one system call.
const PIECE: usize = 1 << 22;

/// A temporary file.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: File,
    directory: PathBuf,
    /// Whether the file bypasses the page cache.
    direct: AtomicBool,
    process: u32,
}

/// Memory aligned to [`BLOCK`].
#[derive(Debug, Default)]
pub(crate) struct Aligned {
    bytes: Vec<u8>,
}

impl Aligned {
    /// `len` bytes; their values are left over from earlier uses, or zero.
    pub(crate) fn of(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + BLOCK {
            self.bytes = Vec::new();
            self.bytes = vec![0; len + BLOCK];
        }
        let start = self.bytes.as_ptr().align_offset(BLOCK).min(BLOCK);
        &mut self.bytes[start..start + len]
    }
}

impl TemporaryFile {
    /// A file in a directory, or in the system's directory for temporary files.
    ///
    /// # Errors
    /// [`Refusal::File`] if it cannot be created.
    pub(crate) fn new(directory: Option<&Path>) -> Result<Self> {
        let directory = directory.map_or_else(std::env::temp_dir, Path::to_path_buf);
        let file = tempfile::tempfile_in(&directory)
            .map_err(|error| refusal(&directory, "made", &error))?;
        let direct = AtomicBool::new(past_the_cache(&file, true));
        Ok(Self { file, directory, direct, process: std::process::id() })
    }

    /// Writes whole blocks at a place that is a multiple of [`BLOCK`].
    ///
    /// # Errors
    /// [`Refusal::File`]; the file is then cut off at `end`.
    pub(crate) fn write(&self, bytes: &[u8], place: u64, end: u64) -> Result<()> {
        debug_assert!(bytes.len().is_multiple_of(BLOCK) && place.is_multiple_of(BLOCK as u64));
        if std::process::id() != self.process {
            let other = io::Error::other(
                "this process was forked from the one that collects; make a collector of its own",
            );
            return Err(self.refusal("written", &other));
        }
        let mut written = 0;
        while written < bytes.len() {
            interrupt::check();
            let piece = &bytes[written..bytes.len().min(written + PIECE)];
            match write_at(&self.file, piece, place + written as u64) {
                Ok(0) => return Err(self.cut(end, &io::ErrorKind::WriteZero.into())),
                Ok(more) => written += self.counted(more),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if self.is_refused_as_direct(&error) => {}
                Err(error) => return Err(self.cut(end, &error)),
            }
        }
        Ok(())
    }

    /// Reads bytes from any place.
    ///
    /// # Errors
    /// [`Refusal::File`].
    pub(crate) fn read<'a>(
        &self,
        place: u64,
        len: usize,
        memory: &'a mut Aligned,
    ) -> Result<&'a [u8]> {
        let start = place / BLOCK as u64 * BLOCK as u64;
        let before = (place - start) as usize;
        let whole = (before + len).next_multiple_of(BLOCK);
        let bytes = memory.of(whole);
        let mut done = 0;
        while done < whole {
            interrupt::check();
            let piece = &mut bytes[done..whole.min(done + PIECE)];
            match read_at(&self.file, piece, start + done as u64) {
                Ok(0) => return Err(self.refusal("read", &io::ErrorKind::UnexpectedEof.into())),
                Ok(more) => done += self.counted(more),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if self.is_refused_as_direct(&error) => {}
                Err(error) => return Err(self.refusal("read", &error)),
            }
        }
        Ok(&bytes[before..before + len])
    }

    /// Refuses a file whose bytes differ from those written.
    pub(crate) fn changed(&self) -> Refusal {
        let error = io::Error::other("the disk does not give back what was written to it");
        self.refusal("read", &error)
    }

    /// The bytes of the next call. A call that ends within a block is followed by calls that begin
    /// there, which only the page cache accepts.
    fn counted(&self, bytes: usize) -> usize {
        if !bytes.is_multiple_of(BLOCK) {
            self.use_cache();
        }
        bytes
    }

    /// Whether the file system refuses to bypass the page cache; the file then uses the cache.
    fn is_refused_as_direct(&self, error: &io::Error) -> bool {
        error.kind() == io::ErrorKind::InvalidInput && self.use_cache()
    }

    fn use_cache(&self) -> bool {
        let was_direct = self.direct.swap(false, Ordering::Relaxed);
        if was_direct {
            past_the_cache(&self.file, false);
        }
        was_direct
    }

    fn cut(&self, end: u64, error: &io::Error) -> Refusal {
        let _ = self.file.set_len(end); // gives the space back, if the system can
        self.refusal("written", error)
    }

    fn refusal(&self, action: &'static str, error: &io::Error) -> Refusal {
        refusal(&self.directory, action, error)
    }
}

fn refusal(directory: &Path, action: &'static str, error: &io::Error) -> Refusal {
    let advice = match (action, error.kind()) {
        ("made", _) => "; directory= names another place",
        (_, io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge) => {
            "; what was counted before is kept, so the batch can be given again when there is room"
        }
        _ => "",
    };
    Refusal::File {
        directory: directory.display().to_string(),
        action,
        reason: format!("{error}{advice}"),
    }
}

/// Switches bypassing of the page cache on or off; returns whether it is on.
#[cfg(target_os = "linux")]
fn past_the_cache(file: &File, wanted: bool) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let Ok(flags) = fcntl_getfl(file) else {
        return false;
    };
    let mut new = flags;
    new.set(OFlags::DIRECT, wanted);
    wanted && fcntl_setfl(file, new).is_ok() || !wanted && fcntl_setfl(file, new).is_err()
}

#[cfg(not(target_os = "linux"))]
fn past_the_cache(_: &File, _: bool) -> bool {
    false
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, place)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, place)
}

#[cfg(windows)]
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, place)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], place: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Kind;

    #[test]
    fn what_was_written_is_read_from_any_place() {
        let file = TemporaryFile::new(None).unwrap();
        let (mut written, mut read) = (Aligned::default(), Aligned::default());
        let bytes = written.of(5 * BLOCK);
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = (place * 7 % 251) as u8;
        }
        file.write(bytes, 0, 0).unwrap();
        file.write(bytes, bytes.len() as u64, bytes.len() as u64).unwrap();
        for (place, len) in [(0, 10), (4095, 2), (4096, 4096), (5 * BLOCK - 3, 7), (1, 9 * BLOCK)] {
            let found = file.read(place as u64, len, &mut read).unwrap();
            let expected = (place..place + len).map(|at| (at % (5 * BLOCK) * 7 % 251) as u8);
            assert!(found.iter().copied().eq(expected));
        }
        let beyond = file.read(10 * BLOCK as u64, 1, &mut read).unwrap_err();
        assert_eq!(beyond.kind(), Kind::File);
    }

    #[test]
    fn a_place_where_no_file_can_be_is_refused() {
        let refusal = TemporaryFile::new(Some(Path::new("/no/such/place"))).unwrap_err();
        assert_eq!(refusal.kind(), Kind::File);
        assert!(refusal.to_string().contains("cannot be made"));
    }
}
