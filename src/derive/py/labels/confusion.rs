//! The confusion matrix as Python holds it.

use std::collections::HashMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::base::error::{Refusal, Result, room};
use crate::base::input::{Label, LabelKind, LabelSet, Labels};
use crate::base::interrupt;
use crate::base::memory::{CopyAll, Gather, Room, in_place, map_of};
use crate::index;
use crate::index::average::How;
use crate::index::parameter::Parameters;
use crate::index::tables::Tables;
use crate::labels::binary::check_kind;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::counting::count::{CountOptions, confusion};
use crate::labels::positions as kernel;
use crate::labels::view::{BinaryCounts, MatrixView};

use crate::py::argument;
use crate::py::border::scalar::label_from_python;
use crate::py::border::text::unicode;
use crate::py::border::what::described;
use crate::py::border::{
    HeldLabels, HeldWeights, label_set_from_python, labels_from_python, nan_policy,
};
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::index::registry::{Answer, answer, asked, check_two_classes, digits};
use crate::py::labels::counts::columns;
use crate::py::labels::tables::TablesState;
use crate::py::memory::Array;
use crate::py::statistic::statistic;
use crate::py::truth::are_plain_objects;

/// The most classes of a dense matrix: 10,000 squared take 800 MB.
const DENSE_CLASSES: usize = 10_000;

/// Why each of many values is undefined.
type Reasons = Vec<Option<&'static str>>;

/// A counted confusion matrix with its margins.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct ConfusionState {
    matrix: ConfusionMatrix,
    view: MatrixView,
    /// Of sampling weights: the view of the squares.
    squares: Option<Box<MatrixView>>,
    /// Whether the labels are no bytes, and no objects but text.
    plain: bool,
    mixed: bool,
    /// The view is of weights of either sign, and the matrix only of those above zero.
    signed: bool,
}

impl From<ConfusionMatrix> for ConfusionState {
    fn from(matrix: ConfusionMatrix) -> Self {
        let view = matrix.view();
        let squares = matrix.squares().map(|squares| Box::new(squares.view()));
        Self { matrix, view, squares, plain: true, mixed: false, signed: false }
    }
}

/// Places of actual and predicted class, and amounts.
type PlacedCells<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyAny>);

statistic!(ConfusionState: ConfusionMatrix, matrix => matrix.into(), own => &own.matrix; own.matrix => subtracted set rows weight_kind);

