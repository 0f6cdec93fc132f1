//! The border: the one place where arrays enter.
//!
//! Anything array-like becomes [`HeldLabels`], [`HeldScores`] or [`HeldWeights`], which keep the caller's memory alive
//! and lend [`Labels`], [`Scores`] and [`Column`]s to kernels while the interpreter is released. Nothing is copied where
//! the buffer allows: any stride (negative, zero), either byte order, misaligned and read-only memory are read in place.
//!
//! An argument is taken as the first of these that it is:
//!
//! 1. a numpy array (`array.rs`): one dimension; bool, integers, floats of 16, 32, 64 bits as they lie; `U` and `S`
//!    strings hashed in place; `StringDType` and objects as in 2; masked entries are missing;
//! 2. a list or tuple (`objects.rs`): all float, all int or all bool become numbers; anything else is coded object by
//!    object, so that text and numbers are never mixed silently;
//! 3. a pandas `Series`, `Index` or array: its numpy array and mask, its categories, or its Arrow array;
//! 4. whatever has `__arrow_c_array__` or `__arrow_c_stream__` (`arrow.rs`): polars, pyarrow, …;
//! 5. a torch tensor, or whatever else has `__dlpack__`, on the CPU;
//! 6. whatever has `__array__` or numpy's array interface;
//! 7. a buffer: `memoryview`, `array.array`, …;
//! 8. any other sequence, as a list.
//!
//! From 3 on the container is opened in `rocksteady/_containers.py`, which gives back one of the few forms of
//! `Opened`; a numpy array never goes through Python. Missing values (None, NaN, NA, a null, a masked entry) become
//! [`MISSING`] codes or NaN, and the kernels refuse them or leave them out, as the caller's policy says.
//!
//! [`HeldIndicator`] takes zeros and ones, dense or as scipy's compressed rows.
//! [`HeldMatrix`] takes two dimensions of numbers, and lends a [`ScoreMatrix`](crate::base::input::ScoreMatrix).
//!
//! Objects are read with the interpreter held. Numbers are read once, by the kernels, with it released.

pub(crate) mod array;
pub(crate) mod arrow;
pub(crate) mod coder;
pub(crate) mod indicator;
pub(crate) mod matrix;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod scalar;

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::base::column::Column;
use crate::base::error::Refusal;
use crate::base::input::{Coded, Label, LabelKind, LabelSet, Labels, MISSING, NanPolicy, Scores};
use crate::py::{argument, gate};

pub(crate) use crate::py::border::matrix::HeldMatrix;
pub(crate) use crate::py::border::numbers::Numbers;
use crate::py::border::numbers::{Dtype, with_column};
pub(crate) use crate::py::border::scalar::{
    label_from_python, label_set_to_python, label_to_python,
};

/// What an argument is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Labels of classes.
    Labels,
    /// Scores.
    Scores,
    /// Weights.
    Weights,
}

/// Labels that are coded: see [`Coded`]. Codes and labels may be shared with [`CodedLabels`].
#[derive(Clone)]
pub(crate) struct CodedColumn {
    codes: Arc<Vec<u32>>,
    /// Those of two columns after [`HeldLabels::unite`].
    labels: Arc<Vec<Label>>,
    kind: LabelKind,
    /// Whether the first label came as bytes, not as text.
    bytes: bool,
}

impl CodedColumn {
    /// Whether the rows are the labels, in their order.
    fn is_dictionary(&self) -> bool {
        let rows = (0..).zip(&*self.codes);
        self.codes.len() == self.labels.len() && rows.into_iter().all(|(row, &code)| row == code)
    }
}

/// An argument that has been read.
pub(crate) enum Read {
    Numbers(Numbers),
    /// Labels only.
    Coded(CodedColumn),
}

/// A column of labels that came from Python, with the owner of its memory.
pub(crate) struct HeldLabels {
    read: Read,
}

