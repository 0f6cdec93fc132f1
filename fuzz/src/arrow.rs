//! Arrow arrays from a producer that may say anything, against what it says.
//!
//! 1. A format of any bytes is named, or known.
//! 2. Arrays of bits, numbers, texts and dictionaries, in buffers that end where the producer says
//!    that they do: so a read outside is seen. Lengths, offsets, counts and pointers may be wrong;
//!    then the array or its text is refused, and never anything else.
//! 3. What is read is what was written: bits, numbers, missing values, and the codes of texts in
//!    the order in which they are first met, over several arrays.
//! 4. A stream gives its type and its arrays in order, or says what went wrong. Each of its
//!    structures is released once.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};

use arbitrary::{Result, Unstructured};
use rocksteady::base::coded::arrow::{
    Array, Checked, Chunk, Schema, Stream, Structure, Texts, Type, coded_texts, missing,
};
use rocksteady::base::error::Refusal;
use rocksteady::base::input::{Label, MISSING};

/// `ArrowSchema` and `ArrowArray`, as a producer has them.
#[repr(C)]
struct OwnSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut OwnSchema,
    dictionary: *mut OwnSchema,
    release: Option<unsafe extern "C" fn(*mut OwnSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct OwnArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut OwnArray,
    dictionary: *mut OwnArray,
    release: Option<unsafe extern "C" fn(*mut OwnArray)>,
    private_data: *mut c_void,
}

unsafe extern "C" fn release_schema(schema: *mut OwnSchema) {
    // SAFETY: called with the structure by its owner.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_array(array: *mut OwnArray) {
    // SAFETY: called with the structure by its owner.
    unsafe { (*array).release = None };
}

fn type_of(format: &[u8], values: Option<&[u8]>) -> Checked<Type> {
    let schema = |format: &CString, dictionary| OwnSchema {
        format: format.as_ptr(),
        name: null(),
        metadata: null(),
        flags: 0,
        n_children: 3,
        children: null_mut(),
        dictionary,
        release: Some(release_schema),
        private_data: null_mut(),
    };
    let text = |format: &[u8]| CString::new(format).expect("no zeros");
    let (format, values) = (text(format), values.map(text));
    let mut inner = values.as_ref().map(|values| schema(values, null_mut()));
    let inner = inner.as_mut().map_or(null_mut(), |inner| &raw mut *inner);
    let mut own = schema(&format, inner);
    // SAFETY: such a structure, which nobody else uses.
    let schema = unsafe { Schema::moved(NonNull::from(&mut own).cast()) }?;
    Type::of(&schema)
}

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    if form >= 240 {
        any_format(rest);
    } else if form >= 232 {
        let _ = stream(&mut Unstructured::new(rest));
    } else {
        let _ = arrays(&mut Unstructured::new(rest), form);
    }
}

/// `ArrowArrayStream`.
#[repr(C)]
struct OwnStream {
    get_schema: Option<unsafe extern "C" fn(*mut OwnStream, *mut OwnSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut OwnStream, *mut OwnArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut OwnStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut OwnStream)>,
    private_data: *mut c_void,
}

/// What a stream does.
struct Plan {
    format: CString,
    /// Whether it gives a type; none to fail.
    has_type: Option<bool>,
    arrays: Vec<OwnArray>,
    /// Before which array it fails.
    fails_at: usize,
    given: usize,
    says: Option<CString>,
    released: usize,
}

impl Plan {
    /// The plan of a stream.
    ///
    /// # Safety
    /// It must be there, and nobody else use it.
    unsafe fn of<'a>(stream: *mut OwnStream) -> &'a mut Self {
        // SAFETY: by this function's contract.
        unsafe { &mut *(*stream).private_data.cast() }
    }
}

unsafe extern "C" fn give_schema(stream: *mut OwnStream, to: *mut OwnSchema) -> c_int {
    // SAFETY: `stream` made the plan, and the caller has a place for a structure.
    unsafe {
        let plan = Plan::of(stream);
        if plan.has_type == Some(true) {
            to.write(OwnSchema {
                format: plan.format.as_ptr(),
                name: null(),
                metadata: null(),
                flags: 0,
                n_children: 0,
                children: null_mut(),
                dictionary: null_mut(),
                release: Some(release_schema),
                private_data: null_mut(),
            });
        }
        c_int::from(plan.has_type.is_none())
    }
}

