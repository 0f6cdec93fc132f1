"""Distinct scores with the rows of each class, counted on a device.

1. The scores of a block are sorted, and its positive ones by themselves.
2. Where a score differs from the one before it, a run begins. The lengths of runs are the rows of each score.
3. Binary searches of the distinct scores among the positive ones give the positives of each.
4. The counts come here, and the table is that of rows here with these counts (`cells.summed`).

Cost: two sorts and one search of each block. Rejected: a sort of positions, which gathers the classes at random.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rocksteady import _rocksteady
from rocksteady.devices.arrays import (
    as_numbers,
    asked,
    blocks,
    first_row,
    here,
    is_float,
    kind_of,
    of_bits,
    on_one_device,
    ordered_bits,
    refuse_weights,
    some_rows,
    wide_integers,
)
from rocksteady.devices.cells import summed


class Rows(NamedTuple):
    """Rows that are ready to be counted, without missing scores; arrays are on the device unless they say so."""

    xp: Any  # the library of the arrays
    labels: np.ndarray[Any, Any]  # the negative and the positive one, here; twice the same of one class
    scores: Any
    is_positive: Any
    missing: tuple[int, int]  # how many negative and positive rows have a missing score that is ranked
    left_out: list[
        np.ndarray[Any, Any]
    ]  # labels and scores, here, of some rows that are left out and have all their labels


def score_state(y_true: Any, y_score: Any, weights: Any, options: tuple[Any, ...]) -> _rocksteady.ScoreState:
    """`ScoreState.sweep` of rows on a device: the same state, to the bit."""
    refuse_weights(weights, options[3], y_true)
    columns, counts = rows_here(read_rows(y_true, y_score, options))
    found: _rocksteady.ScoreState = summed(
        lambda *rows: _rocksteady.ScoreState.sweep((*rows, None), options), columns, counts
    )
    return found


def rows_here(rows: Rows) -> tuple[list[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """Labels and scores in the processor's memory that differ, and how many rows have them."""
    scores, *counts = counted(rows)
    columns = [np.repeat(rows.labels, len(scores)), np.concatenate([scores, scores])]
    times = np.concatenate([*counts, np.ones(len(rows.left_out[0]), np.int64)])
    columns = [np.concatenate(both)[times > 0] for both in zip(columns, rows.left_out, strict=True)]
    return columns, times[times > 0]


def read_rows(y_true: Any, y_score: Any, options: tuple[Any, ...]) -> Rows:
    """The rows that the options leave, or the refusal that `ScoreState.sweep` has for one of them."""
    xp, (labels, scores) = on_one_device({"y_true": y_true, "y_score": y_score})
    _, policy, infinite, _ = options
    y = as_numbers(xp, labels)
    no_label, no_score = (xp.isnan(column) if is_float(column) else None for column in (y, scores))
    masks = [mask for mask in (no_label, no_score) if mask is not None]
    if infinite != "allow" and is_float(scores):
        masks.append(xp.isinf(scores))
    known = y if no_label is None else y[~no_label]
    if known.shape[0]:
        is_lowest, is_highest = y == xp.min(known), y == xp.max(known)
        is_other = ~(is_lowest | is_highest)
        masks += [is_lowest, is_highest, is_other if no_label is None else is_other & ~no_label]
    found = {first_row(xp, mask) for mask in masks}
    rows = sorted(row for row in found if row is not None)
    first = some_rows(xp, labels, rows), some_rows(xp, scores, rows)
    few = asked(lambda: _rocksteady.ScoreState.sweep((*first, None), options), rows.__getitem__)
    ends = sorted({label for label in first[0].tolist() if label == label})
    is_gap = np.logical_or(*(column != column for column in first)) & (policy == "omit")
    is_positive, pair = xp.zeros(y.shape, dtype=xp.bool, device=y.device), ends[:1] * 2
    if len(ends) == 2:
        is_ascending = few.labels()[1] > few.labels()[0]
        is_positive, pair = (is_highest, ends) if is_ascending else (is_lowest, ends[::-1])
    elif few.totals[0] > 0:
        is_positive = is_highest
    missing = (0, 0)
    if no_score is not None and policy in ("worst", "best"):
        ranked = [int(xp.count_nonzero(no_score & which)) for which in (~is_positive, is_positive)]
        missing = (ranked[0], ranked[1])
    gaps = [mask for mask in (no_label, no_score) if mask is not None]
    if gaps:
        is_known = ~gaps[0] if len(gaps) == 1 else ~(gaps[0] | gaps[1])
        if not bool(xp.all(is_known)):
            scores, is_positive = scores[is_known], is_positive[is_known]
    labels_here = np.array(pair, first[0].dtype)
    return Rows(xp, labels_here, scores, is_positive, missing, [column[is_gap] for column in first])


def counted(rows: Rows) -> list[np.ndarray[Any, Any]]:
    """Scores in the processor's memory, and the negative and the positive rows of each; a score may be there once a block."""
    xp = rows.xp
    kind = kind_of(rows.scores)
    keys = ordered_bits(xp, rows.scores)
    parts: list[list[np.ndarray[Any, Any]]] = [[np.zeros(0, kind), np.zeros(0, np.int64), np.zeros(0, np.int64)]]
    for block in blocks(rows.scores.shape[0]):
        scores, negatives, positives = _distinct(xp, keys[block], rows.is_positive[block])
        # Most scores have few rows: then a count crosses as one byte.
        narrow = xp.uint8 if max(int(xp.max(negatives)), int(xp.max(positives))) < 256 else xp.int32
        amounts = (here(xp.astype(column, narrow)).astype(np.int64) for column in (negatives, positives))
        distinct = here(scores).astype(kind) if keys is rows.scores else of_bits(here(scores), kind)
        parts.append([distinct, *amounts])
    if any(rows.missing):
        parts.append([np.full(1, np.nan, kind), *(np.full(1, amount, np.int64) for amount in rows.missing)])
    return [np.concatenate(column) for column in zip(*parts, strict=True)]


def twice_area(rows: Rows) -> tuple[int, int] | None:
    """Twice the number of pairs that the area under the ROC curve counts, and twice the number of all pairs.

    None if a class has no rows, or if the device has to count in several blocks or in integers of 32 bits.
    """
    xp = rows.xp
    if len(blocks(rows.scores.shape[0])) != 1 or any(rows.missing) or not wide_integers(xp):
        return None
    _, negatives, positives = _distinct(xp, ordered_bits(xp, rows.scores), rows.is_positive)
    below = xp.cumulative_sum(negatives)
    found = int(xp.sum(positives * (2 * below - negatives)))
    total = int(xp.sum(positives))
    pairs = 2 * total * (rows.scores.shape[0] - total)
    return (found, pairs) if pairs else None


def _distinct(xp: Any, scores: Any, is_positive: Any) -> tuple[Any, Any, Any]:
    """The distinct scores, ascending, and the negative and the positive rows of each; on the device."""
    scores = as_numbers(xp, scores)
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
