"""Distinct scores with the rows of each class, counted on a device.

1. The scores of a block are sorted, and its positive ones by themselves.
2. Where a score differs from the one before it, a run begins. The lengths of runs are the rows of each score.
3. Binary searches of the distinct scores among the positive ones give the positives of each.
4. The counts come here and become a table: as a sweep of as many rows where scores seldom recur, which was 7 times as fast, else by
   `ScoreState.from_counts`.

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
    on_one_device,
    refuse_weights,
    some_rows,
    wide_integers,
)

#: The part of the bytes of a score table before its labels: head, section, and type of the scores.
_BEFORE_LABELS = 20
#: With fewer rows than this for each distinct score they are swept one by one.
_FEW = 8


class Rows(NamedTuple):
    """Rows that are ready to be counted, without missing scores; arrays are on the device."""

    xp: Any  # the library of the arrays
    first: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]  # labels and scores of few rows that have all labels, here
    few: _rocksteady.ScoreState  # the table of these
    labels: list[Any]  # the negative and the positive one as the rows have them; twice the same of one class
    scores: Any
    is_positive: Any
    missing: tuple[int, int]  # how many negative and positive rows have a missing score that is ranked


def score_state(y_true: Any, y_score: Any, weights: Any, options: tuple[Any, ...]) -> _rocksteady.ScoreState:
    """`ScoreState.sweep` of rows on a device: the same state, to the bit."""
    refuse_weights(weights, options[3], y_true)
    read = read_rows(y_true, y_score, options)
    scores, negatives, positives = counted(read)
    if not len(scores):
        return read.few
    labels, rows, weights = stand_ins(read, scores, negatives, positives)
    if weights is None:
        state = _rocksteady.ScoreState.sweep((labels, rows, None), options)
        if state.labels() == read.few.labels():  # else rows that were left out have the other one
            return state
    state = _rocksteady.ScoreState.from_counts(scores, positives, negatives, [0, 1], False, (1, *options[1:3]))
    return _with_labels_of(read.few, state)


def stand_ins(
    rows: Rows, scores: np.ndarray[Any, Any], *amounts: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any] | None]:
    """Labels and scores of rows in the processor's memory, and how often each occurs; None of rows that each stand for one.

    Where scores seldom recur, as many rows as there are take less time than counts.
    """
    counts = np.concatenate(amounts).astype(np.int64)
    labels = np.repeat(rows.labels, len(scores))
    both = np.concatenate([scores, scores])
    if counts.sum() <= _FEW * len(scores):
        return np.repeat(labels, counts), np.repeat(both, counts), None
    kept = counts > 0
    return labels[kept], both[kept], counts[kept]


def few_rows(y_true: Any, y_score: Any, options: tuple[Any, ...]) -> tuple[Any, Any]:
    """Rows in the processor's memory that count as those on a device, with a row for each label that is left out."""
    read = read_rows(y_true, y_score, options)
    labels, scores, weights = stand_ins(read, *counted(read))
    if weights is not None:
        labels, scores = np.repeat(labels, weights), np.repeat(scores, weights)
    is_gap = np.logical_or(*(column != column for column in read.first)) & (options[1] == "omit")
    return np.concatenate([labels, read.first[0][is_gap]]), np.concatenate([scores, read.first[1][is_gap]])


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
    return Rows(xp, first, few, pair, scores, is_positive, missing)


def counted(rows: Rows) -> list[np.ndarray[Any, Any]]:
    """Scores in the processor's memory, and the negative and the positive rows of each; a score may be there once a block."""
    xp = rows.xp
    kind = kind_of(rows.scores)
    keys = ordered_bits(xp, rows.scores)
    parts: list[list[np.ndarray[Any, Any]]] = [[np.zeros(0, kind), np.zeros(0, np.uint64), np.zeros(0, np.uint64)]]
    for block in blocks(rows.scores.shape[0]):
        scores, negatives, positives = _distinct(xp, keys[block], rows.is_positive[block])
        # Most scores have few rows: then a count crosses as one byte.
        narrow = xp.uint8 if max(int(xp.max(negatives)), int(xp.max(positives))) < 256 else xp.int32
        amounts = (here(xp.astype(column, narrow)).astype(np.uint64) for column in (negatives, positives))
        distinct = here(scores).astype(kind) if keys is rows.scores else _of_bits(here(scores), kind)
        parts.append([distinct, *amounts])
    if any(rows.missing):
        parts.append([np.full(1, np.nan, kind), *(np.full(1, amount, np.uint64) for amount in rows.missing)])
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


def ordered_bits(xp: Any, scores: Any) -> Any:
    """Floats as integers in their order, where the library takes subnormal ones for 0, as XLA's on a CPU; else as they are."""
    if not is_float(scores):
        return scores
    tiny = xp.full((1,), float(np.finfo(kind_of(scores)).smallest_subnormal), dtype=scores.dtype, device=scores.device)
    if bool(tiny[0] != 0):
        return scores
    width = kind_of(scores).itemsize * 8
    bits = scores.view(getattr(xp, f"int{width}"))
    bits = bits ^ ((bits >> (width - 1)) & (2 ** (width - 1) - 1))
    return xp.where(bits == -1, 0, bits)  # -0 as 0


def _of_bits(bits: np.ndarray[Any, Any], kind: Any) -> np.ndarray[Any, Any]:
    """The floats of what `ordered_bits` gives."""
    width = bits.dtype.itemsize * 8
    floats: np.ndarray[Any, Any] = (bits ^ ((bits >> (width - 1)) & (2 ** (width - 1) - 1))).view(kind)
    return floats


def _with_labels_of(few: _rocksteady.ScoreState, state: _rocksteady.ScoreState) -> _rocksteady.ScoreState:
    """A state with the labels of another: `from_counts` takes two labels, and always names the positive one."""
    data, other = state.to_bytes(), few.to_bytes()
    core = data[_BEFORE_LABELS - 1 : _BEFORE_LABELS]
    core += other[_BEFORE_LABELS : _end_of_labels(other)] + data[_end_of_labels(data) :]
    found: _rocksteady.ScoreState = _rocksteady.ScoreState.from_bytes(
        data[:11] + len(core).to_bytes(8, "little") + core
    )
    return found


def _end_of_labels(data: bytes) -> int:
    """Where the labels of a score table end in its bytes: a kind, then three labels."""
    place = _BEFORE_LABELS + 1
    for _ in range(3):
        sizes = {0: 1, 1: 17, 2: 9 + int.from_bytes(data[place + 1 : place + 9], "little")}
        place += sizes[data[place]]
    return place
