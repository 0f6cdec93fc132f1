//! Keeps large blocks of freed memory for the next call.
//!
//! Systems give fresh memory page by page. The first touch of 4 KiB costs as much as sorting 50
//! rows, so a table of 100,000 rows spent a third of its time in the system.
//!
//! 1. [`KeptMemory`] is an allocator on top of the system's. Blocks below 64 KiB go to the system.
//! 2. Larger ones are rounded up to one of eight sizes an octave, so that calls of about the same
//!    size can use the same blocks. The excess is never touched, and takes no memory.
//! 3. A freed block is kept. Beyond the limit ([`set_limit`]) the oldest blocks go back to the
//!    system.
//! 4. The list of kept blocks is locked for a few instructions. A thread that finds it locked asks
//!    the system instead, so nothing waits, not even in the child of a `fork`.
//! 5. If the system has no memory left, all kept blocks go back before the second attempt. While
//!    work has promised a limit of memory ([`Pause`]), nothing is kept.
//!
//! Cost: the process keeps memory up to the limit. Gain: a table of 3e4 to 3e5 rows in half the
//! time, a precision–recall curve of 1e6 rows in two thirds.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Smaller blocks are not kept: allocators do not give them back to the system.
const LEAST: usize = 1 << 16;
/// Larger blocks are not rounded up.
const MOST: usize = 1 << 26;
const BLOCKS: usize = 64;

/// The default limit, in bytes.
pub const DEFAULT_LIMIT: usize = 1 << 26;

static LIMIT: AtomicUsize = AtomicUsize::new(DEFAULT_LIMIT);

/// The number of [`Pause`]s.
static PAUSES: AtomicUsize = AtomicUsize::new(0);

/// The limit in bytes, not counting pauses.
pub fn limit() -> usize {
    LIMIT.load(Ordering::Relaxed)
}

/// While a pause exists, nothing is kept: for work that promises how much memory it takes.
#[derive(Debug)]
pub struct Pause(());

impl Pause {
    /// Gives the kept blocks back.
    #[must_use]
    pub fn new() -> Self {
        PAUSES.fetch_add(1, Ordering::Relaxed);
        give_back(0);
        Self(())
    }
}

impl Default for Pause {
    fn default() -> Self {
        Self::new()
    }
}

impl Clone for Pause {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        PAUSES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Sets the limit in bytes; blocks beyond it go back to the system. Zero keeps nothing.
pub fn set_limit(bytes: usize) {
    LIMIT.store(bytes, Ordering::Relaxed);
    give_back(bytes);
}

/// Keeps at most `bytes`, and gives the rest to the system. It gives up if the list stays locked,
/// as in the child of a `fork`.
fn give_back(bytes: usize) {
    for _ in 0..1000 {
        if with_kept(|kept| kept.shrink(bytes)).is_some() {
            break;
        }
        std::thread::yield_now();
    }
    // Freeing kept blocks may have held up other threads.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(pad: usize) -> std::ffi::c_int;
        }
        // SAFETY: it gives free pages back to the system, and may be called at any time.
        unsafe { malloc_trim(0) };
    }
}

/// An allocator that keeps large freed blocks. A Rust program may choose it, as the extension for
/// Python does.
///
/// ```
/// use rocksteady_count::base::memory::kept::KeptMemory;
///
/// #[global_allocator]
/// static MEMORY: KeptMemory = KeptMemory;
/// # let zeros = vec![0_u8; 1 << 20];
/// # drop(zeros);
/// # let again = vec![0_u8; 1 << 20];
/// # assert!(again.iter().all(|&byte| byte == 0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptMemory;

/// Unused blocks, the oldest first.
struct Kept {
    blocks: [(*mut u8, Layout); BLOCKS],
    len: usize,
    bytes: usize,
}

struct Shared(UnsafeCell<Kept>);

// SAFETY: only the thread that has changed `IS_TAKEN` from false to true reaches the cell, and the
// blocks in it belong to nobody.
unsafe impl Sync for Shared {}

static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static KEPT: Shared = Shared(UnsafeCell::new(Kept {
    blocks: [(null_mut(), Layout::new::<u8>()); BLOCKS],
    len: 0,
    bytes: 0,
}));

