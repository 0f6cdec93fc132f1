//! The structures of the Arrow C data and stream interfaces, and arrays that are checked; texts
//! become codes.
//!
//! A producer may be anybody's code. So every field is checked before it is used:
//!
//! 1. the format: supported here, or refused by name;
//! 2. lengths and offsets: not negative, and no more bytes than a process has addresses;
//! 3. the number of buffers (at most 2³¹ for views), and that no buffer with values is missing;
//! 4. when texts are read: offsets that ascend up to the last one, views inside their buffers, and
//!    UTF-8.
//!
//! The interface does not state how long a buffer of numbers, bits or texts is. So a length that is
//! too large, or a wrong address, cannot be noticed.
//!
//! Recent short texts become codes by comparing two words, other texts by their hashes.
//!
//! Source: <https://arrow.apache.org/docs/format/CDataInterface.html> and
//! <https://arrow.apache.org/docs/format/CStreamInterface.html>.
#![allow(unsafe_code)]
#![allow(clippy::cast_ptr_alignment)] // Offsets are read unaligned.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null};
use std::sync::Arc;

use crate::base::coded::coder::{
    CodedColumn, Coder, NOT_UNICODE, Recent, TOGETHER, UNICODE, in_parts,
};
use crate::base::dtype::{Class, Dtype};
use crate::base::error::{Refusal, Result};
use crate::base::input::MISSING;
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};

/// The expectation in refusals.
pub const EXPECTED: &str = "a valid array in the Arrow C data interface";

/// The most bytes of a buffer: no process has more addresses.
const MOST_BYTES: usize = if usize::BITS > 32 { (1 << 47) - 1 } else { isize::MAX.cast_unsigned() };

/// The bytes of `places` places of `bits` bits, if such memory can exist from `first` on.
fn bytes_of(first: *const u8, places: usize, bits: usize) -> Checked<usize> {
    let bytes = places.checked_mul(bits).map(|bits| bits.div_ceil(8));
    let bytes = bytes.filter(|&bytes| bytes <= MOST_BYTES);
    bytes
        .filter(|&bytes| first.addr() <= isize::MAX.cast_unsigned() - bytes)
        .ok_or_else(|| "it ends beyond all memory".to_owned())
}

/// What is wrong with an array, as the rest of a sentence.
pub type Checked<T> = std::result::Result<T, String>;

/// `ArrowSchema`.
#[repr(C)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `ArrowArray`.
#[repr(C)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `ArrowArrayStream`.
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A structure of the interface. It may be moved out of its place, and is released once.
pub trait Structure: Sized {
    /// A released structure.
    fn released() -> Self;
    /// Whether it was released.
    fn is_released(&self) -> bool;

    /// Moves a structure out of its place, and leaves a released one behind.
    ///
    /// # Errors
    /// A place that is not aligned, or a structure that was moved out before.
    ///
    /// # Safety
    /// The place holds such a structure, which nobody else uses.
    unsafe fn moved(place: NonNull<c_void>) -> Checked<Self> {
        let place = place.cast::<Self>();
        if !place.is_aligned() {
            return Err("a structure is not aligned".into());
        }
        // SAFETY: the place holds the structure, by the contract, and is aligned.
        let structure = unsafe { place.replace(Self::released()) };
        if structure.is_released() {
            return Err("it was imported before".into());
        }
        Ok(structure)
    }
}

macro_rules! structure {
    ($($of:ty)*) => {$(
        impl Structure for $of {
            fn released() -> Self {
                // SAFETY: null pointers, zeros and no functions are values of all the fields.
                unsafe { MaybeUninit::zeroed().assume_init() }
            }

            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $of {
            fn drop(&mut self) {
                if let Some(release) = self.release.take() {
                    let mut own = std::mem::replace(self, Self::released());
                    own.release = Some(release);
                    // The structure is forgotten first: the producer releases it, even if it does
                    // not mark it as released.
                    let mut own = std::mem::ManuallyDrop::new(own);
                    // SAFETY: the producer's function for this structure, called once.
                    unsafe { release(&raw mut *own) };
                }
            }
        }
    )*};
}
structure!(Schema Array Stream);

/// An array owned by this value.
pub struct Owned(Array);

// SAFETY: what the array points to is only read, and its producer must take its release from any
// thread.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

/// How texts are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// With 32-bit offsets.
    Small,
    /// With 64-bit offsets.
    Large,
    /// As views.
    Views,
}

