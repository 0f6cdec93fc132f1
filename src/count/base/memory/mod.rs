//! Allocation of memory that grows with the input: a failure does not end the process.
//!
//! When an allocation fails, standard collections abort. The functions here unwind with
//! [`NoMemory`] instead, as a stopped call does ([`crate::base::interrupt`]): threads of the pool
//! pass it to the thread that waits for them, states stay unchanged, and [`or_refused`] or the gate
//! of the extension turns it into [`Refusal::NoMemory`].
//!
//! 1. `vec![value; len]` is `filled` or `zeros` everywhere in this crate: a macro of this file
//!    takes the place of the standard one.
//! 2. `Vec::with_capacity` is `with_room`; clippy refuses the standard one.
//! 3. `collect`, `extend`, `resize`, `push`, `concat` and `to_vec` of data that grows with the
//!    rows, the classes or the thresholds are `Gather::gather`, `Room::make_room` before,
//!    `Room::grow`, `joined`, `in_place` and `CopyAll::copy_all`; a hash map is `map_of`, or
//!    `room_in` before.
//!
//! `tests/base/test_memory.py` lets every large allocation of many calls fail once. Allocations of
//! less than 64 KiB may still abort: a system without even this much memory has already ended other
//! programs.
//!
//! A stopped call ([`crate::base::interrupt`]) also stops at its next request for memory.
//!
//! | file | owns |
//! |---|---|
//! | [`kept`] | an allocator that keeps large blocks for the next call |
//! | `pages` | pages that the system gives for the first time |
//!
//! Tried and rejected: an allocator that unwinds, which the contract of `GlobalAlloc` forbids, and
//! the hook for failed allocations, which only nightly compilers have.
#![allow(unsafe_code)]
#![allow(clippy::same_length_and_capacity)] // The memory holds as many values as it has room for.
#![allow(clippy::disallowed_methods)] // This file is what is allowed instead.

pub mod kept;
pub(crate) mod pages;

use std::alloc::{Layout, alloc, alloc_zeroed};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::base::error::{Refusal, Result};
use crate::base::interrupt;

/// The panic of work without memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMemory {
    /// The number of bytes asked for.
    pub bytes: usize,
}

/// Runs work; refuses if there is not enough memory.
///
/// # Errors
/// The errors of the work, and [`Refusal::NoMemory`].
///
/// ```
/// use rocksteady_count::base::memory::or_refused;
/// assert_eq!(or_refused(|| Ok(1 + 1)), Ok(2));
/// ```
pub fn or_refused<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| match refusal(&*panic) {
        Some(refusal) => Err(refusal),
        None => resume_unwind(panic),
    })
}

/// The refusal behind a panic, if memory was its cause.
pub fn refusal(panic: &(dyn Any + Send)) -> Option<Refusal> {
    let &NoMemory { bytes } = panic.downcast_ref()?;
    Some(Refusal::NoMemory { bytes })
}

/// Unwinds because there is no memory for `len` values.
#[cold]
pub(crate) fn no_room<T>(len: usize) -> ! {
    let bytes = len.saturating_mul(size_of::<T>());
    resume_unwind(Box::new(NoMemory { bytes }))
}

/// An empty vector with room for `len` values.
pub fn with_room<T>(len: usize) -> Vec<T> {
    asked_for(len, alloc)
}

/// An empty vector in memory from `ask`. `Vec`'s own growth would take several calls.
#[inline]
fn asked_for<T>(len: usize, ask: unsafe fn(Layout) -> *mut u8) -> Vec<T> {
    try_asked_for(len, ask).unwrap_or_else(|| no_room::<T>(len))
}

#[inline]
fn try_asked_for<T>(len: usize, ask: unsafe fn(Layout) -> *mut u8) -> Option<Vec<T>> {
    let layout = Layout::array::<T>(len).ok()?;
    interrupt::check();
    if layout.size() == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the layout has bytes.
    let memory = unsafe { ask(layout) }.cast::<T>();
    if memory.is_null() {
        return None;
    }
    // SAFETY: the global allocator gave this memory for `len` values of the type.
    Some(unsafe { Vec::from_raw_parts(memory, 0, len) })
}

/// The number of values written at a time.
const PIECE: usize = 1 << 18;