impl HeldLabels {
    /// Reads an array-like of labels.
    ///
    /// # Errors
    /// `InputTypeError` for what cannot be labels, `InputError` for shapes and values that cannot be used.
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        Ok(Self {
            read: read(object, argument, What::Labels)?,
        })
    }

    /// Lends the labels.
    pub(crate) fn lend(&self) -> Labels<'_> {
        match &self.read {
            Read::Numbers(numbers) => numbers.labels(),
            Read::Coded(CodedColumn {
                codes,
                labels,
                kind,
                ..
            }) => Labels::Coded(Coded {
                codes: Column::from_slice(codes),
                labels,
                kind: *kind,
            }),
        }
    }

    /// Gives two columns of many coded labels one dictionary, which takes half the memory of two.
    pub(crate) fn unite(&mut self, other: &mut Self) {
        if let (Read::Coded(first), Read::Coded(second)) = (&mut self.read, &mut other.read) {
            coder::unite(first, second);
        }
    }

    /// Whether the labels are bytes, going by the first.
    pub(crate) fn are_bytes(&self) -> bool {
        matches!(&self.read, Read::Coded(column) if column.bytes)
    }

    /// The labels in the order given, which may name one twice; `None` for a number that no class can have.
    ///
    /// # Errors
    /// A missing label is refused.
    pub(crate) fn listed(&self, argument: &'static str) -> Result<Vec<Option<Label>>, Refusal> {
        let missing = |row| Refusal::row(argument, row, "missing", "a label");
        (0..self.lend().len())
            .map(|row| match &self.read {
                Read::Numbers(numbers) => Ok(numbers.label(argument, row).unwrap_or(None)),
                Read::Coded(column) => {
                    let label = column.labels.get(column.codes[row] as usize).cloned();
                    label.ok_or_else(|| missing(row)).map(Some)
                }
            })
            .collect()
    }

    /// [`Self::label_set`] without a copy, if each label is there once.
    fn into_label_set(self, argument: &'static str) -> Result<LabelSet, Refusal> {
        match self.read {
            Read::Coded(column) if column.is_dictionary() => Ok(LabelSet {
                kind: column.kind,
                values: Arc::unwrap_or_clone(column.labels),
            }),
            read => Self { read }.label_set(argument),
        }
    }

    /// The labels as a set, in the order given: for a `labels=` argument.
    ///
    /// # Errors
    /// A missing label, one that is not whole, and one that stands there twice are refused.
    pub(crate) fn label_set(&self, argument: &'static str) -> Result<LabelSet, Refusal> {
        let mut coder = coder::Coder::new(argument);
        let mut values: Vec<Label> = Vec::new();
        let lent = self.lend();
        for row in 0..lent.len() {
            let label = match &self.read {
                Read::Numbers(numbers) => numbers.label(argument, row)?,
                Read::Coded(column) => column.labels.get(column.codes[row] as usize).cloned(),
            };
            let label = label.ok_or_else(|| Refusal::row(argument, row, "missing", "a label"))?;
            if (coder.label(&label)? as usize) < values.len() {
                return Err(Refusal::row(argument, row, label, "each label once"));
            }
            values.push(label);
        }
        Ok(LabelSet {
            kind: lent.kind(),
            values,
        })
    }
}

/// A column of scores that came from Python, with the owner of its memory.
pub(crate) struct HeldScores {
    numbers: Numbers,
}

impl HeldScores {
    /// Reads an array-like of scores, in the type that it has.
    ///
    /// # Errors
    /// As for [`HeldLabels::take`].
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        Ok(Self {
            numbers: read_numbers(object, argument, What::Scores)?,
        })
    }

    /// Lends the scores.
    pub(crate) fn lend(&self) -> Scores<'_> {
        self.numbers.scores()
    }
}

/// A column of weights that came from Python, with the owner of its memory.
pub(crate) struct HeldWeights {
    numbers: Numbers,
}

impl HeldWeights {
    /// Reads an array-like of weights, as `f64`, each exactly; None is no weights.
    ///
    /// # Errors
    /// As for [`HeldLabels::take`], and integers that `f64` cannot hold.
    pub(crate) fn take(
        object: Option<&Bound<'_, PyAny>>,
        argument: &'static str,
    ) -> PyResult<Option<Self>> {
        object
            .map(|object| {
                Ok(Self {
                    numbers: read_numbers(object, argument, What::Weights)?,
                })
            })
            .transpose()
    }

    /// Lends the weights.
    pub(crate) fn lend(&self) -> Column<'_, f64> {
        self.numbers.column()
    }
}

/// The set of labels of a `labels=` argument, in the caller's order.
///
/// # Errors
/// As for [`HeldLabels::take`] and [`HeldLabels::label_set`].
pub(crate) fn label_set_from_python(
    object: &Bound<'_, PyAny>,
    argument: &'static str,
) -> PyResult<LabelSet> {
    Ok(HeldLabels::take(object, argument)?.label_set(argument)?)
}

/// The policy that a name stands for; `scores` allows those that rank.
///
/// # Errors
/// `InputError` with the names that are known.
pub(crate) fn nan_policy(name: &Bound<'_, PyAny>, scores: bool) -> PyResult<NanPolicy> {
    let policies = [
        ("raise", NanPolicy::Raise),
        ("omit", NanPolicy::Omit),
        ("worst", NanPolicy::Worst),
        ("best", NanPolicy::Best),
    ];
    let known = if scores { 4 } else { 2 };
    argument::option(name, "nan_policy", &policies[..known])
}

