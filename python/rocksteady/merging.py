"""The statistic of all rows, from those of parts."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import rocksteady
from rocksteady import _rocksteady
from rocksteady.base.arguments import shown, wrong_type
from rocksteady.base.statistic import Additive
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

S = TypeVar("S", bound=Additive)

_MAGIC: Final = b"rocksted"

# Tables of so many distinct scores are added by several threads at once.
_LARGE: Final = 1 << 15

# Parts that can be added many at once are held until they are together so many times the largest of them.
_HELD: Final = 8

# The classes that are no statistics of the extension, by the byte of their kind (docs/bytes.md).
_OTHERS: Final = {
    b"E": "Evaluation",
    b"V": "Evaluation",
    b"U": "scores.LabelLedger",
    b"T": "scores.SketchLedger",
    b"W": "results.LedgerGroups",
}


@cache
def _kinds() -> dict[bytes, str]:
    """The name of the class that reads bytes of each kind: the extension says it."""
    states = [state for state in vars(_rocksteady).values() if hasattr(state, "KIND")]
    return {bytes([state.KIND]): state.NAME for state in states} | _OTHERS


def reader_of(data: bytes | bytearray) -> Callable[[bytes | bytearray], Any]:
    """What reads the bytes of a statistic, whichever it is.

    >>> import rocksteady as rs
    >>> data = rs.ConfusionMatrix([0, 1], [0, 0]).to_bytes()
    >>> reader_of(data)(data)["accuracy"]
    0.5
    """
    kind = bytes(data[len(_MAGIC) : len(_MAGIC) + 1])
    if not data.startswith(_MAGIC) or kind not in _kinds():
        raise InputError(f"the bytes begin with {shown(bytes(data[:9]))}; expected the bytes of a statistic")
    read: Callable[[bytes | bytearray], Any] = attrgetter(_kinds()[kind])(rocksteady).from_bytes
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
    have no more rows than the parts that were read. Score tables without weights are added many at once, where most
    scores have one row: then as many are held as have eight times the scores of the largest.

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
    if not (into is None or (isinstance(into, type) and issubclass(into, Additive) and hasattr(into, "from_bytes"))):
        raise wrong_type(into, "into", "a class of statistics")
    each = iter(_each(parts))
    first = next((_read(part, into, None, 0) for part in each), None)
    if first is None:
        expected = "at least one; where there may be none, one of no rows, such as rs.ScoreTable.empty(pos_label=1)"
        raise InputError(f"parts is empty; expected {expected}", argument="parts")
    workers = _rocksteady.get_threads() if _is_large(first) else 1
    if workers == 1:
        return _merged(first, each, into, _at_once)
    with ThreadPoolExecutor(workers) as pool:
        return _merged(first, each, into, _Ahead(pool, 2 * workers))


class _Done:
    """A result that is there."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def result(self) -> Any:
        return self.value


def _at_once(work: Callable[..., Any], *arguments: Any) -> Any:
    return _Done(work(*arguments))


