//! Columns of keys from Python, the group of each row, and the keys of the groups as arrays.
use std::sync::Arc;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::base::error::{Refusal, check_length};
use crate::base::input::Labels;
use crate::base::memory::{CopyAll, Gather, Zero};
use crate::base::threads::{over_pieces, zeros_in_parts};
use crate::row_keys::column::{Distinct, KeyColumn};
use crate::row_keys::keys::{Keys, RowKeys};

use crate::py::argument::Text;
use crate::py::border::HeldLabels;
use crate::py::error::PyResult;
use crate::py::gate;

/// A column of keys as `columns/keys.py` prepares it: name, values, the dtype of times if the
/// values are integers of times, and the categories in order if the values are ordered categories.
pub(crate) type Given<'py> = (Text, Bound<'py, PyAny>, Option<Text>, Option<Vec<Text>>);

/// The groups of rows.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct GroupedState {
    pub(crate) grouped: Arc<RowKeys>,
    /// How many of the columns, from the first, are of the argument `control`.
    pub(crate) controls: usize,
}

/// The argument of that name, as refusals call it.
fn argument(name: &str) -> Result<&'static str, Refusal> {
    let known =
        ["by", "control", "query", "cluster", "strata"].into_iter().find(|&known| known == name);
    known.ok_or_else(|| Refusal::argument("argument", format!("{name:?}"), "the name of keys"))
}

/// Groups rows by columns of keys. A missing key is a key of its own, after all others.
#[pyfunction]
pub(crate) fn group_rows(
    py: Python<'_>,
    columns: Vec<(Text, Given<'_>)>,
    rows: Option<usize>,
) -> PyResult<GroupedState> {
    let mut held = Vec::new();
    for (name, given) in &columns {
        let argument = argument(name)?;
        held.push((argument, HeldLabels::take(&given.1, argument)?));
    }
    let lent: Vec<(&'static str, Labels<'_>)> =
        held.iter().map(|(argument, labels)| (*argument, labels.lend())).collect();
    let given: Vec<_> =
        columns.iter().map(|(_, (name, _, time, categories))| (name, time, categories)).collect();
    let all = rows.or_else(|| lent.first().map(|(_, labels)| labels.len())).unwrap_or(0);
    let grouped = gate::run(py, all.saturating_mul(columns.len()), || {
        let mut keys = Vec::new();
        for (&(argument, ref labels), (name, time, categories)) in lent.iter().zip(given) {
            let column = match (time, categories, labels) {
                (Some(dtype), ..) => KeyColumn::from_times(labels, dtype, argument)?,
                (None, Some(names), Labels::Coded(coded)) => {
                    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
                    KeyColumn::from_ordered(coded, &names, argument)?
                }
                _ => KeyColumn::new(labels, argument)?,
            };
            keys.push((name.0.clone(), column));
        }
        let argument = lent.first().map_or("by", |(argument, _)| argument);
        RowKeys::new(keys, all, argument)
    })?;
    let controls = columns.iter().filter(|(name, _)| &**name == "control");
    Ok(GroupedState { grouped: Arc::new(grouped), controls: controls.count() })
}

impl GroupedState {
    /// The group of each row, and the number of groups.
    pub(crate) fn numbered(&self) -> (&[u32], usize) {
        (&self.grouped.codes, self.grouped.keys.groups)
    }
}

#[pymethods]
impl GroupedState {
    /// The number of groups.
    #[getter]
    fn groups(&self) -> usize {
        self.grouped.keys.groups
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.grouped.codes.len()
    }

    /// The group of each row, as an array of uint32.
    fn codes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        gate::keep(py, || Ok(PyArray1::from_vec(py, self.grouped.codes.copy_all())))
    }

    /// Some of the rows, those for which `keep` is true; the groups stay, also without rows.
    fn kept(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        gate::keep(py, || {
            let (codes, keep) = (&self.grouped.codes, keep.as_array());
            check_length(("keep", keep.len()), ("by", codes.len()))?;
            let kept = codes.iter().zip(&keep).filter(|pair| *pair.1);
            let codes = kept.map(|pair| *pair.0).gather();
            let keys = self.grouped.keys.clone();
            Ok(Self { grouped: Arc::new(RowKeys { keys, codes }), controls: self.controls })
        })
    }

    /// The names of the columns of keys.
    fn names(&self) -> Vec<String> {
        names(&self.grouped.keys)
    }

    /// The columns of keys: for each its kind and its values, a row for each group.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        columns(py, &self.grouped.keys)
    }
}

