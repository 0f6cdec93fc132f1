//! Columns that came from Python, each with the owner of its memory; any array-like becomes one of
//! these.
// A loop body must be inlined to be compiled for wider instructions.
#![allow(clippy::inline_always)]

use std::marker::PhantomData;
use std::sync::Arc;

use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::base::column::{Column, chunks};
use crate::base::dtype::{Number, visit};
use crate::base::error::{Refusal, check_length, room};
use crate::base::input::{Coded, Label, LabelSet, Labels, MISSING, NanPolicy, Scores};
use crate::base::memory::Room;
use crate::base::wide::wide;
use crate::py::argument::text;
use crate::py::error::PyResult;
use crate::py::{argument, gate};

use crate::base::coded::coder::{CodedColumn, Coder, unite};
use crate::py::border::numbers::Numbers;
use crate::py::border::read::Read;
use crate::py::border::what::{What, refused_type};
use crate::py::border::{array, arrow, objects, scalar};

/// A column of labels that came from Python, with the owner of its memory.
pub(crate) struct HeldLabels {
    pub(crate) read: Read,
}

impl HeldLabels {
    /// Reads an array-like of labels.
    ///
    /// # Errors
    /// `InputTypeError` for what cannot be labels, `InputError` for shapes and values that cannot
    /// be used.
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        Ok(Self { read: read(object, argument, What::Labels)? })
    }

    /// Lends the labels.
    pub(crate) fn lend(&self) -> Labels<'_> {
        match &self.read {
            Read::Numbers(numbers) => numbers.labels(),
            Read::Coded(CodedColumn { codes, labels, kind, .. }) => {
                Labels::Coded(Coded { codes: Column::from_slice(codes), labels, kind: *kind })
            }
        }
    }

    /// Gives two columns of many coded labels one dictionary, which takes half the memory of two.
    pub(crate) fn unite(&mut self, other: &mut Self) {
        if let (Read::Coded(first), Read::Coded(second)) = (&mut self.read, &mut other.read) {
            unite(first, second);
        }
    }

    /// Whether the labels are bytes, going by the first.
    pub(crate) fn are_bytes(&self) -> bool {
        matches!(&self.read, Read::Coded(column) if column.bytes)
    }

    /// The labels in the order given, which may name one twice; `None` for a number that no class
    /// can have.
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
            Read::Coded(column) if column.is_dictionary() => {
                Ok(LabelSet { kind: column.kind, values: Arc::unwrap_or_clone(column.labels) })
            }
            read => Self { read }.label_set(argument),
        }
    }

    /// The labels as a set, in the order given: for a `labels=` argument.
    ///
    /// # Errors
    /// A missing label, one that is not whole, and one that stands there twice are refused.
    pub(crate) fn label_set(&self, argument: &'static str) -> Result<LabelSet, Refusal> {
        let mut coder = Coder::new(argument);
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
            values.grow(label);
        }
        Ok(LabelSet { kind: lent.kind(), values })
    }
}

/// A column of scores that came from Python, with the owner of its memory.
pub(crate) struct HeldScores {
    pub(crate) numbers: Numbers,
}

impl HeldScores {
    /// Reads an array-like of scores, in the type that it has.
    ///
    /// # Errors
    /// As for [`HeldLabels::take`].
    pub(crate) fn take(object: &Bound<'_, PyAny>, argument: &'static str) -> PyResult<Self> {
        Ok(Self { numbers: read_numbers(object, argument, What::Scores)? })
    }

    /// Lends the scores.
    pub(crate) fn lend(&self) -> Scores<'_> {
        self.numbers.scores()
    }
}

/// A column of weights that came from Python, with the owner of its memory; or no weights.
pub(crate) struct HeldWeights {
    pub(crate) numbers: Option<Numbers>,
}

impl HeldWeights {
    /// Reads an array-like of weights, as `f64`, each exactly; None is no weights.
    ///
    /// # Errors
    /// As for [`HeldLabels::take`], and integers that `f64` cannot hold.
    pub(crate) fn take(
        object: Option<&Bound<'_, PyAny>>,
        argument: &'static str,
    ) -> PyResult<Self> {
        let read = |object| read_numbers(object, argument, What::Weights);
        Ok(Self { numbers: object.map(read).transpose()? })
    }