#[pymethods]
impl ConfusionState {
    /// Counts two columns of labels.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn count(
        py: Python<'_>,
        y_true: &Bound<'_, PyAny>,
        y_pred: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        policy: &Bound<'_, PyAny>,
        strict: &Bound<'_, PyAny>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let objects = are_plain_objects(y_true) || are_plain_objects(y_pred);
        let mut y_true = HeldLabels::take(y_true, "y_true")?;
        let mut y_pred = HeldLabels::take(y_pred, "y_pred")?;
        let bytes = y_true.are_bytes() || y_pred.are_bytes();
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let options = CountOptions {
            labels: labels_from_python(labels)?,
            strict: argument::flag(strict, "strict")?,
            nan_policy: nan_policy(policy, false)?,
            weight_kind: argument::weight_kind(weight_kind)?,
        };
        let weights = weights.lend();
        let (lent, other) = (y_true.lend(), y_pred.lend());
        let are_coded = [&lent, &other].iter().any(|labels| matches!(labels, Labels::Coded(_)));
        let work = lent.len().saturating_mul(if are_coded { gate::INDEX } else { 1 });
        gate::run(py, work, || {
            y_true.unite(&mut y_pred);
            let (y_true, y_pred) = (y_true.lend(), y_pred.lend());
            let matrix = confusion(&y_true, &y_pred, weights, &options)?;
            let text = |labels: &Labels| labels.kind() == LabelKind::Text;
            Ok(Self {
                plain: !bytes && (!objects || (text(&y_true) && text(&y_pred))),
                mixed: y_true.kind() != y_pred.kind(),
                ..matrix.into()
            })
        })
    }

    /// The matrix with the given cells: counts (uint64, int64) or weights (float64).
    #[staticmethod]
    fn from_counts(
        py: Python<'_>,
        counts: &Bound<'_, PyAny>,
        labels: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        gate::keep(py, || {
            let labels = labels_from_python(labels)?;
            if let Ok(counts) = counts.cast::<PyArray2<i64>>() {
                let labels = checked_labels(counts.shape(), labels)?;
                let cells = taken(counts)?;
                // All signs at once, so that the loop is one of vectors.
                if cells.iter().fold(0, |all, &cell| all | cell) < 0 {
                    let cells: Vec<f64> = cells.iter().map(|&cell| cell as f64).gather();
                    return weighed(py, &cells, labels); // which refuses them
                }
                let cells = in_place(cells, i64::cast_unsigned);
                return counted(py, cells, labels);
            }
            if let Ok(counts) = counts.cast::<PyArray2<u64>>() {
                let labels = checked_labels(counts.shape(), labels)?;
                return counted(py, taken(counts)?, labels);
            }
            let counts = counts.cast::<PyArray2<f64>>()?;
            let labels = checked_labels(counts.shape(), labels)?;
            weighed(py, &taken(counts)?, labels)
        })
    }

    /// The matrix from a list of cells: the places of both classes, and the amounts as counts
    /// (uint64) or weights (float64).
    #[staticmethod]
    fn from_cells(
        py: Python<'_>,
        actual: &Bound<'_, PyAny>,
        predicted: &Bound<'_, PyAny>,
        amounts: &Bound<'_, PyAny>,
        labels: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        gate::keep(py, || {
            let labels = label_set_from_python(labels, "labels")?;
            let (actual, predicted) = (vector::<u32>(actual)?, vector::<u32>(predicted)?);
            if let Ok(counts) = vector::<u64>(amounts) {
                gate::run(py, counts.len(), || {
                    Ok(ConfusionMatrix::from_cell_counts(&actual, &predicted, &counts, labels)?
                        .into())
                })
            } else {
                let weights = vector::<f64>(amounts)?;
                gate::run(py, weights.len(), || {
                    Ok(ConfusionMatrix::from_cell_weights(&actual, &predicted, &weights, labels)?
                        .into())
                })
            }
        })
    }

    /// The matrix of two classes with the given sums of sampling weights, and of their squares, row
    /// by row.
    #[staticmethod]
    fn from_sampling(
        py: Python<'_>,
        weights: [f64; 4],
        squares: [f64; 4],
        labels: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        gate::keep(py, || {
            let labels = label_set_from_python(labels, "labels")?;
            Ok(ConfusionMatrix::from_sampling(&weights, &squares, labels)?.into())
        })
    }

    /// The matrix with a sampling weight for the rows of each actual class; None of weighted rows.
    fn weighed(&self, py: Python<'_>, weights: Vec<f64>) -> PyResult<Option<Self>> {
        gate::run(py, self.size(), || Ok(self.matrix.weighed(&weights).map(Self::from)))
    }

    /// The matrix with other names for its classes.
    fn relabelled(&self, labels: &Bound<'_, PyAny>) -> PyResult<Self> {
        gate::keep(labels.py(), || {
            let labels = label_set_from_python(labels, "labels")?;
            Ok(self.matrix.relabelled(labels)?.into())
        })
    }

    /// The matrix with classes merged, reordered or left out. `classes` has the new place of each
    /// class, or -1.
    fn mapped(
        &self,
        py: Python<'_>,
        labels: &Bound<'_, PyAny>,
        classes: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        gate::keep(py, || {
            let labels = label_set_from_python(labels, "labels")?;
            let classes = vector::<i64>(classes)?.into_iter();
            let classes: Vec<Option<u32>> = classes.map(|class| u32::try_from(class).ok()).gather();
            gate::run(py, self.matrix.occupied(), || {
                Ok(self.matrix.mapped(labels, &classes)?.into())
            })
        })
    }

    /// The matrix with actual and predicted classes exchanged.
    fn transposed(&self, py: Python<'_>) -> PyResult<Self> {
        gate::run(py, self.matrix.occupied(), || Ok(self.matrix.transposed().into()))
    }

    /// The cells that are not zero: places of actual and predicted class, and amounts (uint64, or
    /// float64 if weighted).
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<PlacedCells<'py>> {
        gate::keep(py, || {
            Ok({
                let cells = || self.view.cells.iter();
                let amounts = match self.matrix.counts().filter(|_| !self.signed) {
                    Some(counts) => PyArray1::from_vec(py, counts.copy_all()).into_any(),
                    None => {
                        PyArray1::from_vec(py, cells().map(|cell| cell.mass).gather()).into_any()
                    }
                };
                (
                    PyArray1::from_vec(py, cells().map(|cell| i64::from(cell.actual)).gather()),
                    PyArray1::from_vec(py, cells().map(|cell| i64::from(cell.predicted)).gather()),
                    amounts,
                )
            })
        })
    }

    /// How many cells are not zero.
    #[getter]
    fn occupied(&self) -> usize {
        self.view.cells.len()
    }

    /// The sum of the cells of each actual class.
    fn actual<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        gate::keep(py, || Ok(PyArray1::from_vec(py, self.view.actual.copy_all())))
    }

    /// The dissimilarity of the rows of every two classes.
    fn dissimilarity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        gate::keep(py, || {
            let classes = self.dense_classes()?;
            let all = gate::run(py, self.matrix.occupied() * classes, || {
                Ok(self.matrix.dissimilarity())
            })?;
            let all = PyArray1::from_vec(py, all).reshape([classes; 2])?;
            Ok(all.into_any())
        })
    }

    /// The place of the positive class: of the label named, else the second of two; None unless
    /// there are two.
    fn positive(&self, pos_label: Option<&Bound<'_, PyAny>>) -> PyResult<Option<usize>> {
        let labels = self.matrix.labels();
        let two = labels.len() == 2;
        let Some(named) = pos_label else {
            return Ok(two.then_some(1));
        };
        let (label, _) = label_from_python(named, "pos_label")?;
        let found: Vec<String> = labels.values.iter().take(5).map(ToString::to_string).gather();
        if !two {
            let expected = format!("none, since there are {} classes and not two", labels.len());
            return Err(Refusal::argument("pos_label", label, expected).into());
        }
        check_kind(&label, &labels.values, "y_true")?;
        let place = labels.position(&label);
        let refused =
            || Refusal::argument("pos_label", &label, format!("one of {}", found.join(", ")));
        Ok(Some(place.ok_or_else(refused)?))
    }

    /// This matrix with one more class, without rows, where it has one class only and that is
    /// another.
    fn with_class(&self, pos_label: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (label, kind) = label_from_python(pos_label, "pos_label")?;
        if self.matrix.classes() != 1 || self.matrix.labels().values[0] == label {
            return Ok(self.matrix.clone().into());
        }
        check_kind(&label, &self.matrix.labels().values, "y_true")?;
        let other = ConfusionMatrix::from_counts(&[0], LabelSet { kind, values: vec![label] })?;
        Ok(self.matrix.add(&other)?.into())
    }

    #[getter]
    fn classes(&self) -> usize {
        self.matrix.classes()
    }

    /// The sum of the cells.
    #[getter]
    fn total(&self) -> f64 {
        self.view.total
    }

    /// The sum of the diagonal.
    #[getter]
    fn correct(&self) -> f64 {
        self.view.correct.iter().sum()
    }

    /// Whether the labels are strings.
    #[getter]
    fn text(&self) -> bool {
        self.matrix.labels().kind == LabelKind::Text
    }

    #[getter]
    fn weighted(&self) -> bool {
        self.matrix.is_weighted()
    }

    /// Whether a class that was predicted, or that was named, has no rows.
    #[getter]
    fn absent(&self) -> bool {
        self.view.actual.contains(&0.0)
    }

    /// Whether scikit-learn counts such labels, which are no bytes and no objects but text, and
    /// some row has weight.
    #[getter]
    fn plain(&self) -> bool {
        self.plain && self.view.total != 0.0
    }

    /// Whether the labels of the two columns were of different kinds, say integers and floats.
    #[getter]
    fn mixed(&self) -> bool {
        self.mixed
    }

    /// The 2×2 tables of the classes against the rest: of all, or of those listed, one for each
    /// time that it is.
    #[pyo3(signature = (labels = None))]
    fn tables(&self, labels: Option<&Bound<'_, PyAny>>) -> PyResult<TablesState> {
        // scikit-learn's counts are floats where weights or nothing right has been counted.
        let whole =
            !self.matrix.is_weighted() && self.view.correct.iter().any(|&right| right > 0.0);
        let Some(labels) = labels else {
            let tables = self.view.one_vs_rest.clone();
            return Ok(TablesState::new(tables, whole, false));
        };
        let wanted = HeldLabels::take(labels, "labels")?.listed("labels")?;
        let found = self.matrix.labels();
        let classes: Option<HashMap<&Label, usize>> =
            (wanted.len() > 8).then(|| map_of(found.values.iter().zip(0..)));
        let place = |label: &Label| match &classes {
            Some(classes) => classes.get(label).copied(),
            None => found.position(label),
        };
        let mut absent = false;
        let tables = wanted.iter().map(|label| {
            label.as_ref().and_then(place).map_or_else(
                || {
                    absent = true;
                    BinaryCounts { tn: self.view.total, ..BinaryCounts::default() }
                },
                |class| self.view.one_vs_rest(class),
            )
        });
        let tables = tables.gather();
        Ok(TablesState::new(tables, whole, absent))
    }

    /// The dense matrix: uint64, or float64 if it is weighted.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        gate::keep(py, || {
            let classes = self.dense_classes()?;
            let shape = [classes; 2];
            let counts = || Ok(self.matrix.to_counts().filter(|_| !self.signed));
            Ok(match gate::run(py, classes * classes, counts)? {
                Some(cells) => PyArray1::from_vec(py, cells).reshape(shape)?.into_any(),
                None => PyArray1::from_vec(py, self.dense(classes)).reshape(shape)?.into_any(),
            })
        })
    }

    /// The dense matrix divided by its row sums ("true"), column sums ("pred") or total ("all"); 0
    /// where that is 0.
    fn normalized<'py>(&self, by: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, by) = (by.py(), argument::text(by, "by")?);
        gate::keep(py, || {
            let classes = self.dense_classes()?;
            let shares = gate::run(py, classes * classes, || {
                let mut shares = self.dense(classes);
                for (place, share) in shares.iter_mut().enumerate() {
                    interrupt::check_at(place);
                    let whole = match &*by {
                        "true" => self.view.actual[place / classes],
                        "pred" => self.view.predicted[place % classes],
                        _ => self.view.total,
                    };
                    *share = if whole != 0.0 {
                        *share / whole
                    } else if *share == 0.0 {
                        0.0
                    } else {
                        f64::MAX.copysign(*share) // numpy.nan_to_num's infinity, for weights of both signs
                    };
                }
                Ok(shares)
            })?;
            Ok(PyArray1::from_vec(py, shares).reshape([classes; 2])?.into_any())
        })
    }

    /// tp, fp, fn, tn of each class against the rest.
    fn one_vs_rest<'py>(&self, py: Python<'py>) -> PyResult<Vec<Array<'py>>> {
        gate::keep(py, || {
            let classes = self.view.classes();
            let each = (0..classes).map(|class| self.view.one_vs_rest(class));
            columns(py, classes, each)
        })
    }

    /// The same of the squares of sampling weights, if they are such.
    fn one_vs_rest_squares<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Array<'py>>>> {
        let Some(squares) = &self.squares else {
            return Ok(None);
        };
        gate::keep(py, || {
            let classes = squares.classes();
            let each = (0..classes).map(|class| squares.one_vs_rest(class));
            columns(py, classes, each).map(Some)
        })
    }

    /// An index of the whole matrix, or of the positive class, and why it is undefined.
    #[pyo3(signature = (name, positive, given = None))]
    fn value(
        &self,
        py: Python<'_>,
        name: Named,
        positive: Option<usize>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        check_two_classes(row, given, self.matrix.classes())?;
        let value = gate::run(py, self.size(), || match positive {
            Some(class) => row.overall(&self.view, class, &parameters),
            None => row.of_matrix(&self.view, &parameters),
        });
        value.map(answer)
    }

    /// An index as [`Self::value`] chooses it, as a fraction.
    #[pyo3(signature = (name, positive, given = None))]
    fn exact(
        &self,
        py: Python<'_>,
        name: Named,
        positive: Option<usize>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<(String, String)> {
        let (row, parameters) = asked(name, given)?;
        check_two_classes(row, given, self.matrix.classes())?;
        let size = self.size().saturating_mul(gate::INDEX);
        let found =
            gate::run(py, size, || row.fraction_of_matrix(&self.matrix, positive, &parameters))?;
        Ok(digits(&found))
    }

    /// Many indices, each as [`Self::value`] gives it with the row's defaults, and why each is
    /// undefined.
    fn values<'py>(
        &self,
        py: Python<'py>,
        names: Vec<Named>,
        positive: Option<usize>,
    ) -> PyResult<(Array<'py>, Reasons)> {
        gate::keep(py, || {
            let size = self.size().saturating_mul(names.len());
            let (numbers, reasons): (Vec<f64>, Vec<_>) = gate::run(py, size, || {
                let values = names.into_iter().map(|Named(row)| {
                    let parameters = Parameters::defaults(row);
                    Ok(answer(match positive {
                        Some(class) => row.overall(&self.view, class, &parameters)?,
                        None => row.of_matrix(&self.view, &parameters)?,
                    }))
                });
                Ok(values.gather_all()?.into_iter().unzip())
            })?;
            Ok((PyArray1::from_vec(py, numbers), reasons))
        })
    }

    /// Many indices of every class against the rest: a row for each index, a column for each class.
    fn class_values<'py>(&self, py: Python<'py>, names: Vec<Named>) -> PyResult<Bound<'py, PyAny>> {
        gate::keep(py, || {
            let shape = [names.len(), self.matrix.classes()];
            let size = self.size().saturating_mul(names.len());
            let numbers = gate::run(py, size, || {
                let mut numbers = vec![0.0; shape[0] * shape[1]];
                let tables = Tables::new(&self.view.one_vs_rest);
                for (Named(row), to) in names.into_iter().zip(numbers.chunks_mut(shape[1].max(1))) {
                    row.fill_classes(&self.view, tables, &Parameters::defaults(row), to)?;
                }
                Ok(numbers)
            })?;
            Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
        })
    }

    /// The macro averages of many indices, and those weighted by the actual rows; undefined classes
    /// count as zero.
    fn averages<'py>(&self, py: Python<'py>, names: Vec<Named>) -> PyResult<[Array<'py>; 2]> {
        gate::keep(py, || {
            let size = self.size().saturating_mul(names.len());
            let averages = gate::run(py, size, || {
                let (mut alike, mut by_rows) = (Vec::new(), Vec::new());
                let mut numbers = vec![0.0; self.view.classes()];
                let tables = Tables::new(&self.view.one_vs_rest);
                let rows = self.view.total != 0.0;
                for Named(row) in names {
                    row.fill_classes(&self.view, tables, &Parameters::defaults(row), &mut numbers)?;
                    let mean =
                        |shares| index::mean(numbers.iter().copied(), shares, 0.0, rows).number;
                    alike.grow(mean(None));
                    by_rows.grow(mean(Some(self.view.actual.as_slice())));
                }
                Ok([alike, by_rows])
            })?;
            Ok(averages.map(|numbers| PyArray1::from_vec(py, numbers)))
        })
    }

    /// An index of every class against the rest.
    #[pyo3(signature = (name, given = None))]
    fn per_class<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Array<'py>> {
        gate::keep(py, || {
            let (row, parameters) = asked(name, given)?;
            let values =
                gate::run(py, self.size(), || index::per_class(&self.view, row, &parameters))?;
            Ok(PyArray1::from_vec(py, values.into_iter().map(|value| value.number).gather()))
        })
    }

    /// An index averaged over the classes.
    #[pyo3(signature = (name, average, zero_division, given = None))]
    fn average(
        &self,
        py: Python<'_>,
        name: Named,
        average: &Bound<'_, PyAny>,
        zero_division: &Bound<'_, PyAny>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let (row, parameters) = asked(name, given)?;
        let value = with_average(average, |how| {
            let zero_division = argument::number(zero_division, "zero_division")?;
            gate::run(py, self.size(), || {
                index::average(&self.view, row, how, zero_division, &parameters)
            })
        });
        value.map(answer)
    }

    /// The matrix without classes that no row has.
    fn without_empty_classes(&self, py: Python<'_>) -> PyResult<Self> {
        gate::run(py, self.matrix.occupied(), || Ok(self.matrix.without_empty_classes().into()))
    }

    /// This matrix minus another of the same classes, for weights of either sign. Its amounts can
    /// be read, but it cannot be added to others or saved.
    ///
    /// # Errors
    /// A matrix of other classes is refused.
    fn less(&self, other: &Self) -> PyResult<Self> {
        if self.matrix.labels() != other.matrix.labels() {
            let reason = "the classes differ".to_owned();
            return Err(Refusal::Merge { reason }.into());
        }
        Ok(Self {
            matrix: self.matrix.clone(),
            view: self.view.less(&other.view),
            squares: None,
            signed: true,
            ..*self
        })
    }

    /// Whether labels and cells are the same.
    fn same(&self, other: &Self) -> bool {
        self.matrix == other.matrix
    }
}

