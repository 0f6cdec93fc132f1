"""Confidence intervals where only bounds are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocksteady.base.bounds import BoundsTable
from rocksteady.base.record import Record
from rocksteady.inference.interval import names_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rocksteady import _rocksteady
    from rocksteady.base.bounds import Bounds
    from rocksteady.base.table import Cell, Table

# The options: level, method, side, and no strata.
_Asked = tuple[float, str | None, str, None]

_COLUMNS = ("index", "low", "high", "method")


@dataclass(frozen=True, slots=True, repr=False)
class WidenedInterval(Record):
    """A confidence interval of an index that is known only within bounds.

    It contains the interval of every table that is possible, and so that of the exact one: it covers the true value at
    least as often. `bounds` are proven for these very rows; `low` and `high` are a statement about the population.

    Attributes
    ----------
    bounds : Bounds
        What is known of the index itself.
    low, high : float
        The interval; NaN where there is none. With side "lower", `high` is the upper end of the index's range. With
        side "upper", `low` is its lower end.
    level : float
        The confidence level of the exact interval.
    method : str
        The method: one of `rocksteady.index(name).intervals`.
    side : str
        "two-sided", "lower" or "upper".
    why : str or None
        Why there is no interval; None if there is one.
    may_be_none : bool
        Whether the exact table may have no interval.
    note : str or None
        What speaks against the interval, such as few rows of the rarer class.

    Examples
    --------
    >>> import rocksteady as rs
    >>> counts = rs.CountsBounds(tp=(79, 81), fp=(16, 18), positives=93, negatives=107)
    >>> found = counts.interval("recall")
    >>> round(found.low, 4), round(found.high, 4), found.method
    (0.763, 0.9246, 'wilson')
    """

    bounds: Bounds
    low: float
    high: float
    level: float
    method: str
    side: str
    why: str | None = None
    may_be_none: bool = False
    note: str | None = None

    def __repr__(self) -> str:
        side = "" if self.side == "two-sided" else f", {self.side}"
        lines = [f"{self.low!r} to {self.high!r} at {self.level:g} ({self.method}{side})"]
        if self.bounds.why is None:
            lines.append(f"the index lies between {self.bounds.low!r} and {self.bounds.high!r}")
        return "\n".join([*lines, *(words for words in (self.why, self.note) if words)])


def widened(
    names: str | Iterable[str],
    asked: _Asked,
    found_of: Callable[[Sequence[str], _Asked], Sequence[_rocksteady._Widened]],
    bounds_of: Callable[[str], Bounds],
) -> WidenedInterval | Table:
    """The widened interval of an index, or a table of those of several."""
    each = names_asked(names)
    found = found_of(each, asked)
    if isinstance(names, str):
        low, high, method, why, may_be_none, note = found[0]
        return WidenedInterval(bounds_of(names), low, high, asked[0], method, asked[2], why, may_be_none, note)
    rows: list[list[Cell]] = [[name, *one[:3]] for name, one in zip(each, found, strict=True)]
    note = " ".join(dict.fromkeys(one[5] for one in found if one[5])) or None
    reasons = [one[3] for one in found]
    if not any(reasons):
        return BoundsTable(_COLUMNS, rows, note=note)
    return BoundsTable((*_COLUMNS, "why"), [[*row, why] for row, why in zip(rows, reasons, strict=True)], note=note)
