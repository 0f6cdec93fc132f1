"""scikit-learn's areas under curves: of two classes, of several, of labels that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.metrics import _signed
from rocksteady.metrics._curves import (
    TEXT,
    UNSURE,
    binary_arguments,
)
from rocksteady.metrics._parameters import check_parameters
from rocksteady.metrics._sharing import current, share
from rocksteady.metrics._signed import NO_NEGATIVES, NO_POSITIVE, NO_POSITIVES, is_signed
from rocksteady.metrics._validation import (
    as_numbers,
    check_array,
    check_consistent_length,
    check_sample_weight,
    column_or_1d,
    no_weight,
    refuse_bytes,
    type_of_target,
    warn,
    warn_undefined,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

_AVERAGES = ("macro", "micro", "samples", "weighted", None)
_MODES = ("raise", "ovr", "ovo")

_ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
_NOT_PROBABILITIES = (
    "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
)

_Columns = tuple["NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.float64]", "NDArray[np.bool_]"]


class NotImplementedInputError(InputError, NotImplementedError):
    """What scikit-learn does not do either."""


# The area under the ROC curve ----------------------------------------------------------------------------------------


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "micro", "samples", "weighted"] | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    labels: ArrayLike | None = None,
) -> Any:
    """The area under the receiver operating characteristic; NaN where a class is absent.

    Formula: P(score⁺ > score⁻) + ½ P(score⁺ = score⁻), from an exact integer number of pairs. Source: Hanley & McNeil
    1982, doi 10.1148/radiology.143.1.7063747; with `max_fpr`, McClish 1989, doi 10.1177/0272989X8900900307; one class
    against the rest, Provost & Domingos 2000; one against one, Hand & Till 2001, doi 10.1023/A:1010920819831.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, K)
        Labels of two classes, of which the greater is positive; of several; or an indicator of labels that go together.
    y_score : array-like of shape (n,) or (n, K)
        Finite scores; of several classes probabilities, whose columns are in the order of the classes.
    average : {"macro", "micro", "samples", "weighted"} or None
        Of more than one area: their mean, the area of all decisions together, the mean over rows, the mean weighted by
        prevalence, or all of them. Ignored with two classes.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    max_fpr : float in (0, 1], optional
        The standardized partial area up to this false positive rate.
    multi_class : {"raise", "ovr", "ovo"}
        Several classes: one against the rest, or one against one.
    labels : array-like of shape (K,), optional
        The classes of the columns, ascending. Default: those that occur.

    Returns
    -------
    float, or ndarray of shape (K,) with ``average=None``
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> scores = [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8], [0.2, 0.4, 0.4]]
    >>> round(roc_auc_score([0, 1, 2, 2], scores, multi_class="ovr"), 6)
    0.722222
    """
    several = getattr(y_score, "ndim", 1) == 2
    if labels is not None:
        check_parameters("roc_auc_score", {"labels": labels})
    plain = max_fpr is None or (type(max_fpr) is float and 0 < max_fpr <= 1)
    if plain and multi_class in _MODES and average in _AVERAGES and (several or labels is None):
        try:
            if several:
                return _several(y_true, y_score, average, sample_weight, max_fpr, multi_class, labels)
            area, positives, negatives, classes, status = _rocksteady.roc_auc(y_true, y_score, sample_weight, max_fpr)
        except RocksteadyError:
            status = UNSURE
        if status == TEXT:
            refuse_bytes(y_true)
            status = 0
        if not status:
            if negatives == 0 or positives == 0:
                _warn_of_column(positives, negatives, classes == 2)
            return area
    check_parameters(
        "roc_auc_score",
        {
            "y_true": y_true,
            "y_score": y_score,
            "average": average,
            "sample_weight": sample_weight,
            "max_fpr": max_fpr,
            "multi_class": multi_class,
            "labels": labels,
        },
    )
    return _checked_roc_auc(y_true, y_score, average, sample_weight, max_fpr, multi_class, labels)


def _warn_of_column(positives: float, negatives: float, both: bool) -> None:
    """Says why the area of a column is undefined."""
    if not both:
        warn_undefined(_ONE_CLASS)
    elif positives == 0 and negatives == 0:
        no_weight()
    elif negatives == 0:
        warn_undefined(NO_NEGATIVES)
    elif positives == 0:
        warn_undefined(NO_POSITIVES)


def _several(
    y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: float | None, multi_class: str, labels: Any
) -> Any:
    """Several classes, or labels that go together; a `RocksteadyError` where the arguments must be looked at."""
    if getattr(y_true, "ndim", 1) == 2:
        return _labels_roc_auc(y_true, y_score, average, sample_weight, max_fpr or 1.0)
    if multi_class == "raise" or average == "samples" or max_fpr not in (None, 1.0) or y_score.shape[1] < 3:
        raise InputError("not several classes")
    return _classes_roc_auc(y_true, y_score, average, sample_weight, multi_class, labels)


def _classes_roc_auc(
    y_true: Any,
    y_score: Any,
    average: Any,
    sample_weight: Any,
    multi_class: str,
    labels: Any,
    *,
    checked: bool = False,
) -> Any:
    """One class against the rest, or against one. `checked` where rows of scores are known to add up to 1."""
    if multi_class == "ovo":
        if sample_weight is not None or average not in ("macro", "weighted"):
            raise InputError("not one against one")
        areas, rows, status = _rocksteady.pair_areas(y_true, y_score, labels, not checked)
        _check_status(status, y_true)
        if average == "macro":
            return np.average(areas)
        return np.average(areas, weights=rows / len(y_score))
    pooled = average == "micro"
    columns, status = _rocksteady.class_areas(y_true, y_score, labels, sample_weight, 1.0, pooled, not checked)
    _check_status(status, y_true)
    return _roc_average(columns, average)


def _labels_roc_auc(y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: float) -> Any:
    if average == "samples":
        if max_fpr != 1.0:
            raise InputError("not the whole area")
        each = _rocksteady.listwise_each("roc_area", y_true, y_score, None, 2.0, False)
        if y_score.shape[1] < 2:
            raise InputError("not several labels")
        undefined = np.isnan(each)
        for _ in range(int(undefined.sum())):
            warn_undefined(_ONE_CLASS)
        return _mean(each, sample_weight)
    return _roc_average(_rocksteady.label_areas(y_true, y_score, sample_weight, max_fpr, average == "micro"), average)


def _check_status(status: int, y_true: Any) -> None:
    if status == TEXT:
        refuse_bytes(y_true)
    elif status:
        raise InputError("not plain labels")


def _roc_average(columns: _Columns, average: Any) -> Any:
    """The average of columns' areas, after what there is to say of columns whose area is undefined."""
    areas, positives, negatives, both = columns
    if average == "weighted" and np.isclose(positives.sum(), 0):
        return 0
    if np.isnan(areas).any():
        for column in zip(positives, negatives, both, strict=True):
            if column[0] == 0 or column[1] == 0:
                _warn_of_column(*column)
    return _of_columns(areas, positives, average)