unsafe extern "C" fn give_array(stream: *mut OwnStream, to: *mut OwnArray) -> c_int {
    // SAFETY: as above.
    unsafe {
        let plan = Plan::of(stream);
        if plan.given == plan.fails_at {
            return 5;
        }
        if plan.given < plan.arrays.len() {
            to.write(std::ptr::read(&raw const plan.arrays[plan.given]));
            plan.given += 1;
        }
        0
    }
}

unsafe extern "C" fn give_error(stream: *mut OwnStream) -> *const c_char {
    // SAFETY: as above.
    let plan = unsafe { Plan::of(stream) };
    plan.says.as_ref().map_or(null(), |says| says.as_ptr())
}

unsafe extern "C" fn release_stream(stream: *mut OwnStream) {
    // SAFETY: as above.
    unsafe {
        Plan::of(stream).released += 1;
        (*stream).release = None;
    }
}

fn stream(u: &mut Unstructured) -> Result<()> {
    let made: Vec<Made> =
        (0..u.int_in_range(0..=3)?).map(|_| make(u, Kind::Numbers(1))).collect::<Result<_>>()?;
    let mut pointers: Vec<Vec<*const c_void>> = made.iter().map(|_| Vec::new()).collect();
    let arrays = made.iter().zip(&mut pointers);
    let long = [b'x'; 300];
    let says = [None, Some(&b"it broke"[..]), Some(b"\xff"), Some(&long)];
    let says = *u.choose(&says)?;
    let mut plan = Plan {
        format: CString::new(NUMBERS[1].0).expect("no zeros"),
        has_type: *u.choose(&[Some(true), Some(true), Some(true), Some(false), None])?,
        arrays: arrays.map(|(made, pointers)| made.array(pointers, null_mut())).collect(),
        fails_at: u.int_in_range(0..=6)?,
        given: 0,
        says: says.map(|says| CString::new(says).expect("no zeros")),
        released: 0,
    };
    let lacks = u.int_in_range(0..=9_u8)?;
    let mut own = OwnStream {
        get_schema: (lacks != 1).then_some(give_schema),
        get_next: (lacks != 2).then_some(give_array),
        get_last_error: (lacks != 3).then_some(give_error),
        release: Some(release_stream),
        private_data: (&raw mut plan).cast(),
    };
    let place = NonNull::from(&mut own).cast();
    // SAFETY: such a structure, which nobody else uses, and whose plan outlives it.
    let mut stream = unsafe { Stream::moved(place) }.expect("it was not released");
    // SAFETY: a released structure is one, too.
    assert!(unsafe { Stream::moved(place) }.is_err());
    let told = says.filter(|_| lacks != 3);
    let told = told.map_or("its stream failed".into(), |says| {
        String::from_utf8_lossy(&says[..says.len().min(200)]).into_owned()
    });
    let schema = match (lacks, plan.has_type) {
        (1, _) | (_, Some(false)) => Err("it gives no type".to_owned()),
        (_, None) => Err(told.clone()),
        _ => Ok(()),
    };
    let found = stream.schema();
    assert_eq!(found.as_ref().map(|_| ()).map_err(ToString::to_string), schema);
    if let Ok(found) = found {
        let of = Type::of(&found).expect("a known format");
        for (place, made) in made.iter().enumerate() {
            let found = stream.next_array();
            if lacks == 2 || place == plan.fails_at {
                let expected = if lacks == 2 { "it gives no arrays" } else { &told };
                assert_eq!(found.err().map(|problem| problem.to_string()), Some(expected.into()));
                break;
            }
            let array = found.expect("it gives one").expect("there is one");
            match Chunk::of(array, &of) {
                Ok(chunk) => {
                    assert!(!made.bad, "it was not refused");
                    assert_eq!(chunk.is_empty(), made.valid.is_empty());
                    check(&chunk, made, Kind::Numbers(1), &of);
                }
                Err(problem) => assert!(made.bad, "{problem}"),
            }
        }
        if lacks != 2 && plan.given == made.len() && plan.fails_at != made.len() {
            assert!(stream.next_array().expect("the end").is_none());
        }
    }
    drop(stream);
    assert_eq!(plan.released, 1);
    Ok(())
}