/// `len` copies of the value.
pub fn filled<T: Clone>(value: T, len: usize) -> Vec<T> {
    let mut values = with_room(len);
    while values.len() < len {
        interrupt::check();
        values.resize(len.min(values.len() + PIECE), value.clone());
    }
    values
}

/// A type whose zero is all zero bits.
///
/// # Safety
/// Memory of zeros is a valid value.
pub unsafe trait Zero: Copy + Default {}

macro_rules! zero {
    ($($number:ty)*) => {$(
        // SAFETY: zero bits are zero, or false.
        unsafe impl Zero for $number {}
    )*};
}
zero!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool);

/// `len` zeros. The system fills each page with zeros on first touch.
pub fn zeros<T: Zero>(len: usize) -> Vec<T> {
    try_zeros(len).unwrap_or_else(|| no_room::<T>(len))
}

/// `len` zeros, or `None` if there is no memory for them.
pub fn try_zeros<T: Zero>(len: usize) -> Option<Vec<T>> {
    let mut values = try_asked_for(len, alloc_zeroed)?;
    // SAFETY: there is memory for `len` values, and zeros are values of the type.
    unsafe { values.set_len(len) };
    Some(values)
}

/// `vec!` that survives a failed allocation: see the head of this file.
#[macro_export]
macro_rules! vec {
    (0; $len:expr) => { $crate::base::memory::zeros($len) };
    (false; $len:expr) => { $crate::base::memory::zeros($len) };
    (0.0; $len:expr) => { $crate::base::memory::zeros($len) };
    ($value:expr; $len:expr) => { $crate::base::memory::filled($value, $len) };
    ($($values:tt)*) => { ::std::vec![$($values)*] };
}

/// Iterators collected into vectors: `collect`.
pub trait Gather: Iterator + Sized {
    /// All values: `collect`.
    #[inline]
    fn gather(self) -> Vec<Self::Item> {
        let mut values = with_room(self.size_hint().0);
        values.grow_with(self);
        values
    }

    /// All values, or the first refusal.
    #[inline]
    fn gather_all<T, E>(self) -> std::result::Result<Vec<T>, E>
    where
        Self: Iterator<Item = std::result::Result<T, E>>,
    {
        let mut values = with_room(self.size_hint().0);
        for value in self {
            values.grow(value?);
        }
        Ok(values)
    }
}

impl<I: Iterator> Gather for I {}

/// Vectors that grow.
pub trait Room<T> {
    /// Reserves room for `more` values: `reserve`.
    fn make_room(&mut self, more: usize);

    /// Adds one value: `push`.
    fn grow(&mut self, value: T);

    /// Adds values: `extend`.
    fn grow_with(&mut self, values: impl IntoIterator<Item = T>);

    /// Adds copies of values: `extend_from_slice`.
    fn grow_by(&mut self, values: &[T])
    where
        T: Clone;

    /// Grows with copies of one value, or truncates, to this length: `resize`.
    fn grow_to(&mut self, len: usize, value: T)
    where
        T: Clone;
}

impl<T> Room<T> for Vec<T> {
    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.capacity() - self.len() < more {
            interrupt::check();
            if self.try_reserve(more).is_err() {
                no_room::<T>(self.len().saturating_add(more));
            }
        }
    }

    #[inline]
    fn grow(&mut self, value: T) {
        if self.len() == self.capacity() {
            self.make_room(1);
        }
        self.push(value);
    }

    #[inline]
    fn grow_with(&mut self, values: impl IntoIterator<Item = T>) {
        let values = values.into_iter();
        let (least, most) = values.size_hint();
        self.make_room(least);
        if most == Some(least) {
            self.extend(values);
        } else {
            values.for_each(|value| self.grow(value));
        }
    }

    #[inline]
    fn grow_by(&mut self, values: &[T])
    where
        T: Clone,
    {
        self.make_room(values.len());
        self.extend_from_slice(values);
    }

    #[inline]
    fn grow_to(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.make_room(len.saturating_sub(self.len()));
        self.resize(len, value);
    }
}

/// Collects entries into a hash map: `collect`.
pub fn map_of<K, V, S>(entries: impl Iterator<Item = (K, V)>) -> HashMap<K, V, S>
where
    K: Eq + Hash,
    S: BuildHasher + Default,
{
    let mut map = HashMap::default();
    room_in(&mut map, entries.size_hint().0);
    for (key, value) in entries {
        room_in(&mut map, 1);
        map.insert(key, value);
    }
    map
}

