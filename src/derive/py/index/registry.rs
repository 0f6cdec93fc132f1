//! The registry as Python sees it: rows as dictionaries, parameters from keyword arguments.

use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping, PyString, PyTuple};

use crate::arith::fraction::Fraction;
use crate::base::cost_matrix::CostMatrix;
use crate::base::error::{Refusal, Result};
use crate::index;
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::{Better, Index};
use crate::index::spread::Method;
use crate::index::user::define::Definition;
use crate::index::value::Value;
use crate::inference::means::mean::OF_MEANS;

use crate::py::argument;
use crate::py::argument::Text;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;

/// The family of the rows that users define.
const DEFINED: &str = "defined";

/// A value as Python takes it: the number, and why it is undefined.
pub(crate) type Answer = (f64, Option<&'static str>);

/// See [`Answer`].
pub(crate) fn answer(value: Value) -> Answer {
    (value.number, value.why.map(index::Undefined::sentence))
}

/// The answer of `value`, which takes about as long as counting this many rows.
pub(crate) fn answered(
    py: Python<'_>,
    rows: usize,
    value: impl Send + FnOnce() -> Result<Value>,
) -> PyResult<Answer> {
    gate::run(py, rows, value).map(answer)
}

/// The parameters of a row from keyword arguments.
pub(crate) fn parameters(row: &Index, given: Option<&Bound<'_, PyDict>>) -> PyResult<Parameters> {
    let Some(given) = given.filter(|given| !given.is_empty()) else {
        return Ok(Parameters::defaults(row));
    };
    let mut numbers = Vec::new();
    let mut matrix = None;
    for (name, value) in given {
        let Text(name) = name.extract()?;
        if let Some(known) = row.parameters.iter().find(|known| known.name == name) {
            if known.domain.is_matrix() {
                matrix = Some(cost_matrix(&value, known.name)?);
            } else if let Domain::Word(words) = known.domain {
                let places: Vec<(&str, f64)> =
                    words.iter().zip(0_u8..).map(|(&word, place)| (word, place.into())).collect();
                numbers.push((name, argument::option(&value, known.name, &places)?));
            } else {
                numbers.push((name, argument::number(&value, known.name)?));
            }
        } else if name == COSTS && has_costs(row) {
            if let Some(both) = OUTCOMES.iter().find(|one| given.contains(**one).unwrap_or(false)) {
                let found = format!("given beside {both}");
                return Err(Refusal::argument(COSTS, found, "one of them").into());
            }
            if let Ok(costs) = value.cast::<PyMapping>() {
                numbers.extend(unit_costs(costs)?);
            } else {
                matrix = Some(cost_matrix(&value, COSTS)?);
            }
        } else {
            return Ok(Parameters::new(row, &[(&name, f64::NAN)], None)?); // which refuses the name
        }
    }
    let numbers: Vec<(&str, f64)> = numbers.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    Ok(Parameters::new(row, &numbers, matrix)?)
}

/// The argument that holds all costs at once: by outcome, or as a matrix.
const COSTS: &str = "costs";
/// The outcomes of two classes, and the matrix: the parameters of costs one by one.
const OUTCOMES: [&str; 5] = ["fp", "fn", "tp", "tn", "matrix"];

/// Whether the row is about costs.
fn has_costs(row: &Index) -> bool {
    let has = |name: &&str| row.parameters.iter().any(|known| known.name == *name);
    OUTCOMES.iter().all(has)
}

/// Costs by outcome, as `{"fp": 1, "fn": 5}`.
fn unit_costs(given: &Bound<'_, PyMapping>) -> PyResult<Vec<(String, f64)>> {
    let mut found = Vec::new();
    for pair in given.items()?.iter() {
        let (outcome, cost): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
        let name = outcome.extract::<Text>().map_or_else(|_| String::new(), |name| name.0);
        if !OUTCOMES[..4].contains(&name.as_str()) {
            let expected = "costs by \"tp\", \"fp\", \"fn\" and \"tn\"";
            return Err(argument::refused(COSTS, &outcome, expected));
        }
        found.push((name, argument::number(&cost, COSTS)?));
    }
    Ok(found)
}

/// A fraction as its numerator and denominator in hexadecimal digits.
pub(crate) fn digits(fraction: &Fraction) -> (String, String) {
    let Fraction { numerator, denominator } = fraction;
    (numerator.to_str_radix(16), denominator.to_str_radix(16))
}

/// The row that an argument names, with its parameters from keyword arguments.
pub(crate) fn asked<'a, 'py: 'a>(
    Named(row): Named,
    given: impl Into<Option<&'a Bound<'py, PyDict>>>,
) -> PyResult<(&'static Index, Parameters)> {
    Ok((row, parameters(row, given.into())?))
}

