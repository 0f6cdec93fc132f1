"""Windows over dated parts, whose total follows by adding and subtracting, and the drift of an index between two."""

from __future__ import annotations

import math
from bisect import insort
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady.base.arguments import real, shown, string, whole, wrong_type, wrong_value
from rocksteady.base.record import Record
from rocksteady.base.table import number, number_of, repr_html
from rocksteady.base.warning import warn
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.inference.difference import level_of, p_text
from rocksteady.inference.two_proportions import independent_difference
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.labels.counts import Counts
from rocksteady.queries.queries import Queries
from rocksteady.registry.registry import index
from rocksteady.scores.probability_sums import ProbabilitySums
from rocksteady.scores.score_table import ScoreTable
from rocksteady.scores.stability import population_stability

if TYPE_CHECKING:
    from rocksteady.inference.interval import Interval
    from rocksteady.scores.stability import PopulationStability

_DATE: Final = "a date, a datetime, a numpy.datetime64 or a text such as '2024-03-31'"


class Window:
    """The newest of many dated parts, and the statistic of all rows in them.

    A part is a statistic of some rows, such as those of a day. It enters with its date, and leaves when it is too old.
    `total` is the sum of the parts in the window, to the bit, whatever the order in which they came.

    Parameters
    ----------
    days : float or datetime.timedelta, optional
        The window has the parts less than so many days older than the newest one. ``days=7`` of daily parts are the
        newest date and the six days before it.
    rows : int, optional
        The window has the newest parts, as few of them as have so many rows.
    parts : int, optional
        The window has so many parts, the newest ones.

    Exactly one of the three is given.

    Attributes
    ----------
    late : int
        How many parts were too old when they came. They were not added.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        If not exactly one of the three is given, or it is not above 0.

    Examples
    --------
    >>> import rocksteady as rs
    >>> window = rs.Window(days=2)
    >>> for day, y_pred in [("2024-03-01", [0, 1]), ("2024-03-02", [1, 1]), ("2024-03-03", [0, 0])]:
    ...     left = window.update(day, rs.ConfusionMatrix([0, 1], y_pred))
    >>> window
    <rocksteady.Window of 2 days: 2 parts of ConfusionMatrix, 2024-03-02 to 2024-03-03>
    >>> window.total["accuracy"], list(left)
    (0.5, [datetime.date(2024, 3, 1)])
    """

    def __init__(
        self, *, days: float | timedelta | None = None, rows: int | None = None, parts: int | None = None
    ) -> None:
        given = {name: value for name, value in (("days", days), ("rows", rows), ("parts", parts)) if value is not None}
        if len(given) != 1:
            found = " and ".join(given) or "none of them"
            raise InputError(f"days, rows and parts: {found} given; expected exactly one", argument="days")
        (self._limit, value), *_ = given.items()
        if self._limit == "days":
            self._size: Any = _days(value)
        else:
            self._size = whole(value, self._limit, "a whole number, 1 or more", least=1)
        self._parts: dict[date, Any] = {}
        self._dates: list[date] = []
        self._total: Any = None
        self.late = 0

    def update(self, date: object, statistic: Any) -> dict[date, Any]:
        """Add rows of a date. Parts may come in any order; rows of a date that is there are added to its part.

        Parameters
        ----------
        date : date, datetime, numpy.datetime64 or str
            When the rows are from. All dates of a window are of one kind: days, or times with or without a time zone.
        statistic : ConfusionMatrix, ScoreTable, Counts or another statistic that adds
            Of the rows. All parts of a window are of one type.

        Returns
        -------
        dict
            The parts that have left the window, by their dates. A second window can take them, to have the time before
            this one.

        Raises
        ------
        rocksteady.InputError, rocksteady.InputTypeError
            For what is no date or no statistic, and for statistics that do not go together. The window stays as it was.

        Warns
        -----
        rocksteady.RocksteadyWarning
            If the part is already too old. It is not added; `late` counts it.
        """
        when = _date(date)
        self._check(when, statistic)
        part = self._parts[when] + statistic if when in self._parts else statistic
        dates = list(self._dates)
        if when not in self._parts:
            insort(dates, when)
        kept = self._kept(dates, {**self._parts, when: part})
        if when not in kept:
            self.late += 1
            warn(f"the part of {when} is older than the window, which begins with {kept[0]}; it is not added")
            return {}
        parts = {**self._parts, when: part}
        left = {old: parts.pop(old) for old in dates[: len(dates) - len(kept)]}
        total = statistic if self._total is None else self._total + statistic
        self._total = _rest(total, list(left.values()), [parts[day] for day in kept])
        self._parts, self._dates = parts, kept
        return left

    @property
    def total(self) -> Any:
        """The statistic of all rows in the window.

        Raises
        ------
        rocksteady.InputError
            If no part has been added.
        """
        if self._total is None:
            raise InputError("the window has no part yet; update() takes the first")
        return self._total

    def interval(self, name: str, **options: Any) -> Any:
        """An index of all rows in the window with its confidence interval, as `total` has it.

        Parameters
        ----------
        name : str
            An index of the statistic.
        **options
            Those of the statistic's `interval`, but not ``method="anytime"``: that holds for all rows since a fixed start, and
            a window has a new start with each part that leaves.

        Raises
        ------
        rocksteady.InputError
            For "anytime", and if no part has been added.
        """
        if options.get("method") == "anytime":
            raise InputError(
                'method is "anytime", which holds for all rows since a fixed start; expected another method, or the sum of '
                "all parts since the start, added up beside the window",
                argument="method",
            )
        return self.total.interval(name, **options)

    @property
    def parts(self) -> dict[date, Any]:
        """The parts in the window by their dates, oldest first."""
        return {when: self._parts[when] for when in self._dates}

    def __len__(self) -> int:
        """The number of parts in the window."""
        return len(self._dates)

    def drift(self, name: str, previous: Any, *, level: float = 0.95, **parameters: Any) -> Drift:
        """How an index has changed from another window, or a statistic, to this window; see `drift`."""
        return drift(previous, self, name, level=level, **parameters)

    def stability(self, previous: Any, **options: Any) -> PopulationStability:
        """How far the scores of this window are from those of another, or of a `ScoreTable`; see `scores.population_stability`.

        Parameters
        ----------
        previous : Window or ScoreTable
            The reference.
        **options
            Those of `scores.population_stability`, such as ``bins=20``.
        """
        return population_stability(_statistic(previous, "previous"), _statistic(self, "window"), **options)

    def _check(self, when: date, statistic: Any) -> None:
        """Refuse what does not go with the parts that are there."""
        expected = "a statistic that adds, such as a ConfusionMatrix or a ScoreTable"
        is_ours = any(base.__module__.startswith("rocksteady.") for base in type(statistic).__mro__)
        if not (is_ours and hasattr(statistic, "__add__")):
            raise wrong_type(statistic, "statistic", expected)
        if self._limit == "rows":
            _rows(statistic)
        if not self._dates:
            return
        kind, first = _kind(self._dates[0]), next(iter(self._parts.values()))
        if _kind(when) != kind:
            raise wrong_value(when, "date", f"{kind}, as the others are")
        if type(statistic) is not type(first):
            raise wrong_type(statistic, "statistic", f"a {type(first).__name__}, as the others are")

    def _kept(self, dates: list[date], parts: dict[date, Any]) -> list[date]:
        """The dates of ascending ones that are in the window."""
        if self._limit == "parts":
            return dates[-self._size :]
        if self._limit == "days":
            return [when for when in dates if dates[-1] - when < self._size]
        rows = 0
        for place in reversed(range(len(dates))):
            rows += _rows(parts[dates[place]])
            if rows >= self._size:
                return dates[place:]
        return dates

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Window):
            return NotImplemented
        own, their = ((each._limit, each._size, each.late, each.parts) for each in (self, other))
        return bool(own == their)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        size = number(self._size / timedelta(days=1)) if self._limit == "days" else f"{self._size:,}"
        late = f", {self.late} late" if self.late else ""
        if not self._dates:
            return f"<rocksteady.Window of {size} {self._limit}: no parts yet{late}; update() takes the first>"
        first, last = self._dates[0], self._dates[-1]
        kind = type(self._total).__name__
        parts = number_of(len(self), "part")
        span = f"{first}" if len(self) == 1 else f"{first} to {last}"
        return f"<rocksteady.Window of {size} {self._limit}: {parts} of {kind}, {span}{late}>"

    _repr_html_ = repr_html


