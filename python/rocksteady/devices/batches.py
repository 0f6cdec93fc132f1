"""Batches of rows on devices that a collector has taken and not yet counted.

1. `add` copies the columns of a batch on its device. It checks shapes and dtypes, and never waits for the device.
2. At the first question neighbouring batches are joined and counted at once: their distinct scores come here.
3. If those rows are refused, the batches come here and are counted one by one, so the refusal names batch and row.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate, count, takewhile
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base import hints
from rocksteady.devices import arrays
from rocksteady.devices.scores import read_rows, rows_here
from rocksteady.errors import RocksteadyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocksteady.base.arguments import Infinite, NanPolicy, WeightKind

_FIRST = Lock()


def take(collector: Any, rows: tuple[Any, Any, Any]) -> None:
    """Add labels, scores and weights to the batches of a collector that wait."""
    with _FIRST:
        if collector._on_device is None:
            collector._on_device = Batches(*collector._options)
    collector._on_device.add(*rows)


class Batches:
    """Rows that wait, with the options of their collector. Several threads may add and ask."""

    def __init__(self, nan_policy: NanPolicy, infinite: Infinite, weight_kind: WeightKind = "counts") -> None:
        self._options = (None, nan_policy, infinite, weight_kind)
        self._waiting: list[tuple[int, list[Any]]] = []
        self._numbers = count()
        self._asked = Lock()

    def add(self, y_true: Any, y_score: Any, weights: Any) -> None:
        """Copy a batch on its device."""
        arrays.refuse_weights(weights, self._options[3], y_true)
        given = {"y_true": y_true, "y_score": y_score}
        xp, columns = arrays.on_one_device(given)
        own = []
        for column, values in zip(columns, given.values(), strict=True):
            is_new = arrays.dtype_of(values) == "bfloat16" or not getattr(values, "is_contiguous", lambda: True)()
            own.append(column if is_new else xp.asarray(column, copy=True))
        self._waiting.append((next(self._numbers), own))

    def count(self, update: Callable[[Any], None]) -> None:
        """Count all that wait by the update of a collector's state."""
        with self._asked:
            while self._waiting:
                batches = self._neighbours()
                xp = arrays.library_of(batches[0][1][0], "y_true")
                y_true, y_score = (xp.concat(column) for column in zip(*(own for _, own in batches), strict=True))
                read = read_rows(y_true, y_score, self._options)
                with suppress(RocksteadyError):
                    if read is not None:
                        columns, counts = rows_here(read)
                        update((*(np.repeat(column, counts) for column in columns), None))
                        del self._waiting[: len(batches)]
                        continue
                self._count_here(len(batches), update)

    def _neighbours(self) -> list[tuple[int, list[Any]]]:
        """The first batches of one device and dtypes, of at most `BLOCK` rows together, or the first alone."""
        kinds = ([(type(column), column.device, column.dtype) for column in own] for _, own in self._waiting)
        rows = accumulate(own[0].shape[0] for _, own in self._waiting)
        first, _ = next(zip(kinds, rows, strict=True))
        alike = takewhile(lambda found: found[0] == first and found[1] <= arrays.BLOCK, zip(kinds, rows, strict=True))
        return self._waiting[: 1 + len(list(alike))]

    def _count_here(self, batches: int, update: Callable[[Any], None]) -> None:
        for _ in range(batches):
            number, own = self._waiting.pop(0)
            try:
                update((arrays.here(own[0]), arrays.here(own[1]), None))
            except RocksteadyError as error:
                found = hints.of_scores(error, *own)
                told = {name: getattr(found, name) for name in ("argument", "row", "value", "expected")}
                raise type(found)(f"batch {number}: {found}", **told) from None

    def __str__(self) -> str:
        """What waits, and the memory that it takes on its devices."""
        columns = [column for _, own in self._waiting for column in own]
        held = sum(column.shape[0] * arrays.kind_of(column).itemsize for column in columns)
        rows = sum(column.shape[0] for column in columns) // 2
        many = "batch waits" if len(columns) == 2 else "batches wait"
        return f"; {rows} rows in {len(columns) // 2} {many} on a device, {held} bytes" if columns else ""
