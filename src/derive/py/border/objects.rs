//! Python objects, one by one: lists, tuples, arrays of objects.
//!
//! 1. A first pass hopes for plain floats, ints or bools throughout, and copies them as numbers.
//! 2. Anything else goes object by object. A column of a few labels is a column of a few objects,
//!    met again and again. So a small table from an object's address to its code answers for those
//!    without looking at the object; it holds on to the object, so that the address stays its own.
//!    It is given up where most objects are new. Short texts are then found by their bytes.
//! 3. Text and numbers in one column are refused; `numpy.asarray` would make text of both.
//!
//! Looking at an object may run its own code, which may change the list. So each element is looked
//! at once, and a list that has become shorter ends in an `IndexError`.
//!
//! Taking a reference to an object writes to its memory, which costs more than reading it. A text,
//! a plain float or a plain int runs no code when it is looked at. So where the interpreter has its
//! lock, these are looked at without a reference of our own. The addresses of objects that are
//! coded are taken 64 at a time, and their memory is prefetched.
#![allow(unsafe_code)]

use numpy::npyffi::PyArrayObject;
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::base::coded::coder::{self, Coder, NOT_UNICODE, TOGETHER, UNICODE};
use crate::base::dtype::Truth;
use crate::base::error::{Refusal, room};
use crate::base::input::{LabelKind, MISSING};
use crate::base::memory::Room;
use crate::base::wide::prefetch_read;

use crate::py::border::numbers::{EXACT, Numbers, WHOLE, whole};
use crate::py::border::read::{Read, finish};
use crate::py::border::text::{encoded, unicode};
use crate::py::border::what::{What, described, type_name};
use crate::py::error::PyResult;

/// Python objects in a row.
pub(crate) enum Items<'a, 'py> {
    List(&'a Bound<'py, PyList>),
    Tuple(&'a Bound<'py, PyTuple>),
    /// One-dimensional, of dtype object.
    Array(&'a Bound<'py, PyUntypedArray>),
}

impl<'py> Items<'_, 'py> {
    fn len(&self) -> usize {
        match self {
            Self::List(items) => items.len(),
            Self::Tuple(items) => items.len(),
            Self::Array(items) => items.len(),
        }
    }

    fn py(&self) -> Python<'py> {
        match self {
            Self::List(items) => items.py(),
            Self::Tuple(items) => items.py(),
            Self::Array(items) => items.py(),
        }
    }

    /// A row inside; a list may have become shorter in the meantime.
    fn get(&self, row: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::List(items) => Ok(items.get_item(row)?),
            Self::Tuple(items) => Ok(items.get_item(row)?),
            Self::Array(items) => Ok(object_at(items, row)),
        }
    }

    /// What is seen in a row's object; a list may have become shorter in the meantime.
    ///
    /// # Safety
    /// `see` must run no Python code.
    unsafe fn see<T>(&self, row: usize, see: impl FnOnce(&Bound<'py, PyAny>) -> T) -> PyResult<T> {
        if HAS_LOCK {
            // SAFETY: the object of that row, which stays there while no Python code runs.
            let item = unsafe { Borrowed::from_ptr(self.py(), self.address(row)?) };
            Ok(see(&item))
        } else {
            Ok(see(&self.get(row)?))
        }
    }

    /// The address of a row's object, which nothing keeps alive but its place in the row: good
    /// while the interpreter's lock is held and no Python code runs.
    fn address(&self, row: usize) -> PyResult<*mut ffi::PyObject> {
        let address = match self {
            // SAFETY: a list, and any index; of one that is too great it tells by an exception.
            Self::List(items) => unsafe {
                ffi::PyList_GetItem(items.as_ptr(), row as ffi::Py_ssize_t)
            },
            // SAFETY: as above, of a tuple.
            Self::Tuple(items) => unsafe {
                ffi::PyTuple_GetItem(items.as_ptr(), row as ffi::Py_ssize_t)
            },
            Self::Array(items) => address_at(items, row),
        };
        if address.is_null() {
            return Err(PyErr::fetch(self.py()).into());
        }
        Ok(address)
    }
}

/// One element of an array of objects.
fn object_at<'py>(array: &Bound<'py, PyUntypedArray>, row: usize) -> Bound<'py, PyAny> {
    // SAFETY: an object's address, which is the array's own reference to it. The interpreter is
    // held, so nobody replaces the element between reading its address and taking a reference to
    // it. Without the interpreter's lock nothing prevents that, since numpy does not lock its
    // arrays: the border's opening says what callers must not do there.
    unsafe { Bound::from_borrowed_ptr(array.py(), address_at(array, row)) }
}