/// Uses the list of kept blocks, unless another thread holds it.
fn with_kept<T>(work: impl FnOnce(&mut Kept) -> T) -> Option<T> {
    if IS_TAKEN.swap(true, Ordering::Acquire) {
        return None;
    }
    // SAFETY: see `Shared`. The work of this file neither allocates nor panics.
    let done = work(unsafe { &mut *KEPT.0.get() });
    IS_TAKEN.store(false, Ordering::Release);
    Some(done)
}

/// The layout of the block for a layout, if such blocks are kept.
#[inline]
fn block_of(layout: Layout) -> Option<Layout> {
    let bytes = layout.size();
    let rounded = match bytes {
        ..LEAST => return None,
        LEAST..=MOST => bytes.next_multiple_of(1 << (bytes.ilog2() - 3)),
        _ => bytes,
    };
    Layout::from_size_align(rounded, layout.align()).ok()
}

impl Kept {
    /// The newest block of the layout.
    fn take(&mut self, layout: Layout) -> Option<*mut u8> {
        let blocks = self.blocks.get(..self.len)?;
        let place = blocks.iter().rposition(|block| block.1 == layout)?;
        Some(self.remove(place).0)
    }

    fn remove(&mut self, place: usize) -> (*mut u8, Layout) {
        let block = self.blocks[place];
        self.blocks[place..self.len].rotate_left(1);
        self.len -= 1;
        self.bytes -= block.1.size();
        block
    }

    /// Gives the oldest blocks back until at most `bytes` are kept and one more block has a place.
    fn shrink(&mut self, bytes: usize) {
        while self.bytes > bytes || self.len == BLOCKS {
            let (memory, layout) = self.remove(0);
            // SAFETY: the block was made with this layout, and nobody has it.
            unsafe { System.dealloc(memory, layout) };
        }
    }

    /// Keeps a block of at most `limit` bytes.
    fn keep(&mut self, memory: *mut u8, layout: Layout, limit: usize) {
        self.shrink(limit - layout.size());
        self.blocks[self.len] = (memory, layout);
        self.len += 1;
        self.bytes += layout.size();
    }
}

/// Asks the system for memory. If it has none, gives the kept blocks back and asks again.
fn asked(ask: impl Fn() -> *mut u8) -> *mut u8 {
    let memory = ask();
    if memory.is_null()
        && with_kept(|kept| (kept.len > 0).then(|| kept.shrink(0))).flatten().is_some()
    {
        return ask();
    }
    memory
}

