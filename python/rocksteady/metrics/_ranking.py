"""scikit-learn's metrics of scores, read from one score table, or from the rank sum alone."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.metrics._sharing import share
from rocksteady.metrics._validation import (
    as_array,
    check_flag,
    check_fraction,
    check_label,
    check_option,
    no_weight,
    ranking_arguments,
    target_type,
    warn_undefined,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_AVERAGES = ("macro", "micro", "samples", "weighted", None)


def _sweep(function: str, y_true: Any, y_score: Any, sample_weight: Any) -> _rocksteady.ScoreState:
    """The score table of two labels at most."""
    try:
        state = share(_rocksteady.ScoreState.sweep, y_true, y_score, None, sample_weight, "raise", "raise")
    except RocksteadyError:
        true, score, weights = ranking_arguments(function, y_true, y_score, sample_weight)
        state = _rocksteady.ScoreState.sweep(true, score, None, weights, "raise", "raise")
    if state.totals == (0.0, 0.0):
        no_weight()
    return state


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The receiver operating characteristic: false and true positive rate at every threshold.

    Formula: FPR = FP / (FP + TN), TPR = TP / (TP + FN), predicting positive at ``score >= threshold``.
    Source: Fawcett 2006, doi 10.1016/j.patrec.2005.10.010.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        True labels; {0, 1} or {-1, 1} unless `pos_label` is given.
    y_score : array-like of shape (n,)
        Finite scores.
    pos_label : label, optional
        The positive class; every other label is negative.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative; rows of weight 0 are left out.
    drop_intermediate : bool
        Leave out points on a straight line between their neighbours.

    Returns
    -------
    fpr, tpr, thresholds : ndarray of shape (m,), float64
        Entry i: rates at ``score >= thresholds[i]``; the first threshold is infinity.

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import roc_curve
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist(), thresholds.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0], [inf, 0.8, 0.4, 0.35, 0.1])
    """
    check_flag("roc_curve", "drop_intermediate", drop_intermediate)
    if pos_label is not None:
        check_label("roc_curve", "pos_label", pos_label)
    try:
        curve, totals, labels = _rocksteady.roc_curve(y_true, y_score, pos_label, sample_weight, drop_intermediate)
    except RocksteadyError:
        accepted = ("binary",) if pos_label is None else ("binary", "multiclass")
        true, score, weights = ranking_arguments("roc_curve", y_true, y_score, sample_weight, accepted)
        curve, totals, labels = _rocksteady.roc_curve(true, score, pos_label, weights, drop_intermediate)
    if pos_label is None:
        _check_usual_labels(labels)
    positives, negatives = totals
    if positives == negatives == 0:
        no_weight()
    if negatives <= 0:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if positives <= 0:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")
    return curve


def _check_usual_labels(labels: tuple[Any, Any]) -> None:
    """Without `pos_label`, the labels must be {0, 1} or {-1, 1}, or one of these alone."""
    found = [label for label in labels if label is not None]
    usual = not any(isinstance(label, str) for label in found) and (set(found) in ({0, 1}, {-1, 1}, {0}, {-1}, {1}))
    if not usual:
        listed = ", ".join(repr(label) for label in found)
        raise InputError(
            f"y_true takes value in {{{listed}}} and pos_label is not specified: either make y_true take value in "
            "{0, 1} or {-1, 1} or pass pos_label explicitly."
        )


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "micro", "samples", "weighted"] | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: Literal["raise", "ovr", "ovo"] = "raise",
    labels: ArrayLike | None = None,
) -> float:
    """The area under the receiver operating characteristic of two classes; NaN where one is absent.

    Formula: P(score⁺ > score⁻) + ½ P(score⁺ = score⁻), from an exact integer number of pairs. Source: Hanley & McNeil
    1982, doi 10.1148/radiology.143.1.7063747; with `max_fpr`, McClish 1989, doi 10.1177/0272989X8900900307.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two kinds of labels; the greater is positive.
    y_score : array-like of shape (n,)
        Finite scores.
    average, multi_class, labels
        For more than two classes, which are refused so far; ignored with two, as in scikit-learn.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.
    max_fpr : float in (0, 1], optional
        The standardized partial area up to this false positive rate.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import roc_auc_score
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    check_option("roc_auc_score", "average", average, _AVERAGES)
    check_option("roc_auc_score", "multi_class", multi_class, ("raise", "ovr", "ovo"))
    if max_fpr is not None:
        check_fraction("roc_auc_score", "max_fpr", max_fpr)
    if labels is not None:
        as_array(labels, "roc_auc_score", "labels")
    try:
        area, positives, negatives, classes = _rocksteady.roc_auc(y_true, y_score, sample_weight, max_fpr)
    except RocksteadyError:
        if multi_class == "raise" and target_type(y_true, "roc_auc_score") == "multiclass":
            raise InputError("multi_class must be in ('ovo', 'ovr')") from None
        true, score, weights = ranking_arguments("roc_auc_score", y_true, y_score, sample_weight)
        area, positives, negatives, classes = _rocksteady.roc_auc(true, score, weights, max_fpr)
    if classes < 2:
        warn_undefined("Only one class is present in y_true. ROC AUC score is not defined in that case.")
    elif positives == 0 and negatives == 0:
        no_weight()
    elif negatives == 0:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    elif positives == 0:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")
    return area


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "micro", "samples", "weighted"] | None = "macro",
    pos_label: object = 1,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Average precision: the area under the precision-recall step curve of two classes.

    Formula: Σ_i (R_i − R_{i−1}) P_i over the distinct thresholds, high to low; 0 where there are no positives.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two kinds of labels.
    y_score : array-like of shape (n,)
        Finite scores.
    average
        For more than two classes, which are refused so far; ignored with two, as in scikit-learn.
    pos_label : label
        The positive class.
    sample_weight : array-like of shape (n,), optional
        Finite and not negative.

    Returns
    -------
    float
        In [0, 1].

    Raises
    ------
    ValueError
        As scikit-learn 1.9 does, and for negative weights.

    Examples
    --------
    >>> from rocksteady.metrics import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    check_option("average_precision_score", "average", average, _AVERAGES)
    check_label("average_precision_score", "pos_label", pos_label)
    state = _sweep("average_precision_score", y_true, y_score, sample_weight)
    found = state.labels()
    if None not in found and pos_label not in found:
        raise InputError(f"pos_label={pos_label} is not a valid label. It should be one of {np.array(sorted(found))}")
    positives, area = state.average_precision(pos_label)
    if positives <= 0:
        warnings.warn(
            "No positive class found in y_true, recall is set to one for all thresholds.",
            UserWarning,
            stacklevel=2,
        )
    return area