/// The address of one element of an array of objects; numpy leaves null pointers in arrays that
/// were never filled, and means None.
#[inline]
fn address_at(array: &Bound<'_, PyUntypedArray>, row: usize) -> *mut ffi::PyObject {
    let object: *const PyArrayObject = array.as_array_ptr();
    // SAFETY: the callers have seen one dimension of objects, and ask for a row inside. (An
    // array's length can change in place, but only while nobody else holds it.) No alignment is
    // assumed.
    unsafe {
        let stride = *(*object).strides;
        let place = (*object).data.cast_const().wrapping_offset(stride.wrapping_mul(row as isize));
        let element = place.cast::<*mut ffi::PyObject>().read_unaligned();
        if element.is_null() { ffi::Py_None() } else { element }
    }
}

/// An object as a label or a number sees it.
enum Seen<'a> {
    Missing,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(&'a str),
}

/// Rows between two looks at whether Ctrl-C was pressed.
const PATIENCE: usize = 1 << 16;

/// Whether the interpreter has its lock. Without it, objects hold more than a count of references
/// and a type.
const HAS_LOCK: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();

pub(crate) fn read(items: &Items<'_, '_>, argument: &'static str, what: What) -> PyResult<Read> {
    if let Some(numbers) = plain(items, argument)? {
        return Ok(finish(numbers, None, argument, what)?);
    }
    if what == What::Labels { labels(items, argument) } else { floats(items, argument, what) }
}

