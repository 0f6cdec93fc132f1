"""The ways out of what has columns: plain values of Python, data frames of three libraries, and text for a file."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import numpy as np

from rocksteady.base.arguments import flag

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    Column = NDArray[Any] | Sequence[Any]

Cells = TypeVar("Cells")

#: What spreadsheets take for a formula begins so.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def library(name: str, extra: str) -> Any:
    """Import a library that only some methods need.

    Raises
    ------
    ImportError
        If the library is not installed. The message says what to install.

    >>> library("math", "sums").tau > 6
    True
    """
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        sentence = f"this needs {name}, which is not installed; {how_to_install(extra)}"
        raise ImportError(sentence, name=name) from missing


def how_to_install(extra: str) -> str:
    """What to type for an extra. The package is in no registry of packages, so it is installed from its clone."""
    return f"in the clone of rocksteady: pip install '.[{extra}]'"


def items_of(array: Any) -> list[Any]:
    """The items of an array as objects of Python for cells: times as text, None where there is no time.

    >>> items_of(np.array(["2024-01-01T06:00", "NaT"], "datetime64[ns]")), items_of(np.array([1, 2]))
    (['2024-01-01 06:00:00', None], [1, 2])
    """
    if array.dtype.kind not in "mM":
        items: list[Any] = array.tolist()
        return items
    return [None if item != item else _time(str(item)) for item in array]


def _time(text: str) -> str:
    """Text of a time as that of Python's, without the zeros at the end of a fraction."""
    whole, _, fraction = text.replace("T", " ").partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def unlike(name: str, taken: Collection[str]) -> str:
    """A name with as many ``_`` behind it as make it another than all that are taken.

    >>> unlike("rows", ["rows", "rows_"]), unlike("region", ["rows"])
    ('rows__', 'region')
    """
    return unlike(f"{name}_", taken) if name in taken else name


def beside(keys: Mapping[str, Cells], others: Mapping[str, Cells]) -> dict[str, Cells]:
    """Columns of keys and others, in this order; a key that is called as another column has a ``_`` more.

    >>> beside({"rows": [7], "region": ["n"]}, {"rows": [2]})
    {'rows_': [7], 'region': ['n'], 'rows': [2]}
    """
    return {**{unlike(name, others): column for name, column in keys.items()}, **others}


def plain(value: Any) -> Any:
    """A value as JSON has it: arrays as lists, results as dictionaries, fractions as text.

    >>> plain({"low": np.array([0.5]), "keys": (np.int64(1), None)})
    {'low': [0.5], 'keys': [1, None]}
    """
    if isinstance(value, WaysOut):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return items_of(value)
    if isinstance(value, np.generic):
        return items_of(np.asarray([value]))[0]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


class WaysOut:
    """What has columns of one length, and so leaves as a dictionary, a data frame or a file.

    A curve or a table has a row for each entry, a result of single values has one row.
    """

    __slots__ = ()

    summary: Callable[..., WaysOut]

    def _columns(self) -> Mapping[str, Column]:
        return self.summary()._columns()

    def to_dict(self) -> dict[str, Any]:
        """All that there is by name, as plain Python values: arrays as lists, times and fractions as text."""
        return {name: plain(column) for name, column in self._columns().items()}

    def to_frame(self) -> Any:
        """The columns as a data frame, of pandas if it is installed, else of polars.

        Raises
        ------
        ImportError
            If neither is installed.

        >>> import rocksteady as rs
        >>> rs.results.Table(["index", "value"], [["accuracy", 0.85]]).to_frame().shape
        (1, 2)
        """
        return self.to_polars() if find_spec("pandas") is None else self.to_pandas()

    def to_pandas(self) -> Any:
        """The columns as a ``pandas.DataFrame``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return library("pandas", "pandas").DataFrame(self._columns())

    def to_polars(self) -> Any:
        """The columns as a ``polars.DataFrame``.

        Raises
        ------
        ImportError
            If polars is not installed.
        """
        columns = {name: _of_one_type(column, "s") for name, column in self._columns().items()}
        return library("polars", "polars").DataFrame(columns, strict=False)

    def to_arrow(self) -> Any:
        """The columns as a ``pyarrow.Table``.

        Raises
        ------
        ImportError
            If pyarrow is not installed.
        """
        return library("pyarrow", "arrow").table({name: _of_one_type(each) for name, each in self._columns().items()})

    @overload
    def to_csv(self, path: None = None, *, escape_formulas: bool = False) -> str: ...
    @overload
    def to_csv(self, path: str | PathLike[str], *, escape_formulas: bool = False) -> None: ...
    def to_csv(self, path: str | PathLike[str] | None = None, *, escape_formulas: bool = False) -> str | None:
        r"""The columns as comma-separated text with a heading; with a path it is written there instead.

        Numbers have all their digits, None and a missing time are empty cells.

        Parameters
        ----------
        path : path, optional
            The file to write, whole or not at all.
        escape_formulas : bool
            Put an apostrophe before text that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return:
            spreadsheets take it for a formula.

        >>> import rocksteady as rs
        >>> rs.results.Table(["index", "value"], [["accuracy", 0.1], ["f1", None]]).to_csv()
        'index,value\naccuracy,0.1\nf1,\n'
        >>> rs.results.Table(["label", "value"], [["=1+1", -0.1]]).to_csv(escape_formulas=True)
        "label,value\n'=1+1,-0.1\n"
        """
        import csv  # noqa: PLC0415 (few programs need these three)
        import io  # noqa: PLC0415

        from rocksteady.base.files import written  # noqa: PLC0415

        columns = self._columns()
        cells = (items_of(column) if isinstance(column, np.ndarray) else column for column in columns.values())
        rows: list[Sequence[Any]] = [list(columns), *zip(*cells, strict=True)]
        if flag(escape_formulas, "escape_formulas"):
            rows = [
                [f"'{each}" if isinstance(each, str) and each[:1] in _FORMULA else each for each in row] for row in rows
            ]
        lines = []
        for row in rows:
            text = io.StringIO()
            csv.writer(text).writerow(row)  # its ending has a carriage return, so that those in cells are quoted
            lines.append(text.getvalue().removesuffix("\r\n") + "\n")
        return written("".join(lines), path)


def _of_one_type(column: Column, but: str = "") -> Column:
    """A column whose cells have one type that Arrow has: text if some is text, floats if integers have no dtype.

    Times of a unit in `but`, or longer, become milliseconds.

    >>> _of_one_type([1, "a", None]), _of_one_type([1, 2.5]), _of_one_type([2**64]), _of_one_type([True, None])
    (['1', 'a', None], [1.0, 2.5], [1.8446744073709552e+19], [True, None])
    """
    if isinstance(column, np.ndarray) and column.dtype.kind != "O":
        is_coarse = column.dtype.kind in "mM" and np.datetime_data(column.dtype)[0] in {"Y", "M", "W", "h", "m", *but}
        return column.astype(f"{column.dtype.kind}8[ms]") if is_coarse else column
    cells = list(column)
    there = [cell for cell in cells if cell is not None]
    if any(isinstance(cell, str) for cell in there):
        return [None if cell is None else str(cell) for cell in cells]
    if all(isinstance(cell, bool) for cell in there):
        return cells
    is_float = any(isinstance(cell, float) for cell in there) or not all(-(2**63) <= cell < 2**63 for cell in there)
    return [None if cell is None else float(cell) for cell in cells] if is_float else cells
