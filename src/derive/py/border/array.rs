//! numpy arrays, read in place.
//!
//! The fields of the array object are read directly (address, shape, strides, dtype number):
//! numpy's own calls and the buffer protocol cost ten times as much, and a call on a thousand rows
//! should not notice its border. The array object is kept alive, and with it its memory. That does
//! not keep another thread from writing to it: see [`crate::base::column`].
#![allow(unsafe_code)]

use std::sync::Arc;

use numpy::npyffi::{NPY_TYPES, PyArrayObject, PyDataType_ELSIZE};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::base::dtype::{Class, Dtype, Number, Truth};
use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::py::error::PyResult;
use crate::py::gate;

use crate::base::coded::coder;
use crate::base::coded::coder::{Encoding, FixedWidth};
use crate::py::border::numbers::Numbers;
use crate::py::border::objects;
use crate::py::border::objects::Items;
use crate::py::border::read::{Read, finish};
use crate::py::border::text::unicode;
use crate::py::border::what::{What, refused_type, type_name};

/// numpy's sign of the byte order that is not the machine's.
pub(crate) const FOREIGN: u8 = if cfg!(target_endian = "little") { b'>' } else { b'<' };

/// numpy's number of the dtype `StringDType`, which came with numpy 2.
const VARIABLE_STRING: i32 = 2056;

/// The object as a numpy array, if it is one and not of a subclass: those (masked arrays) may mean
/// something else.
pub(crate) fn exactly<'a, 'py>(
    object: &'a Bound<'py, PyAny>,
) -> Option<&'a Bound<'py, PyUntypedArray>> {
    object.cast_exact::<PyUntypedArray>().ok()
}

/// Whether the object is an array, or a container with a dtype, of Python objects.
pub(crate) fn holds_objects(object: &Bound<'_, PyAny>) -> bool {
    if let Some(array) = exactly(object) {
        let array: *const PyArrayObject = array.as_array_ptr();
        // SAFETY: a live numpy array, which has a dtype, and the interpreter is held.
        return unsafe { (*(*array).descr).type_num } == NPY_TYPES::NPY_OBJECT as i32;
    }
    if object.is_exact_instance_of::<PyList>() || object.is_exact_instance_of::<PyTuple>() {
        return false;
    }
    let kind = object.getattr("dtype").and_then(|dtype| dtype.getattr("kind"));
    kind.is_ok_and(|kind| kind.eq("O").unwrap_or(false))
}

/// The object as a numpy array of any class.
pub(crate) fn any<'a, 'py>(
    object: &'a Bound<'py, PyAny>,
    argument: &'static str,
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    object.cast::<PyUntypedArray>().map_err(|_| {
        let name = type_name(object);
        refused_type(argument, format!("a {name}, which gives no numpy array"), What::Labels).into()
    })
}

/// The fields of a one-dimensional array.
struct Layout {
    first: *const u8,
    stride: isize,
    len: usize,
    number: i32,
    width: usize,
    swapped: bool,
}

/// Refuses all but one dimension.
fn layout(array: &Bound<'_, PyUntypedArray>, argument: &'static str) -> Result<Layout, Refusal> {
    let object: *const PyArrayObject = array.as_array_ptr();
    // SAFETY: `array` is a live numpy array, and the interpreter is held; a one-dimensional array
    // has one length and one stride, and every array has a dtype.
    unsafe {
        if (*object).nd != 1 {
            let shape = array.shape();
            let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
            let found = format!("an array of shape ({})", shape.join(", "));
            let expected = if shape.len() == 2 && shape[1] == "1" {
                "one dimension; values.ravel() has one"
            } else {
                "one dimension"
            };
            return Err(Refusal::argument(argument, found, expected));
        }
        let dtype = (*object).descr;
        let order = (*dtype).byteorder as u8;
        Ok(Layout {
            first: (*object).data.cast_const().cast(),
            stride: *(*object).strides,
            len: usize::try_from(*(*object).dimensions).unwrap_or(0),
            number: (*dtype).type_num,
            width: usize::try_from(PyDataType_ELSIZE(array.py(), dtype)).unwrap_or(0),
            swapped: order == FOREIGN,
        })
    }
}

/// The dtype of a number of numpy's; C's integer types have the width that they have on this
/// machine.
pub(crate) fn numeric(number: i32, width: usize) -> Option<Dtype> {
    const SIGNED: [NPY_TYPES; 5] = [
        NPY_TYPES::NPY_BYTE,
        NPY_TYPES::NPY_SHORT,
        NPY_TYPES::NPY_INT,
        NPY_TYPES::NPY_LONG,
        NPY_TYPES::NPY_LONGLONG,
    ];
    const UNSIGNED: [NPY_TYPES; 5] = [
        NPY_TYPES::NPY_UBYTE,
        NPY_TYPES::NPY_USHORT,
        NPY_TYPES::NPY_UINT,
        NPY_TYPES::NPY_ULONG,
        NPY_TYPES::NPY_ULONGLONG,
    ];
    const FLOATS: [NPY_TYPES; 3] =
        [NPY_TYPES::NPY_HALF, NPY_TYPES::NPY_FLOAT, NPY_TYPES::NPY_DOUBLE];
    let is = |kind: &NPY_TYPES| *kind as i32 == number;
    let class = if is(&NPY_TYPES::NPY_BOOL) {
        Class::Truth
    } else if SIGNED.iter().any(is) {
        Class::Signed
    } else if UNSIGNED.iter().any(is) {
        Class::Unsigned
    } else if FLOATS.iter().any(is) {
        Class::Float
    } else {
        return None;
    };
    Dtype::of(class, width)
}

