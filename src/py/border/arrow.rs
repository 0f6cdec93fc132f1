//! Arrow arrays and streams, through the Arrow `PyCapsule` protocol.
//!
//! 1. A single chunk of numbers without nulls is read where it lies. Several chunks are put
//!    together by copying.
//! 2. Bits become bytes.
//! 3. Texts are hashed to codes from their buffers.
//! 4. A dictionary's values are coded once, and its keys then become codes.
//!
//! Source: the Arrow C data and stream interfaces,
//! <https://arrow.apache.org/docs/format/CDataInterface.html>, and the capsules,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.
#![allow(unsafe_code)]

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayReader, ArrayRef, NullArray, make_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::base::dtype::{Class, Dtype, Number, Truth, visit};
use crate::base::error::{Refusal, Result};
use crate::base::input::{LabelKind, MISSING, Scores};
use crate::base::memory::{Gather, Room, with_room};
use crate::py::gate;

use crate::py::border::coder::{CodedColumn, Coder};
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
    gate::run(object.py(), chunks.rows(), || chunks.read(argument, what))
}

/// Arrays of one type that follow each other.
struct Chunks {
    dtype: DataType,
    arrays: Vec<ArrayRef>,
}

fn chunks<'py>(object: &Bound<'py, PyAny>, argument: &'static str) -> PyResult<Chunks> {
    let failed = |error: ArrowError| {
        PyErr::from(Refusal::Type {
            argument,
            value: format!("a {} that Arrow cannot import ({error})", type_name(object)),
            expected: "an array in the Arrow C data interface".into(),
        })
    };
    let no_capsule = || failed(ArrowError::CDataInterface("it gives no capsule".into()));
    let capsule =
        |object: Bound<'py, PyAny>| object.cast_into::<PyCapsule>().map_err(|_| no_capsule());
    if object.hasattr("__arrow_c_array__")? {
        let pair = object
            .call_method0("__arrow_c_array__")?
            .cast_into::<PyTuple>()
            .map_err(|_| no_capsule())?;
        let schema = capsule(pair.get_item(0)?)?;
        let array = capsule(pair.get_item(1)?)?;
        let schema = schema
            .pointer_checked(Some(c"arrow_schema"))?
            .cast::<FFI_ArrowSchema>();
        let array = array
            .pointer_checked(Some(c"arrow_array"))?
            .cast::<FFI_ArrowArray>();
        // SAFETY: capsules of these names hold these structures, by the protocol, and the capsules
        // are alive. Each structure is moved out, which leaves a released one behind, as the
        // protocol wants.
        let (schema, array) = unsafe {
            (
                FFI_ArrowSchema::from_raw(schema.as_ptr()),
                FFI_ArrowArray::from_raw(array.as_ptr()),
            )
        };
        if array.is_released() {
            return Err(failed(ArrowError::CDataInterface(
                "it was imported before".into(),
            )));
        }
        // SAFETY: an array and its schema, by the protocol.
        let array = make_array(unsafe { from_ffi(array, &schema) }.map_err(failed)?);
        return Ok(Chunks {
            dtype: array.data_type().clone(),
            arrays: vec![array],
        });
    }
    let stream = capsule(object.call_method0("__arrow_c_stream__")?)?;
    let stream = stream
        .pointer_checked(Some(c"arrow_array_stream"))?
        .cast::<FFI_ArrowArrayStream>();
    // SAFETY: as above.
    let reader = unsafe { ArrayStreamReader::from_raw(stream.as_ptr()) }.map_err(failed)?;
    let dtype = reader.field().data_type().clone();
    if matches!(dtype, DataType::Struct(_)) {
        // Its rows are not needed to refuse it.
        return Ok(Chunks {
            dtype,
            arrays: Vec::new(),
        });
    }
    let arrays = match reader.collect::<std::result::Result<_, _>>() {
        Ok(arrays) => arrays,
        // polars 1 and 2 give a column of nothing but nulls a buffer more than the interface has;
        // the importer minds.
        Err(_) if dtype == DataType::Null && object.hasattr("__len__")? => {
            vec![Arc::new(NullArray::new(object.len()?)) as ArrayRef]
        }
        Err(error) => return Err(failed(error)),
    };
    Ok(Chunks { dtype, arrays })
}

impl Chunks {
    fn rows(&self) -> usize {
        self.arrays.iter().map(Array::len).sum()
    }

    /// Which rows are null, if any is.
    fn missing(&self) -> Option<Vec<bool>> {
        let any = self.arrays.iter().any(|array| array.null_count() > 0);
        any.then(|| {
            let rows = self
                .arrays
                .iter()
                .flat_map(|array| (0..array.len()).map(move |row| array.is_null(row)));
            rows.gather()
        })
    }

