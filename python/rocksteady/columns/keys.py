"""Columns of keys: what `by` and `control` may be, and the keys of groups as arrays.

The extension numbers the groups. This module names the columns, and lowers what labels cannot be: dates, fractions
among objects, ordered categories, intervals.
"""

from __future__ import annotations

import datetime as dt
import re
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from rocksteady import _rocksteady
from rocksteady.base.arguments import shown, wrong_type
from rocksteady.base.containers import columns_of, opened_matrix, refuse_lazy, shape_of
from rocksteady.columns.categories import categories_in_order
from rocksteady.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_NO_TIME = np.iinfo(np.int64).min

#: A column as the extension takes it: name, values, dtype of times, names of ordered categories.
_Column = tuple[str, Any, str | None, list[str] | None]

_EXPECTED = "a column of keys, several columns, a mapping from names to columns, or a data frame"


def grouped(by: Any, control: Any = None, *, rows: int | None = None, argument: str = "by") -> Any:
    """The groups of rows by one column of keys or several, those of `control` before those of `by`.

    Groups are numbered in the order of their sorted keys, whatever the order of the rows. A missing key (None, NaN,
    not-a-time, a null) is a key of its own, after all others.

    Parameters
    ----------
    by, control : column, sequence of columns, mapping, data frame or array of two dimensions
        Numbers, truth values, text, categories, dates. Ordered categories keep their order, times their zone; times of
        UTC have none.
    rows : int, optional
        How many rows each column must have.
    argument : str
        What refusals call `by`.

    Returns
    -------
    state of the extension
        With `groups`, `rows`, `codes()` (uint32, a row's group), `names()` and `columns()`.

    >>> groups = grouped(["b", "a", None, "a"])
    >>> groups.groups, groups.codes().tolist(), key_arrays(groups)
    (3, [1, 0, 2, 0], {'group': array(['a', 'b', None], dtype=object)})
    """
    if by is None and control is None and rows is None:
        raise wrong_type(by, argument, "a column of keys")
    columns = [("control", column) for column in columns_of_keys(control, "control")] if control is not None else []
    columns += [(argument, column) for column in columns_of_keys(by, argument)] if by is not None else []
    names = [column[0] for _, column in columns]
    for place, name in enumerate(names) if len(set(names)) < len(names) else ():
        if name in names[:place]:
            raise InputError(
                f"{columns[place][0]} has two columns {shown(name)}; expected each name once",
                argument=columns[place][0],
            )
    return _rocksteady.group_rows(columns, rows)


def key_arrays(state: Any) -> dict[str, NDArray[Any]]:
    """The columns of keys of a state by name, a row for each group.

    Integers, truth values and text with a missing key are objects, with None for it; floats have NaN and dates NaT.
    """
    return {name: key_array(kind, values) for name, (kind, values) in zip(state.names(), state.columns(), strict=True)}


def key_array(kind: str, values: Any) -> NDArray[Any]:
    """Keys as the extension gives them, as an array of their dtype."""
    if isinstance(values, list):
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    if ", " in kind:
        zone = zone_named(kind.partition(", ")[2].removesuffix("]"))
        return key_array("object", [_in_zone(microseconds, zone) for microseconds in np.asarray(values).tolist()])
    if "64[" in kind:  # times, as integers
        return np.asarray(values).view(kind)
    return np.asarray(values).astype(kind, copy=False)


def one_key(key: Any, keys: NDArray[Any]) -> Any:
    """A column of one key, to be found among others: a time as theirs are, or in their zone."""
    own = getattr(key, "tzinfo", None)
    zone = getattr(next(iter(keys), None), "tzinfo", None)
    if zone is not None and own is not None:
        return [key.astimezone(zone)]
    return np.array([key], dtype=keys.dtype) if keys.dtype.kind in "mM" and key is not None and own is None else [key]


