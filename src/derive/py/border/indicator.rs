//! Arguments of zeros and ones, a row for each sample and a column for each label: dense, or
//! scipy's compressed rows.

use pyo3::prelude::*;

use crate::base::dtype::Number;
use crate::base::error::Refusal;
use crate::labels::indicator::{Indicator, Places, SparseRows};

use crate::py::argument::Text;
use crate::py::border::held::{HeldScores, read_numbers};
use crate::py::border::matrix::HeldMatrix;
use crate::py::border::numbers::Numbers;
use crate::py::border::what::What;
use crate::py::error::PyResult;

/// An indicator that came from Python, with the owners of its memory.
pub(crate) enum HeldIndicator {
    Dense(HeldMatrix),
    Sparse { starts: Numbers, columns: Numbers, values: HeldScores, shape: (usize, usize) },
}

impl HeldIndicator {
    /// Reads a matrix: whatever [`HeldMatrix`] takes, or a sparse array or matrix of scipy's in
    /// format "csr".
    ///
    /// # Errors
    /// As for [`HeldMatrix::take`]; fewer than two columns; another sparse format.
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        let sparse =
            crate::py::border::array::exactly(object).is_none() && object.hasattr("nnz")?;
        let held = if sparse {
            Self::compressed(object, argument)?
        } else {
            Self::Dense(HeldMatrix::take(object, argument)?)
        };
        let (_, columns) = held.lend().shape();
        if columns < 2 {
            let found = format!("a matrix of {columns} columns");
            let expected = "two columns or more, one for each label";
            return Err(Refusal::argument(argument, found, expected).into());
        }
        Ok(held)
    }

    fn compressed(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        let Text(format) = object.getattr("format")?.extract()?;
        if format != "csr" {
            let found = format!("a sparse matrix in format {format:?}");
            return Err(Refusal::argument(argument, found, "format \"csr\"").into());
        }
        let places = |name: &str| -> PyResult<Numbers> {
            let numbers = read_numbers(&object.getattr(name)?, argument, What::Scores)?;
            if [i32::DTYPE, i64::DTYPE].contains(&numbers.dtype()) {
                return Ok(numbers);
            }
            let found = format!("a sparse matrix with {name} of dtype {}", numbers.dtype().name());
            Err(Refusal::argument(argument, found, "int32 or int64").into())
        };
        Ok(Self::Sparse {
            starts: places("indptr")?,
            columns: places("indices")?,
            values: HeldScores::take(&object.getattr("data")?, argument)?,
            shape: object.getattr("shape")?.extract()?,
        })
    }

    /// Lends the matrix.
    pub(crate) fn lend(&self) -> Indicator<'_> {
        fn places(numbers: &Numbers) -> Places<'_> {
            if numbers.dtype() == i32::DTYPE {
                Places::Short(numbers.column::<i32>())
            } else {
                Places::Long(numbers.column::<i64>())
            }
        }
        match self {
            Self::Dense(matrix) => Indicator::Dense(matrix.lend()),
            Self::Sparse { starts, columns, values, shape } => Indicator::Sparse(SparseRows {
                starts: places(starts),
                columns: places(columns),
                values: values.lend(),
                shape: *shape,
            }),
        }
    }
}
