"""Curves of a ranking whose cells alone are known: exact at the edges of cells, bounded within them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import numpy as np

from rocksteady.base.result import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

#: A picture shows rectangles of a pixel or two, given as a share of either axis.
_PIXELS: Final = 256


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class CurveBounds(Result):
    """Two indices along a ranking, exact at some thresholds and with proven bounds between them.

    Entry *i* is the point where the rows of the first *i* cells are predicted positive. The points of all thresholds
    from that of entry *i* − 1 on lie in the rectangle of `x_low`, `x_high`, `y_low` and `y_high` of entry *i*. So the
    whole curve lies within the rectangles, for certain.

    Attributes
    ----------
    x_name, y_name : str
        The two indices.
    thresholds : numpy.ndarray of float64
        The least score that counts as positive, from high to low; ``inf`` where none does.
    x, y : numpy.ndarray of float64
        The exact points; where an index is undefined, NaN or its number by convention.
    x_low, x_high, y_low, y_high : numpy.ndarray of float64
        The rectangles; NaN where an index is undefined throughout.
    kind : str
        "proven".

    Examples
    --------
    >>> import numpy as np
    >>> import rocksteady as rs
    >>> rng = np.random.default_rng(0)
    >>> actual = rng.random(100_000) < 0.1
    >>> score = 1 / (1 + np.exp(-rng.normal(size=100_000) - actual))
    >>> curve = rs.ScoreSketch(actual, score, cells=2048).roc_curve()
    >>> bool(np.max(curve.y_high - curve.y_low) < 0.01)
    True
    """

    x_name: str
    y_name: str
    thresholds: Array
    x: Array
    y: Array
    x_low: Array
    x_high: Array
    y_low: Array
    y_high: Array
    kind: Literal["proven"] = "proven"

    _first: ClassVar[tuple[str, ...]] = ("thresholds", "x", "y")

    def outline(self) -> tuple[Array, Array, Array]:
        """A band for pictures, x and the least and the greatest y: rectangles smaller than a pixel fall together.

        >>> import rocksteady as rs
        >>> x, low, high = rs.ScoreSketch([0, 1, 1], [0.2, 0.9, 0.4]).roc_curve().outline()
        >>> x.tolist(), low.tolist(), high.tolist()
        ([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0], [0.5, 0.5, 1.0, 1.0, 1.0, 1.0])
        """
        known = ~np.isnan(self.x_low + self.x_high + self.y_low + self.y_high)
        sides = [column[known] for column in (self.x_low, self.x_high, self.y_low, self.y_high)]
        if not len(sides[0]):
            return np.empty(0), np.empty(0), np.empty(0)
        spans = [max(float(high.max() - low.min()), 1e-300) for low, high in (sides[:2], sides[2:])]
        pixels = [np.floor(side / span * _PIXELS) for side, span in zip(sides[::2], spans, strict=True)]
        moves = (np.diff(pixels[0]) != 0) | (np.diff(pixels[1]) != 0)
        starts = np.concatenate([[0], np.flatnonzero(moves) + 1])
        x_low, y_low = (np.minimum.reduceat(side, starts) for side in sides[::2])
        x_high, y_high = (np.maximum.reduceat(side, starts) for side in sides[1::2])
        return np.column_stack([x_low, x_high]).ravel(), np.repeat(y_low, 2), np.repeat(y_high, 2)
