"""Columns side by side: pandas objects whose index labels are in another order."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocksteady.base.arguments import shown, wrong_type
from rocksteady.base.containers import PLAIN
from rocksteady.base.warning import takes, warn
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def paired(y_true: Any, columns: dict[str, Any], *, align: bool = False, first: str = "y_true") -> dict[str, Any]:
    """The columns, whose rows belong to those of `y_true` by position or, with `align`, by index label.

    Warns if a column has the index labels of `y_true` in another order: rows are then taken by position, which is
    seldom what was meant.

    Parameters
    ----------
    y_true : column
    columns : dict of str to column
        By the names of their arguments; None is left as it is. An argument may hold several columns: a mapping, a frame
        or a list of them.
    align : bool
        Whether to bring pandas objects into the order of the index of `y_true`.
    first : str
        What messages call `y_true`.

    Raises
    ------
    rocksteady.InputError, rocksteady.InputTypeError
        With `align`: if `y_true` has no index, or a column has other labels, or a label occurs twice.
    """
    if not align and (type(y_true) in PLAIN or _index(y_true) is None):
        return columns
    index = _index(y_true)
    if index is None:
        raise wrong_type(y_true, first, "a pandas Series, as align=True goes by its index")
    others: list[str] = []

    def placed(column: Any, argument: str, deepest: int = 2) -> Any:
        """A column, or the columns that an argument holds, with the rows in the order asked for."""
        other = _index(column)
        if other is None:
            parts = _parts(column) if deepest else None
            if parts is None:
                return column
            own = {key: placed(part, f"{argument}[{shown(key)}]", deepest - 1) for key, part in parts.items()}
            if all(own[key] is part for key, part in parts.items()):
                return column
            return own if isinstance(column, Mapping) else list(own.values())
        if other is index or other.equals(index):
            return column
        if align:
            return column.take(_places(index, other, argument, first))
        if _same_labels(index, other):
            others.append(argument)
        return column

    found = {argument: placed(column, argument) for argument, column in columns.items()}
    if others:
        verb = "has" if len(others) == 1 else "have"
        order = f"bring them into one order first, as by reindex({first}.index)"
        remedy = "pass align=True" if takes("align", value=True) else order
        warn(
            f"{' and '.join(others)} {verb} the index labels of {first} in another order, and rows are taken by "
            f"position. If they belong together by label, {remedy}"
        )
    return found


def _parts(given: Any) -> dict[Any, Any] | None:
    """The columns that an argument holds, by name or place; None for anything else than a mapping or a list of columns."""
    if isinstance(given, Mapping):
        return dict(given)
    # Of a column of values only the first is looked at.
    if isinstance(given, list | tuple) and all(
        hasattr(item, "__len__") and not isinstance(item, str) for item in given
    ):
        return dict(enumerate(given))
    return None


def without_index(values: Any) -> Any:
    """The values of a pandas Series; any other object as it is."""
    return values.array if _index(values) is not None and hasattr(values, "array") else values


def _index(values: Any) -> Any:
    """The index of a pandas object; None for any other object."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "DataFrame") or not isinstance(values, pandas.Series | pandas.DataFrame):
        return None
    return values.index


def _same_labels(index: Any, other: Any) -> bool:
    if len(index) != len(other):
        return False
    if index.is_unique and other.is_unique:
        return bool(index.isin(other).all())
    try:
        return bool(index.sort_values().equals(other.sort_values()))
    except TypeError:  # labels that cannot be compared
        return False


def _places(index: Any, other: Any, argument: str, first: str) -> NDArray[Any]:
    """The rows of a column in the order of another index."""
    for name, labels in ((first, index), (argument, other)):
        if not labels.is_unique:
            twice = labels[labels.duplicated()][0]
            raise InputError(
                f"{name} has the index label {shown(_plain(twice))} twice; expected each once, as align=True goes by them",
                argument=name.partition("[")[0],
            )
    places: NDArray[Any] = other.get_indexer(index)
    for name, labels, absent in (
        (argument, other, index[places < 0]),
        (first, index, other[~other.isin(index)]),
    ):
        if len(absent):
            raise InputError(
                f"{name} has {len(labels)} rows, none of which has the index label {shown(_plain(absent[0]))}; expected the "
                "same labels in all columns, as align=True goes by them",
                argument=name.partition("[")[0],
            )
    return places


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