/// The supported types, and others by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Only missing values.
    Null,
    /// Bits.
    Bool,
    /// Numbers.
    Number(Dtype),
    /// Whole numbers of this many bytes, divided by this power of 10.
    Decimal(usize, i32),
    /// Texts.
    Text(Texts),
    /// Keys and their values.
    Dictionary(Dtype, Box<Type>),
    /// A table with this many columns.
    Table(i64),
    /// An unsupported type, by its name.
    Other(String),
}

impl Type {
    /// The type that a schema describes.
    ///
    /// # Errors
    /// No format, or a dictionary where none is allowed.
    pub fn of(schema: &Schema) -> Checked<Self> {
        if schema.format.is_null() {
            return Err("its type has no format".into());
        }
        // SAFETY: a text that ends with a zero, by the interface.
        let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
        let number = |class, size| Dtype::of(class, size).map_or(Self::Null, Self::Number);
        let own = match format {
            b"n" => Self::Null,
            b"b" => Self::Bool,
            b"c" => number(Class::Signed, 1),
            b"C" => number(Class::Unsigned, 1),
            b"s" => number(Class::Signed, 2),
            b"S" => number(Class::Unsigned, 2),
            b"i" => number(Class::Signed, 4),
            b"I" => number(Class::Unsigned, 4),
            b"l" => number(Class::Signed, 8),
            b"L" => number(Class::Unsigned, 8),
            b"e" => number(Class::Float, 2),
            b"f" => number(Class::Float, 4),
            b"g" => number(Class::Float, 8),
            b"u" => Self::Text(Texts::Small),
            b"U" => Self::Text(Texts::Large),
            b"vu" => Self::Text(Texts::Views),
            b"+s" => Self::Table(schema.n_children),
            other => decimal(other).unwrap_or_else(|| Self::Other(named(other))),
        };
        let Some(values) = NonNull::new(schema.dictionary) else {
            return Ok(own);
        };
        if !values.is_aligned() {
            return Err("the type of its dictionary is not aligned".into());
        }
        // SAFETY: the dictionary's schema, alive and aligned.
        let values = unsafe { values.as_ref() };
        let is_nested = !values.dictionary.is_null();
        match own {
            Self::Number(keys) if keys.class() != Class::Float && !is_nested => {
                Ok(Self::Dictionary(keys, Box::new(Self::of(values)?)))
            }
            _ => Ok(Self::Other("a dictionary without integers as keys".into())),
        }
    }

    /// The name of the type.
    pub fn name(&self) -> String {
        match self {
            Self::Null => "nulls".into(),
            Self::Bool => "truth values".into(),
            Self::Number(dtype) => dtype.name().into(),
            Self::Decimal(..) => "decimals".into(),
            Self::Text(_) => "text".into(),
            Self::Dictionary(_, values) => format!("a dictionary of {}", values.name()),
            Self::Table(columns) => format!("a table of {columns} columns"),
            Self::Other(name) => name.clone(),
        }
    }
}

/// The type of decimals: "d:precision,scale", and their bits if these are not 128.
fn decimal(format: &[u8]) -> Option<Type> {
    let numbers = std::str::from_utf8(format).ok()?.strip_prefix("d:")?;
    let mut numbers = numbers.split(',').map(|number| number.parse::<i32>().ok());
    let (_, scale, bits) =
        (numbers.next()??, numbers.next()??, numbers.next().unwrap_or(Some(128))?);
    let bytes = usize::try_from(bits).ok()? / 8;
    matches!(bytes, 4 | 8 | 16).then_some(Type::Decimal(bytes, scale))
}

/// The name of an unsupported format.
fn named(format: &[u8]) -> String {
    let known = [
        ("z", "bytes"),
        ("Z", "bytes"),
        ("vz", "bytes"),
        ("w:", "bytes"),
        ("d:", "decimals"),
        ("td", "dates"),
        ("tt", "times of day"),
        ("ts", "timestamps"),
        ("tD", "durations"),
        ("ti", "intervals of time"),
        ("+l", "lists"),
        ("+L", "lists"),
        ("+v", "lists"),
        ("+w", "lists"),
        ("+m", "maps"),
        ("+u", "unions"),
        ("+r", "runs"),
    ];
    let name = known.iter().find(|name| format.starts_with(name.0.as_bytes()));
    name.map_or_else(
        || {
            let shown = String::from_utf8_lossy(&format[..format.len().min(100)]);
            format!("the unknown format {shown:?}")
        },
        |name| name.1.into(),
    )
}

