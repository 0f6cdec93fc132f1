//! Memory for large results.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PySlice};

use crate::base::error::Result;

use crate::py::error::PyResult;
use crate::py::gate;

/// An array of doubles.
pub(crate) type Array<'py> = Bound<'py, PyArray1<f64>>;

/// A page of the larger size that systems have.
const HUGE_PAGE: usize = 2 << 20;

/// From here on numpy asks the system for huge pages.
const LARGE: usize = 4 << 20;

/// Memory below this much is taken to be there.
const SMALL: usize = 64 << 10;

/// An array of zeros, to be written. Below 4 MiB its memory is Rust's, which keeps it when the
/// array is freed: twenty columns of 1e5 thresholds are then written in a seventh of the time. A
/// large array is a slice of a larger one, so that it lies in whole huge pages. Writing 1e6
/// numbers then takes half the time: most of the rest went into the small pages at both ends. What
/// is left of the larger array is address space only, since pages that are never touched take no
/// memory.
fn zeros(py: Python<'_>, len: usize) -> PyResult<Array<'_>> {
    const NUMBERS: usize = HUGE_PAGE / size_of::<f64>();
    if len < SMALL / size_of::<f64>() {
        return Ok(PyArray1::zeros(py, len, false));
    }
    if len < LARGE / size_of::<f64>() {
        return gate::keep(py, || Ok(PyArray1::from_vec(py, vec![0.0; len])));
    }
    let room = zeros_of_numpy(py, len + 2 * NUMBERS)?;
    let place = room.data().align_offset(HUGE_PAGE);
    if place > NUMBERS {
        return zeros_of_numpy(py, len); // an address that cannot be aligned
    }
    let part = PySlice::new(py, place as isize, (place + len) as isize, 1);
    let array = room.get_item(part)?.cast_into::<PyArray1<f64>>()?;
    debug_assert_eq!(array.len(), len);
    Ok(array)
}

/// An array of zeros, asked for by a call in Python, which raises `MemoryError` where the call in C
/// panics.
fn zeros_of_numpy(py: Python<'_>, len: usize) -> PyResult<Array<'_>> {
    static ZEROS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let zeros = ZEROS.import(py, "numpy", "zeros")?;
    Ok(zeros.call1((len,))?.cast_into::<PyArray1<f64>>()?)
}

/// `number` arrays of one length, which `work` writes with the interpreter released. A number takes
/// as long as `each` rows.
pub(crate) fn filled(
    py: Python<'_>,
    number: usize,
    len: usize,
    each: usize,
    work: impl Send + FnOnce(Vec<&mut [f64]>) -> Result<()>,
) -> PyResult<Vec<Array<'_>>> {
    let arrays = (0..number).map(|_| zeros(py, len)).collect::<PyResult<Vec<_>>>()?;
    let mut held =
        arrays.iter().map(|array| Ok(array.try_readwrite()?)).collect::<PyResult<Vec<_>>>()?;
    let columns =
        held.iter_mut().map(|array| Ok(array.as_slice_mut()?)).collect::<PyResult<Vec<_>>>()?;
    gate::run(py, (len * number).saturating_mul(each), || work(columns))?;
    drop(held);
    Ok(arrays)
}

/// [`filled`] for a number of arrays that is known at compile time.
pub(crate) fn written<const K: usize>(
    py: Python<'_>,
    len: usize,
    each: usize,
    work: impl Send + FnOnce([&mut [f64]; K]) -> Result<()>,
) -> PyResult<Vec<Array<'_>>> {
    filled(py, K, len, each, |columns| {
        let mut columns = columns.into_iter();
        work(std::array::from_fn(|_| columns.next().unwrap_or_default()))
    })
}

/// An array from `make`, which takes about as long as counting this many rows.
pub(crate) fn column<T: numpy::Element + Send>(
    py: Python<'_>,
    rows: usize,
    make: impl Send + FnOnce() -> Result<Vec<T>>,
) -> PyResult<Bound<'_, PyArray1<T>>> {
    Ok(PyArray1::from_vec(py, gate::run(py, rows, make)?))
}

/// What `write` gives of so many values, as Python's bytes.
pub(crate) fn bytes(
    py: Python<'_>,
    size: usize,
    write: impl Send + FnOnce() -> Vec<u8>,
) -> PyResult<Bound<'_, PyBytes>> {
    let bytes = gate::run(py, size, || Ok(write()))?;
    Ok(PyBytes::new_with(py, bytes.len(), |place| {
        place.copy_from_slice(&bytes);
        Ok(())
    })?)
}

/// Lists as arrays, without a copy.
pub(crate) fn arrays<const N: usize>(py: Python<'_>, lists: [Vec<f64>; N]) -> [Array<'_>; N] {
    lists.map(|list| PyArray1::from_vec(py, list))
}
