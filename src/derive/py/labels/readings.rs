//! Many statistics of a matrix in one call: names are looked up once, when the list is made, and
//! not at each matrix.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::base::error::{Refusal, Result};
use crate::base::memory::{Gather, Room, with_room};
use crate::base::wide::prefetch_read;
use crate::index::average;
use crate::index::average::How;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::scale::Scale;
use crate::index::spread::Method;
use crate::index::tables::Tables;
use crate::inference::interval::{Ask, Side};
use crate::labels::view::MatrixView;

use crate::py::argument::Text;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::parameters;
use crate::py::labels::confusion::ConfusionState;

/// A row of the registry with parameters.
type Row = (&'static Index, Parameters);

/// How a statistic is read; the places are those among the rows of [`Readings`].
enum Way {
    Whole(usize),
    /// The word for the value on a scale.
    Word(usize, Words),
    Pair(usize, usize),
    /// Of the classes that have a value.
    Average(Box<(Row, How<'static>)>),
    Interval(Box<(&'static Index, Ask)>),
    EachClass(usize),
    WordOfEachClass(usize, Words),
}

/// A list of statistics, each a row of the registry and how it is read from a matrix.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct Readings {
    named: Vec<(Py<PyString>, Way)>,
    /// The rows whose value of the whole matrix is wanted, each once.
    whole: Vec<Row>,
    /// The rows whose values of all classes are wanted, each once.
    each_class: Vec<Row>,
}

/// What is read without a class's values.
type Numbers = (f64, f64);

type Asked<'py> = (Py<PyString>, Named, Text, Bound<'py, PyDict>, Option<Text>);

#[pymethods]
impl Readings {
    /// From what it is called, the row's name, how it is read, parameters, and the scale, other row
    /// or method that goes with it; intervals are of this level.
    #[new]
    fn new(py: Python<'_>, asked: Vec<Asked<'_>>, level: f64) -> PyResult<Self> {
        let (mut whole, mut each_class) = (Vec::new(), Vec::new());
        let mut named = with_room(asked.len());
        for (name, Named(row), how, given, option) in asked {
            let option = option.as_deref();
            let own = (row, parameters(row, Some(&given))?);
            let way = match &*how {
                "whole" => Way::Whole(place(&mut whole, own)),
                "word" => {
                    let words = Words::of(py, row.scale(option)?);
                    Way::Word(place(&mut whole, own), words)
                }
                "pair" => {
                    let other = crate::index::find(option.unwrap_or_default())?;
                    let other = (other, Parameters::defaults(other));
                    Way::Pair(place(&mut whole, own), place(&mut whole, other))
                }
                "macro" => Way::Average(Box::new((own, How::Macro))),
                "micro" => Way::Average(Box::new((own, How::Micro))),
                "weighted" => Way::Average(Box::new((own, How::Weighted))),
                "interval" => {
                    let method = option.and_then(method_named);
                    Way::Interval(Box::new((row, Ask::new(level, method, Side::Both)?)))
                }
                "each class" => Way::EachClass(place(&mut each_class, own)),
                "word of each class" => {
                    let words = Words::of(py, row.scale(option)?);
                    Way::WordOfEachClass(place(&mut each_class, own), words)
                }
                _ => return Err(Refusal::argument("how", how.0, "a way to read a row").into()),
            };
            named.grow((name, way));
        }
        Ok(Self { named, whole, each_class })
    }

    /// The statistics of a matrix by name: floats, pairs of them, words or None, and for each class
    /// an array or a list.
    fn of<'py>(&self, py: Python<'py>, state: &ConfusionState) -> PyResult<Bound<'py, PyDict>> {
        self.bring_near();
        let view = state.view();
        let classes = view.classes();
        // They have their sums over the cells in common.
        let (numbers, columns) =
            gate::run(py, state.size(), || Ok((self.numbers(view)?, self.class_values(view)?)))?;
        let words: Vec<Option<Bound<'_, PyList>>> = self
            .named
            .iter()
            .map(|(_, way)| match way {
                Way::WordOfEachClass(place, words) => {
                    let values = &columns[place * classes..(place + 1) * classes];
                    words.list(py, values.iter().copied()).map(Some)
                }
                _ => Ok(None),
            })
            .gather_all()?;
        let columns = PyArray1::from_vec(py, columns).reshape([self.each_class.len(), classes])?;
        // No further than to the last: an array says by an exception that there is no more, which
        // costs as much as ten indices.
        let mut each = columns.try_iter()?;
        let mut columns = with_room(self.each_class.len());
        while columns.len() < self.each_class.len()
            && let Some(column) = each.next().transpose()?
        {
            columns.grow(column);
        }
        let found = PyDict::new(py);
        for (((name, way), numbers), words) in self.named.iter().zip(numbers).zip(words) {
            let object = match way {
                Way::Whole(_) | Way::Average(_) => numbers.0.into_bound_py_any(py)?,
                Way::Pair(..) | Way::Interval(_) => numbers.into_bound_py_any(py)?,
                Way::Word(_, words) => words.word(numbers.0).into_bound_py_any(py)?,
                Way::EachClass(place) => columns[*place].clone(),
                Way::WordOfEachClass(..) => words.into_bound_py_any(py)?,
            };
            found.set_item(name, object)?;
        }
        Ok(found)
    }
}

/// The place of a row among others, where it is put unless it is there.
fn place(rows: &mut Vec<Row>, row: Row) -> usize {
    let known = rows.iter().position(|known| *known == row);
    known.unwrap_or_else(|| {
        rows.grow(row);
        rows.len() - 1
    })
}

/// The method of an interval that has a name.
fn method_named(name: &str) -> Option<Method> {
    let found = Method::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, method)| *method)
}