impl ConfusionState {
    /// The matrix.
    pub(crate) fn matrix(&self) -> &ConfusionMatrix {
        &self.matrix
    }

    /// What formulas read.
    pub(crate) fn view(&self) -> &MatrixView {
        &self.view
    }

    /// The squares of sampling weights, if they are such.
    pub(crate) fn squares(&self) -> Option<&MatrixView> {
        self.squares.as_deref()
    }

    /// How many rows take about as long as an index.
    pub(crate) fn size(&self) -> usize {
        (self.view.cells.len() + self.view.classes()).saturating_mul(gate::INDEX)
    }

    /// The cells row by row.
    fn dense(&self, classes: usize) -> Vec<f64> {
        let mut cells = vec![0.0; classes * classes];
        for cell in &self.view.cells {
            cells[cell.actual as usize * classes + cell.predicted as usize] = cell.mass;
        }
        cells
    }

    fn dense_classes(&self) -> Result<usize> {
        let classes = self.matrix.classes();
        if classes > DENSE_CLASSES {
            let expected = format!(
                "at most {DENSE_CLASSES} classes for a dense matrix; cells() has those that are not zero"
            );
            let found = format!("{classes} classes");
            return Err(Refusal::argument("labels", found, expected));
        }
        Ok(classes)
    }
}

