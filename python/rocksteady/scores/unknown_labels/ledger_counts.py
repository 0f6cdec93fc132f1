"""Counts at a threshold where some labels are not known, and bounds of every index of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.bounds import Bounds, BoundsTable, OfBounds
from rocksteady.base.named_columns import parameters_by_class
from rocksteady.base.statistic import Indexed
from rocksteady.base.table import number, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.errors import InputError, UnknownIndexError
from rocksteady.labels.counts import Counts
from rocksteady.registry.selection import chosen, task_of
from rocksteady.scores.unknown_labels.areas import outwards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from rocksteady.base.table import Table
    from rocksteady.registry.selection import Names

#: Up to here every possible table is evaluated.
_MOST: Final = 100_000
#: Where the share of positives is stated, boxes cover the possible tables.
_BOXES: Final = 64
#: Values of a column that are nearer to each other may be in the wrong order, and of so many the single values are asked.
_SLACK: Final = 1e-12
_FEW: Final = 64
#: An attained value this near to a bound is the bound.
_NEAR: Final = 1e-9

_READ: Final = ("counts", "matrix")


def note_of(found: Bounds) -> str | None:
    """What is to be said of bounds, beside their two numbers."""
    note = found.why or ("It may be undefined." if found.may_be_undefined else None)
    is_wide = note is None and found.kind != "sharp"
    return "The values that are possible may reach less far." if is_wide else note


def table_of(found: Iterable[tuple[str, Bounds]]) -> BoundsTable:
    """Index, low, high, and what else is to be said of each."""
    rows = [(name, each.low, each.high, note_of(each)) for name, each in found]
    if all(row[3] is None for row in rows):
        return BoundsTable(["index", "low", "high"], [row[:3] for row in rows])
    return BoundsTable(["index", "low", "high", "note"], rows)


@dataclass(frozen=True, slots=True, repr=False)
class LedgerCounts(WaysOut, OfBounds, Indexed):
    """Counts at a threshold where some labels are not known: ``rocksteady.scores.LabelLedger(...).at(threshold)``.

    How many rows are predicted positive is known. Which of them are true positives is known but for the rows with unknown
    labels, each of which moves between tp and fp, or between fn and tn.

    Attributes
    ----------
    known : Counts
        The counts of the rows with known labels.
    unknown : tuple of two int
        The rows with unknown labels that are predicted positive, and those that are predicted negative.
    allowed : tuple of two int
        The least and the greatest number of positives among these.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
    >>> counts = ledger.at(0.5)
    >>> counts
    <rocksteady.results.LedgerCounts: tp=2, fp=1, fn=0, tn=1; of 1 + 1 rows with unknown labels 0 to 2 are positive>
    >>> found = counts.bounds("precision")
    >>> round(found.low, 4), round(found.high, 4), found.kind
    (0.5, 0.75, 'sharp')
    """

    known: Counts
    unknown: tuple[int, int]
    allowed: tuple[int, int]

    def _counts(self, up: Any, down: Any) -> Counts:
        """The counts if so many unknown labels are positive above the threshold, and below it."""
        cells: list[Any] = [self.known.tp, self.known.fp, self.known.fn, self.known.tn]
        return Counts(
            cells[0] + up, cells[1] + self.unknown[0] - up, cells[2] + down, cells[3] + self.unknown[1] - down
        )

    def _boxes(self) -> list[tuple[Any, ...]]:
        """Boxes of tp and fn that cover all possible tables, with the sizes of the predicted classes."""
        (above, below), (least, most) = self.unknown, self.allowed
        tp, fp, fn, tn = (int(cell) for cell in (self.known.tp, self.known.fp, self.known.fn, self.known.tn))
        first, last = max(0, least - below), min(above, most)
        free = least == 0 and most == above + below
        edges = sorted({first + (last - first) * part // _BOXES for part in range(_BOXES + 1)})
        starts = [(first, last)] if free or first == last else list(pairwise(edges))
        return [
            (
                (tp + start, tp + end),
                (fn + max(0, least - end), fn + min(below, most - start)),
                tp + fp + above,
                fn + tn + below,
            )
            for start, end in starts
        ]

    def _possible(self) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
        """Positives above and below the threshold of all possible tables, or of those at the corners; and whether of all."""
        (above, below), (least, most) = self.unknown, self.allowed
        is_all = (above + 1) * (below + 1) <= _MOST
        if is_all:
            up, down = np.indices((above + 1, below + 1)).reshape(2, -1).astype(np.float64)
            fits = (up + down >= least) & (up + down <= most)
            return up[fits], down[fits], True
        turns = {min(max(total - rest, 0), above) for total in (least, most) for rest in (0, below)}
        corners = [(up, down) for up in turns for down in (max(0, least - up), min(below, most - up))]
        up, down = np.array([pair for pair in corners if pair[1] <= min(below, most - pair[0])], np.float64).T
        return up, down, False

    def bounds(self, name: str, **parameters: object) -> Bounds:
        """What is known for certain of one index, whatever the unknown labels are.

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
            Rounded outwards. Its kind is "sharp" where some labels attain both; "proven" where this is not known. Tables
            for which the index is undefined are left out, and `may_be_undefined` says that there may be some. Where
            there are no bounds, `why` says why.

        Raises
        ------
        rocksteady.UnknownIndexError
            If there is no such index, or it needs scores.

        >>> import rocksteady as rs
        >>> counts = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]).at(0.5)
        >>> found = counts.bounds("recall")
        >>> round(found.low, 4), round(found.high, 4)
        (0.6667, 1.0)
        """
        given = parameters_by_class(parameters, self)
        parts = [_rocksteady.bounds_of_box(box, [name], given, True)[0] for box in self._boxes()]
        if len(parts) == 1 and parts[0][2] is not None:
            low, high, value, may_be_undefined, why = parts[0]
            return Bounds(low, high, value, why, may_be_undefined, "sharp")
        defined = [part for part in parts if part[4] is None]
        may_be_undefined = len(defined) < len(parts) or any(part[3] for part in parts)
        whys = [part[4] for part in parts if part[4] is not None]
        up, down, is_all = self._possible()
        counts = self._counts(up, down)
        if not defined:
            return Bounds(np.nan, np.nan, None, whys[0], True)
        low, high = min(part[0] for part in defined), max(part[1] for part in defined)
        try:
            values = np.asarray(counts.value(name, **parameters))
        except UnknownIndexError:  # an expression
            values = np.full(len(up), np.nan)
        values[(values < low - _NEAR) | (values > high + _NEAR)] = np.nan  # by convention
        if np.isnan(values).all():
            return Bounds(low, high, None, None, may_be_undefined)
        attained = float(np.nanmin(values)), float(np.nanmax(values))
        if is_all and not may_be_undefined:
            low, high = outwards(*(self._extreme(name, parameters, (up, down), values, sign) for sign in (1, -1)))
        gap = _NEAR * max(1.0, abs(low), abs(high))
        is_sharp = attained[0] - low <= gap and high - attained[1] <= gap
        return Bounds(low, high, None, None, may_be_undefined, "sharp" if is_sharp else "proven")

    def _extreme(
        self, name: str, parameters: dict[str, object], places: tuple[Any, Any], values: NDArray[np.float64], sign: int
    ) -> Any:
        """The least value of all tables, or the greatest with sign -1: a fraction where it is one, else moved outwards."""
        signed = sign * values
        slack = _SLACK * max(1.0, abs(float(signed.min())))
        near = np.flatnonzero(signed <= signed.min() + slack)
        found: list[Any] = []
        for place in near[:_FEW]:
            counts = self._counts(*(part[place] for part in places))
            try:
                found.append(sign * counts.exact(name, **parameters))
            except InputError:
                found.append(sign * float(counts.value(name, **parameters)) - slack / 1000)
        return sign * (min(found) - (slack if len(near) > _FEW else 0))

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
        >>> counts = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1]).at(0.5)
        >>> print(counts.summary(["accuracy", "f1"]))
        index          low      high
        accuracy       0.5  0.833334
        f1        0.571428  0.857143
        """
        rows = float(self.known.tp + self.known.fp + self.known.fn + self.known.tn) + sum(self.unknown)
        wanted = chosen(names, family, form=_READ, task=task_of(2, float(self.known.tp + self.known.fn), rows))[0]
        return table_of((name, self.bounds(name)) for name in wanted)

    def __repr__(self) -> str:
        cells = ", ".join(f"{name}={number(float(getattr(self.known, name)), 15)}" for name in ("tp", "fp", "fn", "tn"))
        (above, below), (least, most) = self.unknown, self.allowed
        return (
            f"<rocksteady.results.LedgerCounts: {cells}; of {above} + {below} rows with unknown labels {least} to {most} are "
            "positive>"
        )

    _repr_html_ = repr_html
