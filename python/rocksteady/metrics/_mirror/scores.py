"""Mirrors of the curves over thresholds and of the areas under them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady._rocksteady import SignedTotalsState
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics import _areas
from rocksteady.metrics._parameters import check_parameters
from rocksteady.metrics._validation import (
    as_numbers,
    assert_all_finite,
    check_array,
    check_consistent_length,
    check_pos_label_consistency,
    check_sample_weight,
    column_or_1d,
    flattened,
    is_signed,
    is_text,
    not_of_classes,
    not_two_dimensional,
    type_of_target,
    warn_of_division,
    warn_undefined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    _Reals = NDArray[np.float64]
    _Points = tuple[_Reals, _Reals, _Reals]
    _Columns = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]

_NOT_PROBABILITIES = (
    "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
)


class EmptyInputError(InputError, IndexError):
    """No rows: scikit-learn looks for the last threshold, and there is none."""


class NotImplementedInputError(InputError, NotImplementedError):
    """What scikit-learn does not do either."""


# Columns -------------------------------------------------------------------------------------------------------------


def _sortable_columns(y_true: Any, y_score: Any, sample_weight: Any) -> _Columns:
    """Plain columns, after what scikit-learn checks before it sorts scores."""
    check_consistent_length(y_true, y_score, sample_weight)
    true, score = column_or_1d(y_true), column_or_1d(y_score)
    assert_all_finite(true)
    assert_all_finite(score)
    weights = _weights(sample_weight, true)
    if score.dtype.kind in "SU" or is_text(score):
        raise InputTypeError(f"y_score is an array of dtype {score.dtype}; expected an array of real numbers")
    _check_order(score)
    if len(true) == 0:
        raise EmptyInputError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
    return true, score, weights


def _check_order(score: NDArray[Any]) -> None:
    """Refuses objects that numpy cannot sort."""
    if score.dtype == object:
        try:
            np.argsort(score, kind="stable")
        except TypeError as error:
            raise InputTypeError(str(error)) from None


def _weights(sample_weight: Any, rows: NDArray[Any]) -> NDArray[Any] | None:
    if sample_weight is None:
        return None
    return check_sample_weight(column_or_1d(sample_weight), rows, force_float=True)


def _positives(y_true: Any, pos_label: Any) -> NDArray[np.int32]:
    """1 where the label is the positive one, else 0; what scikit-learn takes for no two classes is refused."""
    kind = type_of_target(y_true, "y_true")
    if kind != "binary" and not (kind == "multiclass" and pos_label is not None):
        raise InputError(f"{kind} format is not supported")
    pos_label = check_pos_label_consistency(pos_label, y_true)
    return np.asarray(np.asarray(y_true) == pos_label, dtype=np.int32)


def _columns(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> _Columns:
    """Plain columns, the positive label as 1 and all others as 0."""
    true, score, weights = _sortable_columns(_positives(y_true, pos_label), y_score, sample_weight)
    return true, as_numbers(score, "y_score"), weights


def _of(name: str, columns: _Columns, *options: Any) -> Any:
    """What the core makes of plain columns, with weights of any sign."""
    true, score, weights = columns
    if weights is not None and is_signed(weights):
        return getattr(SignedTotalsState.sweep(true, score, weights), name)(*options)
    return getattr(_rocksteady, name)(true, score, 1, weights, *options)


def _precision_of(name: str, columns: _Columns, *options: Any) -> Any:
    """As `_of`, for precision. Warns as numpy does where the weight predicted positive cancels to 0."""
    true, score, weights = columns
    if weights is not None and is_signed(weights):
        _, fps, _, tps, _ = SignedTotalsState.sweep(true, score, weights).threshold_counts()
        if any(options) and len(tps) > 2:  # the intermediate points are dropped first
            changes = np.diff(tps) != 0
            kept = np.concatenate(([True], changes[:-1] | changes[1:], [True]))
            fps, tps = fps[kept], tps[kept]
        with np.errstate(divide="ignore", invalid="ignore"):
            warn_of_division(tps[tps + fps == 0] / 0.0)
    return _of(name, columns, *options)


# Curves --------------------------------------------------------------------------------------------------------------


def auc(x: Any, y: Any) -> float:
    check_parameters("auc", locals())
    check_consistent_length(x, y)
    return _trapezoids(column_or_1d(x), column_or_1d(y))


def _trapezoids(across: NDArray[Any], heights: NDArray[Any]) -> float:
    """The area by the trapezoidal rule, along what goes one way only; integers in their own dtype, as numpy has it."""
    across, heights = (v.astype(np.float64) if v.dtype.kind == "f" else v for v in (across, heights))
    if len(across) < 2:
        raise InputError(f"At least 2 points are needed to compute area under curve, but x.shape = {len(across)}")
    steps = np.diff(across)
    direction = 1
    if np.any(steps < 0):
        if not np.all(steps <= 0):
            raise InputError(f"x is neither increasing nor decreasing : {across}.")
        direction = -1
    return float(direction * ((across[1:] - across[:-1]) * (heights[1:] + heights[:-1]) / 2.0).sum())


def roc_curve(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, drop_intermediate: Any
) -> tuple[_Points, tuple[float, float]]:
    check_parameters("roc_curve", locals())
    points, totals = _of("roc_curve", _columns(y_true, y_score, pos_label, sample_weight), bool(drop_intermediate))
    return points, totals


def precision_recall_curve(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, drop_intermediate: Any
) -> Any:
    check_parameters("precision_recall_curve", locals())
    columns = _columns(y_true, y_score, pos_label, sample_weight)
    return _precision_of("precision_recall_curve", columns, bool(drop_intermediate))


def det_curve(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, drop_intermediate: Any
) -> tuple[_Points, tuple[float, float], bool]:
    check_parameters("det_curve", locals())
    columns = _columns(y_true, y_score, pos_label, sample_weight)
    points, totals, *_ = _of("det_curve", columns, bool(drop_intermediate))
    return points, totals, len(np.unique(np.asarray(y_true))) == 2


def confusion_matrix_at_thresholds(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Any:
    check_parameters("confusion_matrix_at_thresholds", locals())
    return _of("threshold_counts", _columns(y_true, y_score, pos_label, sample_weight))


def metric_at_thresholds(y_true: Any, y_score: Any, metric_func: Any, sample_weight: Any, metric_params: Any) -> Any:
    at, score = metric_at(y_true, y_score, metric_func, sample_weight, metric_params)
    thresholds = score[np.append(np.nonzero(np.diff(score))[0], len(score) - 1)]
    return np.asarray([at(threshold) for threshold in thresholds]), thresholds, []


def metric_at(
    y_true: Any, y_score: Any, metric_func: Any, sample_weight: Any, metric_params: Any
) -> tuple[Callable[[Any], Any], NDArray[Any]]:
    """The metric as a function of the threshold, and the scores from the highest to the lowest."""
    check_parameters("metric_at_thresholds", locals())
    true, score, weights = _sortable_columns(y_true, y_score, sample_weight)
    if weights is not None:
        kept = weights != 0
        true, score, weights = true[kept], score[kept], weights[kept]
    # Descending, rows of one score in their order.
    order = (len(score) - 1 - np.argsort(score[::-1], kind="stable"))[::-1]
    true, score = true[order], score[order]
    options = dict(metric_params or {})
    if weights is not None:
        options["sample_weight"] = weights[order]
    return lambda threshold: metric_func(true, (score >= threshold).astype(np.int32), **options), score


# Areas ---------------------------------------------------------------------------------------------------------------


def roc_auc_score(
    y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: Any, multi_class: Any, labels: Any
) -> Any:
    check_parameters("roc_auc_score", locals())
    kind = type_of_target(y_true, "y_true")
    true = check_array(y_true, ensure_2d=False, dtype=None)
    score = check_array(y_score, ensure_2d=False)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)

    def binary(true: NDArray[Any], score: NDArray[Any], sample_weight: Any) -> float:
        if len(np.unique(true)) != 2:
            warn_undefined(_areas.ONE_CLASS)
            return np.nan
        true, weights = _positives(true, None), _weights(sample_weight, true)
        _check_order(score)
        return _binary_roc_auc(true, as_numbers(score, "y_score"), weights, max_fpr)

    if kind == "multiclass" or (kind == "binary" and score.ndim == 2 and score.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1.0:
            raise InputError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, "
                f"received `max_fpr={max_fpr}` instead"
            )
        if multi_class == "raise":
            raise InputError("multi_class must be in ('ovo', 'ovr')")
        classes = _check_classes(true, score, average, sample_weight, multi_class, labels)
        codes = np.searchsorted(classes, true.ravel())
        places = np.arange(len(classes))
        if sample_weight is not None:
            sample_weight = as_numbers(sample_weight)
        if sample_weight is not None and is_signed(check_sample_weight(sample_weight, true)):
            truth = (codes[:, np.newaxis] == places).astype(np.int64)
            return _each_column(binary, truth, score, average, sample_weight)
        return _areas.of_classes(codes, score, average, sample_weight, multi_class, places, False)
    if kind == "binary":
        found = np.unique(true)
        if len(found) == 2:
            check_consistent_length(true, score, sample_weight)
            true, score = flattened(true), flattened(score)
        return binary(np.asarray(true == found[-1], dtype=np.int64), score, sample_weight)
    _check_indicator(kind)
    check_consistent_length(true, score, sample_weight)
    if score.ndim < 2:
        raise not_two_dimensional(y_score, score)
    if score.dtype == object:
        score = check_array(score)  # scikit-learn turns a list of objects into floats only now
    return _each_column(binary, true, score, average, sample_weight)


def _binary_roc_auc(
    true: NDArray[Any], score: NDArray[Any], weights: NDArray[Any] | None, max_fpr: float | None
) -> float:
    if weights is None or not is_signed(weights):
        found: Any = _rocksteady.roc_auc(true, score, weights, None if max_fpr is None else float(max_fpr))
        area, positives, negatives, _ = found
        _areas.warn_of_totals(positives, negatives)
        return float(area)
    (fpr, tpr, _), totals = SignedTotalsState.sweep(true, score, weights).roc_curve(True)
    _areas.warn_of_totals(*totals)
    if max_fpr is None or max_fpr == 1:
        return _trapezoids(fpr, tpr)
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    end = np.interp(max_fpr, [fpr[stop - 1], fpr[stop]], [tpr[stop - 1], tpr[stop]])
    part = _trapezoids(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], end))
    least = 0.5 * max_fpr**2
    return 0.5 * (1 + (part - least) / (max_fpr - least))


def _check_classes(
    y_true: NDArray[Any], y_score: NDArray[Any], average: Any, sample_weight: Any, multi_class: str, labels: Any
) -> NDArray[Any]:
    """The classes of the columns, after scikit-learn's checks."""
    if y_score.ndim != 2:
        raise not_of_classes(y_score.shape)
    if not np.allclose(1, y_score.sum(axis=1)):
        raise InputError(_NOT_PROBABILITIES)
    options = ("micro", "macro", "weighted", None) if multi_class == "ovr" else ("macro", "weighted", None)
    if average not in options:
        raise InputError(f"average must be one of {options} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedInputError("average=None is not implemented for multi_class='ovo'.")
    if labels is not None:
        given = column_or_1d(labels)
        classes: NDArray[Any] = np.unique(given)
        if len(classes) != len(given):
            raise InputError("Parameter 'labels' must be unique")
        if not np.array_equal(classes, given):
            raise InputError("Parameter 'labels' must be ordered")
        if len(classes) != y_score.shape[1]:
            raise InputError(
                f"Number of given labels, {len(classes)}, not equal to the number of columns in 'y_score', "
                f"{y_score.shape[1]}"
            )
        if len(np.setdiff1d(y_true, classes)):
            raise InputError("'y_true' contains labels not in parameter 'labels'")
    else:
        classes = np.unique(y_true)
        if len(classes) != y_score.shape[1]:
            raise InputError("Number of classes in y_true not equal to the number of columns in 'y_score'")
    if multi_class == "ovo" and sample_weight is not None:
        raise InputError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this "
            "case."
        )
    check_consistent_length(y_true, y_score, sample_weight)
    return classes


