//! The number of threads that a kernel may use, and the pool of threads.
//!
//! Kernels split rows into parts, and parts merge exactly. So results do not depend on the number
//! of threads, and one global setting is enough.
//!
//! The pool is created at first use and belongs to its process. After a `fork` (Python's
//! `multiprocessing` on Linux) the child has the pool's memory but not its threads. Work given to
//! this pool would wait forever, so the child makes its own pool. It never drops the old one,
//! because that could wait, too.
#![allow(unsafe_code)]

use std::any::Any;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use crate::base::error::{Refusal, Result, room};
use crate::base::interrupt;
use crate::base::memory::{Zero, kept, pages, try_zeros, zeros};
use crate::base::split_time;
use crate::base::switch::switch_at;

/// Up to this number of rows all work stays on the calling thread: waking another saves little.
pub const SERIAL_ROWS: usize = switch_at(1 << 16, 1 << 7);

/// The number set by [`set_threads`]; zero means the default.
static WANTED: AtomicUsize = AtomicUsize::new(0);
static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// A pool and the process that made it.
struct Pool {
    process: u32,
    threads: Arc<rayon::ThreadPool>,
}

/// Runs `work` on the slot of the pool, unless another thread holds the lock.
///
/// The lock is held for a few instructions only. But a fork may happen during these, and then
/// nobody releases the lock in the child. So no thread ever waits for it.
fn with_slot<T>(work: impl FnOnce(&mut Option<Pool>) -> T) -> Option<T> {
    match POOL.try_lock() {
        Ok(mut slot) => Some(work(&mut slot)),
        Err(TryLockError::Poisoned(slot)) => Some(work(&mut slot.into_inner())),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// More threads are refused: creating them takes seconds, or fails.
const MOST: usize = 1024;
const EXPECTED: &str = "1 to 1024 threads";
const VARIABLE: &str = "ROCKSTEADY_NUM_THREADS";

/// The number of threads to use: set by [`set_threads`], else by `ROCKSTEADY_NUM_THREADS`, else by
/// `OMP_NUM_THREADS`, which joblib, Dask and Spark set for their workers, else the number of cores,
/// of which a worker of pytest-xdist has its share.
///
/// # Errors
/// A variable that is not a number of threads is refused, when it is first needed.
pub fn threads() -> Result<usize> {
    let set = WANTED.load(Ordering::Relaxed);
    if set > 0 {
        return Ok(set);
    }
    let text = std::env::var_os(VARIABLE).unwrap_or_default();
    let text = text.to_string_lossy();
    let text = text.trim();
    if text.is_empty() {
        let share = || cores() / number_in("PYTEST_XDIST_WORKER_COUNT").unwrap_or(1);
        return Ok(number_in("OMP_NUM_THREADS").unwrap_or_else(share).max(1));
    }
    number_of(text).ok_or_else(|| {
        let shown: String = text.chars().take(100).collect();
        Refusal::argument(VARIABLE, format!("{shown:?}"), EXPECTED)
    })
}

/// The cores of this process. They are asked for once: the system reads files to tell them, which
/// takes as long as three score tables of 1,000 rows.
fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn number_of(text: &str) -> Option<usize> {
    text.trim().parse().ok().filter(|n| (1..=MOST).contains(n))
}

/// A variable of others: one number, or one for each level of nested parallel work.
fn number_in(variable: &str) -> Option<usize> {
    let text = std::env::var(variable).ok()?;
    number_of(text.split(',').next()?)
}

/// Sets the number of threads; `None` restores the default.
///
/// # Errors
/// Zero and more than 1024 threads are refused.
pub fn set_threads(n: Option<usize>) -> Result<()> {
    if let Some(n) = n.filter(|n| !(1..=MOST).contains(n)) {
        return Err(Refusal::argument("n", n, EXPECTED));
    }
    WANTED.store(n.unwrap_or(0), Ordering::Relaxed);
    Ok(())
}

/// The pool of `threads` threads: the one in the slot, or a new one, which replaces it.
fn pool(threads: usize) -> Option<Arc<rayon::ThreadPool>> {
    let process = std::process::id();
    let fits =
        |pool: &&Pool| pool.process == process && pool.threads.current_num_threads() == threads;
    let held = with_slot(|slot| slot.as_ref().filter(fits).map(|pool| Arc::clone(&pool.threads)));
    if let Some(Some(pool)) = held {
        return Some(pool);
    }
    let built = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?);
    let pool = Pool { process, threads: Arc::clone(&built) };
    if let Some(Some(old)) = with_slot(|slot| slot.replace(pool))
        && old.process != process
    {
        std::mem::forget(old);
    }
    Some(built)
}

/// Runs `work` over consecutive parts of `rows` rows, and returns the results in the order of the
/// rows.
///
/// Small inputs, and a single thread, are one part on the calling thread.
///
/// # Errors
/// The refusal of the earliest part for which `work` refuses.
pub fn over_parts<T, F>(rows: usize, work: F) -> Result<Vec<T>>
where
    T: Send,
    F: Fn(Range<usize>) -> Result<T> + Sync,
{
    let split = Split::of(rows)?;
    each_result(split, &|part| work(split.rows_of(part)))
}

/// The number of parts of so many rows.
///
/// # Errors
/// An invalid number of threads.
pub fn parts(rows: usize) -> Result<usize> {
    Ok(Split::of(rows)?.parts)
}

/// Merges values with their neighbours, all pairs at once, until one value is left.
///
/// # Errors
/// A refusal of `merge`.
pub fn merged<T, F>(mut values: Vec<T>, merge: F) -> Result<Option<T>>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> Result<T> + Sync,
{
    while values.len() > 1 {
        let pairs = values.len().div_ceil(2);
        let split = Split { threads: threads()?, rows: pairs, size: 1, parts: pairs };
        values = each_result(split, &|pair| match &values[2 * pair..] {
            [one, other, ..] => merge(one, other),
            rest => Ok(rest[0].clone()),
        })?;
    }
    Ok(values.pop())
}

/// Runs `work` over consecutive mutable pieces of values, each with the range of its places, and
/// returns the results in the order of the values.
///
/// # Errors
/// As [`over_parts`].
pub fn over_pieces<V, T, F>(values: &mut [V], work: F) -> Result<Vec<T>>
where
    V: Send,
    T: Send,
    F: Fn(Range<usize>, &mut [V]) -> Result<T> + Sync,
{
    let split = Split::of(values.len())?;
    over_cut(values, &split.ranges(), split, work)
}

/// Runs `work` over consecutive ranges of items that have about equally many rows, and the pieces
/// of `outputs` at the same places; returns the results in the order of the items.
///
/// `before` is the number of rows before an item; of the number of items it is the number of all
/// rows. Items without rows need not cost nothing: count them as rows, too.
///
/// # Errors
/// As [`over_parts`].
pub fn over_items<P, T, F>(
    items: usize,
    before: &dyn Fn(usize) -> usize,
    outputs: P,
    work: F,
) -> Result<Vec<T>>
where
    P: Pieces,
    T: Send,
    F: Fn(Range<usize>, P) -> Result<T> + Sync,
{
    let split = Split::of(before(items))?;
    if split.parts == 1 {
        return Ok(vec![split.alone(|| work(0..items, outputs))?]);
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for part in 0..split.parts {
        let (start, rows) = (ranges.last().map_or(0, |range| range.end), split.rows_of(part));
        let is_last = part + 1 == split.parts;
        let end =
            if is_last { items } else { first_place(start..items, &|at| before(at) >= rows.end) };
        ranges.push(start..end);
    }
    over_cut(outputs, &ranges, split, work)
}

/// The first place of a range where `holds`, which holds from some place on, or its end.
fn first_place(mut range: Range<usize>, holds: &dyn Fn(usize) -> bool) -> usize {
    while !range.is_empty() {
        let middle = range.start.midpoint(range.end);
        if holds(middle) {
            range.end = middle;
        } else {
            range.start = middle + 1;
        }
    }
    range.start
}

/// Runs `work` over consecutive ranges and the pieces of `outputs` at the same places.
fn over_cut<P, T, F>(outputs: P, ranges: &[Range<usize>], split: Split, work: F) -> Result<Vec<T>>
where
    P: Pieces,
    T: Send,
    F: Fn(Range<usize>, P) -> Result<T> + Sync,
{
    if let [only] = ranges {
        return Ok(vec![split.alone(|| work(only.clone(), outputs))?]);
    }
    let mut pieces = Vec::new();
    let mut rest = outputs;
    for range in ranges {
        let (piece, others) = rest.split(range.len());
        pieces.push(Mutex::new(Some(piece)));
        rest = others;
    }
    let results = each_result(split, &|part| {
        let piece = pieces[part].lock().unwrap_or_else(PoisonError::into_inner).take();
        piece.map(|piece| work(ranges[part].clone(), piece)).transpose()
    });
    Ok(results?.into_iter().flatten().collect())
}

/// One or several slices of the same length, which are cut at the same places.
pub trait Pieces: Send + Sized {
    /// The first `len` places, and the rest.
    fn split(self, len: usize) -> (Self, Self);
}

impl Pieces for () {
    fn split(self, _: usize) -> ((), ()) {
        ((), ())
    }
}

impl<V: Send> Pieces for &mut [V] {
    fn split(self, len: usize) -> (Self, Self) {
        self.split_at_mut(len)
    }
}

impl<A: Pieces, B: Pieces> Pieces for (A, B) {
    fn split(self, len: usize) -> (Self, Self) {
        let ((a, a_rest), (b, b_rest)) = (self.0.split(len), self.1.split(len));
        ((a, b), (a_rest, b_rest))
    }
}

impl<P: Pieces> Pieces for Vec<P> {
    fn split(self, len: usize) -> (Self, Self) {
        self.into_iter().map(|each| each.split(len)).unzip()
    }
}

/// A piece of new memory, which fills from its start.
pub struct Room<'a, V> {
    places: &'a mut [MaybeUninit<V>],
    filled: usize,
}

impl<V: Copy> Room<'_, V> {
    /// Fills the next place.
    ///
    /// # Panics
    /// If the piece is full.
    #[inline]
    pub fn push(&mut self, value: V) {
        self.places[self.filled].write(value);
        self.filled += 1;
    }

    /// Fills the next `len` places.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn fill(&mut self, len: usize, value: V) {
        self.places[self.filled..][..len].fill(MaybeUninit::new(value));
        self.filled += len;
    }

    /// Fills the next `len` places with the value that `of` finds for each.
    ///
    /// # Errors
    /// Those of `of`.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    pub fn fill_by(&mut self, len: usize, mut of: impl FnMut(usize) -> Result<V>) -> Result<()> {
        for (place, at) in self.places[self.filled..][..len].iter_mut().zip(0..) {
            place.write(of(at)?);
        }
        self.filled += len;
        Ok(())
    }

    /// The places filled so far.
    #[inline]
    pub fn filled(&self) -> usize {
        self.filled
    }
}

