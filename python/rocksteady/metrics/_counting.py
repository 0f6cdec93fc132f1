"""The quick call of the metrics of labels: columns become a confusion matrix, indicators tables of labels and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.metrics._parameters import is_sparse
from rocksteady.metrics._sharing import current, share

if TYPE_CHECKING:
    from collections.abc import Collection

State = ConfusionState | IndicatorState


def is_flag(value: object) -> bool:
    """Whether a value is a plain truth value."""
    return value.__class__ is bool


def is_among(value: object, options: Collection[str | None]) -> bool:
    """Whether a value is a plain string, or None, and one of the options."""
    return (value is None or value.__class__ is str) and value in options


def count(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None, places: Any = None) -> State | None:
    """The counted targets; None for what scikit-learn refuses though the core counts it, such as bytes.

    Parameters
    ----------
    labels
        The classes of the confusion matrix, for columns; default: all that occur.
    places
        The columns to count, of indicators; default: all.
    """
    if sample_weight is not None and getattr(getattr(sample_weight, "dtype", None), "char", "") == "O":
        return None
    if getattr(y_true, "ndim", 1) == 2:
        if not (_is_indicator(y_true) and _is_indicator(y_pred)):
            return None
        indicator: IndicatorState = share(IndicatorState.count, y_true, y_pred, places, sample_weight)
        return indicator if indicator.total > 0 else None
    if current() is None:
        state = ConfusionState.count(y_true, y_pred, labels, sample_weight, "raise", False, "counts")
    else:
        state = share(ConfusionState.count, y_true, y_pred, labels, sample_weight, "raise", False, "counts")
    return state if state.plain else None


def count_columns(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None) -> ConfusionState | None:
    """As `count`, for functions of columns only."""
    state = count(y_true, y_pred, sample_weight, labels)
    return state if isinstance(state, ConfusionState) else None


def _is_indicator(values: Any) -> bool:
    # scipy, and so scikit-learn, has no sparse matrices of the other byte order, nor of half floats or objects.
    if values.__class__ is np.ndarray:
        dtype = values.dtype
        return bool(dtype.isnative and dtype.char not in "eO")
    return is_sparse(values)
