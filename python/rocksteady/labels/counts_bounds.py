"""Counts that are known within bounds, and proven bounds of every index of them."""

from __future__ import annotations

import math
import struct
from operator import index
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, overload

from rocksteady import _rocksteady
from rocksteady.base.arguments import data_of, flag, listed, real, wrong_value
from rocksteady.base.bounds import Bounds, BoundsTable, OfBounds
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.statistic import Indexed
from rocksteady.base.table import Table, number
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError, RocksteadyError
from rocksteady.labels.counts import Counts
from rocksteady.registry.selection import chosen, task_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocksteady.inference.interval import Method, Side
    from rocksteady.inference.widened import WidenedInterval
    from rocksteady.registry.selection import Names

    _Ends = tuple[int | float, int | float]
    # tp, fp, positives, negatives; also fn and tn if the sums were rounded separately.
    _Box = tuple[_Ends, _Ends, int | float, int | float] | tuple[_Ends, _Ends, float, float, _Ends, _Ends]

#: A float64 from here on may stand for several whole numbers.
_WHOLE: Final = 2**53

_READ: Final = ("counts", "matrix")

# The bytes (docs/bytes.md): magic word, kind, version, tag and length of the only section; then the kind of the counts,
# and the counts.
_HEAD: Final = b"rockstedN\x03\x01"
_FORMS: Final = (struct.Struct("<QB6Q"), struct.Struct("<QB6d"), struct.Struct("<QB10d"))


def _amount(value: object, argument: str) -> int | float:
    """A count as an integer, a weight as a float."""
    if isinstance(value, SupportsIndex) and not isinstance(value, bool) and not hasattr(value, "__len__"):
        return index(value)
    amount = real(value, argument)
    return int(amount) if amount.is_integer() and abs(amount) < _WHOLE else amount


def _ends(values: object, argument: str) -> tuple[int | float, int | float]:
    if not isinstance(values, (tuple, list)):
        amount = _amount(values, argument)
        return amount, amount
    ends = listed(values, argument, "two amounts, the lower one first")
    if len(ends) != 2:
        raise wrong_value(values, argument, "two amounts, the lower one first")
    return _amount(ends[0], f"{argument}[0]"), _amount(ends[1], f"{argument}[1]")


