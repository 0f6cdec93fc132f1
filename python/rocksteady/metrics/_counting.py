"""The quick call of the metrics of labels: columns become a confusion matrix, indicators tables of labels and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import numpy as np

from rocksteady._rocksteady import ConfusionState, IndicatorState
from rocksteady.base.containers import elsewhere
from rocksteady.errors import InputError, InputTypeError
from rocksteady.metrics._drop_in import is_sparse
from rocksteady.metrics._sharing import current, share

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

State = ConfusionState | IndicatorState


def is_flag(value: object) -> bool:
    """Whether a value is a plain truth value."""
    return value.__class__ is bool


def is_among(value: object, options: Collection[str | None]) -> bool:
    """Whether a value is a plain string, or None, and one of the options."""
    return (value is None or value.__class__ is str) and value in options


def count(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None, places: Any = None) -> State:
    """The counted targets; what scikit-learn refuses though the core counts it, such as bytes, is refused.

    Parameters
    ----------
    labels
        The classes of the confusion matrix, for columns; default: all that occur.
    places
        The columns to count, of indicators; default: all.
    """
    if sample_weight is not None and getattr(getattr(sample_weight, "dtype", None), "char", "") == "O":
        raise InputTypeError("sample_weight is an array of objects; expected numbers", argument="sample_weight")
    if getattr(y_true, "ndim", 1) == 2:
        return _count_indicators(y_true, y_pred, sample_weight, places)
    try:
        if current() is None:
            state = ConfusionState.count(y_true, y_pred, labels, sample_weight, "raise", False, "counts")
        else:
            state = share(ConfusionState.count, y_true, y_pred, labels, sample_weight, "raise", False, "counts")
    except InputError as refusal:
        state = _of_either_sign(y_true, y_pred, labels, sample_weight, refusal)
    except InputTypeError:
        if not (elsewhere(y_true) or elsewhere(y_pred)):
            raise
        from rocksteady.devices.cells import state_of_cells  # noqa: PLC0415 (few programs need it)

        found: ConfusionState = state_of_cells(
            lambda y_true, y_pred: ConfusionState.count(y_true, y_pred, labels, None, "raise", False, "counts"),
            {"y_true": y_true, "y_pred": y_pred},
            (sample_weight, "counts"),
        )
        return found
    if state.plain:
        return state
    if state.total == 0:
        raise no_weight(sample_weight)
    raise InputTypeError("y_true and y_pred are bytes or objects; expected text or numbers", argument="y_true")


def _count_indicators(y_true: Any, y_pred: Any, sample_weight: Any, places: Any) -> IndicatorState:
    for name, values in (("y_true", y_true), ("y_pred", y_pred)):
        if not _is_indicator(values):
            raise InputTypeError(f"{name} is no array of zeros and ones, though y_true is a matrix", argument=name)
    try:
        state: IndicatorState = share(IndicatorState.count, y_true, y_pred, places, sample_weight)
    except InputError as refusal:
        if signs(sample_weight, refusal) is None:
            raise
        state = IndicatorState.count_signed(y_true, y_pred, places, np.asarray(sample_weight))
    if state.total <= 0:
        raise no_weight(sample_weight)
    return state


def no_weight(sample_weight: Any) -> InputError:
    if sample_weight is None:
        return InputError("no row has labels that are counted; expected one row or more", argument="y_true")
    return InputError("sample_weight adds up to 0; expected weights above 0", argument="sample_weight")


def signs(sample_weight: Any, refusal: InputError) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """What was refused as weights of either sign in two parts, those above zero and those below; else None."""
    weights = np.asarray(sample_weight) if refusal.argument == "sample_weight" else None
    if weights is None or weights.ndim != 1 or weights.dtype.kind not in "if" or not np.isfinite(weights).all():
        return None
    return (np.maximum(weights, 0), np.maximum(np.negative(weights), 0)) if weights.any() else None


def mean_of_parts(measure: Callable[[Any], float], sample_weight: Any, refusal: InputError, normalize: bool) -> float:
    """A mean over rows, or a sum, with weights of either sign, where they are what was refused."""
    parts = signs(sample_weight, refusal)
    if parts is None:
        raise refusal
    sizes = [float(part.sum()) if normalize else 1.0 for part in parts]
    if sizes[0] == sizes[1] and normalize:
        raise no_weight(sample_weight)
    less = measure(parts[1])
    more = 0.0
    if parts[0].any():
        with catch_warnings():
            simplefilter("ignore")  # the other part has warned
            more = measure(parts[0])
    return (more * sizes[0] - less * sizes[1]) / (sizes[0] - sizes[1] if normalize else 1.0)


def _of_either_sign(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any, refusal: InputError) -> ConfusionState:
    parts = signs(sample_weight, refusal)
    if parts is None:
        raise refusal
    more, less = (ConfusionState.count(y_true, y_pred, labels, part, "raise", False, "counts") for part in parts)
    state = more.less(less)
    if np.any(state.to_array() < 0):  # no counts, so that ratios may be anything
        raise refusal
    return state


def count_columns(y_true: Any, y_pred: Any, sample_weight: Any, labels: Any = None) -> ConfusionState:
    """As `count`, for functions of columns only."""
    state = count(y_true, y_pred, sample_weight, labels)
    if not isinstance(state, ConfusionState):
        raise InputError("y_true is a matrix; expected a column of labels", argument="y_true")
    return state


def _is_indicator(values: Any) -> bool:
    # scipy, and so scikit-learn, has no sparse matrices of the other byte order, nor of half floats or objects.
    if values.__class__ is np.ndarray:
        dtype = values.dtype
        return bool(dtype.isnative and dtype.char not in "eO")
    return is_sparse(values)
