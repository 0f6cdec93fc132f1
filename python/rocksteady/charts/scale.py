"""Axes of scores: how far they reach, and when they are stretched.

The rule is part of a chart's description, so all painters share it:

1. An axis of scores covers 99.5 % of the rows of each class, the threshold in use and every marked point. For
   probabilities that use most of [0, 1] it covers all of it.
2. It is linear if the middle half of the rows takes at least a tenth of it.
3. Otherwise it is stretched: ``asinh((score - centre) / width)``. The centre is the median, the width half the range of
   the middle half of the rows. Within a width of the median this is nearly linear, and far away logarithmic on both
   sides. So probabilities near 0 or 1 and scores with far tails are all visible.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocksteady.charts.chart import Range, Reals

# On a linear axis the middle half of the rows takes at least this share.
_LEAST_SHARE: Final = 0.1
# Values this many widths from the centre are not told apart.
_FURTHEST: Final = 1e290


@dataclass(frozen=True)
class Stretch:
    """A stretched axis: nearly linear within `width` of `centre`, logarithmic far away on both sides.

    >>> stretch = Stretch(0.01, 0.005)
    >>> stretch.places(np.array([0.0, 0.01, 0.1, 1.0])).round(2)
    array([-1.44,  0.  ,  3.58,  5.98])
    >>> stretch.values(stretch.places(np.array([0.25]))).round(6)
    array([0.25])
    """

    centre: float
    width: float

    def places(self, values: Reals) -> Reals:
        """Where values lie on the axis."""
        with np.errstate(over="ignore"):
            return np.arcsinh((np.asarray(values, dtype=np.float64) - self.centre) / self.width)

    def values(self, places: Reals) -> Reals:
        """What lies at places of the axis."""
        with np.errstate(over="ignore"):
            return self.centre + self.width * np.sinh(np.asarray(places, dtype=np.float64))

    def ticks(self, shown: Range, most: int = 6) -> tuple[tuple[float, str], ...]:
        """Round numbers at about equal distances on the axis, and how they are written.

        >>> [words for _, words in Stretch(0.01, 0.005).ticks((0.0, 1.0))]
        ['0', '0.01', '0.02', '0.05', '0.2', '1']
        """
        low, high = self.places(np.array(shown)).tolist()
        step = (high - low) / most
        found: dict[float, str] = {}
        last = -math.inf
        for part in range(most):
            # The first and the last tick are at the ends, if a round number is near.
            middle = low + (high - low) * part / (most - 1)
            inner = np.clip([middle - 0.45 * step, middle + 0.45 * step], low, high)
            tick = roundest(*np.clip(self.values(inner), *shown).tolist())
            place = float(self.places(np.array(tick)))
            if place >= last + 0.5 * step and shown[0] <= tick <= shown[1]:
                found[tick] = f"{tick:.15g}".replace("e-0", "e-")
                last = place
        return tuple(found.items())


def roundest(low: float, high: float) -> float:
    """The number with the fewest digits from `low` to `high`; of several the one nearest their middle.

    >>> roundest(0.013, 0.027), roundest(-3.0, 5.0), roundest(0.87, 1.0), roundest(97.0, 116.0)
    (0.02, 0.0, 1.0, 100.0)
    """
    if low <= 0 <= high:
        return 0.0
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return low
    slack = 1e-9 * (high - low)  # the ends come from a transformation and back
    for power in range(math.floor(math.log10(max(-low, high))), -330, -1):
        for digit in (5, 2, 1):  # 10 is covered by 1 of the next power
            step = digit * 10.0**power
            if step == 0.0 or not math.isfinite(low / step):
                return low
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            found = float(f"{min(max(round((low + high) / 2 / step), first), last) * step:.15g}")
            if low - slack <= found <= high + slack:
                return found
    return low


def stretch_of(shown: Range, quartiles: Sequence[tuple[float, float, float]]) -> Stretch | None:
    """The stretch of an axis, or None for a linear one.

    Parameters
    ----------
    shown : (float, float)
        The ends of the axis.
    quartiles : sequence of (float, float, float)
        The lower quartile, the median and the upper quartile of the scores of each source.

    Examples
    --------
    >>> stretch_of((0.0, 1.0), [(0.2, 0.4, 0.7)]) is None
    True
    >>> stretch_of((0.0, 1.0), [(0.0025, 0.005, 0.0125)])
    Stretch(centre=0.005, width=0.005)
    """
    known = [each for each in quartiles if np.isfinite(each).all() and each[2] > each[0]]
    if not known:
        return None
    width = max(upper - lower for lower, _, upper in known) / 2
    length = shown[1] - shown[0]
    if not 0 < width < math.inf or 2 * width >= _LEAST_SHARE * length or length / width > _FURTHEST:
        return None
    return Stretch(float(np.median([middle for _, middle, _ in known])), width)
