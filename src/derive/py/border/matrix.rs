//! Arguments of two dimensions: matrices of numbers, a row for each sample.
//!
//! A numpy array is read where it lies, whatever its strides. Any other container is made one in
//! `base/containers.py`, which copies where it must.
#![allow(unsafe_code)]

use numpy::npyffi::{PyArrayObject, PyDataType_ELSIZE};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::base::dtype::{Dtype, Number, visit};
use crate::base::error::Refusal;
use crate::base::input::ScoreMatrix;
use crate::base::matrix::Matrix;

use crate::py::border::array;
use crate::py::error::PyResult;

/// A matrix of numbers that came from Python, with the owner of its memory.
pub(crate) struct HeldMatrix {
    dtype: Dtype,
    first: *const u8,
    strides: (isize, isize),
    shape: (usize, usize),
    swapped: bool,
    _object: Py<PyAny>,
}

// SAFETY: the pointer is only read, and what it points to is kept alive by the object, which is
// itself `Send` and `Sync`.
unsafe impl Send for HeldMatrix {}
// SAFETY: as above.
unsafe impl Sync for HeldMatrix {}

impl HeldMatrix {
    /// Whether the object is a numpy array of two dimensions.
    pub(crate) fn is_matrix(object: &Bound<'_, PyAny>) -> bool {
        array::exactly(object).is_some_and(|array| array.ndim() == 2)
    }

    /// Reads an array-like of two dimensions, in the type that it has.
    ///
    /// # Errors
    /// `InputTypeError` for anything but numbers, `InputError` for another number of dimensions.
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        static OPENED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        if let Some(array) = array::exactly(object) {
            return Self::of_array(array, argument);
        }
        let opened = OPENED
            .import(object.py(), "rocksteady.base.containers", "opened_matrix")?
            .call1((object, argument))?;
        Self::of_array(array::any(&opened, argument)?, argument)
    }

    fn of_array(array: &Bound<'_, PyUntypedArray>, argument: &'static str) -> PyResult<Self> {
        let object: *const PyArrayObject = array.as_array_ptr();
        let shape = array.shape();
        let (&[rows, columns], &[row_stride, column_stride]) = (shape, array.strides()) else {
            let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
            let found = format!("an array of shape ({})", shape.join(", "));
            return Err(Refusal::argument(argument, found, "two dimensions").into());
        };
        // SAFETY: `array` is a live numpy array, which has a dtype, and the interpreter is held.
        let (number, width, order) = unsafe {
            let dtype = (*object).descr;
            let width = usize::try_from(PyDataType_ELSIZE(array.py(), dtype)).unwrap_or(0);
            ((*dtype).type_num, width, (*dtype).byteorder as u8)
        };
        let Some(dtype) = array::numeric(number, width) else {
            if let Some(wide) = array::widened(array)? {
                return Self::of_array(array::any(&wide, argument)?, argument);
            }
            return Err(Refusal::Type {
                argument,
                value: format!("an array of dtype {}", array.getattr("dtype")?),
                expected: "a matrix of real numbers of at most 64 bits".into(),
            }
            .into());
        };
        Ok(Self {
            dtype,
            // SAFETY: as above.
            first: unsafe { (*object).data }.cast_const().cast(),
            strides: (row_stride, column_stride),
            shape: (rows, columns),
            swapped: order == array::FOREIGN,
            _object: array.clone().into_any().unbind(),
        })
    }

    /// The typed matrix.
    fn matrix<N: Number>(&self) -> Matrix<'_, N::Raw> {
        assert!(
            N::DTYPE == self.dtype,
            "a matrix of {} asked for as {}",
            self.dtype.name(),
            N::DTYPE.name()
        );
        // SAFETY: the type is right, as just checked; numpy's own description of the memory, which
        // lives as long as the array object, and the matrix borrows `self`.
        unsafe { Matrix::from_raw_parts(self.first, self.strides, self.shape, self.swapped) }
    }

    /// Lends the numbers.
    pub(crate) fn lend(&self) -> ScoreMatrix<'_> {
        visit!(Dtype(self.dtype), |N| N::matrix(self.matrix::<N>()))
    }

    /// The name of the dtype, as numpy has it.
    pub(crate) fn dtype_name(&self) -> &'static str {
        self.dtype.name()
    }
}