fn read_numbers(
    object: &Bound<'_, PyAny>,
    argument: &'static str,
    what: What,
) -> PyResult<Numbers> {
    match read(object, argument, what)? {
        Read::Numbers(numbers) => Ok(numbers),
        // Nothing codes scores or weights; were it to, it is a type that they cannot have.
        Read::Coded(_) => Err(refused_type(argument, "a column of labels", what).into()),
    }
}

fn read(object: &Bound<'_, PyAny>, argument: &'static str, what: What) -> PyResult<Read> {
    if let Some(array) = array::exactly(object) {
        return array::read(array, argument, what);
    }
    if let Ok(list) = object.cast::<PyList>() {
        return objects::read(&objects::Items::List(list), argument, what);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return objects::read(&objects::Items::Tuple(tuple), argument, what);
    }
    if what == What::Labels
        && let Ok(coded) = object.cast::<CodedLabels>()
    {
        return Ok(Read::Coded(coded.get().column.clone()));
    }
    opened(object, argument, what)
}

/// A column of labels that has been coded, to be counted against several others: it is taken wherever labels are.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
struct CodedLabels {
    column: CodedColumn,
}

/// The codes of labels that are not plain numbers; `None` for numbers, which are read where they lie each time.
#[pyfunction]
fn coded_labels(values: &Bound<'_, PyAny>, argument: &str) -> PyResult<Option<CodedLabels>> {
    let argument = known_argument(argument)?;
    gate::keep(values.py(), || {
        Ok(match HeldLabels::take(values, argument)?.read {
            Read::Numbers(_) => None,
            Read::Coded(column) => Some(CodedLabels { column }),
        })
    })
}

/// The argument of that name, as refusals call it.
fn known_argument(name: &str) -> Result<&'static str, Refusal> {
    let known = ARGUMENTS.into_iter().find(|&known| known == name);
    known.ok_or_else(|| {
        let expected = format!("one of {ARGUMENTS:?}");
        Refusal::argument("argument", format!("{name:?}"), expected)
    })
}

/// Opens a container in Python and reads what it gives back.
fn opened(object: &Bound<'_, PyAny>, argument: &'static str, what: What) -> PyResult<Read> {
    let (form, values, other) = scalar::open_container(object, argument)?;
    match form.as_str() {
        "array" => array::read(array::any(&values, argument)?, argument, what),
        "masked" => {
            let values = array::any(&values, argument)?;
            let mask = array::any(&other, argument)?;
            array::read_masked(values, mask, argument, what)
        }
        "categories" => {
            let codes = array::any(&values, argument)?;
            let categories = read(&other, argument, What::Labels)?;
            categorical(codes, HeldLabels { read: categories }, argument, what)
        }
        "arrow" => arrow::read(&values, argument, what),
        _ => objects::read(
            &objects::Items::List(values.cast::<PyList>()?),
            argument,
            what,
        ),
    }
}

/// Labels given as places in a list of categories, negative where missing.
fn categorical(
    codes: &Bound<'_, numpy::PyUntypedArray>,
    categories: HeldLabels,
    argument: &'static str,
    what: What,
) -> PyResult<Read> {
    if what != What::Labels {
        return Err(refused_type(argument, "a column of categories", what).into());
    }
    let Read::Numbers(codes) = array::read(codes, argument, What::Labels)? else {
        return Err(refused_type(argument, "a column of categories without codes", what).into());
    };
    let LabelSet { kind, values } = categories.into_label_set(argument)?;
    let classes = values.len() as i128;
    let mut coded = Vec::with_capacity(codes.len());
    with_column!(codes, column => for row in 0..column.len() {
        use crate::py::border::numbers::Native;
        let code = column.get(row).whole().unwrap_or(-1);
        if code >= classes {
            let expected = format!("a code below {classes}, the number of categories");
            return Err(Refusal::row(argument, row, code, expected).into());
        }
        coded.push(u32::try_from(code).unwrap_or(MISSING));
    });
    Ok(Read::Coded(CodedColumn {
        codes: Arc::new(coded),
        labels: Arc::new(values),
        kind,
        bytes: false,
    }))
}

