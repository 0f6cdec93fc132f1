"""Two targets, counted: columns of labels as one confusion matrix, indicators as tables of labels and of rows.

`count` hands the arguments straight to the core. It gives None where the core refuses them, and for bytes and weights that
are all zero, which scikit-learn refuses; then `recount` looks at them as scikit-learn does, and counts what is left of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.errors import RocksteadyError
from rocksteady.metrics._parameters import is_sparse
from rocksteady.metrics._sharing import share
from rocksteady.metrics._signed import SignedIndicators, is_signed
from rocksteady.metrics._validation import Targets, check_targets

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

State = ConfusionState | IndicatorState | SignedIndicators


def is_flag(value: object) -> bool:
    """Whether a value is a plain truth value."""
    return value.__class__ is bool


def is_among(value: object, options: Collection[str | None]) -> bool:
    """Whether a value is a plain string, or None, and one of the options."""
    return (value is None or value.__class__ is str) and value in options


def count(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None, places: Any = None) -> State | None:
    """The counted targets, or None.

    Parameters
    ----------
    labels
        The classes of the confusion matrix, for columns; default: all that occur.
    places
        The columns to count, of indicators; default: all.
    """
    if holds_numbers(y_true) or holds_numbers(y_pred):
        return None
    try:
        if getattr(y_true, "ndim", 1) == 2:
            if not (_is_indicator(y_true) and _is_indicator(y_pred)):
                return None
            indicator: IndicatorState = share(IndicatorState.count, y_true, y_pred, places, sample_weight)
            return indicator if indicator.total > 0 else None
        state: ConfusionState = share(ConfusionState.count, y_true, y_pred, labels, sample_weight, "raise", False)
    except RocksteadyError:
        return None
    return None if state.of_bytes or state.total == 0 else state


def count_columns(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None) -> ConfusionState | None:
    """As `count`, for functions of columns only."""
    state = count(y_true, y_pred, sample_weight, labels)
    return state if isinstance(state, ConfusionState) else None


def holds_numbers(values: Any) -> bool:
    """Whether a column is of objects that are no text: scikit-learn does not take them for labels."""
    if getattr(getattr(values, "dtype", None), "char", "") != "O":
        return False
    flat = np.asarray(values).reshape(-1)
    return len(flat) > 0 and not isinstance(flat[0], str)


def _is_indicator(values: Any) -> bool:
    # scipy, and so scikit-learn, has no sparse matrices of the other byte order, nor of half floats.
    if values.__class__ is np.ndarray:
        dtype = values.dtype
        return bool(dtype.isnative and dtype.char != "e")
    return is_sparse(values)


def recount(y_true: Any, y_pred: Any, sample_weight: Any) -> State:
    """Refuses what scikit-learn refuses, or counts the targets in their plain form.

    Cells of indicators are right where they are equal; `count_checked` takes those for right of which both are zero or
    neither is. It matters where cells are other than 0 and 1.
    """
    return count_checked(check_targets(y_true, y_pred, sample_weight), differences=True)


def count_checked(targets: Targets, places: Any = None, *, differences: bool = False) -> State:
    """Counts targets that `check_targets` gave."""
    true, pred = targets.y_true, targets.y_pred
    if targets.kind != "multilabel-indicator":
        return count_plain(true, pred, targets.weights)
    if differences:
        true, pred = true != pred, (pred != pred)
    if is_signed(targets.weights):
        return SignedIndicators(_dense(_ones(true)), _dense(_ones(pred)), targets.weights, places)
    return IndicatorState.count(_ones(true), _ones(pred), places, targets.weights)


def count_plain(y_true: Any, y_pred: Any, weights: NDArray[Any] | None, labels: Any = None) -> ConfusionState:
    """Counts columns that have been checked; weights of either sign apart, to take the one count from the other."""
    if weights is None or not is_signed(weights):
        return ConfusionState.count(y_true, y_pred, labels, weights, "raise", False)
    parts = (np.maximum(weights, 0), np.maximum(np.negative(weights), 0))
    positive, negative = (ConfusionState.count(y_true, y_pred, labels, part, "raise", False) for part in parts)
    return positive.less(negative)


def of_cells(cells: NDArray[np.float64]) -> ConfusionState:
    """The matrix whose cells are given, of either sign."""
    state = ConfusionState.from_counts(np.maximum(cells, 0), None)
    return state.less(ConfusionState.from_counts(np.maximum(-cells, 0), None)) if np.any(cells < 0) else state


def ones_of(targets: Targets) -> tuple[Any, Any]:
    """The two indicators as zeros and ones."""
    return _ones(targets.y_true), _ones(targets.y_pred)


def _dense(values: Any) -> NDArray[np.bool_]:
    return np.asarray(values.toarray() if is_sparse(values) else values, dtype=bool)


def _ones(values: Any) -> Any:
    """An indicator with ones where it is not zero."""
    if not is_sparse(values):
        return np.asarray(values != 0)
    values = values.tocsr().copy()
    values.sum_duplicates()
    values.eliminate_zeros()
    values.data = np.ones(len(values.data), dtype=np.int8)
    return values