    fn read(&self, argument: &'static str, what: What) -> Result<Read> {
        let numbers = match &self.dtype {
            DataType::Null if what == What::Labels => {
                let (codes, labels) = (vec![MISSING; self.rows()], Arc::default());
                return Ok(Read::Coded(CodedColumn {
                    codes: Arc::new(codes),
                    labels,
                    kind: LabelKind::Float,
                    bytes: false,
                }));
            }
            DataType::Null => Numbers::own::<f64>(vec![f64::NAN; self.rows()]),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View if what == What::Labels => {
                return self.texts(argument);
            }
            DataType::Dictionary(..) if what == What::Labels => return self.dictionary(argument),
            DataType::Struct(fields) => {
                let found = format!("a table of {} columns", fields.len());
                return Err(Refusal::argument(argument, found, "one column"));
            }
            dtype => self.numbers().ok_or_else(|| {
                refused_type(argument, format!("an Arrow array of {dtype}"), what)
            })?,
        };
        finish(numbers, self.missing().as_deref(), argument, what)
    }

    /// The numbers, whatever stands in the rows that are null; `None` if they are something else.
    fn numbers(&self) -> Option<Numbers> {
        let class = match &self.dtype {
            DataType::Boolean => return Some(self.bools()),
            dtype if dtype.is_signed_integer() => Class::Signed,
            dtype if dtype.is_unsigned_integer() => Class::Unsigned,
            dtype if dtype.is_floating() => Class::Float,
            _ => return None,
        };
        let dtype = Dtype::of(class, self.dtype.primitive_width()?)?;
        let numbers = |array: &ArrayRef| {
            let data = array.to_data();
            let first = data.buffers().first()?.as_ptr();
            let first = first.wrapping_add(data.offset() * dtype.size());
            // SAFETY: numbers of that type lie in the array's own first buffer, by Arrow's format.
            Some(unsafe { Numbers::of_arrow(dtype, first, array.len(), array.clone()) })
        };
        if let [array] = &self.arrays[..] {
            return numbers(array);
        }
        visit!(Dtype(dtype), |N| {
            let mut values = with_room(self.rows());
            for array in &self.arrays {
                let part = numbers(array)?;
                values.grow_by(part.column::<N>().chunk(0..array.len(), &mut Vec::new()));
            }
            Some(Numbers::own::<N>(values))
        })
    }

    fn bools(&self) -> Numbers {
        let mut values = with_room(self.rows());
        for array in &self.arrays {
            values.grow_with(array.as_boolean().values().iter().map(u8::from));
        }
        Numbers::own::<Truth>(values)
    }

    fn texts(&self, argument: &'static str) -> Result<Read> {
        let mut coder = Coder::new(argument);
        let mut codes = with_room(self.rows());
        for array in &self.arrays {
            let mut code = |text: Option<&str>| {
                codes.push(text.map_or(Ok(MISSING), |text| coder.text(text))?);
                Ok(())
            };
            match &self.dtype {
                DataType::Utf8 => array.as_string::<i32>().iter().try_for_each(&mut code)?,
                DataType::LargeUtf8 => array.as_string::<i64>().iter().try_for_each(&mut code)?,
                _ => array.as_string_view().iter().try_for_each(&mut code)?,
            }
        }
        Ok(Read::Coded(coder.column(codes, LabelKind::Text)))
    }

    fn dictionary(&self, argument: &'static str) -> Result<Read> {
        let mut coder = Coder::new(argument);
        let mut codes = with_room(self.rows());
        let mut kind = LabelKind::Bool;
        // The labels of a single chunk, which need not be coded again.
        let mut labels = None;
        for array in &self.arrays {
            let dictionary = array.as_any_dictionary();
            let values = dictionary.values().clone();
            let values = Self {
                dtype: values.data_type().clone(),
                arrays: vec![values],
            };
            // The code of each value of this chunk's dictionary.
            let mut known = with_room(values.rows());
            let of = match values.read(argument, What::Labels)? {
                Read::Coded(column) if self.arrays.len() == 1 => {
                    known = Arc::unwrap_or_clone(column.codes);
                    labels = Some(column.labels);
                    column.kind
                }
                Read::Coded(column) => {
                    for &code in &*column.codes {
                        let label = column.labels.get(code as usize);
                        known.push(label.map_or(Ok(MISSING), |label| coder.label(label))?);
                    }
                    column.kind
                }
                Read::Numbers(numbers) => {
                    for row in 0..numbers.len() {
                        let label = numbers.label(argument, row)?;
                        known.push(label.map_or(Ok(MISSING), |label| coder.label(&label))?);
                    }
                    numbers.kind()
                }
            };
            kind = kind.max(of);
            let keys = dictionary.keys();
            let numbers = Self {
                dtype: keys.data_type().clone(),
                arrays: vec![keys.slice(0, keys.len())],
            };
            let Some(numbers) = numbers.numbers() else {
                continue;
            };
            visit!(Scores(numbers.scores()), |column, N| {
                for row in 0..column.len() {
                    let key = N::read(column.get(row)).whole();
                    let code = key.and_then(|key| known.get(usize::try_from(key).ok()?));
                    let code = code.filter(|_| !keys.is_null(row));
                    codes.push(code.copied().unwrap_or(MISSING));
                }
            });
        }
        let mut column = coder.column(codes, kind);
        column.labels = labels.unwrap_or(column.labels);
        Ok(Read::Coded(column))
    }
}
