"""Arrays of two-by-two tables: the four counts along any axis, and all indices of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import numbers
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.statistic import Additive, fraction
from rocksteady.base.table import preview
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.pairing import paired
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from typing import Self

    from numpy.typing import ArrayLike, NDArray

    from rocksteady.base.arguments import WeightKind
    from rocksteady.base.table import Table
    from rocksteady.inference.interval import Interval, Method, Side

    _Four = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

_NAMES = ("tp", "fp", "fn", "tn")
NO_COUNTS = "The rows have sampling weights, which are no counts, so the test does not apply."
_SHOWN = 5  # tables at either end


def _less(own: _Four, their: _Four, what: str) -> list[NDArray[np.float64]]:
    """Four arrays minus four others; no result may be below zero."""
    for name, one, other in zip(_NAMES, own, their, strict=True):
        if (one < other).any():
            place = tuple(int(axis) for axis in np.argwhere(one < other)[0])
            at = f" at {list(place)}" if place else ""
            amounts = f"{one[place]:.15g} less {other[place]:.15g}"
            raise InputError(f"cannot subtract: {what}{name}{at}: {amounts} is below zero", argument=name)
    return [one - other for one, other in zip(own, their, strict=True)]


class Counts(WaysOut, Additive):
    """True positives, false positives, false negatives and true negatives, as four arrays of one shape.

    An axis may be classes, thresholds, groups, replicates or anything else. Each index is computed elementwise.

    Parameters
    ----------
    tp, fp, fn, tn : array-like of numbers, of one shape (or broadcast to one)
        Counts or weights, finite and not negative. Weights given here count as rows: the counts of a matrix or a score
        table of sampling weights know their squares, too.

    Raises
    ------
    rocksteady.InputError
        If a count is negative or not finite, or the shapes cannot be broadcast together.

    Examples
    --------
    >>> import rocksteady as rs
    >>> rs.Counts(tp=79, fp=16, fn=14, tn=91)["accuracy"]
    0.85
    >>> rs.Counts([79, 0], [16, 0], [14, 93], [91, 107])["recall"].round(6).tolist()
    [0.849462, 0.0]
    """

    __slots__ = ("_arrays", "_note", "_squares")

    _squares: _Four | None  # the sums of squared sampling weights
    _note: str | None  # what speaks against the intervals of one table

    def __init__(self, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike) -> None:
        paired(tp, {"fp": fp, "fn": fn, "tn": tn}, first="tp")
        given = [numbers(counts, name) for name, counts in zip(_NAMES, (tp, fp, fn, tn), strict=True)]
        try:
            arrays = [array.astype(np.float64) for array in np.broadcast_arrays(*given)]
        except ValueError:
            shapes = ", ".join(str(array.shape) for array in given)
            raise InputError(f"tp, fp, fn, tn have the shapes {shapes}; expected one shape") from None
        for array in arrays:
            array.setflags(write=False)
        self._arrays = (arrays[0], arrays[1], arrays[2], arrays[3])
        self._squares = self._note = None
        _rocksteady.check_counts(self._arrays)

    @classmethod
    def _weighed(cls, columns: Iterable[ArrayLike], squares: Iterable[ArrayLike] | None) -> Self:
        """The counts with the sums of squared weights, if the weights are sampling weights."""
        counts = cls(*columns)
        counts._squares = None if squares is None else Counts(*squares)._arrays
        return counts

    @classmethod
    def _counted(cls, columns: Iterable[NDArray[np.float64]]) -> Self:
        """The counts in arrays of one shape that the extension made of rows without weights; nothing is copied."""
        counts = cls.__new__(cls)
        tp, fp, fn, tn = columns
        for array in (tp, fp, fn, tn):
            array.setflags(write=False)
        counts._arrays = (tp, fp, fn, tn)
        counts._squares = counts._note = None
        return counts

    def __setstate__(self, state: Any) -> None:
        self._squares = self._note = None  # absent in pickles of earlier releases
        for name, value in state[1].items():
            setattr(self, name, value)

    @property
    def weight_kind(self) -> WeightKind:
        """What the weights of the rows mean: see `ConfusionMatrix`."""
        return "counts" if self._squares is None else "sampling"

    @property
    def tp(self) -> NDArray[np.float64]:
        """True positives."""
        return self._arrays[0]

    @property
    def fp(self) -> NDArray[np.float64]:
        """False positives."""
        return self._arrays[1]

    @property
    def fn(self) -> NDArray[np.float64]:
        """False negatives."""
        return self._arrays[2]

    @property
    def tn(self) -> NDArray[np.float64]:
        """True negatives."""
        return self._arrays[3]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each of the four arrays."""
        return self.tp.shape

    def _columns(self) -> dict[str, NDArray[np.float64]]:
        return {name: column.ravel() for name, column in zip(_NAMES, self._arrays, strict=True)}

    def value(self, name: str, **parameters: object) -> float | NDArray[np.float64]:
        """Value of one index for each table: an array of `shape`, or a float for a single table without axes.

        Undefined values are NaN, or the index's conventional value (see `rocksteady.index`).

        Parameters
        ----------
        name : str
            An index of the four counts, or of a two-by-two matrix.
        **parameters
            Parameters of the index (see `rocksteady.index(name).parameters`). For costs `matrix=`, without names, or `fp=` and
            `fn=`.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores.
        """
        values = _rocksteady.evaluate_counts(self._arrays, name, parameters_by_class(parameters, self))
        if self._lacks_counts(name):
            values = np.full(self.shape, np.nan)
        return values if self.shape else float(values)

    def _lacks_counts(self, name: str) -> bool:
        """Whether an index is a test of counts of rows, and these are sampling weights."""
        return self._squares is not None and _rocksteady.index_name(name).endswith("p_value")

    def __getitem__(self, name: str) -> float | NDArray[np.float64]:
        return self.value(name)

    def _ipython_key_completions_(self) -> list[str]:
        from rocksteady._completion import names_of  # noqa: PLC0415 (only a shell needs it)

        return names_of(("counts", "matrix"))

    def exact(self, name: str, **parameters: object) -> Fraction | NDArray[np.object_]:
        """Exact value of one index for each table: a fraction, or an array of fractions of `shape`.

        Parameters
        ----------
        name : str
            An index whose value is a fraction of the four counts; logarithms and most roots are not.
        **parameters
            Parameters of the index; a parameter is the binary fraction that its float is.

        Returns
        -------
        fractions.Fraction or numpy.ndarray of object
            The value, or the index's convention where it is undefined and has one.

        Raises
        ------
        rocksteady.InputError
            If the value of a table is no fraction, or if there is none.

        >>> import rocksteady as rs
        >>> rs.Counts(tp=2, fp=1, fn=0, tn=4).exact("f1")
        Fraction(4, 5)
        """
        digits = _rocksteady.exact_counts(self._arrays, name, parameters_by_class(parameters, self))
        values = [fraction(*each) for each in digits]
        if not self.shape:
            return values[0]
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array.reshape(self.shape)

    def why(self, name: str, **parameters: object) -> str | None:
        """Why the index is undefined for the first table where it is; None if it is defined for all tables."""
        why = _rocksteady.why_counts(self._arrays, name, parameters_by_class(parameters, self))
        return NO_COUNTS if self._lacks_counts(name) else why

    def interval(
        self,
        name: str,
        *,
        level: float = 0.95,
        method: Method | None = None,
        side: Side = "two-sided",
        strata: Literal["label"] | None = None,
        **parameters: object,
    ) -> Interval:
        """One index of each table with its confidence interval; see `ConfusionMatrix.interval`.

        Its `why` is None if every table has an interval, else a tuple with the reason, or None, of each.

        >>> import rocksteady as rs
        >>> recall = rs.Counts([79, 8], 0, [14, 0], 0).interval("recall", side="lower")
        >>> recall.estimate.round(6).tolist(), recall.low.round(6).tolist()
        ([0.849462, 1.0], [0.778652, 0.747276])
        """
        from rocksteady.inference.interval import Wanted  # noqa: PLC0415 (few programs need it)

        found = Wanted(level, method, side, parameters_by_class(parameters, self), strata).of_counts(
            self._arrays, name, self._squares
        )
        if self._note is None:
            return found
        from dataclasses import replace  # noqa: PLC0415 (few programs need it)

        return replace(found, note=self._note)

    def _plus(self, other: Counts) -> Counts:
        """Add the counts elementwise, as of two batches. Exact while counts are whole and below 2**53.

        Sampling weights are not added to counts of rows.

        >>> import rocksteady as rs
        >>> rs.Counts([5, 1], 2, 0, 1) + rs.Counts([1, 5], 0, 0, 1)
        Counts of shape (2,)
           tp  fp  fn  tn
        0   6   2   0   2
        1   6   2   0   2
        """
        if self.shape != other.shape:
            raise InputError(f"the shapes are {self.shape} and {other.shape}; expected one shape")
        if self._squares is None or other._squares is None:
            if self.weight_kind != other.weight_kind:
                kinds = f"{self.weight_kind!r} in one, {other.weight_kind!r} in the other"
                raise InputError(f"cannot add: weight_kind is {kinds}; expected one kind", argument="weight_kind")
            return Counts(*map(np.add, self._arrays, other._arrays))
        squares = map(np.add, self._squares, other._squares)
        return Counts._weighed(map(np.add, self._arrays, other._arrays), squares)

    def __sub__(self, other: object) -> Counts:
        """Subtract the counts elementwise: those of the rows that are not among `other`. Exact as the sum is.

        Raises
        ------
        rocksteady.InputError
            If a count would go below zero, or the shapes or kinds of weights differ.

        >>> import rocksteady as rs
        >>> week, monday = rs.Counts([6, 6], 2, 0, 2), rs.Counts([1, 5], 0, 0, 1)
        >>> week - monday
        Counts of shape (2,)
           tp  fp  fn  tn
        0   5   2   0   1
        1   1   2   0   1
        """
        if not isinstance(other, Counts):
            return NotImplemented
        if self.shape != other.shape:
            raise InputError(f"the shapes are {self.shape} and {other.shape}; expected one shape")
        if self.weight_kind != other.weight_kind:
            kinds = f"{self.weight_kind!r} in one, {other.weight_kind!r} in the other"
            raise InputError(f"cannot subtract: weight_kind is {kinds}; expected one kind", argument="weight_kind")
        if self._squares is None or other._squares is None:
            return Counts(*_less(self._arrays, other._arrays, ""))
        squares = _less(self._squares, other._squares, "the squared weights of ")
        return Counts._weighed(_less(self._arrays, other._arrays, ""), squares)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Counts):
            return NotImplemented
        if self._squares is None or other._squares is None:
            return self._squares is other._squares and all(map(np.array_equal, self._arrays, other._arrays))
        own, their = (*self._arrays, *self._squares), (*other._arrays, *other._squares)
        return all(map(np.array_equal, own, their))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self.shape:
            return f"{self._title()}\n{self._preview()!r}"
        tp, fp, fn, tn = (f"{float(count):.15g}" for count in self._arrays)
        kind = "" if self._squares is None else f", weight_kind={self.weight_kind!r}"
        return f"Counts(tp={tp}, fp={fp}, fn={fn}, tn={tn}{kind})"

    def _title(self) -> str:
        return f"Counts of shape {self.shape}{'' if self._squares is None else ', sampling weights'}"

    def _repr_html_(self) -> str:
        title = f"<p>{self._title()}</p>" if self.shape else ""
        return f"{title}{self._preview()._repr_html_()}"

    def _preview(self) -> Table:
        """Both ends of the tables, in the order of the flat arrays."""
        return preview(self._columns(), _NAMES, _SHOWN)[0]