    /// As [`Self::take`], for a column of `rows` rows. The lengths of arrays are compared before
    /// anything is copied.
    ///
    /// # Errors
    /// Those of [`Self::take`], and other lengths.
    pub(crate) fn beside(
        object: Option<&Bound<'_, PyAny>>,
        argument: &'static str,
        (column, rows): (&'static str, usize),
    ) -> PyResult<Self> {
        if let Some(array) = object.and_then(array::exactly)
            && let &[weights] = array.shape()
        {
            check_length((argument, weights), (column, rows))?;
        }
        Self::take(object, argument)
    }

    /// Lends the weights.
    pub(crate) fn lend(&self) -> Option<Column<'_, f64>> {
        self.numbers.as_ref().map(Numbers::column::<f64>)
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
    gate::keep(object.py(), || Ok(HeldLabels::take(object, argument)?.label_set(argument)?))
}

/// The set of labels of an optional `labels=` argument.
///
/// # Errors
/// As for [`label_set_from_python`].
pub(crate) fn labels_from_python(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<LabelSet>> {
    given.map(|labels| label_set_from_python(labels, "labels")).transpose()
}

/// The label of an optional `pos_label=` argument.
///
/// # Errors
/// As for [`label_from_python`](scalar::label_from_python).
pub(crate) fn pos_label_from_python(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Label>> {
    let read = |label| Ok(scalar::label_from_python(label, "pos_label")?.0);
    given.map(read).transpose()
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

pub(crate) fn read_numbers(
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
    gate::keep(object.py(), || read_any(object, argument, what))
}

fn read_any(object: &Bound<'_, PyAny>, argument: &'static str, what: What) -> PyResult<Read> {
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

/// A column of labels that has been coded, to be counted against several others: it is taken
/// wherever labels are.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct CodedLabels {
    column: CodedColumn,
}

/// The codes of labels that are not plain numbers; `None` for numbers, which are read where they
/// lie each time.
#[pyfunction]
pub(crate) fn coded_labels(
    values: &Bound<'_, PyAny>,
    argument: &Bound<'_, PyAny>,
) -> PyResult<Option<CodedLabels>> {
    let argument = known_argument(&text(argument, "argument")?)?;
    gate::keep(values.py(), || {
        Ok(match HeldLabels::take(values, argument)?.read {
            Read::Numbers(_) => None,
            Read::Coded(column) => Some(CodedLabels { column }),
        })
    })
}

/// The argument of that name, as refusals call it.
pub(crate) fn known_argument(name: &str) -> Result<&'static str, Refusal> {
    let known = ARGUMENTS.into_iter().find(|&known| known == name);
    known.ok_or_else(|| {
        let expected = format!("one of {ARGUMENTS:?}");
        Refusal::argument("argument", format!("{name:?}"), expected)
    })
}

/// Opens a container in Python and reads what it gives back.
fn opened(object: &Bound<'_, PyAny>, argument: &'static str, what: What) -> PyResult<Read> {
    let (form, values, other) = scalar::open_container(object, argument)?;
    match &*form {
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
        _ => objects::read(&objects::Items::List(values.cast::<PyList>()?), argument, what),
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
    let classes = values.len();
    let mut coded = room(argument, codes.len())?;
    visit!(Scores(codes.scores()), |column, N| {
        let mut scratch = Vec::new();
        for rows in chunks(0..column.len()) {
            let places = column.chunk(rows.clone(), &mut scratch);
            coded.grow_to(rows.end, MISSING);
            if codes_of(PhantomData::<N>, places, classes, &mut coded[rows.clone()]) {
                continue;
            }
            for (row, &place) in rows.zip(places) {
                let code = N::read(place).whole().unwrap_or(-1);
                if code >= classes as i128 {
                    let expected = format!("a code below {classes}, the number of categories");
                    return Err(Refusal::row(argument, row, code, expected).into());
                }
            }
        }
    });
    Ok(Read::Coded(CodedColumn {
        codes: Arc::new(coded),
        labels: Arc::new(values),
        kind,
        bytes: false,
    }))
}

wide! {
    /// Writes the codes of places in a list of so many, [`MISSING`] for others; returns whether
    /// there were no others.
    fn codes_of[N: Number](of: PhantomData<N>, places: &[N::Raw], many: usize, codes: &mut [u32]) -> bool
        = codes_of_body;
}

#[inline(always)]
fn codes_of_body<N: Number>(
    _: PhantomData<N>,
    places: &[N::Raw],
    many: usize,
    codes: &mut [u32],
) -> bool {
    // A negative place is far from zero, too: distances wrap around.
    let Some(zero) = N::origin(0, 0) else {
        return false;
    };
    let mut all = true;
    for (code, &place) in codes.iter_mut().zip(places) {
        let place: u64 = N::distance(place, zero).into();
        let inside = place < many as u64;
        *code = if inside { place as u32 } else { MISSING };
        all &= inside;
    }
    all
}

/// The arguments by name: a refusal's argument is one of these.
const ARGUMENTS: [&str; 6] =
    ["y_true", "y_pred", "y_score", "sample_weight", "labels", "pos_label"];