/// Room for `more` entries in a hash map.
#[inline]
pub fn room_in<K: Eq + Hash, V, S: BuildHasher>(map: &mut HashMap<K, V, S>, more: usize) {
    if map.try_reserve(more).is_err() {
        no_room::<(K, V)>(map.len().saturating_add(more));
    }
}

/// An empty set with room for `len` values.
pub(crate) fn set_with_room<T: Eq + Hash>(len: usize) -> HashSet<T> {
    let mut set = HashSet::new();
    if set.try_reserve(len).is_err() {
        no_room::<T>(len);
    }
    set
}

/// Slices that can be copied.
pub trait CopyAll<T> {
    /// A copy of all values: `to_vec`, or `clone` of a vector.
    fn copy_all(&self) -> Vec<T>;
}

impl<T: Clone> CopyAll<T> for [T] {
    #[inline]
    fn copy_all(&self) -> Vec<T> {
        let mut copy = with_room(self.len());
        copy.extend_from_slice(self);
        copy
    }
}

/// Converts values to another type of the same size, in place.
#[inline]
pub fn in_place<T, U>(values: Vec<T>, change: impl FnMut(T) -> U) -> Vec<U> {
    const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) }
    values.into_iter().map(change).collect() // which asks for no memory
}

/// Concatenates the parts: `concat`. A single part stays unchanged.
pub fn joined<T: Clone>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let mut all = with_room(parts.iter().map(Vec::len).sum());
    for part in &parts {
        all.extend_from_slice(part);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Kind;
    use crate::base::threads::{SERIAL_ROWS, over_parts};

    #[test]
    fn values_are_those_of_the_standard_functions() {
        assert_eq!(filled(7, 3), [7, 7, 7]);
        assert_eq!(zeros::<f64>(3), [0.0; 3]);
        assert!(zeros::<u8>(0).is_empty());
        for len in [0, 1, 2, 5, 100, 1000] {
            let all: Vec<u32> = (0..len).collect();
            assert_eq!((0..len).gather(), all);
            let even = all.iter().copied().filter(|value| value % 2 == 0);
            assert_eq!(even.clone().gather(), even.collect::<Vec<_>>());
            assert_eq!(all.iter().map(|&value| Ok::<_, ()>(value)).gather_all(), Ok(all.clone()));
            assert_eq!(all.copy_all(), all);
            assert_eq!(joined(std::vec![all.clone(), all.clone()]), [all.clone(), all].concat());
        }
        let bits = filled(1.5_f64, 1000);
        let place = bits.as_ptr() as usize;
        let bits = in_place(bits, f64::to_bits);
        assert_eq!((bits.as_ptr() as usize, bits[999]), (place, 1.5_f64.to_bits()));
        let refused = (0..5).map(|value| if value < 3 { Ok(value) } else { Err(value) });
        assert_eq!(refused.gather_all(), Err(3));
    }

    #[test]
    fn what_no_system_has_is_refused_also_on_threads() {
        use std::hint::black_box; // the compiler may leave out memory that nothing reads
        const MANY: usize = usize::MAX / 32;
        type Work = fn() -> Result<usize>;
        let works: [Work; 6] = [
            || Ok(black_box(with_room::<u64>(MANY)).len()),
            || Ok(black_box(filled(1_u64, MANY)).len()),
            || Ok(black_box(zeros::<u64>(MANY)).len()),
            || Ok(black_box(zeros::<u64>(usize::MAX)).len()),
            || Ok(black_box((0..MANY).map(|value| value as u64).gather()).len()),
            || {
                Ok(over_parts(SERIAL_ROWS * 4, |part| {
                    Ok(black_box(zeros::<u64>(MANY + part.len())).len())
                })?[0])
            },
        ];
        for work in works {
            let refusal = or_refused(work).unwrap_err();
            assert_eq!(refusal.kind(), Kind::Memory);
        }
        let sentence = or_refused(works[0]).unwrap_err().to_string();
        assert_eq!(
            sentence,
            format!("there is not enough memory: {} bytes were asked for", MANY * 8)
        );
        assert_eq!(or_refused(|| Ok(1)), Ok(1));
        let other = catch_unwind(|| or_refused(|| -> Result<()> { panic!("another") }));
        assert_eq!(other.unwrap_err().downcast_ref::<&str>(), Some(&"another"));
    }
}
