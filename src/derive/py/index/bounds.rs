//! Proven bounds of indices over a box of 2×2 tables, for Python.
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::base::memory::Gather;
use crate::bounds::{Bounds, CellBoxes, CountsBox, NoBounds};

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Expressed;
use crate::py::index::registry::parameters;
use crate::py::memory::Array;
use crate::py::scores::score_sketch::SketchState;

/// Both ends of tp and of fp, and the sizes of the classes.
type Ends<T> = ([T; 2], [T; 2], T, T);

/// Both ends of tp and of fp, the sizes of the classes, and fn and tn at each end.
type Sums = ([f64; 2], [f64; 2], f64, f64, [f64; 2], [f64; 2]);

/// Low, high, the value if it is known, whether there may be none, why there are no bounds.
type Found = (f64, f64, Option<f64>, bool, Option<&'static str>);

/// A box, of whole numbers or of weights.
#[derive(FromPyObject)]
pub(crate) enum Given {
    Whole(Ends<u64>),
    Weights(Ends<f64>),
    Sums(Sums),
}

impl Given {
    pub(crate) fn tables(self) -> PyResult<CountsBox> {
        Ok(match self {
            Self::Whole((tp, fp, positives, negatives)) => {
                CountsBox::of_counts(tp, fp, positives, negatives)?
            }
            Self::Weights((tp, fp, positives, negatives)) => {
                CountsBox::of_weights(tp, fp, positives, negatives)?
            }
            Self::Sums((tp, fp, positives, negatives, fn_, tn)) => {
                CountsBox::of_sums([tp, fp, fn_, tn], positives, negatives)?
            }
        })
    }
}

fn found(bounds: Bounds) -> Found {
    let Bounds { low, high, value, may_be_undefined, why } = bounds;
    (low, high, value, may_be_undefined, why.map(NoBounds::sentence))
}

/// Refuses a box that is none.
#[pyfunction]
pub(crate) fn check_box(given: Given) -> PyResult<()> {
    given.tables().map(|_| ())
}

/// The bounds of some indices over a box; with `is_transposed` over its transposed tables.
#[pyfunction]
pub(crate) fn bounds_of_box(
    py: Python<'_>,
    given: Given,
    names: Vec<Expressed>,
    chosen: Option<&Bound<'_, PyDict>>,
    is_transposed: bool,
) -> PyResult<Vec<Found>> {
    let tables = given.tables()?;
    let wanted: Vec<_> = names
        .into_iter()
        .map(|Expressed(row)| Ok((row, parameters(row, chosen)?)))
        .collect::<PyResult<_>>()?;
    // A hard search takes as long as counting some 10,000 rows.
    let found = gate::run(py, wanted.len().saturating_mul(10_000), || {
        let each = wanted.iter();
        let bounds =
            if is_transposed { CountsBox::bounds_of_transposed } else { CountsBox::bounds };
        each.map(|(row, parameters)| bounds(&tables, row, parameters)).gather_all()
    })?;
    Ok(found.into_iter().map(self::found).gather())
}

/// Indices along the cells of a sketch: for each the values at the edges of the cells, from no row
/// predicted positive on, and the bounds within each cell.
#[pyfunction]
pub(crate) fn bands_of_sketch<'py>(
    py: Python<'py>,
    state: &SketchState,
    names: Vec<Expressed>,
) -> PyResult<Vec<[Array<'py>; 3]>> {
    let wanted: Vec<_> = names
        .into_iter()
        .map(|Expressed(row)| Ok((row, parameters(row, None)?)))
        .collect::<PyResult<_>>()?;
    let work = wanted.len().saturating_mul(state.sketch().len()).saturating_mul(100);
    let bands = gate::run(py, work, || {
        let boxes = CellBoxes::of(state.known());
        let each = wanted.iter();
        each.map(|(row, parameters)| boxes.band(row, parameters)).gather_all()
    })?;
    let arrays = bands
        .into_iter()
        .map(|band| [band.edges, band.low, band.high].map(|column| PyArray1::from_vec(py, column)));
    Ok(arrays.collect())
}