/// A checked array of one type, or a dictionary within one.
pub struct Chunk {
    owner: Arc<Owned>,
    len: usize,
    offset: usize,
    /// Bits that are 0 where a value is missing; null if none is missing.
    valid: *const u8,
    /// Numbers, keys, bits, offsets or views.
    first: *const u8,
    /// The bytes of texts, or of each buffer of views with its length.
    bytes: Vec<(*const u8, usize)>,
    /// Where the bytes of texts with offsets end; 0 if unknown.
    end: i64,
    dictionary: Option<Box<Chunk>>,
}

// SAFETY: the pointers are only read, and `owner` keeps what they point to.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// Checks an array of that type.
    ///
    /// # Errors
    /// An impossible field.
    pub fn of(array: Array, of: &Type) -> Checked<Self> {
        let owner = Arc::new(Owned(array));
        Self::within(&owner, &owner.0, of)
    }

    fn within(owner: &Arc<Owned>, array: &Array, of: &Type) -> Checked<Self> {
        let size = |number: i64, what: &str| {
            usize::try_from(number).map_err(|_| format!("its {what} is {number}"))
        };
        let (len, offset) = (size(array.length, "length")?, size(array.offset, "offset")?);
        let end = len.checked_add(offset).ok_or("it ends beyond all memory")?;
        if array.null_count > array.length || array.null_count < -1 {
            return Err(format!("{} of its {len} values are null", array.null_count));
        }
        let mut chunk = Self {
            owner: Arc::clone(owner),
            len,
            offset,
            valid: null(),
            first: null(),
            bytes: Vec::new(),
            end: 0,
            dictionary: None,
        };
        // The buffers of an array without values do not matter. Some producers give nulls one
        // buffer too many.
        if matches!(of, Type::Null | Type::Table(_) | Type::Other(_)) {
            return Ok(chunk);
        }
        let (least, exact) = match of {
            Type::Text(Texts::Views) => (3, false),
            Type::Text(_) => (3, true),
            _ => (2, true),
        };
        let number = size(array.n_buffers, "number of buffers")?;
        if number < least || (exact && number > least) {
            return Err(format!("it has {number} buffers instead of {least}"));
        }
        if number - least > i32::MAX as usize {
            return Err(format!("it has {number} buffers, more than views name"));
        }
        if array.buffers.is_null() || !array.buffers.is_aligned() {
            return Err("it has no buffers".into());
        }
        bytes_of(array.buffers.cast(), number, usize::BITS as usize)?;
        // SAFETY: so many pointers to buffers, by the interface; they are aligned.
        let buffers = unsafe { std::slice::from_raw_parts(array.buffers, number) };
        let buffer = |at: usize, bits: usize| {
            let first = buffers[at].cast::<u8>();
            // There is one offset more than texts.
            bytes_of(first, end.saturating_add(1), bits)?;
            if first.is_null() && len > 0 {
                return Err(format!("it has {len} values and no buffer for them"));
            }
            Ok(first)
        };
        if array.null_count != 0 && !buffers[0].is_null() {
            chunk.valid = buffer(0, 1)?;
        } else if array.null_count > 0 {
            return Err("some of its values are null, and it does not tell which".into());
        }
        chunk.first = match of {
            Type::Bool => buffer(1, 1)?,
            Type::Number(dtype) | Type::Dictionary(dtype, _) => buffer(1, 8 * dtype.size())?,
            Type::Decimal(bytes, _) => buffer(1, 8 * bytes)?,
            Type::Text(Texts::Small) => buffer(1, 32)?,
            Type::Text(Texts::Large) => buffer(1, 64)?,
            _ => buffer(1, 128)?,
        };
        match of {
            Type::Text(Texts::Views) => {
                let lengths = buffers[number - 1].cast::<i64>();
                if number > 3 && lengths.is_null() {
                    return Err("it does not tell the lengths of its buffers".into());
                }
                bytes_of(lengths.cast(), number, 64)?;
                for (at, bytes) in buffers[2..number - 1].iter().enumerate() {
                    // SAFETY: a length for each of these buffers, by the interface.
                    let len = unsafe { lengths.add(at).read_unaligned() };
                    let len = size(len, "length of a buffer")?;
                    if bytes.is_null() && len > 0 {
                        return Err("it has a length and no buffer".into());
                    }
                    bytes_of(bytes.cast(), len, 8)?;
                    chunk.bytes.push((bytes.cast(), len));
                }
            }
            Type::Text(texts) => {
                chunk.bytes.push((buffers[2].cast(), 0));
                chunk.end = chunk.end_of(*texts);
            }
            Type::Dictionary(_, values) => {
                let found = NonNull::new(array.dictionary).filter(|it| it.is_aligned());
                let found = found.ok_or("it has keys and no dictionary")?;
                // SAFETY: the dictionary, alive as long as its array is, and aligned.
                let found = unsafe { found.as_ref() };
                chunk.dictionary = Some(Box::new(Self::within(owner, found, values)?));
            }
            _ => {}
        }
        Ok(chunk)
    }

    /// The owner of the memory.
    pub fn owner(&self) -> Arc<Owned> {
        Arc::clone(&self.owner)
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The values of its keys.
    pub fn dictionary(&self) -> Option<&Self> {
        self.dictionary.as_deref()
    }

    /// The first number or key.
    pub fn first(&self, dtype: Dtype) -> *const u8 {
        self.first.wrapping_add(self.offset * dtype.size())
    }

    /// The bits of truth values.
    pub fn bit(&self, row: usize) -> bool {
        self.bit_of(self.first, row)
    }

    /// Appends a byte, 0 or 1, for each truth value: eight at a time from the first whole byte.
    pub fn add_bits_to(&self, bytes: &mut Vec<u8>) {
        let head = ((8 - self.offset % 8) % 8).min(self.len);
        let eights = (self.len - head) / 8;
        let tail = head + 8 * eights..self.len;
        bytes.make_room(self.len);
        bytes.grow_with((0..head).map(|row| u8::from(self.bit(row))));
        if eights > 0 {
            let whole = self.first.wrapping_add((self.offset + head) / 8);
            // SAFETY: a bit for each row from the offset on, by the format, and eight of them to
            // each of these bytes.
            let whole = unsafe { std::slice::from_raw_parts(whole, eights) };
            let from = bytes.len();
            bytes.grow_to(from + 8 * eights, 0);
            for (to, &bits) in bytes[from..].as_chunks_mut::<8>().0.iter_mut().zip(whole) {
                *to = truths(bits);
            }
        }
        bytes.grow_with(tail.map(|row| u8::from(self.bit(row))));
    }

    /// Appends the nearest `f64` of each decimal of `bytes` bytes, divided by 10^`scale`.
    pub fn add_decimals_to(&self, values: &mut Vec<f64>, bytes: usize, scale: i32) {
        // Exact up to 10^22.
        let power = (0..scale.min(22)).fold(1.0, |power, _| power * 10.0);
        let nearest = |digits: i128| {
            if digits.unsigned_abs() <= 1 << 53 && (0..=22).contains(&scale) {
                return digits as f64 / power; // of two exact numbers
            }
            format!("{digits}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
        };
        let digits = |row: usize| {
            let first = self.first.wrapping_add((self.offset + row) * bytes);
            // SAFETY: so many bytes for each row from the offset on, by the format; no alignment is
            // assumed.
            unsafe {
                match bytes {
                    4 => first.cast::<i32>().read_unaligned().into(),
                    8 => first.cast::<i64>().read_unaligned().into(),
                    _ => first.cast::<i128>().read_unaligned(),
                }
            }
        };
        values.grow_with((0..self.len).map(|row| nearest(digits(row))));
    }

    /// Whether the value in a row is missing.
    pub fn is_null(&self, row: usize) -> bool {
        !self.valid.is_null() && !self.bit_of(self.valid, row)
    }

    /// Whether the value in any row may be missing.
    pub fn has_nulls(&self) -> bool {
        !self.valid.is_null() && (0..self.len).any(|row| self.is_null(row))
    }

    fn bit_of(&self, bits: *const u8, row: usize) -> bool {
        assert!(row < self.len, "a row of the array");
        let place = self.offset + row;
        // SAFETY: a bit for each row from the offset on, by the format.
        (unsafe { bits.add(place / 8).read() } >> (place % 8)) & 1 == 1
    }

    /// The bytes of a row's text.
    fn text(&self, row: usize, texts: Texts) -> Checked<&[u8]> {
        assert!(row < self.len, "a row of the array");
        let place = self.offset + row;
        if texts == Texts::Views {
            return self.view(place);
        }
        // SAFETY: an offset for each row from the array's offset on and one after the last, by the
        // format.
        let [start, end] = [place, place + 1].map(|at| unsafe { self.offset_at(at, texts) });
        if start < 0 || end < start {
            return Err(format!("its text {row} is from {start} to {end}"));
        }
        let (bytes, _) = self.bytes[0];
        if end == start {
            return Ok(&[]);
        }
        if bytes.is_null() || bytes_of(bytes, end as usize, 8).is_err() {
            return Err(format!("its text {row} lies in no buffer"));
        }
        if end > self.end {
            let last = self.end;
            return Err(format!("its text {row} ends at {end}, and its last one at {last}"));
        }
        // SAFETY: bytes up to the last offset, by the format.
        Ok(unsafe { std::slice::from_raw_parts(bytes.add(start as usize), (end - start) as usize) })
    }

    /// The bytes of a row's text as [`Recent::words`], if it is short and 16 bytes can be read from
    /// its start.
    #[inline]
    fn words(&self, row: usize, texts: Texts) -> Option<[u64; 2]> {
        assert!(row < self.len, "a row of the array");
        let place = self.offset + row;
        // SAFETY: an offset for each row from the array's offset on and one after the last, or 16
        // bytes for each, by the format; of texts, bytes up to the last offset.
        unsafe {
            let (first, len) = if texts == Texts::Views {
                let view = self.first.add(16 * place);
                let len = u32::from_le(view.cast::<u32>().read_unaligned()) as usize;
                if len > 12 {
                    return None;
                }
                let first = view.add(4).cast::<u64>().read_unaligned();
                let second = view.add(12).cast::<u32>().read_unaligned();
                ([first, second.to_le().into()], len)
            } else {
                let [start, next] = [place, place + 1].map(|at| self.offset_at(at, texts));
                let len = usize::try_from(next.wrapping_sub(start)).ok()?;
                if len > Recent::LONGEST || start < 0 || self.end.checked_sub(16)? < start {
                    return None;
                }
                let words = self.bytes[0].0.add(start as usize).cast::<[u64; 2]>();
                (words.read_unaligned(), len)
            };
            Some(Recent::words(first.map(u64::from_le), len))
        }
    }

    /// Where the bytes of all texts end; 0 if unknown.
    fn end_of(&self, texts: Texts) -> i64 {
        if self.bytes[0].0.is_null() || self.len == 0 {
            return 0;
        }
        // SAFETY: an offset after that of the last row, by the format.
        let end = unsafe { self.offset_at(self.offset + self.len, texts) };
        let bytes = usize::try_from(end).ok().map(|end| bytes_of(self.bytes[0].0, end, 8));
        if matches!(bytes, Some(Ok(_))) { end } else { 0 }
    }

    /// The offset at a place.
    ///
    /// # Safety
    /// There must be one.
    unsafe fn offset_at(&self, at: usize, texts: Texts) -> i64 {
        // SAFETY: by this function's contract.
        unsafe {
            match texts {
                Texts::Small => i64::from(self.first.cast::<i32>().add(at).read_unaligned()),
                _ => self.first.cast::<i64>().add(at).read_unaligned(),
            }
        }
    }

    /// The bytes of a view: up to twelve stored in the view itself, or a part of a buffer.
    fn view(&self, place: usize) -> Checked<&[u8]> {
        // SAFETY: 16 bytes for each row from the offset on, by the format.
        let view = unsafe { std::slice::from_raw_parts(self.first.add(16 * place), 16) };
        let number = |at: usize| {
            let mut bytes = [0; 4];
            bytes.copy_from_slice(&view[at..at + 4]);
            usize::try_from(i32::from_le_bytes(bytes)).ok()
        };
        let wrong = || format!("its text {} lies in no buffer", place - self.offset);
        let len = number(0).ok_or_else(wrong)?;
        if len <= 12 {
            return Ok(&view[4..4 + len]);
        }
        let (buffer, start) = number(8).zip(number(12)).ok_or_else(wrong)?;
        let &(bytes, known) = self.bytes.get(buffer).ok_or_else(wrong)?;
        if start + len > known {
            return Err(wrong());
        }
        // SAFETY: within the buffer, as just checked.
        Ok(unsafe { std::slice::from_raw_parts(bytes.add(start), len) })
    }
}

impl Stream {
    /// The type of all arrays.
    ///
    /// # Errors
    /// The producer's error, or a missing schema.
    pub fn schema(&mut self) -> Checked<Schema> {
        let mut schema = Schema::released();
        let get = self.get_schema.ok_or("it gives no type")?;
        // SAFETY: the producer's function for this stream, and a place to write to.
        if unsafe { get(self, &raw mut schema) } != 0 {
            return Err(self.error());
        }
        if schema.is_released() {
            return Err("it gives no type".into());
        }
        Ok(schema)
    }

    /// The next array, if there is one.
    ///
    /// # Errors
    /// The producer's error.
    pub fn next_array(&mut self) -> Checked<Option<Array>> {
        let mut array = Array::released();
        let get = self.get_next.ok_or("it gives no arrays")?;
        // SAFETY: the producer's function for this stream, and a place to write to.
        if unsafe { get(self, &raw mut array) } != 0 {
            return Err(self.error());
        }
        Ok((!array.is_released()).then_some(array))
    }

    /// The producer's error message.
    fn error(&mut self) -> String {
        // SAFETY: the producer's function for this stream.
        let text = self.get_last_error.map_or(null(), |get| unsafe { get(self) });
        if text.is_null() {
            return "its stream failed".into();
        }
        // SAFETY: a text that ends with a zero, alive until the stream is called again.
        let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
        text.chars().take(200).collect()
    }
}

/// Which rows of arrays are missing; none if all are there.
pub fn missing(chunks: &[Chunk]) -> Option<Vec<bool>> {
    let any = chunks.iter().any(Chunk::has_nulls);
    let rows = chunks.iter().flat_map(|chunk| (0..chunk.len()).map(move |row| chunk.is_null(row)));
    any.then(|| rows.gather())
}

/// Codes for the texts of consecutive arrays, in the order of first appearance.
///
/// # Errors
/// A text outside its buffer, or invalid Unicode.
pub fn coded_texts(chunks: &[Chunk], texts: Texts, argument: &'static str) -> Result<CodedColumn> {
    let mut all = 0;
    let starts = chunks.iter().map(|chunk| {
        all += chunk.len();
        all - chunk.len()
    });
    let starts: Vec<usize> = starts.gather();
    in_parts(argument, all, |rows, codes| {
        let mut coder = Coder::new(argument);
        let mut values = with_room(TOGETHER);
        let mut recent = Recent::new();
        for (chunk, &start) in chunks.iter().zip(&starts) {
            let within = |row: usize| row.saturating_sub(start).min(chunk.len());
            for row in within(rows.start)..within(rows.end) {
                interrupt::check_at(row);
                let is_cached = coder.is_in_cache();
                // Cached texts were checked when they were new.
                if is_cached
                    && recent.pays()
                    && !chunk.is_null(row)
                    && let Some(words) = chunk.words(row, texts)
                    && let Some(code) = recent.find(words)
                {
                    codes.push(code);
                    continue;
                }
                let value = if chunk.is_null(row) {
                    None
                } else {
                    let bytes = chunk.text(row, texts).map_err(|problem| Refusal::Type {
                        argument,
                        value: format!("an Arrow array that cannot be read: {problem}"),
                        expected: EXPECTED.into(),
                    })?;
                    let text = std::str::from_utf8(bytes);
                    let wrong = |_| Refusal::row(argument, start + row, NOT_UNICODE, UNICODE);
                    Some(text.map_err(wrong)?)
                };
                if is_cached {
                    let code = value.map_or(Ok(MISSING), |text| coder.text(text))?;
                    if recent.pays()
                        && let Some(text) = coder.text_at(code)
                    {
                        recent.keep(text, code, codes.filled());
                    }
                    codes.push(code);
                    continue;
                }
                values.push(value);
                if values.len() == TOGETHER {
                    coder.texts(&values, |code| codes.push(code))?;
                    values.clear();
                }
            }
        }
        coder.texts(&values, |code| codes.push(code))?;
        Ok(coder.into_labels())
    })
}

/// The bits of a byte, the lowest first.
fn truths(bits: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Each byte gets one of the bits in its old position; then the bit moves to the bottom.
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (((apart + 0x7f * ONES) >> 7) & ONES).to_le_bytes()
}
