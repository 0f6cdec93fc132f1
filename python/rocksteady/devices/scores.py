"""Distinct scores with the rows of each class, counted on a device.

1. The scores of a block are sorted, and its positive ones by themselves.
2. Where a score differs from the one before it, a run begins. The lengths of runs are the rows of each score.
3. Binary searches of the distinct scores among the positive ones give the positives of each.
4. The counts come here, and the table is that of rows here with these counts (`cells.summed`).

Cost: two sorts and one search of each block. Rejected: a sort of positions, which gathers the classes at random.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from rocksteady.devices import arrays
from rocksteady.devices.cells import summed
from rocksteady.errors import RocksteadyError


class Rows(NamedTuple):
    """Rows that are ready to be counted, without missing scores; arrays are on the device."""

    xp: Any  # the library of the arrays
    labels: np.ndarray[Any, Any]  # the lower and the higher one, in the processor's memory; twice the same of one class
    scores: Any
    is_positive: Any  # whether the label is the higher one
    missing: tuple[int, int]  # how many rows of each label to count with a missing score


def score_state(ask: Callable[[Any], Any], rows: tuple[Any, Any, Any], options: tuple[Any, ...]) -> Any:
    """The state that `ask` gives for labels and scores on a device, from rows here that occur as often."""
    arrays.refuse_weights(rows[2], options[3], rows[0])
    read = read_rows(*rows[:2], options)
    if read is not None:
        with suppress(RocksteadyError):
            return summed(lambda *few: ask((*few, None)), *rows_here(read))
    return ask((arrays.here(rows[0]), arrays.here(rows[1]), None))  # refused, by row


def rows_here(rows: Rows) -> tuple[list[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """Labels and scores in the processor's memory that differ, and how many rows have them."""
    scores, *counts = counted(rows)
    columns, times = [np.repeat(rows.labels, len(scores)), np.concatenate([scores, scores])], np.concatenate(counts)
    return [column[times > 0] for column in columns], times[times > 0]


def read_rows(y_true: Any, y_score: Any, options: tuple[Any, ...]) -> Rows | None:
    """The rows that the options leave; None where one may have to be refused."""
    xp, (y, scores) = arrays.on_one_device({"y_true": y_true, "y_score": y_score})
    _, policy, infinite, _ = options
    kind, y = arrays.dtype_of(y), arrays.as_numbers(xp, y)
    no_label, no_score = (xp.isnan(column) if arrays.is_float(column) else None for column in (y, scores))
    known = y if no_label is None else y[~no_label]
    if not known.shape[0]:
        return None
    lowest, highest = xp.min(known), xp.max(known)
    is_positive = y == highest
    is_bad = ~(is_positive | (y == lowest))
    if no_label is not None and policy == "omit":
        is_bad = is_bad & ~no_label
    if no_score is not None:
        masks = [no_score] * (policy == "raise") + [xp.isinf(scores)] * (infinite != "allow")
        is_bad = reduce(operator.or_, masks, is_bad)
    if bool(xp.any(is_bad)):
        return None
    # Rows that are left out are of no more use than one of them.
    missing = (1, 1) if policy == "omit" and no_score is not None else (0, 0)
    if policy in ("worst", "best") and no_score is not None:
        missing = (int(xp.count_nonzero(no_score & ~is_positive)), int(xp.count_nonzero(no_score & is_positive)))
    gaps = [mask for mask in (no_label, no_score) if mask is not None]
    if gaps and policy != "raise":
        is_known = ~reduce(operator.or_, gaps)
        scores, is_positive = scores[is_known], is_positive[is_known]
    labels = np.array([arrays.here(lowest)[()], arrays.here(highest)[()]]).astype(kind)
    return Rows(xp, labels, scores, is_positive, missing)


def counted(rows: Rows) -> list[np.ndarray[Any, Any]]:
    """Scores in the processor's memory, and the negative and the positive rows of each; a score may be there once a block."""
    xp = rows.xp
    kind = arrays.kind_of(rows.scores)
    keys = arrays.ordered_bits(xp, rows.scores)
    parts: list[list[np.ndarray[Any, Any]]] = [[np.zeros(0, kind), np.zeros(0, np.int64), np.zeros(0, np.int64)]]
    for block in arrays.blocks(rows.scores.shape[0]):
        scores, negatives, positives = _distinct(xp, keys[block], rows.is_positive[block])
        found = arrays.here(scores)
        distinct = found.astype(kind) if keys is rows.scores else arrays.of_bits(found, kind)
        parts.append([distinct, *(arrays.counts_here(xp, column) for column in (negatives, positives))])
    if any(rows.missing):
        parts.append([np.full(1, np.nan, kind), *(np.full(1, amount, np.int64) for amount in rows.missing)])
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def twice_area(rows: Rows) -> tuple[int, int] | None:
    """Twice the number of pairs that the area under the ROC curve counts, and twice the number of all pairs.

    None if a class has no rows, or if the device has to count in several blocks or in integers of 32 bits.
    """
    xp = rows.xp
    if len(arrays.blocks(rows.scores.shape[0])) != 1 or any(rows.missing) or not arrays.wide_integers(xp):
        return None
    _, negatives, positives = _distinct(xp, arrays.ordered_bits(xp, rows.scores), rows.is_positive)
    below = xp.cumulative_sum(negatives)
    found = int(xp.sum(positives * (2 * below - negatives)))
    total = int(xp.sum(positives))
    pairs = 2 * total * (rows.scores.shape[0] - total)
    return (found, pairs) if pairs else None


def _distinct(xp: Any, scores: Any, is_positive: Any) -> tuple[Any, Any, Any]:
    """The distinct scores, ascending, and the negative and the positive rows of each; on the device."""
    scores = arrays.as_numbers(xp, scores)
    ordered = xp.sort(scores)
    first = xp.ones((1,), dtype=xp.bool, device=ordered.device)
    starts = xp.nonzero(xp.concat([first, ordered[1:] != ordered[:-1]]))[0]
    distinct = xp.take(ordered, starts, axis=0)
    end = xp.full((1,), ordered.shape[0], dtype=starts.dtype, device=ordered.device)
    sizes = xp.concat([starts[1:], end]) - starts
    ranked = xp.sort(scores[is_positive])
    if not ranked.shape[0]:
        return distinct, sizes, sizes - sizes
    upto = xp.astype(xp.searchsorted(ranked, distinct, side="right"), starts.dtype)
    positives = xp.concat([upto[:1], upto[1:] - upto[:-1]])
    return distinct, sizes - positives, positives