def average_precision_score(y_true: Any, y_score: Any, average: Any, pos_label: Any, sample_weight: Any) -> Any:
    check_parameters("average_precision_score", locals())
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    kind = type_of_target(y_true, "y_true")
    present = np.unique(np.asarray(y_true))
    if kind == "binary":
        if len(present) == 2 and pos_label not in present:
            raise InputError(f"pos_label={pos_label} is not a valid label. It should be one of {present}")
        columns = _columns(y_true, y_score, pos_label, sample_weight)
        return _areas.average_precision(*_precision_of("average_precision", columns))
    if kind in ("multilabel-indicator", "multiclass"):
        if pos_label != 1:
            raise InputError(
                f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
            )
        if kind == "multiclass":
            true = column_or_1d(y_true)
            shape = np.shape(y_score)
            if shape != (len(true), len(present)):
                raise not_of_classes(shape)
            y_true = (true[:, np.newaxis] == present).astype(np.int64)
            kind = "multilabel-indicator"
    _check_indicator(kind)

    def binary(true: NDArray[Any], score: NDArray[Any], sample_weight: Any) -> float:
        true, weights = _positives(true, pos_label), _weights(sample_weight, true)
        _check_order(score)
        columns = (true, as_numbers(score, "y_score"), weights)
        return _areas.average_precision(*_precision_of("average_precision", columns))

    check_consistent_length(y_true, y_score, sample_weight)
    return _each_column(binary, check_array(y_true), check_array(y_score), average, sample_weight)


def _check_indicator(kind: str) -> None:
    if kind != "multilabel-indicator":
        raise InputError(f"{kind} format is not supported")


def _each_column(
    binary: Callable[[NDArray[Any], NDArray[Any], Any], float],
    true: NDArray[Any],
    score: NDArray[Any],
    average: Any,
    sample_weight: Any,
) -> Any:
    """The average of a binary metric over columns, or over rows, one by one."""
    score_weight, average_weight, axis = sample_weight, None, 1
    if average == "micro":
        if score_weight is not None:
            score_weight = np.repeat(score_weight, true.shape[1])
        true, score = true.ravel()[:, np.newaxis], score.ravel()[:, np.newaxis]
    elif average == "weighted":
        weighed = true if score_weight is None else true * np.reshape(score_weight, (-1, 1))
        average_weight = np.sum(weighed, axis=0)
        if np.isclose(np.sum(average_weight), 0):
            return 0
    elif average == "samples":
        score_weight, average_weight, axis = None, sample_weight, 0
    values = np.zeros(score.shape[axis])
    for place in range(len(values)):
        values[place] = binary(true.take(place, axis=axis), score.take(place, axis=axis), score_weight)
    return values if average is None else _areas.mean(values, average_weight)