@dataclass(frozen=True, slots=True, repr=False)
class Drift(Record):
    """How an index has changed between two sets of rows.

    Attributes
    ----------
    index : str
        The name of the index.
    before, now : float
        Its two values.
    change : float
        `now` less `before`.
    low, high : float
        The bounds of the interval of the change; NaN where there is none.
    level : float
        The confidence level: the share of samples whose interval contains the true change.
    method : str
        How the interval was made.
    standard_error : float
        Of the change.
    p_value : float
        The probability of a change at least as great, of either sign, where nothing has changed.
    why : str or None
        Why there is no interval; None if there is one.
    note : str or None
        What speaks against the interval.
    """

    index: str
    before: float
    now: float
    change: float
    low: float
    high: float
    level: float
    method: str
    standard_error: float
    p_value: float
    why: str | None = None
    note: str | None = None

    @property
    def verdict(self) -> str:
        """What the interval says, in one sentence."""
        if math.isnan(self.low):
            return self.why or "There is no interval."
        if self.low <= 0 <= self.high:
            return "No change is shown: 0 lies in the interval. Nor is it shown that there is none."
        return f"{self.index} is {'higher' if self.change > 0 else 'lower'} than before: 0 lies outside the interval."

    def __repr__(self) -> str:
        values = f"{self.index}: {number(self.before, 3)} before, {number(self.now, 3)} now"
        if math.isnan(self.low):
            return f"{values}, change {number(self.change, 3)}.\n{self.verdict}"
        interval = f"{number(100 * self.level)} % interval {number(self.low, 3)} to {number(self.high, 3)}"
        change = f"{values}, change {number(self.change, 3)}, {interval}, {p_text(self.p_value)}."
        return "\n".join([change, self.verdict, *([self.note] if self.note else [])])