/// New values for `rows` rows, where `work` fills the places of its part, and the results of the
/// parts. So a page of memory is touched first by the thread that fills it.
///
/// # Errors
/// As [`over_parts`]; [`Refusal::Memory`].
///
/// # Panics
/// If a part leaves places empty.
pub fn filled<V, T, F>(argument: &'static str, rows: usize, work: F) -> Result<(Vec<V>, Vec<T>)>
where
    V: Copy + Send,
    T: Send,
    F: Fn(Range<usize>, &mut Room<'_, V>) -> Result<T> + Sync,
{
    let mut values = room(argument, rows)?;
    prefer_huge_pages(&mut values.spare_capacity_mut()[..rows]);
    let results = over_pieces(&mut values.spare_capacity_mut()[..rows], |range, places| {
        let mut room = Room { places, filled: 0 };
        let result = work(range.clone(), &mut room)?;
        assert_eq!(room.filled, range.len(), "a part fills all of its places");
        Ok(result)
    })?;
    // SAFETY: each part has filled its places, which are all of them.
    unsafe { values.set_len(rows) };
    Ok((values, results))
}

/// Defaults, one for each row, which each thread touches first.
///
/// # Errors
/// As [`filled`].
pub fn defaults<V: Copy + Default + Send>(argument: &'static str, rows: usize) -> Result<Vec<V>> {
    let filled = filled(argument, rows, |part, room| {
        room.fill(part.len(), V::default());
        Ok(())
    });
    Ok(filled?.0)
}

/// Joins parts into one vector, which each thread touches first. `of` turns the number of a part and
/// a value of it into what is kept; it must leave the values of the first part as they are.
///
/// # Errors
/// As [`filled`].
pub fn joined_by<T: Copy + Send + Sync>(
    mut parts: Vec<Vec<T>>,
    of: impl Fn(usize, T) -> T + Sync,
) -> Result<Vec<T>> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let slices: Vec<&[T]> = parts.iter().map(|part| &part[..]).collect();
    one_after_the_other(&slices, of)
}

/// [`joined_by`] for slices.
///
/// # Errors
/// As [`filled`].
pub fn one_after_the_other<T: Copy + Send + Sync>(
    parts: &[&[T]],
    of: impl Fn(usize, T) -> T + Sync,
) -> Result<Vec<T>> {
    let (mut starts, mut len) = (Vec::new(), 0);
    for part in parts {
        starts.push(len);
        len += part.len();
    }
    let joined = filled("", len, |range, room| {
        let first = starts.partition_point(|&start| start <= range.start).saturating_sub(1);
        for part in first..parts.len() {
            let (start, own) = (starts[part], parts[part]);
            let places = range.start.max(start)..range.end.min(start + own.len());
            if let Some(own) = own.get(places.start - start..places.end.saturating_sub(start)) {
                room.fill_by(own.len(), |at| Ok(of(part, own[at])))?;
            }
        }
        Ok(())
    });
    Ok(joined?.0)
}

/// Asks the system for huge pages for memory that will be written.
///
/// One thread gets them at once. Several touch their own: asked by several threads, the system
/// populates more slowly the more they are.
pub fn prefer_huge_pages<T>(memory: &mut [T]) {
    pages::prefer_huge_pages(memory, || threads().is_ok_and(|threads| threads == 1));
}

/// Zeros, one for each row; a block that was kept is zeroed by all threads.
///
/// # Errors
/// As [`filled`].
pub fn zero_room<V: Zero + Send>(argument: &'static str, rows: usize) -> Result<Vec<V>> {
    if rows.saturating_mul(size_of::<V>()) > kept::limit() {
        // Fresh pages are zero.
        return try_zeros(rows).ok_or(Refusal::Memory { argument, rows });
    }
    defaults(argument, rows)
}

/// [`zero_room`] for what has no argument.
pub fn zeros_in_parts<V: Zero + Send>(len: usize) -> Vec<V> {
    zero_room("", len).unwrap_or_else(|_| zeros(len))
}

/// How rows are split: `parts` parts of `size` rows; the last part may have fewer.
#[derive(Clone, Copy)]
struct Split {
    threads: usize,
    rows: usize,
    size: usize,
    parts: usize,
}

impl Split {
    fn of(rows: usize) -> Result<Self> {
        // Small inputs skip `threads()`, which reads the environment.
        let threads = if rows <= SERIAL_ROWS { 1 } else { threads()? };
        if threads == 1 {
            return Ok(Self { threads, rows, size: rows, parts: 1 });
        }
        let size = rows.div_ceil(threads).max(SERIAL_ROWS / 2);
        Ok(Self { threads, rows, size, parts: rows.div_ceil(size) })
    }

    fn rows_of(&self, part: usize) -> Range<usize> {
        let start = part * self.size;
        start..(start + self.size).min(self.rows)
    }

    fn ranges(&self) -> Vec<Range<usize>> {
        (0..self.parts).map(|part| self.rows_of(part)).collect()
    }

    /// Runs the only part.
    fn alone<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.rows > SERIAL_ROWS { split_time::measured(work) } else { work() }
    }
}