fn any_format(data: &[u8]) {
    let at = data.iter().position(|&byte| byte == 0);
    let format = &data[..at.unwrap_or(data.len()).min(300)];
    for values in [None, Some(&b"u"[..]), Some(format)] {
        match type_of(format, values) {
            Ok(found) => assert!(!found.name().is_empty() && found.name().len() < 2000),
            Err(problem) => panic!("{problem}"),
        }
    }
}

const NUMBERS: [(&[u8], usize); 11] = [
    (b"c", 1),
    (b"C", 1),
    (b"s", 2),
    (b"S", 2),
    (b"i", 4),
    (b"I", 4),
    (b"l", 8),
    (b"L", 8),
    (b"e", 2),
    (b"f", 4),
    (b"g", 8),
];

/// Words as they may stand in a buffer: some of them are no Unicode.
const WORDS: [&[u8]; 16] = [
    b"",
    b"a",
    b"b",
    b"a",
    b"no",
    b"yes",
    b"\0",
    "\u{e9}".as_bytes(),
    b"eleven more",
    b"twelve bytes",
    b"thirteen more",
    b"fifteen letters",
    b"sixteen letters.",
    b"a text that is longer than all others",
    b"\xc3",
    b"\xff\xfe",
];

/// What is in a row: none for a missing value, an error where it is refused.
type Row = Option<std::result::Result<Vec<u8>, ()>>;

/// An array, and what must be read from it.
struct Made {
    /// Buffers in memory of their own.
    held: Vec<Option<Box<[u8]>>>,
    length: i64,
    offset: i64,
    null_count: i64,
    n_buffers: i64,
    has_buffers: bool,
    /// Whether it has to be refused.
    bad: bool,
    valid: Vec<bool>,
    rows: Vec<Row>,
    /// The bytes of numbers, or bits as bytes.
    plain: Vec<u8>,
}

impl Made {
    fn array(&self, pointers: &mut Vec<*const c_void>, dictionary: *mut OwnArray) -> OwnArray {
        let place =
            |held: &Option<Box<[u8]>>| held.as_ref().map_or(null(), |held| held.as_ptr().cast());
        pointers.extend(self.held.iter().map(place));
        OwnArray {
            length: self.length,
            null_count: self.null_count,
            offset: self.offset,
            n_buffers: self.n_buffers,
            n_children: 0,
            buffers: if self.has_buffers { pointers.as_ptr() } else { null() },
            children: null_mut(),
            dictionary,
            release: Some(release_array),
            private_data: null_mut(),
        }
    }
}

/// What kind of values an array has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bits,
    Numbers(usize),
    Texts(Texts),
}

impl Kind {
    fn format(self) -> &'static [u8] {
        match self {
            Self::Bits => b"b",
            Self::Numbers(place) => NUMBERS[place].0,
            Self::Texts(Texts::Small) => b"u",
            Self::Texts(Texts::Large) => b"U",
            Self::Texts(Texts::Views) => b"vu",
        }
    }
}

