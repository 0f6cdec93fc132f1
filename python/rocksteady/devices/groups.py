"""Rows on a device by group: cells of keys, labels and scores.

Keys in the processor's memory become places of groups, which go to the device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.containers import elsewhere
from rocksteady.columns.keys import columns_of_keys, grouped, key_arrays
from rocksteady.devices.arrays import library_of
from rocksteady.devices.cells import state_of_cells
from rocksteady.errors import InputTypeError


def groups_state(
    call: partial[Any], columns: dict[str, Any], keys: dict[str, Any], weighed: tuple[Any, str]
) -> _rocksteady.GroupsState:
    """The state of groups that `call` gives for labels, predictions, scores and keys."""
    columns = {name: column for name, column in columns.items() if column is not None}
    first = next(column for column in columns.values() if elsewhere(column))
    parts = {name: _parts(given, name, first) for name, given in keys.items() if given is not None}
    flat = {
        f"{name}[{place}]" if len(own) > 1 else name: column
        for name, (own, _) in parts.items()
        for place, column in enumerate(own)
    }

    def ask(*found: Any) -> Any:
        named = {**dict.fromkeys(keys), **dict(zip(columns, found, strict=False))}
        rest = list(found[len(columns) :])
        for name, (own, rebuilt) in parts.items():
            named[name], rest = rebuilt(rest[: len(own)]), rest[len(own) :]
        return call(**named)._state

    found: _rocksteady.GroupsState = state_of_cells(ask, {**columns, **flat}, weighed, call.keywords["nan_policy"])
    return found


def _parts(given: Any, argument: str, first: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """The columns of keys on a device, and how such columns become keys again; of keys here the places of their groups."""
    if elsewhere(given):
        if len(given.shape) != 2:
            return [given], lambda found: found[0]
        return [given[:, place] for place in range(given.shape[1])], np.column_stack
    if isinstance(given, Mapping) and any(map(elsewhere, given.values())):
        return list(given.values()), lambda found: dict(zip(given, found, strict=True))
    if isinstance(given, list | tuple) and any(map(elsewhere, given)):
        return list(given), list
    if any(names is not None for *_, names in columns_of_keys(given, argument)):
        raise InputTypeError(
            f"{argument} has ordered categories, and the rows are on {first.device}; expected keys that sort by themselves: "
            "numbers, text or dates",
            argument=argument,
        )
    known = grouped(given, argument=argument)
    keys = key_arrays(known)
    codes = library_of(first, "y_true").asarray(known.codes().astype(np.int32), device=first.device)
    return [codes], lambda found: {name: column[found[0]] for name, column in keys.items()}