/// The results of all parts in order. Compiled once for each type of result.
fn each_result<T: Send>(
    split: Split,
    work: &(dyn Fn(usize) -> Result<T> + Sync),
) -> Result<Vec<T>> {
    if split.parts == 1 {
        return Ok(vec![split.alone(|| work(0))?]);
    }
    let results: Vec<_> = (0..split.parts).map(|_| Mutex::new(None)).collect();
    each(split, &|part| {
        let result = work(part);
        *results[part].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    // Every part has run, or `each` has unwound.
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// Runs the parts. All parallel work goes through this function, which is compiled once: a part
/// costs one indirect call.
///
/// The calling thread and helpers from the pool take one part after the other. The calling thread
/// never waits for a helper that has not begun: waking one may take longer than the work. And while
/// it waits for the others it takes no other work, which could wait for its own.
fn each(split: Split, work: &(dyn Fn(usize) + Sync)) {
    let flag = interrupt::flag();
    let work = |part| interrupt::under(flag, || work(part));
    let work: &(dyn Fn(usize) + Sync) = &work;
    // SAFETY: only the lifetime changes. A helper calls `work` only while it is inside. `close`
    // shuts the door and waits until nobody is inside, and this function does not end before it:
    // nothing in between unwinds, as `take_parts` keeps panics.
    let work: &'static (dyn Fn(usize) + Sync) = unsafe { std::mem::transmute(work) };
    let shared = Arc::new(Shared {
        work,
        parts: split.parts,
        next: AtomicUsize::new(0),
        door: Mutex::default(),
        all_left: Condvar::new(),
    });
    // Without threads from the system this thread takes all parts. Rayon's global pool is no
    // alternative: it does not survive a fork.
    if let Some(pool) = pool(split.threads) {
        for _ in 1..split.threads.min(split.parts) {
            let shared = Arc::clone(&shared);
            pool.spawn(move || shared.help());
        }
    }
    shared.take_parts();
    shared.close();
}

/// Parts that several threads take.
struct Shared {
    work: &'static (dyn Fn(usize) + Sync),
    parts: usize,
    next: AtomicUsize,
    door: Mutex<Door>,
    all_left: Condvar,
}

#[derive(Default)]
struct Door {
    is_shut: bool,
    /// The number of helpers inside.
    inside: usize,
    /// The first panic of any thread.
    panic: Option<Box<dyn Any + Send>>,
}

impl Shared {
    fn door(&self) -> MutexGuard<'_, Door> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes parts until none is left; a panic is kept, and leaves none.
    fn take_parts(&self) {
        let next =
            || Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&part| part < self.parts);
        let all = || std::iter::from_fn(next).for_each(self.work);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(all)) {
            self.next.store(self.parts, Ordering::Relaxed);
            self.door().panic.get_or_insert(panic);
        }
    }

    fn help(&self) {
        {
            let mut door = self.door();
            if door.is_shut {
                return;
            }
            door.inside += 1;
        }
        self.take_parts();
        let mut door = self.door();
        door.inside -= 1;
        if door.inside == 0 {
            self.all_left.notify_all();
        }
    }

    /// Waits for the helpers inside, and lets no other in.
    fn close(&self) {
        let mut door = self.door();
        door.is_shut = true;
        while door.inside > 0 {
            door = self.all_left.wait(door).unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(panic) = door.panic.take() {
            drop(door);
            resume_unwind(panic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;

    #[test]
    fn parts_cover_the_rows_in_order_and_the_first_refusal_wins() {
        for rows in [0, 1, SERIAL_ROWS, SERIAL_ROWS * 3 + 17] {
            let parts = over_parts(rows, Ok).unwrap();
            assert_eq!(parts.iter().map(Range::len).sum::<usize>(), rows);
            assert!(parts.windows(2).all(|w| w[0].end == w[1].start));
        }
        let refused = over_parts(SERIAL_ROWS * 4, |part| -> Result<()> {
            Err(Refusal::row("y", part.start, 1, "2"))
        });
        assert_eq!(refused, Err(Refusal::row("y", 0, 1, "2")));
    }

    #[test]
    fn values_are_merged_in_order() {
        for len in [0, 1, 2, 3, 8, 13] {
            let values: Vec<String> = (0..len).map(|n| n.to_string()).collect();
            let whole = (len > 0).then(|| values.concat());
            assert_eq!(merged(values, |a, b| Ok([&**a, b].concat())), Ok(whole));
        }
    }

    #[test]
    fn pieces_of_columns_have_the_same_rows() {
        for rows in [1, SERIAL_ROWS * 3 + 17] {
            let mut values = vec![0; 3 * rows];
            let columns: Vec<&mut [usize]> = values.chunks_mut(rows).collect();
            over_items(rows, &|row| row, columns, |part, columns| {
                for (column, values) in columns.into_iter().enumerate() {
                    assert_eq!(values.len(), part.len());
                    for (value, row) in values.iter_mut().zip(part.clone()) {
                        *value = 10 * row + column;
                    }
                }
                Ok(())
            })
            .unwrap();
            assert!((0..3 * rows).all(|at| values[at] == 10 * (at % rows) + at / rows));
        }
    }

    #[test]
    fn items_are_split_by_their_rows() {
        let light = |items: usize| items;
        let heavy = |items: usize| if items > 3 { items + SERIAL_ROWS * 8 } else { items };
        for (items, before) in [
            (0, &light as &dyn Fn(usize) -> usize),
            (5, &light),
            (5, &heavy),
            (SERIAL_ROWS * 3, &light),
            (SERIAL_ROWS * 3, &heavy),
        ] {
            let (mut places, mut again) = (vec![0; items], vec![0; items]);
            let ranges =
                over_items(items, before, (&mut places[..], &mut again[..]), |range, own| {
                    for ((place, at), again) in own.0.iter_mut().zip(range.clone()).zip(own.1) {
                        (*place, *again) = (at, at);
                    }
                    Ok(range)
                });
            let ranges = ranges.unwrap();
            assert_eq!(ranges.iter().map(Range::len).sum::<usize>(), items);
            assert!(ranges.windows(2).all(|w| w[0].end == w[1].start));
            assert!(places.iter().zip(0..).all(|(&place, at)| place == at));
            assert_eq!(places, again);
            over_pieces(&mut places, |range, piece| {
                assert_eq!(piece.first(), (!range.is_empty()).then_some(&range.start));
                assert_eq!(piece.len(), range.len());
                Ok(())
            })
            .unwrap();
        }
    }

    #[test]
    fn new_values_are_filled_in_order_or_refused() {
        for rows in [0, 1, SERIAL_ROWS * 3 + 17] {
            let (values, parts) = filled("y", rows, |part, room| {
                part.clone().for_each(|row| room.push(row));
                Ok(part.len())
            })
            .unwrap();
            assert_eq!((values, parts.iter().sum()), ((0..rows).collect::<Vec<_>>(), rows));
        }
        let refused = |part: Range<usize>, _: &mut Room<'_, u8>| -> Result<()> {
            Err(Refusal::row("y", part.start, 1, "2"))
        };
        assert_eq!(filled("y", SERIAL_ROWS * 4, refused), Err(Refusal::row("y", 0, 1, "2")));
    }

    #[test]
    fn parts_within_parts_end_and_a_panic_passes_on() {
        let rows = 4 * SERIAL_ROWS;
        let sums = over_parts(rows, |outer| {
            let inner = over_parts(rows, |inner| Ok(inner.len()))?;
            Ok(outer.len() + inner.into_iter().sum::<usize>())
        });
        let sums = sums.unwrap();
        assert_eq!(sums.iter().sum::<usize>(), rows + sums.len() * rows);
        for bad in [0, rows - 1] {
            let panic = catch_unwind(|| {
                over_parts(rows, |part| {
                    assert!(!part.contains(&bad), "part {bad}");
                    Ok(())
                })
            });
            let message = panic.unwrap_err().downcast::<String>().unwrap();
            assert_eq!(*message, format!("part {bad}"));
        }
        assert!(over_parts(rows, Ok).is_ok());
    }

    #[test]
    fn parts_may_ask_for_what_other_parts_fill() {
        let rows = 4 * SERIAL_ROWS;
        for _ in 0..20 {
            let sum = OnceLock::new();
            let found = over_parts(rows, |_| {
                let find = || over_parts(rows, |part| Ok(part.sum::<usize>()));
                sum.get_or_init(|| find().map(|parts| parts.iter().sum())).clone()
            });
            assert!(found.unwrap().iter().all(|&each: &usize| each == rows * (rows - 1) / 2));
        }
    }

    #[test]
    fn thread_counts_are_checked() {
        assert!(set_threads(Some(0)).is_err());
        assert!(set_threads(Some(2000)).is_err());
        assert!(threads().unwrap() >= 1);
    }
}