fn make(u: &mut Unstructured, kind: Kind) -> Result<Made> {
    let len = usize::from(u.arbitrary::<u8>()? % 40);
    let offset = usize::from(u.arbitrary::<u8>()?.saturating_sub(200) % 12);
    let all = offset + len;
    let mut made = Made {
        held: Vec::new(),
        length: len as i64,
        offset: offset as i64,
        null_count: 0,
        n_buffers: 0,
        has_buffers: true,
        bad: false,
        valid: vec![true; len],
        rows: Vec::new(),
        plain: Vec::new(),
    };
    if u.arbitrary::<u8>()? < 96 {
        let mut bits = vec![0_u8; all.div_ceil(8)];
        for byte in &mut bits {
            *byte = u.arbitrary::<u8>()? | u.arbitrary::<u8>()?;
        }
        let is_valid = |row: usize| bits[row / 8] >> (row % 8) & 1 == 1;
        made.valid = (offset..all).map(is_valid).collect();
        let nulls = made.valid.iter().filter(|valid| !**valid).count() as i64;
        made.null_count = if u.arbitrary()? { -1 } else { nulls };
        if made.null_count == 0 {
            made.valid = vec![true; len];
        }
        made.held.push(Some(bits.into()));
    } else {
        made.held.push(None);
    }
    match kind {
        Kind::Bits => {
            let mut bits = vec![0_u8; all.div_ceil(8)];
            u.fill_buffer(&mut bits)?;
            let bit = |row: usize| bits[row / 8] >> (row % 8) & 1;
            made.plain = (offset..all).map(bit).collect();
            made.held.push(Some(bits.into()));
        }
        Kind::Numbers(place) => {
            let size = NUMBERS[place].1;
            let mut bytes = vec![0_u8; all * size];
            u.fill_buffer(&mut bytes)?;
            made.plain = bytes[offset * size..].to_vec();
            made.held.push(Some(bytes.into()));
        }
        Kind::Texts(Texts::Views) => views(u, &mut made, (offset, len))?,
        Kind::Texts(texts) => by_offsets(u, &mut made, texts, (offset, len))?,
    }
    made.n_buffers = made.held.len() as i64;
    spoil(u, &mut made, kind)?;
    Ok(made)
}

/// Texts one after the other. The buffer ends where the last of them does.
fn by_offsets(
    u: &mut Unstructured,
    made: &mut Made,
    texts: Texts,
    (offset, len): (usize, usize),
) -> Result<()> {
    let few = u.arbitrary::<u8>()?;
    let mut bytes = b"before"[..usize::from(few % 7)].to_vec();
    let mut offsets = vec![bytes.len() as i64];
    for _ in 0..offset + len {
        let byte = u.arbitrary::<u8>()?;
        // Words that are no Unicode are few.
        let word = if few < 200 { byte % 14 } else { byte % 16 };
        bytes.extend(WORDS[usize::from(word)]);
        offsets.push(bytes.len() as i64);
    }
    if len > 0 && u.arbitrary::<u8>()? < 40 {
        let at = u.int_in_range(0..=offset + len)?;
        let wrong = i64::from(u.arbitrary::<i16>()?);
        // What the last one says is believed, so it only gets less.
        let is_last = at == offset + len;
        offsets[at] = if is_last { wrong.min(offsets[at]) } else { wrong };
    }
    let last = offsets[offset + len];
    bytes.truncate(usize::try_from(last).unwrap_or(0));
    let has_bytes = !bytes.is_empty() || u.arbitrary()?;
    for row in offset..offset + len {
        let (start, end) = (offsets[row], offsets[row + 1]);
        let text = bytes.get(start.max(0) as usize..end.max(0) as usize);
        let is_read = start >= 0 && start <= end && (start == end || end <= last.max(0));
        let text = if start == end { Some(&[][..]) } else { text };
        made.rows.push(Some(if is_read { text.map(<[u8]>::to_vec).ok_or(()) } else { Err(()) }));
    }
    let raw: Vec<u8> = match texts {
        Texts::Small => (offsets.iter().flat_map(|&at| (at as i32).to_ne_bytes())).collect(),
        _ => offsets.iter().flat_map(|at| at.to_ne_bytes()).collect(),
    };
    made.held.push(Some(raw.into()));
    made.held.push(has_bytes.then(|| bytes.into()));
    Ok(())
}