/// The items as numbers, if all are floats, all are ints of at most 64 bits, or all are bools.
fn plain(items: &Items<'_, '_>, argument: &'static str) -> PyResult<Option<Numbers>> {
    fn all<'py, T>(
        items: &Items<'_, 'py>,
        argument: &'static str,
        value: impl Fn(&Bound<'py, PyAny>) -> Option<T>,
    ) -> PyResult<Option<Vec<T>>> {
        let rows = items.len();
        let mut values = room(argument, rows)?;
        for row in 0..rows {
            if row % PATIENCE == PATIENCE - 1 {
                items.py().check_signals()?;
            }
            // SAFETY: the functions below look at objects of Python's own types.
            match unsafe { items.see(row, &value) }? {
                Some(value) => values.grow(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }
    if items.len() == 0 {
        return Ok(Some(Numbers::own::<f64>(Vec::new())));
    }
    let first = items.get(0)?;
    Ok(if first.cast_exact::<PyFloat>().is_ok() {
        all(items, argument, |item| item.cast_exact::<PyFloat>().ok().map(PyFloatMethods::value))?
            .map(Numbers::own::<f64>)
    } else if first.cast_exact::<PyInt>().is_ok() {
        all(items, argument, |item| item.cast_exact::<PyInt>().ok()?.extract::<i64>().ok())?
            .map(Numbers::own::<i64>)
    } else if first.cast_exact::<PyBool>().is_ok() {
        all(items, argument, |item| {
            item.cast_exact::<PyBool>().ok().map(|item| u8::from(item.is_true()))
        })?
        .map(Numbers::own::<Truth>)
    } else {
        None
    })
}

/// Remembers the codes of objects by their address.
struct Recent {
    slots: Vec<Option<(Py<PyAny>, u32)>>,
    /// Objects that were not found.
    missed: usize,
}

impl Recent {
    /// For so many items. The slots take at most 32 KiB: a failed allocation of that size need not
    /// be caught.
    fn new(items: usize) -> Self {
        let slots = (items / 4).next_power_of_two().clamp(1 << 6, 1 << 11);
        Self { slots: (0..slots).map(|_| None).collect(), missed: 0 }
    }

    /// Whether it pays to look for the next object: not once many were not found.
    #[inline]
    fn pays(&self) -> bool {
        self.missed < usize::MAX
    }

    #[inline]
    fn slot(&self, item: *mut ffi::PyObject) -> usize {
        // Objects lie 16 bytes apart or more; the product spreads neighbours over the table, whose
        // size is a power of two.
        (item as usize >> 4).wrapping_mul(0x9E37_79B9) >> 16 & (self.slots.len() - 1)
    }

    #[inline]
    fn code(&self, item: *mut ffi::PyObject) -> Option<u32> {
        match &self.slots[self.slot(item)] {
            Some((known, code)) if known.as_ptr() == item => Some(*code),
            _ => None,
        }
    }

    /// Remembers the code of an object that was not found; `items` came before it. Returns the
    /// object whose place it takes.
    fn keep(
        &mut self,
        item: Bound<'_, PyAny>,
        code: u32,
        items: usize,
    ) -> Option<(Py<PyAny>, u32)> {
        self.missed += 1;
        if self.missed > self.slots.len() / 2 + items / 4 {
            self.missed = usize::MAX;
        }
        let slot = self.slot(item.as_ptr());
        self.slots[slot].replace((item.unbind(), code))
    }
}

/// Codes the items as labels.
fn labels(items: &Items<'_, '_>, argument: &'static str) -> PyResult<Read> {
    let rows = items.len();
    let mut coder = Coder::new(argument);
    let mut codes = room(argument, rows)?;
    let (mut recent, mut texts) = (Recent::new(rows), coder::Recent::for_rows(rows));
    let mut kind: Option<LabelKind> = None;
    let mut addresses = [std::ptr::null_mut(); TOGETHER];
    let mut displaced = Vec::new();
    for start in (0..rows).step_by(TOGETHER) {
        if start % PATIENCE == PATIENCE - TOGETHER {
            items.py().check_signals()?;
        }
        let batch = start..rows.min(start + TOGETHER);
        // The end of an object may run Python code, so it waits for the end of the batch.
        displaced.clear();
        // Whether no Python code has run since the addresses were taken. Objects need no
        // references until then, and are not written to.
        let mut quiet = HAS_LOCK;
        if quiet {
            for (address, row) in addresses.iter_mut().zip(batch.clone()) {
                *address = items.address(row)?;
                // Its type, and the beginning of a text's bytes.
                prefetch_read(*address);
                prefetch_read(address.wrapping_byte_add(48));
            }
        }
        for row in batch {
            let owner;
            let item = if quiet {
                // SAFETY: no Python code has run, so the object is where it was.
                unsafe { Borrowed::from_ptr(items.py(), addresses[row - start]) }
            } else {
                owner = items.get(row)?;
                owner.as_borrowed()
            };
            if recent.pays()
                && let Some(code) = recent.code(item.as_ptr())
            {
                codes.grow(code);
                continue;
            }
            let mut held = None;
            let code = if let Ok(text) = item.cast_exact::<PyString>()
                && kind.is_none_or(|kind| kind == LabelKind::Text)
            {
                kind = Some(LabelKind::Text);
                let bytes = encoded(&text);
                let code = bytes.map(|bytes| coder.recent_text(bytes, texts.as_deref_mut(), row));
                let code = code.transpose()?.flatten();
                code.ok_or_else(|| Refusal::row(argument, row, NOT_UNICODE, UNICODE))?
            } else {
                quiet = false;
                let item = held.insert(item.to_owned());
                code_of(item, argument, row, &mut coder, &mut kind)?
            };
            if recent.pays() {
                let item = held.unwrap_or_else(|| item.to_owned());
                displaced.grow_with(recent.keep(item, code, row));
            }
            codes.grow(code);
        }
    }
    let mut column = coder.column(codes, kind.unwrap_or(LabelKind::Float));
    column.bytes = rows > 0 && items.get(0)?.is_instance_of::<PyBytes>();
    Ok(Read::Coded(column))
}

/// The code of any object; `kind` is the kind of the labels before it.
fn code_of(
    item: &Bound<'_, PyAny>,
    argument: &'static str,
    row: usize,
    coder: &mut Coder,
    kind: &mut Option<LabelKind>,
) -> PyResult<u32> {
    look(item, argument, Some(row), What::Labels, |seen| {
        let (code, of) = match seen {
            Seen::Missing => return Ok(MISSING),
            Seen::Bool(value) => (coder.int(i128::from(value))?, LabelKind::Bool),
            Seen::Int(value) => (coder.int(value)?, LabelKind::Int),
            Seen::Float(value) => match whole(value) {
                Some(value) => (coder.int(value)?, LabelKind::Float),
                None => return Err(Refusal::row(argument, row, value, WHOLE)),
            },
            Seen::Text(value) => (coder.text(value)?, LabelKind::Text),
        };
        if kind.is_some_and(|kind| (kind == LabelKind::Text) != (of == LabelKind::Text)) {
            let (value, before) = if of == LabelKind::Text {
                (described(item), "a number, as in the rows before it")
            } else {
                (described(item), "text, as in the rows before it")
            };
            return Err(Refusal::RowType { argument, row, value, expected: before.into() });
        }
        *kind = (*kind).max(Some(of));
        Ok(code)
    })
}

/// Reads the items as `f64`, each exactly.
fn floats(items: &Items<'_, '_>, argument: &'static str, what: What) -> PyResult<Read> {
    let rows = items.len();
    let mut values = room(argument, rows)?;
    for row in 0..rows {
        if row % PATIENCE == PATIENCE - 1 {
            items.py().check_signals()?;
        }
        let item = items.get(row)?;
        values.grow(look(&item, argument, Some(row), what, |seen| match seen {
            Seen::Missing => Ok(f64::NAN),
            Seen::Bool(value) => Ok(f64::from(u8::from(value))),
            Seen::Float(value) => Ok(value),
            Seen::Int(value) if whole(value as f64) == Some(value) => Ok(value as f64),
            Seen::Int(value) => Err(Refusal::row(argument, row, value, EXACT)),
            Seen::Text(_) => Err(refused(argument, Some(row), &item, what)),
        })?);
    }
    Ok(Read::Numbers(Numbers::own::<f64>(values)))
}

/// Shows an object to `take` as what it is. Strings are lent, not copied.
fn look<T>(
    item: &Bound<'_, PyAny>,
    argument: &'static str,
    row: Option<usize>,
    what: What,
    take: impl FnOnce(Seen<'_>) -> Result<T, Refusal>,
) -> PyResult<T> {
    let not_unicode = || refused_value(argument, row, NOT_UNICODE, UNICODE);
    if item.is_none() {
        return Ok(take(Seen::Missing)?);
    }
    if let Ok(text) = item.cast::<PyString>() {
        return Ok(take(Seen::Text(unicode(text).ok_or_else(not_unicode)?))?);
    }
    if let Ok(value) = item.cast::<PyBool>() {
        return Ok(take(Seen::Bool(value.is_true()))?);
    }
    if let Ok(value) = item.cast::<PyInt>() {
        let small = value.extract::<i64>().map(i128::from);
        let value = small.or_else(|_| value.extract::<i128>()).map_err(|_| {
            refused_value(argument, row, "beyond 128 bits", "an integer of at most 128 bits")
        })?;
        return Ok(take(Seen::Int(value))?);
    }
    if let Ok(value) = item.cast::<PyFloat>() {
        let value = value.value();
        let missing = what == What::Labels && value.is_nan();
        return Ok(take(if missing { Seen::Missing } else { Seen::Float(value) })?);
    }
    if let Ok(bytes) = item.cast::<PyBytes>() {
        let text = std::str::from_utf8(bytes.as_bytes()).map_err(|_| not_unicode())?;
        return Ok(take(Seen::Text(text))?);
    }
    if is_numpy_number(item)? {
        // Exact: numpy's scalars of at most 64 bits become Python's own; others stay what they are,
        // and are refused.
        let inner = item.call_method0("item")?;
        if !is_numpy_number(&inner)? {
            return look(&inner, argument, row, what, take);
        }
    }
    match type_name(item).as_str() {
        "NAType" | "NaTType" => return Ok(take(Seen::Missing)?),
        // The nearest float, as numpy takes them.
        "Decimal" if what != What::Labels => return Ok(take(Seen::Float(item.extract()?))?),
        _ => {}
    }
    Err(refused(argument, row, item, what).into())
}

/// Whether this is a truth value or number of numpy's; its time spans say that they are integers,
/// but are none here.
fn is_numpy_number(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    static NUMBER: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static BOOL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static TIMEDELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = item.py();
    Ok(item.is_instance(BOOL.import(py, "numpy", "bool_")?)?
        || (item.is_instance(NUMBER.import(py, "numpy", "number")?)?
            && !item.is_instance(TIMEDELTA.import(py, "numpy", "timedelta64")?)?))
}

fn refused(
    argument: &'static str,
    row: Option<usize>,
    item: &Bound<'_, PyAny>,
    what: What,
) -> Refusal {
    let expected = match what {
        What::Labels => "a label: a truth value, an integer, a float that is whole, or text",
        What::Scores | What::Weights => "a real number of at most 64 bits",
    };
    let (value, expected) = (described(item), expected.into());
    match row {
        Some(row) => Refusal::RowType { argument, row, value, expected },
        None => Refusal::Type { argument, value, expected },
    }
}

fn refused_value(
    argument: &'static str,
    row: Option<usize>,
    value: &str,
    expected: &str,
) -> Refusal {
    match row {
        Some(row) => Refusal::row(argument, row, value, expected),
        None => Refusal::argument(argument, value, expected),
    }
}

/// One object as a label, with its kind; `None` where it is missing.
pub(crate) fn label(
    item: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<Option<(crate::base::input::Label, LabelKind)>> {
    use crate::base::input::Label;
    look(item, argument, None, What::Labels, |seen| {
        Ok(match seen {
            Seen::Missing => None,
            Seen::Bool(value) => Some((Label::Int(i128::from(value)), LabelKind::Bool)),
            Seen::Int(value) => Some((Label::Int(value), LabelKind::Int)),
            Seen::Float(value) => match whole(value) {
                Some(value) => Some((Label::Int(value), LabelKind::Float)),
                None => return Err(Refusal::argument(argument, value, WHOLE)),
            },
            Seen::Text(value) => Some((Label::Text(value.into()), LabelKind::Text)),
        })
    })
}