/// The numbers of an array of one dimension, in place; `None` if it holds something else.
fn numbers(array: &Bound<'_, PyUntypedArray>, layout: &Layout) -> Option<Numbers> {
    let dtype = numeric(layout.number, layout.width)?;
    let Layout { first, stride, len, swapped, .. } = *layout;
    let object = array.clone().into_any().unbind();
    // SAFETY: numpy's own description of the memory, which lives as long as the array object.
    Some(unsafe { Numbers::of_python(dtype, first, stride, len, swapped, object) })
}

pub(crate) fn read(
    array: &Bound<'_, PyUntypedArray>,
    argument: &'static str,
    what: What,
) -> PyResult<Read> {
    let layout = layout(array, argument)?;
    if let Some(numbers) = numbers(array, &layout) {
        if what == What::Weights && numbers.dtype() != f64::DTYPE {
            let convert = || numbers.to_f64(argument, None);
            return gate::run(array.py(), layout.len, convert).map(Read::Numbers);
        }
        return Ok(Read::Numbers(numbers));
    }
    let is = |kind: NPY_TYPES| kind as i32 == layout.number;
    if is(NPY_TYPES::NPY_OBJECT) {
        return objects::read(&Items::Array(array), argument, what);
    }
    if what == What::Labels {
        if layout.number == VARIABLE_STRING {
            let objects =
                array.call_method1("astype", (numpy::PyArrayDescr::object(array.py()),))?;
            return objects::read(&Items::Array(any(&objects, argument)?), argument, what);
        }
        let encoding = match layout.swapped {
            _ if is(NPY_TYPES::NPY_STRING) => Some(Encoding::Bytes),
            false if is(NPY_TYPES::NPY_UNICODE) => Some(Encoding::Native),
            true if is(NPY_TYPES::NPY_UNICODE) => Some(Encoding::Swapped),
            _ => None,
        };
        if let Some(encoding) = encoding {
            let Layout { first, stride, len, width, .. } = layout;
            let strings = FixedWidth { first, stride, len, width, encoding };
            return gate::run(array.py(), len, || {
                // SAFETY: numpy's own description of the memory, and `array` keeps it alive during
                // this call.
                unsafe { coder::fixed_width(argument, &strings) }.map(Read::Coded)
            });
        }
    }
    if let Some(wide) = widened(array)? {
        return read(any(&wide, argument)?, argument, what);
    }
    let dtype = array.getattr("dtype")?;
    Err(refused_type(argument, format!("an array of dtype {dtype}"), what).into())
}

/// Brain floats, which numpy has by an extension, as `float32`, which holds them exactly.
pub(crate) fn widened<'py>(
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let name = array.getattr("dtype")?.getattr("name")?;
    if unicode(&name.str()?) != Some("bfloat16") {
        return Ok(None);
    }
    Ok(Some(array.call_method1("astype", ("float32",))?))
}

/// Reads an array with a mask beside it that is true where a value is missing.
pub(crate) fn read_masked(
    values: &Bound<'_, PyUntypedArray>,
    mask: &Bound<'_, PyUntypedArray>,
    argument: &'static str,
    what: What,
) -> PyResult<Read> {
    let missing = match numbers(mask, &layout(mask, argument)?) {
        Some(mask) if mask.dtype() == Truth::DTYPE => {
            let mask = mask.column::<Truth>();
            (0..mask.len()).map(|row| mask.get(row) != 0).gather()
        }
        _ => return Err(refused_type(argument, "masked by other than truth values", what).into()),
    };
    let layout = layout(values, argument)?;
    if missing.len() != layout.len {
        let found = format!("an array of {} rows with a mask of {}", layout.len, missing.len());
        return Err(Refusal::argument(argument, found, "as many").into());
    }
    if let Some(numbers) = numbers(values, &layout) {
        return Ok(finish(numbers, Some(&missing), argument, what)?);
    }
    match read(values, argument, what)? {
        Read::Coded(mut column) => {
            for (code, missing) in Arc::make_mut(&mut column.codes).iter_mut().zip(missing) {
                if missing {
                    *code = crate::base::input::MISSING;
                }
            }
            Ok(Read::Coded(column))
        }
        Read::Numbers(numbers) => Ok(finish(numbers, Some(&missing), argument, what)?),
    }
}