def drift(
    before: Any, now: Any, name: str, *, threshold: float | None = None, level: float = 0.95, **parameters: Any
) -> Drift:
    """How an index has changed between two sets of rows that have no row in common.

    Parameters
    ----------
    before, now : Window or statistic
        Of the same type, such as two score tables.
    name : str
        An index of such a statistic.
    threshold : float, optional
        Of two score tables: the threshold at which an index of counts is read.
    level : float
        The confidence level.
    **parameters
        Those of the index; of a `ConfusionMatrix` also `average`.

    Returns
    -------
    Drift
        With the interval of `rocksteady.inference.independent_difference`, where both values have an interval; else
        `why` says why not. It takes the rows as independent: windows that overlap change less than it expects.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError, rocksteady.UnknownIndexError
        For windows without parts, statistics of two types, and an index that they do not have.

    Examples
    --------
    >>> import rocksteady as rs
    >>> before = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]])
    >>> now = rs.ConfusionMatrix.from_counts([[90, 18], [30, 62]])
    >>> rs.drift(before, now, "recall")
    recall: 0.849 before, 0.674 now, change -0.176, 95 % interval -0.292 to -0.0528, p = 0.00589.
    recall is lower than before: 0 lies outside the interval.
    """
    string(name, "name")
    used = level_of(level)
    pair = (_statistic(before, "before"), _statistic(now, "now"))
    if type(pair[0]) is not type(pair[1]):
        raise wrong_type(pair[1], "now", f"a {type(pair[0]).__name__}, as before= is")
    if threshold is not None:
        if not isinstance(pair[0], ScoreTable) or not isinstance(pair[1], ScoreTable):
            raise wrong_type(pair[0], "before", "score tables, as threshold= is given")
        pair = (pair[0].at(threshold), pair[1].at(threshold))
    found = [_value(statistic, name, parameters) for statistic in pair]
    called, change = index(name).name, found[1] - found[0]
    why, note, method, low, high, error, p_value = None, None, "none", math.nan, math.nan, math.nan, math.nan
    intervals: list[Interval] = []
    if isinstance(pair[0], (ConfusionMatrix, Counts, Queries)) or (
        isinstance(pair[0], (ScoreTable, ScoreTables, ProbabilitySums)) and not parameters
    ):
        try:
            intervals = [statistic.interval(name, level=used, **parameters) for statistic in pair]
        except UnknownIndexError as no_interval:  # the index is known, as it has values
            why = str(no_interval)
    else:
        why = f"No interval is known of {called} of such statistics; rocksteady.inference.bootstrap resamples rows."
    reasons = [interval.why for interval in intervals if interval.why]
    if reasons:
        why = str(reasons[0])
    elif intervals:
        told = independent_difference(intervals[1], intervals[0], level=used)
        low, high, error, p_value = told.low, told.high, told.standard_error, told.p_value
        method, why, note = told.method, told.why, told.note
    return Drift(called, found[0], found[1], change, low, high, used, method, error, p_value, why, note)


