"""Counted scores, for example of a GROUP BY, into the state of a score table or a sketch."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import amounts, counts_or_weights, labels_of, wrong_type
from rocksteady.base.containers import opened
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# Whole numbers up to here are exact float64, and so are decimals of this many digits.
_GREATEST: Final = 2**53
_DIGITS: Final = 15
# Types of numbers in a list or an array of objects that are converted if the conversion is exact.
_CONVERTED: Final = (int, np.integer, np.bool_, Decimal)


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
    paired(scores, {"positives": positives, "negatives": negatives}, first="scores")
    pair = pair_of(labels)
    columns = (_column(positives, "positives"), _column(negatives, "negatives"))
    return _rocksteady.ScoreState.from_counts(
        scores, *columns, pair, None if weighted is None else bool(weighted), (pos_label, nan_policy, infinite)
    )


def pair_of(labels: Any) -> list[Any]:
    """The two labels; 0 and 1 unless others are given."""
    pair = [0, 1] if labels is None else labels_of(labels, "labels")
    if len(pair) != 2:
        raise InputError(f"labels are {len(pair)}; expected two", argument="labels")
    if isinstance(pair[0], str) != isinstance(pair[1], str):
        raise wrong_type(pair, "labels", "two labels of one kind")
    return pair


def counts_of(values: Any, argument: str) -> NDArray[np.uint64]:
    """A column of counts."""
    column = _column(_without_gaps(values, argument), argument)
    if column.dtype == np.uint64:
        return column
    broken = np.flatnonzero(~((column >= 0) & (column < 2.0**64) & (column == np.floor(column))))
    if broken.size:
        row = int(broken[0])
        raise InputError(f"{argument}[{row}] is {column[row]}; expected a number of rows", argument=argument, row=row)
    return column.astype(np.uint64)


def _without_gaps(values: Any, argument: str) -> Any:
    """The column, without a missing value: a query of `sketch_sql` gives NULL for a number that it cannot know."""
    expected = (
        "a number of rows (a query of sketch_sql leaves it out where there is a third label, or one alone that is neither "
        "0 nor 1: say its pos_label=)"
    )
    refuse_missing(values, argument, expected)
    return values


def scores_of_groups(values: Any, argument: str) -> Any:
    """Scores as floats: whole numbers and decimals are converted where that is exact. Floats stay as they are.

    >>> from decimal import Decimal
    >>> scores_of_groups([410, None], "least"), scores_of_groups((Decimal("0.3"), 2), "least")
    ([410.0, None], [0.3, 2.0])
    """
    form, data, other = opened(values, argument)
    if form == "masked":
        return np.ma.MaskedArray(_floats(data, argument, other), mask=other)
    if form == "array" and data.dtype.kind != "O":
        return _floats(data, argument)
    if form == "arrow":
        kind = str(getattr(data, "type", getattr(data, "dtype", ""))).lower()
        if "float" in kind or "double" in kind:
            return values
        items = data.to_list() if hasattr(data, "to_list") else data.to_pylist() if hasattr(data, "to_pylist") else []
    elif form == "items" or (form == "array" and data.ndim == 1):
        items = list(data)
    else:
        return values
    if not any(isinstance(item, _CONVERTED) for item in items):
        return values
    return [_float(item, argument, row) for row, item in enumerate(items)]


def _floats(array: NDArray[Any], argument: str, mask: NDArray[np.bool_] | None = None) -> NDArray[Any]:
    """An array of whole numbers as floats; any other array as it is."""
    if array.dtype.kind not in "iub":
        return array
    if array.dtype.itemsize == 8:
        beyond = (array > _GREATEST) | (array < -_GREATEST) if array.dtype.kind == "i" else array > _GREATEST
        rows = np.argwhere(beyond if mask is None else beyond & ~mask)
        if rows.size:
            raise _inexact(array[tuple(rows[0])].item(), argument, int(rows[0][0]))
    return array.astype(np.float64)


def _float(item: Any, argument: str, row: int) -> Any:
    if not isinstance(item, _CONVERTED):
        return item
    if isinstance(item, Decimal):
        # Beyond these powers of ten a float is infinite, or has fewer digits.
        is_held = -308 < item.adjusted() < 308 and len(item.normalize().as_tuple().digits) <= _DIGITS
        if is_held or not item.is_finite():
            return float(item)
    if item != int(item) or abs(int(item)) > _GREATEST:
        raise _inexact(item, argument, row)
    return float(item)


def _inexact(value: Any, argument: str, row: int) -> InputError:
    return InputError(
        f"{argument}[{row}] is {value}; expected a score that a float64 holds: a float, an integer of up to 2^53 or a "
        f"decimal of up to {_DIGITS} digits (convert the scores to floats before they are grouped)",
        argument=argument,
        row=row,
    )


def _column(values: Any, argument: str) -> NDArray[Any]:
    """A column of counts (uint64) or of weights (float64)."""
    whole = _whole_decimals(values, argument)
    column = amounts(values, argument) if whole is None else whole
    if column.ndim != 1:
        raise InputError(f"{argument} has shape {column.shape}; expected one axis", argument=argument)
    return counts_or_weights(column)


def _whole_decimals(values: Any, argument: str) -> NDArray[np.uint64] | None:
    """Whole decimal numbers, as databases give sums of integers; None for any other column."""
    try:
        array = np.asarray(values)
    except ValueError:
        return None
    if array.dtype != np.object_ or not any(isinstance(value, Decimal) for value in array.flat):
        return None
    try:
        if all(isinstance(value, Decimal | int) and 0 <= value < 2**64 and value == int(value) for value in array.flat):
            return array.astype(np.uint64)
    except (OverflowError, ValueError, ArithmeticError):  # negative, too great, or not a number
        pass
    raise InputTypeError(
        f"{argument} has decimal numbers that are no counts; expected whole numbers from 0 to 2**64 - 1, or floats",
        argument=argument,
    )
