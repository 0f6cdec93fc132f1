"""Results of groups: values with their keys, means over groups, pairs of rows within groups and across them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from rocksteady.base.record import Record
from rocksteady.base.result import Result
from rocksteady.base.ways_out import beside, plain

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray


class Reasons(NamedTuple):
    """For each group 0, or the place of its reason counted from 1; and the reasons."""

    codes: NDArray[np.uint8]
    sentences: tuple[str, ...]

    def spread(self) -> tuple[str | None, ...]:
        """A reason, or None, for each group."""
        said = (None, *self.sentences)
        return tuple(map(said.__getitem__, self.codes.tobytes()))


class _Spread:
    """A field of reasons, which become a tuple when they are first read: few programs read those of a million groups."""

    def __get__(self, instance: Any, owner: type | None = None) -> tuple[str | None, ...] | None:
        if instance is None:
            return None  # the default of the field
        held = instance.__dict__["why"]
        if isinstance(held, Reasons):
            held = instance.__dict__["why"] = held.spread()
        return held  # type: ignore[no-any-return]  # a tuple, or None

    def __set__(self, instance: Any, value: Reasons | tuple[str | None, ...] | None) -> None:
        instance.__dict__["why"] = value


@dataclass(frozen=True, eq=False, repr=False)
class GroupValues(Result):
    """One index of each group: the keys, rows and positives of the groups beside it.

    The groups are in the order of their keys. `table`, `to_pandas` and `to_polars` have a column for each key.

    Attributes
    ----------
    keys : dict of str to numpy.ndarray
        The columns of keys by name.
    rows : numpy.ndarray of int64
        The number of rows of each group.
    positives : numpy.ndarray of float64 or None
        The number, or weight, of the positive rows; None of more than two classes.
    value : numpy.ndarray of float64
        The index; NaN where it is undefined, unless it has a convention.
    low, high, standard_error : numpy.ndarray of float64 or None
        The bounds of an interval; None where none was asked for.
    index : str
        The name of the index.
    why : tuple of str or None, or None
        Why the index, or its interval, is undefined, for each group; None if all groups have one.
    note : tuple of str or None, or None
        What speaks against the interval of each group; None if nothing does.
    """

    keys: dict[str, NDArray[Any]]
    rows: NDArray[np.int64]
    positives: NDArray[np.float64] | None
    value: NDArray[np.float64]
    index: str
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    standard_error: NDArray[np.float64] | None = None
    why: _Spread = _Spread()
    note: tuple[str | None, ...] | None = None

    _first: ClassVar[tuple[str, ...]] = ()

    def _columns(self) -> dict[str, NDArray[Any]]:
        others = ("rows", "positives", "value", "low", "high", "standard_error")
        found = {name: getattr(self, name) for name in others}
        return beside(self.keys, {name: array for name, array in found.items() if array is not None})

    def to_dict(self) -> dict[str, Any]:
        """All columns as lists, by name, then the name of the index, the reasons and the notes."""
        return {**plain(self._columns()), "index": self.index, "why": plain(self.why), "note": plain(self.note)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupValues):
            return NotImplemented
        own, their = self._columns(), other._columns()
        return (
            self.index == other.index
            and (self.why, self.note) == (other.why, other.note)
            and own.keys() == their.keys()
            and all(_same(array, their[name]) for name, array in own.items())
        )

    __hash__ = None

    def _facts(self) -> list[str]:
        undefined = sum(reason is not None for reason in self.why or ())
        facts = [f"{self.index} of {len(self.value)} {'group' if len(self.value) == 1 else 'groups'}"]
        return [*facts, f"undefined for {undefined}"] if undefined else facts


def _same(array: NDArray[Any], other: NDArray[Any]) -> bool:
    if array.dtype.kind in "fmM" and other.dtype.kind in "fmM":
        return np.array_equal(array, other, equal_nan=True)
    return np.array_equal(array, other)


@dataclass(frozen=True, slots=True)
class GroupMean(Record):
    """The mean of an index over groups.

    Attributes
    ----------
    value : float
        The mean; NaN if no group has a value.
    index : str
        The name of the index.
    weights : str
        What a group counts: "rows", "positives", "pairs" or "equal".
    groups : int
        How many groups have a value, and are part of the mean.
    excluded : dict of str to int
        How many groups are not, by the reason why: "one row", "one class", "one score" (with ``constant="exclude"``), or
        the sentence of the index.
    low, high : float
        The bounds of the interval of the mean, which takes the groups as a sample of independent ones, such as users;
        NaN where there are none.
    level : float
        The confidence level.
    standard_error : float
        Of the mean.
    why : str or None
        Why there is no interval.
    note : str or None
        What speaks against the interval, such as few groups.
    """

    value: float
    index: str
    weights: str
    groups: int
    excluded: dict[str, int]
    low: float = math.nan
    high: float = math.nan
    level: float = field(default=0.95, repr=False)
    standard_error: float = field(default=math.nan, repr=False)
    why: str | None = field(default=None, repr=False)
    note: str | None = field(default=None, repr=False)

    def __float__(self) -> float:
        return self.value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupMean):
            return NotImplemented
        # NaN equals NaN.
        return repr(self.to_dict()) == repr(other.to_dict())

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class PairSplit(Record):
    """How the AUC of all rows splits into pairs within groups and pairs across them, exactly.

    A pair is a positive and a negative row. It is won if the positive row has the higher score; a tie counts one half.
    ``auc`` is ``(within.won + across.won) / (within.pairs + across.pairs)``.

    Attributes
    ----------
    auc : float
        The share of all pairs that is won: the AUC of all rows.
    within, across : float
        The share of the pairs within groups, and across groups, that is won; NaN where there are none. `within` is the
        mean of the groups' AUC, each by its pairs.
    within_share : float
        The share of all pairs that are within groups; NaN if there are no pairs.
    pairs : dict of str to tuple of Fraction
        For "within", "across" and "all" the pairs won and all pairs, exactly. Weights multiply.
    """

    auc: float
    within: float
    across: float
    within_share: float
    pairs: dict[str, tuple[Fraction, Fraction]] = field(repr=False)