def _of_columns(areas: NDArray[np.float64], positives: NDArray[np.float64], average: Any) -> Any:
    if average is None:
        return areas
    return _mean(areas, positives) if average == "weighted" else float(np.average(areas))


def _mean(values: NDArray[np.float64], weights: Any) -> float:
    if weights is None:
        return float(np.average(values))
    check_consistent_length(values, weights)
    weights = np.asarray(weights)
    values[weights == 0] = 0
    return float(np.average(values, weights=weights))


def _checked_roc_auc(
    y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: Any, multi_class: str, labels: Any
) -> Any:
    """The area after scikit-learn's checks, in its order."""
    kind = type_of_target(y_true, "y_true")
    true = check_array(y_true, ensure_2d=False, dtype=None)
    score = check_array(y_score, ensure_2d=False)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)

    def binary(true: Any, score: Any, weights: Any) -> float:
        if len(np.unique(true)) != 2:
            warn_undefined(_ONE_CLASS)
            return np.nan
        true, score, weights = binary_arguments(true, score, None, weights)
        if is_signed(weights):
            return _signed.roc_auc(true, as_numbers(score), weights, max_fpr)
        area, positives, negatives, _, _ = _rocksteady.roc_auc(
            true, as_numbers(score), weights, None if max_fpr is None else float(max_fpr)
        )
        _warn_of_column(positives, negatives, True)
        return area

    if kind == "multiclass" or (kind == "binary" and score.ndim == 2 and score.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1.0:
            raise InputError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, received "
                f"`max_fpr={max_fpr}` instead"
            )
        if multi_class == "raise":
            raise InputError("multi_class must be in ('ovo', 'ovr')")
        classes = _check_classes(true, score, average, sample_weight, multi_class, labels)
        codes = np.searchsorted(classes, true.ravel())
        places = np.arange(len(classes))
        if sample_weight is not None:
            check_consistent_length(true, score, sample_weight)
            if is_signed(check_sample_weight(sample_weight, true)):
                each = (codes[:, np.newaxis] == places).astype(np.int64)
                return _each_column(binary, "multilabel-indicator", each, score, average, sample_weight)
        return _classes_roc_auc(codes, score, average, sample_weight, multi_class, places, checked=True)

    if kind == "binary":
        found = np.unique(true)
        ranked = true == found[1] if len(found) == 2 else np.zeros_like(true, dtype=bool)
        return binary(np.asarray(ranked, dtype=np.int64), score, sample_weight)
    return _each_column(binary, kind, true, score, average, sample_weight)