/// The cells of a square, row by row; each is read once, since another thread may write to it.
fn taken<T: numpy::Element + Copy>(cells: &Bound<'_, PyArray2<T>>) -> PyResult<Vec<T>> {
    let mut copies = room("counts", cells.len())?;
    let cells = cells.try_readonly()?;
    match cells.as_slice() {
        // `as_slice` takes columns after columns too.
        Ok(slice) if cells.is_c_contiguous() => copies.grow_by(slice),
        _ => copies.grow_with(cells.as_array().iter().copied()),
    }
    Ok(copies)
}

fn counted(py: Python<'_>, cells: Vec<u64>, labels: LabelSet) -> PyResult<ConfusionState> {
    gate::run(py, cells.len(), || Ok(ConfusionMatrix::from_own_counts(cells, labels)?.into()))
}

fn weighed(py: Python<'_>, cells: &[f64], labels: LabelSet) -> PyResult<ConfusionState> {
    gate::run(py, cells.len(), || Ok(ConfusionMatrix::from_weights(cells, labels)?.into()))
}

/// An array of one axis and of this very type, copied.
pub(crate) fn vector<T: numpy::Element + Copy>(array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    let array = array.extract::<PyReadonlyArray1<'_, T>>()?;
    Ok(array.as_array().iter().copied().gather())
}

