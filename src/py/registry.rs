//! The registry as Python sees it: rows as dictionaries, parameters from keyword arguments.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::Refusal;
use crate::index::{self, Better, CostMatrix, Index, Parameters, Value};

use super::argument::{self, Named};

/// A value as Python takes it: the number, and why it is undefined.
pub(super) type Answer = (f64, Option<&'static str>);

/// See [`Answer`].
pub(super) fn answer(value: Value) -> Answer {
    (value.number, value.why.map(index::Undefined::sentence))
}

/// The parameters of a row from keyword arguments.
pub(super) fn parameters(row: &Index, given: Option<&Bound<'_, PyDict>>) -> PyResult<Parameters> {
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        return Ok(Parameters::defaults(row));
    };
    let mut numbers = Vec::new();
    let mut matrix = None;
    for (name, value) in given {
        let name: String = name.extract()?;
        if name == "matrix" {
            matrix = Some(cost_matrix(&value, "matrix")?);
        } else {
            let known = row.parameters.iter().find(|known| known.name == name);
            let argument = known.map_or("parameter", |known| known.name); // an unknown one is refused below
            numbers.push((name, argument::number(&value, argument)?));
        }
    }
    let numbers: Vec<(&str, f64)> = numbers
        .iter()
        .map(|(name, x)| (name.as_str(), *x))
        .collect();
    Ok(Parameters::new(row, &numbers, matrix)?)
}

/// A matrix of costs from an array-like.
pub(super) fn cost_matrix(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<CostMatrix> {
    let refused = || {
        let expected = "a K by K matrix of finite costs, rows actual, columns predicted";
        Refusal::argument(argument, format!("a {}", value.get_type()), expected)
    };
    let array = value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value, "float64"));
    let array: PyReadonlyArray2<'_, f64> = array
        .and_then(|array| Ok(array.extract()?))
        .map_err(|_| refused())?;
    let costs = array.as_array();
    let classes = costs.nrows();
    Ok(CostMatrix::new(classes, costs.iter().copied().collect())?)
}

/// Every row, as the fields of `rocksteady.Index`.
#[pyfunction]
fn index_rows(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let of_family = |&(family, rows): &(&'static str, &'static [Index])| {
        rows.iter().map(move |row| (family, row))
    };
    index::FAMILIES
        .iter()
        .flat_map(of_family)
        .map(|(family, row)| {
            let fields = PyDict::new(py);
            fields.set_item("name", row.name)?;
            fields.set_item("family", family)?;
            fields.set_item("about", row.about)?;
            fields.set_item("aliases", PyTuple::new(py, row.aliases)?)?;
            fields.set_item("title", row.title)?;
            fields.set_item("formula", row.formula)?;
            fields.set_item("low", row.range.0)?;
            fields.set_item("high", row.range.1)?;
            fields.set_item(
                "better",
                match row.better {
                    Better::Higher => "higher",
                    Better::Lower => "lower",
                    Better::Neither => "neither",
                },
            )?;
            fields.set_item("undefined", row.undefined)?;
            let laws: Vec<String> = row.laws.iter().map(ToString::to_string).collect();
            fields.set_item("laws", PyTuple::new(py, laws)?)?;
            fields.set_item("source", row.source)?;
            let parameters: Vec<_> = row
                .parameters
                .iter()
                .map(|p| (p.name, p.default, p.domain.to_string(), p.about))
                .collect();
            fields.set_item("parameters", PyTuple::new(py, parameters)?)?;
            let forms = [
                ("counts", row.counts.is_some()),
                ("matrix", row.matrix.is_some()),
                ("class", row.class.is_some()),
                ("scores", row.sweep.is_some()),
                ("probabilities", row.probability.is_some()),
                ("score_tables", row.score_tables.is_some()),
            ];
            let forms: Vec<&str> = forms
                .into_iter()
                .filter(|form| form.1)
                .map(|f| f.0)
                .collect();
            fields.set_item("forms", PyTuple::new(py, forms)?)?;
            Ok(fields)
        })
        .collect()
}

/// The place of a row among `index_rows`, by its name or an alias.
#[pyfunction]
fn index_place(name: Named) -> usize {
    let Named(row) = name;
    index::all()
        .take_while(|other| other.name != row.name)
        .count()
}

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(index_rows, module)?)?;
    module.add_function(wrap_pyfunction!(index_place, module)?)
}