def _value(statistic: Any, name: str, parameters: dict[str, Any]) -> float:
    """One value of an index."""
    forms = set(index(name).forms)
    if isinstance(statistic, ScoreTable) and forms & {"counts", "matrix"} and not forms & {"scores", "probabilities"}:
        raise UnknownIndexError(
            f"{shown(name)} is not an index of all thresholds; pass threshold=0.5, or another one", argument="name"
        )
    value = statistic.value(name, **parameters)
    if not isinstance(value, float):
        raise InputError(
            "before and now have a value for each of several tables; expected one value", argument="before"
        )
    return float(value)


def _statistic(given: Any, argument: str) -> Any:
    """The statistic of a window, or a statistic as it is."""
    if isinstance(given, Window):
        return given.total
    if not hasattr(given, "value"):
        raise wrong_type(given, argument, "a Window or a statistic")
    return given


def _rest(total: Any, left: list[Any], kept: list[Any]) -> Any:
    """The sum of the parts that are kept, from a total that has those that left, too."""
    if isinstance(total, Counts):  # they are floats, whose sums may be rounded
        return _sum(kept)
    if not left:
        return total
    try:
        # A total less itself has its labels and types only. They are those of the parts, if they are those of the oldest.
        is_alike = total - total == kept[0] - kept[0]
    except TypeError:  # a statistic that adds only
        is_alike = False
    return total - _sum(left) if is_alike else _sum(kept)


def _sum(parts: list[Any]) -> Any:
    return sum(parts[1:], parts[0])


def _rows(statistic: Any) -> int:
    """The number of rows of a statistic."""
    state = getattr(statistic, "_state", None)
    rows = getattr(statistic, "rows", getattr(state, "rows", None))
    if not isinstance(rows, int):
        raise wrong_type(statistic, "statistic", "one that knows its number of rows, as the window is of rows")
    return rows


def _days(value: object) -> timedelta:
    """A length of time above 0."""
    if isinstance(value, timedelta):
        found = value
    else:
        days = real(value, "days", "a number of days above 0, or a timedelta")
        if not 0 < days <= timedelta.max.days:
            raise wrong_value(value, "days", "a number of days above 0, or a timedelta")
        found = timedelta(days=days)
    if found <= timedelta(0):
        raise wrong_value(value, "days", "a number of days above 0, or a timedelta")
    return found


def _date(value: object) -> date:
    """A date or a time."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value) if len(value) == len("2024-03-31") else datetime.fromisoformat(value)
        except ValueError:
            raise wrong_value(value, "date", _DATE) from None
    if isinstance(value, np.datetime64):
        unit = np.datetime_data(value.dtype)[0]
        value = value.astype("datetime64[D]" if unit in ("Y", "M", "W", "D") else "datetime64[us]").item()
    # A pandas.NaT is a datetime that equals nothing.
    if not isinstance(value, date) or value != value:
        raise wrong_type(value, "date", _DATE)
    return value


def _kind(when: date) -> str:
    """What a date is: dates of two kinds have no order."""
    if not isinstance(when, datetime):
        return "a day"
    return "a time without a time zone" if when.tzinfo is None else "a time with a time zone"
