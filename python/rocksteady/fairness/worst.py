"""The groups with the most evidence that they are worse than the other rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import not_negative, one_of, whole
from rocksteady.base.record import Record
from rocksteady.base.table import Table
from rocksteady.base.ways_out import items_of
from rocksteady.inference.difference import level_of
from rocksteady.inference.two_proportions import independent_difference
from rocksteady.registry.registry import index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.base.ways_out import Column
    from rocksteady.fairness.disparity import Keyed
    from rocksteady.inference.interval import Interval

Adjust = Literal["bh", "holm", "none"]
Bad = Literal["low", "high", "either"]
_FIELDS = ("rows", "value", "rest", "low", "high", "p_value", "adjusted", "shrunken")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WorstGroups(Record):
    """The groups with the most evidence against them, the worst first.

    Attributes
    ----------
    index : str
        The index.
    table : Table
        A row for each group: its keys, then

        - rows: its rows, or their weight
        - value, rest: the index of the group, and of all other rows
        - low, high: the interval of the value, at `interval_level`
        - p_value: of both sides, that the group does not differ from the rest
        - adjusted: the same, adjusted for the number of groups
        - shrunken: the value, drawn towards those of the other groups; small groups move most. NaN of an index that is
          not one of counts of two classes
    tested : int
        How many groups were tested.
    found : int
        How many of them are worse, with an adjusted p-value of at most 1 - `level`.
    small : int
        How many groups have fewer rows than asked for.
    without : int
        How many groups have no value, or are all rows.
    level : float
        The level asked for.
    interval_level : float
        The level of each interval. It is higher, as the groups shown were selected.
    adjust : str
        How p-values and intervals are adjusted: "bh", "holm" or "none".
    """

    index: str
    table: Table
    tested: int
    found: int
    small: int
    without: int
    level: float
    interval_level: float
    adjust: str

    def __len__(self) -> int:
        """The number of groups shown."""
        return len(self.table)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WorstGroups):
            return NotImplemented
        own, their = ((one.table.columns, one.table.rows, one._facts()) for one in (self, other))
        return repr(own) == repr(their)

    __hash__ = None  # type: ignore[assignment]

    def _columns(self) -> Mapping[str, Column]:
        return self.table._columns()

    def _facts(self) -> str:
        parts = [f"{self.found} of {self.tested} groups worse at {1 - self.level:.3g} ({self.adjust})"]
        if self.small:
            parts.append(f"{self.small} with too few rows")
        if self.without:
            parts.append(f"{self.without} without a value")
        parts.append(f"intervals at {self.interval_level:.6g}")
        return f"{self.index}: {'; '.join(parts)}"

    def __repr__(self) -> str:
        return f"{self.table!r}\n{self._facts()}"

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        return f"{self.table._repr_html_()}<p>{html.escape(self._facts())}</p>"


def worst(
    keyed: Keyed,
    name: str,
    *,
    k: int = 10,
    level: float = 0.95,
    adjust: Adjust = "bh",
    min_rows: float = 1,
    bad: Bad | None = None,
    parameters: dict[str, Any] | None = None,
) -> WorstGroups:
    """The `k` groups with the most evidence against them."""
    counts = keyed.counts
    used = level_of(level)
    places, columns, numbers, interval_level = _rocksteady.worst_groups(
        counts._arrays,
        counts._squares,
        name,
        parameters,
        whole(k, "k", "a number of groups", least=1),
        used,
        adjust,
        not_negative(min_rows, "min_rows"),
        bad,
    )
    return _told(keyed, name, places, columns, numbers, (used, interval_level, adjust))


def of_intervals(own: Interval, rest: Interval) -> tuple[float, float, float]:
    """The values of two intervals, and the p-value that they are equal; NaN if one has no bounds."""
    p_value = math.nan if own.why or rest.why else independent_difference(own, rest).p_value
    return float(own.estimate), float(rest.estimate), p_value


def worst_by_test(
    keyed: Keyed,
    name: str,
    sizes: NDArray[np.int64],
    test: Callable[[int], tuple[float, float, float]],
    interval: Callable[[int, float], Interval],
    *,
    k: int = 10,
    level: float = 0.95,
    adjust: Adjust = "bh",
    min_rows: float = 1,
    bad: Bad | None = None,
) -> WorstGroups:
    """The same of any index. Nothing is shrunken.

    `test` gives the value of a group, that of all other rows and the p-value, `interval` the interval of a group at a
    level.
    """
    used, least = level_of(level), not_negative(min_rows, "min_rows")
    shown = whole(k, "k", "a number of groups", least=1)
    better = {"higher": "low", "lower": "high"}.get(index(name).better or "", "either")
    one_of(bad if bad is not None else better, "bad", ("low", "high", "either"))
    places = [place for place in range(len(sizes)) if sizes[place] >= least]
    found = []
    for place in places:
        value, rest, p_value = test(place)
        if p_value == p_value:
            found.append((place, value, rest, p_value))
    adjusted = _rocksteady.adjusted_p_values(np.array([one[-1] for one in found], np.float64), adjust).tolist()

    def is_worse(value: float, rest: float) -> bool:
        return {"low": value < rest, "high": value > rest, "either": value != rest}[bad or better]

    rows = []
    for (place, value, rest, p_value), each in zip(found, adjusted, strict=True):
        worse = is_worse(value, rest)
        order = (not worse, p_value if worse else -p_value, -int(sizes[place]), place)
        rows.append((order, [int(sizes[place]), value, rest, math.nan, math.nan, p_value, each, math.nan]))
    rows.sort(key=lambda row: row[0])
    number = sum(not row[0][0] and row[1][6] <= 1 - used for row in rows)
    missed = {"none": 1.0, "holm": 1 / max(len(rows), 1)}.get(adjust, min(shown, len(rows)) / max(len(rows), 1))
    interval_level = 1 - max((1 - used) * missed, 1e-15)
    for order, cells in rows[:shown]:
        bounds = interval(order[3], interval_level)
        cells[3:5] = float(bounds.low), float(bounds.high)
    columns = np.array([row[1] for row in rows[:shown]], np.float64).reshape(-1, len(_FIELDS)).T
    numbers = (len(rows), number, len(sizes) - len(places), len(places) - len(rows))
    chosen = np.array([row[0][3] for row in rows[:shown]], np.int64)
    return _told(keyed, name, chosen, list(columns), numbers, (used, interval_level, adjust))


def _told(
    keyed: Keyed,
    name: str,
    places: NDArray[np.int64],
    columns: list[NDArray[np.float64]],
    numbers: Sequence[int],
    levels: tuple[float, float, str],
) -> WorstGroups:
    tested, found, small, without = numbers
    used, interval_level, adjust = levels

    def cells(column: Any) -> list[Cell]:
        return [value if isinstance(value, str | int | float) or value is None else str(value) for value in column]

    keys = [items_of(np.asarray(column)[places]) for column in keyed.keys.values()]
    rows = list(zip(*map(cells, keys), *(column.tolist() for column in columns), strict=True))
    table = Table([*keyed.keys, *_FIELDS], rows)
    return WorstGroups(name, table, tested, found, small, without, used, interval_level, adjust)