def columns_of_keys(given: Any, argument: str) -> list[_Column]:
    """One or several columns, each with a name and as the extension takes it."""
    refuse_lazy(given, argument)
    default = {"by": "group"}.get(argument, argument)
    columns = columns_of(given, argument)
    if columns is not None:
        if not columns:
            raise InputError(f"{argument} has no columns; expected {_EXPECTED}", argument=argument)
        return [_lowered(str(name), column, argument) for name, column in columns.items()]
    if isinstance(given, str | bytes) or given is None:
        raise InputTypeError(f"{argument} is {shown(given)}; expected {_EXPECTED}", argument=argument)
    pandas = sys.modules.get("pandas")
    if pandas is not None and hasattr(pandas, "MultiIndex") and isinstance(given, pandas.MultiIndex):
        levels = [given.get_level_values(place) for place in range(given.nlevels)]
        return _several(levels, default, argument)
    if isinstance(given, list | tuple):
        if given and all(_is_column(item) for item in given):
            return _several(given, default, argument)
    elif len(shape_of(given)) == 2:
        matrix = opened_matrix(given, argument)
        return _several([matrix[:, place] for place in range(matrix.shape[1])], default, argument)
    return [_lowered(_name_of(given) or default, given, argument)]


def _several(columns: Any, default: str, argument: str) -> list[_Column]:
    names = [_name_of(column) for column in columns]
    several = len(names) > 1
    return [
        _lowered(name or (f"{default}_{place}" if several else default), column, argument)
        for place, (name, column) in enumerate(zip(names, columns, strict=True), 1)
    ]


def _is_column(item: Any) -> bool:
    single = isinstance(item, str | bytes | np.generic | type | Mapping)
    return not single and hasattr(item, "__len__")


def _name_of(column: Any) -> str | None:
    """The name of a Series; None for a column without one."""
    name = None if isinstance(column, np.ndarray | list | tuple) else getattr(column, "name", None)
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) and name != "" else None


def _lowered(name: str, values: Any, argument: str, zone: str | None = None) -> _Column:
    """A column as the extension takes it; of times that had a zone and are those of UTC, with the zone."""
    refuse_lazy(values, argument)
    categories = categories_in_order(values)
    if categories is not None and not _ascending_numbers(categories):
        return _ordered(name, values, categories)
    zone = zone or _kept_zone(zone_of(values), argument, name)
    values = _plain(values)
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM" and values.ndim == 1:
        values = values.astype(values.dtype.newbyteorder("="), copy=False)
        if zone is not None:
            return name, _microseconds(values, argument, name), f"datetime64[us, {zone}]", None
        if "[" not in values.dtype.name:  # an array of nothing but not-a-time
            values = values.astype(f"{values.dtype.name}[s]")
        return name, values.view(np.int64), values.dtype.name, None
    if isinstance(values, list | tuple) or (isinstance(values, np.ndarray) and values.dtype.kind == "O"):
        found, zone = _of_objects(values, argument, name)
        if found is not None:
            return _lowered(name, found, argument, zone)
    return name, values, None, None


def zone_of(values: Any) -> Any:
    """The time zone of a column of times of pandas, polars or Arrow, as an object or by name; None if there is none."""
    dtype = getattr(values, "dtype", None)
    if dtype is None or isinstance(dtype, np.dtype):
        dtype = None if isinstance(values, np.ndarray | list | tuple) else getattr(values, "type", None)
    inner = getattr(getattr(dtype, "categories", None), "dtype", None)  # categories that are times
    kinds = (getattr(kind, "pyarrow_dtype", kind) for kind in (dtype, inner))
    zones = (getattr(kind, attribute, None) for kind in kinds for attribute in ("tz", "time_zone"))
    return next((zone for zone in zones if zone is not None), None)


def zone_named(name: str) -> dt.tzinfo:
    """A zone by its name in the database of zones, or by its distance from UTC; UTC where the name is not known here.

    >>> from datetime import datetime
    >>> str(datetime(2024, 1, 1, tzinfo=zone_named("Europe/Berlin"))), str(zone_named("UTC+01:00"))
    ('2024-01-01 00:00:00+01:00', 'UTC+01:00')
    """
    return _zone_named(name) or dt.UTC


