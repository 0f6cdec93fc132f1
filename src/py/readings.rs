//! Many statistics of a matrix in one call: names are looked up once, when the list is made, and not at each matrix.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::error::{Refusal, Result};
use crate::index::{How, Index, Parameters, Scale, Tables, average};
use crate::interval::{Ask, Method, Side};
use crate::stat::MatrixView;

use super::argument::Named;
use super::confusion::ConfusionState;
use super::gate;
use super::registry::parameters;

/// How a statistic is read from the matrix.
enum Way {
    Whole,
    /// Of the classes that have a value.
    Average(How<'static>),
    /// The word for the value on a scale.
    Word(&'static Scale),
    /// The values of two rows.
    Pair(&'static Index),
    Interval(Ask),
    EachClass,
    WordOfEachClass(&'static Scale),
}

/// A row of the registry, how it is read, and what that is called.
struct Reading {
    name: Py<PyString>,
    row: &'static Index,
    parameters: Parameters,
    way: Way,
}

/// What is read; the classes' values are in columns of their own.
enum Found {
    Number(f64),
    Two(f64, f64),
    Word(Option<&'static str>),
    /// The place of the values.
    Column(usize),
    Words(usize, &'static Scale),
}

/// A list of statistics, each a row of the registry and how it is read from a matrix.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(super) struct Readings {
    all: Vec<Reading>,
    /// The rows of which the values of all classes are wanted, each once, and their parameters.
    columns: Vec<(&'static Index, Parameters)>,
}

type Asked<'py> = (
    Py<PyString>,
    Named,
    String,
    Bound<'py, PyDict>,
    Option<String>,
);

#[pymethods]
impl Readings {
    /// From what it is called, the row's name, how it is read, parameters, and the scale, other row or method that goes with it;
    /// intervals are of this level.
    #[new]
    fn new(asked: Vec<Asked<'_>>, level: f64) -> PyResult<Self> {
        let mut all = Vec::with_capacity(asked.len());
        let mut columns: Vec<(&'static Index, Parameters)> = Vec::new();
        for (name, Named(row), how, given, option) in asked {
            let option = option.as_deref();
            let way = match how.as_str() {
                "whole" => Way::Whole,
                "macro" => Way::Average(How::Macro),
                "micro" => Way::Average(How::Micro),
                "weighted" => Way::Average(How::Weighted),
                "word" => Way::Word(row.scale(option)?),
                "pair" => Way::Pair(crate::index::find(option.unwrap_or_default())?),
                "interval" => Way::Interval(Ask::new(level, option.and_then(method_named), Side::Both)?),
                "each class" => Way::EachClass,
                "word of each class" => Way::WordOfEachClass(row.scale(option)?),
                _ => return Err(Refusal::argument("how", how, "a way to read a row").into()),
            };
            let parameters = parameters(row, Some(&given))?;
            if matches!(way, Way::EachClass | Way::WordOfEachClass(_))
                && !columns.iter().any(|(known, _)| *known == row)
            {
                columns.push((row, parameters.clone()));
            }
            all.push(Reading {
                name,
                row,
                parameters,
                way,
            });
        }
        Ok(Self { all, columns })
    }

    /// The statistics of a matrix by name: floats, pairs of them, words or None, and for each class an array or a list.
    fn of<'py>(&self, py: Python<'py>, state: &ConfusionState) -> PyResult<Bound<'py, PyDict>> {
        let view = state.view();
        let size = state.size().saturating_mul(self.all.len());
        let (found, columns) = gate::run(py, size, || {
            let found = self.all.iter().map(|reading| self.read(reading, view));
            Ok((found.collect::<Result<Vec<_>>>()?, self.class_values(view)?))
        })?;
        let arrays = columns.into_iter();
        let arrays: Vec<_> = arrays.map(|column| PyArray1::from_vec(py, column)).collect();
        let named = PyDict::new(py);
        for (reading, found) in self.all.iter().zip(found) {
            let object = match found {
                Found::Number(number) => number.into_bound_py_any(py)?,
                Found::Two(one, other) => (one, other).into_bound_py_any(py)?,
                Found::Word(word) => word.into_bound_py_any(py)?,
                Found::Column(place) => arrays[place].clone().into_any(),
                Found::Words(place, scale) => {
                    let values = arrays[place].try_readonly()?;
                    words(py, scale, values.as_array().iter().copied())?.into_any()
                }
            };
            named.set_item(&reading.name, object)?;
        }
        Ok(named)
    }
}

/// The method of an interval that has a name.
fn method_named(name: &str) -> Option<Method> {
    let found = Method::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, method)| *method)
}

impl Readings {
    fn read(&self, reading: &Reading, view: &MatrixView) -> Result<Found> {
        let (row, parameters) = (reading.row, &reading.parameters);
        let column = || {
            let place = self.columns.iter().position(|(known, _)| *known == row);
            place.unwrap_or_default()
        };
        Ok(match reading.way {
            Way::Whole => Found::Number(row.of_matrix(view, parameters)?.number),
            Way::Average(how) => {
                Found::Number(average(view, row, how, f64::NAN, parameters)?.number)
            }
            Way::Word(scale) => Found::Word(scale.word(row.of_matrix(view, parameters)?.number)),
            Way::Pair(other) => Found::Two(
                row.of_matrix(view, parameters)?.number,
                other.of_matrix(view, &Parameters::defaults(other))?.number,
            ),
            Way::Interval(ask) => {
                let interval = row.interval_overall(view, None, &ask)?;
                Found::Two(interval.low, interval.high)
            }
            Way::EachClass => Found::Column(column()),
            Way::WordOfEachClass(scale) => Found::Words(column(), scale),
        })
    }

    fn class_values(&self, view: &MatrixView) -> Result<Vec<Vec<f64>>> {
        let tables = Tables::new(&view.one_vs_rest);
        let each = self.columns.iter().map(|(row, parameters)| {
            let mut column = vec![0.0; view.classes()];
            row.fill_classes(view, tables, parameters, &mut column)?;
            Ok(column)
        });
        each.collect()
    }
}

/// The word for each value on a scale, or None: one string for each band.
pub(super) fn words<'py>(
    py: Python<'py>,
    scale: &Scale,
    values: impl ExactSizeIterator<Item = f64>,
) -> PyResult<Bound<'py, PyList>> {
    let bands = scale.bands.iter();
    let bands: Vec<_> = bands
        .map(|&(edge, word)| (edge, PyString::new(py, word)))
        .collect();
    let word = |value: f64| {
        let band = bands.iter().rev().find(|band| value >= band.0);
        band.map(|band| &band.1)
    };
    PyList::new(py, values.map(word))
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Readings>()
}
