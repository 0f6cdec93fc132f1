"""Columns of clusters: rows of one patient, for example, belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.containers import rows_of
from rocksteady.base.gaps import refuse_where
from rocksteady.columns.keys import grouped, key_arrays

if TYPE_CHECKING:
    from rocksteady import _rocksteady


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