/// Refuses parameters that have a meaning for two classes only, of a row that takes no matrix of
/// costs instead.
pub(crate) fn check_two_classes(
    row: &Index,
    given: Option<&Bound<'_, PyDict>>,
    classes: usize,
) -> PyResult<()> {
    let known = row.parameters;
    let Some(given) = given.filter(|_| classes != 2) else {
        return Ok(());
    };
    if known.iter().any(|known| known.domain.is_matrix()) {
        return Ok(());
    }
    for of_two in known.iter().filter(|known| known.two_classes) {
        if given.contains(of_two.name)? {
            let others: Vec<&str> =
                known.iter().filter(|known| !known.two_classes).map(|known| known.name).collect();
            let others = match others.as_slice() {
                [] => "no parameters".to_owned(),
                others => format!("only {}", others.join(", ")),
            };
            let found = format!("given for {classes} classes");
            let expected = format!("two classes; with more, {:?} takes {others}", row.name);
            return Err(Refusal::argument(of_two.name, found, expected).into());
        }
    }
    Ok(())
}

/// A matrix of costs from an array-like.
pub(crate) fn cost_matrix(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<CostMatrix> {
    let refused = || {
        let expected = Domain::Costs.to_string();
        Refusal::argument(argument, format!("a {}", value.get_type()), expected)
    };
    let array = value.py().import("numpy")?.call_method1("asarray", (value, "float64"));
    let array: PyReadonlyArray2<'_, f64> =
        array.and_then(|array| Ok(array.extract()?)).map_err(|_| refused())?;
    let costs = array.as_array();
    let classes = costs.nrows();
    Ok(CostMatrix::new(classes, costs.iter().copied().collect())?)
}

/// Rows as the fields of `rocksteady.results.Index`: the built-in rows, or the rows that users
/// defined, or only the one with a name.
#[pyfunction]
pub(crate) fn index_rows(
    py: Python<'_>,
    defined: bool,
    name: Option<Named>,
) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let of_family = |&(family, rows): &(&'static str, &'static [&'static [Index]])| {
        rows.iter().copied().flatten().map(move |row| (family, row))
    };
    let built_in = index::FAMILIES.iter().filter(|_| !defined).flat_map(of_family);
    let of_users: Vec<&'static Index> = match name {
        Some(Named(row)) => vec![row],
        None => index::defined().filter(|_| defined).collect(),
    };
    built_in
        .chain(of_users.into_iter().map(|row| (DEFINED, row)))
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
            fields.set_item("when_undefined", row.when_undefined)?;
            let laws: Vec<String> = row.laws().map(|law| law.to_string()).collect();
            fields.set_item("laws", PyTuple::new(py, laws)?)?;
            fields.set_item("source", row.source)?;
            fields.set_item("column_error", row.column_error().to_string())?;
            let parameters: Vec<_> = row
                .parameters
                .iter()
                .map(|p| Ok((p.name, default(py, p)?, p.domain.to_string(), p.about)))
                .collect::<PyResult<_>>()?;
            fields.set_item("parameters", PyTuple::new(py, parameters)?)?;
            let scales: Vec<_> = row
                .scales
                .iter()
                .map(|scale| (scale.name, scale.bands, scale.source))
                .map(|(name, bands, source)| Ok((name, PyTuple::new(py, bands)?, source)))
                .collect::<PyResult<_>>()?;
            fields.set_item("scales", PyTuple::new(py, scales)?)?;
            let of_means = row.queries().into_iter().flat_map(|_| OF_MEANS.map(Method::name));
            let methods = row.methods().into_iter().map(Method::name).chain(of_means);
            fields.set_item("intervals", PyTuple::new(py, methods.collect::<Vec<_>>())?)?;
            let forms = [
                ("counts", row.counts.is_some()),
                ("matrix", row.matrix.is_some()),
                ("class", row.class.is_some()),
                ("scores", row.scores().is_some()),
                ("probabilities", row.probabilities().is_some()),
                ("score_tables", row.score_tables().is_some()),
                ("queries", row.queries().is_some()),
                ("costs", row.costs().is_some()),
            ];
            let forms: Vec<&str> = forms.into_iter().filter(|form| form.1).map(|f| f.0).collect();
            fields.set_item("forms", PyTuple::new(py, forms)?)?;
            Ok(fields)
        })
        .collect()
}

