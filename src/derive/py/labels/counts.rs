//! Arrays of two-by-two tables from Python, and indices over them.
use std::borrow::Cow;

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::base::threads::over_parts;
use crate::index;
use crate::labels::view::BinaryCounts;

use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{answer, asked, digits, parameters};
use crate::py::memory::{Array, written};

const NAMES: [&str; 4] = ["tp", "fp", "fn", "tn"];

/// Four arrays of one shape, `tp`, `fp`, `fn`, `tn`, as Python holds them.
pub(crate) type Four<'py> = (
    Bound<'py, PyArrayDyn<f64>>,
    Bound<'py, PyArrayDyn<f64>>,
    Bound<'py, PyArrayDyn<f64>>,
    Bound<'py, PyArrayDyn<f64>>,
);

/// Refuses counts that are negative or not finite.
#[pyfunction]
pub(crate) fn check_counts(arrays: Four<'_>) -> PyResult<()> {
    let held = Held::of(&arrays)?;
    for (argument, array) in NAMES.into_iter().zip(&held.columns().0) {
        over_parts(array.len(), |part| {
            for (place, &count) in part.clone().zip(&array[part]) {
                if !(0.0..f64::INFINITY).contains(&count) {
                    let expected = "a finite number that is not negative";
                    return Err(Refusal::row(argument, place, count, expected));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Four arrays that nobody writes to through numpy meanwhile.
pub(crate) struct Held<'py>([PyReadonlyArrayDyn<'py, f64>; 4]);

impl<'py> Held<'py> {
    pub(crate) fn of(arrays: &Four<'py>) -> PyResult<Self> {
        Ok(Self([
            arrays.0.try_readonly()?,
            arrays.1.try_readonly()?,
            arrays.2.try_readonly()?,
            arrays.3.try_readonly()?,
        ]))
    }

    /// The numbers in C order.
    pub(crate) fn columns(&self) -> Columns<'_> {
        Columns(self.0.each_ref().map(in_order))
    }
}

/// The columns tp, fp, fn and tn.
pub(crate) struct Columns<'a>([Cow<'a, [f64]>; 4]);

impl Columns<'_> {
    /// How many tables there are.
    pub(crate) fn len(&self) -> usize {
        self.0[0].len()
    }

    /// Writes the tables from a place on. Each number is read once: another thread may be writing
    /// to the arrays.
    pub(crate) fn read(&self, start: usize, to: &mut [BinaryCounts]) {
        let [tp, fp, fn_, tn] = self.0.each_ref().map(|column| &column[start..]);
        let amounts = tp.iter().zip(fp).zip(fn_.iter().zip(tn));
        for (table, ((&tp, &fp), (&fn_, &tn))) in to.iter_mut().zip(amounts) {
            *table = BinaryCounts { tp, fp, fn_, tn };
        }
    }
}

/// The tables of four arrays, in C order, copied.
pub(crate) fn tables(arrays: &Four<'_>) -> PyResult<Vec<BinaryCounts>> {
    let held = Held::of(arrays)?;
    let columns = held.columns();
    let mut tables = vec![BinaryCounts::default(); columns.len()];
    columns.read(0, &mut tables);
    Ok(tables)
}

/// Tables as arrays: tp, fp, fn and tn.
pub(crate) fn columns(
    py: Python<'_>,
    len: usize,
    tables: impl Send + Iterator<Item = BinaryCounts>,
) -> PyResult<Vec<Array<'_>>> {
    written(py, len, 1, |[tp, fp, fn_, tn]| {
        let columns = tp.iter_mut().zip(fp).zip(fn_.iter_mut().zip(tn));
        for (((tp, fp), (fn_, tn)), table) in columns.zip(tables) {
            (*tp, *fp, *fn_, *tn) = (table.tp, table.fp, table.fn_, table.tn);
        }
        Ok(())
    })
}

/// The numbers in C order; an array that holds them otherwise is copied.
fn in_order<'a>(array: &'a PyReadonlyArrayDyn<'_, f64>) -> Cow<'a, [f64]> {
    // Of numpy's flags, `as_slice` asks for either order; one dimension has only one.
    match array.as_slice() {
        Ok(numbers) if array.is_c_contiguous() => Cow::Borrowed(numbers),
        _ => Cow::Owned(array.as_array().iter().copied().gather()),
    }
}

/// An index at every place.
#[pyfunction]
pub(crate) fn evaluate_counts<'py>(
    py: Python<'py>,
    arrays: Four<'py>,
    name: Named,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let Named(row) = name;
    let parameters = parameters(row, Some(given))?;
    let held = Held::of(&arrays)?;
    let columns = held.columns();
    if arrays.0.ndim() == 0 {
        let mut counts = [BinaryCounts::default()];
        columns.read(0, &mut counts);
        let value = gate::run(py, 1, || row.of_counts(&counts[0], &parameters))?;
        let number = PyArray1::from_slice(py, &[value.number]);
        return Ok(number.call_method1("reshape", (PyTuple::empty(py),))?);
    }
    let wanted = [(row, parameters)];
    let flat = written(py, columns.len(), gate::INDEX, |[column]| {
        let read = |start: usize, tables: &mut [BinaryCounts]| columns.read(start, tables);
        index::fill_each(&wanted, &mut [column], read)
    })?;
    Ok(flat[0].call_method1("reshape", (arrays.0.getattr("shape")?,))?)
}

/// An index at every place as a fraction.
#[pyfunction]
pub(crate) fn exact_counts(
    py: Python<'_>,
    arrays: Four<'_>,
    name: Named,
    given: &Bound<'_, PyDict>,
) -> PyResult<Vec<(String, String)>> {
    let (row, parameters) = asked(name, given)?;
    let tables = tables(&arrays)?;
    gate::run(py, tables.len().saturating_mul(gate::INTERVAL), || {
        let fractions = tables.iter().map(|counts| {
            let found = row.fraction_of_counts(counts, &parameters)?;
            Ok(digits(&found))
        });
        fractions.gather_all()
    })
}

/// Why an index is undefined at the first place where it is.
#[pyfunction]
pub(crate) fn why_counts(
    py: Python<'_>,
    arrays: Four<'_>,
    name: Named,
    given: &Bound<'_, PyDict>,
) -> PyResult<Option<&'static str>> {
    let (row, parameters) = asked(name, given)?;
    let tables = tables(&arrays)?;
    gate::run(py, tables.len().saturating_mul(gate::INDEX), || {
        let mut why = None;
        row.of_each(tables.into_iter(), &parameters, |value| {
            why = why.or(answer(value).1);
        })?;
        Ok(why)
    })
}
