"""fairlearn's own metrics, under its names and signatures: for a group, or for all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import wrong_value
from rocksteady.base.containers import same_rows
from rocksteady.base.named_columns import refused_as
from rocksteady.fairness.features import counted, side_by_side
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def true_positive_rate(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, pos_label: Any = None
) -> float:
    """The share of the positive rows that is predicted positive: tp / (tp + fn).

    Parameters
    ----------
    y_true, y_pred : array-like
        Actual and predicted labels.
    sample_weight : array-like, optional
        A weight for each row.
    pos_label : label, optional
        The positive label. Without it the labels must be of {0, 1} or {-1, 1}, and 1 is positive.

    Returns
    -------
    float
        In [0, 1]; 0 without positive rows, as in fairlearn. The index "recall" has no value there.

    Raises
    ------
    rocksteady.InputError
        For more than two labels, and for other labels without a `pos_label`.

    >>> from rocksteady.fairness import true_positive_rate
    >>> true_positive_rate([1, 1, 0, 0], [1, 0, 0, 1])
    0.5
    """
    return _rate("recall", y_true, y_pred, sample_weight, pos_label)


def true_negative_rate(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, pos_label: Any = None
) -> float:
    """The share of the negative rows that is predicted negative: tn / (tn + fp); see `true_positive_rate`.

    >>> from rocksteady.fairness import true_negative_rate
    >>> true_negative_rate([1, 1, 0, 0, 0], [1, 0, 0, 0, 1], sample_weight=[1, 1, 1, 2, 1])
    0.75
    """
    return _rate("specificity", y_true, y_pred, sample_weight, pos_label)


def false_positive_rate(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, pos_label: Any = None
) -> float:
    """The share of the negative rows that is predicted positive: fp / (fp + tn); see `true_positive_rate`.

    >>> from rocksteady.fairness import false_positive_rate
    >>> false_positive_rate(["no", "no", "yes"], ["yes", "no", "no"], pos_label="yes")
    0.5
    """
    return _rate("fpr", y_true, y_pred, sample_weight, pos_label)


def false_negative_rate(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None, pos_label: Any = None
) -> float:
    """The share of the positive rows that is predicted negative: fn / (fn + tp); see `true_positive_rate`.

    >>> from rocksteady.fairness import false_negative_rate
    >>> false_negative_rate([0, 0], [0, 1])
    0.0
    """
    return _rate("fnr", y_true, y_pred, sample_weight, pos_label)


def selection_rate(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any = 1, sample_weight: ArrayLike | None = None
) -> float:
    """The share of rows that is predicted positive.

    Parameters
    ----------
    y_true : array-like
        Not used.
    y_pred : array-like
        Predicted labels, two or more.
    pos_label : label
        The positive label.
    sample_weight : array-like, optional
        A weight for each row.

    Returns
    -------
    float
        In [0, 1]; NaN where all weights are 0.

    Raises
    ------
    rocksteady.InputError
        Without rows, and for missing predictions.

    >>> from rocksteady.fairness import selection_rate
    >>> selection_rate([0, 1, 1], [1, 1, 0], sample_weight=[1, 2, 1])
    0.75
    """
    side_by_side("y_pred", {"y_pred": y_pred, "sample_weight": sample_weight})
    counts = counted(None, y_true, y_pred, sample_weight, pos_label, selected=True)
    return _value(counts, "selection_rate", float("nan"))


def mean_prediction(y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """The mean of the predictions: of scores, of probabilities, or of labels that are numbers.

    Parameters
    ----------
    y_true : array-like
        Not used.
    y_pred : array-like of shape (n,)
        Predictions, finite numbers.
    sample_weight : array-like of shape (n,), optional
        A weight for each row, finite and not negative.

    Returns
    -------
    float
        In the unit of the predictions; NaN where all weights are 0.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        For columns of different lengths, no rows, and predictions that are missing, infinite or no numbers.

    Notes
    -----
    The index "mean_score" is the same of a score table, with an interval: ``rs.group_by(y, y_score=s, by=group)`` has it by
    group.

    >>> from rocksteady.fairness import mean_prediction
    >>> mean_prediction([0, 1, 1], [0.25, 0.5, 1.0], sample_weight=[1, 2, 1])
    0.5625
    """
    side_by_side("y_pred", {"y_pred": y_pred, "y_true": y_true, "sample_weight": sample_weight})
    truth = np.zeros(same_rows(y_true, y_pred), dtype=np.bool_)
    with refused_as("y_score", "y_pred"):
        return ScoreTable(truth, y_pred, sample_weight=sample_weight, pos_label=True)["mean_score"]


def count(y_true: ArrayLike, y_pred: ArrayLike) -> int:
    """The number of rows.

    >>> from rocksteady.fairness import count
    >>> count([0, 1, 1], [1, 1, 0])
    3
    """
    return same_rows(y_true, y_pred)


def _rate(name: str, y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None, pos_label: Any) -> float:
    side_by_side("y_true", {"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
    return _value(counted(None, y_true, y_pred, sample_weight, pos_label), name, 0.0)


def _value(counts: Any, name: str, undefined: float) -> float:
    values, *_ = _rocksteady.group_disparities(counts._arrays, name, None, None, 1, undefined, None)
    if not values.size:
        raise wrong_value([], "y_pred", "at least one row")
    return float(values[0])
