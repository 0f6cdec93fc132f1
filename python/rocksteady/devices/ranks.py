"""Whether the class of a row is among the k with the highest scores, counted on a device.

Before a class stand those that score higher, and the greater ones that score the same. Two comparisons of each row count
them. Nothing is sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocksteady.devices import arrays


def hits_of(y_true: Any, y_score: Any, k: int, labels: Any) -> tuple[Any, int, int] | None:
    """The classes, which have the columns in their order, the rows whose class is among the first `k`, and all rows.

    None where a row may have to be refused, and no rows where the classes are not as many as the columns.
    """
    xp, (y, scores) = arrays.on_one_device({"y_true": y_true, "y_score": y_score}, {"y_score": 2})
    y = arrays.as_numbers(xp, y)
    if labels is None:
        known = xp.sort(xp.unique_values(y))
        classes = arrays.here(known)
    else:
        classes = np.asarray(labels)
        known = xp.asarray(classes.tolist(), dtype=y.dtype, device=y.device)
    rows, columns = scores.shape
    if len(classes) != columns or not rows:
        return classes, 0, 0
    codes = xp.searchsorted(known, y)
    is_bad = codes >= columns
    is_bad = is_bad | (xp.take(known, xp.where(is_bad, 0, codes), axis=0) != y)
    if bool(xp.any(is_bad)) or (arrays.is_float(scores) and not bool(xp.all(xp.isfinite(scores)))):
        return None
    places, keys, found = xp.arange(columns, device=y.device), arrays.ordered_bits(xp, scores), 0
    for block in arrays.blocks(rows, columns):
        own = xp.reshape(codes[block], (-1, 1))
        score = xp.take_along_axis(keys[block, :], own, axis=1)
        is_before = (keys[block, :] > score) | ((keys[block, :] == score) & (xp.reshape(places, (1, -1)) > own))
        found += int(xp.count_nonzero(xp.count_nonzero(is_before, axis=1) < k))
    return classes, found, rows
