"""Bounds of the area under the ROC curve over all labels of the rows whose label is not known.

1. Given the number m of positives among these rows, the area is greatest if they are the m highest: to exchange the labels
   of a negative row and of a positive row below it moves a positive up and a negative down, and no other pair changes.
   So it is least if they are the m lowest.
2. All m are tried. Along rows of one score, twice the number of ordered pairs and the number of all pairs are quadratic
   in m: their quotient is extreme at an end, or next to a root of a quadratic equation.
3. Numbers of pairs are integers. The few best quotients are compared as fractions, and the result is rounded outwards.

Cost: O(n + u), n and u the distinct scores of known and unknown labels.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocksteady.scores.unknown_labels.placed import Placed

#: Quotients that are nearer to each other may be in the wrong order.
_NEAR: Final = 1e-15
#: More of them differ by less than a rounding.
_MOST: Final = 64


def area_bounds(placed: Placed, twice_areas: tuple[int, int], least: int, most: int) -> tuple[Fraction, Fraction]:
    """The least and the greatest area, if from `least` to `most` of the unknown labels are positive.

    With any of these numbers both classes must have rows. Of known labels, twice the number of ordered pairs lies between two
    numbers.
    """
    sizes, ends = (placed.positives, placed.negatives), (least, most)
    columns = placed.above, placed.reached, *placed.pairs(are_ordered=True)
    high = _greatest(columns, twice_areas[1], sizes, ends, placed.is_open)
    # In the reverse order of scores every pair is turned.
    if_positive, if_negative = placed.pairs(are_ordered=False)
    columns = (
        placed.unknown - placed.reached,
        placed.unknown - placed.above,
        2 * placed.negatives - if_positive,
        2 * placed.positives - if_negative,
    )
    turned = tuple(column[::-1] for column in columns)
    is_open = None if placed.is_open is None else placed.is_open[::-1]
    all_pairs = 2 * placed.positives * placed.negatives
    low = _greatest(turned, all_pairs - twice_areas[0], sizes, ends, is_open)
    return 1 - low, high


def _greatest(
    columns: tuple[NDArray[Any], ...],
    twice_area: int,
    sizes: tuple[int, int],
    ends: tuple[int, int],
    is_open: NDArray[np.bool_] | None,
) -> Fraction:
    """The greatest area, from rows with unknown labels by their scores from high to low.

    The columns are the numbers of these rows above a score, and at or above it; twice the ordered pairs of such a row with
    rows of known labels if it is positive, and if it is negative.
    """
    start, end, if_positive, if_negative = columns
    (positives, negatives), unknown = sizes, int(end[-1])
    size, gain = end - start, if_positive - if_negative
    ties = np.ones_like(size) if is_open is None else (~is_open).astype(size.dtype)
    gained, fixed = np.cumsum(size * gain), twice_area + int((size * if_negative).sum())

    def pairs(tried: NDArray[Any], gained: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Twice the ordered pairs, and twice all, of so many positives."""
        rest = unknown - tried
        return fixed + gained + 2 * tried * rest, 2 * (positives + tried) * (negatives + rest)

    inner = slice(*np.searchsorted(end, ends))
    tried = np.array(ends, end.dtype)
    joined = np.flatnonzero(size > 1)
    if len(joined):
        others = fixed + gained - size * gain
        floats = [part[joined].astype(np.float64) for part in (start, size, gain, others, ties)]
        roots = _stationary(floats, positives, negatives, unknown).astype(np.int64)
        roots = (start[joined] + roots.astype(end.dtype)).ravel()
        tried = np.concatenate([tried, np.clip(roots, *ends)])
    place = np.searchsorted(end, tried)
    rest = end[place] - tried  # negatives of the score of the last positive: tied with the positives there
    of_tried = gained[place] - rest * gain[place] - ties[place] * rest * (size[place] - rest)
    found = [pairs(end[inner], gained[inner]), pairs(tried, of_tried)]
    areas = [ordered.astype(np.float64) / every.astype(np.float64) for ordered, every in found]
    least = max(part.max() for part in areas if len(part)) - _NEAR
    return max(
        Fraction(int(ordered[each]), int(every[each]))
        for part, (ordered, every) in zip(areas, found, strict=True)
        for each in np.flatnonzero(part >= least)[:_MOST]
    )


def _stationary(
    columns: list[NDArray[np.float64]], positives: int, negatives: int, unknown: int
) -> NDArray[np.float64]:
    """The whole numbers next to the roots of the slope along each score, as numbers of its rows."""
    start, size, gain, others, ties = columns
    # The ordered pairs are a + b m - c m², half of all pairs d + e m - m², m the positives of this score.
    a = others + 2 * start * (unknown - start)
    b = gain + 2 * unknown - 4 * start - ties * size
    c = 2 - ties
    d = (positives + start) * (negatives + unknown - start)
    e = negatives + unknown - positives - 2 * start
    with np.errstate(divide="ignore", invalid="ignore"):
        half, square = a - c * d, b - c * e
        apart = np.sqrt(half * half - square * (b * d - a * e))
        roots = np.stack([(apart - half) / square, (-apart - half) / square, (a * e - b * d) / (2 * half)])
    roots = np.where(np.isfinite(roots), roots, 0.0)
    return np.stack([np.clip(side(roots), 0, size) for side in (np.floor, np.ceil)])


def outwards(low: Fraction, high: Fraction) -> tuple[float, float]:
    """Floats at or below the one, and at or above the other."""
    least, greatest = float(low), float(high)
    return (
        least if least <= low else math.nextafter(least, -math.inf),
        greatest if greatest >= high else math.nextafter(greatest, math.inf),
    )