// SAFETY: each block comes from the system, with its own layout or that of `block_of`, which
// depends on the layout alone; so it goes back with the layout with which it was made. A kept
// block has at least the size asked for and belongs to nobody else. Nothing here unwinds.
unsafe impl GlobalAlloc for KeptMemory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(block) = block_of(layout) else {
            // SAFETY: the caller's layout.
            return unsafe { System.alloc(layout) };
        };
        match with_kept(|kept| kept.take(block)).flatten() {
            Some(memory) => memory,
            // SAFETY: the size is not zero.
            None => asked(|| unsafe { System.alloc(block) }),
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(block) = block_of(layout) else {
            // SAFETY: the caller's layout.
            return unsafe { System.alloc_zeroed(layout) };
        };
        match with_kept(|kept| kept.take(block)).flatten() {
            Some(memory) => {
                // SAFETY: the block has at least these bytes.
                unsafe { memory.write_bytes(0, layout.size()) };
                memory
            }
            // SAFETY: the size is not zero.
            None => asked(|| unsafe { System.alloc_zeroed(block) }),
        }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let Some(block) = block_of(layout) else {
            // SAFETY: it was made with this layout.
            return unsafe { System.dealloc(memory, layout) };
        };
        let paused = PAUSES.load(Ordering::Relaxed) > 0;
        let limit = if paused { 0 } else { limit() };
        let is_kept =
            block.size() <= limit && with_kept(|kept| kept.keep(memory, block, limit)).is_some();
        if !is_kept {
            // SAFETY: it was made with this layout.
            unsafe { System.dealloc(memory, block) };
        }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's alignment, and a size that does not overflow with it.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let (from, to) = (block_of(layout), block_of(wanted));
        if from.is_some() && from == to {
            return memory;
        }
        let from = from.unwrap_or(layout);
        let to = to.map_or(size, |block| block.size());
        // SAFETY: it was made with the layout `from`, which has the caller's alignment.
        asked(|| unsafe { System.realloc(memory, from, to) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blocks_are_rounded_up_by_an_eighth_at_most() {
        for bytes in
            [1 << 16, (1 << 16) + 1, 100_000, 1 << 20, (1 << 26) - 1, 1 << 26, (1 << 30) + 1]
        {
            let block = block_of(Layout::from_size_align(bytes, 8).unwrap()).unwrap();
            assert!(bytes <= block.size() && block.size() <= bytes + bytes / 8);
            assert_eq!(block_of(block), Some(block), "a block is a block of its own");
        }
        assert_eq!(block_of(Layout::from_size_align(LEAST - 1, 8).unwrap()), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        /// Blocks of random sizes, written full, grown, shrunk and freed in any order.
        #[test]
        fn blocks_keep_what_is_written(steps in prop::collection::vec((0..4_u8, 0..8_usize, 1..400_000_usize), 1..80)) {
            let mut held: Vec<Option<(*mut u8, Layout, u8)>> = vec![None; 8];
            let check = |memory: *mut u8, len: usize, byte: u8| {
                // SAFETY: the block is held and written.
                let bytes = unsafe { std::slice::from_raw_parts(memory, len) };
                assert!(bytes.iter().all(|&each| each == byte));
            };
            for (step, (action, place, size)) in steps.into_iter().enumerate() {
                let byte = step as u8 | 1;
                // SAFETY: what is allocated is freed once, with its layout.
                unsafe {
                    match held[place].take() {
                        None => {
                            let layout = Layout::from_size_align(size, 8).unwrap();
                            let memory = if action < 2 { KeptMemory.alloc(layout) } else { KeptMemory.alloc_zeroed(layout) };
                            if action >= 2 {
                                check(memory, size, 0);
                            }
                            memory.write_bytes(byte, size);
                            held[place] = Some((memory, layout, byte));
                        }
                        Some((memory, layout, old)) if action == 0 => {
                            check(memory, layout.size(), old);
                            let moved = KeptMemory.realloc(memory, layout, size);
                            check(moved, size.min(layout.size()), old);
                            moved.write_bytes(byte, size);
                            held[place] = Some((moved, Layout::from_size_align(size, 8).unwrap(), byte));
                        }
                        Some((memory, layout, old)) => {
                            check(memory, layout.size(), old);
                            KeptMemory.dealloc(memory, layout);
                        }
                    }
                }
            }
            for (memory, layout, byte) in held.into_iter().flatten() {
                check(memory, layout.size(), byte);
                // SAFETY: it is freed once, with its layout.
                unsafe { KeptMemory.dealloc(memory, layout) };
            }
        }
    }

    #[test]
    fn the_newest_blocks_are_kept_up_to_the_limit() {
        let mut kept =
            Kept { blocks: [(null_mut(), Layout::new::<u8>()); BLOCKS], len: 0, bytes: 0 };
        let layout = Layout::from_size_align(LEAST, 8).unwrap();
        let mut last = null_mut();
        for _ in 0..100 {
            // SAFETY: the size is not zero.
            last = unsafe { System.alloc(layout) };
            kept.keep(last, layout, 10 * LEAST);
        }
        assert_eq!((kept.len, kept.bytes), (10, 10 * LEAST));
        assert_eq!(kept.take(Layout::new::<[u64; LEAST]>()), None);
        assert_eq!(kept.take(layout), Some(last));
        assert_eq!((kept.len, kept.bytes), (9, 9 * LEAST));
        kept.keep(last, layout, 1 << 30);
        kept.shrink(0);
        assert_eq!((kept.len, kept.bytes), (0, 0));
        for _ in 0..100 {
            // SAFETY: the size is not zero.
            kept.keep(unsafe { System.alloc(layout) }, layout, 1 << 30);
        }
        assert_eq!(kept.len, BLOCKS);
        kept.shrink(0);
    }
}
