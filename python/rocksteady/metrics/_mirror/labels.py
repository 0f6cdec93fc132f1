"""Mirrors of the metrics of labels: columns of them, and indicators."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._parameters import check_parameters, is_sparse
from rocksteady.metrics._validation import check_array, check_targets, is_signed, num_samples, with_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.metrics._validation import Targets

    _State = ConfusionState | IndicatorState


# Counting what has been checked --------------------------------------------------------------------------------------


def _count(targets: Targets, places: Any = None) -> _State:
    """Counts checked targets; of indicators the columns at `places`, in which all that is not zero is one."""
    if targets.kind != "multilabel-indicator":
        return _count_columns(targets.y_true, targets.y_pred, targets.weights)
    return _count_indicators(_ones(targets.y_true), _ones(targets.y_pred), targets.weights, places)


def _count_equal(targets: Targets) -> _State:
    """Counts checked targets; a cell of indicators is right where both are equal, whatever number that is."""
    if targets.kind != "multilabel-indicator":
        return _count(targets)
    wrong = _ones(targets.y_true != targets.y_pred)
    return _count_indicators(wrong, _ones(targets.y_pred != targets.y_pred), targets.weights, None)


def _count_indicators(true: Any, pred: Any, weights: NDArray[Any] | None, places: Any) -> IndicatorState:
    if weights is not None and is_signed(weights):
        return IndicatorState.count_signed(true, pred, places, weights)
    return IndicatorState.count(true, pred, places, weights)


def _count_columns(y_true: Any, y_pred: Any, weights: NDArray[Any] | None, labels: Any = None) -> ConfusionState:
    if weights is None or not is_signed(weights):
        return ConfusionState.count(y_true, y_pred, labels, weights, "raise", False, "counts")
    parts = (np.maximum(weights, 0), np.maximum(np.negative(weights), 0))
    positive, negative = (
        ConfusionState.count(y_true, y_pred, labels, part, "raise", False, "counts") for part in parts
    )
    return positive.less(negative)


def _ones(values: Any) -> Any:
    """An indicator with ones where it is not zero."""
    if not is_sparse(values):
        return np.asarray(values != 0)
    values = values.tocsr().copy()
    values.sum_duplicates()
    values.eliminate_zeros()
    values.data = np.ones(len(values.data), dtype=np.int8)
    return values


def _check_places(labels: Any, columns: int) -> Any:
    """Refuses labels of indicators that are not places of columns."""
    if labels is None:
        return None
    labels = np.asarray(labels)
    if not labels.size:
        return labels.astype(np.int64)
    if labels.shape != (columns,) or np.any(labels != np.arange(columns)):
        top, least = int(np.max(labels)), int(np.min(labels))
        problem = (
            f"{top} > {columns - 1}" if np.max(labels) > columns - 1 else f"{least} < 0" if np.min(labels) < 0 else ""
        )
        if problem:
            raise InputError(f"All labels must be in [0, n labels) for multilabel targets. Got {problem}")
    return labels


# Rows that are right -------------------------------------------------------------------------------------------------


def accuracy_score(y_true: Any, y_pred: Any, sample_weight: Any) -> _State:
    check_parameters("accuracy_score", locals())
    return _count_equal(check_targets(y_true, y_pred, sample_weight))


def zero_one_loss(y_true: Any, y_pred: Any, sample_weight: Any) -> _State:
    check_parameters("zero_one_loss", locals())
    return _count_equal(check_targets(y_true, y_pred, sample_weight))


def hamming_loss(y_true: Any, y_pred: Any, sample_weight: Any) -> _State:
    check_parameters("hamming_loss", locals())
    return _count_equal(check_targets(y_true, y_pred, sample_weight))


# The whole matrix ----------------------------------------------------------------------------------------------------


def _check_columns(y_true: Any, y_pred: Any, sample_weight: Any) -> Targets:
    """The checked columns; what scikit-learn makes no confusion matrix of is refused."""
    true, pred = (
        check_array(column, dtype=None, ensure_2d=False, ensure_all_finite=False, ensure_min_samples=0)
        for column in (y_true, y_pred)
    )
    if sample_weight is not None and num_samples(sample_weight) == 0:
        check_targets(true, pred, ordered=False)  # scikit-learn looks at empty weights last
    return _no_indicators(check_targets(true, pred, sample_weight, ordered=False))


def _no_indicators(targets: Targets) -> Targets:
    if targets.kind == "multilabel-indicator":
        raise InputError(f"{targets.kind} is not supported")
    return targets


def balanced_accuracy_score(y_true: Any, y_pred: Any, sample_weight: Any) -> ConfusionState:
    check_parameters("balanced_accuracy_score", locals())
    targets = _check_columns(y_true, y_pred, sample_weight)
    return _count_columns(targets.y_true, targets.y_pred, targets.weights)


def matthews_corrcoef(y_true: Any, y_pred: Any, sample_weight: Any) -> tuple[int, float]:
    check_parameters("matthews_corrcoef", locals())
    targets = _no_indicators(check_targets(y_true, y_pred, sample_weight))
    state = _count_columns(targets.y_true, targets.y_pred, targets.weights)
    if targets.weights is None or not is_signed(targets.weights):
        return state.classes, state.value("mcc", None)[0]
    # No correlation, and not within [-1, 1]: what the formula gives.
    cells = state.to_array().astype(np.float64)
    actual, predicted = cells.sum(axis=1), cells.sum(axis=0)
    total = predicted.sum()
    spread = (total**2 - predicted @ predicted) * (total**2 - actual @ actual)
    value = 0.0 if spread == 0 else float((np.trace(cells) * total - actual @ predicted) / np.sqrt(spread))
    return state.classes, value


def confusion_matrix(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any) -> ConfusionState:
    check_parameters("confusion_matrix", locals())
    return _matrix(y_true, y_pred, sample_weight, labels, "At least one label specified must be in y_true")


def cohen_kappa_score(y1: Any, y2: Any, sample_weight: Any, labels: Any) -> ConfusionState:
    check_parameters("cohen_kappa_score", locals())
    absent = (
        "At least one label in `labels` must be present in `y1` (even though `cohen_kappa_score` is otherwise "
        "agnostic to the order of `y1` and `y2`)."
    )
    return _matrix(y1, y2, sample_weight, labels, absent)


def class_likelihood_ratios(
    y_true: Any, y_pred: Any, sample_weight: Any, labels: Any, replace_undefined_by: Any
) -> ConfusionState:
    check_parameters("class_likelihood_ratios", locals())
    targets = check_targets(y_true, y_pred, sample_weight)
    if targets.kind != "binary":
        problem = "class_likelihood_ratios only supports binary classification problems, got targets of type"
        raise InputError(f"{problem}: {targets.kind}")
    replacements(replace_undefined_by)
    return _matrix(y_true, y_pred, sample_weight, labels, "At least one label specified must be in y_true")


def replacements(given: Any) -> tuple[float, float]:
    """What stands for an undefined positive and negative likelihood ratio."""
    if not isinstance(given, dict):
        return (1.0, 1.0) if given == 1.0 else (math.nan, math.nan)
    domains = (("LR+", 1.0, math.inf), ("LR-", 0.0, 1.0))
    for name, low, high in domains:
        number = given.get(name)
        if not isinstance(number, Real) or float(number) < low or float(number) > high:
            raise InputError(
                "The dictionary passed as `replace_undefined_by` needs to be in the form `{'LR+': `value_1`, 'LR-': "
                "`value_2`}` where the value for `LR+` ranges from `1.0` to `np.inf` or is `np.nan` and the value for "
                f"`LR-` ranges from `0.0` to `1.0` or is `np.nan`; got `{given}`."
            )
    return float(given["LR+"]), float(given["LR-"])


def _matrix(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any, absent: str) -> ConfusionState:
    """The confusion matrix of the labels; `absent` says that none of them occurs."""
    targets = _check_columns(y_true, y_pred, sample_weight)
    true, pred, weights = targets.y_true, targets.y_pred, targets.weights
    given = list(targets.labels) if labels is None else np.asarray(labels).ravel().tolist()
    if not given:
        raise InputError("'labels' should contain at least one label.")
    if labels is not None:
        try:
            occurs = np.intersect1d(true, np.asarray(labels)).size
        except TypeError as error:  # of objects that have no order
            raise InputTypeError(str(error)) from error
        if not occurs:
            raise InputError(absent)
        if np.ndim(labels) > 1 and not _are_places(np.asarray(labels), true, pred):
            raise InputTypeError(f"labels of shape {np.shape(labels)}; expected shape (K,)")
    # Of a label that is named twice scikit-learn fills the last place; one that does not occur may be anything.
    places = {label: place for place, label in enumerate(given)}
    occurring = set(targets.labels)
    known = [label for label in places if label in occurring]
    cells = np.zeros((len(given), len(given)))
    where = [places[label] for label in known]
    # Unsigned and signed integers become floats together, which may hold none of the labels. Then all labels are
    # counted, so that the core refuses columns that it does not read.
    found = _count_columns(true, pred, weights, known or None)
    if known:
        cells[np.ix_(where, where)] = found.to_array()
    state = ConfusionState.from_counts(np.maximum(cells, 0), None)
    return state.less(ConfusionState.from_counts(np.maximum(-cells, 0), None)) if np.any(cells < 0) else state


def _are_places(labels: NDArray[Any], *columns: NDArray[Any]) -> bool:
    """Whether labels are their own places, so that scikit-learn looks none of them up."""
    plain = labels.dtype.kind in "iub" and np.array_equal(labels.ravel(), np.arange(labels.size))
    return plain and len(labels) == 1 and all(column.dtype.kind in "biuf" and column.min() >= 0 for column in columns)


# Tables of classes and of labels -------------------------------------------------------------------------------------


def set_wise(
    y_true: Any, y_pred: Any, sample_weight: Any, _: None, labels: Any, function: str, average: str | None
) -> _State:
    """The mirror of precision, recall, F, Jaccard and all of them."""
    check_parameters(function, locals())
    targets = check_targets(y_true, y_pred)
    if average == "binary" and targets.kind != "binary":
        raise not_binary(targets.kind)
    targets = with_weights(targets, sample_weight)
    if average == "samples" and targets.kind != "multilabel-indicator":
        raise not_samplewise()
    places = _check_places(labels, len(targets.labels)) if targets.kind == "multilabel-indicator" else None
    return _count(targets, places)


def not_samplewise() -> InputError:
    """The refusal of tables of the rows of columns, which have one label a row."""
    return InputError("Samplewise metrics are not available outside of multilabel classification.")


def not_binary(kind: str) -> InputError:
    """The refusal of targets of which no label is the positive one."""
    averages = [None, "micro", "macro", "weighted", "samples"]
    if kind == "multiclass":
        averages.remove("samples")
    return InputError(
        f"Target is {kind} but average='binary'. Please choose another average setting, one of {averages!r}."
    )


def multilabel_confusion_matrix(
    y_true: Any, y_pred: Any, sample_weight: Any, labels: Any, samplewise: bool
) -> tuple[_State, Any]:
    check_parameters("multilabel_confusion_matrix", locals())
    targets = check_targets(y_true, y_pred, sample_weight)
    if targets.kind != "multilabel-indicator":
        if samplewise:
            raise not_samplewise()
        return _count(targets), None
    places = _check_places(labels, len(targets.labels))
    return _count(targets, places), _each_row(targets, places) if samplewise else None


def _each_row(targets: Targets, places: Any) -> NDArray[Any]:
    true, pred, weights = _ones(targets.y_true), _ones(targets.y_pred), targets.weights
    if weights is None or not is_signed(weights):
        return IndicatorState.each_row(true, pred, places, weights).to_array()
    parts = (np.maximum(weights, 0), np.maximum(np.negative(weights), 0))
    more, less = (IndicatorState.each_row(true, pred, places, part).to_array() for part in parts)
    return np.asarray(more - less)


def classification_report(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any) -> tuple[_State, NDArray[Any]]:
    check_parameters("classification_report", locals())
    targets = check_targets(y_true, y_pred, sample_weight)
    places = _check_places(labels, len(targets.labels)) if targets.kind == "multilabel-indicator" else None
    return _count(targets, places), targets.labels