/// Views: up to twelve bytes of their own, or a part of one of some buffers.
fn views(u: &mut Unstructured, made: &mut Made, (offset, len): (usize, usize)) -> Result<()> {
    let buffers: Vec<Vec<u8>> = (0..u.int_in_range(0..=3)?)
        .map(|_| {
            let start = u.int_in_range(0..=WORDS.len() - 1)?;
            Ok(WORDS[start..].concat())
        })
        .collect::<Result<_>>()?;
    let mut raw = Vec::new();
    for row in 0..offset + len {
        let mut view = [0_u8; 16];
        u.fill_buffer(&mut view)?;
        let form = view[0];
        let text = if form < 160 {
            let word = WORDS[usize::from(form % 10)];
            view[..4].copy_from_slice(&(word.len() as i32).to_le_bytes());
            view[4..][..word.len()].copy_from_slice(word); // what follows is anything
            Ok(word.to_vec())
        } else {
            let [len, buffer, start] = [view[1], view[2], view[3]].map(i32::from);
            let len = if form < 250 { 13 + len % 30 } else { -len };
            let start = if form < 240 { start % 40 } else { start - 200 };
            let buffer = if form < 240 { buffer % 3 } else { buffer - 100 };
            for (at, number) in [(0, len), (8, buffer), (12, start)] {
                view[at..at + 4].copy_from_slice(&number.to_le_bytes());
            }
            if (0..=12).contains(&len) {
                Ok(view[4..][..len as usize].to_vec())
            } else {
                let all = usize::try_from(buffer).ok().and_then(|at| buffers.get(at));
                let part = usize::try_from(start).ok().zip(usize::try_from(len).ok());
                let text =
                    all.zip(part).and_then(|(all, (start, len))| all.get(start..start + len));
                text.map(<[u8]>::to_vec).ok_or(())
            }
        };
        raw.extend(view);
        if row >= offset {
            made.rows.push(Some(text));
        }
    }
    made.held.push(Some(raw.into()));
    let lengths: Vec<u8> =
        (buffers.iter()).flat_map(|buffer| (buffer.len() as i64).to_ne_bytes()).collect();
    made.held.extend(buffers.into_iter().map(|buffer| Some(buffer.into())));
    made.held.push(Some(lengths.into()));
    Ok(())
}

/// Now and then says something that cannot be.
fn spoil(u: &mut Unstructured, made: &mut Made, kind: Kind) -> Result<()> {
    let form = u.arbitrary::<u8>()?;
    if form < 200 {
        return Ok(());
    }
    let is_view = kind == Kind::Texts(Texts::Views);
    made.bad = true;
    match form % 9 {
        0 => made.length = -1 - i64::from(form),
        1 => made.offset = i64::MIN + i64::from(form),
        2 => made.null_count = made.length + 1,
        3 => made.null_count = -2,
        4 => made.has_buffers = false,
        5 => made.n_buffers = i64::from(form % 2),
        6 if !is_view => made.n_buffers += 1,
        7 => made.offset = i64::MAX - made.length,
        8 if made.length > 0 => made.held[1] = None,
        _ => made.bad = false,
    }
    Ok(())
}

fn arrays(u: &mut Unstructured, form: u8) -> Result<()> {
    let kind = match form % 8 {
        0 => Kind::Bits,
        1 | 2 => Kind::Numbers(usize::from(form / 8) % NUMBERS.len()),
        3 | 4 => Kind::Texts(Texts::Small),
        5 => Kind::Texts(Texts::Large),
        _ => Kind::Texts(Texts::Views),
    };
    if form % 8 == 2 {
        return dictionary(u, kind);
    }
    let of = type_of(kind.format(), None).expect("a known format");
    let made: Vec<Made> =
        (0..u.int_in_range(1..=3)?).map(|_| make(u, kind)).collect::<Result<_>>()?;
    let mut chunks = Vec::new();
    // What the arrays point to outlives them.
    let mut pointers: Vec<Vec<*const c_void>> = made.iter().map(|_| Vec::new()).collect();
    for (made, pointers) in made.iter().zip(&mut pointers) {
        let mut own = made.array(pointers, null_mut());
        // SAFETY: such a structure, which nobody else uses.
        let array = unsafe { Array::moved(NonNull::from(&mut own).cast()) };
        let found = Chunk::of(array.expect("it was not released"), &of);
        match found {
            Ok(chunk) => {
                assert!(!made.bad, "it was not refused");
                assert_eq!(chunk.len(), made.valid.len());
                check(&chunk, made, kind, &of);
                chunks.push(chunk);
            }
            Err(problem) => {
                assert!(made.bad, "{problem}");
                return Ok(());
            }
        }
    }
    let valid: Vec<bool> = made.iter().flat_map(|made| made.valid.clone()).collect();
    let gaps: Vec<bool> = valid.iter().map(|valid| !valid).collect();
    let expected = gaps.contains(&true).then_some(gaps);
    assert_eq!(missing(&chunks), expected);
    if let Kind::Texts(texts) = kind {
        let rows: Vec<&Row> = made.iter().flat_map(|made| &made.rows).collect();
        check_texts(&chunks, texts, &rows, &valid);
    }
    Ok(())
}