/// Gives how classes share in an average to `work`.
pub(crate) fn with_average<T>(
    average: &Bound<'_, PyAny>,
    work: impl FnOnce(How) -> PyResult<T>,
) -> PyResult<T> {
    if let Ok(named) = average.cast::<PyString>() {
        return work(match unicode(named).unwrap_or_default() {
            "macro" => How::Macro,
            "micro" => How::Micro,
            "weighted" => How::Weighted,
            _ => return Err(unknown_average(described(named)).into()),
        });
    }
    let held = HeldWeights::take(Some(average), "average")?;
    let column = held.lend();
    let weights: Vec<f64> =
        column.iter().flat_map(|c| (0..c.len()).map(|class| c.get(class))).gather();
    work(How::Weights(&weights))
}

fn unknown_average(found: String) -> Refusal {
    Refusal::argument(
        "average",
        found,
        "\"macro\", \"micro\", \"weighted\" or a weight for each class",
    )
}

/// The labels of a square of this shape: those given, or 0, 1, 2, …
fn checked_labels(shape: &[usize], labels: Option<LabelSet>) -> Result<LabelSet> {
    let (rows, columns) = (shape[0], shape[1]);
    if rows != columns {
        let found = format!("of shape ({rows}, {columns})");
        let expected = "as many rows as columns";
        return Err(Refusal::argument("counts", found, expected));
    }
    Ok(labels.unwrap_or_else(|| LabelSet::numbered(rows)))
}

/// The places of true and false positives and negatives of a class: tp, fp, fn, tn.
#[pyfunction]
pub(crate) fn positions<'py>(
    py: Python<'py>,
    y_true: &Bound<'_, PyAny>,
    y_pred: &Bound<'_, PyAny>,
    label: &Bound<'_, PyAny>,
) -> PyResult<[Bound<'py, PyArray1<i64>>; 4]> {
    gate::keep(py, || {
        let y_true = HeldLabels::take(y_true, "y_true")?;
        let y_pred = HeldLabels::take(y_pred, "y_pred")?;
        let (label, _) = label_from_python(label, "label")?;
        let (y_true, y_pred) = (y_true.lend(), y_pred.lend());
        let found = gate::run(py, y_true.len(), || kernel::positions(&y_true, &y_pred, &label))?;
        Ok([found.tp, found.fp, found.fn_, found.tn].map(|rows| PyArray1::from_vec(py, rows)))
    })
}
