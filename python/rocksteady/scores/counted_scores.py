"""Scores that were counted elsewhere, into the state of a score table or a sketch."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import amounts, counts_or_weights, listed, wrong_type
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def state_of_counts(
    scores: ArrayLike,
    positives: ArrayLike,
    negatives: ArrayLike,
    labels: ArrayLike | None,
    pos_label: object,
    weighted: object,
    nan_policy: str,
    infinite: str,
) -> _rocksteady.ScoreState:
    """The state of `ScoreTable.from_counts`."""
    if weighted is not None and not isinstance(weighted, bool | np.bool_):
        raise wrong_type(weighted, "weighted", "True, False or None")
    pair = pair_of(labels)
    columns = (_column(positives, "positives"), _column(negatives, "negatives"))
    return _rocksteady.ScoreState.from_counts(
        scores,
        *columns,
        pair,
        pos_label,
        None if weighted is None else bool(weighted),
        nan_policy,
        infinite,
    )


def pair_of(labels: Any) -> list[Any]:
    """The two labels; 0 and 1 unless others are given."""
    pair = [0, 1] if labels is None else listed(labels, "labels", "the two labels")
    if len(pair) != 2:
        raise InputError(f"labels are {len(pair)}; expected two", argument="labels")
    return pair


def counts_of(values: Any, argument: str) -> NDArray[np.uint64]:
    """A column of counts."""
    column = _column(values, argument)
    if column.dtype == np.uint64:
        return column
    broken = np.flatnonzero(~((column >= 0) & (column < 2.0**64) & (column == np.floor(column))))
    if broken.size:
        row = int(broken[0])
        raise InputError(f"{argument}[{row}] is {column[row]}; expected a number of rows", argument=argument, row=row)
    return column.astype(np.uint64)


def _column(values: Any, argument: str) -> NDArray[Any]:
    """A column of counts (uint64) or of weights (float64)."""
    whole = _whole_decimals(values, argument)
    column = amounts(values, argument) if whole is None else whole
    if column.ndim != 1:
        raise InputError(f"{argument} has shape {column.shape}; expected one axis", argument=argument)
    return counts_or_weights(column)


def _whole_decimals(values: Any, argument: str) -> NDArray[np.uint64] | None:
    """Decimal numbers without fractions, as databases give sums of integers; None of any other column."""
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    if array.dtype != np.object_ or not any(isinstance(value, Decimal) for value in array.flat):
        return None
    try:
        if all(isinstance(value, Decimal | int) and value == int(value) for value in array.flat):
            return array.astype(np.uint64)
    except (OverflowError, ValueError, ArithmeticError):  # negative, too great, or not a number
        pass
    raise InputTypeError(
        f"{argument} has decimal numbers that are no counts; expected whole numbers from 0 to 2**64 - 1, or floats",
        argument=argument,
    )