/// Numbers as what they are to be, with some of them missing.
fn finish(
    numbers: Numbers,
    missing: Option<&[bool]>,
    argument: &'static str,
    what: What,
) -> Result<Read, Refusal> {
    let missing = missing.filter(|missing| missing.contains(&true));
    match (what, missing) {
        (What::Labels | What::Scores, None) => Ok(Read::Numbers(numbers)),
        (What::Weights, None) if numbers.dtype() == Dtype::F64 => Ok(Read::Numbers(numbers)),
        (What::Labels, Some(missing)) => numbers.with_missing(argument, missing),
        (What::Scores, Some(missing)) if numbers.kind() == LabelKind::Float => {
            numbers.with_missing(argument, missing)
        }
        (What::Scores | What::Weights, missing) => {
            Ok(Read::Numbers(numbers.to_f64(argument, missing)?))
        }
    }
}

fn refused_type(argument: &'static str, found: impl Into<String>, what: What) -> Refusal {
    let expected = match what {
        What::Labels => {
            "an array of labels: truth values, integers, floats that are whole numbers, or text"
        }
        What::Scores => "an array of real numbers of at most 64 bits",
        What::Weights => "an array of real numbers of at most 64 bits, or None",
    };
    Refusal::Type {
        argument,
        value: found.into(),
        expected: expected.into(),
    }
}

/// The arguments by name: a refusal's argument is one of these.
const ARGUMENTS: [&str; 6] = [
    "y_true",
    "y_pred",
    "y_score",
    "sample_weight",
    "labels",
    "pos_label",
];

/// How an argument is read: the dtype that the kernels see, whether it was copied, the labels found.
#[pyfunction]
#[pyo3(signature = (values, what = "labels", argument = "y_true"))]
fn lowered<'py>(
    values: &Bound<'py, PyAny>,
    what: &str,
    argument: &str,
) -> PyResult<Bound<'py, PyDict>> {
    gate::keep(values.py(), || report(values, what, argument))
}

fn report<'py>(
    values: &Bound<'py, PyAny>,
    what: &str,
    argument: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let py = values.py();
    let argument = known_argument(argument)?;
    let report = PyDict::new(py);
    let numbers = |numbers: &Numbers| {
        report.set_item("dtype", numbers.dtype().name())?;
        report.set_item("copied", numbers.copied())?;
        report.set_item("values", scalar::numbers_to_python(py, numbers))
    };
    let set = |labels: &LabelSet| {
        report.set_item("kind", kind_name(labels.kind))?;
        report.set_item("labels", label_set_to_python(py, labels)?)
    };
    match what {
        "labels" => {
            let held = HeldLabels::take(values, argument)?;
            report.set_item("rows", held.lend().len())?;
            match held.read {
                Read::Numbers(read) => {
                    report.set_item("kind", kind_name(read.kind()))?;
                    numbers(&read)?;
                }
                Read::Coded(CodedColumn {
                    codes,
                    labels,
                    kind,
                    ..
                }) => {
                    report.set_item("dtype", "coded")?;
                    report.set_item("copied", true)?;
                    report.set_item("values", scalar::codes_to_python(py, &codes))?;
                    set(&LabelSet {
                        kind,
                        values: Arc::unwrap_or_clone(labels),
                    })?;
                }
            }
        }
        "scores" => {
            let held = HeldScores::take(values, argument)?;
            report.set_item("rows", held.lend().len())?;
            numbers(&held.numbers)?;
        }
        "weights" => {
            if let Some(held) = HeldWeights::take(Some(values), argument)? {
                report.set_item("rows", held.lend().len())?;
                numbers(&held.numbers)?;
            }
        }
        "matrix" => {
            let held = HeldMatrix::take(values, argument)?;
            let matrix = held.lend();
            report.set_item("rows", matrix.rows())?;
            report.set_item("columns", matrix.columns())?;
            report.set_item("dtype", held.dtype_name())?;
            let mut out = Vec::new();
            let rows = matrix.lowered(0..matrix.rows(), &mut out);
            report.set_item("values", numpy::PyArray1::from_slice(py, rows))?;
        }
        "label_set" => set(&label_set_from_python(values, argument)?)?,
        "label" => {
            let (label, kind) = label_from_python(values, argument)?;
            report.set_item("kind", kind_name(kind))?;
            report.set_item("label", label_to_python(py, &label, kind)?)?;
        }
        _ => {
            let expected =
                "\"labels\", \"scores\", \"weights\", \"matrix\", \"label_set\" or \"label\"";
            return Err(Refusal::argument("what", format!("{what:?}"), expected).into());
        }
    }
    Ok(report)
}

fn kind_name(kind: LabelKind) -> &'static str {
    match kind {
        LabelKind::Bool => "bool",
        LabelKind::Int => "int",
        LabelKind::Float => "float",
        LabelKind::Text => "text",
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CodedLabels>()?;
    module.add_function(wrap_pyfunction!(coded_labels, module)?)?;
    module.add_function(wrap_pyfunction!(lowered, module)?)
}
