//! Rankings by query as Python holds them.
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::base::error::Refusal;
use crate::base::memory::Gather;
use crate::index::form::QueryForm;
use crate::index::parameter::Parameters;
use crate::index::queries::{QueryMean, find_for_queries, mean_of_queries, values_of_queries};
use crate::index::row::Index;
use crate::inference::means::mean::Mean;
use crate::inference::means::paired::{self, differences_of_queries};
use crate::queries::list::Relevant;
use crate::queries::lists::{NoScore, Rows};
use crate::queries::row::Ties;
use crate::queries::statistic::Queries;
use crate::row_keys::column::KeyColumn;

use crate::py::border::{HeldLabels, HeldScores, HeldWeights};
use crate::py::error::PyResult;
use crate::py::index::registry::{Answer, answer, parameters};
use crate::py::inference::interval::{Found, Wanted, ask, found};
use crate::py::inference::interval::{Told, told};
use crate::py::row_keys::keys::{GroupedState, columns, names};
use crate::py::statistic::statistic;
use crate::py::{argument, gate, memory};

const NO_SCORE: [(&str, NoScore); 2] =
    [("raise", NoScore::Refused), ("not_retrieved", NoScore::NotRetrieved)];

/// Rows, relevant rows and weight of each query.
type Sizes<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, memory::Array<'py>);

/// Rankings by query.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct QueriesState {
    queries: Queries,
}

/// An index of queries with its parameters.
struct Asked {
    row: &'static Index,
    form: QueryForm,
    parameters: Parameters,
    /// The value of queries that have none; NaN if they are left out.
    empty: f64,
}

impl Asked {
    fn new(
        name: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
        empty: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if !name.is_instance_of::<PyString>() {
            let expected = "the name of an index, such as \"ndcg\"";
            return Err(argument::refused("name", name, expected));
        }
        let text = argument::text(name, "name")?;
        let (name, k) = cutoff_in(&text);
        let (row, form) = find_for_queries(name)?;
        // None is the default of a parameter.
        let chosen = PyDict::new(given.py());
        for (name, value) in given {
            if !value.is_none() {
                chosen.set_item(name, value)?;
            }
        }
        let given = chosen;
        match k {
            None => {}
            Some(_) if given.contains("k")? => {
                let expected = format!("no k beside {text:?}, which has one");
                return Err(Refusal::argument("k", "given", expected).into());
            }
            Some(k) => given.set_item("k", k)?,
        }
        let empty = match empty {
            None => f64::NAN,
            Some(number) => {
                let number = argument::number(number, "empty")?;
                if !number.is_finite() {
                    let expected = "a finite number, or None to leave such queries out";
                    return Err(Refusal::argument("empty", number, expected).into());
                }
                number
            }
        };
        Ok(Self { row, form, parameters: parameters(row, Some(&given))?, empty })
    }
}

/// A name and its cutoff: "ndcg@10" is ndcg with k = 10.
fn cutoff_in(text: &str) -> (&str, Option<u64>) {
    match text.rsplit_once('@') {
        Some((name, k)) if !name.is_empty() && k.bytes().all(|digit| digit.is_ascii_digit()) => {
            k.parse().map_or((text, None), |k| (name, Some(k)))
        }
        _ => (text, None),
    }
}

