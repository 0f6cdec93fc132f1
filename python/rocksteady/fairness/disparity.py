"""Least, greatest, difference and ratio of an index over groups, with intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import one_of, shown, wrong_value
from rocksteady.base.record import Record
from rocksteady.base.table import Table
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.inference.difference import level_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from rocksteady.base.table import Cell
    from rocksteady.inference.interval import Interval, Side, Wanted

_Bounds = tuple[float, float, str | None]
Kind = Literal["difference", "ratio", "min", "max"]
Compared = Literal["between_groups", "to_overall"]
METHODS = ("between_groups", "to_overall")

# The numbers of each stratum from the extension, in its order.
NUMBERS = ("overall", "min", "max", "difference", "ratio", "overall_difference", "overall_ratio")
#: Why there is no difference or ratio. A lone group would be compared with itself.
FEW = "Fewer than two groups have a value."
_PLACES = ("min", "max", "overall_difference", "overall_ratio", "groups", "without")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Disparity(Record):
    """How far the values of an index lie apart over groups.

    Attributes
    ----------
    index : str
        The index.
    kind : str
        "difference", "ratio", "min" or "max".
    method : str
        "between_groups" or "to_overall".
    value : float
        The disparity. A difference is not negative, and a ratio is in [0, 1]. NaN where fewer than two groups have a
        value, for the least and the greatest value where none has.
    low, high : float
        The interval of the true disparity; NaN where there is none.
    level : float or None
        The confidence level.
    lowest, highest : object
        The keys of the groups with the least and the greatest value: a key, a tuple of several, or None. With
        "to_overall", `lowest` is the group that differs most, and `highest` is None.
    lowest_value, highest_value, overall : float
        Their values, and that of all rows.
    groups : int
        How many groups have a value.
    without : int
        How many groups have none, and are left out.
    why : str or None
        Why there is no value, or no interval; None if there are both.
    """

    index: str
    kind: str
    method: str
    value: float
    low: float
    high: float
    level: float | None
    lowest: Any
    highest: Any
    lowest_value: float
    highest_value: float
    overall: float
    groups: int
    without: int
    why: str | None = None

    def __float__(self) -> float:
        """The value."""
        return self.value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Disparity):
            return NotImplemented
        pairs = [(getattr(self, name), getattr(other, name)) for name in self.__slots__]
        return all(a == b or (a != a and b != b) for a, b in pairs)  # NaN stands for an undefined value

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [f"{self.index}, {self.kind} {self.method.replace('_', ' ')}: {self.value:.6g}"]
        if self.level is not None and self.low == self.low:
            parts.append(f"{self.low:.6g} to {self.high:.6g} at {self.level:g}")
        elif self.value != self.value and self.why is not None:
            parts.append(self.why)
        groups = f"{self.groups} {'group' if self.groups == 1 else 'groups'}"
        if self.without:
            groups += f", {self.without} more without a value"
        if self.method == "to_overall":
            return f"{', '.join(parts)}\nof {shown(self.lowest)}; {groups}; all rows {self.overall:.6g}"
        ends = f"lowest {shown(self.lowest)} ({self.lowest_value:.6g}), highest {shown(self.highest)} ({self.highest_value:.6g})"
        return f"{', '.join(parts)}\n{ends}; {groups}; all rows {self.overall:.6g}"


class Keyed:
    """The tables of groups (`Counts`), with the keys of the groups.

    Parameters
    ----------
    counts : Counts or None
        One table for each group; None where values are given.
    keys : mapping of str to array
        The columns of the keys, those of `control` first.
    control : int
        How many columns of keys are control columns: disparities are within each of their groups.
    """

    __slots__ = ("control", "counts", "keys")

    def __init__(self, counts: Any, keys: Mapping[str, NDArray[Any]], control: int = 0) -> None:
        self.counts = counts
        self.keys = dict(keys)
        self.control = control

    def __len__(self) -> int:
        """The number of groups."""
        if self.counts is not None:
            return int(self.counts.tp.size)
        return len(next(iter(self.keys.values()), (None,)))

    def key(self, place: int, *, of_control: bool = False) -> Any:
        """The key of a group without the columns of `control`; a tuple of several columns."""
        columns = list(self.keys.values())
        columns = columns[: self.control] if of_control else columns[self.control :]
        found = tuple(item(column[place]) for column in columns)
        return found[0] if len(found) == 1 else found

    def place(self, key: Any, argument: str) -> int:
        """The place of the group with a key."""
        found = [place for place in range(len(self)) if _same(self.key(place), key)]
        if len(found) != 1:
            raise wrong_value(key, argument, "the key of one group")
        return found[0]

    def strata(self) -> tuple[NDArray[np.uint32] | None, int, list[int]]:
        """The stratum of each group, how many there are, and the first group of each. Groups are in order of their keys."""
        groups = len(self)
        if not self.control:
            return None, 1, [0]
        firsts: list[int] = []
        codes = np.empty(groups, dtype=np.uint32)
        last: Any = None
        for place in range(groups):
            key = self.key(place, of_control=True)
            if not firsts or not _same(key, last):
                firsts.append(place)
                last = key
            codes[place] = len(firsts) - 1
        return codes, len(firsts), firsts


def item(value: Any) -> Any:
    """A key as an object of Python; dates stay numpy's."""
    return value.item() if isinstance(value, np.generic) and not isinstance(value, np.datetime64) else value


