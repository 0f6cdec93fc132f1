"""What the curves share: points joined in their order, fewer of them, the area below; and one index against another.

To add a curve of one index against another, describe it as an `IndexCurve` and add its method to
`rocksteady.scores.curves.curves.Curves`, in one line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, whole, wrong_value
from rocksteady.base.result import Result
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def points_asked(max_points: object) -> int | None:
    """A number of points, at least two; None for no limit."""
    if max_points is None:
        return None
    return whole(max_points, "max_points", "a whole number of points, 2 or more, or None", least=2)


class Line(Result):
    """The base of all curves: points joined in their order. Entry *i* of each array belongs to point *i*.

    `deviation` is 0 where every point is there, and otherwise bounds what is missing: read at any x, the whole curve
    lies no further from this one, in units of y. Where x turns back more often than `max_points` allowed: no point of
    it lies further from this one in either coordinate.
    """

    __slots__ = ()

    _x: ClassVar[str]
    _y: ClassVar[tuple[str, ...]]

    deviation: float

    def _steps(self) -> bool:
        """Whether y keeps its value from the x before; otherwise straight lines join the points."""
        return False

    def _stays(self) -> list[int]:
        """The points that are always kept."""
        return []

    def _totals(self) -> tuple[float, float] | None:
        """The totals of x and y, if they are shares."""
        return None

    def simplify(self, max_points: int | None = None, max_deviation: float = 0.0) -> Self:
        """The curve with fewer of its points; the first and the last stay, and those beside a gap.

        Points on a straight line between others are left out in any case. Rates that are counts are compared as whole
        numbers, so that this is exact; other numbers are compared as they stand.

        Parameters
        ----------
        max_points : int, optional
            Not more points than these, 2 or more: the deviation becomes as large as that needs.
        max_deviation : float
            So much deviation is allowed in any case. It is vertical, in units of y: read at any x, both curves differ
            by no more. Where the curve is itself vertical, its whole stretch counts. Where x turns back more often than
            `max_points` allows, x and y are both compared, place by place along the curve.

        Returns
        -------
        the same kind of curve
            With `deviation` as measured over every point left out, beside what the curve had.

        Raises
        ------
        rocksteady.InputError
            If more than `max_points` must stay: the ends, and points beside gaps (NaN and infinities).

        Examples
        --------
        >>> import rocksteady as rs
        >>> table = rs.ScoreTable([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.3, 0.2])
        >>> table.roc_curve().simplify().tpr
        array([0.        , 0.66666667, 0.66666667, 1.        , 1.        ])
        >>> table.roc_curve().simplify(max_points=4)
        RocCurve of 3 entries, 3 columns; positive class 1; positives 3; negatives 3; deviation 0.222222
           fpr       tpr  thresholds
        0    0         0         inf
        1    0  0.666667         0.8
        2    1         1         0.2
        """
        x = np.ascontiguousarray(getattr(self, self._x), dtype=np.float64)
        y = [np.ascontiguousarray(getattr(self, name), dtype=np.float64) for name in self._y]
        most, allowed = points_asked(max_points), not_negative(max_deviation, "max_deviation")
        places, deviation = _rocksteady.simplify_columns(
            x, y, self._totals(), self._steps(), self._stays(), most, allowed
        )
        columns = {name: column[places] for name, column in self._columns().items()}
        return self._replaced(**columns, deviation=self.deviation + deviation)


class Area(Line):
    """A curve with an area below it."""

    __slots__ = ()

    def area(self) -> float:
        """The area between the curve and the axis of x: by trapezoids, or by steps where the curve has steps.

        Pieces that end at a point without coordinates count nothing; NaN if there are no others.

        Raises
        ------
        rocksteady.InputError
            If x turns back, so that there is nothing below the curve.

        >>> import rocksteady as rs
        >>> rs.ScoreTable([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_curve().area()
        0.75
        """
        x, y = (np.ascontiguousarray(getattr(self, name), dtype=np.float64) for name in (self._x, self._y[0]))
        area = _rocksteady.area_of_curve(x, y, self._steps())
        if area is None:
            raise wrong_value(getattr(self, self._x), self._x, "numbers that rise throughout, or fall")
        return area


class IndexCurve(Area):
    """A curve of one index against another over all thresholds: the base of frozen dataclasses.

    The fields are x and y, called by the names of their indices; `thresholds`; `positives`, `negatives`; `deviation`.
    """

    __slots__ = ()

    #: The sweep that simplifies the curve from exact counts, before any point is written. If empty, `simplify` reads
    #: the points.
    _sweep: ClassVar[str] = ""

    @classmethod
    def _names(cls) -> list[str]:
        """The names of both indices in the registry."""
        return [index(name).name for name in (cls._x, *cls._y)]


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Area):
    """One index against another over all thresholds. ``x, y = curve`` unpacks it.

    Attributes
    ----------
    x, y : numpy.ndarray
        The two indices at ``score >= thresholds[i]``; NaN, or the index's conventional value, where undefined.
    thresholds : numpy.ndarray
        Scores, from ``inf``, where nothing is predicted positive, down.
    x_name, y_name : str
        What the indices are.
    deviation : float
        How far the whole curve lies from this one, vertically; 0 where every point is there.

    Examples
    --------
    >>> import rocksteady as rs
    >>> x, y = rs.ScoreTable([0, 1, 1], [0.1, 0.6, 0.9]).curve("fpr", "tpr")
    >>> y
    array([0. , 0.5, 1. , 1. ])
    """

    x: Array
    y: Array
    thresholds: Array
    x_name: str
    y_name: str
    deviation: float = 0.0

    _x: ClassVar[str] = "x"
    _y: ClassVar[tuple[str, ...]] = ("y",)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.x, self.y))