def _check_classes(
    y_true: NDArray[Any], y_score: NDArray[Any], average: Any, sample_weight: Any, multi_class: str, labels: Any
) -> NDArray[Any]:
    """The classes of the columns, after scikit-learn's checks."""
    if y_score.ndim != 2:
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={y_score.shape}`."
        )
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
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this case."
        )
    check_consistent_length(y_true, y_score)
    return classes


def _each_column(
    binary: Callable[[Any, Any, Any], float], kind: str, y_true: Any, y_score: Any, average: Any, sample_weight: Any
) -> Any:
    """The average of a binary metric over columns, or over rows, one by one; after scikit-learn's checks."""
    if kind == "binary":
        return binary(y_true, y_score, sample_weight)
    if kind != "multilabel-indicator":
        raise InputError(f"{kind} format is not supported")
    check_consistent_length(y_true, y_score, sample_weight)
    true, score = check_array(y_true), check_array(y_score)
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
    return values if average is None else _mean(values, average_weight)


# Average precision ---------------------------------------------------------------------------------------------------


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "micro", "samples", "weighted"] | None = "macro",
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Average precision: the area under the precision-recall step curve; 0 where there are no positives.

    Formula: Σ_i (R_i − R_{i−1}) P_i over the distinct thresholds, high to low. Source: Manning, Raghavan & Schütze 2008,
    Introduction to Information Retrieval, section 8.4.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, K)
        Labels of two classes; of several, each of which is taken against the rest; or an indicator of labels that go
        together.
    y_score : array-like of shape (n,) or (n, K)
        Finite scores; the columns of several classes are in their order.
    average : {"macro", "micro", "samples", "weighted"} or None
        Of more than one class: the mean, all decisions together, the mean over rows, the mean weighted by prevalence,
        or all of them. Ignored with two classes.
    pos_label : label
        The positive class of two.
    sample_weight : array-like of shape (n,), optional
        Finite weights.

    Returns
    -------
    float, or ndarray of shape (K,) with ``average=None``
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does.

    Examples
    --------
    >>> from rocksteady.metrics import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    several = getattr(y_score, "ndim", 1) == 2
    if average in _AVERAGES:
        try:
            if several:
                return _several_precisions(y_true, y_score, average, pos_label, sample_weight)
            if current() is None:
                area, positives, total, status = _rocksteady.average_precision(
                    y_true, y_score, pos_label, sample_weight
                )
            else:
                area, positives, total, status = _shared_precision(y_true, y_score, pos_label, sample_weight)
        except RocksteadyError:
            status = UNSURE
        if status == TEXT and isinstance(pos_label, str):
            refuse_bytes(y_true)
            status = 0
        if not status:
            if positives == 0:
                if total == 0:
                    no_weight()
                warn(NO_POSITIVE)
            return area
    check_parameters(
        "average_precision_score",
        {
            "y_true": y_true,
            "y_score": y_score,
            "average": average,
            "pos_label": pos_label,
            "sample_weight": sample_weight,
        },
    )
    return _checked_precision(y_true, y_score, average, pos_label, sample_weight)


def _shared_precision(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> tuple[float, float, float, int]:
    """From a table that other metrics of the same arguments read too."""
    state = share(_rocksteady.ScoreState.sweep, y_true, y_score, None, sample_weight, "raise", "raise")
    found = [label for label in state.labels() if label is not None]
    if len(found) == 2 and pos_label not in found:
        raise InputError("not a label")
    positives, area = state.average_precision(pos_label)
    return area, positives, sum(state.totals), UNSURE if isinstance(found[0], str) else 0


def _several_precisions(y_true: Any, y_score: Any, average: Any, pos_label: Any, sample_weight: Any) -> Any:
    """Several classes, or labels that go together; a `RocksteadyError` where the arguments must be looked at."""
    if pos_label != 1:
        raise InputError("not several classes")
    labels = getattr(y_true, "ndim", 1) == 2
    if average == "samples":
        if not labels or y_score.shape[1] < 2:
            raise InputError("not labels that go together")
        return _row_precision(y_true, y_score, sample_weight)
    pooled = average == "micro"
    if labels:
        columns = _rocksteady.label_areas(y_true, y_score, sample_weight, None, pooled)
    else:
        if y_score.shape[1] < 3:
            raise InputError("not several classes")
        columns, status = _rocksteady.class_areas(y_true, y_score, None, sample_weight, None, pooled, False)
        _check_status(status, y_true)
    areas, positives, negatives, _ = columns
    if average == "weighted" and np.isclose(positives.sum(), 0):
        return 0
    if (positives + negatives == 0).any():
        no_weight()
    for column in np.nonzero(positives == 0)[0]:
        areas[column] = 0.0
        warn(NO_POSITIVE)
    return _of_columns(areas, positives, average)


def _row_precision(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    each = _rocksteady.listwise_each("average_precision", y_true, y_score, None, 2.0, False)
    nothing = ~np.asarray(y_true).any(axis=1)
    for _ in range(int(nothing.sum())):
        warn(NO_POSITIVE)
    each[nothing] = 0.0
    return _mean(each, sample_weight)


def _checked_precision(y_true: Any, y_score: Any, average: Any, pos_label: Any, sample_weight: Any) -> Any:
    """Average precision after scikit-learn's checks, in its order."""
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    kind = type_of_target(y_true, "y_true")
    present = np.unique(np.asarray(y_true))
    if kind == "binary":
        if len(present) == 2 and pos_label not in present:
            raise InputError(f"pos_label={pos_label} is not a valid label. It should be one of {present}")
    elif kind in ("multilabel-indicator", "multiclass"):
        if pos_label != 1:
            raise InputError(
                f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
            )
        if kind == "multiclass":
            true = column_or_1d(y_true)
            shape = np.shape(y_score)
            if shape != (len(true), len(present)):
                raise InputError(
                    "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
                    f"`y_score.shape={shape}`."
                )
            y_true = (true[:, np.newaxis] == present).astype(np.int64)
            kind = "multilabel-indicator"

    def binary(true: Any, score: Any, weights: Any) -> float:
        true, score, weights = binary_arguments(true, score, pos_label, weights)
        if is_signed(weights):
            return _signed.average_precision(true, as_numbers(score), weights)
        area, positives, total, _ = _rocksteady.average_precision(true, as_numbers(score), 1, weights)
        if positives == 0:
            if total == 0:
                no_weight()
            warn(NO_POSITIVE)
        return area

    return _each_column(binary, kind, y_true, y_score, average, sample_weight)