def _same(a: Any, b: Any) -> bool:
    """Whether two keys are equal; a missing key equals a missing key."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return a is b or bool(a == b) or bool(a != a and b != b)


def disparity(
    keyed: Keyed,
    name: str,
    kind: Kind,
    *,
    method: Compared = "between_groups",
    level: float | None = 0.95,
    side: Side = "two-sided",
    parameters: dict[str, Any] | None = None,
) -> Disparity | Table:
    """The disparity of an index of counts; with control columns a table, a row for each of their groups."""
    one_of(method, "method", METHODS)
    counts = keyed.counts
    of = kind if _is_between(kind, method) else f"overall_{kind}"
    codes, count, _ = keyed.strata()
    _, *found = _rocksteady.group_disparities(counts._arrays, name, parameters, codes, count, float("nan"), None)

    def bounds(used: float) -> list[_Bounds]:
        wanted = (used, None, side, None)
        intervals = _rocksteady.disparity_intervals(
            counts._arrays, counts._squares, name, parameters, of, wanted, codes, count
        )
        return [(low, high, why) for _, low, high, _, _, why, _ in intervals]

    return _told(keyed, name, kind, method, level, found, bounds)


def disparity_of_values(
    keyed: Keyed,
    name: str,
    kind: Kind,
    values: NDArray[np.float64],
    overall: NDArray[np.float64],
    interval: Callable[[float], Any],
    *,
    method: Compared = "between_groups",
    level: float | None = 0.95,
    side: Side = "two-sided",
    why: str | None = None,
) -> Disparity | Table:
    """The disparity of any index: `values` of groups, `overall` of all rows of each group of the control columns.

    `interval` gives the values of all groups with their intervals at a level; `why` says why the disparity has none.
    """
    one_of(method, "method", METHODS)
    codes, count, _ = keyed.strata()
    found = _rocksteady.value_disparities(values, codes, overall)

    def bounds(used: float) -> list[_Bounds]:
        if why is not None:
            return [(float("nan"), float("nan"), why)] * count
        made: list[_Bounds] = []
        for stratum in range(count):
            own = np.isfinite(values) if codes is None else (codes == stratum) & np.isfinite(values)
            wanted = (used, None, side, None)
            both = []
            for each in _rocksteady.disparity_levels(kind, int(own.sum()), wanted):
                found = interval(each)
                both.append((values[own], found.low[own], found.high[own]))
            _, lowest, highest = _rocksteady.disparity_of_intervals(name, kind, wanted, both[0], both[1])
            made.append((lowest, highest, None if lowest == lowest else "No group has a value."))
        return made

    return _told(keyed, name, kind, method, level, list(found), bounds if _is_between(kind, method) else None)


def _is_between(kind: Kind, method: Compared) -> bool:
    """Whether groups are compared with each other; the least and the greatest value have no other method."""
    return method == "between_groups" or kind in ("min", "max")


def _told(
    keyed: Keyed,
    name: str,
    kind: Kind,
    method: Compared,
    level: float | None,
    found: list[Any],
    bounds: Callable[[float], list[_Bounds]] | None,
) -> Disparity | Table:
    """The results of the extension, with the bounds; None where there are none."""
    numbers, places, negative = found
    used = None if level is None else level_of(level)
    if negative and kind == "ratio":
        raise InputError(
            f"{shown(name)} has negative values, so the ratio of two of them means nothing; ask for the difference",
            argument="name",
        )
    column = dict(zip(NUMBERS, numbers, strict=True))
    place = dict(zip(_PLACES, places, strict=True))
    is_between = _is_between(kind, method)
    field = kind if is_between else f"overall_{kind}"
    _, count, firsts = keyed.strata()
    nothing = float("nan")
    intervals: list[_Bounds] = [(nothing, nothing, None)] * count
    if used is not None and bounds is None:
        intervals = [
            (
                nothing,
                nothing,
                "A group is part of all rows; only indices of counts of independent rows have this interval.",
            )
        ] * count
    elif used is not None and bounds is not None:
        try:
            intervals = bounds(used)
        except RocksteadyError as error:
            if " has no interval" not in str(error):
                raise
            intervals = [(nothing, nothing, str(error))] * count
    made = []
    for stratum, bounded in enumerate(intervals):
        is_alone = kind in ("difference", "ratio") and place["groups"][stratum] < 2
        value = nothing if is_alone else float(column[field][stratum])
        low, high, why = (nothing, nothing, FEW) if is_alone else bounded
        lowest = int(place["min" if is_between else field][stratum])
        highest = int(place["max"][stratum]) if is_between else -1
        made.append(
            Disparity(
                name,
                kind,
                "between_groups" if is_between else method,
                value,
                low,
                high,
                used,
                None if lowest < 0 else keyed.key(lowest),
                None if highest < 0 else keyed.key(highest),
                float(column["min"][stratum]),
                float(column["max"][stratum]),
                float(column["overall"][stratum]),
                int(place["groups"][stratum]),
                int(place["without"][stratum]),
                why,
            )
        )
    return _by_control(keyed, firsts, made) if keyed.control else made[0]


def _by_control(keyed: Keyed, firsts: list[int], found: list[Disparity]) -> Table:
    """A row for each group of the control columns."""
    control = list(keyed.keys)[: keyed.control]
    fields = ("value", "low", "high", "lowest", "highest", "overall", "groups", "without")

    def cell(value: Any) -> Cell:
        return value if isinstance(value, str | int | float) or value is None else str(value)

    rows = []
    for first, one in zip(firsts, found, strict=True):
        keys = [item(keyed.keys[name][first]) for name in control]
        rows.append([cell(value) for value in (*keys, *(getattr(one, field) for field in fields))])
    note = f"NaN where: {FEW}" if any(one.why == FEW for one in found) else None
    return Table([*control, *fields], rows, note=note)


def pair(
    keyed: Keyed,
    name: str,
    kind: Kind,
    groups: tuple[Any, Any],
    *,
    level: float = 0.95,
    side: Side = "two-sided",
    parameters: dict[str, Any] | None = None,
) -> Interval:
    """The first group's value less, or over, that of the second, as an `Interval`."""
    places, wanted = _two(keyed, kind, groups, level, side)
    counts = keyed.counts
    found = _rocksteady.pair_disparity(
        counts._arrays, counts._squares, name, parameters, kind == "ratio", places, wanted._asked
    )
    return wanted.of_one(found)


