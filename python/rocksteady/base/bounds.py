"""Proven bounds of a value that is not known exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from rocksteady.base.arguments import shown
from rocksteady.base.record import Record
from rocksteady.base.table import Table, number
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocksteady.base.table import Cell


#: Bounds of one value are nearer to each other than this.
_ROUNDING: Final = 1e-10


@dataclass(frozen=True, slots=True)
class Bounds(Record):
    """Two numbers between which a value lies for certain.

    A bound is a statement about these very rows, not about a population: there is no level, and it never fails. For a
    statement about the population see `rocksteady.results.Interval`.

    Attributes
    ----------
    low, high : float
        The value is at least `low` and at most `high`, rounding included; NaN where there are no bounds.
    value : float or None
        The value itself where it is known; NaN of an index that is undefined. `low` and `high` equal it where it is a
        fraction of counts, rounded once, and are beside it where weights or more than one step of it were rounded.
    why : str or None
        Why the index is undefined, or why there are no bounds.
    may_be_undefined : bool
        Whether the index may be undefined; the bounds are of the values that are defined.
    kind : {"proven", "sharp"}
        "proven": the value never lies outside. "sharp": moreover, both bounds are values that are possible.

    Examples
    --------
    >>> import rocksteady as rs
    >>> sketch = rs.ScoreSketch([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> sketch.bounds("roc_auc")
    Bounds(low=0.75, high=0.75, value=0.75, why=None, may_be_undefined=False, kind='proven')
    """

    low: float
    high: float
    value: float | None
    why: str | None = None
    may_be_undefined: bool = False
    kind: Literal["proven", "sharp"] = "proven"

    @property
    def width(self) -> float:
        """How far the bounds are apart."""
        return self.high - self.low


class BoundsTable(Table):
    """A table whose columns "low" and "high" are printed rounded outwards; to the nearest where only rounding parts them.

    >>> print(BoundsTable(["index", "low", "high"], [["f1", 0.12345678, 0.12345679], ["mcc", 0.12345678, 0.12345678]]))
    index       low      high
    f1     0.123456  0.123457
    mcc    0.123457  0.123457
    """

    __slots__ = ()

    def _texts(self, digits: int = 6, rows: Sequence[Sequence[Cell]] | None = None) -> list[list[str]]:
        shown = self.rows if rows is None else rows
        texts = super()._texts(digits, shown)
        low, high = self.columns.index("low"), self.columns.index("high")
        for row, text in zip(shown, texts[1:], strict=True):
            least, most = row[low], row[high]
            if not (
                isinstance(least, (int, float))
                and isinstance(most, (int, float))
                and most - least <= _ROUNDING * max(1.0, abs(most))
            ):
                text[low] = rounded(row[low], digits, ROUND_FLOOR)
                text[high] = rounded(row[high], digits, ROUND_CEILING)
        return texts


def rounded(value: Cell, digits: int, rounding: str) -> str:
    """A number to so many digits, rounded down or up."""
    if not isinstance(value, float) or not math.isfinite(value):
        return number(value, digits)
    near = Context(prec=digits, rounding=rounding).create_decimal_from_float(value)
    return number(float(near), digits)


class OfBounds:
    """What has bounds of indices, and single values where these are known."""

    __slots__ = ()

    bounds: Callable[..., Bounds]
    #: What narrows the bounds, for refusals.
    _narrower: ClassVar[str] = ""

    def value(self, name: str, **parameters: object) -> float:
        """One index where it is known exactly; NaN, or its convention, where it is undefined.

        Raises
        ------
        rocksteady.InputError
            If only bounds are known: `bounds` gives them.
        rocksteady.UnknownIndexError
            As `bounds`.
        """
        found = self.bounds(name, **parameters)
        if found.value is not None:
            return found.value
        if found.why is not None:
            raise InputError(f"{name} is not known exactly: {found.why}")
        ends = f"{number(found.low)} and {number(found.high)}"
        may_be = ", or is undefined" if found.may_be_undefined else ""
        raise InputError(
            f"{name} lies between {ends}{may_be}, and no more is known; ask for bounds({shown(name)}){self._narrower}"
        )

    def __getitem__(self, name: str) -> float:
        return self.value(name)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined, or why there are no bounds; None if it is defined and bounded."""
        return self.bounds(name, **parameters).why