fn check(chunk: &Chunk, made: &Made, kind: Kind, of: &Type) {
    for (row, &valid) in made.valid.iter().enumerate() {
        assert_eq!(chunk.is_null(row), !valid);
    }
    match (kind, of) {
        (Kind::Bits, _) => {
            for (row, &bit) in made.plain.iter().enumerate() {
                assert_eq!(chunk.bit(row), bit == 1);
            }
        }
        (Kind::Numbers(_), Type::Number(dtype) | Type::Dictionary(dtype, _)) if chunk.len() > 0 => {
            let len = chunk.len() * dtype.size();
            // SAFETY: the numbers of the array.
            let bytes = unsafe { std::slice::from_raw_parts(chunk.first(*dtype), len) };
            assert_eq!(bytes, &made.plain[..]);
        }
        _ => {}
    }
}

/// Codes in the order in which texts are first met; the first that cannot be read is refused.
fn check_texts(chunks: &[Chunk], texts: Texts, rows: &[&Row], valid: &[bool]) {
    let (mut codes, mut labels): (Vec<u32>, Vec<String>) = Default::default();
    let mut refused = None;
    for (place, (row, &valid)) in rows.iter().zip(valid).enumerate() {
        let text = match row {
            _ if !valid => {
                codes.push(MISSING);
                continue;
            }
            Some(Ok(bytes)) => match String::from_utf8(bytes.clone()) {
                Ok(text) => text,
                Err(_) => {
                    refused = Some(Some(place));
                    break;
                }
            },
            _ => {
                refused = Some(None);
                break;
            }
        };
        let code = labels.iter().position(|label| *label == text);
        codes.push(code.unwrap_or(labels.len()) as u32);
        if code.is_none() {
            labels.push(text);
        }
    }
    match (coded_texts(chunks, texts, "y_true"), refused) {
        (Ok(column), None) => {
            assert_eq!(*column.codes, codes);
            let labels: Vec<Label> =
                labels.into_iter().map(|text| Label::Text(text.into())).collect();
            assert_eq!(*column.labels, labels);
        }
        (Err(Refusal::Row { row, .. }), Some(Some(place))) => assert_eq!(row, place),
        (Err(Refusal::Type { .. }), Some(None)) => {}
        (Ok(_), refused) => panic!("not refused: {refused:?}"),
        (Err(refusal), refused) => panic!("{refusal}, expected {refused:?}"),
    }
}

/// Keys and the texts that they stand for.
fn dictionary(u: &mut Unstructured, kind: Kind) -> Result<()> {
    let values = Kind::Texts(*u.choose(&[Texts::Small, Texts::Large, Texts::Views])?);
    let of = type_of(kind.format(), Some(values.format())).expect("a known format");
    let (keys, words) = (make(u, kind)?, make(u, values)?);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut inner = words.array(&mut second, null_mut());
    let has_values = u.arbitrary::<u8>()? < 240;
    let mut own = keys.array(&mut first, if has_values { &raw mut inner } else { null_mut() });
    // SAFETY: such a structure, which nobody else uses.
    let array = unsafe { Array::moved(NonNull::from(&mut own).cast()) };
    let Type::Dictionary(_, of_values) = &of else {
        assert!(matches!(kind, Kind::Numbers(place) if place > 7) && of.name().contains("without"));
        return Ok(());
    };
    assert!(**of_values == type_of(values.format(), None).expect("a known format"));
    match Chunk::of(array.expect("it was not released"), &of) {
        Ok(chunk) => {
            assert!(!keys.bad && !words.bad && has_values);
            check(&chunk, &keys, kind, &of);
            let inner = chunk.dictionary().expect("its values");
            check(inner, &words, values, of_values);
            if let Kind::Texts(texts) = values {
                let rows: Vec<&Row> = words.rows.iter().collect();
                check_texts(std::slice::from_ref(inner), texts, &rows, &words.valid);
            }
        }
        Err(problem) => assert!(keys.bad || words.bad || !has_values, "{problem}"),
    }
    Ok(())
}