def pair_of_values(
    keyed: Keyed,
    name: str,
    kind: Kind,
    groups: tuple[Any, Any],
    interval: Callable[[float], Any],
    *,
    level: float = 0.95,
    side: Side = "two-sided",
    correlation: Callable[[list[int], list[int]], float] | None = None,
) -> Interval:
    """The same of any index, from the intervals of both groups (MOVER).

    `interval` gives the values of all groups with their intervals at a level, `correlation` that of two groups.
    """
    places, wanted = _two(keyed, kind, groups, level, side)
    found = interval(_rocksteady.level_of_pair(wanted._asked))
    columns = (found.value, found.low, found.high, found.standard_error)
    values = np.array(columns, np.float64)[:, places].T.tolist()
    together = 0.0 if correlation is None else correlation(places[:1], places[1:])
    pair = wanted.of_one(_rocksteady.pair_of_intervals(name, kind == "ratio", values, together, wanted._asked))
    notes = [found.note[place] for place in places] if found.note is not None else []
    return replace(pair, method="mover", note=next((note for note in notes if note and not pair.why), None))


def _two(keyed: Keyed, kind: Kind, groups: tuple[Any, Any], level: float, side: Side) -> tuple[list[int], Wanted]:
    """The places of two groups, and what is asked of them."""
    from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (few programs need it)

    one_of(kind, "kind", ("difference", "ratio"))
    if not isinstance(groups, tuple | list) or len(groups) != 2:
        raise wrong_value(groups, "groups", "the keys of two groups")
    return [keyed.place(key, "groups") for key in groups], Wanted(level_of(level), None, side, {})