def _zone_named(name: str) -> dt.tzinfo | None:
    fixed = re.fullmatch(r"(?:UTC)?([+-])(\d\d):(\d\d)", name)
    if fixed is not None:
        distance = dt.timedelta(hours=int(fixed[2]), minutes=int(fixed[3]))
        return dt.timezone(-distance if fixed[1] == "-" else distance)
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return None


def _kept_zone(zone: Any, argument: str, name: str, row: int | None = None) -> str | None:
    """The name of the zone that times keep; None without one, and of UTC."""
    if zone is None:
        return None
    offset = zone.utcoffset(None) if isinstance(zone, dt.tzinfo) else None
    if offset == dt.timedelta(0) or str(zone) in ("UTC", "Etc/UTC", "+00:00"):
        return None
    if _zone_named(str(zone)) is not None:
        return re.sub(r"^UTC(?=[+-])", "", str(zone))
    place = "" if row is None else f" in row {row}"
    expected = "a zone of the database of zones (such as 'Europe/Berlin'), a distance from UTC, or none"
    raise InputError(
        f"{argument} has times with the time zone {shown(str(zone))} in its column {shown(name)}{place}; expected {expected}",
        argument=argument,
        row=row,
        value=str(zone),
        expected=expected,
    )


def _microseconds(times: NDArray[Any], argument: str, name: str) -> NDArray[np.int64]:
    """Times of a zone as whole microseconds since 1970."""
    found = times.astype("datetime64[us]")
    wrong = np.flatnonzero((found.astype(times.dtype) != times) & ~np.isnat(times))
    if len(wrong):
        row = int(wrong[0])
        expected = "times of whole microseconds (of pandas: dt.floor('us'))"
        raise InputError(
            f"{argument} has the time {times[row]} in row {row} of its column {shown(name)}; expected {expected}",
            argument=argument,
            row=row,
            value=str(times[row]),
            expected=expected,
        )
    return found.view(np.int64)


def _in_zone(microseconds: int, zone: dt.tzinfo) -> dt.datetime | None:
    if microseconds == _NO_TIME:
        return None
    return (_EPOCH + dt.timedelta(microseconds=microseconds)).astimezone(zone)


def _ascending_numbers(categories: list[Any]) -> bool:
    if not all(isinstance(item, int | float) for item in categories):
        return False
    return all(a < b for a, b in pairwise(categories))


def _ordered(name: str, values: Any, categories: list[Any]) -> _Column:
    """A column of ordered categories, as text."""
    names = [item if isinstance(item, str) else str(item) for item in categories]
    if all(isinstance(item, str) for item in categories):
        return name, values, None, names
    codes = np.asarray(getattr(values, "cat", values).codes)
    texts = np.array([*names, None], dtype=object)
    return name, texts[codes], None, names


def _plain(values: Any) -> Any:
    """Dates, periods and intervals of pandas, polars and Arrow as numpy's dates or as categories."""
    pandas, polars, pyarrow = (sys.modules.get(library) for library in ("pandas", "polars", "pyarrow"))
    dtype = getattr(values, "dtype", None)
    if polars is not None and hasattr(polars, "Series") and isinstance(values, polars.Series):
        if dtype in (polars.Date, polars.Datetime, polars.Duration):
            return values.to_numpy()
        return values.cast(polars.String) if dtype == polars.Time else values
    if (
        pyarrow is not None
        and hasattr(pyarrow, "ChunkedArray")
        and isinstance(values, pyarrow.Array | pyarrow.ChunkedArray)
    ):
        kind = values.type
        if pyarrow.types.is_timestamp(kind) or pyarrow.types.is_date(kind) or pyarrow.types.is_duration(kind):
            chunks = values if isinstance(values, pyarrow.Array) else values.combine_chunks()
            return chunks.to_numpy(zero_copy_only=False)
        return values
    if pandas is None or not hasattr(pandas, "DataFrame") or dtype is None or isinstance(values, np.ndarray):
        return values
    if isinstance(dtype, pandas.DatetimeTZDtype):
        return pandas.Series(values).dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if isinstance(dtype, pandas.PeriodDtype):
        texts = pandas.Series(values).astype(str).to_numpy(dtype=object)
        texts[np.asarray(pandas.isna(values))] = None
        return texts
    if isinstance(dtype, pandas.IntervalDtype):
        return _plain(pandas.Series(values).astype("category").array)
    if isinstance(dtype, pandas.ArrowDtype) and dtype.kind in "mM":
        return pandas.Series(values).to_numpy(dtype=f"{'datetime' if dtype.kind == 'M' else 'timedelta'}64[ns]")
    if isinstance(dtype, pandas.CategoricalDtype):
        return _categories(values, dtype.categories, pandas)
    if isinstance(dtype, np.dtype) and dtype.kind in "mMO":
        return np.asarray(values)
    return values


