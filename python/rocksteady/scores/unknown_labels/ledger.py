"""What ledgers of all kinds are: other statistics, the rows of a call, and the sentence about unknown labels."""

from __future__ import annotations

import struct
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import data_of, flag, shown, string, wrong_value
from rocksteady.base.bounds import Bounds, OfBounds, rounded
from rocksteady.base.statistic import Statistic
from rocksteady.base.table import class_named, number, number_of, repr_html
from rocksteady.base.ways_out import WaysOut
from rocksteady.columns.complete import kept, missing
from rocksteady.columns.pairing import paired, without_index
from rocksteady.errors import InputError, InputTypeError, RocksteadyError, UnknownIndexError
from rocksteady.registry.registry import index
from rocksteady.scores.unknown_labels.ledger_counts import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from numpy.typing import NDArray

    from rocksteady.base.table import Table

    Shares = tuple[float, float]

# The bytes (docs/bytes.md): magic word, kind, version, tag and length of the only section.
_MAGIC: Final = b"rocksted"
_BEHIND_KIND: Final = b"\x03\x01"
_LENGTH: Final = struct.Struct("<Q")


class OfParts(Statistic):
    """A few statistics of a class, which are added, subtracted and kept together."""

    __slots__ = ()

    _Part: ClassVar[type[Statistic]]
    _parts: ClassVar[int] = 2
    _KIND: ClassVar[bytes]
    _state: tuple[Any, ...]

    @staticmethod
    def _belong(*parts: Any) -> bool:
        """Whether parts that were read from bytes can be of the same rows."""
        raise NotImplementedError

    def _plus(self, other: Self) -> Self:
        return self._of(tuple(own + more for own, more in zip(self._state, other._state, strict=True)))

    def __sub__(self, other: object) -> Self:
        if not isinstance(other, type(self)) or not hasattr(self._state[0]._state, "subtracted"):
            return NotImplemented
        return self._of(tuple(own - less for own, less in zip(self._state, other._state, strict=True)))

    def to_bytes(self) -> bytes:
        """The state in a versioned, little-endian format. Any machine reads it back bit for bit."""
        content = b"".join(_LENGTH.pack(len(part)) + part for part in (each.to_bytes() for each in self._state))
        return _MAGIC + self._KIND + _BEHIND_KIND + _LENGTH.pack(len(content)) + content

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read the statistic that `to_bytes` wrote. Other bytes are refused."""
        try:
            return cls._read(data_of(data))
        except (RocksteadyError, ValueError, struct.error) as error:
            raise InputError(f"not the bytes of a {cls.__name__}: {error}", argument="data") from None

    @classmethod
    def _read(cls, data: bytes) -> Self:
        head = _MAGIC + cls._KIND + _BEHIND_KIND
        if not data.startswith(head):
            raise ValueError("they begin otherwise, or are of a version that this release does not read")
        parts, start = [], len(head) + _LENGTH.size
        for _ in range(cls._parts):
            end = start + _LENGTH.size + _LENGTH.unpack_from(data, start)[0]
            parts.append(cls._Part.from_bytes(data[start + _LENGTH.size : end]))
            start = end
        found = cls._of(tuple(parts))
        if not cls._belong(*parts) or found.to_bytes() != data:
            raise ValueError("their parts do not belong together, or are written otherwise")
        return found


class Ledger(WaysOut, OfBounds, OfParts):
    """A ranking of rows some of whose labels are not known, and bounds of its indices."""

    __slots__ = ()

    #: The indices of the ranking that have bounds.
    _bounded: ClassVar[tuple[str, ...]]

    @property
    def labels(self) -> tuple[object, object]:
        """The negative and the positive label; None for a label that neither occurred nor was named."""
        found: tuple[object, object] = self._state[0].labels
        return found

    @property
    def pos_label(self) -> object:
        """The positive label."""
        return self.labels[1]

    @property
    def rows(self) -> int:
        """The number of rows counted."""
        raise NotImplementedError

    @property
    def unknown_rows(self) -> int:
        """The number of rows with unknown labels."""
        raise NotImplementedError

    @staticmethod
    def _asked(name: str) -> str:
        """The name of an index of the ranking."""
        if not is_of_ranking(name):
            raise UnknownIndexError(f"{shown(name)} needs a threshold; expected at(0.5).bounds({shown(name)})")
        return _rocksteady.index_name(name)

    def summary(self, *, prevalence: Shares | None = None) -> Table:
        """The bounds of the indices that have some, as a table.

        Parameters
        ----------
        prevalence : tuple of two float, optional
            As for `bounds`.

        >>> import rocksteady as rs
        >>> ledger = rs.scores.LabelLedger([1, 0, None, 1, 0, None], [0.9, 0.8, 0.7, 0.6, 0.3, 0.1])
        >>> ledger.summary().to_frame()[["index", "low", "high"]].head(2).round(3)
             index    low   high
        0  roc_auc  0.444  0.778
        1     gini -0.111  0.556
        """
        return table_of((name, self.bounds(name, prevalence=prevalence)) for name in self._bounded)

    def _whatever_they_are(self, model: str) -> str | None:
        """The bounds of the area under the ROC curve as a sentence about a model; None if all labels are known."""
        if not self.unknown_rows:
            return None
        found, of = self.bounds("roc_auc"), (f" of {model}", f" of {self.rows:,} rows")
        return whatever_they_are("roc_auc", (found.low, found.high), self.unknown_rows, *of)

    def __repr__(self) -> str:
        known = self._state[0]
        sizes = zip((known.positives, known.negatives), ("positive", "negative"), self.labels[::-1], strict=True)
        classes = ", ".join(
            f"{number(size, 15)} {name}" + ("" if label is None else f" (class {class_named(label)})")
            for size, name, label in sizes
        )
        name = type(self).__name__
        return f"<rocksteady.scores.{name} of {number_of(self.rows, 'row')}, {self.unknown_rows} with unknown labels; {classes}>"

    _repr_html_ = repr_html


def is_of_ranking(name: object) -> bool:
    """Whether an index is read from scores, and so needs no threshold."""
    return not {"scores", "probabilities"}.isdisjoint(index(string(name, "name")).forms)


def whatever_they_are(
    name: str, bounds: Shares, unknown: int, of: str = "", rows: str = "", prevalence: Shares | None = None
) -> str:
    """The bounds of an index over all unknown labels, as a sentence.

    >>> whatever_they_are("gini", (0.12345, 0.5), 412)
    'gini: 0.123 to 0.5 whatever the 412 unknown labels are'
    >>> whatever_they_are("gini", (0.12345, 0.5), 412, prevalence=(0.0, 0.1))
    'gini: 0.123 to 0.5 if 0 to 10 % of the 412 unknown labels are positive'
    """
    low, high = bounds
    if np.isnan(low):
        return f"{name}{of}: no bounds; {unknown:,} labels{rows} are unknown"
    if not unknown:
        return f"{name}{of}: {number(low, 3)}; all labels{rows} are known"
    # The bounds were rounded outwards already, by the last bit.
    low, high = low and np.nextafter(low, np.inf), high and np.nextafter(high, -np.inf)
    ends = f"{rounded(float(low), 3, ROUND_FLOOR)} to {rounded(float(high), 3, ROUND_CEILING)}"
    labels, verb = ("unknown label", "is") if unknown == 1 else (f"{unknown:,} unknown labels", "are")
    if prevalence is not None:
        shares = " to ".join(number(100 * share, 4) for share in prevalence)
        return f"{name}{of}: {ends} if {shares} % of the {labels}{rows} {verb} positive"
    return f"{name}{of}: {ends} whatever the {labels}{rows} {verb}"


@dataclass(frozen=True)
class Rows:
    """Rows of a call, those with a known label apart from the others. The masks are None if all labels are known."""

    labels: Any
    scores: Any
    others: Any  # the scores of the rows without a label
    is_known: NDArray[np.bool_] | None
    is_unknown: NDArray[np.bool_] | None
    has_mark: bool  # whether a label stands for one that is not known

    @classmethod
    def of(cls, y_true: Any, y_score: Any, mark: Any, pos_label: object, align: bool) -> Rows:
        """The rows of the arguments of a constructor; `mark` also stands for a label that is not known."""
        score = paired(y_true, {"y_score": y_score}, align=flag(align, "align"))["y_score"]
        y_true = without_index(y_true)
        gaps = missing(y_true, "y_true")
        if mark is not None:
            if pos_label is not None and bool(np.all(np.asarray(mark == pos_label))):
                raise wrong_value(mark, "unknown_label", "another label than pos_label")
            array = np.asarray(y_true)
            marked = np.asarray(array == mark) & np.ones(array.shape, bool)
            gaps = marked if gaps is None else gaps | marked
        return cls.split(y_true, score, gaps, pos_label, has_mark=mark is not None)

    @classmethod
    def split(
        cls, y_true: Any, y_score: Any, gaps: NDArray[np.bool_] | None, pos_label: object, *, has_mark: bool = False
    ) -> Rows:
        """Rows apart by whether their label is among the gaps."""
        if gaps is None or not gaps.any() or gaps.shape != np.shape(y_score)[:1]:
            return cls(y_true, y_score, np.empty(0), None, None, has_mark)
        if gaps.all() and pos_label is None:
            raise InputError("no label of y_true is known; expected one, or pos_label=", argument="y_true")
        labels, scores = kept(y_true, ~gaps, "y_true"), kept(y_score, ~gaps, "y_score")
        return cls(labels, scores, kept(y_score, gaps, "y_score"), ~gaps, gaps, has_mark)

    @contextmanager
    def named(self, mask: NDArray[np.bool_] | None) -> Iterator[None]:
        """Refusals of the rows of a mask name the row of the call, and say what a third label may stand for."""
        try:
            yield
        except (InputError, InputTypeError) as error:
            row, said = error.row, str(error)
            if mask is not None and row is not None:
                row = int(np.flatnonzero(mask)[row])
                said = said.replace(f"[{error.row}]", f"[{row}]", 1)
            if not self.has_mark and error.argument == "y_true" and row is not None:
                said += "; if this stands for a label that is not known, make it None, or pass unknown_label= to LabelLedger"
            raise type(error)(
                said, argument=error.argument, row=row, value=error.value, expected=error.expected
            ) from None


def no_bounds(why: str) -> Bounds:
    """Why there are no bounds."""
    return Bounds(np.nan, np.nan, None, why, True)
