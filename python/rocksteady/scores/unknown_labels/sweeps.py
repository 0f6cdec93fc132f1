"""Bounds of KS, of the average precision and of mean losses over all labels of the rows whose label is not known.

- **KS.** At each threshold tpr - fpr rises with the unknown positives above it and falls with those below. So its greatest
  and its least value are those of two labellings, and the greatest of all distances is attained. The least distance at
  every threshold is not: the lower bound is proven, and may be too low.
- **Average precision.** Where no score of an unknown label ties with that of another row, exchanging a negative row with a
  positive row below it raises it. So of m positives among the unknown labels the m highest and the m lowest rows are
  extreme, and all m are tried. With ties it may fall: then each row has the precision that bounds the precision at its
  score, a proven bound that may be wide.
- **Mean losses.** What a row loses if it is positive, less what it loses if it is negative, falls with its score. So the m
  highest and the m lowest are extreme here as well.

Cost: O(n + u); O(u log u) for the average precision with ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocksteady.scores.score_table import ScoreTable
    from rocksteady.scores.unknown_labels.placed import Placed

    Column = NDArray[np.float64]

_EPSILON: Final = 2.0**-52  # the least probability that a logarithmic loss takes

#: The loss of a row by its score, if it is positive; if it is negative, that of 1 - score.
LOSSES: Final[dict[str, Callable[[Column], Column]]] = {
    "brier": lambda score: (1 - score) ** 2,
    "log_loss": lambda score: -np.log(np.maximum(score, _EPSILON)),
}


def _rounding(terms: int, value: float) -> float:
    """A bound of the error of a sum of so many terms of one sign."""
    return float((terms + 16) * 2.0**-52 * abs(value))


def _at_known(known: ScoreTable, unknown: ScoreTable) -> tuple[Column, Column, Column]:
    """Running positives and negatives, and unknown labels, at or above each known score."""
    found = known._state.placements(known._state), unknown._state.placements(known._state)
    own, others = ([column.astype(np.float64) for column in columns or []] for columns in found)
    return own[1], own[3], others[3]


def ks_bounds(
    known: ScoreTable, unknown: ScoreTable, placed: Placed, ends: tuple[int, int]
) -> tuple[float, float, bool]:
    """The least and the greatest distance, and whether labels attain both."""
    at_known = _at_known(known, unknown)
    at_unknown = placed.positives_reached, placed.negatives_reached, placed.reached
    tp, fp, above = (np.concatenate(pair).astype(np.float64) for pair in zip(at_known, at_unknown, strict=True))
    below, (least, most) = placed.unknown - above, ends

    def distance(up: Column, down: Column) -> Column:
        positives = up + down
        tpr = (tp + up) / (placed.positives + positives)
        found: Column = tpr - (fp + above - up) / (placed.negatives + placed.unknown - positives)
        return found

    up, down = np.minimum(above, most), np.minimum(below, most)
    high, low = distance(up, np.maximum(0, least - up)), distance(np.maximum(0, least - down), down)
    smallest, greatest = max(float(low.max()), -float(high.min())), max(float(high.max()), -float(low.min()))
    return max(0.0, smallest - 1e-15), min(1.0, greatest + 1e-15), False


def average_precision_bounds(
    known: ScoreTable, unknown: ScoreTable, placed: Placed, ends: tuple[int, int]
) -> tuple[float, float, bool]:
    """The least and the greatest average precision, and whether labels attain both."""
    tp, fp, marked = _at_known(known, unknown)
    positives, rank = np.diff(tp, prepend=0.0), tp + fp + marked
    reached, above = placed.reached.astype(np.float64), placed.above.astype(np.float64)
    own = placed.positives_reached.astype(np.float64)
    reached_known = own + placed.negatives_reached.astype(np.float64)
    own_rank, terms = reached_known + reached, len(tp) + len(reached)
    is_tied = reached_known != (placed.positives_above + placed.negatives_above).astype(np.float64)
    if is_tied.any() or (reached - above > 1).any():
        least, most = ends
        least_sum = float(positives @ ((tp + np.maximum(0, least - (placed.unknown - marked))) / rank))
        greatest_sum = float(positives @ ((tp + np.minimum(marked, most)) / rank))
        sizes = reached - above
        lowest, highest = (own + 1) / own_rank, (own + np.minimum(reached, most)) / own_rank
        sums = (*_running(lowest, sizes, 1), least_sum), (*_running(-highest, sizes, -1), greatest_sum)
        found = [_means(*each, ends, placed.positives) for each in sums]
        is_sharp = False
    else:
        # What one more positive adds to the sum of precisions: its own, and a share at each positive row below it.
        shares = np.concatenate([[0.0], np.cumsum(positives / rank)])
        below = shares[-1] - shares[np.searchsorted(tp + fp, reached_known, side="right")]
        lower = np.cumsum((1 / own_rank)[::-1])[::-1] - 1 / own_rank
        start = float(positives @ (tp / rank))
        counts = np.arange(placed.unknown + 1.0)
        top = (own + reached) / own_rank + below
        bottom = ((own + 1) / own_rank + below + lower)[::-1]
        found = [
            _means(counts, np.concatenate([[0.0], np.cumsum(each)]), start, ends, placed.positives)
            for each in (bottom, top)
        ]
        is_sharp = True
    low, high = float(found[0].min()), float(found[1].max())
    return max(0.0, low - _rounding(terms, low)), min(1.0, high + _rounding(terms, high)), is_sharp


def _running(values: Column, sizes: Column, sign: int) -> tuple[Column, Column]:
    """Numbers of rows, from the least value on, and the sums of their values times the sign."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(values[order] * sizes[order])
    return np.concatenate([[0.0], np.cumsum(sizes[order])]), sign * np.concatenate([[0.0], sums])


def _means(counts: Column, sums: Column, start: float, ends: tuple[int, int], rows: int) -> Column:
    """Means over some rows and as many of the first of others as are allowed, at all turning points."""
    tried = np.concatenate([np.array(ends, np.float64), counts[(counts > ends[0]) & (counts < ends[1])]])
    found: Column = (start + np.interp(tried, counts, sums)) / (rows + tried)
    return found


def loss_bounds(
    name: str, known: ScoreTable, unknown: ScoreTable, placed: Placed, ends: tuple[int, int]
) -> tuple[float, float, bool]:
    """The least and the greatest mean loss, and whether labels attain both."""
    score = np.asarray(unknown.thresholds[1:], np.float64)
    loss, rows = LOSSES[name], known.rows + unknown.rows
    sizes = (placed.reached - placed.above).astype(np.float64)
    if_negative = loss(1 - score)
    more = loss(score) - if_negative
    start = (known.value(name) * known.rows if known.rows else 0.0) + float(sizes @ if_negative)
    counts, found = np.concatenate([[0.0], np.cumsum(sizes)]), []
    for sums, numbers in ((more * sizes, counts), ((more * sizes)[::-1], counts[-1] - counts[::-1])):
        total = np.concatenate([[0.0], np.cumsum(sums)])
        tried = np.concatenate([np.array(ends, np.float64), numbers[(numbers > ends[0]) & (numbers < ends[1])]])
        found.append((start + np.interp(tried, numbers, total)) / rows)
    low, high = float(found[0].min()), float(found[1].max())
    error = _rounding(len(score), float(max(abs(start), np.abs(more) @ sizes)) / rows)
    return max(0.0, low - error), high + error, True