def _categories(values: Any, categories: Any, pandas: Any) -> Any:
    """A column of unordered categories; those that are no labels as what they are."""
    if isinstance(categories.dtype, pandas.IntervalDtype):
        codes = np.asarray(getattr(values, "cat", values).codes)
        return pandas.Categorical.from_codes(codes, categories, ordered=True).rename_categories(
            list(map(str, categories))
        )
    if isinstance(categories.dtype, np.dtype) and categories.dtype.kind in "bifuO":
        return values if categories.dtype.kind in "biuO" else np.asarray(values, dtype=categories.dtype)
    if isinstance(categories.dtype, pandas.StringDtype):
        return values
    return _plain(pandas.Series(values).astype(categories.dtype))


def _of_objects(values: Any, argument: str, name: str) -> tuple[NDArray[Any] | None, str | None]:
    """Objects that are dates, or numbers with fractions, as an array, and the zone of times; None if they are others.

    Only the first one that is there is looked at, so that a column of texts costs nothing.
    """
    items = values if isinstance(values, list | tuple) else values.ravel()
    first = next((item for item in items if not _is_missing(item)), None)
    if isinstance(first, bool | str | bytes | int) and not (isinstance(first, int) and _has_fractions(items)):
        return None, None
    if isinstance(first, float | np.floating | int):
        return _floats(items), None
    if isinstance(first, dt.date | dt.timedelta | np.datetime64 | np.timedelta64):
        zone = _kept_zone(getattr(first, "tzinfo", None), argument, name)
        for row, item in enumerate(items):
            own = getattr(item, "tzinfo", None)
            if not _is_missing(item) and _kept_zone(own, argument, name, row) != zone:
                expected = f"times of the zone {zone or 'UTC, or of none'}, as in the rows before it"
                raise InputError(
                    f"{argument} has times with the time zone {own} in row {row} of its column {shown(name)}; "
                    f"expected {expected}",
                    argument=argument,
                    row=row,
                    value=str(own),
                    expected=expected,
                )
        return _times(items, first), zone
    return None, None


def _has_fractions(items: Any) -> bool:
    """Whether a float that is not whole is among items that are all numbers or missing."""
    return any(isinstance(item, float) and item == item and not item.is_integer() for item in items)


def _floats(items: Any) -> NDArray[Any] | None:
    if not all(_is_missing(item) or isinstance(item, float | int | np.floating | np.integer) for item in items):
        return None
    return np.array([np.nan if _is_missing(item) else item for item in items], dtype=np.float64)


def _times(items: Any, first: Any) -> NDArray[Any] | None:
    kind = "datetime64" if _is_date(first) else "timedelta64"
    day = type(first) is dt.date
    try:
        plain = [None if _is_missing(item) else _without_zone(item) for item in items]
        return np.array(plain, dtype=f"{kind}[{'D' if day else 'us'}]")
    except (ValueError, TypeError):
        return None


def _is_date(item: Any) -> bool:
    return isinstance(item, dt.date | np.datetime64)


def _without_zone(item: Any) -> Any:
    if isinstance(item, dt.datetime) and item.tzinfo is not None:
        return item.astimezone(dt.UTC).replace(tzinfo=None)
    return item


def _is_missing(item: Any) -> bool:
    return (
        item is None
        or type(item).__name__ in ("NAType", "NaTType")
        or (isinstance(item, float | np.floating | np.datetime64 | np.timedelta64) and item != item)
    )
