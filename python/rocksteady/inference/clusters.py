"""Columns of clusters: rows of one patient, for example, belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import wrong_type
from rocksteady.base.containers import rows_of
from rocksteady.base.gaps import refuse_where
from rocksteady.columns.complete import refuse_missing
from rocksteady.columns.keys import grouped, key_arrays

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady import _rocksteady


def codes_of(values: Any, argument: str) -> tuple[NDArray[np.uint32], int]:
    """A number from 0 on for each value of any type that can be a key, and how many there are.

    Raises
    ------
    rocksteady.InputTypeError
        If the values cannot be keys.
    rocksteady.InputError
        If a value is missing.

    >>> codes_of(["b", "a", "b", 3], "cluster")
    (array([0, 1, 0, 2], dtype=uint32), 3)
    """
    refuse_missing(values, argument, "a value")
    try:
        every = values.tolist() if hasattr(values, "tolist") else list(values)
        known = {value: code for code, value in enumerate(dict.fromkeys(every))}
        codes = np.array([known[value] for value in every], np.uint32)
    except TypeError:
        raise wrong_type(values, argument, "a column of numbers or text") from None
    return codes, len(known)


def grouping_of(values: Any, y_true: Any, argument: str) -> _rocksteady.GroupedState | None:
    """Which rows belong together by a column of keys, or several; a missing key is refused."""
    if values is None:
        return None
    state: _rocksteady.GroupedState = grouped(values, rows=rows_of(y_true, "y_true"), argument=argument)
    for keys in key_arrays(state).values():
        gaps = np.array([key is None or key != key for key in keys.tolist()], np.bool_)
        if gaps.any() or (keys.dtype.kind in "mM" and np.isnat(keys).any()):
            gaps |= np.isnat(keys) if keys.dtype.kind in "mM" else False
            refuse_where(gaps[state.codes()], argument, "a value")
    return state