class _Ahead:
    """Hands work to threads, only a little ahead of what they have done.

    Work waits for work that was handed on before it, and threads take it in this order. So some work can always go on.
    """

    def __init__(self, pool: ThreadPoolExecutor, most: int) -> None:
        self.pool, self.most, self.pending = pool, most, deque[Any]()

    def __call__(self, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            found: Any = self.pool.submit(work, *arguments)
        except RuntimeError:  # the system gives no thread
            found = _at_once(work, *arguments)
        self.pending.append(found)
        while len(self.pending) > self.most:
            self.pending.popleft().result()
        return found


def _is_large(part: Any) -> bool:
    """Whether adding such parts takes longer than waking a thread."""
    return hasattr(part, "__len__") and len(part) >= _LARGE


def _merged(first: Any, parts: Iterable[Any], into: type[Any] | None, run: Callable[..., Any]) -> Any:
    """The sum of parts, many at once or added as the bits of a number carry."""
    read = (run(_read, part, into, type(first), place) for place, part in enumerate(parts, 1))
    if isinstance(first, Additive) and first._size() is not None:
        ahead = run.most if isinstance(run, _Ahead) else 0
        return _pooled(first, _soon(read, ahead), run)
    return _tree(((1, part) for part in chain([run(_itself, first)], read)), run)


def _tree(sums: Iterable[tuple[int, Any]], run: Callable[..., Any]) -> Any:
    """The sum of sums of so many parts each, from one part on."""
    held: list[tuple[int, Any]] = []
    count = 0
    for given, part in sums:
        size, one = given, part
        count += size
        while held and held[-1][0] <= size:
            more, rest = held.pop()
            one = run(_added, more, rest, size, one, count)
            size += more
        held.append((size, one))
    size, total = held.pop()
    while held:
        more, rest = held.pop()
        total = run(_added, more, rest, size, total, count)
        size += more
    return total.result()


def _pooled(first: Any, parts: Iterable[Any], run: Callable[..., Any]) -> Any:
    """The sum of parts, added many at once where they can be."""
    held, size, largest = [(1, first)], _size(first), _size(first)
    for found in parts:
        part = found.result()
        held.append((1, part))
        size += _size(part)
        largest = max(largest, _size(part))
        if size > _HELD * largest:
            held = [(sum(count for count, _ in held), _sum_of(held, run))]
            size = largest = _size(held[0][1])
    return _sum_of(held, run)


def _size(part: Any) -> int:
    return part._size() or 1


def _sum_of(held: list[tuple[int, Any]], run: Callable[..., Any]) -> Any:
    """The sum of the first parts."""
    parts = [part for _, part in held]
    try:
        total = type(parts[0])._pooled(parts)
    except (InputError, InputTypeError):
        total = None  # adding them in pairs says which do not go together
    return _tree(((count, _Done(part)) for count, part in held), run) if total is None else total


def _soon(work: Iterable[Any], most: int) -> Iterator[Any]:
    """The same, handed on before it is asked for."""
    pending = deque[Any]()
    for one in work:
        pending.append(one)
        if len(pending) > most:
            yield pending.popleft()
    yield from pending


def _itself(part: Any) -> Any:
    return part


def _each(parts: Any) -> Iterable[Any]:
    if isinstance(parts, (bytes, bytearray, memoryview, str)) or not hasattr(parts, "__iter__"):
        raise wrong_type(parts, "parts", "an iterable of statistics, or of their bytes")
    each: Iterable[Any] = parts
    return each


def _read(part: Any, into: type[Any] | None, kind: type[Any] | None, place: int) -> Any:
    """A part as a statistic, of the kind of the first."""
    if isinstance(part, Additive) and (into is None or isinstance(part, into)):
        found: Any = part
    elif isinstance(part, (bytes, bytearray, memoryview)):
        data = bytes(part) if isinstance(part, memoryview) else part
        try:
            found = (reader_of(data) if into is None else into.from_bytes)(data)
        except InputError as error:
            raise InputError(f"parts[{place}]: {error}", argument="parts", row=place) from None
    else:
        expected = "a statistic, or its bytes" if into is None else f"{into.__name__}, or its bytes"
        raise InputTypeError(f"parts[{place}] is {shown(part)}; expected {expected}", argument="parts", row=place)
    if kind is not None and type(found) is not kind:
        expected = f"{kind.__name__}, as the first part"
        raise InputTypeError(f"parts[{place}] is {type(found).__name__}; expected {expected}", argument="parts")
    return found


def _added(size: int, first: Any, more: int, second: Any, end: int) -> Any:
    """The sum of two sums of neighbouring parts, of which the last is the one before `end`."""
    one, other = first.result(), second.result()
    try:
        return one + other
    except (InputError, InputTypeError) as error:
        middle = end - more
        places = f"parts[{middle - size}:{middle}] and parts[{middle}:{end}]"
        raise type(error)(f"{places}: {error}", argument="parts") from None
