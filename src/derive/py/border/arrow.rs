//! Arrow arrays and streams, through the Arrow `PyCapsule` protocol.
//!
//! 1. A single chunk of numbers without nulls is read where it lies. Several chunks are put
//!    together by copying.
//! 2. Bits become bytes.
//! 3. Texts become codes from their buffers.
//! 4. A dictionary's values are coded once, and its keys then become codes.
//!
//! Source: <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::critical_section::{with_critical_section, with_critical_section2};
use pyo3::types::{PyCapsule, PyTuple};

use crate::base::coded::arrow::{
    Array, Checked, Chunk, EXPECTED, Schema, Stream, Structure, Type, coded_texts, missing,
};
use crate::base::coded::coder::{CodedColumn, Coder};
use crate::base::dtype::{Dtype, Number, Truth, visit};
use crate::base::error::{Refusal, Result, room};
use crate::base::input::{LabelKind, MISSING, Scores};
use crate::base::memory::{Room, with_room};
use crate::py::error::{PyResult, Raised};
use crate::py::gate;

use crate::py::border::numbers::Numbers;
use crate::py::border::read::{Read, finish};
use crate::py::border::what::{What, refused_type, type_name};

/// Reads an object with `__arrow_c_array__` or `__arrow_c_stream__`.
pub(crate) fn read(
    object: &Bound<'_, PyAny>,
    argument: &'static str,
    what: What,
) -> PyResult<Read> {
    let chunks = chunks(object, argument)?;
    let chunks = Chunks { of: &chunks.0, chunks: &chunks.1 };
    gate::run(object.py(), chunks.work(), || chunks.read(argument, what))
}

/// The pointer of a capsule of that name.
fn pointer(capsule: &Bound<'_, PyAny>, name: &CStr) -> Checked<NonNull<c_void>> {
    let capsule = capsule.cast::<PyCapsule>().map_err(|_| "it gives no capsule")?;
    let other = |_| format!("its capsule is not called {}", name.to_string_lossy());
    capsule.pointer_checked(Some(name)).map_err(other)
}

/// The type and the arrays that an object gives.
fn chunks(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<(Type, Vec<Chunk>)> {
    let failed = |problem: String| {
        Raised::from(Refusal::Type {
            argument,
            value: format!("a {} that cannot be imported: {problem}", type_name(object)),
            expected: EXPECTED.into(),
        })
    };
    // A stream is asked for first: polars' series, which have no arrays, take long to say so.
    if !object.hasattr("__arrow_c_stream__")? {
        let pair = object.call_method0("__arrow_c_array__")?;
        let pair = pair.cast_into::<PyTuple>();
        let pair = pair.map_err(|_| failed("it gives no capsules".into()))?;
        if pair.len() != 2 {
            return Err(failed(format!("it gives {} capsules, not 2", pair.len())));
        }
        let held = (pair.get_item(0)?, pair.get_item(1)?);
        let schema = pointer(&held.0, c"arrow_schema").map_err(failed)?;
        let array = pointer(&held.1, c"arrow_array").map_err(failed)?;
        // SAFETY: capsules of these names hold these structures, by the protocol, and the capsules
        // are alive. Of two threads with the same capsules, one waits here for the other.
        let (schema, array) = with_critical_section2(&held.0, &held.1, || unsafe {
            (Schema::moved(schema), Array::moved(array))
        });
        let (schema, array) = (schema.map_err(failed)?, array.map_err(failed)?);
        let of = Type::of(&schema).map_err(failed)?;
        let chunk = Chunk::of(array, &of).map_err(failed)?;
        return Ok((of, vec![chunk]));
    }
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let stream = pointer(&capsule, c"arrow_array_stream").map_err(failed)?;
    // SAFETY: as above; `capsule` is alive.
    let stream = with_critical_section(&capsule, || unsafe { Stream::moved(stream) });
    let mut stream = stream.map_err(failed)?;
    let of = Type::of(&stream.schema().map_err(failed)?).map_err(failed)?;
    let mut chunks = Vec::new();
    if matches!(of, Type::Table(_)) {
        return Ok((of, chunks)); // its rows are not needed to refuse it
    }
    while let Some(array) = stream.next_array().map_err(failed)? {
        chunks.grow(Chunk::of(array, &of).map_err(failed)?);
        object.py().check_signals()?;
    }
    let rows = |rows: usize, chunk: &Chunk| rows.checked_add(chunk.len());
    if chunks.iter().try_fold(0, rows).is_none() {
        return Err(failed("its chunks have more rows than memory has bytes".into()));
    }
    Ok((of, chunks))
}

/// Arrays of one type that follow each other.
struct Chunks<'a> {
    of: &'a Type,
    chunks: &'a [Chunk],
}

