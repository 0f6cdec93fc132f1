"""Whether the class of a row is among the k with the highest scores, counted on a device.

Before a class stand those that score higher, and the greater ones that score the same. Two comparisons of each row count
them. Nothing is sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocksteady.devices.arrays import (
    as_numbers,
    blocks,
    here,
    is_float,
    on_one_device,
    ordered_bits,
)


class Hits(NamedTuple):
    """What is known of all rows, in the processor's memory."""

    classes: np.ndarray[Any, Any]  # those that are given, or occur
    hits: int = 0  # the rows whose class is among the first k
    rows: int = 0


def hits_of(y_true: Any, y_score: Any, k: int, labels: Any) -> Hits | None:
    """The rows whose class is among the `k` with the highest scores; the columns are those of the classes, ascending.

    None where a row may have to be refused.
    """
    xp, (y, scores) = on_one_device({"y_true": y_true, "y_score": y_score}, {"y_score": 2})
    y = as_numbers(xp, y)
    if labels is None:
        known = xp.sort(xp.unique_values(y))
        classes = here(known)
    else:
        classes = np.asarray(labels)
        known = xp.asarray(classes.tolist(), dtype=y.dtype, device=y.device)
    rows, columns = scores.shape
    if len(classes) != columns or not rows:
        return Hits(classes)
    codes = xp.searchsorted(known, y)
    is_bad = codes >= columns
    is_bad = is_bad | (xp.take(known, xp.where(is_bad, 0, codes), axis=0) != y)
    if bool(xp.any(is_bad)) or (is_float(scores) and not bool(xp.all(xp.isfinite(scores)))):
        return None
    places, keys, found = xp.arange(columns, device=y.device), ordered_bits(xp, scores), 0
    for block in blocks(rows, columns):
        own = xp.reshape(codes[block], (-1, 1))
        score = xp.take_along_axis(keys[block, :], own, axis=1)
        is_before = (keys[block, :] > score) | ((keys[block, :] == score) & (xp.reshape(places, (1, -1)) > own))
        found += int(xp.count_nonzero(xp.count_nonzero(is_before, axis=1) < k))
    return Hits(classes, found, rows)
