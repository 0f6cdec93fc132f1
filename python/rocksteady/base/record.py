"""The base of results that are single values by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocksteady.base.table import Table, short
from rocksteady.base.ways_out import WaysOut, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocksteady.base.ways_out import Column


class Record(WaysOut):
    """Base of frozen dataclasses and named tuples of single values: a row of a data frame."""

    __slots__ = ()

    def _named(self) -> dict[str, Any]:
        """The fields by name."""
        cls: Any = type(self)
        return {name: getattr(self, name) for name in getattr(cls, "__dataclass_fields__", None) or cls._fields}

    def _columns(self) -> Mapping[str, Column]:
        columns: dict[str, Column] = {}
        for name, value in self._named().items():
            if isinstance(value, Record):
                columns |= {f"{name}_{each}": cells for each, cells in value._columns().items()}
            else:
                columns[name] = [value if isinstance(value, str | int | float | None) else str(value)]
        return columns

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, as plain Python values: arrays as lists, times and fractions as text."""
        return {name: plain(value) for name, value in self._named().items()}

    def _repr_html_(self) -> str:
        lines = [[name, short(value)] for name, value in self._named().items()]
        return Table([type(self).__name__, ""], lines)._repr_html_()