/// The number of queries by the reason why they have no value.
type Excluded = Vec<(&'static str, usize)>;

statistic!(QueriesState: Queries, queries => Self { queries }, own => &own.queries; own.queries.lists => subtracted len);

#[pymethods]
impl QueriesState {
    /// Ranks the rows of each query.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn rank(
        py: Python<'_>,
        relevance: &Bound<'_, PyAny>,
        y_score: &Bound<'_, PyAny>,
        grouped: &GroupedState,
        query_weight: Option<&Bound<'_, PyAny>>,
        document: Option<&Bound<'_, PyAny>>,
        ties: &Bound<'_, PyAny>,
        nan_policy: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let ties = argument::option(ties, "ties", &Ties::ALL)?;
        let no_score = argument::option(nan_policy, "nan_policy", &NO_SCORE)?;
        let relevance = HeldScores::take(relevance, "relevance")?;
        let scores = HeldScores::take(y_score, "y_score")?;
        let weights = HeldWeights::take(query_weight, "query_weight")?;
        let documents = document.map(|document| HeldLabels::take(document, "document"));
        let documents = documents.transpose()?;
        let labels = documents.as_ref().map(HeldLabels::lend);
        let (relevance, scores) = (relevance.lend(), scores.lend());
        let columns =
            Rows { relevance, scores, queries: &[], weights: weights.lend(), documents: None };
        let queries = gate::run(py, scores.len(), || {
            let documents = labels.map(|labels| KeyColumn::new(&labels, "document"));
            let documents = documents.transpose()?;
            let grouped = &grouped.grouped;
            Queries::new(columns, grouped, documents.as_ref(), ties, no_score)
        })?;
        Ok(Self { queries })
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.queries.lists.rows()
    }

    /// How ties are broken.
    #[getter]
    fn ties(&self) -> &'static str {
        self.queries.lists.ties().name()
    }

    /// Whether queries have weights.
    #[getter]
    fn weighted(&self) -> bool {
        self.queries.lists.is_weighted()
    }

    /// The names of the columns of keys.
    fn names(&self) -> Vec<String> {
        names(&self.queries.keys)
    }

    /// The columns of keys: for each its kind and its values, a row for each query.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        columns(py, &self.queries.keys)
    }

    /// The numbers of rows and of relevant rows of each query, and what it weighs.
    fn sizes<'py>(&self, py: Python<'py>, min_relevance: Option<f64>) -> PyResult<Sizes<'py>> {
        let lists = &self.queries.lists;
        let least = Relevant::from(min_relevance.unwrap_or(f64::NAN));
        let (rows, relevant, weights) = gate::run(py, lists.rows(), || {
            let each = || 0..lists.len();
            Ok((
                each().map(|query| lists.list(query).len() as i64).gather(),
                each().map(|query| lists.list(query).relevant(least) as i64).gather(),
                each().map(|query| lists.weight(query)).gather(),
            ))
        })?;
        Ok((
            PyArray1::from_vec(py, rows),
            PyArray1::from_vec(py, relevant),
            PyArray1::from_vec(py, weights),
        ))
    }

    /// The mean of an index over queries, and why there is none.
    fn value(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
        empty: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let asked = Asked::new(name, given, empty)?;
        Ok(answer(self.mean(py, &asked)?.value))
    }

    /// The reasons why queries have no value, each with the number of queries.
    fn excluded(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
    ) -> PyResult<Excluded> {
        let asked = Asked::new(name, given, None)?;
        let mut excluded = self.mean(py, &asked)?.excluded;
        excluded.sort_by_key(|&(why, count)| (std::cmp::Reverse(count), why.sentence()));
        Ok(excluded.into_iter().map(|(why, count)| (why.sentence(), count)).gather())
    }

    /// The value of each query, and the places of those without one with the reason.
    fn each<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
        given: &Bound<'py, PyDict>,
        empty: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(memory::Array<'py>, Vec<(usize, &'static str)>)> {
        let asked = Asked::new(name, given, empty)?;
        let lists = &self.queries.lists;
        let (numbers, reasons) = gate::run(py, lists.rows(), || {
            let values = values_of_queries(asked.form, lists, &asked.parameters, asked.empty)?;
            let why = |(place, value): (usize, &crate::index::value::Value)| {
                value.why.map(|why| (place, why.sentence()))
            };
            let reasons = values.iter().enumerate().filter_map(why).gather();
            Ok((values.into_iter().map(|value| value.number).gather(), reasons))
        })?;
        Ok((PyArray1::from_vec(py, numbers), reasons))
    }

    /// The interval of the mean: level, method and side.
    fn interval(
        &self,
        py: Python<'_>,
        name: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
        empty: Option<&Bound<'_, PyAny>>,
        wanted: Wanted<'_>,
    ) -> PyResult<Found> {
        let asked = Asked::new(name, given, empty)?;
        let ask = ask(&wanted)?;
        let lists = &self.queries.lists;
        let interval = gate::run(py, lists.rows(), || {
            let (form, parameters) = (asked.form, &asked.parameters);
            let value = mean_of_queries(form, lists, parameters, asked.empty)?.value;
            let each = values_of_queries(form, lists, parameters, asked.empty)?;
            let values: Vec<f64> = each.iter().map(|value| value.number).gather();
            let weights: Vec<f64> = (0..lists.len()).map(|query| lists.weight(query)).gather();
            let mean = Mean::of(&values, &weights, asked.row.range);
            Mean { value, ..mean }.interval(asked.row.name, &ask)
        })?;
        Ok(found(&interval))
    }

    /// The difference from another run on the same queries; with resamples and a seed by Fisher's
    /// randomization test.
    #[allow(clippy::too_many_arguments)] // Python's
    fn difference(
        &self,
        py: Python<'_>,
        other: &Self,
        name: &Bound<'_, PyAny>,
        given: &Bound<'_, PyDict>,
        empty: Option<&Bound<'_, PyAny>>,
        level: f64,
        randomization: Option<(usize, u64)>,
    ) -> PyResult<(&'static str, Told)> {
        let asked = Asked::new(name, given, empty)?;
        let runs = [&self.queries, &other.queries];
        let wanted = paired::Wanted { level, randomization, range: asked.row.range };
        let rows = runs[0].lists.rows().saturating_add(runs[1].lists.rows());
        let found = gate::run(py, rows, || {
            let (differences, weights) =
                differences_of_queries(asked.form, runs, &asked.parameters, asked.empty)?;
            paired::paired(&differences, &weights, &wanted)
        })?;
        Ok((asked.row.name, told(found)))
    }
}

impl QueriesState {
    fn mean(&self, py: Python<'_>, asked: &Asked) -> PyResult<QueryMean> {
        let lists = &self.queries.lists;
        gate::run(py, lists.rows(), || {
            mean_of_queries(asked.form, lists, &asked.parameters, asked.empty)
        })
    }
}