impl Readings {
    /// Asks for all rows and names at once: between two calls they leave the caches, and one after
    /// the other they are waited for.
    fn bring_near(&self) {
        for (row, _) in &self.whole {
            prefetch_read(&raw const row.matrix);
        }
        for (row, _) in &self.each_class {
            prefetch_read(&raw const row.counts);
        }
        for (name, _) in &self.named {
            prefetch_read(name.as_ptr());
        }
    }

    /// One or two numbers for each statistic; NaN for a statistic of each class.
    fn numbers(&self, view: &MatrixView) -> Result<Vec<Numbers>> {
        let whole = self.whole.iter();
        let whole = whole.map(|(row, parameters)| Ok(row.of_matrix(view, parameters)?.number));
        let whole = whole.gather_all()?;
        let read = |way: &Way| {
            Ok(match way {
                Way::Whole(place) | Way::Word(place, _) => (whole[*place], f64::NAN),
                Way::Pair(one, other) => (whole[*one], whole[*other]),
                Way::Average(asked) => {
                    let ((row, parameters), how) = &**asked;
                    let mean = average(view, row, *how, f64::NAN, parameters)?;
                    (mean.number, f64::NAN)
                }
                Way::Interval(asked) => {
                    let (row, ask) = &**asked;
                    let interval =
                        row.interval_overall(view, None, &Parameters::defaults(row), ask)?;
                    (interval.low, interval.high)
                }
                Way::EachClass(_) | Way::WordOfEachClass(..) => (f64::NAN, f64::NAN),
            })
        };
        self.named.iter().map(|(_, way)| read(way)).gather_all()
    }

    /// A row for each index, a column for each class.
    fn class_values(&self, view: &MatrixView) -> Result<Vec<f64>> {
        let (classes, tables) = (view.classes(), Tables::new(&view.one_vs_rest));
        let mut values = vec![0.0; self.each_class.len() * classes];
        let rows = self.each_class.iter();
        for ((row, parameters), to) in rows.zip(values.chunks_mut(classes.max(1))) {
            row.fill_classes(view, tables, parameters, to)?;
        }
        Ok(values)
    }
}

/// The words of a scale, one string for each band, and where it begins.
pub(crate) struct Words(Vec<(f64, Py<PyString>)>);

impl Words {
    pub(crate) fn of(py: Python<'_>, scale: &Scale) -> Self {
        let bands = scale.bands.iter();
        let bands = bands.map(|&(edge, word)| (edge, PyString::new(py, word).unbind()));
        Self(bands.gather())
    }

    /// The word for a value.
    fn word(&self, value: f64) -> Option<&Py<PyString>> {
        let band = self.0.iter().rev().find(|band| value >= band.0);
        band.map(|band| &band.1)
    }

    /// The word for each value, or None.
    pub(crate) fn list<'py>(
        &self,
        py: Python<'py>,
        values: impl ExactSizeIterator<Item = f64>,
    ) -> PyResult<Bound<'py, PyList>> {
        Ok(PyList::new(py, values.map(|value| self.word(value)))?)
    }
}
