"""scikit-learn's areas under curves: of two classes, of several, of labels that go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.errors import InputError
from rocksteady.metrics import _areas
from rocksteady.metrics._drop_in import drop_in
from rocksteady.metrics._sharing import current, share
from rocksteady.metrics._warning import warn, warn_undefined

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_AVERAGES = ("macro", "micro", "samples", "weighted", None)
_MODES = ("raise", "ovr", "ovo")


def _roc_auc(
    y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: Any, multi_class: Any, labels: Any
) -> Any:
    """The area, where all options are plain."""
    if max_fpr is not None and not (type(max_fpr) in (float, int) and 0 < max_fpr <= 1):
        return None
    if multi_class not in _MODES or average not in _AVERAGES:
        return None
    if getattr(y_score, "ndim", 1) != 2:
        found = None if labels is not None else _rocksteady.roc_auc(y_true, y_score, sample_weight, max_fpr)
        if found is None:
            return None
        area, positives, negatives, classes = found
        if positives == 0 or negatives == 0:
            _areas.warn_of_column(positives, negatives, classes == 2)
        return area
    if getattr(y_true, "ndim", 1) == 2:
        return None if labels is not None else _labels_roc_auc(y_true, y_score, average, sample_weight, max_fpr or 1.0)
    if multi_class == "raise" or average == "samples" or max_fpr not in (None, 1.0) or y_score.shape[1] < 3:
        return None
    if multi_class == "ovo" and (sample_weight is not None or average not in ("macro", "weighted")):
        return None
    return _areas.of_classes(y_true, y_score, average, sample_weight, multi_class, labels, True)


def _labels_roc_auc(y_true: Any, y_score: Any, average: Any, sample_weight: Any, max_fpr: float) -> Any:
    if average != "samples":
        columns = _rocksteady.label_areas(y_true, y_score, sample_weight, max_fpr, average == "micro")
        return _areas.roc_average(columns, average)
    if max_fpr != 1.0 or y_score.shape[1] < 2:
        return None
    each = _rocksteady.listwise_each("roc_area", y_true, y_score, None, 2.0, False)
    for _ in range(int(np.isnan(each).sum())):
        warn_undefined(_areas.ONE_CLASS)
    return _areas.mean(each, sample_weight)


@drop_in
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
        Labels of two classes, the greater of which is positive; labels of several classes; or an indicator.
    y_score : array-like of shape (n,) or (n, K)
        Finite scores; of several classes probabilities, whose columns are in the order of the classes.
    average : {"macro", "micro", "samples", "weighted"} or None
        How to average several areas. "macro": their mean. "micro": the area of all decisions pooled. "samples": the
        mean over rows. "weighted": the mean weighted by prevalence. None: all of them. Ignored with two classes.
    sample_weight : array-like of shape (n,), optional
        Finite weights.
    max_fpr : float in (0, 1], optional
        The standardized partial area up to this false positive rate.
    multi_class : {"raise", "ovr", "ovo"}
        With several classes: "ovr" is one against the rest, "ovo" one against one.
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
    try:
        answer = _roc_auc(y_true, y_score, average, sample_weight, max_fpr, multi_class, labels)
    except InputError as refusal:
        if max_fpr is not None or getattr(y_score, "ndim", 1) != 1:
            raise
        (fpr, tpr, _), totals = _areas.signed_totals(y_true, y_score, None, sample_weight, refusal).roc_curve(True)
        _areas.warn_of_totals(*totals)
        return _areas.trapezoids(fpr, tpr)
    if answer is None:
        raise _areas.unanswered()
    return answer


def _average_precision(y_true: Any, y_score: Any, average: Any, pos_label: Any, sample_weight: Any) -> Any:
    """Average precision, where all options are plain."""
    if average not in _AVERAGES:
        return None
    if getattr(y_score, "ndim", 1) == 2:
        return _several_precisions(y_true, y_score, average, pos_label, sample_weight)
    read = _rocksteady.average_precision if current() is None else _shared_precision
    found = read(y_true, y_score, pos_label, sample_weight)
    return None if found is None else _areas.average_precision(*found)


def _shared_precision(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> tuple[float, float] | None:
    """From a table that other metrics of the same arguments read too."""
    state = share(_rocksteady.ScoreState.sweep, y_true, y_score, None, sample_weight, "raise", "raise")
    found = [label for label in state.labels() if label is not None]
    if (len(found) == 2 and pos_label not in found) or isinstance(found[0], str) or not any(state.totals):
        return None
    positives, area = state.average_precision(pos_label)
    return area, positives


def _several_precisions(y_true: Any, y_score: Any, average: Any, pos_label: Any, sample_weight: Any) -> Any:
    """Of several classes, or of labels that go together."""
    if pos_label != 1:
        return None
    labels, pooled = getattr(y_true, "ndim", 1) == 2, average == "micro"
    if average == "samples":
        return _row_precision(y_true, y_score, sample_weight) if labels and y_score.shape[1] > 1 else None
    columns: Any
    if labels:
        columns = _rocksteady.label_areas(y_true, y_score, sample_weight, None, pooled)
    elif y_score.shape[1] > 2:
        columns = _rocksteady.class_areas(y_true, y_score, None, sample_weight, None, pooled, False)
    else:
        return None
    if columns is None:
        return None
    areas, positives, negatives, _ = columns
    if average == "weighted" and np.isclose(positives.sum(), 0):
        return 0
    if not (positives + negatives).any():
        return None
    for column in np.nonzero(positives == 0)[0]:
        areas[column] = _areas.average_precision(0.0, 0.0)
    return _areas.of_columns(areas, positives, average)


def _row_precision(y_true: Any, y_score: Any, sample_weight: Any) -> float:
    each = _rocksteady.listwise_each("average_precision", y_true, y_score, None, 2.0, False)
    nothing = ~np.asarray(y_true).any(axis=1)
    for _ in range(int(nothing.sum())):
        warn(_areas.NO_POSITIVE)
    each[nothing] = 0.0
    return _areas.mean(each, sample_weight)


@drop_in
def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "micro", "samples", "weighted"] | None = "macro",
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> Any:
    """Average precision: the area under the precision-recall step curve; 0 where there are no positives.

    Formula: Σ_i (R_i − R_{i−1}) P_i over the distinct thresholds, high to low. Source: Manning, Raghavan & Schütze
    2008, Introduction to Information Retrieval, section 8.4.

    Parameters
    ----------
    y_true : array-like of shape (n,) or (n, K)
        Labels of two classes; of several, each of which is taken against the rest; or an indicator of labels that go
        together.
    y_score : array-like of shape (n,) or (n, K)
        Finite scores; the columns of several classes are in their order.
    average : {"macro", "micro", "samples", "weighted"} or None
        How to average several classes. "macro": the mean. "micro": all decisions pooled. "samples": the mean over rows.
        "weighted": the mean weighted by prevalence. None: all of them. Ignored with two classes.
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
    try:
        answer = _average_precision(y_true, y_score, average, pos_label, sample_weight)
    except InputError as refusal:
        if getattr(y_score, "ndim", 1) != 1:
            raise
        sums = _areas.signed_totals(y_true, y_score, pos_label, sample_weight, refusal)
        return _areas.average_precision(*sums.average_precision())
    if answer is None:
        raise _areas.unanswered()
    return answer