impl Chunks<'_> {
    fn rows(&self) -> usize {
        self.chunks.iter().map(Chunk::len).sum()
    }

    /// How many numbers take as long to read: a text takes as long as ten.
    fn work(&self) -> usize {
        let each = if matches!(self.of, Type::Text(_)) { gate::INDEX } else { 1 };
        self.rows().saturating_mul(each)
    }

    fn read(&self, argument: &'static str, what: What) -> Result<Read> {
        let rows = self.rows();
        let numbers = match self.of {
            Type::Null if what == What::Labels => {
                let (codes, labels) = (vec![MISSING; rows], Arc::default());
                return Ok(Read::Coded(CodedColumn {
                    codes: Arc::new(codes),
                    labels,
                    kind: LabelKind::Float,
                    bytes: false,
                }));
            }
            Type::Null => Numbers::own::<f64>(vec![f64::NAN; rows]),
            Type::Text(texts) if what == What::Labels => {
                let column = coded_texts(self.chunks, *texts, argument)?;
                return Ok(Read::Coded(column));
            }
            Type::Dictionary(keys, values) if what == What::Labels => {
                return self.dictionary(*keys, values, argument);
            }
            Type::Table(_) => {
                let expected = "one column: take it by its name, as table[name]";
                return Err(Refusal::argument(argument, self.of.name(), expected));
            }
            Type::Bool => self.bools(),
            Type::Number(dtype) => self.numbers(*dtype),
            Type::Decimal(bytes, scale) if what != What::Labels => {
                let mut values = with_room(self.rows());
                for chunk in self.chunks {
                    chunk.add_decimals_to(&mut values, *bytes, *scale);
                }
                Numbers::own::<f64>(values)
            }
            of => {
                let found = format!("an Arrow array of {}", of.name());
                return Err(refused_type(argument, found, what));
            }
        };
        finish(numbers, missing(self.chunks).as_deref(), argument, what)
    }

    /// The numbers or keys, whatever stands in the rows that are null.
    fn numbers(&self, dtype: Dtype) -> Numbers {
        let numbers = |chunk: &Chunk| {
            // SAFETY: so many numbers of that type lie in the memory of the array, by Arrow's
            // format; that there is such memory was checked as far as can be.
            unsafe { Numbers::of_arrow(dtype, chunk.first(dtype), chunk.len(), chunk.owner()) }
        };
        if let [chunk] = self.chunks {
            return numbers(chunk);
        }
        visit!(Dtype(dtype), |N| {
            let mut values = with_room(self.rows());
            for chunk in self.chunks {
                let part = numbers(chunk);
                values.grow_by(part.column::<N>().chunk(0..chunk.len(), &mut Vec::new()));
            }
            Numbers::own::<N>(values)
        })
    }

    fn bools(&self) -> Numbers {
        let mut values = with_room(self.rows());
        for chunk in self.chunks {
            chunk.add_bits_to(&mut values);
        }
        Numbers::own::<Truth>(values)
    }

    fn dictionary(&self, keys: Dtype, values: &Type, argument: &'static str) -> Result<Read> {
        let mut coder = Coder::new(argument);
        let mut codes = room(argument, self.rows())?;
        let mut kind = LabelKind::Bool;
        // The labels of a single chunk, which need not be coded again.
        let mut labels = None;
        for chunk in self.chunks {
            let Some(dictionary) = chunk.dictionary() else {
                continue; // each has one, as was checked
            };
            let values = Chunks { of: values, chunks: std::slice::from_ref(dictionary) };
            // The code of each value of this chunk's dictionary.
            let mut known = room(argument, values.rows())?;
            let of = match values.read(argument, What::Labels)? {
                Read::Coded(column) if self.chunks.len() == 1 => {
                    known = Arc::unwrap_or_clone(column.codes);
                    labels = Some(column.labels);
                    column.kind
                }
                Read::Coded(column) => {
                    for &code in &*column.codes {
                        let label = column.labels.get(code as usize);
                        known.grow(label.map_or(Ok(MISSING), |label| coder.label(label))?);
                    }
                    column.kind
                }
                Read::Numbers(numbers) => {
                    for row in 0..numbers.len() {
                        let label = numbers.label(argument, row)?;
                        known.grow(label.map_or(Ok(MISSING), |label| coder.label(&label))?);
                    }
                    numbers.kind()
                }
            };
            kind = kind.max(of);
            let own = Chunks { of: self.of, chunks: std::slice::from_ref(chunk) };
            let numbers = own.numbers(keys);
            visit!(Scores(numbers.scores()), |column, N| {
                for row in 0..column.len() {
                    let code = if chunk.is_null(row) {
                        MISSING
                    } else {
                        let key = N::read(column.get(row)).whole().unwrap_or(-1);
                        let code = usize::try_from(key).ok().and_then(|key| known.get(key));
                        *code.ok_or_else(|| {
                            let expected =
                                format!("below the {} values of its dictionary", known.len());
                            Refusal::row(argument, codes.len(), format!("the key {key}"), expected)
                        })?
                    };
                    codes.grow(code);
                }
            });
        }
        let mut column = coder.column(codes, kind);
        column.labels = labels.unwrap_or(column.labels);
        Ok(Read::Coded(column))
    }
}
