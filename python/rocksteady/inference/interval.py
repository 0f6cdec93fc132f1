"""Confidence intervals for indices of counts and of scores, and scales that put values into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import listed, string
from rocksteady.base.record import Record
from rocksteady.base.table import Table, number, preview
from rocksteady.base.ways_out import beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.table import Cell
    from rocksteady.base.ways_out import Column

Side = Literal["two-sided", "lower", "upper"]
Method = Literal[
    "delta",
    "normal",
    "wilson",
    "agresti_coull",
    "clopper_pearson",
    "jeffreys",
    "anytime",
    "logarithm",
    "hanley_mcneil",
    "cohen",
    "fleiss",
    "blended",
    "delong",
    "logit",
    "newcombe",
    "envelope",
    "score",
    "t",
]
_SHOWN: Final = 10  # entries at either end of those that are printed
_COLUMNS = ("index", "estimate", "low", "high", "standard_error", "method")

# Of the extension: estimate, low, high, standard error, method, why there is no interval, what speaks against it.
_Found = tuple[float, float, float, float, str, str | None, str | None]


@dataclass(frozen=True, slots=True, repr=False)
class Interval(Record):
    """An index with its confidence interval: where the index of the same model on all rows like these lies.

    What that takes for granted, and what it leaves out, is on the page "What an interval here means" of the documentation.

    Attributes
    ----------
    estimate : float or ndarray
        The index.
    low, high : float or ndarray
        The bounds; NaN where there are none. With side "lower", `high` is the upper end of the index's range. With side
        "upper", `low` is its lower end.
    level : float
        The confidence level: the share of samples whose interval contains the true value.
    method : str
        The method: one of `rocksteady.index(name).intervals`.
    side : str
        "two-sided", "lower" or "upper".
    standard_error : float or ndarray
        The standard error of the index itself, on whatever scale the interval is made.
    why : str, tuple of str or None, or None
        Why there is no interval; None if there is one. Of arrays a tuple in the order of the flat arrays, or None if
        all have one.
    note : str, tuple of str or None, or None
        What speaks against the interval, such as few rows of the rarer class; None if nothing does. Of arrays as `why`.
    keys : dict of str to ndarray, or None
        What the entries of arrays belong to: the `axis` of the statistic, such as its classes. None if they have no
        names.

    Examples
    --------
    >>> import rocksteady as rs
    >>> cm = rs.ConfusionMatrix.from_counts([[91, 16], [14, 79]], labels=["no", "yes"])
    >>> cm.interval("f1")
    Interval(0.840426, 0.77575 to 0.889114, 95 %, delta)
    >>> cm.every_interval("recall", level=0.9)
    Interval of 2 entries, 90 %, wilson
      class  estimate       low      high
    0  no     0.850467  0.785158   0.89849
    1  yes    0.849462  0.778652  0.900514
    """

    estimate: float | NDArray[np.float64]
    low: float | NDArray[np.float64]
    high: float | NDArray[np.float64]
    level: float
    method: str
    side: str
    standard_error: float | NDArray[np.float64]
    why: str | tuple[str | None, ...] | None = None
    note: str | tuple[str | None, ...] | None = None
    keys: dict[str, NDArray[Any]] | None = None

    def _columns(self) -> Mapping[str, Column]:
        """The keys, then all fields, a row for each entry."""
        size, fields = np.size(self.estimate), self._named()
        keys = fields.pop("keys") or {}
        columns = {
            name: each.ravel() if isinstance(each, np.ndarray) else each if isinstance(each, tuple) else [each] * size
            for name, each in fields.items()
        }
        return beside(keys, columns)

    def _facts(self) -> str:
        side = "" if self.side == "two-sided" else f", {self.side}"
        return f"{number(100 * self.level)} %, {self.method}{side}"

    def _preview(self) -> Table:
        left_out = {"level", "method", "side", "standard_error", "note", *([] if self.why else ["why"])}
        columns = {name: np.asarray(each) for name, each in self._columns().items() if name not in left_out}
        return preview(columns, list(columns), _SHOWN)[0]

    def __repr__(self) -> str:
        if not isinstance(self.estimate, float):
            entries = "entry" if self.estimate.size == 1 else "entries"
            return f"Interval of {self.estimate.size} {entries}, {self._facts()}\n{self._preview()!r}"
        bounds = "none" if self.why else f"{self.low:.6g} to {self.high:.6g}"
        said = "; ".join(each for each in (self.why, self.note) if isinstance(each, str))
        return f"Interval({self.estimate:.6g}, {bounds}, {self._facts()}{said and f': {said}'})"

    def _repr_html_(self) -> str:
        return Record._repr_html_(self) if isinstance(self.estimate, float) else self._preview()._repr_html_()


def of_each(each: Sequence[Interval], axis: dict[str, NDArray[Any]] | None) -> Interval:
    """Intervals of one kind as one of arrays."""
    numbers = [[float(one.estimate), one.low, one.high, one.standard_error] for one in each]
    estimate, low, high, error = np.array(numbers, np.float64).T.copy()
    why, note = (tuple(said) if any(said) else None for said in ([i.why for i in each], [i.note for i in each]))
    one = each[0]
    return Interval(estimate, low, high, one.level, one.method, one.side, error, why, note, axis)  # type: ignore[arg-type]  # of each why and note are text


class Wanted:
    """What interval is wanted.

    Parameters
    ----------
    level : float
        The confidence level.
    method : str or None
        The method; None for the index's own.
    side : str
        "two-sided", "lower" or "upper".
    parameters : dict
        Those of the index.
    strata : str or None
        "label" if each class was sampled by itself.
    """

    __slots__ = ("level", "method", "parameters", "side", "strata")

    def __init__(
        self,
        level: float,
        method: str | None,
        side: str,
        parameters: dict[str, object],
        strata: str | None = None,
    ) -> None:
        self.level = level
        self.method = method
        self.side = side
        self.parameters = parameters
        self.strata = strata

    @property
    def _asked(self) -> tuple[float, str | None, str, str | None]:
        return self.level, self.method, self.side, self.strata

    def of_matrix(
        self, state: _rocksteady.ConfusionState, positive: int | None, names: str | Iterable[str]
    ) -> Interval | Table:
        """Interval of a whole matrix or its positive class, or a table of those of several indices."""
        each = names_asked(names)
        found = _rocksteady.interval_matrix(state, positive, None, each, self._asked, self.parameters)
        return self._shown(names, each, found)

    def of_average(
        self,
        state: _rocksteady.ConfusionState,
        average: str | ArrayLike,
        zero_division: float,
        names: str | Iterable[str],
    ) -> Interval | Table:
        """Interval of an average over classes, or a table of those of several indices."""
        each = names_asked(names)
        how = (average, zero_division)
        found = _rocksteady.interval_matrix(state, None, how, each, self._asked, self.parameters)
        return self._shown(names, each, found)

    def of_classes(self, state: _rocksteady.ConfusionState, name: str, axis: dict[str, NDArray[Any]]) -> Interval:
        """Interval of each class: arrays."""
        found = _rocksteady.interval_classes(state, string(name, "name"), self._asked, self.parameters)
        return self._arrays(found, axis)

    def _arrays(self, found: Sequence[_Found], axis: dict[str, NDArray[Any]] | None = None) -> Interval:
        estimate, low, high, error = np.array([each[:4] for each in found], np.float64).reshape(-1, 4).T.copy()
        used = found[0][4] if found else self.method or ""
        reasons, notes = [each[5] for each in found], [each[6] for each in found]
        why, note = (tuple(said) if any(said) else None for said in (reasons, notes))
        return Interval(estimate, low, high, self.level, used, self.side, error, why, note, axis)

    def of_scores(self, state: _rocksteady.ScoreState, names: str | Iterable[str]) -> Interval | Table:
        """Interval of a ranking, or a table of those of several indices."""
        each = names_asked(names)
        return self._shown(names, each, _rocksteady.interval_scores(state, each, self._asked, self.parameters))

    def of_probabilities(self, state: _rocksteady.ProbabilityState, names: str | Iterable[str]) -> Interval | Table:
        """Interval of a mean loss, or a table of those of several."""
        each = names_asked(names)
        return self._shown(names, each, _rocksteady.interval_probabilities(state, each, self._asked))

    def of_score_tables(self, state: _rocksteady.ScoreTablesState, names: str | Iterable[str]) -> Interval | Table:
        """Interval of the scores of all classes together, or a table of those of several indices."""
        each = names_asked(names)
        return self._shown(names, each, _rocksteady.interval_score_tables(state, each, self._asked))

    def of_rankings(self, state: _rocksteady.RankingsState, name: str, axis: dict[str, NDArray[Any]]) -> Interval:
        """Interval of the ranking of each class against the rest, or of each label: arrays."""
        found = _rocksteady.interval_rankings(state, string(name, "name"), self._asked, self.parameters)
        return self._arrays(found, axis)

    def of_counts(self, arrays: _rocksteady._Four, name: str, squares: _rocksteady._Four | None = None) -> Interval:
        """Interval of each two-by-two table; its fields are floats for a single table without axes.

        `squares` are the sums of the squares of sampling weights, if they are such.
        """
        found, used, *said = _rocksteady.interval_counts(arrays, squares, name, self._asked, self.parameters)
        if not arrays[0].shape:
            one = [float(each) for each in found]
            why, note = (words[0][1] if words else None for words in said)
            return Interval(one[0], one[1], one[2], self.level, used, self.side, one[3], why, note)
        estimate, low, high, error = found
        why_each, note_each = (_spread(words, estimate.size) for words in said)
        return Interval(estimate, low, high, self.level, used, self.side, error, why_each, note_each)

    def of_one(self, found: _Found) -> Interval:
        """The interval that the extension found."""
        estimate, low, high, error, used, why, note = found
        return Interval(estimate, low, high, self.level, used, self.side, error, why, note)

    def _shown(
        self,
        names: str | Iterable[str],
        listed_names: Sequence[str],
        found: Sequence[_Found],
    ) -> Interval | Table:
        if isinstance(names, str):
            return self.of_one(found[0])
        rows: list[list[Cell]] = [[name, *each[:5]] for name, each in zip(listed_names, found, strict=True)]
        note = " ".join(dict.fromkeys(each[6] for each in found if each[6])) or None
        reasons = [each[5] for each in found]
        if not any(reasons):
            return Table(_COLUMNS, rows, note=note)
        return Table((*_COLUMNS, "why"), [[*row, why] for row, why in zip(rows, reasons, strict=True)], note=note)


def _spread(words: Sequence[tuple[int, str]], size: int) -> tuple[str | None, ...] | None:
    """Words by their places as a tuple with an element for each place; None without words."""
    if not words:
        return None
    every: list[str | None] = [None] * size
    for place, word in words:
        every[place] = word
    return tuple(every)


def names_asked(names: str | Iterable[str]) -> list[str]:
    """The names of one index or of several."""
    if isinstance(names, str):
        return [names]
    found = listed(names, "name", "a name or a list of names")
    return [name if isinstance(name, str) else string(name, f"name[{place}]") for place, name in enumerate(found)]


def words(name: str, values: NDArray[np.float64] | np.float64, scale: str | None) -> list[str | None]:
    """Word for each value of an index on one of its scales; None where the scale has no word."""
    if scale is not None:
        string(scale, "scale", "the name of a scale")
    return _rocksteady.interpret(name, np.asarray(values, np.float64), scale)