/// A parameter's default: a number, a word, or None.
fn default<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyAny>> {
    Ok(match (parameter.domain, parameter.default) {
        (Domain::Word(words), Some(place)) => {
            words.get(place as usize).into_pyobject(py)?.into_any()
        }
        (Domain::Flag, Some(number)) => PyBool::new(py, number > 0.0).to_owned().into_any(),
        (_, number) => number.into_pyobject(py)?.into_any(),
    })
}

/// The name of the row that has a name or alias.
#[pyfunction]
pub(crate) fn index_name(name: Named) -> &'static str {
    name.0.name
}

/// Whether lower values of an index are better.
#[pyfunction]
pub(crate) fn index_is_loss(name: Named) -> bool {
    name.0.better == Better::Lower
}

/// A number that changes whenever `index_rows` does.
#[pyfunction]
pub(crate) fn index_version() -> u64 {
    index::version()
}

/// Defines an index; its name.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn define_index(
    py: Python<'_>,
    name: &Bound<'_, PyAny>,
    expression: &Bound<'_, PyAny>,
    parameters: Option<&Bound<'_, PyAny>>,
    texts: (Option<Bound<'_, PyAny>>, Bound<'_, PyAny>, Bound<'_, PyAny>),
    better: &Bound<'_, PyAny>,
    ends: (Bound<'_, PyAny>, Bound<'_, PyAny>),
    aliases: &Bound<'_, PyAny>,
    replace: &Bound<'_, PyAny>,
) -> PyResult<&'static str> {
    let known =
        [("higher", Better::Higher), ("lower", Better::Lower), ("neither", Better::Neither)];
    let (title, about, source) = texts;
    let (low, high) = ends;
    let title = title.map(|title| argument::text(&title, "title"));
    let definition = Definition {
        name: argument::text(name, "name")?,
        expression: argument::text(expression, "expression")?,
        parameters: own_parameters(parameters)?,
        aliases: listed(aliases)?,
        title: title.transpose()?.unwrap_or_default(),
        about: argument::text(&about, "about")?,
        range: (argument::number(&low, "low")?, argument::number(&high, "high")?),
        better: argument::option(better, "better", &known)?,
        source: argument::text(&source, "source")?,
    };
    let replace = argument::flag(replace, "replace")?;
    gate::keep(py, || Ok(index::define(&definition, replace)?.name))
}

/// The parameters of a definition, from a dictionary of defaults.
fn own_parameters(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, f64)>> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let expected = "a dictionary of names and default numbers";
    let refused = || argument::refused("parameters", given, expected);
    let items = given.cast::<PyMapping>().map_err(|_| refused())?.items()?;
    items
        .iter()
        .map(|item| {
            let (name, default): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            let name = argument::text(&name, "parameters")?;
            Ok((name, argument::number(&default, "parameters")?))
        })
        .collect()
}

/// The most aliases of a definition, as [`index::define`] has it.
const MOST_ALIASES: usize = 100;

/// The aliases of a definition.
fn listed(given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let refused = || argument::refused("aliases", given, "a list or tuple of names");
    if given.is_instance_of::<PyString>() {
        return Err(refused());
    }
    // A range has any length, and no memory.
    if let Ok(names) = given.len()
        && names > MOST_ALIASES
    {
        let found = format!("a list of {names}");
        let expected = format!("at most {MOST_ALIASES} names");
        return Err(Refusal::argument("aliases", found, expected).into());
    }
    let names: Vec<Bound<'_, PyAny>> = given.extract().map_err(|_| refused())?;
    let text = |name: &Bound<'_, PyAny>| argument::text(name, "aliases");
    names.iter().map(text).collect()
}

/// Takes away an index that was defined.
#[pyfunction]
pub(crate) fn undefine_index(name: Named) -> PyResult<()> {
    Ok(index::undefine(name.0.name)?)
}