class CountsBounds(WaysOut, OfBounds, Indexed):
    """Counts at a threshold of which only bounds are known, and proven bounds of every index of them.

    The true positives lie between two counts, and so do the false positives, in any combination. The sizes of the two
    classes are known, so the other two counts follow.

    Parameters
    ----------
    tp, fp : tuple of two numbers, or number
        The least and the greatest count of true positives, and of false positives; or weights.
    positives, negatives : number
        The sizes of the actual classes: tp + fn, and fp + tn.
    weighted : bool, optional
        Whether the amounts are sums of weights, so that any number between two ends is possible. Default: whether one
        of them is no whole number.

    Raises
    ------
    rocksteady.InputError
        If an end is negative or not finite, beyond its class, or the greater one comes first.

    Notes
    -----
    The bounds are proven, and as narrow as can be in most cases. Where an index moves in one direction with each count,
    two corners of the box bound it. Otherwise branch and bound with intervals of the formula and of its slopes searches
    the box (Moore 1966, Interval Analysis; Neumaier 1990, doi:10.1017/CBO9780511526473). Every rounding is outwards.

    Examples
    --------
    >>> import rocksteady as rs
    >>> counts = rs.CountsBounds(tp=(79, 81), fp=(16, 18), positives=93, negatives=107)
    >>> found = counts.bounds("f1")
    >>> round(found.low, 6), round(found.high, 6)
    (0.831579, 0.852632)
    >>> counts["prevalence"]
    0.465
    """

    __slots__ = ("_given",)

    def __init__(
        self, *, tp: object, fp: object, positives: object, negatives: object, weighted: bool | None = None
    ) -> None:
        given = (
            _ends(tp, "tp"),
            _ends(fp, "fp"),
            _amount(positives, "positives"),
            _amount(negatives, "negatives"),
        )
        amounts = (*given[0], *given[1], given[2], given[3])
        weighted = None if weighted is None else flag(weighted, "weighted")
        is_weighted = any(isinstance(amount, float) for amount in amounts)
        most, expected = (math.inf, "finite") if is_weighted or weighted else (2**63, "below 2**63")
        for amount, name in zip(amounts, ("tp", "tp", "fp", "fp", "positives", "negatives"), strict=True):
            if not 0 <= amount < most:
                raise wrong_value(amount, name, f"an amount of 0 and more, {expected}")
        if weighted is False and is_weighted:
            raise wrong_value(weighted, "weighted", "True, or None, as an amount is no whole number")
        if is_weighted or weighted:
            a, b, c, d, p, n = map(float, amounts)
            given = ((a, b), (c, d), p, n)
        self._given: _Box = given
        _rocksteady.check_box(given)

    @classmethod
    def _of_sums(
        cls,
        tp: tuple[float, float],
        fp: tuple[float, float],
        totals: tuple[float, float],
        fn: tuple[float, float],
        tn: tuple[float, float],
    ) -> CountsBounds:
        """Bounds of sums of weights, where the rest of each class was rounded separately."""
        made = cls(tp=tp, fp=fp, positives=totals[0], negatives=totals[1], weighted=True)
        made._given = (tp, fp, *totals, fn, tn)
        _rocksteady.check_box(made._given)
        return made

    @property
    def _rest(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The rest of the positives and of the negatives, at the lower and at the upper ends."""
        if len(self._given) == 6:
            return self._given[4], self._given[5]
        return (
            (self.positives - self.tp[0], self.positives - self.tp[1]),
            (self.negatives - self.fp[0], self.negatives - self.fp[1]),
        )

    @property
    def tp(self) -> tuple[int | float, int | float]:
        """The least and the greatest number of true positives."""
        return self._given[0]

    @property
    def fp(self) -> tuple[int | float, int | float]:
        """The least and the greatest number of false positives."""
        return self._given[1]

    @property
    def positives(self) -> int | float:
        """The number of positive rows."""
        return self._given[2]

    @property
    def negatives(self) -> int | float:
        """The number of negative rows."""
        return self._given[3]

    @property
    def is_known(self) -> bool:
        """Whether the counts are known exactly."""
        return self.tp[0] == self.tp[1] and self.fp[0] == self.fp[1]

    def counts(self) -> Counts:
        """The four counts, where they are known exactly.

        Raises
        ------
        rocksteady.InputError
            If only bounds are known.
        """
        if not self.is_known:
            raise InputError(f"the counts are not known exactly: {self!r}; low and high have the fewest and the most")
        return self.low

    @property
    def is_weighted(self) -> bool:
        """Whether the amounts are sums of weights."""
        return isinstance(self.positives, float)

    @property
    def low(self) -> Counts:
        """The counts with the fewest rows predicted positive."""
        return self._corner(0)

    @property
    def high(self) -> Counts:
        """The counts with the most rows predicted positive."""
        return self._corner(1)

    def _corner(self, place: int) -> Counts:
        fn, tn = self._rest
        return Counts(tp=self.tp[place], fp=self.fp[place], fn=fn[place], tn=tn[place])

    def bounds(self, name: str, **parameters: object) -> Bounds:
        """What is known for certain of one index.

        Parameters
        ----------
        name : str
            An index of the four counts or of a two-by-two matrix, or an expression over counts and indices such as
            ``"2*tp - fp"``.
        **parameters
            Parameters of the index.

        Returns
        -------
        Bounds
            Rounded outwards. Tables for which the index is undefined are left out, and `may_be_undefined` says that
            there may be some. Where there are no bounds, `why` says why.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores.

        >>> import rocksteady as rs
        >>> counts = rs.CountsBounds(tp=(0, 2), fp=(0, 1), positives=4, negatives=9)
        >>> counts.bounds("precision")
        Bounds(low=0.0, high=1.0, value=None, why=None, may_be_undefined=True, kind='proven')
        """
        return self._bounds([name], parameters)[0]

    def _bounds(self, names: Sequence[str], parameters: dict[str, object] | None = None) -> list[Bounds]:
        found = _rocksteady.bounds_of_box(self._given, names, parameters_by_class(parameters or {}, self), False)
        return [Bounds(low, high, value, why, may_be_undefined) for low, high, value, may_be_undefined, why in found]

    @overload
    def interval(  # type: ignore[overload-overlap]  # a string is a name, not names
        self, name: str, *, level: float = ..., method: Method | None = ..., side: Side = ..., **parameters: object
    ) -> WidenedInterval: ...

    @overload
    def interval(
        self,
        name: Iterable[str],
        *,
        level: float = ...,
        method: Method | None = ...,
        side: Side = ...,
        **parameters: object,
    ) -> Table: ...

    def interval(
        self,
        name: str | Iterable[str],
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        **parameters: object,
    ) -> WidenedInterval | Table:
        """The confidence interval of an index, wide enough to contain that of every possible table.

        The exact counts are one of these tables, so their interval lies within.

        - Of at most 4,096 tables it is the union of the intervals of all.
        - Of a share ("wilson", "clopper_pearson", "jeffreys", "agresti_coull", "normal", "anytime") both ends follow from corners.
        - For the method "delta" the formula and its slopes run over intervals.
        - Other methods have none for larger boxes, and `why` says so.

        Parameters
        ----------
        name : str, or iterable of str
            An index of counts with intervals: `rocksteady.index(name).intervals`.
        level, method, side, **parameters
            As for `Counts.interval`.

        Returns
        -------
        WidenedInterval, or Table of several names

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it has no interval, or not by this method.

        >>> import rocksteady as rs
        >>> counts = rs.CountsBounds(tp=(79, 81), fp=(16, 18), positives=93, negatives=107)
        >>> found, exact = counts.interval("f1"), rs.Counts(80, 17, 13, 90).interval("f1")
        >>> found.low <= exact.low, exact.high <= found.high
        (True, True)
        """
        from rocksteady.inference.widened import widened  # noqa: PLC0415 (few programs need it)

        own = parameters_by_class(parameters, self)
        return widened(
            name,
            (level, method, side, None),
            lambda names, asked: _rocksteady.interval_of_box(self._given, names, asked, own),
            lambda name: self.bounds(name, **own),
        )

    def value(self, name: str, **parameters: object) -> float:
        """One index where it is known exactly; NaN, or its convention, where it is undefined for the known counts.

        Raises
        ------
        rocksteady.InputError
            If only bounds are known: `bounds` gives them.
        rocksteady.UnknownIndexError
            As `bounds`.

        >>> import rocksteady as rs
        >>> rs.CountsBounds(tp=79, fp=(16, 18), positives=93, negatives=107)["recall"]
        0.8494623655913979
        """
        return super().value(name, **parameters)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(_READ)

    def summary(self, names: Names | Sequence[str] | None = None, family: str | None = None) -> Table:
        """The bounds of many indices as a table: index, low, high, and what is to be said of them.

        Parameters
        ----------
        names : {"all", "summary"} or sequence of str, optional
            "all": all indices of counts, the default. "summary": those of `Evaluation.summary`. A sequence: the indices
            named.
        family : str, optional
            Only indices of that family.

        >>> import rocksteady as rs
        >>> counts = rs.CountsBounds(tp=(79, 81), fp=(16, 16), positives=93, negatives=107)
        >>> print(counts.summary(["recall", "specificity", "mcc"]))
        index             low      high
        recall       0.849462  0.870968
        specificity  0.850467  0.850467
        mcc          0.699087   0.71999
        """
        task = task_of(2, self.positives, self.positives + self.negatives)
        wanted = chosen(names, family, form=_READ, task=task)[0]
        rows = []
        for name, found in zip(wanted, self._bounds(wanted), strict=True):
            note = found.why
            if note is None and found.may_be_undefined:
                note = "It may be undefined."
            rows.append((name, found.low, found.high, note))
        if all(row[3] is None for row in rows):
            return BoundsTable(["index", "low", "high"], [row[:3] for row in rows])
        return BoundsTable(["index", "low", "high", "note"], rows)

    def to_bytes(self) -> bytes:
        """The bounds in a versioned, little-endian format. Any machine reads them back bit for bit.

        >>> import rocksteady as rs
        >>> counts = rs.CountsBounds(tp=(79, 81), fp=(16, 18), positives=93, negatives=107)
        >>> rs.CountsBounds.from_bytes(counts.to_bytes()) == counts
        True
        """
        form = 2 if len(self._given) == 6 else int(self.is_weighted)
        amounts = [*self.tp, *self.fp, self.positives, self.negatives]
        if form == 2:
            amounts += [*self._rest[0], *self._rest[1]]
        return _HEAD + _FORMS[form].pack(_FORMS[form].size - 8, form, *amounts)

    @classmethod
    def from_bytes(cls, data: bytes) -> CountsBounds:
        """Read the bounds that `to_bytes` wrote.

        Raises
        ------
        rocksteady.InputError
            For any other bytes.
        """
        try:
            found = _read(data_of(data))
        except (RocksteadyError, ValueError, struct.error) as error:
            raise InputError(f"not the bytes of CountsBounds: {error}", argument="data") from None
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CountsBounds):
            return NotImplemented
        return self._given == other._given and self.is_weighted == other.is_weighted

    def __hash__(self) -> int:
        return hash(self._given)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (self.to_bytes(),)

    def __repr__(self) -> str:
        (a, b), (c, d) = self.tp, self.fp
        classes = f"positives={number(self.positives, 15)}, negatives={number(self.negatives, 15)}"
        sides = [f"({number(low, 15)}, {number(high, 15)})" for low, high in ((a, b), (c, d))]
        weighted = ", weighted=True" if self.is_weighted else ""
        return f"CountsBounds(tp={sides[0]}, fp={sides[1]}, {classes}{weighted})"

    def _repr_html_(self) -> str:
        rest, other = (ends[::-1] for ends in self._rest)
        sides = zip(("tp", "fp", "fn", "tn"), (self.tp, self.fp, rest, other), strict=True)
        return BoundsTable(["count", "low", "high"], [(name, low, high) for name, (low, high) in sides])._repr_html_()


def _read(data: bytes) -> CountsBounds:
    if not data.startswith(_HEAD):
        raise ValueError("they begin otherwise, or are of a version that this release does not read")
    form = data[len(_HEAD) + 8] if len(data) > len(_HEAD) + 8 else 0
    if form >= len(_FORMS):
        raise ValueError(f"there is no form {form} of amounts")
    _, _, a, b, c, d, positives, negatives, *rest = _FORMS[form].unpack(data[len(_HEAD) :])
    if rest:
        found = CountsBounds._of_sums((a, b), (c, d), (positives, negatives), (rest[0], rest[1]), (rest[2], rest[3]))
    else:
        found = CountsBounds(tp=(a, b), fp=(c, d), positives=positives, negatives=negatives, weighted=form > 0)
    if found.to_bytes() != data:
        raise ValueError("they are written otherwise")
    return found