/// The names of the columns of keys.
pub(crate) fn names(keys: &Keys) -> Vec<String> {
    keys.columns.iter().map(|(name, _)| name.clone()).collect()
}

/// The columns of keys: for each its kind and its values, a row for each group.
///
/// # Errors
/// Want of memory.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    keys: &Keys,
) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
    gate::keep(py, || keys.columns.iter().map(|(_, column)| values(py, column)).collect())
}

/// The keys of each group. Missing ones are NaN among floats, the lowest integer among times, and
/// make a list of all others, with None.
fn values<'py>(py: Python<'py>, column: &KeyColumn) -> PyResult<(String, Bound<'py, PyAny>)> {
    let places = || column.places.iter().map(|&place| place as usize);
    let missing = column.distinct.len() as u32;
    let is_whole = column.places.iter().all(|&place| place < missing);
    Ok(match &column.distinct {
        Distinct::Truths(truths) => {
            let found = places().map(|place| truths.get(place).copied());
            let values = if is_whole {
                PyArray1::from_vec(py, found.map(|truth| truth == Some(true)).gather()).into_any()
            } else {
                PyList::new(py, found.gather())?.into_any()
            };
            ("bool".to_owned(), values)
        }
        Distinct::Numbers(kind, keys) if kind.is_float() => {
            let value = |place: usize| keys.get(place).map_or(f64::NAN, |&key| kind.score(key));
            let (values, _) = by_group(column, |place| (value(place), true))?;
            (kind.name().to_owned(), PyArray1::from_vec(py, values).into_any())
        }
        Distinct::Numbers(kind, keys) => {
            let value = |place: usize| keys.get(place).and_then(|&key| kind.integer(key));
            let narrow = |value: Option<i128>| value.and_then(|value| i64::try_from(value).ok());
            let wide = |value: Option<i128>| value.and_then(|value| u64::try_from(value).ok());
            if !is_whole {
                let values = PyList::new(py, places().map(value).gather())?;
                return Ok(("object".to_owned(), values.into_any()));
            }
            let narrow = |place| match narrow(value(place)) {
                Some(value) => (value, true),
                None => (0_i64, false),
            };
            let (values, are_narrow) = by_group(column, narrow)?;
            if are_narrow {
                ("int64".to_owned(), PyArray1::from_vec(py, values).into_any())
            } else {
                let wide = |place| (wide(value(place)).unwrap_or(0), true);
                let (values, _) = by_group(column, wide)?;
                ("uint64".to_owned(), PyArray1::from_vec(py, values).into_any())
            }
        }
        Distinct::Times(dtype, times) => {
            let value = |place: usize| (times.get(place).copied().unwrap_or(i64::MIN), true);
            let (values, _) = by_group(column, value)?;
            (dtype.to_string(), PyArray1::from_vec(py, values).into_any())
        }
        Distinct::Texts(texts) | Distinct::Ordered(texts) => {
            // One object for each distinct text, not for each group.
            let objects: Vec<Bound<'py, PyAny>> = texts
                .iter()
                .map(|text| Ok::<_, PyErr>(text.into_pyobject(py)?.into_any()))
                .gather_all()?;
            let values = places().map(|place| objects.get(place).cloned()).gather();
            ("object".to_owned(), PyList::new(py, values)?.into_any())
        }
    })
}

/// What `value` gives of the place of each group's key, and whether it is always true.
fn by_group<T: Zero + Send>(
    column: &KeyColumn,
    value: impl Fn(usize) -> (T, bool) + Sync,
) -> Result<(Vec<T>, bool), Refusal> {
    let mut values: Vec<T> = zeros_in_parts(column.places.len());
    let are_true = over_pieces(&mut values, |groups, values| {
        let mut all = true;
        for (to, &place) in values.iter_mut().zip(&column.places[groups]) {
            let (value, is_true) = value(place as usize);
            *to = value;
            all &= is_true;
        }
        Ok(all)
    })?;
    Ok((values, are_true.iter().all(|&all| all)))
}
