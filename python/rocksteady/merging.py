"""The statistic of all rows, from those of parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from rocksteady.base.arguments import shown, wrong_type
from rocksteady.base.statistic import Additive
from rocksteady.classes.label_score_tables import LabelScoreTables
from rocksteady.classes.score_tables import ScoreTables
from rocksteady.costs.cost_table import CostTable
from rocksteady.errors import InputError, InputTypeError
from rocksteady.evaluation.evaluation import Evaluation
from rocksteady.groups.groups import Groups
from rocksteady.labels.confusion import ConfusionMatrix
from rocksteady.queries.queries import Queries
from rocksteady.scores.probability_sums import ProbabilitySums
from rocksteady.scores.score_table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

S = TypeVar("S", bound=Additive)

_MAGIC: Final = b"rocksted"

# The class that reads bytes of each kind (docs/bytes.md).
_CLASSES: Final[dict[bytes, Any]] = {
    b"\x01": ConfusionMatrix,
    b"S": ScoreTable,
    b"P": ProbabilitySums,
    b"K": ScoreTables,
    b"L": LabelScoreTables,
    b"Q": Queries,
    b"C": CostTable,
    b"G": Groups,
    b"E": Evaluation,
}


def reader_of(data: bytes | bytearray) -> Callable[[bytes | bytearray], Any]:
    """What reads the bytes of a statistic, whichever it is.

    >>> import rocksteady as rs
    >>> data = rs.ConfusionMatrix([0, 1], [0, 0]).to_bytes()
    >>> reader_of(data)(data)["accuracy"]
    0.5
    """
    kind = bytes(data[len(_MAGIC) : len(_MAGIC) + 1])
    if not data.startswith(_MAGIC) or kind not in _CLASSES:
        raise InputError(f"the bytes begin with {shown(bytes(data[:9]))}; expected those of a statistic")
    read: Callable[[bytes | bytearray], Any] = _CLASSES[kind].from_bytes
    return read


@overload
def merge(parts: Iterable[bytes], *, into: type[S]) -> S: ...


@overload
def merge(parts: Iterable[S], *, into: type[S] | None = None) -> S: ...


@overload
def merge(parts: Iterable[bytes], *, into: None = None) -> Any: ...


def merge(parts: Iterable[Any], *, into: type[Any] | None = None) -> Any:
    """The statistic of the rows of all parts: to the bit that of all rows at once.

    Parts are added as a tree, neighbours first, so each row is added about ``log2(n)`` times for n parts, and not n
    times as by ``sum(parts)``. Parts are read one by one. At most ``log2(n)`` partial sums are held, and together they
    have no more rows than the parts that were read.

    Parameters
    ----------
    parts : iterable of statistics, or of their bytes
        Of one kind, in any order. An iterator is read once; a generator that reads files keeps memory small. Bytes are
        those of `to_bytes`.
    into : class, optional
        What bytes are read as, such as `rocksteady.CostCounts`. Default: the bytes say it.

    Returns
    -------
    statistic
        Of the kind of the parts.

    Raises
    ------
    rocksteady.InputError
        If there are no parts, bytes are of no statistic, or parts do not go together. The message says which parts.
    rocksteady.InputTypeError
        If a part is no statistic, or of another kind than the first.

    Examples
    --------
    >>> import rocksteady as rs
    >>> days = [([0, 1], [0.2, 0.9]), ([1, 1], [0.4, 0.8]), ([0, 0], [0.5, 0.1])]
    >>> parts = [rs.ScoreTable(y_true, y_score, pos_label=1) for y_true, y_score in days]
    >>> rs.merge(parts)["roc_auc"]
    0.8888888888888888
    >>> rs.merge(part.to_bytes() for part in parts) == rs.merge(parts)
    True
    """
    sums: list[tuple[int, Any]] = []  # (how many parts, their sum), ever fewer parts, as the bits of a number
    count = 0
    for part in _each(parts):
        one = _read(part, into, count)
        if sums and type(one) is not type(sums[0][1]):
            found, first = type(one).__name__, type(sums[0][1]).__name__
            raise InputTypeError(f"parts[{count}] is {found}; expected {first}, as the first part", argument="parts")
        size = 1
        while sums and sums[-1][0] == size:
            one = _added(sums.pop(), (size, one), count + 1)
            size *= 2
        sums.append((size, one))
        count += 1
    if not sums:
        expected = "at least one; where there may be none, one of no rows, such as rs.ScoreTable.empty(pos_label=1)"
        raise InputError(f"parts is empty; expected {expected}", argument="parts")
    size, total = sums.pop()
    while sums:
        rest = sums.pop()
        total = _added(rest, (size, total), count)
        size += rest[0]
    return total


def _each(parts: Any) -> Iterable[Any]:
    if isinstance(parts, (bytes, bytearray, memoryview, str)) or not hasattr(parts, "__iter__"):
        raise wrong_type(parts, "parts", "an iterable of statistics, or of their bytes")
    each: Iterable[Any] = parts
    return each


def _read(part: Any, into: type[Any] | None, place: int) -> Any:
    if isinstance(part, Additive) and (into is None or isinstance(part, into)):
        return part
    if isinstance(part, (bytes, bytearray, memoryview)):
        data = bytes(part) if isinstance(part, memoryview) else part
        try:
            return (reader_of(data) if into is None else into.from_bytes)(data)
        except InputError as error:
            raise InputError(f"parts[{place}]: {error}", argument="parts", row=place) from None
    expected = "a statistic, or its bytes" if into is None else f"{into.__name__}, or its bytes"
    raise InputTypeError(f"parts[{place}] is {shown(part)}; expected {expected}", argument="parts", row=place)


def _added(first: tuple[int, Any], second: tuple[int, Any], end: int) -> Any:
    """The sum of two sums of neighbouring parts, of which the last is the one before `end`."""
    try:
        return first[1] + second[1]
    except (InputError, InputTypeError) as error:
        middle = end - second[0]
        places = f"parts[{middle - first[0]}:{middle}] and parts[{middle}:{end}]"
        raise type(error)(f"{places}: {error}", argument="parts") from None
