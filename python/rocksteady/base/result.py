"""The base of curves and tables of results: named arrays of one length."""

from __future__ import annotations

import dataclasses
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar, cast

import numpy as np

from rocksteady.base.table import Table, class_named, preview, short
from rocksteady.base.ways_out import WaysOut, items_of, plain
from rocksteady.errors import InputTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Self

    from numpy.typing import NDArray

_SHOWN: Final = 5  # rows at either end of a table that is cut
_WIDTH: Final = 100  # columns of a terminal

Method = TypeVar("Method", bound="Callable[..., Any]")


class Result(WaysOut):
    """Base of frozen dataclasses with named arrays of one length, and possibly single values.

    Fields that are arrays are the columns, and their entries *i* belong together. Each kind of result documents its
    columns, their units and the meaning of *i*. Arrays are read-only.
    """

    __slots__ = ()

    _first: ClassVar[tuple[str, ...]] = ()  # the columns that a terminal shows first, where not all have room

    def __post_init__(self) -> None:
        columns = self._columns()
        if not columns:
            raise InputTypeError(f"a {type(self).__name__} was given no array; expected a numpy array for each column")
        for array in columns.values():
            array.setflags(write=False)

    def _fields(self) -> Iterator[tuple[str, Any]]:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]  # every kind of result is a dataclass
            yield field.name, getattr(self, field.name)

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {name: value for name, value in self._fields() if isinstance(value, np.ndarray)}

    def __len__(self) -> int:
        """The number of entries of each array."""
        return len(next(iter(self._columns().values())))

    def summary(self) -> Table:
        """The arrays as the columns of a `Table`."""
        columns = self._columns()
        return Table._later(list(columns), lambda: zip(*map(items_of, columns.values()), strict=True))

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, arrays as lists, times and fractions as text."""
        return {name: plain(value) for name, value in self._fields()}

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Result):
            return NotImplemented
        pairs = zip(self._fields(), other._fields(), strict=True)
        return all(
            # NaN is the value of an undefined index. Here it equals itself, alone and in arrays.
            np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
            if isinstance(a, np.ndarray)
            else a == b or (a != a and b != b)
            for (_, a), (_, b) in pairs
        )

    __hash__ = None  # type: ignore[assignment]

    def _replaced(self, **fields: Any) -> Self:
        """The same kind of result with other fields, of the same positive class."""
        replaced = dataclasses.replace(self, **fields)  # type: ignore[type-var]  # each kind is a dataclass
        if hasattr(self, "_positive"):
            object.__setattr__(replaced, "_positive", self._positive)
        return replaced

    def _facts(self) -> list[str]:
        columns = self._columns()
        parts = [
            f"{type(self).__name__} of {len(self)} {'entry' if len(self) == 1 else 'entries'}, {len(columns)} columns"
        ]
        positive = getattr(self, "_positive", None)
        if positive is not None:
            parts.append(f"positive class {class_named(positive)}")
        parts += [f"{name} {short(value)}" for name, value in self._fields() if not isinstance(value, np.ndarray)]
        return parts

    def __repr__(self) -> str:
        columns = self._columns()
        table, left_out = preview(columns, [*self._first, *columns], _SHOWN, _WIDTH)
        shown = [_folded(self._facts(), "; "), repr(table)]
        if left_out:
            shown.append(_folded([f"also: {left_out[0]}", *left_out[1:]], ", "))
        return "\n".join(shown)

    def _repr_html_(self) -> str:
        import html  # noqa: PLC0415 (few programs need it)

        columns = self._columns()
        facts = html.escape("; ".join(self._facts()))
        return f"<p>{facts}</p>{preview(columns, list(columns), _SHOWN)[0]._repr_html_()}"


def _folded(parts: Sequence[str], between: str) -> str:
    """Parts of a line on as many lines as they need; those that follow are indented."""
    lines = [""]
    for place, part in enumerate(parts):
        text = part if place + 1 == len(parts) else f"{part}{between}"
        if lines[-1].strip() and len(f"{lines[-1]}{text}".rstrip()) > _WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append("  ")
        lines[-1] += text
    return "\n".join(lines)


def of_positive(method: Method) -> Method:
    """The method of a statistic that has a `pos_label`; its result names that class when it is shown."""

    @wraps(method)
    def named(self: Any, *args: Any, **options: Any) -> Any:
        result = method(self, *args, **options)
        object.__setattr__(result, "_positive", self.pos_label)
        return result

    return cast("Method", named)
