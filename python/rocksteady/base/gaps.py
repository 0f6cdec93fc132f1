"""What stands for no value: None, NaN, not-a-time and the nulls of pandas and Arrow mean the same everywhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def gaps_in(array: Any) -> NDArray[np.bool_] | None:
    """Where an array, or a list of values, has no value; None if none can be missing.

    >>> gaps_in([1, None, float("nan")]).tolist(), gaps_in(np.arange(3))
    ([False, True, True], None)
    """
    if isinstance(array, np.ma.MaskedArray):
        inner = gaps_in(array.data)
        mask = np.ma.getmaskarray(array)
        return mask if inner is None else mask | inner
    if isinstance(array, np.ndarray) and array.dtype.kind != "O":
        if array.dtype.kind in "mM":
            return np.isnat(array)
        has_gaps = array.dtype.kind == "f" or getattr(array.dtype, "na_object", None) is not None
        return np.isnan(array) if has_gaps else None
    items = array.ravel().tolist() if isinstance(array, np.ndarray) else array
    if not isinstance(array, np.ndarray) and any(isinstance(item, (list, tuple, np.ndarray)) for item in items):
        return gaps_in(np.asarray(array, dtype=object))
    null = getattr(sys.modules.get("pandas"), "NA", None)
    try:
        found = np.array([item is None or item is null or bool(item != item) for item in items], dtype=bool)
    except (ArithmeticError, TypeError, ValueError):  # some object cannot be compared
        found = np.array([item is None or item is null for item in items], dtype=bool)
    return found.reshape(array.shape) if isinstance(array, np.ndarray) else found


def refuse_gap(array: Any, argument: str, expected: str = "a number") -> None:
    """Refuse an array, or a list of values, in which one is missing, and name its row."""
    gaps = gaps_in(array)
    if gaps is not None and gaps.ndim:
        refuse_where(gaps, argument, expected)


def refuse_where(gaps: NDArray[np.bool_], argument: str, expected: str) -> None:
    """Refuse a column, or a matrix, with a gap, and name the row of the first one."""
    if not gaps.any():
        return
    row = int(np.argwhere(gaps)[0][0])
    raise InputError(
        f"{argument}[{row}] is missing; expected {expected}",
        argument=argument.partition("[")[0],
        row=row,
        value="missing",
        expected=expected,
    )
