//! Memory for large results.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PySlice;

/// A page of the larger size that systems have.
const HUGE_PAGE: usize = 2 << 20;

/// From here on numpy asks the system for huge pages.
const LARGE: usize = 4 << 20;

/// An array of zeros, to be written. A large one is cut out of a larger one so that it lies in
/// whole huge pages: 1e6 numbers are then written in half the time, most of which would else go
/// into the small pages at both ends. What is left over is address space only: pages that nobody
/// touches do not exist.
pub(crate) fn zeros(py: Python<'_>, len: usize) -> PyResult<Bound<'_, PyArray1<f64>>> {
    const NUMBERS: usize = HUGE_PAGE / size_of::<f64>();
    if len < LARGE / size_of::<f64>() {
        return Ok(PyArray1::zeros(py, len, false));
    }
    let room = PyArray1::<f64>::zeros(py, len + 2 * NUMBERS, false);
    let place = room.data().align_offset(HUGE_PAGE);
    if place > NUMBERS {
        return Ok(PyArray1::zeros(py, len, false)); // an address that cannot be aligned
    }
    let part = PySlice::new(py, place as isize, (place + len) as isize, 1);
    let array = room.get_item(part)?.cast_into::<PyArray1<f64>>()?;
    debug_assert_eq!(array.len(), len);
    Ok(array)
}
